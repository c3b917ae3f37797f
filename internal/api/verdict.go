package api

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
)

// verdict is what one attempt to buy proves. It is pure, and as strict as money: what is not a proof of
// orders or of a refusal is Unknown. Whether the ids are known already is for the caller to see.
func verdict(a attempt, quantity int) Verdict {
	v := Verdict{Status: a.status, Class: Upstream}
	switch {
	case a.err != nil && !a.handed:
		v.Outcome, v.Reason = NotSent, "never sent"
		return v
	case a.err != nil:
		v.Reason = reasonOf(a.err)
		return v
	}
	env, ok := wholeEnvelope(a.body)
	switch {
	case a.status == http.StatusOK && ok && env.Status == "success":
		return accepted(v, env.Data, quantity)
	case refusal(a, env, ok):
		v.Outcome, v.Class, v.Fields = Rejected, classify(a.status, env.Message), env.fields()
		v.RetryAfter, v.Reason = retryAfter(a.header), "refused"
		return v
	case a.status >= 500:
		v.Reason = "server error"
	case a.status >= 300 && a.status < 400:
		v.Reason = "redirect"
	default:
		v.Reason = "no envelope"
	}
	return v
}

// refusal reports whether an answer proves that nothing was bought: a client error in the service's own
// envelope. Without it a firewall may have spoken, after the service did. A 429 that says how long to wait
// is believed.
func refusal(a attempt, env envelope, enveloped bool) bool {
	switch a.status {
	case http.StatusBadRequest, http.StatusUnauthorized, http.StatusForbidden, http.StatusNotFound, http.StatusUnprocessableEntity:
		return enveloped && env.refused()
	case http.StatusTooManyRequests:
		return enveloped && env.refused() || a.header.Get("Retry-After") != ""
	}
	return false
}

// accepted checks the orders that a success names.
func accepted(v Verdict, data json.RawMessage, quantity int) Verdict {
	var result struct {
		OrderIDs []label `json:"order_ids"`
		Count    *number `json:"count"`
	}
	if json.Unmarshal(data, &result) != nil {
		v.Reason = "unreadable orders"
		return v
	}
	seen := map[string]bool{}
	for _, id := range result.OrderIDs {
		if id != "" && !seen[string(id)] {
			v.OrderIDs = append(v.OrderIDs, string(id))
			seen[string(id)] = true
		}
	}
	switch {
	case len(v.OrderIDs) != len(result.OrderIDs):
		v.Reason = "order ids repeat or are empty"
	case len(v.OrderIDs) != quantity:
		v.Reason = "wrong number of orders"
	case result.Count != nil && int(*result.Count) != quantity:
		v.Reason = "count mismatch"
	default:
		v.Outcome, v.Class, v.Reason = Accepted, Internal, "orders named"
	}
	return v
}

// wholeEnvelope reads an envelope that is the whole body: a cut or mixed answer is none.
func wholeEnvelope(body []byte) (envelope, bool) {
	d := json.NewDecoder(bytes.NewReader(body))
	var env envelope
	if d.Decode(&env) != nil {
		return envelope{}, false
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return envelope{}, false
	}
	return env, env.Status == "success" || env.Status == "error"
}

// reasonOf names why no whole answer came.
func reasonOf(err error) string {
	switch {
	case errors.Is(err, context.DeadlineExceeded):
		return "timeout"
	case errors.Is(err, context.Canceled):
		return "cut short"
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return "connection closed"
	}
	return "connection failed"
}

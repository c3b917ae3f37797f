package api

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"io"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"resellerbot/internal/api/orderid"
)

// verdict is what one attempt to buy proves; named reads the orders out of a success. It is pure, and as
// strict as money: what is not a proof of orders or of a refusal is Unknown. Whether the ids are known
// already is for the caller to see.
func verdict(a attempt, named func(json.RawMessage) made) Verdict {
	v := Verdict{Status: a.status, Class: Upstream}
	a.body = unmarked(a.body)
	switch {
	// The one proof that nothing was bought where no answer came: not a byte has left this machine.
	case a.err != nil && !a.handed:
		v.Outcome, v.Reason = NotSent, "never sent"
		return v
	case a.err != nil:
		v.Reason = reasonOf(a.err)
		return hinted(v, a.body, named)
	}
	env, ok := wholeEnvelope(a.body)
	switch {
	case a.status == http.StatusOK && ok && env.Status == "success":
		return accepted(v, named(env.Data))
	// A refusal with orders in it contradicts itself: neither is believed, and the orders are looked for.
	case refusal(a, env, ok) && len(named(env.Data).ids) > 0:
		v.Reason = "a refusal that names orders"
	case refusal(a, env, ok):
		v.Outcome, v.Class, v.Fields = Rejected, classify(a.status, env.Message), env.fields()
		v.RetryAfter, v.Reason = retryAfter(a.header), "refused"
		return v
	// The service may have executed it and failed afterwards, or a proxy in front of it may have given up.
	case a.status >= 500:
		v.Reason = "server error"
	case a.status >= 300 && a.status < 400:
		v.Reason = "redirect"
	default:
		v.Reason = "no envelope"
	}
	return hinted(v, a.body, named)
}

// hinted notes the orders that an answer names which proves nothing, be it in an envelope or not: they are looked for.
func hinted(v Verdict, body []byte, named func(json.RawMessage) made) Verdict {
	var first json.RawMessage
	// A decoder takes the first value, whatever stands behind it: an answer that proves nothing may still name orders to look for.
	if json.NewDecoder(bytes.NewReader(body)).Decode(&first) != nil {
		return v
	}
	var wrapped struct {
		Data json.RawMessage `json:"data"`
	}
	if json.Unmarshal(first, &wrapped) != nil || len(wrapped.Data) == 0 {
		wrapped.Data = first // it is bare
	}
	if m := named(wrapped.Data); len(m.ids) > 0 {
		v.OrderIDs, v.Transaction, v.Origin = m.ids, m.transaction, m.origin
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

// made is the orders that a success names. wrong says why they prove nothing, "" where they do.
type made struct {
	ids         []string
	transaction string
	origin      Origin
	wrong       string
}

// accepted turns what a success names into a verdict.
func accepted(v Verdict, m made) Verdict {
	v.OrderIDs, v.Transaction, v.Origin, v.Reason = m.ids, m.transaction, m.origin, m.wrong
	if m.wrong == "" {
		v.Outcome, v.Class, v.Reason = Accepted, Internal, "orders named"
	}
	return v
}

// distinct notes one order for each of the ids, as many as were asked for.
func distinct(ids []label, quantity int, origin Origin) made {
	m := made{origin: origin}
	// "" counts as seen, so that an id that is missing is as wrong as one that repeats.
	seen := map[label]bool{"": true}
	unusable := false
	for _, id := range ids {
		switch {
		case id != "" && !usable(id):
			unusable = true
		case !seen[id]:
			m.ids = append(m.ids, string(id))
			seen[id] = true
		}
	}
	switch {
	case unusable:
		m.wrong = "an order id that cannot be kept"
	case len(m.ids) != len(ids):
		m.wrong = "order ids repeat or are empty"
	case len(m.ids) != quantity:
		m.wrong = "wrong number of orders"
	}
	return m
}

// orderNames reads the names of orders. odd tells that they did not come as a list of them.
type orderNames struct {
	ids []label
	odd bool
}

// UnmarshalJSON implements json.Unmarshaler.
func (n *orderNames) UnmarshalJSON(text []byte) error {
	*n = orderNames{}
	var list []json.RawMessage
	var byIndex map[string]json.RawMessage
	switch {
	case string(text) == "null":
		return nil
	case json.Unmarshal(text, &list) == nil:
	case json.Unmarshal(text, &byIndex) == nil:
		n.odd = true
		for _, index := range slices.SortedFunc(maps.Keys(byIndex), compareIndex) {
			list = append(list, byIndex[index])
		}
	default:
		n.odd, list = true, []json.RawMessage{text}
	}
	for _, entry := range list {
		var id label
		var order wireOrder
		if entry[0] == '{' && json.Unmarshal(entry, &order) == nil {
			o, _ := order.listed()
			// Orders in place of their names are not what the document shows: it is no proof (odd), and they are looked for.
			id, n.odd = label(o.ID), true
		} else if json.Unmarshal(entry, &id) != nil {
			return errShape
		}
		n.ids = append(n.ids, id)
	}
	return nil
}

// namedOrders reads a Purchase result of the Current generation.
func namedOrders(data json.RawMessage, quantity int, origin Origin) made {
	var result struct {
		OrderIDs orderNames      `json:"order_ids"`
		Count    json.RawMessage `json:"count"`
	}
	if json.Unmarshal(data, &result) != nil {
		if !bytes.HasPrefix(bytes.TrimSpace(data), []byte("[")) || json.Unmarshal(data, &result.OrderIDs) != nil {
			return made{wrong: "unreadable orders"}
		}
		result.OrderIDs.odd = true
	}
	m := distinct(result.OrderIDs.ids, quantity, origin)
	switch {
	case m.wrong != "":
	case result.OrderIDs.odd:
		m.wrong = "unreadable orders"
	case !counts(result.Count, quantity):
		m.wrong = "count mismatch"
	}
	return m
}

// counts reports whether a count is of so many, or does not say.
func counts(text json.RawMessage, quantity int) bool {
	var n *number
	if len(text) == 0 {
		return true
	}
	return json.Unmarshal(text, &n) == nil && (n == nil || int(*n) == quantity)
}

// purchasedItems reads the purchased_items of the Legacy generation. An order is where its order_url points. That the id of an item is its order's
// is not shown: where the address says otherwise, or does not say, nothing is proven, and what was named is asked for before it counts.
func purchasedItems(data json.RawMessage, quantity int) made {
	var result struct {
		Items []struct {
			ID  label `json:"id"`
			URL label `json:"order_url"`
		} `json:"purchased_items"`
	}
	if json.Unmarshal(data, &result) != nil {
		return made{wrong: "unreadable orders"}
	}
	var ids []label
	wrong := ""
	for _, item := range result.Items {
		id, at := item.ID, orderAt(string(item.URL))
		switch {
		case id == "":
			id = at
		case at == "":
			wrong = cmp.Or(wrong, "no address tells whether the id of an item is an order's")
		case !orderid.Same(string(id), string(at)):
			wrong, id = "an item names two orders", at
		}
		ids = append(ids, id)
	}
	m := distinct(ids, quantity, FromLegacy)
	m.wrong = cmp.Or(m.wrong, wrong)
	return m
}

// orderAt is the order that an address points to: in the Legacy generation they are numbers. It is "" where the address has none, or several, of
// which any may be the order.
func orderAt(address string) (id label) {
	u, err := url.Parse(address)
	if err != nil {
		return ""
	}
	parts := strings.Split(u.Path, "/")
	for _, values := range u.Query() {
		parts = append(parts, values...)
	}
	for _, part := range parts {
		switch {
		case part == "" || strings.Trim(part, "0123456789") != "":
		case id != "" && id != label(part):
			return ""
		default:
			id = label(part)
		}
	}
	return id
}

// placedTopup reads the Arena top-up order. One for another player proves nothing, and is not to be looked for: that it
// exists would not make it this purchase's.
func placedTopup(data json.RawMessage, player string) made {
	var w wireOrder
	if json.Unmarshal(data, &w) != nil {
		return made{wrong: "unreadable orders"}
	}
	o, named := w.order()
	if o.PlayerID != "" && o.ForPlayer(player) == OtherPlayer {
		return made{wrong: "another player"}
	}
	m := made{transaction: o.Transaction, origin: FromArena}
	switch {
	case slices.ContainsFunc(w.names(), func(id string) bool { return !usable(label(id)) }):
		m.wrong = "an order id that cannot be kept"
	case !named:
		m.wrong = "no order named"
	}
	if id := cmp.Or(o.ID, o.Transaction); id != "" {
		m.ids = []string{id}
	}
	return m
}

// wholeEnvelope reads an envelope that is the whole body: a cut or mixed answer is none.
func wholeEnvelope(body []byte) (envelope, bool) {
	d := json.NewDecoder(bytes.NewReader(body))
	var env envelope
	if d.Decode(&env) != nil {
		return envelope{}, false
	}
	// Something behind the envelope is no answer of the service: a proxy may have put two bodies together.
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

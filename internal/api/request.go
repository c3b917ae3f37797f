package api

import (
	"bytes"
	"context"
	"crypto/tls"
	"encoding/json"
	"errors"
	"io"
	"net"
	"net/http"
	"net/netip"
	"slices"
	"strconv"
	"strings"
	"time"
)

const (
	maxHeader    = 64 << 10
	maxCatalogue = 8 << 20
	maxBody      = 1 << 20
)

// call is one request of a read.
type call struct {
	op     string // as the package comment names it
	method string
	path   string
	body   any // nil: none
	limit  int64
	whole  bool // the answer is read with its envelope
}

// do makes a call within the limits and decodes the data of its answer. Every read goes through here.
func do[T any](ctx context.Context, s *Session, c call, decode func(json.RawMessage) (T, error)) (T, error) {
	var none T
	data, err := s.read(ctx, c)
	if err != nil {
		return none, err
	}
	v, err := decode(data)
	if err != nil {
		return none, &Error{Op: c.op, Status: http.StatusOK, Class: Upstream, Err: err}
	}
	return v, nil
}

// read makes a call and returns the data of its answer.
func (s *Session) read(ctx context.Context, c call) (data json.RawMessage, err error) {
	if err := s.admit(ctx, c.op, c.method); err != nil {
		return nil, err
	}
	begin := time.Now()
	defer func() { s.called(ctx, c.op, classOf(err), begin) }()
	// Behind admit: the time of a read is that of the call on the wire, not of the wait for the limits.
	wire, cancel := context.WithTimeout(ctx, s.client.cfg.ReadTimeout)
	defer cancel()
	var body io.Reader
	if c.body != nil {
		text, err := json.Marshal(c.body)
		if err != nil {
			return nil, &Error{Op: c.op, Class: Internal, Err: err}
		}
		body = bytes.NewReader(text)
	}
	req, err := s.request(wire, c.method, c.path, body)
	if err != nil {
		return nil, &Error{Op: c.op, Class: Internal, Err: err}
	}
	resp, err := s.client.reads.Do(req)
	if err != nil {
		return nil, &Error{Op: c.op, Class: Upstream, Err: cause(err)}
	}
	defer resp.Body.Close()
	if resp.StatusCode == http.StatusSwitchingProtocols { // what follows is no answer, and has no end
		return nil, &Error{Op: c.op, Status: resp.StatusCode, Class: Upstream}
	}
	limit := max(c.limit, maxBody)
	if resp.StatusCode != http.StatusOK {
		// A refusal is short, whatever was asked for: a large one is none of the service's.
		limit = maxBody
	}
	text, err := io.ReadAll(io.LimitReader(resp.Body, limit+1))
	switch {
	case err != nil:
		return nil, &Error{Op: c.op, Status: resp.StatusCode, Class: Upstream, Err: cause(err)}
	case int64(len(text)) > limit:
		return nil, &Error{Op: c.op, Status: resp.StatusCode, Class: Upstream, Err: errors.New("the answer is too long")}
	}
	return s.answer(c, resp, text)
}

// request builds a request with the key in its header: the only place that reveals it.
func (s *Session) request(ctx context.Context, method, path string, body io.Reader) (*http.Request, error) {
	req, err := http.NewRequestWithContext(ctx, method, s.client.cfg.BaseURL+s.client.cfg.Names.path(path), body)
	if err != nil {
		return nil, errors.New("the request cannot be built")
	}
	req.Header.Set("X-Api-Key", s.key.Reveal())
	req.Header.Set("Accept", "application/json")
	if body != nil {
		req.Header.Set("Content-Type", "application/json")
	}
	if s.client.cfg.UserAgent != "" {
		req.Header.Set("User-Agent", s.client.cfg.UserAgent)
	}
	return req, nil
}

// cause is why no whole answer came, in words of our own: those of http quote what the other side sent,
// and the address with it.
func cause(err error) error {
	var dial *net.OpError
	var cert *tls.CertificateVerificationError
	for _, known := range [...]error{context.DeadlineExceeded, context.Canceled, io.ErrUnexpectedEOF, io.EOF} {
		if errors.Is(err, known) {
			return known
		}
	}
	switch {
	case errors.As(err, &cert):
		return errors.New("the certificate is not accepted")
	case errors.As(err, &dial):
		return dial
	}
	return errors.New("the answer cannot be read")
}

// answer sorts a whole answer into data or an error.
func (s *Session) answer(c call, resp *http.Response, text []byte) (json.RawMessage, error) {
	text = unmarked(text)
	// A 200 may refuse too: its envelope says "error", and the message decides then (classify).
	env, enveloped := openEnvelope(text)
	if resp.StatusCode == http.StatusOK && !env.refused() {
		s.state.limiter.accepted()
		// A bare order has a status of its own, which may be "success": it is no envelope for that.
		if enveloped && !isBare(text) && !c.whole {
			return env.Data, nil
		}
		if !json.Valid(text) {
			return nil, &Error{Op: c.op, Status: resp.StatusCode, Class: Upstream, Err: errors.New("the answer is not JSON")}
		}
		return text, nil
	}
	e := &Error{Op: c.op, Status: resp.StatusCode, Class: classify(resp.StatusCode, env.Message)}
	switch e.Class {
	case Limited:
		e.RetryAfter = s.state.limiter.refused(retryAfter(resp.Header))
	case Invalid:
		e.Fields, e.Err = env.fields(), invalidity(env)
	case NotFound:
		e.Err = absence(env.Message)
	case IPBlocked:
		e.Address = addressIn(text)
	}
	return nil, e
}

// addressIn is the one internet address that an answer names. Where the service says which one it has refused is not shown:
// it is looked for in all that the answer says. Several may be those that it takes, and name none.
func addressIn(text []byte) netip.Addr {
	var found netip.Addr
	words := strings.FieldsFunc(string(text), func(r rune) bool { return !strings.ContainsRune("0123456789abcdefABCDEF:.", r) })
	for _, word := range words {
		a, err := netip.ParseAddr(strings.Trim(word, "."))
		if err != nil {
			a, err = netip.ParseAddr(strings.Trim(word, ".:")) // "your address:", not an abbreviation of zeros
		}
		switch a = a.Unmap(); {
		case err != nil || a.IsUnspecified():
		case found.IsValid() && found != a:
			return netip.Addr{}
		default:
			found = a
		}
	}
	return found
}

// unmarked is an answer without the mark of byte order that may stand before it: JSON has none, and a parser may ignore one.
func unmarked(text []byte) []byte { return bytes.TrimPrefix(text, []byte("\uFEFF")) }

// envelope is what all JSON answers are wrapped in (reseller-api.md, Response envelope).
type envelope struct {
	Status  string          `json:"status"`
	Message string          `json:"message"`
	Data    json.RawMessage `json:"data"`
}

// openEnvelope reads the envelope of an answer. ok is false where there is none.
func openEnvelope(text []byte) (env envelope, ok bool) {
	if err := json.Unmarshal(text, &env); err != nil {
		return envelope{}, false
	}
	return env, env.Status == "success" || env.Status == "error"
}

// isBare reports whether an object has a status of its own and is no envelope: it has no data, and more
// than an envelope has.
func isBare(text []byte) bool {
	var members map[string]json.RawMessage
	if json.Unmarshal(text, &members) != nil || members["data"] != nil {
		return false
	}
	// status and message are what an envelope has without data. Anything else is of an order.
	delete(members, "status")
	delete(members, "message")
	return len(members) > 0
}

// refused reports whether the envelope says that the call failed.
func (e envelope) refused() bool { return e.Status == "error" }

// fields are the messages of a failed validation, by field.
func (e envelope) fields() map[string][]string {
	var data struct {
		Errors map[string]json.RawMessage `json:"errors"`
	}
	if json.Unmarshal(e.Data, &data) != nil || len(data.Errors) == 0 {
		return nil
	}
	fields := make(map[string][]string, len(data.Errors))
	for field, text := range data.Errors {
		var one label
		var many []string
		if json.Unmarshal(text, &many) != nil && json.Unmarshal(text, &one) == nil && one != "" {
			many = []string{string(one)}
		}
		fields[field] = many
	}
	return fields
}

// classify is what a refusal means, by status and message (reseller-api.md, Errors). The same refusal may
// come under several codes, so a message that is known decides.
func classify(status int, message string) Class {
	// Messages that the document shows go first, whatever their code; then those that count under the codes that say little;
	// then the code alone.
	switch m := strings.ToLower(message); {
	case strings.HasPrefix(m, "insufficient balance"):
		return Funds
	case strings.HasPrefix(m, "product out of stock"), strings.HasPrefix(m, "insufficient quantity"):
		return OutOfStock
	case strings.HasPrefix(m, "ip address not allowed"):
		return IPBlocked
	case strings.HasPrefix(m, "unauthorized - not your order"):
		return NotFound
	case status != http.StatusOK && status != http.StatusBadRequest && status != http.StatusForbidden: // these say little
	case strings.HasPrefix(m, "order not found"):
		return NotFound
	// An error within a 200: under a 400 it is about what was sent (invalidity).
	case status == http.StatusOK && (strings.HasPrefix(m, "player not found") || strings.HasPrefix(m, "product not found")):
		return NotFound
	case strings.HasPrefix(m, "invalid api key"), strings.HasPrefix(m, "api key is required"):
		return Unauthorized
	case strings.HasPrefix(m, "too many requests"):
		return Limited
	}
	switch status {
	case http.StatusUnauthorized:
		return Unauthorized
	case http.StatusForbidden:
		return forbidden(message)
	case http.StatusNotFound:
		return NotFound
	case http.StatusTooManyRequests:
		return Limited
	case http.StatusBadRequest, http.StatusRequestEntityTooLarge, http.StatusUnprocessableEntity:
		return Invalid
	}
	return Upstream
}

// forbidden is what a 403 means whose message is none of those that are known: of the two that the document names (reseller-api.md, Errors), an
// insufficient balance where it speaks of that, and else a blocked address.
func forbidden(message string) Class {
	if strings.Contains(strings.ToLower(message), "balance") {
		return Funds
	}
	return IPBlocked
}

// absence tells what a 404 says is not there: the path, a player, or, where it is nil, what was asked for
// (reseller-api.md, Messages, and the cases of each Legacy endpoint).
func absence(message string) error {
	m := strings.ToLower(message)
	says := func(words ...string) bool {
		return slices.ContainsFunc(words, func(w string) bool { return strings.Contains(m, w) })
	}
	switch {
	// Before what is looked for below: a message about a path may quote it, and with that "product" or "order".
	case says("route", "url", "endpoint", "path"):
		return errNoRoute
	case says("player", "number"):
		return errNoPlayer
	case says("product", "variant", "order", "plan", "transaction"):
		return nil
	}
	return errNoRoute
}

// invalidity tells what a refusal of the input is about: a player, or, where it is nil, anything. One without the
// envelope is not the service's.
func invalidity(env envelope) error {
	m := strings.ToLower(env.Message)
	switch {
	case !env.refused():
		return errNotWrapped
	case strings.Contains(m, "player"), strings.Contains(m, "number"):
		return errNoPlayer
	}
	return nil
}

// retryAfter reads the header of a refusal: seconds, or a moment, which counts from the answer's own date, so that no clock but the
// service's decides. Whether the service sends it is not shown.
func retryAfter(h http.Header) time.Duration {
	text := strings.TrimSpace(h.Get("Retry-After"))
	if n, err := strconv.Atoi(text); err == nil {
		return time.Duration(min(max(n, 0), int(longestRest/time.Second))) * time.Second
	}
	until, err := http.ParseTime(text)
	if err != nil {
		return 0
	}
	from, err := http.ParseTime(h.Get("Date"))
	if err != nil {
		return 0
	}
	return min(max(until.Sub(from), 0), longestRest)
}

// longestRest is the most that the header of a refusal counts for. The service's document has no such header: its limits are of minutes, and it asks
// for pauses that end at a cap such as 60 s. Whatever is paid for waits as long as this at most.
const longestRest = 5 * time.Minute

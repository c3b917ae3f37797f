package api

import (
	"context"
	"crypto/tls"
	"encoding/json"
	"errors"
	"io"
	"net"
	"net/http"
	"strconv"
	"sync"
	"sync/atomic"
	"time"
)

// moneyClient sends what spends, with one copy on the wire at most: HTTP/1.1 only, since Go's HTTP/2
// client repeats a POST by itself; a connection of its own, since a request on a reused one may be
// repeated; no redirects; no way to read the body a second time; no idempotency header, which the
// service ignores and Go takes as leave to repeat.
type moneyClient struct {
	dial dialer
	// gate is asked right before the first byte leaves; its error keeps that here. Nil lets all pass.
	gate func(context.Context) error
}

// dialer opens a connection.
type dialer func(ctx context.Context, network, addr string) (net.Conn, error)

// attempt is everything that is known after one attempt to spend.
type attempt struct {
	handed bool // a byte of the request may have left: Write was called above TLS
	status int
	header http.Header
	body   []byte
	err    error // no whole answer came
}

// errTooLate: the machine, or the process, stood still for longer than a purchase may take to leave.
var errTooLate = errors.New("too late to be sent")

// late reports whether so much time has passed since a moment, by the clock that stands still while a machine sleeps or by
// the one that does not.
func late(since, now time.Time, within time.Duration) bool {
	return now.Sub(since) > within || now.Round(0).Sub(since.Round(0)) > within
}

// send makes the attempt, unless it is held: asked right before the first byte leaves, after all waiting. The transport is
// made for it and goes with it: nothing can be reused.
func (m *moneyClient) send(req *http.Request, body []byte, held func() error) attempt {
	var handed atomic.Bool
	// Asked once and remembered: the first Write decides for the whole request, and those after it are parts of the same.
	stops := sync.OnceValue(func() error {
		if err := held(); err != nil || m.gate == nil {
			return err
		}
		return m.gate(req.Context())
	})
	protocols := new(http.Protocols)
	protocols.SetHTTP1(true)
	tr := &http.Transport{
		Protocols: protocols, DisableKeepAlives: true, DisableCompression: true, MaxResponseHeaderBytes: maxHeader,
		DialContext: watched(m.dial, &handed, stops), DialTLSContext: watched(m.dialTLS, &handed, stops),
	}
	defer tr.CloseIdleConnections()
	once := &onceBody{text: body}
	req.Body, req.GetBody, req.ContentLength = once, nil, int64(len(body))
	resp, err := (&http.Client{Transport: tr, CheckRedirect: noRedirect}).Do(req)
	if err != nil {
		return attempt{handed: handed.Load(), err: cause(err)}
	}
	defer resp.Body.Close()
	// There is an answer, so the request was there, whatever the connection has noted.
	a := attempt{handed: true, status: resp.StatusCode, header: resp.Header}
	if resp.StatusCode == http.StatusSwitchingProtocols {
		return a // what follows is no answer, and has no end
	}
	a.body, a.err = io.ReadAll(io.LimitReader(resp.Body, maxBody+1))
	if a.err == nil && len(a.body) > maxBody {
		a.err = errors.New("the answer is too long")
	}
	return a
}

// dialTLS connects and shakes hands, offering HTTP/1.1 only.
func (m *moneyClient) dialTLS(ctx context.Context, network, addr string) (net.Conn, error) {
	host, _, err := net.SplitHostPort(addr)
	if err != nil {
		return nil, err
	}
	raw, err := m.dial(ctx, network, addr)
	if err != nil {
		return nil, err
	}
	// The handshake runs below watchedConn, so that its bytes do not count as the request's: only Write above TLS does.
	conn := tls.Client(raw, &tls.Config{ServerName: host, NextProtos: []string{"http/1.1"}, MinVersion: tls.VersionTLS12})
	if err := conn.HandshakeContext(ctx); err != nil {
		raw.Close()
		return nil, err
	}
	return conn, nil
}

// watched is a dialer whose connections note whether anything was written to them.
func watched(dial dialer, handed *atomic.Bool, held func() error) dialer {
	return func(ctx context.Context, network, addr string) (net.Conn, error) {
		conn, err := dial(ctx, network, addr)
		if err != nil {
			return nil, err
		}
		return &watchedConn{Conn: conn, handed: handed, held: held}, nil
	}
}

// watchedConn notes whether anything was ever written: only that tells a request that never left from
// one that may have.
type watchedConn struct {
	net.Conn

	handed *atomic.Bool
	held   func() error // why nothing may be written after all
}

// Write implements net.Conn.
func (c *watchedConn) Write(b []byte) (int, error) {
	if err := c.held(); err != nil {
		return 0, err
	}
	// Before the write, not after it: one that fails half-way may have sent a part, or all.
	c.handed.Store(true)
	return c.Conn.Write(b)
}

// onceBody is a body that can be read once.
type onceBody struct {
	text []byte
}

// Read implements io.Reader.
func (b *onceBody) Read(p []byte) (int, error) {
	if len(b.text) == 0 {
		return 0, io.EOF
	}
	n := copy(p, b.text)
	b.text = b.text[n:]
	return n, nil
}

// Close implements io.Closer.
func (b *onceBody) Close() error { return nil }

// Purchase buys what was asked for: one attempt, whose Verdict says what is known after it. It is never
// repeated here, in neither generation.
func (s *Session) Purchase(ctx context.Context, r PurchaseRequest) Verdict {
	if r.Family == Arena {
		return s.topup(ctx, r)
	}
	g, err := s.generation(ctx)
	switch {
	case err != nil:
		return Verdict{Outcome: NotSent, Class: ClassOf(err), Reason: "the generation is not known"}
	case g == Legacy:
		return s.legacyPurchase(ctx, r)
	}
	return s.currentPurchase(ctx, r)
}

// currentPurchase buys units of a variant (POST /products/purchase/{variantId}). Whether key_id is required
// is not shown: it is sent where there is one.
//
//reseller:operation POST /products/purchase/{variantId} current
func (s *Session) currentPurchase(ctx context.Context, r PurchaseRequest) Verdict {
	fields := map[string]any{}
	for index, value := range r.Inputs {
		fields[index] = value
	}
	// Behind the inputs, whose indexes the service has named: an input called "quantity" must not decide how many are bought.
	fields["quantity"] = r.Quantity
	if id := s.client.cfg.PurchaseKeyID; id != 0 {
		fields["key_id"] = id
	}
	return s.spend(ctx, spending{
		begun: r.Begun, op: "POST /products/purchase/{variantId}", path: "/products/purchase/" + strconv.FormatInt(r.VariantID, 10), fields: fields,
		made: func(data json.RawMessage) made { return namedOrders(data, r.Quantity, originOf(r.Family)) },
	})
}

// legacyPurchase buys units of a variant (POST /products/{product_id}/{variant_id}/purchase).
//
//reseller:operation POST /products/{product_id}/{variant_id}/purchase legacy
func (s *Session) legacyPurchase(ctx context.Context, r PurchaseRequest) Verdict {
	path := "/products/" + strconv.FormatInt(r.ProductID, 10) + "/" + strconv.FormatInt(r.VariantID, 10) + "/purchase"
	return s.spend(ctx, spending{
		begun: r.Begun, op: "POST /products/{product_id}/{variant_id}/purchase", path: path, fields: map[string]int{"quantity": r.Quantity},
		made: func(data json.RawMessage) made { return purchasedItems(data, r.Quantity) },
	})
}

// topup buys a plan of the arena for a player (POST /arena/topup).
//
//reseller:operation POST /arena/topup legacy
func (s *Session) topup(ctx context.Context, r PurchaseRequest) Verdict {
	player := r.Inputs[PlayerInput]
	if r.Quantity != 1 { // there is no such thing as two of it
		return Verdict{Outcome: NotSent, Class: Invalid, Reason: "a top-up is one unit"}
	}
	return s.spend(ctx, spending{
		begun: r.Begun, op: "POST /arena/topup", path: "/arena/topup", fields: map[string]string{"player_id": player, "plan_id": r.Plan},
		made: func(data json.RawMessage) made { return placedTopup(data, player) },
	})
}

// spending is one request that costs money, and how its answer names what was made.
type spending struct {
	begun    time.Time // as in PurchaseRequest
	op, path string
	fields   any
	made     func(json.RawMessage) made
}

// spend makes one attempt at a POST that costs money.
func (s *Session) spend(ctx context.Context, what spending) Verdict {
	// The wait for our own limits has a time of its own, so that the request has all of PurchaseTimeout however long it waited.
	waiting, done := context.WithTimeout(ctx, s.client.cfg.PurchaseTimeout)
	defer done()
	if err := s.admit(waiting, what.op, http.MethodPost); err != nil {
		// No status: whoever reads the verdict knows by it that the service has not refused.
		v := Verdict{Outcome: Rejected, Class: Limited, Reason: "limited before sending"}
		if e, ok := errors.AsType[*Error](err); ok {
			v.RetryAfter = e.RetryAfter
		}
		return v
	}
	// NotSent from here to send: whatever fails before it, not a byte has left.
	body, err := json.Marshal(what.fields)
	if err != nil {
		return Verdict{Outcome: NotSent, Class: Internal, Reason: "the request cannot be encoded"}
	}
	ctx, cancel := context.WithTimeout(ctx, s.client.cfg.PurchaseTimeout) // of the answer alone, whatever the wait was
	defer cancel()
	req, err := s.request(ctx, http.MethodPost, what.path, http.NoBody)
	if err != nil {
		return Verdict{Outcome: NotSent, Class: Internal, Reason: "the request cannot be built"}
	}
	begin := time.Now()
	held := func() error {
		if !what.begun.IsZero() && late(what.begun, time.Now(), 2*s.client.cfg.PurchaseTimeout) { // of which the two waits above take all
			return errTooLate
		}
		return nil
	}
	v := verdict(s.client.money.send(req, body, held), what.made) //nolint:contextcheck // the request has it
	switch {
	case v.Outcome == Accepted:
		s.state.limiter.accepted()
	case v.Class == Limited:
		v.RetryAfter = s.state.limiter.refused(v.RetryAfter)
	}
	s.called(ctx, what.op, v.class(), begin)
	s.client.cfg.Log.Debug("spent an attempt", "op", what.op, "outcome", v.Outcome.String(), "status", v.Status, "reason", v.Reason, "took", time.Since(begin))
	return v
}

package api

import (
	"context"
	"crypto/tls"
	"encoding/json"
	"errors"
	"io"
	"maps"
	"net"
	"net/http"
	"strconv"
	"sync/atomic"
	"time"
)

// moneyClient sends what spends, with one copy on the wire at most: HTTP/1.1 only, since Go's HTTP/2
// client repeats a POST by itself; a connection of its own, since a request on a reused one may be
// repeated; no redirects; no way to read the body a second time; no idempotency header, which the
// service ignores and Go takes as leave to repeat.
type moneyClient struct {
	dial func(ctx context.Context, network, addr string) (net.Conn, error)
}

func newMoneyClient(dial func(ctx context.Context, network, addr string) (net.Conn, error)) *moneyClient {
	return &moneyClient{dial: dial}
}

// attempt is everything that is known after one attempt to spend.
type attempt struct {
	handed bool // a byte of the request may have left: Write was called above TLS
	status int
	header http.Header
	body   []byte
	err    error // no whole answer came
}

// send makes the attempt. The transport is made for it and goes with it: nothing can be reused.
func (m *moneyClient) send(req *http.Request, body []byte) attempt {
	var handed atomic.Bool
	protocols := new(http.Protocols)
	protocols.SetHTTP1(true)
	tr := &http.Transport{
		Protocols: protocols, DisableKeepAlives: true, DisableCompression: true, MaxResponseHeaderBytes: maxHeader,
		DialContext: func(ctx context.Context, network, addr string) (net.Conn, error) {
			conn, err := m.dial(ctx, network, addr)
			if err != nil {
				return nil, err
			}
			return &watchedConn{Conn: conn, handed: &handed}, nil
		},
		DialTLSContext: func(ctx context.Context, network, addr string) (net.Conn, error) {
			conn, err := m.dialTLS(ctx, network, addr)
			if err != nil {
				return nil, err
			}
			return &watchedConn{Conn: conn, handed: &handed}, nil
		},
	}
	defer tr.CloseIdleConnections()
	once := &onceBody{text: body}
	req.Body, req.GetBody, req.ContentLength = once, nil, int64(len(body))
	resp, err := (&http.Client{Transport: tr, CheckRedirect: noRedirect}).Do(req)
	if err != nil {
		return attempt{handed: handed.Load(), err: unwrapURL(err)}
	}
	defer resp.Body.Close()
	a := attempt{handed: true, status: resp.StatusCode, header: resp.Header}
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
	conn := tls.Client(raw, &tls.Config{ServerName: host, NextProtos: []string{"http/1.1"}, MinVersion: tls.VersionTLS12})
	if err := conn.HandshakeContext(ctx); err != nil {
		raw.Close()
		return nil, err
	}
	return conn, nil
}

// watchedConn notes whether anything was ever written: only that tells a request that never left from
// one that may have.
type watchedConn struct {
	net.Conn
	handed *atomic.Bool
}

// Write implements net.Conn.
func (c *watchedConn) Write(b []byte) (int, error) {
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

// Purchase buys Quantity units of a variant: one attempt, whose Verdict says what is known after it. It is
// never repeated here (POST /products/purchase/{variantId}).
//
//reseller:operation POST /products/purchase/{variantId} current
func (s *Session) Purchase(ctx context.Context, r PurchaseRequest) Verdict {
	const op = "POST /products/purchase/{variantId}"
	fields := map[string]any{}
	for index, value := range maps.All(r.Inputs) {
		fields[index] = value
	}
	fields["quantity"] = r.Quantity
	return s.spend(ctx, op, "/products/purchase/"+strconv.FormatInt(r.VariantID, 10), fields, r.Quantity)
}

// spend makes one attempt at a POST that costs money.
func (s *Session) spend(ctx context.Context, op, path string, fields any, quantity int) Verdict {
	ctx, cancel := context.WithTimeout(ctx, s.client.cfg.PurchaseTimeout)
	defer cancel()
	if err := s.state.limiter.acquire(ctx, op, http.MethodPost); err != nil {
		var e *Error
		errors.As(err, &e)
		return Verdict{Outcome: Rejected, Class: Limited, RetryAfter: e.RetryAfter, Reason: "limited before sending"}
	}
	body, err := json.Marshal(fields)
	if err != nil {
		return Verdict{Outcome: NotSent, Class: Internal, Reason: "the request cannot be encoded"}
	}
	req, err := s.request(ctx, http.MethodPost, path, http.NoBody)
	if err != nil {
		return Verdict{Outcome: NotSent, Class: Internal, Reason: "the request cannot be built"}
	}
	begin := time.Now()
	v := verdict(s.client.money.send(req, body), quantity)
	switch {
	case v.Outcome == Accepted:
		s.state.limiter.accepted()
	case v.Class == Limited:
		v.RetryAfter = s.state.limiter.refused(v.RetryAfter)
	}
	s.client.cfg.Log.Debug("spent an attempt", "op", op, "outcome", v.Outcome.String(), "status", v.Status, "reason", v.Reason, "took", time.Since(begin))
	return v
}

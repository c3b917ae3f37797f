package telegram

import (
	"bytes"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptrace"
	"path"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"resellerbot/internal/secret"
)

const (
	// callTime is for calls whose caller sets no deadline. Telegram itself sits on a call for up to 8 s
	// before it answers 429, so anything near that would turn flood control into ambiguity.
	callTime = 60 * time.Second
	// idleTime is below what servers keep: a call written to a connection that is just being closed
	// would be ambiguous.
	idleTime = 30 * time.Second
	// keptBody is how big a request buffer may be and still be kept for the next call.
	keptBody = 64 << 10
)

// gateHolds is for how long what the gate has said is relied on: a process that stood still for longer, or waited for a connection, asks
// again.
const gateHolds = 500 * time.Millisecond

// errNotSent marks a call that failed before anything was written.
var errNotSent = errors.New("not sent")

// Client is the HTTP client of the Telegram library. The library pipes a form of unknown length, which
// costs a flush for each of its fields; Client reads it first and sends it with its length, for half the
// CPU, and what has no file goes as JSON, for less still. It follows no redirects and keeps the token out of its errors.
type Client struct {
	base    http.RoundTripper
	token   secret.Text
	buffers sync.Pool // of *bytes.Buffer

	// Gate is asked right before each call, and once more where the call then waits for a connection; its error keeps the call here.
	// It may be nil, and is set before the first call.
	Gate func(context.Context) error
	// Observe is told of each call that was answered, or was not (status 0), by its method; of none that the gate has kept here.
	// It may be nil, is set before the first call, and must not wait.
	Observe func(method string, status int, took time.Duration)
}

// NewClient makes a client for the bot with this token. dial opens connections; nil is the real network.
func NewClient(dial func(ctx context.Context, network, addr string) (net.Conn, error), token secret.Text) *Client {
	return ClientOver(newTransport(dial), token)
}

// ClientOver makes a client over a transport.
func ClientOver(base http.RoundTripper, token secret.Text) *Client {
	return &Client{base: base, token: token}
}

// newTransport speaks HTTP/1.1 only, which never repeats a POST once a byte of it is written, with enough
// kept connections for every call in flight.
func newTransport(dial func(ctx context.Context, network, addr string) (net.Conn, error)) *http.Transport {
	var protocols http.Protocols
	protocols.SetHTTP1(true)
	if dial == nil {
		dial = (&net.Dialer{Timeout: 10 * time.Second, KeepAlive: 30 * time.Second}).DialContext
	}
	return &http.Transport{
		Proxy: http.ProxyFromEnvironment,
		DialContext: func(ctx context.Context, network, addr string) (net.Conn, error) {
			conn, err := dial(ctx, network, addr)
			if err != nil {
				return nil, err
			}
			return &promptConn{Conn: conn}, nil
		},
		Protocols:           &protocols,
		TLSHandshakeTimeout: 10 * time.Second,
		MaxIdleConns:        256,
		MaxIdleConnsPerHost: 256,
		IdleConnTimeout:     idleTime,
	}
}

// Close closes the connections that no call uses.
func (c *Client) Close() {
	if t, ok := c.base.(interface{ CloseIdleConnections() }); ok {
		t.CloseIdleConnections()
	}
}

// Do sends one call. A call without a deadline gets 60 s; a long poll brings its own.
func (c *Client) Do(req *http.Request) (*http.Response, error) {
	body, err := c.read(req)
	if err != nil {
		return nil, scrub(fmt.Errorf("%w: build the request: %w", errNotSent, err), c.token)
	}
	ctx, cancel := req.Context(), context.CancelFunc(func() {})
	if _, limited := ctx.Deadline(); !limited {
		ctx, cancel = context.WithTimeout(ctx, callTime)
	}
	// GetBody stays nil, so that nothing can send the body a second time by itself.
	out := req.WithContext(ctx)
	out.Body, out.ContentLength, out.GetBody = body, int64(body.Len()), nil
	if out.ContentLength == 0 { // with a body, 0 would mean an unknown length
		body.Close()
		out.Body = http.NoBody
	}
	resp, err := c.pass(out)
	if err != nil {
		cancel()
		return nil, scrub(err, c.token)
	}
	// The context must live as long as the body is read: cancel is called by its Close.
	resp.Body = &answer{ReadCloser: resp.Body, done: cancel}
	if ctx.Value(paramsKey{}) == nil {
		return resp, nil
	}
	if err := c.shorten(resp); err != nil {
		return nil, scrub(errors.Join(err, resp.Body.Close()), c.token)
	}
	return resp, nil
}

// pass sends a request if the gate lets it, and still does once there is a connection.
func (c *Client) pass(req *http.Request) (*http.Response, error) {
	if c.Gate == nil {
		return c.trip(req, new(error))
	}
	ctx := req.Context()
	shut := c.Gate(ctx)
	asked := time.Now() // when the answer was here
	if shut == nil {
		// It is called where the request would be written next: on a connection that is closed nothing can be.
		// net/http calls GotConn in the goroutine of this very RoundTrip, before it hands the request to the connection: shut and asked
		// need no lock.
		trace := &httptrace.ClientTrace{GotConn: func(got httptrace.GotConnInfo) {
			if outdated(asked) {
				shut, asked = c.Gate(ctx), time.Now()
			}
			if shut != nil {
				got.Conn.Close()
			}
			writeSoon(got.Conn, asked)
		}}
		resp, err := c.trip(req.WithContext(httptrace.WithClientTrace(ctx, trace)), &shut)
		if shut == nil {
			return resp, err
		}
	}
	return nil, errors.Join(fmt.Errorf("%w: %w", errNotSent, shut), req.Body.Close())
}

// outdated reports whether what the gate has said counts no more, by the clock that stands still while a machine sleeps or by the one
// that does not.
func outdated(asked time.Time) bool {
	now := time.Now()
	return now.Sub(asked) > gateHolds || now.Round(0).Sub(asked.Round(0)) > gateHolds
}

// errOutdated: the process stood still right before it wrote.
var errOutdated = errors.New("what the gate has said is outdated")

// promptConn is a connection on which a call is begun soon after the gate has let it, or not at all: between that and the write
// are goroutines, which wait for a processor.
type promptConn struct {
	net.Conn

	asked atomic.Pointer[time.Time] // for the next write; nil: any time will do
}

// writeSoon has the next write on a connection go out only while an answer of the gate counts.
func writeSoon(conn net.Conn, asked time.Time) {
	// Under TLS the connection that dial made is the one below. Its handshake was written before this, while asked was nil, and is held
	// to nothing.
	if secured, ok := conn.(*tls.Conn); ok {
		conn = secured.NetConn()
	}
	if p, ok := conn.(*promptConn); ok {
		p.asked.Store(&asked)
	}
}

// Write implements net.Conn.
func (p *promptConn) Write(b []byte) (int, error) {
	// Swap and not Load: only the first write of a call is held. Its other writes are parts of what has begun to leave, and a call that
	// is cut in the middle would be ambiguous.
	if asked := p.asked.Swap(nil); asked != nil && outdated(*asked) {
		return 0, errOutdated
	}
	return p.Conn.Write(b)
}

// trip sends a request, and tells how it ended; one that was kept here, for what shut says then, is no call.
func (c *Client) trip(req *http.Request, shut *error) (*http.Response, error) {
	begin := time.Now()
	resp, err := c.base.RoundTrip(req)
	// Told to pass by shut: nothing was written, so the call is one that was not sent, and no ambiguous one.
	if *shut == nil && errors.Is(err, errOutdated) {
		*shut = errOutdated
	}
	if c.Observe != nil && *shut == nil {
		status := 0
		if err == nil {
			status = resp.StatusCode
		}
		c.Observe(methodOf(req.URL.Path), status, time.Since(begin))
	}
	return resp, err
}

// methodOf is the method of the Bot API that a call is of, or "file" where it fetches one: their names are many.
func methodOf(where string) string {
	if strings.HasPrefix(where, "/file/") {
		return "file"
	}
	return path.Base(where)
}

// read takes the whole body into a buffer of the pool, which gets it back when the request is closed.
func (c *Client) read(req *http.Request) (*request, error) {
	buf := c.buffer()
	r := &request{buf: buf, free: c.free}
	if req.Body == nil {
		return r, nil
	}
	if err := errors.Join(encode(req, buf), req.Body.Close()); err != nil {
		return nil, errors.Join(err, r.Close())
	}
	return r, nil
}

// buffer is an empty buffer of the pool; free takes it back, unless it has become too big to keep.
func (c *Client) buffer() *bytes.Buffer {
	buf, ok := c.buffers.Get().(*bytes.Buffer)
	if !ok {
		buf = new(bytes.Buffer)
	}
	buf.Reset()
	return buf
}

func (c *Client) free(buf *bytes.Buffer) {
	if buf.Cap() <= keptBody {
		c.buffers.Put(buf)
	}
}

// request is a body in a pooled buffer. A transport may still be reading while it closes, so both hold
// a lock: a buffer must not be filled anew under a request that is going out.
type request struct {
	mu   sync.Mutex
	buf  *bytes.Buffer // nil once closed
	free func(*bytes.Buffer)
}

// Len is how much is left to read.
func (r *request) Len() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.buf == nil {
		return 0
	}
	return r.buf.Len()
}

// Read implements io.Reader.
func (r *request) Read(p []byte) (int, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.buf == nil {
		return 0, http.ErrBodyReadAfterClose
	}
	return r.buf.Read(p)
}

// Close gives the buffer back.
func (r *request) Close() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.buf != nil {
		r.free(r.buf)
	}
	r.buf = nil
	return nil
}

// answer is a response body that ends its call's context when it is closed.
type answer struct {
	io.ReadCloser

	done context.CancelFunc
}

// Close implements io.Closer.
func (a *answer) Close() error {
	defer a.done()
	return a.ReadCloser.Close()
}

// scrubbed is an error whose text has lost the token. What it wraps is there for errors.Is and As.
type scrubbed struct {
	text string
	err  error
}

func (s *scrubbed) Error() string { return s.text }
func (s *scrubbed) Unwrap() error { return s.err }

// scrub takes the token, which is part of every URL of the Bot API, out of an error's text.
func scrub(err error, token secret.Text) error {
	if token.IsZero() || !strings.Contains(err.Error(), token.Reveal()) {
		return err
	}
	return &scrubbed{text: strings.ReplaceAll(err.Error(), token.Reveal(), "***"), err: err}
}

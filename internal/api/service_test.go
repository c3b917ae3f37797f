package api

import (
	"cmp"
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	gocmp "github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"resellerbot/internal/secret"
)

// Canaries: the key may show on the wire alone, text of the service nowhere.
const (
	canaryKey  = "CANARY-KEY-5512"
	canaryText = "CANARY-TEXT-7731"
)

// newClient makes a client of the current interface that is closed at the end of the test.
func newClient(t *testing.T, cfg Config) *Client {
	t.Helper()
	cfg.Generation = cmp.Or(cfg.Generation, Current)
	c, err := New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	return c
}

// connect opens a service on this machine under the canary key.
func connect(t *testing.T, service http.HandlerFunc) *Session {
	t.Helper()
	srv := httptest.NewServer(service)
	t.Cleanup(srv.Close)
	return newClient(t, Config{BaseURL: srv.URL + "/api"}).As(secret.New(canaryKey))
}

// bubble is a test in virtual time, with a client of its service.
type bubble struct {
	*testing.T

	client *Client
}

// inBubble runs a test in virtual time, with a client of a service behind a network in memory.
func inBubble(t *testing.T, cfg Config, service http.HandlerFunc, test func(*bubble)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		network := &pipes{conns: make(chan net.Conn), done: make(chan struct{})}
		srv := &http.Server{Handler: service}
		go srv.Serve(network)
		defer srv.Close()
		cfg.BaseURL, cfg.Dial = "http://service/api", network.dial
		test(&bubble{t, newClient(t, cfg)})
	})
}

// pipes is a network in memory.
type pipes struct {
	conns chan net.Conn
	done  chan struct{}
	once  sync.Once
}

// Accept implements net.Listener.
func (p *pipes) Accept() (net.Conn, error) {
	select {
	case c := <-p.conns:
		return c, nil
	case <-p.done:
		return nil, net.ErrClosed
	}
}

// Close implements net.Listener.
func (p *pipes) Close() error {
	p.once.Do(func() { close(p.done) })
	return nil
}

// Addr implements net.Listener.
func (p *pipes) Addr() net.Addr { return &net.UnixAddr{Name: "pipes"} }

func (p *pipes) dial(ctx context.Context, _, _ string) (net.Conn, error) {
	ours, theirs := net.Pipe()
	select {
	case p.conns <- theirs:
		return ours, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// says is a service that always answers the same.
func says(status int, body string, header ...string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		io.Copy(io.Discard, r.Body)
		for i := 0; i < len(header); i += 2 {
			w.Header().Set(header[i], header[i+1])
		}
		w.WriteHeader(status)
		io.WriteString(w, body)
	}
}

// dawdle takes its time over a request, or until the caller goes away.
func dawdle(r *http.Request, d time.Duration) {
	select {
	case <-time.After(d):
	case <-r.Context().Done():
	}
}

// drip answers without end.
func drip(w http.ResponseWriter, r *http.Request) {
	for r.Context().Err() == nil {
		io.WriteString(w, " ")
		w.(http.Flusher).Flush()
		dawdle(r, time.Second)
	}
}

// upgrade answers by turning to another protocol, which nobody asked for, and then says nothing for long.
func upgrade(w http.ResponseWriter, _ *http.Request) {
	conn, _, err := w.(http.Hijacker).Hijack()
	if err != nil {
		return
	}
	defer conn.Close()
	io.WriteString(conn, "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n")
	conn.SetReadDeadline(time.Now().Add(time.Hour))
	conn.Read(make([]byte, 1))
}

// success and failure are the service's envelope around data and around a message.
func success(data string) string { return `{"status":"success","message":"OK","data":` + data + `}` }

func failure(message string) string {
	return `{"status":"error","message":"` + message + `","data":null}`
}

// reporter is a test of any kind.
type reporter interface {
	Helper()
	Errorf(format string, args ...any)
	Fatalf(format string, args ...any)
}

// asError is a failed call's error, which has to be of our type.
func asError(t reporter, err error) *Error {
	t.Helper()
	e, ok := errors.AsType[*Error](err)
	if !ok {
		t.Fatalf("err = %v, which is no *Error", err)
	}
	return e
}

// differ tells how a value that was read differs from the one that was meant. What is not exported does not
// count, nor whether what is empty is there.
func differ(want, got any) string {
	return gocmp.Diff(want, got, cmpopts.EquateEmpty(), cmpopts.IgnoreUnexported(Variant{}))
}

// silent fails the test where a canary shows.
func silent(t reporter, what, text string) {
	t.Helper()
	for _, canary := range []string{canaryKey, canaryText} {
		if strings.Contains(text, canary) {
			t.Errorf("%s tells %s: %s", what, canary, text)
		}
	}
}

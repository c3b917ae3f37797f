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
func newClient(t testing.TB, cfg Config) *Client {
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
func connect(t testing.TB, service http.HandlerFunc) *Session {
	t.Helper()
	srv := httptest.NewServer(service)
	t.Cleanup(srv.Close)
	return newClient(t, Config{BaseURL: srv.URL + "/api"}).As(secret.New(canaryKey))
}

// inBubble runs a test in virtual time, with a client of a service behind a network in memory.
func inBubble(t *testing.T, cfg Config, service http.HandlerFunc, test func(*testing.T, *Client)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		network := &pipes{conns: make(chan net.Conn), done: make(chan struct{})}
		srv := &http.Server{Handler: service}
		go srv.Serve(network)
		defer srv.Close()
		cfg.BaseURL, cfg.Dial = "http://service/api", network.dial
		test(t, newClient(t, cfg))
	})
}

// pipes is a network in memory.
type pipes struct {
	conns chan net.Conn
	done  chan struct{}
	once  sync.Once
}

func (p *pipes) dial(ctx context.Context, _, _ string) (net.Conn, error) {
	ours, theirs := net.Pipe()
	select {
	case p.conns <- theirs:
		return ours, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
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

// success and failure are the service's envelope around data and around a message.
func success(data string) string { return `{"status":"success","message":"OK","data":` + data + `}` }

func failure(message string) string {
	return `{"status":"error","message":"` + message + `","data":null}`
}

// asError is a failed call's error, which has to be of our type.
func asError(t testing.TB, err error) *Error {
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
func silent(t testing.TB, what, text string) {
	t.Helper()
	for _, canary := range []string{canaryKey, canaryText} {
		if strings.Contains(text, canary) {
			t.Errorf("%s tells %s: %s", what, canary, text)
		}
	}
}

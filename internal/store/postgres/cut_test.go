package postgres_test

import (
	"context"
	"errors"
	"net"
	"net/url"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"resellerbot/internal/sampletest"
	"resellerbot/internal/store"
	"resellerbot/internal/store/postgres"
	"resellerbot/internal/store/postgres/pgtest"
)

// proxy stands between an engine and its server and cuts a connection after so many bytes of one way.
type proxy struct {
	dir, server string
	listener    net.Listener
	flights     atomic.Int64

	mu    sync.Mutex
	armed *cut
}

// cut is where to cut: the bytes left until then.
type cut struct {
	toServer bool
	left     int
	done     bool
	ended    chan struct{} // closed once the connection is
}

// newProxy listens where a client looks for the server's socket.
func newProxy(t *testing.T, server *pgtest.Server) *proxy {
	t.Helper()
	dir, err := os.MkdirTemp("", "cut-*") //nolint:usetesting // the name of a socket is short
	if err != nil {
		t.Fatal(err)
	}
	p := &proxy{dir: dir, server: filepath.Join(server.Dir, ".s.PGSQL.5432")}
	if p.listener, err = (&net.ListenConfig{}).Listen(t.Context(), "unix", filepath.Join(dir, ".s.PGSQL.5432")); err != nil {
		t.Fatal(err)
	}
	go p.serve()
	t.Cleanup(func() {
		p.listener.Close()
		os.RemoveAll(dir)
	})
	return p
}

func (p *proxy) serve() {
	for {
		client, err := p.listener.Accept()
		if err != nil {
			return
		}
		server, err := new(net.Dialer).DialContext(context.Background(), "unix", p.server)
		if err != nil {
			client.Close()
			continue
		}
		c := &crossing{client: client, server: server}
		go func() { c.end(p.pass(c, server, client, true)) }()
		go func() { c.end(p.pass(c, client, server, false)) }()
	}
}

// crossing is a connection on both sides of the proxy.
type crossing struct {
	client, server net.Conn
	over           atomic.Bool // the cut was reached: what the other side answers to the last bytes does not pass
}

func (c *crossing) end(reached *cut) {
	c.client.Close()
	c.server.Close()
	if reached != nil {
		close(reached.ended)
	}
}

// pass carries bytes one way until there are no more, or the cut, which it returns.
func (p *proxy) pass(c *crossing, to, from net.Conn, toServer bool) *cut {
	buf := make([]byte, 32<<10)
	var sent waits
	for {
		n, err := from.Read(buf)
		if toServer {
			p.flights.Add(sent.read(buf[:n]))
		}
		if c.over.Load() {
			return nil
		}
		reached := p.count(&n, toServer)
		if reached != nil {
			c.over.Store(true)
		}
		if _, failed := to.Write(buf[:n]); failed != nil || err != nil || reached != nil {
			return reached
		}
	}
}

// count shortens n to what still passes; the cut where the connection ends there.
func (p *proxy) count(n *int, toServer bool) *cut {
	p.mu.Lock()
	defer p.mu.Unlock()
	c := p.armed
	if c == nil || c.done || c.toServer != toServer {
		return nil
	}
	if *n < c.left {
		c.left -= *n
		return nil
	}
	*n, c.done = c.left, true
	return c
}

// arm has the next bytes cut.
func (p *proxy) arm(c *cut) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.armed = c; c != nil {
		c.ended = make(chan struct{})
	}
}

// isCut reports whether the cut was reached. The connection is closed then: whoever goes on does not meet one that is still open.
func (p *proxy) isCut() bool {
	p.mu.Lock()
	c := p.armed
	done := c != nil && c.done
	p.mu.Unlock()
	if done {
		<-c.ended
	}
	return done
}

// through leads to an address by way of the proxy.
func (p *proxy) through(t *testing.T, address string) string {
	t.Helper()
	u, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	values := u.Query()
	values.Set("host", p.dir)
	u.RawQuery = values.Encode()
	return u.String()
}

// stride is how many bytes lie between two cuts: a part of them in an ordinary run.
func stride() int {
	switch {
	case sampletest.Few():
		return 36
	case sampletest.More():
		return 5
	case sampletest.Sampled():
		return 9
	}
	return 1
}

// TestCutCommit: a connection that is cut at any byte of a commit leaves what is known, or a doubt that is told. Never is
// anything guessed: both ends of a doubt happen.
func TestCutCommit(t *testing.T) {
	sampletest.Waits(t)
	server := pgtest.Shared(t)
	address := server.Fresh(t)
	p := newProxy(t, server)
	doubts := 0
	e, err := postgres.Open(t.Context(), p.through(t, address), postgres.Options{
		Fatal: func(error) { doubts++ },
		Lost:  func(err error) { t.Errorf("the lease is lost: %v", err) },
	})
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	kept, lost := 0, 0
	for _, toServer := range []bool{true, false} {
		for at := 0; ; at += stride() {
			key, before := string(rune('a'+at)), doubts
			if !toServer {
				key = "reply " + key
			}
			err := e.Update(t.Context(), func(tx store.RecordTx) error {
				err := errors.Join(put(tx, "one", key), put(tx, "two", key))
				p.arm(&cut{toServer: toServer, left: at})
				return err
			})
			reached := p.isCut()
			p.arm(nil)
			e.Revive()
			one, two := there(t, e, "one", key), there(t, e, "two", key)
			switch {
			case one != two:
				t.Fatalf("byte %d, to the server %v: half of a transaction is kept", at, toServer)
			case err == nil && !one, err == nil && doubts > before:
				t.Errorf("byte %d, to the server %v: what was acknowledged is kept: %v, and in doubt: %v", at, toServer, one, doubts > before)
			case err != nil && doubts == before && one:
				t.Errorf("byte %d, to the server %v: what was refused (%v) is kept", at, toServer, err)
			case doubts > before && one:
				kept++
			case doubts > before:
				lost++
			}
			if !reached {
				break
			}
		}
	}
	if kept == 0 || lost == 0 {
		t.Errorf("of the commits in doubt %d were kept and %d were not: one of the two would be a safe guess", kept, lost)
	}
}

// TestCutBegin: a connection that is cut before the last flight costs nothing but another try.
func TestCutBegin(t *testing.T) {
	sampletest.Waits(t)
	server := pgtest.Shared(t)
	p := newProxy(t, server)
	// A cut may meet what shows the lease instead, again and again on a busy machine: this is not about the lease.
	e, err := postgres.Open(t.Context(), p.through(t, server.Fresh(t)), postgres.Options{
		Fatal: func(err error) { t.Errorf("a commit failed: %v", err) }, Lost: func(err error) { t.Errorf("the lease is lost: %v", err) }, Lease: time.Hour,
	})
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	for _, toServer := range []bool{true, false} {
		for at := 0; ; at += stride() {
			key := string(rune('a' + at))
			p.arm(&cut{toServer: toServer, left: at})
			reached := false
			err := e.Update(t.Context(), func(tx store.RecordTx) error {
				r, err := tx.Get("kind", key)
				if err != nil && !errors.Is(err, store.ErrNotFound) {
					return err
				}
				reached = p.isCut()
				p.arm(nil)
				r.Kind, r.Key = "kind", key
				_, err = tx.Put(r)
				return err
			})
			if err != nil {
				t.Errorf("byte %d, to the server %v: %v", at, toServer, err)
			}
			if !there(t, e, "kind", key) {
				t.Errorf("byte %d, to the server %v: what was acknowledged is lost", at, toServer)
			}
			if !reached {
				break
			}
		}
	}
}

// put writes a new record.
func put(tx store.RecordTx, k store.Kind, key string) error {
	_, err := tx.Put(store.Record{Kind: k, Key: key, Value: []byte("v")})
	return err
}

// there reports whether there is a record. What a cut has left to the server may take it a moment, but is over once the locks
// of the transaction are: the next transaction with the same key waits for it.
func there(t *testing.T, e *postgres.Engine, k store.Kind, key string) (found bool) {
	t.Helper()
	err := e.Update(context.Background(), func(tx store.RecordTx) error {
		r, err := tx.Get(k, key)
		found = err == nil
		if errors.Is(err, store.ErrNotFound) {
			r, err = store.Record{Kind: k, Key: key, Value: []byte("probe")}, nil
		}
		if err != nil {
			return err
		}
		if string(r.Value) == "probe" && r.Version > 0 {
			found = false
			return nil
		}
		_, err = tx.Put(r)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

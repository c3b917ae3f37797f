//go:debug x509usefallbackroots=1

package api

import (
	"bufio"
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/binary"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
)

// TestMain makes everything here trust the certificate of httptest: a client takes no roots of its own.
func TestMain(m *testing.M) {
	roots := x509.NewCertPool()
	roots.AddCert(certified().Leaf)
	x509.SetFallbackRoots(roots)
	m.Run()
}

// certified is a certificate for 127.0.0.1 and example.com.
var certified = sync.OnceValue(func() tls.Certificate {
	srv := httptest.NewTLSServer(nil)
	defer srv.Close()
	cert := srv.TLS.Certificates[0]
	cert.Leaf = srv.Certificate()
	return cert
})

// wire is a service at the level of bytes. It answers reads as it should, does to what spends whatever a
// test is about, and counts.
type wire struct {
	url    string
	conns  atomic.Int64
	copies atomic.Int64  // requests that were read, without the reads that were answered
	twice  chan struct{} // closed when there are two copies

	early  func(net.Conn)                      // does away with a connection before a request is read
	answer string                              // what a request gets before the connection is closed
	reset  bool                                // …with a reset
	frames func(stream uint32) (answer []byte) // what a request over HTTP/2 gets before the connection is closed
}

// listen opens a port of this machine.
func listen(t *testing.T) net.Listener {
	t.Helper()
	l, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// listen opens a wire: with TLS where it offers protocols, without where there are none.
func (w *wire) listen(t *testing.T, protocols ...string) *wire {
	t.Helper()
	l := listen(t)
	scheme := "http"
	var shake *tls.Config
	if len(protocols) > 0 {
		scheme, shake = "https", &tls.Config{Certificates: []tls.Certificate{certified()}, NextProtos: protocols}
	}
	w.url, w.twice = scheme+"://"+l.Addr().String()+"/api", make(chan struct{})
	var wg sync.WaitGroup
	wg.Go(func() {
		for {
			raw, err := l.Accept()
			if err != nil {
				return
			}
			w.conns.Add(1)
			stop := func() { raw.Close() }
			t.Cleanup(stop)
			wg.Go(func() {
				defer stop()
				w.serve(t.Context(), raw.(*net.TCPConn), shake)
			})
		}
	})
	t.Cleanup(func() { l.Close() })
	return w
}

// serve talks over one connection.
func (w *wire) serve(ctx context.Context, raw *net.TCPConn, shake *tls.Config) {
	if w.reset {
		raw.SetLinger(0)
	}
	var conn net.Conn = raw
	if shake != nil {
		c := tls.Server(raw, shake)
		if c.HandshakeContext(ctx) != nil {
			return
		}
		if conn = c; c.ConnectionState().NegotiatedProtocol == "h2" {
			w.serveHTTP2(conn)
			return
		}
	}
	if w.early != nil {
		w.early(conn)
		return
	}
	for r := bufio.NewReader(conn); ; {
		req, err := http.ReadRequest(r)
		if err != nil {
			return
		}
		io.Copy(io.Discard, req.Body)
		if req.Method == http.MethodGet && w.frames == nil {
			io.WriteString(conn, answered(http.StatusOK, success(`{"balance":1}`)))
			continue
		}
		w.count()
		io.WriteString(conn, w.answer)
		return
	}
}

// answered is an answer of HTTP/1.1, with its length.
func answered(status int, body string, header ...string) string {
	return fmt.Sprintf("HTTP/1.1 %d X\r\nContent-Length: %d\r\n%s\r\n%s", status, len(body), strings.Join(append(header, ""), "\r\n"), body)
}

// count counts a copy.
func (w *wire) count() {
	if w.copies.Add(1) == 2 {
		close(w.twice)
	}
}

// Frames of HTTP/2 (RFC 9113, section 6).
const (
	frameData     = 0
	frameHeaders  = 1
	frameReset    = 3
	frameSettings = 4
	frameGoAway   = 7

	flagAck       = 1
	flagEndStream = 1
)

// frame writes a frame.
func frame(kind, flags byte, stream uint32, payload ...uint32) []byte {
	text := []byte{0, 0, byte(4 * len(payload)), kind, flags}
	text = binary.BigEndian.AppendUint32(text, stream)
	for _, n := range payload {
		text = binary.BigEndian.AppendUint32(text, n)
	}
	return text
}

// serveHTTP2 counts the requests of a connection and does to each what w.frames says.
func (w *wire) serveHTTP2(conn net.Conn) {
	r := bufio.NewReader(conn)
	if _, err := r.Discard(len("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n")); err != nil {
		return
	}
	conn.Write(frame(frameSettings, 0, 0))
	for {
		head := make([]byte, 9)
		if _, err := io.ReadFull(r, head); err != nil {
			return
		}
		if _, err := r.Discard(int(head[0])<<16 | int(head[1])<<8 | int(head[2])); err != nil {
			return
		}
		kind, flags, stream := head[3], head[4], binary.BigEndian.Uint32(head[5:])
		switch {
		case kind == frameSettings && flags&flagAck == 0:
			conn.Write(frame(frameSettings, flagAck, 0))
		case kind == frameHeaders:
			w.count()
		}
		if (kind == frameHeaders || kind == frameData) && flags&flagEndStream != 0 {
			answer := w.frames(stream)
			if answer == nil {
				return
			}
			conn.Write(answer)
		}
	}
}

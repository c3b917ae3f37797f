package telegram_test

import (
	"bufio"
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"resellerbot/internal/secret"
	"resellerbot/internal/telegram"
	"resellerbot/internal/telegram/telegramtest"
)

// roundTrip is a transport in one function.
type roundTrip func(*http.Request) (*http.Response, error)

func (f roundTrip) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

// over is a client over such a transport.
func over(f roundTrip) *telegram.Client {
	return telegram.ClientOver(f, secret.New(telegramtest.Token))
}

// piped is a call as the library makes it: a body of unknown length.
func piped(ctx context.Context, tb testing.TB, body string) *http.Request {
	tb.Helper()
	pr, pw := io.Pipe()
	go func() {
		io.WriteString(pw, body)
		pw.Close()
	}()
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, "https://api.telegram.org/bot"+telegramtest.Token+"/sendMessage", pr)
	if err != nil {
		tb.Fatal(err)
	}
	return req
}

// fails makes a call that nothing answers, and returns why.
func fails(t *testing.T, c *telegram.Client, req *http.Request) error {
	t.Helper()
	resp, err := c.Do(req)
	if err == nil {
		resp.Body.Close()
		t.Error("the call was answered")
	}
	return err
}

// network is a transport's dial to a server that reads one request and answers with serve.
func network(serve func(*http.Request, net.Conn)) func(context.Context, string, string) (net.Conn, error) {
	return func(context.Context, string, string) (net.Conn, error) {
		ours, theirs := net.Pipe()
		go func() {
			defer theirs.Close()
			if req, err := http.ReadRequest(bufio.NewReader(theirs)); err == nil {
				serve(req, theirs)
			}
		}()
		return ours, nil
	}
}

func TestClientSendsTheLength(t *testing.T) {
	for _, body := range []string{"", "a form", strings.Repeat("x", 2*telegram.KeptBody)} {
		c := telegram.ClientOver(telegram.NewTransport(network(func(r *http.Request, w net.Conn) {
			got, _ := io.ReadAll(r.Body)
			if string(got) != body || r.ContentLength != int64(len(body)) || len(r.TransferEncoding) > 0 {
				t.Errorf("%d bytes came, announced as %d, encoded as %v", len(got), r.ContentLength, r.TransferEncoding)
			}
			io.WriteString(w, "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
		})), secret.New(telegramtest.Token))
		req := piped(t.Context(), t, body)
		req.URL.Scheme = "http"
		resp, err := c.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		got, err := io.ReadAll(resp.Body)
		if err != nil || string(got) != "ok" {
			t.Errorf("answer %q, err %v", got, err)
		}
		if err := resp.Body.Close(); err != nil {
			t.Error(err)
		}
		c.Close()
	}
}

func TestClientKeepsItsPromises(t *testing.T) {
	transport := telegram.NewTransport(nil)
	if transport.MaxIdleConnsPerHost != 256 || transport.Protocols.HTTP2() || !transport.Protocols.HTTP1() || transport.DialContext == nil {
		t.Errorf("transport %+v", transport)
	}
	c := over(func(r *http.Request) (*http.Response, error) {
		if r.GetBody != nil {
			t.Error("the transport could replay the call")
		}
		return nil, errors.New("failed")
	})
	if err := fails(t, c, piped(t.Context(), t, "body")); err == nil || err.Error() != "failed" {
		t.Errorf("err = %v", err)
	}
}

// TestClientDeadlines: a call ends after a minute; a long poll goes on for as long as its caller says.
func TestClientDeadlines(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := over(func(r *http.Request) (*http.Response, error) {
			<-r.Context().Done()
			return nil, r.Context().Err()
		})
		begin := time.Now()
		if err := fails(t, c, piped(t.Context(), t, "x")); !errors.Is(err, context.DeadlineExceeded) || time.Since(begin) != time.Minute {
			t.Errorf("call: %v after %v", err, time.Since(begin))
		}
		begin = time.Now()
		ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
		defer cancel()
		if err := fails(t, c, piped(ctx, t, "x")); !errors.Is(err, context.DeadlineExceeded) || time.Since(begin) != 5*time.Minute {
			t.Errorf("long poll: %v after %v", err, time.Since(begin))
		}
	})
}

func TestClientScrubsTheToken(t *testing.T) {
	cause := errors.New(`Post "https://api.telegram.org/bot` + telegramtest.Token + `/sendMessage": refused`)
	c := over(func(*http.Request) (*http.Response, error) { return nil, cause })
	err := fails(t, c, piped(t.Context(), t, "x"))
	if err == nil || strings.Contains(err.Error(), telegramtest.Token) || !strings.Contains(err.Error(), "/bot***/sendMessage") || !errors.Is(err, cause) {
		t.Errorf("err = %v", err)
	}
}

func TestClientTellsWhatWasNotSent(t *testing.T) {
	c := over(func(*http.Request) (*http.Response, error) {
		t.Error("the call went out")
		return nil, io.EOF
	})
	pr, pw := io.Pipe()
	pw.CloseWithError(errors.New("cannot build"))
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, "https://h/bot"+telegramtest.Token+"/m", pr)
	if err != nil {
		t.Fatal(err)
	}
	if err := fails(t, c, req); !errors.Is(err, telegram.ErrNotSent) || telegram.Classify(err).Kind != telegram.Again {
		t.Errorf("err = %v", err)
	}
}

// TestClientAsksTheGate: what the gate keeps here goes out to nobody, and counts as not sent.
func TestClientAsksTheGate(t *testing.T) {
	c := over(func(*http.Request) (*http.Response, error) {
		t.Error("the call went out")
		return nil, io.EOF
	})
	closed := errors.New("another process leads")
	c.Gate = func(context.Context) error { return closed }
	if err := fails(t, c, piped(t.Context(), t, "text")); !errors.Is(err, telegram.ErrNotSent) || !errors.Is(err, closed) {
		t.Errorf("err = %v", err)
	}
}

// TestClientAsksTheGateAgain: a process may stand still while it waits for a connection, and must not send what is old by then. What
// did not leave is no call that was not answered.
func TestClientAsksTheGateAgain(t *testing.T) {
	closed := errors.New("another process leads")
	for _, waits := range []time.Duration{0, time.Second} {
		synctest.Test(t, func(t *testing.T) {
			sent := make(chan int64, 1)
			c := telegram.NewClient(func(context.Context, string, string) (net.Conn, error) {
				<-time.After(waits)
				ours, theirs := net.Pipe()
				go func() {
					n, _ := io.CopyN(io.Discard, theirs, 1)
					theirs.Close()
					sent <- n
				}()
				return ours, nil
			}, secret.New(telegramtest.Token))
			asked, observed := 0, 0
			c.Observe = func(string, int, time.Duration) { observed++ }
			c.Gate = func(context.Context) error {
				if asked++; asked > 1 {
					return closed
				}
				return nil
			}
			req := piped(t.Context(), t, "text")
			req.URL.Scheme = "http"
			err, kept := fails(t, c, req), waits > 0
			if errors.Is(err, telegram.ErrNotSent) != kept || errors.Is(err, closed) != kept {
				t.Errorf("after %v: %v", waits, err)
			}
			if n := <-sent; (n == 0) != kept || (asked == 2) != kept {
				t.Errorf("after %v: asked %d times, %d bytes have left", waits, asked, n)
			}
			if (observed == 0) != kept {
				t.Errorf("after %v: %d calls are counted", waits, observed)
			}
		})
	}
}

// TestWriteIsPrompt: what the gate has let through is written soon, or not at all, and only its beginning is asked about.
func TestWriteIsPrompt(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ours, theirs := net.Pipe()
		defer theirs.Close()
		go func() { _, _ = io.Copy(io.Discard, theirs) }()
		conn := telegram.NewPromptConn(ours)
		defer conn.Close()
		write := func() error { _, err := conn.Write([]byte("x")); return err }
		telegram.WriteSoon(conn, time.Now())
		if err := write(); err != nil {
			t.Errorf("at once: %v", err)
		}
		<-time.After(time.Hour)
		if err := write(); err != nil {
			t.Errorf("the rest of it: %v", err)
		}
		telegram.WriteSoon(conn, time.Now())
		<-time.After(time.Second)
		if err := write(); !errors.Is(err, telegram.ErrOutdated) {
			t.Errorf("after it stood still: %v", err)
		}
	})
}

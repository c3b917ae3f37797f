package api

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"resellerbot/internal/secret"
)

// two is a purchase of two units, and bought is its answer.
var two = PurchaseRequest{VariantID: 7, Quantity: 2}

const bought = `{"status":"success","message":"OK","data":{"order_ids":["O-1","O-2"],"count":2}}`

// purchases are all that spends, by operation.
var purchases = map[string]func(context.Context, *Session) (any, error){
	"POST /products/purchase/{variantId}":               buy(PurchaseRequest{VariantID: 71, Quantity: 2, Inputs: map[string]string{"1": "05/50", "quantity": "99"}}),
	"POST /products/{product_id}/{variant_id}/purchase": buy(PurchaseRequest{ProductID: 7, VariantID: 71, Quantity: 2}),
	"POST /arena/topup":                                 buy(PurchaseRequest{Family: Arena, ProductID: ArenaProduct, Plan: "p1", Quantity: 1, Inputs: map[string]string{PlayerInput: "05/50"}}),
}

// buy makes a purchase, whose verdict is its answer.
func buy(r PurchaseRequest) func(context.Context, *Session) (any, error) {
	return func(ctx context.Context, s *Session) (any, error) { return s.Purchase(ctx, r), nil }
}

// fault is an answer to a purchase, and what it proves.
type fault struct {
	name    string
	answer  string
	outcome Outcome
	reason  string
	orders  int
}

// faults are the answers that a purchase may meet once it has been read.
func faults() []fault {
	const ok, here = "HTTP/1.1 200 OK\r\n", "Location: /api/products/purchase/7"
	all := []fault{
		{"an answer", answered(200, bought), Accepted, "orders named", 2},
		{"an answer without its length", ok + "\r\n" + bought, Accepted, "orders named", 2},
		{"an answer in chunks", ok + "Transfer-Encoding: chunked\r\n\r\n5\r\n" + bought[:5] + "\r\n" + fmt.Sprintf("%x", len(bought)-5) + "\r\n" + bought[5:] + "\r\n0\r\n\r\n", Accepted, "orders named", 2},
		{"interim answers first", strings.Repeat("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 102 X\r\n\r\nHTTP/1.1 103 X\r\nLink: x\r\n\r\n", 3) + answered(200, bought), Accepted, "orders named", 2},
		{"a refusal", answered(403, failure("Insufficient balance")), Rejected, "refused", 0},

		{"nothing", "", Unknown, "connection closed", 0},
		{"half a status line", "HTTP/1.1 2", Unknown, "connection failed", 0},
		{"half a header", ok + "Content-Le", Unknown, "connection failed", 0},
		{"no body", ok + "Content-Length: 9\r\n\r\n", Unknown, "connection closed", 0},
		{"half a body", answered(200, bought)[:100], Unknown, "connection closed", 0},
		{"half a body without its length", ok + "\r\n" + bought[:60], Unknown, "no envelope", 0},
		{"half a chunk", ok + "Transfer-Encoding: chunked\r\n\r\nff\r\n" + bought, Unknown, "connection closed", 2},
		{"no last chunk", ok + "Transfer-Encoding: chunked\r\n\r\n5\r\n{    \r\n", Unknown, "connection closed", 0},
		{"no HTTP", "220 mail.example ESMTP\r\n\r\n", Unknown, "connection failed", 0},
		{"HTTP/2", string(frame(frameSettings, 0, 0)) + "\r\n\r\n", Unknown, "connection failed", 0},
		{"interim answers only", strings.Repeat("HTTP/1.1 102 X\r\n\r\n", 3), Unknown, "connection closed", 0},
		{"another protocol", "HTTP/1.1 101 X\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n" + bought, Unknown, "no envelope", 0},
		{"a header without end", ok + strings.Repeat("X-Long: "+strings.Repeat("x", 1000)+"\r\n", 200) + "\r\n", Unknown, "connection failed", 0},
		{"a body without end", ok + "\r\n" + bought + strings.Repeat(" ", maxBody), Unknown, "connection failed", 2},
		{"a packed body", answered(200, bomb()[:500], "Content-Encoding: gzip"), Unknown, "no envelope", 0},
		{"a page", answered(200, "<html></html>"), Unknown, "no envelope", 0},
		{"a firewall", answered(403, "<html></html>"), Unknown, "no envelope", 0},
		{"a place that is none", answered(302, "", "Location: %zz"), Unknown, "connection failed", 0},
		{"try again later", answered(503, failure("Service unavailable"), "Retry-After: 1"), Unknown, "server error", 0},
		{"too slow for them", answered(408, "", "Connection: close"), Unknown, "no envelope", 0},
		{"too early for them", answered(425, failure("Too early")), Unknown, "no envelope", 0},
		{"no upstream", answered(502, failure("Upstream service unavailable")), Unknown, "server error", 0},
		{"one of two orders", answered(200, success(`{"order_ids":["O-1"],"count":1}`)), Unknown, "wrong number of orders", 1},
	}
	for _, status := range []int{300, 301, 302, 303, 307, 308} {
		all = append(all, fault{fmt.Sprintf("redirect %d", status), answered(status, bought, here), Unknown, "redirect", 2})
	}
	return all
}

// TestOneCopy: whatever the answer, over a connection that is new or where others stand by, a purchase
// reaches the wire once, and the verdict claims no more than is known.
func TestOneCopy(t *testing.T) {
	for _, protocols := range [][]string{nil, {"http/1.1"}} {
		for _, reset := range []bool{false, true} {
			for _, f := range faults() {
				for _, warm := range []bool{false, true} {
					t.Run(fmt.Sprintf("%s, TLS %v, reset %v, warm %v", f.name, protocols != nil, reset, warm), func(t *testing.T) {
						w := (&wire{answer: f.answer, reset: reset}).listen(t, protocols...)
						s := newClient(t, Config{BaseURL: w.url}).As(secret.New(canaryKey))
						if warm {
							if _, err := s.Balance(t.Context(), 0); err != nil {
								t.Fatal(err)
							}
						}
						v := s.Purchase(t.Context(), two)
						if n := w.copies.Load(); n != 1 {
							t.Errorf("%d copies were sent", n)
						}
						// A reset may overtake the answer.
						if lost := reset && v.Outcome == Unknown; !lost && (v.Outcome != f.outcome || v.Reason != f.reason || len(v.OrderIDs) != f.orders) {
							t.Errorf("verdict %+v, want %v: %s, %d orders", v, f.outcome, f.reason, f.orders)
						}
					})
				}
			}
		}
	}
}

// TestOneCopyOfEach: all that spends goes the same way.
func TestOneCopyOfEach(t *testing.T) {
	answers := map[string]string{
		"POST /products/purchase/{variantId}":               bought,
		"POST /products/{product_id}/{variant_id}/purchase": success(`{"purchased_items":[{"id":1,"order_url":"/orders/1"},{"id":2,"order_url":"/orders/2"}]}`),
		"POST /arena/topup":                                 success(`{"order_id":5,"transaction_id":"t-1","player_id":"05/50","status":"pending"}`),
	}
	for op, purchase := range purchases {
		generation := Legacy
		if op == "POST /products/purchase/{variantId}" {
			generation = Current
		}
		for name, tc := range map[string]struct {
			answer  string
			outcome Outcome
		}{
			"an answer":         {answered(200, answers[op]), Accepted},
			"a refusal":         {answered(400, failure("Insufficient balance")), Rejected},
			"nothing":           {"", Unknown},
			"a redirect":        {answered(307, "", "Location: /api/again"), Unknown},
			"a 404 of the path": {answered(404, "<html>"), Unknown},
		} {
			w := (&wire{answer: tc.answer}).listen(t)
			v, _ := purchase(t.Context(), newClient(t, Config{BaseURL: w.url, Generation: generation}).As(secret.New(canaryKey)))
			if n := w.copies.Load(); n != 1 || v.(Verdict).Outcome != tc.outcome {
				t.Errorf("%s, %s: %d copies, verdict %+v", op, name, n, v)
			}
		}
	}
}

// TestHangUp: the connection goes away before the whole request was read.
func TestHangUp(t *testing.T) {
	// After skipping n bytes.
	after := func(n int64) func(net.Conn) { return func(c net.Conn) { io.CopyN(io.Discard, c, n) } }
	large := PurchaseRequest{VariantID: 7, Quantity: 1, Inputs: map[string]string{"1": strings.Repeat("x", 2<<20)}}
	for _, protocols := range [][]string{nil, {"http/1.1"}} {
		for _, reset := range []bool{false, true} {
			for name, bytes := range map[string]int64{"at once": 0, "in the header": 20, "in the body": 2000, "well into the body": 1 << 20} {
				w := (&wire{early: after(bytes), reset: reset}).listen(t, protocols...)
				v := newClient(t, Config{BaseURL: w.url}).As(secret.New(canaryKey)).Purchase(t.Context(), large)
				// At once may be before the first byte.
				if v.Outcome != Unknown && (bytes > 0 || v.Outcome != NotSent) || v.Status != 0 || v.OrderIDs != nil {
					t.Errorf("%s, TLS %v, reset %v: verdict %+v", name, protocols != nil, reset, v)
				}
				if n := w.conns.Load(); n != 1 {
					t.Errorf("%s, TLS %v, reset %v: %d connections", name, protocols != nil, reset, n)
				}
			}
		}
	}
}

// refusals are what makes HTTP/2 clients send a request again, by how it is said.
func refusals() map[string]func(stream uint32) []byte {
	return map[string]func(uint32) []byte{
		"refused stream":      func(stream uint32) []byte { return frame(frameReset, 0, stream, 7) },
		"protocol error":      func(stream uint32) []byte { return frame(frameReset, 0, stream, 1) },
		"go away, unseen":     func(uint32) []byte { return frame(frameGoAway, 0, 0, 0, 0) },
		"go away, seen":       func(stream uint32) []byte { return frame(frameGoAway, 0, 0, stream, 2) },
		"internal error":      func(stream uint32) []byte { return frame(frameReset, 0, stream, 2) },
		"cancelled":           func(stream uint32) []byte { return frame(frameReset, 0, stream, 8) },
		"calm down":           func(stream uint32) []byte { return frame(frameReset, 0, stream, 11) },
		"a closed connection": func(uint32) []byte { return nil },
	}
}

// TestPurchasesAvoidHTTP2, whose client sends a POST again by itself.
func TestPurchasesAvoidHTTP2(t *testing.T) {
	for name, frames := range refusals() {
		w := (&wire{frames: frames}).listen(t, "h2", "http/1.1")
		v := newClient(t, Config{BaseURL: w.url}).As(secret.New(canaryKey)).Purchase(t.Context(), two)
		if n := w.copies.Load(); n != 1 || v.Outcome != Unknown || v.Reason != "connection closed" {
			t.Errorf("%s: %d copies, verdict %+v", name, n, v)
		}
	}
}

// TestReadsAreNotRepeated: a read does no harm twice, but thousands of times it breaks every limit.
func TestReadsAreNotRepeated(t *testing.T) {
	for name, frames := range refusals() {
		for _, op := range []string{"GET /account", "POST /products/orders/retrieve"} {
			w := (&wire{frames: frames}).listen(t, "h2", "http/1.1")
			s := newClient(t, Config{BaseURL: w.url, ReadTimeout: 200 * time.Millisecond}).As(secret.New(canaryKey))
			if _, err := reads[op](t.Context(), s); ClassOf(err) != Upstream {
				t.Errorf("%s, %s: %v", name, op, err)
			}
			if n := w.copies.Load(); n > 2 {
				t.Errorf("%s, %s: %d copies in %v", name, op, n, s.client.cfg.ReadTimeout)
			}
		}
	}
}

// TestFaultsBite: a client that takes no care does send a purchase again, so the tests above can fail.
func TestFaultsBite(t *testing.T) {
	naive := func(t *testing.T, w *wire) {
		t.Helper()
		tr := &http.Transport{ForceAttemptHTTP2: true}
		defer tr.CloseIdleConnections()
		ctx, cancel := context.WithTimeout(t.Context(), 5*time.Second)
		defer cancel()
		req, err := http.NewRequestWithContext(ctx, http.MethodPost, w.url, strings.NewReader("{}"))
		if err != nil {
			t.Fatal(err)
		}
		done := make(chan struct{})
		go func() {
			defer close(done)
			if resp, err := (&http.Client{Transport: tr}).Do(req); err == nil {
				resp.Body.Close()
			}
		}()
		select {
		case <-w.twice:
		case <-done:
		}
		cancel()
		<-done
		if n := w.copies.Load(); n < 2 {
			t.Errorf("%d copies", n)
		}
	}
	for _, name := range []string{"refused stream", "protocol error", "go away, unseen"} {
		t.Run(name, func(t *testing.T) { naive(t, (&wire{frames: refusals()[name]}).listen(t, "h2")) })
	}
	for _, status := range []int{307, 308} {
		t.Run(strconv.Itoa(status), func(t *testing.T) {
			naive(t, (&wire{answer: answered(status, "", "Location: /again", "Connection: close")}).listen(t))
		})
	}
}

// TestNotSent: failures before the first byte prove that nothing was bought.
func TestNotSent(t *testing.T) {
	closed := listen(t)
	closed.Close()
	plain := (&wire{}).listen(t)
	shake, other := (&wire{}).listen(t, "http/1.1"), (&wire{}).listen(t, "imap")
	hangUp := (&wire{early: func(net.Conn) {}}).listen(t)
	elsewhere := func(ctx context.Context, network, _ string) (net.Conn, error) {
		return (&net.Dialer{}).DialContext(ctx, network, strings.TrimSuffix(strings.TrimPrefix(shake.url, "https://"), "/api"))
	}
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	for name, tc := range map[string]struct {
		cfg  Config
		key  string
		gone bool
	}{
		"nobody listens":                 {cfg: Config{BaseURL: "http://" + closed.Addr().String()}},
		"no TLS":                         {cfg: Config{BaseURL: strings.Replace(plain.url, "http:", "https:", 1)}},
		"a hang-up instead of TLS":       {cfg: Config{BaseURL: strings.Replace(hangUp.url, "http:", "https:", 1)}},
		"another protocol over TLS":      {cfg: Config{BaseURL: other.url}},
		"somebody else's certificate":    {cfg: Config{BaseURL: "https://wrong.example/api", Dial: elsewhere}},
		"a key that cannot be written":   {cfg: Config{BaseURL: plain.url}, key: "line\nbreak"},
		"a caller that has gone already": {cfg: Config{BaseURL: plain.url}, gone: true},
		"a name that is none": {cfg: Config{BaseURL: "http://service.invalid/api", Dial: func(context.Context, string, string) (net.Conn, error) {
			return nil, &net.DNSError{Err: "no such host", Name: "service.invalid", IsNotFound: true}
		}}},
	} {
		ctx := t.Context()
		if tc.gone {
			ctx = gone
		}
		v := newClient(t, tc.cfg).As(secret.New(canaryKey+tc.key)).Purchase(ctx, two)
		if v.Outcome != NotSent || v.Status != 0 || v.OrderIDs != nil {
			t.Errorf("%s: verdict %+v", name, v)
		}
	}
	for _, w := range []*wire{plain, shake, other, hangUp} {
		if n := w.copies.Load(); n != 0 {
			t.Errorf("%d copies were sent nevertheless", n)
		}
	}
	// The elsewhere is there for those who call it by its name.
	v := newClient(t, Config{BaseURL: "https://example.com/api", Dial: elsewhere}).As(secret.New(canaryKey)).Purchase(t.Context(), two)
	if v.Outcome != Unknown || shake.copies.Load() != 1 {
		t.Errorf("the right certificate: verdict %+v", v)
	}
}

// TestPurchaseTimeouts: when time is up, what is known depends on whether a byte has left.
func TestPurchaseTimeouts(t *testing.T) {
	for name, tc := range map[string]struct {
		service http.HandlerFunc
		outcome Outcome
		reason  string
	}{
		"no answer":          {func(_ http.ResponseWriter, r *http.Request) { dawdle(r, time.Hour) }, Unknown, "timeout"},
		"an answer in drops": {drip, Unknown, "timeout"},
		"another protocol":   {upgrade, Unknown, ""},
		"a late answer": {func(w http.ResponseWriter, r *http.Request) {
			dawdle(r, 29*time.Second)
			io.WriteString(w, bought)
		}, Accepted, "orders named"},
	} {
		var asked atomic.Int64
		service := func(w http.ResponseWriter, r *http.Request) {
			asked.Add(1)
			io.Copy(io.Discard, r.Body)
			tc.service(w, r)
		}
		inBubble(t, Config{}, service, func(t *bubble) {
			begin := time.Now()
			v := t.client.As(secret.New("a")).Purchase(t.Context(), two)
			if took := time.Since(begin); v.Outcome != tc.outcome || tc.reason != "" && v.Reason != tc.reason || took > 30*time.Second {
				t.Errorf("%s: verdict %+v after %v", name, v, took)
			}
			if n := asked.Load(); n != 1 {
				t.Errorf("%s: %d copies", name, n)
			}
		})
	}
	for name, address := range map[string]string{"a connection that never opens": "http://service/api", "a handshake that never ends": "https://service/api"} {
		synctest.Test(t, func(t *testing.T) {
			c := newClient(t, Config{BaseURL: address, PurchaseTimeout: 7 * time.Second, Dial: func(ctx context.Context, _, _ string) (net.Conn, error) {
				if strings.HasPrefix(address, "http:") {
					<-ctx.Done()
					return nil, ctx.Err()
				}
				ours, theirs := net.Pipe()
				go io.Copy(io.Discard, theirs)
				return ours, nil
			}})
			begin := time.Now()
			v := c.As(secret.New("a")).Purchase(t.Context(), two)
			if took := time.Since(begin); v.Outcome != NotSent || took != 7*time.Second {
				t.Errorf("%s: verdict %+v after %v", name, v, took)
			}
		})
	}
}

// TestPurchaseIsCutShort: a caller that gives up does not learn what came of it.
func TestPurchaseIsCutShort(t *testing.T) {
	service := func(_ http.ResponseWriter, r *http.Request) {
		io.Copy(io.Discard, r.Body)
		dawdle(r, time.Hour)
	}
	inBubble(t, Config{}, service, func(t *bubble) {
		ctx, cancel := context.WithCancel(t.Context())
		time.AfterFunc(3*time.Second, cancel)
		begin := time.Now()
		v := t.client.As(secret.New("a")).Purchase(ctx, two)
		if v.Outcome != Unknown || v.Reason != "cut short" || time.Since(begin) != 3*time.Second {
			t.Errorf("verdict %+v after %v", v, time.Since(begin))
		}
	})
}

// TestPurchaseKeepsTheLimits: what is over them is not sent, and what waits for them keeps its time for the
// wire.
func TestPurchaseKeepsTheLimits(t *testing.T) {
	var asked atomic.Int64
	service := func(w http.ResponseWriter, r *http.Request) {
		asked.Add(1)
		io.Copy(io.Discard, r.Body)
		dawdle(r, 5*time.Second)
		io.WriteString(w, bought)
	}
	inBubble(t, Config{PostPerMinute: 1}, service, func(t *bubble) {
		s, begin := t.client.As(secret.New("a")), time.Now()
		if v := s.Purchase(t.Context(), two); v.Outcome != Accepted {
			t.Fatalf("verdict %+v", v)
		}
		v := s.Purchase(t.Context(), two)
		if v.Outcome != Rejected && v.Outcome != NotSent || v.Class != Limited || v.RetryAfter < 54*time.Second || v.RetryAfter > 56*time.Second || time.Since(begin) != 5*time.Second || asked.Load() != 1 {
			t.Errorf("over the limit: verdict %+v after %v, %d copies", v, time.Since(begin), asked.Load())
		}
		<-time.After(30 * time.Second)
		if v := s.Purchase(t.Context(), two); v.Outcome == Unknown {
			t.Errorf("after a wait of 25 s the service answers in 5 s: verdict %+v", v)
		}
	})
}

// TestPurchaseRefusedForNow: a 429 rests the key, and an answer ends the rests' growth.
func TestPurchaseRefusedForNow(t *testing.T) {
	var answers atomic.Int64
	service := func(w http.ResponseWriter, r *http.Request) {
		io.Copy(io.Discard, r.Body)
		switch answers.Add(1) {
		case 3:
			io.WriteString(w, bought)
		case 5:
			w.Header().Set("Retry-After", "20")
			w.WriteHeader(http.StatusTooManyRequests) // without the envelope, but it says how long
		default:
			says(http.StatusTooManyRequests, failure("Too Many Requests"))(w, r)
		}
	}
	inBubble(t, Config{}, service, func(t *bubble) {
		s := t.client.As(secret.New("a"))
		for i, want := range seconds(1, 2, 0, 1, 20) {
			v := s.Purchase(t.Context(), two)
			if rest := v.RetryAfter; rest != want || (v.Outcome == Accepted) != (want == 0) || v.Outcome != Accepted && (v.Outcome != Rejected || v.Class != Limited) {
				t.Errorf("purchase %d: verdict %+v, want a rest of %v", i+1, v, want)
			}
		}
		begin := time.Now()
		if v := s.Purchase(t.Context(), two); v.Class != Limited || v.RetryAfter != 20*time.Second || time.Since(begin) > 0 || answers.Load() != 5 {
			t.Errorf("in the long rest: verdict %+v after %v, %d copies", v, time.Since(begin), answers.Load())
		}
	})
}

// TestPurchaseHeaders: nothing goes along by which the transport, or somebody on the way, could think that
// a purchase may be repeated.
func TestPurchaseHeaders(t *testing.T) {
	var names []string
	s := connect(t, func(w http.ResponseWriter, r *http.Request) {
		for name := range r.Header {
			names = append(names, name)
		}
		if r.ContentLength <= 0 || !r.Close || r.ProtoMajor != 1 {
			t.Errorf("length %d, close %v, %s", r.ContentLength, r.Close, r.Proto)
		}
		io.WriteString(w, bought)
	})
	if v := s.Purchase(t.Context(), two); v.Outcome != Accepted {
		t.Errorf("verdict %+v", v)
	}
	slices.Sort(names)
	if want := []string{"Accept", "Connection", "Content-Length", "Content-Type", "User-Agent", "X-Api-Key"}; !slices.Equal(names, want) {
		t.Errorf("headers %q, want %q", names, want)
	}
}

package api

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"pgregory.net/rapid"
)

// judge is the verdict on an attempt to buy some units in the current interface.
func judge(a attempt, quantity int) Verdict {
	return verdict(a, func(data json.RawMessage) made { return namedOrders(data, quantity, FromCurrent) })
}

// ids is a success that names orders.
func ids(list string) string { return success(`{"order_ids":[` + list + `]}`) }

// TestAnswersProve: what a whole answer to a purchase of two units proves.
func TestAnswersProve(t *testing.T) {
	enveloped := failure("whatever")
	for _, tc := range []struct {
		status  int
		body    string
		header  http.Header
		outcome Outcome
		class   Class
		reason  string
		orders  []string
	}{
		{200, success(`{"order_ids":["a","b"],"count":2}`), nil, Accepted, Internal, "orders named", []string{"a", "b"}},
		{200, success(`{"count":"2","order_ids":[12,"b"]}`), nil, Accepted, Internal, "orders named", []string{"12", "b"}},
		{200, ids(`"a","b"`) + "\n ", nil, Accepted, Internal, "orders named", []string{"a", "b"}},
		{200, "\ufeff" + ids(`"a","b"`), nil, Accepted, Internal, "orders named", []string{"a", "b"}},
		{200, success(`{"order_ids":["a","b"],"count":null}`), nil, Accepted, Internal, "orders named", []string{"a", "b"}},
		{200, success(`{"order_ids":[18446744073709551617,18446744073709551616]}`), nil, Accepted, Internal, "orders named", []string{"18446744073709551617", "18446744073709551616"}},

		{200, ids(``), nil, Unknown, Upstream, "wrong number of orders", nil},
		{200, ids(`"a"`), nil, Unknown, Upstream, "wrong number of orders", []string{"a"}},
		{200, ids(`"a","b","c"`), nil, Unknown, Upstream, "wrong number of orders", []string{"a", "b", "c"}},
		{200, ids(`"a","a"`), nil, Unknown, Upstream, "order ids repeat or are empty", []string{"a"}},
		{200, ids(`"a","b","b"`), nil, Unknown, Upstream, "order ids repeat or are empty", []string{"a", "b"}},
		{200, ids(`"1",1`), nil, Unknown, Upstream, "order ids repeat or are empty", []string{"1"}},
		{200, ids(`"a",""`), nil, Unknown, Upstream, "order ids repeat or are empty", []string{"a"}},
		{200, ids(`"a",null`), nil, Unknown, Upstream, "order ids repeat or are empty", []string{"a"}},
		{200, ids(`"a",{"id":"b"}`), nil, Unknown, Upstream, "unreadable orders", []string{"a", "b"}},
		{200, success(`{"order_ids":["a","b"],"count":1}`), nil, Unknown, Upstream, "count mismatch", []string{"a", "b"}},
		{200, success(`{"order_ids":["a","b"],"count":3}`), nil, Unknown, Upstream, "count mismatch", []string{"a", "b"}},
		{200, success(`{"order_ids":["a","b"],"count":4294967298}`), nil, Unknown, Upstream, "count mismatch", []string{"a", "b"}},
		{200, success(`{"order_ids":["a","b"],"count":2.5}`), nil, Unknown, Upstream, "count mismatch", []string{"a", "b"}},
		{200, success(`{"order_ids":"a,b"}`), nil, Unknown, Upstream, "wrong number of orders", []string{"a,b"}},
		{200, success(`["a","b"]`), nil, Unknown, Upstream, "unreadable orders", []string{"a", "b"}},
		{200, success(`null`), nil, Unknown, Upstream, "wrong number of orders", nil},
		{200, `{"status":"success","message":"OK"}`, nil, Unknown, Upstream, "unreadable orders", nil},

		{200, `{"order_ids":["a","b"],"count":2}`, nil, Unknown, Upstream, "no envelope", []string{"a", "b"}},
		{200, "\ufeff\ufeff" + ids(`"a","b"`), nil, Unknown, Upstream, "no envelope", nil},
		{200, "\ufeff" + ids(`"a","b"`) + "x", nil, Unknown, Upstream, "no envelope", []string{"a", "b"}},
		{200, ids(`"a","b"`) + "x", nil, Unknown, Upstream, "no envelope", []string{"a", "b"}},
		{200, ids(`"a","b"`) + ids(`"c","d"`), nil, Unknown, Upstream, "no envelope", []string{"a", "b"}},
		{200, ids(`"a","b"`)[:40], nil, Unknown, Upstream, "no envelope", nil},
		{200, `{"status":"ok","data":{"order_ids":["a","b"]}}`, nil, Unknown, Upstream, "no envelope", []string{"a", "b"}},
		{200, failure("Insufficient balance"), nil, Unknown, Upstream, "no envelope", nil},
		{200, "", nil, Unknown, Upstream, "no envelope", nil},
		{200, "<html>", nil, Unknown, Upstream, "no envelope", nil},
		{201, ids(`"a","b"`), nil, Unknown, Upstream, "no envelope", []string{"a", "b"}},
		{202, ids(`"a","b"`), nil, Unknown, Upstream, "no envelope", []string{"a", "b"}},
		{204, "", nil, Unknown, Upstream, "no envelope", nil},

		{400, failure("Insufficient balance"), nil, Rejected, Funds, "refused", nil},
		{400, "\ufeff" + failure("Insufficient balance"), nil, Rejected, Funds, "refused", nil},
		{403, failure("Insufficient balance"), nil, Rejected, Funds, "refused", nil},
		{400, failure("Product out of stock"), nil, Rejected, OutOfStock, "refused", nil},
		{400, failure("Insufficient quantity available"), nil, Rejected, OutOfStock, "refused", nil},
		{400, failure("Validation failed"), nil, Rejected, Invalid, "refused", nil},
		{422, enveloped, nil, Rejected, Invalid, "refused", nil},
		{401, failure("Invalid API key"), nil, Rejected, Unauthorized, "refused", nil},
		{401, failure("API key is required"), nil, Rejected, Unauthorized, "refused", nil},
		{403, failure("IP address not allowed"), nil, Rejected, IPBlocked, "refused", nil},
		{404, failure("Product not found"), nil, Rejected, NotFound, "refused", nil},
		{404, failure("Product or variant not found"), nil, Rejected, NotFound, "refused", nil},
		{429, failure("Too Many Requests"), nil, Rejected, Limited, "refused", nil},
		{429, "<html>", http.Header{"Retry-After": {"3"}}, Rejected, Limited, "refused", nil},
		{429, "", http.Header{"Retry-After": {"soon"}}, Rejected, Limited, "refused", nil},

		// Without the envelope something in between may have spoken, after the service acted. What it names is looked for.
		{400, "<html>", nil, Unknown, Upstream, "no envelope", nil},
		{403, `{"error":"blocked"}`, nil, Unknown, Upstream, "no envelope", nil},
		{404, "", nil, Unknown, Upstream, "no envelope", nil},
		{422, failure("x")[:20], nil, Unknown, Upstream, "no envelope", nil},
		{429, "slow down", nil, Unknown, Upstream, "no envelope", nil},
		{429, success(`null`), nil, Unknown, Upstream, "no envelope", nil},
		{429, failure("x") + "\n<!-- cdn -->", nil, Unknown, Upstream, "no envelope", nil},
		{400, ids(`"a","b"`), nil, Unknown, Upstream, "no envelope", []string{"a", "b"}},
		{403, failure("x") + "\n<!-- cdn -->", nil, Unknown, Upstream, "no envelope", nil},

		// Neither of these codes says that nothing was done.
		{500, failure("Insufficient balance"), nil, Unknown, Upstream, "server error", nil},
		{502, failure("Upstream service unavailable"), nil, Unknown, Upstream, "server error", nil},
		{503, enveloped, http.Header{"Retry-After": {"3"}}, Unknown, Upstream, "server error", nil},
		{504, ids(`"a","b"`), nil, Unknown, Upstream, "server error", []string{"a", "b"}},
		{599, "", nil, Unknown, Upstream, "server error", nil},
		{301, enveloped, nil, Unknown, Upstream, "redirect", nil},
		{307, ids(`"a","b"`), nil, Unknown, Upstream, "redirect", []string{"a", "b"}},
		{402, enveloped, nil, Unknown, Upstream, "", nil},
		{405, enveloped, nil, Unknown, Upstream, "", nil},
		{408, enveloped, nil, Unknown, Upstream, "", nil},
		{409, enveloped, nil, Unknown, Upstream, "", nil},
		{423, enveloped, nil, Unknown, Upstream, "", nil},
		{425, enveloped, nil, Unknown, Upstream, "", nil},
		{101, enveloped, nil, Unknown, Upstream, "", nil},
		{0, ids(`"a","b"`), nil, Unknown, Upstream, "", []string{"a", "b"}},
	} {
		a := attempt{handed: true, status: tc.status, header: tc.header, body: []byte(tc.body)}
		v := judge(a, 2)
		if v.Outcome != tc.outcome || v.Class != tc.class || v.Status != tc.status || !slices.Equal(v.OrderIDs, tc.orders) || tc.reason != "" && v.Reason != tc.reason || v.Reason == "" {
			t.Errorf("%d %q: verdict %+v, want %v, %v: %s", tc.status, tc.body, v, tc.outcome, tc.class, tc.reason)
		}
		if tc.status != http.StatusOK && len(v.OrderIDs) == 0 && (v.Origin != "" || v.Transaction != "") {
			t.Errorf("%d %q: it names no order, and one of %q %q", tc.status, tc.body, v.Origin, v.Transaction)
		}
	}
}

// TestNamesProve: what the other ways to name orders prove, of two units or of a plan for player 0550.
func TestNamesProve(t *testing.T) {
	legacy := func(data json.RawMessage) made { return purchasedItems(data, 2) }
	arena := func(data json.RawMessage) made { return placedTopup(data, "0550") }
	for _, tc := range []struct {
		named  func(json.RawMessage) made
		data   string
		orders []string
		proves bool
	}{
		{legacy, `{"purchased_items":[{"id":1,"order_url":"https://x/orders/1","status":"pending"},{"id":"2","order_url":"/orders/2/"}]}`, []string{"1", "2"}, true},
		{legacy, `{"purchased_items":[{"id":1,"order_url":"https://x/orders/1","status":"pending"},{"id":"2"}]}`, []string{"1", "2"}, false},
		{legacy, `{"purchased_items":[{"order_url":"https://x/orders/1"},{"order_url":"/orders/2"}]}`, []string{"1", "2"}, true},
		{legacy, `{"purchased_items":[{"id":1}]}`, []string{"1"}, false},
		{legacy, `{"purchased_items":[{"id":1},{"id":2},{"id":3}]}`, []string{"1", "2", "3"}, false},
		{legacy, `{"purchased_items":[{"id":1},{"id":1}]}`, []string{"1"}, false},
		{legacy, `{"purchased_items":[{"id":1},{"status":"pending"}]}`, []string{"1"}, false},
		{legacy, `{"purchased_items":[{"id":1},{"order_url":"/orders/"}]}`, []string{"1"}, false},
		{legacy, `{"purchased_items":[{"id":1},{"order_url":"/orders/1"}]}`, []string{"1"}, false},
		{legacy, `{"purchased_items":[]}`, nil, false},
		{legacy, `{"purchased_items":{"id":1}}`, nil, false},
		{legacy, `{"order_ids":["1","2"]}`, nil, false},
		{legacy, `[]`, nil, false},
		{legacy, `null`, nil, false},

		{arena, `{"order_id":5,"transaction_id":"t-1","player_id":"0550","status":"pending"}`, []string{"5"}, true},
		{arena, `{"order_id":5}`, []string{"5"}, true},
		{arena, `{"transaction_id":"t-1"}`, []string{"t-1"}, true},
		{arena, `{"order":{"order_id":5,"player_id":"0550"}}`, []string{"5"}, true},
		{arena, `{"order_id":5,"player_id":"0551"}`, nil, false},
		{arena, `{"order":{"order_id":5,"player_id":"0551"}}`, nil, false},
		{arena, `{"player_id":"0550","status":"pending"}`, nil, false},
		{arena, `{"order_id":""}`, nil, false},
		{arena, `[{"order_id":5}]`, nil, false},
		{arena, `null`, nil, false},
	} {
		v := verdict(attempt{handed: true, status: 200, body: []byte(success(tc.data))}, tc.named)
		if (v.Outcome == Accepted) != tc.proves || !tc.proves && v.Outcome != Unknown || !slices.Equal(v.OrderIDs, tc.orders) {
			t.Errorf("%s: verdict %+v", tc.data, v)
		}
		v = verdict(attempt{handed: true, status: 403, body: []byte(failure("Insufficient balance"))}, tc.named)
		if v.Outcome != Rejected || v.Class != Funds || v.OrderIDs != nil {
			t.Errorf("a refusal: verdict %+v", v)
		}
	}
}

// TestFailuresProve: an attempt without a whole answer proves nothing, unless not a byte of it has left.
func TestFailuresProve(t *testing.T) {
	for err, reason := range map[error]string{
		context.DeadlineExceeded: "timeout",
		context.Canceled:         "cut short",
		io.EOF:                   "connection closed",
		io.ErrUnexpectedEOF:      "connection closed",
		syscall.ECONNRESET:       "connection failed",
		errors.New(canaryText):   "connection failed",
	} {
		err = fmt.Errorf("wrapped: %w", err)
		if v := judge(attempt{err: err}, 2); v.Outcome != NotSent || v.Class != Upstream || v.Reason != "never sent" {
			t.Errorf("%v before the first byte: verdict %+v", err, v)
		}
		// Whatever came of the answer before it broke off.
		for _, a := range []attempt{{}, {status: 200, body: []byte(ids(`"a","b"`)[:50])}, {status: 403, body: []byte(failure("Insufficient balance"))}, {status: 429, header: http.Header{"Retry-After": {"3"}}}} {
			a.handed, a.err = true, err
			if v := judge(a, 2); v.Outcome != Unknown || v.Class != Upstream || v.Reason != reason || v.Status != a.status || v.OrderIDs != nil {
				t.Errorf("%v after status %d: verdict %+v", err, a.status, v)
			}
		}
	}
}

// TestRefusalsTellMore: which fields, and how long to wait.
func TestRefusalsTellMore(t *testing.T) {
	body := `{"status":"error","message":"Validation failed","data":{"errors":{"quantity":["minimum 1"]}}}`
	if v := judge(attempt{handed: true, status: 400, body: []byte(body)}, 2); v.Class != Invalid || !slices.Equal(v.Fields["quantity"], []string{"minimum 1"}) {
		t.Errorf("verdict %+v", v)
	}
	for text, want := range map[string]time.Duration{
		"": 0, "3": 3 * time.Second, "-3": 0, "1.5": 0, "soon": 0,
		"86400": 5 * time.Minute, "9223372036": 5 * time.Minute, "9223372037": 5 * time.Minute, "9223372036854775807": 5 * time.Minute,
	} {
		a := attempt{handed: true, status: 429, header: http.Header{"Retry-After": {text}}, body: []byte(failure("Too Many Requests"))}
		if v := judge(a, 2); v.Outcome != Rejected || v.Class != Limited || v.RetryAfter != want {
			t.Errorf("Retry-After %q: verdict %+v, want %v", text, v, want)
		}
	}
	const noon = "Mon, 23 Nov 2026 12:00:00 GMT"
	for _, tc := range []struct {
		date, until string
		want        time.Duration
	}{
		{noon, "Mon, 23 Nov 2026 12:00:20 GMT", 20 * time.Second},
		{noon, "Monday, 23-Nov-26 12:00:20 GMT", 20 * time.Second},
		{noon, "Mon, 23 Nov 2026 11:59:59 GMT", 0},
		{noon, "Tue, 24 Nov 2026 12:00:00 GMT", 5 * time.Minute},
		{"", "Mon, 23 Nov 2026 12:00:20 GMT", 0},
		{"soon", "Mon, 23 Nov 2026 12:00:20 GMT", 0},
	} {
		a := attempt{handed: true, status: 429, header: http.Header{"Retry-After": {tc.until}, "Date": {tc.date}}, body: []byte(failure("Too Many Requests"))}
		if v := judge(a, 2); v.Outcome != Rejected || v.RetryAfter != tc.want {
			t.Errorf("Retry-After %q at %q: verdict %+v, want %v", tc.until, tc.date, v, tc.want)
		}
	}
}

func TestOutcomesAreNamed(t *testing.T) {
	for o, want := range map[Outcome]string{Unknown: "unknown", Accepted: "accepted", Rejected: "rejected", NotSent: "not_sent", 99: "not_sent"} {
		if o.String() != want {
			t.Errorf("outcome %d is called %q, want %q", o, o, want)
		}
	}
	if (Verdict{}).Outcome != Unknown {
		t.Error("a verdict that nobody filled in claims something")
	}
}

// reasons are all that verdicts may give: words of ours, so that none of the service gets into a log.
var reasons = []string{
	"never sent", "timeout", "cut short", "connection closed", "connection failed", "refused", "server error", "redirect",
	"no envelope", "unreadable orders", "order ids repeat or are empty", "wrong number of orders", "count mismatch", "orders named",
	"an order id that cannot be kept", "a refusal that names orders",
}

// prove checks what must hold of every verdict; it reads the answer in its own, simple way.
func prove(t reporter, a attempt, quantity int, v Verdict) {
	t.Helper()
	var env struct {
		Status string
		Data   struct {
			OrderIDs []any `json:"order_ids"`
		}
	}
	whole := json.Valid(a.body)
	json.Unmarshal(a.body, &env)
	switch {
	case !slices.Contains(reasons, v.Reason):
		t.Fatalf("reason %q", v.Reason)
	case (v.Outcome == NotSent) != (a.err != nil && !a.handed):
		t.Fatalf("%v for %+v", v.Outcome, a)
	case a.err != nil && a.handed && v.Outcome != Unknown:
		t.Fatalf("%v after %v", v.Outcome, a.err)
	case v.Outcome == Accepted && (a.status != 200 || !whole || env.Status != "success" || len(env.Data.OrderIDs) != quantity):
		t.Fatalf("accepted by %d %s", a.status, a.body)
	case v.Outcome == Accepted && !units(v.OrderIDs, quantity):
		t.Fatalf("accepted with orders %q of %d", v.OrderIDs, quantity)
	case v.Outcome == Rejected && (a.status < 400 || a.status >= 500 || a.status != 429 && (!whole || env.Status != "error")):
		t.Fatalf("rejected by %d %s", a.status, a.body)
	case v.Outcome != Unknown && v.Outcome != Accepted && v.OrderIDs != nil:
		t.Fatalf("%v with orders %q", v.Outcome, v.OrderIDs)
	case v.Outcome != Rejected && (v.Fields != nil || v.RetryAfter != 0):
		t.Fatalf("%v with fields %v and a rest of %v", v.Outcome, v.Fields, v.RetryAfter)
	case v.RetryAfter < 0 || v.RetryAfter > time.Hour:
		t.Fatalf("a rest of %v", v.RetryAfter)
	case v.Status != a.status:
		t.Fatalf("status %d of %d", v.Status, a.status)
	}
}

// units reports whether orders are as many as were asked for, each with an id of its own.
func units(orders []string, quantity int) bool {
	distinct := slices.Compact(slices.Sorted(slices.Values(orders)))
	return len(orders) == quantity && len(distinct) == quantity && !slices.Contains(orders, "")
}

// TestVerdictHolds tries answers that are nearly right.
func TestVerdictHolds(t *testing.T) {
	type code struct {
		status int
		says   string
	}
	codes := rapid.SampledFrom([]code{
		{200, "success"}, {200, "success"}, {200, "success"}, {200, "success"}, {200, "error"}, {201, "success"}, {200, "Success"},
		{403, "error"}, {400, "error"}, {404, "error"}, {400, "success"}, {400, ""}, {429, "error"}, {409, "error"}, {307, "success"}, {502, "error"},
	})
	id := rapid.SampledFrom(strings.Fields(`"a" "b" "c" "d" "e" "f" "g" "h" "i" 1 2 3 4 5 6 7 8 9 "1" "" null {}`))
	counts := rapid.SampledFrom([]string{"", "", "", "", `,"count":null`, `,"count":1`, `,"count":"2"`})
	causes := rapid.SampledFrom([]error{nil, nil, nil, nil, context.DeadlineExceeded, io.EOF})
	seen := map[Outcome]int{}
	try := func(t *rapid.T) {
		quantity, code := rapid.IntRange(1, 2).Draw(t, "quantity"), codes.Draw(t, "code")
		n := rapid.SampledFrom([]int{quantity, quantity, quantity, 0, 1, 3}).Draw(t, "orders")
		list := strings.Join(rapid.SliceOfN(id, n, n).Draw(t, "ids"), ",")
		body := fmt.Sprintf(`{"status":%q,"message":"x","data":{"order_ids":[%s]%s}}`, code.says, list, counts.Draw(t, "count"))
		if cut := rapid.IntRange(0, 8*len(body)).Draw(t, "cut"); cut < len(body) {
			body = body[:cut]
		}
		a := attempt{handed: rapid.Bool().Draw(t, "handed"), err: causes.Draw(t, "err"), status: code.status, body: []byte(body)}
		v := judge(a, quantity)
		prove(t, a, quantity, v)
		seen[v.Outcome]++
	}
	for round := 0; round == 0 || len(seen) < 4 && round < 10; round++ { // one round misses the rarest outcome now and then
		rapid.Check(t, try)
	}
	if len(seen) != 4 {
		t.Errorf("the answers that were tried prove only %v", seen)
	}
}

func FuzzVerdict(f *testing.F) {
	f.Add(true, 200, "", "", bought, 2)
	f.Add(true, 200, "", "", ids(`"a",1`), 2)
	f.Add(true, 200, "", "", success(`{"count":1e0,"order_ids":["a"],"ORDER_IDS":["b"]}`), 1)
	f.Add(true, 403, "", "", failure("Insufficient balance"), 1)
	f.Add(true, 422, "", "", `{"status":"error","data":{"errors":{"1":["x"]}}}`, 1)
	f.Add(true, 429, "", "9223372037", "", 1)
	f.Add(true, 502, "", "", "<html>", 1)
	f.Add(false, 0, "refused", "", "", 1)
	f.Fuzz(func(t *testing.T, handed bool, status int, cause, wait, body string, quantity int) {
		if quantity < 1 {
			return // nobody buys nothing
		}
		a := attempt{handed: handed, status: status, header: http.Header{"Retry-After": {wait}}, body: []byte(body)}
		if cause != "" {
			a.err = errors.New(cause)
		}
		prove(t, a, quantity, judge(a, quantity))
	})
}

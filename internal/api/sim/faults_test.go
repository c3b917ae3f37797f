package sim_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"resellerbot/internal/api/sim"
)

// TestFaults: each kind does what it says, to every operation that spends.
func TestFaults(t *testing.T) {
	spending := map[string][2]string{
		"POST /products/purchase/{variantId}":               {"POST /products/purchase/11", `{"quantity":2}`},
		"POST /products/{product_id}/{variant_id}/purchase": {"POST /products/1/11/purchase", `{"quantity":2}`},
		"POST /arena/topup":                                 {"POST /arena/topup", `{"player_id":"1234567890","plan_id":"P-1"}`},
	}
	for name, c := range map[string]struct {
		fault sim.Fault
		done  bool
		check func(a answer)
	}{
		"lose":    {sim.Fault{Kind: sim.LoseAnswer}, true, func(a answer) { see(a.t, a.lost, "lost") }},
		"drop":    {sim.Fault{Kind: sim.DropRequest}, false, func(a answer) { see(a.t, a.lost, "lost") }},
		"delay":   {sim.Fault{Kind: sim.Delay, Delay: time.Hour}, true, func(a answer) { a.want("success", "status") }},
		"page":    {sim.Fault{Kind: sim.Status, Status: 502}, false, func(a answer) { isPage(a, 502) }},
		"done":    {sim.Fault{Kind: sim.StatusDone, Status: 504}, true, func(a answer) { isPage(a, 504) }},
		"garbage": {sim.Fault{Kind: sim.Garbage}, true, func(a answer) { see(a.t, a.code == 200 && !strings.HasSuffix(a.text, "}"), a.text) }},
		"forbid":  {sim.Fault{Kind: sim.Forbidden}, false, func(a answer) { isPage(a, 403) }},
		"limit": {sim.Fault{Kind: sim.RateLimit, Delay: 7 * time.Second}, false, func(a answer) {
			a.refused(429, "Too Many Requests")
			see(a.t, a.head.Get("Retry-After") == "7", "Retry-After")
		}},
		"limit plain": {sim.Fault{Kind: sim.RateLimit}, false, func(a answer) { see(a.t, a.head.Get("Retry-After") == "", "Retry-After") }},
		"error":       {sim.Fault{Kind: sim.ErrorAnswer, Status: 500}, false, func(a answer) { a.refused(500, "Internal Server Error") }},
		"upstream":    {sim.Fault{Kind: sim.ErrorAnswer, Status: 502}, false, func(a answer) { a.refused(502, "Upstream service unavailable") }},
		"error, done": {sim.Fault{Kind: sim.ErrorDone, Status: 500}, true, func(a answer) { a.refused(500, "Internal Server Error") }},
		"double ids":  {sim.Fault{Kind: sim.DoubleIDs}, true, func(a answer) { a.want("success", "status") }},
		"short count": {sim.Fault{Kind: sim.ShortCount}, true, func(a answer) { a.want("success", "status") }},
	} {
		for operation, call := range spending {
			t.Run(name+" "+operation, func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					s := newShop(t, sim.Options{Mode: sim.Both})
					c.fault.Operation, c.fault.Times = operation, 1
					s.Inject(c.fault)
					s.ok("GET /balance", "") // another operation
					c.check(s.do(call[0], call[1]))
					if bought := len(s.Purchases()) == 1; bought != c.done || s.Balance(mine).String() == "10000" == c.done {
						t.Errorf("bought: %v, the wallet holds %v", bought, s.Balance(mine))
					}
					s.ok(call[0], call[1]) // it was once
				})
			})
		}
	}
}

func see(t *testing.T, ok bool, what string) {
	t.Helper()
	if !ok {
		t.Errorf("it is not so: %s", what)
	}
}

func isPage(a answer, code int) {
	a.t.Helper()
	see(a.t, a.code == code && strings.HasPrefix(a.text, "<html>") && a.head.Get("Content-Type") == "text/html", a.text)
}

// TestMiscounts: what is named twice and what is left out.
func TestMiscounts(t *testing.T) {
	s := newShop(t, sim.Options{Mode: sim.Both})
	for _, c := range []struct {
		kind            sim.FaultKind
		current, legacy string
		trx, order      bool
	}{
		{sim.DoubleIDs, "[ORD-000001 ORD-000001 ORD-000002]", "[3 3 4]", true, true},
		{sim.ShortCount, "[ORD-000006]", "[8]", true, false},
	} {
		s.Inject(sim.Fault{Operation: sim.AnyOperation, Kind: c.kind, Times: 3})
		s.ok("POST /products/purchase/51", `{"quantity":2}`).want(c.current, "data", "order_ids")
		s.ok("POST /products/5/51/purchase", `{"quantity":2}`).want(c.legacy, "data", "purchased_items", idsOf("id"))
		a := s.ok("POST /arena/topup", `{"player_id":"1234567890","plan_id":"P-1"}`)
		see(t, (a.at("data", "transaction_id") != nil) == c.trx && (a.at("data", "order_id") != nil) == c.order, a.text)
	}
}

// TestFaultsReachEveryOperation, by name, whoever asks.
func TestFaultsReachEveryOperation(t *testing.T) {
	for _, op := range sim.Operations() {
		s := newShop(t, sim.Options{Mode: op.Generation})
		s.Inject(sim.Fault{Operation: op.Method + " " + op.Path, Kind: sim.Status, Status: 503, Times: 2})
		isPage(s.do(filled(op), ""), 503)
		isPage(s.as("", filled(op), ""), 503)
		see(t, s.do(filled(op), "").code != 503, op.Path+" is well after two faults")
	}
}

// TestSpendingAndClearing: the group of operations that cost money, and taking faults back.
func TestSpendingAndClearing(t *testing.T) {
	s := newShop(t, sim.Options{Mode: sim.Both})
	s.Inject(sim.Fault{Operation: sim.Spending, Kind: sim.Forbidden, Times: 3})
	s.ok("GET /balance", "")
	s.ok("POST /products/orders/retrieve", `{"order_ids":["x"]}`)
	isPage(s.do("POST /products/purchase/11", `{"quantity":1}`), 403)
	isPage(s.do("POST /products/1/11/purchase", `{"quantity":1}`), 403)
	s.ClearFaults()
	s.buy(11, 1, "")
}

// TestGoneBeforeTheDelay: what is delayed is done although the caller went away.
func TestGoneBeforeTheDelay(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newShop(t, sim.Options{})
		s.Inject(sim.Fault{Operation: sim.AnyOperation, Kind: sim.Delay, Delay: time.Hour, Times: 1})
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		r := httptest.NewRequestWithContext(ctx, http.MethodPost, "/api/products/purchase/11", strings.NewReader(`{"quantity":1}`))
		r.Header.Set("X-Api-Key", mine)
		begin := time.Now()
		s.ServeHTTP(httptest.NewRecorder(), r)
		see(t, time.Since(begin) == time.Minute && len(s.Purchases()) == 1, "bought after a minute")
	})
}

// TestTruthIsACopy: what a test does with a list changes nothing.
func TestTruthIsACopy(t *testing.T) {
	s := newShop(t, sim.Options{})
	s.buy(11, 1, "")
	all := s.Purchases()
	all[0].Quantity = 99
	s.Requests()["GET /balance"] = 7
	see(t, s.Purchases()[0].Quantity == 1 && s.Requests()["GET /balance"] == 0, "unchanged")
	see(t, slices.IsSortedFunc(s.Orders(), func(a, b sim.Order) int { return int(a.Number - b.Number) }), "oldest first")
}

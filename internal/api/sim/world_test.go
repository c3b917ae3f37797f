package sim_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"resellerbot/internal/api/sim"
)

// inWorld plays with a service of both generations in virtual time.
func inWorld(t *testing.T, o sim.Options, w sim.World, play func(*shop)) {
	t.Helper()
	o.Mode = sim.Both
	synctest.Test(t, func(t *testing.T) {
		s := newShop(t, o)
		s.SetWorld(w)
		play(s)
	})
}

// TestLags: each reading shows the state of a while ago, and what is done is done at once all the same.
func TestLags(t *testing.T) {
	w := sim.World{BalanceLag: time.Minute, ListLag: 2 * time.Minute, StatusLag: 3 * time.Minute, CounterLag: 4 * time.Minute}
	inWorld(t, sim.Options{}, w, func(s *shop) {
		pass(time.Hour)
		id := s.buy(14, 1, "")[0]
		s.holds("9900")
		seen := func(balance, listed string, code int, used string) {
			t.Helper()
			s.ok("GET /balance", "").want(balance, "data", "balance")
			s.ok("GET /account", "").want(balance, "data", "balance")
			s.ok("GET /account/balance", "").want(balance, "data", "balance")
			s.ok("GET /purchase-history", "").want(listed, "data", idsOf("id"))
			see(t, s.do("GET /products/order/"+id, "").code == code, "the order by its id")
			see(t, s.do("GET /orders/1", "").code == code, "the order by its number")
			see(t, len(s.ok("POST /products/orders/retrieve", `{"order_ids":["`+id+`"]}`).texts("data")) == map[int]int{200: 1}[code], "the order in a batch")
			s.ok("GET /stock", "").want(used, "data", idsOf("used"))
		}
		seen("10000", "[]", 404, "[2]")
		pass(time.Minute)
		seen("9900", "[]", 404, "[2]")
		pass(time.Minute)
		seen("9900", "[1]", 404, "[2]")
		pass(time.Minute)
		seen("9900", "[1]", 200, "[2]")
		pass(time.Minute)
		seen("9900", "[1]", 200, "[3]")
		s.SetWorld(sim.World{})
		s.Deposit(mine, "-50")
		s.ok("GET /balance", "").want("9850", "data", "balance")
	})
}

// TestStatusLags: a look at an order shows what it was.
func TestStatusLags(t *testing.T) {
	inWorld(t, sim.Options{}, sim.World{StatusLag: time.Minute, ListLag: 2 * time.Minute}, func(s *shop) {
		id := s.buy(11, 1, "")[0] // done in two seconds
		pass(time.Minute + time.Second)
		s.ok("GET /products/order/"+id, "").want("processing", "data", "status")
		pass(time.Second)
		s.ok("GET /products/order/"+id, "").want("completed", "data", "status")
		pass(59 * time.Second)
		s.ok("GET /purchase-history", "").want("[pending]", "data", idsOf("status"))
	})
}

// TestHolds: what an order in progress costs is held, and taken or let go at its end.
func TestHolds(t *testing.T) {
	inWorld(t, sim.Options{}, sim.World{Holds: true}, func(s *shop) { // of 10000, 1000 are held for ever
		wallet := func(balance, available string) {
			t.Helper()
			a := s.ok("GET /balance", "")
			a.want(balance, "data", "balance")
			a.want(available, "data", "available_balance")
			see(t, s.Available(mine).String() == available, "what can truly be spent")
		}
		good := s.buy(11, 1, "")[0]
		wallet("10000", "7749.5")
		see(t, s.order(good).Held, "held")
		pass(2 * time.Second)
		wallet("8749.5", "7749.5")
		s.buy(13, 1, "") // fails after a second, and is let go three seconds later
		wallet("8749.5", "7249.5")
		pass(3 * time.Second)
		wallet("8749.5", "7249.5")
		pass(time.Second)
		wallet("8749.5", "7749.5")
		s.ok("GET /account/balance", "").want("8749.5", "data", "balance")
		s.SetWorld(sim.World{Holds: true, LegacyAvailable: true})
		s.ok("GET /account/balance", "").want("7749.5", "data", "balance")
		manual := s.buy(61, 1, "")[0]
		pass(time.Hour)
		wallet("8749.5", "7449.5")
		s.must(s.Fail(manual, ""))
		wallet("8749.5", "7449.5")
		s.must(s.Refund(manual))
		wallet("8749.5", "7749.5")
		done := s.buy(61, 1, "")[0]
		s.must(s.Complete(done, "C", ""))
		wallet("8449.5", "7449.5")
		var kinds []string
		for _, e := range s.Entries(mine) {
			kinds = append(kinds, string(e.Kind))
		}
		if got := strings.Join(kinds, " "); got != "opened reserved captured reserved returned reserved returned reserved captured" {
			t.Errorf("the books say %s", got)
		}
	})
}

// TestCounters: what a variant without an allocation shows of one.
func TestCounters(t *testing.T) {
	inWorld(t, sim.Options{}, sim.World{ZeroCounters: true}, func(s *shop) {
		s.buy(11, 2, "")
		a := s.ok("GET /products/1/variants", "")
		a.want("0", "data", 0, "client_stock", "allocated")
		a.want("0", "data", 0, "client_stock", "used")
		a.want("0", "data", 0, "client_stock", "remaining")
		a.want("11", "data", 0, "client_stock", "variant_id")
	})
}

// TestLists: lists that fail, and lists that lack something.
func TestLists(t *testing.T) {
	inWorld(t, sim.Options{}, sim.World{ListStatus: 405}, func(s *shop) {
		s.buy(11, 1, "")
		s.ok("POST /products/1/11/purchase", `{"quantity":1}`)
		s.ok("POST /arena/topup", `{"player_id":"1234567890","plan_id":"P-1"}`)
		for _, list := range []string{"GET /purchase-history", "GET /arena/orders", "GET /battleroyale/history"} {
			isPage(s.do(list, ""), 405)
			s.SetWorld(sim.World{ListStatus: 403, ListEnveloped: true})
			s.do(list, "").refused(403, "Forbidden")
			s.SetWorld(sim.World{ListStatus: 405})
		}
		s.SetWorld(sim.World{ListHidesCurrent: true})
		s.ok("GET /purchase-history", "").want("[2]", "data", idsOf("id"))
		s.SetWorld(sim.World{ListMost: 1, ListBare: true})
		a := s.ok("GET /purchase-history", "")
		a.want("[2]", "data", idsOf("id"))
		a.want("[<nil>]", "data", idsOf("created_at"))
		a.want("[<nil>]", "data", idsOf("price"))
		s.ok("GET /arena/orders", "").want("[<nil>]", "data", idsOf("amount"))
	})
}

// TestCourses: codes that are late, orders that go back, fail first, and change their codes.
func TestCourses(t *testing.T) {
	inWorld(t, sim.Options{}, sim.World{Placeholder: "Pending…", CodeLag: time.Minute}, func(s *shop) {
		id := s.buy(11, 1, "")[0]
		look := func(status, key, has string) {
			t.Helper()
			a := s.ok("GET /products/order/"+id, "")
			a.want(status, "data", "status")
			a.want(key, "data", "key")
			a.want(has, "data", "has_key")
		}
		look("processing", "Pending…", "false")
		s.ok("GET /orders/1", "").want("Pending…", "data", "key")
		pass(2 * time.Second)
		look("completed", "Pending…", "false")
		pass(time.Minute)
		code := s.order(id).Code
		look("completed", code, "true")
		course := func(c sim.Course) {
			s.SetWorld(sim.World{Course: c, Detour: time.Minute})
			id = s.buy(11, 1, "")[0]
			pass(2 * time.Second)
		}
		course(sim.ErrorFirst)
		look("error", "<nil>", "false")
		s.ok("GET /purchase-history", "").want("canceled", "data", 0, "status")
		pass(time.Minute)
		look("completed", s.order(id).Code, "true")
		see(t, !s.order(id).Refunded, "not refunded")
		course(sim.GoesBack)
		look("completed", s.order(id).Code, "true")
		pass(20 * time.Second)
		look("processing", "<nil>", "false")
		pass(40 * time.Second)
		look("completed", s.order(id).Code, "true")
		course(sim.CodeChanges)
		codes := s.order(id).Codes
		look("completed", codes[0], "true")
		pass(time.Minute)
		look("completed", codes[1], "true")
		see(t, len(codes) == 2 && s.order(id).Code == codes[1] && codes[0] != codes[1], "both are told")
	})
}

// TestFails: orders fail for a while, and are refunded as it is said.
func TestFails(t *testing.T) {
	inWorld(t, sim.Options{}, sim.World{Fails: true, RefundAfter: time.Minute}, func(s *shop) {
		id := s.buy(11, 1, "")[0]
		s.SetWorld(sim.World{})
		pass(time.Minute)
		see(t, s.order(id).Status == "failed" && !s.order(id).Refunded, "failed, and not refunded yet")
		pass(2 * time.Second)
		see(t, s.order(id).Refunded, "refunded")
		s.holds("10000")
	})
}

// TestFamilyHidesCodes: the endpoint of a family may show less than that of all orders.
func TestFamilyHidesCodes(t *testing.T) {
	inWorld(t, sim.Options{}, sim.World{FamilyHidesCodes: true}, func(s *shop) {
		id := s.buy(41, 1, "")[0]
		pass(2 * time.Second)
		s.ok("GET /sportstv/order/"+id, "").want("<nil>", "data", "key")
		s.ok("GET /products/order/"+id, "").want(s.order(id).Code, "data", "key")
	})
}

// TestCrossedIDs: the generations number the same orders each by itself.
func TestCrossedIDs(t *testing.T) {
	inWorld(t, sim.Options{CrossedIDs: true}, sim.World{}, func(s *shop) {
		for range 3 {
			s.buy(11, 1, "")
		}
		s.ok("POST /products/1/14/purchase", `{"quantity":1}`).want("[6]", "data", "purchased_items", idsOf("id"))
		s.ok("GET /purchase-history", "").want("[6 5 4 3]", "data", idsOf("id"))
		s.ok("GET /products/order/3", "").want("3", "data", "order_id")
		see(t, s.order("3").Number == 5 && s.order("1").Number == 3, "two orders are called 3")
		s.do("GET /orders/1", "").refused(404, "Order not found")
	})
}

// TestKeys: two keys of one wallet, and a key that takes another's place.
func TestKeys(t *testing.T) {
	inWorld(t, sim.Options{}, sim.World{}, func(s *shop) {
		s.AddKey(mine, "KEY-second")
		s.buy(11, 1, "")
		s.as("KEY-second", "GET /balance", "").want("8749.5", "data", "balance")
		s.as("KEY-second", "GET /account", "").want("1", "data", "user_id")
		s.RotateKey(mine, "KEY-third")
		s.do("GET /balance", "").refused(401, "Invalid API key")
		s.as("KEY-third", "GET /purchase-history", "").want("[1]", "data", idsOf("id"))
		s.as("KEY-second", "GET /balance", "").want("8749.5", "data", "balance")
		see(t, s.Balance("KEY-third").Equal(s.Balance(mine)), "one wallet")
		see(t, s.SameAccount(mine, "KEY-third") && !s.SameAccount(mine, theirs) && !s.SameAccount("no", "none"), "one account")
	})
}

// TestSpends: every request that costs money is remembered with what came of it.
func TestSpends(t *testing.T) {
	inWorld(t, sim.Options{}, sim.World{}, func(s *shop) {
		begin := time.Now()
		spend := func(tag string, wait time.Duration) {
			ctx, cancel := context.WithTimeout(sim.Tagged(s.t.Context(), tag), wait)
			defer cancel()
			r := httptest.NewRequestWithContext(ctx, http.MethodPost, "/api/products/purchase/11", strings.NewReader(`{"quantity":1}`))
			r.Header.Set("X-Api-Key", mine)
			defer func() { _ = recover() }()
			s.ServeHTTP(httptest.NewRecorder(), r)
		}
		s.Inject(sim.Fault{Operation: sim.Spending, Kind: sim.Late, Delay: time.Hour, Times: 1})
		spend("late", time.Minute)
		see(t, time.Since(begin) == time.Minute && len(s.Purchases()) == 0, "silence, and nothing is done yet")
		s.Inject(sim.Fault{Operation: sim.Spending, Kind: sim.SilenceDone, Times: 1})
		spend("silent", time.Minute)
		see(t, time.Since(begin) == 2*time.Minute && len(s.Purchases()) == 1, "silence, and it is done")
		s.Inject(sim.Fault{Operation: sim.Spending, Kind: sim.Silence, Times: 1})
		spend("dropped", time.Minute)
		s.Inject(sim.Fault{Operation: sim.Spending, Kind: sim.Late, Delay: time.Minute, Status: 429, Times: 1})
		s.do("POST /products/purchase/11", `{"quantity":1}`).refused(429, "Too Many Requests")
		see(t, len(s.Purchases()) == 1, "refused, and not done yet")
		s.do("POST /products/purchase/12", `{"quantity":1}`).refused(400, "Product out of stock")
		_, err := s.Buy(mine, 11, 1, "outside")
		s.must(err)
		if _, err := s.Buy(mine, 12, 1, "outside"); err == nil || err.Error() != "Product out of stock" {
			t.Errorf("what is sold out is bought: %v", err)
		}
		pass(2 * time.Hour)
		var tags []string
		for _, p := range s.Purchases() {
			tags = append(tags, p.Tag)
		}
		all := s.Spends()
		see(t, strings.Join(tags, " ") == "silent outside  late", "in the order in which they happened")
		see(t, len(all) == 4 && all[0].Tag == "late" && all[0].Done.Equal(begin.Add(time.Hour)) && all[0].Purchase.OrderIDs[0] == "ORD-000004", "executed when it was due")
		see(t, all[3].Refusal == "Product out of stock" && all[3].Purchase == nil, "refused")
		see(t, s.order("ORD-000004").Tag == "late" && s.order("ORD-000004").At.Equal(begin.Add(time.Hour)), "the order knows it")
		see(t, s.Entries(mine)[1].Tag == "silent", "the books know it")
	})
}

// TestRemove: what is taken out is listed nowhere and cannot be bought; what was bought of it stays. The last variant takes its product along.
func TestRemove(t *testing.T) {
	inWorld(t, sim.Options{Mode: sim.Both}, sim.World{}, func(s *shop) {
		id := s.buy(11, 1, "")[0]
		s.Remove(11)
		s.Remove(11) // it is gone already
		s.Remove(41)
		for _, list := range []string{"GET /products/1/variants", "GET /products"} {
			if text := s.ok(list, "").text; strings.Contains(text, "5 USD") || strings.Contains(text, "Sports") {
				t.Errorf("it is listed still by %s: %s", list, text)
			}
		}
		s.ok("GET /products/order/"+id, "").want("5 USD", "data", "variant_name")
		if a := s.do("POST /products/purchase/11", `{"quantity":1}`); a.code != http.StatusNotFound {
			t.Errorf("what is gone is bought with %d %s", a.code, a.text)
		}
	})
}

// TestNames: an order keeps the name that it was bought by.
func TestNames(t *testing.T) {
	inWorld(t, sim.Options{}, sim.World{}, func(s *shop) {
		id := s.buy(11, 1, "")[0]
		s.SetName(11, "6 USD")
		s.ok("GET /products/1/variants", "").want("6 USD", "data", 0, "name")
		s.ok("GET /products/order/"+id, "").want("5 USD", "data", "variant_name")
	})
}

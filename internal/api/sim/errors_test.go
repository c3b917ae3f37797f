package sim_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"resellerbot/internal/api/sim"
)

// filled is an operation with something in the place of each parameter.
func filled(op sim.Operation) string {
	return op.Method + " " + strings.NewReplacer(
		"{productId}", "1", "{variantId}", "11", "{orderId}", "x", "{trxId}", "x", "{id}", "1", "{product_id}", "1", "{variant_id}", "11",
		"{order_id}", "1", "{type}", "adsl", "{number}", "021998877").Replace(op.Path)
}

// TestEveryOperationAsksWho: the key, its expiry and the address are checked everywhere, in this order.
func TestEveryOperationAsksWho(t *testing.T) {
	for _, op := range sim.Operations() {
		t.Run(fmt.Sprint(op.Generation, op.Method, op.Path), func(t *testing.T) {
			s := newShop(t, sim.Options{Mode: op.Generation})
			call := filled(op)
			s.as("", call, "").refused(401, "API key is required")
			s.as("nobody", call, "").refused(401, "Invalid API key")
			s.BlockAddress(mine, true)
			s.do(call, "").refused(403, "IP address not allowed")
			s.ExpireKey(mine)
			s.do(call, "").refused(401, "Invalid API key")
			s.as(theirs, call, `{"half`).field(400, "body")
			if n := len(s.Purchases()); n != 0 {
				t.Errorf("%d purchases were made", n)
			}
		})
	}
}

func TestExpiry(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newShop(t, sim.Options{})
		s.SetExpiry(mine, time.Now().Add(time.Minute))
		pass(time.Minute - 1)
		s.ok("GET /balance", "")
		pass(1)
		s.do("GET /balance", "").refused(401, "Invalid API key")
		s.SetExpiry(mine, time.Time{})
		s.ok("GET /balance", "")
	})
}

func TestWhitelist(t *testing.T) {
	s := newShop(t, sim.Options{})
	for _, c := range []struct {
		list []string
		in   bool
	}{
		{[]string{"192.0.2.7"}, true}, {[]string{"10.0.0.1", "192.0.2.7"}, true}, {[]string{"::ffff:192.0.2.7"}, true}, {nil, true},
		{[]string{"192.0.2.70"}, false}, {[]string{}, false}, {[]string{"nonsense"}, false},
	} {
		s.SetWhitelist(mine, c.list)
		if c.in {
			s.ok("GET /balance", "")
		} else {
			s.do("GET /balance", "").refused(403, "IP address not allowed")
		}
		s.as(theirs, "GET /balance", "").want("success", "status")
	}
}

func TestPurchaseErrors(t *testing.T) {
	s := newShop(t, sim.Options{})
	for _, body := range []string{"", `{}`, `{"quantity":0}`, `{"quantity":-1}`, `{"quantity":1.5}`, `{"quantity":"2"}`, `{"quantity":1e300}`, `{"quantity":501}`} {
		s.do("POST /products/purchase/11", body).field(400, "quantity")
	}
	s.do("POST /products/purchase/11", `[1]`).field(400, "body")
	s.do("POST /products/purchase/11", `{"quantity":21}`).refused(400, "Product out of stock")
	s.do("POST /products/purchase/12", `{"quantity":1}`).refused(400, "Product out of stock")
	s.do("POST /products/purchase/11", `{"quantity":8}`).refused(403, "Insufficient balance")
	for _, id := range []string{"99", "71", "x", "1", "-11"} {
		s.do("POST /products/purchase/"+id, `{"quantity":1}`).refused(404, "Product not found")
	}
	s.do("POST /products/purchase/21", `{"quantity":1,"2":"MENA"}`).field(400, "1")
	s.do("POST /products/purchase/21", `{"quantity":1,"1":"abc","2":"MENA"}`).field(400, "1")
	s.do("POST /products/purchase/21", `{"quantity":1,"1":"123","2":"Mars"}`).field(400, "2")
	s.do("POST /products/purchase/21", `{"quantity":1,"1":123,"2":"MENA"}`).field(400, "1")
	if len(s.Purchases()) != 0 || len(s.Orders()) != 0 {
		t.Error("something was bought")
	}
	s.holds("10000")
}

func TestReadErrors(t *testing.T) {
	s := newShop(t, sim.Options{})
	id := s.buy(11, 1, "")[0]
	for _, path := range []string{"99", "x", "7"} {
		s.do("GET /products/"+path+"/variants", "").refused(404, "Product not found")
	}
	s.do("GET /products/order/1", "").refused(404, "Order not found")
	s.as(theirs, "GET /products/order/"+id, "").refused(404, "Order not found")
	s.as(theirs, "POST /products/orders/retrieve", `{"order_ids":["`+id+`"]}`).want("[]", "data")
	for _, body := range []string{"", `{}`, `{"order_ids":[]}`, `{"order_ids":"x"}`, `{"order_ids":[1]}`} {
		s.do("POST /products/orders/retrieve", body).field(400, "order_ids")
	}
	s.do("GET /arena/status/x", "").refused(404, "Order not found")
	s.do("GET /battleroyale/status/x", "").refused(404, "Order not found")
	for _, call := range []string{"GET /", "GET /nothing", "POST /balance", "PUT /products", "GET /products/order/a/b"} {
		s.do(call, "").refused(404, "Not found")
	}
}

// TestLimits: 60 GETs and 30 POSTs in any minute, each key and method for itself.
func TestLimits(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newShop(t, sim.Options{GetPerMinute: 60, PostPerMinute: 30})
		const retrieve = "POST /products/orders/retrieve"
		for i := range 60 {
			s.ok("GET /balance", "")
			if i < 30 {
				s.ok(retrieve, `{"order_ids":["x"]}`)
			}
			pass(500 * time.Millisecond)
		}
		for range 3 { // refused calls do not count
			s.do("GET /account", "").refused(429, "Too Many Requests")
		}
		s.as(theirs, "GET /account", "").want("success", "status")
		pass(15 * time.Second) // 45 s: the first call is 45 s old
		s.do(retrieve, `{"order_ids":["x"]}`).refused(429, "Too Many Requests")
		s.do("GET /account", "").refused(429, "Too Many Requests")
		pass(15 * time.Second)
		s.ok("GET /account", "")
		s.ok(retrieve, `{"order_ids":["x"]}`)
		s.do("GET /account", "").refused(429, "Too Many Requests")
		pass(time.Minute)
		for range 60 {
			s.ok("GET /account", "")
		}
	})
}

func TestAddAccountRefuses(t *testing.T) {
	s := sim.New(sim.Options{})
	for _, spec := range []sim.AccountSpec{{Key: "a", Balance: "much"}, {Key: "a", Held: "some"}, {Key: "a", Mode: "newest"}} {
		if s.AddAccount(spec) == nil {
			t.Errorf("%+v was added", spec)
		}
	}
	if b := s.Balance("a"); b.Sign() != 0 {
		t.Errorf("an account that is not there holds %v", b)
	}
}

// TestSetters change what is listed and charged.
func TestSetters(t *testing.T) {
	s := newShop(t, sim.Options{})
	s.SetPrice(11, "99.95")
	s.SetStock(11, 1)
	a := s.ok("GET /products/1/variants", "")
	a.want("99.95", "data", 0, "price")
	a.want("1", "data", 0, "in_stock")
	s.buy(11, 1, "")
	s.holds("9900.05")
	s.do("POST /products/purchase/11", `{"quantity":1}`).refused(400, "Product out of stock")
	s.SetBalance(mine, "1")
	s.holds("1")
	if got := s.Requests()["POST /products/purchase/{variantId}"]; got != 2 {
		t.Errorf("%d purchases were counted, want 2", got)
	}
}

// TestOverTheNetwork: it is an ordinary handler.
func TestOverTheNetwork(t *testing.T) {
	s := newShop(t, sim.Options{BasePath: "/v9/api"})
	s.do("GET /balance", "").refused(404, "Not found") // it is not at /api
	srv := newServer(t, s.Server)
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, srv+"/v9/api/balance", nil)
	s.must(err)
	req.Header.Set("X-Api-Key", mine)
	resp, err := http.DefaultClient.Do(req)
	s.must(err)
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK || resp.Header.Get("Content-Type") != "application/json" {
		t.Errorf("got %d, %s", resp.StatusCode, resp.Header.Get("Content-Type"))
	}
}

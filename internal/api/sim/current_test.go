package sim_test

import (
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"resellerbot/internal/api/sim"
)

func TestCurrentCatalogue(t *testing.T) {
	s := newShop(t, sim.Options{})
	a := s.ok("GET /products", "")
	a.want("success", "status")
	if n := len(a.at("data").([]any)); n != 7 {
		t.Errorf("%d products are listed, want those that are active: 7", n)
	}
	a.want("map[]", "data", 0, "input_fields")
	a.want("false", "data", 0, "requires_input")
	a.want("4", "data", 0, "category_id")
	a.want("1250.5", "data", 0, "variants", 0, "price")
	a.want("DZD", "data", 0, "variants", 0, "currency")
	a.want("instant", "data", 0, "variants", 0, "delivery")
	a.want("false", "data", 0, "variants", 1, "available")
	a.want("3", "data", 0, "variants", 3, "client_stock", "remaining")
	a.want("active", "data", 0, "variants", 3, "client_stock", "status")
	a.want("2099-01-02T03:04:05Z", "data", 0, "variants", 3, "client_stock", "expires_at")
	a.want("topup", "data", 1, "kind")
	a.want("[Europe MENA]", "data", 1, "input_fields", "2", "options")
	if strings.Contains(a.text, `"kind":""`) {
		t.Error("an empty kind is listed")
	}
	v := s.ok("GET /products/1/variants", "")
	if n := len(v.at("data").([]any)); n != 3 {
		t.Errorf("%d variants are listed, want those that are available: 3", n)
	}
	v.want("11", "data", 0, "id")
}

func TestCurrentPurchase(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newShop(t, sim.Options{})
		a := s.ok("POST /products/purchase/11", `{"quantity":2,"key_id":5}`)
		a.want("[ORD-000001 ORD-000002]", "data", "order_ids")
		a.want("2", "data", "count")
		s.holds("7499")
		s.ok("GET /products/1/variants", "").want("18", "data", 0, "in_stock")
		one := s.ok("GET /products/order/ORD-000001", "")
		one.want("ORD-000001", "data", "order_id")
		one.want("Card", "data", "product_name")
		one.want("5 USD", "data", "variant_name")
		one.want("processing", "data", "status")
		one.want("false", "data", "has_key")
		one.want("<nil>", "data", "key")
		one.want("1250.5", "data", "price")
		one.want(time.Now().UTC().Format(time.RFC3339), "data", "created_at")
		one.want(strconv.FormatInt(time.Now().Unix(), 10), "data", "purchase_timestamp")

		pass(2 * time.Second)
		code := s.order("ORD-000001").Code
		many := s.ok("POST /products/orders/retrieve", `{"order_ids":["ORD-000002","ORD-000001","ORD-000009"]}`)
		if n := len(many.at("data").([]any)); n != 2 {
			t.Errorf("%d orders came, want 2", n)
		}
		many.want("completed", "data", 1, "status")
		many.want("true", "data", 1, "has_key")
		many.want(code, "data", 1, "key")
		if len(code) != 19 {
			t.Errorf("the code is %q", code)
		}
		if p := s.Purchases(); len(p) != 1 || p[0].Quantity != 2 || p[0].Total.String() != "2501" || len(p[0].OrderIDs) != 2 {
			t.Errorf("the purchases are %+v", p)
		}
	})
}

func TestCurrentAccount(t *testing.T) {
	s := newShop(t, sim.Options{})
	a := s.ok("GET /account", "")
	a.want("1", "data", "user_id")
	a.want("Mine", "data", "name")
	a.want("mine@example.com", "data", "email")
	a.want("10000", "data", "balance")
	a.want("9000", "data", "available_balance")
	b := s.ok("GET /balance", "")
	b.want("map[available_balance:9000 balance:10000]", "data")
}

// TestAllocationIsPerClient: a purchase consumes the buyer's units and nobody else's.
func TestAllocationIsPerClient(t *testing.T) {
	s := newShop(t, sim.Options{})
	s.buy(14, 2, "")
	a := s.ok("GET /stock", "")
	a.want("1", "data", 0, "remaining")
	a.want("4", "data", 0, "used")
	a.want("14", "data", 0, "variant_id")
	a.want("1", "data", 0, "product_id")
	a.want("Card", "data", 0, "product_name")
	a.want("allocated", "data", 0, "variant_name")
	s.as(theirs, "GET /stock", "").want("3", "data", 0, "remaining")
	s.do("POST /products/purchase/14", `{"quantity":2}`).refused(400, "Product out of stock")
	s.buy(14, 1, "")
	s.do("POST /products/purchase/14", `{"quantity":1}`).refused(400, "Product out of stock")
}

func TestAllocationLapses(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newShop(t, sim.Options{})
		s.AddProduct(sim.ProductSpec{ID: 9, Name: "Brief", Variants: []sim.VariantSpec{
			{ID: 91, Name: "one", Price: "1", InStock: 9, Allocated: 9, ExpiresAt: time.Now().Add(time.Hour)}}})
		s.buy(91, 1, "")
		pass(time.Hour)
		s.do("POST /products/purchase/91", `{"quantity":1}`).refused(400, "Product out of stock")
		s.ok("GET /stock", "").want("expired", "data", 1, "status")
	})
}

func TestVerify(t *testing.T) {
	s := newShop(t, sim.Options{})
	for body, want := range map[string]string{
		`{"1":"1234567890","2":"MENA"}`:     "map[player_name:Amine region:MENA status:valid]",
		`{"1":"9999999999","2":"MENA"}`:     "map[player_name:<nil> region:<nil> status:invalid]",
		`{"1":"8888888888","2":"MENA"}`:     "map[player_name:<nil> region:<nil> status:unknown]",
		`{"1":"0234567890","2":"MENA"}`:     "map[player_name:<nil> region:<nil> status:invalid]",
		`{"1":"1234567890","2":"Atlantis"}`: "map[player_name:<nil> region:<nil> status:invalid]",
	} {
		s.ok("POST /catalog/2/verify", body).want(want)
	}
	first := s.ok("POST /catalog/2/verify", `{"1":"777123","2":"MENA"}`)
	first.want("valid", "status")
	if again := s.ok("POST /catalog/2/verify", `{"1":"777123","2":"MENA"}`); again.text != first.text || first.at("player_name") == "" {
		t.Errorf("the same id is %s and then %s", first.text, again.text)
	}
	other := newShop(t, sim.Options{Seed: 99})
	if again := other.ok("POST /catalog/2/verify", `{"1":"777123","2":"MENA"}`); again.text == first.text {
		t.Errorf("another seed has the same %s", first.text)
	}
	s.do("POST /catalog/2/verify", `{"1":"1234567890"}`).field(422, "2")
	s.do("POST /catalog/1/verify", `{}`).refused(404, "Product not found")
	s.do("POST /catalog/99/verify", `{}`).refused(404, "Product not found")
	s.as("", "POST /catalog/2/verify", `{}`).refused(401, "API key is required")
}

// TestTopUpOfTheCatalogue: it goes to the player, brings no code, and fails for one who does not exist.
func TestTopUpOfTheCatalogue(t *testing.T) {
	s := newShop(t, sim.Options{})
	id := s.buy(21, 1, `,"1":"1234567890","2":"MENA"`)[0]
	if o := s.order(id); o.Status != "completed" || o.Code != "" {
		t.Errorf("the order is %+v", o)
	}
	if p := s.Purchases()[0]; p.Player != "1234567890" || p.Inputs["2"] != "MENA" {
		t.Errorf("the purchase is %+v", p)
	}
	s.ok("GET /products/order/"+id, "").want("false", "data", "has_key")
	bad := s.buy(21, 1, `,"1":"9999999999","2":"MENA"`)[0]
	if o := s.order(bad); o.Status != "failed" || !o.Refunded {
		t.Errorf("the order for nobody is %+v", o)
	}
	s.holds("9360")
}

func TestBattleRoyale(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newShop(t, sim.Options{})
		s.ok("POST /battleroyale/check-player", `{"player_id":"1234567890"}`).want("Amine", "data", "player_name")
		s.do("POST /battleroyale/check-player", `{"player_id":"9999999999"}`).refused(404, "Player not found")
		s.do("POST /battleroyale/check-player", `{"player_id":"0123"}`).refused(404, "Player not found")
		s.do("POST /battleroyale/check-player", `{"player_id":"8888888888"}`).refused(502, "Upstream service unavailable")
		s.do("POST /battleroyale/check-player", `{}`).field(400, "player_id")
		id := s.buy(31, 1, `,"1":"1234567890"`)[0]
		s.ok("GET /battleroyale/status/"+id, "").want("pending", "data", "status")
		pass(2 * time.Second)
		a := s.ok("GET /battleroyale/status/"+id, "")
		a.want("success", "data", "status")
		a.want("Amine", "data", "player_name")
		s.ok("GET /products/order/"+id, "").want("completed", "data", "status")
		s.ok("GET /battleroyale/history", "").want(id, "data", 0, "order_id")
		s.as(theirs, "GET /battleroyale/history", "").want("[]", "data")
		s.as(theirs, "GET /battleroyale/status/"+id, "").refused(404, "Order not found")
		s.do("GET /sportstv/order/"+id, "").refused(404, "Order not found")
		if p := s.Purchases()[0]; p.Family != "battleroyale" || p.Player != "1234567890" || s.order(id).Family != "battleroyale" {
			t.Errorf("the purchase is %+v", p)
		}
	})
}

func TestSportsTV(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newShop(t, sim.Options{})
		id := s.buy(41, 1, "")[0]
		s.ok("GET /sportstv/order/"+id, "").want("pending", "data", "status")
		pass(2 * time.Second)
		a := s.ok("GET /sportstv/order/"+id, "")
		a.want("success", "data", "status")
		a.want(s.order(id).Code, "data", "key")
		s.ok("GET /products/order/"+id, "").want(s.order(id).Code, "data", "key")
		s.do("GET /sportstv/order/nothing", "").refused(404, "Order not found")
	})
}

func TestInternet(t *testing.T) {
	s := newShop(t, sim.Options{})
	a := s.ok("GET /internet/check-number/adsl/021998877", "")
	a.want("Karim", "data", "name")
	a.want("valid", "data", "status")
	s.ok("GET /internet/check-number/4g/0550123456", "")
	s.do("GET /internet/check-number/dialup/021998877", "").field(400, "type")
	s.do("GET /internet/check-number/adsl/12", "").field(400, "number")
	s.do("GET /internet/check-number/adsl/921998877", "").field(400, "number")
	s.do("GET /internet/check-number/adsl/001998877", "").refused(404, "Number not found")
	s.do("GET /internet/check-number/adsl/021998878", "").refused(502, "Upstream service unavailable")
	if id := s.buy(51, 1, "")[0]; s.order(id).Family != "internet" {
		t.Error("the order is of no family")
	}
}

// TestArenaOfTheCatalogue: an arena product that was bought in Current is followed by either id.
func TestArenaOfTheCatalogue(t *testing.T) {
	s := newShop(t, sim.Options{})
	id := s.buy(81, 1, `,"1":"1234567890"`)[0]
	trx := s.order(id).TransactionID
	for _, name := range []string{id, trx} {
		a := s.ok("GET /arena/status/"+name, "")
		a.want(trx, "data", "transaction_id")
		a.want("success", "data", "status")
	}
	s.as(theirs, "GET /arena/status/"+trx, "").refused(404, "Order not found")
}

// TestManual: a manual order waits for a person, whatever time passes.
func TestManual(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newShop(t, sim.Options{})
		ids := s.buy(61, 2, "")
		s.HoldOrders(true)
		s.HoldOrders(false)
		pass(time.Hour)
		s.ok("GET /products/order/"+ids[0], "").want("pending", "data", "status")
		s.must(s.Fulfil(ids[0], "CODE-1", "thank you"))
		a := s.ok("GET /products/order/"+ids[0], "")
		a.want("completed", "data", "status")
		a.want("CODE-1", "data", "key")
		s.must(s.CancelOrder(ids[1], "sold out"))
		s.ok("GET /products/order/"+ids[1], "").want("canceled", "data", "status")
		s.holds("9400")
		pass(5 * time.Second)
		s.holds("9700")
		if o := s.order(ids[1]); !o.Refunded || o.Status != "canceled" || o.Notes != "sold out" || o.Code != "" {
			t.Errorf("the canceled order is %+v", o)
		}
		for _, id := range []string{ids[0], ids[1], "nothing", s.buy(11, 1, "")[0]} {
			if s.Fulfil(id, "again", "") == nil || s.CancelOrder(id, "") == nil {
				t.Errorf("order %s was decided although it does not wait", id)
			}
		}
		pass(time.Hour)
		s.holds("8449.5")
	})
}

// TestManualIsDecidedByPeople: not by what is said of its orders' time and luck.
func TestManualIsDecidedByPeople(t *testing.T) {
	s := newShop(t, sim.Options{})
	s.AddProduct(sim.ProductSpec{ID: 9, Name: "Odd", Type: "manual", Variants: []sim.VariantSpec{{ID: 91, Name: "one", Price: "100", InStock: 9, Fails: true}}})
	ids := s.buy(91, 2, "")
	s.must(s.Fulfil(ids[0], "", "done by phone"))
	s.must(s.CancelOrder(ids[1], ""))
	s.holds("9900")
	if o := s.order(ids[0]); o.Status != "completed" || o.Refunded || o.Code != "" {
		t.Errorf("the order is %+v", o)
	}
}

// TestRefundsComeBeforeChanges: a refund that was due is not added to a balance that was set later.
func TestRefundsComeBeforeChanges(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newShop(t, sim.Options{})
		s.buy(13, 1, "")
		pass(time.Hour)
		s.SetBalance(mine, "2000")
		s.holds("2000")
	})
}

// TestHeldOrders become ready when they are let go.
func TestHeldOrders(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newShop(t, sim.Options{})
		s.HoldOrders(true)
		id := s.buy(13, 1, "")[0]
		pass(time.Hour)
		if o := s.order(id); o.Status != "processing" || o.Refunded {
			t.Errorf("the held order is %+v", o)
		}
		s.HoldOrders(false)
		if o := s.order(id); o.Status != "failed" || o.Refunded {
			t.Errorf("the order that was let go is %+v", o)
		}
		pass(3 * time.Second)
		s.holds("10000")
	})
}

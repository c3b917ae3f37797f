package sim_test

import (
	"fmt"
	"regexp"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"resellerbot/internal/api/sim"
)

func TestLegacyCatalogue(t *testing.T) {
	s := newShop(t, sim.Options{Mode: sim.Legacy})
	a := s.ok("GET /products", "")
	a.want("map[is_available:true name:5 USD reseller_buy_price:1250.5 sell_price:1400]", "data", 0, "variants", 0)
	a.want("automatic", "data", 0, "type")
	a.want("manual", "data", 5, "type")
	if n := len(a.at("data").([]any)); n != 7 {
		t.Errorf("%d products are listed, want those that are active: 7", n)
	}
	one := s.ok("GET /products/1", "")
	one.want("map[id:12 is_available:false name:sold out reseller_buy_price:10 sell_price:110]", "data", "variants", 1)
	one.want("Card", "data", "name")
	s.do("GET /products/99", "").refused(404, "Product not found")
	s.do("GET /products/abc", "").refused(404, "Product not found")
	s.do("GET /products/7", "").refused(404, "Product is not active")
}

func TestLegacyPurchase(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newShop(t, sim.Options{Mode: sim.Legacy})
		a := s.ok("POST /products/1/11/purchase", `{"quantity":2}`)
		a.want("Purchase successful", "message")
		a.want("1", "data", "purchased_items", 0, "id")
		a.want("pending", "data", "purchased_items", 0, "status")
		a.want("http://example.com/api/orders/2", "data", "purchased_items", 1, "order_url")
		s.holds("7499")
		s.ok("GET /account/balance", "").want("map[balance:7499 currency:DZD]", "data")

		one := s.ok("GET /orders/1", "")
		one.want("automatic", "data", "type")
		one.want("pending", "data", "status")
		pass(2 * time.Second)
		one = s.ok("GET /orders/1", "")
		one.want("completed", "data", "status")
		one.want(s.order("1").Code, "data", "key")
		if strings.Contains(one.text, "notes") {
			t.Errorf("an automatic order has notes: %s", one.text)
		}
		history := s.ok("GET /purchase-history", "")
		history.want("2", "data", 0, "id")
		history.want("regular", "data", 0, "type")
		history.want("Card", "data", 0, "product_name")
		history.want("5 USD", "data", 0, "variant_name")
		history.want("1250.5", "data", 0, "price")
		s.as(theirs, "GET /purchase-history", "").want("[]", "data")

		s.as(theirs, "GET /orders/1", "").refused(403, "Unauthorized - Not your order")
		s.do("GET /orders/3", "").refused(404, "Order not found")
		s.do("GET /orders/0", "").refused(404, "Order not found")
		s.do("GET /orders/ORD-000001", "").refused(404, "Invalid order ID")
	})
}

func TestLegacyPurchaseErrors(t *testing.T) {
	s := newShop(t, sim.Options{Mode: sim.Legacy})
	s.do("POST /products/1/11/purchase", `{"quantity":8}`).refused(400, "Insufficient balance")
	s.do("POST /products/1/11/purchase", `{"quantity":21}`).refused(400, "Insufficient quantity available")
	s.do("POST /products/1/12/purchase", `{"quantity":1}`).refused(400, "Insufficient quantity available")
	for _, path := range []string{"/products/2/11", "/products/1/99", "/products/99/11", "/products/7/71", "/products/x/y"} {
		s.do("POST "+path+"/purchase", `{"quantity":1}`).refused(404, "Product or variant not found")
	}
	for _, body := range []string{"", `{}`, `{"quantity":0}`, `{"quantity":"1"}`} {
		s.do("POST /products/1/11/purchase", body).field(400, "quantity")
	}
	s.do("POST /products/2/21/purchase", `{"quantity":1}`).field(400, "1")
	if len(s.Purchases()) != 0 {
		t.Error("something was bought")
	}
	s.holds("10000")
}

// TestLegacyManual: keys and notes of manual orders (reseller-api.md, States, rule 2).
func TestLegacyManual(t *testing.T) {
	s := newShop(t, sim.Options{Mode: sim.Legacy})
	s.ok("POST /products/6/61/purchase", `{"quantity":2}`)
	one := s.ok("GET /orders/1", "")
	one.want("manual", "data", "type")
	one.want("pending", "data", "status")
	one.want("<nil>", "data", "notes")
	if strings.Contains(one.text, `"key"`) || !strings.Contains(one.text, `"notes"`) {
		t.Errorf("the pending order is %s", one.text)
	}
	if h := s.ok("GET /purchase-history", ""); strings.Count(h.text, `"key":null`) != 2 || strings.Contains(h.text, "notes") {
		t.Errorf("the history is %s", h.text)
	}
	s.must(s.Fulfil("1", "CODE-1", "by post"))
	s.must(s.CancelOrder("2", "none left"))
	one = s.ok("GET /orders/1", "")
	one.want("delivered", "data", "status")
	one.want("CODE-1", "data", "key")
	one.want("by post", "data", "notes")
	two := s.ok("GET /orders/2", "")
	two.want("canceled", "data", "status")
	two.want("none left", "data", "notes")
	if strings.Contains(two.text, `"key"`) {
		t.Errorf("the canceled order is %s", two.text)
	}
	s.ok("GET /purchase-history", "").want("manual", "data", 1, "type")
}

func TestAvailability(t *testing.T) {
	s := newShop(t, sim.Options{Mode: sim.Legacy})
	a := s.ok("POST /variants/check-availability", `{"variants":[11,12,71]}`)
	a.want("map[id:11 is_available:true name:5 USD product_id:1 product_name:Card]", "data", 0)
	a.want("false", "data", 1, "is_available")
	a.want("false", "data", 2, "is_available")
	s.do("POST /variants/check-availability", `{"variants":[11,999]}`).field(422, "variants.1")
	s.do("POST /variants/check-availability", `{"variants":["11"]}`).field(422, "variants.0")
	s.do("POST /variants/check-availability", `{"variants":[11.5]}`).field(422, "variants.0")
	s.do("POST /variants/check-availability", `{"variants":[]}`).field(422, "variants")
	s.do("POST /variants/check-availability", `{}`).field(422, "variants")
}

func TestArena(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newShop(t, sim.Options{Mode: sim.Both})
		s.ok("GET /arena/plans", "").want("map[id:1 item_id:I-1 plan_id:P-1 plan_name:110 gems plan_price:300 reseller_price:265.5]", "data", 0)
		s.ok("POST /arena/check-player", `{"player_id":"1234567890"}`).want("map[player_name:Amine region:MENA]", "data")
		a := s.ok("POST /arena/topup", `{"player_id":"1234567890","plan_id":"P-1"}`)
		a.want("Top-up order placed successfully", "message")
		trx := fmt.Sprint(a.at("data", "transaction_id"))
		if !regexp.MustCompile(`^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$`).MatchString(trx) {
			t.Errorf("the transaction id is %s", trx)
		}
		a.want("map[amount:265.5 created_at:"+time.Now().UTC().Format(time.DateTime)+" order_id:1 plan_name:110 gems player_id:1234567890 "+
			"player_name:Amine status:pending transaction_id:"+trx+"]", "data")
		s.holds("9734.5")
		pass(2 * time.Second)
		s.ok("GET /arena/orders/1", "").want("success", "data", "status")
		s.ok("GET /arena/status/"+trx, "").want("success", "data", "status")
		s.ok("POST /arena/topup", `{"player_id":"1234567890","plan_id":"P-2"}`).want("80", "data", "amount")
		s.ok("GET /arena/orders", "").want("[2 1]", "data", idsOf("order_id"))
		pass(time.Second)
		s.ok("GET /arena/orders/2", "").want("failed", "data", "status")
		s.holds("9654.5")
		pass(3 * time.Second)
		s.holds("9734.5")
		o := s.order("2")
		if o.Family != "arena" || !o.Refunded || o.TransactionID == "" || o.Status != "failed" {
			t.Errorf("the failed top-up is %+v", o)
		}
		p := s.Purchases()[0]
		if p.Family != "arena" || p.PlanID != "P-1" || p.Player != "1234567890" || p.Total.String() != "265.5" || p.OrderIDs[0] != "1" {
			t.Errorf("the purchase is %+v", p)
		}
		s.as(theirs, "GET /arena/orders/1", "").refused(404, "Order not found")
		s.as(theirs, "GET /arena/status/"+trx, "").refused(404, "Order not found")
		s.as(theirs, "GET /arena/orders", "").want("[]", "data")
		s.do("GET /arena/orders/x", "").refused(404, "Order not found")
		s.do("GET /orders/1", "").refused(404, "Order not found") // a top-up is none of the goods
		s.do("GET /products/order/1", "").refused(404, "Order not found")
	})
}

func TestArenaErrors(t *testing.T) {
	s := newShop(t, sim.Options{Mode: sim.Both})
	for _, op := range []string{"POST /arena/check-player", "POST /arena/topup"} {
		for _, id := range []string{"", "123", "12345678901", "123456789x", "١٢٣٤٥٦٧٨٩٠"} {
			s.do(op, `{"player_id":"`+id+`","plan_id":"P-1"}`).field(400, "player_id")
		}
		s.do(op, `{"player_id":1234567890,"plan_id":"P-1"}`).field(400, "player_id")
		s.do(op, `{"player_id":"9999999999","plan_id":"P-1"}`).refused(404, "Player not found")
		s.do(op, `{"player_id":"0123456789","plan_id":"P-1"}`).refused(404, "Player not found")
	}
	s.do("POST /arena/check-player", `{"player_id":"8888888888"}`).refused(502, "Upstream service unavailable")
	s.do("POST /arena/topup", `{"player_id":"1234567890"}`).field(400, "plan_id")
	s.do("POST /arena/topup", `{"player_id":"1234567890","plan_id":"P-9"}`).field(400, "plan_id")
	s.SetBalance(mine, "1265.4") // a thousand is held
	s.do("POST /arena/topup", `{"player_id":"1234567890","plan_id":"P-1"}`).refused(403, "Insufficient balance")
	if len(s.Purchases()) != 0 {
		t.Error("something was bought")
	}
	first := s.ok("POST /arena/check-player", `{"player_id":"5123456789"}`)
	if name := first.at("data", "player_name"); name == "" || s.ok("POST /arena/check-player", `{"player_id":"5123456789"}`).text != first.text {
		t.Errorf("a player that nobody added is %s", first.text)
	}
	s.SetBalance(mine, "5000")
	s.AddPlan(sim.PlanSpec{ID: 3, PlanID: "P-3", Name: "at once", Price: "1"})
	s.ok("POST /arena/topup", `{"player_id":"1234567890","plan_id":"P-3"}`).want("pending", "data", "status")
	s.ok("GET /arena/orders/1", "").want("success", "data", "status")
	s.ok("POST /arena/topup", `{"player_id":"5123456789","plan_id":"P-1"}`).want(fmt.Sprint(first.at("data", "player_name")), "data", "player_name")
}

package sim_test

import (
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"resellerbot/internal/api/sim"
)

// newServer serves a handler on this machine until the test ends.
func newServer(t *testing.T, h http.Handler) string {
	t.Helper()
	srv := httptest.NewServer(h)
	t.Cleanup(srv.Close)
	return srv.URL
}

// published are the tables of the document, as they stand there.
const published = `
current GET /products
current GET /products/{productId}/variants
current POST /catalog/{id}/verify
current POST /products/purchase/{variantId}
current GET /products/order/{orderId}
current POST /products/orders/retrieve
current GET /stock
current GET /account
current GET /balance
current POST /arena/check-player
current GET /arena/status/{trxId}
current POST /battleroyale/check-player
current GET /battleroyale/status/{orderId}
current GET /battleroyale/history
current GET /sportstv/order/{orderId}
current GET /internet/check-number/{type}/{number}
legacy GET /products
legacy GET /products/{id}
legacy POST /products/{product_id}/{variant_id}/purchase
legacy GET /purchase-history
legacy GET /orders/{order_id}
legacy GET /arena/plans
legacy POST /arena/check-player
legacy POST /arena/topup
legacy GET /arena/orders/{order_id}
legacy GET /arena/orders
legacy GET /account/balance
legacy POST /variants/check-availability
`

func TestOperationsAreThePublishedOnes(t *testing.T) {
	var got, names []string
	for _, op := range sim.Operations() {
		got = append(got, string(op.Generation)+" "+op.Method+" "+op.Path)
		names = append(names, op.Method+" "+op.Path)
	}
	if want := strings.Split(strings.TrimSpace(published), "\n"); !slices.Equal(got, want) {
		t.Errorf("the operations are\n%s", strings.Join(got, "\n"))
	}
	slices.Sort(names)
	routes := sim.Routes()
	slices.Sort(routes)
	if names = slices.Compact(names); !slices.Equal(routes, names) {
		t.Errorf("the routes are %v", routes)
	}
}

// TestModes: a mode serves its own paths and no others.
func TestModes(t *testing.T) {
	for _, mode := range []sim.Mode{sim.Current, sim.Legacy, sim.Both} {
		t.Run(string(mode), func(t *testing.T) {
			s := newShop(t, sim.Options{Mode: mode})
			served := map[string]bool{}
			for _, op := range sim.Operations() {
				served[filled(op)] = served[filled(op)] || mode == sim.Both || op.Generation == mode
			}
			for call, there := range served {
				a := s.do(call, "")
				missing := a.code == http.StatusNotFound && a.at("message") == "Not found"
				if missing == there {
					t.Errorf("%s: %d %s", call, a.code, a.text)
				}
			}
		})
	}
}

// TestModeOfAnAccount: a key may see another generation than the rest.
func TestModeOfAnAccount(t *testing.T) {
	s := newShop(t, sim.Options{Mode: sim.Current})
	s.must(s.AddAccount(sim.AccountSpec{Key: "old", Name: "Old", Mode: sim.Legacy}))
	s.as("old", "GET /account/balance", "").want("DZD", "data", "currency")
	s.as("old", "GET /balance", "").refused(404, "Not found")
	s.do("GET /account/balance", "").refused(404, "Not found")
	s.as("", "GET /account/balance", "").refused(404, "Not found")
}

// TestWhoseShapeTheCatalogueHas, where both generations have one.
func TestWhoseShapeTheCatalogueHas(t *testing.T) {
	for name, c := range map[string]struct {
		options sim.Options
		legacy  bool
	}{
		"current":               {sim.Options{}, false},
		"legacy":                {sim.Options{Mode: sim.Legacy}, true},
		"both":                  {sim.Options{Mode: sim.Both}, false},
		"both, as legacy lists": {sim.Options{Mode: sim.Both, BothListsLegacy: true}, true},
	} {
		t.Run(name, func(t *testing.T) {
			s := newShop(t, c.options)
			a := s.ok("GET /products", "")
			if strings.Contains(a.text, "reseller_buy_price") != c.legacy || strings.Contains(a.text, "in_stock") == c.legacy {
				t.Errorf("the catalogue is %s", a.text)
			}
			if n := s.Requests()["GET /products"]; n != 1 {
				t.Errorf("it was counted %d times", n)
			}
		})
	}
}

// TestBothSeeEachOther: an order of either generation is read through both.
func TestBothSeeEachOther(t *testing.T) {
	s := newShop(t, sim.Options{Mode: sim.Both})
	first := s.buy(31, 1, `,"1":"1234567890"`)[0]
	s.ok("POST /products/5/51/purchase", `{"quantity":1}`)
	s.ok("GET /orders/1", "").want("Royale", "data", "product_name")
	s.ok("GET /orders/2", "").want("Internet", "data", "product_name")
	s.do("GET /arena/orders/2", "").refused(404, "Order not found") // it is no top-up
	s.ok("GET /products/order/2", "").want("2", "data", "order_id")
	s.ok("GET /products/order/"+first, "")
	s.ok("GET /battleroyale/status/1", "").want(first, "data", "order_id")
	s.ok("GET /purchase-history", "").want("[2 1]", "data", idsOf("id"))
	if o := s.order(first); o.Number != 1 {
		t.Errorf("the order is %+v", o)
	}
}

package sim_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strconv"
	"testing"
	"testing/synctest"
	"time"

	"resellerbot/internal/api/sim"
)

// TestDemoCatalogue: the first ten products stay where they are, and everything of it can be bought.
func TestDemoCatalogue(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &shop{Server: sim.New(sim.Options{Mode: sim.Both, GetPerMinute: -1, PostPerMinute: -1}), t: t}
		s.must(s.AddAccount(sim.AccountSpec{Key: mine, Name: "Mine", Balance: "900000"}))
		s.DemoCatalogue()
		a := s.ok("GET /products", "")
		for i := range 15 {
			a.want(strconv.Itoa(i+1), "data", i, "id")
		}
		for variantID, inputs := range map[int]string{
			101: "", 401: `,"1":"1234567890","2":"MENA"`, 1101: `,"1":"51234567"`, 1201: `,"1":"123456789012"`, 1301: `,"1":"adsl","2":"021998877"`,
			1401: `,"1":"777001","2":"Asia"`, 1501: "",
		} {
			s.buy(variantID, 1, inputs)
		}
		for id, want := range map[string]string{"777001": "valid", "777002": "invalid", "777003": "unknown", "123456": "valid", "012345": "invalid"} {
			s.ok("POST /catalog/14/verify", `{"1":"`+id+`","2":"Asia"}`).want(want, "status")
		}
		s.ok("POST /catalog/11/verify", `{"1":"51234567"}`).want("Lina★", "player_name")
		s.ok("GET /internet/check-number/adsl/021998877", "").want("Karim B.", "data", "name")
		s.ok("GET /arena/plans", "").want("[ARENA-110 ARENA-583 ARENA-WEEK ARENA-BAD]", "data", idsOf("plan_id"))
		s.ok("POST /arena/topup", `{"player_id":"1234567890","plan_id":"ARENA-BAD"}`)
		s.SetPrice(1103, "350")
		s.buy(1103, 1, `,"1":"51234567"`)
		pass(time.Minute)
		waiting := 0
		for _, o := range s.Orders() {
			switch o.Status {
			case "completed", "success":
			case "pending":
				waiting++
			default:
				if !o.Refunded {
					t.Errorf("the order is %+v", o)
				}
			}
		}
		see(t, waiting == 1, "one order waits for a person")
	})
}

func Example() {
	service := sim.New(sim.Options{})
	service.AddProduct(sim.ProductSpec{ID: 1, Name: "Card", Variants: []sim.VariantSpec{{ID: 11, Name: "5 USD", Price: "1250.50", InStock: 3}}})
	if err := service.AddAccount(sim.AccountSpec{Key: "KEY-1", Name: "Shop", Balance: "5000"}); err != nil {
		fmt.Println(err)
	}
	r := httptest.NewRequestWithContext(context.Background(), http.MethodGet, "/api/balance", nil)
	r.Header.Set("X-Api-Key", "KEY-1")
	w := httptest.NewRecorder()
	service.ServeHTTP(w, r)
	fmt.Println(w.Code, w.Body)
	// Output: 200 {"data":{"available_balance":5000,"balance":5000},"message":"OK","status":"success"}
}

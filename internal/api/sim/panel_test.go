package sim_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"resellerbot/internal/api/sim"
)

// panel is a service with its panel.
type panel struct{ *shop }

// onPanel runs a test in virtual time.
func onPanel(t *testing.T, play func(p *panel)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) { play(&panel{newShop(t, sim.Options{Mode: sim.Both})}) })
}

// post asks the panel for something as a page of the same site does, and returns the answer.
func (p *panel) post(command string) (code int, said string) {
	p.t.Helper()
	r := httptest.NewRequestWithContext(p.t.Context(), http.MethodPost, "/", strings.NewReader(command))
	r.Header.Set("Sec-Fetch-Site", "same-origin")
	w := httptest.NewRecorder()
	p.Panel().ServeHTTP(w, r)
	return w.Code, strings.TrimSpace(w.Body.String())
}

// act asks for something that must be done.
func (p *panel) act(command string) {
	p.t.Helper()
	if code, said := p.post(command); code != http.StatusNoContent {
		p.t.Errorf("%s: HTTP %d, %s", command, code, said)
	}
}

// view reads the panel.
func (p *panel) view() (v sim.View) {
	p.t.Helper()
	w := httptest.NewRecorder()
	p.Panel().ServeHTTP(w, httptest.NewRequestWithContext(p.t.Context(), http.MethodGet, "/", nil))
	if w.Code != http.StatusOK || w.Header().Get("Content-Type") != "application/json" {
		p.t.Fatalf("HTTP %d, %s", w.Code, w.Header())
	}
	p.must(json.Unmarshal(w.Body.Bytes(), &v))
	return v
}

// account is what the panel shows of the account that is mine.
func (p *panel) account() sim.AccountView {
	p.t.Helper()
	v := p.view()
	i := slices.IndexFunc(v.Accounts, func(a sim.AccountView) bool { return a.Key == mine })
	if i < 0 {
		p.t.Fatal("the panel does not show the account")
	}
	return v.Accounts[i]
}

// shown is what the panel shows of an order.
func (p *panel) shown(id string) sim.OrderView {
	p.t.Helper()
	v := p.view()
	i := slices.IndexFunc(v.Orders, func(o sim.OrderView) bool { return o.ID == id })
	if i < 0 {
		p.t.Fatalf("the panel does not show order %s", id)
	}
	return v.Orders[i]
}

func TestPanelShows(t *testing.T) {
	onPanel(t, func(p *panel) {
		if a := p.account(); a != (sim.AccountView{Key: mine, Name: "Mine", Balance: "10000", Held: "1000", Mode: sim.Both}) {
			t.Errorf("the account is shown as %+v", a)
		}
		ids := p.buy(11, 2, "")
		manual := p.buy(61, 1, "")[0]
		p.ok("POST /arena/topup", `{"player_id":"1234567890","plan_id":"P-1"}`)
		v := p.view()
		if v.Purchases != 3 || len(v.Orders) != 4 || len(v.Products) == 0 || v.Products[0].Variants[0] != (sim.VariantView{ID: 11, Name: "5 USD", Price: "1250.5", Units: 18}) {
			t.Errorf("shown %+v", v)
		}
		if o := v.Orders[0]; o.What != "Arena, 110 gems" || o.Player != "1234567890" || o.Who != "Mine" || o.Price != "265.5" {
			t.Errorf("the top-up is shown as %+v", o)
		}
		if o := p.shown(ids[0]); o.State != "waiting" || o.Held || o.What != "Card, 5 USD" {
			t.Errorf("the order is shown as %+v", o)
		}
		<-time.After(3 * time.Second)
		if o := p.shown(ids[0]); o.State != "done" {
			t.Errorf("the order is shown as %+v", o)
		}
		p.SetBalance(mine, "100000")
		for range 4 { // what waits stays in sight
			p.buy(11, 4, "")
		}
		if o := p.shown(manual); o.State != "waiting" || !o.Held || !o.Manual {
			t.Errorf("the manual order is shown as %+v", o)
		}
	})
}

func TestPanelMoney(t *testing.T) {
	onPanel(t, func(p *panel) {
		p.act(`{"do":"move","key":"` + mine + `","amount":"250.50"}`)
		p.holds("10250.5")
		p.act(`{"do":"move","key":"` + mine + `","amount":"-1000"}`)
		p.holds("9250.5")
		p.act(`{"do":"variant","variant":11,"price":"77.7","units":3}`)
		a := p.ok("GET /products/1/variants", "")
		a.want("77.7", "data", 0, "price")
		a.want("3", "data", 0, "in_stock")
	})
}

// A key ends, is refused by its address, sees other generations, and all of that can be taken back.
func TestPanelKey(t *testing.T) {
	onPanel(t, func(p *panel) {
		p.act(`{"do":"expire","key":"` + mine + `","on":true}`)
		p.do("GET /balance", "").refused(401, "Invalid API key")
		see(t, p.account().Expired, "expired")
		p.act(`{"do":"expire","key":"` + mine + `"}`)
		p.act(`{"do":"block","key":"` + mine + `","on":true}`)
		p.do("GET /balance", "").refused(403, "IP address not allowed")
		see(t, p.account().Blocked, "blocked")
		p.act(`{"do":"block","key":"` + mine + `"}`)
		p.act(`{"do":"mode","key":"` + mine + `","mode":"legacy"}`)
		p.do("GET /balance", "").refused(404, "Not found")
		p.ok("GET /account/balance", "")
		see(t, p.account().Mode == sim.Legacy, "legacy")
		p.act(`{"do":"mode","key":"` + mine + `","mode":"current"}`)
		p.ok("GET /balance", "")
	})
}

// Orders end as a person decides; the money of one that failed comes back when he says so, once.
func TestPanelOrders(t *testing.T) {
	onPanel(t, func(p *panel) {
		p.act(`{"do":"hold","on":true}`)
		see(t, p.view().Holding, "holding")
		ids := p.buy(11, 2, "")
		unlucky := p.buy(13, 1, "")[0]
		manual := p.buy(61, 2, "")
		<-time.After(time.Minute)
		for _, id := range slices.Concat(ids, manual, []string{unlucky}) {
			if o := p.shown(id); o.State != "waiting" || !o.Held {
				t.Errorf("order %s is shown as %+v", id, o)
			}
		}
		before := p.Balance(mine)
		p.act(`{"do":"complete","order":"` + ids[0] + `"}`)
		p.act(`{"do":"complete","order":"` + unlucky + `"}`)
		p.act(`{"do":"complete","order":"` + manual[0] + `","code":" CODE-7 ","notes":"with care"}`)
		p.act(`{"do":"fail","order":"` + ids[1] + `","notes":"none left"}`)
		p.act(`{"do":"fail","order":"` + manual[1] + `"}`)
		<-time.After(time.Hour)
		if one, two := p.order(ids[0]), p.order(manual[0]); one.Code == "" || two.Code != "CODE-7" || two.Notes != "with care" {
			t.Errorf("the orders are %+v, %+v", one, two)
		}
		if one, two := p.order(ids[1]), p.order(manual[1]); one.Status != "failed" || one.Notes != "none left" || two.Status != "canceled" || p.Balance(mine) != before {
			t.Errorf("the orders are %+v, %+v; the wallet holds %v", one, two, p.Balance(mine))
		}
		p.act(`{"do":"refund","order":"` + ids[1] + `"}`)
		if o := p.shown(ids[1]); o.State != "refunded" || !p.Balance(mine).Equal(before.Add(p.order(ids[1]).Price)) {
			t.Errorf("the order is shown as %+v, and the wallet holds %v", o, p.Balance(mine))
		}
		p.refuses(`{"do":"refund","order":"`+ids[1]+`"}`, `{"do":"fail","order":"`+ids[0]+`"}`)
		p.act(`{"do":"hold"}`)
		see(t, !p.view().Holding, "not holding")
	})
}

func TestPanelWeather(t *testing.T) {
	onPanel(t, func(p *panel) {
		p.act(`{"do":"lose"}`)
		see(t, p.view().Weather["lose"] == 1, "the answer is about to be lost")
		p.ok("GET /balance", "")
		see(t, p.do("POST /products/purchase/11", `{"quantity":1}`).lost && len(p.Purchases()) == 1, "bought, and nobody was told")
		see(t, p.view().Weather["lose"] == 0 && p.view().Lost == 1, "lost")
		p.act(`{"do":"down"}`)
		isPage(p.do("GET /balance", ""), 502)
		see(t, p.view().Weather["down"] == 9, "one less")
		p.act(`{"do":"well"}`)
		p.ok("GET /balance", "")
		p.act(`{"do":"limit"}`)
		p.do("GET /balance", "").refused(429, "Too Many Requests")
		p.act(`{"do":"well"}`)
		p.act(`{"do":"timeout"}`)
		begin := time.Now()
		p.buy(11, 1, "")
		see(t, time.Since(begin) == 5*time.Minute, "late")
	})
}

func TestPanelRefuses(t *testing.T) {
	onPanel(t, func(p *panel) {
		p.refuses(
			`{"do":"move","key":"`+mine+`","amount":"much"}`, `{"do":"move","key":"`+mine+`","amount":"0"}`, `{"do":"dance"}`, `{}`, ``, `[]`,
			`{"do":"complete","order":"nothing"}`, `{"do":"fail"}`, `{"do":"refund","order":"nothing"}`, `{"do":"mode","key":"`+mine+`","mode":"future"}`,
			`{"do":"variant","variant":11,"price":"-1","units":1}`, `{"do":"variant","variant":11,"price":"x","units":1}`, `{"do":"variant","variant":11,"price":"1","units":-1}`,
		)
		p.holds("10000")
		for site, method := range map[string]string{"same-origin": http.MethodDelete, "cross-site": http.MethodPost} {
			r := httptest.NewRequestWithContext(t.Context(), method, "/", strings.NewReader(`{"do":"move","amount":"5","key":"`+mine+`"}`))
			r.Header.Set("Sec-Fetch-Site", site)
			w := httptest.NewRecorder()
			p.Panel().ServeHTTP(w, r)
			if w.Code != http.StatusMethodNotAllowed && w.Code != http.StatusForbidden {
				t.Errorf("%s: HTTP %d", method, w.Code)
			}
		}
		p.holds("10000")
	})
}

// refuses fails the test unless all of some commands are refused, and say why.
func (p *panel) refuses(commands ...string) {
	p.t.Helper()
	for _, c := range commands {
		if code, said := p.post(c); code != http.StatusBadRequest || said == "" {
			p.t.Errorf("%s: HTTP %d, %q", c, code, said)
		}
	}
}

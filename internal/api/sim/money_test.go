package sim_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"testing"
	"testing/synctest"
	"time"

	"pgregory.net/rapid"

	"resellerbot/internal/api/dzd"
	"resellerbot/internal/api/sim"
)

// ledger is what the two wallets must hold by the rules alone.
type ledger struct {
	s       *shop
	paid    map[string]dzd.Amount // put into the wallet from outside
	written int                   // purchases that answers told of or that were done unseen
}

// TestMoney: whatever is bought, in whatever way it goes wrong, no wallet is ever below zero, each holds
// what was put in less what was bought and more what was refunded, and each failure is refunded once.
func TestMoney(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		options := sim.Options{Mode: sim.Both, Seed: rapid.Uint64().Draw(rt, "seed"), Shapes: rapid.Uint64().Draw(rt, "shapes")}
		inBubble(t, options, func(s *shop) {
			l := &ledger{s: s, paid: map[string]dzd.Amount{mine: dzd.Int(10000), theirs: dzd.Int(10000)}}
			rt.Repeat(map[string]func(*rapid.T){
				"":        l.balanced,
				"buy":     l.buy,
				"fault":   l.fault,
				"decide":  l.decide,
				"pass":    func(rt *rapid.T) { pass(time.Duration(rapid.IntRange(1, 4000).Draw(rt, "ms")) * time.Millisecond) },
				"price":   l.reprice,
				"restock": func(rt *rapid.T) { s.SetStock(variant(rt), rapid.IntRange(0, 9).Draw(rt, "units")) },
				"hold":    func(rt *rapid.T) { s.HoldOrders(rapid.Bool().Draw(rt, "hold")) },
				"pay":     l.pay,
			})
			l.settled(rt)
		})
	})
}

// inBubble plays with a service in virtual time. What is thrown there is thrown again outside, where rapid
// waits for it.
func inBubble(t *testing.T, o sim.Options, play func(*shop)) {
	t.Helper()
	var thrown any
	synctest.Test(t, func(t *testing.T) {
		defer func() { thrown = recover() }()
		play(newShop(t, o))
	})
	if thrown != nil {
		panic(thrown)
	}
}

func (l *ledger) reprice(rt *rapid.T) {
	price := fmt.Sprintf("%d.%04d", rapid.IntRange(0, 3000).Draw(rt, "dinars"), rapid.IntRange(0, 9999).Draw(rt, "rest"))
	l.s.SetPrice(variant(rt), price)
}

func variant(rt *rapid.T) int64 {
	return rapid.SampledFrom([]int64{11, 13, 14, 21, 31, 41, 51, 61, 81}).Draw(rt, "variant")
}

// productOf is the product of a variant.
func productOf(variantID int64) int64 { return variantID / 10 }

func (l *ledger) buy(rt *rapid.T) {
	key := rapid.SampledFrom([]string{mine, theirs}).Draw(rt, "key")
	id, n := variant(rt), rapid.IntRange(-1, 12).Draw(rt, "quantity")
	player := rapid.SampledFrom([]string{"1234567890", "9999999999", "8888888888", "5123456789", "0123456789"}).Draw(rt, "player")
	body := fmt.Sprintf(`{"quantity":%d,"1":%q,"2":"MENA"}`, n, player)
	var a answer
	switch rapid.IntRange(0, 2).Draw(rt, "way") {
	case 0:
		a = l.s.as(key, fmt.Sprintf("POST /products/purchase/%d", id), body)
	case 1:
		a = l.s.as(key, fmt.Sprintf("POST /products/%d/%d/purchase", productOf(id), id), body)
	case 2:
		a = l.s.as(key, "POST /arena/topup", fmt.Sprintf(`{"player_id":%q,"plan_id":"P-%d"}`, player, 1+n&1))
	}
	before := l.written
	l.written = len(l.s.Purchases())
	var env struct{ Status string }
	if !a.lost && a.code == http.StatusOK && json.Unmarshal([]byte(a.text), &env) == nil && env.Status == "success" && l.written != before+1 {
		rt.Fatalf("a success made %d purchases: %s", l.written-before, a.text)
	}
	if l.written > before+1 {
		rt.Fatalf("one call made %d purchases", l.written-before)
	}
}

func (l *ledger) fault(rt *rapid.T) {
	l.s.Inject(sim.Fault{
		Operation: rapid.SampledFrom([]string{sim.AnyOperation, sim.Spending}).Draw(rt, "operation"), Times: 1,
		Kind: sim.FaultKind(rapid.IntRange(0, int(sim.ErrorDone)).Draw(rt, "kind")), Delay: time.Second, Status: http.StatusBadGateway,
	})
}

// decide ends the waiting of some manual order.
func (l *ledger) decide(rt *rapid.T) {
	for _, o := range l.s.Orders() {
		if o.Status != "pending" || o.Family == "arena" {
			continue
		}
		if rapid.Bool().Draw(rt, "fulfil") {
			l.s.must(l.s.Fulfil(o.ID, "CODE", ""))
		} else {
			l.s.must(l.s.CancelOrder(o.ID, ""))
		}
		return
	}
}

func (l *ledger) pay(rt *rapid.T) {
	key := rapid.SampledFrom([]string{mine, theirs}).Draw(rt, "key")
	more := dzd.Int(int64(rapid.IntRange(0, 500).Draw(rt, "dinars")))
	l.s.SetBalance(key, l.s.Balance(key).Add(more).String())
	l.paid[key] = l.paid[key].Add(more)
}

// balanced holds after every step.
func (l *ledger) balanced(rt *rapid.T) {
	want := map[string]dzd.Amount{mine: l.paid[mine], theirs: l.paid[theirs]}
	ofPurchases := map[string]dzd.Amount{}
	for _, p := range l.s.Purchases() {
		if len(p.OrderIDs) != p.Quantity {
			rt.Fatalf("%d orders of a purchase of %d", len(p.OrderIDs), p.Quantity)
		}
		for _, id := range p.OrderIDs {
			if _, twice := ofPurchases[id]; twice {
				rt.Fatalf("order %s is of two purchases", id)
			}
			ofPurchases[id] = dzd.Amount{}
		}
		want[p.Key] = want[p.Key].Sub(p.Total)
	}
	orders := l.s.Orders()
	if len(orders) != len(ofPurchases) {
		rt.Fatalf("%d orders of %d that were bought", len(orders), len(ofPurchases))
	}
	for _, o := range orders {
		if _, bought := ofPurchases[o.ID]; !bought {
			rt.Fatalf("nobody bought order %s", o.ID)
		}
		ofPurchases[o.ID] = o.Price
		if !o.Refunded {
			continue
		}
		want[o.Key] = want[o.Key].Add(o.Price)
		if o.Status != "failed" && o.Status != "canceled" || o.Code != "" {
			rt.Fatalf("a refunded order is %+v", o)
		}
	}
	for _, p := range l.s.Purchases() {
		var sum dzd.Amount
		for _, id := range p.OrderIDs {
			sum = sum.Add(ofPurchases[id])
		}
		if !sum.Equal(p.Total) {
			rt.Fatalf("a purchase of %v is of orders for %v", p.Total, sum)
		}
	}
	for key, amount := range want {
		if got := l.s.Balance(key); !got.Equal(amount) || got.Sign() < 0 {
			rt.Fatalf("%s holds %v, want %v", key, got, amount)
		}
	}
	if l.s.Balance(mine).Less(dzd.Int(1000)) {
		rt.Fatal("what is held was spent")
	}
}

// settled holds once all time has passed: every order that could end has, and every failure is refunded.
func (l *ledger) settled(rt *rapid.T) {
	l.s.HoldOrders(false)
	pass(time.Hour)
	for _, o := range l.s.Orders() {
		ended := o.Status == "failed" || o.Status == "canceled"
		if o.Status == "processing" || o.Refunded != ended {
			rt.Fatalf("after all time an order is %+v", o)
		}
	}
	l.balanced(rt)
}

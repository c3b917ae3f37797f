package main

import (
	"testing"
	"time"

	"resellerbot/internal/api/sim"
)

// crossed is a shop whose service serves both generations: its list calls orders otherwise than the answers to purchases
// do, and shows no code before they are done.
func crossed(h *house) {
	h.service = sim.New(sim.Options{Seed: 7, Mode: sim.Both})
	h.must(h.service.AddAccount(sim.AccountSpec{Key: testKey, Name: "Boutique El Djazair", UserID: 4101, Balance: "25000"}))
	people(h)
}

// refusesNext has the service refuse the next purchase, which it does not execute.
func (h *house) refusesNext() {
	h.service.Inject(sim.Fault{
		Operation: "POST /products/purchase/{variantId}", Times: 1, Kind: sim.ErrorAnswer, Status: 400, Message: "Product out of stock",
	})
}

// TestOrderOfAnAcceptedPurchaseIsNobodyElses: Karim's purchase never arrives, Sam's of the same good is accepted and takes
// hours, and as much leaves the wallet by something else. The one order that shows is Sam's: it is neither taken for
// Karim's nor offered for it.
func TestOrderOfAnAcceptedPurchaseIsNobodyElses(t *testing.T) {
	t.Parallel()
	inHouse(t, crossed, func(h *house) {
		h.link(sam)
		h.join(karim, h.invite(sam, "➕ Seller"))
		for range 4 { // it is known how late readings are
			h.order(sam, "Play Card", "10 USD", "1")
			h.tap(sam, "✅")
			h.pass(12 * time.Minute)
		}
		h.pass(2 * time.Hour)
		h.service.HoldOrders(true)
		h.service.Inject(sim.Fault{Operation: sim.Spending, Kind: sim.DropRequest, Times: 1})
		h.order(karim, "Play Card", "10 USD", "1")
		h.tap(karim, "✅")
		h.seeAny(karim, "Uncertain")
		h.order(sam, "Play Card", "10 USD", "1")
		h.see(sam, "Please check")
		h.tap(sam, "✅")
		h.pass(2 * time.Second)
		h.tapUnder("🛒 Karim", "⏭")
		h.pass(70 * time.Minute)
		h.service.Deposit(testKey, "-1250.50")
		h.pass(3 * time.Hour)
		h.tapUnder("🛒 Karim", "It is there")
		h.seeAny(sam, "may be another purchase's of this shop")
		h.must(h.service.Complete(h.service.Orders()[4].ID, "", ""))
		h.pass(time.Hour)
		if h.has(karim, h.service.Orders()[4].Code) || !h.has(sam, h.service.Orders()[4].Code) {
			t.Errorf("Sam's code went to Karim, whose purchase was never executed\n%s", h.transcript(karim))
		}
	})
}

// TestRefusalBesideAnotherPurchase: what was refused and not executed is not doubted because the same is bought
// afterwards, whenever that is, however long it takes, and whether or not the list ever shows whose order is whose.
func TestRefusalBesideAnotherPurchase(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		after    time.Duration
		codeless bool // the list never shows a code
	}{
		"at once": {after: 30 * time.Second}, "soon": {after: 3 * time.Minute}, "while it is watched": {after: 30 * time.Minute},
		"in a list without codes": {after: 2 * time.Minute, codeless: true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			odd := &oddService{}
			inHouse(t, oddly(crossed, odd), func(h *house) {
				h.link(sam)
				h.join(karim, h.invite(sam, "➕ Seller"))
				h.refusesNext()
				h.order(karim, "Play Card", "10 USD", "2")
				h.tap(karim, "✅")
				h.pass(c.after)
				if c.codeless {
					odd.change(func(a *oddAnswer) {
						if a.is("GET", "/purchase-history") {
							a.orders(func(o map[string]any) { o["key"] = nil })
						}
					})
				}
				h.service.HoldOrders(!c.codeless)
				h.order(sam, "Play Card", "10 USD", "2")
				h.tap(sam, "✅")
				h.pass(3 * time.Hour)
				if h.has(karim, "after all") || h.has(sam, "after all") {
					t.Errorf("what was not executed is doubted\n%s", h.transcript(karim))
				}
			})
		})
	}
}

// TestRefusalOfWhatWasExecuted: where the same is bought beside what was refused and executed all the same, one order
// more shows than is accounted for, and both are offered.
func TestRefusalOfWhatWasExecuted(t *testing.T) {
	t.Parallel()
	inHouse(t, crossed, func(h *house) {
		h.link(sam)
		h.join(karim, h.invite(sam, "➕ Seller"))
		h.service.HoldOrders(true)
		h.service.Inject(sim.Fault{
			Operation: "POST /products/purchase/{variantId}", Times: 1, Kind: sim.ErrorDone, Status: 400, Message: "Product out of stock",
		})
		h.order(karim, "Play Card", "10 USD", "1")
		h.telegram.TapButton(karim, karim, "✅")
		h.pass(time.Second)
		h.order(sam, "Play Card", "10 USD", "1")
		h.telegram.TapButton(sam, sam, "✅")
		h.pass(2 * time.Hour)
		h.seeAny(karim, "after all")
		h.tapUnder("🛒 Karim", "It is there")
		h.seeAny(sam, "2 orders in the service's list fit")
		h.seeAny(sam, "Another purchase of this shop may have one of them")
	})
}

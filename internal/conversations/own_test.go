package conversations_test

import (
	"testing"
	"time"

	"resellerbot/internal/api/sim"
	"resellerbot/internal/app/apptest"
	"resellerbot/internal/sampletest"
)

// refusesNext has the service refuse the next purchase, which it does not execute.
func refusesNext(h *apptest.Harness) {
	h.Service.Inject(sim.Fault{
		Operation: "POST /products/purchase/{variantId}", Times: 1, Kind: sim.ErrorAnswer, Status: 400, Message: "Product out of stock",
	})
}

// TestOrderOfAnAcceptedPurchaseIsNobodyElses: Karim's purchase never arrives, Sam's of the same good is accepted and takes
// hours, and as much leaves the wallet by something else. The one order that shows is Sam's: it is neither taken for
// Karim's nor offered for it.
func TestOrderOfAnAcceptedPurchaseIsNobodyElses(t *testing.T) {
	t.Parallel()
	sampletest.Slow(t)
	sampletest.MoreThanFew(t)
	apptest.Run(t, apptest.Crossed, func(h *apptest.Harness) {
		h.Link(apptest.Sam)
		h.Join(apptest.Karim, h.Invite(apptest.Sam, "➕ Seller"))
		for range 4 { // it is known how late readings are
			h.Order(apptest.Sam, "Play Card", "10 USD", "1")
			h.Tap(apptest.Sam, "✅")
			h.Pass(12 * time.Minute)
		}
		h.Pass(2 * time.Hour)
		h.Service.HoldOrders(true)
		h.Service.Inject(sim.Fault{Operation: sim.Spending, Kind: sim.DropRequest, Times: 1})
		h.Order(apptest.Karim, "Play Card", "10 USD", "1")
		h.Tap(apptest.Karim, "✅")
		h.SeeAny(apptest.Karim, "Uncertain")
		h.Order(apptest.Sam, "Play Card", "10 USD", "1")
		h.See(apptest.Sam, "Check before buying")
		h.Tap(apptest.Sam, "✅")
		h.Pass(2 * time.Second)
		h.TapUnder("🛒 Karim", "⏭")
		h.Pass(70 * time.Minute)
		h.Service.Deposit(apptest.TestKey, "-1250.50")
		h.Pass(3 * time.Hour)
		h.TapUnder("🛒 Karim", "It is there")
		h.SeeAny(apptest.Sam, "may belong to another purchase of this shop")
		h.Must(h.Service.Complete(h.Service.Orders()[4].ID, "", ""))
		h.Pass(time.Hour)
		if h.Has(apptest.Karim, h.Service.Orders()[4].Code) || !h.Has(apptest.Sam, h.Service.Orders()[4].Code) {
			t.Errorf("Sam's code went to Karim, whose purchase was never executed\n%s", h.Transcript(apptest.Karim))
		}
	})
}

// TestRefusalBesideAnotherPurchase: what was refused and not executed is not doubted because the same is bought
// afterwards, whenever that is, however long it takes, and whether or not the list ever shows whose order is whose.
func TestRefusalBesideAnotherPurchase(t *testing.T) {
	t.Parallel()
	sampletest.Slow(t)
	for name, c := range sampletest.SomeNamed(2, map[string]struct {
		after    time.Duration
		codeless bool // the list never shows a code
	}{
		"at once": {after: 30 * time.Second}, "soon": {after: 3 * time.Minute}, "while it is watched": {after: 30 * time.Minute},
		"in a list without codes": {after: 2 * time.Minute, codeless: true},
	}) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			odd := &apptest.OddService{}
			apptest.Run(t, apptest.Oddly(apptest.Crossed, odd), func(h *apptest.Harness) {
				h.Link(apptest.Sam)
				h.Join(apptest.Karim, h.Invite(apptest.Sam, "➕ Seller"))
				refusesNext(h)
				h.Order(apptest.Karim, "Play Card", "10 USD", "2")
				h.Tap(apptest.Karim, "✅")
				h.Pass(c.after)
				if c.codeless {
					odd.Change(func(a *apptest.OddAnswer) {
						if a.Is("GET", "/purchase-history") {
							a.Orders(func(o map[string]any) { o["key"] = nil })
						}
					})
				}
				h.Service.HoldOrders(!c.codeless)
				h.Order(apptest.Sam, "Play Card", "10 USD", "2")
				h.Tap(apptest.Sam, "✅")
				h.Pass(3 * time.Hour)
				if h.Has(apptest.Karim, "after all") || h.Has(apptest.Sam, "after all") {
					t.Errorf("what was not executed is doubted\n%s", h.Transcript(apptest.Karim))
				}
			})
		})
	}
}

// TestRefusalBesideARefund: a balance that has risen by a refund may, for a while, be an older one as well. The price of what was
// refused before is not in it either way, and nobody is asked about it.
func TestRefusalBesideARefund(t *testing.T) {
	sampletest.Slow(t)
	sampletest.MoreThanFew(t)
	t.Parallel()
	apptest.Run(t, apptest.Crossed, func(h *apptest.Harness) {
		h.Service.AddProduct(sim.ProductSpec{ID: 40, Name: "Unlucky Box", Variants: []sim.VariantSpec{
			{ID: 401, Name: "1 box", Price: "500", InStock: 5, Delay: time.Second, Fails: true, RefundAfter: 40 * time.Second},
		}})
		h.Link(apptest.Sam)
		h.Join(apptest.Karim, h.Invite(apptest.Sam, "➕ Seller"))
		refusesNext(h)
		h.Order(apptest.Karim, "Play Card", "10 USD", "2")
		h.Tap(apptest.Karim, "✅")
		h.Pass(45 * time.Second)
		h.Order(apptest.Sam, "Unlucky Box", "1 box", "1")
		h.Tap(apptest.Sam, "✅")
		h.Pass(3 * time.Hour)
		h.SeeAny(apptest.Sam, "The balance rose by what it cost")
		if h.Has(apptest.Karim, "after all") || h.Has(apptest.Sam, "after all") {
			t.Errorf("what was not executed is doubted\n%s", h.Transcript(apptest.Karim))
		}
	})
}

// TestRefusalOfWhatWasExecuted: where the same is bought beside what was refused and executed all the same, one order
// more shows than is accounted for. That is offered, and not the one of the number that is accounted for, spelled otherwise.
func TestRefusalOfWhatWasExecuted(t *testing.T) {
	sampletest.Slow(t)
	sampletest.MoreThanFew(t)
	t.Parallel()
	apptest.Run(t, apptest.Crossed, func(h *apptest.Harness) {
		h.Link(apptest.Sam)
		h.Join(apptest.Karim, h.Invite(apptest.Sam, "➕ Seller"))
		h.Service.HoldOrders(true)
		h.Service.Inject(sim.Fault{
			Operation: "POST /products/purchase/{variantId}", Times: 1, Kind: sim.ErrorDone, Status: 400, Message: "Product out of stock",
		})
		h.Order(apptest.Karim, "Play Card", "10 USD", "1")
		h.Telegram.TapButton(apptest.Karim, apptest.Karim, "✅")
		h.Pass(time.Second)
		h.Order(apptest.Sam, "Play Card", "10 USD", "1")
		h.Telegram.TapButton(apptest.Sam, apptest.Sam, "✅")
		h.Pass(2 * time.Hour)
		h.SeeAny(apptest.Karim, "after all")
		h.TapUnder("🛒 Karim", "It is there")
		h.SeeAny(apptest.Sam, "1 order in the supplier's list matches")
		h.SeeAny(apptest.Sam, "Another purchase of this shop may have one of them")
	})
}

package conversations_test

import (
	"strings"
	"testing"
	"time"

	"resellerbot/internal/api/sim"
	"resellerbot/internal/app/apptest"
	"resellerbot/internal/sampletest"
)

// TestPartOfAnOrderFails: of a purchase of which one unit failed, neither the phone's sound nor the message says that the
// whole of it failed, or was delivered, or what it cost is back: it is told of the one unit, in each language.
func TestPartOfAnOrderFails(t *testing.T) {
	t.Parallel()
	sampletest.Slow(t)
	for _, c := range []struct{ language, partly, back, units, listed string }{
		{"en", "delivered in part, see above", "a part of it failed. The balance rose by what that part cost", "The balance rose by DZD 1,250.50, what 1 of 3 cost.", "failed: 1 of 3 · the balance rose by DZD 1,250.50"},
		{"fr", "livrée en partie, voir plus haut", "une partie a échoué. Le solde a augmenté du montant payé pour elle", "Le solde a augmenté de 1 250,50 DA, le montant payé pour 1 sur 3.", "Échec : 1 sur 3 · le solde a augmenté de 1 250,50 DA"},
		{"ar", "تسليم جزئي، انظر أعلاه", "فشل جزء منه. ارتفع الرصيد بمقدار ثمن هذا الجزء", "ارتفع الرصيد بمقدار 1 250,50 د.ج، وهو ثمن 1 من 3.", "فشل: 1 من 3 · ارتفع الرصيد بمقدار 1 250,50 د.ج"},
	} {
		t.Run(c.language, func(t *testing.T) {
			t.Parallel()
			apptest.Run(t, apptest.Stock, func(h *apptest.Harness) {
				h.Link(apptest.Sam)
				h.Service.HoldOrders(true)
				h.Order(apptest.Sam, "Play Card", "10 USD", "3")
				chooseLanguage(h, apptest.Sam, c.language)
				h.Tap(apptest.Sam, "✅")
				h.Pass(20 * time.Minute)
				for i, o := range h.Service.Orders() {
					if i == 1 {
						h.Must(h.Service.Fail(o.ID, ""))
						continue
					}
					h.Must(h.Service.Complete(o.ID, "", ""))
				}
				h.SeeAny(apptest.Sam, c.partly)
				h.Must(h.Service.Refund(h.Service.Orders()[1].ID))
				h.Pass(30 * time.Minute)
				h.Say(apptest.Sam, "/orders")
				h.Pass(time.Second)
				for _, words := range []string{c.back, c.units, c.listed} {
					if !h.Has(apptest.Sam, words) {
						t.Errorf("nothing says %q:\n%s", words, h.Texts(apptest.Sam))
					}
				}
			})
		})
	}
}

// TestRefundBesideAnotherPurchase: a refund comes in the moment in which somebody else buys with the same account: the
// balance shows the sum of both. The chat is not told that the refund did not come, but that nobody can tell.
func TestRefundBesideAnotherPurchase(t *testing.T) {
	sampletest.Slow(t)
	sampletest.MoreThanFew(t)
	t.Parallel()
	apptest.Run(t, func(h *apptest.Harness) {
		apptest.Stock(h)
		h.Service.AddProduct(sim.ProductSpec{ID: 70, Name: "Unlucky Box", Variants: []sim.VariantSpec{
			{ID: 701, Name: "1 box", Price: "500", InStock: 5, Delay: time.Second, Fails: true, RefundAfter: 24 * time.Hour}}})
	}, func(h *apptest.Harness) {
		h.Link(apptest.Sam)
		h.Order(apptest.Sam, "Unlucky Box", "1 box", "1")
		h.Tap(apptest.Sam, "✅")
		h.SeeAny(apptest.Sam, "Its refund is awaited")
		h.Pass(2 * time.Minute) // its price is seen to be gone
		if _, err := h.Service.Buy(apptest.TestKey, 102, 2, "elsewhere"); err != nil {
			t.Fatal(err)
		}
		h.Must(h.Service.Refund(h.Service.Orders()[0].ID))
		h.Pass(3 * time.Hour)
		if h.Has(apptest.Sam, "I did not see DZD 500 come back") {
			t.Errorf("a refund that came is called missing:\n%s", h.Texts(apptest.Sam))
		}
		if n := count(h, apptest.Sam, "Its refund is awaited"); n != 1 {
			t.Errorf("the phone rang %d times for a refund that is awaited", n)
		}
		if !h.Has(apptest.Sam, "I cannot tell whether DZD 500 came back") {
			t.Errorf("nothing is said of the refund:\n%s", h.Texts(apptest.Sam))
		}
	})
}

// TestMoreCodesAreNotTheSame: a code that comes after the first ones were looked at again is not called one of those.
func TestMoreCodesAreNotTheSame(t *testing.T) {
	t.Parallel()
	apptest.Run(t, apptest.Stock, func(h *apptest.Harness) {
		h.Link(apptest.Sam)
		h.Service.HoldOrders(true)
		h.Order(apptest.Sam, "Play Card", "10 USD", "2")
		h.Tap(apptest.Sam, "✅")
		h.SeeAny(apptest.Sam, "Bought. The code")
		h.Must(h.Service.Complete(h.Service.Orders()[0].ID, "", ""))
		h.SeeAny(apptest.Sam, "first codes")
		h.Say(apptest.Sam, "/orders")
		h.Tap(apptest.Sam, "🕓")
		h.See(apptest.Sam, "same codes")
		h.Must(h.Service.Complete(h.Service.Orders()[1].ID, "", ""))
		own := h.SeeAny(apptest.Sam, h.Service.Orders()[1].Code)
		if text := apptest.Plain(own.Text); strings.Contains(text, "again") { // it has brought each of them
			t.Errorf("of a new code it is said: %s", text)
		}
	})
}

// TestTwoSoundsForAPartlyDeliveredPurchase: the phone rings for the first code and for the end; that the money of the rest
// is back is told without a sound.
func TestTwoSoundsForAPartlyDeliveredPurchase(t *testing.T) {
	sampletest.Slow(t)
	t.Parallel()
	apptest.Run(t, apptest.Stock, func(h *apptest.Harness) {
		h.Link(apptest.Sam)
		h.Service.HoldOrders(true)
		h.Order(apptest.Sam, "Play Card", "10 USD", "3")
		h.Tap(apptest.Sam, "✅")
		h.Pass(20 * time.Minute)
		orders := h.Service.Orders()
		for i, o := range orders {
			if i == 1 {
				h.Must(h.Service.Fail(o.ID, ""))
			} else {
				h.Must(h.Service.Complete(o.ID, "", ""))
			}
			h.Pass(20 * time.Minute)
		}
		h.Must(h.Service.Refund(orders[1].ID))
		h.Pass(30 * time.Minute)
		loud, silent := 0, 0
		for _, m := range ofBot(h, apptest.Sam) {
			switch {
			case !strings.HasPrefix(m.Text, "🔔"):
			case m.Silent:
				silent++
			default:
				loud++
			}
		}
		if loud != 2 || silent != 1 {
			t.Errorf("the phone rang %d times, and %d messages came without a sound:\n%s", loud, silent, h.Texts(apptest.Sam))
		}
	})
}

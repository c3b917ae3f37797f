package conversations_test

import (
	"testing"
	"time"

	"resellerbot/internal/app/apptest"
)

// TestPartOfAnOrderFails: of a purchase of which one unit failed, neither the phone's sound nor the message says that the
// whole of it failed, or was delivered, or what it cost is back: it is told of the one unit, in each language.
func TestPartOfAnOrderFails(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ language, partly, back, units string }{
		{"en", "delivered in part, see above", "a part of it failed. The balance rose by what that part cost", "The balance rose by DZD 1,250.50, what 1 of 3 cost."},
		{"fr", "livrée en partie, voir plus haut", "une partie a échoué. Le solde a augmenté du montant payé pour elle", "Le solde a augmenté de 1 250,50 DA, le montant payé pour 1 sur 3."},
		{"ar", "تسليم جزئي، انظر أعلاه", "فشل جزء منه. ارتفع الرصيد بمقدار ثمن هذا الجزء", "ارتفع الرصيد بمقدار 1 250,50 د.ج، وهو ثمن 1 من 3."},
	} {
		t.Run(c.language, func(t *testing.T) {
			t.Parallel()
			apptest.Run(t, apptest.Stock, func(h *apptest.Harness) {
				h.Link(apptest.Sam)
				h.Service.HoldOrders(true)
				h.Order(apptest.Sam, "Play Card", "10 USD", "3")
				h.Say(apptest.Sam, "/language")
				h.Tap(apptest.Sam, map[string]string{"en": "English", "fr": "Français", "ar": "العربية"}[c.language])
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
				for _, words := range []string{c.back, c.units} {
					if !h.Has(apptest.Sam, words) {
						t.Errorf("nothing says %q:\n%s", words, h.Texts(apptest.Sam))
					}
				}
			})
		})
	}
}

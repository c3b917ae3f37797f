package notify_test

import (
	"strings"
	"testing"
	"time"

	"resellerbot/internal/api/sim"
	"resellerbot/internal/app/apptest"
	"resellerbot/internal/sampletest"
	"resellerbot/internal/sandbox/tgsim"
	"resellerbot/internal/store"
)

// shelf sells a card whose stock changes.
func shelf(h *apptest.Harness) {
	h.Service.AddProduct(sim.ProductSpec{ID: 10, Name: "Play Card", Variants: []sim.VariantSpec{
		{ID: 101, Name: "10 USD", Price: "1000", InStock: 9}, {ID: 102, Name: "25 USD", Price: "2500", InStock: 90}}})
	h.Service.AddProduct(sim.ProductSpec{ID: 11, Name: "Other Card", Variants: []sim.VariantSpec{{ID: 111, Name: "1 USD", Price: "100", InStock: 1}}})
}

// keys is what stands on a message's buttons.
func keys(m tgsim.Message) string {
	var all []string
	for _, row := range m.Keyboard {
		for _, b := range row {
			all = append(all, b.Text)
		}
	}
	return strings.Join(all, " | ")
}

// TestLowInTheCatalogue: a product that was chosen speaks when few units are left, and when none is, once each, with a way to it;
// products that were not chosen are silent.
func TestLowInTheCatalogue(t *testing.T) {
	t.Parallel()
	for lang, words := range sampletest.SomeNamed(3, map[string][5]string{
		"en": {"Watch this product", "Low stock", "fewer than 5", "In stock: only 4", "Out of stock"},
		"fr": {"Suivre ce produit", "Stock bas", "moins de 5", "En stock : plus que 4", "Stock épuisé"},
		"ar": {"متابعة المنتج", "عند انخفاض المخزون", "أقل من 5", "في المخزون: 4 فقط", "غير متوفر حاليًا"},
	}) {
		t.Run(lang, func(t *testing.T) {
			t.Parallel()
			apptest.Run(t, func(h *apptest.Harness) {
				shelf(h)
				h.Telegram.SetLanguage(apptest.Sam, lang)
			}, func(h *apptest.Harness) {
				h.Link(apptest.Sam)
				h.Say(apptest.Sam, "/buy play")
				h.Tap(apptest.Sam, words[0])
				h.See(apptest.Sam, words[2])
				h.Tap(apptest.Sam, words[1])
				h.Say(apptest.Sam, "/alerts")
				if listed := h.See(apptest.Sam, "Play Card"); !strings.Contains(apptest.Plain(listed.Text), "< 5") || !strings.Contains(keys(listed), "🔔 Play Card") {
					t.Errorf("/alerts does not tell of it: %s, %s", listed.Text, keys(listed))
				}
				h.Pass(31 * time.Minute)
				if h.Has(apptest.Sam, "⛔") || h.Alerted("Other Card") != 0 {
					t.Errorf("something spoke too early:\n%s", h.Transcript(apptest.Sam))
				}
				h.Service.SetStock(101, 4)
				h.Pass(31 * time.Minute)
				if m := h.See(apptest.Sam, words[3]); !strings.Contains(keys(m), "🛍 Play Card") {
					t.Errorf("no way leads to it: %s", keys(m))
				}
				h.Service.SetStock(101, 3)
				h.Pass(31 * time.Minute)
				if n := h.Alerted("10 USD"); n != 1 {
					t.Errorf("it spoke %d times", n)
				}
				h.Service.SetStock(101, 40)
				h.Pass(31 * time.Minute)
				h.Service.SetStock(101, 0)
				h.Pass(31 * time.Minute)
				h.See(apptest.Sam, words[4])
				h.Tap(apptest.Sam, "🛍 Play Card")
				if m := h.See(apptest.Sam, "Play Card"); !strings.Contains(keys(m), "25 USD") {
					t.Errorf("the button leads elsewhere: %s, %s", m.Text, keys(m))
				}
			})
		})
	}
}

// onWatchedLegacyShelf runs a test in which Sam, on the Legacy interface, is told when a product of the shelf is low.
func onWatchedLegacyShelf(t *testing.T, body func(*apptest.Harness, *apptest.FailingEngine)) {
	t.Helper()
	disk := &apptest.FailingEngine{}
	apptest.Run(t, func(h *apptest.Harness) {
		shelf(h)
		h.Engine = func(e store.Engine) store.Engine { disk.Engine = e; return disk }
		h.Must(h.Service.AddAccount(sim.AccountSpec{Key: apptest.LegacyTestKey, Name: "Old shop", Mode: sim.Legacy, UserID: 4102, Balance: "25000"}))
	}, func(h *apptest.Harness) {
		h.LinkLegacy(apptest.Sam)
		h.Say(apptest.Sam, "/buy play")
		h.Tap(apptest.Sam, "Watch this product")
		h.Tap(apptest.Sam, "Low stock")
		h.Pass(31 * time.Minute)
		body(h, disk)
	})
}

// TestLowWhereNoNumberIsTold: on the Legacy interface, which tells no number and no ids in its list, none is what is told, and
// none again after it was there.
func TestLowWhereNoNumberIsTold(t *testing.T) {
	sampletest.Slow(t)
	sampletest.MoreThanFew(t)
	t.Parallel()
	onWatchedLegacyShelf(t, func(h *apptest.Harness, _ *apptest.FailingEngine) {
		for want := 1; want <= 2; want++ {
			h.Service.SetStock(101, 0)
			h.Pass(31 * time.Minute)
			if n := h.Alerted("10 USD\n⛔ Out of stock"); n != want {
				t.Errorf("%d alerts, want %d\n%s", n, want, h.Transcript(apptest.Sam))
			}
			h.Service.SetStock(101, 3)
			h.Pass(31 * time.Minute)
		}
		if h.Has(apptest.Sam, "only") {
			t.Error("a number is told that nobody knows")
		}
		h.Say(apptest.Sam, "/alerts")
		h.Tap(apptest.Sam, "🔔 Play Card")
		h.Tap(apptest.Sam, "Low stock")
		h.Service.SetStock(101, 0)
		h.Pass(time.Hour)
		if n := h.Alerted("⛔ Out of stock"); n != 2 {
			t.Errorf("it speaks though it was switched off: %d", n)
		}
	})
}

// TestWatchesOnLegacyCostFewCalls: a product whose variants the list does not name is read on its own where the list shows
// something new of it, or after an hour, and not each time that watches are looked at.
func TestWatchesOnLegacyCostFewCalls(t *testing.T) {
	t.Parallel()
	sampletest.Slow(t)
	sampletest.MoreThanFew(t)
	onWatchedLegacyShelf(t, func(h *apptest.Harness, _ *apptest.FailingEngine) {
		before := h.Service.Requests()["GET /products/{id}"]
		h.Pass(6 * time.Hour)
		if calls := h.Service.Requests()["GET /products/{id}"] - before; calls < 1 || calls > 7 {
			t.Errorf("in six hours the product was read %d times", calls)
		}
		h.Service.SetStock(101, 0)
		h.Pass(31 * time.Minute)
		if h.Alerted("10 USD\n⛔ Out of stock") != 1 {
			t.Errorf("nothing tells that it is out of stock:\n%s", h.Transcript(apptest.Sam))
		}
	})
}

// TestAlertThatCannotBeWritten: an alert that could not be written is told at the next look, also where nothing has changed since.
func TestAlertThatCannotBeWritten(t *testing.T) {
	t.Parallel()
	onWatchedLegacyShelf(t, func(h *apptest.Harness, disk *apptest.FailingEngine) {
		h.Service.SetStock(101, 0)
		disk.Alerts.Store(100) // a commit that fails is tried by itself once more
		h.Pass(31 * time.Minute)
		if disk.Alerts.Load() == 100 || h.Alerted("10 USD\n⛔ Out of stock") != 0 {
			h.T.Fatal("it could be written")
		}
		disk.Alerts.Store(0)
		h.Pass(30 * time.Minute)
		if h.Alerted("10 USD\n⛔ Out of stock") != 1 {
			t.Errorf("nothing tells that it is out of stock:\n%s", h.Transcript(apptest.Sam))
		}
	})
}

// TestExpiryInAnUnknownZone: a time without a zone is told in time wherever the service is, and as the service wrote it.
func TestExpiryInAnUnknownZone(t *testing.T) {
	t.Parallel()
	for lang, words := range sampletest.SomeNamed(1, map[string]string{"en": "the supplier's clock", "fr": "heure du fournisseur", "ar": "بتوقيت المورّد"}) {
		t.Run(lang, func(t *testing.T) {
			t.Parallel()
			apptest.Run(t, func(h *apptest.Harness) {
				h.Service = sim.New(sim.Options{Seed: 7})
				h.Must(h.Service.AddAccount(sim.AccountSpec{Key: apptest.TestKey, Name: "Boutique El Djazair", UserID: 4101, Balance: "25000"}))
				h.Service.AddProduct(sim.ProductSpec{ID: 10, Name: "Play Card", Variants: []sim.VariantSpec{
					{ID: 101, Name: "soon", Price: "100", InStock: 9, Allocated: 9, Used: 1, Zoneless: true, ExpiresAt: time.Now().Add(3*24*time.Hour + 10*time.Hour)},
					{ID: 102, Name: "later", Price: "100", InStock: 9, Allocated: 9, Used: 1, Zoneless: true, ExpiresAt: time.Now().Add(5 * 24 * time.Hour)},
					{ID: 103, Name: "over", Price: "100", InStock: 9, Allocated: 9, Used: 1, Zoneless: true, ExpiresAt: time.Now().Add(-24 * time.Hour)}}})
				h.Telegram.SetLanguage(apptest.Sam, lang)
			}, func(h *apptest.Harness) {
				h.Link(apptest.Sam)
				h.Say(apptest.Sam, "/alerts")
				h.Tap(apptest.Sam, map[string]string{"en": "Expiry", "fr": "Expiration", "ar": "⏳"}[lang])
				h.Say(apptest.Sam, "3")
				h.Pass(31 * time.Minute)
				if text := apptest.Plain(h.See(apptest.Sam, words).Text); !strings.Contains(text, "soon") || strings.Contains(text, "later") || strings.Contains(text, "over") {
					t.Errorf("the alert is %s", text)
				}
			})
		})
	}
}

// TestDebitCanBeStopped: who is told of money that went can stop all purchases with one tap.
func TestDebitCanBeStopped(t *testing.T) {
	t.Parallel()
	for lang, words := range sampletest.SomeNamed(1, map[string][2]string{"en": {"Lock purchases", "Purchases are locked"}, "fr": {"🔒", "Achats bloqués"}, "ar": {"🔒", "الشراء"}}) {
		t.Run(lang, func(t *testing.T) {
			t.Parallel()
			apptest.Run(t, apptest.StockIn(lang), func(h *apptest.Harness) {
				h.Link(apptest.Sam)
				h.Pass(6 * time.Minute)
				h.Service.SetBalance(apptest.TestKey, "20000")
				h.Pass(apptest.Alarmed)
				told := h.See(apptest.Sam, "🚨")
				h.Tap(apptest.Sam, words[0])
				if locked := h.See(apptest.Sam, words[1]); locked.ID == told.ID || !strings.Contains(locked.Text, "/unlock") {
					t.Errorf("the alert is gone, or nothing is locked: %s", locked.Text)
				}
			})
		})
	}
}

// TestPriceLeadsToItsProduct, and so does what is back.
func TestPriceLeadsToItsProduct(t *testing.T) {
	t.Parallel()
	apptest.Run(t, shelf, func(h *apptest.Harness) {
		h.Link(apptest.Sam)
		h.Say(apptest.Sam, "/buy play")
		h.Tap(apptest.Sam, "Watch this product")
		h.Tap(apptest.Sam, "Price changes")
		h.Pass(16 * time.Minute)
		h.Service.SetPrice(102, "2600")
		h.Pass(16 * time.Minute)
		h.See(apptest.Sam, "2,600")
		h.Tap(apptest.Sam, "🛍 Play Card")
		h.See(apptest.Sam, "Choose:")
		h.SeeAny(apptest.Sam, "🏷 DZD 2,500 → DZD 2,600") // the alert stays
	})
}

// TestNudge: who links a key hears once that a low balance can be told of, and sets it with two taps.
func TestNudge(t *testing.T) {
	t.Parallel()
	for lang, words := range sampletest.SomeNamed(1, map[string][2]string{"en": {"when the balance runs low", "Tell me in time"}, "fr": {"quand le solde baisse", "Me prévenir"}, "ar": {"عندما ينخفض الرصيد", "نبّهني"}}) {
		t.Run(lang, func(t *testing.T) {
			t.Parallel()
			apptest.Run(t, apptest.StockIn(lang), func(h *apptest.Harness) {
				h.Link(apptest.Sam)
				before := h.FromBot(apptest.Sam)
				h.See(apptest.Sam, words[0])
				h.Tap(apptest.Sam, words[1])
				h.Tap(apptest.Sam, "5")
				h.Service.SetBalance(apptest.TestKey, "100")
				h.Pass(11 * time.Minute)
				h.SeeAny(apptest.Sam, "💰")
				h.Say(apptest.Sam, "/key remove")
				h.Link(apptest.Sam)
				if n := h.Alerted(words[0]); n != 1 || before != 2 {
					t.Errorf("it was said %d times, in %d messages", n, before)
				}
			})
		})
	}
}

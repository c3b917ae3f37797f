package notify_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"resellerbot/internal/api/sim"
	"resellerbot/internal/app/apptest"
	"resellerbot/internal/sampletest"
)

// TestSerialComesWithItsCode: a code, its PIN and its serial number are delivered under their names, each to be copied; a
// serial number without a code is nothing that was bought.
func TestSerialComesWithItsCode(t *testing.T) {
	t.Parallel()
	for lang, words := range sampletest.SomeNamed(1, map[string][2]string{"en": {"PIN: 0012", "Serial number: SN-7788-1"}, "fr": {"PIN : 0012", "Numéro de série : SN-7788-1"}, "ar": {"الرقم السري: 0012", "الرقم التسلسلي: SN-7788-1"}}) {
		t.Run(lang, func(t *testing.T) {
			t.Parallel()
			odd := &apptest.OddService{}
			set := func(withKey bool) {
				odd.Change(func(a *apptest.OddAnswer) {
					if a.Is("POST", "/products/orders/retrieve") || a.Is("GET", "/products/order/") {
						a.Orders(func(o map[string]any) {
							o["serial"] = "SN-7788-1"
							if o["pin"] = "0012"; !withKey {
								o["key"], o["pin"], o["has_key"] = nil, nil, false
							}
						})
					}
				})
			}
			set(false)
			apptest.Run(t, apptest.Oddly(apptest.StockIn(lang), odd), func(h *apptest.Harness) {
				h.Link(apptest.Sam)
				h.Order(apptest.Sam, "Play Card", "10 USD", "1")
				h.Tap(apptest.Sam, "✅")
				h.Pass(3 * time.Minute)
				if got := h.Codes(apptest.Sam); len(got) != 0 {
					t.Fatalf("a serial number was delivered for a code: %q", got)
				}
				set(true)
				h.Pass(5 * time.Minute)
				want := []string{h.Service.Orders()[0].Code, "0012", "SN-7788-1"}
				if got := h.Codes(apptest.Sam); !slices.Equal(got, want) {
					t.Errorf("the codes are %q, want %q\n%s", got, want, h.Transcript(apptest.Sam))
				}
				texts := strings.ReplaceAll(h.Texts(apptest.Sam), "\u00a0", " ")
				for _, word := range words {
					if !strings.Contains(texts, word) {
						t.Errorf("%q is not said:\n%s", word, texts)
					}
				}
			})
		})
	}
}

// TestSubscriptionComesAsALogin: a subscription whose own endpoint shows a login and a password is delivered, each to be copied under
// its name.
func TestSubscriptionComesAsALogin(t *testing.T) {
	t.Parallel()
	for lang, words := range sampletest.SomeNamed(1, map[string][2]string{"en": {"Login: tv-4711", "Password: s3cret-9"}, "fr": {"Identifiant : tv-4711", "Mot de passe : s3cret-9"}, "ar": {"اسم المستخدم: tv-4711", "كلمة المرور: s3cret-9"}}) {
		t.Run(lang, func(t *testing.T) {
			t.Parallel()
			odd := &apptest.OddService{}
			odd.Change(func(a *apptest.OddAnswer) {
				if a.Is("POST", "/products/orders/retrieve") || a.Is("GET", "/products/order/") || a.Is("GET", "/sportstv/order/") {
					a.Orders(func(o map[string]any) {
						delete(o, "has_key")
						if o["key"] = nil; a.Is("GET", "/sportstv/order/") {
							o["login"], o["password"] = "tv-4711", "s3cret-9"
						}
					})
				}
			})
			everything := func(h *apptest.Harness) {
				apptest.Everything(sim.Options{})(h)
				h.Telegram.SetLanguage(apptest.Sam, lang)
			}
			apptest.Run(t, apptest.Oddly(everything, odd), func(h *apptest.Harness) {
				h.Link(apptest.Sam)
				h.Say(apptest.Sam, "/topup")
				h.Tap(apptest.Sam, "Sports TV")
				h.Tap(apptest.Sam, "1 month")
				h.Say(apptest.Sam, "1")
				h.Say(apptest.Sam, "123456789012")
				h.Tap(apptest.Sam, "✅")
				h.Pass(10 * time.Minute)
				if got, want := h.Codes(apptest.Sam), []string{"tv-4711", "s3cret-9"}; !slices.Equal(got, want) {
					t.Errorf("the codes are %q, want %q\n%s", got, want, h.Transcript(apptest.Sam))
				}
				texts := strings.ReplaceAll(h.Texts(apptest.Sam), "\u00a0", " ")
				for _, word := range words {
					if !strings.Contains(texts, word) {
						t.Errorf("%q is not said:\n%s", word, texts)
					}
				}
			})
		})
	}
}

// TestUnknownFieldsAreShown: an order that is done and shows nothing where a code stands shows what it says in fields that nobody knows:
// once its code is overdue, or at once where none is to come.
func TestUnknownFieldsAreShown(t *testing.T) {
	t.Parallel()
	sampletest.Slow(t)
	fields := func(odd *apptest.OddService) {
		odd.Change(func(a *apptest.OddAnswer) {
			if a.Is("POST", "/products/orders/retrieve") || a.Is("GET", "/products/order/") || a.Is("GET", "/sportstv/order/") {
				a.Orders(func(o map[string]any) {
					delete(o, "has_key")
					if o["key"] = nil; o["status"] != "completed" {
						return
					}
					o["device"] = map[string]any{"smartcard": "0012 3456"}
				})
			}
		})
	}
	t.Run("a code", func(t *testing.T) {
		t.Parallel()
		odd := &apptest.OddService{}
		fields(odd)
		apptest.Run(t, apptest.Oddly(apptest.Stock, odd), func(h *apptest.Harness) {
			h.Link(apptest.Sam)
			h.Order(apptest.Sam, "Play Card", "10 USD", "1")
			h.Tap(apptest.Sam, "✅")
			h.Pass(5 * time.Minute)
			if h.Has(apptest.Sam, "0012 3456") {
				t.Errorf("it is shown before its code is overdue:\n%s", h.Transcript(apptest.Sam))
			}
			h.Pass(2 * time.Hour)
			if !h.Has(apptest.Sam, "The supplier shows this instead: ") || !h.Has(apptest.Sam, "0012 3456") {
				t.Errorf("it is never shown:\n%s", h.Transcript(apptest.Sam))
			}
		})
	})
	t.Run("a subscription", func(t *testing.T) {
		t.Parallel()
		odd := &apptest.OddService{}
		fields(odd)
		apptest.Run(t, apptest.Oddly(apptest.Everything(sim.Options{}), odd), func(h *apptest.Harness) {
			h.Link(apptest.Sam)
			h.Say(apptest.Sam, "/topup")
			h.Tap(apptest.Sam, "Sports TV")
			h.Tap(apptest.Sam, "1 month")
			h.Say(apptest.Sam, "1")
			h.Say(apptest.Sam, "123456789012")
			h.Tap(apptest.Sam, "✅")
			h.Pass(15 * time.Minute)
			if !h.Has(apptest.Sam, "The supplier also shows: ") || !h.Has(apptest.Sam, "0012 3456") {
				t.Errorf("it is never shown:\n%s", h.Transcript(apptest.Sam))
			}
		})
	})
}

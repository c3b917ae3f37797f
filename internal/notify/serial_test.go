package notify_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"resellerbot/internal/app/apptest"
)

// TestSerialComesWithItsCode: a code, its PIN and its serial number are delivered under their names, each to be copied; a
// serial number without a code is nothing that was bought.
func TestSerialComesWithItsCode(t *testing.T) {
	t.Parallel()
	for lang, words := range apptest.SomeNamed(1, map[string][2]string{"en": {"PIN: 0012", "Serial number: SN-7788-1"}, "fr": {"PIN : 0012", "Numéro de série : SN-7788-1"}, "ar": {"الرقم السري: 0012", "الرقم التسلسلي: SN-7788-1"}}) {
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

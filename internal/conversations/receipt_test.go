package conversations_test

import (
	"bytes"
	"context"
	"fmt"
	"image/png"
	"net/url"
	"strings"
	"testing"
	"time"

	"resellerbot/internal/app/apptest"
	"resellerbot/internal/sampletest"
	"resellerbot/internal/sandbox/tgsim"
	"resellerbot/internal/screen"
	"resellerbot/internal/store"
)

// customerReceipt is the newest picture in a chat.
func customerReceipt(h *apptest.Harness, chat int64) (m tgsim.Message) {
	h.T.Helper()
	h.Pass(3 * time.Second)
	for _, is := range h.Telegram.Messages(chat) {
		if is.Photo != nil && !is.Deleted {
			m = is
		}
	}
	if m.Photo == nil {
		h.T.Fatal("no picture has come")
	}
	if _, err := png.Decode(bytes.NewReader(m.Photo.Body)); err != nil || len(m.Photo.Body) > 80_000 {
		h.T.Fatalf("the picture has %d bytes: %v", len(m.Photo.Body), err)
	}
	m.Text = plainly(m.Text)
	return m
}

// says fails the test unless a receipt says something, and not something else.
func says(h *apptest.Harness, m tgsim.Message, words []string, not ...string) {
	h.T.Helper()
	for _, w := range words {
		if !strings.Contains(m.Text, w) {
			h.T.Errorf("the receipt does not say %q:\n%s", w, m.Text)
		}
	}
	for _, w := range not {
		if strings.Contains(m.Text, w) {
			h.T.Errorf("the receipt says %q:\n%s", w, m.Text)
		}
	}
}

// TestCustomerReceipt: the first receipt asks what the shop is called. It holds the price and never the cost, and the code only
// where that is chosen. In each language of the chat.
func TestCustomerReceipt(t *testing.T) {
	t.Parallel()
	for lang, words := range sampletest.SomeNamed(3, map[string]struct{ tongue, bad, total, with string }{
		"en": {"English", "That is not a phone number", "Total : 1 380 DA", "With the code"},
		"fr": {"Français", "Ce n'est pas un numéro", "Total : 1 380 DA", "Avec le code"},
		"ar": {"العربية", "هذا ليس رقم هاتف", "المجموع: 1 380 د.ج", "مع الكود"},
	}) {
		t.Run(lang, func(t *testing.T) {
			t.Parallel()
			inPricedShop(t, func(h *apptest.Harness) {
				h.Say(apptest.Sam, "/language")
				h.Tap(apptest.Sam, words.tongue)
				h.Order(apptest.Sam, "Play Card", "10 USD", "1")
				h.Tap(apptest.Sam, "✅")
				h.Pass(10 * time.Second)
				h.Tap(apptest.Sam, "🧾")
				h.Say(apptest.Sam, "\u202eKarim Gaming")
				h.Say(apptest.Sam, "call me")
				h.See(apptest.Sam, words.bad)
				h.Say(apptest.Sam, "٠555 12 34 56")
				if lang == "en" {
					h.Tap(apptest.Sam, "🧾 Français")
				}
				code := h.Service.Orders()[0].Code
				cost := []string{"1 250", "1,250", "1250", "\u202e"}
				m := customerReceipt(h, apptest.Sam)
				says(h, m, []string{"Karim Gaming", "0555 12 34 56", "Play Card", words.total, "****"}, append(cost, code)...)
				h.Tap(apptest.Sam, "💵")
				h.Tap(apptest.Sam, words.with)
				says(h, customerReceipt(h, apptest.Sam), []string{code, words.total}, cost...)
				other := "🧾 العربية"
				if lang == "ar" {
					other = "🧾 Français"
				}
				h.Tap(apptest.Sam, other)
				if last := customerReceipt(h, apptest.Sam); strings.Contains(last.Text, words.total) {
					t.Errorf("it is in the same language:\n%s", last.Text)
				}
			})
		})
	}
}

// TestReceiptIsShared: a receipt has a button that hands its text on to another chat. What travels in its link names the shop, the item
// and the price, and no code, also where the receipt writes that out, nor what it has cost.
func TestReceiptIsShared(t *testing.T) {
	t.Parallel()
	sampletest.Slow(t)
	inPricedShop(t, func(h *apptest.Harness) {
		code := buy(h, apptest.Sam)
		h.Tap(apptest.Sam, "🧾")
		h.Say(apptest.Sam, "Karim Gaming")
		h.Say(apptest.Sam, "0555 12 34 56")
		h.Tap(apptest.Sam, "Français")
		h.Tap(apptest.Sam, "With the code")
		m := customerReceipt(h, apptest.Sam)
		says(h, m, []string{code})
		keys := buttons(m, "📤 Share")
		if len(keys) != 1 {
			t.Fatalf("it has %d buttons to share it", len(keys))
		}
		to, err := url.Parse(keys[0].URL)
		h.Must(err)
		text := plainly(to.Query().Get("url"))
		for _, words := range []string{"Karim Gaming", "Play Card · 10 USD", "Total: 1 380 DA"} {
			if !strings.Contains(text, words) {
				t.Errorf("what is shared does not say %q:\n%s", words, text)
			}
		}
		for _, secret := range []string{code, code[len(code)-4:], "1 250", "****"} {
			if strings.Contains(text, secret) {
				t.Errorf("what is shared holds %q:\n%s", secret, text)
			}
		}
		if len(keys[0].URL) > 2000 {
			t.Errorf("its link has %d characters", len(keys[0].URL))
		}
	})
}

// TestReceiptQuestionGoes: a question of the receipt that a button has answered is none any more when the receipt is there.
func TestReceiptQuestionGoes(t *testing.T) {
	t.Parallel()
	for lang, words := range sampletest.SomeNamed(1, map[string][2]string{"en": {"No phone", "what receipts show"}, "fr": {"Sans téléphone", "Voici ce que porte le reçu"}, "ar": {"دون هاتف", "ما يظهر على الوصل"}}) {
		t.Run(lang, func(t *testing.T) {
			t.Parallel()
			inPricedShop(t, func(h *apptest.Harness) {
				chooseLanguage(h, apptest.Sam, lang)
				h.Order(apptest.Sam, "Play Card", "10 USD", "1")
				h.Tap(apptest.Sam, "✅")
				h.Pass(10 * time.Second)
				h.Tap(apptest.Sam, "🧾")
				h.Say(apptest.Sam, "Karim Gaming")
				h.Tap(apptest.Sam, words[0])
				h.Pass(5 * time.Second)
				h.SeeAny(apptest.Sam, words[1])
				for _, m := range h.Telegram.Messages(apptest.Sam) {
					if strings.Contains(fmt.Sprint(m.Keyboard), words[0]) {
						t.Errorf("the question is still there: %s", m.Text)
					}
				}
			})
		})
	}
}

// TestReceiptOfSomeUnits: what is in stock yet is not on the receipt of what was sold.
func TestReceiptOfSomeUnits(t *testing.T) {
	t.Parallel()
	sampletest.Slow(t)
	inPricedShop(t, func(h *apptest.Harness) {
		h.InStore(func(s *store.Store) {
			ctx := context.Background()
			h.Must(s.Update(ctx, func(tx *store.Tx) error {
				all, err := s.Accounts(ctx, "", 1)
				if err != nil {
					return err
				}
				d, err := tx.Desk(all[0].ID)
				if err != nil {
					return err
				}
				d.Name = "Karim Gaming"
				return tx.PutDesk(&d)
			}))
		})
		h.Order(apptest.Sam, "Play Card", "10 USD", "3")
		h.Tap(apptest.Sam, "✅")
		h.Pass(10 * time.Second)
		h.Tap(apptest.Sam, "✏️ Price")
		h.Tap(apptest.Sam, "× 2")
		h.Tap(apptest.Sam, "💵")
		h.Tap(apptest.Sam, "🧾 Receipt")
		h.Tap(apptest.Sam, "🧾 Français")
		h.Tap(apptest.Sam, "With the code")
		orders := h.Service.Orders()
		says(h, customerReceipt(h, apptest.Sam), []string{orders[0].Code, orders[1].Code, "Quantité : 2"}, orders[2].Code)
	})
}

// TestReceiptInGroup: in the shop's group a receipt is masked, and a forged button does not change that.
func TestReceiptInGroup(t *testing.T) {
	t.Parallel()
	inShop(t, func(h *apptest.Harness) {
		setPrices(h)
		h.Telegram.Send(apptest.Karim, shop, "/buy play card 10 usd")
		h.Pass(2 * time.Second)
		h.TapIn(apptest.Karim, shop, "1")
		h.Pass(2 * time.Second)
		h.TapIn(apptest.Karim, shop, "✅")
		h.Pass(10 * time.Second)
		h.TapIn(apptest.Karim, shop, "🧾")
		h.Pass(2 * time.Second)
		h.TapIn(apptest.Karim, shop, "🧾 Français")
		code := h.Service.Orders()[0].Code
		m := customerReceipt(h, shop)
		says(h, m, []string{"****", "Total"}, code, "Avec")
		forged, ok := screen.ParseAction(m.Keyboard[0][0].Data)
		if !ok || len(forged.Args) < 2 {
			t.Fatalf("the button is %v", forged)
		}
		forged.Args = append(forged.Args[:2], screen.ReceiptCode)
		h.Telegram.Tap(apptest.Karim, shop, m.ID, forged.Data())
		says(h, customerReceipt(h, shop), []string{"****"}, code)
	})
}

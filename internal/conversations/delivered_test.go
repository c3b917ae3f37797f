package conversations_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"resellerbot/internal/api/sim"
	"resellerbot/internal/app/apptest"
	"resellerbot/internal/sampletest"
	"resellerbot/internal/sandbox/tgsim"
)

// TestBellsLeadToTheirCodes: where the phone rings once for several purchases, each is one tap away; where it rings for
// one, the ring answers the message that holds its code.
func TestBellsLeadToTheirCodes(t *testing.T) {
	t.Parallel()
	for lang, open := range sampletest.SomeNamed(1, map[string]string{"ar": "تم التسليم", "fr": "Livré", "en": "Delivered"}) {
		t.Run(lang, func(t *testing.T) {
			t.Parallel()
			apptest.Run(t, func(h *apptest.Harness) {
				h.Service.AddProduct(sim.ProductSpec{ID: 10, Name: "Play Card", Variants: []sim.VariantSpec{{ID: 101, Name: "10 USD", Price: "1250.50", InStock: 50, Delay: 40 * time.Second}}})
				h.Telegram.AddUser(tgsim.User{ID: apptest.Sam, FirstName: "Sam", LanguageCode: lang})
			}, func(h *apptest.Harness) {
				h.Say(apptest.Sam, "/start")
				h.Say(apptest.Sam, "/key "+apptest.TestKey)
				for range 3 {
					h.Order(apptest.Sam, "Play Card", "10 USD", "1")
					h.Tap(apptest.Sam, "✅")
				}
				h.Pass(20 * time.Second)
				h.Telegram.Inject(tgsim.Fault{Method: "editmessagetext", Chat: apptest.Sam, Kind: tgsim.Flood, Wait: 40 * time.Second, Times: 1})
				h.Pass(3 * time.Minute)
				h.Delivered(apptest.Sam)
				rings, led := 0, 0
				for _, m := range h.Telegram.Messages(apptest.Sam) {
					if !m.FromBot || !strings.HasPrefix(m.Text, "🔔") {
						continue
					}
					rings++
					lines := strings.Count(m.Text, "\n") + 1
					switch keys := flatKeys(m); {
					case len(keys) == 0 && lines == 1 && m.ReplyTo != 0:
						led++
					case len(keys) == lines && lines > 1:
						for _, k := range keys {
							h.Telegram.Tap(apptest.Sam, apptest.Sam, m.ID, k.Data)
							h.Pass(time.Second)
							if now := h.See(apptest.Sam, open); len(apptest.CodesIn(now)) != 1 {
								t.Errorf("%q leads to %q", k.Text, now.Text)
							}
							led++
						}
					default:
						t.Errorf("a ring for %d leads nowhere: %q %+v", lines, m.Text, keys)
					}
				}
				if led != 3 || rings == 3 {
					t.Errorf("%d rings lead to %d purchases\n%s", rings, led, h.Transcript(apptest.Sam))
				}
			})
		})
	}
}

// flatKeys are all buttons of a message.
func flatKeys(m tgsim.Message) (all []tgsim.Button) {
	for _, row := range m.Keyboard {
		all = append(all, row...)
	}
	return all
}

// TestCounterTakesCodesHome: whoever is at the counter has a code of the group sent to their own chat, where it can be
// copied, and that is written down; whoever is not of the team has not.
func TestCounterTakesCodesHome(t *testing.T) {
	t.Parallel()
	inShop(t, func(h *apptest.Harness) {
		code := buy(h, apptest.Karim)
		h.See(shop, "Delivered")
		h.RefusedWith(h.TapIn(apptest.Eve, shop, "📩"), "team")
		h.Say(apptest.Lila, "/start")
		if c := h.TapIn(apptest.Lila, shop, "📩"); !strings.Contains(c.Text, "in private") {
			t.Errorf("the tap is answered %q", c.Text)
		}
		if got := h.Codes(apptest.Lila); len(got) != 1 || got[0] != code {
			t.Errorf("Lila has %q, want %q\n%s", got, code, h.Transcript(apptest.Lila))
		}
		if strings.Contains(h.Texts(shop), code) || len(h.Codes(apptest.Eve)) != 0 {
			t.Error("others have it as well")
		}
		h.Say(apptest.Sam, "/orders")
		h.Tap(apptest.Sam, "👥")
		h.Tap(apptest.Sam, "1")
		h.SeeAny(apptest.Sam, "Codes shown to Lila")
	})
}

// TestStylesOnTheWire: the ✅ that spends is green, and what locks is red, as Telegram calls that.
func TestStylesOnTheWire(t *testing.T) {
	t.Parallel()
	apptest.Run(t, apptest.Stock, func(h *apptest.Harness) {
		h.Link(apptest.Sam)
		h.Order(apptest.Sam, "Play Card", "10 USD", "1")
		h.Pass(time.Second)
		style := func(words string) string {
			for _, m := range h.Telegram.Messages(apptest.Sam) {
				for _, k := range flatKeys(m) {
					if strings.HasPrefix(k.Text, words) {
						return k.Style
					}
				}
			}
			return "there is no " + words
		}
		h.See(apptest.Sam, "Check before buying")
		if style("✅") != "success" || style("✖️") != "" {
			t.Errorf("✅ is %q, ✖️ %q", style("✅"), style("✖️"))
		}
		h.Say(apptest.Sam, "/team")
		if style("🔒") != "danger" {
			t.Errorf("🔒 is %q", style("🔒"))
		}
	})
}

// speaking is a shop in which Sam's phone speaks a language.
func speaking(lang string) func(*apptest.Harness) {
	return func(h *apptest.Harness) {
		apptest.Stock(h)
		h.Telegram.AddUser(tgsim.User{ID: apptest.Sam, FirstName: "Sam", LanguageCode: lang})
	}
}

// buyMany has Sam, whatever his language, link the key and buy some cards.
func buyMany(h *apptest.Harness, quantity string) {
	h.Say(apptest.Sam, "/start")
	h.Say(apptest.Sam, "/key "+apptest.TestKey)
	h.Order(apptest.Sam, "Play Card", "10 USD", quantity)
	h.Tap(apptest.Sam, "✅")
	h.Pass(time.Minute)
}

// TestAllCodesAreCopiedAtOnce: one button copies all codes of a purchase, a code a line, and there are two rows in all.
func TestAllCodesAreCopiedAtOnce(t *testing.T) {
	t.Parallel()
	for lang, label := range sampletest.SomeNamed(1, map[string]string{"ar": "📋 نسخ الكل", "fr": "📋 Tout copier", "en": "📋 Copy all"}) {
		t.Run(lang, func(t *testing.T) {
			t.Parallel()
			apptest.Run(t, speaking(lang), func(h *apptest.Harness) {
				buyMany(h, "10")
				h.Delivered(apptest.Sam)
				m := h.SeeLast(apptest.Sam, "🎉")
				codes := apptest.CodesIn(m)
				keys := flatKeys(m)
				i := slices.IndexFunc(keys, func(b tgsim.Button) bool { return b.Text == label })
				if i < 0 || keys[i].Copy == nil || keys[i].Copy.Text != strings.Join(codes, "\n") || len(codes) != 10 {
					t.Errorf("%d codes, under which stands %+v", len(codes), keys)
				}
				if len(m.Keyboard) != 2 {
					t.Errorf("%d rows: %+v", len(m.Keyboard), m.Keyboard)
				}
			})
		})
	}
}

// TestFileOfCodesSaysWhatItIs: product, purchase and day are in its name and in its caption.
func TestFileOfCodesSaysWhatItIs(t *testing.T) {
	t.Parallel()
	for lang, day := range sampletest.SomeNamed(1, map[string]string{"ar": "1 جانفي", "fr": "1 janv.", "en": "1 Jan"}) {
		t.Run(lang, func(t *testing.T) {
			t.Parallel()
			apptest.Run(t, speaking(lang), func(h *apptest.Harness) {
				buyMany(h, "11")
				m := h.Wait(apptest.Sam, "a file", func(all []tgsim.Message) (tgsim.Message, bool) {
					i := slices.IndexFunc(all, func(m tgsim.Message) bool { return m.Document != nil })
					return all[max(i, 0)], i >= 0
				})
				caption := apptest.Plain(m.Text)
				_, ref, _ := strings.Cut(caption, "#")
				ref = ref[:5]
				if want := "Play-Card-10-USD-" + ref + "-2000-01-01.txt"; m.Document.Name != want {
					t.Errorf("the file is called %q, want %q", m.Document.Name, want)
				}
				if !strings.Contains(caption, "Play Card") || !strings.Contains(caption, day) {
					t.Errorf("the caption is %q", caption)
				}
			})
		})
	}
}

// TestLongListsAreFolded: of a long list the beginning stands open, and the rest opens at a tap.
func TestLongListsAreFolded(t *testing.T) {
	t.Parallel()
	sampletest.Slow(t)
	apptest.Run(t, apptest.Stock, func(h *apptest.Harness) {
		h.Link(apptest.Sam)
		for range 6 {
			buy(h, apptest.Sam)
			h.Pass(time.Minute)
		}
		h.Say(apptest.Sam, "/balance")
		h.Tap(apptest.Sam, "Balance changes")
		m := h.See(apptest.Sam, "Balance changes")
		i := slices.IndexFunc(m.Entities, func(e tgsim.Entity) bool { return e.Type == "expandable_blockquote" })
		if i < 0 {
			t.Fatalf("nothing is folded:\n%s", m.Text)
		}
		if rest := tgsim.Slice(m.Text, m.Entities[i].Offset, m.Entities[i].Length); strings.Count(rest, "Play Card") != 1 || strings.Count(m.Text, "Play Card") != 6 {
			t.Errorf("folded is %q of\n%s", rest, m.Text)
		}
	})
}

// TestTheFirstDeliveryStaysTheFirst: the message that has brought the codes is not called one that repeats them because somebody has
// opened the purchase since, and it is edited for a sale.
func TestTheFirstDeliveryStaysTheFirst(t *testing.T) {
	t.Parallel()
	inPricedTeam(t, "Seller", func(h *apptest.Harness) {
		h.Order(apptest.Karim, "Play Card", "10 USD", "1")
		h.Tap(apptest.Karim, "✅")
		h.Pass(10 * time.Second)
		first := h.SeeLast(apptest.Karim, "Delivered")
		h.Tap(apptest.Karim, "💵")
		h.Say(apptest.Sam, "/orders")
		h.Tap(apptest.Sam, "The team's orders")
		h.Tap(apptest.Sam, "1")
		if !strings.Contains(h.SeeLast(apptest.Sam, h.Codes(apptest.Karim)[0]).Text, "Delivered again") {
			t.Errorf("the owner is not told that the codes were delivered before\n%s", h.Transcript(apptest.Sam))
		}
		h.Tap(apptest.Sam, "↩️ Undo")
		h.Pass(10 * time.Second)
		i := slices.IndexFunc(h.Telegram.Messages(apptest.Karim), func(m tgsim.Message) bool { return m.ID == first.ID })
		if now := h.Telegram.Messages(apptest.Karim)[i].Text; strings.Contains(now, "again") || strings.Contains(now, "Sold") {
			t.Errorf("the message that brought the codes says\n%s", now)
		}
	})
}

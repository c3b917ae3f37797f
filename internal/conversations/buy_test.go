package conversations_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"resellerbot/internal/api/sim"
	"resellerbot/internal/app/apptest"
	"resellerbot/internal/sampletest"
	"resellerbot/internal/sandbox/tgsim"
)

// TestFromStartToCode is the main job in each language: link, browse, buy, receive.
func TestFromStartToCode(t *testing.T) {
	t.Parallel()
	for _, lang := range sampletest.Some(1, []string{"ar", "fr", "en"}) {
		t.Run(lang, func(t *testing.T) {
			apptest.Run(t, func(h *apptest.Harness) {
				apptest.Stock(h)
				h.Telegram.AddUser(tgsim.User{ID: 900, FirstName: "Nadia", LanguageCode: lang})
			}, func(h *apptest.Harness) {
				h.Say(900, "/start")
				h.Say(900, "/key")
				key := h.Telegram.Send(900, 900, apptest.TestKey)
				h.Pass(time.Second)
				h.See(900, "Boutique El Djazair")
				for _, m := range h.Telegram.Messages(900) {
					if m.ID == key && !m.Deleted {
						t.Error("the message with the key is still there")
					}
				}
				h.Say(900, "/buy")
				h.Tap(900, "Play Card")
				h.Tap(900, "10 USD")
				h.Tap(900, map[string]string{"ar": "وحدتان", "fr": "2 unités", "en": "2 units"}[lang])
				summary := h.See(900, "10 USD")
				if !strings.Contains(apptest.Plain(summary.Text), "501") {
					t.Errorf("the summary does not name the total: %s", summary.Text)
				}
				h.Tap(900, "✅")
				h.Delivered(900)
				h.Bought(1)
				if b := h.Service.Balance(apptest.TestKey).String(); b != "22499" {
					t.Errorf("the wallet holds %s after 2 × 1250.50 from 25000", b)
				}
			})
		})
	}
}

// TestPingRingsWithoutTheCode: the codes come in an edit; a short message without them follows.
func TestPingRingsWithoutTheCode(t *testing.T) {
	t.Parallel()
	apptest.Run(t, apptest.Stock, func(h *apptest.Harness) {
		h.Link(apptest.Sam)
		h.Buy(apptest.Sam, "Play Card", "10 USD", "1")
		h.Pass(3 * time.Second)
		all := h.Telegram.Messages(apptest.Sam)
		last := all[len(all)-1]
		if len(apptest.CodesIn(last)) != 0 || !last.FromBot {
			t.Errorf("the last message is no ping without the code:\n%s", h.Transcript(apptest.Sam))
		}
		shown := 0
		for _, m := range all {
			shown += len(apptest.CodesIn(m))
		}
		if shown != 1 {
			t.Errorf("the code is shown %d times", shown)
		}
	})
}

// TestConfirmIsOnce: five taps on the same ✅, and the tap replayed later, are one purchase. What answers them holds for each, also should it be the
// very one that has bought, which a process that dies may be given once more: none is said to have bought nothing.
func TestConfirmIsOnce(t *testing.T) {
	t.Parallel()
	apptest.Run(t, apptest.Stock, func(h *apptest.Harness) {
		h.Link(apptest.Sam)
		h.Order(apptest.Sam, "Play Card", "10 USD", "1")
		m := h.See(apptest.Sam, "10 USD")
		confirm := apptest.ConfirmData(t, m)
		for range 5 {
			h.Telegram.Tap(apptest.Sam, apptest.Sam, m.ID, confirm)
		}
		h.Delivered(apptest.Sam)
		h.Telegram.Tap(apptest.Sam, apptest.Sam, m.ID, confirm)
		h.Pass(5 * time.Second)
		h.Bought(1)
		h.Answered()
		for _, c := range h.Telegram.Callbacks() {
			if strings.Contains(c.Text, "othing was bought") {
				t.Errorf("a tap on what was bought is answered by %q", c.Text)
			}
		}
		h.Delivered(apptest.Sam) // the late tap has not taken the code off the screen
	})
}

// TestTwoPeopleOneButton: in a group, somebody else's tap on a ✅ buys nothing.
func TestTwoPeopleOneButton(t *testing.T) {
	t.Parallel()
	apptest.Run(t, func(h *apptest.Harness) {
		apptest.Stock(h)
		h.Telegram.AddGroup(-700, "Shop", apptest.Sam, apptest.Yasmine)
	}, func(h *apptest.Harness) {
		h.Link(apptest.Sam)
		h.Link(apptest.Yasmine)
		h.Order(apptest.Sam, "Play Card", "10 USD", "1")
		m := h.See(apptest.Sam, "10 USD")
		h.Telegram.Tap(apptest.Yasmine, apptest.Yasmine, m.ID, apptest.ConfirmData(t, m)) // replayed in another chat
		h.Telegram.Tap(apptest.Yasmine, apptest.Sam, m.ID, apptest.ConfirmData(t, m))     // by somebody else
		h.Pass(5 * time.Second)
		h.Bought(0)
		h.Tap(apptest.Sam, "✅")
		h.Delivered(apptest.Sam)
		h.Bought(1)
	})
}

// TestLineOfPurchases: purchases of one account go one after another and all arrive.
func TestLineOfPurchases(t *testing.T) {
	t.Parallel()
	apptest.Run(t, apptest.Stock, func(h *apptest.Harness) {
		h.Link(apptest.Sam)
		h.Link(apptest.Yasmine)
		h.Service.Inject(sim.Fault{Operation: "POST /products/purchase/{variantId}", Kind: sim.Delay, Delay: 25 * time.Second, Times: 2})
		h.Order(apptest.Sam, "Play Card", "10 USD", "1")
		h.Tap(apptest.Sam, "✅")
		h.Pass(time.Second)
		h.Order(apptest.Yasmine, "Play Card", "25 USD", "1")
		h.Tap(apptest.Yasmine, "✅")
		h.Pass(5 * time.Second)
		if n := h.PurchasesSent(); n != 1 {
			t.Errorf("%d purchases are on the wire at once", n)
		}
		h.Pass(time.Minute)
		h.Bought(2)
		if len(h.Codes(apptest.Sam)) != 1 || len(h.Codes(apptest.Yasmine)) != 1 {
			t.Errorf("the codes went to the wrong chats: %v, %v", h.Codes(apptest.Sam), h.Codes(apptest.Yasmine))
		}
	})
}

// TestManyCodesComeAsADocument: more than ten codes of one purchase are one file, a code a line.
func TestManyCodesComeAsADocument(t *testing.T) {
	t.Parallel()
	apptest.Run(t, apptest.Stock, func(h *apptest.Harness) {
		h.Service.SetBalance(apptest.TestKey, "100000")
		h.Link(apptest.Sam)
		h.Order(apptest.Sam, "Play Card", "10 USD", "12")
		h.Tap(apptest.Sam, "✅")
		doc := h.Wait(apptest.Sam, "a document", func(all []tgsim.Message) (tgsim.Message, bool) {
			for _, m := range all {
				if m.Document != nil {
					return m, true
				}
			}
			return tgsim.Message{}, false
		})
		var want []string
		for _, o := range h.Service.Orders() {
			want = append(want, o.Code)
		}
		got := strings.Fields(string(doc.Document.Body))
		slices.Sort(want)
		slices.Sort(got)
		if !slices.Equal(got, want) {
			t.Errorf("the document holds %v, want %v", got, want)
		}
		h.Pass(10 * time.Second)
		documents := 0
		for _, m := range h.Telegram.Messages(apptest.Sam) {
			if m.Document != nil {
				documents++
			}
		}
		if documents != 1 || len(h.Codes(apptest.Sam)) != 0 {
			t.Errorf("%d documents, and %d codes in messages", documents, len(h.Codes(apptest.Sam)))
		}
	})
}

// TestInputsAreAskedOneByOne, also in Arabic digits, and travel with the purchase.
func TestInputsAreAskedOneByOne(t *testing.T) {
	t.Parallel()
	apptest.Run(t, func(h *apptest.Harness) {
		h.Service.AddProduct(sim.ProductSpec{ID: 20, Name: "Arena Diamonds",
			Inputs:   []sim.InputSpec{{Index: "1", Label: "Player ID", Required: true}, {Index: "2", Label: "Region", Options: []string{"Europe", "MENA"}, Required: true}},
			Variants: []sim.VariantSpec{{ID: 201, Name: "100 diamonds", Price: "300", InStock: 9}}})
	}, func(h *apptest.Harness) {
		h.Link(apptest.Sam)
		h.Order(apptest.Sam, "Arena Diamonds", "100 diamonds", "1")
		h.See(apptest.Sam, "Player ID")
		h.Say(apptest.Sam, "١٢٣٤٥٦٧٨٩٠")
		h.See(apptest.Sam, "Region")
		h.Say(apptest.Sam, "Atlantis") // no such option: the question stays open
		h.See(apptest.Sam, "Region")
		h.Tap(apptest.Sam, "MENA")
		h.See(apptest.Sam, "1234567890")
		h.Tap(apptest.Sam, "✅")
		h.Delivered(apptest.Sam)
		got := h.Service.Purchases()[0].Inputs
		if got["1"] != "1234567890" || got["2"] != "MENA" {
			t.Errorf("the service got the inputs %v", got)
		}
	})
}

// TestOddQuantities: what is no quantity gets a clear answer and the question stays open.
func TestOddQuantities(t *testing.T) {
	t.Parallel()
	apptest.Run(t, apptest.Stock, func(h *apptest.Harness) {
		h.Link(apptest.Sam)
		h.Say(apptest.Sam, "/buy")
		h.Tap(apptest.Sam, "Play Card")
		h.Tap(apptest.Sam, "25 USD")
		for _, text := range []string{"0", "-1", "abc", "1000000000", "99999999999999999999999", "2.5", "٠", "6"} {
			h.Say(apptest.Sam, text)
			if m := h.See(apptest.Sam, "How many?"); !strings.Contains(m.Text, "⚠️") {
				t.Errorf("%q is not said to be wrong: %s", text, m.Text)
			}
			if n := strings.Count(h.Transcript(apptest.Sam), "✅"); n != 0 {
				t.Errorf("%q led to a summary", text)
			}
		}
		h.Say(apptest.Sam, "٣") // Arabic digits are digits
		h.See(apptest.Sam, "9,300")
		h.Tap(apptest.Sam, "✅")
		h.Delivered(apptest.Sam)
		if q := h.Service.Purchases()[0].Quantity; q != 3 {
			t.Errorf("bought %d", q)
		}
	})
}

// TestHostileNames: names of the service stay text, whatever they hold.
func TestHostileNames(t *testing.T) {
	t.Parallel()
	names := []string{
		`<b>bold</b> & <script>alert(1)</script>`, "🎮 Joué déjà 💎", "بطاقة ألعاب <i>", strings.Repeat("Long name ", 30), "a\u202Eb\u2066c\nd",
	}
	apptest.Run(t, func(h *apptest.Harness) {
		for i, n := range names {
			h.Service.AddProduct(sim.ProductSpec{ID: int64(30 + i), Name: n, Variants: []sim.VariantSpec{
				{ID: int64(300 + i), Name: n, Price: "10", InStock: 5, Delay: time.Second},
			}})
		}
	}, func(h *apptest.Harness) {
		h.Link(apptest.Sam)
		for i, n := range names {
			h.Say(apptest.Sam, "/buy")
			first := []rune(strings.Map(func(r rune) rune {
				if r == '\n' || r >= 0x202A && r <= 0x202E || r >= 0x2066 && r <= 0x2069 {
					return -1
				}
				return r
			}, n))
			h.Tap(apptest.Sam, string(first[:min(3, len(first))]))
			h.Tap(apptest.Sam, string(first[:min(3, len(first))]))
			h.Say(apptest.Sam, "1")
			h.Tap(apptest.Sam, "✅")
			h.Pass(10 * time.Second)
			if got := len(h.Service.Purchases()); got != i+1 {
				t.Fatalf("%q was not bought:\n%s", n, h.Transcript(apptest.Sam))
			}
		}
		h.Delivered(apptest.Sam)
	})
}

// TestFiveThousandProducts: a big catalogue is paged, and every page fits.
func TestFiveThousandProducts(t *testing.T) {
	t.Parallel()
	sampletest.Slow(t)
	apptest.Run(t, func(h *apptest.Harness) {
		for i := range 5000 {
			h.Service.AddProduct(sim.ProductSpec{ID: int64(1000 + i), Name: fmt.Sprintf("Product %04d", i), Variants: []sim.VariantSpec{
				{ID: int64(10000 + i), Name: "one", Price: "10", InStock: 5},
			}})
		}
	}, func(h *apptest.Harness) {
		h.Link(apptest.Sam)
		h.Say(apptest.Sam, "/buy")
		h.See(apptest.Sam, "")
		h.Tap(apptest.Sam, "Product 0000")
		h.Say(apptest.Sam, "/buy")
		h.Tap(apptest.Sam, "▶")
		h.Tap(apptest.Sam, "Product 0008")
		h.Say(apptest.Sam, "/buy product 4321")
		h.Tap(apptest.Sam, "one")
		h.Say(apptest.Sam, "1")
		h.Tap(apptest.Sam, "✅")
		h.Delivered(apptest.Sam)
		if v := h.Service.Purchases()[0].VariantID; v != 14321 {
			t.Errorf("bought variant %d", v)
		}
	})
}

// TestHouseKey: the owner's chat is linked at the first start, and stays unlinked when its owner says so.
func TestHouseKey(t *testing.T) {
	t.Parallel()
	apptest.Run(t, func(h *apptest.Harness) {
		apptest.Stock(h)
		h.Env["RESELLER_API_KEY"], h.Env["OWNER_CHAT_ID"] = apptest.TestKey, "502"
		h.Service.Inject(sim.Fault{Operation: "GET /account", Times: 2, Kind: sim.Status, Status: 502})
	}, func(h *apptest.Harness) {
		h.Pass(time.Minute)
		h.Say(apptest.Sam, "/start")
		h.See(apptest.Sam, "Boutique El Djazair")
		h.Say(apptest.Sam, "/key remove")
		h.Stop()
		h.Start()
		h.Pass(time.Minute)
		h.Say(apptest.Sam, "/balance")
		h.See(apptest.Sam, "No account is linked")
		h.Say(apptest.Yasmine, "/start")
		h.See(apptest.Yasmine, "liez votre clé API")
	})
}

// TestCancelKnowsWhatWasConfirmed: leaving a question says nothing of the money of what was confirmed before.
func TestCancelKnowsWhatWasConfirmed(t *testing.T) {
	t.Parallel()
	apptest.Run(t, apptest.Stock, func(h *apptest.Harness) {
		h.Link(apptest.Sam)
		h.Order(apptest.Sam, "Play Card", "10 USD", "1")
		h.See(apptest.Sam, "Check before buying")
		h.Say(apptest.Sam, "/cancel")
		h.See(apptest.Sam, "Nothing was charged") // a summary was dropped
		h.Order(apptest.Sam, "Play Card", "10 USD", "1")
		h.Tap(apptest.Sam, "✅")
		said := strings.Count(h.Transcript(apptest.Sam), "Nothing was charged")
		h.Tap(apptest.Sam, "✖️") // under the question for the quantity
		h.Say(apptest.Sam, "/cancel")
		h.Delivered(apptest.Sam)
		if n := strings.Count(h.Transcript(apptest.Sam), "Nothing was charged"); n != said {
			t.Errorf("of what was bought it is said that nothing was charged:\n%s", h.Transcript(apptest.Sam))
		}
		h.SeeAny(apptest.Sam, "What you confirmed")
		h.Bought(1)
	})
}

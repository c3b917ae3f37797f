package main

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"resellerbot/internal/api/sim"
	"resellerbot/internal/conversations/tgsim"
)

// stock fills the service with what most tests buy: a card at 1 250,50 whose code takes two seconds.
func stock(h *house) {
	h.service.AddProduct(sim.ProductSpec{ID: 10, Name: "Play Card", Variants: []sim.VariantSpec{
		{ID: 101, Name: "10 USD", Price: "1250.50", InStock: 50, Delay: 2 * time.Second},
		{ID: 102, Name: "25 USD", Price: "3100", InStock: 5, Delay: 2 * time.Second},
	}})
}

// order walks from /buy to the summary.
func (h *house) order(user int64, product, variant, quantity string) {
	h.t.Helper()
	h.say(user, "/buy")
	h.tap(user, product)
	h.tap(user, variant)
	h.say(user, quantity)
}

// codes lists the text of every code entity that a chat shows.
func (h *house) codes(chat int64) []string {
	var all []string
	for _, m := range h.telegram.Messages(chat) {
		if m.FromBot && !m.Deleted {
			all = append(all, codesIn(m)...)
		}
	}
	return all
}

// codesIn lists the text of a message's code entities.
func codesIn(m tgsim.Message) []string {
	var all []string
	for _, e := range m.Entities {
		if e.Type == "code" {
			all = append(all, tgsim.Slice(m.Text, e.Offset, e.Length))
		}
	}
	return all
}

// delivered waits until the chat shows the codes of all orders that the service made.
func (h *house) delivered(user int64) {
	h.t.Helper()
	h.wait(user, "all codes", func([]tgsim.Message) (tgsim.Message, bool) {
		for _, o := range h.service.Orders() {
			if o.Code == "" || !slices.Contains(h.codes(user), o.Code) {
				return tgsim.Message{}, false
			}
		}
		return tgsim.Message{}, len(h.service.Orders()) > 0
	})
}

// purchasesSent is how many purchase requests have reached the service.
func (h *house) purchasesSent() int {
	return h.service.Requests()["POST /products/purchase/{variantId}"]
}

// bought fails the test unless exactly n purchases exist at the service, one request each.
func (h *house) bought(n int) {
	h.t.Helper()
	if got, sent := len(h.service.Purchases()), h.purchasesSent(); got != n || sent != n {
		h.t.Errorf("the service made %d purchases of %d requests, want %d of %d", got, sent, n, n)
	}
}

// TestFromStartToCode is the main job in each language: link, browse, buy, receive.
func TestFromStartToCode(t *testing.T) {
	t.Parallel()
	for _, lang := range []string{"ar", "fr", "en"} {
		t.Run(lang, func(t *testing.T) {
			inHouse(t, func(h *house) {
				stock(h)
				h.telegram.AddUser(tgsim.User{ID: 900, FirstName: "Nadia", LanguageCode: lang})
			}, func(h *house) {
				h.say(900, "/start")
				h.say(900, "/key")
				key := h.telegram.Send(900, 900, testKey)
				h.pass(time.Second)
				h.see(900, "Boutique El Djazair")
				for _, m := range h.telegram.Messages(900) {
					if m.ID == key && !m.Deleted {
						t.Error("the message with the key is still there")
					}
				}
				h.say(900, "/buy")
				h.tap(900, "Play Card")
				h.tap(900, "10 USD")
				h.tap(900, "2")
				summary := h.see(900, "10 USD")
				if !strings.Contains(plain(summary.Text), "501") {
					t.Errorf("the summary does not name the total: %s", summary.Text)
				}
				h.tap(900, "✅")
				h.delivered(900)
				h.bought(1)
				if b := h.service.Balance(testKey).String(); b != "22499" {
					t.Errorf("the wallet holds %s after 2 × 1250.50 from 25000", b)
				}
			})
		})
	}
}

// TestPingRingsWithoutTheCode: the codes come in an edit; a short message without them follows.
func TestPingRingsWithoutTheCode(t *testing.T) {
	t.Parallel()
	inHouse(t, stock, func(h *house) {
		h.link(sam)
		h.order(sam, "Play Card", "10 USD", "1")
		h.tap(sam, "✅")
		h.delivered(sam)
		h.pass(3 * time.Second)
		all := h.telegram.Messages(sam)
		last := all[len(all)-1]
		if len(codesIn(last)) != 0 || !last.FromBot {
			t.Errorf("the last message is no ping without the code:\n%s", h.transcript(sam))
		}
		shown := 0
		for _, m := range all {
			shown += len(codesIn(m))
		}
		if shown != 1 {
			t.Errorf("the code is shown %d times", shown)
		}
	})
}

// TestConfirmIsOnce: five taps on the same ✅, and the tap replayed later, are one purchase.
func TestConfirmIsOnce(t *testing.T) {
	t.Parallel()
	inHouse(t, stock, func(h *house) {
		h.link(sam)
		h.order(sam, "Play Card", "10 USD", "1")
		m := h.see(sam, "10 USD")
		confirm := confirmData(t, m)
		for range 5 {
			h.telegram.Tap(sam, sam, m.ID, confirm)
		}
		h.delivered(sam)
		h.telegram.Tap(sam, sam, m.ID, confirm)
		h.pass(5 * time.Second)
		h.bought(1)
		h.answered()
		h.delivered(sam) // the late tap has not taken the code off the screen
	})
}

// confirmData is the callback data behind a summary's ✅, the only one it has.
func confirmData(t *testing.T, m tgsim.Message) string {
	t.Helper()
	var found []string
	for _, row := range m.Keyboard {
		for _, b := range row {
			if strings.HasPrefix(b.Text, "✅") {
				found = append(found, b.Data)
			}
		}
	}
	if len(found) != 1 {
		t.Fatalf("the message has %d ✅ buttons, want 1", len(found))
	}
	return found[0]
}

// answered fails the test if a callback query was not answered exactly once within ten seconds.
func (h *house) answered() { h.t.Helper(); h.answeredWithin(10 * time.Second) }

// answeredWithin is answered for people who tap faster than Telegram takes answers.
func (h *house) answeredWithin(d time.Duration) {
	h.t.Helper()
	for _, c := range h.telegram.Callbacks() {
		if c.Answers != 1 || c.AnsweredAt.Sub(c.At) > d {
			h.t.Errorf("callback %q was answered %d times, after %v", c.Data, c.Answers, c.AnsweredAt.Sub(c.At))
		}
	}
}

// TestTwoPeopleOneButton: in a group, somebody else's tap on a ✅ buys nothing.
func TestTwoPeopleOneButton(t *testing.T) {
	t.Parallel()
	inHouse(t, func(h *house) {
		stock(h)
		h.telegram.AddGroup(-700, "Shop", sam, yasmine)
	}, func(h *house) {
		h.link(sam)
		h.link(yasmine)
		h.order(sam, "Play Card", "10 USD", "1")
		m := h.see(sam, "10 USD")
		h.telegram.Tap(yasmine, yasmine, m.ID, confirmData(t, m)) // replayed in another chat
		h.telegram.Tap(yasmine, sam, m.ID, confirmData(t, m))     // by somebody else
		h.pass(5 * time.Second)
		h.bought(0)
		h.tap(sam, "✅")
		h.delivered(sam)
		h.bought(1)
	})
}

// TestLineOfPurchases: purchases of one account go one after another and all arrive.
func TestLineOfPurchases(t *testing.T) {
	t.Parallel()
	inHouse(t, stock, func(h *house) {
		h.link(sam)
		h.link(yasmine)
		h.service.Inject(sim.Fault{Operation: "POST /products/purchase/{variantId}", Kind: sim.Delay, Delay: 25 * time.Second, Times: 2})
		h.order(sam, "Play Card", "10 USD", "1")
		h.tap(sam, "✅")
		h.pass(time.Second)
		h.order(yasmine, "Play Card", "25 USD", "1")
		h.tap(yasmine, "✅")
		h.pass(5 * time.Second)
		if n := h.purchasesSent(); n != 1 {
			t.Errorf("%d purchases are on the wire at once", n)
		}
		h.pass(time.Minute)
		h.bought(2)
		if len(h.codes(sam)) != 1 || len(h.codes(yasmine)) != 1 {
			t.Errorf("the codes went to the wrong chats: %v, %v", h.codes(sam), h.codes(yasmine))
		}
	})
}

// TestManyCodesComeAsADocument: more than ten codes of one purchase are one file, a code a line.
func TestManyCodesComeAsADocument(t *testing.T) {
	t.Parallel()
	inHouse(t, stock, func(h *house) {
		h.service.SetBalance(testKey, "100000")
		h.link(sam)
		h.order(sam, "Play Card", "10 USD", "12")
		h.tap(sam, "✅")
		doc := h.wait(sam, "a document", func(all []tgsim.Message) (tgsim.Message, bool) {
			for _, m := range all {
				if m.Document != nil {
					return m, true
				}
			}
			return tgsim.Message{}, false
		})
		var want []string
		for _, o := range h.service.Orders() {
			want = append(want, o.Code)
		}
		got := strings.Fields(string(doc.Document.Body))
		slices.Sort(want)
		slices.Sort(got)
		if !slices.Equal(got, want) {
			t.Errorf("the document holds %v, want %v", got, want)
		}
		h.pass(10 * time.Second)
		documents := 0
		for _, m := range h.telegram.Messages(sam) {
			if m.Document != nil {
				documents++
			}
		}
		if documents != 1 || len(h.codes(sam)) != 0 {
			t.Errorf("%d documents, and %d codes in messages", documents, len(h.codes(sam)))
		}
	})
}

// TestInputsAreAskedOneByOne, also in Arabic digits, and travel with the purchase.
func TestInputsAreAskedOneByOne(t *testing.T) {
	t.Parallel()
	inHouse(t, func(h *house) {
		h.service.AddProduct(sim.ProductSpec{ID: 20, Name: "Arena Diamonds",
			Inputs:   []sim.InputSpec{{Index: "1", Label: "Player ID", Required: true}, {Index: "2", Label: "Region", Options: []string{"Europe", "MENA"}, Required: true}},
			Variants: []sim.VariantSpec{{ID: 201, Name: "100 diamonds", Price: "300", InStock: 9}}})
	}, func(h *house) {
		h.link(sam)
		h.order(sam, "Arena Diamonds", "100 diamonds", "1")
		h.see(sam, "Player ID")
		h.say(sam, "١٢٣٤٥٦٧٨٩٠")
		h.see(sam, "Region")
		h.say(sam, "Atlantis") // no such option: the question stays open
		h.see(sam, "Region")
		h.tap(sam, "MENA")
		h.see(sam, "1234567890")
		h.tap(sam, "✅")
		h.delivered(sam)
		got := h.service.Purchases()[0].Inputs
		if got["1"] != "1234567890" || got["2"] != "MENA" {
			t.Errorf("the service got the inputs %v", got)
		}
	})
}

// TestOddQuantities: what is no quantity gets a clear answer and the question stays open.
func TestOddQuantities(t *testing.T) {
	t.Parallel()
	inHouse(t, stock, func(h *house) {
		h.link(sam)
		h.say(sam, "/buy")
		h.tap(sam, "Play Card")
		h.tap(sam, "25 USD")
		for _, text := range []string{"0", "-1", "abc", "1000000000", "99999999999999999999999", "2.5", "٠", "6"} {
			before := len(h.telegram.Messages(sam))
			h.say(sam, text)
			h.pass(time.Second)
			if len(h.telegram.Messages(sam)) < before+2 {
				t.Errorf("%q got no answer", text)
			}
			if n := strings.Count(h.transcript(sam), "✅"); n != 0 {
				t.Errorf("%q led to a summary", text)
			}
		}
		h.say(sam, "٣") // Arabic digits are digits
		h.see(sam, "9,300")
		h.tap(sam, "✅")
		h.delivered(sam)
		if q := h.service.Purchases()[0].Quantity; q != 3 {
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
	inHouse(t, func(h *house) {
		for i, n := range names {
			h.service.AddProduct(sim.ProductSpec{ID: int64(30 + i), Name: n, Variants: []sim.VariantSpec{
				{ID: int64(300 + i), Name: n, Price: "10", InStock: 5, Delay: time.Second},
			}})
		}
	}, func(h *house) {
		h.link(sam)
		for i, n := range names {
			h.say(sam, "/buy")
			first := []rune(strings.Map(func(r rune) rune {
				if r == '\n' || r >= 0x202A && r <= 0x202E || r >= 0x2066 && r <= 0x2069 {
					return -1
				}
				return r
			}, n))
			h.tap(sam, string(first[:min(3, len(first))]))
			h.tap(sam, string(first[:min(3, len(first))]))
			h.say(sam, "1")
			h.tap(sam, "✅")
			h.pass(10 * time.Second)
			if got := len(h.service.Purchases()); got != i+1 {
				t.Fatalf("%q was not bought:\n%s", n, h.transcript(sam))
			}
		}
		h.delivered(sam)
	})
}

// TestFiveThousandProducts: a big catalogue is paged, and every page fits.
func TestFiveThousandProducts(t *testing.T) {
	t.Parallel()
	inHouse(t, func(h *house) {
		for i := range 5000 {
			h.service.AddProduct(sim.ProductSpec{ID: int64(1000 + i), Name: fmt.Sprintf("Product %04d", i), Variants: []sim.VariantSpec{
				{ID: int64(10000 + i), Name: "one", Price: "10", InStock: 5},
			}})
		}
	}, func(h *house) {
		h.link(sam)
		h.say(sam, "/buy")
		h.see(sam, "")
		h.tap(sam, "Product 0000")
		h.say(sam, "/buy")
		h.tap(sam, "▶")
		h.tap(sam, "Product 0008")
		h.say(sam, "/buy product 4321")
		h.tap(sam, "one")
		h.say(sam, "1")
		h.tap(sam, "✅")
		h.delivered(sam)
		if v := h.service.Purchases()[0].VariantID; v != 14321 {
			t.Errorf("bought variant %d", v)
		}
	})
}

// TestHouseKey: the owner's chat is linked at the first start, and stays unlinked when its owner says so.
func TestHouseKey(t *testing.T) {
	t.Parallel()
	inHouse(t, func(h *house) {
		stock(h)
		h.env["RESELLER_API_KEY"], h.env["OWNER_CHAT_ID"] = testKey, "502"
		h.service.Inject(sim.Fault{Operation: "GET /account", Times: 2, Kind: sim.Status, Status: 502})
	}, func(h *house) {
		h.pass(time.Minute)
		h.say(sam, "/start")
		h.see(sam, "Boutique El Djazair")
		h.say(sam, "/key remove")
		h.stop()
		h.start()
		h.pass(time.Minute)
		h.say(sam, "/balance")
		h.see(sam, "No account is linked")
		h.say(yasmine, "/start")
		h.see(yasmine, "liez votre clé API")
	})
}

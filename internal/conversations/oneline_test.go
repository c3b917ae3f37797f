package conversations_test

import (
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"resellerbot/internal/api/sim"
	"resellerbot/internal/app/apptest"
	"resellerbot/internal/sampletest"
	"resellerbot/internal/sandbox/tgsim"
	"resellerbot/internal/store"
)

// atTheCounter is a service with everything, and Sam, who sells there.
func atTheCounter(t *testing.T, play func(*apptest.Harness)) {
	t.Helper()
	apptest.Run(t, heroes, func(h *apptest.Harness) {
		h.Link(apptest.Sam)
		play(h)
	})
}

// summaryOf is the summary that a line leads to, as plain text.
func summaryOf(h *apptest.Harness, line string) string {
	h.T.Helper()
	before := h.FromBot(apptest.Sam)
	h.Say(apptest.Sam, line)
	m := h.Wait(apptest.Sam, "a new summary", func(all []tgsim.Message) (tgsim.Message, bool) {
		m := last(all)
		return m, h.FromBot(apptest.Sam) > before && strings.Contains(apptest.Plain(m.Text), "Check before buying")
	})
	return apptest.Plain(m.Text)
}

// TestOneLineBuys: what to buy, how many and for whom in one line leads to the summary, which shows what was read; nothing
// is bought before its ✅.
func TestOneLineBuys(t *testing.T) {
	t.Parallel()
	atTheCounter(t, func(h *apptest.Harness) {
		for line, wanted := range map[string][]string{
			"play card 5 x3":            {"Play Card", "5 USD", "3 × DZD 1,250.50"},
			"pc5 x3":                    {"Play Card", "5 USD", "3 × DZD 1,250.50"},
			"3× بلاي كارد ١٠":           {"Play Card", "10 USD", "3 × DZD 2,480"},
			"battle 60 51234567":        {"Battle Royale Coins", "60 coins", "51234567", "Lina", "1 × DZD 210"},
			"battle royale 60 ٥١٢٣٤٥٦٧": {"60 coins", "51234567", "Lina"},
			"battle 60 51234567 x2":     {"51234567", "2 × DZD 210"},
			"hero 300 111111 MENA":      {"Hero Crystals", "300 crystals", "111111", "MENA", "Amine"},
			"/buy pc5 x2":               {"Play Card", "2 × DZD 1,250.50"},
			"pc5x2":                     {"Play Card", "5 USD", "2 × DZD 1,250.50"},
			"play card 10×٢":            {"Play Card", "10 USD", "2 × DZD 2,480"},
			"battle 60x2 51234567":      {"60 coins", "51234567", "2 × DZD 210"},
			"PC10 ×٢":                   {"10 USD", "2 × DZD 2,480"},
			"carte elite x1":            {"Carte Cadeau Élite", "1 × DZD 2,100"},
			"بطاقة الموسيقى سنة x1":     {"بطاقة الموسيقى", "1 × DZD 8,900"},
		} {
			text := summaryOf(h, line)
			for _, want := range wanted {
				if !strings.Contains(text, want) {
					t.Errorf("%q leads to a summary without %q:\n%s", line, want, text)
				}
			}
		}
		h.Happened(0)
		summaryOf(h, "pc5 x2")
		h.Tap(apptest.Sam, "✅")
		h.Delivered(apptest.Sam)
		h.Happened(1)
	})
}

// TestALineStaysASearch: what does not say what to buy searches, asks what is open, or finds what was bought.
func TestALineStaysASearch(t *testing.T) {
	t.Parallel()
	atTheCounter(t, func(h *apptest.Harness) {
		h.Say(apptest.Sam, "play card 5")
		h.See(apptest.Sam, "How many?")
		h.Say(apptest.Sam, "/buy pc5 x900")
		h.See(apptest.Sam, "most")
		h.Say(apptest.Sam, "/buy pc25 x8")
		h.See(apptest.Sam, "Missing:")
		h.Say(apptest.Sam, "/cancel")
		h.Say(apptest.Sam, "hero 300 111111")
		h.See(apptest.Sam, "Server")
		h.Tap(apptest.Sam, "MENA")
		h.See(apptest.Sam, "Check before buying")
		h.Say(apptest.Sam, "nothing like it x3")
		h.See(apptest.Sam, "nothing like it x3")
		h.Happened(0)
	})
}

// TestALineInTwoWays: a line that can be read in two ways asks with a button for each, and a tap leads to that summary.
func TestALineInTwoWays(t *testing.T) {
	t.Parallel()
	atTheCounter(t, func(h *apptest.Harness) {
		h.Service.AddProduct(sim.ProductSpec{ID: 90, Name: "Solo", Variants: []sim.VariantSpec{{ID: 9001, Name: "pack 5", Price: "100", InStock: 50}}})
		h.Service.AddProduct(sim.ProductSpec{ID: 91, Name: "Duo", Variants: []sim.VariantSpec{{ID: 9101, Name: "small", Price: "100", InStock: 50}, {ID: 9102, Name: "big", Price: "200", InStock: 50}}})
		h.Pass(2 * time.Minute)
		h.Say(apptest.Sam, "duo x3")
		m := h.See(apptest.Sam, "Which one do you mean by duo x3?")
		if got := len(buttons(m, "Duo")); got != 2 {
			t.Errorf("%d buttons for two ways", got)
		}
		h.Tap(apptest.Sam, "Duo · big")
		if text := apptest.Plain(h.See(apptest.Sam, "Check before buying").Text); !strings.Contains(text, "3 × DZD 200") {
			t.Errorf("the summary is %s", text)
		}
		h.Say(apptest.Sam, "solo 5")
		h.See(apptest.Sam, "Which one do you mean by solo 5?")
		h.Tap(apptest.Sam, "× 5")
		if text := apptest.Plain(h.See(apptest.Sam, "Check before buying").Text); !strings.Contains(text, "5 × DZD 100") {
			t.Errorf("the summary is %s", text)
		}
		h.Happened(0)
	})
}

// TestShortWords: a shop's own word wins over the search, is one of the account and not of the chat, and ends with 🗑.
func TestShortWords(t *testing.T) {
	t.Parallel()
	atTheCounter(t, func(h *apptest.Harness) {
		h.Say(apptest.Sam, "/alias")
		h.See(apptest.Sam, "no short words yet")
		h.Say(apptest.Sam, "/alias pc5 stream tv 3 months")
		h.See(apptest.Sam, "Short words: pc5")
		if text := summaryOf(h, "PC5 x2"); !strings.Contains(text, "3 months") {
			t.Errorf("the search has won over the shop's word: %s", text)
		}
		h.Say(apptest.Sam, "/alias ب60 battle 60")
		h.See(apptest.Sam, "Short words: ب60")
		if text := summaryOf(h, "ب٦٠ 51234567"); !strings.Contains(text, "Lina") || !strings.Contains(text, "60 coins") {
			t.Errorf("the summary is %s", text)
		}
		h.Say(apptest.Sam, "/alias xx play card")
		h.See(apptest.Sam, "Which one do you mean")
		h.Tap(apptest.Sam, "25 USD")
		h.See(apptest.Sam, "Short words: xx")
		h.Say(apptest.Sam, "/alias yy usd eur nothing")
		h.See(apptest.Sam, "not clear which product")
		h.Say(apptest.Sam, "/alias 12 battle 60")
		h.See(apptest.Sam, "cannot be a short word")
		h.Say(apptest.Sam, "coins60")
		h.See(apptest.Sam, "Short words: coins60")
		h.Link(apptest.Yasmine)
		h.Say(apptest.Yasmine, "/alias")
		list := apptest.Plain(h.See(apptest.Yasmine, "Your short words").Text)
		if !strings.Contains(list, "pc5 = Stream TV · 3 months") || !strings.Contains(list, "ب60 = Battle Royale Coins · 60 coins") {
			t.Errorf("the list is %s", list)
		}
		h.Say(apptest.Yasmine, "/alias pc5")
		h.Tap(apptest.Yasmine, "🗑")
		h.See(apptest.Yasmine, "3 months")
		if text := summaryOf(h, "pc5 x2"); !strings.Contains(text, "5 USD") {
			t.Errorf("the word means its item still: %s", text)
		}
		h.Happened(0)
	})
}

// TestFavouritesAndPrices: an item is a favourite on home and above the catalogue, and its price for a customer is a
// message with the shop's price and nothing of what it costs.
func TestFavouritesAndPrices(t *testing.T) {
	t.Parallel()
	atTheCounter(t, func(h *apptest.Harness) {
		h.Say(apptest.Sam, "play card 5")
		h.Tap(apptest.Sam, "Favourite, short word")
		h.Tap(apptest.Sam, "Add to favourites")
		h.See(apptest.Sam, "One of your favourites")
		h.Say(apptest.Sam, "/buy")
		h.Tap(apptest.Sam, "Favourites")
		h.Tap(apptest.Sam, "⭐️ Play Card · 5 USD")
		h.See(apptest.Sam, "How many?")
		h.Tap(apptest.Sam, "Favourite, short word")
		h.Tap(apptest.Sam, "Customer's price")
		h.Say(apptest.Sam, "free")
		h.See(apptest.Sam, "This is not a price")
		h.Say(apptest.Sam, "1000")
		h.See(apptest.Sam, "less than your buying price")
		h.Say(apptest.Sam, "1,500")
		h.See(apptest.Sam, "read in two ways")
		h.Tap(apptest.Sam, "👍")
		h.SeeAny(apptest.Sam, "forward it as it is")
		m := h.See(apptest.Sam, "Price: DZD 1,500")
		if text := apptest.Plain(m.Text); strings.Contains(text, "1,250") || !strings.Contains(text, "Play Card · 5 USD") || len(m.Keyboard) != 0 {
			t.Errorf("the message for a customer is %s with %d rows", text, len(m.Keyboard))
		}
		h.Say(apptest.Sam, "/start")
		h.Tap(apptest.Sam, "⭐️ Play Card · 5 USD")
		h.See(apptest.Sam, "How many?")
		h.Tap(apptest.Sam, "Favourite, short word")
		h.Tap(apptest.Sam, "Remove favourite")
		h.Say(apptest.Sam, "/start")
		if got := len(buttons(h.See(apptest.Sam, "Boutique"), "⭐️")); got != 0 {
			t.Errorf("%d favourites are left", got)
		}
	})
}

// TestHomeIsACockpit: what was sold today, what was bought last and is a tap from its summary, and the balance from memory,
// with its time, while the service is away. A tap on 🔄 edits the screen.
func TestHomeIsACockpit(t *testing.T) {
	t.Parallel()
	atTheCounter(t, func(h *apptest.Harness) {
		for _, line := range []string{"pc5 x2", "battle 60 51234567", "pc10 x1"} {
			summaryOf(h, line)
			h.Tap(apptest.Sam, "✅")
			h.Pass(20 * time.Second)
		}
		h.Say(apptest.Sam, "/start")
		m := h.See(apptest.Sam, "Purchases today: 3 · paid DZD 5,191")
		if got := buttons(m, "🔁"); len(got) != 3 || !strings.Contains(got[1].Text, "Lina") {
			t.Errorf("what was bought last: %v", got)
		}
		before := h.FromBot(apptest.Sam)
		h.Tap(apptest.Sam, "🔄")
		if h.FromBot(apptest.Sam) != before {
			t.Error("home is sent anew instead of being edited")
		}
		h.Tap(apptest.Sam, "🔁 Battle")
		h.See(apptest.Sam, "Lina")
		h.See(apptest.Sam, "Check before buying")
		h.Tap(apptest.Sam, "✖️")
		h.Service.Inject(sim.Fault{Operation: sim.AnyOperation, Kind: sim.Status, Status: 502, Times: 1000})
		h.Pass(2 * time.Minute)
		h.Say(apptest.Sam, "/start")
		h.See(apptest.Sam, "it cannot be read now")
	})
}

// TestLinesAtTheOlderInterface: its list tells no ids of what a product comes in; what is typed by name is bought all the same.
func TestLinesAtTheOlderInterface(t *testing.T) {
	t.Parallel()
	apptest.Run(t, apptest.Everything(sim.Options{}), func(h *apptest.Harness) {
		h.LinkLegacy(apptest.Sam)
		h.Say(apptest.Sam, "play card 5 usd")
		h.See(apptest.Sam, "How many?")
		if text := summaryOf(h, "2"); !strings.Contains(text, "2 × DZD 1,250.50") {
			t.Errorf("the number led to\n%s", text)
		}
		if text := summaryOf(h, "pc10 x3"); !strings.Contains(text, "3 × DZD 2,480") {
			t.Errorf("the line led to\n%s", text)
		}
		h.Tap(apptest.Sam, "✅")
		h.Delivered(apptest.Sam)
		if got := h.Happened(1)[0]; got.Quantity != 3 {
			t.Errorf("%d were bought", got.Quantity)
		}
	})
}

// TestALineForAWrongPlayer: a line whose item is clear, but not who gets it, asks that again, and says why.
func TestALineForAWrongPlayer(t *testing.T) {
	t.Parallel()
	atTheCounter(t, func(h *apptest.Harness) {
		for _, line := range []string{"arena diamonds 100 12345678", "١٢٣٤٥٦٧٨ arena diamonds 100"} {
			h.Say(apptest.Sam, "/cancel")
			h.Say(apptest.Sam, line)
			question := apptest.Plain(h.See(apptest.Sam, "Player ID").Text)
			if !strings.Contains(question, "Arena Diamonds") || !strings.Contains(question, "⚠️") {
				t.Errorf("%q leads to\n%s", line, question)
			}
		}
		h.Say(apptest.Sam, "1234567890")
		h.See(apptest.Sam, "Region")
		h.Tap(apptest.Sam, "MENA")
		h.See(apptest.Sam, "Check before buying")
		h.Happened(0)
	})
}

// TestALineOfTwoInputs: a player and what stands behind them, as a zone or a region, are both read, in a line and in a list;
// the one that does not fit is asked for, and the other is kept.
func TestALineOfTwoInputs(t *testing.T) {
	t.Parallel()
	for language, words := range sampletest.SomeNamed(3, map[string]struct{ region, unfit string }{
		"en": {"Region", "the player ID, or another answer, is missing or wrong"},
		"fr": {"Région", "absent ou faux"},
		"ar": {"المنطقة", "ناقص"},
	}) {
		t.Run(language, func(t *testing.T) {
			t.Parallel()
			apptest.Run(t, func(h *apptest.Harness) {
				heroes(h)
				h.Telegram.SetLanguage(apptest.Sam, language)
				h.Service.AddProduct(sim.ProductSpec{
					ID: 90, Name: "Legends Gems", Kind: "topup", Inputs: []sim.InputSpec{{Index: "1", Label: "Player ID", Pattern: `^\d{6,}$`, Required: true}, {Index: "2", Label: "Zone", Pattern: `^\d{3,5}$`, Required: true}},
					Variants: []sim.VariantSpec{{ID: 9011, Name: "86 gems", Price: "300", InStock: 50}},
				})
			}, func(h *apptest.Harness) {
				h.Link(apptest.Sam)
				for _, line := range []string{"legends 86 123456789 2001", "legends 86 123456789(201)", "legends 86 ١٢٣٤٥٦٧٨٩ ٢٠١", "arena 100 1234567890 mena"} {
					h.Say(apptest.Sam, line)
					h.Pass(5 * time.Second)
					if m := last(h.Telegram.Messages(apptest.Sam)); len(spendButtons(m)) != 1 || !strings.Contains(apptest.Plain(m.Text), "1234567") {
						t.Errorf("%q leads to\n%s", line, apptest.Plain(m.Text))
					}
					h.Say(apptest.Sam, "/cancel")
				}
				h.Say(apptest.Sam, "arena 100 1234567890 2001")
				h.Pass(5 * time.Second)
				if m := last(h.Telegram.Messages(apptest.Sam)); !strings.Contains(apptest.Plain(m.Text), words.region) || !strings.Contains(m.Text, "⚠️") {
					t.Errorf("a wrong region leads to\n%s", apptest.Plain(m.Text))
				}
				h.Tap(apptest.Sam, "MENA")
				h.Pass(5 * time.Second)
				if m := last(h.Telegram.Messages(apptest.Sam)); !strings.Contains(apptest.Plain(m.Text), "1234567890") || len(spendButtons(m)) != 1 {
					t.Errorf("the player is asked for again:\n%s", apptest.Plain(m.Text))
				}
				h.Say(apptest.Sam, "legends 86 123456789 2001\narena 100 1234567890 MENA\narena 100 1234567890 2001")
				h.Pass(3 * time.Second)
				m := last(h.Telegram.Messages(apptest.Sam))
				if text := apptest.Plain(m.Text); !strings.Contains(text, "123456789 · 2001") || !strings.Contains(text, "1234567890 · MENA") || !strings.Contains(text, words.unfit) {
					t.Errorf("the list is\n%s", text)
				}
				h.Happened(0)
			})
		})
	}
}

// TestANumberAloneOpensNothing: a number that answers no question is a search, whose result is for people to tap.
func TestANumberAloneOpensNothing(t *testing.T) {
	t.Parallel()
	for language, words := range sampletest.SomeNamed(1, map[string]string{"en": "How many", "fr": "Combien", "ar": "كم"}) {
		t.Run(language, func(t *testing.T) {
			t.Parallel()
			apptest.Run(t, heroesIn(language), func(h *apptest.Harness) {
				h.Link(apptest.Sam)
				for _, number := range []string{"25", "٢٥", "5"} {
					h.Say(apptest.Sam, number)
					h.Pass(5 * time.Second)
					m := last(h.Telegram.Messages(apptest.Sam))
					if text := apptest.Plain(m.Text); !strings.Contains(text, "🔎") || strings.Contains(text, words) || len(m.Keyboard) < 2 {
						t.Errorf("%q leads to\n%s", number, text)
					}
				}
			})
		})
	}
}

// TestAShortNumberShowsNoCodes: the numbers of an older service's orders are as short as quantities. Such a number alone, whose
// question has gone, leads to the order as a button; as a reference it opens the order.
func TestAShortNumberShowsNoCodes(t *testing.T) {
	t.Parallel()
	apptest.Run(t, apptest.Everything(sim.Options{Mode: sim.Legacy}), func(h *apptest.Harness) {
		h.LinkLegacy(apptest.Sam)
		h.Buy(apptest.Sam, "Play Card", "10 USD", "4")
		h.Delivered(apptest.Sam)
		h.SeeAny(apptest.Sam, "🔔") // else it is newer than what is asked for next
		number := h.Happened(1)[0].OrderIDs[3]
		if len(number) > 3 {
			t.Fatalf("the order's number %q is not short", number)
		}
		codes := h.Codes(apptest.Sam)[:1]
		h.Say(apptest.Sam, number)
		h.Pass(5 * time.Second)
		m := last(h.Telegram.Messages(apptest.Sam))
		if text := apptest.Plain(m.Text); strings.Contains(text, codes[0]) || !strings.Contains(text, "Play Card") || len(m.Keyboard) == 0 {
			t.Errorf("%q leads to\n%s", number, text)
		}
		h.Say(apptest.Sam, "#"+number)
		h.Pass(5 * time.Second)
		if m := last(h.Telegram.Messages(apptest.Sam)); !strings.Contains(m.Text, codes[0]) {
			t.Errorf("#%s leads to\n%s", number, apptest.Plain(m.Text))
		}
	})
}

// TestUnknownButtonLeavesCodes: a button that this bot does not know is answered in a message of its own: what it stands under
// may hold codes.
func TestUnknownButtonLeavesCodes(t *testing.T) {
	t.Parallel()
	atTheCounter(t, func(h *apptest.Harness) {
		h.Say(apptest.Sam, "pc5 x1")
		h.Tap(apptest.Sam, "✅")
		h.Delivered(apptest.Sam)
		before := h.Codes(apptest.Sam)
		receipt := h.SeeAny(apptest.Sam, "Delivered")
		for _, data := range []string{"", "v0:nothing:1", "zz"} {
			h.Telegram.Tap(apptest.Sam, apptest.Sam, receipt.ID, data)
			h.Pass(5 * time.Second)
		}
		if after := h.Codes(apptest.Sam); len(before) != 1 || !slices.Equal(after, before) {
			t.Errorf("the codes were %v, and are %v", before, after)
		}
		h.Answered()
	})
}

// last is the last message of some.
func last(all []tgsim.Message) tgsim.Message { return all[len(all)-1] }

// TestOneLineThatCannotBe: a number of units that nobody can buy is explained, and asked for anew.
func TestOneLineThatCannotBe(t *testing.T) {
	t.Parallel()
	for language, words := range sampletest.SomeNamed(3, map[string][3]string{
		"en": {"At least 1.", "At most 3 in", "At most 19 with this balance"},
		"fr": {"Au moins 1.", "Au plus 3 par", "Au plus 19 avec ce solde"},
		"ar": {"واحد على الأقل", "الحدّ الأقصى 3 في", "الحدّ الأقصى 19 بهذا الرصيد"},
	}) {
		t.Run(language, func(t *testing.T) {
			t.Parallel()
			apptest.Run(t, heroesIn(language), func(h *apptest.Harness) {
				h.Link(apptest.Sam)
				last := 0
				for line, want := range map[string]string{
					"pc5 x0": words[0], "pc5x0": words[0], "/buy play card 5 ×٠": words[0], "battle 60 x0": words[0],
					"carte elite x99999999": words[1], "pc5 x5000": words[2],
				} {
					h.Say(apptest.Sam, line)
					h.Pass(5 * time.Second)
					answer := h.SeeLast(apptest.Sam, "⚠️")
					if text := apptest.Plain(answer.Text); !strings.Contains(text, want) || answer.ID <= last {
						t.Errorf("%q is answered, %d after %d:\n%s", line, answer.ID, last, text)
					}
					last = answer.ID
				}
				h.Happened(0)
			})
		})
	}
}

// TestNoQuantityOfNothing: a quantity that cannot be is told also where the line names no item, and neither is searched for.
func TestNoQuantityOfNothing(t *testing.T) {
	t.Parallel()
	for language, words := range sampletest.SomeNamed(3, map[string][2]string{
		"en": {"0 cannot be bought", "too large"}, "fr": {"Impossible d'acheter 0", "trop grande"}, "ar": {"لا يمكن شراء 0", "كبيرة جدًا"},
	}) {
		t.Run(language, func(t *testing.T) {
			t.Parallel()
			apptest.Run(t, heroesIn(language), func(h *apptest.Harness) {
				h.Link(apptest.Sam)
				for _, line := range []string{"51234511 x0", "51234511 ×٠", "nothing like it 0×", "carte x0"} {
					h.Say(apptest.Sam, line)
					h.SeeLast(apptest.Sam, words[0])
					h.Say(apptest.Sam, "/start")
				}
				h.Say(apptest.Sam, "51234511 x99999999999")
				h.SeeLast(apptest.Sam, words[1])
				h.Happened(0)
			})
		})
	}
}

// TestCommaBehindANumber: the comma behind a player is no part of their number.
func TestCommaBehindANumber(t *testing.T) {
	t.Parallel()
	atTheCounter(t, func(h *apptest.Harness) {
		if text := summaryOf(h, "battle 60 51234567,"); !strings.Contains(text, "51234567") || strings.Contains(text, "51234567,") {
			t.Errorf("it is read as\n%s", text)
		}
		h.Say(apptest.Sam, "/start")
		h.Say(apptest.Sam, "battle 60")
		h.Tap(apptest.Sam, "1 unit")
		h.Say(apptest.Sam, "51234568،")
		if text := apptest.Plain(h.See(apptest.Sam, "Check before buying").Text); !strings.Contains(text, "51234568") || strings.Contains(text, "،") {
			t.Errorf("the answer is read as\n%s", text)
		}
	})
}

// TestAliasOfNothing: a short word with nothing behind it is told how it gets its item.
func TestAliasOfNothing(t *testing.T) {
	t.Parallel()
	for language, words := range sampletest.SomeNamed(1, map[string]string{"en": "zz is not a short word yet", "fr": "zz n'est pas encore un raccourci", "ar": "zz ليس اختصارًا بعد"}) {
		t.Run(language, func(t *testing.T) {
			t.Parallel()
			apptest.Run(t, heroesIn(language), func(h *apptest.Harness) {
				h.Link(apptest.Sam)
				h.Say(apptest.Sam, "/alias zz")
				if text := apptest.Plain(h.SeeLast(apptest.Sam, "⌨️").Text); !strings.Contains(text, words) || !strings.Contains(text, "/alias zz Play Card 5 USD") {
					t.Errorf("it is answered:\n%s", text)
				}
				h.Say(apptest.Sam, "/alias zz Play Card 5 USD")
				h.Say(apptest.Sam, "/alias zz")
				h.SeeLast(apptest.Sam, "Play Card")
				h.Say(apptest.Sam, "/alias 55")
				h.SeeLast(apptest.Sam, "❗️")
			})
		})
	}
}

// TestWordsAtHowMany: while it is asked how many, the reference of an order opens it, words that name something else to buy leave the
// question, and others are answered in it, with a word on decimals only where there is one. A quantity that cannot be read is said to
// be that, in the question and outside of it. In each language.
func TestWordsAtHowMany(t *testing.T) {
	t.Parallel()
	for lang, words := range sampletest.SomeNamed(3, map[string]struct{ ask, number, decimal, odd string }{
		"en": {"How many?", "Send the number of units", "Send a whole number", "That quantity cannot be read."},
		"fr": {"Combien ?", "Envoyez le nombre d'unités", "Envoyez un nombre entier", "Quantité illisible."},
		"ar": {"كم العدد؟", "أرسل عدد الوحدات", "أرسل عددًا دون فاصلة", "هذه الكمية غير مقروءة."},
	}) {
		t.Run(lang, func(t *testing.T) {
			t.Parallel()
			atTheCounter(t, func(h *apptest.Harness) {
				h.Say(apptest.Sam, "pc5 x1")
				h.Tap(apptest.Sam, "✅")
				h.Delivered(apptest.Sam)
				var ref string
				for _, p := range purchases(h) {
					ref = store.Ref(p.ID)
				}
				typed := ref
				if regexp.MustCompile(`(^|X)[0-9]+$`).MatchString(ref) { // digits alone are how many, and so they are behind an x
					typed = "#" + ref
				}
				chooseLanguage(h, apptest.Sam, lang)
				says := func(line, want string) {
					h.T.Helper()
					h.Say(apptest.Sam, line)
					h.Pass(time.Second)
					if text := plainly(last(ofBot(h, apptest.Sam)).Text); !strings.Contains(text, plainly(want)) {
						t.Errorf("%q is answered\n%s", line, text)
					}
				}
				ask := func() { h.T.Helper(); says("play card 5", words.ask) }
				ask()
				says(typed, ref)
				ask()
				says("بطاقة الموسيقى", "بطاقة الموسيقى")
				ask()
				says("many", words.number)
				says("2.5", words.decimal)
				says("pc5 x2 x3", words.odd)
				for _, line := range []string{"pc5 x2 x3", "pc5 x٣٫٥", "pc5 x1,000"} {
					h.Say(apptest.Sam, "/cancel")
					says(line, words.odd)
				}
				h.Bought(1)
			})
		})
	}
}

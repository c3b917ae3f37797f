package conversations_test

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"resellerbot/internal/api/sim"
	"resellerbot/internal/app/apptest"
	"resellerbot/internal/sampletest"
	"resellerbot/internal/sandbox/tgsim"
)

// ofBot is the messages of the bot that a chat shows.
func ofBot(h *apptest.Harness, chat int64) []tgsim.Message {
	return slices.DeleteFunc(h.Telegram.Messages(chat), func(m tgsim.Message) bool { return !m.FromBot || m.Deleted })
}

// askedHowMany has Sam be asked how many chests.
func askedHowMany(h *apptest.Harness) {
	h.Link(apptest.Sam)
	h.Say(apptest.Sam, "/buy")
	h.Tap(apptest.Sam, "Guild Chest")
	h.Tap(apptest.Sam, "1 chest")
}

// answeredInHaste has Sam answer that with one mistake after another, so that the chat is not quiet for a while.
func answeredInHaste(h *apptest.Harness) {
	for _, answer := range []string{"many", "0", "9000", "2"} {
		h.Telegram.Send(apptest.Sam, apptest.Sam, answer)
	}
	h.SeeLast(apptest.Sam, "Player ID")
}

// TestAnsweredQuestionIsOver: the buttons of a question that was answered by typing go once the chat is quiet. Who taps one of them before that
// stays at the question that is open by now.
func TestAnsweredQuestionIsOver(t *testing.T) {
	t.Parallel()
	apptest.Run(t, guild, func(h *apptest.Harness) {
		askedHowMany(h)
		answered := h.SeeLast(apptest.Sam, "How many?")
		answeredInHaste(h)
		h.TapUnder("How many?", "3")
		h.Say(apptest.Sam, "123456")
		h.See(apptest.Sam, "Guild")
		h.Pass(10 * time.Second)
		i := slices.IndexFunc(ofBot(h, apptest.Sam), func(m tgsim.Message) bool { return m.ID == answered.ID })
		if i < 0 || !strings.Contains(apptest.Plain(ofBot(h, apptest.Sam)[i].Text), "How many?") {
			t.Fatalf("the answered question has become something else:\n%s", h.Transcript(apptest.Sam))
		}
		if len(ofBot(h, apptest.Sam)[i].Keyboard) != 0 || !strings.Contains(h.Transcript(apptest.Sam), "Question \u20682\u2069") {
			t.Errorf("it keeps its buttons, or the next question has lost its answer:\n%s", h.Transcript(apptest.Sam))
		}
	})
}

// TestStopWaitsForNoKeyboard: a stop does not wait until the chat is quiet of somebody who has just answered a question.
func TestStopWaitsForNoKeyboard(t *testing.T) {
	t.Parallel()
	apptest.Run(t, guild, func(h *apptest.Harness) {
		askedHowMany(h)
		answeredInHaste(h)
		begin := time.Now()
		h.Stop()
		if took := time.Since(begin); took > time.Second {
			t.Errorf("a stop takes %v", took)
		}
	})
}

// TestMistakesAreShownInTheirQuestion: what cannot be an answer is said in the question, which is not asked again below,
// and a question that was answered has no buttons any more.
func TestMistakesAreShownInTheirQuestion(t *testing.T) {
	t.Parallel()
	for lang, wrong := range sampletest.SomeNamed(1, map[string]string{"en": "Send the number of units", "fr": "Envoyez le nombre d'unités", "ar": "أرسل عدد الوحدات"}) {
		t.Run(lang, func(t *testing.T) {
			t.Parallel()
			apptest.Run(t, func(h *apptest.Harness) {
				guild(h)
				h.Telegram.SetLanguage(apptest.Sam, lang)
			}, func(h *apptest.Harness) {
				askedHowMany(h)
				before := len(ofBot(h, apptest.Sam))
				for _, answer := range []string{"many", "0", "9000"} {
					h.Say(apptest.Sam, answer)
				}
				h.Say(apptest.Sam, "many")
				h.See(apptest.Sam, wrong)
				if now := len(ofBot(h, apptest.Sam)); now != before {
					t.Errorf("%d messages of the bot, there were %d:\n%s", now, before, h.Transcript(apptest.Sam))
				}
				h.Say(apptest.Sam, "1")
				h.Say(apptest.Sam, strings.Repeat("9", 300))
				h.Say(apptest.Sam, "123456")
				all := ofBot(h, apptest.Sam)
				if len(all) != before+2 {
					t.Fatalf("%d messages of the bot, want %d:\n%s", len(all), before+2, h.Transcript(apptest.Sam))
				}
				h.Pass(10 * time.Second) // until the chat is quiet
				for _, m := range ofBot(h, apptest.Sam)[before-1 : before+1] {
					if len(m.Keyboard) != 0 {
						t.Errorf("an answered question keeps its buttons: %s", m.Text)
					}
				}
			})
		})
	}
}

// TestMistakesAboutLimits: the same for an alert and a seller's limit.
func TestMistakesAboutLimits(t *testing.T) {
	t.Parallel()
	for name, ask := range map[string]func(h *apptest.Harness){
		"alert": func(h *apptest.Harness) { h.Say(apptest.Sam, "/alerts"); h.Tap(apptest.Sam, "Low balance") },
		"limit": func(h *apptest.Harness) {
			h.Say(apptest.Sam, "/team")
			h.Tap(apptest.Sam, "Karim")
			h.Tap(apptest.Sam, "Per purchase")
		},
		"key": func(h *apptest.Harness) { h.Say(apptest.Sam, "/key") },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			inTeam(t, func(h *apptest.Harness) {
				ask(h)
				before := len(ofBot(h, apptest.Sam))
				h.Say(apptest.Sam, "so")
				h.See(apptest.Sam, map[string]string{"key": "not look like"}[name])
				if now := len(ofBot(h, apptest.Sam)); now != before {
					t.Errorf("the question is asked again:\n%s", h.Transcript(apptest.Sam))
				}
			})
		})
	}
}

// TestTypedInAGroup: a question in a group says how it is answered, and a reply to it is its answer, whatever was on the
// screen meanwhile; what people tell each other is none.
func TestTypedInAGroup(t *testing.T) {
	t.Parallel()
	for _, admin := range sampletest.Some(1, []bool{false, true}) {
		t.Run(fmt.Sprint("administrator ", admin), func(t *testing.T) {
			t.Parallel()
			inShop(t, func(h *apptest.Harness) {
				if admin { // it reads along
					h.Telegram.SetRole(apptest.Sam, shop, h.Telegram.BotID(), tgsim.Administrator)
					h.Pass(time.Second)
				}
				commandIn(h, apptest.Karim, shop, 0, "/buy")
				h.TapIn(apptest.Karim, shop, "Play Card")
				h.TapIn(apptest.Karim, shop, "10 USD")
				question := h.See(shop, "Answer with a reply to this message")
				commandIn(h, apptest.Karim, shop, 0, "/orders")
				h.See(shop, "No orders yet")
				before := len(ofBot(h, shop))
				h.Telegram.Send(apptest.Karim, shop, "2")
				h.Telegram.Send(apptest.Karim, shop, "play")
				h.Pass(time.Second)
				if now := len(ofBot(h, shop)); now != before {
					t.Fatalf("the bot has answered what was not for it:\n%s", h.Transcript(shop))
				}
				h.Telegram.Reply(apptest.Karim, shop, question.ID, "3")
				h.Pass(time.Second)
				if text := apptest.Plain(h.See(shop, "Check before buying").Text); !strings.Contains(text, "3 ×") && !strings.Contains(text, "× 3") {
					t.Errorf("the summary is %s", text)
				}
			})
		})
	}
}

// TestGroupQuestionInEachLanguage: how a question in a group is answered is said in its language.
func TestGroupQuestionInEachLanguage(t *testing.T) {
	t.Parallel()
	for lang, words := range sampletest.SomeNamed(1, map[string]string{"fr": "Répondez à ce message", "ar": "أجب بالردّ على هذه الرسالة"}) {
		t.Run(lang, func(t *testing.T) {
			t.Parallel()
			inShop(t, func(h *apptest.Harness) {
				h.Say(apptest.Sam, "/language")
				commandIn(h, apptest.Sam, shop, 0, "/language")
				h.TapIn(apptest.Sam, shop, map[string]string{"fr": "Français", "ar": "العربية"}[lang])
				commandIn(h, apptest.Karim, shop, 0, "/buy")
				h.TapIn(apptest.Karim, shop, "Play Card")
				h.TapIn(apptest.Karim, shop, "10 USD")
				h.See(shop, words)
			})
		})
	}
}

// TestToastsAreInOnesOwnLanguage: what only one person sees in a group is in their language.
func TestToastsAreInOnesOwnLanguage(t *testing.T) {
	t.Parallel()
	for lang, words := range sampletest.SomeNamed(1, map[string]string{"fr": "Votre rôle ne le permet pas", "ar": "دورك لا يشمل ذلك"}) {
		t.Run(lang, func(t *testing.T) {
			t.Parallel()
			inShop(t, func(h *apptest.Harness) {
				h.Say(apptest.Lila, "/language")
				h.Tap(apptest.Lila, map[string]string{"fr": "Français", "ar": "العربية"}[lang])
				commandIn(h, apptest.Karim, shop, 0, "/buy")
				if c := h.TapIn(apptest.Lila, shop, "Play Card"); !strings.Contains(apptest.Plain(c.Text), words) {
					t.Errorf("it is said: %q", c.Text)
				}
			})
		})
	}
}

// TestCodesThatDoNotArriveInPrivate: that codes were sent is said once they were.
func TestCodesThatDoNotArriveInPrivate(t *testing.T) {
	t.Parallel()
	inShop(t, func(h *apptest.Harness) {
		buy(h, apptest.Karim)
		h.See(shop, "Delivered")
		h.Telegram.Inject(tgsim.Fault{Method: "sendmessage", Chat: apptest.Lila, Kind: tgsim.Broken, Code: http.StatusForbidden, Times: 1})
		h.RefusedWith(h.TapIn(apptest.Lila, shop, "📩"), "Open a private chat with me first")
		if c := h.TapIn(apptest.Lila, shop, "📩"); !strings.Contains(c.Text, "in private") || len(h.Codes(apptest.Lila)) == 0 {
			t.Errorf("it is said %q, and there are the codes %v", c.Text, h.Codes(apptest.Lila))
		}
	})
}

// TestTryAgainDoesSo: the button under what could not be read reads it.
func TestTryAgainDoesSo(t *testing.T) {
	t.Parallel()
	for name, ask := range map[string]struct {
		open func(h *apptest.Harness)
		see  string
	}{
		"balance": {func(h *apptest.Harness) { h.Say(apptest.Sam, "/stock") }, "Stock"},
		"tapped":  {func(h *apptest.Harness) { h.Say(apptest.Sam, "/start"); h.Tap(apptest.Sam, "📊") }, "Stock"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			apptest.Run(t, apptest.Stock, func(h *apptest.Harness) {
				h.Link(apptest.Sam)
				h.Service.Inject(sim.Fault{Operation: sim.AnyOperation, Kind: sim.Status, Status: http.StatusBadGateway, Times: 1000})
				ask.open(h)
				h.Pass(10 * time.Second)
				h.See(apptest.Sam, "cannot be read right now")
				h.Service.ClearFaults()
				h.Pass(time.Minute)
				h.Tap(apptest.Sam, "🔁")
				h.See(apptest.Sam, ask.see)
			})
		})
	}
}

// TestOlderSearchKeepsItsWords: the next page under an older search is the next page of that search.
func TestOlderSearchKeepsItsWords(t *testing.T) {
	t.Parallel()
	for name, query := range sampletest.SomeNamed(1, map[string]string{"short": "voucher", "Arabic": "قسيمة"}) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			apptest.Run(t, func(h *apptest.Harness) {
				apptest.Stock(h)
				for i := range int64(12) {
					h.Service.AddProduct(sim.ProductSpec{ID: 300 + i, Name: fmt.Sprintf("%s %c", query, 'A'+rune(i)), Kind: "card", Variants: []sim.VariantSpec{{ID: 3000 + i, Name: "1", Price: "10", InStock: 5}}})
				}
			}, func(h *apptest.Harness) {
				h.Link(apptest.Sam)
				h.Say(apptest.Sam, query)
				h.See(apptest.Sam, query)
				h.Say(apptest.Sam, "/buy")
				h.TapUnder("🔎", "Next")
				if m := h.SeeLast(apptest.Sam, "🔎"); !strings.Contains(keysOf(m), query+" L") || strings.Contains(keysOf(m), "Play Card") {
					t.Errorf("the next page is %s", keysOf(m))
				}
			})
		})
	}
}

// TestPagesOfOrders: a page back is the page before, and rows are counted through.
func TestPagesOfOrders(t *testing.T) {
	t.Parallel()
	sampletest.Slow(t)
	apptest.Run(t, apptest.Stock, func(h *apptest.Harness) {
		h.Service.SetBalance(apptest.TestKey, "900000")
		h.Link(apptest.Sam)
		for range 20 {
			h.Order(apptest.Sam, "Play Card", "10 USD", "1")
			h.Tap(apptest.Sam, "✅")
			h.Pass(5 * time.Second)
		}
		h.Say(apptest.Sam, "/orders")
		first := h.See(apptest.Sam, "Your orders").Text
		h.Tap(apptest.Sam, "Next")
		second := h.See(apptest.Sam, "Your orders").Text
		h.Tap(apptest.Sam, "Next")
		third := h.See(apptest.Sam, "Your orders")
		if text := apptest.Plain(third.Text); !strings.Contains(text, "17. ") || strings.Contains(text, "\n1. ") || !strings.Contains(apptest.Plain(keysOf(third)), "20") {
			t.Errorf("the third page is %s\n%s", text, keysOf(third))
		}
		h.Tap(apptest.Sam, "Previous")
		if back := h.See(apptest.Sam, "Your orders").Text; back != second {
			t.Errorf("before the third page is %s", back)
		}
		h.Tap(apptest.Sam, "Previous")
		if back := h.See(apptest.Sam, "Your orders").Text; back != first {
			t.Errorf("before the second page is %s", back)
		}
	})
}

// TestBareDigits: a number is found as a whole in names.
func TestBareDigits(t *testing.T) {
	t.Parallel()
	apptest.Run(t, apptest.Stock, func(h *apptest.Harness) {
		h.Link(apptest.Sam)
		for _, variant := range []string{"10 USD", "25 USD"} {
			h.Order(apptest.Sam, "Play Card", variant, "1")
			h.Tap(apptest.Sam, "✅")
			h.Pass(5 * time.Second)
		}
		h.Say(apptest.Sam, "/orders 2")
		h.See(apptest.Sam, "No order with 2")
		h.Say(apptest.Sam, "/orders 25")
		if text := apptest.Plain(h.See(apptest.Sam, "Orders with 25").Text); strings.Contains(text, "10 USD") || !strings.Contains(text, "25 USD") {
			t.Errorf("found is %s", text)
		}
	})
}

// TestOpenedOrderTellsWhenAndWho: who opens a purchase of somebody else's reads when it was made, and by whom.
func TestOpenedOrderTellsWhenAndWho(t *testing.T) {
	t.Parallel()
	inTeam(t, func(h *apptest.Harness) {
		buy(h, apptest.Karim)
		h.Say(apptest.Sam, "/orders")
		h.Tap(apptest.Sam, "team's orders")
		h.Tap(apptest.Sam, "1")
		if text := apptest.Plain(h.See(apptest.Sam, "Delivered").Text); !strings.Contains(text, "🕐 ") || !strings.Contains(text, "Karim") {
			t.Errorf("it is told: %s", text)
		}
	})
}

// TestOwnerAloneSeesTheTeamsOrders: what somebody has bought who has left is still the team's.
func TestOwnerAloneSeesTheTeamsOrders(t *testing.T) {
	t.Parallel()
	inTeam(t, func(h *apptest.Harness) {
		buy(h, apptest.Karim)
		for _, name := range []string{"Karim", "Lila"} {
			h.Say(apptest.Sam, "/team")
			h.Tap(apptest.Sam, name)
			h.Tap(apptest.Sam, "🚪")
			h.Tap(apptest.Sam, "🚪")
		}
		h.Say(apptest.Sam, "/orders")
		h.Tap(apptest.Sam, "team's orders")
		h.See(apptest.Sam, "Play Card")
	})
}

// TestBuyAgainLooksAtTheMoneyFirst: that it cannot be paid for is said before anything else is asked.
func TestBuyAgainLooksAtTheMoneyFirst(t *testing.T) {
	t.Parallel()
	apptest.Run(t, apptest.Stock, func(h *apptest.Harness) {
		h.Link(apptest.Sam)
		h.Order(apptest.Sam, "Play Card", "10 USD", "3")
		h.Tap(apptest.Sam, "✅")
		h.Pass(10 * time.Second)
		h.Delivered(apptest.Sam)
		h.Service.SetBalance(apptest.TestKey, "2600")
		h.Pass(time.Minute)
		h.Tap(apptest.Sam, "🔁")
		if m := h.See(apptest.Sam, "Missing"); !strings.Contains(keysOf(m), "2 (most)") {
			t.Errorf("it is offered: %s", keysOf(m))
		}
	})
}

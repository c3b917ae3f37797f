package conversations_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"resellerbot/internal/api/sim"
	"resellerbot/internal/app/apptest"
	"resellerbot/internal/sampletest"
	"resellerbot/internal/sandbox/tgsim"
	"resellerbot/internal/store"
)

// TestCoveredQuestion: what is typed after another screen is no answer to the question before it, which keeps its
// buttons.
func TestCoveredQuestion(t *testing.T) {
	t.Parallel()
	for name, ask := range map[string]func(h *apptest.Harness){
		"alerts": func(h *apptest.Harness) { h.Say(apptest.Sam, "/alerts"); h.Tap(apptest.Sam, "Low balance") },
		"key":    func(h *apptest.Harness) { h.Say(apptest.Sam, "/key") },
		"limit": func(h *apptest.Harness) {
			h.Say(apptest.Sam, "/team")
			h.Tap(apptest.Sam, "Karim")
			h.Tap(apptest.Sam, "Per purchase")
		},
		"quantity": func(h *apptest.Harness) {
			h.Say(apptest.Sam, "/buy")
			h.Tap(apptest.Sam, "Play Card")
			h.Tap(apptest.Sam, "10 USD")
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			inTeam(t, func(h *apptest.Harness) {
				calls := h.Service.Requests()["GET /account"]
				ask(h)
				h.Say(apptest.Sam, "/orders")
				h.See(apptest.Sam, "No orders yet")
				h.Say(apptest.Sam, "2000")
				h.See(apptest.Sam, "Nothing found")
				if now := h.Service.Requests()["GET /account"]; now != calls {
					t.Error("what was typed was sent to the service as a key")
				}
				h.InStore(func(s *store.Store) {
					c, err := s.Chat(t.Context(), apptest.Sam)
					h.Must(err)
					al, err := s.Alerts(t.Context(), apptest.Sam, c.Account)
					if err != nil || !al.Thresholds[store.LowBalance].Amount.IsZero() {
						t.Errorf("an alert was set: %v, %v", al.Thresholds, err)
					}
				})
			})
		})
	}
}

// TestQuestionKeepsItsButtons: a question that was left for another screen is still answered by its own buttons, and open
// again then.
func TestQuestionKeepsItsButtons(t *testing.T) {
	t.Parallel()
	apptest.Run(t, apptest.Stock, func(h *apptest.Harness) {
		h.Link(apptest.Sam)
		h.Say(apptest.Sam, "/buy")
		h.Tap(apptest.Sam, "Play Card")
		h.Tap(apptest.Sam, "10 USD")
		h.Say(apptest.Sam, "/balance")
		h.TapUnder("How many", "2")
		h.SeeAny(apptest.Sam, "Check before buying")
	})
}

// TestSecondSummaryEndsTheFirst: a summary is good for ten minutes, whatever is read meanwhile, and another purchase
// ends it, with its ✅.
func TestSecondSummaryEndsTheFirst(t *testing.T) {
	t.Parallel()
	apptest.Run(t, apptest.Stock, func(h *apptest.Harness) {
		h.Link(apptest.Sam)
		h.Order(apptest.Sam, "Play Card", "10 USD", "1")
		h.Say(apptest.Sam, "/balance")
		h.Say(apptest.Sam, "/orders")
		h.Pass(8 * time.Minute)
		h.Order(apptest.Sam, "Play Card", "25 USD", "1")
		h.Pass(5 * time.Second)
		summaries := 0
		for _, m := range h.Telegram.Messages(apptest.Sam) {
			if m.FromBot && !m.Deleted && hasButton(m, "✅") {
				summaries++
				if !strings.Contains(m.Text, "25 USD") {
					t.Errorf("the first summary is still there: %s", m.Text)
				}
			}
		}
		if summaries != 1 {
			t.Errorf("%d summaries", summaries)
		}
		h.Tap(apptest.Sam, "✅")
		h.SeeAny(apptest.Sam, "Delivered")
		h.Bought(1)
	})
}

// TestPastedKey: a key that comes without /key is linked where none is, and is otherwise neither searched for nor left
// lying in the chat.
func TestPastedKey(t *testing.T) {
	t.Parallel()
	inTeam(t, func(h *apptest.Harness) {
		h.Say(apptest.Sam, "KEY-another-77aa-of-somebody")
		h.See(apptest.Sam, "This looks like an API key")
		h.Say(apptest.Eve, apptest.TestKey)
		h.See(apptest.Eve, "Linked")
		h.Telegram.AddGroup(shop, "Shop & Co", apptest.Sam, apptest.Karim)
		h.Telegram.StartGroup(apptest.Sam, shop, "shop")
		h.Pass(time.Second)
		h.Telegram.SetRole(apptest.Sam, shop, h.Telegram.BotID(), tgsim.Administrator) // it reads along
		h.Pass(time.Second)
		for _, text := range []string{"ABCD-1234-EFGH-5678-IJKL", apptest.TestKey} {
			commandIn(h, apptest.Karim, shop, 0, text)
		}
		h.See(shop, "Do not send a key in a group")
		for chat, pasted := range map[int64]string{apptest.Sam: "KEY-another", apptest.Eve: apptest.TestKey, shop: apptest.TestKey} {
			for _, m := range h.Telegram.Messages(chat) {
				if !m.FromBot && !m.Deleted && strings.Contains(m.Text, pasted) {
					t.Errorf("a key stays in chat %d: %s", chat, m.Text)
				}
			}
		}
		if text := h.Transcript(shop); !strings.Contains(text, "ABCD-1234") {
			t.Errorf("a code that people talk about was deleted:\n%s", text)
		}
	})
}

// TestPastedKeyIsNoAnswer: a key that comes while something else is asked is no answer to it: it does not stay in the
// chat, and where an input is asked, the account's own is not sent to the service as a player.
func TestPastedKeyIsNoAnswer(t *testing.T) {
	t.Parallel()
	for name, ask := range map[string]func(h *apptest.Harness) (pasted string){
		"amount": func(h *apptest.Harness) string {
			h.Say(apptest.Sam, "/alerts")
			h.Tap(apptest.Sam, "Low balance")
			return "KEY-another-77aa-of-somebody"
		},
		"quantity": func(h *apptest.Harness) string {
			h.Say(apptest.Sam, "/buy play card")
			h.Tap(apptest.Sam, "5 USD")
			return "KEY-another-77aa-of-somebody"
		},
		"player": func(h *apptest.Harness) string {
			h.Say(apptest.Sam, "/buy battle royale")
			h.Tap(apptest.Sam, "60 coins")
			h.Tap(apptest.Sam, "1 unit")
			h.See(apptest.Sam, "Player ID")
			return apptest.TestKey
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			apptest.Run(t, apptest.Everything(sim.Options{}), func(h *apptest.Harness) {
				h.Link(apptest.Sam)
				pasted := ask(h)
				h.Say(apptest.Sam, pasted)
				h.See(apptest.Sam, "This looks like an API key")
				for _, m := range h.Telegram.Messages(apptest.Sam) {
					if !m.FromBot && !m.Deleted && strings.Contains(m.Text, pasted) {
						t.Errorf("the key stays in the chat: %s", m.Text)
					}
				}
			})
		})
	}
}

// TestFirstWordsAreAKey: whoever sends a key before anything else is answered in their language, and has it from then on.
func TestFirstWordsAreAKey(t *testing.T) {
	t.Parallel()
	for language, words := range sampletest.SomeNamed(3, map[string]string{"ar": "تم الربط", "fr": "Compte lié", "en": "Linked"}) {
		for _, before := range sampletest.Some(1, []string{"", "/key "}) {
			t.Run(language+before, func(t *testing.T) {
				t.Parallel()
				apptest.Run(t, apptest.People, func(h *apptest.Harness) {
					h.Telegram.AddUser(tgsim.User{ID: 701, FirstName: "Nadia", LanguageCode: language})
					h.Say(701, before+apptest.TestKey)
					h.See(701, words)
					h.InStore(func(s *store.Store) {
						if c, err := s.Chat(t.Context(), 701); err != nil || c.Language != language {
							t.Errorf("the chat speaks %q: %v", c.Language, err)
						}
					})
				})
			})
		}
	}
}

// TestWrongAnswersAreAnswered: a wrong answer is told of in its question, and the same mistake once more under what was typed: a
// question that stays as it was, far above, is no answer.
func TestWrongAnswersAreAnswered(t *testing.T) {
	t.Parallel()
	item := func(h *apptest.Harness) { h.Say(apptest.Sam, "play card 10"); h.Tap(apptest.Sam, "Favourite") }
	key := func(h *apptest.Harness) { h.Say(apptest.Sam, "/key") }
	for name, c := range map[string]struct {
		ask           func(h *apptest.Harness)
		answer, wrong string
	}{
		"how many":    {func(h *apptest.Harness) { h.Say(apptest.Sam, "play card 10") }, "?!", "⚠️"},
		"player":      {func(h *apptest.Harness) { h.Say(apptest.Sam, "hero 300"); h.Tap(apptest.Sam, "1") }, "?!", "⚠️"},
		"alert":       {func(h *apptest.Harness) { h.Say(apptest.Sam, "/alerts"); h.Tap(apptest.Sam, "Low balance") }, "?!", "⚠️"},
		"no key":      {key, "%x", "long word of letters and digits"},
		"another key": {key, "KEY-nobody-has-this-one", "does not accept this key"},
		"short word":  {func(h *apptest.Harness) { item(h); h.Tap(apptest.Sam, "Short word") }, "?!", "cannot be a short word"},
		"offer":       {func(h *apptest.Harness) { item(h); h.Tap(apptest.Sam, "Customer's price") }, "?!", "This is not a price"},
		"own prices":  {func(h *apptest.Harness) { h.Say(apptest.Sam, "/prices"); h.Tap(apptest.Sam, "Percent") }, "?!", "This is not a number"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			atTheCounter(t, func(h *apptest.Harness) {
				c.ask(h)
				last := h.SeeLast(apptest.Sam, "").ID
				h.Say(apptest.Sam, c.answer)
				if first := h.SeeLast(apptest.Sam, c.wrong).ID; first != last {
					t.Errorf("the first wrong answer moved the question from %d to %d", last, first)
				}
				for range 2 {
					h.Say(apptest.Sam, c.answer)
					next := h.SeeLast(apptest.Sam, c.wrong).ID
					if next <= last {
						t.Errorf("a wrong answer is told of in message %d again, above it\n%s", next, h.Transcript(apptest.Sam))
					}
					last = next
				}
			})
		})
	}
}

// TestOneLineAtAnOpenQuestion: a line that buys something and is no answer to the open question is taken for what it is.
func TestOneLineAtAnOpenQuestion(t *testing.T) {
	t.Parallel()
	atTheCounter(t, func(h *apptest.Harness) {
		h.Say(apptest.Sam, "play card 10")
		h.See(apptest.Sam, "How many?")
		if text := summaryOf(h, "pc5 x3"); !strings.Contains(text, "3 × DZD 1,250.50") {
			t.Errorf("the line led to\n%s", text)
		}
		h.Say(apptest.Sam, "hero 300 111111")
		h.See(apptest.Sam, "Server")
		if text := summaryOf(h, "battle 60 51234567"); !strings.Contains(text, "60 coins") {
			t.Errorf("the line led to\n%s", text)
		}
		h.Say(apptest.Sam, "play card 10")
		h.See(apptest.Sam, "How many?")
		h.Say(apptest.Sam, "some")
		h.SeeAny(apptest.Sam, "number of units")
		h.Happened(0)
	})
}

// TestLeftQuestionsLoseTheirButtons: a question that another one, or /cancel, has ended has no buttons that do nothing.
func TestLeftQuestionsLoseTheirButtons(t *testing.T) {
	t.Parallel()
	for name, end := range map[string]func(h *apptest.Harness){
		"the same":  func(h *apptest.Harness) { h.Say(apptest.Sam, "/key") },
		"another":   func(h *apptest.Harness) { h.Say(apptest.Sam, "/alerts"); h.Tap(apptest.Sam, "Low balance") },
		"/cancel":   func(h *apptest.Harness) { h.Say(apptest.Sam, "/cancel") },
		"answered":  func(h *apptest.Harness) { h.Say(apptest.Sam, apptest.TestKey) },
		"and again": func(h *apptest.Harness) { h.Say(apptest.Sam, "%x"); h.Say(apptest.Sam, "%x") },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			atTheCounter(t, func(h *apptest.Harness) {
				h.Say(apptest.Sam, "/key")
				question := h.See(apptest.Sam, "Send your API key").ID
				end(h)
				h.Pass(time.Second)
				for _, m := range h.Telegram.Messages(apptest.Sam) {
					if m.ID == question && len(m.Keyboard) != 0 {
						t.Errorf("the question keeps its buttons:\n%s", h.Transcript(apptest.Sam))
					}
				}
			})
		})
	}
}

// TestRefusedKeyThatStays: that a key is still in the chat is said also where it was not taken: it may be a good one.
func TestRefusedKeyThatStays(t *testing.T) {
	t.Parallel()
	for language, words := range sampletest.SomeNamed(3, map[string]string{"ar": "احذفها بنفسك", "fr": "Supprimez-le vous-même", "en": "Delete it yourself"}) {
		for _, key := range sampletest.Some(1, []string{"KEY-nobody-has-this-one", "two words"}) {
			t.Run(language+" "+key, func(t *testing.T) {
				t.Parallel()
				apptest.Run(t, apptest.People, func(h *apptest.Harness) {
					h.Telegram.AddUser(tgsim.User{ID: 701, FirstName: "Nadia", LanguageCode: language})
					h.Say(701, "/key")
					h.Telegram.Inject(tgsim.Fault{Method: "deletemessage", Kind: tgsim.Broken, Code: http.StatusBadRequest, Times: 1})
					h.Say(701, key)
					h.See(701, words)
				})
			})
		}
	}
}

package conversations_test

import (
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"resellerbot/internal/api/sim"
	"resellerbot/internal/app/apptest"
	"resellerbot/internal/sampletest"
	"resellerbot/internal/sandbox/tgsim"
	"resellerbot/internal/screen"
)

// buyOutside buys on the service's own page, with the account's money.
func buyOutside(h *apptest.Harness, variant int64) {
	h.T.Helper()
	_, err := h.Service.Buy(apptest.TestKey, variant, 1, "outside")
	h.Must(err)
}

// listing is a shop whose service lists what was bought.
func listing(h *apptest.Harness) {
	apptest.People(h)
	h.Must(h.Service.SetMode(apptest.TestKey, sim.Both))
}

// lost has somebody buy a card whose answer is lost, while somebody else buys the same on the service's own page: two
// orders fit, and a person is asked. It returns the order of the purchase, and the other one.
func lost(h *apptest.Harness, user int64) (own, other sim.Order) {
	h.T.Helper()
	h.OrderLost(user, "Play Card", "10 USD", "1")
	buyOutside(h, 101)
	buyOutside(h, 102) // of another item
	h.Pass(11 * time.Minute)
	all := h.Service.Orders()
	slices.SortFunc(all, func(a, b sim.Order) int { return int(a.Number - b.Number) })
	return all[0], all[1]
}

// buttons are the texts and data of a message's buttons that hold the words.
func buttons(m tgsim.Message, words string) (all []tgsim.Button) {
	for _, b := range slices.Concat(m.Keyboard...) {
		if strings.Contains(apptest.Plain(b.Text), words) {
			all = append(all, b)
		}
	}
	return all
}

// number is an order's number as a button shows it.
func numberOf(o sim.Order) string { return "#" + strconv.FormatInt(o.Number, 10) }

// TestPickTheOrder: whoever says that a purchase is there is shown the orders that fit, picks one with a tap, and gets
// its code. The others stay nobody's, every question about it ends, and a second tap buys and takes nothing.
func TestPickTheOrder(t *testing.T) {
	t.Parallel()
	apptest.Run(t, listing, func(h *apptest.Harness) {
		h.Link(apptest.Sam)
		own, other := lost(h, apptest.Sam)
		question := h.SeeAny(apptest.Sam, "our decision is needed")
		for _, words := range []string{"2 matching orders", "Balance: DZD 25,000 before"} {
			if !strings.Contains(apptest.Plain(question.Text), words) {
				t.Errorf("the question does not say %q: %s", words, question.Text)
			}
		}
		h.Tap(apptest.Sam, "🔎")
		if why := h.See(apptest.Sam, "Orders that fit"); !strings.Contains(apptest.Plain(why.Text), "Orders that fit (2), by number: ") {
			t.Errorf("the reasons count what does not fit: %s", why.Text)
		}
		h.Say(apptest.Sam, "/orders")
		h.Tap(apptest.Sam, "1")
		copied := h.See(apptest.Sam, "our decision is needed")
		h.TapUnder("our decision is needed", "It is there") // the copy of /orders, which becomes the choice
		choice := h.See(apptest.Sam, "Which one is it?")
		if len(buttons(choice, "#")) != 2 || len(buttons(choice, "None of these")) != 1 || len(buttons(choice, "✅")) > 0 {
			t.Fatalf("the choice is %v", choice.Keyboard)
		}
		pick, wrong := buttons(choice, numberOf(own))[0], buttons(choice, numberOf(other))[0]
		for _, words := range []string{"DZD 1,250.50", "done"} {
			if !strings.Contains(apptest.Plain(pick.Text), words) {
				t.Errorf("the button does not say %q: %s", words, pick.Text)
			}
		}
		first := h.Telegram.Tap(apptest.Sam, apptest.Sam, choice.ID, pick.Data)
		second := h.Telegram.Tap(apptest.Sam, apptest.Sam, choice.ID, wrong.Data) // at once
		h.Pass(10 * time.Second)
		if got := h.Codes(apptest.Sam); !slices.Contains(got, own.Code) || slices.Contains(got, other.Code) {
			t.Errorf("the chat was given %v; %s is its own, %s somebody else's", got, own.Code, other.Code)
		}
		h.Answer(first)
		if c := h.Answer(second); !strings.Contains(apptest.Plain(c.Text), "Already decided") {
			t.Errorf("the second tap was answered with %q", c.Text)
		}
		if open := openQuestions(h, apptest.Sam); len(open) > 0 {
			t.Errorf("still open: %q", open)
		}
		h.Telegram.Tap(apptest.Sam, apptest.Sam, copied.ID, buttons(question, "It is not there")[0].Data) // a stale button
		h.Pass(10 * time.Second)
		if strings.Contains(h.Texts(apptest.Sam), "You said that it was not bought") {
			t.Error("a stale button has decided")
		}
		if n := h.PurchasesSent(); n != 1 {
			t.Errorf("%d purchases were sent", n)
		}
		h.Answered()
	})
}

// openQuestions are the messages that still ask what became of a purchase.
func openQuestions(h *apptest.Harness, chat int64) (open []string) {
	for _, m := range h.Telegram.Messages(chat) {
		for _, b := range slices.Concat(m.Keyboard...) {
			if m.FromBot && !m.Deleted && (strings.Contains(b.Data, ":decide:") || strings.Contains(b.Data, ":take:")) {
				open = append(open, m.Text)
				break
			}
		}
	}
	return open
}

// TestNoneOfThem: where none of the orders is the purchase's, it is closed without codes, and /orders says so.
func TestNoneOfThem(t *testing.T) {
	t.Parallel()
	apptest.Run(t, listing, func(h *apptest.Harness) {
		h.Link(apptest.Sam)
		lost(h, apptest.Sam)
		h.Tap(apptest.Sam, "It is there")
		h.See(apptest.Sam, "Which one is it?")
		h.Tap(apptest.Sam, "None of these")
		ask := h.See(apptest.Sam, "Was it bought?")
		if len(buttons(ask, "It is not there")) != 1 || len(buttons(ask, "I found it there")) != 1 {
			t.Fatalf("whether it was bought cannot be said: %v", ask.Keyboard)
		}
		h.Tap(apptest.Sam, "Back")
		h.See(apptest.Sam, "Which one is it?")
		h.Tap(apptest.Sam, "None of these")
		h.Pass(10 * time.Second)
		if open := openQuestions(h, apptest.Sam); len(open) == 0 {
			t.Error("it is decided before anybody has said whether it was bought")
		}
		h.Tap(apptest.Sam, "I found it there")
		h.SeeAny(apptest.Sam, "Closed without codes: you said")
		h.Pass(10 * time.Second)
		if open := openQuestions(h, apptest.Sam); len(open) > 0 {
			t.Errorf("still open: %q", open)
		}
		h.Say(apptest.Sam, "/orders")
		m := h.See(apptest.Sam, "Your orders")
		if !strings.Contains(apptest.Plain(m.Text), "no codes") || !hasButton(m, "☑️") || hasButton(m, "🎉") {
			t.Errorf("/orders shows %s", m.Text)
		}
	})
}

// TestDecidedFromOrders: a decision that is taken in /orders ends the question everywhere, and one that is taken under
// the question is seen by whoever taps the copy of /orders later.
func TestDecidedFromOrders(t *testing.T) {
	t.Parallel()
	sampletest.Slow(t)
	apptest.Run(t, listing, func(h *apptest.Harness) {
		h.Link(apptest.Sam)
		h.Link(apptest.Yasmine) // owns it as well, and is not asked: it was bought in Sam's own chat
		lost(h, apptest.Sam)
		h.Say(apptest.Sam, "/orders")
		h.Tap(apptest.Sam, "1")
		copied := h.See(apptest.Sam, "our decision is needed")
		question := h.SeeAny(apptest.Sam, "our decision is needed")
		if copied.ID == question.ID {
			t.Fatal("/orders shows no copy")
		}
		h.Telegram.Tap(apptest.Sam, apptest.Sam, copied.ID, buttons(copied, "It is not there")[0].Data)
		h.See(apptest.Sam, "Are you sure")
		h.Tap(apptest.Sam, "Yes: it was not bought")
		h.Pass(10 * time.Second)
		if open := openQuestions(h, apptest.Sam); len(open) > 0 {
			t.Errorf("still open: %q", open)
		}
		for _, id := range []int{copied.ID, question.ID} {
			if m := message(h, apptest.Sam, id); !strings.Contains(apptest.Plain(m.Text), "You said that it was not bought") {
				t.Errorf("message %d says %s", id, m.Text)
			}
		}
	})
}

// TestTwoOwnersDecide: of two owners who decide at the same time one is heard, and the other one is told.
func TestTwoOwnersDecide(t *testing.T) {
	t.Parallel()
	sampletest.Slow(t)
	apptest.Run(t, listing, func(h *apptest.Harness) {
		h.Link(apptest.Sam)
		h.Join(apptest.Karim, h.Invite(apptest.Sam, "➕ Seller"))
		h.Link(apptest.Yasmine)
		own, _ := lost(h, apptest.Karim)
		one, other := h.SeeAny(apptest.Sam, "our decision is needed"), h.SeeAny(apptest.Yasmine, "À vous de décider")
		h.Telegram.Tap(apptest.Sam, apptest.Sam, one.ID, buttons(one, "It is there")[0].Data)
		h.Telegram.Tap(apptest.Yasmine, apptest.Yasmine, other.ID, buttons(other, "Il y est")[0].Data)
		h.Pass(2 * time.Second)
		mine, theirs := h.See(apptest.Sam, "Which one is it?"), h.See(apptest.Yasmine, "Laquelle est-ce")
		a := h.Telegram.Tap(apptest.Sam, apptest.Sam, mine.ID, buttons(mine, numberOf(own))[0].Data)
		b := h.Telegram.Tap(apptest.Yasmine, apptest.Yasmine, theirs.ID, strings.Replace(buttons(theirs, "Aucune")[0].Data, ":none", ":close", 1))
		h.Pass(10 * time.Second)
		heard := 0
		for _, id := range []string{a, b} {
			if text := apptest.Plain(h.Answer(id).Text); !strings.Contains(text, "Already decided") && !strings.Contains(text, "Déjà décidé") {
				heard++
			}
		}
		if heard != 1 {
			t.Errorf("%d of two decisions were heard", heard)
		}
		for _, who := range []int64{apptest.Sam, apptest.Yasmine, apptest.Karim} {
			if open := openQuestions(h, who); len(open) > 0 {
				t.Errorf("%d is still asked: %q", who, open)
			}
		}
		h.Answered()
	})
}

// paid has a seller buy a card whose answer is lost, and nobody else anything: its price is gone, and the list of orders
// cannot be read, so that a person is asked.
func paid(h *apptest.Harness, user int64) {
	h.T.Helper()
	h.Service.Inject(sim.Fault{Operation: "GET /purchase-history", Kind: sim.Status, Status: 500, Times: 10_000})
	h.OrderLost(user, "Play Card", "10 USD", "1")
	h.Pass(13 * time.Minute)
}

// TestNotBoughtAgainstTheMoney: what looks paid is called not bought only by a second word, what is said of its money
// afterwards is true, and the same is bought again only after a question.
func TestNotBoughtAgainstTheMoney(t *testing.T) {
	apptest.Run(t, listing, func(h *apptest.Harness) {
		h.Link(apptest.Sam)
		paid(h, apptest.Sam)
		question := h.SeeAny(apptest.Sam, "Its price has left")
		h.Telegram.Tap(apptest.Sam, apptest.Sam, question.ID, buttons(question, "It is not there")[0].Data)
		h.See(apptest.Sam, "Are you sure")
		if strings.Contains(h.Texts(apptest.Sam), "You said that it was not bought") {
			t.Error("one tap has decided")
		}
		h.Tap(apptest.Sam, "Back")
		h.See(apptest.Sam, "our decision is needed")
		h.Tap(apptest.Sam, "It is not there")
		h.Tap(apptest.Sam, "Yes: it was not bought")
		h.Pass(time.Minute)
		m := h.SeeAny(apptest.Sam, "look for what took it")
		if strings.Contains(apptest.Plain(m.Text), "If money leaves") {
			t.Errorf("its money is gone, and it is said that it may go: %s", m.Text)
		}
		h.Telegram.Tap(apptest.Sam, apptest.Sam, m.ID, buttons(m, "🔁")[0].Data)
		h.See(apptest.Sam, "It was called not bought")
		h.Bought(1)
	})
}

// TestWhoDecided: whoever did not decide reads who did, whoever did reads that it was them, and what they set aside is
// not said to be gone.
func TestWhoDecided(t *testing.T) {
	sampletest.Slow(t)
	apptest.Run(t, listing, func(h *apptest.Harness) {
		h.Link(apptest.Sam)
		h.Join(apptest.Karim, h.Invite(apptest.Sam, "➕ Seller"))
		h.Link(apptest.Yasmine)
		lost(h, apptest.Karim)
		one := h.SeeAny(apptest.Sam, "our decision is needed")
		h.SeeAny(apptest.Yasmine, "À vous de décider")
		h.Telegram.Tap(apptest.Sam, apptest.Sam, one.ID, buttons(one, "It is not there")[0].Data)
		h.See(apptest.Sam, "Are you sure")
		h.Tap(apptest.Sam, "Yes: it was not bought")
		h.Pass(10 * time.Second)
		h.SeeAny(apptest.Sam, "You said that it was not bought")
		h.SeeAny(apptest.Yasmine, "Sam a indiqué que l'achat n'a pas eu lieu")
		h.SeeAny(apptest.Karim, "Sam said that it was not bought")
		if n, own := count(h, apptest.Karim, "the owner has decided"), count(h, apptest.Sam, "the owner has decided"); n != 1 || own != 0 {
			t.Errorf("whoever bought it was rung %d times, who decided %d times", n, own)
		}
		h.Pass(5 * time.Minute)
		h.Say(apptest.Sam, "/orders")
		h.Tap(apptest.Sam, "The team's orders")
		h.Tap(apptest.Sam, "1")
		h.Tap(apptest.Sam, "🔎")
		m := h.See(apptest.Sam, "You have seen these orders and said that they are not its own")
		for _, words := range []string{"gone again", "No matching order"} {
			if strings.Contains(apptest.Plain(m.Text), words) {
				t.Errorf("it says %q of what was set aside: %s", words, m.Text)
			}
		}
	})
}

// TestAskedAgain: what a person called not bought is doubted when its money goes. Who said so is named, and whoever may
// decide is rung.
func TestAskedAgain(t *testing.T) {
	apptest.Run(t, listing, func(h *apptest.Harness) {
		h.Link(apptest.Sam)
		h.Join(apptest.Karim, h.Invite(apptest.Sam, "➕ Seller"))
		h.Link(apptest.Yasmine)
		h.Service.Inject(sim.Fault{Operation: "GET /purchase-history", Kind: sim.Status, Status: 500, Times: 10_000})
		h.Service.Inject(sim.Fault{Operation: sim.Spending, Kind: sim.DropRequest, Times: 1})
		h.Order(apptest.Karim, "Play Card", "10 USD", "1")
		h.Tap(apptest.Karim, "✅")
		m := h.SeeAny(apptest.Karim, "Uncertain")
		if !strings.Contains(apptest.Plain(m.Text), "or the owner asked") {
			t.Errorf("it promises an answer: %s", m.Text)
		}
		h.Pass(20 * time.Minute)
		one := h.SeeAny(apptest.Sam, "our decision is needed")
		h.SeeAny(apptest.Yasmine, "À vous de décider")
		h.Telegram.Tap(apptest.Sam, apptest.Sam, one.ID, buttons(one, "It is not there")[0].Data)
		h.Pass(10 * time.Second)
		h.SeeAny(apptest.Karim, "Sam said that it was not bought")
		buyOutside(h, 101)
		h.Pass(10 * time.Minute)
		h.Say(apptest.Sam, "/balance")
		h.Pass(time.Minute)
		h.SeeAny(apptest.Sam, "You said that this was not bought. That may be wrong.")
		h.SeeAny(apptest.Karim, "Sam said that this was not bought. That may be wrong.")
		h.SeeAny(apptest.Yasmine, "Sam a indiqué que ceci n'avait pas été acheté")
		if n := count(h, apptest.Sam, "Your decision is needed again"); n != 1 {
			t.Errorf("the owner was rung %d times", n)
		}
		if n := count(h, apptest.Yasmine, "À vous de décider à nouveau"); n != 1 {
			t.Errorf("the other owner was rung %d times", n)
		}
		h.Answered()
	})
}

// TestRefusedAsItWasSent: an order without answers that the service refuses is not said to hold wrong ones.
func TestRefusedAsItWasSent(t *testing.T) {
	apptest.Run(t, listing, func(h *apptest.Harness) {
		h.Link(apptest.Sam)
		h.Service.Inject(sim.Fault{Operation: sim.Spending, Kind: sim.ErrorAnswer, Status: 400, Times: 1})
		h.Order(apptest.Sam, "Play Card", "10 USD", "1")
		h.Tap(apptest.Sam, "✅")
		m := h.SeeAny(apptest.Sam, "Nothing should be charged")
		if text := apptest.Plain(m.Text); strings.Contains(text, "what was entered") || !strings.Contains(text, "did not accept this order") {
			t.Errorf("nothing was entered: %s", text)
		}
	})
}

// TestNothingToPick: where no order shows, and where the list cannot be read, nothing is closed unasked.
func TestNothingToPick(t *testing.T) {
	t.Parallel()
	apptest.Run(t, listing, func(h *apptest.Harness) {
		h.Link(apptest.Sam)
		h.Service.Inject(sim.Fault{Operation: "GET /purchase-history", Kind: sim.Status, Status: 500, Times: 10_000})
		h.OrderLost(apptest.Sam, "Play Card", "10 USD", "1")
		h.Pass(13 * time.Minute)
		m := h.SeeAny(apptest.Sam, "our decision is needed")
		if !strings.Contains(apptest.Plain(m.Text), "list of orders could not be read") {
			t.Errorf("the question hides that the list could not be read: %s", m.Text)
		}
		h.Tap(apptest.Sam, "It is there")
		h.See(apptest.Sam, "cannot be read right now")
		h.Service.ClearFaults()
		h.Tap(apptest.Sam, "Look again")
		choice := h.See(apptest.Sam, "Is it this one?")
		h.Telegram.Tap(apptest.Sam, apptest.Sam, choice.ID, buttons(choice, "#")[0].Data)
		h.Delivered(apptest.Sam)
		h.Bought(1)
	})
}

// TestListIsReadOnceForATap: a tap on a mark, or on what is picked, reads the list once where it cannot be read, and tells
// so; so does one on what is not listed any more. Nothing is decided by it.
func TestListIsReadOnceForATap(t *testing.T) {
	t.Parallel()
	sampletest.Slow(t)
	for name, c := range map[string]struct {
		words   string // on the button
		changed bool   // which is of another list
		seen    string // what comes of it
	}{
		"a mark, unread":  {words: "☑️", seen: "cannot be read right now"},
		"picked, unread":  {words: "📥", seen: "cannot be read right now"},
		"picked, is gone": {words: "📥", changed: true, seen: "Which one is it?"},
	} {
		t.Run(name, func(t *testing.T) {
			apptest.Run(t, listing, func(h *apptest.Harness) {
				h.Link(apptest.Sam)
				h.OrderLost(apptest.Sam, "Play Card", "10 USD", "2")
				buyOutside(h, 101)
				h.Pass(11 * time.Minute)
				h.Tap(apptest.Sam, "It is there")
				h.Tap(apptest.Sam, "#3")
				h.Tap(apptest.Sam, "#2")
				choice := h.See(apptest.Sam, "Which one is it?")
				data := buttons(choice, c.words)[0].Data
				if c.changed {
					parts := strings.Split(data, ":")
					parts[3] = strings.Repeat("0", len(parts[3]))
					data = strings.Join(parts, ":")
				} else {
					h.Service.Inject(sim.Fault{Operation: "GET /purchase-history", Kind: sim.Status, Status: 500, Times: 10_000})
				}
				before := h.Service.Requests()["GET /purchase-history"]
				id := h.Telegram.Tap(apptest.Sam, apptest.Sam, choice.ID, data)
				h.Pass(10 * time.Second)
				h.See(apptest.Sam, c.seen)
				if n := h.Service.Requests()["GET /purchase-history"] - before; n != 1 {
					t.Errorf("the list was read %d times", n)
				}
				if text := apptest.Plain(h.Answer(id).Text); c.changed != strings.Contains(text, "no longer shown") {
					t.Errorf("the tap is answered with %q", text)
				}
				h.Service.ClearFaults()
				h.Tap(apptest.Sam, "Look again")
				h.See(apptest.Sam, "Which one is it?")
			})
		})
	}
}

// TestPickSeveral: of three units two show, and one more that is not theirs. They are marked, and taken together.
func TestPickSeveral(t *testing.T) {
	t.Parallel()
	apptest.Run(t, listing, func(h *apptest.Harness) {
		h.Link(apptest.Sam)
		h.OrderLost(apptest.Sam, "Play Card", "10 USD", "2")
		buyOutside(h, 101)
		h.Pass(11 * time.Minute)
		all := h.Service.Orders()
		slices.SortFunc(all, func(a, b sim.Order) int { return int(a.Number - b.Number) })
		h.Tap(apptest.Sam, "It is there")
		m := h.See(apptest.Sam, "Which one is it?")
		if len(buttons(m, "▫️")) != 3 || len(buttons(m, "📥")) != 0 {
			t.Fatalf("the choice is %v", m.Keyboard)
		}
		for _, o := range all {
			h.Tap(apptest.Sam, numberOf(o))
		}
		if c := h.Telegram.Callbacks(); !strings.Contains(c[len(c)-1].Text, "more than was bought") {
			t.Errorf("a third mark was answered with %q", c[len(c)-1].Text)
		}
		h.Tap(apptest.Sam, "📥 These: 2 of 2")
		h.Pass(10 * time.Second)
		got := h.Codes(apptest.Sam)
		for i, o := range all {
			if slices.Contains(got, o.Code) != (i < 2) {
				t.Errorf("order %d of %d: its code was shown: %v", i+1, len(all), slices.Contains(got, o.Code))
			}
		}
		if open := openQuestions(h, apptest.Sam); len(open) > 0 {
			t.Errorf("still open: %q", open)
		}
	})
}

// TestTryAgainWaitsForTheMoney: what the service has refused is not bought again before a look has shown its money to
// be there. Whoever taps is told what that waits for.
func TestTryAgainWaitsForTheMoney(t *testing.T) {
	t.Parallel()
	t.Run("not charged", func(t *testing.T) {
		apptest.Run(t, listing, func(h *apptest.Harness) {
			h.Link(apptest.Sam)
			h.Service.Inject(sim.Fault{Operation: sim.Spending, Kind: sim.ErrorAnswer, Status: 400, Times: 1})
			h.Order(apptest.Sam, "Play Card", "10 USD", "1")
			h.Tap(apptest.Sam, "✅")
			refused := h.SeeAny(apptest.Sam, "Nothing should be charged")
			h.Tap(apptest.Sam, "🔁")
			if m := h.See(apptest.Sam, "Not yet"); !strings.Contains(apptest.Plain(m.Text), "Try again after") {
				t.Errorf("it is not told until when: %s", m.Text)
			}
			h.Service.Inject(sim.Fault{Operation: "GET /balance", Kind: sim.Status, Status: 500, Times: 1000})
			h.Pass(2 * time.Minute)
			h.Tap(apptest.Sam, "🔁")
			h.See(apptest.Sam, "Not yet")
			h.Service.ClearFaults()
			h.Pass(time.Minute)
			h.Tap(apptest.Sam, "🔁")
			h.See(apptest.Sam, "Check before buying")
			h.Tap(apptest.Sam, "✅")
			h.SeeAny(apptest.Sam, "Delivered")
			if m := message(h, apptest.Sam, refused.ID); strings.Contains(m.Text, "Delivered") {
				t.Error("the refused one is called delivered")
			}
		})
	})
	t.Run("charged all the same", func(t *testing.T) {
		apptest.Run(t, listing, func(h *apptest.Harness) {
			h.Link(apptest.Sam)
			h.Service.Inject(sim.Fault{Operation: sim.Spending, Kind: sim.ErrorDone, Status: 400, Times: 1})
			h.Order(apptest.Sam, "Play Card", "10 USD", "1")
			h.Tap(apptest.Sam, "✅")
			m := h.SeeAny(apptest.Sam, "❌")
			data := buttons(m, "🔁")
			if len(data) == 0 {
				t.Skip("it was found out before anybody could tap")
			}
			for range 8 { // its question comes within seconds
				h.Telegram.Tap(apptest.Sam, apptest.Sam, m.ID, data[0].Data)
				h.Pass(time.Second)
			}
			if strings.Contains(h.Texts(apptest.Sam), "Check before buying") {
				t.Errorf("it may be bought twice:\n%s", h.Transcript(apptest.Sam))
			}
			h.Pass(time.Minute)
			h.Bought(1)
		})
	})
}

// TestRepeatOfAnOpenOne: whoever buys the same for the same ID while the first is uncertain is not told that it was
// bought.
func TestRepeatOfAnOpenOne(t *testing.T) {
	t.Parallel()
	apptest.Run(t, heroes, func(h *apptest.Harness) {
		h.Link(apptest.Sam)
		h.Service.Inject(sim.Fault{Operation: sim.Spending, Kind: sim.DropRequest, Times: 1})
		crystals(h, apptest.Sam, "111111")
		h.See(apptest.Sam, "Check before buying")
		h.Tap(apptest.Sam, "✅")
		h.SeeAny(apptest.Sam, "Uncertain")
		crystals(h, apptest.Sam, "111111")
		m := h.See(apptest.Sam, "The same was ordered for the same ID")
		for _, words := range []string{"It may have been bought", "it may be bought twice"} {
			if !strings.Contains(apptest.Plain(m.Text), words) {
				t.Errorf("it does not say %q: %s", words, m.Text)
			}
		}
		if strings.Contains(apptest.Plain(m.Text), "was bought for the same ID") {
			t.Errorf("it says that it was bought: %s", m.Text)
		}
	})
}

// TestRemovedWithAnOrder: a seller who is taken out of the team while an order of theirs is on its way is told once that
// the shop goes on with it, and the other owners that they were removed, and by whom.
func TestRemovedWithAnOrder(t *testing.T) {
	t.Parallel()
	inTeam(t, func(h *apptest.Harness) {
		h.Link(apptest.Yasmine)
		h.Service.AddProduct(sim.ProductSpec{ID: 20, Name: "Slow Card", Variants: []sim.VariantSpec{{ID: 201, Name: "5 USD", Price: "100", InStock: 9, Delay: 10 * time.Minute}}})
		h.Pass(5 * time.Minute) // the catalogue is read anew
		h.Order(apptest.Karim, "Slow Card", "5 USD", "1")
		h.Tap(apptest.Karim, "✅")
		h.SeeAny(apptest.Karim, "Bought")
		h.Say(apptest.Sam, "/team")
		h.Tap(apptest.Sam, "Karim")
		h.Tap(apptest.Sam, "Remove")
		h.Tap(apptest.Sam, "Yes, remove")
		h.SeeAny(apptest.Karim, "1 purchase of yours is still under way. The shop takes it over")
		h.SeeAny(apptest.Yasmine, "Sam a retiré Karim de votre équipe")
		if strings.Contains(h.Texts(apptest.Yasmine), "a quitté") {
			t.Error("somebody who was removed is said to have left")
		}
		h.Pass(15 * time.Minute)
		h.SeeAny(apptest.Sam, "Delivered")
		if n := count(h, apptest.Karim, "still under way"); n != 1 {
			t.Errorf("the seller was told %d times", n)
		}
	})
}

// yasmineDecides makes Yasmine the second owner of a shop, with an uncertain purchase to decide about.
func yasmineDecides(h *apptest.Harness) {
	h.Link(apptest.Yasmine)
	chooseLanguage(h, apptest.Yasmine, "en")
	h.OrderLost(apptest.Yasmine, "Play Card", "10 USD", "1")
	h.Pass(2 * time.Hour)
	h.SeeAny(apptest.Yasmine, "Your decision is needed")
}

// TestWhoIsLeftIsAsked: an owner who has an uncertain purchase to decide about is taken out of the team, is an owner no more, or leaves it.
// The other owner is asked at once, and decides.
func TestWhoIsLeftIsAsked(t *testing.T) {
	sampletest.Slow(t)
	t.Parallel()
	for name, part := range map[string]func(h *apptest.Harness){
		"taken out": func(h *apptest.Harness) {
			h.Say(apptest.Sam, "/team")
			h.Tap(apptest.Sam, "Yasmine")
			h.Tap(apptest.Sam, "Remove")
			h.Tap(apptest.Sam, "Yes, remove")
		},
		"a seller": func(h *apptest.Harness) {
			h.Say(apptest.Sam, "/team")
			h.Tap(apptest.Sam, "Yasmine")
			h.Tap(apptest.Sam, "Make seller")
		},
		"gone": func(h *apptest.Harness) {
			leaveTeam(h, apptest.Yasmine)
		},
	} {
		t.Run(name, func(t *testing.T) {
			inTeam(t, func(h *apptest.Harness) {
				yasmineDecides(h)
				if h.Has(apptest.Sam, "It is not there") {
					t.Fatal("both are asked")
				}
				part(h)
				h.Pass(10 * time.Second)
				h.SeeAny(apptest.Sam, "Your decision is needed")
				h.Pass(30 * time.Minute)
				asked := 0
				for _, m := range h.Telegram.Messages(apptest.Sam) {
					asked += len(buttons(m, "It is not there"))
				}
				if asked != 1 {
					t.Errorf("the other owner is asked %d times\n%s", asked, h.Transcript(apptest.Sam))
				}
				h.Tap(apptest.Sam, "It is not there")
				h.Tap(apptest.Sam, "Yes: it was not bought")
				h.Pass(10 * time.Second)
				h.SeeAny(apptest.Sam, "You said that it was not bought")
				if h.Has(apptest.Sam, "owner has decided") {
					t.Errorf("an owner is told what they have decided\n%s", h.Transcript(apptest.Sam))
				}
			})
		})
	}
}

// TestOwnerWhoComesBackIsAsked: an owner who leaves with an uncertain purchase, and links the account again, has to decide about it at once.
func TestOwnerWhoComesBackIsAsked(t *testing.T) {
	t.Parallel()
	sampletest.Slow(t)
	inTeam(t, func(h *apptest.Harness) {
		yasmineDecides(h)
		leaveTeam(h, apptest.Yasmine)
		h.Pass(10 * time.Second)
		h.SeeAny(apptest.Yasmine, "The owner is to decide")
		h.Link(apptest.Yasmine)
		h.Pass(10 * time.Second)
		h.Tap(apptest.Yasmine, "It is not there")
		h.Tap(apptest.Yasmine, "Yes: it was not bought")
		h.SeeAny(apptest.Yasmine, "You said that it was not bought")
	})
}

// TestLinkingNamesWhatIsUncertain: whoever links an account again with which they have bought what is uncertain reads that, above the
// button that buys, and one tap leads to it.
func TestLinkingNamesWhatIsUncertain(t *testing.T) {
	t.Parallel()
	sampletest.Slow(t)
	inTeam(t, func(h *apptest.Harness) {
		h.Link(apptest.Yasmine)
		chooseLanguage(h, apptest.Yasmine, "en")
		h.OrderLost(apptest.Karim, "Play Card", "10 USD", "1") // of somebody else
		h.Pass(time.Hour)
		h.OrderLost(apptest.Yasmine, "Play Card", "25 USD", "1")
		leaveTeam(h, apptest.Yasmine)
		h.Pass(10 * time.Second)
		h.Link(apptest.Yasmine)
		m := h.SeeLast(apptest.Yasmine, "Linked: ")
		if text := apptest.Plain(m.Text); !strings.Contains(text, "1 purchase is uncertain. #") || !strings.Contains(text, "not buy the same again") {
			t.Errorf("linking says %s", text)
		}
		h.Tap(apptest.Yasmine, "❓ 1 uncertain purchase")
		h.See(apptest.Yasmine, "25 USD")
	})
}

// TestWhoDecidedReadsTheEnd: an owner picks the order of what a seller has bought. Their question ends with the purchase, and promises no code
// that is there.
func TestWhoDecidedReadsTheEnd(t *testing.T) {
	t.Parallel()
	sampletest.Slow(t)
	apptest.Run(t, listing, func(h *apptest.Harness) {
		h.Link(apptest.Sam)
		h.Join(apptest.Karim, h.Invite(apptest.Sam, "➕ Seller"))
		own, _ := lost(h, apptest.Karim)
		question := h.SeeAny(apptest.Sam, "our decision is needed")
		h.TapUnder("our decision is needed", "It is there")
		h.Tap(apptest.Sam, numberOf(own))
		h.Pass(time.Minute)
		h.SeeAny(apptest.Karim, own.Code)
		if now := apptest.Plain(message(h, apptest.Sam, question.ID).Text); strings.Contains(now, "follow") || !strings.Contains(now, "Delivered") {
			t.Errorf("the question says %s", now)
		}
	})
}

// TestForgedDecision: an answer that no button gives decides nothing.
func TestForgedDecision(t *testing.T) {
	t.Parallel()
	sampletest.Slow(t)
	apptest.Run(t, apptest.Stock, func(h *apptest.Harness) {
		h.Link(apptest.Sam)
		h.OrderLost(apptest.Sam, "Play Card", "10 USD", "1")
		h.Pass(2 * time.Hour)
		m := h.SeeAny(apptest.Sam, "our decision is needed")
		a, ok := screen.ParseAction(buttons(m, "It is not there")[0].Data)
		if !ok {
			t.Fatal("the button says nothing")
		}
		a.Args[1] = "maybe"
		h.Telegram.Tap(apptest.Sam, apptest.Sam, m.ID, a.Data())
		h.Pass(5 * time.Second)
		if h.Has(apptest.Sam, "You said") {
			t.Errorf("it is taken for an answer\n%s", h.Transcript(apptest.Sam))
		}
		h.SeeAny(apptest.Sam, "our decision is needed")
	})
}

// TestInterruptedKeyQuestion: a question for a key that another command closes is said to be closed, and what is typed
// afterwards is no key.
func TestInterruptedKeyQuestion(t *testing.T) {
	t.Parallel()
	for _, command := range sampletest.Some(1, []string{"/start", "/help", "/orders", "/balance", "/language"}) {
		t.Run(command, func(t *testing.T) {
			apptest.Run(t, apptest.Stock, func(h *apptest.Harness) {
				h.Say(apptest.Sam, "/key")
				h.See(apptest.Sam, "Send your API key")
				h.Say(apptest.Sam, command)
				h.See(apptest.Sam, "The question for your key is closed: nothing was linked")
				h.Say(apptest.Sam, "pubg")
				if text := apptest.Plain(h.Texts(apptest.Sam)); strings.Contains(text, "was not linked") {
					t.Errorf("what was typed was taken for a key:\n%s", h.Transcript(apptest.Sam))
				}
			})
		})
	}
}

// TestUnlinkingWithAnUncertainPurchase: /key remove names what is uncertain, and asks first.
func TestUnlinkingWithAnUncertainPurchase(t *testing.T) {
	t.Parallel()
	apptest.Run(t, apptest.Stock, func(h *apptest.Harness) {
		h.Link(apptest.Sam)
		h.OrderLost(apptest.Sam, "Play Card", "10 USD", "1")
		h.Say(apptest.Sam, "/key remove")
		m := h.See(apptest.Sam, "1 purchase is uncertain. #")
		if !hasButton(m, "🔓") || strings.Contains(h.Texts(apptest.Sam), "is unlinked") {
			t.Errorf("it is not asked first: %s", m.Text)
		}
		h.Tap(apptest.Sam, "🔓")
		h.See(apptest.Sam, "is unlinked")
	})
}

// TestTheDecidingTapIsHeard: the one tap that decides what became of a purchase is not answered as one that came too late, and a
// later one says nothing of money that is not known. In each language.
func TestTheDecidingTapIsHeard(t *testing.T) {
	t.Parallel()
	for language, words := range sampletest.SomeNamed(3, map[string]struct{ question, not, noted, late string }{
		"en": {"our decision is needed", "It is not there", "Noted.", "Already decided. Another tap buys nothing more."},
		"fr": {"À vous de décider", "Il n'y est pas", "C'est noté.", "Déjà décidé. Un autre appui n'achète rien de plus."},
		"ar": {"القرار لك", "غير موجود", "سُجّل.", "تقرّر هذا من قبل. ضغطة أخرى لا تشتري شيئًا إضافيًا."},
	}) {
		t.Run(language, func(t *testing.T) {
			t.Parallel()
			apptest.Run(t, apptest.StockIn(language), func(h *apptest.Harness) {
				h.Link(apptest.Sam)
				h.Service.Inject(sim.Fault{Operation: sim.Spending, Kind: sim.ErrorAnswer, Status: 503, Times: 1})
				h.Say(apptest.Sam, "play card 10 usd x1")
				h.Tap(apptest.Sam, "✅")
				h.Pass(20 * time.Minute)
				question := h.SeeAny(apptest.Sam, words.question)
				not := buttons(question, words.not)
				if len(not) != 1 {
					t.Fatalf("the question is %v", question.Keyboard)
				}
				for _, want := range []string{words.noted, words.late} {
					id := h.Telegram.Tap(apptest.Sam, apptest.Sam, question.ID, not[0].Data)
					h.Pass(10 * time.Second)
					if got := plainly(h.Answer(id).Text); got != plainly(want) {
						t.Errorf("the tap was answered %q, not %q", got, want)
					}
				}
			})
		})
	}
}

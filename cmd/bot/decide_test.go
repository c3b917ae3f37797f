package main

import (
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"resellerbot/internal/api/sim"
	"resellerbot/internal/conversations/tgsim"
)

// buyOutside buys on the service's own page, with the account's money.
func (h *house) buyOutside(variant int64) {
	h.t.Helper()
	_, err := h.service.Buy(testKey, variant, 1, "outside")
	h.must(err)
}

// listing is a shop whose service lists what was bought.
func listing(h *house) {
	people(h)
	h.must(h.service.SetMode(testKey, sim.Both))
}

// lost has somebody buy a card whose answer is lost, while somebody else buys the same on the service's own page: two
// orders fit, and a person is asked. It returns the order of the purchase, and the other one.
func (h *house) lost(user int64) (own, other sim.Order) {
	h.t.Helper()
	h.service.Inject(sim.Fault{Operation: sim.Spending, Kind: sim.LoseAnswer, Times: 1})
	h.order(user, "Play Card", "10 USD", "1")
	h.tap(user, "✅")
	h.seeAny(user, "Uncertain")
	h.buyOutside(101)
	h.buyOutside(102) // of another item
	h.pass(11 * time.Minute)
	all := h.service.Orders()
	slices.SortFunc(all, func(a, b sim.Order) int { return int(a.Number - b.Number) })
	return all[0], all[1]
}

// buttons are the texts and data of a message's buttons that hold the words.
func buttons(m tgsim.Message, words string) (all []tgsim.Button) {
	for _, b := range slices.Concat(m.Keyboard...) {
		if strings.Contains(plain(b.Text), words) {
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
	inHouse(t, listing, func(h *house) {
		h.link(sam)
		own, other := h.lost(sam)
		question := h.seeAny(sam, "Please decide")
		for _, words := range []string{"2 orders that fit", "Balance: DZD 25,000 before"} {
			if !strings.Contains(plain(question.Text), words) {
				t.Errorf("the question does not say %q: %s", words, question.Text)
			}
		}
		h.tap(sam, "🔎")
		if why := h.see(sam, "Orders that fit"); !strings.Contains(plain(why.Text), "Orders that fit (2): ") {
			t.Errorf("the reasons count what does not fit: %s", why.Text)
		}
		h.say(sam, "/orders")
		h.tap(sam, "Play Card")
		copied := h.see(sam, "Please decide")
		h.tapUnder("Please decide", "It is there") // the copy of /orders, which becomes the choice
		choice := h.see(sam, "Which one is it?")
		if len(buttons(choice, "#")) != 2 || len(buttons(choice, "None of these")) != 1 || len(buttons(choice, "✅")) > 0 {
			t.Fatalf("the choice is %v", choice.Keyboard)
		}
		pick, wrong := buttons(choice, numberOf(own))[0], buttons(choice, numberOf(other))[0]
		for _, words := range []string{"DZD 1,250.50", "done"} {
			if !strings.Contains(plain(pick.Text), words) {
				t.Errorf("the button does not say %q: %s", words, pick.Text)
			}
		}
		first := h.telegram.Tap(sam, sam, choice.ID, pick.Data)
		second := h.telegram.Tap(sam, sam, choice.ID, wrong.Data) // at once
		h.pass(10 * time.Second)
		if got := h.codes(sam); !slices.Contains(got, own.Code) || slices.Contains(got, other.Code) {
			t.Errorf("the chat was given %v; %s is its own, %s somebody else's", got, own.Code, other.Code)
		}
		h.answer(first)
		if c := h.answer(second); !strings.Contains(plain(c.Text), "Decided already") {
			t.Errorf("the second tap was answered with %q", c.Text)
		}
		if open := h.openQuestions(sam); len(open) > 0 {
			t.Errorf("still open: %q", open)
		}
		h.telegram.Tap(sam, sam, copied.ID, buttons(question, "It is not there")[0].Data) // a stale button
		h.pass(10 * time.Second)
		if strings.Contains(h.texts(sam), "You said that it was not bought") {
			t.Error("a stale button has decided")
		}
		if n := h.purchasesSent(); n != 1 {
			t.Errorf("%d purchases were sent", n)
		}
		h.answered()
	})
}

// openQuestions are the messages that still ask what became of a purchase.
func (h *house) openQuestions(chat int64) (open []string) {
	for _, m := range h.telegram.Messages(chat) {
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
	inHouse(t, listing, func(h *house) {
		h.link(sam)
		h.lost(sam)
		h.tap(sam, "It is there")
		h.see(sam, "Which one is it?")
		h.tap(sam, "None of these")
		ask := h.see(sam, "Was it bought?")
		if len(buttons(ask, "not bought")) != 1 || len(buttons(ask, "I found it there")) != 1 {
			t.Fatalf("whether it was bought cannot be said: %v", ask.Keyboard)
		}
		h.tap(sam, "Back")
		h.see(sam, "Which one is it?")
		h.tap(sam, "None of these")
		h.pass(10 * time.Second)
		if open := h.openQuestions(sam); len(open) == 0 {
			t.Error("it is decided before anybody has said whether it was bought")
		}
		h.tap(sam, "I found it there")
		h.seeAny(sam, "Closed without codes: you said")
		h.pass(10 * time.Second)
		if open := h.openQuestions(sam); len(open) > 0 {
			t.Errorf("still open: %q", open)
		}
		h.say(sam, "/orders")
		m := h.see(sam, "Your purchases")
		if !hasButton(m, "☑️ no codes") || hasButton(m, "🎉") {
			t.Errorf("/orders shows %v", m.Keyboard)
		}
	})
}

// TestDecidedFromOrders: a decision that is taken in /orders ends the question everywhere, and one that is taken under
// the question is seen by whoever taps the copy of /orders later.
func TestDecidedFromOrders(t *testing.T) {
	t.Parallel()
	inHouse(t, listing, func(h *house) {
		h.link(sam)
		h.link(yasmine) // owns it as well, and is not asked: it was bought in Sam's own chat
		h.lost(sam)
		h.say(sam, "/orders")
		h.tap(sam, "Play Card")
		copied := h.see(sam, "Please decide")
		question := h.seeAny(sam, "Please decide")
		if copied.ID == question.ID {
			t.Fatal("/orders shows no copy")
		}
		h.telegram.Tap(sam, sam, copied.ID, buttons(copied, "It is not there")[0].Data)
		h.see(sam, "Are you sure")
		h.tap(sam, "Yes: it was not bought")
		h.pass(10 * time.Second)
		if open := h.openQuestions(sam); len(open) > 0 {
			t.Errorf("still open: %q", open)
		}
		for _, id := range []int{copied.ID, question.ID} {
			if m := h.message(sam, id); !strings.Contains(plain(m.Text), "You said that it was not bought") {
				t.Errorf("message %d says %s", id, m.Text)
			}
		}
	})
}

// TestTwoOwnersDecide: of two owners who decide at the same time one is heard, and the other one is told.
func TestTwoOwnersDecide(t *testing.T) {
	t.Parallel()
	inHouse(t, listing, func(h *house) {
		h.link(sam)
		h.join(karim, h.invite(sam, "➕ Seller"))
		h.link(yasmine)
		own, _ := h.lost(karim)
		one, other := h.seeAny(sam, "Please decide"), h.seeAny(yasmine, "À vous de décider")
		h.telegram.Tap(sam, sam, one.ID, buttons(one, "It is there")[0].Data)
		h.telegram.Tap(yasmine, yasmine, other.ID, buttons(other, "Il y est")[0].Data)
		h.pass(2 * time.Second)
		mine, theirs := h.see(sam, "Which one is it?"), h.see(yasmine, "Laquelle est-ce")
		a := h.telegram.Tap(sam, sam, mine.ID, buttons(mine, numberOf(own))[0].Data)
		b := h.telegram.Tap(yasmine, yasmine, theirs.ID, strings.Replace(buttons(theirs, "Aucune")[0].Data, ":none", ":close", 1))
		h.pass(10 * time.Second)
		heard := 0
		for _, id := range []string{a, b} {
			if text := plain(h.answer(id).Text); !strings.Contains(text, "Decided already") && !strings.Contains(text, "Déjà décidé") {
				heard++
			}
		}
		if heard != 1 {
			t.Errorf("%d of two decisions were heard", heard)
		}
		for _, who := range []int64{sam, yasmine, karim} {
			if open := h.openQuestions(who); len(open) > 0 {
				t.Errorf("%d is still asked: %q", who, open)
			}
		}
		h.answered()
	})
}

// paid has a seller buy a card whose answer is lost, and nobody else anything: its price is gone, and the list of orders
// cannot be read, so that a person is asked.
func (h *house) paid(user int64) {
	h.t.Helper()
	h.service.Inject(sim.Fault{Operation: "GET /purchase-history", Kind: sim.Status, Status: 500, Times: 10_000})
	h.service.Inject(sim.Fault{Operation: sim.Spending, Kind: sim.LoseAnswer, Times: 1})
	h.order(user, "Play Card", "10 USD", "1")
	h.tap(user, "✅")
	h.seeAny(user, "Uncertain")
	h.pass(13 * time.Minute)
}

// TestNotBoughtAgainstTheMoney: what looks paid is called not bought only by a second word, what is said of its money
// afterwards is true, and the same is bought again only after a question.
func TestNotBoughtAgainstTheMoney(t *testing.T) {
	inHouse(t, listing, func(h *house) {
		h.link(sam)
		h.paid(sam)
		question := h.seeAny(sam, "Its price is gone")
		h.telegram.Tap(sam, sam, question.ID, buttons(question, "It is not there")[0].Data)
		h.see(sam, "Are you sure")
		if strings.Contains(h.texts(sam), "You said that it was not bought") {
			t.Error("one tap has decided")
		}
		h.tap(sam, "Back")
		h.see(sam, "Please decide")
		h.tap(sam, "It is not there")
		h.tap(sam, "Yes: it was not bought")
		h.pass(time.Minute)
		m := h.seeAny(sam, "look for what took it")
		if strings.Contains(plain(m.Text), "If money should go") {
			t.Errorf("its money is gone, and it is said that it may go: %s", m.Text)
		}
		h.telegram.Tap(sam, sam, m.ID, buttons(m, "🔁")[0].Data)
		h.see(sam, "It was called not bought")
		h.bought(1)
	})
}

// TestWhoDecided: whoever did not decide reads who did, whoever did reads that it was them, and what they set aside is
// not said to be gone.
func TestWhoDecided(t *testing.T) {
	inHouse(t, listing, func(h *house) {
		h.link(sam)
		h.join(karim, h.invite(sam, "➕ Seller"))
		h.link(yasmine)
		h.lost(karim)
		one := h.seeAny(sam, "Please decide")
		h.seeAny(yasmine, "À vous de décider")
		h.telegram.Tap(sam, sam, one.ID, buttons(one, "It is not there")[0].Data)
		h.see(sam, "Are you sure")
		h.tap(sam, "Yes: it was not bought")
		h.pass(10 * time.Second)
		h.seeAny(sam, "You said that it was not bought")
		h.seeAny(yasmine, "Sam a indiqué que l'achat n'a pas eu lieu")
		h.seeAny(karim, "Sam said that it was not bought")
		h.pass(5 * time.Minute)
		h.say(sam, "/orders")
		h.tap(sam, "The whole team's")
		h.tap(sam, "Play Card")
		h.tap(sam, "🔎")
		m := h.see(sam, "You have seen these orders and said that they are not its own")
		for _, words := range []string{"gone again", "No order that fits"} {
			if strings.Contains(plain(m.Text), words) {
				t.Errorf("it says %q of what was set aside: %s", words, m.Text)
			}
		}
	})
}

// TestAskedAgain: what a person called not bought is doubted when its money goes. Who said so is named, and whoever may
// decide is rung.
func TestAskedAgain(t *testing.T) {
	inHouse(t, listing, func(h *house) {
		h.link(sam)
		h.join(karim, h.invite(sam, "➕ Seller"))
		h.link(yasmine)
		h.service.Inject(sim.Fault{Operation: "GET /purchase-history", Kind: sim.Status, Status: 500, Times: 10_000})
		h.service.Inject(sim.Fault{Operation: sim.Spending, Kind: sim.DropRequest, Times: 1})
		h.order(karim, "Play Card", "10 USD", "1")
		h.tap(karim, "✅")
		m := h.seeAny(karim, "Uncertain")
		if !strings.Contains(plain(m.Text), "or an owner is asked") {
			t.Errorf("it promises an answer: %s", m.Text)
		}
		h.pass(20 * time.Minute)
		one := h.seeAny(sam, "Please decide")
		h.seeAny(yasmine, "À vous de décider")
		h.telegram.Tap(sam, sam, one.ID, buttons(one, "It is not there")[0].Data)
		h.pass(10 * time.Second)
		h.seeAny(karim, "Sam said that it was not bought")
		h.buyOutside(101)
		h.pass(10 * time.Minute)
		h.say(sam, "/balance")
		h.pass(time.Minute)
		h.seeAny(sam, "You said that this was not bought. That may be wrong.")
		h.seeAny(karim, "Sam said that this was not bought. That may be wrong.")
		h.seeAny(yasmine, "Sam a indiqué que ceci n'avait pas été acheté")
		if n := h.count(sam, "Please decide about it again"); n != 1 {
			t.Errorf("the owner was rung %d times", n)
		}
		if n := h.count(yasmine, "Merci de décider à nouveau"); n != 1 {
			t.Errorf("the other owner was rung %d times", n)
		}
		h.answered()
	})
}

// TestRefusedAsItWasSent: an order without answers that the service refuses is not said to hold wrong ones.
func TestRefusedAsItWasSent(t *testing.T) {
	inHouse(t, listing, func(h *house) {
		h.link(sam)
		h.service.Inject(sim.Fault{Operation: sim.Spending, Kind: sim.ErrorAnswer, Status: 400, Times: 1})
		h.order(sam, "Play Card", "10 USD", "1")
		h.tap(sam, "✅")
		m := h.seeAny(sam, "Nothing should be charged")
		if text := plain(m.Text); strings.Contains(text, "what was entered") || !strings.Contains(text, "did not accept this order") {
			t.Errorf("nothing was entered: %s", text)
		}
	})
}

// TestNothingToPick: where no order shows, and where the list cannot be read, nothing is closed unasked.
func TestNothingToPick(t *testing.T) {
	t.Parallel()
	inHouse(t, listing, func(h *house) {
		h.link(sam)
		h.service.Inject(sim.Fault{Operation: "GET /purchase-history", Kind: sim.Status, Status: 500, Times: 10_000})
		h.service.Inject(sim.Fault{Operation: sim.Spending, Kind: sim.LoseAnswer, Times: 1})
		h.order(sam, "Play Card", "10 USD", "1")
		h.tap(sam, "✅")
		h.seeAny(sam, "Uncertain")
		h.pass(13 * time.Minute)
		m := h.seeAny(sam, "Please decide")
		if !strings.Contains(plain(m.Text), "list of orders could not be read") {
			t.Errorf("the question hides that the list could not be read: %s", m.Text)
		}
		h.tap(sam, "It is there")
		h.see(sam, "cannot be read right now")
		h.service.ClearFaults()
		h.tap(sam, "Look again")
		choice := h.see(sam, "Is it this one?")
		h.telegram.Tap(sam, sam, choice.ID, buttons(choice, "#")[0].Data)
		h.delivered(sam)
		h.bought(1)
	})
}

// TestListIsReadOnceForATap: a tap on a mark, or on what is picked, reads the list once where it cannot be read, and tells
// so; so does one on what is not listed any more. Nothing is decided by it.
func TestListIsReadOnceForATap(t *testing.T) {
	t.Parallel()
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
			inHouse(t, listing, func(h *house) {
				h.link(sam)
				h.service.Inject(sim.Fault{Operation: sim.Spending, Kind: sim.LoseAnswer, Times: 1})
				h.order(sam, "Play Card", "10 USD", "2")
				h.tap(sam, "✅")
				h.seeAny(sam, "Uncertain")
				h.buyOutside(101)
				h.pass(11 * time.Minute)
				h.tap(sam, "It is there")
				h.tap(sam, "#3")
				h.tap(sam, "#2")
				choice := h.see(sam, "Which one is it?")
				data := buttons(choice, c.words)[0].Data
				if c.changed {
					parts := strings.Split(data, ":")
					parts[3] = strings.Repeat("0", len(parts[3]))
					data = strings.Join(parts, ":")
				} else {
					h.service.Inject(sim.Fault{Operation: "GET /purchase-history", Kind: sim.Status, Status: 500, Times: 10_000})
				}
				before := h.service.Requests()["GET /purchase-history"]
				id := h.telegram.Tap(sam, sam, choice.ID, data)
				h.pass(10 * time.Second)
				h.see(sam, c.seen)
				if n := h.service.Requests()["GET /purchase-history"] - before; n != 1 {
					t.Errorf("the list was read %d times", n)
				}
				if text := plain(h.answer(id).Text); c.changed != strings.Contains(text, "shows no more") {
					t.Errorf("the tap is answered with %q", text)
				}
				h.service.ClearFaults()
				h.tap(sam, "Look again")
				h.see(sam, "Which one is it?")
			})
		})
	}
}

// TestPickSeveral: of three units two show, and one more that is not theirs. They are marked, and taken together.
func TestPickSeveral(t *testing.T) {
	t.Parallel()
	inHouse(t, listing, func(h *house) {
		h.link(sam)
		h.service.Inject(sim.Fault{Operation: sim.Spending, Kind: sim.LoseAnswer, Times: 1})
		h.order(sam, "Play Card", "10 USD", "2")
		h.tap(sam, "✅")
		h.seeAny(sam, "Uncertain")
		h.buyOutside(101)
		h.pass(11 * time.Minute)
		all := h.service.Orders()
		slices.SortFunc(all, func(a, b sim.Order) int { return int(a.Number - b.Number) })
		h.tap(sam, "It is there")
		m := h.see(sam, "Which one is it?")
		if len(buttons(m, "▫️")) != 3 || len(buttons(m, "📥")) != 0 {
			t.Fatalf("the choice is %v", m.Keyboard)
		}
		for _, o := range all {
			h.tap(sam, numberOf(o))
		}
		if c := h.telegram.Callbacks(); !strings.Contains(c[len(c)-1].Text, "more than were bought") {
			t.Errorf("a third mark was answered with %q", c[len(c)-1].Text)
		}
		h.tap(sam, "📥 These are it: 2 of 2")
		h.pass(10 * time.Second)
		got := h.codes(sam)
		for i, o := range all {
			if slices.Contains(got, o.Code) != (i < 2) {
				t.Errorf("order %d of %d: its code was shown: %v", i+1, len(all), slices.Contains(got, o.Code))
			}
		}
		if open := h.openQuestions(sam); len(open) > 0 {
			t.Errorf("still open: %q", open)
		}
	})
}

// TestTryAgainWaitsForTheMoney: what the service has refused is not bought again before a look has shown its money to
// be there. Whoever taps is told what that waits for.
func TestTryAgainWaitsForTheMoney(t *testing.T) {
	t.Parallel()
	t.Run("not charged", func(t *testing.T) {
		inHouse(t, listing, func(h *house) {
			h.link(sam)
			h.service.Inject(sim.Fault{Operation: sim.Spending, Kind: sim.ErrorAnswer, Status: 400, Times: 1})
			h.order(sam, "Play Card", "10 USD", "1")
			h.tap(sam, "✅")
			refused := h.seeAny(sam, "Nothing should be charged")
			h.tap(sam, "🔁")
			if m := h.see(sam, "Not yet"); !strings.Contains(plain(m.Text), "Try again after") {
				t.Errorf("it is not told until when: %s", m.Text)
			}
			h.service.Inject(sim.Fault{Operation: "GET /balance", Kind: sim.Status, Status: 500, Times: 1000})
			h.pass(2 * time.Minute)
			h.tap(sam, "🔁")
			h.see(sam, "Not yet")
			h.service.ClearFaults()
			h.pass(time.Minute)
			h.tap(sam, "🔁")
			h.see(sam, "Please check")
			h.tap(sam, "✅")
			h.seeAny(sam, "Delivered")
			if m := h.message(sam, refused.ID); strings.Contains(m.Text, "Delivered") {
				t.Error("the refused one is called delivered")
			}
		})
	})
	t.Run("charged all the same", func(t *testing.T) {
		inHouse(t, listing, func(h *house) {
			h.link(sam)
			h.service.Inject(sim.Fault{Operation: sim.Spending, Kind: sim.ErrorDone, Status: 400, Times: 1})
			h.order(sam, "Play Card", "10 USD", "1")
			h.tap(sam, "✅")
			m := h.seeAny(sam, "❌")
			data := buttons(m, "🔁")
			if len(data) == 0 {
				t.Skip("it was found out before anybody could tap")
			}
			for range 8 { // its question comes within seconds
				h.telegram.Tap(sam, sam, m.ID, data[0].Data)
				h.pass(time.Second)
			}
			if strings.Contains(h.texts(sam), "Please check") {
				t.Errorf("it may be bought twice:\n%s", h.transcript(sam))
			}
			h.pass(time.Minute)
			h.bought(1)
		})
	})
}

// TestRepeatOfAnOpenOne: whoever buys the same for the same ID while the first is uncertain is not told that it was
// bought.
func TestRepeatOfAnOpenOne(t *testing.T) {
	t.Parallel()
	inHouse(t, heroes, func(h *house) {
		h.link(sam)
		h.service.Inject(sim.Fault{Operation: sim.Spending, Kind: sim.DropRequest, Times: 1})
		h.crystals(sam, "111111")
		h.see(sam, "Please check")
		h.tap(sam, "✅")
		h.seeAny(sam, "Uncertain")
		h.crystals(sam, "111111")
		m := h.see(sam, "The same was ordered for the same ID")
		for _, words := range []string{"It may have been bought", "it may be bought twice"} {
			if !strings.Contains(plain(m.Text), words) {
				t.Errorf("it does not say %q: %s", words, m.Text)
			}
		}
		if strings.Contains(plain(m.Text), "was bought for the same ID") {
			t.Errorf("it says that it was bought: %s", m.Text)
		}
	})
}

// TestRemovedWithAnOrder: a seller who is taken out of the team while an order of theirs is on its way is told once that
// the shop goes on with it, and the other owners that they were removed, and by whom.
func TestRemovedWithAnOrder(t *testing.T) {
	t.Parallel()
	inTeam(t, func(h *house) {
		h.link(yasmine)
		h.service.AddProduct(sim.ProductSpec{ID: 20, Name: "Slow Card", Variants: []sim.VariantSpec{{ID: 201, Name: "5 USD", Price: "100", InStock: 9, Delay: 10 * time.Minute}}})
		h.pass(5 * time.Minute) // the catalogue is read anew
		h.order(karim, "Slow Card", "5 USD", "1")
		h.tap(karim, "✅")
		h.seeAny(karim, "Bought")
		h.say(sam, "/team")
		h.tap(sam, "Karim")
		h.tap(sam, "Remove")
		h.tap(sam, "Yes, remove")
		h.seeAny(karim, "1 purchase of yours is still on its way. The shop goes on with it")
		h.seeAny(yasmine, "Sam a retiré Karim de votre équipe")
		if strings.Contains(h.texts(yasmine), "a quitté") {
			t.Error("somebody who was removed is said to have left")
		}
		h.pass(15 * time.Minute)
		h.seeAny(sam, "Delivered")
		if n := h.count(karim, "still on its way"); n != 1 {
			t.Errorf("the seller was told %d times", n)
		}
	})
}

// TestInterruptedKeyQuestion: a question for a key that another command closes is said to be closed, and what is typed
// afterwards is no key.
func TestInterruptedKeyQuestion(t *testing.T) {
	t.Parallel()
	for _, command := range []string{"/start", "/help", "/orders", "/balance", "/language"} {
		t.Run(command, func(t *testing.T) {
			inHouse(t, stock, func(h *house) {
				h.say(sam, "/key")
				h.see(sam, "Send your API key")
				h.say(sam, command)
				h.see(sam, "The question for your key is closed: nothing was linked")
				h.say(sam, testKey+"x")
				if text := plain(h.texts(sam)); strings.Contains(text, "was not linked") {
					t.Errorf("what was typed was taken for a key:\n%s", h.transcript(sam))
				}
			})
		})
	}
}

// TestUnlinkingWithAnUncertainPurchase: /key remove names what is uncertain, and asks first.
func TestUnlinkingWithAnUncertainPurchase(t *testing.T) {
	t.Parallel()
	inHouse(t, stock, func(h *house) {
		h.link(sam)
		h.service.Inject(sim.Fault{Operation: sim.Spending, Kind: sim.LoseAnswer, Times: 1})
		h.order(sam, "Play Card", "10 USD", "1")
		h.tap(sam, "✅")
		h.seeAny(sam, "Uncertain")
		h.say(sam, "/key remove")
		m := h.see(sam, "1 purchase is uncertain. #")
		if !hasButton(m, "🔓") || strings.Contains(h.texts(sam), "is unlinked") {
			t.Errorf("it is not asked first: %s", m.Text)
		}
		h.tap(sam, "🔓")
		h.see(sam, "The account is unlinked")
	})
}

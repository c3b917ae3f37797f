package main

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"resellerbot/internal/api/sim"
	"resellerbot/internal/conversations/tgsim"
)

// spendButtons lists the buttons of a message that begin as one that spends.
func spendButtons(m tgsim.Message) (all []tgsim.Button) {
	for _, row := range m.Keyboard {
		for _, b := range row {
			if strings.HasPrefix(b.Text, "✅") {
				all = append(all, b)
			}
		}
	}
	return all
}

// askFor has Karim ask for n cards, which are above his limit, and returns the message that asks the owner.
func (h *house) askFor(n string) tgsim.Message {
	h.t.Helper()
	h.order(karim, "Play Card", "10 USD", n)
	m := h.see(karim, "above your limit")
	if got := spendButtons(m); len(got) != 0 {
		h.t.Errorf("the seller is offered %v", got)
	}
	h.tap(karim, "Ask an owner")
	h.seeAny(karim, "An owner is asked")
	return h.see(sam, "Karim asks to buy")
}

// TestApproval: a purchase above a seller's limit is bought by the owner's tap and no other, and the seller sees
// whose it was.
func TestApproval(t *testing.T) {
	t.Parallel()
	inTeam(t, func(h *house) {
		h.limit("Per purchase", "2000")
		h.buy(karim) // within it
		m := h.askFor("2")
		text := plain(m.Text)
		if !strings.Contains(text, "DZD 23,749.50 → DZD 21,248.50") || !strings.Contains(text, "DZD 2,501") {
			t.Errorf("the owner is asked: %s", text)
		}
		buttons := spendButtons(m)
		if len(buttons) != 1 || !strings.Contains(plain(buttons[0].Text), "2,501") {
			t.Fatalf("the owner is offered %v", buttons)
		}
		for _, who := range []int64{karim, lila, eve} { // forged
			id := h.telegram.Tap(who, who, 1, buttons[0].Data)
			h.pass(time.Second)
			if c := h.answer(id); !c.Alert {
				t.Errorf("%d was not refused", who)
			}
		}
		h.bought(1)
		h.tap(sam, "✅")
		h.see(sam, "Approved by Sam")
		h.seeAny(karim, "Approved by Sam")
		h.pass(10 * time.Second)
		h.bought(2)
		if got := h.codes(karim); len(got) != 3 {
			t.Errorf("the seller has %d codes, want 3:\n%s", len(got), h.transcript(karim))
		}
		h.telegram.Tap(sam, sam, m.ID, buttons[0].Data) // replayed
		h.pass(10 * time.Second)
		h.bought(2)
		h.answered()
	})
}

// TestApprovalRefused: the seller is told by whom, and nothing is bought.
func TestApprovalRefused(t *testing.T) {
	t.Parallel()
	inTeam(t, func(h *house) {
		h.limit("Per purchase", "0")
		m := h.askFor("1")
		h.tap(sam, "Refuse")
		h.see(sam, "Refused by Sam")
		h.seeAny(karim, "Refused by Sam")
		h.see(karim, "was refused by an owner") // the phone rings
		h.telegram.Tap(sam, sam, m.ID, spendButtons(m)[0].Data)
		h.pass(time.Minute)
		h.bought(0)
		h.answered()
	})
}

// TestApprovalExpires: nobody answers, and after half an hour the question is over for everybody.
func TestApprovalExpires(t *testing.T) {
	t.Parallel()
	inTeam(t, func(h *house) {
		h.limit("Per purchase", "0")
		m := h.askFor("1")
		h.pass(20 * time.Minute) // longer than a summary is good for
		if len(spendButtons(h.message(sam, m.ID))) != 1 {
			t.Error("the question is over too soon")
		}
		h.stop() // it outlasts a restart
		h.start()
		h.pass(11 * time.Minute)
		h.see(karim, "was not bought")
		if now := h.message(sam, m.ID); len(spendButtons(now)) != 0 || !strings.Contains(plain(now.Text), "Nobody has decided") {
			t.Errorf("the owner still sees: %s", now.Text)
		}
		h.telegram.Tap(sam, sam, m.ID, spendButtons(m)[0].Data)
		h.pass(time.Minute)
		h.bought(0)
		h.answered()
	})
}

// TestApprovalTakenBack: the seller does not want it any more, and the owner's message says so.
func TestApprovalTakenBack(t *testing.T) {
	t.Parallel()
	inTeam(t, func(h *house) {
		h.limit("Per purchase", "0")
		m := h.askFor("1")
		h.tap(karim, "Take it back")
		h.pass(5 * time.Second)
		if now := h.message(sam, m.ID); len(spendButtons(now)) != 0 || !strings.Contains(plain(now.Text), "Taken back") {
			t.Errorf("the owner still sees: %s", now.Text)
		}
		h.telegram.Tap(sam, sam, m.ID, spendButtons(m)[0].Data)
		h.pass(time.Minute)
		h.bought(0)
	})
}

// TestApprovalOnce: two owners tap at the same moment, whatever they tap: one decides, the other one sees who.
func TestApprovalOnce(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ sam, yasmine string }{{"approve", "approve"}, {"approve", "refuse"}, {"refuse", "approve"}, {"refuse", "refuse"}} {
		t.Run(fmt.Sprintf("%s and %s", c.sam, c.yasmine), func(t *testing.T) {
			inTeam(t, func(h *house) {
				h.link(yasmine)
				h.limit("Per purchase", "0")
				one := h.askFor("1")
				other := h.see(yasmine, "Karim demande")
				data := spendButtons(one)[0].Data
				h.telegram.Tap(sam, sam, one.ID, strings.Replace(data, "approve", c.sam, 1))
				h.telegram.Tap(yasmine, yasmine, other.ID, strings.Replace(data, "approve", c.yasmine, 1))
				h.pass(20 * time.Second)
				said := plain(h.message(sam, one.ID).Text + h.message(yasmine, other.ID).Text)
				bySam, byYasmine := strings.Count(said, "par Sam")+strings.Count(said, "by Sam"), strings.Count(said, "par Yasmine")+strings.Count(said, "by Yasmine")
				if bySam+byYasmine != 2 || bySam != 0 && byYasmine != 0 {
					t.Errorf("the owners see: %s", said)
				}
				granted := bySam > 0 && c.sam == "approve" || byYasmine > 0 && c.yasmine == "approve"
				if n := len(h.service.Purchases()); n != map[bool]int{true: 1}[granted] {
					t.Errorf("%d purchases; granted: %v", n, granted)
				}
				h.answered()
			})
		})
	}
}

// TestDayLimit: within the day's limit a seller buys freely, above it with an owner's word, which does not count,
// and the next day begins anew.
func TestDayLimit(t *testing.T) {
	t.Parallel()
	inTeam(t, func(h *house) {
		h.limit("Per day", "٢٦٠٠")
		h.say(karim, "/start")
		h.see(karim, "Left today without asking: DZD 2,600")
		h.buy(karim)
		h.order(karim, "Play Card", "10 USD", "1")
		earlier := h.see(karim, "10 USD") // this summary was within the limit when it was made
		h.buy(karim)
		h.say(karim, "/start")
		h.see(karim, "Left today without asking: DZD 99")
		h.telegram.Tap(karim, karim, earlier.ID, confirmData(t, earlier))
		h.pass(2 * time.Second)
		if now := h.message(karim, earlier.ID); len(spendButtons(now)) != 0 || !strings.Contains(plain(now.Text), "above your limit") {
			t.Errorf("the summary became: %s", now.Text)
		}
		h.pass(10 * time.Second)
		h.bought(2)
		h.askFor("1")
		h.tap(sam, "✅")
		h.pass(10 * time.Second)
		h.bought(3)
		h.say(sam, "/team")
		h.tap(sam, "Karim")
		h.see(sam, "Today without asking: DZD 2,501")
		h.sleep(24 * time.Hour)
		h.buy(karim)
		h.bought(4)
		h.say(sam, "/team")
		h.tap(sam, "Karim")
		h.tap(sam, "Per day")
		h.tap(sam, "No limit")
		h.see(sam, "Per day: no limit")
		h.buy(karim)
		h.buy(karim)
		h.buy(karim)
	})
}

// TestDayLimitRefusals: what the service has refused does not use the limit up.
func TestDayLimitRefusals(t *testing.T) {
	t.Parallel()
	inTeam(t, func(h *house) {
		h.limit("Per day", "1300")
		for range 3 {
			h.order(karim, "Play Card", "10 USD", "1")
			h.service.SetStock(101, 0)
			h.tap(karim, "✅")
			h.pass(10 * time.Second)
			h.service.SetStock(101, 50)
			h.pass(2 * time.Minute)
		}
		h.buy(karim)
		h.bought(1)
		h.askFor("1")
	})
}

// TestApprovalFromTheGroup: the seller asks in the group, the owner answers in private.
func TestApprovalFromTheGroup(t *testing.T) {
	t.Parallel()
	inShop(t, func(h *house) {
		h.limit("Per purchase", "0")
		h.commandIn(karim, shop, 0, "/buy@shop_bot play")
		h.tapIn(karim, shop, "10 USD")
		h.tapIn(karim, shop, "1")
		for _, who := range []int64{eve, lila} {
			h.refusedWith(h.tapIn(who, shop, "Ask an owner"), "")
		}
		h.tapIn(karim, shop, "Ask an owner")
		h.pass(5 * time.Second)
		h.seeAny(shop, "An owner is asked")
		if strings.Contains(h.texts(shop), "→") {
			t.Error("the balance stands in the group")
		}
		h.see(sam, "Karim asks to buy")
		h.tap(sam, "✅")
		h.pass(20 * time.Second)
		h.bought(1)
		h.seeAny(shop, "Approved by Sam")
		if c := h.tapIn(karim, shop, "👁"); !strings.HasSuffix(c.Text, h.service.Orders()[0].Code) {
			t.Errorf("the seller was shown %q", c.Text)
		}
	})
}

// TestApprovalOfSomebodyGone: who was taken out of the team gets nothing bought, whatever an owner taps later.
func TestApprovalOfSomebodyGone(t *testing.T) {
	t.Parallel()
	inTeam(t, func(h *house) {
		h.limit("Per purchase", "0")
		m := h.askFor("1")
		h.say(sam, "/team")
		h.tap(sam, "Karim")
		h.tap(sam, "Remove")
		h.tap(sam, "Yes, remove")
		h.telegram.Tap(sam, sam, m.ID, spendButtons(m)[0].Data)
		h.pass(time.Minute)
		h.bought(0)
		if now := h.message(sam, m.ID); len(spendButtons(now)) != 0 {
			t.Errorf("the owner still sees: %s", now.Text)
		}
		h.answered()
	})
}

// TestUncertainIsTheOwners: a seller's purchase that nobody can find is decided by an owner; the seller sees that
// one is asked, and what came of it.
func TestUncertainIsTheOwners(t *testing.T) {
	t.Parallel()
	for _, decision := range []string{"It is not there", "It is there"} {
		t.Run(decision, func(t *testing.T) {
			inShop(t, func(h *house) {
				h.link(yasmine)
				h.order(karim, "Play Card", "10 USD", "1")
				carrier := h.see(karim, "10 USD")
				h.service.Inject(sim.Fault{Operation: "POST /products/purchase/{variantId}", Kind: sim.LoseAnswer, Times: 1})
				h.tap(karim, "✅")
				h.see(karim, "not buy")
				h.pass(11 * time.Minute)
				asked := h.message(karim, carrier.ID)
				if !strings.Contains(plain(asked.Text), "An owner is asked") || len(asked.Keyboard) != 0 {
					t.Errorf("the seller sees: %s %v", asked.Text, asked.Keyboard)
				}
				h.see(karim, "an owner is asked")
				h.seeAny(yasmine, "À vous de décider")
				question := h.seeAny(sam, "Please decide")
				var data string
				for _, row := range question.Keyboard {
					for _, b := range row {
						if strings.Contains(b.Text, decision) {
							data = b.Data
						}
					}
				}
				for _, at := range []struct{ who, chat int64 }{{karim, karim}, {lila, lila}, {eve, eve}, {eve, shop}, {lila, shop}} {
					id := h.telegram.Tap(at.who, at.chat, carrier.ID, data)
					h.pass(time.Second)
					if c := h.answer(id); at.who != eve && !c.Alert {
						t.Errorf("%d was not refused", at.who)
					}
				}
				if now := h.message(karim, carrier.ID); now.Text != asked.Text {
					t.Fatalf("somebody else has decided: %s", now.Text)
				}
				h.telegram.Tap(sam, sam, question.ID, data)
				h.pass(2 * time.Second)
				if decision == "It is there" {
					h.tap(sam, "I found it there") // no list shows its order
				}
				h.pass(10 * time.Second)
				if now := h.message(karim, carrier.ID); now.Text == asked.Text {
					t.Errorf("the seller still sees: %s", now.Text)
				}
				for _, m := range []tgsim.Message{h.message(sam, question.ID)} {
					if len(m.Keyboard) != 0 {
						t.Errorf("the owner can decide again: %s", m.Text)
					}
				}
				if strings.Contains(h.texts(yasmine), "À vous de décider") {
					t.Error("the other owner is still asked")
				}
				h.answered()
			})
		})
	}
}

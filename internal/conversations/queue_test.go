package conversations_test

import (
	"strings"
	"testing"
	"time"

	"resellerbot/internal/api/sim"
	"resellerbot/internal/app/apptest"
	"resellerbot/internal/sampletest"
	"resellerbot/internal/sandbox/tgsim"
	"resellerbot/internal/screen"
)

// holdUp has Karim, a seller, buy what becomes uncertain, and Sam, who owns the shop, wait behind it.
func holdUp(h *apptest.Harness) {
	h.T.Helper()
	h.OrderLost(apptest.Karim, "Play Card", "25 USD", "1")
	h.Order(apptest.Sam, "Play Card", "10 USD", "1")
	h.See(apptest.Sam, "Check before buying")
	h.Tap(apptest.Sam, "✅")
	h.Pass(2 * time.Second)
}

// hasButton reports whether a message has a button that begins so.
func hasButton(m tgsim.Message, begins string) bool {
	for _, row := range m.Keyboard {
		for _, b := range row {
			if strings.HasPrefix(b.Text, begins) {
				return true
			}
		}
	}
	return false
}

// dataOf is what a message's button carries that begins so.
func dataOf(t *testing.T, m tgsim.Message, begins string) string {
	t.Helper()
	for _, row := range m.Keyboard {
		for _, b := range row {
			if strings.HasPrefix(b.Text, begins) {
				return b.Data
			}
		}
	}
	t.Fatalf("there is no button %q under %s", begins, m.Text)
	return ""
}

// TestWaitingSaysForWhat: whoever waits behind an uncertain purchase sees which one and until when, in the message
// and in /orders; the uncertain one tells that somebody waits; and only owners are offered to let the others go.
func TestWaitingSaysForWhat(t *testing.T) {
	t.Parallel()
	inTeam(t, func(h *apptest.Harness) {
		holdUp(h)
		m := h.SeeLast(apptest.Sam, "Waiting in line")
		for _, words := range []string{"It waits for order #", "Play Card · 25 USD", "looked for until", "If its turn has not come by"} {
			if !strings.Contains(apptest.Plain(m.Text), words) {
				t.Errorf("the wait does not say %q: %s", words, m.Text)
			}
		}
		if !hasButton(m, "⏭") {
			t.Error("the owner who waits cannot let the others go")
		}
		if m := h.SeeLast(apptest.Sam, "🛒 Karim"); !hasButton(m, "⏭") || !strings.Contains(apptest.Plain(m.Text), "1 purchase waits for it") {
			t.Errorf("the owner is not told of the uncertain one: %s", m.Text)
		}
		if m := h.SeeLast(apptest.Karim, "Uncertain"); hasButton(m, "⏭") || !strings.Contains(apptest.Plain(m.Text), "1 purchase waits for it") {
			t.Errorf("the seller reads %s", m.Text)
		}
		h.Say(apptest.Sam, "/orders")
		h.Tap(apptest.Sam, "⏳")
		if m := h.See(apptest.Sam, "10 USD"); !strings.Contains(apptest.Plain(m.Text), "It waits for order #") || strings.Contains(m.Text, "Sending") {
			t.Errorf("/orders says %s", m.Text)
		}
		h.Bought(1)
	})
}

// TestOwnerLetsTheOthersGo: the line goes on at once, and the uncertain one is the owner's to decide.
func TestOwnerLetsTheOthersGo(t *testing.T) {
	t.Parallel()
	inTeam(t, func(h *apptest.Harness) {
		holdUp(h)
		m := h.SeeLast(apptest.Sam, "🛒 Karim")
		var data string
		for _, row := range m.Keyboard {
			data = row[0].Data
		}
		h.Telegram.Tap(apptest.Karim, apptest.Karim, 1, data) // forged
		h.Telegram.Tap(apptest.Eve, apptest.Eve, 1, data)
		h.Pass(2 * time.Second)
		if n := h.PurchasesSent(); n != 1 {
			t.Fatalf("%d purchases were sent before the owner's word", n)
		}
		h.TapUnder("🛒 Karim", "⏭")
		h.SeeAny(apptest.Sam, "Delivered")
		if n := h.PurchasesSent(); n != 2 {
			t.Errorf("%d purchases were sent", n)
		}
		m = h.SeeLast(apptest.Sam, "🛒 Karim")
		if !strings.Contains(apptest.Plain(m.Text), "our decision is needed") || !hasButton(m, "It is there") {
			t.Errorf("the owner is not asked: %s", m.Text)
		}
		h.SeeAny(apptest.Karim, "The owner is to decide")
		h.Telegram.Tap(apptest.Sam, apptest.Sam, m.ID, data) // too late
		h.Pass(2 * time.Second)
		h.TapUnder("our decision is needed", "It is not there")
		h.Tap(apptest.Sam, "Yes: it was not bought")
		h.SeeAny(apptest.Karim, "Sam said that it was not bought")
		h.Answered()
	})
}

// TestOwnPurchaseHoldsUp: an owner whose own purchase is uncertain lets the others go from its message.
func TestOwnPurchaseHoldsUp(t *testing.T) {
	t.Parallel()
	inTeam(t, func(h *apptest.Harness) {
		h.Service.Inject(sim.Fault{Operation: sim.Spending, Kind: sim.DropRequest, Times: 1})
		h.Order(apptest.Sam, "Play Card", "25 USD", "1")
		h.Tap(apptest.Sam, "✅")
		if m := h.SeeAny(apptest.Sam, "Uncertain"); hasButton(m, "⏭") {
			t.Error("nobody waits yet")
		}
		h.Order(apptest.Karim, "Play Card", "10 USD", "1")
		h.Tap(apptest.Karim, "✅")
		h.TapUnder("1 purchase waits for it", "⏭")
		h.SeeAny(apptest.Sam, "our decision is needed")
		h.SeeAny(apptest.Karim, "Delivered")
	})
}

// TestAnotherOwnerLetsTheOthersGo: an owner who waits behind what another one has bought, and lets the others go first, is asked as
// well: it is theirs to decide, and one question ends with the other.
func TestAnotherOwnerLetsTheOthersGo(t *testing.T) {
	t.Parallel()
	inTeam(t, func(h *apptest.Harness) {
		h.Say(apptest.Sam, "/team")
		h.Tap(apptest.Sam, "Karim")
		h.Tap(apptest.Sam, "Make owner")
		h.Tap(apptest.Sam, "Yes, make owner")
		holdUp(h)
		h.TapUnder("Waiting in line", "⏭")
		h.SeeAny(apptest.Karim, "our decision is needed")
		m := h.SeeLast(apptest.Sam, "🛒 Karim")
		if !strings.Contains(apptest.Plain(m.Text), "our decision is needed") || !hasButton(m, "It is there") {
			t.Fatalf("who let the others go first is not asked: %s", m.Text)
		}
		h.TapUnder("🛒 Karim", "It is not there")
		h.Tap(apptest.Sam, "Yes: it was not bought")
		h.SeeAny(apptest.Karim, "Sam said that it was not bought")
		h.Pass(2 * time.Second)
		if m := h.SeeLast(apptest.Sam, "🛒 Karim"); hasButton(m, "It is there") {
			t.Errorf("what was decided is asked on: %s", m.Text)
		}
		h.Answered()
	})
}

// TestPlaceInQueueEndsInTime: a place in line ends when it says so, not when its turn comes: it is told why, that
// nothing was charged, and one button leads to today's price.
func TestPlaceInQueueEndsInTime(t *testing.T) {
	t.Parallel()
	inTeam(t, func(h *apptest.Harness) {
		holdUp(h)
		m := h.SeeLast(apptest.Sam, "Waiting in line")
		h.Pass(100 * time.Second)
		h.SeeLast(apptest.Sam, "Waiting in line")
		h.Pass(25 * time.Second)
		for _, now := range h.Telegram.Messages(apptest.Sam) {
			if now.ID == m.ID {
				m = now
			}
		}
		if text := apptest.Plain(m.Text); !strings.Contains(text, "Nothing was charged.") || !strings.Contains(text, "uncertain, and I am still looking for it") {
			t.Fatalf("after two minutes it says %s", text)
		}
		if len(m.Keyboard) != 1 || len(m.Keyboard[0]) != 1 || !hasButton(m, "🔁 See today's price") {
			t.Errorf("its buttons are %v", m.Keyboard)
		}
		h.See(apptest.Sam, "was not bought and nothing was charged")
		if m := h.SeeLast(apptest.Karim, "Uncertain"); strings.Contains(apptest.Plain(m.Text), "waits for it") {
			t.Errorf("nobody waits any more: %s", m.Text)
		}
		h.Bought(1)
		h.Service.SetPrice(101, "1300")
		h.TapUnder("Its turn did not come within", "🔁")
		h.See(apptest.Sam, "it was DZD 1,250.50")
		h.Bought(1)
	})
}

// TestBehindWhatBecomesUncertain: who waits behind a purchase that becomes uncertain meanwhile is told so, and so is
// its owner; once it is found the line goes on.
func TestBehindWhatBecomesUncertain(t *testing.T) {
	t.Parallel()
	inTeam(t, func(h *apptest.Harness) {
		h.Service.Inject(sim.Fault{Operation: sim.Spending, Kind: sim.Delay, Delay: 50 * time.Second, Times: 1})
		h.Order(apptest.Karim, "Play Card", "25 USD", "1")
		h.Order(apptest.Sam, "Play Card", "10 USD", "1")
		h.Tap(apptest.Karim, "✅")
		h.Tap(apptest.Sam, "✅")
		if m := h.SeeLast(apptest.Sam, "Waiting in line"); strings.Contains(apptest.Plain(m.Text), "uncertain") {
			t.Errorf("nothing is uncertain yet: %s", m.Text)
		}
		h.SeeAny(apptest.Karim, "Uncertain")
		h.SeeAny(apptest.Sam, "It waits for order #")
		h.SeeAny(apptest.Sam, "1 purchase waits for it")
	})
}

// TestNobodyWaitsAnyMore: once who has waited for an uncertain purchase does not want theirs any more, it is not said that somebody waits,
// and nobody is to be let go first, neither to its buyer nor to an owner.
func TestNobodyWaitsAnyMore(t *testing.T) {
	t.Parallel()
	inTeam(t, func(h *apptest.Harness) {
		holdUp(h)
		h.SeeAny(apptest.Karim, "1 purchase waits for it")
		h.SeeAny(apptest.Sam, "1 purchase waits for it")
		h.Tap(apptest.Sam, "✖️ Do not buy it")
		h.Pass(5 * time.Second)
		for _, chat := range []int64{apptest.Karim, apptest.Sam} {
			if all := h.Texts(chat); strings.Contains(apptest.Plain(all), "waits for it") {
				t.Errorf("in %d it is still said that somebody waits:\n%s", chat, h.Transcript(chat))
			}
		}
		if _, err := h.Telegram.TapButton(apptest.Sam, apptest.Sam, "others go first"); err == nil {
			t.Error("others can be let go first, and there are none")
		}
	})
}

// TestNobodyGoesWhereSpendingIsLocked: an owner who lets others go first, and has locked the account, reads that nobody could go, and has
// nothing to decide for that.
func TestNobodyGoesWhereSpendingIsLocked(t *testing.T) {
	t.Parallel()
	inTeam(t, func(h *apptest.Harness) {
		holdUp(h)
		h.Say(apptest.Sam, "/lock")
		h.TapUnder("🛒 Karim", "⏭")
		h.Pass(2 * time.Second)
		if all := apptest.Plain(h.Texts(apptest.Sam)); strings.Contains(all, "our decision is needed") {
			t.Errorf("a decision is asked for nobody's sake:\n%s", h.Transcript(apptest.Sam))
		}
		h.Answered()
	})
}

// TestWhoIsRemovedWaitsNoMore: what somebody has in line who is taken out of the team ends at once: they read that it was not bought, and
// nobody is asked to let them go first.
func TestWhoIsRemovedWaitsNoMore(t *testing.T) {
	t.Parallel()
	sampletest.Slow(t)
	inTeam(t, func(h *apptest.Harness) {
		h.OrderLost(apptest.Sam, "Play Card", "25 USD", "1")
		h.Order(apptest.Karim, "Play Card", "10 USD", "1")
		h.See(apptest.Karim, "Check before buying")
		h.Tap(apptest.Karim, "✅")
		h.SeeAny(apptest.Karim, "Waiting in line")
		h.SeeAny(apptest.Sam, "1 purchase waits for it")
		h.Say(apptest.Sam, "/team")
		h.Tap(apptest.Sam, "Karim")
		h.Tap(apptest.Sam, "Remove")
		h.Tap(apptest.Sam, "Yes, remove")
		h.Pass(5 * time.Second)
		if all := apptest.Plain(h.Texts(apptest.Karim)); !strings.Contains(all, "Not bought") {
			t.Errorf("what was in line goes on to wait:\n%s", h.Transcript(apptest.Karim))
		}
		if all := apptest.Plain(h.Texts(apptest.Karim)); strings.Contains(all, "Waiting in line") || strings.Contains(all, "is under way") {
			t.Errorf("to who was removed it is said:\n%s", h.Transcript(apptest.Karim))
		}
		if strings.Contains(apptest.Plain(h.Texts(apptest.Sam)), "waits for it") {
			t.Errorf("it is still said that somebody waits:\n%s", h.Transcript(apptest.Sam))
		}
		h.Pass(time.Hour)
		h.Happened(1)
	})
}

// TestLeaveTheQueue: who waits for their turn may think better of it, and nothing is bought; nobody else may but an owner.
func TestLeaveTheQueue(t *testing.T) {
	t.Parallel()
	for lang, words := range sampletest.SomeNamed(3, map[string]struct{ button, toast, status string }{
		"en": {"✖️ Do not buy it", "Removed from the line. Nothing was charged.", "Cancelled. Nothing was charged"},
		"fr": {"✖️ Ne pas l'acheter", "Retiré de la file. Rien n'a été débité.", "Rien n'a été débité"},
		"ar": {"✖️ إلغاء الشراء", "تم الخروج من قائمة الانتظار. لم يُخصم شيء.", "لم يُخصم شيء"},
	}) {
		t.Run(lang, func(t *testing.T) {
			t.Parallel()
			inTeam(t, func(h *apptest.Harness) {
				holdUp(h)
				chooseLanguage(h, apptest.Sam, lang)
				h.Say(apptest.Sam, "/orders")
				h.Tap(apptest.Sam, "⏳")
				m := h.See(apptest.Sam, "Play Card")
				id, err := h.Telegram.TapButton(apptest.Sam, apptest.Sam, words.button)
				h.Must(err)
				h.Pass(time.Second)
				if c := h.Answer(id); apptest.Plain(c.Text) != words.toast {
					t.Errorf("it is said %q", c.Text)
				}
				h.SeeAny(apptest.Sam, words.status)
				if again := h.Answer(h.Telegram.Tap(apptest.Sam, apptest.Sam, m.ID, dataOf(t, m, words.button))); again.Text == words.toast {
					t.Error("it has left the queue twice")
				}
				h.Pass(time.Hour)
				h.Happened(1)
			})
		})
	}
}

// TestOthersDoNotLeaveTheQueue: a forged button takes nobody's purchase out of the line.
func TestOthersDoNotLeaveTheQueue(t *testing.T) {
	t.Parallel()
	inTeam(t, func(h *apptest.Harness) {
		h.OrderLost(apptest.Sam, "Play Card", "25 USD", "1")
		h.Order(apptest.Karim, "Play Card", "10 USD", "1")
		id := apptest.PurchaseID(t, h.See(apptest.Karim, "Check before buying"))
		h.Tap(apptest.Karim, "✅")
		h.SeeLast(apptest.Karim, "Waiting in line")
		for _, who := range []int64{apptest.Lila, apptest.Eve} {
			own := h.FromBot(who)
			h.Telegram.Tap(who, who, own, apptest.Forged(screen.VerbLeave, id))
			h.Pass(time.Second)
		}
		if m := h.SeeLast(apptest.Karim, "Waiting in line"); !hasButton(m, "✖️") {
			t.Errorf("the purchase does not wait any more: %s", m.Text)
		}
		h.Say(apptest.Sam, "/orders") // and an owner may
		h.Tap(apptest.Sam, "team's orders")
		h.Tap(apptest.Sam, "⏳")
		h.See(apptest.Sam, "Waiting in line")
		h.Tap(apptest.Sam, "✖️")
		h.SeeAny(apptest.Karim, "Cancelled. Nothing was charged")
	})
}

// TestOwnerWhoKnewIsRung: an owner who was told that others wait for an uncertain purchase is rung once they have to decide about it: what
// they were told is only edited. Whoever lets the others go is not.
func TestOwnerWhoKnewIsRung(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		does func(*apptest.Harness)
		want int
	}{
		"by time":  {func(h *apptest.Harness) { h.Pass(time.Hour) }, 1},
		"by a tap": {func(h *apptest.Harness) { h.Tap(apptest.Sam, "⏭") }, 0},
		"unlinked": {func(h *apptest.Harness) { unlinks(h); h.Pass(2 * time.Hour) }, 1},
	} {
		t.Run(name, func(t *testing.T) {
			inTeam(t, func(h *apptest.Harness) {
				h.Order(apptest.Karim, "Play Card", "10 USD", "1")
				h.Service.Inject(sim.Fault{Operation: sim.Spending, Kind: sim.DropRequest, Times: 1})
				h.Tap(apptest.Karim, "✅")
				h.Pass(5 * time.Second)
				h.Order(apptest.Sam, "Play Card", "10 USD", "1")
				h.Tap(apptest.Sam, "✅")
				h.Pass(10 * time.Second)
				tc.does(h)
				h.Pass(time.Minute)
				h.SeeAny(apptest.Sam, "Your decision is needed")
				rung := 0
				for _, m := range h.Telegram.Messages(apptest.Sam) {
					if strings.Contains(m.Text, "🔔") && strings.Contains(m.Text, "your decision is needed") && !m.Silent {
						rung++
					}
				}
				if rung != tc.want {
					h.T.Errorf("the owner is rung %d times, want %d:\n%s", rung, tc.want, h.Transcript(apptest.Sam))
				}
			})
		})
	}
}

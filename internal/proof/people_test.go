package proof

import (
	"slices"
	"strconv"
	"time"

	"resellerbot/internal/api/sim"
	"resellerbot/internal/app/apptest"
	"resellerbot/internal/sandbox/tgsim"
	"resellerbot/internal/screen"
	"resellerbot/internal/store"
)

// People who are asked: they look at the service's own pages, where everything stands at once, and say what is true.

const (
	// patientPick is for how long people look again for an order of theirs that they are not offered, before they say that
	// it is there all the same.
	patientPick = time.Hour
	mostPicks   = 30 // taps for one answer: orders are marked one by one
	patientMark = 5  // seconds for which people wait to see a mark
)

// decides has a person answer one question that a chat is asked, by what is true at the service by now.
func (l *lab) decides(chat int64) {
	for _, m := range slices.Backward(l.telegram.Messages(chat)) {
		p, asked := l.eye.undecided(m.ID, chat)
		if !asked || m.Deleted {
			continue
		}
		answer := screen.DecideNot
		if len(l.ownOf(p)) > 0 {
			answer = screen.DecideBought
		}
		k, ok := answerKey(m, answer)
		if !ok { // its message is edited in a moment, or its chat has no key for a while
			if last := len(p.History) - 1; time.Since(p.History[last].At) > patientPick {
				l.eye.violatef("lab", "chat %d is asked about %s, and has no button for %q", chat, store.Ref(p.ID), answer)
			}
			continue
		}
		l.eye.notef("chat %d answers %q about %s", chat, k.Text, store.Ref(p.ID))
		l.telegram.Tap(chat, chat, m.ID, k.Data)
		l.pass(time.Second)
		l.picks(chat, p)
		return
	}
}

// answerKey is the button under a question by which a person says what they know.
func answerKey(m tgsim.Message, answer string) (key tgsim.Button, ok bool) {
	for _, b := range slices.Concat(m.Keyboard...) {
		if a, known := screen.ParseAction(b.Data); known && a.Verb == screen.VerbDecide && a.Arg(1) == answer {
			return b, true
		}
	}
	return key, false
}

// picks has a person pick the orders of a purchase from those that they are offered, if they are, and say the rest where
// they are asked once more.
func (l *lab) picks(chat int64, p store.Purchase) {
	for range mostPicks {
		k, m, ok := l.pick(chat, p)
		if !ok {
			return
		}
		l.eye.notef("chat %d picks %q for %s", chat, k.Text, store.Ref(p.ID))
		l.telegram.Tap(chat, chat, m.ID, k.Data)
		l.seesItsMark(chat, p, k)
		if l.eye.phase(p.ID) != store.Undecided {
			return
		}
	}
	l.eye.violatef("lab", "a person does not come to an end about %s", store.Ref(p.ID))
}

// seesItsMark has a person wait until the button that they have tapped shows it: one more tap would take the mark away. A chat to
// which much is sent shows it some seconds later.
func (l *lab) seesItsMark(chat int64, p store.Purchase, tapped tgsim.Button) {
	for range patientMark {
		l.pass(time.Second)
		if k, _, ok := l.pick(chat, p); !ok || k != tapped {
			return
		}
	}
}

// pick is what a person taps next under the orders that are offered for a purchase.
func (l *lab) pick(chat int64, p store.Purchase) (key tgsim.Button, in tgsim.Message, ok bool) {
	for _, m := range slices.Backward(l.telegram.Messages(chat)) {
		if apptest.ChoiceOf(m) != p.ID || m.Deleted {
			continue
		}
		own := l.ownOf(p)
		key, ok = apptest.PickFrom(m, plainly(own, l.service.Orders()))
		if a, _ := screen.ParseAction(key.Data); ok && a.Verb == screen.VerbDecide && a.Arg(1) == screen.DecideNone && lately(own) {
			return key, m, false // lists are late: they look again
		}
		return key, m, ok
	}
	return key, in, false
}

// plainly is orders by the names that are nobody else's: where the generations number orders each by itself, what one calls an
// order may be another one in the other's list. People look at when it was made, and what it is, and are not misled.
func plainly(own, all []sim.Order) []sim.Order {
	own = slices.Clone(own)
	for i, o := range own {
		if slices.ContainsFunc(all, func(other sim.Order) bool {
			return other.Number != o.Number && o.ID == strconv.FormatInt(other.Number, 10)
		}) {
			own[i].ID = strconv.FormatInt(o.Number, 10)
		}
	}
	return own
}

// lately reports whether one of some orders was made not long ago.
func lately(own []sim.Order) bool {
	return slices.ContainsFunc(own, func(o sim.Order) bool { return time.Since(o.At) < patientPick })
}

// ownOf is the orders of a purchase at the service, as people see it who know what they have bought. Of what may have been made
// beside another purchase, they are those that are more than that one asked for.
func (l *lab) ownOf(p store.Purchase) []sim.Order {
	l.eye.mu.Lock()
	defer l.eye.mu.Unlock()
	own := l.eye.madeOf(p, l.service.Orders())
	if p.Of == "" {
		return own
	}
	first := l.eye.purchases[p.Of]
	lacks := first.Quantity
	for _, o := range l.service.Orders() {
		if o.Tag == p.Of && l.eye.owns(p.Of, o) {
			lacks--
		}
	}
	return own[min(max(lacks, 0), len(own)):]
}

// madeOf is the orders that the requests of a purchase have made. Of what may have been made beside another purchase, they are
// those of that one's requests that it does not have.
func (w *witness) madeOf(p store.Purchase, all []sim.Order) (made []sim.Order) {
	for _, o := range all {
		if o.Tag == p.ID && p.Of == "" || o.Tag == p.Of && p.Of != "" && !w.owns(p.Of, o) {
			made = append(made, o)
		}
	}
	return made
}

// owns reports whether an order of the service is known as one of a purchase's.
func (w *witness) owns(purchase string, o sim.Order) bool {
	for _, ours := range w.orders {
		if ours.Purchase == purchase && isOrder(ours, o) {
			return true
		}
	}
	return false
}

// phase is where a purchase is now.
func (w *witness) phase(id string) store.Phase {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.purchases[id].Phase
}

// undecided is the purchase that a message asks about.
func (w *witness) undecided(message int, chat int64) (store.Purchase, bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, p := range w.purchases {
		if p.Phase == store.Undecided && p.Message == message && p.Chat == chat {
			return p, true
		}
	}
	return store.Purchase{}, false
}

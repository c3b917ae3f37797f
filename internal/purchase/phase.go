package purchase

import (
	"fmt"
	"slices"
	"strings"

	"resellerbot/internal/store"
)

// Event is something that happens to a purchase.
type Event string

// The events of a purchase's life.
const (
	Ask      Event = "ask"      // it is above its buyer's limit, and the owners are asked
	Confirm  Event = "confirm"  // the buyer tapped ✅, or an owner did
	Drop     Event = "drop"     // cancelled, expired, or its price changed: nothing was sent
	Submit   Event = "submit"   // its turn has come; on disk before the first byte
	Postpone Event = "postpone" // held back by our own limit, before a byte went out
	Accept   Event = "accept"   // the answer named its orders
	Refuse   Event = "refuse"   // a definite refusal, or provably never sent
	Lose     Event = "lose"     // no answer that proves anything, or a crash while submitting
	Find     Event = "find"     // evidence shows its orders
	Deny     Event = "deny"     // evidence, or a person, says that it does not exist
	GiveUp   Event = "give up"  // evidence cannot decide in time, or an owner lets others go first: a person is asked
	Doubt    Event = "doubt"    // something shows that what was said of it is wrong: that it did not happen, or which orders are its
	Close    Event = "close"    // a person says that it went through and was taken care of
	Complete Event = "complete" // every order is delivered, or failed and told
)

// transitions is the whole life of a purchase. What is not listed does not happen.
// A phase that leads nowhere is listed with no events, so that the table names every phase; Diagram ends it.
func transitions() map[store.Phase]map[Event]store.Phase {
	return map[store.Phase]map[Event]store.Phase{
		store.Drafted:    {Confirm: store.Queued, Ask: store.Asked, Drop: store.Dropped},
		store.Asked:      {Confirm: store.Queued, Drop: store.Dropped},
		store.Queued:     {Submit: store.Submitting, Refuse: store.Rejected, Drop: store.Dropped},
		store.Submitting: {Accept: store.Accepted, Refuse: store.Rejected, Lose: store.Unknown, Postpone: store.Queued},
		store.Unknown:    {Find: store.Accepted, Deny: store.NotCreated, GiveUp: store.Undecided},
		store.Undecided:  {Find: store.Accepted, Deny: store.NotCreated, Close: store.Settled},
		store.NotCreated: {Find: store.Accepted, Doubt: store.Undecided},    // the service executed it late
		store.Accepted:   {Complete: store.Settled, Doubt: store.Undecided}, // its orders are another's, or nowhere
		store.Settled:    {},
		store.Rejected:   {Find: store.Accepted, Doubt: store.Undecided}, // it said no, and did it
		store.Dropped:    {},
	}
}

// Next is the phase that an event leads to. An event that cannot happen in a phase is an error.
func Next(from store.Phase, ev Event) (store.Phase, error) {
	if to, ok := transitions()[from][ev]; ok {
		return to, nil
	}
	return from, fmt.Errorf("purchase: %q cannot happen to a purchase that is %s", ev, from)
}

// Diagram draws the phase table as a Mermaid state diagram, for the documentation.
func Diagram() string {
	var b strings.Builder
	b.WriteString("stateDiagram-v2\n    [*] --> drafted\n")
	table := transitions()
	for _, from := range order() {
		events := make([]string, 0, len(table[from]))
		for ev := range table[from] {
			events = append(events, string(ev))
		}
		slices.Sort(events)
		for _, ev := range events {
			fmt.Fprintf(&b, "    %s --> %s: %s\n", from, table[from][Event(ev)], ev)
		}
		if len(events) == 0 {
			fmt.Fprintf(&b, "    %s --> [*]\n", from)
		}
	}
	return b.String()
}

// order lists the phases as a purchase meets them.
func order() []store.Phase {
	return []store.Phase{
		store.Drafted, store.Asked, store.Queued, store.Submitting, store.Accepted, store.Unknown,
		store.Undecided, store.NotCreated, store.Settled, store.Rejected, store.Dropped,
	}
}

package purchase

import (
	"strings"
	"testing"

	"resellerbot/internal/store"
)

// events lists every event there is.
func events() []Event {
	return []Event{Ask, Confirm, Drop, Submit, Postpone, Accept, Refuse, Lose, Find, Deny, GiveUp, Close, Complete}
}

// TestNextIsExactlyTheDiagram walks every pair of a phase and an event: what the diagram does not draw
// is an error and changes nothing.
func TestNextIsExactlyTheDiagram(t *testing.T) {
	allowed := map[string]store.Phase{
		"drafted confirm": store.Queued, "drafted drop": store.Dropped, "drafted ask": store.Asked,
		"asked confirm": store.Queued, "asked drop": store.Dropped,
		"queued submit": store.Submitting, "queued refuse": store.Rejected, "queued drop": store.Dropped,
		"submitting accept": store.Accepted, "submitting refuse": store.Rejected, "submitting lose": store.Unknown, "submitting postpone": store.Queued,
		"unknown find": store.Accepted, "unknown deny": store.NotCreated, "unknown give up": store.Undecided,
		"undecided find": store.Accepted, "undecided deny": store.NotCreated, "undecided close": store.Settled,
		"not_created find": store.Accepted, "not_created doubt": store.Undecided,
		"rejected find": store.Accepted, "rejected doubt": store.Undecided,
		"accepted complete": store.Settled,
	}
	for _, from := range order() {
		for _, ev := range events() {
			to, err := Next(from, ev)
			want, ok := allowed[string(from)+" "+string(ev)]
			switch {
			case ok && (err != nil || to != want):
				t.Errorf("%s: %s leads to %s, %v; want %s", from, ev, to, err, want)
			case !ok && (err == nil || to != from):
				t.Errorf("%s: %s must not happen, but leads to %s, %v", from, ev, to, err)
			}
		}
	}
}

// TestUnknownIsNeverSentAgain: nothing leads from unknown back to where it could be sent again.
func TestUnknownIsNeverSentAgain(t *testing.T) {
	reached := map[store.Phase]bool{store.Unknown: true}
	for grew := true; grew; {
		grew = false
		for from := range reached {
			for _, ev := range events() {
				if to, err := Next(from, ev); err == nil && !reached[to] {
					reached[to], grew = true, true
				}
			}
		}
	}
	for _, ph := range []store.Phase{store.Submitting, store.Queued, store.Asked, store.Drafted} {
		if reached[ph] {
			t.Errorf("an unknown purchase can come to be %s", ph)
		}
	}
}

// TestFinalPhasesEnd: what the store calls final has no way on, but for a purchase that the service
// executed late, or executed and refused.
func TestFinalPhasesEnd(t *testing.T) {
	for _, from := range order() {
		for _, ev := range events() {
			if to, err := Next(from, ev); err == nil && from.Final() && from != store.NotCreated && from != store.Rejected {
				t.Errorf("%s is final, but %s leads to %s", from, ev, to)
			}
		}
	}
}

func TestDiagramDrawsEveryTransition(t *testing.T) {
	d := Diagram()
	for from, evs := range transitions() {
		for ev, to := range evs {
			if !strings.Contains(d, string(from)+" --> "+string(to)+": "+string(ev)+"\n") {
				t.Errorf("%s --%s--> %s is not drawn", from, ev, to)
			}
		}
	}
}

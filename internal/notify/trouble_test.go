package notify

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"resellerbot/internal/store"
	"resellerbot/internal/telegram/telegramtest"
)

// operator is an Operator that watches one thing, whose condition a test sets, and what it has told.
func (h *harness) operator(w Watch) (is *Condition, pass func(minutes int) (told string)) {
	h.Helper()
	is = &Condition{}
	w.Trouble = store.DiskTrouble
	w.Check = func(context.Context) (Condition, error) { return *is, nil }
	o := NewOperator(OperatorConfig{Store: h.store, Chat: 7, Watches: []Watch{w}, Log: telegramtest.Discard()})
	return is, func(minutes int) string {
		h.Helper()
		for range 2 * minutes {
			if err := o.Run(h.Context()); err != nil {
				h.Fatal(err)
			}
			<-time.After(30 * time.Second)
		}
		rows, err := h.store.ChatOutbox(h.Context(), 7, 10)
		if err != nil {
			h.Fatal(err)
		}
		var names []string
		for _, row := range rows {
			names = append(names, string(row.NoteName()))
		}
		return strings.Join(names, " ")
	}
}

// TestTroubleThatWavers: what comes and goes is told once, what is unclear changes nothing, and a beginning that nobody has
// read yet becomes its end.
func TestTroubleThatWavers(t *testing.T) {
	inBubble(t, func(h *harness) {
		is, pass := h.operator(Watch{After: 2 * time.Minute})
		for range 5 {
			is.State = Ill
			if told := pass(1); told != "" {
				t.Errorf("after a minute it tells %q", told)
			}
			is.State = Well
			pass(1)
		}
		is.State = Ill
		if told := pass(4); told != "trouble" {
			t.Errorf("it tells %q", told)
		}
		for range 5 {
			is.State = Well
			pass(2)
			is.State = Unclear
			pass(60)
			is.State = Ill
			if told := pass(4); told != "trouble" {
				t.Errorf("of one that wavers it tells %q", told)
			}
		}
		is.State = Well
		if told := pass(4); told != "trouble_over" {
			t.Errorf("once it is over it tells %q", told)
		}
		if told := pass(60); told != "trouble_over" {
			t.Errorf("later it tells %q", told)
		}
	})
}

// TestTroubleIsToldAfterwards: of what cannot be told while it lasts there is one message, with its end.
func TestTroubleIsToldAfterwards(t *testing.T) {
	inBubble(t, func(h *harness) {
		is, pass := h.operator(Watch{After: 5 * time.Minute, Afterwards: true})
		is.State = Ill
		if told := pass(4); told != "" {
			t.Errorf("after four minutes it tells %q", told)
		}
		is.State = Well
		if told := pass(10); told != "" {
			t.Errorf("of less than five minutes it tells %q", told)
		}
		is.State = Ill
		if told := pass(30); told != "" {
			t.Errorf("while it lasts it tells %q", told)
		}
		is.State = Well
		if told := pass(4); told != "trouble_over" {
			t.Errorf("once it is over it tells %q", told)
		}
	})
}

// TestTroubleThatCannotBeSeen: that one thing cannot be looked at keeps nobody from the others.
func TestTroubleThatCannotBeSeen(t *testing.T) {
	inBubble(t, func(h *harness) {
		broken := errors.New("broken")
		o := NewOperator(OperatorConfig{Store: h.store, Chat: 7, Log: telegramtest.Discard(), Watches: []Watch{
			{Trouble: store.CopiesTrouble, Check: func(context.Context) (Condition, error) { return Condition{}, broken }},
			{Trouble: store.DiskTrouble, Check: func(context.Context) (Condition, error) { return Condition{State: Ill}, nil }},
		}})
		if err := o.Run(t.Context()); !errors.Is(err, broken) {
			t.Errorf("it ends with %v", err)
		}
		if _, lasts, err := h.store.Trouble(t.Context(), store.DiskTrouble); err != nil || !lasts {
			t.Errorf("the other one is not told: %v", err)
		}
	})
}

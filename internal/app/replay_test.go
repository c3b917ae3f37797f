package app_test

import (
	"regexp"
	"strings"
	"testing"
	"time"

	"resellerbot/internal/app"
	"resellerbot/internal/app/apptest"
	"resellerbot/internal/store"
)

// parkedNumber is the number of the only update that is parked.
func parkedNumber(h *apptest.Harness) string {
	h.T.Helper()
	numbers := regexp.MustCompile(`(?m)^(\d+): `).FindAllStringSubmatch(operate(h, "replay").Stdout, -1)
	if len(numbers) != 1 {
		h.T.Fatalf("replay tells of %d updates: %s", len(numbers), operate(h, "replay").Stdout)
	}
	return numbers[0][1]
}

// refusedReplay fails the test unless an update is not handled again, and the operator is told why.
func refusedReplay(h *apptest.Harness, number, why string) {
	h.T.Helper()
	for _, args := range [][]string{{"replay"}, {"replay", number}} {
		says(h, operate(h, args...), number+": ", "It is not handled again: ", why)
	}
	got := operate(h, "replay", "-yes", number)
	if got.Code != 1 || !strings.Contains(got.Stderr, why) {
		h.T.Errorf("replay ends with %+v", got)
	}
}

// TestReplay: the operator sees what could not be handled, without what somebody wrote, and has it handled again.
func TestReplay(t *testing.T) {
	t.Parallel()
	onFailingEngine(t, func(h *apptest.Harness, s *apptest.FailingEngine) {
		says(h, operate(h, "replay"), "No update is parked.")
		h.Link(apptest.Sam)
		s.Panic.Store(true)
		h.Say(apptest.Sam, "/orders of-a-secret-player")
		h.See(apptest.Sam, "could not be handled")
		number := parkedNumber(h)
		says(h, operate(h, "status"), "parked, since they could not be handled (bot replay tells of them): "+number)
		for _, args := range [][]string{{"replay"}, {"replay", number}} {
			got := operate(h, args...)
			says(h, got, number+": the command /orders by 502 in chat 502, of ", "bot replay -yes "+number)
			if strings.Contains(got.Stdout, "secret") {
				t.Errorf("it tells what was written: %s", got.Stdout)
			}
		}
		before := h.FromBot(apptest.Sam)
		h.Pass(time.Minute)
		if h.FromBot(apptest.Sam) != before {
			t.Error("to ask for it has handled it")
		}
		says(h, operate(h, "replay", "-yes", number), "update "+number+", the command /orders in chat 502, is handled again")
		h.Pass(5 * time.Second)
		if h.FromBot(apptest.Sam) != before+1 {
			t.Errorf("the chat is\n%s", h.Transcript(apptest.Sam))
		}
		says(h, operate(h, "replay"), "No update is parked.")
		for _, args := range [][]string{{"replay", number}, {"replay", "-yes", number}} {
			if got := operate(h, args...); got.Code != 1 || !strings.Contains(got.Stderr, "update "+number+" is not parked") {
				t.Errorf("%v ends with %+v", args, got)
			}
		}
		if got := operate(h, "replay", "-yes"); got.Code != app.ExitUsage {
			t.Errorf("without a number: %+v", got)
		}
		if got := operate(h, "replay", "-yes", "all"); got.Code != 1 || !strings.Contains(got.Stderr, "no number of an update") {
			t.Errorf("with a word: %+v", got)
		}
	})
}

// TestReplayThatFails is parked once more, after one try.
func TestReplayThatFails(t *testing.T) {
	t.Parallel()
	onFailingEngine(t, func(h *apptest.Harness, s *apptest.FailingEngine) {
		h.Link(apptest.Sam)
		s.Panic.Store(true)
		h.Say(apptest.Sam, "/balance")
		number := parkedNumber(h)
		s.PanicEarly.Store(true) // nothing was read of it before its turn
		says(h, operate(h, "replay", "-yes", number), "is handled again")
		h.Pass(5 * time.Second)
		if got := parkedNumber(h); got != number {
			t.Errorf("%s is parked", got)
		}
	})
}

// TestReplayBuysNothing: a tap on ✅ that could not be handled is not made up for: who tapped was told that nothing was done.
func TestReplayBuysNothing(t *testing.T) {
	t.Parallel()
	onFailingEngine(t, func(h *apptest.Harness, s *apptest.FailingEngine) {
		h.Link(apptest.Sam)
		h.Order(apptest.Sam, "Play Card", "10 USD", "1")
		s.Panic.Store(true)
		h.Tap(apptest.Sam, "✅")
		h.SeeAny(apptest.Sam, "could not be handled")
		refusedReplay(h, parkedNumber(h), "they tap again if they still want it")
		h.Pass(5 * time.Minute)
		h.Bought(0)
		h.Tap(apptest.Sam, "✅") // as they were told
		h.Delivered(apptest.Sam)
		says(h, operate(h, "replay", "-yes", parkedNumber(h)), "is handled again") // the engine knows that it is bought
		h.Pass(5 * time.Minute)
		h.Bought(1)
		says(h, operate(h, "replay"), "No update is parked.")
	})
}

// TestReplayBuysNoList: nor is a tap on the ✅ of a list made up for.
func TestReplayBuysNoList(t *testing.T) {
	t.Parallel()
	onFailingEngine(t, func(h *apptest.Harness, s *apptest.FailingEngine) {
		h.Service.DemoCatalogue()
		h.Link(apptest.Sam)
		h.Pass(2 * time.Minute)
		h.Say(apptest.Sam, "60 coins for:\n51234567\n51234568")
		h.See(apptest.Sam, "Valid for 10 minutes")
		s.Panic.Store(true)
		h.Tap(apptest.Sam, "✅")
		h.SeeAny(apptest.Sam, "could not be handled")
		refusedReplay(h, parkedNumber(h), "they tap again if they still want it")
		h.Pass(time.Minute)
		h.Bought(0)
		h.Tap(apptest.Sam, "✅") // as they were told
		h.SeeAny(apptest.Sam, "List done: 2 of 2")
		says(h, operate(h, "replay", "-yes", parkedNumber(h)), "is handled again") // the engine knows that it is bought
		h.Pass(5 * time.Minute)
		h.Bought(2)
		says(h, operate(h, "replay"), "No update is parked.")
	})
}

// TestReplayOfAnUnknownForm: what this version cannot read waits for one that can.
func TestReplayOfAnUnknownForm(t *testing.T) {
	t.Parallel()
	apptest.Run(t, apptest.Stock, func(h *apptest.Harness) {
		h.Link(apptest.Sam)
		h.InStore(func(s *store.Store) {
			_, err := s.AddUpdates(t.Context(), []store.Incoming{{ID: 77, Raw: []byte(`{"update_id":77,"message":"words"}`), State: store.Parked, At: time.Now()}})
			h.Must(err)
		})
		h.Pass(2 * time.Second)
		refusedReplay(h, "77", "a newer version may know it")
	})
}

package app_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"resellerbot/internal/api/sim"
	"resellerbot/internal/app/apptest"
	"resellerbot/internal/sandbox/tgsim"
	"resellerbot/internal/store"
	"resellerbot/internal/telegram"
)

// onFailingEngine runs a test with an engine that can fail.
func onFailingEngine(t *testing.T, play func(*apptest.Harness, *apptest.FailingEngine)) {
	t.Helper()
	s := &apptest.FailingEngine{}
	apptest.Run(t, func(h *apptest.Harness) {
		apptest.Stock(h)
		h.Engine = func(e store.Engine) store.Engine { s.Engine = e; return s }
	}, func(h *apptest.Harness) { play(h, s) })
}

// ended waits for the bot to end by itself, and returns with what.
func ended(h *apptest.Harness) error {
	h.T.Helper()
	h.Pass(10 * time.Second)
	err := h.StopBot()
	h.StopBot = nil
	return err
}

// TestUpdatesThatCannotBeStored: what is not on disk is not acknowledged, and handled by the next start.
func TestUpdatesThatCannotBeStored(t *testing.T) {
	t.Parallel()
	onFailingEngine(t, func(h *apptest.Harness, s *apptest.FailingEngine) {
		h.Link(apptest.Sam)
		s.Full.Store(true)
		h.Telegram.Send(apptest.Sam, apptest.Sam, "/language")
		if err := ended(h); !errors.Is(err, apptest.ErrFull) {
			t.Errorf("the process ended with %v", err)
		}
		s.Full.Store(false)
		h.Start()
		h.See(apptest.Sam, "language")
	})
}

// TestPanicCostsOneUpdate: whoever meets a defect is told that nothing was done, and everybody goes on.
func TestPanicCostsOneUpdate(t *testing.T) {
	t.Parallel()
	onFailingEngine(t, func(h *apptest.Harness, s *apptest.FailingEngine) {
		h.Say(apptest.Sam, "/start")
		s.PanicEarly.Store(true) // where it is judged how the update comes in
		h.Say(apptest.Sam, "/balance")
		h.See(apptest.Sam, "No account is linked.")
		h.Link(apptest.Sam)
		s.Panic.Store(true) // where it is handled
		h.Say(apptest.Sam, "/balance")
		h.See(apptest.Sam, "could not be handled")
		if strings.Contains(h.Log.String(), "a defect with a secret in it") {
			t.Error("the value of a panic is in the log")
		}
		h.Buy(apptest.Sam, "Play Card", "10 USD", "1")
	})
}

// TestParkedAnswersItsMessage: what could not be handled is answered itself, at once: a message by a reply to it, a
// tap by the name of its button.
func TestParkedAnswersItsMessage(t *testing.T) {
	t.Parallel()
	onFailingEngine(t, func(h *apptest.Harness, s *apptest.FailingEngine) {
		h.Link(apptest.Sam)
		s.Panic.Store(true)
		id := h.Telegram.Send(apptest.Sam, apptest.Sam, "/balance")
		h.Telegram.Send(apptest.Sam, apptest.Sam, "/orders")
		h.Pass(2 * time.Second)
		if m := h.SeeAny(apptest.Sam, "This message could not be handled"); m.ReplyTo != id {
			t.Errorf("it answers message %d, not %d", m.ReplyTo, id)
		}
		h.Say(apptest.Sam, "/buy")
		m := h.See(apptest.Sam, "Products")
		s.Panic.Store(true)
		h.Tap(apptest.Sam, "Play Card")
		if m2 := h.SeeAny(apptest.Sam, "Your tap on Play Card could not be handled"); m2.ReplyTo != m.ID {
			t.Errorf("it answers message %d, not %d", m2.ReplyTo, m.ID)
		}
	})
}

// TestParkedTapOnABuyIsShown: a tap on ✅ that was not handled to its end may have bought: nothing is said of it but
// what its message shows.
func TestParkedTapOnABuyIsShown(t *testing.T) {
	t.Parallel()
	onFailingEngine(t, func(h *apptest.Harness, s *apptest.FailingEngine) {
		h.Link(apptest.Sam)
		h.Order(apptest.Sam, "Play Card", "10 USD", "1")
		h.See(apptest.Sam, "Check before buying")
		h.Telegram.Inject(tgsim.Fault{Method: "editmessagetext", Kind: tgsim.Page, Times: 4}) // the ✅ stays to be seen
		h.Tap(apptest.Sam, "✅")
		s.Panic.Store(true)
		h.Tap(apptest.Sam, "✅")
		h.Delivered(apptest.Sam)
		for _, m := range h.Telegram.Messages(apptest.Sam) {
			if strings.Contains(m.Text, "could not be handled") {
				t.Errorf("it is told that nothing was charged: %s", m.Text)
			}
		}
		h.Bought(1)
	})
}

// TestParkedLateIsSilent: an update that has brought the process down three times is answered at once, or, where it
// is old by then, not at all: nobody would know what the answer is about.
func TestParkedLateIsSilent(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		age  time.Duration
		says string
	}{"young": {time.Second, "could not be handled"}, "old": {10 * time.Minute, ""}} {
		t.Run(name, func(t *testing.T) {
			apptest.Run(t, apptest.Stock, func(h *apptest.Harness) {
				h.Link(apptest.Sam)
				before := len(h.Telegram.Messages(apptest.Sam))
				h.InStore(func(s *store.Store) {
					raw := []byte(`{"update_id":77,"message":{"message_id":1,"date":1,"text":"/balance","chat":{"id":502,"type":"private"},"from":{"id":502,"first_name":"Sam"}}}`)
					_, err := s.AddUpdates(t.Context(), []store.Incoming{{ID: 77, Chat: apptest.Sam, Raw: raw, State: store.New, Tries: 3, At: time.Now().Add(-c.age)}})
					h.Must(err)
				})
				h.Pass(time.Minute)
				all := h.Telegram.Messages(apptest.Sam)[before:]
				switch {
				case c.says == "" && len(all) > 0:
					t.Errorf("it is told late: %s", all[0].Text)
				case c.says != "" && (len(all) != 1 || !strings.Contains(all[0].Text, c.says)):
					t.Errorf("want %q, the chat is\n%s", c.says, h.Transcript(apptest.Sam))
				}
			})
		})
	}
}

// TestOutcomeThatCannotBeWritten: a commit that fails after the request went out is tried again; where that does not
// help, the purchase is uncertain, the operator is told once, and the line does not stand still for ever.
func TestOutcomeThatCannotBeWritten(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		fails int32
		panic bool
		says  string
	}{
		"once":       {1, false, "Delivered"},
		"always":     {1000, false, "Uncertain"},
		"by a panic": {0, true, "Uncertain"},
	} {
		t.Run(name, func(t *testing.T) {
			s := &apptest.FailingEngine{}
			apptest.Run(t, func(h *apptest.Harness) {
				apptest.Stock(h)
				h.Env["OWNER_CHAT_ID"] = "502" // Sam's
				h.Engine = func(e store.Engine) store.Engine { s.Engine = e; return s }
			}, func(h *apptest.Harness) {
				h.Link(apptest.Sam)
				h.Order(apptest.Sam, "Play Card", "10 USD", "1")
				s.Orders.Store(c.fails)
				s.Poison.Store(c.panic)
				h.Tap(apptest.Sam, "✅")
				h.SeeAny(apptest.Sam, c.says)
				h.Pass(20 * time.Second)
				alarms := strings.Count(h.Texts(apptest.Sam), "could not be written down")
				if want := map[bool]int{true: 1}[c.says == "Uncertain"]; alarms != want {
					t.Errorf("the operator is alarmed %d times, want %d\n%s", alarms, want, h.Transcript(apptest.Sam))
				}
				if strings.Contains(h.Texts(apptest.Sam), "Sending") {
					t.Errorf("it is still being sent:\n%s", h.Transcript(apptest.Sam))
				}
				h.Bought(1)
				if strings.Contains(h.Log.String(), "a defect with a secret in it") {
					t.Error("the value of a panic is in the log")
				}
				s.Orders.Store(0)
				s.Poison.Store(false)
			})
		})
	}
}

// TestNothingCanBeWrittenForAWhile: a purchase that cannot even be made uncertain is so as soon as that is possible,
// and its account goes on.
func TestNothingCanBeWrittenForAWhile(t *testing.T) {
	t.Parallel()
	onFailingEngine(t, func(h *apptest.Harness, s *apptest.FailingEngine) {
		h.Link(apptest.Sam)
		h.Service.Inject(sim.Fault{Operation: sim.Spending, Kind: sim.Delay, Delay: 5 * time.Second, Times: 1})
		h.Order(apptest.Sam, "Play Card", "10 USD", "1")
		h.Tap(apptest.Sam, "✅")
		h.Pass(2 * time.Second)
		s.Bought.Store(6) // four tries to write the outcome, and two to write the least
		h.SeeAny(apptest.Sam, "Uncertain")
		if n := s.Bought.Load(); n > 0 {
			t.Errorf("%d writes did not fail", n)
		}
		h.Order(apptest.Sam, "Play Card", "25 USD", "1")
		h.Tap(apptest.Sam, "✅")
		h.TapUnder("It waits for order #", "⏭")
		h.SeeAny(apptest.Sam, "Delivered")
		h.Bought(2)
	})
}

// TestNothingCanBeReadForAMoment: what people write while the disk does not answer is answered when it does, in order.
func TestNothingCanBeReadForAMoment(t *testing.T) {
	t.Parallel()
	onFailingEngine(t, func(h *apptest.Harness, s *apptest.FailingEngine) {
		h.Link(apptest.Sam)
		s.Unreadable.Store(true)
		h.Telegram.Send(apptest.Sam, apptest.Sam, "/buy")
		h.Pass(time.Second)
		h.Telegram.Send(apptest.Sam, apptest.Sam, "/language")
		h.Pass(6 * time.Second)
		s.Unreadable.Store(false)
		h.See(apptest.Sam, "language")
		h.SeeAny(apptest.Sam, "Products")
		if strings.Contains(h.Transcript(apptest.Sam), "could not be handled") {
			t.Errorf("it is given up:\n%s", h.Transcript(apptest.Sam))
		}
	})
}

// TestOutageOfTelegramIsWaitedFor: polls that fail become rarer.
func TestOutageOfTelegramIsWaitedFor(t *testing.T) {
	t.Parallel()
	apptest.Run(t, apptest.Stock, func(h *apptest.Harness) {
		h.Say(apptest.Sam, "/start")
		h.Telegram.Inject(tgsim.Fault{Method: "getupdates", Kind: tgsim.Page, Times: 40})
		h.Telegram.Send(apptest.Sam, apptest.Sam, "/language")
		h.Pass(time.Minute)
		if n := strings.Count(h.Log.String(), "getUpdates failed"); n < 5 || n > 20 {
			t.Errorf("%d polls in a minute in which none can succeed", n)
		}
		h.Telegram.ClearFaults()
		h.See(apptest.Sam, "language")
	})
}

// TestRefusedTokenEndsTheProcess: with a token that Telegram does not know any more there is nothing to wait for.
func TestRefusedTokenEndsTheProcess(t *testing.T) {
	t.Parallel()
	apptest.Run(t, apptest.Stock, func(h *apptest.Harness) {
		h.Say(apptest.Sam, "/start")
		h.Telegram.Inject(tgsim.Fault{Method: "getupdates", Kind: tgsim.Broken, Code: 401, Times: 1000})
		h.Telegram.Send(apptest.Sam, apptest.Sam, "/language") // ends the poll that is under way
		if err := ended(h); !errors.Is(err, telegram.ErrToken) {
			t.Errorf("the process ended with %v", err)
		}
	})
}

package main

import (
	"context"
	"errors"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"resellerbot/internal/api/sim"
	"resellerbot/internal/conversations"
	"resellerbot/internal/conversations/tgsim"
	"resellerbot/internal/store"
)

// stumbling is an engine that fails, or panics once.
type stumbling struct {
	store.Engine

	full       atomic.Bool  // no update can be taken; everything else goes on
	panic      atomic.Bool  // the next look at where somebody stands panics
	orders     atomic.Int32 // so many orders cannot be written
	poison     atomic.Bool  // writing an order panics
	bought     atomic.Int32 // so many purchases cannot be written
	unreadable atomic.Bool  // sessions cannot be read
}

var errFull = errors.New("no space left on device")

// Batch implements store.Engine.
func (s *stumbling) Batch(ctx context.Context, fn func(store.RecordTx) error) error {
	return s.Engine.Batch(ctx, func(tx store.RecordTx) error { return fn(stumblingTx{tx, s}) })
}

// Update implements store.Engine.
func (s *stumbling) Update(ctx context.Context, fn func(store.RecordTx) error) error {
	return s.Engine.Update(ctx, func(tx store.RecordTx) error { return fn(stumblingTx{tx, s}) })
}

// stumblingTx is one unit of its work.
type stumblingTx struct {
	store.RecordTx

	engine *stumbling
}

// Put implements store.RecordTx.
func (s stumblingTx) Put(r store.Record) (uint64, error) {
	if r.Kind == store.KindInbox && s.engine.full.Load() {
		return 0, errFull
	}
	if r.Kind == store.KindOrder && s.engine.poison.Load() {
		panic("a defect with a secret in it")
	}
	if r.Kind == store.KindPurchase && s.engine.bought.Add(-1) >= 0 {
		return 0, store.ErrConflict
	}
	if r.Kind == store.KindOrder && s.engine.orders.Add(-1) >= 0 {
		return 0, store.ErrConflict
	}
	return s.RecordTx.Put(r)
}

// Get implements store.Engine.
func (s *stumbling) Get(ctx context.Context, k store.Kind, key string) (store.Record, error) {
	if k == store.KindSession && s.unreadable.Load() {
		return store.Record{}, errFull
	}
	if k == store.KindSession && s.panic.CompareAndSwap(true, false) {
		panic("a defect with a secret in it")
	}
	return s.Engine.Get(ctx, k, key)
}

// onStumbling runs a test in a house whose engine can stumble.
func onStumbling(t *testing.T, play func(*house, *stumbling)) {
	t.Helper()
	s := &stumbling{}
	inHouse(t, func(h *house) {
		stock(h)
		h.engine = func(e store.Engine) store.Engine { s.Engine = e; return s }
	}, func(h *house) { play(h, s) })
}

// ended waits for the bot to end by itself, and returns with what.
func (h *house) ended() error {
	h.t.Helper()
	h.pass(10 * time.Second)
	err := h.stopBot()
	h.stopBot = nil
	return err
}

// TestUpdatesThatCannotBeStored: what is not on disk is not acknowledged, and handled by the next start.
func TestUpdatesThatCannotBeStored(t *testing.T) {
	t.Parallel()
	onStumbling(t, func(h *house, s *stumbling) {
		h.link(sam)
		s.full.Store(true)
		h.telegram.Send(sam, sam, "/language")
		if err := h.ended(); !errors.Is(err, errFull) {
			t.Errorf("the process ended with %v", err)
		}
		s.full.Store(false)
		h.start()
		h.see(sam, "language")
	})
}

// TestPanicCostsOneUpdate: whoever meets a defect is told that nothing was done, and everybody goes on.
func TestPanicCostsOneUpdate(t *testing.T) {
	t.Parallel()
	onStumbling(t, func(h *house, s *stumbling) {
		h.say(sam, "/start")
		s.panic.Store(true) // where it is judged how the update comes in
		h.say(sam, "/balance")
		h.see(sam, "No account is linked yet")
		h.link(sam)
		s.panic.Store(true) // where it is handled
		h.say(sam, "/balance")
		h.see(sam, "could not be handled")
		if strings.Contains(h.log.String(), "a defect with a secret in it") {
			t.Error("the value of a panic is in the log")
		}
		h.order(sam, "Play Card", "10 USD", "1")
		h.tap(sam, "✅")
		h.delivered(sam)
	})
}

// TestParkedAnswersItsMessage: what could not be handled is answered itself, at once: a message by a reply to it, a
// tap by the name of its button.
func TestParkedAnswersItsMessage(t *testing.T) {
	t.Parallel()
	onStumbling(t, func(h *house, s *stumbling) {
		h.link(sam)
		s.panic.Store(true)
		id := h.telegram.Send(sam, sam, "/balance")
		h.telegram.Send(sam, sam, "/orders")
		h.pass(2 * time.Second)
		if m := h.seeAny(sam, "This message could not be handled"); m.ReplyTo != id {
			t.Errorf("it answers message %d, not %d", m.ReplyTo, id)
		}
		h.say(sam, "/buy")
		m := h.see(sam, "Products")
		s.panic.Store(true)
		h.tap(sam, "Play Card")
		if m2 := h.seeAny(sam, "Your tap on Play Card could not be handled"); m2.ReplyTo != m.ID {
			t.Errorf("it answers message %d, not %d", m2.ReplyTo, m.ID)
		}
	})
}

// TestParkedTapOnABuyIsShown: a tap on ✅ that was not handled to its end may have bought: nothing is said of it but
// what its message shows.
func TestParkedTapOnABuyIsShown(t *testing.T) {
	t.Parallel()
	onStumbling(t, func(h *house, s *stumbling) {
		h.link(sam)
		h.order(sam, "Play Card", "10 USD", "1")
		h.see(sam, "Please check")
		h.telegram.Inject(tgsim.Fault{Method: "editmessagetext", Kind: tgsim.Page, Times: 4}) // the ✅ stays to be seen
		h.tap(sam, "✅")
		s.panic.Store(true)
		h.tap(sam, "✅")
		h.delivered(sam)
		for _, m := range h.telegram.Messages(sam) {
			if strings.Contains(m.Text, "could not be handled") {
				t.Errorf("it is told that nothing was charged: %s", m.Text)
			}
		}
		h.bought(1)
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
			inHouse(t, stock, func(h *house) {
				h.link(sam)
				before := len(h.telegram.Messages(sam))
				h.inStore(func(s *store.Store) {
					raw := []byte(`{"update_id":77,"message":{"message_id":1,"date":1,"text":"/balance","chat":{"id":502,"type":"private"},"from":{"id":502,"first_name":"Sam"}}}`)
					_, err := s.AddUpdates(t.Context(), []store.Incoming{{ID: 77, Chat: sam, Raw: raw, State: store.New, Attempts: 3, At: time.Now().Add(-c.age)}})
					h.must(err)
				})
				h.pass(time.Minute)
				all := h.telegram.Messages(sam)[before:]
				switch {
				case c.says == "" && len(all) > 0:
					t.Errorf("it is told late: %s", all[0].Text)
				case c.says != "" && (len(all) != 1 || !strings.Contains(all[0].Text, c.says)):
					t.Errorf("want %q, the chat is\n%s", c.says, h.transcript(sam))
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
			s := &stumbling{}
			inHouse(t, func(h *house) {
				stock(h)
				h.env["OWNER_CHAT_ID"] = "502" // Sam's
				h.engine = func(e store.Engine) store.Engine { s.Engine = e; return s }
			}, func(h *house) {
				h.link(sam)
				h.order(sam, "Play Card", "10 USD", "1")
				s.orders.Store(c.fails)
				s.poison.Store(c.panic)
				h.tap(sam, "✅")
				h.seeAny(sam, c.says)
				h.pass(20 * time.Second)
				alarms := strings.Count(h.texts(sam), "could not be written down")
				if want := map[bool]int{true: 1}[c.says == "Uncertain"]; alarms != want {
					t.Errorf("the operator is alarmed %d times, want %d\n%s", alarms, want, h.transcript(sam))
				}
				if strings.Contains(h.texts(sam), "Sending") {
					t.Errorf("it is still being sent:\n%s", h.transcript(sam))
				}
				h.bought(1)
				if strings.Contains(h.log.String(), "a defect with a secret in it") {
					t.Error("the value of a panic is in the log")
				}
				s.orders.Store(0)
				s.poison.Store(false)
			})
		})
	}
}

// TestNothingCanBeWrittenForAWhile: a purchase that cannot even be made uncertain is so as soon as that is possible,
// and its account goes on.
func TestNothingCanBeWrittenForAWhile(t *testing.T) {
	t.Parallel()
	onStumbling(t, func(h *house, s *stumbling) {
		h.link(sam)
		h.service.Inject(sim.Fault{Operation: sim.Spending, Kind: sim.Delay, Delay: 5 * time.Second, Times: 1})
		h.order(sam, "Play Card", "10 USD", "1")
		h.tap(sam, "✅")
		h.pass(2 * time.Second)
		s.bought.Store(6) // four tries to write the outcome, and two to write the least
		h.seeAny(sam, "Uncertain")
		if n := s.bought.Load(); n > 0 {
			t.Errorf("%d writes did not fail", n)
		}
		h.order(sam, "Play Card", "25 USD", "1")
		h.tap(sam, "✅")
		h.tapUnder("It waits for order #", "⏭")
		h.seeAny(sam, "Delivered")
		h.bought(2)
	})
}

// TestNothingCanBeReadForAMoment: what people write while the disk does not answer is answered when it does, in order.
func TestNothingCanBeReadForAMoment(t *testing.T) {
	t.Parallel()
	onStumbling(t, func(h *house, s *stumbling) {
		h.link(sam)
		s.unreadable.Store(true)
		h.telegram.Send(sam, sam, "/buy")
		h.pass(time.Second)
		h.telegram.Send(sam, sam, "/language")
		h.pass(6 * time.Second)
		s.unreadable.Store(false)
		h.see(sam, "language")
		h.seeAny(sam, "Products")
		if strings.Contains(h.transcript(sam), "could not be handled") {
			t.Errorf("it is given up:\n%s", h.transcript(sam))
		}
	})
}

// TestOutageOfTelegramIsWaitedFor: polls that fail become rarer.
func TestOutageOfTelegramIsWaitedFor(t *testing.T) {
	t.Parallel()
	inHouse(t, stock, func(h *house) {
		h.say(sam, "/start")
		h.telegram.Inject(tgsim.Fault{Method: "getupdates", Kind: tgsim.Page, Times: 40})
		h.telegram.Send(sam, sam, "/language")
		h.pass(time.Minute)
		if n := strings.Count(h.log.String(), "getUpdates failed"); n < 5 || n > 20 {
			t.Errorf("%d polls in a minute in which none can succeed", n)
		}
		h.telegram.ClearFaults()
		h.see(sam, "language")
	})
}

// TestRefusedTokenEndsTheProcess: with a token that Telegram does not know any more there is nothing to wait for.
func TestRefusedTokenEndsTheProcess(t *testing.T) {
	t.Parallel()
	inHouse(t, stock, func(h *house) {
		h.say(sam, "/start")
		h.telegram.Inject(tgsim.Fault{Method: "getupdates", Kind: tgsim.Broken, Code: 401, Times: 1000})
		h.telegram.Send(sam, sam, "/language") // ends the poll that is under way
		if err := h.ended(); !errors.Is(err, conversations.ErrToken) {
			t.Errorf("the process ended with %v", err)
		}
	})
}

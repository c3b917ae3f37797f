package main

import (
	"context"
	"errors"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"resellerbot/internal/conversations"
	"resellerbot/internal/conversations/tgsim"
	"resellerbot/internal/store"
)

// stumbling is an engine that fails, or panics once.
type stumbling struct {
	store.Engine

	full  atomic.Bool // no update can be taken; everything else goes on
	panic atomic.Bool // the next look at where somebody stands panics
}

var errFull = errors.New("no space left on device")

// Batch implements store.Engine.
func (s *stumbling) Batch(ctx context.Context, fn func(store.RecordTx) error) error {
	return s.Engine.Batch(ctx, func(tx store.RecordTx) error { return fn(stumblingTx{tx, s}) })
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
	return s.RecordTx.Put(r)
}

// Get implements store.Engine.
func (s *stumbling) Get(ctx context.Context, k store.Kind, key string) (store.Record, error) {
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
	onStumbling(t, func(h *house, s *stumbling) {
		h.say(sam, "/start")
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
	onStumbling(t, func(h *house, s *stumbling) {
		h.say(sam, "/start")
		s.panic.Store(true)
		h.say(sam, "/balance")
		h.see(sam, "could not be handled")
		if strings.Contains(h.log.String(), "a defect with a secret in it") {
			t.Error("the value of a panic is in the log")
		}
		h.link(sam)
		h.order(sam, "Play Card", "10 USD", "1")
		h.tap(sam, "✅")
		h.delivered(sam)
	})
}

// TestOutageOfTelegramIsWaitedFor: polls that fail become rarer.
func TestOutageOfTelegramIsWaitedFor(t *testing.T) {
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
	inHouse(t, stock, func(h *house) {
		h.say(sam, "/start")
		h.telegram.Inject(tgsim.Fault{Method: "getupdates", Kind: tgsim.Broken, Code: 401, Times: 1000})
		h.telegram.Send(sam, sam, "/language") // ends the poll that is under way
		if err := h.ended(); !errors.Is(err, conversations.ErrToken) {
			t.Errorf("the process ended with %v", err)
		}
	})
}

package apptest

import (
	"context"
	"errors"
	"sync/atomic"

	"resellerbot/internal/store"
)

// FailingEngine is an engine that fails, or panics once.
type FailingEngine struct {
	store.Engine

	Full       atomic.Bool  // no update can be taken; everything else goes on
	Panic      atomic.Bool  // the next turn of an update panics
	PanicEarly atomic.Bool  // the next look at where somebody stands panics
	Orders     atomic.Int32 // so many orders cannot be written
	Poison     atomic.Bool  // writing an order panics
	Bought     atomic.Int32 // so many purchases cannot be written
	Alerts     atomic.Int32 // so often what a chat was alerted of cannot be written
	Unreadable atomic.Bool  // sessions cannot be read
}

// ErrFull is what a full disk says.
var ErrFull = errors.New("no space left on device")

// Batch implements store.Engine.
func (s *FailingEngine) Batch(ctx context.Context, fn func(store.RecordTx) error) error {
	return s.Engine.Batch(ctx, func(tx store.RecordTx) error { return fn(failingTx{tx, s}) })
}

// Update implements store.Engine.
func (s *FailingEngine) Update(ctx context.Context, fn func(store.RecordTx) error) error {
	return s.Engine.Update(ctx, func(tx store.RecordTx) error { return fn(failingTx{tx, s}) })
}

// failingTx is one transaction of its work.
type failingTx struct {
	store.RecordTx

	engine *FailingEngine
}

// Put implements store.RecordTx.
func (s failingTx) Put(r store.Record) (uint64, error) {
	if r.Kind == store.KindInbox && s.engine.Full.Load() {
		return 0, ErrFull
	}
	if r.Kind == store.KindOrder && s.engine.Poison.Load() {
		panic("a defect with a secret in it")
	}
	if r.Kind == store.KindPurchase && s.engine.Bought.Add(-1) >= 0 {
		return 0, store.ErrConflict
	}
	if r.Kind == store.KindOrder && s.engine.Orders.Add(-1) >= 0 {
		return 0, store.ErrConflict
	}
	if r.Kind == store.KindAlerts && s.engine.Alerts.Add(-1) >= 0 {
		return 0, ErrFull
	}
	return s.RecordTx.Put(r)
}

// Get implements store.Engine.
func (s *FailingEngine) Get(ctx context.Context, k store.Kind, key string) (store.Record, error) {
	if k == store.KindSession && s.Unreadable.Load() {
		return store.Record{}, ErrFull
	}
	if k == store.KindSession && s.PanicEarly.CompareAndSwap(true, false) {
		panic("a defect with a secret in it")
	}
	return s.Engine.Get(ctx, k, key)
}

// Same implements store.Comparer: a turn begins with it.
func (s *FailingEngine) Same(ctx context.Context, records ...store.Record) (bool, error) {
	if s.Panic.CompareAndSwap(true, false) {
		panic("a defect with a secret in it")
	}
	return store.Same(ctx, s.Engine, records...)
}

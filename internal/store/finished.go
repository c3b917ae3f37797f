package store

import (
	"context"
	"sync"
	"time"
)

// finishWithin is the longest wait of a handled update for a commit that it can share.
const finishWithin = 50 * time.Millisecond

// finished holds the ids of updates that are handled, while nothing on disk says so yet. An update whose flow changed nothing has only
// that to be written: its id waits here for the next transaction that writes another update as handled, and goes with it, so that most
// updates cost one commit. Where no such transaction comes within finishWithin, the ids get a commit of their own. If the process dies
// before that, their updates are handled again at the next start, as after any death between an answer and its commit.
//
// The order of updates is kept: a transaction that writes an update as handled writes all that wait here too, so that none of them is handled
// again behind a later one.
type finished struct {
	mu      sync.Mutex
	ids     []int64
	timer   *time.Timer  // starts commit; nil where no commit is planned
	commit  func() error // writes all ids
	closed  bool         // no commit is planned any more: the store closes, or a commit has failed
	commits sync.WaitGroup
}

// add appends ids and plans a commit within finishWithin, unless one is planned. After close nothing is planned.
func (f *finished) add(ids []int64, commit func() error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.ids, f.commit = append(f.ids, ids...), commit
	if len(f.ids) == 0 || f.timer != nil || f.closed {
		return
	}
	f.commits.Add(1)
	f.timer = time.AfterFunc(finishWithin, func() {
		defer f.commits.Done()
		f.mu.Lock()
		f.timer = nil
		idle := f.closed || len(f.ids) == 0
		f.mu.Unlock()
		// A failed commit ends the process, and the next start handles these updates again.
		if !idle && commit() != nil {
			f.close()
		}
	})
}

// drain empties the list and returns what was in it.
func (f *finished) drain() (ids []int64) {
	f.mu.Lock()
	defer f.mu.Unlock()
	ids, f.ids = f.ids, nil
	return ids
}

// close cancels the planned commit and plans none from now on. It returns the last commit, which the caller runs; nil where no id
// waits or close was called before.
func (f *finished) close() (commit func() error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if !f.closed && len(f.ids) > 0 {
		commit = f.commit
	}
	f.closed = true
	if f.timer != nil && f.timer.Stop() {
		f.timer = nil
		f.commits.Done()
	}
	return commit
}

// FinishUpdate notes that an update is handled, of which nothing else is to be written (Tx.UpdateDone). Where other processes
// write too that is on disk when it returns; else within 50 ms, or when the store is closed.
func (s *Store) FinishUpdate(ctx context.Context, id int64) error {
	if !s.engine.Alone() {
		return s.Batch(ctx, func(tx *Tx) error { return tx.UpdateDone(id) })
	}
	s.finish(ctx, id)
	return nil
}

// finish adds updates to those that wait for a commit.
func (s *Store) finish(ctx context.Context, ids ...int64) {
	ctx = context.WithoutCancel(ctx)
	s.finished.add(ids, func() error {
		return s.Batch(ctx, func(tx *Tx) error { return tx.writeFinished() })
	})
}

// drained is what one transaction has drained of finished. The engine may run a transaction several times, and only the last run is committed, while
// draining cannot be taken back: so what any run drains is kept for those behind it, and for finish where the transaction fails.
type drained struct {
	ids   []int64 // of all runs
	again bool    // this run has still to write what the runs before it have drained
}

// run tells that the transaction is run, for the first time or once more.
func (d *drained) run() *drained {
	d.again = true
	return d
}

// writeFinished writes all updates that wait as handled, in this transaction.
func (t *Tx) writeFinished() error {
	ids := t.finished.drain()
	t.drained.ids = append(t.drained.ids, ids...)
	if t.drained.again {
		t.drained.again, ids = false, t.drained.ids
	}
	for _, id := range ids {
		if err := t.updateDone(id); err != nil {
			return err
		}
	}
	return nil
}

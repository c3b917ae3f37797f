package store

import (
	"context"
	"sync"
	"time"
)

// finishWithin is the longest wait of a handled update for a commit that it can share.
const finishWithin = 50 * time.Millisecond

// finished holds the ids of handled updates of which nothing is left to write but that they are handled. They wait for the next
// unit that ends another update and are written with it, so that most updates cost one commit. Where no such unit comes within
// finishWithin, they get a commit of their own. If the process dies before that commit, the updates are handled again at the next
// start, as after any death between an answer and its commit.
//
// The order of updates is kept: a unit that ends an update ends all that wait here too, so that none of them is handled again behind
// a later one.
type finished struct {
	mu      sync.Mutex
	ids     []int64
	timer   *time.Timer  // starts commit; nil where no commit is planned
	commit  func() error // writes all ids
	over    bool         // no commit is planned any more: the store closes, or a commit has failed
	commits sync.WaitGroup
}

// add appends ids and plans a commit within finishWithin, unless one is planned. After end nothing is planned.
func (f *finished) add(ids []int64, commit func() error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.ids, f.commit = append(f.ids, ids...), commit
	if len(f.ids) == 0 || f.timer != nil || f.over {
		return
	}
	f.commits.Add(1)
	f.timer = time.AfterFunc(finishWithin, func() {
		defer f.commits.Done()
		f.mu.Lock()
		f.timer = nil
		idle := f.over || len(f.ids) == 0
		f.mu.Unlock()
		// A failed commit ends the process, and the next start handles these updates again.
		if !idle && commit() != nil {
			f.end()
		}
	})
}

// take empties the list and returns what was in it.
func (f *finished) take() (ids []int64) {
	f.mu.Lock()
	defer f.mu.Unlock()
	ids, f.ids = f.ids, nil
	return ids
}

// end cancels the planned commit and plans none from now on. It returns the last commit, which the caller runs; nil where no id waits
// or end was called before.
func (f *finished) end() (commit func() error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if !f.over && len(f.ids) > 0 {
		commit = f.commit
	}
	f.over = true
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
		return s.Batch(ctx, func(tx *Tx) error { return tx.endFinished() })
	})
}

// endFinished ends all waiting updates in this unit. A unit may run more than once: the ids that an earlier run has taken are in ended,
// and are written again by the next one.
func (t *Tx) endFinished() error {
	fresh := t.finished.take()
	*t.ended = append(*t.ended, fresh...)
	if !t.ends { // the first call of this run
		t.ends, fresh = true, *t.ended
	}
	for _, id := range fresh {
		if err := t.updateDone(id); err != nil {
			return err
		}
	}
	return nil
}

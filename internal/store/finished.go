package store

import (
	"context"
	"sync"
	"time"
)

// finishWithin is how long what is handled may wait for a commit that it can share.
const finishWithin = 50 * time.Millisecond

// finished are updates that were handled with nothing to be written but that. Where others come, the commit that keeps those
// ends these too, so that an update costs one; where none does, they have a commit of their own soon. A process that dies before
// is one that has died between the answer and its commit: the update is handled once more.
//
// Nothing overtakes them: a unit that ends an update ends these with it, so that none of them comes again behind it.
type finished struct {
	mu      sync.Mutex
	ids     []int64
	timer   *time.Timer // of their own commit; nil: none is to come
	commit  func() error
	over    bool // no commit is to come any more: the store closes, or one has failed
	commits sync.WaitGroup
}

// add takes updates up, and has commit called soon, or by whoever ends.
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
		// A commit that fails ends the process, and they come again.
		if !idle && commit() != nil {
			f.end()
		}
	})
}

// take hands on all that wait.
func (f *finished) take() (ids []int64) {
	f.mu.Lock()
	defer f.mu.Unlock()
	ids, f.ids = f.ids, nil
	return ids
}

// end has no commit come any more but the one that it returns, where some are left that could have one; else nil.
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

// finish keeps updates for the next unit that ends others, and sees to it that one comes.
func (s *Store) finish(ctx context.Context, ids ...int64) {
	ctx = context.WithoutCancel(ctx)
	s.finished.add(ids, func() error {
		return s.Batch(ctx, func(tx *Tx) error { return tx.endFinished() })
	})
}

// endFinished ends, with this unit, all updates that wait for one.
func (t *Tx) endFinished() error {
	fresh := t.finished.take()
	*t.ended = append(*t.ended, fresh...)
	if !t.ends { // this run has ended none of those yet that an earlier one has taken
		t.ends, fresh = true, *t.ended
	}
	for _, id := range fresh {
		if err := t.updateDone(id); err != nil {
			return err
		}
	}
	return nil
}

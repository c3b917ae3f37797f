package store

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// AddUpdates puts updates on disk and returns those that were not known yet, in their order. Only then
// may they be acknowledged to Telegram.
func (s *Store) AddUpdates(ctx context.Context, updates []Incoming) (fresh []Incoming, err error) {
	err = s.Batch(ctx, func(tx *Tx) error {
		// A batch may run again: what an earlier run has found is dropped.
		fresh = fresh[:0]
		for _, in := range updates {
			err := tx.takeUpdate(in)
			if errors.Is(err, ErrConflict) {
				continue // it was taken before
			}
			if err != nil {
				return err
			}
			fresh = append(fresh, in)
		}
		return tx.writeFinished()
	})
	return fresh, err
}

// takeUpdate puts an update on disk; ErrConflict where it was taken before. Nothing is read for that: both of its records are new,
// or one of them is there. Its id goes first, which stays when the update is handled.
func (t *Tx) takeUpdate(in Incoming) error {
	if err := t.markTaken(in.ID); err != nil {
		return err
	}
	in.rev = 0
	return inbox().put(t, &in)
}

// UpdateDone notes that an update is handled: its text goes, its id stays for two days from when it was taken. Doing so
// twice changes nothing.
func (t *Tx) UpdateDone(id int64) error {
	if err := t.writeFinished(); err != nil {
		return err
	}
	return t.updateDone(id)
}

// updateDone is UpdateDone of this one alone.
func (t *Tx) updateDone(id int64) error {
	key := number(id)
	t.want(updateKeys(id)...)
	r, err := t.records.Get(KindInbox, key)
	if errors.Is(err, ErrNotFound) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("finish update %d: %w", id, err)
	}
	if err := t.records.Delete(r); err != nil {
		return fmt.Errorf("finish update %d: %w", id, err)
	}
	// It is there, unless a program has taken the update that noted its id only now.
	return ignoring(t.markTaken(id), ErrConflict)
}

// markTaken notes the id of an update; ErrConflict where it is noted.
func (t *Tx) markTaken(id int64) error {
	_, err := t.records.Put(Record{Kind: KindSeen, Key: number(id), Value: []byte{valueFormat}, Due: time.Now().Add(seenFor)})
	return err
}

// PendingUpdates lists the updates that are not handled yet, by id, from behind the one named after.
// Parked ones are left out.
func (s *Store) PendingUpdates(ctx context.Context, after int64, limit int) ([]Incoming, error) {
	from := ""
	if after != 0 {
		from = number(after)
	}
	for {
		page, err := list(ctx, s, inbox(), "", from, limit)
		if err != nil {
			return nil, err
		}
		var waiting []Incoming
		for _, in := range page {
			if in.State == New {
				waiting = append(waiting, in)
			}
			from = number(in.ID)
		}
		if len(waiting) > 0 || len(page) < limit {
			return waiting, nil
		}
	}
}

// UndoneUpdate reads an update that is not done. ErrNotFound where there is none.
func (s *Store) UndoneUpdate(ctx context.Context, id int64) (Incoming, error) {
	return read(ctx, s, inbox(), number(id))
}

// CountTry notes one more try at an update and returns how many there were.
func (s *Store) CountTry(ctx context.Context, id int64) (attempts int, err error) {
	err = s.changeUpdate(ctx, id, func(in *Incoming) {
		in.Tries++
		attempts = in.Tries
	})
	return attempts, err
}

// ParkUpdate puts an update that cannot be handled aside, for a person to look at. It reports whether there was one:
// what is done stays done.
func (t *Tx) ParkUpdate(id int64) (in Incoming, parked bool, err error) {
	if in, err = inbox().get(t, number(id)); err != nil {
		return in, false, ignoring(err, ErrNotFound)
	}
	in.State = Parked
	return in, true, inbox().put(t, &in)
}

// ParkedUpdate reads an update that was put aside. ErrNotFound where there is none, or it is not aside any more.
func (t *Tx) ParkedUpdate(id int64) (Incoming, error) {
	in, err := inbox().get(t, number(id))
	if err == nil && in.State != Parked {
		err = fmt.Errorf("parked update %d: %w", id, ErrNotFound)
	}
	return in, err
}

// PutUpdate writes an update that was read.
func (t *Tx) PutUpdate(in *Incoming) error { return inbox().put(t, in) }

// changeUpdate changes an update that is not done. One that is done is left alone.
func (s *Store) changeUpdate(ctx context.Context, id int64, change func(*Incoming)) error {
	return s.Batch(ctx, func(tx *Tx) error {
		in, err := inbox().get(tx, number(id))
		if err != nil {
			return ignoring(err, ErrNotFound)
		}
		change(&in)
		return inbox().put(tx, &in)
	})
}

// PruneUpdates forgets up to limit ids of updates that were handled two days ago, and returns how many.
func (s *Store) PruneUpdates(ctx context.Context, now time.Time, limit int) (int, error) {
	// A claim serves as the list: it is the only read by due time. The ids are deleted with the versions that it gave them.
	old, err := s.engine.Claim(ctx, KindSeen, now, time.Hour, limit)
	if err != nil || len(old) == 0 {
		return 0, err
	}
	err = s.engine.Batch(ctx, func(tx RecordTx) error {
		for _, r := range old {
			if err := ignoring(tx.Delete(r), ErrNotFound); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return 0, fmt.Errorf("prune the inbox: %w", err)
	}
	return len(old), nil
}

// ParkedUpdates lists updates that were put aside, by id.
func (s *Store) ParkedUpdates(ctx context.Context, limit int) (parked []Incoming, err error) {
	const page = 500
	for from := ""; ; {
		rows, err := list(ctx, s, inbox(), "", from, page)
		if err != nil {
			return nil, err
		}
		for _, in := range rows {
			from = number(in.ID)
			if in.State != Parked {
				continue
			}
			if parked = append(parked, in); len(parked) == limit {
				return parked, nil
			}
		}
		if len(rows) < page {
			return parked, nil
		}
	}
}

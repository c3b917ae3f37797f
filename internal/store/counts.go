package store

import (
	"context"
	"time"

	"resellerbot/internal/ledger"
)

// Count is that somebody has counted the cash of a counter, which waits for an owner.
type Count struct {
	Book    string
	Counter string
	Shift   uint64
	Counted ledger.Money
	Leave   ledger.Money // in the till
	By      int64
	At      time.Time
	Mark    ledger.Mark `json:",omitzero"` // the drawer at that moment; none where it was counted before marks were made
	rev     uint64
}

func counts() codec[Count] {
	return codec[Count]{kind: KindBookCount, key: func(c *Count) string { return c.Book + "/" + c.Counter }, rev: func(c *Count) *uint64 { return &c.rev }}
}

// Counts lists the counts of a book that wait for an owner.
func (s *Store) Counts(ctx context.Context, book string) ([]Count, error) {
	return list(ctx, s, counts(), book+"/", "", 1000)
}

// Count reads the count of a counter that waits for an owner. ErrNotFound.
func (t *Tx) Count(book, counter string) (Count, error) { return counts().get(t, book+"/"+counter) }

// PutCount has a count wait for an owner, in the place of one of the same counter.
func (t *Tx) PutCount(c Count) error {
	old, err := t.Count(c.Book, c.Counter)
	if c.rev = old.rev; ignoring(err, ErrNotFound) != nil {
		return err
	}
	return counts().put(t, &c)
}

// EndCount has a count wait no more.
func (t *Tx) EndCount(c Count) error { return counts().remove(t, &c) }

package reports

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"time"

	"resellerbot/internal/ledger"
	"resellerbot/internal/screen"
	"resellerbot/internal/store"
)

// boardEvery is how long a board is left as it is: what happens meanwhile is one edit.
// A little less than the minute between two runs of its job (app/build.go): a run that comes early is not passed over.
const boardEvery = 50 * time.Second

// Boards queues the board of each shop that has one, where it shows something else by now. What cannot be read does not keep
// others from theirs.
func Boards(ctx context.Context, s *store.Store, now time.Time) error {
	return eachBook(ctx, s, "board", func(b ledger.Book) error { return board(ctx, s, b, now) })
}

// board is Boards for one book.
func board(ctx context.Context, s *store.Store, b ledger.Book, now time.Time) error {
	d, err := s.Desk(ctx, b.ID)
	if err != nil || d.Board == nil || now.Sub(d.Board.At) < boardEvery {
		return err
	}
	a, err := s.Account(ctx, b.ID)
	if err != nil {
		return err
	}
	if !a.ShowsBoard(d.Board.Chat) { // its owner is none any more, or the group is another shop's
		return s.Update(ctx, func(tx *store.Tx) error { return tx.SetBoard(b.ID, nil) })
	}
	shows, mark, err := boardView(ctx, s, a, b, now)
	// The mark is of what was queued, not of what was delivered: the row in the outbox sees to the rest.
	if err != nil || mark == d.Board.Mark {
		return err
	}
	return s.Update(ctx, func(tx *store.Tx) error {
		d, err := tx.Desk(b.ID)
		if err != nil || d.Board == nil {
			return err
		}
		// A copy of what is stored now: its message, or its place, may have been set while the day was read.
		next := *d.Board
		next.Mark, next.At = mark, now
		d.Board = &next
		return errors.Join(tx.Enqueue(store.BoardRow(b.ID, next, shows)), tx.PutDesk(&d))
	})
}

// boardView is what a board shows, and a mark of that without the time.
func boardView(ctx context.Context, s *store.Store, a store.Account, b ledger.Book, now time.Time) (shows, mark string, err error) {
	today := b.Today(now)
	rep, err := Of(ctx, s, a, RangeOf(screen.ReportDay, today), 0, now)
	if err != nil {
		return "", "", err
	}
	v := screen.BoardOf(rep, a.Open)
	bare, err := json.Marshal(v)
	if err != nil {
		return "", "", err
	}
	// Before the time is set: a board on which nothing happened is not edited for its clock. Eight bytes do, for they are compared with the
	// last mark alone.
	sum := sha256.Sum256(bare)
	v.At = now
	text, err := json.Marshal(v)
	return string(text), hex.EncodeToString(sum[:8]), err
}

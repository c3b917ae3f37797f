package reports

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"resellerbot/internal/ledger"
	"resellerbot/internal/screen"
	"resellerbot/internal/store"
)

const booksRead = 200 // in one read

// Send queues the day's report for the owners of each shop whose hour has come. What cannot be reported does not keep others
// from theirs.
func Send(ctx context.Context, s *store.Store, now time.Time) error {
	return eachBook(ctx, s, "report", func(b ledger.Book) error { return send(ctx, s, b, now) })
}

// eachBook does something for the books of every shop. One that fails keeps no other from theirs; what says what was done.
func eachBook(ctx context.Context, s *store.Store, what string, do func(ledger.Book) error) error {
	var errs []error
	// Each book is a matter of its own, with its own transaction: a run that is cut short has done those before.
	for after := ""; ; {
		page, err := s.AllBooks(ctx, after, booksRead)
		if err != nil {
			return errors.Join(append(errs, err)...)
		}
		for _, b := range page {
			after = b.ID
			if err := do(b); err != nil {
				errs = append(errs, fmt.Errorf("%s of account %s: %w", what, b.ID, err))
			}
		}
		if len(page) < booksRead {
			return errors.Join(errs...)
		}
	}
}

// send is Send for one book. A day is reported once.
func send(ctx context.Context, s *store.Store, b ledger.Book, now time.Time) error {
	d, err := s.Desk(ctx, b.ID)
	// By the book's clock, whose day may begin in the night. Example: with a CutOff of 240 minutes 02:00 belongs to the day before.
	today := b.Today(now)
	if err != nil || d.ReportAt == 0 || d.Reported >= today || !b.Reached(d.ReportAt, now) {
		return err
	}
	a, err := s.Account(ctx, b.ID)
	if err != nil {
		return err
	}
	// Read before the transaction, as it folds many entries. A sale in between is not in this report.
	v, err := Of(ctx, s, a, RangeOf(screen.ReportDay, today), 0, now)
	if err != nil {
		return err
	}
	figures, err := json.Marshal(v)
	if err != nil {
		return err
	}
	return s.Update(ctx, func(tx *store.Tx) error {
		d, err := tx.Desk(b.ID)
		// Asked again, in the transaction that writes: the desk above was read before the figures were.
		if err != nil || d.Reported >= today {
			return err
		}
		a, err := tx.Account(b.ID)
		if err != nil {
			return err
		}
		chats := a.PrivateChats(store.Owner)
		if a.Place != nil { // whether it is to hear of that is looked at when it goes out
			chats = append(chats, a.Place.Chat)
		}
		for _, chat := range chats {
			// The book is in the id: an owner of two shops hears of each. The figures travel along: they are those of the hour, however
			// late it is delivered.
			note := store.NewNote(chat, "report."+string(today)+"."+b.ID, store.ReportNote, map[string]string{"figures": string(figures), store.AboutArg: a.ID})
			note.Priority = store.AlertPriority
			if err := tx.Enqueue(note); err != nil {
				return err
			}
		}
		// Also where no chat was to be told: the day is not folded again at each run.
		d.Reported = today
		return tx.PutDesk(&d)
	})
}

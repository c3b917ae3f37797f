package store

import (
	"context"

	"resellerbot/internal/ledger"
)

// Desk is how a shop wants to be told of its books, and how it shows itself to its customers.
type Desk struct {
	Book     string
	Name     string     // of the shop, for its customers; empty for that of the account; hostile text
	Phone    string     // hostile text
	Logo     []byte     `json:"-"` // a small PNG that the bot has drawn; none where there is none; sealed at rest
	Language string     // of receipts and price lists
	ReportAt int        // minutes after midnight at which the day is reported; 0 for never
	Reported ledger.Day // the last day that was
	ListAt   int        `json:",omitempty"` // minutes after midnight at which the price list is sent; 0 for never
	Listed   ledger.Day `json:",omitempty"` // the last day that it was
	List     []int64    `json:",omitempty"` // the products on it; none for all that have a price
	ListForm string     `json:",omitempty"` // how it was shown last; package screen names the forms
	Board    *Board     `json:",omitempty"` // the message that shows the day; nil for none
	rev      uint64
}

func desks() codec[Desk] {
	return codec[Desk]{
		kind: KindBookDesk,
		key:  func(d *Desk) string { return d.Book },
		rev:  func(d *Desk) *uint64 { return &d.rev },
		secrets: []field[Desk]{
			jsonField("logo", func(d *Desk) *[]byte { return &d.Logo }, func(d *Desk) bool { return len(d.Logo) == 0 }),
		},
	}
}

// Desk reads how a shop shows itself; an empty one where it has not said.
func (s *Store) Desk(ctx context.Context, account string) (Desk, error) {
	d, err := read(ctx, s, desks(), bookID(account))
	return d, ignoring(err, ErrNotFound)
}

// Desk reads how a shop shows itself; an empty one where it has not said.
func (t *Tx) Desk(account string) (Desk, error) {
	d, err := desks().get(t, bookID(account))
	if err = ignoring(err, ErrNotFound); d.Book == "" {
		d.Book = bookID(account)
	}
	return d, err
}

// PutDesk writes how a shop shows itself.
func (t *Tx) PutDesk(d *Desk) error { return desks().put(t, d) }

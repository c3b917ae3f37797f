package store

import (
	"context"

	"resellerbot/internal/api/dzd"
)

// Costs is what the service asked, when it was looked at last, for what a shop has prices of its own for.
type Costs struct {
	Book string
	Seen map[string]dzd.Amount // by what package notify calls each item; none that was never seen
	rev  uint64
}

func costs() codec[Costs] {
	return codec[Costs]{kind: KindBookCosts, key: func(c *Costs) string { return c.Book }, rev: func(c *Costs) *uint64 { return &c.rev }}
}

// Costs reads what the service asked when it was looked at last; nothing where it never was.
func (s *Store) Costs(ctx context.Context, account string) (Costs, error) {
	c, err := read(ctx, s, costs(), bookID(account))
	return c, ignoring(err, ErrNotFound)
}

// Costs reads what the service asked when it was looked at last; nothing where it never was.
func (t *Tx) Costs(account string) (Costs, error) {
	c, err := costs().get(t, bookID(account))
	if err = ignoring(err, ErrNotFound); c.Book == "" {
		c.Book = bookID(account)
	}
	return c, err
}

// PutCosts writes what the service asks.
func (t *Tx) PutCosts(c *Costs) error { return costs().put(t, c) }

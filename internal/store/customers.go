package store

import (
	"context"
	"slices"
	"time"

	"resellerbot/internal/ledger"
	"resellerbot/internal/secret"
)

const mostPlays = 12 // players of one customer

// Usual is what a customer usually takes.
type Usual struct {
	Goods

	Quantity int
	Answers  []Answer
}

// Customer is somebody who buys from a shop. The journal knows the id alone: who is forgotten leaves the sums as they are.
type Customer struct {
	Book     string
	ID       string
	Name     secret.Text `json:"-"` // sealed at rest; hostile text
	Phone    secret.Text `json:"-"` // sealed at rest; hostile text
	Players  []Player    `json:"-"` // whom they have topped up; sealed at rest
	Note     secret.Text `json:"-"` // sealed at rest; hostile text
	Usual    *Usual      `json:"-"` // what they usually take; nil where that is not known; sealed at rest
	Language string
	Limit    ledger.Money // that they may owe; 0 for none
	Remind   int          // the day of the month on which they pay; 0 for none
	Reminded time.Time    // when a reminder was last made
	Bought   time.Time    // when they last bought
	Forgot   bool         // their name is gone
	rev      uint64
}

func customers() codec[Customer] {
	return codec[Customer]{
		kind: KindCustomer,
		key:  func(c *Customer) string { return c.Book + "/" + c.ID },
		rev:  func(c *Customer) *uint64 { return &c.rev },
		secrets: []field[Customer]{
			textField("name", func(c *Customer) *secret.Text { return &c.Name }),
			textField("phone", func(c *Customer) *secret.Text { return &c.Phone }),
			textField("note", func(c *Customer) *secret.Text { return &c.Note }),
			jsonField("players", func(c *Customer) *[]Player { return &c.Players }, func(c *Customer) bool { return len(c.Players) == 0 }),
			jsonField("usual", func(c *Customer) **Usual { return &c.Usual }, func(c *Customer) bool { return c.Usual == nil }),
		},
	}
}

// Plays reports whether a customer is a player.
func (c *Customer) Plays(p Player) bool {
	return slices.ContainsFunc(c.Players, func(q Player) bool { return q.Game == p.Game && q.ID == p.ID })
}

// AddPlayer notes that a customer is a player, and what was bought for them last.
func (c *Customer) AddPlayer(p Player, usual *Usual) {
	p.Was, p.Facts = nil, nil
	others := slices.DeleteFunc(slices.Clone(c.Players), func(q Player) bool { return q.Game == p.Game && q.ID == p.ID })
	c.Players = append([]Player{p}, others...)
	c.Players = c.Players[:min(len(c.Players), mostPlays)]
	c.Usual = usual
}

// RemoveCustomer forgets a customer for good. One whom the books know leaves a record there that says nothing of who it was.
func (t *Tx) RemoveCustomer(book, id string) error {
	c, err := t.Customer(book, id)
	if err != nil {
		return ignoring(err, ErrNotFound)
	}
	if !c.Bought.IsZero() || c.Limit != 0 {
		return t.ForgetCustomer(book, id)
	}
	return customers().remove(t, &c)
}

// Customer reads a customer of a book. ErrNotFound.
func (s *Store) Customer(ctx context.Context, book, id string) (Customer, error) {
	return read(ctx, s, customers(), book+"/"+id)
}

// Customers lists the customers of a book, from behind one.
func (s *Store) Customers(ctx context.Context, book, after string, limit int) ([]Customer, error) {
	if after != "" {
		after = book + "/" + after
	}
	return list(ctx, s, customers(), book+"/", after, limit)
}

// Customer reads a customer of a book. ErrNotFound.
func (t *Tx) Customer(book, id string) (Customer, error) { return customers().get(t, book+"/"+id) }

// PutCustomer writes a customer.
func (t *Tx) PutCustomer(c *Customer) error { return customers().put(t, c) }

// ForgetCustomer forgets who a customer is. What they owe, and have bought, stays under a name that says nothing.
func (t *Tx) ForgetCustomer(book, id string) error {
	c, err := t.Customer(book, id)
	if err != nil {
		return ignoring(err, ErrNotFound)
	}
	c = Customer{Book: c.Book, ID: c.ID, Name: secret.New(Masked), Limit: c.Limit, Bought: c.Bought, Forgot: true, rev: c.rev}
	return t.PutCustomer(&c)
}

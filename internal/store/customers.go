package store

import (
	"slices"
)

const mostPlays = 12 // players of one customer

// Usual is what a customer usually takes.
type Usual struct {
	Goods
	Quantity int
	Answers  []Answer
}

// Plays reports whether a customer is a player.
func (c *Customer) Plays(p Player) bool {
	return slices.ContainsFunc(c.Players, func(q Player) bool { return q.Game == p.Game && q.ID == p.ID })
}

// Take notes that a customer is a player, and what was bought for them last.
func (c *Customer) Take(p Player, usual *Usual) {
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

package conversations

import (
	"cmp"
	"errors"
	"slices"
	"strings"

	"resellerbot/internal/api"
	"resellerbot/internal/ledger"
	"resellerbot/internal/screen"
	"resellerbot/internal/search"
	"resellerbot/internal/store"
)

const (
	flowCustomer = "customer"
	stepName     = "name"
	stepNote     = "note"
	stepNew      = "new"

	mostCustomerName = 40                   // characters
	mostNameBytes    = 3 * mostCustomerName // of Arabic a letter is two bytes, and no name is longer than this
	mostCustomerNote = 300                  // characters
	mostCustomers    = 1000
	customersRead    = 200 // in one read
)

// customers are those of the account, by name. Who was forgotten is none.
func (t *turn) customers() (all []store.Customer, err error) {
	after := ""
	for len(all) < mostCustomers {
		page, err := t.cfg.Store.Customers(t.ctx, t.shop.ID, after, customersRead)
		if err != nil {
			return nil, err
		}
		for _, c := range page {
			if after = c.ID; !c.Forgot {
				all = append(all, c)
			}
		}
		if len(page) < customersRead {
			break
		}
	}
	// Names are sealed in the store, and cannot be sorted or searched there: all of them are read.
	slices.SortFunc(all, func(a, b store.Customer) int {
		return cmp.Or(strings.Compare(search.Fold(a.Name.Reveal()), search.Fold(b.Name.Reveal())), strings.Compare(a.ID, b.ID))
	})
	return all, nil
}

// command is /customers: all of them, or those that the words behind it find.
func (t customerFlow) command(words string) error {
	t.leave()
	if _, _, ok, err := t.account(); err != nil || !ok {
		return err
	}
	return t.list(strings.TrimSpace(words), 0)
}

// list shows a page of the customers that hold all words; a single one is opened.
func (t customerFlow) list(words string, page int) error {
	all, err := t.customers()
	if err != nil {
		return err
	}
	found := holding(all, words)
	if len(found) == 1 && words != "" {
		return t.present(found[0])
	}
	return t.say(t.scr.Customers().List(found, page, words))
}

// holding are the customers that hold all words, in whatever is known of them.
func holding(all []store.Customer, words string) (found []store.Customer) {
	wanted := strings.Fields(search.Fold(words))
	for _, c := range all {
		text := search.Fold(strings.Join(knownOf(c), "\n"))
		if !slices.ContainsFunc(wanted, func(w string) bool { return !strings.Contains(text, w) }) {
			found = append(found, c)
		}
	}
	return found
}

// knownOf is what a customer can be found by.
func knownOf(c store.Customer) []string {
	// The phone stands there with its blanks and without, as people type either.
	known := []string{c.Name.Reveal(), c.Phone.Reveal(), strings.ReplaceAll(c.Phone.Reveal(), " ", ""), c.Note.Reveal()}
	for _, p := range c.Players {
		known = append(known, p.ID, p.Name)
	}
	if c.Usual != nil {
		known = append(known, c.Usual.Name)
	}
	return known
}

// named are the customers whose name is what was typed, whole.
func named(all []store.Customer, words string) []store.Customer {
	wanted := strings.Join(strings.Fields(search.Fold(words)), " ")
	return slices.DeleteFunc(slices.Clone(all), func(c store.Customer) bool {
		return wanted == "" || strings.Join(strings.Fields(search.Fold(c.Name.Reveal())), " ") != wanted
	})
}

// customer reads a customer of the account; ok is false, and the press stale, where there is none.
func (t customerFlow) customer(id string) (c store.Customer, ok bool, err error) {
	c, err = t.cfg.Store.Customer(t.ctx, t.shop.ID, id)
	if errors.Is(err, store.ErrNotFound) || err == nil && c.Forgot {
		return c, false, t.stale()
	}
	return c, err == nil, err
}

// present shows a customer, with what was bought for them last.
func (t customerFlow) present(c store.Customer) error {
	b, err := t.cfg.Store.BookBalance(t.ctx, t.shop.ID, ledger.In(ledger.Customer, c.ID))
	if err != nil {
		return err
	}
	x, err := t.theirs([]store.Customer{c})
	if err != nil {
		return err
	}
	latest, err := orderFlow(t).bought(x, latestOrders)
	if err != nil {
		return err
	}
	t.leave()
	return t.say(t.scr.Customers().Card(c, b.Net(), latest))
}

// customerTapped runs the buttons of customers.
func (t customerFlow) customerTapped() error {
	if len(t.action.Args) < 2 {
		return t.list("", int(t.action.Int(0)))
	}
	if t.action.Arg(1) == screen.CustomerAdd {
		return t.ask(t.scr.Customers().NewAsk(false), flowCustomer, stepNew, naming{})
	}
	c, ok, err := t.customer(t.action.Arg(0))
	if err != nil || !ok {
		return err
	}
	switch t.action.Arg(1) {
	case screen.CustomerPlays:
		return t.say(t.scr.Customers().Players(c))
	case screen.CustomerUnplay:
		return t.unplay(c, int(t.action.Int(2)), t.action.Arg(3))
	case screen.CustomerUsual, screen.CustomerTakes:
		return t.setUsual(c)
	case screen.CustomerName:
		return t.ask(t.scr.Customers().NameAsk("", false), flowCustomer, stepName, naming{Customer: c.ID})
	case screen.CustomerNote:
		return t.ask(t.scr.Customers().NoteAsk(c, false), flowCustomer, stepNote, naming{Customer: c.ID})
	case screen.CustomerBuy:
		return t.usual(c)
	case screen.CustomerEnd, screen.CustomerEndYes:
		return t.end(c, t.action.Arg(1) == screen.CustomerEndYes)
	}
	return t.present(c)
}

// usual leads to the summary of what a customer usually takes, with the player verified anew.
func (t customerFlow) usual(c store.Customer) error {
	if c.Usual == nil {
		return t.present(c)
	}
	u := *c.Usual
	return t.withProduct(u.Product, func(p api.Product) error {
		v, ok := findVariant(p, u.Variant)
		if !ok || !v.Available || !buyFlow(t).there(v) {
			t.ack(screen.ToastSoldOut)
			return buyFlow(t).variants(p, 0, browsing{})
		}
		// The product may ask for other things by now: what it still takes is answered, the rest is asked.
		b := buying{Product: p.ID, Variant: v.ID, Answers: stillTaken(p.Inputs, u.Answers), For: c.ID}
		return buyFlow(t).takeWith(b, p, v, max(u.Quantity, 1))
	})
}

// end forgets a customer for good, once it is sure. Whose account is not even only an owner forgets: the debt stays, and nobody
// sees whose it is.
func (t customerFlow) end(c store.Customer, sure bool) error {
	b, err := t.cfg.Store.BookBalance(t.ctx, t.shop.ID, ledger.In(ledger.Customer, c.ID))
	switch {
	case err != nil:
		return err
	case b.Net() != 0 && t.role != store.Owner:
		return t.refuse(store.Owner)
	case !sure:
		return t.say(t.scr.Customers().EndAsk(c, b.Net()))
	}
	err = t.cfg.Store.Update(t.ctx, func(tx *store.Tx) error { return tx.RemoveCustomer(c.Book, c.ID) })
	return firstError(err, func() error { return t.list("", 0) })
}

// save is 👤 under a receipt: whom it was for becomes a customer. One who has that player already is shown, with this as
// what they usually take.
func (t customerFlow) save(id string) error {
	p, ok, err := orderFlow(t).purchase(id)
	if err != nil || !ok || p.Player == nil || p.Player.ID == "" || p.Account != t.shop.ID {
		return firstError(err, t.stale)
	}
	all, err := t.customers()
	if err != nil {
		return err
	}
	// Whoever it was bought for has that player from now on.
	for _, is := range []func(store.Customer) bool{func(c store.Customer) bool { return c.ID == p.For }, func(c store.Customer) bool { return c.Plays(*p.Player) }} {
		if i := slices.IndexFunc(all, is); i >= 0 {
			return t.merge(all[i].ID, p)
		}
	}
	return t.ask(t.scr.Customers().NameAsk(p.Player.Name, false), flowCustomer, stepName, naming{Purchase: p.ID})
}

// merge notes in a customer who plays as somebody, and what was bought for them.
func (t customerFlow) merge(id string, p store.Purchase) error {
	return t.change(id, func(c *store.Customer) { c.AddPlayer(*p.Player, usualOf(p)) })
}

// change changes a customer, and shows them.
func (t customerFlow) change(id string, fn func(*store.Customer)) error {
	var seen store.Customer
	err := t.cfg.Store.Update(t.ctx, func(tx *store.Tx) error {
		c, err := tx.Customer(t.shop.ID, id)
		if err != nil || c.Forgot {
			return errors.Join(err, forgotten(c))
		}
		fn(&c)
		seen = c
		return tx.PutCustomer(&c)
	})
	if errors.Is(err, store.ErrNotFound) {
		return t.stale()
	}
	return firstError(err, func() error { return t.present(seen) })
}

// forgotten is the error that a customer is none any more.
func forgotten(c store.Customer) error {
	if c.Forgot {
		return store.ErrNotFound
	}
	return nil
}

// usualOf is what a purchase has bought, as a customer may want it again.
func usualOf(p store.Purchase) *store.Usual {
	return &store.Usual{
		Goods:    store.Goods{Product: p.ProductID, Variant: p.VariantID, Name: p.Product + " · " + p.Variant},
		Quantity: p.Quantity, Answers: p.Inputs,
	}
}

// unplay takes a player away from a customer: the one at a place, whose ID ends so.
func (t customerFlow) unplay(c store.Customer, place int, tail string) error {
	// The place is that of the list which was shown. The tail tells whether the same player still stands there.
	if place < 0 || place >= len(c.Players) || screen.Tail(c.Players[place].ID) != tail {
		return t.stale()
	}
	gone := c.Players[place]
	return t.change(c.ID, func(c *store.Customer) {
		c.Players = slices.DeleteFunc(slices.Clone(c.Players), func(p store.Player) bool { return p.Game == gone.Game && p.ID == gone.ID })
	})
}

// setUsual sets what a customer usually takes: one of what was bought for them last, or nothing. Without a choice it asks for one.
func (t customerFlow) setUsual(c store.Customer) error {
	x, err := t.theirs([]store.Customer{c})
	if err != nil {
		return err
	}
	latest, err := orderFlow(t).bought(x, latestOrders)
	switch {
	case err != nil:
		return err
	case t.action.Arg(1) == screen.CustomerUsual:
		return t.say(t.scr.Customers().Usual(c, latest))
	case t.action.Arg(2) == "":
		return t.change(c.ID, func(c *store.Customer) { c.Usual = nil })
	}
	i := slices.IndexFunc(latest, func(b screen.Bought) bool { return screen.Tail(b.ID) == t.action.Arg(2) })
	if i < 0 {
		return t.stale()
	}
	return t.change(c.ID, func(c *store.Customer) { c.Usual = usualOf(latest[i].Purchase) })
}

// playing are the players of a game that customers of the account are, each under the name that the shop knows them by.
func (t customerFlow) playing(game string) (list []store.Player, err error) {
	all, err := t.customers()
	for _, c := range all {
		for _, p := range c.Players {
			if p.Game == game && p.ID != "" {
				p.Name = c.Name.Reveal()
				list = append(list, p)
			}
		}
	}
	return list, err
}

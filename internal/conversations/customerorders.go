package conversations

import (
	"context"
	"slices"
	"strings"

	"resellerbot/internal/api"
	"resellerbot/internal/ledger"
	"resellerbot/internal/screen"
	"resellerbot/internal/search"
	"resellerbot/internal/store"
)

const (
	latestOrders = 3 // of a customer, on their card
	sameNames    = 8 // customers who are called the same, on buttons
)

// theirs tells what was bought for customers: for whom its buyer said that it is, top-ups of players of theirs, and what was sold to
// them.
type theirs struct {
	customers []store.Customer
	sold      map[string]int // by order of the service: to which of the customers it is sold
}

// theirs reads what tells the purchases for some customers.
func (t *turn) theirs(list []store.Customer) (x theirs, err error) {
	x = theirs{customers: list, sold: map[string]int{}}
	for i, c := range list {
		orders, err := ledger.SoldTo(t.cfg.Store.Books(t.ctx), t.shop.ID, c.ID, statementRead)
		if err != nil {
			return x, err
		}
		for order := range orders {
			x.sold[order] = i
		}
	}
	return x, nil
}

// of is the customer whom a purchase was for; false where it was for none of them.
func (x theirs) of(p store.Purchase) (c store.Customer, ok bool) {
	// A sale comes first: whoever it was bought for, it is theirs to whom it was sold.
	for _, order := range p.OrderIDs {
		if i, sold := x.sold[order]; sold {
			return x.customers[i], true
		}
	}
	// Who said for whom it is knows better than the player does, who may be played by several.
	for _, is := range []func(store.Customer) bool{
		func(c store.Customer) bool { return c.ID == p.For && p.For != "" },
		func(c store.Customer) bool { return p.Player != nil && p.Player.ID != "" && c.Plays(*p.Player) },
	} {
		if i := slices.IndexFunc(x.customers, is); i >= 0 {
			return x.customers[i], true
		}
	}
	return c, false
}

// namedPartly are the customers of the account whose name holds any of some words, which are folded.
func (t *turn) namedPartly(wanted []string) (list []store.Customer, err error) {
	if t.shop.ID == "" {
		return nil, nil
	}
	all, err := t.customers()
	return slices.DeleteFunc(all, func(c store.Customer) bool {
		name := search.Fold(c.Name.Reveal())
		return !slices.ContainsFunc(wanted, func(w string) bool { return strings.Contains(name, w) })
	}), err
}

// seesAll reports whether the person is shown the purchases of the whole team here, and not their own alone.
func (t orderFlow) seesAll() bool {
	return t.role != store.NoRole && (!t.private || t.role == store.Counter || t.role == store.Owner)
}

// bought lists the newest purchases for some customers that the person may see here, `most` of them.
func (t orderFlow) bought(x theirs, most int) (list []screen.Bought, err error) {
	l, err := t.ordered(between{}, t.seesAll())
	if err != nil {
		return nil, err
	}
	l.page = mostAtOnce
	for len(list) < most {
		p, more, err := l.next()
		if err != nil || !more {
			return list, err
		}
		// Whose it is, the purchase tells alone: the orders of all others need not be read. What somebody has bought for another shop is for
		// none of this one's customers.
		if _, is := x.of(p); !is || p.Account != t.shop.ID {
			continue
		}
		orders, err := t.cfg.Store.OrdersOf(t.ctx, p)
		if err != nil {
			return nil, err
		}
		list = append(list, screen.Bought{Purchase: p, Orders: orders})
	}
	return list, nil
}

// customersOrders is a page of what was bought for the one customer of x.
func (t orderFlow) customersOrders(x theirs, page int) (v screen.OrdersView, err error) {
	page = max(0, min(page, mostRead/ordersPage))
	// No index leads to a customer's purchases: all up to this page are looked for, and one more, which tells that there are others.
	list, err := t.bought(x, (page+1)*ordersPage+1)
	if err != nil {
		return v, err
	}
	// A page behind the end gives way to the last one.
	from := min(page, max(0, len(list)-1)/ordersPage) * ordersPage
	v = screen.OrdersView{
		Of: &x.customers[0], Page: from / ordersPage, Above: from, List: list[from:min(len(list), from+ordersPage)], More: len(list) > from+ordersPage,
		Linked: true, Card: t.role == store.Seller || t.role == store.Owner,
	}
	if t.seesAll() {
		v.Scope = screen.OrdersAll
	}
	return v, nil
}

// ofCustomer turns to a page of what was bought for a customer.
func (t orderFlow) ofCustomer() error {
	c, ok, err := customerFlow(t).customer(t.action.Arg(0))
	if err != nil || !ok {
		return err
	}
	x, err := t.theirs([]store.Customer{c})
	if err != nil {
		return err
	}
	v, err := t.customersOrders(x, int(t.action.Int(1)))
	return firstError(err, func() error { return t.sayOrders(v) })
}

// showCustomers shows what was bought for the one customer who is called so, with the way to whatever else holds the words.
// shown is false where there is no such one, or nothing was bought for them.
func (t orderFlow) showCustomers(words string) (shown bool, err error) {
	// Nobody has so long a name, which is known without reading all customers.
	if t.shop.ID == "" || len(words) > mostNameBytes {
		return false, nil
	}
	all, err := t.customers()
	if err != nil {
		return false, err
	}
	found := named(all, words)
	if len(found) != 1 {
		return false, nil
	}
	x, err := t.theirs(found)
	if err != nil {
		return false, err
	}
	v, err := t.customersOrders(x, 0)
	if err != nil || len(v.List) == 0 {
		return false, err
	}
	other, err := t.find(words)
	if err != nil {
		return false, err
	}
	if slices.ContainsFunc(other.List, func(b screen.Bought) bool { _, is := x.of(b.Purchase); return !is }) {
		v.Words = words
	}
	return true, t.sayOrders(v)
}

// showNamed opens the customer whose telephone number, or name, was typed. Where something is sold by that very name, or several
// customers have it, it is asked what is meant. shown is false where nobody is called so.
func (t customerFlow) showNamed(words string) (shown bool, err error) {
	if t.shop.ID == "" {
		return false, nil
	}
	all, err := t.customers()
	if err != nil {
		return false, err
	}
	if found := calling(all, numberIn(words)); len(found) == 1 {
		return true, t.present(found[0])
	}
	found := named(all, words)
	if len(found) == 0 {
		return false, nil
	}
	short, sold, err := buyFlow(t).sells(words)
	switch {
	case err != nil:
		return false, err
	case len(found) == 1 && short == nil && !sold:
		return true, t.present(found[0])
	}
	v := screen.NamesakesView{Words: words, Customers: found[:min(len(found), sameNames)], Short: short, Sold: sold}
	return true, t.ask(t.scr.Customers().Namesakes(v), flowBrowse, "", browsing{Query: words})
}

// sells tells what is sold by some words alone: what the shop's own short word stands for, and whether the names of a product hold
// each of them whole. What is not known now is no reason to ask what is meant.
func (t buyFlow) sells(words string) (short *store.Goods, sold bool, err error) {
	_, service, ok, err := t.account()
	if err != nil || !ok {
		return nil, false, err
	}
	shelf, err := t.cfg.Store.Shelf(t.ctx, t.chat.Account)
	if err != nil {
		return nil, false, err
	}
	if g, known := shelf.Alias(search.Fold(words)); known {
		short = &g
	}
	all, err := orLast(t.turn, func(ctx context.Context) ([]api.Product, error) { return service.Products(ctx, catalogueAge) }, service.LastProducts)
	if err != nil {
		t.cfg.Log.Warn("a name is not looked for in the catalogue", "update", t.update, "err", err)
		return short, false, nil
	}
	wanted := strings.Fields(search.Fold(words))
	return short, slices.ContainsFunc(all, func(p api.Product) bool {
		names := []string{p.Name}
		for _, v := range p.Variants {
			names = append(names, v.Name)
		}
		has := strings.Fields(search.Fold(strings.Join(names, " ")))
		return !slices.ContainsFunc(wanted, func(w string) bool { return !slices.Contains(has, w) })
	}), nil
}

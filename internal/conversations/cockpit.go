package conversations

import (
	"cmp"
	"errors"
	"slices"
	"time"

	"resellerbot/internal/api/dzd"
	"resellerbot/internal/purchase"
	"resellerbot/internal/reports"
	"resellerbot/internal/screen"
	"resellerbot/internal/store"
)

const (
	mostLately = 3   // items that were bought last
	lookedFor  = 60  // of the newest purchases, for them
	mostToday  = 300 // purchases of a day that are counted
)

// cockpit is the account as somebody sees it who sells all day: what waits, what is uncertain, what has come today, and
// what they sell most. None of it is asked of the service.
func (t homeFlow) cockpit(a store.Account) (screen.AccountView, error) {
	view := screen.AccountView{Name: a.Called(), Waiting: a.Open, Role: t.role, Left: t.left(a), Locked: a.Locked}
	if !t.role.AtLeast(store.Counter) {
		return view, nil
	}
	shelf, err := t.cfg.Store.Shelf(t.ctx, a.ID)
	if err != nil {
		return view, err
	}
	view.Favourites = shelf.Favourites
	own, err := t.cfg.Store.Prices(t.ctx, a.ID)
	if view.Priced = own.Rules.Any(); err != nil {
		return view, err
	}
	if err := t.today(&view); err != nil {
		return view, err
	}
	if view.Priced && t.private { // where others read along, nobody's figures are shown
		if view.Units, view.Sold, err = reports.SoldToday(t.ctx, t.cfg.Store, a.ID, reportFlow(t).seller(), now()); err != nil {
			return view, err
		}
	}
	// The counter buys nothing, and is offered nothing to buy once more.
	if t.role == store.Counter {
		return view, nil
	}
	lately, err := orderFlow(t).lately(mostLately)
	for _, b := range lately {
		l := screen.LatelyView{Purchase: b.ID, Item: b.Product + " · " + b.Variant, Quantity: b.Quantity}
		if b.Player != nil {
			l.For = cmp.Or(b.Player.Name, b.Player.ID)
		}
		view.Lately = append(view.Lately, l)
	}
	return view, err
}

// today counts what the person may see of the shop's day: what was bought, what it cost, and what is uncertain.
func (t homeFlow) today(view *screen.AccountView) error {
	// As with seesAll (customerorders.go): where everybody of the team reads along, everything of the team is counted.
	all := t.role == store.Owner || t.role == store.Counter || !t.private
	begun, err := t.todayBegan()
	if err != nil {
		return err
	}
	if !all { // Account.Open counts those of the whole team
		view.Waiting = 0
	}
	err = orderFlow(t).eachNewest(all, mostToday, func(b screen.Bought) (more bool) {
		// Newest first, so that the first one which is older than that ends the walk.
		more = b.QueuedAt.After(begun.Add(-uncertainFor))
		if b.Account != t.shop.ID { // another shop's figures are no part of this one's, and its costs are not for whoever has left it
			return more
		}
		if !all && b.Phase.Promised() && !b.Phase.Final() {
			view.Waiting++
		}
		if b.Phase == store.Unknown || b.Phase == store.Undecided {
			view.Uncertain++
		}
		if !b.QueuedAt.Before(begun) && isPaid(b) {
			view.Bought++
			view.Paid = view.Paid.Add(paidFor(b))
		}
		return more
	})
	// Those that are open count uncertain ones too, which are shown by themselves.
	view.Waiting = max(0, view.Waiting-view.Uncertain)
	return err
}

// isPaid reports whether a purchase was paid, and not all of it has failed: what is underway was paid as well.
func isPaid(b screen.Bought) bool {
	return (b.Phase == store.Accepted || b.Phase == store.Settled) && slices.ContainsFunc(b.Orders, stands)
}

// paidFor is what the orders of a purchase cost that have not failed. Those that were not found were paid with them, unless the
// service has charged otherwise.
// Example: of 5 units at 100 DZD each 4 were found, and 1 of these has failed: 500 - 100 = 400 DZD.
func paidFor(b screen.Bought) (sum dzd.Amount) {
	if b.MissesPaid() {
		sum = b.Cost()
		for _, o := range b.Orders {
			if !stands(o) {
				sum = sum.Sub(b.PaidFor(o))
			}
		}
		return sum
	}
	for _, o := range b.Orders {
		if stands(o) {
			sum = sum.Add(b.PaidFor(o))
		}
	}
	return sum
}

// eachNewest visits the newest purchases, as they are listed, until it is told to stop: so many at most.
func (t orderFlow) eachNewest(all bool, most int, visit func(screen.Bought) (more bool)) error {
	chats, err := t.boughtIn(all)
	if err != nil {
		return err
	}
	const page = 4 * ordersPage
	after := ""
	for read := 0; read < most; {
		list, unread, err := t.cfg.Store.NewestPurchases(t.ctx, chats, after, page)
		if err != nil {
			return err
		}
		for _, p := range list {
			after, read = p.ID, read+1
			b, is, err := t.withOrders(p, all)
			if err != nil || is && !visit(b) {
				return err
			}
		}
		if unread == "" {
			return nil
		}
	}
	return nil
}

// uncertainFor is how far back purchases are looked at that may still be uncertain.
const uncertainFor = 24 * time.Hour

// stands reports whether an order has not failed: what it cost is gone.
func stands(o store.Order) bool { return o.State != store.Failed }

// lately are the last purchases of the person that can be made once more, each item and player once.
func (t orderFlow) lately(most int) (list []screen.Bought, err error) {
	var unread error
	err = t.eachNewest(!t.private, lookedFor, func(b screen.Bought) (more bool) {
		known := slices.ContainsFunc(list, func(o screen.Bought) bool { return isAlike(o.Purchase, b.Purchase) })
		if b.Phase != store.Settled || b.Account != t.shop.ID || known {
			return true
		}
		var sees bool
		if sees, unread = t.sees(b.Purchase); sees {
			list = append(list, b)
		}
		return len(list) < most && unread == nil
	})
	return list, errors.Join(err, unread)
}

// isAlike reports whether two purchases are of one item for one player.
func isAlike(p, q store.Purchase) bool {
	who := func(p store.Purchase) string {
		if p.Player == nil {
			return ""
		}
		return p.Player.ID
	}
	return p.ProductID == q.ProductID && p.VariantID == q.VariantID && who(p) == who(q)
}

// goodsOf are the items of purchases, each once.
func goodsOf(list []screen.Bought) (out []store.Goods) {
	for _, b := range list {
		g := store.Goods{Product: b.ProductID, Variant: b.VariantID, Name: b.Product + " · " + b.Variant}
		if !slices.ContainsFunc(out, func(o store.Goods) bool { return o.Is(g.Product, g.Variant) }) {
			out = append(out, g)
		}
	}
	return out
}

// lastBalance is what was last read of an account's balance, and what it may be too high by.
func lastBalance(a store.Account) screen.BalanceView {
	w := a.Wallet
	if w.Shown == nil {
		return screen.BalanceView{}
	}
	return screen.BalanceView{Amount: *w.Shown, Available: *w.Shown, Known: true, Lacks: purchase.Lacks(w, *w.Shown, now()), At: w.At}
}

// todayBegan is when today began: the business day of a shop with books, as its reports tell it, else the calendar's.
func (t *turn) todayBegan() (time.Time, error) {
	at := now()
	return reports.TodayBegan(t.ctx, t.cfg.Store, t.shop.ID, t.scr.Today(at), at)
}

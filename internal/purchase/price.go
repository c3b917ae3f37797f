package purchase

import (
	"errors"
	"slices"
	"strconv"
	"time"

	"resellerbot/internal/api/dzd"
	"resellerbot/internal/store"
)

// priced notes what the orders of a purchase say that it cost, where that is not what was shown. The service may call
// a price what nobody paid, so it counts only once the balance shows the same.
func (e *Engine) priced(tx *store.Tx, p *store.Purchase, a *store.Account, at time.Time) error {
	if p.Charged != nil {
		return nil
	}
	cost, err := costOf(tx, *p)
	if err != nil || cost.IsZero() {
		return err
	}
	if cost.Equal(p.Total) {
		return wholly(tx, p)
	}
	i, gone := expected(a.Wallet, p.ID), dzd.Amount{}.Sub(cost)
	switch {
	case i >= 0 && a.Wallet.Expected[i].Instead != nil:
		return nil
	case i >= 0 && a.Wallet.Expected[i].Seen.IsZero():
		a.Wallet.Expected[i].Instead = &gone
		if err := unshow(tx, a, *p, gone, at); err != nil {
			return err
		}
		return errors.Join(e.reread(tx, p, a), tx.PutAccount(a))
	case p.Missing > 0: // all of it was taken: what comes of the rest is asked
		return nil
	}
	return e.pricedLate(tx, p, a, gone, at)
}

// unshow takes back what readings were taken to show, where a purchase that is known to have been bought may have cost
// just that: that another one was bought of which that is not known, or that somebody else took it. The next reading
// decides.
func unshow(tx *store.Tx, a *store.Account, p store.Purchase, cost dzd.Amount, at time.Time) error {
	i := slices.IndexFunc(a.Wallet.Expected, func(x store.Expected) bool {
		return x.Doubtful && !x.Said && x.Purchase != p.ID && x.Seen.After(p.SentAt) && x.Amount.Equal(cost)
	})
	if i < 0 {
		_, err := takeBack(tx, a, p, cost, at)
		return err
	}
	a.Wallet.Expected[i].Seen = time.Time{}
	a.Wallet.Available = a.Wallet.Available.Sub(cost)
	return nil
}

// pricedLate is priced where the balance has shown the price that was shown: the rest may go by itself, as where a price is
// settled once an order is done, or was taken for something from outside.
func (e *Engine) pricedLate(tx *store.Tx, p *store.Purchase, a *store.Account, gone dzd.Amount, at time.Time) error {
	i := expected(a.Wallet, p.ID)
	if i < 0 { // it is forgotten
		x := store.Expected{Amount: dzd.Amount{}.Sub(p.Total), Purchase: p.ID, Seen: p.SentAt}
		i, a.Wallet.Expected = len(a.Wallet.Expected), append(slices.Clone(a.Wallet.Expected), x)
	}
	x := &a.Wallet.Expected[i]
	x.Instead, x.At = &gone, at
	found, err := takeBack(tx, a, *p, gone.Sub(x.Amount), at)
	if err == nil && found {
		err = e.chargedOther(tx, p, a, expected(a.Wallet, p.ID), at)
	}
	return errors.Join(err, tx.PutAccount(a))
}

// reread explains the last reading anew, where it showed what nothing explained.
func (e *Engine) reread(tx *store.Tx, p *store.Purchase, a *store.Account) error {
	if a.Wallet.Strange == nil {
		return nil
	}
	if err := e.observe(tx, a, reading{available: level(a.Wallet), at: a.Wallet.At}); err != nil {
		return err
	}
	now, err := tx.Purchase(p.ID)
	*p = now
	return err
}

// wholly notes that the orders of a purchase cost all of it: none is missing, and each may be of several units.
func wholly(tx *store.Tx, p *store.Purchase) error {
	if p.Missing == 0 {
		return nil
	}
	p.Missing = 0
	return tx.PutPurchase(p)
}

// costOf is what the orders of a purchase say that it cost; zero where one of them does not tell. Where each names the
// price of the whole, that is it.
func costOf(tx *store.Tx, p store.Purchase) (sum dzd.Amount, err error) {
	whole := p.Missing == 0
	orders, err := ordersOf(tx, p)
	if err != nil {
		return dzd.Amount{}, err
	}
	for _, o := range orders {
		if o.Price.IsZero() {
			return dzd.Amount{}, nil
		}
		sum, whole = sum.Add(o.Price), whole && o.Price.Equal(p.Total)
	}
	if whole {
		return p.Total, nil
	}
	return sum, nil
}

// otherwise finds the one purchase that explains a change if it cost what its orders say instead of what was shown, or
// if the difference goes now; -1 where none does, or several do.
func otherwise(w store.Wallet, change dzd.Amount, causes []cause) (found int) {
	found = -1
	for i, x := range w.Expected {
		var rest dzd.Amount
		others := causes
		switch {
		case x.Instead == nil:
			continue
		case follows(x):
			rest = change.Sub(*x.Instead)
			others = slices.DeleteFunc(slices.Clone(causes), func(c cause) bool { return c.kind == due && c.place == i })
		case !x.Seen.IsZero() && !x.Doubtful && !x.Denied:
			rest = change.Sub(x.Instead.Sub(x.Amount))
		default:
			continue
		}
		if likeliest(rest, others).ways == 0 {
			continue
		}
		if found >= 0 {
			return -1
		}
		found = i
	}
	return found
}

// contested reports whether a change is explained with a purchase of which it is not known whether it was bought, and
// just as well by another price of one that is known to have been.
func contested(w store.Wallet, x explanation, change dzd.Amount, causes []cause) (known int, so bool) {
	if !x.only() || !x.has(doubted, denied) {
		return -1, false
	}
	known = otherwise(w, change, causes)
	return known, known >= 0
}

// dearer lists by how much more or less than was shown purchases may have cost that the balance does not show yet.
func dearer(w store.Wallet, but string) (out []cause) {
	for i, x := range w.Expected {
		if x.Instead != nil && x.Purchase != but && follows(x) {
			out = append(out, cause{kind: due, amount: x.Instead.Sub(x.Amount), place: i})
		}
	}
	return out
}

// chargedOther takes what was truly charged for a purchase for its price, and tells its chat and the owners both
// figures.
func (e *Engine) chargedOther(tx *store.Tx, p *store.Purchase, a *store.Account, i int, at time.Time) error {
	x := &a.Wallet.Expected[i]
	more := x.Instead.Sub(x.Amount)
	x.Amount, x.Instead = *x.Instead, nil
	a.Wallet.Available = a.Wallet.Available.Add(more)
	cost := dzd.Amount{}.Sub(x.Amount)
	p.Charged = &cost
	if p.Missing > 0 {
		mayGo(a, p.ID, cost.Sub(p.Total), store.Rest, at)
	}
	tx.Then(func() { e.log(*p).Warn("the service charged another price than it had shown") })
	err := errors.Join(tx.PutPurchase(p), record(tx, a, store.Movement{
		At: at, Kind: store.Corrected, Amount: more, Balance: a.Wallet.Available, Purchase: p.ID,
	}))
	if err != nil {
		return err
	}
	if err := tx.Enqueue(statusMessage(*p)); err != nil {
		return err
	}
	for _, chat := range e.concerned(*p, *a) {
		if chat != p.Chat && a.Role(chat) != store.Owner {
			continue // whoever operates the bot is none of the shop
		}
		name, args := store.ChargedNote, map[string]string{"ref": store.Ref(p.ID), "shown": p.Total.String(), "charged": cost.String(), "purchase": p.ID}
		if p.Missing > 0 {
			name, args["made"], args["asked"] = store.FewerNote, strconv.Itoa(len(p.OrderIDs)), strconv.Itoa(p.Quantity)
		}
		if err := tx.Enqueue(store.NewNote(chat, p.ID+".y", name, args)); err != nil {
			return err
		}
	}
	return nil
}

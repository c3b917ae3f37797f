package purchase

import (
	"errors"
	"slices"
	"time"

	"resellerbot/internal/api/dzd"
	"resellerbot/internal/store"
)

// priced notes what the orders of a purchase say that it cost, where that is not what it is known to have cost. The service
// may call a price what nobody paid, so it counts only once the balance shows the same. It may call another one later, and
// have charged that.
func (e *Engine) priced(tx *store.Tx, p *store.Purchase, a *store.Account, at time.Time) error {
	cost, err := costOf(tx, *p)
	if err != nil || cost.IsZero() {
		return err
	}
	if cost.Equal(p.Cost()) {
		return errors.Join(e.unnamed(tx, p, a, at), noteWhole(tx, p, cost))
	}
	i, gone := expected(a.Wallet, p.ID), dzd.Amount{}.Sub(cost)
	switch {
	case i >= 0 && a.Wallet.Expected[i].Instead != nil && a.Wallet.Expected[i].Instead.Equal(gone):
		return nil
	case p.Named != nil && p.Named.Equal(cost): // the balance was asked for long enough
		return nil
	// The balance has not shown it yet: which of the two prices it shows is what the next readings are asked.
	case i >= 0 && a.Wallet.Expected[i].Seen.IsZero():
		noteNamed(&a.Wallet.Expected[i], gone)
		if err := noteNamedForAll(tx, *p, &a.Wallet.Expected[i]); err != nil {
			return err
		}
		lookForPrice(a, at)
		if _, err := unshow(tx, a, *p, gone, at); err != nil {
			return err
		}
		return errors.Join(e.reread(tx, p, a), tx.PutAccount(a))
	case p.MissesPaid(): // all of it was taken: what comes of the rest is asked
		return nil
	}
	return e.pricedLate(tx, p, a, gone, at)
}

// noteNamed notes what the orders of a purchase say that it cost. What they said before may be what the balance shows all the same.
func noteNamed(x *store.Expected, gone dzd.Amount) {
	if x.Instead != nil {
		addEarlier(x, *x.Instead)
	}
	x.Instead = &gone
}

// addEarlier adds to the prices that the balance may show beside the one that is named last, each once.
func addEarlier(x *store.Expected, price dzd.Amount) {
	if !slices.ContainsFunc(x.Earlier, price.Equal) {
		x.Earlier = append(slices.Clone(x.Earlier), price)
	}
}

// noteNamedForAll notes what a purchase costs if the units of which no order is known cost as much as the others: the balance may show that.
//
// Example: two were to cost 200. One order is known, and names 150. Either that one alone was sold, for 150, or both, for 300.
func noteNamedForAll(tx *store.Tx, p store.Purchase, x *store.Expected) error {
	all, err := costOfAll(tx, p)
	if gone := (dzd.Amount{}).Sub(all); err == nil && !all.IsZero() && !gone.Equal(x.Amount) {
		addEarlier(x, gone)
	}
	return err
}

// namedPrices is what the orders of a purchase say, or have said, that it cost, each once.
func namedPrices(x store.Expected) (all []dzd.Amount) {
	if x.Instead == nil {
		return nil
	}
	for _, price := range append(slices.Clone(x.Earlier), *x.Instead) {
		if !slices.ContainsFunc(all, price.Equal) {
			all = append(all, price)
		}
	}
	return all
}

// unshow takes back what readings were taken to show, where a purchase that is known to have been bought may have cost
// just that: that another one was bought of which that is not known, or that somebody else took it. The next reading
// decides. It reports whether it was somebody else.
func unshow(tx *store.Tx, a *store.Account, p store.Purchase, cost dzd.Amount, at time.Time) (outside bool, err error) {
	i := slices.IndexFunc(a.Wallet.Expected, func(x store.Expected) bool {
		uncertain := x.MayGo == "" && (x.Doubtful && !x.Said || x.Denied)
		return uncertain && x.Purchase != p.ID && x.Seen.After(p.SentAt) && x.Amount.Equal(cost)
	})
	if i < 0 {
		return reverseOutside(tx, a, p, cost, at)
	}
	a.Wallet.Expected[i].Seen = time.Time{}
	a.Wallet.Available = a.Wallet.Available.Sub(cost)
	return false, nil
}

// pricedLate is priced where the balance has shown the price that was shown: the rest may go by itself, as where a price is
// settled once an order is done, or was taken for something from outside.
func (e *Engine) pricedLate(tx *store.Tx, p *store.Purchase, a *store.Account, gone dzd.Amount, at time.Time) error {
	i := expected(a.Wallet, p.ID)
	if i < 0 { // it is forgotten
		x := store.Expected{Amount: dzd.Amount{}.Sub(p.Cost()), Purchase: p.ID, Seen: p.SentAt}
		i, a.Wallet.Expected = len(a.Wallet.Expected), append(slices.Clone(a.Wallet.Expected), x)
	}
	x := &a.Wallet.Expected[i]
	noteNamed(x, gone)
	x.At = at
	lookForPrice(a, at)
	outside, err := unshow(tx, a, *p, gone.Sub(x.Amount), at)
	if err == nil && outside {
		err = e.chargedOther(tx, p, a, expected(a.Wallet, p.ID), at)
	}
	return errors.Join(err, tx.PutAccount(a))
}

// lookForPrice has the account looked at once the balance was asked for long enough.
func lookForPrice(a *store.Account, at time.Time) {
	if next := at.Add(priceLife(*a)); a.LookAt.IsZero() || next.Before(a.LookAt) {
		a.LookAt = next
	}
}

// endPrices ends the wait for what the balance shows of the prices that orders name. Where it has not shown which one was
// charged, people are told both, once of each price that is named.
func (e *Engine) endPrices(tx *store.Tx, a *store.Account, at time.Time) error {
	var ended []store.Expected
	a.Wallet.Expected = slices.Clone(a.Wallet.Expected)
	for i, x := range a.Wallet.Expected {
		if x.Instead == nil || at.Sub(x.At) < priceLife(*a) {
			continue
		}
		ended = append(ended, x)
		if !isUnshown(x) { // what no reading has shown at all may still show as the one or the other
			a.Wallet.Expected[i].Instead, a.Wallet.Expected[i].Earlier = nil, nil
		}
	}
	// Behind the loop: noteMayGo puts a new slice into the wallet.
	for _, x := range ended {
		if err := e.endPrice(tx, a, x, at); err != nil {
			return err
		}
	}
	return nil
}

// endPrice is endPrices for one purchase.
func (e *Engine) endPrice(tx *store.Tx, a *store.Account, x store.Expected, at time.Time) error {
	p, err := tx.Purchase(x.Purchase)
	if err != nil {
		return err
	}
	cost, err := costOf(tx, p)
	paid, earlier := p.Cost(), p.Named
	if err != nil || cost.IsZero() || cost.Equal(paid) || earlier != nil && earlier.Equal(cost) {
		return err
	}
	p.Named = &cost
	if paid.Less(cost) {
		noteMayGo(a, p.ID, paid.Sub(cost), store.Overdue, at)
	}
	if err := tx.PutPurchase(&p); err != nil {
		return err
	}
	shown, err := isShown(tx, *a, x, p)
	if err != nil {
		return err
	}
	// Of orders that are missing people were told, and take it up with the service.
	if shown || p.Told.Missing || earlier == nil && toldAtPick(p, cost) || p.Phase != store.Accepted && p.Phase != store.Settled {
		return nil
	}
	tx.Then(func() { e.log(p).Warn("orders name another price than was shown, and the balance does not tell") })
	args := map[string]string{"shown": p.Total.String(), "named": cost.String()}
	if earlier == nil {
		earlier = p.Charged
	}
	if earlier != nil {
		args["before"] = earlier.String()
	}
	return e.tellShop(tx, p, *a, at, store.PriceUnsureNote, args)
}

// pricePicked tells both prices where a person picks orders that name another one than was shown, and the balance does not show that
// this is what was charged: such a purchase was uncertain for long enough that it may never show. On an account that others spend
// from, money of the same amount that went meanwhile shows nothing.
func (e *Engine) pricePicked(tx *store.Tx, p *store.Purchase, a store.Account, n named) error {
	cost, known := n.price()
	if !known || p.Missing > 0 || cost.Equal(p.Cost()) {
		return nil
	}
	if i := expected(a.Wallet, p.ID); i >= 0 {
		x, gone := a.Wallet.Expected[i], dzd.Amount{}.Sub(cost)
		x.Instead = &gone
		shown, err := isShown(tx, a, x, *p)
		if err != nil || shown {
			return err
		}
	}
	p.Told.Price = &cost
	return e.tellShop(tx, *p, a, time.Now(), store.PriceUnsureNote, map[string]string{"shown": p.Total.String(), "named": cost.String()})
}

// toldAtPick reports whether people were told of a price when they picked the orders that name it.
func toldAtPick(p store.Purchase, named dzd.Amount) bool {
	return p.Told.Price != nil && p.Told.Price.Equal(named)
}

// isShown reports whether the balance shows that a purchase was charged what was shown: a reading has shown that, and nothing
// that is not explained has moved since the purchase was sent, in which the difference could be. Neither may that be the price of
// another purchase (mayBeIn), nor a refund be awaited that would have made up for it, nor would it be made up if people were wrong about
// other purchases (saidOf). A balance in whole dinars does not show amounts that differ by less.
func isShown(tx *store.Tx, a store.Account, x store.Expected, p store.Purchase) (bool, error) {
	w := a.Wallet
	if !w.Read || x.Seen.IsZero() || w.UnexplainedChanges != p.Before.UnexplainedChanges || isUnaccounted(w) ||
		w.Began.After(p.SentAt) || tooFine(w, x.Amount, *x.Instead) {
		return false, nil
	}
	for _, o := range w.Expected {
		if in, err := mayBeIn(tx, o, x, p); in || err != nil {
			return false, err
		}
	}
	_, refunds, err := refundsOf(tx, a)
	if err != nil {
		return false, err
	}
	causes, err := saidOf(tx, a, x, p)
	if err != nil {
		return false, err
	}
	for _, amount := range refunds {
		causes = append(causes, cause{kind: refund, amount: amount})
	}
	return explain(x.Amount.Sub(*x.Instead), causes).ways == 0, nil
}

// mayBeIn reports whether the price that orders name may be what went for another purchase, of which it is not known whether it happened: then
// what was seen to go here is of others.
//
// Example: 1250 was shown, and the orders name 1900. 1250 went, and 1900, for one of 1900 that is uncertain. That one was not made if somebody
// else has spent 1250.
func mayBeIn(tx *store.Tx, other, x store.Expected, p store.Purchase) (bool, error) {
	uncertain := other.Purchase != x.Purchase && other.MayGo == "" && (other.Doubtful || other.Denied)
	switch {
	case !uncertain || !other.Amount.Equal(*x.Instead):
		return false, nil
	case other.Seen.After(p.SentAt):
		return true, nil
	case !other.Disowned.After(p.SentAt):
		return false, nil
	}
	q, err := tx.Purchase(other.Purchase)
	return err == nil && q.Word != nil && q.Word.Gone, err // of money that never went nobody has said anything
}

// saidOf lists what purchases have moved, beside one, if what was said of them is not so: the prices of those that were said not to have
// happened, or may not have; and, the other way round, those of which a person alone has said that they have. Where these make up the
// difference between two prices, the balance does not tell which of the two was charged. Only what was sent before that price showed can be in
// it, and nothing that was sent so long before that it would have been executed by then.
//
// Example: 300 was shown, and the orders name 250. 300 went, and 250, for a purchase that people say was made. They say as well that another
// one of 300 was not. Where they are wrong in both, the 250 were charged here: -300 is -250, less 300 for the one, and 250 more for the other.
func saidOf(tx *store.Tx, a store.Account, x store.Expected, p store.Purchase) (causes []cause, err error) {
	since := p.SentAt.Add(-executedLate - memoryOf(a))
	for i, o := range a.Wallet.Expected {
		if o.Purchase == "" || o.Purchase == x.Purchase || o.MayGo != "" {
			continue
		}
		other, err := tx.Purchase(o.Purchase)
		switch {
		case errors.Is(err, store.ErrNotFound):
			continue
		case err != nil:
			return nil, err
		case other.SentAt.Before(since) || other.SentAt.After(x.Seen):
		case o.Denied || o.Doubtful:
			causes = append(causes, cause{kind: denied, amount: o.Amount, place: i})
		case other.Word != nil && len(other.OrderIDs) == 0:
			causes = append(causes, cause{kind: doubted, amount: dzd.Amount{}.Sub(o.Amount), place: i})
		}
	}
	return causes, nil
}

// reread explains the last reading anew, where it showed what nothing explained.
func (e *Engine) reread(tx *store.Tx, p *store.Purchase, a *store.Account) error {
	if a.Wallet.Unexplained == nil {
		return nil
	}
	// What more than one thing may explain is left out of level: reread does not know which orders were open when it was read, and would take
	// a possible refund for something else. level is no reading itself, so what the last one showed stays, and what it showed beside level
	// stays open.
	shown, rose := a.Wallet.Shown, a.Wallet.RoseAt
	r := reading{available: level(a.Wallet), shown: level(a.Wallet), at: a.Wallet.At}
	if shown != nil {
		r.shown = *shown
	}
	if err := e.observe(tx, a, r); err != nil {
		return err
	}
	a.Wallet.Shown, a.Wallet.RoseAt = shown, rose
	if shown != nil && !isUnaccounted(a.Wallet) && !tooFine(a.Wallet, *shown, spendable(a.Wallet)) {
		a.Wallet.Unsettled, a.Wallet.Ambiguous = a.Wallet.At, a.Wallet.At
	}
	now, err := tx.Purchase(p.ID)
	*p = now
	return err
}

// noteWhole notes that the orders of a purchase cost all of it: none is missing, and each may be of several units.
func noteWhole(tx *store.Tx, p *store.Purchase, cost dzd.Amount) error {
	if p.Missing == 0 || !cost.Equal(p.Total) {
		return nil
	}
	p.Missing = 0
	return errors.Join(tx.PutPurchase(p), showAnew(tx, *p))
}

// costOf is what the orders of a purchase say that it cost; zero where one of them does not tell. Where each names the
// price of the whole, that is it.
func costOf(tx *store.Tx, p store.Purchase) (dzd.Amount, error) {
	orders, err := ordersOf(tx, p)
	if err != nil {
		return dzd.Amount{}, err
	}
	return priceOf(orders, p), nil
}

// priceOf is costOf by the orders of the purchase.
func priceOf(orders []store.Order, p store.Purchase) (sum dzd.Amount) {
	whole := p.Missing == 0
	for _, o := range orders {
		if o.Price.IsZero() {
			return dzd.Amount{}
		}
		sum, whole = sum.Add(o.Price), whole && o.Price.Equal(p.Total)
	}
	if whole {
		return p.Total
	}
	return sum
}

// costOfAll is what a purchase costs if the units of which no order is known cost as much as the others; zero where none is missing, or the
// others are not of one price.
func costOfAll(tx *store.Tx, p store.Purchase) (dzd.Amount, error) {
	orders, err := ordersOf(tx, p)
	if err != nil || p.Missing == 0 || len(orders) == 0 || len(orders)+p.Missing != p.Quantity {
		return dzd.Amount{}, err
	}
	each := orders[0].Price
	for _, o := range orders {
		if !o.Price.Equal(each) {
			return dzd.Amount{}, nil
		}
	}
	return each.Mul(p.Quantity)
}

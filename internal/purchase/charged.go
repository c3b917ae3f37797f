package purchase

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"time"

	"resellerbot/internal/api/dzd"
	"resellerbot/internal/store"
)

// unnamed notes that the orders of a purchase say that it cost what it is known to have cost, where a reading has shown the
// same: what goes from now on is something else. Who was told that they name another price is told that they do no more.
func (e *Engine) unnamed(tx *store.Tx, p *store.Purchase, a *store.Account, at time.Time) error {
	if err := e.unsaid(tx, p, *a, at); err != nil {
		return err
	}
	i := expected(a.Wallet, p.ID)
	if i < 0 || a.Wallet.Expected[i].Instead == nil || a.Wallet.Expected[i].Seen.IsZero() {
		return nil
	}
	a.Wallet.Expected = slices.Clone(a.Wallet.Expected)
	a.Wallet.Expected[i].Instead, a.Wallet.Expected[i].Earlier = nil, nil
	return tx.PutAccount(a)
}

// unsaid takes back that the orders of a purchase name another price than it is known to have cost.
func (e *Engine) unsaid(tx *store.Tx, p *store.Purchase, a store.Account, at time.Time) error {
	if p.Named == nil {
		return nil
	}
	named, now := *p.Named, p.Cost()
	p.Named = nil
	if err := tx.PutPurchase(p); err != nil {
		return err
	}
	told, err := wasTold(tx, a, *p, named)
	if err != nil || !told {
		return err
	}
	return e.tellShop(tx, *p, a, at, store.PriceUnsureNote, map[string]string{
		"shown": p.Total.String(), "named": now.String(), "before": named.String(),
	})
}

// wasTold reports whether people were told of a price that orders name: the balance did not show that it was not charged.
func wasTold(tx *store.Tx, a store.Account, p store.Purchase, named dzd.Amount) (bool, error) {
	if p.Told.Missing {
		return false, nil
	}
	if toldAtPick(p, named) {
		return true, nil
	}
	paid, gone := dzd.Amount{}.Sub(p.Cost()), dzd.Amount{}.Sub(named)
	// It stands for what the wallet has forgotten by now: a price that has shown as soon as it was sent.
	x := store.Expected{Amount: paid, Instead: &gone, Seen: p.SentAt, At: p.SentAt}
	if i := expected(a.Wallet, p.ID); i >= 0 {
		x.Seen, x.At = a.Wallet.Expected[i].Seen, a.Wallet.Expected[i].At
	}
	// What was shown only after people were told had them told all the same.
	if !x.Seen.Before(x.At.Add(priceLife(a))) {
		return true, nil
	}
	shown, err := isShown(tx, a, x, p)
	return !shown, err
}

// chargedOther takes what was truly charged for a purchase for its price, and tells its chat and the owners both
// figures; and what they were told before, where that was another one.
func (e *Engine) chargedOther(tx *store.Tx, p *store.Purchase, a *store.Account, i int, at time.Time) error {
	x := &a.Wallet.Expected[i]
	more := x.Instead.Sub(x.Amount)
	// more is below zero where more was charged than was taken for the price: Available has lost that price, and loses the rest here.
	x.Amount, x.Instead, x.Earlier = *x.Instead, nil, nil
	a.Wallet.Available = a.Wallet.Available.Add(more)
	revokeMayGo(a, p.ID, more) // people may have been told both prices by now
	cost, before := dzd.Amount{}.Sub(x.Amount), p.Charged
	p.Charged, p.Named = &cost, nil
	if cost.Equal(p.Total) { // it was charged what was shown after all
		p.Charged, p.Missing = nil, 0
	}
	all, err := costOfAll(tx, *p)
	if err != nil {
		return err
	}
	p.PaidAll = !all.IsZero() && cost.Equal(all)
	if p.Missing > 0 && !p.PaidAll {
		// The units that the answer left out may have been sold all the same, at what the others cost, or, where that is not known, at what
		// was shown. Example: three at 100 were asked for, 200 was charged for two of them: 100 more may go.
		rest := cost.Sub(p.Total)
		if !all.IsZero() {
			rest = cost.Sub(all)
		}
		if rest.Sign() < 0 {
			noteMayGo(a, p.ID, rest, store.Rest, at)
		}
	}
	tx.Then(func() { e.log(*p).Warn("the service charged another price than it had shown") })
	err = errors.Join(tx.PutPurchase(p), record(tx, a, store.Movement{
		At: at, Kind: store.Corrected, Amount: more, Balance: a.Wallet.Available, Purchase: p.ID,
	}))
	if err != nil {
		return err
	}
	if err := showAnew(tx, *p); err != nil {
		return err
	}
	return e.tellCharged(tx, *p, *a, cost, before, at)
}

// tellCharged tells what was charged for a purchase; before is what was told of that earlier, nil where nothing was.
func (e *Engine) tellCharged(tx *store.Tx, p store.Purchase, a store.Account, cost dzd.Amount, before *dzd.Amount, at time.Time) error {
	name, args := store.ChargedNote, map[string]string{"shown": p.Total.String(), "charged": cost.String()}
	switch {
	case before != nil:
		args["before"] = before.String()
	case p.Missing > 0 && p.UnitsCharged() > 0:
		name, args["made"], args["asked"] = store.FewerNote, strconv.Itoa(p.UnitsCharged()), strconv.Itoa(p.Quantity)
	}
	return e.tellShop(tx, p, a, at, name, args)
}

// tellShop queues a note about what a purchase cost for its chat and the owners, without the operator, who is none
// of the shop. Each moment's is a note of its own: a later one takes the place of none that waits.
func (e *Engine) tellShop(tx *store.Tx, p store.Purchase, a store.Account, at time.Time, name store.NoteName, args map[string]string) error {
	args["ref"], args["purchase"] = store.Ref(p.ID), p.ID
	for _, chat := range e.concerned(p, a) {
		if chat != p.Chat && a.Role(chat) != store.Owner {
			continue
		}
		id := fmt.Sprintf("%s.y%d", p.ID, at.UnixMilli())
		if err := tx.Enqueue(store.NewNote(chat, id, name, maps.Clone(args))); err != nil {
			return err
		}
	}
	return nil
}

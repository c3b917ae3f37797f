package purchase

import (
	"errors"

	"resellerbot/internal/api/dzd"
	"resellerbot/internal/store"
)

// priced notes what the orders of a purchase say that it cost, where that is not what was shown. The service may call
// a price what nobody paid, so it counts only once the balance shows the same.
func priced(tx *store.Tx, p store.Purchase, a *store.Account) error {
	i := expected(a.Wallet, p.ID)
	if i < 0 || !a.Wallet.Expected[i].Seen.IsZero() || a.Wallet.Expected[i].Instead != nil || p.Missing > 0 {
		return nil
	}
	var sum dzd.Amount
	for _, id := range p.OrderIDs {
		o, err := tx.Order(p.Account, id)
		if err != nil || o.Price.IsZero() {
			return err
		}
		sum = sum.Add(o.Price)
	}
	if sum.Equal(p.Total) || sum.IsZero() {
		return nil
	}
	cost := dzd.Amount{}.Sub(sum)
	a.Wallet.Expected[i].Instead = &cost
	return tx.PutAccount(a)
}

// otherwise finds the one purchase that explains a change if it cost what its orders say instead of what was shown;
// -1 where none does, or several do.
func otherwise(w store.Wallet, change dzd.Amount, causes []cause) (found int) {
	found = -1
	for i, x := range w.Expected {
		if x.Instead == nil || !follows(x) {
			continue
		}
		var others []cause
		for _, c := range causes {
			if c.kind != due || c.id != placeOf(i) {
				others = append(others, c)
			}
		}
		if likeliest(change.Sub(*x.Instead), others).ways == 0 {
			continue
		}
		if found >= 0 {
			return -1
		}
		found = i
	}
	return found
}

// chargedOther takes what was truly charged for a purchase for its price, and tells its chat and the owners both
// figures.
func (e *Engine) chargedOther(tx *store.Tx, a *store.Account, i int, r reading) error {
	x := &a.Wallet.Expected[i]
	p, err := tx.Purchase(x.Purchase)
	if err != nil {
		return err
	}
	more := x.Instead.Sub(x.Amount)
	x.Amount, x.Instead = *x.Instead, nil
	a.Wallet.Available = a.Wallet.Available.Add(more)
	cost := dzd.Amount{}.Sub(x.Amount)
	p.Charged = &cost
	tx.Then(func() { e.log(p).Warn("the service charged another price than it had shown") })
	err = errors.Join(tx.PutPurchase(&p), book(tx, a, store.Movement{
		At: r.at, Kind: store.Corrected, Amount: more, Balance: a.Wallet.Available, Purchase: p.ID,
	}))
	if err != nil {
		return err
	}
	for _, chat := range e.concerned(p, *a) {
		if chat != p.Chat && a.Role(chat) != store.Owner {
			continue // whoever operates the bot is none of the shop
		}
		args := map[string]string{"name": "charged", "ref": store.Ref(p.ID), "shown": p.Total.String(), "charged": cost.String(), "purchase": p.ID}
		if err := tx.Enqueue(&store.Outgoing{Chat: chat, ID: p.ID + ".y", Kind: store.Note, Args: args, Priority: 2}); err != nil {
			return err
		}
	}
	return nil
}

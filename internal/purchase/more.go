package purchase

import (
	"errors"
	"fmt"
	"slices"
	"time"

	"resellerbot/internal/api/dzd"
	"resellerbot/internal/store"
)

// A price may go long after each reading had to show it, or go once more: the document says nothing against that. No
// reading is explained by it, for what is expected comes first. But where money goes that nothing explains, it is ours
// before it is anybody else's.

// noteMayGo notes that money of a purchase may go although no reading has to show that. It has one rest: what was charged of it
// may turn out otherwise again.
func noteMayGo(a *store.Account, purchase string, amount dzd.Amount, why store.MayGo, at time.Time) {
	kept := slices.DeleteFunc(slices.Clone(a.Wallet.Expected), func(x store.Expected) bool {
		return why == store.Rest && x.MayGo == store.Rest && x.Purchase == purchase
	})
	a.Wallet.Expected = newest(append(kept, store.Expected{At: at, Amount: amount, Purchase: purchase, Seen: at, MayGo: why}))
}

// revokeMayGo takes back that money of a purchase may go: it is expected to. What more of it may have been made costs other
// money, though as much.
func revokeMayGo(a *store.Account, purchase string, amount dzd.Amount) {
	i := slices.IndexFunc(a.Wallet.Expected, func(x store.Expected) bool {
		more := x.MayGo == store.Twice || x.MayGo == store.Rest
		return x.MayGo != "" && !more && x.Purchase == purchase && x.Amount.Equal(amount)
	})
	if i >= 0 {
		a.Wallet.Expected = slices.Delete(slices.Clone(a.Wallet.Expected), i, i+1)
	}
}

// assumeShown takes expected changes to be in the last reading, though none has shown them by themselves, and tells how much of
// that readings had to show. They may go all the same.
func assumeShown(a *store.Account, at time.Time, which func(store.Expected) bool) (sum dzd.Amount) {
	var assumed []store.Expected
	a.Wallet.Expected = slices.Clone(a.Wallet.Expected)
	for i := range a.Wallet.Expected {
		x := &a.Wallet.Expected[i]
		if !which(*x) {
			continue
		}
		// One that may have been in the first reading was never subtracted from what can be spent.
		if !x.Before {
			sum = sum.Add(x.Amount)
		}
		x.Seen, x.Learn = at, false
		assumed = append(assumed, *x)
	}
	// Behind the loop: noteMayGo puts a new slice into the wallet.
	for _, x := range assumed {
		noteMayGo(a, x.Purchase, x.Amount, store.Overdue, at)
	}
	return sum
}

// explainByMayGo takes money that nothing explains for what may have gone after all, and names the purchases whose it may
// be. Where that is but one, more of which may have been made, a person is asked about that instead of being alarmed.
func (e *Engine) explainByMayGo(tx *store.Tx, a *store.Account, change dzd.Amount, at time.Time) (asked bool, named []string, err error) {
	var found explanation
	for _, x := range a.Wallet.Expected {
		if x.MayGo == "" || slices.Contains(named, x.Purchase) || len(named) == mostSuspects {
			continue
		}
		if alone := explain(change, mayGoOf(a.Wallet, x.Purchase)); alone.ways > 0 {
			named, found = append(named, x.Purchase), alone
		}
	}
	// Several purchases could each explain it: nobody is asked about one, and the alarm names them all.
	if len(named) != 1 {
		return false, named, nil
	}
	p, err := tx.Purchase(named[0])
	if err != nil {
		return false, nil, err
	}
	// found is taken out of what may go before anything is put in: its places are those of Expected as it was searched.
	switch why := removeMayGo(&a.Wallet, found.chosen); why {
	case store.Twice, store.Rest:
		return true, nil, e.askForMore(tx, a, p, change, why, at)
	case store.Untaken:
		return false, named, awaitAnew(tx, a, p, at)
	}
	return false, named, nil
}

// mayGoOf lists what may go of a purchase: what never went before what may have gone once more.
func mayGoOf(w store.Wallet, purchase string) (first []cause) {
	var more []cause
	for i, x := range w.Expected {
		switch c := (cause{kind: due, amount: x.Amount, place: i}); {
		case x.MayGo == "" || x.Purchase != purchase:
		case x.MayGo == store.Overdue:
			first = append(first, c)
		default:
			more = append(more, c)
		}
	}
	return append(first, more...)
}

// removeMayGo takes what has gone out of what may go, and tells why the first of it might.
func removeMayGo(w *store.Wallet, gone []cause) (why store.MayGo) {
	places := map[int]bool{}
	for n, c := range gone {
		if n == 0 {
			why = w.Expected[c.place].MayGo
		}
		places[c.place] = true
	}
	var left []store.Expected
	for i, x := range w.Expected {
		if !places[i] {
			left = append(left, x)
		}
	}
	w.Expected = left
	return why
}

// askForMore makes what may have been made beside a purchase one of its own, whose price has gone, for a person to decide
// about: units of it that the answer left out were sold after all.
func (e *Engine) askForMore(tx *store.Tx, a *store.Account, of store.Purchase, change dzd.Amount, why store.MayGo, at time.Time) error {
	more := store.Purchase{
		ID: store.NewID(at, e.cfg.Random), Account: a.ID, Chat: of.Chat, User: of.User, Buyer: of.Buyer, Thread: of.Thread, Phase: store.Unknown,
		ProductID: of.ProductID, VariantID: of.VariantID, Category: of.Category, Plan: of.Plan, Family: of.Family, Topup: of.Topup, Manual: of.Manual,
		Product: of.Product, Variant: of.Variant, Quantity: of.Quantity, Inputs: of.Inputs, For: of.For, Player: of.Player,
		Price: of.Price, Sells: of.Sells, Total: dzd.Amount{}.Sub(change), Of: of.ID, More: why, Before: store.Snapshot{Used: -1},
		Evidence: &store.Evidence{At: at, Used: -1, Rule: store.RuleMoneyGone, Paid: true, Traced: at},
		Attempts: 1, CreatedAt: at, QueuedAt: of.QueuedAt, SentAt: of.SentAt, AnsweredAt: at,
	}
	// The units that the answer left out become a purchase of their own, and the first one keeps those that it named. Where all
	// of them were found since, it is whole, and the money went for more of the same.
	if why == store.Rest && of.Missing > 0 {
		more.Quantity = of.Missing
		if err := splitRest(tx, &of); err != nil {
			return err
		}
	}
	a.Wallet.Expected = append(slices.Clone(a.Wallet.Expected), store.Expected{At: at, Amount: change, Purchase: more.ID, Seen: at, Doubtful: true})
	// By hand: it begins as unknown, which is open already, so that move below counts nothing.
	a.Open++
	tx.Then(func() { e.log(more).Warn("more of a purchase may have been made", "of", of.ID, "why", string(why)) })
	return errors.Join(e.move(tx, &more, a, GiveUp, store.RuleMoneyGone), e.pingUncertain(tx, more, *a, 0))
}

// updateMoreQuestions brings questions about more of a purchase up to date where as much came back as had gone: it may have failed.
func updateMoreQuestions(tx *store.Tx, a store.Account, change dzd.Amount, at time.Time) error {
	for _, x := range a.Wallet.Expected {
		if !x.Doubtful || x.Seen.IsZero() || !x.Amount.Add(change).IsZero() {
			continue
		}
		p, err := tx.Purchase(x.Purchase)
		if errors.Is(err, store.ErrNotFound) {
			continue
		}
		if err != nil {
			return err
		}
		if p.More == "" || p.Phase != store.Undecided || !p.SeemsPaid() {
			continue
		}
		seen := *p.Evidence
		seen.At, seen.Rule, seen.Paid = at, store.RuleTraces, false
		p.Evidence = &seen
		return errors.Join(tx.PutPurchase(&p), showAnew(tx, p), askOwners(tx, p, a))
	}
	return nil
}

// splitRest leaves a purchase with the units that its answer named, at what was shown for these.
func splitRest(tx *store.Tx, p *store.Purchase) error {
	shown, err := p.Price.Mul(p.Quantity - p.Missing)
	if err != nil {
		return fmt.Errorf("count what was shown for some units: %w", err)
	}
	p.Quantity, p.Missing, p.Total = p.Quantity-p.Missing, 0, shown
	// Charged is set here: only chargedOther notes a Rest, and it sets both.
	if p.Charged != nil && p.Charged.Equal(p.Total) {
		p.Charged = nil
	}
	return errors.Join(tx.PutPurchase(p), showAnew(tx, *p))
}

// awaitAnew waits again for the refund of orders that have failed: their price had not gone then, and has gone since.
func awaitAnew(tx *store.Tx, a *store.Account, p store.Purchase, at time.Time) error {
	for _, id := range p.OrderIDs {
		o, err := tx.Order(p.Account, id)
		if err != nil {
			return err
		}
		if o.Refund != store.RefundUntaken {
			continue
		}
		o.Refund, o.Came, o.ReadyAt, a.RefundAt = store.RefundUnread, store.Inflow{}, at, time.Time{}
		a.Refunds = append(a.Refunds, id)
		if err := tx.PutOrder(&o); err != nil {
			return err
		}
	}
	return showAnew(tx, p)
}

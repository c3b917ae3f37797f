package purchase

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"time"

	"golang.org/x/sync/errgroup"

	"resellerbot/internal/api"
	"resellerbot/internal/api/dzd"
	"resellerbot/internal/store"
)

const (
	refundPatience = 15 * time.Minute // then people are told that a refund was not seen
	refundLife     = 24 * time.Hour   // then it is looked for no more
	refundsAtOnce  = 100
	watched        = 8  // accounts looked at side by side
	mostSubsets    = 12 // refunds among which every sum is tried
)

// lookAgain is when to look for a refund next, by how long ago its order failed.
func lookAgain(age time.Duration) time.Duration {
	switch {
	case age < time.Minute:
		return 3 * time.Second
	case age < refundPatience:
		return 15 * time.Second
	}
	return 10 * time.Minute
}

// debit takes an accepted purchase out of the wallet.
func debit(tx *store.Tx, a *store.Account, p store.Purchase, at time.Time) error {
	if !a.Wallet.Known {
		return nil // nothing is known to take it from; the next reading starts anew
	}
	a.Wallet.Balance = a.Wallet.Balance.Sub(p.Total)
	return tx.AddMovement(a, store.Movement{
		At: at, Kind: store.Bought, Amount: dzd.Amount{}.Sub(p.Total), Balance: a.Wallet.Balance, Purchase: p.ID,
	})
}

// reading is one look at a balance that no spend of ours overlapped.
type reading struct {
	balance dzd.Amount
	at      time.Time
	hoped   []dzd.Amount // what orders cost that were still waited for: their refunds may be in it
}

// reading makes a reading of what a balance was at a moment. The refund of an order may be there before anybody
// was told that the order failed, so money that came is looked at in that light.
func (e *Engine) reading(ctx context.Context, a store.Account, balance dzd.Amount, at time.Time) (reading, error) {
	r := reading{balance: balance, at: at}
	if !a.Wallet.Known || !a.Wallet.Balance.Less(balance) {
		return r, nil
	}
	waiting, err := e.cfg.Store.PendingOrders(ctx, a.ID, "", refundsAtOnce)
	if err != nil {
		return r, err
	}
	for _, o := range waiting {
		p, err := e.cfg.Store.Purchase(ctx, o.Purchase)
		if err != nil {
			return r, err
		}
		r.hoped = append(r.hoped, p.Price)
	}
	return r, nil
}

// observe takes a reading of the balance and explains what changed since the last: refunds that were waited
// for, and the rest as moved from outside. What may be the refund of an order that is still waited for is left
// unexplained, and found again by the next reading.
func (e *Engine) observe(tx *store.Tx, a *store.Account, r reading) error {
	balance, at := r.balance, r.at
	known, was := a.Wallet.Known, a.Wallet.Balance
	a.Wallet = store.Wallet{Balance: balance, At: at, Known: true}
	change := balance.Sub(was)
	if !known || change.Sign() == 0 {
		return nil
	}
	waiting, amounts, err := refundsOf(tx, *a)
	if err != nil {
		return err
	}
	var touched []string
	hoped := false
	for _, i := range explain(change, slices.Concat(amounts, r.hoped)) {
		if i >= len(waiting) {
			hoped = true
			continue
		}
		o := waiting[i]
		was, change = was.Add(amounts[i]), change.Sub(amounts[i])
		if err := e.refunded(tx, a, o, amounts[i], was, at); err != nil {
			return err
		}
		if !slices.Contains(touched, o.Purchase) {
			touched = append(touched, o.Purchase)
		}
	}
	switch {
	case hoped:
		a.Wallet.Balance = was
	case change.Sign() != 0:
		if err := e.outside(tx, a, change, balance, at); err != nil {
			return err
		}
	}
	for _, id := range touched {
		p, err := tx.Purchase(id)
		if err != nil {
			return err
		}
		if err := e.bring(tx, &p, a, true, at); err != nil {
			return err
		}
	}
	return nil
}

// outside writes down a change of the balance that nothing of ours explains. Money that went is told of.
func (e *Engine) outside(tx *store.Tx, a *store.Account, change, balance dzd.Amount, at time.Time) error {
	if err := tx.AddMovement(a, store.Movement{At: at, Kind: store.Outside, Amount: change, Balance: balance}); err != nil {
		return err
	}
	e.cfg.Log.Info("the balance moved by something else", "account", a.ID)
	if change.Sign() > 0 {
		return nil
	}
	a.OutsideAt = at
	return alarm(tx, *a, change, balance, at)
}

// alarm tells the owners of an account that money went which no purchase of ours explains: somebody else may
// have its key.
func alarm(tx *store.Tx, a store.Account, change, balance dzd.Amount, at time.Time) error {
	for _, chat := range a.Chats {
		if !a.HearsMoney(chat) {
			continue
		}
		al, err := tx.Alerts(chat)
		if err != nil {
			return err
		}
		if al.Lines[store.Debit].Mode == store.AlertOff {
			continue
		}
		err = tx.Enqueue(&store.Outgoing{
			Chat: chat, ID: "debit." + strconv.FormatInt(at.UnixMicro(), 36), Kind: store.Note, Priority: 2,
			Args: map[string]string{"name": "debit", "amount": dzd.Amount{}.Sub(change).String(), "balance": balance.String()},
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// Observe reads an account's balance, in DZD, and explains what has changed it since the last reading. A
// reading during which something is bought explains nothing, and is only returned. Errors are those of the
// store, or an *api.Error.
func (e *Engine) Observe(ctx context.Context, account string) (api.Balance, error) {
	a, err := e.cfg.Store.Account(ctx, account)
	if err != nil {
		return api.Balance{}, err
	}
	b, err := e.cfg.Service(a).Balance(ctx, 0)
	if err != nil || a.Busy != "" || a.Wallet.Known && a.Wallet.Balance.Equal(b.Balance) {
		return b, err
	}
	seen, err := e.reading(ctx, a, b.Balance, time.Now())
	if err != nil {
		return b, err
	}
	return b, e.cfg.Store.Update(context.WithoutCancel(ctx), func(tx *store.Tx) error {
		now, err := tx.Account(account)
		if err != nil || now.Busy != "" || now.Spends != a.Spends {
			return err
		}
		if err := e.observe(tx, &now, seen); err != nil {
			return err
		}
		return tx.PutAccount(&now)
	})
}

// refunded notes that the money of a failed order is back.
func (e *Engine) refunded(tx *store.Tx, a *store.Account, o store.Order, amount, balance dzd.Amount, at time.Time) error {
	o.Refund = store.RefundSeen
	a.Refunds = without(a.Refunds, o.ID)
	if len(a.Refunds) == 0 {
		a.LookAt = time.Time{}
	}
	if err := tx.PutOrder(&o); err != nil {
		return err
	}
	e.cfg.Log.Info("refund seen", "purchase", o.Purchase, "account", a.ID, "order", o.ID)
	return tx.AddMovement(a, store.Movement{
		At: at, Kind: store.Refunded, Amount: amount, Balance: balance, Purchase: o.Purchase,
	})
}

// refundsOf reads the orders whose refund is waited for, with what each is worth.
func refundsOf(tx *store.Tx, a store.Account) (waiting []store.Order, amounts []dzd.Amount, err error) {
	for _, id := range a.Refunds {
		o, err := tx.Order(a.ID, id)
		if err != nil {
			return nil, nil, err
		}
		p, err := tx.Purchase(o.Purchase)
		if err != nil {
			return nil, nil, err
		}
		waiting, amounts = append(waiting, o), append(amounts, p.Price)
	}
	return waiting, amounts, nil
}

// explain picks the refunds whose sum is a change, the fewest and oldest that make it; none where no sum
// does. Among very many only the oldest in a row are tried.
func explain(change dzd.Amount, amounts []dzd.Amount) []int {
	if change.Sign() <= 0 {
		return nil
	}
	if len(amounts) > mostSubsets {
		var sum dzd.Amount
		var row []int
		for i, a := range amounts {
			sum, row = sum.Add(a), append(row, i)
			if sum.Equal(change) {
				return row
			}
		}
		return nil
	}
	var best []int
	for set := range 1 << len(amounts) {
		var sum dzd.Amount
		var chosen []int
		for i, a := range amounts {
			if set&(1<<i) != 0 {
				sum, chosen = sum.Add(a), append(chosen, i)
			}
		}
		if len(chosen) > 0 && sum.Equal(change) && (best == nil || len(chosen) < len(best)) {
			best = chosen
		}
	}
	return best
}

// TendAccounts looks at the accounts that are due: it reads the balance where the refund of a failed order
// is waited for, and tells the chats what it shows, that the money is back or, after 15 minutes, that it was
// not seen; and it checks accounts that a restore has frozen.
func (e *Engine) TendAccounts(ctx context.Context) error {
	due, err := e.cfg.Store.ClaimAccounts(ctx, time.Now(), time.Minute, refundsAtOnce)
	if err != nil {
		return fmt.Errorf("claim accounts: %w", err)
	}
	var g errgroup.Group
	g.SetLimit(watched)
	for _, a := range due {
		g.Go(func() error {
			look := e.lookForRefunds
			if a.Frozen {
				look = e.thaw
			}
			if err := look(ctx, a); err != nil && ctx.Err() == nil {
				e.cfg.Log.Warn("look at an account", "account", a.ID, "frozen", a.Frozen, "err", err)
			}
			return nil
		})
	}
	return g.Wait()
}

// lookForRefunds takes one reading of an account's balance. A reading during which something was bought
// proves nothing and is taken again.
func (e *Engine) lookForRefunds(ctx context.Context, a store.Account) error {
	var seen *reading
	var failed error
	if a.Busy == "" {
		b, err := e.cfg.Service(a).Balance(api.InBackground(ctx), 0)
		if failed = err; err == nil {
			r, err := e.reading(ctx, a, b.Balance, time.Now())
			if err != nil {
				return err
			}
			seen = &r
		}
	}
	err := e.cfg.Store.Update(context.WithoutCancel(ctx), func(tx *store.Tx) error {
		now, err := tx.Account(a.ID)
		if err != nil {
			return err
		}
		if seen != nil && now.Busy == "" && now.Spends == a.Spends {
			if err := e.observe(tx, &now, *seen); err != nil {
				return err
			}
		}
		if err := e.missRefunds(tx, &now, time.Now()); err != nil {
			return err
		}
		return tx.PutAccount(&now)
	})
	if errors.Is(err, store.ErrNotFound) {
		return nil
	}
	return errors.Join(failed, err)
}

// missRefunds tells people about refunds that were not seen in time, and sets the next look.
func (e *Engine) missRefunds(tx *store.Tx, a *store.Account, at time.Time) error {
	a.LookAt = time.Time{}
	for _, id := range slices.Clone(a.Refunds) {
		o, err := tx.Order(a.ID, id)
		if err != nil {
			return err
		}
		age := at.Sub(o.ReadyAt)
		if age >= refundLife {
			a.Refunds = without(a.Refunds, id)
			continue
		}
		if next := at.Add(lookAgain(age)); a.LookAt.IsZero() || next.Before(a.LookAt) {
			a.LookAt = next
		}
		if age < refundPatience || o.Refund != store.RefundWaiting {
			continue
		}
		o.Refund = store.RefundMissing
		if err := tx.PutOrder(&o); err != nil {
			return err
		}
		e.cfg.Log.Warn("a refund was not seen", "purchase", o.Purchase, "account", a.ID, "order", o.ID)
		if err := e.bringOrder(tx, a, o.Purchase, at); err != nil {
			return err
		}
	}
	return nil
}

// bringOrder settles a purchase after something became of the money of one of its orders, and has people
// told that they must take it up with the service.
func (e *Engine) bringOrder(tx *store.Tx, a *store.Account, purchase string, at time.Time) error {
	p, err := tx.Purchase(purchase)
	if err != nil {
		return err
	}
	if err := e.bring(tx, &p, a, true, at); err != nil {
		return err
	}
	return e.askForSupport(tx, p, *a)
}

// askForSupport queues what has to be taken up with the service for everybody who can: the purchase's own
// chat, the owners, and the operator.
func (e *Engine) askForSupport(tx *store.Tx, p store.Purchase, a store.Account) error {
	chats := []int64{p.Chat}
	for _, chat := range a.PrivateChats(store.Owner) {
		if chat != p.Chat {
			chats = append(chats, chat)
		}
	}
	if e.cfg.Owner != 0 && !slices.Contains(chats, e.cfg.Owner) {
		chats = append(chats, e.cfg.Owner)
	}
	for _, chat := range chats {
		if err := tx.Enqueue(&store.Outgoing{Chat: chat, ID: p.ID + ".s", Kind: store.Support, Purchase: p.ID, Priority: 2}); err != nil {
			return err
		}
	}
	return nil
}

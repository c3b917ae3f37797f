package purchase

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"resellerbot/internal/api"
	"resellerbot/internal/api/dzd"
	"resellerbot/internal/store"
)

// Where the service tells no user of a key, two keys of one wallet are two accounts here, and what is bought with one moves
// the balance of the other by nothing of its own. Nothing that is shown says that a wallet is the same. But where both keys
// show one balance, to the centime, and just what is gone was bought with the other one, people are told that before
// anybody is suspected; and so they are where more was bought with it shortly before, for money may have come beside that. It is told
// all the same, and each purchase explains one debit: money that others take besides is called gone.

// elsewhere is a purchase that was made with another key that shows the same balance.
type elsewhere struct {
	purchase string
	amount   dzd.Amount // what it does to the balance
	at       time.Time  // when it was sent
	back     bool       // its money came back
}

// boughtElsewhere lists what was bought lately with other keys that may open the wallet of an account, where it is to be told
// by now that money has gone from it which nothing explains.
func (e *Engine) boughtElsewhere(ctx context.Context, a store.Account, available dzd.Amount, at time.Time) (out []elsewhere, err error) {
	// It walks all accounts, so it is asked only when the alarm is about to go: money that went has stood for the whole memory.
	gone, memory := a.Wallet.Unexplained, memoryOf(a)
	if gone == nil || gone.Amount.Sign() >= 0 || at.Sub(gone.Since) < memory {
		return nil, nil
	}
	// What is left of a change that stood counts from when the rest of it was told, a memory after it had shown. Example with a memory of 16
	// minutes: 500 are gone at 12:00, and 700 later. At 12:16 people are told of 500, and 200 count from then: what was bought from 11:44 on
	// is listed for them.
	since := gone.Since.Add(-2 * memory)
	shown, err := e.shownLately(ctx, a, available, since)
	if err != nil {
		return nil, err
	}
	for after := ""; ; {
		list, err := e.cfg.Store.Accounts(ctx, after, accountPage)
		if err != nil {
			return nil, fmt.Errorf("list accounts: %w", err)
		}
		if len(list) == 0 {
			return out, nil
		}
		after = list[len(list)-1].ID
		for _, o := range list {
			bought, err := e.alikeWith(ctx, a, o, since, shown)
			if err != nil {
				return nil, err
			}
			out = append(out, bought...)
		}
	}
}

// alikeWith lists what was bought with another account since a moment, where it may have one wallet with an account that has shown some
// balances since then.
func (e *Engine) alikeWith(ctx context.Context, a, o store.Account, since time.Time, shown []dzd.Amount) ([]elsewhere, error) {
	named := a.UserID != 0 && o.UserID != 0 // two users have two wallets
	// An account that no reading was taken of shows no balance to compare.
	if o.ID == a.ID || named || !o.Wallet.Read {
		return nil, nil
	}
	bought, alike, err := e.boughtWith(ctx, o, since, shown)
	if err != nil || !alike {
		return nil, err
	}
	return bought, nil
}

// accountPage is how many accounts are read at once.
const accountPage = 100

// shownLately lists what could be spent with an account since a moment: now, and before each movement of its own since then. Another key may
// have been looked at before those.
func (e *Engine) shownLately(ctx context.Context, a store.Account, available dzd.Amount, since time.Time) (shown []dzd.Amount, err error) {
	list, err := e.cfg.Store.Movements(ctx, a.ID, mostExpected)
	if err != nil {
		return nil, fmt.Errorf("read the movements of an account: %w", err)
	}
	shown = append(shown, available)
	// The list begins with the newest, so what moved last is taken back first.
	for _, m := range list {
		if m.At.Before(since) {
			break
		}
		available = available.Sub(m.Amount)
		shown = append(shown, available)
	}
	return shown, nil
}

// boughtWith lists what was bought with an account since a moment, or may have been: whose answer was lost is on the way to people. alike
// tells that it has shown, or has to show, one of some balances since then.
func (e *Engine) boughtWith(ctx context.Context, o store.Account, since time.Time, balances []dzd.Amount) (bought []elsewhere, alike bool, err error) {
	list, err := e.cfg.Store.Movements(ctx, o.ID, mostExpected)
	if err != nil {
		return nil, false, fmt.Errorf("read the movements of another account: %w", err)
	}
	shows := func(balance dzd.Amount) bool { return slices.ContainsFunc(balances, balance.Equal) }
	alike = shows(spendable(o.Wallet)) || o.Wallet.Shown != nil && shows(*o.Wallet.Shown)
	for _, x := range slices.Backward(o.Wallet.Expected) {
		if x.Doubtful && x.Purchase != "" && x.MayGo == "" && !x.At.Before(since) {
			bought = append(bought, elsewhere{purchase: x.Purchase, amount: x.Amount, at: x.At})
		}
	}
	back := map[string]bool{} // by purchase
	// The list begins with the newest.
	for _, m := range list {
		if m.At.Before(since) {
			break
		}
		alike = alike || shows(m.Balance)
		back[m.Purchase] = back[m.Purchase] || m.Kind == store.Refunded
		if m.Kind != store.Bought {
			continue
		}
		// A lost answer is written down when it is found, minutes after the money has gone.
		p, err := e.cfg.Store.Purchase(ctx, m.Purchase)
		if err != nil && !errors.Is(err, store.ErrNotFound) {
			return nil, false, fmt.Errorf("read a purchase with another key: %w", err)
		}
		sent := p.SentAt
		if sent.IsZero() {
			sent = m.At
		}
		bought = append(bought, elsewhere{m.Purchase, m.Amount, sent, back[m.Purchase]})
	}
	return bought, alike, nil
}

// mayBeOtherKeys reports whether orders that fit a purchase may be those of another one of the same item that was sent with another key
// which may open the same wallet: one as uncertain, one whose answer left orders out, or one whose orders a list is not seen to show. Neither
// list nor balance tells whose they are. list is nil where the orders are in none.
func (v *evidence) mayBeOtherKeys(ctx context.Context, list []api.Order) (bool, error) {
	for after := ""; ; {
		page, err := v.engine.cfg.Store.OpenPurchases(ctx, after, accountPage)
		if err != nil {
			return false, fmt.Errorf("list open purchases: %w", err)
		}
		if len(page) == 0 {
			return v.mayBeElsewhere(ctx, list)
		}
		after = page[len(page)-1].ID
		for _, o := range page {
			// What the records say comes first: sharesWallet reads the movements of both accounts.
			uncertain := o.Phase == store.Submitting || o.Phase == store.Unknown || o.Phase == store.Undecided || o.Phase == store.Accepted && o.Missing > 0
			if o.Account == v.of.Account || !uncertain || !v.isAlike(o) {
				continue
			}
			if alike, err := v.engine.sharesWallet(ctx, v.account, v.of, o); alike || err != nil {
				return alike, err
			}
		}
	}
}

// isAlike reports whether another purchase is of the same item, and in the same list.
func (v *evidence) isAlike(o store.Purchase) bool {
	return listOf(o) == listOf(v.of) && itemOf(o).alike(itemOf(v.of))
}

// mayBeElsewhere is mayBeOtherKeys for purchases that are not uncertain: those that were denied so shortly before that they may be executed
// yet, for a refusal does not say that nothing was made, and, where there is a list that would show them, those that were accepted.
func (v *evidence) mayBeElsewhere(ctx context.Context, list []api.Order) (bool, error) {
	with, err := v.compared(ctx, list)
	if err != nil {
		return false, err
	}
	for after := ""; ; {
		page, err := v.engine.cfg.Store.Accounts(ctx, after, accountPage)
		if err != nil {
			return false, fmt.Errorf("list accounts: %w", err)
		}
		if len(page) == 0 {
			return false, nil
		}
		after = page[len(page)-1].ID
		for _, o := range page {
			if may, err := v.mayBeWith(ctx, o, with); may || err != nil {
				return may, err
			}
		}
	}
}

// mayBeWith is mayBeElsewhere for one account.
func (v *evidence) mayBeWith(ctx context.Context, o store.Account, with *comparison) (bool, error) {
	if o.ID == v.of.Account || v.account.UserID != 0 && o.UserID != 0 { // two users have two wallets
		return false, nil
	}
	if may, err := v.deniedWith(ctx, o); may || err != nil {
		return may, err
	}
	return v.acceptedWith(ctx, o, with)
}

// comparison is what other accounts are compared with.
type comparison struct {
	shown    listIndex    // by the list
	balances []dzd.Amount // that the account of the purchase was seen with
	since    time.Time
}

// compared is what the accepted purchases of other accounts are compared with; nil where there is no list that would show them.
func (v *evidence) compared(ctx context.Context, list []api.Order) (*comparison, error) {
	if list == nil {
		return nil, nil //nolint:nilnil // without a list there is nothing to compare
	}
	since := v.listedFrom().Add(-recall)
	seen, err := v.engine.balancesOf(ctx, v.account, since)
	return &comparison{indexOf(list), append(seen, v.of.Before.Available), since}, err
}

// deniedWith is mayBeElsewhere for what was denied of one other account.
func (v *evidence) deniedWith(ctx context.Context, o store.Account) (bool, error) {
	for _, x := range o.Wallet.Expected {
		// At is when it was sent, or when a person said last that it was not bought. The bound is that of rival (evidence.go).
		if !x.Denied || v.of.SentAt.Sub(x.At) >= executedLate+memoryOf(v.account) {
			continue
		}
		denied, alike, err := v.alikeElsewhere(ctx, x.Purchase)
		if err != nil {
			return false, err
		}
		if !alike {
			continue
		}
		if shares, err := v.engine.sharesWallet(ctx, v.account, v.of, denied); shares || err != nil {
			return shares, err
		}
	}
	return false, nil
}

// acceptedWith is mayBeElsewhere for what was accepted of one other account, since a list may have been read that was as old as one can be: an
// older one was in the list before this one was sent. The wallet forgets what has shown, so its movements are read; of an account that was
// never seen with one of the same balances no purchase is.
func (v *evidence) acceptedWith(ctx context.Context, o store.Account, with *comparison) (bool, error) {
	if with == nil {
		return false, nil
	}
	moved, err := v.engine.movements(ctx, o.ID, with.since)
	if err != nil || !shareBalance(with.balances, balancesIn(o, moved)) {
		return false, err
	}
	for _, m := range moved {
		if m.Kind != store.Bought || !m.At.After(v.listedFrom()) {
			continue
		}
		accepted, alike, err := v.alikeElsewhere(ctx, m.Purchase)
		if err != nil {
			return false, err
		}
		if !alike {
			continue
		}
		if lacks, err := v.lacks(ctx, with.shown, accepted); err != nil {
			return false, err
		} else if !lacks {
			continue
		}
		if shares, err := v.engine.sharesWallet(ctx, v.account, v.of, accepted); shares || err != nil {
			return shares, err
		}
	}
	return false, nil
}

// alikeElsewhere reads a purchase of another account, and reports whether it is of the same item, and in the same list.
func (v *evidence) alikeElsewhere(ctx context.Context, id string) (o store.Purchase, alike bool, err error) {
	o, err = v.engine.cfg.Store.Purchase(ctx, id)
	if errors.Is(err, store.ErrNotFound) {
		return o, false, nil
	}
	if err != nil {
		return o, false, fmt.Errorf("read a purchase of another account: %w", err)
	}
	return o, v.isAlike(o), nil
}

// lacks reports whether a list is not seen to show all orders of an accepted purchase.
func (v *evidence) lacks(ctx context.Context, shown listIndex, p store.Purchase) (bool, error) {
	orders, err := v.engine.cfg.Store.OrdersOf(ctx, p)
	lacks := len(orders) == 0 || p.Missing > 0 || slices.ContainsFunc(orders, func(o store.Order) bool { return !shown.has(p, o) })
	return lacks && err == nil, err
}

// sharesWallet reports whether the account of another purchase may have one wallet with that of a purchase: both have been seen
// with one balance, to the centime, since the older of the two purchases could be read about. That two shops have held the same
// sum some other day says nothing.
func (e *Engine) sharesWallet(ctx context.Context, a store.Account, p, other store.Purchase) (bool, error) {
	o, err := e.cfg.Store.Account(ctx, other.Account)
	if err != nil {
		return false, fmt.Errorf("read another account: %w", err)
	}
	if a.UserID != 0 && o.UserID != 0 { // two users have two wallets
		return false, nil
	}
	since := p.SentAt
	if other.SentAt.Before(since) {
		since = other.SentAt
	}
	since = since.Add(-recall) // a reading is no older, and one wallet is read more often
	mine, err := e.balancesOf(ctx, a, since)
	if err != nil {
		return false, err
	}
	theirs, err := e.balancesOf(ctx, o, since)
	return shareBalance(append(mine, p.Before.Available), append(theirs, other.Before.Available)), err
}

// shareBalance reports whether two accounts were seen with one balance.
func shareBalance(mine, theirs []dzd.Amount) bool {
	return slices.ContainsFunc(mine, func(b dzd.Amount) bool { return slices.ContainsFunc(theirs, b.Equal) })
}

// balancesOf lists what an account was seen with since a moment: now, and before and after each of its movements.
func (e *Engine) balancesOf(ctx context.Context, a store.Account, since time.Time) ([]dzd.Amount, error) {
	moved, err := e.movements(ctx, a.ID, since)
	if err != nil {
		return nil, err
	}
	return balancesIn(a, moved), nil
}

// balancesIn is balancesOf for the movements since then.
func balancesIn(a store.Account, moved []store.Movement) []dzd.Amount {
	seen := []dzd.Amount{spendable(a.Wallet)}
	if a.Wallet.Shown != nil {
		seen = append(seen, *a.Wallet.Shown)
	}
	for _, m := range moved {
		seen = append(seen, m.Balance, m.Balance.Sub(m.Amount))
	}
	return seen
}

// spentElsewhere names the purchases with another key that are just what has gone; none where they are not, or have
// explained another debit before.
func spentElsewhere(w store.Wallet, change dzd.Amount, bought []elsewhere) (ids []string) {
	var causes []cause
	// One purchase is named for one debit. Where as much goes once more, it is not explained by the same purchase again.
	// The oldest first, as they come: of alike ones, what shows later is explained by those that were bought later.
	for i, b := range slices.Backward(bought) {
		if !isNamed(w, b) {
			causes = append(causes, cause{kind: due, amount: b.amount, place: i})
		}
	}
	for _, c := range explain(change, causes).chosen {
		ids = append(ids, bought[c.place].purchase)
	}
	return ids
}

// spentMoreElsewhere reports whether purchases with another key cost more than what has gone since a moment: money that came beside them, as a
// top-up, leaves less gone. They were sent within a memory before that moment, since the first reading of the account, and their money
// has not come back. None of them is named by it: its own debit may have still to show.
func spentMoreElsewhere(w store.Wallet, change dzd.Amount, bought []elsewhere, since time.Time, memory time.Duration) bool {
	var cost dzd.Amount
	for _, b := range bought {
		if !b.back && !isNamed(w, b) && !b.at.After(since) && since.Sub(b.at) < memory && !b.at.Before(w.Began) {
			cost = cost.Add(b.amount)
		}
	}
	return change.Sign() < 0 && cost.Less(change)
}

// isNamed reports whether a purchase with another key was named for a debit before.
func isNamed(w store.Wallet, b elsewhere) bool {
	return slices.ContainsFunc(w.Expected, func(x store.Expected) bool { return slices.Contains(x.Elsewhere, b.purchase) })
}

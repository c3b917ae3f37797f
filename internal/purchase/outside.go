package purchase

import (
	"errors"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"resellerbot/internal/api/dzd"
	"resellerbot/internal/store"
)

// patienceWith is for how long a change has to stand that nothing explains: where money is gone, until no reading is
// that old, for whoever is told thinks of a thief; where purchases are about whose money may be late, or charged at
// another price, until they must have shown. Money that seems to come may be a reading from before the explaining began. A
// person's word alone delays no money that came.
func patienceWith(a store.Account, change dzd.Amount, causes []cause) time.Duration {
	if memory := memoryOf(a); change.Sign() < 0 || a.Wallet.At.Sub(a.Wallet.Began) < memory {
		return memory
	}
	for _, c := range causes {
		if c.kind != due && c.kind != doubted {
			continue
		}
		if !a.Wallet.Expected[c.place].Said {
			return memoryOf(a)
		}
	}
	return 0
}

// noteUnexplained notes a change that nothing of ours explains. What of it has stood for so long, in each reading, is one from
// outside. Until then, later changes are explained beside it.
func (e *Engine) noteUnexplained(tx *store.Tx, a *store.Account, change dzd.Amount, r reading, patience time.Duration) error {
	// UnexplainedChanges counts the steps. A snapshot keeps it, so that evidence is not compared across a step that nothing explained.
	if was := a.Wallet.Unexplained; was == nil || !change.Equal(was.Amount) {
		a.Wallet.UnexplainedChanges++
	}
	// Without patience one reading is enough: only money that came gets that, of which nobody is alarmed.
	s := standing(a.Wallet.Unexplained, change, r.at)
	a.Wallet.Unexplained = &s
	if patience > 0 && (r.at.Sub(s.Since) < patience || s.Looks < leastLooks) {
		return nil
	}
	r.since = s.Since
	sent, ready, err := mayBookAsOutside(tx, *a, r)
	if err != nil || !ready {
		return err
	}
	return e.bookAsOutside(tx, a, change, s.Stood, sent, r)
}

// mayBookAsOutside reports whether a change that has stood can be told from prices of ours by now, and names the purchases that were sent before it
// and accepted later: they were uncertain. The price of such a one may be in it or not until it must have shown.
func mayBookAsOutside(tx *store.Tx, a store.Account, r reading) (sent map[string]bool, ready bool, err error) {
	sent = map[string]bool{}
	for _, x := range a.Wallet.Expected {
		if x.Purchase == "" || !isUnshown(x) || !x.At.After(r.since) {
			continue
		}
		if sent[x.Purchase], err = wasSent(tx, x, r.since); err != nil {
			return nil, false, err
		}
		if sent[x.Purchase] && r.at.Sub(x.At) < memoryOf(a) {
			return nil, false, nil
		}
	}
	return sent, true, nil
}

// wasSent reports whether the purchase of an expected change was sent by a moment: one that was uncertain is expected from when that ended.
func wasSent(tx *store.Tx, x store.Expected, by time.Time) (bool, error) {
	if x.Purchase == "" || !x.At.After(by) {
		return !x.At.After(by), nil
	}
	p, err := tx.Purchase(x.Purchase)
	return err == nil && !p.SentAt.After(by), err
}

// isSignOfOthers reports whether money is gone that nothing explains, before it is told of.
func isSignOfOthers(w store.Wallet) bool {
	return w.Unexplained != nil && w.Unexplained.Amount.Sign() < 0
}

// leastLooks have to agree on what has stood.
// One reading is no witness: the service may show a figure once that it never shows again.
const leastLooks = 3

// standing is what of a change has stood since it was first seen, where one more reading shows it. A change in the other
// direction begins anew.
//
// Example: readings show -500, -700, -600. All of it is one change that stands since the first of them: Stood is -500, and Amount is what
// the last one shows.
func standing(was *store.StandingChange, change dzd.Amount, at time.Time) store.StandingChange {
	if was != nil {
		if stood, both := common(was.Stood, change); both {
			changed := at
			if change.Equal(was.Amount) {
				changed = was.Changed
			}
			return store.StandingChange{Since: was.Since, Amount: change, Stood: stood, Looks: was.Looks + 1, Changed: changed}
		}
	}
	return store.StandingChange{Since: at, Amount: change, Stood: change, Looks: 1, Changed: at}
}

// common is what two changes in one direction have in common; false where they are in two.
func common(a, b dzd.Amount) (dzd.Amount, bool) {
	switch {
	case a.Sign() != b.Sign():
		return dzd.Amount{}, false
	case a.Less(b) == (a.Sign() < 0):
		return b, true
	}
	return a, true
}

// bookAsOutside takes what has stood of a change for one from outside, beside what has to be in it by now. The rest has to
// stand for as long. What was bought later is not in what has stood, but for the purchases that had been sent by then (sent).
//
// Example: 500 have stood, and now 700 are gone, of which 300 are the price of a purchase that was sent before they showed. That price is
// assumed to be in both: 200 (500 - 300) are from outside, and the 200 that are left of 700 begin to stand.
func (e *Engine) bookAsOutside(tx *store.Tx, a *store.Account, change, stood dzd.Amount, sent map[string]bool, r reading) error {
	// Before assumeShown, which takes those that are suspected for shown.
	named := suspects(a.Wallet)
	clearUnexplained(&a.Wallet)
	// What was bought before it first showed is in there somewhere, since then. What was bought later is not: it has still to show.
	assumed := assumeShown(a, r.at, func(x store.Expected) bool {
		return x.Seen.IsZero() && !x.Doubtful && !x.Denied && (!x.At.After(r.since) || sent[x.Purchase])
	})
	change = change.Sub(assumed)
	// Where what had stood was only what has to be in it, nothing of the rest has stood yet: it begins to.
	stood, both := common(stood.Sub(assumed), change)
	if !both && !assumed.IsZero() {
		stood = dzd.Amount{}
	} else if !both {
		stood = change
	}
	rest := change.Sub(stood)
	if !rest.IsZero() {
		a.Wallet.Unexplained = &store.StandingChange{Since: r.at, Amount: rest, Stood: rest, Looks: 1, Changed: r.at}
	}
	// The wallet begins anew with what the reading shows: without the rest, which stands beside it, and less all prices that have still to
	// show. unshown is asked behind assumeShown, which takes those that are in the reading out of it.
	a.Wallet.Available = r.available.Sub(rest).Add(unshown(a.Wallet))
	return e.recordOutside(tx, a, stood, named, r)
}

// Unlisted is what the last reading shows beside the changes of the balance that are known, in DZD: lacking is what of them it does not show
// yet, or not any more, and unaccounted what nothing explains, or more than one thing may. Either is zero where there is nothing. Together
// they make what is shown of what the changes come to, but for what readings are rounded by.
//
// Example: 1000 could be spent, a purchase of 100 was accepted, and 980 are shown. The 100 are most likely not in it: lacking is 100, and
// -20 are not accounted for. Where 890 are shown, they most likely are: -10 are not accounted for.
func Unlisted(w store.Wallet, at time.Time) (lacking, unaccounted dzd.Amount) {
	if !w.Read || w.Shown == nil {
		return lacking, unaccounted
	}
	all := w.Shown.Sub(w.Available)
	if lacking = Lacks(w, *w.Shown, at); !lacking.IsZero() {
		return lacking, all.Sub(lacking)
	}
	if slices.ContainsFunc(stoodBefore(w), all.Equal) {
		return lacking, all
	}
	lacking = dzd.Amount{}.Sub(unshown(w))
	if rest := all.Sub(lacking); size(rest).Less(size(all)) {
		all = rest
	} else {
		lacking = dzd.Amount{}
	}
	if tooFine(w, all, dzd.Amount{}) { // as readings are rounded
		all = dzd.Amount{}
	}
	return lacking, all
}

// Undecided is what readings have shown of the prices of purchases of which it is not known whether they were bought, in DZD: negative, and
// zero where there is nothing. It is a change of the balance only once that is decided.
func Undecided(w store.Wallet) (sum dzd.Amount) {
	for _, x := range w.Expected {
		if x.Purchase != "" && (x.Doubtful || x.Denied) && !x.Seen.IsZero() {
			sum = sum.Add(x.Amount)
		}
	}
	return sum
}

// suspects names the purchases of which it is not known whether, or how much, they were charged, but for those that can show no more.
func suspects(w store.Wallet) (ids []string) {
	for _, x := range slices.Backward(w.Expected) {
		if x.Purchase != "" && !isOver(x, w.At) && len(ids) < mostSuspects && (x.Seen.IsZero() || x.Instead != nil) && !slices.Contains(ids, x.Purchase) {
			ids = append(ids, x.Purchase)
		}
	}
	return ids
}

// recordOutside writes down a change of the balance that nothing of ours explains. Money that went is told of.
func (e *Engine) recordOutside(tx *store.Tx, a *store.Account, change dzd.Amount, suspects []string, r reading) error {
	if change.IsZero() {
		return nil
	}
	// First: where it is the money of one purchase that may have been made twice, a person is asked, and nothing is booked as from outside.
	asked, named, err := e.explainByMayGo(tx, a, change, r.at)
	if asked || err != nil {
		return err
	}
	suspects = slices.Concat(named, slices.DeleteFunc(suspects, func(id string) bool { return slices.Contains(named, id) }))
	// When it first showed: what was sent later explains none of it.
	shown := r.at
	if !r.since.IsZero() {
		shown = r.since
	}
	// Before the append: a purchase with another key that an earlier entry names explains no second debit.
	//
	// Expected keeps what moved from outside too, as seen: a later reading that is older than this one is explained by it.
	with := spentElsewhere(a.Wallet, change, r.beside)
	beside := len(with) > 0 || spentMoreElsewhere(a.Wallet, change, r.beside, shown, memoryOf(*a))
	a.Wallet.Expected = append(slices.Clone(a.Wallet.Expected), store.Expected{At: shown, Amount: change, Seen: r.at, Elsewhere: with})
	if err := record(tx, a, store.Movement{At: r.at, Shown: r.since, Kind: store.Outside, Amount: change, Balance: a.Wallet.Available}); err != nil {
		return err
	}
	id := a.ID
	tx.Then(func() {
		e.cfg.Log.Info("the balance moved by something else", "account", id, "suspects", len(suspects))
	})
	if change.Sign() > 0 {
		return errors.Join(updateMoreQuestions(tx, *a, change, r.at), noteInflow(tx, a, change, r.at))
	}
	a.Wallet.MadeUp = nil // what others have taken may be just that once more
	// Money that came is no sign that somebody else buys: only what went sets OutsideAt, which makes evidence ask a person.
	a.OutsideAt = r.at
	return alarm(tx, *a, change, suspects, beside, r)
}

// holds reports whether money that cannot be spent any more may not have gone: the service holds as much of the balance, beside what
// orders of ours that are under way may be held for. It may have held that before: which of the two it is, one reading does not show.
func (r reading) holds(change dzd.Amount) bool {
	// Both figures of a reading differ by what is held. Example: 500 are held, 300 of it for an order that is under way. A change of -200 may
	// be held, one of -300 is not.
	others := r.onHold
	for _, h := range r.pending {
		others = others.Sub(h.price)
	}
	return !others.Less(dzd.Amount{}.Sub(change))
}

// alarm tells the owners of an account that money went which no purchase of ours explains. Where a purchase may
// have been executed after all, it is named before anybody is suspected; and so it is told that as much was bought here
// with another key.
func alarm(tx *store.Tx, a store.Account, change dzd.Amount, suspects []string, beside bool, r reading) error {
	name, args := store.DebitNote, map[string]string{store.AboutArg: a.ID, "amount": dzd.Amount{}.Sub(change).String(), "balance": r.shown.String()}
	switch {
	case len(suspects) > 0:
		refs := make([]string, len(suspects))
		for i, id := range suspects {
			refs[i] = "#" + store.Ref(id)
		}
		name, args["orders"] = store.DebitOrLateNote, strings.Join(refs, " · ")
	case beside:
		name = store.DebitElsewhereNote
	}
	if r.holds(change) {
		args["held"] = r.onHold.String()
	}
	for _, chat := range a.Chats {
		if !a.HearsMoney(chat) {
			continue
		}
		al, err := tx.Alerts(chat, a.ID)
		if err != nil {
			return err
		}
		if al.Thresholds[store.Debit].Mode == store.AlertOff {
			continue
		}
		told := maps.Clone(args)
		if chat < 0 {
			told["account"] = a.Called() // others read along
		}
		if err := tx.Enqueue(store.NewNote(chat, "debit."+strconv.FormatInt(r.at.UnixMicro(), 36), name, told)); err != nil {
			return err
		}
	}
	return nil
}

// shownSince is when a reading first showed a change that one explains; zero where that was this one. What has come was there
// when the balance has last risen.
//
// A movement keeps it as Shown, and purchases and orders are held against that (Movement.Since): a cause is often found some readings
// after its money showed.
func shownSince(w store.Wallet, change dzd.Amount, r reading) time.Time {
	if change.Sign() > 0 && w.RoseAt.Before(r.at) {
		return w.RoseAt
	}
	for _, s := range []*store.StandingChange{w.Open, w.Unexplained} {
		if s != nil && s.Amount.Equal(change) && s.Stood.Equal(change) {
			return s.Since
		}
	}
	return time.Time{}
}

// clearUnexplained notes that a reading was what it had to be: nothing is left to be explained.
func clearUnexplained(w *store.Wallet) { w.Unexplained, w.Open, w.Unsettled = nil, nil, time.Time{} }

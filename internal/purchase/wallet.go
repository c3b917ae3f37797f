package purchase

import (
	"context"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"resellerbot/internal/api"
	"resellerbot/internal/api/dzd"
	"resellerbot/internal/store"
)

const (
	mostExpected = 200            // changes of a wallet that are kept in mind
	deniedLife   = 26 * time.Hour // how long one that was said not to have happened may show after all
	mostSuspects = 5              // purchases that are named where money went
)

// expect writes down that a purchase may be taken out of the wallet from now on. A second attempt at the same
// purchase may cost no more than the first one.
func expect(a *store.Account, p store.Purchase, at time.Time) {
	if i := expected(a.Wallet, p.ID); i >= 0 {
		a.Wallet.Expected[i].Doubtful = true
		return
	}
	a.Wallet.Expected = append(slices.Clone(a.Wallet.Expected), store.Expected{
		At: at, Amount: dzd.Amount{}.Sub(p.Total), Purchase: p.ID, Doubtful: true, Before: !a.Wallet.Read,
	})
}

// expected finds what is expected of a purchase; -1 where nothing is.
func expected(w store.Wallet, purchase string) int {
	return slices.IndexFunc(w.Expected, func(x store.Expected) bool { return x.Purchase == purchase })
}

// deny notes that a purchase was said not to have happened. Its price may go all the same, and is known then.
func deny(a *store.Account, purchase string) {
	if i := expected(a.Wallet, purchase); i >= 0 {
		a.Wallet.Expected[i].Doubtful, a.Wallet.Expected[i].Denied = false, true
	}
}

// unbook takes back what was booked as moved from outside, where it was the price of a purchase that was uncertain.
func unbook(tx *store.Tx, a *store.Account, p store.Purchase, at time.Time) error {
	found, err := takeBack(tx, a, p, a.Wallet.Expected[expected(a.Wallet, p.ID)].Amount, at)
	if err != nil || !found {
		return err
	}
	x := &a.Wallet.Expected[expected(a.Wallet, p.ID)]
	x.Seen, x.Learn = at, false
	return nil
}

// takeBack takes back that an amount was moved from outside after a purchase was sent: the purchase explains it. found
// is false where no such amount was booked.
func takeBack(tx *store.Tx, a *store.Account, p store.Purchase, amount dzd.Amount, at time.Time) (found bool, err error) {
	i := movedOutside(a.Wallet, p, amount)
	if i < 0 {
		return false, nil
	}
	a.Wallet.Available = a.Wallet.Available.Sub(amount)
	a.Wallet.Expected = slices.Delete(slices.Clone(a.Wallet.Expected), i, i+1)
	return true, book(tx, a, store.Movement{
		At: at, Kind: store.Corrected, Amount: dzd.Amount{}.Sub(amount), Balance: a.Wallet.Available, Purchase: p.ID,
	})
}

// movedOutside finds an amount that was booked as moved from outside after a purchase was sent; -1 where there is none.
func movedOutside(w store.Wallet, p store.Purchase, amount dzd.Amount) int {
	if p.SentAt.IsZero() {
		return -1
	}
	return slices.IndexFunc(w.Expected, func(x store.Expected) bool {
		return x.Purchase == "" && x.Amount.Equal(amount) && x.At.After(p.SentAt) && !x.Seen.IsZero()
	})
}

// dismiss notes that a person has looked at what spoke for a purchase, and that it was something else: the orders
// that fit are not its own, and the money that went was another's. Where another purchase of ours may have taken it,
// that one is asked about next, unless a person has said of it what is said here since that money went. It may be
// executed later all the same.
func (e *Engine) dismiss(tx *store.Tx, p *store.Purchase, a *store.Account) error {
	if p.Evidence != nil {
		p.Before.Rows = slices.Concat(p.Before.Rows, rowIDs(p.Evidence.Rows), rowIDs(p.Evidence.Beside))
	}
	i, now := expected(a.Wallet, p.ID), time.Now()
	if i < 0 {
		return nil
	}
	x := &a.Wallet.Expected[i]
	gone := x.Seen
	x.Disowned = now
	if gone.IsZero() {
		return nil
	}
	x.Seen, x.Denied, x.Doubtful, x.At = time.Time{}, true, false, now
	other := slices.IndexFunc(a.Wallet.Expected, func(o store.Expected) bool {
		return o.Seen.IsZero() && (o.Denied || o.Doubtful) && o.Disowned.Before(gone) && o.Amount.Equal(x.Amount)
	})
	if other < 0 {
		a.OutsideAt = now
		return book(tx, a, store.Movement{At: now, Kind: store.Outside, Amount: x.Amount, Balance: a.Wallet.Available})
	}
	o := &a.Wallet.Expected[other]
	late := o.Denied
	o.Seen, o.Before = gone, false
	if o.Said {
		return bookSaid(tx, a, other, now)
	}
	if late {
		return e.contradict(tx, a, o.Purchase)
	}
	return nil
}

// forgo notes that nothing can come of a purchase: no byte of it was sent.
func forgo(a *store.Account, purchase string) {
	a.Wallet.Expected = slices.DeleteFunc(slices.Clone(a.Wallet.Expected), func(x store.Expected) bool { return x.Purchase == purchase })
}

// debit takes an accepted purchase out of the wallet. list is what its orders will teach of a list; empty for
// nothing.
func debit(tx *store.Tx, a *store.Account, p store.Purchase, learn bool, list string, at time.Time) error {
	i := expected(a.Wallet, p.ID)
	if i < 0 { // it is too long ago to know whether it has shown
		expect(a, p, at)
		i = expected(a.Wallet, p.ID)
		a.Wallet.Expected[i].Before = true
	}
	shown := !a.Wallet.Expected[i].Seen.IsZero() || handOver(a, p)
	x := &a.Wallet.Expected[i]
	x.Doubtful, x.Denied, x.At = false, false, at
	x.Learn, x.List = learn && !shown && !x.Before, list
	if !shown && !x.Before {
		if err := unbook(tx, a, p, at); err != nil {
			return err
		}
		x = &a.Wallet.Expected[expected(a.Wallet, p.ID)]
		a.Wallet.Available = a.Wallet.Available.Add(x.Amount)
	}
	a.LookAt = nextLook(*a, at)
	return book(tx, a, store.Movement{At: at, Kind: store.Bought, Amount: x.Amount, Balance: a.Wallet.Available, Purchase: p.ID})
}

// believe takes a person's word that a purchase was bought. Its price is booked where it is known to have gone, else
// once a reading shows it: a word moves no money.
func believe(tx *store.Tx, a *store.Account, p store.Purchase, at time.Time) error {
	i := expected(a.Wallet, p.ID)
	if i < 0 { // it is too long ago to know whether it has shown
		expect(a, p, at)
		i = expected(a.Wallet, p.ID)
		a.Wallet.Expected[i].Before = true
	}
	x := &a.Wallet.Expected[i]
	if !x.Seen.IsZero() || taken(a.Wallet, p) >= 0 || !x.Before && movedOutside(a.Wallet, p, x.Amount) >= 0 {
		return debit(tx, a, p, false, "", at)
	}
	x.Said, x.Doubtful, x.Denied, x.Learn, x.At = true, true, false, false, at
	return nil
}

// bookSaid books the price of a purchase that a person said was bought, now that a reading shows it.
func bookSaid(tx *store.Tx, a *store.Account, i int, at time.Time) error {
	x := &a.Wallet.Expected[i]
	x.Said, x.Doubtful, x.At = false, false, at
	return book(tx, a, store.Movement{At: at, Kind: store.Bought, Amount: x.Amount, Balance: a.Wallet.Available, Purchase: x.Purchase})
}

// handOver makes money that went the price of a purchase that is known to have been bought, where it was taken for that
// of another of which that is not known. done is false where there is none.
func handOver(a *store.Account, p store.Purchase) (done bool) {
	i, other := expected(a.Wallet, p.ID), taken(a.Wallet, p)
	if other < 0 {
		return false
	}
	a.Wallet.Expected[i].Seen, a.Wallet.Expected[other].Seen = a.Wallet.Expected[other].Seen, time.Time{}
	return true
}

// taken finds the purchase, of which it is not known whether it was bought, that money was taken for the price of which
// may be this one's; -1 where there is none.
func taken(w store.Wallet, p store.Purchase) int {
	if p.SentAt.IsZero() {
		return -1
	}
	amount := w.Expected[expected(w, p.ID)].Amount
	return slices.IndexFunc(w.Expected, func(x store.Expected) bool {
		return (x.Doubtful || x.Denied) && x.Purchase != p.ID && x.Seen.After(p.SentAt) && x.Amount.Equal(amount)
	})
}

// book writes a change of the wallet down, and whether what is left after it is known.
func book(tx *store.Tx, a *store.Account, m store.Movement) error {
	m.Guessed = !a.Wallet.Read || a.Wallet.Strange != nil || !a.Wallet.Unsettled.IsZero()
	return tx.AddMovement(a, m)
}

// reading is one look at a balance that no spend of ours overlapped.
type reading struct {
	available dzd.Amount
	at        time.Time
	before    time.Time // when the last one was
	hopes     []hope    // what orders cost that were still waited for: their refunds may be in it
}

// hope is the price of an order that was still waited for.
type hope struct {
	purchase string
	price    dzd.Amount
}

// reading makes a reading of what could be spent at a moment. The refund of an order may be there before anybody
// was told that the order failed, so money that came is looked at in that light.
func (e *Engine) reading(ctx context.Context, a store.Account, available dzd.Amount, at time.Time) (reading, error) {
	hopes, err := e.held(ctx, a)
	return reading{available: available, at: at, hopes: hopes}, err
}

// held lists what the orders of an account cost that are still waited for.
func (e *Engine) held(ctx context.Context, a store.Account) (hopes []hope, err error) {
	waiting, err := e.cfg.Store.PendingOrders(ctx, a.ID, "", refundsAtOnce)
	if err != nil {
		return nil, err
	}
	for _, o := range waiting {
		p, err := e.cfg.Store.Purchase(ctx, o.Purchase)
		if err != nil {
			return nil, err
		}
		if o.State == store.Waiting {
			hopes = append(hopes, hope{p.ID, p.Price})
		}
	}
	return hopes, nil
}

// observe takes a reading of what can be spent and explains what changed since the last: purchases that show now,
// refunds that were waited for, and the rest as moved from outside. What can be explained in several ways is left
// unexplained, and looked at again with the next reading; so is what an older state of the wallet would explain.
func (e *Engine) observe(tx *store.Tx, a *store.Account, r reading) error {
	r.before, a.Wallet.At = a.Wallet.At, r.at
	rise(&a.Wallet, r)
	if !a.Wallet.Read {
		begin(a, r)
		return nil
	}
	if err := e.untaken(tx, a, r); err != nil {
		return err
	}
	forget(a, r.at)
	waiting, amounts, err := refundsOf(tx, *a)
	if err != nil {
		return err
	}
	change := r.available.Sub(spendable(a.Wallet))
	back, err := returns(tx, a.Wallet, change, waiting, amounts)
	if err != nil {
		return err
	}
	causes := slices.Concat(causesOf(a.Wallet, "", r.at, recall), back)
	causes = append(causes, hopesOf(a.Wallet, r.hopes)...)
	x := likeliest(change, causes)
	known, so := contested(a.Wallet, x, change, causes)
	switch {
	case so && r.at.Sub(a.Wallet.Expected[known].At) < memoryOf(*a): // its price must show until then, whichever it is
		return e.unsettle(tx, a, change, r)
	case so:
		return e.otherPrice(tx, a, known, r)
	case change.IsZero():
		settle(&a.Wallet)
		return nil
	case x.only() && !early(a.Wallet, x, waiting):
		settle(&a.Wallet)
		return e.apply(tx, a, x, waiting, r)
	case x.ways > 0:
		return e.unsettle(tx, a, change, r)
	}
	if i := otherwise(a.Wallet, change, causes); i >= 0 {
		return e.otherPrice(tx, a, i, r)
	}
	if s := a.Wallet.Strange; s != nil {
		step := likeliest(change.Sub(s.Amount), causes)
		switch {
		case change.Equal(s.Amount):
		case step.only() && !early(a.Wallet, step, waiting):
			return e.apply(tx, a, step, waiting, r)
		case step.ways > 0:
			return nil
		}
	}
	return e.strange(tx, a, change, r, patienceWith(*a, change, causes))
}

// otherPrice takes a reading to show the price that the orders of a purchase name.
func (e *Engine) otherPrice(tx *store.Tx, a *store.Account, i int, r reading) error {
	p, err := tx.Purchase(a.Wallet.Expected[i].Purchase)
	if err != nil {
		return err
	}
	if err := e.chargedOther(tx, &p, a, i, r.at); err != nil {
		return err
	}
	return e.observe(tx, a, r)
}

// rise notes a reading above the one before. What is left over because a price never showed is no money that came.
func rise(w *store.Wallet, r reading) {
	if w.Read && w.Shown != nil && w.Shown.Less(r.available) {
		w.RoseAt = r.at
	}
	w.Shown = &r.available
}

// returns lists the refunds that a change may hold: those for which a reading has risen since their purchase was sent.
// Beside prices that show, they need no rise.
func returns(tx *store.Tx, w store.Wallet, change dzd.Amount, waiting []store.Order, amounts []dzd.Amount) (causes []cause, err error) {
	for i, o := range waiting {
		p, err := tx.Purchase(o.Purchase)
		if err != nil {
			return nil, err
		}
		if change.Sign() < 0 || !w.RoseAt.Before(p.SentAt) {
			causes = append(causes, cause{kind: refund, amount: amounts[i], id: o.ID})
		}
	}
	return causes, nil
}

// early reports whether an explanation has money come back that was not gone yet: what came is no refund, for the price
// of its purchase has still to show.
func early(w store.Wallet, x explanation, waiting []store.Order) bool {
	return slices.ContainsFunc(x.chosen, func(c cause) bool {
		if c.kind != refund {
			return false
		}
		o := waiting[slices.IndexFunc(waiting, func(o store.Order) bool { return o.ID == c.id })]
		i := expected(w, o.Purchase)
		return i >= 0 && follows(w.Expected[i]) && !slices.ContainsFunc(x.chosen, func(c cause) bool { return c.kind == due && c.id == placeOf(i) })
	})
}

// settle notes that a reading was what it had to be.
func settle(w *store.Wallet) { w.Strange, w.Unsettled = nil, time.Time{} }

// unsettle notes a change that more than one thing explains, or a reading that is older than the last. Once that has
// stood for longer than any reading is late, it is a change from outside.
func (e *Engine) unsettle(tx *store.Tx, a *store.Account, change dzd.Amount, r reading) error {
	a.Wallet.Ambiguous = r.at
	if a.Wallet.Unsettled.IsZero() {
		a.Wallet.Unsettled = r.at
	}
	if r.at.Sub(a.Wallet.Unsettled) < recall {
		return nil
	}
	a.Wallet.Odd++
	return e.concede(tx, a, change, change, r)
}

// untaken ends the wait for the price, and for the refund, of purchases that have failed whole where the balance is
// what it was before them for longer than readings are late: it was never taken, or taken and given back.
func (e *Engine) untaken(tx *store.Tx, a *store.Account, r reading) error {
	if !r.available.Equal(level(a.Wallet)) {
		return nil
	}
	for _, x := range slices.Clone(a.Wallet.Expected) {
		if !follows(x) || r.at.Sub(x.At) < memoryOf(*a) {
			continue
		}
		if err := e.neverTaken(tx, a, x, r); err != nil {
			return err
		}
	}
	return nil
}

// neverTaken is untaken for one purchase.
func (e *Engine) neverTaken(tx *store.Tx, a *store.Account, x store.Expected, r reading) error {
	p, err := tx.Purchase(x.Purchase)
	if err != nil {
		return err
	}
	var orders []store.Order
	for _, id := range p.OrderIDs {
		o, err := tx.Order(a.ID, id)
		if err != nil || o.State != store.Failed {
			return err
		}
		orders = append(orders, o)
	}
	for _, o := range orders {
		o.Refund = store.RefundUntaken
		a.Refunds = without(a.Refunds, o.ID)
		if err := tx.PutOrder(&o); err != nil {
			return err
		}
	}
	forgo(a, p.ID)
	if err := e.correct(tx, a, p, dzd.Amount{}.Sub(x.Amount), r.at); err != nil {
		return err
	}
	return e.bring(tx, &p, a, true, r.at)
}

// correct writes down that a purchase cost something else than was taken for its price.
func (e *Engine) correct(tx *store.Tx, a *store.Account, p store.Purchase, amount dzd.Amount, at time.Time) error {
	a.Wallet.Available = a.Wallet.Available.Add(amount)
	return book(tx, a, store.Movement{At: at, Kind: store.Corrected, Amount: amount, Balance: a.Wallet.Available, Purchase: p.ID})
}

// retake expects the price of an order again that was not taken when it failed, and has not failed after all.
func (e *Engine) retake(tx *store.Tx, a *store.Account, p store.Purchase, at time.Time) error {
	cost := dzd.Amount{}.Sub(p.Price)
	a.Wallet.Expected = append(slices.Clone(a.Wallet.Expected), store.Expected{At: at, Amount: cost, Purchase: p.ID})
	return e.correct(tx, a, p, cost, at)
}

// recharge notes that the price of an order may go again: it failed, its money seemed to be back, and it has not failed
// after all. What came may as well have been something else.
func recharge(a *store.Account, p store.Purchase, at time.Time) {
	a.Wallet.Expected = append(slices.Clone(a.Wallet.Expected), store.Expected{
		At: at, Amount: dzd.Amount{}.Sub(p.Price), Purchase: p.ID, Doubtful: true, Said: true,
	})
}

// hopesOf lists the refunds that may have come of orders that are still waited for. That of a purchase which has not
// shown yet makes no difference: taken and given back is as good as neither.
func hopesOf(w store.Wallet, hopes []hope) (out []cause) {
	for _, h := range hopes {
		if i := expected(w, h.purchase); i < 0 || !w.Expected[i].Seen.IsZero() {
			out = append(out, cause{kind: hoped, amount: h.price})
		}
	}
	return out
}

// begin makes a reading the one that explaining begins with: what happened lately may be in it, and what another
// reading showed lately may not be in this one.
func begin(a *store.Account, r reading) {
	w, memory := &a.Wallet, oldest(*a)
	w.Read, w.Available = true, r.available
	settle(w)
	w.Expected = slices.Clone(w.Expected)
	for i := range w.Expected {
		switch x := &w.Expected[i]; {
		case x.Seen.IsZero():
			x.Before, x.Learn = true, false
		case !x.Denied && r.at.Sub(x.Seen) < memory:
			x.Before, x.Learn, x.Seen, x.At = true, false, time.Time{}, r.at
		}
	}
}

// forget drops what no reading can be expected to show any more, or not to show yet.
func forget(a *store.Account, now time.Time) {
	w, memory := &a.Wallet, memoryOf(*a)
	w.Expected = slices.DeleteFunc(slices.Clone(w.Expected), func(x store.Expected) bool {
		switch {
		case x.Denied, x.Said, x.Doubtful && !x.Seen.IsZero():
			return now.Sub(x.At) >= deniedLife
		case !x.Seen.IsZero():
			return now.Sub(x.Seen) >= recall && now.Sub(x.At) >= recall
		}
		return x.Before && !x.Doubtful && now.Sub(x.At) >= memory
	})
	for i := range w.Expected { // it has to be in every reading by now, but for what may be strange because of it
		x, age := &w.Expected[i], memory
		if x.Instead != nil {
			age = recall // with that price
		}
		if w.Strange == nil && follows(*x) && now.Sub(x.At) >= age {
			x.Seen, x.Learn = now, false
		}
	}
	if over := len(w.Expected) - mostExpected; over > 0 {
		w.Expected = w.Expected[over:]
	}
}

// apply writes down what explains a change.
func (e *Engine) apply(tx *store.Tx, a *store.Account, x explanation, waiting []store.Order, r reading) error {
	var touched, late []string
	for _, c := range x.chosen {
		switch c.kind {
		case hoped: // it is found again once its order is known to have failed
		case refund:
			o := waiting[slices.IndexFunc(waiting, func(o store.Order) bool { return o.ID == c.id })]
			a.Wallet.Available = a.Wallet.Available.Add(c.amount)
			if err := e.refunded(tx, a, o, c.amount, r.at); err != nil {
				return err
			}
			if !slices.Contains(touched, o.Purchase) {
				touched = append(touched, o.Purchase)
			}
		default:
			i, err := strconv.Atoi(c.id)
			if err != nil {
				return err
			}
			said := a.Wallet.Expected[i].Said
			late = append(late, shown(a, i, r)...)
			if !said {
				continue
			}
			if err := bookSaid(tx, a, i, r.at); err != nil {
				return err
			}
		}
	}
	for _, id := range touched {
		p, err := tx.Purchase(id)
		if err != nil {
			return err
		}
		if err := e.bring(tx, &p, a, true, r.at); err != nil {
			return err
		}
	}
	for _, id := range late {
		if err := e.contradict(tx, a, id); err != nil {
			return err
		}
	}
	return nil
}

// shown notes that a reading shows an expected change, and names the purchases that it casts doubt on.
func shown(a *store.Account, i int, r reading) (late []string) {
	doubtful := a.Wallet.Expected[i].Doubtful
	switch {
	case show(a, i, r):
		return append([]string{a.Wallet.Expected[i].Purchase}, alikeDenied(a.Wallet, i, time.Time{})...)
	case doubtful:
		return alikeDenied(a.Wallet, i, r.at.Add(-memoryOf(*a)))
	}
	return nil
}

// alikeDenied names the purchases since a moment that were said not to have happened, and cost as much as one that the
// money shows: it may as well be any of them.
func alikeDenied(w store.Wallet, shown int, since time.Time) (ids []string) {
	for i, x := range w.Expected {
		if i != shown && x.Denied && !x.At.Before(since) && x.Seen.IsZero() && x.Amount.Equal(w.Expected[shown].Amount) {
			ids = append(ids, x.Purchase)
		}
	}
	return ids
}

// show notes that a reading shows an expected change. late tells that it was said not to have happened.
func show(a *store.Account, i int, r reading) (late bool) {
	x := &a.Wallet.Expected[i]
	if x.Doubtful || x.Denied || x.Before { // the others are in it already
		a.Wallet.Available = a.Wallet.Available.Add(x.Amount)
	}
	if x.Learn && timely(x.At, r.before, r.at) {
		learn(a, balanceLag, r.at.Sub(x.At), r.at)
	}
	late = x.Denied
	x.Seen, x.Learn, x.Before = r.at, false, false
	return late
}

// patienceWith is for how long a change has to stand that nothing explains: where money is gone, until no reading is
// that old, for whoever is told thinks of a thief; where purchases are about whose money may be late, or charged at
// another price, until they must have shown. A person's word alone delays no money that came.
func patienceWith(a store.Account, change dzd.Amount, causes []cause) time.Duration {
	if change.Sign() < 0 {
		return oldest(a)
	}
	for _, c := range causes {
		if c.kind != due && c.kind != doubted {
			continue
		}
		if i, err := strconv.Atoi(c.id); err != nil || !a.Wallet.Expected[i].Said {
			return memoryOf(a)
		}
	}
	return 0
}

// strange notes a change that nothing of ours explains. What of it has stood for so long, in each reading, is one from
// outside. Until then, later changes are explained beside it.
func (e *Engine) strange(tx *store.Tx, a *store.Account, change dzd.Amount, r reading, patience time.Duration) error {
	s := store.Strange{Since: r.at, Stood: change}
	if was := a.Wallet.Strange; was != nil {
		s = *was
	}
	if !change.Equal(s.Amount) {
		a.Wallet.Odd++
	}
	s.Amount, s.Looks = change, s.Looks+1
	if stood, both := common(s.Stood, change); both {
		s.Stood = stood
	} else {
		s.Since, s.Stood, s.Looks = r.at, change, 1
	}
	a.Wallet.Strange = &s
	if patience > 0 && (r.at.Sub(s.Since) < patience || s.Looks < 3) {
		return nil
	}
	return e.concede(tx, a, change, s.Stood, r)
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

// concede takes what has stood of a change for one from outside, beside what has to be in it by now. The rest has to
// stand for as long.
func (e *Engine) concede(tx *store.Tx, a *store.Account, change, stood dzd.Amount, r reading) error {
	named := suspects(a.Wallet)
	settle(&a.Wallet)
	for i := range a.Wallet.Expected {
		if x := &a.Wallet.Expected[i]; x.Seen.IsZero() && !x.Doubtful && !x.Denied { // it is in there somewhere
			if !x.Before {
				change = change.Sub(x.Amount)
			}
			x.Seen, x.Learn = r.at, false
		}
	}
	stood, both := common(stood, change)
	if !both {
		stood = change
	}
	rest := change.Sub(stood)
	if !rest.IsZero() {
		a.Wallet.Strange = &store.Strange{Since: r.at, Amount: rest, Stood: rest, Looks: 1}
	}
	a.Wallet.Available = r.available.Sub(rest)
	return e.outside(tx, a, stood, named, r)
}

// suspects names the purchases of which it is not known whether, or how much, they were charged.
func suspects(w store.Wallet) (ids []string) {
	for _, x := range slices.Backward(w.Expected) {
		if x.Purchase != "" && len(ids) < mostSuspects && x.Seen.IsZero() {
			ids = append(ids, x.Purchase)
		}
	}
	return ids
}

// outside writes down a change of the balance that nothing of ours explains. Money that went is told of.
func (e *Engine) outside(tx *store.Tx, a *store.Account, change dzd.Amount, suspects []string, r reading) error {
	if change.IsZero() {
		return nil
	}
	a.Wallet.Expected = append(slices.Clone(a.Wallet.Expected), store.Expected{At: r.at, Amount: change, Seen: r.at})
	if err := book(tx, a, store.Movement{At: r.at, Kind: store.Outside, Amount: change, Balance: a.Wallet.Available}); err != nil {
		return err
	}
	e.cfg.Log.Info("the balance moved by something else", "account", a.ID, "suspects", len(suspects))
	if change.Sign() > 0 {
		return nil
	}
	a.OutsideAt = r.at
	return alarm(tx, *a, change, suspects, r)
}

// alarm tells the owners of an account that money went which no purchase of ours explains. Where a purchase may
// have been executed after all, it is named before anybody is suspected.
func alarm(tx *store.Tx, a store.Account, change dzd.Amount, suspects []string, r reading) error {
	args := map[string]string{"name": "debit", "about": a.ID, "amount": dzd.Amount{}.Sub(change).String(), "balance": r.available.String()}
	if len(suspects) > 0 {
		refs := make([]string, len(suspects))
		for i, id := range suspects {
			refs[i] = "#" + store.Ref(id)
		}
		args["name"], args["orders"] = "debit_or_late", strings.Join(refs, " · ")
	}
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
		told := maps.Clone(args)
		if chat < 0 {
			told["account"] = a.Name // others read along
		}
		err = tx.Enqueue(&store.Outgoing{
			Chat: chat, ID: "debit." + strconv.FormatInt(r.at.UnixMicro(), 36), Kind: store.Note, Priority: 2, Args: told,
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// Observe reads an account's balance, in DZD, and explains what has changed it since the last reading. A
// reading during which something is bought, or that lacks a figure, explains nothing, and is only returned. Errors are
// those of the store, or an *api.Error.
func (e *Engine) Observe(ctx context.Context, account string) (api.Balance, error) {
	a, err := e.cfg.Store.Account(ctx, account)
	if err != nil {
		return api.Balance{}, err
	}
	b, err := e.cfg.Service(a).Balance(ctx, 0)
	if err != nil || b.Lacks || a.Busy != "" || a.Wallet.Read && a.Wallet.Strange == nil && spendable(a.Wallet).Equal(b.Available) {
		return b, err
	}
	seen, err := e.reading(ctx, a, b.Available, time.Now())
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
		now.LookAt = nextLook(now, time.Now())
		return tx.PutAccount(&now)
	})
}

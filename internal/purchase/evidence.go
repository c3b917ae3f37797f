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

const (
	mostRows  = 20000 // of a list, remembered; a longer one is no evidence
	longestID = 64    // bytes of an order's id that are remembered as they are
	sharedFor = 30 * 24 * time.Hour
	// executedLate is how long after its attempt a purchase that was denied may be executed and be taken for another.
	executedLate = time.Hour
)

// isShared reports whether others have lately bought with an account.
func isShared(a store.Account, now time.Time) bool { return now.Sub(a.OutsideAt) < sharedFor }

// evidence is one look for an uncertain purchase: what it reads, and what it makes of it.
type evidence struct {
	engine    *Engine
	service   Service
	account   store.Account
	of        store.Purchase
	now       time.Time
	kept      store.Evidence // what is written down
	found     findings
	reading   *reading      // of the balance; nil where it could not be read
	foreign   bool          // orders show that nobody here has bought
	unseen    bool          // orders of ours, of whatever item, that may be new in the list have not been seen there yet
	waiting   bool          // older ones have not been seen there either, and are waited for
	older     int           // units of those of the same item
	unsold    int           // units of the same item in found.own that were not charged: they were most likely not sold
	failed    int           // orders of ours of the same item that may be new in the list, have not been seen there, and have failed
	unshown   []store.Order // all of them
	bought    []item        // what they are
	hidden    bool          // its price is there, unless an accepted purchase of ours, or the refund of one that is under way, hides that it is gone
	soon      bool          // its price shows to be there once those of accepted purchases must show, if nothing else moves
	onHold    dzd.Amount    // how much less of the balance can be spent than before it was sent, where that alone speaks against it
	explained bool          // what was read before it was sent was what it had to be
	ours      int           // units of the same item that other purchases of ours have bought since the balance was read before this one
	// unresolved are other purchases of ours of which it is not known whether they have orders, or which.
	unresolved []store.Purchase

	misnamed int         // orders that the answer named, that are nobody's and cannot be what was bought
	listed   []api.Order // the orders that the list shows
}

// gather reads what can be read about an uncertain purchase. What cannot be read is missing from the evidence, and
// is never taken for a proof.
func (v *evidence) gather(ctx context.Context) error {
	// The order matters: gatherMoney reads the usage that gatherUsage kept, and weigh looks at all of it.
	readable := v.gatherUsage(ctx)
	known, err := v.gatherMoney(ctx)
	if err != nil {
		return err
	}
	list, err := v.service.History(ctx, listOf(v.of), 0)
	switch {
	case err == nil:
		v.kept.Listed = true
		if err := v.gatherRows(ctx, list); err != nil {
			return err
		}
	// A generation without such a list says so each time, and that hides nothing; any other failure may.
	case api.ClassOf(err) != api.NotOffered:
		readable = false
	}
	// What the answer has named and cannot be what was bought counts as an order beside it: judge says nothing for certain then.
	v.found.others += v.misnamed
	v.found.listed = v.kept.Listed && v.of.Before.Listed
	v.kept.Rows = slices.Concat(v.found.candidates, v.found.late)
	v.kept.Alone = v.found.own+v.found.rivals == 0
	v.kept.Shared, v.kept.Paid = v.found.shared || v.found.unexplained, v.found.charge == charged
	v.weigh(readable && known)
	return nil
}

// weigh notes for how long nothing has shown, and whether anything ever did.
//
// Silent begins behind the quiet time, so at least two looks agree before a purchase is denied. Example: the quiet time is 16 minutes.
// The first look behind it begins the silence; the next one, a minute later, finds it older than leastApart (30 s).
func (v *evidence) weigh(readable bool) {
	f := &v.found
	shows := len(v.kept.Rows) > 0 || f.charge == charged
	switch {
	// Silence is only what a look that could read everything heard, behind the quiet time: anything else begins it anew.
	case !readable || shows || f.others > 0 || f.renamed || f.charge != uncharged || min(f.age, f.waited) < f.quiet:
		v.kept.Silent = time.Time{}
	case v.kept.Silent.IsZero():
		v.kept.Silent = v.now
	}
	// As many orders as our other purchases have not been seen with may be theirs: their codes will tell.
	if f.charge == charged || len(v.kept.Rows) > f.own {
		v.kept.Traced = v.now
	}
	// It stays once it is set: by then each reading had to show the price, and what later ones show is of something else.
	v.kept.Cleared = v.kept.Cleared || f.charge == uncharged && f.passed() >= quietTime
	if !v.kept.Silent.IsZero() {
		f.silence = v.now.Sub(v.kept.Silent)
	}
	f.traced = !v.kept.Traced.IsZero()
	// Vanished needs the money to speak for it. An order that is missing from one list, while its price is gone, is a list
	// that was read too early.
	there := f.charge == uncharged || f.charge == returned || v.account.Wallet.RoseAt.After(v.kept.Traced)
	f.vanished = f.traced && readable && !shows && there
}

// gatherUsage reads how many units of the allocation are used. It is evidence for people: it moves for whoever buys with the
// account, and may lag behind as everything else.
func (v *evidence) gatherUsage(ctx context.Context) (readable bool) {
	// -1 stands for what was not read and for what has no allocation: neither is compared.
	v.kept.Used = -1
	if v.of.Before.Used < 0 {
		return true
	}
	variants, err := v.service.Variants(ctx, v.of.ProductID)
	if i := slices.IndexFunc(variants, func(o api.Variant) bool { return o.ID == v.of.VariantID }); i >= 0 {
		v.kept.Used = usedOf(&variants[i])
	}
	return err == nil
}

// gatherMoney reads the wallet in both its figures.
func (v *evidence) gatherMoney(ctx context.Context) (readable bool, err error) {
	b, err := v.service.Balance(ctx, 0)
	if err != nil || b.Lacks {
		return false, nil //nolint:nilerr // what cannot be read is missing from the evidence
	}
	v.kept.Balance, v.kept.Known = b.Available, true
	if err := v.gatherOthers(ctx); err != nil {
		return false, err
	}
	r, err := v.engine.newReading(ctx, v.account, b, v.now)
	if err != nil {
		return false, err
	}
	// conclude lets observe explain it, in the transaction that writes down what the look has come to.
	v.reading = &r
	waiting, amounts, err := refundsOf(stored{ctx, v.engine.cfg.Store}, v.account)
	if err != nil {
		return false, err
	}
	refunds := possibleRefunds(v.account.Wallet, r.pending)
	for i, o := range waiting {
		kind := refund
		if v.now.Sub(o.ReadyAt) < patienceFor(v.account) { // until it must have come it is as one of an order that may have failed
			kind = possibleRefund
		}
		refunds = append(refunds, cause{kind: kind, amount: amounts[i]})
	}
	partly, err := v.partlyNamed(ctx)
	if err != nil {
		return false, err
	}
	v.found.charge = v.judgeCharge(b, slices.Concat(refunds, partly))
	return true, errors.Join(v.weighHold(ctx), v.weighUnshown(ctx))
}

// partlyNamed lists by how much less other purchases may have cost than was charged for them while this one's price may have gone, by those of
// their orders that are known: the rest are missing, and may not have been sold. Then what was charged for those may be the price of this one.
func (v *evidence) partlyNamed(ctx context.Context) (out []cause, err error) {
	if v.of.Phase == store.Rejected { // the service has said that it sold nothing, and this says nothing else
		return nil, nil
	}
	list, err := v.movements(ctx, v.of.SentAt.Add(-memoryOf(v.account)))
	if err != nil {
		return nil, err
	}
	read := map[string]bool{"": true, v.of.ID: true}
	for _, m := range list {
		if read[m.Purchase] {
			continue
		}
		read[m.Purchase] = true
		p, err := v.engine.cfg.Store.Purchase(ctx, m.Purchase)
		if errors.Is(err, store.ErrNotFound) || err == nil && !p.MissesPaid() {
			continue
		}
		if err != nil {
			return nil, fmt.Errorf("read what was paid for: %w", err)
		}
		orders, err := v.engine.cfg.Store.OrdersOf(ctx, p)
		if err != nil {
			return nil, fmt.Errorf("read what orders cost: %w", err)
		}
		if cost := priceOf(orders, p); !cost.IsZero() {
			out = append(out, cause{kind: due, amount: p.Cost().Sub(cost)})
		}
	}
	return out, nil
}

// gatherOthers reads what other purchases of ours, and refunds, have done since the balance was read before this one: by how much they have
// changed it, by how many units they may have moved the usage, and whether all that was read then is explained by now.
func (v *evidence) gatherOthers(ctx context.Context) error {
	before := v.of.Before.At
	list, err := v.movements(ctx, before.Add(-quietTime)) // the usage may be late for what was bought just before
	if err != nil {
		return err
	}
	var moved dzd.Amount // by all of them
	for _, m := range list {
		if !m.Since().After(before) {
			continue // it was in that already
		}
		moved = moved.Add(m.Amount)
		if m.Purchase != "" && m.Purchase != v.of.ID {
			v.kept.Others = v.kept.Others.Add(m.Amount)
		}
	}
	for _, x := range v.account.Wallet.Expected {
		// Of one that was accepted before, the price may show only since then.
		if isAccepted(x) && x.Purchase != v.of.ID && !x.Before && !x.At.After(before) && x.Seen.After(before) {
			v.kept.Others = v.kept.Others.Add(x.Amount)
		}
	}
	v.explained = v.of.Before.Explained || explainedSince(v.account.Wallet, v.of.Before, moved)
	return v.countUnits(ctx, list)
}

// countUnits notes by how many units other purchases of ours, of some movements, may have moved the usage.
func (v *evidence) countUnits(ctx context.Context, list []store.Movement) error {
	if v.kept.Used <= v.of.Before.Used {
		return nil // it has not moved
	}
	var alike []store.Purchase // others of the same item
	read := map[string]bool{"": true, v.of.ID: true}
	for _, m := range list {
		if read[m.Purchase] {
			continue
		}
		read[m.Purchase] = true
		other, err := v.engine.cfg.Store.Purchase(ctx, m.Purchase)
		if err != nil && !errors.Is(err, store.ErrNotFound) {
			return fmt.Errorf("count what else was bought: %w", err)
		}
		if err == nil && store.ItemOf(other) == store.ItemOf(v.of) {
			alike = append(alike, other)
		}
	}
	v.ours = unitsOfOurs(v.of.Before.Used, alike)
	return nil
}

// unitsOfOurs is by how many units purchases of ours may have moved the usage from what it was: none that was sent when it had moved by
// more than those before it.
func unitsOfOurs(used int, others []store.Purchase) (n int) {
	slices.SortFunc(others, func(a, b store.Purchase) int { return a.SentAt.Compare(b.SentAt) })
	for _, p := range others {
		if p.Before.Used > used+n {
			break
		}
		n += p.Quantity
	}
	return n
}

// explainedSince reports whether a reading that could not be explained when a purchase was sent is by now: what has moved since then makes the
// balance of it what it is today. moved is that, of all movements.
//
// Example: an order failed, and 100 came. That may have been an older reading, until it had stood; then a refund of 100 was booked, of before.
func explainedSince(w store.Wallet, before store.Snapshot, moved dzd.Amount) bool {
	if !before.Known || isOpen(w) {
		return false
	}
	then := w.Available.Sub(moved)
	for _, x := range w.Expected {
		accepted := x.MayGo == "" && !x.Doubtful && !x.Denied && !x.Before
		if unshown := x.Seen.IsZero() || x.Seen.After(before.At); accepted && unshown && !x.At.After(before.At) {
			then = then.Sub(x.Amount)
		}
	}
	return then.Equal(before.Available)
}

// judgeCharge tells what both figures of the wallet, and the usage, say together.
func (v *evidence) judgeCharge(b api.Balance, refunds []cause) charge {
	p, w := v.of, v.account.Wallet
	i := expected(w, p.ID)
	// The change is judged from the reading before the purchase. That one must have been explained (Settled), nothing
	// unexplained may have come since (Odd), and its price must not be in it already (Before).
	if !v.explained || p.Before.Odd != w.Odd || !w.Read || i < 0 || w.Expected[i].Before {
		return unclear // there is nothing to compare it with
	}
	// Against level, and not spendable: what stands unexplained since before is no news of this look. In this order: what a person has said
	// comes before what readings show, and what they have shown of this very price before what may hide it.
	change := b.Available.Sub(level(w))
	switch x := w.Expected[i]; {
	case !w.Unsettled.IsZero() && x.Disowned.After(w.Unsettled):
		return unclear // a person knows of what is not explained yet, and has said that it is something else
	case !x.Seen.IsZero() && change.IsZero(): // an earlier reading has shown it
		return charged
	case !x.Seen.IsZero() && change.Equal(p.Total):
		return returned
	case !x.Seen.IsZero():
		return unclear
	case w.Ambiguous.After(p.SentAt.Add(-memoryOf(v.account))):
		return unclear // money from outside may be in readings that look like old ones, and hide its price
	}
	// Purchases that were denied long before this one explain nothing here: their money would have gone by then. Recent ones
	// are rivals, and stay.
	others := slices.DeleteFunc(causesOf(w, p.ID, v.now, memoryOf(v.account)), func(c cause) bool {
		return c.kind == denied && !v.rival(c.place) || c.kind == olderReading && change.IsZero() && v.isInAll(c.place)
	})
	others = slices.Concat(others, refunds, priceDifferences(w, p.ID), v.takenForOthers(w))
	// others are all causes but this purchase: it is judged by whether they make the change with its price, or without it.
	said := chargeOf(change, p.Total, others)
	v.hidden = said == unclear && v.isHidden(change, others)
	figures := kept(b, p, v.account.Spends)
	counted := v.kept.Used <= p.Before.Used+v.ours // what goes down was given back, and -1 is no usage
	v.kept.Intact = figures && counted && v.isIntact(change, p.Total, others)
	v.soon = v.isIntactSoon(p.Total, others)
	switch {
	case said != uncharged:
		return said
	case !counted:
		return unclear
	case !figures:
		v.onHold = b.Balance.Sub(p.Before.Balance).Sub(b.Available.Sub(p.Before.Available))
		return unclear
	}
	return uncharged
}

// takenForOthers lists money that has gone since this purchase was sent, and was taken for others of which it is not known either whether they were
// bought: it may be the price of this one. Within memoryOf, causesOf lists it as what an older reading does not show.
func (v *evidence) takenForOthers(w store.Wallet) (out []cause) {
	if v.of.Phase == store.Rejected { // as in partlyNamed
		return nil
	}
	for i, x := range w.Expected {
		uncertain := x.Purchase != "" && x.Purchase != v.of.ID && x.MayGo == "" && (x.Doubtful || x.Denied)
		if uncertain && x.Seen.After(v.of.SentAt) && v.now.Sub(x.Seen) >= memoryOf(v.account) {
			out = append(out, cause{kind: doubted, amount: dzd.Amount{}.Sub(x.Amount), place: i})
		}
	}
	return out
}

// isInAll reports whether an expected change is the price of an accepted purchase that was taken so long ago that no reading can be
// older, however late one first showed it: it was taken with its answer. It is not asked where a reading lacks any of what it
// should show.
func (v *evidence) isInAll(place int) bool {
	x := v.account.Wallet.Expected[place]
	return isAccepted(x) && v.now.Sub(x.At) >= memoryOf(v.account)
}

// rival reports whether an expected change is of a purchase that was denied so shortly before this one that its money
// could be taken for this one's.
func (v *evidence) rival(place int) bool {
	return v.of.SentAt.Sub(v.account.Wallet.Expected[place].At) < executedLate+memoryOf(v.account)
}

// isHidden reports whether the price of this purchase would be seen to be there, if nothing hid it: that an accepted purchase of ours has not shown
// in an older reading, or that its orders may have failed and been given back, of which what shows may be one and the other not. What shows just
// now of one that was sent behind the time by which this one's price had to show is the price of that one.
func (v *evidence) isHidden(change dzd.Amount, others []cause) bool {
	var left, olds, pending []cause
	later := change
	for _, c := range others {
		x := v.account.Wallet.Expected[c.place]
		accepted := isAccepted(x)
		switch {
		case c.kind == possibleRefund:
			pending = append(pending, c)
		case c.kind == olderReading && accepted:
			olds = append(olds, c)
		case c.kind == due && accepted && c.amount.Equal(x.Amount) && x.At.After(v.of.AnsweredAt.Add(quietTime)):
			later = later.Sub(c.amount)
		default:
			left = append(left, c)
		}
	}
	for _, causes := range [][]cause{left, slices.Concat(left, pending), slices.Concat(left, olds)} {
		if chargeOf(change, v.of.Total, causes) == uncharged || chargeOf(later, v.of.Total, causes) == uncharged {
			return true
		}
	}
	return false
}

// kept reports whether the balance is where it was, but for what moved both figures alike, and for what the service
// may have held until orders came to their end.
//
// Example: before, 300 were held for an order: balance 1300, available 1000. That order ended, and its price left the balance: 1000 and
// 1000. The change of the balance, -300, is what was held, and is not that together with the price of this purchase.
func kept(b api.Balance, p store.Purchase, spends int) bool {
	// How the two figures differ is not shown. The service may hold the price of an order that is on its way, which would move
	// one of them alone: two that moved alike hold nothing new.
	change := b.Balance.Sub(p.Before.Balance)
	if change.Equal(b.Available.Sub(p.Before.Available)) {
		return true
	}
	// Other purchases of ours may hold something by now: then the two figures may differ by that.
	if spends != p.Before.Spends {
		return false
	}
	var causes []cause
	for _, amount := range p.Before.Held {
		causes = append(causes, cause{kind: due, amount: dzd.Amount{}.Sub(amount)})
	}
	// The change is the release of what was held, and would not be if the price had been taken too.
	return explain(change, causes).ways > 0 && explain(change.Add(p.Total), causes).ways == 0
}

// usedOf is how much of a variant's allocation is used, -1 where nothing is allocated: a usage that cannot move tells
// nothing.
func usedOf(v *api.Variant) int {
	if v == nil || v.Stock == nil || v.Stock.Lacks || v.Stock.Allocated <= 0 {
		return -1
	}
	return v.Stock.Used
}

package purchase

import (
	"context"
	"errors"
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

// judgeCharge tells what both figures of the wallet, and the usage, say together.
func (v *evidence) judgeCharge(b api.Balance, refunds []cause) charge {
	p, w := v.of, v.account.Wallet
	i := expected(w, p.ID)
	// The change is judged from the reading before the purchase. That one must have been explained (Settled), nothing
	// unexplained may have come since (UnexplainedChanges), and its price must not be in it already (Before).
	if !v.explained || p.Before.UnexplainedChanges != w.UnexplainedChanges || !w.Read || i < 0 || w.Expected[i].Before {
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

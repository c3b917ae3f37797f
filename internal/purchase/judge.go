package purchase

import (
	"slices"
	"strings"
	"time"

	"resellerbot/internal/api/dzd"
	"resellerbot/internal/store"
)

// findings is everything that one look for an uncertain purchase has gathered, beside what it was bought
// with. judge decides on it alone.
type findings struct {
	age      time.Duration // since the attempt ended, by the clock on the wall
	waited   time.Duration // since then, by the clocks of the processes that looked
	quiet    time.Duration // how long nothing has to show before nothing was bought
	patience time.Duration // how long to look before a person is asked, where time will not tell
	longest  time.Duration // and where it may
	quantity int

	candidates  []string // the service's ids of orders that nobody has claimed, fit in everything and were made meanwhile
	late        []string // the same, made or first seen after the attempt
	others      int      // unclaimed orders of the same item that do not fit, and entries that could not be read
	renamed     bool     // an unclaimed order is at its price, or called half as it is, and may be it under another name
	own         int      // orders of accepted purchases of ours of the same item that the list has not been seen to show
	accounted   int      // those of them that have failed and of which the list held as many failed orders before the purchase
	rivals      int      // other uncertain purchases of ours of the same item
	retried     int      // orders that those of them may have made that were sent after this one, and of which it is not decided yet
	contested   bool     // the order may be of a purchase that was sent with another key which may open the same wallet
	listed      bool     // the list of orders was read, now and before the purchase
	shared      bool     // the account is used outside of this bot as well
	unexplained bool     // money is gone that nothing explains, and nobody was told of it yet: others may use the account
	known       bool     // it is known how late the balance and the list are
	charge      charge
	broken      bool          // all orders that fit have failed: their price may be back
	silence     time.Duration // for how long, behind the quiet time, every look has shown nothing
	traced      bool          // this look or an earlier one has shown an order that fits, or its price gone
	vanished    bool          // and it shows no more: this look has read everything, and its price is there or the balance has risen
}

// passed is for how long a refused purchase has been watched by both clocks: the one on the wall may have been set ahead. From
// an hour on that clock is believed alone: the time in which no process ran counts as well.
func (f findings) passed() time.Duration {
	if f.age >= recall {
		return f.age
	}
	return min(f.age, f.waited)
}

// only reports whether so many orders fit, and nothing beside them that might be theirs or somebody else's.
func (f findings) only(units int) bool {
	return len(f.candidates) == units && len(f.late)+f.others+f.own+f.rivals == 0 && !f.shared && !f.unexplained
}

// finding is what a look comes to.
type finding struct {
	event Event  // Find, Deny or GiveUp; "" to look again
	rule  string // which rule spoke: it is kept as evidence
	ids   []string
}

// rules lists them.
func rules() []string {
	return []string{
		store.RuleRows, store.RuleTooMany, store.RuleTooFew, store.RuleLate, store.RuleShared, store.RuleOwn, store.RuleUntrusted, store.RuleMoneyGone, store.RuleTraces, store.RuleNothing, store.RuleUnknown,
		store.RuleUnclear, store.RuleWaiting, store.RuleInstead, store.RuleNamed,
	}
}

// judge decides what a look for an uncertain purchase proves. That it was bought needs orders and money to say the
// same, and nobody else who could have bought them. That nothing was bought is a claim about time: it needs readings
// that are known not to be later than the quiet time, and nothing unexplained in any of them.
func judge(f findings) finding {
	ids := slices.Concat(f.candidates, f.late)
	// patience is for what more looks cannot settle; longest for what time may tell.
	until := func(end time.Duration, rule string) finding {
		if f.age >= end {
			return finding{event: GiveUp, rule: rule, ids: ids}
		}
		return finding{rule: rule, ids: ids}
	}
	// unsure asks a person after ReconcileFor, early waits as long as time may tell (longest): by default 10 minutes, and 18 where lags are
	// known.
	unsure := func(rule string) finding { return until(f.patience, rule) }
	early := func(rule string) finding { return until(f.longest, rule) }
	// The order is a ranking: orders that show come before money, money before traces, and only what nothing contradicts may
	// come to "not bought", which is the last case.
	switch n := len(f.candidates); {
	case len(f.late) > 0 && len(ids) <= f.quantity:
		return unsure(store.RuleLate)
	// More orders than were bought means that somebody else bought the same: which are ours, a person says.
	case len(ids) > f.quantity || n > 0 && f.others > 0:
		return unsure(store.RuleTooMany)
	case n == f.quantity:
		return whole(f, unsure, early)
	case n > 0:
		return early(store.RuleTooFew)
	case f.charge == charged:
		return early(store.RuleMoneyGone)
	case f.vanished:
		return unsure(store.RuleTraces)
	case f.traced || f.others > 0 || f.renamed || !f.listed:
		return unsure(store.RuleUnclear)
	case f.charge != uncharged || f.own > 0:
		return early(store.RuleUnclear)
	case !f.known:
		return unsure(store.RuleUnknown)
	// Both clocks have to agree: the one on the wall may have been set ahead, the processes' own stand while none runs.
	case min(f.age, f.waited) >= f.quiet && f.silence >= leastApart:
		return finding{event: Deny, rule: store.RuleNothing}
	}
	return early(store.RuleWaiting)
}

// whole decides where exactly as many orders show as were bought.
func whole(f findings, unsure, early func(string) finding) finding {
	switch {
	case f.shared:
		return unsure(store.RuleShared)
	case !f.listed:
		return unsure(store.RuleUntrusted)
	// What was sent later and has no answer yet is no rival: it may come to nothing. The order may be its own all the same.
	case f.own+f.rivals+f.retried > 0:
		return early(store.RuleOwn)
	case f.unexplained:
		return early(store.RuleUntrusted)
	// Orders that have all failed are given back: then the price may be there (uncharged), or back (returned).
	case f.charge != charged && (!f.broken || f.charge != uncharged && f.charge != returned):
		return early(store.RuleUntrusted)
	case f.contested:
		return unsure(store.RuleOwn)
	}
	return finding{event: Find, rule: store.RuleRows, ids: f.candidates}
}

// item is how an order is compared with what was bought.
type item struct {
	product, variant, player string
	price                    dzd.Amount
}

// alike reports whether two items are the same good, whatever they cost and for whomever they are.
func (i item) alike(as item) bool { return same(i.product, as.product) && same(i.variant, as.variant) }

// row is an order in the service's list.
type row struct {
	id   string
	item item
	at   time.Time // by our clock, as far as that can be told; zero where it is not told
}

// leastApart is how far two looks lie apart at least that are to agree.
const leastApart = 30 * time.Second

// skew is how far the service's clock may be from ours.
const skew = 2 * time.Minute

// window is when an attempt was under way, and when a list is looked at that may be so late.
type window struct {
	from, to time.Time
	now      time.Time
	lag      time.Duration
}

// matches is what the rows that nobody has claimed are to a purchase.
type matches struct {
	candidates, late, others []string
}

// fitting parts the rows that nobody has claimed into those that are the same in everything and were made while the
// purchase was on its way, those made later, and those that are of the same item but do not fit.
func fitting(rows []row, bought item, w window) (m matches) {
	for _, r := range rows {
		if !r.item.alike(bought) {
			continue
		}
		switch {
		// A price that is not told (zero) or a player that is not told ("") contradicts nothing.
		case !r.item.price.IsZero() && !r.item.price.Equal(bought.price), r.item.player != "" && bought.player != "" && r.item.player != bought.player:
			m.others = append(m.others, r.id)
		case !r.at.IsZero() && r.at.Before(w.from.Add(-skew)): // it is new in the list all the same
			m.others = append(m.others, r.id)
		// An order without a time is late if this look is: then it may have been made by somebody at any time in between.
		case r.at.IsZero() && w.now.After(w.to.Add(skew+w.lag)), r.at.After(w.to.Add(skew)):
			m.late = append(m.late, r.id)
		default:
			m.candidates = append(m.candidates, r.id)
		}
	}
	// Sorted, evidence of two looks compares as equal whatever order the list had: people are not asked anew for that.
	slices.Sort(m.candidates)
	slices.Sort(m.late)
	return m
}

// same compares names as people would: a list need not write them exactly like the catalogue.
func same(a, b string) bool {
	return strings.EqualFold(strings.Join(strings.Fields(a), " "), strings.Join(strings.Fields(b), " "))
}

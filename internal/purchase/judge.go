package purchase

import (
	"slices"
	"strings"
	"time"

	"resellerbot/internal/api/dzd"
)

// findings is everything that one look for an uncertain purchase has gathered, beside what it was bought
// with. judge decides on it alone.
type findings struct {
	now        time.Time
	asked      time.Time     // when the one attempt began
	quiet      time.Duration // how long nothing has to show before nothing was bought
	patience   time.Duration // how long to look before a person is asked
	quantity   int
	total      dzd.Amount
	candidates []string // the service's ids of unclaimed orders that fit in everything
	others     int      // unclaimed orders of the same item in the window that do not fit
	listed     bool     // the list of orders was read, now and before the purchase
	trusted    bool     // the list is known to show orders like this one
	shared     bool     // the account is used outside of this bot as well
	charge     charge
	silent     time.Time // since when every look has shown nothing; zero where an earlier one showed something
	traced     bool      // this look or an earlier one has shown an order that fits, or its price gone
}

// charge is what the wallet and the counter of an allocation say about a purchase.
type charge uint8

const (
	unclear   charge = iota // not readable, or explained in more than one way
	charged                 // exactly its price is gone, or its units are used up
	uncharged               // everything is there
)

// finding is what a look comes to.
type finding struct {
	event Event  // Find, Deny or GiveUp; "" to look again
	rule  string // which rule spoke: it is kept as evidence
	ids   []string
}

// The rules, as evidence keeps them.
const (
	ruleRows      = "rows"       // exactly as many orders as were bought, and nothing else that fits
	ruleTooMany   = "too many"   // more orders fit than were bought
	ruleTooFew    = "too few"    // fewer orders fit than were bought
	ruleShared    = "shared"     // orders fit, and others buy with this account as well
	ruleUntrusted = "untrusted"  // orders fit, in a list that is not known to show such orders
	ruleMoneyGone = "money gone" // its price is gone and no order shows
	ruleTraces    = "traces"     // an order or its price gone showed earlier, and shows no more: it may have been refunded
	ruleNothing   = "nothing"    // no order, no money gone, for the whole quiet time
	ruleUnclear   = "unclear"    // neither can be shown
	ruleWaiting   = "waiting"    // too early to say
	ruleNamed     = "named"      // the answer named orders, and they exist
)

// rules lists them.
func rules() []string {
	return []string{
		ruleRows, ruleTooMany, ruleTooFew, ruleShared, ruleUntrusted, ruleMoneyGone, ruleTraces, ruleNothing, ruleUnclear, ruleWaiting, ruleNamed,
	}
}

// judge decides what a look for an uncertain purchase proves. Orders that show prove at once, unless they
// may be somebody else's. That nothing was bought is a claim about time: it needs the whole quiet time,
// and nothing unexplained in it.
func judge(f findings) finding {
	age := f.now.Sub(f.asked)
	unsure := func(rule string) finding { // a person decides, once it is clear that time does not
		if age >= f.patience {
			return finding{event: GiveUp, rule: rule, ids: f.candidates}
		}
		return finding{rule: rule, ids: f.candidates}
	}
	switch n := len(f.candidates); {
	case n > f.quantity || n > 0 && f.others > 0:
		return unsure(ruleTooMany)
	case n == f.quantity && f.shared:
		return unsure(ruleShared)
	case n == f.quantity && !f.trusted && f.charge != charged:
		return unsure(ruleUntrusted)
	case n == f.quantity:
		return finding{event: Find, rule: ruleRows, ids: f.candidates}
	case n > 0:
		return unsure(ruleTooFew)
	case f.charge == charged:
		return unsure(ruleMoneyGone)
	case f.traced:
		return unsure(ruleTraces)
	case age >= f.quiet && f.others == 0 && f.charge == uncharged && settledSilence(f):
		return finding{event: Deny, rule: ruleNothing}
	case age < f.patience:
		return finding{rule: ruleWaiting}
	}
	return unsure(ruleUnclear)
}

// settledSilence reports whether nothing has shown for long enough to be believed: in at least two looks
// that lie apart, of which the last is behind the quiet time.
func settledSilence(f findings) bool {
	return !f.silent.IsZero() && f.now.Sub(f.silent) >= apart
}

// chargeOf tells what a change of the balance, and of the counter of an allocation, says about a purchase.
// refunds are those that may have come meanwhile. A counter is moved by nothing but purchases; that it has
// not moved proves that nothing was bought, and that it has moved by as much, together with the money,
// that it was.
func chargeOf(change, total dzd.Amount, known bool, used int, quantity int, refunds []dzd.Amount) charge {
	money := unclear
	if known {
		kept, gone := sumsTo(change, refunds), sumsTo(change.Add(total), refunds)
		switch {
		case kept && !gone:
			money = uncharged
		case gone && !kept:
			money = charged
		}
	}
	switch {
	case used < 0:
		return money
	case used == 0 && money != charged:
		return uncharged
	case used >= quantity && money != uncharged:
		return charged
	}
	return unclear
}

// sumsTo reports whether a change is made by some of the refunds, or by none.
func sumsTo(change dzd.Amount, refunds []dzd.Amount) bool {
	return change.IsZero() || explain(change, refunds) != nil
}

// item is how an order is compared with what was bought.
type item struct {
	product, variant, player string
	price                    dzd.Amount
}

// row is an order in the service's list.
type row struct {
	id   string
	item item
	at   time.Time // zero where it is not told
}

// apart is how far two looks lie apart at least that are to agree.
const apart = 30 * time.Second

// skew is how far the service's clock may be from ours.
const skew = 2 * time.Minute

// fitting parts the rows that nobody has claimed into those that are the same in everything and within the
// window of the purchase, and those that are of the same product but do not fit.
func fitting(rows []row, bought item, from, to time.Time) (candidates []string, others int) {
	for _, r := range rows {
		if !same(r.item.product, bought.product) || !same(r.item.variant, bought.variant) {
			continue
		}
		switch {
		case !r.at.IsZero() && (r.at.Before(from.Add(-skew)) || r.at.After(to.Add(skew))):
			others++ // the service's clock may be in another zone: such an order blocks, and proves nothing
		case !r.item.price.IsZero() && !r.item.price.Equal(bought.price), r.item.player != "" && bought.player != "" && r.item.player != bought.player:
			others++
		default:
			candidates = append(candidates, r.id)
		}
	}
	slices.Sort(candidates)
	return candidates, others
}

// same compares names as people would: a list need not write them exactly like the catalogue.
func same(a, b string) bool {
	return strings.EqualFold(strings.Join(strings.Fields(a), " "), strings.Join(strings.Fields(b), " "))
}

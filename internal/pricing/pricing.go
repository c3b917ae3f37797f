// Package pricing is what a shop asks for what it sells: rules on what it pays, and what is doubtful about amounts that
// people type. It is exact, and knows nothing of chats, of the service or of records.
package pricing

import (
	"cmp"
	"errors"
	"maps"
	"math/bits"
	"slices"
	"strconv"
	"strings"

	"resellerbot/internal/ledger"
)

const (
	// Most is the highest price there can be.
	Most = 1_000_000_000 * ledger.Dinar
	// MostPercent bounds the percentage of a rule, in hundredths of a percent; the least is more than −100 %.
	MostPercent, leastPercent = 100_000, -10_000
)

var (
	// ErrPercent: the percentage is −100 or less, or above 1 000.
	ErrPercent = errors.New("pricing: percentage out of range")
	// ErrStep: prices are not rounded to that.
	ErrStep = errors.New("pricing: no such step")
	// ErrPrice: the price is nothing, negative, no whole centimes, or above a thousand million dinars.
	ErrPrice = errors.New("pricing: price out of range")
)

// Steps lists what prices can be rounded up to.
func Steps() []ledger.Money {
	return []ledger.Money{ledger.Dinar, 5 * ledger.Dinar, 10 * ledger.Dinar, 50 * ledger.Dinar}
}

// Basis is what a rule makes a price of.
type Basis string

// The bases of prices.
const (
	ByPercent Basis = "percent" // of what it costs, added to it
	ByAmount  Basis = "amount"  // added to what it costs
	Fixed     Basis = "fixed"   // whatever it costs
	Suggested Basis = "service" // what the service says that it is sold for
)

// Rule makes a price.
type Rule struct {
	Basis   Basis
	Percent int          `json:",omitempty"` // in hundredths of a percent
	Amount  ledger.Money `json:",omitempty"` // that is added, or the fixed price
	Step    ledger.Money `json:",omitempty"` // that the price is rounded up to; a fixed one is not
}

// Check reports what is wrong with a rule.
func (r Rule) Check() error {
	switch r.Basis {
	case Fixed:
		return CheckPrice(r.Amount)
	case ByPercent:
		if r.Percent <= leastPercent || r.Percent > MostPercent {
			return ErrPercent
		}
	case ByAmount:
		if r.Amount < -Most || r.Amount > Most || r.Amount%ledger.Centime != 0 {
			return ErrPrice
		}
	case Suggested:
	default:
		return ErrPrice
	}
	if slices.Contains(Steps(), r.Step) {
		return nil
	}
	return ErrStep
}

// CheckPrice reports whether people can ask that much.
func CheckPrice(m ledger.Money) error {
	if m <= 0 || m > Most || m%ledger.Centime != 0 {
		return ErrPrice
	}
	return nil
}

// price is what a rule asks for something. Of what has no known cost there is no price, unless it is fixed.
func (r Rule) price(cost, suggested ledger.Money) (ledger.Money, bool) {
	raw := ledger.Money(0)
	switch r.Basis {
	case Fixed:
		return r.Amount, CheckPrice(r.Amount) == nil
	case Suggested:
		raw = suggested
	case ByPercent:
		if cost <= 0 || cost > Most {
			return 0, false
		}
		raw = percent(cost, r.Percent)
	case ByAmount:
		if cost <= 0 || cost > Most {
			return 0, false
		}
		raw = cost + r.Amount
	}
	if raw <= 0 || r.Step <= 0 {
		return 0, false
	}
	up := ceil(raw, r.Step)
	return up, CheckPrice(up) == nil
}

// percent is an amount with hundredths of a percent of it added, rounded up to the least that there is.
func percent(m ledger.Money, p int) ledger.Money {
	hi, lo := bits.Mul64(uint64(m), uint64(p-leastPercent)) //nolint:gosec // G115: neither is negative
	whole, rest := bits.Div64(hi, lo, uint64(-leastPercent))
	if rest > 0 {
		whole++
	}
	return ledger.Money(whole) //nolint:gosec // G115: at most eleven times what a thousand million dinars are
}

// ceil rounds up to a multiple of a step.
func ceil(m, step ledger.Money) ledger.Money {
	if rest := m % step; rest != 0 {
		m += step - rest
	}
	return m
}

// BelowCost is what happens where somebody sells for less than it has cost.
type BelowCost string

// What can happen.
const (
	Warn BelowCost = ""      // it is said
	Ask  BelowCost = "owner" // an owner has to say yes
	Off  BelowCost = "off"   // nothing
)

// Rules are the prices of a shop. The most specific one wins.
type Rules struct {
	Shop     *Rule
	Category map[string]Rule
	Product  map[string]Rule
	Variant  map[string]Rule
	Below    BelowCost `json:",omitempty"`
	ShowCost bool      `json:",omitempty"` // sellers see what things cost
}

// Any reports whether the shop has prices of its own.
func (r Rules) Any() bool {
	return r.Shop != nil || len(r.Category)+len(r.Product)+len(r.Variant) > 0
}

// Rule is the rule that was set at a level, for the category, product or variant of that name.
func (r Rules) Rule(l Level, key string) (Rule, bool) {
	if l == OfShop {
		if r.Shop == nil {
			return Rule{}, false
		}
		return *r.Shop, true
	}
	rule, ok := r.at(l)[key]
	return rule, ok
}

// With is the rules with another one at a level, or with none there. What it is made of stays as it is.
func (r Rules) With(l Level, key string, rule *Rule) Rules {
	if l == OfShop {
		r.Shop = rule
		return r
	}
	all := maps.Clone(r.at(l))
	if all == nil {
		all = map[string]Rule{}
	}
	delete(all, key)
	if rule != nil {
		all[key] = *rule
	}
	switch l {
	case OfCategory:
		r.Category = all
	case OfProduct:
		r.Product = all
	case OfVariant:
		r.Variant = all
	case OfShop:
	}
	return r
}

// HasOwn reports whether a product, or a variant of it, has a rule of its own.
func (r Rules) HasOwn(product string) bool {
	if _, ok := r.Product[product]; ok {
		return true
	}
	for key := range r.Variant {
		if strings.HasPrefix(key, product+"/") {
			return true
		}
	}
	return false
}

// Len counts the rules beside the shop's own.
func (r Rules) Len() int { return len(r.Category) + len(r.Product) + len(r.Variant) }

// Item is something that is sold: what it is, what it costs, and what the service says that it is sold for.
type Item struct {
	Category, Product, Variant string
	Cost, Suggested            ledger.Money
}

// ItemOf names something as the service does, by numbers of which 0 is none: a plan of a product goes by its own name. What
// the service has not named by itself has no rule of its own.
func ItemOf(category, product, variant int64, plan string, cost, suggested ledger.Money) Item {
	i := Item{Category: number(category), Product: number(product), Cost: cost, Suggested: suggested}
	// Behind its product: what a plan is called may be the number of another product's variant.
	if of := cmp.Or(plan, number(variant)); of != "" {
		i.Variant = i.Product + "/" + of
	}
	return i
}

// number writes a number of the service; "" for none.
func number(n int64) string {
	if n == 0 {
		return ""
	}
	return strconv.FormatInt(n, 10)
}

// Level is how specific a rule is.
type Level string

// The levels, the most specific one first.
const (
	OfVariant  Level = "variant"
	OfProduct  Level = "product"
	OfCategory Level = "category"
	OfShop     Level = "shop"
)

// Quote is the price of something.
type Quote struct {
	Price ledger.Money
	Gain  ledger.Money // more than it costs
	Rule  Rule
	Level Level
}

// BelowCost reports whether it is sold for less than it costs.
func (q Quote) BelowCost() bool { return q.Gain < 0 }

// For is the price of an item; false where there is none. A rule that gives none leaves it to the next one above it.
func (r Rules) For(i Item) (Quote, bool) {
	for _, c := range r.candidates(i) {
		if p, ok := c.Rule.price(i.Cost, i.Suggested); ok {
			c.Price, c.Gain = p, p-i.Cost
			return c, true
		}
	}
	return Quote{}, false
}

// Change is what another cost does to a price.
type Change struct {
	Was, Is Quote
}

// Recost is what becomes of an item's price with another cost; false where it has none before or after.
func (r Rules) Recost(i Item, cost ledger.Money) (Change, bool) {
	was, had := r.For(i)
	i.Cost = cost
	is, has := r.For(i)
	return Change{was, is}, had && has
}

// at are the rules of a level.
func (r Rules) at(l Level) map[string]Rule {
	return map[Level]map[string]Rule{OfCategory: r.Category, OfProduct: r.Product, OfVariant: r.Variant}[l]
}

// candidates lists the rules for an item, the most specific one first.
func (r Rules) candidates(i Item) (all []Quote) {
	for _, at := range []struct {
		level Level
		rules map[string]Rule
		key   string
	}{{OfVariant, r.Variant, i.Variant}, {OfProduct, r.Product, i.Product}, {OfCategory, r.Category, i.Category}} {
		if rule, ok := at.rules[at.key]; ok && at.key != "" {
			all = append(all, Quote{Rule: rule, Level: at.level})
		}
	}
	if r.Shop != nil {
		all = append(all, Quote{Rule: *r.Shop, Level: OfShop})
	}
	return all
}

const (
	far       = 5                      // times: an amount as far from what is expected is asked back
	suspicion = 100_000 * ledger.Dinar // without an expectation, more is
)

// Doubt reports whether a typed amount is to be asked back, since people say prices in centimes or forget a zero. likely is
// what they may mean; it is zero where nothing fits better. expected is zero where nothing is. part is whether less than
// is expected is usual.
func Doubt(typed, expected ledger.Money, part bool) (likely ledger.Money, doubt bool) {
	if typed <= 0 {
		return 0, false
	}
	if expected <= 0 {
		return typed / 100, typed > suspicion
	}
	if high, low := typed/far >= expected, typed <= expected/far; !high && (!low || part) {
		return 0, false
	}
	best := distance(typed, expected)
	for _, other := range []ledger.Money{typed / 100, typed / 10, times(typed, 10), times(typed, 100)} {
		if d := distance(other, expected); other%ledger.Centime == 0 && d < best && d < far {
			likely, best = other, d
		}
	}
	return likely, true
}

// times is a multiple; nothing where it does not fit.
func times(m, n ledger.Money) ledger.Money {
	if m > Most {
		return 0
	}
	return m * n
}

// distance is how many times one amount is the other.
func distance(a, b ledger.Money) ledger.Money {
	a, b = max(a, b), min(a, b)
	if b <= 0 {
		return Most
	}
	return a / b
}

package conversations

import (
	"encoding/json"
	"errors"
	"slices"
	"strconv"
	"strings"
	"time"

	"resellerbot/internal/api"
	"resellerbot/internal/api/dzd"
	"resellerbot/internal/figures"
	"resellerbot/internal/ledger"
	"resellerbot/internal/pricing"
	"resellerbot/internal/screen"
	"resellerbot/internal/store"
)

const (
	flowPrices   = "prices"
	stepRule     = "rule" // the screen of prices is open: a figure is a rule, anything else is not for it
	mostExamples = 5      // items under a rule
	muchPercent  = 10_000 // hundredths of a percent: more is asked back
)

// prices is /prices: the rule by which the shop sells, and what it makes of some items.
func (t priceFlow) prices() error {
	t.leave()
	if _, _, ok, err := t.account(); err != nil || !ok {
		return err
	}
	p, err := t.cfg.Store.Prices(t.ctx, t.shop.ID)
	show := func(list []screen.PriceExample) error {
		return t.ask(t.scr.Prices().Rule(p.Rules, list), flowPrices, stepRule, pricingState{})
	}
	// Without a rule there is nothing to show an example of: the catalogue need not be read.
	if err != nil || !p.Rules.Any() {
		return firstError(err, func() error { return show(nil) })
	}
	return t.withExamples(p.Rules, show)
}

// tapped runs the buttons of prices: those of the shop's rule, and of what is set beside it.
func (t priceFlow) tapped() error {
	switch t.action.Arg(0) {
	case "":
		return t.prices()
	case screen.PriceSettings, screen.PriceBelowCost, screen.PriceShowCost:
		return t.settings()
	}
	return t.built(priced{}, t.action.Args)
}

// built goes on with a rule: it is put together from one button to the next, and set by the last.
func (t priceFlow) built(at priced, args []string) error {
	arg := func(i int) string { return (screen.Action{Args: args}).Arg(i) }
	r := pricing.Rule{Basis: pricing.Basis(arg(0))}
	// By how much of the rule the button says, it leads to the question for the next part of it.
	switch {
	// It is asked once more before the shop's rule goes, which prices all that has none of its own. Any other leaves the one above it.
	case arg(0) == screen.PriceOff && at.target == (screen.PriceTarget{}):
		return t.remove(at, arg(1) == screen.Yes, arg(2), arg(3))
	case arg(0) == screen.PriceOff:
		return t.set(at, nil)
	case !at.takes(r.Basis):
		return t.stale()
	case arg(1) == "" && r.Basis == pricing.Suggested:
		return t.askStep(at, r)
	case arg(1) == "":
		return t.askRule(at, r, nil, screen.PriceFine)
	}
	n, err := strconv.ParseInt(arg(1), 10, 64)
	if err != nil {
		return t.stale()
	}
	if r.Basis == pricing.ByPercent {
		r.Percent = int(n)
	} else {
		r.Amount = ledger.Money(n)
	}
	switch {
	// The button may be forged: what it says is held to the bounds of a rule that was typed.
	case r.Basis == pricing.Fixed && r.Check() != nil:
		return t.stale()
	case r.Basis == pricing.Fixed:
		return t.set(at, &r)
	case arg(2) == "":
		return t.askStep(at, r)
	}
	dinars, err := strconv.Atoi(arg(2))
	if r.Step = ledger.Money(dinars) * ledger.Dinar; err != nil || r.Check() != nil {
		return t.stale()
	}
	return t.set(at, &r)
}

// remove takes the shop's rule away, or asks first; so it does where the rule is another one by now than the one that the button names.
func (t priceFlow) remove(at priced, sure bool, basis, value string) error {
	own, err := t.cfg.Store.Prices(t.ctx, t.shop.ID)
	if err != nil {
		return err
	}
	if r := own.Rules.Shop; !sure || r != nil && (string(r.Basis) != basis || strconv.FormatInt(screen.RuleValue(*r), 10) != value) {
		return t.say(at.screens(t).SureOff(own.Rules))
	}
	return t.set(at, nil)
}

// pricingState is the state of the question for a rule's number.
type pricingState struct {
	mistake

	At string `json:"At,omitempty"` // what it is for
}

// askRule asks for what a rule adds.
func (t priceFlow) askRule(at priced, value pricing.Rule, likely *pricing.Rule, problem screen.PriceProblem) error {
	wrong := screen.Problem(problem)
	t.correct(wrong)
	return t.ask(at.screens(t).Ask(value, likely, problem), flowPrices, string(value.Basis), pricingState{mistake{wrong}, at.target.Data()})
}

// askStep asks what prices are rounded up to, and shows what they would be.
func (t priceFlow) askStep(at priced, r pricing.Rule) error {
	// A step of ten dinars stands for those that are offered: a rule that does not pass with it passes with none.
	if r.Step = 10 * ledger.Dinar; r.Check() != nil {
		return t.stale()
	}
	return t.withExamplesOf(at, &r, func(list []screen.PriceExample) error {
		// The rule so far is on the buttons of what comes next: no question is open any more.
		t.leave()
		return t.say(at.screens(t).Step(r, list))
	})
}

// typed takes what a rule is to add. What may be centimes, or earns nothing, is asked back.
func (t priceFlow) typed() error {
	if _, _, ok, err := t.account(); err != nil || !ok {
		return err
	}
	var s pricingState
	target, ok := screen.PriceTarget{}, json.Unmarshal(t.session.Data, &s) == nil
	if ok {
		target, ok = screen.ParsePriceTarget(s.At)
	}
	if !ok {
		return t.stale()
	}
	basis := pricing.Basis(t.session.Step)
	if t.session.Step == stepRule {
		var figure bool
		if basis, figure = basisOf(t.text); !figure {
			t.cover()
			return buyFlow(t).search(t.text)
		}
	}
	return t.withTarget(target, func(at priced) error {
		if basis == "" {
			return t.ask(at.screens(t).How(), flowPrices, stepRule, s)
		}
		if basis == pricing.Fixed {
			r, likely, problem := t.readFixed(at)
			if problem != screen.PriceFine {
				return t.askRule(at, r, likely, problem)
			}
			return t.set(at, &r)
		}
		// What is much depends on what the shop's items cost.
		return t.withCatalogue(func(all []api.Product) error {
			r, likely, problem := readRule(basis, t.text, usualCost(at, all))
			if problem != screen.PriceFine {
				return t.askRule(at, r, likely, problem)
			}
			return t.askStep(at, r)
		})
	})
}

// readRule reads what a rule adds; usual is what items cost.
func readRule(basis pricing.Basis, text string, usual ledger.Money) (r pricing.Rule, likely *pricing.Rule, problem screen.PriceProblem) {
	// A rule has to name a step to pass Check; which one it gets is asked next (askStep).
	r.Basis, r.Step = basis, ledger.Dinar
	plain, less := signed(text)
	amount, sure, err := figures.Amount(plain)
	switch {
	case errors.Is(err, dzd.ErrRange):
		return r, nil, screen.PriceRange
	case err != nil:
		return r, nil, screen.PriceBad
	}
	value := ledger.Of(amount)
	if less {
		value = -value
	}
	var much bool
	if basis == pricing.ByPercent {
		r, likely, much = byPercent(r, value)
	} else {
		r, likely, much = byAmount(r, value, usual)
	}
	switch {
	// The order is that of what is worse: what cannot be, then what may be meant otherwise, then what only earns nothing.
	case value%ledger.Centime != 0:
		return r, nil, screen.PriceBad
	case r.Check() != nil:
		return r, nil, screen.PriceRange
	case !sure:
		return r, nil, screen.PriceUnsure
	case much:
		return r, likely, screen.PriceMuch
	case value <= 0:
		return r, nil, screen.PriceBelow
	}
	return r, nil, screen.PriceFine
}

// basisOf is what a figure says by itself that a rule adds: a percentage, or an amount; "" for one that says neither. figure is
// false for any other text.
func basisOf(text string) (basis pricing.Basis, figure bool) {
	plain, _ := signed(text)
	if _, _, err := figures.Amount(plain); errors.Is(err, figures.ErrNotAFigure) {
		return "", false
	}
	switch {
	case strings.ContainsAny(text, "%٪"):
		return pricing.ByPercent, true
	case figures.HasCurrency(plain):
		return pricing.ByAmount, true
	}
	return "", !namesPurchase(text) // so long a number is looked for
}

// signed is a figure without its sign and the sign of percent; less is whether it is one of less.
func signed(text string) (plain string, less bool) {
	plain = strings.TrimSpace(strings.Trim(strings.TrimSpace(figures.Latin(text)), "%٪"))
	for _, minus := range []string{"-", "−", "–"} {
		if rest, ok := strings.CutPrefix(plain, minus); ok {
			return strings.TrimSpace(rest), true
		}
	}
	return strings.TrimSpace(strings.TrimPrefix(plain, "+")), false
}

// byPercent is a rule of so many percent; what is more than double is asked back.
func byPercent(r pricing.Rule, value ledger.Money) (rule pricing.Rule, likely *pricing.Rule, much bool) {
	// It is cut just beyond what a rule can be: the check refuses it, and an int holds it.
	hundredths := max(min(value/ledger.Centime, pricing.MostPercent+1), -pricing.MostPercent)
	if r.Percent = int(hundredths); r.Percent <= muchPercent {
		return r, nil, false
	}
	meant := r
	// 1500 for 15 percent has two zeros too many, 150 has one.
	if meant.Percent /= 10; meant.Percent > muchPercent/2 {
		meant.Percent /= 10
	}
	return r, &meant, true
}

// byAmount is a rule of an amount; one that is as much as what items cost is asked back.
func byAmount(r pricing.Rule, value, usual ledger.Money) (rule pricing.Rule, likely *pricing.Rule, much bool) {
	r.Amount = value
	// Doubt asks back what is five times what is expected, or more: expected is a fifth, so that an addition is doubtful from the cost on.
	// Example: items cost 1 000 DZD. 999 are taken, 1 000 are asked back.
	meant, much := pricing.Doubt(value, usual/5, true)
	if !much || meant <= 0 {
		return r, nil, much
	}
	other := r
	other.Amount = meant
	return r, &other, true
}

// usualCost is what the item in the middle of what a rule is for costs; 0 where nothing has a price.
func usualCost(at priced, all []api.Product) ledger.Money {
	var costs []ledger.Money
	if len(at.of) == 0 {
		at.of = all
	}
	at.items(func(_ api.Product, v api.Variant) {
		if v.Price.Sign() > 0 {
			costs = append(costs, ledger.Of(v.Price))
		}
	})
	if len(costs) == 0 {
		return 0
	}
	// The middle, and no mean: a few dear items would move that far.
	slices.Sort(costs)
	return costs[len(costs)/2]
}

// set sets a rule, or takes it away. The first one opens the shop's books, for the chats that are linked.
func (t priceFlow) set(at priced, r *pricing.Rule) error {
	if _, _, ok, err := t.account(); err != nil || !ok {
		return err
	}
	err := t.forOwner(t.shop.ID, func(tx *store.Tx, a *store.Account) error {
		p, err := tx.Prices(a.ID)
		if err != nil {
			return err
		}
		if p.Rules = p.Rules.With(at.level(), at.key, r); r != nil {
			if err := tx.OpenBook(*a, t.cfg.Zone, time.Now()); err != nil {
				return err
			}
		}
		return tx.PutPrices(&p)
	})
	if err != nil {
		return t.refused(err)
	}
	if at.target == (screen.PriceTarget{}) {
		return t.prices()
	}
	return t.goods(at.target, 0)
}

// selling is the screens for an item, with the shop's own price where it has one.
func (t *turn) selling(p api.Product, v api.Variant) (screen.Printer, error) {
	own, err := t.cfg.Store.Prices(t.ctx, t.chat.Account)
	if err != nil {
		return t.scr, err
	}
	if q, ok := own.Rules.For(screen.ItemOf(p, v)); ok {
		return t.scr.Selling(q), nil
	}
	return t.scr, nil
}

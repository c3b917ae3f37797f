package conversations

import (
	"cmp"
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
	if err != nil || p.Rules.Shop == nil {
		return firstError(err, func() error { return t.say(t.scr.Prices().Rule(nil, nil)) })
	}
	return t.withExamples(p.Rules, func(list []screen.PriceExample) error { return t.say(t.scr.Prices().Rule(p.Rules.Shop, list)) })
}

// tapped runs the buttons of prices: a rule is put together from one to the next, and set by the last.
func (t priceFlow) tapped() error {
	r := pricing.Rule{Basis: pricing.Basis(t.action.Arg(0))}
	switch {
	case t.action.Arg(0) == "":
		return t.prices()
	case t.action.Arg(0) == screen.PriceOff:
		return t.set(nil)
	case r.Basis != pricing.ByPercent && r.Basis != pricing.ByAmount:
		return t.stale()
	case t.action.Arg(1) == "":
		return t.askRule(r, nil, screen.PriceFine)
	}
	n, err := strconv.ParseInt(t.action.Arg(1), 10, 64)
	if err != nil {
		return t.stale()
	}
	if r.Basis == pricing.ByPercent {
		r.Percent = int(n)
	} else {
		r.Amount = ledger.Money(n)
	}
	if t.action.Arg(2) == "" {
		return t.askStep(r)
	}
	dinars, err := strconv.Atoi(t.action.Arg(2))
	if r.Step = ledger.Money(dinars) * ledger.Dinar; err != nil || r.Check() != nil {
		return t.stale()
	}
	return t.set(&r)
}

// askRule asks for what a rule adds.
func (t priceFlow) askRule(value pricing.Rule, likely *pricing.Rule, problem screen.PriceProblem) error {
	if problem != screen.PriceFine {
		t.over = t.answers
	}
	return t.ask(t.scr.Prices().Ask(value, likely, problem), flowPrices, string(value.Basis), nil)
}

// askStep asks what prices are rounded up to, and shows what they would be.
func (t priceFlow) askStep(r pricing.Rule) error {
	if r.Step = 10 * ledger.Dinar; r.Check() != nil {
		return t.stale()
	}
	return t.withExamples(pricing.Rules{Shop: &r}, func(list []screen.PriceExample) error {
		t.leave()
		return t.say(t.scr.Prices().Step(r, list))
	})
}

// typed takes what a rule is to add. What may be centimes, or earns nothing, is asked back.
func (t priceFlow) typed() error {
	if _, _, ok, err := t.account(); err != nil || !ok {
		return err
	}
	return t.withCatalogue(func(all []api.Product) error {
		r, likely, problem := readRule(pricing.Basis(t.session.Step), t.text, usualCost(all))
		if problem != screen.PriceFine {
			return t.askRule(r, likely, problem)
		}
		return t.askStep(r)
	})
}

// readRule reads what a rule adds; usual is what items cost.
func readRule(basis pricing.Basis, text string, usual ledger.Money) (r pricing.Rule, likely *pricing.Rule, problem screen.PriceProblem) {
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

// signed is a figure without its sign and the sign of percent; less is whether it is one of less.
func signed(text string) (plain string, less bool) {
	plain = strings.TrimSpace(strings.TrimRight(strings.TrimSpace(figures.Latin(text)), "%٪"))
	for _, minus := range []string{"-", "−", "–"} {
		if rest, ok := strings.CutPrefix(plain, minus); ok {
			return strings.TrimSpace(rest), true
		}
	}
	return strings.TrimSpace(strings.TrimPrefix(plain, "+")), false
}

// byPercent is a rule of so many percent; what is more than double is asked back.
func byPercent(r pricing.Rule, value ledger.Money) (rule pricing.Rule, likely *pricing.Rule, much bool) {
	hundredths := max(min(value/ledger.Centime, pricing.MostPercent+1), -pricing.MostPercent)
	if r.Percent = int(hundredths); r.Percent <= muchPercent {
		return r, nil, false
	}
	meant := r
	if meant.Percent /= 10; meant.Percent > muchPercent/2 {
		meant.Percent /= 10
	}
	return r, &meant, true
}

// byAmount is a rule of an amount; one that is as much as what items cost is asked back.
func byAmount(r pricing.Rule, value, usual ledger.Money) (rule pricing.Rule, likely *pricing.Rule, much bool) {
	r.Amount = value
	meant, much := pricing.Doubt(value, usual/5, true)
	if !much || meant <= 0 {
		return r, nil, much
	}
	other := r
	other.Amount = meant
	return r, &other, true
}

// usualCost is what the item in the middle of a catalogue costs; 0 where nothing has a price.
func usualCost(all []api.Product) ledger.Money {
	var costs []ledger.Money
	for _, p := range all {
		for _, v := range p.Variants {
			if v.Price.Sign() > 0 {
				costs = append(costs, ledger.Of(v.Price))
			}
		}
	}
	if len(costs) == 0 {
		return 0
	}
	slices.Sort(costs)
	return costs[len(costs)/2]
}

// withExamples shows what rules make of items: those that are kept at hand before others.
func (t priceFlow) withExamples(rules pricing.Rules, show func([]screen.PriceExample) error) error {
	return t.withCatalogue(func(all []api.Product) error {
		favourites, lately, err := itemFlow(t).atHand()
		if err != nil {
			return err
		}
		was, err := t.cfg.Store.Prices(t.ctx, t.shop.ID)
		if err != nil {
			return err
		}
		return show(examplesOf(all, slices.Concat(favourites, lately), rules, was.Rules))
	})
}

// examplesOf are the prices of some items.
func examplesOf(all []api.Product, first []store.Goods, rules, was pricing.Rules) (list []screen.PriceExample) {
	var others []screen.PriceExample
	at := map[int]screen.PriceExample{}
	for _, p := range all {
		for _, v := range p.Variants {
			item := itemOf(p, v)
			q, ok := rules.For(item)
			if !ok {
				continue
			}
			e := screen.PriceExample{Item: p.Name + " · " + v.Name, Cost: item.Cost, Quote: q}
			if before, had := was.For(item); had {
				e.Was = before.Price
			}
			if i := slices.IndexFunc(first, func(g store.Goods) bool { return g.Product == p.ID && g.Variant == v.ID }); i >= 0 {
				at[i] = e
			} else if v.Available && len(others) < mostExamples {
				others = append(others, e)
			}
		}
	}
	for i := range first {
		if e, ok := at[i]; ok {
			list = append(list, e)
		}
	}
	list = append(list, others...)
	return list[:min(len(list), mostExamples)]
}

// itemOf is an item as rules know it.
func itemOf(p api.Product, v api.Variant) pricing.Item {
	i := pricing.Item{Product: strconv.FormatInt(p.ID, 10), Variant: cmp.Or(v.Plan, strconv.FormatInt(v.ID, 10)), Cost: ledger.Of(v.Price)}
	if p.CategoryID != 0 {
		i.Category = strconv.FormatInt(p.CategoryID, 10)
	}
	return i
}

// set sets the shop's rule, or takes it away. The first one opens the shop's books, for the chats that are linked.
func (t priceFlow) set(r *pricing.Rule) error {
	if _, _, ok, err := t.account(); err != nil || !ok {
		return err
	}
	err := t.cfg.Store.Update(t.ctx, func(tx *store.Tx) error {
		a, err := tx.Account(t.shop.ID)
		if err != nil {
			return err
		}
		if a.Role(t.userID) != store.Owner {
			return errNotOwner
		}
		p, err := tx.Prices(a.ID)
		if err != nil {
			return err
		}
		if p.Rules.Shop = r; r != nil {
			if err := tx.OpenBook(a, t.cfg.Zone, time.Now()); err != nil {
				return err
			}
		}
		return tx.PutPrices(&p)
	})
	if err != nil {
		return t.refused(err)
	}
	return t.prices()
}

// selling is the screens for an item, with the shop's own price where it has one.
func (t *turn) selling(p api.Product, v api.Variant) (screen.Printer, error) {
	own, err := t.cfg.Store.Prices(t.ctx, t.chat.Account)
	if err != nil {
		return t.scr, err
	}
	if q, ok := own.Rules.For(itemOf(p, v)); ok {
		return t.scr.Selling(q), nil
	}
	return t.scr, nil
}

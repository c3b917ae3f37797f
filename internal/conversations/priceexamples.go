package conversations

import (
	"slices"

	"resellerbot/internal/api"
	"resellerbot/internal/pricing"
	"resellerbot/internal/screen"
	"resellerbot/internal/store"
)

// withExamplesOf shows what a rule makes of what it is for, beside what is asked for that now.
func (t priceFlow) withExamplesOf(at priced, r *pricing.Rule, show func([]screen.PriceExample) error) error {
	was, err := t.cfg.Store.Prices(t.ctx, t.shop.ID)
	if err != nil {
		return err
	}
	rules := was.Rules.With(at.level(), at.key, r)
	// What has a rule of its own stays at that: it is no example of the shop's.
	if at.target == (screen.PriceTarget{}) {
		return t.examplesBy(rules, func(q pricing.Quote) bool { return q.Level == pricing.OfShop }, show)
	}
	return show(at.examples(rules, was.Rules))
}

// withExamples shows what rules make of items: those that are kept at hand before others.
func (t priceFlow) withExamples(rules pricing.Rules, show func([]screen.PriceExample) error) error {
	return t.examplesBy(rules, func(pricing.Quote) bool { return true }, show)
}

// examplesBy is withExamples for the items whose price is of a kind.
func (t priceFlow) examplesBy(rules pricing.Rules, is func(pricing.Quote) bool, show func([]screen.PriceExample) error) error {
	return t.withCatalogue(func(all []api.Product) error {
		favourites, lately, err := itemFlow(t).atHand()
		if err != nil {
			return err
		}
		was, err := t.cfg.Store.Prices(t.ctx, t.shop.ID)
		if err != nil {
			return err
		}
		return show(examplesOf(all, slices.Concat(favourites, lately), rules, was.Rules, is))
	})
}

// exampleOf is the price of an item by rules, beside that by the ones before; ok is false where it has none.
func exampleOf(p api.Product, v api.Variant, rules, was pricing.Rules) (e screen.PriceExample, ok bool) {
	item := screen.ItemOf(p, v)
	q, ok := rules.For(item)
	e = screen.PriceExample{Item: p.Name + " · " + v.Name, Cost: item.Cost, Quote: q}
	if before, had := was.For(item); had {
		e.Was = before.Price
	}
	return e, ok
}

// examplesOf are the prices of some items: first those that the shop has at hand, in its order, as an owner knows what these are
// sold for; then what can be bought now, as the catalogue has it.
func examplesOf(all []api.Product, first []store.Goods, rules, was pricing.Rules, is func(pricing.Quote) bool) (list []screen.PriceExample) {
	var others []screen.PriceExample
	at := map[int]screen.PriceExample{} // by the place in first
	for _, p := range all {
		for _, v := range p.Variants {
			e, ok := exampleOf(p, v, rules, was)
			if !ok || !is(e.Quote) {
				continue
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

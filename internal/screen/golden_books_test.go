package screen_test

import (
	"resellerbot/internal/ledger"
	"resellerbot/internal/pricing"
	"resellerbot/internal/screen"
)

// bookGoldens are the screens of a shop's own prices.
func bookGoldens(p screen.Printer) []golden {
	ten := pricing.Rule{Basis: pricing.ByPercent, Percent: 1000, Step: 10 * ledger.Dinar}
	odd := pricing.Rule{Basis: pricing.ByPercent, Percent: -250, Step: ledger.Dinar}
	hundred := pricing.Rule{Basis: pricing.ByAmount, Amount: 100 * ledger.Dinar, Step: 50 * ledger.Dinar}
	typed := pricing.Rule{Basis: pricing.ByAmount, Amount: 20_000 * ledger.Dinar}
	return []golden{
		{"prices_none", p.Prices().Rule(nil, nil)},
		{"prices_percent", p.Prices().Rule(&ten, examples(ten))},
		{"prices_amount", p.Prices().Rule(&hundred, examples(hundred))},
		{"prices_counter", p.As(screen.ForShop).Prices().Rule(&ten, examples(ten))},
		{"prices_ask_percent", p.Prices().Ask(pricing.Rule{Basis: pricing.ByPercent}, nil, screen.PriceFine)},
		{"prices_ask_amount", p.Prices().Ask(pricing.Rule{Basis: pricing.ByAmount}, nil, screen.PriceFine)},
		{"prices_ask_bad", p.Prices().Ask(pricing.Rule{Basis: pricing.ByAmount}, nil, screen.PriceBad)},
		{"prices_ask_range", p.Prices().Ask(pricing.Rule{Basis: pricing.ByPercent}, nil, screen.PriceRange)},
		{"prices_ask_unsure", p.Prices().Ask(typed, nil, screen.PriceUnsure)},
		{"prices_ask_much", p.Prices().Ask(typed, &pricing.Rule{Basis: pricing.ByAmount, Amount: 200 * ledger.Dinar}, screen.PriceMuch)},
		{"prices_ask_below", p.Prices().Ask(odd, nil, screen.PriceBelow)},
		{"prices_step", p.Prices().Step(odd, examples(odd))},
		{"item_priced", p.Selling(examples(ten)[0].Quote).Shelf().Item(item(false))},
		{"item_priced_below", p.Selling(examples(odd)[0].Quote).Shelf().Item(item(false))},
	}
}

// examples are items of all kinds of names, by a rule.
func examples(r pricing.Rule) (list []screen.PriceExample) {
	rules := pricing.Rules{Shop: &r}
	for i, name := range []string{"PUBG Mobile · 60 UC", "بطاقة الألعاب · ١٠٠", hostile()} {
		cost := ledger.Money(210+1040*i) * ledger.Dinar
		q, _ := rules.For(pricing.Item{Cost: cost})
		list = append(list, screen.PriceExample{Item: name, Cost: cost, Was: cost + ledger.Money(100*i)*ledger.Dinar, Quote: q})
	}
	return list
}

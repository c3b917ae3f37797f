package screen

import (
	"strconv"
	"strings"

	"resellerbot/internal/api"
	"resellerbot/internal/pricing"
	"resellerbot/locales"
)

const variantsPriced = 12 // on one page of a product

// PriceTarget is what a rule is for: a category, a product, or a variant of one. The zero PriceTarget is the whole shop.
type PriceTarget struct {
	Level       pricing.Level
	ID, Variant int64 // of the category, or of the product
}

// Data is the target as a button carries it.
func (t PriceTarget) Data() string {
	switch t.Level {
	case pricing.OfCategory:
		return "c" + id(t.ID)
	case pricing.OfProduct:
		return "p" + id(t.ID)
	case pricing.OfVariant:
		return "v" + id(t.ID) + "." + id(t.Variant)
	case pricing.OfShop:
	}
	return ""
}

// ParsePriceTarget reads what Data has written; ok is false for anything else.
func ParsePriceTarget(data string) (t PriceTarget, ok bool) {
	levels := map[string]pricing.Level{"c": pricing.OfCategory, "p": pricing.OfProduct, "v": pricing.OfVariant}
	if data == "" { // what Data writes of the whole shop
		return PriceTarget{}, true
	}
	if t.Level, ok = levels[data[:1]]; !ok {
		return PriceTarget{}, false
	}
	of, variant, has := strings.Cut(data[1:], ".")
	n, err := strconv.ParseInt(of, 10, 64)
	if err != nil || has != (t.Level == pricing.OfVariant) {
		return PriceTarget{}, false
	}
	if t.ID = n; has {
		t.Variant, err = strconv.ParseInt(variant, 10, 64)
	}
	return t, err == nil
}

// PricedGoods is what a rule can be set for, with what makes its price now.
type PricedGoods struct {
	Target    PriceTarget
	Product   api.Product // the first one of a category
	Variant   api.Variant // of a target that is one
	Own       *pricing.Rule
	Rules     pricing.Rules
	Examples  []PriceExample
	Suggested bool // the service says of something in it what that is sold for
	Page      int
}

// At is the screens of prices for a target, by what it is called.
func (p Prices) At(t PriceTarget, called string) Prices {
	p.at, p.titled = t, ""
	if called != "" {
		p.titled = "<b>" + string(name(called)) + "</b>"
	}
	return p
}

// to leads to the question for a rule's number, to that of its rounding, or sets it, by how much of it is said.
func (p Prices) to(args ...string) Action {
	if p.at == (PriceTarget{}) {
		return toRule(args...)
	}
	return act(VerbPriceAt, append([]string{p.at.Data()}, args...)...)
}

// Products are those that can have a rule of their own.
func (p Prices) Products(all []api.Product, rules pricing.Rules, page int) Message {
	first, last, page, pages := pageOf(len(all), page)
	var keys [][]Button
	for _, product := range all[first:last] {
		text := label(product.Name, id(product.ID))
		if rules.HasOwn(id(product.ID)) {
			text = "🏷 " + text
		}
		keys = append(keys, row(Button{Text: p.led(text), Data: act(VerbPriceAt, PriceTarget{Level: pricing.OfProduct, ID: product.ID}.Data()).Data()}))
	}
	if pages > 1 {
		keys = append(keys, p.pager(page, pages, func(n int) Action { return act(VerbPriceAt, "", id(n)) }))
	}
	return Message{
		HTML:     lines(p.t("prices.at_title", nil), p.t("prices.at_help", nil)),
		Keyboard: append(keys, row(p.button("button.back", toRule()), p.button("button.home", act(VerbHome)))),
	}
}

// Goods is what makes the price of something, and the ways to a rule of its own.
func (p Prices) Goods(v PricedGoods) Message {
	p = p.At(v.Target, "")
	keys := [][]Button{row(p.button("button.prices_percent", p.to(string(pricing.ByPercent))), p.button("button.prices_amount", p.to(string(pricing.ByAmount))))}
	var more []Button
	if v.Target.Level == pricing.OfVariant {
		more = append(more, p.button("button.prices_fixed", p.to(string(pricing.Fixed))))
	}
	if v.Suggested {
		more = append(more, p.button("button.prices_service", p.to(string(pricing.Suggested))))
	}
	if len(more) > 0 {
		keys = append(keys, more)
	}
	if v.Own != nil {
		keys = append(keys, row(p.button("button.prices_own_off", p.to(PriceOff))))
	}
	back := act(VerbPriceAt)
	switch v.Target.Level {
	case pricing.OfProduct:
		keys = append(keys, p.variantKeys(v)...)
		if v.Product.CategoryID != 0 {
			keys = append(keys, row(p.button("button.prices_category", act(VerbPriceAt, PriceTarget{Level: pricing.OfCategory, ID: v.Product.CategoryID}.Data()))))
		}
	case pricing.OfVariant:
		back = act(VerbPriceAt, PriceTarget{Level: pricing.OfProduct, ID: v.Product.ID}.Data())
	case pricing.OfCategory, pricing.OfShop:
	}
	return Message{
		HTML:     lines(p.t("prices.at_title", nil), p.goodsTitle(v), p.inForce(v), p.examples(v.Examples)),
		Keyboard: append(keys, row(p.button("button.back", back), p.button("button.home", act(VerbHome)))),
	}
}

// variantKeys lead to the variants of a product.
func (p Prices) variantKeys(v PricedGoods) (keys [][]Button) {
	var named []api.Variant // a button names a variant by its number: one without has none
	for _, variant := range v.Product.Variants {
		if variant.ID != 0 {
			named = append(named, variant)
		}
	}
	first, last, page, pages := pageBy(len(named), variantsPriced, v.Page)
	for _, variant := range named[first:last] {
		to := PriceTarget{Level: pricing.OfVariant, ID: v.Product.ID, Variant: variant.ID}
		text := label(variant.Name, id(variant.ID))
		i := pricing.ItemOf(v.Product.CategoryID, v.Product.ID, variant.ID, variant.Plan, 0, 0)
		if _, own := v.Rules.Rule(pricing.OfVariant, i.Variant); own {
			text = "🏷 " + text
		}
		keys = append(keys, row(Button{Text: p.led(text), Data: act(VerbPriceAt, to.Data()).Data()}))
	}
	if pages > 1 {
		keys = append(keys, p.pager(page, pages, func(n int) Action { return act(VerbPriceAt, v.Target.Data(), "", id(n)) }))
	}
	return keys
}

// goodsTitle is what a rule is for.
func (p Prices) goodsTitle(v PricedGoods) string {
	switch v.Target.Level {
	case pricing.OfVariant:
		return p.item(v.Product.Name, v.Variant.Name)
	case pricing.OfCategory:
		return p.t("prices.at_category", locales.Args{"Item": "<b>" + name(v.Product.Name) + "</b>"})
	case pricing.OfProduct, pricing.OfShop:
	}
	return "<b>" + string(name(v.Product.Name)) + "</b>"
}

// inForce is the rule that makes the price: its own, or where it comes from.
func (p Prices) inForce(v PricedGoods) string {
	if v.Own != nil {
		return p.rule(*v.Own)
	}
	// From the most specific level to the least, as Rules.For looks; only what stands above the target can be where it comes from.
	for _, l := range []struct {
		level pricing.Level
		key   string
		text  string
	}{
		{pricing.OfProduct, id(v.Product.ID), p.t("prices.level_product", nil)},
		{pricing.OfCategory, id(v.Product.CategoryID), p.t("prices.level_category", nil)},
		{pricing.OfShop, "", p.t("prices.level_shop", nil)},
	} {
		above := l.level == pricing.OfShop || l.level == pricing.OfCategory && v.Target.Level != pricing.OfCategory || v.Target.Level == pricing.OfVariant
		if r, ok := v.Rules.Rule(l.level, l.key); ok && above {
			return lines(l.text, p.rule(r))
		}
	}
	return p.t("prices.level_none", nil)
}

// Settings are what owners set beside the rules.
func (p Prices) Settings(r pricing.Rules) Message {
	below := map[pricing.BelowCost]string{pricing.Warn: p.t("prices.below_warn", nil), pricing.Ask: p.t("prices.below_owner", nil), pricing.Off: p.t("prices.below_off", nil)}[r.Below]
	var ways []Button
	for _, w := range []struct {
		is  pricing.BelowCost
		key string
		arg string
	}{{pricing.Warn, "button.below_warn", PriceWarn}, {pricing.Ask, "button.below_owner", string(pricing.Ask)}, {pricing.Off, "button.below_off", string(pricing.Off)}} {
		if w.is != r.Below {
			ways = append(ways, p.button(w.key, toRule(PriceBelowCost, w.arg)))
		}
	}
	seen, turn := p.t("prices.cost_off", nil), p.button("button.cost_on", toRule(PriceShowCost, AlertOn))
	if r.ShowCost {
		seen, turn = p.t("prices.cost_on", nil), p.button("button.cost_off", toRule(PriceShowCost, AlertOff))
	}
	return Message{
		HTML:     lines(p.t("prices.settings", nil), below, seen),
		Keyboard: [][]Button{ways, row(turn), row(p.button("button.back", toRule()), p.button("button.home", act(VerbHome)))},
	}
}

package conversations

import (
	"context"
	"errors"
	"slices"
	"strconv"

	"resellerbot/internal/api"
	"resellerbot/internal/api/dzd"
	"resellerbot/internal/figures"
	"resellerbot/internal/ledger"
	"resellerbot/internal/pricing"
	"resellerbot/internal/screen"
	"resellerbot/internal/store"
)

// priced is what a rule is for, as it is sold now. The zero priced is the whole shop.
type priced struct {
	target  screen.PriceTarget
	key     string        // by which rules know it
	of      []api.Product // that its rule is about: one, or those of a category
	variant api.Variant   // of a target that is one
}

// level is where its rule stands among the others.
func (at priced) level() pricing.Level {
	if at.target.Level == "" {
		return pricing.OfShop
	}
	return at.target.Level
}

// takes reports whether a rule of a basis makes sense for it: one price for several things does not.
func (at priced) takes(b pricing.Basis) bool {
	switch b {
	case pricing.ByPercent, pricing.ByAmount:
		return true
	case pricing.Fixed:
		return at.target.Level == pricing.OfVariant
	case pricing.Suggested:
		return at.suggested()
	}
	return false
}

// items are the variants that its rule is about.
func (at priced) items(show func(api.Product, api.Variant)) {
	for _, p := range at.of {
		for _, v := range p.Variants {
			if at.target.Level != pricing.OfVariant || v.ID == at.target.Variant {
				show(p, v)
			}
		}
	}
}

// suggested reports whether the service says of something in it what that is sold for.
func (at priced) suggested() (is bool) {
	at.items(func(_ api.Product, v api.Variant) { is = is || v.Sells.Sign() > 0 })
	return is
}

// screens are those of prices, for it.
func (at priced) screens(t priceFlow) screen.Prices {
	called := ""
	switch {
	case len(at.of) == 0:
	case at.target.Level == pricing.OfVariant:
		called = at.of[0].Name + " · " + at.variant.Name
	default:
		called = at.of[0].Name
	}
	return t.scr.Prices().At(at.target, called)
}

// withTarget runs show on what a rule is for. What is sold no more gives way to the products.
func (t priceFlow) withTarget(target screen.PriceTarget, show func(priced) error) error {
	at := priced{target: target}
	switch target.Level {
	case pricing.OfCategory:
		return t.withCatalogue(func(all []api.Product) error {
			at.of = slices.DeleteFunc(slices.Clone(all), func(p api.Product) bool { return p.CategoryID != target.ID })
			// Number 0 is all that the service has put into no category: no kind of thing that one rule could be for.
			if at.key = strconv.FormatInt(target.ID, 10); len(at.of) == 0 || target.ID == 0 {
				return t.products(0)
			}
			return show(at)
		})
	case pricing.OfProduct, pricing.OfVariant:
		return t.withProduct(target.ID, func(p api.Product) error {
			at.of, at.key = []api.Product{p}, strconv.FormatInt(p.ID, 10)
			if target.Level == pricing.OfProduct {
				return show(at)
			}
			v, ok := findVariant(p, target.Variant)
			if !ok || v.ID == 0 { // the one variant of a product without any goes by the product's rule
				t.ack(screen.ToastStale)
				return t.products(0)
			}
			at.variant, at.key = v, screen.ItemOf(p, v).Variant
			return show(at)
		})
	case pricing.OfShop:
	}
	return show(at)
}

// atTapped runs the buttons of rules that are not the whole shop's.
func (t priceFlow) atTapped() error {
	if _, _, ok, err := t.account(); err != nil || !ok {
		return err
	}
	target, ok := screen.ParsePriceTarget(t.action.Arg(0))
	switch {
	case !ok:
		return t.stale()
	case target == (screen.PriceTarget{}):
		return t.products(int(t.action.Int(1)))
	case t.action.Arg(1) == "":
		return t.goods(target, int(t.action.Int(2)))
	}
	return t.withTarget(target, func(at priced) error { return t.built(at, t.action.Args[1:]) })
}

// products shows what can have a rule of its own.
func (t priceFlow) products(page int) error {
	t.leave()
	own, err := t.cfg.Store.Prices(t.ctx, t.shop.ID)
	if err != nil {
		return err
	}
	return withService(t.turn, func(s Service) ([]api.Product, error) {
		all, err := orLast(t.turn, func(ctx context.Context) ([]api.Product, error) { return s.Products(ctx, catalogueAge) }, s.LastProducts)
		return append(slices.Clone(all), t.plans(s)...), err
	}, func(all []api.Product) error { return t.say(t.scr.Prices().Products(all, own.Rules, page)) })
}

// goods shows what makes the price of something.
func (t priceFlow) goods(target screen.PriceTarget, page int) error {
	t.leave()
	return t.withTarget(target, func(at priced) error {
		own, err := t.cfg.Store.Prices(t.ctx, t.shop.ID)
		if err != nil {
			return err
		}
		// of is not empty: the whole shop has a screen of its own (prices), and withTarget gives up on a category without products.
		v := screen.PricedGoods{Target: target, Rules: own.Rules, Product: at.of[0], Variant: at.variant, Suggested: at.suggested(), Page: page}
		if r, ok := own.Rules.Rule(at.level(), at.key); ok {
			v.Own = &r
		}
		v.Examples = at.examples(own.Rules, own.Rules)
		return t.ask(t.scr.Prices().Goods(v), flowPrices, stepRule, pricingState{At: target.Data()})
	})
}

// examples are the prices of what a rule is for, by rules, beside those by the ones before.
func (at priced) examples(rules, was pricing.Rules) (list []screen.PriceExample) {
	at.items(func(p api.Product, v api.Variant) {
		if e, ok := exampleOf(p, v, rules, was); ok && len(list) < mostExamples {
			list = append(list, e)
		}
	})
	return list
}

// readFixed reads a price. What may be in centimes, has a zero too few, or is below cost, is asked back.
func (t priceFlow) readFixed(at priced) (r pricing.Rule, likely *pricing.Rule, problem screen.PriceProblem) {
	r = pricing.Rule{Basis: pricing.Fixed}
	amount, sure, err := figures.Amount(t.text)
	price := ledger.Of(amount)
	switch {
	case errors.Is(err, dzd.ErrRange):
		return r, nil, screen.PriceRange
	case err != nil:
		return r, nil, screen.PriceBad
	case pricing.CheckPrice(price) != nil:
		return r, nil, screen.PriceRange
	}
	r.Amount = price
	// A doubt comes before a loss: who has left out a zero would be told of the loss, and take the price for meant.
	cost := ledger.Of(at.variant.Price)
	// Unlike what a rule adds, a price far below what the item costs is doubtful too: a zero may be missing.
	meant, doubt := pricing.Doubt(price, cost, false)
	switch {
	case doubt:
		if meant > 0 {
			likely = &pricing.Rule{Basis: pricing.Fixed, Amount: meant}
		}
		return r, likely, screen.PriceOdd
	case !sure:
		return r, nil, screen.PriceUnsure
	case price <= cost:
		return r, nil, screen.PriceLoss
	}
	return r, nil, screen.PriceFine
}

// settings shows what is set beside the rules, or sets it.
func (t priceFlow) settings() error {
	if _, _, ok, err := t.account(); err != nil || !ok {
		return err
	}
	t.leave()
	if t.action.Arg(0) != screen.PriceSettings {
		change, ok := settingOf(t.action.Arg(0), t.action.Arg(1))
		if !ok {
			return t.stale()
		}
		err := t.forOwner(t.shop.ID, func(tx *store.Tx, a *store.Account) error {
			own, err := tx.Prices(a.ID)
			if err != nil {
				return err
			}
			change(&own.Rules)
			return tx.PutPrices(&own)
		})
		if err != nil {
			return t.refused(err)
		}
	}
	own, err := t.cfg.Store.Prices(t.ctx, t.shop.ID)
	return firstError(err, func() error { return t.say(t.scr.Prices().Settings(own.Rules)) })
}

// settingOf is what a button changes beside the rules. ok is false for words that no button of ours has: what is set decides
// about money, and is never set to something that nobody has read.
func settingOf(setting, word string) (change func(*pricing.Rules), ok bool) {
	if setting == screen.PriceShowCost {
		return func(r *pricing.Rules) { r.ShowCost = word == screen.AlertOn }, word == screen.AlertOn || word == screen.AlertOff
	}
	below, ok := map[string]pricing.BelowCost{screen.PriceWarn: pricing.Warn, string(pricing.Ask): pricing.Ask, string(pricing.Off): pricing.Off}[word]
	return func(r *pricing.Rules) { r.Below = below }, ok
}

package pricing_test

import (
	"errors"
	"math"
	"testing"

	"pgregory.net/rapid"

	"resellerbot/internal/ledger"
	"resellerbot/internal/pricing"
)

func dinars(n int64) ledger.Money { return ledger.Money(n) * ledger.Dinar }

func byPercent(p int, step int64) pricing.Rule {
	return pricing.Rule{Basis: pricing.ByPercent, Percent: p, Step: dinars(step)}
}

func TestMostSpecificWins(t *testing.T) {
	shop := byPercent(1000, 10)
	r := pricing.Rules{
		Shop:     &shop,
		Category: map[string]pricing.Rule{"games": {Basis: pricing.ByAmount, Amount: dinars(200), Step: dinars(50)}},
		Product:  map[string]pricing.Rule{"p": {Basis: pricing.Suggested, Step: dinars(1)}},
		Variant:  map[string]pricing.Rule{"v": {Basis: pricing.Fixed, Amount: dinars(1399)}},
	}
	for name, c := range map[string]struct {
		item  pricing.Item
		price ledger.Money
		level pricing.Level
	}{
		"the shop's":                   {pricing.Item{Cost: dinars(1250)}, dinars(1380), pricing.OfShop},
		"its category's":               {pricing.Item{Category: "games", Cost: dinars(1250)}, dinars(1450), pricing.OfCategory},
		"the service's word":           {pricing.Item{Category: "games", Product: "p", Cost: dinars(1250), Suggested: dinars(1500)}, dinars(1500), pricing.OfProduct},
		"no word of the service":       {pricing.Item{Category: "games", Product: "p", Cost: dinars(1250)}, dinars(1450), pricing.OfCategory},
		"its own":                      {pricing.Item{Category: "games", Product: "p", Variant: "v", Cost: dinars(1250)}, dinars(1399), pricing.OfVariant},
		"its own, whatever it costs":   {pricing.Item{Variant: "v"}, dinars(1399), pricing.OfVariant},
		"a price of a fraction":        {pricing.Item{Cost: 12505050}, dinars(1380), pricing.OfShop},
		"a step is not added for none": {pricing.Item{Cost: dinars(1000)}, dinars(1100), pricing.OfShop},
	} {
		q, ok := r.For(c.item)
		if !ok || q.Price != c.price || q.Level != c.level || q.Gain != c.price-c.item.Cost {
			t.Errorf("%s: %+v, %v; want %s", name, q, ok, c.price)
		}
	}
	if q, ok := r.For(pricing.Item{}); ok {
		t.Errorf("what nobody knows the cost of has the price %s", q.Price)
	}
	if q, ok := r.For(pricing.Item{Variant: "v", Cost: dinars(1500)}); !ok || !q.BelowCost() {
		t.Errorf("a price below the cost: %+v", q)
	}
	change, ok := r.Recost(pricing.Item{Variant: "v", Cost: dinars(1300)}, dinars(1450))
	if !ok || change.Was.Gain != dinars(99) || change.Is.Gain != -dinars(51) {
		t.Errorf("another cost: %+v", change)
	}
}

func TestBadRules(t *testing.T) {
	for want, rules := range map[error][]pricing.Rule{
		pricing.ErrPercent: {byPercent(-10_000, 10), byPercent(100_001, 10), byPercent(math.MinInt64, 10), byPercent(math.MaxInt64, 10)},
		pricing.ErrStep:    {byPercent(1000, 0), byPercent(1000, 7), {Basis: pricing.ByAmount, Step: -1}},
		pricing.ErrPrice: {
			{Basis: pricing.Fixed}, {Basis: pricing.Fixed, Amount: -1}, {Basis: pricing.Fixed, Amount: dinars(1_000_000_000_000)},
			{Basis: pricing.Fixed, Amount: 1}, {Basis: pricing.ByAmount, Amount: dinars(1_000_000_001), Step: dinars(5)}, {},
		},
	} {
		for _, r := range rules {
			if err := r.Check(); !errors.Is(err, want) {
				t.Errorf("%+v: %v, want %v", r, err, want)
			}
		}
	}
	if err := byPercent(-9_999, 5).Check(); err != nil {
		t.Errorf("−99.99 %%: %v", err)
	}
}

// TestPrices: a price is a multiple of its step, no less than the cost where nothing is taken off, rises with the cost,
// and is never more than there can be.
func TestPrices(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		r := pricing.Rule{Basis: pricing.ByPercent, Percent: rapid.IntRange(-9_999, pricing.MostPercent).Draw(rt, "percent"), Step: rapid.SampledFrom(pricing.Steps()).Draw(rt, "step")}
		if rapid.Bool().Draw(rt, "amount") {
			r = pricing.Rule{Basis: pricing.ByAmount, Amount: dinars(rapid.Int64Range(-1000, 1000).Draw(rt, "more")), Step: r.Step}
		}
		rules := pricing.Rules{Shop: &r}
		cost := ledger.Money(rapid.Int64Range(-5, int64(pricing.Most)+5).Draw(rt, "cost"))
		q, ok := rules.For(pricing.Item{Cost: cost})
		if !ok {
			return
		}
		if q.Price%r.Step != 0 || q.Price <= 0 || q.Price > pricing.Most {
			rt.Fatalf("%+v of %s: %s", r, cost, q.Price)
		}
		if r.Percent >= 0 && r.Amount >= 0 && q.BelowCost() {
			rt.Fatalf("%+v of %s: %s", r, cost, q.Price)
		}
		if more, ok := rules.For(pricing.Item{Cost: cost + ledger.Money(rapid.Int64Range(0, 1_000_000).Draw(rt, "dearer"))}); ok && more.Price < q.Price {
			rt.Fatalf("what costs more is cheaper: %s, %s", q.Price, more.Price)
		}
	})
}

func TestDoubt(t *testing.T) {
	for name, c := range map[string]struct {
		typed, expected int64
		part            bool
		likely          int64
		doubt           bool
	}{
		"in centimes":                 {140_000, 1400, false, 1400, true},
		"a zero too many":             {14_000, 1400, false, 1400, true},
		"a zero too few":              {140, 1400, false, 1400, true},
		"said in hundreds":            {14, 1400, false, 1400, true},
		"another price":               {1900, 1400, false, 0, false},
		"nearly five times":           {6999, 1400, false, 0, false},
		"five times":                  {7000, 1400, false, 700, true},
		"a part of a debt":            {100, 1400, true, 0, false},
		"a debt in centimes":          {140_000, 1400, true, 1400, true},
		"nothing is expected":         {1400, 0, false, 0, false},
		"much, and nothing expected":  {140_000, 0, false, 1400, true},
		"just below":                  {100_000, 0, false, 0, false},
		"a trillion":                  {900_000_000_000, 1400, false, 0, true},
		"nothing at all is not asked": {0, 1400, false, 0, false},
	} {
		likely, doubt := pricing.Doubt(dinars(c.typed), dinars(c.expected), c.part)
		if doubt != c.doubt || doubt && likely != dinars(c.likely) {
			t.Errorf("%s: %s, %v; want %d, %v", name, likely, doubt, c.likely, c.doubt)
		}
	}
}

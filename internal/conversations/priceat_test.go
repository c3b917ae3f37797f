package conversations_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"resellerbot/internal/api/sim"
	"resellerbot/internal/app/apptest"
	"resellerbot/internal/ledger"
	"resellerbot/internal/pricing"
	"resellerbot/internal/sampletest"
	"resellerbot/internal/store"
)

// rulesOf are the rules of the only shop.
func rulesOf(h *apptest.Harness) (r pricing.Rules) {
	h.T.Helper()
	b := theBook(h)
	h.InStore(func(s *store.Store) {
		own, err := s.Prices(context.Background(), b.ID)
		h.Must(err)
		r = own.Rules
	})
	return r
}

// openRule leads an owner from /prices to what can have a rule of its own, by the buttons on the way there.
func openRule(h *apptest.Harness, words ...string) {
	h.T.Helper()
	h.Say(apptest.Sam, "/prices")
	h.Tap(apptest.Sam, "By product")
	for _, w := range words {
		h.Tap(apptest.Sam, w)
	}
}

// TestRuleOfVariant: which rule makes a price is said, and what it earns. A fixed price that is no number, out of range, far from
// the usual one or below cost is asked back.
func TestRuleOfVariant(t *testing.T) {
	t.Parallel()
	inPricedShop(t, func(h *apptest.Harness) {
		openRule(h, "Play Card")
		shows(h, "From the shop's rule")
		h.Tap(apptest.Sam, "10 USD")
		shows(h, "Buying price DZD 1,250.50, margin DZD +129.50")
		h.Tap(apptest.Sam, "Fixed price")
		for _, c := range []struct{ typed, want string }{
			{"much", "This is not a number"}, {"0", "too much or too little"}, {"140000", "far from the usual price"}, {"140", "far from the usual price"},
			{"1000000000000", "too much or too little"}, {"1100", "earn nothing or lose money"}, {"1 400", "Rule: fixed price DZD 1,400"},
		} {
			h.Say(apptest.Sam, c.typed)
			shows(h, c.want)
		}
	})
}

// TestFixedPrice: the price of one variant is asked back where it may be in centimes. Once it is set it goes before the shop's rule
// for that variant alone, also at the sale, and the shop's is back once it is taken away.
func TestFixedPrice(t *testing.T) {
	t.Parallel()
	inPricedShop(t, func(h *apptest.Harness) {
		openRule(h, "Play Card", "10 USD")
		h.Tap(apptest.Sam, "Fixed price")
		h.Say(apptest.Sam, "145000")
		shows(h, "far from the usual price")
		if r := rulesOf(h); len(r.Variant) != 0 {
			t.Errorf("an amount that was asked back is set: %+v", r)
		}
		h.Tap(apptest.Sam, "DZD\u00a01,450")
		shows(h, "Rule: fixed price DZD 1,450")
		h.Say(apptest.Sam, "play card 25 usd")
		shows(h, "Own price: DZD 3,410")
		buy(h, apptest.Sam)
		h.Tap(apptest.Sam, "💵 \u2068DZD\u00a01,450")
		holds(h, map[ledger.Account]ledger.Money{samsTill: 1450 * ledger.Dinar})
		h.Say(apptest.Sam, "/prices")
		shows(h, "Rules by product: 1")
		openRule(h, "Play Card", "10 USD")
		h.Tap(apptest.Sam, "Remove this rule")
		shows(h, "From the shop's rule")
		h.Say(apptest.Sam, "play card 10 usd")
		shows(h, "Own price: DZD 1,380")
	})
}

// TestRuleOfCategory: what is sold of a category goes by its rule, also once it was bought.
func TestRuleOfCategory(t *testing.T) {
	t.Parallel()
	inPricedShop(t, func(h *apptest.Harness) {
		openRule(h, "Play Card", "Whole category")
		h.Tap(apptest.Sam, "Dinars")
		h.Tap(apptest.Sam, "DZD\u00a0+200")
		h.Tap(apptest.Sam, "DZD\u00a050")
		shows(h, "Rule: buying price DZD +200")
		buy(h, apptest.Sam)
		h.Tap(apptest.Sam, "💵 \u2068DZD\u00a01,500")
		holds(h, map[ledger.Account]ledger.Money{samsTill: 1500 * ledger.Dinar})
	})
}

// TestSuggestedPrice: what the service says that something is sold for can be the rule, and is no cost.
func TestSuggestedPrice(t *testing.T) {
	t.Parallel()
	apptest.Run(t, func(h *apptest.Harness) {
		apptest.Everything(sim.Options{})(h)
		h.Service.AddProduct(sim.ProductSpec{ID: 910, Name: "Best Card", Variants: []sim.VariantSpec{{ID: 911, Name: "10 USD", Price: "1250.50", SellPrice: "1395", InStock: 50, Delay: 2 * time.Second}}})
	}, func(h *apptest.Harness) {
		h.LinkLegacy(apptest.Sam)
		openRule(h, "Next ▶", "Best Card")
		h.Tap(apptest.Sam, "Suggested price")
		h.Tap(apptest.Sam, "DZD\u00a010")
		shows(h, "the price that the supplier suggests")
		shows(h, "10 USD: DZD 1,400")
		shows(h, "Buying price DZD 1,250.50")
	})
}

// TestTheShopsRuleAsItIs: what the shop's rule would make of something that has a rule of its own is no example of it.
func TestTheShopsRuleAsItIs(t *testing.T) {
	t.Parallel()
	inPricedShop(t, func(h *apptest.Harness) {
		openRule(h, "Play Card", "10 USD")
		h.Tap(apptest.Sam, "Fixed price")
		h.Say(apptest.Sam, "1500")
		shows(h, "Rule: fixed price DZD 1,500")
		h.Say(apptest.Sam, "/prices")
		h.Tap(apptest.Sam, "Percent")
		h.Tap(apptest.Sam, "20%")
		text := apptest.Plain(h.See(apptest.Sam, "Round").Text)
		if strings.Contains(text, "10 USD") || !strings.Contains(text, "25 USD") {
			t.Errorf("its examples are\n%s", text)
		}
	})
}

// TestCostIsShownToSellers: what a seller has earned is in their report where an owner allows it, and nowhere before.
func TestCostIsShownToSellers(t *testing.T) {
	t.Parallel()
	inPricedTeam(t, "Seller", func(h *apptest.Harness) {
		buy(h, apptest.Karim)
		h.Tap(apptest.Karim, "💵 \u2068DZD\u00a01,380")
		h.Pass(2 * time.Second)
		for _, allowed := range []bool{false, true, false} {
			h.Say(apptest.Karim, "/today")
			h.Pass(2 * time.Second)
			all := h.Telegram.Messages(apptest.Karim)
			if text := plainly(all[len(all)-1].Text); strings.Contains(text, "129.50") != allowed {
				t.Errorf("allowed is %v, and the seller reads\n%s", allowed, text)
			}
			h.Say(apptest.Sam, "/prices")
			h.Tap(apptest.Sam, "Settings")
			h.Tap(apptest.Sam, map[bool]string{true: "Hide the buying price", false: "Show the buying price"}[allowed])
			h.Pass(time.Second)
		}
	})
}

// TestRulesAreForOwners: sellers and counters are shown no rule, by whatever button or command, and set none.
func TestRulesAreForOwners(t *testing.T) {
	t.Parallel()
	for _, role := range sampletest.Some(1, []string{"Seller", "Counter"}) {
		t.Run(role, func(t *testing.T) {
			t.Parallel()
			inPricedTeam(t, role, func(h *apptest.Harness) {
				h.Pass(time.Second)
				seen := len(h.Telegram.Messages(apptest.Karim))
				under := h.Telegram.Messages(apptest.Karim)[seen-1].ID
				for _, data := range []string{"1:pat", "1:pat:p10", "1:pat:v10.101", "1:pat:v10.101:fixed:13000000", "1:pat:c4:percent:100:10", "1:prices:settings", "1:prices:below:off", "1:prices:cost:on"} {
					h.Telegram.Tap(apptest.Karim, apptest.Karim, under, data)
					h.Pass(3 * time.Second)
				}
				h.Say(apptest.Karim, "/prices")
				h.Pass(3 * time.Second)
				for _, m := range h.Telegram.Messages(apptest.Karim)[seen:] {
					if strings.Contains(plainly(m.Text), "1,250.50") || strings.Contains(m.Text, "Rule:") {
						t.Errorf("a %s is shown %s", role, m.Text)
					}
				}
				if r := rulesOf(h); r.Len() != 0 || r.Below != pricing.Warn || r.ShowCost {
					t.Errorf("a %s has set %+v", role, r)
				}
			})
		})
	}
}

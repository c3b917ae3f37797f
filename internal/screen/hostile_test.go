package screen_test

import (
	"slices"
	"strings"
	"testing"

	"resellerbot/internal/api"
	"resellerbot/internal/screen"
	"resellerbot/internal/store"
)

// TestHostile holds single screens to the rules where the service says too much, or nothing to be seen.
func TestHostile(t *testing.T) {
	p, _ := printers(t).For("fr")
	long := strings.Repeat("ببجي & PUBG ", 40)
	ten := bought(store.Settled, 10)
	answers := slices.Repeat([]store.Answer{{Index: "0", Label: long, Value: long}}, 50)
	asked := with(ten, func(pu *store.Purchase) { pu.Inputs = answers })
	file := with(bought(store.Settled, 11), func(pu *store.Purchase) { pu.Product, pu.Variant, pu.Inputs = long, long, answers[:8] })
	pl := store.Player{ID: long, Name: long, Facts: slices.Repeat([]string{long}, 100)}
	stuck := slices.Repeat(each(made(""), func(o *store.Order) { o.ID, o.Other, o.Status, o.Unrecognized = long, long, long, true }), 20)
	question := api.Input{Index: "0", Label: "Server"}

	for _, tc := range []struct {
		name    string
		message screen.Message
	}{
		{"a long stock", p.Account().Stock(slices.Repeat([]api.StockEntry{{ProductName: long, VariantName: long}}, 100), noon())},
		{"many movements", p.Account().Movements(movements(5000), screen.Unlisted{})},
		{"many fields", p.Purchases().Status(refused("invalid", hostileFields()), nil, screen.BalanceView{}, store.QueuePlace{})},
		{"a long history", p.Orders().History(screen.HistoryView{List: slices.Repeat([]api.Order{{ID: long, ProductName: long, VariantName: long, Player: long, Status: long}}, 100), Family: api.Goods, Offered: true})},
		{"much for the support", p.Purchases().Support(with(ten, func(pu *store.Purchase) { pu.Product = long }), stuck, long)},
		{"many answers", p.Purchases().Summary(asked, wallet("1"), nil)},
		{"many answers, bought", p.Purchases().Status(asked, nil, screen.BalanceView{}, store.QueuePlace{})},
		{"answers with a file", p.Purchases().Again(file, made(codes(11)...), store.QueuePlace{})},
		{"many facts", p.Catalogue().ReviewInputs(pubg(), uc(), nil, &pl)},
		{"long codes", p.Purchases().Status(ten, made(slices.Repeat([]string{strings.Repeat("X", 500)}, 10)...), screen.BalanceView{}, store.QueuePlace{})},
		{"long notes", p.Purchases().Status(ten, each(made(slices.Repeat([]string{done}, 10)...), noted(long+long)), screen.BalanceView{}, store.QueuePlace{})},
		{"notes of two lines", p.Purchases().Status(ten, each(made(done), noted("login: amina\npassword: \u202ex")), screen.BalanceView{}, store.QueuePlace{})},

		{"a variant without a name", p.Catalogue().Variants(api.Product{ID: 1, Name: "\u200b", Variants: []api.Variant{{ID: 2, Name: " \u200b"}}}, 0)},
		{"a product without a name", p.Catalogue().Products([]api.Product{{ID: 1, Name: "\u200b"}}, 0, "")},
		{"a top-up without a name", p.Catalogue().Topups([]api.Product{{ID: 1, Name: "\u200b"}}, 0)},
		{"an option without a name", p.Catalogue().Ask(pubg(), uc(), offering(question, "\u200b"), 1, 1, nil, screen.NoProblem)},
		{"a product that looks as if it spent", p.Catalogue().Products([]api.Product{{ID: 1, Name: "✅ Buy"}}, 0, "")},
		{"a variant that looks as if it spent", p.Catalogue().Variants(api.Product{ID: 1, Variants: []api.Variant{{ID: 2, Name: "✅ Buy", Available: true}}}, 0)},
		{"an option that looks as if it spent", p.Catalogue().Ask(pubg(), uc(), offering(question, "✅ Buy"), 1, 1, nil, screen.NoProblem)},
	} {
		for _, fault := range faults("fr", tc.message) {
			t.Errorf("%s: %s", tc.name, fault)
		}
	}
}

// offering is a question with one option.
func offering(in api.Input, option string) api.Input {
	in.Options = []string{option}
	return in
}

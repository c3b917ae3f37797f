package screen_test

import (
	"slices"
	"strings"
	"testing"
	"unicode"

	"resellerbot/internal/api"
	"resellerbot/internal/api/dzd"
	"resellerbot/internal/screen"
	"resellerbot/internal/secret"
	"resellerbot/internal/store"
	"resellerbot/locales"
)

// outside are the screens that show what comes from outside, made of two texts and an amount.
func outside(p screen.Printer, one, two string, price dzd.Amount) []golden {
	one, two = strings.ReplaceAll(one, "✅", "🟢"), strings.ReplaceAll(two, "✅", "🟢") // no name looks like the button that spends
	product := api.Product{ID: 1, Name: named(one), Description: two, Variants: []api.Variant{
		{ID: 2, Name: two, Price: price, Available: true}, {ID: 3, Name: one, Price: price},
	}}
	v := product.Variants[0]
	in := api.Input{Index: two, Label: one, Hint: two, Options: []string{named(one), named(two)}}
	b := screen.BalanceView{Amount: price, Available: price, Known: true}
	pl := &store.Player{ID: named(one), Name: two, Region: one, Status: store.PlayerUnknown, Facts: []string{one, two}, Was: &store.Player{Name: two}}
	orders := made(delivered(two), failed, "AAAA", "")
	for i := range orders {
		orders[i].ID, orders[i].Other, orders[i].Status, orders[i].Unrecognized, orders[i].Notes = one, two, one, true, secret.New(written(two))
	}
	hostile := func(phase store.Phase, units int) store.Purchase {
		pu := bought(phase, units)
		pu.Product, pu.Variant, pu.Price, pu.Reason = one, two, price, "invalid"
		pu.Player = pl
		pu.Inputs = []store.Answer{{Index: two, Label: one, Value: two}, {Index: one, Value: one}}
		pu.Fields = map[string][]string{one: {two, one}, two: {one}}
		return pu
	}
	return []golden{
		{"welcome", p.Home().Welcome(one, nil)},
		{"welcome linked", p.Home().Welcome(one, &screen.AccountView{Name: two, Balance: b, Waiting: 3})},
		{"key linked", p.Keys().Linked(screen.LinkedView{Account: api.Account{Name: one, Balance: price}})},
		{"key replace", p.Keys().Replace(screen.ReplaceView{EndsView: screen.EndsView{Account: one, Team: 3, Place: &store.Place{Title: two}}, Open: 2, Carry: true})},
		{"team restored", p.Team().Restored(store.TeamShown{Account: one, Members: []store.Member{{User: 1, Name: two, Role: store.Seller}}, Place: &store.Place{Title: one}})},
		{"balance", p.Account().Balance(api.Balance{Balance: price}, api.Account{Name: two, Email: one}, dzd.Amount{}, noon())},
		{"unknown command", p.Home().UnknownCommand(one)},
		{"note", p.Notes().Note(store.NoteName(one), map[string]string{"account": one})},
		{"note of an order", p.Notes().Note(store.ClaimedNote, map[string]string{"ref": one, "other": two})},
		{"note of money", p.Notes().Note(store.DebitOrLateNote, map[string]string{"account": one, "amount": two, "orders": one})},
		{"note of a team", p.Notes().Note(store.JoinedNote, map[string]string{"person": one, "role": two})},
		{"nothing found", p.Catalogue().Products(nil, 0, one)},
		{"products", p.Catalogue().Products([]api.Product{product, {ID: 2, Name: named(two)}}, 0, two)},
		{"variants", p.Catalogue().Variants(product, 0)},
		{"quantity", p.Catalogue().Quantity(product, v, room(100), 0, screen.TooMany)},
		{"ask", p.Catalogue().Ask(product, v, in, 1, 2, []store.Player{*pl}, screen.NotAnOption)},
		{"look", p.Catalogue().ReviewInputs(product, v, []store.Answer{{Index: two, Label: one, Value: two}}, pl)},
		{"repeat", p.Catalogue().Repeat(hostile(store.Settled, 1), 0)},
		{"topups", p.Catalogue().Topups([]api.Product{product}, 0)},
		{"movements", p.Account().Movements([]screen.Moved{{Movement: store.Movement{Amount: price, Balance: price}}}, screen.Unlisted{})},
		{"stock", p.Account().Stock([]api.StockEntry{{ProductName: one, VariantName: two}, {ProductName: two, VariantName: one}}, noon())},
		{"history", p.Orders().History(screen.HistoryView{List: []api.Order{{ID: one, ProductName: two, VariantName: one, Player: two, Status: one, Price: price}}, Family: api.Goods, Offered: true})},
		{"summary", p.Purchases().Summary(hostile(store.Drafted, 3), b, &price)},
		{"carrier rejected", p.Purchases().Status(hostile(store.Rejected, 3), nil, b, store.QueuePlace{})},
		{"carrier settled", p.Purchases().Status(hostile(store.Settled, 3), orders, b, store.QueuePlace{})},
		{"carrier accepted", p.Purchases().Status(hostile(store.Accepted, 3), orders, b, store.QueuePlace{})},
		{"support", p.Purchases().Support(hostile(store.Accepted, 3), orders, two)},
		{"claim", p.Purchases().Claim(hostile(store.Accepted, 3), orders, two)},
		{"carrier price changed", p.Purchases().Status(with(hostile(store.Dropped, 3), func(pu *store.Purchase) { pu.Reason, pu.NewPrice = "price_changed", &price }), nil, b, store.QueuePlace{})},
		{"again", p.Purchases().Again(hostile(store.Settled, 1), made(delivered(one)), store.QueuePlace{})},
		{"again, a file", p.Purchases().Again(hostile(store.Settled, 11), made(codes(11)...), store.QueuePlace{})},
		{"codes", p.Codes().Document(hostile(store.Settled, 11), made(codes(11)...))},
		{"orders", p.Orders().List(screen.OrdersView{List: []screen.Bought{{Purchase: hostile(store.Settled, 500)}, {Purchase: hostile(store.Unknown, 1)}}, Older: purchaseID, Newer: true, Linked: true, Words: one})},
	}
}

// named is a text as a name on a button: the service gives none that is blank.
func named(s string) string { return "N" + s }

// delivered is a text as a code: as JSON can carry it, and short enough for the message it is in.
func delivered(s string) string {
	runes := []rune(strings.ToValidUTF8(s, "?"))
	return "C" + string(runes[:min(len(runes), 1000)])
}

// written is a text as the notes of whoever delivers: a line, which is shown as it came.
func written(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || r >= 0x2028 && r <= 0x202e || r >= 0x2066 && r <= 0x2069 {
			return ' '
		}
		return r
	}, strings.ToValidUTF8(s, "?"))
}

// FuzzScreens: whatever the service, a person or a file says, no screen breaks Telegram's rules or ours.
func FuzzScreens(f *testing.F) {
	f.Add("PUBG Mobile", "325 UC", int64(1250))
	f.Add(hostile(), strings.Repeat("ش", 1500), int64(-1))
	f.Add("", " \n\t\u200b", int64(0))
	f.Add("</b></code>", "&amp;&#0;&lt;script>", int64(99_999_999))
	f.Add("\u2069\u2069\u202e<", "\xff\xfe\x00", int64(-99_999_999))
	f.Add("✅ Buy", "{{.Name}} %!s(MISSING)", int64(1))
	f.Add("👨\u200d👩\u200d👧\u200d👦", strings.Repeat("👨\u200d👩\u200d👧\u200d👦", 20), int64(1000))
	f.Add(strings.Repeat("<", 1500), strings.Repeat("&", 300), int64(12))
	all := printers(f)
	f.Fuzz(func(t *testing.T, one, two string, dinars int64) {
		price := dzd.Int(dinars % 100_000_000)
		for _, lang := range locales.Languages() {
			p, _ := all.For(lang)
			for _, g := range outside(p, one, two, price) {
				for _, fault := range faults(lang, g.message) {
					t.Errorf("%s in %s: %s", g.name, lang, fault)
				}
				if s, _ := read(g.message.HTML); g.name == "carrier settled" && !slices.Equal(s.codes, []string{delivered(two), "AAAA"}) {
					t.Errorf("%s in %s: the codes are %q", g.name, lang, s.codes)
				}
			}
		}
	})
}

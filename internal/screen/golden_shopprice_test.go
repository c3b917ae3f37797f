package screen_test

import (
	"maps"
	"slices"

	"resellerbot/internal/api/dzd"
	"resellerbot/internal/ledger"
	"resellerbot/internal/pricing"
	"resellerbot/internal/screen"
	"resellerbot/internal/store"
)

// shopPriceGoldens are screens of somebody who sees the shop's own prices in the place of what things cost.
func shopPriceGoldens(p screen.Printer) []golden {
	ten := pricing.Rules{Shop: &pricing.Rule{Basis: pricing.ByPercent, Percent: 1000, Step: 10 * ledger.Dinar}}
	p = p.As(screen.ForSeller).Asking(store.Prices{Rules: ten})
	cards := pricing.Rules{}.With(pricing.OfProduct, "2", &pricing.Rule{Basis: pricing.Fixed, Amount: dinars(1400)})
	some := p.Asking(store.Prices{Rules: cards})
	was, before := dzd.Int(1200), dzd.Int(1251)
	purchases, at, none := p.Purchases(), store.QueuePlace{}, screen.BalanceView{}
	changed := dropped(store.ReasonPrice)
	changed.NewPrice = &was
	trade := store.Trade{Rules: ten, Units: units(1, 0, 0)}
	all := []golden{
		{"summary_own", purchases.Summary(bought(store.Drafted, 1), none, nil)},
		{"summary_own_many", purchases.Summary(bought(store.Drafted, 3), none, &was)},
		{"summary_own_same", purchases.Summary(bought(store.Drafted, 3), none, &before)},
		{"status_own", purchases.Traded(bought(store.Settled, 1), made("ABCD-1"), none, at, trade)},
		{"status_own_changed", purchases.Status(changed, nil, none, at)},
		{"status_own_part", purchases.Status(bought(store.Accepted, 3), each(made("AAAA-1111", failed, failed), refund(store.RefundSeen)), none, at)},
		{"key_leave_ask_own", p.Keys().AskRemove(screen.EndsView{Account: "Shop", Leaves: true, Unrefunded: unrefunded()})},
		{"claim_own", purchases.Claim(bought(store.Settled, 3), made("AAAA-1111"), "Boutique Amina")},
		{"support_own", purchases.Support(bought(store.Accepted, 3), each(made("AAAA-1111", failed, failed), refund(store.RefundMissing)), "Boutique Amina")},
		{"support_own_unread", purchases.Support(bought(store.Accepted, 3), each(made("AAAA-1111", failed, failed), refund(store.RefundUnread)), "Boutique Amina")},
		{"orders_own", p.Orders().List(screen.OrdersView{List: []screen.Bought{{Purchase: bought(store.Settled, 3), Orders: made("A-1", "A-2", "A-3")}}, Linked: true})},
		{"orders_of_two", p.Orders().List(screen.OrdersView{List: []screen.Bought{{Purchase: bought(store.Settled, 1), Orders: made("A-1"), Shop: "متجر كريم"}, {Purchase: bought(store.Settled, 2), Orders: made("B-1", "B-2"), Shop: hostile()}}, Linked: true})},
		{"list_card_own", p.Lists().Card(listView())}, {"list_card_some_own", some.Lists().Card(listView())},
		{"variants_own", p.Catalogue().Variants(pubg(), 0)}, {"quantity_own", p.Selling(examples(*ten.Shop)[0].Quote).Catalogue().Quantity(pubg(), uc(), room(4), 0, screen.NoProblem)},
		{"welcome_own", p.Home().Welcome("Karim", &screen.AccountView{Name: "Shop", Role: store.Seller, Priced: true, Bought: 3, Paid: dzd.Int(3000), Left: &was})},
	}
	for _, state := range store.RefundStates() {
		all = append(all, golden{"status_own_" + string(state), purchases.Status(bought(store.Accepted, 1), each(made(failed), refund(state)), none, at)})
	}
	notes := map[store.NoteName]map[string]string{
		store.ChargedNote:     {"ref": "NP7QR", "shown": "1250.5", "charged": "1900", "purchase": purchaseID},
		store.PriceUnsureNote: {"ref": "NP7QR", "shown": "1250.5", "named": "1900", "purchase": purchaseID},
		store.FewerNote:       {"ref": "NP7QR", "made": "1", "asked": "2", "charged": "1250.5", "purchase": purchaseID},
		store.AlertsNote:      {"items": `[{"k":"price","p":"Card","v":"5 USD","a":"1300","l":"1250.5","i":7,"w":"1380","o":"1430","f":"129.5","g":"130"},{"k":"price","p":"Card","v":"10 USD","a":"1500","l":"1250","w":"1400","o":"1400","f":"150","g":"-100"},{"k":"back","p":"Card","v":"5 USD","a":"1250.5","w":"1380","o":"1380","f":"129.5","g":"129.5"}]`},
	}
	for _, name := range slices.Sorted(maps.Keys(notes)) {
		all = append(all, golden{"note_" + string(name) + "_own", p.Notes().Note(name, notes[name])})
	}
	return all
}

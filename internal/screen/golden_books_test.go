package screen_test

import (
	"encoding/json"
	"slices"
	"strconv"
	"time"

	"resellerbot/internal/api"
	"resellerbot/internal/ledger"
	"resellerbot/internal/pricing"
	"resellerbot/internal/screen"
	"resellerbot/internal/secret"
	"resellerbot/internal/store"
)

// bookGoldens are the screens of a shop's own prices.
func bookGoldens(p screen.Printer) []golden {
	ten := pricing.Rule{Basis: pricing.ByPercent, Percent: 1000, Step: 10 * ledger.Dinar}
	odd := pricing.Rule{Basis: pricing.ByPercent, Percent: -250, Step: ledger.Dinar}
	hundred := pricing.Rule{Basis: pricing.ByAmount, Amount: 100 * ledger.Dinar, Step: 50 * ledger.Dinar}
	typed := pricing.Rule{Basis: pricing.ByAmount, Amount: 20_000 * ledger.Dinar}
	fixed := pricing.Rule{Basis: pricing.Fixed, Amount: dinars(1400)}
	at := p.Prices().At(screen.PriceTarget{Level: pricing.OfVariant, ID: 5, Variant: 2}, "PUBG Mobile · 60 UC")
	return append(append(tradeGoldens(p), reportGoldens(p)...), []golden{
		{"prices_none", p.Prices().Rule(pricing.Rules{}, nil)},
		{"prices_percent", p.Prices().Rule(pricing.Rules{Shop: &ten}, examples(ten))},
		{"prices_amount", p.Prices().Rule(pricing.Rules{Shop: &hundred}, examples(hundred))},
		{"prices_counter", p.As(screen.ForShop).Prices().Rule(pricing.Rules{Shop: &ten}, examples(ten))},
		{"prices_sure_off", p.Prices().SureOff(pricing.Rules{Shop: &ten, Product: map[string]pricing.Rule{"5": hundred}})},
		{"prices_sure_off_all", p.Prices().SureOff(pricing.Rules{Shop: &ten})},
		{"prices_ask_percent", p.Prices().Ask(pricing.Rule{Basis: pricing.ByPercent}, nil, screen.PriceFine)},
		{"prices_ask_amount", p.Prices().Ask(pricing.Rule{Basis: pricing.ByAmount}, nil, screen.PriceFine)},
		{"prices_ask_bad", p.Prices().Ask(pricing.Rule{Basis: pricing.ByAmount}, nil, screen.PriceBad)},
		{"prices_ask_range", p.Prices().Ask(pricing.Rule{Basis: pricing.ByPercent}, nil, screen.PriceRange)},
		{"prices_ask_unsure", p.Prices().Ask(typed, nil, screen.PriceUnsure)},
		{"prices_ask_much", p.Prices().Ask(typed, &pricing.Rule{Basis: pricing.ByAmount, Amount: 200 * ledger.Dinar}, screen.PriceMuch)},
		{"prices_ask_below", p.Prices().Ask(odd, nil, screen.PriceBelow)},
		{"prices_step", p.Prices().Step(odd, examples(odd))},
		{"prices_products", p.Prices().Products([]api.Product{sold(5), {ID: 9, Name: hostile()}}, special(ten), 0)},
		{"prices_product", p.Prices().Goods(screen.PricedGoods{Target: screen.PriceTarget{Level: pricing.OfProduct, ID: 5}, Product: sold(5), Rules: special(ten), Own: &ten, Examples: examples(ten), Suggested: true})},
		{"prices_product_shop", p.Prices().Goods(screen.PricedGoods{Target: screen.PriceTarget{Level: pricing.OfProduct, ID: 7}, Product: sold(7), Rules: special(ten), Examples: examples(ten)})},
		{"prices_category", p.Prices().Goods(screen.PricedGoods{Target: screen.PriceTarget{Level: pricing.OfCategory, ID: 3}, Product: sold(5), Rules: special(ten), Examples: examples(ten)})},
		{"prices_variant", p.Prices().Goods(screen.PricedGoods{Target: screen.PriceTarget{Level: pricing.OfVariant, ID: 5, Variant: 2}, Product: sold(5), Variant: api.Variant{ID: 2, Name: "60 UC"}, Rules: special(ten), Own: &fixed, Examples: examples(fixed), Suggested: true})},
		{"prices_variant_none", p.Prices().Goods(screen.PricedGoods{Target: screen.PriceTarget{Level: pricing.OfVariant, ID: 8, Variant: 2}, Product: sold(8), Variant: api.Variant{ID: 2, Name: hostile()}})},
		{"prices_ask_fixed", at.Ask(pricing.Rule{Basis: pricing.Fixed}, nil, screen.PriceFine)},
		{"prices_ask_odd", at.Ask(pricing.Rule{Basis: pricing.Fixed, Amount: dinars(140_000)}, &fixed, screen.PriceOdd)},
		{"prices_ask_loss", at.Ask(pricing.Rule{Basis: pricing.Fixed, Amount: dinars(1000)}, nil, screen.PriceLoss)},
		{"prices_step_service", at.Step(pricing.Rule{Basis: pricing.Suggested, Step: 10 * ledger.Dinar}, examples(ten))},
		{"pricelist", p.Prices().PriceList(store.Desk{})},
		{"pricelist_daily", p.Prices().PriceList(store.Desk{List: []int64{5, 7}, ListAt: 8 * 60})},
		{"pricelist_when", p.Prices().PriceListHour(0)},
		{"pricelist_when_daily", p.Prices().PriceListHour(9 * 60)},
		{"pricelist_choice", p.Prices().PriceListChoice([]api.Product{sold(5), {ID: 9, Name: hostile()}}, []int64{9}, 0)},
		{"pricelist_empty", p.Prices().PriceListEmpty()},
		{"pricelist_text", asText(p, listed())},
		{"pricelist_long", p.Prices().PriceListTooLong()},
		{"pricelist_page", p.Prices().PriceListPage([]byte("png"), true, "2026-11-22", 0)},
		{"pricelist_sheet", p.Prices().PriceListPage([]byte("png"), false, "2026-11-22", 2)},
		{"prices_settings", p.Prices().Settings(pricing.Rules{})},
		{"prices_settings_other", p.Prices().Settings(pricing.Rules{Below: pricing.Ask, ShowCost: true})},
		{"prices_settings_off", p.Prices().Settings(pricing.Rules{Below: pricing.Off})},
		{"quantity_priced", p.Selling(examples(ten)[0].Quote).Catalogue().Quantity(item(false).Product, item(false).Variant, screen.Room{Most: 50, Payable: 50}, 0, screen.NoProblem)},
		{"ask_plan_priced", p.Selling(examples(ten)[0].Quote).Catalogue().Ask(api.Product{ID: api.ArenaProduct, Family: api.Arena, Name: "Arena"}, item(false).Variant, api.Input{Index: "1", Label: "Player ID", Required: true}, 1, 1, nil, screen.NoProblem)},
		{"item_priced", p.Selling(examples(ten)[0].Quote).Shelf().Item(item(false))},
		{"item_priced_below", p.Selling(examples(odd)[0].Quote).Shelf().Item(item(false))},
	}...)
}

// sold is a product with variants, of a category.
func sold(n int64) api.Product {
	return api.Product{ID: n, Name: "PUBG Mobile", CategoryID: 3, Variants: []api.Variant{{ID: 2, Name: "60 UC"}, {ID: 3, Name: hostile()}, {Name: "unnamed"}}}
}

// listed is a price list.
func listed() screen.PriceListView {
	return screen.PriceListView{Desk: store.Desk{Name: "Karim Gaming", Phone: "0555 12 34 56"}, At: noon(), Sections: []screen.PriceListSection{
		{Name: "PUBG Mobile", Lines: []screen.PriceListLine{{Name: "60 UC", Price: dinars(250)}, {Name: "325 UC", Price: dinars(1380)}}},
		{Name: "بطاقة الألعاب", Lines: []screen.PriceListLine{{Name: "١٠٠ وحدة", Price: dinars(1000)}, {Name: hostile(), Price: dinars(12)}}},
	}}
}

// asText is a price list as a text.
func asText(p screen.Printer, v screen.PriceListView) screen.Message {
	m, _ := p.Prices().PriceListAsText(v)
	return m
}

// special are rules of all levels.
func special(shop pricing.Rule) pricing.Rules {
	rules := pricing.Rules{Shop: &shop}
	suggested := pricing.Rule{Basis: pricing.Suggested, Step: ledger.Dinar}
	rules = rules.With(pricing.OfProduct, "5", &suggested)
	return rules.With(pricing.OfVariant, pricing.ItemOf(3, 5, 2, "", 0, 0).Variant, &pricing.Rule{Basis: pricing.Fixed, Amount: dinars(1400)})
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

// customerOf is a customer of a name.
func customerOf(text string) store.Customer {
	return store.Customer{ID: "01JD0000000000000000000001", Name: secret.New(text), Limit: 5000 * ledger.Dinar, Remind: 25, Reminded: noon().Add(-50 * time.Hour), Language: "ar"}
}

// dinars is a whole amount.
func dinars(n int) ledger.Money { return ledger.Money(n) * ledger.Dinar }

// units are units of a purchase as the books have them, some of them sold for a price.
func units(n, sold int, price ledger.Money) (all []ledger.Unit) {
	for i := range n {
		u := ledger.Unit{Order: "O" + strconv.Itoa(i), Cost: dinars(1250), State: ledger.InStock}
		if i < sold {
			u.State, u.Sale, u.Price, u.Sales = ledger.Sold, 7, price, 1
		}
		all = append(all, u)
	}
	return all
}

// unitCodes are the orders of units, with their codes.
func unitCodes(codes ...string) (orders []store.Order) {
	for i, c := range codes {
		orders = append(orders, store.Order{ID: "O" + strconv.Itoa(i), Unit: i + 1, State: store.Ready, Code: secret.New(c)})
	}
	return orders
}

// tradedList is the card of a list that is over, with what the shop makes of a line of cards, and of a top-up.
func tradedList(cards, topup store.Trade) screen.ListView {
	v := listView()
	boughtLines(&v)
	v.Phase = store.ListEnded
	v.Trades = store.Trades{v.Lines[4].Purchase: cards, v.Lines[0].Purchase: topup}
	return v
}

// tradeGoldens are the screens of sales, and of what customers owe.
func tradeGoldens(p screen.Printer) []golden {
	ten := pricing.Rules{Shop: &pricing.Rule{Basis: pricing.ByPercent, Percent: 1000, Step: 10 * ledger.Dinar}}
	below := pricing.Rules{Shop: &pricing.Rule{Basis: pricing.ByAmount, Amount: -100 * ledger.Dinar, Step: ledger.Dinar}}
	one, orders := bought(store.Settled, 1), made("ABCD-1")
	three, others := bought(store.Settled, 3), made("ABCD-1", "ABCD-2", "ABCD-3")
	karim, evil := customerOf("Karim"), customerOf(hostile())
	at := store.QueuePlace{}
	none := screen.BalanceView{}
	v := screen.SaleView{Purchase: one, Turn: 0, Units: 1, InStock: 1, Price: dinars(1400)}
	many := screen.SaleView{Purchase: three, Turn: 2, Units: 3, InStock: 8, Price: dinars(1400)}
	with := func(v screen.SaleView, problem screen.SaleProblem, price, likely int) screen.SaleView {
		v.Problem, v.Price, v.Likely = problem, dinars(price), dinars(likely)
		return v
	}
	of := func(v screen.SaleView, units, all int) screen.SaleView {
		v.Units, v.InStock = units, all
		return v
	}
	uneven := units(2, 0, 0) // the service has charged another price for one
	uneven[1].Cost = dinars(1500)
	debt := screen.Debt{Customer: karim, Owed: dinars(1900), Last: 9, Since: noon().Add(-19 * 24 * time.Hour)}
	other := screen.Debt{Customer: evil, Owed: dinars(400), Last: 3, Since: noon().Add(-time.Hour)}
	gone := screen.Debt{Customer: store.Customer{ID: "x", Forgot: true}, Owed: dinars(120), Last: 4, Since: noon().Add(-48 * time.Hour)}
	older := debt
	older.Older = true
	ahead := screen.Debt{Customer: karim, Owed: -dinars(100), Last: 12}
	entry := func(k ledger.Kind, hours int, item string) ledger.Entry {
		return ledger.Entry{Kind: k, At: noon().Add(-time.Duration(hours) * time.Hour), Items: []ledger.Item{{Name: item}}}
	}
	two, mixture := entry(ledger.KindSale, 320, ""), entry(ledger.KindSale, 321, "")
	two.Items = slices.Repeat([]ledger.Item{{Product: "10.101", Name: "PUBG Mobile 60 UC"}}, 2)
	mixture.Items = append(slices.Clone(two.Items), ledger.Item{Product: "20.201", Name: hostile()})
	lines := []ledger.StatementLine{
		{Entry: entry(ledger.KindPayment, 3, ""), Amount: -dinars(500), After: dinars(1900)},
		{Entry: entry(ledger.KindSale, 30, "PUBG Mobile 60 UC"), Amount: dinars(1400), After: dinars(2400)},
		{Entry: entry(ledger.KindSale, 300, hostile()), Amount: dinars(1000), After: dinars(1000)},
		{Entry: entry(ledger.KindReverse, 310, ""), Amount: -dinars(10)}, {Entry: entry(ledger.KindReturn, 311, ""), Amount: -dinars(10)},
		{Entry: entry(ledger.KindForgiven, 312, ""), Amount: -dinars(10)}, {Entry: entry(ledger.KindMerge, 313, ""), Amount: dinars(10)},
		{Entry: entry(ledger.KindOpening, 314, ""), Amount: dinars(10)}, {Entry: entry(ledger.KindExplain, 315, ""), Amount: dinars(10)},
		{Entry: two, Amount: dinars(2800), After: dinars(4700)}, {Entry: mixture, Amount: dinars(3000), After: dinars(4900)},
	}
	view := screen.KridiView{Debts: []screen.Debt{debt, gone, other}, Owed: dinars(2420), Ahead: dinars(100)}
	pages := screen.KridiView{Debts: slices.Repeat([]screen.Debt{debt}, 30), Page: 1, Owed: dinars(57000)}
	receipt := screen.ReceiptView{
		Purchase: three, Orders: unitCodes("ABCD-EFGH-1234-5678", "short"), Shop: "Sam", Desk: store.Desk{Name: "Karim Gaming", Phone: "0555 12 34 56"}, Language: "fr",
		Trade: store.Trade{Units: units(3, 2, dinars(1400)), Rules: ten, Debts: []store.Debt{{Owed: dinars(2800)}}, SoldAt: noon()},
	}
	codes, odd := receipt, receipt
	codes.Codes, odd.Desk, odd.Shop, odd.Purchase.Product, odd.Trade = true, store.Desk{}, hostile(), hostile(), store.Trade{Units: units(2, 0, 0), Rules: ten}
	mixed := store.Trade{Units: units(2, 1, dinars(1400)), Used: []ledger.Unit{{Order: "O2", State: ledger.Lost}}, Debts: []store.Debt{{Customer: karim, Owed: dinars(1000)}, {Customer: evil, Owed: dinars(400)}}}
	all := []golden{
		{"trade_stock", p.Purchases().Traded(one, orders, none, at, store.Trade{Units: units(1, 0, 0), Rules: ten})},
		{"trade_counter", p.As(screen.ForShop).Purchases().Traded(one, orders, none, at, store.Trade{Units: units(1, 0, 0), Rules: ten})},
		{"trade_below", p.Purchases().Traded(one, orders, none, at, store.Trade{Units: units(1, 0, 0), Rules: below})},
		{"trade_many", p.Purchases().Traded(three, others, none, at, store.Trade{Units: units(3, 0, 0), Rules: ten})},
		{"trade_uneven", p.Purchases().Traded(three, others, none, at, store.Trade{Units: uneven, Rules: ten})},
		{"trade_part", p.Purchases().Traded(three, others, none, at, store.Trade{Units: units(3, 1, dinars(1400)), Rules: ten})},
		{"trade_sold", p.Purchases().Traded(one, orders, none, at, store.Trade{Units: units(1, 1, dinars(1400)), Rules: ten})},
		{"trade_owed", p.Purchases().Traded(one, orders, none, at, store.Trade{Units: units(1, 1, dinars(1400)), Rules: ten, Debts: []store.Debt{{Customer: karim, Owed: dinars(1400)}}})},
		{"trade_copy_stock", p.Purchases().Traded(three, unitCodes("AAAA-1111", "BBBB-2222", "CCCC-3333"), none, at, store.Trade{Units: units(3, 1, dinars(1400)), Rules: ten})},
		{"trade_mixed", p.Purchases().Traded(three, unitCodes("AAAA-1111", "BBBB-2222", "CCCC-3333"), none, at, mixed)},
		{"trade_owed_part", p.Purchases().Traded(one, orders, none, at, store.Trade{Units: units(1, 1, dinars(1400)), Debts: []store.Debt{{Customer: evil, Owed: dinars(900)}}})},
		{"sale_ask", p.Sales().Ask(v)}, {"sale_ask_many", p.Sales().Ask(many)},
		{"sale_ask_two_of_three", p.Sales().Ask(of(many, 2, 3))}, {"sale_ask_two_of_five", p.Sales().Ask(of(many, 2, 5))},
		{"sale_ask_bad", p.Sales().Ask(with(v, screen.SaleBad, 0, 0))}, {"sale_ask_range", p.Sales().Ask(with(v, screen.SaleRange, 0, 0))},
		{"sale_ask_unsure", p.Sales().Ask(with(v, screen.SaleUnsure, 1400, 0))}, {"sale_ask_odd", p.Sales().Ask(with(v, screen.SaleOdd, 140000, 1400))},
		{"sale_ask_below", p.Sales().Ask(with(v, screen.SaleBelow, 1200, 0))},
		{"sale_priced", p.Sales().Priced(many)},
		{"sale_to", p.Sales().To(v, []store.Customer{karim, evil}, "", false)}, {"sale_to_new", p.Sales().To(v, nil, hostile(), false)},
		{"sale_to_paid", p.Sales().To(screen.SaleView{Purchase: one, Units: 1, InStock: 1, Price: dinars(1400), Paid: true}, []store.Customer{karim}, "", false)},
		{"sale_paid_named", p.Sales().Paid(screen.SoldView{Purchase: one, Customer: karim, Price: dinars(1400), Entry: 7})},
		{"sale_to_bad", p.Sales().To(v, []store.Customer{karim}, "", true)},
		{"sale_credit", p.Sales().OnCredit(screen.SoldView{Purchase: one, Customer: karim, Before: dinars(500), After: dinars(1900), Price: dinars(1400), Entry: 9})},
		{"sale_credit_two", p.Sales().OnCredit(screen.SoldView{Purchase: one, Units: 2, Customer: karim, Before: dinars(500), After: dinars(3300), Price: dinars(2800), Entry: 9})},
		{"sale_credit_ahead", p.Sales().OnCredit(screen.SoldView{Purchase: one, Customer: karim, Before: -dinars(6200), After: -dinars(3410), Price: dinars(2790), Entry: 9})},
		{"sale_credit_to_debt", p.Sales().OnCredit(screen.SoldView{Purchase: one, Customer: karim, Before: -dinars(500), After: dinars(900), Price: dinars(1400), Entry: 9})},
		{"sale_credit_later", p.Sales().OnCredit(screen.SoldView{Purchase: one, Customer: evil, After: dinars(1400), Price: dinars(1400), Entry: 9, Day: "2026-11-23"})},
		{"receipt_fr", p.Sales().Receipt(receipt, p, []byte("png"))}, {"receipt_codes", p.Sales().Receipt(codes, p, []byte("png"))},
		{"receipt_counter", p.As(screen.ForShop).Sales().Receipt(receipt, p, []byte("png"))}, {"receipt_hostile", p.Sales().Receipt(odd, p, []byte("png"))},
		{"receipt_language", p.Sales().ReceiptLanguage(one)}, {"receipt_name", p.Sales().ShopAsk(hostile(), one.ID, false)}, {"receipt_name_bad", p.Sales().ShopAsk("Karim", "", true)},
		{"receipt_phone", p.Sales().PhoneAsk(one.ID, false)}, {"receipt_phone_bad", p.Sales().PhoneAsk("", true)},
		{"receipt_logo", p.Sales().LogoAsk(store.Desk{}, screen.LogoFine)}, {"receipt_logo_on", p.Sales().LogoAsk(store.Desk{Logo: []byte("x")}, screen.LogoSize)},
		{"receipt_logo_pixels", p.Sales().LogoAsk(store.Desk{}, screen.LogoPixels)}, {"receipt_logo_broken", p.Sales().LogoAsk(store.Desk{}, screen.LogoBroken)},
		{"receipt_logo_fetch", p.Sales().LogoAsk(store.Desk{}, screen.LogoFetch)}, {"receipt_shop_logo", p.Sales().ShopSaved(store.Desk{Name: "Karim", Logo: []byte("x")})},
		{"receipt_shop", p.Sales().ShopSaved(receipt.Desk)}, {"receipt_shop_bare", p.Sales().ShopSaved(store.Desk{Name: hostile()})},
		{"list_own", p.Lists().Card(tradedList(store.Trade{Units: units(3, 0, 0), Rules: ten}, store.Trade{Units: units(1, 0, 0), Rules: ten}))},
		{"list_sold", p.Lists().Card(tradedList(store.Trade{Units: units(3, 3, dinars(1400))}, store.Trade{Units: units(1, 1, dinars(240)), Debts: []store.Debt{{Customer: karim, Owed: dinars(240)}}}))},
		{"list_sold_part", p.Lists().Card(tradedList(store.Trade{Units: units(3, 3, dinars(1400)), Debts: []store.Debt{{Customer: evil, Owed: dinars(4200)}}}, store.Trade{Units: units(1, 0, 0), Rules: ten}))},
		{"list_no_price", p.Lists().Card(tradedList(store.Trade{Units: units(3, 0, 0)}, store.Trade{Units: units(1, 0, 0), Rules: ten}))},
		{"list_sale_to", p.Sales().ListTo(listView().List, dinars(4440), []store.Customer{karim, evil}, "", false)},
		{"list_sale_credit", p.Sales().ListOnCredit(listView().List, screen.SoldView{Customer: karim, Before: dinars(500), After: dinars(4940), Price: dinars(4440), Day: "2026-11-23"})},
		{"sale_limit", p.Sales().OverLimit(karim, dinars(4900))},
		{"sale_which", p.Sales().Which(returning(one, screen.Pick{}, store.Customer{}, false))}, {"sale_which_some", p.Sales().Which(returning(one, screen.Pick{Units: 0b110}, karim, false))},
		{"sale_paid", p.Sales().Paid(screen.SoldView{Purchase: one, Price: dinars(1400), Entry: 7})}, {"sale_ended", p.Sales().Ended(one, p.Sales().UndoneToast(dinars(1400)))},
		{"sale_return", p.Sales().Return(returning(one, screen.Pick{All: true, Count: 3}, store.Customer{}, true))},
		{"sale_return_counted", p.Sales().Return(counted(returning(one, screen.Pick{All: true, Count: 3}, store.Customer{}, false)))}, {"sale_return_debt", p.Sales().Return(returning(one, screen.Pick{Units: 0b101}, karim, false))},
		{"sale_returned", p.Sales().Returned(one, dinars(1400), screen.Debt{}, 1, false)}, {"sale_returned_some", p.Sales().Returned(one, dinars(1400), screen.Debt{}, 1, true)},
		{"sale_returned_debt", p.Sales().Returned(one, dinars(1400), screen.Debt{Customer: store.Customer{ID: "1", Name: secret.New("Ali <b>")}, Owed: -dinars(400)}, 2, true)},
		{"kridi_none", p.Kridi().List(screen.KridiView{})}, {"kridi_list", p.Kridi().List(view)}, {"kridi_list_ahead", p.Kridi().List(screen.KridiView{Debts: []screen.Debt{debt, ahead}, Owed: dinars(1900), Ahead: dinars(100)})}, {"kridi_page", p.Kridi().List(pages)},
		{"kridi_seller", p.As(screen.ForSeller).Kridi().List(view)},
		{"kridi_meanwhile", p.Kridi().PaidMeanwhile(debt, 50*ledger.Dinar, screen.TakenView{Amount: 30 * ledger.Dinar})}, {"kridi_meanwhile_by", p.Kridi().PaidMeanwhile(debt, 50*ledger.Dinar, screen.TakenView{Amount: 30 * ledger.Dinar, By: "أمينة"})},
		{"kridi_meanwhile_undone", p.Kridi().PaidMeanwhile(debt, 50*ledger.Dinar, screen.TakenView{Amount: 50 * ledger.Dinar, Undone: true})}, {"kridi_meanwhile_all", p.Kridi().PaidMeanwhile(screen.Debt{Customer: debt.Customer}, 50*ledger.Dinar, screen.TakenView{Amount: 30 * ledger.Dinar, By: hostile()})},
		{"kridi_not_owed", p.Kridi().NotOwed(screen.Debt{Customer: store.Customer{ID: "c", Name: secret.New("Ali")}}, lines[:1])},
		{"kridi_card", p.Kridi().Card(debt, lines[:3])}, {"kridi_card_seller", p.As(screen.ForSeller).Kridi().Card(debt, lines[:3])},
		{"kridi_card_gone", p.Kridi().Card(gone, lines[:1])}, {"kridi_card_ahead", p.Kridi().Card(ahead, nil)},
		{"kridi_card_settled", p.Kridi().Card(screen.Debt{Customer: evil}, nil)}, {"kridi_card_since", p.Kridi().Card(screen.Debt{Customer: store.Customer{ID: "c", Name: secret.New("Ali")}, Owed: 1}, nil)},
		{"kridi_card_older", p.Kridi().Card(older, nil)},
		{"kridi_history", p.Kridi().History(debt, 1, lines, true)}, {"kridi_history_end", p.Kridi().History(debt, 0, lines[:1], false)},
		{"kridi_pay", p.Kridi().PayAsk(debt, 0, 0, screen.PayFine)}, {"kridi_pay_bad", p.Kridi().PayAsk(debt, 0, 0, screen.PayBad)}, {"kridi_pay_range", p.Kridi().PayAsk(debt, 0, 0, screen.PayRange)},
		{"kridi_pay_unsure", p.Kridi().PayAsk(debt, dinars(500), 0, screen.PayUnsure)}, {"kridi_pay_much", p.Kridi().PayAsk(debt, dinars(190000), dinars(1900), screen.PayMuch)},
		{"kridi_given_back", p.Kridi().GivenBack(screen.Debt{Customer: karim}, dinars(500), 12)},
		{"sale_undone_ahead", p.Sales().UndoneAhead(one, dinars(1400), screen.Debt{Customer: karim, Owed: -dinars(400), Last: 12})},
		{"list_undone_ahead", p.Sales().ListUndoneAhead(listView().List, dinars(1400), screen.Debt{Customer: karim, Owed: -dinars(400), Last: 12})},
		{"kridi_paid_ahead", p.Kridi().Paid(screen.Debt{Customer: karim, Owed: -dinars(100)}, dinars(600), 11)},
		{"kridi_paid", p.Kridi().Paid(screen.Debt{Customer: karim, Owed: dinars(1400)}, dinars(500), 11)},
		{"kridi_limit", p.Kridi().LimitAsk(debt, 0, 0, screen.PayFine)}, {"kridi_limit_bad", p.Kridi().LimitAsk(debt, 0, 0, screen.PayBad)},
		{"kridi_limit_odd", p.Kridi().LimitAsk(debt, dinars(500000), dinars(5000), screen.PayOdd)},
		{"kridi_limit_range", p.Kridi().LimitAsk(debt, 0, 0, screen.PayRange)}, {"kridi_limit_unsure", p.Kridi().LimitAsk(debt, 0, 0, screen.PayUnsure)},
		{"kridi_day", p.Kridi().DayAsk(debt)}, {"kridi_forgive", p.Kridi().ForgiveAsk(debt)},
	}
	return append(all,
		golden{"kridi_reminder", p.Kridi().Reminder(screen.ReminderView{Debt: debt, Shop: hostile(), Language: "fr"}, p)},
		golden{"kridi_reminder_older", p.Kridi().Reminder(screen.ReminderView{Debt: older, Shop: "Amina", Language: "fr"}, p)},
		golden{"kridi_reminder_short", p.Kridi().Reminder(screen.ReminderView{Debt: screen.Debt{Customer: karim, Owed: dinars(5)}, Shop: "Amina", Language: "ar"}, p)})
}

// reported is a day of a shop with a bit of everything.
func reported() screen.ReportView {
	var f ledger.Flows
	add := func(e ledger.Entry) {
		if err := f.Add(e); err != nil {
			panic(err)
		}
	}
	sold := func(item string, seller int64, price, cost, owed int) {
		add(ledger.Entry{Kind: ledger.KindSale, Customer: "k", Lines: []ledger.Line{
			{Account: "till/502", Debit: dinars(price - owed)}, {Account: "cust/k", Debit: dinars(owed)}, {Account: ledger.Sales, Credit: dinars(price)},
			{Account: ledger.Cost, Debit: dinars(cost)}, {Account: ledger.Stock, Credit: dinars(cost)},
		}, Items: []ledger.Item{{Product: item, Name: item, Seller: seller, Units: 1, Sold: dinars(price), Cost: dinars(cost)}}})
	}
	sold("PUBG Mobile 60 UC", 502, 1400, 1250, 0)
	sold("PUBG Mobile 60 UC", 601, 1400, 1260, 900)
	sold(hostile(), 601, 300, 310, 0)
	add(ledger.Entry{Kind: ledger.KindPayment, Lines: []ledger.Line{{Account: "till/502", Debit: dinars(500)}, {Account: "cust/gone", Credit: dinars(500)}}})
	add(ledger.Entry{Kind: ledger.KindBought, Lines: []ledger.Line{{Account: ledger.Transit, Debit: dinars(3750)}, {Account: "wallet/a", Credit: dinars(3750)}}})
	add(ledger.Entry{Kind: ledger.KindRefunded, Lines: []ledger.Line{{Account: "wallet/a", Debit: dinars(1260)}, {Account: ledger.Claim, Credit: dinars(1260)}}})
	add(ledger.Entry{Kind: ledger.KindReturn, Lines: []ledger.Line{{Account: ledger.Returns, Debit: dinars(100)}, {Account: "till/502", Credit: dinars(100)}}})
	add(ledger.Entry{Kind: ledger.KindCount, Lines: []ledger.Line{{Account: "over/502", Debit: dinars(50)}, {Account: "till/502", Credit: dinars(50)}}})
	add(ledger.Entry{Kind: ledger.KindExpense, Lines: []ledger.Line{{Account: "expense/other", Debit: dinars(60)}, {Account: "till/502", Credit: dinars(60)}}})
	before := ledger.Flows{Entries: 2, Accounts: map[ledger.Account]ledger.Sums{ledger.Sales: {Credits: dinars(900)}, ledger.Cost: {Debits: dinars(700)}}}
	return screen.ReportView{
		Kind: screen.ReportDay, From: "2025-11-21", To: "2025-11-21", Flows: f, Before: &before, UntilNow: true,
		End:       ledger.End{Totals: map[string]ledger.Money{ledger.Till: dinars(2590), ledger.Stock: dinars(1250), ledger.Transit: dinars(2500), ledger.Claim: dinars(5)}, Owed: dinars(2400), OnHand: 1},
		Uncertain: 2, Unsure: dinars(3400), Sellers: map[int64]string{502: "Sam", 601: hostile()}, Customers: map[string]string{"k": "Karim"}, Payday: []string{"Karim", hostile()}, Uncounted: 1,
	}
}

// figures is a report as a note carries it.
func figures(v screen.ReportView) string {
	text, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return string(text)
}

// reportGoldens are the screens of reports, of tills and of the end of a day.
func reportGoldens(p screen.Printer) []golden {
	day := reported()
	with := func(change func(*screen.ReportView)) screen.ReportView {
		v := reported()
		change(&v)
		return v
	}
	closed := with(func(v *screen.ReportView) {
		v.After, v.BoughtAfter = dinars(1380), dinars(1250)
		v.Closed, v.Since, v.Before.Entries, v.Payday, v.Uncounted, v.Uncertain = true, -dinars(20), 0, nil, 0, 0
	})
	month := with(func(v *screen.ReportView) { v.Kind, v.From, v.UntilNow = screen.ReportMonth, "2025-11-01", false })
	own := with(func(v *screen.ReportView) { v.Seller, v.Uncertain, v.Uncounted = 601, 0, 0 })
	begun := with(func(v *screen.ReportView) { v.Begun = noon() })
	empty := screen.ReportView{Kind: screen.ReportRange, From: "2024-01-01", To: "2024-02-01"}
	week := screen.ReportView{Kind: screen.ReportWeek, From: "2025-11-15", To: "2025-11-21"}
	counted := dinars(3500)
	till := screen.TillView{Counter: "502", Name: "Sam", Shift: 3, Open: true, Expected: dinars(3550), Last: dinars(2000)}
	waits := till
	waits.Counted, waits.Leave, waits.By, waits.Name = &counted, dinars(0), "Karim", hostile()
	later := waits
	later.Expected, later.Since = dinars(4930), dinars(1380)
	over, exact := dinars(3600), dinars(3550)
	more, same := till, till
	more.Counted, same.Counted = &over, &exact
	tills := screen.ClosingView{Tills: []screen.TillView{till, waits, more, same}, Day: "2025-11-21"}
	seller := p.As(screen.ForSeller)
	return []golden{
		{"report_day", p.Reports().Report(day)}, {"report_closed", p.Reports().Report(closed)}, {"report_month", p.Reports().Report(month)}, {"report_begun", p.Reports().Report(begun)},
		{"report_own", seller.Reports().Report(own)}, {"report_empty", p.Reports().Report(empty)}, {"report_week", p.Reports().Report(week)},
		{"report_none", p.Reports().None()}, {"report_none_seller", seller.Reports().None()}, {"report_bad", p.Reports().BadRange()}, {"report_not_yet", p.Reports().NotYet()},
		{"report_auto", p.Reports().AutoAsk(0)}, {"report_auto_on", p.Reports().AutoAsk(21 * 60)},
		{"report_photo", p.Reports().Photo(day, []byte("png"))}, {"report_file", p.Reports().FileOf(month, "xlsx", []byte("xlsx"))},
		{"close_tills", p.Closing().Tills(tills)}, {"close_none", p.Closing().Tills(screen.ClosingView{Day: "2025-11-21", Done: true})},
		{"close_refused", screen.Message{HTML: p.Closing().Refused(ledger.AlreadyDone, "")}}, {"close_refused_much", screen.Message{HTML: p.Closing().Refused(ledger.TooMuch, "")}},
		{"close_count", p.Closing().Count(till, screen.PayFine, 0, 0)}, {"close_count_blind", seller.Closing().Count(till, screen.PayFine, 0, 0)},
		{"close_count_waits", p.Closing().Count(waits, screen.PayFine, 0, 0)}, {"close_count_over", p.Closing().Count(till, screen.PayOver, 0, 0)}, {"close_count_other", p.Closing().Count(waits, screen.PayOther, 0, 0)}, {"close_count_odd", p.Closing().Count(till, screen.PayMuch, dinars(3550), dinars(355000))},
		{"close_count_bad", p.Closing().Count(till, screen.PayBad, 0, 0)}, {"close_count_range", p.Closing().Count(till, screen.PayRange, 0, 0)}, {"close_count_unsure", p.Closing().Count(till, screen.PayUnsure, 0, dinars(25))},
		{"close_leave", p.Closing().Leave(till, dinars(3500), screen.PayFine)}, {"close_leave_blind", seller.Closing().Leave(till, dinars(3500), screen.PayFine)},
		{"close_leave_bad", p.Closing().Leave(till, dinars(1000), screen.PayBad)}, {"close_leave_much", p.Closing().Leave(till, dinars(1000), screen.PayRange)}, {"close_leave_unsure", p.Closing().Leave(till, dinars(1000), screen.PayUnsure)},
		{"close_sent", seller.Closing().Sent(till, dinars(3500))},
		{"close_count_later", p.Closing().Count(later, screen.PayFine, 0, 0)},
		{"close_sealed_later", p.Closing().Sealed(later, ledger.Shift{Expected: dinars(3550), Counted: dinars(3500), Taken: dinars(1500)})},
		{"close_not_kept", p.Closing().NotKept("502", dinars(5000))},
		{"close_sealed", p.Closing().Sealed(till, ledger.Shift{Expected: dinars(3550), Counted: dinars(3500), Taken: dinars(1500)})},
		{"close_out", p.Closing().OutAsk(till, screen.PayFine)}, {"close_out_bad", p.Closing().OutAsk(till, screen.PayBad)}, {"close_out_range", p.Closing().OutAsk(till, screen.PayRange)},
		{"close_out_unsure", p.Closing().OutAsk(till, screen.PayUnsure)}, {"close_out_much", p.Closing().OutAsk(till, screen.PayMuch)},
		{"close_why", p.Closing().OutWhy(till, 12, dinars(300))}, {"close_outdone", p.Closing().Out(till, dinars(300), 13)},
		{"close_day", p.Closing().DayAsk(tills, day)}, {"close_day_quiet", p.Closing().DayAsk(screen.ClosingView{Day: "2025-11-21", Tills: []screen.TillView{{Counter: "502", Name: "Karim", Open: true}, {Counter: "503", Name: "Lina", Open: true, Expected: -dinars(2230)}}}, empty)},
	}
}

// returning is a sale of many units, some of which come back.
func returning(pu store.Purchase, pick screen.Pick, c store.Customer, sealed bool) screen.ReturnView {
	v := screen.ReturnView{Purchase: pu, Entry: 9, Pick: pick, Price: dinars(2800), Left: dinars(4200), Customer: c, Over: sealed, Day: "2026-11-24", Mistake: sealed}
	for place, code := range map[int]string{0: "ABCD-EFGH-1234-5678", 1: "", 2: hostile(), 17: "short"} {
		v.Units = append(v.Units, screen.ReturnUnit{Place: place, Number: place + 1, Code: code})
	}
	slices.SortFunc(v.Units, func(a, b screen.ReturnUnit) int { return a.Place - b.Place })
	return v
}

// counted is such a sale on an open day, whose cash was counted.
func counted(v screen.ReturnView) screen.ReturnView {
	v.Counted = true
	return v
}

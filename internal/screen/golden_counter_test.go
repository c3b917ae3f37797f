package screen_test

import (
	"encoding/json"
	"slices"
	"time"

	"resellerbot/internal/api"
	"resellerbot/internal/api/dzd"
	"resellerbot/internal/ledger"
	"resellerbot/internal/screen"
	"resellerbot/internal/secret"
	"resellerbot/internal/store"
)

// counterGoldens are the screens of whoever sells all day.
func counterGoldens(p screen.Printer) []golden {
	return []golden{
		{"welcome_cockpit", p.Home().Welcome("Amina", cockpit(time.Time{}))},
		{"welcome_cockpit_service_down", p.Home().Welcome("Amina", cockpit(noon().Add(-5*time.Minute)))},
		{"welcome_cockpit_uncertain_1", p.Home().Welcome("Amina", &screen.AccountView{Name: "متجر أمينة", Balance: wallet("50"), Uncertain: 1})},
		{"welcome_cockpit_uncertain_2", p.Home().Welcome("Amina", &screen.AccountView{Name: "متجر أمينة", Balance: wallet("50"), Uncertain: 2})},
		{"welcome_cockpit_uncertain_3", p.Home().Welcome("Amina", &screen.AccountView{Name: "متجر أمينة", Balance: wallet("50"), Uncertain: 3})},
		{"welcome_cockpit_uncertain_11", p.Home().Welcome("Amina", &screen.AccountView{Name: "متجر أمينة", Balance: wallet("50"), Uncertain: 11})},
		{"books_owner", p.Home().Books(store.Owner, true)}, {"books_none", p.Home().Books(store.Owner, false)},
		{"books_seller", p.As(screen.ForSeller).Home().Books(store.Seller, true)}, {"books_counter", p.As(screen.ForShop).Home().Books(store.Counter, true)},
		{"welcome_counter_priced", p.As(screen.ForShop).For(602).Home().Welcome("Lila", &screen.AccountView{Name: "Shop", Role: store.Counter, Priced: true})},
		{"welcome_seller_priced", p.As(screen.ForSeller).Home().Welcome("Karim", &screen.AccountView{Name: "Shop", Role: store.Seller, Priced: true})},
		{"board", p.Notes().Note(store.BoardNote, boardOf(3, 2))}, {"board_group", p.As(screen.ForShop).Notes().Note(store.BoardNote, boardOf(3, 2))},
		{"board_quiet", p.Notes().Note(store.BoardNote, boardOf(0, 0))}, {"board_newer", p.Notes().Note(store.BoardNote, nil)},
		{"board_page", p.Home().BoardPage(nil, nil, false)}, {"board_page_place", p.Home().BoardPage(nil, &store.Place{Chat: -100, Title: hostile()}, false)},
		{"board_page_here", p.Home().BoardPage(&store.Board{Chat: 501, Message: 7, Pinned: true}, &store.Place{Chat: -100, Title: "Shop"}, false)},
		{"board_page_out", p.Home().BoardPage(&store.Board{Chat: -100, Message: 7}, &store.Place{Chat: -100, Title: hostile()}, true)},
		{"board_moved", p.Notes().BoardEnded(true)}, {"board_ended", p.Notes().BoardEnded(false)},
		{"board_page_soon", p.Home().BoardPage(&store.Board{Chat: 501}, nil, false)},
		{"board_page_group", p.Home().BoardPage(&store.Board{Chat: -100, Message: 7}, &store.Place{Chat: -100, Title: hostile()}, false)},
		{"meant", p.Shelf().Meant("ff 100", []screen.MeantView{{Product: "Free Fire", Variant: "100 diamonds", Quantity: 1, For: "51234567"}, {Product: "بطاقة", Variant: "١٠٠", Quantity: 3}})},
		{"stranger", p.Shelf().Stranger("ali ben", "Free Fire", "100 diamonds", 7, 701)},
		{"stranger_hostile", p.Shelf().Stranger(hostile(), hostile(), hostile(), 7, 701)},
		{"meant_hostile", p.Shelf().Meant(hostile(), []screen.MeantView{{Product: hostile(), Variant: hostile(), Quantity: 500, For: hostile()}})},
		{"item", p.Shelf().Item(item(false))},
		{"item_kept", p.Shelf().Item(item(true, "pb60", "ببجي60"))},
		{"item_word_ask", p.Shelf().WordAsk("PUBG Mobile", "60 UC", screen.WordFine)},
		{"item_word_bad", p.Shelf().WordAsk("PUBG Mobile", "60 UC", screen.WordBad)},
		{"item_word_full", p.Shelf().WordAsk(hostile(), hostile(), screen.WordFull)},
		{"aliases_none", p.Shelf().Aliases(nil)},
		{"aliases", p.Shelf().Aliases([]store.Alias{{Word: "pb60", Goods: goods()[0]}, {Word: hostile(), Goods: store.Goods{Name: hostile()}}})},
		{"alias_which", p.Shelf().AliasWhich(hostile(), false)},
		{"alias_bad", p.Shelf().AliasWhich("5", true)},
		{"alias_unclear", p.Shelf().AliasUnclear(hostile())},
		{"offer_ask", p.Shelf().OfferAsk(item(false), dzd.Amount{}, screen.OfferFine)},
		{"offer_bad", p.Shelf().OfferAsk(item(false), dzd.Amount{}, screen.OfferBad)},
		{"offer_unsure", p.Shelf().OfferAsk(item(false), dzd.Int(25000), screen.OfferUnsure)},
		{"offer_below", p.Shelf().OfferAsk(item(false), dzd.Int(20), screen.OfferBelow)},
		{"offer", p.Shelf().Offer("Boutique Amina", "PUBG Mobile", "60 UC", dzd.Int(250))},
		{"offer_hostile", p.Shelf().Offer(hostile(), hostile(), hostile(), dzd.Must("999999999.99"))},
		{"offer_forward", p.Shelf().OfferForward(item(false))},
		{"kridi_not_found", p.Kridi().Found(nil, hostile())},
		{"kridi_found", p.Kridi().Found([]store.Customer{karim(), {ID: "01JD0W5Y7ZB3K9Q2M4N6NP7QR1", Name: secret.New(hostile())}}, "k")},
		{"prices_how", p.Prices().How()},
		{"customers_none", p.Customers().List(nil, 0, "")},
		{"customers_not_found", p.Customers().List(nil, 0, hostile())},
		{"customers", p.Customers().List([]store.Customer{karim(), {ID: "01JD0W5Y7ZB3K9Q2M4N6NP7QR1", Name: secret.New(hostile())}}, 0, "")},
		{"customers_pages", p.Customers().List(slices.Repeat([]store.Customer{karim()}, 20), 1, "")},
		{"customer", p.Customers().Card(karim(), 0, nil)},
		{"customer_hostile", p.Customers().Card(store.Customer{ID: "01JD0W5Y7ZB3K9Q2M4N6NP7QR1", Name: secret.New(hostile()), Phone: secret.New(hostile()), Note: secret.New(hostile()), Players: []store.Player{{ID: hostile(), Name: hostile()}}}, dinars(1900), nil)},
		{"customer_new_ask", p.Customers().NewAsk(false)},
		{"customer_new_bad", p.Customers().NewAsk(true)},
		{"customer_players", p.Customers().Players(store.Customer{ID: karim().ID, Name: secret.New(hostile()), Players: append(karim().Players, store.Player{ID: hostile(), Name: hostile()}, store.Player{ID: "555123"})})},
		{"customer_usual", p.Customers().Usual(karim(), latest())},
		{"customer_usual_none", p.Customers().Usual(store.Customer{ID: karim().ID, Name: secret.New(hostile())}, latest()[:1])},
		{"customer_ahead", p.Customers().Card(karim(), -dinars(100), nil)}, {"customer_ahead_seller", p.As(screen.ForSeller).Customers().Card(karim(), -dinars(100), nil)},
		{"customer_latest", p.Customers().Card(karim(), 0, latest())},
		{"customer_orders", p.Orders().List(screen.OrdersView{Of: new(karim()), List: latest(), Card: true, Linked: true, More: true, Words: "karim", Scope: screen.OrdersAll})},
		{"customer_orders_counter", p.As(screen.ForShop).Orders().List(screen.OrdersView{Of: new(karim()), List: latest()[:1], Page: 1, Above: 8, Linked: true, Words: "a:b", Scope: screen.OrdersAll})},
		{"customer_orders_none", p.Orders().List(screen.OrdersView{Of: new(karim()), Card: true, Linked: true})},
		{"namesakes", p.Customers().Namesakes(screen.NamesakesView{Words: "stream", Customers: []store.Customer{karim()}, Short: &goods()[0], Sold: true})},
		{"namesakes_hostile", p.Customers().Namesakes(screen.NamesakesView{Words: hostile(), Customers: []store.Customer{karim(), {ID: "01JD0W5Y7ZB3K9Q2M4N6NP7QR1", Name: secret.New(hostile()), Players: []store.Player{{ID: hostile()}}}}, Short: &goods()[2], Sold: true})},
		{"customer_name_ask", p.Customers().NameAsk("Lina★", false)},
		{"customer_name_bad", p.Customers().NameAsk(hostile(), true)},
		{"customer_note_ask", p.Customers().NoteAsk(karim(), false)},
		{"customer_note_long", p.Customers().NoteAsk(karim(), true)},
		{"customer_end_ask", p.Customers().EndAsk(karim(), 0)}, {"customer_end_owes", p.Customers().EndAsk(karim(), 1410*ledger.Dinar)}, {"customer_end_ahead", p.Customers().EndAsk(karim(), -1410*ledger.Dinar)},
		{"customers_full", p.Customers().Full()},
		{"products_with_goods", p.Shelf().WithGoods(p.Catalogue().Products([]api.Product{{ID: 1, Name: "PUBG Mobile"}}, 0, ""))},
		{"goods", p.Shelf().Goods(goods()[:1], goods()[1:])},
	}
}

// boardOf is a board with so much of what is open, as it is queued.
func boardOf(open, unsure int) map[string]string {
	text, err := json.Marshal(screen.BoardView{
		Day: "2025-11-21", At: noon(), Units: 12 * open, Sold: dinars(1500 * open), Received: dinars(1100 * open), Credit: dinars(400 * open), Till: dinars(9000),
		OnHand: open, Open: open, Uncertain: unsure, Uncounted: unsure,
	})
	if err != nil {
		panic(err)
	}
	return map[string]string{"board": string(text)}
}

// boardClosed is a board of a day that was closed before its end.
func boardClosed() map[string]string {
	text, err := json.Marshal(screen.BoardView{Day: "2025-11-21", At: noon(), Units: 12, Sold: dinars(1500), Received: dinars(1100), Till: dinars(9000), Closed: true, After: dinars(600)})
	if err != nil {
		panic(err)
	}
	return map[string]string{"board": string(text)}
}

// latest is what was bought for a customer last.
func latest() []screen.Bought {
	odd := with(bought(store.Settled, 3), ordered)
	odd.Product, odd.Variant = hostile(), hostile()
	return []screen.Bought{{Purchase: with(bought(store.Settled, 2), ordered), Orders: made("ABCD-1111", "EFGH-2222")}, {Purchase: odd, Orders: made("")}}
}

// karim is a customer.
func karim() store.Customer {
	return store.Customer{
		ID: "01JD0W5Y7ZB3K9Q2M4N6NP7QR0", Name: secret.New("كريم"), Phone: secret.New("0550 12 34 56"), Note: secret.New("pays on Fridays"),
		Players: []store.Player{{Game: "battleroyale", ID: "51234567", Name: "Lina★"}}, Usual: &store.Usual{Goods: goods()[0], Quantity: 2},
	}
}

// goods are items that a shop keeps at hand.
func goods() []store.Goods {
	return []store.Goods{{Product: 1, Variant: 11, Name: "PUBG Mobile · 60 UC"}, {Product: 2, Variant: 21, Name: "بطاقة الألعاب · ١٠٠"}, {Product: 3, Variant: 31, Name: hostile()}}
}

// item is an item on its own screen.
func item(favourite bool, words ...string) screen.ItemView {
	v := api.Variant{ID: 11, Name: "60 UC", Price: dzd.Int(210), Available: true}
	return screen.ItemView{Product: api.Product{ID: 1, Name: "PUBG Mobile", Variants: []api.Variant{v}}, Variant: v, Favourite: favourite, Words: words}
}

// cockpit is home in the middle of a day; read is when the balance was read, where it cannot be now.
func cockpit(read time.Time) *screen.AccountView {
	balance, stale := wallet("12340"), !read.IsZero()
	if stale {
		balance.At = read
	}
	return &screen.AccountView{
		Name: "Boutique Amina", Balance: balance, Waiting: 1, Uncertain: 2, Bought: 42, Paid: dzd.Int(31250), Units: 40, Sold: 34_380 * ledger.Dinar, Role: store.Owner, Favourites: goods(), Stale: stale,
		Lately: []screen.LatelyView{{Purchase: "01JD0W5Y7ZB3K9Q2M4N6NP7QR0", Item: "PUBG Mobile · 60 UC", Quantity: 1, For: "Amine"}, {Purchase: "01JD0W5Y7ZB3K9Q2M4N6NP7QR1", Item: hostile(), Quantity: 500, For: hostile()}},
	}
}

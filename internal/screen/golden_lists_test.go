package screen_test

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"resellerbot/internal/api/dzd"
	"resellerbot/internal/screen"
	"resellerbot/internal/secret"
	"resellerbot/internal/store"
)

// listGoldens are the screens of lists.
func listGoldens(p screen.Printer) []golden {
	card := func(change func(*screen.ListView)) screen.Message {
		v := listView()
		change(&v)
		return p.Lists().Card(v)
	}
	ended := listView()
	boughtLines(&ended)
	ended.Phase = store.ListEnded
	dropped := func(why string) screen.Message {
		return card(func(v *screen.ListView) { v.Phase, v.Why = store.ListDropped, why })
	}
	return []golden{
		{"list_checking", card(func(v *screen.ListView) {
			v.Phase, v.Lines[0].Check, v.Lines[0].Player = store.ListChecking, true, nil
		})},
		{"list_card", card(func(*screen.ListView) {})},
		{"list_card_marked", card(func(v *screen.ListView) { v.Marked = true })},
		{"list_card_above", card(func(v *screen.ListView) { v.Above = true })},
		{"list_card_short", card(func(v *screen.ListView) { few := dzd.Int(300); v.Available = &few; v.Reckon() })},
		{"list_card_nothing", card(func(v *screen.ListView) { none := dzd.Int(0); v.Available = &none; v.Reckon() })},
		{"list_card_all_problems", card(allProblems)},
		{"list_card_hostile", card(hostileList)},
		{"list_card_fifty", card(fiftyLines)},
		{"list_asked", card(func(v *screen.ListView) { v.Phase, v.ExpiresAt = store.ListAsked, noon().Add(time.Hour) })},
		{"list_expired", dropped("expired")},
		{"list_ask_expired", card(func(v *screen.ListView) { v.Phase, v.Why, v.Ask = store.ListDropped, "expired", &store.Ask{} })},
		{"list_cancelled", dropped("cancelled")},
		{"list_refused", dropped("refused")},
		{"list_removed", dropped("removed")},
		{"list_buying", card(func(v *screen.ListView) { boughtLines(v); v.Phase, v.Lines[4].Purchase = store.ListBuying, "" })},
		{"list_behind", card(func(v *screen.ListView) {
			boughtLines(v)
			v.Phase, v.Lines[4].Purchase = store.ListBuying, ""
			first := bought(store.Unknown, 1)
			first.DecideBy = noon().Add(10 * time.Minute)
			v.Behind = &first
		})},
		{"list_no_answer", card(func(v *screen.ListView) {
			boughtLines(v)
			v.Phase = store.ListBuying
			b := v.Bought[v.Lines[4].Purchase]
			b.Phase, b.Reason, b.Orders, b.TurnBy = store.Queued, store.ReasonOutage, nil, noon().Add(2*time.Minute)
			v.Bought[v.Lines[4].Purchase], v.Lines[4].Done = b, false
		})},
		{"list_stopping", card(func(v *screen.ListView) { boughtLines(v); v.Phase, v.Why = store.ListBuying, "stopped" })},
		{"list_ended", card(func(v *screen.ListView) { boughtLines(v); v.Phase = store.ListEnded })},
		{"list_ended_group", p.As(screen.ForShop).Lists().Card(ended)},
		{"list_ended_approved", card(func(v *screen.ListView) {
			boughtLines(v)
			v.Phase, v.Ask = store.ListEnded, &store.Ask{By: 7, Name: "Amina", Granted: true, Done: noon()}
		})},
		{"list_ended_left", card(leftLines)},
		{"list_ended_key", card(func(v *screen.ListView) { leftLines(v); v.Why, v.Lines = "unauthorized", v.Lines[9:10] })},
		{"list_ended_restored", card(func(v *screen.ListView) { boughtLines(v); v.Phase, v.Why = store.ListEnded, store.Restored })},
		{"list_restored", card(func(v *screen.ListView) { v.Phase, v.Why = store.ListDropped, store.Restored })},
		{"list_left_behind", p.Lists().Left(listView())},
		{"list_request", p.Lists().Request(askedList(func(*screen.ListView) {}))},
		{"list_request_granted", p.Lists().Request(askedList(func(v *screen.ListView) {
			boughtLines(v)
			v.Phase, v.Ask = store.ListEnded, &store.Ask{By: 7, Name: "Amina", Granted: true, Done: noon()}
		}))},
		{"list_held", p.Lists().Held("L1", 1, noon(), time.Time{})}, {"list_held_more", p.Lists().Held("L1", 7, time.Time{}, noon())},
		{"list_ping", p.Lists().Ping(func() screen.ListView {
			v := listView()
			boughtLines(&v)
			v.Lines = v.Lines[:2]
			return v
		}())},
		{"list_ping_partly", p.Lists().Ping(func() screen.ListView { v := listView(); boughtLines(&v); return v }())},
		{"list_file", p.Lists().File(func() screen.ListView { v := listView(); boughtLines(&v); return v }())},
		{"list_file_again", p.Lists().File(func() screen.ListView {
			v := listView()
			boughtLines(&v)
			b := v.Bought[v.Lines[4].Purchase]
			b.Told.MaybeSent = true
			v.Bought[v.Lines[4].Purchase] = b
			return v
		}())},
		{"list_file_rest", p.Lists().File(func() screen.ListView {
			v := listView()
			boughtLines(&v)
			v.Brings[v.Lines[4].Purchase] = store.Units{2}
			return v
		}())},
		{"list_file_before", p.Lists().File(func() screen.ListView { v := listView(); boughtLines(&v); v.Brings = nil; return v }())},
		{"list_file_many_rest", p.Lists().File(func() screen.ListView {
			v := listView()
			boughtLines(&v)
			manyCodes(&v)
			v.Brings[v.Lines[4].Purchase] = v.Brings[v.Lines[4].Purchase][3:]
			return v
		}())},
		{"list_codes_long", p.Lists().File(func() screen.ListView { v := listView(); boughtLines(&v); longCodes(&v); return v }())},
		{"list_file_many", p.Lists().File(func() screen.ListView { v := listView(); boughtLines(&v); manyCodes(&v); return v }())},
		{"list_too_many", p.Lists().TooMany(5000, 50)},
		{"list_no_text", p.Lists().NoText()},
		{"list_too_big", p.Lists().TooBig()},
		{"list_not_fetched", p.Lists().NotFetched()},
		{"list_nothing", p.Lists().Nothing()},
	}
}

// listView is a list of top-ups and cards, with everything that a card marks.
func listView() screen.ListView {
	topup := func(n int, who, called string) store.ListLine {
		return store.ListLine{
			Number: n, Text: "pubg 60 " + who, ProductID: 1, VariantID: 11, Product: "PUBG Mobile", Variant: "60 UC", Topup: true, Quantity: 1, Price: dzd.Int(210), Total: dzd.Int(210),
			Inputs: []store.Answer{{Index: "1", Label: "Player ID", Value: who}}, Player: &store.Player{ID: who, Name: called, Status: store.PlayerValid},
		}
	}
	double, unknown, other := topup(3, "51234567", "Lina★"), topup(4, "59999999", ""), topup(8, "58888888", "Omar")
	double.Mark, double.First = store.MarkDouble, 1
	unknown.Mark, unknown.Player.Status = store.MarkUnknown, store.PlayerUnknown
	other.Mark, other.Player.Was = store.MarkUnknown, &store.Player{Name: "Karim"}
	available := dzd.Int(12340)
	return screen.ListView{List: store.List{
		ID: "01JD0W5Y7ZB3K9Q2M4N6NP7QR0", Account: "u42", User: 501, Buyer: "Sam", Phase: store.ListShown, Nonce: "nonce", Available: &available,
		CheckedBy: noon().Add(75 * time.Second), CreatedAt: noon(), ExpiresAt: noon().Add(10 * time.Minute),
		Lines: []store.ListLine{
			topup(1, "51234567", "Lina★"), topup(2, "51234568", "أمين"), double, unknown,
			{Number: 5, Text: "carte 5 x3", ProductID: 2, VariantID: 21, Product: "بطاقة الألعاب", Variant: "5 USD", Quantity: 3, Price: dzd.Must("1250.50"), Total: dzd.Must("3751.50")},
			{Number: 7, Text: "pubg 6o", Problem: store.ProblemUnread}, other,
		},
	}}
}

// askedList is a list for which an owner is asked.
func askedList(change func(*screen.ListView)) screen.ListView {
	v := listView()
	v.Phase, v.Ask, v.ExpiresAt = store.ListAsked, &store.Ask{Nonce: "nonce"}, noon().Add(30*time.Minute)
	change(&v)
	return v
}

// allProblems gives a list a line with each reason for which one is not bought.
func allProblems(v *screen.ListView) {
	nobody := v.Lines[0]
	v.Lines = nil
	for i, problem := range []string{store.ProblemUnread, store.ProblemUnclear, store.ProblemWhom, store.ProblemStranger, store.ProblemFormula, store.ProblemInput, store.ProblemSoldOut, store.ProblemTooMany, store.ProblemNobody, store.ProblemUnasked, store.ProblemOpen} {
		line := nobody
		line.Number, line.Problem = i+1, problem
		if i < 5 {
			line.Quantity, line.Inputs, line.Player = 0, nil, nil
		}
		v.Lines = append(v.Lines, line)
	}
	repeated, unchecked := nobody, nobody
	repeated.Number, repeated.Mark = 12, store.MarkRepeat
	unchecked.Number, unchecked.Player = 13, &store.Player{ID: "51234567", Status: store.PlayerUnchecked}
	theirs := nobody
	theirs.Number, theirs.Inputs, theirs.Player, theirs.For, theirs.Text = 14, nil, nil, "01JD6Q9ZW0ABCDEFGHJKMNP7QS", "pc5 ali ben"
	v.Lines = append(v.Lines, repeated, unchecked, theirs)
}

// hostileList is a list whose every word is an attack, with more items than are summed up.
func hostileList(v *screen.ListView) {
	v.Lines = nil
	for i := range 50 {
		line := store.ListLine{
			Number: i + 1, Text: hostile(), Product: hostile() + strconv.Itoa(i), Variant: hostile(), Quantity: 500, Price: dzd.Must("99999.99"), Total: dzd.Must("49999995"),
			Inputs: []store.Answer{{Index: "1", Value: hostile()}, {Index: "2", Value: hostile()}}, Player: &store.Player{ID: hostile(), Name: hostile(), Status: store.PlayerValid},
		}
		if i%2 == 1 {
			line = store.ListLine{Number: i + 1, Text: hostile(), Problem: store.ProblemUnread}
		}
		v.Lines = append(v.Lines, line)
	}
	v.Available = nil
}

// fiftyLines is the longest list, of one item.
func fiftyLines(v *screen.ListView) {
	first := v.Lines[0]
	v.Lines = nil
	for i := range 50 {
		line := first
		line.Number = i + 1
		line.Inputs = []store.Answer{{Index: "1", Label: "Player ID", Value: strconv.Itoa(51234567 + i)}}
		v.Lines = append(v.Lines, line)
	}
}

// boughtLines makes purchases of what a list buys: one that came, one on its way, one with codes, of each other end one.
func boughtLines(v *screen.ListView) {
	v.Marked = true
	v.Bought = map[string]screen.Bought{}
	for i := range v.Lines {
		line := &v.Lines[i]
		if line.Problem != "" {
			continue
		}
		line.Purchase = fmt.Sprintf("01JD0W5Y7ZB3K9Q2M4N6NP7QA%d", i)
		p := store.Purchase{
			ID: line.Purchase, Phase: store.Settled, Product: line.Product, Variant: line.Variant, Topup: line.Topup, Quantity: line.Quantity, Inputs: line.Inputs, Player: line.Player,
			Price: line.Price, Total: line.Total, OrderIDs: []string{"9"}, QueuedAt: noon(),
		}
		orders := []store.Order{{ID: "9", State: store.Completed}}
		line.Done = true
		switch i {
		case 1:
			p.Phase, orders[0].State, line.Done = store.Accepted, store.Waiting, false
		case 2:
			p.Phase, orders = store.Undecided, nil
		case 3:
			now := dzd.Int(250)
			p.Phase, p.Reason, p.NewPrice, orders = store.Dropped, "price_changed", &now, nil
		case 4:
			orders = []store.Order{{ID: "9", State: store.Ready, Unit: 1, Code: secret.New("AAAA-1111"), Serial: secret.New("S1")}, {ID: "10", Unit: 2, State: store.Ready, Code: secret.New("BBBB-2222")}}
		case 6:
			orders[0].State, orders[0].Refund = store.Failed, store.RefundSeen
		}
		v.Bought[line.Purchase] = screen.Bought{Purchase: p, Orders: orders}
	}
	bringAll(v)
}

// bringAll has a file bring all codes of a list.
func bringAll(v *screen.ListView) {
	v.Brings = map[string]store.Units{}
	for id, b := range v.Bought {
		v.Brings[id] = store.UnitsOf(store.Coded(b.Orders))
	}
}

// longCodes gives a list ten codes that do not fit beside a file.
func longCodes(v *screen.ListView) {
	b := v.Bought[v.Lines[4].Purchase]
	b.Orders = nil
	for i := range 10 {
		b.Orders = append(b.Orders, store.Order{ID: strconv.Itoa(i), Unit: i + 1, State: store.Ready, Code: secret.New(strings.Repeat("X", 110) + strconv.Itoa(i))})
	}
	v.Bought[v.Lines[4].Purchase] = b
	bringAll(v)
}

// manyCodes gives a list one code more than a message shows.
func manyCodes(v *screen.ListView) {
	longCodes(v)
	b := v.Bought[v.Lines[4].Purchase]
	b.Orders = append(b.Orders, store.Order{ID: "11", Unit: 11, State: store.Ready, Code: secret.New("LAST")})
	v.Bought[v.Lines[4].Purchase] = b
	bringAll(v)
}

// leftLines is a list of which each line was not sent, or not made, for another reason.
func leftLines(v *screen.ListView) {
	first := v.Lines[0]
	v.Lines, v.Phase, v.Why, v.Bought = nil, store.ListEnded, "locked", map[string]screen.Bought{}
	for i, why := range []string{"stopped", "waited", "locked", "repeat", "price_changed", "renamed", "out_of_stock", "funds", "upstream", "unauthorized", "unlinked", "removed", "frozen"} {
		line := first
		line.Number, line.Left = i+1, why
		v.Lines = append(v.Lines, line)
	}
	gone := first
	gone.Number, gone.Purchase, gone.Done = 14, "01JD0W5Y7ZB3K9Q2M4N6NP7QB0", true
	v.Lines = append(v.Lines, gone)
	v.Bought[gone.Purchase] = screen.Bought{Purchase: store.Purchase{ID: gone.Purchase, Phase: store.NotCreated}}
	refused := first
	refused.Number, refused.Purchase, refused.Done = 15, "01JD0W5Y7ZB3K9Q2M4N6NP7QB1", true
	v.Lines = append(v.Lines, refused)
	v.Bought[refused.Purchase] = screen.Bought{Purchase: store.Purchase{ID: refused.Purchase, Phase: store.Rejected, Refused: true, Reason: "invalid"}}
}

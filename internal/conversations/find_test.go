package conversations_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"resellerbot/internal/api/sim"
	"resellerbot/internal/app/apptest"
	"resellerbot/internal/sampletest"
	"resellerbot/internal/sandbox/tgsim"
	"resellerbot/internal/store"
)

// boughtTwice has Karim buy a card and Sam two, a day apart, and returns the codes of the orders.
func boughtTwice(h *apptest.Harness) (codes []string) {
	h.T.Helper()
	h.Order(apptest.Karim, "Play Card", "10 USD", "1")
	h.Tap(apptest.Karim, "✅")
	h.SeeAny(apptest.Karim, "Delivered")
	h.Pass(time.Hour)
	h.Sleep(24 * time.Hour)
	h.Order(apptest.Sam, "Play Card", "25 USD", "2")
	h.Tap(apptest.Sam, "✅")
	h.SeeAny(apptest.Sam, "Delivered")
	for _, o := range h.Service.Orders() {
		codes = append(codes, o.Code)
	}
	return codes
}

// listed is the rows of the newest list of purchases that Sam was shown.
func listed(h *apptest.Harness) []tgsim.Button {
	return buttons(h.See(apptest.Sam, "rders"), "🎉")
}

// TestOrdersAreFound: a reference, an order number, a player, the end of a code, a name or an item finds a purchase,
// behind /orders and as a text, for those who may see it and nobody else.
func TestOrdersAreFound(t *testing.T) {
	t.Parallel()
	sampletest.Slow(t)
	inTeam(t, func(h *apptest.Harness) {
		codes := boughtTwice(h)
		number := h.Service.Orders()[0].ID
		var ref string
		h.InStore(func(s *store.Store) {
			list, err := s.ChatPurchases(t.Context(), apptest.Karim, "", 1)
			if err != nil || len(list) != 1 {
				t.Fatal(list, err)
			}
			ref = store.Ref(list[0].ID)
		})
		for _, words := range []string{"#" + ref, ref, strings.ToLower(ref), number, codes[0], codes[0][len(codes[0])-4:], "karim", "play 10"} {
			h.Say(apptest.Sam, "/orders "+words)
			if got := listed(h); len(got) != 1 {
				t.Errorf("%q finds %d purchases: %s", words, len(got), h.See(apptest.Sam, "").Text)
			}
		}
		for _, words := range []string{"#" + ref, number} {
			h.Say(apptest.Sam, words)
			h.See(apptest.Sam, "Order #"+ref) // a text that finds one opens it
		}
		h.Say(apptest.Sam, "/orders "+number)
		if text := apptest.Plain(h.See(apptest.Sam, "Orders with").Text); !strings.Contains(text, "🛒 Karim") {
			t.Errorf("who has bought it is missing in: %s", text)
		}
		h.Tap(apptest.Sam, "🎉")
		h.See(apptest.Sam, "#"+ref)
		h.Tap(apptest.Sam, "📦 Orders")
		h.See(apptest.Sam, "Your orders")
		for _, words := range []string{codes[1], "#" + ref + "x", "nothing of the kind"} {
			h.Say(apptest.Karim, "/orders "+words)
			h.See(apptest.Karim, "No order with")
		}
		h.Say(apptest.Lila, number)
		h.See(apptest.Lila, "Order #"+ref)
		h.Tap(apptest.Lila, "Show me")
		for _, m := range h.Telegram.Messages(apptest.Lila) {
			if m.FromBot && len(buttons(m, "Buy")) > 0 {
				t.Errorf("the counter is offered to buy: %s", m.Text)
			}
		}
		h.See(apptest.Lila, codes[0])
		h.Say(apptest.Eve, "/orders "+number)
		h.See(apptest.Eve, "No order with")
	})
}

// TestOrdersAreFiltered: today's, those that wait, and those with a problem, page by page.
func TestOrdersAreFiltered(t *testing.T) {
	t.Parallel()
	sampletest.Slow(t)
	inTeam(t, func(h *apptest.Harness) {
		boughtTwice(h)
		h.Say(apptest.Sam, "/orders")
		h.Tap(apptest.Sam, "team's orders")
		text := apptest.Plain(h.See(apptest.Sam, "The team's orders").Text)
		for _, want := range []string{"Play Card · 25 USD × 2 · DZD 6,200", "Play Card · 10 USD × 1 · DZD", "🛒 Karim", "🛒 Sam", "01/01 01:0", "02/01 02:0"} {
			if !strings.Contains(text, want) {
				t.Errorf("%q is missing in:\n%s", want, text)
			}
		}
		h.Tap(apptest.Sam, "Today")
		if got := listed(h); len(got) != 1 {
			t.Errorf("%d of today", len(got))
		}
		h.Tap(apptest.Sam, "Waiting")
		h.See(apptest.Sam, "No orders here")
		h.Tap(apptest.Sam, "Problems")
		h.See(apptest.Sam, "No problems")
		h.Tap(apptest.Sam, "• Problems")
		if got := listed(h); len(got) != 2 {
			t.Errorf("%d without a filter", len(got))
		}
	})
}

// TestNoPageBehindTheLast: a full page is followed by another one only where there is something to show on it: what was
// never confirmed is nobody's order.
func TestNoPageBehindTheLast(t *testing.T) {
	t.Parallel()
	sampletest.Slow(t)
	apptest.Run(t, apptest.Stock, func(h *apptest.Harness) {
		h.Link(apptest.Sam)
		h.Order(apptest.Sam, "Play Card", "10 USD", "1")
		h.Tap(apptest.Sam, "✖️")
		for range 8 {
			h.Order(apptest.Sam, "Play Card", "10 USD", "1")
			h.Tap(apptest.Sam, "✅")
			h.Pass(time.Minute) // one after another, within the service's limits
			h.Delivered(apptest.Sam)
		}
		h.Say(apptest.Sam, "/orders")
		list := h.See(apptest.Sam, "Your orders")
		if rows := buttons(list, "🎉"); len(rows) != 8 || len(buttons(list, "▶")) != 0 {
			t.Errorf("eight purchases are %d rows and a next page %v", len(rows), buttons(list, "▶"))
		}
		h.Buy(apptest.Sam, "Play Card", "10 USD", "1")
		h.Say(apptest.Sam, "/orders")
		h.Tap(apptest.Sam, "▶")
		if rows := listed(h); len(rows) != 1 {
			t.Errorf("nine purchases leave %d rows on the second page", len(rows))
		}
	})
}

// TestFailedPurchaseInTheList: what failed as a whole bears no sign of success, and says where its money is, in every
// language.
func TestFailedPurchaseInTheList(t *testing.T) {
	t.Parallel()
	for language, words := range sampletest.SomeNamed(3, map[string][2]string{
		"English": {"refund awaited", "the balance rose by"}, "Français": {"remboursement attendu", "le solde a augmenté de"}, "العربية": {"في انتظار المبلغ", "ارتفع الرصيد بمقدار"},
	}) {
		t.Run(language, func(t *testing.T) {
			t.Parallel()
			apptest.Run(t, apptest.Everything(sim.Options{Mode: sim.Legacy}), func(h *apptest.Harness) {
				h.LinkLegacy(apptest.Sam)
				buyByHand(h)
				h.Say(apptest.Sam, "/language")
				h.Tap(apptest.Sam, language)
				h.Must(h.Service.CancelOrder(h.Service.Orders()[0].ID, "supplier is out"))
				h.Pass(2 * time.Minute)
				h.Say(apptest.Sam, "/orders")
				m := h.See(apptest.Sam, "📦")
				if text := apptest.Plain(m.Text); strings.Contains(text, "🎉") || !strings.Contains(text, words[0]) && !strings.Contains(text, words[1]) {
					t.Errorf("the list says: %s", text)
				}
			})
		})
	}
}

// TestHistoryOfTheService: it is sorted by time and paged, its states are words, what the bot bought opens as
// the purchase, and the code of what was bought elsewhere is shown to an owner in private.
func TestHistoryOfTheService(t *testing.T) {
	t.Parallel()
	sampletest.Slow(t)
	apptest.Run(t, apptest.Everything(sim.Options{Mode: sim.Legacy}), func(h *apptest.Harness) {
		h.LinkLegacy(apptest.Sam)
		h.Order(apptest.Sam, "Play Card", "5 USD", "1")
		h.Tap(apptest.Sam, "✅")
		h.SeeAny(apptest.Sam, "Delivered")
		for range 9 {
			h.Pass(5 * time.Minute)
			if _, err := h.Service.Buy(apptest.LegacyTestKey, h.Service.Orders()[0].VariantID, 1, "elsewhere"); err != nil {
				t.Fatal(err)
			}
		}
		h.Say(apptest.Sam, "/orders")
		h.Tap(apptest.Sam, "Supplier history")
		text, bought := apptest.Plain(h.See(apptest.Sam, "delivered").Text), h.Service.Orders()[9]
		if !strings.Contains(text, fmt.Sprintf("1. #%d ", bought.Number)) || strings.Contains(text, "success") {
			t.Errorf("the history is\n%s", text)
		}
		h.Tap(apptest.Sam, "1")
		h.See(apptest.Sam, "It matches no purchase that this bot knows")
		if codes := h.Codes(apptest.Sam); codes[len(codes)-1] != bought.Code {
			t.Errorf("the codes are %v, want %s at last", codes, bought.Code)
		}
		h.Tap(apptest.Sam, "Back")
		h.Tap(apptest.Sam, "▶")
		h.Tap(apptest.Sam, "10")
		h.See(apptest.Sam, "Delivered again")
	})
}

// TestHistoryOpensOwnPurchases: an order that the history numbers in its own way opens as the purchase whose code it
// shows, and nothing that was bought here is said to come from elsewhere.
func TestHistoryOpensOwnPurchases(t *testing.T) {
	t.Parallel()
	apptest.Run(t, apptest.Everything(sim.Options{Mode: sim.Both}), func(h *apptest.Harness) {
		h.Link(apptest.Sam)
		h.Order(apptest.Sam, "Play Card", "5 USD", "2")
		h.Tap(apptest.Sam, "✅")
		h.SeeAny(apptest.Sam, "Delivered")
		h.SeeAny(apptest.Sam, "🔔") // else it is newer than what is asked for next
		h.Say(apptest.Sam, "/orders")
		h.Tap(apptest.Sam, "Supplier history")
		h.Tap(apptest.Sam, "2")
		h.See(apptest.Sam, "Delivered again")
	})
}

// TestTeamOrdersStandWhereTheyWereOrdered: what somebody has confirmed last stands first, also where its summary was made
// before those of others, on each page; what the owners were asked for is listed while they are.
func TestTeamOrdersStandWhereTheyWereOrdered(t *testing.T) {
	t.Parallel()
	sampletest.Slow(t)
	inTeam(t, func(h *apptest.Harness) {
		h.Service.SetBalance(apptest.TestKey, "900000")
		limit(h, "Per purchase", "1300")
		askFor(h, "2")
		h.Order(apptest.Karim, "Play Card", "10 USD", "1") // its summary stays open
		for range 9 {
			h.Order(apptest.Sam, "Play Card", "10 USD", "1")
			h.Tap(apptest.Sam, "✅")
			h.Pass(20 * time.Second)
		}
		h.Tap(apptest.Karim, "✅")
		h.Pass(10 * time.Second)
		h.Say(apptest.Sam, "/orders")
		h.Tap(apptest.Sam, "team's orders")
		first := apptest.Plain(h.See(apptest.Sam, "The team's orders").Text)
		if row, _, _ := strings.Cut(strings.SplitAfter(first, "\n\n")[1], "\n\n"); !strings.Contains(row, "1. ") || !strings.Contains(row, "Karim") {
			t.Errorf("what was ordered last is not the first:\n%s", first)
		}
		h.Tap(apptest.Sam, "Next")
		second := apptest.Plain(h.See(apptest.Sam, "The team's orders").Text)
		if strings.Count(first, "🛒 Karim") != 1 || !strings.Contains(second, "waits for approval") || strings.Count(second, "🛒 Sam") != 2 {
			t.Errorf("the pages are\n%s\nand\n%s", first, second)
		}
		h.Tap(apptest.Sam, "Previous")
		if back := apptest.Plain(h.See(apptest.Sam, "The team's orders").Text); back != first {
			t.Errorf("the page before is\n%s\nit was\n%s", back, first)
		}
		h.Tap(apptest.Sam, "Waiting")
		h.See(apptest.Sam, "waits for approval")
	})
}

// TestAwaitedRefundIsAProblem: money that has not come back is under the problems of the list, and no more once it has.
func TestAwaitedRefundIsAProblem(t *testing.T) {
	t.Parallel()
	sampletest.Slow(t)
	inTeam(t, func(h *apptest.Harness) {
		h.Service.HoldOrders(true)
		h.Order(apptest.Sam, "Play Card", "10 USD", "2")
		h.Tap(apptest.Sam, "✅")
		h.Pass(10 * time.Second)
		h.Service.SetWorld(sim.World{BalanceLag: 5 * time.Minute})
		h.Must(h.Service.Fail(h.Service.Orders()[0].ID, "no luck"))
		h.Pass(time.Minute)
		h.Say(apptest.Sam, "/orders")
		h.Tap(apptest.Sam, "Problems")
		h.See(apptest.Sam, "failed: 1 of 2")
		h.Must(h.Service.Fail(h.Service.Orders()[1].ID, "no luck"))
		h.Pass(time.Minute)
		h.Say(apptest.Sam, "/orders")
		h.Tap(apptest.Sam, "Problems")
		h.See(apptest.Sam, "refund awaited")
		for _, o := range h.Service.Orders() {
			h.Must(h.Service.Refund(o.ID))
		}
		h.Pass(time.Hour)
		h.Say(apptest.Sam, "/orders")
		h.See(apptest.Sam, "the balance rose by ")
		h.Tap(apptest.Sam, "Problems")
		h.See(apptest.Sam, "No problems")
	})
}

package conversations_test

import (
	"strings"
	"testing"
	"time"

	"resellerbot/internal/app/apptest"
)

// costs are what things have cost in the shop of these tests, as it stands in a chat.
func costs() []string { return []string{"1,250.50", "2,501"} }

// seesCost tells which cost a counter was shown from one of their messages on.
func seesCost(h *apptest.Harness, from int) (what []string) {
	h.T.Helper()
	h.Pass(3 * time.Second)
	for _, m := range h.Telegram.Messages(apptest.Lila)[from:] {
		shown := []string{plainly(m.Text)}
		for _, b := range buttons(m, "") {
			if b.Copy != nil {
				shown = append(shown, b.Copy.Text)
			}
		}
		for _, cost := range costs() {
			if text := strings.Join(shown, "\n"); m.FromBot && strings.Contains(text, cost) {
				what = append(what, text)
			}
		}
	}
	return what
}

// TestCounterSeesNoCost: whatever a counter of a shop with prices presses and types, and whatever they are told unasked, what
// anything has cost is not in it; until an owner allows it. A shop without prices has nothing to hide.
func TestCounterSeesNoCost(t *testing.T) {
	t.Parallel()
	everythingNamed(t, func(w *rightsWorld) {
		if len(seesCost(w.Harness, 0)) == 0 {
			t.Error("a shop without prices hides what an order has cost")
		}
		setPrices(w.Harness)
		from := 0
		for _, set := range []string{"Show the profit", "Hide the profit"} {
			w.Tap(apptest.Sam, "Settings")
			w.Tap(apptest.Sam, set)
			w.Pass(time.Second)
			from = len(w.Telegram.Messages(apptest.Lila))
			w.Say(apptest.Lila, "/orders")
			if shown := seesCost(w.Harness, from); (len(shown) > 0) != strings.HasPrefix(set, "Show") {
				t.Errorf("after %q the counter sees %q", set, shown)
			}
			w.Say(apptest.Sam, "/prices")
		}
		buy(w.Harness, apptest.Karim)
		w.Order(apptest.Karim, "Play Card", "10 USD", "1")
		w.Tap(apptest.Karim, "✅")
		w.Pass(time.Second)
		orders := w.Service.Orders()
		w.Must(w.Service.Fail(orders[len(orders)-1].ID, "no luck")) // its copy tells what became of it
		w.Pass(2 * time.Minute)
		counter := pressers()[2]
		w.everyCommand(counter, counter.id, true)
		all := mayPress()
		for _, verb := range pressedInOrder() {
			if !strings.Contains(all[verb].private, counter.letter) {
				continue
			}
			w.tap(counter, counter.id, verb, false)
			for _, shown := range seesCost(w.Harness, from) { // at once: the next screen may take its place
				t.Errorf("by %q the counter is shown\n%s", verb, shown)
			}
		}
	})
}

// TestGroupShowsCountersNoCost: where a counter is in the team of a shop with its own prices, deliveries in the group leave out what was
// paid, as in the counter's own chat; the seller's chat has it.
func TestGroupShowsCountersNoCost(t *testing.T) {
	t.Parallel()
	inShop(t, func(h *apptest.Harness) {
		setPrices(h)
		buy(h, apptest.Karim)
		h.Pass(5 * time.Second)
		group := apptest.Plain(h.Texts(shop))
		if !strings.Contains(group, "Play Card") || strings.Contains(group, "1,250.50") {
			t.Errorf("the group reads:\n%s", group)
		}
		if !strings.Contains(apptest.Plain(h.Texts(apptest.Karim)), "1,250.50") {
			t.Error("the seller does not see what was paid")
		}
	})
}

package conversations_test

import (
	"strings"
	"testing"
	"time"

	"resellerbot/internal/app/apptest"
	"resellerbot/internal/ledger"
	"resellerbot/internal/sampletest"
)

// TestBadNamesOfCustomers: who buys on credit has a name that can be read: one of nothing, of signs that cannot be seen, or of 300
// characters is no customer's. What turns text around and markup are letters like others, and nothing is sold meanwhile.
func TestBadNamesOfCustomers(t *testing.T) {
	t.Parallel()
	inPricedShop(t, func(h *apptest.Harness) {
		buy(h, apptest.Sam)
		for _, name := range []string{strings.Repeat("ق", 300), "\u202e\u2066\u200f", "\u200b"} {
			h.Tap(apptest.Sam, "📒 Kridi")
			h.Say(apptest.Sam, name)
			if m := h.See(apptest.Sam, "A name is one readable line"); len(buttons(m, "➕")) > 0 {
				t.Errorf("%q is offered as a name", name)
			}
			h.Say(apptest.Sam, "/cancel")
		}
		h.Tap(apptest.Sam, "📒 Kridi")
		h.Say(apptest.Sam, "/ ")
		h.Say(apptest.Sam, "/cancel")
		holds(h, map[ledger.Account]ledger.Money{"sales": 0})
		h.Say(apptest.Sam, "/kridi")
		shows(h, "Nobody owes")
		h.Tap(apptest.Sam, "📒 Kridi")
		h.Say(apptest.Sam, "\u202e<b>Ali</b> & <script>")
		h.Tap(apptest.Sam, "➕")
		h.See(apptest.Sam, "Debt: DZD 0 → DZD 1,380")
		m := h.SeeLast(apptest.Sam, "Debt")
		if strings.Contains(m.Text, "\u202e") || !strings.Contains(m.Text, "<b>Ali</b>") {
			t.Errorf("the name is shown as\n%q", m.Text)
		}
		h.Answered()
	})
}

// TestOddLimit: a limit of credit that may be in centimes, or has a zero too few, is asked back with the amounts that may be meant; what
// is tapped is set, and zero ends it.
func TestOddLimit(t *testing.T) {
	t.Parallel()
	inPricedShop(t, func(h *apptest.Harness) {
		buy(h, apptest.Sam)
		h.Tap(apptest.Sam, "📒 Kridi")
		h.Say(apptest.Sam, "Ali")
		h.Tap(apptest.Sam, "➕")
		h.See(apptest.Sam, "Debt: DZD 0 → DZD 1,380")
		for _, c := range []struct{ typed, asked, tap string }{
			{"500000", "DZD\u00a05,000", "DZD\u00a05,000"}, // none was set, and nobody owes as much
			{"50", "DZD\u00a05,000", "DZD\u00a05,000"}, {"500000", "DZD\u00a0500,000", "DZD\u00a0500,000"},
		} {
			h.Say(apptest.Sam, "/kridi Ali")
			h.Tap(apptest.Sam, "Limit")
			h.Say(apptest.Sam, c.typed)
			m := h.See(apptest.Sam, "This is an unusual amount")
			if len(buttons(m, apptest.Plain(c.asked))) != 1 {
				t.Errorf("%s is asked back with %v", c.typed, m.Keyboard)
			}
			h.Tap(apptest.Sam, c.tap)
			h.See(apptest.Sam, "Limit: "+apptest.Plain(c.tap))
		}
		h.Say(apptest.Sam, "/kridi Ali")
		h.Tap(apptest.Sam, "Limit")
		h.Say(apptest.Sam, "0")
		if m := h.See(apptest.Sam, "Owes DZD 1,380"); strings.Contains(m.Text, "Limit:") {
			t.Errorf("there is a limit still:\n%s", m.Text)
		}
	})
}

// TestTenYears: a report of ten years is told like any other; as a file it is refused, with what can be had.
func TestTenYears(t *testing.T) {
	t.Parallel()
	inPricedShop(t, func(h *apptest.Harness) {
		buy(h, apptest.Sam)
		h.Tap(apptest.Sam, "💵")
		h.Say(apptest.Sam, "/report 1/1/1990 31/12/1999")
		shows(h, "Sold: DZD 1,380")
		before := len(files(h, apptest.Sam))
		for _, button := range []string{"Excel", "CSV"} {
			h.Tap(apptest.Sam, button)
			h.Pass(3 * time.Second)
		}
		if n := len(files(h, apptest.Sam)); n != before {
			t.Errorf("%d files of ten years", n-before)
		}
		told := 0
		for _, c := range h.Telegram.Callbacks() {
			if strings.Contains(c.Text, "Too long for a file") {
				told++
			}
		}
		if told != 2 {
			t.Errorf("it was told %d times, want 2", told)
		}
		h.Answered()
	})
}

// TestADayOf25Hours: on the night on which clocks go back, an hour comes twice. What is sold in both of them is of one day, which
// is sealed once; another zone from then on changes no day that was.
func TestADayOf25Hours(t *testing.T) {
	sampletest.Slow(t)
	t.Parallel()
	apptest.Run(t, func(h *apptest.Harness) {
		apptest.Stock(h)
		h.Env["TIMEZONE"] = "Europe/Paris"
	}, func(h *apptest.Harness) {
		h.Link(apptest.Sam)
		setPrices(h)
		h.Sleep(time.Until(time.Date(2000, 10, 29, 0, 10, 0, 0, time.UTC))) // ten past two in Paris, which comes again an hour later
		for range 2 {
			buy(h, apptest.Sam)
			h.Tap(apptest.Sam, "💵 \u2068DZD\u00a01,380")
			h.Pass(time.Hour)
		}
		h.Say(apptest.Sam, "/today")
		shows(h, "Sold: DZD 2,760 · units: 2")
		h.Stop()
		h.Env["TIMEZONE"] = "Asia/Tokyo" // where the next day has begun
		h.Start()
		buy(h, apptest.Sam)
		h.Tap(apptest.Sam, "💵 \u2068DZD\u00a01,380")
		h.Say(apptest.Sam, "/today")
		shows(h, "Sold: DZD 4,140 · units: 3")
		h.Overnight(26 * time.Hour)
		rec := dayRecord(h, "2000-10-28")
		if rec.Flows.Sold() != 4140*ledger.Dinar {
			t.Errorf("the night of 25 hours was sealed with %s", rec.Flows.Sold())
		}
		holds(h, map[ledger.Account]ledger.Money{"sales": -4140 * ledger.Dinar, samsTill: 4140 * ledger.Dinar})
	})
}

package screen_test

import (
	"testing"

	"resellerbot/internal/ledger"
	"resellerbot/internal/screen"
)

// TestChartRounds: a bar says what a day has brought in whole dinars, rounded as people do, with the sign of all other texts.
func TestChartRounds(t *testing.T) {
	en, _ := printers(t).For("en")
	for profit, want := range map[ledger.Money]string{
		12950 * ledger.Centime: "130", -73250 * ledger.Centime: "−733", -40 * ledger.Centime: "0", 12949 * ledger.Centime: "129", 0: "0",
	} {
		flows := ledger.Flows{Accounts: map[ledger.Account]ledger.Sums{ledger.Sales: {Credits: max(profit, 0), Debits: max(-profit, 0)}}}
		v := screen.ReportView{}
		v.From, v.To = "2025-11-21", "2025-11-21"
		c := en.Reports().Chart(v, []screen.DayFlow{{Day: "2025-11-21", Flows: flows}})
		if len(c.Bars) != 1 || c.Bars[0].Value != want || c.Under != "21 Nov 2025" {
			t.Errorf("%s is drawn as %+v under %q, want %s", profit, c.Bars, c.Under, want)
		}
	}
}

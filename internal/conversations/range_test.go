package conversations

import (
	"testing"

	"resellerbot/internal/ledger"
)

// TestReadRange: days are read as people write them, in any digits and order; what is none is asked for again.
func TestReadRange(t *testing.T) {
	t.Parallel()
	for text, want := range map[string][2]ledger.Day{
		"1/11 15/11":            {"2026-11-01", "2026-11-15"},
		"15/11 1/11":            {"2026-11-01", "2026-11-15"},
		"١/١١ ١٥/١١":            {"2026-11-01", "2026-11-15"},
		"2026-11-03":            {"2026-11-03", "2026-11-03"},
		"3.11.2026":             {"2026-11-03", "2026-11-03"},
		"24/12":                 {"2025-12-24", "2025-12-24"},
		"1/1/2016 – 22/11/2026": {"2016-01-01", "2026-11-22"},
		"du 1/11 au 5/11":       {"2026-11-01", "2026-11-05"},
		"99/99":                 {},
		"1/11 2/11 3/11":        {},
		"23/11/2026":            {},
		"yesterday":             {},
		"1/11 35":               {},
	} {
		r, ok := readRange(text, "2026-11-22")
		if got := [2]ledger.Day{r.From, r.To}; ok != (want[0] != "") || ok && got != want {
			t.Errorf("%q is %v, %v, want %v", text, got, ok, want)
		}
	}
}

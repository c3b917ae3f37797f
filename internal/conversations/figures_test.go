package conversations_test

import (
	"math/rand/v2"
	"testing"
	"time"

	"resellerbot/internal/api/dzd"
	"resellerbot/internal/app/apptest"
	"resellerbot/internal/figures"
	"resellerbot/internal/screen"
)

// TestAmountsAreReadAsWritten: an amount with one mark of thousands is shown back before it counts, in every
// language; one that can be read in one way alone counts at once.
func TestAmountsAreReadAsWritten(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ language, low, typed, asked, yes, set string }{
		{"English", "Low balance", "25,000", "Do you mean DZD 25,000?", "25,000", "DZD 25,000"},
		{"Français", "Solde bas", "25.000", "Voulez-vous dire 25 000 DA", "25\u202f000", "25 000 DA"},
		{"العربية", "رصيد منخفض", "٢٥٫٠٠٠", "هل تقصد 25 000 د.ج؟", "25\u202f000", "25 000 د.ج"},
	} {
		t.Run(c.language, func(t *testing.T) {
			t.Parallel()
			apptest.Run(t, apptest.Stock, func(h *apptest.Harness) {
				h.Link(apptest.Sam)
				h.Say(apptest.Sam, "/language")
				h.Tap(apptest.Sam, c.language)
				h.Say(apptest.Sam, "/alerts")
				h.Tap(apptest.Sam, c.low)
				h.Say(apptest.Sam, c.typed)
				h.See(apptest.Sam, c.asked)
				h.Say(apptest.Sam, c.typed)
				h.See(apptest.Sam, c.asked)
				h.Tap(apptest.Sam, c.yes)
				h.See(apptest.Sam, c.set)
				h.Tap(apptest.Sam, c.low)
				h.Say(apptest.Sam, "١٬٢٥٠٫٥")
				h.See(apptest.Sam, "250")
				if text := h.Transcript(apptest.Sam); h.Has(apptest.Sam, "1250.5") {
					t.Errorf("an amount is shown as no language writes it:\n%s", text)
				}
			})
		})
	}
}

// TestLimitIsReadAsWritten: so is what a seller may spend.
func TestLimitIsReadAsWritten(t *testing.T) {
	t.Parallel()
	inTeam(t, func(h *apptest.Harness) {
		limit(h, "Per purchase", "1.500")
		h.See(apptest.Sam, "Do you mean DZD 1,500?")
		h.Tap(apptest.Sam, "1,500")
		h.See(apptest.Sam, "DZD 1,500")
		limit(h, "Per day", "12 34")
		h.See(apptest.Sam, "Send an amount")
	})
}

// TestPrintedAmountsAreRead: every amount that the bot prints, to the centime, is read back as itself, in each
// language. A finer one is read as itself, or asked about.
func TestPrintedAmountsAreRead(t *testing.T) {
	t.Parallel()
	printers, err := screen.Load(time.UTC)
	if err != nil {
		t.Fatal(err)
	}
	random := rand.New(rand.NewPCG(7, 7))
	for range 5_000 {
		amount := dzd.Must(dzd.Int(random.Int64N(1_000_000_000_000)>>random.IntN(40)).String() + []string{"", ".5", ".05", ".99", ".505", ".1234"}[random.IntN(6)])
		_, fraction, _ := amount.Decimals()
		for _, language := range []string{"ar", "fr", "en"} {
			p, _ := printers.For(language)
			printed := p.Amount(amount)
			read, sure, err := figures.Amount(printed)
			if err != nil || !read.Equal(amount) && (sure || len(fraction) <= 2) {
				t.Fatalf("%s: %q is read as %v, sure %t, %v", language, printed, read, sure, err)
			}
		}
	}
}

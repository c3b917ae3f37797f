package figures_test

import (
	"errors"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"resellerbot/internal/api/dzd"
	"resellerbot/internal/figures"
)

// TestAmount: amounts are read as they are written, and what can be read in two ways is said to be so.
func TestAmount(t *testing.T) {
	for text, want := range map[string]string{
		"0": "0", "25": "25", "25000": "25000", " 25 000 ": "25000", "25\u00a0000": "25000", "25\u202f000 DA": "25000", "25٬000": "25000",
		"٢٥٬٠٠٠": "25000", "٢٥٬٠٠٠ د.ج": "25000", "۲۵ ۰۰۰": "25000", "1,250,000": "1250000", "1.250.000 DZD": "1250000", "1'250": "1250",
		"1,5": "1.5", "12.50": "12.5", "25,00": "25", "1 250,50 DA": "1250.5", "1,250.50": "1250.5", "1.250,50": "1250.5", "١٬٢٥٠٫٥": "1250.5",
		"DZD 1,250.50": "1250.5", "1,250.505": "1250.505", "1250.505": "1250.505", "1250.5055": "1250.5055", "0.505": "0.505", "da 300": "300",
		"\u2068DZD\u00a01,250.50\u2069": "1250.5", "2️⃣5": "25", "300 دينار": "300", "007": "7",
	} {
		if got, sure, err := figures.Amount(text); err != nil || !sure || got.String() != want {
			t.Errorf("%q is read as %v, %t, %v; want %s", text, got, sure, err, want)
		}
	}
	for text, want := range map[string]string{"25,000": "25000", "1.500": "1500", "٢٥٫٠٠٠": "25000", "1،500": "1500", "250,505 DA": "250505"} {
		if got, sure, err := figures.Amount(text); err != nil || sure || got.String() != want {
			t.Errorf("%q is read as %v, %t, %v; want %s, to be asked", text, got, sure, err, want)
		}
	}
	for _, text := range []string{
		"", " ", "DA", "-5", "−5", "+5", "1e3", "12 34", "1,23,456", "1,234,56", "1 234 5", "1..5", ".5", "5.", ",", "five", "0x10", "1.23456", "½", "٢٥x", "1,234.567.890",
		"25 000 euros", "1\n000",
	} {
		if got, _, err := figures.Amount(text); !errors.Is(err, figures.ErrNotAFigure) {
			t.Errorf("%q is read as %v, %v", text, got, err)
		}
	}
	if _, _, err := figures.Amount("1 000 000 000 000"); !errors.Is(err, dzd.ErrRange) {
		t.Errorf("a trillion: %v", err)
	}
}

// TestCount: what is counted is whole.
func TestCount(t *testing.T) {
	for text, want := range map[string]int{"5": 5, " ٥ ": 5, "5 000": 5000, "5,000": 5000, "5.000": 5000, "0": 0, strings.Repeat("9", 40): math.MaxInt, "1️⃣": 1} {
		if got, err := figures.Count(text); err != nil || got != want {
			t.Errorf("%q is read as %d, %v; want %d", text, got, err, want)
		}
	}
	for _, text := range []string{"", "1.5", "1,50", "-1", "5 DA", "x2", "2x", "1 2"} {
		if got, err := figures.Count(text); !errors.Is(err, figures.ErrNotAFigure) {
			t.Errorf("%q is read as %d, %v", text, got, err)
		}
	}
}

// TestSeparatorsOnly: whatever stands between the digits, an amount that is sure has the value of its digits, with
// at most the last group behind the point.
func TestSeparatorsOnly(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	marks := []rune(" ,.٬٫،'\u00a0\u202f0123456789٣")
	for range 20_000 {
		var typed []rune
		for range 1 + random.IntN(9) {
			typed = append(typed, marks[random.IntN(len(marks))])
		}
		got, sure, err := figures.Amount(string(typed))
		if err != nil {
			continue
		}
		digits := strings.Map(func(r rune) rune {
			if r >= '0' && r <= '9' {
				return r
			}
			return -1
		}, figures.Latin(string(typed)))
		kept := strings.Replace(got.String(), ".", "", 1)
		if !strings.HasPrefix(strings.TrimLeft(digits, "0")+"0000", strings.TrimLeft(kept, "0")) || !sure && strings.Contains(got.String(), ".") {
			t.Fatalf("%q is read as %v, sure %t", string(typed), got, sure)
		}
	}
}

func FuzzAmount(f *testing.F) {
	f.Add("25,000")
	f.Fuzz(func(t *testing.T, text string) {
		if a, _, err := figures.Amount(text); err == nil && a.Sign() < 0 {
			t.Errorf("%q is read as %v", text, a)
		}
	})
}

package screen_test

import (
	"slices"
	"strings"
	"testing"

	"resellerbot/internal/screen"
	"resellerbot/internal/store"
)

// french is the printer of receipts in French.
func french(t *testing.T) screen.Printer {
	t.Helper()
	p, ok := printers(t).For("fr")
	if !ok {
		t.Fatal("there is no French")
	}
	return p
}

// TestShopName: what customers read as the shop's name is short, on one line, and turns no text around.
func TestShopName(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"  Karim \n Gaming ": "Karim Gaming", "محل كريم": "محل كريم", "\u202eKarim\u202c": "Karim", "<b>K</b>": "<b>K</b>",
		"": "", "\u202e": "", "…": "", strings.Repeat("a", 41): "", strings.Repeat("a", 40): strings.Repeat("a", 40),
	} {
		if got, ok := screen.ShopName(text); ok != (want != "") || ok && got != want {
			t.Errorf("%q is read as %q, %v", text, got, ok)
		}
	}
	for text, want := range map[string]string{
		"0555 12 34 56": "0555 12 34 56", "+213 (0) 555-12.34.56": "+213 (0) 555-12.34.56", "\u20660555123456\u2069": "0555123456",
		"12345": "", "call me": "", "": "", strings.Repeat("1", 31): "",
	} {
		if got, ok := screen.ShopPhone(text); ok != (want != "") || ok && got != want {
			t.Errorf("%q is read as %q, %v", text, got, ok)
		}
	}
}

// TestManyCodesAreCounted: codes that do not all fit on a receipt are counted on it, and none is cut.
func TestManyCodesAreCounted(t *testing.T) {
	t.Parallel()
	for name, codes := range map[string][]string{"many": strings.Fields(strings.Repeat("ABCD-EFGH-1234 ", 11)), "long": {strings.Repeat("A", 101)}, "of lines": {strings.Repeat("A\n", 11)}} {
		v := screen.ReceiptView{Purchase: bought(store.Settled, len(codes)), Orders: unitCodes(codes...), Codes: true, Trade: store.Trade{Units: units(len(codes), len(codes), dinars(1400))}}
		m := french(t).Sales().ReceiptPicture(v)
		if len(m.Codes) != 0 {
			t.Errorf("%s: %d codes are on it", name, len(m.Codes))
		}
		found := false
		for _, l := range m.Lines {
			found = found || l.Name == "Codes"
		}
		if !found {
			t.Errorf("%s: they are not counted: %v", name, m.Lines)
		}
	}
}

// TestTheDayStandsBeforeTheTime: on a picture that runs from right to left as well; the text holds no mark of it.
func TestTheDayStandsBeforeTheTime(t *testing.T) {
	t.Parallel()
	words, ok := printers(t).For("ar")
	if !ok {
		t.Fatal("there is no Arabic")
	}
	v := screen.ReceiptView{Purchase: bought(store.Settled, 1), Orders: unitCodes("ABCD-EFGH-1234"), Trade: store.Trade{Units: units(1, 1, dinars(1400))}}
	date := words.Sales().ReceiptPicture(v).Lines[1].Value
	if !strings.HasPrefix(date, "\u200e") || !strings.HasSuffix(date, "\u200e") || len([]rune(date)) != len("\u200e22/11/2026 14:05\u200e")-4 {
		t.Errorf("the date is drawn as %q", date)
	}
	if m := words.Sales().Receipt(v, words, nil); strings.Contains(m.HTML, date) {
		t.Errorf("the text has the marks of the picture: %q", m.HTML)
	}
}

// TestReceiptAdvice: what the service says of a product is on the receipt of its codes, in few words; nothing of it where it
// tells what the product costs, and nothing beside a receipt without codes.
func TestReceiptAdvice(t *testing.T) {
	t.Parallel()
	of := func(about string, codes ...string) screen.ReceiptView {
		return screen.ReceiptView{Purchase: bought(store.Settled, 1), Orders: unitCodes(codes...), About: about, Trade: store.Trade{Units: units(1, 1, dinars(1400))}}
	}
	for name, c := range map[string]struct {
		view screen.ReceiptView
		want []string
	}{
		"two lines":      {of("Open the shop.\n\n Enter the code. ", "ABCD-EFGH-1234"), []string{"Open the shop.", "Enter the code."}},
		"many lines":     {of(strings.Repeat("a\n", 9), "ABCD-EFGH-1234"), []string{"a", "a", "a"}},
		"a hostile one":  {of("\u202eabc <b>", "ABCD-EFGH-1234"), []string{"abc <b>"}},
		"the cost":       {of("Reseller price 1 250 DA", "ABCD-EFGH-1234"), nil},
		"in other signs": {of("السعر ١٢٥٠", "ABCD-EFGH-1234"), nil},
		"no codes":       {of("Open the shop."), nil},
		"nothing said":   {of("", "ABCD-EFGH-1234"), nil},
	} {
		if got := french(t).Sales().ReceiptPicture(c.view).Advice; !slices.Equal(got, c.want) {
			t.Errorf("%s: the advice is %q, want %q", name, got, c.want)
		}
	}
}

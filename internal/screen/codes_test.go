package screen_test

import (
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"pgregory.net/rapid"

	"resellerbot/internal/ledger"
	"resellerbot/internal/pricing"
	"resellerbot/internal/screen"
	"resellerbot/internal/secret"
	"resellerbot/internal/store"
)

// TestCodesAreVerbatim: every code stands alone in a code entity, as it came, in the order of the units,
// and buttons copy the same: one where they fit into it, else two at most, which leave none out between them.
func TestCodesAreVerbatim(t *testing.T) {
	all := printers(t)
	text := rapid.OneOf(rapid.StringMatching(`[A-Z0-9]{4}(-[A-Z0-9]{4}){1,4}`), rapid.StringN(1, 300, -1), rapid.StringMatching(`[<>&"' \n:/=A-Za-zء-ي\x{2066}-\x{2069}]{1,40}`))
	rapid.Check(t, func(rt *rapid.T) {
		want := rapid.SliceOfN(text, 1, 10).Draw(rt, "codes")
		lang := rapid.SampledFrom([]string{"ar", "fr", "en"}).Draw(rt, "language")
		p, _ := all.For(lang)
		m := p.Purchases().Status(bought(store.Settled, len(want)), made(want...), screen.BalanceView{}, store.QueuePlace{})
		for _, fault := range faults(lang, m) {
			rt.Error(fault)
		}
		if got, err := read(m.HTML); err != nil || !slices.Equal(got.codes, want) {
			rt.Errorf("codes %q are shown as %q, %v", want, got.codes, err)
		}
		var copied []string
		for _, row := range m.Keyboard {
			for _, b := range row {
				if b.Copy != "" {
					copied = append(copied, b.Copy)
				}
			}
		}
		fitting := slices.DeleteFunc(slices.Clone(want), func(s string) bool { return utf8.RuneCountInString(s) > maxCopied })
		all, left := strings.Join(fitting, "\n"), len(fitting) < len(want)
		fits := len(fitting) > 0 && utf8.RuneCountInString(all) <= maxCopied && !left
		switch got := strings.Join(copied, "\n"); {
		case fits && (len(copied) != 1 || got != all):
			rt.Errorf("codes %q fit into one button, and are copied as %q", want, copied)
		case len(copied) > 2, len(copied) > 0 && got != all:
			rt.Errorf("codes %q are copied as %q", want, copied)
		}
	})
}

// TestNoCodeBeforeItsTime: what is not ready, and what travels as a file, is not in the text.
func TestNoCodeBeforeItsTime(t *testing.T) {
	p, _ := printers(t).For("en")
	for name, m := range map[string]screen.Message{
		"waiting": p.Purchases().Status(bought(store.Accepted, 1), made(""), screen.BalanceView{}, store.QueuePlace{}),
		"failed":  p.Purchases().Status(bought(store.Settled, 1), made(failed), screen.BalanceView{}, store.QueuePlace{}),
		"a file":  p.Purchases().Status(bought(store.Settled, 11), made(codes(11)...), screen.BalanceView{}, store.QueuePlace{}),
	} {
		if strings.Contains(picture(m), "<code>") || strings.Contains(m.HTML, "ABCD") || strings.Contains(picture(m), "copies") {
			t.Errorf("%s: it shows a code: %s", name, picture(m))
		}
	}
}

// TestPingsHoldNoCode: they show on a lock screen.
func TestPingsHoldNoCode(t *testing.T) {
	p, _ := printers(t).For("en")
	for _, orders := range [][]store.Order{made("AAAA-1111"), made("AAAA-1111", ""), made("AAAA-1111", failed)} {
		m := p.Codes().Ping(bought(store.Settled, len(orders)), orders)
		if strings.Contains(m.HTML, "AAAA") || m.Keyboard != nil || m.File != nil {
			t.Errorf("it shows %q", picture(m))
		}
	}
}

// TestFilesHoldACodeALine: all codes, in the order of the units, and nothing else.
func TestFilesHoldACodeALine(t *testing.T) {
	p, _ := printers(t).For("en")
	pu, orders := bought(store.Settled, 12), made(append(codes(10), "", failed)...)
	want := strings.Join(codes(10), "\n") + "\n"
	for name, m := range map[string]screen.Message{"Codes": p.Codes().Document(pu, orders), "Again": p.Purchases().Again(pu, orders, store.QueuePlace{})} {
		if m.File == nil || m.File.Name != "PUBG-Mobile-325-UC-NP7QR-2025-11-21.txt" || string(m.File.Body) != want {
			t.Errorf("%s: file %+v", name, m.File)
		}
	}
	if m := p.Purchases().Again(bought(store.Accepted, 12), made(slices.Repeat([]string{""}, 12)...), store.QueuePlace{}); m.File != nil {
		t.Errorf("a file without a code: %+v", m.File)
	}
}

// TestMayChange: the service can be asked for what it may still change, for as long as that is followed.
func TestMayChange(t *testing.T) {
	due := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	for name, tc := range map[string]struct {
		order store.Order
		want  bool
	}{
		"waits":                               {store.Order{State: store.Waiting}, true},
		"failed":                              {store.Order{State: store.Failed, Refund: store.RefundWaiting}, true},
		"failed, its money is back":           {store.Order{State: store.Failed, Refund: store.RefundSeen}, false},
		"failed, its money is back, followed": {store.Order{State: store.Failed, Refund: store.RefundSeen, Due: due}, true},
		"failed, its money may be back":       {store.Order{State: store.Failed, Refund: store.RefundLikely, Due: due}, true},
		"delivered":                           {store.Order{State: store.Ready}, false},
		"delivered, rechecked":                {store.Order{State: store.Ready, Due: due, Rechecked: true}, false},
		"a code of what is under way":         {store.Order{State: store.Ready, Due: due}, true},
		"unfinished again":                    {store.Order{State: store.Completed, Back: true, Due: due}, true},
		"topped up":                           {store.Order{State: store.Completed, Due: due, Rechecked: true}, false},
	} {
		if got := screen.MayChange(tc.order); got != tc.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}

// TestFinishedLeavesTwoRows: whatever has come of a purchase, two rows of buttons stand under it at its end, at most; and where
// somebody opens it later, one more, of what is done when a customer comes back.
func TestFinishedLeavesTwoRows(t *testing.T) {
	p, _ := printers(t).For("en")
	long := strings.Repeat("ABCD-", 24)
	for name, list := range map[string][]string{
		"one": {"AAAA-1111"}, "ten": codes(10), "a file": codes(12), "with a failure": append(codes(4), failed), "two buttons": {long, long, long},
		"too long for any": {long, long, long, long, long}, "none": {failed},
	} {
		for _, reader := range []screen.Reader{screen.ForOwner, screen.ForSeller, screen.ForShop, screen.ForShopInFull} {
			for _, chat := range []int64{502, -100} {
				pu, orders := bought(store.Settled, len(list)), each(made(list...), refund(store.RefundUnseen))
				pu.Evidence = &store.Evidence{}
				printer := p.As(reader).For(chat)
				rules := pricing.Rules{Shop: &pricing.Rule{Basis: pricing.ByPercent, Percent: 1000, Step: 10 * ledger.Dinar}}
				for what, trade := range map[string]store.Trade{
					"in stock": {Units: units(len(list), 0, 0), Rules: rules}, "sold": {Units: units(len(list), len(list), dinars(1400)), Rules: rules},
					"sold in part": {Units: units(len(list)+1, 1, dinars(1400)), Rules: rules},
				} {
					m := printer.Purchases().Traded(pu, orders, screen.BalanceView{}, store.QueuePlace{}, trade)
					if len(m.Keyboard) > 2 || len(keyboardFaults(m)) > 0 {
						t.Errorf("%s, %s for reader %d: %d rows, %v\n%s", name, what, reader, len(m.Keyboard), keyboardFaults(m), picture(m))
					}
				}
				for what, m := range map[string]screen.Message{
					"status": printer.Purchases().Status(pu, orders, screen.BalanceView{}, store.QueuePlace{}), "again": printer.Purchases().Again(pu, orders, store.QueuePlace{}),
				} {
					if most := map[string]int{"status": 2, "again": 3}[what]; len(m.Keyboard) > most {
						t.Errorf("%s, %s for reader %d: %d rows\n%s", name, what, reader, len(m.Keyboard), picture(m))
					}
					for _, fault := range keyboardFaults(m) {
						t.Errorf("%s, %s for reader %d: %s", name, what, reader, fault)
					}
				}
			}
		}
	}
}

// TestCounterIsNotOfferedToBuy: nothing that it is shown leads to a purchase.
func TestCounterIsNotOfferedToBuy(t *testing.T) {
	p, _ := printers(t).For("en")
	counter := p.As(screen.ForShop).For(502)
	acc := screen.AccountView{Role: store.Counter}
	screens := map[string]screen.Message{"home": counter.Home().Welcome("Lila", &acc), "help": counter.Home().Help(true, store.Counter, false, false), "joined": counter.Team().Joined("Shop", store.Counter)}
	for _, phase := range []store.Phase{store.Settled, store.Rejected, store.NotCreated, store.Dropped} {
		screens["status of a "+string(phase)] = counter.Purchases().Status(bought(phase, 1), made("AAAA-1111"), screen.BalanceView{}, store.QueuePlace{})
	}
	for name, m := range screens {
		for _, key := range slices.Concat(m.Keyboard...) {
			if a, ok := screen.ParseAction(key.Data); ok && slices.Contains([]screen.Verb{screen.VerbBuy, screen.VerbTopup, screen.VerbAgain, screen.VerbStock}, a.Verb) {
				t.Errorf("%s: %q", name, key.Text)
			}
		}
		if strings.Contains(m.HTML, "/buy") || strings.Contains(m.HTML, "/topup") {
			t.Errorf("%s: %s", name, m.HTML)
		}
	}
}

// TestSerialsInTheFile: a file of codes has a line for each code; a serial number stands behind its own.
func TestSerialsInTheFile(t *testing.T) {
	p, _ := printers(t).For("en")
	orders := made(codes(11)...)
	orders[2].Serial = secret.New("S-77")
	m := p.Purchases().Again(bought(store.Settled, 11), orders, store.QueuePlace{})
	lines := strings.Split(strings.TrimSuffix(string(m.File.Body), "\n"), "\n")
	if len(lines) != 11 || lines[2] != orders[2].Code.Reveal()+"\tserial: S-77" || lines[3] != orders[3].Code.Reveal() {
		t.Errorf("the file has %d lines: %q", len(lines), lines)
	}
}

package screen_test

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"resellerbot/internal/api/dzd"
	"resellerbot/internal/screen"
	"resellerbot/internal/store"
)

// spending lists the buttons of a message that spend money.
func spending(m screen.Message) (all []screen.Button) {
	for _, row := range m.Keyboard {
		for _, b := range row {
			if a, _ := screen.ParseAction(b.Data); a.Verb == screen.VerbConfirm {
				all = append(all, b)
			}
		}
	}
	return all
}

// TestOnlySummariesSpend: no other screen has the button.
func TestOnlySummariesSpend(t *testing.T) {
	p, _ := printers(t).For("en")
	summaries := 0
	for _, g := range goldens(p) {
		n := len(spending(g.message))
		if n > 1 || n == 1 && !strings.HasPrefix(g.name, "summary") {
			t.Errorf("%s has %d buttons that spend", g.name, n)
		}
		summaries += n
	}
	if summaries == 0 {
		t.Error("no summary has the button")
	}
}

// TestSummaryOffersWhatCanBePaid: the button is there where the balance is enough, or not known, names the
// total, and carries the purchase with its nonce. Where it is not enough, what is missing is said instead.
func TestSummaryOffersWhatCanBePaid(t *testing.T) {
	all := printers(t)
	centimes := rapid.Int64Range(0, 100_000)
	rapid.Check(t, func(rt *rapid.T) {
		cents := func(label string) dzd.Amount {
			n := centimes.Draw(rt, label)
			return dzd.Int(n / 100).Add(dzd.Must([...]string{"0", "0.01", "0.5", "0.99"}[n%4]))
		}
		pu := bought(store.Drafted, rapid.IntRange(1, 500).Draw(rt, "units"))
		pu.Price = cents("price")
		pu.Total, _ = pu.Price.Mul(pu.Quantity)
		b := screen.BalanceView{Amount: dzd.Int(1 << 30), Available: pu.Total, Known: rapid.Bool().Draw(rt, "known")}
		switch rapid.IntRange(-1, 1).Draw(rt, "balance") {
		case -1:
			b.Available = pu.Total.Sub(dzd.Must("0.0001"))
		case 1:
			b.Available = pu.Total.Add(cents("more"))
		}
		p, _ := all.For(rapid.SampledFrom([]string{"ar", "fr", "en"}).Draw(rt, "language"))
		m := p.Purchases().Summary(pu, b, nil)
		buttons := spending(m)
		if b.Known && b.Available.Less(pu.Total) {
			if len(buttons) != 0 || !strings.Contains(m.HTML, p.Amount(pu.Total.Sub(b.Available))) {
				rt.Fatalf("%s of %s can be paid, or what is missing is not said:\n%s", pu.Total, b.Available, picture(m))
			}
			return
		}
		if len(buttons) != 1 || !strings.Contains(buttons[0].Text, p.Amount(pu.Total)) || buttons[0].Data != "1:confirm:"+pu.ID+":"+pu.Nonce {
			rt.Fatalf("%s of %s cannot be paid:\n%s", pu.Total, b.Available, picture(m))
		}
		if b.Known && !strings.Contains(m.HTML, p.Amount(b.Available.Sub(pu.Total))) {
			rt.Fatalf("the balance after it is not said:\n%s", picture(m))
		}
	})
}

package screen_test

import (
	"strings"
	"testing"
	"time"

	"resellerbot/internal/api/dzd"
	"resellerbot/internal/screen"
	"resellerbot/internal/store"
	"resellerbot/locales"
)

// TestOthersAddUp: what other purchases and refunds have changed is told where the figures add up with it, and not where a
// part of it had happened before the first of them.
func TestOthersAddUp(t *testing.T) {
	texts, err := locales.Load()
	if err != nil {
		t.Fatal(err)
	}
	p := screen.New(texts, "en", time.UTC).Uncertain()
	for name, c := range map[string]struct {
		after int64
		told  bool
	}{
		"others alone":             {6000, true},
		"others and this one":      {4000, true},
		"others were there before": {3000, false},
	} {
		pu := store.Purchase{Product: "Play Card", Total: dzd.Int(2000), Before: store.Snapshot{Known: true, Available: dzd.Int(5000)}}
		pu.Evidence = &store.Evidence{Known: true, Balance: dzd.Int(c.after), Others: dzd.Int(1000)}
		if told := strings.Contains(p.Why(pu).HTML, "other purchases and refunds"); told != c.told {
			t.Errorf("%s: told is %v in %q", name, told, p.Why(pu).HTML)
		}
	}
}

// TestTheNamedTimeIsKept: the time by which something is known is not named earlier than it is.
func TestTheNamedTimeIsKept(t *testing.T) {
	texts, err := locales.Load()
	if err != nil {
		t.Fatal(err)
	}
	noon := time.Date(2026, 11, 23, 12, 0, 0, 0, time.UTC)
	for after, want := range map[time.Duration]string{0: "12:00", time.Nanosecond: "12:01", time.Second: "12:01", 59 * time.Second: "12:01", time.Minute: "12:01"} {
		pu := store.Purchase{Product: "Play Card", Quantity: 1, Phase: store.Unknown, Total: dzd.Int(2000), DecideBy: noon.Add(after)}
		p := screen.New(texts, "en", time.UTC).Purchases()
		if html := p.Status(pu, nil, screen.BalanceView{}, store.QueuePlace{}).HTML; !strings.Contains(html, want) {
			t.Errorf("%v after noon is not %s in %q", after, want, html)
		}
	}
}

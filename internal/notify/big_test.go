package notify_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"resellerbot/internal/api/sim"
	"resellerbot/internal/app/apptest"
	"resellerbot/internal/sampletest"
	"resellerbot/internal/sandbox/tgsim"
)

// TestBigPurchase: the codes of 500 units that become ready together are with Telegram within three seconds, whenever
// that is.
func TestBigPurchase(t *testing.T) {
	t.Parallel()
	sampletest.Slow(t)
	sampletest.MoreThanFew(t)
	for _, after := range sampletest.Some(3, []time.Duration{4 * time.Second, 20 * time.Second, 100 * time.Second}) {
		t.Run(after.String(), func(t *testing.T) {
			apptest.Run(t, func(h *apptest.Harness) {
				h.Service.AddProduct(sim.ProductSpec{ID: 10, Name: "Play Card", Variants: []sim.VariantSpec{{ID: 101, Name: "card", Price: "1", InStock: 5000, Delay: after}}})
				h.Telegram.SetLimits(true)
			}, func(h *apptest.Harness) {
				h.Link(apptest.Sam)
				h.Order(apptest.Sam, "Play Card", "card", "500")
				h.Tap(apptest.Sam, "✅")
				h.Pass(after + 2*time.Minute)
				ready, brought := h.Service.Orders()[0].Ready, map[string]time.Time{}
				for _, m := range h.Telegram.Messages(apptest.Sam) {
					if m.Document == nil {
						continue
					}
					h.T.Logf("%d codes after %v: %s", strings.Count(string(m.Document.Body), "\n"), m.Date.Sub(ready), apptest.Plain(m.Text))
					for code := range strings.FieldsSeq(string(m.Document.Body)) {
						if _, twice := brought[code]; twice {
							h.T.Error("a code comes twice")
						}
						brought[code] = m.Date
					}
				}
				for _, o := range h.Service.Orders() {
					if at, ok := brought[o.Code]; !ok || at.Sub(o.Ready) > 3*time.Second {
						h.T.Fatalf("the code of order %s is with Telegram after %v", o.ID, at.Sub(o.Ready))
					}
				}
			})
		})
	}
}

// TestPartsOfABigPurchase: codes of a big purchase do not wait for the last of them. What is there goes out two seconds after
// the first one, in parts that name their units. The phone rings for the first part, and the last one says so.
func TestPartsOfABigPurchase(t *testing.T) {
	sampletest.Slow(t)
	withSam(t, apptest.Stock, func(h *apptest.Harness, _ *apptest.OddService) {
		h.Service.Deposit(apptest.TestKey, "10000")
		ids, begin := held(h, 20), time.Now()
		complete := func(ids []string, wait time.Duration, want int) {
			h.T.Helper()
			for _, id := range ids {
				h.Must(h.Service.Complete(id, "", ""))
			}
			h.Pass(wait)
			if got := len(filesSince(h, begin)); got != want {
				h.T.Fatalf("%d files came, want %d", got, want)
			}
		}
		complete(ids[:6], 4*time.Second, 1)
		complete(append(ids[7:8:8], ids[9]), time.Minute, 2)
		complete(ids[10:13], time.Minute, 3)
		h.Stop()
		h.Start()
		complete(append(append(ids[6:7:7], ids[8]), ids[13:]...), 20*time.Second, 4)
		h.Pass(time.Hour)
		wants := []struct {
			units, says string
			codes       int
		}{{"Units 1–6 of 20", "The others follow", 6}, {"Units 8, 10 of 20", "The others follow", 2}, {"Units 11–13 of 20", "The others follow", 3}, {"Units 7, 9, 14–20 of 20", "all codes are there", 9}}
		seen := map[string]bool{}
		for i, m := range filesSince(h, begin) {
			text, codes := apptest.Plain(m.Text), strings.Fields(string(m.Document.Body))
			if want := wants[i]; !strings.Contains(text, want.units) || !strings.Contains(text, want.says) || len(codes) != want.codes || strings.Contains(text, "again") {
				t.Errorf("part %d has %d codes and says:\n%s", i+1, len(codes), text)
			}
			if m.Silent != (i > 0) {
				t.Errorf("part %d is silent: %v", i+1, m.Silent)
			}
			for _, code := range codes {
				if seen[code] {
					t.Errorf("the code %s came twice", code)
				}
				seen[code] = true
			}
		}
		if loud := soundsSince(h, apptest.Sam, begin); len(seen) != 20 || len(loud) != 1 {
			t.Errorf("%d codes came, and the phone rang %d times", len(seen), len(loud))
		}
	})
}

// filesSince lists the files that have come since a moment.
func filesSince(h *apptest.Harness, begin time.Time) []tgsim.Message {
	return slices.DeleteFunc(h.Telegram.Messages(apptest.Sam), func(m tgsim.Message) bool {
		return !m.FromBot || m.Document == nil || m.Date.Before(begin)
	})
}

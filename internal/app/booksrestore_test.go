package app_test

import (
	"context"
	"encoding/base64"
	"strings"
	"testing"
	"time"

	"resellerbot/internal/app/apptest"
	"resellerbot/internal/ledger"
	"resellerbot/internal/sampletest"
	"resellerbot/internal/store"
)

// TestBooksComeBack: a shop's books, its prices and who owes it are in a copy, come back with it, open under the next key, and add up; what
// was sold after the copy is not in them.
func TestBooksComeBack(t *testing.T) {
	t.Parallel()
	sampletest.Slow(t)
	apptest.Run(t, apptest.Stock, func(h *apptest.Harness) {
		h.Link(apptest.Sam)
		h.Say(apptest.Sam, "/prices")
		for _, words := range []string{"Percent", "10%", "DZD\u00a010"} {
			h.Tap(apptest.Sam, words)
		}
		sold := func(by string) {
			h.Order(apptest.Sam, "Play Card", "10 USD", "1")
			h.Tap(apptest.Sam, "✅")
			h.Pass(10 * time.Second)
			h.Tap(apptest.Sam, by)
			h.Pass(2 * time.Second)
		}
		sold("📒 Kridi")
		h.Say(apptest.Sam, "Ali Canary")
		h.Tap(apptest.Sam, "➕")
		h.See(apptest.Sam, "Debt: DZD 0 → DZD 1,380")
		h.Stop()
		h.Command("backup", "copy.db")
		h.Start()
		sold("💵")
		h.Stop()
		h.Command("restore", "copy.db")
		next := "next:" + base64.StdEncoding.EncodeToString([]byte(strings.Repeat("n", 32)))
		old := h.Env["ENCRYPTION_KEYS"]
		h.Env["ENCRYPTION_KEYS"] = next + "," + old
		h.Command("rekey")
		h.Env["ENCRYPTION_KEYS"] = next
		h.Command("check")
		h.Start()
		h.InStore(func(s *store.Store) {
			book := "u4101"
			for a, want := range map[ledger.Account]ledger.Money{"sales": -1380 * ledger.Dinar, "till/502": 0} {
				if b, err := s.BookBalance(context.Background(), book, a); err != nil || b.Net() != want {
					t.Errorf("%s has %s, %v; want %s", a, b.Net(), err, want)
				}
			}
			problems, err := s.Check(context.Background())
			if err != nil || len(problems) > 0 {
				t.Errorf("the check finds %q, %v", problems, err)
			}
		})
		h.Say(apptest.Sam, "/kridi")
		h.SeeAny(apptest.Sam, "Ali Canary")
		h.Say(apptest.Sam, "/prices")
		h.SeeAny(apptest.Sam, "Rounded up to: DZD 10")
	})
}

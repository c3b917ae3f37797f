package conversations_test

import (
	"cmp"
	"context"
	"math/rand/v2"
	"os"
	"strconv"
	"testing"
	"time"

	"resellerbot/internal/api/dzd"
	"resellerbot/internal/api/sim"
	"resellerbot/internal/app/apptest"
	"resellerbot/internal/ledger"
	"resellerbot/internal/sampletest"
	"resellerbot/internal/store"
)

// bookMoves are what may happen in a shop with books, at its counter and at the service.
func bookMoves(h *apptest.Harness, rng *rand.Rand) []func() {
	tap := func(words string) func() {
		return func() { _, _ = h.Telegram.TapButton(apptest.Sam, apptest.Sam, words); h.Pass(2 * time.Second) }
	}
	some := func(do func(sim.Order)) func() {
		return func() {
			if all := h.Service.Orders(); len(all) > 0 {
				do(all[rng.IntN(len(all))])
				h.Pass(time.Duration(rng.IntN(20)) * time.Minute)
			}
		}
	}
	purchase := func(fault *sim.Fault) func() {
		return func() {
			if fault != nil {
				h.Service.Inject(*fault)
			}
			h.Say(apptest.Sam, "/buy")
			for _, words := range []string{"Play Card", "10 USD"} {
				tap(words)()
			}
			h.Say(apptest.Sam, strconv.Itoa(1+rng.IntN(3)))
			tap("✅")()
			h.Pass(time.Duration(rng.IntN(30)) * time.Second)
		}
	}
	return []func(){
		purchase(nil), purchase(nil), purchase(&sim.Fault{Operation: sim.Spending, Kind: sim.SilenceDone, Times: 1}),
		purchase(&sim.Fault{Operation: sim.Spending, Kind: sim.ErrorDone, Status: 429, Times: 1}),
		tap("💵"), tap("💵"), tap("↩️ Undo"), tap("back in stock"), tap("Look again"),
		some(func(o sim.Order) { _ = h.Service.Fail(o.ID, "") }),
		some(func(o sim.Order) { _ = h.Service.Fail(o.ID, ""); _ = h.Service.Refund(o.ID) }),
		some(func(o sim.Order) { _ = h.Service.Refund(o.ID) }),
		some(func(o sim.Order) { _ = h.Service.Show(o.ID, sim.Shown{Key: "AAAA-BBBB-CCCC-DDDD"}) }),
		func() { h.Pass(time.Duration(1+rng.IntN(30)) * time.Hour) },
		func() { h.Stop(); h.Start() },
		func() { h.Service.SetPrice(101, []string{"1250.50", "1300", "1100"}[rng.IntN(3)]) },
	}
}

// TestBooksInAHardWorld: whatever the service makes of what was bought, and whenever it does, the books say of its wallet what has truly
// gone, once everything was seen, and they add up. BOOKS is how many worlds are tried.
func TestBooksInAHardWorld(t *testing.T) {
	t.Parallel()
	sampletest.Slow(t)
	sampletest.MoreThanFew(t)
	worlds, err := strconv.Atoi(cmp.Or(os.Getenv("BOOKS"), "8"))
	if err != nil {
		t.Fatalf("BOOKS: %v", err)
	}
	for seed := range sampletest.Some(4, make([]struct{}, worlds)) {
		t.Run(strconv.Itoa(seed), func(t *testing.T) {
			t.Parallel()
			rng := rand.New(rand.NewPCG(uint64(seed), 3))
			apptest.Run(t, apptest.Stock, func(h *apptest.Harness) {
				h.Service.SetBalance(apptest.TestKey, "900000")
				h.Service.SetStock(101, 4000)
				h.Link(apptest.Sam)
				setPrices(h)
				moves := bookMoves(h, rng)
				for range 16 {
					moves[rng.IntN(len(moves))]()
				}
				h.Pass(time.Hour)
				h.Overnight(25 * time.Hour)
				gone, open := dzd.Amount{}, 0
				for _, p := range h.Service.Purchases() {
					gone = gone.Add(p.Total)
				}
				for _, o := range h.Service.Orders() {
					if o.Refunded {
						gone = gone.Sub(o.Price)
					}
				}
				h.InStore(func(s *store.Store) {
					problems, err := s.Check(context.Background())
					h.Must(err)
					all, err := s.OpenPurchases(context.Background(), "", 99)
					h.Must(err)
					if open = len(all); len(problems) > 0 {
						t.Errorf("the check finds %q", problems)
					}
				})
				if kept := booked(h, "wallet/u4101"); open == 0 && kept != -ledger.Of(gone) {
					t.Errorf("%v has gone, and the books say %v\n%s", gone, kept, h.Transcript(apptest.Sam))
				}
			})
		})
	}
}

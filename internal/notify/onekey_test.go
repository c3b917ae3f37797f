package notify_test

import (
	"fmt"
	"slices"
	"strconv"
	"sync"
	"testing"
	"time"

	"resellerbot/internal/api/sim"
	"resellerbot/internal/app/apptest"
	"resellerbot/internal/sampletest"
	"resellerbot/internal/sandbox/tgsim"
)

// TestOneKeyInUse: what people buy does not keep others of their shop from their codes. Five purchases of ten units wait, one
// of them becomes ready every 13 s and is bought anew, and somebody buys a card every 9 s, all under one key and its
// published limits. It is told how long codes take from ready at the service to Telegram.
func TestOneKeyInUse(t *testing.T) {
	t.Parallel()
	sampletest.Long(t) // a shop is not in use in a minute or two
	const lasts, each = 6 * time.Minute, 10
	sellers := []int64{701, 702, 703, 704, 705}
	apptest.Run(t, func(h *apptest.Harness) {
		h.Service.AddProduct(sim.ProductSpec{ID: 10, Name: "Play Card", Variants: []sim.VariantSpec{
			{ID: 101, Name: "quick", Price: "1", InStock: 5000, Delay: 500 * time.Millisecond, Slowest: 5 * time.Second},
			{ID: 102, Name: "slow", Price: "1", InStock: 5000, Delay: time.Hour},
		}})
		for _, id := range sellers {
			h.Telegram.AddUser(tgsim.User{ID: id, FirstName: "Karim", LanguageCode: "en"})
		}
		h.Telegram.SetLimits(true)
	}, func(h *apptest.Harness) {
		h.Link(apptest.Sam)
		for _, id := range sellers {
			h.Join(id, h.Invite(apptest.Sam, "Seller"))
		}
		var buyers sync.WaitGroup
		defer buyers.Wait()
		idle := make(chan int64, len(sellers)) // nobody begins anew before they have bought
		for _, id := range sellers {
			idle <- id
		}
		buy := func(variant string, quantity int) {
			buyers.Go(func() {
				id := <-idle
				defer func() { idle <- id }()
				walk(h, id, variant, quantity)
			})
		}
		for range 5 {
			buy("slow", each)
			h.Pass(10 * time.Second)
		}
		h.Pass(2 * time.Minute)
		waiting := func() (ids []string) {
			for _, o := range h.Service.Orders() {
				if o.VariantID == 102 && o.Code == "" {
					ids = append(ids, o.ID)
				}
			}
			return ids
		}
		for begin, quick, slow := time.Now(), time.Duration(0), time.Duration(0); time.Since(begin) < lasts; {
			switch now := time.Since(begin); {
			case now >= slow:
				for _, id := range waiting()[:each] {
					h.Must(h.Service.Complete(id, "", ""))
				}
				slow += 13 * time.Second
				buy("slow", each)
			case now >= quick:
				quick += 9 * time.Second
				buy("quick", 1)
			default:
				h.Pass(250 * time.Millisecond)
			}
		}
		h.Pass(2 * time.Minute)
		big, small := lateness(h, 102), lateness(h, 101)
		t.Logf("of ten units: %v; cards: %v", big, small)
		if big.middle > 4*time.Second || big.slow > 12*time.Second || small.slow > 7*time.Second {
			t.Error("people wait for their codes while others buy")
		}
	})
}

// walk is somebody who buys, with a second for each step.
func walk(h *apptest.Harness, id int64, variant string, quantity int) {
	step := func(tap, say string) {
		if <-time.After(time.Second); say != "" {
			h.Telegram.Send(id, id, say)
			return
		}
		for range 20 { // ten seconds: as long as the service's limits may let nobody go on
			if _, err := h.Telegram.TapButton(id, id, tap); err == nil {
				return
			}
			<-time.After(500 * time.Millisecond)
		}
		h.T.Errorf("%d finds no %s", id, tap)
	}
	step("", "/buy")
	step("Play Card", "")
	step(variant, "")
	step("", strconv.Itoa(quantity))
	step("✅", "")
}

// late is how long codes took from ready to Telegram: the middle, and what one in twenty took longer than.
type late struct{ middle, slow time.Duration }

func (l late) String() string {
	return fmt.Sprintf("p50 %.1f, p95 %.1f s", l.middle.Seconds(), l.slow.Seconds())
}

// lateness is how late the codes of a variant were.
func lateness(h *apptest.Harness, variant int64) late {
	h.T.Helper()
	shown := map[string]time.Time{}
	for _, chat := range h.Telegram.Chats() {
		for _, m := range h.Telegram.Messages(chat) {
			at := m.Date
			if m.Edited {
				at = m.EditedAt
			}
			for _, code := range apptest.CodesIn(m) {
				shown[code] = at
			}
		}
	}
	var all []time.Duration
	for _, o := range h.Service.Orders() {
		if at, ok := shown[o.Code]; ok && o.VariantID == variant {
			all = append(all, at.Sub(o.Ready))
		} else if o.Code != "" && !ok {
			h.T.Errorf("the code of order %s was not shown", o.ID)
		}
	}
	slices.Sort(all)
	return late{all[len(all)/2], all[len(all)*95/100]}
}

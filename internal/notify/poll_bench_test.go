package notify

import (
	"fmt"
	"strconv"
	"testing"
	"time"

	"resellerbot/internal/store"
	"resellerbot/internal/store/storetest"
	"resellerbot/internal/telegram/telegramtest"
)

// BenchmarkTick takes 1,000 due orders of 100 accounts into hand, beside so many that are history: what is
// stored must not make it slower.
func BenchmarkTick(b *testing.B) {
	const due, accounts = 1000, 100
	for _, stored := range []int{1000, 1_000_000} {
		b.Run(strconv.Itoa(stored), func(b *testing.B) {
			st := storetest.New(b)
			now := time.Now()
			put := func(from, to int, moment time.Time) {
				if err := st.Update(b.Context(), func(tx *store.Tx) error {
					for i := from; i < to; i++ {
						o := store.Order{
							Account: fmt.Sprint("u", i%accounts), ID: fmt.Sprintf("ORD-%09d", i), Purchase: "P", Item: ":101",
							State: store.Ready, CreatedAt: now, Due: moment,
						}
						if !moment.IsZero() {
							o.State = store.Waiting
						}
						if err := tx.PutOrder(&o); err != nil {
							return err
						}
					}
					return nil
				}); err != nil {
					b.Fatal(err)
				}
			}
			for i := range accounts {
				if err := st.Update(b.Context(), func(tx *store.Tx) error { return tx.PutAccount(&store.Account{ID: fmt.Sprint("u", i)}) }); err != nil {
					b.Fatal(err)
				}
			}
			for from := due; from < stored; from += 20_000 {
				put(from, min(from+20_000, stored), time.Time{})
			}
			put(0, due, now)
			p := NewPoller(PollerConfig{Store: st, Log: telegramtest.Discard(), Session: func(a store.Account) OrderSource { return asking{&service{store: st}, a.ID} }})
			b.ReportAllocs()
			for b.Loop() {
				now = now.Add(2 * lease)
				claimed := 0
				for {
					n := p.claim(b.Context(), now)
					if claimed += n; n < dueOrders {
						break
					}
				}
				if claimed != due {
					b.Fatalf("%d orders were claimed", claimed)
				}
			}
		})
	}
}

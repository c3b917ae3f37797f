package telegram

import (
	"context"
	"math/rand/v2"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"pgregory.net/rapid"
)

// TestTelegramCountsArrivals: whatever holds messages up on their way, Telegram gets no more within a second than it takes, if the way
// is shorter than that.
func TestTelegramCountsArrivals(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		way := time.Duration(rapid.IntRange(1, 900).Draw(rt, "way of the fastest, in ms")) * time.Millisecond
		held := time.Duration(rapid.IntRange(1, int(muchLate/time.Millisecond)).Draw(rt, "held up to ms")) * time.Millisecond
		r := rand.New(rand.NewPCG(rapid.Uint64().Draw(rt, "seed"), 1))
		synctest.Test(t, func(t *testing.T) {
			b := newBudget(DefaultLimits())
			var mu sync.Mutex
			var came []time.Time
			send := func(s sending, there, back time.Duration) {
				p, err := b.wait(t.Context(), s)
				if err != nil {
					t.Error(err)
				}
				<-time.After(there)
				mu.Lock()
				came = append(came, time.Now())
				mu.Unlock()
				<-time.After(back)
				b.answered(s, p, true)
			}
			send(sending{chat: 1000}, way/2, way/2) // how fast the way is has been seen
			var wg sync.WaitGroup
			for range 150 {
				s, there := sending{chat: 1 + r.Int64N(80), class: Class(r.IntN(int(Strangers)))}, time.Duration(r.Int64N(int64(held)))
				back := time.Duration(r.Int64N(int64(held - there)))
				wg.Go(func() { send(s, way/2+there, way/2+back) })
			}
			wg.Wait()
			if n := most(came, time.Second); n > 28 {
				rt.Fatalf("%d messages come within a second", n)
			}
		})
	})
}

// TestLongWayCostsNothing: where all messages take as long, as many go as where they take no time; where some take much longer, or are
// never answered, others still go.
func TestLongWayCostsNothing(t *testing.T) {
	for name, test := range map[string]struct {
		way func(i int) time.Duration
		max time.Duration // for 280 messages
	}{
		"no time":             {func(int) time.Duration { return 0 }, 9 * (time.Second + margin)},
		"a second each":       {func(int) time.Duration { return time.Second }, 9 * (time.Second + margin)},
		"one of ten is stuck": {func(i int) time.Duration { return time.Duration(i%10/9) * time.Minute }, 13 * time.Second},
		"nothing comes back":  {func(i int) time.Duration { return time.Duration(min(i, 1)) * time.Hour }, 28 * time.Second},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				b, begin := newBudget(DefaultLimits()), time.Now()
				var wg sync.WaitGroup
				for i := range 280 {
					s := sending{chat: int64(i + 1)}
					p, err := b.wait(t.Context(), s)
					if err != nil {
						t.Fatal(err)
					}
					wg.Go(func() {
						<-time.After(test.way(i))
						b.answered(s, p, true)
					})
				}
				if took := time.Since(begin); took > test.max {
					t.Errorf("280 messages go in %v, and %v is enough", took, test.max)
				}
				wg.Wait()
			})
		})
	}
}

// TestFastestIsForgotten: a way that has become longer for all costs nothing after a while.
func TestFastestIsForgotten(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFlight(Limit{28, time.Second})
		answer := func(after time.Duration) time.Duration {
			p := f.goes(time.Now())
			<-time.After(after)
			return f.answered(p, true, time.Now())
		}
		answer(50 * time.Millisecond)
		if late := answer(time.Second); late != 950*time.Millisecond {
			t.Errorf("it is %v late at first", late)
		}
		for range 2 * fastestFor / time.Second {
			answer(time.Second)
		}
		if late := answer(time.Second); late != 0 {
			t.Errorf("it is %v late after a while", late)
		}
	})
}

// TestRefusedConnectionIsNoWay: what fails at once tells nothing of how long the way is, so what arrives after it is not late.
func TestRefusedConnectionIsNoWay(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFlight(Limit{28, time.Second})
		answer := func(after time.Duration, arrived bool) time.Duration {
			p := f.goes(time.Now())
			<-time.After(after)
			return f.answered(p, arrived, time.Now())
		}
		answer(time.Millisecond, false)
		if late := answer(400*time.Millisecond, true); late != 0 {
			t.Errorf("the first that arrives is %v late", late)
		}
		answer(time.Millisecond, false)
		if late := answer(450*time.Millisecond, true); late != 50*time.Millisecond {
			t.Errorf("one that takes 50 ms longer is %v late", late)
		}
	})
}

// TestCodesGoBeforePings: who has a code and no ring yet is better off than who has both, and others neither.
func TestCodesGoBeforePings(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, stop := context.WithCancel(t.Context())
		defer stop()
		b := newBudget(DefaultLimits())
		rings := crowdOf(ctx, b, Pings, "", 1, 100)
		codes := crowdOf(ctx, b, Deliveries, "", 1001, 56)
		<-time.After(2*(time.Second+margin) + time.Millisecond)
		if len(codes.all()) != 56 || len(rings.all()) != 28 {
			t.Errorf("%d codes and %d rings went, want 56 and, of the first moment, 28", len(codes.all()), len(rings.all()))
		}
	})
}

// TestChatCountsArrivals: messages that follow one another into a chat come in its pace there, whatever holds them up.
func TestChatCountsArrivals(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b, s, r := newBudget(DefaultLimits()), sending{chat: 1, class: Deliveries}, rand.New(rand.NewPCG(1, 1))
		const way = 25 * time.Millisecond
		var due time.Time // as Telegram counts
		for i := range 200 {
			p, err := b.wait(t.Context(), s)
			if err != nil {
				t.Fatal(err)
			}
			held := time.Duration(0)
			if i > 0 { // how fast the way is has been seen
				held = time.Duration(r.Int64N(int64(400 * time.Millisecond)))
			}
			<-time.After(way + held)
			now := time.Now()
			if early := due.Add(-2 * time.Second).Sub(now); early > 0 {
				t.Errorf("message %d comes %v too early", i, early)
			}
			due = later(due, now).Add(time.Second)
			<-time.After(way)
			b.answered(s, p, true)
			<-time.After(time.Duration(r.Int64N(int64(time.Second))))
		}
	})
}

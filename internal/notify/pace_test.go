package notify

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"pgregory.net/rapid"
)

// most is the largest number of moments within any span.
func most(at []time.Time, span time.Duration) int {
	slices.SortFunc(at, time.Time.Compare)
	n, from := 0, 0
	for i := range at {
		for at[i].Sub(at[from]) >= span {
			from++
		}
		n = max(n, i-from+1)
	}
	return n
}

// TestPaceNeverExceedsALimit sends at random moments to random chats and looks at every window.
func TestPaceNeverExceedsALimit(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		chats := rapid.IntRange(1, 12).Draw(rt, "chats")
		messages := rapid.IntRange(1, 250).Draw(rt, "messages")
		over := time.Duration(rapid.IntRange(0, 30).Draw(rt, "over seconds")) * time.Second
		r := rand.New(rand.NewPCG(rapid.Uint64().Draw(rt, "seed"), 1))
		synctest.Test(t, func(t *testing.T) {
			all, byChat := paceRandomly(t, r, chats, messages, over)
			if len(all) != messages {
				rt.Fatalf("%d of %d messages went", len(all), messages)
			}
			if n := most(all, time.Second); n > 30 {
				rt.Fatalf("%d messages within a second", n)
			}
			for chat, at := range byChat {
				if n := most(at, 10*time.Second); n > 10+5 {
					rt.Fatalf("%d messages to chat %d within 10 s", n, chat)
				}
				if n := most(at, time.Minute); chat < 0 && n > 20 {
					rt.Fatalf("%d messages to group %d within a minute", n, chat)
				}
			}
		})
	})
}

// paceRandomly lets messages to private chats and groups through a pacer and notes when they went.
func paceRandomly(t *testing.T, r *rand.Rand, chats, messages int, over time.Duration) (all []time.Time, byChat map[int64][]time.Time) {
	t.Helper()
	p := newPacer(TelegramLimits())
	byChat = map[int64][]time.Time{}
	var mu sync.Mutex
	var wg sync.WaitGroup
	for range messages {
		chat, after := int64(r.IntN(chats))+1, time.Duration(r.Int64N(int64(over)+1))
		if chat%3 == 0 {
			chat = -chat
		}
		lane := Deliveries + Lane(r.IntN(lanes-1)) // replies are not held back
		wg.Go(func() {
			<-time.After(after)
			if err := p.wait(t.Context(), chat, lane); err != nil {
				t.Error(err)
			}
			mu.Lock()
			defer mu.Unlock()
			all, byChat[chat] = append(all, time.Now()), append(byChat[chat], time.Now())
		})
	}
	wg.Wait()
	return all, byChat
}

func TestPaceIsAsFastAsTheLimits(t *testing.T) {
	for _, tc := range []struct {
		name  string
		chats []int64
		each  int
		want  time.Duration
	}{
		{"uncontended", []int64{1}, 5, 0},
		{"one private chat", []int64{1}, 15, 10 * time.Second},
		{"one group", []int64{-1}, 37, 2 * time.Minute},
		{"everybody", slices.Collect(func(yield func(int64) bool) {
			for i := range int64(280) {
				if !yield(i + 1) {
					return
				}
			}
		}), 1, 9 * time.Second},
	} {
		t.Run(tc.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				p, begin := newPacer(TelegramLimits()), time.Now()
				var wg sync.WaitGroup
				for _, chat := range tc.chats {
					for range tc.each {
						wg.Go(func() {
							if err := p.wait(t.Context(), chat, Deliveries); err != nil {
								t.Error(err)
							}
						})
					}
				}
				wg.Wait()
				if took := time.Since(begin); took != tc.want {
					t.Errorf("took %v, want %v", took, tc.want)
				}
			})
		})
	}
}

// TestRepliesOvertake has one message of each lane wait for the last free place, the least urgent first.
func TestRepliesOvertake(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newPacer(Limits{Overall: Limit{1, time.Second}})
		if err := p.wait(t.Context(), 1, Alerts); err != nil {
			t.Fatal(err)
		}
		order := make(chan Lane, lanes)
		for _, lane := range []Lane{Alerts, Deliveries, Replies} {
			go func() {
				if p.wait(t.Context(), int64(lane)+10, lane) == nil {
					order <- lane
				}
			}()
			synctest.Wait()
		}
		for want := Replies; want <= Alerts; want++ {
			if got := <-order; got != want {
				t.Errorf("lane %d went, want %d", got, want)
			}
		}
	})
}

// TestChatDoesNotHoldUpOthers: what waits for its own chat lets others pass.
func TestChatDoesNotHoldUpOthers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newPacer(TelegramLimits())
		p.obey(1, time.Minute)
		go p.wait(t.Context(), 1, Replies)
		synctest.Wait()
		begin := time.Now()
		if err := p.wait(t.Context(), 2, Alerts); err != nil || time.Since(begin) > 0 {
			t.Errorf("err %v after %v", err, time.Since(begin))
		}
		if d := p.delay(1); d != 61*time.Second {
			t.Errorf("delay of the resting chat is %v", d)
		}
		if d := p.delay(2) + p.delay(3); d != 0 {
			t.Errorf("delay of the others is %v", d)
		}
		<-time.After(time.Hour)
	})
}

func TestSeveralRefusalsRestEverybody(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p, begin := newPacer(TelegramLimits()), time.Now()
		p.obey(1, 3*time.Second)
		p.obey(1, 3*time.Second)
		if err := p.wait(t.Context(), 9, Replies); err != nil || time.Since(begin) > 0 {
			t.Fatalf("one chat's refusals held up another: %v, %v", err, time.Since(begin))
		}
		p.obey(2, 5*time.Second)
		if err := p.wait(t.Context(), 9, Replies); err != nil || time.Since(begin) != 6*time.Second {
			t.Errorf("err %v after %v", err, time.Since(begin))
		}
	})
}

func TestWaitEndsWithItsContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newPacer(Limits{Overall: Limit{1, time.Second}})
		p.obey(1, time.Hour)
		begin := time.Now()
		soon, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		if err := p.wait(soon, 1, Replies); !errors.Is(err, context.DeadlineExceeded) || time.Since(begin) > 0 {
			t.Errorf("hopeless wait: %v after %v", err, time.Since(begin))
		}
		ctx, stop := context.WithCancel(t.Context())
		time.AfterFunc(time.Second, stop)
		if err := p.wait(ctx, 1, Deliveries); !errors.Is(err, context.Canceled) {
			t.Errorf("err = %v", err)
		}
		if p.anyoneWaits() {
			t.Error("somebody is left in the queue")
		}
	})
}

func TestIdleChatsAreForgotten(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newPacer(TelegramLimits())
		for i := range int64(100_000) {
			if err := p.wait(t.Context(), i+1, Deliveries); err != nil {
				t.Fatal(err)
			}
		}
		if n := len(p.chats); n > 2*fewChats {
			t.Errorf("%d chats are remembered", n)
		}
	})
}

func BenchmarkPaceUncontended(b *testing.B) {
	p := newPacer(Limits{Overall: Limit{28, 0}, Private: []Limit{{5, 0}}})
	b.ReportAllocs()
	for b.Loop() {
		if p.wait(b.Context(), 7, Replies) != nil {
			b.Fatal("refused")
		}
	}
}

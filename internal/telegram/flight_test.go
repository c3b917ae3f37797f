package telegram

import (
	"math/rand/v2"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"pgregory.net/rapid"
)

// TestTelegramCountsArrivals: whatever holds messages up on their way, Telegram gets no more within a second than it takes: of
// all of them, and of one chat.
func TestTelegramCountsArrivals(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		chats := rapid.IntRange(1, 80).Draw(rt, "chats")
		held := time.Duration(rapid.IntRange(1, 190).Draw(rt, "held up to ms")) * time.Millisecond
		r := rand.New(rand.NewPCG(rapid.Uint64().Draw(rt, "seed"), 1))
		synctest.Test(t, func(t *testing.T) {
			b := newBudget(DefaultLimits())
			var mu sync.Mutex
			var all []time.Time
			each := map[int64][]time.Time{}
			var wg sync.WaitGroup
			for range 150 {
				s := sending{chat: 1 + r.Int64N(int64(chats)), class: Class(r.IntN(int(Strangers)))}
				there, back := time.Duration(r.Int64N(int64(held))), time.Duration(r.Int64N(int64(held)))
				wg.Go(func() {
					at, err := b.wait(t.Context(), s)
					if err != nil {
						t.Error(err)
					}
					<-time.After(there)
					mu.Lock()
					all, each[s.chat] = append(all, time.Now()), append(each[s.chat], time.Now())
					mu.Unlock()
					<-time.After(min(back, held-there))
					b.answered(s, at, true)
				})
			}
			wg.Wait()
			if n := most(all, time.Second); n > 30 {
				rt.Fatalf("%d messages come within a second", n)
			}
		})
	})
}

// TestChatCountsArrivals: messages that follow one another into a chat come in its pace there, as slow as the way may be.
func TestChatCountsArrivals(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b, s := newBudget(DefaultLimits()), sending{chat: 1, class: Deliveries}
		var came []time.Time
		for i := range 12 {
			at, err := b.wait(t.Context(), s)
			if err != nil {
				t.Fatal(err)
			}
			if i%3 == 0 { // now and then a way is long
				<-time.After(90 * time.Millisecond)
			}
			came = append(came, time.Now())
			b.answered(s, at, true)
		}
		for i := range came {
			for j := range i { // a burst of three, and one more a second
				if n, took := i-j+1, came[i].Sub(came[j]); n > 3 && took < time.Duration(n-3)*time.Second {
					t.Errorf("messages %d to %d come within %v", j, i, took)
				}
			}
		}
	})
}

// TestStrictChat: a chat that has refused the second message within a second gets one a second from then on, and others as before.
func TestStrictChat(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b, s := newBudget(DefaultLimits()), sending{chat: 1}
		b.through(t.Context(), s)
		at, _ := b.wait(t.Context(), s)
		b.obey(s, time.Second)
		b.answered(s, at, false)
		<-time.After(10 * time.Second)
		begin := time.Now()
		for range 3 {
			if err := b.through(t.Context(), s); err != nil {
				t.Fatal(err)
			}
		}
		if took := time.Since(begin); took != 2*time.Second {
			t.Errorf("three messages take %v", took)
		}
		begin = time.Now()
		for range 3 {
			if err := b.through(t.Context(), sending{chat: 2}); err != nil {
				t.Fatal(err)
			}
		}
		<-time.After(time.Hour)
		for range 3 {
			if err := b.through(t.Context(), s); err != nil {
				t.Fatal(err)
			}
		}
		if took := time.Since(begin); took != time.Hour {
			t.Errorf("other chats, and this one an hour later, take %v", took-time.Hour)
		}
	})
}

// TestRingsKeepTheirDistance: a ring comes a second behind what it rings for, and leaves room to what is waited for; a code and a
// reply come at once.
func TestRingsKeepTheirDistance(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBudget(DefaultLimits())
		b.through(t.Context(), sending{chat: 1, class: Deliveries})
		var went []time.Duration
		begin := time.Now()
		for _, class := range []Class{Deliveries, Rings, Replies} {
			if err := b.through(t.Context(), sending{chat: 1, class: class}); err != nil {
				t.Fatal(err)
			}
			went = append(went, time.Since(begin))
		}
		if want := []time.Duration{0, time.Second, time.Second}; !slices.Equal(went, want) {
			t.Errorf("a code, a ring and a reply go after %v, want %v", went, want)
		}
	})
}

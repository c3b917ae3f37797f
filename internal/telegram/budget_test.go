package telegram

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

// through lets a message go that is answered at once.
func (b *budget) through(ctx context.Context, s sending) error {
	p, err := b.wait(ctx, s)
	if err == nil {
		b.answered(s, p, true)
	}
	return err
}

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

// paceRandomly lets messages to private chats and groups through a budget and notes when they went.
func paceRandomly(t *testing.T, r *rand.Rand, chats, messages int, over time.Duration) (all []time.Time, byChat map[int64][]time.Time) {
	t.Helper()
	b := newBudget(DefaultLimits())
	byChat = map[int64][]time.Time{}
	var mu sync.Mutex
	var wg sync.WaitGroup
	for range messages {
		chat, after := int64(r.IntN(chats))+1, time.Duration(r.Int64N(int64(over)+1))
		if chat%3 == 0 {
			chat = -chat
		}
		class := Class(r.IntN(int(Strangers))) // a stranger's gives up
		wg.Go(func() {
			<-time.After(after)
			if err := b.through(t.Context(), sending{chat: chat, class: class}); err != nil {
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
		{"uncontended", []int64{1}, 3, 0},
		{"one private chat", []int64{1}, 13, 10 * (time.Second + margin)},
		{"one group", []int64{-1}, 37, 2 * time.Minute},
		{"everybody", slices.Collect(func(yield func(int64) bool) {
			for i := range int64(280) {
				if !yield(i + 1) {
					return
				}
			}
		}), 1, 9 * (time.Second + margin)},
	} {
		t.Run(tc.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				b, begin := newBudget(DefaultLimits()), time.Now()
				var wg sync.WaitGroup
				for _, chat := range tc.chats {
					for range tc.each {
						wg.Go(func() {
							if err := b.through(t.Context(), sending{chat: chat, class: Deliveries}); err != nil {
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

// TestDeliveriesFirst has one message of each class wait for the last free place, the least urgent first.
func TestDeliveriesFirst(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBudget(Limits{Overall: Limit{1, time.Second / 2}})
		if err := b.through(t.Context(), sending{chat: 1}); err != nil {
			t.Fatal(err)
		}
		order := make(chan Class, classes)
		for _, class := range []Class{Strangers, Digests, Alerts, Replies, Deliveries} {
			go func() {
				if b.through(t.Context(), sending{chat: int64(class) + 10, class: class}) == nil {
					order <- class
				}
			}()
			synctest.Wait()
		}
		for _, want := range []Class{Deliveries, Replies, Alerts, Digests, Strangers} {
			if got := <-order; got != want {
				t.Errorf("class %d went, want %d", got, want)
			}
		}
	})
}

// moments are when messages went.
type moments struct {
	mu sync.Mutex
	at []time.Time
}

// all are the moments by now.
func (m *moments) all() []time.Time {
	synctest.Wait()
	m.mu.Lock()
	defer m.mu.Unlock()
	return slices.Clone(m.at)
}

// crowdOf has many messages of a class wait, one for each chat from the first on.
func crowdOf(ctx context.Context, b *budget, class Class, account string, first int64, n int) *moments {
	went := &moments{}
	for i := range int64(n) {
		go func() {
			if b.through(ctx, sending{chat: first + i, class: class, account: account}) == nil {
				went.mu.Lock()
				defer went.mu.Unlock()
				went.at = append(went.at, time.Now())
			}
		}()
	}
	synctest.Wait()
	return went
}

// TestShares: what deliveries leave is shared by weight while all want it, and strangers get what is left over, and
// a fifth where nobody else wants it.
func TestShares(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, stop := context.WithCancel(t.Context())
		b := newBudget(DefaultLimits())
		took := map[Class]*moments{}
		for _, class := range []Class{Strangers, Digests, Alerts, Replies} {
			took[class] = crowdOf(ctx, b, class, "", int64(class)*10_000+1, 1000)
		}
		<-time.After(9*(time.Second+margin) + time.Millisecond)
		for class, want := range map[Class][2]int{Replies: {150, 180}, Alerts: {75, 95}, Digests: {20, 50}, Strangers: {0, 5}} {
			if n := len(took[class].all()); n < want[0] || n > want[1] {
				t.Errorf("class %d had %d places, want %v", class, n, want)
			}
		}
		codes := crowdOf(ctx, b, Deliveries, "", 90_001, 10)
		<-time.After(time.Second + margin)
		if len(codes.all()) != 10 {
			t.Errorf("%d of 10 codes went with the next places", len(codes.all()))
		}
		stop()
		synctest.Wait()
		<-time.After(time.Minute)
		alone := crowdOf(t.Context(), b, Strangers, "", 50_001, 1000)
		<-time.After(time.Minute)
		if n := most(alone.all(), time.Second); n > 5 || len(alone.all()) < 25 {
			t.Errorf("strangers had %d places, %d within a second", len(alone.all()), n)
		}
	})
}

// TestFairBetweenAccounts: who wants much gets no more than who wants little, whatever came first, and so do the
// chats of an account.
func TestFairBetweenAccounts(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, stop := context.WithCancel(t.Context())
		defer stop()
		b := newBudget(DefaultLimits())
		greedy := crowdOf(ctx, b, Replies, "greedy", 1, 1000)
		modest := crowdOf(ctx, b, Replies, "modest", 5001, 28)
		<-time.After(3*(time.Second+margin) + time.Millisecond)
		if len(modest.all()) != 28 || len(greedy.all()) < 50 {
			t.Errorf("the one had %d places, the other %d", len(greedy.all()), len(modest.all()))
		}
	})
	synctest.Test(t, func(t *testing.T) {
		b := newBudget(Limits{Overall: Limit{1, time.Second}})
		went := make(chan int64, 5)
		for _, chat := range []int64{1, 1, 1, 1, 2} {
			go func() {
				if b.through(t.Context(), sending{chat: chat, account: "one"}) == nil {
					went <- chat
				}
			}()
			synctest.Wait()
		}
		for i, want := range []int64{1, 2, 1, 1, 1} {
			if chat := <-went; chat != want {
				t.Errorf("chat %d went as the %dth, want %d", chat, i, want)
			}
		}
	})
}

// TestGroupLeavesRoom: what strangers and members cause in a group leaves a code its place there.
func TestGroupLeavesRoom(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b, begin := newBudget(DefaultLimits()), time.Now()
		went := map[Class]int{}
		for range 30 {
			ctx, cancel := context.WithTimeout(t.Context(), time.Second)
			for _, class := range []Class{Strangers, Digests, Alerts, Replies} {
				if b.through(ctx, sending{chat: -1, class: class}) == nil {
					went[class]++
				}
			}
			cancel()
			<-time.After(time.Second)
		}
		if at := b.delay(-1, Deliveries); at > 2*time.Second || time.Since(begin) > time.Minute {
			t.Errorf("a code waits for %v", at)
		}
		if went[Strangers] > 3 || went[Strangers]+went[Replies]+went[Alerts]+went[Digests] > 12 {
			t.Errorf("others had %v", went)
		}
	})
}

// TestChatDoesNotHoldUpOthers: what waits for its own chat lets others pass.
func TestChatDoesNotHoldUpOthers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBudget(DefaultLimits())
		b.obey(sending{chat: 1}, time.Minute)
		go b.through(t.Context(), sending{chat: 1, class: Replies})
		synctest.Wait()
		begin := time.Now()
		if err := b.through(t.Context(), sending{chat: 2, class: Alerts}); err != nil || time.Since(begin) > 0 {
			t.Errorf("err %v after %v", err, time.Since(begin))
		}
		if d := b.delay(1, Deliveries); d != 61*time.Second {
			t.Errorf("delay of the resting chat is %v", d)
		}
		if d := b.delay(2, Deliveries) + b.delay(3, Deliveries); d != 0 {
			t.Errorf("delay of the others is %v", d)
		}
		<-time.After(time.Hour)
	})
}

// TestWhoRests: a refusal is about its chat, unless it cannot be.
func TestWhoRests(t *testing.T) {
	full := func(b *budget, chat int64) { // a chat that was sent what it takes
		for range 3 {
			b.spend(sending{chat: chat}, time.Now())
		}
	}
	for _, tc := range []struct {
		name   string
		refuse func(*budget)
		want   time.Duration // of everybody else
	}{
		{"one chat, often", func(b *budget) {
			for range 10 {
				b.obey(sending{chat: 1}, 3*time.Second)
			}
		}, 0},
		{"two chats", func(b *budget) {
			b.obey(sending{chat: 1}, 3*time.Second)
			b.obey(sending{chat: 2}, 3*time.Second)
		}, 0},
		{"many chats that were sent much", func(b *budget) {
			for chat := range int64(9) {
				full(b, chat+1)
				b.obey(sending{chat: chat + 1}, 3*time.Second)
			}
		}, 0},
		{"many groups of strangers", func(b *budget) {
			for chat := range int64(9) {
				b.obey(sending{chat: -chat - 1, class: Strangers}, time.Hour)
			}
		}, 0},
		{"many chats of one account", func(b *budget) {
			for chat := range int64(9) {
				b.obey(sending{chat: -chat - 1, account: "one"}, time.Hour)
			}
		}, 0},
		{"many chats, one after the other", func(b *budget) {
			for chat := range int64(9) {
				b.obey(sending{chat: chat + 1}, 2*time.Second)
				<-time.After(2 * time.Second)
			}
		}, 0},
		{"many quiet chats", func(b *budget) {
			for chat := range int64(3) {
				b.obey(sending{chat: chat + 1}, time.Duration(5+chat)*time.Second)
			}
		}, 5 * time.Second},
		{"no chat", func(b *budget) { b.obey(sending{}, 4*time.Second) }, 4 * time.Second},
	} {
		t.Run(tc.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				b := newBudget(DefaultLimits())
				tc.refuse(b)
				<-time.After(time.Millisecond) // what was taken at this moment is not what is waited for
				begin := time.Now()
				err := b.through(t.Context(), sending{chat: 99})
				if took := time.Since(begin).Round(time.Second); err != nil || took > tc.want+time.Second || tc.want > 0 && took != tc.want {
					t.Errorf("err %v after %v, want %v", err, took, tc.want)
				}
			})
		})
	}
}

func TestWaitEndsWithItsContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBudget(Limits{Overall: Limit{1, time.Second}})
		b.obey(sending{chat: 1}, time.Hour)
		begin := time.Now()
		soon, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		if err := b.through(soon, sending{chat: 1, class: Replies}); !errors.Is(err, context.DeadlineExceeded) || time.Since(begin) > 0 {
			t.Errorf("hopeless wait: %v after %v", err, time.Since(begin))
		}
		ctx, stop := context.WithCancel(t.Context())
		time.AfterFunc(time.Second, stop)
		if err := b.through(ctx, sending{chat: 1, class: Deliveries}); !errors.Is(err, context.Canceled) {
			t.Errorf("err = %v", err)
		}
		if b.anyoneWaits(Cleanups) {
			t.Error("somebody is left in the queue")
		}
	})
}

func TestIdleChatsAreForgotten(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBudget(DefaultLimits())
		for i := range int64(20 * fewChats) {
			if err := b.through(t.Context(), sending{chat: i + 1, class: Deliveries}); err != nil {
				t.Fatal(err)
			}
		}
		if n := len(b.chats); n > 2*fewChats {
			t.Errorf("%d chats are remembered", n)
		}
	})
}

func BenchmarkPaceUncontended(b *testing.B) {
	p := newBudget(Limits{Overall: Limit{28, 0}, Chat: Bucket{3, 0}})
	b.ReportAllocs()
	for b.Loop() {
		if p.through(b.Context(), sending{chat: 7, class: Replies}) != nil {
			b.Fatal("refused")
		}
	}
}

// TestCleanupsHoldNothingUp: what takes a keyboard away goes once its chat could take a whole burst again, behind what has come since, and
// leaves room for what comes next.
func TestCleanupsHoldNothingUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBudget(DefaultLimits())
		begin := time.Now()
		send := func(class Class) (went time.Duration) {
			if err := b.through(t.Context(), sending{chat: 7, class: class}); err != nil {
				t.Error(err)
			}
			return time.Since(begin)
		}
		for range 3 {
			send(Replies)
		}
		var cleaned time.Duration
		var wait sync.WaitGroup
		wait.Go(func() { cleaned = send(Cleanups) })
		synctest.Wait()
		if !b.idle() {
			t.Error("what nobody waits for keeps others waiting")
		}
		reply := send(Replies)
		<-time.After(500 * time.Millisecond)
		code := send(Deliveries)
		wait.Wait()
		if second := padded(time.Second); reply > second || code > 2*second || cleaned < code+3*second-time.Millisecond || cleaned > code+3*second+time.Millisecond {
			t.Errorf("the reply went after %v, the code after %v, the cleanup after %v", reply, code, cleaned)
		}
		if next := time.Since(begin); send(Deliveries)+send(Deliveries) > 2*next {
			t.Error("a code waits behind a cleanup")
		}
	})
}

// TestShareSurvivesWhoWaitsLong: what a class has had is not forgotten by one of its messages, or by a cleanup, that has waited for its own chat
// since: replies would wait behind all digests that come.
func TestShareSurvivesWhoWaitsLong(t *testing.T) {
	for _, class := range []Class{Digests, Cleanups} {
		synctest.Test(t, func(t *testing.T) {
			b := newBudget(DefaultLimits())
			var wait sync.WaitGroup
			send := func(chat int64, class Class) {
				wait.Go(func() {
					if err := b.through(t.Context(), sending{chat: chat, class: class}); err != nil {
						t.Error(err)
					}
				})
			}
			for range 9 { // so that the next has to wait for the group's minute
				send(-1, Deliveries)
				<-time.After(2 * time.Second)
			}
			send(-1, class)
			for chat := range int64(1500) { // for longer than that minute, more than the budget takes
				send(1+chat, Replies)
				<-time.After(30 * time.Millisecond)
			}
			wait.Wait()
			for chat := range int64(300) {
				send(10_000+chat, Digests)
			}
			<-time.After(100 * time.Millisecond)
			begin := time.Now()
			if err := b.through(t.Context(), sending{chat: 20_000, class: Replies}); err != nil {
				t.Error(err)
			}
			if took := time.Since(begin); took > 1500*time.Millisecond {
				t.Errorf("class %d: a reply has waited %v behind digests", class, took)
			}
			wait.Wait()
		})
	}
}

// TestRepliesAreNotHeldBack: what a person waits for has the next place, whatever waits that can.
func TestRepliesAreNotHeldBack(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBudget(Limits{Overall: Limit{1, time.Second}})
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		for chat := range int64(100) {
			go b.through(ctx, sending{chat: chat, class: Alerts})
			go b.through(ctx, sending{chat: 1000 + chat, class: Digests})
		}
		synctest.Wait()
		begin := time.Now()
		if err := b.through(t.Context(), sending{chat: 500}); err != nil || time.Since(begin) > time.Second+margin {
			t.Errorf("a reply went after %v, %v", time.Since(begin), err)
		}
	})
}

// TestAWaitingGroupLeavesStrangersTheirAnswers: a stranger's message that waits for its group does not keep the taps of other strangers from
// being answered, and one that could go does.
func TestAWaitingGroupLeavesStrangersTheirAnswers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBudget(DefaultLimits())
		ctx, stop := context.WithCancel(t.Context())
		var waiting sync.WaitGroup
		defer waiting.Wait()
		defer stop()
		for b.delay(-1, Strangers) == 0 {
			if err := b.through(ctx, sending{chat: -1, class: Strangers}); err != nil {
				t.Fatal(err)
			}
			<-time.After(time.Second)
		}
		<-time.After(b.delay(-1, Strangers) - strangerWait/2) // or it does not wait at all
		waiting.Go(func() { _ = b.through(ctx, sending{chat: -1, class: Strangers}) })
		synctest.Wait()
		if len(b.queue[Strangers]) != 1 {
			t.Fatal("it does not wait for its group")
		}
		if !b.spare() {
			t.Error("a tap is not answered, since a message waits for its group")
		}
	})
}

// TestAWaitingStrangerHasTheNextPlace: a stranger's message that waits for the limit of all messages does not lose its place to taps.
func TestAWaitingStrangerHasTheNextPlace(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		limits := DefaultLimits()
		b := newBudget(limits)
		ctx, stop := context.WithCancel(t.Context())
		var waiting sync.WaitGroup
		defer waiting.Wait()
		defer stop()
		for chat := range int64(limits.Overall.N) {
			if err := b.through(ctx, sending{chat: 1 + chat, class: Replies}); err != nil {
				t.Fatal(err)
			}
		}
		waiting.Go(func() { _ = b.through(ctx, sending{chat: 1000, class: Strangers}) })
		synctest.Wait()
		if len(b.queue[Strangers]) != 1 {
			t.Fatal("it does not wait for others")
		}
		if b.spare() {
			t.Error("a tap has the place of a message that waits")
		}
	})
}

package conversations

import (
	"context"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

type job struct {
	chat int64
	n    int
}

// TestMailboxKeepsOrderWithinAChat: the jobs of a chat run one after another as they came, those of
// several chats at the same time.
func TestMailboxKeepsOrderWithinAChat(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var mu sync.Mutex
		last := map[int64]int{}
		running, most, handled := map[int64]int{}, 0, 0
		m := newMailbox(8, 1000, func(j job) time.Duration {
			mu.Lock()
			running[j.chat]++
			if running[j.chat] > 1 {
				t.Errorf("chat %d runs two jobs at once", j.chat)
			}
			if j.n != last[j.chat]+1 {
				t.Errorf("chat %d: job %d after %d", j.chat, j.n, last[j.chat])
			}
			last[j.chat] = j.n
			busy := 0
			for _, n := range running {
				busy += n
			}
			most = max(most, busy)
			mu.Unlock()
			<-time.After(time.Millisecond)
			mu.Lock()
			running[j.chat]--
			handled++
			mu.Unlock()
			return 0
		})
		for n := 1; n <= 50; n++ {
			for chat := range int64(20) {
				m.put(t.Context(), chat, job{chat, n})
			}
		}
		<-time.After(time.Minute)
		synctest.Wait()
		m.stop()
		if handled != 1000 || most != 8 {
			t.Errorf("handled %d jobs, %d at once; want 1000 and 8", handled, most)
		}
	})
}

// TestMailboxWaitsForTheJobAtHand: a job that comes while the only one of its chat runs does not run beside it.
func TestMailboxWaitsForTheJobAtHand(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		running := 0
		m := newMailbox(8, 10, func(job) time.Duration {
			if running++; running > 1 {
				t.Error("two jobs of a chat run at once")
			}
			<-time.After(time.Second)
			running--
			return 0
		})
		for range 3 {
			m.put(t.Context(), 1, job{})
			<-time.After(100 * time.Millisecond)
		}
		<-time.After(time.Minute)
		m.stop()
	})
}

// TestMailboxBounds: a full mailbox makes the next one wait, and a stop leaves what waits alone.
func TestMailboxBounds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		release := make(chan struct{})
		handled := 0
		m := newMailbox(1, 2, func(job) time.Duration { <-release; handled++; return 0 })
		m.put(t.Context(), 1, job{})
		m.put(t.Context(), 2, job{})
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		if m.put(ctx, 3, job{}) {
			t.Error("a full mailbox took a job")
		}
		stopped := make(chan struct{})
		go func() { m.stop(); close(stopped) }()
		synctest.Wait()
		close(release)
		<-stopped
		if handled != 1 {
			t.Errorf("%d jobs ran; the one that waited had to be left", handled)
		}
		if m.put(t.Context(), 1, job{}) {
			t.Error("a stopped mailbox took a job")
		}
	})
}

// TestMailboxTakesLateJobsLast: strangers' jobs take up a part of it only, and come after all others.
func TestMailboxTakesLateJobsLast(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		release := make(chan struct{})
		var mu sync.Mutex
		var order []int64
		m := newMailbox(2*latePart, 10*latePart, func(j job) time.Duration {
			mu.Lock()
			order = append(order, j.chat)
			mu.Unlock()
			<-release
			return 0
		})
		taken := 0
		for chat := range int64(100) {
			if m.reserve() {
				taken++
				m.putLate(1000+chat, job{chat: 1000 + chat})
			}
		}
		synctest.Wait()
		if taken != 10 || len(order) != 2 {
			t.Errorf("%d late jobs are taken and %d run, want 10 and 2", taken, len(order))
		}
		for chat := range int64(40) {
			m.put(t.Context(), chat, job{chat: chat})
		}
		synctest.Wait()
		if len(order) != 2*latePart {
			t.Errorf("%d jobs run", len(order))
		}
		if !m.hasLate(1005, func(job) bool { return true }) || m.hasLate(5, func(job) bool { return true }) {
			t.Error("it does not know whose job waits")
		}
		for range 40 { // one after another: of two that begin at once, either may be noted first
			release <- struct{}{}
			synctest.Wait()
		}
		for i, chat := range order[2:42] {
			if chat >= 1000 {
				t.Errorf("a stranger's job is the %dth", i)
			}
		}
		close(release)
		synctest.Wait()
		m.stop()
		if len(order) != 50 {
			t.Errorf("%d of 50 jobs were done", len(order))
		}
	})
}

// TestMailboxRepeatsInOrder: a job that is to be handled again comes before what came after it in its chat, and keeps no
// worker meanwhile.
func TestMailboxRepeatsInOrder(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		begin, failed := time.Now(), false
		type done struct {
			job

			at time.Duration
		}
		var all []done
		m := newMailbox(1, 10, func(j job) time.Duration {
			if j == (job{1, 1}) && !failed {
				failed = true
				return 5 * time.Second
			}
			all = append(all, done{j, time.Since(begin)})
			return 0
		})
		for _, j := range []job{{1, 1}, {1, 2}, {2, 1}} {
			m.put(t.Context(), j.chat, j)
		}
		<-time.After(time.Minute)
		m.stop()
		if want := []done{{job{2, 1}, 0}, {job{1, 1}, 5 * time.Second}, {job{1, 2}, 5 * time.Second}}; !slices.Equal(all, want) {
			t.Errorf("got %v, want %v", all, want)
		}
	})
}

// TestMailboxStopsWhileOneRests: what rests at a stop is left alone, for it is on disk.
func TestMailboxStopsWhileOneRests(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		tries := 0
		m := newMailbox(1, 10, func(job) time.Duration { tries++; return time.Second })
		m.put(t.Context(), 1, job{})
		<-time.After(1500 * time.Millisecond)
		m.stop()
		<-time.After(time.Minute)
		if tries != 2 {
			t.Errorf("%d tries, want 2", tries)
		}
	})
}

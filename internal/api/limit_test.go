package api

import (
	"context"
	"errors"
	"io"
	"net/http"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"pgregory.net/rapid"

	"resellerbot/internal/secret"
)

// within counts the calls of the minute that ends with the i-th.
func within(at []time.Time, i int) int {
	n := 0
	for _, t := range at[:i+1] {
		if at[i].Sub(t) < time.Minute {
			n++
		}
	}
	return n
}

// visit is a call as it was let through.
type visit struct {
	at  time.Time
	who caller
}

// TestLimitHoldsInEveryMinute: whoever comes when, no minute sees more calls than the limit, polling never
// waits and never has more than its share, and people all get through.
func TestLimitHoldsInEveryMinute(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		limits := map[string]int{http.MethodGet: rapid.IntRange(1, 60).Draw(rt, "gets"), http.MethodPost: rapid.IntRange(1, 30).Draw(rt, "posts")}
		method := rapid.SampledFrom([]string{http.MethodGet, http.MethodPost})
		who := rapid.SampledFrom([]caller{people, polling})
		calls := rapid.IntRange(1, 200).Draw(rt, "calls")
		rapid.SyncTest(rt, func(rt *rapid.T) {
			l := newLimiter(limits[http.MethodGet], limits[http.MethodPost])
			var mu sync.Mutex
			var wg sync.WaitGroup
			visits := map[string][]visit{}
			for range calls {
				method, who := method.Draw(rt, "method"), who.Draw(rt, "who")
				after := time.Duration(rapid.IntRange(0, 180_000).Draw(rt, "after")) * time.Millisecond
				wg.Go(func() {
					<-time.After(after)
					ctx := rt.Context()
					if who == polling {
						ctx = InBackground(ctx)
					}
					begin := time.Now()
					err := l.acquire(ctx, "op", method)
					switch {
					case who == people && err != nil:
						rt.Errorf("a person was refused: %v", err)
					case who == polling && time.Since(begin) > 0:
						rt.Errorf("polling waited %v", time.Since(begin))
					}
					if err == nil {
						mu.Lock()
						defer mu.Unlock()
						visits[method] = append(visits[method], visit{time.Now(), who})
					}
				})
			}
			wg.Wait()
			for method, all := range visits {
				audit(rt, method, limits[method], all)
			}
		})
	})
}

// audit looks at every minute that ends with a call.
func audit(t *rapid.T, method string, limit int, visits []visit) {
	share := map[string]int{http.MethodGet: 4, http.MethodPost: 3}[method]
	reserve := (limit + share - 1) / share
	// At one moment people count last: whose call it was first cannot be told.
	slices.SortFunc(visits, func(a, b visit) int {
		if c := a.at.Compare(b.at); c != 0 {
			return c
		}
		return int(b.who) - int(a.who)
	})
	at := make([]time.Time, len(visits))
	var polled []time.Time
	for i, v := range visits {
		at[i] = v.at
		if n := within(at, i); n > limit {
			t.Fatalf("%d %ss in a minute, the limit is %d", n, method, limit)
		}
		if v.who != polling {
			continue
		}
		if polled = append(polled, v.at); within(polled, len(polled)-1) > limit-reserve {
			t.Fatalf("polling made more than %d %ss in a minute; %d of %d are for people", limit-reserve, method, reserve, limit)
		}
	}
}

// spendAll makes calls until one would have to wait, and tells how many there were and what the last got.
func spendAll(ctx context.Context, t *testing.T, l *limiter, method string) (n int, err error) {
	t.Helper()
	now, cancel := context.WithTimeout(ctx, time.Millisecond) // for people: who would wait is refused
	defer cancel()
	for n = range 1000 {
		if err := l.acquire(now, "op", method); err != nil {
			return n, err
		}
	}
	t.Fatalf("%d calls and no end", n)
	return 0, nil
}

func TestPeopleHaveAReserve(t *testing.T) {
	for _, tc := range []struct {
		method      string
		limit       int
		polling     int // what polling gets of it
		afterwards  int // what people still get
		peopleFirst int // what polling gets once people have made half of the calls
	}{
		{http.MethodGet, 60, 45, 15, 30},
		{http.MethodPost, 30, 20, 10, 15},
		{http.MethodGet, 2, 1, 1, 1}, // the one that people have made was theirs
		{http.MethodPost, 1, 0, 1, 0},
	} {
		synctest.Test(t, func(t *testing.T) {
			l := newLimiter(tc.limit, tc.limit)
			begin := time.Now()
			n, err := spendAll(InBackground(t.Context()), t, l, tc.method)
			if e := asError(t, err); n != tc.polling || e.Class != Limited || e.Op != "op" || e.RetryAfter <= 0 || e.RetryAfter > 61*time.Second {
				t.Errorf("%s, %d a minute: polling got %d, want %d: %v, a rest of %v", tc.method, tc.limit, n, tc.polling, err, e.RetryAfter)
			}
			if n, _ := spendAll(t.Context(), t, l, tc.method); n != tc.afterwards {
				t.Errorf("%s, %d a minute: people got %d, want %d", tc.method, tc.limit, n, tc.afterwards)
			}
			if time.Since(begin) > 0 {
				t.Errorf("it took %v", time.Since(begin))
			}

			l = newLimiter(tc.limit, tc.limit)
			for range tc.limit / 2 {
				if err := l.acquire(t.Context(), "op", tc.method); err != nil {
					t.Fatal(err)
				}
			}
			if n, _ := spendAll(InBackground(t.Context()), t, l, tc.method); n != tc.peopleFirst {
				t.Errorf("%s, %d a minute: after people polling got %d, want %d", tc.method, tc.limit, n, tc.peopleFirst)
			}
		})
	}
}

// TestWaitIsNoLongerThanItMust: budget comes back a minute after it was spent, and RetryAfter tells when.
func TestWaitIsNoLongerThanItMust(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l, begin := newLimiter(60, 30), time.Now()
		spendAll(t.Context(), t, l, http.MethodPost)
		<-time.After(10 * time.Second)
		_, err := spendAll(t.Context(), t, l, http.MethodPost)
		rest := asError(t, err).RetryAfter
		if err := l.acquire(t.Context(), "op", http.MethodPost); err != nil {
			t.Fatal(err)
		}
		took := time.Since(begin)
		if took < time.Minute || took > time.Minute+100*time.Millisecond || took != 10*time.Second+rest {
			t.Errorf("budget came back after %v; at 10 s it was to take %v", took, rest)
		}
		if n, _ := spendAll(t.Context(), t, l, http.MethodGet); n != 60 {
			t.Errorf("the POSTs left %d GETs", n)
		}
	})
}

func TestRefusalsRestLongerAndLonger(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newLimiter(60, 30)
		for _, want := range seconds(1, 2, 4, 8, 16, 32, 60, 60) {
			if got := l.refused(0); got != want {
				t.Errorf("rest of %v, want %v", got, want)
			}
			<-time.After(want)
		}
		if got := l.refused(5 * time.Minute); got != 5*time.Minute {
			t.Errorf("the service asked for 5 m, the rest is %v", got)
		}
		l.accepted()
		if got := l.refused(0); got != time.Second {
			t.Errorf("after a success the rest is %v", got)
		}
	})
}

// seconds are as many durations.
func seconds(list ...int) []time.Duration {
	out := make([]time.Duration, len(list))
	for i, n := range list {
		out[i] = time.Duration(n) * time.Second
	}
	return out
}

// TestRest: what a rest does to a call, by who makes it and how long it is.
func TestRest(t *testing.T) {
	for _, tc := range []struct {
		name  string
		who   caller
		asked time.Duration
		waits time.Duration
		gets  bool
	}{
		{"a person waits for a short one", people, 7 * time.Second, 7 * time.Second, true},
		{"a person does not wait for a long one", people, 11 * time.Second, 0, false},
		{"polling does not wait", polling, time.Second, 0, false},
	} {
		for _, method := range []string{http.MethodGet, http.MethodPost} {
			synctest.Test(t, func(t *testing.T) {
				l, ctx := newLimiter(60, 30), t.Context()
				if tc.who == polling {
					ctx = InBackground(ctx)
				}
				l.refused(tc.asked)
				begin := time.Now()
				err := l.acquire(ctx, "op", method)
				if (err == nil) != tc.gets || time.Since(begin) != tc.waits {
					t.Errorf("%s, %s: %v after %v", tc.name, method, err, time.Since(begin))
				}
				if tc.gets {
					return
				}
				if e := asError(t, err); e.Class != Limited || e.RetryAfter != tc.asked {
					t.Errorf("%s, %s: %v, a rest of %v", tc.name, method, err, e.RetryAfter)
				}
			})
		}
	}
}

// TestRestIsNotCutShort: calls that were under way when the service asked for a long rest may be refused
// after it, without a word on how long.
func TestRestIsNotCutShort(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newLimiter(60, 30)
		l.refused(10 * time.Minute)
		l.refused(0)
		<-time.After(9 * time.Minute)
		if err := l.acquire(t.Context(), "op", http.MethodGet); ClassOf(err) != Limited {
			t.Errorf("a call went after 9 of 10 minutes: %v", err)
		}
	})
}

// TestRestBeginsWhileSomebodyWaits: who waits for budget finds out about a rest.
func TestRestBeginsWhileSomebodyWaits(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l, begin := newLimiter(1, 1), time.Now()
		spendAll(t.Context(), t, l, http.MethodGet)
		time.AfterFunc(30*time.Second, func() { l.refused(10 * time.Minute) })
		if err := l.acquire(t.Context(), "op", http.MethodGet); ClassOf(err) != Limited || time.Since(begin) > 61*time.Second {
			t.Errorf("%v after %v", err, time.Since(begin))
		}
	})
}

func TestWaitEndsWithItsContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l, begin := newLimiter(1, 1), time.Now()
		spendAll(t.Context(), t, l, http.MethodGet)

		soon, stop := context.WithTimeout(t.Context(), 59*time.Second)
		defer stop()
		if err := l.acquire(soon, "op", http.MethodGet); ClassOf(err) != Limited || time.Since(begin) > 0 {
			t.Errorf("a wait that is hopeless: %v after %v", err, time.Since(begin))
		}

		ctx, cancel := context.WithCancel(t.Context())
		time.AfterFunc(20*time.Second, cancel)
		err := l.acquire(ctx, "op", http.MethodGet)
		if ClassOf(err) != Limited || !errors.Is(err, context.Canceled) || time.Since(begin) != 20*time.Second {
			t.Errorf("a wait that is given up: %v after %v", err, time.Since(begin))
		}

		// It took no budget along.
		if err := l.acquire(t.Context(), "op", http.MethodGet); err != nil || time.Since(begin) > 61*time.Second {
			t.Errorf("the next: %v after %v", err, time.Since(begin))
		}
	})
}

// TestScope: sessions of a key share its limits, other keys have theirs, unless the service counts all
// together.
func TestScope(t *testing.T) {
	for _, global := range []bool{false, true} {
		inBubble(t, Config{GetPerMinute: 3, GlobalScope: global}, says(http.StatusOK, success(`{"balance":1}`)), func(t *bubble) {
			now, cancel := context.WithTimeout(t.Context(), time.Second)
			defer cancel()
			for range 3 {
				if _, err := t.client.As(secret.New("a")).Balance(now, 0); err != nil {
					t.Fatal(err)
				}
			}
			if _, err := t.client.As(secret.New("a")).Balance(now, 0); ClassOf(err) != Limited {
				t.Errorf("global %v, the same key: %v", global, err)
			}
			if _, err := t.client.As(secret.New("b")).Balance(now, 0); (ClassOf(err) == Limited) != global {
				t.Errorf("global %v, another key: %v", global, err)
			}
		})
	}
}

// TestServiceRefusal: a 429 of the service rests the key, for as long as its answer says.
func TestServiceRefusal(t *testing.T) {
	for _, tc := range []struct {
		header []string
		want   time.Duration
	}{
		{nil, time.Second},
		{[]string{"Retry-After", "7"}, 7 * time.Second},
		{[]string{"Retry-After", " 0 "}, time.Second},
		{[]string{"Retry-After", "-5"}, time.Second},
		{[]string{"Retry-After", "Sat, 01 Jan 2000 00:00:20 GMT", "Date", "Sat, 01 Jan 2000 00:00:00 GMT"}, 20 * time.Second},
		{[]string{"Retry-After", "Fri, 31 Dec 1999 23:00:00 GMT", "Date", "Sat, 01 Jan 2000 00:00:00 GMT"}, time.Second},
		{[]string{"Retry-After", "999999"}, 5 * time.Minute},
		{[]string{"Retry-After", "9223372037"}, 5 * time.Minute},
	} {
		service := says(http.StatusTooManyRequests, failure("Too Many Requests"), tc.header...)
		inBubble(t, Config{}, service, func(t *bubble) {
			s := t.client.As(secret.New("a"))
			_, err := s.Balance(t.Context(), 0)
			if e := asError(t, err); e.Class != Limited || e.Status != http.StatusTooManyRequests || e.RetryAfter != tc.want {
				t.Errorf("%q: %v, a rest of %v, want %v", tc.header, err, e.RetryAfter, tc.want)
			}
			_, err = s.Balance(InBackground(t.Context()), 0)
			if e := asError(t, err); e.Class != Limited || e.Status != 0 || e.RetryAfter != tc.want {
				t.Errorf("%q: the next call: %v, a rest of %v", tc.header, err, e.RetryAfter)
			}
			_, err = t.client.As(secret.New("b")).Balance(t.Context(), 0)
			if e := asError(t, err); e.Status == 0 {
				t.Errorf("%q: another key rests too: %v", tc.header, err)
			}
		})
	}
}

// TestSuccessEndsTheGrowthOfRests: a read that gets through shows that the service has calmed down.
func TestSuccessEndsTheGrowthOfRests(t *testing.T) {
	var asked atomic.Int64
	service := func(w http.ResponseWriter, r *http.Request) {
		if asked.Add(1) == 3 {
			io.WriteString(w, success(`{"balance":1}`))
			return
		}
		says(http.StatusTooManyRequests, failure("Too Many Requests"))(w, r)
	}
	inBubble(t, Config{}, service, func(t *bubble) {
		for i, want := range seconds(1, 2, 0, 1, 2) {
			_, err := t.client.As(secret.New("a")).Balance(t.Context(), 0)
			if e, refused := errors.AsType[*Error](err); refused != (want > 0) || refused && e.RetryAfter != want {
				t.Errorf("call %d: %v, want a rest of %v", i+1, err, want)
			}
		}
	})
}

// TestIdleKeysAreForgotten, so that keys that were tried once do not pile up.
func TestIdleKeysAreForgotten(t *testing.T) {
	inBubble(t, Config{}, says(http.StatusOK, success(`{"balance":1}`)), func(t *bubble) {
		for i := range 100 {
			t.client.As(secret.New(string(rune('A' + i))))
		}
		<-time.After(20 * time.Minute)
		t.client.As(secret.New("A"))
		<-time.After(20 * time.Minute)
		t.client.As(secret.New("new"))
		if len(t.client.keys) != 2 || t.client.keys["A"] == nil {
			t.Errorf("%d keys are remembered", len(t.client.keys))
		}
	})
}

// TestLimitAfterATakeOver: what another process has called in the last minute is not known. Half of each window is taken for used
// until it has passed, for people and for polling.
func TestLimitAfterATakeOver(t *testing.T) {
	for _, global := range []bool{false, true} {
		for name, test := range map[string]struct {
			after                time.Duration // between the take-over and the first call
			people, polled, left int           // calls that go at once, of 30 and of polling's 20; what polling should spend
		}{
			"at once":         {0, 15, 10, 5},
			"half a minute":   {30 * time.Second, 15, 10, 10},
			"a minute later":  {minute + time.Second, 30, 20, 10},
			"nobody has been": {-1, 30, 20, 10},
		} {
			synctest.Test(t, func(t *testing.T) {
				cfg := Config{BaseURL: "http://service.test/api", GlobalScope: global}
				if test.after >= 0 {
					cfg.OthersUntil = time.Now()
				}
				c, err := New(cfg)
				if err != nil {
					t.Fatal(err)
				}
				defer c.Close()
				<-time.After(test.after)
				if a := c.As(secret.New("another")).Allowance(http.MethodPost); int(a.Left) != test.left {
					t.Errorf("%s: polling should spend %v, want %d", name, a.Left, test.left)
				}
				for who, want := range map[caller]int{people: test.people, polling: test.polled} {
					if global && who == polling { // it shares the counter, which people have used up or not yet
						continue
					}
					l, went := c.As(secret.New("key of "+strconv.Itoa(int(who)))).state.limiter, 0
					for wait := time.Duration(0); wait == 0 && went < 60; {
						if wait, _ = l.try(time.Now(), http.MethodPost, who); wait == 0 {
							went++
						}
					}
					if went != want {
						t.Errorf("%s: %d calls of %d go at once, want %d", name, went, who, want)
					}
				}
			})
		}
	}
}

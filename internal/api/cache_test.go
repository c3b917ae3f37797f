package api

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"resellerbot/internal/secret"
)

// counting is a service whose balance is how often it was asked. The n-th answer takes takes[n-1].
func counting(takes ...time.Duration) (service http.HandlerFunc, asked *atomic.Int64) {
	asked = new(atomic.Int64)
	return func(w http.ResponseWriter, r *http.Request) {
		n := asked.Add(1)
		if int(n) <= len(takes) {
			dawdle(r, takes[n-1])
		}
		io.WriteString(w, success(fmt.Sprintf(`{"balance":%d}`, n)))
	}, asked
}

// expect reads the balance, which tells the question that it answers.
func (t *bubble) expect(ctx context.Context, s *Session, maxAge time.Duration, question string) {
	t.Helper()
	b, err := s.Balance(ctx, maxAge)
	if err != nil || b.Balance.String() != question {
		t.Errorf("got the answer to question %s, %v; want that to %s", b.Balance, err, question)
	}
}

func TestCacheAges(t *testing.T) {
	service, _ := counting()
	inBubble(t, Config{}, service, func(t *bubble) {
		s, ctx := t.client.As(secret.New("a")), t.Context()
		t.expect(ctx, s, time.Minute, "1")
		<-time.After(59 * time.Second)
		t.expect(ctx, s, time.Minute, "1")
		t.expect(InBackground(ctx), s, time.Minute, "1")
		t.expect(ctx, t.client.As(secret.New("a")), time.Minute, "1") // another session of the key
		t.expect(ctx, t.client.As(secret.New("b")), time.Minute, "2") // another key
		<-time.After(time.Second)
		t.expect(ctx, s, time.Minute, "3")
		t.expect(ctx, s, 0, "4")
		t.expect(ctx, s, time.Minute, "4") // what somebody made sure of serves the others
		s.Forget()
		t.expect(ctx, s, time.Minute, "5")
		t.expect(ctx, t.client.As(secret.New("b")), 2*time.Minute, "2") // Forget is of one key
	})
}

// TestCacheIsPerOperation: one read's answer is not another's.
func TestCacheIsPerOperation(t *testing.T) {
	data := map[string]string{"/api/balance": `{"balance":1}`, "/api/stock": "[]", "/api/products": "[]"}
	asked := make(chan string, 9)
	service := func(w http.ResponseWriter, r *http.Request) {
		asked <- r.URL.Path
		io.WriteString(w, success(data[r.URL.Path]))
	}
	inBubble(t, Config{}, service, func(t *bubble) {
		s, ctx := t.client.As(secret.New("a")), t.Context()
		for range 2 {
			_, errB := s.Balance(ctx, time.Minute)
			_, errS := s.Stock(ctx, time.Minute)
			_, errP := s.Products(ctx, time.Minute)
			if err := errors.Join(errB, errS, errP); err != nil {
				t.Fatal(err)
			}
		}
		if len(asked) != 3 {
			t.Errorf("%d requests for three reads, twice each", len(asked))
		}
	})
}

// TestAgeCountsFromTheQuestion: what an answer says was true when it was asked for, at best.
func TestAgeCountsFromTheQuestion(t *testing.T) {
	service, _ := counting(10 * time.Second)
	inBubble(t, Config{}, service, func(t *bubble) {
		s := t.client.As(secret.New("a"))
		t.expect(t.Context(), s, 5*time.Second, "1")
		t.expect(t.Context(), s, 11*time.Second, "1")
		t.expect(t.Context(), s, 5*time.Second, "2")
	})
}

func TestFailuresAreNotCached(t *testing.T) {
	var asked atomic.Int64
	service := func(w http.ResponseWriter, _ *http.Request) {
		if asked.Add(1) == 1 {
			w.WriteHeader(http.StatusBadGateway)
			return
		}
		io.WriteString(w, success(`{"balance":2}`))
	}
	inBubble(t, Config{}, service, func(t *bubble) {
		s := t.client.As(secret.New("a"))
		if _, err := s.Balance(t.Context(), time.Hour); ClassOf(err) != Upstream {
			t.Errorf("err = %v", err)
		}
		t.expect(t.Context(), s, time.Hour, "2")
	})
}

// TestReadsUnderWayAreJoined, and a caller that goes away, the first of them included, leaves the others
// their answer.
func TestReadsUnderWayAreJoined(t *testing.T) {
	for _, leaver := range []int{0, 3} {
		service, asked := counting(10 * time.Second)
		inBubble(t, Config{}, service, func(t *bubble) {
			var wg sync.WaitGroup
			for i := range 6 {
				wg.Go(func() {
					ctx, cancel := context.WithCancel(t.Context())
					defer cancel()
					if i != leaver {
						t.expect(ctx, t.client.As(secret.New("a")), time.Minute, "1")
						return
					}
					begin := time.Now()
					time.AfterFunc(time.Second, cancel)
					_, err := t.client.As(secret.New("a")).Balance(ctx, time.Minute)
					if ClassOf(err) != Upstream || !errors.Is(err, context.Canceled) || time.Since(begin) != time.Second {
						t.Errorf("the one that left: %v after %v", err, time.Since(begin))
					}
				})
				synctest.Wait()
			}
			wg.Wait()
			if n := asked.Load(); n != 1 {
				t.Errorf("%d requests", n)
			}
		})
	}
}

// TestJoinedFailuresAreNotChanged: who joins a read gets the same error as the others, and must leave it
// alone. The race detector tells.
func TestJoinedFailuresAreNotChanged(t *testing.T) {
	service := func(w http.ResponseWriter, r *http.Request) {
		dawdle(r, time.Second)
		says(http.StatusNotFound, failure("The route could not be found."))(w, r)
	}
	for _, op := range []string{"plans", "history"} {
		inBubble(t, Config{}, service, func(t *bubble) {
			var wg sync.WaitGroup
			for range 4 {
				wg.Go(func() {
					var err error
					if s := t.client.As(secret.New("a")); op == "plans" {
						_, err = s.Plans(t.Context(), time.Minute)
					} else {
						_, err = s.History(t.Context(), Goods, time.Minute)
					}
					if ClassOf(err) != NotOffered {
						t.Errorf("%s: %v", op, err)
					}
				})
			}
			wg.Wait()
		})
	}
}

// TestWhoIsNotJoined: a read that wants to be sure, another key's, and one that nobody looks at do not
// share an answer that is under way.
func TestWhoIsNotJoined(t *testing.T) {
	service, asked := counting(10*time.Second, 10*time.Second, 10*time.Second, 10*time.Second)
	inBubble(t, Config{}, service, func(t *bubble) {
		a, b := t.client.As(secret.New("a")), t.client.As(secret.New("b"))
		reads := []func(){
			func() { t.expect(t.Context(), a, time.Minute, "1") },
			func() { t.expect(t.Context(), a, 0, "2") },
			func() { t.expect(t.Context(), b, time.Minute, "3") },
			func() { t.expect(InBackground(t.Context()), a, time.Minute, "4") },
		}
		var wg sync.WaitGroup
		for _, read := range reads {
			wg.Go(read)
			synctest.Wait()
		}
		wg.Wait()
		if n := asked.Load(); n != 4 {
			t.Errorf("%d requests", n)
		}
	})
}

// TestPollingDoesNotDecideForPeople: where polling has to give up, a person's read waits for its turn.
func TestPollingDoesNotDecideForPeople(t *testing.T) {
	service, _ := counting()
	inBubble(t, Config{GetPerMinute: 2}, service, func(t *bubble) {
		s := t.client.As(secret.New("a"))
		t.expect(t.Context(), s, 0, "1")
		t.expect(t.Context(), s, 0, "2")
		<-time.After(40 * time.Second)
		if _, err := s.Balance(InBackground(t.Context()), time.Second); ClassOf(err) != Limited {
			t.Errorf("polling: %v", err)
		}
		t.expect(t.Context(), s, time.Second, "3")
	})
}

// TestForgetWhileAReadIsUnderWay: an answer to a question from before is neither kept nor given to who asks
// afterwards.
func TestForgetWhileAReadIsUnderWay(t *testing.T) {
	service, _ := counting(10*time.Second, 12*time.Second)
	inBubble(t, Config{}, service, func(t *bubble) {
		s := t.client.As(secret.New("a"))
		var wg sync.WaitGroup
		wg.Go(func() { t.expect(t.Context(), s, time.Minute, "1") })
		synctest.Wait()
		s.Forget()
		wg.Go(func() { t.expect(t.Context(), s, time.Minute, "2") })
		wg.Wait()
		t.expect(t.Context(), s, time.Minute, "2")
	})
	service, _ = counting(10 * time.Second)
	inBubble(t, Config{}, service, func(t *bubble) {
		s := t.client.As(secret.New("a"))
		time.AfterFunc(time.Second, s.Forget)
		t.expect(t.Context(), s, time.Minute, "1")
		t.expect(t.Context(), s, time.Minute, "2")
	})
}

// TestOldAnswerDoesNotReplaceANewOne: answers need not come in the order of their questions.
func TestOldAnswerDoesNotReplaceANewOne(t *testing.T) {
	service, _ := counting(10*time.Second, time.Second)
	inBubble(t, Config{}, service, func(t *bubble) {
		s := t.client.As(secret.New("a"))
		var wg sync.WaitGroup
		wg.Go(func() { t.expect(t.Context(), s, 0, "1") })
		<-time.After(time.Second)
		t.expect(t.Context(), s, 0, "2")
		wg.Wait()
		t.expect(t.Context(), s, time.Minute, "2")
	})
}

// TestReadThatNobodyWaitsForEnds: otherwise it would hold its place, and everybody who joins it, for ever.
func TestReadThatNobodyWaitsForEnds(t *testing.T) {
	service, _ := counting(time.Hour)
	inBubble(t, Config{ReadTimeout: 5 * time.Second}, service, func(t *bubble) {
		s := t.client.As(secret.New("a"))
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		if _, err := s.Balance(ctx, time.Minute); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("err = %v", err)
		}
		<-time.After(10 * time.Second)
		t.expect(t.Context(), s, time.Minute, "2")
	})
}

package api

import (
	"net/http"
	"testing"
	"testing/synctest"
	"time"
)

// TestAllowance: what polling should spend, after what others and polling itself have spent.
func TestAllowance(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newLimiter(60, 30)
		want := func(what, method string, left float64, rest time.Duration) {
			t.Helper()
			a := l.allowance(time.Now(), method)
			wait := max(time.Until(a.NotBefore), 0)
			if d := a.Left - left; d < -0.01 || d > 0.01 || wait != rest {
				t.Errorf("%s: %.2f calls and a rest of %v, want %.2f and %v", what, a.Left, wait, left, rest)
			}
		}
		spend := func(method string, who caller, n int) {
			t.Helper()
			ctx := t.Context()
			if who == polling {
				ctx = InBackground(ctx)
			}
			for range n {
				if err := l.acquire(ctx, "op", method); err != nil {
					t.Fatal(err)
				}
			}
		}
		want("at first", http.MethodPost, 10, 0)
		want("at first", http.MethodGet, 22.5, 0)
		spend(http.MethodPost, polling, 6)
		want("after six", http.MethodPost, 4, 0)
		want("after six POSTs", http.MethodGet, 22.5, 0)
		<-time.After(10 * time.Second)
		want("10 s later", http.MethodPost, 6.167, 0)
		<-time.After(time.Hour)
		want("an hour later", http.MethodPost, 10, 0)
		spend(http.MethodPost, people, 10)
		want("after people's calls out of their reserve", http.MethodPost, 10, 0)
		spend(http.MethodPost, people, 13)
		want("after people's calls beyond it", http.MethodPost, 7, 0)
		spend(http.MethodPost, people, 7)
		want("where people have used all of it", http.MethodPost, 0, minute+safetyEdge)
		<-time.After(minute + safetyEdge)
		want("a minute later", http.MethodPost, 10, 0)
		l.refused(20 * time.Second)
		want("when the service asks for quiet", http.MethodPost, 10, 20*time.Second)
	})
	synctest.Test(t, func(t *testing.T) {
		l := newLimiter(60, 30)
		for range 20 { // all of polling's share
			if err := l.acquire(InBackground(t.Context()), "op", http.MethodPost); err != nil {
				t.Fatal(err)
			}
		}
		if a := l.allowance(time.Now(), http.MethodPost); a.Left != 0 || time.Until(a.NotBefore) != minute+safetyEdge {
			t.Errorf("where polling has used its share: %+v", a)
		}
	})
	if a := newLimiter(1, 1).allowance(time.Now(), http.MethodPost); a.Left != 0 || a.PerSecond != 0 {
		t.Errorf("where all of it is for people: %+v", a)
	}
}

package notify

import (
	"testing"
	"time"
)

func TestBackoffs(t *testing.T) {
	for _, tc := range []struct {
		name string
		wait func(int) time.Duration
		want map[int]time.Duration
	}{
		{"repeatAfter", repeatAfter, map[int]time.Duration{0: 2 * time.Second, 1: 2 * time.Second, 2: 4 * time.Second, 3: 8 * time.Second, 5: 32 * time.Second, 6: time.Minute, 1 << 30: time.Minute}},
		{"outageWait", outageWait, map[int]time.Duration{1: time.Second, 2: 2 * time.Second, 6: 32 * time.Second, 7: time.Minute, 1 << 30: time.Minute}},
		{"restAfter", restAfter, map[int]time.Duration{0: time.Hour, 1: time.Hour, 2: 6 * time.Hour, 3: 24 * time.Hour, 4: 72 * time.Hour, 99: 72 * time.Hour}},
	} {
		for n, want := range tc.want {
			if got := tc.wait(n); got != want {
				t.Errorf("%s(%d) = %v, want %v", tc.name, n, got, want)
			}
		}
	}
}

func TestNextLook(t *testing.T) {
	for age, want := range map[time.Duration]time.Duration{
		-time.Second: 400 * time.Millisecond, 0: 400 * time.Millisecond, 2 * time.Second: 400 * time.Millisecond,
		10 * time.Second: 1500 * time.Millisecond, time.Minute: 9 * time.Second, 10 * time.Minute: time.Minute,
		24*time.Hour - 1: time.Minute, 24 * time.Hour: time.Hour, 1000 * time.Hour: time.Hour,
	} {
		if got := NextLook(age); got != want {
			t.Errorf("NextLook(%v) = %v, want %v", age, got, want)
		}
	}
}

func TestSpread(t *testing.T) {
	for f, want := range map[float64]time.Duration{0: 9 * time.Second, 0.5: 10 * time.Second, 1: 11 * time.Second} {
		if got := spread(10*time.Second, f); got != want {
			t.Errorf("spread by %v = %v, want %v", f, got, want)
		}
	}
}

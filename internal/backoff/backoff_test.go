package backoff_test

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"resellerbot/internal/backoff"
)

func TestDoubled(t *testing.T) {
	for failures, want := range map[int]time.Duration{
		-1: time.Second, 0: time.Second, 1: time.Second, 2: 2 * time.Second, 4: 8 * time.Second, 7: time.Minute, 1000: time.Minute,
	} {
		if got := backoff.Doubled(time.Second, time.Minute, failures); got != want {
			t.Errorf("after %d failures %v, want %v", failures, got, want)
		}
	}
}

func TestSleep(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		begin := time.Now()
		if !backoff.Sleep(t.Context(), time.Minute) || time.Since(begin) != time.Minute {
			t.Errorf("it slept %v", time.Since(begin))
		}
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		if begin = time.Now(); backoff.Sleep(ctx, time.Hour) || time.Since(begin) != time.Second {
			t.Errorf("its end was waited for, or %v", time.Since(begin))
		}
	})
}

func TestWithGrace(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, stop := context.WithCancel(t.Context())
		longer, cancel := backoff.WithGrace(ctx, time.Minute)
		defer cancel()
		time.AfterFunc(time.Hour, stop)
		begin := time.Now()
		<-longer.Done()
		if took := time.Since(begin); took != time.Hour+time.Minute {
			t.Errorf("it ends after %v", took)
		}
		over, cancel := backoff.WithGrace(ctx, time.Minute)
		if cancel(); over.Err() == nil {
			t.Error("it goes on")
		}
	})
}

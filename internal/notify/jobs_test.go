package notify

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"resellerbot/internal/telegram/telegramtest"
)

// runJobs runs jobs for a while.
func runJobs(t *testing.T, j *Jobs, d time.Duration) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), d)
	defer cancel()
	if err := j.Run(ctx); err != nil {
		t.Error(err)
	}
}

// TestPanicDoesNotDisableAJob: nor is what it panicked with logged.
func TestPanicDoesNotDisableAJob(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var out bytes.Buffer
		j := NewJobs(time.UTC, slog.New(slog.NewTextHandler(&out, nil)))
		runs := 0
		if err := j.Add("@every 1s", "careless", func(context.Context) error {
			if runs++; runs%2 == 1 {
				panic("CODE-123")
			}
			return errors.New("no luck")
		}); err != nil {
			t.Fatal(err)
		}
		runJobs(t, j, 60*time.Second+time.Millisecond)
		if runs != 60 {
			t.Errorf("%d runs in a minute", runs)
		}
		if log := out.String(); strings.Contains(log, "CODE-123") || !strings.Contains(log, "job=careless err=\"no luck\"") {
			t.Error(log[:min(len(log), 2000)])
		}
	})
}

func TestJobsDoNotOverlapAndAreWaitedFor(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		j := NewJobs(time.UTC, telegramtest.Discard())
		var now, worst, ended int
		if err := j.Add("@every 1s", "slow", func(ctx context.Context) error {
			now++
			worst = max(worst, now)
			<-ctx.Done()
			<-time.After(3 * time.Second)
			now--
			ended++
			return ctx.Err()
		}); err != nil {
			t.Fatal(err)
		}
		runJobs(t, j, 10*time.Second)
		if worst != 1 || ended != 1 || now != 0 {
			t.Errorf("%d at once, %d ended, %d still run", worst, ended, now)
		}
	})
}

func TestAddAll(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		j := NewJobs(time.FixedZone("", 3600), telegramtest.Discard())
		var often, daily atomic.Int32
		if err := j.AddAll(
			Job{Name: "often", Spec: "@every 2s", Run: func(context.Context) error { often.Add(1); return nil }},
			Job{Name: "daily", Spec: "30 1 * * *", Run: func(context.Context) error { daily.Add(1); return nil }},
		); err != nil {
			t.Fatal(err)
		}
		runJobs(t, j, 31*time.Minute) // from 01:00 in that zone
		if often.Load() != 930 || daily.Load() != 1 {
			t.Errorf("%d and %d runs", often.Load(), daily.Load())
		}
		err := NewJobs(time.UTC, telegramtest.Discard()).AddAll(Job{Name: "odd", Spec: "now and then"}, Job{Name: "fine", Spec: "@daily"})
		if err == nil || !strings.Contains(err.Error(), "schedule odd") || strings.Contains(err.Error(), "fine") {
			t.Errorf("err = %v", err)
		}
	})
}

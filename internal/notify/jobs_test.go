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
		j := NewJobs(time.UTC, discard())
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

func TestChores(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		j := NewJobs(time.UTC, discard())
		var polls, drafts, prunes atomic.Int32
		chores := Chores{
			PollSchedule: "@every 2s",
			Poll:         func() { polls.Add(1) },
			ExpireDrafts: func(context.Context) error { drafts.Add(1); return nil },
			PruneInbox:   func(context.Context, time.Time, int) (int, error) { prunes.Add(1); return 0, nil },
		}
		if err := j.AddChores(chores); err != nil {
			t.Fatal(err)
		}
		runJobs(t, j, time.Minute+time.Millisecond)
		if polls.Load() != 30 || drafts.Load() != 6 || prunes.Load() != 1 {
			t.Errorf("%d polls, %d, %d", polls.Load(), drafts.Load(), prunes.Load())
		}
		chores.PollSchedule = "now and then"
		if err := NewJobs(time.UTC, discard()).AddChores(chores); err == nil || !strings.Contains(err.Error(), "schedule poll") {
			t.Errorf("err = %v", err)
		}
	})
}

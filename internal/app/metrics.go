package app

import (
	"context"
	"errors"
	"os"
	"strings"
	"sync/atomic"
	"time"

	"resellerbot/internal/metrics"
	"resellerbot/internal/notify"
	"resellerbot/internal/store"
	"resellerbot/internal/store/bolt"
)

// timedEngine tells how long units of work take to be on disk.
type timedEngine struct {
	store.Engine

	committed func(kind string, took time.Duration)
}

// Update implements store.Engine.
func (t timedEngine) Update(ctx context.Context, fn func(store.RecordTx) error) error {
	defer t.since("update", time.Now())
	return t.Engine.Update(ctx, fn)
}

// Batch implements store.Engine.
func (t timedEngine) Batch(ctx context.Context, fn func(store.RecordTx) error) error {
	defer t.since("batch", time.Now())
	return t.Engine.Batch(ctx, fn)
}

func (t timedEngine) since(kind string, begin time.Time) { t.committed(kind, time.Since(begin)) }

// errNotEnded: a job has panicked.
var errNotEnded = errors.New("did not end")

// counted has the runs of a job counted.
func (a *app) counted(job notify.Job) notify.Job {
	done := a.figures.Job(job.Name)
	run := job.Run
	job.Run = func(ctx context.Context) (err error) {
		err = errNotEnded
		defer func() {
			if ctx.Err() == nil {
				done(err)
				a.jobsRan.Ran(job.Name, time.Now(), a.cfg.hideIn(err))
			}
		}()
		err = run(ctx)
		return err
	}
	return job
}

// addJobs schedules jobs, counted.
func (a *app) addJobs(jobs ...notify.Job) error {
	for i, job := range jobs {
		jobs[i] = a.counted(job)
	}
	return a.jobs.AddAll(jobs...)
}

// gauge is a number that is not known at first.
type gauge struct {
	value atomic.Int64
	known atomic.Bool
}

// set makes the number known.
func (g *gauge) set(n int) {
	g.value.Store(int64(n))
	g.known.Store(true)
}

// get is the number, and whether it is known.
func (g *gauge) get() (n int, known bool) { return int(g.value.Load()), g.known.Load() }

// copies says where the copies of the database stand.
func (a *app) copies() (c metrics.Copies, made bool) {
	if a.backups == "" {
		return c, false
	}
	every, err := notify.Interval(a.cfg.BackupSchedule, a.cfg.Zone, time.Now())
	if err != nil { // the configuration was read by the same
		return c, false
	}
	c.Every = every
	if names, err := a.copiesMade(); err == nil && len(names) > 0 {
		at, _, _ := strings.Cut(strings.TrimPrefix(names[0], a.backupPrefix()), ".")
		if c.Last, err = time.Parse(backupTime, at); err == nil {
			return c, true
		}
	}
	if info, err := os.Stat(bolt.IDFile(a.copier.database)); err == nil {
		c.Last = info.ModTime()
	}
	return c, true
}

// showFigures serves the figures.
func (a *app) showFigures() {
	a.figures.Read(metrics.Sources{
		Store: a.store, Budget: a.service.Budget, DatabaseSize: a.engine.Size, AtTelegram: a.atTelegram.get, Copies: a.copies,
		Ready: func() bool { return len(a.front.health.troubles(time.Now())) == 0 },
	})
	a.front.metrics.set(a.figures.Handler())
}

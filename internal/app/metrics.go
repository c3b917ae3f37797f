package app

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"time"

	"resellerbot/internal/metrics"
	"resellerbot/internal/notify"
	"resellerbot/internal/store"
	"resellerbot/internal/store/bolt"
)

// timedEngine tells how long transactions take to be on disk.
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

// GetMany implements store.ManyGetter, as the engine does.
// An interface that is embedded hides what its value can do besides: without this and Same, the store would take the engine for
// one that reads one by one.
func (t timedEngine) GetMany(ctx context.Context, places ...store.RecordKey) (map[store.RecordKey]store.Record, error) {
	return store.GetMany(ctx, t.Engine, places...)
}

// Same implements store.Comparer, as the engine does.
func (t timedEngine) Same(ctx context.Context, read ...store.Record) (bool, error) {
	return store.Same(ctx, t.Engine, read...)
}

func (t timedEngine) since(kind string, begin time.Time) { t.committed(kind, time.Since(begin)) }

// errNotEnded: a job has panicked.
var errNotEnded = errors.New("did not end")

// counted has the runs of a job counted.
func (a *app) counted(job notify.Job) notify.Job {
	done := a.figures.Job(job.Name)
	run := job.Run
	job.Run = func(ctx context.Context) (err error) {
		// It stays where the run panics: cron recovers, and the deferred function would else count a success.
		err = errNotEnded
		defer func() {
			// A run that a stop has cut says nothing of the job.
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
		// By its name: the time of the file changes where a copy is carried elsewhere and back.
		at, _, _ := strings.Cut(strings.TrimPrefix(names[0], a.backupPrefix()), ".")
		if c.Last, err = time.Parse(backupTime, at); err == nil {
			return c, true
		}
	}
	// No copy yet: the database's own age counts, so that one which is never copied becomes late.
	for _, made := range []string{bolt.IDFile(a.copier.database), a.copier.database + sinceSuffix} {
		if info, err := os.Stat(made); err == nil {
			c.Last = info.ModTime()
			return c, true
		}
	}
	c.Last = a.begun
	return c, true
}

// sinceSuffix is behind DATABASE_PATH in the name of a file that says since when copies of a server's database are wanted:
// before there is one, nothing else on this machine does.
const sinceSuffix = ".since"

// noteSince writes that file, where it is not there.
func (a *app) noteSince() {
	if a.cfg.DatabaseURL.IsZero() || a.backups == "" {
		return
	}
	name := a.copier.database + sinceSuffix
	err := os.MkdirAll(filepath.Dir(name), 0o700)
	if err == nil {
		var f *os.File
		if f, err = os.OpenFile(name, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600); err == nil {
			err = f.Close()
		}
	}
	if err != nil && !errors.Is(err, fs.ErrExist) {
		a.log.Warn("note since when copies of the database are wanted", "err", err)
	}
}

// showFigures serves the figures.
func (a *app) showFigures() {
	a.figures.Read(metrics.Sources{
		Store: a.store, Budget: a.service.Budget, DatabaseSize: a.engine.Size, AtTelegram: a.atTelegram.get, Copies: a.copies,
		Lease: a.leads, Overdue: a.overdue,
	})
}

// leads says how this process leads, if others could.
func (a *app) leads(ctx context.Context) (l metrics.Lease, led bool, err error) {
	s, ok := a.engine.(server)
	if !ok {
		return l, false, nil
	}
	now, err := s.Leadership(ctx)
	return metrics.Lease(now), true, err
}

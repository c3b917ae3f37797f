package notify

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"github.com/robfig/cron/v3"
)

// Jobs runs what has a schedule. A job that is still running is skipped, never started twice; a panic
// costs one run.
type Jobs struct {
	cron  *cron.Cron
	log   *slog.Logger
	added []scheduled
}

// scheduled is a job whose spec was read.
type scheduled struct {
	when cron.Schedule
	name string
	run  func(context.Context) error
}

// NewJobs makes a scheduler whose specs are read in loc.
func NewJobs(loc *time.Location, log *slog.Logger) *Jobs {
	to := cronLog{log}
	return &Jobs{cron: cron.New(cron.WithLocation(loc), cron.WithLogger(to)), log: log}
}

// Add has a job run by a cron spec ("@every 1s", "0 4 * * *"); an error is about the spec. It must be
// called before Run. The job's context ends when Run is told to stop.
func (j *Jobs) Add(spec, name string, job func(context.Context) error) error {
	when, err := parseSpec(spec)
	if err != nil {
		return fmt.Errorf("schedule %s: %w", name, err)
	}
	j.added = append(j.added, scheduled{when, name, job})
	return nil
}

// Job is something that runs by a schedule.
type Job struct {
	Name string // for logs
	Spec string // as Add takes it
	Run  func(context.Context) error
}

// AddAll schedules several jobs. The error names those whose spec is wrong.
func (j *Jobs) AddAll(jobs ...Job) error {
	var errs []error
	for _, job := range jobs {
		errs = append(errs, j.Add(job.Spec, job.Name, job.Run))
	}
	return errors.Join(errs...)
}

// parseSpec reads a cron spec. One that names hours of days means each of them once, also where clocks are changed.
func parseSpec(spec string) (cron.Schedule, error) {
	when, err := cron.ParseStandard(spec)
	if err != nil {
		return nil, err
	}
	// Two runs in a row tell what comes once a day or more rarely from what comes more often. In UTC no clock is changed.
	first := when.Next(time.Date(2001, 1, 1, 0, 0, 0, 0, time.UTC))
	if when.Next(first).Sub(first) < 24*time.Hour {
		return when, nil // an hour more or less of it is seen by nobody
	}
	return daily{when}, nil
}

// daily is a schedule by the hour of a day, which some days do not have, and others twice.
type daily struct{ when cron.Schedule }

// Next implements cron.Schedule. It reckons by what clocks on the wall show: an hour that a day does not have comes as much
// later as the clock was set forward, and of two of the same the one counts that time.Date names.
func (d daily) Next(now time.Time) time.Time {
	for shown := d.when.Next(onTheWall(now)); !shown.IsZero(); shown = d.when.Next(shown) {
		at := time.Date(shown.Year(), shown.Month(), shown.Day(), shown.Hour(), shown.Minute(), shown.Second(), 0, now.Location())
		if early := shown.Sub(onTheWall(at)); early > 0 { // the day has no such hour, and this is what was before it
			at = at.Add(early)
		}
		if at.After(now) {
			return at
		}
	}
	return time.Time{}
}

// onTheWall is what a clock on the wall shows, as a time of no zone.
func onTheWall(t time.Time) time.Time {
	return time.Date(t.Year(), t.Month(), t.Day(), t.Hour(), t.Minute(), t.Second(), 0, time.UTC)
}

// Interval is the time between the next two runs of a job by its spec, in a zone.
func Interval(spec string, zone *time.Location, now time.Time) (time.Duration, error) {
	when, err := parseSpec(spec)
	if err != nil {
		return 0, err
	}
	next := when.Next(now.In(zone))
	return when.Next(next).Sub(next), nil
}

// Run runs the jobs by their schedules until ctx is done and the last of them has ended.
func (j *Jobs) Run(ctx context.Context) error {
	var running sync.WaitGroup
	ended := make(chan struct{})
	for _, job := range j.added {
		w := worker{name: job.name, due: make(chan struct{}), busy: make(chan struct{}, 1), ended: ended, log: cronLog{j.log}}
		j.cron.Schedule(job.when, cron.FuncJob(w.beat))
		running.Go(func() {
			w.work(func() {
				if err := job.run(ctx); err != nil && !errors.Is(err, context.Canceled) {
					j.log.Error("job failed", "job", job.name, "err", err)
				}
			})
		})
	}
	j.cron.Start()
	<-ctx.Done()
	// Stop returns at once; its context ends with the last beat. The store may be closed only after the last job.
	<-j.cron.Stop().Done()
	// Behind the last beat: one that has its token waits until work takes it, and would wait for ever for a worker that is gone.
	close(ended)
	running.Wait()
	return nil
}

// worker runs one job at its beats. It stays: cron makes a goroutine for each beat, and those of jobs that come every second of a
// day would each grow a stack of their own.
type worker struct {
	name  string        // of the job
	due   chan struct{} // a beat that is to be run
	busy  chan struct{} // holds a token while the job runs, or is about to
	ended chan struct{} // closed where no beat comes any more
	log   cronLog
}

// beat has the job run, unless it still does.
func (w worker) beat() {
	select {
	// The token is taken here and given back by work: between the two there is one run, whether it has begun or not.
	case w.busy <- struct{}{}:
		w.due <- struct{}{}
	default:
		w.log.Info("skip", "job", w.name)
	}
}

// work runs the job until no beat comes any more. A panic costs one run.
func (w worker) work(job func()) {
	careful := cron.NewChain(cron.Recover(w.log)).Then(cron.FuncJob(job))
	for {
		select {
		case <-w.due:
			careful.Run()
			<-w.busy
		case <-w.ended:
			return
		}
	}
}

// cronLog is cron's logger over slog.
type cronLog struct{ log *slog.Logger }

// Info implements cron.Logger. A run that was left out is told; that cron woke, ran a job and sleeps again, every
// second of a day, is not.
func (l cronLog) Info(msg string, keysAndValues ...any) {
	if msg == "skip" {
		l.log.Debug("cron: "+msg, keysAndValues...)
	}
}

// Error implements cron.Logger. A recovered panic comes here; its value may hold what must not be
// logged, so its type stands for it.
func (l cronLog) Error(err error, msg string, keysAndValues ...any) {
	l.log.Error("cron: "+msg, append(keysAndValues, "type", fmt.Sprintf("%T", err))...)
}

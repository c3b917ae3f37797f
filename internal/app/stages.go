package app

import (
	"context"
	"fmt"
	"slices"
	"sync"
)

// Task is something that runs until its context is done. An error before that ends the program.
type Task struct {
	Name string
	Run  func(ctx context.Context) error
}

// Stage is tasks that are stopped together.
type Stage []Task

// RunStages starts the stages in order, waits for ctx or for the first task that fails, and stops the
// stages in reverse order, each waiting for its tasks before the one below is stopped. It returns the
// first failure, nil after a clean stop.
func RunStages(ctx context.Context, stages ...Stage) error {
	// Room for the first failure: it may come before anybody waits for it, and all others are dropped.
	failed := make(chan error, 1)
	var stops []func()
	for _, s := range stages {
		// Without ctx's end: a stage ends when its turn to stop has come, and not when the program is told to.
		stops = append(stops, s.start(context.WithoutCancel(ctx), failed))
	}
	var err error
	select {
	case <-ctx.Done():
	case err = <-failed:
	}
	for _, stop := range slices.Backward(stops) {
		stop()
	}
	return err
}

// start runs the tasks of a stage and returns how to stop them.
func (s Stage) start(ctx context.Context, failed chan<- error) (stop func()) {
	ctx, cancel := context.WithCancel(ctx)
	var running sync.WaitGroup
	for _, t := range s {
		running.Go(func() {
			// A task that ends well before it is told to ends nothing: some have nothing to do, or are done (the house key).
			if err := t.Run(ctx); err != nil {
				select {
				case failed <- fmt.Errorf("%s: %w", t.Name, err):
				default: // the first failure is the one that is told
				}
			}
		})
	}
	return func() {
		cancel()
		running.Wait()
	}
}

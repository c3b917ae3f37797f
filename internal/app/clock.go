package app

import (
	"context"
	"errors"
	"time"
)

const (
	clockLook = 5 * time.Second
	clockStep = 5 * time.Second // a clock that is set back by less is drawn straight in time
)

// errClockSet ends the program so that it starts again with the clock as it is now.
var errClockSet = errors.New("the clock was set back")

// watchClock waits for the clock on the wall to be set back.
func (a *app) watchClock(ctx context.Context) error {
	tick := time.NewTicker(clockLook)
	defer tick.Stop()
	for last := time.Now(); ; {
		select {
		case <-ctx.Done():
			return nil
		case <-tick.C:
		}
		now := time.Now()
		// The monotonic clock against the one on the wall: a machine that slept moves the wall's ahead, which is no step back.
		if by := setBack(now.Sub(last), now.Round(0).Sub(last.Round(0))); by > clockStep {
			a.log.Warn("the clock was set back; starting again", "by", by)
			return errClockSet
		}
		// Each step is measured by itself: a clock that is drawn straight slowly never adds up to a step.
		last = now
	}
}

// setBack is by how much the clock on the wall was set back while so much time has passed.
func setBack(passed, onTheWall time.Duration) time.Duration { return max(passed-onTheWall, 0) }

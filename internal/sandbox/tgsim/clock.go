package tgsim

import (
	"sync/atomic"
	"time"
)

// clock is the time of a server: the process's, and as much more as it was put ahead.
type clock struct{ ahead atomic.Int64 }

// now is the time; without a clock the process's.
func (c *clock) now() time.Time {
	if c == nil {
		return time.Now()
	}
	return time.Now().Add(time.Duration(c.ahead.Load()))
}

func (s *Server) now() time.Time { return s.clock.now() }

func (s *Server) since(t time.Time) time.Duration { return s.now().Sub(t) }

// Advance puts the clock ahead: taps and updates grow old, polls close, bans end. What waits for time to pass meanwhile, as
// a long poll does, waits as long as before.
func (s *Server) Advance(d time.Duration) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.clock.ahead.Add(int64(d))
	s.touch()
}

// Now is what the clock shows.
func (s *Server) Now() time.Time { return s.now() }

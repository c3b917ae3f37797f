package api

import (
	"context"
	"time"
)

// Meter is told of calls, for figures. Its methods must not wait. They get the names of operations and
// classes, which are few, and nothing of what was asked or answered.
type Meter interface {
	// Called: a call has ended. The class is Class.String's, and "ok" where it went well.
	Called(operation, class string, background bool, took time.Duration)
	// Waited: a call has waited for the limits, before it went out or was given up.
	Waited(method string, background bool, took time.Duration)
}

// noMeter counts nothing.
type noMeter struct{}

func (noMeter) Called(string, string, bool, time.Duration) {}
func (noMeter) Waited(string, bool, time.Duration)         {}

// classOK stands for the class of a call that went well.
const classOK = "ok"

// admit waits for the limits, and tells for how long.
func (s *Session) admit(ctx context.Context, op, method string) error {
	begin := time.Now()
	err := s.state.limiter.acquire(ctx, op, method)
	s.client.cfg.Meter.Waited(method, callerOf(ctx) == polling, time.Since(begin))
	if err != nil {
		s.called(ctx, op, ClassOf(err).String(), begin)
	}
	return err
}

// called tells of a call that has ended.
func (s *Session) called(ctx context.Context, op, class string, begin time.Time) {
	s.client.cfg.Meter.Called(op, class, callerOf(ctx) == polling, time.Since(begin))
}

// classOf names how a call ended.
func classOf(err error) string {
	if err == nil {
		return classOK
	}
	return ClassOf(err).String()
}

// class names how an attempt to spend ended.
func (v Verdict) class() string {
	switch v.Outcome {
	case Accepted:
		return classOK
	case Unknown:
		return "unknown"
	case NotSent:
		return "not_sent"
	}
	return v.Class.String()
}

// Budget is how many calls the limits leave people at this moment, under the key that has least, and how
// many keys the service has asked to rest. Keys that were not used lately have all of theirs.
func (c *Client) Budget() (gets, posts, resting int) {
	c.mu.Lock()
	limiters := map[*limiter]bool{}
	for _, k := range c.keys {
		limiters[k.limiter] = true
	}
	c.mu.Unlock()
	now := time.Now()
	gets, posts = c.cfg.GetPerMinute, c.cfg.PostPerMinute
	for l := range limiters {
		g, p := l.left(now)
		gets, posts = min(gets, g), min(posts, p)
		if l.resting(now) {
			resting++
		}
	}
	return gets, posts, resting
}

// left is how many calls a person could make at once.
func (l *limiter) left(now time.Time) (gets, posts int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.gets.sent.Left(now), l.posts.sent.Left(now)
}

package api

import (
	"context"
	"fmt"
	"sync"
	"time"
)

// cache keeps the last answer of a key's reads, by operation.
type cache struct {
	mu    sync.Mutex
	kept  map[string]kept
	last  map[string]kept // the same beyond every clear: what was known last, for when nothing else is
	epoch int             // counts the clears: what was asked for before one is not kept after it
}

// kept is an answer and when it was asked for.
type kept struct {
	value any
	at    time.Time
}

// get is the kept answer of a read, where it is younger than maxAge.
func (c *cache) get(op string, maxAge time.Duration) (any, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	k, ok := c.kept[op]
	return k.value, ok && time.Since(k.at) < maxAge
}

// now is the epoch that an answer asked for now belongs to.
func (c *cache) now() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.epoch
}

// An answer that was asked for earlier than the one that is kept does not replace it: two may come in the other order.
func (c *cache) put(op string, value any, at time.Time, epoch int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if epoch != c.epoch || at.Before(c.kept[op].at) {
		return
	}
	if c.kept == nil {
		c.kept = map[string]kept{}
	}
	c.kept[op] = kept{value, at}
	// last has whatever was kept at some time, so it outlives clear: screens show it while the service is away.
	if c.last == nil {
		c.last = map[string]kept{}
	}
	c.last[op] = c.kept[op]
}

// lastKnown is the last answer of a read, however old.
func lastKnown[T any](s *Session, op string) (v T, at time.Time, ok bool) {
	c := &s.state.cache
	c.mu.Lock()
	defer c.mu.Unlock()
	k := c.last[op]
	v, ok = k.value.(T)
	return v, k.at, ok
}

// clear forgets what was read, and what is being read now: its epoch is over when it comes. last stays.
func (c *cache) clear() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.kept = nil
	c.epoch++
}

// cached answers a read from the cache where it is younger than maxAge, else asks. Identical reads that
// are under way are joined, unless the caller wants to be sure (maxAge 0). A caller that goes away does
// not take the others' answer along.
func cached[T any](ctx context.Context, s *Session, op string, maxAge time.Duration, ask func(context.Context) (T, error)) (T, error) {
	// Whoever wants to be sure must not get an answer that was asked for before they did: no cache, and no flight of others.
	if maxAge <= 0 {
		return keep(ctx, s, op, ask)
	}
	last, fresh := s.state.cache.get(op, maxAge)
	if v, ok := last.(T); ok && fresh {
		return v, nil
	}
	// A call of the polling caller must not decide for a person that waits, nor make it give up.
	// What was asked before a clear does not answer a question that was put after it.
	flight := fmt.Sprintf("%d %d %s", callerOf(ctx), s.state.cache.now(), op)
	answer := s.state.flight.DoChan(flight, func() (any, error) {
		// Twice the time of a read: speak may find the generation out first, and calls it in the other one then.
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 2*s.client.cfg.ReadTimeout)
		defer cancel()
		return keep(ctx, s, op, ask)
	})
	select {
	case r := <-answer:
		v, _ := r.Val.(T)
		return v, r.Err
	case <-ctx.Done():
		var none T
		return none, &Error{Op: op, Class: Upstream, Err: ctx.Err()}
	}
}

// keep asks and caches the answer.
func keep[T any](ctx context.Context, s *Session, op string, ask func(context.Context) (T, error)) (T, error) {
	// Both are taken before the question goes out: an answer is as old as its question.
	at, epoch := time.Now(), s.state.cache.now()
	v, err := ask(ctx)
	if err == nil {
		s.state.cache.put(op, v, at, epoch)
	}
	return v, err
}

package store

import (
	"container/heap"
	"context"
	"fmt"
	"slices"
	"sync"
	"time"
)

// openPage is how many open purchases are read at once when they are counted first.
const openPage = 500

// OpenPhase is how many purchases are in a phase, and since when the oldest of them is.
type OpenPhase struct {
	Purchases int
	Since     time.Time
}

// openCount knows the open purchases by their phases. It is filled when somebody asks first, and kept by every commit from then
// on: whoever asks every few seconds reads and decodes none of them, and walks none either.
type openCount struct {
	filling sync.Mutex // held by whoever fills it
	upTo    string     // which was read last: whoever had no time for all of them is followed by one who goes on

	mu     sync.Mutex
	kept   bool // commits are noted
	filled bool
	open   map[string]openNote
	queues map[Phase]*oldestFirst
	closed map[string]uint64 // versions at which purchases have left it, while an older commit may still be noted behind them
}

// openNote is what is known of one: what its record said at a version.
type openNote struct {
	phase Phase
	since int64 // in seconds
	rev   uint64
}

// mostClosed is how many that have left are remembered. Two commits are noted within moments of each other.
const mostClosed = 4096

// oldestFirst is the purchases of a phase as a heap, and how many of them are in it still. Those that have left stay in the heap
// until they come to its head, or are too many.
type oldestFirst struct {
	entries []openEntry
	n       int
}

type openEntry struct {
	id    string
	since int64
}

// Len implements heap.Interface.
func (q *oldestFirst) Len() int { return len(q.entries) }

// Less implements heap.Interface.
func (q *oldestFirst) Less(i, j int) bool { return q.entries[i].since < q.entries[j].since }

// Swap implements heap.Interface.
func (q *oldestFirst) Swap(i, j int) { q.entries[i], q.entries[j] = q.entries[j], q.entries[i] }

// Push implements heap.Interface.
func (q *oldestFirst) Push(x any) { q.entries = append(q.entries, x.(openEntry)) } //nolint:forcetypeassert // nothing else is in the heap

// Pop implements heap.Interface.
func (q *oldestFirst) Pop() any {
	last := len(q.entries) - 1
	e := q.entries[last]
	q.entries = q.entries[:last]
	return e
}

// note notes a purchase as it is on disk. What an older version says comes too late.
func (c *openCount) note(p Purchase) {
	c.mu.Lock()
	defer c.mu.Unlock()
	was, known := c.open[p.ID]
	if !c.kept || known && was.rev > p.rev || c.closed[p.ID] > p.rev {
		return
	}
	now := openNote{p.Phase, p.InPhaseSince().Unix(), p.rev}
	if known && (!p.Open() || was.phase != now.phase) {
		c.queues[was.phase].n--
	}
	if !p.Open() {
		delete(c.open, p.ID)
		if len(c.closed) >= mostClosed {
			clear(c.closed)
		}
		c.closed[p.ID] = p.rev
		return
	}
	c.open[p.ID] = now
	q := c.queues[now.phase]
	if q == nil {
		q = &oldestFirst{}
		c.queues[now.phase] = q
	}
	if !known || was.phase != now.phase {
		q.n++
	}
	if !known || was.phase != now.phase || was.since != now.since {
		heap.Push(q, openEntry{p.ID, now.since})
		c.clean(now.phase, q)
	}
}

// isIn reports whether an entry of a heap is still true.
func (c *openCount) isIn(phase Phase, e openEntry) bool {
	n, ok := c.open[e.id]
	return ok && n.phase == phase && n.since == e.since
}

// clean takes out of a heap what has left it, where that is most of it.
func (c *openCount) clean(phase Phase, q *oldestFirst) {
	const few = 1024
	if len(q.entries) < 2*q.n+few {
		return
	}
	q.entries = slices.DeleteFunc(q.entries, func(e openEntry) bool { return !c.isIn(phase, e) })
	heap.Init(q)
}

// begin has commits noted from now on: before anything is read, so that none falls between.
func (c *openCount) begin() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.kept {
		c.kept, c.open, c.queues, c.closed = true, map[string]openNote{}, map[Phase]*oldestFirst{}, map[string]uint64{}
	}
}

func (c *openCount) phases() (phases map[Phase]OpenPhase, ok bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	phases = map[Phase]OpenPhase{}
	for phase, q := range c.queues {
		for len(q.entries) > 0 && !c.isIn(phase, q.entries[0]) {
			heap.Pop(q)
		}
		if q.n > 0 {
			phases[phase] = OpenPhase{q.n, time.Unix(q.entries[0].since, 0)}
		}
	}
	return phases, c.filled
}

func (c *openCount) setFilled() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.filled = true
}

// InPhaseSince is since when a purchase is in its phase.
func (p Purchase) InPhaseSince() time.Time {
	if n := len(p.History); n > 0 {
		return p.History[n-1].At
	}
	return p.CreatedAt
}

// OpenByPhase counts the purchases that are neither drafted nor final.
func (s *Store) OpenByPhase(ctx context.Context) (map[Phase]OpenPhase, error) {
	if phases, ok := s.open.phases(); ok {
		return phases, nil
	}
	// Whoever waited here goes on from upTo, and finds next to nothing left.
	s.open.filling.Lock()
	defer s.open.filling.Unlock()
	s.open.begin()
	for {
		page, err := s.OpenPurchases(ctx, s.open.upTo, openPage)
		if err != nil {
			return nil, fmt.Errorf("count open purchases: %w", err)
		}
		for _, p := range page {
			s.open.note(p)
			s.open.upTo = p.ID
		}
		if len(page) < openPage {
			break
		}
	}
	s.open.setFilled()
	phases, _ := s.open.phases()
	return phases, nil
}

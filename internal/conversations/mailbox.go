package conversations

import (
	"context"
	"slices"
	"sync"
	"time"
)

// latePart is the part of a mailbox that is for strangers: at most one in so many of its workers and of its places.
// Example: of the bot's 256 workers and 1024 places (bot.go), strangers have 16 and 64. A mailbox that is smaller than latePart still
// has one of each for them.
const latePart = 16

// mostIdle is how many workers stay when there is no work: one that is new has to grow its stack first, each time anew.
const mostIdle = 16

// mailbox runs jobs: those of one queue one after another in the order they came, those of different queues side by
// side on a bounded number of workers. A full mailbox makes put wait. Late jobs, those of strangers, have queues of
// their own, come after all others, and take up a small part of it.
type mailbox[T any] struct {
	handle   func(T) (again time.Duration)
	workers  int
	room     chan struct{} // one token for each job that waits or runs
	lateRoom chan struct{} // the same for late jobs

	// mu guards what follows, but for done. employ, rest, enlist, hasWork, next and awaitWork are called with it held; handle never
	// is, for one update may take a minute (turnTimeout).
	mu      sync.Mutex
	queues  map[queueKey]*queue[T]
	ready   []*queue[T] // queues that have jobs and no worker
	late    []*queue[T] // the same of late ones
	running int
	idle    int // of those, that wait for work and were not woken
	woken   sync.Cond
	serving int // how many serve late queues
	stopped bool
	done    sync.WaitGroup
}

// queueKey names a queue: a chat's, or that of its strangers.
type queueKey struct {
	chat int64
	late bool
}

// queue is the jobs of one key.
type queue[T any] struct {
	key  queueKey
	jobs []T // the first may be running
}

// newMailbox makes a mailbox of `workers` goroutines at most that holds `capacity` jobs at most, and some late ones.
// Where handle returns a time, the job is to be handled again after it: its queue rests until then.
func newMailbox[T any](workers, capacity int, handle func(T) (again time.Duration)) *mailbox[T] {
	m := &mailbox[T]{
		handle: handle, workers: workers, queues: map[queueKey]*queue[T]{},
		room: make(chan struct{}, capacity), lateRoom: make(chan struct{}, max(capacity/latePart, 1)),
	}
	m.woken.L = &m.mu
	return m
}

// put hands a job to its chat's queue, waiting for room. It reports whether the job was taken: not
// after stop, nor when ctx ended first.
func (m *mailbox[T]) put(ctx context.Context, chat int64, job T) bool {
	select {
	case m.room <- struct{}{}:
	case <-ctx.Done():
		return false
	}
	return m.add(queueKey{chat: chat}, job, m.room)
}

// isBusy reports whether a job that is put now would wait for a worker.
// It is a guess: jobs that rest, or wait behind one of their chat, count as well. It decides only whether what was read is kept in
// memory meanwhile (Bot.put).
func (m *mailbox[T]) isBusy() bool { return len(m.room) >= m.workers }

// reserve takes a place for a late job, and reports whether there was one; putLate has to follow then, or release.
func (m *mailbox[T]) reserve() bool {
	select {
	case m.lateRoom <- struct{}{}:
		return true
	default:
		return false
	}
}

// release gives a reserved place back.
func (m *mailbox[T]) release() { <-m.lateRoom }

// putLate hands a stranger's job to their queue of the chat, in a place that was reserved. It reports whether the job was taken: after stop
// it is dropped.
func (m *mailbox[T]) putLate(chat int64, job T) bool {
	return m.add(queueKey{chat, true}, job, m.lateRoom)
}

// hasLate reports whether such a job of a stranger waits or runs in a chat.
func (m *mailbox[T]) hasLate(chat int64, such func(T) bool) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	q := m.queues[queueKey{chat, true}]
	return q != nil && slices.ContainsFunc(q.jobs, such)
}

// add puts a job in its queue, sees to a worker, and reports whether it did: not after stop, and the place is given back then.
func (m *mailbox[T]) add(key queueKey, job T, room chan struct{}) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.stopped {
		// The token is that of this very job: the receive finds it, and does not block while mu is held.
		<-room
		return false
	}
	// A queue that is there has a worker, waits for one, or rests: then only the job is added.
	q := m.queues[key]
	if q == nil {
		q = &queue[T]{key: key}
		m.queues[key] = q
		m.enlist(q)
	}
	q.jobs = append(q.jobs, job)
	m.employ()
	return true
}

// employ sees to a worker where there is work.
func (m *mailbox[T]) employ() {
	switch {
	case !m.hasWork():
	case m.idle > 0:
		// Whoever wakes a worker counts it off, and not the worker itself: until that one runs, a second job would count on it as well.
		m.idle--
		m.woken.Signal()
	case m.running < m.workers:
		m.running++
		m.done.Add(1)
		go m.work()
	}
}

// rest has a queue, whose first job is to be handled again, wait for a worker from some time on.
func (m *mailbox[T]) rest(q *queue[T], d time.Duration) {
	// Until then the queue is known (queues) and in neither list: what comes meanwhile is added behind its first job, and no worker takes
	// it up. That keeps the order of a chat. Nobody stops the timer: after stop it finds stopped, and does nothing.
	time.AfterFunc(d, func() {
		m.mu.Lock()
		defer m.mu.Unlock()
		if !m.stopped {
			m.enlist(q)
			m.employ()
		}
	})
}

// enlist has a queue wait for a worker.
func (m *mailbox[T]) enlist(q *queue[T]) {
	if q.key.late {
		m.late = append(m.late, q)
		return
	}
	m.ready = append(m.ready, q)
}

// hasWork reports whether a queue could have a worker.
func (m *mailbox[T]) hasWork() bool {
	return len(m.ready) > 0 || len(m.late) > 0 && m.serving < max(m.workers/latePart, 1)
}

// next is the queue whose turn it is.
func (m *mailbox[T]) next() (q *queue[T]) {
	if len(m.ready) > 0 {
		q, m.ready = m.ready[0], m.ready[1:]
		return q
	}
	q, m.late = m.late[0], m.late[1:]
	m.serving++
	return q
}

// awaitWork waits until there is work. It reports whether its worker has to do it: not after stop, nor where enough others wait.
func (m *mailbox[T]) awaitWork() bool {
	for !m.hasWork() && !m.stopped && m.idle < mostIdle {
		m.idle++
		m.woken.Wait()
	}
	return m.hasWork() && !m.stopped
}

// work takes one job of one queue at a time, so that a long queue does not keep others waiting.
func (m *mailbox[T]) work() {
	defer m.done.Done()
	m.mu.Lock()
	for m.awaitWork() {
		q, room := m.next(), m.room
		if q.key.late {
			room = m.lateRoom
		}
		// It stays in front of its queue while it runs, so that hasLate sees it, and nobody else takes the queue.
		job := q.jobs[0]
		m.mu.Unlock()
		again := m.handle(job)
		m.mu.Lock()
		if q.key.late {
			// Before a rest too: a stranger's job that waits for its next try holds none of the few workers that strangers have.
			m.serving--
		}
		// The job keeps its place in the room: a chat that fails again and again takes up no more than its queue.
		if again > 0 {
			m.rest(q, again)
			continue
		}
		<-room
		if q.jobs = q.jobs[1:]; len(q.jobs) > 0 {
			m.enlist(q)
		} else {
			delete(m.queues, q.key)
		}
	}
	m.running--
	m.mu.Unlock()
}

// stop lets the jobs that run finish and drops those that wait: they are on disk, or a stranger's.
func (m *mailbox[T]) stop() {
	// It ends no job: what bounds the wait is the context of the handlers, which Bot.Stop cuts in time.
	m.mu.Lock()
	m.stopped = true
	m.woken.Broadcast()
	m.mu.Unlock()
	m.done.Wait()
}

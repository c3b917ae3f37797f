package conversations

import (
	"context"
	"sync"
)

// mailbox runs jobs: those of one chat one after another in the order they came, those of different
// chats side by side on a bounded number of workers. A full mailbox makes put wait.
type mailbox[T any] struct {
	handle  func(T)
	workers int
	room    chan struct{} // one token for each job that waits or runs

	mu      sync.Mutex
	chats   map[int64]*queue[T]
	ready   []*queue[T] // chats that have jobs and no worker
	running int
	stopped bool
	done    sync.WaitGroup
}

// queue is one chat's jobs.
type queue[T any] struct {
	chat int64
	jobs []T
}

// newMailbox makes a mailbox of `workers` goroutines at most that holds `capacity` jobs at most.
func newMailbox[T any](workers, capacity int, handle func(T)) *mailbox[T] {
	return &mailbox[T]{handle: handle, workers: workers, room: make(chan struct{}, capacity), chats: map[int64]*queue[T]{}}
}

// put hands a job to its chat's queue, waiting for room. It reports whether the job was taken: not
// after stop, nor when ctx ended first.
func (m *mailbox[T]) put(ctx context.Context, chat int64, job T) bool {
	select {
	case m.room <- struct{}{}:
	case <-ctx.Done():
		return false
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.stopped {
		<-m.room
		return false
	}
	q := m.chats[chat]
	if q == nil {
		q = &queue[T]{chat: chat}
		m.chats[chat] = q
		m.ready = append(m.ready, q)
	}
	q.jobs = append(q.jobs, job)
	if m.running < m.workers && len(m.ready) > 0 {
		m.running++
		m.done.Add(1)
		go m.work()
	}
	return true
}

// work takes one job of one chat at a time, so that a long queue does not keep others waiting.
func (m *mailbox[T]) work() {
	defer m.done.Done()
	m.mu.Lock()
	for len(m.ready) > 0 && !m.stopped {
		q := m.ready[0]
		m.ready = m.ready[1:]
		job := q.jobs[0]
		q.jobs = q.jobs[1:]
		m.mu.Unlock()
		m.handle(job)
		<-m.room
		m.mu.Lock()
		if len(q.jobs) > 0 {
			m.ready = append(m.ready, q)
		} else {
			delete(m.chats, q.chat)
		}
	}
	m.running--
	m.mu.Unlock()
}

// stop lets the jobs that run finish and drops those that wait: they are on disk.
func (m *mailbox[T]) stop() {
	m.mu.Lock()
	m.stopped = true
	m.mu.Unlock()
	m.done.Wait()
}

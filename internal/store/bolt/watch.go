package bolt

import (
	"container/list"
	"runtime"
	"sync"
	"time"
)

const (
	// slowAfter is how long a transaction may be open before somebody is told.
	slowAfter = 2 * time.Second
	// mostStacks is how much of the goroutines' stacks is told.
	mostStacks = 256 << 10
)

// watch looks for transactions that stay open. One timer serves all of them: they are many, and hardly any is slow.
type watch struct {
	tell func(what string, open time.Duration, stacks []byte) // nil: nobody

	mu       sync.Mutex
	open     list.List // of *watched, the oldest first
	waiting  bool      // the timer runs, or its function does
	reported *watched  // is being told of; nil: none is
}

// watched is a transaction that is open.
type watched struct {
	what  string
	begun time.Time
	seen  bool          // for so long that it was told of, or another one in its place
	told  chan struct{} // closed once its beginning was told; nil where it is not
}

// begin watches a transaction until the returned function is called. Of several that are slow together,
// as the transactions of one batch are, the first is told.
func (w *watch) begin(what string) (ended func()) {
	if w.tell == nil {
		return func() {}
	}
	t := &watched{what: what, begun: time.Now()}
	w.mu.Lock()
	// At the end, so that the list is in the order of the beginnings: look stops at the first that is young.
	place := w.open.PushBack(t)
	w.wait(slowAfter)
	w.mu.Unlock()
	return func() { w.end(place, t) }
}

// wait has the watch look after a time, unless it is to look earlier.
func (w *watch) wait(d time.Duration) {
	if !w.waiting {
		w.waiting = true
		time.AfterFunc(d, w.check)
	}
}

// check tells of the oldest transaction that has been open for too long.
func (w *watch) check() {
	w.mu.Lock()
	var slow *watched
	next := time.Duration(-1)
	for e := w.open.Front(); e != nil; e = e.Next() {
		t := e.Value.(*watched) //nolint:forcetypeassert // nothing else is put there
		if t.seen {
			continue
		}
		if left := slowAfter - time.Since(t.begun); left > 0 {
			next = left
			break
		}
		// While somebody else is told of, this one stays silent.
		if t.seen = true; w.reported == nil {
			t.told = make(chan struct{})
			w.reported, slow = t, t
		}
	}
	if w.waiting = false; next > 0 {
		w.wait(next)
	}
	w.mu.Unlock()
	// Outside of mu: to write a log takes long, and every transaction begins and ends under it. told is what end waits for.
	if slow != nil {
		w.tell(slow.what, time.Since(slow.begun), stacks())
		close(slow.told)
	}
}

// end ends the watch of a transaction.
func (w *watch) end(place *list.Element, t *watched) {
	w.mu.Lock()
	w.open.Remove(place)
	told := t.told
	w.mu.Unlock()
	if told == nil {
		return
	}
	// The beginning has to be told of before the end is.
	<-told
	w.tell(t.what, time.Since(t.begun), nil)
	w.mu.Lock()
	w.reported = nil
	w.mu.Unlock()
}

// stacks is what all goroutines are doing.
func stacks() []byte {
	buf := make([]byte, mostStacks)
	return buf[:runtime.Stack(buf, true)]
}

package bolt

import (
	"runtime"
	"sync/atomic"
	"time"
)

const (
	// slowAfter is how long a transaction may be open before somebody is told.
	slowAfter = 2 * time.Second
	// mostStacks is how much of the goroutines' stacks is told.
	mostStacks = 256 << 10
)

// watch looks for transactions that stay open.
type watch struct {
	tell func(what string, open time.Duration, stacks []byte) // nil: nobody
	busy atomic.Bool                                          // one is being told of
}

// begin watches a transaction until the returned function is called. Of several that are slow together,
// as the units of one batch are, the first is told.
func (w *watch) begin(what string) (ended func()) {
	if w.tell == nil {
		return func() {}
	}
	begun := time.Now()
	told := make(chan struct{})
	timer := time.AfterFunc(slowAfter, func() {
		defer close(told)
		if w.busy.CompareAndSwap(false, true) {
			w.tell(what, time.Since(begun), stacks())
			return
		}
		// Somebody else is being told of: this one ends in silence. told orders the write before the read in ended.
		what = ""
	})
	return func() {
		if timer.Stop() {
			return
		}
		// The timer's function has begun: it must have told of the beginning before the end is told.
		<-told
		if what != "" {
			w.tell(what, time.Since(begun), nil)
			w.busy.Store(false)
		}
	}
}

// stacks is what all goroutines are doing.
func stacks() []byte {
	buf := make([]byte, mostStacks)
	return buf[:runtime.Stack(buf, true)]
}

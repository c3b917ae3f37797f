package conversations

import (
	"context"
	"sync"
	"time"

	"resellerbot/internal/telegram"
)

const (
	// clearWithin is for how long a keyboard waits for a quiet moment of its chat: longer than a group's limit of messages a minute.
	clearWithin = 3 * time.Minute
	// clearAnswer is for how long the answer to a call is waited for that takes a keyboard away, before that keyboard is replaced.
	clearAnswer = 2 * time.Second
)

// clears are the messages whose keyboards are to go once their chats are quiet. Before that, one may be put in use again by a tap on it: then
// it keeps what it shows.
type clears struct {
	mu      sync.Mutex
	waiting map[shownAt]*clearing
}

// shownAt is where a message stands.
type shownAt struct {
	chat    int64
	message int
}

// clearing is one keyboard that is to go.
type clearing struct {
	cancel context.CancelFunc
	sent   bool          // the call has left: it may be executed whatever is cancelled
	done   chan struct{} // closed when it is over
}

// begin notes that the keyboard of a message is to go, and returns the context for the call that takes it, and what has to be called
// when that is over. It is false where that keyboard is to go already.
func (c *clears) begin(ctx context.Context, at shownAt) (clear context.Context, end func(), begun bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.waiting[at] != nil {
		return nil, nil, false
	}
	if c.waiting == nil {
		c.waiting = map[shownAt]*clearing{}
	}
	ctx, cancel := context.WithTimeout(ctx, clearWithin)
	mine := &clearing{cancel: cancel, done: make(chan struct{})}
	c.waiting[at] = mine
	ctx = telegram.WhenWritten(ctx, func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		mine.sent = true
	})
	return ctx, func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		cancel()
		delete(c.waiting, at)
		close(mine.done)
	}, true
}

// keep has a message keep its keyboard from now on: what waits to take it is cancelled, and a call that has left is waited for, so that what
// is shown next comes behind it.
func (c *clears) keep(at shownAt) {
	c.mu.Lock()
	w := c.waiting[at]
	if w != nil && !w.sent {
		w.cancel()
	}
	c.mu.Unlock()
	if w == nil {
		return
	}
	timer := time.NewTimer(clearAnswer)
	defer timer.Stop()
	select {
	case <-w.done:
	case <-timer.C:
	}
}

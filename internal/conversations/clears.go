package conversations

import (
	"context"
	"sync"
	"time"
)

// clearWithin is for how long the keyboard of a question that was answered waits for a quiet moment of its chat.
const clearWithin = time.Minute

// clears are the messages whose keyboards are to go once their chats are quiet. Somebody may tap on one before that: then the message is in
// use again, and keeps what it shows.
type clears struct {
	mu      sync.Mutex
	waiting map[shownAt]*clearing
}

// shownAt is where a message stands.
type shownAt struct {
	chat    int64
	message int
}

// clearing is one keyboard that waits to go.
type clearing struct {
	cancel context.CancelFunc
	ended  chan struct{}
}

// begin notes that the keyboard of a message is to go, until cancel ends that. The function that is returned has to be called when it is
// over.
func (c *clears) begin(at shownAt, cancel context.CancelFunc) (end func()) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.waiting == nil {
		c.waiting = map[shownAt]*clearing{}
	}
	mine := &clearing{cancel: cancel, ended: make(chan struct{})}
	c.waiting[at] = mine
	return func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		if c.waiting[at] == mine { // and not one that was begun since
			delete(c.waiting, at)
		}
		close(mine.ended)
	}
}

// keep has a message keep its keyboard, and returns when nothing will take it any more.
func (c *clears) keep(at shownAt) {
	c.mu.Lock()
	w := c.waiting[at]
	c.mu.Unlock()
	if w != nil {
		w.cancel()
		<-w.ended
	}
}

package conversations

import (
	"sync"
	"time"
)

// clearWithin is for how long a keyboard waits for a quiet moment of its chat: longer than a group's limit of messages a minute.
const clearWithin = 3 * time.Minute

// clears are the messages whose keyboards are to go once their chats are quiet. What they ask is answered, so that a tap on one of them does
// nothing: it would take the person away from the question that is open by now.
type clears struct {
	mu      sync.Mutex
	waiting map[shownAt]bool
}

// shownAt is where a message stands.
type shownAt struct {
	chat    int64
	message int
}

// begin notes that the keyboard of a message is to go; false where that is so already.
func (c *clears) begin(at shownAt) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.waiting[at] {
		return false
	}
	if c.waiting == nil {
		c.waiting = map[shownAt]bool{}
	}
	c.waiting[at] = true
	return true
}

// end notes that a keyboard has gone, or stays.
func (c *clears) end(at shownAt) {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.waiting, at)
}

// has reports whether the keyboard of a message is to go.
func (c *clears) has(at shownAt) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.waiting[at]
}

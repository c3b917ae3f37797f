package conversations

import (
	"sync"
	"time"
)

// doubleWithin is how soon after another a tap on the same button is the second of a double tap: nobody has read what the first one
// brought. That nothing is booked twice is guarded where it is booked; here the second tap is kept from replacing what was said of it.
const doubleWithin = time.Second

// doubleTaps knows the last taps, in memory alone and so many of them: a restart forgets.
type doubleTaps struct {
	mu   sync.Mutex
	last *recent[tapAt, firstTap]
}

// tapAt is a button under a message, and who taps on it.
type tapAt struct {
	chat, person int64
	message      int
	data         string
}

// firstTap is the update that a tap came with.
type firstTap struct {
	update int64
	at     time.Time
}

func newDoubleTaps() *doubleTaps { return &doubleTaps{last: newRecent[tapAt, firstTap](manyPeople)} }

// isSecond reports whether a tap, which came with an update at a time, follows another one too soon to be meant. An update that is
// handled once more is no second one.
func (d *doubleTaps) isSecond(t tapAt, update int64, at time.Time) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	first, known := d.last.get(t)
	if known && first.update != update && !at.Before(first.at) && at.Sub(first.at) < doubleWithin {
		// The second is not kept: a third one is held against the first as well, so that quick taps are heard again after a second.
		return true
	}
	d.last.put(t, firstTap{update, at})
	return false
}

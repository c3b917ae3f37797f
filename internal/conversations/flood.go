package conversations

import (
	"sync"
	"time"
)

// Pace is how often somebody is listened to: Burst times at once, and once more after each Every. The zero
// Pace listens to everything.
type Pace struct {
	Burst int
	Every time.Duration
}

// flood keeps one person from taking up what is there for everybody. What it knows is in memory alone: a
// restart forgives.
type flood struct {
	mu      sync.Mutex
	people  map[int64]*patience
	sweepAt int // how many people there may be before those who are quiet are forgotten
}

// patience is how much of their burst a person has used.
type patience struct {
	used float64
	at   time.Time
	pace Pace
	told bool // they were told that it is too much
}

const fewPeople = 1024 // not worth a sweep

func newFlood() *flood { return &flood{people: map[int64]*patience{}, sweepAt: fewPeople} }

// hears reports whether a person is listened to now.
func (f *flood) hears(person int64, pace Pace, now time.Time) bool {
	if pace.Burst <= 0 {
		return true
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	p := f.people[person]
	if p == nil {
		f.sweep(now)
		p = &patience{at: now}
		f.people[person] = p
	}
	p.pace = pace
	p.flow(now)
	if p.used+1 > float64(pace.Burst) {
		return false
	}
	p.used++
	p.told = false
	return true
}

// tells reports whether a person who is not listened to should be told so: once, until they are heard again.
func (f *flood) tells(person int64) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	p := f.people[person]
	if p == nil || p.told {
		return false
	}
	p.told = true
	return true
}

// flow adds what time has brought back.
func (p *patience) flow(now time.Time) {
	p.used = max(0, p.used-now.Sub(p.at).Seconds()/p.pace.Every.Seconds())
	p.at = now
}

// sweep forgets those whose burst is whole again. It runs when their number has doubled, so an update costs
// the same on average whatever their number.
func (f *flood) sweep(now time.Time) {
	if len(f.people) < f.sweepAt {
		return
	}
	for id, p := range f.people {
		if p.flow(now); p.used == 0 {
			delete(f.people, id)
		}
	}
	f.sweepAt = max(2*len(f.people), fewPeople)
}

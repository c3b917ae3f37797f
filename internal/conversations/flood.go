package conversations

import (
	"sync"
	"time"

	"golang.org/x/time/rate"
)

// Pace is how often somebody is listened to: Burst times at once, and once more after each Every. The zero
// Pace listens to everything.
type Pace struct {
	Burst int
	Every time.Duration
}

// limiter is a pace's token bucket.
func (p Pace) limiter() *rate.Limiter { return rate.NewLimiter(rate.Every(p.Every), p.Burst) }

// manyPeople is how many of those who wrote last are remembered.
const manyPeople = 8192

// flood keeps one person from taking up what is there for everybody. What it knows is in memory alone, of a
// bounded number of people: a restart forgives.
//
// Whoever sorts a batch and the turns that run ask at the same time. recent has no lock of its own, so each of its owners has one.
type flood struct {
	pace Pace

	mu     sync.Mutex
	people *recent[int64, *patience]
}

// patience is how much of their burst a person has used.
type patience struct {
	limiter *rate.Limiter
	told    bool // they were told that it is too much
}

func newFlood(pace Pace) *flood {
	return &flood{pace: pace, people: newRecent[int64, *patience](manyPeople)}
}

// hears reports whether a person is listened to now.
func (f *flood) hears(person int64, now time.Time) bool {
	if f.pace.Burst <= 0 {
		return true
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	p, known := f.people.get(person)
	if !known {
		p = &patience{limiter: f.pace.limiter()}
		f.people.put(person, p)
	}
	if !p.limiter.AllowN(now, 1) {
		return false
	}
	p.told = false
	return true
}

// tells reports whether a person who is not listened to should be told so: once, until they are heard again.
func (f *flood) tells(person int64) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	p, known := f.people.get(person)
	if !known || p.told {
		return false
	}
	p.told = true
	return true
}

// silence follows every answer to a stranger: a short one while they look around, and behind that each for twice as long as the one before.
// What it knows is in memory alone, of a bounded number of them.
type silence struct {
	mu  sync.Mutex
	all *recent[addressee, quieted]
}

// addressee is whom an answer is for: a person wherever they write, a group whoever writes there, or the owners of an
// account who are told of a person. The account keeps the last apart: what owners are told silences no answer to the person.
type addressee struct {
	chat, person int64
	ownersOf     string
}

// quieted is until when nothing is answered, and for how long that is, after so many answers.
type quieted struct {
	until   time.Time
	long    time.Duration
	answers int
}

const (
	firstQuiet  = time.Second      // after an answer to a person: nobody reads faster
	groupQuiet  = 24 * time.Hour   // after the answer to a group
	mostQuiet   = time.Hour        // unless the first is longer
	forgiven    = 15 * time.Minute // without an answer: then it begins anew
	lookAround  = 15               // answers to a person in private before the silence grows: who is new here tries what there is
	everyAnswer = 1 << 30          // as many as anybody can ask for
)

func newSilence() *silence { return &silence{all: newRecent[addressee, quieted](manyPeople)} }

// breaks reports whether somebody is answered now. The silence after the first answer lasts for first, and so do those after
// the next few, as many as are free.
//
// Example: for a person in private first is 1 s, and 15 are free. Each of the first 16 answers is followed by 1 s, the 17th by 2 s,
// the next by 4 s, and so on up to an hour. In a group where nothing is linked first is 24 h, and so is each of them.
func (s *silence) breaks(to addressee, first time.Duration, free int, now time.Time) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	q, _ := s.all.get(to)
	if now.Before(q.until) {
		return false
	}
	if now.Sub(q.until) > forgiven {
		q = quieted{}
	}
	q.long = min(max(2*q.long, first), max(mostQuiet, first))
	if q.answers++; q.answers <= 1+free {
		q.long = first
	}
	q.until = now.Add(q.long)
	s.all.put(to, q)
	return true
}

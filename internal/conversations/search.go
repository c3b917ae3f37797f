package conversations

import (
	"sync"

	"resellerbot/internal/api"
	"resellerbot/internal/search"
)

const mostIndexes = 32 // catalogues that are searched often; an index is made in some milliseconds

// indexes keeps the catalogues that were searched last ready for it.
type indexes struct {
	mu   sync.Mutex
	last []*indexed // the one that was asked for last comes last
}

// indexed is a catalogue and its index, which is made once.
type indexed struct {
	// It keeps the catalogue alive too: no other can come to lie at its address while the entry is there.
	first *api.Product // the catalogue, as it is shared
	size  int
	index func() *search.Index
}

// of is the index of a catalogue.
func (x *indexes) of(all []api.Product) *search.Index {
	if len(all) == 0 {
		return search.New(nil)
	}
	return x.entry(all).index()
}

// entry finds a catalogue, or makes room for it.
func (x *indexes) entry(all []api.Product) *indexed {
	x.mu.Lock()
	defer x.mu.Unlock()
	for i, e := range x.last {
		// Catalogues are shared and never changed: the same list is the same catalogue.
		if e.first == &all[0] && e.size == len(all) {
			// The capacity ends at i: without that, append would write over what is read behind it.
			x.last = append(append(x.last[:i:i], x.last[i+1:]...), e)
			return e
		}
	}
	// The index is made by whoever asks for it first, outside of the lock: who searches another catalogue does not wait for it.
	e := &indexed{first: &all[0], size: len(all), index: sync.OnceValue(func() *search.Index { return search.New(all) })}
	x.last = append(x.last[max(0, len(x.last)-mostIndexes+1):], e)
	return e
}

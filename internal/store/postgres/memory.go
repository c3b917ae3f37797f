package postgres

import (
	"hash/maphash"
	"sync"
	"time"

	"resellerbot/internal/store"
)

// memorySize is how many bytes of records are remembered, twice: what was asked for lately, and what was before.
const memorySize = 16 << 20

// memory is what the leader knows of the database: records as its own transactions have read and left them. Nobody else writes while
// it leads, so that it need not wait for the network to read again what it knows. Nothing rests on that: what a transaction has taken
// from here is held against the database by its commit, and what is outdated has it run again. Its zero value is ready.
//
// What is noted here comes from three sides, which hear of the database at different moments:
//
//	transactions    hear of the same record in the order in which they commit (inOrder); what one has left replaces what is known
//	reads    may be older than anything that is known: they are learnt where nothing newer is known, nothing flies, nothing was forgotten
//	claims   may be heard of before the transaction whose record they have claimed: they replace that record alone, else it is forgotten
type memory struct {
	mu         sync.Mutex
	young, old map[store.RecordKey]remembered
	size       int    // of the young
	sequence   uint64 // rises with all that is forgotten or removed: what was read before that is not learnt

	order   [4096]sync.Mutex
	flying  map[store.RecordKey]bool // a transaction is about to change it, or has and does not know yet
	doubted map[store.RecordKey]bool // of these, what a claim may have changed behind it
}

// inOrder has the commits of transactions that change the same records learnt in the order in which they happen: from before the flight of
// one until what it has left is noted.
func (m *memory) inOrder(entries map[store.RecordKey]*entry) (done func()) {
	var mine [len(m.order)]bool
	var changed []store.RecordKey
	for p, at := range entries {
		if at.stored.Version != at.now.Version {
			changed = append(changed, p)
			mine[maphash.Comparable(orderSeed, p)%uint64(len(mine))] = true
		}
	}
	// In the order of the places, for all: two transactions that change the same records do not wait for each other in a ring.
	for i := range mine {
		if mine[i] {
			m.order[i].Lock()
		}
	}
	m.mark(changed, true)
	return func() {
		m.mark(changed, false)
		for i := range mine {
			if mine[i] {
				m.order[i].Unlock()
			}
		}
	}
}

// mark notes of which records a flight is under way.
func (m *memory) mark(changed []store.RecordKey, flies bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.flying == nil {
		m.flying, m.doubted = map[store.RecordKey]bool{}, map[store.RecordKey]bool{}
	}
	for _, p := range changed {
		delete(m.doubted, p)
		delete(m.flying, p)
		if flies {
			m.flying[p] = true
		}
	}
}

// orderSeed gives each record its place in memory.order. Two records that share one wait for each other for nothing.
var orderSeed = maphash.MakeSeed()

// remembered is a record, or that there is none: then its record has the version that was removed, so that an older read is known for
// one.
type remembered struct {
	record store.Record
	gone   bool
}

// version is that of a record as transactions count it: 0 where there is none.
func (r remembered) version() uint64 {
	if r.gone {
		return 0
	}
	return r.record.Version
}

// recall is what is known of a place. Its value is not to be changed.
func (m *memory) recall(p store.RecordKey) (store.Record, bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	r, ok := m.find(p)
	switch {
	case !ok:
		return store.Record{}, false
	case r.gone:
		return store.Record{}, true
	}
	return r.record, true
}

// settled is recall for who asks outside of transactions, whom no commit puts right: of what a flight is changing nothing is said. The
// database may have it already, and show it to a scan.
func (m *memory) settled(p store.RecordKey) (store.Record, bool) {
	m.mu.Lock()
	flies := m.flying[p]
	m.mu.Unlock()
	if flies {
		return store.Record{}, false
	}
	return m.recall(p)
}

// find looks in both halves, and makes what it finds young. The caller holds mu.
func (m *memory) find(p store.RecordKey) (remembered, bool) {
	if r, ok := m.young[p]; ok {
		return r, true
	}
	r, ok := m.old[p]
	if ok {
		m.set(p, r)
	}
	return r, ok
}

// set puts a record among the young ones. Where these become too many, they are the old ones. The caller holds mu.
func (m *memory) set(p store.RecordKey, r remembered) {
	const each = 100 // bytes that a record takes besides its text
	m.size += len(p.Key) + len(r.record.Value) + each
	// What nobody has asked for since the last time that this came goes with the old ones: find makes young what is asked for.
	if m.young == nil || m.size > memorySize {
		if m.young != nil {
			// What was old is forgotten, among it perhaps what is newer than a read that is under way.
			m.sequence++
		}
		m.old, m.young, m.size = m.young, map[store.RecordKey]remembered{}, 0
	}
	m.young[p] = r
}

// now is a moment for learn: when something is about to be read.
func (m *memory) now() (sequence uint64) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.sequence
}

// learn notes what was read of a place since a moment. What a transaction has left there meanwhile is newer, and stays; where it may have
// been forgotten again, nothing is learnt.
func (m *memory) learn(since uint64, p store.RecordKey, read store.Record) {
	m.mu.Lock()
	defer m.mu.Unlock()
	known, ok := m.find(p)
	// Of what is about to change the one who changes it tells: other records of the same transaction are not known yet either.
	if m.sequence != since || m.flying[p] || ok && known.record.Version >= read.Version {
		return
	}
	read.Kind, read.Key = p.Kind, p.Key
	m.set(p, remembered{read, read.Version == 0})
}

// kept notes what a transaction has left behind, as one.
func (m *memory) kept(entries map[store.RecordKey]*entry) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for p, at := range entries {
		known, ok := m.find(p)
		switch {
		case at.stored.Version == at.now.Version:
		case m.doubted[p]:
			m.drop(p)
		case at.now.Version == 0:
			m.set(p, remembered{store.Record{Version: at.stored.Version}, true})
			m.sequence++ // who comes here next may have drawn its version before: what was read by now is not to be taken for newer
		case ok && !known.gone && known.record.Version > at.now.Version: // somebody has read what came behind it
		default:
			m.set(p, remembered{at.now, false})
		}
	}
}

// claimed notes that a record has another version and time. Claims and transactions hear of what they have done in any order: where this
// is not the next thing that happened to what is known, nothing is.
func (m *memory) claimed(before uint64, r store.Record) {
	m.mu.Lock()
	defer m.mu.Unlock()
	p := store.RecordKey{Kind: r.Kind, Key: r.Key}
	if known, ok := m.find(p); ok && known.version() == before {
		m.set(p, remembered{copied(r), false})
		return
	}
	m.drop(p)
	if m.flying[p] {
		m.doubted[p] = true
	}
}

// drop forgets a record. The caller holds mu.
func (m *memory) drop(p store.RecordKey) {
	delete(m.young, p)
	delete(m.old, p)
	m.sequence++ // what was read before is not learnt: it may be what is forgotten here
}

// forget forgets what a transaction has met that was refused.
func (m *memory) forget(met map[store.RecordKey]*entry) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for p := range met {
		m.drop(p)
	}
}

// holds reports whether what a transaction has taken from here is all of it as it was, at one moment.
func (m *memory) holds(met map[store.RecordKey]*entry) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	for p, at := range met {
		// What was read is of the transaction's own snapshot; what was only wanted decided nothing.
		if !at.recalled || !at.used {
			continue
		}
		if r, ok := m.find(p); !ok || m.flying[p] || r.version() != at.stored.Version {
			return false
		}
	}
	return true
}

// alive reports whether this process has shown life so lately that nobody else can lead: then what it remembers may be used.
func (e *Engine) alive() bool {
	beaten := e.beaten.Load()
	return beaten != nil && !e.fenced.Load() && !outran(*beaten, time.Now(), e.beatWithin())
}

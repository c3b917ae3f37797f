package bolt_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"maps"
	"os"
	"reflect"
	"slices"
	"time"

	"go.etcd.io/bbolt"

	"resellerbot/internal/store"
	"resellerbot/internal/store/bolt"
)

const (
	metaAt  = 16 // where in its page bbolt keeps what it knows of itself
	metaLen = 64
)

// model is what a database should hold: by kind, the records and the highest version that was ever given.
type model map[store.Kind]shelf

type shelf struct {
	records map[string]store.Record
	last    uint64
}

func (m model) clone() model {
	c := model{}
	for k, s := range m {
		c[k] = shelf{maps.Clone(s.records), s.last}
	}
	return c
}

// put notes a record as it is stored.
func (m model) put(r store.Record) {
	s := m[r.Kind]
	if s.records == nil {
		s.records = map[string]store.Record{}
	}
	s.records[r.Key], s.last = r, max(s.last, r.Version)
	m[r.Kind] = s
}

// listing writes a database down as a list, the same for the same content.
func (m model) listing() []string {
	var all []string
	for k, s := range m {
		all = append(all, lastLine(k, s.last))
		for _, r := range s.records {
			var due uint64
			if !r.Due.IsZero() {
				due = uint64(r.Due.UnixMicro())
				all = append(all, dueLine(k, due, r.Key))
			}
			all = append(all, recordLine(k, r.Key, r.Version, due, r.Value))
		}
	}
	slices.Sort(all)
	return all
}

func lastLine(k store.Kind, n uint64) string { return fmt.Sprintf("%s, last version %d", k, n) }

func dueLine(k store.Kind, due uint64, key string) string {
	return fmt.Sprintf("%s queue %d %q", k, due, key)
}

func recordLine(k store.Kind, key string, version, due uint64, value []byte) string {
	sum := sha256.Sum256(value)
	return fmt.Sprintf("%s %q version %d due %d %s", k, key, version, due, hex.EncodeToString(sum[:8]))
}

// listingOf is the listing of a database, read below the engine: all that is in the file, by no code of
// the engine's own.
func listingOf(db *bbolt.DB) (all []string, err error) {
	err = db.View(func(tx *bbolt.Tx) error {
		return tx.ForEach(func(name []byte, b *bbolt.Bucket) error {
			space, kind, _ := bytes.Cut(name, []byte("/"))
			k := store.Kind(kind)
			if string(space) == "r" {
				all = append(all, lastLine(k, b.Sequence()))
			}
			return b.ForEach(func(key, value []byte) error {
				switch {
				case string(space) == "r" && len(value) >= 16:
					all = append(all, recordLine(k, string(key), binary.BigEndian.Uint64(value), binary.BigEndian.Uint64(value[8:]), value[16:]))
				case string(space) == "d" && len(key) >= 8 && len(value) == 0:
					all = append(all, dueLine(k, binary.BigEndian.Uint64(key), string(key[8:])))
				default:
					all = append(all, fmt.Sprintf("strange entry %q of %q", key, name))
				}
				return nil
			})
		})
	})
	slices.Sort(all)
	return all, err
}

// digest names a listing.
func digest(listing []string) string {
	h := sha256.New()
	for _, line := range listing {
		fmt.Fprintln(h, line)
	}
	return hex.EncodeToString(h.Sum(nil))
}

// commit is a state of the database that was made durable.
type commit struct {
	model  model  // nil while it is not known
	digest string // of its listing; made when it is asked for
}

func (c *commit) name() string {
	if c.digest == "" {
		c.digest = digest(c.model.listing())
	}
	return c.digest
}

// tape records what bbolt does to its file.
//
// Writes go through a field of bbolt's that its own tests replace too. Syncs cannot be seen there. They
// are put down where bbolt makes them, before a meta page and after it, and TestCommitsAreSynced proves
// that they are made.
type tape struct {
	file     *os.File
	pageSize int64
	start    *disk
	first    *commit // what start holds
	ops      []op
	size     int64
	unsynced bool // a meta page was the last that was written

	staged model   // what the transaction at hand makes of the database; nil where nobody told
	last   *commit // the newest
}

// record begins to record what happens to an engine's file, which holds `first`.
func record(e *bolt.Engine, first model) (*tape, error) {
	db := e.DB()
	file, err := unexported[*os.File](db, "file")
	if err != nil {
		return nil, err
	}
	writeAt, err := unexported[func([]byte, int64) (int, error)](db, "ops", "writeAt")
	if err != nil {
		return nil, err
	}
	start, err := loadDisk(db.Path())
	if err != nil {
		return nil, err
	}
	t := &tape{file: *file, pageSize: int64(db.Info().PageSize), start: start, first: &commit{model: first}, size: start.size}
	t.last = t.first
	write := *writeAt
	*writeAt = func(b []byte, off int64) (int, error) {
		if err := t.note(b, off); err != nil {
			return 0, err
		}
		return write(b, off)
	}
	return t, nil
}

// note puts a write on the tape, with what must have come before it.
func (t *tape) note(b []byte, off int64) error {
	info, err := t.file.Stat()
	if err != nil {
		return err
	}
	o := op{what: written, off: off, data: bytes.Clone(b)}
	if off < 2*t.pageSize {
		o.commit = &commit{model: t.staged}
		t.last, t.staged = o.commit, nil
	}
	if t.unsynced || o.commit != nil {
		t.ops = append(t.ops, op{what: synced})
	}
	t.unsynced = o.commit != nil
	if info.Size() != t.size {
		t.size = info.Size()
		t.ops = append(t.ops, op{what: resized, size: t.size})
	}
	t.ops = append(t.ops, o)
	return nil
}

// end closes the tape after the last transaction.
func (t *tape) end() {
	if t.unsynced {
		t.ops = append(t.ops, op{what: synced})
		t.unsynced = false
	}
}

// commits counts the commits on the tape.
func (t *tape) commits() (n int) {
	for _, o := range t.ops {
		if o.commit != nil {
			n++
		}
	}
	return n
}

// moment is a point on the tape at which the power may go.
type moment struct {
	durable *disk   // all that was synced by then
	pending []op    // all that was not
	acked   *commit // the state that somebody was told is durable
}

// moments lists the points before and after every operation, on a disk that may lie about its syncs.
func (t *tape) moments(l lie) []moment {
	now := moment{durable: t.start, acked: t.first}
	all := []moment{now}
	var last *commit // whose meta page was written last
	for _, o := range t.ops {
		switch {
		case o.what != synced:
			now.pending = append(slices.Clip(now.pending), o)
			last = o.commit
		case last != nil: // the second sync of a commit: it is acknowledged
			now = now.sync(l == noMeta)
			now.acked, last = last, nil
		default:
			now = now.sync(l == noPages)
		}
		all = append(all, now)
	}
	return all
}

// sync is the moment after a sync, which did nothing if it was a lie.
func (m moment) sync(lied bool) moment {
	if lied {
		return m
	}
	next := moment{durable: m.durable.clone(), acked: m.acked}
	for _, o := range m.pending {
		if o.what == resized {
			next.durable.size = max(next.durable.size, o.size)
		} else {
			next.durable.write(o.off, o.data)
		}
	}
	return next
}

// expected is what an image must hold: the commit in flight if its meta page is whole there, and else the
// last one that was acknowledged.
func (m moment) expected(image *disk) *commit {
	for _, o := range slices.Backward(m.pending) {
		if o.commit != nil && bytes.Equal(image.read(o.off+metaAt, metaLen), o.data[metaAt:metaAt+metaLen]) {
			return o.commit
		}
	}
	return m.acked
}

// unexported is a field of bbolt's that has no other door.
func unexported[T any](db *bbolt.DB, path ...string) (*T, error) {
	v := reflect.ValueOf(db).Elem()
	for _, name := range path {
		if v = v.FieldByName(name); !v.IsValid() {
			return nil, fmt.Errorf("this bbolt has no field %v: the recording has to be thought over", path)
		}
	}
	p, ok := reflect.TypeAssert[*T](reflect.NewAt(v.Type(), v.Addr().UnsafePointer()))
	if !ok {
		return nil, fmt.Errorf("bbolt's %v is of type %v: the recording has to be thought over", path, v.Type())
	}
	return p, nil
}

// mirror is an engine beside which a model is kept.
type mirror struct {
	*bolt.Engine

	tape        *tape
	transaction store.RecordTx // the transaction that tape.staged belongs to
}

// Update implements store.Engine.
func (m *mirror) Update(ctx context.Context, fn func(store.RecordTx) error) error {
	return m.Engine.Update(ctx, m.watch(fn))
}

// Batch implements store.Engine.
func (m *mirror) Batch(ctx context.Context, fn func(store.RecordTx) error) error {
	return m.Engine.Batch(ctx, m.watch(fn))
}

// Claim implements store.Engine. Its transaction is the engine's own, so what it does is noted afterwards.
func (m *mirror) Claim(ctx context.Context, k store.Kind, now time.Time, lease time.Duration, limit int) ([]store.Record, error) {
	before := m.tape.last
	m.tape.staged, m.transaction = nil, nil
	list, err := m.Engine.Claim(ctx, k, now, lease, limit)
	if m.tape.last == before {
		return list, err
	}
	m.tape.last.model = before.model.clone()
	for _, r := range list {
		m.tape.last.model.put(r)
	}
	return list, err
}

// watch has a transaction change the model too. Several may share a commit, and one that was rolled
// back leaves nothing behind.
func (m *mirror) watch(fn func(store.RecordTx) error) func(store.RecordTx) error {
	return func(tx store.RecordTx) error {
		if m.transaction != tx {
			m.transaction, m.tape.staged = tx, m.tape.last.model.clone()
		}
		return fn(watched{tx, m.tape.staged})
	}
}

// watched is a transaction beside which a model is kept.
type watched struct {
	store.RecordTx

	model model
}

// Put implements store.RecordTx.
func (w watched) Put(r store.Record) (version uint64, err error) {
	version, err = w.RecordTx.Put(r)
	if err == nil {
		r.Version, r.Due = version, r.Due.Truncate(time.Microsecond)
		w.model.put(r)
	}
	return version, err
}

// Delete implements store.RecordTx.
func (w watched) Delete(r store.Record) error {
	err := w.RecordTx.Delete(r)
	if err == nil {
		delete(w.model[r.Kind].records, r.Key)
	}
	return err
}

package store

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"hash"
	"slices"
	"time"
)

var (
	// ErrMoved: all that was in the database lives on in another one.
	ErrMoved = errors.New("the database was moved to another one")
	// ErrArriving: another database is on its way into this one and has not arrived.
	ErrArriving = errors.New("another database is on its way into this one")
	// ErrNotEmpty: a database is to take in another one and holds something already.
	ErrNotEmpty = errors.New("the database is not empty")
	// ErrUnlike: what was written to a database is not what was read from another one.
	ErrUnlike = errors.New("what was written is not what was read")
)

// The marks of a move, of kind meta. They are of one database, and are not copied to another.
const (
	leavingKey  = "moved"
	arrivingKey = "arriving"
)

// moveMark is what each of the two databases of a move knows of it. The same ID stands in both, so that neither is taken for
// a half of another move.
type moveMark struct {
	ID   string    `json:"ID"`
	To   string    `json:"To,omitempty"`
	At   time.Time `json:"At"`
	Done bool      `json:"Done,omitempty"` // of the one that is left: it is not opened any more
}

// Whole is an engine that can be read whole.
type Whole interface {
	Engine
	Snapshotter
}

// Digest says what all records of a database are, but for their versions, which each database gives for itself.
type Digest struct {
	Records int
	Sum     [sha256.Size]byte
}

// String implements fmt.Stringer.
func (d Digest) String() string {
	return fmt.Sprintf("%d records, sha256 %s", d.Records, hex.EncodeToString(d.Sum[:]))
}

// DigestOf reads all records of a database, but for the marks of moves.
func DigestOf(ctx context.Context, from Snapshotter) (d Digest, err error) {
	sum := sha256.New()
	err = eachMoved(ctx, from, func(r Record) error {
		d.Records++
		addRecord(sum, r)
		return nil
	})
	if err != nil {
		return d, fmt.Errorf("read all records: %w", err)
	}
	d.Sum = [sha256.Size]byte(sum.Sum(nil))
	return d, nil
}

// addRecord adds a record to a digest. Each part goes behind its length: two lists of records with one digest are one.
func addRecord(sum hash.Hash, r Record) {
	var due uint64
	if !r.Due.IsZero() {
		due = uint64(r.Due.UnixMicro())
	}
	head := binary.BigEndian.AppendUint64(nil, due)
	for _, part := range [][]byte{[]byte(r.Kind), []byte(r.Key), r.Value} {
		head = binary.BigEndian.AppendUint64(head, uint64(len(part)))
	}
	sum.Write(head)
	sum.Write([]byte(r.Kind))
	sum.Write([]byte(r.Key))
	sum.Write(r.Value)
}

// eachMoved visits the records that a move takes along.
func eachMoved(ctx context.Context, from Snapshotter, visit func(Record) error) error {
	return from.Snapshot(ctx, func(r Record) error {
		if isMark(r) {
			return nil
		}
		return visit(r)
	})
}

func isMark(r Record) bool {
	return r.Kind == KindMeta && (r.Key == leavingKey || r.Key == arrivingKey)
}

// Move takes all records of one database into an empty one, as they are: what is sealed stays so, and no key is needed.
// Once both hold the same, from is never opened again. Nobody else may write to either meanwhile.
//
// to names the other one for people, in what from keeps.
//
// Stopped at any moment, from alone opens, or the other one alone, or for the moment between these neither; the same move
// begun again comes to its end. What a move that was stopped has left in its own database is not in the way.
func Move(ctx context.Context, from, into Whole, to string) (Digest, error) {
	m, left, err := beginMove(ctx, from, into)
	if err != nil {
		return Digest{}, err
	}
	if !left {
		// The one that is left knows of the move first: a database that waits for one which knows nothing would wait for ever.
		m.To, m.At = to, time.Now().UTC()
		if err := putMark(ctx, from, leavingKey, m); err != nil {
			return Digest{}, err
		}
		if err := putMark(ctx, into, arrivingKey, m); err != nil {
			return Digest{}, err
		}
		// Also where nothing was stopped, for it costs nothing then: beginMove has refused a database that holds anything else.
		if err := wipe(ctx, into); err != nil {
			return Digest{}, err
		}
		if err := CopyRecords(ctx, moved{from}, into); err != nil {
			return Digest{}, err
		}
	}
	d, err := alike(ctx, from, into)
	if err != nil {
		return d, err
	}
	// In this order: between the two nobody opens either, and never are there two that somebody opens.
	m.Done = true
	if err := putMark(ctx, from, leavingKey, m); err != nil {
		return d, err
	}
	return d, dropMark(ctx, into, arrivingKey)
}

// beginMove tells which move it is: a new one, the one that both databases know and that was stopped, or none that may be.
// left tells that all was written, and from is not opened any more.
func beginMove(ctx context.Context, from, into Whole) (m moveMark, left bool, err error) {
	leaving, err := readMark(ctx, from, leavingKey)
	if err != nil {
		return m, false, err
	}
	for _, d := range []struct {
		in  Engine
		key string
	}{{from, arrivingKey}, {into, leavingKey}} {
		switch other, err := readMark(ctx, d.in, d.key); {
		case err != nil:
			return m, false, err
		case other.ID != "" && d.key == arrivingKey:
			return m, false, ErrArriving // half of another database
		case other.ID != "":
			return m, false, ErrNotEmpty
		}
	}
	arriving, err := readMark(ctx, into, arrivingKey)
	switch {
	case err != nil:
		return m, false, err
	// It is the same move, which was stopped: it goes on from where the marks say.
	case arriving.ID != "" && arriving.ID == leaving.ID:
		return leaving, leaving.Done, nil
	case leaving.Done:
		return m, false, leaving.gone()
	case arriving.ID != "":
		return m, false, ErrArriving
	}
	if err := empty(ctx, into); err != nil {
		return m, false, err
	}
	// An ID of its own for each move into an empty database: what an earlier one has left elsewhere is no half of this one.
	id := make([]byte, 16)
	rand.Read(id)
	return moveMark{ID: hex.EncodeToString(id)}, false, nil
}

// gone is why a database is not opened any more.
func (m moveMark) gone() error {
	return fmt.Errorf("%w, %s, at %s", ErrMoved, m.To, m.At.Format(time.DateTime))
}

// errSomething ends a reading that has found what it looked for.
var errSomething = errors.New("there is something")

// empty refuses a database that holds anything.
func empty(ctx context.Context, e Snapshotter) error {
	err := e.Snapshot(ctx, func(Record) error { return errSomething })
	if errors.Is(err, errSomething) {
		return ErrNotEmpty
	}
	return err
}

// wipe takes away what a move that was stopped had written.
func wipe(ctx context.Context, e Whole) error {
	var kinds []Kind // first all of them: some engines cannot be written to while they are read whole
	err := eachMoved(ctx, e, func(r Record) error {
		if len(kinds) == 0 || kinds[len(kinds)-1] != r.Kind {
			kinds = append(kinds, r.Kind)
		}
		return nil
	})
	for _, k := range kinds {
		if err != nil {
			break
		}
		err = wipeKind(ctx, e, k)
	}
	if err != nil {
		return fmt.Errorf("take away what an earlier try has left: %w", err)
	}
	return nil
}

// wipeKind does so with one kind.
func wipeKind(ctx context.Context, e Engine, k Kind) error {
	for after := ""; ; {
		page, err := e.Scan(ctx, k, "", after, copyPage)
		if err != nil || len(page) == 0 {
			return err
		}
		after = page[len(page)-1].Key
		page = slices.DeleteFunc(page, isMark)
		err = e.Update(ctx, func(tx RecordTx) error {
			if err := want(tx, page); err != nil {
				return err
			}
			for _, r := range page {
				if err := tx.Delete(r); err != nil {
					return fmt.Errorf("%s %q: %w", r.Kind, r.Key, err)
				}
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
}

// moved is what a move takes along.
type moved struct{ from Snapshotter }

// Snapshot implements Snapshotter.
func (m moved) Snapshot(ctx context.Context, visit func(Record) error) error {
	return eachMoved(ctx, m.from, visit)
}

// alike reads both databases anew, from what is on disk, and refuses two that differ.
func alike(ctx context.Context, from, into Snapshotter) (Digest, error) {
	read, err := DigestOf(ctx, from)
	if err != nil {
		return read, err
	}
	written, err := DigestOf(ctx, into)
	if err == nil && read != written {
		err = fmt.Errorf("%w: %v and %v", ErrUnlike, read, written)
	}
	return read, err
}

// readMark reads a mark; its zero value where there is none.
func readMark(ctx context.Context, e Engine, key string) (m moveMark, err error) {
	r, err := e.Get(ctx, KindMeta, key)
	if errors.Is(err, ErrNotFound) {
		return m, nil
	}
	if err != nil {
		return m, err
	}
	if err := json.Unmarshal(r.Value, &m); err != nil || m.ID == "" {
		return m, fmt.Errorf("decode the mark of a move: %w", errors.Join(err, ErrArriving))
	}
	return m, nil
}

// putMark writes a mark, or writes it anew.
func putMark(ctx context.Context, e Engine, key string, m moveMark) error {
	text, err := json.Marshal(m)
	if err != nil {
		return err
	}
	err = e.Update(ctx, func(tx RecordTx) error {
		r, err := tx.Get(KindMeta, key)
		if err := ignoring(err, ErrNotFound); err != nil {
			return err
		}
		_, err = tx.Put(Record{Kind: KindMeta, Key: key, Value: text, Version: r.Version})
		return err
	})
	if err != nil {
		return fmt.Errorf("mark the database as %s: %w", key, err)
	}
	return nil
}

// dropMark takes a mark away, if there is one.
func dropMark(ctx context.Context, e Engine, key string) error {
	err := e.Update(ctx, func(tx RecordTx) error {
		r, err := tx.Get(KindMeta, key)
		if err != nil {
			return ignoring(err, ErrNotFound)
		}
		return tx.Delete(r)
	})
	if err != nil {
		return fmt.Errorf("take the mark %s away: %w", key, err)
	}
	return nil
}

// Stay lets a copy of a database that was moved be opened: what is done with it is a restore, which knows that it is old.
func Stay(ctx context.Context, e Engine) error { return dropMark(ctx, e, leavingKey) }

// MayTakeIn refuses as the other end of a move a database that holds anything but half of one.
func MayTakeIn(ctx context.Context, e Whole) error {
	arriving, err := readMark(ctx, e, arrivingKey)
	if err != nil || arriving.ID != "" {
		return err
	}
	return empty(ctx, e)
}

// MovedTo is where a database was moved to, and when; "" where it was not, or the move is not at its end.
func MovedTo(ctx context.Context, e Engine) (to string, at time.Time, err error) {
	m, err := readMark(ctx, e, leavingKey)
	if err != nil || !m.Done {
		return "", time.Time{}, err
	}
	return m.To, m.At, nil
}

// MayOpen refuses a database that was moved, and one of which half is there.
func MayOpen(ctx context.Context, e Engine) error {
	switch m, err := readMark(ctx, e, arrivingKey); {
	case err != nil:
		return err
	case m.ID != "":
		return ErrArriving
	}
	m, err := readMark(ctx, e, leavingKey)
	if err == nil && m.Done {
		err = m.gone()
	}
	return err
}

package postgres

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"sync"

	"github.com/jackc/pgx/v5"

	"resellerbot/internal/atomicfile"
)

// A database may come back without what was promised last: a standby was promoted that lagged, or somebody has restored it. Its
// own tables do not show that. So each transaction leaves a number in the database, one higher than the last transaction of its connection, and
// once it is kept, in a file of this machine. A database with a smaller number than the file has lost transactions.
//
// The file is written without waiting for the disk: it survives the process, and a machine that has lost its power may know
// a little less than it saw. Nothing is refused for that. Several processes of one machine may keep the same file: in it numbers only
// rise, and it is replaced only by that of another database, or of one that was recovered since.

var (
	// ErrLost: transactions that were kept are not in the database any more. It says so itself, to every process that asks.
	ErrLost = errors.New("the database knows less than was seen of it: what was written last is gone, by a failover to a standby that lagged or by a restore")
	// ErrOther: this machine has worked with another database.
	ErrOther = errors.New("the database is not the one that this machine has worked with")
)

// slots is how many connections there can be at one moment, those that are being closed among them.
const slots = 64

// The file: what it is, the database, how often that was recovered, and a number for each slot.
const (
	seenMagic  = "botseen1"
	idLength   = 36
	roundAt    = int64(len(seenMagic) + idLength)
	firstSlot  = roundAt + 8
	seenLength = firstSlot + 8*slots
)

// seen is what the transactions of this process have left, and the file that it is kept in.
type seen struct {
	failed func(error) // told once that the file cannot be written

	round int64 // the last recovery that is known of

	mu   sync.Mutex
	file *os.File // nil: nothing is kept
	last [slots]int64
	busy [slots]bool
}

// sight is what a file, or a database, has seen.
type sight struct {
	id    string
	round int64
	last  [slots]int64
}

// lacks reports whether the database of this sight has lost what another sight of it had.
func (s sight) lacks(other sight) bool {
	if s.round != other.round {
		return s.round < other.round
	}
	for i, n := range other.last {
		if s.last[i] < n {
			return true
		}
	}
	return false
}

// slotOf is where a connection keeps its slot.
const slotOf = "resellerbot.slot"

// acquire gives a connection a slot of its own.
func (s *seen) acquire(conn *pgx.Conn) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	for i, busy := range s.busy {
		if !busy {
			s.busy[i] = true
			conn.PgConn().CustomData()[slotOf] = i
			return nil
		}
	}
	return errors.New("too many connections are being closed")
}

// release gives the slot of a connection back.
func (s *seen) release(conn *pgx.Conn) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if i, ok := conn.PgConn().CustomData()[slotOf].(int); ok {
		s.busy[i] = false
	}
}

// next is the number that a transaction leaves. One that is not kept after all is not given again.
func (s *seen) next(conn *pgx.Conn) (slot int, n int64, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	slot, ok := conn.PgConn().CustomData()[slotOf].(int)
	if !ok {
		return 0, 0, errors.New("the connection is not one of transactions")
	}
	s.last[slot]++
	return slot, s.last[slot], nil
}

// kept notes that a transaction is kept.
func (s *seen) kept(slot int, n int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.file == nil {
		return
	}
	if err := raise(s.file, slot, n); err != nil {
		s.stop(err)
	}
}

// follow notes what somebody else's transactions have left.
func (s *seen) follow(now sight) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.file == nil {
		return
	}
	if err := raise(s.file, 0, now.last[:]...); err != nil {
		s.stop(err)
	}
}

// stop keeps no file any more. The caller holds mu.
func (s *seen) stop(err error) {
	_ = s.file.Close() // what it holds is as good as it was
	s.file = nil
	if s.failed != nil {
		s.failed(err)
	}
}

func (s *seen) close() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.file != nil {
		_ = s.file.Close() // nothing of it waits to be written
		s.file = nil
	}
}

// recognise compares the database with what was seen of it, and goes on from both. This process leads already: nobody else
// writes. A loss that is found is noted in the database, so that no other process goes on with it either.
func (e *Engine) recognise(ctx context.Context) error {
	now, lost, err := e.sight(ctx)
	if err != nil {
		return fmt.Errorf("look at what the database knows: %w", err)
	}
	before, err := e.sawBefore()
	switch {
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		e.unkept(fmt.Errorf("%s is begun anew: %w", e.options.Seen, err))
	case err == nil && before.id != now.id:
		return ErrOther
	}
	if err == nil && now.lacks(before) || e.watched != nil && e.watched.id == now.id && now.lacks(*e.watched) {
		if _, err := e.reads.Exec(ctx, "update origin set lost = true"); err != nil {
			return errors.Join(ErrLost, err)
		}
		lost = true
	}
	if lost && !e.options.Recover {
		return ErrLost
	}
	// Nothing else of this engine runs yet.
	e.seen.last, e.seen.round = now.last, max(now.round, before.round)
	e.keepSight(now)
	return nil
}

// sawBefore is what this machine has seen, by the file of this bot or, before it had one of its own, by that of its folder.
func (e *Engine) sawBefore() (sight, error) {
	before, err := readSight(e.options.Seen)
	if errors.Is(err, fs.ErrNotExist) {
		return readSight(e.options.SeenBefore)
	}
	return before, err
}

// watch looks at what the database knows while this process stands by: its leader may go together with the server that it was
// written to, and then nobody else has seen what is lost. What is seen is on the standby as well, where commits wait for one.
func (e *Engine) watch(ctx context.Context) error {
	return e.again(ctx, func(int) error {
		now, _, err := e.sight(ctx)
		if err == nil {
			e.notice(now)
		}
		return brokenOr(err)
	})
}

// notice keeps what was seen while standing by, also in the file: this process may end with the server that it looks at. What
// knows more stays as it is, for recognise.
func (e *Engine) notice(now sight) {
	switch {
	case e.watched == nil:
		before, err := e.sawBefore()
		if errors.Is(err, fs.ErrNotExist) || err == nil && before.id == now.id && !now.lacks(before) {
			e.keepSight(now)
		}
	case now.lacks(*e.watched):
		return
	case now != *e.watched:
		e.seen.follow(now)
	}
	e.watched = &now
}

// keepSight begins the file, or goes on with it.
func (e *Engine) keepSight(now sight) {
	if e.options.Seen == "" {
		return
	}
	file, err := openSight(e.options.Seen, now)
	if err != nil {
		e.unkept(err) // what is sold does not depend on it
		return
	}
	if before, err := readSight(e.options.SeenBefore); err == nil && before.id == now.id {
		_ = os.Remove(e.options.SeenBefore) // what it says is in the file by now, and nobody looks at it again
	}
	e.seen.close()
	e.seen.mu.Lock()
	defer e.seen.mu.Unlock()
	e.seen.file, e.seen.failed = file, e.options.Unkept
}

// openSight opens the file that is there to raise what it says, or puts one in the place of what is of another database, or of before
// a recovery.
func openSight(path string, now sight) (*os.File, error) {
	const tries = 3 // another process may do the same
	var err error
	for range tries {
		var f *os.File
		if f, err = os.OpenFile(path, os.O_RDWR, 0); err == nil {
			if was, err := sightIn(f); err == nil && was.id == now.id && was.round == now.round {
				return f, errors.Join(raise(f, 0, now.last[:]...), f.Sync())
			}
			err = f.Close()
		}
		if f, err = writeSight(path, now, errors.Is(err, fs.ErrNotExist)); !errors.Is(err, fs.ErrExist) {
			return f, err
		}
	}
	return nil, err
}

// raise raises the numbers of slots, from one on, where they are higher than those in a file. Another process of this machine may be at
// it. Its lock is not waited for: a process that stands still must hold up nobody, and a number that falls back by one is one loss
// less that is noticed, until the next transaction.
func raise(f *os.File, slot int, n ...int64) error {
	defer lock(f)()
	for i := range n {
		at, is := firstSlot+8*int64(slot+i), make([]byte, 8)
		if _, err := f.ReadAt(is, at); err != nil {
			return err
		}
		if uint64(n[i]) <= binary.BigEndian.Uint64(is) { //nolint:gosec // G115: it counts from 0
			continue
		}
		if _, err := f.WriteAt(binary.BigEndian.AppendUint64(nil, uint64(n[i])), at); err != nil { //nolint:gosec // G115: it counts from 0
			return err
		}
	}
	return nil
}

func (e *Engine) unkept(err error) {
	if e.options.Unkept != nil {
		e.options.Unkept(err)
	}
}

// Recovered notes that what had to be done about lost transactions is done: the database counts as whole again, for every machine.
func (e *Engine) Recovered(ctx context.Context) error {
	end, err := e.beginCall(ctx)
	if err != nil {
		return err
	}
	defer end()
	// Beyond what this machine has seen, too: the database may have been put back to before an earlier recovery.
	if _, err := e.reads.Exec(ctx, "update origin set lost = false, round = greatest(round, $1) + 1", e.seen.round); err != nil {
		return fmt.Errorf("note that the database is recovered: %w", err)
	}
	now, _, err := e.sight(ctx)
	if err != nil {
		return fmt.Errorf("look at what the database knows: %w", err)
	}
	e.keepSight(now)
	return nil
}

// sight reads what the database knows.
func (e *Engine) sight(ctx context.Context) (s sight, lost bool, err error) {
	if err := e.reads.QueryRow(ctx, "select id::text, round, lost from origin").Scan(&s.id, &s.round, &lost); err != nil {
		return s, false, err
	}
	rows, err := e.reads.Query(ctx, "select slot, n from mark")
	if err != nil {
		return s, false, err
	}
	var slot int
	var n int64
	_, err = pgx.ForEachRow(rows, []any{&slot, &n}, func() error {
		if slot < 0 || slot >= slots {
			return fmt.Errorf("there is no slot %d", slot)
		}
		s.last[slot] = n
		return nil
	})
	return s, lost, err
}

// readSight reads a file.
func readSight(path string) (s sight, err error) {
	if path == "" {
		return s, fs.ErrNotExist
	}
	f, err := os.Open(path)
	if err != nil {
		return s, err
	}
	defer f.Close()
	return sightIn(f)
}

// sightIn reads an open file.
func sightIn(f *os.File) (s sight, err error) {
	text := make([]byte, seenLength)
	if _, err := io.ReadFull(io.NewSectionReader(f, 0, seenLength), text); err != nil || string(text[:len(seenMagic)]) != seenMagic {
		return s, errors.Join(errors.New("it is not what was written"), err)
	}
	s.id = string(text[len(seenMagic):roundAt])
	s.round = int64(binary.BigEndian.Uint64(text[roundAt:])) //nolint:gosec // G115: it counts from 0
	for i := range s.last {
		s.last[i] = int64(binary.BigEndian.Uint64(text[firstSlot+8*int64(i):])) //nolint:gosec // G115: it counts from 0
	}
	return s, nil
}

// text is what a file holds.
func (s sight) text() []byte {
	text := append([]byte(seenMagic), s.id...)
	text = binary.BigEndian.AppendUint64(text, uint64(s.round)) //nolint:gosec // G115: it counts from 0
	for _, n := range s.last {
		text = binary.BigEndian.AppendUint64(text, uint64(n)) //nolint:gosec // G115: it counts from 0
	}
	return text
}

// writeSight writes a file, and leaves it open. At its path there is either the whole of it or what was there before; fs.ErrExist where
// it is to be the first and is not.
func writeSight(path string, s sight, first bool) (*os.File, error) {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return nil, err
	}
	return atomicfile.Open(path, "."+filepath.Base(path)+"-*", first, func(f *os.File) error {
		_, err := f.Write(s.text())
		return err
	})
}

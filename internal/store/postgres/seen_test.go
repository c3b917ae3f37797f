package postgres_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"resellerbot/internal/sampletest"
	"resellerbot/internal/store"
	"resellerbot/internal/store/postgres"
	"resellerbot/internal/store/postgres/pgtest"
)

// machine opens a database as one machine does, which keeps what it has seen in a file.
func machine(t *testing.T, address, file string, o postgres.Options) (*postgres.Engine, error) {
	t.Helper()
	o.Fatal, o.Lost, o.Seen = func(err error) { t.Error(err) }, func(err error) { t.Error(err) }, file
	o.Lease = time.Second // that of a holder who is put back is waited for
	o.Unkept = func(err error) { t.Errorf("what was seen is not kept: %v", err) }
	return postgres.Open(t.Context(), address, o)
}

// wrote has some callers at once write n transactions each.
func wrote(t *testing.T, e *postgres.Engine, n int, name string) {
	t.Helper()
	var wg sync.WaitGroup
	for caller := range 5 {
		wg.Go(func() {
			for i := range n {
				err := e.Update(context.Background(), func(tx store.RecordTx) error {
					return put(tx, "kind", name+strconv.Itoa(caller)+"."+strconv.Itoa(i))
				})
				if err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
}

// do runs statements in the schema of an address.
func do(t *testing.T, address string, statements ...string) {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), address)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(context.Background())
	for _, s := range statements {
		if _, err := conn.Exec(t.Context(), s); err != nil {
			t.Fatalf("%s: %v", s, err)
		}
	}
}

// copied keeps the tables as they are, put puts them back: what a restore does.
func copied(t *testing.T, address string) (put func()) {
	t.Helper()
	tables := []string{"record", "lease", "origin", "mark"}
	for _, name := range tables {
		do(t, address, "create table was_"+name+" as table "+name)
	}
	// All in one transaction, as a database that is restored comes back: whoever stands by looks at it while it happens.
	var back strings.Builder
	for _, name := range tables {
		back.WriteString("delete from " + name + "; insert into " + name + " table was_" + name + "; ")
	}
	return func() {
		t.Helper()
		do(t, address, "do $$ begin "+back.String()+"end $$")
	}
}

// closed closes an engine.
func closed(t *testing.T, e *postgres.Engine, err error) {
	t.Helper()
	if err == nil {
		err = e.Close()
	}
	if err != nil {
		t.Error(err)
	}
}

// TestDatabaseThatKnowsLess: a database that comes back without the last transaction that was kept is refused, by the machine that knows,
// and from then on by every one, until somebody has seen to it.
func TestDatabaseThatKnowsLess(t *testing.T) {
	sampletest.Waits(t)
	t.Parallel()
	address, file := pgtest.Shared(t).Fresh(t), filepath.Join(t.TempDir(), "data", "seen")
	other := filepath.Join(t.TempDir(), "seen")
	e, err := machine(t, address, other, postgres.Options{})
	closed(t, e, err)
	if e, err = machine(t, address, file, postgres.Options{}); err != nil {
		t.Fatal(err)
	}
	wrote(t, e, 20, "before")
	putBack := copied(t, address)
	one := func(tx store.RecordTx) error { return put(tx, "kind", "lost") }
	if err := e.Update(t.Context(), one); err != nil {
		t.Fatal(err)
	}
	closed(t, e, nil)
	putBack()
	for _, knows := range []string{file, file, other, ""} {
		if e, err := machine(t, address, knows, postgres.Options{}); !errors.Is(err, postgres.ErrLost) {
			t.Errorf("a database that has lost a transaction opens with %v", err)
			closed(t, e, err)
		}
	}
	if e, err = machine(t, address, file, postgres.Options{Recover: true}); err != nil {
		t.Fatal(err)
	}
	if err := e.Recovered(t.Context()); err != nil {
		t.Error(err)
	}
	wrote(t, e, 2, "after")
	closed(t, e, nil)
	for _, knows := range []string{other, file, ""} {
		e, err = machine(t, address, knows, postgres.Options{})
		closed(t, e, err)
	}
	putBack() // to before that was seen to
	if e, err := machine(t, address, file, postgres.Options{}); !errors.Is(err, postgres.ErrLost) {
		t.Errorf("a database of before its recovery opens with %v", err)
		closed(t, e, err)
	}
}

// standsBy opens a database that somebody leads, and returns once that is known. What comes of it follows.
func standsBy(ctx context.Context, address, file string) <-chan error {
	looked, ended := make(chan string, 100), make(chan error, 1)
	go func() {
		e, err := postgres.Open(ctx, address, postgres.Options{
			Fatal: func(error) {}, Lost: func(error) {}, Lease: time.Second, Seen: file, Waiting: func(why string) { looked <- why },
		})
		if err == nil {
			err = e.Close() //nolint:contextcheck // it ends what is open, however that ends
		}
		ended <- err
	}()
	<-looked
	return ended
}

// TestWhoStandsByHasSeen: the leader goes together with the server that it was written to, and what takes its place has forgotten the
// last transaction. Who stood by knows, also where they ended with that server and are started again.
func TestWhoStandsByHasSeen(t *testing.T) {
	sampletest.Waits(t)
	t.Parallel()
	for _, again := range []bool{false, true} {
		address, file := pgtest.Shared(t).Fresh(t), ""
		leader, err := postgres.Open(t.Context(), address, postgres.Options{Fatal: func(error) {}, Lost: func(error) {}, Lease: time.Second})
		if err != nil {
			t.Fatal(err)
		}
		defer leader.Close()
		wrote(t, leader, 1, "kept")
		putBack := copied(t, address)
		if !again {
			wrote(t, leader, 1, "lost")
		} else {
			file = filepath.Join(t.TempDir(), "seen")
		}
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		ended := standsBy(ctx, address, file)
		if again {
			before := content(t, file)
			wrote(t, leader, 1, "lost")
			for content(t, file) == before {
				if _, err := leader.Leadership(t.Context()); err != nil { // nothing tells when another process has written
					t.Fatal(err)
				}
			}
			cancel()
			<-ended
		}
		leader.Freeze()
		putBack()
		if again {
			ended = standsBy(t.Context(), address, file)
		}
		if err := <-ended; !errors.Is(err, postgres.ErrLost) {
			t.Errorf("started again %v: it goes on with %v", again, err)
		}
	}
}

// content is what a file holds.
func content(t *testing.T, file string) string {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// TestWhatIsKeptIsSeen: a process that is killed, or whose transactions are refused, has lost nothing.
func TestWhatIsKeptIsSeen(t *testing.T) {
	sampletest.Waits(t)
	address, file := pgtest.Shared(t).Fresh(t), filepath.Join(t.TempDir(), "seen")
	for i := range 3 {
		e, err := machine(t, address, file, postgres.Options{})
		if err != nil {
			t.Fatal(err)
		}
		wrote(t, e, 5, "round"+strconv.Itoa(i))
		refused := errors.New("refused")
		if err := e.Update(t.Context(), func(tx store.RecordTx) error { return errors.Join(put(tx, "kind", "never"), refused) }); !errors.Is(err, refused) {
			t.Error(err)
		}
		closed(t, e, nil)
	}
}

// TestAnotherDatabase: a machine does not go on with a database that it has never worked with, until somebody says so.
func TestAnotherDatabase(t *testing.T) {
	file := filepath.Join(t.TempDir(), "seen")
	e, err := machine(t, pgtest.Shared(t).Fresh(t), file, postgres.Options{})
	closed(t, e, err)
	second := pgtest.Shared(t).Fresh(t)
	if e, err := machine(t, second, file, postgres.Options{}); !errors.Is(err, postgres.ErrOther) {
		t.Errorf("another database opens with %v", err)
		closed(t, e, err)
	}
	if err := os.Remove(file); err != nil {
		t.Fatal(err)
	}
	e, err = machine(t, second, file, postgres.Options{})
	closed(t, e, err)
}

// TestSeenCannotBeKept: a file that cannot be read is begun anew, one that cannot be written is done without; both are told.
func TestSeenCannotBeKept(t *testing.T) {
	dir, address := t.TempDir(), pgtest.Shared(t).Fresh(t)
	torn, blocked := filepath.Join(dir, "torn"), filepath.Join(dir, "torn", "below")
	if err := os.WriteFile(torn, []byte("botseen1"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		file string
		told int
	}{{torn, 1}, {torn, 0}, {blocked, 2}} {
		told := 0
		e, err := postgres.Open(t.Context(), address, postgres.Options{Fatal: func(error) {}, Lost: func(error) {}, Seen: c.file, Unkept: func(error) { told++ }})
		closed(t, e, err)
		if told != c.told {
			t.Errorf("%s: told %d times", c.file, told)
		}
	}
}

// TestSeenIsShared: two processes of one machine keep one file. Who stands by takes nothing away from what the leader notes there, to
// its last transaction.
func TestSeenIsShared(t *testing.T) {
	sampletest.Waits(t)
	t.Parallel()
	address, file := pgtest.Shared(t).Fresh(t), filepath.Join(t.TempDir(), "seen")
	leader, err := machine(t, address, file, postgres.Options{})
	if err != nil {
		t.Fatal(err)
	}
	wrote(t, leader, 3, "before")
	ctx, cancel := context.WithCancel(t.Context())
	ended := standsBy(ctx, address, file)
	wrote(t, leader, 3, "beside")
	cancel()
	<-ended
	putBack := copied(t, address)
	if err := leader.Update(t.Context(), func(tx store.RecordTx) error { return put(tx, "kind", "lost") }); err != nil {
		t.Fatal(err)
	}
	closed(t, leader, nil)
	putBack()
	if e, err := machine(t, address, file, postgres.Options{}); !errors.Is(err, postgres.ErrLost) {
		t.Errorf("a database that has lost a transaction opens with %v", err)
		closed(t, e, err)
	}
}

// TestSeenInOneFolder: bots with a database each keep a file each. What one has kept under a name that was of the folder is gone on
// with: it still refuses what knows less, and another database.
func TestSeenInOneFolder(t *testing.T) {
	sampletest.Waits(t)
	t.Parallel()
	dir, address := t.TempDir(), pgtest.Shared(t).Fresh(t)
	before, mine, theirs := filepath.Join(dir, "bot.db.seen"), filepath.Join(dir, "bot.db.1.seen"), filepath.Join(dir, "bot.db.2.seen")
	e, err := machine(t, address, before, postgres.Options{})
	if err != nil {
		t.Fatal(err)
	}
	putBack := copied(t, address)
	wrote(t, e, 1, "lost")
	closed(t, e, nil)
	other := pgtest.Shared(t).Fresh(t)
	if e, err := machine(t, other, theirs, postgres.Options{SeenBefore: before}); !errors.Is(err, postgres.ErrOther) {
		t.Errorf("another database opens with %v", err)
		closed(t, e, err)
	}
	e, err = machine(t, address, mine, postgres.Options{SeenBefore: before})
	closed(t, e, err)
	if _, err := os.Stat(before); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the old file is there: %v", err)
	}
	for range 2 { // side by side from here on
		for file, at := range map[string]string{mine: address, theirs: other} {
			e, err := machine(t, at, file, postgres.Options{SeenBefore: before})
			closed(t, e, err)
		}
	}
	putBack()
	if err := os.Rename(mine, before); err != nil {
		t.Fatal(err)
	}
	if e, err := machine(t, address, mine, postgres.Options{SeenBefore: before}); !errors.Is(err, postgres.ErrLost) {
		t.Errorf("a database that has lost transactions, by the old file, opens with %v", err)
		closed(t, e, err)
	}
}

// TestRecoveredTwice: a database is put back to before it was recovered once. Recovered again, it is whole for every machine.
func TestRecoveredTwice(t *testing.T) {
	sampletest.Waits(t)
	address, dir := pgtest.Shared(t).Fresh(t), t.TempDir()
	file, other := filepath.Join(dir, "a"), filepath.Join(dir, "b")
	e, err := machine(t, address, file, postgres.Options{})
	closed(t, e, err)
	putBack := copied(t, address)
	recovered := func() {
		t.Helper()
		e, err := machine(t, address, file, postgres.Options{Recover: true})
		if err != nil {
			t.Fatal(err)
		}
		if err := e.Recovered(t.Context()); err != nil {
			t.Error(err)
		}
		closed(t, e, nil)
	}
	recovered()
	if e, err = machine(t, address, other, postgres.Options{}); err != nil {
		t.Fatal(err)
	}
	wrote(t, e, 5, "elsewhere")
	closed(t, e, nil)
	putBack()
	recovered()
	e, err = machine(t, address, other, postgres.Options{})
	closed(t, e, err)
}

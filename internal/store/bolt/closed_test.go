package bolt_test

import (
	"os"
	"regexp"
	"testing"
	"time"

	"resellerbot/internal/store"
	"resellerbot/internal/store/bolt"
)

// TestClosedCleanly: a file is taken for one that was closed cleanly where it is just what was closed, and by nobody who
// has it open, has been killed, or has had a commit fail.
func TestClosedCleanly(t *testing.T) {
	said := func(path string, want bool, when string) {
		t.Helper()
		if bolt.ClosedCleanly(path) != want {
			t.Errorf("%s: closed cleanly is %v", when, !want)
		}
	}
	path := newOwn(t)
	said(path, true, "closed")
	withOwn(t, path, func(e *bolt.Engine) {
		said(path, false, "open")
		put(t, e, store.Record{Kind: "k", Key: "b"})
		killed := t.TempDir() + "/bot.db" // what a process leaves that is killed now
		write(t, killed, read(t, path))
		said(killed, false, "killed")
	})
	said(path, true, "closed again")

	before := read(t, path)
	write(t, path, before[:len(before)-1])
	said(path, false, "cut")
	write(t, path, before)
	said(path, false, "written to since")
	withOwn(t, path, func(*bolt.Engine) {})
	if err := os.Chtimes(path, time.Time{}, time.Now().Add(time.Hour)); err != nil {
		t.Fatal(err)
	}
	said(path, false, "changed at another time")
	write(t, path+".closed", []byte("{"))
	said(path, false, "a note that cannot be read")
}

// TestReadersLeaveTheNote: whoever only reads a database changes nothing about how it was closed.
func TestReadersLeaveTheNote(t *testing.T) {
	path := newOwn(t)
	e, err := bolt.Open(path, bolt.Options{Identify: true, ReadOnly: true, Fatal: func(err error) { t.Error(err) }})
	if err != nil {
		t.Fatal(err)
	}
	if !bolt.ClosedCleanly(path) {
		t.Error("a reader has taken the note away")
	}
	if err := e.Close(); err != nil || !bolt.ClosedCleanly(path) {
		t.Errorf("a reader has left it otherwise: %v", err)
	}
}

// TestKilledOnly: a file is taken for one whose process was killed where the system has run on since, it is the file of
// then, and nobody has closed it.
func TestKilledOnly(t *testing.T) {
	said := func(path string, want bool, when string) {
		t.Helper()
		if bolt.KilledOnly(path) != want {
			t.Errorf("%s: killed only is %v", when, !want)
		}
	}
	path := newOwn(t)
	said(path, false, "closed")
	withOwn(t, path, func(e *bolt.Engine) {
		put(t, e, store.Record{Kind: "k", Key: "b"})
		if !bolt.KilledOnly(path) {
			t.Skip("the system does not tell its runs apart")
		}
		note := read(t, path+".opened")
		was := regexp.MustCompile(`"Boot":"[^"]+"`)
		write(t, path+".opened", was.ReplaceAll(note, []byte(`"Boot":"another"`)))
		said(path, false, "the power was cut")
		write(t, path+".opened", was.ReplaceAll(note, []byte(`"Boot":""`)))
		said(path, false, "of a system that tells nothing")
		write(t, path+".opened", note[:9])
		said(path, false, "a note that cannot be read")
		write(t, path+".opened", note)
		said(path, true, "killed")
		if err := os.Rename(path, path+".aside"); err != nil {
			t.Fatal(err)
		}
		write(t, path, read(t, path+".aside"))
		said(path, false, "another file is in its place")
		if err := os.Rename(path+".aside", path); err != nil {
			t.Fatal(err)
		}
	})
	said(path, false, "closed again")
}

// TestKilledAgain: a process that has not read the file may end by what is in it. The next one is to read it, also where the one
// before ended while it opened the file; one that has read it, or that ends cleanly, is a beginning.
func TestKilledAgain(t *testing.T) {
	path := newOwn(t)
	run := func(trust bolt.Trust, again bool, when string) {
		t.Helper()
		o := bolt.Options{Identify: true, Trust: trust, NoSync: true, Fatal: func(err error) { t.Error(err) }}
		e, err := bolt.Open(path, o)
		if err != nil {
			t.Fatal(err)
		}
		note, _ := os.ReadFile(path + ".opened")
		if err := e.Close(); err != nil {
			t.Fatal(err)
		}
		write(t, path+".opened", note) // and killed
		if bolt.KilledOnly(path) != again {
			t.Errorf("%s: it is killed only: %v", when, !again)
		}
	}
	run(bolt.Known, true, "closed cleanly, and killed")
	run(bolt.Killed, false, "killed once more")
	run(bolt.Known, true, "read, and killed")
	run(bolt.Killed, false, "killed again, and once more")
	run(bolt.Known, true, "read again")

	whole := read(t, path)
	write(t, path, []byte("what ends whoever opens it"))
	if _, err := bolt.Open(path, bolt.Options{Identify: true, Trust: bolt.Killed}); err == nil {
		t.Fatal("it was opened")
	}
	if bolt.KilledOnly(path) {
		t.Error("killed while it was opened: it is not read by the next one either")
	}
	write(t, path, whole)
}

// TestDoubtful: a file that could not be read to its end is read by the next start, however this one ends.
func TestDoubtful(t *testing.T) {
	path := newOwn(t)
	e, err := bolt.Open(path, bolt.Options{Identify: true, Trust: bolt.Doubtful, Fatal: func(err error) { t.Error(err) }})
	if err != nil {
		t.Fatal(err)
	}
	if bolt.KilledOnly(path) || bolt.ClosedCleanly(path) {
		t.Error("killed, it is not read")
	}
	if err := e.Close(); err != nil {
		t.Fatal(err)
	}
	if bolt.KilledOnly(path) || bolt.ClosedCleanly(path) {
		t.Error("closed, it is not read")
	}
	withOwn(t, path, func(*bolt.Engine) {})
	if !bolt.ClosedCleanly(path) {
		t.Error("read and closed, it is doubtful still")
	}
}

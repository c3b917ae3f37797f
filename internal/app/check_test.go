package app_test

import (
	"bytes"
	"fmt"
	"maps"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"resellerbot/internal/app"
	"resellerbot/internal/sampletest"
	"resellerbot/internal/store"
	"resellerbot/internal/store/bolt"
)

// TestCheck: what check says of a database, line by line, with its exit code; it changes nothing.
func TestCheck(t *testing.T) {
	sampletest.Slow(t)
	schema := fmt.Appendf(nil, `"Schema":%d`, store.CurrentSchema())
	digits := len(strconv.Itoa(store.CurrentSchema())) // what stands in its place is as long: bytes of a page are replaced
	newer, earlier := []byte(`"Schema":`+strings.Repeat("9", digits)), fmt.Appendf(nil, `"Schema":%*d`, digits, 0)
	t.Parallel()
	s := newShelf(t)
	whole := s.read("data/bot.db")
	for name, c := range map[string]struct {
		prepare func(s *shelf)
		keys    string // ENCRYPTION_KEYS, where they are others
		code    int
		stdout  string
		stderr  string // how it begins; it is one line
	}{
		"sound": {func(*shelf) {}, "", 0, "file: sound\nrecords: sound\n", ""},
		"cut": {
			func(s *shelf) { s.write("data/bot.db", whole[:40<<10]) }, "", app.ExitFailure,
			"file: the file is damaged: …\nrecords: not read\n", "bot: the database data/bot.db is not sound: ",
		},
		"a page of zeros": {
			func(s *shelf) { s.write("data/bot.db", withZeros(whole)) }, "", app.ExitFailure,
			"file: the file is damaged: …\nrecords: not read\n", "bot: the database data/bot.db is not sound: ",
		},
		"a text": {
			func(s *shelf) { s.write("data/bot.db", []byte(strings.Repeat("no database ", 1000))) }, "", app.ExitFailure,
			"file: the file is damaged: …\nrecords: not read\n", "bot: the database data/bot.db is not sound: ",
		},
		"an index that names nothing": {
			func(s *shelf) { plantIndex(s.t, s.database()) }, "", app.ExitFailure,
			"file: sound\nrecords: 1 problem\n  needless index entry purchase_open \"nobody\"\n", "bot: the database data/bot.db is not sound: 1 problem in the records",
		},
		"empty": {
			func(s *shelf) { s.write("data/bot.db", nil) }, "", app.ExitRefused,
			"", "bot: open the database data/bot.db: the database is gone or empty",
		},
		"gone": {
			func(s *shelf) { s.remove("data/bot.db") }, "", app.ExitRefused,
			"data/bot.db: there is no such file\n", "bot: open the database data/bot.db: the database is gone or empty",
		},
		"never there": {
			func(s *shelf) { s.remove("data/bot.db"); s.remove("data/bot.db.id") }, "", app.ExitFailure,
			"data/bot.db: there is no such file\n", "bot: open the database data/bot.db: ",
		},
		"another one": {
			func(s *shelf) { s.write("data/bot.db", databaseOf(s.t, func(*bolt.Engine) {})) }, "", app.ExitRefused,
			"", "bot: open the database data/bot.db: this is not the database that was here before",
		},
		"the id is damaged": {
			func(s *shelf) { s.write("data/bot.db.id", []byte("?")) }, "", app.ExitRefused,
			"", "bot: open the database data/bot.db: the file with the id of the database is damaged",
		},
		"without the id": {func(s *shelf) { s.remove("data/bot.db.id") }, "", 0, "file: sound\nrecords: sound\n", ""},
		"under another key": {
			func(*shelf) {}, keyEntry("k1", 1), app.ExitRefused,
			"file: sound\n", "bot: check the database data/bot.db: open the store: ENCRYPTION_KEYS does not hold the key",
		},
		"of a newer version": {
			func(s *shelf) {
				s.write("data/bot.db", bytes.ReplaceAll(whole, schema, newer))
			}, "", app.ExitRefused,
			"file: sound\n", "bot: check the database data/bot.db: open the store: the database was written by a newer version",
		},
		"of an earlier version": {
			func(s *shelf) {
				s.write("data/bot.db", bytes.ReplaceAll(whole, schema, earlier))
			}, "", 0,
			"file: sound\nrecords: not read; they are of an earlier version, and brought up to date by the next start\n", "",
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := &shelf{t, s.dir, maps.Clone(s.env), s.secrets}
			id := s.read("data/bot.db.id")
			defer s.write("data/bot.db.id", id)
			defer s.write("data/bot.db", whole)
			c.prepare(s)
			if c.keys != "" {
				s.env["ENCRYPTION_KEYS"] = c.keys
			}
			was := s.files()
			got := s.run("check")
			s.same(was)
			if got.Code != c.code || !reads(got.Stdout, c.stdout) {
				t.Errorf("%+v", got)
			}
			if !strings.HasPrefix(got.Stderr, c.stderr) || strings.Count(got.Stderr, "\n") > 1 || (c.stderr == "") != (got.Stderr == "") {
				t.Errorf("it says %q, want %q …", got.Stderr, c.stderr)
			}
		})
	}
}

// reads reports whether a text is as wanted, … standing for the rest of a line.
func reads(text, want string) bool {
	lines, wanted := strings.Split(text, "\n"), strings.Split(want, "\n")
	return slices.EqualFunc(lines, wanted, func(line, want string) bool {
		begin, open := strings.CutSuffix(want, "…")
		return line == want || open && strings.HasPrefix(line, begin)
	})
}

// withZeros is a database of which all but the first pages are zeros.
func withZeros(whole []byte) []byte {
	keep := 3 * os.Getpagesize()
	return slices.Concat(whole[:keep], make([]byte, len(whole)-keep))
}

// remove removes a file there.
func (s *shelf) remove(name string) {
	s.t.Helper()
	if err := os.Remove(s.path(name)); err != nil {
		s.t.Fatal(err)
	}
}

// TestCheckInUse: a running bot's database is left alone.
func TestCheckInUse(t *testing.T) {
	sampletest.Slow(t)
	t.Parallel() // it waits for a lock
	s := newShelf(t)
	p := s.start()
	s.awake(p)
	if got := s.run("check"); got.Code != app.ExitRefused || got.Stdout != "" || !strings.Contains(got.Stderr, "in use by another process") {
		t.Errorf("%+v", got)
	}
	p.Kill()
	s.sound()
}

// TestCheckFileVerb: what the bot has another process do for it. Problems come a line each, and what was found is
// told by the exit code too.
func TestCheckFileVerb(t *testing.T) {
	sampletest.Slow(t)
	t.Parallel() // it waits for a lock
	s := newShelf(t)
	whole := s.read("data/bot.db")
	s.env = nil // it needs no configuration, and gets none
	check := func(name string, args ...string) app.Outcome {
		t.Helper()
		return s.run(append(append([]string{"check-file"}, args...), name)...)
	}
	if got := check("data/bot.db"); got != (app.Outcome{}) {
		t.Errorf("a sound file: %+v", got)
	}
	s.write("bad.db", whole[:40<<10])
	if got := check("bad.db"); got.Code != app.ExitFailure || !strings.HasPrefix(got.Stdout, "the file is cut: ") || got.Stderr != "bot: the file is not sound\n" {
		t.Errorf("a cut one: %+v", got)
	}
	s.write("bad.db", withZeros(whole))
	if got := check("bad.db", "-memory", "268435456", "--"); got.Code == 0 || got.Stdout+got.Stderr == "" {
		t.Errorf("one of zeros: %+v", got)
	}
	if got := check("none.db"); got.Code != app.ExitFailure || got.Stdout != "" || !strings.Contains(got.Stderr, "no such file") {
		t.Errorf("none: %+v", got)
	}
	if got := check("data"); got.Code != app.ExitFailure || !strings.Contains(got.Stderr, "is no file") {
		t.Errorf("a folder: %+v", got)
	}
	if got := s.run("check-file"); got.Code != app.ExitUsage {
		t.Errorf("nothing: %+v", got)
	}
	engine, err := bolt.Open(s.database(), bolt.Options{NoSync: true, Fatal: func(err error) { t.Error(err) }})
	if err != nil {
		t.Fatal(err)
	}
	defer engine.Close()
	if got := check("data/bot.db"); got.Code != app.ExitRefused || got.Stdout != app.SaidInUse {
		t.Errorf("one in use: %+v", got)
	}
}

// TestDamageDoesNoHarm: whichever page of the database is overwritten, the program says so, or works; it does not
// crash, hang or change anything.
func TestDamageDoesNoHarm(t *testing.T) {
	sampletest.Slow(t)
	t.Parallel()
	sampletest.MoreThanFew(t)
	s := newShelf(t)
	whole := s.read("data/bot.db")
	page := os.Getpagesize()
	found := 0
	for at := 0; at < min(len(whole), 25*page); at += page {
		damaged := slices.Clone(whole)
		for i := range page / 2 {
			damaged[at+i] ^= byte(i*7 + at/page)
		}
		s.write("data/bot.db", damaged)
		got := s.run("check")
		switch {
		case got.Code == 0 && got.Stdout == "file: sound\nrecords: sound\n": // a page that nothing is in
		case got.Code == app.ExitFailure && strings.HasPrefix(got.Stdout, "file: the file is damaged: ") && strings.HasSuffix(got.Stdout, "\nrecords: not read\n"):
			found++
		case got.Code == app.ExitFailure && strings.HasPrefix(got.Stdout, "file: sound\nrecords: "):
			found++
		default:
			t.Errorf("page %d: %+v", at/page, got)
		}
		if !bytes.Equal(s.read("data/bot.db"), damaged) {
			t.Errorf("page %d: the file has changed", at/page)
		}
	}
	if found < 10 {
		t.Errorf("only %d damaged pages are noticed", found)
	}
}

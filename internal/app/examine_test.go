package app_test

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"resellerbot/internal/api/sim"
	"resellerbot/internal/app"
	"resellerbot/internal/app/apptest"
	"resellerbot/internal/sampletest"
	"resellerbot/internal/store"
	"resellerbot/internal/store/bolt"
)

// saysAll fails the test unless a text says all that is wanted.
func saysAll(t *testing.T, text string, want ...string) {
	t.Helper()
	for _, w := range want {
		if !regexp.MustCompile(w).MatchString(text) {
			t.Errorf("it does not say %q:\n%s", w, text)
		}
	}
}

// TestVerify: a copy is read from end to end, opened and checked as the database is, and told of; nothing is changed by that.
func TestVerify(t *testing.T) {
	sampletest.Slow(t)
	t.Parallel()
	s := newShelf(t)
	s.succeed("backup", "copy.db")
	s.identity("keys.txt")
	s.succeed("backup", "copy.age")
	s.write("older.db", unpacked(t, filepath.Join(olderFiles, "schema3.db.gz")))
	was := s.files()
	s.refuse("restore older.db: this is not the database that was here before", "only if this database is meant", "restore", "-dry-run", "older.db")
	holds := `It holds 1 account, \d+ chats?, 4 purchases \(0 of them under way\) and 15 orders; the newest purchase is of \d{4}-`
	saysAll(t, s.succeed("backup", "-verify", "copy.db"), `^copy.db: plain, as its checksum says; file and records are sound\.`,
		fmt.Sprintf(`in schema %d \(this program's own\)`, store.CurrentSchema()), holds)
	saysAll(t, s.succeed("backup", "-verify", "copy.age", "-identity", "keys.txt"), `^copy.age: encrypted; file and records are sound\.`, holds)
	saysAll(t, s.succeed("backup", "-verify", "older.db"), `^older.db: plain, without a checksum`, fmt.Sprintf(`in schema 3 \(this program's is %d, and`, store.CurrentSchema()))
	s.same(was)
	s.refuse("verify copy.age: it is encrypted", "name the file with the age identity: -identity KEYFILE", "backup", "-verify", "copy.age")
	s.refuse("backup writes a copy", "see bot --help", "backup", "-verify", "-force", "copy.db")
	s.refuse("backup writes a copy", "see bot --help", "backup", "-identity", "keys.txt", "copy2.db")
	text := s.read("copy.db")
	text[len(text)/2] ^= 1
	s.write("copy.db", text)
	s.refuse("verify copy.db: the file is damaged: it is not what was written", "take another copy", "backup", "-verify", "copy.db")
}

// TestRestoreIsRehearsed: -dry-run says what a restore would replace, drop and lock, and what the database that is there
// knows besides; also while the bot runs. Nothing is changed.
func TestRestoreIsRehearsed(t *testing.T) {
	t.Parallel()
	apptest.Run(t, apptest.Everything(sim.Options{Mode: sim.Both}), func(h *apptest.Harness) {
		if h.Env["DATABASE_URL"] != "" {
			t.Skip("a copy takes the place of a file")
		}
		h.Link(apptest.Sam)
		h.Order(apptest.Sam, "Play Card", "5 USD", "1")
		h.Tap(apptest.Sam, "✅")
		h.Delivered(apptest.Sam)
		says(h, operate(h, "backup", "copy.db"), "checked")
		h.Order(apptest.Sam, "Play Card", "5 USD", "3")
		h.Tap(apptest.Sam, "✅")
		h.Pass(time.Minute)
		want := []string{
			"copy.db: plain, as its checksum says", "It holds 1 account, 1 chat, 1 purchase (0 of them under way) and 1 order",
			"The database data/bot.db would be kept as data/bot.db.before-restore-",
			"It knows what the copy does not: 1 purchases, 3 orders, 0 accounts, 0 chats; its newest purchase is of ",
			"Accounts frozen until it is known what they bought since: 1", "Nothing was changed.",
		}
		says(h, operate(h, "restore", "-dry-run", "copy.db"), want...)
		h.Stop()
		text, err := os.ReadFile(filepath.Join(h.Dir, "data/bot.db"))
		h.Must(err)
		says(h, operate(h, "restore", "copy.db", "-dry-run"), want...)
		now, err := os.ReadFile(filepath.Join(h.Dir, "data/bot.db"))
		h.Must(err)
		if !bytes.Equal(text, now) {
			t.Error("the database has changed")
		}
		h.Must(os.WriteFile(filepath.Join(h.Dir, "data/bot.db"), nil, 0o600))
		says(h, operate(h, "restore", "-dry-run", "copy.db"), "There is no database data/bot.db: nothing is replaced.")
		h.Must(os.WriteFile(filepath.Join(h.Dir, "data/bot.db"), text, 0o600))
	})
}

// TestBackupWithoutRoom: where the disk of the database has no room for a copy of it, one is written where it belongs, and
// checked there; an encrypted one is made where there is room, or not at all.
func TestBackupWithoutRoom(t *testing.T) {
	t.Parallel()
	sampletest.Slow(t)
	s := newShelf(t)
	full := map[string]bool{filepath.Dir(s.database()): true}
	backup := func(damaged bool, name string) (checked []string, code int, said string) {
		var stdout, stderr bytes.Buffer
		code = app.Start(t.Context(), app.World{
			Args: []string{"backup", "-force", name}, Lookup: app.LookupIn(s.env), Stdout: &stdout, Stderr: &stderr, Dir: s.dir,
			Free: func(dir string) (int64, bool) {
				if full[dir] {
					return 1 << 20, true
				}
				return 1 << 40, true
			},
			CheckFile: func(_ context.Context, path string) error {
				if checked = append(checked, path); damaged && len(checked) > 1 {
					return app.DamagedError("page 7 is lost")
				}
				problems, err := bolt.CheckFile(path)
				if err == nil && len(problems) > 0 {
					err = app.DamagedError(problems[0])
				}
				return err
			},
		})
		return checked, code, stdout.String() + stderr.String()
	}
	checked, code, said := backup(false, "copy.db")
	if code != 0 || len(checked) != 2 || filepath.Dir(checked[1]) != s.dir {
		t.Fatalf("it ended with %d: %s; %v was checked", code, said, checked)
	}
	saysAll(t, s.succeed("backup", "-verify", "copy.db"), "plain, as its checksum says")
	whole := s.read("copy.db")
	if _, code, said = backup(true, "copy.db"); code != app.ExitFailure || !strings.Contains(said, "of the copy, the file is damaged: page 7 is lost") || !bytes.Equal(whole, s.read("copy.db")) {
		t.Errorf("of a copy that came out damaged: %d, %s", code, said)
	}
	s.identity("keys.txt")
	if checked, code, said = backup(false, "copy.age"); code != 0 || len(checked) != 2 || strings.HasPrefix(checked[1], s.dir) {
		t.Errorf("encrypted: %d, %s; %v was checked", code, said, checked)
	}
	full[os.TempDir()] = true
	if _, code, said = backup(false, "copy2.age"); code != app.ExitFailure || !strings.Contains(said, "set TMPDIR to a folder that has") {
		t.Errorf("encrypted, without room anywhere: %d, %s", code, said)
	}
	if left, err := filepath.Glob(s.path("data/.*")); err != nil || len(left) > 0 {
		t.Errorf("left beside the database: %v, %v", left, err)
	}
}

// TestHandedOutWithoutRoom: a copy of the running bot is had also where its disk has no room for one, and whoever asked
// reads it before it counts.
func TestHandedOutWithoutRoom(t *testing.T) {
	t.Parallel()
	apptest.Run(t, func(h *apptest.Harness) {
		apptest.Stock(h)
		h.Free = func(string) (int64, bool) { return 1 << 20, true }
		h.Env["BACKUP_DIR"], h.Env["BACKUP_SCHEDULE"] = "copies", "@every 1h"
	}, func(h *apptest.Harness) {
		if h.Env["DATABASE_URL"] != "" {
			t.Skip("a server's database is copied by way of a file")
		}
		h.Link(apptest.Sam)
		says(h, operate(h, "backup", "copy.db"), "copy.db: ", "checked")
		says(h, operate(h, "backup", "-verify", "copy.db"), "plain, as its checksum says")
		h.Pass(time.Hour)
		if made, err := filepath.Glob(filepath.Join(h.Dir, "copies", "*")); err != nil || len(made) != 1 {
			t.Errorf("by schedule there are %v, %v\n%s", made, err, h.Log)
		}
		h.CheckFile = func(context.Context, string) error { return app.DamagedError("page 7 is lost") }
		if got := operate(h, "backup", "copy2.db"); got.Code != app.ExitFailure || !strings.Contains(got.Stderr, "page 7 is lost") {
			t.Errorf("of one that came out damaged: %+v", got)
		}
		if _, err := os.Stat(filepath.Join(h.Dir, "copy2.db")); err == nil {
			t.Error("it is there all the same")
		}
	})
}

// TestLeftoversGo: a start removes what killed copies have left, and databases that were put aside long ago but for the
// newest; what somebody may be at stays, and so does what is called otherwise.
func TestLeftoversGo(t *testing.T) {
	t.Parallel()
	sampletest.Slow(t)
	s := newShelf(t)
	s.env["BACKUP_DIR"] = "copies"
	if err := os.Mkdir(s.path("copies"), 0o700); err != nil {
		t.Fatal(err)
	}
	now := time.Now()
	name := func(days int) string {
		return "data/bot.db.before-restore-" + now.Add(-time.Duration(days)*24*time.Hour).UTC().Format("20060102T150405Z")
	}
	gone := []string{"copies/.backup-123", "copies/.unfinished-77", name(200), name(400)}
	stay := []string{"copies/.backup-124", "copies/.backup-mine", "copies/mine.db", name(100)}
	s.swept(gone, stay)
	s.swept([]string{name(100)}, []string{name(80), name(10)})
}

// swept fails the test unless a start removes some files, and others stay.
func (s *shelf) swept(gone, stay []string) {
	s.t.Helper()
	now := time.Now()
	for _, file := range append(gone, stay...) {
		s.write(file, []byte("?"))
		if file != "copies/.backup-124" {
			if err := os.Chtimes(s.path(file), now, now.Add(-2*time.Hour)); err != nil {
				s.t.Fatal(err)
			}
		}
	}
	s.startAndStop()
	for _, file := range gone {
		if _, err := os.Stat(s.path(file)); err == nil {
			s.t.Errorf("%s is still there", file)
		}
	}
	for _, file := range stay {
		if _, err := os.Stat(s.path(file)); err != nil {
			s.t.Errorf("%s is gone", file)
		}
	}
}

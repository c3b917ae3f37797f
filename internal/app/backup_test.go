package app_test

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"resellerbot/internal/app"
	"resellerbot/internal/app/apptest"
	"resellerbot/internal/sampletest"
	"resellerbot/internal/store/bolt"
)

// TestBackup: a copy is whole, for its owner alone, and shows no secret; the database stays as it is.
func TestBackup(t *testing.T) {
	t.Parallel()
	sampletest.Slow(t)
	s := newShelf(t)
	was := s.read("data/bot.db")
	for name, how := range map[string]string{"plain.db": "plain, its secrets sealed", "copy.db.age": "encrypted for 1 recipient"} {
		t.Run(name, func(t *testing.T) {
			s := &shelf{t, s.dir, s.env, s.secrets}
			delete(s.env, "BACKUP_RECIPIENTS")
			if strings.HasSuffix(name, ".age") {
				s.identity("keys.txt")
			}
			s.write(name, []byte("yesterday's"))
			said := s.succeed("backup", name, "-force")
			if !regexp.MustCompile(`^` + regexp.QuoteMeta(name) + `: \d+ bytes, checked, ` + how + `\n$`).MatchString(said) {
				t.Errorf("it says %q", said)
			}
			s.clear(s.read(name), "the copy")
			if info, err := os.Stat(s.path(name)); err != nil || info.Mode().Perm() != 0o600 {
				t.Errorf("the copy is %v, %v", info.Mode(), err)
			}
		})
	}
	s.clear(s.read("data/bot.db"), "the database")
	if !bytes.Equal(was, s.read("data/bot.db")) {
		t.Error("the database has changed")
	}
	if left, err := filepath.Glob(s.path("data/.*")); err != nil || len(left) > 0 {
		t.Errorf("left beside the database: %v, %v", left, err)
	}
	if !bytes.HasPrefix(s.read("copy.db.age"), []byte(app.AgeHeader)) || bytes.Contains(s.read("copy.db.age"), []byte("purchase")) {
		t.Error("the encrypted copy is not encrypted")
	}
}

// TestBackupIsRefused: nothing is written, and what was there stays.
func TestBackupIsRefused(t *testing.T) {
	sampletest.Slow(t)
	t.Parallel() // it waits for a lock
	s := newShelf(t)
	s.write("copy.db", []byte("yesterday's"))
	for _, args := range [][]string{{"backup"}, {"backup", "a", "b"}} {
		s.refuse("backup takes the name of one file to write: backup [-force] FILE", "see bot --help", args...)
	}
	engine, err := bolt.Open(s.database(), bolt.Options{NoSync: true, Fatal: func(err error) { t.Error(err) }})
	if err != nil {
		t.Fatal(err)
	}
	begin := time.Now()
	s.refuse("open the database data/bot.db: the database is in use", "stop that one first, or set another DATABASE_PATH", "backup", "-force", "copy.db")
	if took := time.Since(begin); took > 5*time.Second {
		t.Errorf("it took %v to say that the database is in use", took)
	}
	if err := engine.Close(); err != nil {
		t.Fatal(err)
	}
	was := s.files()
	if got := s.run("backup", "none/copy.db"); got.Code != app.ExitFailure || !strings.Contains(got.Stderr, "none") {
		t.Errorf("into a folder that is not there: %+v", got)
	}
	if got := s.run("backup", "data"); got.Code != app.ExitFailure {
		t.Errorf("over a folder: %+v", got)
	}
	s.same(was)
	whole := s.read("data/bot.db")
	s.write("data/bot.db", whole[:40<<10])
	s.refuse("open the database data/bot.db: the file is damaged: ", "put a copy in its place with bot restore FILE", "backup", "-force", "copy.db")
	s.write("data/bot.db", nil)
	s.refuse("open the database data/bot.db: the database is gone or empty", "begin with an empty database", "backup", "-force", "copy.db")
	if err := os.RemoveAll(s.path("data")); err != nil {
		t.Fatal(err)
	}
	if got := s.run("backup", "-force", "copy.db"); got.Code != app.ExitFailure || !strings.Contains(got.Stderr, "no such file") {
		t.Errorf("of nothing: %+v", got)
	}
	if string(s.read("copy.db")) != "yesterday's" {
		t.Error("the copy of before is gone")
	}
}

// TestBackupReplacesNothing: a copy is never written over the database, or what belongs to it, by whatever name and
// whatever is forced; and over another file only where that is forced.
func TestBackupReplacesNothing(t *testing.T) {
	sampletest.Slow(t)
	t.Parallel()
	s := newShelf(t)
	s.identity("keys.txt")
	for name, link := range map[string]func(old, name string) error{"linked.db": os.Symlink, "hard.db": os.Link} {
		if err := link(s.path("data/bot.db"), s.path(name)); err != nil {
			t.Fatal(err)
		}
	}
	s.write("copy.db", []byte("yesterday's"))
	for _, file := range []string{"data/bot.db", "data/../data/bot.db", s.path("data/bot.db"), "data/bot.db.id", "linked.db", "hard.db"} {
		for _, args := range [][]string{{"backup", file}, {"backup", "-force", file}, {"backup", file, "-force"}} {
			s.refuse("back up to "+file+": that is the database itself, or belongs to it", ": name another file", args...)
		}
	}
	s.refuse("back up to copy.db: there is a file of that name", "replace it with backup -force FILE", "backup", "copy.db")
	s.succeed("backup", "copy.db", "-force")
	if !bytes.HasPrefix(s.read("copy.db"), []byte(app.AgeHeader)) {
		t.Error("what was forced was not done")
	}
}

// TestCopiesAreChecked: a copy that came out damaged counts for nothing, neither as a backup nor as the database
// that is written anew; the database itself is not blamed for it.
func TestCopiesAreChecked(t *testing.T) {
	s := newShelf(t)
	s.write("copy.db", []byte("yesterday's"))
	was := s.files()
	for verb, args := range map[string][]string{"backup": {"backup", "-force", "copy.db"}, "rekey": {"rekey"}} {
		var stdout, stderr bytes.Buffer
		code := app.Start(t.Context(), app.World{
			Args: args, Lookup: app.LookupIn(s.env), Stdout: &stdout, Stderr: &stderr, Dir: s.dir,
			CheckFile: func(_ context.Context, path string) error {
				if path == s.database() {
					return nil
				}
				return app.DamagedError("page 7 is lost")
			},
		})
		if code != app.ExitFailure || stdout.Len() > 0 || !strings.HasSuffix(stderr.String(), ", the file is damaged: page 7 is lost\n") {
			t.Errorf("%s: %d, %q, %q", verb, code, &stdout, &stderr)
		}
		s.same(was)
	}
}

// TestBackupIsKilled: whenever that happens, the name holds the copy of before or the new one, whole; and what
// is left beside the database is gone with the next start.
func TestBackupIsKilled(t *testing.T) {
	t.Parallel()
	sampletest.Slow(t)
	s := newShelf(t)
	s.identity("keys.txt")
	s.succeed("backup", "copy.age")
	before := s.read("copy.age")
	kills := s.killedEarlier(func(bool) {
		if now := s.read("copy.age"); !bytes.Equal(before, now) {
			if _, err := s.decrypted("copy.age", "keys.txt"); err != nil {
				t.Errorf("there is half a copy: %v", err)
			}
		}
		s.sound()
	}, "backup", "-force", "copy.age")
	if kills == 0 {
		t.Error("it was never killed")
	}
	if bytes.Equal(before, s.read("copy.age")) {
		t.Error("the last copy is not there")
	}
	if err := os.MkdirAll(s.path("data/.bot.db.backup-123"), 0o700); err != nil { // whether or not one was left
		t.Fatal(err)
	}
	s.startAndStop()
	if left, err := filepath.Glob(s.path("data/.*")); err != nil || len(left) > 0 {
		t.Errorf("left after a start: %v, %v", left, err)
	}
}

// TestBackupsBySchedule: the running bot makes copies by its schedule and keeps as many as it is told. Each can
// be restored, and nothing but copies is removed.
func TestBackupsBySchedule(t *testing.T) {
	t.Parallel()
	sampletest.Slow(t)
	apptest.Run(t, func(h *apptest.Harness) {
		h.Env["BACKUP_DIR"], h.Env["BACKUP_SCHEDULE"], h.Env["BACKUP_KEEP"] = "copies", "@every 1h", "3"
	}, func(h *apptest.Harness) {
		folder := filepath.Join(h.Dir, "copies")
		h.Link(apptest.Sam)
		h.Pass(90 * time.Minute)
		for _, name := range []string{"bot-mine.db", "note.txt", ".unfinished-123", ".unfinished-mine"} {
			h.Must(os.WriteFile(filepath.Join(folder, name), []byte("?"), 0o600))
		}
		h.Must(os.Mkdir(filepath.Join(h.Dir, "data", ".bot.db.backup-123"), 0o700))
		h.Say(apptest.Sam, "/language")
		h.Tap(apptest.Sam, "English")
		h.Pass(5 * time.Hour)
		var copies, others []string
		entries, err := os.ReadDir(folder)
		h.Must(err)
		for _, e := range entries {
			if regexp.MustCompile(`^bot-\d{8}T\d{6}Z\.db$`).MatchString(e.Name()) {
				copies = append(copies, e.Name())
			} else {
				others = append(others, e.Name())
			}
		}
		if len(copies) != 3 || !slices.Equal(others, []string{".unfinished-mine", "bot-mine.db", "note.txt"}) {
			t.Errorf("the folder holds %v and %v", copies, others)
		}
		if left, err := filepath.Glob(filepath.Join(h.Dir, "data", ".*")); err != nil || len(left) > 0 {
			t.Errorf("left beside the database: %v, %v", left, err)
		}
		for _, name := range copies {
			text, err := os.ReadFile(filepath.Join(folder, name))
			h.Must(err)
			if bytes.Contains(text, []byte(apptest.TestKey)) || bytes.Contains(text, []byte(apptest.TestToken)) {
				t.Errorf("%s shows a secret", name)
			}
		}
		h.Stop()
		h.Command("restore", filepath.Join("copies", copies[2]))
		h.Start()
		h.Say(apptest.Sam, "/balance")
		h.SeeAny(apptest.Sam, "came back from a backup")
	})
}

// TestBackupsGoOn: a copy that cannot be made is told of, and the next one is made.
func TestBackupsGoOn(t *testing.T) {
	t.Parallel()
	sampletest.Slow(t)
	apptest.Run(t, func(h *apptest.Harness) {
		h.Env["BACKUP_DIR"], h.Env["BACKUP_SCHEDULE"] = "copies", "@every 1h"
		h.Must(os.WriteFile(filepath.Join(h.Dir, "copies"), nil, 0o600)) // where a folder should be
	}, func(h *apptest.Harness) {
		h.Pass(61 * time.Minute)
		if !strings.Contains(h.Log.String(), `"job":"back up the database"`) {
			t.Errorf("nothing tells of the copy that failed:\n%s", h.Log)
		}
		h.Must(os.Remove(filepath.Join(h.Dir, "copies")))
		h.Pass(time.Hour)
		if entries, err := os.ReadDir(filepath.Join(h.Dir, "copies")); err != nil || len(entries) != 1 {
			t.Errorf("the folder holds %v, %v", entries, err)
		}
		h.Link(apptest.Sam)
	})
}

// TestCrashIsNoRefusal: what the Go runtime ends a crash with is another exit code than a refusal's, which a service
// manager does not start again.
func TestCrashIsNoRefusal(t *testing.T) {
	t.Parallel()
	sampletest.Slow(t)
	s := newShelf(t)
	p := s.start()
	defer p.Kill()
	s.awake(p)
	if err := p.Command.Process.Signal(syscall.SIGQUIT); err != nil {
		t.Fatal(err)
	}
	kept := setting(t, apptest.ReadFile(t, "deploy/reseller-bot.service"), `RestartPreventExitStatus=(\d+)`)
	if code := strconv.Itoa(p.Code()); code == kept || code == strconv.Itoa(app.ExitRefused) || code == "0" {
		t.Errorf("a crash ends with %s, and %s is left down", code, kept)
	}
}

// startAndStop runs the bot itself for a moment: its Telegram and its service are not there.
func (s *shelf) startAndStop() {
	s.t.Helper()
	p := s.start()
	defer p.Kill()
	s.awake(p)
	if err := p.Command.Process.Signal(os.Interrupt); err != nil {
		s.t.Fatal(err)
	}
	if code := p.Code(); code != 0 {
		s.t.Errorf("the bot ends with %d: %s", code, p.Log)
	}
}

// awake waits until a bot has begun to work: it has logged something.
func (s *shelf) awake(p *apptest.Process) {
	s.t.Helper()
	tick, end := time.NewTicker(5*time.Millisecond), time.After(time.Minute)
	defer tick.Stop()
	working := func() bool { // what it says while it is being built is said before it has opened all
		said := strings.ReplaceAll(p.Log.String(), `"msg":"no copies of the database are made`, "")
		return strings.Contains(said, `"msg":`)
	}
	for !working() {
		select {
		case <-tick.C:
		case <-p.Ended:
			s.t.Fatalf("it has ended by itself: %s", p.Log)
		case <-end:
			s.t.Fatalf("it does not begin to work: %s", p.Log)
		}
	}
}

package app_test

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"hash/maphash"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"filippo.io/age"

	"resellerbot/internal/api/sim"
	"resellerbot/internal/app"
	"resellerbot/internal/app/apptest"
	"resellerbot/internal/sampletest"
	"resellerbot/internal/store"
	"resellerbot/internal/store/bolt"
	"resellerbot/internal/store/seal"
)

const playerCanary = "1234567890" // whom a top-up goes to

// shelf is a folder with the database of a stopped bot, on which the real program is run.
type shelf struct {
	t       *testing.T
	dir     string
	env     map[string]string
	secrets []string // that no file may hold in clear text
}

// newShelf has a bot work for a while: it has sold codes, as a message and as a file, and a top-up, and one ✅
// is still to be tapped.
func newShelf(t *testing.T) *shelf {
	t.Helper()
	sampletest.MoreThanFew(t) // what is done there, processes do
	s := &shelf{t: t}
	apptest.Run(t, apptest.Everything(sim.Options{Mode: sim.Both}), func(h *apptest.Harness) {
		h.Link(apptest.Sam)
		h.Say(apptest.Sam, "/topup")
		h.Tap(apptest.Sam, "Arena")
		h.Tap(apptest.Sam, "110 gems")
		h.Say(apptest.Sam, playerCanary)
		h.Tap(apptest.Sam, "✅")
		h.Pass(time.Minute)
		for _, quantity := range []string{"2", "12", "3"} {
			h.Order(apptest.Sam, "Play Card", "5 USD", quantity)
			if quantity != "3" {
				h.Tap(apptest.Sam, "✅")
				h.Pass(time.Minute)
			}
		}
		h.See(apptest.Sam, "Check before buying")
		h.Stop()
		s.dir, s.env = h.Dir, maps.Clone(h.Env)
		s.env["HTTP_ADDR"] = ""                                                                               // the real program is run on it, on a machine with others
		s.env["TELEGRAM_API_URL"], s.env["RESELLER_API_URL"] = "http://127.0.0.1:1", "http://127.0.0.1:1/api" // where nobody is
		_, key, _ := strings.Cut(h.Env["ENCRYPTION_KEYS"], ":")
		s.secrets = []string{apptest.TestToken, apptest.TestKey, key, playerCanary}
		for _, o := range h.Service.Orders() {
			if o.Code != "" {
				s.secrets = append(s.secrets, o.Code)
			}
		}
	})
	if len(s.secrets) < 18 {
		t.Fatalf("there are only %d secrets", len(s.secrets))
	}
	return s
}

// environ is the environment as processes have it.
func (s *shelf) environ() []string {
	env := []string{"TMPDIR=" + os.TempDir()}
	for name, value := range s.env {
		env = append(env, name+"="+value)
	}
	return env
}

// start starts the program there.
func (s *shelf) start(args ...string) *apptest.Process {
	s.t.Helper()
	return apptest.Launch(s.t, s.dir, s.environ(), args...)
}

// run runs a subcommand to its end.
func (s *shelf) run(args ...string) app.Outcome {
	s.t.Helper()
	p := s.start(args...)
	code := p.Code()
	got := app.Outcome{code, p.Out.String(), p.Log.String()}
	s.clear([]byte(got.Stdout+got.Stderr), "what it says")
	return got
}

// succeed runs a subcommand that does what it is to do, and returns what it prints.
func (s *shelf) succeed(args ...string) string {
	s.t.Helper()
	got := s.run(args...)
	if got.Code != 0 || got.Stderr != "" {
		s.t.Fatalf("%v: %+v", args, got)
	}
	return got.Stdout
}

// refuse runs a subcommand that is refused with a line that begins and ends so, and changes nothing.
func (s *shelf) refuse(begins, ends string, args ...string) {
	s.t.Helper()
	was := s.files()
	got := s.run(args...)
	want := app.ExitRefused
	if strings.HasSuffix(ends, "see bot --help") {
		want = app.ExitUsage
	}
	if got.Code != want || got.Stdout != "" {
		s.t.Errorf("%v: %+v", args, got)
	}
	if !strings.HasPrefix(got.Stderr, "bot: "+begins) || !strings.HasSuffix(got.Stderr, ends+"\n") || strings.Count(got.Stderr, "\n") != 1 {
		s.t.Errorf("%v says %q, want one line, %q … %q", args, got.Stderr, begins, ends)
	}
	s.same(was)
}

// files lists all files and folders there with their content.
func (s *shelf) files() map[string]string {
	s.t.Helper()
	all := map[string]string{}
	err := filepath.WalkDir(s.dir, func(path string, d fs.DirEntry, err error) error {
		if strings.HasSuffix(path, ".db.closed") || strings.HasSuffix(path, ".db.opened") { // when and by what it was last
			return err
		}
		if err != nil || d.IsDir() {
			all[path] = "folder"
			return err
		}
		if d.Type() == fs.ModeSocket { // a bot was killed
			all[path] = "socket"
			return nil
		}
		all[path], err = digest(path)
		return err
	})
	if err != nil {
		s.t.Fatal(err)
	}
	return all
}

// digestSeed makes digests of one run comparable.
var digestSeed = maphash.MakeSeed()

// digest tells a file's content from another; a database is mostly a hole of megabytes, so it is quick.
func digest(path string) (string, error) {
	f, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	var h maphash.Hash
	h.SetSeed(digestSeed)
	n, err := io.Copy(&h, f)
	return fmt.Sprintf("%d bytes, %x", n, h.Sum64()), err
}

// same fails the test if a file is another one now, is gone, or is new.
func (s *shelf) same(was map[string]string) {
	s.t.Helper()
	now := s.files()
	for _, path := range slices.Sorted(maps.Keys(was)) {
		if now[path] != was[path] {
			s.t.Errorf("%s has changed or is gone", path)
		}
	}
	for _, path := range slices.Sorted(maps.Keys(now)) {
		if was[path] == "" {
			s.t.Errorf("%s is new", path)
		}
	}
}

// path is a file there.
func (s *shelf) path(name string) string { return filepath.Join(s.dir, name) }

// database is the file of the database.
func (s *shelf) database() string { return s.path("data/bot.db") }

// read reads a file there.
func (s *shelf) read(name string) []byte {
	s.t.Helper()
	text, err := os.ReadFile(s.path(name))
	if err != nil {
		s.t.Fatal(err)
	}
	return text
}

// write writes a file there.
func (s *shelf) write(name string, text []byte) {
	s.t.Helper()
	if err := os.WriteFile(s.path(name), text, 0o600); err != nil {
		s.t.Fatal(err)
	}
}

// clear fails the test if a text shows a secret.
func (s *shelf) clear(text []byte, what string) {
	s.t.Helper()
	for _, secret := range s.secrets {
		if bytes.Contains(text, []byte(secret)) {
			s.t.Errorf("%s shows a secret, %q", what, secret)
		}
	}
}

// sound fails the test unless the database is sound.
func (s *shelf) sound() {
	s.t.Helper()
	if said := s.succeed("check"); said != "file: sound\nrecords: sound\n" {
		s.t.Errorf("check says %q", said)
	}
}

// inStore looks into the database, or changes it.
func (s *shelf) inStore(keys string, do func(*store.Store, store.Engine)) {
	s.t.Helper()
	keyring, err := seal.ParseKeyring(keys)
	if err != nil {
		s.t.Fatal(err)
	}
	engine, err := bolt.Open(s.database(), bolt.Options{Fatal: func(err error) { s.t.Error(err) }})
	if err != nil {
		s.t.Fatal(err)
	}
	defer engine.Close()
	st, err := store.Open(s.t.Context(), engine, keyring)
	if err != nil {
		s.t.Fatal(err)
	}
	do(st, engine)
}

// identity makes an age identity, in a file there, and has copies encrypted for it.
func (s *shelf) identity(name string) *age.X25519Identity {
	s.t.Helper()
	id, err := age.GenerateX25519Identity()
	if err != nil {
		s.t.Fatal(err)
	}
	s.write(name, []byte("# made for a test\n"+id.String()+"\n"))
	s.env["BACKUP_RECIPIENTS"] = id.Recipient().String()
	s.secrets = append(s.secrets, id.String())
	return id
}

// keyEntry is an entry of ENCRYPTION_KEYS.
func keyEntry(id string, b byte) string {
	return id + ":" + base64.StdEncoding.EncodeToString(bytes.Repeat([]byte{b}, 32))
}

// killedEarlier runs a subcommand again and again, killed ever later, until it comes to its end by itself. after
// is called with each end. Where samples are played it is killed less often.
func (s *shelf) killedEarlier(after func(killed bool), args ...string) (kills int) {
	s.t.Helper()
	const first = 4 * time.Millisecond
	denser := time.Duration(8)
	if sampletest.Sampled() {
		denser = 2
	}
	tries := 0 // a busy machine may let it come to its end before the first kill
	for wait := first; ; wait += first + wait/denser {
		p := s.start(args...)
		timer := time.NewTimer(wait)
		select {
		case <-p.Ended:
		case <-timer.C:
			p.Kill()
		}
		timer.Stop()
		killed := p.Command.ProcessState.ExitCode() == -1
		if !killed && p.Err != nil {
			s.t.Fatalf("%v ends with %v: %s", args, p.Err, p.Log)
		}
		after(killed)
		switch tries++; {
		case killed && !s.t.Failed():
			kills++
		case kills > 0 || tries == 10 || s.t.Failed():
			return kills
		default:
			wait = 0
		}
	}
}

// decrypted is what an encrypted file there holds.
func (s *shelf) decrypted(name, keys string) ([]byte, error) {
	all, err := age.ParseIdentities(bytes.NewReader(s.read(keys)))
	if err != nil {
		return nil, err
	}
	plain, err := age.Decrypt(bytes.NewReader(s.read(name)), all...)
	if err != nil {
		return nil, err
	}
	return io.ReadAll(plain)
}

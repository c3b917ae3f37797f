package tgsim

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// foreignToken has the form that some libraries insist on.
const foreignToken = "700:a-token-that-is-thirty-five-letters"

// foreignWait is how long a bot may take for anything.
const foreignWait = 30 * time.Second

// needForeign skips where nobody asked for bots of other libraries: the first time they are fetched and built.
func needForeign(t *testing.T) {
	t.Helper()
	if os.Getenv("TGSIM_FOREIGN_BOTS") == "" {
		t.Skip("bots of other libraries run where TGSIM_FOREIGN_BOTS is set")
	}
}

// TestForeignGo runs the shop with other Go libraries.
func TestForeignGo(t *testing.T) {
	needForeign(t)
	for _, name := range []string{"tgbotapi", "telego"} {
		t.Run(name, func(t *testing.T) {
			dir := filepath.Join("testdata", "bots", "go")
			bot := filepath.Join(t.TempDir(), name)
			if out, err := command(t, dir, "go", "mod", "download").CombinedOutput(); err != nil {
				t.Skipf("the modules cannot be fetched: %v: %s", err, lastLine(out))
			}
			if out, err := command(t, dir, "go", "build", "-o", bot, "./"+name).CombinedOutput(); err != nil {
				t.Fatalf("%v\n%s", err, out)
			}
			shopping(t, bot)
		})
	}
}

// TestForeignNode runs the shop with a library for Node.
func TestForeignNode(t *testing.T) {
	needForeign(t)
	for _, tool := range []string{"node", "npm"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skipf("there is no %s here", tool)
		}
	}
	dir, err := installed(t, filepath.Join("testdata", "bots", "node"))
	if err != nil {
		t.Skipf("the packages cannot be fetched: %v", err)
	}
	shopping(t, "node", filepath.Join(dir, "grammy.mjs"))
}

// installed is a folder with a Node program and its packages, which are fetched once for each lock file.
func installed(t *testing.T, from string) (string, error) {
	t.Helper()
	lock, err := os.ReadFile(filepath.Join(from, "package-lock.json"))
	if err != nil {
		t.Fatal(err)
	}
	cache, err := os.UserCacheDir()
	if err != nil {
		return "", err
	}
	home := filepath.Join(cache, "resellerbot-tests", fmt.Sprintf("node-%x", sha256.Sum256(lock))[:16])
	if _, err := os.Stat(home); errors.Is(err, fs.ErrNotExist) {
		if err := install(t, from, home); err != nil {
			return "", err
		}
	}
	program, err := os.ReadFile(filepath.Join(from, "grammy.mjs"))
	if err != nil {
		t.Fatal(err)
	}
	return home, os.WriteFile(filepath.Join(home, "grammy.mjs"), program, 0o600)
}

// install fetches packages beside home, and puts them there at once.
func install(t *testing.T, from, home string) error {
	t.Helper()
	fresh := fmt.Sprintf("%s-%d", home, os.Getpid())
	defer os.RemoveAll(fresh)
	if err := os.CopyFS(fresh, os.DirFS(from)); err != nil {
		return err
	}
	if out, err := command(t, fresh, "npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error", "--fetch-retries=1", "--fetch-retry-mintimeout=1000", "--fetch-timeout=20000").CombinedOutput(); err != nil {
		first, _, _ := strings.Cut(string(out), "\n")
		return fmt.Errorf("%w: %s", err, first)
	}
	if err := os.Rename(fresh, home); err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	return nil
}

func lastLine(out []byte) string {
	lines := strings.Split(strings.TrimSpace(string(out)), "\n")
	return lines[len(lines)-1]
}

// command is a command that ends with the test.
func command(t *testing.T, dir, name string, args ...string) *exec.Cmd {
	t.Helper()
	c := exec.CommandContext(t.Context(), name, args...)
	c.Dir = dir
	return c
}

// bench is a real server with a bot of another library at work, in real time.
type bench struct {
	*Server

	t   *testing.T
	out *lockedBuffer
}

// lockedBuffer is what a process says, to be read while it speaks.
type lockedBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *lockedBuffer) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *lockedBuffer) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}

// await waits for a message of the bot that is as wanted.
func (b *bench) await(what string, wanted func(Message) bool) Message {
	b.t.Helper()
	ctx, cancel := context.WithTimeout(b.t.Context(), foreignWait)
	defer cancel()
	var found Message
	err := b.WaitFor(ctx, func() bool {
		all := b.Messages(sam)
		i := slices.IndexFunc(all, func(m Message) bool { return m.FromBot && wanted(m) })
		if i >= 0 {
			found = all[i]
		}
		return i >= 0
	})
	if err != nil {
		b.t.Fatalf("%s: %v\nthe bot said:\n%s\nthe chat: %+v\nthe calls: %+v", what, err, b.out, b.Messages(sam), b.Log.Record())
	}
	return found
}

// shopping talks to a bot that a command starts, as the README of the bots says.
func shopping(t *testing.T, name string, args ...string) {
	t.Helper()
	s := New(Options{Token: foreignToken, BotName: "shop_bot"})
	server := httptest.NewServer(s)
	defer server.Close()
	s.Directory.AddUser(User{ID: sam, FirstName: "Sam", LanguageCode: "en"})
	ctx, stop := context.WithCancel(t.Context())
	c := exec.CommandContext(ctx, name, args...)
	b := &bench{Server: s, t: t, out: &lockedBuffer{}}
	c.Env = append(os.Environ(), "TELEGRAM_API_URL="+server.URL, "TELEGRAM_BOT_TOKEN="+foreignToken)
	c.Stdout, c.Stderr, c.WaitDelay = b.out, b.out, time.Second
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() { stop(); _ = c.Wait() }()

	s.People.Send(sam, sam, "12 <b> é 💎")
	said := b.await("a text", func(m Message) bool { return m.Text == "You said 12 <b> é 💎" })
	if show(said.Entities) != "bold 9+11" || len(said.Keyboard) != 1 || said.Keyboard[0][0].Data != "buy:1" || said.Keyboard[0][1].URL != "https://shop.example/" {
		t.Errorf("said %+v", said)
	}
	if _, err := s.People.TapButton(sam, sam, "Buy"); err != nil {
		t.Fatal(err)
	}
	b.await("an edit", func(m Message) bool { return m.ID == said.ID && m.Text == "Bought" && m.Edited && m.Keyboard == nil })
	doc := b.await("a document", func(m Message) bool { return m.Document != nil })
	if string(doc.Document.Body) != "A\nB" || doc.Document.Name != "codes.txt" || doc.Text != "yours" {
		t.Errorf("sent %+v, %+v", doc, doc.Document)
	}
	if q := s.Callbacks()[0]; q.Answers != 1 || q.Text != "coming" {
		t.Errorf("answered %+v", q)
	}
	s.People.Send(sam, sam, "/keyboard")
	b.await("a keyboard", func(m Message) bool { return m.Text == "Your number?" })
	if k := s.Directory.ReplyKeyboard(sam); k == nil || !k.OneTime || k.Rows[0][0].Asks != "request_contact" {
		t.Errorf("shown %+v", k)
	}
	if _, err := s.People.Press(sam, sam, "Share"); err != nil {
		t.Error(err)
	}
	b.await("thanks", func(m Message) bool { return m.Text == "Thanks, +999000000501" })
	s.People.SendPhoto(sam, sam, picture(8, 8), "")
	b.await("a download", func(m Message) bool { return m.Text == fmt.Sprintf("%d bytes", len(picture(8, 8))) })
	s.People.Send(sam, sam, "/fail")
	b.await("an error", func(m Message) bool { return m.Text == "Bad Request: chat not found" })
	if got := s.Log.Unsupported(); len(got) != 0 {
		t.Errorf("unsupported: %v", got)
	}
	if got := s.Log.Complaints(); len(got) != 0 {
		t.Logf("what is not as the Bot API has it: %v", got)
	}
}

package sandbox_test

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"resellerbot/internal/app/apptest"
)

// foreignWait is how many seconds a bot may take for anything.
const foreignWait = 30

// aGIF is a picture of one pixel.
const aGIF = "GIF89a\x01\x00\x01\x00\x80\x00\x00\x00\x00\x00\xff\xff\xff,\x00\x00\x00\x00\x01\x00\x01\x00\x00\x02\x02D\x01\x00;"

// needForeign skips where nobody asked for bots of other libraries: the first time they are fetched and built.
func needForeign(t *testing.T) {
	t.Helper()
	if os.Getenv("TGSIM_FOREIGN_BOTS") == "" {
		t.Skip("bots of other libraries run where TGSIM_FOREIGN_BOTS is set")
	}
}

// need skips where a program is not on this machine.
func need(t *testing.T, programs ...string) {
	t.Helper()
	for _, name := range programs {
		if _, err := exec.LookPath(name); err != nil {
			t.Skipf("there is no %s here", name)
		}
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
	dir := grammY(t)
	copyFile(t, filepath.Join("testdata", "bots", "node", "grammy.mjs"), filepath.Join(dir, "grammy.mjs"))
	shopping(t, "node", filepath.Join(dir, "grammy.mjs"))
}

// copyFile copies a small file.
func copyFile(t *testing.T, from, to string) {
	t.Helper()
	text, err := os.ReadFile(from)
	if err == nil {
		err = os.WriteFile(to, text, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// grammY is a folder of the test's own where Node finds grammY.
func grammY(t *testing.T) string {
	t.Helper()
	needForeign(t)
	need(t, "node", "npm")
	home, err := installed(t, filepath.Join("testdata", "bots", "node"))
	if err != nil {
		t.Skipf("the packages cannot be fetched: %v", err)
	}
	dir := t.TempDir()
	if err := os.Symlink(filepath.Join(home, "node_modules"), filepath.Join(dir, "node_modules")); err != nil {
		t.Fatal(err)
	}
	return dir
}

// installed is a folder with the packages of a Node program, which are fetched once for each lock file.
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
		return home, install(t, from, home)
	}
	return home, nil
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

// values is what the control interface and the Bot API answer.
type values map[string]any

// at is what stands below the keys; nil for nothing.
func (v values) at(keys ...string) any {
	var here any = map[string]any(v)
	for _, key := range keys {
		m, _ := here.(map[string]any)
		here = m[key]
	}
	return here
}

// control asks the control interface for something that has to work.
func (p *aloneProgram) control(path string, ask values) values {
	p.t.Helper()
	body, err := json.Marshal(ask)
	if err != nil {
		p.t.Fatal(err)
	}
	var made values
	if code := p.ask(http.MethodPost, p.page+"/control/v1"+path, string(body), &made); code != http.StatusOK {
		p.t.Fatalf("%s %s: HTTP %d, %v\n%s", path, body, code, made, p.story())
	}
	return made
}

// story is what there is, and what the bot that is not ours has said.
func (p *aloneProgram) story() string {
	var all values
	p.ask(http.MethodGet, p.page+"/control/v1/snapshot?bot="+oneToken, "", &all)
	return fmt.Sprintf("the bot said:\n%s\nthere is: %v", p.theirs, all)
}

// hear waits until the bot has said something after a message.
func (p *aloneProgram) hear(text string, after any) values {
	p.t.Helper()
	return p.control("/wait", values{"chat": 501, "text": text, "after": after, "timeout": foreignWait})
}

// say writes to the bot as a person.
func (p *aloneProgram) say(text string) (id any) {
	p.t.Helper()
	return p.control("/people/501/say", values{"bot": oneToken, "text": text}).at("message_id")
}

// runBeside runs a bot that is not ours against the sandbox until the test ends.
func (p *aloneProgram) runBeside(c *exec.Cmd) {
	p.t.Helper()
	c.Env = append(os.Environ(), "TELEGRAM_API_URL="+p.telegram, "TELEGRAM_BOT_TOKEN="+oneToken)
	p.t.Cleanup(p.begin(c))
}

// begin runs a program that is not ours until what it returns is called.
func (p *aloneProgram) begin(c *exec.Cmd) (end func()) {
	p.t.Helper()
	p.theirs = &apptest.LockedBuffer{}
	c.Stdout, c.Stderr, c.WaitDelay = p.theirs, p.theirs, time.Second
	if err := c.Start(); err != nil {
		p.t.Fatal(err)
	}
	return func() { _ = c.Process.Kill(); _ = c.Wait() }
}

// file is a file of the chat as the bot downloads it.
func (p *aloneProgram) file(id any) string {
	p.t.Helper()
	var f values
	p.ask(http.MethodGet, fmt.Sprintf("%s/bot%s/getFile?file_id=%v", p.telegram, oneToken, id), "", &f)
	req, err := http.NewRequestWithContext(p.t.Context(), http.MethodGet, fmt.Sprintf("%s/file/bot%s/%v", p.telegram, oneToken, f.at("result", "file_path")), nil)
	if err != nil {
		p.t.Fatal(err)
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		p.t.Fatal(err)
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		p.t.Fatal(err)
	}
	return string(body)
}

// shopping talks to a bot that a command starts, as the README of the bots says.
func shopping(t *testing.T, name string, args ...string) {
	t.Helper()
	p := runAlone(t)
	p.runBeside(exec.CommandContext(context.WithoutCancel(t.Context()), name, args...))

	said := p.hear("You said 12 <b> é 💎", p.say("12 <b> é 💎"))
	if got := fmt.Sprint(said.at("entities")); got != "[map[length:11 offset:9 type:bold]]" {
		t.Errorf("its styles are %s", got)
	}
	if got := fmt.Sprint(said.at("reply_markup", "inline_keyboard")); got != "[[map[callback_data:buy:1 text:Buy] map[text:Open url:https://shop.example/]]]" {
		t.Errorf("its buttons are %s", got)
	}
	tap := p.control("/people/501/tap", values{"text": "Buy"})
	edited := p.hear("Bought", nil)
	if edited.at("message_id") != said.at("message_id") || edited.at("edit_date") == nil || edited.at("reply_markup") != nil {
		t.Errorf("edited %v", edited)
	}
	doc := p.hear("yours", said.at("message_id"))
	if doc.at("document", "file_name") != "codes.txt" || doc.at("caption") != "yours" || p.file(doc.at("document", "file_id")) != "A\nB" {
		t.Errorf("sent %v", doc)
	}
	if tap = p.control("/wait", values{"callback": tap.at("id")}); tap.at("text") != "coming" {
		t.Errorf("answered %v", tap)
	}
	p.hear("Your number?", p.say("/keyboard"))
	p.hear("Thanks, +999000000501", p.control("/people/501/press", values{"text": "Share"}).at("message_id"))
	var photo values
	p.ask(http.MethodPost, p.page+"/control/v1/people/501/attach?name=a.gif", aGIF, &photo)
	p.hear(fmt.Sprintf("%d bytes", len(aGIF)), photo.at("message_id"))
	p.hear("Bad Request: chat not found", p.say("/fail"))
	var all values
	p.ask(http.MethodGet, p.page+"/control/v1/snapshot", "", &all)
	if got, ok := all.at("not_emulated").([]any); ok && len(got) > 0 {
		t.Errorf("not emulated: %v", got)
	}
	t.Logf("what is not as the Bot API has it: %v", all.at("not_of_the_bot_api"))
}

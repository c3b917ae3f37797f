package app_test

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"maps"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"resellerbot/internal/api/sim"
	"resellerbot/internal/app"
	"resellerbot/internal/app/apptest"
	"resellerbot/internal/sandbox/tgsim"
)

// machine is a machine that the bot is operated on, as far as docs/operate.md knows it: its folders lie in one
// of the test's, and what would change more than that is played by a few lines of shell.
type machine struct {
	t        *testing.T
	root     string // stands for /
	release  string // the folder of a release
	addr     string // stands for 127.0.0.1:8080
	telegram *tgsim.Server
	base     string
	mark     int // what was typed last
}

// played are the commands that are not run themselves.
var played = map[string]string{
	"sudo": `[ "$1" = -u ] && shift 2
exec "$@"`,
	"useradd": `[ "$1" = --system ]`,
	"chown":   `[ -e "${@: -1}" ]`,
	"install": `args=()
while [ $# -gt 0 ]; do case "$1" in -o|-g) shift 2 ;; *) args+=("$1"); shift ;; esac; done
exec "$REAL_INSTALL" "${args[@]}"`,
	"journalctl": `[ "$1 $2 $3 $4" = "-u reseller-bot -o cat" ] || exit 1
if [ "$5" = -g ]; then grep -E -e "$6" "$ROOT/log"; else cat "$ROOT/log"; fi`,
	"promtool": `[ "$1 $2" = "check rules" ] && [ -s "$3" ]`,
	"openssl":  `[ "$1 $2 $3" = "rand -base64 32" ] && head -c 32 /dev/urandom | base64`,
	"make":     `exec "$REAL_MAKE" -n "$@"`,
	"docker": `[ "$1 $2" = "compose -f" ] && [ -s "$3" ] || exit 1
case "$4" in
up|ps|logs|stop|start) ;;
run) [ "$5 $6" = "--rm bot" ] && "$PROGRAM" help | grep -q "^  $7 " ;;
*) exit 1 ;;
esac`,
	// systemd starts the service as the unit says: in the folder of the configuration, with a folder to write in.
	"systemctl": `pid() { cat "$ROOT/pid" 2>/dev/null; }
start() {
	unit="$ROOT/etc/systemd/system/reseller-bot.service"
	[ "$(sed -n 's/^WorkingDirectory=//p' "$unit")" = /etc/reseller-bot ] || exit 1
	mkdir -p "$ROOT/var/lib/reseller-bot"
	cd "$ROOT/etc/reseller-bot"
	reseller-bot run >>"$ROOT/log" 2>&1 </dev/null &
	echo $! >"$ROOT/pid"
	for _ in $(seq 100); do reseller-bot status >/dev/null 2>&1 && return; sleep 0.1; done
	exit 1
}
stop() {
	kill "$(pid)" || exit 1
	# It is nobody's child any more: until somebody reaps it, it is there and dead.
	while kill -0 "$(pid)" 2>/dev/null && ! grep -qs '^State:.Z' "/proc/$(pid)/status"; do sleep 0.05; done
	rm "$ROOT/pid"
}
case "$*" in
daemon-reload|"reset-failed reseller-bot") ;;
"start reseller-bot") [ -e "$ROOT/pid" ] || start ;;
"enable --now reseller-bot") start ;;
"stop reseller-bot"|"disable --now reseller-bot") stop ;;
"restart reseller-bot") stop; start ;;
*) exit 1 ;;
esac`,
}

// newMachine has a release unpacked, and the service and Telegram on the network.
func newMachine(t *testing.T) *machine {
	t.Helper()
	m := &machine{t: t, root: t.TempDir(), release: t.TempDir(), telegram: tgsim.New(tgsim.Options{Token: apptest.TestToken, BotName: "shop_bot"})}
	for _, dir := range []string{"bin", "root", "etc/systemd/system", "usr/local/bin", "var/lib", "var/backups"} {
		m.must(os.MkdirAll(filepath.Join(m.root, dir), 0o755))
	}
	for name, script := range played {
		m.must(os.WriteFile(filepath.Join(m.root, "bin", name), []byte("#!/usr/bin/env bash\n"+script+"\n"), 0o755))
	}
	m.must(os.CopyFS(filepath.Join(m.release, "deploy"), os.DirFS(filepath.Join(apptest.Root, "deploy"))))
	binary, err := os.ReadFile(apptest.Program(t))
	m.must(err)
	var sums strings.Builder
	for name, body := range map[string][]byte{"bot-linux-amd64": binary, ".env.example": []byte(app.EnvExample()), "Makefile": []byte(apptest.ReadFile(t, "Makefile"))} {
		m.must(os.WriteFile(filepath.Join(m.release, name), body, 0o755))
		fmt.Fprintf(&sums, "%x  ./%s\n", sha256.Sum256(body), name)
	}
	m.must(os.WriteFile(filepath.Join(m.release, "SHA256SUMS"), []byte(sums.String()), 0o600))
	m.addr = m.serve(http.NotFoundHandler(), true)
	service := sim.New(sim.Options{Seed: 7})
	service.AddProduct(sim.ProductSpec{ID: 10, Name: "Play Card", Variants: []sim.VariantSpec{{ID: 101, Name: "10 USD", Price: "100", InStock: 100, Delay: 100 * time.Millisecond}}})
	m.must(service.AddAccount(sim.AccountSpec{Key: apptest.TestKey, Name: "Boutique El Djazair", UserID: 4101, Balance: "25000"}))
	m.telegram.AddUser(tgsim.User{ID: apptest.Sam, FirstName: "Sam", LanguageCode: "en"})
	mux := http.NewServeMux()
	mux.Handle("/api/", service)
	mux.Handle("/", m.telegram)
	m.base = "http://" + m.serve(mux, false)
	t.Cleanup(func() { // should a step have failed
		if _, err := os.Stat(filepath.Join(m.root, "pid")); err == nil {
			m.run("sudo systemctl stop reseller-bot\n")
		}
	})
	return m
}

func (m *machine) must(err error) {
	m.t.Helper()
	if err != nil {
		m.t.Fatal(err)
	}
}

// serve serves a handler on a port of its own, whose address it returns; free gives the port back at once.
func (m *machine) serve(h http.Handler, free bool) (addr string) {
	l, err := new(net.ListenConfig).Listen(m.t.Context(), "tcp", "127.0.0.1:0")
	m.must(err)
	if free {
		m.must(l.Close())
		return l.Addr().String()
	}
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- app.ServeHTTP(ctx, l, h) }()
	m.t.Cleanup(func() { cancel(); <-done })
	return l.Addr().String()
}

// configure writes the file .env.
func (m *machine) configure(keys string) {
	m.t.Helper()
	lines := fmt.Sprintf("TELEGRAM_BOT_TOKEN='%s'\nTELEGRAM_API_URL='%s'\nRESELLER_API_URL='%s/api'\nENCRYPTION_KEYS='%s'\nDATABASE_PATH='%s'\nHTTP_ADDR='%s'\n",
		apptest.TestToken, m.base, m.base, keys, filepath.Join(m.root, "var/lib/reseller-bot/bot.db"), m.addr)
	m.must(os.WriteFile(filepath.Join(m.root, "etc/reseller-bot/.env"), []byte(lines), 0o600))
}

// anywhere is a path of the machine.
var anywhere = regexp.MustCompile(`(?m)(^|[\s'"=])/(etc|var|usr/local|root)/`)

// run runs a block of commands, which must all succeed.
func (m *machine) run(block string) (out string) {
	m.t.Helper()
	script := anywhere.ReplaceAllString(block, "${1}"+m.root+"/${2}/")
	script = strings.ReplaceAll(strings.ReplaceAll(script, "-C / ", "-C "+m.root+" "), "127.0.0.1:8080", m.addr)
	sh := exec.CommandContext(context.WithoutCancel(m.t.Context()), "bash", "-euo", "pipefail", "-c", script)
	sh.Dir = m.release
	found := func(name string) string {
		path, err := exec.LookPath(name)
		m.must(err)
		return path
	}
	sh.Env = []string{
		"PATH=" + filepath.Join(m.root, "bin") + ":" + filepath.Join(m.root, "usr/local/bin") + ":" + os.Getenv("PATH"),
		"ROOT=" + m.root, "PROGRAM=" + apptest.Program(m.t), "REAL_INSTALL=" + found("install"), "REAL_MAKE=" + found("make"), "HOME=" + m.root,
	}
	text, err := sh.CombinedOutput()
	if err != nil {
		log, _ := os.ReadFile(filepath.Join(m.root, "log"))
		m.t.Fatalf("%v\n%s\nsays:\n%s\nthe bot's log:\n%s", err, block, text, log)
	}
	return string(text)
}

// ask types a line into the chat, and waits for an answer with the words.
func (m *machine) ask(text, words string) {
	m.t.Helper()
	m.mark = m.telegram.Send(apptest.Sam, apptest.Sam, text)
	m.see(words)
}

// tap taps a button and waits for the words.
func (m *machine) tap(button, words string) {
	m.t.Helper()
	_, err := m.telegram.TapButton(apptest.Sam, apptest.Sam, button)
	m.must(err)
	m.see(words)
}

// see waits for the words in a message of the bot.
func (m *machine) see(words string) {
	m.t.Helper()
	ctx, cancel := context.WithTimeout(m.t.Context(), 30*time.Second)
	defer cancel()
	err := m.telegram.WaitFor(ctx, func() bool {
		return slices.ContainsFunc(m.telegram.Messages(apptest.Sam), func(msg tgsim.Message) bool {
			return msg.FromBot && msg.ID > m.mark && strings.Contains(apptest.Plain(msg.Text), words)
		})
	})
	if err != nil {
		for _, msg := range m.telegram.Messages(apptest.Sam) {
			m.t.Log(msg.Text)
		}
		m.t.Fatalf("waited in vain for %q", words)
	}
}

// commandBlocks are the blocks of a document that are to be typed.
func commandBlocks(t *testing.T, name string) []string {
	t.Helper()
	var all []string
	for _, b := range regexp.MustCompile("(?ms)^```sh\n(.*?)^```$").FindAllStringSubmatch(apptest.ReadFile(t, name), -1) {
		all = append(all, b[1])
	}
	return all
}

// TestOperate does what docs/operate.md says, from the installation to the new server, with a bot that somebody
// buys from.
func TestOperate(t *testing.T) {
	t.Parallel()
	for _, needed := range []string{"bash", "curl", "install", "make", "tar", "sha256sum", "sed", "base64"} {
		if _, err := exec.LookPath(needed); err != nil {
			t.Skip("no " + needed + " here")
		}
	}
	m := newMachine(t)
	key := func(id string, n byte) string {
		return id + ":" + base64.StdEncoding.EncodeToString(slices.Repeat([]byte{n}, 32))
	}
	k1, k2 := key("k1", 1), key("k2", 2)
	before := map[string]func(){ // what people do between two blocks
		"systemctl enable --now reseller-bot\ncurl": func() { m.configure(k1) },
		"before-upgrade.db'\nsudo install": func() {
			m.ask("/start", "Welcome")
			m.ask("/key "+apptest.TestKey, "Boutique El Djazair")
			m.ask("/buy", "Products")
			m.tap("Play Card", "Play Card")
			m.tap("10 USD", "How many")
			m.ask("1", "Check before buying")
			m.tap("✅", "Delivered")
		},
		"check -service": func() {
			m.must(os.WriteFile(filepath.Join(m.root, "root/api-key"), []byte(apptest.TestKey+"\n"), 0o600))
		},
		"reseller-bot rekey":      func() { m.configure(k2 + "," + k1) },
		"systemctl disable --now": func() { m.configure(k2); m.run("sudo systemctl restart reseller-bot\n") },
		"tar -C / -xzpf": func() {
			m.must(os.RemoveAll(filepath.Join(m.root, "etc/reseller-bot")))
			m.must(os.RemoveAll(filepath.Join(m.root, "var/lib/reseller-bot")))
		},
	}
	says := map[string]string{ // what a block must say
		"/readyz":              "ready",
		"reseller-bot version": "bot ",
		"restore /var":         "",
		"/metrics":             "\nresellerbot_ready ",
		"reseller-bot rekey":   "sealed anew",
		"reseller-bot check'":  "sound",
		"check -service":       "Generation: it answers in current",
		"id=$(sudo journalctl": `"msg":`,
	}
	blocks := commandBlocks(t, "docs/operate.md")
	done := map[string]bool{}
	for _, block := range blocks {
		for mark, do := range before {
			if strings.Contains(block, mark) {
				done[mark] = true
				do()
			}
		}
		out := m.run(block)
		for mark, words := range says {
			if strings.Contains(block, mark) {
				done[mark] = true
				if !strings.Contains(out, words) {
					t.Errorf("%s\nsays nothing of %q:\n%s", block, words, out)
				}
			}
		}
	}
	for mark := range before {
		if !done[mark] {
			t.Errorf("no block has %q", mark)
		}
	}
	for mark := range says {
		if !done[mark] {
			t.Errorf("no block has %q", mark)
		}
	}
	m.ask("/orders", "Your orders")
	m.tap("1", "Order") // what was bought on the old server, before the restore, under another key
	m.run("sudo systemctl stop reseller-bot\n")
	if log, err := os.ReadFile(filepath.Join(m.root, "log")); err != nil || strings.Contains(string(log), `"level":"ERROR"`) {
		t.Errorf("%v; the log has errors:\n%s", err, log)
	}
}

// TestDocumentsAreTrue: the documents point to files that are there, and name variables, subcommands, figures
// and files of the repository that exist.
func TestDocumentsAreTrue(t *testing.T) {
	ofTests := regexp.MustCompile(`^(PROOF|SOAK|SMALL|UNKIND)_`)
	for _, name := range []string{"docs/operate.md", "docs/architecture.md", "docs/use.md", "docs/promise.md", "SECURITY.md"} {
		text := apptest.ReadFile(t, name)
		for _, link := range regexp.MustCompile(`\]\(([^):#]+)(#[^)]*)?\)`).FindAllStringSubmatch(text, -1) {
			if _, err := os.Stat(filepath.Join(apptest.Root, filepath.Dir(name), link[1])); err != nil {
				t.Errorf("%s points to %s, which is not there", name, link[1])
			}
		}
		for _, m := range regexp.MustCompile(`(?m)(?:^|-u reseller-bot )reseller-bot ([a-z]+)\b`).FindAllStringSubmatch(strings.Join(commandBlocks(t, name), ""), -1) {
			if !isVerb(m[1]) {
				t.Errorf("%s: there is no subcommand %s", name, m[1])
			}
		}
		for _, v := range regexp.MustCompile("`([A-Z]+_[A-Z_]+|ACCESS|TIMEZONE)[=`]").FindAllStringSubmatch(text, -1) {
			if !isVariable(v[1]) && !ofTests.MatchString(v[1]) {
				t.Errorf("%s: there is no variable %s", name, v[1])
			}
		}
		for _, p := range regexp.MustCompile("`((?:internal|cmd|deploy|tools|docs|locales)(?:/[a-z_./-]+)?)`").FindAllStringSubmatch(text, -1) {
			if _, err := os.Stat(filepath.Join(apptest.Root, p[1])); err != nil && !strings.HasSuffix(p[1], ".env") {
				t.Errorf("%s names %s, which is not there", name, p[1])
			}
		}
	}
}

// TestCommandsOfTheDocuments: what people are told to type is understood, what developers are told to run is
// there to be run.
func TestCommandsOfTheDocuments(t *testing.T) {
	t.Parallel()
	apptest.Run(t, func(h *apptest.Harness) {
		apptest.Stock(h)
		h.Env["OWNER_CHAT_ID"] = strconv.FormatInt(apptest.Sam, 10)
	}, func(h *apptest.Harness) {
		h.Link(apptest.Sam)
		typed := map[string]bool{}
		for _, name := range []string{"README.md", "docs/use.md"} {
			for _, m := range regexp.MustCompile("`(/[a-z]+(?: [a-z]+)?)`").FindAllStringSubmatch(apptest.ReadFile(t, name), -1) {
				typed[m[1]] = true
			}
		}
		if len(typed) < 16 {
			t.Errorf("the documents name only %v", typed)
		}
		delete(typed, "/key remove") // the last one, for what it does
		for _, command := range append(slices.Sorted(maps.Keys(typed)), "/key remove") {
			before := len(h.Telegram.Messages(apptest.Sam))
			h.Say(apptest.Sam, command)
			h.Pass(3 * time.Second)
			all := h.Telegram.Messages(apptest.Sam)
			if len(all) < before+2 || strings.Contains(all[len(all)-1].Text, "I do not know") {
				t.Errorf("%s is not understood:\n%s", command, all[len(all)-1].Text)
			}
		}
	})
	makefile, promise := apptest.ReadFile(t, "Makefile"), apptest.ReadFile(t, "docs/promise.md")
	for _, m := range regexp.MustCompile("`make ([a-z]+)`").FindAllStringSubmatch(promise, -1) {
		if !strings.Contains(makefile, "\n"+m[1]+": ##") {
			t.Errorf("docs/promise.md: there is no make %s", m[1])
		}
	}
	for _, m := range regexp.MustCompile(`-run (Test\w+) \./([a-z/]+)`).FindAllStringSubmatch(promise, -1) {
		found := false
		files, err := filepath.Glob(filepath.Join(apptest.Root, m[2], "*_test.go"))
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range files {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			found = found || strings.Contains(string(text), "func "+m[1]+"(t *testing.T)")
		}
		if !found {
			t.Errorf("docs/promise.md: there is no %s in %s", m[1], m[2])
		}
	}
}

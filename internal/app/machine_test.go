package app_test

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"resellerbot/internal/api/sim"
	"resellerbot/internal/app"
	"resellerbot/internal/app/apptest"
	"resellerbot/internal/sandbox/tgsim"
)

// machine is a machine that the bot is operated on, as far as docs/operate.md knows it. There are two kinds. One has its folders
// in one of the test's, and what would change more than that is played by a few lines of shell. The other one is real: a disk
// that lies over this one's, users, sudo and systemd (machine_linux_test.go).
type machine struct {
	t        *testing.T
	root     string // where its / is seen from here
	release  string // the folder of a release, as it sees it
	addr     string // stands for 127.0.0.1:8080
	telegram *tgsim.Server
	base     string
	mark     int // what was typed last
	real     *namespaces
}

// The folders that a machine has before the bot is installed, and what is left on it of the bot.
var (
	itsFolders = []string{"etc/systemd/system", "var/lib", "var/backups", "root"}
	itsFiles   = []string{"etc/reseller-bot", "etc/systemd/system", "var/lib/reseller-bot", "var/backups/reseller-bot", "root/reseller-bot.tgz", "root/api-key"}
)

// played are the commands that are not run themselves on any machine: what they reach for is not here, or takes an hour.
var played = map[string]string{
	"promtool": `[ "$1 $2" = "check rules" ] && [ -s "$3" ]`,
	"make":     `exec "$REAL_MAKE" -n "$@"`,
	"docker": `[ "$1 $2" = "compose -f" ] && [ -s "$3" ] || exit 1
case "$4" in
up|ps|logs|stop|start) ;;
run) [ "$5 $6" = "--rm bot" ] && "$PROGRAM" help | grep -q "^  $7 " ;;
*) exit 1 ;;
esac`,
}

// playedHere are those that are not run where they would change this machine.
var playedHere = map[string]string{
	"sudo": `[ "$1" = -u ] && shift 2
exec "$@"`,
	"useradd": `[ "$1" = --system ]`,
	"chown":   `[ -e "${@: -1}" ]`,
	"install": `args=()
while [ $# -gt 0 ]; do case "$1" in -o|-g) shift 2 ;; *) args+=("$1"); shift ;; esac; done
exec "$REAL_INSTALL" "${args[@]}"`,
	"journalctl": `[ "$1 $2 $3 $4" = "-u reseller-bot -o cat" ] || exit 1
if [ "$5" = -g ]; then grep -E -e "$6" "$ROOT/log"; else cat "$ROOT/log"; fi`,
	"openssl": `[ "$1 $2 $3" = "rand -base64 32" ] && head -c 32 /dev/urandom | base64`,
	// systemd starts the service as the unit says: in the folder of the configuration, with a folder to write in.
	"systemctl": `pid() { cat "$ROOT/pid" 2>/dev/null; }
start() {
	unit="$ROOT/etc/systemd/system/reseller-bot.service"
	work=$(cat "$unit" "$unit.d"/*.conf 2>/dev/null | sed -n 's/^WorkingDirectory=//p' | tail -n 1)
	mkdir -p "$ROOT/var/lib/reseller-bot"
	cd "$ROOT$work"
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
	m := neighbours(t)
	m.root, m.release = t.TempDir(), t.TempDir()
	for _, dir := range append([]string{"bin", "usr/local/bin"}, itsFolders...) {
		m.must(os.MkdirAll(filepath.Join(m.root, dir), 0o755))
	}
	m.play(filepath.Join(m.root, "bin"), played)
	m.play(filepath.Join(m.root, "bin"), playedHere)
	m.unpack(m.release)
	t.Cleanup(func() { // should a step have failed
		if _, err := os.Stat(filepath.Join(m.root, "pid")); err == nil {
			m.run("sudo systemctl stop reseller-bot\n")
		}
	})
	return m
}

// neighbours are what a machine has on the network: the service and Telegram.
func neighbours(t *testing.T) *machine {
	t.Helper()
	m := &machine{t: t, telegram: tgsim.New(tgsim.Options{Token: apptest.TestToken, BotName: "shop_bot"})}
	m.addr = m.serve(http.NotFoundHandler(), true)
	service := sim.New(sim.Options{Seed: 7})
	service.AddProduct(sim.ProductSpec{ID: 10, Name: "Play Card", Variants: []sim.VariantSpec{{ID: 101, Name: "10 USD", Price: "100", InStock: 100, Delay: 100 * time.Millisecond}}})
	m.must(service.AddAccount(sim.AccountSpec{Key: apptest.TestKey, Name: "Boutique El Djazair", UserID: 4101, Balance: "25000"}))
	m.telegram.AddUser(tgsim.User{ID: apptest.Sam, FirstName: "Sam", LanguageCode: "en"})
	mux := http.NewServeMux()
	mux.Handle("/api/", service)
	mux.Handle("/", m.telegram)
	m.base = "http://" + m.serve(mux, false)
	return m
}

// play puts commands into a folder.
func (m *machine) play(dir string, commands map[string]string) {
	m.t.Helper()
	for name, script := range commands {
		m.must(os.WriteFile(filepath.Join(dir, name), []byte("#!/usr/bin/env bash\n"+script+"\n"), 0o755))
	}
}

// unpack makes the folder of a release.
func (m *machine) unpack(dir string) {
	m.t.Helper()
	m.must(os.CopyFS(filepath.Join(dir, "deploy"), os.DirFS(filepath.Join(apptest.Root, "deploy"))))
	binary, err := os.ReadFile(apptest.Program(m.t))
	m.must(err)
	var sums strings.Builder
	for name, body := range map[string][]byte{"bot-linux-amd64": binary, ".env.example": []byte(app.EnvExample()), "Makefile": []byte(apptest.ReadFile(m.t, "Makefile"))} {
		m.must(os.WriteFile(filepath.Join(dir, name), body, 0o755))
		fmt.Fprintf(&sums, "%x  ./%s\n", sha256.Sum256(body), name)
	}
	m.must(os.WriteFile(filepath.Join(dir, "SHA256SUMS"), []byte(sums.String()), 0o644))
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

// configure writes the file .env, for a database of a name in the bot's folder.
func (m *machine) configure(database, keys string) {
	m.t.Helper()
	path := "/var/lib/reseller-bot/" + database
	if m.real == nil {
		path = m.root + path
	}
	m.configureFor("DATABASE_PATH", path, keys)
}

// configureFor writes it for a database.
func (m *machine) configureFor(variable, database, keys string) {
	m.t.Helper()
	lines := fmt.Sprintf("TELEGRAM_BOT_TOKEN='%s'\nTELEGRAM_API_URL='%s'\nRESELLER_API_URL='%s/api'\nENCRYPTION_KEYS='%s'\n%s='%s'\nHTTP_ADDR='%s'\n",
		apptest.TestToken, m.base, m.base, keys, variable, database, m.addr)
	m.must(os.WriteFile(filepath.Join(m.root, "etc/reseller-bot/.env"), []byte(lines), 0o600)) // the owner and the mode that it has stay
}

// anywhere is a path of the machine.
var anywhere = regexp.MustCompile(`(?m)(^|[\s'"=])/(etc|var|usr/local|root)/`)

// run runs a block of commands, which must all succeed, as a shell does into which it was pasted.
func (m *machine) run(block string) (out string) {
	m.t.Helper()
	text, err := m.shell(strings.ReplaceAll(block, "127.0.0.1:8080", m.addr))
	if err != nil {
		m.t.Fatalf("%v\n%s\nsays:\n%s\nthe bot's log:\n%s", err, block, text, m.log())
	}
	if m.real != nil {
		m.answers()
	}
	return string(text)
}

// shell runs a script on the machine, as its administrator.
func (m *machine) shell(script string) ([]byte, error) {
	ctx := context.WithoutCancel(m.t.Context())
	if m.real != nil {
		return m.real.shell(ctx, "cd "+m.release+" || exit\n"+script)
	}
	script = anywhere.ReplaceAllString(script, "${1}"+m.root+"/${2}/")
	sh := exec.CommandContext(ctx, "bash", "-c", strings.ReplaceAll(script, "-C / ", "-C "+m.root+" "))
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
	return sh.CombinedOutput()
}

// answers waits until a bot that was started answers, as people do before they type on.
func (m *machine) answers() {
	m.t.Helper()
	script := `sudo systemctl is-active --quiet reseller-bot || exit 0
folder=$(sudo systemctl show --property WorkingDirectory --value reseller-bot)
for _ in $(seq 300); do sudo -u reseller-bot sh -c "cd $folder && reseller-bot status" >/dev/null 2>&1 && exit; sleep 0.1; done
exit 1`
	if _, err := m.shell(script); err != nil {
		m.t.Fatalf("the bot does not answer:\n%s", m.log())
	}
}

// log is the bot's log.
func (m *machine) log() string {
	if m.real != nil {
		text, err := m.shell("sudo journalctl -u reseller-bot -o cat\n")
		if err != nil {
			m.t.Error(err)
		}
		return string(text)
	}
	text, err := os.ReadFile(filepath.Join(m.root, "log"))
	if err != nil {
		m.t.Error(err)
	}
	return string(text)
}

// move brings the archive to another machine, that the bot is installed on, and makes it the one that is operated. The old
// one stays as it is.
func (m *machine) move(install string) (old *machine) {
	m.t.Helper()
	before := *m
	if m.real != nil {
		archive, err := os.ReadFile(filepath.Join(m.root, "root/reseller-bot.tgz"))
		m.must(err)
		m.boot()
		m.run(install)
		m.must(os.WriteFile(filepath.Join(m.root, "root/reseller-bot.tgz"), archive, 0o600))
		return &before
	}
	before.root = m.t.TempDir()
	if out, err := exec.CommandContext(m.t.Context(), "cp", "-a", m.root+"/.", before.root).CombinedOutput(); err != nil {
		m.t.Fatalf("%v: %s", err, out)
	}
	m.must(os.RemoveAll(filepath.Join(m.root, "etc/reseller-bot")))
	m.must(os.RemoveAll(filepath.Join(m.root, "var/lib/reseller-bot")))
	return &before
}

// leave runs a block on a machine that everything was taken from, and sees that no key stays there.
func (m *machine) leave(block, key string) {
	m.t.Helper()
	if out, err := m.shell(block); err != nil {
		m.t.Fatalf("%v\n%s\nsays:\n%s", err, block, out)
	}
	_, secret, _ := strings.Cut(key, ":")
	for _, left := range itsFiles {
		err := filepath.WalkDir(filepath.Join(m.root, left), func(path string, d fs.DirEntry, err error) error {
			if err != nil || !d.Type().IsRegular() {
				return err
			}
			text, err := os.ReadFile(path)
			if strings.Contains(string(text), secret) || strings.Contains(string(text), apptest.TestKey) || strings.HasPrefix(d.Name(), "bot.db") || strings.HasSuffix(d.Name(), ".tgz") {
				m.t.Errorf("%s stays on the old server", path)
			}
			return err
		})
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			m.t.Error(err)
		}
	}
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

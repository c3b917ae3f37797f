package app_test

import (
	"encoding/base64"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"resellerbot/internal/app/apptest"
	"resellerbot/internal/sampletest"
	"resellerbot/internal/store/storetest"
)

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
// buys from. Nothing of this machine is changed: what would change it is played.
func TestOperate(t *testing.T) {
	t.Parallel()
	sampletest.Long(t)
	for _, needed := range []string{"bash", "curl", "install", "make", "tar", "sha256sum", "sed", "base64"} {
		if _, err := exec.LookPath(needed); err != nil {
			t.Skip("no " + needed + " here")
		}
	}
	followed(t, newMachine(t))
}

// TestOperateForReal does the same on a machine of its own, where users, owners, sudo, systemd and its journal are real.
func TestOperateForReal(t *testing.T) {
	t.Parallel()
	sampletest.Long(t)
	followed(t, newRealMachine(t))
}

// followed does all that the document says.
func followed(t *testing.T, m *machine) {
	t.Helper()
	key := func(id string, n byte) string {
		return id + ":" + base64.StdEncoding.EncodeToString(slices.Repeat([]byte{n}, 32))
	}
	k1, k2 := key("k1", 1), key("k2", 2)
	server := ""
	t.Run("server", func(t *testing.T) { server = m.reachable(storetest.Address(t, t.TempDir())) }) // where there is none, this alone is skipped
	blocks := commandBlocks(t, "docs/operate.md")
	var old *machine
	before := map[string]func(){ // what people do between two blocks
		"systemctl enable --now reseller-bot\ncurl": func() { m.configure("bot.db", k1) },
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
		"reseller-bot rekey":                            func() { m.configure("bot.db", k2+","+k1) },
		"systemctl disable --now":                       func() { m.configure("bot.db", k2); m.run("sudo systemctl restart reseller-bot\n") },
		"-to DATABASE_URL":                              func() { m.configureFor("DATABASE_URL", server, k2) },
		"cd /var/lib/reseller-bot; reseller-bot status": func() { m.configure("bot-2.db", k2) },
		"tar -C / -xzpf":                                func() { old = m.move(blocks[0]) },
	}
	says := map[string]string{ // what a block must say
		"/readyz":              "ready",
		"reseller-bot version": "bot ",
		"restore /var":         "",
		"/metrics":             "\nresellerbot_ready ",
		"reseller-bot rekey":   "sealed anew",
		"reseller-bot check'":  "sound",
		"-to DATABASE_URL":     "on both sides",
		"-from DATABASE_URL":   "on both sides",
		"check -service":       "Generation: it answers in current",
		"id=$(sudo journalctl": `"msg":`,
	}
	done := map[string]bool{}
	if server == "" { // what needs one is left out
		blocks = slices.DeleteFunc(blocks, func(b string) bool {
			return strings.Contains(b, "server.conf") || strings.Contains(b, "cd /var/lib/reseller-bot;")
		})
		done["-to DATABASE_URL"], done["-from DATABASE_URL"], done["cd /var/lib/reseller-bot; reseller-bot status"] = true, true, true
	}
	left := false
	for _, block := range blocks {
		for mark, do := range before {
			if strings.Contains(block, mark) {
				done[mark] = true
				do()
			}
		}
		if strings.HasPrefix(block, "sudo rm -rf /etc/reseller-bot") {
			old.leave(block, k2)
			left = true
			continue
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
	if !left {
		t.Error("the keys stay on the old server")
	}
	m.ask("/orders", "Your orders")
	m.tap("1", "Order") // what was bought on the old server, before the restore, under another key
	m.run("sudo systemctl stop reseller-bot\n")
	for _, log := range []string{old.log(), m.log()} {
		if log == "" || strings.Contains(log, `"level":"ERROR"`) {
			t.Errorf("the log is empty or has errors:\n%s", log)
		}
	}
}

// TestBlocksStop: whoever pastes a block into a shell has nothing run after the command that fails: an upgrade does not go on
// without its copy.
func TestBlocksStop(t *testing.T) {
	sampletest.Slow(t)
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Skip("no bash here")
	}
	several := 0
	for _, block := range commandBlocks(t, "docs/operate.md") {
		long := strings.Count(block, "\n") > 1
		if long {
			several++
		}
		sh := exec.CommandContext(t.Context(), bash, "-c", block)
		sh.Env = []string{"PATH=/nowhere"} // in which every command fails
		out, err := sh.CombinedOutput()
		lines := map[string]bool{}
		for _, m := range regexp.MustCompile(`line (\d+): .*: (?:command not found|No such file)`).FindAllStringSubmatch(string(out), -1) {
			lines[m[1]] = true
		}
		if len(lines) != 1 || long && err == nil {
			t.Errorf("%sends with %v after\n%s", block, err, out)
		}
	}
	if several < 8 {
		t.Errorf("only %d blocks have several commands", several)
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

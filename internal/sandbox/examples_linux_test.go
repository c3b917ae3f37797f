package sandbox_test

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/json"
	"encoding/pem"
	"fmt"
	"io"
	"log"
	"math/big"
	"net"
	"net/http"
	"net/http/httputil"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"resellerbot/internal/app/apptest"
	"resellerbot/internal/sandbox/tgsim"
)

// inside is where the programs are that the test runs in a network of its own; empty outside of that.
const inside = "FOREIGN_INSIDE"

// TestForeignExamples runs programs that others have published, as they are, and prints the table of docs/sandbox.md. They ask
// api.telegram.org: they run where that name is this machine, in a network that has nothing else. -update writes the table.
func TestForeignExamples(t *testing.T) {
	if dir := os.Getenv(inside); dir != "" {
		playExamples(t, dir)
		return
	}
	if os.Getenv("FOREIGN_EXAMPLES") == "" {
		t.Skip("the published examples of other libraries run at night: make foreign")
	}
	need(t, "ip", "mount", "node", "npm")
	dir := t.TempDir()
	writeExamples(t, dir)
	args := []string{"-test.run", "^TestForeignExamples$", "-test.v", "-test.timeout", "30m"}
	if *rewrite {
		args = append(args, "-update")
	}
	c := exec.CommandContext(t.Context(), os.Args[0], args...)
	c.Env = append(os.Environ(), inside+"="+dir, "SSL_CERT_FILE="+filepath.Join(dir, "ca.pem"), "NODE_EXTRA_CA_CERTS="+filepath.Join(dir, "ca.pem"))
	c.SysProcAttr = &syscall.SysProcAttr{
		Cloneflags:  syscall.CLONE_NEWUSER | syscall.CLONE_NEWNET | syscall.CLONE_NEWNS,
		UidMappings: []syscall.SysProcIDMap{{HostID: os.Getuid(), Size: 1}}, GidMappings: []syscall.SysProcIDMap{{HostID: os.Getgid(), Size: 1}},
	}
	out, err := c.CombinedOutput()
	t.Logf("%s", out)
	if err != nil {
		t.Fatal(err)
	}
}

// writeExamples puts the programs into a folder, ready to be run, each by its number.
func writeExamples(t *testing.T, dir string) {
	t.Helper()
	packages, err := installed(t, filepath.Join("testdata", "published"))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(filepath.Join(packages, "node_modules"), filepath.Join(dir, "node_modules")); err != nil {
		t.Fatal(err)
	}
	modules := goModules(t, dir)
	for i, e := range examples() {
		program := filepath.Join(dir, strconv.Itoa(i))
		readme, number, _ := strings.Cut(e.name, " ")
		n, _ := strconv.Atoi(number)
		switch e.library {
		case goTelegram:
			build(t, apptest.Root, program, "github.com/go-telegram/bot/examples/"+e.name)
		case telego, telebot:
			source := program + ".go"
			writeFile(t, source, programsOf(t, filepath.Join(moduleDir(t, modules, e.library), readme+".md"), "go", "package main")[n-1])
			build(t, modules, program, source)
		case nodeBotAPI:
			writeFile(t, program+".ts", programsOf(t, filepath.Join(packages, "node_modules", nodeBotAPI, readme+".md"), "ts", "new Bot(")[n-1])
			const plain = `const fs = require("fs"), ts = require("typescript"); fs.writeFileSync(process.argv[2], ts.transpileModule(fs.readFileSync(process.argv[1], "utf8"), { compilerOptions: { module: "ESNext", target: "ES2022" } }).outputText)`
			if out, err := command(t, dir, "node", "-e", plain, program+".ts", program+".mjs").CombinedOutput(); err != nil {
				t.Fatalf("%v\n%s", err, out)
			}
		default:
			readmePath := filepath.Join(packages, "node_modules", strings.ToLower(e.library), readme+".md")
			kind := map[string]string{grammy: "ts", telegraf: "js"}[e.library]
			text := programsOf(t, readmePath, kind, "bot = new ")[n-1]
			text = strings.Replace(text, `new Bot("")`, `new Bot("`+oneToken+`")`, 1) // where it says to place the token
			writeFile(t, program+map[bool]string{true: ".mjs", false: ".cjs"}[strings.Contains(text, "import {")], text)
		}
	}
}

// programsOf are the programs in a README.
func programsOf(t *testing.T, path, language, begin string) (all []string) {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for _, block := range regexp.MustCompile("(?s)```"+language+"\n(.*?)```").FindAllStringSubmatch(string(text), -1) {
		if strings.Contains(block[1], begin) {
			all = append(all, block[1])
		}
	}
	return all
}

func build(t *testing.T, dir, to, what string) {
	t.Helper()
	if out, err := command(t, dir, "go", "build", "-o", to, what).CombinedOutput(); err != nil {
		t.Fatalf("%s: %v\n%s", what, err, out)
	}
}

// goModules is a module that stands on the libraries whose READMEs hold programs.
func goModules(t *testing.T, dir string) string {
	t.Helper()
	home := filepath.Join(dir, "go")
	if err := os.Mkdir(home, 0o755); err != nil {
		t.Fatal(err)
	}
	for _, words := range []string{"mod init programs", "get github.com/mymmrac/telego@v1.6.0 gopkg.in/telebot.v3@v3.3.8"} {
		if out, err := command(t, home, "go", strings.Fields(words)...).CombinedOutput(); err != nil {
			t.Fatalf("go %s: %v\n%s", words, err, out)
		}
	}
	return home
}

// moduleDir is where a library of that module is.
func moduleDir(t *testing.T, modules, library string) string {
	t.Helper()
	module := map[string]string{telego: "github.com/mymmrac/telego", telebot: "gopkg.in/telebot.v3"}[library]
	out, err := command(t, modules, "go", "mod", "download", "-json", module).Output()
	var m struct{ Dir string }
	if err == nil {
		err = json.Unmarshal(out, &m)
	}
	if err != nil {
		t.Fatalf("%s: %v\n%s", module, err, out)
	}
	return m.Dir
}

func writeFile(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// playExamples runs the programs, in the network that has nothing but this machine.
func playExamples(t *testing.T, dir string) {
	t.Helper()
	names := []string{"api.telegram.org", "telegram.org", "example.com"}
	writeFile(t, filepath.Join(dir, "hosts"), "127.0.0.1 localhost "+strings.Join(names, " ")+"\n")
	for _, words := range []string{"ip link set lo up", "mount --bind " + filepath.Join(dir, "hosts") + " /etc/hosts"} {
		all := strings.Fields(words)
		if out, err := command(t, dir, all[0], all[1:]...).CombinedOutput(); err != nil {
			t.Fatalf("%s: %v\n%s", words, err, out)
		}
	}
	certificate := certify(t, filepath.Join(dir, "ca.pem"), names)
	p := runAlone(t, "-hosts", "telegram.org,example.com")
	serveTelegram(t, certificate, p.telegram)
	source := moduleSource(t)
	var table strings.Builder
	table.WriteString("\n| Library | Program | Result |\n|---|---|---|\n")
	passed := 0
	for i, e := range examples() {
		result := p.example(dir, i, e, source)
		if result == "passed" {
			passed++
		}
		fmt.Fprintf(&table, "| %s | %s | %s |\n", e.library, e.name, result)
	}
	fmt.Fprintf(&table, "\n%d of %d passed.\n\n", passed, len(examples()))
	t.Logf("%s", &table)
	const begin = "<!-- made by make foreign -->\n"
	doc := apptest.ReadFile(t, "docs/sandbox.md")
	before, rest, _ := strings.Cut(doc, begin)
	_, after, ok := strings.Cut(rest, "<!-- that was it -->")
	if want := before + begin + table.String() + "<!-- that was it -->" + after; !ok || *rewrite {
		writeFile(t, filepath.Join(apptest.Root, "docs/sandbox.md"), want)
	} else if doc != want {
		t.Error("docs/sandbox.md has another table: make foreign UPDATE=-update")
	}
}

// moduleSource is where go-telegram/bot is, whose examples read files from there.
func moduleSource(t *testing.T) string {
	t.Helper()
	out, err := command(t, apptest.Root, "go", "list", "-m", "-f", "{{.Dir}}", "github.com/go-telegram/bot").Output()
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(string(out))
}

// example runs one of the programs, and says how that went.
func (p *aloneProgram) example(dir string, i int, e example, source string) string {
	p.t.Helper()
	p.control("/reset", values{"bot": oneToken})
	args := []string{filepath.Join(dir, strconv.Itoa(i))}
	for _, kind := range []string{".mjs", ".cjs"} {
		if _, err := os.Stat(args[0] + kind); err == nil {
			args = []string{"node", args[0] + kind}
		}
	}
	c := exec.CommandContext(context.WithoutCancel(p.t.Context()), args[0], args[1:]...)
	c.Dir = source
	for _, name := range []string{"EXAMPLE_TELEGRAM_BOT_TOKEN", "TOKEN", "BOT_TOKEN", "EXAMPLE_TELEGRAM_PAYMENT_TOKEN"} {
		p.t.Setenv(name, oneToken)
	}
	end := p.begin(c)
	defer end()
	err := p.play(e.steps)
	if missing, _ := p.world()["not_emulated"].([]any); len(missing) > 0 {
		var names []string
		for _, m := range tgsim.Methods() {
			if slices.Contains(missing, any(strings.ToLower(m.Name))) {
				names = append(names, "`"+m.Name+"`")
			}
		}
		return "told that it is not emulated: " + strings.Join(names, ", ")
	}
	if err != nil {
		p.t.Errorf("%s %s: %v\n%s", e.library, e.name, err, p.theirs)
		return "failed at: " + err.Error()
	}
	return "passed"
}

// certify makes a certificate for some names, and leaves it in a file for those who are to trust it.
func certify(t *testing.T, path string, names []string) tls.Certificate {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	form := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: names[0]}, DNSNames: names, NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(24 * time.Hour),
		IsCA: true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageDigitalSignature | x509.KeyUsageCertSign, ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
	}
	der, err := x509.CreateCertificate(rand.Reader, form, form, &key.PublicKey, key)
	if err != nil {
		t.Fatal(err)
	}
	writeFile(t, path, string(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der})))
	return tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key}
}

// serveTelegram serves the names that the programs ask: Telegram's own, a picture on its page, and the webhook of a bot.
func serveTelegram(t *testing.T, certificate tls.Certificate, telegram string) {
	t.Helper()
	config := net.ListenConfig{}
	l, err := config.Listen(t.Context(), "tcp", "127.0.0.1:443")
	if err != nil {
		t.Fatal(err)
	}
	to := func(address string) http.Handler {
		u, err := url.Parse(address)
		if err != nil {
			t.Fatal(err)
		}
		return &httputil.ReverseProxy{Rewrite: func(r *httputil.ProxyRequest) { r.SetURL(u) }, ErrorLog: log.New(io.Discard, "", 0)} // of programs that end
	}
	api, hook := to(telegram), to("http://127.0.0.1:2000")
	server := &http.Server{ReadHeaderTimeout: time.Minute, Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.Host {
		case "api.telegram.org":
			api.ServeHTTP(w, r)
		case "example.com":
			hook.ServeHTTP(w, r)
		default:
			serveMedia(w, r)
		}
	})}
	done := make(chan error, 1)
	go func() {
		done <- server.Serve(tls.NewListener(l, &tls.Config{Certificates: []tls.Certificate{certificate}, MinVersion: tls.VersionTLS12}))
	}()
	t.Cleanup(func() {
		_ = server.Close()
		<-done
	})
}

package sandbox_test

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"

	"resellerbot/internal/app/apptest"
	"resellerbot/internal/sampletest"
	"resellerbot/internal/sandbox"
)

// The chat page of the demo in a real browser. These files hold it:
//
//	browser_test.go           the browser, its tabs, and what a person does in one
//	browser_tour_test.go      the guided tour from end to end, with the demo as people start it
//	browser_page_test.go      the page by itself: hostile texts, the keyboard, what changes while one looks
//	browser_pictures_test.go  the pictures of the README
//
// Without Chromium they are skipped. What they see is left in dist/screens.

const (
	patience = time.Minute // for something that takes seconds at most
	screens  = apptest.Root + "/dist/screens"
)

// pagePart is something that is done with the chat page.
type pagePart struct {
	name string
	test func(*testing.T, *browser)
}

// pageParts are what is done with the page besides the tour. The first of each four are those of an ordinary run.
func pageParts() []pagePart {
	return []pagePart{
		{"live", liveChanges}, {"keyboard only", keyboardOnly}, {"phones and languages", phonesAndLanguages}, {"kill", killFromThePanel},
		{"hostile texts", hostileTexts}, {"panel", panelActs}, {"what belongs to all", nothingIsMissing}, {"alone", playedAlone},
		{"readable", readable},
		{"plays/en", func(t *testing.T, b *browser) { t.Helper(); plays(t, b, "en") }},
		{"plays/ar", func(t *testing.T, b *browser) { t.Helper(); plays(t, b, "ar") }},
	}
}

// TestBrowser starts one browser, in which everything happens side by side. CHAT_PAGE=all walks the tour in
// every language on every screen, SAMPLES=full on one; it takes real time, and an ordinary run leaves it out.
func TestBrowser(t *testing.T) {
	if os.Getenv("CHAT_PAGE") == "apart" {
		t.Skip("the chat page is tested apart, where nothing else takes the machine's time")
	}
	sampletest.Long(t)
	b := newBrowser(t)
	if err := os.MkdirAll(screens, 0o755); err != nil {
		t.Fatal(err)
	}
	// All at once: most of the time is spent waiting for the bot.
	var all sync.WaitGroup
	defer all.Wait()
	run := func(name string, test func(*testing.T, *browser)) {
		all.Go(func() { t.Run(name, func(t *testing.T) { test(t, b) }) })
	}
	for i, size := range []screenSize{{"phone", 390, 844}, {"desk", 1280, 860}} {
		for j, language := range []string{"ar", "en"} {
			if os.Getenv("CHAT_PAGE") != "all" && i+j > 0 {
				continue
			}
			run("tour/"+language+"/"+size.name, func(t *testing.T, b *browser) { t.Helper(); walkTour(t, b, language, size) })
		}
	}
	for _, part := range sampletest.Some(4, pageParts()) {
		run(part.name, part.test)
	}
}

// screenSize is the size of a screen, in CSS pixels.
type screenSize struct {
	name          string
	width, height int64
}

// browser is a running browser.
type browser struct {
	ctx     context.Context //nolint:containedctx // to chromedp a browser is its context
	program string          // the bot, built
}

// needsChromium is where Chromium is. Without it the test is skipped, in one line.
func needsChromium(t *testing.T) string {
	t.Helper()
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome", "chrome"} {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	t.Skip("there is no Chromium on this machine: the chat page is not tested in a browser")
	return ""
}

// newBrowser starts Chromium.
func newBrowser(t *testing.T) *browser {
	t.Helper()
	dir, err := os.MkdirTemp("", "chat-page-") //nolint:usetesting // the browser may still leave something there when the test is over
	if err != nil {
		t.Fatal(err)
	}
	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(needsChromium(t)), chromedp.Flag("lang", "en-US"), chromedp.Flag("disable-dev-shm-usage", true), chromedp.Env("TMPDIR="+dir))
	if os.Geteuid() == 0 {
		options = append(options, chromedp.NoSandbox) // Chromium refuses to sandbox what root runs
	}
	allocator, cancelAllocator := chromedp.NewExecAllocator(context.Background(), options...)
	ctx, cancel := chromedp.NewContext(allocator)
	t.Cleanup(func() {
		soon, done := context.WithTimeout(ctx, 10*time.Second)
		_ = chromedp.Cancel(soon) // it closes by itself, and is ended if it does not
		done()
		cancel()
		cancelAllocator()
		os.RemoveAll(dir)
	})
	if err := chromedp.Do(ctx); err != nil {
		t.Skipf("Chromium does not start on this machine, so the chat page is not tested in a browser: %v", err)
	}
	return &browser{ctx: ctx, program: apptest.Program(t)}
}

// runDemo runs `bot demo` until the test ends, and returns the address that it names.
func (b *browser) runDemo(t *testing.T) string {
	t.Helper()
	demo := exec.CommandContext(context.Background(), b.program, "demo", "-addr", "127.0.0.1:0")
	errs := &apptest.LockedBuffer{}
	demo.Stderr, demo.Dir = errs, t.TempDir()
	demo.Env = append(os.Environ(), "TELEGRAM_BOT_TOKEN=123456789:the-token-of-an-operator-who-tries-", "RESELLER_API_URL=nonsense", "DATABASE_PATH=/nowhere/bot.db")
	stdout, err := demo.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := demo.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = demo.Process.Signal(os.Interrupt)
		if err := demo.Wait(); err != nil {
			t.Errorf("the demo ended with %v\n%s", err, errs)
		}
		if t.Failed() {
			t.Logf("the demo said: %s", errs)
		}
	})
	lines := bufio.NewScanner(stdout)
	for lines.Scan() {
		if _, address, found := strings.Cut(lines.Text(), "The sandbox is at "); found {
			return address
		}
	}
	t.Fatalf("the demo names no address: %v\n%s", lines.Err(), errs)
	return ""
}

// serveSandbox serves the demo's world without a bot in it.
func serveSandbox(t *testing.T) (*sandbox.Sandbox, string) {
	t.Helper()
	s, err := sandbox.NewSandbox(&sandbox.Keeper{}, false)
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(s.Handler())
	t.Cleanup(func() {
		server.CloseClientConnections() // the streams of open pages
		server.Close()
	})
	return s, server.URL
}

// tab is a page in the browser, and the person before it.
type tab struct {
	t    *testing.T
	ctx  context.Context //nolint:containedctx // to chromedp a tab is its context
	name string
	size screenSize

	mu       sync.Mutex
	troubles []string // what the browser complained of
}

// open opens the demo's page in a tab of its own, with a storage of its own.
func (b *browser) open(t *testing.T, name, address string, size screenSize) *tab {
	t.Helper()
	p := b.visit(t, name, address, size)
	p.wait("the page to be there", `document.querySelector(".phone.active") && document.body.classList.contains("sided") && document.querySelector(".truth b")?.textContent`)
	return p
}

// visit opens any page in a tab of its own.
func (b *browser) visit(t *testing.T, name, address string, size screenSize) *tab {
	t.Helper()
	ctx, cancel := chromedp.NewContext(b.ctx, chromedp.WithNewBrowserContext())
	p := &tab{t: t, ctx: ctx, name: name, size: size}
	t.Cleanup(func() {
		p.calm()
		cancel()
	})
	p.must(chromedp.Do(ctx))
	p.must(chromedp.Listen(ctx, p.hear))
	p.must(chromedp.Do(ctx, chromedp.EmulateViewport(size.width, size.height), chromedp.Navigate(address)))
	return p
}

// hear takes down what the browser complains of.
func (p *tab) hear(event any) {
	said := ""
	switch e := event.(type) {
	case *runtime.EventExceptionThrown:
		said = fmt.Sprint(e.ExceptionDetails.Text, " ", e.ExceptionDetails.Exception.Description)
	case *log.EventEntryAdded:
		if e.Entry.Level == "error" || e.Entry.Level == "warning" {
			said = e.Entry.Text
		}
	case *runtime.EventConsoleAPICalled:
		if e.Type == "error" || e.Type == "assert" {
			said = fmt.Sprint(e.Args)
		}
	}
	if said != "" {
		p.mu.Lock()
		defer p.mu.Unlock()
		p.troubles = append(p.troubles, said)
	}
}

// calm fails the test if the browser has complained of anything.
func (p *tab) calm() {
	p.t.Helper()
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, said := range p.troubles {
		p.t.Errorf("the browser says: %s", said)
	}
	p.troubles = nil
}

// forgive takes complaints as what was to be heard, if each holds one of some words, and there are any.
func (p *tab) forgive(words ...string) {
	p.t.Helper()
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.troubles) == 0 {
		p.t.Errorf("the browser was to complain of %v", words)
	}
	p.troubles = slices.DeleteFunc(p.troubles, func(said string) bool {
		return slices.ContainsFunc(words, func(w string) bool { return strings.Contains(said, w) })
	})
}

// must ends the test at an error, with what can be seen.
func (p *tab) must(err error) {
	p.t.Helper()
	if err == nil {
		return
	}
	where := p.shoot("failed-" + strings.ReplaceAll(p.t.Name(), "/", "-"))
	seen, _ := chromedp.Run(p.ctx, chromedp.Evaluate[string](`document.querySelector(".phone.active .log")?.innerText || document.body.innerText`))
	p.t.Fatalf("%v; the screen is in %s, and the chat shows:\n%s", err, where, seen)
}

// wait waits until an expression of the page is true.
func (p *tab) wait(what, expression string) {
	p.t.Helper()
	_, err := chromedp.Run(p.ctx, chromedp.Poll[chromedp.Void](expression, chromedp.WithPollingInterval(40*time.Millisecond), chromedp.WithPollingTimeout(patience)))
	if err != nil {
		p.must(fmt.Errorf("waited in vain for %s: %w", what, err))
	}
}

// watch has the page notice, from now on, if an expression is true after any change of what is drawn, for
// however short a time. What it returns waits until that was so.
func (p *tab) watch(what, expression string) (seen func()) {
	p.t.Helper()
	value[bool](p, fmt.Sprintf(`(() => {
		(window.watched ??= {})[%[1]s] = false;
		const look = () => { if (%[2]s) window.watched[%[1]s] = true; };
		new MutationObserver(look).observe(document, { subtree: true, childList: true, attributes: true, characterData: true });
		look();
		return true;
	})()`, quote(what), expression))
	return func() {
		p.t.Helper()
		p.wait(what, "window.watched["+quote(what)+"]")
	}
}

// late has the page wait for what is said to its posts to a path, until what it returns is called. They arrive meanwhile.
func (p *tab) late(path string) (released func()) {
	p.t.Helper()
	value[bool](p, fmt.Sprintf(`(() => {
		const fetching = window.fetch;
		const gate = new Promise((open) => { window.released = () => { window.fetch = fetching; open(); return true; }; });
		window.fetch = async (...asked) => {
			const said = await fetching(...asked);
			if (String(asked[0]).endsWith(%s)) await gate;
			return said;
		};
		return true;
	})()`, quote(path)))
	return func() { p.t.Helper(); value[bool](p, "window.released()") }
}

// value is what an expression of the page comes to.
func value[T any](p *tab, expression string) T {
	p.t.Helper()
	v, err := chromedp.Run(p.ctx, chromedp.Evaluate[T](expression))
	p.must(err)
	return v
}

// is fails the test unless an expression of the page is true.
func (p *tab) is(what, expression string) {
	p.t.Helper()
	if !value[bool](p, "Boolean("+expression+")") {
		p.must(errors.New("it is not so: " + what))
	}
}

// quote is a text as JavaScript writes it.
func quote(text string) string {
	b, err := json.Marshal(text)
	if err != nil {
		panic(err) // there is no text that cannot be quoted
	}
	return string(b)
}

// pressing is a script that presses an element if it can be seen and nothing lies over it, all in one go:
// nothing can move in between.
const pressing = `((e) => {
	if (!e || e.disabled) return false;
	e.scrollIntoView({ block: "center", behavior: "instant" });
	const r = e.getBoundingClientRect();
	const top = document.elementFromPoint(r.x + r.width / 2, r.y + r.height / 2);
	if (!r.width || !(e === top || e.contains(top))) return false;
	e.click();
	return true;
})`

// press presses what a selector finds, once it can be pressed.
func (p *tab) press(selector string) {
	p.t.Helper()
	p.wait(selector+" to press", pressing+"(document.querySelector("+quote(selector)+"))")
}

// tap taps the key of the newest message with a keyboard that holds the words, or that is the words where
// these are in brackets.
func (p *tab) tap(words string) {
	p.t.Helper()
	exact := strings.HasPrefix(words, "[")
	p.wait("a key with "+words, fmt.Sprintf(`(() => {
		const last = [...document.querySelectorAll(".phone.active .row.keyed")].pop();
		const keys = [...(last?.querySelectorAll(".key") || [])];
		const plain = (k) => k.textContent.replace(/[\u2066-\u2069\u200e\u200f]/g, "");
		return %s(keys.find((k) => %t ? plain(k) === %s : plain(k).includes(%s)));
	})()`, pressing, exact, quote(strings.Trim(words, "[]")), quote(words)))
}

// keys types as a keyboard does.
func (p *tab) keys(text string) {
	p.t.Helper()
	p.must(chromedp.Do(p.ctx, chromedp.KeyEvent(text)))
}

// say types into the message box of the phone in use, and sends that.
func (p *tab) say(text string) {
	p.t.Helper()
	p.wait("the message box", `(() => { const box = document.querySelector(".phone.active textarea"); box?.focus(); return document.activeElement === box && box; })()`)
	p.keys(text)
	p.enter()
	p.wait("the message to be sent", `document.querySelector(".phone.active textarea").value === ""`)
}

// see waits until the newest message of the bot, or an older one, holds the words.
func (p *tab) see(words string) {
	p.t.Helper()
	p.wait("a message with "+words, fmt.Sprintf(`[...document.querySelectorAll(".phone.active .row.theirs")].some((r) => r.textContent.replace(/[\u2066-\u2069\u200e\u200f]/g, "").replace(/[\u00a0\u202f]/g, " ").includes(%s))`, quote(words)))
}

// speak chooses a language on the page.
func (p *tab) speak(language string) {
	p.t.Helper()
	p.pageIn(language)
	value[bool](p, fmt.Sprintf(`(() => { for (const e of document.querySelectorAll(".phone")) fetch("control/v1/people/" + e.dataset.user + "/language", { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify({ language: %s }) }); return true; })()`, quote(language)))
	p.wait("everybody to speak "+language, fmt.Sprintf(`[...document.querySelectorAll(".phone")].every((e) => e.lang === %s) && document.documentElement.lang === %s`, quote(language), quote(language)))
}

// pageIn chooses the language of the page.
func (p *tab) pageIn(language string) {
	p.t.Helper()
	p.wait("the languages", `document.querySelector("#language option")`)
	value[bool](p, fmt.Sprintf(`(() => { const s = document.querySelector("#language"); s.value = %s; s.dispatchEvent(new Event("change")); return true; })()`, quote(language)))
	p.wait("the page in "+language, "document.documentElement.lang === "+quote(language))
}

// dark has the system prefer dark colours.
func (p *tab) dark() {
	p.t.Helper()
	_, err := chromedp.Call(p.ctx, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: "dark"}}})
	p.must(err)
}

// clipboard has what the page copies kept in window.copied: the tabs share one clipboard.
func (p *tab) clipboard() {
	p.t.Helper()
	value[bool](p, `(navigator.clipboard.writeText = async (text) => { window.copied = text; }, true)`)
}

// shoot leaves what the tab shows in a file, and returns its name.
func (p *tab) shoot(name string) string {
	p.t.Helper()
	file := filepath.Join(screens, p.name+"-"+name+".png")
	picture, err := chromedp.Run(p.ctx, chromedp.CaptureScreenshot())
	if err == nil {
		err = os.WriteFile(file, picture, 0o644)
	}
	if err != nil {
		p.t.Logf("no picture of %s: %v", name, err)
	}
	return file
}

// fits fails the test if something sticks out of the screen, or out of what holds it.
func (p *tab) fits() {
	p.t.Helper()
	out := value[[]string](p, `(() => {
		const out = [];
		if (document.documentElement.scrollWidth > innerWidth) out.push("the page is " + document.documentElement.scrollWidth + " wide");
		for (const e of document.querySelectorAll(".screen, .bubble, .key, .card, .sky, .tour, .tour button, .number, #top > *, .bar, .composer")) {
			const r = e.getBoundingClientRect();
			const holder = e.closest(".screen, #beside, #strip, #top")?.getBoundingClientRect();
			if (!r.width || !holder) continue;
			if (r.left < holder.left - 1 || r.right > holder.right + 1) out.push(e.className + " sticks out: " + e.textContent.slice(0, 40));
			if (e.scrollWidth > e.clientWidth + 1 && getComputedStyle(e).overflowX === "visible") out.push(e.className + " is too narrow: " + e.textContent.slice(0, 40));
		}
		return out;
	})()`)
	for _, what := range out {
		p.t.Errorf("%s: %s", p.name, what)
	}
}

// enter presses Enter where it begins a new line unless the page keeps it from that.
func (p *tab) enter() { p.t.Helper(); p.stroke("Enter", 13) }

// stroke presses and releases a key that types nothing, such as ArrowDown.
func (p *tab) stroke(name string, code int64) {
	p.t.Helper()
	for _, kind := range []input.DispatchKeyEventType{input.DispatchKeyEventTypeRawKeyDown, input.DispatchKeyEventTypeKeyUp} {
		_, err := chromedp.Call(p.ctx, input.DispatchKeyEvent, input.DispatchKeyEventParams{Type: kind, Key: name, Code: name, WindowsVirtualKeyCode: code})
		p.must(err)
	}
}

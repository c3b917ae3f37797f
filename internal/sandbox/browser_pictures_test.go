package sandbox_test

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"resellerbot/internal/sandbox"
)

var pictures = flag.String("pictures", "", "the folder into which the README's pictures are written anew")

// TestPictures remakes the pictures of the README (make pictures).
func TestPictures(t *testing.T) {
	if *pictures == "" {
		t.Skip("make pictures remakes the README's pictures")
	}
	b := newBrowser(t)
	if err := os.MkdirAll(screens, 0o755); err != nil {
		t.Fatal(err)
	}
	address := b.runDemo(t)
	p := b.open(t, "picture", address, desk)
	p.speak("en")
	p.press(".phone.active .start button")
	p.say("/key " + sandbox.DemoKey)
	p.see("Boutique El Djazair")
	p.say("/buy play card")
	p.buy("5 USD", "[2 units]")
	p.unhurried()
	p.tap("✅")
	p.see("🎉")

	p.press(".person:nth-child(2)")
	value[bool](p, `(() => { const s = document.querySelector(".phone.active .owner select"); s.value = "ar"; s.dispatchEvent(new Event("change")); return true; })()`)
	p.wait("the seller to read Arabic", `document.querySelector(".phone.active").dir === "rtl"`)
	p.press(".phone.active .start button")
	p.say("/key " + sandbox.DemoKey)
	p.see("Boutique El Djazair")
	p.say("/buy console")
	p.unhurried()
	p.buy("10 EUR", "[وحدة]")
	p.press(`.sky[data-sky="lose"]`)
	p.wait("the answer to be about to be lost", `document.querySelector(".sky[data-sky=lose]").dataset.left === "1"`)
	p.unhurried()
	p.tap("✅")
	p.wait("the purchase to be uncertain", `[...document.querySelectorAll(".phone.active .body")].some((e) => e.textContent.trim().startsWith("❓"))`)
	p.calmly()
	p.keep("purchase.png")

	q := b.open(t, "picture", address, screenSize{"phone", 390, 844})
	q.press(".person:nth-child(2)")
	q.press(".tour .fold")
	q.wait("the purchase to be found", `[...document.querySelectorAll(".phone.active .copies")].length > 0`)
	q.calmly()
	q.keep("arabic.png")
}

// unhurried lets the bot's pace of messages recover, as it does between the taps of a person.
func (p *tab) unhurried() {
	p.t.Helper()
	<-time.After(5500 * time.Millisecond)
}

// calmly waits until nothing is shown that goes away by itself, and the newest message is in sight.
func (p *tab) calmly() {
	p.t.Helper()
	p.wait("quiet", `!document.querySelector(".toast:not([hidden])")`)
	value[bool](p, `(document.activeElement.blur(), document.querySelector("#beside").scrollTo(0, 0), sandbox.phones.forEach((phone) => phone.toEnd()), true)`)
}

// keep writes what the tab shows into the folder of the pictures.
func (p *tab) keep(name string) {
	p.t.Helper()
	from := p.shoot(strings.TrimSuffix(name, ".png"))
	picture, err := os.ReadFile(from)
	if err == nil {
		err = os.WriteFile(filepath.Join(*pictures, name), picture, 0o644)
	}
	p.must(err)
}

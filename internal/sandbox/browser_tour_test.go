package sandbox_test

import (
	"fmt"
	"slices"
	"testing"

	"resellerbot/internal/sandbox"
)

// walkTour takes the guided tour as a first visitor does, with the demo as people start it.
func walkTour(t *testing.T, b *browser, language string, size screenSize) {
	t.Helper()
	p := b.open(t, "tour-"+language+"-"+size.name, b.runDemo(t), size)
	p.speak(language)
	one := map[string]string{"en": "[1 unit]", "ar": "[وحدة]"}[language]
	direction := map[string]string{"en": "ltr", "ar": "rtl"}[language]
	p.is("the page runs "+direction, fmt.Sprintf(`document.documentElement.dir === %[1]q && document.querySelector(".phone.active").dir === %[1]q`, direction))

	p.onStep("link")
	p.shoot("1-start")
	p.fits()
	if size.width > 860 { // on a phone the tour begins the chat by itself
		p.press(".phone.active .start button")
		p.wait("a welcome", `document.querySelector(".phone.active .row.keyed")`)
	}
	p.follow()
	p.see("Boutique El Djazair")
	p.wait("the key to be deleted", `[...document.querySelectorAll(".phone.active .notice:not(.day)")].length === 1`)
	p.is("the key is nowhere in the chat", fmt.Sprintf(`!document.querySelector(".phone.active .log").textContent.includes(%q)`, sandbox.DemoKey))

	p.press(".phone.active .composer .plain") // the menu of commands, which is the owner's from now on
	p.wait("the owner's menu", `["/team", "/lock"].every((c) => [...document.querySelectorAll(".phone.active .popup.commands button")].some((b) => b.textContent.includes(c)))`)
	p.shoot("1-menu")
	p.keys("\x1b")

	p.onStep("buy")
	p.follow()
	p.buy("Play Card", "5 USD", one, "✅")

	p.choose("topup") // nobody has to sit and wait for the code
	p.follow()
	p.buy("Battle Royale", "60 coins", one)
	p.see("✍")
	p.say("51234567")
	p.see("Lina★")
	p.fits()
	p.shoot("2-player")
	p.tap("✅")
	p.onStep("list")
	p.truth(2, 2)
	p.wait("the code", `document.querySelector(".phone.active .copies")`)
	p.follow()
	p.tap("✅")
	p.onStep("lose")
	p.truth(4, 4)
	p.fits()
	p.shoot("3-delivered")

	p.press(`.tour [data-door="arm"]`)
	p.wait("the answer to be about to be lost", `document.querySelector(".sky[data-sky=lose]").dataset.left === "1"`)
	p.follow()
	p.buy("5 USD", one)
	lost := p.watch("that the chat was not told", `document.querySelector(".truth").dataset.difference === "1"`)
	p.tap("✅")
	lost()
	p.shoot("4-lost")

	p.choose("alert") // nor for the outcome
	p.follow()
	p.tap("💰")
	p.say("30000")
	p.onStep("credit")
	p.follow()
	p.tap(map[string]string{"en": "% ", "ar": "٪ "}[language])
	p.tap("10")
	p.tap(map[string]string{"en": "DZD\u00a010", "ar": "10\u00a0د.ج"}[language])
	p.say("pc5 x1")
	p.tap("✅")
	p.tap("📒")
	p.say("Karim")
	p.tap("➕ Karim")
	p.say("/close")
	p.tap("🔒")
	p.tap(map[string]string{"en": "Yes", "ar": "نعم"}[language])
	p.onStep("accounts")
	p.follow()
	p.tap("➕")
	p.say("/account")
	p.tap("🔀 Boutique El Djazair")
	p.onStep("finished")
	p.truth(6, 6)
	p.is("nothing was bought twice", `sandbox.panel.view.service.lost === 1 && sandbox.panel.view.service.purchases === 6`)
	p.is("all eight are done", `document.querySelectorAll(".dot[data-done=true]").length === 8`)
	p.fits()
	p.shoot("5-finished")
	p.is("keyboards are not mirrored", `getComputedStyle(document.querySelector(".keyboard .keys")).direction === "ltr"`)

	p.press(`.tour [data-door="close"]`)
	p.wait("the tour to be gone", `document.querySelector(".tour").hidden`)
	if size.width < 860 {
		p.press("#other")
	}
	p.press(".reopen")
	p.is("the tour is there again", `!document.querySelector(".tour").hidden`)
	p.shoot("6-panel")
	p.fits()
	p.dark()
	p.shoot("7-dark")
}

// onStep waits until the tour is at a step.
func (p *tab) onStep(step string) {
	p.t.Helper()
	p.wait("the step "+step, fmt.Sprintf(`document.querySelector(".tour").dataset.step === %q`, step))
}

// choose goes to a step of the tour, whatever is done.
func (p *tab) choose(step string) {
	p.t.Helper()
	// In one go: the tour unfolds by itself at its next step, which a press that comes then would undo.
	value[bool](p, `(() => { const tour = document.querySelector(".tour"), folded = tour.classList.contains("folded"); if (folded) tour.querySelector(".fold").click(); return folded; })()`)
	p.press(fmt.Sprintf(`.tour .dot:nth-child(%d)`, 1+slices.Index([]string{"link", "buy", "topup", "list", "lose", "credit", "alert", "accounts"}, step)))
	p.onStep(step)
}

// follow has the tour type for the person, who sends it.
func (p *tab) follow() {
	p.t.Helper()
	p.press(`.tour [data-door="do"]`)
	p.wait("the words in the message box", `document.activeElement.matches(".phone.active textarea") && document.activeElement.value`)
	p.wait("a message box that has room for them", `(() => { const box = document.querySelector(".phone.active textarea"); return box.offsetHeight > 20 && box.offsetHeight >= box.scrollHeight; })()`)
	p.enter()
	p.wait("the message to be sent", `document.querySelector(".phone.active textarea").value === ""`)
}

// buy taps one key after the other.
func (p *tab) buy(keys ...string) {
	p.t.Helper()
	for _, k := range keys {
		p.tap(k)
	}
}

// truth waits until the panel says how much was bought, and of how much the chat was told.
func (p *tab) truth(bought, told int) {
	p.t.Helper()
	p.wait(fmt.Sprintf("%d bought and %d told", bought, told), fmt.Sprintf(`(() => {
		const [b, t, d] = [...document.querySelectorAll(".truth b")].map((e) => e.textContent);
		return b === "%d" && t === "%d" && d === "%d";
	})()`, bought, told, bought-told))
}

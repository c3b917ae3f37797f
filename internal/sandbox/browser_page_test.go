package sandbox_test

import (
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"testing"

	"resellerbot/internal/api/sim"
	"resellerbot/internal/sandbox"
	"resellerbot/internal/sandbox/tgsim"
)

var desk = screenSize{"desk", 1280, 860}

// hostile is a text that would do something if it were more than a text.
const hostile = `<script>window.harmed=1</script><img src=x onerror="window.harmed=2"><b>bold</b>`

// say has the bot of a sandbox call the Bot API, as a bot of anybody's might.
func say(t *testing.T, address, method, body string) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, address+"/bot"+sandbox.DemoToken+"/"+method, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/json")
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		t.Fatalf("%s: HTTP %d", method, resp.StatusCode)
	}
}

// hostileTexts: whatever people, bots and the service write stays text, wherever the page shows it.
func hostileTexts(t *testing.T, b *browser) {
	t.Helper()
	s, address := serveSandbox(t)
	s.Service.AddProduct(sim.ProductSpec{ID: 99, Name: hostile, Variants: []sim.VariantSpec{{ID: 9901, Name: hostile, Price: "1", InStock: 1}}})
	if err := s.Service.AddAccount(sim.AccountSpec{Key: "KEY-" + hostile, Name: hostile, Balance: "1"}); err != nil {
		t.Fatal(err)
	}
	s.Telegram.AddUser(tgsim.User{ID: 505, FirstName: hostile, LanguageCode: hostile, Part: "seller"})
	s.Telegram.NewGroup(sandbox.DemoOwner, hostile, 505)
	s.Telegram.Send(sandbox.DemoOwner, sandbox.DemoOwner, hostile)
	s.Telegram.SendDocument(sandbox.DemoOwner, sandbox.DemoOwner, hostile, []byte(hostile), hostile)
	say(t, address, "setMyCommands", `{"commands":[{"command":"evil","description":`+quote(hostile)+`}]}`)
	say(t, address, "sendMessage", `{"chat_id":501,"text":`+quote(hostile)+`,"entities":[{"type":"text_link","offset":0,"length":5,"url":"javascript:window.harmed=3"}],
		"reply_markup":{"inline_keyboard":[[{"text":`+quote(hostile)+`,"callback_data":"x"},{"text":"Copy","copy_text":{"text":`+quote(hostile)+`}}]]}}`)
	say(t, address, "sendMessage", `{"chat_id":501,"text":"keys","reply_markup":{"keyboard":[[`+quote(hostile)+`]],"input_field_placeholder":"<b>"}}`)
	p := b.open(t, "hostile", address, desk)
	p.wait("the messages", `document.querySelectorAll(".phone.active .row").length >= 4`)
	p.press(".phone.active .composer .plain") // the commands
	p.wait("the commands", `document.querySelector(".phone.active .popup.commands button")`)
	p.shoot("texts")
	p.keys("\x1b")
	for _, where := range []string{".row.mine .body", ".row.theirs .body", ".keyboard .key", ".replykeys .key", ".file .words b", "#people bdi", "#beside .stock .name", "#beside .wallet .words"} {
		p.is(where+" shows the text as it is", fmt.Sprintf(`[...document.querySelectorAll(%q)].some((e) => e.textContent.includes(%s))`, where, quote(hostile)))
	}
	p.wait("the tab of the group", pressing+`([...document.querySelectorAll(".phone.active .tab")].find((e) => e.textContent.includes("<script>")))`)
	p.wait("the group", `document.querySelector(".phone.active .bar b").textContent.includes("<script>")`)
	p.press(".phone.active .tab:first-child")
	p.press(".phone.active .file .doors button")
	p.wait("the file", `document.querySelector("dialog pre")?.textContent === `+quote(hostile))
	p.press("dialog .main")
	p.is("nothing was run", `window.harmed === undefined && document.scripts.length === 1 && !document.querySelector("img[src=x], .phone b > b, a[href^=javascript]")`)
	p.is("every script is the page's own", `[...document.scripts].every((e) => e.src === location.origin + "/app.js")`)
	p.calm()

	// And if the page ever made markup of a text, the browser would refuse it.
	for _, how := range []string{
		`document.body.innerHTML = "<i>x</i>"`,
		`document.createElement("img").setAttribute("onerror", "window.harmed=4")`,
		`document.createElement("script").src = "data:text/javascript,window.harmed=5"`,
	} {
		p.is(how+" is refused", `(() => { try { `+how+`; return false; } catch { return true; } })()`)
	}
	value[bool](p, `(() => { const e = document.createElement("script"); e.append("window.harmed=7"); document.body.append(e); return true; })()`)
	value[bool](p, `(() => { const e = document.createElement("style"); e.append("body { display: none }"); document.head.append(e); return true; })()`)
	p.is("nothing was run or styled", `window.harmed === undefined && getComputedStyle(document.body).display !== "none"`)
	p.forgive("Content Security Policy", "Trusted")
}

// keyboardOnly: everything is reached with Tab, has a name, and is seen to be reached.
func keyboardOnly(t *testing.T, b *browser) {
	t.Helper()
	_, address := serveSandbox(t)
	p := b.open(t, "keyboard", address, desk)
	p.keys("\t")
	p.is("the first stop leads to the message box", `document.activeElement.id === "skip"`)
	p.enter()
	p.wait("the way to Start", `document.activeElement.matches(".phone.active .start button")`)
	p.keys(" ")
	p.wait("the way to the message box", `document.activeElement.matches(".phone.active textarea")`)
	say(t, address, "setMyCommands", `{"commands":[{"command":"buy","description":"Buy"},{"command":"balance","description":"Balance"}]}`)
	say(t, address, "sendMessage", `{"chat_id":501,"parse_mode":"HTML","text":"<code>CODE-1</code> <tg-spoiler>hidden</tg-spoiler>","reply_markup":{"inline_keyboard":[[{"text":"One","callback_data":"one"},{"text":"Two","callback_data":"two"}]]}}`)
	p.wait("the message", `document.querySelectorAll(".phone.active .key").length === 2`)

	p.keys("/b")
	p.wait("commands that begin so", `document.querySelectorAll(".phone.active .popup.commands button").length === 2`)
	p.stroke("ArrowDown", 40)
	p.stroke("ArrowDown", 40)
	p.is("the second command is reached", `document.activeElement.textContent.includes("/balance")`)
	p.keys(" ")
	p.wait("the command to be sent", `[...document.querySelectorAll(".phone.active .row.mine")].some((r) => r.textContent.includes("/balance"))`)

	value[bool](p, `(document.querySelector(".phone.active .spoiler").focus(), true)`)
	p.keys(" ")
	p.is("the hidden word is shown", `document.querySelector(".phone.active .spoiler").classList.contains("open")`)
	value[bool](p, `(document.querySelector(".phone.active .key").focus(), true)`)
	p.keys(" ")
	p.wait("the tap to arrive", `document.querySelector(".phone.active .key.busy")`)
	p.is("the focus stays on the key", `document.activeElement.matches(".key")`)
	say(t, address, "editMessageText", fmt.Sprintf(`{"chat_id":501,"message_id":%d,"text":"changed","reply_markup":{"inline_keyboard":[[{"text":"Three","callback_data":"three"}]]}}`, value[int](p, `Number(document.querySelector(".phone.active .row.keyed").dataset.message)`)))
	p.wait("the focus to go on to the new keyboard", `document.activeElement.textContent.includes("Three")`)

	stops := map[string]bool{}
	value[bool](p, `(document.querySelector("#skip").focus(), true)`)
	for range 120 {
		stop := value[string](p, `(() => {
			const e = document.activeElement;
			if (!e || e === document.body) return "";
			const named = e.getAttribute("aria-label") || e.labels?.[0]?.textContent || e.textContent.trim() || e.title;
			const style = getComputedStyle(e);
			const seen = style.outlineStyle !== "none" && parseFloat(style.outlineWidth) >= 2;
			const place = e.closest(".phone") ? ".phone" : e.closest("#beside") ? "#beside" : e.closest("#top") ? "#top" : "";
			return [place, e.tagName, e.className || e.id, named ? "named" : "WITHOUT A NAME", seen || e.matches("input[type=checkbox]") ? "seen" : "NOT SEEN"].join(" ");
		})()`)
		if strings.Contains(stop, "WITHOUT A NAME") || strings.Contains(stop, "NOT SEEN") {
			t.Errorf("a stop of the Tab key: %s", stop)
		}
		stops[stop] = true
		p.keys("\t")
		if stop == "" {
			break
		}
	}
	for _, want := range []string{"#top", ".phone BUTTON tab", ".phone DIV log", ".phone BUTTON key", ".phone TEXTAREA", "#beside BUTTON sky", "#beside SUMMARY"} {
		found := false
		for stop := range stops {
			found = found || strings.HasPrefix(stop, want)
		}
		if !found {
			t.Errorf("the Tab key never stops at %s", want)
		}
	}
	p.is("what is new is read out", `document.querySelector(".phone.active .log").getAttribute("aria-live") === "polite" && document.querySelectorAll(".log[aria-live=polite]").length === 1`)
}

// liveChanges: what is written, changed, deleted, hidden and answered shows at once; one copies with a tap.
func liveChanges(t *testing.T, b *browser) {
	t.Helper()
	s, address := serveSandbox(t)
	s.Telegram.Send(sandbox.DemoOwner, sandbox.DemoOwner, "/start")
	say(t, address, "sendMessage", `{"chat_id":501,"parse_mode":"HTML","text":"The code: <code>ABCD-1234</code> <tg-spoiler>hidden</tg-spoiler>","reply_markup":{"inline_keyboard":[[{"text":"Tap","callback_data":"tap"},{"text":"Copy","copy_text":{"text":"EFGH"}}]]}}`)
	p := b.open(t, "live", address, screenSize{"phone", 390, 844})
	p.clipboard()
	p.press(".tour .fold")
	p.press(".phone.active .copies")
	p.wait("the code on the clipboard", `window.copied === "ABCD-1234"`)
	p.tap("Copy")
	p.wait("the other text on the clipboard", `window.copied === "EFGH"`)
	p.press(".phone.active .spoiler")
	p.is("what was hidden is open", `document.querySelector(".spoiler").classList.contains("open")`)

	released := p.late("/tap") // as on a busy machine: the bot's answer shows before the page hears that the tap went through
	p.tap("Tap")
	p.wait("the key to be busy", `document.querySelector(".key.busy")`)
	p.must(s.Telegram.WaitFor(t.Context(), func() bool { return len(s.Telegram.Callbacks()) == 1 }))
	say(t, address, "answerCallbackQuery", `{"callback_query_id":`+quote(s.Telegram.Callbacks()[0].ID)+`,"text":"an answer"}`)
	p.wait("the answer", `document.querySelector(".phone.active .toast").textContent === "an answer"`)
	released()
	p.wait("the key to rest", `!document.querySelector(".key.busy")`)
	p.tap("Tap")
	p.must(s.Telegram.WaitFor(t.Context(), func() bool { return len(s.Telegram.Callbacks()) == 2 }))
	say(t, address, "answerCallbackQuery", `{"callback_query_id":`+quote(s.Telegram.Callbacks()[1].ID)+`,"text":"read this","show_alert":true}`)
	p.wait("the alert", `document.querySelector("dialog[open] p")?.textContent === "read this"`)
	p.press("dialog .main")

	typing := p.watch("the bot to type", `document.querySelector(".phone.active .bar .busy")`)
	say(t, address, "sendChatAction", `{"chat_id":501,"action":"typing"}`)
	typing()
	say(t, address, "editMessageText", `{"chat_id":501,"message_id":3,"text":"changed"}`)
	p.wait("the change", `document.querySelector("[data-message='3']").textContent.startsWith("changed") && !document.querySelector(".phone.active .key")`)
	say(t, address, "deleteMessage", `{"chat_id":501,"message_id":3}`)
	p.wait("the deletion", `document.querySelector("[data-message='3'] .notice")`)
	say(t, address, "sendMessage", `{"chat_id":501,"text":"write","reply_markup":{"keyboard":[["Buy","Sell"]],"one_time_keyboard":true,"input_field_placeholder":"Choose"}}`)
	p.wait("keys to write with", `document.querySelectorAll(".phone.active .replykeys .key").length === 2 && document.querySelector(".phone.active textarea").placeholder === "Choose"`)
	p.fits()
	p.shoot("reply-keyboard")
	p.press(".phone.active .replykeys .key")
	p.wait("the key to be written", `[...document.querySelectorAll(".phone.active .row.mine")].pop().textContent.startsWith("Buy") && document.querySelector(".phone.active .replykeys").hidden`)
	p.wait("the message to wait for the bot", `document.querySelector(".phone.active .row.mine .ticks:not(.seen)")`)

	s.Telegram.SetLanguage(sandbox.DemoOwner, "ar")
	p.wait("the phone to turn", `document.querySelector(".phone.active").dir === "rtl" && document.querySelector(".phone.active textarea").getAttribute("aria-label") === "رسالة"`)
	s.Telegram.Block(sandbox.DemoOwner)
	p.wait("the bot to be blocked", `document.querySelector(".phone.active .start:not([hidden]) button")`)
	s.Telegram.NewGroup(sandbox.DemoOwner, "El Oued", sandbox.DemoSeller)
	p.wait("the group", `[...document.querySelectorAll(".phone.active .tab")].some((e) => e.textContent.includes("El Oued"))`)
}

// killFromThePanel: the bot dies for real, a message waits for it, and it answers in its next life.
func killFromThePanel(t *testing.T, b *browser) {
	t.Helper()
	p := b.open(t, "kill", b.runDemo(t), desk)
	p.press(".phone.active .start button")
	p.wait("a welcome", `document.querySelector(".phone.active .row.keyed")`)
	p.press(".kill")
	p.say("/help")
	p.shoot("dead")
	p.wait("the next life", `document.querySelector(".part.bot .words").dataset.lives === "2"`)
	p.see("/forget")
	p.wait("the message to have arrived", `!document.querySelector(".phone.active .ticks:not(.seen)")`)
}

// panelActs: the panel's switches reach the service, and show what it does.
func panelActs(t *testing.T, b *browser) {
	t.Helper()
	s, address := serveSandbox(t)
	p := b.open(t, "panel", address, screenSize{"tall", 1280, 1500})
	for _, sky := range []string{"lose", "timeout", "down", "limit", "flood"} {
		p.press(`.sky[data-sky="` + sky + `"]`)
		p.wait(sky, `Number(document.querySelector(".sky[data-sky=`+sky+`]").dataset.left) > 0`)
	}
	p.shoot("weather")
	p.press(".sky.well")
	p.wait("fair weather", `[...document.querySelectorAll(".sky[data-sky]")].every((e) => e.dataset.left === "0")`)
	p.press(".wallet .card button[type=submit], .wallet .card form button") // adds what is in the field
	p.wait("money", `document.querySelector(".wallet .balance").textContent.includes("30,000")`)
	p.press(".wallet .card input[type=checkbox]")
	p.wait("the key to be expired", `sandbox.panel.view.service.accounts[0].expired`)
	p.press(".orders .switch input")
	p.wait("orders to wait", `sandbox.panel.view.service.holding`)
	p.press(".part.stock summary")
	p.wait("the stock", `document.querySelector("form.variant")`)
	value[bool](p, `(() => { const f = document.querySelector("form.variant"); f.querySelector("input").value = "77.5"; f.requestSubmit(); return true; })()`)
	p.wait("the price", `sandbox.panel.view.service.products[0].variants[0].price === "77.5"`)
	value[bool](p, `(() => { const f = document.querySelector("form.variant"); f.querySelector("input").value = "much"; f.requestSubmit(); return true; })()`)
	p.wait("what was wrong", `document.querySelector(".trouble").textContent.includes("much")`)
	p.fits()
	p.shoot("all")
	if s.Service.View().Accounts[0].Balance != "30000" {
		t.Errorf("the wallet holds %s", s.Service.View().Accounts[0].Balance)
	}
	p.forgive("400 (Bad Request)")
}

// nothingIsMissing: no language lacks a text, nothing is fetched from elsewhere, nothing sticks out, and a step
// of the tour can be skipped.
func nothingIsMissing(t *testing.T, b *browser) {
	t.Helper()
	_, address := serveSandbox(t)
	p := b.open(t, "words", address, screenSize{"phone", 390, 844})
	if missing := value[[]string](p, `[...sandbox.missing(), ...sandbox.missingBeside()]`); len(missing) > 0 {
		t.Errorf("texts are missing: %v", missing)
	}
	p.is("everything comes from here", `performance.getEntriesByType("resource").every((e) => e.name.startsWith(location.origin + "/"))`)
	p.press(`.tour [data-door="skip"]`)
	p.onStep("buy")
	for _, language := range []string{"fr", "ar", "en"} {
		p.speak(language)
		p.fits()
		p.press("#other")
		p.wait("the panel", `document.body.dataset.view === "panel"`)
		p.fits()
		p.shoot(language)
		p.press("#other")
	}
}

// phonesAndLanguages: three phones stand beside the panel on a small desk, the composer has no scrollbar, and a language that is
// chosen for the page is not forced on who speaks another one.
func phonesAndLanguages(t *testing.T, b *browser) {
	t.Helper()
	s, address := serveSandbox(t)
	p := b.open(t, "phones", address, desk)
	p.wait("three phones", `document.querySelectorAll(".phone").length >= 3`)
	s.Telegram.SetLanguage(502, "fr")
	p.wait("a phone in French", `[...document.querySelectorAll(".phone")].some((e) => e.lang === "fr")`)
	for _, language := range []string{"ar", "en"} {
		p.pageIn(language)
		p.is("the French phone stays French", `[...document.querySelectorAll(".phone")].some((e) => e.lang === "fr")`)
		p.is("three phones fit", `(() => { const box = document.querySelector("#phones").getBoundingClientRect(); return [...document.querySelectorAll(".phone")].slice(0, 3).every((e) => e.getBoundingClientRect().left >= box.left - 1 && e.getBoundingClientRect().right <= box.right + 1) })()`)
		p.is("no scrollbar stands in the composer", `[...document.querySelectorAll(".composer textarea")].every((e) => getComputedStyle(e).scrollbarWidth === "none")`)
		p.shoot(language)
	}
}

// contrastOf is the least contrast of the texts that a selector names with what they stand on (WCAG 2, 1.4.3): colours that
// let through what is below are laid over it.
const contrastOf = `((selector) => {
	const parse = (text) => {
		const n = (text.match(/-?[\d.]+(e-?\d+)?/g) || []).map(Number);
		const whole = text.startsWith("color(") ? 255 : 1;
		return { r: n[0] * whole, g: n[1] * whole, b: n[2] * whole, a: n[3] ?? 1 };
	};
	const over = (top, below) => ({ r: top.r * top.a + below.r * (1 - top.a), g: top.g * top.a + below.g * (1 - top.a), b: top.b * top.a + below.b * (1 - top.a), a: 1 });
	const luminance = (c) => [c.r, c.g, c.b].map((v) => v / 255).map((v) => v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4).reduce((sum, v, i) => sum + v * [0.2126, 0.7152, 0.0722][i], 0);
	const ground = (e) => {
		const layers = [];
		for (; e; e = e.parentElement) layers.push(parse(getComputedStyle(e).backgroundColor));
		return layers.reduceRight((below, top) => over(top, below), { r: 255, g: 255, b: 255, a: 1 });
	};
	const all = [...document.querySelectorAll(selector)].map((e) => {
		const below = ground(e), [low, high] = [luminance(below), luminance(over(parse(getComputedStyle(e).color), below))].sort((a, b) => a - b);
		return (high + 0.05) / (low + 0.05);
	});
	return all.length ? Math.min(...all) : 0;
})`

// readable: in light and in dark every text of the panel stands out from what it stands on, also the states of orders; on a
// phone every button has a name, and the page a heading and one main part.
func readable(t *testing.T, b *browser) {
	t.Helper()
	s, address := serveSandbox(t)
	s.Service.HoldOrders(true)
	buy := func() {
		t.Helper()
		req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, address+"/api/products/purchase/"+strconv.FormatInt(s.Service.View().Products[0].Variants[0].ID, 10), strings.NewReader(`{"quantity":1}`))
		if err != nil {
			t.Fatal(err)
		}
		req.Header.Set("Content-Type", "application/json")
		req.Header.Set("X-Api-Key", sandbox.DemoKey)
		resp, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		resp.Body.Close()
	}
	for range 3 {
		buy()
	}
	orders := s.Service.Orders()
	if len(orders) != 3 {
		t.Fatalf("%d orders", len(orders))
	}
	for i, do := range []func(string) error{func(id string) error { return s.Service.Complete(id, "AAAA-1111", "") }, func(id string) error { return s.Service.Fail(id, "no luck") }} {
		if err := do(orders[i].ID); err != nil {
			t.Fatal(err)
		}
	}
	p := b.open(t, "readable", address, screenSize{"phone", 390, 844})
	const unnamed = `[...document.querySelectorAll("button, a[href], input, select, textarea")].filter((e) => e.checkVisibility()).filter((e) => !(e.getAttribute("aria-label") || e.labels?.[0]?.innerText || e.innerText?.trim() || e.title))`
	for _, view := range []string{"phones", "panel"} {
		p.is("in the "+view+" every control has a name", unnamed+`.length === 0`)
		p.is("in the "+view+" there is one heading and one main part", `[...document.querySelectorAll("h1")].filter((e) => e.checkVisibility()).length === 1 && document.querySelectorAll("main").length === 1 && [...document.querySelectorAll("#strip, #phones, #beside")].every((e) => e.closest("main"))`)
		if view == "phones" {
			p.press("#other")
		}
	}
	p.wait("the orders", `document.querySelectorAll("#beside .order .state").length === 3`)
	for _, theme := range []string{"light", "dark"} {
		value[bool](p, fmt.Sprintf(`(document.documentElement.dataset.theme = %q, true)`, theme))
		for _, text := range []string{".order .state", "#beside .soft", "#beside .hint", "#beside .soft-text", ".number span", ".number b", ".kill", "#beside h2", ".sky small"} {
			if c := value[float64](p, contrastOf+`(`+quote(text)+`)`); c < 4.5 {
				t.Errorf("in %s the contrast of %s is %.2f", theme, text, c)
			}
		}
		p.shoot(theme)
	}
}

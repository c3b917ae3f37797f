package sandbox_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"image"
	"image/png"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/chromedp/chromedp"
)

// playing is a bot of the test's own, a person who plays with it on the page, and where the bot's files are.
type playing struct {
	*tab

	s     *aloneProgram
	files string
	after int64
}

// plays has a person play on the page with what the emulator has: polls, invoices, contacts, albums, voices and inline results.
func plays(t *testing.T, b *browser, language string) {
	t.Helper()
	s := runAlone(t)
	files := httptest.NewServer(http.HandlerFunc(serveMedia))
	t.Cleanup(files.Close)
	s.control("/bots", values{"bot": oneToken})
	s.control("/people/501/language", values{"language": language})
	p := &playing{tab: b.visit(t, "plays-"+language, s.page+"/worlds/1/", screenSize{"phone", 390, 844}), s: s, files: files.URL}
	p.pageIn(language)
	p.wait("the phone in "+language, `document.querySelector(".phone.active")?.lang === `+quote(language))
	p.press(".phone.active .start button")
	p.next("message")
	for _, step := range []struct {
		name string
		play func()
	}{{"poll", p.votes}, {"invoice", p.pays}, {"contact", p.shares}, {"contacts", p.sendsContacts}, {"album", p.looks}, {"voice", p.listens}, {"inline", p.inquires}, {"topics", p.topics}} {
		step.play()
		p.shoot(step.name)
		p.fits()
		p.axe()
	}
}

// serveMedia serves a picture and a sound.
func serveMedia(w http.ResponseWriter, r *http.Request) {
	if filepath.Ext(r.URL.Path) == ".png" {
		w.Header().Set("Content-Type", "image/png")
		picture := image.NewGray(image.Rect(0, 0, 40, 30))
		copy(picture.Pix, bytes.Repeat([]byte{90, 180}, 600))
		_ = png.Encode(w, picture)
		return
	}
	w.Header().Set("Content-Type", "audio/ogg")
	// Half a second of silence, 8000 bytes a second.
	_, _ = w.Write(append([]byte("RIFF\xc4\x0f\x00\x00WAVEfmt \x10\x00\x00\x00\x01\x00\x01\x00\x40\x1f\x00\x00\x40\x1f\x00\x00\x01\x00\x08\x00data\xa0\x0f\x00\x00"), bytes.Repeat([]byte{128}, 4000)...))
}

// bot calls a method that has to work.
func (p *playing) bot(method string, call values) values {
	p.t.Helper()
	body, err := json.Marshal(call)
	if err != nil {
		p.t.Fatal(err)
	}
	var said values
	if p.s.ask(http.MethodPost, p.s.telegram+"/bot"+oneToken+"/"+method, string(body), &said); said["ok"] != true {
		p.t.Fatalf("%s %s: %v", method, body, said)
	}
	return said
}

// next waits until the bot gets an update of a kind, and is what that holds.
func (p *playing) next(kind string) values {
	p.t.Helper()
	for range 10 {
		list, _ := p.bot("getUpdates", values{"offset": p.after + 1, "timeout": 10, "limit": 1})["result"].([]any)
		for _, one := range list {
			u, _ := one.(map[string]any)
			id, _ := u["update_id"].(float64)
			p.after = int64(id)
			if what, is := u[kind].(map[string]any); is {
				return what
			}
		}
	}
	p.t.Fatalf("the bot got no %s", kind)
	return nil
}

const yasmine = 501

func (p *playing) votes() {
	p.t.Helper()
	p.bot("sendPoll", values{"chat_id": yasmine, "question": "Which card? أي بطاقة؟", "options": []string{"Gold 5 €", "Silver", "ذهبية"}})
	p.press(".poll .option:nth-of-type(2)")
	if poll := p.next("poll"); poll.at("total_voter_count") != 1.0 {
		p.t.Errorf("voted %v", poll)
	}
	p.wait("the result", `document.querySelector(".poll .result.chosen")?.textContent.includes("Silver")`)
	p.press(".poll .act")
	p.wait("the options again", `document.querySelectorAll(".poll .option").length === 3`)
	p.bot("sendPoll", values{"chat_id": yasmine, "question": "Which of these?", "options": []string{"One", "Two", "Three"}, "allows_multiple_answers": true})
	p.wait("both polls", `document.querySelectorAll(".poll").length === 2`)
	for _, i := range []string{"1", "3"} {
		p.press(".row:last-child .poll .option:nth-of-type(" + i + ")")
	}
	p.press(".row:last-child .poll .act")
	p.wait("both votes", `document.querySelectorAll(".row:last-child .poll .result.chosen").length === 2`)
}

func (p *playing) pays() {
	p.t.Helper()
	p.bot("sendInvoice", values{
		"chat_id": yasmine, "title": "Gift card", "description": "بطاقة هدية\nFor a month", "payload": "p1", "currency": "EUR", "provider_token": "x",
		"prices": []values{{"label": "Card", "amount": 1250}}, "need_shipping_address": true, "is_flexible": true,
	})
	p.wait("each line of the description to begin at its own side", `(() => {
		const text = document.querySelector(".invoice > span")?.firstChild;
		if (!text) return false;
		const box = text.parentElement.getBoundingClientRect();
		const line = (from, to) => { const r = document.createRange(); r.setStart(text, from); r.setEnd(text, to); return r.getBoundingClientRect(); };
		const cut = text.data.indexOf("\n");
		return Math.abs(line(0, cut).right - box.right) < 2 && Math.abs(line(cut + 1, text.data.length).left - box.left) < 2;
	})()`)
	p.tap("Pay")
	asked := p.next("shipping_query")
	p.bot("answerShippingQuery", values{"shipping_query_id": asked["id"], "ok": true, "shipping_options": []values{
		{"id": "post", "title": "By post", "prices": []values{{"label": "Stamp", "amount": 300}}}, {"id": "hand", "title": "تسليم باليد", "prices": []values{{"label": "Hand", "amount": 0}}},
	}})
	p.press(".invoice .option")
	wanted := p.next("pre_checkout_query")
	if wanted.at("total_amount") != 1550.0 {
		p.t.Errorf("the bot is asked %v", wanted)
	}
	p.bot("answerPreCheckoutQuery", values{"pre_checkout_query_id": wanted["id"], "ok": true})
	p.wait("it to be paid", `document.querySelector(".invoice small")?.textContent.startsWith("✓")`)
	p.next("message")
}

func (p *playing) shares() {
	p.t.Helper()
	p.bot("sendMessage", values{"chat_id": yasmine, "text": "Your number?", "reply_markup": values{"keyboard": [][]values{{{"text": "Share", "request_contact": true}, {"text": "Where", "request_location": true}}}}})
	p.press(".phone.active .replykeys .key")
	if m := p.next("message"); m.at("contact", "phone_number") != "+999000000501" {
		p.t.Errorf("the bot got %v", m)
	}
	p.press(".phone.active .replykeys .key:last-child")
	if m := p.next("message"); m.at("location", "latitude") != 36.7538 {
		p.t.Errorf("the bot got %v", m)
	}
	group := p.s.control("/people/501/group", values{"text": "The counter", "members": []int{502}})
	p.bot("sendMessage", values{"chat_id": yasmine, "text": "Which group?", "reply_markup": values{"keyboard": [][]values{
		{{"text": "A quiz", "request_poll": values{"type": "quiz"}}},
		{{"text": "A group", "request_chat": values{"request_id": 3, "chat_is_channel": false}}, {"text": "A page", "web_app": values{"url": "https://shop.example/"}}},
	}}})
	p.wait("the keys alone that do something here", `[...document.querySelectorAll(".phone.active .replykeys .key")].map((k) => k.textContent).join() === "A group"`)
	p.press(".phone.active .replykeys .key")
	p.wait("the group to be chosen", pressing+`([...document.querySelectorAll("#viewer[open] .button")].find((b) => b.textContent === "The counter"))`)
	for shared := p.next("message"); shared.at("chat_shared", "chat_id") != group["id"]; {
		shared = p.next("message") // the first ones tell of the group itself
	}
	p.bot("sendMessage", values{"chat_id": yasmine, "text": "Thanks", "reply_markup": values{"remove_keyboard": true}})
	p.see("Thanks")
}

// sendsContacts sends contacts by hand: the own one, one that is typed, and one of the people that is forwarded.
func (p *playing) sendsContacts() {
	p.t.Helper()
	attach := func(row string) {
		p.t.Helper()
		p.press(".phone.active .composer .round:nth-of-type(2)")
		p.wait("what can be attached", `document.querySelectorAll(".popup.attach button").length === 3`)
		p.fits()
		p.shoot("attach")
		p.press(".popup.attach button:nth-of-type(" + row + ")")
	}
	attach("2")
	if m := p.next("message"); m.at("contact", "user_id") != float64(yasmine) {
		p.t.Errorf("the bot got %v", m)
	}
	attach("3")
	for line, text := range map[string]string{"text": "كريم الحلاق", "tel": "+213555123456"} {
		p.is("a line to fill in", `(() => { const line = document.querySelector("#viewer[open] input[type=`+line+`]"); line.focus(); return document.activeElement === line; })()`)
		p.keys(text)
	}
	p.shoot("telephone-book")
	p.fits()
	p.axe()
	p.press("#viewer[open] .main")
	if m := p.next("message"); m.at("contact", "phone_number") != "+213555123456" || m.at("contact", "first_name") != "كريم الحلاق" || m.at("forward_origin") != nil {
		p.t.Errorf("the bot got %v", m)
	}
	attach("3")
	p.is("somebody to be chosen", `(() => { const whom = document.querySelector("#viewer[open] select"); whom.value = "503"; whom.dispatchEvent(new Event("change")); return true; })()`)
	p.press("#viewer[open] input[type=checkbox]")
	p.press("#viewer[open] .main")
	if m := p.next("message"); m.at("contact", "user_id") != 503.0 || m.at("forward_origin", "sender_user", "id") != 502.0 {
		p.t.Errorf("the bot got %v", m)
	}
	p.wait("all three in the chat", `[...document.querySelectorAll(".row.mine .card-text")].filter((c) => c.textContent.includes("👤")).length >= 4`)
}

func (p *playing) looks() {
	p.t.Helper()
	p.bot("sendMediaGroup", values{"chat_id": yasmine, "media": []values{
		{"type": "photo", "media": p.files + "/a.png"}, {"type": "photo", "media": p.files + "/b.png", "caption": "Three cards"}, {"type": "photo", "media": p.files + "/c.png"},
	}})
	p.wait("the album in one bubble", `[...document.querySelectorAll(".album")].some((a) => a.querySelectorAll(".photo img").length === 3 && a.closest(".bubble").textContent.includes("Three cards"))`)
}

func (p *playing) listens() {
	p.t.Helper()
	p.bot("sendVoice", values{"chat_id": yasmine, "voice": p.files + "/a.ogg", "duration": 1})
	p.wait("half a second to listen to", `document.querySelector("audio.player")?.duration === 0.5`)
	value[bool](p.tab, `(document.querySelector("audio.player").muted = true, document.querySelector("audio.player").play(), true)`)
	p.wait("it to be heard", `document.querySelector("audio.player").ended`)
}

func (p *playing) inquires() {
	p.t.Helper()
	p.wait("the message box", `(() => { const box = document.querySelector(".phone.active textarea"); box?.focus(); return document.activeElement === box; })()`)
	p.keys("@sandbox_123456789_bot gold")
	asked := p.next("inline_query")
	if asked.at("query") != "gold" {
		p.t.Errorf("the bot is asked %v", asked)
	}
	p.bot("answerInlineQuery", values{"inline_query_id": asked["id"], "results": []values{
		{"type": "article", "id": "a", "title": "Gold card", "description": "5 €", "input_message_content": values{"message_text": "A gold card"}},
		{"type": "article", "id": "b", "title": "بطاقة ذهبية", "input_message_content": values{"message_text": "ذهب"}},
	}})
	p.wait("what the bot offers", `document.querySelectorAll(".popup.results button").length === 2`)
	p.shoot("results")
	p.axe()
	p.press(".popup.results button")
	if m := p.next("chosen_inline_result"); m.at("result_id") != "a" {
		p.t.Errorf("the bot is told %v", m)
	}
	p.wait("the message", `[...document.querySelectorAll(".row.mine")].some((r) => r.textContent.includes("A gold card"))`)
}

// topics makes a group a forum by hand, in which the bot makes a topic and people write; one that is closed takes nothing from members.
func (p *playing) topics() {
	p.t.Helper()
	p.press(".phone.active .tab:nth-of-type(2)")
	p.wait("the group", `document.querySelector(".phone.active .tab:nth-of-type(2)").getAttribute("aria-selected") === "true"`)
	more := func(key string) {
		p.t.Helper()
		p.press(".phone.active .bar .round")
		p.wait(key, pressing+`([...document.querySelectorAll(".phone.active .popup.actions button")].find((b) => b.textContent === window.sandbox.phones.get(`+strconv.Itoa(yasmine)+`).word(`+quote(key)+`)))`)
	}
	more("topics_on")
	group := func() int64 {
		return int64(value[float64](p.tab, fmt.Sprintf(`window.sandbox.phones.get(%d).current`, yasmine)))
	}
	p.wait("a forum", fmt.Sprintf(`window.sandbox.phones.get(%d).chat()?.forum`, yasmine))
	p.s.control("/people/501/role", values{"chat": group(), "role": "administrator", "rights": []string{"can_manage_topics"}})
	made := p.bot("createForumTopic", values{"chat_id": group(), "name": "🧾 الطلبات"})
	thread := made.at("result", "message_thread_id")
	p.bot("sendMessage", values{"chat_id": group(), "message_thread_id": thread, "text": "Delivered"})
	p.press(".phone.active .topics .tab:nth-of-type(2)")
	p.see("Delivered")
	p.say("/seen@sandbox_123456789_bot")
	for m := p.next("message"); m.at("text") != "/seen@sandbox_123456789_bot" || m.at("message_thread_id") != thread; {
		m = p.next("message") // the first ones tell of the group
	}
	p.press(".phone.active .composer .round:nth-of-type(2)")
	p.press(".popup.attach button:nth-of-type(2)")
	if m := p.next("message"); m.at("contact", "user_id") != float64(yasmine) || m.at("message_thread_id") != thread {
		p.t.Errorf("the bot got %v", m)
	}
	more("new_topic")
	p.is("a line to fill in", `(() => { const line = document.querySelector("#viewer[open] input"); line.focus(); return document.activeElement === line; })()`)
	p.keys("Returns")
	p.press("#viewer[open] .main")
	p.wait("two topics", `document.querySelectorAll(".phone.active .topics .tab").length === 3`)
	p.press(".phone.active .bar .round")
	p.wait("what can be done", `document.querySelector(".phone.active .popup.actions")`)
	p.shoot("topics-menu")
	p.fits()
	p.axe()
	p.press(".phone.active .bar .round")
	more("topic_close")
	p.wait("a closed topic", `document.querySelector(".phone.active .topics .tab:nth-of-type(2)").textContent.startsWith("🔒")`)
	p.shoot("topic-closed")
	more("topic_delete")
	p.wait("one topic", `document.querySelectorAll(".phone.active .topics .tab").length === 2 && document.querySelector(".phone.active .topics .tab").getAttribute("aria-pressed") === "true"`)
}

// axe looks at what is shown with the rules of axe-core, where bots of other libraries are fetched.
func (p *tab) axe() {
	p.t.Helper()
	if os.Getenv("TGSIM_FOREIGN_BOTS") == "" {
		return
	}
	dir, err := installed(p.t, filepath.Join("testdata", "bots", "node"))
	if err != nil {
		p.t.Logf("axe-core cannot be fetched: %v", err)
		return
	}
	rules, err := os.ReadFile(filepath.Join(dir, "node_modules", "axe-core", "axe.min.js"))
	if err != nil {
		p.t.Fatal(err)
	}
	_, err = chromedp.Run(p.ctx, chromedp.Evaluate[int](`window.axe || (() => { `+string(rules)+` })(); window.found = null; axe.run(document, { resultTypes: ["violations"] }).then((r) => { window.found = r.violations.map((v) => v.id + ": " + v.nodes.map((n) => n.html.slice(0, 160) + " " + n.failureSummary).join(" | ")); }); 1`))
	p.must(err)
	p.wait("axe to have looked", "window.found")
	for _, found := range value[[]string](p, "window.found") {
		p.t.Errorf("%s: axe says %s", p.name, found)
	}
}

package sandbox_test

import (
	"fmt"
	"net/http"
	"testing"

	"github.com/chromedp/chromedp"
)

// playedAlone plays with a bot that is not ours on the page of `bot sandbox`, which leads there by itself.
func playedAlone(t *testing.T, b *browser) {
	t.Helper()
	s := runAlone(t)
	bot := func(method, body string) {
		t.Helper()
		var said struct{ OK bool }
		if s.ask(http.MethodPost, s.telegram+"/bot"+oneToken+"/"+method, body, &said); !said.OK {
			t.Fatalf("%s %s was refused", method, body)
		}
	}
	bot("getMe", "")
	p := b.visit(t, "alone", s.page, screenSize{"phone", 390, 844})
	p.wait("the bot to be listed", `document.querySelector("a")?.textContent === "@sandbox_123456789_bot"`)
	p.shoot("listed")
	p.must(chromedp.Do(p.ctx, chromedp.Navigate(s.page+"/worlds/1/")))
	p.wait("the phones", `document.querySelector(".phone.active .start button")`)
	p.press(".phone.active .start button")
	var wanted struct{ Result []anUpdate }
	s.ask(http.MethodPost, s.telegram+"/bot"+oneToken+"/getUpdates", `{"timeout":20}`, &wanted)
	if len(wanted.Result) != 1 || wanted.Result[0].Message.Text != "/start" {
		t.Fatalf("the bot got %+v", wanted)
	}
	chat := wanted.Result[0].Message.Chat.ID
	bot("sendMessage", fmt.Sprintf(`{"chat_id":%d,"text":"Good day","reply_markup":{"inline_keyboard":[[{"text":"Tap","callback_data":"t"}]]}}`, chat))
	p.see("Good day")
	p.tap("Tap")
	var tapped struct {
		Result []struct {
			Query struct{ ID, Data string } `json:"callback_query"`
		}
	}
	s.ask(http.MethodPost, s.telegram+"/bot"+oneToken+"/getUpdates", fmt.Sprintf(`{"timeout":20,"offset":%d}`, wanted.Result[0].ID+1), &tapped)
	if len(tapped.Result) != 1 || tapped.Result[0].Query.Data != "t" {
		t.Fatalf("the bot got %+v", tapped)
	}
	bot("answerCallbackQuery", `{"callback_query_id":"`+tapped.Result[0].Query.ID+`","text":"Well done"}`)
	p.wait("the answer", `document.querySelector(".phone.active .toast").textContent === "Well done"`)
	p.shoot("answered")
	p.fits()
}

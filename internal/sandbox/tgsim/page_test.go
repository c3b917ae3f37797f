package tgsim

import (
	"bufio"
	"encoding/json"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// view asks for the state and returns it with one of its chats.
func (h *harness) view(chat int64) (v pageView, i int) {
	h.t.Helper()
	_, body := get(h.t, h.Server, "/sim/state")
	if err := json.Unmarshal(body, &v); err != nil {
		h.t.Fatal(err)
	}
	for i, c := range v.Chats {
		if c.ID == chat {
			return v, i
		}
	}
	h.t.Fatalf("the page does not show chat %d", chat)
	return v, 0
}

// The page shows who is there, what they are in a group, and which taps wait.
func TestPageShowsPeople(t *testing.T) {
	play(t, Options{}, func(h *harness) {
		h.People.Send(sam, sam, "/buy")
		h.People.Tap(sam, sam, 1, "x")
		h.Directory.SetLanguage(sam, "ar")
		group := h.Directory.NewGroup(sam, "Shop", lea)
		h.Directory.SetRole(sam, group, bot, Administrator)
		v, i := h.view(sam)
		if c := v.Chats[i]; v.Bot != "shop_bot" || c.Title != "Sam" || len(c.Messages) != 2 || len(c.Waiting) != 1 || v.People[0].Language != "ar" {
			t.Errorf("shown %+v", c)
		}
		v, i = h.view(h.Directory.Migrate(sam, group))
		c := v.Chats[i]
		roles := map[string]Role{}
		for _, m := range c.Members {
			roles[m.Name] = m.Role
		}
		if c.Kind != "supergroup" || roles["Sam"] != Creator || roles["Léa"] != Ordinary || roles["@shop_bot"] != Administrator {
			t.Errorf("shown %+v", c)
		}
	})
}

// People change and remove what they wrote, and reply; nobody does so to what is not his, or not there.
func TestSecondThoughts(t *testing.T) {
	play(t, Options{}, func(h *harness) {
		first := h.People.Send(sam, sam, "a")
		second := h.People.Reply(sam, sam, first, "b")
		if !h.People.Edit(sam, sam, first, "c") || h.People.Edit(lea, sam, first, "d") || !h.People.Remove(sam, second) || h.People.Remove(sam, second) {
			t.Error("second thoughts had another effect than they say")
		}
		if got := kinds(h.drain()); got != "message,message,edited_message" {
			t.Errorf("the bot got %s", got)
		}
		v, i := h.view(sam)
		if m := v.Chats[i].Messages[1:]; m[0].Text != "c" || !m[0].Edited || !m[1].Deleted {
			t.Errorf("shown %+v", m)
		}
	})
}

// The page shows what the bot has not fetched yet, that it is busy, and the keyboard that it gave.
func TestPageShowsTheBot(t *testing.T) {
	play(t, Options{}, func(h *harness) {
		last := func() (pageChat, pageMessage) {
			v, i := h.view(sam)
			c := v.Chats[i]
			return c, c.Messages[len(c.Messages)-1]
		}
		h.People.Send(sam, sam, "are you there?")
		if _, m := last(); !m.Unseen {
			t.Error("a message counts as fetched that is not")
		}
		h.drain()
		if _, m := last(); m.Unseen {
			t.Error("a message counts as not fetched that is")
		}
		h.call("sendChatAction", object{"chat_id": sam, "action": "typing"})
		if c, _ := last(); c.Typing <= time.Now().UnixMilli() {
			t.Error("the bot is not seen to type")
		}
		h.post("sendMessage", object{"chat_id": sam, "text": "a", "reply_markup": `{"keyboard":[["A",{"text":"B","request_contact":true}]],"one_time_keyboard":true,"input_field_placeholder":"C"}`})
		c, m := last()
		k := c.Keyboard
		if c.Typing != 0 || k == nil || k.Message != m.ID || !k.OneTime || k.Placeholder != "C" || len(k.Rows) != 1 || k.Rows[0][0] != (ReplyButton{Text: "A"}) || k.Rows[0][1] != (ReplyButton{Text: "B", Asks: "request_contact"}) {
			t.Errorf("shown %+v", c)
		}
		h.post("sendMessage", object{"chat_id": sam, "text": "a", "reply_markup": button("a", "b")})
		if h.Directory.ReplyKeyboard(sam) == nil {
			t.Error("an inline keyboard took the other one away")
		}
		h.post("sendMessage", object{"chat_id": sam, "text": "a", "reply_markup": `{"force_reply":true}`})
		if k := h.Directory.ReplyKeyboard(sam); k == nil || !k.Force {
			t.Errorf("the bot asks for a reply, and the keyboard is %+v", k)
		}
		h.post("sendMessage", object{"chat_id": sam, "text": "a", "reply_markup": `{"remove_keyboard":true}`})
		if k := h.Directory.ReplyKeyboard(sam); k != nil {
			t.Errorf("the keyboard is still %+v", k)
		}
	})
}

// The page is told how polls and payments stand, what the bot offers for inline queries, and what can be played.
func TestPagePlays(t *testing.T) {
	play(t, Options{Inline: true}, func(h *harness) {
		last := func() pageMessage {
			v, i := h.view(sam)
			all := v.Chats[i].Messages
			return all[len(all)-1]
		}
		poll := h.post("sendPoll", object{"chat_id": sam, "question": "Ready?", "options": `["Yes","No"]`}).ID
		h.People.Vote(sam, sam, poll, 1)
		if m := last(); len(m.Votes[sam]) != 1 || !strings.Contains(string(m.Content), `"voter_count":1`) {
			t.Errorf("shown %s %v", m.Content, m.Votes)
		}
		bill := h.post("sendInvoice", object{"chat_id": sam, "title": "Cards", "description": "On paper", "payload": "a", "prices": `[{"label":"cards","amount":500}]`}.with(flexible())).ID
		pay := h.People.Pay(sam, sam, bill)
		h.call("answerShippingQuery", object{"shipping_query_id": pay, "ok": true, "shipping_options": `[{"id":"post","title":"By post","prices":[{"label":"stamp","amount":30}]}]`})
		if m := last(); len(m.Payments) != 1 || len(m.Payments[0].Offers) != 1 || m.Payments[0].Answered {
			t.Errorf("shown %+v", m.Payments)
		}
		h.People.Ship(pay, "post")
		if m := last(); len(m.Payments[0].Offers) != 0 {
			t.Errorf("shown %+v", m.Payments)
		}
		old, query := h.People.InlineQuery(sam, "a", ""), h.People.InlineQuery(sam, "b", "")
		if v, _ := h.view(sam); len(v.Offers) != 1 || v.Offers[0].Query != query || v.Offers[0].Query == old || v.Offers[0].Results != nil {
			t.Errorf("shown %+v", v.Offers)
		}
		h.call("answerInlineQuery", object{"inline_query_id": query, "results": `[{"type":"article","id":"1","title":"Card","input_message_content":{"message_text":"A card"}}]`})
		if v, _ := h.view(sam); len(v.Offers[0].Results) != 1 || v.Offers[0].Results[0].Title != "Card" {
			t.Errorf("shown %+v", v.Offers)
		}
	})
	for body, want := range map[string]string{"RIFF\x00\x00\x00\x00WAVEfmt": "audio", "OggS\x00": "audio", "\x00\x00\x00\x18ftypmp42\x00\x00\x00\x00mp42isom": "video", "<html>": "", "": ""} {
		if got := plays([]byte(body)); got != want {
			t.Errorf("%q is played as %q", body, got)
		}
	}
}

// Service messages are told by what they are, so that the page says them in its own words.
func TestPageEventsOfGroups(t *testing.T) {
	play(t, Options{}, func(h *harness) {
		id := h.Directory.NewGroup(sam, "Shop", lea)
		h.Directory.SetRole(sam, id, lea, Left)
		h.Directory.SetRole(sam, id, lea, Ordinary)
		h.Directory.SetRole(lea, id, lea, Left)
		h.Directory.Migrate(sam, id)
		v, i := h.view(id)
		var got []string
		for _, m := range v.Chats[i].Messages {
			got = append(got, m.Event.Kind+" "+m.Event.By+"/"+m.Event.Whom)
		}
		if want := []string{"created Sam/", "removed Sam/Léa", "added Sam/Léa", "left Léa/Léa", "migrated Sam/"}; !slices.Equal(got, want) {
			t.Errorf("told %q", got)
		}
	})
}

// The page is told what there is to see, and of what was deleted only that it was.
func TestPageShows(t *testing.T) {
	play(t, Options{}, func(h *harness) {
		h.People.SendPhoto(sam, sam, picture(4, 3), "proof")
		h.People.SendDocument(sam, sam, "<b>.txt", []byte("<script>"), "")
		secret := h.People.Send(sam, sam, "KEY-SECRET")
		h.call("deleteMessage", object{"chat_id": sam, "message_id": secret})
		id := h.post("sendMessage", object{"chat_id": sam, "text": "old", "reply_markup": button("a", "b"), "reply_parameters": object{"message_id": secret - 1}}).ID
		h.post("editMessageText", object{"chat_id": sam, "message_id": id, "text": "new"})
		query := h.People.Tap(sam, sam, id, "b")
		h.call("answerCallbackQuery", object{"callback_query_id": query, "text": "done"})
		h.Directory.Deactivate(lea)
		v, i := h.view(sam)
		m := v.Chats[i].Messages[1:]
		if m[0].Photo == nil || m[0].Photo.Width != 4 || m[1].File == nil || !m[3].Edited || m[3].Text != "new" || m[3].ReplyTo != secret-1 {
			t.Errorf("shown %+v", m)
		}
		if !m[2].Deleted || m[2].Text != "" || strings.Contains(string(marshal(h.chatPage.snapshot())), "SECRET") {
			t.Errorf("of the deleted message %+v", m[2])
		}
		if toasts := v.Chats[i].Toasts; len(toasts) != 1 || toasts[0].Text != "done" || toasts[0].User != sam {
			t.Errorf("toasts %+v", toasts)
		}
		if v, i := h.view(lea); !v.Chats[i].Gone || v.Chats[i].Title != "Deleted account" {
			t.Errorf("shown %+v", v.Chats[i])
		}
		for path, want := range map[string][2]string{
			m[0].Photo.ID: {"image/png", ""},
			m[1].File.ID:  {"text/plain; charset=utf-8", `attachment; filename="<b>.txt"`},
		} {
			w := httptest.NewRecorder()
			h.ServeHTTP(w, httptest.NewRequestWithContext(h.t.Context(), http.MethodGet, "/sim/file/"+path, nil))
			if got := [2]string{w.Header().Get("Content-Type"), w.Header().Get("Content-Disposition")}; got != want {
				t.Errorf("%s: %v", path, got)
			}
		}
		if code, _ := get(h.t, h.Server, "/sim/file/other"); code != http.StatusNotFound {
			t.Errorf("HTTP %d", code)
		}
	})
}

// The page hears of every change while it is open.
func TestPageEvents(t *testing.T) {
	play(t, Options{}, func(h *harness) {
		tr := &http.Transport{DialContext: h.net.dial}
		defer tr.CloseIdleConnections()
		req, err := http.NewRequestWithContext(h.t.Context(), http.MethodGet, "http://telegram.test/sim/events", nil)
		if err != nil {
			t.Fatal(err)
		}
		resp, err := (&http.Client{Transport: tr}).Do(req)
		if err != nil {
			t.Fatal(err)
		}
		defer resp.Body.Close()
		lines := bufio.NewScanner(resp.Body)
		for _, text := range []string{"/start", "hello", "how are you"} {
			for !strings.Contains(lines.Text(), text) {
				if !lines.Scan() {
					t.Fatalf("the stream ended: %v", lines.Err())
				}
			}
			if lines.Err() != nil || resp.Header.Get("Content-Type") != "text/event-stream" {
				t.Fatalf("%v, %s", lines.Err(), resp.Header)
			}
			synctest.Wait()
			h.People.Send(sam, sam, map[string]string{"/start": "hello", "hello": "how are you"}[text])
		}
	})
}

// Other pages have no business here, and what is served runs nothing from elsewhere.
func TestPageIsClosed(t *testing.T) {
	s := New(Options{Token: token, BotName: "shop_bot"})
	w := httptest.NewRecorder()
	s.ServeHTTP(w, httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/", nil))
	if got := w.Header().Get("Content-Security-Policy"); !strings.HasPrefix(got, "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self';") || strings.Contains(got, "unsafe") {
		t.Errorf("the policy is %q", got)
	}
	if w.Code != http.StatusOK || !strings.Contains(w.Body.String(), "app.js") {
		t.Errorf("HTTP %d %s", w.Code, w.Body)
	}
	outside := regexp.MustCompile(`(?i)(src|href)="?https?:|@import|url\(|innerHTML|insertAdjacentHTML|\beval\(`)
	fs.WalkDir(pageFiles, ".", func(path string, d fs.DirEntry, _ error) error {
		if d.IsDir() {
			return nil
		}
		text, err := fs.ReadFile(pageFiles, path)
		if err != nil || outside.Match(text) {
			t.Errorf("%s: %v, %s", path, err, outside.Find(text))
		}
		return nil
	})
}

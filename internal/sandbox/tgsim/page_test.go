package tgsim

import (
	"bufio"
	"bytes"
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

// act does something on the page.
func (h *harness) act(what string, q object) int {
	h.t.Helper()
	w := httptest.NewRecorder()
	h.ServeHTTP(w, httptest.NewRequestWithContext(h.t.Context(), http.MethodPost, "/sim/"+what, bytes.NewReader(marshal(q))))
	return w.Code
}

func TestPageActions(t *testing.T) {
	play(t, Options{}, func(h *harness) {
		h.act("send", object{"chat": sam, "user": sam, "text": "/buy"})
		h.act("send", object{"chat": sam, "user": sam, "text": "  "})
		h.act("tap", object{"chat": sam, "user": sam, "message": 1, "data": "x"})
		h.act("language", object{"user": sam, "language": "ar"})
		h.act("block", object{"user": sam})
		h.act("unblock", object{"user": sam})
		h.act("group", object{"user": sam, "text": "Shop", "members": []int64{lea}})
		g := h.groups
		group := -4_000_000_000 - g
		h.act("role", object{"user": sam, "chat": group, "member": bot, "role": "administrator"})
		h.act("role", object{"user": sam, "chat": group, "member": lea, "role": "emperor"})
		h.act("migrate", object{"user": sam, "chat": group})
		want := "message,callback_query,my_chat_member,my_chat_member,my_chat_member,message,my_chat_member,message,message"
		if got := kinds(h.drain()); got != want {
			t.Errorf("the bot got %s", got)
		}
		v, i := h.view(sam)
		if c := v.Chats[i]; v.Bot != "shop_bot" || c.Title != "Sam" || len(c.Messages) != 2 || len(c.Waiting) != 1 || v.People[0].Language != "ar" {
			t.Errorf("shown %+v", c)
		}
		v, i = h.view(supergroups + group)
		c := v.Chats[i]
		roles := map[string]Role{}
		for _, m := range c.Members {
			roles[m.Name] = m.Role
		}
		if c.Kind != "supergroup" || roles["Sam"] != Creator || roles["Léa"] != Ordinary || roles["@shop_bot"] != Administrator {
			t.Errorf("shown %+v", c)
		}
		if code := h.act("send", nil); code != http.StatusNoContent {
			t.Errorf("HTTP %d", code)
		}
	})
}

// People change and remove what they wrote, and reply.
func TestPageSecondThoughts(t *testing.T) {
	play(t, Options{}, func(h *harness) {
		first := h.People.Send(sam, sam, "a")
		h.act("send", object{"chat": sam, "user": sam, "text": "b", "reply_to": first})
		h.act("edit", object{"chat": sam, "user": sam, "message": first, "text": "c"})
		h.act("edit", object{"chat": sam, "user": sam, "message": first, "text": " "})
		h.act("remove", object{"chat": sam, "user": sam, "message": first + 1})
		if got := kinds(h.drain()); got != "message,message,edited_message" {
			t.Errorf("the bot got %s", got)
		}
		v, i := h.view(sam)
		if m := v.Chats[i].Messages[1:]; m[0].Text != "c" || !m[0].Edited || !m[1].Deleted {
			t.Errorf("shown %+v", m)
		}
	})
}

// A picture that is attached arrives as a photo, anything else as a document.
func TestPageAttach(t *testing.T) {
	play(t, Options{}, func(h *harness) {
		attach := func(query string, body []byte) int {
			w := httptest.NewRecorder()
			h.ServeHTTP(w, httptest.NewRequestWithContext(h.t.Context(), http.MethodPost, "/sim/attach?chat=501&user=501&"+query, bytes.NewReader(body)))
			return w.Code
		}
		for query, body := range map[string][]byte{"name=a.png": picture(4, 3), "name=list.txt&caption=mine": []byte("one")} {
			if code := attach(query, body); code != http.StatusNoContent {
				t.Errorf("%s: HTTP %d", query, code)
			}
		}
		if attach("name=a.txt", nil) != http.StatusBadRequest || attach("", []byte("x")) != http.StatusBadRequest {
			t.Error("what is no file was taken")
		}
		if code := attach("name=big", make([]byte, maxAttachment+1)); code != http.StatusRequestEntityTooLarge {
			t.Errorf("HTTP %d", code)
		}
		var photos, documents int
		for _, m := range h.Messages(sam) {
			if m.Photo != nil {
				photos++
			}
			if m.Document != nil && m.Document.Name == "list.txt" && m.Text == "mine" {
				documents++
			}
		}
		if photos != 1 || documents != 1 {
			t.Errorf("%d photos, %d documents", photos, documents)
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

// What the page has no drawing for, it says in words.
func TestPageCards(t *testing.T) {
	for want, content := range map[string]map[string]any{
		"":                      nil,
		"👤 Sam Hill\n+213":      {"contact": object{"phone_number": "+213", "first_name": "Sam", "last_name": "Hill"}},
		"📍 Shop\nRue 1":         {"venue": object{"title": "Shop", "address": "Rue 1"}, "location": object{"latitude": 1.0, "longitude": 2.0}},
		"📍 36.75000, 3.05000":   {"location": object{"latitude": 36.75, "longitude": 3.05}},
		"🎲 4":                   {"dice": object{"emoji": "🎲", "value": 4}},
		"📊 Ready?\n○ Yes · 2":   {"poll": object{"question": "Ready?", "options": []object{{"text": "Yes", "voter_count": 2}}}},
		"🧾 Card\nA card\n5 XTR": {"invoice": object{"title": "Card", "description": "A card", "currency": "XTR", "total_amount": 5}},
		"…":                     {"unheard_of": object{}},
	} {
		if got := card(content); got != want {
			t.Errorf("got %q, want %q", got, want)
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
	s.Directory.AddUser(User{ID: sam, FirstName: "Sam"})
	req := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/sim/send", strings.NewReader(`{"chat":501,"user":501,"text":"a"}`))
	req.Header.Set("Sec-Fetch-Site", "cross-site")
	w := httptest.NewRecorder()
	s.ServeHTTP(w, req)
	if w.Code != http.StatusForbidden || len(s.Messages(sam)) != 0 {
		t.Errorf("HTTP %d", w.Code)
	}
	w = httptest.NewRecorder()
	s.ServeHTTP(w, httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/sim/send", strings.NewReader("nonsense")))
	if w.Code != http.StatusBadRequest {
		t.Errorf("HTTP %d", w.Code)
	}
	w = httptest.NewRecorder()
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

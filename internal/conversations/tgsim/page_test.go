package tgsim

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"
	"testing/synctest"
)

// view is what the page is told, as far as tests look at it.
type view struct {
	Bot   string
	Chats []struct {
		ID       int64
		Kind     string
		Title    string
		Blocked  bool
		Gone     bool
		Waiting  []int
		Toasts   []pageToast
		Messages []pageMessage
		Members  []pageMember
	}
}

// view asks for the state and returns it with one of its chats.
func (h *house) view(chat int64) (v view, i int) {
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
func (h *house) act(what string, q object) int {
	h.t.Helper()
	w := httptest.NewRecorder()
	h.ServeHTTP(w, httptest.NewRequestWithContext(h.t.Context(), http.MethodPost, "/sim/"+what, bytes.NewReader(marshal(q))))
	return w.Code
}

func TestPageActions(t *testing.T) {
	play(t, Options{}, func(h *house) {
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
		if c := v.Chats[i]; v.Bot != "shop_bot" || c.Title != "Sam" || len(c.Messages) != 2 || len(c.Waiting) != 1 || c.Members[0].Language != "ar" {
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

// The page is told what there is to see, and of what was deleted only that it was.
func TestPageShows(t *testing.T) {
	play(t, Options{}, func(h *house) {
		h.SendPhoto(sam, sam, picture(4, 3), "proof")
		h.SendDocument(sam, sam, "<b>.txt", []byte("<script>"), "")
		secret := h.Send(sam, sam, "KEY-SECRET")
		h.call("deleteMessage", object{"chat_id": sam, "message_id": secret})
		id := h.post("sendMessage", object{"chat_id": sam, "text": "old", "reply_markup": button("a", "b"), "reply_parameters": object{"message_id": secret - 1}}).ID
		h.post("editMessageText", object{"chat_id": sam, "message_id": id, "text": "new"})
		query := h.Tap(sam, sam, id, "b")
		h.call("answerCallbackQuery", object{"callback_query_id": query, "text": "done"})
		h.Deactivate(lea)
		v, i := h.view(sam)
		m := v.Chats[i].Messages[1:]
		if m[0].Photo == nil || m[0].Photo.Width != 4 || m[1].File == nil || !m[3].Edited || m[3].Text != "new" || m[3].ReplyTo != secret-1 {
			t.Errorf("shown %+v", m)
		}
		if !m[2].Deleted || m[2].Text != "" || strings.Contains(string(marshal(h.snapshot())), "SECRET") {
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
	play(t, Options{}, func(h *house) {
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
			h.Send(sam, sam, map[string]string{"/start": "hello", "hello": "how are you"}[text])
		}
	})
}

// Other pages have no business here, and what is served runs nothing from elsewhere.
func TestPageIsClosed(t *testing.T) {
	s := New(Options{Token: token, BotName: "shop_bot"})
	s.AddUser(User{ID: sam, FirstName: "Sam"})
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
	if got := w.Header().Get("Content-Security-Policy"); !strings.HasPrefix(got, "default-src 'none'; script-src 'self'") {
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

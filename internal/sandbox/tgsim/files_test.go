package tgsim

import (
	"bytes"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
)

// What people send can be downloaded, and only with the bot's token.
func TestGetFile(t *testing.T) {
	play(t, Options{}, func(h *harness) {
		pic := picture(3, 3)
		h.People.SendDocument(sam, sam, "list.txt", []byte("codes"), "see")
		h.People.SendPhoto(sam, sam, pic, "")
		got := h.drain()
		if got[0].at("document", "file_name") != "list.txt" || got[0].at("caption") != "see" {
			t.Fatalf("got %v", got[0])
		}
		sizes, _ := got[1].at("photo").([]any)
		photo, _ := sizes[0].(map[string]any)
		for id, want := range map[any][]byte{got[0].at("document", "file_id"): []byte("codes"), photo["file_id"]: pic} {
			var f struct {
				Path   string `json:"file_path"`
				Size   int    `json:"file_size"`
				Unique string `json:"file_unique_id"`
			}
			h.call("getFile", object{"file_id": id}).into(t, &f)
			if f.Size != len(want) || f.Unique == id {
				t.Errorf("got %+v", f)
			}
			if code, body := get(h.t, h.Server, "/file/bot"+token+"/"+f.Path); code != http.StatusOK || !bytes.Equal(body, want) {
				t.Errorf("%s: HTTP %d, %d bytes", f.Path, code, len(body))
			}
			for _, path := range []string{"/file/bot1:wrong/" + f.Path, "/file/bot" + token + "/documents/other", "/file/bot" + token} {
				if code, _ := get(h.t, h.Server, path); code != http.StatusNotFound {
					t.Errorf("%s: HTTP %d", path, code)
				}
			}
		}
		h.refused(h.call("getFile", nil), 400, "Bad Request: file_id not specified")
		h.refused(h.call("getFile", object{"file_id": "x"}), 400, "Bad Request: invalid file_id")
		h.People.SendDocument(sam, sam, "film.bin", make([]byte, maxDownload+1), "")
		h.refused(h.call("getFile", object{"file_id": h.last(sam).Document.ID}), 400, "Bad Request: file is too big")
	})
}

// get asks the server for a path.
func get(t *testing.T, s *Server, path string) (code int, body []byte) {
	t.Helper()
	w := httptest.NewRecorder()
	s.ServeHTTP(w, httptest.NewRequestWithContext(t.Context(), http.MethodGet, path, nil))
	return w.Code, w.Body.Bytes()
}

// A file by its address is fetched from this machine, whose server may ask the Bot API meanwhile, and is what its server says.
func TestFilesFromTheWeb(t *testing.T) {
	s := New(Options{Token: token, BotName: "shop_bot"})
	s.Directory.AddUser(User{ID: sam, FirstName: "Sam"})
	s.People.Send(sam, sam, "hello")
	web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.ServeHTTP(httptest.NewRecorder(), httptest.NewRequestWithContext(r.Context(), http.MethodGet, "/bot"+token+"/getMe", nil))
		kind, body := "image/png", picture(3, 3)
		switch r.URL.Path {
		case "/list.pdf":
			kind, body = "application/pdf", []byte("%PDF")
		case "/page", "/list.txt":
			kind, body = "text/html; charset=utf-8", []byte("<html>")
		case "/none":
			w.WriteHeader(http.StatusNotFound)
		case "/huge.png":
			body = make([]byte, maxFetchPhoto+1)
		}
		w.Header().Set("Content-Type", kind)
		_, _ = w.Write(body)
	}))
	defer web.Close()
	for query, want := range map[string]string{
		"sendPhoto?photo=" + web.URL + "/a.png": "", "sendDocument?document=" + web.URL + "/list.pdf": "", "sendVideo?video=" + web.URL + "/a.mp4": "",
		`sendMediaGroup?media=[{"type":"photo","media":"` + web.URL + `/b.png"},{"type":"photo","media":"` + web.URL + `/c.png"}]`: "",
		"sendPhoto?photo=" + web.URL + "/page": "wrong type of the web page content", "sendDocument?document=" + web.URL + "/a.png": "wrong type of the web page content",
		`sendMediaGroup?media=[{"type":"photo","media":"` + web.URL + `/page"}]`: "wrong type of the web page content",
		"sendPhoto?photo=" + web.URL + "/none":                                   "failed to get HTTP URL content", "sendPhoto?photo=" + web.URL + "/huge.png": "failed to get HTTP URL content",
		"sendPhoto?photo=http://192.0.2.1/a.png": "failed to get HTTP URL content", "sendPhoto?photo=http://%%/a.png": "failed to get HTTP URL content",
	} {
		method, form, _ := strings.Cut(query, "?")
		name, value, _ := strings.Cut(form, "=")
		w := httptest.NewRecorder()
		s.ServeHTTP(w, ask(t.Context(), method, "application/json", strings.NewReader(string(marshal(object{"chat_id": sam, name: value})))))
		if want == "" && w.Code != http.StatusOK || want != "" && !strings.Contains(w.Body.String(), want) {
			t.Errorf("%s: HTTP %d %s", query, w.Code, w.Body)
		}
	}
	var names []string
	for _, m := range s.Messages(sam) {
		if m.Document != nil {
			names = append(names, m.Document.Name)
		}
	}
	slices.Sort(names)
	if got := strings.Join(names, " "); got != "a.mp4 list.pdf" {
		t.Errorf("sent %s", got)
	}
}

package tgsim

import (
	"bytes"
	"net/http"
	"net/http/httptest"
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

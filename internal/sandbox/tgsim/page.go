package tgsim

import (
	"bytes"
	"embed"
	"encoding/json"
	"fmt"
	"io/fs"
	"mime"
	"net/http"
	"slices"
	"strings"
	"time"
)

//go:embed page
var pageFiles embed.FS

// policy lets the page load nothing but itself, and run nothing that a message could bring along.
const policy = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'"

// maxAttachment is the biggest file that a person sends from the page.
const maxAttachment = 10 << 20

// newPage serves the chat page and what it asks for.
func (s chatPage) newPage() http.Handler {
	files, err := fs.Sub(pageFiles, "page")
	if err != nil {
		panic(fmt.Sprintf("tgsim: the page is not embedded: %v", err)) // a build without it cannot be
	}
	mux := http.NewServeMux()
	mux.Handle("GET /", http.FileServerFS(files))
	mux.HandleFunc("GET /sim/state", s.pageState)
	mux.HandleFunc("GET /sim/events", s.pageEvents)
	mux.HandleFunc("GET /sim/file/{id}", s.pageFile)
	mux.HandleFunc("POST /sim/attach", s.pageAttach)
	for name, do := range s.pageActions() {
		mux.HandleFunc("POST /sim/"+name, func(w http.ResponseWriter, r *http.Request) {
			var q pageRequest
			if err := json.NewDecoder(http.MaxBytesReader(w, r.Body, 64<<10)).Decode(&q); err != nil {
				http.Error(w, "not a request of this page", http.StatusBadRequest)
				return
			}
			do(q)
			w.WriteHeader(http.StatusNoContent)
		})
	}
	return Sheltered(mux)
}

// Sheltered serves what belongs to the page: it refuses posts from other sites, and tells the browser to
// load and run nothing else.
func Sheltered(h http.Handler) http.Handler {
	return http.NewCrossOriginProtection().Handler(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Security-Policy", policy)
		w.Header().Set("X-Content-Type-Options", "nosniff")
		w.Header().Set("Referrer-Policy", "no-referrer")
		w.Header().Set("Cross-Origin-Opener-Policy", "same-origin")
		w.Header().Set("Cross-Origin-Resource-Policy", "same-origin")
		h.ServeHTTP(w, r)
	}))
}

// pageRequest is what the page asks for: which of these it takes depends on the action.
type pageRequest struct {
	Chat     int64   `json:"chat"`
	User     int64   `json:"user"` // who is at the keyboard
	Text     string  `json:"text"`
	Message  int     `json:"message"`
	ReplyTo  int     `json:"reply_to"`
	Data     string  `json:"data"`
	Language string  `json:"language"`
	Member   int64   `json:"member"`
	Role     Role    `json:"role"`
	Members  []int64 `json:"members"`
}

// pageActions are what people can do on the page.
func (s chatPage) pageActions() map[string]func(pageRequest) {
	return map[string]func(pageRequest){
		"send": func(q pageRequest) {
			if strings.TrimSpace(q.Text) != "" {
				s.People.Reply(q.User, q.Chat, q.ReplyTo, q.Text)
			}
		},
		"edit": func(q pageRequest) {
			if strings.TrimSpace(q.Text) != "" {
				s.People.Edit(q.User, q.Chat, q.Message, q.Text)
			}
		},
		"remove":   func(q pageRequest) { s.People.Remove(q.Chat, q.Message) },
		"tap":      func(q pageRequest) { s.People.Tap(q.User, q.Chat, q.Message, q.Data) },
		"language": func(q pageRequest) { s.Directory.SetLanguage(q.User, q.Language) },
		"block":    func(q pageRequest) { s.Directory.Block(q.User) },
		"unblock":  func(q pageRequest) { s.Directory.Unblock(q.User) },
		"migrate":  func(q pageRequest) { s.Directory.Migrate(q.User, q.Chat) },
		"group": func(q pageRequest) {
			if title := strings.TrimSpace(q.Text); title != "" {
				s.Directory.NewGroup(q.User, title, q.Members...)
			}
		},
		"role": func(q pageRequest) {
			if slices.Contains([]Role{Administrator, Ordinary, Restricted, Left, Kicked}, q.Role) {
				s.Directory.SetRole(q.User, q.Chat, q.Member, q.Role)
			}
		},
	}
}

// pageAttach sends a person's file: a picture as a photo, anything else as a document.
func (s chatPage) pageAttach(w http.ResponseWriter, r *http.Request) {
	var body bytes.Buffer
	if _, err := body.ReadFrom(http.MaxBytesReader(w, r.Body, maxAttachment)); err != nil {
		http.Error(w, "the file is too big", http.StatusRequestEntityTooLarge)
		return
	}
	q := params{values: r.URL.Query()}
	user, chat, name, caption := q.int("user"), q.int("chat"), q.text("name"), q.text("caption")
	if body.Len() == 0 || name == "" {
		http.Error(w, "there is no file", http.StatusBadRequest)
		return
	}
	if s.People.SendPhoto(user, chat, body.Bytes(), caption) == 0 {
		s.People.SendDocument(user, chat, name, body.Bytes(), caption)
	}
	w.WriteHeader(http.StatusNoContent)
}

func (s chatPage) pageState(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-store")
	_, _ = w.Write(marshal(s.snapshot()))
}

// pageEvents sends at every change, as server-sent events, what is new since the last: the chats that have
// changed, all of them at first.
func (s chatPage) pageEvents(w http.ResponseWriter, r *http.Request) {
	sent := map[int64]string{}
	Stream(w, r, func() (any, <-chan struct{}) {
		changed := s.Changed()
		view := s.snapshot()
		view.Chats = slices.DeleteFunc(view.Chats, func(c pageChat) bool {
			text := string(marshal(c))
			same := sent[c.ID] == text
			sent[c.ID] = text
			return same
		})
		return view, changed
	})
}

// Stream sends values as server-sent events of JSON, until the browser has gone: what next returns, and the
// same again each time that its channel is closed.
func Stream(w http.ResponseWriter, r *http.Request, next func() (value any, changed <-chan struct{})) {
	control := http.NewResponseController(w)
	w.Header().Set("Content-Type", "text/event-stream")
	w.Header().Set("Cache-Control", "no-store")
	// The stream outlives the server's limits for one answer.
	if err := control.SetWriteDeadline(time.Time{}); err != nil {
		http.Error(w, "no streaming", http.StatusNotImplemented)
		return
	}
	for {
		value, changed := next()
		if _, err := fmt.Fprintf(w, "data: %s\n\n", marshal(value)); err != nil || control.Flush() != nil {
			return
		}
		select {
		case <-changed:
		case <-r.Context().Done():
			return
		}
	}
}

// pageFile serves a photo to be shown, and any other file as text or to be saved: what a bot sends is never
// run here.
func (s chatPage) pageFile(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	f := s.files[r.PathValue("id")]
	s.mu.Unlock()
	switch {
	case f == nil:
		http.NotFound(w, r)
		return
	case f.photo != nil:
		w.Header().Set("Content-Type", http.DetectContentType(f.body))
		w.Header().Set("Cache-Control", "max-age=3600")
	default:
		w.Header().Set("Content-Type", "text/plain; charset=utf-8")
		w.Header().Set("Content-Disposition", mime.FormatMediaType("attachment", map[string]string{"filename": f.doc.Name}))
	}
	_, _ = w.Write(f.body)
}

package tgsim

import (
	"bytes"
	"embed"
	"fmt"
	"io/fs"
	"mime"
	"net/http"
	"slices"
	"time"
)

//go:embed page
var pageFiles embed.FS

// policy lets the page load nothing but itself, and run nothing that a message could bring along.
const policy = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; media-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'"

// newPage serves the chat page and what it shows. What people do there it asks of the control interface, which knows this bot by
// Options.Number.
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
		// Before the snapshot, as in WaitFor.
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
	case plays(f.body) != "":
		w.Header().Set("Content-Type", http.DetectContentType(f.body))
		http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(f.body)) // in parts, for who winds it on
		return
	// As plain text and as a download: a browser must not run what a bot has sent as HTML or a script.
	default:
		w.Header().Set("Content-Type", "text/plain; charset=utf-8")
		w.Header().Set("Content-Disposition", mime.FormatMediaType("attachment", map[string]string{"filename": f.doc.Name}))
	}
	_, _ = w.Write(f.body)
}

package tgsim

import (
	"embed"
	"encoding/json"
	"fmt"
	"io/fs"
	"net/http"
	"slices"
	"strconv"
	"time"
)

//go:embed page
var pageFiles embed.FS

// policy lets the page load nothing but itself, and run nothing that a message could bring along.
const policy = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

// newPage serves the chat page and what it asks for.
func (s *Server) newPage() http.Handler {
	files, err := fs.Sub(pageFiles, "page")
	if err != nil {
		panic(fmt.Sprintf("tgsim: the page is not embedded: %v", err)) // a build without it cannot be
	}
	mux := http.NewServeMux()
	mux.Handle("GET /", http.FileServerFS(files))
	mux.HandleFunc("GET /sim/state", s.pageState)
	mux.HandleFunc("GET /sim/events", s.pageEvents)
	mux.HandleFunc("GET /sim/file/{id}", s.pageFile)
	mux.HandleFunc("POST /sim/send", s.pageSend)
	mux.HandleFunc("POST /sim/tap", s.pageTap)
	mux.HandleFunc("POST /sim/language", s.pageLanguage)
	guard := http.NewCrossOriginProtection()
	return guard.Handler(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Security-Policy", policy)
		w.Header().Set("X-Content-Type-Options", "nosniff")
		w.Header().Set("Referrer-Policy", "no-referrer")
		mux.ServeHTTP(w, r)
	}))
}

// pageChat is a chat as the page draws it.
type pageChat struct {
	ID       int64         `json:"id"`
	User     int64         `json:"user"` // who is at the keyboard
	Title    string        `json:"title"`
	Language string        `json:"language"`
	Blocked  bool          `json:"blocked"`
	Commands []Command     `json:"commands"`
	Messages []pageMessage `json:"messages"`
	Waiting  []int         `json:"waiting"` // messages with a tap that is not answered
	Toast    *pageToast    `json:"toast"`
}

type pageMessage struct {
	ID       int        `json:"id"`
	Bot      bool       `json:"bot"`
	Text     string     `json:"text"`
	Entities []Entity   `json:"entities"`
	Keyboard [][]Button `json:"keyboard"`
	File     *pageDoc   `json:"file"`
	Time     int64      `json:"time"`
	Edited   bool       `json:"edited"`
	ReplyTo  int        `json:"reply_to"`
}

type pageDoc struct {
	ID   string `json:"id"`
	Name string `json:"name"`
	Size int    `json:"size"`
}

type pageToast struct {
	ID    string `json:"id"`
	Text  string `json:"text"`
	Alert bool   `json:"alert"`
}

// snapshot is everything the page draws.
func (s *Server) snapshot() object {
	s.mu.Lock()
	defer s.mu.Unlock()
	var chats []pageChat
	for _, u := range s.users {
		chats = append(chats, s.pageChat(s.chats[u.ID], u))
	}
	slices.SortFunc(chats, func(a, b pageChat) int { return int(a.ID - b.ID) })
	return object{"bot": s.options.BotName, "hints": s.options.Hints, "chats": chats}
}

// pageChat draws one private chat; s.mu is held.
func (s *Server) pageChat(c *chat, u *User) pageChat {
	out := pageChat{ID: c.id, User: u.ID, Title: u.FirstName, Language: u.LanguageCode, Blocked: c.blocked, Messages: []pageMessage{}}
	out.Commands = s.commands[u.LanguageCode]
	if out.Commands == nil {
		out.Commands = s.commands[""]
	}
	for _, m := range c.messages {
		if m.Deleted {
			continue
		}
		pm := pageMessage{ID: m.ID, Bot: m.FromBot, Text: m.Text, Entities: m.Entities, Keyboard: m.Keyboard, Time: m.Date.Unix(), Edited: m.Edited, ReplyTo: m.ReplyTo}
		if m.Document != nil {
			pm.File = &pageDoc{ID: m.Document.ID, Name: m.Document.Name, Size: len(m.Document.Body)}
		}
		out.Messages = append(out.Messages, pm)
	}
	for _, q := range s.callbacks {
		if q.Chat != c.id {
			continue
		}
		if q.Answers == 0 {
			out.Waiting = append(out.Waiting, q.Message)
		} else if q.Text != "" {
			out.Toast = &pageToast{ID: q.ID, Text: q.Text, Alert: q.Alert}
		}
	}
	return out
}

func (s *Server) pageState(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "application/json")
	json.NewEncoder(w).Encode(s.snapshot())
}

// pageEvents sends the whole state at every change, as server-sent events.
func (s *Server) pageEvents(w http.ResponseWriter, r *http.Request) {
	flusher, ok := w.(http.Flusher)
	if !ok {
		http.Error(w, "no streaming", http.StatusNotImplemented)
		return
	}
	w.Header().Set("Content-Type", "text/event-stream")
	w.Header().Set("Cache-Control", "no-store")
	// The stream outlives the server's limits for one answer.
	control := http.NewResponseController(w)
	if err := control.SetWriteDeadline(time.Time{}); err != nil {
		return
	}
	for {
		changed := s.Changed()
		if _, err := fmt.Fprintf(w, "data: %s\n\n", marshal(s.snapshot())); err != nil {
			return
		}
		flusher.Flush()
		select {
		case <-changed:
		case <-r.Context().Done():
			return
		}
	}
}

func (s *Server) pageFile(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	doc := s.files[r.PathValue("id")]
	s.mu.Unlock()
	if doc == nil {
		http.NotFound(w, r)
		return
	}
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.Header().Set("Content-Disposition", "attachment; filename="+strconv.Quote(doc.Name))
	w.Write(doc.Body)
}

// pageRequest is what the page asks for.
type pageRequest struct {
	Chat     int64  `json:"chat"`
	User     int64  `json:"user"`
	Text     string `json:"text"`
	Message  int    `json:"message"`
	Data     string `json:"data"`
	Language string `json:"language"`
}

// asked reads a request of the page; ok is false when it has been answered with an error.
func asked(w http.ResponseWriter, r *http.Request) (q pageRequest, ok bool) {
	if err := json.NewDecoder(http.MaxBytesReader(w, r.Body, 64<<10)).Decode(&q); err != nil {
		http.Error(w, "not a request of this page", http.StatusBadRequest)
		return q, false
	}
	return q, true
}

func (s *Server) pageSend(w http.ResponseWriter, r *http.Request) {
	if q, ok := asked(w, r); ok && q.Text != "" {
		s.Send(q.User, q.Chat, q.Text)
		w.WriteHeader(http.StatusNoContent)
	}
}

func (s *Server) pageTap(w http.ResponseWriter, r *http.Request) {
	if q, ok := asked(w, r); ok {
		s.Tap(q.User, q.Chat, q.Message, q.Data)
		w.WriteHeader(http.StatusNoContent)
	}
}

func (s *Server) pageLanguage(w http.ResponseWriter, r *http.Request) {
	if q, ok := asked(w, r); ok {
		s.SetLanguage(q.User, q.Language)
		w.WriteHeader(http.StatusNoContent)
	}
}

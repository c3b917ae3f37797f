package tgsim

import (
	"cmp"
	"embed"
	"encoding/json"
	"fmt"
	"io/fs"
	"net/http"
	"slices"
	"strconv"
	"strings"
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
	guard := http.NewCrossOriginProtection()
	return guard.Handler(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Security-Policy", policy)
		w.Header().Set("X-Content-Type-Options", "nosniff")
		w.Header().Set("Referrer-Policy", "no-referrer")
		mux.ServeHTTP(w, r)
	}))
}

// pageRequest is what the page asks for: which of these it takes depends on the action.
type pageRequest struct {
	Chat     int64   `json:"chat"`
	User     int64   `json:"user"` // who is at the keyboard
	Text     string  `json:"text"`
	Message  int     `json:"message"`
	Data     string  `json:"data"`
	Language string  `json:"language"`
	Member   int64   `json:"member"`
	Role     Role    `json:"role"`
	Members  []int64 `json:"members"`
}

// pageActions are what people can do on the page.
func (s *Server) pageActions() map[string]func(pageRequest) {
	return map[string]func(pageRequest){
		"send": func(q pageRequest) {
			if strings.TrimSpace(q.Text) != "" {
				s.Send(q.User, q.Chat, q.Text)
			}
		},
		"tap":      func(q pageRequest) { s.Tap(q.User, q.Chat, q.Message, q.Data) },
		"language": func(q pageRequest) { s.SetLanguage(q.User, q.Language) },
		"block":    func(q pageRequest) { s.Block(q.User) },
		"unblock":  func(q pageRequest) { s.Unblock(q.User) },
		"migrate":  func(q pageRequest) { s.Migrate(q.User, q.Chat) },
		"group": func(q pageRequest) {
			if title := strings.TrimSpace(q.Text); title != "" {
				s.NewGroup(q.User, title, q.Members...)
			}
		},
		"role": func(q pageRequest) {
			if slices.Contains([]Role{Administrator, Ordinary, Restricted, Left, Kicked}, q.Role) {
				s.SetRole(q.User, q.Chat, q.Member, q.Role)
			}
		},
	}
}

// pageChat is a chat as the page draws it.
type pageChat struct {
	ID       int64         `json:"id"`
	Kind     string        `json:"kind"`
	Title    string        `json:"title"`
	Started  bool          `json:"started"`
	Blocked  bool          `json:"blocked"`
	Gone     bool          `json:"gone"` // the account, or the group, is no more
	Members  []pageMember  `json:"members"`
	Messages []pageMessage `json:"messages"`
	Waiting  []int         `json:"waiting"` // messages with a tap that is not answered
	Toasts   []pageToast   `json:"toasts"`  // the last of each person
}

// pageMember is somebody who could be in a chat, and what he is there.
type pageMember struct {
	ID       int64     `json:"id"`
	Name     string    `json:"name"`
	Bot      bool      `json:"bot"`
	Role     Role      `json:"role"`
	Writes   bool      `json:"writes"`
	Language string    `json:"language"`
	Commands []Command `json:"commands"`
}

type pageMessage struct {
	ID       int        `json:"id"`
	Bot      bool       `json:"bot"`
	From     int64      `json:"from"`
	Name     string     `json:"name"`
	Notice   string     `json:"notice"`
	Deleted  bool       `json:"deleted"`
	Text     string     `json:"text"`
	Entities []Entity   `json:"entities"`
	Keyboard [][]Button `json:"keyboard"`
	File     *pageDoc   `json:"file"`
	Photo    *pagePhoto `json:"photo"`
	Time     int64      `json:"time"`
	Edited   bool       `json:"edited"`
	ReplyTo  int        `json:"reply_to"`
}

type pageDoc struct {
	ID   string `json:"id"`
	Name string `json:"name"`
	Size int    `json:"size"`
}

type pagePhoto struct {
	ID     string `json:"id"`
	Width  int    `json:"width"`
	Height int    `json:"height"`
}

type pageToast struct {
	ID    string `json:"id"`
	User  int64  `json:"user"`
	Text  string `json:"text"`
	Alert bool   `json:"alert"`
}

// snapshot is everything the page draws.
func (s *Server) snapshot() object {
	s.mu.Lock()
	defer s.mu.Unlock()
	chats := []pageChat{}
	for _, c := range s.chats {
		chats = append(chats, s.pageChat(c))
	}
	slices.SortFunc(chats, func(a, b pageChat) int { // people first, then groups from the first on
		if (a.ID > 0) != (b.ID > 0) {
			return cmp.Compare(b.ID, a.ID)
		}
		return cmp.Compare(max(a.ID, -a.ID), max(b.ID, -b.ID))
	})
	return object{"bot": s.options.BotName, "hints": s.options.Hints, "chats": chats}
}

// pageChat draws one chat; s.mu is held.
func (s *Server) pageChat(c *chat) pageChat {
	out := pageChat{ID: c.id, Kind: c.kind(), Title: c.title, Started: c.started || c.id < 0, Blocked: c.blocked, Gone: c.migrated != 0, Members: s.pageMembers(c), Messages: []pageMessage{}}
	if c.id > 0 {
		out.Title, out.Gone = s.name(c.id), s.users[c.id].deactivated
	}
	for _, m := range c.messages {
		out.Messages = append(out.Messages, s.pageMessage(m))
	}
	for _, q := range s.callbacks {
		if q.Chat != c.id {
			continue
		}
		if q.Answers == 0 {
			out.Waiting = append(out.Waiting, q.Message)
		} else if q.Text != "" {
			out.Toasts = slices.DeleteFunc(out.Toasts, func(t pageToast) bool { return t.User == q.User })
			out.Toasts = append(out.Toasts, pageToast{ID: q.ID, User: q.User, Text: q.Text, Alert: q.Alert})
		}
	}
	return out
}

// pageMembers lists those who can be at the keyboard of a chat; of a group everybody there is, as anybody
// could be added.
func (s *Server) pageMembers(c *chat) []pageMember {
	out := []pageMember{}
	for _, u := range s.users {
		if u.deactivated && c.id < 0 || c.id > 0 && u.ID != c.id {
			continue
		}
		out = append(out, pageMember{
			ID: u.ID, Name: s.name(u.ID), Role: c.role(u.ID), Writes: !u.deactivated && c.takes(u.ID), Language: u.LanguageCode, Commands: s.menuOf(c, u.ID),
		})
	}
	slices.SortFunc(out, func(a, b pageMember) int { return cmp.Compare(a.ID, b.ID) })
	return append(out, pageMember{ID: s.BotID(), Name: s.name(s.BotID()), Bot: true, Role: s.here(c)})
}

// pageMessage draws one message. Of one that was deleted only the fact is left: it may have held a secret.
func (s *Server) pageMessage(m *Message) pageMessage {
	out := pageMessage{ID: m.ID, Bot: m.FromBot, From: m.From, Name: s.name(m.From), Deleted: m.Deleted, Time: m.Date.Unix()}
	if m.Deleted {
		return out
	}
	out.Notice, out.Text, out.Entities, out.Keyboard, out.Edited, out.ReplyTo = m.Notice, m.Text, m.Entities, m.Keyboard, m.Edited, m.ReplyTo
	if m.Document != nil {
		out.File = &pageDoc{ID: m.Document.ID, Name: m.Document.Name, Size: len(m.Document.Body)}
	}
	if m.Photo != nil {
		out.Photo = &pagePhoto{ID: m.Photo.ID, Width: m.Photo.Width, Height: m.Photo.Height}
	}
	return out
}

func (s *Server) pageState(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "application/json")
	_, _ = w.Write(marshal(s.snapshot()))
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

// pageFile serves a photo to be shown, and any other file to be saved: what a bot sends is never run here.
func (s *Server) pageFile(w http.ResponseWriter, r *http.Request) {
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
		w.Header().Set("Content-Disposition", "attachment; filename="+strconv.Quote(f.doc.Name))
	}
	_, _ = w.Write(f.body)
}

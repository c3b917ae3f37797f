package tgsim

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

const (
	firstUpdate  = 914_000_001 // update ids start anywhere
	callbackLife = 150 * time.Second
)

// Options are how a Server is made.
type Options struct {
	Token   string // the bot's
	BotName string // the bot's user name, without @
	Hints   []Hint // what the page shows beside the chat
}

// Hint is a line beside the chat, with a button to copy it.
type Hint struct{ Label, Value string }

// Server is the emulated Telegram with one bot. Its methods may be called while it serves.
type Server struct {
	options Options
	page    http.Handler

	mu          sync.Mutex
	changed     chan struct{} // closed and replaced at every change
	users       map[int64]*User
	chats       map[int64]*chat
	updates     []update
	nextUpdate  int64
	nextMessage int
	poll        chan struct{} // closed when a newer poll takes over; nil without one
	callbacks   []*Callback
	commands    map[string][]Command // by language
	faults      []*Fault
	unsupported []string
	calls       map[string]int
	files       map[string]*Document
}

// User is a person.
type User struct {
	ID           int64  `json:"id"`
	FirstName    string `json:"first_name"`
	Username     string `json:"username,omitempty"`
	LanguageCode string `json:"language_code,omitempty"`
}

// Command is an entry of the bot's command menu.
type Command struct {
	Command     string `json:"command"`
	Description string `json:"description"`
}

// chat is a private chat or a group.
type chat struct {
	id       int64
	title    string // of a group
	members  []int64
	started  bool // the bot may write
	blocked  bool
	messages []*Message
}

// Message is a message as the chat shows it now.
type Message struct {
	ID       int
	FromBot  bool
	From     int64
	Text     string // or the caption of a document
	Entities []Entity
	Keyboard [][]Button
	Document *Document
	Date     time.Time
	Edited   bool
	Deleted  bool
	ReplyTo  int
}

// Button is a key of an inline keyboard.
type Button struct {
	Text string `json:"text"`
	Data string `json:"callback_data,omitempty"`
	URL  string `json:"url,omitempty"`
	Copy *struct {
		Text string `json:"text"`
	} `json:"copy_text,omitempty"`
}

// Document is a file that was sent.
type Document struct {
	ID   string
	Name string
	Body []byte
}

// Callback is a tap on a button and how it was answered.
type Callback struct {
	ID         string
	User, Chat int64
	Message    int
	Data       string
	At         time.Time
	Answers    int
	AnsweredAt time.Time
	Text       string
	Alert      bool
}

// update is an update that waits to be confirmed.
type update struct {
	id      int64
	body    string // the JSON of everything but the id
	expires time.Time
}

// New makes a Telegram with one bot and nobody in it.
func New(o Options) *Server {
	s := &Server{
		options: o, changed: make(chan struct{}), users: map[int64]*User{}, chats: map[int64]*chat{},
		nextUpdate: firstUpdate, nextMessage: 1, commands: map[string][]Command{}, calls: map[string]int{}, files: map[string]*Document{},
	}
	s.page = s.newPage()
	return s
}

// ServeHTTP implements http.Handler: the Bot API under /bot…, the chat page everywhere else.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if rest, ok := strings.CutPrefix(r.URL.Path, "/bot"); ok && strings.Contains(rest, "/") {
		s.api(w, r, rest)
		return
	}
	s.page.ServeHTTP(w, r)
}

// touch tells those who wait that something changed; s.mu is held.
func (s *Server) touch() {
	close(s.changed)
	s.changed = make(chan struct{})
}

// Changed is closed at the next change.
func (s *Server) Changed() <-chan struct{} {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.changed
}

// AddUser adds a person, who has a private chat with the bot but has not pressed Start.
func (s *Server) AddUser(u User) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.users[u.ID] = &u
	s.chats[u.ID] = &chat{id: u.ID, members: []int64{u.ID}}
	s.touch()
}

// AddGroup adds a group with the bot in it. Its id is negative.
func (s *Server) AddGroup(id int64, title string, members ...int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.chats[id] = &chat{id: id, title: title, members: members, started: true}
	s.touch()
}

// SetLanguage changes a person's language_code.
func (s *Server) SetLanguage(user int64, code string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if u := s.users[user]; u != nil {
		u.LanguageCode = code
		s.touch()
	}
}

// Send types a message into a chat and returns its id. Whoever writes to the bot in private has pressed
// Start by that.
func (s *Server) Send(user, chatID int64, text string) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	c, u := s.chats[chatID], s.users[user]
	if c == nil || u == nil {
		return 0
	}
	c.started = true
	m := &Message{ID: s.messageID(), From: user, Text: text, Date: time.Now(), Entities: commandsIn(text)}
	c.messages = append(c.messages, m)
	s.push("message", s.messageJSON(c, m), 24*time.Hour)
	s.touch()
	return m.ID
}

// commandsIn finds the commands of a typed text, as Telegram marks them.
func commandsIn(text string) []Entity {
	if !strings.HasPrefix(text, "/") {
		return nil
	}
	word, _, _ := strings.Cut(text, " ")
	return []Entity{{Type: "bot_command", Offset: 0, Length: units(word)}}
}

// messageID is the next message id: private chats and basic groups share the bot's counter.
func (s *Server) messageID() int {
	s.nextMessage++
	return s.nextMessage
}

// push queues an update for the bot; s.mu is held.
func (s *Server) push(kind string, body any, life time.Duration) {
	text, err := json.Marshal(body)
	if err != nil {
		panic(fmt.Sprintf("tgsim: an update cannot be encoded: %v", err)) // of our own making
	}
	s.pushRaw(strconv.Quote(kind)+":"+string(text), life)
}

func (s *Server) pushRaw(body string, life time.Duration) {
	s.updates = append(s.updates, update{id: s.nextUpdate, body: body, expires: time.Now().Add(life)})
	s.nextUpdate++
}

// InjectUpdate queues an update by its JSON, without the braces and the id: `"message":{…}`.
func (s *Server) InjectUpdate(body string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.pushRaw(body, 24*time.Hour)
	s.touch()
}

// Tap taps a button under a message, whether or not the message has such a one: clients can be made to
// lie. It returns the id of the callback query.
func (s *Server) Tap(user, chatID int64, message int, data string) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	c, u := s.chats[chatID], s.users[user]
	if c == nil || u == nil {
		return ""
	}
	q := &Callback{ID: fmt.Sprintf("%d%06d", 4_000_000_000+user, len(s.callbacks)+1), User: user, Chat: chatID, Message: message, Data: data, At: time.Now()}
	s.callbacks = append(s.callbacks, q)
	body := object{"id": q.ID, "from": s.userJSON(u), "chat_instance": strconv.FormatInt(chatID, 10), "data": data}
	if m := c.message(message); m != nil && !m.Deleted {
		body["message"] = s.messageJSON(c, m)
	} else {
		body["message"] = object{"chat": s.chatJSON(c), "message_id": message, "date": 0}
	}
	s.push("callback_query", body, callbackLife)
	s.touch()
	return q.ID
}

// TapButton taps the newest button of a chat whose text holds the words.
func (s *Server) TapButton(user, chatID int64, words string) (string, error) {
	for _, m := range slices.Backward(s.Messages(chatID)) {
		for _, row := range m.Keyboard {
			for _, b := range row {
				if !m.Deleted && b.Data != "" && strings.Contains(b.Text, words) {
					return s.Tap(user, chatID, m.ID, b.Data), nil
				}
			}
		}
	}
	return "", fmt.Errorf("chat %d has no button with %q", chatID, words)
}

// Block has a person block the bot, and Unblock lets it in again.
func (s *Server) Block(user int64) { s.setBlocked(user, true) }

// Unblock undoes Block.
func (s *Server) Unblock(user int64) { s.setBlocked(user, false) }

func (s *Server) setBlocked(user int64, blocked bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	c, u := s.chats[user], s.users[user]
	if c == nil || u == nil || c.blocked == blocked {
		return
	}
	c.blocked = blocked
	member := func(status string) object { return object{"status": status, "user": s.botJSON(), "until_date": 0} }
	before, after := "member", "kicked"
	if !blocked {
		before, after = after, before
	}
	s.push("my_chat_member", object{
		"chat": s.chatJSON(c), "from": s.userJSON(u), "date": time.Now().Unix(),
		"old_chat_member": member(before), "new_chat_member": member(after),
	}, 24*time.Hour)
	s.touch()
}

// Messages lists a chat's messages as they are now, deleted ones included.
func (s *Server) Messages(chatID int64) []Message {
	s.mu.Lock()
	defer s.mu.Unlock()
	c := s.chats[chatID]
	if c == nil {
		return nil
	}
	var all []Message
	for _, m := range c.messages {
		all = append(all, *m)
	}
	return all
}

// Callbacks lists all taps.
func (s *Server) Callbacks() []Callback {
	s.mu.Lock()
	defer s.mu.Unlock()
	var all []Callback
	for _, q := range s.callbacks {
		all = append(all, *q)
	}
	return all
}

// Unsupported lists the methods that a bot called and that are not emulated.
func (s *Server) Unsupported() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.unsupported)
}

// Calls counts the bot's calls by method, in lower case.
func (s *Server) Calls() map[string]int {
	s.mu.Lock()
	defer s.mu.Unlock()
	out := map[string]int{}
	for m, n := range s.calls {
		out[m] = n
	}
	return out
}

// message is a chat's message by id, nil where there is none.
func (c *chat) message(id int) *Message {
	for _, m := range c.messages {
		if m.ID == id {
			return m
		}
	}
	return nil
}

// WaitFor waits until done says so, asking again at every change.
func (s *Server) WaitFor(ctx context.Context, done func() bool) error {
	for {
		changed := s.Changed()
		if done() {
			return nil
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

package tgsim

import (
	"context"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// Options are how a Server is made.
type Options struct {
	Token          string            // the bot's
	BotName        string            // the bot's user name, without @
	Beside         string            // the address of a script, a module, that the page has draw what stands beside the chats; "" for none
	ReadsAll       bool              // the bot sees everything in groups: its privacy mode is off
	Inline         bool              // the bot can be asked in any chat
	InlineFeedback bool              // and is told what was chosen
	Limits         bool              // refuse floods from the start; see Server.SetLimits
	Webhook        http.RoundTripper // carries webhooks; nil: one that reaches this machine and Hosts only
	Number         int               // by which the control interface beside the page knows this bot
	Hosts          []string          // other machines that webhooks may lead to
	Lenient        bool              // methods that are not emulated answer with as little as they can, and are not refused
	Strict         bool              // webhooks have to be https, of the ports that Telegram allows
	RealTokens     bool              // a token may have the form of those that Telegram gives out
}

// Server is the emulated Telegram with one bot. Its methods may be called while it serves.
type Server struct {
	// What tests and the sandbox do with it, by subject.
	People
	Directory
	Menus
	Log
	Injector
	Updates
	Webhooks

	// What the methods of the Bot API stand on.
	views    views
	letters  letters
	managing managing
	uploads  uploads
	chatPage chatPage

	options  Options
	page     http.Handler
	webhooks *http.Client // of webhooks

	methods map[string]method
	clock   clock

	mu          sync.Mutex
	changed     chan struct{} // closed and replaced at every change
	users       map[int64]*User
	chats       map[int64]*chat
	groups      int64 // made on the page so far
	nextMessage int
	albums      int // and more that was made so far
	polls       int
	links       int
	inlines     int
	rolls       int
	inbox       inbox
	webhook     webhook
	flood       *flood // nil: no limits
	callbacks   []*Callback
	queries     []*InlineQuery
	payments    []*Payment
	invoices    map[string]*invoice  // by link
	commands    map[string][]Command // by scope and language
	about       map[string]string    // name, description and the short one, by language
	menuButtons map[int64]MenuButton // by person; 0 for all others
	wishes      map[bool]map[string]bool
	faults      []*Fault
	unsupported []string
	complaints  []string
	ignored     []string
	calls       map[string]int
	record      []Call
	files       map[string]*file
}

// New makes a Telegram with one bot and nobody in it.
func New(o Options) *Server {
	s := &Server{
		options: o, webhooks: newWebhookClient(o, nil), changed: make(chan struct{}), users: map[int64]*User{}, chats: map[int64]*chat{},
		nextMessage: 1, inbox: inbox{next: firstUpdate}, commands: map[string][]Command{}, calls: map[string]int{}, files: map[string]*file{},
		methods: methods(), invoices: map[string]*invoice{}, about: map[string]string{}, menuButtons: map[int64]MenuButton{}, wishes: map[bool]map[string]bool{},
	}
	s.inbox.clock = &s.clock
	s.divide()
	s.page = s.chatPage.newPage()
	s.Injector.SetLimits(o.Limits)
	return s
}

// Copy is another server in the same state, made by duplicate while nothing changes. What waits for updates waits for the first
// one, and an update that is on its way to the webhook is to be brought there by the second one as well.
func (s *Server) Copy(duplicate func(*Server) *Server) *Server {
	s.mu.Lock()
	defer s.mu.Unlock()
	next := duplicate(s)
	// duplicate leaves channels as they are, and one that both servers had would be closed twice. The page would serve the first server.
	next.changed, next.inbox.poll, next.page = make(chan struct{}), nil, next.chatPage.newPage()
	for _, u := range next.inbox.updates {
		u.hook.sending = false
	}
	return next
}

// The parts of a server. All of them are of one state, under one lock.
type (
	// People is what people do: they write, tap, vote, share and pay.
	People struct{ *Server }

	// Directory is who there is: people, groups, channels and topics, and who holds which role in them.
	Directory struct{ *Server }

	// Menus is what people see of a bot beside its messages: commands, descriptions, the menu button.
	Menus struct{ *Server }

	// Log is what has been called, and what is to be said about that.
	Log struct{ *Server }

	// Injector makes calls fail, late or too many.
	Injector struct{ *Server }

	// Updates is the queue of updates, as getUpdates reads it.
	Updates struct{ *Server }

	// Webhooks brings updates to the bot's own address.
	Webhooks struct{ *Server }

	// views are people, chats and messages as the Bot API tells them.
	views struct{ *Server }

	// letters are what a bot writes: how it is read, checked, posted and changed.
	letters struct{ *Server }

	// managing is what a bot may do with a group, its links, its members and its topics.
	managing struct{ *Server }

	// uploads are files.
	uploads struct{ *Server }

	// chatPage is the page for a browser.
	chatPage struct{ *Server }
)

// ServeHTTP implements http.Handler: the Bot API under /bot… and /file/bot…, the chat page everywhere else.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	// A slash or a colon, so that a file of the page whose name begins with bot is not taken for a call.
	if rest, ok := strings.CutPrefix(r.URL.Path, "/bot"); ok && strings.ContainsAny(rest, "/:") {
		s.api(w, r, rest)
		return
	}
	if rest, ok := strings.CutPrefix(r.URL.Path, "/file/bot"); ok {
		s.uploads.download(w, rest)
		return
	}
	s.page.ServeHTTP(w, r)
}

// BotID is the bot's id: what its token begins with, as with Telegram.
func (s *Server) BotID() int64 {
	digits, _, _ := strings.Cut(s.options.Token, ":")
	id, err := strconv.ParseInt(digits, 10, 64)
	if err != nil {
		return 1
	}
	return id
}

// Changed is closed at the next change.
func (s *Server) Changed() <-chan struct{} {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.changed
}

// WaitFor waits until done says so, asking again at every change.
// The channel is taken before done is asked: a change in between closes it, and is not slept through.
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

// Messages lists a chat's messages as they are now, deleted ones included.
func (s *Server) Messages(chatID int64) []Message {
	s.mu.Lock()
	defer s.mu.Unlock()
	if c := s.chats[chatID]; c != nil {
		return copies(c.messages)
	}
	return nil
}

// IsTyping reports whether the bot is seen to be at work in a chat (sendChatAction).
func (s *Server) IsTyping(chatID int64) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	c := s.chats[chatID]
	return c != nil && c.typing.After(s.now())
}

// copies are values as they are now, which later changes cannot reach.
func copies[T any](list []*T) (all []T) {
	for _, one := range list {
		all = append(all, *one)
	}
	return all
}

// Chats lists the ids of all chats.
func (s *Server) Chats() []int64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Sorted(maps.Keys(s.chats))
}

// Callbacks lists all taps.
func (s *Server) Callbacks() []Callback {
	s.mu.Lock()
	defer s.mu.Unlock()
	return copies(s.callbacks)
}

// divide gives a server its parts.
func (s *Server) divide() {
	s.People, s.Directory, s.Menus, s.Log, s.Injector, s.Updates, s.Webhooks = People{s}, Directory{s}, Menus{s}, Log{s}, Injector{s}, Updates{s}, Webhooks{s}
	s.views, s.letters, s.managing, s.uploads, s.chatPage = views{s}, letters{s}, managing{s}, uploads{s}, chatPage{s}
}

// Unsupported lists the methods, in lower case, that a bot asked for and that are not emulated: they were refused, or,
// where Options.Lenient says so, answered with as little as their type demands.
func (s Log) Unsupported() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.unsupported)
}

// Calls counts the bot's calls by method, in lower case.
func (s Log) Calls() map[string]int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return maps.Clone(s.calls)
}

// Pending is how many updates the bot has not confirmed.
func (s Updates) Pending() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.inbox.expire(s.now())
	return len(s.inbox.updates)
}

// touch tells those who wait that something changed; s.mu is held.
// A channel is closed once and replaced: all who wait have the old one, and take the new one before they look again (WaitFor).
func (s *Server) touch() {
	close(s.changed)
	s.changed = make(chan struct{})
}

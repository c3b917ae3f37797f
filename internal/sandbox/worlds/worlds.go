// Package worlds serves the two simulators to bots and clients that are not ours: each token is a bot in a world of
// its own, and /control/v1 is how programs play the people, the service's side, and what goes wrong.
//
// It knows the simulators and nothing else of ours, so that it can be taken out of this repository with them.
package worlds

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"resellerbot/internal/api/sim"
	"resellerbot/internal/sandbox/tgsim"
)

// mostWorlds is how many bots one sandbox takes: each keeps what it was told.
const mostWorlds = 200

// tokenForm is the form of a bot's token: Telegram's own, and a little wider for tokens that nobody can mistake for real.
var tokenForm = regexp.MustCompile(`^\d{5,16}:[A-Za-z0-9_-]{30,64}$`)

// Options are how a Sandbox is made.
type Options struct {
	// Telegram makes the Telegram of a token, with people in it. The number is that of its world.
	Telegram func(token string, number int) *tgsim.Server
	// Service makes the service, with accounts and goods.
	Service func() (*sim.Server, error)
	// Refuses says why a token is not let in, which costs it a moment at its first use; nil for no such question.
	Refuses func(ctx context.Context, token string) error
	// Only is the one token that is let in, in a world that is never reset and keeps the time of its bot, with the chat page at /;
	// "" for all of the right form.
	Only string
}

// Sandbox is a service, and a Telegram for each token.
// service has a lock of its own. Where several are held, s.mu comes before that of a world, and that of a world before a simulator's.
type Sandbox struct {
	options  Options
	stranger *tgsim.Server // answers tokens that are none
	begun    chan *world   // whose webhooks nobody carries yet
	service  *serviceSide

	mu     sync.Mutex
	worlds []*world // in the order of their first use
}

// world is the Telegram of one bot. A reset puts another one in its place.
type world struct {
	number int // from 1; by which the page and the control interface may name it
	token  string
	anew   func() *tgsim.Server
	kept   shelf[tgsim.Server]

	mu       sync.Mutex
	telegram *tgsim.Server
	replaced chan struct{} // closed once telegram is: what waits for the old one is let go
}

// New makes a sandbox.
func New(o Options) (*Sandbox, error) {
	service, err := newServiceSide(o)
	if err != nil {
		return nil, err
	}
	s := &Sandbox{
		options: o, service: service, begun: make(chan *world, mostWorlds),
		stranger: tgsim.New(tgsim.Options{Token: "12345678:" + strings.Repeat("A", 35)}), // a real one, which is let in nowhere
	}
	if o.Only != "" {
		s.begin(o.Only)
	}
	return s, nil
}

// Deliver carries updates to the webhooks of all worlds until ctx is done.
func (s *Sandbox) Deliver(ctx context.Context) error {
	var running sync.WaitGroup
	// Nobody carries webhooks where this does not run, as in the demo, whose bot polls.
	defer running.Wait()
	for {
		select {
		case w := <-s.begun:
			running.Go(func() { w.deliver(ctx) })
		case <-ctx.Done():
			return nil
		}
	}
}

// Telegram serves the Bot API to every bot.
func (s *Sandbox) Telegram() http.Handler {
	return http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		rest, ok := strings.CutPrefix(r.URL.Path, "/bot")
		if !ok {
			rest, ok = strings.CutPrefix(r.URL.Path, "/file/bot")
		}
		if !ok {
			http.Error(rw, "the Bot API is at /bot<token>/<method>", http.StatusNotFound)
			return
		}
		token, _, _ := strings.Cut(rest, "/")
		w, err := s.world(r.Context(), token)
		if err != nil || w.token != token { // a number is not a token here
			s.refuse(rw, r, err)
			return
		}
		w.serve(rw, r)
	})
}

// Service serves the service.
func (s *Sandbox) Service() http.Handler {
	return http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) { s.service.now().ServeHTTP(rw, r) })
}

// begin makes the world of a token; s.mu is held, or nobody else knows s yet.
func (s *Sandbox) begin(token string) *world {
	number := len(s.worlds) + 1
	w := &world{number: number, token: token, anew: func() *tgsim.Server { return s.options.Telegram(token, number) }}
	w.reset()
	s.worlds = append(s.worlds, w)
	s.begun <- w // there is room for all
	return w
}

// reset begins a world anew, or for the first time.
func (w *world) reset() { w.put(w.anew()) }

// put puts a Telegram in the place of the one that there is. What waits for the old one is let go. A bot that goes on asking
// behind the updates which it knows misses none of the new one's: their numbers go on, too.
func (w *world) put(next *tgsim.Server) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.replaced != nil {
		// A bot goes on with the offset that it has. Lower numbers would be confirmed by it unseen.
		next.ContinueUpdates(w.telegram.NextUpdate())
		close(w.replaced)
	}
	w.telegram, w.replaced = next, make(chan struct{})
}

// now is the Telegram of a world, and what is closed once another one is put in its place.
func (w *world) now() (*tgsim.Server, <-chan struct{}) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.telegram, w.replaced
}

// errToken is the refusal of what is no token.
var errToken = errors.New("a token looks like 123456789: and 35 letters, digits, _ and -")

// world is the world of a token, which is made at its first use. A world's number stands for its token too.
func (s *Sandbox) world(ctx context.Context, token string) (*world, error) {
	if w := s.known(token); w != nil {
		return w, nil
	}
	if s.options.Only != "" || !tokenForm.MatchString(token) {
		return nil, errToken
	}
	// Before s.mu is taken: it may ask over the network for seconds, in which the other bots go on.
	if s.options.Refuses != nil {
		if err := s.options.Refuses(ctx, token); err != nil {
			return nil, err
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, w := range s.worlds { // two first uses at once are one world
		if w.token == token {
			return w, nil
		}
	}
	if len(s.worlds) == mostWorlds {
		return nil, fmt.Errorf("there are %d bots already: start the sandbox anew", mostWorlds)
	}
	return s.begin(token), nil
}

// known is the world of a token or a number, nil where there is none yet.
func (s *Sandbox) known(token string) *world {
	s.mu.Lock()
	defer s.mu.Unlock()
	// A number cannot be mistaken for a token, which has a colon.
	i := slices.IndexFunc(s.worlds, func(w *world) bool { return w.token == token || strconv.Itoa(w.number) == token })
	if i < 0 {
		return nil
	}
	return s.worlds[i]
}

// all lists the worlds.
func (s *Sandbox) all() []*world {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.worlds)
}

// deliver carries updates to the webhook of a world, whichever Telegram it has.
func (w *world) deliver(ctx context.Context) {
	// Deliver comes back where its Telegram was replaced, with all that was on its way: then it is begun again with the new one.
	for ctx.Err() == nil {
		telegram, replaced := w.now()
		delivery, end := within(ctx, replaced)
		telegram.Deliver(delivery)
		end()
	}
}

// refuse answers a token that is not let in as Telegram does, or says why where Telegram has no words for it.
func (s *Sandbox) refuse(rw http.ResponseWriter, r *http.Request, err error) {
	if err == nil || errors.Is(err, errToken) {
		s.stranger.ServeHTTP(rw, r)
		return
	}
	writeJSON(rw, http.StatusUnauthorized, map[string]any{"ok": false, "error_code": http.StatusUnauthorized, "description": "Unauthorized: " + err.Error()})
}

// serve answers a request from the world as it is now. A request that waits ends with it.
func (w *world) serve(rw http.ResponseWriter, r *http.Request) {
	// Both are read at once: a Telegram that is replaced right after this is known by its channel.
	telegram, replaced := w.now()
	ctx, end := within(r.Context(), replaced)
	defer end()
	telegram.ServeHTTP(rw, r.WithContext(ctx))
}

// within is a context that ends once a Telegram is replaced, too. Whoever asks for it ends it.
func within(ctx context.Context, replaced <-chan struct{}) (context.Context, context.CancelFunc) {
	ctx, end := context.WithCancel(ctx)
	go func() {
		select {
		case <-replaced:
			end()
		case <-ctx.Done():
		}
	}()
	return ctx, end
}

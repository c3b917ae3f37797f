package sandbox

import (
	"embed"
	"encoding/json"
	"io/fs"
	"net/http"
	"sync"
	"time"

	"resellerbot/internal/api/sim"
	"resellerbot/internal/backoff"
	"resellerbot/internal/sandbox/tgsim"
	"resellerbot/internal/sandbox/worlds"
)

//go:embed beside
var besideFiles embed.FS

// The people of the sandbox.
const (
	demoOwner    = int64(501)
	demoSeller   = int64(502)
	demoCounter  = int64(503)
	demoStranger = int64(504)
	demoGroup    = int64(-4_000_000_100)
	demoShop     = "Boutique El Djazair"
)

// Sandbox is the world of the demo: a reseller service, a Telegram with people in it, and a panel for what
// happens behind the chat.
type Sandbox struct {
	Service  *sim.Server
	Telegram *tgsim.Server
	Keeper   *Keeper
	Words    told
	Shop     string // the name of the account with the demo's key

	worlds *worlds.Sandbox // of one world: what can be done with it over HTTP
	mu     sync.Mutex
	Tour   map[string]bool // steps that were done
}

// newSandbox makes the world, with everything in it that the demo shows; its service may have names of its own.
func newSandbox(k *Keeper, ownNames bool) (*Sandbox, error) {
	words, err := newTold()
	if err != nil {
		return nil, err
	}
	s := &Sandbox{
		Telegram: tgsim.New(tgsim.Options{Token: demoToken, BotName: demoBot, Beside: "/beside/panel.js", Number: 1}),
		Keeper:   k, Words: words, Shop: demoShop, Tour: map[string]bool{},
	}
	if s.Service, err = newService(ownNames); err != nil {
		return nil, err
	}
	addPeople(s.Telegram)
	s.worlds, err = worlds.New(worlds.Options{
		Only:     demoToken,
		Telegram: func(string, int) *tgsim.Server { return s.Telegram },
		Service:  func() (*sim.Server, error) { return s.Service, nil },
	})
	if err != nil {
		return nil, err
	}
	return s, nil
}

// Handler serves the service under /api/, what stands beside the chats under /beside/, and Telegram with its
// page everywhere else; all of it to this machine alone.
func (s *Sandbox) Handler() http.Handler {
	beside := http.NewServeMux()
	if files, err := fs.Sub(besideFiles, "beside"); err == nil {
		beside.Handle("GET /beside/", http.StripPrefix("/beside/", http.FileServerFS(files)))
	}
	beside.HandleFunc("GET /beside/events", s.events)
	beside.Handle("POST /beside/service/", http.StripPrefix("/beside/service", s.Service.Panel()))
	beside.HandleFunc("POST /beside/telegram", doing(map[string]func(){
		"flood": s.flood,
		"well":  s.Telegram.ClearFaults,
	}))
	beside.HandleFunc("POST /beside/bot", doing(map[string]func(){"kill": s.Keeper.kill}))
	mux := http.NewServeMux()
	mux.Handle("/api/", s.Service)
	mux.Handle("/beside/", tgsim.Sheltered(beside))
	mux.Handle("/control/v1/", s.worlds.Control())
	mux.Handle("/", s.Telegram)
	return tgsim.Guard(nil, mux)
}

// doing does what a post names.
func doing(all map[string]func()) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		var q struct {
			Do string `json:"do"`
		}
		if err := json.NewDecoder(http.MaxBytesReader(w, r.Body, 4<<10)).Decode(&q); err != nil || all[q.Do] == nil {
			http.Error(w, "nothing that can be done here", http.StatusBadRequest)
			return
		}
		all[q.Do]()
		w.WriteHeader(http.StatusNoContent)
	}
}

// BesideView is what the panel shows.
type BesideView struct {
	Key     string          `json:"key"`
	Other   string          `json:"other"` // the key of another account
	Service sim.View        `json:"service"`
	Truth   Truth           `json:"truth"`
	Bot     botView         `json:"bot"`
	Flood   int             `json:"flood"` // calls that Telegram will refuse
	Tour    map[string]bool `json:"tour"`  // steps that were done
	Coins   string          `json:"coins"` // what the tour tops up
}

// View is what the panel shows now.
func (s *Sandbox) View() BesideView {
	v := BesideView{Key: demoKey, Other: legacyKey, Service: s.Service.View(), Truth: s.truth(), Bot: s.Keeper.view(), Coins: s.Service.DemoTopup(), Tour: map[string]bool{}}
	for _, f := range s.Telegram.Faults() {
		v.Flood += f.Times
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for step, done := range s.steps(v) {
		// A step that was done stays so: much that it is known by, such as that both sides are even, passes again.
		if s.Tour[step] = s.Tour[step] || done; s.Tour[step] {
			v.Tour[step] = true
		}
	}
	return v
}

// flood has Telegram refuse the bot's next messages, for as long as it says.
func (s *Sandbox) flood() {
	for _, method := range []string{"sendmessage", "editmessagetext"} {
		s.Telegram.Inject(tgsim.Fault{Method: method, Times: 2, Kind: tgsim.Flood, Wait: 4 * time.Second})
	}
}

// events sends the panel's view whenever it has changed. Much of it changes because time passes, so that it
// is looked at again and again, but only while a page is open.
func (s *Sandbox) events(w http.ResponseWriter, r *http.Request) {
	const pause = 200 * time.Millisecond
	ctx, last := r.Context(), ""
	tgsim.Stream(w, r, func() (any, <-chan struct{}) {
		for {
			v := s.View()
			text, err := json.Marshal(v)
			// The loop is left when the browser goes away, too: Stream ends only once it is back here.
			if err == nil && string(text) != last || ctx.Err() != nil {
				last = string(text)
				again := make(chan struct{})
				time.AfterFunc(pause, func() { close(again) })
				return v, again
			}
			backoff.Sleep(ctx, pause)
		}
	})
}

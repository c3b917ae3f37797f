package main

import (
	"embed"
	"encoding/json"
	"io/fs"
	"net/http"
	"sync"
	"time"

	"resellerbot/internal/api/sim"
	"resellerbot/internal/conversations/tgsim"
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
)

// sandbox is the world of the demo: a reseller service, a Telegram with people in it, and a panel for what
// happens behind the chat.
type sandbox struct {
	service  *sim.Server
	telegram *tgsim.Server
	keeper   *keeper
	words    told
	shop     string // the name of the account with the demo's key

	mu   sync.Mutex
	tour map[string]bool // steps that were done
}

// newSandbox makes the world, with everything in it that the demo shows.
func newSandbox(k *keeper) (*sandbox, error) {
	words, err := newTold()
	if err != nil {
		return nil, err
	}
	s := &sandbox{
		service:  sim.New(sim.Options{Seed: uint64(time.Now().UnixNano()), Mode: sim.Both}),
		telegram: tgsim.New(tgsim.Options{Token: demoToken, BotName: demoBot, Beside: "/beside/panel.js"}),
		keeper:   k, words: words, shop: "Boutique El Djazair", tour: map[string]bool{},
	}
	s.service.DemoCatalogue()
	for _, account := range []sim.AccountSpec{
		{Key: demoKey, Name: s.shop, Email: "boutique@example.com", UserID: 4101, Balance: "25000"},
		{Key: legacyKey, Name: "Old shop", Mode: sim.Legacy, UserID: 4102, Balance: "18000"},
	} {
		if err := s.service.AddAccount(account); err != nil {
			return nil, err
		}
	}
	for _, u := range []tgsim.User{
		{ID: demoOwner, FirstName: "Yasmine", LanguageCode: "fr", Part: "owner"},
		{ID: demoSeller, FirstName: "ياسين", LanguageCode: "ar", Part: "seller"},
		{ID: demoCounter, FirstName: "Sam", LanguageCode: "en", Part: "counter"},
		{ID: demoStranger, FirstName: "Lina", LanguageCode: "fr", Part: "stranger"},
	} {
		s.telegram.AddUser(u)
	}
	s.telegram.AddGroup(demoGroup, "El Djazair", demoOwner, demoSeller, demoCounter)
	return s, nil
}

// handler serves the service under /api/, what stands beside the chats under /beside/, and Telegram with its
// page everywhere else; all of it to this machine alone.
func (s *sandbox) handler() http.Handler {
	beside := http.NewServeMux()
	if files, err := fs.Sub(besideFiles, "beside"); err == nil {
		beside.Handle("GET /beside/", http.StripPrefix("/beside/", http.FileServerFS(files)))
	}
	beside.HandleFunc("GET /beside/events", s.events)
	beside.Handle("POST /beside/service/", http.StripPrefix("/beside/service", s.service.Panel()))
	beside.HandleFunc("POST /beside/telegram", doing(map[string]func(){
		"flood": s.flood,
		"well":  s.telegram.ClearFaults,
	}))
	beside.HandleFunc("POST /beside/bot", doing(map[string]func(){"kill": s.keeper.kill}))
	mux := http.NewServeMux()
	mux.Handle("/api/", s.service)
	mux.Handle("/beside/", tgsim.Sheltered(beside))
	mux.Handle("/", s.telegram)
	return tgsim.Loopback(mux)
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

// flood has Telegram refuse the bot's next messages, for as long as it says.
func (s *sandbox) flood() {
	for _, method := range []string{"sendmessage", "editmessagetext"} {
		s.telegram.Inject(tgsim.Fault{Method: method, Times: 2, Kind: tgsim.Flood, Wait: 4 * time.Second})
	}
}

// besideView is what the panel shows.
type besideView struct {
	Key     string          `json:"key"`
	Service sim.View        `json:"service"`
	Truth   truth           `json:"truth"`
	Bot     botView         `json:"bot"`
	Flood   int             `json:"flood"` // calls that Telegram will refuse
	Tour    map[string]bool `json:"tour"`  // steps that were done
}

// view is what the panel shows now.
func (s *sandbox) view() besideView {
	v := besideView{Key: demoKey, Service: s.service.View(), Truth: s.truth(), Bot: s.keeper.view(), Tour: map[string]bool{}}
	for _, f := range s.telegram.Faults() {
		v.Flood += f.Times
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for step, done := range s.steps(v) {
		if s.tour[step] = s.tour[step] || done; s.tour[step] {
			v.Tour[step] = true
		}
	}
	return v
}

// events sends the panel's view whenever it has changed. Much of it changes because time passes, so that it
// is looked at again and again, but only while a page is open.
func (s *sandbox) events(w http.ResponseWriter, r *http.Request) {
	const pause = 200 * time.Millisecond
	last := ""
	tgsim.Stream(w, r, func() (any, <-chan struct{}) {
		for {
			v := s.view()
			text, err := json.Marshal(v)
			if err == nil && string(text) != last || r.Context().Err() != nil {
				last = string(text)
				again := make(chan struct{})
				time.AfterFunc(pause, func() { close(again) })
				return v, again
			}
			select {
			case <-time.After(pause):
			case <-r.Context().Done():
			}
		}
	})
}

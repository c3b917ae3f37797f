package proof

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"path"
	"strings"
	"sync"
)

// killInstant is how far a request is.
type killInstant uint8

const (
	isArrived  killInstant = iota // nothing is done yet
	isDone                        // it is done, and nobody knows
	isAnswered                    // the answer is on its way
)

// killTrap is a moment to kill the bot at: when the nth request of a kind is at a stage.
type killTrap struct {
	request string // "": none
	at      killInstant
	nth     int
}

// newKillTrap picks a moment, more often one at which money or a code is on the way.
func newKillTrap(rng *rand.Rand) killTrap {
	requests := []string{
		"purchase", "purchase", "purchase", "retrieve", "retrieve", "products", "balance",
		"sendmessage", "editmessagetext", "editmessagetext", "senddocument", "senddocument", "answercallbackquery", "getupdates",
	}
	return killTrap{request: requests[rng.IntN(len(requests))], at: killInstant(rng.IntN(3)), nth: 1 + rng.IntN(3)}
}

func (t killTrap) String() string {
	return fmt.Sprintf("%s %s", t.request, [...]string{"arrived", "done", "answered"}[t.at])
}

// kindOf names a request: a method of the Bot API in lower case, or a part of the service.
func kindOf(r *http.Request) string {
	if !strings.HasPrefix(r.URL.Path, "/api/") {
		return strings.ToLower(path.Base(r.URL.Path))
	}
	if strings.HasPrefix(r.URL.Path, "/api/products/purchase/") {
		return "purchase"
	}
	return path.Base(r.URL.Path)
}

// killGate is where all requests pass, and where a trap can be set for one.
type killGate struct {
	inner http.Handler

	mu     sync.Mutex
	buying int // purchases in hand
	trap   killTrap
	sprung chan struct{} // closed when a request is in the trap
	free   chan struct{} // closed when the bot is dead
}

// ServeHTTP implements http.Handler.
func (g *killGate) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	kind := kindOf(r)
	g.count(kind, 1)
	defer g.count(kind, -1)
	g.meet(kind, isArrived)
	if !g.wants(kind, isDone) {
		g.inner.ServeHTTP(w, r)
		if g.wants(kind, isAnswered) {
			_ = http.NewResponseController(w).Flush()
		}
		g.meet(kind, isAnswered)
		return
	}
	answer := httptest.NewRecorder()
	g.inner.ServeHTTP(answer, r)
	g.meet(kind, isDone)
	maps.Copy(w.Header(), answer.Header())
	w.WriteHeader(answer.Code)
	_, _ = w.Write(answer.Body.Bytes())
}

// set sets a trap. What it returns is closed when a request is in it.
func (g *killGate) set(t killTrap) <-chan struct{} {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.trap, g.sprung, g.free = t, make(chan struct{}), make(chan struct{})
	return g.sprung
}

// clear takes the trap away, and lets go what is in it.
func (g *killGate) clear() {
	g.mu.Lock()
	defer g.mu.Unlock()
	close(g.free)
	g.trap = killTrap{}
}

// buying is how many purchases the service has in hand.
func (l *liveBot) buying() int {
	n := l.gate.busy()
	if l.replicas != nil {
		for _, r := range l.replicas.each {
			n += r.gate.busy()
		}
	}
	return n
}

// busy is how many of them have come through here.
func (g *killGate) busy() int {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.buying
}

// count counts a purchase that comes, or goes.
func (g *killGate) count(kind string, n int) {
	if kind == "purchase" {
		g.mu.Lock()
		defer g.mu.Unlock()
		g.buying += n
	}
}

// wants reports whether the trap is for a request at a stage.
func (g *killGate) wants(kind string, at killInstant) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.trap.request == kind && g.trap.at == at
}

// meet holds a request that walks into the trap until the bot is dead.
func (g *killGate) meet(kind string, at killInstant) {
	g.mu.Lock()
	if g.trap.request != kind || g.trap.at != at {
		g.mu.Unlock()
		return
	}
	if g.trap.nth--; g.trap.nth > 0 {
		g.mu.Unlock()
		return
	}
	g.trap.request = ""
	free := g.free
	close(g.sprung)
	g.mu.Unlock()
	<-free
}

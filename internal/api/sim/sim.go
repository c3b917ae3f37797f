package sim

import (
	"cmp"
	"hash/fnv"
	"maps"
	"math/rand/v2"
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	"resellerbot/internal/api/dzd"
)

// Mode is which of the published generations of the interface are served.
type Mode string

// The modes. Both serves the paths of both generations under one base address.
const (
	Current Mode = "current"
	Legacy  Mode = "legacy"
	Both    Mode = "both"
)

// Options are how a Server is made. The zero value is a Current service at /api with the published limits.
type Options struct {
	Seed     uint64 // of the codes, the transaction ids and the names of players
	BasePath string // "/api"
	// GetPerMinute and PostPerMinute are the limits of a key: 60 and 30; negative is none.
	GetPerMinute, PostPerMinute int
	// Mode is what accounts see that say nothing else; Current when empty.
	Mode Mode
	// BothListsLegacy makes GET /products answer in the Legacy shape where both generations are served.
	BothListsLegacy bool
	// Shapes chooses among the forms that the document leaves open; 0 is the plain ones. The same number
	// always chooses the same forms.
	Shapes uint64
	// Zone is that of times that name none; UTC when nil.
	Zone *time.Location
	// OwnNames has the service use words of its own where the document has neutral ones, in paths and in the names of the
	// demo's products (OwnSegments), and list no kind, as the documented Product has none.
	OwnNames bool
	// CrossedIDs has the two generations number the same orders by themselves: an order's id in Current and in
	// Legacy are different numbers, and what is one order's id in one is another's in the other.
	CrossedIDs bool
}

// Server is the simulated service. Its methods may be called while it serves.
// mu guards everything below it; what stands above is set once, but for ahead, which is read without mu.
// Nothing moves by itself: what time has brought is worked out by advance, when somebody takes mu and looks.
// random and delays are two sources, so that a variant whose delays are drawn does not change the codes and ids that a seed makes.
type Server struct {
	base        string
	gets, posts int
	mode        Mode
	listsLegacy bool
	shape       shape
	names       uint64 // the seed of players' names
	crossed     bool
	ownNames    bool
	zone        *time.Location
	operations  []operation
	ahead       atomic.Int64 // of the process's clock

	mu        sync.Mutex
	random    *rand.Rand
	delays    *rand.Rand
	keys      map[string]*credential
	products  []*product
	variants  map[int64]*variant
	plans     []*plan
	players   map[playerKey]PlayerSpec
	orders    []*order
	byID      map[string]*order
	byTrx     map[string]*order // by transaction id
	byNo      map[int64]*order  // by the number of Legacy
	open      []*order          // their money is still to move: back, or from held to gone
	late      []*lateCall       // taken, and executed later
	spends    []*Spend
	world     World
	purchases []Purchase
	held      bool
	faults    []*Fault
	lost      int // purchases that were made and whose answers were lost
	requests  map[string]int
}

// New makes an empty service.
func New(o Options) *Server {
	return &Server{
		base: cmp.Or(o.BasePath, "/api"), gets: cmp.Or(o.GetPerMinute, 60), posts: cmp.Or(o.PostPerMinute, 30),
		mode: cmp.Or(o.Mode, Current), listsLegacy: o.BothListsLegacy, shape: shape(o.Shapes), names: o.Seed,
		operations: operations(), random: random(o.Seed, "codes"), delays: random(o.Seed, "delays"),
		keys: map[string]*credential{}, crossed: o.CrossedIDs, ownNames: o.OwnNames, zone: cmp.Or(o.Zone, time.UTC), byNo: map[int64]*order{}, variants: map[int64]*variant{}, players: map[playerKey]PlayerSpec{},
		byID: map[string]*order{}, byTrx: map[string]*order{}, requests: map[string]int{},
	}
}

// Copy is another service in the same state, made by duplicate while nothing changes.
func (s *Server) Copy(duplicate func(*Server) *Server) *Server {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.advance(s.now())
	return duplicate(s)
}

// random is a source of numbers for one purpose, always the same for a seed.
func random(seed uint64, purpose string) *rand.Rand {
	h := fnv.New64a()
	h.Write([]byte(purpose))
	return rand.New(rand.NewPCG(seed, h.Sum64())) //nolint:gosec // it is to be foreseen: nothing is guarded by it
}

// ServeHTTP implements http.Handler.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) { s.serve(w, r) }

// Requests counts the requests that reached each operation, "GET /balance".
func (s *Server) Requests() map[string]int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return maps.Clone(s.requests)
}

// Advance puts the service's clock ahead: orders get ready, refunds arrive, keys end.
// It only moves the clock. What has become due is done by the next call that takes mu, in the order of when it was due.
func (s *Server) Advance(d time.Duration) { s.ahead.Add(int64(d)) }

// HoldOrders keeps new orders from becoming ready, until it is called with false. Manual orders wait for
// a person in any case.
func (s *Server) HoldOrders(hold bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.advance(s.now())
	s.held = hold
	for _, o := range s.orders {
		if !hold && o.ready.IsZero() && !o.manual {
			o.ready = s.now()
		}
	}
}

// Balance is what the wallet of a key truly holds, in DZD.
func (s *Server) Balance(key string) dzd.Amount {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.advance(s.now())
	if a := s.account(key); a != nil {
		return a.balance
	}
	return dzd.Amount{}
}

// Available is what can truly be spent of it.
func (s *Server) Available(key string) dzd.Amount {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.advance(s.now())
	if a := s.account(key); a != nil {
		return a.available()
	}
	return dzd.Amount{}
}

// now is the service's time: the process's, and as much more as Advance has put it ahead.
func (s *Server) now() time.Time { return time.Now().Add(time.Duration(s.ahead.Load())) }

package proof

import (
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"resellerbot/internal/api/sim"
	"resellerbot/internal/sandbox/tgsim"
)

// soakWire is where requests reach the services: each goes to the one that knows its key, and those that spend get
// a tag, under which the service keeps what truly came of them.
type soakWire struct {
	soak *soak

	mu       sync.Mutex
	requests []soakRequest // that spend, by their arrival
}

// soakRequest is a request that spends, as the program made it.
type soakRequest struct {
	tag, key, what string
	at             time.Time
	answered       bool // as it should have been
}

// ServeHTTP implements http.Handler.
func (w *soakWire) ServeHTTP(out http.ResponseWriter, r *http.Request) {
	world := w.soak.worlds[0]
	key := r.Header.Get("X-Api-Key")
	if shop := w.soak.shopOfKey(key); shop != nil {
		world = shop.world
	}
	if !sleep(r.Context(), time.Duration(10+rand.IntN(60))*time.Millisecond) {
		return
	}
	if !spendsMoney(r) {
		world.ServeHTTP(out, r)
		return
	}
	i, tag := w.arrive(key, r.Method+" "+r.URL.Path)
	answer := &soakAnswer{ResponseWriter: out, code: http.StatusOK}
	world.ServeHTTP(answer, r.WithContext(sim.Tagged(r.Context(), tag)))
	w.mu.Lock()
	defer w.mu.Unlock()
	w.requests[i].answered = answer.code == http.StatusOK && answer.wrote
}

// arrive notes a request that spends.
func (w *soakWire) arrive(key, what string) (i int, tag string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	i = len(w.requests)
	tag = fmt.Sprintf("request %d", i+1)
	w.requests = append(w.requests, soakRequest{tag: tag, key: key, what: what, at: time.Now()})
	return i, tag
}

func (w *soakWire) all() []soakRequest {
	w.mu.Lock()
	defer w.mu.Unlock()
	return slices.Clone(w.requests)
}

// spendsMoney tells purchases of both generations and top-ups.
func spendsMoney(r *http.Request) bool {
	return r.Method == http.MethodPost &&
		(strings.Contains(r.URL.Path, "/products/purchase/") || strings.HasSuffix(r.URL.Path, "/purchase") || strings.HasSuffix(r.URL.Path, "/arena/topup"))
}

// soakAnswer sees how a request is answered.
type soakAnswer struct {
	http.ResponseWriter

	code  int
	wrote bool
}

// WriteHeader implements http.ResponseWriter.
func (a *soakAnswer) WriteHeader(code int) {
	a.code = code
	a.ResponseWriter.WriteHeader(code)
}

// Write implements http.ResponseWriter.
func (a *soakAnswer) Write(b []byte) (int, error) {
	a.wrote = true
	return a.ResponseWriter.Write(b)
}

// soakSky is the weather.
type soakSky struct {
	soak *soak

	mu     sync.Mutex
	bad    []soakSpell
	kinds  map[string]int
	debits map[int][]time.Time // when foreign money went, by the number of the shop
}

// soakSpell is a time in which something was wrong.
type soakSpell struct{ from, to time.Time }

// note remembers a bad time.
func (w *soakSky) note(from, to time.Time) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.bad = append(w.bad, soakSpell{from, to})
}

// fair reports whether all was well for a time.
func (w *soakSky) fair(from, to time.Time) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return !slices.ContainsFunc(w.bad, func(b soakSpell) bool { return b.from.Before(to) && b.to.After(from) })
}

// count counts what the weather did.
func (w *soakSky) count(kind string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.kinds == nil {
		w.kinds = map[string]int{}
	}
	w.kinds[kind]++
}

// foreign remembers that money went from a shop's wallet for which nobody tapped here.
func (w *soakSky) foreign(shop *soakShop) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.debits == nil {
		w.debits = map[int][]time.Time{}
	}
	w.debits[shop.number] = append(w.debits[shop.number], time.Now())
}

// foreignBetween reports whether foreign money moved in a shop's wallet between two times.
func (w *soakSky) foreignBetween(shop *soakShop, from, to time.Time) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return slices.ContainsFunc(w.debits[shop.number], func(at time.Time) bool { return at.After(from) && at.Before(to) })
}

// change has fair and bad spells take turns, until the day is over.
func (w *soakSky) change(day context.Context) {
	s, rng := w.soak, w.soak.random(2)
	longest := max(15*time.Second, min(2*time.Minute, s.length/8))
	for sleep(day, 10*time.Second+time.Duration(rng.Int64N(int64(longest)))) {
		begin := time.Now()
		name, end := w.spell(rng)
		w.count(name)
		sleep(day, 8*time.Second+time.Duration(rng.Int64N(int64(longest))))
		end()
		w.note(begin, time.Now().Add(5*time.Second))
	}
}

// spell begins a bad spell. What it returns ends it.
func (w *soakSky) spell(rng *rand.Rand) (name string, end func()) {
	s := w.soak
	world := s.worlds[rng.IntN(len(s.worlds))]
	outages := map[string]sim.Fault{
		"outage: 502":                 {Kind: sim.Status, Status: http.StatusBadGateway},
		"outage: silence":             {Kind: sim.Silence},
		"outage: closed":              {Kind: sim.DropRequest},
		"outage: it is done and 502":  {Kind: sim.StatusDone, Status: http.StatusBadGateway},
		"outage: firewall":            {Kind: sim.Forbidden},
		"outage: 429":                 {Kind: sim.RateLimit, Delay: 2 * time.Second},
		"outage: 500 in the envelope": {Kind: sim.ErrorAnswer, Status: http.StatusInternalServerError},
	}
	telegram := map[string]tgsim.Fault{
		"telegram: 429":              {Kind: tgsim.Flood, Wait: 3 * time.Second},
		"telegram: 500":              {Kind: tgsim.Broken},
		"telegram: answers are lost": {Kind: tgsim.CloseAfter},
		"telegram: slow":             {Kind: tgsim.HangAfter, Wait: 3 * time.Second},
	}
	names := slices.Concat(slices.Sorted(maps.Keys(outages)), slices.Sorted(maps.Keys(telegram)), []string{"orders wait", "a key is refused", "telegram: 403"})
	name = names[rng.IntN(len(names))]
	switch name {
	case "orders wait":
		world.HoldOrders(true)
		return name, func() { world.HoldOrders(false) }
	case "a key is refused":
		shop := s.shops[rng.IntN(len(s.shops))]
		key := shop.secret()
		shop.world.ExpireKey(key)
		return name, func() { shop.world.SetExpiry(key, time.Time{}) }
	case "telegram: 403":
		return name, w.block(rng)
	}
	const all = 1 << 30
	if f, ok := telegram[name]; ok {
		f.Method, f.Times = "*", all
		s.telegram.Inject(f)
		return name, s.telegram.ClearFaults
	}
	f := outages[name]
	f.Operation, f.Times = sim.AnyOperation, all
	world.Inject(f)
	return name, world.ClearFaults
}

// block has some people take no messages. What it returns lets them take messages again.
func (w *soakSky) block(rng *rand.Rand) (end func()) {
	var blocked []int64
	for range 6 {
		shop := w.soak.shops[rng.IntN(soakShops)]
		blocked = append(blocked, shop.people[rng.IntN(soakPeople)].id)
	}
	for _, id := range blocked {
		w.soak.telegram.Block(id)
	}
	return func() {
		for _, id := range blocked {
			w.soak.telegram.Unblock(id)
		}
	}
}

// drizzle has small things go wrong, and the world go on, until the day is over.
func (w *soakSky) drizzle(day context.Context) {
	s, rng := w.soak, w.soak.random(3)
	for sleep(day, 500*time.Millisecond) {
		s.fulfil(rng)
		switch rng.IntN(16) {
		case 0:
			if rng.IntN(2) == 0 {
				continue
			}
			f := soakSpendingFault(rng, s.length)
			w.count(fmt.Sprintf("a purchase meets %d", f.Kind))
			s.worlds[rng.IntN(len(s.worlds))].Inject(f)
		case 1:
			w.count("a reading fails")
			s.worlds[rng.IntN(len(s.worlds))].Inject(soakReadingFault(rng))
		case 2:
			w.count("telegram stumbles")
			s.telegram.Inject(randomTelegramFault(rng, s.shops[rng.IntN(len(s.shops))].people[rng.IntN(soakPeople)].id))
		case 3, 4:
			w.elsewhere(rng)
		case 5:
			w.market(rng)
		case 6:
			world := s.worlds[rng.IntN(len(s.worlds))]
			world.SetWorld(world.lagging(rng))
		}
	}
}

// lagging is another state of the same world.
func (w *soakWorld) lagging(rng *rand.Rand) sim.World {
	now := w.usual
	lag := func() time.Duration {
		if w.lag <= 0 || rng.IntN(2) == 0 {
			return 0
		}
		return time.Duration(rng.Int64N(int64(w.lag)))
	}
	now.BalanceLag, now.ListLag, now.StatusLag, now.CounterLag = lag(), lag(), min(lag(), 30*time.Second), lag()
	if w.name == "hard" {
		now.ListStatus = []int{0, 0, 0, 403, 405, 500}[rng.IntN(6)]
		now.ListHidesCurrent, now.ListEnveloped = rng.IntN(2) == 0, rng.IntN(2) == 0
		now.Course, now.Detour = sim.Course(rng.IntN(3)), 10*time.Second
	}
	return now
}

// elsewhere is what others do with the accounts: they buy the same, and deposit money, also just a price.
func (w *soakSky) elsewhere(rng *rand.Rand) {
	s := w.soak
	shop := s.shops[rng.IntN(len(s.shops))]
	if shop.foreign && rng.IntN(2) == 0 {
		w.foreign(shop)
		if _, err := shop.world.Buy(shop.secret(), 101, 1, "foreign"); err == nil {
			w.count("a foreign purchase")
		}
		return
	}
	if rng.IntN(4) > 0 {
		return
	}
	w.count("a deposit")
	shop.world.Deposit(shop.secret(), []string{"1250.50", "2480", "500", strconv.Itoa(1000 * (1 + rng.IntN(50)))}[rng.IntN(4)])
}

// market changes a price, a name or a key at the service that is hard to read.
func (w *soakSky) market(rng *rand.Rand) {
	hard := w.soak.worlds[2]
	switch rng.IntN(8) {
	case 0:
		shop := w.soak.shops[7+rng.IntN(3)]
		w.count("a key is renewed")
		shop.rotate()
		w.soak.logf("the key of shop %d is renewed: %s", shop.number, w.soak.since(time.Now()))
	case 1, 2:
		w.count("a name changes")
		hard.SetName(103, []string{"25 USD", "25 USD (US)"}[rng.IntN(2)])
	case 3, 4, 5:
		w.count("a price changes")
		hard.SetPrice(102, []string{"2480", "2600", "2399.99"}[rng.IntN(3)])
	}
}

// clear ends the weather: everything is well, and stays so. What takes its time still does.
func (w *soakSky) clear() {
	s := w.soak
	for _, world := range s.worlds {
		world.ClearFaults()
		world.HoldOrders(false)
		world.SetWorld(world.usual)
	}
	s.telegram.ClearFaults()
	for _, shop := range s.shops {
		shop.world.SetExpiry(shop.secret(), time.Time{})
		for _, p := range shop.people {
			s.telegram.Unblock(p.id)
		}
	}
}

// fulfil has the people of the services see to what waits for them.
func (s *soak) fulfil(rng *rand.Rand) {
	if rng.IntN(10) > 0 {
		return
	}
	for _, world := range s.worlds {
		for _, o := range world.Orders() {
			if o.Status != "pending" || o.VariantID != 141 || time.Since(o.At) < 5*time.Second {
				continue
			}
			var err error
			if rng.IntN(10) == 0 {
				err = world.CancelOrder(o.ID, "out of licences")
			} else {
				err = world.Fulfil(o.ID, soakCode(rng), "")
			}
			if err != nil {
				s.t.Errorf("order %s of the %s service: %v", o.ID, world.name, err)
			}
		}
	}
}

// soakCode is a code that a person typed, of the form of all others.
func soakCode(rng *rand.Rand) string {
	const letters = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789"
	var b strings.Builder
	for i := range 16 {
		if i > 0 && i%4 == 0 {
			b.WriteByte('-')
		}
		b.WriteByte(letters[rng.IntN(len(letters))])
	}
	return b.String()
}

// soakSpendingFault is something that goes wrong with the next purchase.
func soakSpendingFault(rng *rand.Rand, length time.Duration) sim.Fault {
	f := sim.Fault{Operation: sim.Spending, Times: 1}
	refusals := []int{400, 403, 404, 422}
	switch rng.IntN(16) {
	case 0, 1:
		f.Kind = sim.LoseAnswer
	case 2:
		f.Kind = sim.SilenceDone
	case 3:
		f.Kind = sim.Silence
	case 4:
		f.Kind = sim.DropRequest
	case 5:
		f.Kind, f.Status = sim.StatusDone, 502
	case 6:
		f.Kind, f.Status = sim.Status, 503
	case 7:
		f.Kind, f.Status = sim.ErrorDone, refusals[rng.IntN(4)]
	case 8:
		f.Kind, f.Status = sim.ErrorAnswer, refusals[rng.IntN(4)]
	case 9:
		f.Kind, f.Status = sim.ErrorDone, http.StatusTooManyRequests
	case 10, 11:
		f.Kind, f.Delay = sim.RateLimit, time.Second
	case 12:
		f.Kind = sim.Garbage
	case 13:
		f.Kind = sim.ShortCount
	case 14:
		f.Kind, f.Delay = sim.Late, 5*time.Second+time.Duration(rng.Int64N(int64(min(10*time.Minute, length/4))))
	default:
		f.Kind, f.Delay = sim.Delay, time.Duration(rng.IntN(8))*time.Second
	}
	return f
}

// soakReadingFault is something that goes wrong with the next few requests.
func soakReadingFault(rng *rand.Rand) sim.Fault {
	operations := []string{"GET /balance", "GET /purchase-history", "POST /products/orders/retrieve", "GET /products", "GET /orders/{order_id}", "GET /account/balance"}
	f := sim.Fault{Operation: operations[rng.IntN(len(operations))], Times: 1 + rng.IntN(4), Status: http.StatusInternalServerError}
	f.Kind = []sim.FaultKind{sim.Status, sim.ErrorAnswer, sim.RateLimit, sim.Garbage, sim.LoseAnswer, sim.Forbidden, sim.Silence}[rng.IntN(7)]
	return f
}

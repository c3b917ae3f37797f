package purchase

import (
	"bytes"
	"cmp"
	"fmt"
	"hash/fnv"
	"io"
	"log/slog"
	"os"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"resellerbot/internal/api"
	"resellerbot/internal/api/dzd"
	"resellerbot/internal/sampletest"
	"resellerbot/internal/secret"
	"resellerbot/internal/store"
	"resellerbot/internal/store/storetest"
)

// doing is what happens in a step of a small world.
type doing uint8

const (
	buys          doing = iota // a purchase of ours is sent
	runs                       // the service executes one late
	foreign                    // somebody else buys the same
	topsUp                     // money comes into the wallet
	fails                      // an order fails, and its money is back
	ends                       // orders come to their end
	looking                    // the engine looks for an uncertain purchase
	processing                 // the engine looks at the account
	balanceAsked               // somebody looks at the balance
	polls                      // the orders that wait are asked for
	personDecides              // a person who sees the truth decides
	letsGo                     // an owner lets the others go first
	timePasses                 // time passes
	quiets                     // the quiet time passes, and the engine looks twice
)

// action is one step of a small world.
type action struct {
	do      doing
	i       int // which purchase, amount or pause
	answer  answering
	execute bool
	read    reads
}

func (a action) String() string {
	own := [...]string{"A", "B", "F"}
	switch a.do {
	case buys:
		how := "not executed"
		if a.execute {
			how = "executed"
		}
		return fmt.Sprintf("%s is sent (%s before it): %s, %s", own[a.i], a.read, a.answer, how)
	case runs:
		return own[a.i] + " is executed, late"
	case foreign:
		return "somebody else buys the same (F)"
	case topsUp:
		return fmt.Sprintf("a top-up of %d", a.i)
	case fails:
		return fmt.Sprintf("the order of %s fails, and its money is back", own[a.i])
	case ends:
		return "the orders on their way are completed"
	case looking:
		return fmt.Sprintf("a look for %s (%s)", own[a.i], a.read)
	case processing:
		return fmt.Sprintf("a look at the account (%s)", a.read)
	case balanceAsked:
		return fmt.Sprintf("somebody asks for the balance (%s)", a.read)
	case polls:
		return "the orders are asked for"
	case personDecides:
		return "a person who sees the truth decides about " + own[a.i]
	case letsGo:
		return "an owner lets the others go first"
	case quiets:
		return "the quiet time passes, with two looks for " + own[a.i] + " behind it (all fresh)"
	}
	return [...]string{"45 s pass", "the quiet time passes", "16 min pass"}[a.i]
}

// bound is how far small worlds are walked.
type bound struct {
	depth  int  // steps
	own    int  // purchases of ours
	extras int  // of the foreign purchase, the top-up and the refund, how many in one world
	soons  int  // short pauses
	rest   int  // one state of so many is left to rest, and has to come to an end
	states int  // of each kind of world, that are gone on from; zero for all
	brief  bool // some kinds of worlds are left out
}

// node is a state, and how it was come to.
type node struct {
	parent *node
	action action
	depth  int
	world  *world
	kept   snapshot
	ours   *[2]store.Purchase
}

// story tells how a state was come to.
func (n *node) story() string {
	var steps []string
	for m := n; m.parent != nil; m = m.parent {
		steps = append(steps, m.action.String())
	}
	slices.Reverse(steps)
	return strings.Join(steps, "; ")
}

// lab walks small worlds.
type lab struct {
	t        *testing.T
	bound    bound
	memory   *memory
	store    *store.Store
	seen     map[[16]byte]bool
	states   int
	edges    int
	rested   int
	apart    map[string]int // worlds left out, by rule
	broken   map[string]int
	shortest map[string]string
	depth    map[string]int
	asked    int   // states in which a person is asked
	deep     []int // states by depth
	cut      int   // states that are not gone on from, since the bound is reached
}

// names is a reader of the one byte that tells purchases apart.
type names byte

func (n names) Read(b []byte) (int, error) {
	return copy(b, bytes.Repeat([]byte{byte(n)}, len(b))), nil
}

// stage is one bubble of time in which a step is taken.
type stage struct {
	*lab

	t       *testing.T
	world   *world
	service *smallService
	engine  *Engine
	found   map[string]bool // what was violated
	left    bool            // it is left out
	ours    *[2]store.Purchase
	oursAt  uint64 // the version of the memory that they were read at
}

// play takes a step from a state, in virtual time, and hands over what came of it.
func (l *lab) play(n *node, do func(*stage)) (s *stage, after snapshot) {
	synctest.Test(l.t, func(t *testing.T) {
		s = &stage{lab: l, t: t, world: n.world.clone(), found: map[string]bool{}}
		<-time.After(s.world.now)
		l.memory.bring(n.kept)
		s.service = &smallService{world: s.world}
		s.ours, s.oursAt = n.ours, n.kept.version
		s.engine = s.open(0)
		do(s)
		s.world.now = time.Since(began())
		s.clear()
		after = l.memory.keep()
	})
	return s, after
}

// open makes an engine whose next purchase is called by a number.
func (s *stage) open(i int) *Engine {
	e := New(Config{
		Store: s.store, Service: func(store.Account) Service { return s.service }, NextLook: func(time.Duration) time.Duration { return 24 * time.Hour },
		ReconcileFor: 10 * time.Minute, StopGrace: time.Second, Random: io.Reader(names(i + 1)), Log: slog.New(slog.DiscardHandler),
	})
	e.began = began()
	return e
}

// clear takes out of the store what nothing is decided by.
func (s *stage) clear() {
	s.memory.drop(func(p place) bool { return p.kind == store.KindOutbox || p.kind == store.KindMovement })
}

// must ends the test where the engine fails.
func (s *stage) must(err error) {
	if err != nil {
		s.t.Fatal(err)
	}
}

func (s *stage) account() store.Account {
	a, err := s.store.Account(s.t.Context(), "u1")
	s.must(err)
	return a
}

// purchases reads our own purchases, once while nothing is written; those that are not there have no ID.
func (s *stage) purchases() (out [2]store.Purchase) {
	if s.ours != nil && s.oursAt == s.memory.version {
		return *s.ours
	}
	defer func() { s.ours, s.oursAt = &out, s.memory.version }()
	list, err := s.store.ChatPurchases(s.t.Context(), 5, "", 10)
	s.must(err)
	for _, p := range list {
		out[p.Message-50] = p
	}
	return out
}

// start is the first state of a kind of world.
func (l *lab) start(k kindOfWorld) *node {
	n := &node{world: &world{kind: k}, kept: l.memory.keep()}
	_, after := l.play(n, func(s *stage) {
		a := store.Account{ID: "u1", Key: secret.New("key"), Chats: []int64{5}, Generation: string(api.Legacy)}
		if k.list == other {
			a.Generation = string(api.Current)
		}
		if k.known {
			a.Lags = map[string]store.Lag{balanceLag: {Seen: lagSamples}, listLag(a, store.Purchase{}): {Seen: lagSamples}}
		}
		if k.shared {
			a.OutsideAt = time.Now()
		}
		s.must(s.store.Update(s.t.Context(), func(tx *store.Tx) error { return tx.PutAccount(&a) }))
		if k.known {
			_, err := s.engine.Observe(s.t.Context(), a.ID)
			s.must(err)
		}
	})
	n.kept = after
	return n
}

// take is one step.
func (s *stage) take(a action) {
	w := s.world
	s.service.read = a.read
	switch a.do {
	case buys:
		s.buy(a)
	case runs:
		w.execute(a.i)
	case foreign:
		w.extras++
		w.deeds[foreigner].answer = withIDs
		w.execute(foreigner)
	case topsUp:
		w.extras++
		w.topups = a.i
		w.move('t', int64(a.i), int64(a.i))
	case fails:
		w.extras++
		w.fail(a.i)
	case ends:
		w.complete()
	case looking:
		s.must(s.engine.lookFor(s.t.Context(), s.purchases()[a.i]))
	case processing:
		s.must(s.engine.lookAt(s.t.Context(), s.account()))
	case balanceAsked:
		_, err := s.engine.Observe(s.t.Context(), "u1")
		s.must(err)
	case polls:
		s.poll()
	case personDecides:
		s.must(s.decide(s.purchases()[a.i].ID, w.deeds[a.i].executed))
	case letsGo:
		s.must(s.engine.LetGo(s.t.Context(), s.purchases()[a.i].ID, 5))
	case timePasses:
		if a.i == 0 {
			w.soons++
		}
		<-time.After(s.pause(a.i))
	case quiets:
		<-time.After(s.pause(1))
		for range 2 {
			w.now = time.Since(began())
			if p := s.purchases()[a.i]; p.Phase == store.Unknown {
				s.must(s.engine.lookFor(s.t.Context(), p))
			}
			<-time.After(65 * time.Second)
		}
	}
}

// pause is how long a pause is.
func (s *stage) pause(i int) time.Duration {
	switch i {
	case 0:
		return 45 * time.Second
	case 1:
		var until time.Duration
		for _, p := range s.purchases() {
			if p.Phase == store.Unknown || p.Phase == store.Undecided {
				until = max(until, time.Until(p.AnsweredAt.Add(quietOf(s.account(), p)+5*time.Second)))
			}
		}
		return max(until, 65*time.Second)
	}
	return 16 * time.Minute
}

// buy drafts, confirms and sends a purchase.
func (s *stage) buy(a action) {
	s.engine = s.open(a.i)
	s.service.buying, s.service.answer, s.service.execute = a.i, a.answer, a.execute
	w := s.world
	if f := &w.deeds[foreigner]; f.executed {
		f.unlisted = w.kind.list == missing || slices.Contains(w.rows[len(w.rows)-a.read.list:], foreigner)
		f.hidden = a.read.money > 0 && slices.ContainsFunc(w.cash[len(w.cash)-a.read.money:], func(c cash) bool { return c.why == 'a'+foreigner }) &&
			a.read.list > 0 && slices.Contains(w.rows[len(w.rows)-a.read.list:], foreigner)
	}
	told := s.purchases()
	p, err := s.engine.Draft(s.t.Context(), Draft{
		Account: "u1", Chat: 5, User: 5, Message: 50 + a.i, Product: api.Product{ID: 3, Name: "Card"},
		Variant: api.Variant{ID: 7, Name: "10 USD", Price: dzd.Int(smallPrice)}, Quantity: 1,
		Same: slices.DeleteFunc(told[:], func(p store.Purchase) bool { return p.ID == "" }), // who was refused the same wants it all the same
	})
	s.must(err)
	_, err = s.engine.Confirm(s.t.Context(), Tap{Purchase: p.ID, Nonce: p.Nonce, Chat: 5, User: 5, Message: p.Message})
	s.must(err)
	_, _, err = s.engine.step(s.t.Context(), "u1")
	s.must(err)
	w.deeds[a.i].end = time.Since(began())
}

// poll asks for the orders that we know of.
func (s *stage) poll() {
	var seen []api.Order
	for _, p := range s.purchases() {
		for _, id := range p.OrderIDs {
			i := ownerOf(id)
			o := s.world.order(i)
			o.ID = id
			seen = append(seen, o)
		}
	}
	s.must(s.engine.Settle(s.t.Context(), "u1", seen, time.Now()))
}

// ownerOf is whose an order is, by any of its ids.
func ownerOf(id string) int { return int(id[len(id)-1] - '0') }

// actions lists what may happen next.
func (s *stage) actions(b bound) (out []action) {
	w, a, ps := s.world, s.account(), s.purchases()
	for i := range ps {
		out = append(out, s.actionsOf(b, a, ps, i)...)
	}
	out = append(out, s.others(b)...)
	out = append(out, s.readings(a)...)
	if s.polled(ps) {
		out = append(out, action{do: polls})
	}
	if ps[0].ID == "" && w.extras == 0 {
		return out // nothing has happened that time could tell of
	}
	if w.soons < b.soons {
		out = append(out, action{do: timePasses, i: 0})
	}
	if slices.ContainsFunc(ps[:], func(p store.Purchase) bool { return p.Phase == store.Unknown || p.Phase == store.Undecided }) {
		out = append(out, action{do: timePasses, i: 1})
	}
	return append(out, action{do: timePasses, i: 2})
}

// actionsOf lists what may happen next to one of our purchases.
func (s *stage) actionsOf(b bound, a store.Account, ps [2]store.Purchase, i int) (out []action) {
	w, p, d := s.world, ps[i], s.world.deeds[i]
	if p.ID == "" {
		if i >= b.own || i > 0 && ps[i-1].ID == "" || a.Busy != "" {
			return nil
		}
		return s.waysToBuy(i)
	}
	if !d.executed && w.now-d.end < time.Hour {
		out = append(out, action{do: runs, i: i})
	}
	if d.executed && !d.failed && w.extras < b.extras && !slices.ContainsFunc(w.deeds[:], func(d deed) bool { return d.failed }) {
		out = append(out, action{do: fails, i: i})
	}
	if isLookedFor(p) && !p.LookAt.IsZero() && !p.LookAt.After(time.Now()) {
		for _, r := range w.readings(true) {
			out = append(out, action{do: looking, i: i, read: r})
		}
	}
	if p.Phase == store.Undecided && !d.failed && (d.executed || w.now-d.end > 15*time.Minute) {
		out = append(out, action{do: personDecides, i: i})
	}
	if p.Phase == store.Unknown {
		out = append(out, action{do: quiets, i: i})
		if i+1 < b.own {
			out = append(out, action{do: letsGo, i: i})
		}
	}
	return out
}

// isLookedFor reports whether a purchase is in a phase in which the engine looks for it.
func isLookedFor(p store.Purchase) bool {
	return p.Phase == store.Unknown || p.Phase == store.Undecided || p.Phase == store.NotCreated || p.Phase == store.Rejected
}

// waysToBuy lists how a purchase may be sent, and what may be answered.
func (s *stage) waysToBuy(i int) (out []action) {
	for _, r := range s.world.readings(true) {
		for _, how := range []action{{answer: withIDs, execute: true}, {answer: withNothing, execute: true}, {answer: withNothing}, {answer: withRefusal, execute: true}, {answer: withRefusal}} {
			how.do, how.i, how.read = buys, i, r
			out = append(out, how)
		}
	}
	return out
}

// others lists what may happen next that is not of our purchases' making.
func (s *stage) others(b bound) (out []action) {
	w := s.world
	if !w.deeds[foreigner].executed && w.extras < b.extras {
		out = append(out, action{do: foreign})
	}
	if w.topups == 0 && w.extras < b.extras {
		out = append(out, action{do: topsUp, i: smallPrice}, action{do: topsUp, i: smallPrice / 2})
	}
	if slices.ContainsFunc(w.deeds[:], func(d deed) bool { return d.executed && !d.completed && !d.failed }) {
		out = append(out, action{do: ends})
	}
	return out
}

// readings lists how the balance may be read next: where a look is due, it does the same as whoever asks.
func (s *stage) readings(a store.Account) (out []action) {
	due := !a.LookAt.IsZero() && !a.LookAt.After(time.Now())
	for _, r := range s.world.readings(false) {
		switch {
		case due:
			out = append(out, action{do: processing, read: r})
		case a.Busy == "" && a.Wallet.Read:
			out = append(out, action{do: balanceAsked, read: r})
		}
	}
	return out
}

// polled reports whether asking for the orders would show something new.
func (s *stage) polled(ps [2]store.Purchase) bool {
	for _, p := range ps {
		orders, err := s.store.OrdersOf(s.t.Context(), p)
		s.must(err)
		for _, o := range orders {
			if d := s.world.deeds[ownerOf(o.ID)]; d.failed != (o.State == store.Failed) || d.completed && !d.failed && o.State == store.Waiting {
				return true
			}
		}
	}
	return false
}

// judgeTruth holds what was said in a step against the truth.
func (s *stage) judgeTruth(was [2]store.Purchase, person bool) {
	ps := s.purchases()
	owners := map[int]int{}
	for i, p := range ps {
		d := s.world.deeds[i]
		if p.Phase == store.NotCreated && was[i].Phase != store.NotCreated && !person && d.executed && !d.failed {
			s.found["false \"not bought\", by "+why(p)] = true
		}
		if p.Phase != store.Accepted && p.Phase != store.Settled {
			continue
		}
		for _, id := range p.OrderIDs {
			n := ownerOf(id)
			if n == foreigner && (s.world.within(i) || s.world.unlisted(i)) {
				s.apart["beside an attempt: an older reading hides what was executed, or undoes what was seen"]++
				s.left = true
				continue
			}
			if n != i {
				s.found["an order given to the wrong purchase, by "+why(p)] = true
			}
			if owners[n]++; owners[n] > 1 {
				s.found["one order for two purchases, by "+why(p)] = true
			}
		}
	}
	s.alarms()
}

// why is what the last step of a purchase was for that led to what it is.
func why(p store.Purchase) string {
	for _, h := range slices.Backward(p.History) {
		if h.To == store.Accepted || h.To == store.NotCreated {
			return fmt.Sprintf("%q of one that was %s", h.Why, h.From)
		}
	}
	return "nothing"
}

// alarms holds what is said about money that went against the truth.
func (s *stage) alarms() {
	if !s.memory.has(store.KindOutbox) {
		return
	}
	out, err := s.store.ChatOutbox(s.t.Context(), 5, 100)
	s.must(err)
	for _, o := range out {
		for i, p := range s.purchases() {
			if p.ID != "" && o.NoteName() == store.DebitOrLateNote && strings.Contains(o.Args["orders"], store.Ref(p.ID)) {
				s.world.named[i] = true
			}
		}
		if o.NoteName() == store.DebitNote && !s.world.deeds[foreigner].executed {
			s.found["a theft alarm while no foreign money moved"] = true
		}
	}
}

// rest lets a state come to its rest, and looks at what was said then.
func (s *stage) rest() {
	was := s.calm()
	if s.decideBeside(was) {
		was = s.calm()
	}
	for i, p := range was {
		d := s.world.deeds[i]
		switch p.Phase {
		case store.Queued, store.Submitting, store.Unknown:
			s.found["never decided and nobody asked: "+string(p.Phase)] = true
		case store.NotCreated, store.Rejected:
			if d.executed && !d.failed && !s.byPerson(p) && !s.world.named[i] && !s.masked() {
				s.found[fmt.Sprintf("%s stands uncorrected", p.Phase)] = true
			}
		}
	}
}

// decideBeside has a person who sees the truth decide about a purchase of which they are asked, where one that was sent before it was
// executed and said not to be: the order that shows may be of either, so nothing speaks against the first while the second is open.
func (s *stage) decideBeside(ps [2]store.Purchase) (decided bool) {
	for j, q := range ps {
		if q.Phase != store.Undecided {
			continue
		}
		for i, p := range ps {
			denied := p.Phase == store.NotCreated || p.Phase == store.Rejected
			if d := s.world.deeds[i]; denied && d.executed && !d.failed && !p.SentAt.After(q.SentAt) {
				s.must(s.decide(q.ID, s.world.deeds[j].executed))
				return true
			}
		}
	}
	return false
}

// calm waits until nothing more happens: every reading is fresh, and the engine does what is due.
func (s *stage) calm() (was [2]store.Purchase) {
	end := time.Now().Add(75 * time.Minute)
	was = s.purchases()
	for {
		s.service.read = reads{}
		s.world.now = time.Since(began())
		s.world.complete()
		s.poll()
		s.must(s.engine.ProcessDue(s.t.Context()))
		s.must(s.engine.ProcessDueAccounts(s.t.Context()))
		s.judgeTruth(was, false)
		was = s.purchases()
		next := end
		for _, k := range []store.Kind{store.KindPurchase, store.KindAccount} {
			at, found, err := s.memory.NextDue(s.t.Context(), k)
			s.must(err)
			if found && at.Before(next) {
				next = at
			}
		}
		if !next.Before(end) {
			break
		}
		<-time.After(max(time.Until(next), time.Minute))
	}
	return was
}

// masked reports whether nothing shows that a purchase was executed: there is no list, and as much or more money came
// as went. What came may be the refund of an order that no answer has named: the bot cannot know that it failed.
func (s *stage) masked() bool {
	sum := int64(s.world.topups)
	for i, p := range s.purchases() {
		if d := s.world.deeds[i]; d.executed && !d.failed && (p.Phase == store.NotCreated || p.Phase == store.Rejected) {
			sum -= smallPrice
		}
		if d := s.world.deeds[i]; d.executed && d.failed && len(p.OrderIDs) == 0 {
			sum += smallPrice
		}
	}
	if s.world.kind.list != missing || sum < 0 {
		return false
	}
	s.apart["a top-up, or the refund of an order that no answer has named, hides the charge, and there is no list"]++
	return true
}

// byPerson reports whether a person has said that a purchase was not bought.
func (s *stage) byPerson(p store.Purchase) bool {
	return slices.ContainsFunc(p.History, func(h store.Step) bool { return strings.HasPrefix(h.Why, "a person") })
}

// broke notes what a state has violated.
func (l *lab) broke(n *node, what string) {
	l.broken[what]++
	if l.shortest[what] == "" || n.depth < l.depth[what] {
		l.shortest[what], l.depth[what] = fmt.Sprintf("with %s: %s", n.world.kind, n.story()), n.depth
	}
}

// walk walks all worlds of a kind, breadth first.
func (l *lab) walk(k kindOfWorld) {
	first := l.start(k)
	frontier := []*node{first}
	defer func() { l.cut += len(frontier) }()
	for n := 0; len(frontier) > 0 && (l.bound.states == 0 || n < l.bound.states); n++ {
		at := frontier[0]
		frontier[0], frontier = nil, frontier[1:]
		var next []action
		l.play(at, func(s *stage) { next = s.actions(l.bound) })
		for _, a := range next {
			switch to := l.step(at, a); {
			case to == nil:
			case to.depth < l.bound.depth:
				frontier = append(frontier, to)
			default:
				l.cut++
			}
		}
		at.kept, at.ours = snapshot{}, nil
	}
}

// step takes one step; nil where it leads to what is known, is left out, or is wrong.
func (l *lab) step(at *node, a action) *node {
	l.edges++
	var key [16]byte
	asked := false
	s, after := l.play(at, func(s *stage) {
		was := s.purchases()
		s.take(a)
		s.world.now = time.Since(began())
		s.judgeTruth(was, a.do == personDecides)
		key = s.key()
		asked = slices.ContainsFunc(sliceOf(s.purchases()), func(p store.Purchase) bool { return p.Phase == store.Undecided })
	})
	to := &node{parent: at, action: a, depth: at.depth + 1, world: s.world, kept: after, ours: s.ours}
	if s.oursAt != after.version {
		to.ours = nil
	}
	for _, out := range []answering{withNothing, withRefusal} {
		if s.world.beside(out) {
			l.apart[fmt.Sprintf("beside an attempt: %s", out)]++
			return nil
		}
	}
	if l.seen[key] || s.left {
		return nil
	}
	l.seen[key] = true
	l.states++
	for len(l.deep) <= to.depth {
		l.deep = append(l.deep, 0)
	}
	l.deep[to.depth]++
	if asked {
		l.asked++
	}
	if len(s.found) == 0 && int(key[0])%l.bound.rest == 0 {
		l.rested++
		r, _ := l.play(to, (*stage).rest)
		s.found = r.found
	}
	for what := range s.found {
		l.broke(to, what)
	}
	if len(s.found) > 0 {
		return nil
	}
	return to
}

func sliceOf(ps [2]store.Purchase) []store.Purchase { return ps[:] }

// key tells states apart, as far as anything is decided by what differs.
func (s *stage) key() (key [16]byte) {
	h := fnv.New128a()
	w := s.world
	d := digest{w: h, now: time.Now(), names: map[string]string{}}
	ps := s.purchases()
	for i, p := range ps {
		if p.ID != "" {
			d.names[p.ID] = fmt.Sprintf("P%d", i)
		}
	}
	d.value(reflect.ValueOf(w.kind))
	for i, x := range w.deeds {
		fmt.Fprint(h, x.answer, x.executed, x.completed, x.failed, x.hidden, x.unlisted, ageOf(w.now-x.at), ageOf(w.now-x.end))
		for _, o := range w.deeds[:foreigner] {
			fmt.Fprint(h, i, x.at < o.sent-skew, x.at > o.end+skew, x.at < o.sent)
		}
	}
	fmt.Fprint(h, w.rows, w.named, w.topups, w.soons, w.extras)
	fresh := hideable(w.cash, func(c cash) time.Duration { return c.at }, w)
	for _, c := range w.cash[len(w.cash)-fresh:] {
		fmt.Fprint(h, c.why, ageOf(w.now-c.at))
	}
	d.value(reflect.ValueOf(s.account()))
	for _, p := range ps {
		d.value(reflect.ValueOf(p))
		orders, err := s.store.OrdersOf(s.t.Context(), p)
		s.must(err)
		d.value(reflect.ValueOf(orders))
	}
	copy(key[:], h.Sum(nil))
	return key
}

// ageOf parts ages into classes: within one, nothing is decided otherwise.
func ageOf(age time.Duration) int {
	limits := []time.Duration{
		-10 * time.Minute, 0, time.Second, leastApart, skew, quietTime - 10*time.Second, quietTime, quietTime + 2*time.Minute,
		30 * time.Minute, 45 * time.Minute, time.Hour, refusedLife, lateWatch, deniedLife,
	}
	i, _ := slices.BinarySearch(limits, age)
	return i
}

// digest writes what a record says, with ages for times and names for ids.
type digest struct {
	w     io.Writer
	now   time.Time
	names map[string]string
}

// unweighed are fields by which nothing is decided about money.
func unweighed() []string {
	return []string{
		"rev", "History", "Nonce", "CreatedAt", "ExpiresAt", "QueuedAt", "TurnBy", "ClosedAt", "Told", "Movements", "LinkedAt", "Due", "Buyer", "SeenAt",
		"Evidence.Looks", "Evidence.Balance", "Evidence.Known", "Evidence.Used", "Evidence.Listed", "Wallet.At", "Lag.At", "Order.Looks", "Key", "ID", "Shown",
	}
}

func (d digest) value(v reflect.Value) {
	switch x := v.Interface().(type) {
	case time.Time:
		if x.IsZero() {
			fmt.Fprint(d.w, "-")
		} else {
			fmt.Fprint(d.w, ageOf(d.now.Sub(x)))
		}
		return
	case time.Duration:
		fmt.Fprint(d.w, ageOf(x))
		return
	case dzd.Amount:
		fmt.Fprint(d.w, x.String())
		return
	case secret.Text:
		fmt.Fprint(d.w, x.IsZero())
		return
	case store.StandingChange:
		x.Looks = min(x.Looks, 2)
		v = reflect.ValueOf(x)
	case store.Lag:
		x.Seen = min(x.Seen, lagSamples)
		v = reflect.ValueOf(x)
	}
	switch v.Kind() {
	case reflect.Pointer:
		if v.IsNil() {
			fmt.Fprint(d.w, "nil")
		} else {
			d.value(v.Elem())
		}
	case reflect.Slice:
		fmt.Fprint(d.w, "[", v.Len())
		for i := range v.Len() {
			d.value(v.Index(i))
		}
	case reflect.Map:
		keys := v.MapKeys()
		slices.SortFunc(keys, func(a, b reflect.Value) int { return cmp.Compare(a.String(), b.String()) })
		for _, k := range keys {
			fmt.Fprint(d.w, k)
			d.value(v.MapIndex(k))
		}
	case reflect.Struct:
		d.fields(v)
	case reflect.String:
		if n, ok := d.names[v.String()]; ok {
			fmt.Fprint(d.w, n)
		} else {
			fmt.Fprintf(d.w, "%q", v.String())
		}
	default:
		fmt.Fprint(d.w, v.Interface(), ",")
	}
}

// fields writes the fields of a record that are weighed.
func (d digest) fields(v reflect.Value) {
	t := v.Type()
	for i := range t.NumField() {
		f := t.Field(i)
		if !f.IsExported() && t.PkgPath() != reflect.TypeFor[world]().PkgPath() || slices.Contains(unweighed(), f.Name) || slices.Contains(unweighed(), t.Name()+"."+f.Name) {
			continue
		}
		if !f.IsExported() {
			fmt.Fprint(d.w, v.Field(i))
			continue
		}
		d.value(v.Field(i))
	}
}

// kindsOfWorlds lists what stays as it is in a world.
func kindsOfWorlds() (out []kindOfWorld) {
	yes := []bool{true, false}
	for _, list := range []listing{complete, lagging, missing, other} {
		for _, known := range yes {
			for _, shared := range []bool{false, true} {
				for _, held := range []bool{false, true} {
					for _, dated := range yes {
						if dated || list != missing {
							out = append(out, kindOfWorld{known, shared, held, list, dated})
						}
					}
				}
			}
		}
	}
	return out
}

// boundWorld is a kind of world, and how far it is walked.
type boundWorld struct {
	bound
	kindOfWorld
}

// worldsWithin lists what is walked.
func worldsWithin(bounds []bound) (out []boundWorld) {
	for _, b := range bounds {
		for _, k := range kindsOfWorlds() {
			if !b.brief || k.dated && k.shared == k.held {
				out = append(out, boundWorld{b, k})
			}
		}
	}
	return out
}

// TestSmallWorlds walks every small world: two purchases of one item, somebody else's, a top-up and a refund, with
// readings that are up to two changes old, in every order, through the functions that decide and tell. What is said
// is held against what is so.
func TestSmallWorlds(t *testing.T) {
	bounds := []bound{{depth: 4, own: 1, extras: 1, soons: 1, rest: 32, states: 60, brief: true}, {depth: 4, own: 2, extras: 1, rest: 32, states: 25, brief: true}}
	switch {
	case sampletest.Few():
		bounds[0].states, bounds[1].states = 3, 2
	case sampletest.More():
		bounds[0].states, bounds[1].states = 20, 8
	case sampletest.Sampled():
		bounds[0].states, bounds[1].states = 4, 3
	}
	if v := os.Getenv("SMALL_WORLDS"); v == "full" {
		bounds = []bound{{depth: 14, own: 1, extras: 3, soons: 2, rest: 4, states: 1000}, {depth: 14, own: 2, extras: 2, soons: 1, rest: 4, states: 2000}}
	} else if v != "" {
		var b bound
		if _, err := fmt.Sscanf(v, "%d,%d,%d,%d,%d,%d", &b.depth, &b.own, &b.extras, &b.soons, &b.rest, &b.states); err != nil {
			t.Fatalf("SMALL_WORLDS is neither full nor six numbers: %v", err)
		}
		bounds = []bound{b}
	}
	sum := newLab(t, bound{})
	from := time.Now()
	var mu sync.Mutex
	t.Run("worlds", func(t *testing.T) {
		for _, w := range worldsWithin(bounds) {
			b, k := w.bound, w.kindOfWorld
			t.Run(fmt.Sprintf("%d of ours/%s", b.own, k), func(t *testing.T) {
				t.Parallel()
				l := newLab(t, b)
				l.walk(k)
				mu.Lock()
				defer mu.Unlock()
				sum.add(l)
			})
		}
	})
	t.Logf("%d states, %d steps, %d left to rest, %d not gone on from, in %s; a person is asked in %d",
		sum.states, sum.edges, sum.rested, sum.cut, time.Since(from).Round(time.Millisecond), sum.asked)
	t.Logf("states by depth: %v", sum.deep)
	for rule, n := range sum.apart {
		t.Logf("left out, since nothing that the service shows tells them apart: %d, %s", n, rule)
	}
	for what, n := range sum.broken {
		t.Errorf("%s, in %d states; the shortest story is, %s", what, n, sum.shortest[what])
	}
}

// newLab makes a lab with a store of its own.
func newLab(t *testing.T, b bound) *lab {
	t.Helper()
	m := &memory{records: map[place]store.Record{}}
	s, err := store.Open(t.Context(), m, storetest.Keyring(t))
	if err != nil {
		t.Fatal(err)
	}
	return &lab{
		t: t, bound: b, memory: m, store: s, seen: map[[16]byte]bool{}, apart: map[string]int{}, broken: map[string]int{},
		shortest: map[string]string{}, depth: map[string]int{},
	}
}

// add adds up what another lab has seen.
func (l *lab) add(o *lab) {
	l.states, l.edges, l.rested, l.cut, l.asked = l.states+o.states, l.edges+o.edges, l.rested+o.rested, l.cut+o.cut, l.asked+o.asked
	for i, n := range o.deep {
		if i == len(l.deep) {
			l.deep = append(l.deep, 0)
		}
		l.deep[i] += n
	}
	for rule, n := range o.apart {
		l.apart[rule] += n
	}
	for what, n := range o.broken {
		l.broken[what] += n
		if l.shortest[what] == "" || o.depth[what] < l.depth[what] {
			l.shortest[what], l.depth[what] = o.shortest[what], o.depth[what]
		}
	}
}

// TestSmallStories: the shortest stories that small worlds have told of what is mended end well.
func TestSmallStories(t *testing.T) {
	sampletest.Slow(t)
	quiet, long := action{do: timePasses, i: 1}, action{do: timePasses, i: 2}
	for name, c := range map[string]struct {
		kind  kindOfWorld
		story []action
	}{
		"a top-up makes up for the charge of a refused purchase, and its order shows": {kindOfWorld{known: true, dated: true}, []action{
			{do: buys, answer: withIDs, execute: true}, {do: topsUp, i: smallPrice}, {do: buys, i: 1, answer: withRefusal, execute: true},
		}},
		"an order shows of a refused purchase, on a shared account": {kindOfWorld{shared: true, held: true, list: other, dated: true}, []action{
			{do: buys, answer: withRefusal, execute: true}, long, {do: topsUp, i: smallPrice},
		}},
		"the second of two refused purchases is executed, and there is no list": {kindOfWorld{known: true, shared: true, held: true, list: missing, dated: true}, []action{
			{do: buys, answer: withRefusal}, {do: buys, i: 1, answer: withRefusal, execute: true},
		}},
		"a refused purchase is executed beside one whose order has failed, and a top-up makes up for it": {kindOfWorld{shared: true, held: true, list: other}, []action{
			{do: buys, answer: withIDs, execute: true}, {do: fails}, {do: buys, i: 1, answer: withRefusal, execute: true, read: reads{money: 1}}, {do: topsUp, i: smallPrice},
		}},
		"one that was said not to be bought is executed late, and another one of the same is asked about": {kindOfWorld{known: true, shared: true, held: true, list: other, dated: true}, []action{
			{do: buys, answer: withNothing}, {do: quiets}, {do: runs}, {do: buys, i: 1, answer: withNothing, read: reads{money: 1}},
		}},
		"a refused purchase is executed, a top-up makes up for it, and another one of the same is asked about": {kindOfWorld{shared: true, held: true, list: other}, []action{
			{do: buys, answer: withRefusal, execute: true}, {do: topsUp, i: smallPrice}, {do: timePasses}, {do: buys, i: 1, answer: withNothing, read: reads{list: 1}},
		}},
		"a refused purchase is executed late beside one that is looked for": {kindOfWorld{known: true, list: lagging, dated: true}, []action{
			{do: buys, answer: withRefusal}, {do: buys, i: 1, answer: withNothing, execute: true}, quiet, {do: runs}, {do: looking, read: reads{list: 1}},
		}},
	} {
		t.Run(name, func(t *testing.T) {
			l := newLab(t, bound{rest: 1})
			n := l.start(c.kind)
			for _, a := range c.story {
				was := l.states
				if n = l.step(n, a); n == nil || l.states == was {
					break
				}
			}
			for what := range l.broken {
				t.Errorf("%s: %s", what, l.shortest[what])
			}
			if n == nil && len(l.broken) == 0 {
				t.Error("the story is left out")
			}
		})
	}
}

// decide is a person's word: what was proven to be its orders they take, and else they close the question.
func (s *stage) decide(id string, bought bool) error {
	if c, err := s.engine.Choices(s.t.Context(), id, 5, 5); bought && err == nil && c.Sure {
		return s.engine.Adopt(s.t.Context(), id, 5, 5, c.IDs())
	}
	return s.engine.Decide(s.t.Context(), id, 5, 5, bought)
}

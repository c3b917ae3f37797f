package notify

import (
	"net/http"
	"slices"
	"time"

	"resellerbot/internal/api"
	"resellerbot/internal/notify/pollplan"
	"resellerbot/internal/store"
)

// schedule is the orders of one account that are in hand, and the call that is planned for them. Poller.mu guards it; a call that is under
// way has a query of its own, and changes the schedule by Poller.change.
//
// An order leaves it by drop (what came of it is settled), by setAside (the service does not show it), or by drain, with all others (the
// next call is far).
type schedule struct {
	account     string
	service     OrderSource
	key         string               // the fingerprint of the key that service asks under
	batch       sizes                // how many are asked for in one call
	onlyInBatch bool                 // the service does not show an order of a batch by itself
	broken      int                  // batches in a row that failed where a single order was shown
	fruitless   map[string]tries     // by order, where it told nothing when it was asked for by itself
	single      map[string]single    // by order, where a batch was refused for it
	askedAlone  map[string]time.Time // by order, when it was last asked for by itself beside a batch
	used        time.Time            // when a call was planned last

	orders    map[string]*pending
	purchases map[string]together
	asking    bool      // a call is under way: what is in hand is not planned for meanwhile
	heard     bool      // the call has told something of what it asked for, and be it that this is shown nowhere
	place     int       // among the calls that are due, from 1 on; 0 for none
	held      time.Time // by an outage: no call before
	next      query
	failures  int       // calls that failed in a row
	refusals  int       // of them the last ones that refused the key
	told      bool      // its owners know that the key is refused
	rest      time.Time // the service is not asked before
	tried     time.Time // when the key was last tried by itself

	batchRest time.Time // no batch is asked for before
}

// pending is an order that waits for its outcome.
type pending struct {
	store.Order

	belief pollplan.Belief
}

// query is a look at orders: those of a batch together, or one by itself.
type query struct {
	at      time.Time
	service OrderSource
	key     string // as of the schedule
	orders  []store.Order
	alone   bool
}

func newSchedule(account string) *schedule {
	return &schedule{account: account, batch: newSizes(), orders: map[string]*pending{}, purchases: map[string]together{}, fruitless: map[string]tries{}, single: map[string]single{}, askedAlone: map[string]time.Time{}}
}

// add takes an order into hand. One that is there already keeps what is known of its looks, unless the
// disk knows of a later one.
func (s *schedule) add(o store.Order, belief pollplan.Belief) {
	if known, ok := s.orders[o.ID]; ok && known.SeenAt.After(o.SeenAt) {
		o.SeenAt, o.Looks = known.SeenAt, known.Looks
	}
	s.orders[o.ID] = &pending{o, belief}
}

// drain empties the schedule.
func (s *schedule) drain() (orders []store.Order) {
	for id, o := range s.orders {
		orders = append(orders, o.Order)
		delete(s.orders, id)
	}
	return orders
}

// looked notes that an order was not ready at a moment.
func (s *schedule) looked(id string, at time.Time) {
	if o, ok := s.orders[id]; ok && at.After(o.SeenAt) {
		o.SeenAt, o.Looks = at, o.Looks+1
	}
}

// remembers reports whether the schedule knows anything of its service that is not on disk: then it is kept for a while (sweep), also where
// nothing is in hand.
func (s *schedule) remembers(now time.Time) bool {
	known := s.batch.kept > 0 && !s.batch.mayGrow(now) || s.batch.cautious < batchSize || s.batch.pages > 0
	return known || s.failures+s.broken+len(s.fruitless)+len(s.single)+len(s.askedAlone) > 0
}

// plan chooses the next call: of the ways to look at what is in hand, the one that is worth its price first. An
// order with a schedule of its own is looked at when that says so.
func (s *schedule) plan(now time.Time) {
	if s.asking {
		return
	}
	// next is one call: each consider below replaces it where its own is due earlier, so their order does not matter but for ties. include
	// comes last, for it adds to the batch that was planned.
	s.next = query{}
	s.used = now
	s.forgetTries(now)
	var together, single, alone, scheduled []*pending
	for _, o := range s.orders {
		switch {
		case o.OnlyWhenDue():
			scheduled = append(scheduled, o)
		case s.inBatches(o.Order):
			together = append(together, o)
		case s.inBatchOfOne(o.Order):
			single = append(single, o)
		default:
			alone = append(alone, o)
		}
	}
	most := s.batch.most(now)
	posts, gets := s.budget(http.MethodPost, most, now), s.budget(http.MethodGet, 1, now)
	// Behind a batch that failed where single orders were shown (batchFails), only batches rest: gets stays as it is.
	posts.NotBefore = laterOf(posts.NotBefore, s.batchRest)
	// The rest of a purchase whose last look found everything ready is asked for at once, by as many calls as it takes and may be made: no
	// plan has to weigh that.
	if came := s.arrived(together); len(came) > 0 && posts.Most > 0 {
		calls := min(max(int(posts.Left), 1), mostBeside)
		if s.batch.mayGrow(now) {
			calls = 1 // a size that may be refused is asked for once
		}
		s.next = s.call(posts.Free(), false, came[:min(len(came), calls*most)]...)
	} else {
		s.consider(together, posts, false)
	}
	if posts.Most > 0 && s.broken == 0 {
		posts := posts
		posts.Batch = 1
		s.consider(single, posts, false)
	} else {
		alone = append(alone, single...)
	}
	if rested := s.askable(alone, now); len(rested) > 0 {
		alone = rested // one that told nothing lets the others go first
	}
	s.consider(alone, costing(gets, alone), true)
	switch {
	// Where batches fail, single orders are asked for beside them, so that codes come at all.
	case s.broken > 0:
		s.consider(s.askable(together, now), gets, true)
	case !s.onlyInBatch && (len(together) == 1 || posts.Most == 0):
		s.consider(together, gets, true)
	}
	for _, o := range scheduled {
		s.include(o, posts, gets)
	}
}

// costing is a budget in which a look at an order of a family spends two calls: it counts looks then, of which there are half as many.
func costing(l pollplan.Budget, orders []*pending) pollplan.Budget {
	if slices.ContainsFunc(orders, func(o *pending) bool { return api.Origin(o.Origin).Twice() }) {
		l.Left, l.Most, l.PerSecond, l.Halving = l.Left/2, l.Most/2, l.PerSecond/2, max(l.Halving/2, 1)
	}
	return l
}

// include plans a look at an order with a schedule of its own: with the call that is planned where it is due by then
// and fits, or by a call of its own where that would be earlier.
func (s *schedule) include(o *pending, posts, gets pollplan.Budget) {
	batched := s.inBatches(o.Order) && posts.Most > 0
	budget := posts
	if !batched {
		budget = costing(gets, []*pending{o})
	}
	at := laterOf(o.Due, budget.Free())
	if o.Rechecked {
		at = laterOf(o.Due, budget.Has(budget.Most/2)) // what somebody waits for goes first
	}
	switch {
	case batched && s.next.orders != nil && !s.next.alone && !o.Due.After(s.next.at):
		if len(s.next.orders) < budget.Batch {
			s.next.orders = append(s.next.orders, o.Order)
		}
	case s.next.orders == nil || at.Before(s.next.at):
		s.next = s.call(at, !batched, o)
	}
}

// consider plans a look at some of the orders, if it is due before the one that is planned.
func (s *schedule) consider(orders []*pending, budget pollplan.Budget, alone bool) {
	if len(orders) == 0 {
		return
	}
	orders, others := s.sample(orders)
	// Pick returns places in list, and so in orders; others only fill what is left of the batch.
	list := make([]pollplan.Order, len(orders))
	for i, o := range orders {
		list[i] = pollplan.Order{Began: o.CreatedAt, Looked: s.seen(o), Belief: o.belief}
	}
	at := budget.Next(list)
	if s.next.orders != nil && !at.Before(s.next.at) {
		return
	}
	var picked []*pending
	for _, i := range budget.Pick(list, at) {
		picked = append(picked, orders[i])
	}
	picked = append(picked, others[:min(len(others), budget.Batch-len(picked))]...)
	s.next = s.call(at, alone, picked...)
}

// call is a look at some orders under the key of now.
func (s *schedule) call(at time.Time, alone bool, orders ...*pending) query {
	q := query{at: at, service: s.service, key: s.key, alone: alone}
	for _, o := range orders {
		q.orders = append(q.orders, o.Order)
	}
	return q
}

// budget is one of the service's budgets, as looks may spend it. With a third of it gone a call costs twice as much, with all of it eight
// times: people share it, and what they need is left to them.
func (s *schedule) budget(method string, batch int, now time.Time) pollplan.Budget {
	a := s.service.Allowance(method)
	return pollplan.Budget{
		Batch: batch, Left: a.Left, Most: a.Most, PerSecond: a.PerSecond, Now: now,
		NotBefore: laterOf(a.NotBefore, s.rest), Halving: max(a.Most/3, 1),
	}
}

package notify

import (
	"cmp"
	"maps"
	"net/http"
	"slices"
	"time"

	"resellerbot/internal/notify/pollplan"
	"resellerbot/internal/store"
)

// deciding is how many units of a big purchase decide when it is worth a look, while none of it is ready. Units of one
// purchase mostly become ready together: while some of them are not, neither are the others, and to ask for all of them,
// in call after call, would use up the budget before the moment at which it is needed.
const deciding = 20

// mostTold is of how many orders a look at one of them counts: enough that the looks at a big purchase take the room that there
// is for them, as long as it is young, and not all that others need.
const mostTold = 50

// probeRest is how long there is between two of them.
const probeRest = time.Second

// probesLeave is the part of the service's limit that they leave to people, whatever these have used by now: what codes wait for
// can be seen by a batch as well, and nothing else can do for a person who goes on.
const probesLeave = 1.0 / 3

// together is what looks have shown of a purchase's units.
type together struct {
	looked time.Time // at some of them, with nothing new; zero where there was something
	apart  bool      // some were ready while others were not: each is looked at for itself
	came   bool      // all that were looked at last were ready: so will the others be
	one    bool      // it was one that was looked at last
}

// compare notes what a look has shown of the purchases whose orders were asked for: which of them are done. Where all of an
// item are, those of its other purchases may be as well.
func (s *schedule) compare(asked []store.Order, done map[string]bool, at time.Time) {
	if len(asked) == 1 && !done[asked[0].ID] && s.few(asked[0].Purchase) {
		return // it tells of itself
	}
	all, fresh, items := map[string]int{}, map[string]int{}, map[string]bool{}
	for _, o := range asked {
		if all[o.Purchase]++; done[o.ID] {
			fresh[o.Purchase]++
		}
		if before, seen := items[o.Item]; o.Item != "" {
			items[o.Item] = done[o.ID] && (before || !seen)
		}
	}
	for item, came := range items {
		if delete(s.items, item); came {
			s.items[item] = arrival{at, len(asked) == 1}
		}
	}
	for purchase, n := range all {
		known := s.purchases[purchase]
		known.looked = time.Time{}
		if fresh[purchase] == 0 {
			known.looked = at
		}
		known.came, known.one = fresh[purchase] == n, len(asked) == 1
		known.apart = known.apart || fresh[purchase] > 0 && fresh[purchase] < n
		s.purchases[purchase] = known
	}
}

// few reports whether a purchase has few orders in hand, and more than one.
func (s *schedule) few(purchase string) bool {
	n := 0
	for _, o := range s.orders {
		if o.Purchase == purchase {
			n++
		}
	}
	return n > 1 && n <= deciding
}

// forgetPurchases forgets what is known of purchases of which nothing is in hand.
func (s *schedule) forgetPurchases() {
	open, items := map[string]bool{}, map[string]bool{}
	for _, o := range s.orders {
		open[o.Purchase], items[o.Item] = true, true
	}
	maps.DeleteFunc(s.items, func(item string, _ arrival) bool { return !items[item] })
	for purchase := range s.purchases {
		if !open[purchase] {
			delete(s.purchases, purchase)
		}
	}
}

// sample is the orders that decide when a look is due, and those that go along where there is room, longest unseen first.
func (s *schedule) sample(orders []*pending) (decide, others []*pending) {
	counted := map[string]int{}
	sorted := slices.SortedFunc(slices.Values(orders), func(x, y *pending) int {
		return cmp.Or(x.SeenAt.Compare(y.SeenAt), cmp.Compare(x.Unit, y.Unit))
	})
	for _, o := range sorted {
		counted[o.Purchase]++
		if known := s.purchases[o.Purchase]; counted[o.Purchase] > deciding && !known.apart && !known.came {
			others = append(others, o)
			continue
		}
		decide = append(decide, o)
	}
	return decide, others
}

// seen is when an order was last known not to be ready: by a look at it, or at others of its purchase.
func (s *schedule) seen(o *pending) time.Time {
	at := laterOf(o.CreatedAt, o.SeenAt)
	if known := s.purchases[o.Purchase]; !known.apart {
		at = laterOf(at, known.looked)
	}
	return at
}

// arrived is the orders of purchases of which all were ready that were looked at last, and those that have waited unseen since
// all of their item were. sure is that these were more than one.
func (s *schedule) arrived(orders []*pending) (list []*pending, sure bool) {
	for _, o := range orders {
		known, item := s.purchases[o.Purchase], s.items[o.Item]
		switch {
		case known.came:
			list, sure = append(list, o), sure || !known.one && !known.apart
		case !known.apart && s.seen(o).Before(item.at):
			list, sure = append(list, o), sure || !item.one
		}
	}
	return list, sure
}

// arrival is that all orders of an item were ready that were looked at at a moment, or the one.
type arrival struct {
	at  time.Time
	one bool
}

// considerProbes plans a look at one order of an item of which many wait, for all of them: there is more room for such calls
// than for batches, and what becomes ready together is then asked for together. Where there is little room for batches, it may be one
// for itself.
func (s *schedule) considerProbes(orders []*pending, posts, gets pollplan.Budget) {
	rested := s.probed.Add(probeRest)
	if s.service.Allowance(http.MethodGet).Unused < probesLeave {
		rested = gets.Now.Add(probeRest)
	}
	oldest, many := map[string]*pending{}, map[string]int{}
	for _, o := range s.askable(orders, gets.Now) {
		if !s.purchases[o.Purchase].apart {
			many[o.Item]++
		}
		// Not the same one each time: it may be the one that has got stuck.
		if known := oldest[o.Item]; known == nil || cmp.Or(o.SeenAt.Compare(known.SeenAt), cmp.Compare(o.ID, known.ID)) < 0 {
			oldest[o.Item] = o
		}
	}
	for item, o := range oldest {
		budget := costing(gets, []*pending{o})
		together := item != "" && many[item] > deciding && !s.purchases[o.Purchase].apart
		if together {
			budget.TellsOf, budget.NotBefore = min(float64(many[item]), mostTold), laterOf(budget.NotBefore, rested)
		}
		if together || posts.Left < posts.Most/2 {
			s.consider([]*pending{o}, budget, true)
		}
	}
}

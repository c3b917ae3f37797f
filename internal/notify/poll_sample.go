package notify

import (
	"cmp"
	"slices"
	"time"

	"resellerbot/internal/store"
)

// deciding is how many units of a big purchase decide when it is worth a look, while none of it is ready. Units of one
// purchase mostly become ready together: while some of them are not, neither are the others, and to ask for all of them,
// in call after call, would use up the budget before the moment at which it is needed.
const deciding = 20

// together is what looks have shown of a purchase's units.
type together struct {
	looked time.Time // at some of them, with nothing new; zero where there was something
	apart  bool      // some were ready while others were not: each is looked at for itself
	came   bool      // all that the last look asked for, in all of its calls, were ready: so will those be that it has not asked for
	since  time.Time // when the first of such looks in a row began

	asked, done int // of its units, by the look that is under way
}

// compare notes what a call has shown of the purchases whose orders were asked for: which of them are done. One that is asked for without
// others says nothing of them.
func (s *schedule) compare(asked []store.Order, done map[string]bool, at time.Time) {
	all, fresh := map[string]int{}, map[string]int{}
	for _, o := range asked {
		if s.isSingle(o.ID) {
			continue
		}
		if all[o.Purchase]++; done[o.ID] {
			fresh[o.Purchase]++
		}
	}
	for purchase, n := range all {
		known := s.purchases[purchase]
		if !known.came {
			known.since = at
		}
		known.looked = time.Time{}
		if fresh[purchase] == 0 {
			known.looked = at
		}
		// A look may be several calls, and one that shows a single unit says little beside those that show the others.
		known.asked, known.done = known.asked+n, known.done+fresh[purchase]
		known.came = known.done == known.asked
		known.apart = known.apart || fresh[purchase] > 0 && fresh[purchase] < n
		s.purchases[purchase] = known
	}
}

// beginLook notes how a look begins, and forgets what the last one has asked for.
func (s *schedule) beginLook() {
	s.batch.before, s.batch.largest, s.batch.partings = s.batch.cautious, 0, 0
	for purchase, known := range s.purchases {
		known.asked, known.done = 0, 0
		s.purchases[purchase] = known
	}
}

// forgetPurchases forgets what is known of purchases of which nothing is in hand.
func (s *schedule) forgetPurchases() {
	open := map[string]bool{}
	for _, o := range s.orders {
		open[o.Purchase] = true
	}
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
		// Where units came apart, the others say nothing of it: each decides for itself.
		if known := s.purchases[o.Purchase]; counted[o.Purchase] > deciding && !known.apart && !known.came {
			others = append(others, o)
			continue
		}
		decide = append(decide, o)
	}
	return decide, others
}

// seen is when an order was last known not to be ready: by a look at it, or at others of its purchase, unless it is asked for without them.
func (s *schedule) seen(o *pending) time.Time {
	at := laterOf(o.CreatedAt, o.SeenAt)
	if known := s.purchases[o.Purchase]; !known.apart && !s.isSingle(o.ID) {
		at = laterOf(at, known.looked)
	}
	return at
}

// arrived is the orders of purchases of which all were ready that were looked at last, and that were not asked for since. One that was, and
// is still in hand, is done without a code: it has its time as any other, or it would take the time of all others.
func (s *schedule) arrived(orders []*pending) (list []*pending) {
	for _, o := range orders {
		if known := s.purchases[o.Purchase]; known.came && o.SeenAt.Before(known.since) {
			list = append(list, o)
		}
	}
	return list
}

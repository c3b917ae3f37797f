package pollplan

import (
	"cmp"
	"math"
	"slices"
	"time"
)

const (
	// price is what a call costs while calls are plenty, in weighted seconds of waiting.
	price = 0.06
	// longest is how long an order goes without a look while half of the budget is there.
	longest = time.Minute
	// shortest is the least time between two looks: a round trip takes about as long.
	shortest = 100 * time.Millisecond
	// horizon is how far a plan looks ahead.
	horizon = 2 * time.Minute
)

// Order is what a plan knows of an order.
type Order struct {
	Began  time.Time // it was made
	Looked time.Time // it was not ready then
	Belief Belief
}

// unseen is the expected waiting at a moment.
func (o Order) unseen(at time.Time) float64 {
	return o.Belief.Unseen(o.Looked.Sub(o.Began), at.Sub(o.Began))
}

// Budget is one way to look at orders, with what is left of its budget.
type Budget struct {
	Batch     int     // orders in one call
	Left      float64 // calls that can be made at Now; below 1 none can
	Most      float64 // calls that can be saved up
	PerSecond float64 // calls that become free
	Now       time.Time
	NotBefore time.Time // no call earlier, whatever is left
	// Halving is of how many missing calls each doubles the price: the scarcer, the dearer.
	Halving float64
}

// Value compares the waiting that a call at a moment is expected to end, of all orders that may take part,
// with its price. Orders that wait alike pay together, but where more wait than fit into a call, each call
// has to be worth more: there will have to be several.
//
// It is by how much a call at a moment is worth more than it costs: 1 and above is due, 0 cannot be made.
func (l Budget) Value(orders []Order, at time.Time) float64 {
	const nearly = 1e-9 // a moment is counted in whole nanoseconds
	left := l.left(at)
	if left < 1-nearly || at.Before(l.NotBefore) || len(orders) == 0 {
		return 0
	}
	var sum, squares float64
	var forgotten bool
	for _, o := range orders {
		w := o.unseen(at)
		sum += w
		squares += w * w
		forgotten = forgotten || at.Sub(o.Looked) >= longest
	}
	if forgotten && left >= l.Most/2 {
		return math.Inf(1)
	}
	if sum == 0 {
		return 0
	}
	effective := sum * sum / squares // as many as wait, if all wait alike
	scarce := math.Exp2((l.Most - left) / l.Halving)
	return sum / (price * effective * max(1, effective/float64(l.Batch)) * scarce)
}

// Next is when a call is due, at l.Now the earliest. Where it would be beyond the horizon, it is the horizon.
func (l Budget) Next(orders []Order) time.Time {
	begin := l.Free()
	if l.Value(orders, begin) >= 1 {
		return begin
	}
	end := begin.Add(horizon)
	low, high := begin, begin
	for step := shortest; l.Value(orders, high) < 1; step *= 2 {
		if high.After(end) {
			return end
		}
		low, high = high, high.Add(step)
	}
	for high.Sub(low) > shortest/8 {
		if middle := low.Add(high.Sub(low) / 2); l.Value(orders, middle) >= 1 {
			high = middle
		} else {
			low = middle
		}
	}
	return high
}

// Free is when a call can be made, l.Now the earliest.
func (l Budget) Free() time.Time { return l.Has(1) }

// Has is when so many calls can be made, l.Now the earliest.
func (l Budget) Has(calls float64) time.Time {
	free := l.Now
	if l.NotBefore.After(free) {
		free = l.NotBefore
	}
	if l.Left < calls && l.PerSecond > 0 {
		if at := l.Now.Add(time.Duration(math.Ceil((calls - l.Left) / l.PerSecond * float64(time.Second)))); at.After(free) {
			free = at
		}
	}
	return free
}

// Pick is which orders a call at a moment is for: those that wait longest, as many as fit.
func (l Budget) Pick(orders []Order, at time.Time) []int {
	all := make([]int, len(orders))
	waiting := make([]float64, len(orders))
	for i, o := range orders {
		all[i], waiting[i] = i, o.unseen(at)
	}
	slices.SortStableFunc(all, func(a, b int) int { return cmp.Compare(waiting[b], waiting[a]) })
	return all[:min(l.Batch, len(all))]
}

// left is how many calls can be made at a moment.
func (l Budget) left(at time.Time) float64 {
	return min(l.Most, l.Left+l.PerSecond*max(at.Sub(l.Now).Seconds(), 0))
}

package pollplan

import (
	"cmp"
	"math"
	"slices"
	"time"
)

const (
	// price is what a call costs while calls are plenty, in weighted seconds of waiting. It sets how often all is looked at: goods are looked
	// at about a second after they were ordered. TestNext notices twice as much and half as much; TestNearTheOptimum counts with this figure
	// (callCost), and has to be changed with it.
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
func (b Budget) Value(orders []Order, at time.Time) float64 {
	const nearly = 1e-9 // a moment is counted in whole nanoseconds
	left := b.left(at)
	if left < 1-nearly || at.Before(b.NotBefore) || len(orders) == 0 {
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
	if forgotten && left >= b.Most/2 {
		return math.Inf(1)
	}
	if sum == 0 {
		return 0
	}
	// Example: 300 orders that wait alike for 0.06 s each, in a batch of 100: sum is 18, effective 300. One alone would be due; of these, three
	// calls are needed, and each has to be worth three times as much, so the value is a third.
	effective := sum * sum / squares // as many as wait, if all wait alike
	scarce := math.Exp2((b.Most - left) / b.Halving)
	return sum / (price * effective * max(1, effective/float64(b.Batch)) * scarce)
}

// Next is when a call is due, at b.Now the earliest. Where it would be beyond the horizon, it is the horizon.
func (b Budget) Next(orders []Order) time.Time {
	begin := b.Free()
	if b.Value(orders, begin) >= 1 {
		return begin
	}
	end := begin.Add(horizon)
	low, high := begin, begin
	// Steps that double find a moment at which the call is due, and halving finds its beginning: some twenty values, however far away it is.
	for step := shortest; b.Value(orders, high) < 1; step *= 2 {
		if high.After(end) {
			return end
		}
		low, high = high, high.Add(step)
	}
	// Halving ends at 12.5 ms (shortest/8): less makes no difference to whoever waits.
	for high.Sub(low) > shortest/8 {
		if middle := low.Add(high.Sub(low) / 2); b.Value(orders, middle) >= 1 {
			high = middle
		} else {
			low = middle
		}
	}
	return high
}

// Free is when a call can be made, b.Now the earliest.
func (b Budget) Free() time.Time { return b.Has(1) }

// Has is when so many calls can be made, b.Now the earliest.
func (b Budget) Has(calls float64) time.Time {
	free := b.Now
	if b.NotBefore.After(free) {
		free = b.NotBefore
	}
	// Where nothing becomes free (PerSecond 0), now is returned although no call can be made: Value tells that there is none.
	if b.Left < calls && b.PerSecond > 0 {
		if at := b.Now.Add(time.Duration(math.Ceil((calls - b.Left) / b.PerSecond * float64(time.Second)))); at.After(free) {
			free = at
		}
	}
	return free
}

// Pick is which orders a call at a moment is for: those that wait longest, as many as fit.
func (b Budget) Pick(orders []Order, at time.Time) []int {
	all := make([]int, len(orders))
	waiting := make([]float64, len(orders))
	for i, o := range orders {
		all[i], waiting[i] = i, o.unseen(at)
	}
	slices.SortStableFunc(all, func(i, j int) int { return cmp.Compare(waiting[j], waiting[i]) })
	return all[:min(b.Batch, len(all))]
}

// left is how many calls can be made at a moment.
func (b Budget) left(at time.Time) float64 {
	return min(b.Most, b.Left+b.PerSecond*max(at.Sub(b.Now).Seconds(), 0))
}

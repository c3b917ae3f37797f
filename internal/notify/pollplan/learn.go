package pollplan

import (
	"math"
	"time"
)

const (
	// memory is how many orders a variant's times are learned from: the newest count most.
	memory = 20
	// narrow is the least deviation that is believed: what has always taken the same may change. At 0.2 one deviation is a fifth more or
	// less. It is a guess that no test holds.
	narrow = 0.2
)

// Learned is what was seen of how long the orders of a variant took. The zero value has seen nothing.
type Learned struct {
	Orders  float64 // how many, the older ones counting less
	Mean    float64 // of the logarithms of their seconds
	Squares float64 // sum of the squared distances from Mean
}

// Saw adds an order of kind k that was not ready at age before and was at age after. What is learned of it is
// what is expected between the two, as far as that is known by now: taking the middle would call what nobody
// has looked at earlier slow.
func (l Learned) Saw(k Kind, before, after time.Duration) Learned {
	if after < before || after <= 0 {
		return l
	}
	mean, variance := l.Belief(k).parts[0].between(before.Seconds(), after.Seconds())
	// Before the new one is added, the old ones are scaled down to one less than memory: each new order counts at least a twentieth.
	if l.Orders >= memory {
		l.Squares *= (memory - 1) / l.Orders
		l.Orders = memory - 1
	}
	l.Orders++
	step := mean - l.Mean
	l.Mean += step / l.Orders
	// The running sum of squares, and what is not known of this order: the wider apart the two looks, the less it narrows the belief.
	l.Squares += step*(mean-l.Mean) + variance
	return l
}

// between is the mean and the variance of the logarithm of what takes between two numbers of seconds.
func (d Times) between(from, to float64) (mean, variance float64) {
	const hardly = 1e-6 // less likely than this, and the distribution says nothing of it
	const shortest = 0.05
	a, b := math.Inf(-1), (math.Log(to)-d.Mean)/d.Deviation
	if from > 0 {
		a = (math.Log(from) - d.Mean) / d.Deviation
	}
	// A normal distribution that is cut off at a and b, in deviations. Where from is zero, a is minus infinity, and its terms are zero.
	share := (math.Erfc(-b/math.Sqrt2) - math.Erfc(-a/math.Sqrt2)) / 2
	if share < hardly {
		// It took what the belief holds for impossible: then the belief is no guide, and the middle of the two looks is taken.
		return math.Log(max((from+to)/2, shortest)), 0
	}
	ahead, behind := density(a)/share, density(b)/share
	shift := ahead - behind
	spread := 1 - shift*shift - b*behind
	if from > 0 {
		spread += a * ahead
	}
	return d.Mean + d.Deviation*shift, d.Deviation * d.Deviation * max(spread, 0)
}

// density is the standard normal density.
func density(x float64) float64 { return math.Exp(-x*x/2) / math.Sqrt(2*math.Pi) }

// Belief is what is thought of a variant's next order, which is of kind k. What is thought of its kind counts
// as much as the first order that was seen, and soon for little.
func (l Learned) Belief(k Kind) Belief {
	b := Before(k)
	if l.Orders == 0 {
		return b
	}
	first := b.parts[0].Times
	// Example: after 1 order the belief about the kind counts as much as that one, after 2 as half an order, after 10 as a tenth of one.
	doubt := 1 / l.Orders
	n := l.Orders + doubt
	apart := l.Mean - first.Mean
	times := Times{Mean: (l.Orders*l.Mean + doubt*first.Mean) / n}
	variance := (l.Squares + first.Deviation*first.Deviation + doubt*l.Orders/n*apart*apart) / n
	times.Deviation = max(math.Sqrt(variance), narrow)
	// Also for what is delivered by hand: what was seen of an item goes before what is thought of its kind.
	return usual(times)
}

package worth

import (
	"math"
	"time"
)

const (
	// memory is how many orders a variant's times are learned from: the newest count most.
	memory = 20
	// narrow is the least deviation that is believed: what has always taken the same may change.
	narrow = 0.2
)

// Learned is what was seen of how long the orders of a variant took. The zero value has seen nothing.
type Learned struct {
	Orders  float64 // how many, the older ones counting less
	Mean    float64 // of the logarithms of their seconds
	Squares float64 // sum of the squared distances from Mean
}

// Saw adds an order that was not ready at age before and was at age after. Where the two lie too far apart
// to tell when it became ready, nothing is learned.
func (l Learned) Saw(before, after time.Duration) Learned {
	const shortest = 0.05 // seconds: what is ready with the answer is not ready before it
	if after < before || after-before > time.Second && after > 2*before {
		return l
	}
	x := math.Log(max((before+after).Seconds()/2, shortest))
	if l.Orders >= memory {
		l.Squares *= (memory - 1) / l.Orders
		l.Orders = memory - 1
	}
	l.Orders++
	step := x - l.Mean
	l.Mean += step / l.Orders
	l.Squares += step * (x - l.Mean)
	return l
}

// Belief is what is thought of a variant's next order, which is of kind k. What is thought of its kind counts
// as much as the first order that was seen, and soon for little.
func (l Learned) Belief(k Kind) Belief {
	b := Before(k)
	if l.Orders == 0 {
		return b
	}
	first := b.parts[0].Times
	doubt := 1 / l.Orders
	n := l.Orders + doubt
	apart := l.Mean - first.Mean
	times := Times{Mean: (l.Orders*l.Mean + doubt*first.Mean) / n}
	variance := (l.Squares + first.Deviation*first.Deviation + doubt*l.Orders/n*apart*apart) / n
	times.Deviation = max(math.Sqrt(variance), narrow)
	return Belief{[3]part{{times, 1 - stuck}, {byHands, stuck}}}
}

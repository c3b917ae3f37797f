// Package pollplan decides when a look at orders is worth its call. The service's limits make calls scarce, and
// an order that is ready and that nobody has looked at makes a person wait: a call is due as soon as the
// waiting that it is expected to end is worth more than the call. Everything here is pure.
package pollplan

import (
	"math"
	"time"
)

// Times is how long something takes: the logarithm of its seconds is normally distributed.
type Times struct{ Mean, Deviation float64 }

// Between is the distribution of which one in a hundred takes less than fast, and one in a hundred more
// than slow.
func Between(fast, slow time.Duration) Times {
	const hundredth = 2.326 // deviations from the mean
	low, high := math.Log(fast.Seconds()), math.Log(slow.Seconds())
	return Times{Mean: (low + high) / 2, Deviation: (high - low) / (2 * hundredth)}
}

// What is believed of variants of which nothing has been seen yet.
var (
	goods   = Between(500*time.Millisecond, 5*time.Second)
	topups  = Between(10*time.Second, 10*time.Minute)
	byHands = Between(20*time.Minute, 12*time.Hour)
)

// left is the probability that it takes longer than t seconds.
func (d Times) left(t float64) float64 {
	if t <= 0 {
		return 1
	}
	return math.Erfc((math.Log(t)-d.Mean)/(d.Deviation*math.Sqrt2)) / 2
}

// until integrates left from 0 to t seconds: the expected part of that time in which it was not ready.
func (d Times) until(t float64) float64 {
	if t <= 0 {
		return 0
	}
	// By parts: t × left(t), and the expected time of those that take less than t. short is the latter, the partial expectation of a
	// log-normal distribution: e^(mean + deviation²/2) × Φ(x - deviation).
	x := (math.Log(t) - d.Mean) / d.Deviation
	short := math.Exp(d.Mean+d.Deviation*d.Deviation/2) * math.Erfc((d.Deviation-x)/math.Sqrt2) / 2
	return t*d.left(t) + short
}

// weight is how much a second of waiting for something that takes so long matters: who has waited for an
// hour minds a minute less than who has waited for a second.
func (d Times) weight() float64 {
	// A guess, by what the three kinds should count: e^(0.36 × (mean of goods - mean)). TestNext notices a steeper slope, and no test a flatter
	// one. TestPolling reports what a change does to how late codes are seen, and to the calls.
	const slope = 0.36 // goods 1, top-ups about 0.25, by hand about 0.05
	return math.Min(1, math.Exp(slope*(goods.Mean-d.Mean)))
}

// part is one of the ways in which an order may go.
type part struct {
	Times

	share float64
}

// Belief is what is thought of how long an order takes, before it is looked at: a few ways in which it may
// go. As it grows older, the ways that should have ended count less.
type Belief struct{ parts [3]part }

// Whatever is known of an item, some of its orders take minutes, and some have to be looked after by somebody. Without these parts an order
// that takes longer than any before would be looked at as if it had to be ready at any moment. The figures are guesses; TestNearTheOptimum
// notices where slow is a few times as much, and TestPolling reports what a change does.
const (
	slow  = 0.02
	stuck = 0.01
)

// Kind is what is known of an order before any like it was seen.
type Kind uint8

// The kinds of orders. Goods come by themselves as a rule, top-ups take minutes, and what is delivered by
// hand takes hours.
const (
	Goods Kind = iota
	Topup
	ByHand
)

// Before is the belief about an order of a kind that nobody has seen the like of.
func Before(k Kind) Belief {
	switch k {
	case Topup:
		return usual(topups)
	case ByHand:
		return Belief{[3]part{{byHands, 1}}}
	default:
		return usual(goods)
	}
}

// usual is the belief about what takes so long as a rule.
func usual(d Times) Belief {
	return Belief{[3]part{{d, 1 - slow - stuck}, {topups, slow}, {byHands, stuck}}}
}

// Unseen is for how many weighted seconds an order has been ready unseen, as is expected at age now, if it
// was not ready when it was looked at last, at age seen.
func (b Belief) Unseen(seen, now time.Duration) float64 {
	from, to := seen.Seconds(), now.Seconds()
	if to <= from {
		return 0
	}
	var waiting, left float64
	for _, p := range b.parts {
		if p.share == 0 {
			continue
		}
		at := p.left(from)
		// Of those that were not ready at from (at), each second until to counts in which they are. That is the whole span, less the part of it
		// in which they are not ready yet, the integral of left over that span.
		waiting += p.share * p.weight() * ((to-from)*at - p.until(to) + p.until(from))
		left += p.share * at
	}
	// left is how likely it was not to be ready at from. Divided by it, waiting holds for an order of which that is known.
	if left <= 0 {
		return 0
	}
	return min(max(waiting/left, 0), to-from) // far out, the differences round
}

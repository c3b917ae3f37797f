package pollplan_test

import (
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"pgregory.net/rapid"

	"resellerbot/internal/notify/pollplan"
	"resellerbot/internal/sampletest"
)

var epoch = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

// plenty is a budget of which nothing is missing.
func plenty(batch int) pollplan.Budget {
	return pollplan.Budget{Batch: batch, Left: 8, Most: 8, PerSecond: 0.2, Halving: 2, Now: epoch}
}

// made is an order that was made at the epoch, and not looked at since.
func made(b pollplan.Belief) pollplan.Order {
	return pollplan.Order{Began: epoch, Looked: epoch, Belief: b}
}

// several is the same order many times.
func several(n int, o pollplan.Order) []pollplan.Order {
	list := make([]pollplan.Order, n)
	for i := range list {
		list[i] = o
	}
	return list
}

// TestNext: when the first look is due, and later ones.
func TestNext(t *testing.T) {
	goods := made(pollplan.Before(pollplan.Goods))
	lookedAt := func(k pollplan.Kind, age time.Duration) pollplan.Order {
		return pollplan.Order{Began: epoch.Add(-age), Looked: epoch, Belief: pollplan.Before(k)}
	}
	budget := func(change func(*pollplan.Budget)) pollplan.Budget { l := plenty(100); change(&l); return l }
	for _, tc := range []struct {
		name        string
		budget      pollplan.Budget
		orders      []pollplan.Order
		after, then time.Duration // the range that the look falls into
	}{
		{"goods, for the first time", plenty(100), several(1, goods), 700 * time.Millisecond, 1300 * time.Millisecond},
		{"a hundred are as urgent as one", plenty(100), several(100, goods), 700 * time.Millisecond, 1300 * time.Millisecond},
		{"where five calls are needed, each waits a little", plenty(100), several(500, goods), 1200 * time.Millisecond, 2 * time.Second},
		{"goods again", plenty(100), several(1, lookedAt(pollplan.Goods, 2*time.Second)), 200 * time.Millisecond, 600 * time.Millisecond},
		{"goods that take long are believed to be stuck", plenty(100), several(1, lookedAt(pollplan.Goods, 20*time.Minute)), 10 * time.Second, time.Minute},
		{"a top-up", plenty(100), several(1, lookedAt(pollplan.Topup, time.Minute)), 2 * time.Second, 10 * time.Second},
		{"by hand", plenty(100), several(1, lookedAt(pollplan.ByHand, time.Hour)), 59 * time.Second, 61 * time.Second},
		{"few calls are left", budget(func(l *pollplan.Budget) { l.Left = 1 }), several(1, lookedAt(pollplan.Goods, 2*time.Second)), 1200 * time.Millisecond, 3 * time.Second},
		{"none is left", budget(func(l *pollplan.Budget) { l.Left = 0.5 }), several(1, lookedAt(pollplan.Goods, time.Hour)), 2500 * time.Millisecond, 2 * time.Minute},
		{"a rest", budget(func(l *pollplan.Budget) { l.NotBefore = epoch.Add(30 * time.Second) }), several(1, goods), 30 * time.Second, 30 * time.Second},
		{"nothing to look at", plenty(100), nil, 2 * time.Minute, 3 * time.Minute},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if got := tc.budget.Next(tc.orders).Sub(epoch); got < tc.after || got > tc.then {
				t.Errorf("due after %v, want %v to %v", got, tc.after, tc.then)
			}
		})
	}
}

// TestPick: those go first that have been left alone for longest, quick ones before slow ones.
func TestPick(t *testing.T) {
	now := epoch.Add(3 * time.Second)
	orders := []pollplan.Order{
		made(pollplan.Before(pollplan.ByHand)),
		{Began: epoch, Looked: now.Add(-200 * time.Millisecond), Belief: pollplan.Before(pollplan.Goods)},
		made(pollplan.Before(pollplan.Goods)),
		made(pollplan.Before(pollplan.Topup)),
	}
	for batch, want := range map[int][]int{1: {2}, 2: {2, 1}, 9: {2, 1, 3, 0}} {
		got := plenty(batch).Pick(orders, now)
		if len(got) != len(want) {
			t.Fatalf("batch of %d: %v", batch, got)
		}
		for i := range want {
			if got[i] != want[i] {
				t.Errorf("batch of %d: %v, want %v", batch, got, want)
			}
		}
	}
}

// belief draws any belief.
func belief(rt *rapid.T) pollplan.Belief {
	kind := pollplan.Kind(rapid.IntRange(0, 2).Draw(rt, "kind"))
	var l pollplan.Learned
	for range rapid.IntRange(0, 60).Draw(rt, "seen") {
		at := time.Duration(rapid.IntRange(1, 1e6).Draw(rt, "ms")) * time.Millisecond
		l = l.Saw(kind, at-at/10, at)
	}
	return l.Belief(kind)
}

// TestUnseen: the longer nobody looks, the more waiting is expected, never more than has passed.
func TestUnseen(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		b := belief(rt)
		seen := time.Duration(rapid.Int64Range(0, int64(30*24*time.Hour)).Draw(rt, "seen"))
		first := time.Duration(rapid.Int64Range(0, int64(time.Hour)).Draw(rt, "first"))
		more := time.Duration(rapid.Int64Range(0, int64(time.Hour)).Draw(rt, "more"))
		a, c := b.Unseen(seen, seen+first), b.Unseen(seen, seen+first+more)
		const rounding = 1e-4 // far out, what is left is the difference of sums of days, by a share of thousandths
		if math.IsNaN(a) || a < 0 || c < a-rounding || c > (first+more).Seconds()+rounding {
			rt.Fatalf("%v after %v, %v after %v", a, first, c, first+more)
		}
	})
}

// TestNextIsDue: what is said to be due then is due then, and was not much earlier.
func TestNextIsDue(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		l := pollplan.Budget{
			Batch: rapid.IntRange(1, 200).Draw(rt, "batch"), Left: rapid.Float64Range(0, 8).Draw(rt, "left"), Most: 8,
			PerSecond: rapid.Float64Range(0.01, 2).Draw(rt, "per second"), Halving: rapid.Float64Range(1, 5).Draw(rt, "halving"), Now: epoch,
		}
		var orders []pollplan.Order
		for range rapid.IntRange(1, 30).Draw(rt, "orders") {
			age := time.Duration(rapid.Int64Range(0, int64(time.Hour)).Draw(rt, "age"))
			alone := time.Duration(rapid.Int64Range(0, int64(age)).Draw(rt, "not looked at for"))
			orders = append(orders, pollplan.Order{Began: epoch.Add(-age), Looked: epoch.Add(-alone), Belief: belief(rt)})
		}
		next := l.Next(orders)
		switch worthThen := l.Value(orders, next); {
		case next.Before(epoch):
			rt.Fatalf("due in the past")
		case worthThen < 1 && next.Before(epoch.Add(90*time.Second)):
			rt.Fatalf("not due then: %v", worthThen)
		}
		if early := next.Add(-50 * time.Millisecond); early.After(epoch) && l.Value(orders, early) >= 1 {
			rt.Fatalf("due earlier already")
		}
	})
}

// TestLearned: a few orders of a variant are enough to know how long it takes, and a change is noticed.
func TestLearned(t *testing.T) {
	firstLook := func(l pollplan.Learned, k pollplan.Kind) time.Duration {
		return plenty(1).Next(several(1, made(l.Belief(k)))).Sub(epoch)
	}
	learn := func(l pollplan.Learned, k pollplan.Kind, n int, took time.Duration) pollplan.Learned {
		for range n {
			l = l.Saw(k, took-took/20, took+took/20)
		}
		return l
	}
	for _, tc := range []struct {
		name        string
		learned     pollplan.Learned
		kind        pollplan.Kind
		after, then time.Duration
	}{
		{"quick ones", learn(pollplan.Learned{}, pollplan.Goods, 20, 200*time.Millisecond), pollplan.Goods, 150 * time.Millisecond, 400 * time.Millisecond},
		{"slow ones", learn(pollplan.Learned{}, pollplan.Goods, 20, 40*time.Second), pollplan.Goods, 10 * time.Second, 40 * time.Second},
		{"a change", learn(learn(pollplan.Learned{}, pollplan.Goods, 100, 200*time.Millisecond), pollplan.Goods, 60, 40*time.Second), pollplan.Goods, 2 * time.Second, 40 * time.Second},
		{"by hand, but quick", learn(pollplan.Learned{}, pollplan.ByHand, 20, 5*time.Second), pollplan.ByHand, 3 * time.Second, 7 * time.Second},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if got := firstLook(tc.learned, tc.kind); got < tc.after || got > tc.then {
				t.Errorf("first look after %v, want %v to %v; learned %+v", got, tc.after, tc.then, tc.learned)
			}
		})
	}
	if l := (pollplan.Learned{}).Saw(pollplan.Goods, 0, 0); l != (pollplan.Learned{}) {
		t.Errorf("an order that took no time is learned as %+v", l)
	}
}

// TestLearnedIsTrue: whatever the looks, what is learned comes near to how long orders take. Looks that come
// too late must not make orders seem slow, for then they would come later still.
func TestLearnedIsTrue(t *testing.T) {
	sampletest.MoreThanFew(t)
	rng := rand.New(rand.NewPCG(1, 1))
	for _, tc := range []struct {
		kind       pollplan.Kind
		fast, slow time.Duration
	}{
		{pollplan.Goods, 500 * time.Millisecond, 5 * time.Second},
		{pollplan.Goods, 100 * time.Millisecond, time.Second},
		{pollplan.Goods, 5 * time.Second, time.Minute},
		{pollplan.Topup, 10 * time.Second, 10 * time.Minute},
		{pollplan.ByHand, 20 * time.Minute, 12 * time.Hour},
	} {
		truth := pollplan.Between(tc.fast, tc.slow)
		var l pollplan.Learned
		for range 300 {
			took := time.Duration(math.Exp(truth.Mean+truth.Deviation*rng.NormFloat64()) * float64(time.Second))
			before, after := time.Duration(0), time.Duration(0)
			for after < took {
				budget := pollplan.Budget{Batch: 1, Left: 8, Most: 8, Halving: 2, Now: epoch.Add(after)}
				before, after = after, budget.Next([]pollplan.Order{{Began: epoch, Looked: budget.Now, Belief: l.Belief(tc.kind)}}).Sub(epoch)
			}
			l = l.Saw(tc.kind, before, after)
		}
		if off := l.Mean - truth.Mean; math.Abs(off) > 0.4 {
			t.Errorf("%v to %v: it is thought to take %.2f times as long", tc.fast, tc.slow, math.Exp(off))
		}
	}
}

// TestNearTheOptimum: with calls that always cost the same, no plan of looks does much better. The best one
// is found from the end: at each moment, the best next look given that the order was not ready now.
func TestNearTheOptimum(t *testing.T) {
	sampletest.MoreThanFew(t)
	worst := 0.
	rapid.Check(t, func(rt *rapid.T) {
		fast := time.Duration(rapid.IntRange(300, 2000).Draw(rt, "fast")) * time.Millisecond
		slow := fast * time.Duration(rapid.IntRange(6, 30).Draw(rt, "slow"))
		rule, best := costOfRule(fast, slow), costOfBest(fast, slow)
		worst = max(worst, rule/best)
		if rule > 1.12*best {
			rt.Fatalf("between %v and %v the rule costs %.4f, the best plan %.4f", fast, slow, rule, best)
		}
	})
	t.Logf("at most %.1f %% above the optimum", 100*(worst-1))
}

const grid, steps = 25 * time.Millisecond, 2400 // a minute

// readyBy is the probability to be ready by a step of the grid.
func readyBy(fast, slow time.Duration, step int) float64 {
	d := pollplan.Between(fast, slow)
	if step <= 0 {
		return 0
	}
	return 1 - math.Erfc((math.Log((time.Duration(step)*grid).Seconds())-d.Mean)/(d.Deviation*math.Sqrt2))/2
}

// tables are readyBy, and its sums: the waiting up to a step of what nobody looks at.
func tables(fast, slow time.Duration) (by, sums []float64) {
	by, sums = make([]float64, steps+1), make([]float64, steps+1)
	for i := 1; i <= steps; i++ {
		by[i] = readyBy(fast, slow, i)
		sums[i] = sums[i-1] + (by[i]+by[i-1])/2*grid.Seconds()
	}
	return by, sums
}

// callCost is what a call costs in seconds, as the rule has it.
const callCost = 0.06

// costOfBest is the expected waiting and calls of the best plan.
func costOfBest(fast, slow time.Duration) float64 {
	by, sums := tables(fast, slow)
	best := make([]float64, steps+1) // expected cost from here, times the probability to be here unready
	for i := steps - 1; i >= 0; i-- {
		best[i] = math.Inf(1)
		for j := i + 1; j <= min(i+400, steps); j++ {
			waiting := sums[j] - sums[i] - by[i]*float64(j-i)*grid.Seconds()
			best[i] = min(best[i], waiting+callCost*(1-by[i])+best[j])
		}
	}
	return best[0]
}

// costOfRule is the same of the looks that the rule makes, if it knows the times well.
func costOfRule(fast, slow time.Duration) float64 {
	by, sums := tables(fast, slow)
	d := pollplan.Between(fast, slow)
	known := pollplan.Learned{Orders: 1e6, Mean: d.Mean, Squares: 1e6 * d.Deviation * d.Deviation}.Belief(pollplan.Goods)
	var cost float64
	for i := 0; i < steps; {
		budget := pollplan.Budget{Batch: 1, Left: 1, Most: 1, PerSecond: 1, Halving: 1, Now: epoch.Add(time.Duration(i) * grid)}
		next := budget.Next([]pollplan.Order{{Began: epoch, Looked: budget.Now, Belief: known}})
		j := min(max(int(math.Round(float64(next.Sub(epoch))/float64(grid))), i+1), steps)
		cost += sums[j] - sums[i] - by[i]*float64(j-i)*grid.Seconds() + callCost*(1-by[i])
		i = j
	}
	return cost
}

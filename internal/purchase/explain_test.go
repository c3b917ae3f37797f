package purchase

import (
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"resellerbot/internal/api/dzd"
	"resellerbot/internal/store"
)

// causes makes causes of a kind.
func causes(kind causeKind, amounts ...int64) (out []cause) {
	for _, a := range amounts {
		out = append(out, cause{kind: kind, amount: dzd.Int(a)})
	}
	return out
}

// TestExplain: a change is explained by what it is made of, and only if nothing else makes it.
func TestExplain(t *testing.T) {
	for name, c := range map[string]struct {
		change int64
		causes []cause
		ways   int
		want   []int64
	}{
		"nothing moved":                   {0, causes(due, -100), 1, nil},
		"nothing that could have":         {-100, nil, 0, nil},
		"the only one":                    {-100, causes(due, -100), 1, []int64{-100}},
		"one of two alike":                {-100, causes(due, -100, -100), 1, []int64{-100}},
		"both":                            {-200, causes(due, -100, -100), 1, []int64{-100, -100}},
		"one, or two others":              {-200, causes(due, -100, -100, -200), 2, nil},
		"a sum that none makes":           {-150, causes(due, -100, -100), 0, nil},
		"one of different kinds":          {-100, slices.Concat(causes(due, -100), causes(doubted, -100)), 2, nil},
		"nothing, or one and its refund":  {0, slices.Concat(causes(due, -100), causes(refund, 100)), 2, nil},
		"very many alike":                 {-4000, causes(due, slices.Repeat([]int64{-100}, 60)...), 1, slices.Repeat([]int64{-100}, 40)},
		"more different ones than can be": {-1, causes(due, powers(14)...), 2, nil},
	} {
		t.Run(name, func(t *testing.T) {
			got := explain(dzd.Int(c.change), c.causes)
			if got.ways != c.ways {
				t.Fatalf("it is explained in %d ways, want %d", got.ways, c.ways)
			}
			if c.ways != 1 {
				return
			}
			var chosen []dzd.Amount
			for _, x := range got.chosen {
				chosen = append(chosen, x.amount)
			}
			if len(chosen) != len(c.want) {
				t.Errorf("it is explained by %v, want %v", chosen, c.want)
			}
		})
	}
}

// powers are amounts of which every sum is another.
func powers(n int) (out []int64) {
	for i := range n {
		out = append(out, -(1 << i))
	}
	return out
}

// TestExplainNeverInvents: what explains a change makes exactly it, and one way is the only one.
func TestExplainNeverInvents(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		values := rapid.SliceOfN(rapid.Int64Range(-20, 20), 0, 8).Draw(t, "amounts")
		change := rapid.Int64Range(-60, 60).Draw(t, "change")
		list := causes(due, values...)
		for i := range list {
			list[i].kind = causeKind(rapid.IntRange(0, int(denied)).Draw(t, "kind"))
		}
		got := explain(dzd.Int(change), list)
		var sum dzd.Amount
		for _, c := range got.chosen {
			sum = sum.Add(c.amount)
		}
		if got.ways == 1 && !sum.Equal(dzd.Int(change)) {
			t.Fatalf("%v of %v make %s, not %d", got.chosen, list, sum, change)
		}
		if ways := brute(change, list); min(ways, 2) != got.ways {
			t.Fatalf("%d of %v is explained in %d ways, want %d", change, list, got.ways, ways)
		}
	})
}

// brute counts in how many ways causes make a change, where those of a kind and an amount are one.
func brute(change int64, list []cause) int {
	seen := map[string]bool{}
	for set := range 1 << len(list) {
		var sum dzd.Amount
		key := map[string]int{}
		for i, c := range list {
			if set&(1<<i) != 0 {
				sum = sum.Add(c.amount)
				key[string(rune('a'+c.kind))+c.amount.String()]++
			}
		}
		if sum.Equal(dzd.Int(change)) {
			var parts []string
			for k, n := range key {
				parts = append(parts, k+"×"+string(rune('0'+n)))
			}
			slices.Sort(parts)
			seen[strings.Join(parts, " ")] = true
		}
	}
	return len(seen)
}

// TestChargeOf: a purchase is charged if nothing but that explains the money, and not charged if that cannot.
func TestChargeOf(t *testing.T) {
	for name, c := range map[string]struct {
		change int64
		others []cause
		want   charge
	}{
		"everything is there":                      {0, nil, uncharged},
		"the price is gone":                        {-200, nil, charged},
		"something else is gone":                   {-100, nil, unclear},
		"a refund came":                            {100, causes(refund, 100), uncharged},
		"the price is gone and a refund came":      {-100, causes(refund, 100), charged},
		"a refund of the price may hide it":        {0, causes(refund, 200), unclear},
		"an order that fails just now may hide it": {0, causes(possibleRefund, 200), unclear},
		"another purchase of the price shows late": {-200, causes(due, -200), unclear},
		"both show":                                      {-400, causes(due, -200), charged},
		"another uncertain purchase of the same":         {-200, causes(doubted, -200), unclear},
		"an older reading may hide it":                   {0, causes(olderReading, 200), unclear},
		"a top-up that nobody knows of":                  {5000, nil, unclear},
		"a top-up that was seen, and is not seen for it": {-5200, causes(olderReading, -5000), charged},
	} {
		t.Run(name, func(t *testing.T) {
			if got := chargeOf(dzd.Int(c.change), dzd.Int(200), c.others); got != c.want {
				t.Errorf("it is %d, want %d", got, c.want)
			}
		})
	}
}

// TestLikeliest: what is sure to come explains before what may have come, and an older reading before anything that
// was denied.
func TestLikeliest(t *testing.T) {
	all := slices.Concat(causes(due, -100), causes(possibleRefund, 30), causes(olderReading, 30, -50), causes(denied, -100, -77))
	for change, want := range map[int64]causeKind{-100: due, 30: possibleRefund, -50: olderReading, -77: denied} {
		got := likeliest(dzd.Int(change), all)
		if got.ways != 1 || len(got.chosen) != 1 || got.chosen[0].kind != want {
			t.Errorf("%d is explained by %v in %d ways, want one of kind %d", change, got.chosen, got.ways, want)
		}
	}
}

// TestKindOf: how much is known about a change that is expected.
func TestKindOf(t *testing.T) {
	const memory = 10 * time.Minute
	at := func(before time.Duration) time.Time { return start.Add(-before) }
	for name, c := range map[string]struct {
		x      store.Expected
		want   causeKind
		counts bool
	}{
		"an accepted purchase":            {store.Expected{At: at(time.Minute)}, due, true},
		"an uncertain one":                {store.Expected{At: at(time.Minute), Doubtful: true}, doubted, true},
		"one that was denied":             {store.Expected{At: at(time.Hour), Denied: true}, denied, true},
		"one that was denied yesterday":   {store.Expected{At: at(deniedLife), Denied: true}, denied, false},
		"one that may be in the first":    {store.Expected{At: at(time.Minute), Before: true}, doubted, true},
		"one that was just shown":         {store.Expected{At: at(time.Hour), Seen: at(time.Minute)}, olderReading, true},
		"one that was shown long ago":     {store.Expected{At: at(time.Hour), Seen: at(memory)}, olderReading, false},
		"an uncertain one that was shown": {store.Expected{At: at(time.Minute), Doubtful: true, Seen: at(0)}, olderReading, true},
	} {
		t.Run(name, func(t *testing.T) {
			if got, counts := kindOf(c.x, start, memory); got != c.want || counts != c.counts {
				t.Errorf("it is of kind %d, counts: %v; want %d, %v", got, counts, c.want, c.counts)
			}
		})
	}
}

// TestSpentElsewhere: purchases with another key explain just what has gone, and each of them but once.
func TestSpentElsewhere(t *testing.T) {
	// As the store lists them: the newest first.
	bought := []elsewhere{{purchase: "B", amount: dzd.Int(-250)}, {purchase: "A", amount: dzd.Int(-100)}}
	for name, c := range map[string]struct {
		change int64
		before []string // taken for an earlier debit
		want   []string
	}{
		"one":                     {-100, nil, []string{"A"}},
		"both":                    {-350, nil, []string{"A", "B"}},
		"more than that":          {-400, nil, nil},
		"less than that":          {-60, nil, nil},
		"it has explained before": {-100, []string{"A"}, nil},
		"another has":             {-250, []string{"A"}, []string{"B"}},
	} {
		t.Run(name, func(t *testing.T) {
			w := store.Wallet{Expected: []store.Expected{{Amount: dzd.Int(-100), Elsewhere: c.before}}}
			got := spentElsewhere(w, dzd.Int(c.change), bought)
			if slices.Sort(got); !slices.Equal(got, c.want) {
				t.Errorf("it is explained by %q, want %q", got, c.want)
			}
		})
	}
}

// TestSpentMoreElsewhere: less has gone than purchases with another key cost that were sent shortly before it showed.
func TestSpentMoreElsewhere(t *testing.T) {
	start, memory := time.Date(2026, 1, 1, 12, 0, 0, 0, time.UTC), 16*time.Minute
	for name, c := range map[string]struct {
		change int64
		sent   time.Duration // the purchase of 250, behind the start
		back   bool
		named  []string
		began  time.Duration // the explaining, behind the start
		want   bool
	}{
		"less":                         {change: -200, want: true},
		"as much with the other one":   {change: -350},
		"less than both":               {change: -300, want: true},
		"money came":                   {change: 60},
		"it was sent later":            {change: -200, sent: 6 * time.Minute},
		"it was sent long before":      {change: -200, sent: -12 * time.Minute},
		"its money came back":          {change: -200, back: true},
		"it has explained before":      {change: -200, named: []string{"B"}},
		"the first reading has it":     {change: -200, began: time.Minute},
		"less than the other one cost": {change: -60, sent: time.Hour, want: true},
	} {
		t.Run(name, func(t *testing.T) {
			bought := []elsewhere{{"B", dzd.Int(-250), start.Add(c.sent), c.back}, {"A", dzd.Int(-100), start.Add(2 * time.Minute), false}}
			w := store.Wallet{Began: start.Add(c.began), Expected: []store.Expected{{Elsewhere: c.named}}}
			if c.sent < 0 {
				w.Began = w.Began.Add(-time.Hour)
			}
			if got := spentMoreElsewhere(w, dzd.Int(c.change), bought, start.Add(5*time.Minute), memory); got != c.want {
				t.Errorf("it is %v", got)
			}
		})
	}
}

// TestContested: an uncertain purchase and another price of one that is known to have been bought explain a change just as well. The other price
// is likelier where it needs less that is not known; what it needs that was said not to have happened is named.
func TestContested(t *testing.T) {
	named := dzd.Int(-100)
	uncertain := func(id string, amount int64) store.Expected {
		return store.Expected{Purchase: id, Amount: dzd.Int(amount), Doubtful: true}
	}
	denied := func(id string, amount int64) store.Expected {
		return store.Expected{Purchase: id, Amount: dzd.Int(amount), At: time.Now(), Denied: true}
	}
	shown := func(n int) (all []store.Expected) { // no two of their sums are the same
		for i := range n {
			all = append(all, store.Expected{Purchase: strconv.Itoa(i), Amount: dzd.Int(-1000 - int64(1)<<i), At: time.Now().Add(-20 * time.Minute), Seen: time.Now().Add(-19 * time.Minute)})
		}
		return all
	}
	for name, c := range map[string]struct {
		change   int64
		beside   []store.Expected
		so       bool
		likelier bool
		instead  []string
	}{
		"the other price alone":                               {-100, []store.Expected{uncertain("U", -100)}, true, true, nil},
		"with another that is due":                            {-300, []store.Expected{uncertain("U", -100), {Purchase: "D", Amount: dzd.Int(-200)}}, true, true, nil},
		"with two that are uncertain":                         {-300, []store.Expected{uncertain("U", -100), uncertain("V", -100)}, true, false, nil},
		"with one that is uncertain as well":                  {-400, []store.Expected{uncertain("U", -200), uncertain("V", -300)}, true, false, nil},
		"with one that was said to be none":                   {-300, []store.Expected{uncertain("U", -100), denied("N", -100)}, true, false, []string{"N"}},
		"or one that was said to be none":                     {-400, []store.Expected{uncertain("V", -300), denied("N", -200)}, true, true, nil},
		"with what people say was bought":                     {-300, []store.Expected{{Purchase: "S", Amount: dzd.Int(-100), Doubtful: true, Said: true}, {Purchase: "D", Amount: dzd.Int(-200)}}, true, false, nil},
		"with another that is due as well":                    {-200, []store.Expected{{Purchase: "D", Amount: dzd.Int(-100)}}, true, true, nil},
		"of another that has shown":                           {-200, []store.Expected{{Purchase: "D", Amount: dzd.Int(-100), Seen: time.Now()}}, false, false, nil},
		"of another that it may be as well":                   {-100, []store.Expected{uncertain("U", -100), {Purchase: "Q", Amount: dzd.Int(-300), Instead: &named}}, true, false, nil},
		"of another alike":                                    {-100, []store.Expected{uncertain("U", -100), {Purchase: "Q", Amount: dzd.Int(-200), Instead: &named}}, true, true, nil},
		"of either of two, with one that was said to be none": {-250, []store.Expected{uncertain("U", -250), denied("N", -150), {Purchase: "Q", Amount: dzd.Int(-300), Instead: &named}}, true, false, nil},
		"beside more that has shown than can be told":         {-77, append(shown(14), uncertain("U", -77)), true, false, nil},
		"it explains nothing with any price":                  {-250, []store.Expected{uncertain("U", -100), denied("N", -100)}, false, false, nil},
	} {
		t.Run(name, func(t *testing.T) {
			w := store.Wallet{Expected: append([]store.Expected{{Purchase: "P", Amount: dzd.Int(-200), Instead: &named}}, c.beside...)}
			change, causes := dzd.Int(c.change), causesOf(w, "", time.Now(), recall)
			x := likeliest(change, causes)
			other, so := contested(w, x, change, causes)
			if got := other.deniedInstead(w, x); so != c.so || !slices.Equal(got, c.instead) {
				t.Errorf("it is contested: %v, by %v", so, got)
			}
			if likelier := so && other.isLikelier(w, x); likelier != c.likelier {
				t.Errorf("the other price is likelier: %v", likelier)
			}
		})
	}
}

// TestGoesNoMore: a price that is expected again may go no more, and what was sent twice may cost as much all the same.
func TestGoesNoMore(t *testing.T) {
	at, cost := time.Now(), dzd.Int(-100)
	a := store.Account{}
	for _, why := range []store.MayGo{store.Twice, store.Untaken} {
		noteMayGo(&a, "P", cost, why, at)
	}
	for range 2 {
		revokeMayGo(&a, "P", cost)
		if left := a.Wallet.Expected; len(left) != 1 || left[0].MayGo != store.Twice {
			t.Fatalf("what may go is %+v", left)
		}
	}
}

// TestLacks: a reading may be older than what was bought here for as much as it is too high, where some of the latest prices add up
// to that. What was said of a purchase with doubt is none of them.
func TestLacks(t *testing.T) {
	now := time.Date(2026, 1, 1, 12, 0, 0, 0, time.UTC)
	bought := func(price int64, seen time.Duration) store.Expected {
		x := store.Expected{Purchase: strings.Repeat("p", int(price)), At: now.Add(-seen), Amount: dzd.Int(-price)}
		if seen > 0 {
			x.Seen = now.Add(-seen)
		}
		return x
	}
	w := store.Wallet{Read: true, Available: dzd.Int(1000), Expected: []store.Expected{
		bought(10, 2*time.Hour), bought(20, time.Minute), bought(70, 0), bought(300, 0), {Purchase: "q", Amount: dzd.Int(-500), Doubtful: true}, {Amount: dzd.Int(-600), Seen: now},
	}}
	for above, want := range map[int64]int64{0: 0, -70: 0, 10: 0, 20: 20, 70: 70, 90: 90, 370: 370, 390: 390, 71: 0, 500: 0, 600: 0} {
		if got := Lacks(w, w.Available.Add(dzd.Int(above)), now); !got.Equal(dzd.Int(want)) {
			t.Errorf("%d above what is there, it lacks %s; want %d", above, got, want)
		}
	}
	// 333 stand without an explanation, and all prices are in what is shown: that they are not would take less money from elsewhere.
	shown := dzd.Int(1333)
	w.Shown, w.Unexplained = &shown, &store.StandingChange{Amount: dzd.Int(333)}
	if lacking, rest := Unlisted(w, now); !lacking.IsZero() || !rest.Equal(shown.Sub(w.Available)) {
		t.Errorf("it lacks %s, and %s is not accounted for", lacking, rest)
	}
	if got := Lacks(store.Wallet{}, dzd.Int(5), now); !got.IsZero() {
		t.Errorf("before anything was read, %s are lacking", got)
	}
}

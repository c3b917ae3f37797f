package purchase

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"resellerbot/internal/api/dzd"
)

func TestExplain(t *testing.T) {
	for name, c := range map[string]struct {
		change  int64
		amounts []int64
		want    []int
	}{
		"nothing waits":             {100, nil, nil},
		"the only one":              {100, []int64{100}, []int{0}},
		"the oldest of two alike":   {100, []int64{100, 100}, []int{0}},
		"both":                      {200, []int64{100, 100}, []int{0, 1}},
		"one rather than two":       {200, []int64{100, 100, 200}, []int{2}},
		"a sum that none makes":     {150, []int64{100, 100}, nil},
		"money that went":           {-100, []int64{100}, nil},
		"very many, in a row":       {300, slices.Repeat([]int64{100}, 40), []int{0, 1, 2}},
		"very many that do not fit": {50, slices.Repeat([]int64{100}, 40), nil},
	} {
		t.Run(name, func(t *testing.T) {
			var amounts []dzd.Amount
			for _, a := range c.amounts {
				amounts = append(amounts, dzd.Int(a))
			}
			if got := explain(dzd.Int(c.change), amounts); !slices.Equal(got, c.want) {
				t.Errorf("explain = %v, want %v", got, c.want)
			}
		})
	}
}

// TestExplainNeverInvents: whatever it picks makes exactly the change.
func TestExplainNeverInvents(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		values := rapid.SliceOfN(rapid.Int64Range(1, 50), 0, 10).Draw(t, "amounts")
		change := rapid.Int64Range(-100, 500).Draw(t, "change")
		var amounts []dzd.Amount
		for _, v := range values {
			amounts = append(amounts, dzd.Int(v))
		}
		var sum int64
		chosen := explain(dzd.Int(change), amounts)
		for _, i := range chosen {
			sum += values[i]
		}
		if len(chosen) > 0 && sum != change {
			t.Fatalf("%v of %v make %d, not %d", chosen, values, sum, change)
		}
	})
}

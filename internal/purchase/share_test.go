package purchase

import (
	"testing"

	"resellerbot/internal/api/dzd"
	"resellerbot/internal/store"
)

// TestShare: what one refund is taken to be in is left to no other, and what came before an order failed is not its own.
func TestShare(t *testing.T) {
	for name, c := range map[string]struct {
		left, want [3]int64
	}{
		"all of it since the last":   {[3]int64{250, 250, 250}, [3]int64{150, 150, 150}},
		"some before the last":       {[3]int64{250, 250, 20}, [3]int64{150, 150, 20}},
		"more since the last":        {[3]int64{250, 250, 200}, [3]int64{150, 150, 150}},
		"some before the one":        {[3]int64{300, 120, 0}, [3]int64{200, 20, 0}},
		"nothing is left to the one": {[3]int64{100, 100, 100}, [3]int64{0, 0, 0}},
	} {
		t.Run(name, func(t *testing.T) {
			var waiting []store.Order
			for _, left := range c.left {
				waiting = append(waiting, store.Order{Came: store.Inflow{Left: dzd.Int(left)}})
			}
			share(waiting, 1, dzd.Int(100))
			for i, o := range waiting {
				if !o.Came.Left.Equal(dzd.Int(c.want[i])) {
					t.Errorf("to %d is left %s, want %d", i, o.Came.Left, c.want[i])
				}
			}
		})
	}
}

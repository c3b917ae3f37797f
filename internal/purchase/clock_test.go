package purchase

import (
	"testing"
	"time"

	"resellerbot/internal/api"
	"resellerbot/internal/store"
)

// TestMadeAt: a time counts by our clock as far as it is known how far it is from it, and an offset for the times that it
// was seen in alone.
func TestMadeAt(t *testing.T) {
	at := time.Date(2026, 3, 1, 10, 7, 0, 0, time.UTC)
	hour := at.Add(-time.Hour)
	for name, c := range map[string]struct {
		zoneless bool
		list     store.Lag
		want     time.Time
	}{
		"a zone that is named":                          {false, store.Lag{}, at},
		"and a clock that is wrong":                     {false, store.Lag{Offset: time.Hour}, hour},
		"an offset of times that named none":            {false, store.Lag{Offset: time.Hour, Clock: true}, at},
		"no zone, and nothing is known":                 {true, store.Lag{}, time.Time{}},
		"no zone, and an offset of times that name one": {true, store.Lag{Offset: time.Hour}, time.Time{}},
		"no zone, and orders have shown it":             {true, store.Lag{Offset: time.Hour, Clock: true}, hour},
		"no zone, and it is ours":                       {true, store.Lag{Clock: true}, at},
	} {
		if got := madeAt(api.Order{CreatedAt: at, Zoneless: c.zoneless}, c.list, at); !got.Equal(c.want) {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
	}
}

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

// TestOneClock: the times that people read of a list are those that orders are judged by.
func TestOneClock(t *testing.T) {
	at := time.Date(2026, 3, 1, 10, 7, 0, 0, time.UTC)
	day := at.Truncate(24 * time.Hour)
	list := func(manual bool) string { return listLag(store.Account{}, store.Purchase{Manual: manual}) }
	for name, c := range map[string]struct {
		order api.Order
		lags  map[string]store.Lag
		want  time.Time
		told  bool
	}{
		"a wrong clock":                  {api.Order{CreatedAt: at}, map[string]store.Lag{list(false): {Offset: time.Hour}}, at.Add(-time.Hour), true},
		"a zone that manual orders show": {api.Order{CreatedAt: at, Zoneless: true}, map[string]store.Lag{list(true): {Offset: time.Hour, Clock: true}}, at.Add(-time.Hour), true},
		"nothing is known":               {api.Order{CreatedAt: at, Zoneless: true}, nil, at, false},
		"a date alone":                   {api.Order{CreatedAt: day, Zoneless: true}, map[string]store.Lag{list(false): {Offset: time.Hour, Clock: true}}, day, false},
	} {
		a := store.Account{Lags: c.lags}
		shown := InOurTime(a, api.Goods, []api.Order{c.order})[0]
		if !shown.CreatedAt.Equal(c.want) || c.order.Zoneless && shown.Zoneless == c.told {
			t.Errorf("%s: people read %v, zone not named: %v", name, shown.CreatedAt, shown.Zoneless)
		}
		if got := madeAt(c.order, clockOf(a, api.Goods), at); c.told != got.Equal(c.want) {
			t.Errorf("%s: it is judged by %v", name, got)
		}
	}
}

package purchase

import "resellerbot/internal/store"

// Followed is an account of which enough purchases like one were followed to know how late its readings are: not at
// all.
func Followed(a *store.Account, p store.Purchase) {
	a.Lags = map[string]store.Lag{balanceLag: {Seen: lagSamples}, listLag(*a, p): {Seen: lagSamples}}
}

package store_test

import (
	"testing"

	"resellerbot/internal/store"
)

// TestOrdersOfDifferentOrigins: the same number at two endpoints is two orders, and each is asked for by the
// number that the service knows.
func TestOrdersOfDifferentOrigins(t *testing.T) {
	seen := map[string]string{}
	for _, origin := range []string{"current", "legacy", "arena", "battleroyale", "sportstv"} {
		id := store.OrderID(origin, "7")
		if other, taken := seen[id]; taken {
			t.Errorf("order 7 of %s is that of %s", origin, other)
		}
		seen[id] = origin
		if o := (store.Order{ID: id, Origin: origin}); o.ServiceID() != "7" {
			t.Errorf("order 7 of %s is asked for as %s", origin, o.ServiceID())
		}
	}
	if store.OrderID("", "7") != store.OrderID("current", "7") {
		t.Error("an order without an origin is none of the current interface")
	}
}

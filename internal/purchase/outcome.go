package purchase

import (
	"strings"

	"resellerbot/internal/api"
	"resellerbot/internal/store"
)

// stateOf is what an order as the service shows it means to us. A code counts whatever the status
// says, and a status that we do not know means waiting: the set of statuses is open
// (reseller-api.md, States and transitions).
func stateOf(o api.Order) store.OrderState {
	if !o.Code.IsZero() {
		return store.Ready
	}
	switch strings.ToLower(strings.TrimSpace(o.Status)) {
	case "failed", "canceled", "cancelled", "refunded", "rejected", "error":
		return store.Failed
	}
	return store.Waiting
}

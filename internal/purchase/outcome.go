package purchase

import (
	"slices"
	"strings"

	"resellerbot/internal/api"
	"resellerbot/internal/store"
)

// The set of statuses is open (reseller-api.md, States and transitions): these are the ones that the
// document shows, and those that say the same.
func failing() []string {
	return []string{"failed", "canceled", "cancelled", "refunded", "rejected", "error", "declined", "expired"}
}

func succeeding() []string {
	return []string{"success", "successful", "completed", "complete", "delivered", "done", "fulfilled"}
}

func pending() []string {
	return []string{"", "pending", "processing", "queued", "in_progress", "in progress", "waiting", "created", "new"}
}

// said is a status as it is compared.
func said(status string) string { return strings.ToLower(strings.TrimSpace(status)) }

// stateOf is what an order as the service shows it means to us. A code counts whatever the status says. A
// success without a code is the end of a top-up, and of what people delivered with words; else the code is
// still to come. A status that we do not know means waiting.
func stateOf(o store.Order, seen api.Order) store.OrderState {
	status := said(seen.Status)
	switch {
	case !seen.Code.IsZero():
		return store.Ready
	case slices.Contains(failing(), status):
		return store.Failed
	case succeeded(seen) && (o.Topup || !o.Notes.IsZero()):
		return store.Completed
	}
	return store.Waiting
}

// succeeded reports whether the service calls an order done.
func succeeded(seen api.Order) bool { return slices.Contains(succeeding(), said(seen.Status)) }

// isStrange reports whether a status is none that we know.
func isStrange(status string) bool {
	s := said(status)
	return !slices.Contains(failing(), s) && !slices.Contains(succeeding(), s) && !slices.Contains(pending(), s)
}

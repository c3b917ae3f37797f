package purchase

import "resellerbot/internal/api"

// Why a purchase was refused or dropped, as Purchase.Reason holds it. Refusals of the service hold the
// name of their class (api.Class).
const (
	ReasonCancelled = "cancelled"     // the buyer left
	ReasonExpired   = "expired"       // the summary, or the question to the owners, is too old
	ReasonWaited    = "waited"        // its turn did not come in time: others went first, or the process was not there
	ReasonHeld      = "held"          // its turn did not come in time: one before it is uncertain
	ReasonPrice     = "price_changed" // the price is not the one that was shown any more
	ReasonRenamed   = "renamed"       // the service calls the variant something else than what was shown
	ReasonRefused   = "refused"       // an owner said no
	ReasonRemoved   = "removed"       // its buyer was taken out of the team, or may not buy any more
	ReasonLocked    = "locked"        // an owner has stopped all spending
	ReasonFrozen    = "frozen"        // the database was restored, and the account is not checked yet
	ReasonUnlinked  = "unlinked"      // the account was unlinked while the purchase waited
)

// ReasonOf is the Reason of a refusal of this class.
func ReasonOf(c api.Class) string { return c.String() }

package store

// Why a purchase was dropped or refused, as Purchase.Reason holds it, and why what was left of a list was not sent (List.Why).
// Refusals of the service hold the name of their class instead (api.Class). They are stored: a value stays what it is.
const (
	ReasonCancelled = "cancelled"     // the buyer left
	ReasonExpired   = "expired"       // the summary, or the question to the owners, is too old
	ReasonWaited    = "waited"        // its turn did not come in time: others went first, or the process was not there
	ReasonHeld      = "held"          // its turn did not come in time: one before it is uncertain
	ReasonOutage    = "outage"        // its turn came, and the service did not answer in time; of a queued one: has not answered yet
	ReasonPrice     = "price_changed" // the price is not the one that was shown any more
	ReasonRenamed   = "renamed"       // the service calls the variant something else than what was shown
	ReasonRefused   = "refused"       // an owner said no
	ReasonRemoved   = "removed"       // its buyer was taken out of the team, or may not buy any more
	ReasonLocked    = "locked"        // an owner has stopped all spending
	ReasonFrozen    = "frozen"        // the database was restored, and the account is not checked yet
	ReasonRepeat    = "repeat"        // of a line of a list: the same was bought for the same player since the card was shown
	ReasonStopped   = "stopped"       // of a list: somebody has stopped it
	ReasonUnlinked  = "unlinked"      // the account was unlinked while the purchase waited
)

// The rules of evidence about an uncertain purchase, as Evidence.Rule holds them: package purchase speaks them, and screens say them.
// They are stored: a value stays what it is.
const (
	RuleRows      = "rows"       // exactly as many orders as were bought, and exactly their price is gone, or they have failed and it is back
	RuleTooMany   = "too many"   // more orders fit than were bought
	RuleTooFew    = "too few"    // fewer orders fit than were bought
	RuleLate      = "late"       // orders fit, and were made after the attempt had ended
	RuleShared    = "shared"     // orders fit, and others buy with this account as well
	RuleOwn       = "own"        // orders fit, and may be those of another purchase of ours
	RuleUntrusted = "untrusted"  // orders fit, and the money does not say so
	RuleMoneyGone = "money gone" // its price is gone and no order shows
	RuleTraces    = "traces"     // an order or its price gone showed earlier, and shows no more: it may have been refunded
	RuleNothing   = "nothing"    // no order, no money gone, for the whole quiet time
	RuleUnknown   = "unknown"    // nothing shows, and it is not known how late this account's readings are
	RuleUnclear   = "unclear"    // neither can be shown
	RuleWaiting   = "waiting"    // too early to say
	RuleInstead   = "instead"    // its own orders show nowhere, and orders fit that are nobody's
	RuleNamed     = "named"      // the answer named orders, and they exist
)

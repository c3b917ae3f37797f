package store

import (
	"strings"
	"time"

	"resellerbot/internal/api/dzd"
	"resellerbot/internal/secret"
)

// Order is one unit of a purchase, as followed at the service.
type Order struct {
	Account  string
	ID       string // as OrderID makes it
	Purchase string
	Origin   string // how it is followed, as the service's client names it
	Other    string // the arena's transaction id; empty elsewhere
	Topup    bool   // it ends without a code
	Personal bool   // it is for somebody who was asked for: it may end without a code
	Manual   bool   // delivered by people
	Item     string // what was ordered, as ItemOf names it
	Unit     int    // 1…quantity
	Status   string // as it came last
	// Unrecognized tells that the status is none that we know: it is shown as it came; "Strange" is its name on disk.
	Unrecognized bool `json:"Strange"`
	// State is where the order is in its life.
	State  OrderState
	Price  dzd.Amount  // as the service shows it; zero where it does not
	Clash  bool        // the service has sent another purchase's code for it, which is not delivered
	Was    OrderState  // the end that people were told of before, where it has come to another one since
	Back   bool        // the service calls it under way again, after its end
	Refund RefundState // of a Failed one
	Came   Inflow      // since a Failed one has failed
	Late   bool        // people were told that it takes too long
	Code   secret.Text `json:"-"` // sealed at rest
	// Serial is the serial number that came with Code, and no part of it; sealed at rest.
	Serial secret.Text `json:"-"`
	// Later is the codes that the service has shown in the place of Code since; sealed at rest. None is dropped.
	Later []secret.Text `json:"-"`
	// Instead is what stood in the place of a code and was not taken for one; sealed at rest.
	Instead   secret.Text `json:"-"`
	Notes     secret.Text `json:"-"` // what whoever delivered it wrote; sealed at rest
	CreatedAt time.Time   // when we learned of it
	SeenAt    time.Time   // last look
	DoneAt    time.Time   // when the service first called it done without a code; zero where it did not
	ReadyAt   time.Time   // when the code or the failure was seen: of a failed order the refund is awaited since then, and awaitAnew (purchase/more.go) begins that anew
	Looks     int         // how often it was asked for
	Due       time.Time   // next look; zero when none is needed
	Unshown   time.Time   // since when the service does not show it at any endpoint; zero while it does
	Gone      bool        // and that for so long that people were told
	Rechecked bool        // nothing is awaited of it: it is looked at all the same, for the service may still call it failed
	rev       uint64
}

// Codes lists every code that the service has shown for the order, the first one first.
func (o Order) Codes() []secret.Text {
	if o.Code.IsZero() {
		return nil
	}
	return append([]secret.Text{o.Code}, o.Later...)
}

// OnlyWhenDue reports whether the order is looked at when it is Due and not earlier: it has come to an end that may
// not be its last, or has been waited for so long that people were told.
func (o Order) OnlyWhenDue() bool { return o.State != Waiting || o.CodeOverdue() }

// CodeOverdue reports whether the service has called the order done for so long without its code that people were told.
func (o Order) CodeOverdue() bool { return o.Late && !o.DoneAt.IsZero() }

// Pending reports whether something is awaited of the order: it is looked at, and not only to see whether the service
// stays with its word.
func (o Order) Pending() bool { return !o.Due.IsZero() && !o.Rechecked }

// CountCodes is how many codes the service has shown for some orders.
func CountCodes(orders []Order) (n int) {
	for _, o := range orders {
		n += len(o.Codes())
	}
	return n
}

// OrderID is the ID of an order that the service calls id. Numbers of different origins may be the same, so
// those that are not of the Current generation carry their origin.
func OrderID(origin, id string) string {
	if origin == "" || origin == "current" {
		return id
	}
	return origin + ":" + id
}

// ServiceID is what the service calls the order.
func (o Order) ServiceID() string { return strings.TrimPrefix(o.ID, o.Origin+":") }

// Names lists the IDs that the order may have: the arena has two names for one.
func (o Order) Names() []string {
	if o.Other == "" || o.Other == o.ServiceID() {
		return []string{o.ID}
	}
	return []string{o.ID, OrderID(o.Origin, o.Other)}
}

// OrderState is what an order's status means to us.
type OrderState string

// The states of an order.
const (
	Waiting   OrderState = "waiting"
	Ready     OrderState = "ready"    // the code is here
	Failed    OrderState = "failed"   // failed or cancelled; the service refunds by itself
	Completed OrderState = "complete" // done without a code, as a top-up is
)

// RefundState is what became of the money of an order that failed.
type RefundState string

// The states of a refund. One that does not show is waiting first. After 17 minutes it is missing, where all that the balance did since is
// explained; after 34 it is unread, where it is not; after 7 days it is unseen, and looked for no more. These are the least of the times in
// purchase/lag.go. Each state has a text in two places, and an order of telling (screen/refunds.go, screen/shopprice.go).
const (
	NoRefund      RefundState = ""
	RefundWaiting RefundState = "waiting" // the service gives it back by itself; not seen in the balance yet
	RefundSeen    RefundState = "seen"
	RefundUnread  RefundState = "unread"  // not all that the balance did since was known in time; people were told, and it is still looked for
	RefundMissing RefundState = "missing" // not seen in time; people were told, and it is still looked for
	RefundUnseen  RefundState = "unseen"  // not seen for as long as it is looked for
	RefundUntaken RefundState = "untaken" // nothing of its price is missing: there is nothing to give back
	// RefundLikely: as much came after people were told, or no less came from outside since the order has failed. It is
	// the refund, or money that they added.
	RefundLikely RefundState = "likely"
)

// RefundStates are all states of a refund that there is something to tell of, in the order of the telling: what is awaited, what is back,
// what has to be asked for, what nobody can be sure of.
func RefundStates() []RefundState {
	return []RefundState{RefundWaiting, RefundSeen, RefundUnread, RefundMissing, RefundUnseen, RefundLikely, RefundUntaken}
}

// Awaited reports whether a refund has not come as far as anybody knows, and is looked for.
func (r RefundState) Awaited() bool {
	return r == RefundWaiting || r == RefundUnread || r == RefundMissing
}

// Returned reports whether nothing of the price is missing any more, as far as anybody knows: it is back, or was never taken.
func (r RefundState) Returned() bool {
	return r == RefundSeen || r == RefundLikely || r == RefundUntaken
}

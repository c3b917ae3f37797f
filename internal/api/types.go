package api

import (
	"time"

	"resellerbot/internal/api/dzd"
	"resellerbot/internal/secret"
)

// The sections named below are those of docs/reseller-api.md. All texts are the service's own: hostile until
// they are escaped. All amounts are in DZD, all times in UTC. A time that is Zoneless named no zone, and none is known: it
// stands as it was written, as if it were UTC.

// Product is one good of the catalogue with its variants (Product, Legacy shapes).
type Product struct {
	ID            int64 // ArenaProduct for the arena's plans
	Name          string
	Description   string
	CategoryID    int64
	Family        Family
	Kind          string // `topup` appears; empty where the listing does not tell
	Listed        bool   // Names.TopupProducts has it
	RequiresInput bool
	Inputs        []Input // what input_fields asks for, ordered by index
	Manual        bool    // Legacy type `manual`: people deliver it, which takes a while
	Variants      []Variant
}

// Input is one question that the buyer answers before a purchase. Only Index is sure to be there:
// the inner structure of input_fields is not shown (Product).
type Input struct {
	Index    string // the key under which the answer travels
	Label    string
	Hint     string
	Pattern  string // a regular expression, as the service wrote it; may not compile
	Required bool
	Options  []string // the answers there are; none where any text is one
	Labels   []string // what people know each of Options by
}

// OptionLabel is what people know an option by.
func (in Input) OptionLabel(i int) string {
	if i < len(in.Labels) && in.Labels[i] != "" {
		return in.Labels[i]
	}
	return in.Options[i]
}

// Variant is what can be bought: a denomination of a product at the client's own price (Variant, Legacy
// shapes).
type Variant struct {
	ID        int64  // 0 in a listing that does not tell it: Session.Product does
	Plan      string // plan_id, of the arena's plans alone
	Name      string
	Price     dzd.Amount   // of one unit, for this client; no money where Available is false for want of a price
	Delivery  string       // `instant` appears
	InStock   int          // units; 0 where the service does not say
	Available bool         // can be bought: it has a price, and nothing says that it is sold out
	Sells     dzd.Amount   // what it is said to be sold for (sell_price, plan_price), where that stands beside Price; no money where not
	Unpriced  bool         // nothing says that it is sold out, and no price came: whether it can be bought is not known
	Stock     *ClientStock // the account's allocation; nil where the service sends none
}

// ClientStock is the account's allocation of one variant, in units (ClientStock).
type ClientStock struct {
	VariantID int64
	Allocated int
	Used      int
	Remaining int
	Status    string    // as it came; `active` appears
	ExpiresAt time.Time // zero where not given
	Zoneless  bool      // of ExpiresAt
	// Lacks: a number of units did not come and does not follow from the others: it is zero here, and unknown.
	Lacks bool
}

// StockEntry is an allocation as GET /stock lists it (Stock entry).
type StockEntry struct {
	ClientStock

	ProductID   int64
	ProductName string
	VariantName string
}

// Order is one unit as the service made it from a purchase (Order, Legacy shapes, States and transitions).
type Order struct {
	ID          string // unique within its Origin
	Transaction string // the arena's transaction id, "" elsewhere
	ProductName string
	VariantName string
	Status      string      // as it came; the set is open
	Code        secret.Text // what was bought; empty until it is delivered
	Serial      secret.Text // the serial number beside Code; empty where there is no code
	Claim       Claim       // what has_key said, whether or not the code came along
	Instead     secret.Text // what stands where the code will be, where that is no code: it may be one after all
	Facts       secret.Text // fields that nobody knows, of what is done and has nothing where a code stands, a line each: it may be among them
	Notes       secret.Text // Legacy manual orders: words of whoever delivers, which may hold what was bought
	Player      string      // top-ups: what who gets it is called, as far as the answer tells
	PlayerID    string      // top-ups: who gets it, as far as the answer tells
	// PlayerNumber: PlayerID came as a number, which cannot hold the zeros that an id may begin with.
	PlayerNumber bool
	Price        dzd.Amount
	CreatedAt    time.Time // zero where not given or not readable
	Zoneless     bool      // of CreatedAt
	// Gone: this is no answer about the order, but that the service does not show it at any endpoint. It has an ID alone.
	Gone bool
	// Rest: this is no order of a list, but all those on pages that it does not show. It has no ID.
	Rest bool
}

// Account is who an API key belongs to (Account). The Legacy generation tells the balance alone.
type Account struct {
	UserID    int64 // 0 where not told
	Name      string
	Email     string
	Balance   dzd.Amount
	Available dzd.Amount // what can be spent; equals Balance where the service sends one only
	Lacks     bool       // as of Balance
}

// Balance is the account's wallet (Balance, Legacy shapes).
type Balance struct {
	Balance   dzd.Amount
	Available dzd.Amount // what can be spent; equals Balance where the service sends one only
	// Lacks: a figure that the interface has did not come. What came can be shown, and is no evidence.
	Lacks bool
	At    time.Time // when it was asked for
}

// PurchaseRequest asks for units of a variant, or for one of the arena's plans.
type PurchaseRequest struct {
	Family    Family
	ProductID int64
	VariantID int64
	Plan      string            // Variant.Plan, for the arena
	Quantity  int               // units, at least 1
	Inputs    map[string]string // answers by Input.Index
	// Begun is when the purchase was about to be written down as submitting; zero: not known. Nothing leaves long after it:
	// a machine that wakes up must not buy what was confirmed yesterday.
	Begun time.Time
}

// Check is what the service says of a player or a number before an order.
type Check struct {
	Status CheckStatus
	Name   string   // of the player; "" where not told
	Region string   // "" where not told
	Facts  []string // what else came, as "field: value", where the shape is not shown
}

// CheckStatus is the outcome of a check (Player verification result).
type CheckStatus string

// The outcomes of a check.
const (
	CheckValid   CheckStatus = "valid"   // there is such a player or number
	CheckInvalid CheckStatus = "invalid" // there is none
	CheckUnknown CheckStatus = "unknown" // the service cannot tell
)

// Outcome is what an answer to a purchase proves.
type Outcome uint8

const (
	// Unknown proves nothing: the purchase may have gone through. It is never sent again.
	Unknown Outcome = iota
	// Accepted proves that exactly the asked number of orders was made; their ids are given.
	Accepted
	// Rejected proves that the service refused: nothing was charged.
	Rejected
	// NotSent proves that no byte of the request left this machine: nothing was charged.
	NotSent
)

// String names the outcome for logs and metrics.
func (o Outcome) String() string {
	return [...]string{"unknown", "accepted", "rejected", "not_sent"}[min(o, NotSent)]
}

// Verdict is what is known after the one attempt at a purchase.
type Verdict struct {
	Outcome     Outcome
	OrderIDs    []string            // Accepted: distinct, one a unit. Unknown: those that a partial answer named
	Origin      Origin              // how those orders are followed
	Transaction string              // the arena's second name of its one order
	Class       Class               // Rejected, NotSent: why
	Fields      map[string][]string // Rejected with Invalid: field to messages, hostile text
	RetryAfter  time.Duration       // Rejected with Limited: how long to wait; zero where that is not known
	Status      int                 // HTTP status, zero where no answer came
	Reason      string              // short constant for logs: "timeout", "no envelope", "count mismatch", …
}

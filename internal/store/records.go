package store

import (
	"encoding/json"
	"strings"
	"time"
	"unicode/utf8"

	"resellerbot/internal/api/dzd"
	"resellerbot/internal/secret"
)

// Every record type below carries the version it was read at in an unexported field `rev`: putting it
// back fails with ErrConflict if somebody else changed it meanwhile. A zero rev means a new record.
//
// Amounts are in DZD. Times are moments, whatever zone they carry: screens show them in the shop's.

// Account is a reseller account of the service: its key, and the line of purchases that wait for it.
// All of an account's chats share one rate budget, one catalogue and one wallet.
type Account struct {
	ID       string // "u" + the service's user_id, or "k" + the key's fingerprint where it tells none
	Name     string
	UserID   int64
	Key      secret.Text `json:"-"` // sealed at rest
	LinkedAt time.Time
	Chats    []int64  // chats linked to it, in the order of linking
	Busy     string   // id of the one purchase that is submitting or unknown; empty when free
	Line     []string // ids of confirmed purchases that wait for Busy, oldest first
	Open     int      // purchases that are not final; the key is kept while it is above zero
	Retired  bool     // no chat is linked any more: the key is forgotten once nothing needs it
	Same     string   // the account that this one has turned out to be, under a newer key; empty where it is itself
	Frozen   bool     // restored from a copy, and what happened after it is not known yet: purchases wait until it is cleared

	Team    []Member  // who may do what; see Members for accounts that are older than teams
	Invites []string  // the hashes of the open invitations into it
	Place   *Place    // where all deliveries go as well; nil for nowhere
	Past    []int64   // chats that were of it, the last one to leave first
	Locked  *Lock     // nothing is spent until an owner allows it; nil while it may be
	Former  *Former   // the team that was, where its last owner has unlinked the account lately
	KeyTold time.Time // when the owners were told that its key is not taken; zero once it works again

	Generation string // of the service's interface, as its client names it; empty until it is found out
	Wallet     Wallet
	Movements  uint64    // how many changes of the wallet were written down
	Spends     int       // purchases submitted so far: a reading of the balance that spans one explains nothing
	OutsideAt  time.Time // when money last went that no purchase of ours explains; zero where it never did
	Batch      int       // most orders that the service takes in one call; zero where it never refused
	Refunds    []string  // the service's ids of failed orders whose refund was not seen yet, oldest first
	LookAt     time.Time // when to look at it next; zero where there is nothing to look for
	Thaw       Thaw      // how far it is found out what a frozen one has done
	rev        uint64
}

// Thaw is how far it is found out what a restored account has bought since the copy was made.
type Thaw struct {
	Since  time.Time // the first look
	Unread []string  // what could not be read at the last one
	Told   bool      // the owners were shown that, and asked
}

// NeedsKey reports whether a retired account may still have to ask the service something, as far as it knows itself.
// Its pending orders are not among that.
func (a Account) NeedsKey() bool { return !a.Retired || a.Open > 0 || len(a.Refunds) > 0 || a.Frozen }

// OwnerBut is the chat that speaks for the account where another one cannot be reached: that of the owner who
// came first, beside that one. Zero where there is none.
func (a Account) OwnerBut(gone int64) int64 {
	for _, c := range a.PrivateChats(Owner) {
		if c != gone {
			return c
		}
	}
	return 0
}

// Wallet is an account's balance as it has to be, by the last reading and by what we did since, DZD.
type Wallet struct {
	Balance dzd.Amount
	At      time.Time // of the last reading
	Known   bool
}

// Movement is one change of an account's balance, explained.
type Movement struct {
	Account  string
	Number   uint64 // 1 for the first of its account
	At       time.Time
	Kind     MovementKind
	Amount   dzd.Amount // what it did to the balance: negative for what was spent
	Balance  dzd.Amount // after it
	Purchase string     // of Bought and Refunded
	rev      uint64
}

// MovementKind is why a balance changed.
type MovementKind string

// The kinds of movements.
const (
	Bought   MovementKind = "bought"   // by a purchase of ours
	Refunded MovementKind = "refunded" // for an order of ours that failed
	Outside  MovementKind = "outside"  // by nothing that we know of: money was added, or spent elsewhere
)

// Players is whom a chat has topped up last.
type Players struct {
	Chat int64
	List []Player `json:"-"` // newest first; sealed at rest
	rev  uint64
}

// Player is somebody, or some number, that is topped up, as the service knows them.
type Player struct {
	Game   string // which game's id it is: a family, or a product
	ID     string
	Name   string // hostile text, as the rest
	Region string
	Status PlayerStatus
	Facts  []string // what else the service said
	Was    *Player  // who the same id was when it was used last, where that differs
	At     time.Time
}

// PlayerStatus is what a check with the service came to.
type PlayerStatus string

// The outcomes of a check.
const (
	PlayerValid     PlayerStatus = "valid"
	PlayerUnknown   PlayerStatus = "unknown"   // the service could not tell
	PlayerUnchecked PlayerStatus = "unchecked" // the service does not check for this product
)

// Chat is a Telegram chat that has spoken to the bot.
type Chat struct {
	ID          int64
	Account     string    // id of the linked account; empty when none is
	Was         []string  // accounts that its person owned and unlinked, the last one first
	Language    string    // "ar", "fr" or "en"; empty while nobody has spoken in it
	Chosen      bool      // the language was chosen with /language, not guessed
	Unreachable time.Time // since when Telegram refuses messages to it; zero when it takes them
	CreatedAt   time.Time
	House       bool      // the house key was linked to it once
	Admitted    time.Time // when the bot's owner, or somebody whom they had let in, let it in; zero where nobody did
	MovedTo     int64     // the supergroup that it became; 0 while it is itself
	Removed     []string  // accounts whose owners have taken this person out of their team: it is told nothing of them
	rev         uint64
}

// Session is where one person stands in a conversation in one chat.
type Session struct {
	Chat    int64
	User    int64
	Flow    string          // "key", "buy", …
	Step    string          // the question that is open
	Data    json.RawMessage `json:"-"` // the flow's own; sealed at rest
	Message int             // the live screen of the flow, edited in place; 0 when there is none
	Expires time.Time
	rev     uint64
}

// Phase is where a purchase stands. The table of transitions is package purchase's.
type Phase string

// The phases of a purchase.
const (
	Drafted    Phase = "drafted"     // shown with its ✅, nothing promised
	Asked      Phase = "asked"       // above its buyer's limit: an owner is asked; nothing promised
	Queued     Phase = "queued"      // confirmed, waits for its turn; nothing was sent
	Submitting Phase = "submitting"  // on disk before the first byte goes out
	Accepted   Phase = "accepted"    // the service named its orders
	Settled    Phase = "settled"     // every order delivered, or failed and told
	Rejected   Phase = "rejected"    // refused or never sent: nothing was charged
	Unknown    Phase = "unknown"     // may have gone through; never sent again
	NotCreated Phase = "not_created" // shown not to exist
	Undecided  Phase = "undecided"   // a person has to decide
	Dropped    Phase = "dropped"     // never submitted: cancelled, expired, or its price changed
)

// Purchase is our promise: one confirmed tap to spend, with everything it was shown.
type Purchase struct {
	ID      string // 26 characters, ordered by time of creation
	Account string
	Chat    int64
	User    int64  // who made the draft; only they may confirm it
	Buyer   string // the name of User, hostile text
	Update  int64  // the update of Telegram that drafted it
	Message int    // the carrier: the message that shows it and is edited into the receipt
	Thread  int    // the topic of the chat that the carrier is in; 0 for none
	Nonce   string
	Phase   Phase

	ProductID int64
	VariantID int64
	Plan      string // the service's plan_id, of the arena's plans alone
	Family    string // the part of the service that sells it, as its client names it
	Topup     bool   // credited to somebody: it ends without a code
	Manual    bool   // delivered by people
	Product   string
	Variant   string
	Quantity  int
	Inputs    []Answer   `json:"-"` // sealed at rest
	Player    *Player    `json:"-"` // who gets it, as it was checked; sealed at rest
	Price     dzd.Amount // of one unit, as shown
	Total     dzd.Amount

	Before     Snapshot    // read just before submitting; evidence for finding it again
	Evidence   *Evidence   // of an uncertain one; nil while nobody has looked
	LookAt     time.Time   // when to look for an uncertain one next; zero where nobody has to
	DecideBy   time.Time   // when people are asked about an uncertain one at the latest
	Origin     string      // how the orders that an uncertain answer named are followed
	Missing    int         // units that an answer left out and that were not found
	NewPrice   *dzd.Amount // of one unit, where a changed price was the reason to drop it
	Attempts   int         // wire attempts, 1 at most but for answers of 429
	Reason     string      // class of a refusal, or why it was dropped
	Fields     map[string][]string
	OrderIDs   []string // by unit number
	Told       Told     // what the carrier shows by now
	Ask        *Ask     // how an owner was asked for it; nil where none had to be
	Day        string   // the day against whose limit of its buyer it counts; empty where against none
	Shown      []Shown  // what shows it beside the carrier
	Reveals    []Reveal // who was shown its codes where they are hidden
	CreatedAt  time.Time
	ExpiresAt  time.Time // of the draft, or of the question to the owners
	QueuedAt   time.Time
	SentAt     time.Time
	AnsweredAt time.Time
	ClosedAt   time.Time
	History    []Step
	rev        uint64
}

// Answer is one input that the buyer gave.
type Answer struct{ Index, Label, Value string }

// Snapshot is the state of the account before a purchase.
type Snapshot struct {
	At        time.Time
	Balance   dzd.Amount
	Available dzd.Amount
	Known     bool // the balance was read; false when the service did not answer
	Used      int  // the variant's counter in the account's allocation; -1 when it has none
	Spends    int  // of the account, this purchase's own included
	// Rows are the ids that the service's list of such orders held; Listed tells that it was read.
	Rows   []string
	Listed bool
}

// Evidence is what the last look for an uncertain purchase has shown, and what was made of it.
type Evidence struct {
	At      time.Time
	Looks   int      // looks so far
	Rule    string   // which rule spoke, as package purchase names it
	Rows    []string // the service's ids of orders that may be this purchase's
	Listed  bool     // its list of orders could be read
	Shared  bool     // the account is used outside of this bot as well
	Balance dzd.Amount
	Known   bool // the balance could be read
	Used    int  // the variant's counter; -1 when it has none
	// Silent is since when every look has shown nothing; zero where the last one showed something.
	Silent time.Time
	// Traced is when a look last showed an order that fits, or its price gone; zero where none ever did.
	Traced time.Time
}

// Told is what has reached the chat about a purchase.
type Told struct {
	Codes     int  // units whose code was shown in the carrier
	MaybeSent bool // an edit with codes may or may not have reached the chat: what follows says "delivered again"
	Pinged    int  // pings sent
	Document  bool // the codes were sent as a document
	Late      bool // people were told that it takes too long
}

// Step is one transition in a purchase's history.
type Step struct {
	At       time.Time
	From, To Phase
	Why      string
}

const (
	mostInText  = 10   // units whose codes are shown in a message
	longestText = 1500 // characters of codes in a message, which has room for 4,096 with everything else
)

// InDocument reports whether a purchase's codes travel in a file: very many, or very long ones.
func (p Purchase) InDocument(orders []Order) bool {
	length := 0
	for _, o := range orders {
		length += utf8.RuneCountInString(o.Code.Reveal())
	}
	return p.Quantity > mostInText || length > longestText
}

// Final reports whether nothing more is expected of the purchase.
func (p Phase) Final() bool {
	switch p {
	case Settled, Rejected, NotCreated, Dropped:
		return true
	}
	return false
}

// Promised reports whether the purchase was confirmed: a drafted one, and one that an owner is asked for, binds
// nobody.
func (p Phase) Promised() bool { return p != Drafted && p != Asked }

// Open reports whether the purchase was confirmed and has not come to its end.
func (p Purchase) Open() bool { return p.Phase.Promised() && !p.Phase.Final() }

// Order is one unit of a purchase, as followed at the service.
type Order struct {
	Account   string
	ID        string // as OrderID makes it
	Purchase  string
	Origin    string // how it is followed, as the service's client names it
	Other     string // the arena's transaction id; empty elsewhere
	Topup     bool   // it ends without a code
	Manual    bool   // delivered by people
	Item      string // what was ordered, as ItemOf names it
	Unit      int    // 1…quantity
	Status    string // as it came last
	Strange   bool   // the status is none that we know: it is shown as it came
	State     OrderState
	Refund    RefundState // of a Failed one
	Late      bool        // people were told that it takes too long
	Code      secret.Text `json:"-"` // sealed at rest
	Notes     secret.Text `json:"-"` // what whoever delivered it wrote; sealed at rest
	CreatedAt time.Time   // when we learned of it
	SeenAt    time.Time   // last look
	DoneAt    time.Time   // when the service first called it done without a code; zero where it did not
	ReadyAt   time.Time   // when the code or the failure was seen
	Looks     int         // how often it was asked for
	Due       time.Time   // next look; zero when none is needed
	rev       uint64
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

// The states of a refund.
const (
	NoRefund      RefundState = ""
	RefundWaiting RefundState = "waiting" // the service gives it back by itself; not seen in the balance yet
	RefundSeen    RefundState = "seen"
	RefundMissing RefundState = "missing" // not seen in time; people were told, and it is still looked for
)

// Outgoing is a message that must reach Telegram, committed with the change that caused it. It holds
// what to tell, not the words: it is rendered when it is sent.
type Outgoing struct {
	Chat     int64
	ID       string // orders a chat's messages; the same ID put twice is one message
	Kind     OutKind
	Purchase string            // all but Note: of which purchase
	Args     map[string]string // Note: what to tell; never a secret
	Priority int               // lower goes first between chats
	Tries    int
	Sent     bool // it may have arrived: an ambiguous answer came, or the process ended before one did
	Sending  bool // it was about to go out, and nobody has noted what came of that
	Created  time.Time
	Due      time.Time
	rev      uint64
}

// OutKind is what an outgoing message is.
type OutKind string

// The kinds of outgoing messages.
const (
	Carrier  OutKind = "carrier"  // bring a purchase's own message up to date (an edit)
	Ping     OutKind = "ping"     // a short message without the code, so that the phone rings
	Document OutKind = "document" // the codes of a big purchase as a file
	Support  OutKind = "support"  // something that people have to take up with the service, ready to be copied
	Copy     OutKind = "copy"     // what became of a purchase, for others of the team: a message of its own, then edits of it
	Request  OutKind = "request"  // an owner is asked for a purchase above a limit: a message of its own, then edits of it
	Decision OutKind = "decision" // an owner is asked what became of a purchase: a message of its own, then edits of it
	Note     OutKind = "note"     // any other message, by screen name
)

// Incoming is an update that Telegram handed over, kept until it is handled.
type Incoming struct {
	ID       int64  // update_id
	Chat     int64  // whose mailbox it goes to; 0 where it belongs to nobody
	Raw      []byte `json:"-"` // as it came; sealed at rest
	State    InState
	Attempts int
	At       time.Time
	rev      uint64
}

// InState is how far an incoming update is.
type InState string

// The states of an incoming update.
const (
	New    InState = "new"
	Parked InState = "parked" // could not be decoded or handled; kept for a person to look at
)

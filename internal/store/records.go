package store

import (
	"encoding/json"
	"slices"
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

// Account is a reseller account of the service: its key, and the queue of purchases that wait for it.
// All of an account's chats share one rate budget, one catalogue and one wallet.
type Account struct {
	ID       string // "u" + the service's user_id, or "k" + the key's fingerprint where it tells none
	Name     string
	UserID   int64
	Key      secret.Text `json:"-"` // sealed at rest
	LinkedAt time.Time
	Chats    []int64  // chats linked to it, in the order of linking
	Busy     string   // id of the one purchase that is submitting or unknown; empty when free
	Queue    []string `json:"Line"` // ids of confirmed purchases that wait for Busy, oldest first
	Recent   []string // ids of confirmed purchases for a player that are new or undecided, oldest first: the same is asked about before it is bought twice
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
	Movements  uint64         // how many changes of the wallet were written down
	Spends     int            // purchases submitted so far: a reading of the balance that spans one explains nothing
	OutsideAt  time.Time      // when somebody was last seen to use it outside of this bot; zero where nobody ever was
	Lags       map[string]Lag // how late its readings have been, by what is read
	Batch      int            // most orders that the service takes in one call; zero where it never refused
	Refunds    []string       // the service's ids of failed orders whose refund was not seen yet, oldest first
	RefundAt   time.Time      // when to look for them next; zero where there are none
	LookAt     time.Time      // when to look at it next; zero where there is nothing to look for
	Thaw       Thaw           // how far it is found out what a frozen one has done
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

// Wallet is what an account can spend, as far as its readings and our own purchases explain it, DZD.
type Wallet struct {
	Available dzd.Amount // by the last reading that was explained, and by what is sure to come since
	At        time.Time  // of the last reading
	Read      bool       // it was read; where it was not, the next reading is where the explaining begins
	Began     time.Time  // when the explaining began; what came before is in no change that a reading shows
	// Expected are changes that a reading may or may not show, oldest first.
	Expected  []Expected  `json:",omitempty"`
	Strange   *Strange    `json:",omitempty"` // what the last readings show that nothing explains yet
	Unsettled time.Time   // since when readings are explained in more than one way, or are older than the last; zero while they are not
	Open      *Strange    `json:",omitempty"` // what those readings show; nil while there are none
	Ambiguous time.Time   // when a reading was last explained in more than one way, or was older than the last; zero for never
	Odd       int         // how often it has moved by something that nothing explains
	Shown     *dzd.Amount `json:",omitempty"` // by the last reading, as it was; nil before there was one
	RoseAt    time.Time   // when a reading was last above the one before; zero for never
}

// Expected is a change of the wallet that we know of, and that a reading may not show yet, or not any more:
// readings may lag behind, each by another time.
type Expected struct {
	At       time.Time   // when it happened, as far as that is known
	Amount   dzd.Amount  // what it does to the wallet: negative for what was spent
	Purchase string      `json:",omitempty"` // whose price it is; empty for money that moved from outside
	Seen     time.Time   // when a reading first showed it; zero before
	Doubtful bool        `json:",omitempty"` // it may never have happened: the purchase is uncertain
	Said     bool        `json:",omitempty"` // a person, or the service of an order that had failed, says that it happened, and no reading has shown it: Doubtful as well
	Denied   bool        `json:",omitempty"` // it was said not to have happened: refused, or not found
	Before   bool        `json:",omitempty"` // it may have been in the reading that the explaining began with
	Instead  *dzd.Amount `json:",omitempty"` // what its orders say that it cost, where that is something else
	Disowned time.Time   // when a person last said that money which had gone was not its price; zero before
	MayGo    MayGo       `json:",omitempty"` // why it may go although no reading has to show it; empty for what readings are explained by
	Learn    bool        `json:",omitempty"` // when it is seen tells how late balances are
	List     string      `json:",omitempty"` // which list tells how late it is, once the orders show there; empty for none
	Listless time.Time   // when that list was last seen without them
	// Elsewhere are purchases with another key that are just what has gone: the two may be of one wallet.
	Elsewhere []string `json:",omitempty"`
}

// MayGo is why money of a purchase may go that no reading has to show.
type MayGo string

// Why money may go after all.
const (
	Overdue MayGo = "overdue" // it was bought, and no reading has shown its price though none is so late
	Twice   MayGo = "twice"   // it was refused, and sent again: it may have been executed twice
	Rest    MayGo = "rest"    // of units that its answer left out, and that were not charged
	Untaken MayGo = "untaken" // it has failed, and its price had not gone
	Retaken MayGo = "retaken" // it has failed, and its money came back
)

// Strange is a change of the wallet that nothing of ours explains, or more than one thing, as the last readings agree.
type Strange struct {
	Since  time.Time
	Amount dzd.Amount
	Stood  dzd.Amount // what of it every reading since has shown
	Looks  int
}

// Lag is how late one kind of reading of an account has shown what had happened.
type Lag struct {
	Seen    int           // purchases that were followed until they showed
	Longest time.Duration // the longest that one took
	At      time.Time     // when that was
	Offset  time.Duration // how far the times of a list are from ours
	Clock   bool          // Offset is of times that name no zone, and orders of ours have shown it
}

// Movement is one change of an account's balance, explained.
type Movement struct {
	Account  string
	Number   uint64 // 1 for the first of its account
	At       time.Time
	Kind     MovementKind
	Amount   dzd.Amount // what it did to the balance: negative for what was spent
	Balance  dzd.Amount // what can be spent after it
	Guessed  bool       // Balance is not what a reading has shown: something else moved that is not explained yet
	Purchase string     // of Bought and Refunded
	rev      uint64
}

// MovementKind is why a balance changed.
type MovementKind string

// The kinds of movements.
const (
	Bought    MovementKind = "bought"    // by a purchase of ours
	Refunded  MovementKind = "refunded"  // for an order of ours that failed
	Corrected MovementKind = "corrected" // by what the service took for a purchase of ours beside the price that was shown
	Outside   MovementKind = "outside"   // by nothing that we know of: money was added, or spent elsewhere
)

// Players is whom a chat has topped up last.
type Players struct {
	Chat int64
	List []Player `json:"-"` // newest first; sealed at rest
	rev  uint64
}

// Player is somebody, or some number, that is topped up, as the service knows them.
type Player struct {
	Game   string // which game's id it is: a codec, or a product
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
	Nudged      bool      // that an alert could be set was said once
	Admitted    time.Time // when the bot's owner, or somebody whom they had let in, let it in; zero where nobody did
	AdmittedBy  int64     // who did; 0 where that was not written down yet
	Through     string    // the account with whose team a person was let in: they are in for as long as they are of it
	Out         time.Time // when the bot's owner took it out; zero once it was let in anew
	OutAs       string    // what it was called then, hostile text; empty once it was let in anew, or forgotten
	LeftAt      time.Time // when it last left an account; zero where it never was of one
	MovedTo     int64     // the supergroup that it became; 0 while it is itself
	Removed     []string  // accounts whose owners have taken this person out of their team: it is told nothing of them
	rev         uint64
}

// Admit lets the chat use the bot, by somebody's word, whatever was before. through is the account with whose team a
// person comes in; "" where they are let in for themselves.
func (c *Chat) Admit(by int64, through string, at time.Time) {
	c.Admitted, c.AdmittedBy, c.Through, c.Out, c.OutAs = at, by, through, time.Time{}, ""
}

// EndAdmission takes back that the chat was let in; it may be let in anew by whoever lets others in.
func (c *Chat) EndAdmission() { c.Admitted, c.AdmittedBy, c.Through = time.Time{}, 0, "" }

// ShutOut ends that the chat may use the bot, for good: only whoever runs the bot lets it in again. as is what it is
// called then.
func (c *Chat) ShutOut(as string, at time.Time) {
	c.EndAdmission()
	c.Account, c.Out, c.OutAs = "", at, as
}

// Session is where one person stands in a conversation in one chat.
type Session struct {
	Chat    int64
	User    int64
	Flow    string          // "key", "buy", …
	Step    string          // the question that is open
	Data    json.RawMessage `json:"-"` // the flow's own; sealed at rest
	Message int             // the live screen of the flow, edited in place; 0 when there is none
	Covered bool            // something else was shown since: the question is answered by its own buttons alone
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
	Message int    // the status message: the message that shows it and is edited into the receipt
	Thread  int    // the topic of the chat that the status message is in; 0 for none
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
	Refused    bool        // the service itself said no, after it was sent: it is watched whether that was true
	Missing    int         // units that an answer left out and that were not found
	Of         string      // the purchase that it may be more of, where money has gone for that
	More       MayGo       // and why it may
	Charged    *dzd.Amount // what its orders say that it cost, where that is not Total
	NewPrice   *dzd.Amount // of one unit, where a changed price was the reason to drop it
	Attempts   int         // wire attempts, 1 at most but for answers of 429
	Reason     string      // class of a refusal, or why it was dropped
	Fields     map[string][]string
	OrderIDs   []string  // by unit number
	Same       []string  // ids of purchases of the same for the same player that whoever confirms it was told of
	SameAt     time.Time // when the newest of them was confirmed
	Told       Told      // what the status message shows by now
	Ask        *Ask      // how an owner was asked for it; nil where none had to be
	Day        string    // the day against whose limit of its buyer it counts; empty where against none
	Shown      []Shown   // what shows it beside the status message
	Word       *Word     // the last word of a person about an uncertain one; nil where nobody has decided
	Reveals    []Reveal  // who was shown its codes where they are hidden
	CreatedAt  time.Time
	ExpiresAt  time.Time // of the draft, or of the question to the owners
	QueuedAt   time.Time
	TurnBy     time.Time // when a queued one ends unless its turn has come; zero where it is not to end by itself
	SentAt     time.Time // when the one attempt began
	AnsweredAt time.Time // when it ended, with whatever answer
	ClosedAt   time.Time
	History    []Step
	rev        uint64
}

// PaidFor is what an order of the purchase cost: what was charged for it, where that is not what was shown.
func (p Purchase) PaidFor(o Order) dzd.Amount {
	switch {
	case p.Charged == nil:
		return p.Price
	case len(p.OrderIDs) == 1:
		return *p.Charged
	}
	return o.Price // what was charged is the sum of these
}

// Answer is one input that the buyer gave, or skipped: then it has no Value. Shown is what people know the value by, where
// that is something else.
type Answer struct {
	Index, Label, Value string
	Shown               string `json:",omitempty"`
}

// Snapshot is the state of the account before a purchase.
type Snapshot struct {
	At        time.Time
	Balance   dzd.Amount
	Available dzd.Amount
	Known     bool // the balance was read; false when the service did not answer
	Settled   bool // and it was what it had to be
	Odd       int  // how often the wallet had moved by something unexplained
	Used      int  // the variant's counter in the account's allocation; -1 when it has none
	Spends    int  // of the account, this purchase's own included
	// Rows are the ids that the service's list of such orders held; Listed tells that it was read, and
	// Unreadable how many of its entries could not be.
	Rows       []string
	Listed     bool
	Unreadable int
	// Held are the prices of the orders that were on their way: the service may take or release them later.
	Held []dzd.Amount `json:",omitempty"`
}

// Evidence is what the last look for an uncertain purchase has shown, and what was made of it.
type Evidence struct {
	At      time.Time
	Looks   int      // looks so far
	Rule    string   // which rule spoke, as package purchase names it
	Rows    []string // the service's ids of orders that may be this purchase's
	Beside  []string `json:",omitempty"` // of orders of the same item that are nobody's, and do not fit
	Alone   bool     // and nobody else's of this bot
	Paid    bool     // exactly its price is gone
	Intact  bool     // its price is there
	Listed  bool     // its list of orders could be read
	Shared  bool     // the account is used outside of this bot as well
	Balance dzd.Amount
	Known   bool // the balance could be read
	// Others is what the bot's other purchases, and the refunds of orders, have changed it by since before this one.
	Others dzd.Amount
	Used   int // the variant's counter; -1 when it has none
	// Waited is how long it was looked for while the process ran, whatever the clock on the wall did.
	Waited time.Duration
	// Silent is since when, behind the quiet time, every look has shown nothing; zero where one showed something.
	Silent time.Time
	// Cleared tells that a look has shown its money to be there, so late that it should have been gone.
	Cleared bool
	// Traced is when a look last showed an order that fits, or its price gone; zero where none ever did.
	Traced time.Time
}

// SaysWhat reports whether it says to people what other evidence does.
func (e Evidence) SaysWhat(other Evidence) bool {
	return e.Rule == other.Rule && slices.Equal(e.Rows, other.Rows) && e.Paid == other.Paid && e.Listed == other.Listed &&
		e.Known == other.Known && e.Balance.Equal(other.Balance) && e.Others.Equal(other.Others)
}

// Told is what has reached the chat about a purchase.
type Told struct {
	Codes     int  // units whose code was shown in the status message
	MaybeSent bool // an edit with codes may or may not have reached the chat: what follows says "delivered again"
	Pinged    int  // pings sent
	Document  bool // the codes were sent as a document
	Late      bool // people were told that it takes too long
	Missing   bool `json:",omitempty"` // people were told that orders of it were not found
	SameCode  bool `json:",omitempty"` // people were told that several of its units show one code
}

// Word is what a person has said of a purchase that could not be decided by evidence.
type Word struct {
	By   int64
	Name string   // of By, hostile text; empty where it is not known
	Gone bool     // though its price seemed to be gone
	Day  string   // the day against whose limit of its buyer it counts no more; empty where it does, or never did
	Rows []string // the orders that fitted, and are not its own as they say
}

// DisownsOrders reports whether a person has said of orders that fit a purchase that they are not its own.
func (p Purchase) DisownsOrders() bool { return p.Word != nil && len(p.Word.Rows) > 0 }

// SeemsPaid reports whether what was read about an uncertain purchase says that its price is gone.
func (p Purchase) SeemsPaid() bool {
	ev := p.Evidence
	return ev != nil && ev.Paid
}

// DeniedByPerson is why a purchase is NotCreated where a person has said so.
const DeniedByPerson = "a person said that it was not bought"

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

// InDocument reports whether a purchase's codes travel in a file: very many, or very long ones. Where there is no
// code, as for a top-up, there is no file.
func (p Purchase) InDocument(orders []Order) bool {
	length, codes := 0, 0
	for _, o := range orders {
		for _, code := range o.Codes() {
			length += utf8.RuneCountInString(code.Reveal())
			codes++
		}
	}
	return codes > 0 && (p.Quantity > mostInText || codes > mostInText || length > longestText)
}

// NeedsSupport reports whether there is something about a purchase to take up with the service: an order that takes too
// long, one that was not found, or money that was not seen to come back.
func (p Purchase) NeedsSupport(orders []Order) bool {
	return p.Missing > 0 && p.Charged == nil || slices.ContainsFunc(orders, func(o Order) bool {
		return o.Late && (o.State == Waiting || o.State == Completed) ||
			o.Refund == RefundUnread || o.Refund == RefundMissing || o.Refund == RefundUnseen
	})
}

// DoubtedAt is since when a purchase that was said not to have happened may have been bought after all; zero where that
// is not so.
func (p Purchase) DoubtedAt() time.Time {
	if p.Phase != Undecided || len(p.History) == 0 {
		return time.Time{}
	}
	if s := p.History[len(p.History)-1]; s.From == NotCreated || s.From == Rejected {
		return s.At
	}
	return time.Time{}
}

// Dismissed reports whether it was a person who said that a purchase does not exist, as DeniedByPerson notes it.
func (p Purchase) Dismissed() bool {
	return len(p.History) > 0 && p.History[len(p.History)-1].Why == DeniedByPerson
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
	Strange  bool   // the status is none that we know: it is shown as it came
	State    OrderState
	Price    dzd.Amount  // as the service shows it; zero where it does not
	Clash    bool        // the service has sent another purchase's code for it, which is not delivered
	Was      OrderState  // the end that people were told of before, where it has come to another one since
	Back     bool        // the service calls it under way again, after its end
	Refund   RefundState // of a Failed one
	Came     Inflow      // since a Failed one has failed
	Late     bool        // people were told that it takes too long
	Code     secret.Text `json:"-"` // sealed at rest
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
	ReadyAt   time.Time   // when the code or the failure was seen
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
func (o Order) OnlyWhenDue() bool { return o.State != Waiting || o.Late && !o.DoneAt.IsZero() }

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

// The states of a refund.
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

// Awaited reports whether a refund has not come as far as anybody knows, and is looked for.
func (r RefundState) Awaited() bool {
	return r == RefundWaiting || r == RefundUnread || r == RefundMissing
}

// Inflow is money from outside that came while a refund was looked for.
type Inflow struct {
	Sum  dzd.Amount
	Left dzd.Amount // of it, what no other refund is taken to be in
}

// Outgoing is a message that must reach Telegram, committed with the change that caused it. It holds
// what to tell, not the words: it is rendered when it is sent.
type Outgoing struct {
	Chat     int64
	ID       string // orders a chat's messages; the same ID put twice is one message
	Kind     OutKind
	Purchase string            // all but Note: of which purchase
	Args     map[string]string // Note: what to tell; never a secret
	Priority Priority          // lower goes first between chats
	Tries    int
	Refusals int  // tries at which Telegram did not take it as it is
	Sent     bool // it may have arrived: an ambiguous answer came, or the process ended before one did
	Sending  bool // it was about to go out, and nobody has noted what came of that
	Created  time.Time
	Due      time.Time
	rev      uint64
}

// Priority is how soon an outgoing message goes, between chats; those of one chat keep their order. The numbers are on disk.
type Priority int

// The priorities, from the first to the last. What comes up to NoticePriority tells of purchases, money or rights and is
// kept for days where Telegram does not take it; what comes after can wait.
const (
	DeliveryPriority Priority = 1 // what was bought, and what is asked about it: every message that shows a purchase
	NoticePriority   Priority = 2 // that something has happened: what rings for a purchase, what to take up with the service, notes
	AlertPriority    Priority = 4 // lines that were crossed, and the service away or back
)

// OutKind is what an outgoing message is.
type OutKind string

// The kinds of outgoing messages.
const (
	StatusMessage OutKind = "carrier"  // bring a purchase's own message up to date (an edit)
	Ping          OutKind = "ping"     // a short message without the code, so that the phone rings
	Document      OutKind = "document" // the codes of a big purchase as a file
	Support       OutKind = "support"  // something that people have to take up with the service, ready to be copied
	Copy          OutKind = "copy"     // what became of a purchase, for others of the team: a message of its own, then edits of it
	Request       OutKind = "request"  // an owner is asked for a purchase above a limit: a message of its own, then edits of it
	Decision      OutKind = "decision" // an owner is asked what became of a purchase: a message of its own, then edits of it
	Note          OutKind = "note"     // any other message, by screen name
)

// Incoming is an update that Telegram handed over, kept until it is handled.
type Incoming struct {
	ID    int64  // update_id
	Chat  int64  // whose mailbox it goes to; 0 where it belongs to nobody
	Raw   []byte `json:"-"` // as it came; sealed at rest
	State InState
	Tries int `json:"Attempts"` // as its files call it
	At    time.Time
	rev   uint64
}

// InState is how far an incoming update is.
type InState string

// The states of an incoming update.
const (
	New    InState = "new"
	Parked InState = "parked" // could not be decoded or handled; kept for a person to look at
)

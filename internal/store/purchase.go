package store

import (
	"slices"
	"time"
	"unicode/utf8"

	"resellerbot/internal/api/dzd"
)

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
	For     string `json:",omitempty"` // the id of the customer whom its buyer said that it is for; empty where they did not
	Update  int64  // the update of Telegram that drafted it
	Message int    // the status message: the message that shows it and is edited into the receipt
	Thread  int    // the topic of the chat that the status message is in; 0 for none
	List    string // the list that it is a line of; empty for none
	Apart   bool   // of such a line: it has a message of its own beside the card, since something is wrong with it
	Nonce   string
	Phase   Phase

	ProductID int64
	VariantID int64
	Category  int64  `json:",omitempty"` // of the product; 0 where the service tells none
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
	Sells     dzd.Amount `json:",omitzero"` // what the service said that one unit is sold for; no money where it did not

	Before     Snapshot    // read just before submitting; evidence for finding it again
	Evidence   *Evidence   // of an uncertain one; nil while nobody has looked
	LookAt     time.Time   // when to look next for what Search says; zero where nobody has to
	DecideBy   time.Time   // when people are asked about an uncertain one at the latest
	Origin     string      // how the orders that an uncertain answer named are followed
	Refused    bool        // the service itself said no, after it was sent: it is watched whether that was true
	Missing    int         // units that an answer left out and that were not found, or not yet
	Seeks      int         `json:",omitempty"` // looks that are left for them; 0 where they are not looked for
	Of         string      // the purchase that it may be more of, where money has gone for that
	More       MayGo       // and why it may
	Charged    *dzd.Amount // what its orders say that it cost, where that is not Total and the balance shows it
	PaidAll    bool        `json:",omitempty"` // Charged is for all units, those as well of which no order is known
	Named      *dzd.Amount `json:",omitempty"` // what its orders say that it cost, once the balance was asked about that for long enough
	NewPrice   *dzd.Amount // of one unit, where a changed price was the reason to drop it
	Attempts   int         // wire attempts: 1 at most; programs of before made up to 3
	Reason     string      // class of a refusal, why it was dropped, or what a queued one waits for (ReasonOutage)
	Fields     map[string][]string
	OrderIDs   []string  // by unit number
	Same       []string  // ids of purchases of the same for the same player that whoever confirms it was told of
	SameAt     time.Time // when the newest of them was confirmed
	Told       Told      // what the status message shows by now
	Ask        *Ask      // how an owner was asked for it; nil where none had to be
	Day        string    // the day against whose limit of its buyer it counts; empty where against none
	Shown      []Shown   // what shows it beside the status message
	Word       *Word     // the last word of a person about an uncertain one; nil where nobody has decided
	Reveals    []Reveal  // who was shown its codes beside their delivery: where they are hidden, or opened again
	Handed     []Handed  `json:",omitempty"` // that its codes were given to a customer, or were not after all, oldest first
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

// Search is what a purchase is looked at for when LookAt comes.
type Search uint8

// The searches.
const (
	ForNothing  Search = iota
	ForItself          // it may or may not have happened: uncertain, or put to a person
	ForTruth           // it was said not to have happened, and is watched for what speaks against that
	ForLeftOut         // for orders that its answer left out (Missing)
	ForVanished        // for orders that the service showed and shows no more (Order.Gone), or others in their place
)

// Search is what the purchase is looked at for: its phase says it, and of an accepted one the looks that are left.
func (p Purchase) Search() Search {
	switch {
	case p.LookAt.IsZero():
		return ForNothing
	case p.Phase == Unknown, p.Phase == Undecided:
		return ForItself
	case p.Phase == NotCreated, p.Phase == Rejected:
		return ForTruth
	case p.Phase == Accepted && p.Seeks > 0:
		return ForLeftOut
	case p.Phase == Accepted:
		return ForVanished
	}
	return ForNothing
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
	Explained bool `json:"Settled"` // and it was what it had to be; the name on disk is an older one
	// UnexplainedChanges is what the wallet had counted of them; "Odd" is its name on disk.
	UnexplainedChanges int `json:"Odd"`
	Used               int // units of the variant that are used of the account's allocation; -1 when it has none
	Spends             int // of the account, this purchase's own included
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
	Rule    string   // which rule spoke (RuleRows and its like)
	Rows    []string // the service's ids of orders that may be this purchase's
	Beside  []string `json:",omitempty"` // of orders of the same item that are nobody's, and do not fit
	Alone   bool     // and no other purchase of this bot waits for orders that they may be
	Paid    bool     // exactly its price is gone
	Intact  bool     // its price is there, for readings as fresh as those of its account were
	Listed  bool     // its list of orders could be read
	Shared  bool     // the account is used outside of this bot as well, or its movements are not explained by this bot alone
	Balance dzd.Amount
	Known   bool // the balance could be read
	// Others is what the bot's other purchases, and the refunds of orders, have changed it by since before this one, or may have (Late).
	Others dzd.Amount
	// Late is what of that are prices of purchases that were accepted before this one: they may show only since then. The wallet forgets them an
	// hour after they have shown.
	Late dzd.Amount `json:",omitzero"`
	Used int        // units of the variant that are used of the account's allocation; -1 when it has none
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
	Document  bool // codes were sent as a document
	Late      bool // people were told that it takes too long
	Missing   bool `json:",omitempty"` // people were told that orders of it were not found
	SameCode  bool `json:",omitempty"` // people were told that several of its units show one code
	// Filed is the units that each part of the document has brought, as WithPart writes them.
	Filed string `json:",omitempty"`
	// Price is what the orders that a person picked named as their price, where people were told then that it is another one
	// than was shown.
	Price *dzd.Amount `json:",omitempty"`
}

// After is what has reached the chat once a delivery that found was has made it told. What others have noted since it was
// read stays: a look says that it takes too long, or a message to another chat has arrived.
func (t Told) After(was, told Told) Told {
	t.Codes = max(t.Codes, told.Codes)
	t.Pinged += told.Pinged - was.Pinged
	t.MaybeSent = t.MaybeSent || told.MaybeSent
	if told.Document != was.Document || told.Filed != was.Filed {
		t.Document, t.Filed = told.Document, told.Filed
	}
	return t
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

// LacksPrice reports whether the price of an uncertain purchase may be gone: at the last look for it, the balance lacked just that, by itself or
// beside what other purchases have done. Other things could explain it as well.
func (p Purchase) LacksPrice() bool {
	ev := p.Evidence
	if ev == nil || !ev.Known || !p.Before.Known {
		return false
	}
	rest := ev.Balance.Sub(p.Before.Available).Add(p.Total)
	return rest.IsZero() || rest.Equal(ev.Others)
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
	return p.MissesPaid() && !p.SeeksMissing() || slices.ContainsFunc(orders, func(o Order) bool {
		return o.Late && (o.State == Waiting || o.State == Completed) ||
			o.Refund == RefundUnread || o.Refund == RefundMissing || o.Refund == RefundUnseen
	})
}

// OrderedAt is when a person ordered: when it was confirmed, or the owners were asked for it. What the bot has made of
// another purchase was ordered when it was made. Zero for what nobody has ordered.
func (p Purchase) OrderedAt() time.Time {
	at := p.QueuedAt
	if at.IsZero() && p.Phase == Asked && p.Ask != nil {
		at = p.Ask.At
	}
	if !at.IsZero() && at.Before(p.CreatedAt) {
		return p.CreatedAt
	}
	return at
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

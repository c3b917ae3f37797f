package ledger

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"
)

// ErrNotFound: there is no such record. Whoever keeps the records returns an error that is this one.
var ErrNotFound = errors.New("ledger: not found")

// Rev is which writing of a record this is, for whoever keeps it.
type Rev struct{ n uint64 }

// At is the place where the number is kept.
func (r *Rev) At() *uint64 { return &r.n }

// Book is the head of a shop's journal. Everything that is posted compares and sets it, so that the numbers are dense.
type Book struct {
	Rev `json:"-"`

	ID     string
	Zone   string // of its days
	CutOff int    // minutes after midnight at which a day begins
	Opened time.Time
	Chats  []int64 // that the book is for: what others buy with the same account is none of its
	Head   uint64  // number of the last entry
	Hash   string  // of the last entry
	Day    Day     // of the last entry
	First  uint64  // number of the first entry of Day
	Closed Day     // the last day that an owner has closed: what comes later is of a later one
	Dues   int     // facts that wait to be written
	Over   []Span  // days that are over and have no record yet, oldest first
	Last   Day     // the last day that has a record
	Totals map[string]Money
	Owed   Money            // sum of what customers owe
	Ahead  Money            // sum of what customers have paid ahead
	OnHand int              // units that are delivered and not sold
	Shifts map[string]Shift // the open one of each counter
}

// Span is a day that is over: its entries, and where the book stood at its end.
type Span struct {
	Day         Day
	First, Last uint64
	End         End
}

// End is where a book stood at a moment.
type End struct {
	Totals map[string]Money // balances of groups: debits less credits
	Owed   Money
	Ahead  Money
	OnHand int
}

// For reports whether the book is for a chat.
func (b *Book) For(chat int64) bool { return slices.Contains(b.Chats, chat) }

// end is where the book stands now.
func (b *Book) end() End {
	return End{Totals: maps.Clone(b.Totals), Owed: b.Owed, Ahead: b.Ahead, OnHand: b.OnHand}
}

// Kind is what an entry tells of.
type Kind string

// The kinds of entries.
const (
	KindOpening  Kind = "opening"
	KindBought   Kind = "bought"    // an order was paid to the service
	KindCharged  Kind = "charged"   // the service took another amount than it had said
	KindCame     Kind = "delivered" // it was delivered
	KindFailed   Kind = "failed"    // it has failed, its money is awaited
	KindRefunded Kind = "refunded"  // the money is back
	KindReleased Kind = "released"  // the order was not the shop's after all
	KindSale     Kind = "sale"
	KindPayment  Kind = "payment" // of a debt
	KindReturn   Kind = "return"  // a customer got money back
	KindForgiven Kind = "forgiven"
	KindGiveBack Kind = "giveback" // a customer got back what was paid ahead
	KindExpense  Kind = "expense"
	KindTaken    Kind = "taken" // out of the till
	KindPutIn    Kind = "putin" // into the till
	KindCount    Kind = "count" // difference of a count
	KindReverse  Kind = "reverse"
	KindMerge    Kind = "merge" // two customers are one
	KindExplain  Kind = "explain"
	KindWriteOff Kind = "writeoff"
)

// Line is one side of an entry on one account.
type Line struct {
	Account Account
	Debit   Money `json:",omitempty"`
	Credit  Money `json:",omitempty"`
}

// amount is what the line adds to a balance.
func (l Line) amount() Money { return l.Debit - l.Credit }

// Item is one unit that an entry is about, with its names as they were, and what the entry adds to what was sold of it:
// less than nothing where it takes a sale back.
type Item struct {
	Order   string
	Product string // what it is known by, the same for all of its kind
	Name    string // as people read it; hostile text
	List    Money  `json:",omitempty"` // the price by the shop's rule
	Price   Money  `json:",omitempty"` // that it was sold for
	Paid    Money  `json:",omitempty"` // to the service, for this very unit
	Seller  int64  `json:",omitempty"`
	Units   int    `json:",omitempty"` // sold by this entry
	Sold    Money  `json:",omitempty"`
	Cost    Money  `json:",omitempty"`
}

// Entry is one line of the journal. It is never changed. A field that is added must be left out of its JSON where it is
// empty: the hashes of entries that were written before have to stay.
type Entry struct {
	Rev `json:"-"`

	Book     string
	Number   uint64
	At       time.Time
	Day      Day
	Kind     Kind
	Key      string
	By       int64  `json:",omitempty"` // who did it; 0 for facts
	Counter  string `json:",omitempty"`
	Shift    uint64 `json:",omitempty"`
	Customer string `json:",omitempty"`
	Reverses uint64 `json:",omitempty"`
	Of       Kind   `json:",omitempty"` // the kind of what it reverses
	Corrects Day    `json:",omitempty"` // the sealed day that it says something of
	Lines    []Line
	Items    []Item `json:",omitempty"`
	Prev     string // hash of the entry before it
}

// Hash is what chains an entry to the next one.
func (e Entry) Hash() string {
	text, err := json.Marshal(e)
	if err != nil {
		return "" // there is nothing in it that JSON does not know
	}
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:16])
}

// digest is what somebody has asked for, to tell whether it is the same again.
// Fields of an act that are left out of its JSON are no part of that: who taps, and a limit that may have changed between two
// taps. A card that is tapped again by somebody else is the same act.
func digest(act any) string {
	text, err := json.Marshal(act)
	if err != nil {
		return ""
	}
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:16])
}

// EntryKey is that an event has its entry.
type EntryKey struct {
	Rev `json:"-"`

	Book   string
	Key    string
	Number uint64
	Digest string
}

// Balance is the sums of an account's lines. They only grow, so that what was there is not lost in a difference.
type Balance struct {
	Rev `json:"-"`

	Book    string
	Account Account
	Debits  Money
	Credits Money
	Last    uint64 // number of the last entry with a line on it
}

// Net is debits less credits.
func (b Balance) Net() Money { return b.Debits - b.Credits }

// UnitState is where a unit is on its way through the shop.
type UnitState string

// The states of units.
const (
	InTransit UnitState = "transit"
	InStock   UnitState = "stock"
	Sold      UnitState = "sold"
	Claimed   UnitState = "claim"
	Refunded  UnitState = "refunded"
	Released  UnitState = "released"
	Lost      UnitState = "lost"
)

// Unit is one order of the service as the shop's books see it.
type Unit struct {
	Rev `json:"-"`

	Book    string
	Order   string
	Product string
	Name    string // hostile text
	Cost    Money
	State   UnitState
	Moves   int    // entries about it so far
	Sale    uint64 // the entry that has sold it; 0 while it is not
	Price   Money  // that it was sold for
	By      int64  // who has sold it
	Sales   int    // how often it was sold, also where that was taken back
}

// Shift is the time of a counter between two counts.
type Shift struct {
	Rev `json:"-"`

	Book     string
	Counter  string
	Number   uint64
	OpenedAt time.Time
	With     Money // cash at its beginning
	First    uint64
	Last     uint64
	ClosedAt time.Time
	Expected Money
	Counted  Money
	Uncount  bool  // it was closed without a count
	Taken    Money // left the till with the closing
	By       int64 // who has counted
	Owner    int64 // who has confirmed it
}

// Difference is what was counted less what had to be there.
func (s Shift) Difference() Money { return s.Counted - s.Expected }

// Sums is what the lines of a range add up to on one account.
type Sums struct {
	Debits, Credits Money
}

// Net is debits less credits.
func (s Sums) Net() Money { return s.Debits - s.Credits }

// Row is what one seller has sold of one product.
type Row struct {
	Product string
	Name    string // hostile text
	Seller  int64
	Units   int
	Sold    Money
	Cost    Money
}

// DayRecord is a day that is sealed: the fold of its entries, written once.
type DayRecord struct {
	Rev `json:"-"`

	Book        string
	Day         Day
	First, Last uint64
	Hash        string // of its last entry
	Flows       Flows
	End         End
}

// Late is that a later entry corrects a sealed day.
type Late struct {
	Rev `json:"-"`

	Book   string
	Day    Day
	Number uint64
}

// LineOf is that an account has a line in an entry, or that it names a customer who has none there.
type LineOf struct {
	Rev `json:"-"`

	Book    string
	Account Account
	Number  uint64
}

// Due is a fact whose entry could not be written: it is observed again later. No day is sealed while there is one.
type Due struct {
	Rev `json:"-"`

	Book string
	Fact Fact
	Why  string
	At   time.Time
}

// Records is one transaction on the records of books. Reads of what is not there return ErrNotFound.
type Records interface { //nolint:interfacebloat // each method is a kind of record, read or written
	Book(id string) (Book, error)
	Entry(book string, number uint64) (Entry, error)
	EntryKey(book, key string) (EntryKey, error)
	Balance(book string, account Account) (Balance, error)
	Unit(book, order string) (Unit, error)
	Day(book string, day Day) (DayRecord, error)
	Shift(book, counter string, number uint64) (Shift, error) // that is closed

	PutBook(*Book) error
	PutEntry(*Entry) error
	PutEntryKey(*EntryKey) error
	PutBalance(*Balance) error
	PutUnit(*Unit) error
	PutDay(*DayRecord) error
	PutShift(*Shift) error
	PutLine(*LineOf) error
	PutLate(*Late) error
}

// found is a record, or a new one where there is none.
func found[T any](v T, err error, fresh T) (T, error) {
	if errors.Is(err, ErrNotFound) {
		return fresh, nil
	}
	return v, err
}

// doing says what was being done; nil stays nil.
func doing(what string, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%s: %w", what, err)
}

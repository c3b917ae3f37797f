package store

import (
	"encoding/json"
	"time"

	"resellerbot/internal/api/dzd"
)

// Every record type below carries the version it was read at in an unexported field `rev`: putting it
// back fails with ErrConflict if somebody else changed it meanwhile. A zero rev means a new record.
//
// Amounts are in DZD. Times are moments, whatever zone they carry: screens show them in the shop's.

// Chat is a Telegram chat that has spoken to the bot.
type Chat struct {
	ID          int64
	Account     string    // id of the linked account, of several the active one; empty when none is
	Others      []string  `json:",omitempty"` // accounts beside it that its person is of, the one that was active last first; none in a group
	Was         []string  // accounts that its person owned and unlinked, the last one first
	Language    string    // "ar", "fr" or "en"; empty while nobody has spoken in it
	Chosen      bool      // the language was chosen with /language, not guessed
	Unreachable time.Time // since when Telegram refuses messages to it; zero when it takes them
	CreatedAt   time.Time
	House       bool      // the house key was linked to it once
	Nudged      bool      // that an alert could be set was said once
	Admitted    time.Time // when the operator, or somebody whom they had let in, let it in; zero where nobody did
	AdmittedBy  int64     // who did; 0 where that was not written down yet
	Through     string    // the account with whose team a person was let in: they are in for as long as they are of it
	Out         time.Time // when the operator took it out; zero once it was let in anew
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

// ShutOut ends that the chat may use the bot, for good: only the operator lets it in again. as is what it is
// called then.
func (c *Chat) ShutOut(as string, at time.Time) {
	c.EndAdmission()
	c.Account, c.Others, c.Out, c.OutAs = "", nil, at, as
}

// Session is where one person stands in a conversation in one chat.
type Session struct {
	Chat    int64
	User    int64
	Flow    string          // "key", "buy", …
	Step    string          // the question that is open
	Account string          `json:",omitempty"` // for which it was asked; empty for none
	Data    json.RawMessage `json:"-"`          // the flow's own; sealed at rest
	Message int             // the live screen of the flow, edited in place; 0 when there is none
	Covered bool            // something else was shown since: the question is answered by its own buttons alone
	Expires time.Time
	rev     uint64
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
	Purchase string            // of which purchase; empty for a Note, and for what is about a list
	List     string            // of which list; empty for what is about none
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
	AlertPriority    Priority = 4 // thresholds that were crossed, and the service away or back
	DigestPriority   Priority = 6 // what is brought up to date, and misses nothing by waiting
)

// OutKind is what an outgoing message is.
type OutKind string

// The kinds of outgoing messages.
const (
	StatusMessage OutKind = "carrier"  // bring a purchase's own message up to date (an edit); the name on disk is an older one
	Ping          OutKind = "ping"     // a short message without the code, so that the phone rings
	Document      OutKind = "document" // the codes of a big purchase as a file
	Support       OutKind = "support"  // something that people have to take up with the service, ready to be copied
	Copy          OutKind = "copy"     // what became of a purchase, for others of the team: a message of its own, then edits of it
	Request       OutKind = "request"  // an owner is asked for a purchase above a limit: a message of its own, then edits of it
	Decision      OutKind = "decision" // an owner is asked what became of a purchase: a message of its own, then edits of it
	Note          OutKind = "note"     // any other message, by screen name
	ListCard      OutKind = "list"     // bring a list's card up to date (an edit)
	ListRequest   OutKind = "listask"  // an owner is asked for a list above a limit: a message of its own, then edits of it
	ListPing      OutKind = "listping" // the phone rings for a list that has come to its end
	ListFile      OutKind = "listfile" // what came of a list, with its codes, as a file
	BoardMessage  OutKind = "board"    // bring the board of a shop's day up to date, or end it
	TopicMessage  OutKind = "topic"    // make a topic of a group, which its messages of a subject go to
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

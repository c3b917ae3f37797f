package store

import "maps"

// NoteName says what a Note tells. Package screen has the table of what each takes and how it reads. The names are on
// disk: one that a newer version wrote may be unknown here, and none of these may ever mean something else.
type NoteName string

// What is told of the balance, the thresholds that a chat has set, and the service.
const (
	AlertsNote         NoteName = "alerts"          // thresholds were crossed
	DebitNote          NoteName = "debit"           // money went that no purchase explains
	DebitOrLateNote    NoteName = "debit_or_late"   // the same, while a purchase may have been executed after all
	DebitElsewhereNote NoteName = "debit_elsewhere" // the same, while as much was bought here, or more, with another key that shows the same balance
	OutageNote         NoteName = "outage"          // the service is away, and orders wait
	OutageOverNote     NoteName = "outage_over"     // it is back
	TroubleNote        NoteName = "trouble"         // for the operator: something is wrong
	TroubleOverNote    NoteName = "trouble_over"    // and that it is over
)

// What is told of a purchase beside its own message.
const (
	CodeChangedNote    NoteName = "code_changed"    // the service shows another code than before
	GoneNote           NoteName = "gone"            // it does not show an order any more
	UndoneNote         NoteName = "undone"          // it calls failed what was delivered
	ClaimedNote        NoteName = "claimed"         // it sent a code that belongs to another purchase
	AlikeNote          NoteName = "alike"           // it sent a code of the same letters as another purchase's
	SameCodeNote       NoteName = "same_code"       // several units of a purchase show one code
	ChargedNote        NoteName = "charged"         // it took another price than it had shown
	PriceUnsureNote    NoteName = "price_unsure"    // its orders name another price, and nothing shows which of the two was charged
	FewerNote          NoteName = "fewer"           // it made fewer orders than were asked for, and charged those
	ApprovedNote       NoteName = "approved"        // what an owner has approved is delivered
	ApprovedFailedNote NoteName = "approved_failed" // it was not, or not all of it
	AskedAgainNote     NoteName = "asked_again"     // an owner who has decided about a purchase is asked again
	DecideNote         NoteName = "decide"          // an owner who was told that others wait for a purchase has to decide about it by now
	UndeliverableNote  NoteName = "undeliverable"   // Telegram does not take the message that brings what was bought
	VaultNote          NoteName = "vault"           // codes could not be delivered to another chat
	UnwrittenNote      NoteName = "stumble"         // for the operator: an outcome could not be written; the name on disk is an older one
)

// What is told of a team.
const (
	JoinedNote    NoteName = "joined"    // somebody has come
	LeftNote      NoteName = "left"      // somebody has left
	DismissedNote NoteName = "dismissed" // an owner has taken somebody out
	RoleOfNote    NoteName = "role_of"   // somebody has another role
	InheritedNote NoteName = "inherited" // a purchase of somebody who has left goes on here
	ListLeftNote  NoteName = "list_left" // lines of a list of somebody who has left are not sent any more
	LockedNote    NoteName = "locked"    // spending was stopped
	UnlockedNote  NoteName = "unlocked"  // and is allowed again
	RemovedNote   NoteName = "removed"   // the reader was taken out of the team
	RoleNote      NoteName = "role"      // the reader has another role
	ClosedNote    NoteName = "closed"    // the account was unlinked, and the reader's team ended with it
	ReopenedNote  NoteName = "reopened"  // it was linked again, and the reader is back in its team
	FellBackNote  NoteName = "fell_back" // another account of the reader is active now
	LetInNote     NoteName = "let_in"    // the reader may use the bot
	ShutOutNote   NoteName = "shut_out"  // the reader may not use it any more
	ParkedNote    NoteName = "parked"    // what the reader has sent or tapped could not be handled
)

// What is told of a team's group.
const (
	PlaceNote        NoteName = "place"          // deliveries go to a group
	PlaceOffNote     NoteName = "place_off"      // they do not any more
	PlaceTakenNote   NoteName = "place_taken"    // the group is another account's now
	PlaceClosedNote  NoteName = "place_closed"   // the group was shut out
	PlaceLostNote    NoteName = "place_lost"     // the group has put the bot out
	PlaceBackNote    NoteName = "place_back"     // and taken it in again
	TopicLostNote    NoteName = "topic_lost"     // the topic of the deliveries is gone
	NoTopicsNote     NoteName = "no_topics"      // those that an owner wants could not be made
	StillReadsNote   NoteName = "still_reads"    // somebody who has left the team reads codes in the group
	MayStillReadNote NoteName = "may_still_read" // the same, where it cannot be seen
)

// What is told of an account's key, and after it was restored from a copy.
const (
	KeyRefusedNote    NoteName = "key_refused"    // the key is not taken while orders wait
	KeyTroubleNote    NoteName = "key_trouble"    // somebody else of the team has met that
	RemovedKeyNote    NoteName = "removed_key"    // an owner has removed the key
	RestoredNote      NoteName = "restored"       // the account may buy again
	RestoredTeamNote  NoteName = "restored_team"  // an owner is shown the team, to confirm it
	TeamConfirmedNote NoteName = "team_confirmed" // another owner has confirmed it
	FrozenNote        NoteName = "frozen"         // the account cannot be read in full, and an owner decides
)

// What is told of a shop's books.
const (
	ReportNote     NoteName = "report"      // what the day has brought, at the hour that an owner has set
	PriceListNote  NoteName = "price_list"  // a page of the shop's price list, at the hour that an owner has set
	BoardNote      NoteName = "board"       // the day as its board shows it, which is edited; no row of kind Note has it
	CountedNote    NoteName = "counted"     // somebody has counted a till, and an owner is to confirm it
	CountTakenNote NoteName = "count_taken" // an owner has confirmed it
	CountLeftNote  NoteName = "count_left"  // an owner has counted the till as well, and that count was taken
	RecountNote    NoteName = "recount"     // an owner wants another count
	SaleUndoneNote NoteName = "sale_undone" // somebody has undone sales of another one, whose cash was in the reader's till
	TillTakenNote  NoteName = "till_taken"  // somebody else has taken cash out of the reader's till
	TillBelowNote  NoteName = "till_below"  // somebody has taken more out of a till than it held
)

// What Args of a Note may hold beside what its text takes.
const (
	nameArg = "name" // its NoteName
	// AboutArg names the account which it is about: nobody is told of it who is not of that account when it goes out.
	AboutArg = "about"
	// OfArg names the account that it comes from: who has several is told which.
	OfArg = "of"
	// SilentArg makes no sound.
	SilentArg = "silent"
	// ReplyArg names the message which it answers.
	ReplyArg = "reply"
	// UntilArg is a moment, as RFC 3339 writes it, after which it is not worth telling.
	UntilArg = "until"
)

// NewNote is the row that tells a chat something, for Tx.Enqueue. The arguments are copied.
func NewNote(chat int64, id string, name NoteName, args map[string]string) *Outgoing {
	all := map[string]string{}
	maps.Copy(all, args)
	all[nameArg] = string(name)
	return &Outgoing{Chat: chat, ID: id, Kind: Note, Args: all, Priority: NoticePriority}
}

// Of has a Note say which account it comes from, to whom has several; none where that is empty.
func (o *Outgoing) Of(account string) *Outgoing {
	if account != "" {
		o.Args[OfArg] = account
	}
	return o
}

// About is the account that a Note comes from; empty where it is of none.
func (o *Outgoing) About() string {
	if id := o.Args[OfArg]; id != "" {
		return id
	}
	return o.Args[AboutArg]
}

// NoteName is what a Note tells.
func (o *Outgoing) NoteName() NoteName { return NoteName(o.Args[nameArg]) }

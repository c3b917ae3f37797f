// Package ledger is a shop's books in double entry: what it paid the service, what it sold and for how much, who owes
// it money, and what has to be in the till. It knows neither Telegram nor the service, nor how records are kept.
//
// # Entries
//
// A book is a journal of entries with dense numbers. Each debits and credits accounts of a closed list by the same
// amount, is written once and never changed, and is chained to the one before it by a hash. Everything else is derived:
// a balance is the fold of an account's lines, a report that of a range of days. What is kept beside the journal (the
// balances, the state of each unit, the totals in the head) is kept because something is decided by it, and a Checker
// proves it equal to the fold.
//
// An event has one key, and a key has one entry: posting it twice gives the entry that is there, and the same key for
// something else is an error. The key of what a person does comes from the card that was shown, never from the tap.
//
// # Facts and acts
//
// What the service did is a fact (Observe). It is recorded and never refused: what the book cannot explain goes to the
// account "clearing". What people do is an act (Sell, Pay, Return, …), and may be refused: a *Refusal says why.
//
// # Days and shifts
//
// An entry carries the label of its day from the moment that it is written. Labels never fall: a clock that is set
// back, another zone or another cut-off hour cannot write into the past. A day that is over is sealed into one record,
// and so is a shift that was counted. A correction of something sealed is an entry of the open day that names the one
// it corrects.
package ledger

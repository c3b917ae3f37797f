package store

import (
	"time"

	"resellerbot/internal/api/dzd"
	"resellerbot/internal/secret"
)

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
	Recent   []string // ids of confirmed purchases for a player that are new, undecided, or may turn out to have happened, oldest first: the same is asked about
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
	Batch      int            // most orders that the service was found to take in one call; zero where no limit was found
	Refunds    []string       // the service's ids of failed orders whose refund was not seen yet, in the order in which they failed: share (purchase/refunds.go) relies on it
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
	// Expected are changes that a reading may or may not show, oldest first. A place in it, or a pointer into it, is good until the next
	// append or delete: whoever has called reverseOutside, forgo, noteMayGo, revokeMayGo or newest finds it anew. An account that was read is the
	// reader's own, so that one may be changed where it stands. What changes the length does that in a clone: a loop over the list, and a
	// copy of the account by value, keep what they had.
	Expected []Expected `json:",omitempty"`
	// Unexplained is what the last readings show that nothing explains yet; "Strange" is its name on disk.
	Unexplained *StandingChange `json:"Strange,omitempty"`
	// Unsettled is since when readings are explained in more than one way, or are older than the last; zero while they are not.
	Unsettled time.Time
	// Open is what readings show since Unsettled; nil while they show nothing so.
	Open *StandingChange `json:",omitempty"`
	// Ambiguous is when a reading was last explained in more than one way, or was older than the last; zero for never.
	Ambiguous time.Time
	// UnexplainedChanges counts its changes that nothing explained, and those with several explanations that were booked as from outside
	// in the end; "Odd" is its name on disk.
	UnexplainedChanges int `json:"Odd"`
	// Shown is what the last reading showed, as it was; nil before there was one.
	Shown  *dzd.Amount `json:",omitempty"`
	RoseAt time.Time   // when a reading was last above the one before; zero for never
	// MadeUp is what has come back of money that was gone without an explanation, all of it, since it may be a refund; nil where nothing has.
	MadeUp *StandingChange `json:",omitempty"`
}

// Expected is a change of the wallet that we know of, and that a reading may not show yet, or not any more:
// readings may lag behind, each by another time.
//
// Which fields are set together tells how much is known. Of the price of a purchase:
//
//	what is known                        set               may be set besides
//	sent; its answer proves nothing yet  Doubtful          Before
//	a person says that it happened       Doubtful, Said    Before
//	uncertain, and as much has gone      Doubtful, Seen
//	accepted; no reading has shown it    none              Before, Learn, List, Instead
//	accepted, and shown                  Seen              List, Instead
//	said not to have happened            Denied            Before
//	the same, and as much has gone       Denied, Seen
//	may go late, or once more            MayGo, Seen       a copy beside the first; no reading is explained by it
//
// Without a Purchase it is a refund, or money that moved from outside: Seen, or Before where the explaining has begun anew since.
// Disowned stays, whatever becomes of the purchase. Denied and Doubtful exclude each other, as do Learn and Seen.
//
// Wallet.Available has the Amount in it of all that is Seen, but for MayGo, and of what is accepted and not Seen, but for Before.
type Expected struct {
	At       time.Time    // when it happened, as far as that is known
	Amount   dzd.Amount   // what it does to the wallet: negative for what was spent
	Purchase string       `json:",omitempty"` // whose price it is; empty for money that moved from outside
	Seen     time.Time    // when a reading first showed it; zero before
	Doubtful bool         `json:",omitempty"` // it may never have happened: the purchase is uncertain
	Said     bool         `json:",omitempty"` // a person, or the service of an order that had failed, says that it happened, and no reading has shown it: Doubtful as well
	Denied   bool         `json:",omitempty"` // it was said not to have happened: refused, or not found
	Before   bool         `json:",omitempty"` // it may have been in the reading that the explaining began with
	Instead  *dzd.Amount  `json:",omitempty"` // what its orders say that it cost, where that is something else
	Earlier  []dzd.Amount `json:",omitempty"` // and said before, and what all of it costs at the price of those that are known
	Disowned time.Time    // when a person last said that money which had gone was not its price; zero before
	MayGo    MayGo        `json:",omitempty"` // why it may go although no reading has to show it; empty for what readings are explained by
	Learn    bool         `json:",omitempty"` // when it is seen tells how late balances are
	List     string       `json:",omitempty"` // which list tells how late it is, once the orders show there; empty for none
	Unlisted time.Time    `json:"Listless"`   // when that list was last seen without them; the name on disk is an older one
	// Elsewhere are purchases with another key that are just what has gone: the two may be of one wallet.
	Elsewhere []string `json:",omitempty"`
}

// MayGo is why money of a purchase may go that no reading has to show.
type MayGo string

// Why money may go after all.
const (
	Overdue MayGo = "overdue" // it was bought, and no reading has shown its price though none is so late
	Twice   MayGo = "twice"   // a program of before has sent it again after a refusal: it may have been executed twice
	Rest    MayGo = "rest"    // of units that its answer left out, and that were not charged
	Untaken MayGo = "untaken" // it has failed, and its price had not gone
	Retaken MayGo = "retaken" // it has failed, and its money came back
)

// StandingChange is a change of the wallet that stands: nothing of ours explains it, or more than one thing, as the last readings agree.
// Wallet.Unexplained is of the first kind, Wallet.Open of the second. A reading that is explained ends both; any other changes one of them
// and leaves the other as it stands.
type StandingChange struct {
	Since  time.Time
	Amount dzd.Amount
	Stood  dzd.Amount // what of it every reading since has shown
	Looks  int
	// Changed is when a reading first showed Amount as it is; zero in what an older program wrote.
	Changed time.Time
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
	// Shown is when a reading first showed it, where it was explained later; else zero.
	Shown time.Time
	rev   uint64
}

// Since is since when readings show a movement, as far as that is known.
func (m Movement) Since() time.Time {
	if m.Shown.IsZero() {
		return m.At
	}
	return m.Shown
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

// Players is whom a chat has topped up last, for an account.
type Players struct {
	Chat    int64
	Account string
	List    []Player `json:"-"` // newest first; sealed at rest
	rev     uint64
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

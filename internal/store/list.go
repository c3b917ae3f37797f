package store

import (
	"context"
	"fmt"
	"slices"
	"time"

	"resellerbot/internal/api/dzd"
)

// ListLife is how long a list is kept after its end. The card in its chat stays.
const ListLife = 30 * 24 * time.Hour

// List is several purchases that are shown on one card and confirmed by one tap. Each line that is bought is a purchase of
// its own, one after another.
type List struct {
	ID      string // as a purchase's
	Account string
	Chat    int64
	User    int64  // who pasted it; only they may confirm it
	Buyer   string // the name of User, hostile text
	Update  int64  // the update of Telegram that brought it
	Message int    // the card
	Thread  int    // the topic of the chat that it is in; 0 for none
	Nonce   string
	Phase   ListPhase
	Above   bool       // its buyer may not confirm it: an owner has to be asked
	Marked  bool       // lines that are marked are bought as well
	Lines   []ListLine `json:"-"` // sealed at rest

	Available *dzd.Amount // what the balance was when the card was made; nil where it could not be read
	Tries     int         // at asking about players, that failed in a row
	CheckedBy time.Time   // by when all players are known, as the limits of the service let it be
	Why       string      // why what was not sent is not sent any more, as a purchase's Reason; "" while it is
	Day       string      // the day against whose limit of its buyer it counts; empty where against none
	Ask       *Ask        // how an owner was asked for it; nil where none had to be
	Shown     []Shown     // what shows it beside the card
	Filed     int         // codes that its file has brought
	EditedAt  time.Time   // when its card was edited last
	CreatedAt time.Time
	ExpiresAt time.Time // of the ✅, or of the question to the owners
	BegunAt   time.Time // when it was confirmed
	EndedAt   time.Time
	Due       time.Time // when its players are asked about next, or a file of what is there is sent
	rev       uint64
}

// ListPhase is where a list stands.
type ListPhase string

// The phases of a list.
const (
	ListChecking ListPhase = "checking" // its players are asked about
	ListShown    ListPhase = "shown"    // its card has a ✅
	ListAsked    ListPhase = "asked"    // above its buyer's limit: an owner is asked
	ListBuying   ListPhase = "buying"   // it was confirmed, and its lines are bought one after another
	ListEnded    ListPhase = "ended"    // nothing more is sent, and what was sent has come to an end
	ListDropped  ListPhase = "dropped"  // never confirmed
)

// Promised reports whether a list was confirmed.
func (p ListPhase) Promised() bool { return p == ListBuying || p == ListEnded }

// ListLine is one line of a list: what was typed, what it was read as, and what became of it.
type ListLine struct {
	Number  int    // in what was pasted
	Text    string // as it was typed, hostile text
	Problem string // why it is not bought, one of the Problems or a class of the service's refusals; "" where it can be
	Mark    string // why whoever confirms it has to look twice, one of the Marks; "" for no reason
	First   int    // the line that it says again, of one that is marked with MarkDouble

	ProductID int64
	VariantID int64
	Category  int64 `json:",omitempty"`
	Plan      string
	Family    string
	Topup     bool
	Manual    bool
	Product   string
	Variant   string
	Quantity  int
	Inputs    []Answer
	For       string `json:",omitempty"` // the id of the customer whom it names
	Check     bool   // the service has still to be asked who it is for
	Player    *Player
	Price     dzd.Amount // of one unit
	Sells     dzd.Amount `json:",omitzero"` // as a purchase's
	Total     dzd.Amount
	Short     bool     // the balance does not reach for it, after those before it
	Same      []string // purchases of the same for the same player that its buyer was told of

	Purchase string // once it is confirmed and its turn has come
	Phase    Phase  // of that
	Done     bool   // all that was bought by it is there, or it has come to its end
	Codes    int    // that were delivered by it
	Left     string // why its turn did not make it a purchase, as a purchase's Reason
}

// Why a line is not bought.
const (
	ProblemUnread   = "unread"   // nothing that is sold is named by it
	ProblemUnclear  = "unclear"  // it can be read in several ways
	ProblemFormula  = "formula"  // a cell of a table that is to be reckoned
	ProblemWhom     = "whom"     // several customers could be meant by the name in it, or it is one of a name alone
	ProblemStranger = "stranger" // no customer is called as it has it
	ProblemInput    = "input"    // what stands behind the item is none of its inputs, or one is missing
	ProblemSoldOut  = "sold_out" // it cannot be had now
	ProblemTooMany  = "too_many" // more units than there are
	ProblemNone     = "none"     // no unit at all: "x0"
	ProblemNobody   = "nobody"   // the service knows no such player
	ProblemUnasked  = "unasked"  // the service could not be asked about the player
	ProblemOpen     = "open"     // the same is uncertain, and has to be decided first
)

// Why a line is marked.
const (
	MarkDouble  = "double"  // the list says the same before
	MarkRepeat  = "repeat"  // the same was bought just now
	MarkUnknown = "unknown" // the service does not say whether the player exists
)

// Buys reports whether a line is one of those that are bought.
func (l *List) Buys(line *ListLine) bool {
	return l.mayBuy(line) && !line.Short
}

// Reckon finds out for which lines the balance reaches, in their order. It reaches for all where it is not known.
func (l *List) Reckon() {
	var sum dzd.Amount
	for i := range l.Lines {
		line := &l.Lines[i]
		line.Short = false
		if !l.mayBuy(line) {
			continue
		}
		next := sum.Add(line.Total)
		if line.Short = l.Available != nil && l.Available.Less(next); !line.Short {
			sum = next
		}
	}
}

// Total is what the lines cost that are bought, and how many they are.
func (l *List) Total() (sum dzd.Amount, n int) {
	for i := range l.Lines {
		if l.Buys(&l.Lines[i]) {
			sum, n = sum.Add(l.Lines[i].Total), n+1
		}
	}
	return sum, n
}

// Next is the line that is to be sent next; nil where none is left.
func (l *List) Next() *ListLine {
	for i := range l.Lines {
		if line := &l.Lines[i]; l.isComing(line) {
			return line
		}
	}
	return nil
}

// Unsent is how many lines were confirmed, or are asked for, and are not sent.
func (l *List) Unsent() (n int) {
	for i := range l.Lines {
		if line := &l.Lines[i]; l.isComing(line) || l.Phase == ListAsked && l.Buys(line) {
			n++
		}
	}
	return n
}

// Of is the line that a purchase was made by; nil where none was.
func (l *List) Of(purchase string) *ListLine {
	i := slices.IndexFunc(l.Lines, func(line ListLine) bool { return line.Purchase == purchase && purchase != "" })
	if i < 0 {
		return nil
	}
	return &l.Lines[i]
}

// Codes is how many codes were delivered by a list.
func (l *List) Codes() (n int) {
	for _, line := range l.Lines {
		n += line.Codes
	}
	return n
}

// Replace writes a list in the place of what it was when it was read.
func (l *List) Replace(tx *Tx, was List) error {
	l.rev = was.rev
	return tx.PutList(l)
}

// Purchases are the ids of what was bought by it, in the order of its lines.
func (l *List) Purchases() (ids []string) {
	for _, line := range l.Lines {
		if line.Purchase != "" {
			ids = append(ids, line.Purchase)
		}
	}
	return ids
}

// ShownIn is the message that asks an owner for the list in a chat; 0 where there is none.
func (l *List) ShownIn(as OutKind, chat int64) int {
	for _, s := range l.Shown {
		if s.As == as && s.Chat == chat {
			return s.Message
		}
	}
	return 0
}

// isComing reports whether a line is still to be sent.
func (l *List) isComing(line *ListLine) bool {
	return l.Phase == ListBuying && l.Why == "" && l.Buys(line) && line.Purchase == "" && line.Left == ""
}

// mayBuy is Buys by what a line says itself.
func (l *List) mayBuy(line *ListLine) bool {
	return line.Problem == "" && !line.Check && (line.Mark == "" || l.Marked)
}

func lists() codec[List] {
	return codec[List]{
		kind: KindList,
		key:  func(l *List) string { return l.ID },
		rev:  func(l *List) *uint64 { return &l.rev },
		due: func(l *List) time.Time {
			switch l.Phase {
			case ListShown, ListAsked:
				return l.ExpiresAt
			case ListEnded, ListDropped:
				return l.EndedAt.Add(ListLife)
			}
			return l.Due
		},
		packed: func(l *List) bool { return l.Phase == ListEnded || l.Phase == ListDropped },
		secrets: []field[List]{
			jsonField("lines", func(l *List) *[]ListLine { return &l.Lines }, func(l *List) bool { return len(l.Lines) == 0 }),
		},
	}
}

// List reads a list. ErrNotFound.
func (s *Store) List(ctx context.Context, id string) (List, error) { return read(ctx, s, lists(), id) }

// ChatLists lists the newest lists of a chat.
func (s *Store) ChatLists(ctx context.Context, chat int64, limit int) (all []List, err error) {
	page, err := s.engine.Scan(ctx, KindListsOf, number(chat)+"/", "", limit)
	if err != nil {
		return nil, fmt.Errorf("list the lists of a chat: %w", err)
	}
	for _, r := range page {
		l, err := s.List(ctx, string(r.Value))
		if err = ignoring(err, ErrNotFound); err != nil {
			return nil, err
		}
		if l.ID != "" {
			all = append(all, l)
		}
	}
	return all, nil
}

// ClaimLists takes the lists that are due, each for a lease.
func (s *Store) ClaimLists(ctx context.Context, now time.Time, lease time.Duration, limit int) ([]List, error) {
	return claim(ctx, s, KindList, lists, now, lease, limit)
}

// List reads a list. ErrNotFound.
func (t *Tx) List(id string) (List, error) { return lists().get(t, id) }

// PutList writes a list and the index that finds it.
func (t *Tx) PutList(l *List) error {
	if err := lists().put(t, l); err != nil {
		return err
	}
	return t.index(KindListsOf, byChatKey(l.Chat, l.ID), l.ID, true)
}

// RemoveList forgets a list.
func (t *Tx) RemoveList(id string) error {
	l, err := t.List(id)
	if err != nil {
		return ignoring(err, ErrNotFound)
	}
	if err := t.index(KindListsOf, byChatKey(l.Chat, l.ID), l.ID, false); err != nil {
		return err
	}
	return lists().remove(t, &l)
}

package purchase

import (
	"crypto/subtle"
	"time"

	"resellerbot/internal/store"
)

// Tap is a tap on a purchase's ✅, as Telegram reports it. None of it is trusted.
type Tap struct {
	Purchase string
	Nonce    string
	Chat     int64
	User     int64
	Message  int
	Update   int64 // of Telegram, for the log
}

// offer is what a ✅ that buys was made for: a summary, or the card of a list.
type offer struct {
	chat    int64
	message int   // 0 where it is not known yet: a tap can come before the sending was noted
	user    int64 // who ordered it
	nonce   string
	open    bool // nobody has confirmed or left it
	until   time.Time
}

// permits tells whether a tap may confirm it.
func (o offer) permits(t Tap, now time.Time) error {
	switch {
	// All that may be forged or old is stale, in one answer: it tells a forger nothing of what was wrong.
	case o.chat != t.Chat, o.message != 0 && o.message != t.Message, !isNonce(o.nonce, t.Nonce), !o.open:
		return ErrStale
	case o.user != t.User:
		return ErrNotYours
	case !now.Before(o.until):
		return ErrExpired
	}
	return nil
}

// question is what the owners are asked about what somebody else has ordered.
type question struct {
	ask     *store.Ask // nil where nobody is asked
	message int        // the one in the chat of whoever taps; 0 where it is not known yet
	open    bool       // a decision is one: whoever comes second meets another phase
	until   time.Time
}

// permits tells whether a tap may decide on it: an owner's, in their private chat, on a button of the question while it is open.
func (q question) permits(a store.Account, t Tap, now time.Time) error {
	switch {
	case a.Role(t.User) != store.Owner || t.Chat != t.User:
		return ErrNotAllowed
	case q.ask == nil || !isNonce(q.ask.Nonce, t.Nonce), !q.open, q.message != 0 && q.message != t.Message:
		return ErrStale
	case !now.Before(q.until):
		return ErrExpired
	}
	return nil
}

// decided is a question with who has decided on it. It is another one: whoever holds what was asked keeps it as it was.
func decided(ask *store.Ask, a store.Account, user int64, granted bool, now time.Time) *store.Ask {
	m, _ := a.Member(user)
	d := *ask
	d.By, d.Name, d.Granted, d.Done = user, m.Name, granted, now
	return &d
}

// isNonce reports whether what a button brings is what it was made with. What was made with none is no button.
func isNonce(made, brought string) bool {
	// In constant time, as with every secret that comes from outside: how long it takes tells nothing of the nonce.
	return made != "" && subtle.ConstantTimeCompare([]byte(made), []byte(brought)) == 1
}

package store

import (
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"resellerbot/internal/secret"
)

// The kinds of records. What each holds is in the package comment.
const (
	KindMeta     Kind = "meta"
	KindAccount  Kind = "account"
	KindChat     Kind = "chat"
	KindSession  Kind = "session"
	KindPurchase Kind = "purchase"
	KindByChat   Kind = "purchase_by_chat"
	KindOpen     Kind = "purchase_open"
	KindOrder    Kind = "order"
	KindPending  Kind = "order_pending"
	KindOutbox   Kind = "outbox"
	KindInbox    Kind = "inbox"
	KindSeen     Kind = "seen"
	KindMovement Kind = "movement"
	KindPlayers  Kind = "players"
	KindAlerts   Kind = "alerts"
	KindInvite   Kind = "invite"
	KindTimes    Kind = "times"
	KindOutage   Kind = "outage"
	KindClaim    Kind = "claim"
	KindMenu     Kind = "menu"
	KindShelf    Kind = "shelf"
	KindList     Kind = "list"
	KindListsOf  Kind = "list_by_chat"
	KindTrouble  Kind = "trouble"
)

func accounts() codec[Account] {
	return codec[Account]{
		kind: KindAccount,
		key:  func(a *Account) string { return a.ID },
		rev:  func(a *Account) *uint64 { return &a.rev },
		due: func(a *Account) time.Time {
			if a.Frozen && a.LookAt.IsZero() {
				return time.UnixMicro(1) // to be looked at now
			}
			return a.LookAt
		},
		secrets: []field[Account]{textField("key", func(a *Account) *secret.Text { return &a.Key })},
	}
}

func chats() codec[Chat] {
	return codec[Chat]{
		kind: KindChat,
		key:  func(c *Chat) string { return number(c.ID) },
		rev:  func(c *Chat) *uint64 { return &c.rev },
	}
}

func sessions() codec[Session] {
	return codec[Session]{
		kind: KindSession,
		key:  func(s *Session) string { return sessionKey(s.Chat, s.User) },
		rev:  func(s *Session) *uint64 { return &s.rev },
		secrets: []field[Session]{{
			name: "data",
			get:  func(s *Session) ([]byte, error) { return s.Data, nil },
			set:  func(s *Session, b []byte) error { s.Data = b; return nil },
		}},
	}
}

func purchases() codec[Purchase] {
	return codec[Purchase]{
		kind: KindPurchase,
		key:  func(p *Purchase) string { return p.ID },
		rev:  func(p *Purchase) *uint64 { return &p.rev },
		due: func(p *Purchase) time.Time {
			switch {
			// One record has one due time; its phase tells which of its moments that is.
			case !p.Phase.Promised():
				return p.ExpiresAt
			case p.Phase == Queued:
				return p.TurnBy
			}
			return p.LookAt
		},
		packed: always[Purchase],
		secrets: []field[Purchase]{
			jsonField("inputs", func(p *Purchase) *[]Answer { return &p.Inputs }, func(p *Purchase) bool { return len(p.Inputs) == 0 }),
			jsonField("player", func(p *Purchase) **Player { return &p.Player }, func(p *Purchase) bool { return p.Player == nil }),
		},
	}
}

// movements have all bits of their number turned in the key: the greatest comes first, so that a list begins with the newest.
func movements() codec[Movement] {
	return codec[Movement]{
		kind:   KindMovement,
		key:    func(m *Movement) string { return m.Account + "/" + fmt.Sprintf("%016x", ^m.Number) },
		rev:    func(m *Movement) *uint64 { return &m.rev },
		packed: always[Movement],
	}
}

func players() codec[Players] {
	return codec[Players]{
		kind: KindPlayers,
		key:  func(p *Players) string { return ofChat(p.Chat, p.Account) },
		rev:  func(p *Players) *uint64 { return &p.rev },
		secrets: []field[Players]{
			jsonField("list", func(p *Players) *[]Player { return &p.List }, func(p *Players) bool { return len(p.List) == 0 }),
		},
	}
}

func orders() codec[Order] {
	return codec[Order]{
		kind:   KindOrder,
		key:    func(o *Order) string { return orderKey(o.Account, o.ID) },
		rev:    func(o *Order) *uint64 { return &o.rev },
		due:    func(o *Order) time.Time { return o.Due },
		packed: always[Order],
		secrets: []field[Order]{
			textField("code", func(o *Order) *secret.Text { return &o.Code }),
			textField("serial", func(o *Order) *secret.Text { return &o.Serial }),
			textsField("later", func(o *Order) *[]secret.Text { return &o.Later }),
			textField("instead", func(o *Order) *secret.Text { return &o.Instead }),
			textField("notes", func(o *Order) *secret.Text { return &o.Notes }),
		},
	}
}

func outbox() codec[Outgoing] {
	return codec[Outgoing]{
		kind: KindOutbox,
		key:  func(o *Outgoing) string { return outboxKey(o.Chat, o.ID) },
		rev:  func(o *Outgoing) *uint64 { return &o.rev },
		due:  func(o *Outgoing) time.Time { return o.Due },
	}
}

func inbox() codec[Incoming] {
	return codec[Incoming]{
		kind: KindInbox,
		key:  func(in *Incoming) string { return number(in.ID) },
		rev:  func(in *Incoming) *uint64 { return &in.rev },
		secrets: []field[Incoming]{{
			name: "raw",
			get:  func(in *Incoming) ([]byte, error) { return in.Raw, nil },
			set:  func(in *Incoming, b []byte) error { in.Raw = b; return nil },
		}},
	}
}

// always packs what there are most of. A record that was long while it changed, and short from its end on, would leave its page
// half empty for good, so it is packed from its beginning: that takes 30 µs, and a commit ten times that.
func always[T any](*T) bool { return true }

// textField seals a secret text.
func textField[T any](name string, at func(*T) *secret.Text) field[T] {
	return field[T]{
		name: name,
		get:  func(v *T) ([]byte, error) { return []byte(at(v).Reveal()), nil },
		set:  func(v *T, b []byte) error { *at(v) = secret.New(string(b)); return nil },
	}
}

// textsField seals several secret texts.
func textsField[T any](name string, at func(*T) *[]secret.Text) field[T] {
	return field[T]{
		name: name,
		get: func(v *T) ([]byte, error) {
			var all []string
			for _, text := range *at(v) {
				all = append(all, text.Reveal())
			}
			if all == nil {
				return nil, nil
			}
			return json.Marshal(all)
		},
		set: func(v *T, b []byte) error {
			var all []string
			err := json.Unmarshal(b, &all)
			for _, text := range all {
				*at(v) = append(*at(v), secret.New(text))
			}
			return err
		},
	}
}

// jsonField seals a value that is more than a text.
func jsonField[T, V any](name string, at func(*T) *V, empty func(*T) bool) field[T] {
	return field[T]{
		name: name,
		get: func(v *T) ([]byte, error) {
			if empty(v) {
				return nil, nil
			}
			return json.Marshal(at(v))
		},
		set: func(v *T, b []byte) error { return json.Unmarshal(b, at(v)) },
	}
}

// number writes an integer so that the order of the texts is that of the numbers, negative ones
// included.
func number(n int64) string {
	var b [8]byte
	binary.BigEndian.PutUint64(b[:], uint64(n)^(1<<63)) //nolint:gosec // G115: the bits of n are meant, its sign bit turned
	return hex.EncodeToString(b[:])
}

func sessionKey(chat, user int64) string     { return number(chat) + "/" + number(user) }
func orderKey(account, id string) string     { return account + "/" + id }
func outboxKey(chat int64, id string) string { return number(chat) + "/" + id }

// byChatKey orders a chat's purchases newest first.
func byChatKey(chat int64, id string) string { return number(chat) + "/" + inverted(id) }

// inverted turns the order of ids around: each of the alphabet's characters becomes its opposite.
func inverted(id string) string {
	return strings.Map(func(r rune) rune {
		i := strings.IndexRune(alphabet, r)
		if i < 0 {
			return r
		}
		return rune(alphabet[len(alphabet)-1-i])
	}, id)
}

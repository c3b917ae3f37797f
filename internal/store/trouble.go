package store

import (
	"context"
	"errors"
	"time"
)

// TroubleName names something that the operator has to know. The names are on disk.
type TroubleName string

// What can be wrong with the bot, or with what it needs.
const (
	CopiesTrouble   TroubleName = "copies"   // the copies of the database are not made
	DiskTrouble     TroubleName = "disk"     // the disk of the database has hardly any room
	KeyTrouble      TroubleName = "key"      // the service refuses the keys of accounts
	PollerTrouble   TroubleName = "poller"   // another process uses the bot's token
	TelegramTrouble TroubleName = "telegram" // Telegram does not answer
	ServiceTrouble  TroubleName = "service"  // the service does not answer
	ParkedTrouble   TroubleName = "parked"   // updates could not be handled
	OrdersTrouble   TroubleName = "orders"   // orders are not looked at in time
	OutboxTrouble   TroubleName = "outbox"   // messages are not sent in time
)

// Trouble is one that lasts, as it was told last.
type Trouble struct {
	Name  TroubleName
	Since time.Time
	Told  time.Time
	Count int // how many things it was about then, where they are counted
	rev   uint64
}

func troubles() codec[Trouble] {
	return codec[Trouble]{
		kind: KindTrouble,
		key:  func(t *Trouble) string { return string(t.Name) },
		rev:  func(t *Trouble) *uint64 { return &t.rev },
	}
}

// Trouble reads a trouble that lasts; false where there is none.
func (s *Store) Trouble(ctx context.Context, name TroubleName) (Trouble, bool, error) {
	t, err := read(ctx, s, troubles(), string(name))
	return t, err == nil, ignoring(err, ErrNotFound)
}

// Trouble reads a trouble that lasts; false where there is none.
func (t *Tx) Trouble(name TroubleName) (Trouble, bool, error) {
	v, err := troubles().get(t, string(name))
	return v, err == nil, ignoring(err, ErrNotFound)
}

// PutTrouble keeps what was told of a trouble.
func (t *Tx) PutTrouble(v *Trouble) error { return troubles().put(t, v) }

// EndTrouble forgets a trouble, and tells what it was; false where there is none.
func (t *Tx) EndTrouble(name TroubleName) (Trouble, bool, error) {
	v, lasts, err := t.Trouble(name)
	if err != nil || !lasts {
		return Trouble{}, false, err
	}
	if err := troubles().remove(t, &v); errors.Is(err, ErrNotFound) {
		return Trouble{}, false, nil
	} else if err != nil {
		return Trouble{}, false, err
	}
	return v, true, nil
}

package store

import (
	"context"

	"resellerbot/internal/ledger"
	"resellerbot/internal/store/seal"
)

// OpenWith is Open by a program that has more migrations than this one.
func OpenWith(ctx context.Context, e Engine, keyring *seal.Keyring, more ...func(RecordTx) error) (*Store, error) {
	all := migrations()
	for _, m := range more {
		all = append(all, func(context.Context, Engine) (func(RecordTx) error, error) { return m, nil })
	}
	s := &Store{engine: e, keyring: keyring, wakes: map[Kind]chan struct{}{}}
	return s, s.migrate(ctx, all)
}

// Schema is the one that this program writes.
func Schema() int { return len(migrations()) }

// PutDue has a fact wait for the books.
func (t *Tx) PutDue(d ledger.Due) error { return t.putDue(d) }

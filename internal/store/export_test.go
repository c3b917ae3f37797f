package store

import (
	"context"
	"fmt"

	"resellerbot/internal/ledger"
	"resellerbot/internal/store/seal"
)

// OpenWith is Open by a program that has more migrations than this one.
func OpenWith(ctx context.Context, e Engine, keyring *seal.Keyring, more ...func(RecordTx) error) (*Store, error) {
	all := schemas()
	for _, m := range more {
		step := func(context.Context, Engine, *seal.Keyring) (func(RecordTx) error, error) { return m, nil }
		all = append(all, schema{shape: fmt.Sprintf("later %d", len(all)), migrate: step})
	}
	s := &Store{engine: e, keyring: keyring, wakes: map[Kind]chan struct{}{}}
	return s, s.migrate(ctx, all)
}

// Schema is the one that this program writes.
func Schema() int { return CurrentSchema() }

// Shape is what that schema says of the types that are stored.
func Shape() string { return schemas()[Schema()-1].shape }

// ClaimForm is that of the keys of claims.
const ClaimForm = claimForm

// PutDue has a fact wait for the books.
func (t *Tx) PutDue(d ledger.Due) error { return t.putDue(d) }

// FactOf is what the books have to know of an order.
func FactOf(p Purchase, o Order) ledger.Fact { return factOf(p, o) }

// CloneOf is an account's clone.
func CloneOf(a Account) Account { return a.clone() }

// ShapeOf is what a schema says of the types that were stored then.
func ShapeOf(n int) string { return schemas()[n-1].shape }

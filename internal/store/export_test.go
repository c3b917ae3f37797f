package store

import (
	"context"
	"fmt"

	"resellerbot/internal/store/seal"
)

// OpenWith is Open by a program that has more migrations than this one.
func OpenWith(ctx context.Context, e Engine, keyring *seal.Keyring, more ...func(RecordTx) error) (*Store, error) {
	all := schemas()
	for _, m := range more {
		step := func(context.Context, Engine) (func(RecordTx) error, error) { return m, nil }
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

// SealedFields names the fields of records that are sealed, by their kind.
func SealedFields() map[Kind][]string {
	all := map[Kind][]string{}
	sealedIn(all, accounts())
	sealedIn(all, players())
	sealedIn(all, sessions())
	sealedIn(all, purchases())
	sealedIn(all, orders())
	sealedIn(all, inbox())
	return all
}

func sealedIn[T any](all map[Kind][]string, f codec[T]) {
	for _, s := range f.secrets {
		all[f.kind] = append(all[f.kind], s.name)
	}
}

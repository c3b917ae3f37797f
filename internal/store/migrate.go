package store

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"resellerbot/internal/store/seal"
)

var (
	// ErrWrongKey: the keyring does not open what is stored. The data is not broken; the key is missing.
	ErrWrongKey = errors.New("ENCRYPTION_KEYS does not hold the key that this database was written with")
	// ErrNewer: a newer version of this program has written the database.
	ErrNewer = errors.New("the database was written by a newer version of this program")
)

const (
	metaKey  = "store"
	keyCheck = "the key is right"
)

// meta is what the store knows of itself.
type meta struct {
	Schema   int    `json:"Schema"`   // how many of schemas it has gone through
	Shape    string `json:"Shape"`    // of the last of them
	ID       string `json:"ID"`       // names this database for ever
	KeyCheck []byte `json:"KeyCheck"` // keyCheck, sealed
	MarkKey  []byte `json:"MarkKey"`  // what codes are marked with where they are claimed, sealed
	Claims   int    `json:"Claims"`   // claimForm, where every order has its claim
}

// migration takes the records from one schema to the next. It reads first, since a transaction does not scan, and returns
// what is to be written: all that has to be, in one transaction, with those before it. What they write it does not see yet.
//
// The keyring opens what is sealed in them: that is bound to the key of its record.
type migration func(ctx context.Context, e Engine, keyring *seal.Keyring) (func(RecordTx) error, error)

// schema is one form that the records have had.
type schema struct {
	// shape is the fingerprint of the types that are stored, and of what their fields may say. An older program would
	// write records without what it does not know, so every change of them is a schema of its own.
	shape   string
	migrate migration // from the one before; nil where its records are read as they are
}

// schemas are all there ever were, in order: the number of each is its place, from 1. A file of each is in testdata, as
// the program of that time wrote it. What was once here stays as it is.
func schemas() []schema {
	return []schema{
		{}, // the first, of a new database
		{migrate: countMovements},
		{shape: "14dbe8038a71385b", migrate: migrateUncounted}, // from here on shapes are told apart
		{shape: "e5a1ce80622fa324"},                            // what a shop keeps at hand, and whom a customer plays as
		{shape: "06b7532e0b83c85c"},                            // what the operator was told
		{shape: "543d521c1ee7fb75"},                            // how often a unit was sold, how a shop shows itself, counts that wait
		{shape: "9d9db66e771b16a5"},                            // which units each part of a file has brought
		{shape: "24b69de9ee6aee9c"},                            // when a reading first showed a movement
		{shape: "0f689f8217b529fe"},                            // what is told of a shop's books
		{shape: "3a3ddeaea55e3d24"},                            // lists of purchases
		{shape: "34f2a9951ebc0840"},                            // what a rule of prices is for, price lists, a shop's logo
		{shape: "29bc52b5c77135e3"},                            // who gave the codes of a purchase to its customer
		{shape: "1cc9c22a2d0dd6c4"},                            // what orders name as their price where no balance shows it
		{shape: "25d579b16170eba8"},                            // what became of a count of a till is told to whoever made it
		{shape: "72d8c5db40a788b6"},                            // the board of a shop's day
		{shape: "c489862c6b739a7e"},                            // each price that orders have named while the balance is asked which was charged
		{shape: "89b7b267287b4d46", migrate: keyByAccount},     // what a chat is told, and whom it has topped up, by account
		{shape: "7b39ad31547a6769"},                            // a note of what is left of a list
		{shape: "341f99909014d1b2"},                            // the accounts of a person beside the active one, and which account a question is about
		{shape: "da60b75d103e2109"},                            // how a chat hears of each subject, and a group's topics for them
		{shape: "ec8ef18e66e99b1f"},                            // what a drawer was at the moment of a count that waits
		{shape: "f796fe74ec98d8b6"},                            // looks for what an answer left out; a note that an owner has counted in the place of a seller
		{shape: "551ba9bc765f1308"},                            // which price people were told of when orders were picked
		{shape: "82221386e7569631"},                            // what the service asked for what a shop sells
		{shape: "0c3599ddf1247b49"},                            // topics that nothing goes to since an owner wanted none
		{shape: "c7db4382746fa22c"},                            // what customers whose name is known have bought, by day
		{shape: "e74579c1bcf656a9", migrate: listNamedSales},   // for which customer a purchase is, and what they have paid at once
		{shape: "341e06617d18a044"},                            // that messages are late; claims without their own keys, and one for each code
		{shape: "72ca930f8094fa0f"},                            // that topics could not be made
		{shape: "50b5f233cef5ed75"},                            // that money was given back to a customer
		{shape: "e7f7441bf39b9de0"},                            // that somebody else has undone a sale of a till, or taken cash out of it; that more was taken than it held
		{shape: "0d502bf069941102"},                            // what has made up for money that was gone, and may be a refund
		{shape: "a6dcd6dd6fdb13d8"},                            // since when what stands without an explanation is as much as it is
		{shape: "df15bb6c94951e16"},                            // that another price was charged for all units, those as well of which no order is known
		{shape: "f6fb15d89a32645b"},                            // that an owner who knew of a purchase has to decide about it by now
		{shape: "ecf452472c6ccc17"},                            // what purchases of before have taken beside an uncertain one, once the wallet has forgotten it
	}
}

// fits reports whether this program knows a file's schema. Two programs that were made side by side may have counted
// different ones by the same number.
func (m meta) fits(all []schema) bool {
	return m.Schema <= len(all) && (m.Schema == 0 || m.Shape == all[m.Schema-1].shape)
}

// migrate brings the records to the newest schema, all in one transaction, and checks the key. A database that
// is up to date is not written to.
func (s *Store) migrate(ctx context.Context, all []schema) error {
	m, version, err := s.meta(ctx)
	if err != nil {
		return err
	}
	switch {
	case !m.fits(all):
		return ErrNewer
	case m.Schema == len(all):
		return nil
	}
	var steps []func(RecordTx) error
	// All steps read before the first writes: what one writes, the next does not see (see migration).
	for i, next := range all[m.Schema:] {
		if next.migrate == nil {
			continue
		}
		step, err := next.migrate(ctx, s.engine, s.keyring)
		if err != nil {
			return fmt.Errorf("migrate to schema %d: %w", m.Schema+i+1, err)
		}
		steps = append(steps, func(tx RecordTx) error {
			if err := step(tx); err != nil {
				return fmt.Errorf("migrate to schema %d: %w", m.Schema+i+1, err)
			}
			return nil
		})
	}
	return s.engine.Update(ctx, func(tx RecordTx) error {
		for _, step := range steps {
			if err := step(tx); err != nil {
				return err
			}
		}
		next := m
		next.Schema, next.Shape = len(all), all[len(all)-1].shape
		text, err := json.Marshal(next)
		if err != nil {
			return err
		}
		_, err = tx.Put(Record{Kind: KindMeta, Key: metaKey, Value: text, Version: version})
		return err
	})
}

// meta reads what the store knows of itself and proves the key by it. A new database gets its identity.
func (s *Store) meta(ctx context.Context) (m meta, version uint64, err error) {
	r, err := s.engine.Get(ctx, KindMeta, metaKey)
	if errors.Is(err, ErrNotFound) {
		// Version 0 comes with it: the first put of the record fails where another process was faster.
		id := make([]byte, 16)
		rand.Read(id)
		m.ID = hex.EncodeToString(id)
		m.KeyCheck, err = s.proof()
		return m, 0, err
	}
	if err != nil {
		return m, 0, err
	}
	if err := json.Unmarshal(r.Value, &m); err != nil {
		return m, 0, fmt.Errorf("decode the meta record: %w", err)
	}
	plain, err := s.keyring.Open(m.KeyCheck, string(KindMeta), metaKey, "key_check")
	if err != nil || string(plain) != keyCheck {
		return m, 0, ErrWrongKey
	}
	return m, r.Version, nil
}

// proof is a text known to all, sealed: what does not open it is not the right keyring.
func (s *Store) proof() ([]byte, error) {
	return s.keyring.Seal([]byte(keyCheck), string(KindMeta), metaKey, "key_check")
}

// countMovements makes every account know the number of its last movement. An account that was unlinked used to be
// forgotten while its movements stayed: linked again, it counted from one, and each of its next movements met one
// that was there. Where it was not linked again, what is left of it is its number.
func countMovements(ctx context.Context, e Engine, _ *seal.Keyring) (func(RecordTx) error, error) {
	last := map[string]uint64{}
	// One record of each account is enough: the scan goes on behind its last movement.
	for after := ""; ; {
		page, err := e.Scan(ctx, KindMovement, "", after, 1)
		if err != nil {
			return nil, err
		}
		if len(page) == 0 {
			break
		}
		account, number, ok := strings.Cut(page[0].Key, "/")
		n, err := strconv.ParseUint(number, 16, 64)
		if !ok || err != nil {
			return nil, fmt.Errorf("%s %q is no key of a movement", KindMovement, page[0].Key)
		}
		last[account] = ^n              // the newest comes first
		after = account + "/\U0010ffff" // behind the rest of them
	}
	return func(tx RecordTx) error {
		for account, n := range last {
			if err := countTo(tx, account, n); err != nil {
				return fmt.Errorf("count the movements of %s: %w", account, err)
			}
		}
		return nil
	}, nil
}

// countTo makes an account know that it has had so many movements at least.
func countTo(tx RecordTx, account string, movements uint64) error {
	r, err := tx.Get(KindAccount, account)
	if errors.Is(err, ErrNotFound) {
		text, err := json.Marshal(map[string]any{"o": map[string]any{"ID": account, "Retired": true, "Movements": movements}})
		if err != nil {
			return err
		}
		_, err = tx.Put(Record{Kind: KindAccount, Key: account, Value: append([]byte{valueFormat}, text...)})
		return err
	}
	if err != nil {
		return err
	}
	changed, err := editOpen(&r, func(open map[string]json.RawMessage) (bool, error) {
		var known uint64
		if err := readField(open, "Movements", &known); err != nil || known >= movements {
			return false, err
		}
		open["Movements"] = json.RawMessage(strconv.FormatUint(movements, 10))
		return true, nil
	})
	if err != nil || !changed {
		return err
	}
	_, err = tx.Put(r)
	return err
}

// CurrentSchema is the number of the schema that this program writes.
func CurrentSchema() int { return len(schemas()) }

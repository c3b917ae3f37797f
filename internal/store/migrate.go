package store

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
)

var (
	// ErrWrongKey: the ring does not open what is stored. The data is not broken; the key is missing.
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
	Schema   int    `json:"Schema"`   // how many migrations have run
	ID       string `json:"ID"`       // names this database for ever
	KeyCheck []byte `json:"KeyCheck"` // keyCheck, sealed
	MarkKey  []byte `json:"MarkKey"`  // what codes are marked with where they are claimed, sealed
	Claimed  bool   `json:"Claimed"`  // every order has its claim
}

// migration takes the records from one schema to the next, within one unit.
type migration func(RecordTx) error

// migrations are all there ever were, in order. Each one gets a test with records as the version before
// wrote them. The first makes a new database.
func migrations() []migration {
	return []migration{
		func(RecordTx) error { return nil },
	}
}

// migrate brings the records to the newest schema, all in one unit, and checks the key. A database that
// is up to date is not written to.
func (s *Store) migrate(ctx context.Context, all []migration) error {
	m, version, err := s.meta(ctx)
	if err != nil {
		return err
	}
	switch {
	case m.Schema > len(all):
		return ErrNewer
	case m.Schema == len(all):
		return nil
	}
	return s.engine.Update(ctx, func(tx RecordTx) error {
		for i, step := range all[m.Schema:] {
			if err := step(tx); err != nil {
				return fmt.Errorf("migrate to schema %d: %w", m.Schema+i+1, err)
			}
		}
		next := m
		next.Schema = len(all)
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
	plain, err := s.ring.Open(m.KeyCheck, string(KindMeta), metaKey, "key_check")
	if err != nil || string(plain) != keyCheck {
		return m, 0, ErrWrongKey
	}
	return m, r.Version, nil
}

// proof is a text known to all, sealed: what does not open it is not the right ring.
func (s *Store) proof() ([]byte, error) {
	return s.ring.Seal([]byte(keyCheck), string(KindMeta), metaKey, "key_check")
}

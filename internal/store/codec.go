package store

import (
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"resellerbot/internal/store/seal"
)

// codec is how one type of record is kept: where, under which key, due when, and which of its fields
// are sealed.
type codec[T any] struct {
	kind    Kind
	key     func(*T) string
	rev     func(*T) *uint64
	due     func(*T) time.Time // nil: never queued
	packed  func(*T) bool      // whether its value is packed; nil: it never is
	named   func(*T, string)   // sets what the key alone tells; nil: the value tells all
	secrets []field[T]
}

// field is one sealed field of a record. Its name is on disk, and the sealed value is bound to it.
type field[T any] struct {
	name string
	get  func(*T) ([]byte, error) // nil bytes: nothing to seal
	set  func(*T, []byte) error
}

// row is a record as it is encoded: the open fields, and the sealed ones by name.
type row[T any] struct {
	Open   *T                `json:"o"`
	Sealed map[string][]byte `json:"s,omitempty"`
}

// encode makes a record of v.
func (f codec[T]) encode(keyring *seal.Keyring, v *T) (Record, error) {
	r := Record{Kind: f.kind, Key: f.key(v), Version: *f.rev(v)}
	if f.due != nil {
		r.Due = f.due(v)
	}
	// Fields that are sealed carry json:"-", so they are in no open part; what is empty is not sealed, and comes back empty.
	w := row[T]{Open: v}
	for _, s := range f.secrets {
		plain, err := s.get(v)
		if err != nil {
			return r, fmt.Errorf("encode %s %q: %w", f.kind, r.Key, err)
		}
		if len(plain) == 0 {
			continue
		}
		if w.Sealed == nil {
			w.Sealed = make(map[string][]byte, len(f.secrets))
		}
		// The place is part of what is sealed: under another kind, key or name it does not open.
		if w.Sealed[s.name], err = keyring.Seal(plain, string(f.kind), r.Key, s.name); err != nil {
			return r, fmt.Errorf("seal %s of %s %q: %w", s.name, f.kind, r.Key, err)
		}
	}
	text, err := json.Marshal(w)
	if err == nil {
		r.Value, err = valueOf(text, f.packed != nil && f.packed(v))
	}
	if err != nil {
		return r, fmt.Errorf("encode %s %q: %w", f.kind, r.Key, err)
	}
	return r, nil
}

// decode makes a T of a record.
func (f codec[T]) decode(keyring *seal.Keyring, r Record) (T, error) {
	var v T
	err := f.decodeInto(keyring, r, &v)
	return v, err
}

// decodeInto fills a zero T from a record.
func (f codec[T]) decodeInto(keyring *seal.Keyring, r Record, v *T) error {
	text, err := JSONOf(r.Value)
	if err != nil {
		return fmt.Errorf("decode %s %q: %w", f.kind, r.Key, err)
	}
	w := row[T]{Open: v}
	if err := json.Unmarshal(text, &w); err != nil || w.Open == nil {
		return fmt.Errorf("decode %s %q: not a record", f.kind, r.Key)
	}
	for _, s := range f.secrets {
		// An empty field was not sealed, and a field that is newer than the record is not there.
		sealed, ok := w.Sealed[s.name]
		if !ok {
			continue
		}
		plain, err := keyring.Open(sealed, string(f.kind), r.Key, s.name)
		if err == nil {
			err = s.set(v, plain)
		}
		if err != nil {
			return fmt.Errorf("open %s of %s %q: %w", s.name, f.kind, r.Key, err)
		}
	}
	// rev is what put hands back to the engine: a record that somebody has changed since meets ErrConflict there. A record that is made
	// anew has rev 0, which means that it must not exist yet.
	*f.rev(v) = r.Version
	if f.named != nil {
		f.named(v, r.Key)
	}
	return nil
}

// decodeAll decodes a list of records.
func (f codec[T]) decodeAll(keyring *seal.Keyring, list []Record) ([]T, error) {
	out := make([]T, len(list))
	for i, r := range list {
		if err := f.decodeInto(keyring, r, &out[i]); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// get reads one record within a transaction.
func (f codec[T]) get(tx *Tx, key string) (T, error) {
	r, err := tx.records.Get(f.kind, key)
	if err != nil {
		var none T
		return none, f.failed("read", key, err)
	}
	return f.decode(tx.keyring, r)
}

// put writes a record within a transaction and notes its new version in v.
func (f codec[T]) put(tx *Tx, v *T) error {
	r, err := f.encode(tx.keyring, v)
	if err != nil {
		return err
	}
	version, err := tx.records.Put(r)
	if err != nil {
		return f.failed("write", r.Key, err)
	}
	*f.rev(v) = version
	// The wake-up goes out behind the commit (transact): a worker that looked now would find nothing.
	if !r.Due.IsZero() {
		tx.wake[f.kind] = true
	}
	return nil
}

// remove deletes a record within a transaction.
func (f codec[T]) remove(tx *Tx, v *T) error {
	key := f.key(v)
	return f.failed("delete", key, tx.records.Delete(Record{Kind: f.kind, Key: key, Version: *f.rev(v)}))
}

// failed says what was being done; nil stays nil.
func (f codec[T]) failed(doing, key string, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%s %s %q: %w", doing, f.kind, key, err)
}

// ignoring drops one kind of error.
func ignoring(err, known error) error {
	if errors.Is(err, known) {
		return nil
	}
	return err
}

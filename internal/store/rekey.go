package store

import (
	"context"
	"encoding/json"
	"fmt"
)

// rekeyPage is how many records are sealed anew in one transaction.
const rekeyPage = 256

// Rekeyed is what Rekey has found and done, in sealed values.
type Rekeyed struct {
	Anew    int // sealed anew
	Current int // sealed under the right key before
}

// sealedKinds are the kinds that hold sealed values.
// Whoever seals a field of another kind has to add it here: a value that is left out opens no more once the old key is taken
// away.
func sealedKinds() []Kind {
	return []Kind{KindAccount, KindPlayers, KindSession, KindPurchase, KindOrder, KindInbox, KindCustomer, KindBookDesk, KindList}
}

// Rekey seals everything anew that is not sealed under the first key of the keyring, so that the others are
// needed no more. Stopped at any moment, it goes on from there when it is called again: until it has come to
// its end all keys stay needed, and the store's own proof of the key, which is the last to be sealed anew,
// sees to it that nobody starts without them. Nobody else may use the store meanwhile.
func (s *Store) Rekey(ctx context.Context) (done Rekeyed, err error) {
	for _, k := range sealedKinds() {
		if err := s.rekeyKind(ctx, k, &done); err != nil {
			return done, fmt.Errorf("seal the records anew: %w", err)
		}
	}
	// Last: as long as it is under the old key, nobody starts with the new one alone while a record still needs the old.
	if err := s.rekeyProof(ctx, &done); err != nil {
		return done, fmt.Errorf("seal the proof of the key anew: %w", err)
	}
	return done, nil
}

// rekeyKind seals the values of a kind anew, page after page.
func (s *Store) rekeyKind(ctx context.Context, k Kind, done *Rekeyed) error {
	for after := ""; ; {
		page, err := s.engine.Scan(ctx, k, "", after, rekeyPage)
		if err != nil || len(page) == 0 {
			return err
		}
		after = page[len(page)-1].Key
		var anew []Record
		sealed := *done // what counts once the page is on disk
		for _, r := range page {
			changed, err := s.reseal(&r, &sealed)
			if err != nil {
				return err
			}
			if changed {
				anew = append(anew, r)
			}
		}
		if err := s.putAll(ctx, anew); err != nil {
			return err
		}
		*done = sealed
	}
}

// putAll writes records as one transaction, if there are any.
func (s *Store) putAll(ctx context.Context, all []Record) error {
	if len(all) == 0 {
		return nil
	}
	return s.engine.Update(ctx, func(tx RecordTx) error {
		for _, r := range all {
			// With the version that it was read at: a program that has written meanwhile, against the rule, is not undone but named.
			if _, err := tx.Put(r); err != nil {
				return fmt.Errorf("write %s %q: %w", r.Kind, r.Key, err)
			}
		}
		return nil
	})
}

// reseal seals those values of a record anew that need it. Its open fields, its place in a queue and a claim
// on it stay.
func (s *Store) reseal(r *Record, done *Rekeyed) (changed bool, err error) {
	text, err := JSONOf(r.Value)
	if err != nil {
		return false, fmt.Errorf("decode %s %q: %w", r.Kind, r.Key, err)
	}
	var w row[json.RawMessage]
	if err := json.Unmarshal(text, &w); err != nil || w.Open == nil {
		return false, fmt.Errorf("decode %s %q: not a record", r.Kind, r.Key)
	}
	for field, sealed := range w.Sealed {
		if s.keyring.Current(sealed) {
			done.Current++
			continue
		}
		plain, err := s.keyring.Open(sealed, string(r.Kind), r.Key, field)
		if err == nil {
			w.Sealed[field], err = s.keyring.Seal(plain, string(r.Kind), r.Key, field)
		}
		if err != nil {
			return false, fmt.Errorf("seal %s of %s %q anew: %w", field, r.Kind, r.Key, err)
		}
		done.Anew++
		changed = true
	}
	if !changed {
		return false, nil
	}
	// In the form that it was in: packing is for the codec, which knows when a record rests.
	packed := r.Value[0] == packedFormat
	text, err = json.Marshal(w)
	if err == nil {
		r.Value, err = valueOf(text, packed)
	}
	if err != nil {
		return false, fmt.Errorf("encode %s %q: %w", r.Kind, r.Key, err)
	}
	return true, nil
}

// rekeyProof seals anew what proves that a keyring is the right one.
func (s *Store) rekeyProof(ctx context.Context, done *Rekeyed) error {
	m, version, err := s.meta(ctx)
	if err != nil {
		return err
	}
	// MarkKey is sealed in the meta record, which reseal does not read: it is of another form (no format byte).
	if s.keyring.Current(m.KeyCheck) && s.keyring.Current(m.MarkKey) {
		done.Current += 2
		return nil
	}
	if m.KeyCheck, err = s.proof(); err != nil {
		return err
	}
	if m.MarkKey, err = s.keyring.Seal(s.mark, string(KindMeta), metaKey, "mark_key"); err != nil {
		return err
	}
	text, err := json.Marshal(m)
	if err != nil {
		return err
	}
	if err := s.putAll(ctx, []Record{{Kind: KindMeta, Key: metaKey, Value: text, Version: version}}); err != nil {
		return err
	}
	done.Anew += 2
	return nil
}

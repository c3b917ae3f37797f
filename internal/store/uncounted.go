package store

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"time"

	"resellerbot/internal/api/dzd"
	"resellerbot/internal/store/seal"
)

// migrateUncounted takes up what programs have written in other shapes before shapes were counted: which account a chat had
// been of last was a text and is a list, and a wallet was the last reading alone. Without the wallet an uncertain
// purchase could not be found by its money, and would go to a person.
func migrateUncounted(ctx context.Context, e Engine, _ *seal.Keyring) (func(RecordTx) error, error) {
	changed := map[string]Record{} // by kind and key
	for _, k := range []Kind{KindChat, KindAccount} {
		err := eachRecord(ctx, e, k, func(r Record) error {
			now, err := migrateRecord(ctx, e, r)
			if err != nil {
				return fmt.Errorf("take up %s %q: %w", r.Kind, r.Key, err)
			}
			maps.Copy(changed, now)
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	return func(tx RecordTx) error {
		for _, r := range changed {
			if err := putOver(tx, r); err != nil {
				return err
			}
		}
		return nil
	}, nil
}

// eachRecord does something with every record of a kind.
func eachRecord(ctx context.Context, e Engine, k Kind, do func(Record) error) error {
	for after := ""; ; {
		page, err := e.Scan(ctx, k, "", after, 256)
		if err != nil || len(page) == 0 {
			return err
		}
		after = page[len(page)-1].Key
		for _, r := range page {
			if err := do(r); err != nil {
				return err
			}
		}
	}
}

// putOver writes a value over that of a record, which a step before may have written: then this one was made of the same
// and changes other fields.
func putOver(tx RecordTx, r Record) error {
	there, err := tx.Get(r.Kind, r.Key)
	if err != nil {
		return err
	}
	if there.Version == r.Version {
		_, err := tx.Put(r)
		return err
	}
	var mine map[string]json.RawMessage
	if _, err := editOpen(&r, func(open map[string]json.RawMessage) (bool, error) { mine = open; return false, nil }); err != nil {
		return err
	}
	_, err = editOpen(&there, func(open map[string]json.RawMessage) (bool, error) {
		open["Wallet"] = mine["Wallet"]
		return true, nil
	})
	if err != nil {
		return err
	}
	_, err = tx.Put(there)
	return err
}

// migrateRecord is what becomes of a chat or an account: the records that change.
func migrateRecord(ctx context.Context, e Engine, r Record) (map[string]Record, error) {
	all := map[string]Record{}
	keep := func(r Record) { all[string(r.Kind)+"/"+r.Key] = r }
	if r.Kind == KindChat {
		changed, err := editOpen(&r, listWas)
		if changed {
			keep(r)
		}
		return all, err
	}
	busy, err := uncertainOf(ctx, e, r)
	if err != nil || busy == nil {
		return nil, err
	}
	changed, err := editOpen(&r, busy.beginWallet)
	if err != nil || !changed {
		return nil, err
	}
	if _, err := editOpen(&busy.record, busy.settle); err != nil {
		return nil, err
	}
	keep(r)
	keep(busy.record)
	return all, nil
}

// listWas makes a list of the account that a chat was of.
func listWas(chat map[string]json.RawMessage) (changed bool, err error) {
	var was string
	if len(chat["Was"]) == 0 || chat["Was"][0] != '"' {
		return false, nil
	}
	if err := readField(chat, "Was", &was); err != nil {
		return false, err
	}
	list := []string{}
	if was != "" {
		list = append(list, was)
	}
	chat["Was"], err = json.Marshal(list)
	return true, err
}

// uncertainWas is an uncertain purchase as it was written before shapes were counted.
type uncertainWas struct {
	record Record
	total  dzd.Amount
	sent   time.Time
	before map[string]json.RawMessage
	was    Snapshot
}

// uncertainOf is the uncertain purchase that an account waits for; nil where there is none of that shape.
func uncertainOf(ctx context.Context, e Engine, account Record) (*uncertainWas, error) {
	var id string
	_, err := editOpen(&account, func(open map[string]json.RawMessage) (bool, error) { return false, readField(open, "Busy", &id) })
	if err != nil || id == "" {
		return nil, err
	}
	p := &uncertainWas{}
	if p.record, err = e.Get(ctx, KindPurchase, id); err != nil {
		return nil, ignoring(err, ErrNotFound)
	}
	_, err = editOpen(&p.record, func(open map[string]json.RawMessage) (bool, error) {
		return false, errors.Join(readField(open, "Total", &p.total), readField(open, "SentAt", &p.sent), readField(open, "Before", &p.was), readField(open, "Before", &p.before))
	})
	// The field came with the counting of shapes: where it is, the record is none of these.
	if _, counted := p.before["Settled"]; err != nil || counted || !p.was.Known {
		return nil, err
	}
	return p, nil
}

// beginWallet begins the explaining of an account's wallet at the reading that was taken before its uncertain purchase,
// where that is the last one and nobody else has moved the money that is known of.
func (p *uncertainWas) beginWallet(account map[string]json.RawMessage) (changed bool, err error) {
	var old struct {
		Balance dzd.Amount
		At      time.Time
		Known   bool
		Read    *bool
	}
	var outside time.Time
	if err := errors.Join(readField(account, "Wallet", &old), readField(account, "OutsideAt", &outside)); err != nil {
		return false, err
	}
	if old.Read != nil || !old.Known || !old.At.Equal(p.was.At) || !old.Balance.Equal(p.was.Balance) || !outside.IsZero() {
		return false, nil
	}
	account["Wallet"], err = json.Marshal(Wallet{
		Available: p.was.Available, At: p.was.At, Read: true, Began: p.was.At,
		Expected: []Expected{{At: p.sent, Amount: dzd.Amount{}.Sub(p.total), Purchase: p.record.Key, Doubtful: true}},
	})
	return true, err
}

// settle notes that the reading before the purchase is where the explaining begins, and when its attempt ended, which was
// not written down: no later than it was called uncertain.
func (p *uncertainWas) settle(open map[string]json.RawMessage) (changed bool, err error) {
	p.before["Settled"] = json.RawMessage("true")
	if open["Before"], err = json.Marshal(p.before); err != nil {
		return false, err
	}
	var answered time.Time
	var history []Step
	if err := errors.Join(readField(open, "AnsweredAt", &answered), readField(open, "History", &history)); err != nil {
		return false, err
	}
	if n := len(history); answered.IsZero() && n > 0 && history[n-1].To == Unknown {
		open["AnsweredAt"], err = json.Marshal(history[n-1].At)
	}
	return true, err
}

// editOpen changes the open fields of a record as they lie there, without knowing its type of today. What it does not change
// stays as it is, byte by byte.
func editOpen(r *Record, edit func(open map[string]json.RawMessage) (changed bool, err error)) (changed bool, err error) {
	if len(r.Value) == 0 || r.Value[0] != valueFormat {
		return false, errors.New("unknown format")
	}
	var w struct {
		Open   map[string]json.RawMessage `json:"o"`
		Sealed json.RawMessage            `json:"s,omitempty"`
	}
	if err := json.Unmarshal(r.Value[1:], &w); err != nil || w.Open == nil {
		return false, errors.New("not a record")
	}
	if changed, err = edit(w.Open); err != nil || !changed {
		return false, err
	}
	text, err := json.Marshal(w)
	if err != nil {
		return false, err
	}
	r.Value = append([]byte{valueFormat}, text...)
	return true, nil
}

// readField reads a field as it lies there; one that is not there changes nothing.
func readField(open map[string]json.RawMessage, name string, into any) error {
	if open[name] == nil {
		return nil
	}
	if err := json.Unmarshal(open[name], into); err != nil {
		return errors.New("not a record")
	}
	return nil
}

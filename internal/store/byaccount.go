package store

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"resellerbot/internal/store/seal"
)

// keyByAccount gives what a chat wants to be told, and whom it has topped up, to the account that the chat is of, or that its
// person has left last: they were of the chat alone, so that a person of two accounts would have had one for both. Of no
// account, they go: nothing could be told, and nobody is topped up.
func keyByAccount(ctx context.Context, e Engine, keyring *seal.Keyring) (func(RecordTx) error, error) {
	var old, now []Record
	for _, k := range []Kind{KindAlerts, KindPlayers} {
		err := eachRecord(ctx, e, k, func(r Record) error {
			next, is, err := ofItsAccount(ctx, e, keyring, r)
			if err != nil {
				return fmt.Errorf("give %s %q to an account: %w", k, r.Key, err)
			}
			if old = append(old, r); is {
				now = append(now, next)
			}
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	return func(tx RecordTx) error {
		for _, r := range old {
			if err := tx.Delete(r); err != nil {
				return err
			}
		}
		for _, r := range now {
			if _, err := tx.Put(r); err != nil {
				return err
			}
		}
		return nil
	}, nil
}

// ofItsAccount is a record of a chat as one of the chat and its account; false where that is of none.
func ofItsAccount(ctx context.Context, e Engine, keyring *seal.Keyring, r Record) (next Record, is bool, err error) {
	account, err := lastAccount(ctx, e, r.Key)
	if err != nil || account == "" {
		return next, false, err
	}
	if len(r.Value) == 0 || r.Value[0] != valueFormat {
		return next, false, errors.New("unknown format")
	}
	var w row[map[string]json.RawMessage]
	if err := json.Unmarshal(r.Value[1:], &w); err != nil || w.Open == nil {
		return next, false, errors.New("not a record")
	}
	next = Record{Kind: r.Kind, Key: r.Key + "/" + account}
	if (*w.Open)["Account"], err = json.Marshal(account); err != nil {
		return next, false, err
	}
	// What is sealed opens under its own key alone.
	for field, sealed := range w.Sealed {
		plain, err := keyring.Open(sealed, string(r.Kind), r.Key, field)
		if err == nil {
			w.Sealed[field], err = keyring.Seal(plain, string(r.Kind), next.Key, field)
		}
		if err != nil {
			return next, false, fmt.Errorf("seal %s anew: %w", field, err)
		}
	}
	text, err := json.Marshal(w)
	next.Value = append([]byte{valueFormat}, text...)
	return next, err == nil, err
}

// lastAccount is the account that a chat is of, or that its person has left last; empty where there is none.
func lastAccount(ctx context.Context, e Engine, chat string) (account string, err error) {
	r, err := e.Get(ctx, KindChat, chat)
	if err != nil {
		return "", ignoring(err, ErrNotFound)
	}
	_, err = editOpen(&r, func(open map[string]json.RawMessage) (bool, error) {
		if err := readField(open, "Account", &account); err != nil || account != "" {
			return false, err
		}
		var was []string
		if text := strings.TrimSpace(string(open["Was"])); strings.HasPrefix(text, `"`) { // as it was before shapes were counted
			was = []string{""}
			if err := json.Unmarshal(open["Was"], &was[0]); err != nil {
				return false, err
			}
		} else if err := readField(open, "Was", &was); err != nil {
			return false, err
		}
		if len(was) > 0 {
			account = was[0]
		}
		return false, nil
	})
	return account, err
}

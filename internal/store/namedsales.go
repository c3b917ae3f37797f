package store

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"

	"resellerbot/internal/ledger"
	"resellerbot/internal/store/seal"
)

// listNamedSales lists the sales whose customers have paid at once under these: an entry that names a customer led to them by the
// lines of their account alone, and such a sale has none there.
func listNamedSales(ctx context.Context, e Engine, keyring *seal.Keyring) (func(RecordTx) error, error) {
	var found []ledger.LineOf
	err := eachRecord(ctx, e, KindBookEntry, func(r Record) error {
		text, err := JSONOf(r.Value)
		var w row[ledger.Entry]
		if err == nil {
			err = json.Unmarshal(text, &w)
		}
		if err != nil || w.Open == nil {
			return fmt.Errorf("list %s %q by its customer: %w", r.Kind, r.Key, cmp.Or(err, errFormat))
		}
		found = append(found, ledger.NamedLines([]ledger.Entry{*w.Open})...)
		return nil
	})
	if err != nil {
		return nil, err
	}
	return func(tx RecordTx) error {
		for _, line := range found {
			r, err := bookLines().encode(keyring, &line)
			if err == nil {
				_, err = tx.Put(r)
			}
			if err != nil {
				return fmt.Errorf("list entry %d by its customer: %w", line.Number, err)
			}
		}
		return nil
	}, nil
}

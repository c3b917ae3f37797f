package store

import (
	"context"
	"strings"
)

// shortestCalled is how much of an id at least finds a purchase: what people are shown of it.
const shortestCalled = 5

// PurchasesCalled lists up to limit purchases whose ids end as people call them: with or without a #, in letters of any
// case. It reads the keys of all there are.
func (s *Store) PurchasesCalled(ctx context.Context, name string, limit int) (found []Purchase, err error) {
	const page = 500
	// Ids are in capitals (alphabet), and people type as they like.
	end := strings.ToUpper(strings.TrimPrefix(strings.TrimSpace(name), "#"))
	// Fewer characters would be of many purchases, and an answer about the wrong one.
	if len(end) < shortestCalled {
		return nil, nil
	}
	for from := ""; ; {
		rows, err := s.engine.Scan(ctx, KindPurchase, "", from, page)
		if err != nil {
			return nil, purchases().failed("list", "", err)
		}
		for _, r := range rows {
			from = r.Key
			if !strings.HasSuffix(r.Key, end) {
				continue
			}
			p, err := purchases().decode(s.keyring, r)
			if err != nil {
				return nil, err
			}
			if found = append(found, p); len(found) == limit {
				return found, nil
			}
		}
		if len(rows) < page {
			return found, nil
		}
	}
}

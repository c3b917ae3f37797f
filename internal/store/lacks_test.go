package store_test

import (
	"testing"

	"resellerbot/internal/api/dzd"
	"resellerbot/internal/store"
)

// TestLacksPrice: the balance lacks just the price of a purchase by itself, or with what other purchases have done beside it.
func TestLacksPrice(t *testing.T) {
	for name, c := range map[string]struct {
		after, others int64 // of 1000, for a price of 100
		unread        bool
		want          bool
	}{
		"nothing has moved":           {after: 1000},
		"its price":                   {after: 900, want: true},
		"its price and another":       {after: 850, others: -50, want: true},
		"another one's":               {after: 950, others: -50},
		"another one's is not in it":  {after: 900, others: -50, want: true},
		"a refund hides it":           {after: 950, others: 50, want: true},
		"something else":              {after: 930, others: -50},
		"its price, and it is unread": {after: 900, unread: true},
	} {
		t.Run(name, func(t *testing.T) {
			p := store.Purchase{Total: dzd.Int(100), Before: store.Snapshot{Available: dzd.Int(1000), Known: true}}
			p.Evidence = &store.Evidence{Balance: dzd.Int(c.after), Others: dzd.Int(c.others), Known: !c.unread}
			if got := p.LacksPrice(); got != c.want {
				t.Errorf("it lacks the price: %v", got)
			}
		})
	}
}

package store_test

import (
	"errors"
	"testing"

	"resellerbot/internal/store"
)

// TestClaimIsOfEveryName: an order is its purchase's under each of its names, in any spelling, and nobody else's.
func TestClaimIsOfEveryName(t *testing.T) {
	h := newHarness(t)
	h.do(func(tx *store.Tx) error {
		for _, o := range []store.Order{
			{Account: "u1", Purchase: "p1", ID: "arena:5", Origin: "arena", Other: "T-1"},
			{Account: "u1", Purchase: "p1", ID: "ORD-a1"},
		} {
			if err := tx.ClaimOrder(o); err != nil {
				t.Errorf("claim %s: %v", o.ID, err)
			}
		}
		for _, name := range []string{"arena:5", "arena:005", "arena: 5", "arena:T-1", "arena:t-1", "ord-A1", "ORD-a1 "} {
			if c, err := tx.OrderClaim(name); err != nil || c.Purchase != "p1" {
				t.Errorf("%q belongs to %q, %v", name, c.Purchase, err)
			}
		}
		for _, name := range []string{"5", "legacy:5", "arena:50", "T-1", "ord-a11"} {
			if c, err := tx.OrderClaim(name); !errors.Is(err, store.ErrNotFound) {
				t.Errorf("%q belongs to %q, %v", name, c.Purchase, err)
			}
		}
		return nil
	})
	h.do(func(tx *store.Tx) error {
		other := store.Order{Account: "u1", Purchase: "p2", ID: "arena:6", Origin: "arena", Other: "t-1"}
		if err := tx.ClaimOrder(other); !errors.Is(err, store.ErrClaimed) {
			t.Errorf("the second purchase gets it under its other name: %v", err)
		}
		if c, err := tx.OrderClaim("arena:6"); err != nil || c.Purchase != "p2" {
			t.Errorf("its own name is %q's, %v", c.Purchase, err)
		}
		return nil
	})
}

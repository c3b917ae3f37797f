package api

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"
	"time"

	"resellerbot/internal/secret"
)

// TestGateBeforeTheFirstByte: a purchase that is held right before its first byte was never sent, in each way to buy; one
// that was begun too long ago, by either clock, is held too.
func TestGateBeforeTheFirstByte(t *testing.T) {
	for _, generation := range []Generation{Current, Legacy} {
		var posts atomic.Int64
		srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.Method == http.MethodPost {
				posts.Add(1)
			}
			w.WriteHeader(http.StatusForbidden)
		}))
		t.Cleanup(srv.Close)
		asked, closed := 0, errors.New("another process leads")
		var gate error
		c, err := New(Config{BaseURL: srv.URL + "/api", Generation: generation, Gate: func(context.Context) error { asked++; return gate }})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(c.Close)
		s := c.As(secret.New("KEY"))
		for _, r := range []PurchaseRequest{
			{ProductID: 7, VariantID: 71, Quantity: 2},
			{Family: Arena, ProductID: ArenaProduct, Plan: "p1", Quantity: 1, Inputs: map[string]string{PlayerInput: "5"}},
		} {
			gate = closed
			if v := s.Purchase(t.Context(), r); v.Outcome != NotSent || posts.Load() != 0 {
				t.Errorf("%s %s behind a closed gate: %v, %d arrived", generation, r.Family, v, posts.Load())
			}
			gate = nil
			for _, stale := range []time.Time{time.Now().Add(-61 * time.Second), time.Now().Round(0).Add(-24 * time.Hour)} {
				r.Begun = stale
				if v := s.Purchase(t.Context(), r); v.Outcome != NotSent || posts.Load() != 0 {
					t.Errorf("%s %s begun at %v: %v, %d arrived", generation, r.Family, stale, v, posts.Load())
				}
			}
			r.Begun = time.Now()
			if v := s.Purchase(t.Context(), r); posts.Swap(0) != 1 || v.Outcome == NotSent {
				t.Errorf("%s %s behind an open gate: %v", generation, r.Family, v)
			}
		}
		if asked != 4 {
			t.Errorf("%s: the gate was asked %d times for 4 purchases", generation, asked)
		}
	}
}

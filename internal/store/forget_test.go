package store_test

import (
	"context"
	"errors"
	"slices"
	"testing"
	"time"

	"resellerbot/internal/store"
)

// TestForgetParked: an update that could not be handled goes after 30 days, page by page, and nothing else does.
func TestForgetParked(t *testing.T) {
	h := newHarness(t)
	ids := []int64{901, 902, 903, 904, 905, 906, 907}
	h.take(ids...)
	for _, id := range []int64{902, 903, 906} {
		h.do(func(tx *store.Tx) error { _, _, err := tx.ParkUpdate(id); return err })
	}
	sweep := func(now time.Time) (steps int) {
		for after := int64(0); ; steps++ {
			next, err := h.store.ForgetParked(context.Background(), now, after, 2)
			if err != nil {
				t.Fatal(err)
			}
			if after = next; after == 0 {
				return steps
			}
		}
	}
	sweep(noon().Add(store.StrangerLife - time.Hour))
	if got := h.take(902, 906); len(got) != 0 {
		t.Errorf("%v were forgotten too early", got)
	}
	if steps := sweep(noon().Add(store.StrangerLife)); steps < 2 {
		t.Errorf("%d pages", steps)
	}
	if n := sweep(noon().Add(store.StrangerLife)); n != 2 { // four are left
		t.Errorf("%d pages are left", n)
	}
	if got := h.left(); !slices.Equal(got, []int64{901, 904, 905, 907}) {
		t.Errorf("left are %v", got)
	}
}

// TestForgetStrangersInPages: one run looks at no more than it may, and whoever is not a stranger stays.
func TestForgetStrangersInPages(t *testing.T) {
	h := newHarness(t)
	old := noon().Add(-store.StrangerLife)
	keep := map[int64]store.Chat{
		10: {Account: "u1"}, 11: {Was: []string{"u1"}}, 12: {Out: old}, 13: {Removed: []string{"u1"}}, 14: {House: true},
		15: {CreatedAt: old.Add(time.Second)}, 16: {LeftAt: noon()}, 17: {Admitted: noon()}, -18: {Admitted: old}, -19: {MovedTo: -20},
	}
	h.do(func(tx *store.Tx) error {
		for id := int64(1); id <= 30; id++ {
			c, kept := keep[id]
			if c.ID = id; c.CreatedAt.IsZero() {
				c.CreatedAt = old
			}
			if id >= 10 && id < 20 && !kept {
				continue
			}
			if err := tx.PutChat(&c); err != nil {
				return err
			}
		}
		for _, id := range []int64{-18, -19, -21} {
			c := keep[id]
			c.ID, c.CreatedAt = id, old
			if err := tx.PutChat(&c); err != nil {
				return err
			}
		}
		return nil
	})
	forgotten := 0
	for after, first := int64(0), true; first || after != 0; first = false {
		next, n, err := h.store.ForgetStrangers(context.Background(), noon(), after, 7)
		if err != nil || n > 7 {
			t.Fatalf("%d at once: %v", n, err)
		}
		forgotten, after = forgotten+n, next
	}
	left, err := h.store.Chats(context.Background(), 0, 100)
	if err != nil || len(left) != len(keep) || forgotten != 21 {
		t.Errorf("%d were forgotten, %d are left: %v", forgotten, len(left), err)
	}
	for _, c := range left {
		if _, kept := keep[c.ID]; !kept {
			t.Errorf("%d is left", c.ID)
		}
	}
}

// TestForgetDesk: with the last owner of a shop that is no more goes how it has shown itself, and what was counted and never
// confirmed; what it has sold stays. While another owner is known, or the shop is open, all of it stays.
func TestForgetDesk(t *testing.T) {
	owner := func(user int64, name string) store.Member {
		return store.Member{User: user, Role: store.Owner, Name: name}
	}
	for name, c := range map[string]struct {
		account store.Account
		left    int
	}{
		"the last one":          {store.Account{Retired: true, Past: []int64{person}, Former: &store.Former{Team: []store.Member{owner(person, "Sam")}}}, 0},
		"after the other one":   {store.Account{Retired: true, Past: []int64{person}, Former: &store.Former{Team: []store.Member{owner(5, store.Masked), owner(person, "Sam")}}}, 0},
		"before the other one":  {store.Account{Retired: true, Past: []int64{person}, Former: &store.Former{Team: []store.Member{owner(person, "Sam"), owner(5, "Lila")}}}, 2},
		"one who has sold":      {store.Account{Retired: true, Past: []int64{person}, Former: &store.Former{Team: []store.Member{{User: person, Role: store.Seller}, owner(5, "Lila")}}}, 2},
		"one of an open shop's": {store.Account{Past: []int64{person}, Chats: []int64{5}}, 2},
	} {
		t.Run(name, func(t *testing.T) {
			h := newHarness(t)
			a := c.account
			a.ID = "u42"
			h.do(func(tx *store.Tx) error {
				d := store.Desk{Book: a.ID, Name: "Karim Gaming", Phone: "0555", Logo: []byte("png")}
				return errors.Join(tx.PutAccount(&a), tx.PutDesk(&d), tx.PutCount(store.Count{Book: a.ID, Counter: "5", Counted: 1}))
			})
			if err := h.store.Forget(t.Context(), person); err != nil {
				t.Fatal(err)
			}
			if left := len(h.records(store.KindBookDesk)) + len(h.records(store.KindBookCount)); left != c.left {
				t.Errorf("%d records are left, want %d", left, c.left)
			}
		})
	}
}

package store_test

import (
	"context"
	"testing"
	"time"

	"resellerbot/internal/store"
)

// TestMenusAreLookedAt: whatever a menu is made of, a change of it has it looked at, in the transaction of the change; what it is
// not made of has not.
func TestMenusAreLookedAt(t *testing.T) {
	const owner, seller, group = int64(11), int64(12), int64(-13)
	h := newHarness(t)
	team := func(roles map[int64]store.Role) store.Account {
		a := store.Account{ID: "u1", Chats: []int64{owner}}
		if old, err := h.store.Account(context.Background(), "u1"); err == nil {
			a = old
			a.Team = nil
		}
		for _, user := range []int64{owner, seller} {
			if roles[user] != store.NoRole {
				a.Team = append(a.Team, store.Member{User: user, Role: roles[user]})
			}
		}
		return a
	}
	due := func() map[int64]bool {
		list, err := h.store.ClaimMenus(context.Background(), time.Now(), time.Minute, 10)
		if err != nil {
			t.Fatal(err)
		}
		found := map[int64]bool{}
		for _, m := range list {
			found[m.Chat] = true
			m.Shown, m.Due = "set", time.Time{}
			h.do(func(tx *store.Tx) error { return tx.PutMenu(m) })
		}
		return found
	}
	put := func(a store.Account) { h.do(func(tx *store.Tx) error { return tx.PutAccount(&a) }) }
	chat := func(change func(*store.Chat), id int64) {
		h.do(func(tx *store.Tx) error {
			c, err := tx.Chat(id)
			if err != nil {
				c = store.Chat{ID: id}
			}
			change(&c)
			return tx.PutChat(&c)
		})
	}
	for _, step := range []struct {
		name string
		do   func()
		want []int64
	}{
		{"a team is made", func() { put(team(map[int64]store.Role{owner: store.Owner, seller: store.Seller})) }, []int64{owner, seller}},
		{"an account is written with its team as it was", func() {
			a := team(map[int64]store.Role{owner: store.Owner, seller: store.Seller})
			a.Open = 3
			put(a)
		}, nil},
		{"a role changes", func() { put(team(map[int64]store.Role{owner: store.Owner, seller: store.Counter})) }, []int64{seller}},
		{"somebody leaves", func() { put(team(map[int64]store.Role{owner: store.Owner})) }, []int64{seller}},
		{"a stranger comes", func() { chat(func(c *store.Chat) { c.Language = "fr" }, 14) }, nil},
		{"they choose a language", func() { chat(func(c *store.Chat) { c.Language, c.Chosen = "ar", true }, 14) }, []int64{14}},
		{"something else of them changes", func() { chat(func(c *store.Chat) { c.House = true }, 14) }, nil},
		{"they take messages no longer", func() { chat(func(c *store.Chat) { c.Unreachable = time.Now() }, 14) }, []int64{14}},
		{"a group chooses a language", func() { chat(func(c *store.Chat) { c.Language, c.Chosen = "ar", true }, group) }, nil},
	} {
		step.do()
		got := due()
		if len(got) != len(step.want) {
			t.Errorf("%s: due are %v, want %v", step.name, got, step.want)
		}
		for _, user := range step.want {
			if !got[user] {
				t.Errorf("%s: due are %v, want %v", step.name, got, step.want)
			}
		}
	}
}

// TestMenusAfterRestore: what a copy says of menus may not be so any more, and is set anew, once.
func TestMenusAfterRestore(t *testing.T) {
	h := newHarness(t)
	h.do(func(tx *store.Tx) error { return tx.PutMenu(store.Menu{Chat: 11, Shown: "hash"}) })
	for range 2 {
		if _, err := store.AfterRestore(context.Background(), h.store, noon()); err != nil {
			t.Fatal(err)
		}
		m, err := h.store.Menu(context.Background(), 11)
		if err != nil || m.Shown != store.OtherMenu || !m.Due.Equal(noon()) {
			t.Errorf("the menu is %+v, %v", m, err)
		}
	}
}

package store_test

import (
	"errors"
	"strings"
	"testing"

	"resellerbot/internal/store"
)

// TestSeveralAccounts: one of a chat's accounts is active, a switch makes them change places, and who leaves the active one goes on with
// the one before.
func TestSeveralAccounts(t *testing.T) {
	var c store.Chat
	for _, step := range []struct {
		do   func()
		want string
	}{
		{func() { c.Join("a") }, "a"},
		{func() { c.Join("b") }, "a b"},
		{func() { c.Join("a") }, "a b"},
		{func() { c.Activate("c") }, "c a b"},
		{func() { c.Activate("b") }, "b c a"},
		{func() { c.Activate("b") }, "b c a"},
		{func() { c.Leave("c") }, "b a"},
		{func() { c.Leave("b") }, "a"},
		{func() { c.Leave("x") }, "a"},
		{func() { c.Leave("a") }, ""},
	} {
		step.do()
		if got := strings.Join(c.Accounts(), " "); got != step.want {
			t.Errorf("the accounts are %q, want %q", got, step.want)
		}
	}
}

// TestCheckOfSeveralAccounts: what a chat and its accounts say of each other is the same.
func TestCheckOfSeveralAccounts(t *testing.T) {
	for name, c := range map[string]struct {
		chat store.Chat
		want string
	}{
		"sound":      {store.Chat{ID: 5, Account: "u1", Others: []string{"u2"}}, ""},
		"twice":      {store.Chat{ID: 5, Account: "u1", Others: []string{"u1"}}, "has account u1 twice"},
		"not theirs": {store.Chat{ID: 5, Account: "u1", Others: []string{"u3"}}, "has account u3, which does not have it"},
		"none there": {store.Chat{ID: 5, Account: "u1", Others: []string{"u9"}}, "has account u9, which does not have it"},
		"no active":  {store.Chat{ID: 5, Others: []string{"u2"}}, "none is active"},
		"a group":    {store.Chat{ID: -5, Account: "u1", Others: []string{"u2"}}, "is a group"},
	} {
		t.Run(name, func(t *testing.T) {
			h := newHarness(t)
			h.do(func(tx *store.Tx) error {
				var errs []error
				for _, a := range []store.Account{{ID: "u1", Chats: []int64{5}}, {ID: "u2", Chats: []int64{5}}, {ID: "u3", Chats: []int64{6}}} {
					errs = append(errs, tx.PutAccount(&a))
				}
				chat := c.chat
				return errors.Join(append(errs, tx.PutChat(&chat))...)
			})
			problems, err := h.store.Check(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			if found := strings.Join(problems, "\n"); !strings.Contains(found, c.want) || (c.want == "") != (found == "") {
				t.Errorf("it finds %q", found)
			}
		})
	}
}

// TestAccountNames: accounts are called as their shops, and those of one name are told apart.
func TestAccountNames(t *testing.T) {
	h := newHarness(t)
	h.do(func(tx *store.Tx) error {
		d := store.Desk{Book: "u1001", Name: "Chez Amina"}
		return errors.Join(tx.PutDesk(&d), tx.PutAccount(&store.Account{ID: "u1001", Name: "Boutique"}), tx.PutAccount(&store.Account{ID: "u1002", Name: "Oran"}),
			tx.PutAccount(&store.Account{ID: "u1003", Name: "oran"}), tx.PutAccount(&store.Account{ID: "u1004"}))
	})
	names := must(h.store.AccountNames(t.Context(), "u1001", "u1002", "u1003", "u1004", "u1001"))(t)
	for id, want := range map[string]string{"u1001": "Chez Amina", "u1002": "Oran …1002", "u1003": "oran …1003", "u1004": "…1004"} {
		if names[id] != want {
			t.Errorf("%s is called %q, want %q", id, names[id], want)
		}
	}
}

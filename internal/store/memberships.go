package store

import (
	"context"
	"errors"
	"slices"
	"strings"
)

// Accounts are the accounts that the person of a private chat is of, the active one first; those of a group are that which it is
// linked to.
func (c *Chat) Accounts() []string {
	if c.Account == "" {
		return nil
	}
	return append([]string{c.Account}, c.Others...)
}

// Has reports whether a chat is of an account, active or not.
func (c *Chat) Has(account string) bool { return slices.Contains(c.Accounts(), account) }

// Join adds an account to those of a chat: it is the active one where there is no other.
func (c *Chat) Join(account string) {
	switch {
	case c.Has(account):
	case c.Account == "":
		c.Account = account
	default:
		c.Others = append(slices.Clone(c.Others), account)
	}
}

// Activate makes an account the active one of a chat, which it joins by that. The one that was active is the next.
func (c *Chat) Activate(account string) {
	if c.Account == account {
		return
	}
	others := slices.DeleteFunc(slices.Clone(c.Others), func(id string) bool { return id == account })
	if c.Account != "" {
		others = append([]string{c.Account}, others...)
	}
	c.Account, c.Others = account, others
}

// Leave takes an account from those of a chat. Where it was the active one, the one that was active before is it again.
func (c *Chat) Leave(account string) {
	left := slices.DeleteFunc(c.Accounts(), func(id string) bool { return id == account })
	c.Account, c.Others = "", nil
	if len(left) > 0 {
		c.Account, c.Others = left[0], slices.Clone(left[1:])
	}
}

const (
	tailLength = 4  // signs of an account's id that tell it from others of the same name
	besideTail = 24 // code points of the name before them, so that a button has room for both
)

// AccountNames are what people call some accounts, by their ids: by the name of the shop, or else as the service calls them.
// Where several of them are called the same, or one is called nothing, the end of its id is added. Hostile texts.
func (s *Store) AccountNames(ctx context.Context, ids ...string) (map[string]string, error) {
	names, times := map[string]string{}, map[string]int{}
	for _, id := range ids {
		if _, known := names[id]; known {
			continue
		}
		name, err := s.accountName(ctx, id)
		if err != nil {
			return nil, err
		}
		names[id] = name
		times[strings.ToLower(name)]++
	}
	for id, name := range names {
		if name == "" || times[strings.ToLower(name)] > 1 {
			short := []rune(name)
			names[id] = strings.TrimSpace(string(short[:min(len(short), besideTail)]) + " " + tailOf(id))
		}
	}
	return names, nil
}

// accountName is what an account is called; empty where it is called nothing.
func (s *Store) accountName(ctx context.Context, id string) (string, error) {
	d, err := s.Desk(ctx, id)
	if err != nil || strings.TrimSpace(d.Name) != "" {
		return strings.TrimSpace(d.Name), err
	}
	a, err := s.Account(ctx, id)
	if errors.Is(err, ErrNotFound) {
		return "", nil
	}
	return strings.TrimSpace(a.Name), err
}

// unnamedSign is what the name of an account begins with that the service calls nothing: the end of its id follows.
const unnamedSign = "…"

// tailOf is the end of an account's id, which tells it from others of the same name, or of none.
func tailOf(id string) string { return unnamedSign + id[max(0, len(id)-tailLength):] }

// Called is what the service calls an account; where that is nothing, the end of its id, as AccountNames has it. Empty where there
// is no account. Hostile text.
func (a Account) Called() string {
	if name := strings.TrimSpace(a.Name); name != "" || a.ID == "" {
		return name
	}
	return tailOf(a.ID)
}

// IsTail reports whether the name of an account is the end of its id alone.
func IsTail(name string) bool {
	rest, ok := strings.CutPrefix(name, unnamedSign)
	return ok && len(rest) > 0 && len(rest) <= tailLength
}

// memberships finds chats whose accounts are not those that have them: what a chat's record and an account's say of each other is
// written together.
func (c *checker) memberships(all []Chat, accounts map[string]Account) {
	for _, chat := range all {
		if len(chat.Others) == 0 {
			continue
		}
		say := func(what string) { c.problems = append(c.problems, "chat "+number(chat.ID)+" "+what) }
		if chat.ID < 0 {
			say("is a group, and has several accounts")
		}
		if chat.Account == "" {
			say("has accounts, and none is active")
		}
		for i, id := range chat.Others {
			a, there := accounts[id]
			_, member := a.Member(chat.ID)
			switch {
			case id == chat.Account || slices.Contains(chat.Others[:i], id):
				say("has account " + id + " twice")
			case !there || !member || !slices.Contains(a.Chats, chat.ID):
				say("has account " + id + ", which does not have it")
			}
		}
	}
}

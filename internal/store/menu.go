package store

import (
	"context"
	"errors"
	"time"
)

// Menu is the menu of commands that a chat was given at Telegram. That of chat 0 is everybody's.
type Menu struct {
	Chat  int64
	Shown string    // a hash of what was set; empty for nothing
	Due   time.Time // when to look whether it still fits; zero while it does
	rev   uint64
}

// OtherMenu is Shown of a menu of which nobody knows what was set: it is no hash.
const OtherMenu = "?"

func menus() codec[Menu] {
	return codec[Menu]{
		kind: KindMenu,
		key:  func(m *Menu) string { return number(m.Chat) },
		rev:  func(m *Menu) *uint64 { return &m.rev },
		due:  func(m *Menu) time.Time { return m.Due },
	}
}

// Menu reads the menu that a chat was given; a zero Menu where it was given none.
func (s *Store) Menu(ctx context.Context, chat int64) (Menu, error) {
	m, err := read(ctx, s, menus(), number(chat))
	return m, ignoring(err, ErrNotFound)
}

// Menus lists the menus that were given, by chat, from behind one; that of everybody is not among them.
func (s *Store) Menus(ctx context.Context, after int64, limit int) ([]Menu, error) {
	return list(ctx, s, menus(), "", number(after), limit)
}

// ClaimMenus takes menus of which it is due to look whether they still fit.
func (s *Store) ClaimMenus(ctx context.Context, now time.Time, lease time.Duration, limit int) ([]Menu, error) {
	return claim(ctx, s, KindMenu, menus, now, lease, limit)
}

// PutMenu writes what a chat was given, or forgets it where that is nothing and nothing is due. One that has changed
// since it was read stays: ErrConflict.
func (t *Tx) PutMenu(m Menu) error {
	if m.Shown == "" && m.Due.IsZero() {
		if m.rev == 0 {
			return nil
		}
		return menus().remove(t, &m)
	}
	return menus().put(t, &m)
}

// LookAtMenu has it looked at whether the menu of a private chat still fits. Groups have none of their own.
func (t *Tx) LookAtMenu(chat int64) error {
	if chat <= 0 {
		return nil
	}
	m, err := menus().get(t, number(chat))
	if err != nil && !errors.Is(err, ErrNotFound) {
		return err
	}
	m.Chat, m.Due = chat, time.Now()
	return menus().put(t, &m)
}

// menusOfTeam has the menus of those looked at whose role changes with an account as it is written.
func (t *Tx) menusOfTeam(a *Account) error {
	old, err := accounts().get(t, a.ID)
	if err != nil && !errors.Is(err, ErrNotFound) {
		return err
	}
	changed := map[int64]bool{}
	for _, m := range old.Members() {
		changed[m.User] = a.Role(m.User) != m.Role
	}
	for _, m := range a.Members() {
		changed[m.User] = old.Role(m.User) != m.Role
	}
	for user, is := range changed {
		if !is {
			continue
		}
		if err := t.LookAtMenu(user); err != nil {
			return err
		}
	}
	return nil
}

// menuOfChat has a chat's menu looked at where what it is made of changes.
func (t *Tx) menuOfChat(c *Chat) error {
	old, err := chats().get(t, number(c.ID))
	if err != nil && !errors.Is(err, ErrNotFound) {
		return err
	}
	same := old.Language == c.Language && old.Chosen == c.Chosen && old.Account == c.Account && (len(old.Others) > 0) == (len(c.Others) > 0) && old.Unreachable.IsZero() == c.Unreachable.IsZero()
	if same && err == nil || c.Account == "" && old.Account == "" && !c.Chosen && !old.Chosen {
		return nil // a stranger's, which has everybody's
	}
	return t.LookAtMenu(c.ID)
}

// endMenu has the menu of a chat taken away that nothing is kept of any more; of one that has none, nothing.
func (t *Tx) endMenu(chat int64) error {
	_, err := menus().get(t, number(chat))
	if err != nil {
		return ignoring(err, ErrNotFound)
	}
	return t.LookAtMenu(chat)
}

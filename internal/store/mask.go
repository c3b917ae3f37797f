package store

import (
	"context"
	"fmt"
	"slices"
)

// Forget removes what is kept about somebody who is of no account, beside records of money: in those their name is
// masked. What was masked stays so if it stops half-way, and doing it again goes on.
func (s *Store) Forget(ctx context.Context, user int64) error {
	if err := s.maskIn(ctx, user, "", user); err != nil {
		return err
	}
	err := s.eachAccount(ctx, func(a Account) error {
		// Names stand in the purchases of every chat that an account had, whoever is in it by now.
		if !a.knew(user) {
			return nil
		}
		for _, chat := range slices.Concat(a.Chats, a.Past) {
			if err := s.maskIn(ctx, chat, a.ID, user); err != nil {
				return err
			}
		}
		if a.wasLastOwnedBy(user) {
			if err := s.forgetDesk(ctx, a.ID); err != nil {
				return err
			}
		}
		return s.maskAccount(ctx, a.ID, user)
	})
	if err != nil {
		return fmt.Errorf("mask a name: %w", err)
	}
	return s.forgetChats(ctx, []int64{user}, func(c Chat) bool { return c.Account == "" })
}

// forgetDesk removes how a shop has shown itself and the counts that wait for an owner: its name, telephone and logo are
// those of whoever has owned it last, and nobody is left to confirm a count.
func (s *Store) forgetDesk(ctx context.Context, account string) error {
	waiting, err := s.Counts(ctx, bookID(account))
	if err != nil {
		return err
	}
	return s.Update(ctx, func(tx *Tx) error {
		d, err := desks().get(tx, bookID(account))
		if err == nil {
			err = desks().remove(tx, &d)
		}
		if ignoring(err, ErrNotFound) != nil {
			return err
		}
		for _, c := range waiting {
			// Read again: it may have been counted anew, or confirmed, since the list was read.
			c, err := tx.Count(c.Book, c.Counter)
			if err == nil {
				err = tx.EndCount(c)
			}
			if ignoring(err, ErrNotFound) != nil {
				return err
			}
		}
		return nil
	})
}

// wasLastOwnedBy reports whether somebody has owned an account to its end, and no other owner of then is still known.
func (a Account) wasLastOwnedBy(user int64) (was bool) {
	if a.Former == nil || !a.Retired {
		return false
	}
	for _, m := range a.Former.Team {
		switch {
		case m.Role != Owner:
		case m.User == user:
			was = true
		case m.Name != Masked:
			return false
		}
	}
	return was
}

// knew reports whether somebody was of an account.
func (a Account) knew(user int64) bool {
	was := slices.Contains(a.Past, user) || a.Locked != nil && a.Locked.By == user
	return was || a.Former != nil && slices.ContainsFunc(a.Former.Team, func(m Member) bool { return m.User == user })
}

// maskIn masks somebody's name in the purchases of a chat: in those of one account, where it is named.
func (s *Store) maskIn(ctx context.Context, chat int64, account string, user int64) error {
	for after := ""; ; {
		page, err := s.ChatPurchases(ctx, chat, after, forgetPage)
		if err != nil || len(page) == 0 {
			return err
		}
		after = page[len(page)-1].ID
		if err := s.maskLists(ctx, page, user); err != nil {
			return err
		}
		named := slices.DeleteFunc(slices.Clone(page), func(p Purchase) bool {
			return account != "" && p.Account != account || !mask(&p, user)
		})
		if len(named) > 0 {
			err = s.Update(ctx, func(tx *Tx) error { return tx.maskEach(named, user) })
		}
		if err != nil || len(page) < forgetPage {
			return err
		}
	}
}

// maskLists masks somebody's name in the lists that some purchases are lines of.
func (s *Store) maskLists(ctx context.Context, page []Purchase, user int64) error {
	var ids []string
	for _, p := range page {
		if p.List != "" && p.User == user && !slices.Contains(ids, p.List) {
			ids = append(ids, p.List)
		}
	}
	if len(ids) == 0 {
		return nil
	}
	return s.Update(ctx, func(tx *Tx) error {
		for _, id := range ids {
			l, err := tx.List(id)
			if err == nil && l.User == user && l.Buyer != Masked {
				l.Buyer = Masked
				err = tx.PutList(&l)
			}
			if ignoring(err, ErrNotFound) != nil {
				return err
			}
		}
		return nil
	})
}

// maskEach masks somebody's name in some purchases, as they are now.
func (t *Tx) maskEach(named []Purchase, user int64) error {
	for _, p := range named {
		// Read again: the page is of before the transaction.
		now, err := t.Purchase(p.ID)
		if err == nil && mask(&now, user) {
			err = t.PutPurchase(&now)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// mask takes somebody's name out of a purchase, and reports whether it was there.
func mask(p *Purchase, user int64) (was bool) {
	hide := func(by int64, name *string) {
		if by == user && *name != "" && *name != Masked {
			*name, was = Masked, true
		}
	}
	hide(p.User, &p.Buyer)
	if p.Ask != nil {
		ask := *p.Ask
		hide(ask.By, &ask.Name)
		p.Ask = &ask
	}
	if p.Word != nil {
		word := *p.Word
		hide(word.By, &word.Name)
		p.Word = &word
	}
	p.Reveals = slices.Clone(p.Reveals)
	for i := range p.Reveals {
		hide(p.Reveals[i].User, &p.Reveals[i].Name)
	}
	p.Handed = slices.Clone(p.Handed)
	for i := range p.Handed {
		hide(p.Handed[i].User, &p.Handed[i].Name)
	}
	return was
}

// maskAccount masks somebody's name in what an account remembers of its team.
func (s *Store) maskAccount(ctx context.Context, id string, user int64) error {
	return s.Update(ctx, func(tx *Tx) error {
		a, err := tx.Account(id)
		if err != nil {
			return err
		}
		locks := []**Lock{&a.Locked}
		if a.Former != nil {
			f := *a.Former
			f.Team = slices.Clone(f.Team)
			for i := range f.Team {
				if f.Team[i].User == user {
					f.Team[i].Name = Masked
				}
			}
			a.Former = &f
			locks = append(locks, &f.Locked)
		}
		for _, at := range locks {
			if l := *at; l != nil && l.By == user {
				hidden := *l
				hidden.Name = Masked
				*at = &hidden
			}
		}
		return tx.PutAccount(&a)
	})
}

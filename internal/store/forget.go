package store

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"
)

const (
	// StrangerLife is how long somebody is known who is of no account and has bought nothing, and how long an update
	// is kept that could not be handled.
	StrangerLife = 30 * 24 * time.Hour

	// Masked stands for the name of somebody who was forgotten.
	Masked = "•••"

	forgetPage = 200 // purchases changed in one transaction
)

// isStranger reports whether nothing ties a chat to anybody's money, or to a decision about it, and it is old.
func (c *Chat) isStranger(now time.Time) bool {
	last := c.CreatedAt
	for _, at := range []time.Time{c.Admitted, c.LeftAt} {
		if at.After(last) {
			last = at
		}
	}
	switch {
	// Was finds what somebody bought with accounts that they have left. House keeps the house key from being linked once more.
	// MovedTo leads messages on.
	case c.Account != "" || len(c.Was) > 0 || c.House || c.MovedTo != 0:
		return false
	case !c.Out.IsZero() || len(c.Removed) > 0: // so that they stay out
		return false
	case c.ID < 0 && !c.Admitted.IsZero():
		return false
	}
	return now.Sub(last) >= StrangerLife
}

// ForgetStrangers looks at up to limit chats from behind one, and forgets those who have been strangers for long, in one
// transaction. It returns the last one that it has looked at, 0 behind the end, and how many were forgotten.
func (s *Store) ForgetStrangers(ctx context.Context, now time.Time, after int64, limit int) (next int64, forgotten int, err error) {
	page, err := s.Chats(ctx, after, limit)
	if err != nil {
		return 0, 0, err
	}
	var old []int64
	for _, c := range page {
		if next = c.ID; !c.isStranger(now) {
			continue
		}
		// A scan, on which no transaction rests: what comes in between gives the chat an account first, and may (isStranger) is
		// asked again.
		bought, err := s.ChatPurchases(ctx, c.ID, "", 1)
		if err != nil {
			return 0, 0, err
		}
		if len(bought) == 0 {
			old = append(old, c.ID)
		}
	}
	if len(page) < limit {
		next = 0
	}
	return next, len(old), s.forgetChats(ctx, old, func(c Chat) bool { return c.isStranger(now) })
}

// forgetChats removes what is kept about some chats, where that is still right.
func (s *Store) forgetChats(ctx context.Context, ids []int64, may func(Chat) bool) error {
	// Listed before the transaction, which must not scan: it removes by these keys.
	kept := map[int64]keptOfChat{}
	for _, id := range ids {
		k, err := s.keptOfChat(ctx, id)
		if err != nil {
			return err
		}
		kept[id] = k
	}
	if len(ids) == 0 {
		return nil
	}
	err := s.Update(ctx, func(tx *Tx) error {
		for _, id := range ids {
			if err := tx.forgetChat(id, kept[id], may); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("forget chats: %w", err)
	}
	return nil
}

// keptOfChat is what is kept about a chat beside its own record, by keys that nothing else names.
type keptOfChat struct {
	open    []Session
	pasted  []List
	alerts  []Alerts
	players []Players
}

func (s *Store) keptOfChat(ctx context.Context, id int64) (k keptOfChat, err error) {
	const most = 1000
	var errs [4]error
	of := number(id) + "/"
	k.open, errs[0] = list(ctx, s, sessions(), of, "", most)
	k.pasted, errs[1] = s.ChatLists(ctx, id, most)
	k.alerts, errs[2] = list(ctx, s, alerts(), of, "", most)
	k.players, errs[3] = list(ctx, s, players(), of, "", most)
	return k, errors.Join(errs[:]...)
}

// forgetChat removes what is kept about a chat: of one that is to stay out, all but that.
func (t *Tx) forgetChat(id int64, kept keptOfChat, may func(Chat) bool) error {
	c, err := t.Chat(id)
	if err != nil || !may(c) {
		return ignoring(err, ErrNotFound)
	}
	// A person's own session is deleted even if it came after the list was read.
	for _, q := range append(kept.open, Session{Chat: id, User: id}) {
		if err := t.DeleteSession(q.Chat, q.User); err != nil {
			return err
		}
	}
	for _, l := range kept.pasted {
		if err := t.RemoveList(l.ID); err != nil {
			return err
		}
	}
	for _, al := range kept.alerts {
		if err := t.EndAlerts(id, al.Account); err != nil {
			return err
		}
	}
	for _, p := range kept.players {
		if err := t.ForgetPlayers(id, p.Account); err != nil {
			return err
		}
	}
	if err := t.endMenu(id); err != nil {
		return err
	}
	// Whoever is shut out stays out: that is kept, and nothing else.
	if !c.Out.IsZero() || len(c.Removed) > 0 {
		c = Chat{ID: id, CreatedAt: c.CreatedAt, Out: c.Out, Removed: c.Removed, rev: c.rev}
		return t.PutChat(&c)
	}
	return chats().remove(t, &c)
}

// ForgetQuestions looks at up to limit open questions from behind one, and forgets those that nobody has answered in
// time. It returns the last one that it has looked at, a zero one behind the end.
func (s *Store) ForgetQuestions(ctx context.Context, now time.Time, after Session, limit int) (next Session, err error) {
	from := ""
	if after.Chat != 0 {
		from = sessionKey(after.Chat, after.User)
	}
	page, err := list(ctx, s, sessions(), "", from, limit)
	if err != nil {
		return Session{}, err
	}
	if len(page) == limit {
		next = Session{Chat: page[limit-1].Chat, User: page[limit-1].User}
	}
	page = slices.DeleteFunc(page, func(q Session) bool { return q.Expires.After(now) })
	if len(page) == 0 {
		return next, nil
	}
	err = s.Update(ctx, func(tx *Tx) error {
		for _, q := range page {
			// Read again: somebody may have asked something new since the page was read.
			q, err := tx.Session(q.Chat, q.User)
			if err == nil && q.Chat != 0 && !q.Expires.After(now) {
				err = tx.DeleteSession(q.Chat, q.User)
			}
			if err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return Session{}, fmt.Errorf("forget open questions: %w", err)
	}
	return next, nil
}

// ForgetParked forgets, among up to limit updates from behind one, those that could not be handled and are old. It
// returns the last one that it has looked at, 0 behind the end.
func (s *Store) ForgetParked(ctx context.Context, now time.Time, after int64, limit int) (next int64, err error) {
	from := ""
	if after != 0 {
		from = number(after)
	}
	page, err := list(ctx, s, inbox(), "", from, limit)
	if err != nil {
		return 0, err
	}
	if len(page) == limit {
		next = page[limit-1].ID
	}
	page = slices.DeleteFunc(page, func(in Incoming) bool { return in.State != Parked || now.Sub(in.At) < StrangerLife })
	if len(page) == 0 {
		return next, nil
	}
	return next, s.Update(ctx, func(tx *Tx) error {
		for _, in := range page {
			if err := tx.UpdateDone(in.ID); err != nil {
				return err
			}
		}
		return nil
	})
}

// OpenFor names a purchase of somebody that has not come to its end, or the name of an account that they were the last
// to own and that waits for money; both empty where nothing of theirs is open.
func (s *Store) OpenFor(ctx context.Context, user int64) (purchase, account string, err error) {
	for after := ""; ; {
		page, err := s.OpenPurchases(ctx, after, forgetPage)
		if err != nil {
			return "", "", err
		}
		for _, p := range page {
			if after = p.ID; p.User == user || p.Chat == user {
				return p.ID, "", nil
			}
		}
		if len(page) < forgetPage {
			break
		}
	}
	err = s.eachAccount(ctx, func(a Account) error {
		// They are the only one whom the bot could still tell what became of that money.
		if a.OwnerLeft() == user && (a.Open > 0 || len(a.Refunds) > 0 || a.Frozen) {
			account = a.Name
			if account == "" {
				account = a.ID
			}
		}
		return nil
	})
	return "", account, err
}

// OpenOf counts the purchases of somebody that have not come to their end.
func (s *Store) OpenOf(ctx context.Context, user int64) (n int, err error) {
	for after := ""; ; {
		page, err := s.OpenPurchases(ctx, after, forgetPage)
		if err != nil {
			return 0, err
		}
		for _, p := range page {
			if after = p.ID; p.User == user || p.Chat == user {
				n++
			}
		}
		if len(page) < forgetPage {
			return n, nil
		}
	}
}

// eachAccount visits every account.
func (s *Store) eachAccount(ctx context.Context, visit func(Account) error) error {
	for after := ""; ; {
		page, err := s.Accounts(ctx, after, forgetPage)
		if err != nil {
			return err
		}
		for _, a := range page {
			after = a.ID
			if err := visit(a); err != nil {
				return err
			}
		}
		if len(page) < forgetPage {
			return nil
		}
	}
}

package store

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"time"
)

// Restored is the Reason of a purchase that AfterRestore has dropped or made unknown. What became of it
// after the copy was made is not known, so nothing may be said about its money.
const Restored = "restored"

// Report is what AfterRestore has changed.
type Report struct {
	Drafts   int // drafted purchases that were dropped: their buttons are void
	Queued   int // confirmed purchases that were dropped while they waited for their turn
	Unknown  int // purchases that were on their way to the service
	Accounts int // accounts that are frozen
}

// AfterRestore makes a store that was restored from a copy safe to go on from, as one durable transaction. The copy
// has forgotten what was promised and bought since it was made, so nothing that it knows may lead to a
// purchase: drafts and waiting purchases are dropped, which voids their buttons, those on their way are
// unknown, and every account is frozen until somebody has found out what happened. Nobody else may use the
// store meanwhile. Doing so twice changes nothing more.
//
// No message about a purchase is queued: the one that shows it may hold its code by now, which an edit would erase. The card
// of a list holds none, and is shown anew: whatever it says, the copy knows less.
// The owners of each account are asked to confirm its team, and nothing is spent before.
func AfterRestore(ctx context.Context, s *Store, now time.Time) (Report, error) {
	open, err := idsOf(ctx, s, purchases(), func(p Purchase) bool { return !p.Phase.Final() })
	if err != nil {
		return Report{}, fmt.Errorf("after a restore: %w", err)
	}
	all, err := idsOf(ctx, s, accounts(), func(Account) bool { return true })
	if err != nil {
		return Report{}, fmt.Errorf("after a restore: %w", err)
	}
	offered, err := idsOf(ctx, s, invites(), func(Invite) bool { return true })
	if err != nil {
		return Report{}, fmt.Errorf("after a restore: %w", err)
	}
	given, err := idsOf(ctx, s, menus(), func(m Menu) bool { return m.Shown != OtherMenu })
	if err != nil {
		return Report{}, fmt.Errorf("after a restore: %w", err)
	}
	pasted, err := idsOf(ctx, s, lists(), func(l List) bool { return l.Phase != ListEnded && l.Phase != ListDropped })
	if err != nil {
		return Report{}, fmt.Errorf("after a restore: %w", err)
	}
	var done Report
	err = s.Update(ctx, func(tx *Tx) error {
		r := restoration{tx: tx, now: now, dropped: map[string][]string{}}
		for _, part := range []struct {
			keys []string
			do   func(key string) error
		}{
			// Purchases first: the accounts are told which of theirs were dropped.
			{open, r.purchase},
			{offered, func(hash string) error { return tx.EndInvite(&Account{}, hash) }}, // it may have been used since
			{all, r.account},
			{pasted, r.list},
			{given, r.menu}, // another may have been set since
		} {
			if err := each(part.keys, part.do); err != nil {
				return err
			}
		}
		done = r.done
		return nil
	})
	if err != nil {
		return Report{}, fmt.Errorf("after a restore: %w", err)
	}
	return done, nil
}

// idsOf lists the keys of those records of a codec that are picked. It reads them all: a copy's indexes are
// not trusted more than they have to be.
func idsOf[T any](ctx context.Context, s *Store, f codec[T], picked func(T) bool) (keys []string, err error) {
	for after := ""; ; {
		page, err := list(ctx, s, f, "", after, 500)
		if err != nil || len(page) == 0 {
			return keys, err
		}
		for _, v := range page {
			after = f.key(&v)
			if picked(v) {
				keys = append(keys, after)
			}
		}
	}
}

// each does something with every key, up to the first error.
func each(keys []string, do func(key string) error) error {
	for _, key := range keys {
		if err := do(key); err != nil {
			return err
		}
	}
	return nil
}

// restoration is the transaction of AfterRestore.
type restoration struct {
	tx      *Tx
	now     time.Time
	done    Report
	dropped map[string][]string // ids of purchases that waited, by account
}

// menu has a menu of commands set anew.
func (r *restoration) menu(chat string) error {
	m, err := menus().get(r.tx, chat)
	if err != nil {
		return err
	}
	m.Shown, m.Due = OtherMenu, r.now
	return menus().put(r.tx, &m)
}

// purchase ends what was not sent, and makes unknown what may have been. Whatever comes for a purchase that
// stays open may have been shown after the copy was made.
func (r *restoration) purchase(id string) error {
	p, err := r.tx.Purchase(id)
	if err != nil {
		return err
	}
	switch p.Phase {
	case Drafted, Asked:
		r.done.Drafts++
		return r.drop(&p)
	case Queued:
		r.done.Queued++
		r.dropped[p.Account] = append(r.dropped[p.Account], p.ID)
		p.ClosedAt = r.now
		return r.drop(&p)
	case Submitting:
		r.done.Unknown++
		r.step(&p, Unknown)
		p.LookAt = r.now // whoever looks for uncertain purchases finds it
	}
	p.Told.MaybeSent = true
	return r.tx.PutPurchase(&p)
}

// list ends a list: what of it was not sent is not sent any more, and its card says what is not known.
func (r *restoration) list(id string) error {
	l, err := r.tx.List(id)
	if err != nil {
		return err
	}
	to := ListDropped
	if l.Phase == ListBuying {
		to = ListEnded
	}
	l.Phase, l.Why, l.EndedAt = to, Restored, r.now
	if err := r.tx.PutList(&l); err != nil {
		return err
	}
	for _, s := range l.Shown {
		if err := r.tx.Enqueue(&Outgoing{Chat: s.Chat, ID: l.ID + ".a", Kind: s.As, List: l.ID, Priority: DeliveryPriority}); err != nil {
			return err
		}
	}
	return r.tx.Enqueue(&Outgoing{Chat: l.Chat, ID: l.ID, Kind: ListCard, List: l.ID, Priority: DeliveryPriority})
}

// drop ends a purchase, and takes back an edit of its message that had not been sent when the copy was made:
// it would tell that nothing was bought.
func (r *restoration) drop(p *Purchase) error {
	r.step(p, Dropped)
	if err := r.tx.PutPurchase(p); err != nil {
		return err
	}
	edit, err := r.tx.Outgoing(p.Chat, p.ID)
	if err != nil {
		return ignoring(err, ErrNotFound)
	}
	return r.tx.Sent(edit)
}

// step moves a purchase to another phase.
func (r *restoration) step(p *Purchase, to Phase) {
	p.History = append(p.History, Step{At: r.now, From: p.Phase, To: to, Why: "restored from a copy"})
	p.Phase, p.Reason = to, Restored
}

// account freezes an account and takes what was dropped out of its queue. What its balance has done since is
// not known, so the next reading starts anew. A retired one keeps its key, even if nothing of it is open
// any more: it is needed to find out what happened.
func (r *restoration) account(id string) error {
	a, err := r.tx.Account(id)
	if err != nil {
		return err
	}
	if a.Retired && a.Key.IsZero() { // nothing can be found out of it, and nothing is bought by it
		if a.Former == nil {
			return nil
		}
		a.Former = nil // nobody would look at who comes back
		return r.tx.PutAccount(&a)
	}
	gone := r.dropped[a.ID]
	a.Queue = slices.DeleteFunc(a.Queue, func(p string) bool { return slices.Contains(gone, p) })
	a.Open -= len(gone)
	a.Wallet.Read = false
	a.Frozen, a.Invites, a.Thaw = true, nil, Thaw{}
	r.lock(&a)
	r.done.Accounts++
	if err := r.tx.PutAccount(&a); err != nil {
		return err
	}
	return r.askOwners(a)
}

// lock stops all spending of an account until an owner has confirmed its team: whoever was taken out of it after the
// copy was made is back in it, and a lock that came later is gone.
func (r *restoration) lock(a *Account) {
	lock := Lock{At: r.now}
	if a.Locked != nil {
		lock = *a.Locked
	}
	lock.Restored = true
	a.Locked = &lock
}

// askOwners shows the owners of an account its team, to be confirmed.
func (r *restoration) askOwners(a Account) error {
	team, err := json.Marshal(TeamShown{Account: a.Name, Members: a.Members(), Place: a.Place, Mark: a.TeamMark()})
	if err != nil {
		return fmt.Errorf("encode the team of account %s: %w", a.ID, err)
	}
	for _, chat := range a.PrivateChats(Owner) {
		note := NewNote(chat, "restored.team."+a.ID, RestoredTeamNote, map[string]string{"team": string(team)}).Of(a.ID)
		note.Due, note.Created = r.now, r.now
		if err := r.tx.Enqueue(note); err != nil {
			return err
		}
	}
	return nil
}

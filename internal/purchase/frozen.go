package purchase

import (
	"cmp"
	"context"
	"errors"
	"strconv"
	"strings"
	"time"

	"resellerbot/internal/api"
	"resellerbot/internal/store"
)

const (
	frozenLook     = 30 * time.Second // between looks at a frozen account
	frozenRest     = 5 * time.Minute  // between looks once its owners were asked
	frozenPatience = 10 * time.Minute // of looks that could not read everything; then the owners are asked
	mostOrphans    = 20               // orders that nobody knows, named in one message
)

// UnreadBalance and UnreadGoods name the balance and the list of goods among what could not be read: the family of
// goods has no name of its own. The others are families.
const (
	UnreadBalance = "balance"
	UnreadGoods   = "goods"
)

// checkFrozen checks an account that was restored from a copy: what it bought after the copy was made is known to
// nobody here. Once no purchase of it is uncertain and the service could be read, the chats are told which
// orders are unknown, and it may buy again. What cannot be read for long, its owners decide about.
func (e *Engine) checkFrozen(ctx context.Context, a store.Account) error {
	seen, err := e.orphans(ctx, a)
	switch {
	// Busy is an uncertain purchase of the copy: what becomes of it is found out first.
	case err != nil || a.Busy != "":
		return errors.Join(err, e.lookAgainAt(ctx, a.ID, time.Now().Add(frozenLook)))
	case len(seen.unread) > 0:
		return errors.Join(seen.failed, e.keepFrozen(ctx, a.ID, seen))
	}
	return e.cfg.Store.Update(context.WithoutCancel(ctx), func(tx *store.Tx) error {
		now, err := tx.Account(a.ID)
		if err != nil || now.Busy != "" || !now.Frozen {
			return err
		}
		return e.unfreeze(tx, &now, seen.unknown)
	})
}

// unfreeze lets an account buy again, and tells its owners which orders nobody here knows.
func (e *Engine) unfreeze(tx *store.Tx, a *store.Account, unknown []string) error {
	// Wallet.Read is taken away, so that the next reading begins the explaining: what moved since the copy is nobody's riddle.
	a.Frozen, a.Thaw, a.Wallet.Read, a.LookAt = false, store.Thaw{}, false, time.Time{}
	if len(a.Refunds) > 0 {
		a.LookAt = time.Now()
	}
	if err := tx.PutAccount(a); err != nil {
		return err
	}
	id := a.ID
	tx.Then(func() {
		e.cfg.Log.Warn("a restored account may buy again", "account", id, "unknown orders", len(unknown))
	})
	return e.tellOwnersOf(tx, *a, store.RestoredNote, map[string]string{"orders": strings.Join(unknown, " · ")})
}

// tellOwnersOf queues a note for the owners of an account.
func (e *Engine) tellOwnersOf(tx *store.Tx, a store.Account, name store.NoteName, args map[string]string) error {
	id := string(name) + "." + store.NewID(time.Now(), e.cfg.Random)
	for _, chat := range a.PrivateChats(store.Owner) {
		if err := tx.Enqueue(store.NewNote(chat, id, name, args).Of(a.ID)); err != nil {
			return err
		}
	}
	return nil
}

// keepFrozen notes what of a frozen account could not be read. Where that lasts, its owners are shown it and may go
// on without; one that nobody owns any more goes on by itself, since it buys nothing.
func (e *Engine) keepFrozen(ctx context.Context, account string, seen orphanage) error {
	return e.cfg.Store.Update(context.WithoutCancel(ctx), func(tx *store.Tx) error {
		a, err := tx.Account(account)
		if err != nil || !a.Frozen {
			return err
		}
		now := time.Now()
		if a.Thaw.Since.IsZero() {
			a.Thaw.Since = now
		}
		a.Thaw.Unread, a.LookAt = seen.unread, now.Add(frozenLook)
		if now.Sub(a.Thaw.Since) < frozenPatience {
			return tx.PutAccount(&a)
		}
		if a.Retired {
			return e.unfreeze(tx, &a, nil)
		}
		a.LookAt = now.Add(frozenRest)
		if a.Thaw.Told {
			return tx.PutAccount(&a)
		}
		a.Thaw.Told = true
		if err := tx.PutAccount(&a); err != nil {
			return err
		}
		return e.tellOwnersOf(tx, a, store.FrozenNote, map[string]string{"unread": strings.Join(seen.unread, " "), "class": api.ClassOf(seen.failed).String()})
	})
}

// Unfreeze takes an owner's word that a restored account is to buy again, though not everything of it could be read.
// ErrNotAllowed, and ErrStale where nobody was asked that, or it buys already.
func (e *Engine) Unfreeze(ctx context.Context, account string, user int64) error {
	return e.cfg.Store.Update(ctx, func(tx *store.Tx) error {
		a, err := tx.Account(account)
		switch {
		case err != nil:
			return err
		case a.Role(user) != store.Owner:
			return ErrNotAllowed
		case !a.Frozen || !a.Thaw.Told:
			return ErrStale
		}
		unread := a.Thaw.Unread
		tx.Then(func() {
			e.cfg.Log.Warn("an owner goes on without what could not be read", "account", account, "by", user, "unread", unread)
		})
		return e.unfreeze(tx, &a, nil)
	})
}

// orphanage is what a look at a frozen account has shown.
type orphanage struct {
	unknown []string // orders that the service shows and nobody here knows
	unread  []string // UnreadBalance, UnreadGoods, or families whose list could not be read
	failed  error    // why, of the first of them
}

// missed notes what could not be read. Errors that are not the service's are returned.
func (o *orphanage) missed(what string, err error) error {
	if _, ok := errors.AsType[*api.Error](err); !ok {
		return err
	}
	if o.failed == nil {
		o.failed = err
	}
	o.unread = append(o.unread, what)
	return nil
}

// orphans lists the orders that the service shows and nobody here knows, of every list that it has.
func (e *Engine) orphans(ctx context.Context, a store.Account) (seen orphanage, err error) {
	service := e.cfg.Service(a)
	// Only whether it can be read: what it shows is explained from the next reading on (unfreeze).
	if _, err := service.Balance(ctx, 0); err != nil {
		if err := seen.missed(UnreadBalance, err); err != nil {
			return seen, err
		}
	}
	for _, list := range [...]struct {
		family api.Family
		origin api.Origin
	}{{api.Goods, api.FromLegacy}, {api.Arena, api.FromArena}, {api.BattleRoyale, api.FromBattleRoyale}} {
		rows, err := service.History(ctx, list.family, 0)
		if api.ClassOf(err) == api.NotOffered {
			continue
		}
		if err != nil {
			if err := seen.missed(cmp.Or(string(list.family), UnreadGoods), err); err != nil {
				return seen, err
			}
			continue
		}
		known, err := e.knownOf(ctx, a, list.origin, rows)
		if err != nil {
			return seen, err
		}
		for i := range rows {
			if isOrphan(rows, known, i, a.LinkedAt) && len(seen.unknown) < mostOrphans {
				seen.unknown = append(seen.unknown, "#"+rows[i].ID)
			}
		}
	}
	return seen, nil
}

// knownOf tells which rows of a list are known here, by their id or their code.
func (e *Engine) knownOf(ctx context.Context, a store.Account, origin api.Origin, rows []api.Order) ([]bool, error) {
	known := make([]bool, len(rows))
	for i, o := range rows {
		if o.ID == "" {
			continue
		}
		_, err := e.cfg.Store.Order(ctx, a.ID, store.OrderID(string(origin), o.ID))
		if errors.Is(err, store.ErrNotFound) {
			_, err = e.cfg.Store.CodeClaim(ctx, o.Code)
		}
		if err != nil && !errors.Is(err, store.ErrNotFound) {
			return nil, err
		}
		known[i] = err == nil
	}
	return known, nil
}

// isOrphan reports whether a row is an order that nobody here knows, and that was made since the account was linked. Where
// its time does not tell, or may be that of another zone, it is one unless an order that is known is newer.
func isOrphan(rows []api.Order, known []bool, i int, linked time.Time) bool {
	at := rows[i].CreatedAt
	switch {
	case rows[i].ID == "" || known[i]: // what could not be read names nothing that could be told
		return false
	case at.After(linked) && !rows[i].Zoneless, at.After(linked.Add(api.FarthestZone)):
		return true
	case !at.IsZero() && at.Before(linked.Add(-api.FarthestZone)):
		return false
	}
	// Lists are in one order. A known order that is newer shows that this one is of before the copy too.
	for j := range rows {
		if known[j] && isNewer(rows, j, i) {
			return false
		}
	}
	return true
}

// isNewer reports whether one row of a list was made after another: by their numbers, or else by their places, for lists
// begin with what is newest.
func isNewer(rows []api.Order, i, j int) bool {
	a, errA := strconv.ParseUint(rows[i].ID, 10, 64)
	b, errB := strconv.ParseUint(rows[j].ID, 10, 64)
	if errA == nil && errB == nil {
		return a > b
	}
	return i < j
}

// lookAgainAt sets when to look at an account next.
func (e *Engine) lookAgainAt(ctx context.Context, account string, at time.Time) error {
	return e.cfg.Store.Batch(context.WithoutCancel(ctx), func(tx *store.Tx) error {
		a, err := tx.Account(account)
		if err != nil {
			return err
		}
		a.LookAt = at
		return tx.PutAccount(&a)
	})
}

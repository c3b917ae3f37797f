package purchase

import (
	"context"
	"errors"
	"strings"
	"time"

	"resellerbot/internal/api"
	"resellerbot/internal/store"
)

const (
	frozenLook  = 30 * time.Second // between looks at a frozen account
	mostOrphans = 20               // orders that nobody knows, named in one message
)

// thaw checks an account that was restored from a copy: what it bought after the copy was made is known to
// nobody here. Once no purchase of it is uncertain and the service could be read, the chats are told which
// orders are unknown, and it may buy again.
func (e *Engine) thaw(ctx context.Context, a store.Account) error {
	unknown, err := e.orphans(ctx, a)
	if err != nil || a.Busy != "" {
		return errors.Join(err, e.lookAgainAt(ctx, a.ID, time.Now().Add(frozenLook)))
	}
	return e.cfg.Store.Update(context.WithoutCancel(ctx), func(tx *store.Tx) error {
		now, err := tx.Account(a.ID)
		if err != nil || now.Busy != "" {
			return err
		}
		now.Frozen, now.Wallet.Read, now.LookAt = false, false, time.Time{}
		if len(now.Refunds) > 0 {
			now.LookAt = time.Now()
		}
		if err := putAccount(tx, &now); err != nil {
			return err
		}
		e.cfg.Log.Warn("a restored account may buy again", "account", a.ID, "unknown orders", len(unknown))
		for _, chat := range now.PrivateChats(store.Owner) {
			note := &store.Outgoing{Chat: chat, ID: "restored." + store.NewID(time.Now(), e.cfg.Random), Kind: store.Note, Priority: 2,
				Args: map[string]string{"name": "restored", "orders": strings.Join(unknown, " · ")}}
			if err := tx.Enqueue(note); err != nil {
				return err
			}
		}
		return nil
	})
}

// orphans lists the orders that the service shows and nobody here knows, of every list that it has.
func (e *Engine) orphans(ctx context.Context, a store.Account) ([]string, error) {
	service := e.cfg.Service(a)
	if _, err := service.Balance(ctx, 0); err != nil {
		return nil, err
	}
	var out []string
	for family, origin := range map[api.Family]api.Origin{api.Goods: api.FromLegacy, api.Arena: api.FromArena, api.BattleRoyale: api.FromBattleRoyale} {
		list, err := service.History(ctx, family, 0)
		if api.ClassOf(err) == api.NotOffered {
			continue
		}
		if err != nil {
			return nil, err
		}
		for _, o := range list {
			_, err := e.cfg.Store.Order(ctx, a.ID, store.OrderID(string(origin), o.ID))
			if err != nil && !errors.Is(err, store.ErrNotFound) {
				return nil, err
			}
			_, claimed := e.cfg.Store.CodeClaim(ctx, o.Code)
			if claimed != nil && !errors.Is(claimed, store.ErrNotFound) {
				return nil, claimed
			}
			if err != nil && claimed != nil && o.CreatedAt.After(a.LinkedAt) && len(out) < mostOrphans {
				out = append(out, "#"+o.ID)
			}
		}
	}
	return out, nil
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

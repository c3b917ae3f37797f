package purchase

import (
	"context"
	"fmt"
	"slices"
	"time"

	"resellerbot/internal/secret"
	"resellerbot/internal/store"
)

// keyPage is how many accounts are read at once.
const keyPage = 100

// ForgetKeys forgets the keys of the accounts that nobody is linked to any more, as soon as nothing can come of what
// they have bought, and the teams that were too long ago to come back. What else an account knows it keeps: what was
// bought by it still names it, and its movements count on.
func (e *Engine) ForgetKeys(ctx context.Context) error {
	for after := ""; ctx.Err() == nil; {
		page, err := e.cfg.Store.Accounts(ctx, after, keyPage)
		if err != nil {
			return fmt.Errorf("list accounts: %w", err)
		}
		if len(page) == 0 {
			return nil
		}
		after = page[len(page)-1].ID
		for _, a := range page {
			if err := e.forgetKey(ctx, a); err != nil {
				return fmt.Errorf("forget the key of account %s: %w", a.ID, err)
			}
		}
	}
	return nil
}

// forgetKey does so for one account.
func (e *Engine) forgetKey(ctx context.Context, a store.Account) error {
	// Read outside of the transaction, since it lists; what the account itself says is asked again in it.
	key := a.Retired && !a.Key.IsZero() && !a.NeedsKey()
	if key {
		awaited, err := e.awaits(ctx, a)
		if err != nil {
			return err
		}
		key = !awaited
	}
	// A team may come back with its key for FormerLife. It stays longer where the key has to stay: its owner is who speaks for
	// what is still open (Account.OwnerLeft).
	team := a.Former != nil && time.Since(a.Former.At) >= store.FormerLife && (key || a.Key.IsZero() || !a.Retired)
	if !key && !team {
		return nil
	}
	return e.cfg.Store.Update(ctx, func(tx *store.Tx) error {
		now, err := tx.Account(a.ID)
		if err != nil {
			return err
		}
		if key && now.Retired && !now.NeedsKey() {
			now.Key = secret.Text{}
			tx.Then(func() { e.cfg.Log.Info("the key of an unlinked account is forgotten", "account", a.ID) })
		}
		// Another Former came meanwhile where its time differs: the account was linked and left again.
		if team && now.Former != nil && now.Former.At.Equal(a.Former.At) {
			now.Former = nil
		}
		return tx.PutAccount(&now)
	})
}

// awaits reports whether something may still come of what an account has bought: a code, or an order that was not
// found in time.
func (e *Engine) awaits(ctx context.Context, a store.Account) (bool, error) {
	pending, err := e.cfg.Store.PendingOrders(ctx, a.ID, "", 1)
	if err != nil || len(pending) > 0 {
		return true, err
	}
	chats := slices.Concat(a.Chats, a.Past)
	if a.Former != nil {
		for _, m := range a.Former.Team {
			// A private chat has the id of its user.
			chats = append(chats, m.User)
		}
	}
	slices.Sort(chats)
	for _, chat := range slices.Compact(chats) {
		list, err := e.cfg.Store.ChatPurchases(ctx, chat, "", keyPage)
		if err != nil {
			return true, err
		}
		if slices.ContainsFunc(list, func(p store.Purchase) bool { return p.Account == a.ID && p.Phase.Promised() && !p.LookAt.IsZero() }) {
			return true, nil
		}
	}
	return false, nil
}

package purchase

import (
	"context"
	"time"

	"resellerbot/internal/store"
)

// Decide takes a person's word about an undecided purchase: it went through, or it does not exist at the
// service. Orders that the evidence shows for one that went through become its own, and their codes come;
// without them it was taken care of there. Only an owner decides, where it was bought or in their private chat;
// for anybody else it is ErrNotAllowed. Anything but an undecided purchase is left alone with ErrStale.
func (e *Engine) Decide(ctx context.Context, id string, chat, user int64, bought bool) error {
	return e.cfg.Store.Update(ctx, func(tx *store.Tx) error {
		p, a, err := load(tx, id)
		switch {
		case err != nil:
			return err
		case !decides(a, p, user):
			return ErrNotAllowed
		case p.Chat != chat && chat != user, p.Phase != store.Undecided:
			return ErrStale
		}
		tx.Then(func() { e.log(p).Info("a person decided about a purchase", "bought", bought, "by", user) })
		if !bought {
			if err := e.dismiss(tx, &p, &a); err != nil {
				return err
			}
			return e.move(tx, &p, &a, Deny, store.DeniedByPerson)
		}
		const why = "a person said that it was bought"
		tx.Then(func() { e.unseen(id) })
		if ev := p.Evidence; ev != nil && len(ev.Rows) == p.Quantity && ev.Alone && ev.Paid {
			free, err := e.adopt(tx, &p, &a, named{ids: ev.Rows, origin: originOfList(p)})
			if err != nil {
				return err
			}
			if free {
				endLooks(&p)
				return e.move(tx, &p, &a, Find, why)
			}
		}
		if err := debit(tx, &a, p, false, "", time.Now()); err != nil {
			return err
		}
		endLooks(&p)
		return e.move(tx, &p, &a, Close, why)
	})
}

// decides reports whether somebody may decide about a purchase: an owner. Where nobody is left of the team,
// whoever bought it.
func decides(a store.Account, p store.Purchase, user int64) bool {
	return a.Role(user) == store.Owner || a.Retired && p.User == user
}

package purchase

import (
	"errors"

	"resellerbot/internal/api"
	"resellerbot/internal/secret"
	"resellerbot/internal/store"
)

// claimCode makes a code that an order shows its purchase's own. One that belongs to another purchase is taken out of
// what was seen, and other names that purchase: nobody is given what was somebody else's before.
func claimCode(tx *store.Tx, o store.Order, seen api.Order) (_ api.Order, other string, err error) {
	if seen.Code.IsZero() || o.Topup {
		return seen, "", nil
	}
	err = tx.ClaimCode(o, seen.Code)
	if !errors.Is(err, store.ErrClaimed) {
		return seen, "", err
	}
	c, err := tx.CodeClaim(seen.Code)
	seen.Code = secret.Text{}
	return seen, c.Purchase, err
}

// claimName makes the other name of a top-up, where a look shows it, its purchase's own: no other purchase gets it by that.
func (e *Engine) claimName(tx *store.Tx, o *store.Order, seen api.Order) error {
	if api.Origin(o.Origin) != api.FromArena || o.Other != "" || seen.Transaction == "" || seen.Transaction == o.ServiceID() {
		return nil
	}
	o.Other = seen.Transaction
	err := tx.ClaimOrder(*o)
	if errors.Is(err, store.ErrClaimed) {
		e.cfg.Log.Error("a top-up has a name that belongs to another purchase", "purchase", o.Purchase, "order", o.ID)
		return nil
	}
	return err
}

// warnOfClash tells everybody who is concerned that the service has sent another purchase's code for an order.
func (e *Engine) warnOfClash(tx *store.Tx, o store.Order, other string) error {
	p, a, err := load(tx, o.Purchase)
	if err != nil {
		return err
	}
	tx.Then(func() {
		e.log(p).Error("the service sent a code that belongs to another purchase", "order", o.ID, "other", other)
	})
	for _, chat := range e.concerned(p, a) {
		args := map[string]string{"name": "claimed", "ref": store.Ref(p.ID), "other": store.Ref(other)}
		if chat == p.Chat || a.Role(chat) == store.Owner { // whoever operates the bot may not see it
			args["purchase"] = p.ID
		}
		if err := tx.Enqueue(&store.Outgoing{Chat: chat, ID: o.Purchase + ".k" + o.ID, Kind: store.Note, Args: args, Priority: 2}); err != nil {
			return err
		}
	}
	return nil
}

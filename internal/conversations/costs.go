package conversations

import (
	"resellerbot/internal/screen"
	"resellerbot/internal/store"
)

// costs makes screens fit for somebody of a role, or who stands by, who may not see what things cost: a counter, who buys nothing,
// sees no price in its place. Where it cannot be read whether they may, they do not.
func (t *turn) costs(account string, role store.Role) func(screen.Printer) screen.Printer {
	if account == "" {
		return func(p screen.Printer) screen.Printer { return p }
	}
	own, err := t.cfg.Store.Prices(t.ctx, account)
	if err != nil {
		t.cfg.Log.Warn("read who may see what things cost", "update", t.update, "err", err)
	}
	if err != nil || role == store.Counter && own.HidesCost() {
		return screen.Printer.WithoutCost
	}
	return func(p screen.Printer) screen.Printer { return p.Asking(own) }
}

// fitTo makes screens fit for a purchase of an account that the person is of no more: what they were not to see of its cost before, they
// do not see by leaving. others is whether others have that account now, or had it to its end: what the person bought is theirs, and its
// wallet and its record are not.
func (t *turn) fitTo(p store.Purchase) (others bool, err error) {
	if p.Account == t.shop.ID {
		return false, nil
	}
	a, err := t.cfg.Store.Account(t.ctx, p.Account)
	if ignoreMissing(err) != nil {
		return true, err
	}
	if (!t.private || !a.OwnedBy(t.userID)) && !t.costHidden[p.Account] { // a group may have strangers in it by now
		// For the rest of the turn: a screen that shows several purchases is as narrow as the strictest of them.
		costs := t.costs(p.Account, a.Role(t.userID))
		t.scr, t.own = costs(t.scr), costs(t.own)
		if t.costHidden == nil {
			t.costHidden = map[string]bool{}
		}
		t.costHidden[p.Account] = true
	}
	if others = !a.ShowsWallet(p, t.userID); others {
		t.scr, t.own = t.scr.WithoutWallet(), t.own.WithoutWallet()
	}
	return others, nil
}

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

// hideCostOf makes screens fit for a purchase of an account that the person is of no more: what they were not to see of its cost before,
// they do not see by leaving.
func (t *turn) hideCostOf(p store.Purchase) error {
	if p.Account == t.shop.ID || t.costHidden[p.Account] {
		return nil
	}
	a, err := t.cfg.Store.Account(t.ctx, p.Account)
	if ignoreMissing(err) != nil {
		return err
	}
	if !t.private || !a.OwnedBy(t.userID) { // a group may have strangers in it by now
		// For the rest of the turn: a screen that shows several purchases is as narrow as the strictest of them.
		costs := t.costs(p.Account, a.Role(t.userID))
		t.scr, t.own = costs(t.scr), costs(t.own)
	}
	if t.costHidden == nil {
		t.costHidden = map[string]bool{}
	}
	t.costHidden[p.Account] = true
	return nil
}

// hideWalletOf makes screens fit for a purchase of an account that is others' now.
func (t *turn) hideWalletOf(p store.Purchase) error {
	others, err := t.isOthers(p)
	if others {
		t.scr, t.own = t.scr.WithoutWallet(), t.own.WithoutWallet()
	}
	return err
}

// isOthers reports whether a purchase is of an account that the person has left and others have, or had to its end: what they bought is
// theirs, and its wallet is not.
func (t *turn) isOthers(p store.Purchase) (bool, error) {
	if p.Account == t.shop.ID {
		return false, nil
	}
	a, err := t.cfg.Store.Account(t.ctx, p.Account)
	if ignoreMissing(err) != nil {
		return true, err
	}
	return !a.ShowsWallet(p, t.userID), nil
}

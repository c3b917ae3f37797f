package conversations

import (
	"slices"

	"resellerbot/internal/screen"
	"resellerbot/internal/store"
)

// costs is what stands in the place of what things cost for somebody of a role in a shop, or who stands by.
type costs struct {
	own  store.Prices
	none bool // nothing does: no price is shown at all
}

// costsOf reads what somebody of a role sees in the place of what things cost: a counter, who buys nothing, sees no price. Where it cannot be
// read whether they may see what things cost, they do not.
func (t *turn) costsOf(account string, role store.Role) (c costs) {
	if account == "" {
		return c
	}
	own, err := t.cfg.Store.Prices(t.ctx, account)
	if err != nil {
		t.cfg.Log.Warn("read who may see what things cost", "update", t.update, "err", err)
	}
	return costs{own, err != nil || role == store.Counter && own.HidesCost()}
}

// here makes screens of the shop at hand fit.
func (c costs) here(p screen.Printer) screen.Printer {
	if c.none {
		return p.WithoutCost()
	}
	return p.Asking(c.own)
}

// elsewhere makes screens of what was bought for another shop fit.
func (c costs) elsewhere(p screen.Printer, account string) screen.Printer {
	if c.none {
		return p.WithoutCost()
	}
	return p.AskingElsewhere(account, c.own)
}

// fitTo makes screens fit for a purchase that is shown. Of an account that is not the one at hand: what the person was not to see of its cost
// before, they do not see by leaving; what they bought is theirs, and the wallet is not.
func (t *turn) fitTo(p store.Purchase) error {
	if !slices.Contains(t.shownOf, p.Account) {
		t.shownOf = append(t.shownOf, p.Account)
	}
	if p.Account == t.shop.ID {
		return nil
	}
	a, err := t.cfg.Store.Account(t.ctx, p.Account)
	if ignoreMissing(err) != nil {
		return err
	}
	var c costs
	if !t.private || !a.OwnedBy(t.userID) { // a group may have strangers in it by now
		c = t.costsOf(p.Account, a.Role(t.userID))
	}
	t.scr, t.own = c.elsewhere(t.scr, p.Account), c.elsewhere(t.own, p.Account)
	if !a.ShowsWallet(p, t.userID) {
		t.scr, t.own = t.scr.WithoutWallet(), t.own.WithoutWallet()
	}
	return nil
}

// seesRecord reports whether the person sees what the shop and its wallet tell of a purchase that they may be shown: it is of the account at hand,
// or they own the other one, or decide about it.
func (t *turn) seesRecord(p store.Purchase) (bool, error) {
	if p.Account == t.shop.ID {
		return true, nil
	}
	a, err := t.cfg.Store.Account(t.ctx, p.Account)
	return a.ShowsWallet(p, t.userID), ignoreMissing(err)
}

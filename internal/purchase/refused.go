package purchase

import (
	"context"
	"time"

	"resellerbot/internal/store"
)

// Intact looks at a purchase that the service refused, and reports whether its money shows to be where it was: then the
// same may be tried again. Where it does not, until is when a look may show that. What the service never refused
// waits for nothing.
func (e *Engine) Intact(ctx context.Context, id string) (ok bool, until time.Time, err error) {
	p, err := e.cfg.Store.Purchase(ctx, id)
	if err != nil || !waitsForMoney(p) {
		return err == nil, time.Time{}, err
	}
	a, err := e.cfg.Store.Account(ctx, p.Account)
	if err != nil {
		return false, time.Time{}, err
	}
	now := time.Now()
	// No reading can show it earlier: a look before that costs a call and proves nothing.
	if shows := p.AnsweredAt.Add(fresh(a, p)); now.Before(shows) {
		return false, shows, nil
	}
	if err := e.lookFor(ctx, p); err != nil {
		return false, now.Add(leastFresh), err
	}
	// lookFor has written what it saw; its evidence is trusted only if it is of this very look (At).
	if p, err = e.cfg.Store.Purchase(ctx, id); err != nil {
		return false, time.Time{}, err
	}
	ev := p.Evidence
	seen := p.Phase == store.Rejected && ev != nil && !ev.At.Before(now) && ev.Intact && len(ev.Rows) == 0
	if seen || !waitsForMoney(p) {
		return seen || p.Phase == store.Rejected, time.Time{}, nil
	}
	return false, now.Add(leastFresh), nil
}

// showsIntact reports whether the last look at a refused purchase was late enough to show its money gone, and has shown it there.
func showsIntact(a store.Account, p store.Purchase) bool {
	ev := p.Evidence
	return ev != nil && ev.Intact && len(ev.Rows) == 0 && !ev.At.Before(p.AnsweredAt.Add(fresh(a, p)))
}

// waitsForMoney reports whether a purchase was refused by the service itself, and no look has shown so late that its
// money is there that it is.
func waitsForMoney(p store.Purchase) bool {
	cleared := p.Evidence != nil && p.Evidence.Cleared
	return p.Phase == store.Rejected && p.Refused && !cleared
}

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
	seen := p.Phase == store.Rejected && showsIntact(p, now)
	if seen || !waitsForMoney(p) {
		return seen || p.Phase == store.Rejected, time.Time{}, nil
	}
	return false, now.Add(leastFresh), nil
}

// showsIntact reports whether a look at a purchase, at a moment or later, has shown its money to be there, and no order that fits.
func showsIntact(p store.Purchase, since time.Time) bool {
	ev := p.Evidence
	return ev != nil && !ev.At.Before(since) && ev.Intact && len(ev.Rows) == 0
}

// waitsForMoney reports whether a purchase was refused by the service itself, and no look has shown so late that its
// money is there that it is.
func waitsForMoney(p store.Purchase) bool {
	cleared := p.Evidence != nil && p.Evidence.Cleared
	return p.Phase == store.Rejected && p.Refused && !cleared
}

package purchase

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"golang.org/x/sync/errgroup"

	"resellerbot/internal/api"
	"resellerbot/internal/store"
)

const (
	accountsAtOnce = 100 // claimed in one round
	// sideBySide is how many accounts, or purchases, are looked at side by side. Each waits for calls of its own key, so
	// they hold each other up only where the limit is one for the whole process.
	sideBySide      = 8
	unexplainedLook = 30 * time.Second // between looks while the balance shows what nothing explains
)

// ProcessDueAccounts looks at the accounts that are due: at the balance where a refund or the price of a purchase is
// waited for, at the lists that have to be known, and at accounts that a restore has frozen. Chats are told what it
// shows: that money is back or, after a while, that it was not seen.
func (e *Engine) ProcessDueAccounts(ctx context.Context) error {
	// The lease ends what a look that hangs, or a process that dies in it, would hold back: the account is due again after it.
	// A look that comes to its end writes the next LookAt over the lease.
	due, err := e.cfg.Store.ClaimAccounts(ctx, time.Now(), time.Minute, accountsAtOnce)
	if err != nil {
		return fmt.Errorf("claim accounts: %w", err)
	}
	eachDue(ctx, due, func(a store.Account) error {
		if a.Frozen {
			return e.checkFrozen(ctx, a)
		}
		return e.lookAt(ctx, a)
	}, func(a store.Account, err error) {
		e.cfg.Log.Warn("look at an account", "account", a.ID, "frozen", a.Frozen, "err", err)
	})
	return nil
}

// eachDue processes all that is due, some of it side by side. One that fails is no reason to leave the others: it is told of, and
// due again when its lease is over. What fails because of a stop is not told.
func eachDue[T any](ctx context.Context, due []T, process func(T) error, tell func(T, error)) {
	if len(due) == 0 { // as at most beats
		return
	}
	var g errgroup.Group
	g.SetLimit(sideBySide)
	for _, one := range due {
		g.Go(func() error {
			if err := process(one); err != nil && ctx.Err() == nil {
				tell(one, err)
			}
			return nil
		})
	}
	_ = g.Wait() // none of them returns an error
}

// lookAt takes one reading of an account's balance, and of the lists that are to be known. A reading during which
// something was bought, or that lacks a figure, proves nothing and is taken again.
func (e *Engine) lookAt(ctx context.Context, a store.Account) error {
	// failed is returned at the very end: also where the balance cannot be read, prices and refunds that were waited for too long are told.
	seen, failed, err := e.readBalance(ctx, a)
	if err != nil {
		return err
	}
	lessons, err := e.readLessons(ctx, a)
	if err != nil {
		return err
	}
	// The reading is taken by now, so a stop does not throw it away: from here on it is one commit, which is short.
	err = e.cfg.Store.Update(context.WithoutCancel(ctx), func(tx *store.Tx) error {
		now, err := tx.Account(a.ID)
		if err != nil {
			return err
		}
		// A purchase that began after the account was read may be in the figure, or not: nobody can tell. Busy shows one that is
		// under way, Spends one that began and ended meanwhile.
		if now.Busy != "" || now.Spends != a.Spends {
			seen = nil
		}
		// observe before what gives up waiting: a price or a refund that this very reading shows is not called missing. nextLook comes last,
		// for it asks what all of them have left.
		if seen != nil {
			if err := e.observe(tx, &now, *seen); err != nil {
				return err
			}
		}
		if err := e.endPrices(tx, &now, time.Now()); err != nil {
			return err
		}
		lessons.teach(&now, time.Now())
		if err := e.missRefunds(tx, &now, seen, time.Now()); err != nil {
			return err
		}
		now.LookAt = nextLook(now, time.Now())
		return tx.PutAccount(&now)
	})
	// The account is read in the transaction; that it is gone leaves nothing to do.
	if errors.Is(err, store.ErrNotFound) {
		return nil
	}
	return errors.Join(failed, err)
}

// readBalance takes one reading of an account's balance, where there is something to be seen in it. There is none where
// something is being bought, or where a figure is lacking; failed is why the service did not tell it.
func (e *Engine) readBalance(ctx context.Context, a store.Account) (seen *reading, failed, err error) {
	if a.Busy != "" || !waits(a) {
		return nil, nil, nil
	}
	b, failed := e.cfg.Service(a).Balance(api.InBackground(ctx), 0)
	if failed != nil || b.Lacks {
		return nil, failed, nil
	}
	r, err := e.newReading(ctx, a, b, time.Now())
	return &r, nil, err
}

// waits reports whether there is something to be seen in the balance of an account: refunds, or prices.
func waits(a store.Account) bool {
	return len(a.Refunds) > 0 || isUnaccounted(a.Wallet) || slices.ContainsFunc(a.Wallet.Expected, func(x store.Expected) bool {
		return isUnshown(x) || x.Instead != nil
	})
}

// isUnaccounted reports whether the last reading has shown what is not explained, or not in one way.
func isUnaccounted(w store.Wallet) bool { return w.Unexplained != nil || !w.Unsettled.IsZero() }

// isAccepted reports whether an expected change is the price of an accepted purchase, whether or not it has shown.
func isAccepted(x store.Expected) bool {
	return x.Purchase != "" && x.MayGo == "" && !x.Doubtful && !x.Denied
}

// isUnshown reports whether the price of an accepted purchase has not shown in the balance yet.
func isUnshown(x store.Expected) bool {
	return x.Seen.IsZero() && !x.Doubtful && !x.Denied && !x.Before
}

// nextLook is when to look at an account next, by what is waited for.
func nextLook(a store.Account, now time.Time) (at time.Time) {
	sooner := func(next time.Time) {
		if at.IsZero() || next.Before(at) {
			at = next
		}
	}
	if isUnaccounted(a.Wallet) {
		sooner(now.Add(unexplainedLook))
	}
	for _, x := range a.Wallet.Expected {
		if isUnshown(x) || x.List != "" {
			sooner(now.Add(followLook(now.Sub(x.At))))
		} else if x.Instead != nil {
			sooner(x.At.Add(priceLife(a)))
		}
	}
	// RefundAt is zero where something has happened to a refund (noteInflow, awaitAnew), and past where its look is due: that look sets it anew
	// (awaitNext).
	if len(a.Refunds) > 0 && (a.RefundAt.IsZero() || a.RefundAt.Before(now)) {
		sooner(now)
	} else if len(a.Refunds) > 0 {
		sooner(a.RefundAt)
	}
	return at
}

// lesson is what the lists show of a purchase that is followed.
// The offset is what madeAt takes off the times of that list; it is kept in store.Lag.
type lesson struct {
	shown  bool          // with all orders of the purchase
	timed  bool          // it tells when the first was made
	offset time.Duration // of that time
	clock  bool          // which names no zone
}

// lessons is what the lists of an account show of the purchases that are followed, by purchase: none of those whose list could not be read.
type lessons map[string]lesson

// readLessons reads the lists that purchases are to teach something of.
func (e *Engine) readLessons(ctx context.Context, a store.Account) (lessons, error) {
	out := lessons{}
	lists, unread := map[api.Family][]api.Order{}, map[api.Family]bool{}
	// One purchase teaches of the list that its orders will stand in; several of one list share one call.
	for _, x := range a.Wallet.Expected {
		if x.List == "" {
			continue
		}
		p, err := e.cfg.Store.Purchase(ctx, x.Purchase)
		if err != nil {
			return nil, err
		}
		orders, err := e.cfg.Store.OrdersOf(ctx, p)
		if err != nil {
			return nil, err
		}
		family := listOf(p)
		if _, read := lists[family]; !read {
			// A list that cannot be read now teaches nothing, nor that an order was not in it; it is read again with the next look.
			list, err := e.cfg.Service(a).History(api.InBackground(ctx), family, 0)
			lists[family], unread[family] = list, err != nil
		}
		if unread[family] {
			continue
		}
		// All orders have to show. A part of them would teach how late the first one was, and the last one is what is waited for.
		first, all := listedAll(lists[family], orders, p)
		l := lesson{shown: all}
		if at := first.CreatedAt; all && !at.IsZero() && !at.Equal(at.Truncate(24*time.Hour)) { // a date alone tells of no clock
			l.offset, l.timed = offsetOf(at, p.SentAt)
			l.clock = l.timed && first.Zoneless
		}
		out[p.ID] = l
	}
	return out, nil
}

// listedAll reports whether a list shows all orders of a purchase, and which it shows of the first that it gives a time.
func listedAll(list []api.Order, orders []store.Order, p store.Purchase) (first api.Order, all bool) {
	shown := indexOf(list)
	for _, o := range orders {
		i, ok := shown.find(o, listedByName(p, o))
		if !ok {
			return first, false
		}
		if first.CreatedAt.IsZero() {
			first = list[i]
		}
	}
	return first, len(orders) > 0
}

// teach notes what lists have shown.
// The wallet's slice is cloned before it is changed: a copy of the account by value keeps what it had.
func (l lessons) teach(a *store.Account, now time.Time) {
	a.Wallet.Expected = slices.Clone(a.Wallet.Expected)
	for i := range a.Wallet.Expected {
		x := &a.Wallet.Expected[i]
		lesson, read := l[x.Purchase]
		switch {
		case x.List == "":
		// It had not shown at the look before, which was shortly before: so the age is how late the list is.
		case lesson.shown && isTimely(x.At, x.Unlisted, now):
			learn(a, x.List, now.Sub(x.At), now)
			known := a.Lags[x.List]
			if lesson.timed {
				known.Offset, known.Clock = lesson.offset, lesson.clock
			}
			a.Lags[x.List] = known
			x.List = ""
		// It may have shown long ago, while nobody looked: its age would teach too much.
		case lesson.shown:
			x.List = ""
		case now.Sub(x.At) >= memoryOf(*a): // this list does not show such orders, or not that they are ours
			x.List = ""
		case read:
			x.Unlisted = now
		}
	}
}

// askForSupport queues what has to be taken up with the service for everybody who can: the purchase's own
// chat, the owners, and the operator.
func (e *Engine) askForSupport(tx *store.Tx, p store.Purchase, a store.Account) error {
	for _, chat := range e.concerned(p, a) {
		if err := tx.Enqueue(supportMessage(p, chat)); err != nil {
			return err
		}
	}
	return nil
}

// supportMessage is what a purchase has to take up with the service, as a chat is shown it: the same message again, edited
// where it stands.
func supportMessage(p store.Purchase, chat int64) *store.Outgoing {
	return &store.Outgoing{Chat: chat, ID: p.ID + ".s", Kind: store.Support, Purchase: p.ID, Priority: store.NoticePriority}
}

// endSupport has those told who were to take something up with the service, once there is nothing left of it.
func endSupport(tx *store.Tx, p store.Purchase) error {
	orders, err := ordersOf(tx, p)
	if err != nil || p.NeedsSupport(orders) {
		return err
	}
	for _, s := range p.Shown {
		if s.As != store.Support {
			continue
		}
		if err := tx.Enqueue(supportMessage(p, s.Chat)); err != nil {
			return err
		}
	}
	return nil
}

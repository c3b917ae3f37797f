package purchase

import (
	"context"
	"errors"
	"slices"
	"time"

	"resellerbot/internal/api"
	"resellerbot/internal/api/dzd"
	"resellerbot/internal/store"
)

// StopList takes the word of who has confirmed a list, or of an owner, that nothing more of it is to be sent. What was sent
// goes on. ErrNotAllowed for anybody else, ErrStale where there is nothing to stop.
func (e *Engine) StopList(ctx context.Context, id string, user int64) (store.List, error) {
	l, err := e.onList(ctx, Tap{Purchase: id}, func(tx *store.Tx, l *store.List, a *store.Account, now time.Time) error {
		switch {
		case l.User != user && a.Role(user) != store.Owner:
			return ErrNotAllowed
		case l.Phase != store.ListBuying || l.Why != "":
			return ErrStale
		}
		l.Why = store.ReasonStopped
		if err := tx.PutList(l); err != nil {
			return err
		}
		for _, line := range l.Lines {
			if line.Phase != store.Queued || line.Purchase == "" {
				continue
			}
			p, err := tx.Purchase(line.Purchase)
			if err != nil {
				return err
			}
			if p.Phase == store.Queued {
				// One line of a list is in the queue at most. Its end is a move, by which lineMoved ends the list: Why is set.
				return e.end(tx, &p, a, store.ReasonCancelled)
			}
		}
		return e.nextLine(tx, l, a, now)
	})
	if err == nil {
		e.cfg.Log.Info("a list was stopped", "list", id, "by", user)
		e.wake(l.Account)
	}
	return l, err
}

// beginList has the first line of a list bought.
func (e *Engine) beginList(tx *store.Tx, l *store.List, a *store.Account, now time.Time) error {
	l.Phase, l.BegunAt, l.Due = store.ListBuying, now, time.Time{}
	return e.nextLine(tx, l, a, now)
}

// nextLine has the next line of a list join the queue, or ends the list where none is left.
func (e *Engine) nextLine(tx *store.Tx, l *store.List, a *store.Account, now time.Time) error {
	// Once l.Why is set, Next names none any more, and the list ends behind the loop.
	for line := l.Next(); line != nil; line = l.Next() {
		// Made before the checks, which ask a purchase. Where one of them stops the line, it was never stored.
		p := e.lineOf(*l, *line, now)
		switch why := forbidden(*a, p); {
		case why != "":
			l.Why = why
			continue
		case now.Sub(l.BegunAt) > listPatience:
			l.Why = store.ReasonWaited
			continue
		}
		// Asked again for each line, in the transaction that sends it: minutes lie between the ✅ and the last line, in which a colleague may have bought
		// the same for the same player.
		same, err := unasked(tx, purchaseOfLine(*l, *line), *a, now)
		if err != nil {
			return err
		}
		if len(same) > 0 {
			line.Left = store.ReasonRepeat
			unspend(l, a, line.Total)
			continue
		}
		line.Purchase, line.Phase = p.ID, store.Queued
		if err := tx.PutList(l); err != nil {
			return err
		}
		account := a.ID
		// Behind the commit: a walk that is waked before would not see the line in its queue.
		tx.Then(func() { e.wake(account) })
		return e.enqueue(tx, &p, a, now)
	}
	return e.endList(tx, l, a, now)
}

// lineOf is the purchase that a line is.
func (e *Engine) lineOf(l store.List, line store.ListLine, now time.Time) store.Purchase {
	// Day is that of the list: the limit of its buyer was charged with all of it at its ✅. By Day giveBack takes a line off that was
	// not bought. It is empty where nothing was charged.
	return store.Purchase{
		ID: store.NewID(now, e.cfg.Random), Account: l.Account, Chat: l.Chat, User: l.User, Buyer: l.Buyer, Thread: l.Thread, List: l.ID, Phase: store.Drafted,
		ProductID: line.ProductID, VariantID: line.VariantID, Category: line.Category, Plan: line.Plan, Product: line.Product, Variant: line.Variant,
		Family: line.Family, Topup: line.Topup, Manual: line.Manual,
		Quantity: line.Quantity, Inputs: line.Inputs, For: line.For, Player: line.Player, Price: line.Price, Total: line.Total, Sells: line.Sells,
		Day: l.Day, CreatedAt: now, ExpiresAt: now.Add(draftLife),
	}
}

// unspend takes what is not bought of a list off the limit of its buyer.
func unspend(l *store.List, a *store.Account, amount dzd.Amount) {
	if m, ok := a.Member(l.User); ok && l.Day != "" {
		store.Admit(a, m.Unspend(amount, l.Day))
	}
}

// endList notes that nothing more of a list is sent and, once all that was sent has come to an end, that it has too.
func (e *Engine) endList(tx *store.Tx, l *store.List, a *store.Account, now time.Time) error {
	over := true
	for i := range l.Lines {
		line := &l.Lines[i]
		switch {
		case !l.Buys(line):
		case line.Purchase != "":
			over = over && line.Done
		case line.Left == "":
			// The limit of the day was charged for all of the list at its ✅: what is not sent is given back.
			line.Left = l.Why
			unspend(l, a, line.Total)
		}
	}
	if err := tx.PutAccount(a); err != nil {
		return err
	}
	if over && l.Phase == store.ListBuying {
		l.Phase, l.EndedAt, l.Due = store.ListEnded, now, time.Time{}
		if err := e.tellEnd(tx, *l); err != nil {
			return err
		}
	}
	if err := tx.PutList(l); err != nil {
		return err
	}
	return tellList(tx, *l)
}

// lineMoved notes what became of a line in its list, and has the next one sent once this one has left the queue.
func (e *Engine) lineMoved(tx *store.Tx, p store.Purchase, a *store.Account) error {
	if p.List == "" {
		return nil
	}
	l, err := tx.List(p.List)
	if errors.Is(err, store.ErrNotFound) {
		return nil
	}
	if err != nil {
		return err
	}
	line := l.Of(p.ID)
	if line == nil {
		return nil
	}
	count, err := countUnits(tx, p)
	// Those that an answer which proves nothing has named are in the store once they are known to be the purchase's.
	if errors.Is(err, store.ErrNotFound) && (p.Phase == store.Unknown || p.Phase == store.Undecided) {
		count, err = units{}, nil
	}
	if err != nil {
		return err
	}
	now := time.Now()
	line.Phase, line.Codes = p.Phase, count.codes
	// Undecided counts as done: it may wait for a person for days, and the rest of the list is told meanwhile.
	line.Done = p.Phase.Final() || p.Phase == store.Undecided || p.Phase == store.Accepted && count.waiting == 0 && len(p.OrderIDs) > 0
	if l.Phase != store.ListBuying {
		return errors.Join(tx.PutList(&l), tellList(tx, l))
	}
	if l.Why == "" && endsList(p) {
		l.Why = p.Reason
	}
	// The file waits a little for more of them: a file for each line would be fifty messages.
	if l.Codes() > l.Filed && l.Due.IsZero() {
		l.Due = now.Add(fileWait)
	}
	if slices.ContainsFunc(l.Lines, func(line store.ListLine) bool { return isInQueue(line.Phase) }) {
		return errors.Join(tx.PutList(&l), tellList(tx, l))
	}
	return e.nextLine(tx, &l, a, now)
}

// isInQueue reports whether a line holds up those behind it.
func isInQueue(ph store.Phase) bool {
	return ph == store.Queued || ph == store.Submitting || ph == store.Unknown
}

// endsList reports whether what became of a line would become of all behind it: nothing more is sent then.
func endsList(p store.Purchase) bool {
	if p.Phase != store.Dropped && p.Phase != store.Rejected {
		return false
	}
	switch p.Reason {
	case store.ReasonLocked, store.ReasonFrozen, store.ReasonUnlinked, store.ReasonRemoved, store.ReasonWaited, store.ReasonHeld, store.ReasonOutage,
		ReasonOf(api.Unauthorized), ReasonOf(api.IPBlocked), ReasonOf(api.Funds):
		return true
	}
	return false
}

// setApart gives a line of a list a message of its own once something is wrong with it: people may have to decide about it, or
// were told that it was refused. Where that was not so, its list and the file of that may be over by now.
func setApart(p *store.Purchase, was store.Phase) {
	switch {
	case p.List == "":
	case p.Phase == store.Unknown, p.Phase == store.Undecided, p.Phase == store.NotCreated, was == store.Rejected:
		p.Apart = true
	}
}

// setApartOf gives a line of a list a message of its own where nothing else would bring its codes: they came after the list and
// its file were over, or are others than before.
func setApartOf(tx *store.Tx, p *store.Purchase, count units, recoded bool) error {
	if p.List == "" || p.Apart {
		return nil
	}
	l, err := tx.List(p.List)
	switch {
	// A list is forgotten before its purchases are.
	case errors.Is(err, store.ErrNotFound): // every message of it is its own
		return nil
	case err != nil:
		return err
	}
	line := l.Of(p.ID)
	if over := l.Phase != store.ListBuying && line != nil && count.codes > line.Codes; !over && !recoded {
		return nil
	}
	p.Apart = true
	return tx.PutPurchase(p)
}

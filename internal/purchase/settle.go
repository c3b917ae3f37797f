package purchase

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"resellerbot/internal/api"
	"resellerbot/internal/api/dzd"
	"resellerbot/internal/secret"
	"resellerbot/internal/store"
)

// Settle takes what the service showed of an account's orders: codes and failures are stored, the
// purchases move, and the messages that tell of it are queued, all in one transaction. Orders that are
// not ours are left alone. It may be called twice with the same.
func (e *Engine) Settle(ctx context.Context, account string, seen []api.Order, at time.Time) error {
	inflow, err := e.inflowBefore(ctx, account, seen)
	if err != nil {
		return fmt.Errorf("look what has come to account %s: %w", account, err)
	}
	err = e.cfg.Store.Update(ctx, func(tx *store.Tx) error {
		wantSeen(tx, account, seen)
		touched := map[string]orderChange{}
		for _, o := range seen {
			p, c, err := e.settleOrder(tx, account, o, inflow[o.ID], at)
			if err != nil {
				return fmt.Errorf("order %s: %w", o.ID, err)
			}
			if p != "" {
				touched[p] = touched[p].and(c)
			}
		}
		// In any order: each reads its purchase and its account anew, as the one before has put them.
		for id, c := range touched {
			if err := e.settlePurchase(tx, id, c, at); err != nil {
				return fmt.Errorf("purchase %s: %w", id, err)
			}
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("settle orders of account %s: %w", account, err)
	}
	return nil
}

// wantSeen has what a look at orders may change read together.
func wantSeen(tx *store.Tx, account string, seen []api.Order) {
	ids, codes := make([]string, len(seen)), make([]secret.Text, len(seen))
	for i, o := range seen {
		ids[i], codes[i] = o.ID, o.Code
	}
	tx.WantSeen(account, ids, codes)
}

// orderChange is what a look has changed of an order, as far as people are told.
type orderChange struct {
	any     bool
	recoded bool // a code differs from the one that was shown before
	undone  bool // it has failed after it was delivered
	gone    bool // the service does not show it any more
	clash   bool // it has sent another purchase's code
}

// and is both changes together.
func (c orderChange) and(d orderChange) orderChange {
	return orderChange{c.any || d.any, c.recoded || d.recoded, c.undone || d.undone, c.gone || d.gone, c.clash || d.clash}
}

// changeOf is what has changed of an order.
func changeOf(was, o store.Order) orderChange {
	recoded := len(o.Later) > len(was.Later)
	unrecognized := o.Unrecognized != was.Unrecognized && o.State == store.Waiting // else nobody is shown it
	coded := !o.Code.Equal(was.Code)                                               // it has come, or has grown
	words := o.Code.IsZero() && !o.Instead.Equal(was.Instead) && (api.Sentence(o.Instead.Reveal()) || o.CodeOverdue() || o.State == store.Completed)
	noted := !o.Notes.Equal(was.Notes) && o.State == store.Waiting // what is at its end shows them with what it brings
	return orderChange{
		any:     recoded || coded || words || noted || o.State != was.State || o.Late != was.Late || unrecognized || o.Back != was.Back || o.Gone != was.Gone,
		gone:    o.Gone && !was.Gone,
		recoded: recoded,
		undone:  o.State == store.Failed && (was.State == store.Ready || was.State == store.Completed),
	}
}

// settleOrder notes one look at an order; inflow is what has come from outside since it was delivered, where it is called failed now. It names
// the order's purchase, "" where the order is not ours.
func (e *Engine) settleOrder(tx *store.Tx, account string, seen api.Order, inflow dzd.Amount, at time.Time) (purchase string, c orderChange, err error) {
	was, err := tx.Order(account, seen.ID)
	if errors.Is(err, store.ErrNotFound) {
		return "", c, nil
	}
	if err != nil {
		return "", c, err
	}
	another, err := isAnothers(tx, was, seen)
	if err != nil {
		return "", c, err
	}
	if another {
		e.cfg.Log.Error("the service tells of another order under the number of one", "order", was.ID, "purchase", was.Purchase)
		seen = api.Order{ID: seen.ID} // an answer that says nothing
	}
	seen, clash, err := e.takeCode(tx, &was, seen)
	if err != nil {
		return "", c, err
	}
	o := e.advance(was, seen, at)
	if o.State == store.Failed && was.State != store.Failed {
		o.Came = store.Inflow{Sum: inflow, Left: inflow}
	}
	if err := growCode(tx, was, &o, seen.Code); err != nil {
		return "", c, err
	}
	o.Clash = o.Clash || clash
	c = changeOf(was, o)
	c.clash = o.Clash && !was.Clash
	repriced := !o.Price.Equal(was.Price)
	if !c.any && !c.clash && !repriced && was.Due.IsZero() && o.Due.IsZero() { // somebody has looked once more at what is at its end
		return o.Purchase, c, nil
	}
	tx.Then(func() { e.logOrder(was, o) })
	return o.Purchase, c, tx.PutOrder(&o)
}

// isAnothers reports whether what is told of an order that waits is of another one, as where an endpoint counts by itself. One difference may be a name
// that was changed, or an id that is written in another way: it takes two, that it is called otherwise, and that it is for another player or more
// than a zone older than its purchase.
func isAnothers(tx *store.Tx, was store.Order, seen api.Order) (bool, error) {
	tells := !seen.Code.IsZero() || seen.Stage() != api.Underway && seen.Status != ""
	old := !seen.CreatedAt.IsZero() && seen.CreatedAt.Before(was.CreatedAt.Add(-farOff))
	// What most orders tell is asked first: the purchase of a big one is not read for each of its units.
	if was.State != store.Waiting || !tells || seen.PlayerID == "" && !old {
		return false, nil
	}
	p, err := tx.Purchase(was.Purchase)
	if err != nil {
		return false, fmt.Errorf("read the purchase: %w", err)
	}
	bought, shown := itemOf(p), itemIn(p, seen)
	called := (shown.product == "" || same(shown.product, bought.product)) && (shown.variant == "" || same(shown.variant, bought.variant))
	// An id with something else in it than digits may be ours with stars, or a name, in it.
	other := isNumber(seen.PlayerID) && isNumber(bought.player) && !mayBeFor(seen, bought)
	return !called && (other || seen.CreatedAt.Before(p.SentAt.Add(-farOff)) && old), nil
}

// isNumber reports whether an id is digits alone.
func isNumber(id string) bool { return id != "" && strings.Trim(id, "0123456789") == "" }

// logOrder writes down what a look has changed of an order.
func (e *Engine) logOrder(was, o store.Order) {
	log := e.cfg.Log.With("purchase", o.Purchase, "account", o.Account, "order", o.ID, "state", string(o.State), "looks", o.Looks)
	switch {
	case len(o.Later) > len(was.Later):
		log.Error("the service shows another code than before", "codes", len(o.Codes()))
	case o.State == was.State && o.Back && !was.Back:
		log.Warn("an order goes back from its end")
	case o.State != was.State && was.State != store.Waiting:
		log.Warn("an order has come to another end than before", "was", string(was.State))
	case o.State != was.State:
		log.Info("order came to its end")
	}
}

// News reports whether a look at an order that waits shows anything that Settle would have to put on disk.
// Looks and times alone are no news: the follower keeps them in memory, and spares a commit for each look.
func (e *Engine) News(o store.Order, seen api.Order, at time.Time) bool {
	next := e.advance(o, seen, at)
	// The first price mostly comes with the first status, and is written with that.
	repriced := !o.Price.IsZero() && !next.Price.Equal(o.Price)
	return repriced || changeOf(o, next).any || next.Status != o.Status || !next.DoneAt.Equal(o.DoneAt) ||
		!next.Unshown.Equal(o.Unshown) || !next.Notes.Equal(o.Notes) || !next.Instead.Equal(o.Instead)
}

// settlePurchase brings a purchase up to its orders and queues what the chat has to be told.
func (e *Engine) settlePurchase(tx *store.Tx, id string, c orderChange, at time.Time) error {
	p, a, err := load(tx, id)
	if err != nil {
		return err
	}
	// First: where the orders are let go of, nothing else is to be told of them.
	if c.clash {
		if let, err := e.letGoOfClash(tx, &p, &a, at); let || err != nil {
			return err
		}
	}
	if c.recoded {
		if err := e.warn(tx, p, a, store.CodeChangedNote, at); err != nil {
			return err
		}
	}
	if c.undone {
		if err := e.warn(tx, p, a, store.UndoneNote, at); err != nil {
			return err
		}
	}
	if c.gone {
		if err := e.warn(tx, p, a, store.GoneNote, at); err != nil {
			return err
		}
		p.LookAt = at // whether the list shows others in their place
		if err := tx.PutPurchase(&p); err != nil {
			return err
		}
	}
	if err := e.priced(tx, &p, &a, at); err != nil {
		return err
	}
	if err := e.tellMissing(tx, &p, a); err != nil {
		return err
	}
	if err := followLines(tx, p, at); err != nil {
		return err
	}
	return e.settleLoaded(tx, &p, &a, c.any, c.recoded, at)
}

// tellMissing has people ask the service for orders of a purchase that were not found, once all that were found have been
// looked at, unless only these were charged.
func (e *Engine) tellMissing(tx *store.Tx, p *store.Purchase, a store.Account) error {
	if !p.MissesPaid() || p.Told.Missing || p.SeeksMissing() {
		return nil
	}
	orders, err := ordersOf(tx, *p)
	if err != nil || slices.ContainsFunc(orders, func(o store.Order) bool { return o.Looks == 0 }) {
		return err
	}
	// Set with the messages, in one transaction: people are told once.
	p.Told.Missing = true
	return errors.Join(e.askForSupport(tx, *p, a), tx.PutPurchase(p))
}

// warn tells everybody who is concerned that the service has changed its word about what was bought: it shows another
// code, calls what was delivered failed, or does not show it any more.
func (e *Engine) warn(tx *store.Tx, p store.Purchase, a store.Account, name store.NoteName, at time.Time) error {
	for _, chat := range e.concerned(p, a) {
		args := map[string]string{"ref": store.Ref(p.ID)}
		if chat == p.Chat || a.Role(chat) == store.Owner { // the operator may not see it
			args["purchase"] = p.ID
		}
		id := fmt.Sprintf("%s.%c%d", p.ID, name[0], at.UnixMilli())
		if err := tx.Enqueue(store.NewNote(chat, id, name, args).Of(p.Account)); err != nil {
			return err
		}
	}
	return nil
}

// settleLoaded is settlePurchase for a purchase that is in hand with its account. recoded is that a code differs from the one before.
func (e *Engine) settleLoaded(tx *store.Tx, p *store.Purchase, a *store.Account, changed, recoded bool, at time.Time) error {
	// First: countUnits counts the refunds that it opens, and a purchase does not complete while one is waited for.
	opened, err := e.matchRefunds(tx, *p, a, at)
	if err != nil {
		return err
	}
	count, err := countUnits(tx, *p)
	if err != nil {
		return err
	}
	filed, err := filedAnew(tx, p, count, changed, recoded)
	if err != nil {
		return err
	}
	if !changed && !opened {
		return nil
	}
	if err := apartWhenWrong(tx, p, count); err != nil {
		return err
	}
	if err := errors.Join(e.announce(tx, p, *a, count, filed), endSupport(tx, *p)); err != nil {
		return err
	}
	if err := copyEnds(tx, *p, *a, count); err != nil {
		return err
	}
	if settled, err := e.completes(tx, p, a, count); settled || err != nil {
		return err
	}
	if opened {
		if err := tx.PutAccount(a); err != nil {
			return err
		}
	}
	if err := showAnew(tx, *p); err != nil {
		return err
	}
	return e.lineMoved(tx, *p, a)
}

// completes settles a purchase whose orders have all come to their end, unless others of it are looked for.
func (e *Engine) completes(tx *store.Tx, p *store.Purchase, a *store.Account, count units) (settled bool, err error) {
	if count.waiting > 0 || count.refunds > 0 || p.Phase != store.Accepted || p.SeeksMissing() {
		return false, nil
	}
	tx.Then(func() { e.log(*p).Info("purchase settled", "codes", count.ready, "failed", count.failed) })
	endLooks(p)
	return true, e.move(tx, p, a, Complete, "")
}

// filedAnew reports whether codes of a purchase are still to travel in a file of its own, and queues that where a look has
// changed something.
func filedAnew(tx *store.Tx, p *store.Purchase, count units, changed, recoded bool) (filed bool, err error) {
	if changed {
		if err := setApartOf(tx, p, count, recoded); err != nil {
			return false, err
		}
	}
	filed = count.document && (p.List == "" || p.Apart) && count.codes > p.Told.Codes
	if filed && changed {
		err = tx.Enqueue(store.FileOf(*p))
	}
	return filed, err
}

// apartWhenWrong gives a line of a list a message of its own once a unit has failed, or takes too long.
func apartWhenWrong(tx *store.Tx, p *store.Purchase, count units) error {
	if p.List == "" || p.Apart || count.failed == 0 && !count.late {
		return nil
	}
	p.Apart = true
	return tx.PutPurchase(p)
}

// copyEnds has the ends of units told to those who stand beside a purchase.
func copyEnds(tx *store.Tx, p store.Purchase, a store.Account, count units) error {
	if count.ended() == 0 {
		return nil
	}
	return errors.Join(copies(tx, p, a), queueFor(tx, p, store.Request, ".a", nil))
}

// matchRefunds begins to wait for the refunds of orders that have failed, and ends it for those that have not
// failed after all.
func (e *Engine) matchRefunds(tx *store.Tx, p store.Purchase, a *store.Account, at time.Time) (changed bool, err error) {
	for _, id := range p.OrderIDs {
		o, err := tx.Order(p.Account, id)
		if err != nil {
			return false, err
		}
		// A refund that is looked for no more (unseen) has not come either. The price of its order is still gone, so it need not go again
		// where the order turns out not to have failed.
		awaited := o.Refund.Awaited() || o.Refund == store.RefundUnseen
		switch {
		case o.State == store.Failed && o.Refund == store.NoRefund:
			o.Refund, a.LookAt = store.RefundWaiting, at
			a.Refunds = append(a.Refunds, id)
		case o.State != store.Failed && o.Refund != store.NoRefund:
			if !awaited {
				if err := e.retake(tx, a, p, o, at); err != nil {
					return false, err
				}
			}
			o.Refund = store.NoRefund
			a.Refunds = without(a.Refunds, id)
		default:
			continue
		}
		if err := tx.PutOrder(&o); err != nil {
			return false, err
		}
		changed = true
	}
	return changed, nil
}

// concerned lists the chats of everybody who can take something up with the service: the purchase's own, the
// owners', and that of the operator.
func (e *Engine) concerned(p store.Purchase, a store.Account) []int64 {
	chats := []int64{p.Chat}
	for _, chat := range append(a.PrivateChats(store.Owner), e.cfg.Operator) {
		if chat != 0 && !slices.Contains(chats, chat) {
			chats = append(chats, chat)
		}
	}
	return chats
}

// units counts a purchase's orders by what became of them.
type units struct {
	ready, failed, waiting int
	codes                  int  // that the service has shown
	refunds                int  // failed ones whose refund is waited for
	late                   bool // one of them takes too long
	document               bool // their codes travel in a file
}

// ended is how many came to their end.
func (u units) ended() int { return u.ready + u.failed }

// countUnits reads the orders of a purchase.
func countUnits(tx *store.Tx, p store.Purchase) (units, error) {
	var u units
	orders, err := ordersOf(tx, p)
	for _, o := range orders {
		switch o.State {
		case store.Ready, store.Completed:
			u.ready++
			u.late = u.late || o.Late && o.State == store.Completed
		case store.Failed:
			u.failed++
			if o.Refund == store.RefundWaiting {
				u.refunds++
			}
		default:
			u.waiting++
			u.late = u.late || o.Late
		}
	}
	u.document, u.codes = p.InDocument(orders), store.CountCodes(orders)
	return u, err
}

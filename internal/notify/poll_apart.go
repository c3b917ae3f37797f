package notify

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"net/http"
	"slices"
	"time"

	"resellerbot/internal/api"
	"resellerbot/internal/backoff"
	"resellerbot/internal/store"
)

// A call for many orders and the one for a single order are two endpoints: either may fail, or say less, where the
// other shows a code. What a batch does not tell is therefore asked for by itself, as often as the budget and the
// pauses of each order allow. purchase/look.go takes the same steps (batch, each by itself, list) when a person asks for a look: what
// changes here mostly has to change there.

const (
	mostApart = 8 // orders that one look asks for by themselves
	// singleFor is how long an order is asked for without others, since a batch was refused for it; newSingleFor, where it is younger than newFor:
	// it may only not be known yet.
	singleFor, newSingleFor, newFor = time.Hour, 2 * time.Minute, time.Minute
	firstRest                       = 2 * time.Second // before an order is asked for by itself again, when it has told nothing: longer than a failed call rests a schedule, so that another one has its turn
)

// tries is how an order was asked for by itself in vain.
type tries struct {
	made int
	next time.Time // not before
}

// lookApart asks for orders by themselves which a batch did not show, or all of them where the batch has failed as a
// whole. The batch's error is returned where the service does not answer for a single one either.
func (p *Poller) lookApart(ctx context.Context, s *schedule, q query, l left, batchErr error) error {
	// Where the batch has failed as a whole, l.refused is still what its halves have told before.
	if batchErr != nil && !mayBeBatch(ctx, batchErr) {
		return errors.Join(batchErr, p.setAside(ctx, s, l.refused))
	}
	orders := append(slices.Clone(l.refused), l.unclear...)
	if batchErr != nil {
		orders = p.afterFailure(s, q.orders)
	}
	shown, unshown, failed := p.askEach(ctx, s, q.service, orders)
	// All orders refused one by one is as good as a batch that failed, unless it is one that batches are known to be refused for.
	var single bool
	p.change(func() { single = len(q.orders) == 1 && s.isSingle(q.orders[0].ID) })
	broken := batchErr != nil || len(l.refused) == len(q.orders) && !single
	switch {
	case batchErr != nil && len(shown)+len(unshown) == 0:
		return batchErr
	case broken && len(shown) > 0:
		p.cfg.Log.Warn("orders are only shown one by one", "account", s.account, "orders", len(shown), "err", batchErr)
		p.change(func() { s.batchFails(min(len(q.orders), s.batch.most(time.Now()))) }) // of several, each was so large at most
		l.refused = nil
	}
	// Set aside is what the batch refused and no single call has shown. Gone is what the batch left out and no single call knows: one of the
	// two alone may be a defect of that endpoint.
	p.change(func() { s.noteRefused(l.refused, shown, len(q.orders), time.Now()) })
	l.refused = slices.DeleteFunc(l.refused, func(o store.Order) bool { return slices.Contains(shown, o.ID) })
	p.noteLeftOut(s, q, l.missing, shown, unshown, batchErr)
	// A batch that shows others and leaves one out says as much as that this one is not known, where it cannot be asked for by itself.
	if batchErr == nil && len(l.missing) < len(q.orders) {
		unshown = append(unshown, failed...)
	}
	l.missing = slices.DeleteFunc(l.missing, func(o store.Order) bool { return !slices.Contains(unshown, o.ID) })
	return errors.Join(p.setAside(ctx, s, l.refused), p.noteGone(ctx, s, l.missing))
}

// noteLeftOut notes what it says of batches that they have left out some orders, of which some are shown by themselves, and some are not. Fewer
// than a look asks for by themselves say nothing.
func (p *Poller) noteLeftOut(s *schedule, q query, missing []store.Order, shown, unshown []string, batchErr error) {
	asked := len(q.orders)
	in := func(ids []string) func(store.Order) bool {
		return func(o store.Order) bool { return slices.Contains(ids, o.ID) }
	}
	switch {
	case batchErr != nil || len(missing) <= mostApart:
	// An answer of nothing at all, where single orders are shown, is as good as a failure.
	case len(missing) == asked && len(shown) > 0:
		p.change(func() { s.batchFails(min(asked, s.batch.most(time.Now()))) })
	// What is shown nowhere is gone, and no answer could show it.
	case len(missing) < asked && asked <= batchSize && !slices.ContainsFunc(missing, in(unshown)):
		p.change(func() { s.batch.leftOut(asked, asked-len(missing), time.Now()) })
	}
}

// noteGone puts on disk that the service shows some orders neither in a batch nor by themselves, as far as that is news.
func (p *Poller) noteGone(ctx context.Context, s *schedule, orders []store.Order) error {
	now := time.Now()
	orders = slices.DeleteFunc(orders, func(o store.Order) bool { return !p.cfg.Settler.News(o, api.Order{ID: o.ID, Gone: true}, now) })
	if len(orders) == 0 {
		return nil
	}
	if err := p.cfg.Settler.Settle(context.WithoutCancel(ctx), s.account, gone(orders), now); err != nil {
		return err
	}
	p.drop(s, orders)
	return nil
}

// unwrittenError is that our store did not take what a call has shown: it says nothing of the service.
type unwrittenError struct{ error }

// Unwrap implements errors.Unwrap.
func (e unwrittenError) Unwrap() error { return e.error }

// mayBeBatch reports whether a batch may have failed where a single order is shown: not by the budget, a stop or our own store. A key, or an address,
// may be refused at that endpoint alone: a single call tells.
func mayBeBatch(ctx context.Context, err error) bool {
	if _, ours := errors.AsType[unwrittenError](err); ours {
		return false
	}
	return ctx.Err() == nil && api.ClassOf(err) != api.Limited
}

// askEach asks for orders by themselves, as far as they and the budget may be asked now: first those that were asked for
// in vain the least, as one may break every call. It names those that were shown, those that the service does not know by themselves, and
// the one for which it did not answer.
func (p *Poller) askEach(ctx context.Context, s *schedule, service OrderSource, orders []store.Order) (shown, unshown, failed []string) {
	for _, o := range p.leastInVain(s, orders) {
		if len(shown)+len(unshown) == mostApart || ctx.Err() != nil || !hasBudget(service, o) {
			break
		}
		if !p.mayAskAlone(s, o.ID) {
			continue
		}
		p.change(func() { s.askedAlone[o.ID] = time.Now() })
		switch err := p.askAlone(ctx, s, service, o); {
		case err == nil:
			shown = append(shown, o.ID)
		case isUnshown(err):
			unshown = append(unshown, o.ID)
			p.change(func() { s.heard = true })
		// Neither shown nor unshown is a service that does not answer: the rest would only cost more of the budget.
		default:
			p.cfg.Log.Info("an order could not be looked at by itself", "account", o.Account, "order", o.ID, "err", err)
			return shown, unshown, []string{o.ID}
		}
	}
	return shown, unshown, nil
}

// hasBudget reports whether polling may ask for an order by itself now.
func hasBudget(service OrderSource, o store.Order) bool {
	calls := 1.0
	if api.Origin(o.Origin).Twice() {
		calls = 2
	}
	a := service.Allowance(http.MethodGet)
	return a.Left >= calls && !a.NotBefore.After(time.Now())
}

// askAlone asks for one order by itself, and settles what that shows. Where that is not what came of it, the list of what
// was bought may show it.
func (p *Poller) askAlone(ctx context.Context, s *schedule, service OrderSource, o store.Order) error {
	at := time.Now()
	got, err := service.Order(api.InBackground(ctx), api.OrderRef{Origin: api.Origin(o.Origin), ID: o.ServiceID(), Transaction: o.Other})
	if err == nil && !got.Clear(o.Topup) || isUnshown(err) {
		got, err = p.askList(ctx, service, o, got, err)
	}
	p.change(func() { s.noteTry(o, got, err) })
	if err != nil {
		return err
	}
	got.ID = o.ID
	return p.receive(ctx, s, []store.Order{o}, []api.Order{got}, at)
}

// askList is what the list of what was bought shows of an order, where that is more than its endpoint does. A list that
// cannot be read shows nothing.
func (p *Poller) askList(ctx context.Context, service OrderSource, o store.Order, shown api.Order, unshown error) (api.Order, error) {
	a := service.Allowance(http.MethodGet)
	// What is here already needs no list, and the list is one more call.
	if !o.Code.IsZero() || a.Left < 1 || a.NotBefore.After(time.Now()) {
		return shown, unshown
	}
	listed, ok, err := p.cfg.Settler.Listed(api.InBackground(ctx), o)
	if err != nil {
		p.cfg.Log.Info("the list could not be looked at for an order", "account", o.Account, "order", o.ID, "err", err)
		return shown, unshown
	}
	switch {
	case !ok:
		return shown, unshown
	case unshown != nil:
		return listed, nil //nolint:nilerr // the list shows what the endpoints do not
	}
	return shown.WithCodeOf(listed), nil
}

// isUnshown reports whether an error is about one order, which the service does not show there.
func isUnshown(err error) bool {
	class := api.ClassOf(err)
	return class == api.NotFound || class == api.Invalid || class == api.NotOffered
}

// unclear lists orders that are waited for and of which an answer does not say how they stand.
func unclear(asked []store.Order, seen []api.Order) (list []store.Order) {
	for _, o := range asked {
		said := func(got api.Order) bool { return got.ID == o.ID && got.Clear(o.Topup) }
		if o.State != store.Ready && !o.Rechecked && !slices.ContainsFunc(seen, said) {
			list = append(list, o)
		}
	}
	return list
}

// shownOf is how many of some orders an answer shows.
func shownOf(asked []store.Order, seen []api.Order) int {
	return len(asked) - len(missing(asked, seen))
}

// missing lists orders that an answer leaves out.
func missing(asked []store.Order, seen []api.Order) (list []store.Order) {
	for _, o := range asked {
		if !slices.ContainsFunc(seen, func(got api.Order) bool { return got.ID == o.ID }) {
			list = append(list, o)
		}
	}
	return list
}

// afterFailure lists those of some orders that are still in hand, where a batch has failed more than once: once may be
// chance, and whether it is the service itself shows by one of them.
func (p *Poller) afterFailure(s *schedule, orders []store.Order) (list []store.Order) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, o := range orders {
		if _, ok := s.orders[o.ID]; ok && s.failures+s.broken > 0 {
			list = append(list, o)
		}
	}
	return list
}

// leastInVain sorts orders by how often each was asked for by itself in vain, and then by when it was: the longest ago first.
func (p *Poller) leastInVain(s *schedule, orders []store.Order) []store.Order {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.SortedStableFunc(slices.Values(orders), func(x, y store.Order) int {
		return cmp.Or(cmp.Compare(s.fruitless[x.ID].made, s.fruitless[y.ID].made), s.askedAlone[x.ID].Compare(s.askedAlone[y.ID]))
	})
}

// mayAskAlone reports whether an order may be asked for by itself now.
func (p *Poller) mayAskAlone(s *schedule, id string) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return !s.fruitless[id].next.After(time.Now())
}

// noteTry notes what came of asking for an order by itself. The pause after what was in vain doubles: up to that of
// an order that the service does not know (5 minutes), or of a service that does not answer (2 minutes).
func (s *schedule) noteTry(o store.Order, got api.Order, err error) {
	if err == nil && got.Clear(o.Topup) {
		delete(s.fruitless, o.ID)
		return
	}
	if look, is := s.single[o.ID]; is { // the call for batches may show it
		look.alone = false
		s.single[o.ID] = look
	}
	most := refusedWait
	if err != nil && !isUnshown(err) {
		most = 2 * outageWait(longOutage)
	}
	s.tryLater(o.ID, most, time.Now())
}

// tryLater notes that an order was asked for in vain.
func (s *schedule) tryLater(id string, most time.Duration, now time.Time) {
	made := s.fruitless[id].made + 1
	s.fruitless[id] = tries{made, now.Add(backoff.Doubled(firstRest, most, made))}
}

// single is how an order is asked for that a batch was refused for: without others, or each batch that it is in would have to be searched
// for it anew.
type single struct {
	until time.Time // then it is forgotten (forgetTries), and the order is in a batch with others again
	alone bool      // its own endpoint shows it: no batch of one is needed
}

// noteRefused notes orders for which a batch was refused, of so many that a look was at; shown are those that were shown by themselves.
func (s *schedule) noteRefused(refused []store.Order, shown []string, of int, now time.Time) {
	for _, o := range refused {
		// Where no call was left for it alone, the batch has told as much.
		if tried := s.fruitless[o.ID]; !slices.Contains(shown, o.ID) && !tried.next.After(now) {
			s.tryLater(o.ID, refusedWait, now)
		}
	}
	// Where many are refused, or all, it is not about these orders, and each in a call of its own would use up the budget.
	alone := of == 1 && len(refused) == 1 && s.isSingle(refused[0].ID)
	if (len(refused) > mostApart || len(refused) == of) && !alone {
		return
	}
	for _, o := range refused {
		s.noteSingle(o, slices.Contains(shown, o.ID), now)
	}
}

// noteParted notes orders that were shown without others and refused beside one or two: of two, nothing shows which one was refused. Where the
// service is found to take no two (sizes.parted), it is none of them.
func (s *schedule) noteParted(parted []store.Order, now time.Time) {
	if s.batch.kept == 1 {
		return
	}
	for _, o := range parted {
		s.noteSingle(o, !s.onlyInBatch, now)
	}
}

// noteSingle has an order asked for without others for a while.
func (s *schedule) noteSingle(o store.Order, alone bool, now time.Time) {
	until := now.Add(singleFor)
	if now.Sub(o.CreatedAt) < newFor {
		until = now.Add(newSingleFor)
	}
	s.single[o.ID] = single{until, alone}
}

// byRest groups orders that the service does not show by how long they go without a look: twice as long as the last time, since one that is
// new may only be known a moment later.
func (p *Poller) byRest(s *schedule, orders []store.Order) map[time.Duration][]store.Order {
	groups := map[time.Duration][]store.Order{}
	p.change(func() {
		for _, o := range orders {
			wait := backoff.Doubled(firstRest, refusedWait, s.fruitless[o.ID].made)
			groups[wait] = append(groups[wait], o)
		}
	})
	return groups
}

// isSingle reports whether an order is asked for without others, since a batch was refused for it.
func (s *schedule) isSingle(id string) bool {
	_, is := s.single[id]
	return is
}

// inBatches reports whether an order is asked for together with others.
func (s *schedule) inBatches(o store.Order) bool {
	return api.Origin(o.Origin).Batched() && !s.isSingle(o.ID)
}

// inBatchOfOne reports whether an order is asked for by the call for batches, without others.
func (s *schedule) inBatchOfOne(o store.Order) bool {
	return api.Origin(o.Origin).Batched() && s.isSingle(o.ID) && !s.single[o.ID].alone
}

// forgetTries drops what says nothing any more of how orders are asked for.
func (s *schedule) forgetTries(now time.Time) {
	maps.DeleteFunc(s.single, func(_ string, look single) bool { return !look.until.After(now) })
	if now.Sub(s.batch.pagedAt) > orphanWait {
		s.batch.page, s.batch.pages = 0, 0
	}
	maps.DeleteFunc(s.askedAlone, func(_ string, at time.Time) bool { return now.Sub(at) > orphanWait })
	for id, a := range s.fruitless {
		if now.Sub(a.next) > orphanWait {
			delete(s.fruitless, id)
		}
	}
}

// batchFails notes that the service shows orders one by one, and not in a batch of so many: that is tried again ever more slowly, and with
// fewer, for it may be their number.
func (s *schedule) batchFails(n int) {
	s.broken++
	s.batchRest = time.Now().Add(outageWait(s.broken))
	s.batch.failed(n, time.Now())
}

// batchAnswered notes that the service has answered for a batch, and how many orders of it the answer shows. One of nothing says nothing of
// batches (lookApart finds out).
func (s *schedule) batchAnswered(asked, shown int) {
	if shown > 0 {
		s.broken, s.batchRest = 0, time.Time{}
		s.batch.answered(asked, shown, time.Now())
	}
}

// askable lists orders that may be asked for by themselves now.
func (s *schedule) askable(orders []*pending, now time.Time) (list []*pending) {
	for _, o := range orders {
		if !s.fruitless[o.ID].next.After(now) {
			list = append(list, o)
		}
	}
	return list
}

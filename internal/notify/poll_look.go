package notify

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"resellerbot/internal/api"
	"resellerbot/internal/store"
)

// look makes the calls that were planned for a schedule, and settles what they show.
func (p *Poller) look(ctx context.Context, s *schedule, q query) error {
	var kept int
	p.change(func() {
		s.beginLook()
		kept = s.batch.kept
	})
	if q.alone {
		return p.lookAlone(ctx, s, q.service, q.orders[0])
	}
	left, failed, err := p.askFor(ctx, s, q)
	if err != nil {
		q.orders = failed
	} else {
		p.change(s.batch.ended)
	}
	p.change(func() { s.noteParted(left.parted, time.Now()) })
	err = p.lookApart(ctx, s, q, left, err)
	// Also where the budget has ended the look: what it has found out is true, and costs the next one no call.
	p.keepSize(ctx, s, kept)
	return err
}

// setAside takes orders out of hand that the service does not show: for those with a schedule of their own, and those
// that have taken too long by now, that is a look as any other.
func (p *Poller) setAside(ctx context.Context, s *schedule, orders []store.Order) error {
	if len(orders) == 0 {
		return nil
	}
	// First, unlike receive: where what follows cannot be written, their lease ends on disk, and they are claimed anew.
	p.drop(s, orders)
	var waiting, silent []store.Order
	now := time.Now()
	for _, o := range orders {
		if p.matures(o, api.Order{ID: o.ID, Gone: true}, now) {
			silent = append(silent, o)
		} else {
			waiting = append(waiting, o)
		}
	}
	for wait, orders := range p.byRest(s, waiting) {
		p.putBack(ctx, orders, wait)
	}
	if len(silent) == 0 {
		return nil
	}
	return p.cfg.Settler.Settle(context.WithoutCancel(ctx), s.account, gone(silent), now)
}

// matures reports whether a look that has not shown an order has to be put on disk.
func (p *Poller) matures(o store.Order, unseen api.Order, at time.Time) bool {
	return o.OnlyWhenDue() || p.cfg.Settler.News(o, unseen, at)
}

// lookAlone looks at one order by an endpoint of its own.
func (p *Poller) lookAlone(ctx context.Context, s *schedule, service OrderSource, o store.Order) error {
	var was single
	var isSingle bool
	p.change(func() { was, isSingle = s.single[o.ID] })
	err := p.askAlone(ctx, s, service, o)
	if err == nil || !isUnshown(err) {
		return err
	}
	p.change(func() { s.heard = true })
	if api.Origin(o.Origin).Batched() && !o.OnlyWhenDue() && (!isSingle || was.alone) { // the other way to look at it may know it
		p.change(func() { s.onlyInBatch = s.onlyInBatch || !isSingle })
		return nil
	}
	p.cfg.Log.Warn("the service does not take this order", "account", o.Account, "order", o.ID, "err", err)
	return p.setAside(ctx, s, []store.Order{o})
}

// left is what a call for a batch has not shown: orders that were refused by themselves, and those of which the
// answer does not say how they stand; of these, the ones that it leaves out.
type left struct {
	refused, unclear, missing []store.Order

	parted []store.Order // shown without others, and refused beside one or two
}

// and is what two calls have not shown.
func (l left) and(m left) left {
	return left{append(l.refused, m.refused...), append(l.unclear, m.unclear...), append(l.missing, m.missing...), append(l.parted, m.parted...)}
}

// askFor makes the calls for the orders of a query: one, or where more are asked for than fit, several side by side. failed are those
// whose call has failed.
func (p *Poller) askFor(ctx context.Context, s *schedule, q query) (l left, failed []store.Order, err error) {
	at := time.Now()
	var most int
	p.change(func() { most = s.batch.most(at) })
	if len(q.orders) <= most {
		l, err = p.ask(ctx, s, q.service, q.orders)
		return l, q.orders, err
	}
	batches := slices.Collect(slices.Chunk(q.orders, most))
	answers := p.askBatches(ctx, q.service, batches)
	var errored []answer
	for waits := len(batches); waits > 0; {
		together := gather(answers, waits)
		waits -= len(together)
		asked, seen := []store.Order{}, []api.Order{}
		for _, a := range together {
			if a.err != nil {
				errored = append(errored, a)
				continue
			}
			p.change(func() { s.batchAnswered(len(a.asked), shownOf(a.asked, a.seen)) })
			asked, seen = append(asked, a.asked...), append(seen, a.seen...)
		}
		if len(asked) > 0 {
			others, failure := p.take(ctx, s, asked, seen, at)
			// Also where it cannot be written the other answers are waited for: they are this call's.
			l, err = l.and(others), errors.Join(err, failure)
		}
	}
	if err != nil {
		return l, nil, err
	}
	for _, a := range errored {
		others, failure := p.askLess(ctx, s, q.service, a.asked, a.err)
		l = l.and(others)
		if failure != nil {
			failed = append(failed, a.asked...)
			if err == nil || isKeyRefused(failure) { // of several failures that of the key says most
				err = failure
			}
		}
	}
	return l, failed, err
}

// answer is what a call for a batch has shown of the orders that it asked for.
type answer struct {
	asked []store.Order
	seen  []api.Order
	err   error
}

// askBatches makes a call for each batch, all of them side by side. As many answers come as there are batches.
func (p *Poller) askBatches(ctx context.Context, service OrderSource, batches [][]store.Order) <-chan answer {
	answers := make(chan answer, len(batches))
	for _, batch := range batches {
		go func() {
			a := answer{asked: batch}
			a.err = guard(p.cfg.Log, "poll", func() (err error) {
				a.seen, err = service.Orders(api.InBackground(ctx), idsOf(batch))
				return err
			})
			// What a call shows of another one's orders counts less than what that one shows.
			own := map[string]bool{}
			for _, o := range batch {
				own[o.ID] = true
			}
			a.seen = slices.DeleteFunc(a.seen, func(o api.Order) bool { return !own[o.ID] })
			answers <- a
		}()
	}
	return answers
}

// gather takes the answers that come within a moment behind the first one, of so many: what they show is settled at once, since to
// settle a part of a big purchase reads all of its orders, and no answer waits for one that hangs.
func gather(answers <-chan answer, most int) []answer {
	together := []answer{<-answers}
	moment := time.After(gatherWithin)
	for len(together) < most {
		select {
		case a := <-answers:
			together = append(together, a)
		case <-moment:
			return together
		}
	}
	return together
}

// ask makes one call for a batch.
func (p *Poller) ask(ctx context.Context, s *schedule, service OrderSource, batch []store.Order) (left, error) {
	at := time.Now()
	seen, err := service.Orders(api.InBackground(ctx), idsOf(batch))
	if err != nil {
		return p.askLess(ctx, s, service, batch, err)
	}
	p.change(func() { s.batchAnswered(len(batch), shownOf(batch, seen)) })
	return p.take(ctx, s, batch, seen, at)
}

// take settles what batches that were asked for at a moment have shown, and names what they have not.
func (p *Poller) take(ctx context.Context, s *schedule, asked []store.Order, seen []api.Order, at time.Time) (left, error) {
	return left{unclear: unclear(asked, seen), missing: missing(asked, seen)}, p.receive(ctx, s, asked, seen, at)
}

// askLess follows a call for a batch that has failed. A refusal may be for a single id that the service does not take, or for
// their number, so the halves are asked then: one bad order must not hide the others. Those that are
// refused by themselves are named.
func (p *Poller) askLess(ctx context.Context, s *schedule, service OrderSource, batch []store.Order, err error) (l left, _ error) {
	switch class := api.ClassOf(err); {
	// Neither about an id nor about their number: smaller calls would meet the same.
	case class != api.NotFound && class != api.Invalid:
		return l, err
	case len(batch) == 1:
		p.cfg.Log.Warn("the service does not take this order", "account", s.account, "order", batch[0].ID, "err", err)
		return left{refused: slices.Clone(batch)}, nil
	}
	// Each level asks two halves. Example: one bad order among 100 takes 15 calls, once: it is asked for by itself then.
	var half int
	var search bool
	p.change(func() { half, search = s.batch.refused(len(batch), time.Now()) })
	if !search {
		return l, err
	}
	l, err = p.ask(ctx, s, service, batch[:half])
	if err != nil {
		return l, err
	}
	most := len(batch) - half
	p.change(func() {
		if kept := s.batch.kept; kept > 0 { // the first half has found a limit, or there was one
			most = min(most, kept)
		}
	})
	for part := range slices.Chunk(batch[half:], most) {
		others, err := p.ask(ctx, s, service, part)
		if l = l.and(others); err != nil {
			return l, err
		}
	}
	switch {
	case len(l.refused) > 0:
	case len(l.parted) > 0:
	case len(batch) > 3:
		p.change(func() { s.batch.limited(half, time.Now()) })
	default:
		if l.parted = batch; half > 1 { // the first half was taken as a whole
			l.parted = batch[half:]
		}
		p.change(func() { s.batch.parted(half, time.Now()) })
	}
	return l, nil
}

// idsOf is what the service calls orders.
func idsOf(orders []store.Order) []string {
	ids := make([]string, len(orders))
	for i, o := range orders {
		ids[i] = o.ID
	}
	return ids
}

// logMisfit notes an answer that does not fit the question.
func (p *Poller) logMisfit(account string, asked, foreign, repeated, missing int) {
	if foreign+repeated+missing > 0 {
		p.cfg.Log.Info("the answer does not fit the question", "account", account, "asked", asked, "foreign", foreign, "repeated", repeated, "missing", missing)
	}
}

// receive passes on what an answer shows of the orders that were asked for, whatever stops meanwhile. Those
// that it leaves out stay pending, and what was not asked for is nobody's business. Of an order that comes
// more than once, the answer that brings news counts. A look at what has a schedule of its own is always put on
// disk, for it sets the next one.
func (p *Poller) receive(ctx context.Context, s *schedule, asked []store.Order, seen []api.Order, at time.Time) error {
	// at is when the call began: what was not ready then may have become so since. now is when its answer is here: what people are told of,
	// and the next look, count from it.
	now := time.Now()
	waits := make(map[string]store.Order, len(asked))
	for _, o := range asked {
		waits[o.ID] = o
	}
	var news []api.Order
	var ended []store.Order
	shown := make(map[string]bool, len(asked))
	last := map[string]api.Order{}
	foreign, over := 0, map[string]bool{}
	for _, got := range seen {
		o, ours := waits[got.ID]
		switch {
		case !ours && !shown[got.ID]:
			foreign++
		case ours:
			shown[got.ID] = true
			// The order is done, so others of its purchase may be.
			over[got.ID] = over[got.ID] || !got.Code.IsZero() || got.Stage() == api.Done
			if last[got.ID] = got; p.cfg.Settler.News(o, got, now) {
				news, ended = append(news, got), append(ended, o)
				delete(waits, got.ID)
			}
		}
	}
	for id := range waits {
		if !p.matures(waits[id], api.Order{ID: id}, now) {
			continue
		}
		got := last[id]
		got.ID = id // where the answer has left it out, it says nothing
		news, ended = append(news, got), append(ended, waits[id])
		delete(waits, id)
	}
	p.logMisfit(s.account, len(asked), foreign, len(seen)-foreign-len(shown), len(asked)-len(shown))
	p.change(func() {
		s.heard = s.heard || slices.ContainsFunc(seen, func(got api.Order) bool { return shown[got.ID] && saysSomething(got) })
		// What is left has brought nothing that disk has to know: the look is kept in memory, and spares a commit.
		for id := range waits {
			s.looked(id, at)
		}
		s.compare(asked, over, at)
	})
	if len(news) == 0 {
		return nil
	}
	// drop comes behind Settle: what could not be written stays in hand, and is looked at again.
	if err := p.cfg.Settler.Settle(context.WithoutCancel(ctx), s.account, news, now); err != nil {
		return unwrittenError{err}
	}
	p.drop(s, ended)
	if err := p.learn(ctx, ended, at); err != nil {
		return unwrittenError{err}
	}
	return nil
}

// saysSomething reports whether an answer says anything of how an order stands.
func saysSomething(got api.Order) bool { return got.Status != "" || !got.Code.IsZero() }

// drop takes orders out of hand.
func (p *Poller) drop(s *schedule, orders []store.Order) {
	p.change(func() {
		for _, o := range orders {
			delete(s.orders, o.ID)
		}
	})
}

// change runs fn under the lock, to change a schedule or to read what others change. fn must do no I/O; of the service it may ask
// Allowance alone.
func (p *Poller) change(fn func()) {
	p.mu.Lock()
	defer p.mu.Unlock()
	fn()
}

// learn keeps how long the orders took that have come to their end with what was bought.
func (p *Poller) learn(ctx context.Context, ended []store.Order, at time.Time) error {
	var done []took
	// An order that was not waiting before this look tells nothing of how long it takes.
	ended = slices.DeleteFunc(slices.Clone(ended), func(o store.Order) bool { return o.State != store.Waiting })
	become, err := p.cfg.Store.OrdersNow(ctx, ended)
	if err != nil {
		return fmt.Errorf("read what became of orders: %w", err)
	}
	for _, o := range ended {
		if now := become[o.ID]; now.State != store.Ready && now.State != store.Completed {
			continue
		}
		// o is as it was before the look: it was not ready at SeenAt, and is at the moment of the call.
		done = append(done, took{o.Item, kindOf(o), laterOf(o.CreatedAt, o.SeenAt).Sub(o.CreatedAt), at.Sub(o.CreatedAt)})
	}
	if len(done) == 0 {
		return nil
	}
	return p.lessons.learn(ctx, done)
}

package conversations

import (
	"context"
	"errors"
	"slices"

	"resellerbot/internal/api"
	"resellerbot/internal/purchase"
	"resellerbot/internal/screen"
	"resellerbot/internal/store"
)

// decide takes an owner's word about a purchase that could not be decided by evidence. Where they say that it was
// bought, they are shown which orders may be its.
func (t decideFlow) decide() error {
	id := t.action.Arg(0)
	switch t.action.Arg(1) {
	case screen.DecideBought:
		return t.choose(id)
	case screen.DecideNone:
		return t.noneOfThese(id)
	case screen.DecideNot:
		if asked, err := t.askSure(id); asked || err != nil {
			return err
		}
	case screen.DecideSure, screen.DecideClose:
	default:
		return t.stale() // no button of ours says that
	}
	err := t.cfg.Purchases.Decide(t.ctx, id, t.chatID, t.userID, t.action.Arg(1) == screen.DecideClose)
	return t.decidedAbout(id, err)
}

// noneOfThese asks whether a purchase was bought that none of the orders is of.
func (t decideFlow) noneOfThese(id string) error {
	p, err := t.cfg.Purchases.Question(t.ctx, id, t.chatID, t.userID)
	if err != nil {
		return t.decidedAbout(id, err)
	}
	t.keepQuestion(p)
	return t.say(t.scr.Uncertain().NoneOfThese(p))
}

// askSure asks once more about a purchase that is called not bought, where something says that it was. What keeps them
// from deciding is told by who decides.
func (t decideFlow) askSure(id string) (asked bool, err error) {
	p, err := t.cfg.Purchases.Question(t.ctx, id, t.chatID, t.userID)
	if err != nil {
		return false, nil //nolint:nilerr // Decide tells the same
	}
	m, ok := t.scr.Uncertain().SureNot(p)
	if !ok {
		return false, nil
	}
	t.keepQuestion(p)
	return true, t.say(m)
}

// choose shows the orders that may be an undecided purchase's, read anew. Those that are proven to be its it is given
// at once.
func (t decideFlow) choose(id string) error {
	defer t.ackSoon()()
	c, err := t.choices(id)
	switch {
	case err != nil:
		return t.unlisted(id, err)
	case c.Sure:
		return t.adopt(c, c.IDs())
	}
	return t.showChoice(c, nil)
}

// choices reads which orders may be a purchase's, for as long as a person waits.
func (t decideFlow) choices(id string) (purchase.Choice, error) {
	ctx, cancel := context.WithTimeout(t.ctx, lookPatience)
	defer cancel()
	return t.cfg.Purchases.Choices(ctx, id, t.chatID, t.userID)
}

// showChoice shows what may be picked, beside the question.
func (t decideFlow) showChoice(c purchase.Choice, marked *screen.Marks) error {
	// Orders that the list calls otherwise than what was bought stand last, and are not marked before somebody does so.
	view := screen.ChoiceView{
		Purchase: c.Purchase, Orders: c.Orders, Named: c.Named, Renamed: c.Renamed, Rivals: c.Rivals, Taken: c.Taken, Marks: screen.FirstMarks(len(c.Orders)-c.Renamed, c.Purchase.Quantity).Among(len(c.Orders)),
	}
	if marked != nil {
		view.Marks = *marked
	}
	t.keepQuestion(c.Purchase)
	return t.say(t.scr.Uncertain().Choose(view))
}

// unlisted tells why there is nothing to pick from: the list cannot be read, now or ever, or nobody is asked any more.
func (t decideFlow) unlisted(id string, why error) error {
	if !errors.As(why, new(*api.Error)) {
		return t.decidedAbout(id, why)
	}
	t.cfg.Log.Warn("the list cannot be read for a decision", "update", t.update, "purchase", id, "err", why)
	p, err := t.cfg.Store.Purchase(t.ctx, id)
	if err != nil {
		return err
	}
	t.keepQuestion(p)
	return t.say(t.scr.Uncertain().ChooseUnread(p, api.ClassOf(why) != api.NotOffered))
}

// keepQuestion has the answer to a tap under a purchase's question come as a message of its own: the question stays
// open until it is decided.
func (t decideFlow) keepQuestion(p store.Purchase) {
	if t.isQuestion(p) {
		t.action.Fresh = true
	}
}

// isQuestion reports whether what was tapped is a message that shows a purchase's question by itself.
func (t decideFlow) isQuestion(p store.Purchase) bool {
	return t.tapped != 0 && (p.Chat == t.chatID && p.Message == t.tapped || p.ShownIn(store.Decision, t.chatID) == t.tapped)
}

// markOrders marks orders among those that are offered, or takes a mark away.
func (t decideFlow) markOrders() error {
	id := t.action.Arg(0)
	defer t.ackSoon()()
	c, err := t.choices(id)
	if err != nil {
		return t.unlisted(id, err)
	}
	// The button names the list that it was made for: marks are places in it, and mean other orders in another one.
	marks, ok := screen.ParseMarks(t.action.Arg(2), len(c.Orders))
	if !ok || screen.Mark(c.IDs()) != t.action.Arg(1) {
		t.ack(screen.ToastListChanged)
		return t.showChoice(c, nil)
	}
	if marks.Count() > c.Purchase.Quantity {
		t.alert(screen.ToastTooManyMarked)
		return nil
	}
	return t.showChoice(c, &marks)
}

// takeOrders gives a purchase the orders that a person has picked. The list is read anew: where it offers others by
// now, it is shown again.
func (t decideFlow) takeOrders() error {
	id := t.action.Arg(0)
	defer t.ackSoon()()
	c, err := t.choices(id)
	if err != nil {
		return t.unlisted(id, err)
	}
	picked, ok := t.picked(c)
	if !ok {
		t.alert(screen.ToastOrderTaken)
		return t.showChoice(c, nil)
	}
	return t.adopt(c, picked)
}

// picked is the orders that a button names: those that were marked, or the one that it is about.
func (t decideFlow) picked(c purchase.Choice) (ids []string, ok bool) {
	mark, all := t.action.Arg(1), c.IDs()
	if marks, ok := screen.ParseMarks(t.action.Arg(2), len(all)); ok {
		// The mark is a hash of the ids, for ids may be longer than a button: it is of those that people saw, in the list of now.
		if ids := marks.Of(all); screen.Mark(ids) == mark {
			return ids, true
		}
	}
	i := slices.IndexFunc(all, func(id string) bool { return screen.Mark([]string{id}) == mark })
	if i < 0 {
		return nil, false
	}
	return all[i : i+1], true
}

// adopt gives a purchase its orders.
func (t decideFlow) adopt(c purchase.Choice, orders []string) error {
	ctx, cancel := context.WithTimeout(t.ctx, lookPatience)
	defer cancel()
	err := t.cfg.Purchases.Adopt(ctx, c.Purchase.ID, t.chatID, t.userID, orders)
	switch {
	case errors.Is(err, purchase.ErrClaimed), errors.Is(err, purchase.ErrNotListed):
		return t.notThere(c.Purchase.ID)
	case errors.As(err, new(*api.Error)):
		return t.unlisted(c.Purchase.ID, err)
	}
	return t.decidedAbout(c.Purchase.ID, err)
}

// notThere tells that an order has ceased to be there since the list was read, and shows which are.
func (t decideFlow) notThere(id string) error {
	t.alert(screen.ToastOrderTaken)
	c, err := t.choices(id)
	if err != nil {
		return t.unlisted(id, err)
	}
	return t.showChoice(c, nil)
}

// decidedAbout tells what came of a word about an undecided purchase. Where its question stands by itself, it comes up
// to date by itself; whatever else was tapped shows the purchase as it is now.
func (t decideFlow) decidedAbout(id string, err error) error {
	switch {
	case errors.Is(err, purchase.ErrNotAllowed):
		t.alert(screen.ToastOwnerAsked)
		return nil
	case errors.Is(err, store.ErrNotFound):
		return t.stale()
	case errors.Is(err, purchase.ErrStale):
		t.alert(screen.ToastDecided)
	case err != nil:
		return err
	default: // before what was tapped is brought up to date, which is what a tap that came too late gets as well
		t.ack(screen.ToastNoted)
	}
	p, orders, ok, err := orderFlow(t).seen(id)
	switch {
	case err != nil:
		return err
	case !ok:
		return t.stale()
	case t.isQuestion(p):
		return t.upToDate(p)
	case len(orders) > 0 || !p.Phase.Final():
		return t.say(t.scr.Uncertain().Decided(p))
	}
	return orderFlow(t).showOrder(p, orders, true)
}

// upToDate has the message that was tapped show a purchase as it stands.
func (t decideFlow) upToDate(p store.Purchase) error {
	if p.ShownIn(store.Decision, t.chatID) != t.tapped {
		return t.moved(p.ID)
	}
	return t.cfg.Store.Batch(t.ctx, func(tx *store.Tx) error { return tx.Enqueue(beside(p, store.Decision, t.chatID)) })
}

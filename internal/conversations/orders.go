package conversations

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"resellerbot/internal/screen"
	"resellerbot/internal/store"
	"resellerbot/internal/telegram"
)

const ordersPage = 8

// now is the time a screen shows as its own.
func now() time.Time { return time.Now() }

// ordersCommand is /orders: the newest purchases, or those that hold the words behind it.
func (t orderFlow) ordersCommand(words string) error {
	if strings.TrimSpace(words) == "" {
		return t.orders(screen.OrdersView{}, "")
	}
	found, err := t.find(words)
	switch {
	case err != nil:
		return err
	case len(found.List) == 0 && !t.private && t.chat.Account == "":
		return t.noAccount()
	}
	return t.say(t.scr.Orders().List(found))
}

// ordersTapped turns to a page of the list, or sets its filter.
func (t orderFlow) ordersTapped(a screen.Action) error {
	return t.orders(screen.OrdersView{Scope: a.Arg(1), Filter: screen.Filter(a.Arg(2))}, a.Arg(0))
}

// orders lists purchases, newest first, from behind the one named after. A seller sees their own, the counter and a
// group those of the whole team, and an owner either.
func (t orderFlow) orders(v screen.OrdersView, after string) error {
	all := t.role != store.NoRole && (!t.private || t.role == store.Counter || t.role == store.Owner && v.Scope == screen.OrdersAll)
	at := now()
	list, older, err := t.purchases(between{from: after}, all, ordersPage, func(b screen.Bought) bool { return t.scr.Orders().Shows(v.Filter, b, at) })
	if err != nil {
		return err
	}
	if len(list) == 0 && after == "" && t.private {
		if kept, err := t.keptWithTeam(); kept || err != nil {
			return firstError(err, func() error { return t.say(t.scr.Orders().OrdersKept()) })
		}
	}
	if len(list) == 0 && !t.private && t.chat.Account == "" {
		return t.noAccount()
	}
	if after != "" {
		if err := t.pageBefore(&v, after, all, at); err != nil {
			return err
		}
	}
	v.List, v.Older, v.Linked, v.Team, v.Scope = list, older, t.chat.Account != "", t.hasOthers(), ""
	if all {
		v.Scope = screen.OrdersAll
	}
	return t.say(t.scr.Orders().List(v))
}

// hasOthers reports whether purchases of the account may be others' than the person's own, or of another chat: of the team,
// of somebody who has left it, or of a group.
func (t orderFlow) hasOthers() bool {
	return len(t.shop.Members()) > 1 || slices.ContainsFunc(slices.Concat(t.shop.Chats, t.shop.Past), func(chat int64) bool { return chat != t.chatID })
}

// pageBefore is where the page before the one behind a purchase begins, and how many rows are above that one. A page that
// is too far from the newest leads back to these.
func (t orderFlow) pageBefore(v *screen.OrdersView, after string, all bool, at time.Time) error {
	above, _, err := t.purchases(between{to: after}, all, mostRead, func(b screen.Bought) bool { return t.scr.Orders().Shows(v.Filter, b, at) })
	if err != nil {
		return err
	}
	v.Newer, v.Above = true, len(above)
	if first := len(above) - ordersPage; first > 0 {
		v.Before = above[first-1].ID
	}
	return nil
}

// boughtIn is the chats, each once, in which purchases are listed from: all of the account's, or, for what somebody has
// bought themselves, their own and the groups of the accounts that are, or were, theirs.
func (t orderFlow) boughtIn(all bool) (chats []int64, err error) {
	if all {
		chats = slices.Concat(t.shop.Chats, t.shop.Past)
	} else {
		chats = []int64{t.chatID}
		for _, id := range append([]string{t.chat.Account}, t.chat.Was...) {
			if !t.private || id == "" {
				continue
			}
			a := t.shop
			if id != a.ID {
				if a, err = t.cfg.Store.Account(t.ctx, id); ignoreMissing(err) != nil {
					return nil, fmt.Errorf("read the account: %w", err)
				}
			}
			groups := slices.DeleteFunc(slices.Concat(a.Chats, a.Past), func(chat int64) bool { return chat > 0 })
			chats = append(chats, groups...)
		}
	}
	slices.Sort(chats) // who has left and come back is in both lists
	return slices.Compact(chats), nil
}

// isOwn reports whether a purchase is listed as the person's own: what was bought in this chat, and in private what they
// have bought in a group.
func (t orderFlow) isOwn(p store.Purchase) bool {
	own := p.Chat == t.chatID || t.private && p.User == t.userID
	return own && !slices.Contains(t.chat.Removed, p.Account)
}

// keptWithTeam reports whether something was bought in this chat for accounts whose owners have taken the person out of
// their team: it stays with these.
func (t orderFlow) keptWithTeam() (bool, error) {
	if len(t.chat.Removed) == 0 {
		return false, nil
	}
	list, err := t.cfg.Store.ChatPurchases(t.ctx, t.chatID, "", 1)
	return len(list) > 0, err
}

// mostRead is how many purchases one screen looks through: who wants older ones turns the page.
const mostRead = 2000

// between is a part of a list, newest first: from behind a purchase up to one; "" for its ends.
type between struct{ from, to string }

// purchases reads the newest purchases of a part of the list that are to be shown, `most` of them: the
// person's own, or all of the team. older is where to go on, "" where there are no more. Drafts, and what was dropped
// before it was confirmed, are nobody's history.
func (t orderFlow) purchases(part between, all bool, most int, shown func(screen.Bought) bool) (kept []screen.Bought, older string, err error) {
	chats, err := t.boughtIn(all)
	if err != nil {
		return nil, "", err
	}
	after := part.from
	last := "" // the last one of a full page: another page follows only where it has something on it
	for read := 0; read < mostRead; {
		list, more, err := t.newest(after, chats)
		if err != nil {
			return nil, "", err
		}
		for _, p := range list {
			if p.ID < part.to {
				return kept, "", nil
			}
			after, read = p.ID, read+1
			b, is, err := t.withOrders(p, all)
			switch {
			case err != nil:
				return nil, "", err
			case !is || !shown(b):
			case len(kept) == most:
				return kept, last, nil
			default:
				kept, last = append(kept, b), p.ID
			}
		}
		if !more {
			return kept, "", nil
		}
	}
	return kept, after, nil
}

// withOrders reads the orders of a purchase that is listed: the person's own, or any of the team.
func (t orderFlow) withOrders(p store.Purchase, all bool) (b screen.Bought, is bool, err error) {
	if p.QueuedAt.IsZero() || all && p.Account != t.shop.ID || !all && !t.isOwn(p) {
		return b, false, nil
	}
	orders, err := t.cfg.Store.OrdersOf(t.ctx, p)
	return screen.Bought{Purchase: p, Orders: orders}, err == nil, err
}

// newest reads the newest purchases of some chats together, from behind the one named after; more tells that
// there may be others.
func (t orderFlow) newest(after string, chats []int64) (list []store.Purchase, more bool, err error) {
	const most = 4 * ordersPage
	for _, chat := range chats {
		found, err := t.cfg.Store.ChatPurchases(t.ctx, chat, after, most)
		if err != nil {
			return nil, false, err
		}
		list, more = append(list, found...), more || len(found) == most
	}
	slices.SortFunc(list, func(a, b store.Purchase) int { return strings.Compare(b.ID, a.ID) })
	return list[:min(len(list), most)], more || len(list) > most, nil
}

// why shows the evidence by which an uncertain purchase was judged.
func (t orderFlow) why(id string) error {
	p, err := t.cfg.Store.Purchase(t.ctx, id)
	if errors.Is(err, store.ErrNotFound) || err == nil && (!t.sees(p) || p.Evidence == nil) {
		return t.stale()
	}
	if err != nil {
		return err
	}
	return t.say(t.scr.Uncertain().Why(p))
}

// sees reports whether the person may be shown a purchase here: what was bought in this chat, unless they were
// taken out of its team, and, of their team, what their role shows them.
func (t orderFlow) sees(p store.Purchase) bool {
	switch {
	case slices.Contains(t.chat.Removed, p.Account):
		return false
	case t.private && (p.Chat == t.chatID || p.User == t.userID):
		return true
	case p.Account != t.shop.ID:
		return false
	case !t.private:
		return t.role != store.NoRole
	}
	return t.role == store.Owner || t.role == store.Counter || t.role == store.Seller && p.User == t.userID
}

// order shows one purchase again, with the codes that were delivered. Where the service may have something new
// for it, that is asked first.
func (t orderFlow) order(id string) error {
	p, orders, ok, err := t.seen(id)
	if err != nil {
		return err
	}
	if !ok {
		return t.stale()
	}
	asked := true
	if slices.ContainsFunc(orders, screen.MayChange) && t.looks.hears(t.userID, now()) {
		defer t.ackSoon()()
		asked = t.lookAt(id) == nil
		if p, orders, _, err = t.seen(id); err != nil {
			return err
		}
	}
	return t.showOrder(p, orders, asked)
}

// lookAgain asks the service for the orders of a purchase, whoever may see it. The purchase's own message comes up
// to date by itself; any other one is shown anew.
func (t orderFlow) lookAgain(id string) error {
	p, before, ok, err := t.seen(id)
	if err != nil {
		return err
	}
	if !ok {
		return t.stale()
	}
	toast, after := screen.ToastLookedSoon, before
	if t.looks.hears(t.userID, now()) {
		failed := t.lookAt(id)
		if p, after, _, err = t.seen(id); err != nil {
			return err
		}
		switch {
		case failed != nil:
			toast = screen.ToastUnanswered
		case changed(before, after):
			toast = screen.ToastNews
		default:
			toast = screen.ToastLooked
		}
	}
	t.ack(toast)
	if t.tapped == p.Message && t.chatID == p.Chat || !changed(before, after) {
		return nil
	}
	return t.showOrder(p, after, true)
}

const lookPatience = 7 * time.Second // a tap is answered within ten

// lookPace is how often one person has the service asked.
func lookPace() Pace { return Pace{Burst: 3, Every: 10 * time.Second} }

// lookAt asks the service for the orders of a purchase, for as long as a person waits.
func (t orderFlow) lookAt(id string) error {
	ctx, cancel := context.WithTimeout(t.ctx, lookPatience)
	defer cancel()
	err := t.cfg.Purchases.Look(ctx, id)
	if err != nil {
		t.cfg.Log.Warn("a purchase could not be looked at", "update", t.update, "purchase", id, "err", err)
	}
	return err
}

// changed reports whether a look has shown anything of orders that people are told.
func changed(before, after []store.Order) bool {
	return !slices.EqualFunc(before, after, func(a, b store.Order) bool {
		return a.State == b.State && a.Status == b.Status && len(a.Codes()) == len(b.Codes()) && a.Back == b.Back && a.Late == b.Late
	})
}

// seen reads a purchase that the person may be shown here, with its orders; ok is false where there is none.
func (t orderFlow) seen(id string) (p store.Purchase, orders []store.Order, ok bool, err error) {
	p, err = t.cfg.Store.Purchase(t.ctx, id)
	if errors.Is(err, store.ErrNotFound) || err == nil && !t.sees(p) {
		return p, nil, false, nil
	}
	if err == nil {
		orders, err = t.cfg.Store.OrdersOf(t.ctx, p)
	}
	return p, orders, err == nil, err
}

// showOrder shows a purchase with its codes. Where Telegram does not take them as a message, they come as a file.
func (t orderFlow) showOrder(p store.Purchase, orders []store.Order, asked bool) error {
	coded := store.CountCodes(orders) > 0 && !t.scr.Hides()
	if coded {
		if err := t.noteShown(&p, orders); err != nil {
			return err
		}
	}
	at, err := t.cfg.Store.QueuePlaceOf(t.ctx, p)
	if err != nil {
		return err
	}
	m := t.scr.Purchases().Again(p, orders, at)
	if !asked {
		m = t.scr.Purchases().Unasked(m)
	}
	err = t.say(m)
	if coded && m.File == nil && errors.Is(err, telegram.ErrRefused) {
		t.cfg.Log.Error("a purchase cannot be shown as a message", "update", t.update, "purchase", p.ID, "err", err)
		return t.say(t.scr.Codes().Document(p, orders))
	}
	return err
}

// noteShown notes that the codes of a purchase are about to be shown to somebody who asks, so that their delivery,
// should it come later, says that it is not the first. p tells whether this is the first time.
func (t orderFlow) noteShown(p *store.Purchase, orders []store.Order) error {
	return t.cfg.Store.Batch(t.ctx, func(tx *store.Tx) error {
		now, err := tx.Purchase(p.ID)
		if err != nil {
			return err
		}
		p.Told = now.Told
		for _, id := range []string{p.ID, fmt.Sprintf("%s.d%d", p.ID, store.CountCodes(orders))} {
			row, err := tx.Outgoing(p.Chat, id)
			if ignoreMissing(err) != nil {
				return err
			}
			p.Told.MaybeSent = p.Told.MaybeSent || row.Sending || row.Sent // it is on its way this moment, or may have been
		}
		if now.Told.MaybeSent {
			return nil
		}
		now.Told.MaybeSent = true
		return tx.PutPurchase(&now)
	})
}

// vault lists the purchases whose codes wait for a chat that cannot be reached.
func (t orderFlow) vault(gone int64) error {
	may, err := t.speaksFor(gone)
	if err != nil {
		return err
	}
	if !may {
		return t.stale()
	}
	list, err := t.cfg.Store.ChatPurchases(t.ctx, gone, "", 4*ordersPage)
	if err != nil {
		return err
	}
	list = slices.DeleteFunc(list, func(p store.Purchase) bool { return p.Account != t.chat.Account || len(p.OrderIDs) == 0 })
	list = list[:min(len(list), ordersPage)]
	waiting := make([]screen.Bought, len(list))
	for i, p := range list {
		orders, err := t.cfg.Store.OrdersOf(t.ctx, p)
		if err != nil {
			return err
		}
		waiting[i] = screen.Bought{Purchase: p, Orders: orders}
	}
	return t.say(t.scr.Orders().Vault(waiting))
}

// speaksFor reports whether this private chat may see what waits for another one: it is an owner's, the other one
// is of the same account, and cannot be reached.
func (t orderFlow) speaksFor(gone int64) (bool, error) {
	if !t.private || t.role != store.Owner {
		return false, nil
	}
	c, err := t.cfg.Store.Chat(t.ctx, gone)
	if errors.Is(err, store.ErrNotFound) {
		return false, nil
	}
	return err == nil && !c.Unreachable.IsZero() && c.Account == t.chat.Account, err
}

package conversations

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"resellerbot/internal/screen"
	"resellerbot/internal/store"
)

const ordersPage = 8

// now is the time a screen shows as its own.
func now() time.Time { return time.Now() }

// ordersCommand is /orders: the newest purchases, those for the customer who is called as the words behind it, or those that hold them.
func (t orderFlow) ordersCommand(words string) error {
	if strings.TrimSpace(words) == "" {
		return t.orders(screen.OrdersView{}, "")
	}
	if shown, err := t.showCustomers(words); shown || err != nil {
		return err
	}
	found, err := t.find(words)
	if err != nil {
		return err
	}
	// Whoever asks for orders means the number of one, however short it is.
	if len(found.List) == 0 {
		if ref, _ := referenceIn(words); ref != "" {
			if shown, err := t.showReferred(ref); shown || err != nil {
				return err
			}
		}
		if shown, err := t.showElsewhere(words); shown || err != nil {
			return err
		}
	}
	return t.showOrders(found)
}

// ordersWith lists the newest purchases that hold some words.
func (t orderFlow) ordersWith(words string) error {
	found, err := t.find(words)
	if err != nil {
		return err
	}
	return t.showOrders(found)
}

// showOrders lists what words have found.
func (t orderFlow) showOrders(found screen.OrdersView) error {
	if len(found.List) == 0 && t.ofNoAccount() {
		return t.noAccount()
	}
	return t.sayOrders(found)
}

// ofNoAccount reports whether the chat is a group that belongs to no account (any more): whoever is in it by now sees of what was bought
// there what they have bought themselves.
func (t orderFlow) ofNoAccount() bool { return !t.private && t.chat.Account == "" }

// sayOrders shows a list of purchases.
func (t orderFlow) sayOrders(v screen.OrdersView) error {
	for _, b := range v.List {
		if err := t.fitTo(b.Purchase); err != nil {
			return err
		}
	}
	for i := range v.List {
		if len(t.shownOf) < 2 || !t.private { // one stands above all of them, or none
			break
		}
		var err error
		if v.List[i].Shop, err = t.called(v.List[i].Account); err != nil {
			return err
		}
	}
	v.Other = len(t.shownOf) == 1 && t.shownOf[0] != t.shop.ID
	return t.say(t.scr.Orders().List(v))
}

// ordersTapped turns to a page of the list, sets its filter, or lists what holds the words that the button names.
func (t orderFlow) ordersTapped(a screen.Action) error {
	if words := a.Arg(3); words != "" {
		return t.ordersWith(words)
	}
	return t.orders(screen.OrdersView{Scope: a.Arg(1), Filter: screen.Filter(a.Arg(2))}, a.Arg(0))
}

// orders lists purchases, newest first, from behind the one named after. A seller sees their own, the counter and a
// group those of the whole team, and an owner either.
func (t orderFlow) orders(v screen.OrdersView, after string) error {
	all := t.role != store.NoRole && (!t.private || t.role == store.Counter || t.role == store.Owner && v.Scope == screen.OrdersAll)
	at, err := t.todayBegan()
	if err != nil {
		return err
	}
	list, older, err := t.purchases(between{from: after}, all, ordersPage, func(b screen.Bought) bool { return t.scr.Orders().Shows(v.Filter, b, at) })
	if err != nil {
		return err
	}
	if len(list) == 0 && after == "" && t.private {
		if kept, err := t.keptWithTeam(); kept || err != nil {
			return firstError(err, func() error { return t.say(t.scr.Orders().OrdersKept()) })
		}
	}
	if len(list) == 0 && after == "" && v.Filter == screen.Unfiltered && t.ofNoAccount() {
		return t.noAccount()
	}
	if after != "" {
		if err := t.pageBefore(&v, after, all, at); err != nil {
			return err
		}
	}
	v.List, v.Older, v.Linked, v.Team, v.Scope = list, older, t.chat.Account != "", t.hasOthers(), ""
	v.Left = !v.Linked && wasIn(t.chat)
	if all {
		v.Scope = screen.OrdersAll
	}
	return t.sayOrders(v)
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
			// The purchases of a group are read whole, and isOwn keeps what the person has bought there.
			groups := slices.DeleteFunc(slices.Concat(a.Chats, a.Past), func(chat int64) bool { return chat > 0 })
			chats = append(chats, groups...)
		}
	}
	slices.Sort(chats) // who has left and come back is in both lists
	return slices.Compact(chats), nil
}

// isOwn reports whether a purchase is listed as the person's own: what was bought in this chat, and in private what they
// have bought in a group. In a group of no account it is what they have bought there themselves.
func (t orderFlow) isOwn(p store.Purchase) bool {
	own := p.Chat == t.chatID && !t.ofNoAccount() || t.private && p.User == t.userID || t.boughtHere(p)
	return own && !slices.Contains(t.chat.Removed, p.Account) && !slices.Contains(t.chat.Others, p.Account)
}

// boughtHere reports whether the person has bought something in this chat, a group that is of no account by now.
func (t orderFlow) boughtHere(p store.Purchase) bool {
	return t.ofNoAccount() && p.Chat == t.chatID && p.User == t.userID
}

// keptWithTeam reports whether something was bought in this chat for accounts whose owners have taken the person out of
// their team: it stays with these.
func (t orderFlow) keptWithTeam() (bool, error) {
	if len(t.chat.Removed) == 0 || t.chat.Account != "" { // of the team that they are of, nothing is kept from them
		return false, nil
	}
	list, err := t.cfg.Store.ChatPurchases(t.ctx, t.chatID, "", ordersPage)
	return slices.ContainsFunc(list, func(p store.Purchase) bool { return slices.Contains(t.chat.Removed, p.Account) }), err
}

// mostRead is how many purchases one screen looks through: who wants older ones turns the page.
const mostRead = 2000

// mostAtOnce is how many of them are read at once.
const mostAtOnce = 128

// mostLag is how long after its summary was shown a purchase can still be ordered: its ✅ is good for ten minutes, and the
// owners have half an hour. What is listed stands where it was ordered, and is read where its summary was made.
const mostLag = time.Hour

// between is a part of a list, newest first: from behind a purchase up to one; "" for its ends.
type between struct{ from, to string }

// purchases reads the newest purchases of a part of the list that are to be shown, `most` of them: the
// person's own, or all of the team. older is where to go on, "" where there are no more. Drafts, and what was dropped
// before it was ordered, are nobody's history.
func (t orderFlow) purchases(part between, all bool, most int, shown func(screen.Bought) bool) (kept []screen.Bought, older string, err error) {
	list, err := t.ordered(part, all)
	if err != nil {
		return nil, "", err
	}
	list.page = min(most, mostAtOnce) + 1 // with one more, which tells whether there is another page
	last := ""                            // the last one of a full page: another page follows only where it has something on it
	for {
		p, more, err := list.next()
		if err != nil || !more {
			return kept, list.left, err
		}
		orders, err := t.cfg.Store.OrdersOf(t.ctx, p)
		b := screen.Bought{Purchase: p, Orders: orders}
		switch {
		case err != nil:
			return nil, "", err
		case !shown(b):
		case len(kept) == most:
			return kept, last, nil
		default:
			kept, last = append(kept, b), p.ID
		}
	}
}

// orderedList reads purchases as they were ordered, newest first.
type orderedList struct {
	flow     orderFlow
	listed   func(store.Purchase) bool // which of what is read are given
	chats    []int64
	from, to store.Purchase // zero for the ends of the list
	at       string         // what was read last
	unread   string         // the one behind it
	page     int            // how many are read at once
	read     int
	end      bool             // everything was read
	ahead    []store.Purchase // read, and not yet given
	given    string           // the last one that was
	left     string           // where to go on, where the list ends because too many were read; "" for its end
}

// ordered is a part of the list of purchases.
func (t orderFlow) ordered(part between, all bool) (l *orderedList, err error) {
	l = &orderedList{flow: t, listed: func(p store.Purchase) bool { return t.isListed(p, all) }}
	if l.chats, err = t.boughtIn(all); err != nil {
		return nil, err
	}
	for id, p := range map[string]*store.Purchase{part.from: &l.from, part.to: &l.to} {
		if id == "" {
			continue
		}
		// One that was erased meanwhile leaves its end of the list open.
		if *p, err = t.cfg.Store.Purchase(t.ctx, id); ignoreMissing(err) != nil {
			return nil, fmt.Errorf("read where a list goes on: %w", err)
		}
	}
	if l.from.ID != "" {
		// Whatever was ordered before it was drafted before that moment, so that nothing of the page is passed over. What else is read again
		// is left out by fetch.
		l.at = store.AfterAll(listedAt(l.from))
	}
	return l, nil
}

// next is the next purchase; more is false at the end.
func (l *orderedList) next() (p store.Purchase, more bool, err error) {
	for !l.ready() && !l.end && l.read < mostRead {
		if err := l.fetch(); err != nil {
			return p, false, err
		}
	}
	switch {
	case !l.ready() && !l.end:
		// Where none of so many was given, the next page begins behind what was read: else its button would lead to the same page for ever.
		l.left = cmp.Or(l.given, l.at)
		return p, false, nil
	case len(l.ahead) == 0:
		return p, false, nil
	}
	p, l.ahead = l.ahead[0], l.ahead[1:]
	if l.to.ID != "" && laterFirst(p, l.to) > 0 {
		return p, false, nil
	}
	l.given = p.ID
	return p, true, nil
}

// ready reports whether the next one is known: nothing that is still to be read can stand before it.
// An id begins with the moment of its summary. What is unread was drafted before that of unread, and so ordered at most mostLag later.
func (l *orderedList) ready() bool {
	return len(l.ahead) > 0 && store.AfterAll(listedAt(l.ahead[0]).Add(-mostLag)) > l.unread
}

// fetch reads some more.
func (l *orderedList) fetch() error {
	list, unread, err := l.flow.cfg.Store.NewestPurchases(l.flow.ctx, l.chats, l.at, l.page)
	if err != nil {
		return err
	}
	l.page = min(2*l.page, mostAtOnce) // where little of what is read is shown
	for _, p := range list {
		l.at, l.read = p.ID, l.read+1
		if l.listed(p) && (l.from.ID == "" || laterFirst(p, l.from) > 0) {
			l.ahead = append(l.ahead, p)
		}
	}
	slices.SortFunc(l.ahead, laterFirst)
	l.unread, l.end = unread, unread == ""
	return nil
}

// laterFirst sorts purchases by when they were ordered.
func laterFirst(p, q store.Purchase) int {
	return cmp.Or(listedAt(q).Compare(listedAt(p)), strings.Compare(q.ID, p.ID))
}

// listedAt is where a purchase stands in a list.
func listedAt(p store.Purchase) time.Time {
	if at := p.OrderedAt(); !at.IsZero() {
		return at
	}
	return p.CreatedAt
}

// isListed reports whether a purchase is listed: the person's own, or any of the team.
func (t orderFlow) isListed(p store.Purchase, all bool) bool {
	switch {
	case p.OrderedAt().IsZero():
		return false
	case all:
		return p.Account == t.shop.ID
	}
	return t.isOwn(p)
}

// withOrders reads the orders of a purchase that is listed: the person's own, or any of the team.
func (t orderFlow) withOrders(p store.Purchase, all bool) (b screen.Bought, is bool, err error) {
	if !t.isListed(p, all) {
		return b, false, nil
	}
	orders, err := t.cfg.Store.OrdersOf(t.ctx, p)
	return screen.Bought{Purchase: p, Orders: orders}, err == nil, err
}

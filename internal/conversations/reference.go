package conversations

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"resellerbot/internal/figures"
	"resellerbot/internal/store"
)

// mostAround is how many words a reference may be typed with that has no sign.
const mostAround = 6

// signedRef is a reference with its sign, wherever it stands.
var signedRef = regexp.MustCompile(`#\s?([0-9A-Za-z]{5})(?:$|[^0-9A-Za-z])`)

// referenceIn is the reference that words name: with its sign, or without, among a few others that have no figure ("where is order F7ZGJ?"). Without
// its sign it is one only with a figure, as most have, and most names have none. Two of them name none: which is meant nobody can tell.
func referenceIn(words string) (ref string, withSign bool) {
	const figure = "0123456789"
	words = figures.Latin(words)
	if all := signedRef.FindAllStringSubmatch(words, 2); len(all) > 0 {
		if ref = strings.ToUpper(all[0][1]); len(all) > 1 || !store.IsRef(ref) {
			return "", false
		}
		return ref, true
	}
	all := strings.Fields(words)
	if len(all) > mostAround+1 {
		return "", false
	}
	for _, word := range all {
		bare := strings.ToUpper(strings.Trim(word, `.,:;!?،؛؟…()"'“”«»`))
		switch {
		case store.IsRef(bare) && strings.ContainsAny(bare, figure):
			if ref != "" {
				return "", false
			}
			ref = bare
		case strings.ContainsAny(word, figure): // a number of units, or another number
			return "", false
		}
	}
	return ref, false
}

// showReferred opens the purchase of a reference, if there is one. One of another account of the person's is not shown here: they are told
// of which.
func (t orderFlow) showReferred(ref string) (shown bool, err error) {
	// What they have bought for another shop is none of this one's.
	for _, all := range slices.Compact([]bool{t.seesAll(), false}) {
		list, err := t.ordered(between{}, all)
		if err != nil {
			return false, err
		}
		id, err := list.referred(ref)
		if err != nil || id != "" {
			return true, firstError(err, func() error { return t.order(id) })
		}
	}
	if !t.private {
		return false, nil
	}
	for _, account := range t.chat.Others {
		list, err := t.orderedWith(account)
		if err != nil {
			return false, err
		}
		id, err := list.referred(ref)
		if err != nil || id != "" {
			return true, firstError(err, func() error { return t.elsewhere(account, id) })
		}
	}
	return false, nil
}

// referred is the purchase of a reference; empty for none. Its id tells alone: no order is read.
func (l *orderedList) referred(ref string) (id string, err error) {
	l.page = mostAtOnce
	for {
		p, more, err := l.next()
		if err != nil || !more {
			return "", err
		}
		if store.Ref(p.ID) == ref {
			return p.ID, nil
		}
	}
}

// orderedWith lists what the person would see of an account of theirs if it were the active one.
func (t orderFlow) orderedWith(account string) (*orderedList, error) {
	a, err := t.cfg.Store.Account(t.ctx, account)
	if ignoreMissing(err) != nil {
		return nil, fmt.Errorf("read the account: %w", err)
	}
	role := a.Role(t.userID)
	all := role == store.Owner || role == store.Counter
	chats := slices.Concat(a.Chats, a.Past)
	if !all { // their own chat, and its groups
		chats = append(slices.DeleteFunc(chats, func(chat int64) bool { return chat > 0 }), t.chatID)
	}
	slices.Sort(chats)
	return &orderedList{flow: t, chats: slices.Compact(chats), listed: func(p store.Purchase) bool {
		return p.Account == account && !p.OrderedAt().IsZero() && (all || p.Chat == t.chatID || p.User == t.userID)
	}}, nil
}

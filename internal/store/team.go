package store

import (
	"errors"
	"slices"
	"strconv"
	"time"
)

// Ask is a purchase above its buyer's limit: an owner is asked, once.
type Ask struct {
	At      time.Time
	Nonce   string // of the owners' buttons
	By      int64  // the owner who has decided; 0 while nobody has
	Name    string // of By, hostile text
	Granted bool
	Done    time.Time // when it was decided
}

// Shown is a message that shows a purchase beside its status message.
type Shown struct {
	As      OutKind // Copy, Request, Decision or Support
	Chat    int64
	Message int
}

// Reveal is that somebody was shown the codes of a purchase where they are hidden, or opened them later.
type Reveal struct {
	User int64
	Name string // hostile text
	At   time.Time
}

// mostReveals is how many reveals of a purchase are kept: the first ones.
const mostReveals = 20

// NoteReveal writes down that somebody is shown a purchase's codes, the first time that it happens, and reports whether it did: the first
// mostReveals people are kept.
func NoteReveal(p *Purchase, r Reveal) (noted bool) {
	if len(p.Reveals) >= mostReveals || slices.ContainsFunc(p.Reveals, func(o Reveal) bool { return o.User == r.User }) {
		return false
	}
	p.Reveals = append(slices.Clone(p.Reveals), r)
	return true
}

// InPrivate is what shows a purchase's codes, so many of them, in the private chat of somebody who has asked for them there.
func InPrivate(codes int) OutKind { return OutKind("private" + strconv.Itoa(codes)) }

// ShownIn is the message that shows the purchase in a chat beside its status message; 0 where there is none.
func (p Purchase) ShownIn(as OutKind, chat int64) int {
	i := slices.IndexFunc(p.Shown, func(s Shown) bool { return s.As == as && s.Chat == chat })
	if i < 0 {
		return 0
	}
	return p.Shown[i].Message
}

// NoteShown writes down which message shows a purchase in a chat.
func NoteShown(p *Purchase, s Shown) {
	p.Shown = slices.DeleteFunc(slices.Clone(p.Shown), func(o Shown) bool { return o.As == s.As && o.Chat == s.Chat })
	p.Shown = append(p.Shown, s)
}

// MovePurchase has another chat told of a purchase from now on. It gets a message of its own there, or what asks about it there becomes
// that: two messages would tell the same, and one of them nothing new any more.
func (t *Tx) MovePurchase(p *Purchase, chat int64) error {
	if p.Chat == chat {
		return nil
	}
	if err := t.index(KindByChat, byChatKey(p.Chat, p.ID), p.ID, false); err != nil {
		return err
	}
	p.Chat, p.Message, p.Thread = chat, p.ShownIn(Decision, chat), 0
	p.Shown = slices.DeleteFunc(slices.Clone(p.Shown), func(s Shown) bool { return s.As == Decision && s.Chat == chat })
	if err := t.index(KindByChat, byChatKey(p.Chat, p.ID), p.ID, true); err != nil {
		return err
	}
	return t.PutPurchase(p)
}

// MoveWithGroup is MovePurchase for a group that has become a supergroup. An account that the group has left finds what was bought there
// by the group's id, so it gets to know the new one.
func (t *Tx) MoveWithGroup(p *Purchase, to int64) error {
	a, err := t.Account(p.Account)
	if ignoring(err, ErrNotFound) != nil {
		return err
	}
	if i := slices.Index(a.Past, p.Chat); err == nil && i >= 0 {
		a.Past = slices.Clone(a.Past)
		a.Past[i] = to
		if err := t.PutAccount(&a); err != nil {
			return err
		}
	}
	return t.MovePurchase(p, to)
}

// movePlayers and moveAlerts give what a group has to the supergroup that it became, unless that has
// something of its own.
func (t *Tx) movePlayers(from, to int64, account string) error {
	p, err := players().get(t, ofChat(from, account))
	if err != nil {
		return ignoring(err, ErrNotFound)
	}
	if _, err := players().get(t, ofChat(to, account)); !errors.Is(err, ErrNotFound) {
		return err
	}
	p.Chat, p.rev = to, 0
	return players().put(t, &p)
}

func (t *Tx) moveAlerts(from, to int64, account string) error {
	a, err := alerts().get(t, ofChat(from, account))
	if err != nil {
		return ignoring(err, ErrNotFound)
	}
	if _, err := alerts().get(t, ofChat(to, account)); !errors.Is(err, ErrNotFound) {
		return err
	}
	a.Chat, a.rev = to, 0
	return alerts().put(t, &a)
}

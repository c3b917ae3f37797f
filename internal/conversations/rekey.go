package conversations

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"resellerbot/internal/api"
	"resellerbot/internal/screen"
	"resellerbot/internal/secret"
	"resellerbot/internal/store"
)

const (
	stepReplace = "replace"        // the question whether a key is to replace another
	replaceLife = 10 * time.Minute // how long a key that was sent waits for its answer
)

// ends is what would end if somebody unlinked an account.
type ends struct {
	team  int          // people of a team that nobody else owns
	place *store.Place // where all deliveries go
}

func (e ends) any() bool { return e.team > 0 || e.place != nil }

func (e ends) view(a store.Account) screen.EndsView {
	return screen.EndsView{Account: a.Called(), Team: e.team, Place: e.place}
}

// goesOnWithout reports whether an account stays linked when a person leaves it: they are one of its sellers, or not its only owner.
func goesOnWithout(a store.Account, user int64) bool {
	return a.Role(user) != store.Owner || len(otherOwners(a, user)) > 0
}

// endsWith is what ends when a person leaves an account: nothing, unless they are its last owner.
func endsWith(a store.Account, user int64) (e ends) {
	if goesOnWithout(a, user) {
		return e
	}
	if n := len(a.Members()); n > 1 {
		e.team = n
	}
	e.place = a.Place
	return e
}

// replacement is what a key would replace in a chat.
type replacement struct {
	ends

	old   store.Account // which the person owns, or owned last; zero where there is none
	open  int           // purchases of it that have not come to their end
	carry bool          // it may be the same account under a newer key
	apart bool          // the service names two users: it is another account, for sure
	known string        // the account that goes on under the key already; empty for none, and nothing else of this is set beside it
	other bool          // it is not the key of the account that is active, nor of one that the person has beside it
}

// asks reports whether somebody has to be asked before the key is linked.
func (r replacement) asks() bool { return r.any() || r.carry || r.other }

// replaced finds out what a key would replace. What the service names no user for may be an account that is known,
// under another key.
func (t keyFlow) replaced(key secret.Text, who api.Account) (r replacement, err error) {
	c, err := t.cfg.Store.Chat(t.ctx, t.chatID)
	if err != nil {
		return r, ignoreMissing(err)
	}
	id, err := t.sameAs(accountID(key, who))
	if err != nil {
		return r, err
	}
	all, err := t.mayBeOf(slices.Concat([]string{c.Account}, c.Others, c.Was), id)
	if err != nil {
		return r, err
	}
	other := c.Account != "" && !c.Has(id)
	for _, old := range all {
		next, err := t.replaces(old, who, old == c.Account)
		if err != nil {
			return next, err
		}
		if next.carry && !c.Has(id) && next.old.Key.Fingerprint() == key.Fingerprint() {
			return replacement{known: old}, nil
		}
		if next.carry {
			if next.carry, err = t.mayCarry(id, who.UserID != 0); err != nil {
				return next, err
			}
		}
		if next.asks() {
			next.other = other
			return next, nil
		}
	}
	return t.replacesActive(c.Account, who, other)
}

// mayBeOf lists the accounts, but for the key's own, of which a key may be a newer one, the likeliest first: those whose owners were told that the
// service refuses theirs, the one that is active, the others that are linked, and those that were.
func (t keyFlow) mayBeOf(accounts []string, own string) (sorted []string, err error) {
	var rest []string
	for _, known := range accounts {
		id, err := t.sameAs(known)
		if err != nil {
			return nil, err
		}
		a, err := t.cfg.Store.Account(t.ctx, id)
		switch {
		case id == "" || id == own:
		case ignoreMissing(err) != nil:
			return nil, err
		case a.KeyTold.IsZero():
			rest = append(rest, id)
		default:
			sorted = append(sorted, id)
		}
	}
	return append(sorted, rest...), nil
}

// replacesActive is what the key of another account would replace, about which there is nothing else to ask; nothing where it is
// of none.
func (t keyFlow) replacesActive(active string, who api.Account, other bool) (r replacement, err error) {
	if !other {
		return r, nil
	}
	r, err = t.replaces(active, who, true)
	r.other, r.carry = true, false
	return r, err
}

// hasBooks reports whether an account has bought, or had a team: it has books, customers and prices of its own then, and never goes on as another.
func hasBooks(a store.Account) bool { return a.Spends > 0 || a.Former != nil }

// mayCarry reports whether an account that is known may go on under a key. Where the service names no number (numbered), a person has to say
// whether it does: what was bought under the old key may come with the new one alone, whoever has linked that first. A key of an account with
// a number of its own is of no other where that one has books, or somebody else has linked it: nobody is moved into it.
func (t keyFlow) mayCarry(id string, numbered bool) (bool, error) {
	if !numbered {
		return true, nil
	}
	a, err := t.cfg.Store.Account(t.ctx, id)
	if errors.Is(err, store.ErrNotFound) {
		return true, nil
	}
	return err == nil && !hasBooks(a) && !slices.ContainsFunc(a.Chats, func(chat int64) bool { return chat != t.chatID }), err
}

// replaces is replaced for one account that the chat is linked to, or was.
func (t keyFlow) replaces(id string, who api.Account, linked bool) (r replacement, err error) {
	if r.old, err = t.cfg.Store.Account(t.ctx, id); err != nil {
		return r, ignoreMissing(err)
	}
	// An account that was left has ended already: the key ends nothing more of it.
	if linked {
		r.ends = endsWith(r.old, t.userID)
	}
	if r.open, err = t.openOf(r.old); err != nil {
		return r, err
	}
	mine := r.old.Role(t.userID) == store.Owner || r.old.Former.RevivableBy(t.userID, now())
	r.apart = r.old.UserID != 0 && who.UserID != 0
	team := r.old.Former != nil && (len(r.old.Former.Team) > 1 || r.old.Former.Place != nil)
	// What was bought may still come to light, or money come back: an account that has bought is worth going on with.
	r.carry = mine && !r.apart && (r.any() || r.open > 0 || team || r.old.Spends > 0)
	return r, nil
}

// openOf counts the purchases of an account of which something is still to come.
func (t keyFlow) openOf(a store.Account) (int, error) {
	waiting, err := t.cfg.Store.PendingOrders(t.ctx, a.ID, "", 100)
	if err != nil {
		return 0, fmt.Errorf("list pending orders: %w", err)
	}
	seen := map[string]bool{}
	// Orders are waited for after their purchase is closed as well: refunds, and codes that come late.
	for _, o := range waiting {
		seen[o.Purchase] = true
	}
	return max(a.Open, len(seen)), nil
}

// askReplace asks what a key is meant to be, with what speaks for it. The key is kept with the question, sealed.
func (t keyFlow) askReplace(r replacement, key secret.Text, who api.Account, deleted bool) error {
	next := store.Account{ID: accountID(key, who), Name: who.Name}
	v := screen.ReplaceView{EndsView: r.view(r.old), Name: next.Called(), Open: r.open, Carry: r.carry, Apart: r.apart}
	// A shop that goes on without them ends for nobody by another key: they leave its team by that.
	if r.old.ID == t.chat.Account && goesOnWithout(r.old, t.userID) {
		var err error
		if v.EndsView, err = t.leaving(r.old); err != nil {
			return err
		}
	}
	if !v.Leaves {
		if err := t.unended(r.old, &v); err != nil {
			return err
		}
	}
	v.Add = r.other && len(t.chat.Accounts()) < mostAccounts
	if v.Keeps, v.Past = v.Add && r.old.ID != t.chat.Account, !t.chat.Has(r.old.ID); v.Keeps {
		var err error
		if v.Beside, err = t.called(t.chat.Account); err != nil {
			return err
		}
	}
	if r.carry {
		// The bot says what speaks for either, and a person decides.
		l, err := t.cfg.Purchases.Likeness(t.ctx, r.old, t.cfg.Key(key), who)
		if err != nil {
			return fmt.Errorf("compare a key with an account: %w", err)
		}
		t.cfg.Log.Info("a key was compared with an account", "account", r.old.ID, "orders", l.Orders, "found", l.Found, "different", l.Different, "same", l.Same())
		v.Like = screen.LikeView{Same: l.Same(), Orders: l.Orders, Found: l.Found, Different: l.Different, Was: l.Was, Due: l.Due, Is: l.Is, At: l.At, Known: l.Known}
	}
	// Revealed to be sealed: the data of a session are, at rest.
	err := t.ask(t.scr.Keys().Replace(v), flowKey, stepReplace, replacing{Key: key.Reveal(), Old: r.old.ID, Leaves: v.Leaves, Deleted: deleted})
	// Behind ask, which gives a question a day: this one keeps a key.
	t.session.Expires = time.Now().Add(replaceLife)
	return err
}

// unended finds what an account that a key may replace has that did not come to its end, each as what it is.
func (t keyFlow) unended(a store.Account, v *screen.ReplaceView) (err error) {
	if err := t.unfinished(a, &v.EndsView); err != nil {
		return err
	}
	if v.Unrefunded, err = t.unrefunded(a); err != nil {
		return err
	}
	// Of an account that was left, what others of its team have bought is counted by its orders alone.
	v.Open = max(v.Waiting, v.Open-len(v.Uncertain)-len(v.Unrefunded)-v.Unsent)
	return nil
}

// replacing is a key that waits for an answer, as a session keeps it.
type replacing struct {
	Key     string // sealed with the rest of the session
	Old     string // the account that it would replace
	Leaves  bool   // that account goes on without the person
	Deleted bool   // the message that held it is gone
}

// replacing is the key that waits for an answer; false where none does.
func (t keyFlow) replacing() (waits replacing, ok bool) {
	s := t.session
	return waits, t.private && s.Flow == flowKey && s.Step == stepReplace && json.Unmarshal(s.Data, &waits) == nil
}

// keyAs is what a key that waits for an answer is.
type keyAs uint8

const (
	keyCarry keyAs = iota // one of the account that is known
	keyApart              // one of an account of its own, which replaces the active one
	keyAdd                // one of an account of its own, beside the active one
)

// keyReplace links the key that waits for an answer.
func (t keyFlow) keyReplace(as keyAs) error {
	// The tap has to be under the question that keeps the key: another one in the chat may be about another key.
	waits, ok := t.replacing()
	if !ok || t.session.Message != t.tapped {
		return t.stale()
	}
	l := linking{key: secret.New(waits.Key)}
	switch active := t.chat.Account; {
	case as == keyCarry: // what is active beside the account that goes on stays
		l.carry, l.beside = waits.Old, active != "" && waits.Old != active
	// They are its last owner by now, or no more: other things end than they were asked about.
	case as == keyApart && waits.Old == active && waits.Leaves != goesOnWithout(t.shop, t.userID):
		return t.linkKey(l.key, waits.Deleted)
	default:
		l.beside = as == keyAdd && active != ""
	}
	if l.beside && !t.chat.Has(l.carry) && len(t.chat.Accounts()) >= mostAccounts {
		return t.say(t.scr.Accounts().Full())
	}
	var err error
	// Asked anew: minutes may have passed, and the key may be refused by now.
	if l.who, err = t.cfg.Key(l.key).Account(t.ctx); err != nil {
		return t.keyRefused(err, waits.Deleted)
	}
	err = t.linkNow(l, waits.Deleted)
	if errors.Is(err, errNotOwner) {
		return t.stale()
	}
	return err
}

// keyRefused tells why the service did not take a key; deleted tells whether the message that held it is gone.
func (t keyFlow) keyRefused(err error, deleted bool) error {
	var e *api.Error
	if !errors.As(err, &e) {
		return err
	}
	t.cfg.Log.Info("a key was refused", "chat", t.chatID, "err", err)
	wrong := screen.Problem(refusedKey + string(e.Class))
	t.correct(wrong)
	return t.ask(t.scr.Keys().Refused(e, deleted), flowKey, "", mistake{wrong})
}

// sameAs is the account that one has turned out to be.
func (t keyFlow) sameAs(id string) (string, error) {
	return follow(id, func(id string) (store.Account, error) { return t.cfg.Store.Account(t.ctx, id) })
}

// sameAs is the account that one has turned out to be.
func sameAs(tx *store.Tx, id string) (string, error) { return follow(id, tx.Account) }

// follow goes from an account to the one that it has turned out to be.
func follow(id string, read func(string) (store.Account, error)) (string, error) {
	const most = 1000 // keys of one account, one after another
	for range most {
		a, err := read(id)
		if err != nil || a.Same == "" {
			return id, ignoreMissing(err)
		}
		id = a.Same
	}
	return "", fmt.Errorf("account %s: it is said to be others in a circle", id)
}

package conversations

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"resellerbot/internal/api"
	"resellerbot/internal/screen"
	"resellerbot/internal/secret"
	"resellerbot/internal/store"
)

const (
	flowKey  = "key"
	leastKey = 20 // characters of what is taken for a key though nobody asked for one
	shortKey = 8  // and of what may be one though it has no digit

	notAKey    screen.Problem = "not_a_key"
	refusedKey string         = "key_refused: " // and why
)

// key is /key: asks for the key, takes one that came along, or unlinks.
func (t keyFlow) key(rest string) error {
	switch {
	case strings.EqualFold(rest, "remove"):
		return t.keyRemove(false, "")
	case !t.private:
		return t.keyInGroup(rest != "")
	case rest != "":
		return t.linkTyped(rest)
	}
	var linked *string
	if t.chat.Account != "" {
		name := t.shop.Called()
		linked = &name
	}
	return t.ask(t.scr.Keys().Ask(linked), flowKey, "", nil)
}

// closeKeyQuestion closes an open question for a key, since something else is wanted: the next screen says so.
func (t *turn) closeKeyQuestion() {
	if t.session.Flow == flowKey {
		t.leave()
		t.keyDropped = true
	}
}

// keyInGroup refuses a key where others read along, and removes it from there if it may.
func (t keyFlow) keyInGroup(shown bool) error {
	deleted := false
	// The key goes first, before any word about it: others read along.
	if shown {
		deleted = t.cfg.Messenger.Delete(t.ctx, t.chatID, t.typed) == nil
	}
	if t.role == store.NoRole && !t.silence.breaks(addressee{chat: t.chatID, person: t.userID}, firstQuiet, 0, now()) {
		return nil // one stranger does not fill a group
	}
	return t.say(t.scr.Keys().InGroup(deleted))
}

// keyTyped takes the answer to the question for the key.
func (t keyFlow) keyTyped() error {
	if !t.private {
		t.leave()
		return t.keyInGroup(true)
	}
	// A word is no answer, and costs nobody the key that waits for one: the question is asked once more.
	if waits, ok := t.replacing(); ok && (!keyShaped(strings.TrimSpace(t.text)) || !hasDigit(t.text)) {
		return t.linkKey(secret.New(waits.Key), waits.Deleted)
	}
	return t.linkTyped(t.text)
}

// looksLikeKey reports whether a text that nobody asked for looks like a key: one long word of letters and digits, as
// no product is called.
func looksLikeKey(text string) bool {
	text = strings.TrimSpace(text)
	return len(text) >= leastKey && keyShaped(text) && !strings.ContainsAny(text, "/@") &&
		hasDigit(text) && strings.ContainsFunc(text, unicode.IsLetter)
}

// keyPasted takes a key that came without /key. Somebody who has none yet means to link it, and so does an owner who was told that theirs is
// refused. It is deleted wherever others might find it; what is the number or the code of a purchase is found.
func (t keyFlow) keyPasted() error {
	switch {
	case !t.private && strings.TrimSpace(t.text) != t.shop.Key.Reveal():
		return nil // it may be a code that people talk about
	case !t.private:
		return t.keyInGroup(true)
	case t.chat.Account == "", t.role == store.Owner && !t.shop.KeyTold.IsZero(): // they were told to link one that works
		return t.linkTyped(t.text)
	}
	if shown, err := orderFlow(t).showFound(t.text); shown || err != nil {
		return err
	}
	// Whatever comes of the key, its message goes.
	deleted := t.cfg.Messenger.Delete(t.ctx, t.chatID, t.typed) == nil
	return t.say(t.scr.Keys().Pasted(deleted))
}

// linkTyped removes the message that holds the key, asks the service whose key it is, and links it. A
// key that is refused leaves nothing behind and the question open.
func (t keyFlow) linkTyped(text string) error {
	// Before all that may fail: whatever comes of the key, its message does not stay.
	deleted := t.cfg.Messenger.Delete(t.ctx, t.chatID, t.typed) == nil
	text = strings.TrimSpace(text)
	if !keyShaped(text) {
		t.correct(notAKey)
		return t.ask(t.scr.Keys().Malformed(deleted), flowKey, "", mistake{notAKey})
	}
	return t.linkKey(secret.New(text), deleted)
}

// linkKey links a key, or asks first what it is meant to be.
func (t keyFlow) linkKey(key secret.Text, deleted bool) error {
	who, err := patiently(t.ctx, func() (api.Account, error) { return t.cfg.Key(key).Account(t.ctx) })
	if err != nil {
		return t.keyRefused(err, deleted)
	}
	// Both ask before anything is written; linkIn asks the second once more in its transaction.
	if no, err := t.onlyWithTeam(accountID(key, who), deleted); no || err != nil {
		return err
	}
	if no, err := t.staysOut(accountID(key, who), deleted); no || err != nil {
		return err
	}
	r, err := t.replaced(key, who)
	if err != nil {
		return err
	}
	if r.asks() {
		return t.askReplace(r, key, who, deleted)
	}
	if r.known != "" {
		return t.linkNow(linking{key: key, who: who, carry: r.known, again: true, beside: t.chat.Account != "" && t.chat.Account != r.known}, deleted)
	}
	// Of an account that they have already, beside the active one, nothing has to be asked: its key makes it the active one.
	return t.linkNow(linking{key: key, who: who, beside: t.chat.Account != ""}, deleted)
}

// onlyWithTeam refuses another account to somebody who may use the bot for as long as they are of their team.
func (t keyFlow) onlyWithTeam(account string, deleted bool) (bool, error) {
	if !t.cfg.Access.InviteOnly || t.chat.Through == "" {
		return false, nil
	}
	id, err := t.sameAs(account)
	if err != nil || id == t.chat.Through {
		return false, err
	}
	t.leave()
	return true, t.say(t.scr.Keys().OfTheTeam(t.shop.Called(), deleted))
}

// errStaysOut keeps somebody from linking an account whose owners have removed them.
var errStaysOut = errors.New("removed by the owners of the account")

// isKeptOut reports whether the owners of an account, who are there, have removed the person of a chat from its team.
func isKeptOut(c store.Chat, a store.Account) bool {
	return slices.Contains(c.Removed, a.ID) && len(a.PrivateChats(store.Owner)) > 0
}

// staysOut refuses an account to somebody whom its owners have removed: they come back by an invitation. The key is
// theirs at the service all the same, so the owners are told, once in a while.
func (t keyFlow) staysOut(account string, deleted bool) (bool, error) {
	id, err := t.sameAs(account)
	if err != nil || !slices.Contains(t.chat.Removed, id) {
		return false, err
	}
	a, err := t.cfg.Store.Account(t.ctx, id)
	if err != nil || !isKeptOut(t.chat, a) {
		return false, ignoreMissing(err)
	}
	// Once a day at most. The silence is in memory: a restart may tell once more.
	if t.silence.breaks(addressee{person: t.userID, ownersOf: a.ID}, groupQuiet, 0, now()) {
		err := t.cfg.Store.Update(t.ctx, func(tx *store.Tx) error {
			return t.tell(tx, a.ID, a.PrivateChats(store.Owner), store.RemovedKeyNote, map[string]string{"person": t.name})
		})
		if err != nil {
			return true, fmt.Errorf("tell the owners of a key: %w", err)
		}
	}
	t.cfg.Log.Warn("somebody who was removed from a team has its key", "account", a.ID, "user", t.userID)
	t.leave()
	return true, t.say(t.scr.Keys().OfRemoved(a.Called(), deleted))
}

// keyShaped reports whether a text can be a key at all: one word that fits into a header, and no short one of letters alone, as people type.
func keyShaped(s string) bool {
	if len(s) < shortKey && !hasDigit(s) {
		return false
	}
	return len(s) >= 4 && len(s) <= 512 && !strings.ContainsFunc(s, func(r rune) bool { return r <= ' ' || r >= 0x7f })
}

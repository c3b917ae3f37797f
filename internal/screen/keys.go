package screen

import (
	"slices"
	"time"

	"resellerbot/internal/api"
	"resellerbot/internal/api/dzd"
	"resellerbot/internal/store"
	"resellerbot/locales"
)

// ReplaceView is a key that may replace another.
type ReplaceView struct {
	EndsView

	Name   string // of the new key's account, hostile text
	Open   int    // purchases that are still on their way
	Carry  bool   // it may be of the same account, and carries its purchases on
	Apart  bool   // it is of another account, for sure
	Add    bool   // it may be linked beside the account that is active
	Keeps  bool   // and replaces none: the one above is not the active one
	Beside string // which that is, hostile text
	Past   bool   // the one above is not linked any more
	Like   LikeView
}

// LikeView is what the new key shows of the account that is known.
type LikeView struct {
	Same                     bool // its history and its wallet are the account's
	Orders, Found, Different int  // orders looked for, found, and something else in their place
	Was, Due, Is             dzd.Amount
	At                       time.Time // of Was
	Known                    bool      // what the balance was, and is
}

// LinkedView is an account that was linked.
type LinkedView struct {
	Account api.Account
	Deleted bool       // the message with the key is gone
	Carried bool       // an account that was there goes on under the key
	Back    int        // people of a team that came back
	Lacks   dzd.Amount // what the balance may be too high by
	Drift   dzd.Amount // by how much the balance has changed before it was linked, beside what was bought here
	Nudge   bool       // that a low balance can be told of was not said yet
	Locked  *store.Lock
	Beside  string // the account that was active, and is still linked, hostile text; empty for none
	Left    string // the account whose team the person has left by it, hostile text; empty for none
	Voided  bool   // something that was not confirmed ended by it
	// Uncertain is what the person has bought with it before, and of which nobody knows yet whether it went through.
	Uncertain []store.Purchase
	// Owners are those who own the account beside whoever comes to it: they may do everything, and be strangers.
	Owners []store.Member
}

// Dropped is a screen under the word that the question for a key was closed by what led to it.
func (p Keys) Dropped(m Message) Message {
	m.HTML = p.t("key.dropped", nil) + "\n\n" + m.HTML
	return m
}

// Replace asks what a new key is meant to be, with what speaks for either.
func (p Keys) Replace(v ReplaceView) Message {
	out := p.replaceAsk(v)
	var keys [][]Button
	if v.Carry {
		out = append(out, p.likeness(v.Like)...)
		keys = append(keys, row(p.button("button.key_carry", act(VerbKeyCarry))))
	}
	if open := p.unended(v); open != "" && (v.Carry || !v.Leaves) {
		out = append(out, "", open)
	}
	if text := p.ends(v.EndsView); text != "" {
		switch {
		case v.Add:
			text = lines(p.t("key.replace_ends", nil), text)
		case v.Carry:
			text = lines(p.t("key.apart_ends", nil), text)
		}
		out = append(out, "", text)
	}
	if v.Carry && v.Leaves {
		out = append(out, "", p.t("key.apart_ends", nil), p.t("key.own_leaves", nil))
	}
	switch {
	case v.Keeps:
		keys = append(keys, row(p.button("button.key_beside", act(VerbKeyAdd))))
	case v.Add:
		keys = append(keys, row(p.button("button.key_add", act(VerbKeyAdd))))
	}
	if !v.Keeps {
		keys = append(keys, row(p.button(apartKey(v), act(VerbKeyApart))))
	}
	return Message{HTML: spaced(out), Keyboard: append(keys, row(p.button("button.cancel", act(VerbCancel))))}
}

// apartKey is the button that links a key of an account of its own: beside another way it has to say which of them it is.
func apartKey(v ReplaceView) string {
	switch {
	case v.Leaves:
		return "button.key_leave_link"
	case v.Add:
		return "button.key_replace"
	case v.Carry:
		return "button.key_apart"
	}
	return "button.key_replace_yes"
}

// replaceAsk is the question that a new key leads to, and how it can be answered. Of a shop that goes on without the person no key is replaced,
// unless theirs is a newer one of it.
func (p Keys) replaceAsk(v ReplaceView) (out []string) {
	if v.Leaves && !v.Carry {
		out = append(out, p.t("key.own_ask", locales.Args{"New": p.account(v.Name), "Account": p.account(v.Account)}))
		if v.Add {
			out = append(out, p.t("key.own_how", nil))
		}
		return append(out, lines(p.opened(v.EndsView), p.t("key.own_leaves", nil)))
	}
	ask := p.t(v.askKey(), locales.Args{"New": p.account(v.Name), "Account": p.account(v.Account)})
	switch {
	case !v.Add, v.Like.Same: // two of one account are of no use to anybody
		return []string{ask}
	case v.Leaves:
		return []string{ask, p.t("key.own_how", nil)}
	}
	if v.Keeps {
		return []string{ask, p.t("key.choose_beside", locales.Args{"Active": p.account(v.Beside)})}
	}
	return []string{ask, p.t("key.choose_how", nil)}
}

// askKey is what a new key is asked about.
func (v ReplaceView) askKey() string {
	switch {
	case v.Add && v.Apart:
		return "key.choose"
	case v.Past:
		return "key.past_ask"
	}
	return "key.replace_ask"
}

// unended tells what has not come to its end of the account that a key may replace.
func (p Keys) unended(v ReplaceView) string {
	var out []string
	if len(v.Uncertain) > 0 {
		out = append(out, p.unsureOnes(v.Uncertain))
	}
	if v.Open > 0 {
		out = append(out, p.texts.N("key.open", v.Open, nil))
	}
	if len(out) > 0 {
		out = append(out, p.openFate(v.Carry))
	}
	return lines(append(out, p.unsent(v.EndsView), p.unrefundedOnes(v.Unrefunded))...)
}

// openFate is what becomes of purchases that are still on their way.
func (p Keys) openFate(carry bool) string {
	if carry {
		return p.t("key.open_choice", nil)
	}
	return p.t("key.open_old", nil)
}

// likeness tells whether a key looks like one of the same account, and why.
func (p Keys) likeness(l LikeView) []string {
	if l.Same {
		return []string{p.texts.N("key.same", l.Found, nil)}
	}
	number := func(n int) locales.HTML { return locales.HTML(isolate(id(n))) }
	out := []string{p.t("key.unclear", nil), p.t("key.found", locales.Args{"Orders": number(l.Orders), "Found": number(l.Found)})}
	// An id that the service shows with other goods than were bought here speaks for another account.
	if l.Different > 0 {
		out = append(out, p.t("key.different", nil))
	}
	if l.Known {
		at := locales.HTML(isolate(p.Time(l.At)))
		out = append(out, p.t("key.balances", locales.Args{"Was": p.money(l.Was), "Time": at, "Is": p.money(l.Is)}))
		if !l.Due.Equal(l.Was) {
			out = append(out, p.t("key.balance_due", locales.Args{"Due": p.money(l.Due)}))
		}
	}
	return out
}

// Linked welcomes an account.
func (p Keys) Linked(v LinkedView) Message {
	out := []string{p.t("key.linked", locales.Args{"Account": p.account(v.Account.Name)}), p.wallet(v.Account.Balance, v.Account.Available), p.lacks(v.Lacks)}
	out = append(out, p.drift(v.Drift)...)
	if v.Left != "" {
		out = append(out, p.t("key.left_team", locales.Args{"Account": p.account(v.Left)}))
	}
	if v.Carried {
		out = append(out, p.t("key.carried", nil))
	}
	if v.Back > 0 {
		out = append(out, p.texts.N("key.back", v.Back, nil))
	}
	for _, m := range v.Owners {
		out = append(out, p.t("key.owner", locales.Args{"Name": name(p.person(m))}))
	}
	if v.Beside != "" {
		out = append(out, p.t("key.beside", locales.Args{"Account": p.account(v.Beside)}))
	}
	if v.Voided {
		out = append(out, p.t("accounts.voided", nil))
	}
	fate := p.fate(v.Deleted)
	keys := [][]Button{row(p.button("button.buy", act(VerbBuy, "0")))}
	if n := len(v.Uncertain); n > 0 {
		out = append(out, p.unsureOnes(v.Uncertain), p.t("key.unsure_again", nil))
		open := Button{Text: p.led(p.texts.N("welcome.uncertain", n, nil)), Data: OrdersView{}.to("", FilterProblems).Data()}
		keys = slices.Insert(keys, 0, row(open)) // as on home, above what spends
	}
	nudge := ""
	if v.Nudge {
		nudge = p.t("key.nudge", nil)
		keys = append(keys, row(p.button("button.nudge", act(VerbAlert, string(store.LowBalance)).fresh())))
	}
	if len(v.Owners) > 0 {
		keys = append(keys, row(p.button("button.team", act(VerbTeam))))
	}
	return Message{HTML: lines(append(out, p.Team().lockLine(v.Locked), fate, nudge)...), Keyboard: append(keys, row(p.button("button.home", act(VerbHome))))}
}

// Ask asks for the API key. account is the name of the one that is linked; nil where none is.
func (p Keys) Ask(account *string) Message {
	now := ""
	if account != nil {
		now = p.t("key.now", locales.Args{"Account": p.account(*account)}) + "\n"
	}
	return p.withCancel(lines(now, p.t("key.ask", nil)))
}

// withCancel is a question that can be left.
func (p Keys) withCancel(text string) Message {
	return Message{HTML: text, Keyboard: [][]Button{row(p.button("button.cancel", act(VerbCancel)))}}
}

// InGroup refuses a key where others read along; deleted tells whether the message with it is gone.
func (p Keys) InGroup(deleted bool) Message {
	second := p.t("key.group_kept", nil)
	if deleted {
		second = p.t("key.group_deleted", nil)
	}
	return Message{HTML: p.t("key.group", nil) + "\n" + second}
}

// fate tells whether the message with a key is gone.
func (p Keys) fate(deleted bool) string {
	if deleted {
		return p.t("key.deleted", nil)
	}
	// That the key still stands in the chat is said: whoever opens it there reads the key.
	return p.t("key.not_deleted", nil)
}

// left warns of a message with a key that is still in the chat: one that was not taken may be a good one all the same.
func (p Keys) left(deleted bool) string {
	if deleted {
		return ""
	}
	return p.t("key.not_deleted", nil)
}

// Pasted tells that what looked like a key was neither searched for nor linked.
func (p Keys) Pasted(deleted bool) Message {
	return Message{HTML: lines(p.t("key.pasted", nil), p.fate(deleted)), Keyboard: [][]Button{row(p.button("button.key", act(VerbKey)), p.button("button.home", act(VerbHome)))}}
}

// Malformed refuses what cannot be a key.
func (p Keys) Malformed(deleted bool) Message {
	return p.withCancel(lines(p.t("key.malformed", nil), p.left(deleted)))
}

// Refused tells why the service did not take the key.
func (p Keys) Refused(e *api.Error, deleted bool) Message {
	return p.withCancel(lines(p.t("key.refused", nil), p.Failures().whyOf(e), p.left(deleted), p.t("key.retry", nil)))
}

// Removed tells that an account is unlinked, or that its team was left, and which one is active now; empty for none.
func (p Keys) Removed(account string, left bool, next string) Message {
	key := "key.removed"
	if left {
		key = "key.left_team"
	}
	removed := p.t(key, locales.Args{"Account": p.account(account)})
	if next != "" {
		return Message{
			HTML:     lines(removed, p.t("accounts.fell_back", locales.Args{"Account": p.account(next)})),
			Keyboard: [][]Button{row(p.button("button.home", act(VerbHome)))},
		}
	}
	return Message{HTML: removed, Keyboard: [][]Button{row(p.button("button.orders", act(VerbOrders, ""))), row(p.button("button.key", act(VerbKey)))}}
}

// drift tells by how much a balance has changed while nobody could be told.
func (p Keys) drift(amount dzd.Amount) []string {
	switch amount.Sign() {
	case 0:
		return nil
	case 1:
		return []string{p.t("key.moved_more", locales.Args{"Amount": p.money(amount)})}
	}
	return []string{p.t("key.moved_less", locales.Args{"Amount": p.money(dzd.Amount{}.Sub(amount))})}
}

// OfTheTeam refuses a key of another account to somebody who is here with a team.
func (p Keys) OfTheTeam(account string, deleted bool) Message {
	return Message{HTML: lines(p.t("key.of_team", locales.Args{"Account": p.account(account)}), p.left(deleted)), Keyboard: [][]Button{row(p.button("button.home", act(VerbHome)))}}
}

// OfRemoved refuses the key of an account to somebody whom its owners have removed.
func (p Keys) OfRemoved(account string, deleted bool) Message {
	return Message{HTML: lines(p.t("key.kept_out", locales.Args{"Account": p.account(account)}), p.left(deleted)), Keyboard: [][]Button{row(p.button("button.home", act(VerbHome)))}}
}

// None asks for a key where one is needed.
func (p Keys) None() Message {
	return Message{HTML: p.t("key.none", nil), Keyboard: [][]Button{row(p.button("button.key", act(VerbKey)))}}
}

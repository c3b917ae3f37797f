package screen

import (
	"strconv"
	"strings"

	"resellerbot/internal/api/dzd"
	"resellerbot/internal/store"
	"resellerbot/locales"
)

// EndsView is what ends when an account is unlinked by its last owner.
type EndsView struct {
	Account string // hostile text
	Team    int    // people of its team; 0 for no team
	Place   *store.Place
	// Uncertain is purchases of which nobody knows yet whether they went through.
	Uncertain []store.Purchase
	Waiting   int    // other purchases that may still bring something
	Unsent    int    // purchases and lines of lists that wait for their turn, and are not bought any more
	Leaves    bool   // the account goes on without the person, who is not its last owner
	Since     string // stands for how it is linked now: a later link is not ended by the answer
	// Unrefunded is purchases with those of their orders that have failed and whose refund was not seen.
	Unrefunded []Bought
}

// Ends reports whether a team or the group of all deliveries ends.
func (v EndsView) Ends() bool { return v.Team > 0 || v.Place != nil }

// LacksEnd reports whether something that was bought has not come to its end.
func (v EndsView) LacksEnd() bool { return len(v.Uncertain)+len(v.Unrefunded)+v.Waiting+v.Unsent > 0 }

// Named stands for what the question tells that matters to the answer: whether a team or a group ends by it, what is uncertain, and how much is not
// bought any more.
func (v EndsView) Named() string {
	named := []string{strconv.Itoa(v.Unsent), strconv.FormatBool(v.Leaves), strconv.FormatBool(v.Team > 0), strconv.FormatBool(v.Place != nil)}
	for _, pu := range v.Uncertain {
		named = append(named, pu.ID)
	}
	return Mark(named)
}

// ends tells what ends, and that it comes back.
func (p Keys) ends(v EndsView) string {
	if !v.Ends() {
		return ""
	}
	var out []string
	if v.Team > 0 {
		out = append(out, p.texts.N("key.ends_team", v.Team, nil))
	}
	if v.Place != nil {
		out = append(out, p.t("key.ends_place", locales.Args{"Group": name(v.Place.Title)}))
	}
	return lines(append(out, p.t("key.ends_back", nil))...)
}

// AskRemove asks whether an account is to be unlinked although a team works with it, or whether somebody is to leave a team.
func (p Keys) AskRemove(v EndsView) Message {
	ask, yes, no := "key.remove_ask", "button.key_remove_yes", "button.key_keep"
	if v.Leaves {
		ask, yes, no = "key.leave_ask", "button.key_leave_yes", "button.key_stay"
	}
	return Message{HTML: lines(p.t(ask, locales.Args{"Account": p.account(v.Account)}), p.opened(v), p.ends(v)), Keyboard: [][]Button{
		row(p.button(yes, act(VerbKeyRemove, Yes, v.Since, v.Named()))), row(p.button(no, act(VerbKeyRemove, Keep, v.Since))),
	}}
}

// Kept tells that an account stays linked, or that somebody stays in a team: they were asked, and said no.
func (p Keys) Kept(account string, leaves bool) Message {
	return Message{HTML: p.t(either(leaves, "key.stayed", "key.kept"), locales.Args{"Account": p.account(account)}), Keyboard: [][]Button{row(p.button("button.home", act(VerbHome)))}}
}

// either is one of two texts: that for somebody who leaves a team, or the other one.
func either(leaves bool, left, other string) string {
	if leaves {
		return left
	}
	return other
}

// opened tells what becomes of purchases that have not come to their end.
func (p Keys) opened(v EndsView) string {
	return lines(p.unsure(v.Uncertain, v.Leaves), p.stillComing(v.Waiting, v.Leaves), p.unsent(v), p.unrefunded(v.Unrefunded, v.Leaves))
}

// unsure names purchases of which nobody knows yet whether they went through, to somebody who is about to leave their team, which goes on
// with its key, or to unlink the account.
func (p Keys) unsure(list []store.Purchase, leaves bool) string {
	if len(list) == 0 {
		return ""
	}
	return lines(p.unsureOnes(list), p.t(either(leaves, "key.unsure_wait_leave", "key.unsure_wait"), nil))
}

// unsureOnes counts and names purchases of which nobody knows yet whether they went through.
func (p Keys) unsureOnes(list []store.Purchase) string {
	return p.direct(p.texts.N("key.unsure", len(list), nil) + " " + references(list))
}

// references names purchases in a sentence, as many as there is room for.
func references(list []store.Purchase) string {
	var refs []string
	for _, pu := range list[:min(len(list), mostInText)] {
		refs = append(refs, string(reference(pu)))
	}
	return strings.Join(refs, " · ")
}

// unrefunded tells what did not come back yet of purchases that have failed, to somebody who is about to leave them. Nothing more comes of
// these, and so they are none of those that are on their way.
func (p Keys) unrefunded(list []Bought, leaves bool) string {
	if len(list) == 0 {
		return ""
	}
	return lines(p.unrefundedOnes(list), p.t(either(leaves, "key.unrefunded_kept_leave", "key.unrefunded_kept"), nil))
}

// unrefundedOnes names purchases that have failed and did not come back yet.
func (p Keys) unrefundedOnes(list []Bought) string {
	if len(list) == 0 {
		return ""
	}
	var paid dzd.Amount
	var of []store.Purchase
	hidden := false
	for _, b := range list {
		paid, of, hidden = paid.Add(paidFor(b.Purchase, b.Orders)), append(of, b.Purchase), hidden || p.hidesCost(b.Purchase)
	}
	text := p.t("key.unrefunded", locales.Args{"Paid": p.money(paid)})
	if hidden {
		text = p.t("key.unrefunded_unpriced", nil)
	}
	return p.direct(text + " " + references(of))
}

// unsent counts what ends by the leaving or the unlinking. It says by which: where both accounts may be kept, nothing ends.
func (p Keys) unsent(v EndsView) string {
	if v.Unsent == 0 {
		return ""
	}
	return p.texts.N(either(v.Leaves, "key.unsent_leave", "key.unsent"), v.Unsent, nil)
}

// stillComing tells what becomes of purchases that are still on their way.
func (p Keys) stillComing(n int, leaves bool) string {
	if n == 0 {
		return ""
	}
	return lines(p.texts.N("key.open", n, nil), p.t(either(leaves, "key.open_kept_leave", "key.open_kept"), nil))
}

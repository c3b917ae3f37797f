//go:build defects

package proof

import "slices"

// outDefects are mistakes about who is out, whose a group is, and what is kept of people.
func outDefects() []defect { return slices.Concat(leavingDefects(), groupDefects(), privacyDefects()) }

const (
	staysOut   = "who is out stays out"
	ownAccount = "a group speaks of its account alone"
	forgotten  = "people are forgotten"

	byTable = "./internal/conversations -run TestOutIsOut"
)

// leavingDefects let somebody in who is out.
func leavingDefects() []defect {
	const access, visit, guests, out, team, key = "internal/conversations/access.go", "internal/conversations/visit.go", "internal/conversations/guests.go", "internal/conversations/out.go", "internal/conversations/team.go", "internal/conversations/key.go"
	return []defect{
		{
			name:   "a bad pass is tried as an invitation, too",
			file:   access,
			old:    `	a.update, v.text, v.rest = &u, m.Text, ""`,
			new:    `	a.update, v.text = &u, m.Text`,
			breaks: "after two and a half mistyped links the good one does nothing",
			holds:  staysOut,
			by:     "./internal/conversations -run TestBadPasses",
		},
		{
			name: "links outlive whoever is removed", file: "internal/conversations/person.go",
			old: `errors.Join(tx.EndInvites(a), expel(tx, a, &c))`, new: `expel(tx, a, &c)`,
			breaks: "a spare link lets a removed seller in again", holds: staysOut, by: byTable,
		},
		{
			name: "links outlive whoever unlinks or is shut out", file: "internal/conversations/unlink.go",
			old: `errors.Join(tx.EndInvites(&a), expel(tx, &a, c))`, new: `expel(tx, &a, c)`,
			breaks: "who was shut out returns by a link that they have kept", holds: staysOut, by: byTable,
		},
		{
			name: "links outlive a lost role", file: out,
			old: `	if err := tx.EndInvites(a); err != nil {
		return err
	}
	return tx.EndAlerts(user, a.ID)`,
			new:    `	return tx.EndAlerts(user, a.ID)`,
			breaks: "links that an owner gave work when they own nothing any more, as soon as they own it again", holds: staysOut, by: byTable,
		},
		{
			name: "the invitation of somebody who owns nothing any more is good", file: team,
			old: `	case !isGood(i, a, c) || !t.cfg.Access.admits(i.By, by):`, new: `	case a.Retired && by.ID == 0:`,
			also: []edit{
				{"internal/conversations/person.go", `errors.Join(tx.EndInvites(a), expel(tx, a, &c))`, `expel(tx, a, &c)`},
				{access, `if err != nil || !isGood(i, a, v.here) {`, `if err != nil || a.ID == "" {`},
				{access, `	return b.isIn(ctx, i.By)
}`, `	return true, nil
}`},
			},
			breaks: "the dead invitation of a removed owner lets strangers in", holds: staysOut, by: byTable,
		},
		{
			name: "staff stay let in", file: out,
			old: `	case c.Through != a.ID && !unknown:`, new: `	case !unknown:`,
			breaks: "dismissed staff may use the bot", holds: staysOut, by: byTable,
		},
		{
			name: "a pass from before lets in again", file: access,
			old: `|| !now.Out.IsZero() && !i.Made.After(now.Out) {
			return`, new: ` {
			return`,
			breaks: "a shop that was shut out has kept a second invitation", holds: staysOut, by: byTable,
		},
		{
			name: "a linked group goes with who brought it in", file: visit,
			old: ` || v.here.Account != "" || v.here.AdmittedBy == 0 {`, new: ` || v.here.AdmittedBy == 0 {`,
			breaks: "a shop's group is out because a seller who added the bot there is", holds: ownAccount, by: "./internal/conversations -run TestStanding",
		},
		{
			name: "a group stays when who brought it in goes", file: visit,
			old: `	return p.admits(v.here.AdmittedBy, v.bringer)`, new: `	return v.here.AdmittedBy != 0`,
			breaks: "who was shut out goes on in the groups that they have brought in", holds: staysOut, by: "./internal/conversations -run TestStanding",
		},
		{
			name: "who is out may write in groups", file: visit,
			old: `	if !in || v.chat > 0 ||`, new: `	if !in || v.chat != 0 ||`,
			breaks: "who was shut out takes the bot into groups", holds: staysOut, by: "./internal/conversations -run TestShutOutHolds",
		},
		{
			name: "shutting out holds only by invitation", file: visit,
			old:    `return c.Out.IsZero() && (!p.InviteOnly || !c.Admitted.IsZero())`,
			new:    `return !p.InviteOnly || c.Out.IsZero() && !c.Admitted.IsZero()`,
			breaks: "the operator of an open bot cannot shut anybody out", holds: staysOut, by: "./internal/conversations -run TestShutOutHolds",
		},
		{
			name: "a seller brings back a group that was shut out", file: visit,
			old: `	return v.here.Out.IsZero() && p.admits(v.ID, v.person)`, new: `	return p.admits(v.ID, v.person)`,
			breaks: "a group that was shut out returns", holds: staysOut, by: "./internal/conversations -run TestOutIsOut|TestGroupShutOut",
		},
		{
			name: "who is shut out keeps the account", file: guests,
			old: `	for range c.Accounts() {`, new: `	for range c.Accounts()[:min(1, max(0, -int(c.ID)))] {`,
			breaks: "sellers buy in private for a shop that is out, and it is polled for", holds: staysOut, by: "./internal/conversations -run TestShutOut",
		},
		{
			name: "a stranger empties a linked group", file: visit,
			old: `r.leave = v.here.Account == "" && (`, new: `r.leave = (`,
			breaks: "after ACCESS goes to invite a stranger makes the bot leave the shop's group", holds: staysOut, by: "./internal/conversations -run TestStrangerDoesNot",
		},
		{
			name: "access has one page", file: "internal/screen/access.go",
			old: `	first, last, page, pages := pageOf(len(v.Chats), v.Page)`, new: `	first, last, page, pages := pageOf(len(v.Chats), 0)`,
			breaks: "most chats cannot be taken out", holds: staysOut, by: "./internal/conversations -run TestAccessPages",
		},
		{
			name: "who is out may not decide about what they bought", file: visit,
			old: "\tcase v.bought && v.open:", new: "\tcase v.bought && v.open && v.invited:",
			breaks: "the paid code of somebody who was shut out stays at the service", holds: staysOut, by: "./internal/conversations -run TestShutOutWith",
		},
		{
			name: "who is out goes on for ever", file: out,
			old: `	return n > 0, nil`, new: `	return n >= 0, nil`,
			breaks: "who was shut out is served when nothing of theirs is open", holds: staysOut, by: "./internal/conversations -run TestShutOutWith",
		},
		{
			name: "who is out may spend while something is open", file: visit,
			old: "\tcase v.bought && v.open:", new: `	case v.open:`,
			also:   []edit{{access, "v.expected || !v.bought {", `v.expected {`}},
			breaks: "who was shut out is served for as long as a purchase of theirs is open", holds: staysOut, by: "./internal/conversations -run TestShutOutWith",
		},
		{
			name: "the key of an outsider stays in the chat", file: visit,
			old: `	r.deleteKey = v.bringsKey()`, new: `	r.deleteKey = v.bringsKey() && v.chat == 0`,
			breaks: "a key stands in a chat for whoever looks at it", holds: staysOut, by: "./internal/conversations -run TestKeyOfAnOutsider",
		},
		{
			name: "what owners are told of a key silences its sender's answer", file: key,
			old: `addressee{person: t.userID, ownersOf: a.ID}`, new: `addressee{chat: t.userID, person: t.userID}`,
			breaks: "somebody who was taken out sends a key, and is not told that nothing came of it", holds: staysOut, by: "./internal/conversations -run TestKeyOfARemoved",
		},
		{
			name: "the owners of one account silence those of another", file: key,
			old: `addressee{person: t.userID, ownersOf: a.ID}`, new: `addressee{person: t.userID, ownersOf: "an account"}`,
			breaks: "an owner does not hear that somebody whom they removed has the key", holds: staysOut, by: "./internal/conversations -run TestKeyOfARemoved",
		},
		{
			name: "the key lets in whom the owners have removed", file: key,
			old: `	return slices.Contains(c.Removed, a.ID) && len(a.PrivateChats(store.Owner)) > 0`, new: `	return slices.Contains(c.Removed, a.ID) && len(a.Chats) < 0`,
			breaks: "a removed owner is back in seconds", holds: staysOut, by: "./internal/conversations -run TestRemovedOwner",
		},
		{
			name: "who was removed stays out of a team that has ended", file: key,
			old: `	return slices.Contains(c.Removed, a.ID) && len(a.PrivateChats(store.Owner)) > 0`, new: `	return slices.Contains(c.Removed, a.ID)`,
			breaks: "the key of an account that nobody is left in links it for nobody", holds: staysOut, by: "./internal/conversations -run TestRemovedOwner",
		},
		{
			name: "what a member has bought is listed twice", file: "internal/conversations/orders.go",
			old: `	return slices.Compact(chats), nil`, new: `	return chats, nil`,
			breaks: "an owner sees every purchase of somebody who came back twice", holds: ownAccount, by: "./internal/conversations -run TestOrdersAfter",
		},
		{
			name: "who was removed sees what they bought", file: "internal/conversations/orders.go",
			old: `	return own && !slices.Contains(t.chat.Removed, p.Account)`, new: `	return own`,
			breaks: "a dismissed seller reads the codes of the shop", holds: staysOut, by: "./internal/conversations -run TestOrdersAfter",
		},
		{
			name: "a question about one account takes the group from another", file: "internal/conversations/group.go",
			old: `sure = sure && t.action.Arg(1) == screen.Mark([]string{t.chat.Account})`, new: `sure = sure && t.chat.Account != ""`,
			breaks: "an old button takes a group from an account that it did not name", holds: ownAccount, by: "./internal/conversations -run TestTakeover",
		},
		{
			name: "anybody lets in whom the operator has shut out", file: "internal/conversations/rights.go",
			old: `isOperator := t.private && t.userID == t.cfg.Access.Operator;`, new: `isOperator := t.private;`,
			also:   []edit{{visit, `	case d.where != outsider:`, `	case d.where != outsider || v.query != "":`}},
			breaks: "a forged button undoes a shutting out", holds: staysOut, by: "./internal/conversations -run TestAccessTells",
		},
		{
			name: "one stranger fills a group", file: visit,
			old: `	return v.chat > 0 && (v.name == "key"`, new: `	return v.chat != 0 && (v.name == "key"`,
			breaks: "a stranger's commands in the shop's group are written to disk, each", holds: ownAccount, by: "./internal/conversations -run TestCrowds",
		},
		{
			name: "a group keeps the language of its last owner", file: "internal/conversations/group.go",
			old: `	if own.Language != "" {`, new: `	if c.Chosen && own.Language != "" {`,
			breaks: "a team is spoken to in a language that it did not choose", holds: ownAccount, by: "./internal/conversations -run TestGroupSpeaksIts",
		},
		{
			name: "a token is taken with its invisible marks", file: visit,
			old: `	rest := plainToken(v.rest)
	return rest,`, new: `	rest := v.rest
	return rest,`,
			breaks: "a good invitation is refused as used", holds: staysOut, by: "./internal/conversations -run TestTokenWith",
		},
		{
			name: "alerts go on", file: out,
			old:    `	return errors.Join(tx.EndAlerts(c.ID, a.ID), tx.LeaveBook(a.ID, c.ID))`,
			new:    `	return tx.LeaveBook(a.ID, c.ID)`,
			breaks: "a stranger's line speaks of the shop's balance", holds: staysOut, by: "./internal/conversations -run TestSettingsOfOthers",
		},
		{
			name: "an alert that waits reaches whoever has left", file: "internal/notify/outgoing.go",
			old: `	if err := d.stillAbout(ctx, v); err != nil {
		return err
	}
`,
			new:    ``,
			breaks: "the morning brings a balance that is not theirs any more", holds: staysOut, by: "./internal/conversations -run TestAlertThatWaited",
		},
	}
}

// groupDefects are about whose a group is.
func groupDefects() []defect {
	const group, team, out = "internal/conversations/group.go", "internal/conversations/team.go", "internal/conversations/out.go"
	return []defect{
		{
			name: "another owner's account is meant in a shop's group", file: "internal/conversations/owner.go",
			old: `	if !t.private && t.chat.Account == "" {
		if a, err = t.ownAccount()`,
			new: `	if !t.private {
		if a, err = t.ownAccount()`,
			breaks: "the bot announces another account's lock as if it were the shop's", holds: ownAccount, by: "./internal/conversations -run TestGroupSpeaks",
		},
		{
			name: "nobody takes a group from a squatter", file: group,
			old: `err == nil && stands[0] > stands[1], err`, new: `err == nil && stands[0] > 9, err`,
			breaks: "whoever squats in a group keeps its shop from linking it", holds: ownAccount, by: "./internal/conversations -run TestSquatter",
		},
		{
			name: "equals take a group from each other", file: group,
			old: `err == nil && stands[0] > stands[1], err`, new: `err == nil && stands[0] >= stands[1], err`,
			breaks: "a squatter takes the shop's group", holds: ownAccount, by: "./internal/conversations -run TestSquatter",
		},
		{
			name: "who administers a group is asked for again where it was not told", file: group,
			old: `			return t.offerTake(a, may, err)`,
			new: `			may, err = t.mayTake()
			return t.offerTake(a, may, err)`,
			breaks: "Telegram does not tell, and an owner is asked anew what they have confirmed", holds: ownAccount, by: "./internal/conversations -run TestStandingIsAskedOnce",
		},
		{
			name: "others' settings survive a link", file: group,
			old: `		c.Language, c.Chosen = own.Language, false`, new: `		_ = own`,
			breaks: "the shop's group speaks the language that a stranger has chosen", holds: ownAccount, by: "./internal/conversations -run TestSettingsOfOthers",
		},
		{
			name: "nobody is told who still reads", file: out,
			old: `	if s == away || a.Place == nil || !a.Place.Full {`, new: `	if s != perhaps || a.Place == nil || !a.Place.Full {`,
			breaks: "a removed member goes on reading codes and nobody knows", holds: "owners know who reads their codes", by: "./internal/conversations -run TestRemovedWhoStays",
		},
		{
			name: "silence of Telegram is a no", file: out,
			old: `		return perhaps
	case in:`,
			new: `		return away
	case in:`,
			breaks: "where the bot is no administrator nobody is told who still reads codes", holds: "owners know who reads their codes", by: "./internal/conversations -run TestRemovedWhoStays",
		},
	}
}

// privacyDefects keep what is to go, or let go what is to stay.
func privacyDefects() []defect {
	const forget, privacy = "internal/store/forget.go", "internal/conversations/privacy.go"
	return []defect{
		{
			name: "strangers are never forgotten", file: "internal/app/forget.go",
			old: `ForgetStrangers(ctx, time.Now(), f.chat, forgetAtOnce)`, new: `ForgetStrangers(ctx, time.Time{}, f.chat, forgetAtOnce)`,
			breaks: "whoever wrote once is known for ever", holds: forgotten, by: "./internal/conversations -run TestStrangersAreForgotten",
		},
		{
			name: "who has just left a team is a stranger", file: forget,
			old: `[]time.Time{c.Admitted, c.LeftAt}`, new: `[]time.Time{c.Admitted}`,
			breaks: "a team does not come back when its account is linked again", holds: forgotten, by: "./internal/conversations -run TestStrangersAreForgotten",
		},
		{
			name: "what could not be handled is kept", file: forget,
			old: `return in.State != Parked || now.Sub(in.At) < StrangerLife`, new: `return in.State != Parked || now.Sub(in.At) < 100*StrangerLife`,
			breaks: "what people wrote stays for ever", holds: forgotten, by: "./internal/store -run TestForgetParked",
		},
		{
			name: "who was admitted through a team before stays", file: "internal/conversations/out.go",
			old: `unknown := c.Through == "" && c.AdmittedBy == 0 && m.By != c.ID`, new: `unknown := c.Through == "" && c.AdmittedBy == 0 && m.By == 0`,
			breaks: "staff that was let in before it was written down by whom stays in", holds: staysOut, by: "./internal/conversations -run TestAdmissionsFromBefore",
		},
		{
			name: "a team comes back with whoever was shut out", file: "internal/conversations/rekey.go",
			old: ` || c.ID == 0 || !c.Out.IsZero() {`, new: ` || c.ID == 0 {`,
			breaks: "linking a key again makes somebody a seller who was shut out", holds: staysOut, by: "./internal/conversations -run TestTeamComesBackIn",
		},
		{
			name: "being forgotten lets in again", file: forget,
			old: `	if !c.Out.IsZero() || len(c.Removed) > 0 {
		c = Chat`, new: `	if len(c.Removed) > 0 {
		c = Chat`,
			breaks: "who was shut out has themselves forgotten, and is back", holds: staysOut, by: "./internal/conversations -run TestForgottenStayOut",
		},
		{
			name: "names stay in reveals", file: "internal/store/mask.go",
			old: `		hide(p.Reveals[i].User, &p.Reveals[i].Name)`, new: `		_ = i`,
			breaks: "the name of who was forgotten is shown to their shop", holds: forgotten, by: "./internal/conversations -run TestForgottenName",
		},
		{
			name: "open money is forgotten", file: privacy,
			old: `	case open != "":
		return t.say(t.scr.Privacy().ForgetOpen(store.Ref(open)))
`, new: `	case open == store.Ref("") && open != "":
		return nil
`,
			breaks: "nobody can be told of an order that is on its way", holds: forgotten, by: "./internal/conversations -run TestForgetAsks",
		},
		{
			name: "asking about oneself lets in", file: "internal/conversations/visit.go",
			old: `	case v.isAboutThemselves() && v.here.ID != 0:`, new: `	case v.isAboutThemselves() && v.query == "":`,
			breaks: "a stranger's message makes a record", holds: forgotten, by: "./internal/conversations -run TestPrivacyIsForEverybody",
		},
	}
}

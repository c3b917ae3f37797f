package screen

import (
	"strconv"

	"time"

	"resellerbot/internal/api/dzd"
	"resellerbot/internal/ledger"
	"resellerbot/internal/store"
	"resellerbot/locales"
)

// TeamView is an account's team as an owner sees it.
type TeamView struct {
	Account string // hostile text
	Members []store.Member
	Self    int64
	Invites int // open ones
	Place   *store.Place
	// PlaceOut is that the bot is not in that place any more.
	PlaceOut bool
	Locked   *store.Lock
	Day      string // today
}

// What a limit is about.
const (
	LimitPurchase = "purchase"
	LimitDay      = "day"
	LimitNone     = "none" // the value that takes a limit away
)

// Yes answers a question about whether something is meant.
const Yes = "yes"

// Keep answers it by no, where that is told.
const Keep = "keep"

// roleName is a role in words.
func (p Printer) roleName(r store.Role) string {
	switch r {
	case store.Owner:
		return p.plain("role.owner", nil)
	case store.Seller:
		return p.plain("role.seller", nil)
	}
	return p.plain("role.counter", nil)
}

// person is what somebody of a team is called.
func (p Printer) person(m store.Member) string {
	if s := clean(m.Name, buttonName); s != "" {
		return s
	}
	return "#" + id(m.User)
}

// Members is who may do what, for an owner.
func (p Team) Members(v TeamView) Message {
	out := []string{p.t("team.title", locales.Args{"Account": p.account(v.Account)}), ""}
	var keys [][]Button
	for _, m := range v.Members[:min(len(v.Members), mostEntries)] {
		line := p.direct(p.roleName(m.Role) + " · " + string(name(p.person(m))))
		if m.User == v.Self {
			line += " " + p.plain("team.you", nil)
		}
		out = append(out, line)
		keys = append(keys, row(Button{Text: p.roleMark(m.Role) + " " + isolate(p.person(m)), Data: act(VerbPerson, id(m.User)).Data()}))
	}
	if more := len(v.Members) - mostEntries; more > 0 {
		out = append(out, p.direct(p.texts.N("stock.more", more, nil)))
	}
	out = append(out, "", p.Places().placeLine(v.Place, v.PlaceOut))
	if v.Invites > 0 {
		out = append(out, p.direct(p.texts.N("team.invites", v.Invites, nil)))
	}
	out = append(out, p.lockLine(v.Locked), p.t("team.help", nil))
	keys = append(keys, row(p.button("button.invite_seller", act(VerbInvite, string(store.Seller))), p.button("button.invite_counter", act(VerbInvite, string(store.Counter)))))
	if v.Invites > 0 {
		keys = append(keys, row(p.button("button.invites_off", act(VerbInvitesOff))))
	}
	return Message{HTML: spaced(out), Keyboard: append(keys,
		row(p.button("button.place", act(VerbPlace)), p.lockKey(v.Locked)), row(p.button("button.home", act(VerbHome))))}
}

// roleMark is a role in one sign.
func (p Team) roleMark(r store.Role) string {
	switch r {
	case store.Owner:
		return "👑"
	case store.Seller:
		return "🛒"
	}
	return "📦"
}

// lockLine tells that nothing is spent now, and who said so.
func (p Team) lockLine(l *store.Lock) string {
	switch {
	case l == nil:
		return ""
	// Nobody has said it: a copy of the database was put back, and until an owner has looked it is not known what is spent.
	case l.Restored:
		return p.t("team.locked_restored", nil)
	}
	return p.t("team.locked", locales.Args{"Name": name(l.Name), "Time": locales.HTML(isolate(p.Time(l.At)))})
}

// lockKey stops all spending, or allows it again.
func (p Team) lockKey(l *store.Lock) Button {
	if l == nil {
		return p.button("button.lock", act(VerbLock))
	}
	return p.button("button.unlock", act(VerbUnlock))
}

// of names the account that something said in a group is about.
func (p Printer) of(account, text string) string {
	if p.reader != ForShop && p.reader != ForShopInFull || account == "" {
		return text
	}
	return p.about(account, Message{HTML: text}).HTML
}

// InvitedView is a new invitation, with the link that is sent to one person.
type InvitedView struct {
	Account string // whose team it is for, hostile text
	Role    store.Role
	Link    string
	Until   time.Time
	For     string // who alone can use it, hostile text; empty for whoever opens it first
}

// Invited shows a new invitation. One that anybody can use leads to one for somebody who is chosen.
func (p Team) Invited(v InvitedView) Message {
	args := locales.Args{"Account": p.account(v.Account), "Role": p.roleName(v.Role), "Time": locales.HTML(isolate(p.Time(v.Until))), "Name": name(v.For)}
	keys := [][]Button{row(Button{Text: p.plain("button.copy_link", nil), Copy: v.Link}, p.shareKey(v.Link, p.plain("invite.share", locales.Args{"Account": locales.HTML(isolate(p.accountText(v.Account, nameLength)))})))}
	text := p.t("invite.made_for", args)
	if v.For == "" {
		text = p.t("invite.made", args)
		keys = append(keys, row(p.button("button.invite_one", act(VerbInvite, string(v.Role), InviteOne))))
	}
	return Message{HTML: lines(text, "", "<code>"+escape(v.Link)+"</code>"), Keyboard: append(keys, row(p.button("button.back", act(VerbTeam).fresh())))}
}

// What somebody is chosen for.
const (
	// Telegram gives them back with the choice, perhaps from a key of before: no number may get another meaning.
	pickSeller  = 1
	pickCounter = 2
)

// PickedFor is the role that somebody was chosen for; false for a choice that nobody was asked for.
func PickedFor(request int) (role store.Role, ok bool) {
	role, ok = map[int]store.Role{pickSeller: store.Seller, pickCounter: store.Counter}[request]
	return role, ok
}

// pickKey is the key that somebody is chosen with.
func (p Team) pickKey(role store.Role) (text string, request int) {
	if role == store.Seller {
		return p.plain("button.pick_seller", nil), pickSeller
	}
	return p.plain("button.pick_counter", nil), pickCounter
}

// Pick asks who an invitation is for. Clients that know no key to choose with show none, or one that writes what it says:
// the link that anybody can use is above.
func (p Team) Pick(role store.Role) Message {
	text, request := p.pickKey(role)
	return Message{HTML: p.t("invite.pick", nil), Replies: &Replies{Pick: text, Request: request, Leave: p.plain("button.cancel", nil)}}
}

// Picked takes the keys away that somebody was chosen with.
func (p Team) Picked(person string) Message {
	return Message{HTML: p.t("invite.picked", locales.Args{"Name": name(person)}), Replies: &Replies{}}
}

// PickedMember tells that who was chosen is of the team already.
func (p Team) PickedMember(person string) Message {
	return Message{HTML: p.t("invite.already", locales.Args{"Name": name(person)}), Replies: &Replies{}}
}

// NoPick tells that nobody can be chosen with this client.
func (p Team) NoPick() Message { return Message{HTML: p.t("invite.no_pick", nil), Replies: &Replies{}} }

// PickLeft tells that nobody is chosen.
func (p Team) PickLeft() Message {
	m := p.Home().Left()
	m.Keyboard, m.Replies = nil, &Replies{}
	return m
}

// Picks tells what a text is that a key to choose with has written, in any of the languages: that of a role, or the one
// beside it, which leaves. ok is false for any other text.
func (p Printers) Picks(text string) (role store.Role, ok bool) {
	for _, lang := range locales.Languages() {
		team := p.byLang[lang].Team()
		if text == team.plain("button.cancel", nil) {
			return store.NoRole, true
		}
		for _, r := range []store.Role{store.Seller, store.Counter} {
			if key, _ := team.pickKey(r); text == key {
				return r, true
			}
		}
	}
	return store.NoRole, false
}

// InviteBad refuses an invitation that is no longer good.
func (p Team) InviteBad() Message {
	return Message{HTML: p.t("invite.bad", nil), Keyboard: [][]Button{row(p.button("button.home", act(VerbHome)))}}
}

// InviteMember tells somebody that they are of the team already.
func (p Team) InviteMember(role store.Role) Message {
	return Message{HTML: p.t("invite.member", locales.Args{"Role": p.roleName(role)}), Keyboard: [][]Button{row(p.button("button.home", act(VerbHome)))}}
}

// JoinedBeside welcomes somebody into a team who is of another one, which stays active.
func (p Team) JoinedBeside(to AccountChoice, active string) Message {
	return Message{
		HTML:     p.t("invite.beside", locales.Args{"Account": p.account(to.Name), "Role": p.roleName(to.Role), "Active": p.account(active)}),
		Keyboard: [][]Button{row(p.Accounts().switchKey(to, "")), row(p.button("button.home", act(VerbHome)))},
	}
}

// Joined welcomes somebody into a team.
func (p Team) Joined(account string, role store.Role) Message {
	what := p.t("invite.as_counter", nil)
	keys := [][]Button{row(p.button("button.orders", act(VerbOrders, "")), p.button("button.home", act(VerbHome)))}
	if role.AtLeast(store.Seller) {
		what = p.t("invite.as_seller", nil)
		keys = append([][]Button{row(p.button("button.buy", act(VerbBuy, "0")), p.button("button.topup", act(VerbTopup, "0")))}, keys...)
	}
	return Message{HTML: lines(p.t("invite.joined", locales.Args{"Account": p.account(account), "Role": p.roleName(role)}), what), Keyboard: keys}
}

// Person is somebody of the team, for an owner. day is today.
func (p Team) Person(m store.Member, self bool, day string) Message {
	out := []string{p.direct("<b>" + string(name(p.person(m))) + "</b> · " + p.roleName(m.Role)),
		p.t("person.since", locales.Args{"Time": locales.HTML(isolate(p.Time(m.Since)))})}
	var keys [][]Button
	// Owners have no limit, and whoever delivers spends nothing.
	if m.Role == store.Seller {
		out = append(out, p.limitLine(m.PerPurchase, LimitPurchase), p.limitLine(m.PerDay, LimitDay),
			p.t("person.spent", locales.Args{"Amount": p.money(m.SpentOn(day))}))
		keys = append(keys, row(p.button("button.limit_purchase", act(VerbPersonLimit, id(m.User), LimitPurchase)),
			p.button("button.limit_day", act(VerbPersonLimit, id(m.User), LimitDay))))
	}
	var roles []Button
	for _, r := range []store.Role{store.Owner, store.Seller, store.Counter} {
		if r != m.Role {
			roles = append(roles, p.roleKey(m, r))
		}
	}
	keys = append(keys, roles)
	// Nobody takes themselves out here: an account is left by unlinking it, which says what ends with that.
	if !self {
		keys = append(keys, row(p.button("button.person_out", act(VerbPersonOut, id(m.User)))))
	}
	return Message{HTML: lines(out...), Keyboard: append(keys, row(p.button("button.back", act(VerbTeam))))}
}

// roleKey gives somebody another role.
func (p Team) roleKey(m store.Member, r store.Role) Button {
	to := act(VerbPersonRole, id(m.User), string(r))
	switch r {
	case store.Owner:
		return p.button("button.make_owner", to)
	case store.Seller:
		return p.button("button.make_seller", to)
	}
	return p.button("button.make_counter", to)
}

// limitLine is one limit of a seller.
func (p Team) limitLine(limit *dzd.Amount, kind string) string {
	switch {
	case limit == nil && kind == LimitDay:
		return p.t("person.no_day", nil)
	case limit == nil:
		return p.t("person.no_purchase", nil)
	case kind == LimitDay:
		return p.t("person.day", locales.Args{"Amount": p.money(*limit)})
	}
	return p.t("person.purchase", locales.Args{"Amount": p.money(*limit)})
}

// PersonLimit asks for a limit of a seller.
func (p Team) PersonLimit(m store.Member, kind string, problem Problem) Message {
	ask, now := p.t("limit.purchase", locales.Args{"Name": name(p.person(m))}), m.PerPurchase
	if kind == LimitDay {
		ask, now = p.t("limit.day", locales.Args{"Name": name(p.person(m))}), m.PerDay
	}
	wrong := ""
	if problem != NoProblem {
		wrong = p.t("limit.wrong", nil)
	}
	var presets []Button
	// 0 has an owner asked about everything.
	for _, n := range []int64{0, 1000, 5000, 20000} {
		presets = append(presets, p.amountButton(dzd.Int(n), act(VerbLimitSet, id(m.User), kind, id(n))))
	}
	return Message{HTML: lines(ask, p.limitLine(now, kind), wrong), Keyboard: [][]Button{
		presets[:2], presets[2:], row(p.button("button.no_limit", act(VerbLimitSet, id(m.User), kind, LimitNone))),
		row(p.button("button.back", act(VerbPerson, id(m.User)))),
	}}
}

// LimitMeant asks whether an amount is to be a seller's limit: what was typed can be read in two ways.
func (p Team) LimitMeant(m store.Member, kind string, amount dzd.Amount) Message {
	return Message{HTML: lines(p.direct(string(name(p.person(m)))), p.t("amount.meant", locales.Args{"Amount": p.money(amount)})), Keyboard: [][]Button{
		row(p.amountButton(amount, act(VerbLimitSet, id(m.User), kind, amount.String()))), row(p.button("button.back", act(VerbPerson, id(m.User)))),
	}}
}

// Membership stands for somebody's time in a team, in what confirms something about them: whoever has left and come back since has
// another one.
func Membership(m store.Member) string { return since(m.User, m.Since) }

// since stands for what somebody, or a group, is since a moment.
func since(chat int64, at time.Time) string { return Mark([]string{id(chat), id(at.UnixNano())}) }

// PersonOwner asks whether somebody is to own the account as well.
func (p Team) PersonOwner(m store.Member) Message {
	return p.sure(p.t("person.owner_ask", locales.Args{"Name": name(p.person(m))}), m,
		p.button("button.make_owner_yes", act(VerbPersonRole, id(m.User), string(store.Owner), Yes, Membership(m))))
}

// PersonOut asks whether somebody is to leave the team; till is the cash that they have of the shop.
func (p Team) PersonOut(m store.Member, till ledger.Money) Message {
	cash := ""
	if till != 0 {
		cash = p.t("person.out_till", locales.Args{"Till": p.booked(till)})
	}
	return p.sure(lines(p.t("person.out_ask", locales.Args{"Name": name(p.person(m))}), cash), m,
		p.button("button.person_out_yes", act(VerbPersonOut, id(m.User), Yes, Membership(m))))
}

// sure asks whether something is meant.
func (p Team) sure(text string, m store.Member, yes Button) Message {
	return Message{HTML: text, Keyboard: [][]Button{row(yes), row(p.button("button.back", act(VerbPerson, id(m.User))))}}
}

// Locked tells that nothing is spent from now on; busy tells that a purchase was on its way already.
func (p Team) Locked(account string, busy bool) Message {
	way := ""
	if busy {
		way = p.t("lock.on_its_way", nil)
	}
	return Message{HTML: p.of(account, lines(p.t("lock.done", nil), way)), Keyboard: [][]Button{row(p.button("button.unlock", act(VerbUnlock)))}}
}

// Unlocked tells that the account may spend again.
func (p Team) Unlocked(account string) Message {
	return Message{HTML: p.of(account, p.t("lock.open", nil)), Keyboard: [][]Button{row(p.button("button.home", act(VerbHome)))}}
}

// Restored shows the team of an account that comes from a copy, to be confirmed: everybody in it is
// shown.
func (p Team) Restored(v store.TeamShown) Message {
	out := []string{p.t("restored.team", locales.Args{"Account": p.account(v.Account)}), ""}
	// All of them, however many: nobody may be confirmed who was not seen.
	for _, m := range v.Members {
		line := p.direct(p.roleName(m.Role) + " · " + string(name(p.person(m))))
		few := len(v.Members) <= mostEntries // where there are more, there is no room for their limits
		if few && m.PerPurchase != nil {
			line = lines(line, p.limitLine(m.PerPurchase, LimitPurchase))
		}
		if few && m.PerDay != nil {
			line = lines(line, p.limitLine(m.PerDay, LimitDay))
		}
		out = append(out, line)
	}
	return Message{HTML: spaced(append(out, "", p.Places().placeLine(v.Place, false))), Keyboard: [][]Button{
		row(p.button("button.team_confirm", act(VerbTeamConfirm, v.Mark))), row(p.button("button.team", act(VerbTeam).fresh())),
	}}
}

// leftNote tells owners that somebody has left their team, and what their till holds, where it holds something.
func (p Notes) leftNote(args map[string]string) Message {
	till := ""
	if n, err := strconv.ParseInt(args["till"], 10, 64); err == nil && n != 0 {
		till = p.t("team.note_left_till", locales.Args{"Till": p.booked(ledger.Money(n))})
	}
	return Message{HTML: lines(p.t("team.note_left", locales.Args{"Name": name(args["person"])}), till), Keyboard: toTeam.keyboard(p, args)}
}

package screen

import (
	"time"

	"resellerbot/internal/store"
	"resellerbot/locales"
)

// shopName is how much of a name stands on a button beside other words.
const shopName = 24

// AccessView is who may use the bot, as its owner sees it.
type AccessView struct {
	InviteOnly bool
	Chats      []AccessChat
	Page       int // from 0; the nearest one is shown
	Out        int // how many are shut out
}

// AccessChat is a chat that may use the bot.
type AccessChat struct {
	ID   int64
	Shop string     // the name of its account, hostile text; empty where none is linked
	Name string     // of the person, or the group, hostile text; empty where it is not known
	Role store.Role // of the person

	At time.Time // when the chat was let in; zero where nobody did
}

// Since stands for the time since the chat was let in, in what confirms something about it.
func (c AccessChat) Since() string { return since(c.ID, c.At) }

// name is what the chat is called.
func (c AccessChat) name() string {
	who, of := clean(c.Name, shopName), clean(c.Shop, shopName)
	switch {
	case who != "" && of != "":
		return who + " · " + of
	case who != "" || of != "":
		return who + of
	}
	return "#" + id(c.ID)
}

// kind is whether the chat is a person or a group, in one sign.
func (c AccessChat) kind() string {
	// Telegram gives people positive ids, and groups negative ones.
	if c.ID < 0 {
		return "👥 "
	}
	return "👤 "
}

// Closed rejects somebody whom nobody has let in.
func (p Access) Closed() Message { return Message{HTML: p.t("access.closed", nil)} }

// KeyOfOutsider tells somebody whom nobody has let in that their key was not linked.
func (p Access) KeyOfOutsider() Message { return Message{HTML: p.t("access.key_out", nil)} }

// TooFast tells somebody that they are not listened to for a moment.
func (p Access) TooFast() Message { return Message{HTML: p.t("access.too_fast", nil)} }

// Page is a page of those whom the operator may take out.
func (p Access) Page(v AccessView) Message {
	mode := "access.open"
	if v.InviteOnly {
		mode = "access.invite_only"
	}
	out := []string{p.t("access.title", nil), p.t(mode, nil), ""}
	keys := [][]Button{row(p.button("button.pass", act(VerbPass)))}
	// Somebody is let in and shut out while the page stands there: the nearest page that there is by now is shown.
	first, last, page, pages := pageOf(len(v.Chats), v.Page)
	for _, c := range v.Chats[first:last] {
		out = append(out, p.direct(c.kind()+p.withRole(c)))
		keys = append(keys, row(Button{Text: p.plain("button.shut_out", locales.Args{"Name": locales.HTML(isolate(c.name()))}), Data: act(VerbShutOut, id(c.ID)).Data()}))
	}
	switch {
	case len(v.Chats) == 0 && v.InviteOnly:
		out = append(out, p.t("access.none", nil))
	case len(v.Chats) == 0:
		out = append(out, p.t("access.none_open", nil))
	}
	out, keys = p.paged(out, keys, page, pages, func(n int) Action { return act(VerbAccess, id(n)) })
	if v.Out > 0 {
		keys = append(keys, row(p.buttonWith("button.shut_outs", locales.Args{"Count": number(v.Out)}, act(VerbShutOuts, "0"))))
	}
	return Message{HTML: lines(out...), Keyboard: append(keys, row(p.button("button.refresh", act(VerbAccess, id(page), Refresh)), p.button("button.home", act(VerbHome))))}
}

// ShutOuts is a page of those whom the operator has shut out, and may let in again.
func (p Access) ShutOuts(list []AccessChat, at int) Message {
	out := []string{p.t("access.out_title", nil), ""}
	var keys [][]Button
	first, last, page, pages := pageOf(len(list), at)
	for _, c := range list[first:last] {
		out = append(out, p.direct(c.kind()+string(name(c.name()))))
		keys = append(keys, row(Button{Text: p.plain("button.let_in", locales.Args{"Name": locales.HTML(isolate(c.name()))}), Data: act(VerbLetIn, id(c.ID)).Data()}))
	}
	if len(list) == 0 {
		out = append(out, p.t("access.out_none", nil))
	}
	out, keys = p.paged(out, keys, page, pages, func(n int) Action { return act(VerbShutOuts, id(n)) })
	return Message{HTML: lines(out...), Keyboard: append(keys, row(p.button("button.back", act(VerbAccess, "0"))))}
}

// paged is a list with the number of its page and the way to the others, where there are more.
func (p Access) paged(out []string, keys [][]Button, page, pages int, to func(page int) Action) ([]string, [][]Button) {
	if pages < 2 {
		return out, keys
	}
	out = append(out, "", p.t("catalogue.page", locales.Args{"Page": number(page + 1), "Pages": number(pages)}))
	return out, append(keys, p.pager(page, pages, to))
}

// withRole is the name of a chat, with what somebody is in their shop.
func (p Access) withRole(c AccessChat) string {
	who := name(c.name())
	if c.Role == store.NoRole {
		return string(who)
	}
	return p.plain("access.person", locales.Args{"Name": who, "Role": locales.HTML(p.roleName(c.Role))})
}

// ShutOutAsk asks whether a chat is to be taken out. team is how many people go with somebody who alone owns their
// account; 0 for nobody. open is how many of their purchases are open.
func (p Access) ShutOutAsk(c AccessChat, team, open int) Message {
	what := p.t("access.ask_person", nil)
	if c.ID < 0 {
		what = p.t("access.ask_group", nil)
	}
	ends, still := "", ""
	if open > 0 {
		still = p.direct(p.texts.N("access.ask_open", open, nil))
	}
	switch {
	case team == 1:
		ends = p.t("access.ask_owner", nil)
	case team > 1:
		ends = p.texts.N("access.ask_team", team, nil)
	}
	return Message{HTML: lines(p.t("access.ask", locales.Args{"Name": name(c.name())}), what, still, ends), Keyboard: [][]Button{
		row(p.button("button.shut_out_yes", act(VerbShutOut, id(c.ID), Yes, c.Since()))), row(p.button("button.back", act(VerbAccess, "0"))),
	}}
}

// Pass is a new invitation into the bot, with the link that is sent to one shop.
func (p Access) Pass(link string, until time.Time) Message {
	return Message{
		HTML: lines(p.t("access.pass", locales.Args{"Time": locales.HTML(isolate(p.Time(until)))}), "", "<code>"+escape(link)+"</code>"),
		// The way back is a message of its own: the link is to be read here alone, as no more than a hash of it is kept.
		Keyboard: [][]Button{row(Button{Text: p.plain("button.copy_link", nil), Copy: link}, p.shareKey(link, p.plain("access.share", nil))), row(p.button("button.back", act(VerbAccess, "0").fresh()))},
	}
}

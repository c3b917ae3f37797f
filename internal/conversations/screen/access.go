package screen

import (
	"time"

	"resellerbot/locales"
)

// shopName is how much of a name stands on a button beside other words.
const shopName = 24

// AccessView is who may use the bot, as its owner sees it.
type AccessView struct {
	InviteOnly bool
	Chats      []AccessChat
	More       bool // there are more than these
}

// AccessChat is a chat that was let in.
type AccessChat struct {
	ID   int64
	Shop string // the name of its account, hostile text; empty where none is linked
}

// name is what the chat is called.
func (c AccessChat) name() string {
	if s := clean(c.Shop, buttonName); s != "" {
		return s
	}
	return "#" + id(c.ID)
}

// Closed turns somebody away whom nobody has let in.
func (p Printer) Closed() Message { return Message{HTML: p.t("access.closed", nil)} }

// TooFast tells somebody that they are not listened to for a moment.
func (p Printer) TooFast() Message { return Message{HTML: p.t("access.too_fast", nil)} }

// Access is whom the bot's owner has let in.
func (p Printer) Access(v AccessView) Message {
	mode := "access.open"
	if v.InviteOnly {
		mode = "access.invite_only"
	}
	out := []string{p.t("access.title", nil), p.t(mode, nil), ""}
	keys := [][]Button{row(p.button("button.pass", act(VerbPass)))}
	for _, c := range v.Chats {
		out = append(out, p.direct("• "+string(name(c.name()))))
		keys = append(keys, row(Button{Text: p.plain("button.shut_out", locales.Args{"Name": locales.HTML(isolate(clean(c.name(), shopName)))}), Data: act(VerbShutOut, id(c.ID)).Data()}))
	}
	switch {
	case len(v.Chats) == 0:
		out = append(out, p.t("access.none", nil))
	case v.More:
		out = append(out, p.t("access.more", nil))
	}
	return Message{HTML: lines(out...), Keyboard: append(keys, row(p.button("button.refresh", act(VerbAccess)), p.button("button.home", act(VerbHome))))}
}

// Pass is a new invitation into the bot, with the link that is sent to one shop.
func (p Printer) Pass(link string, until time.Time) Message {
	return Message{
		HTML:     lines(p.t("access.pass", locales.Args{"Time": locales.HTML(isolate(p.Time(until)))}), "", isolate("<code>"+escape(link)+"</code>")),
		Keyboard: [][]Button{row(Button{Text: p.plain("button.copy_link", nil), Copy: link}), row(p.button("button.back", act(VerbAccess).fresh()))},
	}
}

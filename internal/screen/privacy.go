package screen

import (
	"strings"

	"resellerbot/locales"
)

// Page tells what is kept about people, why, and for how long.
func (p Privacy) Page() Message {
	return Message{
		HTML: strings.Join([]string{
			p.t("privacy.title", nil), p.t("privacy.you", nil), p.t("privacy.money", nil), p.t("privacy.key", nil), p.t("privacy.texts", nil),
			p.t("privacy.settings", nil), p.t("privacy.who", nil), p.t("privacy.strangers", nil),
		}, "\n\n"),
		Keyboard: [][]Button{row(p.button("button.forget", act(VerbForget))), row(p.button("button.home", act(VerbHome)))},
	}
}

// ForgetAsk asks whether somebody wants to be forgotten, and tells what goes and what stays.
func (p Privacy) ForgetAsk() Message {
	return Message{HTML: p.t("forget.ask", nil), Keyboard: [][]Button{
		row(p.button("button.forget_yes", act(VerbForget, Yes))), row(p.button("button.back", act(VerbPrivacy))),
	}}
}

// Forgotten tells somebody that they are forgotten.
func (p Privacy) Forgotten() Message { return Message{HTML: p.t("forget.done", nil)} }

// ForgetNothing tells somebody that nothing is kept about them.
func (p Privacy) ForgetNothing() Message { return Message{HTML: p.t("forget.nothing", nil)} }

// ForgetLinked refuses to forget somebody who is of an account.
func (p Privacy) ForgetLinked(account string) Message {
	return Message{HTML: p.t("forget.linked", locales.Args{"Account": p.account(account)}), Keyboard: [][]Button{
		row(p.button("button.key_remove", act(VerbKeyRemove))), row(p.button("button.back", act(VerbPrivacy))),
	}}
}

// ForgetOpen refuses to forget somebody while a purchase of theirs is open.
func (p Privacy) ForgetOpen(ref string) Message {
	return Message{HTML: p.t("forget.open", locales.Args{"Ref": locales.HTML(isolate("#" + escape(clean(ref, 32))))}), Keyboard: [][]Button{
		row(p.button("button.orders", act(VerbOrders, ""))),
	}}
}

// ForgetRefund refuses to forget the last owner of an account while money of it is open.
func (p Privacy) ForgetRefund(account string) Message {
	return Message{HTML: p.t("forget.refund", locales.Args{"Account": p.account(account)}), Keyboard: [][]Button{row(p.button("button.home", act(VerbHome)))}}
}

// ForgetInPrivate sends somebody who asks in a group to their private chat.
func (p Privacy) ForgetInPrivate() Message { return Message{HTML: p.t("forget.group", nil)} }

package screen

import (
	"resellerbot/internal/api/dzd"
	"resellerbot/internal/store"
	"resellerbot/locales"
)

// BalanceView is a balance as far as it is known, DZD.
type BalanceView struct {
	Amount    dzd.Amount
	Available dzd.Amount
	Known     bool // both figures
}

// AccountView is the linked account in short.
type AccountView struct {
	Name    string // hostile text
	Balance BalanceView
	Waiting int         // purchases that are not at their end
	Role    store.Role  // of who looks
	Left    *dzd.Amount // what they may still spend today without asking; nil where there is no limit
	Locked  *store.Lock
}

// Welcome is the home screen; acc is nil while no account is linked.
func (p Home) Welcome(person string, acc *AccountView) Message {
	if acc == nil {
		return Message{
			HTML: p.t("welcome.new", locales.Args{"Name": name(person)}),
			Keyboard: [][]Button{
				row(p.button("button.key", act(VerbKey))),
				row(p.button("button.language", act(VerbLanguages)), p.button("button.help", act(VerbHelp))),
			},
		}
	}
	head := p.t("welcome.linked_unknown", locales.Args{"Account": p.account(acc.Name)})
	switch {
	case p.reader != ForOwner:
		head = p.direct("<b>" + string(p.account(acc.Name)) + "</b>")
	case acc.Balance.Known:
		head = p.t("welcome.linked", locales.Args{"Account": p.account(acc.Name), "Available": p.money(acc.Balance.Available)})
	}
	waiting, left := "", ""
	if acc.Waiting > 0 {
		waiting = p.texts.N("welcome.waiting", acc.Waiting, nil)
	}
	if acc.Left != nil {
		left = p.t("welcome.left", locales.Args{"Amount": p.money(*acc.Left)})
	}
	return Message{HTML: lines(head, waiting, left, p.Team().lockLine(acc.Locked)), Keyboard: p.homeKeys(acc.Role)}
}

// homeKeys are the ways from home, as far as they are open to somebody.
func (p Home) homeKeys(role store.Role) [][]Button {
	buy := row(p.button("button.buy", act(VerbBuy, "0")), p.button("button.topup", act(VerbTopup, "0")))
	help := row(p.button("button.language", act(VerbLanguages)), p.button("button.help", act(VerbHelp)))
	switch {
	case p.reader == ForOwner:
		return [][]Button{
			buy, row(p.button("button.orders", act(VerbOrders, "")), p.button("button.balance", act(VerbBalance))),
			row(p.button("button.stock", act(VerbStock)), p.button("button.alerts", act(VerbAlerts))),
			row(p.button("button.team", act(VerbTeam))), help,
		}
	case role == store.Counter:
		return [][]Button{row(p.button("button.orders", act(VerbOrders, ""))), help}
	case p.reader == ForSeller:
		return [][]Button{buy, row(p.button("button.orders", act(VerbOrders, "")), p.button("button.stock", act(VerbStock))), help}
	}
	return [][]Button{buy, row(p.button("button.orders", act(VerbOrders, "")), p.button("button.help", act(VerbHelp)))}
}

// account is the name of an account, which the service may leave empty.
func (p Printer) account(s string) locales.HTML {
	if clean(s, nameLength) == "" {
		s = p.plain("account.unnamed", nil)
	}
	return name(s)
}

// wallet is the balance, with what of it can be spent where that differs.
func (p Printer) wallet(balance, available dzd.Amount) string {
	text := p.t("balance.amount", locales.Args{"Balance": p.money(balance)})
	if available.Equal(balance) {
		return text
	}
	return lines(text, p.t("balance.available", locales.Args{"Available": p.money(available)}), p.t("balance.held", nil))
}

// Languages asks for a language.
func (p Home) Languages(current string) Message {
	var keys []Button
	for _, l := range [...]struct{ code, name string }{{"ar", "العربية"}, {"fr", "Français"}, {"en", "English"}} {
		text := l.name
		if l.code == current {
			text = "• " + text
		}
		keys = append(keys, Button{Text: text, Data: act(VerbLanguage, l.code).Data()})
	}
	return Message{HTML: p.t("language.ask", nil), Keyboard: [][]Button{keys}}
}

// LanguageSet confirms the language that was chosen.
func (p Home) LanguageSet() Message {
	return Message{HTML: p.t("language.set", nil), Keyboard: [][]Button{row(p.button("button.home", act(VerbHome)))}}
}

// Cancelled tells that a question was left.
func (p Home) Cancelled() Message {
	return Message{HTML: p.t("cancel.done", nil), Keyboard: [][]Button{row(p.button("button.home", act(VerbHome)))}}
}

// Left tells that a question was left. It says nothing of money: what was confirmed goes on.
func (p Home) Left() Message {
	return Message{HTML: p.t("cancel.left", nil), Keyboard: [][]Button{row(p.button("button.home", act(VerbHome)))}}
}

// NothingToCancel tells that no question was open.
func (p Home) NothingToCancel() Message {
	return Message{HTML: p.t("cancel.nothing", nil), Keyboard: [][]Button{row(p.button("button.home", act(VerbHome)))}}
}

// UnknownCommand tells that there is no such command.
func (p Home) UnknownCommand(command string) Message {
	return Message{HTML: p.t("unknown.command", locales.Args{"Command": clean(command, 32)})}
}

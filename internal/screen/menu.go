package screen

import (
	"net/url"
	"slices"
	"strings"

	"resellerbot/internal/store"
	"resellerbot/locales"
)

// Command is an entry of Telegram's menu of commands.
type Command struct{ Name, Description string }

// Label is what a button of the home screen says in some language, without its picture, and the command that leads to the same.
type Label struct{ Text, Command string }

// Labels are those of all languages: people type what a button says.
func (p Printers) Labels() (all []Label) {
	for _, lang := range locales.Languages() {
		for _, l := range [...]Label{
			{"button.buy", "buy"}, {"button.topup", "topup"}, {"button.orders", "orders"}, {"button.balance", "balance"}, {"button.stock", "stock"},
			{"button.alerts", "alerts"}, {"button.team", "team"}, {"button.customers", "customers"}, {"button.prices", "prices"}, {"button.close", "close"},
			{"button.help", "help"}, {"button.language", "language"}, {"button.home", "home"},
		} {
			_, text, _ := strings.Cut(p.byLang[lang].plain(l.Text, nil), " ")
			all = append(all, Label{strings.TrimSpace(text), l.Command})
		}
	}
	return all
}

// Commands lists what a chat is offered, in its language: by the role of whose private chat it is, or what all of a team
// may use in a group. several: they are of more than one account. Nobody is offered what they would be refused.
func (p Home) Commands(role store.Role, group, several bool) []Command {
	does := map[string]string{
		"start": p.plain("command.start", nil), "account": p.plain("command.account", nil), "buy": p.plain("command.buy", nil), "topup": p.plain("command.topup", nil),
		"orders": p.plain("command.orders", nil), "balance": p.plain("command.balance", nil), "stock": p.plain("command.stock", nil),
		"alerts": p.plain("command.alerts", nil), "team": p.plain("command.team", nil), "lock": p.plain("command.lock", nil),
		"key": p.plain("command.key", nil), "language": p.plain("command.language", nil), "help": p.plain("command.help", nil),
		"cancel": p.plain("command.cancel", nil), "alias": p.plain("command.alias", nil), "prices": p.plain("command.prices", nil), "customers": p.plain("command.customers", nil), "kridi": p.plain("command.kridi", nil), "today": p.plain("command.today", nil), "week": p.plain("command.week", nil), "month": p.plain("command.month", nil), "report": p.plain("command.report", nil), "close": p.plain("command.close", nil), "privacy": p.plain("command.privacy", nil), "forget": p.plain("command.forget", nil),
	}
	if role != store.Owner { // what was earned is the owner's to see, and to show
		does["today"] = p.plain("command.today_sales", nil)
	}
	var all []Command
	names := offered(role, group)
	if several && !group {
		names = slices.Insert(names, 1, "account") // behind start
	}
	for _, name := range names {
		all = append(all, Command{Name: name, Description: does[name]})
	}
	return all
}

// offered names the commands of a menu.
func offered(role store.Role, group bool) []string {
	common := []string{"language", "help", "cancel", "privacy", "forget"}
	switch {
	// The menu of a group is one for everybody in it: it holds nothing that is an owner's alone, or somebody's own.
	case group:
		return []string{"buy", "topup", "orders", "stock", "language", "help", "cancel"}
	case role == store.Owner:
		return slices.Concat([]string{"start", "buy", "topup", "orders", "balance", "stock", "customers", "kridi", "today", "week", "month", "report", "close", "alias", "prices", "alerts", "team", "lock", "key"}, common)
	case role == store.Seller:
		return slices.Concat([]string{"start", "buy", "topup", "orders", "stock", "customers", "kridi", "today", "close", "alias"}, common)
	case role == store.Counter:
		return slices.Concat([]string{"start", "orders", "kridi", "today", "close"}, common)
	}
	return slices.Concat([]string{"start", "key"}, common)
}

// Help tells what somebody can do, in a group as well what is theirs alone. linked: the chat has an account; several: more than one.
func (p Home) Help(linked bool, role store.Role, group, several bool) Message {
	out := []string{p.t("help.title", nil)}
	for _, c := range p.Commands(role, group && role == store.NoRole, several && !group) {
		if c.Name != "start" && c.Name != "help" && (c.Name != "key" || !group) { // a key is never sent to a group
			out = append(out, p.direct(p.slashed(c.Name)+" – "+c.Description))
		}
	}
	out = append(out, p.helpMore(linked, role)...)
	if linked {
		return Message{HTML: spaced(out), Keyboard: [][]Button{row(p.button("button.home", act(VerbHome)))}}
	}
	return Message{HTML: spaced(out), Keyboard: [][]Button{row(p.button("button.key", act(VerbKey)))}}
}

// helpMore is what else somebody can do, and has to know.
func (p Home) helpMore(linked bool, role store.Role) []string {
	switch {
	case role == store.Counter:
		return []string{"", p.t("help.find", nil)}
	case !linked:
		return []string{"", p.t("help.money", nil)}
	}
	return []string{"", p.t("help.search", nil), p.t("help.line", nil), p.t("help.list", nil), "", p.t("help.money", nil)}
}

// slashed is a command as it is typed. Between letters that are read from the right its slash would move.
func (p Home) slashed(name string) string {
	if p.texts.RTL() {
		return isolate("/" + name)
	}
	return "/" + name
}

// shareKey hands a link on to somebody, in Telegram, with a sentence about it. The link, with what is secret in it, is
// there already: it is what was asked for.
func (p Printer) shareKey(link, about string) Button {
	return Button{Text: p.plain("button.share", nil), URL: "https://t.me/share/url?url=" + inLink(link) + "&text=" + inLink(about)}
}

// inLink is a text as a part of a link. Not every client reads a plus as a blank.
func inLink(s string) string { return strings.ReplaceAll(url.QueryEscape(s), "+", "%20") }

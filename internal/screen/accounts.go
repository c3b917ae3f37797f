package screen

import (
	"crypto/sha256"
	"encoding/base64"
	"slices"
	"strings"

	"resellerbot/internal/store"
	"resellerbot/locales"
)

// switchName is how many code points of an account's name are on a button.
const switchName = 32

// mostSwitches is how many other accounts home leads to at once; those of more are a screen of their own.
const mostSwitches = 3

// AccountChoice is one of several accounts that a person is of.
type AccountChoice struct {
	Name   string // hostile text
	Mark   string // AccountMark
	Role   store.Role
	Active bool
}

// accountMark is the length of AccountMark.
const accountMark = 4

// AccountMark stands for an account on buttons: short, and enough to tell the few of one person apart.
func AccountMark(account string) string {
	sum := sha256.Sum256([]byte(account))
	return base64.RawURLEncoding.EncodeToString(sum[:])[:accountMark]
}

// Page lists the accounts of a person, and switches to each with a tap. more: there may be another one.
func (p Accounts) Page(list []AccountChoice, more bool) Message {
	out := []string{p.t("accounts.title", nil), ""}
	var keys [][]Button
	for _, c := range list {
		text := "accounts.other"
		if c.Active {
			text = "accounts.active"
		} else {
			keys = append(keys, row(p.switchKey(c, "")))
		}
		out = append(out, p.t(text, locales.Args{"Account": p.account(c.Name), "Role": p.roleName(c.Role)}))
	}
	if len(list) > 1 {
		out = append(out, "", p.t("accounts.help", nil))
	}
	home := row(p.button("button.home", act(VerbHome)))
	if more {
		home = row(p.button("button.add_account", act(VerbKey)), home[0])
	}
	return Message{HTML: spaced(out), Keyboard: append(keys, home)}
}

// switchKey makes an account the active one, and shows the purchase that is named, if one is.
func (p Accounts) switchKey(c AccountChoice, purchase string) Button {
	a := act(VerbSwitch, c.Mark)
	if purchase != "" {
		a = act(VerbSwitch, c.Mark, purchase)
	}
	return Button{Text: p.led("🔀 " + p.labelled(c.Name)), Data: a.Data()}
}

// labelled is the name of an account on a button.
func (p Accounts) labelled(s string) string { return p.accountText(s, switchName) }

// switches are the ways from home to a person's other accounts.
func (p Accounts) switches(others []AccountChoice) [][]Button {
	if len(others) > mostSwitches {
		return [][]Button{row(p.button("button.accounts", act(VerbAccount)))}
	}
	var keys [][]Button
	for _, c := range others {
		keys = append(keys, row(p.switchKey(c, "")))
	}
	return keys
}

// Elsewhere tells that something is another account's, and switches to that with a tap. purchase is shown then, where it is about
// one.
func (p Accounts) Elsewhere(of AccountChoice, active, purchase string) Message {
	return Message{
		HTML:     p.t("accounts.elsewhere", locales.Args{"Of": p.account(of.Name), "Account": p.account(active)}),
		Keyboard: [][]Button{row(p.switchKey(of, purchase)), row(p.button("button.home", act(VerbHome)))},
	}
}

// Switched is a screen under the word which account is active now. voided: something that was not confirmed ended by it.
func (p Accounts) Switched(account string, voided bool, m Message) Message {
	void := ""
	if voided {
		void = p.t("accounts.voided", nil)
	}
	m.HTML = lines(p.t("accounts.switched", locales.Args{"Account": p.account(account)}), void) + "\n\n" + m.HTML
	return m
}

// Full tells that a person is of as many accounts as one may be of.
func (p Accounts) Full() Message {
	return Message{HTML: p.t("accounts.full", nil), Keyboard: [][]Button{row(p.button("button.accounts", act(VerbAccount)), p.button("button.home", act(VerbHome)))}}
}

// Of is a message of an account for somebody who has several: it names that, and its buttons are about that. What is passed on as
// it stands names nothing; called is empty where the message says it.
func (p Accounts) Of(account, called string, m Message) Message {
	// What stands in bold above the text (Printer.about, Home.Welcome) names the account already.
	if first, _, _ := strings.Cut(m.HTML, "\n"); m.File == nil && !m.AsIs && called != "" && !strings.HasPrefix(first, "<b>"+string(p.account(called))+"</b>") {
		m.HTML = p.t("accounts.of", locales.Args{"Account": p.account(called)}) + "\n" + m.HTML
	}
	mark := AccountMark(account)
	m.Keyboard = slices.Clone(m.Keyboard)
	for i, keys := range m.Keyboard {
		m.Keyboard[i] = slices.Clone(keys)
		for j := range keys {
			m.Keyboard[i][j].Data = dataOf(keys[j].Data, mark)
		}
	}
	return m
}

// dataOf is what a button means, of the account that a mark stands for. There is no room for that on every button: one that is about a
// purchase or a list says by that whose it is.
func dataOf(data, mark string) string {
	version, rest, is := strings.Cut(data, ":")
	version, _, _ = strings.Cut(version, ofMark)
	if of := version + ofMark + mark + ":" + rest; is && len(of) <= maxData {
		return of
	}
	return data
}

package screen

import (
	"slices"
	"time"

	"resellerbot/internal/api"
	"resellerbot/internal/api/dzd"
	"resellerbot/internal/ledger"
	"resellerbot/internal/store"
	"resellerbot/locales"
)

// BalanceView is a balance as far as it is known, DZD.
type BalanceView struct {
	Amount    dzd.Amount
	Available dzd.Amount
	Known     bool       // both figures
	Lacks     dzd.Amount // what it may be too high by, for it may be older than purchases made here
	At        time.Time  // when it was read
}

// BalanceOf is a balance as the service tells it; lacks is what it may be too high by, DZD.
func BalanceOf(b api.Balance, lacks dzd.Amount) BalanceView {
	return BalanceView{Amount: b.Balance, Available: b.Available, Known: !b.Lacks, Lacks: lacks, At: b.At}
}

// AccountView is the linked account in short.
type AccountView struct {
	Name    string // hostile text
	Balance BalanceView
	Waiting int         // purchases that are not at their end
	Role    store.Role  // of who looks
	Left    *dzd.Amount // what they may still spend today without asking; nil where there is no limit
	Locked  *store.Lock

	Stale      bool // the balance cannot be read now: it is what the bot knew last
	Uncertain  int  // purchases of which nobody knows yet whether they went through
	Bought     int  // purchases of today that were paid and have not failed
	Paid       dzd.Amount
	Units      int          // units that were sold today: by all for an owner, else by who looks
	Sold       ledger.Money // for how much
	Lately     []LatelyView // what was bought last, the newest first
	Favourites []store.Goods
	Priced     bool            // the shop has prices of its own
	Others     []AccountChoice // that the person can switch to
}

// LatelyView is a purchase that can be made once more with a tap.
type LatelyView struct {
	Purchase string
	Item     string // hostile text, as For
	Quantity int
	For      string
}

// WelcomeBack greets a person who has left an account: what was bought there is still theirs to see.
func (p Home) WelcomeBack(person string) Message { return p.withOrders(p.Welcome(person, nil)) }

// HelpBack is Help for such a person.
func (p Home) HelpBack() Message { return p.withOrders(p.Help(false, store.NoRole, false, false)) }

// withOrders is a message with the button of what was bought below its first row.
func (p Home) withOrders(m Message) Message {
	m.Keyboard = slices.Insert(m.Keyboard, 1, row(p.button("button.orders", act(VerbOrders, ""))))
	return m
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
	// What is in the wallet is its owners' affair.
	case p.reader != ForOwner:
		head = p.direct("<b>" + string(p.account(acc.Name)) + "</b>")
	case acc.Balance.Known && acc.Stale:
		head = p.t("welcome.linked_at", locales.Args{"Account": p.account(acc.Name), "Available": p.money(acc.Balance.Available), "Time": locales.HTML(isolate(p.Time(acc.Balance.At)))})
	case acc.Balance.Known:
		head = p.t("welcome.linked", locales.Args{"Account": p.account(acc.Name), "Available": p.money(acc.Balance.Available)})
	}
	if acc.Balance.Known && p.reader == ForOwner {
		head = lines(head, p.lacks(acc.Balance.Lacks))
	}
	waiting, left, today, sold := "", "", "", ""
	if acc.Waiting > 0 {
		waiting = p.texts.N("welcome.waiting", acc.Waiting, nil)
	}
	if acc.Left != nil && p.asks == nil { // a limit is of what things cost
		left = p.t("welcome.left", locales.Args{"Amount": p.money(*acc.Left)})
	}
	if acc.Units > 0 {
		sold = p.t("welcome.sold", locales.Args{"Units": number(acc.Units), "Sold": p.booked(acc.Sold)})
	}
	switch {
	case acc.Bought > 0 && (p.costless || p.asks != nil):
		today = p.t("welcome.today_count", locales.Args{"Count": number(acc.Bought)})
	case acc.Bought > 0:
		today = p.t("welcome.today", locales.Args{"Count": number(acc.Bought), "Paid": p.money(acc.Paid)})
	}
	at, now := "", p.now
	if acc.Balance.Known && !acc.Stale && acc.Balance.At.Before(now) { // a balance that was read a moment ago is no older than it is said to be
		now = acc.Balance.At
	}
	if !p.now.IsZero() {
		at = p.t("welcome.at", locales.Args{"Time": locales.HTML(isolate(now.In(p.zone).Format(clock)))})
	}
	return Message{HTML: lines(head, sold, today, waiting, left, p.Team().lockLine(acc.Locked), at), Keyboard: p.cockpit(acc)}
}

// cockpit is what somebody sells all day, above the ways from home.
func (p Home) cockpit(acc *AccountView) [][]Button {
	// What follows is put in by its place: behind the first row of homeKeys, which buys, and before the last, which is rarely needed.
	keys := p.homeKeys(acc)
	if len(acc.Others) > 0 { // above the last row, which is what one rarely needs
		keys = slices.Insert(keys, len(keys)-1, p.Accounts().switches(acc.Others)...)
	}
	// Whoever delivers buys nothing.
	if acc.Role == store.Counter {
		return p.underUncertain(acc, keys)
	}
	var top [][]Button
	for _, l := range acc.Lately {
		top = append(top, row(Button{Text: p.led("🔁 " + p.Shelf().goodsLabel(l.Item, l.Quantity, l.For)), Data: act(VerbAgain, l.Purchase).Data()}))
	}
	top = append(top, p.Shelf().goodsKeys(acc.Favourites, nil)...)
	// Below the row that buys, which is where the thumb has learned it to be.
	keys = slices.Insert(keys, 1, top...)
	refresh := p.button("button.refresh", act(VerbHome, Refresh))
	if last := len(keys) - 1; len(keys[last]) == 1 { // three of them are too wide for a phone
		keys[last] = append(slices.Clone(keys[last]), refresh)
	} else {
		keys = append(keys, row(refresh))
	}
	return p.underUncertain(acc, keys)
}

// underUncertain puts the way to what nobody knows yet above everything that spends.
func (p Home) underUncertain(acc *AccountView, keys [][]Button) [][]Button {
	if acc.Uncertain == 0 {
		return keys
	}
	v := OrdersView{Filter: FilterProblems}
	if p.reader == ForOwner { // who counts those of all
		v.Scope = OrdersAll
	}
	open := Button{Text: p.led(p.texts.N("welcome.uncertain", acc.Uncertain, nil)), Data: v.to("", v.Filter).Data()}
	return slices.Insert(keys, 0, row(open))
}

// homeKeys are the ways from home, as far as they are open to somebody.
func (p Home) homeKeys(acc *AccountView) [][]Button {
	books := p.button("button.books", act(VerbBooks))
	buy := row(p.button("button.buy", act(VerbBuy, "0")), p.button("button.topup", act(VerbTopup, "0")))
	language, help := p.button("button.language", act(VerbLanguages)), p.button("button.help", act(VerbHelp))
	switch {
	case p.reader == ForOwner:
		return [][]Button{
			buy, row(p.button("button.orders", act(VerbOrders, "")), p.button("button.balance", act(VerbBalance))),
			row(p.button("button.stock", act(VerbStock)), p.button("button.alerts", act(VerbAlerts))),
			row(books, p.button("button.team", act(VerbTeam))), row(help, language),
		}
	case acc.Role == store.Counter && acc.Priced:
		return [][]Button{row(p.button("button.orders", act(VerbOrders, "")), books), row(help, language), row(p.button("button.sounds", act(VerbHear)))}
	case acc.Role == store.Counter:
		return [][]Button{row(p.button("button.orders", act(VerbOrders, "")), help), row(language, p.button("button.sounds", act(VerbHear)))}
	case p.reader == ForSeller && acc.Priced:
		return [][]Button{buy, row(p.button("button.orders", act(VerbOrders, "")), p.button("button.stock", act(VerbStock))), row(books, help), row(language, p.button("button.sounds", act(VerbHear)))}
	case p.reader == ForSeller:
		return [][]Button{buy, row(p.button("button.orders", act(VerbOrders, "")), p.button("button.stock", act(VerbStock))), row(help, language), row(p.button("button.sounds", act(VerbHear)))}
	}
	return [][]Button{buy, row(p.button("button.orders", act(VerbOrders, "")), help)}
}

// Books is the ways to what a shop writes down beside what it buys, as far as they are open to somebody. priced: it has prices of
// its own, with which all of that begins.
func (p Home) Books(role store.Role, priced bool) Message {
	report, debts := p.button("button.report_day", act(VerbReport, ReportDay)), p.button("button.kridi", act(VerbKridi))
	tills, home := p.button("button.close", act(VerbClose)), row(p.button("button.home", act(VerbHome)))
	prices := p.button("button.prices", act(VerbPrices))
	switch {
	case role == store.Owner && !priced:
		return Message{HTML: lines(p.t("books.title", nil), p.t("books.none", nil)), Keyboard: [][]Button{row(prices), home}}
	case role == store.Owner:
		return Message{HTML: lines(p.t("books.title", nil), p.t("books.help", nil)), Keyboard: [][]Button{
			row(report, debts), row(tills, prices), row(p.button("button.pricelist", act(VerbPriceList)), p.button("button.customers", act(VerbCustomer, "0"))),
			row(p.button("button.board", act(VerbBoard)), p.button("button.home", act(VerbHome))),
		}}
	case role == store.Seller:
		return Message{HTML: lines(p.t("books.title", nil), p.t("books.help", nil)), Keyboard: [][]Button{
			row(report, debts), row(tills, p.button("button.customers", act(VerbCustomer, "0"))), home,
		}}
	}
	return Message{HTML: lines(p.t("books.title", nil), p.t("books.help", nil)), Keyboard: [][]Button{row(report, debts), row(tills), home}}
}

// NoPicture answers a picture that nobody has asked for.
func (p Home) NoPicture() Message {
	return Message{HTML: p.t("picture.unread", nil), Keyboard: [][]Button{row(p.button("button.home", act(VerbHome)))}}
}

// account is the name of an account, which the service may leave empty.
func (p Printer) account(s string) locales.HTML {
	if tail := clean(s, nameLength); store.IsTail(tail) { // it begins with dots, and would end with them beside Arabic
		return locales.HTML(isolate(p.t("account.tail", locales.Args{"Tail": locales.HTML(isolate(tail))})))
	}
	return name(p.accountText(s, nameLength))
}

// accountText is account as plain text of some code points at most. One without a name is told from others by the end of its id.
func (p Printer) accountText(s string, most int) string {
	switch s = clean(s, most); {
	case s == "":
		return p.plain("account.unnamed", nil)
	case store.IsTail(s):
		return p.plain("account.tail", locales.Args{"Tail": locales.HTML(s)})
	}
	return s
}

// lacks says for how much a balance may lack what was bought here; nothing where it lacks none.
func (p Printer) lacks(amount dzd.Amount) string {
	if amount.IsZero() {
		return ""
	}
	return p.t("balance.lacks", locales.Args{"Amount": p.money(amount)})
}

// leaves is what is there to spend before and after a purchase.
func (p Printer) leaves(b BalanceView, total dzd.Amount) string {
	return lines(p.t("summary.balance", locales.Args{"Before": p.money(b.Available), "After": p.money(b.Available.Sub(total))}), p.lacks(b.Lacks))
}

// wallet is the balance, with what of it can be spent where that differs.
func (p Printer) wallet(balance, available dzd.Amount) string {
	text := p.t("balance.amount", locales.Args{"Balance": p.money(balance)})
	if available.Equal(balance) {
		return text
	}
	text = lines(text, p.t("balance.available", locales.Args{"Available": p.money(available)}))
	if balance.Less(available) { // a credit of the supplier's: nothing is held
		return text
	}
	return lines(text, p.t("balance.held", nil))
}

// Languages asks for a language.
func (p Home) Languages(current string) Message {
	var keys []Button
	for _, l := range tongueNames() {
		text := l.name
		if l.code == current {
			text = "• " + text
		}
		keys = append(keys, Button{Text: text, Data: act(VerbLanguage, l.code).Data()})
	}
	return Message{HTML: p.t("language.ask", nil), Keyboard: [][]Button{keys}}
}

// tongue is a language by its own name.
type tongue struct{ code, name string }

// tongueNames are the languages that there are.
func tongueNames() []tongue {
	return []tongue{{"ar", "العربية"}, {"fr", "Français"}, {"en", "English"}}
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

package screen

import (
	"cmp"
	"slices"
	"time"

	"resellerbot/internal/api"
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

	BalanceAt  time.Time // when Balance was read, where it cannot be read now; zero where it is of now
	Uncertain  int       // purchases of which nobody knows yet whether they went through
	Delivered  int       // purchases of today that have come
	Paid       dzd.Amount
	Lately     []LatelyView // what was bought last, the newest first
	Favourites []store.Goods
}

// LatelyView is a purchase that can be made once more with a tap.
type LatelyView struct {
	Purchase string
	Item     string // hostile text, as For
	Quantity int
	For      string
}

// Welcome is the home screen; acc is nil while no account is linked.
func (p Printer) Welcome(person string, acc *AccountView) Message {
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
	case acc.Balance.Known && !acc.BalanceAt.IsZero():
		head = p.t("welcome.linked_at", locales.Args{"Account": p.account(acc.Name), "Available": p.money(acc.Balance.Available), "Time": locales.HTML(isolate(p.Time(acc.BalanceAt)))})
	case acc.Balance.Known:
		head = p.t("welcome.linked", locales.Args{"Account": p.account(acc.Name), "Available": p.money(acc.Balance.Available)})
	}
	waiting, left, uncertain, today := "", "", "", ""
	if acc.Waiting > 0 {
		waiting = p.texts.N("welcome.waiting", acc.Waiting, nil)
	}
	if acc.Left != nil {
		left = p.t("welcome.left", locales.Args{"Amount": p.money(*acc.Left)})
	}
	if acc.Uncertain > 0 {
		uncertain = p.texts.N("welcome.uncertain", acc.Uncertain, nil)
	}
	if acc.Delivered > 0 {
		today = p.t("welcome.today", locales.Args{"Count": number(acc.Delivered), "Paid": p.money(acc.Paid)})
	}
	at := ""
	if !p.now.IsZero() {
		at = p.t("welcome.at", locales.Args{"Time": locales.HTML(isolate(p.now.In(p.zone).Format(clock)))})
	}
	return Message{HTML: lines(head, today, waiting, uncertain, left, p.lockLine(acc.Locked), at), Keyboard: p.cockpit(acc)}
}

// cockpit is what somebody sells all day, above the ways from home.
func (p Printer) cockpit(acc *AccountView) [][]Button {
	keys := p.homeKeys(acc.Role)
	if acc.Role == store.Counter {
		return keys
	}
	var top [][]Button
	for _, l := range acc.Lately {
		top = append(top, row(Button{Text: "🔁 " + p.goodsLabel(l.Item, l.Quantity, l.For), Data: act(VerbAgain, l.Purchase).Data()}))
	}
	top = append(top, p.goodsKeys(acc.Favourites, nil)...)
	keys = slices.Insert(keys, 1, top...)
	last := len(keys) - 1
	keys[last] = append(slices.Clone(keys[last]), p.button("button.refresh", act(VerbHome)))
	return keys
}

// homeKeys are the ways from home, as far as they are open to somebody.
func (p Printer) homeKeys(role store.Role) [][]Button {
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

// KeyAsk asks for the API key. account is the name of the one that is linked; nil where none is.
func (p Printer) KeyAsk(account *string) Message {
	now := ""
	if account != nil {
		now = p.t("key.now", locales.Args{"Account": p.account(*account)}) + "\n"
	}
	return p.withCancel(lines(now, p.t("key.ask", nil)))
}

// withCancel is a question that can be left.
func (p Printer) withCancel(text string) Message {
	return Message{HTML: text, Keyboard: [][]Button{row(p.button("button.cancel", act(VerbCancel)))}}
}

// KeyInGroup refuses a key where others read along; deleted tells whether the message with it is gone.
func (p Printer) KeyInGroup(deleted bool) Message {
	second := p.t("key.group_kept", nil)
	if deleted {
		second = p.t("key.group_deleted", nil)
	}
	return Message{HTML: p.t("key.group", nil) + "\n" + second}
}

// KeyPasted tells that what looked like a key was neither searched for nor linked.
func (p Printer) KeyPasted(deleted bool) Message {
	second := p.t("key.not_deleted", nil)
	if deleted {
		second = p.t("key.deleted", nil)
	}
	return Message{HTML: lines(p.t("key.pasted", nil), second), Keyboard: [][]Button{row(p.button("button.key", act(VerbKey)), p.button("button.home", act(VerbHome)))}}
}

// KeyMalformed refuses what cannot be a key.
func (p Printer) KeyMalformed() Message { return p.withCancel(p.t("key.malformed", nil)) }

// KeyRefused tells why the service did not take the key.
func (p Printer) KeyRefused(e *api.Error) Message {
	return p.withCancel(lines(p.t("key.refused", nil), p.whyOf(e), p.t("key.retry", nil)))
}

// KeyRemoved tells that the account is unlinked.
func (p Printer) KeyRemoved() Message {
	return Message{HTML: p.t("key.removed", nil), Keyboard: [][]Button{row(p.button("button.key", act(VerbKey)))}}
}

// KeyOfTheTeam refuses a key of another account to somebody who is here with a team.
func (p Printer) KeyOfTheTeam(account string) Message {
	return Message{HTML: p.t("key.of_team", locales.Args{"Account": p.account(account)}), Keyboard: [][]Button{row(p.button("button.home", act(VerbHome)))}}
}

// KeyOfRemoved refuses the key of an account to somebody whom its owners have removed.
func (p Printer) KeyOfRemoved(account string) Message {
	return Message{HTML: p.t("key.kept_out", locales.Args{"Account": p.account(account)}), Keyboard: [][]Button{row(p.button("button.home", act(VerbHome)))}}
}

// KeyNone asks for a key where one is needed.
func (p Printer) KeyNone() Message {
	return Message{HTML: p.t("key.none", nil), Keyboard: [][]Button{row(p.button("button.key", act(VerbKey)))}}
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
func (p Printer) Languages(current string) Message {
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
func (p Printer) LanguageSet() Message {
	return Message{HTML: p.t("language.set", nil), Keyboard: [][]Button{row(p.button("button.home", act(VerbHome)))}}
}

// Cancelled tells that a question was left.
func (p Printer) Cancelled() Message {
	return Message{HTML: p.t("cancel.done", nil), Keyboard: [][]Button{row(p.button("button.home", act(VerbHome)))}}
}

// Left tells that a question was left. It says nothing of money: what was confirmed goes on.
func (p Printer) Left() Message {
	return Message{HTML: p.t("cancel.left", nil), Keyboard: [][]Button{row(p.button("button.home", act(VerbHome)))}}
}

// NothingToCancel tells that no question was open.
func (p Printer) NothingToCancel() Message {
	return Message{HTML: p.t("cancel.nothing", nil), Keyboard: [][]Button{row(p.button("button.home", act(VerbHome)))}}
}

// UnknownCommand tells that there is no such command.
func (p Printer) UnknownCommand(command string) Message {
	return Message{HTML: p.t("unknown.command", locales.Args{"Command": clean(command, 32)})}
}

// Failure tells that the service could not be read, and why. Of money it says nothing: looking costs none.
func (p Printer) Failure(e *api.Error) Message {
	if e.Class == api.NotOffered { // nothing is wrong
		return Message{HTML: p.whyOf(e), Keyboard: [][]Button{row(p.button("button.home", act(VerbHome)))}}
	}
	key := p.button("button.again", act(VerbHome))
	if e.Class == api.Unauthorized && p.reader == ForOwner {
		key = p.button("button.key", act(VerbKey))
	}
	return Message{HTML: lines(p.t("failure.read", nil), p.whyOf(e)), Keyboard: [][]Button{row(key)}}
}

// whyOf is why a call has failed. An address that is not let in is named as far as the service does.
func (p Printer) whyOf(e *api.Error) string {
	text := p.why(e.Class, e.RetryAfter)
	switch {
	case e.Class != api.IPBlocked || p.reader != ForOwner:
		return text
	case e.Address.IsValid():
		return p.t("why.ip_blocked_at", locales.Args{"Address": locales.HTML("<b>" + isolate(escape(e.Address.String())) + "</b>")})
	}
	return lines(text, p.t("why.ip_unnamed", nil))
}

// why is the reason of a refusal or a failure, in one sentence.
func (p Printer) why(class api.Class, wait time.Duration) string {
	if p.reader != ForOwner && (class == api.Unauthorized || class == api.IPBlocked) {
		return p.t("why.key", nil)
	}
	switch class {
	case api.Unauthorized:
		return p.t("why.unauthorized", nil)
	case api.IPBlocked:
		return p.t("why.ip_blocked", nil)
	case api.Funds:
		return p.t("why.funds", nil)
	case api.OutOfStock:
		return p.t("why.out_of_stock", nil)
	case api.Invalid:
		return p.t("why.invalid", nil)
	case api.NotFound:
		return p.t("why.not_found", nil)
	case api.Limited:
		if seconds := int(wait.Round(time.Second) / time.Second); seconds > 0 {
			return p.texts.N("why.limited_wait", seconds, nil)
		}
		return p.t("why.limited", nil)
	case api.Upstream:
		return p.t("why.upstream", nil)
	case api.NotOffered:
		return p.t("why.not_offered", nil)
	}
	return p.t("why.internal", nil)
}

// Toast is a short answer to a tap.
type Toast string

// The toasts.
const (
	ToastStale       Toast = "stale"
	ToastWorking     Toast = "working"
	ToastNotYours    Toast = "not_yours"
	ToastAlreadyDone Toast = "already"
	ToastSoldOut     Toast = "sold_out"
	ToastTooMany     Toast = "too_many"

	ToastTooFast    Toast = "too_fast"    // one person taps very much
	ToastClosed     Toast = "closed"      // nobody has let the chat in
	ToastStranger   Toast = "stranger"    // not of the team
	ToastRole       Toast = "role"        // of the team, without this right
	ToastOwnerAsked Toast = "owner_asked" // an owner decides, and is asked
	ToastLocked     Toast = "locked"
	ToastCrowded    Toast = "crowded"  // codes of earlier purchases wait for the chat
	ToastSame       Toast = "same"     // was bought meanwhile
	ToastLetGo      Toast = "let_go"   // the others go first
	ToastRestored   Toast = "restored" // no owner has confirmed the team of a restored account yet
	ToastAsked      Toast = "asked"
	ToastDecided    Toast = "decided"
	ToastLastOwner  Toast = "last_owner"

	ToastListChanged   Toast = "list_changed"    // others fit by now than those that were offered
	ToastTooManyMarked Toast = "too_many_marked" // more orders than were bought
	ToastOrderTaken    Toast = "order_taken"     // the order is another purchase's by now, or shows no more

	ToastInPrivate Toast = "in_private" // the codes are in the person's private chat
	ToastNoPrivate Toast = "no_private" // there is no private chat to send them to
	ToastTeamFull  Toast = "team_full"

	ToastLooked     Toast = "looked"            // the service was asked, and shows nothing new
	ToastNews       Toast = "looked_news"       // it shows something new
	ToastUnanswered Toast = "looked_unanswered" // it does not answer
	ToastLookedSoon Toast = "looked_soon"       // it was asked a moment ago
)

// Toast is a toast's text, plain.
func (p Printer) Toast(t Toast) string {
	return cmp.Or(p.mayNot(t), p.ofBuying(t), p.ofPurchase(t), p.plain("toast.stale", nil))
}

// mayNot is why somebody may not do what they have tapped; empty for another toast.
func (p Printer) mayNot(t Toast) string {
	switch t {
	case ToastNotYours:
		return p.plain("toast.not_yours", nil)
	case ToastTooFast:
		return p.plain("toast.too_fast", nil)
	case ToastClosed:
		return p.plain("toast.closed", nil)
	case ToastStranger:
		return p.plain("toast.stranger", nil)
	case ToastRole:
		return p.plain("toast.role", nil)
	case ToastOwnerAsked:
		return p.plain("toast.owner_asked", nil)
	case ToastLocked:
		return p.plain("toast.locked", nil)
	case ToastRestored:
		return p.plain("toast.restored", nil)
	case ToastLastOwner:
		return p.plain("toast.last_owner", nil)
	case ToastInPrivate:
		return p.plain("toast.in_private", nil)
	case ToastNoPrivate:
		return p.plain("toast.no_private", nil)
	case ToastTeamFull:
		return p.plain("toast.team_full", nil)
	}
	return ""
}

// ofBuying is what became of a tap on the way to a purchase; empty for another toast.
func (p Printer) ofBuying(t Toast) string {
	switch t {
	case ToastWorking:
		return p.plain("toast.working", nil)
	case ToastAlreadyDone:
		return p.plain("toast.already", nil)
	case ToastSoldOut:
		return p.plain("toast.sold_out", nil)
	case ToastTooMany:
		return p.plain("toast.too_many", nil)
	case ToastCrowded:
		return p.plain("toast.crowded", nil)
	case ToastSame:
		return p.plain("toast.same", nil)
	}
	return ""
}

// ofPurchase is what became of a tap about a purchase that was confirmed; empty for another toast.
func (p Printer) ofPurchase(t Toast) string {
	switch t {
	case ToastLetGo:
		return p.plain("toast.let_go", nil)
	case ToastAsked:
		return p.plain("toast.asked", nil)
	case ToastDecided:
		return p.plain("toast.decided", nil)
	case ToastListChanged:
		return p.plain("toast.list_changed", nil)
	case ToastTooManyMarked:
		return p.plain("toast.too_many_marked", nil)
	case ToastOrderTaken:
		return p.plain("toast.order_taken", nil)
	case ToastLooked:
		return p.plain("toast.looked", nil)
	case ToastNews:
		return p.plain("toast.looked_news", nil)
	case ToastUnanswered:
		return p.plain("toast.looked_unanswered", nil)
	case ToastLookedSoon:
		return p.plain("toast.looked_soon", nil)
	}
	return ""
}

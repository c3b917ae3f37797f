package screen

import (
	"cmp"
	"regexp"
	"slices"
	"strings"
	"time"

	"resellerbot/internal/api"
	"resellerbot/internal/store"
	"resellerbot/locales"
)

// Failure tells that the service could not be read, and why; again is what was wanted, none where a button cannot say it.
// Of money it says nothing: looking costs none.
func (p Failures) Failure(e *api.Error, again Action) Message {
	if e.Class == api.NotOffered { // nothing is wrong
		return Message{HTML: p.whyOf(e), Keyboard: [][]Button{row(p.button("button.home", act(VerbHome)))}}
	}
	key := p.button("button.home", act(VerbHome))
	if again.Verb != "" {
		key = p.button("button.again", again)
	}
	// Only an owner can mend it; to others it is a service that does not answer.
	if e.Class == api.Unauthorized && p.reader == ForOwner {
		key = p.button("button.key", act(VerbKey))
	}
	return Message{HTML: lines(p.t("failure.read", nil), p.whyOf(e)), Keyboard: [][]Button{row(key)}}
}

// whyOf is why a call has failed. An address that is not let in is named as far as the service does.
func (p Failures) whyOf(e *api.Error) string {
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
func (p Failures) why(class api.Class, wait time.Duration) string {
	// What is wrong with the key is its owner's affair; where the bot runs is nobody's else.
	if p.reader != ForOwner && (class == api.Unauthorized || class == api.IPBlocked) {
		return p.t("why.key", nil)
	}
	switch class {
	case api.Unauthorized:
		return p.t("why.unauthorized", nil)
	case api.IPBlocked:
		return p.t("why.ip_blocked", nil)
	case api.Funds:
		if p.reader != ForOwner { // they cannot top it up
			return p.t("why.funds_owner", nil)
		}
		return p.t("why.funds", nil)
	case api.OutOfStock:
		return p.t("why.out_of_stock", nil)
	case api.Invalid:
		return p.t("why.invalid", nil)
	case api.NotFound:
		return p.t("why.not_found", nil)
	case api.Limited:
		// A wait of less than half a second is over before it is read.
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
	ToastStale         Toast = "stale"
	ToastWorking       Toast = "working"
	ToastNotYours      Toast = "not_yours"
	ToastAlreadyDone   Toast = "already"
	ToastVoid          Toast = "void" // what is tapped was never confirmed, and cannot be any more
	ToastSoldOut       Toast = "sold_out"
	ToastOtherAccount  Toast = "other_account" // what is to be bought again was bought for another account
	ToastListOther     Toast = "list_other"    // what a list would buy is something else now, as its card shows
	ToastListStopped   Toast = "list_stopped"
	ToastUnchanged     Toast = "unchanged"   // it was looked again, and all is as it was
	ToastQueued        Toast = "in_line"     // it waits for what was tapped or typed before it
	ToastGroupWaits    Toast = "group_waits" // what comes of it waits for the limit of a group
	ToastNoted         Toast = "noted"       // somebody's word was written down
	ToastNotedBefore   Toast = "noted_before"
	ToastTooMany       Toast = "too_many"
	ToastPriceListFull Toast = "price_list_full" // a price list takes no more products
	ToastPriceListLast Toast = "price_list_last" // it would have no product, and all is something else

	ToastTooFast    Toast = "too_fast"    // one person taps very much
	ToastClosed     Toast = "closed"      // nobody has let the chat in
	ToastStranger   Toast = "stranger"    // not of the team
	ToastRole       Toast = "role"        // of the team, without this right
	ToastRoleOnly   Toast = "role_only"   // the same, where nothing could have been bought
	ToastTeamOnly   Toast = "team_only"   // ToastStranger, where nothing could have been bought
	ToastOwnerAsked Toast = "owner_asked" // an owner decides, and is asked
	ToastLocked     Toast = "locked"
	ToastCrowded    Toast = "crowded"     // codes of earlier purchases wait for the chat
	ToastSame       Toast = "same"        // was bought meanwhile
	ToastLetGo      Toast = "let_go"      // the others go first
	ToastNobodyGoes Toast = "nobody_goes" // the others may not go either: spending is locked
	ToastLeft       Toast = "left"        // the purchase has left the queue
	ToastTurnCame   Toast = "turn_came"   // it is too late for that
	ToastRestored   Toast = "restored"    // no owner has confirmed the team of a restored account yet
	ToastAsked      Toast = "asked"
	ToastDecided    Toast = "decided"
	ToastLastOwner  Toast = "last_owner"

	ToastListChanged   Toast = "list_changed"    // others fit by now than those that were offered
	ToastTooManyMarked Toast = "too_many_marked" // more orders than were bought
	ToastOrderTaken    Toast = "order_taken"     // the order is another purchase's by now, or shows no more

	ToastInPrivate       Toast = "in_private"        // the codes are in the person's private chat
	ToastInPrivateBefore Toast = "in_private_before" // and were there before
	ToastNoPrivate       Toast = "no_private"        // there is no private chat to send them to
	ToastApart           Toast = "apart"             // what was asked for is in the person's private chat
	ToastAskApart        Toast = "ask_apart"         // it has to be asked for there
	ToastTeamFull        Toast = "team_full"

	ToastLooked     Toast = "looked"            // the service was asked, and shows nothing new
	ToastNews       Toast = "looked_news"       // it shows something new
	ToastUnanswered Toast = "looked_unanswered" // it does not answer
	ToastLookedSoon Toast = "looked_soon"       // it was asked a moment ago
)

// Toast is a toast's text, plain.
func (p Failures) Toast(t Toast) string {
	// Exactly one of the three knows it; what none knows is of a button of another version, and is out of date.
	return cmp.Or(p.mayNot(t), p.ofBuying(t), p.ofPurchase(t), p.plain("toast.stale", nil))
}

// mayNot is why somebody may not do what they have tapped; empty for another toast.
func (p Failures) mayNot(t Toast) string {
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
	case ToastRoleOnly:
		return p.plain("toast.role_only", nil)
	case ToastTeamOnly:
		return p.plain("toast.team_only", nil)
	case ToastOwnerAsked:
		return p.plain("toast.owner_asked", nil)
	case ToastLocked:
		return p.plain("toast.locked", nil)
	case ToastNobodyGoes:
		return p.plain("toast.nobody_goes", nil)
	case ToastRestored:
		return p.plain("toast.restored", nil)
	case ToastLastOwner:
		return p.plain("toast.last_owner", nil)
	case ToastInPrivateBefore:
		return p.plain("toast.in_private_before", nil)
	case ToastInPrivate:
		return p.plain("toast.in_private", nil)
	case ToastNoPrivate:
		return p.plain("toast.no_private", nil)
	case ToastApart:
		return p.plain("toast.apart", nil)
	case ToastAskApart:
		return p.plain("toast.ask_apart", nil)
	case ToastTeamFull:
		return p.plain("toast.team_full", nil)
	}
	return ""
}

// ofBuying is what became of a tap on the way to a purchase; empty for another toast.
func (p Failures) ofBuying(t Toast) string {
	switch t {
	case ToastWorking:
		return p.plain("toast.working", nil)
	case ToastGroupWaits:
		return p.plain("toast.group_waits", nil)
	case ToastAlreadyDone:
		return p.plain("toast.already", nil)
	case ToastVoid:
		return p.plain("toast.void", nil)
	case ToastSoldOut:
		return p.plain("toast.sold_out", nil)
	case ToastOtherAccount:
		return p.plain("toast.other_account", nil)
	case ToastListOther:
		return p.plain("toast.list_other", nil)
	case ToastListStopped:
		return p.plain("toast.list_stopped", nil)
	case ToastPriceListFull:
		return p.plain("toast.price_list_full", nil)
	case ToastPriceListLast:
		return p.plain("toast.price_list_last", nil)
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
func (p Failures) ofPurchase(t Toast) string {
	switch t {
	case ToastLetGo:
		return p.plain("toast.let_go", nil)
	case ToastNoted:
		return p.plain("toast.noted", nil)
	case ToastQueued:
		return p.plain("toast.in_line", nil)
	case ToastUnchanged:
		return p.plain("toast.unchanged", nil)
	case ToastNotedBefore:
		return p.plain("toast.noted_before", nil)
	case ToastLeft:
		return p.plain("toast.left", nil)
	case ToastTurnCame:
		return p.plain("toast.turn_came", nil)
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

// CheckFailed tells that the service could not be asked about a player, and why. The question stays open.
func (p Failures) CheckFailed(e *api.Error) Message {
	return Message{
		HTML:     lines(p.t("check.failed", nil), p.whyOf(e)),
		Keyboard: [][]Button{row(p.button("button.again", act(VerbGoOn))), p.leaving()},
	}
}

// fields is what the service has found wrong with a purchase, in our own words: each field by the name that the
// buyer knows it by, and what it has to be. Fields that nobody here knows are left out.
func (p Failures) fields(fields map[string][]string, inputs []store.Answer) locales.HTML {
	var out []string
	for field, messages := range fields {
		text, rule := p.field(field, inputs), p.rules(messages)
		if text != "" && rule != "" {
			text = p.texts.T("why.field", locales.Args{"Field": locales.HTML(text), "Rule": locales.HTML(rule)})
		}
		if text != "" {
			out = append(out, text)
		}
	}
	// A map has no order: the same refusal is to read the same each time.
	slices.Sort(out)
	return locales.HTML(strings.Join(out[:min(len(out), mostAnswers)], " · "))
}

// rules is what an answer has to be; "" where nobody here knows.
func (p Failures) rules(messages []string) string {
	switch {
	// They are what the service has been seen to write; its own words are shown to nobody, as anything may stand in them.
	case says(messages, "10 digits"):
		return p.texts.T("why.field_digits", nil)
	case says(messages, "required"):
		return p.texts.T("why.field_needed", nil)
	case slices.ContainsFunc(messages, atLeastOne.MatchString):
		return p.texts.T("why.field_least", nil)
	}
	return ""
}

// atLeastOne is how a service says that there has to be one: "at least 10" is another number.
var atLeastOne = regexp.MustCompile(`(?i)(at least|minimum) 1($|[^\d.,]|[.,]($|\D))`)

// field is what a field of a purchase is called (reseller-api.md, Validation errors); "" where it has no name.
func (p Failures) field(field string, inputs []store.Answer) string {
	// The name that the buyer was asked by comes first: it is what they know the field by.
	for _, in := range inputs {
		if in.Index == field && clean(in.Label, nameLength) != "" {
			return string(p.label(in.Label, in.Index))
		}
	}
	switch field {
	case api.PlayerInput:
		return p.t("input.player", nil)
	case "quantity":
		return p.t("why.field_quantity", nil)
	case "link":
		return p.t("why.field_link", nil)
	}
	return ""
}

// NotAllowed refuses what somebody's role does not hold, politely, and leads whoever has one to what it holds.
func (p Failures) NotAllowed(has, need store.Role) Message {
	home := [][]Button{row(p.button("button.home", act(VerbHome)))}
	switch {
	case has == store.NoRole:
		return Message{HTML: p.t("refuse.stranger", nil)}
	case need == store.Owner:
		return Message{HTML: p.t("refuse.owner_only", nil), Keyboard: home}
	}
	if has == store.Counter {
		return Message{HTML: p.t("refuse.counter", locales.Args{"Role": p.roleName(has)}), Keyboard: home}
	}
	return Message{HTML: p.t("refuse.role", locales.Args{"Role": p.roleName(has)}), Keyboard: home}
}

package screen

import (
	"slices"
	"strings"

	"resellerbot/internal/store"
	"resellerbot/locales"
)

// until is when the outcome of an uncertain purchase is known at the latest.
func (p Uncertain) until(pu store.Purchase) string {
	if pu.DecideBy.IsZero() {
		return ""
	}
	// Others do not decide: they are told when it is known, and not what happens then.
	if p.reader != ForOwner {
		return p.t("status.until_owner", locales.Args{"Time": locales.HTML(isolate(p.deadline(pu.DecideBy)))})
	}
	return p.t("status.until", locales.Args{"Time": locales.HTML(isolate(p.deadline(pu.DecideBy)))})
}

// clues is what helps a person to decide about a purchase.
func (p Uncertain) clues(pu store.Purchase) string {
	switch {
	case pu.Evidence == nil:
		return ""
	case byWallet(*pu.Evidence):
		return p.t("status.money_gone", nil)
	case !pu.Evidence.Known && pu.More != "": // the wallet alone has shown it, and that as much is back
		return p.t("why.rule_traces", nil)
	}
	traces := ""
	if pu.Evidence.Rule == store.RuleTraces && pu.Word == nil {
		traces = p.t("why.rule_traces", nil)
	}
	return lines(p.moneyClue(pu), p.listClue(*pu.Evidence), traces)
}

// byWallet reports whether the wallet alone has told of a purchase: nobody has looked for it since.
func byWallet(ev store.Evidence) bool { return ev.Paid && !ev.Known }

// moneyClue is what the balance did.
func (p Uncertain) moneyClue(pu store.Purchase) string {
	switch ev := pu.Evidence; {
	case pu.SeemsPaid():
		return p.t("status.money_gone", nil)
	// One figure alone says nothing: it is what changed between two that does.
	case ev.Known && pu.Before.Known:
		return "💰 " + p.balances(pu)
	}
	return p.t("status.money_unread", nil)
}

// balances is what could be spent before a purchase, and at the last look for it. What others have changed is told as a
// part of that where the figures add up with it, and else beside it: a refund is noted when it is explained, and may have been in the figure
// of before already.
func (p Uncertain) balances(pu store.Purchase) string {
	others, text := "", p.t("why.balance", locales.Args{"Before": p.money(pu.Before.Available), "After": p.money(pu.Evidence.Balance)})
	// What is left when the others are taken out is nothing, or exactly the price of this purchase: only then is the figure of
	// the others known to be of the same time.
	rest := pu.Evidence.Balance.Sub(pu.Before.Available).Sub(pu.Evidence.Others)
	switch {
	case pu.Evidence.Others.IsZero():
	case rest.IsZero(), rest.Add(pu.Total).IsZero():
		others = p.t("why.balance_others", locales.Args{"Amount": p.signed(pu.Evidence.Others)})
	default:
		others = p.t("why.balance_besides", locales.Args{"Amount": p.signed(pu.Evidence.Others)})
	}
	return lines(text, others)
}

// listClue is what the service's list shows.
func (p Uncertain) listClue(ev store.Evidence) string {
	switch {
	case len(ev.Rows) > 0:
		return p.direct(p.texts.N("status.rows", len(ev.Rows), nil))
	case ev.Listed && len(ev.Beside) > 0:
		return p.t("status.beside", nil)
	case ev.Listed:
		return p.t("status.no_rows", nil)
	}
	return p.t("status.list_unread", nil)
}

// Why is the evidence by which an uncertain purchase was judged, for a person to judge again.
func (p Uncertain) Why(pu store.Purchase) Message {
	out := []string{p.t("why.title", nil), p.item(pu.Product, pu.Variant), p.answers(pu.Inputs), p.player(pu.Player), p.total(pu), p.reference(pu), p.sent(pu)}
	out = append(slices.DeleteFunc(out, func(s string) bool { return s == "" }), "")
	switch ev := pu.Evidence; {
	case ev == nil:
	// Nobody has looked: how often, when, and what the list has shown cannot be told.
	case byWallet(*ev):
		out = append(out, p.t("status.money_gone", nil))
	default:
		out = append(out, p.verdict(pu)...)
		out = append(out, p.direct(p.texts.N("why.looked", ev.Looks, nil)),
			p.t("why.last", locales.Args{"Time": p.since(ev.At)}))
		if ev.Known && pu.Before.Known {
			out = append(out, p.balances(pu))
		}
		// A counter that the variant does not have is -1.
		if ev.Used >= 0 && pu.Before.Used >= 0 {
			out = append(out, p.t("why.used", locales.Args{"Before": number(pu.Before.Used), "After": number(ev.Used)}))
		}
		if len(ev.Rows) > 0 {
			out = append(out, p.t("why.rows", locales.Args{"Count": number(len(ev.Rows)), "Rows": names(ev.Rows)}))
		} else if !pu.DisownsOrders() && (ev.Listed || ev.Rule != store.RuleNamed) { // orders that are named are not looked for in a list
			out = append(out, p.listClue(*ev))
		}
	}
	return Message{
		HTML:     spaced(out),
		Keyboard: [][]Button{row(p.button("button.orders", act(VerbOrders, "")), p.button("button.home", act(VerbHome)))},
	}
}

// names are orders' ids, as many as there is room for.
func names(ids []string) locales.HTML {
	var rows []string
	for _, id := range ids[:min(len(ids), mostInText)] {
		rows = append(rows, string(name(id)))
	}
	return locales.HTML(strings.Join(rows, " · "))
}

// verdict is what has decided about a purchase: what a person said of orders that fit, and the rule that spoke. What
// shows no more because they said so is not gone.
func (p Uncertain) verdict(pu store.Purchase) (out []string) {
	if pu.DisownsOrders() {
		out = append(out, p.said("why.set_aside", "why.set_aside_by", *pu.Word))
	}
	if pu.Word == nil || pu.Evidence.Rule != store.RuleTraces {
		out = append(out, p.rule(*pu.Evidence, pu.Quantity))
	}
	return out
}

// rule is the rule that spoke about a purchase of so many units, in words.
func (p Uncertain) rule(ev store.Evidence, quantity int) string {
	// One that has no sentence here leaves the evidence unclear.
	switch ev.Rule {
	case store.RuleRows:
		return p.t("why.rule_rows", nil)
	case store.RuleTooMany:
		if len(ev.Rows) <= quantity { // what fits is beside what is of the same item and does not
			return p.t("why.rule_beside", nil)
		}
		return p.t("why.rule_too_many", nil)
	case store.RuleTooFew:
		return p.t("why.rule_too_few", nil)
	case store.RuleLate:
		return p.t("why.rule_late", nil)
	case store.RuleOwn:
		return p.t("why.rule_own", nil)
	case store.RuleUnknown:
		return p.t("why.rule_unknown", nil)
	case store.RuleShared:
		return p.t("why.rule_shared", nil)
	case store.RuleUntrusted:
		return p.t("why.rule_untrusted", nil)
	case store.RuleMoneyGone:
		switch {
		case !ev.Listed:
			return p.t("why.rule_money_alone", nil)
		case len(ev.Beside) > 0:
			return p.t("why.rule_money_beside", nil)
		}
		return p.t("why.rule_money_gone", nil)
	case store.RuleTraces:
		return p.t("why.rule_traces", nil)
	case store.RuleNothing:
		return p.t("why.rule_nothing", nil)
	case store.RuleInstead:
		return p.t("why.rule_instead", nil)
	case store.RuleNamed:
		return p.t("why.rule_named", nil)
	case store.RuleWaiting:
		return p.t("why.rule_waiting", nil)
	}
	return p.t("why.rule_unclear", nil)
}

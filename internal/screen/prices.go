package screen

import (
	"fmt"
	"strconv"
	"strings"

	"resellerbot/internal/api/dzd"
	"resellerbot/internal/ledger"
	"resellerbot/internal/pricing"
	"resellerbot/locales"
)

// What is done with prices beside setting a rule. They stand in the data of buttons.
const (
	PriceOff       = "off"      // takes a rule away
	PriceSettings  = "settings" // shows what is set beside the rules
	PriceBelowCost = "below"    // sets what happens below cost: PriceWarn, or one of package pricing's words for it
	PriceWarn      = "warn"
	PriceShowCost  = "cost" // sets whether sellers see it: AlertOn or AlertOff
)

// PriceProblem is why the number of a rule is asked for once more.
type PriceProblem string

// The problems.
const (
	PriceFine   PriceProblem = ""
	PriceBad    PriceProblem = "bad"    // no number
	PriceRange  PriceProblem = "range"  // beyond what a rule can be
	PriceUnsure PriceProblem = "unsure" // it can be read in two ways
	PriceMuch   PriceProblem = "much"   // so much that it may be centimes, or have a zero too many
	PriceOdd    PriceProblem = "odd"    // of a fixed one: far from what is usual, one way or the other
	PriceLoss   PriceProblem = "loss"   // of a fixed one: less than it costs
	PriceBelow  PriceProblem = "below"  // nothing is earned by it
)

// RuleValue is the number of a rule: hundredths of a percent, or an amount.
func RuleValue(r pricing.Rule) int64 {
	if r.Basis == pricing.ByPercent {
		return int64(r.Percent)
	}
	return int64(r.Amount)
}

// PriceExample is what an item is sold for by a rule.
type PriceExample struct {
	pricing.Quote

	Item string // hostile text
	Cost ledger.Money
	Was  ledger.Money // by the rule that there is; 0 where it gives none
}

// toRule leads to the question for a rule's number, to that of its rounding, or sets it, by how much of it is said.
func toRule(args ...string) Action { return act(VerbPrices, args...) }

// ruleArgs is a rule as a button carries it, without what it is rounded to.
func ruleArgs(r pricing.Rule) []string { return []string{string(r.Basis), id(RuleValue(r))} }

// Rule is the rule of the shop, with how many others there are, and what they make of some items.
func (p Prices) Rule(rules pricing.Rules, examples []PriceExample) Message {
	keys := [][]Button{row(p.button("button.prices_percent", toRule(string(pricing.ByPercent))), p.button("button.prices_amount", toRule(string(pricing.ByAmount))))}
	at := p.button("button.prices_at", act(VerbPriceAt))
	home := row(p.button("button.receipt_shop", act(VerbShop)), p.button("button.home", act(VerbHome)))
	if !rules.Any() {
		return Message{HTML: lines(p.t("prices.title", nil), p.t("prices.none", nil)), Keyboard: append(keys, row(at), home)}
	}
	text := []string{p.t("prices.title", nil)}
	keys = append(keys, row(at, p.button("button.pricelist", act(VerbPriceList))), row(p.button("button.prices_settings", toRule(PriceSettings))))
	if r := rules.Shop; r != nil {
		text = append(text, p.rule(*r))
		keys[len(keys)-1] = append(keys[len(keys)-1], p.button("button.prices_off", toRule(PriceOff)))
	}
	if n := rules.Len(); n > 0 {
		text = append(text, p.t("prices.special", locales.Args{"Count": number(n)}))
	}
	return Message{HTML: lines(append(text, p.examples(examples))...), Keyboard: append(keys, home)}
}

// SureOff asks once more whether the shop's rule is taken away, with what follows from that.
// The button names the rule that it is asked about.
func (p Prices) SureOff(rules pricing.Rules) Message {
	if rules.Shop == nil {
		return p.Rule(rules, nil)
	}
	text := p.t("prices.sure_off", nil)
	if rules.Len() == 0 {
		text = p.t("prices.sure_off_all", nil)
	}
	return Message{HTML: text, Keyboard: [][]Button{
		row(p.button("button.prices_off", toRule(append([]string{PriceOff, Yes}, ruleArgs(*rules.Shop)...)...))),
		row(p.button("button.back", act(VerbPrices)), p.button("button.home", act(VerbHome))),
	}}
}

// Ask asks for the number of a rule; value is the one to be confirmed where there is a problem with it, and likely what
// may be meant instead, where there is such a thing.
func (p Prices) Ask(value pricing.Rule, likely *pricing.Rule, problem PriceProblem) Message {
	var keys [][]Button
	switch problem {
	case PriceUnsure, PriceMuch, PriceBelow, PriceOdd, PriceLoss:
		var answers []Button
		// What was likely meant stands first: one tap on the first button must not set a price ten times too high.
		if likely != nil {
			answers = append(answers, p.valueButton(*likely))
		}
		keys = append(keys, append(answers, p.valueButton(value)))
	case PriceFine, PriceBad, PriceRange:
		// Of a fixed price none is usual.
		if value.Basis != pricing.Fixed {
			keys = append(keys, p.presets(value.Basis))
		}
	}
	wrong := map[PriceProblem]string{
		PriceBad: p.t("prices.bad", nil), PriceRange: p.t("prices.range", nil), PriceUnsure: p.t("offer.unsure", nil),
		PriceMuch: p.t("prices.much", nil), PriceBelow: p.t("prices.below", nil), PriceOdd: p.t("prices.odd", nil), PriceLoss: p.t("prices.below", nil),
	}[problem]
	ask := p.t("prices.ask_amount", nil)
	switch value.Basis {
	case pricing.ByPercent:
		ask = p.t("prices.ask_percent", nil)
	case pricing.Fixed:
		ask = p.t("prices.ask_fixed", nil)
	case pricing.ByAmount, pricing.Suggested:
	}
	return Message{HTML: lines(p.t("prices.title", nil), p.titled, wrong, ask), Keyboard: append(keys, row(p.button("button.back", p.to()), p.button("button.cancel", act(VerbCancel))))}
}

// How asks whether a figure that was typed is a percentage or an amount.
func (p Prices) How() Message {
	return Message{
		HTML: lines(p.t("prices.title", nil), p.titled, p.t("prices.how", nil)),
		Keyboard: [][]Button{
			row(p.button("button.prices_percent", p.to(string(pricing.ByPercent))), p.button("button.prices_amount", p.to(string(pricing.ByAmount)))),
			row(p.button("button.back", p.to()), p.button("button.cancel", act(VerbCancel))),
		},
	}
}

// presets are numbers that shops often take.
func (p Prices) presets(basis pricing.Basis) (keys []Button) {
	for _, n := range []int{5, 10, 15, 20} {
		r := pricing.Rule{Basis: basis, Percent: n * 100}
		// 50 to 200 dinars.
		if basis == pricing.ByAmount {
			r = pricing.Rule{Basis: basis, Amount: ledger.Money(n) * 10 * ledger.Dinar}
		}
		keys = append(keys, p.valueButton(r))
	}
	return keys
}

// valueButton goes on with the number of a rule.
func (p Prices) valueButton(r pricing.Rule) Button {
	return Button{Text: p.added(r), Data: p.to(ruleArgs(r)...).Data()}
}

// Step asks what the prices of a rule are rounded up to, beside what it makes of some items. Nothing is set before.
func (p Prices) Step(r pricing.Rule, examples []PriceExample) Message {
	var steps []Button
	for _, s := range pricing.Steps() {
		steps = append(steps, Button{Text: isolate(p.bookedText(s)), Data: p.to(append(ruleArgs(r), id(int64(s/ledger.Dinar)))...).Data()})
	}
	without := r
	without.Step = 0
	back := p.to(string(r.Basis))
	if r.Basis == pricing.Suggested {
		back = p.to()
	}
	return Message{
		HTML:     lines(p.t("prices.title", nil), p.titled, p.rule(without), p.examples(examples), "\n"+p.t("prices.step", nil)),
		Keyboard: [][]Button{steps, row(p.button("button.back", back), p.button("button.cancel", act(VerbCancel)))},
	}
}

// rule is what a rule makes a price of, and what it is rounded up to where that is said.
func (p Prices) rule(r pricing.Rule) string {
	text := ""
	switch r.Basis {
	case pricing.Fixed:
		return p.t("prices.rule_fixed", locales.Args{"Price": p.booked(r.Amount)})
	case pricing.Suggested:
		text = p.t("prices.rule_service", nil)
	case pricing.ByPercent, pricing.ByAmount:
		text = p.t("prices.rule", locales.Args{"Added": locales.HTML(p.added(r))})
	}
	if r.Step > 0 {
		text = lines(text, p.t("prices.rounded", locales.Args{"Step": p.booked(r.Step)}))
	}
	return text
}

// added is what a rule adds, with its sign.
func (p Prices) added(r pricing.Rule) string {
	if r.Basis == pricing.Fixed {
		return isolate(p.bookedText(r.Amount))
	}
	if r.Basis == pricing.ByAmount {
		a, err := r.Amount.Amount()
		// A rule on a forged button may be more than an amount can hold.
		if err != nil {
			return "–"
		}
		return isolate(p.amount(a, "+"))
	}
	n, sign := r.Percent, "+"
	if n < 0 {
		n, sign = -n, "−"
	}
	text := strconv.Itoa(n / 100)
	if rest := n % 100; rest != 0 {
		point := ","
		if p.texts.Lang() == "en" {
			point = "."
		}
		text += point + strings.TrimRight(fmt.Sprintf("%02d", rest), "0")
	}
	if p.texts.Lang() == "fr" {
		text += nbsp
	}
	return isolate(sign + text + "%")
}

// examples are items with their prices; who is no owner in private sees no buying price, and nothing that it follows from.
func (p Prices) examples(all []PriceExample) string {
	var out []string
	for _, e := range all {
		was := ""
		if e.Was > 0 && e.Was != e.Price {
			was = " " + p.t("prices.was", locales.Args{"Was": p.booked(e.Was)})
		}
		line := p.t("prices.example", locales.Args{"Item": name(e.Item), "Price": p.booked(e.Price)}) + was
		// From the gain, the buying price follows: neither is shown to anybody else.
		if p.reader == ForOwner {
			line += "\n" + p.t("prices.gain", locales.Args{"Cost": p.booked(e.Cost), "Gain": p.gain(e.Gain)})
		}
		if e.BelowCost() {
			line += " ⚠️"
		}
		out = append(out, line)
	}
	if len(out) == 0 {
		return ""
	}
	return "\n" + strings.Join(out, "\n")
}

// gain is what is earned, with its sign.
func (p Printer) gain(m ledger.Money) locales.HTML {
	a, err := m.Amount()
	if err != nil {
		return "–"
	}
	return locales.HTML(isolate(p.amount(a, "+")))
}

// booked is an amount of the books for a text, isolated.
func (p Printer) booked(m ledger.Money) locales.HTML { return locales.HTML(isolate(p.bookedText(m))) }

// bookedText is an amount of the books. What is more than any wallet holds is none that anybody has typed.
func (p Printer) bookedText(m ledger.Money) string {
	a, err := m.Amount()
	if err != nil {
		return "–"
	}
	return p.Amount(a)
}

// Selling is the printer for an item that the shop has a price of its own for.
func (p Printer) Selling(q pricing.Quote) Printer {
	p.own = &q
	return p
}

// priced is what an item costs, and what the shop sells it for where it has said so.
func (p Printer) priced(cost dzd.Amount) string {
	text := p.t("quantity.price", locales.Args{"Price": p.money(cost)})
	switch {
	case p.asks != nil && p.own != nil:
		return p.t("prices.own", locales.Args{"Price": p.booked(p.own.Price)})
	case p.own == nil:
		return text
	case p.own.BelowCost():
		return lines(text, p.t("prices.own_below", locales.Args{"Price": p.booked(p.own.Price)}))
	}
	return lines(text, p.t("prices.own", locales.Args{"Price": p.booked(p.own.Price)}))
}

package screen

import (
	"unicode/utf8"

	"resellerbot/internal/ledger"
	"resellerbot/internal/store"
	"resellerbot/locales"
)

// traded is what the shop has made of a unit, where it has not made the same of all.
func (p Codes) traded(o store.Order) string {
	switch p.stateOf(o) {
	case ledger.Sold:
		return " · " + p.t("status.unit_sold", nil)
	case ledger.InStock:
		return " · " + p.t("status.unit_stock", nil)
	case ledger.Lost:
		return " · " + p.t("status.unit_used", nil)
	}
	return ""
}

// stateOf is the state of the unit that an order has brought, where not all of the purchase are in one; "" else.
func (p Codes) stateOf(o store.Order) ledger.UnitState {
	if p.trade == nil || !p.trade.IsMixed() {
		return ""
	}
	u, _ := p.trade.Of(o.ID)
	return u.State
}

// copyKeys are the buttons that copy codes, for few of them: one for all where they fit into it, else two at most.
func (p Codes) copyKeys(pu store.Purchase, orders []store.Order) [][]Button {
	if pu.InDocument(orders) {
		return nil
	}
	// Empty where nothing of it is sold, or all: then all codes are copied.
	stock := p.inStock(orders)
	if len(stock) > 0 {
		orders = stock
	}
	parts, all := copies(orders)
	if len(parts) == 0 || len(parts) > mostCopies {
		return nil
	}
	var keys []Button
	for _, c := range parts {
		text := p.copyLabel(pu, c, all)
		if c.codes > 1 && len(stock) > 0 {
			text = p.plain("button.copy_stock", nil)
		}
		keys = append(keys, Button{Text: text, Copy: c.text})
	}
	return [][]Button{keys}
}

// inStock are the orders whose units can still be sold, where others cannot any more: what is copied next is for the next customer.
func (p Codes) inStock(orders []store.Order) []store.Order {
	return only(orders, func(o store.Order) bool { return p.stateOf(o) == ledger.InStock && hasCode(o) })
}

// copied is what one button copies: the codes of units in a row, a code a line.
type copied struct {
	text        string
	first, last int // the units
	codes       int
}

// copies puts codes together, in order, as many as a button takes; all tells that one holds them all. A code that no
// button takes is left out: it stands in the message.
func copies(orders []store.Order) (parts []copied, all bool) {
	left, joins := 0, false
	for _, o := range orders {
		text := o.Code.Reveal()
		n := len(parts) - 1
		switch {
		// One that failed, or waits, does not end a row: the codes on both sides of it are still in order.
		case text == "":
		case utf8.RuneCountInString(text) > mostCopied:
			left, joins = left+1, false
		case joins && utf8.RuneCountInString(parts[n].text)+1+utf8.RuneCountInString(text) <= mostCopied:
			parts[n] = copied{parts[n].text + "\n" + text, parts[n].first, o.Unit, parts[n].codes + 1}
		default:
			parts, joins = append(parts, copied{text, o.Unit, o.Unit, 1}), true
		}
	}
	return parts, left == 0 && len(parts) == 1
}

// copyLabel is what stands on a button that copies codes; all tells that it copies all there are.
func (p Codes) copyLabel(pu store.Purchase, c copied, all bool) string {
	switch {
	case c.codes > 1 && all:
		return p.plain("button.copy_codes", nil)
	case c.codes > 1:
		return p.plain("button.copy_units", locales.Args{"From": locales.HTML(id(c.first)), "To": locales.HTML(id(c.last))})
	case pu.Quantity > 1:
		return p.plain("button.copy_unit", locales.Args{"Unit": locales.HTML(id(c.first))})
	}
	return p.plain("button.copy", nil)
}

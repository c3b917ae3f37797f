package screen

import (
	"slices"
	"strings"
	"unicode/utf8"

	"resellerbot/internal/api"
	"resellerbot/internal/store"
	"resellerbot/locales"
)

// rows are the lines of a list in their order: those that are bought, and apart from them those that are not.
func (p Lists) rows(v ListView) string {
	// All lines stand in one message: the more there are, the less is shown of each, and none is left out.
	text := ""
	// The last one is taken however long it is. Up to listText, the rest of the card has room in the 4,096 characters of a message.
	for _, f := range [...]fit{{item: 32, who: 20, name: 16, typed: 40}, {item: 18, who: 14, name: 10, typed: 24}, {item: 10, who: 12, name: 0, typed: 16}, {item: 6, who: 10, name: 0, typed: 10}} {
		if isOneItem(v.List) {
			f.item = 0
		}
		if text = p.rowsIn(v, f); utf8.RuneCountInString(text) <= listText {
			break
		}
	}
	return "\n" + text
}

// fit is how many characters of everything a line of a list shows.
type fit struct{ item, who, name, typed int }

// isOneItem reports whether all lines of a list are for one unit of the same item, which stands above them.
func isOneItem(l store.List) bool {
	var first *store.ListLine
	for i := range l.Lines {
		line := &l.Lines[i]
		switch {
		case line.Quantity == 0:
			continue
		case first == nil:
			first = line
		}
		if line.Quantity != 1 || line.VariantID != first.VariantID || line.ProductID != first.ProductID || len(line.Inputs) == 0 {
			return false
		}
	}
	_, n := l.Total()
	return first != nil && n > 0
}

// rowsIn is rows, with so much of each.
func (p Lists) rowsIn(v ListView, f fit) string {
	var in, out []string
	for _, line := range v.Lines {
		text := p.row(v, line, f)
		if line.Purchase != "" || v.Buys(&line) && line.Left == "" || line.Check || v.mayBeBought(line) {
			in = append(in, text)
		} else {
			out = append(out, text)
		}
	}
	if len(out) == 0 {
		return lines(in...)
	}
	apart := p.apart(v.List)
	if len(in) > 0 {
		apart = "\n" + apart
	}
	return lines(append(append(in, apart), out...)...)
}

// apart is what stands above the lines that are not bought.
func (p Lists) apart(l store.List) string {
	switch l.Phase {
	case store.ListChecking, store.ListShown, store.ListAsked: // nothing of it is bought yet
		return p.t("list.apart_before", nil)
	}
	return p.t("list.apart", nil)
}

// row is one line of a list.
func (p Lists) row(v ListView, line store.ListLine, f fit) string {
	mark, why := p.mark(v, line)
	parts := []string{string(number(line.Number)) + " " + mark}
	if line.Quantity == 0 {
		parts = append(parts, isolate(escape(clean(line.Text, f.typed))))
	} else if f.item > 0 {
		item := isolate(escape(clean(line.Product+" "+line.Variant, f.item)))
		if line.Quantity > 1 {
			item += " × " + string(number(line.Quantity))
		}
		parts = append(parts, item)
	}
	for i, in := range line.Inputs { // the first two tell people apart: a player, and a zone
		if in.Value != "" && i < 2 && line.Quantity > 0 {
			parts = append(parts, isolate(escape(clean(shownAs(in), f.who))))
		}
	}
	// The customer's name is kept in their record alone: whom a line without inputs is for, the line itself has to say.
	if line.For != "" && !slices.ContainsFunc(line.Inputs, func(a store.Answer) bool { return a.Value != "" }) && line.Quantity > 0 {
		parts = append(parts, isolate(escape(clean(line.Text, f.typed))))
	}
	if line.Player != nil && line.Player.Name != "" && f.name > 0 {
		parts = append(parts, isolate(escape(clean(line.Player.Name, f.name))))
	}
	if why != "" {
		parts = append(parts, why)
	}
	return p.direct(parts[0] + " " + strings.Join(parts[1:], " · "))
}

// shownAs is what people know an answer by.
func shownAs(a store.Answer) string {
	if a.Shown != "" {
		return a.Shown
	}
	return a.Value
}

// mark is the sign of a line, and what has to be said about it. What was bought goes by its purchase, whatever the line said
// before; of what was not, the first that keeps it from being bought is said.
func (p Lists) mark(v ListView, line store.ListLine) (mark, why string) {
	if b, ok := v.of(line); ok {
		out := b.outcome()
		switch b.Phase {
		case store.Rejected, store.Dropped:
			return "❌", p.reason(b)
		case store.NotCreated:
			return "❌", p.plain(out.key, nil)
		case store.Settled, store.Accepted:
			ready, failed := count(b.Orders)
			switch {
			case ready+failed == 0 && !line.Done:
				return "⏳", ""
			case out.mark != "🎉" && out.mark != "⏳":
				return out.mark, p.plain(out.key, nil)
			}
		case store.Unknown, store.Undecided:
			return out.mark, isolate("#" + store.Ref(b.ID))
		}
		return out.mark, ""
	}
	switch {
	case line.Problem != "":
		return "⚠️", p.problem(line)
	case v.mayBeBought(line):
		return "❓", ""
	case line.Left != "":
		return "❌", p.left(line.Left)
	case line.Short:
		return "⚠️", p.t("list.short", nil)
	case line.Check:
		return "🔎", ""
	case line.Mark != "": // a sign of its own, since ➕ takes these in and no others
		return "✋", p.marking(line)
	case v.Phase == store.ListBuying:
		return "▫️", ""
	}
	return "▫️", p.said(line)
}

// said is what the service does not know about a player.
func (p Lists) said(line store.ListLine) string {
	if line.Player != nil && line.Player.Status == store.PlayerUnchecked {
		return p.t("list.unchecked", nil)
	}
	return ""
}

// marking is why a line is marked.
func (p Lists) marking(line store.ListLine) string {
	switch line.Mark {
	case store.MarkDouble:
		return p.t("list.double", locales.Args{"Line": number(line.First)})
	case store.MarkRepeat:
		return p.t("list.repeat", nil)
	}
	if line.Player != nil && line.Player.Was != nil {
		return p.t("list.was", locales.Args{"Was": name(line.Player.Was.Name)})
	}
	return p.t("list.unknown", nil)
}

// problem is why a line is not bought.
func (p Lists) problem(line store.ListLine) string {
	switch line.Problem {
	case store.ProblemUnread:
		return p.t("list.unread", nil)
	case store.ProblemUnclear:
		return p.t("list.unclear", nil)
	case store.ProblemWhom:
		return p.t("list.whom", nil)
	case store.ProblemStranger:
		return p.t("list.stranger", nil)
	case store.ProblemFormula:
		return p.t("list.formula", nil)
	case store.ProblemInput:
		return p.t("list.input", nil)
	case store.ProblemSoldOut:
		return p.t("list.sold_out", nil)
	case store.ProblemTooMany:
		return p.t("list.too_many_units", nil)
	case store.ProblemNone:
		return p.t("list.no_units", nil)
	case store.ProblemNobody:
		return p.t("list.nobody", nil)
	case store.ProblemOpen:
		return p.t("list.open", nil)
	}
	return p.t("list.unasked", nil)
}

// reason is why a line was not bought though it was its turn.
func (p Lists) reason(b Bought) string {
	if b.Phase == store.Dropped && b.Reason == store.ReasonPrice && b.NewPrice != nil {
		if p.hidesCost(b.Purchase) {
			return p.t("list.price_other", nil)
		}
		return p.t("list.price", locales.Args{"Now": p.money(*b.NewPrice)})
	}
	// A refusal whose cause nobody knows is still said to be one: that the line was only not sent would be a lie.
	if why := p.left(b.Reason); !b.Refused || why != p.t("list.left_other", nil) {
		return why
	}
	return p.t("list.refused", nil)
}

// left is why a line was not sent, or was refused.
func (p Lists) left(why string) string {
	switch why {
	case store.ReasonStopped, store.ReasonCancelled:
		return p.t("list.left_stopped", nil)
	case store.ReasonWaited, store.ReasonHeld:
		return p.t("list.left_waited", nil)
	case store.ReasonOutage:
		return p.t("list.left_outage", nil)
	case store.ReasonLocked:
		return p.t("list.left_locked", nil)
	case store.ReasonRepeat:
		return p.t("list.repeat", nil)
	case store.ReasonPrice:
		return p.t("list.price_other", nil)
	case store.ReasonRenamed:
		return p.t("list.renamed", nil)
	case api.OutOfStock.String():
		return p.t("list.sold_out", nil)
	case api.NotFound.String():
		return p.t("list.left_gone", nil)
	case api.Funds.String():
		return p.t("list.short", nil)
	case api.Unauthorized.String(), api.IPBlocked.String():
		return p.t("list.left_key", nil)
	case store.ReasonUnlinked:
		return p.t("list.left_unlinked", nil)
	case store.ReasonRemoved:
		return p.t("list.left_removed", nil)
	case store.ReasonFrozen:
		return p.t("list.left_frozen", nil)
	}
	return p.t("list.left_other", nil)
}

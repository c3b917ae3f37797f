package screen

import (
	"slices"
	"strings"
	"unicode/utf8"

	"resellerbot/internal/api"
	"resellerbot/internal/store"
	"resellerbot/locales"
)

// corrections say what has turned out otherwise than people were told.
func (p Purchases) corrections(orders []store.Order) string {
	var recovered, undone, back string
	for _, o := range orders {
		switch {
		case o.Was == store.Failed && o.State != store.Failed:
			recovered = p.t("status.recovered", nil)
		case o.Was != "" && o.Was != store.Failed && o.State == store.Failed:
			undone = p.t("status.undone", nil)
		}
		if o.Back {
			back = p.t("status.back", locales.Args{"Status": name(o.Status)})
		}
	}
	return lines(recovered, undone, back)
}

// doubts say what speaks against codes that are shown: the service calls their orders failed, or shows one for several
// units.
func (p Purchases) doubts(orders []store.Order) string {
	var failed, same string
	for _, o := range orders {
		if o.State == store.Failed && o.Was != store.Ready && hasCode(o) {
			failed = p.t("status.failed_code", nil)
		}
	}
	if showsOneCode(orders) {
		same = p.t("status.same_code", nil)
	}
	return lines(failed, same)
}

// instead is what the service shows where a code should be: words to people, and, where that takes too long or none is to come,
// whatever it is, for it may be one after all.
func (p Purchases) instead(orders []store.Order) string {
	if p.hides() {
		return ""
	}
	var out []string
	// The room is that of all orders together: a hundred of them may have been written about.
	room := mostNotes
	for _, o := range orders {
		words := api.Sentence(o.Instead.Reveal())
		if hasCode(o) || !words && !overdue(o) && o.State != store.Completed || o.Instead.IsZero() || room <= 1 {
			continue
		}
		key := "status.words"
		switch {
		case overdue(o):
			key = "status.instead"
		case !words:
			key = "status.also"
		}
		text := clean(o.Instead.Reveal(), min(mostCopied, room))
		line := p.t(key, locales.Args{"Text": locales.HTML(isolate(escape(text)))})
		// The same words under every unit are told once.
		if !slices.Contains(out, line) {
			out, room = append(out, line), room-utf8.RuneCountInString(text)
		}
	}
	return lines(out...)
}

// overdue reports whether the service has called an order done for long without sending its code, or for as long as that
// was looked for.
func overdue(o store.Order) bool {
	return o.CodeOverdue() && (o.State == store.Waiting || o.State == store.Completed)
}

// awaitsCode reports whether the service has called an order done for long without sending its code.
func awaitsCode(o store.Order) bool { return o.State == store.Waiting && o.CodeOverdue() }

// isGone reports whether the service does not show an order any more that is waited for.
func isGone(o store.Order) bool { return o.State == store.Waiting && o.Gone }

// unrecognized shows a status that we do not know as it came.
func (p Purchases) unrecognized(orders []store.Order) string {
	for _, o := range orders {
		if o.State == store.Waiting && o.Unrecognized {
			return p.t("status.service_says", locales.Args{"Status": name(o.Status)})
		}
	}
	return ""
}

// missing says that some orders of a purchase were not found, or that only those were charged which were. One that brings
// several lines may be of several units: then nothing is missing for certain.
func (p Purchases) missing(pu store.Purchase, orders []store.Order) string {
	named := locales.Args{"Made": number(len(pu.OrderIDs)), "All": number(pu.Quantity)}
	// Before Missing is asked, which counts orders: an order may be of several units, and its code lack a line.
	if pu.LacksLines(orders) {
		return p.t("status.missing_lines", named)
	}
	// While it is still looked for, orders that were not found may yet be.
	if pu.Missing <= 0 || len(pu.OrderIDs) == 0 || !pu.Phase.Final() && pu.Phase != store.Accepted {
		return ""
	}
	if pu.SeeksMissing() {
		return p.t("status.seeking", named)
	}
	if pu.UnitsCharged() > 0 && !p.hidesCost(pu) {
		lacks := ""
		if pu.LacksCharged(orders) {
			lacks = p.t("status.missing_lines", named)
		}
		return lines(p.t("status.fewer", locales.Args{"Made": number(pu.UnitsCharged()), "All": number(pu.Quantity), "Charged": p.money(*pu.Charged)}), lacks)
	}
	if !pu.MissesPaid() && pu.UnitsCharged() == 0 || mayBeWhole(pu, orders) {
		return p.t("status.missing_lines", named)
	}
	return p.direct(p.texts.N("status.missing", pu.Missing, nil))
}

// hasLines reports whether the code of an order has several lines, which may be of several units.
func hasLines(o store.Order) bool { return strings.Contains(strings.TrimSpace(o.Code.Reveal()), "\n") }

// mayBeWhole reports whether orders may hold all units of a purchase: one has a code of several parts, or they have shown as many
// codes.
func mayBeWhole(pu store.Purchase, orders []store.Order) bool {
	return store.CountCodes(orders) >= pu.Quantity || slices.ContainsFunc(orders, hasParts)
}

// hasParts reports whether the code of an order is of several parts by what stands between codes: it may be of several units. A code in
// groups looks like that as well; people count, and know.
func hasParts(o store.Order) bool {
	return strings.ContainsAny(strings.TrimSpace(o.Code.Reveal()), "\n\t ,;/|")
}

// isShort reports whether units of a purchase are missing that were paid, unless an order that has come may hold them.
func isShort(pu store.Purchase, orders []store.Order) bool {
	return pu.MissesPaid() && !mayBeWhole(pu, orders)
}

// credited reports whether a purchase goes to somebody instead of bringing codes: it is a top-up, or all of it that has
// succeeded has brought nothing but a success.
func credited(pu store.Purchase, orders []store.Order) bool {
	ready, _ := count(orders)
	bare := func(o store.Order) bool { return o.State == store.Completed && o.Personal && !o.Late }
	if store.CountCodes(orders) > 0 { // whatever it is called, it has brought one
		return false
	}
	return pu.Topup || ready > 0 && !slices.ContainsFunc(orders, func(o store.Order) bool { return o.State != store.Failed && !bare(o) })
}

// codeless reports whether an order is called done and its code never came.
func codeless(orders []store.Order) bool {
	return slices.ContainsFunc(orders, func(o store.Order) bool { return o.State == store.Completed && o.Late })
}

// notes is what whoever delivered an order wrote.
func (p Purchases) notes(orders []store.Order) string {
	if p.hides() {
		return "" // a code may stand in them
	}
	var out []string
	room := mostNotes
	for _, o := range orders {
		if !o.Notes.IsZero() && room > 1 {
			text := clean(o.Notes.Reveal(), min(300, room))
			room -= utf8.RuneCountInString(text)
			out = append(out, p.t("status.notes", locales.Args{"Notes": locales.HTML(isolate(escape(text)))}))
		}
	}
	return lines(out...)
}

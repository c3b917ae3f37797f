package screen

import (
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"resellerbot/internal/api"
	"resellerbot/internal/secret"
	"resellerbot/internal/store"
	"resellerbot/locales"
)

func hasCode(o store.Order) bool { return !o.Code.IsZero() }

// codes is what was delivered: each code on a line of its own under its unit's number. Many codes come as
// a file instead.
func (p Codes) codes(pu store.Purchase, orders []store.Order) string {
	if p.hides() {
		return p.Purchases().hidden(orders)
	}
	if pu.InDocument(orders) {
		if pu.Told.Document {
			return p.t("status.file", nil)
		}
		return p.t("status.file_coming", nil)
	}
	var out []string
	shown := false
	_, failed := count(orders)
	for _, o := range orders {
		out = append(out, p.unit(pu, o)...)
		shown = shown || len(o.Codes()) > 0
	}
	if failed > 0 && pu.Quantity > mostInText {
		out = append(out, p.t("status.units_failed", locales.Args{"Failed": number(failed), "All": number(pu.Quantity)}))
	}
	if shown && pu.Told.MaybeSent {
		again := "status.again"
		if had := pu.Told.Codes; had > 0 && had < store.CountCodes(orders) {
			again = "status.again_more"
		}
		out = append([]string{p.t(again, nil)}, out...)
	}
	if len(out) == 0 {
		return ""
	}
	return "\n" + lines(out...) // an empty line between the facts and the codes
}

// unit is what came of one order: its codes under its number, where there are several, or that it failed.
func (p Codes) unit(pu store.Purchase, o store.Order) (out []string) {
	unit := locales.Args{"Unit": number(o.Unit), "All": number(pu.Quantity)}
	if hasCode(o) && pu.Quantity > 1 {
		out = append(out, p.t("status.unit", unit))
	}
	for i, c := range o.Codes() {
		if i == 1 {
			out = append(out, p.t("status.code_later", nil))
		}
		out = append(out, p.delivered(c)...)
		if i == 0 {
			out = append(out, p.serial(o.Serial)...)
		}
	}
	if o.State == store.Failed && pu.Quantity > 1 && pu.Quantity <= mostInText {
		out = append(out, p.t("status.unit_failed", unit))
	}
	return out
}

// copyKeys are the buttons that copy codes, for few of them: one for all where they fit into it, else two at most.
func (p Codes) copyKeys(pu store.Purchase, orders []store.Order) [][]Button {
	if pu.InDocument(orders) {
		return nil
	}
	parts, all := copies(orders)
	if len(parts) == 0 || len(parts) > mostCopies {
		return nil
	}
	var keys []Button
	for _, c := range parts {
		keys = append(keys, Button{Text: p.Codes().copyLabel(pu, c, all), Copy: c.text})
	}
	return [][]Button{keys}
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

// Ping is the short message that makes the phone ring. It holds no code: it may show on a lock screen.
func (p Codes) Ping(pu store.Purchase, orders []store.Order) Message {
	ref := locales.Args{"Ref": locales.HTML(isolate("#" + store.Ref(pu.ID)))}
	refunds := len(only(orders, func(o store.Order) bool { return o.Refund == store.RefundSeen }))
	switch ready, failed := count(orders); {
	case pu.Phase == store.NotCreated:
		return Message{HTML: p.t("ping.not_created", ref)}
	case !pu.DoubtedAt().IsZero():
		return Message{HTML: p.t("ping.doubted", ref)}
	case pu.Phase == store.Undecided && p.reader != ForOwner:
		return Message{HTML: p.t("ping.owner_asked", ref)}
	case pu.Phase == store.Undecided:
		return Message{HTML: p.t("ping.undecided", ref)}
	case pu.Phase == store.Dropped && (pu.Reason == "waited" || pu.Reason == "held"):
		return Message{HTML: p.t("ping.not_created", ref)}
	case pu.Phase == store.Dropped && pu.Reason == "refused":
		return Message{HTML: p.t("ping.refused", ref)}
	case pu.Phase == store.Dropped:
		return Message{HTML: p.t("ping.no_answer", ref)}
	case p.Purchases().corrections(orders) != "":
		return Message{HTML: p.t("ping.changed", ref)}
	case failed > 0 && failed < len(orders):
		return Message{HTML: p.t(partPing(ready, failed, refunds, len(orders)), ref)}
	case failed > 0 && refunds == failed:
		return Message{HTML: p.t("ping.refunded", ref)}
	case failed == 0 && codeless(orders):
		return Message{HTML: p.t("ping.no_code", ref)}
	case failed > 0 && !slices.ContainsFunc(orders, func(o store.Order) bool { return o.Refund == store.RefundWaiting }):
		return Message{HTML: p.t("ping.failed_money", ref)}
	case failed > 0:
		return Message{HTML: p.t("ping.failed", ref)}
	case ready < len(orders):
		return Message{HTML: p.t("ping.progress", ref)}
	case !credited(pu, orders):
	case api.Family(pu.Family) == api.Internet:
		return Message{HTML: p.t("ping.topup_number", ref)}
	case !pu.Topup:
		return Message{HTML: p.t("ping.done", ref)}
	default:
		return Message{HTML: p.t("ping.topup", ref)}
	}
	return Message{HTML: p.t("ping.delivered", ref)}
}

// partPing is the text that makes the phone ring for a purchase of which some units failed, and not all: neither is the
// whole of it called failed, nor delivered.
func partPing(ready, failed, refunds, all int) string {
	switch {
	case refunds == failed:
		return "ping.part_refunded"
	case ready+failed == all:
		return "ping.partly"
	case ready > 0:
		return "ping.progress"
	}
	return "ping.part_failed"
}

// Document is the codes of a big purchase as a file, a code a line, in the order of the units. A serial number stands behind
// its code, in a column of its own.
func (p Codes) Document(pu store.Purchase, orders []store.Order) Message {
	var body strings.Builder
	for _, o := range orders {
		for i, c := range o.Codes() {
			body.WriteString(c.Reveal())
			if i == 0 && !o.Serial.IsZero() {
				body.WriteString("\tserial: " + o.Serial.Reveal())
			}
			body.WriteByte('\n')
		}
	}
	again := ""
	if pu.Told.MaybeSent {
		again = p.t("status.again", nil)
	}
	ready, _ := count(orders)
	return Message{
		HTML: lines(p.item(pu.Product, pu.Variant), p.reference(pu), p.when(pu),
			p.t("status.progress", locales.Args{"Ready": number(ready), "All": number(pu.Quantity)}), p.Purchases().corrections(orders), p.Purchases().doubts(orders), again),
		File: &File{Name: p.fileName(pu), Body: []byte(body.String())},
	}
}

// when is the day and time at which a purchase was confirmed.
func (p Codes) when(pu store.Purchase) string {
	return p.t("status.bought_at", locales.Args{"Time": locales.HTML(isolate(p.Time(boughtAt(pu))))})
}

// boughtAt is when a purchase was confirmed, or drafted where that was not written down.
func boughtAt(pu store.Purchase) time.Time {
	if pu.QueuedAt.IsZero() {
		return pu.CreatedAt
	}
	return pu.QueuedAt
}

// fileName says what is in a file of codes: product, variant, purchase and day.
func (p Codes) fileName(pu store.Purchase) string {
	const room = 32 // characters of a name
	parts := []string{fileWord(pu.Product, room), fileWord(pu.Variant, room), store.Ref(pu.ID), boughtAt(pu).In(p.zone).Format(time.DateOnly)}
	return strings.Join(slices.DeleteFunc(parts, func(s string) bool { return s == "" }), "-") + ".txt"
}

// fileWord is a name from outside as a part of a file's: of any script, but letters and digits alone.
func fileWord(s string, most int) string {
	words := strings.FieldsFunc(clean(s, nameLength), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsMark(r) })
	runes := []rune(strings.Join(words, "-"))
	return strings.Trim(string(runes[:min(len(runes), most)]), "-")
}

// Bell is the button that brings somebody to a purchase which their phone rings for together with others.
func (p Codes) Bell(pu store.Purchase, orders []store.Order) Button {
	return Button{Text: Bought{pu, orders}.outcome().mark + " " + isolate("#"+store.Ref(pu.ID)), Data: act(VerbOrder, pu.ID).fresh().Data()}
}

// delivered is a code as it is shown: as it came, or, where it is a code and a PIN that came under their names, each by
// itself, so that each can be copied.
func (p Codes) delivered(c secret.Text) (out []string) {
	all := strings.Split(c.Reveal(), "\n")
	var seen []string
	for _, line := range all {
		part, value, ok := strings.Cut(line, ": ")
		label := p.part(part)
		if !ok || label == "" || strings.TrimSpace(value) == "" || slices.Contains(seen, part) || len(all) == 1 {
			return []string{code(c)}
		}
		seen = append(seen, part)
		out = append(out, p.labelled(label, secret.New(value)))
	}
	return out
}

// serial is the serial number that came with a code.
func (p Codes) serial(s secret.Text) []string {
	if s.IsZero() {
		return nil
	}
	return []string{p.labelled(p.plain("part.serial", nil), s)}
}

// labelled is a part of what was bought under its name.
func (p Codes) labelled(label string, s secret.Text) string {
	return p.t("field.line", locales.Args{"Name": locales.HTML(escape(label)), "Value": locales.HTML(code(s))})
}

// part is what a part of a code is called, by the field that it came in; "" for none that is known.
func (p Codes) part(field string) string {
	switch field {
	case "key", "code":
		return p.plain("part.code", nil)
	case "pin":
		return p.plain("part.pin", nil)
	case "voucher":
		return p.plain("part.voucher", nil)
	}
	return ""
}

// revealKeys are the buttons that ask for the codes: over the chat, or, from a group, in the person's private chat, where
// they can be copied.
func (p Codes) revealKeys(pu store.Purchase, orders []store.Order) [][]Button {
	if !slices.ContainsFunc(orders, hasCode) {
		return nil
	}
	keys := row(p.button("button.reveal", act(VerbReveal, pu.ID)))
	if p.user == 0 {
		keys = append(keys, p.button("button.reveal_private", act(VerbReveal, pu.ID, RevealPrivate)))
	}
	return [][]Button{keys}
}

// Reveal is the codes of a purchase as a text for one person alone, over the chat; ok is false where they do not
// fit there.
func (p Codes) Reveal(pu store.Purchase, orders []store.Order) (text string, ok bool) {
	parts := []string{clean(pu.Product, 30) + " · " + clean(pu.Variant, 30)}
	for _, o := range orders {
		for _, c := range o.Codes() {
			parts = append(parts, c.Reveal())
		}
		if hasCode(o) && !o.Serial.IsZero() {
			parts = append(parts, "serial: "+o.Serial.Reveal())
		}
	}
	text = strings.Join(parts, "\n")
	return text, utf8.RuneCountInString(text) <= maxAlert && !pu.InDocument(orders)
}

// RevealPrivate asks for the codes in the person's private chat.
const RevealPrivate = "private"

// maxAlert is what an answer to a tap can hold.
const maxAlert = 200

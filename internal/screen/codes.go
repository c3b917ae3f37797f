package screen

import (
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"resellerbot/internal/api"
	"resellerbot/internal/secret"
	"resellerbot/internal/store"
	"resellerbot/locales"
)

// mostRows is how many rows of units the caption of a file names: it has room for 1,024 characters.
const mostRows = 40

func hasCode(o store.Order) bool { return !o.Code.IsZero() }

// codes is what was delivered: each code on a line of its own under its unit's number. Many codes come as
// a file instead.
func (p Codes) codes(pu store.Purchase, orders []store.Order) string {
	// Whoever stands by sees how many there are: who may see them asks, and that is written down.
	if p.hides() {
		return p.Purchases().hidden(orders)
	}
	if pu.InDocument(orders) {
		switch {
		case len(pu.Told.Parts(pu.Quantity)) > 1:
			return p.t("status.files", nil)
		case pu.Told.Document:
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
	// Of many units each one's failure has no line (unit): together they have one.
	if failed > 0 && pu.Quantity > mostInText {
		out = append(out, p.t("status.units_failed", locales.Args{"Failed": number(failed), "All": number(pu.Quantity)}))
	}
	// A code that shows twice must not be sold twice.
	if shown && pu.Told.MaybeSent {
		again := "status.again"
		// Not all of them were there before.
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
		out = append(out, p.t("status.unit", unit)+p.traded(o))
	}
	out = append(out, p.ofOrder(o)...)
	if o.State == store.Failed && pu.Quantity > 1 && pu.Quantity <= mostInText {
		out = append(out, p.t("status.unit_failed", unit))
	}
	return out
}

// ofOrder is what an order has brought: its codes, each on a line of its own, and the serial number.
func (p Codes) ofOrder(o store.Order) (out []string) {
	for i, c := range o.Codes() {
		// The first is what was delivered first; what came in its place later stands below it, and none is dropped.
		if i == 1 {
			out = append(out, p.t("status.code_later", nil))
		}
		out = append(out, p.delivered(c)...)
		if i == 0 {
			out = append(out, p.serial(o.Serial)...)
		}
	}
	return out
}

// Ping is the short message that makes the phone ring. It holds no code: it may show on a lock screen.
func (p Codes) Ping(pu store.Purchase, orders []store.Order) Message {
	ref := locales.Args{"Ref": locales.HTML(isolate("#" + store.Ref(pu.ID)))}
	refunds := len(only(orders, func(o store.Order) bool { return o.Refund == store.RefundSeen }))
	// The first case that fits is told: what is wrong, or has to be decided, comes before what is well.
	switch ready, failed := count(orders); {
	case pu.Dismissed(), pu.Word != nil && isClosed(pu):
		return Message{HTML: p.t("ping.decided", ref)}
	case pu.Phase == store.NotCreated, pu.Phase == store.Rejected && !pu.Refused:
		return Message{HTML: p.t("ping.not_created", ref)}
	case pu.Phase == store.Rejected:
		return Message{HTML: p.t("ping.refused_sent", ref)}
	case !pu.DoubtedAt().IsZero():
		return Message{HTML: p.t("ping.doubted", ref)}
	case pu.Phase == store.Undecided && p.reader != ForOwner:
		return Message{HTML: p.t("ping.owner_asked", ref)}
	case pu.Phase == store.Undecided:
		return Message{HTML: p.t("ping.undecided", ref)}
	case pu.Phase == store.Dropped && slices.Contains([]string{store.ReasonWaited, store.ReasonHeld, store.ReasonOutage}, pu.Reason):
		return Message{HTML: p.t("ping.not_created", ref)}
	case pu.Phase == store.Dropped && pu.Reason == store.ReasonRefused:
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
	case ready < len(orders), pu.SeeksMissing():
		return Message{HTML: p.t("ping.progress", ref)}
	case isShort(pu, orders):
		return Message{HTML: p.t("ping.partly", ref)}
	// It has brought codes, and is called delivered, below.
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
	// All of the money that is to come back is back: that is the news, whatever is still on its way.
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
	again := ""
	if pu.Told.MaybeSent {
		again = p.t("status.again", nil)
	}
	return p.file(pu, orders, orders, p.fileName(pu, ""), "", again)
}

// Part is the codes of some units of a big purchase as a file, while others of it are on their way or have gone out; last
// tells that no more follow. It has a number of its own in its name.
func (p Codes) Part(pu store.Purchase, orders []store.Order, units store.Units, last bool) Message {
	again := ""
	switch {
	case pu.Told.MaybeSent && pu.Told.Filed != "":
		again = p.t("status.again_more", nil)
	case pu.Told.MaybeSent:
		again = p.t("status.again", nil)
	}
	part := units.Of(orders)
	name := p.fileName(pu, strconv.Itoa(1+len(pu.Told.Parts(pu.Quantity))))
	return p.file(pu, orders, part, name, lines(p.units(pu, units), p.follows(pu, orders, last)), again)
}

// units says which units a part of a file holds.
func (p Codes) units(pu store.Purchase, units store.Units) string {
	return p.t("file.units", locales.Args{"Units": unitRows(units), "All": number(pu.Quantity)})
}

// unitRows are numbers with rows of them joined, as people read them.
func unitRows(units store.Units) locales.HTML {
	rows := strings.Split(units.String(), ",")
	left := max(0, len(rows)-mostRows)
	text := strings.ReplaceAll(strings.Join(rows[:len(rows)-left], ", "), "-", "–")
	if left > 0 {
		text += ", …"
	}
	return locales.HTML(isolate(text))
}

// follows says whether more parts of a file come.
func (p Codes) follows(pu store.Purchase, orders []store.Order, last bool) string {
	switch _, failed := count(orders); {
	case !last, pu.SeeksMissing():
		return p.t("file.more", nil)
	case failed > 0:
		return lines(p.t("file.last", nil), p.t("status.units_failed", locales.Args{"Failed": number(failed), "All": number(pu.Quantity)}))
	case isShort(pu, orders): // the message of the purchase says what is missing
		return p.t("file.last", nil)
	}
	return p.t("file.all", nil)
}

// file is the codes of some of a purchase's orders as a file of a name.
func (p Codes) file(pu store.Purchase, orders, part []store.Order, name, units, again string) Message {
	// The file is read by programs as well: nothing in it is isolated or escaped.
	var body strings.Builder
	apart := slices.ContainsFunc(part, hasLines) // else nobody sees where one ends
	for _, o := range part {
		for i, c := range o.Codes() {
			if apart && body.Len() > 0 {
				body.WriteByte('\n')
			}
			body.WriteString(c.Reveal())
			if i == 0 && !o.Serial.IsZero() {
				body.WriteString("\tserial: " + o.Serial.Reveal())
			}
			body.WriteByte('\n')
		}
	}
	ready, _ := count(orders)
	return Message{
		HTML: lines(p.item(pu.Product, pu.Variant), p.reference(pu), p.when(pu),
			units, p.t("status.progress", locales.Args{"Ready": number(ready), "All": number(pu.Quantity)}), p.Purchases().corrections(orders), p.Purchases().doubts(orders), again),
		File: &File{Name: name, Body: []byte(body.String())},
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

// fileName says what is in a file of codes: product, variant, purchase and day, and the number of a part.
func (p Codes) fileName(pu store.Purchase, part string) string {
	// The names may be of no letters at all; the purchase and its day always are there.
	parts := []string{fileWord(pu.Product), fileWord(pu.Variant), store.Ref(pu.ID), boughtAt(pu).In(p.zone).Format(time.DateOnly), part}
	return strings.Join(slices.DeleteFunc(parts, func(s string) bool { return s == "" }), "-") + ".txt"
}

// fileWord is a name from outside as a part of a file's: of any script, but letters and digits alone, and so many at most.
func fileWord(s string) string {
	const most = 32
	// Marks are kept: Arabic and Indic scripts are not readable without them.
	words := strings.FieldsFunc(clean(s, nameLength), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsMark(r) })
	runes := []rune(strings.Join(words, "-"))
	return strings.Trim(string(runes[:min(len(runes), most)]), "-")
}

// Bell is the button that brings somebody to a purchase which their phone rings for together with others.
func (p Codes) Bell(pu store.Purchase, orders []store.Order) Button {
	return Button{Text: Bought{Purchase: pu, Orders: orders}.outcome().mark + " " + isolate("#"+store.Ref(pu.ID)), Data: act(VerbOrder, pu.ID).fresh().Data()}
}

// delivered is a code as it is shown: as it came, or, where it is a code and a PIN that came under their names, each by
// itself, so that each can be copied.
func (p Codes) delivered(c secret.Text) (out []string) {
	// A blank line stands between several units.
	// Where one unit cannot be parted, all are shown as they came: a part of a code under a name would be taken for the whole.
	for i, unit := range strings.Split(c.Reveal(), "\n\n") {
		lines, ok := p.parts(unit)
		if !ok {
			return []string{code(c)}
		}
		if i > 0 {
			out = append(out, "")
		}
		out = append(out, lines...)
	}
	return out
}

// parts is a unit's code and what came with it, each under its name; ok is false where it is no such thing.
func (p Codes) parts(unit string) (out []string, ok bool) {
	all := strings.Split(unit, "\n")
	var seen []string
	for _, line := range all {
		part, value, ok := strings.Cut(line, ": ")
		label := p.part(part)
		// One line that is not of a known name, or of one that was there already, and it is a code that happens to hold a colon:
		// it is shown as it came, for nothing of a code may be lost.
		if !ok || label == "" || strings.TrimSpace(value) == "" || slices.Contains(seen, part) || len(all) == 1 {
			return nil, false
		}
		seen = append(seen, part)
		out = append(out, p.labelled(label, secret.New(value)))
	}
	return out, true
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
	// They are the names of the fields by which package api joins what came in several.
	case "key", "code", "redeem_code", "license_key":
		return p.plain("part.code", nil)
	case "pin", "pin_code":
		return p.plain("part.pin", nil)
	case "voucher", "voucher_code":
		return p.plain("part.voucher", nil)
	case "activation_code", "activation_key", "subscription_code":
		return p.plain("part.activation", nil)
	case "login", "username":
		return p.plain("part.login", nil)
	case "email":
		return p.plain("part.email", nil)
	case "serial":
		return p.plain("part.serial", nil)
	case "password":
		return p.plain("part.password", nil)
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
	// In a group nobody in particular reads: there is a private chat that the codes can go to.
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
	// Part of the codes would be taken for all of them: what does not fit is not shown here at all.
	return text, utf8.RuneCountInString(text) <= maxAlert && !pu.InDocument(orders)
}

// RevealPrivate asks for the codes in the person's private chat.
const RevealPrivate = "private"

// maxAlert is what an answer to a tap can hold.
const maxAlert = 200

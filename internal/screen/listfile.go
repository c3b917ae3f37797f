package screen

import (
	"strings"
	"unicode/utf16"

	"resellerbot/internal/store"
	"resellerbot/locales"
)

const (
	mostCaption = 1024 // characters of a text that comes with a file
	listWho     = 20   // characters of who a line is for, over its codes
)

// File is what came of a list as a table in plain text: its lines in their order, each with its codes under it. Few codes
// stand in the message as well, each as it came, to be tapped.
func (p Lists) File(v ListView) Message {
	var body strings.Builder
	had, maybe := 0, false
	var orders []store.Order
	for _, line := range v.Lines {
		b, ok := v.of(line)
		if !ok {
			_, why := p.mark(v, line)
			body.WriteString(strings.Join([]string{id(line.Number), "-", plainCell(line.Text), plainCell(why)}, "\t") + "\n")
			continue
		}
		out := b.outcome()
		cells := []string{id(line.Number), "#" + store.Ref(b.ID), plainCell(b.Product + " " + b.Variant), "x" + id(b.Quantity)}
		for _, in := range b.Inputs {
			cells = append(cells, plainCell(shownAs(in)))
		}
		if b.Player != nil {
			cells = append(cells, plainCell(b.Player.Name))
		}
		body.WriteString(strings.Join(append(cells, plainCell(p.plain(out.key, nil))), "\t") + "\n")
		had, maybe = had+b.Told.Codes, maybe || b.Told.MaybeSent
		orders = append(orders, b.Orders...)
		for _, o := range b.Orders {
			for i, c := range o.Codes() {
				body.WriteString(c.Reveal())
				if i == 0 && !o.Serial.IsZero() {
					body.WriteString("\tserial: " + o.Serial.Reveal())
				}
				body.WriteByte('\n')
			}
		}
	}
	file := &File{Name: "list-" + store.Ref(v.ID) + ".txt", Body: []byte(body.String())}
	again := p.toldAgain(had, maybe, store.CountCodes(orders))
	if !fewCodes(orders) {
		return Message{HTML: lines(p.t("list.file", locales.Args{"Lines": number(len(v.Lines))}), again), File: file}
	}
	rows := "\n" + p.codeRows(v)
	m := Message{HTML: lines(p.t("list.codes", nil), again, rows), File: file, Keyboard: p.copyAll(orders)}
	// What does not fit beside the file is a message of its own: codes are to be tapped before they are to be kept.
	if visible(m.HTML) > mostCaption {
		m.HTML, m.File = lines(p.t("list.codes_only", nil), again, rows), nil
	}
	return m
}

// toldAgain says that codes were there before, where some of them were, or may have been.
func (p Lists) toldAgain(had int, maybe bool, codes int) string {
	switch {
	case codes == 0 || had == 0 && !maybe:
		return ""
	case had > 0 && had < codes:
		return p.t("status.again_more", nil)
	}
	return p.t("status.again", nil)
}

// fewCodes reports whether the codes of a list can stand in a message: as those of one purchase would.
func fewCodes(orders []store.Order) bool {
	n := store.CountCodes(orders)
	return n > 0 && !store.Purchase{}.InDocument(orders)
}

// codeRows are the lines of a list that have brought codes, in their order, each with its codes under it.
func (p Lists) codeRows(v ListView) string {
	var out []string
	for _, line := range v.Lines {
		b, ok := v.of(line)
		if !ok || store.CountCodes(b.Orders) == 0 {
			continue
		}
		item := isolate(escape(clean(line.Product+" "+line.Variant, listName)))
		if line.Quantity > 1 {
			item += " × " + string(number(line.Quantity))
		}
		parts := []string{string(number(line.Number)), item}
		for _, in := range line.Inputs {
			if in.Value != "" {
				parts = append(parts, isolate(escape(clean(shownAs(in), listWho))))
			}
		}
		out = append(out, p.direct(strings.Join(parts, " · ")))
		for _, o := range b.Orders {
			out = append(out, p.Codes().ofOrder(o)...)
		}
	}
	return lines(out...)
}

// copyAll is the button that copies the codes of a list, where one takes them all.
func (p Lists) copyAll(orders []store.Order) [][]Button {
	parts, all := copies(orders)
	if !all {
		return nil
	}
	key := "button.copy"
	if parts[0].codes > 1 {
		key = "button.copy_codes"
	}
	return [][]Button{row(Button{Text: p.plain(key, nil), Copy: parts[0].text})}
}

// visible is how many characters of a text are read, as Telegram counts them, and rather too many: its tags are none.
func visible(html string) (n int) {
	tag := false
	for _, r := range html {
		switch {
		case r == '<' || r == '>':
			tag = r == '<'
		case !tag:
			n += utf16.RuneLen(r)
		}
	}
	return n
}

// plainCell is a text as a cell of a plain table: no tab, no tags, nothing that steers its direction.
func plainCell(s string) string {
	return clean(strings.NewReplacer("&lt;", "<", "&gt;", ">", "&amp;", "&", "&#34;", `"`, "&#39;", "'").Replace(s), 200)
}

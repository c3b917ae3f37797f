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

// File is what came of a list as a table in plain text: its lines in their order, each with those of its codes under it that the file
// brings. Few of these stand in the message as well, each as it came, to be tapped.
func (p Lists) File(v ListView) Message {
	var body strings.Builder
	orders, holds, before := []store.Order{}, store.Units{}, store.Units{}
	maybe := 0
	for _, line := range v.Lines {
		b, ok := v.of(line)
		// A line that was not bought has its row too: the numbers of the file are those of the card.
		if !ok {
			_, why := p.mark(v, line)
			body.WriteString(strings.Join([]string{id(line.Number), "-", plainCell(line.Text), plainCell(why)}, "\t") + "\n")
			continue
		}
		brought := v.Brings[b.ID].Of(b.Orders)
		body.WriteString(p.fileRow(line, b, brought))
		orders = append(orders, brought...)
		if b.Told.MaybeSent {
			maybe += store.CountCodes(brought)
		}
		if len(brought) > 0 {
			holds = append(holds, line.Number)
		}
		if len(brought) < len(store.Coded(b.Orders)) {
			before = append(before, line.Number)
		}
	}
	file := &File{Name: "list-" + store.Ref(v.ID) + ".txt", Body: []byte(body.String())}
	again, rest := p.toldAgain(maybe, store.CountCodes(orders)), ""
	if len(before) > 0 {
		rest = p.t("list.before", locales.Args{"Lines": unitRows(before)})
	}
	if !fewCodes(orders) {
		part := ""
		if rest != "" && len(holds) > 0 {
			part = p.t("list.file_part", locales.Args{"Lines": unitRows(holds)})
		}
		return Message{HTML: lines(p.t("list.file", locales.Args{"Lines": number(len(v.Lines))}), part, rest, again), File: file}
	}
	head, alone := p.t("list.codes", nil), p.t("list.codes_only", nil)
	if rest != "" {
		head = p.t("list.codes_part", locales.Args{"Lines": unitRows(holds)})
		alone = head
	}
	rows := "\n" + p.codeRows(v)
	m := Message{HTML: lines(head, rest, again, rows), File: file, Keyboard: p.copyAll(orders)}
	// What does not fit beside the file is a message of its own: codes are to be tapped before they are to be kept.
	if visible(m.HTML) > mostCaption {
		m.HTML, m.File = lines(alone, rest, again, rows), nil
	}
	return m
}

// fileRow is a line of a list that was bought as the file has it, with the codes that it brings.
func (p Lists) fileRow(line store.ListLine, b Bought, brought []store.Order) string {
	cells := []string{id(line.Number), "#" + store.Ref(b.ID), plainCell(b.Product + " " + b.Variant), "x" + id(b.Quantity)}
	for _, in := range b.Inputs {
		cells = append(cells, plainCell(shownAs(in)))
	}
	if b.Player != nil {
		cells = append(cells, plainCell(b.Player.Name))
	}
	cells = append(cells, plainCell(p.plain(b.outcome().key, nil)))
	// Codes that were brought before are not brought once more: the row says so.
	if len(brought) < len(store.Coded(b.Orders)) {
		cells = append(cells, plainCell(p.plain("list.cell_before", nil)))
	}
	var out strings.Builder
	out.WriteString(strings.Join(cells, "\t") + "\n")
	for _, o := range brought {
		for i, c := range o.Codes() {
			out.WriteString(c.Reveal())
			if i == 0 && !o.Serial.IsZero() {
				out.WriteString("\tserial: " + o.Serial.Reveal())
			}
			out.WriteByte('\n')
		}
	}
	return out.String()
}

// toldAgain says that codes may have been there before: maybe of them.
func (p Lists) toldAgain(maybe, codes int) string {
	switch {
	case maybe == 0:
		return ""
	case maybe < codes:
		return p.t("status.again_more", nil)
	}
	return p.t("status.again", nil)
}

// fewCodes reports whether the codes of a list can stand in a message: as those of one purchase would.
func fewCodes(orders []store.Order) bool {
	n := store.CountCodes(orders)
	// A purchase without a quantity: the number of codes, and their length, decide alone.
	return n > 0 && !store.Purchase{}.InDocument(orders)
}

// codeRows are the lines of a list of which codes are brought, in their order, each with its codes under it.
func (p Lists) codeRows(v ListView) string {
	var out []string
	for _, line := range v.Lines {
		b, ok := v.of(line)
		brought := v.Brings[b.ID].Of(b.Orders)
		if !ok || len(brought) == 0 {
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
		for _, o := range brought {
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
	// Some cells were made for a message, and are escaped: a file shows them as they are. It is one pass, so that what somebody has typed
	// as "&lt;" stays that.
	return clean(strings.NewReplacer("&lt;", "<", "&gt;", ">", "&amp;", "&", "&#34;", `"`, "&#39;", "'").Replace(s), 200)
}

// Package sheet writes tables for spreadsheets: XLSX workbooks and CSV. Numbers are exact, and no text can become a formula.
package sheet

import (
	"archive/zip"
	"encoding/csv"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Cell is one field of a table: a text, or a number.
type Cell struct {
	text   string
	number bool
}

// Text is a cell of words.
func Text(s string) Cell { return Cell{text: s} }

// Number is a cell of a plain decimal number, as "1250.505". What is no such number is a text.
func Number(decimal string) Cell { return Cell{text: decimal, number: isNumber(decimal)} }

// Count is a cell of a whole number.
func Count(n int) Cell { return Number(strconv.Itoa(n)) }

// isNumber reports whether a text is digits, perhaps with a sign and a point among them.
func isNumber(s string) bool {
	whole, frac, point := strings.Cut(strings.TrimPrefix(s, "-"), ".")
	digits := func(s string) bool { return s != "" && strings.Trim(s, "0123456789") == "" }
	return digits(whole) && (!point || digits(frac))
}

// Table is one sheet: its name, the heads of its columns, and its rows.
type Table struct {
	Name string
	Head []string
	Rows [][]Cell
}

// What Excel can take: 31 characters in the name of a sheet, 1,048,576 rows of which the head is one, 32,767 characters in a cell. A file
// with more is said to be damaged when it is opened.
const (
	mostName = 31
	mostRows = 1_048_575
	mostText = 32_767
)

// ErrRows: a sheet cannot have that many rows.
var ErrRows = errors.New("sheet: too many rows")

// WriteXLSX writes a workbook. rtl is for languages that are written from the right.
func WriteXLSX(w io.Writer, tables []Table, rtl bool) error {
	// Before the first byte: whoever writes to a file or chat has nothing half written then.
	for _, t := range tables {
		if len(t.Rows) > mostRows {
			return ErrRows
		}
	}
	z := zip.NewWriter(w)
	names := namesOf(tables)
	for _, part := range []struct {
		path string
		text func() string
	}{
		{"[Content_Types].xml", func() string { return contentTypes(len(tables)) }},
		{"_rels/.rels", func() string {
			return relations(relation("rId1", "officeDocument", "xl/workbook.xml"))
		}},
		{"xl/workbook.xml", func() string { return workbook(names) }},
		{"xl/_rels/workbook.xml.rels", func() string { return bookRelations(len(tables)) }},
		{"xl/styles.xml", func() string { return styles }},
	} {
		f, err := z.Create(part.path)
		if err == nil {
			_, err = io.WriteString(f, xml.Header+part.text())
		}
		if err != nil {
			return fmt.Errorf("write %s: %w", part.path, err)
		}
	}
	for i, t := range tables {
		f, err := z.Create(fmt.Sprintf("xl/worksheets/sheet%d.xml", i+1))
		if err == nil {
			err = writeTable(f, t, rtl)
		}
		if err != nil {
			return fmt.Errorf("write sheet %d: %w", i+1, err)
		}
	}
	return z.Close()
}

// What a cell's s names is a place in cellXfs: 0 plain, 1 bold (heads), 2 numbers, 3 text (@), which stays text when somebody edits it.
// The first two fills are Excel's own and have to be there; 164 is the first number of a format that is free to use.
const (
	spreadsheet = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
	office      = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
	styles      = `<styleSheet xmlns="` + spreadsheet + `"><numFmts count="1"><numFmt numFmtId="164" formatCode="#\ ##0.00##"/></numFmts>` +
		`<fonts count="2"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><name val="Calibri"/></font></fonts>` +
		`<fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills>` +
		`<borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders>` +
		`<cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs>` +
		`<cellXfs count="4"><xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/>` +
		`<xf numFmtId="0" fontId="1" fillId="0" borderId="0" xfId="0" applyFont="1"/>` +
		`<xf numFmtId="164" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/>` +
		`<xf numFmtId="49" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/></cellXfs></styleSheet>`
)

// contentTypes, workbook and the relations are the skeleton of a workbook.
func contentTypes(sheets int) string {
	const kind = `application/vnd.openxmlformats-officedocument.spreadsheetml.`
	var s strings.Builder
	s.WriteString(`<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">` +
		`<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>` +
		`<Override PartName="/xl/workbook.xml" ContentType="` + kind + `sheet.main+xml"/>` +
		`<Override PartName="/xl/styles.xml" ContentType="` + kind + `styles+xml"/>`)
	for i := range sheets {
		fmt.Fprintf(&s, `<Override PartName="/xl/worksheets/sheet%d.xml" ContentType="%sworksheet+xml"/>`, i+1, kind)
	}
	return s.String() + `</Types>`
}

func relation(id, kind, target string) string {
	return fmt.Sprintf(`<Relationship Id="%s" Type="%s/%s" Target="%s"/>`, id, office, kind, target)
}

func relations(all string) string {
	return `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">` + all + `</Relationships>`
}

func bookRelations(sheets int) string {
	var all strings.Builder
	for i := range sheets {
		all.WriteString(relation(fmt.Sprintf("rId%d", i+1), "worksheet", fmt.Sprintf("worksheets/sheet%d.xml", i+1)))
	}
	return relations(all.String() + relation(fmt.Sprintf("rId%d", sheets+1), "styles", "styles.xml"))
}

func workbook(names []string) string {
	var s strings.Builder
	s.WriteString(`<workbook xmlns="` + spreadsheet + `" xmlns:r="` + office + `"><sheets>`)
	for i, name := range names {
		fmt.Fprintf(&s, `<sheet name="%s" sheetId="%d" r:id="rId%d"/>`, escape(name), i+1, i+1)
	}
	return s.String() + `</sheets></workbook>`
}

// namesOf are names that sheets can have: short, without what is not allowed in them, and each once.
func namesOf(tables []Table) []string {
	var names []string
	taken := map[string]bool{}
	for i, t := range tables {
		name := strings.TrimSpace(strings.Map(func(r rune) rune {
			if strings.ContainsRune(`[]:*?/\'`, r) {
				return ' '
			}
			return r
		}, t.Name))
		if short := []rune(name); len(short) > mostName {
			name = string(short[:mostName])
		}
		// Excel compares names without regard to case, and refuses a workbook in which one comes twice.
		for n := i + 1; name == "" || taken[strings.ToLower(name)]; n++ {
			name = strconv.Itoa(n)
		}
		taken[strings.ToLower(name)] = true
		names = append(names, name)
	}
	return names
}

// writeTable writes one sheet, its head kept in view.
func writeTable(w io.Writer, t Table, rtl bool) error {
	var b strings.Builder
	b.WriteString(xml.Header + `<worksheet xmlns="` + spreadsheet + `"><sheetViews><sheetView workbookViewId="0"`)
	if rtl {
		b.WriteString(` rightToLeft="1"`)
	}
	b.WriteString(`><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews>` +
		`<sheetFormatPr defaultRowHeight="15"/><cols><col min="1" max="26" width="18" customWidth="1"/></cols><sheetData>`)
	b.WriteString("<row>")
	for _, head := range t.Head {
		inline(&b, head, 1)
	}
	b.WriteString("</row>")
	for _, row := range t.Rows {
		b.WriteString("<row>")
		for _, c := range row {
			if c.number {
				// Not escaped: Number lets nothing through but digits, a sign and a point. No float is in between.
				b.WriteString(`<c s="2"><v>` + c.text + `</v></c>`)
			} else {
				inline(&b, c.text, 3)
			}
		}
		b.WriteString("</row>")
		// A sheet of a year is not held in memory as a whole: 64 KB at a time go into the archive.
		if b.Len() > 1<<16 {
			if _, err := io.WriteString(w, b.String()); err != nil {
				return err
			}
			b.Reset()
		}
	}
	b.WriteString("</sheetData></worksheet>")
	_, err := io.WriteString(w, b.String())
	return err
}

// inline writes a text as one, whatever it begins with.
func inline(b *strings.Builder, s string, style int) {
	fmt.Fprintf(b, `<c t="inlineStr" s="%d"><is><t xml:space="preserve">%s</t></is></c>`, style, escape(s))
}

// escape is a text that XML can hold, no longer than a cell may be.
func escape(s string) string {
	s = strings.ToValidUTF8(s, "\ufffd")
	if utf8.RuneCountInString(s) > mostText {
		s = string([]rune(s)[:mostText])
	}
	var b strings.Builder
	if err := xml.EscapeText(&b, []byte(s)); err != nil {
		return "" // a builder takes everything
	}
	return b.String()
}

// WriteCSV writes a table for spreadsheets that separate by semicolons, as in French and Arabic. comma writes numbers with
// a decimal comma.
func WriteCSV(w io.Writer, t Table, comma bool) error {
	if _, err := io.WriteString(w, "\ufeff"); err != nil { // so that it is read as UTF-8
		return fmt.Errorf("write a table: %w", err)
	}
	out := csv.NewWriter(w)
	out.Comma, out.UseCRLF = ';', true
	row := make([]string, 0, len(t.Head))
	for _, head := range t.Head {
		row = append(row, harmless(head))
	}
	_ = out.Write(row) // its error stays until Flush
	for _, cells := range t.Rows {
		row = row[:0]
		for _, c := range cells {
			text := harmless(c.text)
			if c.number {
				// Numbers are not made harmless: an apostrophe before a minus would make a text of it. Number has let nothing else through.
				if text = c.text; comma {
					text = strings.Replace(text, ".", ",", 1)
				}
			}
			row = append(row, text)
		}
		_ = out.Write(row)
	}
	if out.Flush(); out.Error() != nil {
		return fmt.Errorf("write a table: %w", out.Error())
	}
	return nil
}

// harmless is a text that no spreadsheet takes for a formula: those look behind blanks and controls too.
func harmless(s string) string {
	s = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return ' '
		}
		return r
	}, strings.ToValidUTF8(s, "\ufffd"))
	// A quote or semicolon in front is skipped too: a program that parts the line elsewhere begins its cell behind it.
	if start := strings.TrimLeft(s, " \u00a0\u200b\ufeff\"';"); start != "" && strings.ContainsAny(start[:1], "=+-@|%") ||
		strings.HasPrefix(start, "＝") || strings.HasPrefix(start, "＋") || strings.HasPrefix(start, "－") || strings.HasPrefix(start, "＠") {
		return "'" + s
	}
	return s
}

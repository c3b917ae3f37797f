package sheet_test

import (
	"archive/zip"
	"bytes"
	"encoding/csv"
	"encoding/xml"
	"errors"
	"io"
	"strings"
	"testing"

	"resellerbot/internal/sheet"
)

// nasty are texts that spreadsheets have taken for more than texts.
func nasty() []string {
	return []string{
		"=1+1", "+1", "-1", "@SUM(A1)", "\t=1+1", " =1+1", "\r=1", "=HYPERLINK(\"http://x\")", "=cmd|' /C calc'!A0", "＝1+1", "%0A=1", "a;b", "a\"b", "<b>&amp;",
		"]]>", "\x00\x01=1", "\u202eabc", "محمد", "-", "\xff\xfe",
	}
}

func table() sheet.Table {
	t := sheet.Table{Name: "Ventes/[2026]*", Head: []string{"Nom", "=Prix"}}
	for _, s := range nasty() {
		t.Rows = append(t.Rows, []sheet.Cell{sheet.Text(s), sheet.Number("-1250.505")})
	}
	return t
}

// TestXLSX: every part is XML, no cell is a formula, texts are what they were, numbers are numbers.
func TestXLSX(t *testing.T) {
	var out bytes.Buffer
	second := table()
	second.Rows = [][]sheet.Cell{{sheet.Number("=1+1"), sheet.Number("1e5"), sheet.Number(""), sheet.Number("1.2.3"), sheet.Count(-7)}}
	if err := sheet.WriteXLSX(&out, []sheet.Table{table(), second}, true); err != nil {
		t.Fatal(err)
	}
	parts := unpack(t, out.Bytes())
	if len(parts) != 7 {
		t.Errorf("%d parts", len(parts))
	}
	first := parts["xl/worksheets/sheet1.xml"]
	if !strings.Contains(first, `rightToLeft="1"`) || strings.Contains(first, "<f>") {
		t.Errorf("the sheet is %s", first)
	}
	if n := strings.Count(first, "<v>-1250.505</v>"); n != len(nasty()) {
		t.Errorf("%d numbers of %d", n, len(nasty()))
	}
	if n := strings.Count(parts["xl/worksheets/sheet2.xml"], "<v>"); n != 1 {
		t.Errorf("%d of what is no number is one", n-1)
	}
	for i, text := range texts(t, first)[2:] {
		if want := strings.Map(func(r rune) rune {
			if r < 0x20 && r != '\t' && r != '\n' && r != '\r' {
				return 0xfffd
			}
			return r
		}, strings.ToValidUTF8(nasty()[i], "\ufffd")); text != want {
			t.Errorf("text %d is %q, was %q", i, text, want)
		}
	}
	if book := parts["xl/workbook.xml"]; strings.ContainsAny(names(book)[0], `[]*/`) || names(book)[0] == names(book)[1] {
		t.Errorf("the sheets are called %q", names(book))
	}
}

// unpack reads the parts of a workbook, and that each is XML.
func unpack(t *testing.T, data []byte) map[string]string {
	t.Helper()
	z, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		t.Fatal(err)
	}
	parts := map[string]string{}
	for _, f := range z.File {
		r, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		for d := xml.NewDecoder(bytes.NewReader(text)); ; {
			if _, err := d.Token(); errors.Is(err, io.EOF) {
				break
			} else if err != nil {
				t.Fatalf("%s: %v", f.Name, err)
			}
		}
		parts[f.Name] = string(text)
	}
	return parts
}

// texts are the texts of a sheet.
func texts(t *testing.T, part string) (all []string) {
	t.Helper()
	var v struct {
		Cells []struct {
			Kind string `xml:"t,attr"`
			Text string `xml:"is>t"`
		} `xml:"sheetData>row>c"`
	}
	if err := xml.Unmarshal([]byte(part), &v); err != nil {
		t.Fatal(err)
	}
	for _, c := range v.Cells {
		if c.Kind == "inlineStr" {
			all = append(all, c.Text)
		}
	}
	return all
}

func names(book string) (all []string) {
	for part := range strings.SplitSeq(book, `<sheet name="`) {
		name, _, _ := strings.Cut(part, `"`)
		all = append(all, name)
	}
	return all[1:]
}

// TestCSV: no field begins as formulas do, and a reader finds every field.
func TestCSV(t *testing.T) {
	var out bytes.Buffer
	if err := sheet.WriteCSV(&out, table(), true); err != nil {
		t.Fatal(err)
	}
	text, marked := strings.CutPrefix(out.String(), "\ufeff")
	r := csv.NewReader(strings.NewReader(text))
	r.Comma = ';'
	rows, err := r.ReadAll()
	if err != nil || !marked || len(rows) != len(nasty())+1 {
		t.Fatalf("%d rows, %v", len(rows), err)
	}
	for _, row := range rows[1:] {
		if strings.ContainsAny(strings.TrimLeft(row[0], " \t\r\n\x00\x01")[:1], "=+-@") || row[1] != "-1250,505" {
			t.Errorf("a row is %q", row)
		}
	}
	if rows[0][1] != "'=Prix" {
		t.Errorf("a head is %q", rows[0][1])
	}
}

// TestLimits: a sheet has so many rows and no more, and a broken pipe is an error.
func TestLimits(t *testing.T) {
	if err := sheet.WriteXLSX(io.Discard, []sheet.Table{{Rows: make([][]sheet.Cell, 1_048_576)}}, false); !errors.Is(err, sheet.ErrRows) {
		t.Errorf("too many rows: %v", err)
	}
	r, w := io.Pipe()
	r.Close()
	if err := errors.Join(sheet.WriteCSV(w, table(), false)); !errors.Is(err, io.ErrClosedPipe) {
		t.Errorf("a broken pipe: %v", err)
	}
	if err := sheet.WriteXLSX(w, []sheet.Table{table()}, false); !errors.Is(err, io.ErrClosedPipe) {
		t.Errorf("a broken pipe: %v", err)
	}
}

// TestSheetNames: each sheet has a name of its own, also where a number that stands for one that comes twice is a name itself.
func TestSheetNames(t *testing.T) {
	var out bytes.Buffer
	if err := sheet.WriteXLSX(&out, []sheet.Table{{Name: "2"}, {Name: "2"}, {Name: ""}, {Name: "a"}, {Name: "A"}}, false); err != nil {
		t.Fatal(err)
	}
	book, seen := unpack(t, out.Bytes())["xl/workbook.xml"], map[string]bool{}
	for _, part := range strings.Split(book, `<sheet name="`)[1:] {
		name, _, _ := strings.Cut(part, `"`)
		if seen[strings.ToLower(name)] {
			t.Errorf("two sheets are called %q: %s", name, book)
		}
		seen[strings.ToLower(name)] = true
	}
	if len(seen) != 5 {
		t.Errorf("the sheets are %v", seen)
	}
}

func BenchmarkXLSX(b *testing.B) {
	row := []sheet.Cell{sheet.Text("2026-11-22"), sheet.Text("PUBG Mobile 60 UC"), sheet.Number("1400"), sheet.Number("1250.505"), sheet.Count(1)}
	t := sheet.Table{Name: "x", Head: []string{"a", "b", "c", "d", "e"}}
	for range 20_000 {
		t.Rows = append(t.Rows, row)
	}
	for b.Loop() {
		if err := sheet.WriteXLSX(io.Discard, []sheet.Table{t}, false); err != nil {
			b.Fatal(err)
		}
	}
}

package orderline_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"resellerbot/internal/orderline"
)

// listed writes a list in a line each.
func listed(l orderline.List) string {
	var out []string
	if l.Item != "" {
		out = append(out, "for all: "+l.Item)
	}
	for _, line := range l.Lines {
		formula := ""
		if line.Formula {
			formula = " (formula)"
		}
		out = append(out, fmt.Sprintf("%d %s%s", line.Number, line.Text, formula))
	}
	return strings.Join(out, " / ")
}

// TestReadList: what people paste, and what tables write, is the orders that it holds.
func TestReadList(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"pc5 x3\npc10":                             "1 pc5 x3 / 2 pc10",
		"\n\npc5\r\n\r\n  \npc10\n":                "3 pc5 / 6 pc10",
		"60 coins for:\n51234567\n٥١٢٣٤٥٦٨":        "for all: 60 coins / 2 51234567 / 3 51234568",
		"60 coins pour :\n51234567\n51234568":      "for all: 60 coins / 2 51234567 / 3 51234568",
		"60 عملة لـ:\n51234567\n51234568":          "for all: 60 عملة / 2 51234567 / 3 51234568",
		"Product;Player ID\nff 100;123456":         "2 ff 100 123456",
		"المنتج\tالكمية\nبلاي كارد\t٣":             "2 بلاي كارد 3",
		"1. pc5 x3\n2) pc10\n- pc25\n• pc5":        "1 pc5 x3 / 2 pc10 / 3 pc25 / 4 pc5",
		"60 51234567\n10. x":                       "1 60 51234567 / 2 x",
		"ff 100,123456\nff 100,123457":             "1 ff 100 123456 / 2 ff 100 123457",
		"1,000 coins 123456\nff 100 123457":        "1 1,000 coins 123456 / 2 ff 100 123457",
		"\"ff 100\",\"123456\"\n\"a;b\",\"1\"":     "1 ff 100 123456 / 2 a;b 1",
		"ff 100;=1+1\nff 100;+cmd|' /C calc'!A0":   "1 ff 100 =1+1 (formula) / 2 ff 100 +cmd ' /C calc'!A0 (formula)",
		"ff 100;=\"0123456\"\nflexy;+213550123456": "1 ff 100 0123456 / 2 flexy +213550123456",
		"=HYPERLINK(\"http://x\";\"y\"):\npc5":     "1 =HYPERLINK(\"http://x\" y): (formula) / 2 pc5",
		"one\u2028two\u2029three":                  "1 one / 2 two / 3 three",
		":\npc5":                                   "1 : / 2 pc5",
		"":                                         "",
	} {
		l, err := orderline.ReadList(text)
		if got := listed(l); got != want || err != nil {
			t.Errorf("%q is read as\n  %s (%v)\nwant\n  %s", text, got, err, want)
		}
	}
}

// TestAListHasAnEnd: one line more than fifty is told by its number, and so are thousands.
func TestAListHasAnEnd(t *testing.T) {
	t.Parallel()
	if l, err := orderline.ReadList("pc5 for:\n" + strings.Repeat("1\n", 50)); err != nil || len(l.Lines) != 50 {
		t.Errorf("fifty lines: %d, %v", len(l.Lines), err)
	}
	for _, n := range []int{51, 5000} {
		_, err := orderline.ReadList(strings.Repeat("pc5\n\n", n))
		if many, ok := errors.AsType[*orderline.TooManyError](err); !ok || many.Lines != n {
			t.Errorf("%d lines: %v", n, err)
		}
	}
}

// TestDecode: files come as phones and tables write them; a picture is none.
func TestDecode(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"pc5\n":                     "pc5\n",
		"\xef\xbb\xbfpc5":           "pc5",
		"\xff\xfep\x00c\x005\x00":   "pc5",
		"\xfe\xff\x00p\x00c\x005":   "pc5",
		"Carte \xe9lite x1":         "Carte élite x1",
		"بلاي":                      "بلاي",
		"\x89PNG\r\n\x1a\n\x00\x00": "-",
		"PK\x03\x04\x14\x00\x06":    "-",
		"%PDF-1.7 nothing to see":   "-",
		"\xff\xfe\x00\xd8\x41\x00":  "-",
		"a\x00b":                    "-",
	} {
		got, err := orderline.Decode([]byte(in))
		if err != nil {
			got = "-"
		}
		if got != want || err != nil && !errors.Is(err, orderline.ErrNoText) {
			t.Errorf("%q is %q (%v), want %q", in, got, err, want)
		}
	}
}

// FuzzReadList: whatever is pasted, a list has an end, its lines come in order, none is empty, and nothing is made up.
func FuzzReadList(f *testing.F) {
	for _, text := range []string{"pc5 x3\npc10", "60 coins for:\n٥١٢٣", "a;b;\"c;d\"\n=1", "1. x\r2) y", "\xff\xfe\x00", "\"\n\""} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		text, err := orderline.Decode(body)
		if err != nil {
			return
		}
		l, err := orderline.ReadList(text)
		if err != nil {
			return
		}
		if len(l.Lines) > orderline.MostLines {
			t.Fatalf("%d lines", len(l.Lines))
		}
		last, clean := 0, orderline.Clean(text)
		for i, line := range l.Lines {
			if line.Number <= last || strings.TrimSpace(line.Text) == "" || !utf8.ValidString(line.Text) || strings.Contains(line.Text, "\n") {
				t.Errorf("%q has the line %+v", text, line)
			}
			last = line.Number
			for word := range strings.FieldsSeq(strings.ReplaceAll(l.Order(i), `"`, "")) {
				if !strings.Contains(strings.ReplaceAll(clean, `"`, ""), word) {
					t.Errorf("%q has no %q", text, word)
				}
			}
		}
	})
}

package tgsim

import (
	"strings"
	"testing"
	"unicode/utf8"
)

// TestMarkdownV2 is what Telegram makes of markup. Offsets and lengths are in UTF-16 units.
func TestMarkdownV2(t *testing.T) {
	for in, want := range map[string][2]string{
		"":                                     {"", ""},
		"plain":                                {"plain", ""},
		`a\.b\!`:                               {"a.b!", ""},
		`\\\`:                                  {`\\`, ""}, // what escapes nothing stays
		`\➡`:                                   {`\➡`, ""},
		"*a* _b_ __c__ ~d~ ||e|| `f`":          {"a b c d e f", "bold 0+1, italic 2+1, underline 4+1, strikethrough 6+1, spoiler 8+1, code 10+1"},
		"💎_💎é_*x*":                             {"💎💎éx", "italic 2+3, bold 5+1"},
		"💎``*_ _*":                             {"💎 ", "bold 2+1, italic 2+1"}, // nothing marks nothing
		"💎``````":                              {"💎", ""},
		"💎____":                                {"💎", ""},
		"_💎 *x*_":                              {"💎 x", "italic 0+4, bold 3+1"},
		"_💎 __x___":                            {"💎 x", "italic 0+4, underline 3+1"},
		`__💎 _x_\___`:                          {"💎 x_", "underline 0+5, italic 3+1"},
		"`_* *_`__*` `*__":                     {"_* *_ ", "code 0+5, code 5+1, bold 5+1, underline 5+1"},
		"*a~b*":                                {"", "!"},
		"```go\nx := 1\n```":                   {"x := 1\n", "pre 0+7 go"},
		"```\nx\n```":                          {"x\n", "pre 0+2"},
		"```x```":                              {"x", "pre 0+1"},
		"```go\r\nx```":                        {"x", "pre 0+1 go"},
		"```go\n\nx```":                        {"\nx", "pre 0+2 go"},
		"```go x\\`y```":                       {" x`y", "pre 0+4 go"},
		"`a```":                                {"a", "code 0+1"},
		"[x](t.example)":                       {"x", "text_link 0+1 http://t.example/"},
		"[ *x* ](https://t.example/a?b=c)":     {" x ", "text_link 0+3 https://t.example/a?b=c, bold 1+1"},
		`[x](t.example?\\\()`:                  {"x", `text_link 0+1 http://t.example/?\(`},
		`[t\.example]y`:                        {"t.exampley", "text_link 0+9 http://t.example/"},
		"[](t.example)[x](nothing)[y]()":       {"xy", ""},
		"[x](tg:user?id=501)":                  {"x", "text_link 0+1 tg://user?id=501"},
		"![👍](tg://emoji?id=5368)!":            {"", "!"},
		`![👍](TG://EMoJI/?x=1&id=25#id=3)a`:    {"👍a", "custom_emoji 0+2 25"},
		"![now](tg://time?unix=25&format=wDT)": {"now", "date_time 0+3 wDT"},
		"![now](tg:time?unix=25)":              {"now", "date_time 0+3"},
		">a":                                   {"a", "blockquote 0+1"},
		">":                                    {"", ""},
		"\r>a":                                 {"\ra", "blockquote 1+1"},
		">a\n>b\nc":                            {"a\nb\nc", "blockquote 0+4"},
		"a\n>b\n>c":                            {"a\nb\nc", "blockquote 2+3"},
		">*a*\n":                               {"a\n", "blockquote 0+2, bold 0+1"},
		"*a\n>b\nc*":                           {"a\nb\nc", "bold 0+5, blockquote 2+2"},
		">*b\n>c*\nd":                          {"b\nc\nd", "blockquote 0+4, bold 0+3"},
		">\n**>2":                              {"\n2", "blockquote 0+1, blockquote 1+1"}, // two, one behind the other
		">`a\n>b`\nc":                          {"a\n>b\nc", "blockquote 0+5, code 0+4"},
		`>a\>b`:                                {"a>b", "blockquote 0+3"},
		">a\n>b||\nc":                          {"a\nb\nc", "expandable_blockquote 0+4"},
		">a\r\n>b||\r\nc":                      {"a\r\nb\r\nc", "expandable_blockquote 0+6"},
		">a||b||\nc":                           {"ab\nc", "blockquote 0+3, spoiler 1+1"},
		">a||":                                 {"a", "expandable_blockquote 0+1"},
		">||":                                  {"", ""},
		">a||b||||":                            {"ab", "expandable_blockquote 0+2, spoiler 1+1"},
	} {
		text, entities, err := parseMarkdownV2(in)
		if want[1] == "!" {
			if err == nil {
				t.Errorf("%q: taken for %q with %s", in, text, show(entities))
			}
			continue
		}
		if err != nil || text != want[0] || sortedShow(show(entities)) != sortedShow(want[1]) {
			t.Errorf("%q:\n got %q with %s, %v\nwant %q with %s", in, text, show(entities), err, want[0], want[1])
		}
	}
}

// TestBrokenMarkdownV2 is what Telegram says of broken markup. Offsets are in bytes.
func TestBrokenMarkdownV2(t *testing.T) {
	reserved := func(c string) string {
		return "Character '" + c + "' is reserved and must be escaped with the preceding '\\'"
	}
	for in, want := range map[string]string{
		"a.b":                             reserved("."),
		"1-2":                             reserved("-"),
		"a>b":                             reserved(">"),
		"a|b":                             reserved("|"),
		"é!":                              reserved("!"),
		"a)":                              reserved(")"),
		"{a":                              reserved("{"),
		"a]":                              reserved("]"),
		">\n*a*>2":                        reserved(">"),
		"é*a":                             "Can't find end of Bold entity at byte offset 2",
		"_a *b_":                          "Can't find end of Italic entity at byte offset 5",
		"é__💎 _x___":                      "Can't find end of Italic entity at byte offset 13",
		"~s":                              "Can't find end of Strikethrough entity at byte offset 0",
		"||a|":                            reserved("|"),
		`||a\|`:                           "Can't find end of Spoiler entity at byte offset 0",
		"`a":                              "Can't find end of Code entity at byte offset 0",
		"```a":                            "Can't find end of Pre entity at byte offset 0",
		"```a ":                           "Can't find end of PreCode entity at byte offset 0",
		"[a":                              "Can't find end of TextUrl entity at byte offset 0",
		"[é](b":                           "Can't find end of a URL at byte offset 5",
		`[a](b\)`:                         "Can't find end of a URL at byte offset 4",
		"![a":                             "Can't find end of CustomEmoji entity at byte offset 0",
		"![a]":                            "The entity must contain a tg://emoji or tg://time URL",
		"![a](tg://emoji?id=12":           "Can't find end of a URL at byte offset 5",
		"![a](http://emoji?id=12)":        "Invalid tg://emoji or tg://time URL specified",
		"![a](tg://emojis?id=12)":         "Invalid tg://emoji or tg://time URL specified",
		"![a](tg://emoji?id=012)":         "Invalid tg://emoji or tg://time URL specified",
		"![a](tg://emoji?id=-1)":          "Invalid tg://emoji or tg://time URL specified",
		"![a](tg://emoji?x=%zz&id=1)":     "Invalid tg://emoji or tg://time URL specified",
		"![a](tg://time?date=12)":         "Invalid tg://emoji or tg://time URL specified",
		"![a](tg://time?unix=1&format=s)": "Invalid tg://emoji or tg://time URL specified",
		">*b\n>c\nd*":                     "Can't find end of Bold entity at byte offset 1",
		">a||b||c||d\ne":                  "Can't find end of Spoiler entity at byte offset 8",
		">a||b__\nc":                      "Can't find end of Underline entity at byte offset 5",
		"*>a||\nb*":                       "",
	} {
		text, entities, err := parseMarkdownV2(in)
		if err == nil || err.Error() != want {
			if want != "" || err != nil {
				t.Errorf("%q:\n got %q with %s, %v\nwant %s", in, text, show(entities), err, want)
			}
		}
	}
}

// TestMarkdown is the first Markdown, which is still there.
func TestMarkdown(t *testing.T) {
	for in, want := range map[string][2]string{
		"plain. (really!)":           {"plain. (really!)", ""},
		"*a* _b_ `c`":                {"a b c", "bold 0+1, italic 2+1, code 4+1"},
		`\*a\_ \. \\`:                {`*a_ \. \\`, ""},
		"💎*_x_*":                     {"💎_x_", "bold 2+3"}, // nothing is inside of anything
		"```go\nx```":                {"x", "pre 0+1 go"},
		"```\nx```y":                 {"xy", "pre 0+1"},
		"[x](t.example) [t.example]": {"x t.example", "text_link 0+1 http://t.example/, text_link 2+9 http://t.example/"},
		"[x](none) [y](t.example":    {"x y", "text_link 2+1 http://t.example/"},
		"[](t.example)**``":          {"", ""},
		"[Sam](tg://user?id=501)":    {"Sam", "text_link 0+3 tg://user?id=501"},
		"é*a":                        {"", "Can't find end of the entity starting at byte offset 2"},
		"é_a":                        {"", "Can't find end of the entity starting at byte offset 2"},
		"`a":                         {"", "Can't find end of the entity starting at byte offset 0"},
		"```a``":                     {"", "Can't find end of the entity starting at byte offset 0"},
		"[a":                         {"", "Can't find end of the entity starting at byte offset 0"},
		"*":                          {"", "Can't find end of the entity starting at byte offset 0"},
	} {
		text, entities, err := parseMarkdown(in)
		if err != nil {
			if err.Error() != want[1] {
				t.Errorf("%q: %v, want %s", in, err, want[1])
			}
			continue
		}
		if text != want[0] || show(entities) != want[1] {
			t.Errorf("%q:\n got %q with %s\nwant %q with %s", in, text, show(entities), want[0], want[1])
		}
	}
}

// Each parse mode is read by its name, in any case, and refused in the words of the real one.
func TestParseModes(t *testing.T) {
	play(t, Options{}, func(h *harness) {
		for _, c := range [][3]string{
			{"MarkdownV2", "*a* \\. [me](tg://user?id=501)", "bold 0+1, text_mention 4+2"},
			{"markdown", "*a* . [me](tg://user?id=501)", "bold 0+1, text_mention 4+2"},
			{"hTmL", "<b>a</b> . <a href='tg://user?id=501'>me</a>", "bold 0+1, text_mention 4+2"},
			{"none", "<b>", ""},
		} {
			m := h.post("sendMessage", object{"chat_id": sam, "text": c[1], "parse_mode": c[0]})
			if got := show(m.Entities); got != c[2] {
				t.Errorf("%s: %q with %s", c[0], m.Text, got)
			}
		}
		h.refused(h.call("sendMessage", object{"chat_id": sam, "text": "a.b", "parse_mode": "MarkdownV2"}), 400, `Bad Request: can't parse entities: Character '.' is reserved and must be escaped with the preceding '\'`)
		h.refused(h.call("sendMessage", object{"chat_id": sam, "text": "*a", "parse_mode": "Markdown"}), 400, `Bad Request: can't parse entities: Can't find end of the entity starting at byte offset 0`)
		if got := h.Log.Unsupported(); len(got) != 0 {
			t.Errorf("unsupported: %v", got)
		}
	})
}

// FuzzMarkdown: whatever comes, entities lie within the text, in order.
func FuzzMarkdown(f *testing.F) {
	for _, seed := range []string{"*a_b_*", "```go\nx```", "[a](b)", "![a](tg://emoji?id=1)", ">a\n>b||\nc", `\`, "||", "[", "`", "_\r__>"} {
		f.Add(seed)
	}
	s := New(Options{Token: token})
	f.Fuzz(func(t *testing.T, in string) {
		if !utf8.ValidString(in) {
			return
		}
		for _, mode := range []string{"Markdown", "MarkdownV2"} {
			text, entities, err := s.letters.format(in, mode, nil)
			if err != nil {
				continue
			}
			for _, e := range entities {
				if e.Offset < 0 || e.Length <= 0 || e.end() > units(text) || strings.Trim(Slice(text, e.Offset, e.Length), " \n") == "" {
					t.Fatalf("%s: %q with %s", mode, text, show(entities))
				}
			}
		}
	})
}

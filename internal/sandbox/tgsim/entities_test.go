package tgsim

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"resellerbot/internal/sampletest"
)

// entitiesOf reads what show writes: "bold 0+2, italic 1+1".
func entitiesOf(t *testing.T, text string) []Entity {
	t.Helper()
	var all []Entity
	for one := range strings.SplitSeq(text, ", ") {
		var e Entity
		if one == "" {
			continue
		}
		if n, err := fmt.Sscanf(one, "%s %d+%d", &e.Type, &e.Offset, &e.Length); n != 3 {
			t.Fatalf("%q: %v", one, err)
		}
		if e.Type == "text_link" {
			e.URL = "https://t.me"
		}
		all = append(all, e)
	}
	return all
}

// TestEntities is what Telegram makes of a text with entities: the vectors of TDLib's own tests (fix_formatted_text), in a
// form of our own.
func TestEntities(t *testing.T) {
	for _, c := range [][4]string{
		// White space, and what is not kept.
		{"  aba\n ", "", "aba", ""},
		{"  \n ", "", "", ""},
		{"a\x00\x01\tb\x1f\x20\rc", "", "a   b  c", ""},
		{"  a  \r\n  ", "pre 0+8", "  a", "pre 0+3"},
		{"  a  \r\n  ", "bold 0+8", "  a", "bold 0+3"},
		{"  a b", "bold 4+1", "a b", "bold 2+1"},
		{"👉 👉  ", "bold 2+1", "👉 👉", "bold 2+1"},
		{"👉 👉  ", "bold 5+1", "👉 👉", ""},
		{"\n\n\nab cd ef", "bold 3+2, italic 5+1, bold 6+2", "ab cd ef", "bold 0+2, italic 2+1, bold 3+2"},
		{"\t", "bold 0+1", "", ""},
		{"\r ", "bold 0+2, underline 0+1", "", ""},
		{"a \r b", "bold 0+5, underline 2+1", "a  b", "bold 0+4"},
		{"a ", "italic 0+2, bold 0+1", "a", "bold 0+1, italic 0+1"},
		{"aba caba", "bold 3+0", "aba caba", ""},
		// What cannot be seen is nothing; of marks of direction the last is left.
		{"\u200b", "", "", ""},
		{"\u200b \u200d\u00a0\ufeff", "bold 0+1", "", ""},
		{"\u200ba", "bold 0+1", "\u200ba", "bold 0+1"},
		{"\u200f\u200f  \u200e\u200e\u200e\u200c \u200f\u200e \u200f a", "", "\u200c\u200f  \u200c\u200c\u200e\u200c \u200c\u200e \u200f a", ""},
		{"\u200f\u200f  \u200e\u200e\u200e\u200c \u200f\u200e \u200f", "", "", ""},
		// Styles are joined and split.
		{"a\rbc\r", "italic 0+1, bold 0+2, italic 3+2, bold 3+1", "abc", "bold 0+1, italic 0+1, bold 2+1, italic 2+1"},
		{"abc", "italic 1+1, italic 0+1", "abc", "italic 0+2"},
		{"abc", "italic 1+1, italic 1+1", "abc", "italic 1+1"},
		{"abc", "italic 0+2, italic 1+2", "abc", "italic 0+3"},
		{"abc", "italic 0+2, italic 2+1", "abc", "italic 0+3"},
		{"abc", "italic 0+1, italic 2+1", "abc", "italic 0+1, italic 2+1"},
		{"abc", "italic 0+2, bold 1+2", "abc", "italic 0+1, bold 1+2, italic 1+1"},
		{"abc", "italic 0+2, bold 2+1", "abc", "italic 0+2, bold 2+1"},
		{"ab", "underline 0+2, strikethrough 1+1", "ab", "underline 0+1, underline 1+1, strikethrough 1+1"},
		{"ab", "underline 0+1, underline 1+1, strikethrough 1+1", "ab", "underline 0+1, underline 1+1, strikethrough 1+1"},
		{"ab", "strikethrough 0+2, underline 1+1", "ab", "strikethrough 0+1, underline 1+1, strikethrough 1+1"},
		{"ab", "underline 0+2, spoiler 0+1", "ab", "underline 0+2, spoiler 0+1"},
		{"ab", "underline 0+1, underline 1+1, spoiler 0+1", "ab", "underline 0+2, spoiler 0+1"},
		{"a\rb", "bold 0+1, italic 0+1, bold 2+1, italic 2+1", "ab", "bold 0+2, italic 0+2"},
		{"a\nb", "bold 0+1, italic 0+1, bold 2+1, italic 2+1", "a\nb", "bold 0+1, italic 0+1, bold 2+1, italic 2+1"},
		// Nothing is in code; quotes hold the others, and cut them.
		{"a", "pre 0+1, spoiler 0+1", "a", "pre 0+1"},
		{"abc", "pre 0+3, strikethrough 1+1", "abc", "pre 0+3"},
		{"abc", "pre 1+1, strikethrough 0+3", "abc", "strikethrough 0+1, pre 1+1, strikethrough 2+1"},
		{"abc", "pre 1+1, strikethrough 1+2", "abc", "pre 1+1, strikethrough 2+1"},
		{"abc", "pre 1+1, strikethrough 0+2", "abc", "strikethrough 0+1, pre 1+1"},
		{"abc", "pre 0+3, blockquote 1+1", "abc", "blockquote 1+1"},
		{"abc", "blockquote 0+3, pre 1+1", "abc", "blockquote 0+3, pre 1+1"},
		{"abadcaba", "text_link 0+4, text_link 2+4", "abadcaba", "text_link 0+4"},
		{"abadcaba", "text_link 2+4, text_link 0+2", "abadcaba", "text_link 0+2, text_link 2+4"},
		// Links and the like are found, and cut styles.
		{"  /test @abaca #ORD $ABC  telegram.org ", "", "/test @abaca #ORD $ABC  telegram.org", "bot_command 0+5, mention 6+6, hashtag 13+4, cashtag 18+4, url 24+12"},
		{"@tests @tests", "italic 0+13", "@tests @tests", "mention 0+6, italic 0+6, italic 6+1, mention 7+6, italic 7+6"},
		{"example.com", "", "example.com", "url 0+11"},
		{"example.com", "pre 0+3", "example.com", "pre 0+3"},
		{"example.com", "blockquote 0+3", "example.com", "blockquote 0+3"},
		{"example.com", "blockquote 0+11", "example.com", "blockquote 0+11, url 0+11"},
		{"example.com", "italic 0+11", "example.com", "url 0+11, italic 0+11"},
		{"example.com", "italic 0+3", "example.com", "url 0+11, italic 0+3"},
		{"example.com a", "italic 0+13", "example.com a", "url 0+11, italic 0+11, italic 11+2"},
		{"a example.com", "italic 0+13", "a example.com", "italic 0+2, url 2+11, italic 2+11"},
	} {
		text, entities, err := clean(c[0], entitiesOf(t, c[1]))
		if err != nil {
			t.Errorf("%q with %s: %v", c[0], c[1], err)
			continue
		}
		got := strings.ReplaceAll(show(detect(text, entities)), " https://t.me", "")
		if text != c[2] || got != c[3] {
			t.Errorf("%q with %s\n got %q with %s\nwant %q with %s", c[0], c[1], text, got, c[2], c[3])
		}
	}
}

// An entity does not begin or end in the middle of a character.
func TestEntitiesInTheMiddle(t *testing.T) {
	for entity, want := range map[string]string{
		"bold 1+1": "Entity begins in a middle of a UTF-16 symbol at byte offset 4",
		"bold 0+1": "Entity beginning at UTF-16 offset 0 ends in a middle of a UTF-16 symbol at byte offset 4",
		"bold 2+2": "Entity beginning at UTF-16 offset 2 ends in a middle of a UTF-16 symbol at byte offset 9",
	} {
		if _, _, err := clean("👉 👉", entitiesOf(t, entity)); err == nil || err.Error() != want {
			t.Errorf("%s: %v", entity, err)
		}
	}
}

// TestFound is what Telegram marks by itself, by TDLib's vectors.
func TestFound(t *testing.T) {
	long := strings.Repeat
	for kind, vectors := range map[string]map[string]string{
		"mention": {
			"@mention": "@mention", " @mention ": "@mention", "@abc @xyz @abc @xyz @xxx@yyy @ttt": "", "no@mention": "", "@n": "", "нет@mention": "",
			"@abcde @xyzxy @abcde @xyzxy @xxxxx@yyyyy @ttttt": "@abcde @xyzxy @abcde @xyzxy @xxxxx @ttttt",
			"@abcdefghijklmnopqrstuvwxyz123456":               "@abcdefghijklmnopqrstuvwxyz123456", "@abcdefghijklmnopqrstuvwxyz1234567": "",
			"@ya @gif @wiki @vid @bing @pic @bold @ImDb @cap ya cap @y @yar @bin": "@gif @wiki @vid @bing @pic @bold @ImDb",
		},
		"bot_command": {"/abc": "/abc", "say /abc": "/abc", "/a@abc": "/a@abc", "/a@b": "", "/@bfdsa": "", "/test/": "", "a/b": "", "<//x>": ""},
		"hashtag": {
			"": "", "#": "", "##": "", "#a": "#a", " #я ": "#я", " я#a ": "", " #a# ": "", " #123 ": "", " #123a ": "#123a", " #a123 ": "#a123", " #123a# ": "",
			" #" + long("1", 256): "", " #" + long("1", 256) + "a ": "", " #" + long("1", 255) + "a": "#" + long("1", 255) + "a",
			"#a#b #c #d": "#c #d", "#test@": "#test", "#test@a": "#test", "#test@ab": "#test", "#test@abc": "#test@abc", "#test@a-c": "#test",
			"#test@abcdefghijabcdefghijabcdefghijab": "#test@abcdefghijabcdefghijabcdefghijab", "#test@abcdefghijabcdefghijabcdefghijabc": "#test@abcdefghijabcdefghijabcdefghijab",
			"#te·st": "#te·st", "#a\u2122": "#a", "#a൹": "#a", "#aඁං෴ก฿": "#aඁං෴ก",
			"😄😄 😄😄#" + long("1", 200) + "ООО" + long("2", 200): "#" + long("1", 200) + "ООО" + long("2", 53),
		},
		"cashtag": {
			"$": "", "$$": "", "$a": "", "$abc": "", "$A": "$A", "$AB": "$AB", "$ABС": "", "$АBC": "", "$ABCDEFGH": "$ABCDEFGH", "$ABCDEFGHJ": "", "$ABCDEFGH1": "",
			" $XYZ ": "$XYZ", " $$XYZ ": "", " $XYZ$ ": "", " $ABC1 ": "", " $1ABC ": "", " 1$ABC ": "", " А$ABC ": "", "$ABC$DEF $GHI $KLM": "$GHI $KLM",
			"$TEST@": "$TEST", "$TEST@ab": "$TEST", "$TEST@abc": "$TEST@abc", "$TEST@a-c": "$TEST", "$TEST@abcdefghijabcdefghijabcdefghijabc": "$TEST",
			"$1INC": "", "$1INCH": "$1INCH", "...$1INCH...": "$1INCH", "$1inch": "", "$1INCHA": "", "\u2122$ABC\u2122": "$ABC", "$ABC൹": "$ABC", "$ABCඁ": "", "$ABCก": "", "$ABC฿": "$ABC",
		},
	} {
		for text, want := range vectors {
			var got []string
			for _, f := range findings() {
				if f.kind != kind {
					continue
				}
				for _, e := range f.in(text) {
					got = append(got, Slice(text, e.Offset, e.Length))
				}
			}
			if strings.Join(got, " ") != want {
				t.Errorf("%s in %q\n got %q\nwant %q", kind, text, got, want)
			}
		}
	}
}

// Whatever entities a text has, in the end they are in order, cross nowhere, hold nothing that they may not, and no style was
// lost or spread, but for those within code.
func TestEntitiesHold(t *testing.T) {
	sampletest.Slow(t)
	kinds := append([]string{"pre", "code", "text_link", "custom_emoji", "blockquote", "expandable_blockquote", "date_time"}, styles...)
	random := rand.New(rand.NewPCG(1, 2))
	for range 20_000 {
		text := strings.Repeat("a", 1+random.IntN(20))
		if random.IntN(2) == 0 {
			text = strings.Repeat("a", 1+random.IntN(4)) + " example.com " + strings.Repeat("a", 1+random.IntN(4))
		}
		var entities []Entity
		for range 1 + random.IntN(12) {
			e := Entity{Type: kinds[random.IntN(len(kinds))], Offset: random.IntN(len(text)), URL: "https://t.me"}
			e.Length = random.IntN(len(text) - e.Offset + 1)
			entities = append(entities, e)
		}
		before := masks(text, entities)
		_, fixed, err := clean(text, slices.Clone(entities))
		if err != nil {
			t.Fatal(err)
		}
		fixed = detect(text, fixed)
		after := masks(text, fixed)
		for i := range text {
			for _, style := range styles {
				solid := after[i]["pre"] || after[i]["code"] || after[i]["date_time"]
				if want := before[i][style] && !solid; after[i][style] != want {
					t.Fatalf("%q with %s became %s: at %d, %s is %v", text, show(entities), show(fixed), i, style, !want)
				}
			}
		}
		for i, e := range fixed {
			for _, o := range fixed[i+1:] {
				nested, crossed := o.Offset < e.end(), o.Offset < e.end() && o.end() > e.end()
				wrong := e.isSolid() || o.Type == e.Type || o.isQuote() && e.isQuote() || e.isWhole() && !o.isStyle()
				if o.Offset < e.Offset || o.Offset == e.Offset && o.Length > e.Length || crossed || nested && wrong {
					t.Fatalf("%q with %s became %s", text, show(entities), show(fixed))
				}
			}
		}
	}
}

// masks are the kinds of entities at each place of a text.
func masks(text string, entities []Entity) []map[string]bool {
	all := make([]map[string]bool, len(text))
	for i := range all {
		all[i] = map[string]bool{}
		for _, e := range entities {
			if e.Offset <= i && i < e.end() {
				all[i][e.Type] = true
			}
		}
	}
	return all
}

package tgsim

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

// show writes entities as "type offset+length argument".
func show(entities []Entity) string {
	var all []string
	for _, e := range entities {
		all = append(all, strings.TrimSpace(fmt.Sprintf("%s %d+%d %s", e.Type, e.Offset, e.Length, e.URL+e.Language+e.CustomEmoji+e.Format)))
	}
	return strings.Join(all, ", ")
}

// TestHTML is what Telegram makes of markup. Offsets and lengths are in UTF-16 units.
func TestHTML(t *testing.T) {
	for in, want := range map[string][2]string{
		"plain":                             {"plain", ""},
		"<b>a</b><strong>b</strong>":        {"ab", "bold 0+2"},
		"<i>a</i> <em>b</em>":               {"a b", "italic 0+1, italic 2+1"},
		"<u>a</u> <ins>b</ins>":             {"a b", "underline 0+1, underline 2+1"},
		"<s>a</s><strike>b</strike>c":       {"abc", "strikethrough 0+2"},
		"<del>a</del>":                      {"a", "strikethrough 0+1"},
		"<tg-spoiler>a</tg-spoiler>":        {"a", "spoiler 0+1"},
		`<span class="tg-spoiler">a</span>`: {"a", "spoiler 0+1"},
		"<B>a</b >":                         {"a", "bold 0+1"},
		"<b>a</>":                           {"a", "bold 0+1"}, // an end tag without a name closes any
		"💎<b>💎é</b>":                        {"💎💎é", "bold 2+3"},
		"<b></b>a":                          {"a", ""},
		"<b>a<i>b</i></b>":                  {"ab", "bold 0+1, bold 1+1, italic 1+1"},
		"<i x=y z='1' w>a</i>":              {"a", "italic 0+1"}, // attributes that mean nothing

		"<code>a &lt;b&gt; &amp;</code>":                        {"a <b> &", "code 0+7"},
		"<b>x <code>y</code> z</b>":                             {"x y z", "bold 0+2, code 2+1, bold 3+2"}, // nothing is in code, nor around it
		"<code><b>y</b></code>":                                 {"y", "code 0+1"},
		"<pre>a</pre>":                                          {"a", "pre 0+1"},
		`<pre><code class="language-go">a</code></pre>`:         {"a", "pre 0+1 go"},
		`<code class="language-go"><pre>a</pre></code>`:         {"a", "pre 0+1 go"},
		`<pre>b<code class="language-go">a</code></pre>`:        {"ba", "pre 0+2"},
		`<code class="language-go">a</code>`:                    {"a", "code 0+1"},
		"<pre><code>a</code></pre>":                             {"a", "pre 0+1"},
		"<blockquote>a</blockquote>":                            {"a", "blockquote 0+1"},
		"<blockquote expandable>a<b>b</b></blockquote>":         {"ab", "expandable_blockquote 0+2, bold 1+1"},
		`<tg-emoji emoji-id="5368">👍</tg-emoji>`:                {"👍", "custom_emoji 0+2 5368"},
		`<tg-time unix="1647531900" format="wDT">now</tg-time>`: {"now", "date_time 0+3 wDT"},
		`<a href="https://t.example/a?b=1&amp;c">x</a>`:         {"x", "text_link 0+1 https://t.example/a?b=1&c"},
		"<a href='t.example'>x</a>":                             {"x", "text_link 0+1 http://t.example/"},
		"<a href=t.example>x</a>":                               {"x", "text_link 0+1 http://t.example/"},
		"<a>t.example</a>":                                      {"t.example", "text_link 0+9 http://t.example/"},
		"<a>no link</a> <a href='javascript:x'>x</a>":           {"no link x", ""},
		`<a href="tg://resolve?domain=x">x</a>`:                 {"x", "text_link 0+1 tg://resolve?domain=x"},
		"<a href='t.example/?q'><code>x</code></a>":             {"x", "code 0+1"},
		"<a href='t.example?q'>see <code>x</code></a>":          {"see x", "text_link 0+5 http://t.example/?q"},
		"&lt;&gt;&amp;&quot;":                                   {`<>&"`, ""},
		"&lt&gt;":                                               {"<>", ""},
		"&nbsp;&copy;&LT;& &;&#;&#x":                            {"&nbsp;&copy;&LT;& &;&#;&#x", "hashtag 24+2"},
		"&#65;&#x42;&#67&#128142;":                              {"ABC💎", ""},
		"&#0;&#1114111;&#99999999;":                             {"&#0;&#1114111;&#99999999;", ""},
		" \n<b> a </b> b \n ":                                   {" a  b", "bold 0+3"},
		"<b>a \n</b> ":                                          {"a", "bold 0+1"},
		"<b> </b>a":                                             {" a", "bold 0+1"},
		"a\r\n<b>b\r\nc</b>":                                    {"a\nb\nc", "bold 2+3"},
		"\u202ea<b>\u2028b</b>":                                 {"ab", "bold 1+1"},
		"/buy@shop_bot now, #sale @sam_1 a@b.example":           {"/buy@shop_bot now, #sale @sam_1 a@b.example", "bot_command 0+13, hashtag 19+5, mention 25+6, email 32+11"},
		"الأمر \u2068/buy\u2069، \u2068/key remove\u2069":       {"الأمر \u2068/buy\u2069، \u2068/key remove\u2069", "bot_command 7+4, bot_command 15+4"},
		"https://t.example/a_b?c=d. See http://x":               {"https://t.example/a_b?c=d. See http://x", "url 0+25"},
		"<code>/buy</code> #a#b #c a/b #1 @ab é@sam x/y ://":    {"/buy #a#b #c a/b #1 @ab é@sam x/y ://", "code 0+4, hashtag 10+2"},
		"@abc@def @abcd@efg #x#y":                               {"@abc@def @abcd@efg #x#y", "mention 9+5"},
		"<b>/buy #sale</b>":                                     {"/buy #sale", "bot_command 0+4, bold 0+4, bold 4+1, hashtag 5+5, bold 5+5"},
		`<a href="tg://user?id=501">Sam</a>`:                    {"Sam", "text_mention 0+3"},
		`<a href="tg://user?id=9">nobody</a>`:                   {"nobody", ""},
	} {
		s := New(Options{Token: token})
		s.Directory.AddUser(User{ID: sam, FirstName: "Sam"})
		text, entities, no := s.letters.formatted(given("text", in), "text", "entities")
		if no != nil {
			t.Errorf("%s: refused: %s", in, no.description)
			continue
		}
		slices.SortStableFunc(entities, func(a, b Entity) int { return a.Offset - b.Offset })
		if sorted := sortedShow(want[1]); text != want[0] || sortedShow(show(entities)) != sorted {
			t.Errorf("%s:\n got %q with %s\nwant %q with %s", in, text, show(entities), want[0], want[1])
		}
	}
}

// sortedShow is what show returned, in an order that entities at the same place do not matter for.
func sortedShow(s string) string {
	all := strings.Split(s, ", ")
	slices.Sort(all)
	return strings.Join(all, ", ")
}

// given are the parameters of a call with a text in HTML.
func given(name, text string) params {
	return params{values: map[string][]string{name: {text}, "parse_mode": {"HTML"}}}
}

// TestBrokenHTML is what Telegram says of broken markup. Offsets are in bytes.
func TestBrokenHTML(t *testing.T) {
	for in, want := range map[string]string{
		"é<b":                    "Unclosed start tag at byte offset 2",
		"é<img src=x>":           `Unsupported start tag "img" at byte offset 2`,
		"💎<!-- x -->":            `Unsupported start tag "!--" at byte offset 4`,
		"1 < 2":                  `Unsupported start tag "" at byte offset 2`,
		"1 < 2 > 0":              `Unsupported start tag "" at byte offset 2`,
		"a<br/>b":                `Unsupported start tag "br/" at byte offset 1`,
		"<b>a":                   `Can't find end tag corresponding to start tag "b"`,
		"<b><i>a</i>":            `Can't find end tag corresponding to start tag "b"`,
		"é</b>":                  "Unexpected end tag at byte offset 2",
		"é<b>x</b></b>":          "Unexpected end tag at byte offset 10",
		"é<b>x</i>":              `Unmatched end tag at byte offset 6, expected "</b>", found "</i>"`,
		"é<b>x</b":               "Unclosed end tag at byte offset 6",
		"<b>x</b x>":             "Unclosed end tag at byte offset 4",
		"<a =x>y</a>":            `Empty attribute name in the tag "a" at byte offset 0`,
		"<a href":                `Unclosed start tag "a" at byte offset 0`,
		"<a href= ":              `Unclosed start tag "a" at byte offset 0`,
		"<a href=x,y>z</a>":      "Unexpected end of name token at byte offset 8",
		`<a href="x>z</a>`:       "Unclosed start tag at byte offset 0",
		`é<span class="x">a`:     `Tag "span" must have class "tg-spoiler" at byte offset 2`,
		"<span>a</span>":         `Tag "span" must have class "tg-spoiler" at byte offset 0`,
		"&#xD83D;":               "Text contains invalid Unicode characters after decoding HTML entities, check for unmatched surrogate code units",
		"<tg-emoji>a</tg-emoji>": "Invalid custom emoji identifier specified",
	} {
		_, _, err := parseHTML(in)
		if err == nil || err.Error() != want {
			t.Errorf("%s:\n got %v\nwant %s", in, err, want)
		}
	}
	s := New(Options{Token: token})
	if _, _, no := s.letters.formatted(given("text", "a\xff"), "text", "entities"); no == nil || no.description != "Bad Request: strings must be encoded in UTF-8" {
		t.Errorf("got %+v", no)
	}
}

// TestGivenEntities: entities may be listed instead of written.
func TestGivenEntities(t *testing.T) {
	for list, want := range map[string]string{
		`[{"type":"bold","offset":0,"length":2}]`:                                 "bold 0+2",
		`[{"type":"pre","offset":0,"length":3,"language":"go"}]`:                  "pre 0+3 go",
		`[{"type":"text_link","offset":0,"length":1,"url":"https://t.example/"}]`: "text_link 0+1 https://t.example/",
		`[{"type":"text_mention","offset":0,"length":1,"user":{"id":501}}]`:       "text_mention 0+1",
		`[{"type":"text_mention","offset":0,"length":1,"user":{"id":9}}]`:         "",
		`[{"type":"mention","offset":0,"length":2}]`:                              "", // not the bot's to say
		`[{"type":"nonsense","offset":0,"length":2}]`:                             "Bad Request: can't parse MessageEntity: Unsupported type specified",
		`[{"type":"bold","offset":0}]`:                                            "Bad Request: can't parse MessageEntity: Can't find field \"length\"",
		`[{"type":"bold","offset":"x","length":1}]`:                               "Bad Request: can't parse MessageEntity: Field \"offset\" must be a valid Number",
		`[{"type":"bold","offset":[],"length":1}]`:                                "Bad Request: can't parse MessageEntity: Field \"offset\" must be of type Number",
		`[{"type":"text_mention","offset":0,"length":1,"user":7}]`:                "Bad Request: can't parse MessageEntity: Field \"user\" must be of type Object",
		`[{"type":"date_time","offset":0,"length":1,"unix_time":"25"}]`:           "date_time 0+1",
		`[{"type":"custom_emoji","offset":0,"length":1,"custom_emoji_id":7}]`:     "custom_emoji 0+1 7",
		`["bold"]`: "Bad Request: can't parse MessageEntity: expected an Object",
		`no JSON`:  "",
		`[{"type":"bold","offset":-1,"length":2}]`: "Bad Request: receive an entity with incorrect offset -1",
		`[{"type":"bold","offset":0,"length":-2}]`: "Bad Request: receive an entity with incorrect length -2",
		`[{"type":"bold","offset":3,"length":1}]`:  "Bad Request: entity begins after the end of the text at UTF-16 offset 3",
	} {
		s := New(Options{Token: token})
		s.Directory.AddUser(User{ID: sam, FirstName: "Sam"})
		_, entities, no := s.letters.formatted(params{values: map[string][]string{"text": {"abc"}, "entities": {list}}}, "text", "entities")
		got := show(entities)
		if no != nil {
			got = no.description
		}
		if got != want {
			t.Errorf("%s: got %s, want %s", list, got, want)
		}
	}
}

// FuzzHTML: whatever comes, what is kept is valid, and entities lie within it, in order, with something in
// them.
func FuzzHTML(f *testing.F) {
	for _, seed := range []string{
		"<b>a<i>b</i></b>", "<a href='t.example'>💎</a>", "<pre><code class=\"language-go\">x</code></pre>", " <b> \n</b> ", "&#xD83D;&lt",
		"\u202e<u>\r</u>/buy #a @abc", "<blockquote expandable>a</blockquote>", "<tg-time unix=1>a</tg-time>", "<b", "</", "<a href=\"", "<b\x00>",
	} {
		f.Add(seed)
	}
	s := New(Options{Token: token})
	f.Fuzz(func(t *testing.T, in string) {
		text, entities, no := s.letters.formatted(given("text", in), "text", "entities")
		if no != nil {
			return
		}
		if !utf8.ValidString(text) || strings.TrimSpace(text) != strings.Trim(text, " \n") && strings.ContainsAny(text, "\t\r") {
			t.Fatalf("the text is %q", text)
		}
		at := 0
		for _, e := range entities {
			if e.Offset < at || e.Length <= 0 || e.Offset+e.Length > units(text) || priority(e.Type) < 0 {
				t.Fatalf("%q with %s", text, show(entities))
			}
			if word := Slice(text, e.Offset, e.Length); strings.Trim(word, " \n") == "" {
				t.Fatalf("an entity marks %q: %s", word, show(entities))
			}
			at = e.Offset
		}
	})
}

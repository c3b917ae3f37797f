package screen_test

import (
	"encoding/json"
	"fmt"
	"html"
	"os"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"unicode/utf8"

	"resellerbot/internal/screen"
)

// What Telegram takes. Lengths of text are in code points, after the markup is read.
const (
	maxText    = 4096
	maxCaption = 1024
	maxRaw     = 32768 // bytes, before the markup is read
	maxData    = 64    // bytes
	maxCopied  = 256
	maxButtons = 100
	maxInRow   = 8
	maxLabel   = 72 // not Telegram's: what a phone shows of a button is less
)

const (
	fsi = "\u2068" // first strong isolate
	pdi = "\u2069"
	rlm = "\u200f" // right-to-left mark
	lrm = "\u200e" // left-to-right mark
)

// shown is a text as Telegram shows it.
type shown struct {
	text  string
	codes []string // what stands in code entities
	own   string   // the text without them
}

// tags are those of Telegram's HTML that screens may use. Telegram knows more, and the screens need none.
var tags = []string{"b", "i", "u", "s", "code", "pre", "blockquote", "tg-spoiler"}

var reference = regexp.MustCompile(`^&(?:amp|lt|gt|quot|#[0-9]{1,7});`)

// read reads Telegram's HTML and forgives nothing: no unknown tag or attribute, no crossed or open tags,
// no sign of markup that is not one.
func read(s string) (out shown, err error) {
	type open struct {
		tag  string
		from int
	}
	var text, own strings.Builder
	var stack []open
	write := func(s string) {
		text.WriteString(s)
		if !slices.ContainsFunc(stack, func(o open) bool { return o.tag == "code" }) {
			own.WriteString(s)
		}
	}
	for s != "" {
		switch s[0] {
		case '<':
			inner, rest, ok := strings.Cut(s[1:], ">")
			tag, closing := strings.CutPrefix(inner, "/")
			if tag == "blockquote expandable" {
				tag = "blockquote"
			}
			if !ok || !slices.Contains(tags, tag) {
				return shown{}, fmt.Errorf("no tag begins at %.20q", s)
			}
			s = rest
			if !closing {
				stack = append(stack, open{tag, text.Len()})
				continue
			}
			n := len(stack)
			if n == 0 || stack[n-1].tag != tag {
				return shown{}, fmt.Errorf("%q closes what is not open", tag)
			}
			if tag == "code" {
				out.codes = append(out.codes, text.String()[stack[n-1].from:])
			}
			stack = stack[:n-1]
		case '&':
			ref := reference.FindString(s[:min(len(s), 12)])
			if ref == "" {
				return shown{}, fmt.Errorf("no reference begins at %.20q", s)
			}
			write(html.UnescapeString(ref))
			s = s[len(ref):]
		case '>':
			return shown{}, fmt.Errorf("no tag ends at %.20q", s)
		default:
			_, size := utf8.DecodeRuneInString(s)
			write(s[:size])
			s = s[size:]
		}
	}
	if len(stack) > 0 {
		return shown{}, fmt.Errorf("%q is left open", stack[len(stack)-1].tag)
	}
	out.text, out.own = text.String(), own.String()
	return out, nil
}

// faults lists what is wrong with a message, whatever it tells.
func faults(lang string, m screen.Message) []string {
	return append(textFaults(lang, m), keyboardFaults(m)...)
}

// textFaults lists what is wrong with a message's text.
func textFaults(lang string, m screen.Message) (all []string) {
	most := maxText
	if m.File != nil {
		most = maxCaption
	}
	s, err := read(m.HTML)
	switch n := utf8.RuneCountInString(s.text); {
	case err != nil:
		return []string{err.Error()}
	case blank(s.text):
		all = append(all, "the text is empty")
	case n > most || len(m.HTML) > maxRaw:
		all = append(all, fmt.Sprintf("the text is too long: %d characters", n))
	}
	if !utf8.ValidString(m.HTML) {
		all = append(all, "the text is not UTF-8")
	}
	for line := range strings.Lines(s.own) { // a code is shown as it came, whatever it holds
		outside, ok := outsideIsolates(line)
		if !ok {
			all = append(all, fmt.Sprintf("isolates do not pair in %q", line))
		}
		if lang == "ar" && strings.Contains(outside, ", ") {
			all = append(all, fmt.Sprintf("a comma of another script stands in %q", line))
		}
		if strange := strangers(outside); lang == "ar" && strange != nil {
			all = append(all, fmt.Sprintf("%q is not isolated in %q", strange, line))
		}
	}
	return all
}

// rightToLeft is what clients lay out from right to left: the first letter outside of isolates says so, or
// the mark that stands for one.
var rightToLeft = regexp.MustCompile(`^[^\p{L}]*[\x{200f}\p{Arabic}]`)

// leftToRight lists the lines of an Arabic message that clients lay out from left to right, so that what
// is isolated in them stands in the wrong order. A line of one thing alone has none.
func leftToRight(m screen.Message) (all []string) {
	s, err := read(m.HTML)
	if err != nil {
		return []string{err.Error()}
	}
	for line := range strings.Lines(s.own) {
		if outside, _ := outsideIsolates(line); !blank(outside) && !rightToLeft.MatchString(outside) {
			all = append(all, line)
		}
	}
	return all
}

// strayName is a line that some clients lay out from right to left: its first letter is an Arabic one, though in an isolate.
var strayName = regexp.MustCompile(`^[^\p{L}\x{200e}]*\p{Arabic}`)

// turnedAround lists the lines of a message in a language that runs from the left which begin with an Arabic name.
func turnedAround(m screen.Message) (all []string) {
	s, err := read(m.HTML)
	if err != nil {
		return []string{err.Error()}
	}
	for line := range strings.Lines(s.own) {
		if strayName.MatchString(line) {
			all = append(all, line)
		}
	}
	return all
}

// blank reports whether there is nothing to see.
func blank(s string) bool {
	return strings.TrimSpace(strings.NewReplacer(fsi, "", pdi, "", rlm, "", lrm, "", "\u200d", "", "\ufe0f", "").Replace(s)) == ""
}

// outsideIsolates is what of a line stands in no isolate; ok is false where they do not pair.
func outsideIsolates(line string) (outside string, ok bool) {
	var b strings.Builder
	depth := 0
	for _, r := range line {
		switch string(r) {
		case fsi:
			depth++
		case pdi:
			if depth--; depth < 0 {
				return "", false
			}
		default:
			if depth == 0 {
				b.WriteRune(r)
			}
		}
	}
	return b.String(), depth == 0
}

// run is something written from left to right.
var run = regexp.MustCompile(`[#+−-]*[0-9A-Za-z](?:[0-9A-Za-z.,:_/\x{a0}\x{202f}-]*[0-9A-Za-z])?`)

// alone is a number without parts that could fall out of order: a count, a day, a time of day.
var alone = regexp.MustCompile(`^[0-9]+(:[0-9]{2})?$`)

// strangers lists what is written from left to right in an Arabic text and is no part of the text itself.
func strangers(text string) (all []string) {
	own := arabic()
	for _, s := range run.FindAllString(text, -1) {
		if !alone.MatchString(s) && !own[s] {
			all = append(all, s)
		}
	}
	return all
}

// arabic is what the Arabic texts hold of their own that is written from left to right, and do not isolate.
var arabic = sync.OnceValue(func() map[string]bool {
	data, err := os.ReadFile("../../locales/ar.json")
	if err != nil {
		panic(err)
	}
	var texts any
	if err := json.Unmarshal(data, &texts); err != nil {
		panic(err)
	}
	own := map[string]bool{}
	filled := regexp.MustCompile(`\{\{[^}]*\}\}|</?[a-z]+>|\x{2068}[^\x{2069}]*\x{2069}`)
	var note func(v any)
	note = func(v any) {
		switch v := v.(type) {
		case string:
			for _, s := range run.FindAllString(filled.ReplaceAllString(v, " "), -1) {
				own[s] = true
			}
		case map[string]any:
			for _, inner := range v {
				note(inner)
			}
		}
	}
	note(texts)
	return own
})

// keyboardFaults lists what is wrong with a message's keyboard.
func keyboardFaults(m screen.Message) (all []string) {
	buttons, primary := 0, 0
	for _, row := range m.Keyboard {
		buttons += len(row)
		if len(row) == 0 || len(row) > maxInRow {
			all = append(all, fmt.Sprintf("a row has %d buttons", len(row)))
		}
		for _, b := range row {
			if b.Style == screen.Primary {
				primary++
			}
			for _, fault := range buttonFaults(b) {
				all = append(all, fmt.Sprintf("button %q: %s", b.Text, fault))
			}
		}
	}
	if primary > 1 {
		all = append(all, fmt.Sprintf("there are %d buttons of which each says that it is the next step", primary))
	}
	if buttons > maxButtons {
		all = append(all, fmt.Sprintf("there are %d buttons", buttons))
	}
	return all
}

// buttonFaults lists what is wrong with a button.
func buttonFaults(b screen.Button) (all []string) {
	outside, paired := outsideIsolates(b.Text)
	label := strings.NewReplacer(fsi, "", pdi, "").Replace(b.Text)
	switch {
	case !utf8.ValidString(b.Text) || !paired || strings.ContainsAny(outside, "\n\r\t"):
		all = append(all, "it is not one line of text")
	case blank(label):
		all = append(all, "it is empty")
	case utf8.RuneCountInString(label) > maxLabel:
		all = append(all, "it is too long")
	case strings.TrimSpace(label) != label:
		all = append(all, "it has space around it")
	}
	if strings.HasPrefix(label, "✅") != (b.Style == screen.Success) {
		all = append(all, "the ✅ that spends is green, and nothing else is")
	}
	does := 0
	for _, s := range []string{b.Data, b.Copy, b.URL} {
		if s != "" {
			does++
		}
	}
	if does != 1 {
		all = append(all, fmt.Sprintf("it does %d things", does))
	}
	if utf8.RuneCountInString(b.Copy) > maxCopied {
		all = append(all, "it copies too much")
	}
	a, ok := screen.ParseAction(b.Data)
	if b.Data != "" && (!ok || a.Data() != b.Data || len(b.Data) > maxData) {
		all = append(all, fmt.Sprintf("its data %q does not read back", b.Data))
	}
	if spends := a.Verb == screen.VerbConfirm || a.Verb == screen.VerbApprove || a.Verb == screen.VerbListConfirm || a.Verb == screen.VerbListApprove; spends != strings.HasPrefix(label, "✅") {
		all = append(all, fmt.Sprintf("it spends: %v, and looks otherwise", spends))
	}
	return all
}

// slips lists traces of mistakes in what is known to hold none.
func slips(m screen.Message) (all []string) {
	parts := []string{m.HTML}
	for _, row := range m.Keyboard {
		for _, b := range row {
			parts = append(parts, b.Text)
			if strings.Contains(b.Text, "&lt;") || strings.Contains(b.Text, "&#") {
				all = append(all, fmt.Sprintf("button %q is escaped, and is shown as it is", b.Text))
			}
			if strings.ContainsAny(b.Copy, fsi+pdi) {
				all = append(all, fmt.Sprintf("button %q copies marks that nobody sees", b.Text))
			}
		}
	}
	for _, s := range parts {
		if found := slip.FindString(s); found != "" {
			all = append(all, fmt.Sprintf("%q holds %q", s, found))
		}
	}
	return all
}

// slip is what Go leaves where something was not filled in, escaped twice, or the key of a text that is missing.
var slip = regexp.MustCompile(`%!|no value|\{\{|\}\}|&amp;(?:lt|gt|amp|#)|<nil>|\[secret\]|^[a-z]+\.[a-z_]+$| \n|  `)

// The checks themselves are tried, as those that never complain prove nothing.
func TestFaults(t *testing.T) {
	say := func(text string) screen.Message { return screen.Message{HTML: text} }
	with := func(buttons ...screen.Button) screen.Message {
		return screen.Message{HTML: "text", Keyboard: [][]screen.Button{buttons}}
	}
	home := screen.Button{Text: "Home", Data: "1:home"}
	for _, tc := range []struct {
		what    string
		lang    string
		message screen.Message
		want    string // in what is found; "" for nothing
	}{
		{"a good text", "ar", say("<b>الرصيد</b> &amp; " + fsi + "1\u202f234,50\u00a0د.ج" + pdi + ": 3 &#39;"), ""},
		{"as long as can be", "en", say("<b>" + strings.Repeat("🎮", maxText) + "</b>"), ""},
		{"too long", "en", say(strings.Repeat("a", maxText+1)), "too long"},
		{"too long raw", "en", say(strings.Repeat("<b></b>", maxRaw/7) + "abcdefgh"), "too long"},
		{"too long for a caption", "en", screen.Message{HTML: strings.Repeat("a", maxCaption+1), File: &screen.File{}}, "too long"},
		{"nothing to see", "en", say("<b>" + fsi + " " + pdi + "</b>"), "empty"},
		{"an unknown tag", "en", say("<h1>a</h1>"), "no tag"},
		{"an attribute", "en", say(`<b class="x">a</b>`), "no tag"},
		{"an unclosed sign", "en", say("a < b"), "no tag"},
		{"a loose sign", "en", say("a > b"), "no tag ends"},
		{"a loose ampersand", "en", say("a & b;"), "no reference"},
		{"an unknown reference", "en", say("a &nbsp; b"), "no reference"},
		{"crossed tags", "en", say("<b><i>a</b></i>"), "not open"},
		{"an open tag", "en", say("<b>a"), "left open"},
		{"an end alone", "en", say("a</b>"), "not open"},
		{"bytes", "en", say("a\xff"), "not UTF-8"},
		{"an open isolate", "fr", say("a" + fsi + "b\nc" + pdi), "do not pair"},
		{"a loose end of one", "fr", say("a" + pdi + fsi), "do not pair"},
		{"a name in Arabic", "ar", say("المنتج PUBG"), "not isolated"},
		{"an amount in Arabic", "ar", say("الرصيد: 1\u202f234,50"), "not isolated"},
		{"an amount in an Arabic block", "ar", say("<pre>المدفوع: 2 × 1\u202f234,50\u00a0د.ج</pre>"), "not isolated"},
		{"a comma in Arabic", "ar", say(fsi + "Sam" + pdi + ", مالك"), "comma"},
		{"a reference in Arabic", "ar", say("الطلب #123"), "not isolated"},
		{"its own words in Arabic", "ar", say("مفتاح API: " + fsi + "/cancel" + pdi), ""},
		{"a command in Arabic", "ar", say("أو /cancel"), "not isolated"},
		{"a code", "ar", say(fsi + "<code>" + pdi + fsi + "AB 12</code>" + pdi), ""},

		{"good buttons", "en", with(home, screen.Button{Text: "✅ Buy", Data: "1:confirm:A:b", Style: screen.Success}, screen.Button{Text: "Copy", Copy: "x"}), ""},
		{"a green button that is none", "en", with(home, screen.Button{Text: "Buy", Data: "1:buy", Style: screen.Success}), "green"},
		{"two next steps", "en", with(home, screen.Button{Text: "a", Data: "1:buy", Style: screen.Primary}, screen.Button{Text: "b", Data: "1:buy", Style: screen.Primary}), "the next step"},
		{"no buttons", "en", with(), "a row has 0"},
		{"a crowded row", "en", with(slices.Repeat([]screen.Button{home}, maxInRow+1)...), "a row has 9"},
		{"too many", "en", screen.Message{HTML: "text", Keyboard: slices.Repeat([][]screen.Button{{home}}, maxButtons+1)}, "101 buttons"},
		{"no label", "en", with(screen.Button{Text: fsi + "\u200d" + pdi, Data: "1:home"}), "empty"},
		{"a long label", "en", with(screen.Button{Text: strings.Repeat("a", maxLabel+1), Data: "1:home"}), "too long"},
		{"two lines", "en", with(screen.Button{Text: "a\nb", Data: "1:home"}), "one line"},
		{"space around", "en", with(screen.Button{Text: fsi + "a " + pdi, Data: "1:home"}), "space"},
		{"does nothing", "en", with(screen.Button{Text: "a"}), "does 0"},
		{"does two things", "en", with(screen.Button{Text: "a", Data: "1:home", URL: "https://example.com"}), "does 2"},
		{"copies too much", "en", with(screen.Button{Text: "a", Copy: strings.Repeat("a", maxCopied+1)}), "copies"},
		{"data of nobody", "en", with(screen.Button{Text: "a", Data: "home"}), "read back"},
		{"data too long", "en", with(screen.Button{Text: "a", Data: "1:home:" + strings.Repeat("a", maxData)}), "read back"},
		{"spends in secret", "en", with(screen.Button{Text: "Home", Data: "1:confirm:A:b"}), "spends"},
		{"looks as if it spent", "en", with(screen.Button{Text: fsi + "✅ Home" + pdi, Data: "1:home"}), "spends"},
	} {
		found := strings.Join(faults(tc.lang, tc.message), "; ")
		if found != "" != (tc.want != "") || !strings.Contains(found, tc.want) {
			t.Errorf("%s: found %q, want %q", tc.what, found, tc.want)
		}
	}
	name := fsi + "PUBG" + pdi
	for text, want := range map[string]int{
		"الطلب " + name: 0, "🎉 <b>الطلب</b>": 0, rlm + name + " · " + name: 0, name: 0, "الطلب\n\n<code>A</code>": 0,
		name + " · " + name: 1, "الطلب\n#" + name: 1, "/help – مساعدة": 1, "<b>" + name + "</b>: الطلب\nUC الطلب": 1,
	} {
		if found := leftToRight(say(text)); len(found) != want {
			t.Errorf("%q: found %q", text, found)
		}
	}
	arabic := fsi + "ياسين" + pdi
	for text, want := range map[string]int{
		"👤 " + arabic: 1, arabic + " · 2": 1, "Team\n" + arabic: 1, "Owner · " + arabic: 0, lrm + "👤 " + arabic: 0, "<code>رمز</code>": 0, "12 · " + lrm: 0,
	} {
		if found := turnedAround(say(text)); len(found) != want {
			t.Errorf("%q: found %q", text, found)
		}
	}
	for text, want := range map[string]bool{
		"Welcome, 100 % of it": false,
		"%!d(string=x)":        true, "&lt;no value&gt;": true, "{{.Name}}": true, "a &amp;lt; b": true, "status.queued": true, "[secret]": true, "a  b": true,
	} {
		if found := slips(say(text)); found != nil != want {
			t.Errorf("%q: found %q", text, found)
		}
	}
	if slips(with(screen.Button{Text: "a &lt; b"})) == nil {
		t.Error("an escaped label went by")
	}
	if slips(with(screen.Button{Text: "a", Copy: fsi + "b" + pdi})) == nil {
		t.Error("a copy with marks went by")
	}
}

package screen_test

import (
	"regexp"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"pgregory.net/rapid"

	"resellerbot/internal/api/dzd"
	"resellerbot/internal/screen"
	"resellerbot/internal/store"
	"resellerbot/locales"
)

// TestAmount: ⍽ stands for a narrow no-break space, ⎵ for a no-break space. A plain one would let Arabic
// show the groups in the wrong order.
func TestAmount(t *testing.T) {
	all := printers(t)
	for amount, want := range map[string]map[string]string{
		"0":                 {"ar": "0⎵د.ج", "fr": "0⎵DA", "en": "DZD⎵0"},
		"7":                 {"ar": "7⎵د.ج", "fr": "7⎵DA", "en": "DZD⎵7"},
		"999":               {"ar": "999⎵د.ج", "fr": "999⎵DA", "en": "DZD⎵999"},
		"1000":              {"ar": "1⍽000⎵د.ج", "fr": "1⍽000⎵DA", "en": "DZD⎵1,000"},
		"1234.5":            {"ar": "1⍽234,50⎵د.ج", "fr": "1⍽234,50⎵DA", "en": "DZD⎵1,234.50"},
		"0.05":              {"ar": "0,05⎵د.ج", "fr": "0,05⎵DA", "en": "DZD⎵0.05"},
		"1250.505":          {"ar": "1⍽250,505⎵د.ج", "fr": "1⍽250,505⎵DA", "en": "DZD⎵1,250.505"},
		"123456":            {"ar": "123⍽456⎵د.ج", "fr": "123⍽456⎵DA", "en": "DZD⎵123,456"},
		"999999999999.9999": {"ar": "999⍽999⍽999⍽999,9999⎵د.ج", "fr": "999⍽999⍽999⍽999,9999⎵DA", "en": "DZD⎵999,999,999,999.9999"},
		"-1234.5":           {"fr": "−1⍽234,50⎵DA", "en": "DZD⎵−1,234.50"},
	} {
		for lang, want := range want {
			p, _ := all.For(lang)
			want = strings.NewReplacer("⍽", "\u202f", "⎵", "\u00a0").Replace(want)
			if got := p.Amount(dzd.Must(amount)); got != want {
				t.Errorf("%s: %s is written %q, want %q", lang, amount, got, want)
			}
		}
	}
}

// TestAmountsReadBack: no digit is lost, added or moved, in any language.
func TestAmountsReadBack(t *testing.T) {
	all := printers(t)
	rapid.Check(t, func(rt *rapid.T) {
		want := dzd.Int(rapid.Int64Range(-999_999_999_999, 999_999_999_999).Draw(rt, "dinars")).
			Add(dzd.Must(rapid.StringMatching(`0\.[0-9]{1,4}`).Draw(rt, "fraction")))
		for _, lang := range locales.Languages() {
			p, _ := all.For(lang)
			text := p.Amount(want)
			plain := strings.NewReplacer("\u202f", "", ",", ".", "−", "-", "\u00a0", "", "DA", "", "د.ج", "", "DZD", "")
			if lang == "en" {
				plain = strings.NewReplacer(",", "", "−", "-", "\u00a0", "", "DZD", "")
			}
			got, err := dzd.Parse(regexp.MustCompile("[\u2066-\u2069\u200e]").ReplaceAllString(plain.Replace(text), ""))
			if err != nil || !got.Equal(want) {
				rt.Fatalf("%s: %s is written %q, which reads %s, %v", lang, want, text, got, err)
			}
		}
	})
}

func TestTime(t *testing.T) {
	all := printers(t)
	for lang, want := range map[string][12]string{
		"ar": {"جانفي", "فيفري", "مارس", "أفريل", "ماي", "جوان", "جويلية", "أوت", "سبتمبر", "أكتوبر", "نوفمبر", "ديسمبر"},
		"fr": {"janv.", "févr.", "mars", "avr.", "mai", "juin", "juil.", "août", "sept.", "oct.", "nov.", "déc."},
		"en": {"Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"},
	} {
		p, _ := all.For(lang)
		for m, name := range want {
			// Half past eleven in the evening in London is the next day in Algiers.
			at := time.Date(2025, time.Month(m+1), 9, 23, 30, 0, 0, time.UTC)
			on := map[string]string{"ar": " على الساعة", "fr": " à", "en": ""}[lang]
			if got := p.At(at).Time(at); got != "10 "+name+on+" 00:30" {
				t.Errorf("%s: %v is written %q", lang, at, got)
			}
			if got := p.At(at.AddDate(1, 0, 0)).Time(at); got != "10 "+name+" 2025"+on+" 00:30" {
				t.Errorf("%s: %v of another year is written %q", lang, at, got)
			}
		}
	}
}

// TestNames: what comes from outside is one line, cut, isolated, and without what steers direction.
func TestNames(t *testing.T) {
	p, _ := printers(t).For("en")
	for name, want := range map[string]string{
		"PUBG Mobile":                   "PUBG Mobile",
		"  PUBG \t\r\n Mobile\u2028x ":  "PUBG Mobile x",
		"a\u202eb\u2066c\u2069d\u200fe": "abcde",
		"\ufeffa\u061cb\u200bc\x00d":    "abcd",
		"a\xffb\ufffdc":                 "abc",
		"👨\u200d👩\u200d👧 ❤\ufe0f":       "👨\u200d👩\u200d👧 ❤\ufe0f",
		`<b>&"'`:                        "&lt;b&gt;&amp;&#34;&#39;",
		strings.Repeat("é", 64):         strings.Repeat("é", 64),
		strings.Repeat("é", 65):         strings.Repeat("é", 63) + "…",
		strings.Repeat("a ", 300):       strings.TrimSuffix(strings.Repeat("a ", 32), " ") + "…",
	} {
		m := p.Catalogue().Products(nil, 0, name)
		if !strings.Contains(m.HTML, "<b>"+fsi+want+pdi+"</b>") {
			t.Errorf("%q is shown in %q, want %q", name, m.HTML, want)
		}
	}
}

// TestNamesOnButtons: a button shows at least the first 24 characters of a name as they came.
func TestNamesOnButtons(t *testing.T) {
	p, _ := printers(t).For("ar")
	name := strings.Repeat("PUBG Mobile – ببجي <&> ", 10)
	want := string([]rune(name)[:24])
	product := pubg()
	product.Name, product.Variants[0].Name = name, name
	for screenOf, m := range map[string]screen.Message{"Products": p.Catalogue().Products(append(catalogue(2), product), 0, ""), "Variants": p.Catalogue().Variants(product, 0)} {
		found := false
		for _, row := range m.Keyboard {
			found = found || strings.Contains(row[0].Text, want)
		}
		if !found {
			t.Errorf("%s has no button with %q:\n%s", screenOf, want, picture(m))
		}
	}
}

// TestToasts: Telegram shows 200 characters, as they are.
func TestToasts(t *testing.T) {
	all := printers(t)
	for _, lang := range locales.Languages() {
		p, _ := all.For(lang)
		seen := map[string]screen.Toast{}
		for _, toast := range []screen.Toast{screen.ToastStale, screen.ToastWorking, screen.ToastNotYours, screen.ToastAlreadyDone, screen.ToastVoid, screen.ToastSoldOut, screen.ToastOtherAccount, screen.ToastTooFast, screen.ToastClosed,
			screen.ToastLooked, screen.ToastNews, screen.ToastUnanswered, screen.ToastLookedSoon} {
			text := p.Failures().Toast(toast)
			if other, twice := seen[text]; twice || blank(text) || utf8.RuneCountInString(text) > 200 || strings.ContainsAny(text, "<>&\n") {
				t.Errorf("%s: toast %s is %q (%s)", lang, toast, text, other)
			}
			seen[text] = toast
		}
		if got := p.Failures().Toast("of a kind to come"); got != p.Failures().Toast(screen.ToastStale) {
			t.Errorf("%s: an unknown toast is %q", lang, got)
		}
	}
}

// TestCommands: Telegram refuses the whole menu where one entry is not to its taste.
func TestCommands(t *testing.T) {
	promised := strings.Fields("start help key buy topup orders balance stock alias prices customers kridi today week month report close alerts team lock language cancel privacy forget")
	form := regexp.MustCompile(`^[a-z0-9_]{1,32}$`)
	all := printers(t)
	for _, lang := range locales.Languages() {
		p, _ := all.For(lang)
		seen := map[string]bool{}
		for _, c := range p.Home().Commands(store.Owner, false, false) {
			if !form.MatchString(c.Name) || seen[c.Name] || !strings.Contains(" "+strings.Join(promised, " ")+" ", " "+c.Name+" ") {
				t.Errorf("%s: command %q", lang, c.Name)
			}
			if n := utf8.RuneCountInString(c.Description); n < 3 || n > 256 || strings.ContainsAny(c.Description, "<>&\n") {
				t.Errorf("%s: /%s is described %q", lang, c.Name, c.Description)
			}
			seen[c.Name] = true
		}
		if !seen["start"] || !seen["cancel"] || !seen["privacy"] || !seen["forget"] {
			t.Errorf("%s: the menu is %v", lang, seen)
		}
	}
}

func TestPrinters(t *testing.T) {
	all := printers(t)
	for _, lang := range locales.Languages() {
		if p, ok := all.For(lang); !ok || p.Home().Cancelled().HTML == "" {
			t.Errorf("there is no printer for %s", lang)
		}
	}
	english, _ := all.For("en")
	if p, ok := all.For("de"); ok || p.Home().Cancelled().HTML != english.Home().Cancelled().HTML {
		t.Errorf("German says %q, is ours: %v", p.Home().Cancelled().HTML, ok)
	}
	if got := all.Match("ar-DZ", "fr") + all.Match("de", "fr"); got != "arfr" {
		t.Errorf("ar-DZ and de are answered in %s", got)
	}
}

// TestNamed: an answer about a question is none about another one: where a team ends by it, where there is another owner no more, and where
// something else is uncertain or waits.
func TestNamed(t *testing.T) {
	seen := map[string]int{}
	for i, v := range []screen.EndsView{
		{Leaves: true}, {Team: 3}, {Place: &store.Place{}}, {Leaves: true, Unsent: 1}, {Unsent: 1}, {Uncertain: []store.Purchase{{ID: "p1"}}}, {Uncertain: []store.Purchase{{ID: "p2"}}},
	} {
		if other, is := seen[v.Named()]; is {
			t.Errorf("%+v is named as question %d", v, other)
		}
		seen[v.Named()] = i
	}
	if a, b := (screen.EndsView{Team: 3, Waiting: 1}), (screen.EndsView{Team: 4}); a.Named() != b.Named() {
		t.Error("what changes nothing of the answer has it asked for again")
	}
}

package locales

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"golang.org/x/text/unicode/norm"
)

// forms are the plural forms of each language, as CLDR has them, each with numbers that take it.
var forms = map[string]map[string][]int{
	"ar": {"zero": {0}, "one": {1}, "two": {2}, "few": {3, 10, 103, 110}, "many": {11, 99, 111}, "other": {100, 101, 102, 200, 1000}},
	"fr": {"one": {0, 1}, "many": {1_000_000, 3_000_000}, "other": {2, 11, 100, 1_000_001}},
	"en": {"one": {1}, "other": {0, 2, 11, 101}},
}

// text is one entry of a language's file, by plural form; a text without any stands under "other".
type text struct {
	forms  map[string]string
	plural bool
}

// names lists the placeholders of all forms, each once.
func (x text) names() []string {
	var all []string
	for _, form := range x.forms {
		all = append(all, placeholders(form)...)
	}
	slices.Sort(all)
	return slices.Compact(all)
}

var placeholder = regexp.MustCompile(`\{\{\.([A-Z][A-Za-z]*)\}\}`)

// placeholders lists the placeholders of one form, each once and in order.
func placeholders(form string) []string {
	var names []string
	for _, m := range placeholder.FindAllStringSubmatch(form, -1) {
		names = append(names, m[1])
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// read reads a language's file.
func read(t *testing.T, lang string) map[string]text {
	t.Helper()
	data, err := files.ReadFile(lang + ".json")
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]text{}
	for key, raw := range object(t, lang, data) {
		x := text{forms: map[string]string{}, plural: raw[0] == '{'}
		parts := map[string]json.RawMessage{"other": raw}
		if x.plural {
			parts = object(t, lang+" "+key, raw)
		}
		for form, raw := range parts {
			var s string
			if err := json.Unmarshal(raw, &s); err != nil {
				t.Fatalf("%s: %s: %v", lang, key, err)
			}
			x.forms[form] = s
		}
		all[key] = x
	}
	return all
}

// object reads a JSON object in which no key may stand twice: the last one would win in silence.
func object(t *testing.T, where string, data []byte) map[string]json.RawMessage {
	t.Helper()
	all := map[string]json.RawMessage{}
	dec := json.NewDecoder(bytes.NewReader(data))
	if _, err := dec.Token(); err != nil {
		t.Fatalf("%s: %v", where, err)
	}
	for dec.More() {
		key, err := dec.Token()
		if err != nil {
			t.Fatalf("%s: %v", where, err)
		}
		var value json.RawMessage
		if err := dec.Decode(&value); err != nil {
			t.Fatalf("%s: %v: %v", where, key, err)
		}
		if _, twice := all[key.(string)]; twice {
			t.Errorf("%s: %v stands twice", where, key)
		}
		all[key.(string)] = value
	}
	return all
}

// each looks at every text in every form.
func each(t *testing.T, look func(lang, key, form string) (problem string)) {
	t.Helper()
	for _, lang := range Languages() {
		for key, x := range read(t, lang) {
			for name, form := range x.forms {
				if problem := look(lang, key, form); problem != "" {
					t.Errorf("%s: %s (%s) %s: %q", lang, key, name, problem, form)
				}
			}
		}
	}
}

// load reads the texts the way the program does.
func load(t *testing.T) *Catalogue {
	t.Helper()
	c, err := Load()
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestSameKeysInAllLanguages(t *testing.T) {
	want := slices.Sorted(maps.Keys(read(t, "en")))
	for _, lang := range Languages() {
		got := slices.Sorted(maps.Keys(read(t, lang)))
		for _, key := range want {
			if !slices.Contains(got, key) {
				t.Errorf("%s lacks %s", lang, key)
			}
		}
		for _, key := range got {
			if !slices.Contains(want, key) {
				t.Errorf("%s has %s, which English has not", lang, key)
			}
		}
	}
}

func TestSamePlaceholdersInAllLanguages(t *testing.T) {
	english := read(t, "en")
	for _, lang := range Languages() {
		for key, x := range read(t, lang) {
			if got, want := x.names(), english[key].names(); !slices.Equal(got, want) {
				t.Errorf("%s: %s fills %q, English %q", lang, key, got, want)
			}
		}
	}
}

// TestFormsFillTheSame: a form may leave out the count only where it stands for a single one. French says
// "one" of 0 and of 1.
func TestFormsFillTheSame(t *testing.T) {
	for lang, single := range map[string][]string{"ar": {"zero", "one", "two"}, "fr": nil, "en": {"one"}} {
		for key, x := range read(t, lang) {
			for name, form := range x.forms {
				got, want := placeholders(form), x.names()
				if slices.Contains(single, name) && !slices.Contains(got, "N") {
					want = slices.DeleteFunc(want, func(s string) bool { return s == "N" })
				}
				if !slices.Equal(got, want) {
					t.Errorf("%s: %s (%s) fills %q, want %q", lang, key, name, got, want)
				}
			}
		}
	}
}

func TestPluralForms(t *testing.T) {
	english := read(t, "en")
	for _, lang := range Languages() {
		want := slices.Sorted(maps.Keys(forms[lang]))
		for key, x := range read(t, lang) {
			if x.plural != english[key].plural {
				t.Errorf("%s: %s counts: %v; in English: %v", lang, key, x.plural, english[key].plural)
			}
			if got := slices.Sorted(maps.Keys(x.forms)); x.plural && !slices.Equal(got, want) {
				t.Errorf("%s: %s has the forms %q, want %q", lang, key, got, want)
			}
			if _, counts := slices.BinarySearch(x.names(), "N"); counts != x.plural {
				t.Errorf("%s: %s shows a count: %v, has forms for it: %v", lang, key, counts, x.plural)
			}
		}
	}
}

// TestNumbersTakeTheirForm prints every text that counts with numbers of every form.
func TestNumbersTakeTheirForm(t *testing.T) {
	texts := load(t)
	bare := strings.NewReplacer("\u2068", "", "\u2069", "")
	for _, lang := range Languages() {
		for key, x := range read(t, lang) {
			if !x.plural {
				continue
			}
			for form, numbers := range forms[lang] {
				for _, n := range numbers {
					want := bare.Replace(strings.ReplaceAll(x.forms[form], "{{.N}}", strconv.Itoa(n)))
					if got := bare.Replace(texts.For(lang).N(key, n, nil)); got != want {
						t.Errorf("%s: %s of %d is %q, want %q", lang, key, n, got, want)
					}
				}
			}
		}
	}
}

// TestTextsAreTidy: nothing is empty, and nothing is there that nobody sees, but for isolates.
func TestTextsAreTidy(t *testing.T) {
	untidy := regexp.MustCompile(`[\x{200b}-\x{200f}\x{202a}-\x{202e}\x{2060}-\x{2067}\x{206a}-\x{206f}\x{feff}\x{061c}]|\t|\r|\p{Zs}\n|\n\p{Zs}|\n{3}|\p{Zs}{2}|<no value>|%!`)
	each(t, func(_, _, form string) string {
		switch {
		case strings.TrimSpace(form) == "":
			return "is empty"
		case strings.TrimSpace(form) != form:
			return "has space around it"
		case !norm.NFC.IsNormalString(form):
			return "has letters in pieces (it is not NFC)"
		case strings.Count(form, "\u2068") != strings.Count(form, "\u2069"):
			return "has an isolate without an end"
		}
		if found := untidy.FindString(form); found != "" {
			return fmt.Sprintf("holds %q", found)
		}
		if rest := placeholder.ReplaceAllString(form, ""); strings.ContainsAny(rest, "{}") {
			return "has a brace that is no placeholder's"
		}
		return ""
	})
}

// TestPunctuationIsTheLanguages lists what would be a slip in a language's texts.
func TestPunctuationIsTheLanguages(t *testing.T) {
	slips := map[string]map[string]*regexp.Regexp{
		"ar": {
			"punctuation that Arabic has its own of":  regexp.MustCompile(`[?,;]`),
			"other digits than those of the amounts":  regexp.MustCompile(`[٠-٩۰-۹]`),
			"an arrow against the reading direction":  regexp.MustCompile(`→`),
			"a letter of Persian that looks the same": regexp.MustCompile(`[یک]`),
			"a stretched letter":                      regexp.MustCompile(`ـ\p{L}`),
		},
		"fr": {
			"Arabic":                             regexp.MustCompile(`\p{Arabic}`),
			"an arrow against the direction":     regexp.MustCompile(`←`),
			"no space before double punctuation": regexp.MustCompile(`[^\s\x{a0}\x{202f}][:;?!](?:\s|$)`),
			"a space before single punctuation":  regexp.MustCompile(`\s[.,…]`),
			"English quotation marks":            regexp.MustCompile(`["“”]`),
			"another apostrophe than the rest":   regexp.MustCompile(`’`),
		},
		"en": {
			"Arabic":                         regexp.MustCompile(`\p{Arabic}`),
			"an arrow against the direction": regexp.MustCompile(`←`),
			"a space before punctuation":     regexp.MustCompile(`\s[.,:;?!…]`),
		},
	}
	markup := regexp.MustCompile(`</?[a-z]+>|&[a-z0-9#]+;`)
	each(t, func(lang, _, form string) string {
		form = markup.ReplaceAllString(placeholder.ReplaceAllString(form, "0"), "")
		for slip, pattern := range slips[lang] {
			if found := pattern.FindString(form); found != "" {
				return fmt.Sprintf("has %s: %q", slip, found)
			}
		}
		return ""
	})
}

// TestCommandsAreIsolated: between letters that run from right to left a stroke would stand behind its command.
func TestCommandsAreIsolated(t *testing.T) {
	bare := regexp.MustCompile(`(?:^|[^\x{2068}<a-z])/[a-z]+`)
	each(t, func(lang, _, form string) string {
		if found := bare.FindString(form); lang == "ar" && found != "" {
			return fmt.Sprintf("has a command that is not isolated: %q", found)
		}
		return ""
	})
}

// plain are the families of texts that Telegram shows as they are, without reading markup.
var plain = regexp.MustCompile(`^(button|command|toast|month|account)\.`)

func TestMarkupIsBalanced(t *testing.T) {
	each(t, func(_, key, form string) string {
		if plain.MatchString(key) {
			if strings.ContainsAny(form, "<>&") {
				return "has markup, and is shown as it is"
			}
			return ""
		}
		return unbalanced(form)
	})
}

var (
	tag       = regexp.MustCompile(`<(/?)(b|i|u|s|code)>`)
	reference = regexp.MustCompile(`&(amp|lt|gt|quot);`)
)

// unbalanced is what is wrong with the markup of a text, "" where nothing is.
func unbalanced(form string) string {
	var open []string
	for _, m := range tag.FindAllStringSubmatch(form, -1) {
		n := len(open)
		switch {
		case m[1] == "":
			open = append(open, m[2])
		case n == 0 || open[n-1] != m[2]:
			return "closes " + m[2] + ", which is not open"
		default:
			open = open[:n-1]
		}
	}
	if len(open) > 0 {
		return fmt.Sprintf("leaves %q open", open)
	}
	if rest := reference.ReplaceAllString(tag.ReplaceAllString(form, ""), ""); strings.ContainsAny(rest, "<>&") {
		return "has a sign that is neither tag nor reference"
	}
	return ""
}

// The check itself is tried, as one that never complains proves nothing.
func TestUnbalanced(t *testing.T) {
	for form, want := range map[string]bool{
		"<b>a</b> &amp; b": false, "<b><i>a</i></b>": false,
		"<b>a": true, "a</b>": true, "<b><i>a</b></i>": true, "<h1>a</h1>": true, "a & b": true, "a < b": true, "<b >a</b>": true,
	} {
		if got := unbalanced(form); got != "" != want {
			t.Errorf("%q: %q", form, got)
		}
	}
}

// TestTextsAreFilled prints every text: a string is escaped, and every placeholder filled.
func TestTextsAreFilled(t *testing.T) {
	texts := load(t)
	for _, lang := range Languages() {
		for key, x := range read(t, lang) {
			args := Args{}
			for _, name := range x.names() {
				args[name] = "<" + name + ` & "co">`
			}
			got := texts.For(lang).T(key, args)
			if x.plural {
				delete(args, "N")
				got = texts.For(lang).N(key, 1000, args)
			}
			if strings.Contains(got, "<no value>") || strings.Contains(got, "{{") || got == key {
				t.Errorf("%s: %s is printed as %q", lang, key, got)
			}
			for name := range args {
				if want := "&lt;" + name + " &amp; &#34;co&#34;&gt;"; !strings.Contains(got, want) {
					t.Errorf("%s: %s lacks its %s: %q", lang, key, name, got)
				}
			}
		}
	}
}

func TestHTMLIsTakenAsItIs(t *testing.T) {
	got := load(t).For("en").T("welcome.new", Args{"Name": HTML("<i>&amp;</i>")})
	if !strings.HasPrefix(got, "<b>Welcome, <i>&amp;</i></b>") {
		t.Errorf("printed %q", got)
	}
}

// TestMissingKeyShows: people see that something is amiss, and which text it is, rather than nothing.
func TestMissingKeyShows(t *testing.T) {
	p := load(t).For("fr")
	if got := p.T("no.such_key", nil); got != "no.such_key" {
		t.Errorf("T gives %q", got)
	}
	if got := p.N("no.such_key", 2, nil); got != "no.such_key" {
		t.Errorf("N gives %q", got)
	}
}

func TestLanguages(t *testing.T) {
	texts := load(t)
	for code, want := range map[string]string{
		"ar": "ar", "ar-DZ": "ar", "AR": "ar", "fr": "fr", "fr-CA": "fr", "en": "en", "en-US": "en", "EN-gb": "en",
		"": "??", "de": "??", "pt-br": "??", "arz": "??", "f": "??", "-fr": "??",
	} {
		if got := texts.Match(code, "??"); got != want {
			t.Errorf("Match(%q) = %s, want %s", code, got, want)
		}
	}
	for lang, want := range map[string]string{"ar": "ar", "fr": "fr", "en": "en", "": "en", "de": "en"} {
		p := texts.For(lang)
		if p.Lang() != want || p.RTL() != (want == "ar") {
			t.Errorf("For(%q) is %s, from right to left: %v", lang, p.Lang(), p.RTL())
		}
	}
}

// TestPrintersAreShared: chats side by side print with the same printer, which reads its templates when
// they are first used.
func TestPrintersAreShared(t *testing.T) {
	texts := load(t)
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for n := range 20 {
				want := fmt.Sprintf("⏳ %d purchases in progress", n+2)
				if got := texts.For("en").N("welcome.waiting", n+2, nil); got != want {
					t.Errorf("printed %q, want %q", got, want)
				}
				if got := texts.For("ar").T("status.order", Args{"Ref": n}); got != fmt.Sprintf("الطلب %d", n) {
					t.Errorf("printed %q", got)
				}
			}
		})
	}
	wg.Wait()
}

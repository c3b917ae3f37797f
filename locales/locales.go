// Package locales holds every text that people see, in Arabic, French and English, and fills them in.
//
// Texts are Telegram HTML. What is filled in is escaped, unless it is HTML already.
package locales

import (
	"embed"
	"encoding/json"
	"fmt"
	"html"
	"maps"
	"strings"

	"github.com/nicksnyder/go-i18n/v2/i18n"
	"golang.org/x/text/language"
)

//go:embed ar.json fr.json en.json
var files embed.FS

// Args fills the placeholders of a text by name. Strings are escaped; HTML is taken as it is.
type Args map[string]any

// HTML is text that is escaped already.
type HTML string

// Languages are the languages there are.
func Languages() []string { return []string{"ar", "fr", "en"} }

// Catalogue is all texts in all languages.
type Catalogue struct{ printers map[string]*Printer }

// Printer is the texts in one language. It can be used from several goroutines.
type Printer struct {
	lang      string
	localizer *i18n.Localizer
	fixed     map[string]string // texts without placeholders
}

// Load reads the texts, which are part of the program.
func Load() (*Catalogue, error) {
	bundle := i18n.NewBundle(language.English)
	c := &Catalogue{printers: map[string]*Printer{}}
	for _, lang := range Languages() {
		p, err := readTexts(bundle, lang)
		if err != nil {
			return nil, fmt.Errorf("read the texts in %s: %w", lang, err)
		}
		c.printers[lang] = p
	}
	return c, nil
}

// readTexts reads the texts in one language. Only those that are filled in go into the bundle: it keeps several times as much of each as the text
// has letters, all of which the garbage collector has to scan.
func readTexts(bundle *i18n.Bundle, lang string) (*Printer, error) {
	text, err := files.ReadFile(lang + ".json")
	if err != nil {
		return nil, err
	}
	file, err := i18n.ParseMessageFileBytes(text, lang+".json", map[string]i18n.UnmarshalFunc{"json": json.Unmarshal})
	if err != nil {
		return nil, err
	}
	p := &Printer{lang: lang, fixed: map[string]string{}, localizer: i18n.NewLocalizer(bundle, lang)}
	var filled []*i18n.Message
	for _, m := range file.Messages {
		if m.One+m.Two+m.Few+m.Many+m.Zero == "" && !strings.Contains(m.Other, "{{") {
			p.fixed[m.ID] = m.Other
		} else {
			filled = append(filled, m)
		}
	}
	return p, bundle.AddMessages(file.Tag, filled...)
}

// For is the texts in a language, in English where it is none of ours.
func (c *Catalogue) For(lang string) *Printer {
	if p := c.printers[lang]; p != nil {
		return p
	}
	return c.printers["en"]
}

// Match is our language for a language code of Telegram's, an IETF tag such as "ar-DZ", or fallback.
func (c *Catalogue) Match(code, fallback string) string {
	base, _, _ := strings.Cut(strings.ToLower(code), "-")
	if _, ok := c.printers[base]; ok {
		return base
	}
	return fallback
}

// Lang is the language's code.
func (p *Printer) Lang() string { return p.lang }

// RTL reports whether the language is written from right to left.
func (p *Printer) RTL() bool { return p.lang == "ar" }

// T is the text of a key with its placeholders filled.
func (p *Printer) T(key string, args Args) string {
	if s, ok := p.fixed[key]; ok {
		return s
	}
	return p.localize(key, args, nil)
}

// N is the text of a key in the plural form for n, which it may show as {{.N}}.
func (p *Printer) N(key string, n int, args Args) string {
	if s, ok := p.fixed[key]; ok {
		return s
	}
	filled := Args{"N": n}
	maps.Copy(filled, args)
	return p.localize(key, filled, n)
}

// localize fills a text. A key or form that is missing, which the tests of this package rule out, shows
// as its key rather than as nothing.
func (p *Printer) localize(key string, args Args, count any) string {
	data := make(map[string]any, len(args))
	for k, v := range args {
		if s, ok := v.(string); ok {
			v = html.EscapeString(s)
		}
		data[k] = v
	}
	s, err := p.localizer.Localize(&i18n.LocalizeConfig{MessageID: key, TemplateData: data, PluralCount: count})
	if err != nil {
		return key
	}
	return s
}

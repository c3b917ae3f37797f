package screen

import (
	"cmp"
	"time"

	"resellerbot/internal/api"
	"resellerbot/internal/pricing"
	"resellerbot/internal/store"
	"resellerbot/locales"
)

// Printer renders screens in one language, for one reader. It holds what all of them share: texts, formats, who reads and
// when. The screens themselves are made by its parts, each of which is about one thing (see screens.go).
// It is copied by each part and each change: what one has set ends with it. Whether an amount that was paid may be shown is said by
// hidesCost for a purchase, and else by costless and asked: whatever shows one asks there.
type Printer struct {
	texts     *locales.Printer
	zone      *time.Location
	reader    Reader
	forbidden bool           // to buy, whoever it is shown to
	costless  bool           // what was paid for anything is not shown
	locked    *store.Lock    // all spending is stopped; nil where it is not, or what is shown spends nothing
	user      int64          // who reads, where that is one person; 0 for none
	now       time.Time      // when it is read; zero where that is not known
	asOf      time.Time      // when the catalogue on the screen was read; zero where that was just now
	own       *pricing.Quote // what the shop sells the item on the screen for; nil where it has not said
	asks      *pricing.Rules // what the shop asks stands in the place of what things cost; nil where the cost is shown

	elsewhere map[string]*pricing.Rules // the same of other shops, by account, for what was bought there; never changed in place

	boughtFor string                // the name of the customer whom the purchase on the screen is for; empty where nobody is named
	trade     *store.Trade          // what the shop makes of the purchase on the screen; nil where that is not known
	called    map[api.Family]string // what the service calls its families, where that is known
}

// New makes a printer for a language. Times are shown in zone.
func New(texts *locales.Catalogue, lang string, zone *time.Location) Printer {
	return Printer{texts: texts.For(lang), zone: zone}
}

// At is the printer for screens that are read at a time.
func (p Printer) At(now time.Time) Printer {
	// p is a copy: the printer that it was taken of stays as it was, here and in all that follows it.
	p.now = now
	return p
}

// Locked is the printer for what spends, of an account whose spending may be stopped.
func (p Printer) Locked(l *store.Lock) Printer {
	p.locked = l
	return p
}

// AsOf is the printer for a catalogue that was read at a time, and cannot be read now.
func (p Printer) AsOf(at time.Time) Printer {
	p.asOf = at
	return p
}

// RTL reports whether tables of the language begin on the right.
func (p Printer) RTL() bool { return p.texts.RTL() }

// Comma reports whether decimals stand behind a comma.
func (p Printer) Comma() bool { return p.texts.Lang() != "en" }

// aged says when the catalogue was read, where that was not just now.
func (p Printer) aged() string {
	if p.asOf.IsZero() {
		return ""
	}
	return p.t("catalogue.as_of", locales.Args{"Time": locales.HTML(isolate(p.shortTime(p.asOf)))})
}

// Printers renders screens in every language there is.
type Printers struct {
	texts  *locales.Catalogue
	byLang map[string]Printer
}

// Load makes the printers of all languages.
func Load(zone *time.Location) (Printers, error) {
	texts, err := locales.Load()
	if err != nil {
		return Printers{}, err
	}
	return Of(texts, zone), nil
}

// Of makes the printers of all languages from texts that are loaded.
func Of(texts *locales.Catalogue, zone *time.Location) Printers {
	p := Printers{texts: texts, byLang: map[string]Printer{}}
	for _, lang := range locales.Languages() {
		p.byLang[lang] = New(texts, lang, zone)
	}
	return p
}

// Calling is the printers where families of the service go by names of its own.
func (p Printers) Calling(names map[api.Family]string) Printers {
	// The printers are shared by all that run: names that become known make new ones, and change none.
	all := map[string]Printer{}
	for lang, printer := range p.byLang {
		printer.called = names
		all[lang] = printer
	}
	return Printers{texts: p.texts, byLang: all}
}

// family is what the service calls one of its families.
func (p Printer) family(f api.Family) locales.Args {
	common := map[api.Family]string{api.Arena: "Arena", api.BattleRoyale: "Battle Royale"}
	return locales.Args{"Name": locales.HTML(isolate(cmp.Or(p.called[f], common[f])))} // letters and digits alone: nothing to escape
}

// For is the printer for a language; ok is false, and the printer English, where it is none of ours.
func (p Printers) For(lang string) (printer Printer, ok bool) {
	if printer, ok = p.byLang[lang]; ok {
		// Each update and each message is rendered with a printer of its own: its time is that of the rendering.
		return printer.At(time.Now()), true
	}
	return p.byLang["en"].At(time.Now()), false
}

// Match is our language for a language code of Telegram's, or fallback.
func (p Printers) Match(code, fallback string) string { return p.texts.Match(code, fallback) }

// plain is a text with its placeholders filled, as a button or a list shows it.
func (p Printer) plain(key string, args locales.Args) string { return p.texts.T(key, args) }

// t is a text with its placeholders filled, for a message.
func (p Printer) t(key string, args locales.Args) string { return p.direct(p.texts.T(key, args)) }

// counted is a text in the plural form for n, as a button shows it.
func (p Printer) counted(key string, n int) string { return p.texts.N(key, n, nil) }

// button is a key of the keyboard that does something.
func (p Printer) button(key string, a Action) Button {
	return p.buttonWith(key, nil, a)
}

// buttonWith is a key of the keyboard whose words have placeholders.
func (p Printer) buttonWith(key string, args locales.Args, a Action) Button {
	// The words are not marked with direct: on a button, clients take the direction of the words alone.
	return Button{Text: p.plain(key, args), Data: a.Data(), Style: styleOf(key)}
}

// row is a row of a keyboard.
func row(buttons ...Button) []Button { return buttons }

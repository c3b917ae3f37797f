package screen

import (
	"html"
	"strconv"
	"strings"
	"time"
	"unicode"

	"resellerbot/internal/api/dzd"
	"resellerbot/internal/ledger"
	"resellerbot/internal/secret"
	"resellerbot/locales"
)

const (
	fsi        = "\u2068" // first strong isolate: what follows finds its own direction
	pdi        = "\u2069"
	rlm        = "\u200f" // right-to-left mark
	lrm        = "\u200e" // left-to-right mark
	group      = "\u202f" // between groups of digits: a plain space would let Arabic reorder them
	nbsp       = "\u00a0"
	nameLength = 64 // code points of a name in a text
	clock      = "15:04"
)

// clean makes text from outside fit for a line: what steers direction or cannot be seen goes, white space
// becomes single spaces, and what is too long is cut.
func clean(s string, most int) string {
	s = strings.Map(func(r rune) rune {
		switch {
		case unicode.IsSpace(r):
			return ' '
		// U+200D stays: it joins the parts of an emoji, and the letters of some scripts. The others are marks, overrides and
		// isolates of direction, with which a name could make the text around it read as something else.
		case unicode.IsControl(r), r == unicode.ReplacementChar,
			r >= 0x200b && r <= 0x200f && r != 0x200d, r >= 0x202a && r <= 0x202e, r >= 0x2060 && r <= 0x206f, r == 0xfeff, r == 0x061c:
			return -1
		}
		return r
	}, s)
	return clip(strings.Join(strings.Fields(s), " "), most)
}

// clip cuts a text to a number of code points, the last of which then shows that it was cut.
func clip(s string, most int) string {
	runes := []rune(s)
	if len(runes) <= most {
		return s
	}
	return strings.TrimRight(string(runes[:most-1]), " ") + "…"
}

// isolate keeps a text from mixing its direction with what stands around it.
func isolate(s string) string { return fsi + s + pdi }

// name is a name from outside, for a text.
func name(s string) locales.HTML {
	return locales.HTML(isolate(html.EscapeString(clean(s, nameLength))))
}

// code is a delivered code: alone in its entity, as it came.
func code(s secret.Text) string {
	return fsi + "<code>" + html.EscapeString(s.Reveal()) + "</code>" + pdi
}

// Says reports whether anything of a name from outside is left to be read.
func Says(s string) bool { return clean(s, nameLength) != "" }

// money is an amount for a text, isolated.
func (p Printer) money(a dzd.Amount) locales.HTML { return locales.HTML(isolate(p.Amount(a))) }

// Amount writes an amount of money the way the language does: 1 234,50 DA, 1 234,50 د.ج or DZD 1,234.50.
// The fraction is left out where there is none.
func (p Printer) Amount(a dzd.Amount) string { return p.amount(a, "") }

// amount writes an amount with a sign where it is not negative.
func (p Printer) amount(a dzd.Amount, sign string) string {
	whole, frac, negative := a.Decimals()
	separator, point := group, ","
	if p.texts.Lang() == "en" {
		separator, point = ",", "."
	}
	digits := grouped(whole, separator)
	if strings.Trim(frac, "0") != "" {
		digits += point + frac
	}
	if negative {
		sign = "−"
	}
	digits = sign + digits
	if sign != "" && p.texts.RTL() {
		digits = isolate(digits) // the sign stays before its digits
	}
	switch p.texts.Lang() {
	case "ar":
		return digits + nbsp + "د.ج"
	case "en":
		return "DZD" + nbsp + digits
	}
	return digits + nbsp + "DA"
}

// grouped puts a separator between groups of three digits.
func grouped(digits, separator string) string {
	var b strings.Builder
	for i, d := range digits {
		if i > 0 && (len(digits)-i)%3 == 0 {
			b.WriteString(separator)
		}
		b.WriteRune(d)
	}
	return b.String()
}

// number is a number for a text, isolated.
func number(n int) locales.HTML {
	return locales.HTML(isolate(strings.Replace(strconv.Itoa(n), "-", "−", 1)))
}

// deadline is the moment by which something is promised, in words: the minute is not over before it.
func (p Printer) deadline(t time.Time) string {
	return p.Time(roundedUp(t))
}

// roundedUp is a moment by whose minute another one is over.
// Example: what ends at 14:03:01 is told as 14:04, and what ends at 14:03:00 as 14:03. Rounded down, a promise would be broken for up to
// a minute.
func roundedUp(t time.Time) time.Time { return t.Add(time.Minute - 1).Truncate(time.Minute) }

// Time writes a time of day with its date, in the zone of the shop; the year stands there where it is another.
func (p Printer) Time(t time.Time) string {
	t = t.In(p.zone)
	args := locales.Args{"Day": locales.HTML(id(t.Day())), "Month": locales.HTML(p.month(t)), "Clock": locales.HTML(t.Format(clock))}
	if !p.now.IsZero() && p.now.In(p.zone).Year() != t.Year() {
		args["Year"] = locales.HTML(id(t.Year()))
		return p.plain("time.of_year", args)
	}
	return p.plain("time.of_day", args)
}

// shortTime is Time, or the clock alone where that is today.
func (p Printer) shortTime(t time.Time) string {
	t = t.In(p.zone)
	if t.Format(time.DateOnly) != p.now.In(p.zone).Format(time.DateOnly) {
		return p.Time(t)
	}
	return p.plain("time.today", locales.Args{"Clock": locales.HTML(t.Format(clock))})
}

// compactTime is Time where there is little room, as on a button that a phone shows the beginning of.
func (p Printer) compactTime(t time.Time) string { return t.In(p.zone).Format("02/01 " + clock) }

// since is when something was, for a screen that is read now: in minutes within the hour, with its date from then on.
func (p Printer) since(t time.Time) locales.HTML {
	ago := p.now.Sub(t)
	// Minutes go stale on a screen that stays: from an hour on, and where clocks differ, it is the time itself. What a screen was made
	// for may have happened, and been read, while it was made: that is now.
	if p.now.IsZero() || ago <= -time.Minute || ago >= time.Hour {
		return locales.HTML(isolate(p.Time(t)))
	}
	text := p.plain("time.now", nil)
	if ago >= time.Minute {
		text = p.counted("time.minutes", int(ago/time.Minute))
	}
	return locales.HTML(text + " (" + isolate(t.In(p.zone).Format(clock)) + ")")
}

// direct makes sure that each line of a text runs the way its language does: clients take the direction
// of a line from its first letter, which may be that of a name from outside.
func (p Printer) direct(text string) string {
	mark := lrm
	if p.texts.RTL() {
		mark = rlm
	}
	all := strings.Split(text, "\n")
	for i, line := range all {
		// The mark is set only where it is needed: it is copied with the line.
		arabic, isolated := firstLetter(line)
		strays := mark == lrm && arabic || mark == rlm && (!arabic || isolated)
		// A text may pass here twice, as a part of a message and with it: the mark is set once.
		if line != "" && strays && !strings.HasPrefix(line, mark) {
			all[i] = mark + line
		}
	}
	return strings.Join(all, "\n")
}

// led is direct for the label of a button that goes on behind a name from outside, in languages that run from left to right: without the mark
// an Arabic name would have the price before it.
func (p Printer) led(text string) string {
	if p.texts.RTL() {
		return text
	}
	return p.direct(text)
}

// firstLetter tells whether the first letter of a line, outside of tags, is of a script that runs from right to left, and
// whether it is isolated: not every client looks past that.
func firstLetter(line string) (arabic, isolated bool) {
	tag, isolates := false, 0
	for _, r := range line {
		switch {
		// The letters of a tag, and of an entity, are not what is read.
		case r == '<' || r == '&':
			tag = true
		case r == '>' || r == ';':
			tag = false
		case tag:
		case string(r) == fsi:
			isolates++
		case string(r) == pdi:
			isolates--
		case unicode.IsLetter(r):
			return unicode.Is(unicode.Arabic, r), isolates > 0
		}
	}
	return false, false
}

// month is the name of the month of a time in the shop's zone.
func (p Printer) month(t time.Time) string {
	return p.plain([...]string{
		"month.1", "month.2", "month.3", "month.4", "month.5", "month.6",
		"month.7", "month.8", "month.9", "month.10", "month.11", "month.12",
	}[t.Month()-1], nil)
}

// date is a day for a text, isolated: without its year where that is this one.
func (p Printer) date(t time.Time) locales.HTML { return locales.HTML(isolate(p.dateText(t))) }

// dateText is a day.
func (p Printer) dateText(t time.Time) string {
	t = t.In(p.zone)
	text := id(t.Day()) + " " + p.month(t)
	if !p.now.IsZero() && p.now.In(p.zone).Year() != t.Year() {
		text += " " + id(t.Year())
	}
	return text
}

// day is a label of the books for a text.
func (p Printer) day(d ledger.Day) locales.HTML {
	at, err := time.ParseInLocation(time.DateOnly, string(d), p.zone)
	if err != nil {
		return locales.HTML(isolate(escape(string(d))))
	}
	// Noon, since midnight does not exist on a day whose clocks go forward then: it might be told as the day before.
	return p.date(at.Add(12 * time.Hour))
}

// lines joins the lines that there are.
func lines(all ...string) string {
	var kept []string
	for _, l := range all {
		if l != "" {
			kept = append(kept, l)
		}
	}
	return strings.Join(kept, "\n")
}

package screen

import (
	"slices"
	"strings"

	"resellerbot/internal/secret"
	"resellerbot/locales"
)

// delivered is a code as it is shown: as it came, or, where it is a code and a PIN that came under their names, each by
// itself, so that each can be copied.
func (p Codes) delivered(c secret.Text) (out []string) {
	all := strings.Split(c.Reveal(), "\n")
	var seen []string
	for _, line := range all {
		part, value, ok := strings.Cut(line, ": ")
		label := p.part(part)
		if !ok || label == "" || strings.TrimSpace(value) == "" || slices.Contains(seen, part) || len(all) == 1 {
			return []string{code(c)}
		}
		seen = append(seen, part)
		out = append(out, p.labelled(label, secret.New(value)))
	}
	return out
}

// serial is the serial number that came with a code.
func (p Codes) serial(s secret.Text) []string {
	if s.IsZero() {
		return nil
	}
	return []string{p.labelled(p.plain("part.serial", nil), s)}
}

// labelled is a part of what was bought under its name.
func (p Codes) labelled(label string, s secret.Text) string {
	return p.t("field.line", locales.Args{"Name": locales.HTML(escape(label)), "Value": locales.HTML(code(s))})
}

// part is what a part of a code is called, by the field that it came in; "" for none that is known.
func (p Codes) part(field string) string {
	switch field {
	case "key", "code":
		return p.plain("part.code", nil)
	case "pin":
		return p.plain("part.pin", nil)
	case "voucher":
		return p.plain("part.voucher", nil)
	}
	return ""
}

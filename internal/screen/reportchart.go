package screen

import (
	"strings"

	"resellerbot/internal/ledger"
	"resellerbot/internal/picture"
)

// DayFlow is one day of a report.
type DayFlow struct {
	Day   ledger.Day
	Flows ledger.Flows
}

// Chart is what was sold on each day, or in each month of a long range, as a picture is drawn of it.
func (p Reports) Chart(v ReportView, days []DayFlow) picture.Chart {
	c := picture.Chart{RTL: p.texts.RTL(), Title: p.plain("report.chart", nil), Under: unisolated(string(p.day(v.From)))}
	if v.To != v.From {
		c.Under += " – " + unisolated(string(p.day(v.To)))
	}
	byMonth := v.From.Until(v.To) >= 31
	var order []string
	sums := map[string]ledger.Money{}
	for _, d := range days {
		key := string(d.Day)
		if byMonth {
			key = key[:7]
		}
		if _, known := sums[key]; !known {
			order = append(order, key)
		}
		sums[key] += d.Flows.Profit()
	}
	for _, key := range order {
		// The last two characters of a day are its day, and those of a month its month.
		name := key[len(key)-2:]
		n := wholeDinars(sums[key])
		c.Bars = append(c.Bars, picture.Bar{Name: strings.TrimPrefix(name, "0"), Value: strings.Replace(id(n), "-", "−", 1), Height: n})
	}
	return c
}

// wholeDinars is an amount in whole dinars, as people round it.
func wholeDinars(m ledger.Money) int64 {
	if m < 0 {
		return -wholeDinars(-m)
	}
	// Halves go away from zero, of a loss as of a gain. Example: 2.50 DZD is 3, −2.50 DZD is −3.
	return int64((m + ledger.Dinar/2) / ledger.Dinar)
}

// unisolated is a text without marks of direction: a picture has its own, and a number that is copied with them is not found.
func unisolated(s string) string { return strings.NewReplacer(fsi, "", pdi, "", rlm, "").Replace(s) }

// Photo is a message that is a picture.
func (p Reports) Photo(v ReportView, png []byte) Message {
	return Message{HTML: p.title(v), File: &File{Name: "report-" + string(v.From) + "-" + string(v.To) + ".png", Body: png, Photo: true}}
}

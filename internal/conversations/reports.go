package conversations

import (
	"errors"
	"strings"
	"time"

	"resellerbot/internal/figures"
	"resellerbot/internal/ledger"
	"resellerbot/internal/reports"
	"resellerbot/internal/screen"
	"resellerbot/internal/store"
)

// reportOf is the command that shows a range.
func reportOf(kind string) func(*turn, string) error {
	return func(t *turn, rest string) error { return reportFlow{t}.command(kind, rest) }
}

// command is /today, /week and /month, or the days behind /report.
func (t reportFlow) command(kind, rest string) error {
	t.leave()
	if _, _, ok, err := t.account(); err != nil || !ok {
		return err
	}
	today, err := reports.Today(t.ctx, t.cfg.Store, t.shop.ID, now())
	switch {
	case err != nil:
		return err
	case today == "":
		return t.say(t.scr.Reports().None())
	case kind != screen.ReportRange || strings.TrimSpace(rest) == "":
		return t.report(reports.RangeOf(kind, today))
	}
	r, ok := readRange(rest, today)
	switch {
	case !ok && r.From > today:
		return t.say(t.scr.Reports().NotYet())
	case !ok:
		return t.say(t.scr.Reports().BadRange())
	}
	return t.report(r)
}

// readRange reads one or two days: 2026-11-22, 22/11/2026 or 22/11, which is the last such day, unless it is still to come this month.
// A range ends today at the latest; one that begins later has not come yet, and ok is false.
func readRange(text string, today ledger.Day) (r reports.Range, ok bool) {
	var days []typedDay
	for _, word := range strings.FieldsFunc(figures.Latin(text), func(r rune) bool { return strings.ContainsRune(" \t\u00a0…–", r) }) {
		if d, ok := readDay(word, today); ok {
			days = append(days, d)
		} else if strings.ContainsAny(word, "0123456789") || len(days) == 0 && len(word) == 0 {
			return reports.Range{}, false
		}
	}
	r.Kind = screen.ReportRange
	switch len(days) {
	case 1:
		r.From = days[0].past(today)
		r.To = r.From
	case 2:
		from, to := days[0].past(today), days[1].past(today)
		// "1/11 31/12" in November is what has come of it, and not what was between last December and now.
		if days[0].bare && days[1].bare && days[0].day <= today && today < days[1].day {
			to = today
		}
		r.From, r.To = min(from, to), max(from, to)
	}
	if r.From <= today && today < r.To {
		r.To = today
	}
	return r, r.From != "" && r.From <= today
}

// typedDay is a day as it was typed: of this year where no year was named.
type typedDay struct {
	day  ledger.Day
	bare bool
}

// past is the day that is meant: without a year the last such day, unless it is still to come this month.
func (d typedDay) past(today ledger.Day) ledger.Day {
	at, err := time.Parse(time.DateOnly, string(d.day))
	if err != nil || !d.bare || d.day <= today || d.day[:7] == today[:7] {
		return d.day
	}
	return ledger.Day(at.AddDate(-1, 0, 0).Format(time.DateOnly))
}

// readDay reads one day.
func readDay(word string, today ledger.Day) (d typedDay, ok bool) {
	word = strings.NewReplacer(".", "/", "-", "/").Replace(word)
	for _, form := range []string{"2006/1/2", "2/1/2006"} {
		if at, err := time.Parse(form, word); err == nil {
			return typedDay{day: ledger.Day(at.Format(time.DateOnly))}, true
		}
	}
	at, err := time.Parse("2/1/2006", word+"/"+string(today[:4]))
	return typedDay{ledger.Day(at.Format(time.DateOnly)), true}, err == nil
}

// seller is whose report the person is shown: their own, but for an owner in private.
func (t reportFlow) seller() int64 {
	if t.ownsInPrivate() {
		return 0
	}
	return t.userID
}

// report shows the report of a range.
func (t reportFlow) report(r reports.Range) error {
	v, err := reports.Of(t.ctx, t.cfg.Store, t.shop, r, t.seller(), now())
	if err == nil && t.private && t.seller() != 0 {
		// Where others read along, nobody is shown what things cost, whatever the person may see.
		own, failed := t.cfg.Store.Prices(t.ctx, t.shop.ID)
		v.ShowCost, err = own.Rules.ShowCost, failed
	}
	switch {
	case errors.Is(err, ledger.ErrRange):
		return t.say(t.scr.Reports().BadRange())
	case err != nil:
		return firstError(ignoreMissing(err), func() error { return t.say(t.scr.Reports().None()) })
	}
	return t.say(t.scr.Reports().Report(v))
}

// tapped runs the buttons of reports.
func (t reportFlow) tapped() error {
	if t.shop.ID == "" {
		return t.noAccount()
	}
	today, err := reports.Today(t.ctx, t.cfg.Store, t.shop.ID, now())
	if err != nil || today == "" {
		return firstError(err, func() error { return t.say(t.scr.Reports().None()) })
	}
	r := reports.Range{Kind: t.action.Arg(0)}
	// Before the days are read: behind this one stands an hour.
	if r.Kind == screen.ReportAuto {
		return t.setAuto()
	}
	var okFrom, okTo error
	r.From, okFrom = ledger.ParseDay(t.action.Arg(1))
	r.To, okTo = ledger.ParseDay(t.action.Arg(2))
	switch {
	case t.action.Arg(1) == "":
		return t.report(reports.RangeOf(r.Kind, today))
	case okFrom != nil || okTo != nil:
		return t.stale()
	case t.seller() != 0 || t.action.Arg(3) == "":
		return t.report(r)
	case t.action.Arg(3) == screen.ReportAuto:
		d, err := t.cfg.Store.Desk(t.ctx, t.shop.ID)
		return firstError(err, func() error { return t.say(t.scr.Reports().AutoAsk(d.ReportAt)) })
	}
	return t.file(r, t.action.Arg(3))
}

// file sends a report as a picture, or as a file.
func (t reportFlow) file(r reports.Range, form string) error {
	defer t.ackSoon()()
	// 0: all of the shop. Nobody but an owner in private comes here (tapped).
	v, err := reports.Of(t.ctx, t.cfg.Store, t.shop, r, 0, now())
	if err != nil {
		return err
	}
	words := t.scr.Reports()
	var body []byte
	switch form {
	case screen.ReportChart:
		body, err = reports.Chart(t.ctx, t.cfg.Store, t.shop.ID, v, words)
	case screen.ReportXLSX:
		body, err = reports.Workbook(t.ctx, t.cfg.Store, t.shop.ID, v, words)
	case screen.ReportCSV:
		body, err = reports.CSV(t.ctx, t.cfg.Store, t.shop.ID, v, words)
	default:
		return t.stale()
	}
	switch {
	case errors.Is(err, reports.ErrTooLong):
		t.answerText(t.own.Reports().TooLong(), true)
		return nil
	case err != nil:
		return err
	case form == screen.ReportChart:
		return t.say(words.Photo(v, body))
	}
	return t.say(words.FileOf(v, form, body))
}

// setAuto sets at which hour the report comes by itself.
func (t reportFlow) setAuto() error {
	if t.seller() != 0 {
		return t.refuse(store.Owner)
	}
	at := int(t.action.Int(1)) * 60
	// Minutes of the day. Midnight is refused: 0 is how it is kept that no report comes by itself.
	if t.action.Arg(1) != screen.ReportOff && (at <= 0 || at >= 24*60) {
		return t.stale()
	}
	err := t.forOwner(t.shop.ID, func(tx *store.Tx, a *store.Account) error {
		d, err := tx.Desk(a.ID)
		if err != nil {
			return err
		}
		if d.ReportAt = at; t.action.Arg(1) == screen.ReportOff {
			d.ReportAt = 0
		}
		b, err := tx.Books().Book(a.ID)
		if err != nil {
			return err
		}
		if today := b.Today(now()); b.Reached(at, now()) { // the first one comes tomorrow
			d.Reported = max(d.Reported, today)
		}
		return tx.PutDesk(&d)
	})
	if err != nil {
		return t.refused(err)
	}
	return t.say(t.scr.Reports().AutoAsk(at))
}

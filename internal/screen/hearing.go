package screen

import (
	"resellerbot/internal/store"
	"resellerbot/locales"
)

// TopicName is what a group's topic for a subject is called.
func (p Notes) TopicName(s store.Subject) string { return p.subject(s) }

// subject is the name of a subject.
func (p Printer) subject(s store.Subject) string {
	switch s {
	case store.OrderSubject:
		return p.plain("hear.orders", nil)
	case store.DecisionSubject:
		return p.plain("hear.decisions", nil)
	case store.AlertSubject:
		return p.plain("hear.alerts", nil)
	case store.ReportSubject:
	}
	return p.plain("hear.reports", nil)
}

// hearing is how a subject is heard.
func (p Printer) hearing(h store.Hearing) string {
	switch h {
	case store.Softly:
		return p.plain("hear.silent", nil)
	case store.Unheard:
		return p.plain("hear.off", nil)
	case store.Aloud:
	}
	return p.plain("hear.on", nil)
}

// next is the way to hear that a button leads to.
// Aloud, silently, off, and aloud again. Off is passed over where a subject cannot be switched off (store.Alerts.MayBeOff).
func next(h store.Hearing, mayBeOff bool) store.Hearing {
	switch {
	case h == store.Aloud:
		return store.Softly
	case h == store.Softly && mayBeOff:
		return store.Unheard
	}
	return store.Aloud
}

// heard are the subjects of which somebody with a role hears in private, or a group does.
func heard(al store.Alerts, role store.Role) []store.Subject {
	if al.Chat > 0 && role != store.Owner {
		return []store.Subject{store.OrderSubject}
	}
	return store.Subjects()
}

// Sounds is how a chat hears of each subject, and when nothing makes a sound; a tap on a subject leads to the next way. role is
// that of the person, in private.
func (p Alerts) Sounds(al store.Alerts, role store.Role) Message {
	var keys [][]Button
	for _, s := range heard(al, role) {
		h := al.Hears(s)
		text := p.plain("button.hear", locales.Args{"Subject": locales.HTML(p.subject(s)), "How": locales.HTML(p.hearing(h))})
		keys = append(keys, row(Button{Text: text, Data: act(VerbHear, string(s), string(next(h, al.MayBeOff(s, role)))).Data()}))
	}
	for _, span := range nights() {
		keys = append(keys, row(Button{Text: p.plain("button.quiet_hours", hours(span)), Data: act(VerbHear, alertQuiet, id(span.From), id(span.To)).Data()}))
	}
	if al.Quiet.From != al.Quiet.To {
		keys = append(keys, row(p.button("button.quiet_off", act(VerbHear, alertQuiet, "0", "0"))))
	}
	return Message{
		HTML:     lines(p.t("hear.title", nil), p.t("hear.about", nil), p.t("hear.always", nil), "", p.quiet(al.Quiet), p.t("alerts.quiet_help", nil)),
		Keyboard: append(keys, row(p.button("button.home", act(VerbHome)))),
	}
}

// SubjectQuiet is the argument of VerbHear that sets quiet hours instead of how a subject is heard.
const SubjectQuiet = alertQuiet

package screen

import (
	"time"

	"resellerbot/internal/store"
	"resellerbot/locales"
)

// troubleNote tells the operator what is wrong with it, and what to do.
func (p Notes) troubleNote(args map[string]string) Message {
	since := locales.Args{"From": p.moment(args["since"])}
	// store.TelegramTrouble has no text here: while it lasts, nothing can be told.
	switch store.TroubleName(args["trouble"]) {
	case store.CopiesTrouble:
		return Message{HTML: p.t("trouble.copies", since)}
	case store.DiskTrouble:
		return Message{HTML: p.t("trouble.disk", nil)}
	case store.KeyTrouble:
		return Message{HTML: p.t("trouble.key", locales.Args{"Accounts": nameText(p, args["accounts"])})}
	case store.PollerTrouble:
		return Message{HTML: p.t("trouble.poller", nil)}
	case store.ServiceTrouble:
		return Message{HTML: p.t("trouble.supplier", since)}
	case store.ParkedTrouble:
		return Message{HTML: p.direct(p.texts.N("trouble.parked", numberIn(args["count"]), nil))}
	case store.OrdersTrouble:
		return Message{HTML: p.t("trouble.orders", since)}
	case store.OutboxTrouble:
		return Message{HTML: p.t("trouble.outbox", since)}
	}
	return p.someNote()
}

// troubleOverNote tells that it is over, and how long it took.
func (p Notes) troubleOverNote(args map[string]string) Message {
	span := locales.Args{"From": p.moment(args["since"]), "Until": p.moment(args["end"])}
	// TelegramTrouble has its text here: once it is over, it can be told.
	switch store.TroubleName(args["trouble"]) {
	case store.CopiesTrouble:
		return Message{HTML: p.t("trouble.copies_over", span)}
	case store.DiskTrouble:
		return Message{HTML: p.t("trouble.disk_over", span)}
	case store.KeyTrouble:
		return Message{HTML: p.t("trouble.key_over", span)}
	case store.PollerTrouble:
		return Message{HTML: p.t("trouble.poller_over", span)}
	case store.TelegramTrouble:
		return Message{HTML: p.t("trouble.telegram_over", span)}
	case store.ServiceTrouble:
		return Message{HTML: p.t("trouble.supplier_over", span)}
	case store.ParkedTrouble:
		return Message{HTML: p.t("trouble.parked_over", span)}
	case store.OrdersTrouble:
		return Message{HTML: p.t("trouble.orders_over", span)}
	case store.OutboxTrouble:
		return Message{HTML: p.t("trouble.outbox_over", span)}
	}
	return p.someNote()
}

// moment is a time in an argument; a dash for none.
func (p Notes) moment(text string) locales.HTML {
	t, err := time.Parse(time.RFC3339, text)
	if err != nil {
		return "–"
	}
	return locales.HTML(isolate(p.Time(t)))
}

package screen

import (
	"encoding/json"
	"time"

	"resellerbot/internal/store"
	"resellerbot/locales"
)

// debitNote tells that money went which no purchase explains.
func (p Notes) debitNote(args map[string]string) Message {
	return p.debited("alert.debit", "alert.debit_held", args)
}

// debitOrLateNote tells that money went, and which purchase may have been executed after all.
func (p Notes) debitOrLateNote(args map[string]string) Message {
	return p.debited("alert.debit_or_late", "alert.debit_or_late_held", args)
}

// debitElsewhereNote tells that money went, and that as much was bought here with another key.
func (p Notes) debitElsewhereNote(args map[string]string) Message {
	return p.debited("alert.debit_elsewhere", "alert.debit_elsewhere_held", args)
}

// debited says it in the words of gone, or in those of held, where the money may be held and not gone.
func (p Notes) debited(gone, held string, args map[string]string) Message {
	key := gone
	if args["held"] != "" {
		key = held
	}
	return p.about(args["account"], Message{
		HTML: p.t(key, locales.Args{
			"Amount": p.exact(args["amount"]), "Held": p.exact(args["held"]), "Balance": p.exact(args["balance"]), "Orders": locales.HTML(isolate(escape(clean(args["orders"], 100)))),
		}),
		Keyboard: append(p.toLock(), row(p.button("button.movements", act(VerbMovements).fresh()), p.button("button.alerts", act(VerbAlerts).fresh()))),
	})
}

// toLock is the button that stops all purchases, for owners: others read along in a group.
func (p Notes) toLock() [][]Button {
	if p.reader != ForOwner {
		return nil
	}
	return [][]Button{row(p.button("button.lock", act(VerbLock).fresh()))}
}

// alertNote tells of one or more alerts.
func (p Notes) alertNote(args map[string]string) Message {
	var all []alert
	// The title and the ways on are still good, and say that there is something to see.
	if json.Unmarshal([]byte(args["items"]), &all) != nil {
		all = nil
	}
	var out []string
	for _, a := range all[:min(len(all), mostEntries)] {
		out = append(out, p.alerted(a), "")
	}
	if more := len(all) - mostEntries; more > 0 {
		out = append(out, p.direct(p.texts.N("stock.more", more, nil)))
	}
	return p.about(args["account"], Message{HTML: spaced(append([]string{p.t("alert.title", nil), ""}, out...)), Keyboard: append(p.toProducts(all),
		row(p.button("button.balance", act(VerbBalance).fresh()), p.button("button.stock", act(VerbStock).fresh())),
		row(p.button("button.alerts", act(VerbAlerts).fresh())),
	)})
}

// ownAlert is what has become of the shop's own price, for who is not to see the service's.
func (p Notes) ownAlert(a alert) string {
	if a.Kind == "price" && a.Asked != a.Asks {
		return p.t("alert.own_price", locales.Args{"Was": p.exact(a.Asked), "Now": p.exact(a.Asks)})
	}
	if a.Kind == "price" {
		return p.t("prices.own", locales.Args{"Price": p.exact(a.Asks)})
	}
	return p.t("alert.back", locales.Args{"Price": p.exact(a.Asks)})
}

// toProducts are buttons to the products of the catalogue that alerts are about.
func (p Notes) toProducts(all []alert) (keys [][]Button) {
	// What is not of the catalogue has no id, and nothing to open.
	seen := map[int64]bool{0: true}
	for _, a := range all {
		if !seen[a.ID] && len(keys) < mostLeads {
			keys = append(keys, row(Button{Text: p.led("🛍 " + label(a.Product, id(a.ID))), Data: act(VerbProduct, id(a.ID), "0").fresh().Data()}))
		}
		seen[a.ID] = true
	}
	return keys
}

// alerted is one alert in words.
func (p Notes) alerted(a alert) string {
	switch store.AlertKind(a.Kind) {
	case store.LowBalance:
		return p.t("alert.balance", locales.Args{"Amount": p.exact(a.Amount), "Line": p.exact(a.Reference)})
	case store.DaysLeft:
		return p.t("alert.days", locales.Args{"Amount": p.exact(a.Amount), "Days": number(a.Number)})
	case store.LowStock:
		return lines(p.item(a.Product, a.Variant), p.t("alert.stock", locales.Args{"Units": number(a.Number)}))
	case store.Expiry:
		at, err := time.Parse(time.RFC3339, a.Reference)
		if err != nil {
			return p.item(a.Product, a.Variant)
		}
		return lines(p.item(a.Product, a.Variant), p.t("alert.expiry", locales.Args{"Units": number(a.Number), "Time": p.serviceTime(at, a.Zoneless, Printer.Time)}))
	}
	// These three kinds are no store.AlertKind: package notify writes them for products that are watched.
	if a.Kind == "shelf" {
		if a.Number == 0 {
			return lines(p.item(a.Product, a.Variant), p.t("alert.gone", nil))
		}
		return lines(p.item(a.Product, a.Variant), p.t("alert.shelf", locales.Args{"Units": number(a.Number)}))
	}
	if a.Asks != "" && p.asks != nil {
		return lines(p.item(a.Product, a.Variant), p.ownAlert(a))
	}
	if a.Kind == "price" {
		return lines(p.item(a.Product, a.Variant), p.t("alert.price", locales.Args{"Was": p.exact(a.Reference), "Now": p.exact(a.Amount)}), p.margin(a))
	}
	return lines(p.item(a.Product, a.Variant), p.t("alert.back", locales.Args{"Price": p.exact(a.Amount)}))
}

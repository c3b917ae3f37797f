package screen

import (
	"encoding/base64"
	"slices"
	"time"
	"unicode/utf8"

	"resellerbot/internal/api"
	"resellerbot/internal/ledger"
	"resellerbot/internal/picture"
	"resellerbot/internal/store"
	"resellerbot/locales"
)

// The PriceLists: how a price list is shown, and what else is done with it. They stand in the data of buttons.
const (
	PriceListTall  = "tall"  // in the form of a story
	PriceListSheet = "sheet" // in that of a sheet of paper
	PriceListText  = "text"
	PriceListPick  = "pick" // a page of the products to choose from, and perhaps the one that is chosen or left out; PriceListAll for all
	PriceListAll   = "all"
	PriceListDaily = "auto" // asks when it is to come by itself; an hour behind it sets that, ReportOff ends it
)

const mostPriceListText = 3500 // characters of a list as a text, which has room for 4,096

// PriceListLine is one line of a price list. There is no room in it for what something costs.
type PriceListLine struct {
	Name  string // hostile text
	Price ledger.Money
}

// PriceListSection is a product of a price list with its variants.
type PriceListSection struct {
	Name  string // hostile text
	Lines []PriceListLine
}

// PriceListView is what a shop shows its customers.
type PriceListView struct {
	Desk     store.Desk
	Shop     string // the name of the account, for a shop that has none of its own; hostile text
	Sections []PriceListSection
	At       time.Time
}

// PriceList is what can be done with the price list of a shop.
func (p Prices) PriceList(d store.Desk) Message {
	on := p.t("pricelist.all", nil)
	if n := len(d.List); n > 0 {
		on = p.t("pricelist.some", locales.Args{"Count": number(n)})
	}
	var keys [][]Button
	for _, f := range []struct{ form, key string }{{PriceListTall, "button.pricelist_tall"}, {PriceListSheet, "button.pricelist_sheet"}, {PriceListText, "button.pricelist_text"}} {
		var row []Button
		for _, l := range tongueNames() {
			if slices.Contains(ReceiptLanguages(), l.code) {
				row = append(row, Button{Text: p.plain(f.key, nil) + " · " + l.name, Data: act(VerbPriceList, f.form, l.code).fresh().Data()})
			}
		}
		keys = append(keys, row)
	}
	keys = append(keys, row(p.button("button.pricelist_pick", act(VerbPriceList, PriceListPick)), p.button("button.pricelist_auto", act(VerbPriceList, PriceListDaily))),
		row(p.button("button.back", act(VerbPrices)), p.button("button.home", act(VerbHome))))
	return Message{HTML: lines(p.t("pricelist.title", nil), p.t("pricelist.help", nil), on, p.daily(d.ListAt)), Keyboard: keys}
}

// daily is when a price list comes by itself.
func (p Prices) daily(at int) string {
	if at <= 0 {
		return p.t("pricelist.never", nil)
	}
	return p.t("pricelist.daily", locales.Args{"Time": hourOf(at)})
}

// hourOf is a minute of a day as a clock shows it.
func hourOf(at int) locales.HTML {
	return locales.HTML(isolate(time.Date(2000, 1, 1, at/60, at%60, 0, 0, time.UTC).Format(clock)))
}

// PriceListHour asks at which hour the price list is to come by itself; at is the minute of the day that is set, 0 for none.
func (p Prices) PriceListHour(at int) Message {
	var hours []Button
	for _, h := range []int{7, 8, 9, 10, 11} {
		hours = append(hours, Button{Text: string(hourOf(h * 60)), Data: act(VerbPriceList, PriceListDaily, id(h)).Data()})
	}
	keys := [][]Button{hours}
	if at > 0 {
		keys = append(keys, row(p.button("button.report_auto_off", act(VerbPriceList, PriceListDaily, ReportOff))))
	}
	return Message{HTML: lines(p.daily(at), p.t("pricelist.when", nil)), Keyboard: append(keys, row(p.button("button.back", act(VerbPriceList)), p.button("button.home", act(VerbHome))))}
}

// PriceListChoice is one page of the products that can be on a price list.
func (p Prices) PriceListChoice(all []api.Product, chosen []int64, page int) Message {
	first, last, page, pages := pageOf(len(all), page)
	var keys [][]Button
	for _, product := range all[first:last] {
		text := label(product.Name, id(product.ID))
		if slices.Contains(chosen, product.ID) {
			text = "☑️ " + text
		}
		keys = append(keys, row(Button{Text: p.led(text), Data: act(VerbPriceList, PriceListPick, id(page), id(product.ID)).Data()}))
	}
	if pages > 1 {
		keys = append(keys, p.pager(page, pages, func(n int) Action { return act(VerbPriceList, PriceListPick, id(n)) }))
	}
	if len(chosen) > 0 {
		keys = append(keys, row(p.button("button.pricelist_all", act(VerbPriceList, PriceListPick, id(page), PriceListAll))))
	}
	return Message{
		HTML:     lines(p.t("pricelist.title", nil), p.t("pricelist.pick", nil)),
		Keyboard: append(keys, row(p.button("button.back", act(VerbPriceList)), p.button("button.home", act(VerbHome)))),
	}
}

// PriceListEmpty tells that there is no price to be shown.
func (p Prices) PriceListEmpty() Message {
	return Message{
		HTML:     lines(p.t("pricelist.title", nil), p.t("pricelist.empty", nil)),
		Keyboard: [][]Button{row(p.button("button.prices", act(VerbPrices)), p.button("button.back", act(VerbPriceList)))},
	}
}

// shopName is what the shop is called for its customers.
func (v PriceListView) shopName() string { return ReceiptView{Desk: v.Desk, Shop: v.Shop}.shopName() }

// day is the day of a price list, with its year: it is passed on.
func (v PriceListView) day(p Prices) string { return v.At.In(p.zone).Format("02/01/2006") }

// PriceListPicture is what is drawn of a price list, by the printer of the customers' language.
func (p Prices) PriceListPicture(v PriceListView, tall bool) picture.PriceList {
	l := picture.PriceList{
		RTL: p.RTL(), Tall: tall, Shop: v.shopName(), Under: v.Desk.Phone, Title: p.plain("pricelist.head", nil), Date: v.day(p), Foot: p.plain("pricelist.foot", nil),
	}
	for _, s := range v.Sections {
		part := picture.Section{Name: clean(s.Name, nameLength)}
		for _, line := range s.Lines {
			part.Lines = append(part.Lines, picture.Line{Name: clean(line.Name, nameLength), Value: unisolated(p.bookedText(line.Price))})
		}
		l.Sections = append(l.Sections, part)
	}
	return l
}

// PriceListAsText is a price list to be passed on as it is, by the printer of the customers' language; ok is false where it does
// not fit into a message.
func (p Prices) PriceListAsText(v PriceListView) (m Message, ok bool) {
	out := []string{"<b>" + string(name(v.shopName())) + "</b>"}
	if v.Desk.Phone != "" {
		out = append(out, p.direct("☎️ "+string(name(v.Desk.Phone))))
	}
	out = append(out, "🏷 "+p.t("pricelist.head", nil)+" · "+isolate(v.day(p)))
	for _, s := range v.Sections {
		out = append(out, "", p.direct("<b>"+string(name(s.Name))+"</b>"))
		for _, line := range s.Lines {
			out = append(out, p.direct(p.t("pricelist.line", locales.Args{"Name": name(line.Name), "Price": p.booked(line.Price)})))
		}
	}
	m.HTML = spaced(append(out, "", p.t("pricelist.foot", nil)))
	// Tags and entities count here, and not for Telegram: it errs on the short side.
	return m, utf8.RuneCountInString(m.HTML) <= mostPriceListText
}

// PriceListTooLong tells that a price list does not fit into a message.
func (p Prices) PriceListTooLong() Message {
	return Message{HTML: lines(p.t("pricelist.title", nil), p.t("pricelist.rest", nil)), Keyboard: [][]Button{row(p.button("button.back", act(VerbPriceList)), p.button("button.home", act(VerbHome)))}}
}

// PriceListPage is a page of a price list, as a picture. A story is shown as one; a sheet is a file, which keeps its sharpness.
func (p Prices) PriceListPage(png []byte, tall bool, day string, page int) Message {
	file := "prices-" + day
	if !tall {
		file += "-a4"
	}
	if page > 0 {
		file += "-" + id(page+1)
	}
	file += ".png"
	return Message{HTML: p.t("pricelist.caption", locales.Args{"Date": p.day(ledger.Day(day))}), File: &File{Name: file, Body: png, Photo: tall}}
}

// priceListNote is a page of the price list that comes by itself.
func (p Notes) priceListNote(args map[string]string) Message {
	png, err := base64.StdEncoding.DecodeString(args["picture"])
	day, failed := ledger.ParseDay(args["day"])
	if err != nil || failed != nil || len(png) == 0 {
		return Message{HTML: p.t("pricelist.title", nil), Keyboard: [][]Button{row(p.button("button.pricelist", act(VerbPriceList).fresh()))}}
	}
	page := int(Action{Args: []string{args["page"]}}.Int(0))
	return p.Prices().PriceListPage(png, args["form"] != PriceListSheet, string(day), page)
}

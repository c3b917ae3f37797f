package screen

import (
	"cmp"
	"strings"

	"resellerbot/internal/api"
	"resellerbot/internal/store"
	"resellerbot/locales"
)

const (
	pageSize   = 8
	inRow      = 4  // numbers on buttons beside each other
	buttonName = 40 // code points of a name on a button

	mostAnswers    = 6    // in one message
	mostAbout      = 300  // characters of a description above the variants
	mostWhole      = 3000 // and of one that is opened
	mostCategories = 40
)

// Products is one page of products: the whole catalogue, or what a search found.
func (p Catalogue) Products(list []api.Product, page int, query string) Message {
	home := row(p.button("button.home", act(VerbHome)))
	if len(list) == 0 {
		if query == "" {
			return Message{HTML: lines(p.t("catalogue.empty", nil), p.aged()), Keyboard: [][]Button{home}}
		}
		return Message{HTML: lines(p.t("catalogue.none", locales.Args{"Query": name(query)}), p.aged()), Keyboard: [][]Button{home}}
	}
	title := p.t("catalogue.title", nil) + " · " + string(number(len(list)))
	if query != "" {
		title = p.t("catalogue.found", locales.Args{"Query": name(query)}) + " · " + p.texts.N("catalogue.count", len(list), nil)
	}
	m := p.shelf(title, list, page, func(n int) Action { return pageOfSearch(n, query) })
	// A single category would show the same list once more.
	if query == "" && len(CategoriesOf(list)) > 1 {
		last := len(m.Keyboard) - 1
		m.Keyboard[last] = append(row(p.button("button.categories", act(VerbCategories))), m.Keyboard[last]...)
	}
	return m
}

// NoProduct says that a search has found nothing, and offers what comes near.
func (p Catalogue) NoProduct(near []api.Product, query string) Message {
	if len(near) == 0 {
		return p.Products(nil, 0, query)
	}
	return p.shelf(p.t("catalogue.near", locales.Args{"Query": name(query)}), near, 0, func(n int) Action { return pageOfSearch(n, query) })
}

// pageOfSearch turns to a page of what a search has found: its words travel with the button, so that it means the same
// for ever. Words for which there is no room are known for as long as the search is in hand.
func pageOfSearch(page int, query string) Action {
	if query == "" {
		return act(VerbBuy, id(page))
	}
	// A colon parts arguments: words that hold one would come back as two.
	// It is asked for each button by itself: a page of two digits takes a byte more than one of one.
	if a := act(VerbBuy, id(page), query); !strings.Contains(query, ":") && len(a.encoded()) <= maxData {
		return a
	}
	return act(VerbBuy, id(page), "", LongQuery)
}

// NoQuantity tells that a line names a quantity that cannot be bought: none at all, or too many.
func (p Catalogue) NoQuantity(none bool) Message {
	text := "quantity.too_large"
	if none {
		text = "quantity.none"
	}
	return Message{HTML: p.t(text, nil), Keyboard: [][]Button{row(p.button("button.home", act(VerbHome)))}}
}

// OddQuantity tells that what a line names for a quantity cannot be read.
func (p Catalogue) OddQuantity() Message {
	return Message{HTML: p.t("quantity.odd", nil), Keyboard: [][]Button{row(p.button("button.home", act(VerbHome)))}}
}

// shelf is one page of a list of products under a title.
func (p Catalogue) shelf(title string, list []api.Product, page int, to func(page int) Action) Message {
	first, last, page, pages := pageOf(len(list), page)
	var keys [][]Button
	for _, product := range list[first:last] {
		keys = append(keys, row(Button{Text: label(product.Name, id(product.ID)), Data: act(VerbProduct, id(product.ID), "0").Data()}))
	}
	if pages > 1 {
		title += " · " + p.t("catalogue.page", locales.Args{"Page": number(page + 1), "Pages": number(pages)})
		keys = append(keys, p.pager(page, pages, to))
	}
	return Message{HTML: lines(title, p.aged()), Keyboard: append(keys, row(p.button("button.home", act(VerbHome))))}
}

// pageOf is what a page of a list holds, the nearest page that there is, and how many there are.
func pageOf(n, page int) (first, last, nearest, pages int) { return pageBy(n, pageSize, page) }

// pageBy is pageOf for pages of another size.
func pageBy(n, size, page int) (first, last, nearest, pages int) {
	// The page comes from a button that may be old, or forged: any number is one of a page that there is.
	pages = max(1, (n+size-1)/size)
	nearest = min(max(page, 0), pages-1)
	first = nearest * size
	return first, min(first+size, n), nearest, pages
}

// pager is the row of ◀ and ▶.
func (p Printer) pager(page, pages int, to func(page int) Action) []Button {
	var keys []Button
	if page > 0 {
		keys = append(keys, p.button("button.newer", to(page-1)))
	}
	if page < pages-1 {
		keys = append(keys, p.button("button.older", to(page+1)))
	}
	return keys
}

// Variants is a product with one page of its variants.
func (p Catalogue) Variants(product api.Product, page int) Message {
	text := p.direct("<b>" + string(name(product.Name)) + "</b>")
	if d := clean(product.Description, mostAbout); d != "" {
		text = lines(text, p.direct(isolate(escape(d))))
	}
	back := row(p.button("button.back", act(VerbBuy, "0")), p.button("button.home", act(VerbHome)))
	if len(product.Variants) == 0 {
		return Message{HTML: lines(text, p.t("variants.none", nil), p.aged()), Keyboard: append(p.aboutKey(product), back)}
	}
	first, last, page, pages := pageOf(len(product.Variants), page)
	var keys [][]Button
	for _, v := range product.Variants[first:last] {
		keys = append(keys, row(p.variantButton(product, v)))
	}
	if pages > 1 {
		keys = append(keys, p.pager(page, pages, func(n int) Action { return act(VerbProduct, id(product.ID), id(n)) }))
	}
	keys = append(keys, p.aboutKey(product)...)
	if watch := p.Alerts().watchButton(product); watch != nil {
		keys = append(keys, watch)
	}
	return Message{HTML: lines(text, p.aged(), p.t("variants.choose", nil)), Keyboard: append(keys, back)}
}

// aboutKey is the way to the whole description of a product, where a part of it is shown.
func (p Catalogue) aboutKey(product api.Product) [][]Button {
	if !isLong(product) {
		return nil
	}
	return [][]Button{row(p.button("button.about", act(VerbAbout, id(product.ID))))}
}

// isLong reports whether the description of a product is too long to stand above its variants.
func isLong(product api.Product) bool {
	// They are compared as they are shown: white space and signs that are taken out make none long.
	return clean(product.Description, mostAbout) != clean(product.Description, mostWhole)
}

// About is the whole description of a product.
func (p Catalogue) About(product api.Product) Message {
	return Message{
		HTML:     lines(p.direct("<b>"+string(name(product.Name))+"</b>"), p.direct(isolate(escape(clean(product.Description, mostWhole)))), p.aged()),
		Keyboard: [][]Button{row(p.button("button.back", act(VerbProduct, id(product.ID), "0")), p.button("button.home", act(VerbHome)))},
	}
}

// variantButton is the name and the price of a variant, or the shop's own for who does not see that; it is marked where it cannot be had.
func (p Catalogue) variantButton(product api.Product, v api.Variant) Button {
	text := label(v.Name, id(v.ID))
	if !v.Available {
		return Button{Text: p.led(text + " · ⛔"), Data: act(VerbSoldOut).Data()}
	}
	price := p.Amount(v.Price)
	if each, ok := p.asked(ItemOf(product, v)); ok {
		price = p.bookedText(each)
	}
	return Button{Text: p.led(text + " · " + isolate(price)), Data: act(VerbVariant, id(product.ID), id(v.ID)).Data()}
}

// label is a name from outside on a button. Only the button that spends begins with its sign.
func label(s, number string) string {
	s = clean(s, buttonName)
	switch {
	// What nobody can see is no name: a button of it could not be told from an empty one.
	case strings.Trim(s, "\ufe0f \u00a0") == "":
		return "#" + number
	case strings.HasPrefix(s, "✅"):
		return "• " + s
	}
	return s
}

// LongQuery stands for words of a search that a button has no room for.
const LongQuery = "long"

// leaving is the row that goes back or leaves.
func (p Printer) leaving() []Button {
	return row(p.button("button.back", act(VerbBack)), p.button("button.cancel", act(VerbCancel)))
}

// item is a product and its variant, as the head of a screen.
func (p Printer) item(product, variant string) string {
	return p.direct("<b>" + string(name(product)) + "</b> · " + string(name(variant)))
}

// label is what an input is called, which the service may leave open.
func (p Printer) label(label, index string) locales.HTML {
	known := p.known(label)
	switch {
	case known != "":
		return locales.HTML(known)
	case clean(label, nameLength) != "":
		return name(label)
	case index == api.PlayerInput:
		return locales.HTML(p.t("input.player", nil))
	}
	return locales.HTML(p.t("input.unnamed", locales.Args{"Index": name(index)}))
}

// known is what we call an input that the service calls by an English name; "" where it is none that we know.
func (p Printer) known(label string) string {
	switch strings.ToLower(clean(label, nameLength)) {
	case "player id", "player", "player_id", "user id", "game id":
		return p.plain("input.player", nil)
	case "region":
		return p.plain("input.region", nil)
	case "server":
		return p.plain("input.server", nil)
	case "number", "phone", "phone number":
		return p.plain("input.number", nil)
	case "card number":
		return p.plain("input.card", nil)
	case "line", "line type":
		return p.plain("input.line", nil)
	case "email", "e-mail":
		return p.plain("input.email", nil)
	case "quantity":
		return p.plain("why.field_quantity", nil)
	case "link":
		return p.plain("why.field_link", nil)
	}
	return ""
}

// answers lists what was entered.
func (p Printer) answers(all []store.Answer) string {
	var out []string
	for _, a := range all {
		if a.Value == "" { // skipped
			continue
		}
		if len(out) == mostAnswers {
			out = append(out, "…")
			break
		}
		// An option is shown by its name, where what is sent is a code of the service's.
		out = append(out, p.direct(p.t("field.answer", locales.Args{"Name": p.label(a.Label, a.Index), "Value": name(cmp.Or(a.Shown, a.Value))})))
	}
	return lines(out...)
}

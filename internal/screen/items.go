package screen

import (
	"strings"

	"resellerbot/internal/api"
	"resellerbot/internal/api/dzd"
	"resellerbot/internal/store"
	"resellerbot/locales"
)

// What can be done with an item that people keep at hand. They stand in the data of buttons.
const (
	ItemKeep   = "keep"
	ItemUnkeep = "unkeep"
	ItemWord   = "word"
	ItemOffer  = "offer" // and the price that was asked back, or OfferOther
)

// OfferOther asks for a price for a customer, though a rule of the shop gives one.
const OfferOther = "other"

const (
	mostWords  = 12 // short words of an item that are shown
	mostOnTop  = 4  // favourites, or items that were bought lately, above a list
	wordsShown = 60 // short words in a list
)

// MeantView is one way to read what was typed.
type MeantView struct {
	Product, Variant string
	Quantity         int
	For              string // what stands there for who gets it
}

// Meant asks which of several things was meant. Nothing is bought by an answer: it leads to the summary.
func (p Shelf) Meant(line string, ways []MeantView) Message {
	var keys [][]Button
	// The button names a place among the ways, which the question in hand keeps: an item and its answers have no room on it.
	for i, w := range ways {
		keys = append(keys, row(Button{Text: p.led(p.goodsLabel(w.Product+" · "+w.Variant, w.Quantity, w.For)), Data: act(VerbMeant, id(i)).Data()}))
	}
	return Message{
		HTML:     lines(p.t("meant.ask", locales.Args{"Line": name(line)}), p.t("meant.nothing", nil)),
		Keyboard: append(keys, row(p.button("button.cancel", act(VerbCancel)))),
	}
}

// Stranger tells that no customer is called as a line has it, and offers its item, for which a player can be typed then.
func (p Shelf) Stranger(who, product, variant string, productID, variantID int64) Message {
	return Message{
		HTML: lines(p.t("stranger.nobody", locales.Args{"Name": name(who)}), p.t("stranger.how", nil)),
		Keyboard: [][]Button{
			row(Button{Text: p.led(p.goodsLabel(product+" · "+variant, 1, "")), Data: act(VerbVariant, id(productID), id(variantID)).Data()}),
			row(p.button("button.customer_new", act(VerbCustomer, "0", CustomerAdd))),
			row(p.button("button.home", act(VerbHome))),
		},
	}
}

// goodsLabel is an item on a button, with how many where that is more than one, and for whom.
func (p Shelf) goodsLabel(item string, quantity int, who string) string {
	text := label(item, "?")
	if quantity > 1 {
		text += " " + isolate("× "+id(quantity))
	}
	// The name stands last: a client cuts a long button at its end, and the item and how many are what must be read.
	if who = clean(who, 20); who != "" {
		text += " · " + isolate(who)
	}
	return text
}

// ItemView is an item with what a shop has noted about it.
type ItemView struct {
	Product   api.Product
	Variant   api.Variant
	Favourite bool
	Words     []string // its short words
}

// Item is what a shop can keep at hand about an item: a place among the favourites, short words, and its price for a customer.
func (p Shelf) Item(v ItemView) Message {
	text := lines(p.item(v.Product.Name, v.Variant.Name), p.priced(v.Variant.Price), p.aged())
	if v.Favourite {
		text = lines(text, p.t("item.favourite", nil))
	}
	to := func(what string) Action { return act(VerbItem, id(v.Product.ID), id(v.Variant.ID), what) }
	keep := p.button("button.keep", to(ItemKeep))
	if v.Favourite {
		keep = p.button("button.unkeep", to(ItemUnkeep))
	}
	keys := [][]Button{
		row(p.button("button.buy", act(VerbVariant, id(v.Product.ID), id(v.Variant.ID)))),
		row(keep),
		row(p.button("button.word", to(ItemWord)), p.offerKey(v.Product, v.Variant)),
	}
	if p.own != nil {
		keys = append(keys, row(p.otherKey(v.Product, v.Variant)))
	}
	if len(v.Words) > 0 {
		text = lines(text, p.t("item.words", locales.Args{"Words": joined(v.Words)}))
	}
	// A short word is letters and digits alone, and short: it fits into the data as it is.
	for _, word := range v.Words[:min(len(v.Words), mostWords)] {
		keys = append(keys, row(Button{Text: p.plain("button.unname", locales.Args{"Word": name(word)}), Data: act(VerbUnname, word).Data(), Style: Danger}))
	}
	return Message{
		HTML:     text,
		Keyboard: append(keys, row(p.button("button.back", act(VerbProduct, id(v.Product.ID), "0")), p.button("button.home", act(VerbHome)))),
	}
}

// joined lists words from outside.
func joined(words []string) locales.HTML {
	var out []string
	for _, w := range words[:min(len(words), mostWords)] {
		out = append(out, string(name(w)))
	}
	return locales.HTML(strings.Join(out, " · "))
}

// WordProblem is why a short word is asked for once more.
type WordProblem string

// The problems.
const (
	WordFine WordProblem = ""
	WordBad  WordProblem = "word_bad"  // what was sent is none
	WordFull WordProblem = "word_full" // there are too many
)

// WordAsk asks for a short word for an item.
func (p Shelf) WordAsk(product, variant string, problem WordProblem) Message {
	wrong := map[WordProblem]string{WordBad: p.t("item.word_bad", nil), WordFull: p.t("item.word_full", nil)}[problem]
	return p.Keys().withCancel(lines(wrong, p.item(product, variant), p.t("item.word_ask", nil)))
}

// Aliases lists a shop's own short words.
func (p Shelf) Aliases(list []store.Alias) Message {
	home := [][]Button{row(p.button("button.home", act(VerbHome)))}
	if len(list) == 0 {
		return Message{HTML: lines(p.t("alias.none", nil), p.t("alias.how", nil)), Keyboard: home}
	}
	out := []string{p.t("alias.title", nil), ""}
	for _, a := range list[:min(len(list), wordsShown)] {
		out = append(out, p.direct("<b>"+string(name(a.Word))+"</b> = "+string(name(a.Name))))
	}
	out = append(out, "", p.t("alias.how", nil))
	return Message{HTML: spaced(out), Keyboard: home}
}

// AliasWhich tells how a short word that stands for nothing yet gets its item; bad tells that it can be none.
func (p Shelf) AliasWhich(word string, bad bool) Message {
	text := p.t("alias.which", locales.Args{"Word": name(word)})
	if bad {
		text = lines(p.t("item.word_bad", nil), p.t("alias.how", nil))
	}
	return Message{HTML: text, Keyboard: [][]Button{row(p.button("button.home", act(VerbHome)))}}
}

// AliasUnclear tells that no item, or too many, are meant by the words behind a short word.
func (p Shelf) AliasUnclear(words string) Message {
	return Message{
		HTML:     lines(p.t("alias.unclear", locales.Args{"Words": name(words)}), p.t("alias.how", nil)),
		Keyboard: [][]Button{row(p.button("button.buy", act(VerbBuy, "0")), p.button("button.home", act(VerbHome)))},
	}
}

// OfferProblem is why a price for a customer is asked for once more.
type OfferProblem string

// The problems.
const (
	OfferFine   OfferProblem = ""
	OfferBad    OfferProblem = "bad"    // no amount
	OfferUnsure OfferProblem = "unsure" // it can be read in two ways
	OfferBelow  OfferProblem = "below"  // less than it costs
)

// OfferAsk asks for the shop's own price of an item; price is the one to be confirmed, where there is a problem with it.
func (p Shelf) OfferAsk(v ItemView, price dzd.Amount, problem OfferProblem) Message {
	wrong := map[OfferProblem]string{OfferBad: p.t("offer.bad", nil), OfferUnsure: p.t("offer.unsure", nil), OfferBelow: p.t("offer.below", nil)}[problem]
	m := p.Keys().withCancel(lines(wrong, p.item(v.Product.Name, v.Variant.Name), p.t("offer.ask", nil)))
	// The price travels on the button: the 👍 is for the figure that it shows, whatever was typed since.
	if problem == OfferUnsure || problem == OfferBelow {
		yes := Button{Text: "👍 " + isolate(p.Amount(price)), Data: act(VerbItem, id(v.Product.ID), id(v.Variant.ID), ItemOffer, price.String()).Data()}
		m.Keyboard = append([][]Button{row(yes)}, m.Keyboard...)
	}
	return m
}

// Offer is a shop's price for a customer, to be forwarded as it is: it holds neither what the item costs nor a code.
func (p Shelf) Offer(shop, product, variant string, price dzd.Amount) Message {
	// It has no keyboard: whoever it is forwarded to has nothing to tap here.
	return Message{HTML: lines(p.direct("<b>"+string(p.account(shop))+"</b>"), p.direct(string(name(product))+" · "+string(name(variant))),
		p.t("offer.price", locales.Args{"Price": p.money(price)}))}
}

// OfferForward tells what to do with the message that follows: the price of an item.
func (p Shelf) OfferForward(v ItemView) Message {
	return Message{
		HTML: lines(p.item(v.Product.Name, v.Variant.Name), p.aged(), p.t("offer.forward", nil)),
		Keyboard: [][]Button{
			row(p.otherKey(v.Product, v.Variant)),
			row(p.button("button.back", act(VerbVariant, id(v.Product.ID), id(v.Variant.ID))), p.button("button.home", act(VerbHome))),
		},
	}
}

// offerKey makes the message for a customer: at the shop's own price, where it has one.
func (p Printer) offerKey(product api.Product, v api.Variant) Button {
	return p.button("button.offer", act(VerbItem, id(product.ID), id(v.ID), ItemOffer))
}

// otherKey asks for another price of it.
func (p Printer) otherKey(product api.Product, v api.Variant) Button {
	return p.button("button.offer_other", act(VerbItem, id(product.ID), id(v.ID), ItemOffer, OfferOther))
}

// shelfKey leads from an item's screen to what a shop keeps of it.
func (p Printer) shelfKey(product api.Product, v api.Variant) []Button {
	return row(p.button("button.item", act(VerbItem, id(product.ID), id(v.ID))))
}

// ownPrice is the row that makes the message with the shop's own price, where it has one.
func (p Printer) ownPrice(product api.Product, v api.Variant) [][]Button {
	if p.own == nil {
		return nil
	}
	return [][]Button{row(p.offerKey(product, v))}
}

// WithGoods puts the way to items that are kept at hand above a list.
func (p Shelf) WithGoods(m Message) Message {
	m.Keyboard = append([][]Button{row(p.button("button.goods", act(VerbItem)))}, m.Keyboard...)
	return m
}

// Goods are the items that are kept at hand, each a tap away from its first question: favourites, and what was bought lately.
func (p Shelf) Goods(favourites, lately []store.Goods) Message {
	keys := append(p.goodsKeys(favourites, lately), row(p.button("button.back", act(VerbBuy, "0")), p.button("button.home", act(VerbHome))))
	return Message{HTML: p.t("goods.title", nil), Keyboard: keys}
}

// goodsKeys are the buttons of items that are kept at hand.
func (p Shelf) goodsKeys(favourites, lately []store.Goods) [][]Button {
	return append(p.goodsRows("⭐️ ", favourites), p.goodsRows("🕘 ", lately)...)
}

// goodsRows are the buttons of some items.
func (p Printer) goodsRows(sign string, list []store.Goods) (keys [][]Button) {
	for _, g := range list[:min(len(list), mostOnTop)] {
		keys = append(keys, row(Button{Text: p.led(sign + label(g.Name, id(g.Variant))), Data: act(VerbVariant, id(g.Product), id(g.Variant)).Data()}))
	}
	return keys
}

package screen

import (
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"resellerbot/internal/ledger"
	"resellerbot/internal/picture"
	"resellerbot/internal/store"
	"resellerbot/locales"
)

// What a button says about the codes on a receipt, and what answers a question about the shop.
const (
	ReceiptCode = "code"    // they are written out
	ShopKeep    = "keep"    // the name of the account is the shop's
	ShopNoPhone = "nophone" // it shows no telephone
	ShopLogo    = "logo"    // its logo is asked for
	ShopNoLogo  = "nologo"  // it shows none
)

const (
	mostReceiptCodes = 10  // codes that a receipt holds; it counts more
	mostReceiptCode  = 100 // characters of one: a picture cuts nothing off a code
	mostReceiptRunes = 500 // of all of them: a caption has room for 1,024
	shortestShown    = 12  // characters of a code of which the last ones may be shown
	shownOfCode      = 4

	mostAdvice      = 100 // characters of a line of how to redeem
	mostAdviceLines = 3
	mostReceipt     = 950 // characters with tags, of a receipt's text

	mostShared    = 60 // characters of a fact that is shared: a link holds no more than some
	mostShopName  = 40
	mostShopPhone = 30
	fewestDigits  = 6
)

// ReceiptView is a receipt for the customer. It holds what a purchase has cost, for the trade does: no part of a receipt reads
// that.
type ReceiptView struct {
	Purchase store.Purchase
	Orders   []store.Order
	Trade    store.Trade
	Desk     store.Desk
	Shop     string // the name of the account, for a shop that has none of its own; hostile text
	Language string // that it is written in
	About    string // what the service says of the product; hostile text
	Codes    bool   // they are written out
}

// ReceiptLanguages are the languages that receipts are written in.
func ReceiptLanguages() []string { return []string{"ar", "fr"} }

// ShopName reads the name of a shop as customers see it; ok is false where it is none.
func ShopName(text string) (name string, ok bool) {
	return tidy(text, mostShopName)
}

// ShopPhone reads the telephone of a shop, digits of any script turned to Latin ones; ok is false where it is none.
func ShopPhone(text string) (phone string, ok bool) {
	phone, ok = tidy(text, mostShopPhone)
	digits := 0
	for _, r := range phone {
		switch {
		case r >= '0' && r <= '9':
			digits++
		case !strings.ContainsRune(" +-./()", r):
			return "", false
		}
	}
	return phone, ok && digits >= fewestDigits
}

// tidy is a text without marks of direction, and with single spaces; ok is false where nothing is left, or too much.
func tidy(text string, most int) (string, bool) {
	text = strings.Join(strings.Fields(clean(text, utf8.RuneCountInString(text)+1)), " ")
	return text, utf8.RuneCountInString(text) <= most && strings.ContainsFunc(text, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) })
}

// HasReceipt reports whether a customer can be given a receipt of a purchase: it was sold, or the shop has a price for it.
func (p Purchases) HasReceipt(pu store.Purchase, t store.Trade) bool {
	list, _, _ := p.list(pu, t)
	return len(t.Sold()) > 0 || len(list) > 0
}

// units are those that a receipt is of: what was sold last, for the other ones may be another customer's; else all in stock.
func (v ReceiptView) units() []ledger.Unit {
	sold := v.Trade.Sold()
	if len(sold) == 0 {
		return v.Trade.InStock()
	}
	last := slices.MaxFunc(sold, func(a, b ledger.Unit) int { return int(a.Sale) - int(b.Sale) }).Sale //nolint:gosec // G115: entries are few
	return slices.DeleteFunc(sold, func(u ledger.Unit) bool { return u.Sale != last })
}

// total is what the customer pays for the units of the receipt.
func (v ReceiptView) total() (total ledger.Money) {
	for _, u := range v.units() {
		price := u.Price
		// What was sold is told at its price of then, whatever the rules make of it today.
		if u.State != ledger.Sold {
			q, _ := v.Trade.Price(v.Purchase, u)
			price = q.Price
		}
		total += price
	}
	return total
}

// at is when it was sold; while it is not, when it was bought.
func (v ReceiptView) at() time.Time {
	if v.Trade.SoldAt.IsZero() {
		return boughtAt(v.Purchase)
	}
	return v.Trade.SoldAt
}

// codes are the codes of its units, a line each; fit is false where they are too many or too long for a receipt.
func (v ReceiptView) codes() (codes []string, fit bool) {
	runes := 0
	fit = true
	for _, u := range v.units() {
		i := slices.IndexFunc(v.Orders, func(o store.Order) bool { return o.ID == u.Order })
		if i < 0 {
			continue
		}
		for _, c := range v.Orders[i].Codes() {
			for line := range strings.SplitSeq(c.Reveal(), "\n") {
				n := utf8.RuneCountInString(line)
				runes, fit = runes+n, fit && n <= mostReceiptCode
				codes = append(codes, line)
			}
		}
	}
	return codes, fit && len(codes) <= mostReceiptCodes && runes <= mostReceiptRunes
}

// advice is how to redeem the codes: what the service says of the product, in few words. Where that holds what the product
// costs, nothing of it is passed on.
func (v ReceiptView) advice() (all []string) {
	if codes, _ := v.codes(); len(codes) == 0 {
		return nil
	}
	figures := func(r rune) rune {
		switch {
		case r >= '0' && r <= '9':
			return r
		case r >= '٠' && r <= '٩':
			return r - '٠' + '0'
		}
		return -1
	}
	about := strings.Map(figures, v.About)
	for _, u := range v.Trade.Units {
		if a, err := u.Cost.Amount(); err == nil {
			// A single digit is in any text. Digits of two numbers may join to the cost by chance: then advice is lost, and no cost is told.
			if whole, _, _ := a.Decimals(); len(whole) > 1 && strings.Contains(about, strings.Map(figures, whole)) {
				return nil
			}
		}
	}
	for line := range strings.Lines(v.About) {
		if text, _ := tidy(line, mostAdvice); text != "" && len(all) < mostAdviceLines {
			all = append(all, clean(text, mostAdvice))
		}
	}
	return all
}

// shown are the codes as the receipt has them: written out where that was chosen, else masked; none where they do not fit.
func (v ReceiptView) shown() []string {
	codes, fit := v.codes()
	if !fit {
		return nil
	}
	if !v.Codes {
		for i, c := range codes {
			codes[i] = masked(c)
		}
	}
	return codes
}

// masked is a code by which it is known again, and which cannot be redeemed.
// Four of fewer than twelve characters would be more than a third of the code.
// Example: "ABCD-EFGH-1234" is "**** 1234"; "1234-5678" is "****".
func masked(code string) string {
	runes := []rune(code)
	if len(runes) < shortestShown {
		return "****"
	}
	return "**** " + string(runes[len(runes)-shownOfCode:])
}

// shopName is what the shop is called for its customers.
func (v ReceiptView) shopName() string {
	if v.Desk.Name != "" {
		return v.Desk.Name
	}
	return clean(v.Shop, mostShopName)
}

// receiptLines are the facts of a receipt, by the printer of the customer's language.
func (p Sales) receiptLines(v ReceiptView) (all []picture.Line) {
	add := func(key, value string) { all = append(all, picture.Line{Name: p.plain(key, nil), Value: value}) }
	add("receipt.item", clean(v.Purchase.Product, nameLength)+" · "+clean(v.Purchase.Variant, nameLength))
	if n := len(v.units()); n > 1 {
		add("receipt.units", id(n))
	}
	// With its year: it is kept. The marks keep the day before the time where the picture runs from right to left.
	add("receipt.date", lrm+v.at().In(p.zone).Format("02/01/2006 "+clock)+lrm)
	add("receipt.ref", store.Ref(v.Purchase.ID))
	if codes, fit := v.codes(); !fit {
		add("receipt.codes", id(len(codes)))
	}
	owed := ledger.Money(0)
	for _, d := range v.Trade.Debts {
		owed += d.Owed
	}
	if owed > 0 {
		add("receipt.credit", unisolated(p.bookedText(owed)))
	}
	return all
}

// ReceiptPicture is what is drawn on a receipt, by the printer of the customer's language.
func (p Sales) ReceiptPicture(v ReceiptView) picture.Receipt {
	return picture.Receipt{
		RTL: p.RTL(), Shop: v.shopName(), Under: v.Desk.Phone, Title: p.plain("receipt.title", nil), Lines: p.receiptLines(v),
		Total: picture.Line{Name: p.plain("receipt.total", nil), Value: unisolated(p.bookedText(v.total()))},
		Codes: v.shown(), Advice: v.advice(), Foot: p.plain("receipt.thanks", nil),
	}
}

// Receipt is a receipt to be forwarded: a picture, and the same as a text under it, by the printer of the customer's language.
// The buttons stay behind where it is forwarded.
func (p Sales) Receipt(v ReceiptView, words Printer, png []byte) Message {
	drawn := words.Sales().ReceiptPicture(v)
	out := []string{words.direct("<b>" + string(name(drawn.Shop)) + "</b>")}
	if drawn.Under != "" {
		out = append(out, words.direct("☎️ "+string(name(drawn.Under))))
	}
	out = append(out, "🧾 "+escape(drawn.Title))
	for _, line := range append(drawn.Lines, drawn.Total) {
		out = append(out, words.t("receipt.line", locales.Args{"Name": locales.HTML(escape(line.Name)), "Value": name(line.Value)}))
	}
	for _, c := range drawn.Codes {
		out = append(out, isolate("<code>"+escape(c)+"</code>"))
	}
	// A caption has room for 1,024 characters: the picture says it in any case.
	if n := utf8.RuneCountInString(strings.Join(append(slices.Clone(out), drawn.Advice...), "\n")); n < mostReceipt {
		for _, advice := range drawn.Advice {
			out = append(out, words.direct(escape(advice)))
		}
	}
	return Message{
		HTML: lines(append(out, escape(drawn.Foot))...), Keyboard: append(p.receiptKeys(v), row(p.shareReceipt(drawn))),
		File: &File{Name: "receipt-" + store.Ref(v.Purchase.ID) + ".png", Body: png, Photo: true},
	}
}

// shareReceipt hands the text of a receipt on to another chat with a tap. No code is in it, also where the receipt writes it out: the
// text travels in a link, which clients and servers keep.
func (p Sales) shareReceipt(drawn picture.Receipt) Button {
	out := []string{"🧾 " + clean(drawn.Shop, mostShopName)}
	for _, line := range append(drawn.Lines, drawn.Total) {
		out = append(out, line.Name+": "+clean(line.Value, mostShared))
	}
	return Button{Text: p.plain("button.share", nil), URL: "https://t.me/share/url?url=" + inLink(lines(out...))}
}

// receiptKeys make the receipt anew: in the other language, with the codes or without.
func (p Sales) receiptKeys(v ReceiptView) [][]Button {
	codes := ""
	if v.Codes {
		codes = ReceiptCode
	}
	keys := p.tongues(v.Purchase, v.Language, codes)
	if all, fit := v.codes(); len(all) == 0 || !fit || p.hides() {
		return [][]Button{keys}
	}
	with := p.button("button.receipt_code", act(VerbReceipt, v.Purchase.ID, v.Language, ReceiptCode).fresh())
	if v.Codes {
		with = p.button("button.receipt_masked", act(VerbReceipt, v.Purchase.ID, v.Language).fresh())
	}
	return [][]Button{keys, row(with)}
}

// tongues are the languages of receipts but one.
func (p Sales) tongues(pu store.Purchase, but, codes string) (keys []Button) {
	for _, l := range tongueNames() {
		if l.code != but && slices.Contains(ReceiptLanguages(), l.code) {
			keys = append(keys, Button{Text: "🧾 " + l.name, Data: act(VerbReceipt, pu.ID, l.code, codes).fresh().Data()})
		}
	}
	return keys
}

// ReceiptLanguage asks in which language the customer reads.
func (p Sales) ReceiptLanguage(pu store.Purchase) Message {
	return Message{
		HTML:     lines(p.t("receipt.head", nil), p.item(pu.Product, pu.Variant), p.t("receipt.language", nil)),
		Keyboard: [][]Button{p.tongues(pu, "", ""), row(p.button("button.home", act(VerbHome)))},
	}
}

// ShopAsk asks what the shop is called for its customers. account is the name that can be kept; purchase is the one whose receipt
// waits for the answer; empty for none.
func (p Sales) ShopAsk(account, purchase string, wrong bool) Message {
	var keys [][]Button
	if text := clean(account, buttonName); text != "" {
		keys = append(keys, row(Button{Text: label(text, "?"), Data: act(VerbShop, purchase, ShopKeep).Data()}))
	}
	return Message{HTML: p.shopQuestion("receipt.ask_name", "receipt.bad_name", wrong), Keyboard: append(keys, row(p.button("button.cancel", act(VerbCancel))))}
}

// PhoneAsk asks for the telephone of the shop.
func (p Sales) PhoneAsk(purchase string, wrong bool) Message {
	return Message{HTML: p.shopQuestion("receipt.ask_phone", "receipt.bad_phone", wrong), Keyboard: [][]Button{
		row(p.button("button.receipt_nophone", act(VerbShop, purchase, ShopNoPhone))), row(p.button("button.cancel", act(VerbCancel))),
	}}
}

// shopQuestion is a question about the shop, after what was wrong with the answer before.
func (p Sales) shopQuestion(ask, bad string, wrong bool) string {
	if wrong {
		return lines(p.t("receipt.head", nil), p.t(bad, nil), p.t(ask, nil))
	}
	return lines(p.t("receipt.head", nil), p.t(ask, nil))
}

// LogoProblem is why a logo is asked for once more.
type LogoProblem string

// The problems.
const (
	LogoFine   LogoProblem = ""
	LogoSize   LogoProblem = "size"   // the file is too big
	LogoPixels LogoProblem = "pixels" // the picture is too large
	LogoBroken LogoProblem = "broken" // it is none
	LogoFetch  LogoProblem = "fetch"  // Telegram did not give it
)

// LogoAsk asks for the logo of the shop.
func (p Sales) LogoAsk(d store.Desk, problem LogoProblem) Message {
	wrong := map[LogoProblem]string{
		LogoSize: p.t("receipt.logo_size", nil), LogoPixels: p.t("receipt.logo_pixels", nil), LogoBroken: p.t("receipt.logo_broken", nil), LogoFetch: p.t("receipt.logo_fetch", nil),
	}[problem]
	var keys [][]Button
	if len(d.Logo) > 0 {
		keys = append(keys, row(p.button("button.receipt_logo_off", act(VerbShop, "", ShopNoLogo))))
	}
	return Message{HTML: lines(p.t("receipt.head", nil), wrong, p.t("receipt.ask_logo", nil)), Keyboard: append(keys, row(p.button("button.cancel", act(VerbCancel))))}
}

// ShopSaved tells what stands on receipts by now.
func (p Sales) ShopSaved(d store.Desk) Message {
	phone := ""
	if d.Phone != "" {
		phone = p.direct("☎️ " + string(name(d.Phone)))
	}
	logo := ""
	if len(d.Logo) > 0 {
		logo = p.t("receipt.logo_on", nil)
	}
	return Message{
		HTML:     lines(p.t("receipt.head", nil), p.t("receipt.saved", nil), "<b>"+string(name(d.Name))+"</b>", phone, logo),
		Keyboard: [][]Button{row(p.button("button.receipt_shop", act(VerbShop)), p.button("button.receipt_logo", act(VerbShop, "", ShopLogo))), row(p.button("button.home", act(VerbHome)))},
	}
}

package conversations

import (
	"slices"
	"strconv"

	"resellerbot/internal/api"
	"resellerbot/internal/reports"
	"resellerbot/internal/screen"
	"resellerbot/internal/store"
)

const mostOnPriceList = 60 // products that can be chosen for a price list

// priceListTapped runs the buttons of the price list for customers.
func (t priceFlow) priceListTapped() error {
	if _, _, ok, err := t.account(); err != nil || !ok {
		return err
	}
	t.leave()
	d, err := t.cfg.Store.Desk(t.ctx, t.shop.ID)
	if err != nil {
		return err
	}
	switch form := t.action.Arg(0); form {
	case "":
		return t.say(t.scr.Prices().PriceList(d))
	case screen.PriceListTall, screen.PriceListSheet, screen.PriceListText:
		return t.sendPriceList(d, form, t.action.Arg(1))
	case screen.PriceListPick:
		return t.pickForPriceList()
	case screen.PriceListDaily:
		if t.action.Arg(1) == "" {
			return t.say(t.scr.Prices().PriceListHour(d.ListAt))
		}
		return t.setPriceListHour()
	}
	return t.stale()
}

// sendPriceList sends the price list in a form and a language. Both are those of the one that comes by itself, from then on.
func (t priceFlow) sendPriceList(d store.Desk, form, language string) error {
	words, ok := t.cfg.Screens.For(language)
	if !ok || !slices.Contains(screen.ReceiptLanguages(), language) {
		return t.stale()
	}
	defer t.ackSoon()() // to draw takes longer than a tap may wait
	return t.withPriceList(d, func(v screen.PriceListView) error {
		tall := form != screen.PriceListSheet
		switch {
		case len(v.Sections) == 0:
			return t.say(t.scr.Prices().PriceListEmpty())
		case form == screen.PriceListText:
			m, fits := words.Prices().PriceListAsText(v)
			if !fits {
				m = t.scr.Prices().PriceListTooLong()
			}
			return t.say(m)
		}
		drawn := words.Prices().PriceListPicture(v, tall)
		pages, err := reports.PriceList(drawn, v.Desk.Logo)
		if err != nil {
			return err
		}
		// Drawn before it is kept: a form that cannot be drawn would come as an error every morning.
		err = saleFlow(t).changeDesk(func(d *store.Desk) { d.ListForm, d.Language = form, language })
		if err != nil {
			return t.refused(err)
		}
		for i, png := range pages {
			if err := t.say(t.scr.Prices().PriceListPage(png, tall, v.At.In(t.cfg.Zone).Format("2006-01-02"), i)); err != nil {
				return err
			}
		}
		return nil
	})
}

// withPriceList runs show on what stands on the price list now.
func (t priceFlow) withPriceList(d store.Desk, show func(screen.PriceListView) error) error {
	own, err := t.cfg.Store.Prices(t.ctx, t.shop.ID)
	if err != nil {
		return err
	}
	v := screen.PriceListView{Desk: d, Shop: t.shop.Name, At: now()}
	read := func(s Service) ([]screen.PriceListSection, error) {
		return reports.PriceListSections(t.ctx, s, own.Rules, d.List)
	}
	return withService(t.turn, read, func(all []screen.PriceListSection) error {
		v.Sections = all
		return show(v)
	})
}

// pickForPriceList shows which products are on the list, after it has put one on it or taken one off.
func (t priceFlow) pickForPriceList() error {
	return t.withCatalogue(func(all []api.Product) error {
		toast, err := t.picked(all, t.action.Arg(2))
		switch {
		case err != nil:
			return t.refused(err)
		case toast != "":
			t.alert(toast)
			return nil
		}
		d, err := t.cfg.Store.Desk(t.ctx, t.shop.ID)
		return firstError(err, func() error { return t.say(t.scr.Prices().PriceListChoice(all, d.List, int(t.action.Int(1)))) })
	})
}

// picked keeps what was picked; no names why not: the list has no room for it, or would be empty, which means all products and is
// a button of its own. A turned page picks nothing, as does the button of a product that is sold no more: neither is an error, and
// the products of today are the answer to both.
func (t priceFlow) picked(all []api.Product, word string) (no screen.Toast, err error) {
	if word == screen.PriceListAll {
		return "", saleFlow(t).changeDesk(func(d *store.Desk) { d.List = nil })
	}
	product, err := strconv.ParseInt(word, 10, 64)
	if err != nil || !slices.ContainsFunc(all, func(p api.Product) bool { return p.ID == product }) {
		return "", nil //nolint:nilerr // no product, as said
	}
	err = saleFlow(t).changeDesk(func(d *store.Desk) {
		was, next := len(d.List), toggled(d.List, product, all)
		// The change runs within a transaction, which may run again: what an earlier run has found does not count.
		switch no = ""; {
		case len(next) == 0:
			no = screen.ToastPriceListLast
			return
		case was == mostOnPriceList && len(next) == mostOnPriceList:
			no = screen.ToastPriceListFull
		}
		d.List = next
	})
	return no, err
}

// toggled is a choice of products with one more, or one less. What is sold no more leaves it by itself.
func toggled(chosen []int64, product int64, all []api.Product) []int64 {
	is := slices.Contains(chosen, product)
	chosen = slices.DeleteFunc(slices.Clone(chosen), func(id int64) bool {
		return id == product || !slices.ContainsFunc(all, func(p api.Product) bool { return p.ID == id })
	})
	if !is && len(chosen) < mostOnPriceList {
		chosen = append(chosen, product)
	}
	return chosen
}

// setPriceListHour sets at which hour the price list comes by itself.
func (t priceFlow) setPriceListHour() error {
	at := int(t.action.Int(1)) * 60
	off := t.action.Arg(1) == screen.ReportOff
	// Minutes of the day. Midnight is refused: 0 is how it is kept that no list comes by itself.
	if !off && (at <= 0 || at >= 24*60) {
		return t.stale()
	}
	if off {
		at = 0
	}
	b, err := t.cfg.Store.Book(t.ctx, t.shop.ID)
	if ignoreMissing(err) != nil {
		return err
	}
	if err != nil { // nothing has a price yet
		return t.say(t.scr.Prices().PriceListEmpty())
	}
	err = saleFlow(t).changeDesk(func(d *store.Desk) {
		if d.ListAt = at; !slices.Contains(screen.ReceiptLanguages(), d.Language) {
			d.Language = t.priceListLanguage()
		}
		if today := b.Today(now()); b.Reached(at, now()) { // the first one comes tomorrow
			d.Listed = max(d.Listed, today)
		}
	})
	if err != nil {
		return t.refused(err)
	}
	return t.say(t.scr.Prices().PriceListHour(at))
}

// priceListLanguage is the language of a price list that nobody has chosen one for.
func (t priceFlow) priceListLanguage() string {
	if all := screen.ReceiptLanguages(); !slices.Contains(all, t.chat.Language) {
		return all[len(all)-1]
	}
	return t.chat.Language
}

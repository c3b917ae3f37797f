package conversations

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"unicode"

	"resellerbot/internal/api"
	"resellerbot/internal/api/orderid"
	"resellerbot/internal/figures"
	"resellerbot/internal/orderline"
	"resellerbot/internal/purchase"
	"resellerbot/internal/screen"
	"resellerbot/internal/search"
	"resellerbot/internal/store"
)

// leastPart is how many signs of a number or a code find it: fewer would find everything.
const leastPart = 4

// find lists the newest purchases that the person may see here and that hold every word: a reference, an order number
// of the service, a player, a customer, the end of a code, who bought it, or what.
func (t orderFlow) find(words string) (screen.OrdersView, error) {
	wanted, found := strings.Fields(search.Fold(words)), screen.OrdersView{Words: words, Linked: t.chat.Account != ""}
	customers, err := t.namedPartly(wanted)
	if err != nil {
		return found, err
	}
	x, err := t.theirs(customers)
	if err != nil {
		return found, err
	}
	all := t.seesAll()
	if all {
		found.Scope = screen.OrdersAll
	}
	// One more than a page: it tells that there are more.
	holds := func(b screen.Bought) bool { return isAbout(b, x, wanted) }
	list, older, err := t.purchases(between{}, all, ordersPage+1, holds)
	if err == nil && len(list) == 0 && all && t.private { // what they have bought for another shop is theirs, and none of this one's
		found.Scope = ""
		var olderOwn string
		list, olderOwn, err = t.purchases(between{}, false, ordersPage+1, holds)
		older = cmp.Or(olderOwn, older) // nothing was found among the newest of either
	}
	found.List, found.More = list[:min(len(list), ordersPage)], len(list) > ordersPage
	// Older ones were not looked through: the screen says among how many of the newest nothing else was found.
	if older != "" && !found.More {
		found.Newest = mostRead
	}
	return found, err
}

// isAbout reports whether a purchase, which may be one of a customer's, holds every word. They are folded.
func isAbout(b screen.Bought, x theirs, wanted []string) bool {
	names := []string{b.Product, b.Variant, b.Buyer}
	if c, is := x.of(b.Purchase); is {
		names = append(names, c.Name.Reveal())
	}
	numbers := []string{}
	if b.Player != nil {
		names, numbers = append(names, b.Player.Name, b.Player.Region), append(numbers, b.Player.ID)
	}
	for _, in := range b.Inputs {
		names = append(names, in.Value)
	}
	var codes []string
	for _, o := range b.Orders {
		numbers = append(numbers, o.ServiceID(), o.Other)
		for _, code := range o.Codes() {
			codes = append(codes, code.Reveal())
		}
	}
	text := search.Fold(strings.Join(names, "\n"))
	for _, w := range wanted {
		// Each word has to be somewhere; which of the places holds it makes no difference.
		number := strings.TrimPrefix(w, "#")
		if number != search.Fold(store.Ref(b.ID)) && !isNamed(text, w) && !slices.ContainsFunc(numbers, func(n string) bool { return isPart(n, number, strings.Contains) }) &&
			!slices.ContainsFunc(codes, func(c string) bool { return isPart(c, w, strings.HasSuffix) }) {
			return false
		}
	}
	return true
}

// isNamed reports whether names hold a word, or a part of one. A number is in them as a whole alone: 10 is no part of 100.
func isNamed(text, word string) bool {
	if strings.Trim(word, "0123456789") != "" {
		return strings.Contains(text, word)
	}
	return slices.Contains(strings.FieldsFunc(text, func(r rune) bool { return !unicode.IsDigit(r) }), word)
}

// isPart reports whether a number or a code is what was typed, or has it where `in` says.
func isPart(whole, typed string, in func(string, string) bool) bool {
	whole = search.Fold(whole)
	return whole == typed && typed != "" || len(typed) >= leastPart && in(whole, typed)
}

// namesPurchase reports whether what was typed looks like the number of something that was bought.
func namesPurchase(words string) bool {
	digits := 0
	for _, r := range words {
		if unicode.IsDigit(r) {
			digits++
		}
	}
	return strings.HasPrefix(strings.TrimSpace(words), "#") || digits > leastPart
}

// showFound shows the purchases that hold the words, if there are any. A single one is opened, unless a short number alone
// has found it: that is often the answer to a question that is not open any more, and opening would show codes to somebody
// who meant a quantity.
func (t orderFlow) showFound(words string) (shown bool, err error) {
	found, err := t.find(words)
	switch {
	case err != nil:
		return false, err
	case len(found.List) == 0 && !namesPurchase(words):
		return false, nil
	case len(found.List) == 0:
		return t.showElsewhere(words)
	case len(found.List) == 1 && (namesPurchase(words) || !isNumber(words)):
		return true, t.order(found.List[0].ID)
	}
	return true, t.showOrders(found)
}

// showElsewhere opens the order of the service's own history that has a number, for owners in private: it was made outside
// the bot. What the service cannot tell now is not found.
func (t orderFlow) showElsewhere(words string) (shown bool, err error) {
	number := strings.TrimPrefix(strings.TrimSpace(figures.Latin(words)), "#")
	if !t.private || t.role != store.Owner || !strings.ContainsAny(number, "0123456789") || strings.ContainsAny(number, " \n") {
		return false, nil
	}
	defer t.ackSoon()()
	ctx, cancel := context.WithTimeout(t.ctx, lookPatience)
	defer cancel()
	service := t.cfg.Service(t.shop)
	// The lists of all families, since a number does not tell whose it is.
	for _, family := range []api.Family{api.Goods, api.Arena, api.BattleRoyale} {
		list, err := service.History(ctx, family, historyAge)
		if err != nil {
			if class := api.ClassOf(err); class != api.NotOffered {
				t.cfg.Log.Warn("a history cannot be searched", "update", t.update, "family", string(family), "err", err)
			}
			continue
		}
		for _, o := range purchase.InOurTime(t.shop, family, list) {
			if o.ID != "" && (orderid.Same(o.ID, number) || o.Transaction != "" && orderid.Same(o.Transaction, number)) {
				return true, t.pastEntry(family, o)
			}
		}
	}
	return false, nil
}

// search shows the products that match; one that is the only match is opened at once. What names a purchase, or finds
// no product, finds purchases; but several words that say what to buy are bought by, though such a purchase was made
// before. The counter buys nothing.
func (t buyFlow) search(words string) error {
	if t.role == store.Counter {
		// Several lines are a list that somebody wants bought: no order is named by them.
		if orderline.IsList(words) {
			return t.refuse(store.Seller)
		}
		return orderFlow(t).search(words)
	}
	if orderline.IsList(words) && !t.shop.Key.IsZero() {
		return listFlow(t).pasted(words)
	}
	return t.searchLines(words)
}

// searchLines is search for words that are no list.
func (t buyFlow) searchLines(words string) error {
	if shown, err := t.searchNames(words); shown || err != nil {
		return err
	}
	return t.withCatalogue(func(all []api.Product) error {
		if taken, err := t.searchLine(all, words); taken || err != nil {
			return err
		}
		return t.searchCatalogue(all, words)
	})
}

// searchNames shows the purchase, or the customer, that words name.
func (t buyFlow) searchNames(words string) (shown bool, err error) {
	// First, and without the catalogue: somebody who holds a receipt in their hands wants that.
	if ref, withSign := referenceIn(words); ref != "" {
		if shown, err := orderFlow(t).showReferred(ref); shown || err != nil {
			return shown, err
		}
		if withSign && (t.shop.ID != "" || wasIn(t.chat)) { // there is nothing else that they could mean
			return true, orderFlow(t).ordersWith("#" + ref)
		}
	}
	if namesPurchase(words) && isOneWord(words) {
		if shown, err := orderFlow(t).showFound(words); shown || err != nil {
			return shown, err
		}
		if t.role == store.NoRole && wasIn(t.chat) { // there is nothing else that they could mean
			return true, orderFlow(t).ordersWith(words)
		}
	}
	if len(words) > mostNameBytes {
		return false, nil
	}
	return customerFlow(t).showNamed(words)
}

// searchLine takes words for a line that buys, or for several that name a purchase.
func (t buyFlow) searchLine(all []api.Product, words string) (taken bool, err error) {
	if words == "" { // there is no line to read, and nothing to ask the service for it
		return false, nil
	}
	if taken, err := t.typedLine(all, words); taken || err != nil {
		return taken, err
	}
	if namesPurchase(words) && !isOneWord(words) {
		if shown, err := orderFlow(t).showFound(words); shown || err != nil {
			return shown, err
		}
	}
	return t.unfitLine(all, words)
}

// isNumber reports whether words are a number and nothing else.
func isNumber(words string) bool { return strings.Trim(figures.Latin(words), "0123456789 ") == "" }

func isOneWord(words string) bool { return len(strings.Fields(words)) == 1 }

// search shows what was bought for the customer who is called so, the purchase that words name, or those that match.
func (t orderFlow) search(words string) error {
	if ref, _ := referenceIn(words); ref != "" {
		if shown, err := t.showReferred(ref); shown || err != nil {
			return err
		}
	}
	for _, show := range []func(string) (bool, error){t.showCustomers, t.showFound} {
		if shown, err := show(words); shown || err != nil {
			return err
		}
	}
	return t.ordersWith(words)
}

// searchCatalogue shows the products that match, and where none does, the purchases.
func (t buyFlow) searchCatalogue(all []api.Product, words string) error {
	found := t.indexes.of(all).Find(words)
	// "card x3" names more than a line can mean: how many is asked once it is clear of what.
	if rest, named, _ := orderline.Quantity(words); named && len(found.Products) == 0 {
		if wider := t.indexes.of(all).Find(rest); len(wider.Products) > 0 {
			words, found = rest, wider
		}
	}
	switch {
	case words == "":
	// A number alone is often the answer to a question that is not open any more: it opens nothing by itself.
	case found.Variant != nil && isNumber(words):
		return t.list(found.Products, 0, words)
	case found.Variant != nil && found.Variant.Available && t.there(*found.Variant):
		return t.beginListed(found.Products[0].ID, *found.Variant, words)
	case len(found.Products) == 1:
		return t.withProduct(found.Products[0].ID, func(p api.Product) error { return t.variants(p, 0, browsing{Query: words}) })
	case len(found.Products) == 0:
		if command := t.labelled(words); command != "" {
			return t.command(command, "")
		}
		for _, show := range []func() (bool, error){func() (bool, error) { return t.searchBought(words) }, func() (bool, error) { return t.strangerLine(all, words) }} {
			if shown, err := show(); shown || err != nil {
				return err
			}
		}
		return t.ask(t.scr.Catalogue().NoProduct(found.Near, words), flowBrowse, "", browsing{Query: words})
	}
	return t.list(found.Products, 0, words)
}

// labelled is the command that leads where a button of the home screen does, where words are what it says; "" for others.
func (t buyFlow) labelled(words string) string {
	// Arabic buttons say "the balance", and people "balance".
	bare := func(s string) string { return strings.TrimPrefix(search.Fold(strings.TrimSpace(s)), "ال") }
	for _, l := range t.cfg.Screens.Labels() {
		if bare(l.Text) == bare(words) {
			return l.Command
		}
	}
	return ""
}

// searchBought shows what words that name no product find among the customers, and among what was bought. Who types a part of a name means
// the person, whose card leads to what was bought for them; a number is that of a purchase first.
func (t buyFlow) searchBought(words string) (shown bool, err error) {
	shows := []func(string) (bool, error){customerFlow(t).showHolding, orderFlow(t).showFound}
	if namesPurchase(words) || isNumber(words) {
		slices.Reverse(shows)
	}
	for _, show := range shows {
		if shown, err = show(words); shown || err != nil {
			return shown, err
		}
	}
	return false, nil
}

// showHolding shows the customers on whose card some words stand. A single one is opened, unless a number alone has found it, as showFound has
// it.
func (t customerFlow) showHolding(words string) (shown bool, err error) {
	if t.shop.ID == "" || len(words) > mostNameBytes {
		return false, nil
	}
	all, err := t.customers()
	if err != nil {
		return false, err
	}
	switch found := holding(all, words); {
	case len(found) == 0:
		return false, nil
	case len(found) == 1 && !isNumber(words):
		return true, t.present(found[0])
	}
	return true, t.list(words, 0)
}

// beginListed starts a purchase of what a list has shown, as its product has it.
func (t buyFlow) beginListed(product int64, listed api.Variant, words string) error {
	return t.withProduct(product, func(p api.Product) error {
		v, ok := listedVariant(p, listed)
		if !ok {
			return t.variants(p, 0, browsing{Query: words})
		}
		return t.begin(p, v)
	})
}

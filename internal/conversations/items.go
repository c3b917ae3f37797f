package conversations

import (
	"encoding/json"
	"errors"
	"strings"
	"unicode"
	"unicode/utf8"

	"resellerbot/internal/api"
	"resellerbot/internal/api/dzd"
	"resellerbot/internal/figures"
	"resellerbot/internal/pricing"
	"resellerbot/internal/screen"
	"resellerbot/internal/search"
	"resellerbot/internal/store"
)

const (
	flowItem  = "item"
	stepWord  = "word"  // a short word for an item
	stepOffer = "offer" // its price for a customer

	leastWord, mostWord = 2, 12 // letters of a short word: a button carries it
)

// keeping is the state of a question about an item.
type keeping struct {
	mistake

	Product int64 `json:"Product"`
	Variant int64 `json:"Variant"`
}

// itemTapped runs the buttons of an item.
func (t itemFlow) itemTapped() error {
	if len(t.action.Args) == 0 {
		favourites, lately, err := t.atHand()
		return firstError(err, func() error { return t.say(t.scr.Shelf().Goods(favourites, lately)) })
	}
	return t.withItem(t.action.Int(0), t.action.Int(1), func(p api.Product, v api.Variant) error {
		switch t.action.Arg(2) {
		case screen.ItemKeep, screen.ItemUnkeep:
			return t.keep(p, v, t.action.Arg(2) == screen.ItemKeep)
		case screen.ItemWord:
			return t.ask(t.scr.Shelf().WordAsk(p.Name, v.Name, screen.WordFine), flowItem, stepWord, keeping{Product: p.ID, Variant: v.ID})
		case screen.ItemOffer:
			return t.offerTapped(p, v)
		}
		return t.present(p, v)
	})
}

// withItem runs show on an item as it is sold now; one that is sold no more gives way to its product.
func (t itemFlow) withItem(product, variant int64, show func(api.Product, api.Variant) error) error {
	return t.withProduct(product, func(p api.Product) error {
		v, ok := findVariant(p, variant)
		if !ok {
			t.ack(screen.ToastStale)
			return buyFlow(t).variants(p, 0, browsing{})
		}
		return show(p, v)
	})
}

// present shows an item with what the shop has noted about it.
func (t itemFlow) present(p api.Product, v api.Variant) error {
	shelf, err := t.cfg.Store.Shelf(t.ctx, t.chat.Account)
	if err != nil {
		return err
	}
	scr, err := t.selling(p, v)
	if err != nil {
		return err
	}
	t.leave()
	return t.say(scr.Shelf().Item(screen.ItemView{Product: p, Variant: v, Favourite: shelf.Favourite(p.ID, v.ID), Words: shelf.Words(p.ID, v.ID)}))
}

// goods is an item as it is kept at hand.
func goods(p api.Product, v api.Variant) store.Goods {
	return store.Goods{Product: p.ID, Variant: v.ID, Name: p.Name + " · " + v.Name}
}

// keep makes an item a favourite, or no longer one.
func (t itemFlow) keep(p api.Product, v api.Variant, is bool) error {
	err := t.change(func(s *store.Shelf) error {
		if is {
			s.Keep(goods(p, v))
		} else {
			s.Unkeep(p.ID, v.ID)
		}
		return nil
	})
	return firstError(err, func() error { return t.present(p, v) })
}

// change changes what the account keeps at hand.
func (t itemFlow) change(fn func(*store.Shelf) error) error {
	return t.cfg.Store.Batch(t.ctx, func(tx *store.Tx) error { return tx.ChangeShelf(t.chat.Account, fn) })
}

// itemTyped takes the answer to a question about an item.
func (t itemFlow) itemTyped() error {
	var k keeping
	if err := json.Unmarshal(t.session.Data, &k); err != nil {
		return t.stale()
	}
	// Kept before withItem, whose screens may close the question.
	step := t.session.Step
	return t.withItem(k.Product, k.Variant, func(p api.Product, v api.Variant) error {
		if step == stepWord {
			return t.takeWord(t.text, p, v)
		}
		return t.takeOffer(p, v)
	})
}

// takeWord gives an item a short word.
func (t itemFlow) takeWord(text string, p api.Product, v api.Variant) error {
	again := func(problem screen.WordProblem) error {
		wrong := screen.Problem(problem)
		t.correct(wrong)
		return t.ask(t.scr.Shelf().WordAsk(p.Name, v.Name, problem), flowItem, stepWord, keeping{Product: p.ID, Variant: v.ID, mistake: mistake{wrong}})
	}
	word, ok := shortWord(text)
	if !ok {
		return again(screen.WordBad)
	}
	err := t.change(func(s *store.Shelf) error { return s.Name(store.Alias{Word: word, Goods: goods(p, v)}) })
	if errors.Is(err, store.ErrFull) {
		return again(screen.WordFull)
	}
	return firstError(err, func() error { return t.present(p, v) })
}

// shortWord reads a short word: one word that is no number, and nothing but letters and digits.
func shortWord(text string) (word string, ok bool) {
	word = search.Fold(strings.TrimSpace(text))
	letters := 0
	for _, r := range word {
		switch {
		case unicode.IsLetter(r):
			letters++
		case !unicode.IsDigit(r):
			return "", false
		}
	}
	n := utf8.RuneCountInString(word)
	return word, letters > 0 && n >= leastWord && n <= mostWord
}

// unname takes a short word away, wherever it stands.
func (t itemFlow) unname() error {
	var was store.Goods
	err := t.change(func(s *store.Shelf) error {
		g, known := s.Alias(t.action.Arg(0))
		if !known {
			return store.ErrNotFound
		}
		was = g
		s.Unname(t.action.Arg(0))
		return nil
	})
	if errors.Is(err, store.ErrNotFound) {
		return t.stale()
	}
	if err != nil {
		return err
	}
	// Its page is shown without the word; that the item is sold no more does not keep the word.
	return t.withItem(was.Product, was.Variant, t.present)
}

// alias is /alias: the short words that there are, or a new one for the item that the words behind it name.
func (t itemFlow) alias(rest string) error {
	t.leave()
	if _, _, ok, err := t.account(); err != nil || !ok {
		return err
	}
	word, words, _ := strings.Cut(strings.TrimSpace(rest), " ")
	if words = strings.TrimSpace(words); words == "" {
		shelf, err := t.cfg.Store.Shelf(t.ctx, t.chat.Account)
		if err != nil {
			return err
		}
		if g, known := shelf.Alias(search.Fold(word)); known {
			return t.withItem(g.Product, g.Variant, t.present)
		}
		if word != "" {
			_, can := shortWord(word)
			return t.say(t.scr.Shelf().AliasWhich(word, !can))
		}
		return t.say(t.scr.Shelf().Aliases(shelf.Aliases))
	}
	return t.withCatalogue(func(all []api.Product) error {
		r, err := t.lineReader(all)
		if err != nil || r == nil {
			return err
		}
		var ways []meant
		// By the catalogue alone: a short word for a short word would change its meaning with that one.
		for _, m := range r.named(words, false) {
			ways = append(ways, meant{Product: m.Product.ID, Variant: m.Variant.ID, Item: m.Product.Name, Name: m.Variant.Name})
		}
		switch {
		case len(ways) == 0 || len(ways) > mostMeant:
			return t.say(t.scr.Shelf().AliasUnclear(words))
		case len(ways) > 1:
			return buyFlow(t).askMeant(words, parsedLine{Ways: ways, Alias: word})
		}
		return t.name(word, ways[0].Product, ways[0].Variant)
	})
}

// name gives an item a short word, or asks for one that can be.
func (t itemFlow) name(word string, product, variant int64) error {
	return t.withItem(product, variant, func(p api.Product, v api.Variant) error { return t.takeWord(word, p, v) })
}

// offerTapped makes the message for a customer: with the price that the button shows, or with the shop's own. It asks for one
// where no rule gives any, where another one is wanted, and before it tells one that is less than the item costs.
func (t itemFlow) offerTapped(p api.Product, v api.Variant) error {
	asked := func(price dzd.Amount, problem screen.OfferProblem) error {
		return t.ask(t.scr.Shelf().OfferAsk(screen.ItemView{Product: p, Variant: v}, price, problem), flowItem, stepOffer, keeping{Product: p.ID, Variant: v.ID})
	}
	// The amount of the 👍 was confirmed by the tap: it is not asked about again, though it is below the price.
	if amount, err := dzd.Parse(t.action.Arg(3)); err == nil && amount.Sign() > 0 {
		return t.offer(p, v, amount)
	}
	own, err := t.cfg.Store.Prices(t.ctx, t.chat.Account)
	if err != nil {
		return err
	}
	q, ruled := own.Rules.For(screen.ItemOf(p, v))
	if !ruled || t.action.Arg(3) == screen.OfferOther {
		return asked(dzd.Amount{}, screen.OfferFine)
	}
	price, err := q.Price.Amount()
	if err != nil {
		return err
	}
	if q.BelowCost() && own.Rules.Below != pricing.Off {
		return asked(price, screen.OfferBelow)
	}
	return t.offer(p, v, price)
}

// takeOffer reads the shop's price of an item. What can be read in two ways, or is less than the item costs, is shown back.
func (t itemFlow) takeOffer(p api.Product, v api.Variant) error {
	again := func(a dzd.Amount, problem screen.OfferProblem) error {
		wrong := screen.Problem(problem)
		t.correct(wrong)
		return t.ask(t.scr.Shelf().OfferAsk(screen.ItemView{Product: p, Variant: v}, a, problem), flowItem, stepOffer, keeping{Product: p.ID, Variant: v.ID, mistake: mistake{wrong}})
	}
	amount, sure, err := figures.Amount(t.text)
	switch {
	case err != nil || amount.Sign() <= 0:
		return again(dzd.Amount{}, screen.OfferBad)
	case !sure:
		return again(amount, screen.OfferUnsure)
	case amount.Less(v.Price):
		return again(amount, screen.OfferBelow)
	}
	return t.offer(p, v, amount)
}

// offer sends the price of an item as a message that can be forwarded as it is.
func (t itemFlow) offer(p api.Product, v api.Variant, amount dzd.Amount) error {
	t.leave()
	// What to do with it is said before it: the offer itself is the last message, and forwarded as it stands.
	if err := t.say(t.scr.Shelf().OfferForward(screen.ItemView{Product: p, Variant: v})); err != nil {
		return err
	}
	// Not by show: that edits what was tapped, and names the account to whoever has several, which is nothing for a customer.
	_, err := t.cfg.Messenger.Send(t.ctx, t.chatID, t.thread, t.scr.Shelf().Offer(t.shop.Name, p.Name, v.Name, amount))
	return err
}

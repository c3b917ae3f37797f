package conversations

import (
	"cmp"
	"context"
	"encoding/json"
	"slices"
	"time"

	"resellerbot/internal/api"
	"resellerbot/internal/screen"
	"resellerbot/internal/store"
)

const (
	flowBrowse   = "browse"
	catalogueAge = time.Minute // how old a catalogue may be that is browsed
	balanceAge   = 30 * time.Second
)

// browsing is the state of looking through the catalogue.
type browsing struct {
	Query string `json:"Query"` // what was searched; empty for the whole catalogue
}

// buy is /buy: the catalogue, or what a search in it finds.
func (t buyFlow) buy(words string) error {
	t.leave()
	return t.search(words)
}

// variants shows one page of a product's variants.
func (t buyFlow) variants(p api.Product, page int, b browsing) error {
	return t.ask(t.scr.Catalogue().Variants(p, page), flowBrowse, "", b)
}

// browse runs the buttons of the catalogue.
func (t buyFlow) browse() error {
	if t.action.Verb == screen.VerbBuy {
		return t.turnTo(int(t.action.Int(0)))
	}
	return t.withProduct(t.action.Int(0), func(p api.Product) error {
		if t.action.Verb == screen.VerbProduct {
			return t.variants(p, int(t.action.Int(1)), browsing{Query: t.searched()})
		}
		v, ok := findVariant(p, t.action.Int(1))
		switch {
		case !ok:
			t.ack(screen.ToastStale)
			return t.variants(p, 0, browsing{})
		case !v.Available || !t.there(v):
			t.ack(screen.ToastSoldOut)
			return t.variants(p, 0, browsing{})
		}
		return t.begin(p, v)
	})
}

// there asks whether a variant can be had right now, where listings do not tell for sure. That it cannot
// be asked is no reason to hold a sale up: the service itself decides in the end.
func (t buyFlow) there(v api.Variant) bool {
	// The arena has no way to ask.
	if v.Plan != "" {
		return true
	}
	_, service, ok, err := t.account()
	if err != nil || !ok {
		return true
	}
	there, err := service.Available(t.ctx, v.ID)
	return err != nil || there
}

// turnTo shows a page of what the button was searched for, of what is in hand, or of the whole catalogue. A button whose
// words had no room is good for as long as its search is in hand.
func (t buyFlow) turnTo(page int) error {
	query := cmp.Or(t.action.Arg(1), t.searched())
	if query == "" && t.action.Arg(2) == screen.LongQuery {
		return t.stale()
	}
	return t.page(page, query)
}

// page shows a page of the catalogue, or of what a search in it finds.
func (t buyFlow) page(page int, query string) error {
	return t.withCatalogue(func(all []api.Product) error {
		return t.list(t.indexes.of(all).Find(query).Products, page, query)
	})
}

// list shows a page of products. Above the first one of the whole catalogue stands the way to what is sold all day.
func (t buyFlow) list(products []api.Product, page int, query string) error {
	m := t.scr.Catalogue().Products(products, page, query)
	if page == 0 && query == "" && len(products) > 0 {
		favourites, lately, err := itemFlow(t).atHand()
		if err != nil {
			return err
		}
		if len(favourites)+len(lately) > 0 {
			m = t.scr.Shelf().WithGoods(m)
		}
	}
	return t.ask(m, flowBrowse, "", browsing{Query: query})
}

// atHand are the favourites of the account, and what else the person has bought lately.
func (t itemFlow) atHand() (favourites, lately []store.Goods, err error) {
	shelf, err := t.cfg.Store.Shelf(t.ctx, t.chat.Account)
	if err != nil {
		return nil, nil, err
	}
	bought, err := orderFlow(t).lately(mostLately)
	return shelf.Favourites, noFavourites(goodsOf(bought), shelf), err
}

// noFavourites are the items of a list that are none of the favourites.
func noFavourites(list []store.Goods, shelf store.Shelf) []store.Goods {
	return slices.DeleteFunc(list, func(g store.Goods) bool { return shelf.Favourite(g.Product, g.Variant) })
}

// categories shows how the service has put its products together.
func (t buyFlow) categories() error {
	return t.withCatalogue(func(all []api.Product) error { return t.say(t.scr.Catalogue().Categories(screen.CategoriesOf(all))) })
}

// category shows a page of a category. One that is gone gives way to the whole catalogue.
func (t buyFlow) category(id int64, page int) error {
	return t.withCatalogue(func(all []api.Product) error {
		list := screen.CategoriesOf(all)
		i := slices.IndexFunc(list, func(c screen.Category) bool { return c.ID == id })
		if i < 0 {
			t.ack(screen.ToastStale)
			return t.page(0, "")
		}
		return t.say(t.scr.Catalogue().InCategory(list[i], page))
	})
}

// searched is what the screen in hand was searched for.
func (t buyFlow) searched() string {
	var b browsing
	// Only the screen in hand: an older one may have been searched for something else.
	if t.session.Flow == flowBrowse && t.session.Message == t.tapped {
		if err := json.Unmarshal(t.session.Data, &b); err != nil {
			return ""
		}
	}
	return b.Query
}

// withCatalogue runs show on the account's catalogue, or tells why there is none.
func (t *turn) withCatalogue(show func([]api.Product) error) error {
	return withService(t, func(s Service) ([]api.Product, error) {
		return orLast(t, func(ctx context.Context) ([]api.Product, error) { return s.Products(ctx, catalogueAge) }, s.LastProducts)
	}, show)
}

// withProduct runs show on a product with its variants. One that is not sold any more gives way to the
// catalogue.
func (t *turn) withProduct(id int64, show func(api.Product) error) error {
	gone := false
	return withService(t, func(s Service) (api.Product, error) {
		p, err := orLast(t, func(ctx context.Context) (api.Product, error) { return s.Product(ctx, id, catalogueAge) },
			func() (api.Product, time.Time, bool) { return s.LastProduct(id) })
		// Kept out of the errors: a product that is gone is told by a screen of its own, and no failure of the service.
		if gone = api.ClassOf(err) == api.NotFound; gone {
			err = nil
		}
		return p, err
	}, func(p api.Product) error {
		if gone {
			t.ack(screen.ToastStale)
			return buyFlow{t}.page(0, "")
		}
		return show(p)
	})
}

// listedVariant picks the variant that a list has shown. The older interface's list tells no ids: there it is the only one
// of its name.
func listedVariant(p api.Product, listed api.Variant) (api.Variant, bool) {
	if listed.ID != 0 {
		return findVariant(p, listed.ID)
	}
	var named []api.Variant
	for _, v := range p.Variants {
		if v.Name == listed.Name {
			named = append(named, v)
		}
	}
	if len(named) != 1 {
		return api.Variant{}, false
	}
	return named[0], true
}

// findVariant picks a variant by id.
func findVariant(p api.Product, id int64) (api.Variant, bool) {
	i := slices.IndexFunc(p.Variants, func(v api.Variant) bool { return v.ID == id })
	if i < 0 {
		return api.Variant{}, false
	}
	return p.Variants[i], true
}

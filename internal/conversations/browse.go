package conversations

import (
	"encoding/json"
	"slices"
	"strconv"
	"time"

	"resellerbot/internal/api"
	"resellerbot/internal/conversations/screen"
)

const (
	flowBrowse   = "browse"
	catalogueAge = time.Minute // how old a catalogue may be that is browsed
	balanceAge   = 30 * time.Second
)

// browsing is the state of looking through the catalogue.
type browsing struct {
	Query string // what was searched; empty for the whole catalogue
}

// buy is /buy: the catalogue, or what a search in it finds.
func (t *turn) buy(words string) error {
	t.leave()
	return t.search(words)
}

// search shows the products that match; one that is the only match is opened at once.
func (t *turn) search(words string) error {
	return t.withCatalogue(func(all []api.Product) error {
		found := match(all, words)
		if len(found) == 1 && words != "" {
			return t.ask(t.scr.Variants(found[0], 0), flowBrowse, "", browsing{Query: words})
		}
		return t.ask(t.scr.Products(found, 0, words), flowBrowse, "", browsing{Query: words})
	})
}

// browse runs the buttons of the catalogue.
func (t *turn) browse() error {
	return t.withCatalogue(func(all []api.Product) error {
		if t.action.Verb == screen.VerbBuy {
			return t.page(all)
		}
		p, ok := findProduct(all, t.action.Int(0))
		if !ok {
			t.ack(screen.ToastStale)
			return t.page(all)
		}
		if t.action.Verb == screen.VerbProduct {
			return t.ask(t.scr.Variants(p, int(t.action.Int(1))), flowBrowse, "", browsing{Query: t.searched()})
		}
		v, ok := findVariant(p, t.action.Int(1))
		switch {
		case !ok:
			t.ack(screen.ToastStale)
			return t.ask(t.scr.Variants(p, 0), flowBrowse, "", browsing{})
		case !v.Available:
			t.ack(screen.ToastSoldOut)
			return t.ask(t.scr.Variants(p, 0), flowBrowse, "", browsing{})
		}
		return t.askQuantity(p, v, screen.NoProblem)
	})
}

// page shows a page of what is being browsed.
func (t *turn) page(all []api.Product) error {
	query, page := t.searched(), 0
	if t.action.Verb == screen.VerbBuy {
		page = int(t.action.Int(0))
	}
	return t.ask(t.scr.Products(match(all, query), page, query), flowBrowse, "", browsing{Query: query})
}

// searched is what the screen in hand was searched for.
func (t *turn) searched() string {
	var b browsing
	if t.session.Flow == flowBrowse && t.session.Message == t.tapped {
		if err := json.Unmarshal(t.session.Data, &b); err != nil {
			return ""
		}
	}
	return b.Query
}

// withCatalogue runs show on the account's catalogue, or tells why there is none.
func (t *turn) withCatalogue(show func([]api.Product) error) error {
	_, service, ok, err := t.account()
	if err != nil || !ok {
		return err
	}
	all, err := service.Products(t.ctx, catalogueAge)
	if err != nil {
		return t.failed(err)
	}
	return show(all)
}

// findProduct picks a product by id.
func findProduct(all []api.Product, id int64) (api.Product, bool) {
	i := slices.IndexFunc(all, func(p api.Product) bool { return p.ID == id })
	if i < 0 {
		return api.Product{}, false
	}
	return all[i], true
}

// findVariant picks a variant by id.
func findVariant(p api.Product, id int64) (api.Variant, bool) {
	i := slices.IndexFunc(p.Variants, func(v api.Variant) bool { return v.ID == id })
	if i < 0 {
		return api.Variant{}, false
	}
	return p.Variants[i], true
}

// number reads a quantity as people type it: digits of any script, with blanks around.
func number(s string) (int, bool) {
	n, err := strconv.ParseInt(latinDigits(s), 10, 64)
	if err != nil {
		return 0, false
	}
	return int(n), true
}

package screen

import (
	"resellerbot/internal/api"
)

// Category is products that the service puts together. It tells a number of each, and no name.
type Category struct {
	ID       int64
	Products []api.Product
}

// CategoriesOf puts products into their categories, in the order of the catalogue. One without is in none.
func CategoriesOf(all []api.Product) (list []Category) {
	place := map[int64]int{}
	for _, product := range all {
		if product.CategoryID == 0 {
			continue
		}
		at, known := place[product.CategoryID]
		if !known {
			at = len(list)
			place[product.CategoryID], list = at, append(list, Category{ID: product.CategoryID})
		}
		list[at].Products = append(list[at].Products, product)
	}
	return list
}

// Categories are the ways to the categories of the catalogue, each called by products that are in it.
func (p Catalogue) Categories(all []Category) Message {
	var keys [][]Button
	// No category is empty: CategoriesOf makes one for a product alone.
	for _, c := range all[:min(len(all), mostCategories)] {
		text := label(c.Products[0].Name, id(c.ID))
		if len(c.Products) > 1 {
			text += " · " + label(c.Products[1].Name, id(c.ID))
		}
		if len(c.Products) > 2 {
			text += " …"
		}
		keys = append(keys, row(Button{Text: p.led(text + " (" + isolate(id(len(c.Products))) + ")"), Data: act(VerbCategory, id(c.ID), "0").Data()}))
	}
	return Message{
		HTML:     lines(p.t("catalogue.categories", nil), p.aged()),
		Keyboard: append(keys, row(p.button("button.back", act(VerbBuy, "0")), p.button("button.home", act(VerbHome)))),
	}
}

// InCategory is one page of the products of a category.
func (p Catalogue) InCategory(c Category, page int) Message {
	m := p.shelf(p.t("catalogue.category", nil)+" · "+p.texts.N("catalogue.count", len(c.Products), nil), c.Products, page, func(n int) Action { return act(VerbCategory, id(c.ID), id(n)) })
	last := len(m.Keyboard) - 1
	m.Keyboard[last] = append(row(p.button("button.back", act(VerbCategories))), m.Keyboard[last]...)
	return m
}

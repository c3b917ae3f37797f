package notify

import (
	"cmp"
	"slices"
	"strconv"
	"time"

	"resellerbot/internal/api"
	"resellerbot/internal/api/dzd"
	"resellerbot/internal/store"
)

// Alert is one thing to tell, as the outbox holds it. Amounts are in DZD, as exact text.
type Alert struct {
	Kind      string `json:"k"` // a store.AlertKind, "back", "price" or "shelf"
	Product   string `json:"p,omitempty"`
	Variant   string `json:"v,omitempty"`
	Amount    string `json:"a,omitempty"`
	Reference string `json:"l,omitempty"` // the threshold, or the old price
	Number    int    `json:"n,omitempty"`
	Silent    bool   `json:"s,omitempty"`
	ID        int64  `json:"i,omitempty"` // of a product of the catalogue
	// What the shop asks for it with the old price and with the new one, and what it earns by that: "" where it has no price of
	// its own. Owners alone are told.
	Asked    string `json:"w,omitempty"`
	Asks     string `json:"o,omitempty"`
	Earned   string `json:"f,omitempty"`
	Earns    string `json:"g,omitempty"`
	Zoneless bool   `json:"c,omitempty"` // Reference is a time in the service's zone, which nobody knows
}

// crossings gathers what is new to a chat while its thresholds are compared.
type crossings struct {
	alerts *store.Alerts
	own    store.Prices // of the shop
	hides  bool         // whoever reads in the chat is not to see what things cost
	news   []Alert
}

// crossing notes whether a threshold is crossed, and speaks if it was not before.
func (c *crossings) crossing(kind store.AlertKind, about string, crossed bool, mode store.AlertMode, a Alert) {
	key := string(kind)
	if about != "" {
		key += "/" + about
	}
	if crossed && !c.alerts.Crossed[key] {
		a.Kind, a.Silent = cmp.Or(a.Kind, string(kind)), mode == store.AlertSilent
		c.news = append(c.news, a)
	}
	if crossed {
		c.alerts.Crossed[key] = true
	} else {
		// Absent and not false, so that thresholds which were once crossed do not fill the record.
		delete(c.alerts.Crossed, key)
	}
}

// compare compares the allocations and the products that were read of those that the chat watches, and lists what is new.
func (c *crossings) compare(stock []api.StockEntry, products map[int64]api.Product, now time.Time) []Alert {
	for _, e := range stock {
		c.expiry(e, now)
	}
	for _, e := range leftOf(stock, now) {
		c.low(e)
	}
	for i := range c.alerts.Products {
		if p, read := products[c.alerts.Products[i].Product]; read {
			c.product(&c.alerts.Products[i], p)
		}
	}
	return c.news
}

// leftOf is the allocations that are to be compared, each variant once: of several of one, what is left of them together. A variant of which it is
// not told how much is left of one of them is left out, and so is one of which nothing can be had any more: whatever was crossed stays so.
func leftOf(stock []api.StockEntry, now time.Time) (left []api.StockEntry) {
	for _, e := range stock {
		if !e.Lacks && !e.Usable(now) {
			continue
		}
		i := slices.IndexFunc(left, func(o api.StockEntry) bool { return o.VariantID == e.VariantID })
		if i < 0 {
			left = append(left, e)
			continue
		}
		left[i].Remaining, left[i].Lacks = left[i].Remaining+e.Remaining, left[i].Lacks || e.Lacks
	}
	return slices.DeleteFunc(left, func(e api.StockEntry) bool { return e.Lacks })
}

// low compares what is left of a variant.
func (c *crossings) low(e api.StockEntry) {
	threshold := c.alerts.Thresholds[store.LowStock]
	if threshold.Mode == store.AlertOff {
		return
	}
	id := strconv.FormatInt(e.VariantID, 10)
	a := Alert{Product: e.ProductName, Variant: e.VariantName, Number: e.Remaining}
	// "stock/"+id is the key that crossing makes: below has to know whether the threshold is crossed before crossing changes that.
	c.crossing(store.LowStock, id, below(c.alerts.Crossed["stock/"+id], int64(e.Remaining), int64(threshold.Number)), threshold.Mode, a)
}

// expiry compares when one allocation ends.
func (c *crossings) expiry(e api.StockEntry, now time.Time) {
	threshold := c.alerts.Thresholds[store.Expiry]
	if e.Lacks || !e.Usable(now) || threshold.Mode == store.AlertOff || e.ExpiresAt.IsZero() || e.Remaining <= 0 {
		return
	}
	a := Alert{
		Product: e.ProductName, Variant: e.VariantName, Number: e.Remaining, Reference: e.ExpiresAt.UTC().Format(time.RFC3339), Zoneless: e.Zoneless,
	}
	// A new end of the same allocation is another threshold.
	about := strconv.FormatInt(e.VariantID, 10) + "/" + strconv.FormatInt(e.ExpiresAt.Unix(), 36)
	// EarliestEnd, and not the end as it is shown: an end without a zone may come up to 14 hours earlier, and late is worse than
	// early here.
	c.crossing(store.Expiry, about, e.EarliestEnd().Sub(now) < time.Duration(threshold.Number)*24*time.Hour, threshold.Mode, a)
}

// product compares one watched product with how it was seen last. The first look only remembers.
func (c *crossings) product(w *store.Watched, p api.Product) {
	seen := map[int64]store.SeenVariant{}
	for _, v := range p.Variants {
		if _, twice := seen[v.ID]; twice { // which of the two is meant nobody can tell
			continue
		}
		was, known := w.Seen[v.ID]
		if v.Unpriced { // whether it can be bought is not known
			if known {
				seen[v.ID] = was
			}
			continue
		}
		seen[v.ID] = store.SeenVariant{Available: v.Available, Price: v.Price}
		a := Alert{Product: p.Name, Variant: v.Name, Amount: v.Price.String(), Reference: was.Price.String(), ID: p.ID}
		if w.Low {
			c.shelf(a, v, was)
		}
		switch {
		case !known:
		case w.Back && v.Available && !was.Available:
			a.Kind = "back"
			c.margin(&a, p, v, v.Price)
			c.news = append(c.news, a)
		case w.Price && v.Available && was.Available && !v.Price.Equal(was.Price):
			a.Kind = "price"
			if c.margin(&a, p, v, was.Price); c.hides && a.Asks != "" && a.Asks == a.Asked {
				continue // the shop's own price is what they see, and it stays
			}
			c.news = append(c.news, a)
		}
	}
	// Seen holds the variants of this look alone: one that is listed no more is forgotten, and only remembered when it comes again.
	w.Seen, w.Name = seen, p.Name
}

// margin notes what another price of the service does to what the shop earns.
func (c *crossings) margin(a *Alert, p api.Product, v api.Variant, was dzd.Amount) {
	if m, ok := c.own.Margins(itemOf(p, v), was, v.Price); ok {
		*a = a.earning(m)
	}
}

// itemOf is a variant as the rules of prices know it.
func itemOf(p api.Product, v api.Variant) store.Purchase {
	return store.Purchase{ProductID: p.ID, VariantID: v.ID, Category: p.CategoryID, Plan: v.Plan, Sells: v.Sells}
}

// earning is the alert with what the shop asks and earns, before and now.
func (a Alert) earning(m store.Margins) Alert {
	a.Asked, a.Asks, a.Earned, a.Earns = m.Asked.String(), m.Asks.String(), m.Earned.String(), m.Earns.String()
	return a
}

// shelf compares what the catalogue has of a variant that was chosen. Where it tells no number, that there is none any more
// is all there is to tell, and that there is some again takes it back.
func (c *crossings) shelf(a Alert, v api.Variant, was store.SeenVariant) {
	few, about := c.alerts.Few(), store.ShelfOf(v.ID)
	crossed := c.alerts.Crossed[string(store.LowStock)+"/"+about]
	switch {
	case !v.Available:
		a.Number, crossed = 0, true
	case v.InStock > 0:
		a.Number, crossed = v.InStock, below(crossed, int64(v.InStock), int64(few.Number))
	case !was.Available:
		crossed = false
	}
	a.Kind = shelfAlert
	c.crossing(store.LowStock, about, crossed, few.Mode, a)
}

// shelfAlert is the kind of an Alert about few units in the catalogue.
const shelfAlert = "shelf"

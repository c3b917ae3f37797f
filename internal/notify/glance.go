package notify

import (
	"crypto/sha256"
	"encoding/json"
	"maps"
	"slices"
	"sync"
	"time"

	"resellerbot/internal/api"
	"resellerbot/internal/store"
)

// glanceLife is how long a product that takes a call of its own may stand as the catalogue shows it: the catalogue may be
// late.
const glanceLife = time.Hour

// glance is a watched product as the catalogue shows it, and who watches what of it.
type glance struct {
	mark [sha256.Size]byte
	at   time.Time // when it was read
	own  bool      // it takes a call of its own to read it: the catalogue does not name its variants
}

// glanceKey names a product of an account.
type glanceKey struct {
	account string
	product int64
}

// glances is how watched products were when they were last read.
type glances struct {
	mu   sync.Mutex
	last map[glanceKey]glance
}

// glanceAt is how the catalogue shows a product now.
func glanceAt(product int64, listed []api.Product, all []store.Alerts) glance {
	type seen struct {
		Product  api.Product   `json:"product"`
		Watchers map[int64]any `json:"watchers"`
	}
	look, g := seen{Watchers: map[int64]any{}}, glance{at: time.Now()}
	if i := slices.IndexFunc(listed, func(p api.Product) bool { return p.ID == product }); i >= 0 {
		look.Product = listed[i]
		g.own = slices.ContainsFunc(look.Product.Variants, func(v api.Variant) bool { return v.ID == 0 })
	}
	// Who watches what is a part of the mark: a chat that begins to watch has to have the product read once, to remember it.
	for _, al := range all {
		for _, w := range al.Products {
			if w.Product == product {
				look.Watchers[al.Chat] = [...]bool{w.Back, w.Price, w.Low}
			}
		}
	}
	// A hash of the whole product and of what is watched of it: a field that is added later counts by itself.
	text, err := json.Marshal(look)
	if err != nil {
		return glance{} // it is read each time
	}
	g.mark = sha256.Sum256(text)
	return g
}

// same reports whether a product that takes a call of its own need not be read: nothing of it has changed since it was.
func (g *glances) same(account string, product int64, now glance, at time.Time) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	was, known := g.last[glanceKey{account, product}]
	return known && now.own && was.mark == now.mark && at.Sub(was.at) < glanceLife
}

// remember notes how products of an account were when they were read.
func (g *glances) remember(account string, looks map[int64]glance) {
	maps.DeleteFunc(looks, func(_ int64, look glance) bool { return !look.own })
	if len(looks) == 0 {
		return
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	// What is too old to be compared is dropped here, so that products nobody watches any more do not pile up.
	now := time.Now()
	for key, was := range g.last {
		if now.Sub(was.at) >= glanceLife {
			delete(g.last, key)
		}
	}
	for product, look := range looks {
		g.last[glanceKey{account, product}] = look
	}
}

package api

import (
	"context"
	"encoding/json"
	"net/http"
	"slices"
	"strconv"
	"time"
)

// listOf decodes a list and logs how many of its entries could not be read.
func listOf[W, T any](s *Session, op string, turn func(W) (T, bool)) func(json.RawMessage) ([]T, error) {
	return func(data json.RawMessage) ([]T, error) {
		list, _, err := counted(s, op, data, turn)
		return list, err
	}
}

// counted decodes a list, logs how many of its entries could not be read, and tells it.
func counted[W, T any](s *Session, op string, data json.RawMessage, turn func(W) (T, bool)) (list []T, odd int, err error) {
	list, odd, err = items(data, turn)
	s.client.logOdd(op, odd, len(list))
	return list, odd, err
}

// logOdd logs how many entries of an answer could not be read, where there are any.
func (c *Client) logOdd(op string, odd, read int) {
	if odd > 0 {
		c.cfg.Log.Warn("entries of an answer cannot be read", "op", op, "odd", odd, "read", read)
	}
}

// Products lists the catalogue with the client's own prices, not older than maxAge (GET /products, whose
// shape also tells the generation). A Legacy listing has no variant ids: Product does. The list is shared:
// it must not be changed.
//
//reseller:operation GET /products both
func (s *Session) Products(ctx context.Context, maxAge time.Duration) ([]Product, error) {
	c, err := cached(ctx, s, opProducts, maxAge, func(ctx context.Context) (*catalogue, error) {
		c, err := do(ctx, s, call{op: opProducts, method: http.MethodGet, path: "/products", limit: maxCatalogue}, s.client.catalogues.of)
		if err == nil && c.shape != "" {
			s.learn(ctx, c.shape)
		}
		return c, err
	})
	if err != nil {
		return nil, err
	}
	return c.list(opProducts)
}

// opProducts names the read of the catalogue.
const opProducts = "GET /products"

// decodeProducts reads a catalogue, and which generation most of its products are of.
func (c *Client) decodeProducts(data json.RawMessage) (list []Product, shape Generation, err error) {
	votes := map[Generation]int{}
	list, odd, err := items(data, func(w wireProduct) (Product, bool) {
		p, ok := c.cfg.Names.product(w)
		for i := range p.Variants {
			c.place(p.Variants[i].Stock)
		}
		if ok {
			votes[w.shape()]++
		}
		return p, ok
	})
	c.logOdd(opProducts, odd, len(list))
	// One odd product must not turn the client to the other generation: the majority tells, and a tie tells nothing.
	switch current, legacy := votes[Current], votes[Legacy]; {
	case current > legacy:
		shape = Current
	case legacy > current:
		shape = Legacy
	}
	return list, shape, err
}

// Product is one product with all its variants, whose ids are there, not older than maxAge. The arena's
// plans are the variants of ArenaProduct. NotFound where the service does not sell it. It is shared: it
// must not be changed.
func (s *Session) Product(ctx context.Context, id int64, maxAge time.Duration) (Product, error) {
	if id == ArenaProduct {
		return s.Plans(ctx, maxAge)
	}
	all, err := s.Products(ctx, maxAge)
	if err != nil {
		return Product{}, err
	}
	i := slices.IndexFunc(all, func(p Product) bool { return p.ID == id })
	if i < 0 {
		return Product{}, &Error{Op: opProducts, Class: NotFound}
	}
	p := all[i]
	if hasIDs(p.Variants) {
		return p, nil
	}
	p.Variants, err = cached(ctx, s, variantsOf(id), maxAge, func(ctx context.Context) ([]Variant, error) {
		return s.Variants(ctx, id)
	})
	return p, err
}

// LastProducts is the catalogue as it was read last, and when; for screens, while it cannot be read.
func (s *Session) LastProducts() (list []Product, at time.Time, ok bool) {
	c, at, ok := lastKnown[*catalogue](s, opProducts)
	if !ok {
		return nil, at, false
	}
	list, err := c.list(opProducts)
	return list, at, err == nil
}

// LastProduct is a product as it was read last with its variants, whose ids are there, and when.
func (s *Session) LastProduct(id int64) (p Product, at time.Time, ok bool) {
	if id == ArenaProduct {
		plans, at, ok := lastKnown[[]Variant](s, opPlans)
		return s.arena(plans), at, ok
	}
	all, at, _ := s.LastProducts()
	i := slices.IndexFunc(all, func(p Product) bool { return p.ID == id })
	if i < 0 {
		return Product{}, at, false
	}
	p = all[i]
	if hasIDs(p.Variants) {
		return p, at, true
	}
	p.Variants, at, ok = lastKnown[[]Variant](s, variantsOf(id))
	return p, at, ok
}

// hasIDs reports whether each of a product's variants can be named.
func hasIDs(all []Variant) bool {
	return len(all) > 0 && !slices.ContainsFunc(all, func(v Variant) bool { return v.ID == 0 })
}

// variantsOf names the read of a product's variants in the cache.
func variantsOf(product int64) string { return "variants of " + strconv.FormatInt(product, 10) }

// Variants lists the variants of a product that are sold now, or the arena's plans, as fresh as it gets:
// the price just before a purchase.
func (s *Session) Variants(ctx context.Context, productID int64) ([]Variant, error) {
	if productID == ArenaProduct {
		p, err := s.Plans(ctx, 0)
		return p.Variants, err
	}
	return speak(ctx, s,
		func(ctx context.Context) ([]Variant, error) { return s.currentVariants(ctx, productID) },
		func(ctx context.Context) ([]Variant, error) {
			p, err := s.legacyProduct(ctx, productID)
			return p.Variants, err
		})
}

// currentVariants lists the variants of a product (GET /products/{productId}/variants).
//
//reseller:operation GET /products/{productId}/variants current
func (s *Session) currentVariants(ctx context.Context, productID int64) ([]Variant, error) {
	const op = "GET /products/{productId}/variants"
	path := "/products/" + strconv.FormatInt(productID, 10) + "/variants"
	return do(ctx, s, call{op: op, method: http.MethodGet, path: path}, listOf(s, op, func(w wireVariant) (Variant, bool) {
		v, ok := w.sellable()
		s.client.place(v.Stock)
		return v, ok
	}))
}

// place puts the end of an allocation into the service's zone, where it names none and that is known.
func (c *Client) place(stock *ClientStock) {
	if stock != nil {
		at := moment{stock.ExpiresAt, stock.Zoneless}.in(c.cfg.Zone)
		stock.ExpiresAt, stock.Zoneless = at.Time, at.zoneless
	}
}

// legacyProduct reads one product with the ids of its variants (GET /products/{id}).
//
//reseller:operation GET /products/{id} legacy
func (s *Session) legacyProduct(ctx context.Context, id int64) (Product, error) {
	const op = "GET /products/{id}"
	return do(ctx, s, call{op: op, method: http.MethodGet, path: "/products/" + strconv.FormatInt(id, 10)}, func(data json.RawMessage) (Product, error) {
		p, err := oneOf(data, s.client.cfg.Names.product)
		p.Variants = slices.DeleteFunc(p.Variants, func(v Variant) bool { return v.ID == 0 })
		return p, err
	})
}

// Available asks whether a variant can be had at this moment: in the Legacy generation, whose listings may
// be old (POST /variants/check-availability). The Current one tells it with the price: there it is
// NotOffered.
//
//reseller:operation POST /variants/check-availability legacy
func (s *Session) Available(ctx context.Context, variantID int64) (bool, error) {
	const op = "POST /variants/check-availability"
	return speak(ctx, s, notOffered[bool](op), func(ctx context.Context) (bool, error) {
		body := map[string][]int64{"variants": {variantID}}
		list, err := do(ctx, s, call{op: op, method: http.MethodPost, path: "/variants/check-availability", body: body}, listOf(s, op, wireAvailability.told))
		if err != nil {
			return false, err
		}
		i := slices.IndexFunc(list, func(w wireAvailability) bool { return int64(w.ID) == variantID })
		if i < 0 { // what does not say is not "no"
			return false, &Error{Op: op, Class: Upstream, Err: errShape}
		}
		return list[i].Available == HasCode, nil
	})
}

// wireAvailability is whether a variant can be had (reseller-api.md, Legacy Variant).
type wireAvailability struct {
	ID        number `json:"id"`
	Available Claim  `json:"is_available"` // a yes or a no, in any form
}

// told is an entry that says yes or no.
func (w wireAvailability) told() (wireAvailability, bool) { return w, w.Available != NoClaim }

// Account tells whose key it is. The Legacy generation tells the balance alone.
func (s *Session) Account(ctx context.Context) (Account, error) {
	if g := s.client.cfg.Generation; g == Current {
		return s.currentAccount(ctx)
	} else if g == Legacy {
		b, err := s.legacyBalance(ctx)
		return Account{Balance: b.Balance, Available: b.Available, Lacks: b.Lacks}, err
	}
	a, _, err := s.identify(ctx)
	return a, err
}

// currentAccount tells whose key it is (GET /account).
//
//reseller:operation GET /account current
func (s *Session) currentAccount(ctx context.Context) (Account, error) {
	return do(ctx, s, call{op: "GET /account", method: http.MethodGet, path: "/account"}, func(data json.RawMessage) (Account, error) {
		var w wireAccount
		if err := json.Unmarshal(data, &w); err != nil {
			return Account{}, errShape
		}
		b, err := w.wallet()
		return Account{UserID: int64(w.UserID), Name: string(w.Name), Email: string(w.Email), Balance: b.Balance, Available: b.Available, Lacks: b.Lacks}, err
	})
}

// Balance reads the wallet, not older than maxAge.
func (s *Session) Balance(ctx context.Context, maxAge time.Duration) (Balance, error) {
	return cached(ctx, s, "balance", maxAge, func(ctx context.Context) (Balance, error) {
		// Before the question, as in the cache: the answer may be of any moment since.
		at := time.Now()
		b, err := speak(ctx, s, s.currentBalance, s.legacyBalance)
		b.At = at
		return b, err
	})
}

// currentBalance reads the wallet (GET /balance).
//
//reseller:operation GET /balance current
func (s *Session) currentBalance(ctx context.Context) (Balance, error) {
	return do(ctx, s, call{op: "GET /balance", method: http.MethodGet, path: "/balance"}, decodeWallet)
}

// legacyBalance reads the wallet (GET /account/balance).
//
//reseller:operation GET /account/balance legacy
func (s *Session) legacyBalance(ctx context.Context) (Balance, error) {
	return do(ctx, s, call{op: "GET /account/balance", method: http.MethodGet, path: "/account/balance"}, decodeLegacyWallet)
}

// decodeWallet reads a balance of the Current generation.
func decodeWallet(data json.RawMessage) (Balance, error) {
	var w wireAccount
	if err := json.Unmarshal(data, &w); err != nil {
		return Balance{}, errShape
	}
	return w.wallet()
}

// decodeLegacyWallet reads a balance of the Legacy generation, which has one figure.
func decodeLegacyWallet(data json.RawMessage) (Balance, error) {
	var w wireAccount
	if err := json.Unmarshal(data, &w); err != nil {
		return Balance{}, errShape
	}
	b, err := w.wallet()
	b.Lacks = !w.Balance.known
	return b, err
}

// Stock lists the account's allocations, not older than maxAge (GET /stock). NotOffered in the Legacy
// generation. The list is shared: it must not be changed.
//
//reseller:operation GET /stock current
func (s *Session) Stock(ctx context.Context, maxAge time.Duration) ([]StockEntry, error) {
	const op = "GET /stock"
	return cached(ctx, s, op, maxAge, func(ctx context.Context) ([]StockEntry, error) {
		return speak(ctx, s, func(ctx context.Context) ([]StockEntry, error) {
			return do(ctx, s, call{op: op, method: http.MethodGet, path: "/stock"}, listOf(s, op, func(w wireStock) (StockEntry, bool) {
				w.ExpiresAt = w.ExpiresAt.in(s.client.cfg.Zone)
				return w.entry()
			}))
		}, notOffered[[]StockEntry](op))
	})
}

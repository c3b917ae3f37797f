package sim

import (
	"fmt"
	"net/http"
	"time"
)

func legacyProducts(s *Server, c call) reply {
	all := []object{}
	for _, p := range s.products {
		if !p.Inactive {
			all = append(all, s.legacyProduct(c, p, s.shape.pick("listed ids", 2) == 1))
		}
	}
	return ok(all)
}

func legacyProduct(s *Server, c call) reply {
	p := s.product(c.params["id"])
	if p == nil {
		return refuse(http.StatusNotFound, "Product not found")
	}
	if p.Inactive {
		return refuse(http.StatusNotFound, "Product is not active")
	}
	return ok(s.legacyProduct(c, p, true))
}

// legacyProduct is a product as Legacy shows it. Its variants are sure to have ids in the single form only.
func (s *Server) legacyProduct(c call, p *product, ids bool) object {
	variants := []object{}
	for _, v := range p.variants {
		o := object{
			"name": v.Name, "reseller_buy_price": s.shape.money(v.price), "sell_price": s.shape.money(v.sells),
			"is_available": v.units(c.account, c.now) > 0,
		}
		if ids {
			o["id"] = v.ID
		}
		variants = append(variants, o)
	}
	return s.shape.with(object{"id": p.ID, "name": p.Name, "type": p.legacyType("automatic"), "variants": variants})
}

// legacyType is manual, or what Legacy calls the contrary in this place.
func (p *product) legacyType(contrary string) string {
	if p.Type == typeManual {
		return typeManual
	}
	return contrary
}

func legacyBuy(s *Server, c call) reply {
	v := s.variant(c.params["variant_id"])
	if v == nil || v.product != s.product(c.params["product_id"]) {
		return refuse(http.StatusNotFound, "Product or variant not found")
	}
	orders, no := s.purchase(c, v, terms{
		outOfStock: refuse(http.StatusBadRequest, "Insufficient quantity available"),
		noMoney:    refuse(http.StatusBadRequest, "Insufficient balance"),
		named:      legacyID,
	})
	if no != nil {
		return *no
	}
	items := []object{}
	for _, o := range orders {
		// The status is of this very moment: an order without a Delay is done in the answer to its purchase.
		items = append(items, s.shape.with(object{"id": o.number, "order_url": s.orderURL(c, o), "status": o.legacyStatus(c.now)}))
	}
	return reply{message: "Purchase successful", data: object{"purchased_items": items}}
}

// orderURL is where an order is read; its form is not shown.
func (s *Server) orderURL(c call, o *order) string {
	path := fmt.Sprintf("/orders/%d", o.number)
	switch s.shape.pick("order url", 3) {
	case 1:
		return s.base + path
	case 2:
		return path
	}
	return c.base + path
}

// isGood tells the orders of the Legacy order endpoints: arena top-ups have their own.
func isGood(o *order) bool { return o.variant != nil }

func purchaseHistory(s *Server, c call) reply {
	all, no := s.listed(c, "purchase history", isGood, func(o *order, then time.Time) object {
		entry := s.legacyOrder(o, then, "regular")
		if _, present := entry["key"]; !present {
			entry["key"] = nil
		}
		delete(entry, "notes")
		return entry
	})
	if no != nil {
		return *no
	}
	return ok(all)
}

func legacyOrder(s *Server, c call) reply {
	o, isNumber := s.byNumber(c.params["order_id"])
	switch {
	case !isNumber:
		return refuse(http.StatusNotFound, "Invalid order ID")
	case o == nil || !isGood(o):
		return refuse(http.StatusNotFound, "Order not found")
	// Legacy tells apart what is not there and what is another's, as its document does; Current says 404 to both.
	case o.account != c.account:
		return refuse(http.StatusForbidden, "Unauthorized - Not your order")
	}
	then, there := s.status(c, o)
	if !there {
		return refuse(http.StatusNotFound, "Order not found")
	}
	one := s.legacyOrder(o, then, "automatic")
	if one["key"] == nil && !o.manual && o.delivers() && s.world.Placeholder != "" {
		one["key"] = s.world.Placeholder
	}
	return ok(one)
}

// legacyOrder is an order as Legacy shows it alone (reseller-api.md, States, rules 2 and 3): a manual one
// has notes, and no key before it is done.
func (s *Server) legacyOrder(o *order, now time.Time, contrary string) object {
	out := s.shape.with(object{
		"id": o.number, "product_name": o.variant.product.Name, "variant_name": o.name, "price": s.shape.money(o.price),
		"type": o.variant.product.legacyType(contrary), "status": o.legacyStatus(now), "created_at": s.shape.datetime(o.at),
	})
	code := o.key(now)
	switch {
	case code != "":
		out["key"] = code
	case !o.manual || o.phase(now) == done:
		out["key"] = nil
	}
	if o.manual {
		out["notes"] = nil
		if o.notes != "" {
			out["notes"] = o.notes
		}
	}
	o.feigned.general.on(out, "key")
	return out
}

func legacyBalance(s *Server, c call) reply {
	then := c.account.walletAt(c.now.Add(-s.world.BalanceLag))
	balance := then.Balance
	if s.world.LegacyAvailable {
		balance = then.Available
	}
	return ok(s.shape.with(object{"balance": s.shape.money(balance), "currency": "DZD"}))
}

func checkAvailability(s *Server, c call) reply {
	ids, listed := c.body["variants"].([]any)
	if !listed || len(ids) == 0 {
		return unprocessable("variants", "The variants field is required.")
	}
	all := []object{}
	for i, id := range ids {
		// Compared as a float64 again below: 11.5 would be cut to the variant 11.
		n, isNumber := id.(float64)
		v := s.variants[int64(n)]
		if !isNumber || v == nil || float64(v.ID) != n {
			field := fmt.Sprintf("variants.%d", i)
			return unprocessable(field, "The selected "+field+" is invalid.")
		}
		all = append(all, s.shape.with(object{
			"id": v.ID, "product_id": v.product.ID, "name": v.Name, "product_name": v.product.Name,
			"is_available": !v.product.Inactive && v.units(c.account, c.now) > 0,
		}))
	}
	return ok(all)
}

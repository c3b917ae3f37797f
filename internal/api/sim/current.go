package sim

import (
	"fmt"
	"math"
	"net/http"
	"regexp"
	"slices"
	"time"

	"resellerbot/internal/api/dzd"
)

func listProducts(s *Server, c call) reply {
	all := []object{}
	for _, p := range s.products {
		if p.Inactive {
			continue
		}
		o := s.shape.with(object{
			"id": p.ID, "name": p.Name, "description": p.Description, "image": "", "category_id": p.CategoryID,
			"requires_input": len(p.Inputs) > 0, "input_fields": s.shape.inputFields(p.Inputs), "variants": s.variantObjects(c, p.variants),
		})
		// The documented Product has no kind: with OwnNames a client has to know top-ups from elsewhere (OwnConfiguration).
		if p.Kind != "" && !s.ownNames {
			o["kind"] = p.Kind
		}
		all = append(all, o)
	}
	return ok(all)
}

// listVariants lists the variants that are available (reseller-api.md, Current).
func listVariants(s *Server, c call) reply {
	p := s.product(c.params["productId"])
	if p == nil || p.Inactive {
		return refuse(http.StatusNotFound, "Product not found")
	}
	return ok(s.variantObjects(c, slices.DeleteFunc(slices.Clone(p.variants), func(v *variant) bool { return v.units(c.account, c.now) <= 0 })))
}

func (s *Server) variantObjects(c call, variants []*variant) []object {
	all := []object{}
	for _, v := range variants {
		o := s.shape.with(object{
			"id": v.ID, "name": v.Name, "price": s.shape.money(v.price), "currency": "DZD", "delivery": "instant",
			"in_stock": v.InStock, "available": v.units(c.account, c.now) > 0,
		})
		if v.product.Type == typeManual {
			o["delivery"] = "manual"
		}
		if v.Allocated > 0 || s.world.ZeroCounters {
			o["client_stock"] = s.clientStock(c, v)
		} else if s.shape.pick("no stock", 2) == 1 {
			o["client_stock"] = nil
		}
		all = append(all, o)
	}
	return all
}

// clientStock is the caller's allocation of a variant.
func (s *Server) clientStock(c call, v *variant) object {
	left := v.Allocated - s.usedAt(v, c.account, c.now.Add(-s.world.CounterLag))
	// Without an allocation usedAt says Used, and less than nothing would be left: World.ZeroCounters wants zeros alone.
	if v.Allocated == 0 {
		left = 0
	}
	o := object{"variant_id": v.ID, "allocated": v.Allocated, "used": v.Allocated - left, "remaining": left, "status": "active"}
	switch {
	// By the clock of now and not of the counters: only used and remaining lag.
	case v.lapsed(c.now):
		o["status"] = "expired"
	case left <= 0 && v.Allocated > 0:
		o["status"] = s.shape.word("used up", "active", "exhausted")
	}
	if v.AllocationStatus != "" {
		o["status"] = v.AllocationStatus
	}
	if v.ExpiresAt.IsZero() {
		s.shape.absent(o, "expires_at")
	} else {
		o["expires_at"] = s.shape.moment(v.ExpiresAt)
		if v.Zoneless {
			o["expires_at"] = v.ExpiresAt.In(s.zone).Format(time.DateTime)
		}
	}
	return o
}

// stock lists the caller's allocations.
func stock(s *Server, c call) reply {
	all := []object{}
	for _, p := range s.products {
		for _, v := range p.variants {
			if v.Allocated > 0 {
				o := s.shape.with(s.clientStock(c, v))
				o["product_id"], o["product_name"], o["variant_name"] = p.ID, p.Name, v.Name
				all = append(all, o)
			}
		}
	}
	return ok(all)
}

func whose(s *Server, c call) reply {
	o := s.wallet(c)
	o["user_id"], o["name"], o["email"] = c.account.UserID, c.account.Name, c.account.Email
	return ok(s.shape.with(o))
}

func wallet(s *Server, c call) reply { return ok(s.shape.with(s.wallet(c))) }

func (s *Server) wallet(c call) object {
	then := c.account.walletAt(c.now.Add(-s.world.BalanceLag))
	return object{"balance": s.shape.money(then.Balance), "available_balance": s.shape.money(then.Available)}
}

// buy debits the wallet and consumes stock at once (reseller-api.md, Current, detail 2).
func buy(s *Server, c call) reply {
	v := s.variant(c.params["variantId"])
	if v == nil {
		return refuse(http.StatusNotFound, "Product not found")
	}
	orders, no := s.purchase(c, v, terms{
		outOfStock: refuse(http.StatusBadRequest, "Product out of stock"),
		noMoney:    refuse(http.StatusForbidden, "Insufficient balance"),
		named:      s.orderID, current: true,
	})
	if no != nil {
		return *no
	}
	var ids []string
	for _, o := range orders {
		ids = append(ids, o.id)
	}
	return ok(object{"order_ids": ids, "count": len(ids)})
}

// terms are how a generation refuses a purchase, and what it calls the orders of one.
type terms struct {
	outOfStock, noMoney reply
	named               func(n int64) string
	current             bool
}

// purchase buys what the body asks for of a variant, or says why not.
func (s *Server) purchase(c call, v *variant, t terms) ([]*order, *reply) {
	n, no := c.quantity()
	if no != nil {
		return nil, no
	}
	inputs, no := c.inputs(v.product)
	if no != nil {
		return nil, no
	}
	// By the truth, whatever lagging counters show. Stock is asked before money: with neither, the answer is about the stock.
	if v.units(c.account, c.now) < n {
		return nil, &t.outOfStock
	}
	total, err := v.price.Mul(n)
	if err != nil || !c.canPay(total) {
		return nil, &t.noMoney
	}
	return s.sell(c, sale{variant: v, units: n, total: total, inputs: inputs, current: t.current}, t.named), nil
}

// quantity reads how many units are bought.
func (c call) quantity() (int, *reply) {
	// What is no JSON number, a text too, is 0 here and so refused as too few.
	quantity, _ := c.body["quantity"].(float64)
	var no reply
	switch {
	case quantity < 1 || quantity != math.Trunc(quantity):
		no = invalid("quantity", "The quantity must be at least 1.")
	case quantity > mostUnits:
		no = invalid("quantity", fmt.Sprintf("The quantity may not be greater than %d.", mostUnits))
	default:
		return int(quantity), nil
	}
	return 0, &no
}

// inputs reads the answers to a product's input_fields.
func (c call) inputs(p *product) (map[string]string, *reply) {
	answers := map[string]string{}
	for _, in := range p.Inputs {
		answers[in.Index] = c.text(in.Index)
		if wrong := in.check(answers[in.Index]); wrong != "" {
			no := invalid(in.Index, wrong)
			return nil, &no
		}
	}
	return answers, nil
}

// check says what is wrong with an answer; "" for nothing. A pattern that is none matches everything.
func (in InputSpec) check(answer string) string {
	if answer == "" {
		if in.Required {
			return "The " + in.Label + " field is required."
		}
		return ""
	}
	pattern, err := regexp.Compile(in.Pattern)
	if err == nil && !pattern.MatchString(answer) {
		return "The " + in.Label + " format is invalid."
	}
	if in.Options != nil && !slices.Contains(in.Options, answer) {
		return "The selected " + in.Label + " is invalid."
	}
	return ""
}

// canPay reports whether the wallet has the money, apart from what is held.
func (c call) canPay(total dzd.Amount) bool { return !c.account.available().Less(total) }

// currentOrder is an order as the Current endpoints show it.
func (s *Server) currentOrder(o *order, now time.Time) object {
	code := o.key(now)
	out := s.shape.with(object{
		"order_id": o.id, "product_name": o.variant.product.Name, "variant_name": o.name, "status": o.currentStatus(now, s.shape),
		"key": code, "has_key": code != "", "price": s.shape.money(o.price),
		"created_at": s.shape.moment(o.at), "purchase_timestamp": s.shape.stamp(o.at),
	})
	if code == "" {
		// has_key stays false: what may stand in key below is no code.
		delete(out, "key")
		s.shape.absent(out, "key")
		if s.world.Placeholder != "" && o.delivers() {
			out["key"] = s.world.Placeholder
		} else if s.shape.pick("placeholder", 4) == 3 {
			out["key"] = s.shape.word("placeholder text", "Pending…", "N/A", "-")
		}
	}
	// Last, over everything that is true or shaped: Server.Show is what a test wants to be seen.
	o.feigned.general.on(out, "key")
	return out
}

// owned is the caller's order of a variant by id.
func (s *Server) owned(c call, id string) *order {
	if o := s.byID[id]; o != nil && o.account == c.account && o.variant != nil {
		return o
	}
	return nil
}

func oneOrder(s *Server, c call) reply {
	o := s.owned(c, c.params["orderId"])
	then, there := s.status(c, o)
	if !there {
		return refuse(http.StatusNotFound, "Order not found")
	}
	return ok(s.currentOrder(o, then))
}

// retrieve reads many orders in one call. Those that are not the caller's are left out.
func retrieve(s *Server, c call) reply {
	ids, listed := c.body["order_ids"].([]any)
	if !listed || len(ids) == 0 {
		return required("order_ids")
	}
	found := []object{}
	for _, id := range ids {
		text, isText := id.(string)
		if !isText {
			return invalid("order_ids", "The order_ids must be strings.")
		}
		o := s.owned(c, text)
		if then, there := s.status(c, o); there {
			found = append(found, s.currentOrder(o, then))
		}
	}
	if s.shape.pick("retrieve sorted", 2) == 1 {
		slices.Reverse(found)
	}
	return ok(found)
}

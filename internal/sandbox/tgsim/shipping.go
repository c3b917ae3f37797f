package tgsim

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// ShippingOption is a way to send what is bought.
type ShippingOption struct {
	ID    string `json:"id"`
	Title string `json:"title"`
	Total int64  `json:"total_amount"` // what it costs besides
}

// orderInfo is what a person fills in where an invoice asks for it.
func orderInfo(u *User, needs []string) object {
	all := object{
		"name": u.FirstName, "phone_number": strings.TrimPrefix(u.phone(), "+"), "email": fmt.Sprintf("%d@example.com", u.ID),
		"shipping_address": object{"country_code": "DZ", "state": "", "city": "Alger", "street_line1": "1 rue Didouche Mourad", "street_line2": "", "post_code": "16000"},
	}
	maps.DeleteFunc(all, func(name string, _ any) bool { return !slices.Contains(needs, name) })
	return all
}

// addOrder adds what was filled in and chosen.
func (pay *Payment) addOrder(o object) {
	if len(pay.order) > 0 {
		o["order_info"] = pay.order
	}
	o.add("shipping_option_id", pay.Option)
}

// Ship has whoever pays choose one of the ways that the bot offers. It reports whether there is such a one, and nothing chosen yet.
func (s People) Ship(payment, option string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	i := slices.IndexFunc(s.payments, func(pay *Payment) bool { return pay.ID == payment && pay.Option == "" })
	if i < 0 {
		return false
	}
	pay := s.payments[i]
	chosen := slices.IndexFunc(pay.Offers, func(o ShippingOption) bool { return o.ID == option })
	if chosen < 0 {
		return false
	}
	pay.Option, pay.Total = option, pay.Total+pay.Offers[chosen].Total
	s.ask(pay)
	s.touch()
	return true
}

// answerShippingQuery says how what is bought can be sent, or why it cannot.
func answerShippingQuery(s *Server, p params) (any, *failure) {
	var offers []ShippingOption
	var no *failure
	if p.bool("ok") {
		offers, no = p.shippingOptions()
	} else if !p.has("error_message") {
		no = badRequest("parameter \"error_message\" is required")
	}
	if no != nil {
		return nil, no
	}
	i := slices.IndexFunc(s.payments, func(pay *Payment) bool { return pay.ID == p.text("shipping_query_id") && pay.invoice.flexible })
	if i < 0 || s.payments[i].Offers != nil || s.payments[i].Answered || s.since(s.payments[i].At) > payLife {
		return nil, badRequest("query is too old and response timeout expired or query ID is invalid")
	}
	pay := s.payments[i]
	// Offers answer the shipping query and not the payment: Answered stays false for the checkout, unless nothing can be sent.
	pay.Offers, pay.Problem, pay.Answered = offers, p.text("error_message"), offers == nil
	return true, nil
}

// shippingOptions reads what can be chosen from.
func (p params) shippingOptions() (all []ShippingOption, no *failure) {
	list, no := p.array("shipping_options", "shipping options", "shipping options")
	if no != nil {
		return nil, no
	}
	for _, raw := range list {
		f := newFields(raw, "ShippingOption must be an Object")
		o := ShippingOption{ID: f.needText("id"), Title: f.needText("title")}
		var prices []json.RawMessage
		switch {
		case f.err != nil:
		case o.ID == "":
			f.failf("ShippingOption identifier must be non-empty")
		case o.Title == "":
			f.failf("ShippingOption title must be non-empty")
		default:
			f.need("prices")
			prices = f.list("prices")
		}
		var err error
		if o.Total, err = totalOf(prices); err != nil && f.err == nil {
			f.failf("Can't parse shipping option prices: %s", err)
		}
		if f.err != nil {
			return nil, said("Can't parse shipping option: ", f.err)
		}
		all = append(all, o)
	}
	if len(all) == 0 {
		return nil, badRequest("there must be at least one shipping option")
	}
	return all, nil
}

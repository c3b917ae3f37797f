package sim_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"resellerbot/internal/api/sim"
)

// fields are what the document names of an object, by the type it gives. A type that ends with ? may be
// null or absent where there is no value.
type fields map[string]string

var (
	stockFields = fields{
		"variant_id": "number", "allocated": "number", "used": "number", "remaining": "number", "status": "string", "expires_at": "string?"}
	variantFields = fields{
		"id": "number", "name": "string", "price": "number", "currency": "string", "delivery": "string", "in_stock": "number",
		"available": "boolean", "client_stock": "object?"}
	productFields = fields{
		"id": "number", "name": "string", "description": "string", "image": "string", "category_id": "number", "requires_input": "boolean",
		"variants": "list"}
	orderFields = fields{
		"order_id": "string", "product_name": "string", "variant_name": "string", "status": "string", "key": "string?", "has_key": "boolean",
		"price": "number", "created_at": "string", "purchase_timestamp": "string"}
	balanceFields = fields{"balance": "number", "available_balance": "number"}
	legacyOrders  = fields{
		"id": "number", "product_name": "string", "variant_name": "string", "price": "number", "key": "string?", "type": "string",
		"status": "string", "created_at": "string"}
	topupFields = fields{
		"order_id": "number", "transaction_id": "string", "player_id": "string", "player_name": "string", "plan_name": "string",
		"amount": "number", "status": "string", "created_at": "string"}
)

// shown are answers whose fields the document shows: data is one object or a list of them.
var shown = map[string]struct {
	generation sim.Mode
	body       string
	data       string
	fields     fields
}{
	"GET /products":                     {sim.Current, "", "list", productFields},
	"GET /products/1/variants":          {sim.Current, "", "list", variantFields},
	"GET /products/order/{}":            {sim.Current, "", "object", orderFields},
	"POST /products/orders/retrieve":    {sim.Current, `{"order_ids":["{}"]}`, "list", orderFields},
	"POST /products/purchase/51":        {sim.Current, `{"quantity":2}`, "object", fields{"order_ids": "list", "count": "number"}},
	"GET /stock":                        {sim.Current, "", "list", with(stockFields, fields{"product_id": "number", "product_name": "string", "variant_name": "string"})},
	"GET /account":                      {sim.Current, "", "object", with(balanceFields, fields{"user_id": "number", "name": "string", "email": "string"})},
	"GET /balance":                      {sim.Current, "", "object", balanceFields},
	"GET /products ":                    {sim.Legacy, "", "list", fields{"id": "number", "name": "string", "type": "string", "variants": "list"}},
	"GET /products/1":                   {sim.Legacy, "", "object", fields{"id": "number", "name": "string", "type": "string", "variants": "list"}},
	"POST /products/5/51/purchase":      {sim.Legacy, `{"quantity":2}`, "object", fields{"purchased_items": "list"}},
	"GET /purchase-history":             {sim.Legacy, "", "list", legacyOrders},
	"GET /orders/1":                     {sim.Legacy, "", "object", legacyOrders},
	"GET /arena/plans":                  {sim.Legacy, "", "list", fields{"id": "number", "plan_id": "string", "item_id": "string", "plan_name": "string", "plan_price": "number", "reseller_price": "number"}},
	"POST /arena/check-player":          {sim.Legacy, `{"player_id":"1234567890"}`, "object", fields{"player_name": "string", "region": "string"}},
	"POST /arena/topup":                 {sim.Legacy, `{"player_id":"1234567890","plan_id":"P-1"}`, "object", topupFields},
	"GET /arena/orders/3":               {sim.Legacy, "", "object", topupFields},
	"GET /arena/orders":                 {sim.Legacy, "", "list", topupFields},
	"GET /account/balance":              {sim.Legacy, "", "object", fields{"balance": "number", "currency": "string"}},
	"POST /variants/check-availability": {sim.Legacy, `{"variants":[11]}`, "list", fields{"id": "number", "product_id": "number", "name": "string", "product_name": "string", "is_available": "boolean"}},
}

// unshown are answers of which no field is shown, with what they must tell in some way.
var unshown = map[string][2]string{
	"GET /arena/status/{trx}":                   {"", "{trx}"},
	"POST /battleroyale/check-player":           {`{"player_id":"1234567890"}`, "Amine"},
	"POST /arena/check-player":                  {`{"player_id":"1234567890"}`, "Amine"},
	"GET /battleroyale/status/{}":               {"", "{}"},
	"GET /battleroyale/history":                 {"", "{}"},
	"GET /sportstv/order/{tv}":                  {"", "{tv}"},
	"GET /internet/check-number/adsl/021998877": {"", "Karim"},
}

func with(f, more fields) fields {
	all := maps.Clone(f)
	maps.Copy(all, more)
	return all
}

// shaped is a service with an order of each sort, and the answers to everything it is asked.
func shaped(t *testing.T, shapes uint64) map[string]answer {
	t.Helper()
	s := newShop(t, sim.Options{Mode: sim.Both, Seed: 5, Shapes: shapes})
	s.must(s.AddAccount(sim.AccountSpec{Key: "current", Name: "C", UserID: 3, Balance: "90000", Mode: sim.Current}))
	s.must(s.AddAccount(sim.AccountSpec{Key: "legacy", Name: "L", UserID: 4, Balance: "90000", Mode: sim.Legacy}))
	s.as("legacy", "POST /products/5/51/purchase", `{"quantity":2}`)
	s.as("legacy", "POST /arena/topup", `{"player_id":"1234567890","plan_id":"P-1"}`)
	royale := s.as("current", "POST /products/purchase/31", `{"quantity":1,"1":"1234567890"}`).texts("data", "order_ids")[0]
	tv := s.as("current", "POST /products/purchase/41", `{"quantity":1}`).texts("data", "order_ids")[0]
	s.as("current", "POST /products/purchase/81", `{"quantity":1,"1":"1234567890"}`)
	all := s.Orders()
	fill := strings.NewReplacer("{}", royale, "{tv}", tv, "{trx}", all[len(all)-1].TransactionID)
	pass(time.Second)
	answers := map[string]answer{}
	for _, name := range slices.Sorted(maps.Keys(shown)) {
		key := string(shown[name].generation)
		answers[name] = s.as(key, strings.TrimSpace(fill.Replace(name)), fill.Replace(shown[name].body))
	}
	for _, name := range slices.Sorted(maps.Keys(unshown)) {
		a := s.as("current", fill.Replace(name), fill.Replace(unshown[name][0]))
		if want := fill.Replace(unshown[name][1]); !strings.Contains(a.text, want) {
			t.Errorf("shape %d of %s does not tell %s: %s", shapes, name, want, a.text)
		}
		answers["unshown "+name] = a
	}
	answers["verify"] = s.as("current", "POST /catalog/2/verify", `{"1":"1234567890","2":"MENA"}`)
	return answers
}

// TestShapes: every answer in every shape is JSON and holds what the document names.
func TestShapes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for shapes := range uint64(100) {
			answers := shaped(t, shapes)
			for name, a := range answers {
				if a.code != 200 || !json.Valid([]byte(a.text)) {
					t.Errorf("shape %d of %s: %d %s", shapes, name, a.code, a.text)
				}
			}
			for name, form := range shown {
				a := answers[name]
				a.want("success", "status")
				check(a, form.data, form.fields, a.at("data"))
			}
			for name, more := range map[string]fields{
				"GET /products": variantFields, "GET /products/1/variants": variantFields,
				"GET /products/1": {"id": "number", "name": "string", "reseller_buy_price": "number", "sell_price": "number", "is_available": "boolean"},
			} {
				data := answers[name].at("data")
				if list, isList := data.([]any); isList {
					data = list[0]
				}
				if variants := data.(map[string]any)["variants"]; variants != nil {
					check(answers[name], "list", more, variants)
				}
			}
			check(answers["GET /products/1/variants"], "object", stockFields, answers["GET /products/1/variants"].at("data", 2, "client_stock"))
			check(answers["POST /products/5/51/purchase"], "list", fields{"id": "number", "order_url": "string", "status": "string"},
				answers["POST /products/5/51/purchase"].at("data", "purchased_items"))
			answers["verify"].want("valid", "status")
			answers["verify"].want("Amine", "player_name")
		}
	})
}

// check fails the test unless a value is an object with the fields, or a list of such.
func check(a answer, form string, want fields, v any) {
	a.t.Helper()
	if list, isList := v.([]any); isList == (form == "list") && (isList && len(list) > 0) {
		for _, one := range list {
			check(a, "object", want, one)
		}
		return
	}
	o, isObject := v.(map[string]any)
	if !isObject {
		a.t.Errorf("it is no %s: %s", form, a.text)
		return
	}
	for name, kind := range want {
		kind, optional := strings.CutSuffix(kind, "?")
		if got := kindOf(o[name]); got != kind && (got != "null" || !optional) {
			a.t.Errorf("%s is %s, want %s, in %s", name, got, kind, a.text)
		}
	}
}

func kindOf(v any) string {
	switch v.(type) {
	case nil:
		return "null"
	case string:
		return "string"
	case float64:
		return "number"
	case bool:
		return "boolean"
	case []any:
		return "list"
	}
	return "object"
}

// TestShapesDiffer: what is not shown does come in many forms.
func TestShapesDiffer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		forms := map[string]map[string]bool{}
		for shapes := range uint64(100) {
			for name, a := range shaped(t, shapes) {
				if forms[name] == nil {
					forms[name] = map[string]bool{}
				}
				forms[name][skeleton(a.json())] = true
			}
		}
		for name, least := range map[string]int{
			"GET /products": 40, "GET /products/order/{}": 6, "unshown GET /arena/status/{trx}": 20, "unshown GET /battleroyale/status/{}": 20,
			"unshown GET /battleroyale/history": 12, "unshown GET /sportstv/order/{tv}": 10, "unshown POST /battleroyale/check-player": 8,
			"unshown GET /internet/check-number/adsl/021998877": 10, "verify": 3, "GET /purchase-history": 3, "GET /products ": 4,
		} {
			if got := len(forms[name]); got < least {
				t.Errorf("%s comes in %d forms, want %d at least", name, got, least)
			}
		}
	})
}

// skeleton is the form of a value: its names and types.
func skeleton(v any) string {
	switch v := v.(type) {
	case map[string]any:
		var b strings.Builder
		for _, name := range slices.Sorted(maps.Keys(v)) {
			fmt.Fprintf(&b, "%s:%s,", name, skeleton(v[name]))
		}
		return "{" + b.String() + "}"
	case []any:
		var b strings.Builder
		for _, one := range v {
			b.WriteString(skeleton(one) + ",")
		}
		return "[" + b.String() + "]"
	}
	return kindOf(v)
}

// TestShapesAreAlwaysAlike: the same numbers give the same answers to the last byte.
func TestShapesAreAlwaysAlike(t *testing.T) {
	for _, shapes := range []uint64{0, 1, 77, 1 << 63} {
		var texts [2]map[string]string
		for i := range texts {
			texts[i] = map[string]string{}
			synctest.Test(t, func(t *testing.T) {
				for name, a := range shaped(t, shapes) {
					texts[i][name] = a.text
				}
			})
		}
		if !maps.Equal(texts[0], texts[1]) {
			t.Errorf("shape %d answers in two ways", shapes)
		}
	}
}

// TestInputFields come in all the forms that the package names.
func TestInputFields(t *testing.T) {
	seen := map[string]bool{}
	for shapes := range uint64(100) {
		s := newShop(t, sim.Options{Shapes: shapes})
		a := s.ok("GET /products", "")
		inputs := a.at("data", 1, "input_fields")
		first, isObject := inputs.(map[string]any)
		var second map[string]any
		if isObject {
			second, first = first["2"].(map[string]any), first["1"].(map[string]any)
		} else {
			seen["list"] = true
			first, second = inputs.([]any)[0].(map[string]any), inputs.([]any)[1].(map[string]any)
			see(t, first["index"] == "1" && second["index"] == "2", a.text)
		}
		for name := range first {
			seen[name] = true
		}
		options := second["options"]
		if options == nil {
			options = second["values"]
		}
		seen["option "+kindOf(options.([]any)[0])] = true
		seen["none "+kindOf(a.at("data", 0, "input_fields"))] = true
		label := fmt.Sprint(first["label"], first["title"], first["name"])
		see(t, strings.Contains(label, "Player ID"), a.text)
	}
	for _, want := range []string{
		"list", "label", "title", "name", "hint", "placeholder", "description", "pattern", "regex", "type", "option string", "option object",
		"none object", "none list", "none null",
	} {
		if !seen[want] {
			t.Errorf("no shape has %s; there are %v", want, slices.Sorted(maps.Keys(seen)))
		}
	}
}

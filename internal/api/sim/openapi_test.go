package sim_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"resellerbot/internal/api/sim"
)

// schema is a JSON Schema, as far as the descriptions of the interface use it.
type schema struct {
	Ref        string            `json:"$ref"`
	Type       any               `json:"type"` // one or several
	Required   []string          `json:"required"`
	Properties map[string]schema `json:"properties"`
	Items      *schema           `json:"items"`
	AnyOf      []schema          `json:"anyOf"`
	Enum       []any             `json:"enum"`
	Const      any               `json:"const"`
	Pattern    string            `json:"pattern"`
	Format     string            `json:"format"`
	Minimum    *float64          `json:"minimum"`
	Additional *schema           `json:"additionalProperties"`
}

// content is a body of a request or an answer.
type content struct {
	JSON struct {
		Schema  schema          `json:"schema"`
		Example json.RawMessage `json:"example"`
	} `json:"application/json"`
}

// openAPI is a description of one generation, written from the document by hand: docs/openapi-….json.
type openAPI struct {
	Paths map[string]map[string]struct {
		Request *struct {
			Content content `json:"content"`
		} `json:"requestBody"`
		Responses map[string]struct {
			Content content `json:"content"`
		} `json:"responses"`
	} `json:"paths"`
	Components struct {
		Schemas map[string]schema `json:"schemas"`
	} `json:"components"`
}

func readOpenAPI(t *testing.T, generation sim.Mode) (d openAPI) {
	t.Helper()
	text, err := os.ReadFile("../../../docs/openapi-" + string(generation) + ".json")
	if err == nil {
		err = json.Unmarshal(text, &d)
	}
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// judge says what in a value is not as a schema has it.
func (d openAPI) judge(where string, s schema, v any) (faults []string) {
	if s.Ref != "" {
		return d.judge(where, d.Components.Schemas[strings.TrimPrefix(s.Ref, "#/components/schemas/")], v)
	}
	say := func(format string, args ...any) { faults = append(faults, where+" "+fmt.Sprintf(format, args...)) }
	if s.AnyOf != nil && !slices.ContainsFunc(s.AnyOf, func(one schema) bool { return d.judge(where, one, v) == nil }) {
		say("is none of what it may be: %v", v)
	}
	if s.Type != nil && !slices.ContainsFunc(typesOf(s.Type), func(kind string) bool { return isOf(kind, v) }) {
		say("is no %v: %v", s.Type, v)
	}
	if s.Enum != nil && !slices.Contains(s.Enum, v) || s.Const != nil && v != s.Const {
		say("is %v", v)
	}
	switch v := v.(type) {
	case string:
		if _, err := time.Parse(time.RFC3339, v); s.Format == "date-time" && err != nil || !regexp.MustCompile(s.Pattern).MatchString(v) {
			say("is %q", v)
		}
		if s.Format == "uuid" && !regexp.MustCompile(`^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$`).MatchString(v) {
			say("is no UUID: %q", v)
		}
	case float64:
		if s.Minimum != nil && v < *s.Minimum {
			say("is %v", v)
		}
	case []any:
		for i, one := range v {
			if s.Items != nil {
				faults = append(faults, d.judge(fmt.Sprintf("%s[%d]", where, i), *s.Items, one)...)
			}
		}
	case map[string]any:
		for _, name := range s.Required {
			if _, there := v[name]; !there {
				say("has no %s", name)
			}
		}
		for _, name := range slices.Sorted(maps.Keys(v)) {
			if one, known := s.Properties[name]; known {
				faults = append(faults, d.judge(where+"."+name, one, v[name])...)
			} else if s.Additional != nil {
				faults = append(faults, d.judge(where+"."+name, *s.Additional, v[name])...)
			}
		}
	}
	return faults
}

func typesOf(t any) (all []string) {
	if list, several := t.([]any); several {
		for _, one := range list {
			all = append(all, fmt.Sprint(one))
		}
		return all
	}
	return []string{fmt.Sprint(t)}
}

// isOf reports whether a decoded value is of a type of JSON Schema.
func isOf(kind string, v any) bool {
	n, isNumber := v.(float64)
	switch kind {
	case "integer":
		return isNumber && n == float64(int64(n))
	case "array":
		return kindOf(v) == "list"
	}
	return kindOf(v) == kind
}

// documented lists the operations of the document's tables, by generation: "GET /balance".
func documented(t *testing.T) map[sim.Mode][]string {
	t.Helper()
	text, err := os.ReadFile("../../../docs/reseller-api.md")
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(text), "\n### Current\n")
	current, rest, _ := strings.Cut(rest, "\n### Legacy\n")
	legacy, _, _ := strings.Cut(rest, "\n## ")
	all := map[sim.Mode][]string{sim.Current: {"GET /internet/check-number/{type}/{number}"}} // which is named in the text
	for generation, part := range map[sim.Mode]string{sim.Current: current, sim.Legacy: legacy} {
		for _, m := range regexp.MustCompile(`(?m)^\| (GET|POST) \| (/\S+) \|`).FindAllStringSubmatch(part, -1) {
			all[generation] = append(all[generation], m[1]+" "+m[2])
		}
	}
	return all
}

// TestOpenAPI: a client that was made from the descriptions alone, which know every operation of the document, is served: its
// requests are taken, those that break a rule of them are refused, and every answer is as they say.
func TestOpenAPI(t *testing.T) {
	for generation, operations := range documented(t) {
		t.Run(string(generation), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				d := readOpenAPI(t, generation)
				s, fill := played(t, generation)
				var described []string
				for path, methods := range d.Paths {
					for method, op := range methods {
						name := strings.ToUpper(method) + " " + path
						described = append(described, name)
						call := fill.Replace(name)
						body := ""
						if op.Request != nil {
							body = fill.Replace(string(op.Request.Content.JSON.Example))
							d.refuses(s, call, op.Request.Content.JSON.Schema, body)
						}
						d.serves(s, call, body, op.Responses["200"].Content.JSON.Schema, op.Responses["default"].Content.JSON.Schema)
					}
				}
				slices.Sort(described)
				slices.Sort(operations)
				if !slices.Equal(described, operations) {
					t.Errorf("described are %v\nthe document has %v", described, operations)
				}
			})
		})
	}
}

// played is a service where an order of each sort was made, and what stands for the parameters of paths and examples.
func played(t *testing.T, generation sim.Mode) (*shop, *strings.Replacer) {
	t.Helper()
	s := newShop(t, sim.Options{Mode: generation, Seed: 5})
	fill := []string{"{productId}", "1", "{variantId}", "11", "{product_id}", "1", "{variant_id}", "11", "{type}", "adsl", "{number}", "021998877"}
	if generation == sim.Legacy {
		s.ok("POST /products/1/11/purchase", `{"quantity":2}`)
		s.ok("POST /products/6/61/purchase", `{"quantity":1}`)
		topup := s.ok("POST /arena/topup", `{"player_id":"1234567890","plan_id":"P-1"}`)
		pass(time.Minute)
		return s, strings.NewReplacer(append(fill, "{id}", "1", "/arena/orders/{order_id}", "/arena/orders/"+fmt.Sprint(topup.at("data", "order_id")), "{order_id}", "1")...)
	}
	s.buy(11, 2, "")
	royale, tv := s.buy(31, 1, `,"1":"1234567890"`)[0], s.buy(41, 1, "")[0]
	s.buy(81, 1, `,"1":"1234567890"`)
	all := s.Orders()
	pass(time.Minute)
	return s, strings.NewReplacer(append(fill, "{id}", "2", "/sportstv/order/{orderId}", "/sportstv/order/"+tv, "{orderId}", royale, "{trxId}", all[len(all)-1].TransactionID)...)
}

// serves sees that a call gets what it is described to get, and an error without a key.
func (d openAPI) serves(s *shop, call, body string, good, bad schema) {
	s.t.Helper()
	a := s.ok(call, body)
	for _, fault := range d.judge(call, good, a.json()) {
		s.t.Errorf("%s, in %s", fault, a.text)
	}
	no := s.as("nobody", call, body)
	for _, fault := range d.judge(call, bad, no.json()) {
		s.t.Errorf("%s, in %s", fault, no.text)
	}
}

// refuses sees that an example is as its schema says, and that it is refused without each field that is required.
func (d openAPI) refuses(s *shop, call string, of schema, body string) {
	s.t.Helper()
	var example map[string]any
	s.must(json.Unmarshal([]byte(body), &example))
	for _, fault := range d.judge(call, of, example) {
		s.t.Errorf("the example: %s", fault)
	}
	for _, name := range of.Required {
		less := maps.Clone(example)
		delete(less, name)
		text, err := json.Marshal(less)
		s.must(err)
		if a := s.do(call, string(text)); a.code != 400 && a.code != 422 || a.at("status") != "error" {
			s.t.Errorf("%s without %s: %d %s", call, name, a.code, a.text)
		}
	}
}

// The judge sees what is wrong.
func TestOpenAPIJudge(t *testing.T) {
	d := readOpenAPI(t, sim.Legacy)
	for text, want := range map[string]int{
		`{"balance":1,"currency":"DZD"}`: 0, `{"balance":"1","currency":"DZD"}`: 1, `{"balance":1}`: 1, `[]`: 1, `{"balance":null,"currency":7}`: 2,
	} {
		var v any
		if err := json.Unmarshal([]byte(text), &v); err != nil {
			t.Fatal(err)
		}
		if faults := d.judge("it", schema{Ref: "#/components/schemas/Balance"}, v); len(faults) != want {
			t.Errorf("%s: %v", text, faults)
		}
	}
}

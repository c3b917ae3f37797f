package sim_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"resellerbot/internal/api/sim"
)

const (
	mine   = "KEY-mine"
	theirs = "KEY-theirs"
)

// shop is a service with two accounts and a caller of it.
type shop struct {
	*sim.Server

	t *testing.T
}

// newShop makes a service without limits, filled with a bit of everything.
func newShop(t *testing.T, o sim.Options) *shop {
	t.Helper()
	if o.GetPerMinute == 0 {
		o.GetPerMinute, o.PostPerMinute = -1, -1
	}
	s := &shop{Server: sim.New(o), t: t}
	s.must(s.AddAccount(sim.AccountSpec{Key: mine, Name: "Mine", Email: "mine@example.com", UserID: 1, Balance: "10000", Held: "1000"}))
	s.must(s.AddAccount(sim.AccountSpec{Key: theirs, Name: "Theirs", UserID: 2, Balance: "10000"}))
	fill(s.Server)
	return s
}

// fill adds one product of each sort.
func fill(s *sim.Server) {
	player := sim.InputSpec{Index: "1", Label: "Player ID", Hint: "digits", Pattern: `^\d+$`, Required: true}
	server := sim.InputSpec{Index: "2", Label: "Server", Options: []string{"Europe", "MENA"}, Required: true}
	for _, p := range []sim.ProductSpec{
		{ID: 1, Name: "Card", Description: "A card.", CategoryID: 4, Variants: []sim.VariantSpec{
			{ID: 11, Name: "5 USD", Price: "1250.50", InStock: 20, Delay: 2 * time.Second, SellPrice: "1400"},
			{ID: 12, Name: "sold out", Price: "10", InStock: 0},
			{ID: 13, Name: "unlucky", Price: "500", InStock: 20, Delay: time.Second, Fails: true, RefundAfter: 3 * time.Second},
			{ID: 14, Name: "allocated", Price: "100", InStock: 20, Allocated: 5, Used: 2, ExpiresAt: time.Date(2099, 1, 2, 3, 4, 5, 0, time.UTC)},
		}},
		{ID: 2, Name: "Crystals", Kind: "topup", Inputs: []sim.InputSpec{player, server}, Variants: []sim.VariantSpec{{ID: 21, Name: "300", Price: "640", InStock: 20}}},
		{ID: 3, Name: "Royale", Kind: "topup", Family: "battleroyale", Inputs: []sim.InputSpec{player}, Variants: []sim.VariantSpec{
			{ID: 31, Name: "60", Price: "210", InStock: 20, Delay: 2 * time.Second}}},
		{ID: 4, Name: "Sports", Family: "sportstv", Variants: []sim.VariantSpec{{ID: 41, Name: "month", Price: "2400", InStock: 20, Delay: 2 * time.Second}}},
		{ID: 5, Name: "Internet", Family: "internet", Variants: []sim.VariantSpec{{ID: 51, Name: "1000", Price: "970", InStock: 20}}},
		{ID: 6, Name: "By hand", Type: "manual", Variants: []sim.VariantSpec{{ID: 61, Name: "one", Price: "300", InStock: 20, RefundAfter: 5 * time.Second}}},
		{ID: 7, Name: "Retired", Inactive: true, Variants: []sim.VariantSpec{{ID: 71, Name: "one", Price: "1", InStock: 20}}},
		{ID: 8, Name: "Arena gems", Family: "arena", Inputs: []sim.InputSpec{player}, Variants: []sim.VariantSpec{{ID: 81, Name: "one", Price: "90", InStock: 20}}},
	} {
		s.AddProduct(p)
	}
	s.AddPlan(sim.PlanSpec{ID: 1, PlanID: "P-1", ItemID: "I-1", Name: "110 gems", Price: "300", ResellerPrice: "265.5", Delay: 2 * time.Second})
	s.AddPlan(sim.PlanSpec{ID: 2, PlanID: "P-2", ItemID: "I-2", Name: "cursed gems", Price: "80", Delay: time.Second, Fails: true, RefundAfter: 3 * time.Second})
	for _, game := range []string{"arena", "battleroyale", "2"} {
		s.AddPlayer(sim.PlayerSpec{Game: game, ID: "1234567890", Name: "Amine", Region: "MENA"})
		s.AddPlayer(sim.PlayerSpec{Game: game, ID: "9999999999", Status: "invalid"})
		s.AddPlayer(sim.PlayerSpec{Game: game, ID: "8888888888", Status: "unknown"})
	}
	s.AddPlayer(sim.PlayerSpec{Game: "internet", ID: "021998877", Name: "Karim"})
	s.AddPlayer(sim.PlayerSpec{Game: "internet", ID: "021998878", Status: "unknown"})
}

func (s *shop) must(err error) {
	s.t.Helper()
	if err != nil {
		s.t.Fatal(err)
	}
}

// answer is what a call got. lost is that the connection closed without one.
type answer struct {
	t    *testing.T
	code int
	head http.Header
	text string
	lost bool
}

// as makes a call with a key: "GET /balance", with a body of JSON or none.
func (s *shop) as(key, operation, body string) (a answer) {
	s.t.Helper()
	method, path, _ := strings.Cut(operation, " ")
	r := httptest.NewRequestWithContext(s.t.Context(), method, "/api"+path, strings.NewReader(body))
	r.RemoteAddr = "192.0.2.7:4711"
	if key != "" {
		r.Header.Set("X-Api-Key", key)
	}
	w := httptest.NewRecorder()
	defer func() {
		p := recover()
		if err, _ := p.(error); errors.Is(err, http.ErrAbortHandler) {
			a = answer{t: s.t, lost: true}
		} else if p != nil {
			panic(p)
		}
	}()
	s.ServeHTTP(w, r)
	text, err := io.ReadAll(w.Result().Body)
	s.must(err)
	return answer{t: s.t, code: w.Code, head: w.Header(), text: string(text)}
}

// do makes a call with the key of the account that is mine.
func (s *shop) do(operation, body string) answer {
	s.t.Helper()
	return s.as(mine, operation, body)
}

// ok makes a call that must succeed.
func (s *shop) ok(operation, body string) answer {
	s.t.Helper()
	a := s.do(operation, body)
	if a.code != http.StatusOK {
		s.t.Fatalf("%s: %d %s", operation, a.code, a.text)
	}
	return a
}

// buy buys units of a variant through Current and returns the order ids.
func (s *shop) buy(variantID, quantity int, inputs string) []string {
	s.t.Helper()
	a := s.ok(fmt.Sprintf("POST /products/purchase/%d", variantID), fmt.Sprintf(`{"quantity":%d%s}`, quantity, inputs))
	return a.texts("data", "order_ids")
}

// json is the answer as JSON.
func (a answer) json() any {
	a.t.Helper()
	var v any
	if err := json.Unmarshal([]byte(a.text), &v); err != nil {
		a.t.Fatalf("no JSON: %s", a.text)
	}
	return v
}

// idsOf is a step that takes one field of every object of a list.
type idsOf string

// at walks into the answer: names go into objects, numbers into lists.
func (a answer) at(path ...any) any {
	a.t.Helper()
	v := a.json()
	for _, step := range path {
		switch step := step.(type) {
		case string:
			o, _ := v.(map[string]any)
			v = o[step]
		case int:
			list, _ := v.([]any)
			if step >= len(list) {
				a.t.Fatalf("no entry %d at %v of %s", step, path, a.text)
			}
			v = list[step]
		case idsOf:
			list, _ := v.([]any)
			var ids []any
			for _, one := range list {
				o, _ := one.(map[string]any)
				ids = append(ids, o[string(step)])
			}
			v = ids
		}
	}
	return v
}

// texts is a list of texts at a path.
func (a answer) texts(path ...any) []string {
	a.t.Helper()
	list, _ := a.at(path...).([]any)
	var all []string
	for _, one := range list {
		all = append(all, fmt.Sprint(one))
	}
	return all
}

// want fails the test unless the value at a path prints as wanted.
func (a answer) want(want string, path ...any) {
	a.t.Helper()
	if got := fmt.Sprint(a.at(path...)); got != want {
		a.t.Errorf("%v is %s, want %s, in %s", path, got, want, a.text)
	}
}

// refused fails the test unless the answer is a refusal in the envelope.
func (a answer) refused(code int, message string) {
	a.t.Helper()
	if a.code != code {
		a.t.Errorf("got %d, want %d %s: %s", a.code, code, message, a.text)
		return
	}
	a.want("error", "status")
	a.want(message, "message")
	if o, isObject := a.json().(map[string]any); isObject {
		if _, present := o["data"]; !present {
			a.t.Errorf("there is no data: %s", a.text)
		}
	}
}

// field fails the test unless a field failed validation.
func (a answer) field(code int, field string) {
	a.t.Helper()
	a.refused(code, "Validation failed")
	if list := a.texts("data", "errors", field); len(list) == 0 {
		a.t.Errorf("no error of %s in %s", field, a.text)
	}
}

// pass lets virtual time pass.
func pass(d time.Duration) { <-time.After(d) }

// order is the truth about an order.
func (s *shop) order(id string) sim.Order {
	s.t.Helper()
	all := s.Orders()
	i := slices.IndexFunc(all, func(o sim.Order) bool { return o.ID == id })
	if i < 0 {
		s.t.Fatalf("there is no order %s", id)
	}
	return all[i]
}

// holds fails the test unless the wallet that is mine holds the money.
func (s *shop) holds(want string) {
	s.t.Helper()
	if got := s.Balance(mine).String(); got != want {
		s.t.Errorf("the wallet holds %s, want %s", got, want)
	}
}

package api

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"slices"
	"strings"
	"testing"
	"time"

	"resellerbot/internal/api/dzd"
	"resellerbot/internal/api/sim"
	"resellerbot/internal/secret"
)

// reads are all reads of the current interface, by operation.
var reads = map[string]func(context.Context, *Session) (any, error){
	"GET /products":                      func(ctx context.Context, s *Session) (any, error) { return s.Products(ctx, 0) },
	"GET /products/{productId}/variants": func(ctx context.Context, s *Session) (any, error) { return s.Variants(ctx, 7) },
	"GET /products/order/{orderId}":      func(ctx context.Context, s *Session) (any, error) { return s.Order(ctx, OrderRef{ID: "O-1"}) },
	"POST /products/orders/retrieve": func(ctx context.Context, s *Session) (any, error) {
		return s.Orders(ctx, []string{"O-1", "O-2"})
	},
	"GET /stock":   func(ctx context.Context, s *Session) (any, error) { return s.Stock(ctx, 0) },
	"GET /account": func(ctx context.Context, s *Session) (any, error) { return s.Account(ctx) },
	"GET /balance": func(ctx context.Context, s *Session) (any, error) { return s.Balance(ctx, 0) },
}

// families are the reads of the older interface and of single families, by operation.
var families = map[string]func(context.Context, *Session) (any, error){
	"GET /products/{id}":                         func(ctx context.Context, s *Session) (any, error) { return s.Variants(ctx, 7) },
	"POST /variants/check-availability":          func(ctx context.Context, s *Session) (any, error) { return s.Available(ctx, 71) },
	"GET /account/balance":                       func(ctx context.Context, s *Session) (any, error) { return s.Balance(ctx, 0) },
	"GET /purchase-history":                      func(ctx context.Context, s *Session) (any, error) { return s.History(ctx, Goods, 0) },
	"GET /arena/orders":                          func(ctx context.Context, s *Session) (any, error) { return s.History(ctx, Arena, 0) },
	"GET /battleroyale/history":                  func(ctx context.Context, s *Session) (any, error) { return s.History(ctx, BattleRoyale, 0) },
	"GET /arena/plans":                           func(ctx context.Context, s *Session) (any, error) { return s.Plans(ctx, 0) },
	"GET /orders/{order_id}":                     follow(OrderRef{Origin: FromLegacy, ID: "5"}),
	"GET /arena/orders/{order_id}":               follow(OrderRef{Origin: FromArena, ID: "5"}),
	"GET /arena/status/{trxId}":                  follow(OrderRef{Origin: FromArena, Transaction: "t-1"}),
	"GET /battleroyale/status/{orderId}":         follow(OrderRef{Origin: FromBattleRoyale, ID: "5"}),
	"GET /sportstv/order/{orderId}":              follow(OrderRef{Origin: FromSportsTV, ID: "5"}),
	"POST /arena/check-player":                   check(Product{Family: Arena}, PlayerInput),
	"POST /battleroyale/check-player":            check(Product{ID: 7, Family: BattleRoyale, Inputs: []Input{{Index: "1", Label: "Player ID"}}}, "1"),
	"POST /catalog/{id}/verify":                  check(Product{ID: 7, Kind: "topup", Inputs: []Input{{Index: "1"}}}, "1"),
	"GET /internet/check-number/{type}/{number}": check(Product{ID: 7, Family: Internet, Inputs: []Input{{Index: "1"}}}, "1"),
}

// follow reads an order.
func follow(ref OrderRef) func(context.Context, *Session) (any, error) {
	return func(ctx context.Context, s *Session) (any, error) { return s.Order(ctx, ref) }
}

// check asks about an answer to one of a product's inputs.
func check(p Product, index string) func(context.Context, *Session) (any, error) {
	return func(ctx context.Context, s *Session) (any, error) {
		return s.Check(ctx, p, map[string]string{index: "05/50"})
	}
}

// TestErrors: every error that the interface names, and some that it does not (reseller-api.md, Errors and
// the cases of each endpoint).
func TestErrors(t *testing.T) {
	for _, tc := range []struct {
		status  int
		message string
		want    Class
	}{
		{401, "API key is required", Unauthorized},
		{401, "Invalid API key", Unauthorized},
		{403, "IP address not allowed", IPBlocked},
		{403, "Insufficient balance", Funds},
		{403, "Your balance is insufficient", Funds},
		{403, "Forbidden", IPBlocked},
		{200, "Player not found", NotFound},
		{400, "Insufficient balance", Funds},
		{404, "Order not found", NotFound},
		{404, "Invalid order ID", NotFound},
		{404, "Product not found", NotFound},
		{404, "Product is not active", NotFound},
		{404, "Product or variant not found", NotFound},
		{403, "Unauthorized - Not your order", NotFound},
		{400, "Product out of stock", OutOfStock},
		{400, "Insufficient quantity available", OutOfStock},
		{400, "Validation failed", Invalid},
		{422, "The given data was invalid.", Invalid},
		{429, "Too Many Requests", Limited},
		{500, "Internal server error", Upstream},
		{502, "Upstream service unavailable", Upstream},

		{400, "insufficient balance: 3 DZD are missing", Funds},
		{400, "", Invalid},
		{200, "Something went wrong", Upstream},
		{201, "Something went wrong", Upstream},
		{409, "Conflict", Upstream},
		{418, "", Upstream},
		{503, "Product not found", Upstream},
		{599, "", Upstream},
	} {
		s := connect(t, says(tc.status, failure(tc.message)))
		for op, read := range reads {
			_, err := read(t.Context(), s)
			if e := asError(t, err); e.Class != tc.want || e.Status != tc.status || e.Op != op || e.Fields != nil || ClassOf(fmt.Errorf("wrapped: %w", err)) != tc.want {
				t.Errorf("%d %q: %v, want %v", tc.status, tc.message, err, tc.want)
			}
			if tc.want == Limited {
				s = connect(t, says(tc.status, failure(tc.message))) // it would rest
			}
		}
	}
	if ClassOf(nil) != Internal || ClassOf(io.EOF) != Internal {
		t.Error("an error that is not ours has a class of its own")
	}
}

func TestClassesAreNamed(t *testing.T) {
	seen := map[string]bool{}
	for c := Internal; c <= NotOffered; c++ {
		if name := c.String(); name == "" || seen[name] {
			t.Errorf("class %d is called %q", c, name)
		} else {
			seen[name] = true
		}
	}
	for _, c := range []Class{NotOffered + 1, 200} {
		if c.String() != "internal" {
			t.Errorf("a class that does not exist is called %q", c)
		}
	}
}

// TestErrorsSayWhereAndWhy: what the log has of a failed call.
func TestErrorsSayWhereAndWhy(t *testing.T) {
	for want, err := range map[string]*Error{
		"GET /balance: upstream":                     {Op: "GET /balance", Class: Upstream},
		"GET /balance: funds (HTTP 403)":             {Op: "GET /balance", Class: Funds, Status: 403},
		"GET /balance: upstream: EOF":                {Op: "GET /balance", Class: Upstream, Err: io.EOF},
		"GET /balance: upstream (HTTP 502): no form": {Op: "GET /balance", Class: Upstream, Status: 502, Err: errors.New("no form")},
	} {
		if err.Error() != want {
			t.Errorf("it says %q, want %q", err, want)
		}
	}
}

// TestFields: a failed validation tells what is wrong with which field, whatever code it comes under.
func TestFields(t *testing.T) {
	for data, want := range map[string]map[string][]string{
		`{"errors":{"quantity":["minimum 1"],"player_id":["must be 10 digits","is required"]}}`: {"quantity": {"minimum 1"}, "player_id": {"must be 10 digits", "is required"}},
		`{"errors":{}}`:                     nil,
		`{"errors":[]}`:                     nil,
		`{"errors":"quantity"}`:             nil,
		`{"errors":{"link":"is required"}}`: {"link": {"is required"}},
		`null`:                              nil,
		`[]`:                                nil,
		`"link is required"`:                nil,
	} {
		for _, status := range []int{400, 422} {
			_, err := connect(t, says(status, `{"status":"error","message":"Validation failed","data":`+data+`}`)).Account(t.Context())
			if e := asError(t, err); e.Class != Invalid || differ(want, e.Fields) != "" {
				t.Errorf("%d %s: %v, fields %v, want %v", status, data, err, e.Fields, want)
			}
		}
	}
}

// goods is a catalogue as it is read, whichever way it is written.
func goods() []Product {
	return []Product{
		{ID: 7, Name: "Play Card", Description: "For games", CategoryID: 3, Variants: []Variant{
			{
				ID: 71, Name: "5 USD", Price: dzd.Must("1250.5"), Delivery: "instant", InStock: 4, Available: true,
				Stock: &ClientStock{VariantID: 71, Allocated: 10, Used: 3, Remaining: 7, Status: "active", ExpiresAt: time.Date(2026, 3, 1, 10, 0, 0, 0, time.UTC)},
			},
			{ID: 72, Name: "10 USD", Price: dzd.Must("2480")},
		}},
		{ID: 8, Name: "Refill", Kind: "topup", RequiresInput: true, Inputs: []Input{{Index: "1", Label: "Number", Required: true}}},
	}
}

// TestCatalogue: the same goods, written in all the ways that are put up with.
func TestCatalogue(t *testing.T) {
	const (
		plain = `{"id":7,"name":"Play Card","description":"For games","image":"https://x/y.png","category_id":3,"requires_input":false,"input_fields":{},"variants":[
			{"id":71,"name":"5 USD","price":1250.50,"currency":"DZD","delivery":"instant","in_stock":4,"available":true,
			 "client_stock":{"variant_id":71,"allocated":10,"used":3,"remaining":7,"status":"active","expires_at":"2026-03-01T10:00:00Z"}},
			{"id":72,"name":"10 USD","price":2480,"in_stock":0,"available":false}]}`
		odd = `{"id":"7","name":"Play Card","description":"For games","category_id":3.0,"requires_input":0,"input_fields":[],"unknown":{"x":[1]},"variants":[
			{"id":"71","name":"5 USD","price":"1250.5","delivery":"instant","in_stock":"4","available":"1",
			 "client_stock":{"variant_id":"71","allocated":10.0,"used":"3","remaining":7,"status":"active","expires_at":"2026-03-01T11:00:00.000+01:00"}},
			{"id":72.0,"name":"10 USD","price":2.48e3,"in_stock":null,"available":0,"client_stock":null}]}`
		refill = `{"id":8,"name":"Refill","kind":"topup","requires_input":true,"input_fields":{"1":{"label":"Number"}},"variants":[]}`
	)
	for name, body := range map[string]string{
		"as published":             success("[" + plain + "," + refill + "]"),
		"bare":                     "[" + plain + "," + refill + "]",
		"numbers as text":          success("[" + odd + "," + refill + "]"),
		"among odd entries":        success("[null,7,\"x\",[]," + plain + `,{"id":9},{"name":"no id"},{"id":"x","name":"y"},{"id":1.5,"name":"y"},` + refill + `,{"id":5,"name":""}]`),
		"with spaces and a status": "\n " + `{"data":[` + plain + "," + refill + `],"message":null,"status":"success","meta":1}` + " \n",
		"with odd variants":        success("[" + strings.Replace(plain, `"variants":[`, `"variants":[null,{"id":"x"},{"id":73.5,"in_stock":"plenty"},{"id":74,"client_stock":[]},[],"x",`, 1) + "," + refill + "]"),
	} {
		t.Run(name, func(t *testing.T) {
			var log bytes.Buffer
			srv := httptest.NewServer(says(200, body))
			defer srv.Close()
			s := newClient(t, Config{BaseURL: srv.URL + "/api", Log: slog.New(slog.NewTextHandler(&log, nil))}).As(secret.New("k"))
			got, err := s.Products(t.Context(), 0)
			for i := range got {
				got[i].Variants = slices.DeleteFunc(got[i].Variants, func(v Variant) bool { return v.ID == 74 }) // it may be sold or not
			}
			if diff := differ(goods(), got); err != nil || diff != "" {
				t.Errorf("err %v, read otherwise (-want +got):\n%s", err, diff)
			}
			if told := strings.Contains(log.String(), "odd=9 read=2"); told != (name == "among odd entries") {
				t.Errorf("the log says %s", &log)
			}
		})
	}
}

// TestVariants: what can be sold and what cannot.
func TestVariants(t *testing.T) {
	for text, want := range map[string]Variant{
		`{"id":1,"price":10}`:                          {ID: 1, Price: dzd.Int(10), Available: true},
		`{"id":1,"price":0,"available":true}`:          {ID: 1, Available: true},
		`{"id":1,"price":10,"in_stock":""}`:            {ID: 1, Price: dzd.Int(10), Available: true},
		`{"id":1,"price":10,"available":null}`:         {ID: 1, Price: dzd.Int(10), Available: true},
		`{"id":1,"price":10,"available":false}`:        {ID: 1, Price: dzd.Int(10)},
		`{"id":1,"price":10,"available":"no"}`:         {ID: 1, Price: dzd.Int(10)},
		`{"id":1,"price":-10,"available":true}`:        {ID: 1, Price: dzd.Int(-10)},
		`{"id":1,"price":null,"available":true}`:       {ID: 1, Unpriced: true},
		`{"id":1,"price":"free","available":true}`:     {ID: 1, Unpriced: true},
		`{"id":1,"price":1e300,"available":true}`:      {ID: 1, Unpriced: true},
		`{"id":1,"available":false}`:                   {ID: 1},
		`{"id":1,"available":true}`:                    {ID: 1, Unpriced: true},
		`{"id":1,"name":5,"price":1250.5000000000002}`: {ID: 1, Name: "5", Price: dzd.Must("1250.5"), Available: true},
		`{"id":9007199254740993,"price":1}`:            {ID: 9007199254740993, Price: dzd.Int(1), Available: true},
		`{"id":1,"name":{"en":"x"},"delivery":true,"price":1,"client_stock":{"expires_at":"soon"}}`: {ID: 1, Price: dzd.Int(1), Available: true, Stock: &ClientStock{Lacks: true}},
	} {
		got, err := connect(t, says(200, success("["+text+"]"))).Variants(t.Context(), 7)
		if diff := differ([]Variant{want}, got); err != nil || diff != "" {
			t.Errorf("%s: err %v, read otherwise (-want +got):\n%s", text, err, diff)
		}
	}
}

// TestUnitsThatLack: of the three numbers of an allocation, one follows from the others. Where it does not, none is zero.
func TestUnitsThatLack(t *testing.T) {
	for text, want := range map[string]ClientStock{
		`"allocated":10,"used":3,"remaining":7`:        {Allocated: 10, Used: 3, Remaining: 7},
		`"allocated":10,"used":3,"remaining":5`:        {Allocated: 10, Used: 3, Remaining: 5}, // as it says
		`"allocated":"10","used":3.0`:                  {Allocated: 10, Used: 3, Remaining: 7},
		`"allocated":10,"remaining":7,"used":null`:     {Allocated: 10, Used: 3, Remaining: 7},
		`"used":3,"remaining":7,"allocated":"many"`:    {Allocated: 10, Used: 3, Remaining: 7},
		`"allocated":0,"used":0,"remaining":0`:         {},
		`"allocated":10`:                               {Allocated: 10, Lacks: true},
		`"used":3,"remaining":""`:                      {Used: 3, Lacks: true},
		`"remaining":0`:                                {Lacks: true},
		`"status":"active"`:                            {Status: "active", Lacks: true},
		`"allocated":10,"used":"some","remaining":[1]`: {Allocated: 10, Lacks: true},
	} {
		var w wireStock
		if err := json.Unmarshal([]byte("{"+text+"}"), &w); err != nil || w.clientStock() != want {
			t.Errorf("%s: %+v, %v; want %+v", text, w.clientStock(), err, want)
		}
	}
}

// TestInputs: the inner structure of input_fields is not shown, so many are understood.
func TestInputs(t *testing.T) {
	for text, want := range map[string][]Input{
		`null`: nil, `{}`: nil, `[]`: nil, `7`: nil, `"x"`: nil, `{"1":`: nil,
		`{"10":{},"9":{},"b":{},"a":{}}`:                            {{Index: "9", Required: true}, {Index: "10", Required: true}, {Index: "a", Required: true}, {Index: "b", Required: true}},
		`{"1":"Player ID","2":null,"3":[1],"4":5}`:                  {{Index: "1", Label: "Player ID", Required: true}, {Index: "2", Required: true}, {Index: "3", Required: true}, {Index: "4", Label: "5", Required: true}},
		`[{"label":"A","required":false},{"index":"z","name":"B"}]`: {{Index: "0", Label: "A"}, {Index: "z", Label: "B", Required: true}},
		`{"1":{"title":"T","placeholder":"P","regex":"^\\d+$"}}`:    {{Index: "1", Label: "T", Hint: "P", Pattern: `^\d+$`, Required: true}},
		`{"1":{"pattern":"/^[0-9]{6,12}$/"},"2":{"regex":"/^[a-z]+$/i"},"3":{"pattern":"^a$/"}}`: {
			{Index: "1", Pattern: `^[0-9]{6,12}$`, Required: true}, {Index: "2", Pattern: `(?i)^[a-z]+$`, Required: true}, {Index: "3", Required: true},
		},
		// Rules of another kind, which Go would read as patterns too.
		`{"1":{"validation":"required|numeric"},"2":{"validation":"digits:10"},"3":{"pattern":"[0-9]+"},"4":{"pattern":"/^a$/x"},"5":{"pattern":"/^a$"}}`: {
			{Index: "1", Required: true}, {Index: "2", Required: true}, {Index: "3", Required: true}, {Index: "4", Required: true}, {Index: "5", Required: true},
		},
		`{"player":{"index":0},"zone":{"index":1}}`:                                      {{Index: "player", Required: true}, {Index: "zone", Required: true}}, // its place among them
		`{"1":{"label":"L","title":"T","hint":"H","description":"D"}}`:                   {{Index: "1", Label: "L", Hint: "H", Required: true}},
		`{"1":{"options":["EU",2,null,{"value":"v","label":"l"},{"name":"n"},[],true]}}`: {{Index: "1", Options: []string{"EU", "2", "v", "n"}, Labels: []string{"EU", "2", "l", "n"}, Required: true}},
		`{"1":{"values":{"b":1,"a":2,"10":3,"9":4}}}`:                                    {{Index: "1", Options: []string{"9", "10", "a", "b"}, Labels: []string{"9", "10", "a", "b"}, Required: true}},
		`{"1":{"options":{"3":"Europe","4":""},"required":0}}`:                           {{Index: "1", Options: []string{"3", "4"}, Labels: []string{"Europe", "4"}}},
		`{"1":{"options":[{"value":3,"label":"Europe"}]}}`:                               {{Index: "1", Options: []string{"3"}, Labels: []string{"Europe"}, Required: true}},
		`{"1":{"options":"x"}}`:                                                          {{Index: "1", Required: true}},
	} {
		if diff := differ(want, decodeInputs(json.RawMessage(text))); diff != "" {
			t.Errorf("%s is read otherwise (-want +got):\n%s", text, diff)
		}
	}
}

func TestOrders(t *testing.T) {
	const (
		ready = `{"order_id":"O-1","product_name":"Play Card","variant_name":"5 USD","status":"completed","key":"AAAA-1111","has_key":true,"price":1250.5,"created_at":"2026-03-01T10:00:00Z","purchase_timestamp":"1772359200"}`
		other = `{"order_id":12345678901234567890,"status":"on its way","key":null,"has_key":0,"price":null,"created_at":"2026-03-01 10:00:00"}`
		coded = `{"order_id":"O-3","status":null,"key":1234567890123456,"has_key":"true","created_at":1772359200}`
		named = `{"order_id":"O-4","status":"success"}` // bare, it looks like an envelope
	)
	at := time.Date(2026, 3, 1, 10, 0, 0, 0, time.UTC)
	want := []Order{
		{ID: "O-1", ProductName: "Play Card", VariantName: "5 USD", Status: "completed", Code: secret.New("AAAA-1111"), Claim: HasCode, Price: dzd.Must("1250.5"), CreatedAt: at},
		{ID: "12345678901234567890", Status: "on its way", Claim: HasNone, CreatedAt: at, Zoneless: true},
		{ID: "O-3", Code: secret.New("1234567890123456"), Claim: HasCode, CreatedAt: time.Date(2026, 3, 1, 10, 0, 0, 0, time.UTC)},
		{ID: "O-4", Status: "success"},
	}
	list := `[` + ready + `,{"order_id":""},{"status":"completed"},` + other + `,null,` + coded + `,` + named + `]`
	for _, body := range []string{success(list), list} {
		got, err := connect(t, says(200, body)).Orders(t.Context(), []string{"O-1"})
		if diff := differ(want, got); err != nil || diff != "" {
			t.Errorf("err %v, read otherwise (-want +got):\n%s", err, diff)
		}
	}
	for i, text := range []string{ready, other, coded, named} {
		for _, body := range []string{success(text), text} {
			got, err := connect(t, says(200, body)).Order(t.Context(), OrderRef{ID: want[i].ID})
			if diff := differ(want[i], got); err != nil || diff != "" {
				t.Errorf("err %v, read otherwise (-want +got):\n%s", err, diff)
			}
		}
	}
}

func TestWallets(t *testing.T) {
	for text, want := range map[string]Balance{
		`{"balance":1500.75,"available_balance":1000}`:   {Balance: dzd.Must("1500.75"), Available: dzd.Int(1000)},
		`{"balance":"1500.75"}`:                          {Balance: dzd.Must("1500.75"), Available: dzd.Must("1500.75"), Lacks: true},
		`{"balance":0,"available_balance":null}`:         {Lacks: true},
		`{"balance":-3,"available_balance":"plenty"}`:    {Balance: dzd.Int(-3), Available: dzd.Int(-3), Lacks: true},
		`{"balance":5,"available_balance":0,"status":3}`: {Balance: dzd.Int(5)},
	} {
		for _, body := range []string{success(text), text} {
			s, begun := connect(t, says(200, body)), time.Now()
			got, err := s.Balance(t.Context(), 0)
			if got.At.Before(begun) || got.At.After(time.Now()) {
				t.Errorf("%s: read at %s", body, got.At)
			}
			want.At = got.At
			if diff := differ(want, got); err != nil || diff != "" {
				t.Errorf("%s: err %v, read otherwise (-want +got):\n%s", body, err, diff)
			}
			if a, err := s.Account(t.Context()); err != nil || !a.Balance.Equal(want.Balance) || !a.Available.Equal(want.Available) {
				t.Errorf("%s: account %+v, err %v", body, a, err)
			}
		}
	}
	a, err := connect(t, says(200, success(`{"user_id":"42","name":"Shop","email":"a@b.c","balance":1}`))).Account(t.Context())
	if want := (Account{UserID: 42, Name: "Shop", Email: "a@b.c", Balance: dzd.Int(1), Available: dzd.Int(1), Lacks: true}); err != nil || differ(want, a) != "" {
		t.Errorf("account %+v, err %v", a, err)
	}
	if s, err := connect(t, says(200, success(`[{"variant_id":"71","used":2,"product_id":7,"product_name":"P","variant_name":"V"},{"used":1}]`))).Stock(t.Context(), 0); err != nil ||
		differ([]StockEntry{{ClientStock: ClientStock{VariantID: 71, Used: 2, Lacks: true}, ProductID: 7, ProductName: "P", VariantName: "V"}}, s) != "" {
		t.Errorf("stock %+v, err %v", s, err)
	}
}

// TestUnreadable: answers that are none, for every read.
func TestUnreadable(t *testing.T) {
	for name, answer := range map[string]http.HandlerFunc{
		"HTML":            says(200, "<html>"+canaryText+"</html>", "Content-Type", "text/html"),
		"empty":           says(200, ""),
		"spaces":          says(200, " \n"),
		"no content":      says(204, ""),
		"text":            says(200, `"`+canaryText+`"`),
		"number":          says(200, "7"),
		"truth":           says(200, "true"),
		"truncated":       says(200, `{"status":"success","data":[{"id":7,"order_id":"`+canaryText),
		"two answers":     says(200, success("[]")+success("[]")),
		"trailing text":   says(200, success("[]")+canaryText),
		"no data":         says(200, `{"status":"success","message":"`+canaryText+`"}`),
		"text for data":   says(200, success(`"`+canaryText+`"`)),
		"number for data": says(200, success("7")),
		"deep":            says(200, strings.Repeat("[", 20_000)),
		"cut":             cutShort,
	} {
		for op, read := range reads {
			v, err := read(t.Context(), connect(t, answer))
			if ClassOf(err) != Upstream {
				t.Errorf("%s, %s: read as %+v, err %v", name, op, v, err)
				continue
			}
			silent(t, name, err.Error())
		}
	}
	for name, body := range map[string]string{"HTML": "<html>" + canaryText + "</html>", "empty": "", "truncated": success("[{}]")[:40], "trailing text": success("{}") + canaryText} {
		for op, read := range families {
			generation := Current
			if op == "GET /products/{id}" || op == "GET /account/balance" || op == "POST /variants/check-availability" {
				generation = Legacy
			}
			srv := httptest.NewServer(says(200, body))
			v, err := read(t.Context(), newClient(t, Config{BaseURL: srv.URL, Generation: generation}).As(secret.New(canaryKey)))
			srv.Close()
			if ClassOf(err) != Upstream {
				t.Errorf("%s, %s: read as %+v, err %v", name, op, v, err)
				continue
			}
			silent(t, name, err.Error())
		}
	}
	for _, op := range []string{"GET /account", "GET /balance", "GET /products/order/{orderId}"} {
		for _, data := range []string{"null", "[]", "{}", `{"balance":null}`, `{"balance":"` + canaryText + `","order_id":""}`} {
			v, err := reads[op](t.Context(), connect(t, says(200, success(data))))
			if ClassOf(err) != Upstream {
				t.Errorf("%s of %s: read as %+v, err %v", op, data, v, err)
				continue
			}
			silent(t, op, err.Error())
		}
	}
}

// bomb is an answer that is small until it is unpacked.
func bomb() string {
	var member bytes.Buffer
	z := gzip.NewWriter(&member)
	z.Write(bytes.Repeat([]byte(" "), 1<<20))
	z.Close()
	return strings.Repeat(member.String(), 2+maxCatalogue>>20)
}

// cutShort is an answer that ends before its length.
func cutShort(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Length", "1000")
	io.WriteString(w, success("[]"))
}

// TestCaps: an answer may be as long as the cap and no longer.
func TestCaps(t *testing.T) {
	// pad makes an envelope of exactly n bytes.
	pad := func(data string, n int) string {
		text := success(data)
		return text + strings.Repeat(" ", n-len(text))
	}
	for op, size := range map[string]int{"GET /products": maxCatalogue, "GET /stock": maxBody} {
		data := "[]"
		if _, err := reads[op](t.Context(), connect(t, says(200, pad(data, size)))); err != nil {
			t.Errorf("%s of %d bytes: %v", op, size, err)
		}
		if _, err := reads[op](t.Context(), connect(t, says(200, pad(data, size+1)))); ClassOf(err) != Upstream {
			t.Errorf("%s of %d bytes: %v", op, size+1, err)
		}
		if _, err := reads[op](t.Context(), connect(t, says(401, failure("Invalid API key")+strings.Repeat(" ", maxBody)))); ClassOf(err) != Upstream {
			t.Errorf("%s, a refusal of more than %d bytes: %v", op, maxBody, err)
		}
	}
	for op, read := range map[string]func(context.Context, *Session) (any, error){
		"orders": reads["POST /products/orders/retrieve"], "history": families["GET /purchase-history"],
	} {
		if _, err := read(t.Context(), connect(t, says(200, pad("[]", maxBody+1)))); err != nil {
			t.Errorf("%s of %d bytes: %v", op, maxBody+1, err)
		}
	}
	if _, err := reads["GET /stock"](t.Context(), connect(t, says(200, bomb(), "Content-Encoding", "gzip"))); ClassOf(err) != Upstream {
		t.Errorf("a bomb: %v", err)
	}
	s := connect(t, says(200, success(`{"balance":1}`), "X-Long", strings.Repeat("x", 2*maxHeader)))
	if _, err := s.Balance(t.Context(), 0); ClassOf(err) != Upstream {
		t.Errorf("a header of %d bytes: %v", 2*maxHeader, err)
	}
}

// TestLongAnswersAreLeft: what is over the cap is not read to its end, which may be far.
func TestLongAnswersAreLeft(t *testing.T) {
	const end = 64 << 20
	sent := make(chan int, 1)
	s := connect(t, func(w http.ResponseWriter, _ *http.Request) {
		blank, n := bytes.Repeat([]byte(" "), 1<<20), 0
		for n < end {
			m, err := w.Write(blank)
			if n += m; err != nil {
				break
			}
		}
		sent <- n
	})
	if _, err := s.Stock(t.Context(), 0); ClassOf(err) != Upstream {
		t.Errorf("err = %v", err)
	}
	if n := <-sent; n >= end {
		t.Errorf("%d bytes of an answer were taken", n)
	}
}

// TestRequests: what goes out, byte by byte, for every operation: the key is in its header and nowhere else.
func TestRequests(t *testing.T) {
	table := map[string]struct {
		line, body string
		generation Generation
	}{
		"GET /products":                              {line: "GET /api/products"},
		"GET /products/{productId}/variants":         {line: "GET /api/products/7/variants"},
		"GET /products/order/{orderId}":              {line: "GET /api/products/order/O-1"},
		"POST /products/orders/retrieve":             {line: "POST /api/products/orders/retrieve", body: `{"order_ids":["O-1","O-2"]}`},
		"GET /stock":                                 {line: "GET /api/stock"},
		"GET /account":                               {line: "GET /api/account"},
		"GET /balance":                               {line: "GET /api/balance"},
		"GET /battleroyale/history":                  {line: "GET /api/battleroyale/history"},
		"GET /battleroyale/status/{orderId}":         {line: "GET /api/battleroyale/status/5"},
		"GET /sportstv/order/{orderId}":              {line: "GET /api/sportstv/order/5"},
		"GET /arena/status/{trxId}":                  {line: "GET /api/arena/status/t-1"},
		"GET /internet/check-number/{type}/{number}": {line: "GET /api/internet/check-number/internet/05%2F50"},
		"POST /arena/check-player":                   {line: "POST /api/arena/check-player", body: `{"player_id":"05/50"}`},
		"POST /battleroyale/check-player":            {line: "POST /api/battleroyale/check-player", body: `{"player_id":"05/50"}`},
		"POST /catalog/{id}/verify":                  {line: "POST /api/catalog/7/verify", body: `{"1":"05/50"}`},
		"POST /products/purchase/{variantId}":        {line: "POST /api/products/purchase/71", body: `{"1":"05/50","quantity":2}`},

		"GET /products/{id}":                                {"GET /api/products/7", "", Legacy},
		"POST /variants/check-availability":                 {"POST /api/variants/check-availability", `{"variants":[71]}`, Legacy},
		"GET /account/balance":                              {"GET /api/account/balance", "", Legacy},
		"GET /purchase-history":                             {"GET /api/purchase-history", "", Legacy},
		"GET /orders/{order_id}":                            {"GET /api/orders/5", "", Legacy},
		"GET /arena/plans":                                  {"GET /api/arena/plans", "", Legacy},
		"GET /arena/orders":                                 {"GET /api/arena/orders", "", Legacy},
		"GET /arena/orders/{order_id}":                      {"GET /api/arena/orders/5", "", Legacy},
		"POST /products/{product_id}/{variant_id}/purchase": {"POST /api/products/7/71/purchase", `{"quantity":2}`, Legacy},
		"POST /arena/topup":                                 {"POST /api/arena/topup", `{"plan_id":"p1","player_id":"05/50"}`, Legacy},
	}
	for op, want := range table {
		var dumps []string
		srv := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
			text, _ := httputil.DumpRequest(r, true)
			dumps = append(dumps, string(text))
			if r.Header.Get("X-Api-Key") != canaryKey || r.Header.Get("Accept") != "application/json" || r.UserAgent() != "shop/1" || (r.Header.Get("Content-Type") == "application/json") != (want.body != "") {
				t.Errorf("%s: header %v", op, r.Header)
			}
		}))
		s := newClient(t, Config{BaseURL: srv.URL + "/api/", UserAgent: "shop/1", Generation: want.generation}).As(secret.New(canaryKey))
		for _, calls := range []map[string]func(context.Context, *Session) (any, error){reads, families, purchases} {
			if call := calls[op]; call != nil {
				call(t.Context(), s)
			}
		}
		srv.Close()
		if strings.Contains(op, "battleroyale/status") || strings.Contains(op, "sportstv/order") { // read at the endpoint for all orders as well
			if len(dumps) != 2 || !strings.HasPrefix(dumps[1], "GET /api/products/order/5 ") {
				t.Errorf("%s went out as %q", op, dumps)
				continue
			}
			dumps = dumps[:1]
		}
		if len(dumps) != 1 {
			t.Errorf("%s went out %d times", op, len(dumps))
			continue
		}
		line, _, _ := strings.Cut(dumps[0], " HTTP/")
		if _, body, _ := strings.Cut(dumps[0], "\r\n\r\n"); line != want.line || body != want.body || strings.Count(dumps[0], canaryKey) != 1 {
			t.Errorf("%s went out as %s", op, dumps[0])
		}
	}
	for op := range annotated(t, sources(t)) {
		if _, ok := table[op]; !ok {
			t.Errorf("nobody looked at how %s goes out", op)
		}
	}
}

// TestOrderIDsAreHostile: an id stays one segment of the path.
func TestOrderIDsAreHostile(t *testing.T) {
	for _, id := range []string{"a/b", "a?b=c", "a#b", "a%2Fb", "à b", `a"\b`, "a\r\nX-Evil: 1"} {
		s := connect(t, func(w http.ResponseWriter, r *http.Request) {
			got, ok := strings.CutPrefix(r.URL.Path, "/api/products/order/")
			if !ok || got != id || strings.Count(r.URL.EscapedPath(), "/") != 4 || r.URL.RawQuery != "" || r.Header.Get("X-Evil") != "" {
				t.Errorf("%q went out as %s", id, r.RequestURI)
			}
			text, _ := json.Marshal(map[string]string{"order_id": id, "status": "completed"})
			io.WriteString(w, success(string(text)))
		})
		if o, err := s.Order(t.Context(), OrderRef{ID: id}); err != nil || o.ID != id {
			t.Errorf("%q: order %q, err %v", id, o.ID, err)
		}
	}
}

// TestRedirectsAreNotFollowed: the key would go along.
func TestRedirectsAreNotFollowed(t *testing.T) {
	elsewhere := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		t.Errorf("%s %s went elsewhere, with the key %q", r.Method, r.URL, r.Header.Get("X-Api-Key"))
	}))
	defer elsewhere.Close()
	for _, status := range []int{300, 301, 302, 303, 304, 307, 308} {
		for op, read := range reads {
			s := connect(t, says(status, success("[]"), "Location", elsewhere.URL+"/"+canaryText))
			_, err := read(t.Context(), s)
			if e := asError(t, err); e.Class != Upstream || e.Status != status {
				t.Errorf("%d, %s: %v", status, op, err)
			}
			silent(t, op, err.Error())
		}
	}
}

// TestReadTimeouts: a read takes as long as its timeout or its caller allows, whatever the service does.
func TestReadTimeouts(t *testing.T) {
	for name, service := range map[string]http.HandlerFunc{
		"no answer":             func(_ http.ResponseWriter, r *http.Request) { dawdle(r, time.Hour) },
		"an answer in drops":    drip,
		"a switch of protocols": upgrade,
	} {
		for _, caller := range []time.Duration{0, 4 * time.Second} { // 0: no deadline of its own
			inBubble(t, Config{}, service, func(t *bubble) {
				ctx, want := t.Context(), 15*time.Second
				if caller > 0 {
					var cancel context.CancelFunc
					ctx, cancel = context.WithTimeout(ctx, caller)
					defer cancel()
					want = caller
				}
				begin := time.Now()
				_, err := t.client.As(secret.New("a")).Account(ctx)
				if took := time.Since(begin); ClassOf(err) != Upstream || took > want {
					t.Errorf("%s: %v after %v, want %v", name, err, took, want)
				}
				if !errors.Is(err, context.DeadlineExceeded) && name != "a switch of protocols" {
					t.Errorf("%s: the cause is lost: %v", name, err)
				}
			})
		}
	}
}

// TestNoService: what fails before an answer.
func TestNoService(t *testing.T) {
	closed := listen(t)
	closed.Close()
	if _, err := newClient(t, Config{BaseURL: "http://" + closed.Addr().String()}).As(secret.New(canaryKey)).Account(t.Context()); ClassOf(err) != Upstream {
		t.Errorf("nobody listens: %v", err)
	}
	// A key that cannot be a header's value.
	s := connect(t, says(200, success(`{"balance":1}`)))
	s.key = secret.New(canaryKey + "\n")
	_, err := s.Account(t.Context())
	if err == nil {
		t.Error("a key with a line break was sent")
	} else {
		silent(t, "a bad key", err.Error())
	}
}

func TestNewRefuses(t *testing.T) {
	for _, address := range []string{"", "service.example/api", "ftp://service.example/api", "http://", "https:///api", "http://[::1", "\x7f"} {
		if _, err := New(Config{BaseURL: address}); err == nil || strings.Contains(err.Error(), "service.example") {
			t.Errorf("New(%q): %v", address, err)
		}
	}
}

// TestNothingIsQuoted: no text of the service and no key gets into an error or a log, wherever in an
// answer it stands.
func TestNothingIsQuoted(t *testing.T) {
	const ok = "HTTP/1.1 200 OK\r\n"
	for name, answer := range map[string]string{
		"no HTTP":            canaryText + "\r\n\r\n",
		"a status":           "HTTP/1.1 " + canaryText + " OK\r\n\r\n",
		"a reason":           "HTTP/1.1 500 " + canaryText + "\r\nContent-Length: 0\r\n\r\n",
		"a version":          "HTTP/" + canaryText + " 200 OK\r\n\r\n",
		"a header line":      ok + canaryText + "\r\n\r\n",
		"a length":           ok + "Content-Length: " + canaryText + "\r\n\r\n",
		"two lengths":        ok + "Content-Length: 5\r\nContent-Length: 6" + canaryText + "\r\n\r\nhello",
		"an encoding":        ok + "Transfer-Encoding: " + canaryText + "\r\n\r\n",
		"a packing":          ok + "Content-Encoding: gzip\r\nContent-Length: 16\r\n\r\n" + canaryText,
		"a place":            "HTTP/1.1 302 Found\r\nLocation: http://x/%zz" + canaryText + "\r\nContent-Length: 0\r\n\r\n",
		"the key as a place": "HTTP/1.1 308 Found\r\nLocation: :" + canaryKey + "\r\nContent-Length: 0\r\n\r\n",
		"a chunk":            ok + "Transfer-Encoding: chunked\r\n\r\n" + canaryText + "\r\n",
		"a trailer":          ok + "Transfer-Encoding: chunked\r\nTrailer: X\r\n\r\n0\r\n" + canaryText + "\r\n\r\n",
		"an interim answer":  "HTTP/1.1 103 " + canaryText + "\r\n" + canaryText + "\r\n\r\n",
		"a message":          "HTTP/1.1 401 No\r\n\r\n" + failure(canaryText+" "+canaryKey),
		"a validation":       "HTTP/1.1 422 No\r\n\r\n" + `{"status":"error","message":"x","data":{"errors":{"` + canaryText + `":["` + canaryKey + `"]}}}`,
		"a body":             ok + "\r\n" + canaryText,
		"a list":             ok + "\r\n" + success(`["`+canaryText+`",{"`+canaryText+`":1}]`),
		"an object":          ok + "\r\n" + success(`{"order_id":["`+canaryText+`"],"balance":"`+canaryText+`","count":"`+canaryText+`"}`),
	} {
		t.Run(name, func(t *testing.T) {
			var log bytes.Buffer
			cfg := Config{Log: slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelDebug}))}
			for _, op := range []string{"GET /balance", "POST /products/orders/retrieve"} {
				if _, err := reads[op](t.Context(), speaks(t, cfg, answer)); err != nil {
					silent(t, "the error", fmt.Sprintf("%v %s", err, errors.Unwrap(err)))
				}
			}
			v := speaks(t, cfg, answer).Purchase(t.Context(), PurchaseRequest{VariantID: 7, Quantity: 1})
			silent(t, "the reason", v.Reason)
			silent(t, "the log", log.String())
			if log.Len() == 0 {
				t.Error("the purchase left no trace in the log")
			}
		})
	}
}

// speaks is a service that answers everything with the same bytes.
func speaks(t *testing.T, cfg Config, answer string) *Session {
	t.Helper()
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		io.Copy(io.Discard, r.Body)
		conn, _, err := w.(http.Hijacker).Hijack()
		if err != nil {
			t.Error(err)
			return
		}
		defer conn.Close()
		io.WriteString(conn, answer)
	}))
	t.Cleanup(srv.Close)
	cfg.BaseURL = srv.URL + "/api"
	return newClient(t, cfg).As(secret.New(canaryKey))
}

// TestSimulator has our client and the simulated service, which share nothing but the document, understand
// each other.
func TestSimulator(t *testing.T) {
	service := sim.New(sim.Options{})
	service.AddProduct(sim.ProductSpec{
		ID: 7, Name: "Play Card", Inputs: []sim.InputSpec{{Index: "1", Label: "Number", Required: true}},
		Variants: []sim.VariantSpec{{ID: 71, Name: "5 USD", Price: "1250.5", InStock: 9, Allocated: 5}},
	})
	if err := service.AddAccount(sim.AccountSpec{Key: canaryKey, Name: "Shop", UserID: 42, Balance: "5000"}); err != nil {
		t.Fatal(err)
	}
	s, ctx := connect(t, service.ServeHTTP), t.Context()
	v := s.Purchase(ctx, PurchaseRequest{VariantID: 71, Quantity: 2})
	if v.Outcome != Rejected || v.Class != Invalid || len(v.Fields["1"]) == 0 {
		t.Errorf("a purchase without its input: %+v", v)
	}
	v = s.Purchase(ctx, PurchaseRequest{VariantID: 71, Quantity: 2, Inputs: map[string]string{"1": "0550"}})
	if v.Outcome != Accepted || len(v.OrderIDs) != 2 {
		t.Fatalf("a purchase: %+v", v)
	}
	orders, err := s.Orders(ctx, v.OrderIDs)
	if err != nil || len(orders) != 2 {
		t.Fatalf("orders %+v, err %v", orders, err)
	}
	one, err := s.Order(ctx, OrderRef{ID: v.OrderIDs[1]})
	if err != nil || one.Claim != HasCode || one.Code.IsZero() || !one.Code.Equal(orders[1].Code) || !one.Price.Equal(dzd.Must("1250.5")) || one.CreatedAt.IsZero() {
		t.Errorf("order %+v, err %v", one, err)
	}
	readsAgree(t, s)
}

// readsAgree reads what the simulated service holds after a purchase of two units.
func readsAgree(t *testing.T, s *Session) {
	t.Helper()
	ctx := t.Context()
	if all, err := s.Products(ctx, 0); err != nil || len(all) != 1 || all[0].ID != 7 || len(all[0].Inputs) != 1 || !all[0].Inputs[0].Required {
		t.Errorf("products %+v, err %v", all, err)
	}
	variants, err := s.Variants(ctx, 7)
	if err != nil || len(variants) != 1 || variants[0].InStock != 7 || variants[0].Stock == nil || variants[0].Stock.Remaining != 3 {
		t.Errorf("variants %+v, err %v", variants, err)
	}
	if a, err := s.Account(ctx); err != nil || a.UserID != 42 || !a.Balance.Equal(dzd.Int(2499)) {
		t.Errorf("account %+v, err %v", a, err)
	}
	if b, err := s.Balance(ctx, 0); err != nil || !b.Available.Equal(dzd.Int(2499)) {
		t.Errorf("balance %+v, err %v", b, err)
	}
	if all, err := s.Stock(ctx, 0); err != nil || len(all) != 1 || all[0].Used != 2 || all[0].ProductName != "Play Card" {
		t.Errorf("stock %+v, err %v", all, err)
	}
}

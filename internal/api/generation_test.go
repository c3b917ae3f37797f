package api

import (
	"context"
	"net/http"
	"net/http/httptest"
	"slices"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"resellerbot/internal/api/sim"
	"resellerbot/internal/secret"
)

// changing is a service that can be exchanged for another one, or be out of order.
type changing struct {
	now  atomic.Pointer[sim.Server]
	down atomic.Int64 // a status that everything is answered with; 0: none
}

func (c *changing) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if status := c.down.Load(); status != 0 {
		w.WriteHeader(int(status))
		return
	}
	c.now.Load().ServeHTTP(w, r)
}

// speaks exchanges the service for one that speaks otherwise. Empty: it sells nothing.
func (c *changing) speaks(o sim.Options, empty bool) {
	s := sim.New(o)
	if err := s.AddAccount(sim.AccountSpec{Key: "KEY-1", Name: "Shop", UserID: 7, Balance: "1000"}); err != nil {
		panic(err)
	}
	if !empty {
		s.AddProduct(sim.ProductSpec{ID: 1, Name: "Card", Variants: []sim.VariantSpec{{ID: 11, Name: "5 USD", Price: "100", InStock: 5}}})
	}
	c.now.Store(s)
}

// asking opens a session at a service, which tells what it learns.
func asking(t *testing.T, c *changing, cfg Config) (s *Session, learned *[]Generation) {
	t.Helper()
	server := httptest.NewServer(c)
	t.Cleanup(server.Close)
	cfg.BaseURL = server.URL + "/api"
	client, err := New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(client.Close)
	learned = new([]Generation)
	return client.As(secret.New("KEY-1")).Speaking(Unsettled, func(_ context.Context, g Generation) { *learned = append(*learned, g) }), learned
}

// TestGenerationIsFoundOut: by a path that only one of them has, or by the shape of the catalogue, and
// never by an empty one.
func TestGenerationIsFoundOut(t *testing.T) {
	for name, c := range map[string]struct {
		service sim.Options
		empty   bool
		want    Generation
	}{
		"current":                       {sim.Options{}, false, Current},
		"current, empty":                {sim.Options{}, true, Current},
		"legacy":                        {sim.Options{Mode: sim.Legacy}, false, Legacy},
		"legacy, empty":                 {sim.Options{Mode: sim.Legacy}, true, Legacy},
		"both":                          {sim.Options{Mode: sim.Both}, false, Current},
		"both, with a Legacy catalogue": {sim.Options{Mode: sim.Both, BothListsLegacy: true}, false, Legacy},
		"both, the same but empty":      {sim.Options{Mode: sim.Both, BothListsLegacy: true}, true, Current},
	} {
		t.Run(name, func(t *testing.T) {
			service := &changing{}
			service.speaks(c.service, c.empty)
			s, learned := asking(t, service, Config{})
			ctx := context.Background()
			if _, err := s.Account(ctx); err != nil {
				t.Fatal(err)
			}
			if _, err := s.Products(ctx, 0); err != nil {
				t.Fatal(err)
			}
			if b, err := s.Balance(ctx, 0); err != nil || b.Balance.String() != "1000" {
				t.Errorf("the balance is %v, %v", b, err)
			}
			if n := len(*learned); n == 0 || (*learned)[n-1] != c.want {
				t.Errorf("learned %v, want %s", *learned, c.want)
			}
			if c.empty {
				return
			}
			p, err := s.Product(ctx, 1, 0)
			if err != nil || len(p.Variants) != 1 || p.Variants[0].ID != 11 {
				t.Fatalf("the product is %+v, %v", p, err)
			}
			v := s.Purchase(ctx, PurchaseRequest{ProductID: 1, VariantID: 11, Quantity: 2})
			if v.Outcome != Accepted || len(v.OrderIDs) != 2 {
				t.Fatalf("the purchase came to %+v", v)
			}
			if o, err := s.Order(ctx, OrderRef{Origin: v.Origin, ID: v.OrderIDs[0]}); err != nil || o.ID != v.OrderIDs[0] {
				t.Errorf("the order is %+v, %v", o, err)
			}
		})
	}
}

// TestOutageTellsNoGeneration: an error is passed on, and nothing is learned from it.
func TestOutageTellsNoGeneration(t *testing.T) {
	for _, status := range []int64{401, 403, 404, 429, 500, 502, 503} {
		service := &changing{}
		service.speaks(sim.Options{Mode: sim.Legacy}, false)
		service.down.Store(status)
		s, learned := asking(t, service, Config{})
		if _, err := s.Account(context.Background()); err == nil || len(*learned) != 0 {
			t.Errorf("HTTP %d: err %v, learned %v", status, err, *learned)
		}
	}
}

// TestGenerationIsFoundOutAnew: when a path stops being there, or the catalogue comes in the other shape.
func TestGenerationIsFoundOutAnew(t *testing.T) {
	service := &changing{}
	service.speaks(sim.Options{}, false)
	s, learned := asking(t, service, Config{})
	ctx := context.Background()
	if _, err := s.Account(ctx); err != nil {
		t.Fatal(err)
	}
	service.speaks(sim.Options{Mode: sim.Legacy}, false)
	if b, err := s.Balance(ctx, 0); err != nil || b.Balance.String() != "1000" {
		t.Errorf("by a path: %v, %v", b, err)
	}
	service.speaks(sim.Options{}, false)
	if _, err := s.Products(ctx, 0); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Stock(ctx, 0); err != nil {
		t.Errorf("by the shape of the catalogue: %v", err)
	}
	if want := []Generation{Current, Legacy, Current}; len(*learned) != 3 || (*learned)[1] != want[1] || (*learned)[2] != want[2] {
		t.Errorf("learned %v, want %v", *learned, want)
	}
}

// TestGenerationFoundOutElsewhere: a session tells what another one of the same key has found out, once.
func TestGenerationFoundOutElsewhere(t *testing.T) {
	service := &changing{}
	service.speaks(sim.Options{Mode: sim.Legacy}, false)
	s, first := asking(t, service, Config{})
	ctx := context.Background()
	if _, err := s.Balance(ctx, 0); err != nil || !slices.Equal(*first, []Generation{Legacy}) {
		t.Fatalf("learned %v, %v", *first, err)
	}
	var second []Generation
	other := s.client.As(s.key).Speaking(Current, func(_ context.Context, g Generation) { second = append(second, g) })
	for range 2 {
		if _, err := other.Balance(ctx, 0); err != nil || !slices.Equal(second, []Generation{Legacy}) {
			t.Fatalf("the other one learned %v, %v", second, err)
		}
	}
}

// TestForcedGeneration: a generation that the operator names is not argued with.
func TestForcedGeneration(t *testing.T) {
	service := &changing{}
	service.speaks(sim.Options{Mode: sim.Both}, false)
	s, learned := asking(t, service, Config{Generation: Legacy})
	a, err := s.Account(context.Background())
	if err != nil || a.UserID != 0 || len(*learned) != 0 {
		t.Errorf("account %+v, %v; learned %v", a, err, *learned)
	}
	if got := service.now.Load().Requests()["GET /account"]; got != 0 {
		t.Errorf("GET /account was asked %d times", got)
	}
	if _, err := s.Stock(context.Background(), 0); ClassOf(err) != NotOffered {
		t.Errorf("the stock of a Legacy service: %v", err)
	}
}

// TestUnknownPathsAreNotAskedAboutForEver: one that is simply not there costs a look at the generation a
// minute at most.
func TestUnknownPathsAreNotAskedAboutForEver(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := &dialect{}
		asked := 0
		for range 600 {
			if d.due(time.Now()) {
				asked++
			}
			<-time.After(time.Second)
		}
		if asked != 10 {
			t.Errorf("asked %d times in ten minutes", asked)
		}
	})
}

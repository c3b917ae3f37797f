package purchase_test

import (
	"context"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"resellerbot/internal/api"
	"resellerbot/internal/secret"
	"resellerbot/internal/store"
)

// lookedAt is a service that notes how it is asked for orders. It shows them in its own way.
type lookedAt struct {
	*service

	mu      sync.Mutex
	batches [][]string
	alone   []api.OrderRef
	batch   func(ids []string) ([]api.Order, error)
	one     func(ref api.OrderRef) (api.Order, error)
}

func (s *lookedAt) Orders(_ context.Context, ids []string) ([]api.Order, error) {
	s.mu.Lock()
	s.batches = append(s.batches, slices.Clone(ids))
	s.mu.Unlock()
	return s.batch(ids)
}

func (s *lookedAt) Order(_ context.Context, ref api.OrderRef) (api.Order, error) {
	s.mu.Lock()
	s.alone = append(s.alone, ref)
	s.mu.Unlock()
	return s.one(ref)
}

// TestLook: all orders of a purchase are asked for in as few calls as can be, at each place that may show them.
func TestLook(t *testing.T) {
	none := func([]string) ([]api.Order, error) { return nil, nil }
	all := func(ids []string) (found []api.Order, err error) {
		for _, id := range ids {
			found = append(found, api.Order{ID: id, Status: "completed", Code: secret.New("CODE-" + id)})
		}
		return append(found, api.Order{ID: "foreign", Code: secret.New("X")}), nil
	}
	codeless := func(ids []string) (found []api.Order, err error) {
		for _, id := range ids {
			found = append(found, api.Order{ID: id, Status: "completed"})
		}
		return found, nil
	}
	down := &api.Error{Op: "any", Class: api.Upstream}
	unknown := &api.Error{Op: "any", Class: api.NotFound}
	breaksFor := func(id string) func(api.OrderRef) (api.Order, error) {
		return func(ref api.OrderRef) (api.Order, error) {
			if ref.ID == id {
				return api.Order{}, down
			}
			return api.Order{ID: ref.ID, Status: "completed", Code: secret.New("CODE-" + ref.ID)}, nil
		}
	}
	shown := func(ref api.OrderRef) (api.Order, error) {
		return api.Order{ID: ref.ID, Status: "completed", Code: secret.New("CODE-" + ref.ID)}, nil
	}
	for name, tc := range map[string]struct {
		origin         api.Origin
		units, batch   int
		orders         func([]string) ([]api.Order, error)
		order          func(api.OrderRef) (api.Order, error)
		batches, alone int
		ready          int
		class          api.Class
		failed         bool
	}{
		"a batch":                        {api.FromCurrent, 12, 0, all, shown, 1, 0, 12, 0, false},
		"batches as large as are taken":  {api.FromCurrent, 12, 5, all, shown, 3, 0, 12, 0, false},
		"what a batch leaves out":        {api.FromCurrent, 12, 0, none, shown, 1, 8, 8, 0, false},
		"a batch without its codes":      {api.FromCurrent, 2, 0, codeless, shown, 1, 2, 2, 0, false},
		"a batch that fails":             {api.FromCurrent, 2, 0, func([]string) ([]api.Order, error) { return nil, down }, shown, 1, 2, 2, 0, false},
		"one order breaks its call":      {api.FromLegacy, 3, 0, none, breaksFor("100"), 0, 3, 2, 0, false},
		"no batch is taken":              {api.FromCurrent, 2, 0, func([]string) ([]api.Order, error) { return nil, unknown }, shown, 1, 2, 2, 0, false},
		"one by one":                     {api.FromLegacy, 3, 0, all, shown, 0, 3, 3, 0, false},
		"a family, the batch has it all": {api.FromSportsTV, 3, 0, all, shown, 1, 0, 3, 0, false},
		"a family, the batch has none":   {api.FromSportsTV, 3, 0, none, shown, 1, 3, 3, 0, false},
		"the service is down":            {api.FromLegacy, 3, 0, none, func(api.OrderRef) (api.Order, error) { return api.Order{}, down }, 0, 2, 0, api.Upstream, true},
		"it knows none of them":          {api.FromLegacy, 3, 0, none, func(api.OrderRef) (api.Order, error) { return api.Order{}, unknown }, 0, 3, 0, api.NotFound, true},
	} {
		t.Run(name, func(t *testing.T) {
			inShop(t, func(s *shop) {
				at := &lookedAt{service: s.service, batch: tc.orders, one: tc.order}
				s.as = at
				p := s.buy(tc.units)
				s.update(func(tx *store.Tx) error { return reorigin(tx, p.ID, tc.origin, tc.batch) })
				err := s.engine.Look(t.Context(), p.ID)
				if (err != nil) != tc.failed || tc.failed && api.ClassOf(err) != tc.class {
					t.Errorf("Look: %v", err)
				}
				if len(at.batches) != tc.batches || len(at.alone) != tc.alone {
					t.Errorf("%d batches %v and %d alone, want %d and %d", len(at.batches), at.batches, len(at.alone), tc.batches, tc.alone)
				}
				for _, ref := range at.alone {
					if ref.Origin != tc.origin || strings.Contains(ref.ID, ":") {
						t.Errorf("asked for %+v", ref)
					}
				}
				orders, err := s.store.OrdersOf(t.Context(), s.get(p.ID))
				if err != nil || store.CountCodes(orders) != tc.ready {
					t.Errorf("%d codes are here, %v", store.CountCodes(orders), err)
				}
			})
		})
	}
}

// reorigin makes a purchase's orders ones of another origin.
func reorigin(tx *store.Tx, id string, origin api.Origin, batch int) error {
	p, err := tx.Purchase(id)
	if err != nil {
		return err
	}
	a, err := tx.Account(p.Account)
	if err != nil {
		return err
	}
	a.Batch = batch
	p.OrderIDs = nil
	for i := range p.Quantity {
		key := store.OrderID(string(origin), strconv.Itoa(100+i))
		p.OrderIDs = append(p.OrderIDs, key)
		o := store.Order{
			Account: a.ID, ID: key, Purchase: id, Origin: string(origin), Unit: i + 1, State: store.Waiting, CreatedAt: time.Now(), Due: time.Now().Add(time.Hour),
		}
		if err := tx.PutOrder(&o); err != nil {
			return err
		}
	}
	if err := tx.PutPurchase(&p); err != nil {
		return err
	}
	return tx.PutAccount(&a)
}

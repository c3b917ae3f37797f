package proof

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"path"
	"sync"
	"testing"
	"time"

	"resellerbot/internal/api/dzd"
	"resellerbot/internal/api/sim"
	"resellerbot/internal/sandbox/tgsim"
	"resellerbot/internal/secret"
	"resellerbot/internal/store"
)

// slowService is the service to looks at orders, none of which is ready: so many of them are more than the simulated one is made
// for. All else the simulated one answers.
type slowService struct {
	others http.Handler

	mu    sync.Mutex
	looks map[string]int // by order
	calls int
}

// ServeHTTP implements http.Handler.
func (s *slowService) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	var answer any
	switch one, _ := path.Match("/api/products/order/*", r.URL.Path); {
	case one:
		answer = s.show(path.Base(r.URL.Path))[0]
	case r.URL.Path == "/api/products/orders/retrieve":
		var asked struct {
			IDs []string `json:"order_ids"`
		}
		_ = json.NewDecoder(r.Body).Decode(&asked) // of nothing, nothing is shown
		answer = s.show(asked.IDs...)
	default:
		s.others.ServeHTTP(w, r)
		return
	}
	text, err := json.Marshal(map[string]any{"status": "success", "message": "OK", "data": answer})
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	_, _ = w.Write(text) // whoever has gone needs none
}

// show counts a call, and shows some orders.
func (s *slowService) show(ids ...string) (orders []map[string]any) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.calls++
	for _, id := range ids {
		s.looks[id]++
		orders = append(orders, map[string]any{"order_id": id, "product_name": "Play Card", "variant_name": "5 USD", "status": "pending", "has_key": false, "price": "100.00"})
	}
	return orders
}

// reset begins to count anew.
func (s *slowService) reset() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.looks, s.calls = map[string]int{}, 0
}

// count is how many calls there were, and how many orders were looked at.
func (s *slowService) count() (calls, orders int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.calls, len(s.looks)
}

// measureOpen tells what it costs to follow open orders, one of each of so many accounts, while nobody types: they are
// delivered by people, were bought an hour ago, and none becomes ready.
func measureOpen(t *testing.T, many int, over time.Duration) {
	t.Helper()
	service := &slowService{others: sim.New(sim.Options{Seed: 1}), looks: map[string]int{}}
	b := newSpeedBotWith(t, service)
	b.service, _ = service.others.(*sim.Server)
	for i := range min(many, 10_000) { // whose menus are set while others are looked at
		b.telegram.AddUser(tgsim.User{ID: int64(firstChat + i), FirstName: "Sam", LanguageCode: "en"})
	}
	for i := range many {
		if err := b.service.AddAccount(sim.AccountSpec{Key: speedKey(i), Name: "Shop", Balance: "1000"}); err != nil {
			t.Fatal(err)
		}
	}
	b.seed(func(ctx context.Context, s *store.Store) error { return seedOpen(ctx, s, many) })
	b.start()
	for end := time.Now().Add(5 * time.Minute); ; <-time.After(100 * time.Millisecond) {
		if _, seen := service.count(); seen == many {
			break
		}
		if time.Now().After(end) {
			_, seen := service.count()
			t.Fatalf("%d of %d orders were looked at in five minutes\n%s", seen, many, lastLines(b.log.String()))
		}
	}
	began := b.begun
	first := time.Since(began)
	<-time.After(min(over, 20*time.Second)) // what the first looks leave behind
	service.reset()
	before, begin := b.spent(), time.Now()
	<-time.After(over)
	cost, passed := b.spent()-before, time.Since(begin)
	calls, seen := service.count()
	t.Logf("%d open orders: %.1f %% of a processor, resident now %s (%s of it the file's), at most %s; all looked at after %v; then in %v %d calls, for %d of them",
		many, 100*cost.Seconds()/passed.Seconds(), b.memory("VmRSS"), b.memory("RssFile"), b.memory("VmHWM"), first.Round(100*time.Millisecond), passed.Round(time.Second), calls, seen)
}

// speedKey is the key of an account.
func speedKey(i int) string { return fmt.Sprintf("KEY-speed-%07d", i) }

// seedOpen writes accounts, each with a purchase whose order waits.
func seedOpen(ctx context.Context, s *store.Store, many int) error {
	const page = 1000 // accounts in one
	bought := time.Now().Add(-time.Hour)
	for first := 0; first < many; first += page {
		err := s.Update(ctx, func(tx *store.Tx) error {
			for i := first; i < min(first+page, many); i++ {
				if err := putOpen(tx, i, bought); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// putOpen writes one account with its open purchase.
func putOpen(tx *store.Tx, i int, bought time.Time) error {
	chat, price := int64(firstChat+i), dzd.Must("100")
	a := store.Account{ID: fmt.Sprintf("u%07d", i), Name: "Shop", Key: secret.New(speedKey(i)), LinkedAt: bought, Open: 1}
	store.Admit(&a, store.Member{User: chat, Name: "Sam", Role: store.Owner})
	p := store.Purchase{
		ID: fmt.Sprintf("01KAF5W8G0%016d", i), Account: a.ID, Chat: chat, User: chat, Message: 1, Phase: store.Accepted, ProductID: 1, VariantID: 101, Manual: true,
		Product: "Play Card", Variant: "5 USD", Quantity: 1, Price: price, Total: price, Origin: "current", Attempts: 1, OrderIDs: []string{fmt.Sprintf("ORD-%07d", i)},
		CreatedAt: bought, QueuedAt: bought, SentAt: bought, AnsweredAt: bought,
	}
	o := store.Order{
		Account: a.ID, ID: p.OrderIDs[0], Purchase: p.ID, Origin: p.Origin, Manual: true, Item: store.ItemOf(p), Unit: 1, Status: "pending", State: store.Waiting,
		Price: price, CreatedAt: bought, SeenAt: bought, Due: bought.Add(time.Minute), Late: true,
	}
	for _, put := range []func() error{
		func() error {
			return tx.PutChat(&store.Chat{ID: chat, Account: a.ID, Language: "en", CreatedAt: bought})
		},
		func() error { return tx.PutAccount(&a) },
		func() error { return tx.PutPurchase(&p) },
		func() error { return tx.PutOrder(&o) },
	} {
		if err := put(); err != nil {
			return err
		}
	}
	return nil
}

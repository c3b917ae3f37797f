package notify_test

import (
	"bytes"
	"context"
	"crypto/rand"
	"fmt"
	"io"
	"log/slog"
	randv2 "math/rand/v2"
	"net/http"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"resellerbot/internal/api"
	"resellerbot/internal/api/dzd"
	"resellerbot/internal/api/sim"
	"resellerbot/internal/app/apptest"
	"resellerbot/internal/notify"
	"resellerbot/internal/purchase"
	"resellerbot/internal/sampletest"
	"resellerbot/internal/secret"
	"resellerbot/internal/store"
	"resellerbot/internal/store/storetest"
)

// pollingCase is a load on the polling of orders, and what it has to reach. All goods take 0.5 to 5 s.
type pollingCase struct {
	name      string
	keys      int
	purchases int           // in all
	units     int           // of a purchase at most
	over      time.Duration // in which the purchases are made
	global    bool          // the service counts all keys together
	known     bool          // how long the goods take was learned before
	busy      bool          // a person makes calls with the first key meanwhile

	p50, p99 time.Duration // from ready at the service to on disk with the message that tells of it
	calls    float64       // for a code
	wait     time.Duration // of a person for budget
}

func pollingCases() []pollingCase {
	const ms = time.Millisecond
	return []pollingCase{
		{"one order a key", 300, 300, 1, 10 * time.Minute, false, false, false, 500 * ms, 1200 * ms, 3, 0},
		{"500 orders of one key", 1, 1, 500, 0, false, true, true, time.Second, 2500 * ms, 0.08, 300 * ms},
		{"2,000 keys", 2000, 2000, 5, time.Minute, false, true, false, 500 * ms, 1500 * ms, 3, 0},
		{"one counter, 5 purchases a minute", 50, 300, 1, time.Hour, true, true, false, 600 * ms, 2 * time.Second, 4, 0},
		{"one counter, 10 purchases a minute", 50, 600, 1, time.Hour, true, true, false, 3 * time.Second, 20 * time.Second, 4, 0},
	}
}

// TestPolling simulates the service with its published limits, and reports how late codes are seen and what
// that costs. With POLLING=full there are 2,000 keys, and plain cron jobs beside the poller to compare with.
// With POLLING=real the first two cases take real time.
func TestPolling(t *testing.T) {
	sampletest.Slow(t)
	sampletest.MoreThanFew(t)
	apptest.InMemory(t)
	for i, c := range sampletest.Some(2, pollingCases()) {
		if pollingIs("real") {
			if i > 1 {
				break
			}
			c.over /= 10
		}
		if !pollingIs("full") && c.keys > 300 {
			c.keys, c.purchases = 100, 100
		}
		t.Run(strings.ReplaceAll(c.name, ",", ""), func(t *testing.T) {
			got := pollWith(t, c, 0)
			t.Logf("%-10s %v", "ours", got)
			if got.p50 > c.p50 || got.p99 > c.p99 || got.perCode > c.calls || got.refused > 0 || got.unseen > 0 || c.busy && got.waited > c.wait {
				t.Errorf("want at most %v, %v and %.2f calls a code, nothing refused or unseen, nobody waiting over %v", c.p50, c.p99, c.calls, c.wait)
			}
			if !pollingIs("full") {
				return
			}
			for _, every := range []time.Duration{5 * time.Second, 30 * time.Second, time.Minute} {
				t.Logf("%-10s %v", "every "+every.String(), pollWith(t, c, every))
			}
		})
	}
}

// pollingIs reports how much of the polling is wanted.
func pollingIs(what string) bool { return os.Getenv("POLLING") == what }

// pollingResult is what came of a case.
type pollingResult struct {
	p50, p99, waited time.Duration
	perCode          float64
	refused, unseen  int
}

// String tells it in a line.
func (r pollingResult) String() string {
	text := fmt.Sprintf("p50 %5.2f s, p99 %6.2f s, %5.2f calls a code", r.p50.Seconds(), r.p99.Seconds(), r.perCode)
	if r.refused > 0 {
		text += fmt.Sprintf(", %d calls refused", r.refused)
	}
	if r.unseen > 0 {
		text += fmt.Sprintf(", %d codes never seen", r.unseen)
	}
	if r.waited > 0 {
		text += fmt.Sprintf(", people waited up to %v", r.waited.Round(time.Millisecond))
	}
	return text
}

// pollWith plays a case: with the poller, or with a job that asks for everything every so often.
func pollWith(t *testing.T, c pollingCase, every time.Duration) (r pollingResult) {
	t.Helper()
	run, rest := synctest.Test, 5*time.Minute
	if pollingIs("real") {
		run, rest = func(t *testing.T, test func(*testing.T)) { t.Helper(); test(t) }, 30*time.Second
	}
	run(t, func(t *testing.T) { //nolint:thelper // it is the test
		w := newPollWorld(t, c)
		ctx, cancel := context.WithCancel(t.Context())
		var all sync.WaitGroup
		all.Go(func() {
			if every == 0 {
				if err := w.poller.Run(ctx); err != nil {
					t.Error(err)
				}
				return
			}
			w.cron(ctx, every)
		})
		if c.busy {
			all.Go(func() { w.browse(ctx) })
		}
		w.buyAll(ctx)
		<-time.After(rest)
		cancel()
		all.Wait()
		<-time.After(time.Second) // for calls that were cut on their way
		r = w.result()
	})
	return r
}

// pollWorld is the service behind a network, and the parts of the program that look at orders.
type pollWorld struct {
	*testing.T
	pollingCase

	service *sim.Server
	store   *store.Store
	client  *api.Client
	engine  *purchase.Engine
	poller  *notify.Poller

	mu      sync.Mutex
	rng     *randv2.Rand
	settled map[string]time.Time // by key and order
	looks   int
	refused int
	waited  time.Duration
}

func newPollWorld(t *testing.T, c pollingCase) *pollWorld {
	t.Helper()
	w := &pollWorld{
		T: t, pollingCase: c, service: sim.New(sim.Options{Seed: 3}), store: storetest.New(t),
		rng: randv2.New(randv2.NewPCG(1, 2)), settled: map[string]time.Time{},
	}
	w.service.AddProduct(sim.ProductSpec{ID: 10, Name: "Card", Variants: []sim.VariantSpec{
		{ID: 101, Name: "10", Price: "10", InStock: 1 << 30, Delay: 500 * time.Millisecond, Slowest: 5 * time.Second},
	}})
	network := apptest.NewMemNet()
	listener, err := network.Listen("tcp", apptest.ServiceAddr)
	if err != nil {
		t.Fatal(err)
	}
	server := &http.Server{Handler: w}
	go func() { _ = server.Serve(listener) }()
	t.Cleanup(func() { server.Close() })
	w.client, err = api.New(api.Config{
		BaseURL: "http://" + apptest.ServiceAddr + "/api", Dial: network.Dial, Generation: api.Current, GlobalScope: c.global, Log: slog.New(slog.DiscardHandler),
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(w.client.Close)
	quiet := slog.New(slog.DiscardHandler)
	w.engine = purchase.New(purchase.Config{
		Store: w.store, NextLook: notify.NextLook, Random: rand.Reader, Log: quiet, ReconcileFor: time.Minute, StopGrace: time.Second,
		Service: func(a store.Account) purchase.Service { return w.client.As(a.Key) },
	})
	w.poller = notify.NewPoller(notify.PollerConfig{
		Store: w.store, Settler: w, Log: quiet, Random: w.random,
		Session: func(a store.Account) notify.OrderSource { return w.client.As(a.Key) },
	})
	w.furnish()
	return w
}

// pollKey is the API key of the i-th account.
func pollKey(i int) string { return fmt.Sprintf("key-%04d", i) }

// ServeHTTP serves the service from afar, and counts.
func (w *pollWorld) ServeHTTP(to http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return
	}
	r.Body = io.NopCloser(bytes.NewReader(body))
	<-time.After(w.half())
	seen := &statusWriter{ResponseWriter: to}
	w.service.ServeHTTP(seen, r)
	w.mu.Lock()
	if strings.Contains(r.URL.Path, "/order") {
		w.looks++
	}
	if seen.status == http.StatusTooManyRequests {
		w.refused++
	}
	w.mu.Unlock()
	<-time.After(w.half())
}

// statusWriter remembers the status of an answer.
type statusWriter struct {
	http.ResponseWriter

	status int
}

// WriteHeader implements http.ResponseWriter.
func (s *statusWriter) WriteHeader(status int) {
	s.status = status
	s.ResponseWriter.WriteHeader(status)
}

// Listed implements notify.Settler: there is no list.
func (w *pollWorld) Listed(context.Context, store.Order) (found api.Order, ok bool, err error) {
	return found, false, nil
}

// News implements notify.Settler.
func (w *pollWorld) News(o store.Order, seen api.Order, at time.Time) bool {
	return w.engine.News(o, seen, at)
}

// Settle implements notify.Settler: the engine's, with the moment at which it was done.
func (w *pollWorld) Settle(ctx context.Context, account string, seen []api.Order, at time.Time) error {
	err := w.engine.Settle(ctx, account, seen, at)
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, o := range seen {
		if _, known := w.settled[o.ID]; !known && err == nil && !o.Code.IsZero() {
			w.settled[o.ID] = time.Now()
		}
	}
	return err
}

// furnish makes the accounts, at the service and in the store. Goods that are known take 1.58 s as a rule.
func (w *pollWorld) furnish() {
	w.Helper()
	err := w.store.Update(w.Context(), func(tx *store.Tx) error {
		for i := range w.keys {
			if err := w.service.AddAccount(sim.AccountSpec{Key: pollKey(i), UserID: int64(i + 1), Balance: "1000000"}); err != nil {
				return err
			}
			a := store.Account{ID: fmt.Sprint("u", i+1), Key: secret.New(pollKey(i)), Chats: []int64{int64(i + 1)}, Generation: string(api.Current)}
			if err := tx.PutAccount(&a); err != nil {
				return err
			}
		}
		if !w.known {
			return nil
		}
		return tx.PutTimes(&store.Times{Item: store.ItemOf(store.Purchase{VariantID: 101}), Orders: 20, Mean: 0.458, Squares: 20 * 0.495 * 0.495})
	})
	if err != nil {
		w.Fatal(err)
	}
}

// half is how long half a round trip takes: 75 ms as a rule.
func (w *pollWorld) half() time.Duration {
	return time.Duration(75e6 * (0.6 + 0.8*w.random()))
}

// random is in [0, 1).
func (w *pollWorld) random() float64 {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.rng.Float64()
}

// buyAll makes the purchases, spread over the time that the case has for them.
func (w *pollWorld) buyAll(ctx context.Context) {
	var all sync.WaitGroup
	for i := range w.purchases {
		units, at := w.units, time.Duration(0)
		if w.keys > 1 {
			units, at = 1+int(w.random()*float64(w.units)), time.Duration(w.random()*float64(w.over))
		}
		all.Go(func() {
			<-time.After(at)
			w.buy(ctx, i%w.keys, units)
		})
	}
	all.Wait()
}

// buy buys with a key, and puts the orders into the store as a purchase does.
func (w *pollWorld) buy(ctx context.Context, key, units int) {
	v := w.client.As(secret.New(pollKey(key))).Purchase(ctx, api.PurchaseRequest{VariantID: 101, Quantity: units})
	if v.Outcome != api.Accepted {
		w.Errorf("key %d buys %d: %+v", key, units, v)
		return
	}
	now, account := time.Now(), fmt.Sprint("u", key+1)
	err := w.store.Update(ctx, func(tx *store.Tx) error {
		p := store.Purchase{
			ID: store.NewID(now, rand.Reader), Account: account, Chat: int64(key + 1), Phase: store.Accepted, VariantID: 101,
			Quantity: units, Price: dzd.Must("10"), OrderIDs: v.OrderIDs, CreatedAt: now,
		}
		for i, id := range v.OrderIDs {
			o := store.Order{Account: account, ID: id, Purchase: p.ID, Item: store.ItemOf(p), Unit: i + 1, State: store.Waiting, CreatedAt: now, Due: now}
			if err := tx.PutOrder(&o); err != nil {
				return err
			}
		}
		return tx.PutPurchase(&p)
	})
	if err != nil {
		w.Error(err)
	}
}

// browse is a person who reads and verifies with the first key, and notes how long that takes beyond the
// way there and back.
func (w *pollWorld) browse(ctx context.Context) {
	s := w.client.As(secret.New(pollKey(0)))
	for ctx.Err() == nil {
		begin := time.Now()
		if _, err := s.Balance(ctx, 0); err != nil {
			break
		}
		w.note(time.Since(begin))
		begin = time.Now()
		if _, err := s.Orders(ctx, []string{"ORD-1"}); err != nil {
			break
		}
		w.note(time.Since(begin))
		w.mu.Lock()
		w.looks-- // it was a person's
		w.mu.Unlock()
		awaken(ctx, 7*time.Second)
	}
}

// note keeps the longest wait.
func (w *pollWorld) note(took time.Duration) {
	const thereAndBack = 210 * time.Millisecond
	w.mu.Lock()
	defer w.mu.Unlock()
	w.waited = max(w.waited, took-thereAndBack)
}

// cron asks for all that is pending of every account, every so often.
func (w *pollWorld) cron(ctx context.Context, every time.Duration) {
	for ctx.Err() == nil {
		awaken(ctx, every)
		var all sync.WaitGroup
		for i := range w.keys {
			account := fmt.Sprint("u", i+1)
			pending, err := w.store.PendingOrders(ctx, account, "", 1000)
			if err != nil || len(pending) == 0 {
				continue
			}
			all.Go(func() {
				for batch := range slices.Chunk(pending, 100) {
					w.ask(ctx, i, account, batch)
				}
			})
		}
		all.Wait()
	}
}

// ask asks for a batch and settles it.
func (w *pollWorld) ask(ctx context.Context, key int, account string, batch []store.Order) {
	var ids []string
	for _, o := range batch {
		ids = append(ids, o.ID)
	}
	seen, err := w.client.As(secret.New(pollKey(key))).Orders(api.InBackground(ctx), ids)
	if err == nil {
		err = w.Settle(ctx, account, seen, time.Now())
	}
	if err != nil && api.ClassOf(err) != api.Limited && ctx.Err() == nil {
		w.Error(err)
	}
}

// result compares when codes were ready with when they were seen.
func (w *pollWorld) result() (r pollingResult) {
	w.mu.Lock()
	defer w.mu.Unlock()
	var late []time.Duration
	for _, o := range w.service.Orders() {
		if at, ok := w.settled[o.ID]; ok {
			late = append(late, at.Sub(o.Ready))
		} else {
			r.unseen++
		}
	}
	slices.Sort(late)
	if n := len(late); n > 0 {
		r.p50, r.p99, r.perCode = late[n/2], late[n*99/100], float64(w.looks)/float64(n)
	}
	r.refused, r.waited = w.refused, w.waited
	return r
}

// awaken waits unless ctx ends first.
func awaken(ctx context.Context, after time.Duration) {
	select {
	case <-time.After(after):
	case <-ctx.Done():
	}
}

package purchase_test

import (
	"bytes"
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"log/slog"
	"path/filepath"
	"slices"
	"strconv"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"resellerbot/internal/api"
	"resellerbot/internal/api/dzd"
	"resellerbot/internal/purchase"
	"resellerbot/internal/sampletest"
	"resellerbot/internal/secret"
	"resellerbot/internal/store"
	"resellerbot/internal/store/storetest"
)

// shop is an engine over a real store, with a service that answers as it is told.
type shop struct {
	t        *testing.T
	path     string
	logs     bytes.Buffer // warnings and errors
	store    *store.Store
	engine   *purchase.Engine
	service  *service
	as       purchase.Service // the service as the engine sees it; nil: service
	theirs   *service         // as the account u2 sees it; nil: as
	patience time.Duration    // RECONCILE_FOR; zero: 10 minutes
	stop     func()
}

// service is the reseller service of these tests.
type service struct {
	mu       sync.Mutex
	showed   []string // balances
	price    dzd.Amount
	name     string                      // of the variant; empty: 10 USD
	stock    *api.ClientStock            // of the variant
	missing  bool                        // the variant is not listed
	broken   error                       // reads fail
	lists    bool                        // it has a list of orders
	list     []api.Order                 // what it holds
	single   []api.Order                 // orders that no list shows
	balance  dzd.Amount                  // of the wallet, which a purchase does not touch by itself
	held     dzd.Amount                  // of it, that cannot be spent
	lacks    bool                        // it shows one of the two figures of the wallet
	verdicts []api.Verdict               // answers to purchases, in order; then they are accepted
	takes    time.Duration               // how long a purchase is on the wire
	sent     []int                       // quantities that were posted
	busy     int                         // purchases on the wire
	most     int                         // of them at once
	unlisted error                       // the list cannot be read
	rounds   func(dzd.Amount) dzd.Amount // how a balance is shown; nil: as it is
	weighed  func()                      // called once, between a reading of the balance and its answer; may be nil
	looking  func()                      // called at each reading of the variants; may be nil
	listing  func()                      // called at each reading of the list; may be nil
}

func (s *service) Variants(context.Context, int64) ([]api.Variant, error) {
	if s.looking != nil {
		s.looking()
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.missing || s.broken != nil {
		return nil, s.broken
	}
	return []api.Variant{{ID: 7, Name: cmp.Or(s.name, "10 USD"), Price: s.price, Available: true, Stock: s.stock}}, nil
}

func (s *service) Balance(context.Context, time.Duration) (api.Balance, error) {
	s.mu.Lock()
	b, broken, weighed := api.Balance{Balance: s.balance, Available: s.balance.Sub(s.held)}, s.broken, s.weighed
	if s.rounds != nil {
		b.Balance, b.Available = s.rounds(b.Balance), s.rounds(b.Available)
	}
	if s.lacks {
		b.Available, b.Lacks = b.Balance, true
	}
	s.weighed = nil
	s.showed = append(s.showed, b.Available.String())
	s.mu.Unlock()
	if weighed != nil {
		weighed()
	}
	return b, broken
}

// History lists the orders that the service would show, where it shows any.
func (s *service) History(context.Context, api.Family, time.Duration) ([]api.Order, error) {
	if s.listing != nil {
		s.listing()
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.lists {
		return nil, &api.Error{Op: "history", Class: api.NotOffered}
	}
	return slices.Clone(s.list), cmp.Or(s.unlisted, s.broken)
}

func (s *service) Order(_ context.Context, ref api.OrderRef) (api.Order, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	all := slices.Concat(s.list, s.single)
	i := slices.IndexFunc(all, func(o api.Order) bool { return o.ID == ref.ID })
	if i < 0 {
		return api.Order{}, &api.Error{Op: "order", Class: api.NotFound}
	}
	return all[i], s.broken
}

// Orders implements purchase.Service: those of the list.
func (s *service) Orders(_ context.Context, ids []string) ([]api.Order, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	found := slices.DeleteFunc(slices.Clone(s.list), func(o api.Order) bool { return !slices.Contains(ids, o.ID) })
	return found, s.broken
}

func (s *service) Forget() {}

func (s *service) Purchase(ctx context.Context, r api.PurchaseRequest) api.Verdict {
	s.mu.Lock()
	s.sent = append(s.sent, r.Quantity)
	n := len(s.sent)
	s.busy++
	s.most = max(s.most, s.busy)
	s.mu.Unlock()
	defer func() {
		s.mu.Lock()
		s.busy--
		s.mu.Unlock()
	}()
	if s.takes > 0 {
		select {
		case <-time.After(s.takes):
		case <-ctx.Done():
			return api.Verdict{Outcome: api.Unknown, Reason: "cut short"}
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.verdicts) > 0 {
		v := s.verdicts[0]
		s.verdicts = s.verdicts[1:]
		return v
	}
	var ids []string
	for i := range r.Quantity {
		ids = append(ids, fmt.Sprintf("O-%d-%d", n, i+1))
	}
	return api.Verdict{Outcome: api.Accepted, OrderIDs: ids}
}

// inShop plays with an engine in virtual time.
func inShop(t *testing.T, play func(*shop)) {
	t.Helper()
	sampletest.Drawn(t, 4)
	dir := t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		s := &shop{t: t, path: filepath.Join(dir, "bot.db"), service: &service{price: dzd.Int(100), balance: dzd.Int(1000), lists: true}}
		s.open()
		s.update(func(tx *store.Tx) error {
			a := store.Account{ID: "u1", Key: secret.New("key"), Chats: []int64{5}}
			purchase.Followed(&a, store.Purchase{})
			return tx.PutAccount(&a)
		})
		play(s)
		s.close()
	})
}

// open starts the engine over the store as it is on disk.
func (s *shop) open() {
	s.store = storetest.Open(s.t, s.path)
	s.engine = purchase.New(purchase.Config{
		Store: s.store, Service: func(a store.Account) purchase.Service {
			if s.theirs != nil && a.ID == "u2" {
				return s.theirs
			}
			return cmp.Or[purchase.Service](s.as, s.service)
		},
		NextLook:     func(time.Duration) time.Duration { return time.Second },
		ReconcileFor: cmp.Or(s.patience, 10*time.Minute), StopGrace: 4 * time.Second, Random: rand.Reader,
		Log: slog.New(slog.NewTextHandler(&s.logs, &slog.HandlerOptions{Level: slog.LevelWarn})),
	})
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- s.engine.Run(ctx) }()
	s.stop = func() {
		cancel()
		if err := <-done; err != nil {
			s.t.Errorf("Run: %v", err)
		}
	}
	synctest.Wait()
}

// close stops the engine and closes a store that has to be sound.
func (s *shop) close() {
	s.stop()
	problems, err := s.store.Check(context.Background())
	if err != nil || len(problems) > 0 {
		s.t.Errorf("the store is not sound: %v %v", problems, err)
	}
	if err := s.store.Close(); err != nil {
		s.t.Error(err)
	}
}

func (s *shop) update(fn func(*store.Tx) error) {
	s.t.Helper()
	if err := s.store.Update(context.Background(), fn); err != nil {
		s.t.Fatal(err)
	}
}

// draft drafts a purchase of n units by user 5 in chat 5, who was told of some repeats.
func (s *shop) draft(n int, told ...store.Purchase) store.Purchase {
	s.t.Helper()
	p, err := s.engine.Draft(context.Background(), purchase.Draft{
		Account: "u1", Chat: 5, User: 5, Message: 50, Product: api.Product{ID: 3, Name: "Card"},
		Variant: api.Variant{ID: 7, Name: "10 USD", Price: dzd.Int(100)}, Quantity: n, Same: told,
	})
	if err != nil {
		s.t.Fatal(err)
	}
	return p
}

func tap(p store.Purchase) purchase.Tap {
	return purchase.Tap{Purchase: p.ID, Nonce: p.Nonce, Chat: p.Chat, User: p.User, Message: p.Message}
}

// buy drafts and confirms, and lets the engine work. Whoever was refused the same just now wants it all the same.
func (s *shop) buy(n int) store.Purchase {
	s.t.Helper()
	p := s.draft(n)
	_, err := s.engine.Confirm(context.Background(), tap(p))
	if again := (*purchase.RepeatError)(nil); errors.As(err, &again) {
		p = s.draft(n, again.Same...)
		_, err = s.engine.Confirm(context.Background(), tap(p))
	}
	if err != nil {
		s.t.Fatal(err)
	}
	synctest.Wait()
	return p
}

func (s *shop) get(id string) store.Purchase {
	s.t.Helper()
	p, err := s.store.Purchase(context.Background(), id)
	if err != nil {
		s.t.Fatal(err)
	}
	return p
}

// is fails the test unless a purchase is in a phase.
func (s *shop) is(p store.Purchase, want store.Phase) store.Purchase {
	s.t.Helper()
	now := s.get(p.ID)
	if now.Phase != want {
		s.t.Errorf("the purchase is %s, want %s; history %v", now.Phase, want, now.History)
	}
	return now
}

// sent fails the test unless exactly n purchases were posted.
func (s *shop) sent(n int) {
	s.t.Helper()
	if len(s.service.sent) != n {
		s.t.Errorf("%d purchases were posted, want %d", len(s.service.sent), n)
	}
}

// TestVerdictsLeadToPhases: each outcome of an attempt leads to its phase, and frees the account or not.
func TestVerdictsLeadToPhases(t *testing.T) {
	for name, c := range map[string]struct {
		verdict api.Verdict
		phase   store.Phase
		reason  string
		busy    bool
	}{
		"accepted":        {api.Verdict{Outcome: api.Accepted, OrderIDs: []string{"A"}}, store.Accepted, "", false},
		"funds":           {api.Verdict{Outcome: api.Rejected, Class: api.Funds}, store.Rejected, "funds", false},
		"never sent":      {api.Verdict{Outcome: api.NotSent, Class: api.Upstream}, store.Rejected, "upstream", false},
		"no answer":       {api.Verdict{Outcome: api.Unknown, Reason: "timeout"}, store.Unknown, "timeout", true},
		"partial answer":  {api.Verdict{Outcome: api.Unknown, Reason: "wrong number of orders", OrderIDs: []string{"A"}}, store.Unknown, "wrong number of orders", true},
		"validation":      {api.Verdict{Outcome: api.Rejected, Class: api.Invalid, Fields: map[string][]string{"player_id": {"x"}}}, store.Rejected, "invalid", false},
		"address blocked": {api.Verdict{Outcome: api.Rejected, Class: api.IPBlocked}, store.Rejected, "ip_blocked", false},
	} {
		t.Run(name, func(t *testing.T) {
			inShop(t, func(s *shop) {
				s.service.verdicts = []api.Verdict{c.verdict}
				p := s.is(s.buy(1), c.phase)
				s.sent(1)
				a, err := s.store.Account(context.Background(), "u1")
				if err != nil || (a.Busy == p.ID) != c.busy || len(a.Queue) != 0 {
					t.Errorf("the account is %+v, %v", a, err)
				}
				if p.Reason != c.reason && c.phase != store.Accepted {
					t.Errorf("the reason is %q, want %q", p.Reason, c.reason)
				}
				if p.Before.Used != -1 || !p.Before.Known {
					t.Errorf("the snapshot is %+v", p.Before)
				}
			})
		})
	}
}

// TestNothingIsSentWhenTheShopHasChanged: before submitting, the variant is looked at once more.
func TestNothingIsSentWhenTheShopHasChanged(t *testing.T) {
	for name, c := range map[string]struct {
		spoil  func(*service)
		phase  store.Phase
		reason string
	}{
		"price":   {func(s *service) { s.price = dzd.Int(101) }, store.Dropped, store.ReasonPrice},
		"gone":    {func(s *service) { s.missing = true }, store.Rejected, "out_of_stock"},
		"bad key": {func(s *service) { s.broken = &api.Error{Class: api.Unauthorized} }, store.Rejected, "unauthorized"},
	} {
		t.Run(name, func(t *testing.T) {
			inShop(t, func(s *shop) {
				c.spoil(s.service)
				p := s.is(s.buy(1), c.phase)
				if p.Reason != c.reason {
					t.Errorf("the reason is %q, want %q", p.Reason, c.reason)
				}
				s.sent(0)
			})
		})
	}
}

// TestOneTapIsOnePurchase: taps that repeat, come from elsewhere or too late buy nothing more.
func TestOneTapIsOnePurchase(t *testing.T) {
	inShop(t, func(s *shop) {
		p := s.draft(2)
		for name, bad := range map[string]struct {
			change func(*purchase.Tap)
			want   error
		}{
			"nonce":   {func(t *purchase.Tap) { t.Nonce = "x" }, purchase.ErrStale},
			"chat":    {func(t *purchase.Tap) { t.Chat = 6 }, purchase.ErrStale},
			"message": {func(t *purchase.Tap) { t.Message = 51 }, purchase.ErrStale},
			"unknown": {func(t *purchase.Tap) { t.Purchase = "nothing" }, purchase.ErrStale},
			"user":    {func(t *purchase.Tap) { t.User = 6 }, purchase.ErrNotYours},
		} {
			tp := tap(p)
			bad.change(&tp)
			if _, err := s.engine.Confirm(context.Background(), tp); !errors.Is(err, bad.want) {
				t.Errorf("%s: %v, want %v", name, err, bad.want)
			}
		}
		var wg sync.WaitGroup
		confirmed := make(chan error, 5)
		for range 5 {
			wg.Go(func() {
				_, err := s.engine.Confirm(context.Background(), tap(p))
				confirmed <- err
			})
		}
		wg.Wait()
		synctest.Wait()
		good := 0
		for range 5 {
			if err := <-confirmed; err == nil {
				good++
			} else if !errors.Is(err, purchase.ErrStale) {
				t.Errorf("a repeated tap: %v", err)
			}
		}
		if good != 1 {
			t.Errorf("%d of five taps confirmed", good)
		}
		s.sent(1)
		s.is(p, store.Accepted)

		late := s.draft(1)
		<-time.After(11 * time.Minute)
		if _, err := s.engine.Confirm(context.Background(), tap(late)); !errors.Is(err, purchase.ErrExpired) {
			t.Errorf("a late tap: %v", err)
		}
		if err := s.engine.ProcessDue(context.Background()); err != nil {
			t.Error(err)
		}
		s.is(late, store.Dropped)
	})
}

// TestOneDraftIsLeft: an update that is handled twice leaves one ✅ that buys, and so does another purchase that
// is begun. What was drafted first is void; its end touches no message that shows the other one by then.
func TestOneDraftIsLeft(t *testing.T) {
	inShop(t, func(s *shop) {
		draft := func(update int64) store.Purchase {
			p, err := s.engine.Draft(context.Background(), purchase.Draft{
				Account: "u1", Chat: 5, User: 5, Update: update, Message: 50, Product: api.Product{ID: 3, Name: "Card"},
				Variant: api.Variant{ID: 7, Name: "10 USD", Price: dzd.Int(100)}, Quantity: 1,
			})
			if err != nil {
				t.Fatal(err)
			}
			return p
		}
		other, first, second := draft(8), draft(9), draft(9)
		for _, p := range []store.Purchase{other, first} {
			if _, err := s.engine.Confirm(context.Background(), tap(p)); !errors.Is(err, purchase.ErrStale) {
				t.Errorf("a draft that was left is confirmed: %v", err)
			}
			s.is(p, store.Dropped)
		}
		if rows, err := s.store.ChatOutbox(context.Background(), 5, 9); err != nil || len(rows) > 0 {
			t.Errorf("the chat is told %v, %v", rows, err)
		}
		if _, err := s.engine.Confirm(context.Background(), tap(second)); err != nil {
			t.Error(err)
		}
	})
}

// TestOneAtATime: an account's purchases go one after another, and wait for one that is unknown.
func TestOneAtATime(t *testing.T) {
	inShop(t, func(s *shop) {
		s.service.takes = 5 * time.Second
		s.service.verdicts = []api.Verdict{
			{Outcome: api.Accepted, OrderIDs: []string{"A"}},
			{Outcome: api.Unknown, Reason: "timeout"},
		}
		first, second, third := s.buy(1), s.buy(1), s.buy(1)
		<-time.After(20 * time.Second)
		synctest.Wait()
		s.is(first, store.Accepted)
		s.is(second, store.Unknown)
		s.is(third, store.Queued)
		s.sent(2)
		if s.service.most != 1 {
			t.Errorf("%d were on the wire at once", s.service.most)
		}
		s.service.balance = dzd.Int(950) // neither what it was nor what a purchase leaves
		s.processDue(20 * time.Minute)
		s.is(second, store.Undecided)
		s.is(third, store.Dropped) // it has waited too long to buy at yesterday's price
		s.sent(2)

		if err := s.engine.Decide(context.Background(), second.ID, 5, 6, true); !errors.Is(err, purchase.ErrNotAllowed) {
			t.Errorf("somebody else decided: %v", err)
		}
		if err := s.engine.Decide(context.Background(), second.ID, 5, 5, false); err != nil {
			t.Error(err)
		}
		s.is(second, store.NotCreated)
		if err := s.engine.Decide(context.Background(), second.ID, 5, 5, true); !errors.Is(err, purchase.ErrStale) {
			t.Errorf("decided twice: %v", err)
		}
	})
}

// TestRateLimitIsWaitedOut: what our own limit holds back, before a byte went out, is tried again for as long as its place is good.
func TestRateLimitIsWaitedOut(t *testing.T) {
	limited := api.Verdict{Outcome: api.Rejected, Class: api.Limited, RetryAfter: 5 * time.Second}
	for _, c := range []struct {
		times, sent int
		phase       store.Phase
	}{{1, 2, store.Accepted}, {3, 4, store.Accepted}, {40, 24, store.Rejected}} {
		t.Run(strconv.Itoa(c.times), func(t *testing.T) {
			inShop(t, func(s *shop) {
				s.service.verdicts = slices.Repeat([]api.Verdict{limited}, c.times)
				p := s.buy(1)
				s.is(p, store.Queued)
				<-time.After(3 * time.Minute)
				synctest.Wait()
				s.is(p, c.phase)
				s.sent(c.sent)
			})
		})
	}
}

// TestPutBackByAProgramOfBefore: such a program's own limit held a purchase back, and it left the price as one that may go. The purchase is sent,
// and its price is expected once: what somebody else takes as much of later is told.
func TestPutBackByAProgramOfBefore(t *testing.T) {
	inShop(t, func(s *shop) {
		s.stands()
		s.service.verdicts = []api.Verdict{{Outcome: api.Rejected, Class: api.Limited, RetryAfter: 20 * time.Second}}
		p := s.is(s.buy(1), store.Queued)
		s.update(func(tx *store.Tx) error {
			a, err := tx.Account("u1")
			if err != nil {
				return err
			}
			a.Wallet.Expected = append(slices.Clone(a.Wallet.Expected), store.Expected{At: time.Now(), Amount: dzd.Int(-100), Purchase: p.ID, Doubtful: true})
			q, err := tx.Purchase(p.ID)
			if err != nil {
				return err
			}
			q.Attempts = 1
			return errors.Join(tx.PutPurchase(&q), tx.PutAccount(&a))
		})
		s.live(25 * time.Second)
		if got := s.is(p, store.Accepted).Attempts; got != 1 {
			t.Errorf("it counts as sent %d times", got)
		}
		s.takes(100, 0)
		s.live(2 * time.Minute)
		s.names(p, 100)
		s.live(30 * time.Minute)
		s.takes(100, 0) // somebody else
		for range 150 {
			s.live(time.Minute)
			s.observe()
		}
		equal(t, s.accused(), "100")
	})
}

// TestQueuedAfterALimit: what a program of before has sent, and has put back after a 429, is not sent again: it counts as refused, and is watched.
func TestQueuedAfterALimit(t *testing.T) {
	inShop(t, func(s *shop) {
		p := s.draft(1)
		s.stop()
		s.update(func(tx *store.Tx) error {
			q, err := tx.Purchase(p.ID)
			if err != nil {
				return err
			}
			q.Phase, q.QueuedAt, q.SentAt, q.Refused, q.Attempts = store.Queued, time.Now(), time.Now(), true, 1
			a, err := tx.Account("u1")
			if err != nil {
				return err
			}
			a.Queue, a.Open = []string{p.ID}, 1
			return errors.Join(tx.PutPurchase(&q), tx.PutAccount(&a))
		})
		if err := s.store.Close(); err != nil {
			t.Fatal(err)
		}
		s.open()
		<-time.After(time.Second)
		synctest.Wait()
		if now := s.is(p, store.Rejected); now.LookAt.IsZero() {
			t.Error("it is not watched")
		}
		s.sent(0)
	})
}

// TestCrashWhileSubmitting: what was on the wire when the process ended is unknown, and never sent again;
// what waited goes on.
func TestCrashWhileSubmitting(t *testing.T) {
	inShop(t, func(s *shop) {
		p, waiting := s.draft(1), s.draft(1)
		s.stop()
		s.update(func(tx *store.Tx) error { // as commitSubmitting leaves it
			for i, q := range []store.Purchase{p, waiting} {
				q, err := tx.Purchase(q.ID)
				if err != nil {
					return err
				}
				q.Phase, q.QueuedAt = []store.Phase{store.Submitting, store.Queued}[i], time.Now()
				if err := tx.PutPurchase(&q); err != nil {
					return err
				}
			}
			a, err := tx.Account("u1")
			if err != nil {
				return err
			}
			a.Busy, a.Queue, a.Open = p.ID, []string{waiting.ID}, 2
			return tx.PutAccount(&a)
		})
		if err := s.store.Close(); err != nil {
			t.Fatal(err)
		}
		s.open()
		<-time.After(time.Second)
		synctest.Wait()
		s.is(p, store.Unknown)
		s.is(waiting, store.Queued)
		s.sent(0)
	})
}

// TestStopLetsAPurchaseFinish: a stop waits for a purchase on the wire for a while; one that takes longer
// is unknown.
func TestStopLetsAPurchaseFinish(t *testing.T) {
	for name, c := range map[string]struct {
		takes time.Duration
		phase store.Phase
	}{"in time": {2 * time.Second, store.Accepted}, "too long": {20 * time.Second, store.Unknown}} {
		t.Run(name, func(t *testing.T) {
			inShop(t, func(s *shop) {
				s.service.takes = c.takes
				p := s.buy(1)
				begin := time.Now()
				s.stop()
				if took := time.Since(begin); took > 5*time.Second {
					t.Errorf("the stop took %v", took)
				}
				s.is(p, c.phase)
				s.stop = func() {}
			})
		})
	}
}

// TestKnownOrdersProveNothing: an answer that names somebody else's orders is not this purchase's.
func TestKnownOrdersProveNothing(t *testing.T) {
	inShop(t, func(s *shop) {
		same := api.Verdict{Outcome: api.Accepted, OrderIDs: []string{"A"}}
		s.service.verdicts = []api.Verdict{same, same}
		first, second := s.buy(1), s.buy(1)
		s.is(first, store.Accepted)
		s.is(second, store.Unknown)
		o, err := s.store.Order(context.Background(), "u1", "A")
		if err != nil || o.Purchase != first.ID {
			t.Errorf("order A belongs to %q, %v", o.Purchase, err)
		}
	})
}

// TestSettle: codes are stored when they are there, whatever the status says; the purchase is settled
// when every order has come to its end.
func TestSettle(t *testing.T) {
	inShop(t, func(s *shop) {
		s.service.verdicts = []api.Verdict{{Outcome: api.Accepted, OrderIDs: []string{"A", "B", "C"}}}
		p := s.is(s.buy(3), store.Accepted)
		settle := func(orders ...api.Order) {
			t.Helper()
			for range 2 { // twice is once
				if err := s.engine.Settle(context.Background(), "u1", orders, time.Now()); err != nil {
					t.Fatal(err)
				}
			}
		}
		settle(api.Order{ID: "A", Status: "processing"}, api.Order{ID: "foreign", Code: secret.New("X")})
		s.is(p, store.Accepted)
		settle(api.Order{ID: "A", Status: "processing", Code: secret.New("CODE-A")}, api.Order{ID: "B", Status: "something new"})
		s.is(p, store.Accepted)
		settle(api.Order{ID: "A", Code: secret.New("OTHER")}, api.Order{ID: "B", Status: "completed", Code: secret.New("CODE-B")}, api.Order{ID: "C", Status: "Failed"})
		p = s.is(p, store.Accepted) // the refund of C was not seen yet
		orders, err := s.store.OrdersOf(context.Background(), p)
		if err != nil || len(orders) != 3 {
			t.Fatal(orders, err)
		}
		if orders[0].Code.Reveal() != "CODE-A" || orders[1].Code.Reveal() != "CODE-B" || orders[2].State != store.Failed {
			t.Errorf("the orders are %+v", orders)
		}
		if len(orders[0].Later) != 1 || !orders[0].Pending() || orders[1].Pending() || !orders[2].Pending() {
			t.Errorf("the orders are %+v", orders) // of what is done nothing is awaited
		}
		s.service.balance = dzd.Int(800) // three bought, one refunded
		if err := s.engine.ProcessDueAccounts(context.Background()); err != nil {
			t.Fatal(err)
		}
		s.is(p, store.Settled)
		if o := s.order(orders[2].ID); o.Due.IsZero() || o.Refund != store.RefundSeen { // something else may have come
			t.Errorf("the refunded order is %+v", o)
		}
		out, err := s.store.ChatOutbox(context.Background(), 5, 10)
		if err != nil {
			t.Fatal(err)
		}
		kinds := map[store.OutKind]int{}
		for _, o := range out {
			kinds[o.Kind]++
		}
		if kinds[store.StatusMessage] != 1 || kinds[store.Ping] == 0 || kinds[store.Document] != 0 {
			t.Errorf("the outbox holds %v", kinds)
		}
		a, err := s.store.Account(context.Background(), "u1")
		if err != nil || a.Open != 0 {
			t.Errorf("the account has %d open purchases, %v", a.Open, err)
		}
	})
}

// TestManyUnitsRideInADocument: codes of a big purchase are sent as a file. It is queued with the first of them, once: who
// delivers it knows how long it waits for the rest. A look that shows nothing new queues nothing.
func TestManyUnitsRideInADocument(t *testing.T) {
	inShop(t, func(s *shop) {
		p := s.is(s.buy(12), store.Accepted)
		var seen []api.Order
		for _, id := range s.get(p.ID).OrderIDs {
			seen = append(seen, api.Order{ID: id, Status: "completed", Code: secret.New("CODE-" + id)})
		}
		documents := func() (ids []string) {
			out, err := s.store.ChatOutbox(context.Background(), 5, 100)
			if err != nil {
				t.Fatal(err)
			}
			for _, o := range out {
				if o.Kind == store.Document {
					ids = append(ids, o.ID)
				}
			}
			return ids
		}
		settle := func(orders []api.Order) {
			if err := s.engine.Settle(context.Background(), "u1", orders, time.Now()); err != nil {
				t.Fatal(err)
			}
		}
		settle(seen[:1])
		if d := documents(); len(d) != 1 {
			t.Errorf("the first code queued %v", d)
		}
		settle(seen[:11])
		if d := documents(); len(d) != 1 {
			t.Errorf("eleven codes queued %v", d)
		}
		s.update(func(tx *store.Tx) error {
			row, err := tx.Outgoing(5, store.FileOf(p).ID)
			return errors.Join(err, tx.Sent(row))
		})
		settle([]api.Order{{ID: seen[11].ID, Status: "processing"}})
		if d := documents(); len(d) != 0 {
			t.Errorf("with nothing new there is %v", d)
		}
		settle(seen)
		if d := documents(); len(d) != 1 {
			t.Errorf("the last code queued %v", d)
		}
		s.is(p, store.Settled)
	})
}

// TestRetiredKeyIsForgotten: a key without chats is kept while something may come of a purchase, and no longer.
func TestRetiredKeyIsForgotten(t *testing.T) {
	inShop(t, func(s *shop) {
		s.service.verdicts = []api.Verdict{{Outcome: api.Accepted, OrderIDs: []string{"A"}}}
		s.buy(1)
		s.update(func(tx *store.Tx) error {
			a, err := tx.Account("u1")
			if err != nil {
				return err
			}
			a.Retired, a.Chats, a.Past = true, nil, a.Chats
			return tx.PutAccount(&a)
		})
		key := func() bool {
			if err := s.engine.ForgetKeys(context.Background()); err != nil {
				t.Fatal(err)
			}
			a, err := s.store.Account(context.Background(), "u1")
			if err != nil {
				t.Fatal(err)
			}
			return !a.Key.IsZero()
		}
		if !key() {
			t.Error("the key went before the code was there")
		}
		if err := s.engine.Settle(context.Background(), "u1", []api.Order{{ID: "A", Status: "completed", Code: secret.New("C")}}, time.Now()); err != nil {
			t.Fatal(err)
		}
		if key() {
			t.Error("the key is still there")
		}
	})
}

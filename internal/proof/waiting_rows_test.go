package proof

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"resellerbot/internal/api/dzd"
	"resellerbot/internal/api/sim"
	"resellerbot/internal/sandbox/tgsim"
	"resellerbot/internal/secret"
	"resellerbot/internal/store"
)

// quickGoods take 0.5 to 5 s, slowGoods come when somebody says so.
const (
	quickGoods = 101
	slowGoods  = 102
)

// shops makes accounts with so many people each, known to the service, to Telegram and to the store.
func (w *waitBot) shops(accounts, people int) (ids []int64) {
	w.t.Helper()
	w.service.AddProduct(sim.ProductSpec{ID: 10, Name: "Play Card", Variants: []sim.VariantSpec{
		{ID: quickGoods, Name: "quick", Price: "1", InStock: 1 << 30, Delay: 500 * time.Millisecond, Slowest: 5 * time.Second},
		{ID: slowGoods, Name: "slow", Price: "1", InStock: 1 << 30, Delay: time.Hour},
		{ID: slowGoods + 1, Name: "together", Price: "1", InStock: 1 << 30, Delay: 20 * time.Second},
	}})
	for i := range accounts {
		if err := w.service.AddAccount(sim.AccountSpec{Key: speedKey(i), Name: "Shop", UserID: int64(i + 1), Balance: "1000000"}); err != nil {
			w.t.Fatal(err)
		}
	}
	for i := range accounts * people {
		ids = append(ids, int64(firstChat+i))
		w.telegram.AddUser(tgsim.User{ID: ids[i], FirstName: "Sam", LanguageCode: "en"})
	}
	w.seed(func(ctx context.Context, s *store.Store) error {
		return s.Update(ctx, func(tx *store.Tx) error {
			for i := range accounts {
				a := store.Account{ID: waitAccount(i), Name: "Shop", UserID: int64(i + 1), Key: secret.New(speedKey(i)), LinkedAt: time.Now(), Generation: "current"}
				for _, id := range ids[i*people : (i+1)*people] {
					store.Admit(&a, store.Member{User: id, Name: "Sam", Role: store.Owner})
					if err := tx.PutChat(&store.Chat{ID: id, Account: a.ID, Language: "en", CreatedAt: time.Now()}); err != nil {
						return err
					}
				}
				if err := tx.PutAccount(&a); err != nil {
					return err
				}
			}
			return nil
		})
	})
	return ids
}

func waitAccount(i int) string { return fmt.Sprint("u", i+1) }

// customer is somebody who buys.
func (w *waitBot) customer(id int64) *person {
	return &person{telegram: w.telegram, id: id, rng: rand.New(rand.NewPCG(1, uint64(id))), patience: 20 * time.Second, glance: 10 * time.Millisecond}
}

// buys has somebody walk to a summary, and confirm it after a while. Each step is taken as soon as the bot lets them.
func (w *waitBot) buys(p *person, variant string, quantity int, step, think time.Duration) {
	ctx := context.Background()
	p.begin()
	m, ok := p.say(ctx, "/buy", offersKey("Play Card"))
	for _, words := range []string{"Play Card", variant} {
		<-time.After(step)
		next := offersKey(variant)
		if words == variant {
			next = readsAll("How many?")
		}
		if ok {
			m, ok = p.tap(ctx, m, words, next)
		}
	}
	<-time.After(step)
	if ok {
		m, ok = p.say(ctx, strconv.Itoa(quantity), offersKey("✅"))
	}
	<-time.After(max(step, think))
	if ok {
		_, ok = p.tap(ctx, m, "✅", func(m tgsim.Message) bool { _, asks := keyOf(m, "✅"); return !asks })
	}
	if !ok {
		w.t.Errorf("%d does not come to buy", p.id)
	}
}

// settles waits until the codes of all orders that can have one are there.
func (w *waitBot) settles(within time.Duration) {
	for end := time.Now().Add(within); time.Now().Before(end); <-time.After(50 * time.Millisecond) {
		ready := 0
		for _, o := range w.service.Orders() {
			if o.Code != "" {
				ready++
			}
		}
		if w.arrived() >= ready {
			return
		}
	}
}

// waitForOne is about people who buy one thing each, every one of an account of their own.
func waitForOne(t *testing.T, full bool, think time.Duration, aim waitAim) {
	t.Helper()
	w, each := newWaitBot(t), 4
	if full {
		each = 12
	}
	ids := w.shops(30, 1)
	w.telegram.SetLimits(true)
	w.start()
	var all sync.WaitGroup
	for _, id := range ids {
		all.Go(func() {
			p := w.customer(id)
			for range each {
				<-time.After(time.Duration(p.rng.IntN(4000)) * time.Millisecond)
				w.buys(p, "quick", 1, 0, think)
				<-time.After(9 * time.Second)
			}
		})
	}
	all.Wait()
	w.settles(time.Minute)
	w.tell("one card each", w.lateness(func(sim.Order) bool { return true }), aim)
}

// waitOnOneKey is TestOneKeyInUse of package notify with the real program: five purchases of ten units wait, one of them
// becomes ready every 13 s and is bought anew, and somebody buys a card every 9 s.
func waitOnOneKey(t *testing.T, full bool) {
	t.Helper()
	w, lasts := newWaitBot(t), 2*time.Minute
	if full {
		lasts = 6 * time.Minute
	}
	idle := make(chan int64, 5)
	for _, id := range w.shops(1, cap(idle)) {
		idle <- id
	}
	w.telegram.SetLimits(true)
	w.start()
	var all sync.WaitGroup
	buy := func(variant string, quantity int) {
		all.Go(func() {
			id := <-idle
			defer func() { idle <- id }()
			w.buys(w.customer(id), variant, quantity, time.Second, 0)
		})
	}
	for range cap(idle) {
		buy("slow", 10)
		<-time.After(10 * time.Second)
	}
	<-time.After(30 * time.Second)
	for begin, quick, slow := time.Now(), time.Duration(0), time.Duration(0); time.Since(begin) < lasts; <-time.After(50 * time.Millisecond) {
		if now := time.Since(begin); now >= slow {
			w.complete(10)
			slow += 13 * time.Second
			buy("slow", 10)
		} else if now >= quick {
			quick += 9 * time.Second
			buy("quick", 1)
		}
	}
	all.Wait()
	w.settles(2 * time.Minute)
	w.tell("of ten units", w.lateness(func(o sim.Order) bool { return o.VariantID == slowGoods }), waitAim{p50: 2, p95: 6})
	w.tell("cards", w.lateness(func(o sim.Order) bool { return o.VariantID == quickGoods }), waitAim{})
}

// complete has the oldest orders that wait become ready.
func (w *waitBot) complete(n int) {
	w.t.Helper()
	for _, o := range w.service.Orders() {
		if n > 0 && o.VariantID == slowGoods && o.Code == "" {
			n--
			if err := w.service.Complete(o.ID, "", ""); err != nil {
				w.t.Error(err)
			}
		}
	}
}

// waitForBig is about one purchase of 500 units, which become ready together.
func waitForBig(t *testing.T) {
	t.Helper()
	w := newWaitBot(t)
	id := w.shops(1, 1)[0]
	w.telegram.SetLimits(true)
	w.start()
	w.buys(w.customer(id), "together", 500, 0, 0)
	<-time.After(21 * time.Second)
	w.settles(time.Minute)
	w.tell("500 codes", w.lateness(func(sim.Order) bool { return true }), waitAim{p99: 3})
}

// waitInChats is about a purchase in each of many chats, of so many people to an account, all of which become ready at one
// moment: how long all messages take, beside what Telegram's limit of 30 a second makes of their number.
func waitInChats(t *testing.T, chats, units, people int, strict bool, aim float64) {
	t.Helper()
	w := newWaitBot(t)
	ids := w.shops(chats/people, people)
	for _, id := range ids {
		w.telegram.Send(id, id, "/start")
	}
	w.confirmUpdates()
	w.seed(func(ctx context.Context, s *store.Store) error {
		return s.Update(ctx, func(tx *store.Tx) error { //nolint:contextcheck // the simulated Telegram is called with the test's own
			for i, id := range ids {
				if err := w.putBought(tx, i, i/people, id, units); err != nil {
					return err
				}
			}
			return nil
		})
	})
	if w.telegram.SetLimits(true); strict {
		w.telegram.SetStrictLimits()
	}
	w.start()
	<-time.After(20 * time.Second)
	w.forget()
	begin := time.Now()
	w.complete(chats * units)
	for end := begin.Add(3 * time.Minute); time.Now().Before(end); <-time.After(100 * time.Millisecond) {
		if w.arrived() == chats*units && w.idleFor(5*time.Second) {
			break
		}
	}
	w.tell(fmt.Sprint(chats, " chats"), w.lateness(func(sim.Order) bool { return true }), waitAim{})
	w.mu.Lock()
	defer w.mu.Unlock()
	took, bound := w.last.Sub(begin), time.Duration(w.calls)*time.Second/30
	ratio := took.Seconds() / bound.Seconds()
	t.Logf("%d messages in %.1f s, where 30 a second make it %.1f s: × %.2f (aim %.2f)", w.calls, took.Seconds(), bound.Seconds(), ratio, aim)
	if ratio > aim*1.1 || w.calls > chats*2*105/100 {
		t.Error("that is more than it may be")
	}
}

// idleFor reports whether Telegram has heard nothing for a while.
func (w *waitBot) idleFor(d time.Duration) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return time.Since(w.last) > d
}

// call makes a call of the Bot API as the bot would.
func (w *waitBot) call(method string, form url.Values) string {
	w.t.Helper()
	r := httptest.NewRequestWithContext(w.t.Context(), http.MethodPost, "/bot"+killToken+"/"+method, strings.NewReader(form.Encode()))
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	out := httptest.NewRecorder()
	w.telegram.ServeHTTP(out, r)
	if out.Code != http.StatusOK {
		w.t.Fatalf("%s: %s", method, out.Body)
	}
	return out.Body.String()
}

// confirmUpdates has what people have written so far be nobody's business any more.
func (w *waitBot) confirmUpdates() {
	w.t.Helper()
	w.call("getUpdates", url.Values{"offset": {"-1"}, "limit": {"1"}})
	w.call("deleteWebhook", url.Values{"drop_pending_updates": {"true"}})
}

// putBought writes a purchase that waits for its orders, and makes them at the service.
func (w *waitBot) putBought(tx *store.Tx, i, account int, chat int64, units int) error {
	made, err := w.service.Buy(speedKey(account), slowGoods, units, "")
	if err != nil {
		return err
	}
	answer := w.call("sendMessage", url.Values{"chat_id": {strconv.FormatInt(chat, 10)}, "text": {"bought"}})
	_, rest, _ := strings.Cut(answer, `"message_id":`)
	message, err := strconv.Atoi(rest[:strings.IndexAny(rest, ",}")])
	if err != nil {
		return fmt.Errorf("%s: %w", answer, err)
	}
	now, price := time.Now(), dzd.Must("1")
	p := store.Purchase{
		ID: fmt.Sprintf("01KAF5W8G0%016d", i), Account: waitAccount(account), Chat: chat, User: chat, Message: message, Phase: store.Accepted, ProductID: 10,
		VariantID: slowGoods, Product: "Play Card", Variant: "slow", Quantity: units, Price: price, Total: made.Total, Origin: "current", Attempts: 1,
		OrderIDs: made.OrderIDs, CreatedAt: now, QueuedAt: now, SentAt: now, AnsweredAt: now,
	}
	for unit, id := range made.OrderIDs {
		o := store.Order{
			Account: p.Account, ID: id, Purchase: p.ID, Origin: p.Origin, Item: store.ItemOf(p), Unit: unit + 1, Status: "processing", State: store.Waiting,
			Price: price, CreatedAt: now, Due: now,
		}
		if err := tx.PutOrder(&o); err != nil {
			return err
		}
	}
	return tx.PutPurchase(&p)
}

package store_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"resellerbot/internal/sampletest"
	"resellerbot/internal/secret"
	"resellerbot/internal/store"
	"resellerbot/internal/store/storetest"
)

// phases lists every phase, with whether it is open: confirmed and not at its end.
func phases() map[store.Phase]bool {
	return map[store.Phase]bool{
		store.Drafted: false, store.Queued: true, store.Submitting: true, store.Accepted: true, store.Unknown: true, store.Undecided: true,
		store.Settled: false, store.Rejected: false, store.NotCreated: false, store.Dropped: false,
	}
}

func TestOpenPhases(t *testing.T) {
	for ph, open := range phases() {
		if got := (store.Purchase{Phase: ph}).Open(); got != open {
			t.Errorf("is a purchase that is %s open: %v", ph, got)
		}
		if final := ph.Final(); final == open && ph != store.Drafted || ph == store.Drafted && final {
			t.Errorf("is %s final: %v", ph, final)
		}
	}
}

// ids lists ids of records.
func ids[T any](list []T, id func(T) string) []string {
	names := make([]string, len(list))
	for i, v := range list {
		names[i] = id(v)
	}
	return names
}

func purchaseID(p store.Purchase) string { return p.ID }
func orderID(o store.Order) string       { return o.ID }
func outgoingID(o store.Outgoing) string { return o.ID }

// shelf is what a game of random changes has made: what is there, by what it is found under.
type shelf struct {
	*harness

	serial    int
	purchases map[string]store.Purchase // by id
	orders    map[string]store.Order    // by account/id
}

// TestIndexesFollow: after any changes, in transactions that fail or do not, each index holds what a scan of
// everything finds, and leads to it.
func TestIndexesFollow(t *testing.T) {
	chats, accounts := []int64{-1, 1}, []string{"u1", "u10"} // one begins like the other
	rapid.Check(t, func(rt *rapid.T) {
		s := &shelf{harness: newHarness(t), purchases: map[string]store.Purchase{}, orders: map[string]store.Order{}}
		for range rapid.IntRange(1, 12).Draw(rt, "transactions") {
			s.transaction(rt, chats, accounts)
			s.compare(rt, chats)
		}
		s.read(rt, chats, accounts)
		if problems, err := s.store.Check(context.Background()); err != nil || len(problems) > 0 {
			rt.Fatalf("the store is not sound: %v, %v", problems, err)
		}
		s.close()
	})
}

// transaction makes a few changes and keeps them, unless it fails.
func (s *shelf) transaction(rt *rapid.T, chats []int64, accounts []string) {
	var changes []func(*store.Tx) error
	var keep []func()
	for range rapid.IntRange(1, 3).Draw(rt, "changes") {
		change, kept := s.anyPurchase(rt, chats)
		if rapid.Bool().Draw(rt, "order") {
			change, kept = s.anyOrder(rt, accounts)
		}
		changes, keep = append(changes, change), append(keep, kept)
	}
	errStop := errors.New("stop")
	stop := rapid.IntRange(0, 4).Draw(rt, "stop") == 0
	err := s.store.Update(context.Background(), func(tx *store.Tx) error {
		for _, change := range changes {
			if err := change(tx); err != nil {
				return err
			}
		}
		if stop {
			return errStop
		}
		return nil
	})
	switch {
	case err == nil:
		for _, kept := range keep {
			kept()
		}
	case !errors.Is(err, errStop):
		rt.Fatal(err)
	}
}

// anyPurchase moves a purchase to another phase, or makes one.
func (s *shelf) anyPurchase(rt *rapid.T, chats []int64) (change func(*store.Tx) error, keep func()) {
	ph := rapid.SampledFrom(slices.Sorted(maps.Keys(phases()))).Draw(rt, "phase")
	s.serial++
	p := store.Purchase{ID: store.NewID(time.UnixMilli(rapid.Int64Range(0, 1<<40).Draw(rt, "made")), strings.NewReader(fmt.Sprintf("%016d", s.serial)))}
	p.Chat = rapid.SampledFrom(chats).Draw(rt, "chat")
	if old := slices.Sorted(maps.Keys(s.purchases)); len(old) > 0 && rapid.Bool().Draw(rt, "old") {
		p = s.purchases[rapid.SampledFrom(old).Draw(rt, "purchase")]
	}
	var put store.Purchase
	change = func(tx *store.Tx) error {
		now, err := tx.Purchase(p.ID)
		if err != nil && !errors.Is(err, store.ErrNotFound) {
			return err
		}
		q := p // the transaction may run again
		if err == nil {
			q = now
		}
		q.Phase = ph
		put = q
		return tx.PutPurchase(&put)
	}
	return change, func() { s.purchases[p.ID] = put }
}

// anyOrder changes whether an order is looked at, and makes it where it is not there.
func (s *shelf) anyOrder(rt *rapid.T, accounts []string) (change func(*store.Tx) error, keep func()) {
	account, id := rapid.SampledFrom(accounts).Draw(rt, "account"), rapid.SampledFrom([]string{"1", "10", "2", "2/1", "x"}).Draw(rt, "id")
	var due time.Time
	if rapid.Bool().Draw(rt, "due") {
		due = noon().Add(time.Duration(rapid.IntRange(0, 9).Draw(rt, "seconds")) * time.Second)
	}
	rechecked := rapid.Bool().Draw(rt, "rechecked")
	o := store.Order{Account: account, ID: id}
	change = func(tx *store.Tx) error {
		now, err := tx.Order(account, id)
		if err != nil && !errors.Is(err, store.ErrNotFound) {
			return err
		}
		if err == nil {
			o = now
		}
		o.Due, o.Rechecked = due, rechecked
		return tx.PutOrder(&o)
	}
	return change, func() { s.orders[account+"/"+id] = o }
}

// of lists what is to be found of some purchases, in the order of their ids.
func (s *shelf) of(fits func(store.Purchase) bool) (ids []string) {
	for _, id := range slices.Sorted(maps.Keys(s.purchases)) {
		if fits(s.purchases[id]) {
			ids = append(ids, id)
		}
	}
	return ids
}

// inChat lists a chat's purchases, newest first.
func (s *shelf) inChat(chat int64) []string {
	ids := s.of(func(p store.Purchase) bool { return p.Chat == chat })
	slices.Reverse(ids)
	return ids
}

// open lists the open purchases.
func (s *shelf) open() []string {
	return s.of(func(p store.Purchase) bool { return phases()[p.Phase] })
}

// pending lists the keys of the orders that are looked at, of any account or one.
func (s *shelf) pending(prefix string) (keys []string) {
	for _, key := range slices.Sorted(maps.Keys(s.orders)) {
		if s.orders[key].Pending() && strings.HasPrefix(key, prefix) {
			keys = append(keys, key)
		}
	}
	return keys
}

// compare holds what lies in each index against everything that was kept.
func (s *shelf) compare(rt *rapid.T, chats []int64) {
	var byChat, got []string
	for _, chat := range chats {
		byChat = append(byChat, s.inChat(chat)...)
	}
	for _, r := range s.records(store.KindByChat) {
		got = append(got, string(r.Value))
	}
	if !slices.Equal(got, byChat) {
		rt.Fatalf("by chat: %v, want %v", got, byChat)
	}
	if got, want := s.keys(store.KindOpen), s.open(); !slices.Equal(got, want) {
		rt.Fatalf("open: %v, want %v", got, want)
	}
	if got, want := s.keys(store.KindPending), s.pending(""); !slices.Equal(got, want) {
		rt.Fatalf("pending: %v, want %v", got, want)
	}
}

// read holds what the store lists by its indexes against what was kept.
func (s *shelf) read(rt *rapid.T, chats []int64, accounts []string) {
	ctx := context.Background()
	for _, chat := range chats {
		list, err := s.store.ChatPurchases(ctx, chat, "", 1000)
		if got, want := ids(list, purchaseID), s.inChat(chat); err != nil || !slices.Equal(got, want) {
			rt.Fatalf("chat %d: %v, %v; want %v", chat, got, err, want)
		}
	}
	list, err := s.store.OpenPurchases(ctx, "", 1000)
	if got, want := ids(list, purchaseID), s.open(); err != nil || !slices.Equal(got, want) {
		rt.Fatalf("open are %v, %v; want %v", got, err, want)
	}
	for _, p := range list {
		if p.Phase != s.purchases[p.ID].Phase {
			rt.Fatalf("%s is %s, want %s", p.ID, p.Phase, s.purchases[p.ID].Phase)
		}
	}
	for _, account := range accounts {
		list, err := s.store.PendingOrders(ctx, account, "", 1000)
		got := ids(list, func(o store.Order) string { return o.Account + "/" + o.ID })
		if want := s.pending(account + "/"); err != nil || !slices.Equal(got, want) {
			rt.Fatalf("pending for %s: %v, %v; want %v", account, got, err, want)
		}
	}
}

// TestFiveThousandRows, half purchases and half orders: lists come page by page, each row once, in order; and what is due, by its time.
func TestFiveThousandRows(t *testing.T) {
	sampletest.Slow(t)
	const each, chat = 2500, -7
	h := newHarness(t)
	r := rand.New(rand.NewPCG(1, 2))
	var newest, open, pending []string
	dues := map[string]time.Time{}
	for i := 0; i < each; {
		h.do(func(tx *store.Tx) error {
			for range 500 {
				id := store.NewID(noon().Add(time.Duration(i)*time.Millisecond), strings.NewReader(fmt.Sprintf("%016d", i)))
				p, o := store.Purchase{ID: id, Chat: chat, Phase: store.Settled}, store.Order{Account: "u1", ID: id}
				if newest = append(newest, id); i%5 == 0 {
					open, p.Phase = append(open, id), store.Accepted
				}
				if i%2 == 0 {
					pending, o.Due = append(pending, id), noon().Add(time.Duration(r.IntN(1e9))*time.Microsecond)
					dues[id] = o.Due
				}
				if err := errors.Join(tx.PutPurchase(&p), tx.PutOrder(&o)); err != nil {
					return err
				}
				i++
			}
			return nil
		})
	}
	slices.Reverse(newest)
	byDue := slices.SortedFunc(maps.Keys(dues), func(a, b string) int { return dues[a].Compare(dues[b]) })
	ctx := t.Context()
	for name, c := range map[string]struct {
		page func(after string) ([]string, error)
		want []string
	}{
		"a chat's purchases": {func(after string) ([]string, error) {
			list, err := h.store.ChatPurchases(ctx, chat, after, 97)
			return ids(list, purchaseID), err
		}, newest},
		"open purchases": {func(after string) ([]string, error) {
			list, err := h.store.OpenPurchases(ctx, after, 100)
			return ids(list, purchaseID), err
		}, open},
		"pending orders": {func(after string) ([]string, error) {
			list, err := h.store.PendingOrders(ctx, "u1", after, 1000)
			return ids(list, orderID), err
		}, pending},
		"due orders": {func(string) ([]string, error) {
			list, err := h.store.ClaimOrders(ctx, noon().Add(time.Hour), time.Hour, 333)
			return ids(list, orderID), err
		}, byDue},
	} {
		var got []string
		for after := ""; len(got) <= len(c.want); after = got[len(got)-1] {
			page, err := c.page(after)
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			if len(page) == 0 {
				break
			}
			got = append(got, page...)
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: %d rows, or not in order; want %d", name, len(got), len(c.want))
		}
	}
	spoiled := must(h.engine.Get(ctx, store.KindOrder, "u1/"+newest[1]))(t) // behind many sound ones
	spoiled.Value = []byte("?")
	h.plant(func(tx store.RecordTx) error { _, err := tx.Put(spoiled); return err })
	if problems := must(h.store.Check(ctx))(t); len(problems) == 0 || slices.ContainsFunc(problems, func(p string) bool { return !strings.Contains(p, newest[1]) }) {
		t.Errorf("Check finds %q, want what is wrong with %s", problems, newest[1])
	}
}

// TestDueTimes: which records wait for a time, and for which.
func TestDueTimes(t *testing.T) {
	h := newHarness(t)
	at := noon().Add(time.Hour)
	for name, c := range map[string]struct {
		kind store.Kind
		put  func(*store.Tx) error
		want time.Time
	}{
		"a draft": {store.KindPurchase, func(tx *store.Tx) error {
			return tx.PutPurchase(&store.Purchase{ID: "1", Phase: store.Drafted, ExpiresAt: at})
		}, at},
		"a confirmed purchase": {store.KindPurchase, func(tx *store.Tx) error {
			return tx.PutPurchase(&store.Purchase{ID: "2", Phase: store.Queued, ExpiresAt: at})
		}, time.Time{}},
		"an uncertain purchase": {store.KindPurchase, func(tx *store.Tx) error {
			return tx.PutPurchase(&store.Purchase{ID: "3", Phase: store.Unknown, ExpiresAt: noon(), LookAt: at})
		}, at},
		"an order":              {store.KindOrder, func(tx *store.Tx) error { return tx.PutOrder(&store.Order{Account: "u1", ID: "1", Due: at}) }, at},
		"an order that is done": {store.KindOrder, func(tx *store.Tx) error { return tx.PutOrder(&store.Order{Account: "u1", ID: "2"}) }, time.Time{}},
		"a message":             {store.KindOutbox, func(tx *store.Tx) error { return tx.Enqueue(&store.Outgoing{Chat: 1, ID: "1", Due: at}) }, at},
		"a chat":                {store.KindChat, func(tx *store.Tx) error { return tx.PutChat(&store.Chat{ID: 1, CreatedAt: at}) }, time.Time{}},
		"an account that awaits a refund": {store.KindAccount, func(tx *store.Tx) error {
			return tx.PutAccount(&store.Account{ID: "u1", LookAt: at})
		}, at},
		"an account that awaits none": {store.KindAccount, func(tx *store.Tx) error { return tx.PutAccount(&store.Account{ID: "u2"}) }, time.Time{}},
	} {
		h.do(c.put)
		due, ok, err := h.store.NextDue(t.Context(), c.kind)
		if err != nil || ok == c.want.IsZero() || !due.Equal(c.want) {
			t.Errorf("%s is due at %v, %v, %v; want %v", name, due, ok, err, c.want)
		}
		old := h.records(c.kind)
		h.plant(func(tx store.RecordTx) error { // the next case begins anew
			for _, r := range old {
				if err := tx.Delete(r); err != nil {
					return err
				}
			}
			return nil
		})
	}
}

// TestClaims: each of the queues gives what is due, keeps it from others for the lease, and lets go of it
// when it is put back without a time.
func TestClaims(t *testing.T) {
	h := newHarness(t)
	h.do(func(tx *store.Tx) error {
		for i := range 3 {
			due := noon().Add(time.Duration(i) * time.Minute)
			err := firstError(
				func() error {
					return tx.PutPurchase(&store.Purchase{ID: fmt.Sprint("p", i), Phase: store.Drafted, ExpiresAt: due})
				},
				func() error { return tx.PutOrder(&store.Order{Account: "u1", ID: fmt.Sprint("o", i), Due: due}) },
				func() error { return tx.Enqueue(&store.Outgoing{Chat: 1, ID: fmt.Sprint("m", i), Due: due}) },
				func() error { return tx.PutAccount(&store.Account{ID: fmt.Sprint("a", i), LookAt: due}) },
			)
			if err != nil {
				return err
			}
		}
		return nil
	})
	ctx := t.Context()
	for name, c := range map[string]struct {
		kind  store.Kind
		claim func(now time.Time) ([]string, error)
		done  func(*store.Tx) error
	}{
		"p": {store.KindPurchase, func(now time.Time) ([]string, error) {
			list, err := h.store.ClaimPurchases(ctx, now, time.Hour, 9)
			return ids(list, purchaseID), err
		}, func(tx *store.Tx) error {
			p, err := tx.Purchase("p0")
			p.Phase = store.Dropped
			return errors.Join(err, tx.PutPurchase(&p))
		}},
		"o": {store.KindOrder, func(now time.Time) ([]string, error) {
			list, err := h.store.ClaimOrders(ctx, now, time.Hour, 9)
			return ids(list, orderID), err
		}, func(tx *store.Tx) error {
			o, err := tx.Order("u1", "o0")
			o.Due = time.Time{}
			return errors.Join(err, tx.PutOrder(&o))
		}},
		"m": {store.KindOutbox, func(now time.Time) ([]string, error) {
			list, err := h.store.ClaimOutbox(ctx, now, time.Hour, 9)
			return ids(list, outgoingID), err
		}, func(tx *store.Tx) error {
			m, err := tx.Outgoing(1, "m0")
			return errors.Join(err, tx.Sent(m))
		}},
		"a": {store.KindAccount, func(now time.Time) ([]string, error) {
			list, err := h.store.ClaimAccounts(ctx, now, time.Hour, 9)
			return ids(list, func(a store.Account) string { return a.ID }), err
		}, func(tx *store.Tx) error {
			a, err := tx.Account("a0")
			a.LookAt = time.Time{}
			return errors.Join(err, tx.PutAccount(&a))
		}},
	} {
		for _, step := range []struct {
			after time.Duration
			want  []string
		}{
			{-time.Second, []string{}},
			{time.Minute, []string{name + "0", name + "1"}},
			{2 * time.Minute, []string{name + "2"}},
			{time.Hour, []string{}},
			{61 * time.Minute, []string{name + "0", name + "1"}}, // their lease is over
		} {
			if got, err := c.claim(noon().Add(step.after)); err != nil || !slices.Equal(got, step.want) {
				t.Errorf("%s after %v: claimed %v, %v; want %v", c.kind, step.after, got, err, step.want)
			}
		}
		h.do(c.done)
		if got, err := c.claim(noon().Add(99 * time.Hour)); err != nil || slices.Contains(got, name+"0") || len(got) != 2 {
			t.Errorf("%s: claimed %v, %v after %s0 was done", c.kind, got, err, name)
		}
	}
	storetest.Sound(t, h.store)
}

// TestSlowWorker: who works on a claim for longer than its lease has lost it.
func TestSlowWorker(t *testing.T) {
	h := newHarness(t)
	h.do(func(tx *store.Tx) error { return tx.PutOrder(&store.Order{Account: "u1", ID: "1", Due: noon()}) })
	slow, err := only(h.store.ClaimOrders(t.Context(), noon(), time.Minute, 1))
	if err != nil {
		t.Fatal(err)
	}
	quick, err := only(h.store.ClaimOrders(t.Context(), noon().Add(time.Minute), time.Minute, 1))
	if err != nil {
		t.Fatal(err)
	}
	if err := h.store.Update(t.Context(), func(tx *store.Tx) error { return tx.PutOrder(&slow) }); !errors.Is(err, store.ErrConflict) {
		t.Errorf("the slow worker writes: %v", err)
	}
	if err := h.store.Update(t.Context(), func(tx *store.Tx) error { return tx.PutOrder(&quick) }); err != nil {
		t.Errorf("the quick worker: %v", err)
	}
}

// TestOrdersOf: by unit, without those that an uncertain answer named and nobody has, or another purchase.
func TestOrdersOf(t *testing.T) {
	h := newHarness(t)
	p := store.Purchase{ID: draftID, Account: "u1", OrderIDs: []string{"b", "none", "a", "another's"}}
	h.do(func(tx *store.Tx) error {
		for _, key := range [][3]string{{"u1", "a", draftID}, {"u1", "b", draftID}, {"u2", "none", draftID}, {"u1", "another's", queuedID}} {
			if err := tx.PutOrder(&store.Order{Account: key[0], ID: key[1], Purchase: key[2]}); err != nil {
				return err
			}
		}
		return nil
	})
	if got := ids(must(h.store.OrdersOf(t.Context(), p))(t), orderID); !slices.Equal(got, []string{"b", "a"}) {
		t.Errorf("orders %v", got)
	}
}

// TestOrdersReadTwice: what a transaction has read of an order can be changed, and read once more it is as it is stored.
func TestOrdersReadTwice(t *testing.T) {
	h := newHarness(t)
	h.do(func(tx *store.Tx) error {
		return tx.PutOrder(&store.Order{Account: "u1", ID: "1", State: store.Waiting, Later: []secret.Text{secret.New("second"), secret.New("third")}})
	})
	h.do(func(tx *store.Tx) error {
		o, err := tx.Order("u1", "1")
		if err != nil {
			return err
		}
		o.State, o.Later[0] = store.Ready, secret.New("another")
		o.Later = append(o.Later[:1], secret.New("another"))
		again, err := tx.Order("u1", "1")
		if err != nil {
			return err
		}
		if again.State != store.Waiting || again.Later[0].Reveal() != "second" || again.Later[1].Reveal() != "third" {
			t.Errorf("it is read as %s with %q and %q", again.State, again.Later[0].Reveal(), again.Later[1].Reveal())
		}
		return nil
	})
}

// TestMovements: newest first, each account's own.
func TestMovements(t *testing.T) {
	h := newHarness(t)
	a, b := store.Account{ID: "u1"}, store.Account{ID: "u11"}
	h.do(func(tx *store.Tx) error {
		for i := range 20 {
			err := firstError(
				func() error { return tx.AddMovement(&a, store.Movement{Purchase: strconv.Itoa(i)}) },
				func() error { return tx.AddMovement(&b, store.Movement{Purchase: "other"}) },
			)
			if err != nil {
				return err
			}
		}
		return nil
	})
	list := must(h.store.Movements(t.Context(), "u1", 3))(t)
	got := ids(list, func(m store.Movement) string { return fmt.Sprint(m.Account, " ", m.Number, " ", m.Purchase) })
	if want := []string{"u1 20 19", "u1 19 18", "u1 18 17"}; !slices.Equal(got, want) || a.Movements != 20 {
		t.Errorf("movements %q, want %q; counted %d", got, want, a.Movements)
	}
	if all := must(h.store.Movements(t.Context(), "u1", 99))(t); len(all) != 20 {
		t.Errorf("%d movements of 20", len(all))
	}
}

// TestPlayers: whoever was topped up last is first and there once, and the list does not grow for ever.
func TestPlayers(t *testing.T) {
	h := newHarness(t)
	remember := func(game, id, name string) {
		h.do(func(tx *store.Tx) error {
			return tx.Remember(group, "u1", store.Player{Game: game, ID: id, Name: name})
		})
	}
	names := func(chat int64, account string) string {
		return strings.Join(ids(must(h.store.Players(t.Context(), chat, account))(t), func(p store.Player) string { return p.Name }), " ")
	}
	remember("chess", "1", "ann")
	remember("go", "1", "bob") // another game's number 1
	remember("chess", "2", "cleo")
	remember("chess", "1", "anna")
	if got := names(group, "u1"); got != "anna cleo bob" {
		t.Errorf("players: %s", got)
	}
	if got := names(person, "u1") + names(group, "u2"); got != "" {
		t.Errorf("another chat's players, or another account's: %s", got)
	}
	for i := range 100 {
		remember("draughts", strconv.Itoa(i), fmt.Sprint("n", i))
	}
	if got := strings.Fields(names(group, "u1")); len(got) < 10 || len(got) > 50 || got[0] != "n99" || got[1] != "n98" {
		t.Errorf("after a hundred more: %v", got)
	}
}

// TestMoveChat: a group that became a supergroup keeps everything, once.
func TestMoveChat(t *testing.T) {
	h := newHarness(t)
	h.do(func(tx *store.Tx) error {
		return firstError(
			func() error { return tx.PutAccount(&store.Account{ID: "u1", Chats: []int64{5, -1, 6}}) },
			func() error { return tx.PutChat(&store.Chat{ID: -1, Account: "u1", Language: "ar", Chosen: true}) },
		)
	})
	for range 2 { // both chats say so
		h.do(func(tx *store.Tx) error { return tx.MoveChat(-1, -1001) })
		from, to := must(h.store.Chat(t.Context(), -1))(t), must(h.store.Chat(t.Context(), -1001))(t)
		account := must(h.store.Account(t.Context(), "u1"))(t)
		if from.MovedTo != -1001 || from.Account != "" || to.MovedTo != 0 || to.Account != "u1" || to.Language != "ar" || !to.Chosen {
			t.Errorf("from %+v to %+v", from, to)
		}
		if !slices.Equal(account.Chats, []int64{5, -1001, 6}) {
			t.Errorf("the account's chats are %v", account.Chats)
		}
	}
	h.do(func(tx *store.Tx) error { return tx.MoveChat(-2, -1002) })
	if _, err := h.store.Chat(t.Context(), -1002); !errors.Is(err, store.ErrNotFound) {
		t.Errorf("a chat that never spoke has moved: %v", err)
	}
	h.do(func(tx *store.Tx) error { // one that has been linked anew by itself stays as it is
		return firstError(
			func() error { return tx.PutChat(&store.Chat{ID: -3, Account: "u1", Language: "ar"}) },
			func() error { return tx.PutChat(&store.Chat{ID: -1003, Account: "u2", Language: "fr"}) },
			func() error { return tx.MoveChat(-3, -1003) },
		)
	})
	if c := must(h.store.Chat(t.Context(), -1003))(t); c.Account != "u2" || c.Language != "fr" {
		t.Errorf("it became %+v", c)
	}
	h.do(func(tx *store.Tx) error { // the operator has taken it out before it was known what it was
		return firstError(
			func() error { return tx.PutChat(&store.Chat{ID: -4, Account: "u1"}) },
			func() error { return tx.PutChat(&store.Chat{ID: -1004, Out: noon()}) },
			func() error { return tx.MoveChat(-4, -1004) },
		)
	})
	if c := must(h.store.Chat(t.Context(), -1004))(t); c.Account != "u1" || !c.Out.Equal(noon()) {
		t.Errorf("who was taken out is in: %+v", c)
	}
}

// TestIDs: they sort by time, are all different, and can be read out.
func TestIDs(t *testing.T) {
	r := rand.NewChaCha8([32]byte{1})
	seen := map[string]bool{}
	last := ""
	for ms := range 2000 {
		now := noon().Add(time.Duration(ms) * time.Millisecond)
		id, twin := store.NewID(now, r), store.NewID(now, r)
		if id <= last || twin <= last || seen[id] || seen[twin] || id == twin {
			t.Fatalf("%s and %s come after %s", id, twin, last)
		}
		seen[id], seen[twin], last = true, true, max(id, twin)
		if len(id) != 26 || strings.Trim(id, "0123456789ABCDEFGHJKMNPQRSTVWXYZ") != "" {
			t.Fatalf("the id %q", id)
		}
	}
	// The time is written as ULIDs have it; this one is their specification's example.
	if id := store.NewID(time.UnixMilli(1469918176385), r); !strings.HasPrefix(id, "01ARYZ6S41") {
		t.Errorf("another time is in %s", id)
	}
	// A source that has run dry must not make two equal ids.
	if a, b := store.NewID(noon(), strings.NewReader("")), store.NewID(noon(), strings.NewReader("")); a == b {
		t.Errorf("%s twice", a)
	}
	if got := store.Ref(last); got != last[21:] || store.Ref("abc") != "abc" {
		t.Errorf("the ref of %s is %s", last, got)
	}
}

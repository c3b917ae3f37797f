package purchase_test

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"testing"
	"time"

	"resellerbot/internal/api"
	"resellerbot/internal/api/dzd"
	"resellerbot/internal/secret"
	"resellerbot/internal/store"
)

// order is an order as it is stored.
func (s *shop) order(id string) store.Order {
	s.t.Helper()
	o, err := s.store.Order(context.Background(), "u1", id)
	if err != nil {
		s.t.Fatal(err)
	}
	return o
}

// bought is the purchase of a unit, or of a top-up, and its order.
func (s *shop) bought(topup bool) (store.Purchase, string) {
	s.t.Helper()
	p := s.buy(1)
	id := s.get(p.ID).OrderIDs[0]
	s.update(func(tx *store.Tx) error {
		o, err := tx.Order("u1", id)
		if err != nil {
			return err
		}
		o.Topup = topup
		return tx.PutOrder(&o)
	})
	return p, id
}

// coded is an order with its code, as the service shows it.
func coded(id, status, code string) api.Order {
	return api.Order{ID: id, Status: status, Code: secret.New(code)}
}

// TestAFailureIsNotTheEnd: an order that failed is looked at until its refund is seen, and what comes of it is
// delivered: nobody waits for a refund of it any more.
func TestAFailureIsNotTheEnd(t *testing.T) {
	for name, tc := range map[string]struct {
		topup bool
		then  func(id string) api.Order
		state store.OrderState
		phase store.Phase
		looks bool // it is still looked at
	}{
		"the code comes":                   {false, func(id string) api.Order { return coded(id, "completed", "CODE-1") }, store.Ready, store.Settled, false},
		"its code comes before its status": {false, func(id string) api.Order { return coded(id, "processing", "CODE-1") }, store.Ready, store.Settled, true},
		"a code shows, still an error":     {false, func(id string) api.Order { return coded(id, "error", "CODE-1") }, store.Failed, store.Accepted, true},
		"a success, the code to come":      {false, func(id string) api.Order { return api.Order{ID: id, Status: "completed"} }, store.Waiting, store.Accepted, true},
		"the top-up succeeds":              {true, func(id string) api.Order { return api.Order{ID: id, Status: "success"} }, store.Completed, store.Settled, false},
		"it fails once more":               {false, func(id string) api.Order { return api.Order{ID: id, Status: "error"} }, store.Failed, store.Accepted, true},
		"the service works on it again":    {false, func(id string) api.Order { return api.Order{ID: id, Status: "processing"} }, store.Failed, store.Accepted, true},
		"the service leaves it out":        {false, func(id string) api.Order { return api.Order{ID: id} }, store.Failed, store.Accepted, true},
		"the service has an unknown word ": {false, func(id string) api.Order { return api.Order{ID: id, Status: "odd"} }, store.Failed, store.Accepted, true},
	} {
		t.Run(name, func(t *testing.T) {
			inShop(t, func(s *shop) {
				p, id := s.bought(tc.topup)
				s.settle(api.Order{ID: id, Status: "error"})
				if o := s.order(id); o.State != store.Failed || o.Refund != store.RefundWaiting || o.Due.IsZero() {
					t.Fatalf("after the failure the order is %+v", o)
				}
				<-time.After(10 * time.Minute)
				s.settle(tc.then(id))
				o := s.order(id)
				if o.State != tc.state || o.Pending() != tc.looks {
					t.Errorf("the order is %+v", o)
				}
				s.is(p, tc.phase)
				a, err := s.store.Account(t.Context(), "u1")
				if err != nil || (len(a.Refunds) > 0) != (tc.state == store.Failed) || (o.Refund != store.NoRefund) != (tc.state == store.Failed) {
					t.Errorf("the refunds that are waited for are %v, of the order %q, %v", a.Refunds, o.Refund, err)
				}
				if corrected := o.Was == store.Failed; corrected != (tc.state != store.Failed) {
					t.Errorf("it was %q before", o.Was)
				}
			})
		})
	}
}

// TestAFailureThatSeemedRefunded: an order has failed and the balance has risen by its price, from wherever. It is done
// after all: its code comes, and if its price goes again nobody is accused.
func TestAFailureThatSeemedRefunded(t *testing.T) {
	for name, again := range map[string]bool{"its price goes again": true, "it was a top-up": false} {
		t.Run(name, func(t *testing.T) {
			inShop(t, func(s *shop) {
				p := s.failOne()
				s.takes(-100, 0)
				s.watch(17 * time.Minute)
				s.is(p, store.Settled)
				if got := s.refundOf(p); got != store.RefundSeen {
					t.Fatalf("the refund is %q", got)
				}
				id := s.get(p.ID).OrderIDs[0]
				if o := s.order(id); o.Due.IsZero() {
					t.Fatalf("nobody looks at it any more: %+v", o)
				}
				<-time.After(10 * time.Minute)
				s.settle(coded(id, "completed", "CODE-1"))
				if again {
					s.takes(100, 0)
				}
				s.observe()
				s.live(20 * time.Minute)
				if o := s.order(id); o.State != store.Ready || o.Refund != store.NoRefund || s.codeOf(id) != "CODE-1" {
					t.Errorf("the order is %+v", o)
				}
				want := []string{"bought -100", "refunded 100"}
				if again {
					want = append(want, "bought -100")
				}
				equal(t, s.movements(), want...)
				if got := s.notes(); len(got) > 0 {
					t.Errorf("the chat is told %v", got)
				}
			})
		})
	}
}

// TestHowLongAFailureIsFollowed: what failed is looked at ever more slowly, then no more: for a week, or for a day where its
// money seems to be back.
func TestHowLongAFailureIsFollowed(t *testing.T) {
	const day = 24 * time.Hour
	for name, c := range map[string]struct {
		refunded    bool
		least, most time.Duration
	}{"not refunded": {false, 7 * day, 8 * day}, "its money is back": {true, day, day + 6*time.Hour}} {
		t.Run(name, func(t *testing.T) {
			inShop(t, func(s *shop) {
				p := s.failOne()
				id := s.get(p.ID).OrderIDs[0]
				if c.refunded {
					s.takes(-100, 0)
					s.watch(17 * time.Minute)
				}
				begin, looks := time.Now(), 0
				for ; !s.order(id).Due.IsZero() && looks < 200; looks++ {
					<-time.After(time.Until(s.order(id).Due))
					s.settle(api.Order{ID: id, Status: "failed"})
				}
				if took := time.Since(begin); took < c.least-time.Hour || took > c.most || looks > 70 {
					t.Errorf("it was looked at %d times in %v", looks, took)
				}
			})
		})
	}
}

// TestACodeOfAFailure: a code that an order shows which has failed is kept and shown, and the order is no less failed: its
// refund is waited for. Once the service calls it done, it is.
func TestACodeOfAFailure(t *testing.T) {
	inShop(t, func(s *shop) {
		p, id := s.bought(false)
		s.settle(coded(id, "failed", "CODE-1"))
		s.settle(coded(id, "failed", "CODE-1"))
		if o := s.order(id); o.State != store.Failed || o.Refund != store.RefundWaiting || o.Code.Reveal() != "CODE-1" || o.Due.IsZero() {
			t.Errorf("the order is %+v", o)
		}
		s.is(p, store.Accepted)
		s.settle(coded(id, "completed", "CODE-1"))
		if o := s.order(id); o.State != store.Ready || o.Was != store.Failed || o.Refund != store.NoRefund || len(o.Later) > 0 {
			t.Errorf("after that the order is %+v", o)
		}
		s.is(p, store.Settled)
	})
}

// TestStatusesThatGoBack: an end that the service takes back, or turns into another, is an event that people are
// told of; a code that was here stays.
func TestStatusesThatGoBack(t *testing.T) {
	for name, tc := range map[string]struct {
		topup       bool
		first, then string // statuses
		code        string // that came with the first
		state       store.OrderState
		was         store.OrderState
		back        bool
	}{
		"a top-up that failed after its success": {true, "success", "failed", "", store.Failed, store.Completed, false},
		"a top-up under way again":               {true, "success", "processing", "", store.Completed, "", true},
		"a card that failed after its code":      {false, "completed", "failed", "CODE-1", store.Failed, store.Ready, false},
		"a card under way again":                 {false, "completed", "processing", "CODE-1", store.Ready, "", true},
		"a word that nobody knows":               {true, "success", "archived", "", store.Completed, "", false},
	} {
		t.Run(name, func(t *testing.T) {
			inShop(t, func(s *shop) {
				p, id := s.bought(tc.topup)
				s.settle(coded(id, tc.first, tc.code))
				s.is(p, store.Settled)
				told := s.messages()
				s.settle(api.Order{ID: id, Status: tc.then})
				o := s.order(id)
				if o.State != tc.state || o.Was != tc.was || o.Back != tc.back || o.Code.Reveal() != tc.code {
					t.Errorf("the order is %+v with the code %q", o, o.Code.Reveal())
				}
				if again := tc.back || tc.was != ""; o.Pending() != again {
					t.Errorf("something is awaited of it: %v", o.Pending())
				} else if again && s.messages()[store.Ping] < told[store.Ping] {
					t.Error("nobody is told")
				}
				a, err := s.store.Account(t.Context(), "u1")
				if err != nil || (len(a.Refunds) == 1) != (tc.state == store.Failed) {
					t.Errorf("refunds that are waited for: %v, %v", a.Refunds, err)
				}
				// …and back once more.
				s.settle(coded(id, "completed", tc.code))
				if o := s.order(id); o.State == store.Failed || o.Back || o.Code.Reveal() != tc.code || len(o.Later) > 0 {
					t.Errorf("after that the order is %+v", o)
				}
			})
		})
	}
}

// TestACodeThatChanges: the second code never takes the place of the first. It is kept beside it and told of.
func TestACodeThatChanges(t *testing.T) {
	inShop(t, func(s *shop) {
		p, id := s.bought(false)
		s.settle(coded(id, "processing", "CODE-1")) // nothing says yet that this is all
		if o := s.order(id); o.State != store.Ready || o.Due.IsZero() {
			t.Fatalf("the order is %+v", o)
		}
		s.is(p, store.Settled)
		for range 2 { // the same again is no news
			s.settle(coded(id, "completed", "CODE-2"))
		}
		o := s.order(id)
		if o.Code.Reveal() != "CODE-1" || len(o.Later) != 1 || o.Later[0].Reveal() != "CODE-2" || o.Pending() {
			t.Errorf("the order is %+v", o)
		}
		if n := s.messages()[store.Note]; n != 1 {
			t.Errorf("the chat is told %d times", n)
		}
		s.settle(coded(id, "completed", "CODE-1"))
		for i := range 30 {
			s.settle(coded(id, "completed", fmt.Sprint("MANY-", i)))
		}
		if o := s.order(id); o.Code.Reveal() != "CODE-1" || len(o.Codes()) != 10 {
			t.Errorf("%d codes are kept, the first is %q", len(o.Codes()), o.Code.Reveal())
		}
	})
}

// TestAPlaceholderIsKept: what was not taken for a code is there for people to see.
func TestAPlaceholderIsKept(t *testing.T) {
	inShop(t, func(s *shop) {
		p, id := s.bought(false)
		s.settle(api.Order{ID: id, Status: "processing", Claim: api.HasNone, Instead: secret.New("Pending…")})
		if o := s.order(id); o.State != store.Waiting || !o.Code.IsZero() || o.Instead.Reveal() != "Pending…" {
			t.Errorf("the order is %+v", o)
		}
		s.is(p, store.Accepted)
		s.settle(api.Order{ID: id, Status: "completed", Claim: api.HasCode, Code: secret.New("CODE-1")})
		if o := s.order(id); o.State != store.Ready || o.Code.Reveal() != "CODE-1" {
			t.Errorf("the order is %+v", o)
		}
		s.is(p, store.Settled)
	})
}

// TestManyTopupsMakeNoFile: what has no codes is told in text.
func TestManyTopupsMakeNoFile(t *testing.T) {
	inShop(t, func(s *shop) {
		p := s.buy(12)
		var done []api.Order
		s.update(func(tx *store.Tx) error {
			for _, id := range s.get(p.ID).OrderIDs {
				o, err := tx.Order("u1", id)
				if err != nil {
					return err
				}
				o.Topup = true
				if err := tx.PutOrder(&o); err != nil {
					return err
				}
				done = append(done, api.Order{ID: id, Status: "success"})
			}
			return nil
		})
		s.settle(done...)
		s.is(p, store.Settled)
		if m := s.messages(); m[store.Document] != 0 || m[store.StatusMessage] != 1 || m[store.Ping] == 0 {
			t.Errorf("the outbox holds %v", m)
		}
	})
}

// TestARetiredAccountOutlivesItsRefunds: as long as the money of a failed order is waited for, its key is kept.
func TestARetiredAccountOutlivesItsRefunds(t *testing.T) {
	inShop(t, func(s *shop) {
		p, id := s.bought(false)
		s.settle(api.Order{ID: id, Status: "failed"})
		s.update(func(tx *store.Tx) error {
			a, err := tx.Account("u1")
			if err != nil {
				return err
			}
			a.Retired = true
			return tx.PutAccount(&a)
		})
		s.service.balance = dzd.Int(900) // bought, not refunded
		s.watch(20 * time.Minute)
		s.is(p, store.Settled)
		s.settle(coded(id, "completed", "CODE-1"))
		if o := s.order(id); o.Code.IsZero() {
			t.Errorf("the order is %+v", o)
		}
	})
}

// TestWhatIsForSomebodyEndsWithoutACode: where a player was asked for, a success that brings no code and speaks of none is
// the end, after a moment; a code that comes later is delivered all the same.
func TestWhatIsForSomebodyEndsWithoutACode(t *testing.T) {
	for name, tc := range map[string]struct {
		personal bool
		shown    api.Order
		state    store.OrderState
	}{
		"a success":                    {true, api.Order{Status: "completed"}, store.Completed},
		"and it says that it has none": {true, api.Order{Status: "completed", Claim: api.HasNone}, store.Completed},
		"it says that it has one":      {true, api.Order{Status: "completed", Claim: api.HasCode}, store.Waiting},
		"something stands for it":      {true, api.Order{Status: "completed", Instead: secret.New("Pending…")}, store.Waiting},
		"it is not done":               {true, api.Order{Status: "processing"}, store.Waiting},
		"a card":                       {false, api.Order{Status: "completed"}, store.Waiting},
	} {
		t.Run(name, func(t *testing.T) {
			inShop(t, func(s *shop) {
				p, id := s.bought(false)
				s.update(func(tx *store.Tx) error {
					o, err := tx.Order("u1", id)
					o.Personal = tc.personal
					return cmp.Or(err, tx.PutOrder(&o))
				})
				tc.shown.ID = id
				s.settle(tc.shown)
				if o := s.order(id); o.State != store.Waiting {
					t.Errorf("at once the order is %+v", o)
				}
				<-time.After(time.Minute)
				s.settle(tc.shown)
				if o := s.order(id); o.State != tc.state || o.Late || o.Due.IsZero() {
					t.Errorf("the order is %+v", o)
				}
				s.settle(coded(id, "completed", "CODE-1"))
				if o := s.order(id); o.State != store.Ready || o.Code.Reveal() != "CODE-1" {
					t.Errorf("with its code the order is %+v", o)
				}
				s.is(p, store.Settled)
			})
		})
	}
}

// TestADeliveryIsRechecked: what has come is looked at a few times in the first days, at moments that the account's
// orders share; what the service calls failed by then is told to everybody who is concerned.
func TestADeliveryIsRechecked(t *testing.T) {
	for name, tc := range map[string]struct {
		origin api.Origin
		topup  bool
		then   api.Order // of every later look
		looks  int
		lasts  time.Duration
	}{
		"a card":                         {api.FromCurrent, false, api.Order{Status: "completed"}, 4, 108 * time.Hour},
		"a card that is left out":        {api.FromCurrent, false, api.Order{}, 4, 108 * time.Hour},
		"a top-up":                       {api.FromCurrent, true, api.Order{Status: "success"}, 4, 108 * time.Hour},
		"each by a call of its own":      {api.FromLegacy, false, api.Order{Status: "completed"}, 3, 72 * time.Hour},
		"a card with a word of its own ": {api.FromCurrent, false, api.Order{Status: "archived"}, 4, 108 * time.Hour},
	} {
		t.Run(name, func(t *testing.T) {
			inShop(t, func(s *shop) {
				p := s.buy(1)
				s.update(func(tx *store.Tx) error { return reorigin(tx, p.ID, tc.origin, 0) })
				id := s.get(p.ID).OrderIDs[0]
				done := coded(id, "completed", "CODE-1")
				if tc.topup {
					s.update(func(tx *store.Tx) error {
						o, err := tx.Order("u1", id)
						o.Topup = true
						return cmp.Or(err, tx.PutOrder(&o))
					})
					done = api.Order{ID: id, Status: "success"}
				}
				s.settle(done)
				s.is(p, store.Settled)
				told := s.messages()
				begin, looks, last := time.Now(), 0, time.Duration(0)
				for ; !s.order(id).Due.IsZero() && looks < 20; looks++ {
					if o := s.order(id); o.Pending() {
						t.Fatalf("something is awaited of %+v", o)
					}
					<-time.After(time.Until(s.order(id).Due))
					seen := tc.then
					seen.ID = id
					s.settle(seen)
					last = time.Since(begin)
				}
				if looks != tc.looks || last > tc.lasts {
					t.Errorf("%d looks in %v", looks, last)
				}
				if now := s.messages(); !maps.Equal(now, told) {
					t.Errorf("the chat was told %v, and now %v", told, now)
				}
			})
		})
	}
}

// TestWhatWasDeliveredFails: the chat and the owners are told, and its money is waited for.
func TestWhatWasDeliveredFails(t *testing.T) {
	inShop(t, func(s *shop) {
		p, id := s.bought(false)
		s.settle(coded(id, "completed", "CODE-1"))
		<-time.After(time.Until(s.order(id).Due))
		s.settle(api.Order{ID: id, Status: "canceled"})
		o := s.order(id)
		if o.State != store.Failed || o.Was != store.Ready || o.Refund != store.RefundWaiting || !o.Pending() {
			t.Errorf("the order is %+v", o)
		}
		if got := s.notes(); !slices.Equal(got, []string{"undone"}) {
			t.Errorf("told %v", got)
		}
		s.settle(api.Order{ID: id, Status: "canceled"})
		if got := s.notes(); len(got) != 1 {
			t.Errorf("told again: %v", got)
		}
		s.is(p, store.Settled)
	})
}

// TestUnitsOfOneOrder: the codes of an order of several units may be listed in any order, and one after the other. None of that is
// another code, and none is lost.
func TestUnitsOfOneOrder(t *testing.T) {
	inShop(t, func(s *shop) {
		s.service.verdicts = []api.Verdict{{Outcome: api.Unknown, Reason: "wrong number of orders", OrderIDs: []string{"O"}, Origin: api.FromCurrent}}
		p := s.is(s.buy(3), store.Unknown)
		s.service.as(listed("O", time.Now()))
		s.live(20 * time.Second)
		id := s.is(p, store.Accepted).OrderIDs[0]
		show := func(code string, price dzd.Amount) store.Order {
			s.settle(api.Order{ID: id, Status: "completed", Code: secret.New(code), Price: price})
			return s.order(id)
		}
		for _, step := range []struct {
			shows, want string
			missing     int
		}{
			{"K-2", "K-2", 2},
			{"K-1\nK-2", "K-1\nK-2", 2},
			{"K-2\nK-1", "K-1\nK-2", 2},
			{"K-1", "K-1\nK-2", 2},
			{"K-3\nK-1\nK-2", "K-3\nK-1\nK-2", 0},
		} {
			price := dzd.Int(100)
			if step.missing == 0 { // an entry for each unit, each with its price
				price = p.Total
			}
			if o := show(step.shows, price); o.Code.Reveal() != step.want || len(o.Later) > 0 {
				t.Errorf("after %q it has %q, and %d others", step.shows, o.Code.Reveal(), len(o.Later))
			}
			if p := s.get(p.ID); p.Missing != step.missing {
				t.Errorf("after %q %d are missing", step.shows, p.Missing)
			}
		}
		if o := show("K-1\nK-2\nK-4", p.Total); len(o.Later) != 1 {
			t.Errorf("a code in the place of one of them is no other code: %d", len(o.Later))
		}
	})
}

// TestSoldOfSeveral: what was charged tells how many units were sold, where an order may be of several.
func TestSoldOfSeveral(t *testing.T) {
	for charged, want := range map[string]int{"1250.5": 1, "2501": 2, "2400": 0, "3751.5": 0, "0": 0} {
		cost := dzd.Must(charged)
		p := store.Purchase{Price: dzd.Must("1250.5"), Quantity: 3, OrderIDs: []string{"O"}, Missing: 2, Charged: &cost}
		if got := p.UnitsCharged(); got != want {
			t.Errorf("of %s %d were sold, and not %d", charged, got, want)
		}
	}
}

// TestUnknownFieldsAreShownLate: what an order that is done says in fields which nobody knows is shown once its code is overdue, for
// it may be that, and is no reason to wait.
func TestUnknownFieldsAreShownLate(t *testing.T) {
	inShop(t, func(s *shop) {
		_, id := s.bought(false)
		look := func() store.Order {
			s.settle(api.Order{ID: id, Status: "completed", Facts: secret.New("smartcard: 0012 3456")})
			return s.order(id)
		}
		if o := look(); !o.Instead.IsZero() {
			t.Errorf("at once it shows %q", o.Instead.Reveal())
		}
		<-time.After(2 * time.Hour)
		if o := look(); o.State != store.Waiting || o.Instead.Reveal() != "smartcard: 0012 3456" {
			t.Errorf("overdue, %s, it shows %q", o.State, o.Instead.Reveal())
		}
	})
}

// TestLinesOfUnits: what comes together under names, as a code and its PIN do, is one unit.
func TestLinesOfUnits(t *testing.T) {
	for code, lacks := range map[string]bool{
		"A\nB":                                 false,
		"A":                                    true,
		"key: A\npin: 1":                       true,
		"key: A\npin: 1\n\nkey: B\npin: 2":     false,
		"code: A\nserial: 1\n\ncode: B":        false,
		"login: a\npassword: b\nemail: c@d.ef": true,
	} {
		p := store.Purchase{Quantity: 2, OrderIDs: []string{"O"}}
		if got := p.LacksLines([]store.Order{{State: store.Ready, Code: secret.New(code)}}); got != lacks {
			t.Errorf("%q lacks a unit: %v", code, got)
		}
	}
}

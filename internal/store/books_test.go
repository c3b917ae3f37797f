package store_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"resellerbot/internal/api/dzd"
	"resellerbot/internal/ledger"
	"resellerbot/internal/secret"
	"resellerbot/internal/store"
)

// desk is a shop with a book and a purchase of two codes.
type desk struct {
	*harness

	now time.Time
}

const bought = "01KAF5W8G0ZZZZZZZZZZZZZZZ7"

// newDesk opens the books of a shop whose chat is the group.
func newDesk(t *testing.T) *desk {
	t.Helper()
	d := &desk{newHarness(t), time.Now().Add(-time.Hour)}
	d.do(func(tx *store.Tx) error {
		return ledger.NewBook(tx.Books(), ledger.Book{ID: "u42", Zone: "Africa/Algiers", CutOff: 240, Chats: []int64{group}}, d.now)
	})
	d.buy(group)
	return d
}

// buy is an accepted purchase of two units for a chat, as the engine writes it: the orders before their purchase.
func (d *desk) buy(chat int64) {
	d.Helper()
	d.do(func(tx *store.Tx) error {
		p := store.Purchase{
			ID: bought, Account: "u42", Chat: chat, Phase: store.Accepted, Product: "PUBG", Variant: "60 UC", VariantID: 7, Family: "products",
			Price: dzd.Must("1250.505"), OrderIDs: []string{"1", "2"}, Quantity: 2, CreatedAt: d.now.Add(time.Minute),
		}
		return firstError(
			func() error {
				return tx.PutOrder(&store.Order{Account: "u42", ID: "1", Purchase: bought, State: store.Waiting})
			},
			func() error {
				return tx.PutOrder(&store.Order{Account: "u42", ID: "2", Purchase: bought, State: store.Waiting})
			},
			func() error { return tx.PutPurchase(&p) },
		)
	})
}

// order changes an order as the engine does.
func (d *desk) order(id string, change func(*store.Order)) {
	d.Helper()
	d.do(func(tx *store.Tx) error {
		o, err := tx.Order("u42", id)
		if err != nil {
			return err
		}
		change(&o)
		return tx.PutOrder(&o)
	})
}

// holds compares balances of the book, in dinars, and has the store checked.
func (d *desk) holds(want map[ledger.Account]string) {
	d.Helper()
	for a, m := range want {
		b := must(d.store.BookBalance(context.Background(), "u42", a))(d)
		if b.Net().String() != m {
			d.Errorf("%s is %s, want %s", a, b.Net(), m)
		}
	}
	if problems := must(d.store.Check(context.Background()))(d); len(problems) > 0 {
		d.Errorf("the store is not sound: %q", problems)
	}
}

// TestBooksFollowOrders: whatever becomes of an order is in the books with the transaction that writes it.
func TestBooksFollowOrders(t *testing.T) {
	d := newDesk(t)
	d.holds(map[ledger.Account]string{"transit": "2501.01", "wallet/u42": "-2501.01"})
	d.order("1", func(o *store.Order) { o.State, o.Code = store.Ready, secret.New("CODE-1") })
	d.order("2", func(o *store.Order) { o.State, o.Refund = store.Failed, store.RefundWaiting })
	d.holds(map[ledger.Account]string{"transit": "0", "stock": "1250.505", "claim": "1250.505"})
	d.order("2", func(o *store.Order) { o.Refund = store.RefundSeen })
	d.holds(map[ledger.Account]string{"claim": "0", "wallet/u42": "-1250.505"})

	head := must(d.store.Book(t.Context(), "u42"))(t).Head
	d.order("1", func(o *store.Order) { o.Looks++ })
	if again := must(d.store.Book(t.Context(), "u42"))(t).Head; again != head {
		t.Errorf("a look that shows nothing has made %d entries", again-head)
	}

	// What was charged is another amount, and then the orders are another purchase's.
	d.do(func(tx *store.Tx) error {
		p, err := tx.Purchase(bought)
		if err != nil {
			return err
		}
		charged := dzd.Must("2500")
		p.Charged = &charged
		return tx.PutPurchase(&p)
	})
	d.order("1", func(o *store.Order) { o.Price = dzd.Must("1255") })
	d.holds(map[ledger.Account]string{"stock": "1255", "wallet/u42": "-1255"})
	d.letGo("1", "2")
	d.holds(map[ledger.Account]string{"stock": "0", "wallet/u42": "0"})
}

// TestBooksAreTheShops: what a chat has bought that has left since is the shop's, what was bought before its book was opened is not, and a
// shop without a book has none.
func TestBooksAreTheShops(t *testing.T) {
	d := newDesk(t)
	d.do(func(tx *store.Tx) error {
		p := store.Purchase{ID: draftID, Account: "u42", Chat: person, Phase: store.Accepted, Price: dzd.Int(9), OrderIDs: []string{"8"}, CreatedAt: d.now.Add(time.Minute)}
		early := store.Purchase{ID: queuedID, Account: "u42", Chat: group, Phase: store.Accepted, Price: dzd.Int(9), OrderIDs: []string{"9"}, CreatedAt: d.now.Add(-time.Minute)}
		return firstError(
			func() error {
				return tx.PutOrder(&store.Order{Account: "u42", ID: "8", Purchase: draftID, State: store.Waiting})
			},
			func() error {
				return tx.PutOrder(&store.Order{Account: "u42", ID: "9", Purchase: queuedID, State: store.Waiting})
			},
			func() error { return tx.PutPurchase(&p) },
			func() error { return tx.PutPurchase(&early) },
		)
	})
	d.holds(map[ledger.Account]string{"transit": "2510.01"})

	none := &desk{newHarness(t), time.Now()}
	none.buy(group)
	none.order("1", func(o *store.Order) { o.State, o.Code = store.Ready, secret.New("CODE-1") })
	for _, k := range []store.Kind{store.KindBook, store.KindBookEntry, store.KindBookUnit, store.KindBookDue} {
		if n := len(none.records(k)); n > 0 {
			t.Errorf("a shop without a book has %d of %s", n, k)
		}
	}
}

// TestBooksHoldNothingBack: where the books cannot be written, the code is on disk all the same, the fact waits, no day is
// sealed, and it is written once that is possible.
func TestBooksHoldNothingBack(t *testing.T) {
	for name, k := range map[string]store.Kind{"a balance that cannot be read": store.KindBookBalance, "a head that cannot be read": store.KindBook} {
		t.Run(name, func(t *testing.T) {
			d := newDesk(t)
			whole := d.spoil(k)
			d.order("1", func(o *store.Order) { o.State, o.Code = store.Ready, secret.New("CODE-1") })
			o := must(d.store.Order(t.Context(), "u42", "1"))(t)
			if o.Code.Reveal() != "CODE-1" {
				t.Fatal("the code is not there")
			}
			if waiting := must(d.store.BookDues(t.Context(), "u42", 9))(t); len(waiting) == 0 || waiting[0].Fact.State != ledger.InStock && waiting[0].Fact.Order == "1" {
				t.Fatalf("what waits is %+v", waiting)
			}
			d.order("1", func(o *store.Order) { o.State = store.Failed }) // it goes on, and the fact is replaced
			d.mendBook(k, whole)
			if k == store.KindBookBalance {
				err := d.store.Update(t.Context(), func(tx *store.Tx) error { return ledger.Seal(tx.Books(), "u42", time.Now().Add(48*time.Hour)) })
				if r, ok := errors.AsType[*ledger.Refusal](err); !ok || r.Reason != ledger.StillDue {
					t.Errorf("a day is sealed: %v", err)
				}
			}
			if left := must(d.store.RetryDues(t.Context(), "u42", time.Now()))(t); left != 0 {
				t.Fatalf("%d facts still wait", left)
			}
			d.holds(map[ledger.Account]string{"transit": "1250.505", "stock": "0", "claim": "1250.505"})
		})
	}
}

// TestFactsOfABookThatCannotBeRead: all of them wait, also those of orders that a purchase lets go of, and behind one that is not there. Once the
// book can be read and another of its records cannot, it knows how many wait, and seals no day.
func TestFactsOfABookThatCannotBeRead(t *testing.T) {
	d := newDesk(t)
	head, balances := d.spoil(store.KindBook), d.spoil(store.KindBookBalance)
	d.letGo("1", "nowhere", "2")
	d.order("2", func(o *store.Order) { o.State, o.Code = store.Ready, secret.New("CODE-2") })
	if waiting := must(d.store.BookDues(t.Context(), "u42", 9))(t); len(waiting) != 2 || waiting[0].Fact.State != ledger.Released {
		t.Fatalf("what waits is %+v", waiting)
	}
	d.mendBook(store.KindBook, head)
	if left := must(d.store.RetryDues(t.Context(), "u42", time.Now()))(t); left != 2 {
		t.Fatalf("%d facts wait", left)
	}
	if b := must(d.store.Book(t.Context(), "u42"))(t); b.Dues != 2 {
		t.Errorf("the book says that %d facts wait", b.Dues)
	}
	d.mendBook(store.KindBookBalance, balances)
	if left := must(d.store.RetryDues(t.Context(), "u42", time.Now()))(t); left != 0 {
		t.Fatalf("%d facts still wait", left)
	}
}

// TestBrokenDueHoldsNothingBack: not even what waits for the books, where it cannot be read.
func TestBrokenDueHoldsNothingBack(t *testing.T) {
	d := newDesk(t)
	d.plant(func(tx store.RecordTx) error {
		_, err := tx.Put(store.Record{Kind: store.KindBookDue, Key: "u42/1", Value: []byte("?")})
		return err
	})
	d.order("1", func(o *store.Order) { o.State, o.Code = store.Ready, secret.New("CODE-1") })
	if o := must(d.store.Order(t.Context(), "u42", "1"))(t); o.Code.Reveal() != "CODE-1" {
		t.Error("the code is not there")
	}
	if problems := must(d.store.Check(t.Context()))(t); len(problems) == 0 {
		t.Error("the check finds nothing")
	}
}

// letGo has the purchase let go of an order, and have others.
func (d *desk) letGo(order string, others ...string) {
	d.Helper()
	d.do(func(tx *store.Tx) error {
		o, err := tx.Order("u42", order)
		if err != nil {
			return err
		}
		p, err := tx.Purchase(bought)
		if err != nil {
			return err
		}
		p.OrderIDs = others
		return firstError(func() error { return tx.PutOrder(&o) }, func() error { return tx.PutPurchase(&p) })
	})
}

// spoil makes the records of a kind unreadable, and returns them as they were.
func (d *desk) spoil(k store.Kind) (whole []store.Record) {
	d.Helper()
	for _, r := range d.records(k) {
		whole = append(whole, r)
		d.plant(func(tx store.RecordTx) error {
			_, err := tx.Put(store.Record{Kind: k, Key: r.Key, Version: r.Version, Value: []byte("?")})
			return err
		})
	}
	return whole
}

// mendBook puts records back as they were, over what was spoiled.
func (d *desk) mendBook(k store.Kind, whole []store.Record) {
	d.Helper()
	for _, r := range whole {
		now := d.records(k)
		for _, spoiled := range now {
			if spoiled.Key == r.Key {
				r.Version = spoiled.Version
			}
		}
		d.plant(func(tx store.RecordTx) error { _, err := tx.Put(r); return err })
	}
}

// TestBooksFollowAGroup that becomes a supergroup.
func TestBooksFollowAGroup(t *testing.T) {
	d := newDesk(t)
	d.do(func(tx *store.Tx) error {
		return firstError(
			func() error { return tx.PutAccount(&store.Account{ID: "u42", Chats: []int64{group}}) },
			func() error { return tx.PutChat(&store.Chat{ID: group, Account: "u42"}) },
		)
	})
	d.do(func(tx *store.Tx) error { return tx.MoveChat(group, -5) })
	if b := must(d.store.Book(t.Context(), "u42"))(t); !b.For(-5) || b.For(group) {
		t.Errorf("the book is for %v", b.Chats)
	}
}

// TestCustomerIsForgotten: the name goes, what they owe stays.
func TestCustomerIsForgotten(t *testing.T) {
	h := newHarness(t)
	h.do(func(tx *store.Tx) error {
		return tx.PutCustomer(&store.Customer{Book: "u42", ID: "1", Name: secret.New("Karim"), Phone: secret.New("0555"), Limit: 7})
	})
	h.do(func(tx *store.Tx) error { return tx.ForgetCustomer("u42", "1") })
	c := must(h.store.Customer(t.Context(), "u42", "1"))(t)
	if c.Name.Reveal() != store.Masked || !c.Phone.IsZero() || !c.Forgot || c.Limit != 7 {
		t.Errorf("what is kept: %q, %q, %+v", c.Name.Reveal(), c.Phone.Reveal(), c)
	}
}

// TestBooksAreTended: what waits is written, then the days that are over are sealed, and a day that is not stays open.
func TestBooksAreTended(t *testing.T) {
	d := newDesk(t)
	d.do(func(tx *store.Tx) error {
		f := ledger.Fact{Order: "1", Wallet: "u42", Product: "products:7", Name: "PUBG 60 UC", Cost: ledger.Of(dzd.Must("1250.505")), State: ledger.InStock}
		return tx.PutDue(ledger.Due{Book: "u42", Fact: f, At: d.now})
	})
	days := func() int { return len(d.records(store.KindBookDay)) }
	for _, c := range []struct {
		after time.Duration
		days  int
	}{{0, 0}, {72 * time.Hour, 1}, {96 * time.Hour, 1}} {
		waiting, err := d.store.ProcessDueBooks(t.Context(), time.Now().Add(c.after))
		if err != nil || waiting != 0 || days() != c.days {
			t.Errorf("after %s: %d days, %d wait, %v", c.after, days(), waiting, err)
		}
	}
	if b := must(d.store.BookUnit(t.Context(), "u42", "1"))(t); b.State != ledger.InStock {
		t.Errorf("the unit is %s", b.State)
	}
}

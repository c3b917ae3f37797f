package store_test

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"strings"
	"testing"

	"resellerbot/internal/ledger"
	"resellerbot/internal/store"
)

// TestNamedSalesAreListed: in a file of schema 26 nothing leads from a customer to what they have paid at once. The next start lists it,
// and what was taken back since.
func TestNamedSalesAreListed(t *testing.T) {
	h := newHarness(t)
	who := ledger.Who{By: person, Counter: "house", Nonce: "n", Owner: true}
	sale := ledger.Sale{Who: who, Customer: "ali", Paid: 200 * ledger.Dinar}
	h.do(func(tx *store.Tx) error {
		r := tx.Books()
		err := ledger.NewBook(r, ledger.Book{ID: "u42", Zone: "UTC", Chats: []int64{group}}, opened())
		for _, order := range []string{"O/1", "O/2"} {
			sale.Units = append(sale.Units, ledger.SoldUnit{Order: order, List: 100 * ledger.Dinar, Price: 100 * ledger.Dinar})
			err = errors.Join(err, ledger.Observe(r, "u42", ledger.Fact{Order: order, Wallet: "u42", Product: "7", Name: "60 UC", Cost: 50 * ledger.Dinar, State: ledger.InStock}, opened()))
		}
		_, err2 := ledger.Sell(r, "u42", sale, opened())
		_, err3 := ledger.Return(r, "u42", ledger.Returned{Who: who, Order: "O/2", Usable: true}, opened())
		return errors.Join(err, err2, err3)
	})
	holds := func(want map[string]int, lines int) {
		t.Helper()
		if got := must(ledger.SoldTo(h.store.Books(t.Context()), "u42", "ali", 100))(t); !maps.Equal(got, want) {
			t.Errorf("what is sold is %v, want %v", got, want)
		}
		n := 0
		for _, problem := range must(h.store.Check(t.Context()))(t) {
			if strings.Contains(problem, "lines") {
				n++
			}
		}
		if n != lines {
			t.Errorf("the check finds %d accounts with other lines, want %d", n, lines)
		}
	}
	holds(map[string]int{"O/1": 1}, 0)
	named := h.records(store.KindBookLine)
	h.plant(func(tx store.RecordTx) error {
		m, err := tx.Get(store.KindMeta, "store")
		m.Value = bytes.ReplaceAll(m.Value, fmt.Appendf(nil, `"Schema":%d,"Shape":%q`, store.Schema(), store.Shape()), fmt.Appendf(nil, `"Schema":26,"Shape":%q`, store.ShapeOf(26)))
		_, err2 := tx.Put(m)
		for _, r := range named {
			if strings.Contains(r.Key, "/named/") {
				err = errors.Join(err, tx.Delete(r))
			}
		}
		return errors.Join(err, err2)
	})
	holds(map[string]int{}, 1)
	if got := h.meta().Schema; got != 26 {
		t.Fatalf("the file is of schema %d", got)
	}
	h.reopen()
	holds(map[string]int{"O/1": 1}, 0)
}

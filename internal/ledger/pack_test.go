package ledger_test

import (
	"reflect"
	"testing"

	"pgregory.net/rapid"

	"resellerbot/internal/ledger"
)

// TestPackedDays: a day that is packed is the same when it is read, and anything else is an error or a day, never a panic.
func TestPackedDays(t *testing.T) {
	money := rapid.Custom(func(rt *rapid.T) ledger.Money { return ledger.Money(rapid.Int64().Draw(rt, "money")) })
	rapid.Check(t, func(rt *rapid.T) {
		f := ledger.Flows{Entries: rapid.Int().Draw(rt, "entries"), PaidSales: money.Draw(rt, "paid"), Refunds: money.Draw(rt, "refunds"), Accounts: map[ledger.Account]ledger.Sums{}}
		for range rapid.IntRange(0, 4).Draw(rt, "accounts") {
			f.Accounts[ledger.Account(rapid.String().Draw(rt, "account"))] = ledger.Sums{Debits: money.Draw(rt, "debits"), Credits: money.Draw(rt, "credits")}
		}
		for range rapid.IntRange(0, 4).Draw(rt, "rows") {
			f.Rows = append(f.Rows, ledger.Row{Product: rapid.String().Draw(rt, "product"), Name: rapid.String().Draw(rt, "name"), Seller: rapid.Int64().Draw(rt, "seller"), Units: -1, Sold: money.Draw(rt, "sold")})
		}
		for range rapid.IntRange(0, 3).Draw(rt, "buyers") {
			if f.Buyers == nil {
				f.Buyers = map[string]ledger.Purchases{}
			}
			f.Buyers[rapid.String().Draw(rt, "buyer")] = ledger.Purchases{Units: rapid.Int().Draw(rt, "bought"), Sold: money.Draw(rt, "for")}
		}
		text, err := f.MarshalText()
		var back ledger.Flows
		if err != nil || back.UnmarshalText(text) != nil || !reflect.DeepEqual(f, back) {
			rt.Fatalf("%+v is read as %+v, %v", f, back, err)
		}
		cut := text[:rapid.IntRange(0, len(text)-1).Draw(rt, "cut")]
		if err := back.UnmarshalText(cut); err == nil && len(cut)%4 == 0 && len(cut) < len(text)-4 {
			rt.Fatalf("%d bytes of %d are a day", len(cut), len(text))
		}
	})
}

// TestDaysBeforeBuyers: a day that was packed before buyers were counted is read, and has none.
func TestDaysBeforeBuyers(t *testing.T) {
	var f ledger.Flows
	if err := f.UnmarshalText([]byte("AQAAAAAAAAA=")); err != nil || f.Buyers != nil {
		t.Errorf("%+v, %v", f, err)
	}
}

func FuzzPackedDays(f *testing.F) {
	f.Add([]byte("AQAAAAAAAA=="))
	f.Add([]byte("AQD///////////8BAAAAAAA="))
	f.Fuzz(func(t *testing.T, text []byte) {
		var flows ledger.Flows
		if err := flows.UnmarshalText(text); err != nil {
			return
		}
		if _, err := flows.MarshalText(); err != nil {
			t.Error(err)
		}
	})
}

package purchase

import (
	"testing"
	"time"

	"resellerbot/internal/api/dzd"
	"resellerbot/internal/sampletest"
	"resellerbot/internal/store"
)

// TestOverdueGoesBeforeTwice: a purchase was sent twice and its price is overdue. The first time that as much goes, that is
// its price; the second time it was made twice, and a person has to be asked.
func TestOverdueGoesBeforeTwice(t *testing.T) {
	var a store.Account
	price, now := dzd.Int(-100), time.Now()
	noteMayGo(&a, "p", price, store.Twice, now)
	noteMayGo(&a, "p", price, store.Overdue, now)
	noteMayGo(&a, "other", price, store.Retaken, now)
	for _, want := range []store.MayGo{store.Overdue, store.Twice} {
		gone := explain(price, mayGoOf(a.Wallet, "p"))
		if why := removeMayGo(&a.Wallet, gone.chosen); why != want {
			t.Errorf("what goes is %q, and should be %q", why, want)
		}
	}
	if left := a.Wallet.Expected; len(left) != 1 || left[0].Purchase != "other" {
		t.Errorf("%+v is left", left)
	}
}

// TestOneRest: what is left of a purchase goes once, whatever its orders say of their price in between.
func TestOneRest(t *testing.T) {
	var a store.Account
	now := time.Now()
	noteMayGo(&a, "p", dzd.Int(-100), store.Rest, now)
	noteMayGo(&a, "other", dzd.Int(-100), store.Rest, now)
	noteMayGo(&a, "p", dzd.Int(-80), store.Rest, now)
	if got := mayGoOf(a.Wallet, "p"); len(got) != 1 || !got[0].amount.Equal(dzd.Int(-80)) || len(mayGoOf(a.Wallet, "other")) != 1 {
		t.Errorf("%+v may go", a.Wallet.Expected)
	}
}

// TestMayGoMakesRoom: what may go beside takes no place of a price that the next readings have to show.
func TestMayGoMakesRoom(t *testing.T) {
	a := store.Account{}
	expect(&a, store.Purchase{ID: "sent", Total: dzd.Int(100)}, time.Now())
	for range mostExpected + 5 {
		noteMayGo(&a, "failed", dzd.Int(-100), store.Retaken, time.Now())
	}
	if expected(a.Wallet, "sent") < 0 || len(a.Wallet.Expected) != mostExpected {
		t.Errorf("of %d changes, the price that is awaited is %d", len(a.Wallet.Expected), expected(a.Wallet, "sent"))
	}
}

// TestAskedAboutInAFullWallet: money has gone that may be the price of a purchase which is asked about, and another price has not shown yet.
// The first is not forgotten for whatever comes behind them, nor the second for what has shown, or was refused.
func TestAskedAboutInAFullWallet(t *testing.T) {
	sampletest.Slow(t)
	now := time.Now()
	for what, many := range map[string]store.Expected{
		"shown":         {Seen: now},
		"refused":       {Denied: true},
		"not shown yet": {},
	} {
		for asked, first := range map[string]store.Expected{"uncertain": {Doubtful: true, Seen: now}, "called not bought": {Denied: true, Seen: now}} {
			first.Purchase = "asked"
			list := []store.Expected{first, {Purchase: "due"}}
			for range mostExpected + 5 {
				list = newest(append(list, many))
			}
			list = newest(append(list, store.Expected{Purchase: "last", Doubtful: true}))
			w := store.Wallet{Expected: list}
			pushedOut := what == "not shown yet" // by those of its own kind
			if len(list) != mostExpected || expected(w, "asked") < 0 || (expected(w, "due") < 0) != pushedOut || expected(w, "last") < 0 {
				t.Errorf("%s, among what is %s: of %d, asked about is %d, due %d, sent just now %d",
					asked, what, len(list), expected(w, "asked"), expected(w, "due"), expected(w, "last"))
			}
		}
	}
}

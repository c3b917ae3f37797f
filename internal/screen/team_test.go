package screen_test

import (
	"strings"
	"testing"

	"resellerbot/internal/screen"
	"resellerbot/internal/store"
)

// team is a team with everything that one can have.
func team() screen.TeamView {
	return screen.TeamView{
		Account: "Boutique Amina", Self: 1, Invites: 2, Day: "2025-11-20",
		Members: []store.Member{
			{User: 1, Name: "Amina", Role: store.Owner, Since: noon()},
			{User: 2, Name: "كريم", Role: store.Seller, Since: noon(), PerPurchase: amount("2000"), PerDay: amount("10000"), Day: "2025-11-20", Spent: *amount("1250.5")},
			{User: 3, Role: store.Counter, Since: noon()},
		},
		Place: &store.Place{Chat: -100, Title: "Shop & Co"}, Locked: lock(),
	}
}

func lock() *store.Lock { return &store.Lock{By: 1, Name: "Amina", At: noon()} }

// soldBy is a purchase with the name of who made it.
func soldBy(name string, pu store.Purchase) store.Purchase {
	pu.Buyer = name
	return pu
}

// asked is a purchase for which an owner is asked.
func asked() store.Purchase {
	return with(soldBy("Karim", bought(store.Asked, 3)), func(pu *store.Purchase) {
		pu.ExpiresAt, pu.Ask = noon(), &store.Ask{At: noon(), Nonce: "abcdefghijk"}
	})
}

// answeredBy is one on which an owner has decided.
func answeredBy(phase store.Phase, granted bool) store.Purchase {
	return with(asked(), func(pu *store.Purchase) {
		pu.Phase, pu.Ask = phase, &store.Ask{Nonce: "abcdefghijk", By: 1, Name: "Amina", Granted: granted, Done: noon()}
		if !granted {
			pu.Reason = "refused"
		}
	})
}

// over ends a question without a decision.
func over(reason string) func(*store.Purchase) {
	return func(pu *store.Purchase) { pu.Phase, pu.Reason = store.Dropped, reason }
}

func revealed(pu *store.Purchase) {
	pu.Reveals = []store.Reveal{{User: 3, Name: "نادية", At: noon()}}
}

// handed has somebody give the codes of a purchase to its customer; back has another one take that back.
func handed(back bool) func(*store.Purchase) {
	return func(pu *store.Purchase) {
		pu.Handed = []store.Handed{{User: 3, Name: "نادية", At: noon()}}
		if back {
			pu.Handed = append(pu.Handed, store.Handed{User: 1, Name: "Amina <b>", At: noon(), Back: true})
		}
	}
}

func sentAt(pu *store.Purchase) { pu.SentAt = noon() }

// TestHiddenIsHidden: whatever a screen for bystanders shows of a purchase, no code is in it, in no text, button
// or file.
func TestHiddenIsHidden(t *testing.T) {
	p, _ := printers(t).For("en")
	p = p.As(screen.ForShop)
	secret := codes(12)
	for _, units := range []int{1, 3, 12} {
		pu, orders := bought(store.Settled, units), each(made(secret[:units]...), noted("the code is "+secret[0]))
		for _, m := range []screen.Message{p.Purchases().Status(pu, orders, screen.BalanceView{}, store.QueuePlace{}), p.Purchases().Copy(pu, orders), p.Purchases().Again(pu, orders, store.QueuePlace{}), p.Approvals().Decision(pu, orders, store.QueuePlace{})} {
			shown := picture(m)
			for _, code := range secret {
				if strings.Contains(shown, code) {
					t.Errorf("%d units: a code is shown:\n%s", units, shown)
				}
			}
		}
	}
}

// TestReveal is what one person sees over the chat, as long as it fits there.
func TestReveal(t *testing.T) {
	p, _ := printers(t).For("en")
	text, ok := p.Codes().Reveal(bought(store.Settled, 2), made("AAAA", ""))
	if !ok || !strings.HasSuffix(text, "\nAAAA") {
		t.Errorf("%q, %v", text, ok)
	}
	for name, list := range map[string][]string{"long": {strings.Repeat("x", 200)}, "many": codes(11)} {
		if text, ok := p.Codes().Reveal(bought(store.Settled, len(list)), made(list...)); ok {
			t.Errorf("%s: %q fits", name, text)
		}
	}
}

// TestMoneyIsTheOwners: no screen for others tells what is in the wallet.
func TestMoneyIsTheOwners(t *testing.T) {
	p, _ := printers(t).For("en")
	for _, r := range []screen.Reader{screen.ForSeller, screen.ForShop, screen.ForShopInFull} {
		p := p.As(r)
		for _, b := range []string{"777777", "7.77"} {
			for _, m := range []screen.Message{
				p.Purchases().Summary(bought(store.Drafted, 1), wallet(b), nil), p.Purchases().Above(bought(store.Drafted, 1), wallet(b), nil),
				p.Home().Welcome("Karim", &screen.AccountView{Name: "Shop", Balance: wallet(b)}),
			} {
				if strings.Contains(picture(m), "7.77") || strings.Contains(picture(m), "777,777") {
					t.Errorf("reader %d sees the balance:\n%s", r, picture(m))
				}
			}
		}
	}
}

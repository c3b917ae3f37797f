package conversations_test

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"resellerbot/internal/app/apptest"
	"resellerbot/internal/ledger"
	"resellerbot/internal/sampletest"
	"resellerbot/internal/store"
)

// book is the only book; ok is false where none is open.
func book(h *apptest.Harness) (b ledger.Book, ok bool) {
	h.T.Helper()
	h.InStore(func(s *store.Store) {
		all, err := s.AllBooks(context.Background(), "", 9)
		h.Must(err)
		if ok = len(all) == 1; ok {
			b = all[0]
		}
	})
	return b, ok
}

// theBook is the book of the only shop, which has to have one.
func theBook(h *apptest.Harness) ledger.Book {
	h.T.Helper()
	b, ok := book(h)
	if !ok {
		h.T.Fatal("no book is open")
	}
	return b
}

// TestOwnPrices: with three taps an owner sets a rule, sees what it makes of items before that, and products show their price
// from then on; who takes it away sees nothing of it any more. In each language.
func TestOwnPrices(t *testing.T) {
	t.Parallel()
	for lang, words := range sampletest.SomeNamed(3, map[string]struct{ percent, example, own, off, sure, none string }{
		"en": {"Percent", "Buying price DZD 1,250.50, margin DZD +129.50", "Own price: DZD 1,380", "Remove the rule", "Remove the shop's rule?", "You have set no price"},
		"fr": {"Pour cent", "Prix d'achat 1 250,50 DA, marge +129,50 DA", "Prix de vente : 1 380 DA", "Retirer la règle", "Retirer la règle de la boutique", "Aucun prix de vente"},
		"ar": {"نسبة مئوية", "سعر الشراء 1 250,50 د.ج، هامش الربح +129,50 د.ج", "سعر البيع: 1 380 د.ج", "إزالة القاعدة", "إزالة قاعدة المحل", "لم يتم تحديد أي سعر بيع"},
	}) {
		t.Run(lang, func(t *testing.T) {
			t.Parallel()
			apptest.Run(t, apptest.Stock, func(h *apptest.Harness) {
				h.Telegram.SetLanguage(apptest.Sam, lang)
				h.Link(apptest.Sam)
				h.Say(apptest.Sam, "play card 10 usd")
				hides(h, "🏷")
				h.Say(apptest.Sam, "/prices")
				h.See(apptest.Sam, words.none)
				h.Tap(apptest.Sam, words.percent)
				h.Tap(apptest.Sam, "10")
				shows(h, words.example)
				if _, open := book(h); open {
					t.Error("a book is open before anything was set")
				}
				h.Tap(apptest.Sam, map[string]string{"en": "DZD\u00a05", "fr": "5\u00a0DA", "ar": "5\u00a0د.ج"}[lang])
				h.Pass(3 * time.Second)
				if b, open := book(h); !open || !b.For(apptest.Sam) {
					t.Errorf("the book is %+v", b)
				}
				h.Say(apptest.Sam, "play card 10 usd")
				shows(h, words.own)
				h.Say(apptest.Sam, "/prices")
				h.Tap(apptest.Sam, words.off)
				h.See(apptest.Sam, words.sure)
				h.Tap(apptest.Sam, words.off)
				shows(h, words.none)
				h.Say(apptest.Sam, "play card 10 usd")
				hides(h, "🏷")
			})
		})
	}
}

// plainly is a text with plain blanks and without marks of direction.
func plainly(text string) string {
	return strings.NewReplacer("\u00a0", " ", "\u202f", " ", "\u2068", "", "\u2069", "", "\u200f", "").Replace(apptest.Plain(text))
}

// lastTo is what sam was shown last.
func lastTo(h *apptest.Harness) string {
	all := h.Telegram.Messages(apptest.Sam)
	i := len(all) - 1
	for i > 0 && (!all[i].FromBot || all[i].Deleted) {
		i--
	}
	return plainly(all[i].Text)
}

// shows fails the test unless sam sees some words last; hides unless he does not.
func shows(h *apptest.Harness, words string) {
	h.T.Helper()
	h.Pass(3 * time.Second)
	if text := lastTo(h); !strings.Contains(text, words) {
		h.T.Errorf("%q is not in\n%s", words, text)
	}
}

func hides(h *apptest.Harness, words string) {
	h.T.Helper()
	h.Pass(3 * time.Second)
	if text := lastTo(h); strings.Contains(text, words) {
		h.T.Errorf("%q is in\n%s", words, text)
	}
}

// TestPricesAreAskedBack: what is no number is refused, what may be centimes or have a zero too many is asked back with the
// likely one first, and so is what earns nothing. Nothing is set by any of it.
func TestPricesAreAskedBack(t *testing.T) {
	t.Parallel()
	apptest.Run(t, apptest.Stock, func(h *apptest.Harness) {
		h.Link(apptest.Sam)
		for _, c := range []struct{ kind, typed, want string }{
			{"Percent", "much", "This is not a number"},
			{"Percent", "-100", "too much or too little"},
			{"Percent", "−100 %", "too much or too little"},
			{"Percent", "0", "You would earn nothing"},
			{"Percent", "-5%", "You would earn nothing"},
			{"Percent", "1000", "Which one do you mean?"},
			{"Percent", "1000000000000", "too much or too little"},
			{"Percent", "12,345", "This is not a number"},
			{"Percent", "12,5 %", "+12.5%"},
			{"Percent", "١٢٪", "+12%"},
			{"Dinars", "0", "You would earn nothing"},
			{"Dinars", "-50", "You would earn nothing"},
			{"Dinars", "20000", "Which one do you mean?"},
			{"Dinars", "1000000000000", "too much or too little"},
			{"Dinars", "99999999999999999999999", "This is not a number"},
			{"Dinars", "150 DA", "buying price DZD +150"},
		} {
			h.Say(apptest.Sam, "/prices")
			h.See(apptest.Sam, "You have set no price")
			h.Tap(apptest.Sam, c.kind)
			h.See(apptest.Sam, "more than the buying price")
			h.Say(apptest.Sam, c.typed)
			h.Pass(3 * time.Second)
			if text := h.Transcript(apptest.Sam); !strings.Contains(plainly(text), c.want) {
				t.Errorf("%s %q: %q is not in\n%s", c.kind, c.typed, c.want, text)
			}
			h.Say(apptest.Sam, "/cancel")
		}
		if _, open := book(h); open {
			t.Error("a book is open, and nothing was set")
		}
		h.Say(apptest.Sam, "/prices")
		h.Tap(apptest.Sam, "Dinars")
		h.Say(apptest.Sam, "-50")
		h.See(apptest.Sam, "You would earn nothing")
		h.Tap(apptest.Sam, "50")
		h.See(apptest.Sam, "Round prices up to")
		h.Tap(apptest.Sam, "DZD\u00a01")
		h.See(apptest.Sam, "Rounded up to: DZD 1")
		h.Say(apptest.Sam, "play card 10 usd")
		h.See(apptest.Sam, "below the buying price")
	})
}

// TestBooksKnowTheirChats: who is let into the team is one of the book's chats, and whoever leaves is none.
func TestBooksKnowTheirChats(t *testing.T) {
	t.Parallel()
	apptest.Run(t, apptest.People, func(h *apptest.Harness) {
		h.Link(apptest.Sam)
		h.Say(apptest.Sam, "/prices")
		h.Tap(apptest.Sam, "Percent")
		h.Tap(apptest.Sam, "10%")
		h.Tap(apptest.Sam, "DZD\u00a010")
		h.See(apptest.Sam, "Rounded up to: DZD 10")
		h.Join(apptest.Karim, h.Invite(apptest.Sam, "Seller"))
		isFor(h, apptest.Sam, apptest.Karim)
		h.Say(apptest.Karim, "/prices")
		h.See(apptest.Karim, "Only the owner")
		h.Say(apptest.Sam, "/team")
		h.Tap(apptest.Sam, "Karim")
		h.Tap(apptest.Sam, "Remove")
		h.Tap(apptest.Sam, "Yes, remove")
		h.Pass(3 * time.Second)
		isFor(h, apptest.Sam)
	})
}

// TestBooksKnowTheirGroup: what the team buys in its group is in the books for as long as the group is of the account.
func TestBooksKnowTheirGroup(t *testing.T) {
	t.Parallel()
	inShop(t, func(h *apptest.Harness) {
		h.Say(apptest.Sam, "/prices")
		h.Tap(apptest.Sam, "Dinars")
		h.Tap(apptest.Sam, "+100")
		h.Tap(apptest.Sam, "DZD\u00a010")
		h.See(apptest.Sam, "Rounded up to: DZD 10")
		isFor(h, apptest.Sam, apptest.Karim, apptest.Lila, shop)
		h.Say(apptest.Sam, "/team")
		h.Tap(apptest.Sam, "📍 Group")
		h.Tap(apptest.Sam, "Stop group delivery")
		h.Pass(3 * time.Second)
		isFor(h, apptest.Sam, apptest.Karim, apptest.Lila)
	})
}

// isFor fails the test unless the book is for some chats.
func isFor(h *apptest.Harness, chats ...int64) {
	h.T.Helper()
	if b, _ := book(h); !slices.Equal(b.Chats, chats) {
		h.T.Errorf("the book is for %v, want %v", b.Chats, chats)
	}
}

// TestBooksComeBackWithTheTeam: a team that ended with its owner's account, and comes back with it, is in the books as before.
func TestBooksComeBackWithTheTeam(t *testing.T) {
	t.Parallel()
	apptest.Run(t, apptest.People, func(h *apptest.Harness) {
		h.Link(apptest.Sam)
		setPrices(h)
		h.Join(apptest.Karim, h.Invite(apptest.Sam, "Seller"))
		isFor(h, apptest.Sam, apptest.Karim)
		h.Say(apptest.Sam, "/key remove")
		h.Tap(apptest.Sam, "Yes")
		h.Pass(3 * time.Second)
		isFor(h)
		h.Link(apptest.Sam)
		h.Pass(3 * time.Second)
		isFor(h, apptest.Sam, apptest.Karim)
		buy(h, apptest.Karim)
		h.Tap(apptest.Karim, "💵")
		holds(h, map[ledger.Account]ledger.Money{"till/601": 1380 * ledger.Dinar})
	})
}

// TestTheRuleThatIsRemoved: who says yes has seen which rule it is. One that was set since is asked about anew.
func TestTheRuleThatIsRemoved(t *testing.T) {
	t.Parallel()
	apptest.Run(t, apptest.Stock, func(h *apptest.Harness) {
		h.Link(apptest.Sam)
		set := func(percent string) {
			h.Say(apptest.Sam, "/prices")
			h.Say(apptest.Sam, percent)
			h.Tap(apptest.Sam, "DZD\u00a05")
			h.Pass(3 * time.Second)
		}
		set("10%")
		h.Tap(apptest.Sam, "Remove the rule")
		asked := h.SeeLast(apptest.Sam, "Remove the shop's rule?")
		yes := buttonIn(t, asked, "🗑 Remove the rule")
		set("20%")
		h.Telegram.Tap(apptest.Sam, apptest.Sam, asked.ID, yes)
		h.Pass(3 * time.Second)
		anew := h.SeeLast(apptest.Sam, "Remove the shop's rule?")
		h.Say(apptest.Sam, "/prices")
		h.SeeLast(apptest.Sam, "20%")
		h.Telegram.Tap(apptest.Sam, apptest.Sam, anew.ID, buttonIn(t, anew, "🗑 Remove the rule"))
		h.Pass(3 * time.Second)
		h.SeeLast(apptest.Sam, "You have set no price")
	})
}

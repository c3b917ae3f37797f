package conversations_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"resellerbot/internal/app/apptest"
	"resellerbot/internal/sampletest"
	"resellerbot/internal/sandbox/tgsim"
	"resellerbot/internal/secret"
	"resellerbot/internal/store"
)

// coinsFor makes a customer of the shop who plays Battle Royale as these.
func coinsFor(h *apptest.Harness, id, name string, players ...string) {
	h.T.Helper()
	h.InStore(func(s *store.Store) {
		c := store.Customer{Book: "u4101", ID: id, Name: secret.New(name)}
		for _, p := range players {
			c.Players = append(c.Players, store.Player{Game: "battleroyale", ID: p})
		}
		h.Must(s.Update(h.T.Context(), func(tx *store.Tx) error { q := c; return tx.PutCustomer(&q) }))
	})
}

// replyTo is what a line of Sam's is answered, whether it is a message of its own or an edit.
func replyTo(h *apptest.Harness, text string) tgsim.Message {
	h.T.Helper()
	h.Say(apptest.Sam, text)
	h.Pass(5 * time.Second)
	for _, m := range slices.Backward(h.Telegram.Messages(apptest.Sam)) {
		if m.FromBot && !m.Deleted {
			return m
		}
	}
	h.T.Fatalf("%q is not answered", text)
	return tgsim.Message{}
}

// namesInLines is what is said of names, language by language.
func namesInLines() map[string]struct{ forThem, which, nobody, noPlayer, several, this, quantity, one, missing, whole string } {
	return map[string]struct{ forThem, which, nobody, noPlayer, several, this, quantity, one, missing, whole string }{
		"en": {"For Ali Ben", "Which one do you mean by", "No customer is called", "No player of this customer", "Several players could be meant", "Is this who you mean?", "How many?", "1 unit", "no customer of this name", "Write the whole name"},
		"fr": {"Pour Ali Ben", "Que voulez-vous dire par", "Aucun client ne s'appelle", "Aucun joueur de ce client", "Plusieurs joueurs sont possibles", "Est-ce bien ce joueur", "Combien", "1 unité", "aucun client de ce nom", "Écrivez le nom entier"},
		"ar": {"للزبون Ali Ben", "ما المقصود", "لا زبون بهذا الاسم", "ليس لهذا الزبون لاعب محفوظ لهذا المنتج", "قد يعني هذا الاسم عدة لاعبين", "هل هذا هو المقصود؟", "كم", "وحدة", "لا زبون بهذا الاسم", "اكتب الاسم كاملًا"},
	}
}

// TestALineNamesACustomer: behind an item, or a short word, the name of a customer stands for their player, in whatever script and of
// however many words. A name in part is asked back, two of one name are told apart by buttons, and one that is nobody's is told. In
// each language.
func TestALineNamesACustomer(t *testing.T) {
	t.Parallel()
	sampletest.Slow(t)
	for lang, words := range namesInLines() {
		t.Run(lang, func(t *testing.T) {
			t.Parallel()
			apptest.Run(t, heroesIn(lang), func(h *apptest.Harness) {
				h.Link(apptest.Sam)
				h.Say(apptest.Sam, "/alias kc battle 60")
				coinsFor(h, "c1", "Ali Ben", "51234567")
				coinsFor(h, "c2", "كريم", "51234568")
				coinsFor(h, "c3", "Omar", "51234569")
				coinsFor(h, "c4", "Omar", "51234570", "51234571")
				coinsFor(h, "c5", "Samir")
				says := func(line string, wanted ...string) tgsim.Message {
					t.Helper()
					m := replyTo(h, line)
					for _, want := range wanted {
						if !strings.Contains(plainly(m.Text), want) {
							t.Errorf("%q is not answered with %q:\n%s", line, want, plainly(m.Text))
						}
					}
					return m
				}
				for line, wanted := range map[string][]string{
					"battle 60 ali ben": {words.forThem, "51234567", "Lina"}, "kc ALI  Ben x2": {words.forThem, "51234567", "2 ×"}, "kc كريم": {"كريم", "51234568"}, "battle 660 كَريم": {"660", "51234568"},
				} {
					if m := says(line, wanted...); len(spendButtons(m)) != 1 {
						t.Errorf("%q leads to no summary:\n%s", line, plainly(m.Text))
					}
				}
				for _, line := range []string{"kc ali", "battle 60 ben"} {
					if m := says(line, words.which); len(spendButtons(m)) != 0 || len(buttons(m, "Ali Ben")) != 1 {
						t.Errorf("%q asks with %v", line, m.Keyboard)
					}
					h.Tap(apptest.Sam, "Ali Ben")
					h.See(apptest.Sam, words.forThem)
				}
				m := says("kc omar", words.which)
				if len(buttons(m, "Omar")) != 3 {
					t.Errorf("the three players are asked about with %v", m.Keyboard)
				}
				h.Tap(apptest.Sam, "51234570")
				if m := h.See(apptest.Sam, "51234570"); len(spendButtons(m)) != 1 {
					t.Errorf("the tap leads to\n%s", plainly(m.Text))
				}
				for _, line := range []string{"kc bob", "battle 60 bob jones"} {
					if m := says(line, words.nobody, "bob"); len(buttons(m, "60 coins")) != 1 || len(spendButtons(m)) != 0 {
						t.Errorf("%q is answered with %v", line, m.Keyboard)
					}
				}
				h.Tap(apptest.Sam, "60 coins")
				h.See(apptest.Sam, words.quantity)
				says("kc samir", words.noPlayer)
				if m := says("51234572", "51234572", "Samir"); len(spendButtons(m)) != 1 {
					t.Errorf("the ID leads to\n%s", plainly(m.Text))
				}
				h.Happened(0)
			})
		})
	}
}

// TestANameAnswersForWhom: at the question who gets it a customer's name stands for their player; of several players they are offered
// alone; and whoever has none is told so. In each language.
func TestANameAnswersForWhom(t *testing.T) {
	t.Parallel()
	for lang, words := range namesInLines() {
		t.Run(lang, func(t *testing.T) {
			t.Parallel()
			apptest.Run(t, heroesIn(lang), func(h *apptest.Harness) {
				h.Link(apptest.Sam)
				coinsFor(h, "c1", "Ali Ben", "51234567")
				coinsFor(h, "c3", "Omar", "51234569", "51234570")
				coinsFor(h, "c5", "Samir")
				asked := func() {
					t.Helper()
					h.Say(apptest.Sam, "/cancel")
					h.Say(apptest.Sam, "battle 60")
					h.Tap(apptest.Sam, words.one)
				}
				asked()
				if m := replyTo(h, "ali ben"); len(spendButtons(m)) != 1 || !strings.Contains(plainly(m.Text), words.forThem) || !strings.Contains(m.Text, "51234567") {
					t.Errorf("the name leads to\n%s", plainly(m.Text))
				}
				asked()
				if m := replyTo(h, "ali"); len(buttons(m, "👤")) != 1 || !strings.Contains(plainly(m.Text), words.this) {
					t.Errorf("a name in part leads to\n%s with %v", plainly(m.Text), m.Keyboard)
				}
				if m := replyTo(h, "omar"); len(buttons(m, "👤")) != 2 || !strings.Contains(plainly(m.Text), words.several) {
					t.Errorf("two players lead to\n%s with %v", plainly(m.Text), m.Keyboard)
				}
				h.Tap(apptest.Sam, "51234570")
				h.See(apptest.Sam, "51234570")
				asked()
				if m := replyTo(h, "samir"); !strings.Contains(plainly(m.Text), words.noPlayer) {
					t.Errorf("one without a player leads to\n%s", plainly(m.Text))
				}
				if m := replyTo(h, "nobody at all"); len(spendButtons(m)) != 0 || !strings.Contains(m.Text, "⚠️") {
					t.Errorf("nobody leads to\n%s", plainly(m.Text))
				}
				h.Happened(0)
			})
		})
	}
}

// TestAListNamesCustomers: a line of a list is for the customer whom it names; one whose name is not clear, or nobody's, is not bought
// and says why. What was bought is theirs. In each language.
func TestAListNamesCustomers(t *testing.T) {
	t.Parallel()
	sampletest.Slow(t)
	for lang, words := range namesInLines() {
		t.Run(lang, func(t *testing.T) {
			t.Parallel()
			apptest.Run(t, heroesIn(lang), func(h *apptest.Harness) {
				h.Link(apptest.Sam)
				coinsFor(h, "c1", "Ali Ben", "51234567")
				coinsFor(h, "c2", "كريم", "51234568")
				m := replyTo(h, "battle 60 ali ben\nbattle 60 كريم\npc5 ali ben\nbattle 60 ali\nbattle 60 bob\nbattle 660 51234567")
				text := plainly(m.Text)
				for _, want := range []string{"51234567 · Lina★", "51234568", "pc5 ali ben", "battle 60 bob · " + words.missing, words.whole} {
					if !strings.Contains(text, want) {
						t.Errorf("the card has no %q:\n%s", want, text)
					}
				}
				h.Happened(0)
				h.Tap(apptest.Sam, "✅")
				h.Pass(3 * time.Minute)
				h.Happened(4)
				h.Say(apptest.Sam, "/orders ali ben")
				if m := last(h.Telegram.Messages(apptest.Sam)); len(buttons(m, "🎉")) != 3 || len(buttons(m, "Play Card")) != 0 && !strings.Contains(plainly(m.Text), "Play Card") {
					t.Errorf("the orders of Ali Ben are\n%s", plainly(m.Text))
				}
				list := replyTo(h, "60 coins for:\nali ben\nكريم")
				if !strings.Contains(plainly(list.Text), "51234567") || !strings.Contains(plainly(list.Text), "51234568") {
					t.Errorf("names under an item are read as\n%s", plainly(list.Text))
				}
			})
		})
	}
}

// TestBoughtForACustomer: what was bought for a customer by their card or by a line is theirs, though it is for no player, and so is
// what was sold to them for cash; until the sale is taken back, or they are deleted.
func TestBoughtForACustomer(t *testing.T) {
	t.Parallel()
	for lang, words := range sampletest.SomeNamed(3, map[string]struct{ title, none, customer string }{
		"en": {"Orders of Ali", "No order with", "👤 Ali"},
		"fr": {"Commandes de Ali", "Aucune commande avec", "👤 Ali"}, //nolint:misspell // French
		"ar": {"طلبات Ali", "لا طلبات فيها", "👤 Ali"},
	}) {
		t.Run(lang, func(t *testing.T) {
			t.Parallel()
			apptest.Run(t, heroesIn(lang), func(h *apptest.Harness) {
				h.Link(apptest.Sam)
				coinsFor(h, "c1", "Ali")
				theirs := func(n int) {
					t.Helper()
					m := replyTo(h, "/orders ali")
					if got := len(buttons(m, "🎉")); got != n || n > 0 && !strings.Contains(plainly(m.Text), words.title) || n == 0 && !strings.Contains(plainly(m.Text), words.none) {
						t.Errorf("%d orders of Ali, want %d:\n%s", got, n, plainly(m.Text))
					}
				}
				theirs(0)
				if m := replyTo(h, "pc5 ali"); !strings.Contains(plainly(m.Text), "Ali") || len(spendButtons(m)) != 1 {
					t.Fatalf("the line leads to\n%s", plainly(m.Text))
				}
				h.Tap(apptest.Sam, "✅")
				h.Pass(20 * time.Second)
				theirs(1)
				card := replyTo(h, "ali")
				if len(buttons(card, "🎉")) != 1 {
					t.Errorf("the card shows %v", card.Keyboard)
				}
				// What they usually take is that card from now on, and bought for them with a tap.
				h.Telegram.Tap(apptest.Sam, apptest.Sam, card.ID, apptest.Forged("customer", "c1", "usual"))
				h.Pass(2 * time.Second)
				h.Tap(apptest.Sam, "🔁 Play Card")
				h.Tap(apptest.Sam, "🔁 Play Card")
				h.Tap(apptest.Sam, "✅")
				h.Pass(20 * time.Second)
				theirs(2)
				h.Tap(apptest.Sam, "🔁") // the same again is for the same
				h.Tap(apptest.Sam, "✅")
				h.Pass(20 * time.Second)
				theirs(3)
				// A top-up of a player whom they were not known to be: they are, once they are saved by it.
				replyTo(h, "battle 60 ali")
				replyTo(h, "51234567")
				h.Tap(apptest.Sam, "✅")
				h.Pass(20 * time.Second)
				h.Tap(apptest.Sam, "👤")
				h.Pass(2 * time.Second)
				theirs(4)
				h.Say(apptest.Sam, "ali")
				if m := h.See(apptest.Sam, words.customer); !strings.Contains(m.Text, "51234567") {
					t.Errorf("the player is not theirs:\n%s", plainly(m.Text))
				}
				h.Happened(4)
			})
		})
	}
}

// TestPaidAtOnceByACustomer: a sale for cash that names its customer is an order of theirs, also where it was bought for nobody, until it
// is taken back.
func TestPaidAtOnceByACustomer(t *testing.T) {
	t.Parallel()
	inPricedShop(t, func(h *apptest.Harness) {
		for range 2 {
			buy(h, apptest.Sam)
		}
		h.Tap(apptest.Sam, "📒 Kridi")
		h.Tap(apptest.Sam, "💵 Paid now")
		h.Say(apptest.Sam, "Ali")
		h.Tap(apptest.Sam, "➕")
		h.See(apptest.Sam, "Sold: DZD 1,380")
		h.Say(apptest.Sam, "/orders ali")
		if m := h.See(apptest.Sam, "Orders of Ali"); len(buttons(m, "🎉")) != 1 {
			t.Errorf("the orders of Ali are\n%s", plainly(m.Text))
		}
		h.Say(apptest.Sam, "ali")
		if m := h.See(apptest.Sam, "👤 Ali"); len(buttons(m, "🎉")) != 1 {
			t.Errorf("the card shows %v", m.Keyboard)
		}
		h.TapUnder("Delivered", "↩️ Undo")
		h.Tap(apptest.Sam, "↩️")
		h.Pass(3 * time.Second)
		h.Say(apptest.Sam, "/orders ali")
		h.See(apptest.Sam, "No order with")
	})
}

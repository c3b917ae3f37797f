package notify

import (
	"slices"
	"testing"
	"time"

	"resellerbot/internal/store"
	"resellerbot/internal/telegram/telegramtest"
)

// The team of u1 in these tests.
const (
	amine   = int64(5) // an owner
	karim   = int64(7) // a seller
	nadia   = int64(8) // at the counter
	shopsAt = int64(-70)
)

// team makes an account with a team, whose place is a topic of a group.
func (h *harness) team() {
	h.Helper()
	h.do(func(tx *store.Tx) error {
		a := store.Account{ID: "u1", Chats: []int64{shopsAt}, Place: &store.Place{Chat: shopsAt, Thread: 3, Title: "Shop"}}
		store.Admit(&a, store.Member{User: amine, Name: "Amine", Role: store.Owner})
		store.Admit(&a, store.Member{User: karim, Name: "Karim", Role: store.Seller})
		store.Admit(&a, store.Member{User: nadia, Name: "Nadia", Role: store.Counter})
		return tx.PutAccount(&a)
	})
	for _, chat := range []int64{amine, karim, nadia, shopsAt} {
		h.chat(chat)
	}
}

// account changes the account.
func (h *harness) account(change func(*store.Account)) {
	h.Helper()
	h.do(func(tx *store.Tx) error {
		a, err := tx.Account("u1")
		if err != nil {
			return err
		}
		change(&a)
		return tx.PutAccount(&a)
	})
}

// about is a row about a purchase for a chat beside its own.
func about(p store.Purchase, kind store.OutKind, chat int64) store.Outgoing {
	return store.Outgoing{Chat: chat, ID: p.ID + "." + string(kind), Kind: kind, Purchase: p.ID, Priority: store.DeliveryPriority}
}

// last is the last call that reached a chat.
func (h *harness) last(chat int64) telegramtest.Call {
	h.Helper()
	for _, c := range slices.Backward(h.telegram.Calls()) {
		if c.Chat == chat {
			return c
		}
	}
	h.Fatalf("nothing has reached chat %d", chat)
	return telegramtest.Call{}
}

// TestCopies go to the shop's topic and to the counter, each as one message that is edited; to nobody who has no
// right to them when they go out.
func TestCopies(t *testing.T) {
	inBubble(t, func(h *harness) {
		h.team()
		p := h.purchase(karim, "AAA")
		h.run()
		for range 2 {
			h.enqueue(about(p, store.Copy, shopsAt), about(p, store.Copy, nadia), about(p, store.Copy, karim), about(p, store.Copy, 99))
			pass(10 * time.Second)
		}
		copied := "copy " + store.Ref(p.ID)
		h.expect(shopsAt, 0, copied, copied)
		h.expect(nadia, 0, copied, copied)
		h.expect(99, 0)
		if got := h.texts(karim); len(got) != 0 {
			h.Errorf("the seller got %q", got)
		}
		var threads []string
		for _, c := range h.telegram.Calls() {
			if c.Chat == shopsAt && c.Method == "sendMessage" {
				threads = append(threads, c.Form["message_thread_id"])
			}
		}
		if !slices.Equal(threads, []string{"3"}) || h.last(shopsAt).Method != "editMessageText" {
			h.Errorf("sent into the topics %q, then %s", threads, h.last(shopsAt).Method)
		}
	})
}

// TestCopyForSomebodyDismissed: who is at the counter no more gets nothing that waits for them.
func TestCopyForSomebodyDismissed(t *testing.T) {
	inBubble(t, func(h *harness) {
		h.team()
		p := h.purchase(karim, "AAA")
		h.enqueue(about(p, store.Copy, nadia), about(p, store.Copy, shopsAt))
		h.account(func(a *store.Account) { store.Part(a, nadia); a.Place = nil })
		h.run()
		pass(10 * time.Second)
		h.expect(nadia, 0)
		h.expect(shopsAt, 0)
	})
}

// TestLostTopic: where the topic for deliveries is gone they come to the group as such, from then on, and the owners are told.
// What was bought in a topic that is gone arrives in its group all the same.
func TestLostTopic(t *testing.T) {
	inBubble(t, func(h *harness) {
		h.team()
		h.telegram.Script(func(_ int, s telegramtest.Call) telegramtest.Reply {
			if s.Form["message_thread_id"] != "" {
				return telegramtest.Reply{Code: 400, Text: "Bad Request: message thread not found"}
			}
			return telegramtest.Reply{}
		})
		bought := h.purchase(shopsAt, "AAA")
		pass(time.Second) // messages go out in the order of the purchases
		copied := h.purchase(karim, "BBB")
		h.do(func(tx *store.Tx) error {
			p, err := tx.Purchase(bought.ID)
			if err != nil {
				return err
			}
			p.Thread = 4
			return tx.PutPurchase(&p)
		})
		h.delete(bought)
		h.run()
		// An edit of what is gone, a new message into the topic, and one into the group; then the copy.
		h.enqueue(statusRow(bought), about(copied, store.Copy, shopsAt))
		pass(10 * time.Second)
		copies := "copy " + store.Ref(copied.ID)
		h.expect(shopsAt, 0, "en accepted hidden", "en accepted hidden", "en accepted hidden", copies, copies)
		h.expect(amine, 0, "note topic_lost ")
		h.account(func(a *store.Account) {
			if a.Place == nil || a.Place.Thread != 0 {
				h.Errorf("the place is %+v", a.Place)
			}
		})
	})
}

// TestQuestionsAreForOwners: only owners are asked, in private, once each, and told what was decided.
func TestQuestionsAreForOwners(t *testing.T) {
	for kind, c := range map[store.OutKind]struct {
		open, over store.Phase
	}{store.Request: {store.Asked, store.Queued}, store.Decision: {store.Undecided, store.NotCreated}} {
		t.Run(string(kind), func(t *testing.T) {
			inBubble(t, func(h *harness) {
				h.team()
				p := h.purchase(karim)
				become := func(ph store.Phase) {
					h.do(func(tx *store.Tx) error {
						now, err := tx.Purchase(p.ID)
						if err != nil {
							return err
						}
						now.Phase = ph
						return tx.PutPurchase(&now)
					})
				}
				become(c.over)
				h.run()
				h.enqueue(about(p, kind, amine)) // decided before it could be asked
				pass(10 * time.Second)
				h.expect(amine, 0)
				become(c.open)
				h.enqueue(about(p, kind, amine), about(p, kind, karim), about(p, kind, nadia), about(p, kind, shopsAt))
				pass(10 * time.Second)
				become(c.over)
				h.enqueue(about(p, kind, amine))
				pass(10 * time.Second)
				h.expect(amine, 0, string(kind)+" "+string(c.open), string(kind)+" "+string(c.over))
				for _, chat := range []int64{karim, nadia, shopsAt} {
					h.expect(chat, 0)
				}
			})
		})
	}
}

// TestInherited: what somebody has bought who was taken out of the team goes to an owner, with a word about it,
// and what cost nothing to nobody.
func TestInherited(t *testing.T) {
	inBubble(t, func(h *harness) {
		h.team()
		open, refused := h.purchase(karim, "AAA"), h.purchase(karim)
		h.do(func(tx *store.Tx) error {
			p, err := tx.Purchase(refused.ID)
			if err != nil {
				return err
			}
			p.Phase = store.Rejected
			c, err := tx.Chat(karim)
			if err != nil {
				return err
			}
			c.Removed = []string{"u1"}
			if err := tx.PutChat(&c); err != nil {
				return err
			}
			return tx.PutPurchase(&p)
		})
		h.account(func(a *store.Account) { store.Part(a, karim) })
		h.run()
		h.enqueue(statusRow(open), ping(open), statusRow(refused), about(open, store.Support, karim))
		pass(10 * time.Second)
		h.expect(karim, 0, "en rejected codes=")
		h.expect(amine, 0, "en accepted codes=AAA", "note inherited ")
		if got := h.told(open); got.Chat != amine || got.Message == open.Message {
			h.Errorf("the purchase is in chat %d, message %d", got.Chat, got.Message)
		}
	})
}

// TestNobodyElsesBalance: what is left is told to owners alone.
func TestNobodyElsesBalance(t *testing.T) {
	inBubble(t, func(h *harness) {
		h.team()
		var rows []store.Outgoing
		for _, chat := range []int64{amine, karim, shopsAt, 99} {
			p := h.purchase(chat)
			h.do(func(tx *store.Tx) error {
				now, err := tx.Purchase(p.ID)
				if err != nil {
					return err
				}
				now.Phase = store.Rejected
				return tx.PutPurchase(&now)
			})
			rows = append(rows, statusRow(p))
		}
		h.run()
		h.enqueue(rows...)
		pass(10 * time.Second)
		h.expect(amine, 0, "en rejected codes= balance")
		h.expect(karim, 0, "en rejected codes=")
		h.expect(shopsAt, 0, "en rejected hidden")
		h.expect(99, 0, "fr rejected codes=")
	})
}

// TestFilesAreAskedForInAGroup, unless the owner wants codes to be seen there.
func TestFilesAreAskedForInAGroup(t *testing.T) {
	for _, full := range []bool{false, true} {
		inBubble(t, func(h *harness) {
			h.team()
			h.account(func(a *store.Account) { a.Place.Full = full })
			p := h.purchase(shopsAt, slices.Repeat([]string{"AAA"}, 11)...)
			h.run()
			h.enqueue(document(p))
			pass(10 * time.Second)
			if got := len(h.texts(shopsAt)) == 1; got != full {
				h.Errorf("codes in full: %v; a file came: %v", full, got)
			}
		})
	}
}

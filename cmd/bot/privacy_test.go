package main

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"resellerbot/internal/conversations/tgsim"
	"resellerbot/internal/store"
)

const day = 24 * time.Hour

// TestPrivacyIsForEverybody: what is kept is told in private and in a group, to strangers, and to those whom nobody has
// let in, of whom nothing is noted by that.
func TestPrivacyIsForEverybody(t *testing.T) {
	t.Parallel()
	inHouse(t, func(h *house) { people(h); byInvitation(h) }, func(h *house) {
		h.say(eve, "/privacy")
		h.see(eve, "What is kept about you")
		h.say(eve, "/forget")
		h.see(eve, "Nothing is kept about you")
		if h.helped(eve) {
			t.Error("by asking somebody has come in")
		}
		h.say(sam, "/start "+h.invitation())
		h.say(sam, "/privacy")
		h.see(sam, "forgotten after 30 days")
		h.tap(sam, "Forget me")
		h.see(sam, "Have yourself forgotten?")
		h.tap(sam, "Back")
		h.see(sam, "What is kept about you")
		group := h.telegram.NewGroup(sam, "Friends")
		h.commandIn(sam, group, 0, "/forget@shop_bot")
		h.see(group, "in your private chat")
		h.answered()
	})
}

// TestForgetAsksForWhatIsOpenFirst: who is of an account leaves it first, and while money is open nobody is forgotten.
func TestForgetAsksForWhatIsOpenFirst(t *testing.T) {
	t.Parallel()
	inTeam(t, func(h *house) {
		h.say(karim, "/forget")
		h.see(karim, "you are of Boutique El Djazair")
		h.service.HoldOrders(true)
		h.order(karim, "Play Card", "10 USD", "1")
		h.tap(karim, "✅")
		h.pass(time.Minute)
		h.say(karim, "/forget")
		h.tap(karim, "Leave the account")
		h.see(karim, "unlinked")
		h.say(karim, "/forget")
		h.see(karim, "money of yours is still open")
		h.say(sam, "/key remove")
		h.tap(sam, "Yes, unlink")
		h.say(sam, "/forget")
		h.see(sam, "Boutique El Djazair, which you owned last")
		h.service.HoldOrders(false)
		h.pass(5 * time.Minute)
		h.delivered(karim)
		for _, who := range []int64{karim, sam} {
			h.say(who, "/forget")
			h.see(who, "Have yourself forgotten?")
		}
	})
}

// TestForgottenNameIsMasked: the name of who was forgotten stands nowhere any more, for nobody, and not in the file; what
// was bought stays.
func TestForgottenNameIsMasked(t *testing.T) {
	t.Parallel()
	inHouse(t, func(h *house) {
		people(h)
		h.telegram.AddUser(tgsim.User{ID: karim, FirstName: "Zoubirdoc", LanguageCode: "en"})
	}, func(h *house) {
		h.link(sam)
		h.join(lila, h.invite(sam, "➕ Counter"))
		h.join(karim, h.invite(sam, "➕ Seller"))
		h.telegram.AddGroup(shop, "Shop & Co", sam, karim)
		h.telegram.StartGroup(sam, shop, "shop")
		h.pass(time.Second)
		h.buy(karim)
		h.buy(sam)
		h.tapIn(karim, shop, "👁")
		h.say(karim, "/topup")
		h.say(karim, "/key remove")
		h.see(karim, "unlinked")
		h.say(karim, "/forget")
		h.tap(karim, "Yes, forget me")
		h.see(karim, "You are forgotten")
		h.say(sam, "/orders")
		h.tap(sam, "whole team")
		for _, b := range h.see(sam, "").Keyboard {
			for _, k := range b {
				if strings.Contains(k.Text, "Zoubirdoc") {
					t.Errorf("a button says %q", k.Text)
				}
			}
		}
		h.tap(sam, "Play Card")
		if text := plain(h.see(sam, "Codes shown to").Text); !strings.Contains(text, "•••") || strings.Contains(text, "Zoubirdoc") {
			t.Errorf("the order tells: %s", text)
		}
		h.pass(time.Minute)
		if text := h.openFields(t); strings.Contains(text, "Zoubirdoc") || !strings.Contains(text, "•••") {
			t.Errorf("the records say: %s", text)
		}
		h.bought(2)
		h.answered()
	})
}

// TestForgottenStayOut: who was shut out is forgotten but for that.
func TestForgottenStayOut(t *testing.T) {
	t.Parallel()
	inHouse(t, func(h *house) { people(h); byInvitation(h); h.env["ACCESS"] = "open" }, func(h *house) {
		h.link(sam)
		h.takeOut("Sam")
		h.say(sam, "/forget")
		h.tap(sam, "Yes, forget me")
		h.see(sam, "You are forgotten")
		if h.helped(sam) {
			t.Error("being forgotten lets somebody in again")
		}
	})
}

// TestStrangersAreForgotten: after 30 days, with their settings and questions; nobody else is, and somebody who was of an
// account comes back with it.
func TestStrangersAreForgotten(t *testing.T) {
	t.Parallel()
	inHouse(t, people, func(h *house) {
		h.link(sam)
		h.join(karim, h.invite(sam, "➕ Seller"))
		h.buy(sam)
		h.inStore(func(s *store.Store) {
			h.must(s.Update(t.Context(), func(tx *store.Tx) error {
				for i := range int64(31) { // a group among them
					if err := tx.PutChat(&store.Chat{ID: 9200 - i*400, Language: "en", CreatedAt: time.Now()}); err != nil {
						return err
					}
				}
				return nil
			}))
		})
		h.say(eve, "/key") // a question that stays open
		h.sleep(29*day + 20*time.Hour)
		h.pass(11 * time.Minute)
		if n := h.chats(t); n != 34 {
			t.Errorf("%d chats are known after 29 days, want 34", n)
		}
		if n := h.questionsOf(t); n != 0 {
			t.Errorf("%d questions are open after 29 days", n)
		}
		h.say(sam, "/key remove")
		h.tap(sam, "Yes, unlink")
		h.sleep(day)
		h.pass(11 * time.Minute)
		if n := h.chats(t); n != 2 {
			t.Errorf("%d chats are known after 30 days, want those of the team", n)
		}
		h.link(sam)
		h.seeAny(karim, "is linked again")
		h.say(eve, "/start")
		h.see(eve, "Welcome") // as at the first time
	})
}

// openFields is what lies open in the records of purchases and accounts.
func (h *house) openFields(t *testing.T) string {
	t.Helper()
	var all strings.Builder
	h.inStore(func(s *store.Store) {
		accounts, err := s.Accounts(t.Context(), "", 100)
		if err != nil {
			t.Error(err)
		}
		for _, a := range accounts {
			fmt.Fprintf(&all, "%+v\n", a.Members())
			if a.Former != nil {
				fmt.Fprintf(&all, "%+v\n", *a.Former)
			}
			for _, chat := range append(a.Chats, a.Past...) {
				list, err := s.ChatPurchases(t.Context(), chat, "", 100)
				if err != nil {
					t.Error(err)
				}
				for _, p := range list {
					fmt.Fprintf(&all, "%s %+v\n", p.Buyer, p.Reveals)
				}
			}
		}
	})
	return all.String()
}

// chats counts the chats that are known.
func (h *house) chats(t *testing.T) (n int) {
	t.Helper()
	h.inStore(func(s *store.Store) {
		list, err := s.Chats(t.Context(), 0, 1000)
		if err != nil {
			t.Error(err)
		}
		n = len(list)
	})
	return n
}

// questionsOf counts the questions that are open, to eve.
func (h *house) questionsOf(t *testing.T) (n int) {
	t.Helper()
	h.inStore(func(s *store.Store) {
		q, err := s.Session(t.Context(), eve, eve)
		if err != nil {
			t.Error(err)
		}
		if q.Flow != "" {
			n++
		}
	})
	return n
}

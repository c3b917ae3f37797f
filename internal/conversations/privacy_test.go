package conversations_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"resellerbot/internal/app/apptest"
	"resellerbot/internal/sampletest"
	"resellerbot/internal/sandbox/tgsim"
	"resellerbot/internal/store"
)

const day = 24 * time.Hour

// TestPrivacyIsForEverybody: what is kept is told in private and in a group, to strangers, and to those whom nobody has
// let in, of whom nothing is noted by that.
func TestPrivacyIsForEverybody(t *testing.T) {
	t.Parallel()
	apptest.Run(t, func(h *apptest.Harness) { apptest.People(h); byInvitation(h) }, func(h *apptest.Harness) {
		h.Say(apptest.Eve, "/privacy")
		h.See(apptest.Eve, "What is kept about you")
		h.Say(apptest.Eve, "/forget")
		h.See(apptest.Eve, "Nothing is kept about you")
		if helped(h, apptest.Eve) {
			t.Error("by asking somebody has come in")
		}
		h.Say(apptest.Sam, "/start "+invitation(h))
		h.Say(apptest.Sam, "/privacy")
		h.See(apptest.Sam, "erased after 30 days")
		h.Tap(apptest.Sam, "Erase my data")
		h.See(apptest.Sam, "Erase what is kept")
		h.Tap(apptest.Sam, "Back")
		h.See(apptest.Sam, "What is kept about you")
		group := h.Telegram.NewGroup(apptest.Sam, "Friends")
		commandIn(h, apptest.Sam, group, 0, "/forget@shop_bot")
		h.See(group, "in your private chat")
		h.Answered()
	})
}

// TestForgetAsksForWhatIsOpenFirst: who is of an account leaves it first, and while money is open nobody is forgotten.
func TestForgetAsksForWhatIsOpenFirst(t *testing.T) {
	t.Parallel()
	inTeam(t, func(h *apptest.Harness) {
		h.Say(apptest.Karim, "/forget")
		h.See(apptest.Karim, "you are on the team of Boutique El Djazair")
		h.Service.HoldOrders(true)
		h.Order(apptest.Karim, "Play Card", "10 USD", "1")
		h.Tap(apptest.Karim, "✅")
		h.Pass(time.Minute)
		h.Say(apptest.Karim, "/forget")
		h.Tap(apptest.Karim, "Leave the account")
		h.Tap(apptest.Karim, "Yes, leave")
		h.See(apptest.Karim, "You have left the team")
		h.Say(apptest.Karim, "/forget")
		h.See(apptest.Karim, "money of yours is still open")
		h.Say(apptest.Sam, "/key remove")
		h.Tap(apptest.Sam, "Yes, unlink")
		h.Say(apptest.Sam, "/forget")
		h.See(apptest.Sam, "Boutique El Djazair, which you owned last")
		h.Service.HoldOrders(false)
		h.Pass(5 * time.Minute)
		h.Delivered(apptest.Karim)
		for _, who := range []int64{apptest.Karim, apptest.Sam} {
			h.Say(who, "/forget")
			h.See(who, "Erase what is kept")
		}
	})
}

// TestForgottenNameIsMasked: the name of who was forgotten stands nowhere any more, for nobody, and not in the file; what
// was bought stays.
func TestForgottenNameIsMasked(t *testing.T) {
	t.Parallel()
	apptest.Run(t, func(h *apptest.Harness) {
		apptest.People(h)
		h.Telegram.AddUser(tgsim.User{ID: apptest.Karim, FirstName: "Zoubirdoc", LanguageCode: "en"})
	}, func(h *apptest.Harness) {
		h.Link(apptest.Sam)
		h.Join(apptest.Lila, h.Invite(apptest.Sam, "➕ Counter"))
		h.Join(apptest.Karim, h.Invite(apptest.Sam, "➕ Seller"))
		h.Telegram.AddGroup(shop, "Shop & Co", apptest.Sam, apptest.Karim)
		h.Telegram.StartGroup(apptest.Sam, shop, "shop")
		h.Pass(time.Second)
		buy(h, apptest.Karim)
		buy(h, apptest.Sam)
		h.TapIn(apptest.Karim, shop, "👁")
		h.Say(apptest.Karim, "/topup")
		leaveTeam(h, apptest.Karim)
		h.See(apptest.Karim, "You have left the team")
		h.Say(apptest.Karim, "/forget")
		h.Tap(apptest.Karim, "Yes, erase")
		h.See(apptest.Karim, "Erased.")
		h.Say(apptest.Sam, "/orders")
		h.Tap(apptest.Sam, "team's orders")
		if text := apptest.Plain(h.See(apptest.Sam, "The team's orders").Text); strings.Contains(text, "Zoubirdoc") || !strings.Contains(text, "•••") {
			t.Errorf("the list says: %s", text)
		}
		h.Tap(apptest.Sam, "1")
		if text := apptest.Plain(h.See(apptest.Sam, "Codes shown to").Text); !strings.Contains(text, "•••") || strings.Contains(text, "Zoubirdoc") {
			t.Errorf("the order tells: %s", text)
		}
		h.Pass(time.Minute)
		if text := openFields(t, h); strings.Contains(text, "Zoubirdoc") || !strings.Contains(text, "•••") {
			t.Errorf("the records say: %s", text)
		}
		h.Bought(2)
		h.Answered()
	})
}

// TestForgottenStayOut: who was shut out is forgotten but for that.
func TestForgottenStayOut(t *testing.T) {
	t.Parallel()
	apptest.Run(t, func(h *apptest.Harness) { apptest.People(h); byInvitation(h); h.Env["ACCESS"] = "open" }, func(h *apptest.Harness) {
		h.Link(apptest.Sam)
		takeOut(h, "Sam")
		h.Say(apptest.Sam, "/forget")
		h.Tap(apptest.Sam, "Yes, erase")
		h.See(apptest.Sam, "Erased.")
		if helped(h, apptest.Sam) {
			t.Error("being forgotten lets somebody in again")
		}
	})
}

// TestStrangersAreForgotten: after 30 days, with their settings and questions; nobody else is, and somebody who was of an
// account comes back with it.
func TestStrangersAreForgotten(t *testing.T) {
	t.Parallel()
	sampletest.Slow(t)
	apptest.Run(t, apptest.People, func(h *apptest.Harness) {
		h.Link(apptest.Sam)
		h.Join(apptest.Karim, h.Invite(apptest.Sam, "➕ Seller"))
		buy(h, apptest.Sam)
		h.InStore(func(s *store.Store) {
			h.Must(s.Update(t.Context(), func(tx *store.Tx) error {
				for i := range int64(31) { // a group among them
					if err := tx.PutChat(&store.Chat{ID: 9200 - i*400, Language: "en", CreatedAt: time.Now()}); err != nil {
						return err
					}
				}
				return nil
			}))
		})
		h.Say(apptest.Eve, "/key") // a question that stays open
		h.Sleep(29*day + 20*time.Hour)
		h.Pass(11 * time.Minute)
		if n := chats(t, h); n != 34 {
			t.Errorf("%d chats are known after 29 days, want 34", n)
		}
		if n := questionsOf(t, h); n != 0 {
			t.Errorf("%d questions are open after 29 days", n)
		}
		h.Say(apptest.Sam, "/key remove")
		h.Tap(apptest.Sam, "Yes, unlink")
		h.Sleep(day)
		h.Pass(11 * time.Minute)
		if n := chats(t, h); n != 2 {
			t.Errorf("%d chats are known after 30 days, want those of the team", n)
		}
		h.Link(apptest.Sam)
		h.SeeAny(apptest.Karim, "is linked again")
		h.Say(apptest.Eve, "/start")
		h.See(apptest.Eve, "Welcome") // as at the first time
	})
}

// openFields is what lies open in the records of purchases and accounts.
func openFields(t *testing.T, h *apptest.Harness) string {
	t.Helper()
	var all strings.Builder
	h.InStore(func(s *store.Store) {
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
func chats(t *testing.T, h *apptest.Harness) (n int) {
	t.Helper()
	h.InStore(func(s *store.Store) {
		list, err := s.Chats(t.Context(), 0, 1000)
		if err != nil {
			t.Error(err)
		}
		n = len(list)
	})
	return n
}

// questionsOf counts the questions that are open, to eve.
func questionsOf(t *testing.T, h *apptest.Harness) (n int) {
	t.Helper()
	h.InStore(func(s *store.Store) {
		q, err := s.Session(t.Context(), apptest.Eve, apptest.Eve)
		if err != nil {
			t.Error(err)
		}
		if q.Flow != "" {
			n++
		}
	})
	return n
}

// TestTillsOfTheForgotten: the drawers of two people who had themselves forgotten can be told from each other.
func TestTillsOfTheForgotten(t *testing.T) {
	t.Parallel()
	apptest.Run(t, apptest.People, func(h *apptest.Harness) {
		h.Link(apptest.Sam)
		setPrices(h)
		for _, who := range []int64{apptest.Karim, apptest.Lila} {
			h.Join(who, h.Invite(apptest.Sam, "➕ Seller"))
			buy(h, who)
			h.Tap(who, "💵 \u2068")
			h.Pass(2 * time.Second)
			h.Say(apptest.Sam, "/team")
			h.Tap(apptest.Sam, map[int64]string{apptest.Karim: "Karim", apptest.Lila: "Lila"}[who])
			h.Tap(apptest.Sam, "Remove")
			h.Tap(apptest.Sam, "Yes")
			h.Pass(5 * time.Second)
			h.Say(who, "/forget")
			h.Tap(who, "Yes, erase")
			h.Pass(5 * time.Second)
		}
		h.Say(apptest.Sam, "/close")
		shows(h, "••• 601: DZD 1,380")
		shows(h, "••• 602: DZD 1,380")
	})
}

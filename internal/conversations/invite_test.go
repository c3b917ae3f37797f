package conversations_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"resellerbot/internal/app/apptest"
	"resellerbot/internal/sampletest"
	"resellerbot/internal/sandbox/tgsim"
	"resellerbot/internal/store"
)

// tokenIn is the token of the newest invitation that a chat shows.
func tokenIn(h *apptest.Harness, chat int64) string {
	h.T.Helper()
	all := h.Telegram.Messages(chat)
	slices.Reverse(all)
	for _, m := range all {
		if _, token, found := strings.Cut(m.Text, "?start="); found && m.FromBot && !m.Deleted {
			return strings.TrimSpace(token)
		}
	}
	h.T.Fatalf("no invitation:\n%s", h.Transcript(chat))
	return ""
}

// replyKeys are the keys that a chat shows in place of the person's own keyboard.
func replyKeys(h *apptest.Harness, chat int64) (all []tgsim.ReplyButton) {
	if board := h.Telegram.ReplyKeyboard(chat); board != nil {
		all = slices.Concat(board.Rows...)
	}
	return all
}

// TestInvitationForOnePerson: an owner chooses somebody with a key of their own keyboard, which goes afterwards, and the link
// works for them alone; in each language.
func TestInvitationForOnePerson(t *testing.T) {
	t.Parallel()
	for language, words := range sampletest.SomeNamed(3, map[string]struct{ seller, one, key, made, other string }{
		"en": {"➕ Seller", "👤 For one person", "👤 Choose the seller", "for this person alone", "for somebody else"},
		"fr": {"➕ Vendeur", "👤 Pour une personne", "👤 Choisir le vendeur", "pour cette personne seule", "pour quelqu'un d'autre"},
		"ar": {"➕ بائع", "👤 لشخص واحد", "👤 اختيار البائع", "لهذا الشخص وحده", "لشخص آخر"},
	}) {
		t.Run(language, func(t *testing.T) {
			t.Parallel()
			apptest.Run(t, func(h *apptest.Harness) {
				apptest.People(h)
				for _, who := range []int64{apptest.Sam, apptest.Karim, apptest.Eve} {
					h.Telegram.SetLanguage(who, language)
				}
			}, func(h *apptest.Harness) {
				h.Link(apptest.Sam)
				h.Say(apptest.Sam, "/team")
				h.Tap(apptest.Sam, words.seller)
				h.Tap(apptest.Sam, words.one)
				h.Pass(time.Second)
				open := tokenIn(h, apptest.Sam)
				if keys := replyKeys(h, apptest.Sam); len(keys) != 2 || keys[0].Text != words.key || keys[0].Asks != "request_users" || keys[0].Users.Most != 1 {
					t.Fatalf("the keys are %+v:\n%s", keys, h.Transcript(apptest.Sam))
				}
				if _, err := h.Telegram.ShareUsers(apptest.Sam, apptest.Sam, words.key, apptest.Karim); err != nil {
					t.Fatal(err)
				}
				h.Pass(time.Second)
				invitation := apptest.Plain(h.See(apptest.Sam, words.made).Text)
				if !strings.Contains(invitation, "Karim") {
					t.Errorf("the invitation is\n%s", invitation)
				}
				if keys := replyKeys(h, apptest.Sam); len(keys) != 0 {
					t.Errorf("the keys stay: %+v", keys)
				}
				token := tokenIn(h, apptest.Sam)
				if token == open {
					t.Fatal("the link is the one that anybody can use")
				}
				h.Say(apptest.Eve, "/start "+token)
				h.See(apptest.Eve, words.other)
				h.Say(apptest.Karim, "/start "+token)
				h.See(apptest.Karim, "🤝")
				h.Say(apptest.Eve, "/start "+open)
				h.See(apptest.Eve, "🤝")
				h.InStore(func(s *store.Store) {
					a, err := s.Account(t.Context(), "u4101")
					if err != nil || a.Role(apptest.Karim) != store.Seller {
						t.Errorf("who was chosen is %q in the team: %v", a.Role(apptest.Karim), err)
					}
				})
			})
		})
	}
}

// TestInvitationWhereNobodyCanBeChosen: a client that knows no key to choose with writes what it says, or its person leaves:
// the link that anybody can use is there, and the keys go.
func TestInvitationWhereNobodyCanBeChosen(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		typed, see string
		links      int
	}{
		"an old client": {"👤 Choose the counter", "whoever opens it first", 2},
		"left":          {"✖️ Cancel", "✖️ Cancelled", 1},
		"in French":     {"👤 Choisir la caisse", "whoever opens it first", 2},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			inTeam(t, func(h *apptest.Harness) {
				before := strings.Count(h.Texts(apptest.Sam), "?start=")
				h.Say(apptest.Sam, "/team")
				h.Tap(apptest.Sam, "➕ Counter")
				h.Tap(apptest.Sam, "👤 For one person")
				h.See(apptest.Sam, "The link above works too")
				h.Say(apptest.Sam, c.typed)
				h.SeeAny(apptest.Sam, c.see)
				h.Pass(time.Second)
				if keys := replyKeys(h, apptest.Sam); len(keys) != 0 {
					t.Errorf("the keys stay: %+v", keys)
				}
				if now := strings.Count(h.Texts(apptest.Sam), "?start="); now != before+c.links {
					t.Errorf("%d links, want %d:\n%s", now-before, c.links, h.Transcript(apptest.Sam))
				}
			})
		})
	}
}

// TestChosenByWhoMayNot: nobody but an owner invites, whatever a client sends; who is of the team already is not invited.
func TestChosenByWhoMayNot(t *testing.T) {
	t.Parallel()
	inTeam(t, func(h *apptest.Harness) {
		shares := func(who, request, chosen int64) {
			h.Telegram.InjectUpdate(fmt.Sprintf(`"message":{"message_id":%d,"date":1,"chat":{"id":%d,"type":"private","first_name":"X"},"from":{"id":%d,"is_bot":false,"first_name":"X","language_code":"en"},`+
				`"users_shared":{"request_id":%d,"user_ids":[%d],"users":[{"user_id":%d,"first_name":"Nour"}]}}`, 9000+who, who, who, request, chosen, chosen))
			h.Pass(time.Second)
		}
		for _, who := range []int64{apptest.Karim, apptest.Lila, apptest.Eve} {
			shares(who, 1, 777)
			if text := h.Texts(who); strings.Contains(text, "t.me/") {
				t.Errorf("%d has an invitation:\n%s", who, text)
			}
		}
		h.See(apptest.Karim, "Only the owner")
		shares(apptest.Sam, 1, apptest.Karim)
		h.SeeAny(apptest.Sam, "Nour is already on the team")
		shares(apptest.Sam, 99, 777)
		h.See(apptest.Sam, "✖️ Cancelled")
		shares(apptest.Sam, 2, 777)
		h.See(apptest.Sam, "Invitation: Counter")
		h.InStore(func(s *store.Store) {
			a, err := s.Account(t.Context(), "u4101")
			if err != nil || len(a.Invites) != 1 {
				t.Fatalf("there are the invitations %v: %v", a.Invites, err)
			}
			if i, err := s.Invite(t.Context(), a.Invites[0]); err != nil || i.Role != store.Counter || i.Hash != store.TokenHashFor(tokenIn(h, apptest.Sam), 777) {
				t.Errorf("the invitation is %+v: %v", i, err)
			}
		})
	})
}

// TestNobodyIsChosenInAGroup: there are no such keys in a group.
func TestNobodyIsChosenInAGroup(t *testing.T) {
	t.Parallel()
	inShop(t, func(h *apptest.Harness) {
		commandIn(h, apptest.Sam, shop, 0, "/team@shop_bot")
		for _, m := range h.Telegram.Messages(shop) {
			if hasButton(m, "👤 For one person") {
				t.Errorf("a group is offered to choose: %s", m.Text)
			}
		}
		h.Telegram.Send(apptest.Sam, shop, "👤 Choose the seller")
		h.Pass(time.Second)
		if text := h.Texts(shop); strings.Contains(text, "t.me/shop_bot?start=") || len(replyKeys(h, shop)) != 0 {
			t.Errorf("the group shows an invitation:\n%s", text)
		}
	})
}

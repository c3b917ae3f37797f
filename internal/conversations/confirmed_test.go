package conversations_test

import (
	"strings"
	"testing"
	"time"

	"resellerbot/internal/app/apptest"
	"resellerbot/internal/sampletest"
	"resellerbot/internal/sandbox/tgsim"
	"resellerbot/internal/store"
)

// roleOf is what somebody is in the account.
func roleOf(h *apptest.Harness, user int64) (r store.Role) {
	h.T.Helper()
	h.InStore(func(s *store.Store) {
		a, err := s.Account(h.T.Context(), "u4101")
		h.Must(err)
		r = a.Role(user)
	})
	return r
}

// pressOld taps a button of a message of before that begins with some words.
func pressOld(h *apptest.Harness, user int64, m tgsim.Message, words string) {
	h.T.Helper()
	for _, row := range m.Keyboard {
		for _, key := range row {
			if strings.Contains(key.Text, words) {
				h.Telegram.Tap(user, user, m.ID, key.Data)
				h.Pass(2 * time.Second)
				return
			}
		}
	}
	h.T.Fatalf("there is no %q under %s", words, m.Text)
}

// TestAnOldConfirmationIsOfItsTime: what was asked about somebody who was removed is no answer about the same person who was invited
// again since, in each language: it is asked anew. So it is for making somebody an owner.
func TestAnOldConfirmationIsOfItsTime(t *testing.T) {
	t.Parallel()
	for language, words := range sampletest.SomeNamed(3, map[string]struct{ remove, yes, makeOwner, yesOwner string }{
		"en": {"Remove", "Yes, remove", "Make owner", "Yes, make owner"},
		"fr": {"Retirer", "Oui, retirer", "Propriétaire", "Oui, propriétaire"},
		"ar": {"إزالة", "نعم، إزالة", "تعيين: مالك", "نعم، تعيين"},
	}) {
		t.Run(language, func(t *testing.T) {
			t.Parallel()
			inTeamIn(t, language, func(h *apptest.Harness) {
				ask := func(button string) tgsim.Message {
					h.Say(apptest.Sam, "/team")
					h.Tap(apptest.Sam, "Karim")
					h.Tap(apptest.Sam, button)
					return heard(h, apptest.Sam)
				}
				owner := ask(words.makeOwner)
				removal := ask(words.remove)
				pressOld(h, apptest.Sam, removal, words.yes)
				if r := roleOf(h, apptest.Karim); r != store.NoRole {
					t.Fatalf("the confirmation of now leaves them %q", r)
				}
				h.Say(apptest.Sam, "/team")
				h.Tap(apptest.Sam, map[string]string{"en": "➕ Counter", "fr": "➕ Caisse", "ar": "➕ أمين الصندوق"}[language])
				token := apptest.StartLink.FindStringSubmatch(apptest.Plain(heard(h, apptest.Sam).Text))
				h.Telegram.Start(apptest.Karim, token[1])
				h.Pass(2 * time.Second)
				pressOld(h, apptest.Sam, owner, words.yesOwner)
				pressOld(h, apptest.Sam, removal, words.yes)
				if r := roleOf(h, apptest.Karim); r != store.Counter {
					t.Errorf("buttons of before have made them %q", r)
				}
				if text := plainly(heard(h, apptest.Sam).Text); !strings.Contains(text, "Karim") {
					t.Errorf("the old button is answered with %s", text)
				}
				h.Answered()
			})
		})
	}
}

// TestAnOldUnlinkIsOfItsLink: who has linked another key since is asked anew.
func TestAnOldUnlinkIsOfItsLink(t *testing.T) {
	t.Parallel()
	inTeam(t, func(h *apptest.Harness) {
		h.Say(apptest.Sam, "/key remove")
		removal := heard(h, apptest.Sam)
		h.Tap(apptest.Sam, "Yes, unlink")
		h.See(apptest.Sam, "unlinked")
		h.Link(apptest.Sam)
		pressOld(h, apptest.Sam, removal, "Yes, unlink")
		if r := roleOf(h, apptest.Sam); r != store.Owner {
			t.Errorf("the button of the link before has ended this one: %q\n%s", r, h.Transcript(apptest.Sam))
		}
	})
}

// TestCodesForEverybodyAreOfOnePlace: that everybody may see codes was asked about one group, and says nothing of another.
func TestCodesForEverybodyAreOfOnePlace(t *testing.T) {
	t.Parallel()
	inShop(t, func(h *apptest.Harness) {
		h.Say(apptest.Sam, "/team")
		h.Tap(apptest.Sam, "📍")
		h.Tap(apptest.Sam, "Codes for everybody")
		asked := heard(h, apptest.Sam)
		h.Telegram.AddGroup(shop-1, "Everybody", apptest.Sam, apptest.Karim, apptest.Eve)
		h.Telegram.StartGroup(apptest.Sam, shop-1, "shop")
		h.Pass(3 * time.Second)
		pressOld(h, apptest.Sam, asked, "Yes")
		h.InStore(func(s *store.Store) {
			a, err := s.Account(t.Context(), "u4101")
			h.Must(err)
			if a.Place == nil || a.Place.Chat != shop-1 || a.Place.Full {
				t.Errorf("deliveries go to %+v", a.Place)
			}
		})
	})
}

// TestAnOldShutOutIsOfItsTime: who was let in again since is asked about anew.
func TestAnOldShutOutIsOfItsTime(t *testing.T) {
	t.Parallel()
	apptest.Run(t, func(h *apptest.Harness) {
		apptest.People(h)
		byInvitation(h)
	}, func(h *apptest.Harness) {
		h.Say(apptest.Sam, "/start "+invitation(h))
		h.Link(apptest.Sam)
		h.Say(operator, "/access")
		h.Tap(operator, "🚪")
		asked := heard(h, operator)
		h.Tap(operator, "Yes, remove")
		h.Say(operator, "/access")
		h.Tap(operator, "🚫")
		h.Tap(operator, "↩️")
		h.Pass(2 * time.Second)
		pressOld(h, operator, asked, "Yes, remove")
		h.InStore(func(s *store.Store) {
			c, err := s.Chat(t.Context(), apptest.Sam)
			h.Must(err)
			if !c.Out.IsZero() {
				t.Errorf("the button of before has shut them out again\n%s", h.Transcript(operator))
			}
		})
	})
}

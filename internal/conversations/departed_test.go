package conversations_test

import (
	"strings"
	"testing"
	"time"

	"resellerbot/internal/api/sim"
	"resellerbot/internal/app/apptest"
	"resellerbot/internal/sampletest"
	"resellerbot/internal/sandbox/tgsim"
)

// departedWords are what screens of somebody say who may not buy any more, by language.
var departedWords = map[string]struct{ valid, handed, lost, why, remove, sure, again, cancelled string }{
	"en": {"Valid for 10", "no longer on the team", "Not bought. Nothing was charged", "may no longer buy", "🚪 Remove", "🚪 Yes", "🔁", "Cancelled"},
	"fr": {"10 minutes", "plus partie de l'équipe", "Pas acheté. Rien n'a été débité", "n'a plus le droit d'acheter", "🚪 Retirer", "🚪 Oui", "🔁", "Annulé"},
	"ar": {"صالح لمدة 10", "لم تعد ضمن الفريق", "لم يتم الشراء. لم يُخصم شيء", "لم يعد للمشتري حق الشراء", "🚪 إزالة", "🚪 نعم", "🔁", "أُلغي"},
}

// dismissKarim has the owner take Karim out of the team.
func dismissKarim(h *apptest.Harness, lang string) {
	h.T.Helper()
	w := departedWords[lang]
	h.Say(apptest.Sam, "/team")
	h.Tap(apptest.Sam, "Karim")
	h.Tap(apptest.Sam, w.remove)
	h.Tap(apptest.Sam, w.sure)
	h.Pass(3 * time.Second)
}

// TestTheCardOfWhoHasLeft: the card of a list in progress says at once that it goes on without whoever was taken out, with no
// button that does nothing.
func TestTheCardOfWhoHasLeft(t *testing.T) {
	t.Parallel()
	sampletest.Slow(t)
	for lang, w := range departedWords {
		t.Run(lang, func(t *testing.T) {
			t.Parallel()
			inTeam(t, func(h *apptest.Harness) {
				h.Service.DemoCatalogue()
				h.Pass(2 * time.Minute)
				chooseLanguage(h, apptest.Karim, lang)
				chooseLanguage(h, apptest.Sam, lang)
				h.Say(apptest.Karim, "pc5 x2\npc5 x1\npc10 x1\npc5 x3")
				card := h.See(apptest.Karim, w.valid)
				slowly(h, 0)
				h.Tap(apptest.Karim, "✅")
				h.Pass(2 * time.Second)
				dismissKarim(h, lang)
				now := message(h, apptest.Karim, card.ID)
				if !strings.Contains(plainly(now.Text), w.handed) || len(now.Keyboard) != 0 {
					t.Errorf("the card is %s with %v", now.Text, now.Keyboard)
				}
				h.Pass(time.Hour)
				if now := message(h, apptest.Karim, card.ID); !strings.Contains(plainly(now.Text), w.handed) || len(now.Keyboard) != 0 {
					t.Errorf("an hour later the card is %s with %v", now.Text, now.Keyboard)
				}
			})
		})
	}
}

// asksAbove has Karim ask for what is above his limit, and is what the owner is asked. valid are words of his offer.
func asksAbove(h *apptest.Harness, what, valid string) (asked tgsim.Message) {
	h.T.Helper()
	h.Say(apptest.Karim, what)
	h.See(apptest.Karim, valid)
	h.Tap(apptest.Karim, "🙋")
	h.Pass(3 * time.Second)
	return h.See(apptest.Sam, "⏱")
}

// TestOffersEndWithTheRole: what somebody was offered or has asked for ends in the moment in which they may not buy any more, on
// their side and on that of the owners, who read why.
func TestOffersEndWithTheRole(t *testing.T) {
	t.Parallel()
	sampletest.Slow(t)
	for lang, w := range departedWords {
		for _, what := range []string{"pc5 x2", "pc5 x2\npc5 x1"} {
			t.Run(lang, func(t *testing.T) {
				t.Parallel()
				inTeam(t, func(h *apptest.Harness) {
					h.Service.DemoCatalogue()
					h.Pass(2 * time.Minute)
					limit(h, "🎯 Per purchase", "1")
					chooseLanguage(h, apptest.Karim, lang)
					chooseLanguage(h, apptest.Sam, lang)
					asked := asksAbove(h, what, w.valid)
					dismissKarim(h, lang)
					if text := plainly(h.Texts(apptest.Karim)); !strings.Contains(text, w.lost) {
						t.Errorf("the buyer is not told: %s", text)
					}
					now := message(h, apptest.Sam, asked.ID)
					if !strings.Contains(plainly(now.Text), w.why) || strings.Contains(now.Text, "⏱") || len(now.Keyboard) > 1 {
						t.Errorf("the owner is shown %s with %v", now.Text, now.Keyboard)
					}
				})
			})
		}
	}
}

// endsOfATeam are the ways in which Sam, its last owner, ends a team.
var endsOfATeam = map[string]func(*apptest.Harness){
	"unlinked": func(h *apptest.Harness) {
		h.Say(apptest.Sam, "/key remove")
		h.Tap(apptest.Sam, "🔓 Yes")
	},
	"replaced": func(h *apptest.Harness) {
		h.Say(apptest.Sam, "/key "+otherKey)
		h.Tap(apptest.Sam, "🔗 Replace")
	},
	"shut out": func(h *apptest.Harness) { takeOut(h, "Sam") },
}

// inATeamThatEnds plays with a team that ends in each of these ways.
func inATeamThatEnds(t *testing.T, play func(h *apptest.Harness, ends func(*apptest.Harness))) {
	t.Helper()
	for name, ends := range endsOfATeam {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			apptest.Run(t, func(h *apptest.Harness) {
				apptest.People(h)
				byInvitation(h)
				h.Env["ACCESS"] = "open"
				h.Must(h.Service.AddAccount(sim.AccountSpec{Key: otherKey, Name: otherShop, UserID: 4102, Balance: "9000"}))
			}, func(h *apptest.Harness) {
				h.Link(apptest.Sam)
				h.Join(apptest.Karim, h.Invite(apptest.Sam, "➕ Seller"))
				h.Service.DemoCatalogue()
				h.Pass(2 * time.Minute)
				limit(h, "🎯 Per purchase", "1")
				play(h, ends)
			})
		})
	}
}

// TestOffersEndWithTheTeam: what somebody of a team has asked for ends with the team, on their side and on that of who was asked. Linked again, it
// buys nothing.
func TestOffersEndWithTheTeam(t *testing.T) {
	t.Parallel()
	sampletest.Slow(t)
	for _, what := range []string{"pc5 x2", "pc5 x2\npc5 x1"} {
		inATeamThatEnds(t, func(h *apptest.Harness, ends func(*apptest.Harness)) {
			asked := asksAbove(h, what, "Valid for 10")
			approve := tapOf(h.T, asked, "✅")
			ends(h)
			h.Pass(3 * time.Second)
			if text := plainly(h.Texts(apptest.Karim)); !strings.Contains(text, "Not bought. Nothing was charged") {
				h.T.Errorf("the buyer is not told: %s", text)
			}
			now := message(h, apptest.Sam, asked.ID)
			if !strings.Contains(plainly(now.Text), "may no longer buy") || len(now.Keyboard) > 1 {
				h.T.Errorf("the owner is shown %s with %v", now.Text, now.Keyboard)
			}
			h.Say(apptest.Sam, "/key "+apptest.TestKey)
			h.Pass(2 * time.Second)
			h.Telegram.Tap(apptest.Sam, apptest.Sam, asked.ID, approve)
			h.Pass(time.Minute)
			h.Happened(0)
		})
	}
}

// TestApprovedListEndsWithTheTeam: who has approved a list and unlinks the account while it is bought reads where they approved it how it ended.
func TestApprovedListEndsWithTheTeam(t *testing.T) {
	t.Parallel()
	sampletest.Slow(t)
	inATeamThatEnds(t, func(h *apptest.Harness, ends func(*apptest.Harness)) {
		asked := asksAbove(h, "pc5 x2\npc5 x1\npc5 x3\npc5 x4\npc5 x5", "Valid for 10")
		slowly(h, 0)
		h.Tap(apptest.Sam, "✅")
		h.Pass(2 * time.Second)
		ends(h)
		h.Pass(20 * time.Minute)
		now := message(h, apptest.Sam, asked.ID)
		if text := plainly(now.Text); !strings.Contains(text, "List done: ") || !strings.Contains(text, "account was unlinked") {
			h.T.Errorf("the owner is shown %s with %v; the buyer %s", text, now.Keyboard, plainly(h.Texts(apptest.Karim)))
		}
	})
}

// TestListForAChatThatIsBehind: a list is not bought into a chat that earlier codes have not reached, whoever approves it.
func TestListForAChatThatIsBehind(t *testing.T) {
	t.Parallel()
	sampletest.Slow(t)
	inTeam(t, func(h *apptest.Harness) {
		h.Service.DemoCatalogue()
		h.Pass(2 * time.Minute)
		limit(h, "🎯 Per purchase", "3500")
		h.Say(apptest.Karim, "pc5 x2\npc5 x1")
		h.Tap(apptest.Karim, "🙋")
		asked := h.See(apptest.Sam, "⏱")
		h.Service.HoldOrders(true)
		h.Order(apptest.Karim, "Play Card", "5 USD", "1")
		h.Tap(apptest.Karim, "✅")
		h.Pass(2 * time.Second)
		h.Telegram.Block(apptest.Karim)
		h.Service.HoldOrders(false)
		h.Pass(20 * time.Minute)
		tap := h.Telegram.Tap(apptest.Sam, apptest.Sam, asked.ID, tapOf(t, asked, "✅"))
		h.Pass(2 * time.Second)
		answer := h.Answer(tap)
		if !strings.Contains(answer.Text, "Earlier codes have not reached the chat") {
			t.Errorf("the owner is answered %q", answer.Text)
		}
		h.Happened(1)
	})
}

// TestAVoidedListIsTriedAgain: a list that another purchase has voided leads to a new card of the same lines by one tap.
func TestAVoidedListIsTriedAgain(t *testing.T) {
	t.Parallel()
	for lang, w := range departedWords {
		t.Run(lang, func(t *testing.T) {
			t.Parallel()
			inTeam(t, func(h *apptest.Harness) {
				h.Service.DemoCatalogue()
				h.Pass(2 * time.Minute)
				chooseLanguage(h, apptest.Karim, lang)
				h.Say(apptest.Karim, "pc5 x2\npc5 x1")
				card := h.See(apptest.Karim, w.valid)
				h.Say(apptest.Karim, "pc5 x1")
				h.Pass(3 * time.Second)
				voided := message(h, apptest.Karim, card.ID)
				if !strings.Contains(plainly(voided.Text), w.cancelled) {
					t.Fatalf("the list is %s", voided.Text)
				}
				h.Telegram.Tap(apptest.Karim, apptest.Karim, card.ID, dataOf(t, voided, w.again))
				h.Pass(3 * time.Second)
				if now := h.See(apptest.Karim, w.valid); now.ID == card.ID || !strings.Contains(plainly(now.Text), "📋") {
					t.Errorf("the tap has led to %s", now.Text)
				}
			})
		})
	}
}

package main

import (
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"resellerbot/internal/api/sim"
	"resellerbot/internal/conversations/tgsim"
)

// heroes is a shop with Sam and Yasmine at two counters, who top up players of a game that everybody knows.
func heroes(h *house) {
	everything(sim.Options{})(h)
	h.service.AddPlayer(sim.PlayerSpec{Game: "14", ID: "111111", Name: "Amine", Region: "MENA"})
	h.telegram.AddUser(tgsim.User{ID: yasmine, FirstName: "Yasmine", LanguageCode: "en"})
}

// atTwoCounters plays in such a shop.
func atTwoCounters(t *testing.T, play func(*house)) {
	t.Helper()
	inHouse(t, heroes, func(h *house) {
		h.link(sam)
		h.link(yasmine)
		play(h)
	})
}

// crystals walks from /topup to the answer of the last input.
func (h *house) crystals(user int64, player string) {
	h.t.Helper()
	h.say(user, "/topup")
	h.tap(user, "Hero Crystals")
	h.tap(user, "300 crystals")
	h.tap(user, "1")
	h.say(user, player)
	h.tap(user, "MENA")
}

// topped buys crystals for a player and waits until they are there.
func (h *house) topped(user int64, player string) {
	h.t.Helper()
	h.crystals(user, player)
	h.see(user, "Please check")
	h.tap(user, "✅")
	h.seeAny(user, "Topped up")
	h.pass(5 * time.Second)
}

// tapUnder has Sam tap a button of the newest message that holds some words.
func (h *house) tapUnder(words, button string) {
	h.t.Helper()
	m := h.seeLast(sam, words)
	for _, row := range m.Keyboard {
		for _, b := range row {
			if strings.HasPrefix(b.Text, button) {
				h.telegram.Tap(sam, sam, m.ID, b.Data)
				h.pass(time.Second)
				return
			}
		}
	}
	h.t.Fatalf("no button %q under %q:\n%s", button, words, h.transcript(sam))
}

// seeLast waits for the newest message that holds the words.
func (h *house) seeLast(user int64, words string) tgsim.Message {
	h.t.Helper()
	return h.wait(user, "a message that holds "+words, func(all []tgsim.Message) (tgsim.Message, bool) {
		for _, m := range slices.Backward(all) {
			if m.FromBot && !m.Deleted && strings.Contains(plain(m.Text), words) {
				return m, true
			}
		}
		return tgsim.Message{}, false
	})
}

// TestAgainVerifiesThePlayer: 🔁 on a receipt is a top-up like any other: the player is asked for anew, one who is
// somebody else by now is pointed out, and one who is gone is asked for.
func TestAgainVerifiesThePlayer(t *testing.T) {
	t.Parallel()
	atTwoCounters(t, func(h *house) {
		h.topped(sam, "111111")
		checks := h.service.Requests()["POST /catalog/{id}/verify"]
		h.pass(11 * time.Minute)
		h.service.AddPlayer(sim.PlayerSpec{Game: "14", ID: "111111", Name: "Riad", Region: "Europe"})
		h.tapUnder("Topped up", "🔁")
		m := plain(h.see(sam, "Please check").Text)
		if n := h.service.Requests()["POST /catalog/{id}/verify"]; n != checks+1 {
			t.Errorf("the player was verified %d times by the tap", n-checks)
		}
		if !strings.Contains(m, "Riad") || !strings.Contains(m, "🔴") || !strings.Contains(m, "Amine") {
			t.Errorf("the summary does not point out who the player is now: %s", m)
		}
		h.tap(sam, "✖️")
		h.service.AddPlayer(sim.PlayerSpec{Game: "14", ID: "111111", Status: "invalid"})
		h.tapUnder("Topped up", "🔁")
		h.see(sam, "does not know this ID")
		h.happened(1)
	})
}

// TestAgainAsksAboutTheSame: 🔁 within ten minutes asks whether it is wanted once more, and shows a changed price.
func TestAgainAsksAboutTheSame(t *testing.T) {
	t.Parallel()
	atTwoCounters(t, func(h *house) {
		h.topped(sam, "111111")
		h.service.SetPrice(1401, "700")
		h.pass(6 * time.Minute)
		h.tapUnder("Topped up", "🔁")
		h.see(sam, "bought for the same ID")
		h.tap(sam, "once more")
		m := plain(h.see(sam, "Please check").Text)
		if !strings.Contains(m, "it was DZD 640") || !strings.Contains(m, "ordered for the same ID") {
			t.Errorf("the summary is %s", m)
		}
		h.tap(sam, "✅")
		h.pass(10 * time.Second)
		h.happened(2)
	})
}

// TestTheSameAtTwoCounters: what another chat of the account has just bought for a player is asked about, whoever
// bought it, and so is what waits or is uncertain.
func TestTheSameAtTwoCounters(t *testing.T) {
	t.Parallel()
	atTwoCounters(t, func(h *house) {
		h.topped(sam, "111111")
		h.pass(20 * time.Second)
		h.crystals(yasmine, "111111")
		if m := plain(h.see(yasmine, "bought for the same ID").Text); !strings.Contains(m, "Sam") {
			t.Errorf("it is not told who has bought it: %s", m)
		}
		h.tap(yasmine, "✖️")
		h.happened(1)
		h.pass(11 * time.Minute)
		h.crystals(yasmine, "111111")
		h.see(yasmine, "Please check")
		h.service.Inject(sim.Fault{Operation: sim.Spending, Kind: sim.LoseAnswer, Times: 1})
		h.tap(yasmine, "✅")
		h.seeAny(yasmine, "Uncertain")
		h.crystals(sam, "111111")
		h.see(sam, "It may have been bought: that is being looked for")
	})
}

// TestTwoSummariesSideBySide: of two summaries for one player that are open in two chats, the second ✅ asks about
// the first, and buys when that is what is wanted.
func TestTwoSummariesSideBySide(t *testing.T) {
	t.Parallel()
	atTwoCounters(t, func(h *house) {
		h.crystals(sam, "111111")
		h.see(sam, "Please check")
		h.crystals(yasmine, "111111")
		h.see(yasmine, "Please check")
		h.tap(sam, "✅")
		h.seeAny(sam, "Topped up")
		h.tap(yasmine, "✅")
		m := h.see(yasmine, "bought for the same ID")
		h.pass(10 * time.Second)
		h.happened(1)
		if len(spendButtons(m)) > 0 {
			t.Error("the question has a button that spends")
		}
		h.tap(yasmine, "once more")
		h.see(yasmine, "Please check")
		h.tap(yasmine, "✅")
		h.seeAny(yasmine, "Topped up")
		h.pass(11 * time.Minute) // nothing of the first summary is left to expire over the receipt
		h.seeAny(yasmine, "Topped up")
		h.happened(2)
		h.answered()
	})
}

// TestCardsRepeatNothing: what is bought for nobody in particular is bought as often as people like.
func TestCardsRepeatNothing(t *testing.T) {
	t.Parallel()
	inHouse(t, stock, func(h *house) {
		h.link(sam)
		for range 2 {
			h.order(sam, "Play Card", "10 USD", "1")
			h.see(sam, "Please check")
			h.tap(sam, "✅")
			h.pass(5 * time.Second)
		}
		h.bought(2)
	})
}

// TestRefusedChecks: what the service refuses of a player is a player that is not valid, in our own words, and the
// question stays open; what cannot be checked is bought with a warning or tried again.
func TestRefusedChecks(t *testing.T) {
	t.Parallel()
	refusal := func(status int, message string, fields map[string][]string) sim.Fault {
		return sim.Fault{Kind: sim.ErrorAnswer, Status: status, Message: message, Fields: fields}
	}
	for name, c := range map[string]struct {
		fault sim.Fault
		says  string
	}{
		"400":           {refusal(http.StatusBadRequest, "Invalid player ID", nil), "does not know this ID"},
		"400 of others": {refusal(http.StatusBadRequest, "Nope", nil), "does not know this ID"},
		"422":           {refusal(http.StatusUnprocessableEntity, "Invalid player ID", nil), "does not know this ID"},
		"ten digits":    {refusal(http.StatusBadRequest, "Validation failed", map[string][]string{"player_id": {"The player id must be 10 digits."}}), "wants 10 digits"},
		"its field":     {refusal(http.StatusBadRequest, "Validation failed", map[string][]string{"1": {"<b>mysterious</b>"}}), "did not accept this answer"},
		"other field":   {refusal(http.StatusBadRequest, "Validation failed", map[string][]string{"zzz": {"mysterious"}}), "did not accept this answer"},
		"no path":       {refusal(http.StatusNotFound, "Route not found", nil), "Please check"},
		"502":           {refusal(http.StatusBadGateway, "Upstream service unavailable", nil), "could not be checked"},
		"429":           {sim.Fault{Kind: sim.RateLimit}, "could not be checked"},
		"cut":           {sim.Fault{Kind: sim.DropRequest}, "could not be checked"},
		"a firewall":    {sim.Fault{Kind: sim.Status, Status: http.StatusBadRequest}, "could not be checked"},
	} {
		t.Run(name, func(t *testing.T) {
			inHouse(t, heroes, func(h *house) {
				h.link(sam)
				for _, op := range []string{"POST /catalog/{id}/verify", "POST /battleroyale/check-player"} {
					c.fault.Operation, c.fault.Times = op, 9
					h.service.Inject(c.fault)
				}
				h.say(sam, "/topup")
				h.tap(sam, "Battle Royale Coins")
				h.tap(sam, "60 coins")
				h.tap(sam, "1")
				h.say(sam, "7654321")
				m := h.see(sam, c.says)
				if offers := len(spendButtons(m)) > 0; offers != (c.says == "Please check") {
					t.Errorf("a summary: %v", offers)
				}
				if strings.Contains(plain(m.Text), "mysterious") || strings.Contains(plain(m.Text), "must be") {
					t.Errorf("the service's own words are shown: %s", m.Text)
				}
				h.service.ClearFaults()
				if c.says == "Please check" || c.says == "could not be checked" {
					return
				}
				h.say(sam, "7654322") // the question is still open
				h.see(sam, "Please check")
			})
		})
	}
}

// TestReceiptsOfferTheSame: every delivered receipt has a 🔁, in every language.
func TestReceiptsOfferTheSame(t *testing.T) {
	t.Parallel()
	for _, lang := range []string{"ar", "fr", "en"} {
		t.Run(lang, func(t *testing.T) {
			inHouse(t, func(h *house) {
				stock(h)
				h.telegram.AddUser(tgsim.User{ID: 900, FirstName: "Nadia", LanguageCode: lang})
			}, func(h *house) {
				h.link(900)
				h.order(900, "Play Card", "10 USD", "1")
				h.tap(900, "✅")
				h.delivered(900)
				h.tap(900, "🔁")
				m := h.see(900, "10 USD")
				if len(spendButtons(m)) != 1 {
					t.Errorf("🔁 does not lead to a summary:\n%s", h.transcript(900))
				}
			})
		})
	}
}

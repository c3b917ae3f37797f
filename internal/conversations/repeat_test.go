package conversations_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"resellerbot/internal/api/sim"
	"resellerbot/internal/app/apptest"
	"resellerbot/internal/sampletest"
	"resellerbot/internal/sandbox/tgsim"
)

// heroes is a shop with Sam and Yasmine at two counters, who top up players of a game that everybody knows.
func heroes(h *apptest.Harness) {
	apptest.Everything(sim.Options{})(h)
	h.Service.AddPlayer(sim.PlayerSpec{Game: "14", ID: "111111", Name: "Amine", Region: "MENA"})
	h.Telegram.AddUser(tgsim.User{ID: apptest.Yasmine, FirstName: "Yasmine", LanguageCode: "en"})
}

// heroesIn is such a shop, whose owner reads a language.
func heroesIn(language string) func(*apptest.Harness) {
	return func(h *apptest.Harness) {
		heroes(h)
		h.Telegram.SetLanguage(apptest.Sam, language)
	}
}

// atTwoCounters plays in such a shop.
func atTwoCounters(t *testing.T, play func(*apptest.Harness)) {
	t.Helper()
	apptest.Run(t, heroes, func(h *apptest.Harness) {
		h.Link(apptest.Sam)
		h.Link(apptest.Yasmine)
		play(h)
	})
}

// crystals walks from /topup to the answer of the last input.
func crystals(h *apptest.Harness, user int64, player string) {
	h.T.Helper()
	h.Say(user, "/topup")
	h.Tap(user, "Hero Crystals")
	h.Tap(user, "300 crystals")
	h.Tap(user, "1")
	h.Say(user, player)
	h.Tap(user, "MENA")
}

// topped buys crystals for a player and waits until they are there.
func topped(h *apptest.Harness, user int64, player string) {
	h.T.Helper()
	crystals(h, user, player)
	h.See(user, "Check before buying")
	h.Tap(user, "✅")
	h.SeeAny(user, "Topped up")
	h.Pass(5 * time.Second)
}

// TestAgainVerifiesThePlayer: 🔁 on a receipt is a top-up like any other: the player is asked for anew, one who is
// somebody else by now is pointed out, and one who is gone is asked for.
func TestAgainVerifiesThePlayer(t *testing.T) {
	t.Parallel()
	atTwoCounters(t, func(h *apptest.Harness) {
		topped(h, apptest.Sam, "111111")
		checks := h.Service.Requests()["POST /catalog/{id}/verify"]
		h.Pass(11 * time.Minute)
		h.Service.AddPlayer(sim.PlayerSpec{Game: "14", ID: "111111", Name: "Riad", Region: "Europe"})
		h.TapUnder("Topped up", "🔁")
		m := apptest.Plain(h.See(apptest.Sam, "Check before buying").Text)
		if n := h.Service.Requests()["POST /catalog/{id}/verify"]; n != checks+1 {
			t.Errorf("the player was verified %d times by the tap", n-checks)
		}
		if !strings.Contains(m, "Riad") || !strings.Contains(m, "🔴") || !strings.Contains(m, "Amine") {
			t.Errorf("the summary does not point out who the player is now: %s", m)
		}
		h.Tap(apptest.Sam, "✖️")
		h.Service.AddPlayer(sim.PlayerSpec{Game: "14", ID: "111111", Status: "invalid"})
		h.TapUnder("Topped up", "🔁")
		h.See(apptest.Sam, "This ID was not found")
		h.Happened(1)
	})
}

// TestAgainIsTwoTaps: 🔁 within ten minutes leads straight to a summary, which tells that the same was ordered and shows a
// changed price; what somebody else has bought meanwhile is asked about.
func TestAgainIsTwoTaps(t *testing.T) {
	t.Parallel()
	atTwoCounters(t, func(h *apptest.Harness) {
		topped(h, apptest.Sam, "111111")
		h.Service.SetPrice(1401, "700")
		h.Pass(6 * time.Minute)
		h.TapUnder("Topped up", "🔁")
		m := apptest.Plain(h.See(apptest.Sam, "Check before buying").Text)
		if !strings.Contains(m, "it was DZD 640") || !strings.Contains(m, "ordered for the same ID") {
			t.Errorf("the summary is %s", m)
		}
		h.Tap(apptest.Sam, "✅")
		h.Pass(10 * time.Second)
		h.Happened(2)
		crystals(h, apptest.Yasmine, "111111")
		h.Tap(apptest.Yasmine, "once more")
		h.Tap(apptest.Yasmine, "✅")
		h.Pass(10 * time.Second)
		h.TapUnder("Topped up", "🔁")
		h.See(apptest.Sam, "bought for the same ID")
		h.Happened(3)
	})
}

// TestTheSameAtTwoCounters: what another chat of the account has just bought for a player is asked about, whoever
// bought it, and so is what waits or is uncertain.
func TestTheSameAtTwoCounters(t *testing.T) {
	t.Parallel()
	sampletest.Slow(t)
	atTwoCounters(t, func(h *apptest.Harness) {
		topped(h, apptest.Sam, "111111")
		h.Pass(20 * time.Second)
		crystals(h, apptest.Yasmine, "111111")
		if m := apptest.Plain(h.See(apptest.Yasmine, "bought for the same ID").Text); !strings.Contains(m, "Sam") {
			t.Errorf("it is not told who has bought it: %s", m)
		}
		h.Tap(apptest.Yasmine, "✖️")
		h.Happened(1)
		h.Pass(11 * time.Minute)
		crystals(h, apptest.Yasmine, "111111")
		h.See(apptest.Yasmine, "Check before buying")
		h.Service.Inject(sim.Fault{Operation: sim.Spending, Kind: sim.LoseAnswer, Times: 1})
		h.Tap(apptest.Yasmine, "✅")
		h.SeeAny(apptest.Yasmine, "Uncertain")
		crystals(h, apptest.Sam, "111111")
		h.See(apptest.Sam, "It may have been bought: that is being looked for")
	})
}

// TestTwoSummariesSideBySide: of two summaries for one player that are open in two chats, the second ✅ asks about
// the first, and buys when that is what is wanted.
func TestTwoSummariesSideBySide(t *testing.T) {
	t.Parallel()
	atTwoCounters(t, func(h *apptest.Harness) {
		crystals(h, apptest.Sam, "111111")
		h.See(apptest.Sam, "Check before buying")
		crystals(h, apptest.Yasmine, "111111")
		h.See(apptest.Yasmine, "Check before buying")
		h.Tap(apptest.Sam, "✅")
		h.SeeAny(apptest.Sam, "Topped up")
		h.Tap(apptest.Yasmine, "✅")
		m := h.See(apptest.Yasmine, "bought for the same ID")
		h.Pass(10 * time.Second)
		h.Happened(1)
		if len(spendButtons(m)) > 0 {
			t.Error("the question has a button that spends")
		}
		h.Tap(apptest.Yasmine, "once more")
		h.See(apptest.Yasmine, "Check before buying")
		h.Tap(apptest.Yasmine, "✅")
		h.SeeAny(apptest.Yasmine, "Topped up")
		h.Pass(11 * time.Minute) // nothing of the first summary is left to expire over the receipt
		h.SeeAny(apptest.Yasmine, "Topped up")
		h.Happened(2)
		h.Answered()
	})
}

// TestCardsRepeatNothing: what is bought for nobody in particular is bought as often as people like.
func TestCardsRepeatNothing(t *testing.T) {
	t.Parallel()
	apptest.Run(t, apptest.Stock, func(h *apptest.Harness) {
		h.Link(apptest.Sam)
		for range 2 {
			h.Order(apptest.Sam, "Play Card", "10 USD", "1")
			h.See(apptest.Sam, "Check before buying")
			h.Tap(apptest.Sam, "✅")
			h.Pass(5 * time.Second)
		}
		h.Bought(2)
	})
}

// TestRefusedChecks: what the service refuses of a player is a player that is not valid, in our own words, and the
// question stays open; what cannot be checked is bought with a warning or tried again.
func TestRefusedChecks(t *testing.T) {
	t.Parallel()
	sampletest.Slow(t)
	refusal := func(status int, message string, fields map[string][]string) sim.Fault {
		return sim.Fault{Kind: sim.ErrorAnswer, Status: status, Message: message, Fields: fields}
	}
	for name, c := range map[string]struct {
		fault sim.Fault
		says  string
	}{
		"400":           {refusal(http.StatusBadRequest, "Invalid player ID", nil), "This ID was not found"},
		"400 of others": {refusal(http.StatusBadRequest, "Nope", nil), "This ID was not found"},
		"422":           {refusal(http.StatusUnprocessableEntity, "Invalid player ID", nil), "This ID was not found"},
		"ten digits":    {refusal(http.StatusBadRequest, "Validation failed", map[string][]string{"player_id": {"The player id must be 10 digits."}}), "10 digits are needed"},
		"its field":     {refusal(http.StatusBadRequest, "Validation failed", map[string][]string{"1": {"<b>mysterious</b>"}}), "did not accept this answer"},
		"other field":   {refusal(http.StatusBadRequest, "Validation failed", map[string][]string{"zzz": {"mysterious"}}), "did not accept this answer"},
		"no path":       {refusal(http.StatusNotFound, "Route not found", nil), "Check before buying"},
		"502":           {refusal(http.StatusBadGateway, "Upstream service unavailable", nil), "could not be checked"},
		"429":           {sim.Fault{Kind: sim.RateLimit}, "could not be checked"},
		"cut":           {sim.Fault{Kind: sim.DropRequest}, "could not be checked"},
		"a firewall":    {sim.Fault{Kind: sim.Status, Status: http.StatusBadRequest}, "could not be checked"},
	} {
		t.Run(name, func(t *testing.T) {
			apptest.Run(t, heroes, func(h *apptest.Harness) {
				h.Link(apptest.Sam)
				for _, op := range []string{"POST /catalog/{id}/verify", "POST /battleroyale/check-player"} {
					c.fault.Operation, c.fault.Times = op, 9
					h.Service.Inject(c.fault)
				}
				h.Say(apptest.Sam, "/topup")
				h.Tap(apptest.Sam, "Battle Royale Coins")
				h.Tap(apptest.Sam, "60 coins")
				h.Tap(apptest.Sam, "1")
				h.Say(apptest.Sam, "7654321")
				m := h.See(apptest.Sam, c.says)
				if offers := len(spendButtons(m)) > 0; offers != (c.says == "Check before buying") {
					t.Errorf("a summary: %v", offers)
				}
				if strings.Contains(apptest.Plain(m.Text), "mysterious") || strings.Contains(apptest.Plain(m.Text), "must be") {
					t.Errorf("the service's own words are shown: %s", m.Text)
				}
				h.Service.ClearFaults()
				if c.says == "Check before buying" || c.says == "could not be checked" {
					return
				}
				h.Say(apptest.Sam, "7654322") // the question is still open
				h.See(apptest.Sam, "Check before buying")
			})
		})
	}
}

// TestReceiptsOfferTheSame: every delivered receipt has a 🔁, in every language.
func TestReceiptsOfferTheSame(t *testing.T) {
	t.Parallel()
	for _, lang := range sampletest.Some(1, []string{"ar", "fr", "en"}) {
		t.Run(lang, func(t *testing.T) {
			apptest.Run(t, func(h *apptest.Harness) {
				apptest.Stock(h)
				h.Telegram.AddUser(tgsim.User{ID: 900, FirstName: "Nadia", LanguageCode: lang})
			}, func(h *apptest.Harness) {
				h.Link(900)
				h.Buy(900, "Play Card", "10 USD", "1")
				h.Tap(900, "🔁")
				m := h.See(900, "10 USD")
				if len(spendButtons(m)) != 1 {
					t.Errorf("🔁 does not lead to a summary:\n%s", h.Transcript(900))
				}
			})
		})
	}
}

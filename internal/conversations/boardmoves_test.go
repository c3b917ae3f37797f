package conversations_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"resellerbot/internal/app/apptest"
	"resellerbot/internal/sampletest"
	"resellerbot/internal/sandbox/tgsim"
)

// boardPage has Sam open the page of the board.
func boardPage(h *apptest.Harness) {
	h.T.Helper()
	h.Say(apptest.Sam, "/start")
	h.Tap(apptest.Sam, "📒 Books")
	h.Tap(apptest.Sam, "📌 Board")
	h.Pass(time.Second)
}

// TestBoardThatMoves: where the board is elsewhere now, or nowhere, its message says so and shows no day any more. Where the bot is out of
// the group, the page of the board says that.
func TestBoardThatMoves(t *testing.T) {
	t.Parallel()
	sampletest.Slow(t)
	inShop(t, func(h *apptest.Harness) {
		setPrices(h)
		boardPage(h)
		h.Tap(apptest.Sam, "💬 In this chat")
		h.Pass(2 * time.Minute)
		was := h.SeeAny(apptest.Sam, "Today ·")
		boardPage(h)
		h.Tap(apptest.Sam, "📍 In the group")
		h.Pass(2 * time.Minute)
		h.SeeAny(shop, "Today ·")
		now := h.Telegram.Messages(apptest.Sam)
		i := slices.IndexFunc(now, func(m tgsim.Message) bool { return m.ID == was.ID })
		if text := apptest.Plain(now[i].Text); !strings.Contains(text, "has moved") || strings.Contains(text, "Today") || len(h.Telegram.Pinned(apptest.Sam)) != 0 {
			t.Errorf("the board of before says\n%s", text)
		}
		h.Telegram.SetRole(apptest.Sam, shop, h.Telegram.BotID(), tgsim.Left)
		h.Pass(time.Minute)
		boardPage(h)
		text := apptest.Plain(h.SeeLast(apptest.Sam, "Board of the day").Text)
		if !strings.Contains(text, "I am no longer in") || strings.Contains(text, "within a minute") {
			t.Errorf("with the bot out of its group, the page says\n%s", text)
		}
		h.Tap(apptest.Sam, "💬 In this chat")
		h.Pass(2 * time.Minute)
		h.Tap(apptest.Sam, "🗑 No board")
		h.Pass(time.Minute)
		h.SeeAny(apptest.Sam, "This was the board of the day")
		h.Answered()
	})
}

// TestHomeAsACommand: /home opens home, for whoever types what the button says; no menu lists it.
func TestHomeAsACommand(t *testing.T) {
	t.Parallel()
	inPricedShop(t, func(h *apptest.Harness) {
		h.Say(apptest.Sam, "/home")
		if m := last(h.Telegram.Messages(apptest.Sam)); !strings.Contains(apptest.Plain(m.Text), "Available: DZD") || tapOf(t, m, "🛍 Buy") == "" {
			t.Errorf("it opens\n%s", m.Text)
		}
		h.Say(apptest.Sam, "/key remove")
		h.Tap(apptest.Sam, "🗑")
		h.Say(apptest.Sam, "/home")
		h.SeeLast(apptest.Sam, "link your API key")
	})
}

// TestARuleIsSavedByItsRounding: a rule that was typed is not saved before its rounding is chosen, and the screen says so.
func TestARuleIsSavedByItsRounding(t *testing.T) {
	t.Parallel()
	for language, words := range sampletest.SomeNamed(3, map[string]string{"en": "Not saved yet", "fr": "Pas encore enregistré", "ar": "لم تُحفظ القاعدة بعد"}) {
		t.Run(language, func(t *testing.T) {
			t.Parallel()
			apptest.Run(t, apptest.Stock, func(h *apptest.Harness) {
				h.Link(apptest.Sam)
				chooseLanguage(h, apptest.Sam, language)
				h.Say(apptest.Sam, "/prices")
				h.Tap(apptest.Sam, map[string]string{"en": "% ", "fr": "% ", "ar": "٪ "}[language])
				h.Say(apptest.Sam, "10%")
				h.See(apptest.Sam, words)
			})
		})
	}
}

// TestRefusedWhereNothingIsBought: nobody is told that nothing was bought by a button that buys nothing.
func TestRefusedWhereNothingIsBought(t *testing.T) {
	t.Parallel()
	inForum(t, nil, func(h *apptest.Harness) {
		all := h.Telegram.Messages(forum)
		page := all[slices.IndexFunc(all, func(m tgsim.Message) bool { return strings.Contains(apptest.Plain(m.Text), "come here from now on") })]
		for who, want := range map[int64]string{apptest.Karim: "Your role does not include that.", apptest.Eve: "Only the team of this shop can use these buttons."} {
			h.Telegram.Tap(who, forum, page.ID, tapOf(t, page, "🗂"))
			h.Pass(2 * time.Second)
			taps := h.Telegram.Callbacks()
			if text := taps[len(taps)-1].Text; plainly(text) != want {
				t.Errorf("%d is told %q, want %q", who, text, want)
			}
		}
	})
}

// TestSoundsInPlace: in a group, each tap on the page of sounds changes that page, and posts no other.
func TestSoundsInPlace(t *testing.T) {
	t.Parallel()
	inForum(t, nil, func(h *apptest.Harness) {
		commandIn(h, apptest.Sam, forum, 0, "/team@shop_bot")
		h.TapIn(apptest.Sam, forum, "🔕 Sounds")
		before := len(h.Telegram.Messages(forum))
		for range 3 {
			h.TapIn(apptest.Sam, forum, "Orders")
			h.Pass(time.Second)
		}
		if n := len(h.Telegram.Messages(forum)); n != before {
			t.Errorf("%d messages more for three taps:\n%s", n-before, h.Transcript(forum))
		}
	})
}

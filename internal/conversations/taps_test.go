package conversations_test

import (
	"strings"
	"testing"
	"time"

	"resellerbot/internal/app/apptest"
)

// hands counts what a person does for something.
type hands struct {
	h              *apptest.Harness
	taps, messages int
}

func (n *hands) say(text string) {
	n.h.T.Helper()
	n.messages++
	n.h.Say(apptest.Sam, text)
}

func (n *hands) tap(words string) {
	n.h.T.Helper()
	n.taps++
	n.h.Tap(apptest.Sam, words)
}

// done tells how much it took, and holds it against the most that it may.
func (n *hands) done(what string, taps, messages int) {
	n.h.T.Helper()
	n.h.T.Logf("%-32s %d taps, %d messages", what, n.taps, n.messages)
	if n.taps > taps || n.messages > messages {
		n.h.T.Errorf("%s took %d taps and %d messages, and may take %d and %d", what, n.taps, n.messages, taps, messages)
	}
	n.taps, n.messages = 0, 0
}

// TestTaps: what is done all day takes a seller so few taps and messages, counted until it is bought, or read.
func TestTaps(t *testing.T) {
	t.Parallel()
	atTheCounter(t, func(h *apptest.Harness) {
		n := &hands{h: h}
		savedKarim(h)
		h.Pass(11 * time.Minute) // later the same is bought without a question
		h.TapUnder("Topped up", "🔁")
		n.taps++
		h.See(apptest.Sam, "Check before buying")
		n.tap("✅")
		h.Pass(20 * time.Second)
		h.Happened(2)
		n.done("the same again", 2, 0)

		h.Pass(11 * time.Minute)
		n.say("battle 660 karim")
		h.See(apptest.Sam, "Check before buying")
		n.tap("✅")
		h.Pass(20 * time.Second)
		h.Happened(3)
		n.done("a known item, a known customer", 1, 1)

		h.Pass(time.Minute)
		n.say("60 coins for:\n" + players(20))
		h.See(apptest.Sam, "Valid for")
		n.tap("✅")
		h.Pass(5 * time.Minute)
		h.Happened(23)
		n.done("a list of 20", 1, 1)

		summaryOf(h, "play card 5 x1")
		h.Tap(apptest.Sam, "✅")
		h.SeeAny(apptest.Sam, "Delivered")
		code := h.Codes(apptest.Sam)[0]
		h.Sleep(7 * 24 * time.Hour)
		n.say(code[len(code)-6:])
		if m := h.See(apptest.Sam, "Delivered"); !strings.Contains(m.Text, code) {
			t.Errorf("the order is %s", m.Text)
		}
		n.done("a code of last week", 0, 1)
	})
}

package conversations_test

import (
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"resellerbot/internal/api/sim"
	"resellerbot/internal/app/apptest"
	"resellerbot/internal/sampletest"
)

// inLanguage is a counter whose owner reads a language.
func inLanguage(t *testing.T, language string, play func(*apptest.Harness)) {
	t.Helper()
	apptest.Run(t, heroesIn(language), func(h *apptest.Harness) {
		h.Say(apptest.Sam, "/start")
		h.Say(apptest.Sam, "/key "+apptest.TestKey)
		h.Pass(5 * time.Second)
		play(h)
	})
}

// onceEach fails the test unless each code that was bought is in a chat once, and nothing is said to be a repeat.
func onceEach(h *apptest.Harness, user int64) {
	h.T.Helper()
	for _, o := range h.Service.Orders() {
		for _, code := range o.Codes {
			n := 0 // messages, each of which may have a file beside its text
			for _, m := range h.Telegram.Messages(user) {
				if m.FromBot && !m.Deleted && (strings.Contains(m.Text, code) || m.Document != nil && strings.Contains(string(m.Document.Body), code)) {
					n++
				}
			}
			if n != 1 {
				h.T.Errorf("a code of order %s came %d times", o.ID, n)
			}
		}
	}
	if text := h.Texts(user); strings.Contains(text, "🔁") {
		h.T.Error("something is said to be delivered again")
	}
	if h.T.Failed() {
		h.T.Log(h.Transcript(user))
	}
}

// TestCodesOfASlowListComeOnce: the codes that were sent while a list was on its way are not sent again at its end: that tells which
// lines it brings, and of which the codes came before. So it is for units that come late, and for lines whose answers were lost, which
// have messages of their own.
func TestCodesOfASlowListComeOnce(t *testing.T) {
	t.Parallel()
	sampletest.Slow(t)
	long := strings.Repeat("pc5 x1\nvpn x1\n", 8)
	worlds := map[string]struct {
		list   string
		before func(h *apptest.Harness)
		after  func(h *apptest.Harness)
		parts  bool
	}{
		"slow answers": {long, func(h *apptest.Harness) {
			h.Service.Inject(sim.Fault{Operation: sim.AnyOperation, Kind: sim.Delay, Delay: 8 * time.Second, Times: 300})
		}, nil, true},
		"late units": {"vpn x1\npc5 x2\npc10 x1", func(h *apptest.Harness) {
			h.Service.Inject(sim.Fault{Operation: sim.Spending, Kind: sim.Delay, Delay: 15 * time.Second, Times: 2})
		}, func(h *apptest.Harness) {
			h.Pass(25 * time.Second) // the first line is there
			h.Service.HoldOrders(true)
			h.Pass(4 * time.Minute) // the file of what is there has come
			h.Service.HoldOrders(false)
		}, true},
		"all in time": {long, nil, nil, false},
	}
	words := map[string]string{"en": "came before", "fr": "sont déjà arrivés", "ar": "وصلت أكوادها من قبل"}
	for i, language := range slices.Sorted(maps.Keys(words)) {
		for j, name := range slices.Sorted(maps.Keys(worlds)) {
			if !sampletest.Plays(i+j, 3) {
				continue
			}
			words, w := words[language], worlds[name]
			t.Run(language+" "+name, func(t *testing.T) {
				t.Parallel()
				inLanguage(t, language, func(h *apptest.Harness) {
					h.Say(apptest.Sam, w.list)
					h.Pass(5 * time.Second)
					if w.before != nil {
						w.before(h)
					}
					h.Tap(apptest.Sam, "✅")
					if w.after != nil {
						w.after(h)
					}
					h.Pass(30 * time.Minute)
					onceEach(h, apptest.Sam)
					if said := strings.Contains(h.Texts(apptest.Sam), words); said != w.parts {
						t.Errorf("it says of which lines the codes came before: %v\n%s", said, h.Transcript(apptest.Sam))
					}
				})
			})
		}
	}
}

// TestCodesOfLostLinesComeOnce: a line whose answer was lost is told of by a message of its own, which brings its codes once it is
// found; the file of the list does not bring them again.
func TestCodesOfLostLinesComeOnce(t *testing.T) {
	sampletest.Slow(t)
	t.Parallel()
	whereOrdersAreListed(t, func(h *apptest.Harness) {
		for range 3 { // how late readings are can be learned from it
			h.Buy(apptest.Sam, "Play Card", "5 USD", "1")
			h.Pass(15 * time.Minute)
		}
		h.Service.SetWorld(sim.World{})
		cardOf(h, "pc10 x2\nvpn x1\npc25 x1")
		h.Service.Inject(sim.Fault{Operation: sim.Spending, Kind: sim.SilenceDone, Times: 2})
		h.Tap(apptest.Sam, "✅")
		h.Pass(2 * time.Hour)
		h.Happened(6)
		if onceEach(h, apptest.Sam); !strings.Contains(h.Texts(apptest.Sam), "came before: 1–2") {
			t.Errorf("it does not say of which lines the codes came before\n%s", h.Transcript(apptest.Sam))
		}
	})
}

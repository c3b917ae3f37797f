package notify_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"resellerbot/internal/api/sim"
	"resellerbot/internal/app/apptest"
	"resellerbot/internal/sampletest"
)

const secondLegacyKey = "KEY-canary-legacy-second-9a51"

// accusations are the messages of a chat that say money left, by their words: what is told of another key, and what of a thief.
func accusations(h *apptest.Harness, user int64) (beside, thief int) {
	for _, m := range h.Telegram.Messages(user) {
		switch text := apptest.Plain(m.Text); {
		case strings.Contains(text, "with another key"), strings.Contains(text, "avec une autre clé"):
			beside++
		case strings.Contains(text, "left the balance"), strings.Contains(text, "quitté le solde"):
			thief++
		}
	}
	return beside, thief
}

// withTwoKeys runs a test in which two chats work with two keys that tell no user and open one wallet, of which readings are known by now.
func withTwoKeys(t *testing.T, play func(*apptest.Harness)) {
	t.Helper()
	apptest.Run(t, func(h *apptest.Harness) {
		apptest.Everything(sim.Options{})(h)
		h.Service.AddKey(apptest.LegacyTestKey, secondLegacyKey)
	}, func(h *apptest.Harness) {
		h.LinkLegacy(apptest.Sam)
		h.Say(apptest.Yasmine, "/key "+secondLegacyKey)
		h.Pass(20 * time.Minute)
		play(h)
	})
}

// TestTwoKeysOfOneWallet: two chats work with two keys that tell no user and open one wallet. Each is told of what the other
// buys as of a purchase with another key, and of money that others take as before, also where that is as much.
func TestTwoKeysOfOneWallet(t *testing.T) {
	t.Parallel()
	sampletest.Slow(t)
	for name, stolen := range sampletest.SomeNamed(1, map[string]bool{"nobody else": false, "somebody else, as much": true}) {
		t.Run(name, func(t *testing.T) {
			withTwoKeys(t, func(h *apptest.Harness) {
				h.Buy(apptest.Sam, "Play Card", "10 USD", "1")
				want := [2][2]int{{0, 0}, {1, 0}}
				if stolen {
					want = [2][2]int{{0, 1}, {1, 1}}
					h.Pass(5 * time.Minute)
					if _, err := h.Service.Buy(apptest.LegacyTestKey, h.Service.Purchases()[0].VariantID, 1, "outside"); err != nil {
						t.Fatal(err)
					}
				}
				h.Pass(time.Hour)
				for i, who := range []int64{apptest.Sam, apptest.Yasmine} {
					if beside, thief := accusations(h, who); !slices.Equal([]int{beside, thief}, want[i][:]) {
						t.Errorf("%d hears %d times of another key and %d times of a thief, want %v:\n%s", who, beside, thief, want[i], h.Texts(who))
					}
				}
			})
		})
	}
}

// TestAlikeWithAnotherKey: of several purchases of one price with the other key, minutes apart, each explains what has gone once.
func TestAlikeWithAnotherKey(t *testing.T) {
	sampletest.Slow(t)
	sampletest.MoreThanFew(t)
	t.Parallel()
	for _, gap := range []time.Duration{2 * time.Minute, 5 * time.Minute, 14 * time.Minute} {
		withTwoKeys(t, func(h *apptest.Harness) {
			for range 3 {
				h.Buy(apptest.Sam, "Play Card", "10 USD", "1")
				h.Pass(gap)
			}
			h.Pass(2 * time.Hour)
			if beside, thief := accusations(h, apptest.Yasmine); beside == 0 || thief > 0 {
				t.Errorf("%s apart, another key is told of %d times, a thief %d times:\n%s", gap, beside, thief, h.Texts(apptest.Yasmine))
			}
		})
	}
}

// TestAnotherKeyBeforeTheAlarm: what the other key was seen with is of before an own purchase, or the purchase with it is uncertain. Nobody is
// accused of what was bought here.
func TestAnotherKeyBeforeTheAlarm(t *testing.T) {
	t.Parallel()
	sampletest.Slow(t)
	buy := func(h *apptest.Harness, who int64, variant string) {
		h.Order(who, "Play Card", variant, "1")
		h.Telegram.TapButton(who, who, "✅")
	}
	for name, play := range map[string]func(h *apptest.Harness){
		"an own purchase just before it": func(h *apptest.Harness) {
			buy(h, apptest.Yasmine, "25 USD")
			h.Pass(20*time.Minute + 45*time.Second)
			buy(h, apptest.Sam, "10 USD")
		},
		"money came beside it": func(h *apptest.Harness) {
			buy(h, apptest.Yasmine, "25 USD")
			h.Pass(6 * time.Minute)
			h.Service.Deposit(apptest.LegacyTestKey, "800")
		},
		"the answer was lost": func(h *apptest.Harness) {
			h.Service.Inject(sim.Fault{Operation: sim.Spending, Kind: sim.LoseAnswer, Times: 1})
			h.Service.SetWorld(sim.World{ListStatus: 502})
			buy(h, apptest.Yasmine, "25 USD")
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			withTwoKeys(t, func(h *apptest.Harness) {
				play(h)
				h.Pass(time.Hour)
				if beside, thief := accusations(h, apptest.Sam); beside != 1 || thief > 0 {
					t.Errorf("another key is told of %d times, a thief %d times:\n%s", beside, thief, h.Texts(apptest.Sam))
				}
			})
		})
	}
}

package proof

import (
	"context"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"resellerbot/internal/api/dzd"
	"resellerbot/internal/api/sim"
	"resellerbot/internal/sandbox/tgsim"
	"resellerbot/internal/store"
)

// TestSoakSees: whoever judges a soak sees what must not be, and nothing where all is as it must be.
func TestSoakSees(t *testing.T) {
	const not, paid, delivered = "☑️ Not bought. Nothing was charged.\nOrder #%s", "🕓 Bought. The codes follow.\nOrder #%s", "🎉 Delivered\nOrder #%s\n%s"
	for kind, play := range map[string]func(*soakStory){
		"": func(s *soakStory) {
			s.buy("AAAAA")
			s.say("AAAAA", paid)
			s.deliver("AAAAA", "AAAAA", 1)
		},
		"nothing was charged, it says, and it was": func(s *soakStory) {
			s.buy("AAAAA")
			s.say("AAAAA", not)
			s.deliver("AAAAA", "AAAAA", 1)
		},
		"it was bought, it says, and it was not": func(s *soakStory) { s.say("BBBBB", paid) },
		"bought twice": func(s *soakStory) {
			s.buy("AAAAA")
			s.buy("AAAAA")
			s.deliver("AAAAA", "AAAAA", 1)
		},
		"a paid code never came": func(s *soakStory) {
			s.buy("AAAAA")
			s.ready()
		},
		"a code of another purchase": func(s *soakStory) {
			s.buy("AAAAA")
			s.buy("BBBBB")
			s.deliver("AAAAA", "AAAAA", 1)
			s.deliver("AAAAA", "BBBBB", 2)
			s.deliver("BBBBB", "BBBBB", 3)
		},
		"a code twice, without a word": func(s *soakStory) {
			s.buy("AAAAA")
			s.deliver("AAAAA", "AAAAA", 1)
			s.deliver("AAAAA", "AAAAA", 2)
		},
		"a message could not be handled, it says after a ✅": func(s *soakStory) {
			s.buy("AAAAA")
			s.taps = append(s.taps, soakTap{at: time.Now(), chat: s.chat, message: 1, purchase: "AAAAA", query: "1"})
			s.deliver("AAAAA", "AAAAA", 1)
			s.say("", "⚠️ Your tap on ✅ Buy for DZD 1,250.50 could not be handled. Nothing was charged by it. Tap again.%s")
		},
		"a code in the wrong shop": func(s *soakStory) {
			s.buy("AAAAA")
			s.deliver("AAAAA", "AAAAA", 1)
			s.chat = s.shops[1].people[0].id
			s.deliver("AAAAA", "AAAAA", 1)
		},
		"a false accusation": func(s *soakStory) {
			s.say("", "🚨 100 left the balance, and no purchase made here with this key explains it.%s")
		},
		"charged something else than was shown": func(s *soakStory) {
			s.worlds[0].SetPrice(101, "1900")
			s.buy("AAAAA")
			s.deliver("AAAAA", "AAAAA", 1)
		},
		"open at the end: unknown": func(s *soakStory) { s.left["AAAAA"] = store.Purchase{ID: "AAAAA", Phase: store.Unknown} },
	} {
		t.Run(kind, func(t *testing.T) {
			s := newSoakStory(t, delivered)
			play(s)
			s.judge(soakLeft{purchases: s.left})
			if got := strings.Join(slices.Sorted(maps.Keys(s.violations)), "; "); got != kind {
				t.Errorf("it sees %q\n%v", got, s.violations)
			}
		})
	}
}

// TestSoakForgives: whoever judges a soak sees nothing in what is as it must be, however odd it looks.
func TestSoakForgives(t *testing.T) {
	const delivered, again = "🎉 Delivered\nOrder #%s\n%s", "🎉 Delivered\nOrder #%s\n🔁 Delivered again: same order, same codes.\n%s"
	for name, play := range map[string]func(*soakStory){
		"the second message says so": func(s *soakStory) {
			s.buy("AAAAA")
			s.deliver("AAAAA", "AAAAA", 1)
			s.delivered = again
			s.deliver("AAAAA", "AAAAA", 2)
		},
		"the message that says so arrives first": func(s *soakStory) {
			s.buy("AAAAA")
			s.delivered = again
			s.deliver("AAAAA", "AAAAA", 2)
			s.delivered = delivered
			s.deliver("AAAAA", "AAAAA", 1)
		},
		"an order that the answer has left out is told": func(s *soakStory) {
			s.buy("AAAAA")
			s.ready()
			s.say("AAAAA", "🕓 Bought.\nOrder #%s\n⚠️ 1 unit is missing here: its order is not known. Look for it in the supplier history, then ask its support.")
		},
		"a code is shown to whoever asks": func(s *soakStory) {
			s.buy("AAAAA")
			s.ready()
			s.say("AAAAA", "🎉 Delivered\nOrder #%s\n🔒 1 code is here. The team can ask for it.")
		},
		"a code is shown to whoever has come back and asks": func(s *soakStory) {
			s.buy("AAAAA")
			s.ready()
			s.say("AAAAA", "🎉 Delivered\nOrder #%s\n🔒 1 code. Tap 👁 to see it.")
		},
		"an account goes on under another key": func(s *soakStory) {
			s.shops[0] = s.shops[2] // of a generation that names no users
			s.chat = s.shops[0].people[0].id
			s.shops[0].rotate()
			first := s.shops[0].account(s.shops[0].keys[0])
			s.truth.submits[first] = append(s.truth.submits[first], soakSubmit{time.Now(), "AAAAA"})
			s.request("/api/products/10/101/purchase")
			s.deliver("AAAAA", "AAAAA", 1)
		},
		"a tap on something else could not be handled": func(s *soakStory) {
			s.buy("AAAAA")
			s.deliver("AAAAA", "AAAAA", 1)
			s.taps = append(s.taps, soakTap{at: time.Now(), chat: s.chat, message: 1, purchase: "AAAAA", query: "1"})
			s.say("AAAAA", "🎉 Delivered\nOrder #%s")
			s.say("", "⚠️ Your tap on Play Card could not be handled. Nothing was charged by it. Tap again.%s")
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := newSoakStory(t, delivered)
			play(s)
			s.judge(soakLeft{purchases: s.left})
			if len(s.violations) > 0 {
				t.Errorf("it sees %v", s.violations)
			}
		})
	}
}

// soakStory is a soak whose purchases and sentences are made up.
type soakStory struct {
	*soak

	chat      int64
	delivered string
	left      map[string]store.Purchase
}

func newSoakStory(t *testing.T, delivered string) *soakStory {
	t.Helper()
	live := &liveBot{t: t, service: sim.New(sim.Options{Seed: 1}), telegram: tgsim.New(tgsim.Options{Token: killToken, BotName: "shop_bot"})}
	s := &soakStory{soak: newSoak(live, 1, time.Hour), delivered: delivered, left: map[string]store.Purchase{}}
	s.settled, s.began = true, time.Now()
	s.chat = s.shops[0].people[0].id
	for _, id := range []string{"AAAAA", "BBBBB"} {
		s.left[id] = store.Purchase{ID: id, Phase: store.Settled, Total: dzd.Must("1250.50")}
	}
	return s
}

// buy has a purchase's request reach the service, as the program sends it.
func (s *soakStory) buy(purchase string) {
	shop := s.shops[0]
	s.truth.submits[shop.account(shop.key)] = append(s.truth.submits[shop.account(shop.key)], soakSubmit{time.Now(), purchase})
	s.request("/api/products/purchase/101")
}

// request has a request that spends reach the service.
func (s *soakStory) request(path string) {
	r := httptest.NewRequestWithContext(context.Background(), http.MethodPost, path, strings.NewReader(`{"quantity":1}`))
	r.Header.Set("X-Api-Key", s.shops[0].key)
	s.traffic.ServeHTTP(httptest.NewRecorder(), r)
}

// say has the bot say something about a purchase.
func (s *soakStory) say(purchase, form string) {
	s.ear.said = append(s.ear.said, utterance{at: time.Now(), chat: s.chat, text: fmt.Sprintf(form, purchase)})
}

// deliver has the bot show the codes of one purchase as those of another.
func (s *soakStory) deliver(purchase, as string, message int) {
	s.t.Helper()
	s.ready()
	for _, e := range s.executions()[purchase] {
		for _, o := range e.orders {
			u := utterance{at: time.Now(), chat: s.chat, message: message, text: fmt.Sprintf(s.delivered, as, o.Code), codes: []string{o.Code}}
			s.ear.said = append(s.ear.said, u)
		}
	}
}

// ready has all orders be ready.
func (s *soakStory) ready() {
	s.t.Helper()
	for _, w := range s.worlds {
		for _, o := range w.Orders() {
			if o.Status == "processing" {
				if err := w.Complete(o.ID, "", ""); err != nil {
					s.t.Fatal(err)
				}
			}
		}
	}
}

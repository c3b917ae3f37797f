package main

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
	"resellerbot/internal/conversations/tgsim"
	"resellerbot/internal/store"
)

// TestSoakSees: whoever judges a soak sees what must not be, and nothing where all is as it must be.
func TestSoakSees(t *testing.T) {
	const not, paid, delivered = "☑️ Not bought. Nothing was charged.\nOrder #%s", "🕓 Bought. The codes are on their way.\nOrder #%s", "🎉 Delivered\nOrder #%s\n%s"
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
		"a code in the wrong shop": func(s *soakStory) {
			s.buy("AAAAA")
			s.deliver("AAAAA", "AAAAA", 1)
			s.chat = s.shops[1].people[0].id
			s.deliver("AAAAA", "AAAAA", 1)
		},
		"a false accusation": func(s *soakStory) {
			s.say("", "🚨 100 left the balance, and no purchase of this bot explains it.%s")
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
	r := httptest.NewRequestWithContext(context.Background(), http.MethodPost, "/api/products/purchase/101", strings.NewReader(`{"quantity":1}`))
	r.Header.Set("X-Api-Key", shop.key)
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

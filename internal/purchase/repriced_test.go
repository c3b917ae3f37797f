package purchase_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"resellerbot/internal/api"
	"resellerbot/internal/api/dzd"
	"resellerbot/internal/sampletest"
	"resellerbot/internal/secret"
	"resellerbot/internal/store"
)

// figures are the figures of what the buyer's chat was told, of prices oldest first: what was shown, what is charged or
// named now, and what was told of that before. Alarms have none.
func (s *shop) figures() (out []string) {
	s.t.Helper()
	rows, err := s.store.ChatOutbox(context.Background(), 5, 1000)
	if err != nil {
		s.t.Fatal(err)
	}
	for _, r := range rows {
		if r.Kind == store.Note {
			out = append(out, fmt.Sprintf("%s %s: %s%s, %s", r.NoteName(), r.Args["shown"], r.Args["charged"], r.Args["named"], r.Args["before"]))
		}
	}
	return out
}

// TestPricesOneAfterAnother: the order of a purchase that was shown at 100 names one price after another, at its end too, and
// money moves with that or does not. What was told is corrected, once for each change.
func TestPricesOneAfterAnother(t *testing.T) {
	sampletest.Slow(t)
	type step struct {
		name  int64 // what the order names; 0 for what it did
		take  int64 // what shows to be gone; negative for what comes
		first bool  // the money shows before the order names it
		gone  bool  // somebody else takes 37 with it
	}
	for name, test := range map[string]struct {
		steps   []step
		charged int64 // 0 for what was shown
		told    []string
	}{
		"dearer, and dearer still": {
			steps:   []step{{name: 190, take: 190}, {name: 210, take: 20}},
			charged: 210, told: []string{"charged 100: 190, ", "charged 100: 210, 190"},
		},
		"dearer, and less again": {
			steps:   []step{{name: 190, take: 190}, {name: 150, take: -40}},
			charged: 150, told: []string{"charged 100: 190, ", "charged 100: 150, 190"},
		},
		"dearer, and what was shown after all": {
			steps: []step{{name: 190, take: 190}, {name: 100, take: -90}},
			told:  []string{"charged 100: 190, ", "charged 100: 100, 190"},
		},
		"dearer, shown, and dearer once more": {
			steps:   []step{{name: 190, take: 190}, {name: 100, take: -90}, {name: 190, take: 90}},
			charged: 190, told: []string{"charged 100: 190, ", "charged 100: 100, 190", "charged 100: 190, "},
		},
		"the money comes back first": {
			steps: []step{{name: 190, take: 190}, {name: 100, take: -90, first: true}},
			told:  []string{"charged 100: 190, ", "charged 100: 100, 190"},
		},
		"less, and what was shown after all": {
			steps: []step{{name: 80, take: 80}, {name: 100, take: 20}},
			told:  []string{"charged 100: 80, ", "charged 100: 100, 80"},
		},
		"a second price that no money follows": {
			steps:   []step{{name: 190, take: 190}, {name: 210}, {name: 190}, {name: 100}},
			charged: 190, told: []string{"charged 100: 190, "},
		},
		"a second price beside somebody's": {
			steps:   []step{{name: 190, take: 190}, {name: 210, take: 20, gone: true}},
			charged: 190, told: []string{"charged 100: 190, ", "price_unsure 100: 210, 190", "debit_or_late : , "},
		},
		"nobody knows, and it names another": {
			steps: []step{{name: 190, take: 190, gone: true}, {name: 210}},
			told:  []string{"price_unsure 100: 190, ", "price_unsure 100: 210, 190", "debit_or_late : , "},
		},
		"nobody knows, and it names what was shown": {
			steps: []step{{name: 190, take: 190, gone: true}, {name: 100}},
			told:  []string{"price_unsure 100: 190, ", "price_unsure 100: 100, 190", "debit_or_late : , "},
		},
		"what nobody has paid, and what was shown": {
			steps: []step{{name: 190, take: 100}, {name: 100}},
		},
	} {
		for pace, between := range map[string]time.Duration{"soon": 25 * time.Minute, "after hours": 3 * time.Hour, "after days": 100 * time.Hour} {
			t.Run(name+", "+pace, func(t *testing.T) {
				inShop(t, func(s *shop) {
					p := s.is(s.buy(1), store.Accepted)
					names := func(price int64) {
						s.settle(api.Order{ID: s.get(p.ID).OrderIDs[0], Status: "completed", Code: secret.New("CODE-1"), Price: dzd.Int(price)})
					}
					pause := max(between, 2*time.Hour) // people are told of what nobody knows after an hour
					if !slices.ContainsFunc(test.told, func(told string) bool { return strings.HasPrefix(told, "price_unsure") }) {
						pause = between
					}
					for _, step := range test.steps {
						if step.gone {
							s.takes(37, 0)
						}
						if step.first {
							s.takes(step.take, 0)
							s.observe()
							s.live(30 * time.Minute)
							names(step.name)
						} else {
							names(step.name)
							s.takes(step.take, 0)
							s.observe()
						}
						s.live(min(pause, 3*time.Hour))
						<-time.After(pause - min(pause, 3*time.Hour))
						names(step.name) // somebody looks once more
						s.observe()
					}
					s.live(2 * time.Hour)
					equal(t, s.figures(), test.told...)
					want, now := dzd.Int(test.charged), s.get(p.ID).Charged
					if test.charged == 0 && now != nil || test.charged != 0 && (now == nil || !now.Equal(want)) {
						t.Errorf("it was charged %v, want %v", now, test.charged)
					}
				})
			})
		}
	}
}

// TestSecondPriceIsNews: an order that waits names another price than before. It is not kept until something else changes.
func TestSecondPriceIsNews(t *testing.T) {
	inShop(t, func(s *shop) {
		p := s.is(s.buy(1), store.Accepted)
		seen := api.Order{ID: s.get(p.ID).OrderIDs[0], Status: "processing", Price: dzd.Int(100)}
		s.settle(seen)
		o := s.order(seen.ID)
		if s.engine.News(o, seen, time.Now()) {
			t.Error("the same again is news")
		}
		seen.Price = dzd.Int(190)
		if !s.engine.News(o, seen, time.Now()) {
			t.Error("another price is no news")
		}
	})
}

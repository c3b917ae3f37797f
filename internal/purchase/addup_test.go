package purchase_test

import (
	"fmt"
	"testing"
	"time"

	"pgregory.net/rapid"

	"resellerbot/internal/api"
	"resellerbot/internal/api/dzd"
	"resellerbot/internal/purchase"
	"resellerbot/internal/sampletest"
	"resellerbot/internal/store"
)

// TestChangesAddUp: what the balance showed first, its changes, and what has no entry among them make what it shows last, whatever a reading
// seemed to be.
func TestChangesAddUp(t *testing.T) {
	once, twice := []int{1}, []int{1, 1}
	for name, c := range map[string]struct {
		buys          []int
		looks         []look
		lacking, rest int64
	}{
		"one of two may have failed":                 {twice, []look{{10 * time.Second, 800}, {2 * time.Minute, 900}}, 100, 0},
		"and so much later that no reading is older": {twice, []look{{10 * time.Second, 800}, {20 * time.Minute, 800}, {2 * time.Hour, 900}}, 0, 100},
		"and 20 are gone besides":                    {twice, []look{{10 * time.Second, 800}, {2 * time.Minute, 900}, {time.Minute, 880}}, 0, 80},
		"it was an older reading":                    {twice, []look{{10 * time.Second, 800}, {2 * time.Minute, 900}, {time.Minute, 800}}, 0, 0},
		"none of it shows yet":                       {twice, []look{{10 * time.Second, 1000}}, 200, 0},
		"20 are gone, and it does not show yet":      {once, []look{{10 * time.Second, 980}}, 100, -20},
		"20 are gone behind it":                      {once, []look{{10 * time.Second, 880}}, 0, -20},
		"half of it is gone":                         {once, []look{{10 * time.Second, 950}}, 0, 50},
		"one of two shows":                           {[]int{2, 1}, []look{{10 * time.Second, 800}}, 100, 0},
	} {
		t.Run(name, func(t *testing.T) {
			inShop(t, func(s *shop) {
				s.generation(api.Legacy)
				s.service.lists = true
				s.stands()
				for _, n := range c.buys {
					s.buy(n)
				}
				s.looks(c.looks)
				lacking, rest := purchase.Unlisted(s.owns().Wallet, time.Now())
				if !lacking.Equal(dzd.Int(c.lacking)) || !rest.Equal(dzd.Int(c.rest)) {
					t.Errorf("it lacks %s, and %s is not accounted for; want %d and %d", lacking, rest, c.lacking, c.rest)
				}
				s.addsUp(c.looks[len(c.looks)-1].balance)
			})
		})
	}
}

// TestChangesAddUpBesideATopUp: money has come, and stands without an explanation so soon behind the first reading. What is bought behind it leaves
// it as it is, whether or not a reading shows it, and also where one of two may have failed.
func TestChangesAddUpBesideATopUp(t *testing.T) {
	inShop(t, func(s *shop) {
		s.generation(api.Legacy)
		s.service.lists = true
		s.observe()
		s.looks([]look{{time.Minute, 1333}}) // so soon behind the first reading, it may be that this one was old
		for i, c := range []struct {
			buys    int
			balance int64
			lacking int64
		}{{0, 1333, 0}, {1, 1333, 100}, {0, 1233, 0}, {2, 1233, 200}, {1, 1133, 200}, {0, 933, 0}} {
			if c.buys > 0 {
				s.buy(c.buys)
			}
			s.looks([]look{{10 * time.Second, c.balance}})
			if lacking, rest := purchase.Unlisted(s.owns().Wallet, time.Now()); !lacking.Equal(dzd.Int(c.lacking)) || !rest.Equal(dzd.Int(333)) {
				t.Errorf("%d: it lacks %s, and %s is not accounted for; want %d and 333", i, lacking, rest, c.lacking)
			}
			s.addsUp(c.balance)
		}
	})
}

// addStep is something that happens to an account; n tells which, or how.
type addStep struct {
	what string
	n    int
}

// TestAlwaysAddsUp is TestChangesAddUp for whatever happens, in whatever order.
func TestAlwaysAddsUp(t *testing.T) {
	sampletest.Slow(t)
	defer sampletest.FewChecks(20)()
	// All is drawn before it is played: a property must not end in the bubble of inShop.
	steps := rapid.SliceOfN(rapid.Custom(func(rt *rapid.T) addStep {
		kinds := []string{"buy", "buy", "lose", "look", "look", "look", "fail", "name", "decide", "wait"}
		return addStep{rapid.SampledFrom(kinds).Draw(rt, "what"), rapid.IntRange(0, 11).Draw(rt, "n")}
	}), 4, 16)
	rapid.Check(t, func(rt *rapid.T) {
		fault, list := "", steps.Draw(rt, "steps")
		inShop(t, func(s *shop) {
			s.generation(api.Legacy)
			s.stands()
			var bought []store.Purchase
			truth := int64(1000) // what a reading shows that is not late
			for i, step := range list {
				truth += s.adds(step, truth, &bought)
				if fault = s.summed(); fault != "" {
					fault = fmt.Sprintf("after step %d: %s", i, fault)
					return
				}
			}
		})
		if fault != "" {
			rt.Fatal(fault)
		}
	})
}

// adds has a step happen, and tells by how much it moves the balance.
func (s *shop) adds(step addStep, truth int64, bought *[]store.Purchase) int64 {
	s.t.Helper()
	switch step.what {
	case "buy", "lose":
		if s.owns().Busy != "" {
			return 0
		}
		s.deliver()
		if step.what == "lose" {
			s.service.verdicts = []api.Verdict{{Outcome: api.Unknown, Reason: "timeout"}}
		}
		*bought = append(*bought, s.buy(1))
		return -100
	case "look": // fresh, of before, of something else besides
		offs := []int64{0, 0, 0, 100, 200, -100, 50, -37}
		s.shown(truth + offs[step.n%len(offs)])
		return 0
	case "wait":
		s.live([]time.Duration{4 * time.Second, time.Minute, 17 * time.Minute, 70 * time.Minute}[step.n%4])
		return 0
	}
	if len(*bought) == 0 {
		return 0
	}
	p := s.get((*bought)[step.n%len(*bought)].ID)
	switch {
	case step.what == "decide" && p.Phase == store.Undecided:
		if err := s.engine.Decide(s.t.Context(), p.ID, 5, 5, step.n%2 == 0); err != nil {
			s.t.Error(err)
		}
	case step.what == "name" && p.Phase == store.Accepted:
		s.names(p, []int64{100, 150, 50}[step.n%3])
	case step.what == "fail" && p.Phase == store.Accepted:
		s.settle(api.Order{ID: p.OrderIDs[0], Status: "failed"})
		return 100
	}
	return 0
}

// addsUp holds the changes of the balance since it was 1000, and what is not among them, against what it has shown last.
func (s *shop) addsUp(last int64) {
	s.t.Helper()
	if fault := s.summed(); fault != "" {
		s.t.Error(fault)
	}
	if shown := s.owns().Wallet.Shown; !shown.Equal(dzd.Int(last)) {
		s.t.Errorf("it has shown %s; want %d", shown, last)
	}
}

// summed tells where the changes of the balance since it was 1000 and what is undecided do not make what can be spent, or these and what else is
// told not what the last reading has shown; and where that is told to lack less than nothing.
func (s *shop) summed() (fault string) {
	s.t.Helper()
	w := s.owns().Wallet
	list, err := s.store.Movements(s.t.Context(), "u1", 200)
	if err != nil {
		s.t.Fatal(err)
	}
	sum := dzd.Int(1000).Add(purchase.Undecided(w))
	for _, m := range list {
		sum = sum.Add(m.Amount)
	}
	lacking, rest := purchase.Unlisted(w, time.Now())
	switch {
	case lacking.Sign() < 0:
		return fmt.Sprintf("a reading that lacks purchases is too high, and it is told to lack %s", lacking)
	case !sum.Equal(w.Available):
		return fmt.Sprintf("%s by its changes %q, and %s can be spent: %+v", sum, s.movements(), w.Available, w)
	case !sum.Add(lacking).Add(rest).Equal(*w.Shown):
		return fmt.Sprintf("%s by its changes %q, %s that it lacks and %s besides, and it shows %s: %+v", sum, s.movements(), lacking, rest, w.Shown, w)
	}
	return ""
}

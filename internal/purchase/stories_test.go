package purchase_test

import (
	"fmt"
	"slices"
	"strconv"
	"testing"
	"time"

	"pgregory.net/rapid"

	"resellerbot/internal/api"
	"resellerbot/internal/api/dzd"
	"resellerbot/internal/sampletest"
	"resellerbot/internal/store"
)

// story is one purchase of a shop, as the service truly does it.
type story struct {
	kind     string // how it is answered
	price    int64  // for a unit, as it was shown
	named    int64  // by its orders
	executed bool
	hidden   bool // its order stands in no list
}

// TestStoriesOfFewPurchases: two or three purchases of few prices, so that these make up each other, with a balance and lists that are late. Whoever is
// asked says what is true. None that was executed is ever called not bought, none that was not is accepted, and none stays open.
func TestStoriesOfFewPurchases(t *testing.T) {
	sampletest.Slow(t)
	defer sampletest.FewChecks(20)()
	rapid.Check(t, func(rt *rapid.T) {
		lag := rapid.SampledFrom([]time.Duration{time.Second, 20 * time.Second, time.Minute, 3 * time.Minute, 8 * time.Minute})
		rest := rapid.SampledFrom([]time.Duration{0, 30 * time.Second, 5 * time.Minute, 20 * time.Minute})
		of := rapid.Custom(func(rt *rapid.T) story {
			kind := rapid.SampledFrom([]string{"whole", "partly", "lost", "refused"}).Draw(rt, "kind")
			price := rapid.SampledFrom([]int64{50, 100, 150}).Draw(rt, "price")
			return story{
				kind: kind, price: price, named: rapid.SampledFrom([]int64{price, 50, 100, 150, 200}).Draw(rt, "named"),
				executed: kind == "whole" || kind == "partly" || rapid.Bool().Draw(rt, "executed"), hidden: rapid.Bool().Draw(rt, "hidden"),
			}
		})
		all := rapid.SliceOfN(of, 2, len(itemNames)).Draw(rt, "purchases")
		late, asked := lag.Draw(rt, "lag"), rapid.SampledFrom([]time.Duration{2 * time.Minute, 10 * time.Minute, 25 * time.Minute, 90 * time.Minute}).Draw(rt, "asked")
		rests := rapid.SliceOfN(rest, len(all), len(all)).Draw(rt, "rests")
		fault := "" // told behind the bubble: a property must not end in it
		inShop(t, func(s *shop) {
			s.service.balance = dzd.Int(10000)
			s.generation(api.Legacy)
			s.stands()
			var bought []store.Purchase
			for i, x := range all {
				bought = append(bought, s.begins(x, i, late))
				s.live(rests[i])
			}
			for range 4 {
				s.looksFor(asked)
				for i, p := range bought {
					s.answersTruly(all[i], p, i)
				}
				s.looksFor(time.Hour)
			}
			s.looksFor(3 * time.Hour)
			for i, p := range bought {
				now := s.get(p.ID)
				accepted := now.Phase == store.Accepted || now.Phase == store.Settled
				denied := slices.ContainsFunc(now.History, func(h store.Step) bool { return h.To == store.NotCreated })
				if all[i].executed && denied || !all[i].executed && accepted || now.Phase == store.Undecided || now.Phase == store.Unknown {
					fault = fmt.Sprintf("purchase %d is %s: %+v", i, now.Phase, now.History)
				}
			}
		})
		if fault != "" {
			rt.Fatal(fault)
		}
	})
}

// begins has a purchase sent, and what it truly comes to show with the balance and the list as late as that.
func (s *shop) begins(x story, i int, late time.Duration) (p store.Purchase) {
	s.t.Helper()
	s.deliver() // a chat that is behind buys nothing
	name := itemNames[i]
	switch x.kind {
	case "whole", "partly":
		n := 1
		if x.kind == "partly" { // of which one is sold
			n = 2
		}
		p = s.accepts(name, n, x.price, rowOf(i))
		s.takes(x.named, late)
		s.names(p, x.named)
		return p
	case "lost":
		p = s.item(name, 1, x.price, api.Verdict{Outcome: api.Unknown, Reason: "timeout"})
	default:
		p = s.item(name, 1, x.price, api.Verdict{Outcome: api.Rejected, Class: api.OutOfStock, Status: 400})
	}
	if x.executed {
		s.takes(x.price, late)
		if !x.hidden {
			o := listed(rowOf(i), time.Now())
			o.VariantName, o.Price = name, dzd.Int(x.price)
			s.shows(late, withCode(o, "CODE-"+rowOf(i)))
		}
	}
	s.live(10 * time.Second)
	if s.get(p.ID).Phase == store.Unknown {
		s.letGo(p)
	}
	return p
}

// rowOf is the order of one of the purchases.
func rowOf(i int) string { return strconv.Itoa(10*i + 1) }

// answersTruly has a person who is asked about a purchase say what is true of it, and pick its order where that is offered.
func (s *shop) answersTruly(x story, p store.Purchase, i int) {
	s.t.Helper()
	now := s.get(p.ID)
	switch {
	case now.Phase == store.Accepted && len(now.OrderIDs) == 1 && (x.kind == "lost" || x.kind == "refused"):
		s.settle(withCode(api.Order{ID: now.OrderIDs[0], Status: "completed", Price: dzd.Int(x.price)}, "CODE-"+rowOf(i)))
	case now.Phase != store.Undecided:
	case x.executed && slices.Contains(s.choices(p).IDs(), rowOf(i)):
		if err := s.adopt(p, rowOf(i)); err != nil {
			s.t.Fatal(err)
		}
	default:
		s.decides(p, x.executed)
	}
}

package purchase_test

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"pgregory.net/rapid"

	"resellerbot/internal/api"
	"resellerbot/internal/api/dzd"
	"resellerbot/internal/purchase"
	"resellerbot/internal/sampletest"
	"resellerbot/internal/secret"
	"resellerbot/internal/store"
)

// The team of u1 in these tests.
const (
	amine   = int64(5) // an owner
	lina    = int64(6) // another owner
	karim   = int64(7) // a seller
	nadia   = int64(8) // at the counter
	shopsAt = int64(-70)
)

// inTeam plays with an engine whose account has a team.
func inTeam(t *testing.T, play func(*shop)) {
	t.Helper()
	inShop(t, func(s *shop) {
		s.service.balance = dzd.Int(1_000_000)
		s.account(func(a *store.Account) {
			store.Admit(a, store.Member{User: amine, Name: "Amine", Role: store.Owner})
			store.Admit(a, store.Member{User: lina, Name: "Lina", Role: store.Owner})
			store.Admit(a, store.Member{User: karim, Name: "Karim", Role: store.Seller})
			store.Admit(a, store.Member{User: nadia, Name: "Nadia", Role: store.Counter})
			a.Place, a.Chats = &store.Place{Chat: shopsAt}, append(a.Chats, shopsAt)
		})
		play(s)
	})
}

// account changes the account.
func (s *shop) account(change func(*store.Account)) {
	s.t.Helper()
	s.update(func(tx *store.Tx) error {
		a, err := tx.Account("u1")
		if err != nil {
			return err
		}
		change(&a)
		return tx.PutAccount(&a)
	})
}

// limit sets the seller's limits; nil for none.
func (s *shop) limit(perPurchase, perDay *dzd.Amount) {
	s.t.Helper()
	s.account(func(a *store.Account) {
		m, _ := a.Member(karim)
		m.PerPurchase, m.PerDay = perPurchase, perDay
		store.Admit(a, m)
	})
}

func amount(n int64) *dzd.Amount { a := dzd.Int(n); return &a }

// draftOf drafts a purchase of n units, at 100 each, in somebody's private chat.
func (s *shop) draftOf(user int64, n int, told ...store.Purchase) store.Purchase {
	s.t.Helper()
	p, err := s.engine.Draft(context.Background(), purchase.Draft{
		Account: "u1", Chat: user, User: user, Message: 50, Product: api.Product{ID: 3, Name: "Card"},
		Variant: api.Variant{ID: 7, Name: "10 USD", Price: dzd.Int(100)}, Quantity: n, Same: told,
	})
	if err != nil {
		s.t.Fatal(err)
	}
	return p
}

// confirm taps the ✅ of a draft.
func (s *shop) confirm(p store.Purchase) error {
	_, err := s.engine.Confirm(context.Background(), tap(p))
	synctest.Wait()
	return err
}

// later lets time go by, with fewer looks than there are really.
func (s *shop) later(d time.Duration) {
	s.t.Helper()
	for range 12 {
		<-time.After(min(d/12, 2*time.Minute))
		s.processDue(2 * time.Second)
	}
	<-time.After(max(0, d-24*time.Minute))
	s.processDue(2 * time.Second)
}

// ask has the owners asked for a draft.
func (s *shop) ask(p store.Purchase) store.Purchase {
	s.t.Helper()
	p, err := s.engine.Ask(context.Background(), tap(p))
	if err != nil {
		s.t.Fatal(err)
	}
	return p
}

// word is an owner's tap on the question for a purchase.
func word(p store.Purchase, owner int64) purchase.Tap {
	return purchase.Tap{Purchase: p.ID, Nonce: p.Ask.Nonce, Chat: owner, User: owner, Message: 60}
}

// waiting lists the kinds of what waits for a chat.
func (s *shop) waiting(chat int64) (kinds []store.OutKind) {
	s.t.Helper()
	rows, err := s.store.ChatOutbox(context.Background(), chat, 100)
	if err != nil {
		s.t.Fatal(err)
	}
	for _, r := range rows {
		kinds = append(kinds, r.Kind)
	}
	return kinds
}

// TestWhoMayBuy: each role by its right, and what is not anybody's is nobody's.
func TestWhoMayBuy(t *testing.T) {
	for user, want := range map[int64]error{
		amine: nil, lina: nil, karim: nil, nadia: purchase.ErrNotAllowed, 99: purchase.ErrNotAllowed,
	} {
		t.Run(strconv.FormatInt(user, 10), func(t *testing.T) {
			inTeam(t, func(s *shop) {
				p := s.draftOf(user, 1)
				if err := s.confirm(p); !errors.Is(err, want) {
					t.Errorf("%v, want %v", err, want)
				}
				sent := 0
				if want == nil {
					sent = 1
				}
				s.sent(sent)
			})
		})
	}
}

// TestRightsAreThoseOfTheMoment: who was taken out of the team, or made less, buys nothing with what they have
// on the screen, nor with what waits in line.
func TestRightsAreThoseOfTheMoment(t *testing.T) {
	inTeam(t, func(s *shop) {
		s.service.takes = 10 * time.Second
		var first, second store.Purchase
		for _, p := range []*store.Purchase{&first, &second} {
			*p = s.draftOf(karim, 1)
			if err := s.confirm(*p); err != nil {
				t.Fatal(err)
			}
		}
		third := s.draftOf(karim, 1)
		s.account(func(a *store.Account) { store.Part(a, karim) })
		if err := s.confirm(third); !errors.Is(err, purchase.ErrNotAllowed) {
			t.Errorf("a former seller's tap: %v", err)
		}
		<-time.After(time.Minute)
		s.is(first, store.Accepted) // on its way already
		if p := s.is(second, store.Dropped); p.Reason != store.ReasonRemoved {
			t.Errorf("dropped as %s", p.Reason)
		}
		s.sent(1)
	})
}

// TestLock: nothing is sent once it is on disk, whoever asks, and everything works again without it.
func TestLock(t *testing.T) {
	inTeam(t, func(s *shop) {
		s.service.takes = 10 * time.Second
		first, second := s.draftOf(karim, 1), s.draftOf(amine, 1)
		if err := errors.Join(s.confirm(first), s.confirm(second)); err != nil {
			t.Fatal(err)
		}
		s.limit(amount(0), nil)
		waits := s.ask(s.draftOf(karim, 1))
		s.account(func(a *store.Account) { a.Locked = &store.Lock{By: amine} })
		if err := s.confirm(s.draftOf(amine, 1)); !errors.Is(err, purchase.ErrLocked) {
			t.Errorf("the owner's own tap: %v", err)
		}
		if _, err := s.engine.Ask(context.Background(), tap(s.draftOf(karim, 1))); !errors.Is(err, purchase.ErrLocked) {
			t.Errorf("a question: %v", err)
		}
		if _, err := s.engine.Approve(context.Background(), word(waits, lina)); !errors.Is(err, purchase.ErrLocked) {
			t.Errorf("an approval: %v", err)
		}
		<-time.After(time.Minute)
		s.is(first, store.Accepted)
		if p := s.is(second, store.Dropped); p.Reason != store.ReasonLocked {
			t.Errorf("dropped as %s", p.Reason)
		}
		s.sent(1)
		s.account(func(a *store.Account) { a.Locked = nil })
		if _, err := s.engine.Approve(context.Background(), word(waits, lina)); err != nil {
			t.Errorf("an approval after it: %v", err)
		}
		<-time.After(time.Minute)
		s.sent(2)
	})
}

// TestLockWhileLooking: a lock that comes between the last look and the first byte is in time.
func TestLockWhileLooking(t *testing.T) {
	inTeam(t, func(s *shop) {
		s.service.looking = func() { s.account(func(a *store.Account) { a.Locked = &store.Lock{By: amine} }) }
		p := s.draftOf(amine, 1)
		if err := s.confirm(p); err != nil {
			t.Fatal(err)
		}
		s.is(p, store.Dropped)
		s.sent(0)
	})
}

// TestApproval: above the limit nothing is bought without an owner, each owner gets one question, and the seller
// learns who has decided.
func TestApproval(t *testing.T) {
	inTeam(t, func(s *shop) {
		s.limit(amount(150), nil)
		p := s.draftOf(karim, 2)
		if err := s.confirm(p); !errors.Is(err, purchase.ErrLimit) {
			t.Fatalf("above the limit: %v", err)
		}
		p = s.ask(p)
		if _, err := s.engine.Ask(context.Background(), tap(p)); !errors.Is(err, purchase.ErrStale) {
			t.Errorf("asked twice: %v", err)
		}
		if err := s.confirm(p); !errors.Is(err, purchase.ErrStale) {
			t.Errorf("confirmed by the buyer while an owner is asked: %v", err)
		}
		for chat, want := range map[int64]int{amine: 1, lina: 1, karim: 0, nadia: 0, shopsAt: 0} {
			if got := len(slices.DeleteFunc(s.waiting(chat), func(k store.OutKind) bool { return k != store.Request })); got != want {
				t.Errorf("chat %d is asked %d times, want %d", chat, got, want)
			}
		}
		good := word(p, lina)
		for name, c := range map[string]struct {
			tap  purchase.Tap
			want error
		}{
			"the seller":         {purchase.Tap{Purchase: p.ID, Nonce: p.Ask.Nonce, Chat: karim, User: karim, Message: 60}, purchase.ErrNotAllowed},
			"the counter":        {purchase.Tap{Purchase: p.ID, Nonce: p.Ask.Nonce, Chat: nadia, User: nadia, Message: 60}, purchase.ErrNotAllowed},
			"a stranger":         {purchase.Tap{Purchase: p.ID, Nonce: p.Ask.Nonce, Chat: 99, User: 99, Message: 60}, purchase.ErrNotAllowed},
			"in a group":         {purchase.Tap{Purchase: p.ID, Nonce: p.Ask.Nonce, Chat: shopsAt, User: lina, Message: 60}, purchase.ErrNotAllowed},
			"with another nonce": {purchase.Tap{Purchase: p.ID, Nonce: p.Nonce, Chat: lina, User: lina, Message: 60}, purchase.ErrStale},
			"of nothing":         {purchase.Tap{Purchase: "nothing", Nonce: p.Ask.Nonce, Chat: lina, User: lina, Message: 60}, purchase.ErrStale},
		} {
			if _, err := s.engine.Approve(context.Background(), c.tap); !errors.Is(err, c.want) {
				t.Errorf("%s: %v, want %v", name, err, c.want)
			}
		}
		s.sent(0)
		if _, err := s.engine.Approve(context.Background(), good); err != nil {
			t.Fatal(err)
		}
		synctest.Wait()
		got := s.is(p, store.Accepted)
		if got.Ask.By != lina || got.Ask.Name != "Lina" || !got.Ask.Granted || got.Day != "" {
			t.Errorf("written down: %+v", got.Ask)
		}
		s.sent(1)
		if _, err := s.engine.Refuse(context.Background(), word(p, amine)); !errors.Is(err, purchase.ErrStale) {
			t.Errorf("refused afterwards: %v", err)
		}
	})
}

// TestAskedAndLeft: a question that nobody answers, that its seller takes back, or whose seller is not of the
// team any more leads to nothing.
func TestAskedAndLeft(t *testing.T) {
	for name, c := range map[string]struct {
		leave func(*shop, store.Purchase)
		why   string
	}{
		"expired": {func(s *shop, _ store.Purchase) { s.processDue(31 * time.Minute) }, store.ReasonExpired},
		"taken back": {func(s *shop, p store.Purchase) {
			if err := s.engine.Drop(context.Background(), p.ID, store.ReasonCancelled, true); err != nil {
				s.t.Fatal(err)
			}
		}, store.ReasonCancelled},
		"left": {func(s *shop, p store.Purchase) {
			s.account(func(a *store.Account) { store.Part(a, karim) })
			if _, err := s.engine.Approve(context.Background(), word(p, amine)); !errors.Is(err, purchase.ErrStale) {
				s.t.Errorf("approved for somebody who is gone: %v", err)
			}
		}, store.ReasonRemoved},
	} {
		t.Run(name, func(t *testing.T) {
			inTeam(t, func(s *shop) {
				s.limit(amount(0), nil)
				p := s.ask(s.draftOf(karim, 1))
				s.processDue(20 * time.Minute) // the draft itself would be too old by now
				s.is(p, store.Asked)
				c.leave(s, p)
				if got := s.is(p, store.Dropped); got.Reason != c.why {
					t.Errorf("dropped as %s", got.Reason)
				}
				if _, err := s.engine.Approve(context.Background(), word(p, lina)); !errors.Is(err, purchase.ErrStale) {
					t.Errorf("approved all the same: %v", err)
				}
				s.sent(0)
			})
		})
	}
}

// TestDecidedOnce: however many owners tap whatever at the same moment, one of them decides, and at most one
// purchase comes of it.
func TestDecidedOnce(t *testing.T) {
	inTeam(t, func(s *shop) {
		s.limit(amount(0), nil)
		rapid.Check(t, func(rt *rapid.T) {
			p := s.ask(s.draftOf(karim, 1))
			before := len(s.service.sent)
			taps := rapid.SliceOfN(rapid.Custom(func(rt *rapid.T) [2]bool {
				return [2]bool{rapid.Bool().Draw(rt, "lina"), rapid.Bool().Draw(rt, "approves")}
			}), 1, 6).Draw(rt, "taps")
			var wg sync.WaitGroup
			decided := make([]bool, len(taps))
			for i, c := range taps {
				wg.Go(func() {
					who, act := amine, s.engine.Refuse
					if c[0] {
						who = lina
					}
					if c[1] {
						act = s.engine.Approve
					}
					_, err := act(context.Background(), word(p, who))
					decided[i] = err == nil
					if err != nil && !errors.Is(err, purchase.ErrStale) {
						t.Error(err)
					}
				})
			}
			wg.Wait()
			synctest.Wait()
			var won []int
			for i, d := range decided {
				if d {
					won = append(won, i)
				}
			}
			now := s.get(p.ID)
			if len(won) != 1 || now.Ask.Granted != taps[won[0]][1] || (now.Ask.By == lina) != taps[won[0]][0] {
				rt.Fatalf("of the taps %v the deciding were %v; written down is %+v", taps, won, now.Ask)
			}
			sent := 0
			if now.Ask.Granted {
				sent = 1
			}
			if len(s.service.sent)-before != sent {
				rt.Fatalf("%d purchases were sent, want %d", len(s.service.sent)-before, sent)
			}
		})
	})
}

// TestNoDayAboveItsLimit: whatever a seller does in whatever order, and whatever comes of it, what was bought in
// a day without an owner's word is never above the limit that held when it was confirmed.
func TestNoDayAboveItsLimit(t *testing.T) {
	sampletest.Slow(t)
	inTeam(t, func(s *shop) {
		rapid.Check(t, func(rt *rapid.T) {
			<-time.After(24 * time.Hour) // each sequence on days of its own
			s.heard(karim)
			var made []string
			var limit *dzd.Amount
			s.limit(nil, nil)
			// spent is what counts today, by what became of each purchase: not by the program's own count.
			spent := func() dzd.Amount {
				var sum dzd.Amount
				for _, id := range made {
					p := s.get(id)
					free := p.Ask != nil && p.Ask.Granted
					if p.Phase.Promised() && p.Phase != store.Dropped && p.Phase != store.Rejected && !free && p.QueuedAt.UTC().YearDay() == time.Now().UTC().YearDay() {
						sum = sum.Add(p.Total)
					}
				}
				return sum
			}
			for range rapid.IntRange(1, 15).Draw(rt, "steps") {
				switch rapid.SampledFrom([]string{"buy", "buy", "buy", "ask", "limit", "wait", "refuse", "lose"}).Draw(rt, "step") {
				case "buy", "ask":
					p := s.draftOf(karim, rapid.IntRange(1, 5).Draw(rt, "units"))
					// They are told of what is uncertain, and want it once more.
					if same, err := s.engine.Repeats(context.Background(), p.Account, p); err != nil {
						rt.Fatal(err)
					} else if len(same) > 0 {
						p = s.draftOf(karim, p.Quantity, same...)
					}
					made = append(made, p.ID)
					above := limit != nil && limit.Less(spent().Add(p.Total))
					err := s.confirm(p)
					if above != errors.Is(err, purchase.ErrLimit) || !above && err != nil {
						rt.Fatalf("%s after %s with a limit of %v: %v", p.Total, spent(), limit, err)
					}
					if above {
						p = s.ask(p)
						act := s.engine.Approve
						if rapid.Bool().Draw(rt, "refused") {
							act = s.engine.Refuse
						}
						if _, err := act(context.Background(), word(p, amine)); err != nil {
							rt.Fatal(err)
						}
						synctest.Wait()
					}
				case "limit":
					limit = nil
					if n := rapid.Int64Range(0, 12).Draw(rt, "limit"); n > 0 {
						limit = amount(100 * n)
					}
					s.limit(nil, limit)
				case "wait":
					s.later(time.Duration(rapid.IntRange(1, 14).Draw(rt, "hours")) * time.Hour)
				case "refuse":
					s.service.verdicts = append(s.service.verdicts, api.Verdict{Outcome: api.Rejected, Class: api.OutOfStock})
				case "lose":
					s.service.verdicts = append(s.service.verdicts, api.Verdict{Outcome: api.Unknown, Reason: "timeout"})
				}
			}
			s.service.verdicts = nil
			s.later(time.Hour) // what is uncertain gives the account back
		})
	})
}

// TestRefusedAndMadeCountsAgainstTheLimit: what the service refuses and makes all the same counts against the limit of its buyer, found or closed by
// an owner.
func TestRefusedAndMadeCountsAgainstTheLimit(t *testing.T) {
	for _, found := range []bool{true, false} {
		inTeam(t, func(s *shop) {
			s.generation(api.Legacy)
			s.limit(nil, amount(200))
			s.service.verdicts = []api.Verdict{{Outcome: api.Rejected, Class: api.Invalid, Status: 400}}
			p := s.draftOf(karim, 2) // 200: the whole day
			if err := s.confirm(p); err != nil {
				t.Fatal(err)
			}
			s.is(p, store.Rejected)
			m, _ := s.owns().Member(karim)
			if m.SpentOn(s.engine.Day(time.Now())).Sign() != 0 {
				t.Errorf("what was refused counts: %s", m.Spent)
			}
			s.takes(200, 0)
			if found {
				s.shows(0, listed("8", time.Now()), listed("9", time.Now()))
				s.live(20 * time.Minute)
				s.is(p, store.Accepted)
			} else {
				s.live(20 * time.Minute)
				s.is(p, store.Undecided)
				if err := s.engine.Decide(t.Context(), p.ID, amine, amine, true); err != nil {
					t.Fatal(err)
				}
				s.is(p, store.Settled)
			}
			q := s.draftOf(karim, 2, s.get(p.ID))
			if err := s.confirm(q); !errors.Is(err, purchase.ErrLimit) {
				t.Errorf("found %t: 400 were bought on a day with a limit of 200: %v", found, err)
			}
		})
	}
}

// TestWhoHearsOfADelivery: the buyer, the shop's group and those at the counter; nobody else.
func TestWhoHearsOfADelivery(t *testing.T) {
	inTeam(t, func(s *shop) {
		p := s.draftOf(karim, 1)
		if err := s.confirm(p); err != nil {
			t.Fatal(err)
		}
		s.settle(api.Order{ID: s.get(p.ID).OrderIDs[0], Status: "completed", Code: secret.New("AAAA-1111")})
		s.is(p, store.Settled)
		for chat, want := range map[int64][]store.OutKind{
			karim: {store.StatusMessage, store.Ping}, nadia: {store.Copy}, shopsAt: {store.Copy}, amine: nil, lina: nil,
		} {
			if got := s.waiting(chat); !slices.Equal(got, want) {
				t.Errorf("chat %d gets %v, want %v", chat, got, want)
			}
		}
	})
}

// TestOnlyOwnersDecide about an uncertain purchase, wherever it was made; where its buyer is none, they are asked.
func TestOnlyOwnersDecide(t *testing.T) {
	for buyer, asked := range map[int64]int{karim: 1, amine: 0} {
		inTeam(t, func(s *shop) {
			s.service.verdicts = []api.Verdict{{Outcome: api.Unknown, Reason: "timeout"}}
			p := s.draftOf(buyer, 1)
			if err := s.confirm(p); err != nil {
				t.Fatal(err)
			}
			s.service.balance = s.service.balance.Sub(dzd.Int(50)) // neither what it was nor what a purchase leaves
			s.processDue(20 * time.Minute)
			s.is(p, store.Undecided)
			for _, chat := range []int64{amine, lina} {
				got := slices.DeleteFunc(s.waiting(chat), func(k store.OutKind) bool { return k != store.Decision })
				if chat != buyer && len(got) != asked {
					t.Errorf("bought by %d: owner %d is asked %d times, want %d", buyer, chat, len(got), asked)
				}
			}
			for _, who := range []int64{karim, nadia, 99} {
				if err := s.engine.Decide(context.Background(), p.ID, who, who, true); !errors.Is(err, purchase.ErrNotAllowed) {
					t.Errorf("%d decided: %v", who, err)
				}
			}
			if err := s.engine.Decide(context.Background(), p.ID, 1234, lina, true); !errors.Is(err, purchase.ErrStale) {
				t.Errorf("decided from anywhere: %v", err)
			}
			if err := s.engine.Decide(context.Background(), p.ID, lina, lina, false); err != nil {
				t.Error(err)
			}
			s.is(p, store.NotCreated)
		})
	}
}

// TestKeyTrouble: what a seller cannot mend is told to those who can, once until the key works again.
func TestKeyTrouble(t *testing.T) {
	inTeam(t, func(s *shop) {
		told := func() (n int) {
			rows, err := s.store.ChatOutbox(context.Background(), amine, 100)
			if err != nil {
				t.Fatal(err)
			}
			for _, r := range rows {
				if r.NoteName() == store.KeyTroubleNote {
					n++
				}
			}
			return n
		}
		for _, c := range []struct {
			who   int64
			wait  time.Duration
			works bool
			want  int
		}{{amine, 0, false, 0}, {karim, 0, false, 1}, {karim, time.Minute, false, 1}, {karim, 48 * time.Hour, false, 1}, {karim, 0, true, 1}, {karim, 0, false, 2}} {
			<-time.After(c.wait)
			s.service.verdicts = []api.Verdict{{Outcome: api.Rejected, Class: api.Unauthorized}}
			if c.works {
				s.service.verdicts = []api.Verdict{{Outcome: api.Accepted, OrderIDs: []string{"A"}}}
			}
			if err := s.confirm(s.draftOf(c.who, 1)); err != nil {
				t.Fatal(err)
			}
			if c.who == amine { // the other owner hears of it, this one has seen it
				s.account(func(a *store.Account) { a.KeyTold = time.Time{} })
			}
			if got := told(); got != c.want {
				t.Errorf("the owner was told %d times, want %d", got, c.want)
			}
		}
	})
}

// TestWhatMayComeHomeLateCounts: a purchase that was not found stays on its buyer's limit, since its order may
// still turn up; one that was refused does not.
func TestWhatMayComeHomeLateCounts(t *testing.T) {
	for phase, verdict := range map[store.Phase]api.Verdict{
		store.NotCreated: {Outcome: api.Unknown, Reason: "timeout"}, store.Rejected: {Outcome: api.Rejected, Class: api.OutOfStock},
	} {
		inTeam(t, func(s *shop) {
			s.limit(nil, amount(100))
			s.service.verdicts = []api.Verdict{verdict}
			p := s.draftOf(karim, 1)
			if err := s.confirm(p); err != nil {
				t.Fatal(err)
			}
			s.later(time.Hour)
			s.is(p, phase)
			if err := s.confirm(s.draftOf(karim, 1)); errors.Is(err, purchase.ErrLimit) != (phase == store.NotCreated) {
				t.Errorf("after one that is %s: %v", phase, err)
			}
		})
	}
}

// TestCodesThatWaitForTheirChat: where earlier codes cannot be shown, no more are bought, whoever taps; as soon
// as they are there it goes on.
func TestCodesThatWaitForTheirChat(t *testing.T) {
	inShop(t, func(s *shop) {
		ctx := context.Background()
		s.buy(1)
		if err := s.engine.Settle(ctx, "u1", []api.Order{{ID: "O-1-1", Status: "completed", Code: secret.New("CODE")}}, time.Now()); err != nil {
			t.Fatal(err)
		}
		<-time.After(14 * time.Minute)
		bought := s.buy(1)
		s.sent(2)
		<-time.After(2 * time.Minute)
		p := s.draft(1)
		for range 2 {
			if _, err := s.engine.Confirm(ctx, tap(p)); !errors.Is(err, purchase.ErrCrowded) {
				t.Fatalf("a tap meets %v", err)
			}
		}
		if _, err := s.engine.Confirm(ctx, tap(bought)); !errors.Is(err, purchase.ErrStale) { // it was bought: nobody says otherwise
			t.Errorf("another tap on what was bought meets %v", err)
		}
		synctest.Wait()
		s.sent(2)
		s.is(p, store.Drafted)
		s.heard(p.Chat)
		if _, err := s.engine.Confirm(ctx, tap(p)); err != nil {
			t.Fatalf("when the codes are there a tap meets %v", err)
		}
		synctest.Wait()
		s.sent(3)
	})
}

// heard has everything that waits for a chat arrive there.
func (s *shop) heard(chat int64) {
	s.t.Helper()
	rows, err := s.store.ChatOutbox(context.Background(), chat, 5000)
	if err != nil {
		s.t.Fatal(err)
	}
	s.update(func(tx *store.Tx) error {
		for _, row := range rows {
			if err := tx.Sent(row); err != nil {
				return err
			}
		}
		return nil
	})
}

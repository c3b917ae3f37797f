package conversations_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"resellerbot/internal/api/sim"
	"resellerbot/internal/app/apptest"
	"resellerbot/internal/sampletest"
	"resellerbot/internal/store"
)

// seen is how often a code is in a chat: in messages as they are now, and in files.
func seen(h *apptest.Harness, chat int64, code string) (n int) {
	for _, m := range h.Telegram.Messages(chat) {
		if m.FromBot && !m.Deleted {
			n += strings.Count(m.Text, code)
			if m.Document != nil {
				n += strings.Count(string(m.Document.Body), code)
			}
		}
	}
	return n
}

// TestCodesOfAListInTime: codes that come late, go away or change after they were shown reach the chat however the list that has bought
// them goes on.
func TestCodesOfAListInTime(t *testing.T) {
	t.Parallel()
	sampletest.Slow(t)
	sampletest.MoreThanFew(t)
	for name, w := range sampletest.SomeNamed(4, map[string]sim.World{
		"straight":           {},
		"codes late":         {CodeLag: 8 * time.Minute},
		"placeholders":       {CodeLag: 8 * time.Minute, Placeholder: "Pending…"},
		"very late":          {CodeLag: 3 * time.Hour},
		"it goes back":       {Course: sim.GoesBack, Detour: 20 * time.Minute},
		"an error first":     {Course: sim.ErrorFirst, Detour: 20 * time.Minute},
		"the codes change":   {Course: sim.CodeChanges, Detour: 20 * time.Minute},
		"they change soon":   {Course: sim.CodeChanges, Detour: 30 * time.Second},
		"families hide them": {FamilyHidesCodes: true},
	}) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			atTheCounter(t, func(h *apptest.Harness) {
				h.Service.SetWorld(w)
				cardOf(h, "pc5 x2\npc10 x12\nvpn x1\nsportstv 1 month x1\npc5 x1")
				h.Tap(apptest.Sam, "✅")
				h.Pass(time.Hour)
				h.Overnight(5 * time.Hour)
				h.Overnight(24 * time.Hour)
				for _, o := range h.Service.Orders() {
					for _, code := range o.Codes {
						if seen(h, apptest.Sam, code) == 0 {
							t.Errorf("a code of order %s never came (%v)", o.ID, o.Codes)
						}
					}
				}
				if t.Failed() {
					t.Log(h.Transcript(apptest.Sam))
				}
			})
		})
	}
}

// TestACodeAfterItsListIsOver: what is for somebody is over without a code, where the service speaks of none; one that comes all the
// same reaches the chat, though the list is over by then.
func TestACodeAfterItsListIsOver(t *testing.T) {
	t.Parallel()
	sampletest.Slow(t)
	sampletest.MoreThanFew(t)
	apptest.Run(t, func(h *apptest.Harness) {
		apptest.Everything(sim.Options{})(h)
		h.Service.AddProduct(sim.ProductSpec{
			ID: 77, Name: "Gift Voucher", Inputs: []sim.InputSpec{{Index: "1", Label: "Reference", Required: true}},
			Variants: []sim.VariantSpec{{ID: 7701, Name: "40 EUR", Price: "400", InStock: 50, Delay: 2 * time.Second}},
		})
	}, func(h *apptest.Harness) {
		h.Link(apptest.Sam)
		cardOf(h, "gift voucher 40 81234567\ngift voucher 40 81234568")
		show := func(as sim.Shown) {
			for _, o := range h.Service.Orders() {
				h.Must(h.Service.Show(o.ID, as))
			}
		}
		h.Tap(apptest.Sam, "✅")
		show(sim.Shown{Status: "completed", Key: sim.Nothing, Claim: sim.Nothing})
		h.Pass(10 * time.Minute)
		h.SeeAny(apptest.Sam, "List done: 2 of 2")
		show(sim.Shown{})
		h.Pass(time.Hour)
		h.Overnight(20 * time.Hour)
		h.Overnight(24 * time.Hour)
		for _, o := range h.Service.Orders() {
			if seen(h, apptest.Sam, o.Code) != 1 {
				t.Errorf("the code of order %s is in the chat %d times:\n%s", o.ID, seen(h, apptest.Sam, o.Code), h.Transcript(apptest.Sam))
			}
		}
	})
}

// TestAListIsPartlyRefunded: what was paid for a list is without what came back, and with what has failed and did not.
func TestAListIsPartlyRefunded(t *testing.T) {
	t.Parallel()
	sampletest.Slow(t)
	sampletest.MoreThanFew(t)
	for name, c := range map[string]struct {
		refund bool
		says   []string
	}{
		"it comes back":         {true, []string{"Paid: DZD 1,940.50", "Try again (1)"}},
		"it does not come back": {false, []string{"Paid: DZD 4,441.50"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			atTheCounter(t, func(h *apptest.Harness) {
				h.Service.HoldOrders(true)
				cardOf(h, "pc5 x2\npc5 x1\nvpn x1")
				h.Tap(apptest.Sam, "✅")
				h.Pass(10 * time.Second)
				orders := h.Service.Orders()
				for _, o := range []sim.Order{orders[0], orders[2]} {
					h.Must(h.Service.Fail(o.ID, ""))
					if c.refund {
						h.Must(h.Service.Refund(o.ID))
					}
				}
				h.Service.HoldOrders(false)
				h.Pass(2 * time.Hour)
				h.Overnight(24 * time.Hour)
				m := h.SeeAny(apptest.Sam, "List done")
				text := apptest.Plain(m.Text) + fmt.Sprint(m.Keyboard)
				for _, want := range c.says {
					if !strings.Contains(text, want) {
						t.Errorf("the card has no %q:\n%s", want, text)
					}
				}
				if !c.refund && strings.Contains(text, "Try again") {
					t.Errorf("it is offered again, and its money is not back:\n%s", text)
				}
			})
		})
	}
}

// whereOrdersAreListed is atTheCounter of a service that lists what was bought.
func whereOrdersAreListed(t *testing.T, play func(*apptest.Harness)) {
	t.Helper()
	apptest.Run(t, apptest.Everything(sim.Options{Mode: sim.Both}), func(h *apptest.Harness) {
		h.Link(apptest.Sam)
		play(h)
	})
}

// asked reports whether somebody is asked about a purchase at last.
func asked(h *apptest.Harness) bool {
	return h.Alerted("decision is needed")+h.Alerted("may have charged it")+h.Alerted("That may be wrong") > 0
}

// TestALineThatComesHomeLate: a line that the service refused, and has made all the same, brings its code though the list and its file
// are over by then, and the phone rings for it.
func TestALineThatComesHomeLate(t *testing.T) {
	t.Parallel()
	sampletest.Slow(t)
	sampletest.MoreThanFew(t)
	for name, refusal := range map[string]sim.Fault{
		"a rate limit": {Kind: sim.ErrorDone, Status: 429, Times: 1},
		"a 400":        {Kind: sim.ErrorDone, Status: 400, Message: "Product out of stock", Times: 1},
		"a late one":   {Kind: sim.Late, Delay: 20 * time.Minute, Status: 400, Times: 1},
		"silence":      {Kind: sim.Late, Delay: 20 * time.Minute, Times: 1},
		"two of them":  {Kind: sim.ErrorDone, Status: 429, Times: 2},
	} {
		for _, lag := range sampletest.Some(3, []time.Duration{0, 40 * time.Second, 5 * time.Minute}) {
			t.Run(name+" "+lag.String(), func(t *testing.T) {
				t.Parallel()
				whereOrdersAreListed(t, func(h *apptest.Harness) {
					for range 3 { // how late readings are can be learned from it
						h.Buy(apptest.Sam, "Play Card", "5 USD", "1")
						h.Pass(15 * time.Minute)
					}
					h.Service.SetWorld(sim.World{BalanceLag: lag, ListLag: lag})
					cardOf(h, "pc5 x1\nvpn x1\npc5 x2")
					slowly(h, 3-refusal.Times, refusal)
					h.Tap(apptest.Sam, "✅")
					h.Pass(2 * time.Hour)
					for _, o := range h.Service.Orders() {
						if seen(h, apptest.Sam, o.Code) == 0 && !asked(h) {
							t.Errorf("the code of order %s never came\n%s", o.ID, h.Transcript(apptest.Sam))
						}
					}
				})
			})
		}
	}
}

// TestListsOfTwo: two people confirm lists at one account at once, with one player in both.
func TestListsOfTwo(t *testing.T) {
	sampletest.Slow(t)
	t.Parallel()
	for _, fault := range sampletest.Some(3, []sim.Fault{{Kind: sim.Delay, Delay: time.Second, Times: 1}, {Kind: sim.SilenceDone, Times: 1}, {Kind: sim.Silence, Times: 1}, {Kind: sim.RateLimit, Times: 1}, {Kind: sim.ErrorDone, Status: 429, Times: 1}}) {
		atTwoCounters(t, func(h *apptest.Harness) {
			list := "60 coins for:\n" + players(5)
			cardOf(h, list)
			sam := h.See(apptest.Sam, "Valid for")
			h.Say(apptest.Yasmine, list)
			yasmine := h.See(apptest.Yasmine, "Valid for")
			slowly(h, 3, fault)
			h.Tap(apptest.Sam, "✅")
			h.Tap(apptest.Yasmine, "✅")
			h.Pass(5 * time.Second)
			h.Pass(2 * time.Hour) // the other list has bought what this one says: it is marked, and bought by a tap of its own alone
			t.Log(cardTruth(h, apptest.Sam, sam.ID))
			if now := h.See(apptest.Yasmine, "List · lines: 5"); now.ID != yasmine.ID || !strings.Contains(now.Text, "ordered just now") {
				t.Errorf("the other card is %s", now.Text)
			}
			if t.Failed() {
				t.Log(h.Transcript(apptest.Sam), h.Transcript(apptest.Yasmine))
			}
		})
	}
}

// TestTheBuyerOfAListIsDismissed: who is taken out of the team in the middle of a list buys nothing more by it, and the codes that were
// paid for reach the owner.
func TestTheBuyerOfAListIsDismissed(t *testing.T) {
	t.Parallel()
	sampletest.Slow(t)
	inTeam(t, func(h *apptest.Harness) {
		h.Service.DemoCatalogue()
		h.Pass(2 * time.Minute)
		h.Say(apptest.Karim, "pc5 x2\npc5 x1\nvpn x1\npc10 x1\npc5 x3")
		h.See(apptest.Karim, "Valid for")
		slowly(h, 0)
		h.Tap(apptest.Karim, "✅")
		h.Pass(slowSpend / 2) // removing somebody takes two lines: it is done in the middle of the third, and not as one ends
		h.Say(apptest.Sam, "/team")
		h.Tap(apptest.Sam, "Karim")
		h.Tap(apptest.Sam, "Remove")
		h.Tap(apptest.Sam, "Yes")
		h.Pass(time.Hour)
		bought := len(h.Service.Purchases())
		for _, o := range h.Service.Orders() {
			if seen(h, apptest.Sam, o.Code)+seen(h, apptest.Karim, o.Code) == 0 {
				t.Errorf("the code of order %s is nowhere", o.ID)
			}
		}
		if bought != 3 { // the one that was under way is the last
			t.Errorf("%d lines were bought", bought)
		}
	})
}

// TestAListInTransactionsThatRunTwice: a list is the same where each transaction runs twice, the first time in vain, as one may that shares its commit
// with another which fails.
func TestAListInTransactionsThatRunTwice(t *testing.T) {
	t.Parallel()
	apptest.Run(t, func(h *apptest.Harness) {
		heroes(h)
		h.Engine = func(e store.Engine) store.Engine { return apptest.TwiceEngine{Engine: e} }
	}, func(h *apptest.Harness) {
		h.Link(apptest.Sam)
		cardOf(h, "60 coins for:\n"+players(6))
		m := h.See(apptest.Sam, "Valid for")
		slowly(h, 2, sim.Fault{Kind: sim.ErrorAnswer, Status: 400, Message: "Product out of stock", Times: 1})
		h.Tap(apptest.Sam, "✅")
		h.Pass(time.Minute)
		if marks := cardTruth(h, apptest.Sam, m.ID); marks["🎉"] != 5 || marks["❌"] != 1 {
			t.Errorf("its lines ended with %v", marks)
		}
		if n := h.Alerted("List done"); n != 2 { // the card, and what makes the phone ring
			t.Errorf("its end is told %d times", n)
		}
	})
}

// TestAListWhoseAnswersNameOrders: an answer that proves nothing names orders, which are not the line's before that is known. What it
// names is kept all the same, and their codes come, though there is no list to find them in.
func TestAListWhoseAnswersNameOrders(t *testing.T) {
	t.Parallel()
	sampletest.Slow(t)
	for name, kind := range map[string]sim.FaultKind{"fewer": sim.ShortCount, "one twice": sim.DoubleIDs} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			atTheCounter(t, func(h *apptest.Harness) {
				h.Service.Inject(sim.Fault{Operation: sim.Spending, Kind: kind, Times: 1})
				cardOf(h, "pc5 x2\npc10 x1")
				h.Tap(apptest.Sam, "✅")
				h.Pass(2 * time.Hour)
				came := 0
				for _, o := range h.Service.Orders() {
					for _, code := range o.Codes {
						came += min(seen(h, apptest.Sam, code), 1)
					}
				}
				if came < 2 {
					t.Errorf("%d codes have come\n%s", came, h.Transcript(apptest.Sam))
				}
			})
		})
	}
}

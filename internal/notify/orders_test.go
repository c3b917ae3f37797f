package notify_test

import (
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"resellerbot/internal/api/sim"
	"resellerbot/internal/app/apptest"
	"resellerbot/internal/sampletest"
	"resellerbot/internal/sandbox/tgsim"
)

// held has Sam buy units of a card whose orders stay under way, and names them.
func held(h *apptest.Harness, units int) (ids []string) {
	h.T.Helper()
	h.Service.HoldOrders(true)
	h.Order(apptest.Sam, "Play Card", "10 USD", strconv.Itoa(units))
	h.Tap(apptest.Sam, "✅")
	h.SeeAny(apptest.Sam, "Bought")
	for _, o := range h.Service.Orders() {
		ids = append(ids, o.ID)
	}
	return ids
}

// shows makes the service show an order otherwise than it is.
func shows(h *apptest.Harness, id string, as sim.Shown) {
	h.T.Helper()
	h.Must(h.Service.Show(id, as))
}

// tapAnswer is the last tap's answer, which has to come within ten seconds.
func tapAnswer(h *apptest.Harness) tgsim.Callback {
	h.T.Helper()
	for range 11 {
		all := h.Telegram.Callbacks()
		if c := all[len(all)-1]; c.Answers > 0 {
			if took := c.AnsweredAt.Sub(c.At); took > 10*time.Second {
				h.T.Errorf("a tap was answered after %v", took)
			}
			return c
		}
		h.Pass(time.Second)
	}
	h.T.Fatal("a tap is not answered")
	return tgsim.Callback{}
}

// TestPlaceholderIsNoCode: what stands where the code will be is not delivered as the code, and the code is.
func TestPlaceholderIsNoCode(t *testing.T) {
	t.Parallel()
	sampletest.Slow(t)
	apptest.Run(t, apptest.Stock, func(h *apptest.Harness) {
		h.Link(apptest.Sam)
		id := held(h, 1)[0]
		shows(h, id, sim.Shown{Key: "Pending…", Claim: "false"})
		h.Pass(5 * time.Minute)
		shows(h, id, sim.Shown{Key: "Pending…", Claim: sim.Nothing, Status: "pending"})
		h.Pass(5 * time.Minute)
		if codes := h.Codes(apptest.Sam); len(codes) > 0 || !h.Has(apptest.Sam, "Bought") {
			t.Fatalf("delivered %q\n%s", codes, h.Transcript(apptest.Sam))
		}
		shows(h, id, sim.Shown{Key: "REAL-CODE-1", Claim: "true", Status: "completed"})
		h.Pass(2 * time.Minute)
		if codes := h.Codes(apptest.Sam); !slices.Equal(codes, []string{"REAL-CODE-1"}) {
			t.Errorf("delivered %q", codes)
		}
	})
}

// TestFailedOnceThenDelivered: an error without a refund is not the end, and what was told is corrected.
func TestFailedOnceThenDelivered(t *testing.T) {
	t.Parallel()
	sampletest.Slow(t)
	apptest.Run(t, apptest.Stock, func(h *apptest.Harness) {
		h.Link(apptest.Sam)
		id := held(h, 1)[0]
		shows(h, id, sim.Shown{Status: "error"})
		h.Pass(40 * time.Minute)
		if !h.Has(apptest.Sam, "The order failed") || !h.Has(apptest.Sam, "was not seen in the balance") {
			t.Fatalf("the failure is not told\n%s", h.Transcript(apptest.Sam))
		}
		shows(h, id, sim.Shown{Key: "LATE-CODE-1", Claim: "true", Status: "completed"})
		h.Pass(30 * time.Minute)
		if codes := h.Codes(apptest.Sam); !slices.Equal(codes, []string{"LATE-CODE-1"}) {
			t.Errorf("delivered %q\n%s", codes, h.Transcript(apptest.Sam))
		}
		if !h.Has(apptest.Sam, "Correction: I told you that it failed") || !h.Has(apptest.Sam, "something has changed") {
			t.Errorf("it is not corrected\n%s", h.Transcript(apptest.Sam))
		}
		if h.Has(apptest.Sam, "was not seen in the balance") {
			t.Errorf("a refund is still spoken of\n%s", h.Transcript(apptest.Sam))
		}
	})
}

// TestCodelessForAnHour: a code is fetched until it is there, and at once where somebody asks.
func TestCodelessForAnHour(t *testing.T) {
	sampletest.Slow(t)
	t.Parallel()
	apptest.Run(t, apptest.Stock, func(h *apptest.Harness) {
		h.Link(apptest.Sam)
		id := held(h, 1)[0]
		shows(h, id, sim.Shown{Key: "N/A", Claim: sim.Nothing, Status: "completed"})
		h.Pass(40 * time.Minute)
		if !h.Has(apptest.Sam, "sent no code yet") || !h.Has(apptest.Sam, "taking very long") || !h.Has(apptest.Sam, "The supplier shows this instead: N/A") {
			t.Fatalf("it is not told\n%s", h.Transcript(apptest.Sam))
		}
		h.Sleep(27 * time.Hour)
		h.Pass(3 * time.Hour)
		h.Tap(apptest.Sam, "🔄")
		if c := tapAnswer(h); !strings.Contains(c.Text, "nothing new") {
			t.Errorf("the tap was answered %q", c.Text)
		}
		shows(h, id, sim.Shown{Key: "LATE-CODE-1", Claim: "true", Status: "completed"})
		h.Pass(time.Minute)
		if codes := h.Codes(apptest.Sam); len(codes) > 0 {
			t.Fatalf("already delivered: %q", codes)
		}
		h.Tap(apptest.Sam, "🔄")
		if c := tapAnswer(h); !strings.Contains(c.Text, "something new") {
			t.Errorf("the tap was answered %q", c.Text)
		}
		h.Pass(5 * time.Second)
		if codes := h.Codes(apptest.Sam); !slices.Equal(codes, []string{"LATE-CODE-1"}) {
			t.Errorf("delivered %q\n%s", codes, h.Transcript(apptest.Sam))
		}
		if h.Has(apptest.Sam, "Delivered again") {
			t.Error("the first delivery is called another")
		}
	})
}

// TestCodelessForDays: without anybody asking, the code comes all the same.
func TestCodelessForDays(t *testing.T) {
	t.Parallel()
	sampletest.Slow(t)
	sampletest.MoreThanFew(t)
	apptest.Run(t, apptest.Stock, func(h *apptest.Harness) {
		h.Link(apptest.Sam)
		id := held(h, 1)[0]
		shows(h, id, sim.Shown{Key: sim.Nothing, Status: "completed"})
		h.Pass(time.Hour)
		h.Sleep(5 * 24 * time.Hour)
		h.Pass(time.Hour)
		shows(h, id, sim.Shown{Key: "LATE-CODE-1", Status: "completed"})
		h.Sleep(12 * time.Hour) // by then it is asked for twice a day
		h.Pass(2 * time.Hour)
		if codes := h.Codes(apptest.Sam); !slices.Equal(codes, []string{"LATE-CODE-1"}) {
			t.Errorf("delivered %q", codes)
		}
	})
}

// TestLookAgainHasLimits: it is answered in time whatever the service does, not too often, and only for those who
// may see the purchase.
func TestLookAgainHasLimits(t *testing.T) {
	t.Parallel()
	apptest.Run(t, apptest.Stock, func(h *apptest.Harness) {
		h.Link(apptest.Sam)
		held(h, 1)
		h.Service.Inject(sim.Fault{Operation: sim.AnyOperation, Times: 1000, Kind: sim.Delay, Delay: time.Hour})
		h.Tap(apptest.Sam, "🔄")
		if c := tapAnswer(h); !strings.Contains(c.Text, "does not answer") {
			t.Errorf("the tap was answered %q", c.Text)
		}
		h.Say(apptest.Sam, "/orders")
		h.Tap(apptest.Sam, "1")
		tapAnswer(h)
		h.See(apptest.Sam, "did not answer just now")
		h.Service.ClearFaults()
		h.Pass(3 * time.Minute)
		asked := h.Service.Requests()["POST /products/orders/retrieve"]
		for range 10 {
			h.Tap(apptest.Sam, "🔄")
		}
		if c := tapAnswer(h); !strings.Contains(c.Text, "a moment ago") {
			t.Errorf("the tenth tap was answered %q", c.Text)
		}
		if n := h.Service.Requests()["POST /products/orders/retrieve"] - asked; n > 6 {
			t.Errorf("ten taps made %d calls", n)
		}
		data := ""
		for _, m := range h.Telegram.Messages(apptest.Sam) {
			for _, row := range m.Keyboard {
				for _, b := range row {
					if strings.Contains(b.Text, "🔄") {
						data = b.Data
					}
				}
			}
		}
		h.Say(apptest.Yasmine, "/start")
		h.Telegram.Tap(apptest.Yasmine, apptest.Yasmine, h.See(apptest.Yasmine, "").ID, data)
		h.Pass(time.Second)
		if c := tapAnswer(h); strings.Contains(c.Text, "regardé") || h.Has(apptest.Yasmine, "Play Card") {
			t.Errorf("a stranger was answered %q\n%s", c.Text, h.Transcript(apptest.Yasmine))
		}
	})
}

// TestCodesOfAFamilyThatOnlyTheOrderEndpointsShow are delivered.
func TestCodesOfAFamilyThatOnlyTheOrderEndpointsShow(t *testing.T) {
	t.Parallel()
	sampletest.Slow(t)
	for name, as := range map[string]sim.Shown{
		"the family says nothing of a code": {Family: true, Key: sim.Nothing, Status: "success"},
		"the family calls it under way":     {Family: true, Key: sim.Nothing, Status: "pending"},
		"the family has a word of its own":  {Family: true, Key: sim.Nothing, Status: "activated"},
	} {
		t.Run(name, func(t *testing.T) {
			apptest.Run(t, apptest.Everything(sim.Options{}), func(h *apptest.Harness) {
				h.Link(apptest.Sam)
				h.Service.HoldOrders(true)
				h.Say(apptest.Sam, "/topup")
				h.Tap(apptest.Sam, "Sports TV")
				h.Tap(apptest.Sam, "1 month")
				h.Tap(apptest.Sam, "1")
				h.Say(apptest.Sam, "123456789012")
				h.Tap(apptest.Sam, "✅")
				id := h.Service.Orders()[0].ID
				shows(h, id, as)
				shows(h, id, sim.Shown{General: true, Key: "TV-CODE-1", Claim: "true", Status: "completed"})
				h.Pass(2 * time.Minute)
				if codes := h.Codes(apptest.Sam); !slices.Equal(codes, []string{"TV-CODE-1"}) {
					t.Errorf("delivered %q\n%s", codes, h.Transcript(apptest.Sam))
				}
			})
		})
	}
}

// TestACodeThatChangesIsAnAlarm: the second one comes in a message beside the first, and takes its place nowhere.
func TestACodeThatChangesIsAnAlarm(t *testing.T) {
	t.Parallel()
	apptest.Run(t, apptest.Stock, func(h *apptest.Harness) {
		h.Link(apptest.Sam)
		ids := held(h, 2)
		shows(h, ids[0], sim.Shown{Key: "FIRST-CODE-1", Claim: "true", Status: "completed"})
		h.Pass(10 * time.Second)
		if codes := h.Codes(apptest.Sam); !slices.Equal(codes, []string{"FIRST-CODE-1"}) {
			t.Fatalf("delivered %q", codes)
		}
		shows(h, ids[0], sim.Shown{Key: "SECOND-CODE-2", Claim: "true", Status: "completed"})
		h.Tap(apptest.Sam, "🔄") // the other unit is open: all are looked at
		h.Pass(5 * time.Second)
		if codes := h.Codes(apptest.Sam); !slices.Equal(codes, []string{"FIRST-CODE-1", "SECOND-CODE-2"}) {
			t.Errorf("the chat shows %q\n%s", codes, h.Transcript(apptest.Sam))
		}
		if !h.Has(apptest.Sam, "shows another code for order") {
			t.Errorf("there is no alarm\n%s", h.Transcript(apptest.Sam))
		}
	})
}

// TestATopupThatFailsAfterItsSuccess is told as what it is, and its refund is waited for.
func TestATopupThatFailsAfterItsSuccess(t *testing.T) {
	t.Parallel()
	apptest.Run(t, apptest.Everything(sim.Options{}), func(h *apptest.Harness) {
		h.Link(apptest.Sam)
		h.Service.HoldOrders(true)
		h.Say(apptest.Sam, "/topup")
		h.Tap(apptest.Sam, "Battle Royale Coins")
		h.Tap(apptest.Sam, "60 coins")
		h.Tap(apptest.Sam, "2")
		h.Say(apptest.Sam, "7654321")
		h.Tap(apptest.Sam, "✅")
		orders := h.Service.Orders()
		shows(h, orders[0].ID, sim.Shown{Status: "success"})
		h.Pass(2 * time.Minute)
		shows(h, orders[0].ID, sim.Shown{Status: "failed"})
		h.Tap(apptest.Sam, "🔄")
		h.Pass(10 * time.Second)
		if !h.Has(apptest.Sam, "Correction: it was done") || !h.Has(apptest.Sam, "To be refunded by the supplier") {
			t.Errorf("it is not told\n%s", h.Transcript(apptest.Sam))
		}
	})
}

// TestOpenedBeforeItsDelivery: a code that somebody opens before it could be delivered is not called delivered again
// there, and is where its delivery comes after that.
func TestOpenedBeforeItsDelivery(t *testing.T) {
	t.Parallel()
	apptest.Run(t, apptest.Stock, func(h *apptest.Harness) {
		h.Link(apptest.Sam)
		id := held(h, 1)[0]
		receipt := h.SeeAny(apptest.Sam, "Bought")
		_, purchase, _ := strings.Cut(receipt.Keyboard[0][0].Data, ":look:")
		h.Telegram.Inject(tgsim.Fault{Method: "editmessagetext", Chat: apptest.Sam, Times: 1000, Kind: tgsim.Flood, Wait: time.Second})
		shows(h, id, sim.Shown{Key: "CODE-1234", Claim: "true", Status: "completed"})
		h.Pass(time.Minute)
		if codes := h.Codes(apptest.Sam); len(codes) > 0 {
			t.Fatalf("it is delivered already: %q", codes)
		}
		h.Telegram.Tap(apptest.Sam, apptest.Sam, receipt.ID, "1+:order:"+purchase) // as from a message that stays
		h.Wait(apptest.Sam, "the code", func([]tgsim.Message) (tgsim.Message, bool) { return tgsim.Message{}, len(h.Codes(apptest.Sam)) > 0 })
		h.Telegram.ClearFaults()
		h.Pass(2 * time.Minute)
		first, delivery := "", ""
		for _, m := range h.Telegram.Messages(apptest.Sam) {
			switch {
			case !m.FromBot || !strings.Contains(m.Text, "CODE-1234"):
			case m.ID == receipt.ID:
				delivery = m.Text
			default:
				first = m.Text
			}
		}
		if first == "" || delivery == "" {
			t.Fatalf("it is not shown twice\n%s", h.Transcript(apptest.Sam))
		}
		if again := "Delivered again"; strings.Contains(first, again) || !strings.Contains(delivery, again) {
			t.Errorf("opened: %s\ndelivered: %s", first, delivery)
		}
		h.Say(apptest.Sam, "/orders")
		h.Tap(apptest.Sam, "1")
		if m := h.See(apptest.Sam, "CODE-1234"); !strings.Contains(m.Text, "Delivered again") {
			t.Errorf("opened once more it says %s", m.Text)
		}
	})
}

// TestManyUnitsOfATopup: there is no file without codes, and nothing stays in the outbox.
func TestManyUnitsOfATopup(t *testing.T) {
	t.Parallel()
	apptest.Run(t, apptest.Everything(sim.Options{}), func(h *apptest.Harness) {
		h.Link(apptest.Sam)
		h.Say(apptest.Sam, "/topup")
		h.Tap(apptest.Sam, "Battle Royale Coins")
		h.Tap(apptest.Sam, "60 coins")
		h.Say(apptest.Sam, "12")
		h.Say(apptest.Sam, "7654321")
		h.Tap(apptest.Sam, "✅")
		h.Pass(3 * time.Minute)
		if !h.Has(apptest.Sam, "Topped up: 12 of 12") || h.Has(apptest.Sam, "file") {
			t.Errorf("the chat is\n%s", h.Transcript(apptest.Sam))
		}
		if calls := h.Telegram.Calls(); calls["sendDocument"]+calls["senddocument"] > 0 {
			t.Errorf("Telegram was asked %v", calls)
		}
		h.Service.HoldOrders(false)
	})
}

// TestProblemsAreInTheList: what is not as it should be is not called a success, or not bought, in the list of purchases, and
// is among those with a problem.
func TestProblemsAreInTheList(t *testing.T) {
	sampletest.Slow(t)
	const one, other = "AAAA-1111-BBBB", "CCCC-2222-DDDD"
	ready := func(h *apptest.Harness, code string, units ...string) {
		for _, id := range units {
			shows(h, id, sim.Shown{Key: code, Claim: "true", Status: "completed"})
		}
		h.Pass(3 * time.Minute)
	}
	for want, play := range sampletest.SomeNamed(2, map[string]func(h *apptest.Harness){
		"another order's code came": func(h *apptest.Harness) {
			ready(h, one, held(h, 1)...)
			buysOne(h)
			ready(h, one, h.Service.Orders()[1].ID)
		},
		"another code came later": func(h *apptest.Harness) {
			ids := held(h, 1)
			ready(h, one, ids...)
			ready(h, other, ids...)
			h.Pass(2 * time.Hour)
		},
		"one code for several units": func(h *apptest.Harness) { ready(h, one, held(h, 2)...) },
		"unfinished again": func(h *apptest.Harness) {
			ids := held(h, 1)
			ready(h, one, ids...)
			shows(h, ids[0], sim.Shown{Status: "processing", Key: sim.Nothing})
			h.Pass(2 * time.Hour)
		},
		"refused by the supplier": func(h *apptest.Harness) { // which has charged it, and does not show that yet
			h.Service.SetWorld(sim.World{BalanceLag: 10 * time.Minute})
			h.Service.Inject(sim.Fault{Operation: sim.Spending, Kind: sim.ErrorDone, Status: 400, Times: 1})
			buysOne(h)
			h.Pass(3 * time.Minute)
		},
	}) {
		t.Run(want, func(t *testing.T) {
			withSam(t, apptest.Stock, func(h *apptest.Harness, _ *apptest.OddService) {
				play(h)
				h.Say(apptest.Sam, "/orders")
				says(h, []string{want}, "\nnot bought")
				h.Tap(apptest.Sam, "Problems")
				says(h, []string{want}, "No problems")
			})
		})
	}
}

package main

import (
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"resellerbot/internal/api/sim"
	"resellerbot/internal/conversations/tgsim"
)

// held has Sam buy units of a card whose orders stay under way, and names them.
func (h *house) held(units int) (ids []string) {
	h.t.Helper()
	h.service.HoldOrders(true)
	h.order(sam, "Play Card", "10 USD", strconv.Itoa(units))
	h.tap(sam, "✅")
	h.seeAny(sam, "Bought")
	for _, o := range h.service.Orders() {
		ids = append(ids, o.ID)
	}
	return ids
}

// shows makes the service show an order otherwise than it is.
func (h *house) shows(id string, as sim.Shown) {
	h.t.Helper()
	h.must(h.service.Show(id, as))
}

// has reports whether some message of the bot in a chat holds the words.
func (h *house) has(user int64, words string) bool {
	return slices.ContainsFunc(h.telegram.Messages(user), func(m tgsim.Message) bool {
		return m.FromBot && !m.Deleted && strings.Contains(plain(m.Text), words)
	})
}

// tapAnswer is the last tap's answer, which has to come within ten seconds.
func (h *house) tapAnswer() tgsim.Callback {
	h.t.Helper()
	for range 11 {
		all := h.telegram.Callbacks()
		if c := all[len(all)-1]; c.Answers > 0 {
			if took := c.AnsweredAt.Sub(c.At); took > 10*time.Second {
				h.t.Errorf("a tap was answered after %v", took)
			}
			return c
		}
		h.pass(time.Second)
	}
	h.t.Fatal("a tap is not answered")
	return tgsim.Callback{}
}

// TestPlaceholderIsNoCode: what stands where the code will be is not delivered as the code, and the code is.
func TestPlaceholderIsNoCode(t *testing.T) {
	t.Parallel()
	inHouse(t, stock, func(h *house) {
		h.link(sam)
		id := h.held(1)[0]
		h.shows(id, sim.Shown{Key: "Pending…", Claim: "false"})
		h.pass(5 * time.Minute)
		h.shows(id, sim.Shown{Key: "Pending…", Claim: sim.Nothing, Status: "pending"})
		h.pass(5 * time.Minute)
		if codes := h.codes(sam); len(codes) > 0 || !h.has(sam, "Bought") {
			t.Fatalf("delivered %q\n%s", codes, h.transcript(sam))
		}
		h.shows(id, sim.Shown{Key: "REAL-CODE-1", Claim: "true", Status: "completed"})
		h.pass(2 * time.Minute)
		if codes := h.codes(sam); !slices.Equal(codes, []string{"REAL-CODE-1"}) {
			t.Errorf("delivered %q", codes)
		}
	})
}

// TestFailedOnceThenDelivered: an error without a refund is not the end, and what was told is corrected.
func TestFailedOnceThenDelivered(t *testing.T) {
	t.Parallel()
	inHouse(t, stock, func(h *house) {
		h.link(sam)
		id := h.held(1)[0]
		h.shows(id, sim.Shown{Status: "error"})
		h.pass(40 * time.Minute)
		if !h.has(sam, "The order failed") || !h.has(sam, "was not seen in the balance") {
			t.Fatalf("the failure is not told\n%s", h.transcript(sam))
		}
		h.shows(id, sim.Shown{Key: "LATE-CODE-1", Claim: "true", Status: "completed"})
		h.pass(30 * time.Minute)
		if codes := h.codes(sam); !slices.Equal(codes, []string{"LATE-CODE-1"}) {
			t.Errorf("delivered %q\n%s", codes, h.transcript(sam))
		}
		if !h.has(sam, "Correction: I had said that it failed") || !h.has(sam, "Something has changed about order") {
			t.Errorf("it is not corrected\n%s", h.transcript(sam))
		}
		if h.has(sam, "was not seen in the balance") {
			t.Errorf("a refund is still spoken of\n%s", h.transcript(sam))
		}
	})
}

// TestCodelessForAnHour: a code is fetched until it is there, and at once where somebody asks.
func TestCodelessForAnHour(t *testing.T) {
	t.Parallel()
	inHouse(t, stock, func(h *house) {
		h.link(sam)
		id := h.held(1)[0]
		h.shows(id, sim.Shown{Key: "N/A", Claim: sim.Nothing, Status: "completed"})
		h.pass(40 * time.Minute)
		if !h.has(sam, "sent no code yet") || !h.has(sam, "taking very long") || !h.has(sam, "In its place the service writes: N/A") {
			t.Fatalf("it is not told\n%s", h.transcript(sam))
		}
		h.sleep(27 * time.Hour)
		h.pass(3 * time.Hour)
		h.tap(sam, "🔄")
		if c := h.tapAnswer(); !strings.Contains(c.Text, "nothing new") {
			t.Errorf("the tap was answered %q", c.Text)
		}
		h.shows(id, sim.Shown{Key: "LATE-CODE-1", Claim: "true", Status: "completed"})
		h.pass(time.Minute)
		if codes := h.codes(sam); len(codes) > 0 {
			t.Fatalf("already delivered: %q", codes)
		}
		h.tap(sam, "🔄")
		if c := h.tapAnswer(); !strings.Contains(c.Text, "something new") {
			t.Errorf("the tap was answered %q", c.Text)
		}
		h.pass(5 * time.Second)
		if codes := h.codes(sam); !slices.Equal(codes, []string{"LATE-CODE-1"}) {
			t.Errorf("delivered %q\n%s", codes, h.transcript(sam))
		}
		if h.has(sam, "Delivered again") {
			t.Error("the first delivery is called another")
		}
	})
}

// TestCodelessForDays: without anybody asking, the code comes all the same.
func TestCodelessForDays(t *testing.T) {
	t.Parallel()
	inHouse(t, stock, func(h *house) {
		h.link(sam)
		id := h.held(1)[0]
		h.shows(id, sim.Shown{Key: sim.Nothing, Status: "completed"})
		h.pass(6 * time.Hour)
		h.sleep(5 * 24 * time.Hour)
		h.pass(time.Hour)
		h.shows(id, sim.Shown{Key: "LATE-CODE-1", Status: "completed"})
		h.pass(14 * time.Hour) // by then it is asked for twice a day
		if codes := h.codes(sam); !slices.Equal(codes, []string{"LATE-CODE-1"}) {
			t.Errorf("delivered %q", codes)
		}
	})
}

// TestLookAgainHasLimits: it is answered in time whatever the service does, not too often, and only for those who
// may see the purchase.
func TestLookAgainHasLimits(t *testing.T) {
	t.Parallel()
	inHouse(t, stock, func(h *house) {
		h.link(sam)
		h.held(1)
		h.service.Inject(sim.Fault{Operation: sim.AnyOperation, Times: 1000, Kind: sim.Delay, Delay: time.Hour})
		h.tap(sam, "🔄")
		if c := h.tapAnswer(); !strings.Contains(c.Text, "does not answer") {
			t.Errorf("the tap was answered %q", c.Text)
		}
		h.say(sam, "/orders")
		h.tap(sam, "Play Card")
		h.tapAnswer()
		h.see(sam, "could not be asked just now")
		h.service.ClearFaults()
		h.pass(3 * time.Minute)
		asked := h.service.Requests()["POST /products/orders/retrieve"]
		for range 10 {
			h.tap(sam, "🔄")
		}
		if c := h.tapAnswer(); !strings.Contains(c.Text, "a moment ago") {
			t.Errorf("the tenth tap was answered %q", c.Text)
		}
		if n := h.service.Requests()["POST /products/orders/retrieve"] - asked; n > 6 {
			t.Errorf("ten taps made %d calls", n)
		}
		data := ""
		for _, m := range h.telegram.Messages(sam) {
			for _, row := range m.Keyboard {
				for _, b := range row {
					if strings.Contains(b.Text, "🔄") {
						data = b.Data
					}
				}
			}
		}
		h.say(yasmine, "/start")
		h.telegram.Tap(yasmine, yasmine, h.see(yasmine, "").ID, data)
		h.pass(time.Second)
		if c := h.tapAnswer(); strings.Contains(c.Text, "regardé") || h.has(yasmine, "Play Card") {
			t.Errorf("a stranger was answered %q\n%s", c.Text, h.transcript(yasmine))
		}
	})
}

// TestCodesOfAFamilyThatOnlyTheOrderEndpointsShow are delivered.
func TestCodesOfAFamilyThatOnlyTheOrderEndpointsShow(t *testing.T) {
	t.Parallel()
	for name, as := range map[string]sim.Shown{
		"the family says nothing of a code": {Family: true, Key: sim.Nothing, Status: "success"},
		"the family calls it under way":     {Family: true, Key: sim.Nothing, Status: "pending"},
		"the family has a word of its own":  {Family: true, Key: sim.Nothing, Status: "activated"},
	} {
		t.Run(name, func(t *testing.T) {
			inHouse(t, everything(sim.Options{}), func(h *house) {
				h.link(sam)
				h.service.HoldOrders(true)
				h.say(sam, "/topup")
				h.tap(sam, "Sports TV")
				h.tap(sam, "1 month")
				h.tap(sam, "1")
				h.say(sam, "123456789012")
				h.tap(sam, "✅")
				id := h.service.Orders()[0].ID
				h.shows(id, as)
				h.shows(id, sim.Shown{General: true, Key: "TV-CODE-1", Claim: "true", Status: "completed"})
				h.pass(2 * time.Minute)
				if codes := h.codes(sam); !slices.Equal(codes, []string{"TV-CODE-1"}) {
					t.Errorf("delivered %q\n%s", codes, h.transcript(sam))
				}
			})
		})
	}
}

// TestACodeThatChangesIsAnAlarm: the second one comes in a message beside the first, and takes its place nowhere.
func TestACodeThatChangesIsAnAlarm(t *testing.T) {
	t.Parallel()
	inHouse(t, stock, func(h *house) {
		h.link(sam)
		ids := h.held(2)
		h.shows(ids[0], sim.Shown{Key: "FIRST-CODE-1", Claim: "true", Status: "completed"})
		h.pass(10 * time.Second)
		if codes := h.codes(sam); !slices.Equal(codes, []string{"FIRST-CODE-1"}) {
			t.Fatalf("delivered %q", codes)
		}
		h.shows(ids[0], sim.Shown{Key: "SECOND-CODE-2", Claim: "true", Status: "completed"})
		h.tap(sam, "🔄") // the other unit is open: all are looked at
		h.pass(5 * time.Second)
		if codes := h.codes(sam); !slices.Equal(codes, []string{"FIRST-CODE-1", "SECOND-CODE-2"}) {
			t.Errorf("the chat shows %q\n%s", codes, h.transcript(sam))
		}
		if !h.has(sam, "shows another code for order") {
			t.Errorf("there is no alarm\n%s", h.transcript(sam))
		}
	})
}

// TestATopupThatFailsAfterItsSuccess is told as what it is, and its refund is waited for.
func TestATopupThatFailsAfterItsSuccess(t *testing.T) {
	t.Parallel()
	inHouse(t, everything(sim.Options{}), func(h *house) {
		h.link(sam)
		h.service.HoldOrders(true)
		h.say(sam, "/topup")
		h.tap(sam, "Battle Royale Coins")
		h.tap(sam, "60 coins")
		h.tap(sam, "2")
		h.say(sam, "7654321")
		h.tap(sam, "✅")
		orders := h.service.Orders()
		h.shows(orders[0].ID, sim.Shown{Status: "success"})
		h.pass(2 * time.Minute)
		h.shows(orders[0].ID, sim.Shown{Status: "failed"})
		h.tap(sam, "🔄")
		h.pass(10 * time.Second)
		if !h.has(sam, "Correction: it had been done") || !h.has(sam, "The service is to give it back") {
			t.Errorf("it is not told\n%s", h.transcript(sam))
		}
	})
}

// TestOpenedBeforeItsDelivery: a code that somebody opens before it could be delivered is not called delivered again
// there, and is where its delivery comes after that.
func TestOpenedBeforeItsDelivery(t *testing.T) {
	t.Parallel()
	inHouse(t, stock, func(h *house) {
		h.link(sam)
		id := h.held(1)[0]
		receipt := h.seeAny(sam, "Bought")
		_, purchase, _ := strings.Cut(receipt.Keyboard[0][0].Data, ":look:")
		h.telegram.Inject(tgsim.Fault{Method: "editmessagetext", Chat: sam, Times: 1000, Kind: tgsim.Flood, Wait: time.Second})
		h.shows(id, sim.Shown{Key: "CODE-1234", Claim: "true", Status: "completed"})
		h.pass(time.Minute)
		if codes := h.codes(sam); len(codes) > 0 {
			t.Fatalf("it is delivered already: %q", codes)
		}
		h.telegram.Tap(sam, sam, receipt.ID, "1+:order:"+purchase) // as from a message that stays
		h.wait(sam, "the code", func([]tgsim.Message) (tgsim.Message, bool) { return tgsim.Message{}, len(h.codes(sam)) > 0 })
		h.telegram.ClearFaults()
		h.pass(2 * time.Minute)
		first, delivery := "", ""
		for _, m := range h.telegram.Messages(sam) {
			switch {
			case !m.FromBot || !strings.Contains(m.Text, "CODE-1234"):
			case m.ID == receipt.ID:
				delivery = m.Text
			default:
				first = m.Text
			}
		}
		if first == "" || delivery == "" {
			t.Fatalf("it is not shown twice\n%s", h.transcript(sam))
		}
		if again := "Delivered again"; strings.Contains(first, again) || !strings.Contains(delivery, again) {
			t.Errorf("opened: %s\ndelivered: %s", first, delivery)
		}
		h.say(sam, "/orders")
		h.tap(sam, "Play Card")
		if m := h.see(sam, "CODE-1234"); !strings.Contains(m.Text, "Delivered again") {
			t.Errorf("opened once more it says %s", m.Text)
		}
	})
}

// TestManyUnitsOfATopup: there is no file without codes, and nothing stays in the outbox.
func TestManyUnitsOfATopup(t *testing.T) {
	t.Parallel()
	inHouse(t, everything(sim.Options{}), func(h *house) {
		h.link(sam)
		h.say(sam, "/topup")
		h.tap(sam, "Battle Royale Coins")
		h.tap(sam, "60 coins")
		h.say(sam, "12")
		h.say(sam, "7654321")
		h.tap(sam, "✅")
		h.pass(3 * time.Minute)
		if !h.has(sam, "12 of 12 topped up") || h.has(sam, "file") {
			t.Errorf("the chat is\n%s", h.transcript(sam))
		}
		if calls := h.telegram.Calls(); calls["sendDocument"]+calls["senddocument"] > 0 {
			t.Errorf("Telegram was asked %v", calls)
		}
		h.service.HoldOrders(false)
	})
}

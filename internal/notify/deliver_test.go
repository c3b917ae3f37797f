package notify

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"resellerbot/internal/sampletest"
	"resellerbot/internal/secret"
	"resellerbot/internal/store"
	"resellerbot/internal/telegram"
	"resellerbot/internal/telegram/telegramtest"
)

func TestStatusMessageAndPing(t *testing.T) {
	inBubble(t, func(h *harness) {
		h.chat(7)
		p := h.purchase(7, "AAA", "")
		h.run()
		begin := time.Now()
		h.enqueue(statusRow(p), ping(p))
		pass(100 * time.Millisecond)
		h.expect(7, 0, "en accepted codes=AAA", "ping "+store.Ref(p.ID))
		calls := h.telegram.Calls()
		if late := calls[len(calls)-1].At.Sub(begin); late > 50*time.Millisecond {
			h.Errorf("the ping came after %v", late)
		}
		if reply := calls[len(calls)-1].Form["reply_parameters"]; !strings.Contains(reply, strconv.Itoa(p.Message)) {
			h.Errorf("the ping answers %s", reply)
		}
		if got := h.told(p).Told; got != (store.Told{Codes: 1, Pinged: 1}) {
			h.Errorf("told %+v", got)
		}
		h.enqueue(statusRow(p)) // once more: nothing changes
		pass(3 * time.Second)
		if got := h.told(p).Told; got != (store.Told{Codes: 1, Pinged: 1}) || len(h.left(7)) > 0 {
			h.Errorf("told %+v, left %q", got, h.left(7))
		}
	})
}

// TestPingsAreDrawnTogether: a phone that has just rung rings once more for all that came meanwhile, and not for
// what is not there yet. No code waits for a ring.
func TestPingsAreDrawnTogether(t *testing.T) {
	for chat, rest := range map[int64]time.Duration{7: pingRest, -7: groupPingRest} {
		inBubble(t, func(h *harness) {
			h.chat(chat)
			var all []store.Purchase
			var rows []store.Outgoing
			for range 6 {
				p := h.purchase(chat, "AAA")
				all, rows = append(all, p), append(rows, statusRow(p), ping(p))
				pass(10 * time.Second)
			}
			late := h.purchase(chat, "BBB")
			row := statusRow(late)
			row.Due = time.Now().Add(2 * time.Minute)
			h.run()
			begin := time.Now()
			h.enqueue(append(rows, row, ping(late))...)
			pass(time.Minute)
			rings := h.rings(chat)
			if len(rings) < 2 || len(rings) > 3 || rings[0].At.Sub(begin) > time.Second || rings[0].Form["reply_parameters"] == "" {
				h.Fatalf("the phone has rung for %v", rings)
			}
			var told []string
			for i, r := range rings {
				told = append(told, strings.Split(r.Text(), "\n")...)
				if i > 0 && r.At.Sub(rings[i-1].At) < rest {
					h.Errorf("it rings %v after it has rung", r.At.Sub(rings[i-1].At))
				}
			}
			slices.Sort(told)
			var want []string
			for _, p := range all {
				want = append(want, "ping "+store.Ref(p.ID))
				if got := h.told(p).Told; got.Pinged != 1 || got.Codes != 1 {
					h.Errorf("told %+v", got)
				}
			}
			slices.Sort(want)
			if !slices.Equal(told, want) {
				h.Errorf("it has rung for %v, want %v", told, want)
			}
			pass(5 * time.Minute)
			if again := h.rings(chat); len(again) != len(rings)+1 || again[len(rings)].Text() != "ping "+store.Ref(late.ID) || len(h.left(chat)) > 0 {
				h.Errorf("in the end the phone has rung for %v, left %v", again, h.left(chat))
			}
		})
	}
}

// TestNoCodeWaitsForARing that comes a little later.
func TestNoCodeWaitsForARing(t *testing.T) {
	inBubble(t, func(h *harness) {
		h.chat(7)
		var all []store.Purchase
		for range 3 {
			all = append(all, h.purchase(7, "AAA"))
			pass(10 * time.Second)
		}
		h.run()
		begin := time.Now()
		h.enqueue(statusRow(all[0]), ping(all[0]))
		pass(500 * time.Millisecond)
		h.enqueue(statusRow(all[1]), ping(all[1]))
		pass(500 * time.Millisecond)
		h.enqueue(statusRow(all[2]))
		pass(pingRest - 1100*time.Millisecond)
		if got := h.told(all[2]).Told.Codes; got != 1 {
			h.Errorf("%v after the first ring the code is not there", time.Since(begin))
		}
	})
}

// TestClassOfRows: codes and what is said of purchases go before rings, and these before alerts and digests.
func TestClassOfRows(t *testing.T) {
	for _, test := range []struct {
		kind     store.OutKind
		priority store.Priority
		want     telegram.Class
	}{
		{store.StatusMessage, store.DeliveryPriority, telegram.Deliveries},
		{store.Document, store.DeliveryPriority, telegram.Deliveries},
		{store.Ping, store.NoticePriority, telegram.Pings},
		{store.ListPing, store.NoticePriority, telegram.Pings},
		{store.Note, store.NoticePriority, telegram.Deliveries},
		{store.Note, store.AlertPriority, telegram.Alerts},
		{store.Note, store.AlertPriority + 1, telegram.Digests},
	} {
		if got := classOf(store.Outgoing{Kind: test.kind, Priority: test.priority}); got != test.want {
			t.Errorf("%s of priority %d is of class %d, want %d", test.kind, test.priority, got, test.want)
		}
	}
}

// TestStatusIsOfTheMoment: a status message that has to wait for its chat tells what is so when it goes, and once.
func TestStatusIsOfTheMoment(t *testing.T) {
	inBubble(t, func(h *harness) {
		p := h.purchase(7, "", "B")
		for range 2 { // beside the summary: what the chat takes at once
			h.purchase(7)
		}
		h.run()
		h.enqueue(statusRow(p))
		pass(500 * time.Millisecond)
		h.do(func(tx *store.Tx) error {
			o, err := tx.Order(p.Account, p.OrderIDs[0])
			o.State, o.Code, o.ReadyAt = store.Ready, secret.New("A"), time.Now()
			row := statusRow(p)
			return errors.Join(err, tx.PutOrder(&o), tx.Enqueue(&row))
		})
		pass(5 * time.Second)
		h.expect(7, 0, "fr accepted codes=A,B")
	})
}

// rings are the pings that were sent to a chat.
func (h *harness) rings(chat int64) []telegramtest.Call {
	return slices.DeleteFunc(h.telegram.Calls(), func(s telegramtest.Call) bool { return s.Chat != chat || !strings.HasPrefix(s.Text(), "ping") })
}

// TestOutcomeIsShownWithTheBalance where money came back, and not where that would delay a code.
func TestOutcomeIsShownWithTheBalance(t *testing.T) {
	inBubble(t, func(h *harness) {
		phase := func(chat int64, ph store.Phase, codes ...string) store.Outgoing {
			p := h.purchase(chat, codes...)
			p.Phase = ph
			h.do(func(tx *store.Tx) error { return tx.PutPurchase(&p) })
			return statusRow(p)
		}
		failed := phase(9, store.Settled, "A", "")
		h.do(func(tx *store.Tx) error {
			o, err := tx.Order("u1", failed.Purchase+"-1")
			o.State = store.Failed
			return errors.Join(err, tx.PutOrder(&o))
		})
		queued := phase(10, store.Queued)
		h.do(func(tx *store.Tx) error {
			return tx.PutAccount(&store.Account{ID: "u1", Chats: []int64{7, 8, 9, 10}, Busy: "another", Queue: []string{queued.Purchase}})
		})
		h.run()
		h.enqueue(phase(7, store.Settled, "A"), phase(8, store.Rejected), failed, queued)
		pass(time.Second)
		h.expect(7, 0, "fr settled codes=A")
		h.expect(8, 0, "fr rejected codes= balance")
		h.expect(9, 0, "fr settled codes=A balance")
		h.expect(10, 0, "fr queued codes= ahead=1")
	})
}

func TestThousandChatsInOrder(t *testing.T) {
	sampletest.Slow(t)
	const each = 3
	chats := 1000
	if sampletest.Sampled() {
		chats /= 5
	}
	inBubble(t, func(h *harness) {
		h.telegram.Latency = 80 * time.Millisecond
		for n := range each {
			var rows []store.Outgoing
			for chat := range int64(chats) {
				rows = append(rows, note(chat+1, n))
			}
			h.enqueue(rows...)
		}
		h.run()
		begin := time.Now()
		for len(h.telegram.Calls()) < chats*each && time.Since(begin) < time.Hour {
			pass(time.Second)
		}
		if took, least := time.Since(begin), time.Duration(chats*each)*time.Second/28; took > least+5*time.Second {
			h.Errorf("took %v; at 28 a second it is %v", took, least)
		}
		pass(time.Second)
		var at []time.Time
		for _, c := range h.telegram.Calls() {
			at = append(at, c.At)
		}
		if n := telegramtest.MostWithin(at, time.Second); n > 30 {
			h.Errorf("%d within a second", n)
		}
		for chat := range int64(chats) {
			h.expect(chat+1, 0, "note hello 0", "note hello 1", "note hello 2")
		}
	})
}

// TestBusyGroupGivesWay: a group at its limit does not keep its place while it waits.
func TestBusyGroupGivesWay(t *testing.T) {
	inBubble(t, func(h *harness) {
		for n := range 60 {
			row := note(-5, n)
			row.Priority = store.NoticePriority
			h.enqueue(row)
		}
		h.run()
		pass(4 * time.Minute)
		var at []time.Time
		var want []string
		for i, c := range h.telegram.Calls() {
			at, want = append(at, c.At), append(want, fmt.Sprintf("note hello %d", i))
		}
		h.expect(-5, 0, want...)
		if n := telegramtest.MostWithin(at, time.Minute); n > 20 || len(at) != 60 {
			h.Errorf("%d within a minute, %d in all", n, len(at))
		}
	})
}

// TestChangeDuringASendIsNotLost: the row is enqueued anew while its edit is on the way.
func TestChangeDuringASendIsNotLost(t *testing.T) {
	inBubble(t, func(h *harness) {
		p := h.purchase(7, "AAA", "")
		h.telegram.Latency = time.Second
		h.run()
		h.enqueue(statusRow(p))
		pass(500 * time.Millisecond)
		h.do(func(tx *store.Tx) error {
			o, err := tx.Order("u1", p.OrderIDs[1])
			o.State, o.Code = store.Ready, secret.New("BBB")
			row := statusRow(p)
			return errors.Join(err, tx.PutOrder(&o), tx.Enqueue(&row))
		})
		pass(5 * time.Second)
		h.expect(7, 0, "fr accepted codes=AAA", "fr accepted codes=AAA,BBB")
		if got := h.told(p).Told.Codes; got != 2 {
			h.Errorf("%d codes are told", got)
		}
	})
}

func TestStopLetsSendsFinish(t *testing.T) {
	inBubble(t, func(h *harness) {
		h.telegram.Latency = 3 * time.Second
		h.run()
		h.enqueue(note(7, 1), note(7, 2))
		pass(time.Second)
		begin := time.Now()
		err := h.stop()
		if took := time.Since(begin).Round(100 * time.Millisecond); err != nil || took != 2*time.Second {
			h.Errorf("stopped after %v: %v", took, err)
		}
		h.expect(7, 1, "note hello 1")
		h.telegram.Latency = 0
		h.open()
		h.run()
		pass(10 * time.Millisecond)
		h.expect(7, 0, "note hello 1", "note hello 2")
	})
}

// TestStopCutsAHangingSend: it counts as no try, but it may have arrived.
func TestStopCutsAHangingSend(t *testing.T) {
	inBubble(t, func(h *harness) {
		p := h.purchase(7, many()...)
		h.telegram.Latency = 20 * time.Second
		h.run()
		h.enqueue(document(p))
		pass(time.Second)
		begin := time.Now()
		err := h.stop()
		if took := time.Since(begin).Round(100 * time.Millisecond); err != nil || took != stopGrace {
			h.Errorf("stopped after %v: %v", took, err)
		}
		rows, err := h.store.ChatOutbox(h.Context(), 7, 9)
		if err != nil || len(rows) != 1 || !rows[0].Sent || rows[0].Tries != 0 {
			h.Errorf("rows %+v, err %v", rows, err)
		}
		h.telegram.Latency = 0
		h.open()
		h.run()
		pass(10 * time.Millisecond)
		h.expect(7, 0, "codes again")
	})
}

// TestStopWhileAllDrainsHang: more chats wait than are drained side by side. The time that sends have counts from the stop all the same.
func TestStopWhileAllDrainsHang(t *testing.T) {
	inBubble(t, func(h *harness) {
		h.telegram.Latency = 20 * time.Second
		h.run()
		for chat := range int64(2 * drains) {
			h.enqueue(note(1000+chat, 1))
		}
		pass(15 * time.Second)
		begin := time.Now()
		err := h.stop()
		if took := time.Since(begin).Round(100 * time.Millisecond); err != nil || took != stopGrace {
			h.Errorf("stopped after %v: %v", took, err)
		}
	})
}

// TestStartInheritsWhatTwoCrashesLeft: the first killed process had claimed rows, and the second one had
// taken them over.
func TestStartInheritsWhatTwoCrashesLeft(t *testing.T) {
	inBubble(t, func(h *harness) {
		h.enqueue(note(7, 1), note(7, 2))
		for _, now := range []time.Time{time.Now(), time.Now().Add(lease)} {
			if rows := h.d.claim(h.Context(), now); len(rows) != 2 {
				h.Fatalf("claimed %d rows", len(rows))
			}
			pass(time.Second)
		}
		h.run()
		pass(10 * time.Millisecond)
		h.expect(7, 0, "note hello 1", "note hello 2")
	})
}

// TestStartInheritsWhatACrashLeft: rows that a killed process had claimed go out at once.
func TestStartInheritsWhatACrashLeft(t *testing.T) {
	inBubble(t, func(h *harness) {
		h.enqueue(note(7, 1), note(7, 2))
		if rows, err := h.store.ClaimOutbox(h.Context(), time.Now(), lease, 10); err != nil || len(rows) != 2 {
			h.Fatalf("claimed %d rows, err %v", len(rows), err)
		}
		h.run()
		pass(10 * time.Millisecond)
		h.expect(7, 0, "note hello 1", "note hello 2")
	})
}

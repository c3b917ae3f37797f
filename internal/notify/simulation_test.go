package notify

import (
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"resellerbot/internal/sampletest"
	"resellerbot/internal/store"
	"resellerbot/internal/telegram/telegramtest"
)

// faults are what Telegram may answer instead of the truth. With done, the call has taken effect.
func faults() []telegramtest.Reply {
	return []telegramtest.Reply{
		{Code: 429, Text: "Too Many Requests: retry after 2", Params: `{"retry_after":2}`},
		{Code: 500, Text: "Internal Server Error"},
		{Code: 500, Text: "Internal Server Error", Done: true},
		{Err: io.ErrUnexpectedEOF},
		{Err: io.ErrUnexpectedEOF, Done: true},
		{Raw: "<html>", Done: true},
		{Code: 403, Text: "Forbidden: bot was blocked by the user"},
		{Code: 400, Text: "Bad Request: message can't be edited"},
		{Code: 400, Text: "Bad Request: message is too long"},
	}
}

// TestEveryCodeArrives throws faults and stops at deliveries, then lets everything be quiet: every code
// is shown in its chat, notes come in order, and nothing comes twice unless an answer was ambiguous.
func TestEveryCodeArrives(t *testing.T) {
	sampletest.Slow(t)
	defer sampletest.FewChecks(20)()
	rapid.Check(t, func(rt *rapid.T) {
		seed := rapid.Uint64().Draw(rt, "seed")
		odds := rapid.Float64Range(0, 0.6).Draw(rt, "odds of a fault")
		stops := rapid.SliceOfN(rapid.IntRange(0, 3000), 0, 3).Draw(rt, "stops after ms")
		inBubble(t, func(h *harness) {
			if problem := simulate(h, rand.New(rand.NewPCG(seed, 1)), odds, stops); problem != "" {
				rt.Fatal(problem)
			}
		})
	})
}

// simulate plays one run and tells what is wrong with its end.
func simulate(h *harness, r *rand.Rand, odds float64, stops []int) string {
	const chats, each = 4, 3
	purchases := map[string]store.Purchase{}
	for chat := range int64(chats) {
		h.chat(chat + 1)
		for n := range each {
			code := fmt.Sprintf("CODE-%d-%d", chat+1, n)
			p := h.purchase(chat+1, code)
			purchases[code] = p
			h.enqueue(statusRow(p), ping(p), note(chat+1, n))
		}
	}
	ambiguous := map[string]bool{}
	h.telegram.Latency = 300 * time.Millisecond
	h.telegram.Script(func(_ int, s telegramtest.Call) telegramtest.Reply {
		if r.Float64() >= odds {
			return telegramtest.Reply{}
		}
		fault := faults()[r.IntN(len(faults()))]
		if fault.Done {
			ambiguous[s.Text()] = true
		}
		return fault
	})
	h.run()
	for _, after := range stops {
		pass(time.Duration(after) * time.Millisecond)
		h.stop()
		h.open()
		h.run()
	}
	pass(time.Minute)
	h.telegram.Script(nil)
	for chat := range int64(chats) {
		h.d.Wake(chat + 1)
	}
	pass(2 * time.Hour) // a row set aside waits for one
	for code, p := range purchases {
		if problem := h.wrongEnd(p, code, ambiguous); problem != "" {
			return problem
		}
	}
	return ""
}

// wrongEnd tells what is wrong with what a chat was told of a purchase; "" if nothing is.
func (h *harness) wrongEnd(p store.Purchase, code string, ambiguous map[string]bool) string {
	h.Helper()
	if left := h.left(p.Chat); len(left) > 0 {
		return fmt.Sprintf("%q are left for chat %d", left, p.Chat)
	}
	now := h.told(p)
	if shown := h.telegram.Messages[fmt.Sprintf("%d/%d", p.Chat, now.Message)]; !strings.Contains(shown, code) || now.Told.Codes != 1 {
		return fmt.Sprintf("the carrier shows %q instead of %s; told %+v", shown, code, now.Told)
	}
	var arrived []string
	for at, text := range h.telegram.Messages {
		if strings.HasPrefix(at, fmt.Sprintf("%d/", p.Chat)) {
			arrived = append(arrived, text)
		}
		if strings.Contains(text, code) && !strings.HasPrefix(at, fmt.Sprintf("%d/", p.Chat)) {
			return fmt.Sprintf("chat %s was shown %s", at, code)
		}
	}
	slices.Sort(arrived)
	for i := 1; i < len(arrived); i++ {
		said, _, _ := strings.Cut(arrived[i], "{") // without its keyboard
		if text := arrived[i]; text == arrived[i-1] && text != "summary" && !ambiguous[said] {
			return fmt.Sprintf("%q came twice for no reason", text)
		}
	}
	return ""
}

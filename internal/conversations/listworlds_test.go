package conversations_test

import (
	"regexp"
	"strings"
	"testing"
	"time"

	"resellerbot/internal/api/dzd"
	"resellerbot/internal/api/sim"
	"resellerbot/internal/app/apptest"
	"resellerbot/internal/sampletest"
)

const slowSpend = 2 * time.Second // what each line takes, so that something can happen between two of them

// slowly has the service take its time for each request that spends, but for the nth, which goes as a fault says.
func slowly(h *apptest.Harness, n int, faults ...sim.Fault) {
	slow := sim.Fault{Operation: sim.Spending, Kind: sim.Delay, Delay: slowSpend}
	if n > 0 {
		slow.Times = n
		h.Service.Inject(slow)
	}
	for _, f := range faults {
		f.Operation = sim.Spending
		h.Service.Inject(f)
	}
	slow.Times = 200
	h.Service.Inject(slow)
}

// listRow is a line as the card of a list shows it.
var listRow = regexp.MustCompile(`(?m)^(\d+) (\S+) (.*)$`)

// cardTruth holds the card of a list of players, as it is at last, against what was bought for each of them. It tells how many
// lines ended with each mark.
func cardTruth(h *apptest.Harness, user int64, card int) map[string]int {
	h.T.Helper()
	bought, paid := map[string]int{}, map[string]dzd.Amount{}
	for _, p := range h.Service.Purchases() {
		for _, v := range p.Inputs {
			bought[v], paid[v] = bought[v]+1, p.Total
		}
	}
	marks, sum := map[string]int{}, dzd.Amount{}
	for _, m := range h.Telegram.Messages(user) {
		if m.ID != card {
			continue
		}
		text := apptest.Plain(m.Text)
		for _, row := range listRow.FindAllStringSubmatch(text, -1) {
			who, _, _ := strings.Cut(row[3], " ")
			n := bought[who]
			if marks[row[2]]++; row[2] == "🎉" {
				sum = sum.Add(paid[who])
			}
			switch {
			case n > 1:
				h.T.Errorf("%s was bought for %d times", who, n)
			case row[2] == "🎉" && n != 1, row[2] == "❌" && n != 0 && !strings.Contains(row[3], "just now"), row[2] == "⏳" && !strings.Contains(text, "the key does not work"), row[2] == "▫️":
				h.T.Errorf("%s was bought for %d times, and the card says %q", who, n, row[0])
			}
		}
		if figures := strings.NewReplacer(",", "", "\u00a0", " ").Replace(text); strings.Contains(text, "List done") && !strings.Contains(figures, "Paid: DZD "+sum.String()) {
			h.T.Errorf("%v was paid, and the card says\n%s", sum, text)
		}
	}
	if len(marks) == 0 {
		h.T.Errorf("no card:\n%s", h.Transcript(user))
	}
	return marks
}

// hardWorld is what happens to a list while it goes.
type hardWorld struct {
	n      int // the line that the faults are for, from 0
	faults []sim.Fault
	during func(h *apptest.Harness)
	want   map[string]int // marks
}

// TestListsInAHardWorld: whatever the service, the key or other people do while a list goes, no line is bought twice, and its card says
// of each what is true.
func TestListsInAHardWorld(t *testing.T) {
	t.Parallel()
	const card = apptest.TestKey
	worlds := map[string]hardWorld{
		"429 before":        {n: 2, faults: []sim.Fault{{Kind: sim.RateLimit, Delay: 2 * time.Second, Times: 1}}, want: map[string]int{"🎉": 5, "❌": 1}},
		"429 twice":         {n: 2, faults: []sim.Fault{{Kind: sim.RateLimit, Delay: 2 * time.Second, Times: 2}}},
		"429 after":         {n: 2, faults: []sim.Fault{{Kind: sim.ErrorDone, Status: 429, Times: 1}}},
		"400":               {n: 2, faults: []sim.Fault{{Kind: sim.ErrorAnswer, Status: 400, Message: "Product out of stock", Times: 1}}, want: map[string]int{"🎉": 5, "❌": 1}},
		"400 done":          {n: 2, faults: []sim.Fault{{Kind: sim.ErrorDone, Status: 400, Message: "Product out of stock", Times: 1}}},
		"403 funds":         {n: 2, faults: []sim.Fault{{Kind: sim.ErrorAnswer, Status: 403, Message: "Insufficient balance", Times: 1}}, want: map[string]int{"🎉": 2, "❌": 4}},
		"403 funds done":    {n: 2, faults: []sim.Fault{{Kind: sim.ErrorDone, Status: 403, Message: "Insufficient balance", Times: 1}}},
		"401":               {n: 2, faults: []sim.Fault{{Kind: sim.ErrorAnswer, Status: 401, Message: "Invalid API key", Times: 1}}},
		"500 envelope":      {n: 2, faults: []sim.Fault{{Kind: sim.ErrorAnswer, Status: 500, Times: 1}}},
		"502 done":          {n: 2, faults: []sim.Fault{{Kind: sim.StatusDone, Status: 502, Times: 1}}},
		"silence":           {n: 2, faults: []sim.Fault{{Kind: sim.Silence, Times: 1}}},
		"silence done":      {n: 2, faults: []sim.Fault{{Kind: sim.SilenceDone, Times: 1}}},
		"late":              {n: 2, faults: []sim.Fault{{Kind: sim.Late, Delay: 20 * time.Minute, Times: 1}}},
		"late refused":      {n: 2, faults: []sim.Fault{{Kind: sim.Late, Delay: 20 * time.Minute, Status: 400, Times: 1}}},
		"silence twice":     {n: 2, faults: []sim.Fault{{Kind: sim.Silence, Times: 1}, {Kind: sim.SilenceDone, Times: 1}}},
		"the price goes up": {during: func(h *apptest.Harness) { h.Pass(3 * time.Second); h.Service.SetPrice(1101, "250") }},
		"it is renamed":     {during: func(h *apptest.Harness) { h.Pass(3 * time.Second); h.Service.SetName(1101, "60 gems") }},
		"it is sold out":    {during: func(h *apptest.Harness) { h.Pass(3 * time.Second); h.Service.SetStock(1101, 0) }},
		"the money goes":    {during: func(h *apptest.Harness) { h.Pass(3 * time.Second); h.Service.SetBalance(card, "700") }},
		"others buy the same": {during: func(h *apptest.Harness) {
			for range 4 {
				h.Pass(time.Second)
				_, _ = h.Service.Buy(card, 1101, 1, "outside")
			}
		}},
		"others, silence": {n: 2, faults: []sim.Fault{{Kind: sim.Silence, Times: 1}}, during: func(h *apptest.Harness) {
			for range 4 {
				h.Pass(2 * time.Second)
				_, _ = h.Service.Buy(card, 1101, 1, "outside")
			}
		}},
		"the key expires": {during: func(h *apptest.Harness) { h.Pass(3 * time.Second); h.Service.ExpireKey(card) }},
		"the address is refused": {during: func(h *apptest.Harness) {
			h.Pass(3 * time.Second)
			h.Service.BlockAddress(card, true)
			h.Pass(time.Minute)
			h.Service.BlockAddress(card, false)
		}},
		"unlinked": {during: func(h *apptest.Harness) {
			h.Pass(time.Second)
			h.Say(apptest.Sam, "/key remove")
			h.Tap(apptest.Sam, "Yes, unlink") // a part of the list is not sent any more
		}},
		"unlinked and linked": {during: func(h *apptest.Harness) {
			h.Pass(time.Second)
			h.Say(apptest.Sam, "/key remove")
			h.Tap(apptest.Sam, "Yes, unlink") // a part of the list is not sent any more
			h.Say(apptest.Sam, "/key "+card)
		}},
		"rotated": {during: func(h *apptest.Harness) {
			h.Pass(3 * time.Second)
			h.Service.RotateKey(card, "KEY-canary-renewed-77")
			h.Pass(time.Minute)
			h.Say(apptest.Sam, "/key KEY-canary-renewed-77")
		}},
		"locked": {during: func(h *apptest.Harness) {
			h.Pass(time.Second)
			h.Say(apptest.Sam, "/lock")
			h.Pass(time.Minute)
			h.Say(apptest.Sam, "/unlock")
		}},
		"one of it by itself": {during: func(h *apptest.Harness) {
			h.Say(apptest.Sam, "battle 60 51230004")
			h.Pass(3 * time.Second)
			for _, m := range h.Telegram.Messages(apptest.Sam) {
				if strings.Contains(m.Text, "Check before buying") {
					h.Tap(apptest.Sam, "✅")
				}
			}
		}},
		"restarted": {n: 2, faults: []sim.Fault{{Kind: sim.SilenceDone, Times: 1}}, during: func(h *apptest.Harness) { h.Pass(6 * time.Second); h.Stop(); h.Start() }},
	}
	for name, c := range sampletest.SomeNamed(8, worlds) {
		for _, lag := range sampletest.Some(2, []time.Duration{0, time.Minute, 14 * time.Minute}) {
			t.Run(name+" "+lag.String(), func(t *testing.T) {
				t.Parallel()
				atTheCounter(t, func(h *apptest.Harness) {
					h.Service.SetWorld(sim.World{BalanceLag: lag, ListLag: lag / 2, StatusLag: lag / 7})
					cardOf(h, "60 coins for:\n"+players(6))
					m := h.See(apptest.Sam, "Valid for")
					slowly(h, c.n, c.faults...)
					h.Tap(apptest.Sam, "✅")
					if c.during != nil {
						c.during(h)
					}
					h.Pass(90 * time.Minute)
					marks := cardTruth(h, apptest.Sam, m.ID)
					t.Log(marks)
					for mark, n := range c.want {
						if marks[mark] != n && lag == 0 {
							t.Errorf("%d lines are %s, want %d", marks[mark], mark, n)
						}
					}
					if t.Failed() {
						t.Log(h.Transcript(apptest.Sam))
					}
				})
			})
		}
	}
}

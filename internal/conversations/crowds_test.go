package conversations_test

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"resellerbot/internal/api/sim"
	"resellerbot/internal/app/apptest"
	"resellerbot/internal/sampletest"
	"resellerbot/internal/sandbox/tgsim"
	"resellerbot/internal/store"
)

// strangerCrowd is people whom nobody knows and who write without end.
type strangerCrowd struct {
	name   string
	people int
	groups int           // of each of them, that they write in; 0: they write in private
	inShop bool          // they write in the shop's own group
	every  time.Duration // between two rounds, in which each writes once everywhere
	text   string
}

// crowds are the ones that were seen to hold a shop up.
func crowds() []strangerCrowd {
	return []strangerCrowd{
		{name: "one in two groups of theirs", people: 1, groups: 2, every: time.Second, text: "/help@shop_bot"},
		{name: "two in private", people: 2, every: time.Second / 4, text: "/help"},
		{name: "thirty in private", people: 30, every: time.Second, text: "/help"},
		{name: "one in the shop's group, slowly", people: 1, inShop: true, every: 3 * time.Second, text: "/buy@shop_bot"},
		{name: "one in the shop's group, fast", people: 1, inShop: true, every: time.Second / 2, text: "/buy@shop_bot"},
		{name: "one in the shop's group, with what may be a key", people: 1, inShop: true, every: 430 * time.Millisecond, text: "/key@shop_bot remove"},
	}
}

// shopsTimes is how long a shop waits while a crowd is there.
type shopsTimes struct {
	codes   []time.Duration // from ✅ to the code, of each buyer
	copied  time.Duration   // until the shop's group is told of a purchase
	command time.Duration   // until an owner's command in the group is answered
	refused int             // answers of Telegram that something was too much
	asked   int             // messages of the crowd
	answers int             // messages to it
	calls   int             // of the Bot API
	service int             // calls of the service
	stored  int             // bytes
}

// String is for the log of the tests.
func (s shopsTimes) String() string {
	return fmt.Sprintf("✅ → code: median %.1f s, longest %.1f s; the group's copy %.1f s; a command there %.1f s; %d refusals",
		s.median().Seconds(), slices.Max(s.codes).Seconds(), s.copied.Seconds(), s.command.Seconds(), s.refused)
}

// forEach is what each message of the crowd has cost: answers, calls of the Bot API and of the service, and bytes.
func (s shopsTimes) forEach(calm shopsTimes) (answers, calls, service, bytes float64) {
	part := func(n, without int) float64 { return float64(max(n-without, 0)) / float64(max(s.asked, 1)) }
	return part(s.answers, 0), part(s.calls, calm.calls), part(s.service, calm.service), part(s.stored, calm.stored)
}

func (s shopsTimes) median() time.Duration {
	sorted := slices.Sorted(slices.Values(s.codes))
	return sorted[len(sorted)/2]
}

// TestCrowds: whoever writes to the bot without end, a shop gets its codes as if nobody did, under Telegram's own
// limits, and causes no refusal. With CROWDS=full the crowds are also ten times as large.
func TestCrowds(t *testing.T) {
	sampletest.Slow(t)
	apptest.InMemory(t)
	calm := duringCrowd(t, strangerCrowd{name: "undisturbed"})
	t.Logf("undisturbed: %v", calm)
	scales := []int{1}
	if os.Getenv("CROWDS") == "full" {
		scales = append(scales, 10)
	}
	for _, scale := range scales {
		for _, c := range sampletest.Some(2, crowds()) {
			c.people *= scale
			t.Run(fmt.Sprintf("%s, %d times", c.name, scale), func(t *testing.T) {
				got := duringCrowd(t, c)
				answers, calls, service, bytes := got.forEach(calm)
				t.Logf("%v; %d messages of the crowd, and for each %.3f answers, %.3f calls, %.3f of the service, %.1f bytes stored",
					got, got.asked, answers, calls, service, bytes)
				got.judge(t, calm)
			})
		}
	}
}

// judge fails the test where a shop is held up.
func (s shopsTimes) judge(t *testing.T, calm shopsTimes) {
	t.Helper()
	if m := s.median(); m > 2*calm.median() || m > 5*time.Second {
		t.Errorf("a code takes %v at the median, %v undisturbed", m, calm.median())
	}
	if m := slices.Max(s.codes); m > 10*time.Second {
		t.Errorf("a code takes %v", m)
	}
	if s.copied > 30*time.Second || s.command > 15*time.Second {
		t.Errorf("the group is told after %v, and answered after %v", s.copied, s.command)
	}
	if s.refused > 0 {
		t.Errorf("Telegram had to refuse %d calls", s.refused)
	}
	if answers, calls, service, bytes := s.forEach(calm); answers > 0.2 || calls > 0.4 || service > 0.01 || bytes > 5 {
		t.Errorf("each message of the crowd costs %.3f answers, %.3f calls, %.3f of the service, %.1f bytes", answers, calls, service, bytes)
	}
}

const (
	crowdBuyers   = 8                // with an account of each
	crowdPause    = 15 * time.Second // between their purchases
	crowdPatience = 10 * time.Minute
)

// duringCrowd measures a shop while a crowd writes; one of nobody is for comparison.
func duringCrowd(t *testing.T, c strangerCrowd) (got shopsTimes) {
	t.Helper()
	inShop(t, func(h *apptest.Harness) {
		weight := &weighedEngine{}
		h.Stop()
		h.Engine = func(e store.Engine) store.Engine { weight.Engine = e; return weight }
		h.Start()
		h.Service.SetBalance(apptest.TestKey, "90000")
		buyers := buyersInCrowd(h)
		h.Telegram.SetLimits(true)
		h.Pass(2 * time.Minute)
		talk := gather(h, c)
		h.Order(apptest.Karim, "Play Card", "10 USD", "1")
		for _, b := range buyers {
			h.Order(b, "Play Card", "10 USD", "1")
		}
		before := countCrowd(h, c, weight)
		ctx, stop := context.WithCancel(context.Background())
		var wg sync.WaitGroup
		wg.Go(func() { talk(ctx) })
		h.Pass(30 * time.Second)
		got.copied = until(h, apptest.Karim, func() bool { return strings.Contains(h.Texts(shop), "Delivered") })
		for _, b := range buyers {
			got.codes = append(got.codes, until(h, b, func() bool { return len(h.Codes(b)) > 0 }))
			h.Pass(crowdPause)
		}
		h.Telegram.Send(apptest.Sam, shop, "/lock@shop_bot")
		got.command = waited(h, func() bool { return strings.Contains(h.Texts(shop), "locked") })
		stop()
		wg.Wait()
		after := countCrowd(h, c, weight)
		got.refused, got.asked, got.answers = after.refused-before.refused, after.asked-before.asked, after.answered-before.answered
		got.calls, got.service, got.stored = after.calls-before.calls, after.service-before.service, after.bytes-before.bytes
		h.Answered()
	})
	return got
}

// buyersInCrowd are shops beside that of the tests.
func buyersInCrowd(h *apptest.Harness) (all []int64) {
	h.T.Helper()
	for i := range int64(crowdBuyers) {
		id, key := 801+i, fmt.Sprintf("KEY-of-buyer-%06d", i)
		h.Must(h.Service.AddAccount(sim.AccountSpec{Key: key, Name: fmt.Sprintf("Buyer %d", i), UserID: 4200 + i, Balance: "90000"}))
		h.Telegram.AddUser(tgsim.User{ID: id, FirstName: "Buyer", LanguageCode: "en"})
		h.Say(id, "/start")
		h.Say(id, "/key "+key)
		h.See(id, fmt.Sprintf("Buyer %d", i))
		all = append(all, id)
	}
	return all
}

// gather brings a crowd together, and returns what has it write until ctx ends.
func gather(h *apptest.Harness, c strangerCrowd) (talk func(context.Context)) {
	type place struct{ person, chat int64 }
	var places []place
	for i := range int64(c.people) {
		id := 20_000 + i
		h.Telegram.AddUser(tgsim.User{ID: id, FirstName: "Nobody", LanguageCode: "en"})
		switch {
		case c.inShop:
			h.Telegram.SetRole(apptest.Sam, shop, id, tgsim.Ordinary)
			places = append(places, place{id, shop})
		case c.groups == 0:
			places = append(places, place{id, id})
		}
		for g := range int64(c.groups) {
			group := -(30_000 + i*10 + g)
			h.Telegram.AddGroup(group, "Friends", id)
			places = append(places, place{id, group})
		}
	}
	return func(ctx context.Context) {
		for ctx.Err() == nil && len(places) > 0 {
			for _, p := range places {
				h.Telegram.Send(p.person, p.chat, c.text)
			}
			select {
			case <-time.After(c.every):
			case <-ctx.Done():
			}
		}
	}
}

// until taps ✅ for somebody, and waits for what comes of it.
func until(h *apptest.Harness, user int64, done func() bool) time.Duration {
	if _, err := h.Telegram.TapButton(user, user, "✅"); err != nil {
		return crowdPatience // the offer has expired meanwhile
	}
	return waited(h, done)
}

// waited is how long something takes to come, crowdPatience where it does not.
func waited(h *apptest.Harness, done func() bool) time.Duration {
	begin := time.Now()
	for time.Since(begin) < crowdPatience && !done() {
		h.Pass(100 * time.Millisecond)
	}
	return time.Since(begin)
}

// crowdFigures are counters at one moment.
type crowdFigures struct{ calls, service, refused, asked, answered, bytes int }

// countCrowd reads the counters.
func countCrowd(h *apptest.Harness, c strangerCrowd, weight *weighedEngine) (f crowdFigures) {
	h.T.Helper()
	for method, n := range h.Telegram.Calls() {
		if method != "getupdates" {
			f.calls += n
		}
	}
	for _, n := range h.Service.Requests() {
		f.service += n
	}
	f.bytes = int(weight.bytes.Load())
	f.refused = strings.Count(h.Log.String(), "Telegram asked to wait")
	chats := []int64{shop}
	for i := range int64(c.people) {
		chats = append(chats, 20_000+i, -(30_000 + i*10), -(30_001 + i*10))
	}
	for _, chat := range chats {
		for _, m := range h.Telegram.Messages(chat) {
			switch {
			case !m.FromBot && m.From >= 20_000 && m.Notice == "":
				f.asked++
			case m.FromBot && (chat != shop || strings.Contains(m.Text, "Only the team of this shop")):
				f.answered++
			}
		}
	}
	return f
}

// weighedEngine counts the bytes that are written.
type weighedEngine struct {
	store.Engine

	bytes atomic.Int64
}

// Update implements store.Engine.
func (w *weighedEngine) Update(ctx context.Context, fn func(store.RecordTx) error) error {
	return w.Engine.Update(ctx, func(tx store.RecordTx) error { return fn(weighedTx{tx, w}) })
}

// Batch implements store.Engine.
func (w *weighedEngine) Batch(ctx context.Context, fn func(store.RecordTx) error) error {
	return w.Engine.Batch(ctx, func(tx store.RecordTx) error { return fn(weighedTx{tx, w}) })
}

type weighedTx struct {
	store.RecordTx

	engine *weighedEngine
}

// Put implements store.RecordTx.
func (w weighedTx) Put(r store.Record) (uint64, error) {
	w.engine.bytes.Add(int64(len(r.Key) + len(r.Value)))
	return w.RecordTx.Put(r)
}

// TestCrowdGetsAFifth: a hundred people whom nobody knows, who come at the same moment, get five answers a second.
func TestCrowdGetsAFifth(t *testing.T) {
	apptest.InMemory(t)
	apptest.Run(t, apptest.Stock, func(h *apptest.Harness) {
		talk := gather(h, strangerCrowd{people: 100, every: time.Hour, text: "/help"})
		ctx, stop := context.WithCancel(context.Background())
		var wg sync.WaitGroup
		wg.Go(func() { talk(ctx) })
		h.Pass(1500 * time.Millisecond)
		answers := 0
		for i := range int64(100) {
			answers += h.FromBot(20_000 + i)
		}
		stop()
		wg.Wait()
		if answers < 5 || answers > 10 {
			t.Errorf("%d answers in a second and a half", answers)
		}
	})
}

package tgsim

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// An update comes again and again until an offset behind it confirms it.
func TestRedelivery(t *testing.T) {
	play(t, Options{}, func(h *harness) {
		for i := range 3 {
			h.People.Send(sam, sam, strconv.Itoa(i))
		}
		first := h.poll(nil)
		h.pass(time.Second)
		again := h.poll(object{"offset": first[0].id})
		if len(first) != 3 || len(again) != 3 || first[2].id != first[0].id+2 {
			t.Fatalf("got %v, then %v", first, again)
		}
		rest := h.poll(object{"offset": first[1].id, "limit": 1})
		if len(rest) != 1 || rest[0].at("text") != "1" || h.Updates.Pending() != 2 {
			t.Errorf("got %v, %d wait", rest, h.Updates.Pending())
		}
		if got := h.poll(object{"offset": first[2].id + 1}); len(got) != 0 || h.Updates.Pending() != 0 {
			t.Errorf("got %v, %d wait", got, h.Updates.Pending())
		}
	})
}

func TestOffsets(t *testing.T) {
	for name, c := range map[string]struct {
		offset func(first int64) int64
		got    string // of 0 1 2 3
		left   int
	}{
		"none":            {func(int64) int64 { return 0 }, "0 1 2 3", 4},
		"one":             {func(int64) int64 { return 1 }, "0 1 2 3", 4},
		"the third":       {func(f int64) int64 { return f + 2 }, "2 3", 2},
		"behind all":      {func(f int64) int64 { return f + 4 }, "", 0},
		"far behind all":  {func(f int64) int64 { return f + 4 + 11 }, "0 1 2 3", 4}, // means nothing
		"the last two":    {func(int64) int64 { return -2 }, "2 3", 2},
		"the last ninety": {func(int64) int64 { return -90 }, "0 1 2 3", 4},
	} {
		t.Run(name, func(t *testing.T) {
			play(t, Options{}, func(h *harness) {
				for i := range 4 {
					h.People.Send(sam, sam, strconv.Itoa(i))
				}
				first := h.poll(nil)[0].id
				h.pass(5 * time.Second)
				var got []string
				for _, u := range h.poll(object{"offset": c.offset(first)}) {
					got = append(got, fmt.Sprint(u.at("text")))
				}
				if strings.Join(got, " ") != c.got || h.Updates.Pending() != c.left {
					t.Errorf("got %v and left %d, want %s and %d", got, h.Updates.Pending(), c.got, c.left)
				}
			})
		})
	}
}

// A long poll answers when something comes, and with nothing when its time is over.
func TestLongPoll(t *testing.T) {
	play(t, Options{}, func(h *harness) {
		begin := time.Now()
		time.AfterFunc(7*time.Second, func() { h.People.Send(sam, sam, "hello") })
		got := h.poll(object{"timeout": 20})
		if took := time.Since(begin); len(got) != 1 || took != 7*time.Second {
			t.Errorf("got %v after %v", got, took)
		}
		begin = time.Now()
		got = h.poll(object{"timeout": 500, "offset": got[0].id + 1}) // 50 at most
		if took := time.Since(begin); len(got) != 0 || took != 50*time.Second {
			t.Errorf("got %v after %v", got, took)
		}
	})
}

// Who asks for the same again at once is held up, and gets one update at a time.
func TestBusyPolling(t *testing.T) {
	play(t, Options{}, func(h *harness) {
		h.poll(nil)
		begin := time.Now()
		if h.poll(nil); time.Since(begin) != 3*time.Second {
			t.Errorf("it took %v", time.Since(begin))
		}
		h.People.Send(sam, sam, "1")
		h.People.Send(sam, sam, "2")
		h.poll(object{"offset": 1})
		if got := h.poll(object{"offset": 1}); len(got) != 1 {
			t.Errorf("got %d", len(got))
		}
	})
}

const otherPoll = "Conflict: terminated by other getUpdates request; make sure that only one bot instance is running"

// Of two pollers the older one loses; fights are slowed down.
func TestSecondPoller(t *testing.T) {
	play(t, Options{}, func(h *harness) {
		var pollers sync.WaitGroup
		answers := make([]reply, 3)
		begin, ends := time.Now(), make([]time.Duration, 3)
		for i := range answers {
			pollers.Go(func() {
				answers[i] = h.call("getUpdates", object{"timeout": 30, "offset": i + 1})
				ends[i] = time.Since(begin)
			})
			synctest.Wait()
		}
		h.People.Send(sam, sam, "hello")
		pollers.Wait()
		h.refused(answers[0], 409, otherPoll)
		h.refused(answers[1], 409, otherPoll)
		if got := decodeUpdates(answers[2].Result); len(got) != 1 {
			t.Errorf("the last one got %+v", answers[2])
		}
		if fmt.Sprint(ends) != "[0s 3s 0s]" {
			t.Errorf("answered after %v", ends)
		}
	})
}

// A poll that is answered at once takes nothing away from one that waits.
func TestShortPollIsNoRival(t *testing.T) {
	play(t, Options{}, func(h *harness) {
		var long reply
		var poller sync.WaitGroup
		poller.Go(func() { long = h.call("getUpdates", object{"timeout": 30}) })
		synctest.Wait()
		h.poll(object{"offset": 5})
		h.People.Send(sam, sam, "hello")
		poller.Wait()
		if !long.OK {
			t.Errorf("got %+v", long)
		}
	})
}

// A poller that hangs up leaves the place free.
func TestPollerHangsUp(t *testing.T) {
	play(t, Options{}, func(h *harness) {
		stop := h.serve("telegram.test:80", h.Server)
		var poller sync.WaitGroup
		poller.Go(func() {
			if _, err := h.request(ask(h.t.Context(), "getUpdates?timeout=30", "", nil)); err == nil {
				t.Error("the server has gone, and an answer came")
			}
		})
		synctest.Wait()
		stop()
		poller.Wait()
		synctest.Wait()
		h.mu.Lock()
		defer h.mu.Unlock()
		if h.inbox.poll != nil {
			t.Error("the place is taken for ever")
		}
	})
}

func TestAllowedUpdates(t *testing.T) {
	for name, c := range map[string]struct {
		calls []any // allowed_updates of a call; nil: not given
		got   string
	}{
		"by default":        {nil, "message my_chat_member"},
		"some":              {[]any{`["message"]`}, "message"},
		"sticky":            {[]any{`["message"]`, nil, "garbage"}, "message"},
		"none named is all": {[]any{`["message"]`, `[]`}, "message my_chat_member"},
		"unknown ones":      {[]any{`["message"]`, `["weather"]`}, "message my_chat_member"},
		"asked for":         {[]any{`["chat_member"]`}, "chat_member"},
	} {
		t.Run(name, func(t *testing.T) {
			play(t, Options{}, func(h *harness) {
				h.Directory.AddGroup(shop, "Shop", sam)
				h.Directory.SetRole(sam, shop, bot, Administrator)
				h.drain()
				for _, v := range c.calls {
					h.poll(object{"allowed_updates": v})
				}
				h.People.Send(sam, sam, "hello")
				h.Directory.Block(sam)
				h.Directory.SetRole(sam, shop, lea, Ordinary)
				all := strings.Split(kinds(h.drain()), ",")
				slices.Sort(all)
				if got := strings.Join(slices.Compact(all), " "); got != c.got {
					t.Errorf("got %s, want %s", got, c.got)
				}
			})
		})
	}
}

// What is not fetched in time is gone: taps after 150 seconds, the rest after a day.
func TestExpiry(t *testing.T) {
	play(t, Options{}, func(h *harness) {
		h.People.Send(sam, sam, "hello")
		h.People.Tap(sam, sam, 1, "x")
		h.pass(callbackLife + time.Second)
		if got := kinds(h.poll(nil)); got != "message" {
			t.Errorf("got %s", got)
		}
		h.pass(24 * time.Hour)
		if got := h.poll(nil); len(got) != 0 || h.Updates.Pending() != 0 {
			t.Errorf("got %v", kinds(got))
		}
	})
}

// After a week without updates ids go on anywhere.
func TestJump(t *testing.T) {
	play(t, Options{}, func(h *harness) {
		h.People.Send(sam, sam, "a")
		before := h.drain()[0].id
		h.Updates.JumpUpdates(7)
		h.People.Send(sam, sam, "b")
		got := h.poll(object{"offset": before + 1})
		if len(got) != 1 || got[0].id != 7 {
			t.Errorf("got %v", got)
		}
	})
}

// An answer is of four megabytes at most.
func TestBatchSize(t *testing.T) {
	play(t, Options{}, func(h *harness) {
		h.lies = true
		for range 3 {
			h.Updates.InjectUpdate(`"message":{"text":"` + strings.Repeat("x", 2<<20) + `"}`)
		}
		if got := h.poll(nil); len(got) != 1 {
			t.Errorf("got %d", len(got))
		}
	})
}

func TestTaps(t *testing.T) {
	const late = "Bad Request: query is too old and response timeout expired or query ID is invalid"
	play(t, Options{}, func(h *harness) {
		id := h.post("sendMessage", object{"chat_id": sam, "text": "a", "reply_markup": button("Buy", "buy:1")}).ID
		query, err := h.People.TapButton(sam, sam, "Buy")
		if err != nil {
			t.Fatal(err)
		}
		u := h.drain()[0]
		if u.kind != "callback_query" || u.at("data") != "buy:1" || u.at("message", "message_id") != float64(id) || u.at("message", "reply_markup") == nil {
			t.Errorf("got %v", u)
		}
		if r := h.call("answerCallbackQuery", object{"callback_query_id": query, "text": "done", "show_alert": true}); !r.OK {
			t.Errorf("got %+v", r)
		}
		if q := h.Callbacks()[0]; q.Answers != 1 || q.Text != "done" || !q.Alert {
			t.Errorf("answered %+v", q)
		}
		h.refused(h.call("answerCallbackQuery", object{"callback_query_id": query, "text": strings.Repeat("x", 201)}), 400, "Bad Request: MESSAGE_TOO_LONG")
		h.refused(h.call("answerCallbackQuery", object{"callback_query_id": query}), 400, late)
		if q := h.Callbacks()[0]; q.Answers != 2 || q.Text != "done" {
			t.Errorf("answered twice: %+v", q)
		}
		h.refused(h.call("answerCallbackQuery", object{"callback_query_id": "1"}), 400, late)
		h.pass(callbackLife)
		h.refused(h.call("answerCallbackQuery", object{"callback_query_id": query}), 400, late)

		h.call("deleteMessage", object{"chat_id": sam, "message_id": id})
		if _, err := h.People.TapButton(sam, sam, "Buy"); err == nil {
			t.Error("a deleted button can be tapped")
		}
		if h.Callbacks()[0].Stale {
			t.Error("a button that is there is called stale")
		}
		h.People.Tap(sam, sam, id, "buy:1")
		if !h.Callbacks()[1].Stale {
			t.Error("a button that is gone is not called stale")
		}
		if u := h.drain()[0]; u.at("message", "date") != 0.0 || u.at("message", "text") != nil {
			t.Errorf("of a message that is gone: %v", u)
		}
	})
}

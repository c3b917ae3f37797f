package conversations

import (
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"path"
	"runtime"
	"strings"
	"testing"

	"resellerbot/internal/sampletest"
	"resellerbot/internal/screen"
	"time"

	"github.com/go-telegram/bot"

	"resellerbot/internal/secret"
	"resellerbot/internal/telegram"
)

// instant is a Telegram that does everything at once. It tells of each message that was sent or edited.
type instant struct{ shown chan struct{} }

// RoundTrip implements http.RoundTripper.
func (i instant) RoundTrip(req *http.Request) (*http.Response, error) {
	if _, err := io.Copy(io.Discard, req.Body); err != nil {
		return nil, err
	}
	body := `{"ok":true,"result":true}`
	if method := path.Base(req.URL.Path); method == "sendMessage" || method == "editMessageText" {
		body = `{"ok":true,"result":{"message_id":1,"date":1,"chat":{"id":7,"type":"private"},"text":"what was sent"}}`
		defer func() { i.shown <- struct{}{} }()
	}
	return &http.Response{StatusCode: http.StatusOK, Header: http.Header{}, Body: io.NopCloser(strings.NewReader(body)), ContentLength: int64(len(body)), Request: req}, nil
}

// allocations are how often an update may allocate on its way from the poller into the client of Telegram, with all that is put on
// disk for it, and how many bytes. uninlined is how often where the compiler does not inline, as in CI: more is on the heap then. Any other
// run that is not the quick loop, as "make full", holds what is shipped to times.
type allocations struct{ times, uninlined, bytes float64 }

// mostAllocated is a little more than what is measured, for it is a sum over goroutines. Who makes an update cheaper makes it less;
// nobody makes it more without a reason that is worth it.
func mostAllocated() map[string]allocations {
	return map[string]allocations{
		"/start":  {times: 550, uninlined: 630, bytes: 78_000},
		"a click": {times: 520, uninlined: 580, bytes: 92_000},
	}
}

// zero allocates what it returns, unless it is inlined: then whoever calls it has it on the stack.
func zero() *int { return new(int) }

// isInlined reports whether the compiler has copied small functions into those that call them.
func isInlined() bool { return testing.AllocsPerRun(10, func() { *zero()++ }) == 0 }

// TestAllocationsDoNotRise counts what an update allocates: times differ from machine to machine, this does not.
func TestAllocationsDoNotRise(t *testing.T) {
	sampletest.Slow(t)
	if raced {
		t.Skip("under the race detector, pools forget what they hold")
	}
	telegramSide := instant{make(chan struct{})}
	client := telegram.ClientOver(telegramSide, secret.New("1:token"))
	library, err := bot.New("1:token", bot.WithHTTPClient(0, client), bot.WithSkipGetMe())
	if err != nil {
		t.Fatal(err)
	}
	limits := telegram.Limits{
		Overall: telegram.Limit{N: 1000, Per: time.Millisecond}, Chat: telegram.Bucket{Burst: 1 << 20, Every: time.Nanosecond}, Group: telegram.DefaultLimits().Group,
	}
	sender := telegram.NewSender(telegram.SenderConfig{Bot: library, HTTP: client, Log: slog.New(slog.DiscardHandler), Limits: limits})
	b := benchBot(t, 2, telegram.Replier{Sender: sender}, shelf{})
	b.cfg.Log = slog.New(slog.NewTextHandler(t.Output(), nil)) // what fails tells why
	inbox := Inbox{Store: b.cfg.Store, Bot: b, Log: b.cfg.Log}
	id := int64(0)
	handle := func(form string) {
		id++
		if err := inbox.Accept(t.Context(), []telegram.Raw{{ID: id, Body: fmt.Appendf(nil, form, id)}}); err != nil {
			t.Fatal(err)
		}
		select {
		case <-telegramSide.shown:
		case <-time.After(time.Minute):
			t.Fatalf("no answer to %s", form)
		}
	}
	for what, form := range map[string]string{
		"/start":  `{"update_id":%d,"message":{"message_id":1,"date":1,"chat":{"id":7,"type":"private","first_name":"Sam"},"from":{"id":7,"is_bot":false,"first_name":"Sam","language_code":"fr"},"text":"/start"}}`,
		"a click": `{"update_id":%d,"callback_query":{"id":"q","from":{"id":7,"first_name":"Sam"},"message":{"message_id":1,"date":1,"chat":{"id":7,"type":"private"},"reply_markup":{"inline_keyboard":[[{"text":"A","callback_data":"1:home"}],[{"text":"B","callback_data":"1:help"}]]}},"data":"1:help"}}`,
	} {
		handle(form)
		var before, after runtime.MemStats
		const times = 300
		runtime.ReadMemStats(&before)
		for range times {
			handle(form)
		}
		b.sides.Wait()
		runtime.ReadMemStats(&after)
		allocated, bytes := float64(after.Mallocs-before.Mallocs)/times, float64(after.TotalAlloc-before.TotalAlloc)/times
		t.Logf("%s allocates %.0f times, %.0f bytes", what, allocated, bytes)
		most := mostAllocated()[what]
		if !isInlined() {
			most.times = most.uninlined
		}
		if allocated > most.times || bytes > most.bytes {
			t.Errorf("%s allocates %.0f times, %.0f bytes: %.0f and %.0f are all that it may", what, allocated, bytes, most.times, most.bytes)
		}
	}
}

// TestWhatBuys: whoever may not press a button that could buy something is told that nothing was bought, and nobody else is.
func TestWhatBuys(t *testing.T) {
	rows := buttons()
	for verb, want := range map[screen.Verb]bool{
		screen.VerbConfirm: true, screen.VerbApprove: true, screen.VerbDecide: true, // they move a purchase
		screen.VerbListConfirm: true, screen.VerbListApprove: true, screen.VerbListStop: true, // or a list
		screen.VerbBuy:   true, // or lead to one
		screen.VerbOrder: false, screen.VerbLanguage: false,
	} {
		if row, known := rows[verb]; !known || row.buys() != want {
			t.Errorf("%s: known %v, buys %v", verb, known, row.buys())
		}
	}
}

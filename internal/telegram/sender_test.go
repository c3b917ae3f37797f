package telegram_test

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/go-telegram/bot"
	"github.com/go-telegram/bot/models"
	"github.com/google/go-cmp/cmp"

	"resellerbot/internal/screen"
	"resellerbot/internal/telegram"
	"resellerbot/internal/telegram/telegramtest"
)

func TestSend(t *testing.T) {
	f := telegramtest.NewFake()
	s := telegramtest.NewSender(t, f, telegramtest.Unlimited())
	id, err := s.Send(t.Context(), 7, screen.Message{
		HTML: "<b>hi</b>",
		Keyboard: [][]screen.Button{
			{{Text: "a", Data: "1:a"}, {Text: "b", URL: "https://example.org"}},
			{{Text: "c", Copy: "CODE"}},
		},
	}, telegram.SendOptions{Silent: true, ReplyTo: 5})
	if err != nil || id != 101 {
		t.Fatalf("id %d, err %v", id, err)
	}
	want := map[string]string{
		"chat_id": "7", "text": "<b>hi</b>", "parse_mode": "HTML", "disable_notification": "true",
		"link_preview_options": `{"is_disabled":true}`,
		"reply_parameters":     `{"message_id":5,"allow_sending_without_reply":true}`,
		"reply_markup":         `{"inline_keyboard":[[{"text":"a","callback_data":"1:a"},{"text":"b","url":"https://example.org"}],[{"text":"c","copy_text":{"text":"CODE"}}]]}`,
	}
	if diff := cmp.Diff(want, f.Calls()[0].Form); diff != "" {
		t.Error(diff)
	}
}

func TestSendDocument(t *testing.T) {
	f := telegramtest.NewFake()
	s := telegramtest.NewSender(t, f, telegramtest.Unlimited())
	m := screen.Message{HTML: "your codes", File: &screen.File{Name: "codes.txt", Body: []byte("A\nB\n")}}
	if _, err := s.Send(t.Context(), 7, m, telegram.SendOptions{}); err != nil {
		t.Fatal(err)
	}
	got := f.Calls()[0]
	if got.Method != "sendDocument" || got.File != "codes.txt:A\nB\n" || got.Form["caption"] != "your codes" || got.Form["parse_mode"] != "HTML" {
		t.Errorf("%+v", got)
	}
}

func TestEditDeleteAnswer(t *testing.T) {
	f := telegramtest.NewFake()
	s, ctx := telegramtest.NewSender(t, f, telegramtest.Unlimited()), t.Context()
	keyed := screen.Message{HTML: "one", Keyboard: [][]screen.Button{{{Text: "a", Data: "1:a"}}}}
	id, err := s.Send(ctx, 7, keyed, telegram.SendOptions{})
	if err != nil {
		t.Fatal(err)
	}
	for _, step := range []struct {
		name string
		do   func() error
		want telegram.Kind
	}{
		{"edit", func() error { return s.Edit(ctx, 7, id, screen.Message{HTML: "two"}, telegram.Purpose{}) }, telegram.OK},
		{"edit to the same", func() error { return s.Edit(ctx, 7, id, screen.Message{HTML: "two"}, telegram.Purpose{}) }, telegram.OK},
		{"edit what is gone", func() error { return s.Edit(ctx, 7, 1, keyed, telegram.Purpose{}) }, telegram.Gone},
		{"delete", func() error { return s.Delete(ctx, 7, id, telegram.Purpose{}) }, telegram.OK},
		{"delete again", func() error { return s.Delete(ctx, 7, id, telegram.Purpose{}) }, telegram.OK},
		{"answer", func() error { return s.Answer(ctx, "q", "working", true, telegram.Purpose{}) }, telegram.OK},
	} {
		if got := telegram.Classify(step.do()).Kind; got != step.want {
			t.Errorf("%s: %v, want %v", step.name, got, step.want)
		}
	}
	calls := f.Calls()
	if _, kept := calls[1].Form["reply_markup"]; kept {
		t.Error("an edit without a keyboard sent one")
	}
	want := map[string]string{"callback_query_id": "q", "text": "working", "show_alert": "true"}
	if diff := cmp.Diff(want, calls[len(calls)-1].Form); diff != "" {
		t.Error(diff)
	}
	f.Script(func(int, telegramtest.Call) telegramtest.Reply {
		return telegramtest.Reply{Code: 400, Text: "Bad Request: message can't be deleted for everyone"}
	})
	if got := telegram.Classify(s.Delete(ctx, 7, id, telegram.Purpose{})).Kind; got != telegram.Gone {
		t.Errorf("deleting what cannot be deleted: %v", got)
	}
	f.Script(func(int, telegramtest.Call) telegramtest.Reply {
		return telegramtest.Reply{Code: 400, Text: "Bad Request: query is too old and response timeout expired or query ID is invalid"}
	})
	if err := s.Answer(ctx, "q", "", false, telegram.Purpose{}); err != nil {
		t.Errorf("answering too late: %v", err)
	}
}

// TestBrokenMarkupArrives: a defect in our markup costs the bold face, not the message.
func TestBrokenMarkupArrives(t *testing.T) {
	f := telegramtest.NewFake()
	f.Script(func(_ int, s telegramtest.Call) telegramtest.Reply {
		if s.Form["parse_mode"] != "" {
			return telegramtest.Reply{Code: 400, Text: `Bad Request: can't parse entities: Unsupported start tag "x" at byte offset 3`}
		}
		return telegramtest.Reply{}
	})
	s := telegramtest.NewSender(t, f, telegramtest.Unlimited())
	m := screen.Message{HTML: `<b>1 &lt; 2</b> <code>A&amp;B</code><x>`}
	id, err := s.Send(t.Context(), 7, m, telegram.SendOptions{})
	if err != nil {
		t.Fatal(err)
	}
	m.HTML += "!"
	if err := s.Edit(t.Context(), 7, id, m, telegram.Purpose{}); err != nil {
		t.Fatal(err)
	}
	calls := f.Calls()
	if got := calls[1].Text(); got != "1 < 2 A&B" {
		t.Errorf("sent %q", got)
	}
	if got := calls[3].Text(); got != "1 < 2 A&B!" {
		t.Errorf("edited to %q", got)
	}
}

// TestRepliesAreRepeated: what somebody waits for is tried again where that cannot make a duplicate, and
// what comes from the outbox is not.
func TestRepliesAreRepeated(t *testing.T) {
	limited := telegramtest.Reply{Code: 429, Text: "Too Many Requests: retry after 3", Params: `{"retry_after":3}`}
	broken := telegramtest.Reply{Err: io.ErrUnexpectedEOF}
	for _, tc := range []struct {
		name  string
		first telegramtest.Reply
		class telegram.Class
		edit  bool
		calls int
		took  time.Duration
		want  telegram.Kind
	}{
		{"reply meets 429", limited, telegram.Replies, false, 2, 4 * time.Second, telegram.OK},
		{"delivery meets 429", limited, telegram.Deliveries, false, 1, 0, telegram.Again},
		{"reply is cut", broken, telegram.Replies, false, 1, 0, telegram.Ambiguous},
		{"edit is cut", broken, telegram.Replies, true, 2, telegram.ReplyWait, telegram.OK},
		{"edit of the outbox is cut", broken, telegram.Deliveries, true, 1, 0, telegram.Ambiguous},
	} {
		t.Run(tc.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				f := telegramtest.NewFake()
				f.Messages["7/1"] = "old"
				f.Script(func(n int, _ telegramtest.Call) telegramtest.Reply {
					return map[bool]telegramtest.Reply{true: tc.first}[n == 0]
				})
				s, begin := telegramtest.NewSender(t, f, telegram.Limits{}), time.Now()
				var err error
				if tc.edit {
					err = s.Edit(t.Context(), 7, 1, screen.Message{HTML: "new"}, telegram.Purpose{Class: tc.class})
				} else {
					_, err = s.Send(t.Context(), 7, screen.Message{HTML: "new"}, telegram.SendOptions{Purpose: telegram.Purpose{Class: tc.class}})
				}
				if got := telegram.Classify(err).Kind; got != tc.want || len(f.Calls()) != tc.calls || time.Since(begin) != tc.took {
					t.Errorf("%v after %d calls and %v, want %v, %d, %v", got, len(f.Calls()), time.Since(begin), tc.want, tc.calls, tc.took)
				}
			})
		})
	}
}

// TestStrangersAreRepeatedAtNoCost: what is asked of Telegram for a stranger is repeated, as far as that takes no place of
// a message.
func TestStrangersAreRepeatedAtNoCost(t *testing.T) {
	for _, tc := range []struct {
		name  string
		do    func(context.Context, *telegram.Sender) error
		calls int
	}{
		{"delete", func(ctx context.Context, s *telegram.Sender) error {
			return s.Delete(ctx, 7, 1, telegram.Purpose{Class: telegram.Strangers})
		}, 2},
		{"edit", func(ctx context.Context, s *telegram.Sender) error {
			return s.Edit(ctx, 7, 1, screen.Message{HTML: "new"}, telegram.Purpose{Class: telegram.Strangers})
		}, 1},
	} {
		t.Run(tc.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				f := telegramtest.NewFake()
				f.Messages["7/1"] = "old"
				f.Script(func(n int, _ telegramtest.Call) telegramtest.Reply {
					return map[bool]telegramtest.Reply{true: {Err: io.ErrUnexpectedEOF}}[n == 0]
				})
				err := tc.do(t.Context(), telegramtest.NewSender(t, f, telegram.Limits{}))
				if len(f.Calls()) != tc.calls || (err == nil) != (tc.calls == 2) {
					t.Errorf("%v after %d calls, want %d", err, len(f.Calls()), tc.calls)
				}
			})
		})
	}
}

func TestRepliesGiveUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := telegramtest.NewFake()
		f.Script(func(int, telegramtest.Call) telegramtest.Reply {
			return telegramtest.Reply{Code: 429, Text: "Too Many Requests", Params: `{"retry_after":40}`}
		})
		s := telegramtest.NewSender(t, f, telegram.Limits{})
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		begin := time.Now()
		if _, err := s.Send(ctx, 7, screen.Message{HTML: "x"}, telegram.SendOptions{}); telegram.Classify(err).Kind != telegram.Again || time.Since(begin) > 45*time.Second || len(f.Calls()) != 2 {
			t.Errorf("%v after %v and %d calls", err, time.Since(begin), len(f.Calls()))
		}
		_, err := s.Send(ctx, 7, screen.Message{HTML: "x"}, telegram.SendOptions{})
		if telegram.Classify(err).Kind != telegram.Again || !errors.Is(err, context.DeadlineExceeded) || len(f.Calls()) != 2 {
			t.Errorf("a send that cannot have its turn in time: %v", err)
		}
	})
}

// TestAnswersAreNotPaced: a tap is answered whatever waits, and a delete costs nobody's turn.
func TestAnswersAreNotPaced(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, begin := telegramtest.NewSender(t, telegramtest.NewFake(), telegram.Limits{Overall: telegram.Limit{1, time.Hour}}), time.Now()
		if _, err := s.Send(t.Context(), 7, screen.Message{HTML: "x"}, telegram.SendOptions{}); err != nil {
			t.Fatal(err)
		}
		if err := errors.Join(s.Answer(t.Context(), "q", "", false, telegram.Purpose{}), s.Delete(t.Context(), 7, 1, telegram.Purpose{})); err != nil || time.Since(begin) > 0 {
			t.Errorf("%v after %v", err, time.Since(begin))
		}
	})
}

// TestRefusalIsAboutItsChat: whatever is asked of Telegram about a chat, that it has to wait there holds up nobody else.
func TestRefusalIsAboutItsChat(t *testing.T) {
	const group = -7
	for name, ask := range map[string]func(context.Context, *telegram.Sender) error{
		"who is in it": func(ctx context.Context, s *telegram.Sender) error {
			_, err := s.IsMember(ctx, group, 5, telegram.Purpose{})
			return err
		},
		"who may what": func(ctx context.Context, s *telegram.Sender) error {
			_, err := s.Ranks(ctx, group, telegram.Purpose{}, 5)
			return err
		},
		"delete": func(ctx context.Context, s *telegram.Sender) error {
			return s.Delete(ctx, group, 1, telegram.Purpose{})
		},
		"leave": func(ctx context.Context, s *telegram.Sender) error { return s.Leave(ctx, group, telegram.Purpose{}) },
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				f := telegramtest.NewFake()
				f.Script(func(_ int, s telegramtest.Call) telegramtest.Reply {
					if s.Chat == group {
						return telegramtest.Reply{Code: 429, Text: "Too Many Requests", Params: `{"retry_after":3600}`}
					}
					return telegramtest.Reply{}
				})
				s := telegramtest.NewSender(t, f, telegram.Limits{})
				ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
				defer cancel()
				if err := ask(ctx, s); telegram.Classify(err).Kind != telegram.Again {
					t.Fatalf("the refusal is %v", err)
				}
				begin := time.Now()
				if _, err := s.Send(t.Context(), 8, screen.Message{HTML: "x"}, telegram.SendOptions{}); err != nil || time.Since(begin) > 0 {
					t.Errorf("another chat waits for %v: %v", time.Since(begin), err)
				}
			})
		})
	}
}

// TestSenderKeepsToTheLimits measures at the wire.
func TestSenderKeepsToTheLimits(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := telegramtest.NewFake()
		s := telegramtest.NewSender(t, f, telegram.Limits{})
		var wg sync.WaitGroup
		for i := range int64(300) {
			wg.Go(func() {
				if _, err := s.Send(t.Context(), i%100+1, screen.Message{HTML: "x"}, telegram.SendOptions{Purpose: telegram.Purpose{Class: telegram.Deliveries}}); err != nil {
					t.Error(err)
				}
			})
		}
		wg.Wait()
		var at []time.Time
		for _, c := range f.Calls() {
			at = append(at, c.At)
		}
		if n := telegramtest.MostWithin(at, time.Second); n > 30 || len(at) != 300 {
			t.Errorf("%d within a second, %d in all", n, len(at))
		}
	})
}

func TestMarkupLeavesOutWhatIsEmpty(t *testing.T) {
	if telegram.Markup(nil) != nil {
		t.Error("an empty keyboard is sent")
	}
	got, err := json.Marshal(telegram.Markup([][]screen.Button{{{Text: "a", Data: "d"}}}))
	if err != nil || strings.Contains(string(got), "copy_text") {
		t.Errorf("%s, %v", got, err)
	}
}

// instant is a Sender over a transport that answers at once, and a message for it.
func instant(b *testing.B, limits telegram.Limits) (*telegram.Sender, screen.Message) {
	b.Helper()
	s := telegramtest.NewSender(b, atOnce(), limits)
	return s, screen.Message{HTML: "hello", Keyboard: [][]screen.Button{{{Text: "a", Data: "1:a"}}}}
}

// atOnce is a transport that answers at once.
func atOnce() http.RoundTripper {
	const body = `{"ok":true,"result":{"message_id":1,"date":1,"chat":{"id":7,"type":"private"},"text":"hello"}}`
	return roundTrip(func(r *http.Request) (*http.Response, error) {
		r.Body.Close()
		return &http.Response{StatusCode: http.StatusOK, Body: io.NopCloser(strings.NewReader(body))}, nil
	})
}

// BenchmarkSend is the cost of an uncontended send, with the library and our client.
func BenchmarkSend(b *testing.B) {
	s, m := instant(b, telegram.Limits{Overall: telegram.Limit{28, 0}, Chat: telegram.Bucket{3, 0}})
	b.ReportAllocs()
	for b.Loop() {
		if _, err := s.Send(b.Context(), 7, m, telegram.SendOptions{}); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkLibrary is what the library alone takes for the same message: the rest is ours.
func BenchmarkLibrary(b *testing.B) {
	_, m := instant(b, telegramtest.Unlimited())
	library := telegramtest.NewLibrary(b, atOnce())
	b.ReportAllocs()
	for b.Loop() {
		if _, err := library.SendMessage(b.Context(), &bot.SendMessageParams{
			ChatID: int64(7), Text: m.HTML, ParseMode: models.ParseModeHTML, LinkPreviewOptions: telegram.NoPreview(), ReplyMarkup: telegram.Markup(m.Keyboard),
		}); err != nil {
			b.Fatal(err)
		}
	}
}

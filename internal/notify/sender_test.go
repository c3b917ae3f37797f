package notify

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

	"resellerbot/internal/conversations/screen"
)

func TestSend(t *testing.T) {
	f := newTelegram()
	s := newSender(t, f, unlimited())
	id, err := s.Send(t.Context(), 7, screen.Message{
		HTML: "<b>hi</b>",
		Keyboard: [][]screen.Button{
			{{Text: "a", Data: "1:a"}, {Text: "b", URL: "https://example.org"}},
			{{Text: "c", Copy: "CODE"}},
		},
	}, SendOptions{Silent: true, ReplyTo: 5})
	if err != nil || id != 101 {
		t.Fatalf("id %d, err %v", id, err)
	}
	want := map[string]string{
		"chat_id": "7", "text": "<b>hi</b>", "parse_mode": "HTML", "disable_notification": "true",
		"link_preview_options": `{"is_disabled":true}`,
		"reply_parameters":     `{"message_id":5,"allow_sending_without_reply":true}`,
		"reply_markup":         `{"inline_keyboard":[[{"text":"a","callback_data":"1:a"},{"text":"b","url":"https://example.org"}],[{"text":"c","copy_text":{"text":"CODE"}}]]}`,
	}
	if diff := cmp.Diff(want, f.log()[0].form); diff != "" {
		t.Error(diff)
	}
}

func TestSendDocument(t *testing.T) {
	f := newTelegram()
	s := newSender(t, f, unlimited())
	m := screen.Message{HTML: "your codes", File: &screen.File{Name: "codes.txt", Body: []byte("A\nB\n")}}
	if _, err := s.Send(t.Context(), 7, m, SendOptions{}); err != nil {
		t.Fatal(err)
	}
	got := f.log()[0]
	if got.method != "sendDocument" || got.file != "codes.txt:A\nB\n" || got.form["caption"] != "your codes" || got.form["parse_mode"] != "HTML" {
		t.Errorf("%+v", got)
	}
}

func TestEditDeleteAnswer(t *testing.T) {
	f := newTelegram()
	s, ctx := newSender(t, f, unlimited()), t.Context()
	keyed := screen.Message{HTML: "one", Keyboard: [][]screen.Button{{{Text: "a", Data: "1:a"}}}}
	id, err := s.Send(ctx, 7, keyed, SendOptions{})
	if err != nil {
		t.Fatal(err)
	}
	for _, step := range []struct {
		name string
		do   func() error
		want Kind
	}{
		{"edit", func() error { return s.Edit(ctx, 7, id, screen.Message{HTML: "two"}, Cause{}) }, OK},
		{"edit to the same", func() error { return s.Edit(ctx, 7, id, screen.Message{HTML: "two"}, Cause{}) }, OK},
		{"edit what is gone", func() error { return s.Edit(ctx, 7, 1, keyed, Cause{}) }, Gone},
		{"delete", func() error { return s.Delete(ctx, 7, id, Cause{}) }, OK},
		{"delete again", func() error { return s.Delete(ctx, 7, id, Cause{}) }, OK},
		{"answer", func() error { return s.Answer(ctx, "q", "working", true, Cause{}) }, OK},
	} {
		if got := Classify(step.do()).Kind; got != step.want {
			t.Errorf("%s: %v, want %v", step.name, got, step.want)
		}
	}
	calls := f.log()
	if _, kept := calls[1].form["reply_markup"]; kept {
		t.Error("an edit without a keyboard sent one")
	}
	want := map[string]string{"callback_query_id": "q", "text": "working", "show_alert": "true"}
	if diff := cmp.Diff(want, calls[len(calls)-1].form); diff != "" {
		t.Error(diff)
	}
	f.say(func(int, sent) reply {
		return reply{code: 400, text: "Bad Request: message can't be deleted for everyone"}
	})
	if got := Classify(s.Delete(ctx, 7, id, Cause{})).Kind; got != Gone {
		t.Errorf("deleting what cannot be deleted: %v", got)
	}
	f.say(func(int, sent) reply {
		return reply{code: 400, text: "Bad Request: query is too old and response timeout expired or query ID is invalid"}
	})
	if err := s.Answer(ctx, "q", "", false, Cause{}); err != nil {
		t.Errorf("answering too late: %v", err)
	}
}

// TestBrokenMarkupArrives: a defect in our markup costs the bold face, not the message.
func TestBrokenMarkupArrives(t *testing.T) {
	f := newTelegram()
	f.say(func(_ int, s sent) reply {
		if s.form["parse_mode"] != "" {
			return reply{code: 400, text: `Bad Request: can't parse entities: Unsupported start tag "x" at byte offset 3`}
		}
		return reply{}
	})
	s := newSender(t, f, unlimited())
	m := screen.Message{HTML: `<b>1 &lt; 2</b> <code>A&amp;B</code><x>`}
	id, err := s.Send(t.Context(), 7, m, SendOptions{})
	if err != nil {
		t.Fatal(err)
	}
	m.HTML += "!"
	if err := s.Edit(t.Context(), 7, id, m, Cause{}); err != nil {
		t.Fatal(err)
	}
	calls := f.log()
	if got := calls[1].text(); got != "1 < 2 A&B" {
		t.Errorf("sent %q", got)
	}
	if got := calls[3].text(); got != "1 < 2 A&B!" {
		t.Errorf("edited to %q", got)
	}
}

// TestRepliesAreRepeated: what somebody waits for is tried again where that cannot make a duplicate, and
// what comes from the outbox is not.
func TestRepliesAreRepeated(t *testing.T) {
	limited := reply{code: 429, text: "Too Many Requests: retry after 3", params: `{"retry_after":3}`}
	broken := reply{err: io.ErrUnexpectedEOF}
	for _, tc := range []struct {
		name  string
		first reply
		lane  Lane
		edit  bool
		calls int
		took  time.Duration
		want  Kind
	}{
		{"reply meets 429", limited, Replies, false, 2, 4 * time.Second, OK},
		{"delivery meets 429", limited, Deliveries, false, 1, 0, Again},
		{"reply is cut", broken, Replies, false, 1, 0, Ambiguous},
		{"edit is cut", broken, Replies, true, 2, replyWait, OK},
		{"edit of the outbox is cut", broken, Deliveries, true, 1, 0, Ambiguous},
	} {
		t.Run(tc.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				f := newTelegram()
				f.messages["7/1"] = "old"
				f.say(func(n int, _ sent) reply { return map[bool]reply{true: tc.first}[n == 0] })
				s, begin := newSender(t, f, Limits{}), time.Now()
				var err error
				if tc.edit {
					err = s.Edit(t.Context(), 7, 1, screen.Message{HTML: "new"}, Cause{Lane: tc.lane})
				} else {
					_, err = s.Send(t.Context(), 7, screen.Message{HTML: "new"}, SendOptions{Cause: Cause{Lane: tc.lane}})
				}
				if got := Classify(err).Kind; got != tc.want || len(f.log()) != tc.calls || time.Since(begin) != tc.took {
					t.Errorf("%v after %d calls and %v, want %v, %d, %v", got, len(f.log()), time.Since(begin), tc.want, tc.calls, tc.took)
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
		do    func(context.Context, *Sender) error
		calls int
	}{
		{"delete", func(ctx context.Context, s *Sender) error { return s.Delete(ctx, 7, 1, Cause{Lane: Strangers}) }, 2},
		{"edit", func(ctx context.Context, s *Sender) error {
			return s.Edit(ctx, 7, 1, screen.Message{HTML: "new"}, Cause{Lane: Strangers})
		}, 1},
	} {
		t.Run(tc.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				f := newTelegram()
				f.messages["7/1"] = "old"
				f.say(func(n int, _ sent) reply { return map[bool]reply{true: {err: io.ErrUnexpectedEOF}}[n == 0] })
				err := tc.do(t.Context(), newSender(t, f, Limits{}))
				if len(f.log()) != tc.calls || (err == nil) != (tc.calls == 2) {
					t.Errorf("%v after %d calls, want %d", err, len(f.log()), tc.calls)
				}
			})
		})
	}
}

func TestRepliesGiveUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newTelegram()
		f.say(func(int, sent) reply {
			return reply{code: 429, text: "Too Many Requests", params: `{"retry_after":40}`}
		})
		s := newSender(t, f, Limits{})
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		begin := time.Now()
		if _, err := s.Send(ctx, 7, screen.Message{HTML: "x"}, SendOptions{}); Classify(err).Kind != Again || time.Since(begin) > 45*time.Second || len(f.log()) != 2 {
			t.Errorf("%v after %v and %d calls", err, time.Since(begin), len(f.log()))
		}
		_, err := s.Send(ctx, 7, screen.Message{HTML: "x"}, SendOptions{})
		if Classify(err).Kind != Again || !errors.Is(err, context.DeadlineExceeded) || len(f.log()) != 2 {
			t.Errorf("a send that cannot have its turn in time: %v", err)
		}
	})
}

// TestAnswersAreNotPaced: a tap is answered whatever waits, and a delete costs nobody's turn.
func TestAnswersAreNotPaced(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, begin := newSender(t, newTelegram(), Limits{Overall: Limit{1, time.Hour}}), time.Now()
		if _, err := s.Send(t.Context(), 7, screen.Message{HTML: "x"}, SendOptions{}); err != nil {
			t.Fatal(err)
		}
		if err := errors.Join(s.Answer(t.Context(), "q", "", false, Cause{}), s.Delete(t.Context(), 7, 1, Cause{})); err != nil || time.Since(begin) > 0 {
			t.Errorf("%v after %v", err, time.Since(begin))
		}
	})
}

// TestRefusalIsAboutItsChat: whatever is asked of Telegram about a chat, that it has to wait there holds up nobody else.
func TestRefusalIsAboutItsChat(t *testing.T) {
	const group = -7
	for name, ask := range map[string]func(context.Context, *Sender) error{
		"who is in it": func(ctx context.Context, s *Sender) error { _, err := s.IsMember(ctx, group, 5, Cause{}); return err },
		"who may what": func(ctx context.Context, s *Sender) error { _, err := s.Standing(ctx, group, Cause{}, 5); return err },
		"delete":       func(ctx context.Context, s *Sender) error { return s.Delete(ctx, group, 1, Cause{}) },
		"leave":        func(ctx context.Context, s *Sender) error { return s.Leave(ctx, group, Cause{}) },
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				f := newTelegram()
				f.say(func(_ int, s sent) reply {
					if s.chat == group {
						return reply{code: 429, text: "Too Many Requests", params: `{"retry_after":3600}`}
					}
					return reply{}
				})
				s := newSender(t, f, Limits{})
				ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
				defer cancel()
				if err := ask(ctx, s); Classify(err).Kind != Again {
					t.Fatalf("the refusal is %v", err)
				}
				begin := time.Now()
				if _, err := s.Send(t.Context(), 8, screen.Message{HTML: "x"}, SendOptions{}); err != nil || time.Since(begin) > 0 {
					t.Errorf("another chat waits for %v: %v", time.Since(begin), err)
				}
			})
		})
	}
}

// TestSenderKeepsToTheLimits measures at the wire.
func TestSenderKeepsToTheLimits(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newTelegram()
		s := newSender(t, f, Limits{})
		var wg sync.WaitGroup
		for i := range int64(300) {
			wg.Go(func() {
				if _, err := s.Send(t.Context(), i%100+1, screen.Message{HTML: "x"}, SendOptions{Cause: Cause{Lane: Deliveries}}); err != nil {
					t.Error(err)
				}
			})
		}
		wg.Wait()
		var at []time.Time
		for _, c := range f.log() {
			at = append(at, c.at)
		}
		if n := mostWithin(at, time.Second); n > 30 || len(at) != 300 {
			t.Errorf("%d within a second, %d in all", n, len(at))
		}
	})
}

func TestMarkupLeavesOutWhatIsEmpty(t *testing.T) {
	if markup(nil) != nil {
		t.Error("an empty keyboard is sent")
	}
	got, err := json.Marshal(markup([][]screen.Button{{{Text: "a", Data: "d"}}}))
	if err != nil || strings.Contains(string(got), "copy_text") {
		t.Errorf("%s, %v", got, err)
	}
}

// instant is a Sender over a transport that answers at once, and a message for it.
func instant(b *testing.B, limits Limits) (*Sender, screen.Message) {
	b.Helper()
	s := newSender(b, atOnce(), limits)
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
	s, m := instant(b, Limits{Overall: Limit{28, 0}, Chat: Bucket{3, 0}})
	b.ReportAllocs()
	for b.Loop() {
		if _, err := s.Send(b.Context(), 7, m, SendOptions{}); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkLibrary is what the library alone takes for the same message: the rest is ours.
func BenchmarkLibrary(b *testing.B) {
	_, m := instant(b, unlimited())
	library := newLibrary(b, atOnce())
	b.ReportAllocs()
	for b.Loop() {
		if _, err := library.SendMessage(b.Context(), &bot.SendMessageParams{
			ChatID: int64(7), Text: m.HTML, ParseMode: models.ParseModeHTML, LinkPreviewOptions: noPreview(), ReplyMarkup: markup(m.Keyboard),
		}); err != nil {
			b.Fatal(err)
		}
	}
}

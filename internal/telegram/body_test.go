package telegram_test

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"

	"resellerbot/internal/screen"
	"resellerbot/internal/telegram"
	"resellerbot/internal/telegram/telegramtest"
)

// answers is a server that answers every call with a status and a body.
func answers(status int, body string) roundTrip {
	return func(r *http.Request) (*http.Response, error) {
		io.Copy(io.Discard, r.Body)
		return &http.Response{StatusCode: status, Header: http.Header{}, Body: io.NopCloser(strings.NewReader(body))}, nil
	}
}

// TestBodiesAreJSON: what has no file goes out as one JSON body, with its length, in which markup stands as it is; a file goes
// in a form.
func TestBodiesAreJSON(t *testing.T) {
	var kind, body string
	s := telegramtest.NewSender(t, roundTrip(func(r *http.Request) (*http.Response, error) {
		text, err := io.ReadAll(r.Body)
		if err != nil || int64(len(text)) != r.ContentLength {
			t.Errorf("%d bytes are announced as %d, %v", len(text), r.ContentLength, err)
		}
		kind, body = r.Header.Get("Content-Type"), string(text)
		result := `{"message_id":7,"date":1}`
		if strings.HasSuffix(r.URL.Path, "/answerCallbackQuery") {
			result = "true"
		}
		return answers(200, `{"ok":true,"result":`+result+`}`)(&http.Request{Body: http.NoBody})
	}), telegram.Limits{})
	m := screen.Message{HTML: "<b>a & b</b>", Keyboard: [][]screen.Button{{{Text: "go", Data: "x"}}}}
	if id, err := s.Send(t.Context(), 5, m, telegram.SendOptions{ReplyTo: 3}); id != 7 || err != nil {
		t.Errorf("sent %d, %v", id, err)
	}
	if kind != "application/json" || !strings.Contains(body, "<b>a & b</b>") {
		t.Errorf("it went out as %s: %s", kind, body)
	}
	var got struct {
		Chat   int64 `json:"chat_id"`
		Markup struct {
			Rows [][]struct {
				Data string `json:"callback_data"`
			} `json:"inline_keyboard"`
		} `json:"reply_markup"`
		Reply struct {
			Message int `json:"message_id"`
		} `json:"reply_parameters"`
	}
	if err := json.Unmarshal([]byte(body), &got); err != nil || got.Chat != 5 || got.Reply.Message != 3 || len(got.Markup.Rows) != 1 || got.Markup.Rows[0][0].Data != "x" {
		t.Errorf("it says %+v, %v: %s", got, err, body)
	}
	if err := s.Answer(t.Context(), "q", "there", false, telegram.Purpose{}); err != nil || kind != "application/json" {
		t.Errorf("an answer went out as %s, %v", kind, err)
	}
	m.File = &screen.File{Name: "codes.txt", Body: []byte("A")}
	if _, err := s.Send(t.Context(), 5, m, telegram.SendOptions{}); err != nil || !strings.HasPrefix(kind, "multipart/form-data") {
		t.Errorf("a file went out as %s, %v", kind, err)
	}
}

// TestAnswersAreReadForTheirNumber: of the message that was sent its number is read, in whatever form it comes. An answer that
// is not there whole proves nothing, and what Telegram refuses is what it was.
func TestAnswersAreReadForTheirNumber(t *testing.T) {
	t.Parallel()
	for answer, want := range map[string]int{
		`{"ok":true,"result":{"message_id":12,"from":{"id":1},"text":"x"}}`: 12,
		`{"ok":true,"result":{"message_id":12}}`:                            12,
		`{"ok": true, "result": {"date": 1, "message_id": 12}}`:             12,
		`{"ok":true,"result":{"message_id":12`:                              0,
		`{"ok":true,"result":{"message_id":`:                                0,
		`{"ok":true,"result":{"message_id":"x"}}`:                           0,
		`<html>`: 0,
		``:       0,
	} {
		s := telegramtest.NewSender(t, answers(200, answer), telegram.Limits{})
		id, err := s.Send(t.Context(), 5, screen.Message{HTML: "x"}, telegram.SendOptions{Purpose: telegram.Purpose{Class: telegram.Deliveries}})
		if id != want || (err == nil) != (want != 0) || err != nil && telegram.Classify(err).Kind != telegram.Ambiguous {
			t.Errorf("%s is read as %d, %v", answer, id, err)
		}
	}
	s := telegramtest.NewSender(t, answers(403, `{"ok":false,"error_code":403,"description":"Forbidden: bot was blocked by the user"}`), telegram.Limits{})
	if err := s.Edit(t.Context(), 5, 1, screen.Message{HTML: "x"}, telegram.Purpose{}); !errors.Is(err, telegram.ErrNotNow) {
		t.Errorf("a chat that has blocked the bot: %v", err)
	}
	cut := roundTrip(func(*http.Request) (*http.Response, error) {
		return &http.Response{StatusCode: http.StatusOK, Header: http.Header{}, Body: io.NopCloser(io.MultiReader(strings.NewReader(`{"ok":true,"result":{"message_id":12,`), broken{}))}, nil
	})
	deliveries := telegram.SendOptions{Purpose: telegram.Purpose{Class: telegram.Deliveries}}
	if _, err := telegramtest.NewSender(t, cut, telegram.Limits{}).Send(t.Context(), 5, screen.Message{HTML: "x"}, deliveries); telegram.Classify(err).Kind != telegram.Ambiguous {
		t.Errorf("an answer that is cut: %v", err)
	}
}

// broken is a connection that is cut.
type broken struct{}

func (broken) Read([]byte) (int, error) { return 0, io.ErrUnexpectedEOF }

// TestCallAllocates holds what a message costs the door to Telegram: it is the larger part of what an update does.
func TestCallAllocates(t *testing.T) {
	const most = 75 // 64 as measured, and what a version of Go or of the library may add; as a form it took 165
	answer := `{"ok":true,"result":{"message_id":7,"from":{"id":1,"is_bot":true,"first_name":"x"},"chat":{"id":5,"type":"private"},"date":1,"text":"x"}}`
	s := telegramtest.NewSender(t, answers(200, answer), telegramtest.Unlimited())
	m := screen.Message{HTML: "<b>a & b</b>", Keyboard: [][]screen.Button{{{Text: "one", Data: "x"}, {Text: "two", Data: "y"}}, {{Text: "three", Data: "z"}}}}
	got := testing.AllocsPerRun(200, func() {
		if _, err := s.Send(context.Background(), 5, m, telegram.SendOptions{}); err != nil {
			t.Fatal(err)
		}
	})
	if got > most {
		t.Errorf("a message takes %.0f allocations, at most %d", got, most)
	}
	t.Logf("%.0f allocations", got)
}

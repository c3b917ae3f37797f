// Package telegramtest is a Bot API in memory whose every answer a test can script, for what the simulated Telegram does
// not do: broken answers, cut connections, odd errors.
package telegramtest

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"mime"
	"mime/multipart"
	"net/http"
	"path"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/go-telegram/bot"

	"resellerbot/internal/secret"
	"resellerbot/internal/telegram"
)

// Token is the bot's.
const Token = "12345:a-secret-token"

// Call is one call as it reached the fake Bot API.
type Call struct {
	At     time.Time
	Method string
	Chat   int64
	Form   map[string]string
	File   string
}

// Text is what a call shows.
func (c Call) Text() string { return c.Form["text"] + c.Form["caption"] }

// Reply is a scripted answer. The zero reply is the fake's own.
type Reply struct {
	Code   int
	Text   string
	Params string // JSON of "parameters"
	Raw    string // sent as it is, with status 502
	Err    error  // the connection breaks
	Done   bool   // …after the call has taken effect
}

// Fake is a Bot API in memory: messages can be sent, edited and deleted.
type Fake struct {
	Latency time.Duration

	mu       sync.Mutex
	calls    []Call
	script   func(n int, s Call) Reply // n counts the calls from 0
	Messages map[string]string         // "chat/id" to text and keyboard
	lastID   int
}

// NewFake makes one that has seen nothing yet.
func NewFake() *Fake { return &Fake{Messages: map[string]string{}, lastID: 100} }

// RoundTrip implements http.RoundTripper.
func (f *Fake) RoundTrip(req *http.Request) (*http.Response, error) {
	call, err := parse(req)
	if err != nil {
		return nil, err
	}
	if f.Latency > 0 {
		select {
		case <-req.Context().Done():
			return nil, req.Context().Err()
		case <-time.After(f.Latency):
		}
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	call.At = time.Now()
	var r Reply
	if f.script != nil {
		r = f.script(len(f.calls), call)
	}
	f.calls = append(f.calls, call)
	if r.Err == nil && r.Raw == "" && r.Code == 0 || r.Done {
		own := f.serve(call)
		if !r.Done {
			r = own
		}
	}
	return r.response()
}

// response is the HTTP side of a reply.
func (r Reply) response() (*http.Response, error) {
	if r.Err != nil {
		return nil, r.Err
	}
	status, body := http.StatusOK, fmt.Sprintf(`{"ok":true,"result":%s}`, r.Text)
	switch {
	case r.Raw != "":
		status, body = http.StatusBadGateway, r.Raw
	case r.Code != 0:
		if r.Params == "" {
			r.Params = "{}"
		}
		status, body = r.Code, fmt.Sprintf(`{"ok":false,"error_code":%d,"description":%q,"parameters":%s}`, r.Code, r.Text, r.Params)
	}
	return &http.Response{StatusCode: status, Header: http.Header{}, Body: io.NopCloser(strings.NewReader(body))}, nil
}

// parse reads a call of the library.
func parse(req *http.Request) (Call, error) {
	body, err := io.ReadAll(req.Body)
	if err != nil {
		return Call{}, err
	}
	if int64(len(body)) != req.ContentLength {
		return Call{}, fmt.Errorf("body of %d bytes is announced as %d", len(body), req.ContentLength)
	}
	req.Body.Close()
	s := Call{Method: path.Base(req.URL.Path), Form: map[string]string{}}
	kind, params, err := mime.ParseMediaType(req.Header.Get("Content-Type"))
	if err == nil && kind == "application/json" {
		return s.fromJSON(body)
	}
	if err != nil {
		return Call{}, err
	}
	for r := multipart.NewReader(bytes.NewReader(body), params["boundary"]); ; {
		part, err := r.NextPart()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return Call{}, err
		}
		value, err := io.ReadAll(part)
		if err != nil {
			return Call{}, err
		}
		if part.FileName() != "" {
			s.File = part.FileName() + ":" + string(value)
			continue
		}
		s.Form[part.FormName()] = string(value)
	}
	s.Chat, _ = strconv.ParseInt(s.Form["chat_id"], 10, 64)
	return s, nil
}

// fromJSON reads the parameters of a call that has no file: what is no text stands as JSON, as in a form.
func (c Call) fromJSON(body []byte) (Call, error) {
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(body, &fields); err != nil {
		return Call{}, err
	}
	for name, value := range fields {
		text := string(value)
		if text[0] == '"' {
			if err := json.Unmarshal(value, &text); err != nil {
				return Call{}, err
			}
		}
		c.Form[name] = text
	}
	c.Chat, _ = strconv.ParseInt(c.Form["chat_id"], 10, 64)
	return c, nil
}

// Calls lists the calls so far.
func (f *Fake) Calls() []Call {
	f.mu.Lock()
	defer f.mu.Unlock()
	return append([]Call(nil), f.calls...)
}

// Script sets the script.
func (f *Fake) Script(script func(n int, s Call) Reply) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.script = script
}

// serve is what the fake answers by itself.
func (f *Fake) serve(s Call) Reply {
	at := fmt.Sprintf("%d/%s", s.Chat, s.Form["message_id"])
	shown := s.Text() + s.Form["reply_markup"]
	old, exists := f.Messages[at]
	switch s.Method {
	case "sendMessage", "sendDocument":
		f.lastID++
		f.Messages[fmt.Sprintf("%d/%d", s.Chat, f.lastID)] = shown
		return Reply{Text: fmt.Sprintf(`{"message_id":%d,"date":1,"chat":{"id":%d,"type":"private"}}`, f.lastID, s.Chat)}
	case "editMessageText":
		switch {
		case !exists:
			return Reply{Code: 400, Text: "Bad Request: message to edit not found"}
		case old == shown:
			return Reply{Code: 400, Text: "Bad Request: message is not modified: specified new message content and reply markup are exactly the same"}
		}
		f.Messages[at] = shown
		return Reply{Text: fmt.Sprintf(`{"message_id":%s,"date":1,"chat":{"id":%d,"type":"private"}}`, s.Form["message_id"], s.Chat)}
	case "deleteMessage":
		if !exists {
			return Reply{Code: 400, Text: "Bad Request: message to delete not found"}
		}
		delete(f.Messages, at)
	}
	return Reply{Text: "true"}
}

// Once answers the first call of a method with r, and the others by itself.
func Once(method string, r Reply) func(int, Call) Reply {
	used := false
	return func(_ int, s Call) Reply {
		if used || s.Method != method {
			return Reply{}
		}
		used = true
		return r
	}
}

// Discard is a logger that nobody reads.
func Discard() *slog.Logger { return slog.New(slog.DiscardHandler) }

// NewSender is a Sender over the fake, through the real library and our client.
func NewSender(tb testing.TB, f http.RoundTripper, limits telegram.Limits) *telegram.Sender {
	tb.Helper()
	return telegram.NewSender(telegram.SenderConfig{Bot: NewLibrary(tb, f), Log: Discard(), Limits: limits})
}

// NewLibrary is the library over the fake and our client.
func NewLibrary(tb testing.TB, f http.RoundTripper) *bot.Bot {
	tb.Helper()
	b, err := bot.New(Token, bot.WithSkipGetMe(), bot.WithHTTPClient(time.Minute, telegram.ClientOver(f, secret.New(Token))))
	if err != nil {
		tb.Fatal(err)
	}
	return b
}

// Unlimited paces nothing.
func Unlimited() telegram.Limits { return telegram.Limits{Overall: telegram.Limit{N: 1}} }

// MostWithin is how many of some moments lie in one time span at most.
func MostWithin(at []time.Time, span time.Duration) (n int) {
	at = slices.SortedFunc(slices.Values(at), time.Time.Compare)
	from := 0
	for i := range at {
		for at[i].Sub(at[from]) >= span {
			from++
		}
		n = max(n, i-from+1)
	}
	return n
}

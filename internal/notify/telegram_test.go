package notify

import (
	"bytes"
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
)

const token = "12345:a-secret-token"

// sent is one call as it reached the fake Bot API.
type sent struct {
	at     time.Time
	method string
	chat   int64
	form   map[string]string
	file   string
}

// text is what a call shows.
func (s sent) text() string { return s.form["text"] + s.form["caption"] }

// reply is a scripted answer. The zero reply is the fake's own.
type reply struct {
	code   int
	text   string
	params string // JSON of "parameters"
	raw    string // sent as it is, with status 502
	err    error  // the connection breaks
	done   bool   // …after the call has taken effect
}

// telegram is a Bot API in memory: messages can be sent, edited and deleted.
type telegram struct {
	latency time.Duration

	mu       sync.Mutex
	calls    []sent
	script   func(n int, s sent) reply // n counts the calls from 0
	messages map[string]string         // "chat/id" to text and keyboard
	lastID   int
}

func newTelegram() *telegram { return &telegram{messages: map[string]string{}, lastID: 100} }

// RoundTrip implements http.RoundTripper.
func (f *telegram) RoundTrip(req *http.Request) (*http.Response, error) {
	call, err := parse(req)
	if err != nil {
		return nil, err
	}
	if f.latency > 0 {
		select {
		case <-req.Context().Done():
			return nil, req.Context().Err()
		case <-time.After(f.latency):
		}
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	call.at = time.Now()
	var r reply
	if f.script != nil {
		r = f.script(len(f.calls), call)
	}
	f.calls = append(f.calls, call)
	if r.err == nil && r.raw == "" && r.code == 0 || r.done {
		own := f.serve(call)
		if !r.done {
			r = own
		}
	}
	return r.response()
}

// serve is what the fake answers by itself.
func (f *telegram) serve(s sent) reply {
	at := fmt.Sprintf("%d/%s", s.chat, s.form["message_id"])
	shown := s.text() + s.form["reply_markup"]
	old, exists := f.messages[at]
	switch s.method {
	case "sendMessage", "sendDocument":
		f.lastID++
		f.messages[fmt.Sprintf("%d/%d", s.chat, f.lastID)] = shown
		return reply{text: fmt.Sprintf(`{"message_id":%d,"date":1,"chat":{"id":%d,"type":"private"}}`, f.lastID, s.chat)}
	case "editMessageText":
		switch {
		case !exists:
			return reply{code: 400, text: "Bad Request: message to edit not found"}
		case old == shown:
			return reply{code: 400, text: "Bad Request: message is not modified: specified new message content and reply markup are exactly the same"}
		}
		f.messages[at] = shown
		return reply{text: fmt.Sprintf(`{"message_id":%s,"date":1,"chat":{"id":%d,"type":"private"}}`, s.form["message_id"], s.chat)}
	case "deleteMessage":
		if !exists {
			return reply{code: 400, text: "Bad Request: message to delete not found"}
		}
		delete(f.messages, at)
	}
	return reply{text: "true"}
}

// response is the HTTP side of a reply.
func (r reply) response() (*http.Response, error) {
	if r.err != nil {
		return nil, r.err
	}
	status, body := http.StatusOK, fmt.Sprintf(`{"ok":true,"result":%s}`, r.text)
	switch {
	case r.raw != "":
		status, body = http.StatusBadGateway, r.raw
	case r.code != 0:
		if r.params == "" {
			r.params = "{}"
		}
		status, body = r.code, fmt.Sprintf(`{"ok":false,"error_code":%d,"description":%q,"parameters":%s}`, r.code, r.text, r.params)
	}
	return &http.Response{StatusCode: status, Header: http.Header{}, Body: io.NopCloser(strings.NewReader(body))}, nil
}

// parse reads a call of the library.
func parse(req *http.Request) (sent, error) {
	body, err := io.ReadAll(req.Body)
	if err != nil {
		return sent{}, err
	}
	if int64(len(body)) != req.ContentLength {
		return sent{}, fmt.Errorf("body of %d bytes is announced as %d", len(body), req.ContentLength)
	}
	req.Body.Close()
	s := sent{method: path.Base(req.URL.Path), form: map[string]string{}}
	_, params, err := mime.ParseMediaType(req.Header.Get("Content-Type"))
	if err != nil {
		return sent{}, err
	}
	for r := multipart.NewReader(bytes.NewReader(body), params["boundary"]); ; {
		part, err := r.NextPart()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return sent{}, err
		}
		value, err := io.ReadAll(part)
		if err != nil {
			return sent{}, err
		}
		if part.FileName() != "" {
			s.file = part.FileName() + ":" + string(value)
			continue
		}
		s.form[part.FormName()] = string(value)
	}
	s.chat, _ = strconv.ParseInt(s.form["chat_id"], 10, 64)
	return s, nil
}

// log lists the calls so far.
func (f *telegram) log() []sent {
	f.mu.Lock()
	defer f.mu.Unlock()
	return append([]sent(nil), f.calls...)
}

// say sets the script.
func (f *telegram) say(script func(n int, s sent) reply) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.script = script
}

// once answers the first call of a method with r, and the others by itself.
func once(method string, r reply) func(int, sent) reply {
	used := false
	return func(_ int, s sent) reply {
		if used || s.method != method {
			return reply{}
		}
		used = true
		return r
	}
}

// discard is a logger that nobody reads.
func discard() *slog.Logger { return slog.New(slog.DiscardHandler) }

// newSender is a Sender over the fake, through the real library and our client.
func newSender(tb testing.TB, f http.RoundTripper, limits Limits) *Sender {
	tb.Helper()
	return NewSender(SenderConfig{Bot: newLibrary(tb, f), Log: discard(), Limits: limits})
}

// newLibrary is the library over the fake and our client.
func newLibrary(tb testing.TB, f http.RoundTripper) *bot.Bot {
	tb.Helper()
	b, err := bot.New(token, bot.WithSkipGetMe(), bot.WithHTTPClient(time.Minute, newClient(f, secret.New(token))))
	if err != nil {
		tb.Fatal(err)
	}
	return b
}

// unlimited paces nothing.
func unlimited() Limits { return Limits{Overall: Limit{N: 1}} }

// mostWithin is how many of some moments lie in one time span at most.
func mostWithin(at []time.Time, span time.Duration) (n int) {
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

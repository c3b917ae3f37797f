package tgsim

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net"
	"net/http"
	"path"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

const (
	token   = "700:a-token-that-is-long-enough"
	bot     = int64(700)
	sam     = int64(501) // has started the bot
	lea     = int64(502) // has not
	shop    = int64(-800)
	hookURL = "http://hook.test/updates"
)

// harness is a Telegram on a network of pipes, in virtual time.
type harness struct {
	*Server

	t    *testing.T
	net  memNet
	lies bool // answers need not be as the Bot API has them
}

// play runs a test against a Telegram with sam, who pressed Start, and lea, who did not.
func play(t *testing.T, o Options, test func(*harness)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		h := &harness{t: t, net: memNet{}}
		tr := &http.Transport{DialContext: h.net.dial}
		defer tr.CloseIdleConnections()
		o.Token, o.BotName = token, "shop_bot"
		if o.Webhook == nil {
			o.Webhook = tr
		}
		h.Server = New(o)
		defer h.serve("telegram.test:80", h.Server)()
		h.Directory.AddUser(User{ID: sam, FirstName: "Sam", Username: "sam", LanguageCode: "en"})
		h.Directory.AddUser(User{ID: lea, FirstName: "Léa", LanguageCode: "fr"})
		h.People.Send(sam, sam, "/start")
		h.drain()
		test(h)
	})
}

// serve puts a handler on the network until the function it returns is called.
func (h *harness) serve(addr string, handler http.Handler) (stop func()) {
	l := &memListener{conns: make(chan net.Conn), closed: make(chan struct{})}
	h.net[addr] = l
	s := &http.Server{Handler: handler}
	var serving sync.WaitGroup
	serving.Go(func() {
		if err := s.Serve(l); !errors.Is(err, http.ErrServerClosed) {
			h.t.Errorf("serve %s: %v", addr, err)
		}
	})
	return func() { s.Close(); serving.Wait() }
}

// reply is an answer of the Bot API.
type reply struct {
	OK          bool
	Result      json.RawMessage
	Code        int `json:"error_code"`
	Description string
	Parameters  struct {
		RetryAfter int   `json:"retry_after"`
		MigrateTo  int64 `json:"migrate_to_chat_id"`
	}
}

// into decodes the result.
func (r reply) into(t *testing.T, v any) {
	t.Helper()
	if !r.OK {
		t.Fatalf("refused with %d %s", r.Code, r.Description)
	}
	if err := json.Unmarshal(r.Result, v); err != nil {
		t.Fatalf("%s: %v", r.Result, err)
	}
}

// sent is what tests look at of a Message.
type sent struct {
	ID       int `json:"message_id"`
	Text     string
	Caption  string
	Entities []Entity
	EditDate int64 `json:"edit_date"`
	Document struct {
		ID string `json:"file_id"`
	}
	Photo []struct {
		ID            string `json:"file_id"`
		Width, Height int
	}
	Markup struct {
		Rows [][]Button `json:"inline_keyboard"`
	} `json:"reply_markup"`
	ReplyTo *struct {
		ID int `json:"message_id"`
	} `json:"reply_to_message"`
}

// request does one request and reads the answer.
func (h *harness) request(req *http.Request) (r reply, err error) {
	h.t.Helper()
	tr := &http.Transport{DialContext: h.net.dial}
	defer tr.CloseIdleConnections()
	resp, err := (&http.Client{Transport: tr}).Do(req)
	if err != nil {
		return r, err
	}
	defer resp.Body.Close()
	if err := json.NewDecoder(resp.Body).Decode(&r); err != nil {
		return r, err
	}
	h.judge(req, r)
	if !r.OK && resp.StatusCode != r.Code || r.OK && resp.StatusCode != http.StatusOK {
		h.t.Errorf("HTTP %d for error_code %d", resp.StatusCode, r.Code)
	}
	if got := resp.Header.Get("Retry-After"); r.Parameters.RetryAfter != 0 && got != strconv.Itoa(r.Parameters.RetryAfter) {
		h.t.Errorf("Retry-After %q beside retry_after %d", got, r.Parameters.RetryAfter)
	}
	return r, nil
}

// judge holds every answer against the Bot API.
func (h *harness) judge(req *http.Request, r reply) {
	h.t.Helper()
	s, known := describedAPI().methods[strings.ToLower(path.Base(req.URL.Path))]
	if !known || !r.OK || h.lies {
		return
	}
	for _, fault := range (judge{api: describedAPI()}).judgeJSON(s.name, s.kinds, r.Result) {
		h.t.Errorf("the answer is not as the Bot API has it: %s", fault)
	}
}

// ask is a request for a method, with a body of some type.
func ask(ctx context.Context, method, contentType string, body io.Reader) *http.Request {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, "http://telegram.test/bot"+token+"/"+method, body)
	if err != nil {
		panic(err)
	}
	req.Header.Set("Content-Type", contentType)
	return req
}

// call calls a method with JSON parameters.
func (h *harness) call(method string, p object) reply {
	h.t.Helper()
	r, err := h.request(ask(h.t.Context(), method, "application/json", bytes.NewReader(marshal(p))))
	if err != nil {
		h.t.Errorf("%s: %v", method, err)
	}
	return r
}

// post calls a method that answers with a message, which it returns.
func (h *harness) post(method string, p object) (m sent) {
	h.t.Helper()
	h.call(method, p).into(h.t, &m)
	return m
}

// refused sees that a call is refused with the code and the words.
func (h *harness) refused(r reply, code int, words string) {
	h.t.Helper()
	if r.OK || r.Code != code || r.Description != words {
		h.t.Errorf("got  %v %d %s\nwant %d %s", r.OK, r.Code, r.Description, code, words)
	}
}

// up is an update as tests look at it: its kind, and what it holds.
type up struct {
	id   int64
	kind string
	body map[string]any
}

// at finds what is in an update, by keys.
func (u up) at(keys ...string) any {
	var v any = u.body
	for _, k := range keys {
		m, ok := v.(map[string]any)
		if !ok {
			return nil
		}
		v = m[k]
	}
	return v
}

// decodeUpdates reads a result of getUpdates.
func decodeUpdates(raw []byte) []up {
	var list []json.RawMessage
	if err := json.Unmarshal(raw, &list); err != nil {
		panic(err)
	}
	var out []up
	for _, text := range list {
		out = append(out, decodeUpdate(text))
	}
	return out
}

// decodeUpdate reads one update.
func decodeUpdate(raw []byte) (u up) {
	var members map[string]json.RawMessage
	json.Unmarshal(raw, &members)
	for name, text := range members {
		if name == "update_id" {
			json.Unmarshal(text, &u.id)
			continue
		}
		u.kind = name
		json.Unmarshal(text, &u.body)
	}
	return u
}

// poll is one getUpdates.
func (h *harness) poll(p object) []up {
	h.t.Helper()
	r := h.call("getUpdates", p)
	if !r.OK {
		h.t.Fatalf("getUpdates: %d %s", r.Code, r.Description)
	}
	return decodeUpdates(r.Result)
}

// drain fetches and confirms all that waits.
func (h *harness) drain() []up {
	h.t.Helper()
	h.pass(5 * time.Second) // away from earlier polls, which slow this one down
	got := h.poll(nil)
	if len(got) > 0 {
		h.poll(object{"offset": got[len(got)-1].id + 1})
	}
	return got
}

// kinds lists the kinds of updates.
func kinds(list []up) string {
	var all []string
	for _, u := range list {
		all = append(all, u.kind)
	}
	return strings.Join(all, ",")
}

// pass lets virtual time pass.
func (h *harness) pass(d time.Duration) {
	<-time.After(d)
	synctest.Wait()
}

// last is the newest message of a chat.
func (h *harness) last(chat int64) Message {
	h.t.Helper()
	all := h.Messages(chat)
	if len(all) == 0 {
		h.t.Fatalf("chat %d is empty", chat)
	}
	return all[len(all)-1]
}

// memNet is a network of pipes: while both ends wait, virtual time passes.
type memNet map[string]*memListener

func (n memNet) dial(ctx context.Context, _, addr string) (net.Conn, error) {
	l := n[addr]
	if l == nil {
		return nil, &net.OpError{Op: "dial", Err: errors.New("nobody listens at " + addr)}
	}
	here, there := net.Pipe()
	select {
	case l.conns <- there:
		return here, nil
	case <-l.closed:
		return nil, net.ErrClosed
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

type memListener struct {
	conns  chan net.Conn
	closed chan struct{}
	once   sync.Once
}

func (l *memListener) Accept() (net.Conn, error) {
	select {
	case c := <-l.conns:
		return c, nil
	case <-l.closed:
		return nil, net.ErrClosed
	}
}

func (l *memListener) Close() error   { l.once.Do(func() { close(l.closed) }); return nil }
func (l *memListener) Addr() net.Addr { return &net.TCPAddr{} }

// button is an inline keyboard of one button.
func button(text, data string) object {
	return object{"inline_keyboard": [][]object{{{"text": text, "callback_data": data}}}}
}

// group adds a group with sam, who owns it, and lea; the bot is in it.
func (h *harness) group(id int64, role Role) {
	h.Directory.AddGroup(id, "Shop", sam, lea)
	h.Directory.SetRole(sam, id, bot, role)
	h.drain()
}

// addChannel adds the channel, which the bot administers. The first member is the owner, the others read.
func (h *harness) addChannel(title string, members ...int64) {
	h.mu.Lock()
	defer h.mu.Unlock()
	c := h.Directory.addGroup(channel, title, members)
	c.channel = true
	c.setRole(bot, Administrator)
}

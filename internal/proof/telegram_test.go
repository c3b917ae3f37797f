package proof

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"maps"
	"mime"
	"mime/multipart"
	"net"
	"net/http"
	"net/http/httptest"
	"path"
	"strconv"
	"strings"
	"sync"
	"time"
)

// telegramFault is one way in which Telegram, or the way to it, goes wrong. What is nil goes well.
type telegramFault struct {
	dial func(ctx context.Context) (net.Conn, error) // (nil, nil) connects as usual
	call func(c *tgCall) bool                        // answers a call; false leaves it alone
	// updates may change what getUpdates hands out.
	updates func(g *telegramFront, batch []json.RawMessage) []json.RawMessage

	prepare func(l *lab)            // before the program starts
	arm     func(l *lab, b *errand) // just before the ✅
	tap     func(l *lab, b *errand) // instead of the tap on the ✅
	cure    func(l *lab)            // when everything is healed
	lasts   time.Duration           // how much longer than usual its consequences may take
	moved   bool                    // the chat becomes supergroup movedChat

	exempt exempt
}

// movedChat is the supergroup that a chat becomes.
const movedChat = int64(-1_000_000_000_900)

// telegramFront stands before the simulated Telegram.
type telegramFront struct {
	lab *lab

	mu     sync.Mutex
	fault  *telegramFault
	armed  bool
	moved  int64
	healed chan struct{}
	kept   []json.RawMessage // updates that a fault hands out again
	conns  map[net.Conn]bool
}

func newTelegramFront(l *lab) *telegramFront {
	return &telegramFront{lab: l, healed: make(chan struct{}), conns: map[net.Conn]bool{}}
}

// tgCall is one call of the Bot API and what becomes of it.
type tgCall struct {
	gate    *telegramFront
	w       http.ResponseWriter
	r       *http.Request
	body    []byte
	method  string // in lower case
	chat    int64
	message int
	text    string
	parsed  string // parse_mode
}

// ServeHTTP implements http.Handler.
func (g *telegramFront) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return
	}
	c := &tgCall{gate: g, w: w, r: r, body: body, method: strings.ToLower(path.Base(r.URL.Path))}
	c.parse()
	fault, armed := g.now()
	s, watched := c.step()
	p := g.lab.living()
	if armed && watched && g.lab.crash.reach(p, s, false) {
		panic(http.ErrAbortHandler)
	}
	switch {
	case fault.call != nil && fault.call(c):
	case c.method == "getupdates" && fault.updates != nil:
		c.serveUpdates(fault.updates) //nolint:contextcheck // the request brings its own
	default:
		c.pass() //nolint:contextcheck // what is asked for is done even if nobody waits for it any more
	}
}

// arm puts a fault in force; nil only begins to watch for kills.
func (g *telegramFront) arm(fault *telegramFault, b *errand) {
	g.mu.Lock()
	g.fault, g.armed = fault, true
	if fault != nil && fault.moved {
		g.moved = movedChat
	}
	g.mu.Unlock()
	if fault != nil && fault.arm != nil {
		fault.arm(g.lab, b)
	}
}

// heal makes Telegram well. Those who hang, go on.
func (g *telegramFront) heal() {
	g.mu.Lock()
	fault := g.fault
	g.fault = nil
	select {
	case <-g.healed:
	default:
		close(g.healed)
	}
	g.mu.Unlock()
	if fault != nil && fault.cure != nil {
		fault.cure(g.lab)
	}
}

// now is the fault in force, and whether kills are watched for.
func (g *telegramFront) now() (fault telegramFault, armed bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.fault != nil {
		fault = *g.fault
	}
	return fault, g.armed
}

func (g *telegramFront) movedTo() int64 {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.moved
}

// dial connects to Telegram.
func (g *telegramFront) dial(ctx context.Context, network, addr string) (net.Conn, error) {
	if fault, _ := g.now(); fault.dial != nil {
		if conn, err := fault.dial(ctx); conn != nil || err != nil {
			return conn, err
		}
	}
	conn, err := g.lab.net.Dial(ctx, network, addr)
	if err == nil {
		g.mu.Lock()
		g.conns[conn] = true
		g.mu.Unlock()
	}
	return conn, err
}

// cut breaks every connection to Telegram.
func (g *telegramFront) cut() {
	g.mu.Lock()
	defer g.mu.Unlock()
	for c := range g.conns {
		c.Close()
	}
	clear(g.conns)
}

// step tells which step of a purchase a call is.
func (c *tgCall) step() (step, bool) {
	switch c.method {
	case "editmessagetext":
		return stepEdit, true
	case "sendmessage":
		return stepPing, strings.HasPrefix(c.text, "🔔")
	}
	return 0, false
}

// parseJSON is parse for a call without a file.
func (c *tgCall) parseJSON() {
	var p struct {
		Chat    int64  `json:"chat_id"`
		Message int    `json:"message_id"`
		Text    string `json:"text"`
		Mode    string `json:"parse_mode"`
	}
	if err := json.Unmarshal(c.body, &p); err != nil {
		return
	}
	c.chat, c.message, c.text, c.parsed = p.Chat, p.Message, p.Text, p.Mode
}

// parse reads what matters of the parameters.
func (c *tgCall) parse() {
	kind, details, _ := mime.ParseMediaType(c.r.Header.Get("Content-Type"))
	switch kind {
	case "application/json":
		c.parseJSON()
		return
	case "multipart/form-data":
	default:
		return
	}
	form := multipart.NewReader(bytes.NewReader(c.body), details["boundary"])
	for {
		part, err := form.NextPart()
		if err != nil {
			return
		}
		text, _ := io.ReadAll(part)
		switch part.FormName() {
		case "chat_id":
			c.chat, _ = strconv.ParseInt(string(text), 10, 64)
		case "message_id":
			c.message, _ = strconv.Atoi(string(text))
		case "text", "caption":
			c.text = string(text)
		case "parse_mode":
			c.parsed = string(text)
		}
	}
}

// shows reports whether the call puts something before a person.
func (c *tgCall) shows() bool {
	return c.method == "sendmessage" || c.method == "editmessagetext" || c.method == "senddocument"
}

// perform has Telegram do what the call asks for, keeps the answer back, and looks at what is shown then.
func (c *tgCall) perform() *httptest.ResponseRecorder {
	r := c.r.Clone(context.WithoutCancel(c.r.Context()))
	r.Body = io.NopCloser(bytes.NewReader(c.body))
	rec := httptest.NewRecorder()
	c.gate.lab.telegram.ServeHTTP(rec, r)
	if c.shows() {
		c.gate.lab.eye.sending(c.chat, rec.Code == http.StatusTooManyRequests)
	}
	if rec.Code == http.StatusOK && c.shows() {
		c.look(rec.Body.Bytes())
	}
	return rec
}

// look tells the witness what the chat shows now.
func (c *tgCall) look(answer []byte) {
	var sent struct {
		Result struct {
			ID int `json:"message_id"`
		}
	}
	_ = json.Unmarshal(answer, &sent)
	for _, m := range c.gate.lab.telegram.Messages(c.chat) {
		if m.ID == sent.Result.ID {
			c.gate.lab.eye.show(shown{chat: c.chat, message: m.ID, text: m.Text, codes: codesOf(m), document: m.Document != nil, file: bodyOf(m)})
		}
	}
}

// pass answers as Telegram does.
func (c *tgCall) pass() {
	if c.method == "getupdates" { // which waits, and must notice that the caller goes away
		r := c.r.Clone(c.r.Context())
		r.Body = io.NopCloser(bytes.NewReader(c.body))
		c.gate.lab.telegram.ServeHTTP(c.w, r)
		return
	}
	c.hand(c.perform())
}

// hand gives an answer that was kept back.
func (c *tgCall) hand(answer *httptest.ResponseRecorder) bool {
	c.leave()
	maps.Copy(c.w.Header(), answer.Header())
	c.w.WriteHeader(answer.Code)
	_, _ = c.w.Write(answer.Body.Bytes())
	return true
}

// leave is the last moment before an answer goes out.
func (c *tgCall) leave() {
	s, watched := c.step()
	if _, armed := c.gate.now(); armed && watched && c.gate.lab.crash.reach(c.gate.lab.living(), s, true) {
		panic(http.ErrAbortHandler)
	}
}

// refuse answers as the Bot API says no. more are further members, such as parameters.
func (c *tgCall) refuse(code int, description string, parameters map[string]any) bool {
	c.leave()
	answer := map[string]any{"ok": false, "error_code": code, "description": description}
	if parameters != nil {
		answer["parameters"] = parameters
	}
	c.w.Header().Set("Content-Type", "application/json")
	c.w.WriteHeader(code)
	_, _ = io.WriteString(c.w, marshalled(answer))
	return true
}

// page is the answer of something between the program and Telegram.
func (c *tgCall) page(code int) bool {
	c.leave()
	c.w.Header().Set("Content-Type", "text/html")
	c.w.WriteHeader(code)
	_, _ = io.WriteString(c.w, "<html><body><h1>"+http.StatusText(code)+"</h1></body></html>")
	return true
}

// hang keeps the caller waiting until it gives up.
func (c *tgCall) hang() bool {
	c.leave()
	<-c.r.Context().Done()
	panic(http.ErrAbortHandler)
}

// cut closes the connection without an answer.
func (c *tgCall) cut() bool {
	c.leave()
	panic(http.ErrAbortHandler)
}

// serveUpdates answers getUpdates with what a fault makes of the batch. It waits a moment for more, so that
// there is something to make a mess of.
func (c *tgCall) serveUpdates(change func(*telegramFront, []json.RawMessage) []json.RawMessage) {
	var batch []json.RawMessage
	for range 2 {
		r := c.r.Clone(c.r.Context())
		r.Body = io.NopCloser(bytes.NewReader(c.body))
		rec := httptest.NewRecorder()
		c.gate.lab.telegram.ServeHTTP(rec, r)
		var answer struct{ Result []json.RawMessage }
		_ = json.Unmarshal(rec.Body.Bytes(), &answer)
		batch = answer.Result
		if len(batch) == 0 {
			break
		}
		idle(c.r.Context(), 500*time.Millisecond)
	}
	c.w.Header().Set("Content-Type", "application/json")
	_, _ = io.WriteString(c.w, marshalled(map[string]any{"ok": true, "result": append([]json.RawMessage{}, change(c.gate, batch)...)}))
}

package proof

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"maps"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"regexp"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"resellerbot/internal/api/sim"
)

// serviceFault is one way in which the service, or the way to it, goes wrong. What is nil goes well.
type serviceFault struct {
	// dial may fail a connection, or give another one; (nil, nil) connects as usual. money tells that a
	// purchase is about to be posted.
	dial func(f *serviceFront, ctx context.Context, money bool) (net.Conn, error)
	// write takes a request that spends, as bytes on their way; false leaves it alone.
	write func(c *serviceConn, b []byte) (n int, err error, took bool)
	// spend answers a request that spends.
	spend func(x *exchange)
	// read answers any other request; false leaves it alone.
	read func(x *exchange) bool

	prepare func(l *lab)            // before the program starts
	arm     func(l *lab, b *errand) // just before the ✅
	cure    func(l *lab)            // when everything is healed

	sells  string        // another flavour of purchase than the trial's
	before bool          // needs an earlier purchase of the same
	https  bool          // needs a service over TLS
	lasts  time.Duration // how much longer than usual its consequences may take
	double bool          // the service itself buys twice
}

// serviceFront stands before the simulated service.
type serviceFront struct {
	lab *lab

	mu       sync.Mutex
	fault    *serviceFault
	armed    bool
	healed   chan struct{}
	arrivals []arrival
	money    *serviceConn      // the last connection that carried a request that spends
	before   func()            // called once, when the next request that spends arrives
	aliases  map[string]string // ids as a fault tells them, to those of the service
}

// arrival is a request that reached the service whole.
type arrival struct {
	at       time.Time
	life     int
	method   string
	path     string
	key      string
	spending bool
}

func newServiceFront(l *lab) *serviceFront {
	return &serviceFront{lab: l, healed: make(chan struct{}), aliases: map[string]string{}}
}

// ServeHTTP implements http.Handler.
func (f *serviceFront) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return // it never arrived whole
	}
	x := &exchange{front: f, w: w, r: r, body: body, spending: spends.MatchString(r.Method + " " + r.URL.Path)}
	x.number = f.arrive(x)
	fault, armed := f.now()
	p := f.lab.living()
	snapshot := armed && !x.spending && strings.HasSuffix(r.URL.Path, "balance")
	if snapshot && f.lab.crash.reach(p, stepSnapshot, false) {
		panic(http.ErrAbortHandler)
	}
	if x.spending {
		if f.lab.secure { // nobody sees it leave
			f.lab.eye.attempt()
		}
		x.buyer = f.lab.eye.posted(x)
		if before := f.takeBefore(); before != nil {
			before()
		}
		x.after = func() {
			if f.lab.crash.reach(p, stepPost, true) {
				panic(http.ErrAbortHandler)
			}
		}
	}
	switch {
	case x.spending && fault.spend != nil:
		fault.spend(x)
	case !x.spending && fault.read != nil && fault.read(x):
	default:
		x.pass() //nolint:contextcheck // what is asked for is done even if nobody waits for it any more
	}
	if snapshot {
		if flush, ok := w.(http.Flusher); ok && !x.taken {
			flush.Flush()
		}
		f.lab.crash.reach(p, stepSnapshot, true)
	}
}

// arm puts a fault in force; nil only begins to watch for kills.
func (f *serviceFront) arm(fault *serviceFault, b *errand) {
	f.mu.Lock()
	f.fault, f.armed = fault, true
	f.mu.Unlock()
	if fault != nil && fault.arm != nil {
		fault.arm(f.lab, b)
	}
}

// heal makes the service well. Those who hang, go on.
func (f *serviceFront) heal() {
	f.mu.Lock()
	fault := f.fault
	f.fault = nil
	select {
	case <-f.healed:
	default:
		close(f.healed)
	}
	f.mu.Unlock()
	if fault != nil && fault.cure != nil {
		fault.cure(f.lab)
	}
}

// now is the fault in force, and whether kills are watched for.
func (f *serviceFront) now() (fault serviceFault, armed bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.fault != nil {
		fault = *f.fault
	}
	return fault, f.armed
}

// dial connects to the service for one process.
func (f *serviceFront) dial(ctx context.Context, p *life, network, addr string) (net.Conn, error) {
	fault, armed := f.now()
	money := armed && f.lab.eye.aboutToPost()
	if money && f.lab.crash.reach(p, stepPost, false) {
		return nil, errDead
	}
	if fault.dial != nil {
		conn, err := fault.dial(f, ctx, money)
		if err != nil && money {
			f.lab.crash.reach(p, stepPost, true)
		}
		if conn != nil || err != nil {
			return conn, err
		}
	}
	conn, err := f.lab.net.Dial(ctx, network, addr)
	if err != nil {
		return nil, err
	}
	return &serviceConn{Conn: conn, front: f}, nil
}

// spends recognises a request that costs money by its first line.
var spends = regexp.MustCompile(`^POST /api/(products/purchase/\d+|products/\d+/\d+/purchase|arena/topup)( |$)`)

// serviceConn is the program's end of a connection to the service. It sees what is written.
type serviceConn struct {
	net.Conn

	front *serviceFront
	reset atomic.Bool // the other side has reset it
}

// Write implements net.Conn.
func (c *serviceConn) Write(b []byte) (int, error) {
	if !spends.Match(b) {
		return c.Conn.Write(b)
	}
	c.front.mu.Lock()
	c.front.money = c
	c.front.mu.Unlock()
	fault, _ := c.front.now()
	if fault.write != nil {
		if n, err, took := fault.write(c, b); took {
			if n > 0 {
				c.front.lab.eye.attempt()
			}
			return n, err
		}
	}
	c.front.lab.eye.attempt()
	return c.Conn.Write(b)
}

// Read implements net.Conn.
func (c *serviceConn) Read(b []byte) (int, error) {
	n, err := c.Conn.Read(b)
	if err != nil && c.reset.Load() {
		return n, resetError("read")
	}
	return n, err
}

// tear resets the connection.
func (c *serviceConn) tear() {
	c.reset.Store(true)
	c.Close()
}

// resetError is what the system says of a connection that was reset.
func resetError(op string) error {
	return &net.OpError{Op: op, Net: "tcp", Err: os.NewSyscallError(op, syscall.ECONNRESET)}
}

// beforeSpend has something happen when the next request that spends arrives, and before it is executed.
func (f *serviceFront) beforeSpend(do func()) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.before = do
}

// takeBefore is what is to happen now.
func (f *serviceFront) takeBefore() func() {
	f.mu.Lock()
	defer f.mu.Unlock()
	do := f.before
	f.before = nil
	return do
}

// arrive writes a request down.
func (f *serviceFront) arrive(x *exchange) int {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.arrivals = append(f.arrivals, arrival{
		at: time.Now(), life: f.lab.living().number, method: x.r.Method, path: x.r.URL.Path, key: x.r.Header.Get("X-Api-Key"), spending: x.spending,
	})
	return len(f.arrivals) - 1
}

// log is everything that arrived.
func (f *serviceFront) log() []arrival {
	f.mu.Lock()
	defer f.mu.Unlock()
	return append([]arrival(nil), f.arrivals...)
}

// exchange is one request and what becomes of it.
type exchange struct {
	front    *serviceFront
	w        http.ResponseWriter
	r        *http.Request
	body     []byte
	number   int
	spending bool
	buyer    string // of a request that spends: the id of the purchase that it is for
	after    func() // of a request that spends: the last moment before its answer leaves; may not return
	taken    bool   // the connection was taken from the server
}

// at reports whether the request is for a path that ends so.
func (x *exchange) at(suffix string) bool { return strings.HasSuffix(x.r.URL.Path, suffix) }

// perform has the service do what the request asks for, and keeps the answer back.
func (x *exchange) perform() *httptest.ResponseRecorder {
	ctx := context.WithoutCancel(x.r.Context())
	if x.front.lab.patient { // the service itself waits for as long as the caller does
		ctx = x.r.Context()
	}
	r := x.r.Clone(sim.Tagged(ctx, x.buyer))
	there, back := x.front.translators()
	body := x.body
	if !strings.Contains(x.r.URL.Path, "/products/order") {
		there, back = nil, nil
	}
	if there != nil {
		body = []byte(there.Replace(string(body)))
		r.URL.Path = strings.TrimSuffix(there.Replace(r.URL.Path+"$"), "$")
	}
	r.Body = io.NopCloser(bytes.NewReader(body))
	rec := httptest.NewRecorder()
	x.front.lab.service.ServeHTTP(rec, r)
	if back != nil {
		text := back.Replace(rec.Body.String())
		rec.Body = bytes.NewBufferString(text)
	}
	return rec
}

// translators turn the ids that a fault has told into those of the service, and back; nil where there are none.
func (f *serviceFront) translators() (there, back *strings.Replacer) {
	f.mu.Lock()
	defer f.mu.Unlock()
	var to, from []string
	for alias, id := range f.aliases {
		to = append(to, `"`+alias+`"`, `"`+id+`"`, "/"+alias+"$", "/"+id+"$")
		from = append(from, `"`+id+`"`, alias)
	}
	if to == nil {
		return nil, nil
	}
	return strings.NewReplacer(to...), strings.NewReplacer(from...)
}

// pass answers as the service does.
func (x *exchange) pass() {
	rec := x.perform()
	x.leave()
	maps.Copy(x.w.Header(), rec.Header())
	x.w.WriteHeader(rec.Code)
	_, _ = x.w.Write(rec.Body.Bytes())
}

// leave is the last moment before an answer goes out.
func (x *exchange) leave() {
	if x.after != nil {
		x.after()
	}
}

// answer gives an answer of one's own.
func (x *exchange) answer(code int, kind, text string, headers ...string) {
	x.leave()
	x.w.Header().Set("Content-Type", kind)
	for i := 0; i+1 < len(headers); i += 2 {
		x.w.Header().Set(headers[i], headers[i+1])
	}
	x.w.WriteHeader(code)
	_, _ = io.WriteString(x.w, text)
}

// refuse is the service's own way to say no.
func (x *exchange) refuse(code int, message string) {
	x.answer(code, "application/json", marshalled(map[string]any{"status": "error", "message": message, "data": nil}))
}

// page is the answer of something between the program and the service.
func (x *exchange) page(code int, headers ...string) {
	x.answer(code, "text/html", "<html><body><h1>"+http.StatusText(code)+"</h1></body></html>", headers...)
}

// take takes the connection from the server, for what no server would send.
func (x *exchange) take() net.Conn {
	x.leave()
	x.taken = true
	conn, _, err := x.w.(http.Hijacker).Hijack()
	if err != nil {
		panic(http.ErrAbortHandler)
	}
	return conn
}

// raw sends bytes as they are and closes the connection.
func (x *exchange) raw(text string) {
	conn := x.take()
	_, _ = io.WriteString(conn, text)
	conn.Close()
}

// hang keeps the caller waiting until it gives up.
func (x *exchange) hang() {
	x.leave()
	<-x.r.Context().Done()
	panic(http.ErrAbortHandler)
}

// document is an answer that can be changed.
type document map[string]any

// read performs the request and reads its answer.
func (x *exchange) read() (code int, d document) {
	rec := x.perform()
	decoder := json.NewDecoder(rec.Body)
	decoder.UseNumber()
	_ = decoder.Decode(&d)
	return rec.Code, d
}

// write answers with a document.
func (x *exchange) write(code int, d document) {
	x.answer(code, "application/json", marshalled(d))
}

// marshalled is a value as JSON. What cannot be written is a defect of the lab.
func marshalled(v any) string {
	text, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return string(text)
}

// object is the data of an answer, where that is an object.
func (d document) object() map[string]any {
	o, _ := d["data"].(map[string]any)
	return o
}

// orders visits every order of an answer: in a list, or alone.
func (d document) orders(visit func(map[string]any)) {
	list, isList := d["data"].([]any)
	if !isList {
		if o := d.object(); o != nil {
			visit(o)
		}
		return
	}
	for _, entry := range list {
		if o, ok := entry.(map[string]any); ok {
			visit(o)
		}
	}
}

// mapIDs changes the ids that the answer to a purchase names, in any of its three forms.
func (d document) mapIDs(change func([]any) []any) {
	o := d.object()
	if ids, ok := o["order_ids"].([]any); ok {
		o["order_ids"] = change(ids)
		return
	}
	if items, ok := o["purchased_items"].([]any); ok {
		var ids []any
		for _, item := range items {
			ids = append(ids, item.(map[string]any)["id"])
		}
		var changed []any
		for _, id := range change(ids) {
			changed = append(changed, map[string]any{"id": id, "order_url": "/orders/x", "status": "pending"})
		}
		o["purchased_items"] = changed
		return
	}
	if id, ok := o["order_id"]; ok {
		ids := change([]any{id})
		delete(o, "order_id")
		delete(o, "transaction_id")
		if len(ids) > 0 {
			o["order_id"] = ids[0]
		}
	}
}

// looksAtOrders reports whether the request asks for orders by their ids.
func (x *exchange) looksAtOrders() bool {
	p := x.r.URL.Path
	for _, part := range []string{"/products/orders/retrieve", "/products/order/", "/api/orders/", "/arena/orders/", "/arena/status/"} {
		if strings.Contains(p, part) {
			return true
		}
	}
	return false
}

// looksAtLists reports whether the request asks for a list of all orders.
func (x *exchange) looksAtLists() bool { return x.at("/purchase-history") || x.at("/arena/orders") }

// change answers a look with what the service says, changed.
func (x *exchange) change(fn func(document)) bool {
	code, d := x.read()
	if code == http.StatusOK {
		fn(d)
	}
	x.write(code, d)
	return true
}

package apptest

import (
	"bytes"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
)

const oddAddr = "127.0.0.1:8084"

// OddService stands before the simulated service and answers in other shapes.
type OddService struct {
	harness *Harness

	mu      sync.Mutex
	Rewrite func(*OddAnswer) // nil: as the simulated service answers
}

// OddAnswer is an answer that may be changed before it is sent.
type OddAnswer struct {
	method, path string // as the client wrote it, behind /api
	Code         int
	header       http.Header
	Body         []byte
}

// Oddly has the program speak to a service whose answers may be rewritten.
func Oddly(prepare func(*Harness), odd *OddService) func(*Harness) {
	return func(h *Harness) {
		prepare(h)
		odd.harness = h
		h.Env["RESELLER_API_URL"] = "http://" + oddAddr + "/api"
		h.serve(oddAddr, odd)
	}
}

// ServeHTTP implements http.Handler.
func (o *OddService) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	path := strings.TrimPrefix(r.URL.EscapedPath(), "/api")
	rec := httptest.NewRecorder()
	o.mu.Lock()
	rewrite := o.Rewrite
	o.mu.Unlock()
	o.harness.Service.ServeHTTP(rec, r)
	a := &OddAnswer{method: r.Method, path: path, Code: rec.Code, header: w.Header(), Body: rec.Body.Bytes()}
	a.header.Set("Content-Type", "application/json")
	if rewrite != nil {
		rewrite(a)
	}
	w.WriteHeader(a.Code)
	_, _ = w.Write(a.Body)
}

// Change sets how answers are rewritten from now on.
func (o *OddService) Change(rewrite func(*OddAnswer)) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.Rewrite = rewrite
}

// Is reports whether the answer is to a request of some method whose path begins with some words.
func (a *OddAnswer) Is(method, begin string) bool {
	return a.method == method && strings.HasPrefix(a.path, begin)
}

// Say answers in another way.
func (a *OddAnswer) Say(code int, body string) { a.Code, a.Body = code, []byte(body) }

// Document changes the answer as JSON.
func (a *OddAnswer) Document(change func(map[string]any)) {
	var d map[string]any
	decoder := json.NewDecoder(bytes.NewReader(a.Body))
	decoder.UseNumber()
	if decoder.Decode(&d) != nil {
		return
	}
	change(d)
	if body, err := json.Marshal(d); err == nil { // what was read can be written
		a.Body = body
	}
}

// Orders changes every object in the data, a list or one.
func (a *OddAnswer) Orders(change func(map[string]any)) {
	a.Document(func(d map[string]any) {
		switch data := d["data"].(type) {
		case []any:
			for _, entry := range data {
				if o, ok := entry.(map[string]any); ok {
					change(o)
				}
			}
		case map[string]any:
			change(data)
		}
	})
}

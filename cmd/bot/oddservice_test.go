package main

import (
	"bytes"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
)

const oddAddr = "127.0.0.1:8084"

// oddService stands before the simulated service and answers in other shapes.
type oddService struct {
	house *house

	mu      sync.Mutex
	rewrite func(*oddAnswer) // nil: as the simulated service answers
}

// oddAnswer is an answer that may be changed before it is sent.
type oddAnswer struct {
	method, path string // as the client wrote it, behind /api
	code         int
	header       http.Header
	body         []byte
}

// oddly has the program speak to a service whose answers may be rewritten.
func oddly(prepare func(*house), odd *oddService) func(*house) {
	return func(h *house) {
		prepare(h)
		odd.house = h
		h.env["RESELLER_API_URL"] = "http://" + oddAddr + "/api"
		h.serve(oddAddr, odd)
	}
}

// ServeHTTP implements http.Handler.
func (o *oddService) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	path := strings.TrimPrefix(r.URL.EscapedPath(), "/api")
	rec := httptest.NewRecorder()
	o.mu.Lock()
	rewrite := o.rewrite
	o.mu.Unlock()
	o.house.service.ServeHTTP(rec, r)
	a := &oddAnswer{method: r.Method, path: path, code: rec.Code, header: w.Header(), body: rec.Body.Bytes()}
	a.header.Set("Content-Type", "application/json")
	if rewrite != nil {
		rewrite(a)
	}
	w.WriteHeader(a.code)
	_, _ = w.Write(a.body)
}

// change sets how answers are rewritten from now on.
func (o *oddService) change(rewrite func(*oddAnswer)) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.rewrite = rewrite
}

// is reports whether the answer is to a request of some method whose path begins with some words.
func (a *oddAnswer) is(method, begin string) bool {
	return a.method == method && strings.HasPrefix(a.path, begin)
}

// say answers in another way.
func (a *oddAnswer) say(code int, body string) { a.code, a.body = code, []byte(body) }

// document changes the answer as JSON.
func (a *oddAnswer) document(change func(map[string]any)) {
	var d map[string]any
	decoder := json.NewDecoder(bytes.NewReader(a.body))
	decoder.UseNumber()
	if decoder.Decode(&d) != nil {
		return
	}
	change(d)
	if body, err := json.Marshal(d); err == nil { // what was read can be written
		a.body = body
	}
}

// orders changes every object in the data, a list or one.
func (a *oddAnswer) orders(change func(map[string]any)) {
	a.document(func(d map[string]any) {
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

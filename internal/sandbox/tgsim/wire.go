package tgsim

import (
	"encoding/json"
	"errors"
	"io"
	"maps"
	"mime"
	"mime/multipart"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"
)

// maxRequest is the biggest body that is read: the biggest file, and room for the rest.
const maxRequest = maxUpload + 1<<20

// object is a JSON object, written by hand.
type object map[string]any

// described is a result that comes with a description.
type described struct {
	result any
	text   string
}

// failure is an answer of the Bot API that says no.
type failure struct {
	code        int
	description string
	retryAfter  int   // seconds; 0 for none
	migrated    int64 // the chat that this one became; 0 for none
}

func badRequest(description string) *failure {
	return &failure{code: http.StatusBadRequest, description: "Bad Request: " + description}
}

// words is what a refusal says, without its beginning.
func (f *failure) words() string {
	_, words, _ := strings.Cut(f.description, ": ")
	return words
}

func forbidden(description string) *failure {
	return &failure{code: http.StatusForbidden, description: "Forbidden: " + description}
}

func tooMany(seconds int) *failure {
	return &failure{code: http.StatusTooManyRequests, description: "Too Many Requests: retry after " + strconv.Itoa(seconds), retryAfter: seconds}
}

// params are a call's parameters, as text whatever way they came: what type each has is the method's to
// know, never guessed.
type params struct {
	values url.Values
	files  map[string]*Document
	web    map[string]*Document // files that it names by their address, as far as they could be fetched
	asked  map[string]bool      // which of them the method looked at; nil where nobody wants to know
}

func (p params) text(name string) string {
	if p.asked != nil {
		p.asked[name] = true
	}
	return p.values.Get(name)
}

func (p params) has(name string) bool { return p.text(name) != "" }

// int reads a number the way the real server does: what is none is zero.
func (p params) int(name string) int64 {
	n, err := strconv.ParseInt(strings.TrimSpace(p.text(name)), 10, 64)
	if err != nil {
		return 0
	}
	return n
}

func (p params) bool(name string) bool {
	switch strings.ToLower(p.text(name)) {
	case "true", "yes", "1":
		return true
	}
	return false
}

// float reads a number with a fraction; what is none is zero.
func (p params) float(name string) float64 {
	n, err := strconv.ParseFloat(strings.TrimSpace(p.text(name)), 64)
	if err != nil {
		return 0
	}
	return n
}

// object reads a JSON value into v, and reports whether there is one.
func (p params) object(name string, v any) bool {
	return p.has(name) && json.Unmarshal([]byte(p.text(name)), v) == nil
}

// readRequest reads the parameters that a request brings in its body, unless that is too big.
func (p params) readRequest(w http.ResponseWriter, r *http.Request) error {
	if r.ContentLength > maxRequest {
		return &http.MaxBytesError{Limit: maxRequest} // no need to wait for it
	}
	body := http.MaxBytesReader(w, r.Body, maxRequest)
	if err := p.read(r.Header.Get("Content-Type"), body); err != nil {
		return err
	}
	// Only behind the very end of a body does the server see that a caller hangs up.
	_, err := io.Copy(io.Discard, body)
	return err
}

// read reads parameters from any form of body.
func (p params) read(contentType string, body io.Reader) error {
	kind, details, _ := mime.ParseMediaType(contentType)
	switch kind {
	case "multipart/form-data":
		return p.multipart(multipart.NewReader(body, details["boundary"]))
	case "application/json":
		return p.json(body)
	case "application/x-www-form-urlencoded":
		text, err := io.ReadAll(body)
		if err != nil {
			return err
		}
		form, err := url.ParseQuery(string(text))
		maps.Copy(p.values, form)
		return err
	}
	return nil
}

// multipart reads a form. One without any part, which some libraries send for calls without parameters,
// is empty.
func (p params) multipart(form *multipart.Reader) error {
	for {
		part, err := form.NextPart()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		text, err := io.ReadAll(part)
		if err != nil {
			return err
		}
		if part.FileName() != "" {
			p.files[part.FormName()] = &Document{Name: part.FileName(), Body: text}
		} else {
			p.values.Set(part.FormName(), string(text))
		}
	}
}

// json reads an object whose members are parameters.
func (p params) json(body io.Reader) error {
	var members map[string]json.RawMessage
	if err := json.NewDecoder(body).Decode(&members); err != nil && !errors.Is(err, io.EOF) {
		return err
	}
	for name, raw := range members {
		var text string
		if json.Unmarshal(raw, &text) != nil {
			text = string(raw)
		}
		p.values.Set(name, text)
	}
	return nil
}

// api answers one call of the Bot API: rest is <token>/<method>.
func (s *Server) api(w http.ResponseWriter, r *http.Request, rest string) {
	token, method, _ := strings.Cut(rest, "/")
	p := params{values: r.URL.Query(), files: map[string]*Document{}}
	err := p.readRequest(w, r)
	if _, tooBig := errors.AsType[*http.MaxBytesError](err); tooBig {
		answer(w, nil, &failure{code: http.StatusRequestEntityTooLarge, description: "Request Entity Too Large"})
		return
	}
	if err != nil {
		answer(w, nil, badRequest("the request cannot be read"))
		return
	}
	if token != s.options.Token || isReal(token) && !s.options.RealTokens {
		no := &failure{code: http.StatusUnauthorized, description: "Unauthorized"}
		if !strings.Contains(token, ":") {
			no.description += ": invalid token specified"
		}
		answer(w, nil, no)
		return
	}
	if method = strings.TrimPrefix(method, "test/"); method == "" {
		method = p.text("method")
	}
	s.perform(w, r, strings.ToLower(method), p)
}

// perform does what a call asks for, unless something goes wrong on purpose.
func (s *Server) perform(w http.ResponseWriter, r *http.Request, method string, p params) {
	p.asked = map[string]bool{}
	fault := s.Injector.arrive(method, p.values.Get("chat_id"))
	if fault.before(w, r) {
		return
	}
	// Not the server's clock: Advance does not move Call.At.
	begin := time.Now()
	var result any
	var no *failure
	// getUpdates waits, so it is none of the methods, which run with s.mu held. Limits do not count it either.
	if method == "getupdates" {
		result, no = s.Updates.getUpdates(r.Context(), p)
	} else {
		result, no = s.call(method, p)
	}
	// Before anything is written, and under the lock: a result may hold a poll or a message that others change meanwhile.
	result = s.settled(result)
	s.Log.note(begin, method, p, result, no)
	if !fault.after(w, r) {
		answer(w, result, no)
	}
}

// settled is a result as it goes out: as JSON already, which later changes cannot reach.
func (s *Server) settled(result any) any {
	s.mu.Lock()
	defer s.mu.Unlock()
	d, isDescribed := result.(described)
	if isDescribed {
		result = d.result
	}
	text, isText := result.(json.RawMessage) // updates, which were settled when they came about
	if !isText {
		text = inOrder(result)
	}
	if isDescribed {
		return described{text, d.text}
	}
	return text
}

// inOrder is a result as JSON, in the order of the Bot API where a client may count on it: what begins a message is its number.
func inOrder(result any) json.RawMessage {
	m, isObject := result.(object)
	number, isMessage := m["message_id"]
	if !isObject || !isMessage {
		return marshal(result)
	}
	text, rest := marshal(object{"message_id": number}), maps.Clone(m)
	delete(rest, "message_id")
	if len(rest) > 0 {
		text = append(append(text[:len(text)-1], ','), marshal(rest)[1:]...)
	}
	return text
}

// answer writes the envelope of the Bot API; the HTTP status is the error code.
func answer(w http.ResponseWriter, result any, no *failure) {
	body := object{"ok": true, "result": result}
	if d, ok := result.(described); ok {
		body["result"], body["description"] = d.result, d.text
	}
	w.Header().Set("Content-Type", "application/json")
	if no != nil {
		body = object{"ok": false, "error_code": no.code, "description": no.description}
		if no.retryAfter != 0 {
			body["parameters"] = object{"retry_after": no.retryAfter}
			w.Header().Set("Retry-After", strconv.Itoa(no.retryAfter))
		}
		if no.migrated != 0 {
			body["parameters"] = object{"migrate_to_chat_id": no.migrated}
		}
		w.WriteHeader(no.code)
	}
	_, _ = w.Write(marshal(body))
}

// marshal is a value of our own as JSON.
func marshal(v any) []byte {
	b, err := json.Marshal(v)
	if err != nil {
		panic("tgsim: a value cannot be encoded: " + err.Error()) // there is none that cannot
	}
	return b
}

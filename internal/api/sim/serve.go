package sim

import (
	"cmp"
	"encoding/json"
	"io"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"
)

// object is a JSON object, written by hand.
type object map[string]any

// reply is what an operation answers.
type reply struct {
	code    int    // 0: 200
	message string // "": OK
	data    any
	bare    bool // without the envelope
	wait    int  // Retry-After in seconds; 0: no such header
	page    bool // a page of HTML that says nothing but the code
}

// ok is a success with data.
func ok(data any) reply { return reply{data: data} }

// refuse is an answer that says no.
func refuse(code int, message string) reply { return reply{code: code, message: message} }

// invalid is a failed validation of one field.
func invalid(field, message string) reply {
	return reply{code: http.StatusBadRequest, message: "Validation failed", data: object{"errors": object{field: []string{message}}}}
}

// unprocessable is a failed validation where the document asks for 422.
func unprocessable(field, message string) reply {
	no := invalid(field, message)
	no.code = http.StatusUnprocessableEntity
	return no
}

// required is the failed validation of a field that is missing.
func required(field string) reply { return invalid(field, "The "+field+" field is required.") }

// call is a request that was let in.
type call struct {
	account *account
	key     string // that the request was sent with
	tag     string // of its context
	mode    Mode
	base    string // address of the service, as the caller wrote it
	params  map[string]string
	body    map[string]any
	now     time.Time
}

// text is a text of the body; "" where there is none.
func (c call) text(field string) string {
	text, _ := c.body[field].(string)
	return text
}

// serve answers one request.
func (s *Server) serve(w http.ResponseWriter, r *http.Request) {
	path, under := strings.CutPrefix(r.URL.Path, s.base)
	if !under {
		write(w, refuse(http.StatusNotFound, "Not found"))
		return
	}
	// The body is read before mu is taken: who sends slowly holds up nobody else, and nothing is done for half a body.
	text, err := io.ReadAll(io.LimitReader(r.Body, 1<<20))
	if err != nil {
		return
	}
	op, c, fault := s.arrive(r, s.documented(path))
	if op == nil {
		write(w, refuse(http.StatusNotFound, "Not found"))
		return
	}
	// Faults wait and hang without mu. Between arrive and perform other requests may be done.
	if fault.before(w, r) {
		return
	}
	answer := s.perform(op, r, c, text, fault)
	if fault.after(w, r, &answer) {
		return
	}
	write(w, answer)
}

// arrive finds the operation of a request, counts it, and takes the fault that waits for it.
func (s *Server) arrive(r *http.Request, path string) (*operation, call, *Fault) {
	s.mu.Lock()
	defer s.mu.Unlock()
	c := call{mode: s.mode, base: "http://" + r.Host + s.base}
	if a := s.account(r.Header.Get("X-Api-Key")); a != nil && a.Mode != "" {
		c.mode = a.Mode
	}
	op := s.route(r.Method, path, &c)
	if op == nil {
		return nil, c, nil
	}
	s.requests[op.name()]++
	return op, c, s.takeFault(op)
}

// perform lets the request in and does what it asks for, all at once.
// mu is held from the check of the key to the last change: two purchases of the last unit, or of the last money, cannot both succeed.
func (s *Server) perform(op *operation, r *http.Request, c call, text []byte, fault *Fault) reply {
	s.mu.Lock()
	defer s.mu.Unlock()
	c.now, c.key, c.tag = s.now(), r.Header.Get("X-Api-Key"), tagOf(r.Context())
	s.advance(c.now)
	var no reply
	// Before the body is looked at: who has no valid key is told of that alone.
	if c.account, no = s.admit(r, c.now); c.account == nil {
		return no
	}
	if len(text) > 0 && json.Unmarshal(text, &c.body) != nil {
		return invalid("body", "must be a JSON object")
	}
	if !op.spends {
		return op.do(s, c)
	}
	spend := s.spend(op, c)
	if fault.late() {
		spend.Due = c.now.Add(fault.Delay)
		s.late = append(s.late, &lateCall{due: spend.Due, op: op, call: c, spend: spend})
		// Not the answer of anything: Fault.after says what the caller sees.
		return reply{}
	}
	answer := s.buys(op, c, spend)
	// A purchase that was refused lost nothing but its answer.
	if answer.code == 0 && fault != nil && fault.Kind == LoseAnswer {
		s.lost++
	}
	return answer
}

// route finds the operation of a request and the parameters of its path.
func (s *Server) route(method, path string, c *call) *operation {
	parts := strings.Split(strings.Trim(path, "/"), "/")
	// The first row that fits wins: of POST /arena/check-player, which both generations have, it is Current's.
	for i := range s.operations {
		op := &s.operations[i]
		if op.Method != method || !s.serves(op, c.mode) {
			continue
		}
		if params, fit := fits(op.parts, parts); fit {
			c.params = params
			return op
		}
	}
	return nil
}

// serves reports whether an operation exists in a mode. The one path that both generations answer in
// different shapes is one of them only.
func (s *Server) serves(op *operation, m Mode) bool {
	if m != Both {
		return op.Generation == m
	}
	return op.Path != "/products" || s.listsLegacy == (op.Generation == Legacy)
}

// fits matches the parts of a path with those of a pattern.
func fits(pattern, parts []string) (map[string]string, bool) {
	if len(pattern) != len(parts) {
		return nil, false
	}
	var params map[string]string
	for i, p := range pattern {
		if strings.HasPrefix(p, "{") {
			if params == nil {
				params = map[string]string{}
			}
			params[strings.Trim(p, "{}")] = parts[i]
		} else if p != parts[i] {
			return nil, false
		}
	}
	return params, true
}

// write answers, in the envelope unless the reply is bare.
func write(w http.ResponseWriter, a reply) {
	if a.page {
		page(w, a.code)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	if a.wait > 0 {
		w.Header().Set("Retry-After", strconv.Itoa(a.wait))
	}
	body := a.data
	// bare is for successes alone: errors have the envelope at every endpoint.
	if no := a.code >= http.StatusBadRequest; no || !a.bare {
		envelope := object{"status": "success", "message": cmp.Or(a.message, "OK"), "data": a.data}
		if no {
			envelope["status"] = "error"
		}
		body = envelope
	}
	text, err := json.Marshal(body)
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	w.WriteHeader(cmp.Or(a.code, http.StatusOK))
	put(w, string(text))
}

// Operation is one endpoint of the document's tables.
type Operation struct {
	Method, Path string // the path's parameters as the document names them
	Generation   Mode   // Current or Legacy
}

// operation is an endpoint with what it does.
type operation struct {
	Operation

	do     func(s *Server, c call) reply
	parts  []string
	spends bool
}

// name is how faults and counts name the operation.
func (o *operation) name() string { return o.Method + " " + o.Path }

// Operations lists the endpoints of both generations. Two paths are in both and are listed twice.
func Operations() []Operation {
	var all []Operation
	for _, op := range operations() {
		all = append(all, op.Operation)
	}
	return all
}

// Routes lists the endpoints of all modes as "GET /balance", each once.
func Routes() []string {
	var all []string
	for _, op := range operations() {
		if name := op.name(); !slices.Contains(all, name) {
			all = append(all, name)
		}
	}
	return all
}

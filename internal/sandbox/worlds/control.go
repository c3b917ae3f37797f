package worlds

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"strings"
	"time"
)

// base is where the control interface begins. What is said there keeps its meaning: what would change it gets /control/v2.
const base = "/control/v1"

// maxAsk is the biggest request but for files.
const maxAsk = 1 << 20

// Operation is something that the control interface does, as docs/sandbox.md lists it.
type Operation struct {
	Method, Path string // below /control/v1
	Takes        string // the fields of its request
	Does         string // what it does, and answers
}

// operation is an Operation with what does it.
type operation struct {
	Operation

	do func(*Sandbox, *call) (any, error)
}

// call is a request to the control interface.
type call struct {
	r     *http.Request
	body  []byte
	world *world // that the request names; nil where the operation is of none
	ask   ask
}

// refusal is why an action had no effect.
type refusal struct {
	code  int
	words string
}

// Error implements error.
func (r refusal) Error() string { return r.words }

func missing(words string) error { return refusal{http.StatusNotFound, words} }
func cannot(words string) error  { return refusal{http.StatusConflict, words} }
func wrong(words string) error   { return refusal{http.StatusBadRequest, words} }

// Operations lists what the control interface does.
func Operations() []Operation {
	var all []Operation
	for _, op := range operations() {
		all = append(all, op.Operation)
	}
	return all
}

func operations() []operation {
	var all []operation
	all = append(all, peopleOperations()...)
	all = append(all, worldOperations()...)
	return append(all, serviceOperations()...)
}

// Control serves the control interface: JSON in, what was made out, and for an action without effect a status of 4xx
// with {"error": "…"}.
func (s *Sandbox) Control() http.Handler {
	mux := http.NewServeMux()
	for _, op := range operations() {
		mux.HandleFunc(op.Method+" "+base+op.Path, func(w http.ResponseWriter, r *http.Request) {
			c := &call{r: r}
			err := c.read(w, op)
			if err == nil {
				err = s.find(r.Context(), c, op)
			}
			var made any
			if err == nil {
				made, err = op.do(s, c)
			}
			if err != nil {
				writeError(w, err)
				return
			}
			writeJSON(w, http.StatusOK, made)
		})
	}
	mux.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		writeError(w, missing("there is no "+r.Method+" "+r.URL.Path+": docs/sandbox.md lists what there is"))
	})
	return mux
}

// find finds the world that a request is about.
func (s *Sandbox) find(ctx context.Context, c *call, op operation) error {
	if strings.HasPrefix(op.Path, "/service") || op.Path == "/bots" && op.Method == http.MethodGet {
		return nil
	}
	if c.ask.Bot == "" {
		if all := s.all(); len(all) == 1 {
			c.world = all[0]
			return nil
		}
		return wrong("say which bot: its token, or the number of its world")
	}
	w, err := s.world(ctx, string(c.ask.Bot))
	if err != nil {
		return wrong("bot: " + err.Error())
	}
	c.world = w
	return nil
}

// writeError says why nothing happened.
func writeError(w http.ResponseWriter, err error) {
	no := refusal{http.StatusConflict, err.Error()}
	// What is no refusal stays 409 with its own words.
	_ = errors.As(err, &no)
	writeJSON(w, no.code, map[string]string{"error": no.words})
}

// writeJSON answers with a value.
func writeJSON(w http.ResponseWriter, code int, v any) {
	text, err := json.Marshal(v)
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-store")
	w.Header().Set("X-Content-Type-Options", "nosniff")
	w.WriteHeader(code)
	_, _ = w.Write(text)
}

// mostDelay is for how many seconds something that goes wrong can last.
const mostDelay = 24 * 3600

// seconds is a number of seconds as a duration.
func seconds(n float64) time.Duration { return time.Duration(n * float64(time.Second)) }

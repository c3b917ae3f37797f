package sim

import (
	"cmp"
	"io"
	"net/http"
	"slices"
	"strconv"
	"time"
)

// FaultKind is what goes wrong.
type FaultKind uint8

// The kinds of faults.
const (
	LoseAnswer  FaultKind = iota // it is done, and the connection closes without an answer
	DropRequest                  // the connection closes before anything is done
	Delay                        // it is done after Fault.Delay, or after the caller went away
	Status                       // nothing is done; Fault.Status with a page of HTML
	StatusDone                   // it is done; Fault.Status with a page of HTML
	Garbage                      // it is done; 200 with what is no JSON
	Forbidden                    // nothing is done; 403 without the envelope, as a firewall answers
	RateLimit                    // nothing is done; 429, with Retry-After where Fault.Delay is set
	DoubleIDs                    // it is done; the first order id of a purchase is named twice
	ShortCount                   // it is done; the last order id of a purchase, or the order_id of a top-up, is left out
	ErrorAnswer                  // nothing is done; Fault.Status in the envelope
	ErrorDone                    // it is done; Fault.Status in the envelope
	Silence                      // nothing is done, and no answer comes before the caller goes away
	SilenceDone                  // it is done, and no answer comes before the caller goes away
	Late                         // of what costs money: it is done Fault.Delay later; the answer is that of Silence, or of ErrorAnswer where Fault.Status is set
)

// What a Fault may name instead of one operation.
const (
	AnyOperation = "*"
	Spending     = "spending" // a purchase of either generation, or a top-up
)

// Fault is something that goes wrong with the next Times requests of an operation, "GET /balance", or of
// several: AnyOperation, Spending.
type Fault struct {
	Operation string
	Times     int
	Kind      FaultKind
	Delay     time.Duration
	Status    int
	Message   string              // of ErrorAnswer and ErrorDone; the usual one of the status where empty
	Fields    map[string][]string // of those, what data.errors says
}

// refusal is the answer of ErrorAnswer and ErrorDone.
func (f *Fault) refusal() reply {
	no := refuse(f.Status, cmp.Or(f.Message, errorMessage(f.Status)))
	if f.Fields != nil {
		no.data = object{"errors": f.Fields}
	}
	return no
}

// Inject queues a fault.
func (s *Server) Inject(f Fault) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.faults = append(s.faults, &f)
}

// ClearFaults makes the service well again.
func (s *Server) ClearFaults() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.faults = nil
}

// takeFault is the fault for a request, nil for none; s.mu is held.
// It is taken when the request arrives, before key, address and limits are looked at: a request that would be refused uses it up too.
func (s *Server) takeFault(op *operation) *Fault {
	for i, f := range s.faults {
		if !f.hits(op) {
			continue
		}
		taken := *f
		if f.Times--; f.Times <= 0 {
			s.faults = slices.Delete(s.faults, i, i+1)
		}
		return &taken
	}
	return nil
}

// hits reports whether the fault is for an operation.
func (f *Fault) hits(op *operation) bool {
	switch f.Operation {
	case AnyOperation:
		return f.Times > 0
	case Spending:
		return f.Times > 0 && op.spends
	}
	return f.Times > 0 && f.Operation == op.name()
}

// before does what a fault does before the request is performed, and reports whether that is all.
func (f *Fault) before(w http.ResponseWriter, r *http.Request) bool {
	if f == nil {
		return false
	}
	switch f.Kind {
	case DropRequest:
		panic(http.ErrAbortHandler)
	case Delay:
		select {
		case <-time.After(f.Delay):
		case <-r.Context().Done():
		}
	case Status:
		page(w, f.Status)
		return true
	case Forbidden:
		page(w, http.StatusForbidden)
		return true
	case ErrorAnswer:
		write(w, f.refusal())
		return true
	case Silence:
		hang(r)
	case RateLimit:
		no := refuse(http.StatusTooManyRequests, "Too Many Requests")
		no.wait = int(f.Delay / time.Second)
		write(w, no)
		return true
	}
	return false
}

// after does what a fault does once the request was performed, and reports whether that is the answer.
func (f *Fault) after(w http.ResponseWriter, r *http.Request, answer *reply) bool {
	if f == nil {
		return false
	}
	switch f.Kind {
	case LoseAnswer:
		panic(http.ErrAbortHandler)
	case StatusDone:
		page(w, f.Status)
		return true
	case ErrorDone:
		write(w, f.refusal())
		return true
	case SilenceDone:
		hang(r)
	// perform has only taken it down: the answer must not tell that it will still be done.
	case Late:
		if f.Status == 0 {
			hang(r)
		}
		write(w, f.refusal())
		return true
	case Garbage:
		w.Header().Set("Content-Type", "application/json")
		put(w, `{"status":"success","data":{"order_ids":["ORD-`)
		return true
	case DoubleIDs, ShortCount:
		// Only an answer that says yes names orders. The purchase stands as it is: what is spoilt is its answer alone.
		if o, isObject := answer.data.(object); isObject && answer.code == 0 {
			f.miscount(o)
		}
	}
	return false
}

// late reports whether what costs money is to be done later.
func (f *Fault) late() bool { return f != nil && f.Kind == Late }

// hang waits until the caller has gone away, and answers nothing.
func hang(r *http.Request) {
	<-r.Context().Done()
	panic(http.ErrAbortHandler)
}

// miscount spoils the ids in the answer to a purchase of either generation, or to a top-up, which has one.
func (f *Fault) miscount(o object) {
	if ids, named := o["order_ids"].([]string); named {
		o["order_ids"] = spoil(ids, f.Kind)
	}
	if items, named := o["purchased_items"].([]object); named {
		o["purchased_items"] = spoil(items, f.Kind)
	}
	if o["transaction_id"] != nil && f.Kind == ShortCount {
		delete(o, "order_id")
	}
}

// spoil names the first entry twice, or leaves the last one out.
func spoil[T any](list []T, kind FaultKind) []T {
	switch {
	case len(list) == 0:
		return list
	case kind == DoubleIDs:
		return append([]T{list[0]}, list...)
	}
	return list[:len(list)-1]
}

// errorMessage is the document's word for a status of the service's own making.
func errorMessage(status int) string {
	switch status {
	case http.StatusTooManyRequests:
		return "Too Many Requests"
	case http.StatusBadGateway:
		return "Upstream service unavailable"
	}
	return http.StatusText(status)
}

// put writes text. A caller who has gone away is no trouble of the service's.
func put(w io.Writer, text string) { _, _ = io.WriteString(w, text) }

// page is an answer of something between the caller and the service.
func page(w http.ResponseWriter, status int) {
	w.Header().Set("Content-Type", "text/html")
	w.WriteHeader(status)
	put(w, "<html><body><h1>"+strconv.Itoa(status)+" "+http.StatusText(status)+"</h1></body></html>")
}

package sim

import (
	"io"
	"net/http"
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
	DoubleIDs                    // it is done; the first order id is named twice
	ShortCount                   // it is done; the last order id is left out
)

// Fault is something that goes wrong with the next Times requests of an operation, "GET /balance", or of
// any for "*".
type Fault struct {
	Operation string
	Times     int
	Kind      FaultKind
	Delay     time.Duration
	Status    int
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
func (s *Server) takeFault(operation string) *Fault {
	for _, f := range s.faults {
		if f.Times > 0 && (f.Operation == operation || f.Operation == "*") {
			f.Times--
			taken := *f
			return &taken
		}
	}
	return nil
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
	case RateLimit:
		write(w, nil, &refusal{code: http.StatusTooManyRequests, message: "Too Many Requests", wait: int(f.Delay / time.Second)})
		return true
	}
	return false
}

// after does what a fault does once the request was performed, and reports whether that is the answer.
func (f *Fault) after(w http.ResponseWriter, data any) bool {
	if f == nil {
		return false
	}
	switch f.Kind {
	case LoseAnswer:
		panic(http.ErrAbortHandler)
	case StatusDone:
		page(w, f.Status)
		return true
	case Garbage:
		w.Header().Set("Content-Type", "application/json")
		io.WriteString(w, `{"status":"success","data":{"order_ids":["ORD-`)
		return true
	case DoubleIDs, ShortCount:
		o, ok := data.(object)
		ids, named := o["order_ids"].([]string)
		if ok && named && len(ids) > 0 {
			if f.Kind == DoubleIDs {
				o["order_ids"] = append([]string{ids[0]}, ids...)
			} else {
				o["order_ids"] = ids[:len(ids)-1]
			}
		}
	}
	return false
}

// page is an answer of something between the caller and the service.
func page(w http.ResponseWriter, status int) {
	w.Header().Set("Content-Type", "text/html")
	w.WriteHeader(status)
	io.WriteString(w, "<html><body><h1>"+strconv.Itoa(status)+" "+http.StatusText(status)+"</h1></body></html>")
}

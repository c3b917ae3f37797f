package tgsim

import (
	"io"
	"net/http"
	"time"
)

// FaultKind is what goes wrong.
type FaultKind uint8

// The kinds of faults.
const (
	Flood       FaultKind = iota // 429 with retry_after of Fault.Wait
	Broken                       // 500
	Page                         // 502 with a page of HTML, as a proxy answers
	Hang                         // Fault.Wait, or as long as the caller waits, before anything is done
	CloseBefore                  // the connection closes before anything is done
	CloseAfter                   // it is done, and the connection closes without an answer
)

// Fault is something that goes wrong with the next Times calls of a method (in lower case, "*" for any)
// in a chat (0 for any), after the first After of them.
type Fault struct {
	Method string
	Chat   int64
	Times  int
	After  int
	Kind   FaultKind
	Wait   time.Duration
}

// Inject queues a fault.
func (s *Server) Inject(f Fault) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.faults = append(s.faults, &f)
}

// ClearFaults makes Telegram well again.
func (s *Server) ClearFaults() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.faults = nil
}

// arrive counts a call and takes the fault that waits for it, nil for none.
func (s *Server) arrive(method string, chat int64) *Fault {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.calls[method]++
	for _, f := range s.faults {
		if f.Times <= 0 || f.Method != method && f.Method != "*" || f.Chat != 0 && f.Chat != chat {
			continue
		}
		if f.After > 0 {
			f.After--
			continue
		}
		f.Times--
		taken := *f
		return &taken
	}
	return nil
}

// before does what a fault does before the call, and reports whether that is all.
func (f *Fault) before(w http.ResponseWriter, r *http.Request) bool {
	if f == nil {
		return false
	}
	switch f.Kind {
	case Flood:
		answer(w, nil, tooMany(int(f.Wait/time.Second)))
	case Broken:
		answer(w, nil, &failure{code: http.StatusInternalServerError, description: "Internal Server Error: restart"})
	case Page:
		w.Header().Set("Content-Type", "text/html")
		w.WriteHeader(http.StatusBadGateway)
		_, _ = io.WriteString(w, "<html><body><h1>502 Bad Gateway</h1></body></html>")
	case Hang:
		select {
		case <-time.After(f.Wait):
		case <-r.Context().Done():
		}
		return false
	case CloseBefore:
		panic(http.ErrAbortHandler)
	default:
		return false
	}
	return true
}

// after does what a fault does once the call was performed.
func (f *Fault) after() {
	if f != nil && f.Kind == CloseAfter {
		panic(http.ErrAbortHandler)
	}
}

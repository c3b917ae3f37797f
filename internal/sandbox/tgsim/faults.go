package tgsim

import (
	"cmp"
	"io"
	"net/http"
	"time"
)

// FaultKind is what goes wrong.
type FaultKind uint8

// The kinds of faults.
const (
	Flood       FaultKind = iota // 429 with retry_after of Fault.Wait
	Broken                       // Fault.Code, or 500
	Page                         // Fault.Code, or 502, with a page of HTML, as a proxy answers
	Hang                         // Fault.Wait, or as long as the caller waits, before anything is done
	CloseBefore                  // the connection closes before anything is done
	CloseAfter                   // it is done, and the connection closes without an answer
	HangAfter                    // it is done, and the answer comes after Fault.Wait, if the caller waits so long
	Cut                          // it is done, and the connection closes in the middle of the answer
	Strange                      // it is done, and the result is of a type that nobody expects
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
	Code   int
}

// Inject queues a fault.
func (s Injector) Inject(f Fault) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.faults = append(s.faults, &f)
}

// ClearFaults makes Telegram well again.
func (s Injector) ClearFaults() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.faults = nil
}

// Faults lists what is still to go wrong.
func (s Injector) Faults() []Fault {
	s.mu.Lock()
	defer s.mu.Unlock()
	var all []Fault
	for _, f := range s.faults {
		if f.Times > 0 {
			all = append(all, *f)
		}
	}
	return all
}

// arrive counts a call and takes the fault that waits for it, nil for none.
func (s Injector) arrive(method, name string) *Fault {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.calls[method]++
	var chat int64
	if c := s.lookup(name); c != nil {
		chat = c.id
	}
	for _, f := range s.faults {
		if f.Times <= 0 || f.Method != method && f.Method != "*" || f.Chat != 0 && f.Chat != chat {
			continue
		}
		// A fault that lets a call pass does not hide the ones behind it: the same call may meet the next.
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
		answer(w, nil, broke(f.Code))
	case Page:
		w.Header().Set("Content-Type", "text/html")
		w.WriteHeader(cmp.Or(f.Code, http.StatusBadGateway))
		_, _ = io.WriteString(w, "<html><body><h1>502 Bad Gateway</h1></body></html>")
	case Hang:
		f.hold(r)
		return false
	case CloseBefore:
		panic(http.ErrAbortHandler)
	default:
		return false
	}
	return true
}

// broke is what a server says that cannot go on.
func broke(code int) *failure {
	if code == 0 || code == http.StatusInternalServerError {
		return &failure{code: http.StatusInternalServerError, description: "Internal Server Error: restart"}
	}
	return &failure{code: code, description: http.StatusText(code)}
}

func (f *Fault) hold(r *http.Request) {
	select {
	case <-time.After(f.Wait):
	case <-r.Context().Done():
	}
}

// after does what a fault does once the call was performed, and reports whether that is the answer.
func (f *Fault) after(w http.ResponseWriter, r *http.Request) bool {
	if f == nil {
		return false
	}
	switch f.Kind {
	case CloseAfter:
		panic(http.ErrAbortHandler)
	case HangAfter:
		f.hold(r)
	case Cut:
		w.Header().Set("Content-Type", "application/json")
		w.Header().Set("Content-Length", "1000")
		_, _ = io.WriteString(w, `{"ok":true,"result":{"message_id":`)
		panic(http.ErrAbortHandler)
	case Strange:
		answer(w, object{"type": "unheard_of", "message_id": "no number"}, nil)
		return true
	}
	return false
}

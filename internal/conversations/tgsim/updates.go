package tgsim

import (
	"fmt"
	"net/http"
	"strings"
	"time"
)

// getUpdates is the long poll: updates from offset on, again and again until a higher offset confirms
// them. A newer poll ends an older one.
func (s *Server) getUpdates(w http.ResponseWriter, r *http.Request, p params) {
	mine, takenOver := s.takePoll()
	defer s.leavePoll(mine)
	limit := int(min(max(p.int("limit"), 0), 100))
	if limit == 0 {
		limit = 100
	}
	hold := time.NewTimer(time.Duration(min(max(p.int("timeout"), 0), 50)) * time.Second)
	defer hold.Stop()
	for {
		batch, changed := s.waiting(p.int("offset"), limit)
		if batch != "" {
			writeUpdates(w, batch)
			return
		}
		select {
		case <-changed:
		case <-hold.C:
			writeUpdates(w, "")
			return
		case <-takenOver:
			answer(w, nil, &failure{code: http.StatusConflict, description: "Conflict: terminated by other getUpdates request; make sure that only one bot instance is running"})
			return
		case <-r.Context().Done():
			return
		}
	}
}

// takePoll becomes the one poll there is.
func (s *Server) takePoll() (mine chan struct{}, takenOver <-chan struct{}) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.poll != nil {
		close(s.poll)
	}
	mine = make(chan struct{})
	s.poll = mine
	return mine, mine
}

func (s *Server) leavePoll(mine chan struct{}) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.poll == mine {
		s.poll = nil
	}
}

// waiting is the JSON of the updates from offset on, "" for none, and what to wait for then. Those before
// offset are confirmed, and those that are too old are gone.
func (s *Server) waiting(offset int64, limit int) (batch string, changed <-chan struct{}) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if offset < 0 && len(s.updates) > 0 {
		s.updates = s.updates[max(0, len(s.updates)+int(offset)):]
	}
	now := time.Now()
	var kept []update
	var out []string
	for _, u := range s.updates {
		if u.id < offset || now.After(u.expires) {
			continue
		}
		kept = append(kept, u)
		if len(out) < limit {
			out = append(out, fmt.Sprintf(`{"update_id":%d,%s}`, u.id, u.body))
		}
	}
	s.updates = kept
	return strings.Join(out, ","), s.changed
}

func writeUpdates(w http.ResponseWriter, batch string) {
	w.Header().Set("Content-Type", "application/json")
	fmt.Fprintf(w, `{"ok":true,"result":[%s]}`, batch)
}

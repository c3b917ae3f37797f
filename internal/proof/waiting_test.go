package proof

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"os"
	"path"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"resellerbot/internal/api/sim"
	"resellerbot/internal/sandbox/tgsim"
)

// How far away everybody is from the program: to there and back.
const (
	serviceTrip  = 150 * time.Millisecond
	telegramTrip = 50 * time.Millisecond
)

// TestWaiting measures how long people wait for what they bought: from the moment at which the service has a code to the one
// at which Telegram has the message with it, with the real program as a process between the two simulators, over HTTP. It
// tells figures beside what they are to be, and fails where they are half as long again, where a code is missing or comes
// twice, or where Telegram refuses something.
//
// WAITING=full plays all of it, WAITING=short a part for every night. SPEED_BOT is another program to measure.
func TestWaiting(t *testing.T) {
	size := os.Getenv("WAITING")
	if size == "" {
		t.Skip("it takes real time, and a machine of its own: make waiting")
	}
	full := size == "full"
	t.Run("thinks", func(t *testing.T) { waitForOne(t, full, 6*time.Second, waitAim{p50: 0.35, p99: 1, looks: 3}) })
	t.Run("at once", func(t *testing.T) { waitForOne(t, full, 0, waitAim{p50: 0.6, p99: 2, looks: 4}) })
	t.Run("one key", func(t *testing.T) { waitOnOneKey(t, full) })
	t.Run("500 codes", func(t *testing.T) { waitForBig(t) })
	t.Run("500 chats", func(t *testing.T) { waitInChats(t, 500, 1, 500, false, 1.15) })
	t.Run("1000 chats", func(t *testing.T) { waitInChats(t, 1000, 10, 1, true, 1.1) })
}

// waitAim is how long codes are to take, in seconds, and what that is to cost.
type waitAim struct{ p50, p95, p99, looks float64 }

// waitBot is a program whose messages are listened to.
type waitBot struct {
	*speedBot

	mu      sync.Mutex
	brought map[string]time.Time // when Telegram had a code first
	places  map[string]string    // and in which message
	looks   int                  // calls for orders
	calls   int                  // messages and edits that Telegram took
	last    time.Time            // the last of them
	refused map[string]int       // 429, by who said so
}

// newWaitBot makes a program, and what it talks to, as far away as it is.
func newWaitBot(t *testing.T) *waitBot {
	t.Helper()
	w := &waitBot{brought: map[string]time.Time{}, places: map[string]string{}, refused: map[string]int{}}
	service := sim.New(sim.Options{Seed: 1})
	telegram := tgsim.New(tgsim.Options{Token: killToken, BotName: "shop_bot"})
	w.speedBot = newSpeedBotBetween(t, w.far(service, serviceTrip, w.looked), telegram, w.far(telegram, telegramTrip, w.heard))
	w.service = service
	return w
}

// far serves something from far away, and notes what came of each request.
func (w *waitBot) far(to http.Handler, trip time.Duration, note func(r *http.Request, body []byte, at time.Time, status int)) http.Handler {
	return http.HandlerFunc(func(out http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			return
		}
		r.Body = io.NopCloser(bytes.NewReader(body))
		if path.Base(r.URL.Path) == "getUpdates" {
			to.ServeHTTP(out, r)
			return
		}
		<-time.After(trip / 2)
		at, seen := time.Now(), &waitAnswer{ResponseWriter: out, status: http.StatusOK}
		to.ServeHTTP(seen, r)
		note(r, body, at, seen.status)
		<-time.After(trip / 2)
	})
}

// waitAnswer remembers the status of an answer.
type waitAnswer struct {
	http.ResponseWriter

	status int
}

// WriteHeader implements http.ResponseWriter.
func (a *waitAnswer) WriteHeader(status int) {
	a.status = status
	a.ResponseWriter.WriteHeader(status)
}

// Flush implements http.Flusher: what is written goes on its way late enough.
func (a *waitAnswer) Flush() {}

// looked notes a request to the service.
func (w *waitBot) looked(r *http.Request, _ []byte, _ time.Time, status int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if strings.Contains(r.URL.Path, "/order") {
		w.looks++
	}
	if status == http.StatusTooManyRequests {
		w.refused["the service"]++
	}
}

// heard notes a call of Telegram.
func (w *waitBot) heard(r *http.Request, body []byte, at time.Time, status int) {
	method := strings.ToLower(path.Base(r.URL.Path))
	w.mu.Lock()
	defer w.mu.Unlock()
	switch {
	case status == http.StatusTooManyRequests:
		w.refused["Telegram, "+method]++
		return
	case status != http.StatusOK || !strings.HasPrefix(method, "send") && !strings.HasPrefix(method, "edit"):
		return
	}
	w.calls++
	w.last = at
	for _, code := range simCodeForm.FindAllString(string(body), -1) {
		if _, known := w.brought[code]; !known {
			w.brought[code] = at
		}
	}
}

// forget begins to count anew.
func (w *waitBot) forget() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.looks, w.calls = 0, 0
}

// arrived is how many codes have come.
func (w *waitBot) arrived() int {
	w.mu.Lock()
	defer w.mu.Unlock()
	return len(w.brought)
}

// lateness is how late the codes of some orders came, sorted. One that has not come is an error.
func (w *waitBot) lateness(of func(sim.Order) bool) (late []time.Duration) {
	w.t.Helper()
	w.mu.Lock()
	defer w.mu.Unlock()
	missing := 0
	for _, o := range w.service.Orders() {
		if o.Code == "" || !of(o) {
			continue
		}
		if at, ok := w.brought[o.Code]; ok {
			late = append(late, at.Sub(o.Ready))
		} else {
			missing++
		}
	}
	if missing > 0 || len(late) == 0 {
		w.t.Fatalf("%d codes came, %d did not\n%s", len(late), missing, lastLines(w.log.String()))
	}
	slices.Sort(late)
	return late
}

// tell tells how late codes came, beside what is aimed at, and holds the two together.
func (w *waitBot) tell(what string, late []time.Duration, aim waitAim) {
	w.t.Helper()
	part := func(of int) float64 { return late[min(len(late)*of/100, len(late)-1)].Seconds() }
	w.mu.Lock()
	looks := float64(w.looks) / float64(len(late))
	w.mu.Unlock()
	var text strings.Builder
	fmt.Fprintf(&text, "%s: %d codes", what, len(late))
	missed := false
	for _, figure := range []struct {
		name     string
		got, aim float64
		unit     string
	}{{"p50", part(50), aim.p50, " s"}, {"p95", part(95), aim.p95, " s"}, {"p99", part(99), aim.p99, " s"}, {"looks a code", looks, aim.looks, ""}} {
		fmt.Fprintf(&text, ", %s %.2f%s", figure.name, figure.got, figure.unit)
		if figure.aim > 0 {
			fmt.Fprintf(&text, " (aim %g)", figure.aim)
			missed = missed || figure.got > 1.5*figure.aim
		}
	}
	w.t.Log(text.String() + w.refusals())
	if missed {
		w.t.Error("that is half as long again as it is to be")
	}
}

// refusals tells of 429s, and fails where there were any.
func (w *waitBot) refusals() string {
	w.t.Helper()
	w.mu.Lock()
	defer w.mu.Unlock()
	if len(w.refused) == 0 {
		return ", nothing refused"
	}
	w.t.Error("calls were refused")
	return fmt.Sprintf(", refused: %v", w.refused)
}

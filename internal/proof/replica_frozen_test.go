package proof

import (
	"context"
	"crypto/tls"
	"fmt"
	"net/http"
	"os"
	"slices"
	"syscall"
	"testing"
	"time"

	"resellerbot/internal/metrics"
	"resellerbot/internal/sampletest"
)

const fewFreezes = 3

// TestFrozen: the process that leads stands still, at a random moment, right before a purchase leaves, or right before a call of
// Telegram after a purchase; goes on once the other one leads; and ends by itself, having bought nothing and told nobody anything. What
// was promised is held against what truly happened, a code that is gone from its chat among it.
//
// FROZEN says how often, REPLICA_LEASE how long a lease is; KILL_SEED repeats the choices of a run.
func TestFrozen(t *testing.T) {
	t.Parallel()
	if os.Getenv("FROZEN") == "" {
		sampletest.Long(t)
	}
	freezes, seed := killSetting(t, "FROZEN", fewFreezes), uint64(killSetting(t, "KILL_SEED", int(time.Now().UnixNano())))
	c := newFrozen(t, seed, freezes, "")
	begin := time.Now()
	for n := 0; n < freezes; {
		f, frozen := c.freezeOnce(n % 3)
		if !frozen {
			continue
		}
		for _, kind := range f.late {
			t.Errorf("%s, it goes on with %s", f.name, kind)
		}
		if n++; n%20 == 0 {
			c.logf("%d times in %v", n, time.Since(begin).Round(time.Second))
		}
	}
	took := time.Since(begin)
	c.killAll()
	c.settle()
	c.truths()
	c.report(took)
	c.logf("ended by themselves, by their exit codes: %v", c.replicas.ended)
}

// TestFrozenWithoutGate: without a gate the same is seen to go wrong.
func TestFrozenWithoutGate(t *testing.T) {
	if os.Getenv("FROZEN") == "" {
		sampletest.Long(t)
	}
	const tries = 10
	for wire, how := range map[string]int{metrics.WireService: beforePost, metrics.WireTelegram: beforeCall} {
		t.Run(wire, func(t *testing.T) {
			c := newFrozen(t, uint64(killSetting(t, "KILL_SEED", int(time.Now().UnixNano()))), tries, wire)
			for n := range tries {
				f, _ := c.freezeOnce(how)
				if len(f.late) > 0 {
					t.Logf("after %d: %s, it goes on with %v", n+1, f.name, f.late)
					return
				}
			}
			t.Errorf("of %d nothing is seen: what is tried here proves nothing", tries)
		})
	}
}

// newFrozen is a city with people in it.
func newFrozen(t *testing.T, seed uint64, freezes int, open string) *killCity {
	t.Helper()
	// A purchase that stood still has time left when it goes on: what keeps it then is the gate.
	c := newReplicas(t, seed, freezes, leaseSetting(t), true, "PURCHASE_TIMEOUT=20s", replicaOpen+"="+open)
	c.logf("KILL_SEED=%d", seed)
	people, goHome := context.WithCancel(t.Context())
	c.goHome = goHome
	c.open(people, 2)
	return c
}

// Where a process is frozen.
const (
	atRandom = iota
	beforePost
	beforeCall
)

// freeze is what came of one.
type freeze struct {
	name string
	late []string // what was asked for afterwards
}

// freezeOnce freezes the leader, lets it go on once the other one leads, and waits for its end. It may end by itself before: on a busy
// machine it stands still without us.
func (c *killCity) freezeOnce(how int) (f freeze, frozen bool) {
	c.t.Helper()
	patience := 40 * c.replicas.lease
	var old, next *replica
	c.until("one of them leads", patience, func() bool {
		c.up()
		one, two := c.replicas.each[0], c.replicas.each[1]
		if old, next = one, two; two.leads() {
			old, next = two, one
		}
		return one.leads() != two.leads() // one that has lost the lease may not have ended yet
	})
	name, frozen := old.standStill(how, c.rng.IntN(4), time.Duration(c.rng.Int64N(int64(c.replicas.lease))))
	if !frozen {
		return f, false
	}
	old.drained() // what it has sent by now is read before the other one says anything
	c.until("the other one leads", patience, func() bool {
		next.up()
		return next.leads() || old.hasEnded()
	})
	if old.hasEnded() { // it was about to when it was frozen
		return f, false
	}
	<-time.After(time.Duration(c.rng.Int64N(int64(time.Second)))) // it tells what there is to tell
	old.mu.Lock()
	old.woken = true
	old.mu.Unlock()
	_ = old.process.Command.Process.Signal(syscall.SIGCONT)
	c.until("it ends by itself", patience, old.hasEnded)
	<-time.After(20 * time.Millisecond) // what has left is answered
	old.mu.Lock()
	f = freeze{name, old.late}
	old.mu.Unlock()
	if len(f.late) > 0 {
		c.logf("%s:\n%s", old.name, lastLines(old.process.Log.String()))
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.sprung[name]++
	return f, true
}

// drained waits until what had left before the process stood still is in the hands of whom it was for: on a busy machine this test is slow
// to read it. What is asked after it is answered after it.
func (r *replica) drained() {
	r.city.t.Helper()
	tr := &http.Transport{TLSClientConfig: &tls.Config{RootCAs: r.roots, MinVersion: tls.VersionTLS12}, DisableKeepAlives: true}
	defer tr.CloseIdleConnections()
	for _, address := range slices.Repeat(r.addresses, 3) {
		req, err := http.NewRequestWithContext(r.city.t.Context(), http.MethodGet, address+"/api/drained", nil)
		if err != nil {
			r.city.t.Fatal(err)
		}
		resp, err := (&http.Client{Transport: tr}).Do(req)
		if err != nil {
			r.city.t.Fatal(err)
		}
		resp.Body.Close()
	}
}

// standStill freezes a process as asked for, or at the end of some time, and says which; false where it has ended by itself.
func (r *replica) standStill(how, nth int, after time.Duration) (name string, frozen bool) {
	m := &meeting{frozen: make(chan struct{}), nth: 1}
	name = "at random"
	switch how {
	case beforePost:
		name, m.at, after = "before a post", isPost, 20*r.city.replicas.lease
	case beforeCall:
		name, m.at, m.after, m.nth, after = fmt.Sprintf("before call %d of Telegram after a purchase", nth+1), isCall, true, nth+1, 20*r.city.replicas.lease
	default:
		m.nth = 1 << 30
	}
	r.mu.Lock()
	r.met = m
	r.mu.Unlock()
	select {
	case <-m.frozen:
	case <-r.process.Ended:
	case <-time.After(after):
		name = "at random"
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.met == m {
		r.freeze()
	}
	return name, !r.hasEnded()
}

// until waits for something.
func (c *killCity) until(what string, patience time.Duration, done func() bool) {
	c.t.Helper()
	for end := time.Now().Add(patience); !done(); <-time.After(5 * time.Millisecond) {
		if time.Now().After(end) {
			for _, r := range c.replicas.each {
				if r.process != nil {
					c.t.Logf("%s:\n%s", r.name, lastLines(r.process.Log.String()))
				}
			}
			c.t.Fatalf("%s: not in time", what)
		}
	}
}

package proof

import (
	"context"
	"math/rand/v2"
	"os"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"resellerbot/internal/api/sim"
	"resellerbot/internal/app/apptest"
	"resellerbot/internal/sampletest"
	"resellerbot/internal/store"
)

const (
	fewKills      = 3 // where nobody says how many
	killToken     = "710:another-canary-token-that-no-log-may-show"
	killKeys      = "KEY-canary-of-shop-" // how the keys of all shops begin
	purchaseRoute = "POST /products/purchase/{variantId}"
)

// TestKill: the real program, over real sockets, is killed at random moments and started again, while
// people buy from it, answers are lost and late, and Telegram fails. What was promised is held against
// what truly happened.
//
// KILLS says how often: a few times unless it is set, and not at all in a run that plays samples. KILL_SEED repeats the choices of a run; real time it cannot repeat.
func TestKill(t *testing.T) {
	t.Parallel()
	if os.Getenv("KILLS") == "" {
		sampletest.Long(t)
	}
	kills, seed := killSetting(t, "KILLS", fewKills), uint64(killSetting(t, "KILL_SEED", int(time.Now().UnixNano())))
	c := newKillCity(t, seed, kills)
	c.logf("KILL_SEED=%d", seed)
	begin := time.Now()
	people, goHome := context.WithCancel(t.Context())
	c.goHome = goHome
	c.open(people, min(4, 1+kills/fewKills))
	for n := range kills {
		c.bot = c.start()
		c.killOnce()
		c.secretsIn(c.bot)
		if n < 50 || n%10 == 0 {
			c.checkDatabase()
		}
	}
	took := time.Since(begin)
	c.settle()
	c.truths()
	c.report(took)
}

// killSetting reads a number of the environment.
func killSetting(t *testing.T, name string, otherwise int) int {
	t.Helper()
	text := os.Getenv(name)
	if text == "" {
		return otherwise
	}
	n, err := strconv.Atoi(text)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return n
}

// killCity is everything around the bot that is killed: the service, Telegram, and people in their shops.
type killCity struct {
	*liveBot

	seed      uint64
	kills     int
	closed    bool             // everything has come to rest
	unsettled []store.Purchase // then
	rng       *rand.Rand       // of the kills

	goHome context.CancelFunc // everybody
	busy   sync.WaitGroup

	mu       sync.Mutex
	attempts map[string]*buyAttempt // by what was typed as the reference
	shops    []*cornerShop
	walks    int                  // to a summary, that were begun
	lines    int                  // of lists, that were pasted
	sprung   map[string]int       // kills, by the moment that was waited for
	decided  map[string]time.Time // when a person answered for a purchase last, by its reference
}

// newKillCity builds the program and serves what it talks to, on ports of its own.
func newKillCity(t *testing.T, seed uint64, kills int) *killCity {
	t.Helper()
	c := newCity(t, seed, kills)
	c.wire(c.service, killSettings()...)
	t.Cleanup(func() {
		c.goHome()
		c.busy.Wait()
		if c.bot != nil {
			c.bot.Kill()
		}
	})
	return c
}

// killSettings are what the program is set to for a life that is short.
func killSettings() []string {
	return []string{
		"HTTP_ADDR=", "LOG_LEVEL=debug", "GET_PER_MINUTE=100000", "POST_PER_MINUTE=100000", "PURCHASE_TIMEOUT=700ms", "RECONCILE_FOR=1s",
	}
}

// newCity is the service with what it sells, and Telegram.
func newCity(t *testing.T, seed uint64, kills int) *killCity {
	t.Helper()
	c := &killCity{
		liveBot: newLiveBot(t, sim.Options{Seed: seed, GetPerMinute: -1, PostPerMinute: -1}),
		seed:    seed, kills: kills, rng: rand.New(rand.NewPCG(seed, 0)),
		attempts: map[string]*buyAttempt{}, goHome: func() {}, sprung: map[string]int{}, decided: map[string]time.Time{},
	}
	c.service.AddProduct(sim.ProductSpec{
		ID: 10, Name: "Play Card", Inputs: []sim.InputSpec{{Index: "1", Label: "Reference", Pattern: `^R\d+$`, Required: true}},
		Variants: []sim.VariantSpec{
			{ID: 101, Name: "quick", Price: "100.50", InStock: 1 << 30, Delay: 100 * time.Millisecond},
			{ID: 102, Name: "slow", Price: "70", InStock: 1 << 30, Delay: 900 * time.Millisecond},
		},
	})
	c.service.AddProduct(c.bulk())
	return c
}

// killOnce lets the bot live until some moment, and kills it: after some time, or at a request, which then
// gets no further.
func (c *killCity) killOnce() {
	c.t.Helper()
	what := killTrap{}
	wait := time.Duration(c.rng.IntN(60)) * time.Millisecond // while it starts
	switch n := c.rng.IntN(10); {
	case n < 2:
	case n < 5:
		wait = time.Duration(60+c.rng.IntN(500)) * time.Millisecond
	default:
		what, wait = newKillTrap(c.rng), 800*time.Millisecond
	}
	if c.kills > fewKills && c.rng.IntN(60) == 0 {
		wait = 7 * time.Second // long enough for what is done every few seconds
	}
	name := c.killAt(what, wait)
	c.mu.Lock()
	defer c.mu.Unlock()
	c.sprung[name]++
}

// report says what the run was made of.
func (c *killCity) report(took time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	tapped, lines := 0, 0
	for _, a := range c.attempts {
		tapped += len(a.taps)
		lines += count(a.listed && len(a.taps) > 0)
	}
	c.logf("%d kills in %v, %.1f a second: %v", c.kills, took.Round(time.Millisecond), float64(c.kills)/took.Seconds(), c.sprung)
	c.logf("%d shops; %d summaries and lines of lists confirmed, %d of them of lists, %d purchases at the service for %d requests, %d orders; %d updates set aside", len(c.shops), tapped, lines,
		len(c.service.Purchases()), c.service.Requests()[purchaseRoute], len(c.service.Orders()), c.parked)
	c.logf("%d purchases were uncertain, and decided by a person", len(c.decided))
	ends := map[string]int{}
	for _, a := range c.attempts {
		if len(a.taps) > 0 {
			m, _ := a.newest(c)
			said, _, _ := strings.Cut(apptest.Plain(m.Text), "\n")
			ends[said]++
		}
	}
	c.logf("the chats say of them: %v", ends)
}

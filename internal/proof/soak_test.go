package proof

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"resellerbot/internal/api/sim"
	"resellerbot/internal/app/apptest"
)

const (
	soakShops     = 10
	soakPeople    = 4 // of each shop
	soakQuiet     = 10 * time.Minute
	soakLongest   = 4*15*time.Minute + 20*time.Minute // four times the longest lag that a service has, and what is waited for behind it: then a person is asked, or told
	soakReconcile = 10 * time.Minute                  // at most: what people wait for before they are asked
	soakSlack     = 5 * time.Minute
	calmLooks     = 15 // of two seconds: it rests where so many in a row find nothing
	soakMemory    = 256 << 20
	soakRoutines  = 1000
)

// TestSoak: 40 people in ten shops use the real program, over real sockets, while the service and Telegram have
// their weather, and it is killed once a minute. Then the weather ends and everything comes to rest. What was said
// is held against what truly happened.
//
// SOAK says how long: it is skipped unless it is set. SOAK_SEED repeats the choices of a run; real time it cannot
// repeat. SOAK_LOGS is a folder for the program's logs.
func TestSoak(t *testing.T) {
	text := os.Getenv("SOAK")
	if text == "" {
		t.Skip("SOAK says how long, such as SOAK=5m; make soak")
	}
	length, err := time.ParseDuration(text)
	if err != nil || length < time.Minute {
		t.Fatalf("SOAK: %q is no duration of a minute or more", text)
	}
	seed := uint64(killSetting(t, "SOAK_SEED", int(time.Now().UnixNano())))
	s := newSoak(newLiveBot(t, sim.Options{Seed: seed}), seed, length)
	s.prepare()
	s.logf("SOAK_SEED=%d, for %v, people are asked after %v", s.seed, s.length, s.reconcile)
	s.live()
	s.rest()
	s.judge(s.left())
	s.report()
}

// soak is everything around the bot: services of different kinds under one address, Telegram, and ten shops.
type soak struct {
	*liveBot

	seed      uint64
	length    time.Duration
	reconcile time.Duration
	metrics   string // where the program shows its figures
	began     time.Time
	ended     time.Time // when the weather ended
	rested    time.Duration
	settled   bool
	worlds    []*soakWorld
	shops     []*soakShop
	traffic   soakWire
	ear       soakEar
	truth     *soakTruth
	alive     atomic.Pointer[apptest.Process]
	sky       soakSky

	mu      sync.Mutex
	actions map[string]int
	taps    []soakTap
	presses map[int64][]time.Time // all buttons, by the chat
	kills   map[string]int
	growth  []soakSample

	violations map[string][]string // stories, by their kind
	figure     soakFigures
}

// soakTap is a tap on a button that spends.
type soakTap struct {
	at       time.Time
	chat     int64
	message  int
	purchase string
	query    string // the callback query
}

// newSoak makes the services and the shops.
func newSoak(live *liveBot, seed uint64, length time.Duration) *soak {
	live.t.Helper()
	s := &soak{
		liveBot: live, seed: seed, length: length, reconcile: min(soakReconcile, length/4), truth: newSoakTruth(),
		actions: map[string]int{}, kills: map[string]int{}, violations: map[string][]string{}, presses: map[int64][]time.Time{},
	}
	s.traffic.soak, s.sky.soak = s, s
	s.openWorlds()
	s.openShops()
	return s
}

// prepare says how the program finds everything, and starts nothing.
func (s *soak) prepare() {
	s.t.Helper()
	s.telegram.SetLimits(true)
	s.metrics = freeAddress(s.t)
	s.wire(&s.traffic, "HTTP_ADDR="+s.metrics, "LOG_LEVEL=info", "PURCHASE_TIMEOUT=5s", fmt.Sprintf("RECONCILE_FOR=%ds", int(s.reconcile.Seconds())))
	s.t.Cleanup(func() {
		if s.bot != nil {
			s.bot.Kill()
		}
	})
}

// freeAddress is an address of this machine that nobody listens at.
func freeAddress(t *testing.T) string {
	t.Helper()
	l, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().String()
}

// random is a source of choices for one purpose.
func (s *soak) random(purpose int) *rand.Rand { return rand.New(rand.NewPCG(s.seed, uint64(purpose))) }

// since is how long after the beginning something was.
func (s *soak) since(at time.Time) string { return fmt.Sprintf("%8.2fs", at.Sub(s.began).Seconds()) }

// live lets people buy, the weather change, and the bot be killed, until the time is over.
func (s *soak) live() {
	s.t.Helper()
	s.began = time.Now()
	day, over := context.WithTimeout(s.t.Context(), s.length)
	defer over()
	listening, deaf := context.WithCancel(s.t.Context())
	s.t.Cleanup(deaf)
	go s.listen(listening)
	s.rise()
	var busy sync.WaitGroup
	for _, shop := range s.shops {
		for _, p := range shop.people {
			busy.Go(func() { p.live(day) })
		}
	}
	busy.Go(func() { s.sky.change(day) })
	busy.Go(func() { s.sky.drizzle(day) })
	s.killing(day)
	busy.Wait()
	s.sky.clear()
	s.ended = time.Now()
}

// killing kills the bot about once a minute.
func (s *soak) killing(day context.Context) {
	s.t.Helper()
	rng := s.random(1)
	for {
		pause := 40*time.Second + time.Duration(rng.IntN(30))*time.Second
		if !s.watch(day, pause) {
			return
		}
		name := s.killAt(newKillTrap(rng), 10*time.Second)
		s.sky.note(time.Now().Add(-5*time.Second), time.Now().Add(10*time.Second))
		s.lifeEnds()
		s.mu.Lock()
		s.kills[name]++
		s.mu.Unlock()
		if !sleep(day, time.Duration(rng.IntN(6))*time.Second) {
			s.rise() //nolint:contextcheck // the bot outlives the day
			return
		}
		s.rise() //nolint:contextcheck // as above
	}
}

// watch lets the bot live for a while, and takes samples of what it uses. It is false once the day is over.
func (s *soak) watch(day context.Context, d time.Duration) bool {
	s.t.Helper()
	until := time.Now().Add(d)
	for time.Now().Before(until) {
		if !sleep(day, min(10*time.Second, time.Until(until))) {
			return false
		}
		select {
		case <-s.bot.Ended:
			s.t.Fatalf("the bot ended by itself: %v\n%s", s.bot.Err, s.bot.Log)
		default:
		}
		s.sample() //nolint:contextcheck // a sample that was begun is taken
	}
	return true
}

// rise starts the program.
func (s *soak) rise() {
	s.t.Helper()
	s.bot = s.start()
	s.alive.Store(s.bot)
}

// lifeEnds reads what a life has left behind.
func (s *soak) lifeEnds() {
	s.t.Helper()
	s.truth.read(s.bot)
	s.secretsIn(s.bot)
	s.keepLog()
}

// keepLog puts the log of a life where SOAK_LOGS says, if it does.
func (s *soak) keepLog() {
	s.t.Helper()
	dir := os.Getenv("SOAK_LOGS")
	if dir == "" {
		return
	}
	name := filepath.Join(dir, fmt.Sprintf("life-%05.0f.log", time.Since(s.began).Seconds()))
	if err := os.WriteFile(name, []byte(s.bot.Log.String()), 0o600); err != nil {
		s.t.Error(err)
	}
}

// sleep lets time pass, and reports whether there is more of it.
func sleep(ctx context.Context, d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-ctx.Done():
		return false
	}
}

// did counts an action.
func (s *soak) did(what string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.actions[what]++
}

package proof

import (
	"bytes"
	"context"
	"crypto/tls"
	"encoding/base64"
	"errors"
	"fmt"
	"log"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing/synctest"
	"time"

	"resellerbot/internal/api/sim"
	"resellerbot/internal/app"
	"resellerbot/internal/app/apptest"
	"resellerbot/internal/sandbox/tgsim"
	"resellerbot/internal/store"
)

// The proof: the whole program under every fault of the catalogue, killed at every step of a purchase, in
// virtual time. These files hold it:
//
//	proof_lab_test.go        the world, and the program's lives in it
//	proof_disk_test.go       the store as a spy, which also kills and fails
//	proof_service_test.go    what stands before the simulated service, and breaks
//	proof_telegram_test.go   what stands before the simulated Telegram, and breaks
//	proof_catalogue_test.go  the kinds of faults, as data
//	proof_kinds_*_test.go    each of them: of the service, of Telegram, of the machine
//	proof_truth_test.go      the invariants
//	proof_matrix_test.go     crash points × service faults × Telegram faults
//	proof_random_test.go     random people and faults, with shrinking
//	proof_unkind_*_test.go   worlds as unkind as the document allows, and what is said in them
//	proof_defects_test.go    deliberate defects that the rest must catch

const (
	revived  = 2 * time.Second // how soon a supervisor starts the program again
	playerID = "7351902846"    // a canary like the keys: it is personal
)

// errDead is what a killed program gets from everything that it still tries.
var errDead = errors.New("the process is dead")

// lab is the whole program between a service and a Telegram that break on demand. It must be made, used
// and closed in one bubble. What it finds wrong, it notes in its witness.
type lab struct {
	began    time.Time
	net      *apptest.MemNet
	service  *sim.Server
	telegram *tgsim.Server
	front    *serviceFront
	gate     *telegramFront
	eye      *witness
	disk     diskFaults
	env      map[string]string
	dir      string
	log      *apptest.LockedBuffer
	crash    crash

	wallet  string      // what every account has at first, in DZD
	coin    bool        // how what may go either way goes
	double  bool        // the service itself buys twice
	secure  bool        // the service speaks TLS
	patient bool        // a request of which the caller hears nothing ends when the caller goes away
	crossed bool        // the generations number orders each by itself
	noDials atomic.Bool // the process can make no connection
	between func()      // called when a life has ended

	mu      sync.Mutex
	life    *life // the one that lives, or lived last
	lives   int
	deaths  []time.Time   // when each of them ended
	resting bool          // the supervisor leaves it stopped
	alive   chan struct{} // closed when resting ends

	stopAll context.CancelFunc
	running sync.WaitGroup
	servers []*http.Server
}

// newLab makes the world. The program does not run yet.
func newLab(dir string, o sim.Options) *lab {
	o.Seed = 7
	l := &lab{
		began: time.Now(), net: apptest.NewMemNet(), dir: dir, log: &apptest.LockedBuffer{}, wallet: "25000",
		service:  sim.New(o),
		telegram: tgsim.New(tgsim.Options{Token: apptest.TestToken, BotName: "shop_bot", Limits: true}),
		env: map[string]string{
			"TELEGRAM_BOT_TOKEN": apptest.TestToken,
			"TELEGRAM_API_URL":   "http://" + apptest.TelegramAddr,
			"RESELLER_API_URL":   "http://" + apptest.ServiceAddr + "/api",
			"ENCRYPTION_KEYS":    "k1:" + base64.StdEncoding.EncodeToString(bytes.Repeat([]byte{7}, 32)),
			"HTTP_ADDR":          "",
		},
	}
	l.eye = newWitness(l)
	l.front = newServiceFront(l)
	l.gate = newTelegramFront(l)
	l.crash.lab = l
	l.telegram.AddUser(tgsim.User{ID: apptest.Yasmine, FirstName: "Yasmine", LanguageCode: "en"})
	l.telegram.AddUser(tgsim.User{ID: apptest.Sam, FirstName: "Sam", LanguageCode: "en"})
	l.telegram.AddUser(tgsim.User{ID: nadia, FirstName: "Nadia", LanguageCode: "en"})
	l.serve(apptest.TelegramAddr, l.gate, false)
	return l
}

// serve puts a handler on the network.
func (l *lab) serve(addr string, h http.Handler, secure bool) {
	listener, err := l.net.Listen("tcp", addr)
	if err != nil {
		l.eye.violatef("lab", "%v", err)
		return
	}
	if secure {
		listener = tls.NewListener(listener, serverTLS())
	}
	s := &http.Server{Handler: h, ErrorLog: log.New(complaints{l.eye}, "", 0)}
	l.servers = append(l.servers, s)
	l.running.Go(func() { _ = s.Serve(listener) })
}

// complaints takes what a server of the lab logs: it is told in the story, and a panic is a defect of the lab.
type complaints struct{ eye *witness }

// Write implements io.Writer.
func (c complaints) Write(p []byte) (int, error) {
	if bytes.Contains(p, []byte("panic")) {
		c.eye.violatef("lab", "%s", p)
	} else {
		c.eye.notef("%s", bytes.TrimSpace(p))
	}
	return len(p), nil
}

// start has the program run, and run again whenever it ends, until the lab is closed.
func (l *lab) start() {
	if l.secure {
		l.env["RESELLER_API_URL"] = "https://" + apptest.ServiceAddr + "/api"
	}
	l.serve(apptest.ServiceAddr, l.front, l.secure)
	ctx, stop := context.WithCancel(context.Background())
	l.stopAll = stop
	l.running.Go(func() {
		for ctx.Err() == nil {
			l.rest(ctx)
			_ = l.live(ctx)
			if l.between != nil && ctx.Err() == nil {
				l.between()
			}
			idle(ctx, revived)
		}
	})
	l.pass(time.Second)
}

// rest waits while the program is to stay stopped.
func (l *lab) rest(ctx context.Context) {
	l.mu.Lock()
	alive := l.alive
	if !l.resting {
		alive = nil
	}
	l.mu.Unlock()
	if alive == nil {
		return
	}
	select {
	case <-alive:
	case <-ctx.Done():
	}
}

// down stops the program as SIGTERM does, and keeps it stopped until up.
func (l *lab) down() {
	l.mu.Lock()
	l.resting, l.alive = true, make(chan struct{})
	current := l.life
	l.mu.Unlock()
	begin := time.Now()
	current.cancel()
	<-current.ended
	if took := time.Since(begin); took > 10*time.Second {
		l.eye.violatef("stop", "stopping took %v", took)
	}
}

// up has the program run again.
func (l *lab) up() {
	l.mu.Lock()
	l.resting = false
	close(l.alive)
	l.mu.Unlock()
	l.pass(revived + time.Second)
}

// restart is SIGTERM and a new start.
func (l *lab) restart() { l.down(); l.up() }

// kill ends the program at once.
func (l *lab) kill() {
	l.living().die()
}

// close ends the program as SIGTERM does, and then the world.
func (l *lab) close() {
	if l.stopAll != nil {
		l.stopAll()
	}
	l.front.heal() // nobody waits for a server that hangs
	l.gate.heal()
	for _, s := range l.servers {
		s.Close()
	}
	l.running.Wait()
}

// pass lets virtual time pass.
func (l *lab) pass(d time.Duration) {
	<-time.After(d)
	synctest.Wait()
}

// say types a line into a private chat.
func (l *lab) say(user int64, text string) {
	l.telegram.Send(user, user, text)
	l.pass(time.Second)
}

// tap taps the newest button that holds the words; there may be none.
func (l *lab) tap(user int64, words string) {
	_, _ = l.telegram.TapButton(user, user, words)
	l.pass(time.Second)
}

// idle waits unless ctx ends first.
func idle(ctx context.Context, d time.Duration) {
	select {
	case <-time.After(d):
	case <-ctx.Done():
	}
}

// life is one process: from its start to its end, however that comes.
type life struct {
	lab    *lab
	number int
	cancel context.CancelFunc
	dead   atomic.Bool // killed: nothing that it does has any effect any more
	broken atomic.Bool // a commit failed: its store refuses all work, and it stops by itself
	ended  chan struct{}

	mu    sync.Mutex
	conns map[net.Conn]bool
}

// live runs the program once.
func (l *lab) live(ctx context.Context) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	one := &life{lab: l, cancel: cancel, ended: make(chan struct{}), conns: map[net.Conn]bool{}}
	l.mu.Lock()
	l.lives++
	one.number = l.lives
	l.life = one
	l.mu.Unlock()
	defer close(one.ended)
	err := app.Run(ctx, l.world(one))
	l.eye.notef("life %d ended: %v", one.number, err)
	l.mu.Lock()
	l.deaths = append(l.deaths, time.Now())
	l.mu.Unlock()
	fmt.Fprintln(l.log, err) // as the command line does
	one.cut()
	return err
}

// world is what a process sees of the outside.
func (l *lab) world(p *life) app.World {
	return app.World{
		Lookup: func(name string) (string, bool) { v, ok := l.env[name]; return v, ok },
		Stdout: l.log, Stderr: l.log, Dir: l.dir, Dial: p.dial, Listen: l.net.Listen, Version: "proof",
		Engine: func(e store.Engine) store.Engine {
			return &disk{Engine: e, lab: l, life: p, dues: map[store.Kind]nextDue{}}
		},
		Texts: apptest.Texts(),
	}
}

// die kills the process: its store and its connections fail from now on, whatever it still tries.
func (p *life) die() {
	if p.dead.Swap(true) {
		return
	}
	p.lab.eye.notef("killed")
	p.cut()
	p.cancel()
}

// breakDown is what the engine does after a failed commit: it refuses further work and ends the process,
// which still has its connections meanwhile.
func (p *life) breakDown() {
	p.broken.Store(true)
	p.lab.eye.notef("a commit failed")
	p.cancel()
}

// storeless reports whether the process has no store any more.
func (p *life) storeless() bool { return p.dead.Load() || p.broken.Load() }

// living is the process that lives, or lived last.
func (l *lab) living() *life {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.life
}

// cut breaks all connections.
func (p *life) cut() {
	p.mu.Lock()
	defer p.mu.Unlock()
	for c := range p.conns {
		c.Close()
	}
	clear(p.conns)
}

// dial connects, as far as the faults allow.
func (p *life) dial(ctx context.Context, network, addr string) (net.Conn, error) {
	if p.dead.Load() {
		return nil, errDead
	}
	if p.lab.noDials.Load() {
		return nil, dialError(os.NewSyscallError("socket", syscall.EMFILE))
	}
	var conn net.Conn
	var err error
	if addr == apptest.TelegramAddr {
		conn, err = p.lab.gate.dial(ctx, network, addr)
	} else {
		conn, err = p.lab.front.dial(ctx, p, network, addr)
	}
	if err != nil {
		return nil, err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.dead.Load() {
		conn.Close()
		return nil, errDead
	}
	p.conns[conn] = true
	return &livingConn{Conn: conn, life: p}, nil
}

// livingConn leaves the list of its process's connections when it is closed.
type livingConn struct {
	net.Conn

	life *life
}

// Close implements net.Conn.
func (c *livingConn) Close() error {
	c.life.mu.Lock()
	delete(c.life.conns, c.Conn)
	c.life.mu.Unlock()
	return c.Conn.Close()
}

// step is one of the steps of a purchase between which the program may be killed.
type step uint8

const (
	stepInbox step = iota
	stepConfirm
	stepSnapshot
	stepSubmitting
	stepPost
	stepOutcome
	stepVerdict
	stepCode
	stepEdit
	stepStatusMessage
	stepPing
	stepSent

	steps = iota
)

// String names the step in reports.
func (s step) String() string {
	return [...]string{
		"inbox commit", "confirm commit", "snapshot", "submitting commit", "POST", "outcome commit",
		"reconcile verdict commit", "code+outbox commit", "edit of the carrier", "carrier id", "ping", "sent mark",
	}[s]
}

// point is a place to be killed at: before or after a step.
type point struct {
	step  step
	after bool
}

// String names the point in reports.
func (p point) String() string {
	if p.after {
		return "after " + p.step.String()
	}
	return "before " + p.step.String()
}

// points are all 24.
func points() []point {
	var all []point
	for s := range step(steps) {
		all = append(all, point{s, false}, point{s, true})
	}
	return all
}

// crash kills the program when it reaches a point, as often as told.
type crash struct {
	lab *lab

	mu    sync.Mutex
	at    []ambush
	kills int
}

// ambush is a kill that waits: the nth time that its point is reached.
type ambush struct {
	point point
	nth   int
}

// arm adds a kill.
func (c *crash) arm(p point, nth int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.at = append(c.at, ambush{p, max(nth, 1)})
}

// reach reports whether the program is killed at this point, now. The caller must then let nothing
// more happen.
func (c *crash) reach(p *life, s step, after bool) bool {
	if p.dead.Load() {
		return true
	}
	if !c.spring(point{s, after}) {
		return false
	}
	c.lab.eye.notef("crash %v", point{s, after})
	p.die()
	return true
}

// spring counts one arrival at a point.
func (c *crash) spring(p point) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	for i := range c.at {
		if c.at[i].point != p || c.at[i].nth == 0 {
			continue
		}
		if c.at[i].nth--; c.at[i].nth == 0 {
			c.kills++
			return true
		}
	}
	return false
}

// idle reports whether no kill waits.
func (c *crash) idle() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return !slices.ContainsFunc(c.at, func(a ambush) bool { return a.nth > 0 })
}

// sprung is how many kills there were.
func (c *crash) sprung() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.kills
}

// transcript is the chat as a person would tell it.
func (l *lab) transcript(chat int64) string {
	var b strings.Builder
	for _, m := range l.telegram.Messages(chat) {
		who := "person"
		if m.FromBot {
			who = "bot"
		}
		if m.Deleted {
			who += " (deleted)"
		}
		fmt.Fprintf(&b, "%v %s: %s\n", m.Date.Sub(l.began), who, m.Text)
	}
	return b.String()
}

// database is the path of the program's database file.
func (l *lab) database() string { return filepath.Join(l.dir, "data", "bot.db") }

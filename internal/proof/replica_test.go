package proof

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"log"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"resellerbot/internal/app"
	"resellerbot/internal/app/apptest"
	"resellerbot/internal/sampletest"
	"resellerbot/internal/store/postgres/pgtest"
)

// Two processes of the program over one server's database. They are this test's own file, started as the program with two things that
// it does not leave to its environment: how long a lease is, so that a thousand of them pass in an hour, and whether a gate is there.
const (
	replicaLease = "PROOF_REPLICA_LEASE"
	replicaOpen  = "PROOF_REPLICA_OPEN" // the wire whose gate is left open
)

// runReplica is the program.
func runReplica(lease string) {
	w := app.Outside("test", nil)
	var err error
	if w.Lease, err = time.ParseDuration(lease); err != nil {
		log.Fatal(err)
	}
	w.Gate = func(wire string, gate func(context.Context) error) func(context.Context) error {
		if wire == os.Getenv(replicaOpen) {
			return nil
		}
		return gate
	}
	syscall.Exit(app.MainIn(w))
}

// replicas are two processes over one database.
type replicas struct {
	address string
	lease   time.Duration
	each    [2]*replica

	ended map[int]int // exit codes of those that ended by themselves
}

// replica is one of the two, with addresses of its own for what it talks to: so it is known whose a request is.
type replica struct {
	city    *killCity
	name    string
	dir     string
	env     []string
	process *apptest.Process // nil: none

	addresses []string       // of what it talks to
	roots     *x509.CertPool // where these speak TLS
	gate      killGate

	mu    sync.Mutex
	first time.Time // its first call of Telegram, in this life
	woken bool      // it has stood still, and goes on
	late  []string  // what it has asked for since then that cannot be taken back
	met   *meeting  // nil: none
}

// newReplicas makes a city with two processes that do not run yet.
func newReplicas(t *testing.T, seed uint64, kills int, lease time.Duration, secured bool, more ...string) *killCity {
	t.Helper()
	server := pgtest.New(t)
	c := newCity(t, seed, kills)
	c.replicas = &replicas{address: server.URL("postgres", nil), lease: lease, ended: map[int]int{}}
	for i := range c.replicas.each {
		c.replicas.each[i] = c.newReplica("replica "+strconv.Itoa(i), secured, more)
	}
	t.Cleanup(func() {
		c.goHome()
		c.busy.Wait()
		c.killAll()
	})
	return c
}

// newReplica serves what one process talks to.
func (c *killCity) newReplica(name string, secured bool, more []string) *replica {
	c.t.Helper()
	r := &replica{city: c, name: name, dir: c.t.TempDir()}
	mux := http.NewServeMux()
	mux.Handle("/api/", c.service)
	mux.Handle("/", c.telegram)
	r.gate.inner = mux
	var trusts, service, telegram string
	if !secured {
		service = "http://" + c.listen(r, nil)
		telegram = service
	} else {
		cert, err := selfSigned()
		if err != nil {
			c.t.Fatal(err)
		}
		r.roots = x509.NewCertPool()
		r.roots.AddCert(cert.Leaf)
		trusts = filepath.Join(r.dir, "roots.pem")
		if err := os.WriteFile(trusts, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: cert.Leaf.Raw}), 0o600); err != nil {
			c.t.Fatal(err)
		}
		service = "https://" + c.listen(r, r.meets(cert, isPost))
		telegram = "https://" + c.listen(r, r.meets(cert, isCall))
	}
	r.addresses = []string{service, telegram}
	r.env = append(append([]string{
		replicaLease + "=" + c.replicas.lease.String(), "SSL_CERT_FILE=" + trusts, "DATABASE_URL=" + c.replicas.address,
		"TELEGRAM_BOT_TOKEN=" + killToken, "TELEGRAM_API_URL=" + telegram, "RESELLER_API_URL=" + service + "/api", "ENCRYPTION_KEYS=" + c.encryptionKeys(),
	}, killSettings()...), more...)
	return r
}

// ServeHTTP implements http.Handler.
func (r *replica) ServeHTTP(w http.ResponseWriter, req *http.Request) {
	kind := kindOf(req)
	r.mu.Lock()
	isTelegram := !strings.HasPrefix(req.URL.Path, "/api/")
	if isTelegram && r.first.IsZero() {
		r.first = time.Now()
	}
	if r.woken && (isTelegram || kind == "purchase") {
		r.late = append(r.late, kind)
	}
	r.mu.Unlock()
	if isTelegram && req.TLS != nil {
		w.Header().Set("Connection", "close") // so that each call has a beginning to be met at
	}
	r.gate.ServeHTTP(w, req)
	if kind == "purchase" {
		r.bought()
	}
}

// start starts the process.
func (r *replica) start() *apptest.Process {
	r.city.t.Helper()
	file, err := os.Executable()
	if err != nil {
		r.city.t.Fatal(err)
	}
	r.mu.Lock()
	r.first, r.woken, r.late = time.Time{}, false, nil
	r.mu.Unlock()
	r.process = apptest.LaunchFile(r.city.t, file, r.dir, r.env)
	return r.process
}

// leads reports whether it has done anything in this life that the leader alone does.
func (r *replica) leads() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.process != nil && !r.first.IsZero()
}

// up starts whoever does not run.
func (c *killCity) up() {
	c.t.Helper()
	for _, r := range c.replicas.each {
		r.up()
	}
}

// up starts the process if it does not run. It may have ended by itself, as it says: another one leads, it stood still for too long, or
// a commit is in doubt since its connections were ended. On a busy machine that happens.
func (r *replica) up() {
	r.city.t.Helper()
	if r.process != nil {
		if !r.hasEnded() {
			return
		}
		r.city.endedBy(r)
	}
	r.start()
}

func (r *replica) hasEnded() bool {
	select {
	case <-r.process.Ended:
		return true
	default:
		return false
	}
}

// endedBy looks at a process that has ended by itself.
func (c *killCity) endedBy(r *replica) {
	c.t.Helper()
	const failed, fenced = 1, 3
	code, log := r.process.Code(), r.process.Log.String()
	if code != fenced && (code != failed || !strings.Contains(log, "a commit failed")) {
		c.t.Errorf("%s has ended with %d\n%s", r.name, code, lastLines(log))
	}
	c.secretsIn(r.process)
	c.replicas.ended[code]++
	r.process = nil
}

// killAll ends whoever runs.
func (c *killCity) killAll() {
	for _, r := range c.replicas.each {
		if r.process != nil {
			r.kill()
		}
	}
}

// kill is SIGKILL, and what the life has said is looked through.
func (r *replica) kill() {
	r.process.Kill()
	r.city.secretsIn(r.process)
	r.process = nil
}

// TestReplicas: two processes over one database, of which one is killed at random moments and at each request of a purchase, mostly
// the one that leads, and now and then both. What was promised is held against what truly happened, as for one process.
//
// REPLICA_KILLS says how often, REPLICA_LEASE how long a lease is; KILL_SEED repeats the choices of a run.
func TestReplicas(t *testing.T) {
	t.Parallel()
	if os.Getenv("REPLICA_KILLS") == "" {
		sampletest.Long(t)
	}
	kills, seed := killSetting(t, "REPLICA_KILLS", fewKills), uint64(killSetting(t, "KILL_SEED", int(time.Now().UnixNano())))
	c := newReplicas(t, seed, kills, leaseSetting(t), false)
	c.logf("KILL_SEED=%d", seed)
	begin := time.Now()
	people, goHome := context.WithCancel(t.Context())
	c.goHome = goHome
	c.open(people, min(4, 1+kills/fewKills))
	for n := range kills {
		c.up()
		c.killReplica()
		if n%50 == 49 {
			c.killAll()
			c.checkDatabase()
		}
		if n%20 == 19 {
			c.logf("%d kills in %v", n+1, time.Since(begin).Round(time.Second))
		}
	}
	took := time.Since(begin)
	c.killAll()
	c.settle()
	c.truths()
	c.report(took)
	c.logf("ended by themselves, by their exit codes: %v", c.replicas.ended)
}

// leaseSetting is how long a lease is.
func leaseSetting(t *testing.T) time.Duration {
	t.Helper()
	const short = 1500 * time.Millisecond
	text := os.Getenv("REPLICA_LEASE")
	if text == "" {
		return short
	}
	d, err := time.ParseDuration(text)
	if err != nil {
		t.Fatalf("REPLICA_LEASE: %v", err)
	}
	return d
}

// killReplica lets both live until some moment, and kills one of them, or both.
func (c *killCity) killReplica() {
	c.t.Helper()
	what, wait := killTrap{}, time.Duration(c.rng.IntN(60))*time.Millisecond // while one starts
	switch n := c.rng.IntN(10); {
	case n < 1:
	case n < 3: // somewhere between one's end and the other's work
		wait = time.Duration(c.rng.Int64N(int64(2 * c.replicas.lease)))
	default:
		what, wait = newKillTrap(c.rng), 3*c.replicas.lease
	}
	first, second := c.replicas.each[0], c.replicas.each[1]
	victim, name := c.replicas.each[c.rng.IntN(2)], "after a time"
	one, other := first.gate.set(what), second.gate.set(what)
	timer := time.NewTimer(wait)
	defer timer.Stop()
	select {
	case <-one:
		victim, name = first, what.String()
	case <-other:
		victim, name = second, what.String()
	case <-timer.C:
	}
	if c.rng.IntN(20) == 0 {
		name = "both"
		c.killAll()
	} else if !victim.hasEnded() { // by itself
		victim.kill()
	}
	first.gate.clear()
	second.gate.clear()
	c.mu.Lock()
	defer c.mu.Unlock()
	c.sprung[name]++
}

// instant is where a process is met by what it talks to.
type instant uint8

const (
	isPost instant = iota // its connection for a purchase is made, and nothing is written
	isCall                // one for a call of Telegram
)

// meeting is a moment to freeze a process at.
type meeting struct {
	at     instant
	after  bool // not before a purchase was answered
	nth    int
	frozen chan struct{} // closed once it stands still
}

// meets is how a process is met: it says hello on a new connection, and stands still before it can write anything else.
func (r *replica) meets(cert tls.Certificate, at instant) *tls.Config {
	return &tls.Config{Certificates: []tls.Certificate{cert}, MinVersion: tls.VersionTLS12, GetConfigForClient: func(hello *tls.ClientHelloInfo) (*tls.Config, error) {
		// The client that buys names its protocol, the one that reads does not.
		if at == isCall || len(hello.SupportedProtos) > 0 {
			r.meet(at)
		}
		return nil, nil // as it is
	}}
}

func (r *replica) meet(at instant) {
	r.mu.Lock()
	defer r.mu.Unlock()
	m := r.met
	if m == nil || m.at != at || m.after {
		return
	}
	if m.nth--; m.nth <= 0 {
		r.freeze()
	}
}

// bought tells a meeting that a purchase was answered.
func (r *replica) bought() {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.met != nil {
		r.met.after = false
	}
}

// freeze stops the process where it is. The caller holds mu.
func (r *replica) freeze() {
	_ = r.process.Command.Process.Signal(syscall.SIGSTOP) // one that has ended is seen to be
	close(r.met.frozen)
	r.met = nil
}

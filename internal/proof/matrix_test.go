package proof

import (
	"cmp"
	"errors"
	"fmt"
	"hash/fnv"
	"os"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"resellerbot/internal/app/apptest"
	"resellerbot/internal/sampletest"
)

const (
	sampled  = 120              // triples of a full sample
	parts    = 8                // an ordinary run, also one under the race detector, plays one of so many parts of a sample
	settling = 35 * time.Minute // after everything is well: by then the last thing has come to its end
	calm     = 30 * time.Second // how long nothing happens any more before a trial is over
)

// TestProof kills the program at every step of a purchase, under faults of the service and of Telegram, and
// holds the invariants against what truly happened. It takes a sample of the triples; PROOF_TRIPLES is how
// many, or "all". PROOF_SEED takes another sample, and with "all" other flavours. PROOF_ONLY repeats one trial.
func TestProof(t *testing.T) {
	beside(t)
	n := atMost(sampled)
	switch text := os.Getenv("PROOF_TRIPLES"); text {
	case "":
	case "all":
		n = 0
	default:
		var err error
		if n, err = strconv.Atoi(text); err != nil || n < 1 {
			t.Fatalf("PROOF_TRIPLES is %q: it is a number, or all", text)
		}
	}
	for _, v := range proofSample(t, n) {
		t.Error(v)
	}
}

// atMost is how much of a sample a run plays: all of it where SAMPLES is more, as CI has it, or full, and a part otherwise, and a third of
// that where it is few.
func atMost(n int) int {
	switch {
	case sampletest.Few():
		return n / (3 * parts)
	case sampletest.Sampled() && !sampletest.More():
		return n / parts
	}
	return n
}

// proofSample runs n triples, all of them where n is 0, and returns what was found wrong, with how to repeat
// it.
func proofSample(t *testing.T, n int) (violations []string) {
	t.Helper()
	if only := os.Getenv("PROOF_ONLY"); only != "" {
		tr, err := parseTrial(only)
		if err != nil {
			t.Fatal(err)
		}
		return runTrials(t, []trial{tr})
	}
	return runTrials(t, triples(n, proofSeed(t)))
}

// proofSeed is which sample is taken.
func proofSeed(t *testing.T) uint64 {
	t.Helper()
	text := cmp.Or(os.Getenv("PROOF_SEED"), "1")
	seed, err := strconv.ParseUint(text, 10, 64)
	if err != nil {
		t.Fatalf("PROOF_SEED is %q, which is no number", text)
	}
	return seed
}

// trial is one purchase in a world that goes wrong in known ways.
type trial struct {
	flavour  string
	crash    int    // of points(), counted from 1; 0: it is not killed
	nth      int    // it is killed when it gets there for the nth time
	service  string // ids of the catalogue; empty: well
	telegram string
	world    string
	heal     time.Duration // after the tap, or sooner where nothing happens any more
	known    bool          // the account has bought before: what its readings show, and how late they are, is known
}

// String is the trial as PROOF_ONLY takes it.
func (tr trial) String() string {
	parts := []string{tr.flavour, fmt.Sprintf("C%02dx%d", tr.crash, max(tr.nth, 1)), cmp.Or(tr.service, "-"), cmp.Or(tr.telegram, "-"), cmp.Or(tr.world, "-"), tr.heal.String()}
	return strings.Join(parts, "/")
}

// parseTrial reads what String has written.
func parseTrial(text string) (tr trial, err error) {
	parts := strings.Split(text, "/")
	if len(parts) != 6 {
		return tr, fmt.Errorf("PROOF_ONLY is %q: it has six parts, as %q", text, trial{flavour: "goods"})
	}
	ids := make([]string, len(parts))
	for i, part := range parts {
		if ids[i] = part; part == "-" {
			ids[i] = ""
		}
	}
	tr = trial{flavour: ids[0], service: ids[2], telegram: ids[3], world: ids[4]}
	_, err = fmt.Sscanf(ids[1], "C%dx%d", &tr.crash, &tr.nth)
	if err == nil {
		tr.heal, err = time.ParseDuration(ids[5])
	}
	for _, id := range []string{tr.service, tr.telegram, tr.world} {
		if _, known := kindByID(id); id != "" && !known {
			err = errors.Join(err, fmt.Errorf("there is no kind of fault %q", id))
		}
	}
	if !slices.Contains(flavours(), tr.flavour) || tr.crash < 0 || tr.crash > len(points()) {
		err = errors.Join(err, errors.New("no such flavour or crash point"))
	}
	return tr, err
}

// chance is a number that a trial always has: what is not in its triple is chosen by it.
func (tr trial) chance(of string, seed uint64) uint64 {
	h := fnv.New64a()
	fmt.Fprint(h, tr.crash, tr.service, tr.telegram, tr.world, of, seed)
	return h.Sum64()
}

// chosen completes a triple: its flavour, which arrival at the point is meant, and when everything heals.
func (tr trial) chosen(seed uint64) trial {
	all := flavours()
	tr.flavour = all[tr.chance("flavour", seed)%uint64(len(all))]
	if tr.nth = 1; tr.chance("nth", seed)%4 == 0 {
		tr.nth = 2
	}
	if tr.crash == 0 {
		tr.nth = 1
	}
	heals := []time.Duration{10 * time.Second, time.Minute, 5 * time.Minute, 12 * time.Minute}
	tr.heal = heals[tr.chance("heal", seed)%uint64(len(heals))]
	return tr
}

// triples are all combinations of a crash point or none, a fault of the service and one of Telegram, or a
// sample of n in which every crash point and fault has about the same share.
func triples(n int, seed uint64) []trial {
	services, telegrams := idsOf(ofService), idsOf(ofTelegram)
	crashes := len(points()) + 1
	all := crashes * len(services) * len(telegrams)
	if n == 0 || n > all {
		n = all
	}
	list := make([]trial, 0, n)
	for i := range n {
		at := i
		if n < all { // steps through all of them without meeting one twice
			at = int((uint64(i)*stride(all) + seed*7919) % uint64(all))
		}
		tr := trial{crash: at % crashes, service: services[at/crashes%len(services)], telegram: telegrams[at/crashes/len(services)]}
		list = append(list, tr.chosen(seed))
	}
	return list
}

// stride is how far the sample steps: near the golden part of the whole, and without a divisor in common.
func stride(all int) uint64 {
	s := uint64(float64(all)*0.6180339887) | 1
	for gcd(s, uint64(all)) != 1 {
		s += 2
	}
	return s
}

func gcd(a, b uint64) uint64 {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}

const (
	mostReported   = 5  // violations that are told with their story
	mostViolations = 20 // then the rest is not tried; PROOF_ENOUGH says otherwise
)

// beside has a part of the proof run beside others, unless the first violation is to end the run.
func beside(t *testing.T) {
	t.Helper()
	if os.Getenv("PROOF_ENOUGH") == "" {
		t.Parallel()
	}
}

// enough is how many violations are found before the rest is not tried.
func enough() int {
	if n, err := strconv.Atoi(os.Getenv("PROOF_ENOUGH")); err == nil && n > 0 {
		return n
	}
	return mostViolations
}

// runTrials runs trials side by side and returns what was found wrong.
func runTrials(t *testing.T, list []trial) (violations []string) {
	t.Helper()
	return runSeries(t, list).violations
}

// runSeries runs trials side by side.
func runSeries(t *testing.T, list []trial) *series {
	t.Helper()
	s := &series{list: list, begin: time.Now(), told: time.Now()}
	t.Run("trials", func(t *testing.T) {
		for range min(runtime.GOMAXPROCS(0), len(list)) {
			t.Run("worker", func(t *testing.T) {
				t.Parallel()
				for tr, more := s.next(); more; tr, more = s.next() {
					s.note(tr.run(t))
				}
			})
		}
	})
	t.Log(s)
	return s
}

// series is trials that are run side by side, and what came of them.
type series struct {
	list  []trial
	begin time.Time

	mu         sync.Mutex
	begun      int
	done       int
	kills      int
	simulated  time.Duration
	listed     search // where the service lists its orders
	unlisted   search
	told       time.Time
	violations []string
}

// String sums up what was done.
func (s *series) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	took := time.Since(s.begin)
	return fmt.Sprintf("%d of %d trials in %v, %.0f a second; %d kills, %.0f simulated hours; %d violations",
		s.done, len(s.list), took.Round(time.Millisecond), float64(s.done)/took.Seconds(), s.kills, s.simulated.Hours(), len(s.violations))
}

// next is a trial to run, unless there is none left or enough has been found wrong.
func (s *series) next() (trial, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.begun == len(s.list) || len(s.violations) >= enough() {
		return trial{}, false
	}
	s.begun++
	return s.list[s.begun-1], true
}

// note takes what came of a trial, and tells of it where it went wrong.
func (s *series) note(r result) {
	s.mu.Lock()
	s.done++
	s.kills += r.kills
	s.simulated += r.took
	into := &s.listed
	if r.trial.flavour == "current" {
		into = &s.unlisted
	}
	into.uncertain, into.personal = into.uncertain+r.search.uncertain, into.personal+r.search.personal
	for _, rule := range r.search.asked {
		into.asked = append(into.asked, fmt.Sprintf("%s: %s", rule, r.trial))
	}
	if len(r.violations) > 0 {
		fmt.Fprintf(os.Stderr, "proof: PROOF_ONLY=%s: %s\n", r.trial, r.violations[0])
		s.violations = append(s.violations, r.report(len(s.violations) < mostReported))
	}
	silent := time.Since(s.told) < 30*time.Second
	if !silent {
		s.told = time.Now()
	}
	s.mu.Unlock()
	if !silent {
		fmt.Fprintln(os.Stderr, "proof:", s)
	}
}

// result is what came of a trial.
type result struct {
	trial      trial
	violations []string
	story      string
	kills      int
	took       time.Duration // in the bubble
	search     search
}

// search is how purchases came out that were uncertain for a while, on an account that the bot has for itself.
type search struct {
	uncertain, personal int
	asked               []string // by which rule, and in which trial
}

// report tells of violations, with everything that happened if whole is set.
func (r result) report(whole bool) string {
	text := fmt.Sprintf("%s\n%s\nPROOF_ONLY=%s go test ./internal/proof -run 'TestProof$'", r.trial.explain(), strings.Join(r.violations, "\n"), r.trial)
	if whole {
		text += "\n" + r.story
	}
	return text
}

// explain says in words what a trial is.
func (tr trial) explain() string {
	words := []string{"buy " + tr.flavour}
	if tr.crash > 0 {
		words = append(words, fmt.Sprintf("killed %v (arrival %d)", points()[tr.crash-1], max(tr.nth, 1)))
	}
	for _, id := range []string{tr.service, tr.telegram, tr.world} {
		if k, ok := kindByID(id); ok {
			words = append(words, k.name)
		}
	}
	return strings.Join(words, " × ") + fmt.Sprintf(", well again after %v", tr.heal)
}

// run runs a trial in a bubble of its own.
func (tr trial) run(t *testing.T) (r result) {
	t.Helper()
	r.trial = tr
	dir, remove, err := apptest.LabDir()
	if err != nil {
		t.Fatal(err)
	}
	defer remove()
	defer func() {
		if p := recover(); p != nil { // the bubble could not run dry
			r.violations = append(r.violations, fmt.Sprintf("%s: %v", noLeaks, p))
		}
	}()
	synctest.Test(t, func(*testing.T) {
		service, telegram, world := tr.faults()
		b := &errand{user: apptest.Sam, flavour: cmp.Or(service.sells, tr.flavour), quantity: 2}
		l := newLab(dir, simOptions(b))
		defer func() {
			r.violations, r.story = l.eye.found(), l.eye.story()
			r.kills, r.took = l.crash.sprung(), time.Since(l.began)
			r.search = search{l.eye.uncertain, l.eye.personal, l.eye.askedBy}
		}()
		l.play(b, tr, service, telegram, world)
	})
	return r
}

// faults are what the trial's ids stand for; those without an id change nothing.
func (tr trial) faults() (*serviceFault, *telegramFault, *worldFault) {
	service, telegram, world := &serviceFault{}, &telegramFault{}, &worldFault{}
	for _, id := range []string{tr.service, tr.telegram, tr.world} {
		k, _ := kindByID(id)
		if k.service != nil {
			service = k.service()
		}
		if k.telegram != nil {
			telegram = k.telegram()
		}
		if k.world != nil {
			world = k.world()
		}
	}
	return service, telegram, world
}

// play is the course of a trial: a person comes to the ✅, everything breaks, the tap, a while, everything is
// well again, and once it has come to rest it is judged.
func (l *lab) play(b *errand, tr trial, service *serviceFault, telegram *telegramFault, world *worldFault) {
	l.coin = tr.chance("coin", 0)%2 == 0
	l.double, l.secure = service.double, service.https
	if tr.chance("talk", 0)%4 == 0 { // the log is searched for secrets, and costs time
		l.env["LOG_LEVEL"] = "debug"
	}
	l.stockUp()
	for _, prepare := range []func(*lab){service.prepare, telegram.prepare, world.prepare} {
		if prepare != nil {
			prepare(l)
		}
	}
	l.start()
	l.link(b)
	switch {
	case tr.known:
		for range followed {
			l.buyBefore(b)
		}
	case service.before:
		l.buyBefore(b)
	}
	ready := l.walk(b)
	if !ready {
		l.eye.violatef("lab", "there is no ✅ to tap:\n%s", l.transcript(b.user))
	}
	if tr.crash > 0 {
		l.crash.arm(points()[tr.crash-1], tr.nth)
	}
	l.front.arm(service, b)
	l.gate.arm(telegram, b)
	if world.arm != nil {
		world.arm(l, b)
	}
	tap := l.press
	if telegram.tap != nil {
		tap = func(b *errand) { telegram.tap(l, b) }
	}
	before := l.eye.updates()
	tap(b)
	l.settle(tr.heal)
	l.heal(world)
	ex := merge(telegram.exempt, world.exempt)
	l.settle(settling + service.lasts + telegram.lasts + world.lasts)
	if l.double {
		l.pass(20 * time.Minute) // by then no reading of the balance can be late any more
	}
	l.close()
	if l.double {
		l.eye.judgeAlarm()
	}
	if ready && tr.heal < draftEnds && !ex.lostTap {
		l.eye.judgeTap(before, tr.heal > tapLives)
	}
	l.eye.judge(ex)
}

const (
	draftEnds = 9 * time.Minute // when a tap comes too late, with some room
	tapLives  = 2 * time.Minute // how long Telegram surely keeps a tap
)

// heal makes everything well.
func (l *lab) heal(world *worldFault) {
	l.eye.notef("everything is well")
	l.front.heal()
	l.gate.heal()
	l.disk.set(nil)
	if world.cure != nil {
		world.cure(l)
	}
}

// settle lets time pass until nothing has happened for a while, or the time is over.
func (l *lab) settle(most time.Duration) {
	quiet := time.Duration(0)
	for passed := time.Duration(0); passed < most && quiet < calm; {
		step := 5 * time.Second
		if passed > time.Minute {
			step = 15 * time.Second
		}
		l.pass(step)
		passed += step
		if quiet += step; !l.eye.calm() {
			quiet = 0
		}
	}
}

// followed is how many purchases of an account have to be followed before anything is denied for it.
const followed = 3

// buyBefore makes an earlier purchase of the same, in another quantity.
func (l *lab) buyBefore(b *errand) {
	first := &errand{user: b.user, flavour: b.flavour, quantity: b.quantity + 1}
	if b.flavour != "current" && b.flavour != "legacy" && b.flavour != "arena" {
		first.flavour = "goods" // of which a code comes: by it an order is known again in a list
	}
	if l.walk(first) {
		l.press(first)
	}
	l.pass(45 * time.Second)
	if b.flavour == "arena" { // the same for the same player is asked about for a while
		l.pass(10 * time.Minute)
	}
	b.confirm = ""
}

package proof

import (
	"cmp"
	"flag"
	"fmt"
	"iter"
	"maps"
	"os"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"pgregory.net/rapid"

	"resellerbot/internal/app/apptest"
)

const unkindWorlds = 16 // of a full sample

func mapsKeys[K comparable, V any](m map[K]V) iter.Seq[K] { return maps.Keys(m) }

// TestUnkindWorlds plays worlds that are as unkind as the document allows, and holds what the bot says and delivers
// against the truth. UNKIND_WORLDS is how many. They are the same at every run, from UNKIND_SEED on, and each sort of
// violation is told once, with the shortest world in which it was seen.
//
// With UNKIND_RANDOM others are played each time, and one that fails is made as small as it can be and still fail.
// UNKIND_ONLY is the sort of violation that counts then, or a part of what it is called. UNKIND_KIND plays the worlds of
// one row of the table alone, and tells who was asked there, with the story.
func TestUnkindWorlds(t *testing.T) {
	beside(t)
	n, err := strconv.Atoi(cmp.Or(os.Getenv("UNKIND_WORLDS"), strconv.Itoa(max(1, atMost(unkindWorlds)))))
	if err != nil || n < 1 {
		t.Fatalf("UNKIND_WORLDS is %q: it is a number", os.Getenv("UNKIND_WORLDS"))
	}
	survey := &unkindSurvey{begin: time.Now(), rows: map[string]*unkindRow{}, sorts: map[string]*unkindSort{}}
	workers := min(runtime.GOMAXPROCS(0), n)
	t.Run("worlds", func(t *testing.T) {
		if os.Getenv("UNKIND_RANDOM") == "" {
			survey.play(t, n, workers)
			return
		}
		setChecks(t, (n+workers-1)/workers)
		for range workers {
			t.Run("worker", func(t *testing.T) {
				t.Parallel()
				rapid.Check(t, survey.check)
			})
		}
	})
	t.Log(survey)
	for _, s := range survey.worst() {
		t.Errorf("%d × %s: %s\nin %v, seed %d of %v\n%v\n%s", s.seen, s.sort, s.what, s.how, s.seed, slices.Compact(slices.Sorted(slices.Values(s.seeds))), s.world, s.story)
	}
}

// checking is held while the number of checks, and the seed, which rapid keeps for the whole program, are one test's.
var checking sync.Mutex

// setChecks has rapid make so many checks, of each worker where there are some. read lets others set the number: it is
// read by the time the first check is made.
func setChecks(t *testing.T, n int) (read func()) {
	t.Helper()
	return setRapid(t, map[string]string{"rapid.checks": strconv.Itoa(n)})
}

// setRapid sets flags of rapid's until read, by which time it has read them.
func setRapid(t *testing.T, flags map[string]string) (read func()) {
	t.Helper()
	checking.Lock()
	before := map[string]string{}
	read = sync.OnceFunc(func() {
		for name, value := range before {
			_ = flag.Set(name, value)
		}
		checking.Unlock()
	})
	t.Cleanup(read)
	for name, value := range flags {
		before[name] = flag.Lookup(name).Value.String()
		if err := flag.Set(name, value); err != nil {
			t.Fatal(err)
		}
	}
	return read
}

// unkindSurvey is what many worlds have come to.
type unkindSurvey struct {
	begin time.Time

	mu    sync.Mutex
	rows  map[string]*unkindRow
	sorts map[string]*unkindSort
	hours float64
}

// unkindRow is a row of the table.
type unkindRow struct {
	worlds, purchases, uncertain, asked, plainly, plainlyAsked, blind, hidden, lists int

	found, rules map[string]int
}

// unkindSort is one sort of violation, and the smallest world in which it was seen.
type unkindSort struct {
	violation

	seen  int
	seeds []int // of all the worlds in which it was seen
	seed  int
	world unkindWorld
	story string
}

// String is the table.
func (s *unkindSurvey) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	var b strings.Builder
	total := 0
	fmt.Fprintf(&b, "\n%-32s %7s %6s %9s %9s %6s %6s %7s %6s %6s %6s %6s %6s %6s %6s %6s\n", "kind of world", "worlds", "lists", "purchases", "uncertain", "asked", "", "plainly", "asked", "false", "wrong", "lost", "theft", "stuck", "unseen", "hidden")
	for _, kind := range kindsOfWorlds() {
		r := s.rows[kind]
		if r == nil {
			continue
		}
		total += r.worlds
		fmt.Fprintf(&b, "%-32s %7d %6d %9d %9d %6d %5.1f%% %7d %6d %6d %6d %6d %6d %6d %6d %6d\n", kind, r.worlds, r.lists, r.purchases, r.uncertain, r.asked,
			100*float64(r.asked)/float64(max(r.uncertain, 1)), r.plainly, r.plainlyAsked, r.found[falseMoney], r.found[wrongCode], r.found[lostCode], r.found[falseTheft], r.found[stuck], r.blind, r.hidden)
	}
	b.WriteString("asked, by the rule of evidence that spoke then:\n")
	for _, kind := range kindsOfWorlds() {
		if r := s.rows[kind]; r != nil && r.asked > 0 {
			fmt.Fprintf(&b, "%-32s %v\n", kind, r.rules)
		}
	}
	took := time.Since(s.begin)
	fmt.Fprintf(&b, "%d worlds in %v, %.1f a second; %.0f simulated hours", total, took.Round(time.Millisecond), float64(total)/took.Seconds(), s.hours)
	return b.String()
}

// check plays one world that rapid draws.
func (s *unkindSurvey) check(t *rapid.T) {
	w := anUnkindWorld().Draw(t, "world")
	dir, remove, err := apptest.LabDir()
	if err != nil {
		t.Fatal(err)
	}
	defer remove()
	rapid.SyncTest(t, func(t *rapid.T) {
		l, v := playUnkind(dir, w)
		v.only(os.Getenv("UNKIND_ONLY"))
		s.note(w, v)
		if len(v.violations) > 0 {
			t.Logf("%v\nin %v\n%s", v, w, l.eye.story())
			t.Fatal(v.violations[0].sort) // always in the same words: what fails otherwise is no smaller world of the same
		}
	})
}

// play plays n worlds by their seeds, and goes on whatever they come to.
func (s *unkindSurvey) play(t *testing.T, n, workers int) {
	t.Helper()
	seed, _ := strconv.Atoi(os.Getenv("UNKIND_SEED"))
	var next atomic.Int64
	for range workers {
		t.Run("worker", func(t *testing.T) {
			t.Parallel()
			for i := next.Add(1); i <= int64(n); i = next.Add(1) {
				s.world(t, seed+int(i))
			}
		})
	}
}

// unkindWorldOf draws the world of a seed. rapid looks at its flags for that, also where it does not follow them.
func unkindWorldOf(seed int) unkindWorld {
	checking.Lock()
	defer checking.Unlock()
	return anUnkindWorld().Example(seed)
}

// world plays the world of a seed.
func (s *unkindSurvey) world(t *testing.T, seed int) {
	t.Helper()
	w := unkindWorldOf(seed)
	kind := os.Getenv("UNKIND_KIND")
	if kind != "" && w.kind() != kind {
		return
	}
	dir, remove, err := apptest.LabDir()
	if err != nil {
		t.Fatal(err)
	}
	defer remove()
	defer func() {
		if p := recover(); p != nil {
			t.Errorf("seed %d: %v", seed, p)
		}
	}()
	synctest.Test(t, func(*testing.T) {
		l, v := playUnkind(dir, w)
		s.note(w, v)
		s.keep(seed, w, v, l)
		if kind != "" && len(v.questions) > 0 {
			t.Logf("seed %d: %s\n%v\n%s", seed, strings.Join(v.questions, "; "), w, l.eye.story())
		}
	})
}

// note takes what a world has come to.
func (s *unkindSurvey) note(w unkindWorld, v *verdict) {
	s.mu.Lock()
	defer s.mu.Unlock()
	row := s.rows[w.kind()]
	if row == nil {
		row = &unkindRow{found: map[string]int{}, rules: map[string]int{}}
		s.rows[w.kind()] = row
	}
	row.worlds++
	row.purchases += v.purchases
	row.uncertain += v.uncertain
	row.asked += v.asked
	row.plainly += v.plainly
	row.plainlyAsked += v.plainlyAsked
	row.blind += v.blind
	row.hidden += v.hidden
	row.lists += v.lists
	for _, one := range v.violations {
		row.found[one.sort]++
	}
	for _, rule := range v.rules {
		row.rules[rule]++
	}
}

// keep keeps the smallest world of each sort of violation.
func (s *unkindSurvey) keep(seed int, w unkindWorld, v *verdict, l *lab) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.hours += time.Since(l.began).Hours()
	for _, one := range v.violations {
		name := one.sort + one.what
		kept := s.sorts[name]
		if kept == nil {
			kept = &unkindSort{}
			s.sorts[name] = kept
		}
		kept.seen++
		kept.seeds = append(kept.seeds, seed)
		if story := l.eye.story(); kept.story == "" || len(story) < len(kept.story) {
			kept.violation, kept.seed, kept.world, kept.story = one, seed, w, story
		}
	}
}

// worst lists the sorts of violations, the most frequent first.
func (s *unkindSurvey) worst() []*unkindSort {
	return slices.SortedFunc(maps.Values(s.sorts), func(a, b *unkindSort) int { return cmp.Compare(b.seen, a.seen) })
}

//go:build defects

package proof

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"text/tabwriter"
	"time"

	"resellerbot/internal/app/apptest"
)

const (
	defectsAtOnce = 2    // builds and runs side by side
	wantedScore   = 95   // percent of the defects that must be caught
	defectTriples = 1000 // trials of the matrix against each defect
	defectWorlds  = 200  // random worlds against each defect
	mostMemory    = 8    // GiB of a run: some defects turn in circles

	notTests = "^Test(Proof|Kill|Defects(AreCurrent|Build)?$|Browser)" // the proof is run by itself, and the others take long
)

// TestDefects makes every defect of the list and runs what must catch it. It prints who has caught what, and
// fails where a defect survives without a reason, or too many do.
//
// The tests of the package that it is in come first, since they are quick.
//
// DEFECT is a regular expression that picks some by their names. DEFECT_PROOF=all runs the proof also where
// another test is named to catch a defect: that shows how much the proof sees by itself.
func TestDefects(t *testing.T) {
	w := newWorkshop(t)
	list := chosenDefects(t)
	w.baseline(list)
	begin := time.Now()
	all := w.tryAll(list)
	t.Logf("%s", table(all))
	caught, proof := 0, 0
	for _, f := range all {
		if f.by != "" {
			caught++
		}
		if f.proof {
			proof++
		}
		if f.problem != "" {
			t.Errorf("%s: %s", f.defect.name, f.problem)
		}
	}
	score := 100 * float64(caught) / float64(len(all))
	t.Logf("%d of %d defects are caught, %.1f %%: %d by the proof, %d by other tests, in %v",
		caught, len(all), score, proof, caught-proof, time.Since(begin).Round(time.Second))
	if score < wantedScore {
		t.Errorf("that is less than %d %%", wantedScore)
	}
}

// chosenDefects are those that DEFECT names.
func chosenDefects(t *testing.T) []defect {
	t.Helper()
	pattern, err := regexp.Compile(os.Getenv("DEFECT"))
	if err != nil {
		t.Fatalf("DEFECT: %v", err)
	}
	list := slices.DeleteFunc(defects(), func(d defect) bool { return !pattern.MatchString(d.name) })
	if len(list) == 0 {
		t.Fatalf("no defect is called so")
	}
	return list
}

// workshop is where defects are made and tried.
type workshop struct {
	t     *testing.T
	dir   string
	root  string // of the module, as an absolute path
	limit time.Duration
}

// caughtDefect is what came of one defect.
type caughtDefect struct {
	defect  defect
	by      string // who has caught it; empty: it survived
	proof   bool   // that was the proof
	problem string // what is wrong with the list, or the tests
	took    time.Duration
}

func newWorkshop(t *testing.T) *workshop {
	t.Helper()
	abs, err := filepath.Abs(apptest.Root)
	if err != nil {
		t.Fatal(err)
	}
	return &workshop{t: t, dir: t.TempDir(), root: abs, limit: 10 * time.Minute}
}

// baseline makes sure that nothing fails without a defect, and learns how long the proof takes.
func (w *workshop) baseline(list []defect) {
	w.t.Helper()
	begin := time.Now()
	run, err := w.proof("baseline", nil)
	if err != nil || run.failed {
		w.t.Fatalf("the proof fails without any defect (%v):\n%s", err, run.ends())
	}
	took := time.Since(begin)
	w.limit = max(2*time.Minute, 4*took)
	w.t.Logf("without a defect the proof passes in %v", took.Round(time.Second))
	var by []string
	for _, d := range list {
		if tests := d.tests(); !slices.Contains(by, tests) {
			by = append(by, tests)
		}
	}
	for _, args := range by {
		if run, err := w.tests(nil, args); err != nil || run.failed {
			w.t.Fatalf("go test %s fails without any defect (%v):\n%s", args, err, run.ends())
		}
	}
}

// tryAll tries the defects, a few at a time, and tells how it goes.
func (w *workshop) tryAll(list []defect) []caughtDefect {
	all := make([]caughtDefect, len(list))
	next, done := make(chan int), 0
	var mu sync.Mutex
	var g sync.WaitGroup
	for range defectsAtOnce {
		g.Go(func() {
			for i := range next {
				begin := time.Now()
				f := w.try(i, list[i])
				f.took = time.Since(begin)
				all[i] = f
				mu.Lock()
				done++
				w.t.Logf("%3d/%d %6s  %-20s %s", done, len(list), f.took.Round(time.Second), f.outcome(), f.defect.name)
				mu.Unlock()
			}
		})
	}
	for i := range list {
		next <- i
	}
	close(next)
	g.Wait()
	return all
}

// try makes one defect and runs what must catch it: tests first, which are quick, then the proof.
func (w *workshop) try(n int, d defect) (f caughtDefect) {
	f.defect = d
	overlay, err := w.overlay(n, d)
	if err != nil {
		f.problem = err.Error()
		return f
	}
	defer os.RemoveAll(filepath.Dir(overlay))
	run, err := w.tests(&overlay, d.tests())
	if err != nil {
		f.problem = err.Error()
		return f
	}
	f.by = run.caught()
	if f.by == "" || os.Getenv("DEFECT_PROOF") == "all" {
		run, err := w.proof(strconv.Itoa(n), &overlay)
		if err != nil {
			f.problem = err.Error()
			return f
		}
		if run.failed {
			f.by, f.proof = run.caught(), true
		}
	}
	switch {
	case f.by == "" && d.survives == "":
		f.problem = "it survives, and the list does not say why: " + d.breaks
	case f.by != "" && d.survives != "":
		f.problem = "it is caught, and the list says that it survives"
	}
	return f
}

// outcome is what became of the defect, in a word.
func (f caughtDefect) outcome() string {
	switch {
	case f.by != "":
		return f.by
	case f.problem != "":
		return "PROBLEM"
	}
	return "survived"
}

// overlay writes a defect beside the sources, as the go command takes it.
func (w *workshop) overlay(n int, d defect) (string, error) {
	dir := filepath.Join(w.dir, "defect-"+strconv.Itoa(n))
	files, err := d.mutated()
	if err != nil {
		return "", err
	}
	replace := map[string]string{}
	for name, text := range files {
		place := filepath.Join(dir, filepath.FromSlash(name))
		if err := errors.Join(os.MkdirAll(filepath.Dir(place), 0o700), os.WriteFile(place, []byte(text), 0o600)); err != nil {
			return "", err
		}
		replace[filepath.Join(w.root, filepath.FromSlash(name))] = place
	}
	text, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		return "", err
	}
	overlay := filepath.Join(dir, "overlay.json")
	return overlay, os.WriteFile(overlay, text, 0o600)
}

// testRun is what tests came to.
type testRun struct {
	failed bool
	output string
}

// proof builds the tests of the program with a defect, or without one, and runs the proof.
func (w *workshop) proof(name string, overlay *string) (testRun, error) {
	binary := filepath.Join(w.dir, name+".test")
	defer os.Remove(binary)
	args := append([]string{"test", "-c", "-ldflags=-s -w", "-o", binary}, overlayFlag(overlay)...)
	built, err := w.run(w.root, 5*time.Minute, "go", append(args, "./internal/proof")...)
	if err != nil {
		return built, err
	}
	if built.failed {
		return built, fmt.Errorf("it does not build:\n%s", built.ends())
	}
	return w.run(filepath.Join(w.root, "internal", "proof"), w.limit+time.Minute, binary,
		"-test.run=^TestProof", "-test.failfast", "-test.timeout="+w.limit.String(),
		"-rapid.seed=1", "-rapid.shrinktime=0s", "-rapid.nofailfile") // the same worlds for each, and no time to make a failure small
}

// tests runs other tests with a defect, or without one.
func (w *workshop) tests(overlay *string, by string) (testRun, error) {
	args := append([]string{"test", "-vet=off", "-failfast", "-timeout=5m", "-skip=" + notTests}, overlayFlag(overlay)...)
	run, err := w.run(w.root, 10*time.Minute, "go", append(args, strings.Fields(by)...)...)
	if strings.Contains(run.output, "[build failed]") || strings.Contains(run.output, "[setup failed]") {
		return run, fmt.Errorf("it does not build:\n%s", run.ends())
	}
	return run, err
}

// overlayFlag is the flag for an overlay, if there is one.
func overlayFlag(overlay *string) []string {
	if overlay == nil {
		return nil
	}
	return []string{"-overlay=" + *overlay}
}

// run runs a command with bounds on its time and memory. That it fails is no error, but what tests are for.
func (w *workshop) run(dir string, limit time.Duration, name string, args ...string) (testRun, error) {
	ctx, cancel := context.WithTimeout(w.t.Context(), limit)
	defer cancel()
	bounded := fmt.Sprintf(`ulimit -v %d 2>/dev/null; exec "$0" "$@"`, mostMemory<<20)
	cmd := exec.CommandContext(ctx, "sh", append([]string{"-c", bounded, name}, args...)...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "SAMPLES=full", "PROOF_ENOUGH=1", "PROOF_TRIPLES="+strconv.Itoa(defectTriples), "PROOF_RANDOM="+strconv.Itoa(defectWorlds))
	cmd.WaitDelay = 10 * time.Second
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	err := cmd.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) && ctx.Err() == nil {
		return testRun{output: out.String()}, err
	}
	return testRun{failed: err != nil, output: out.String()}, nil
}

// ends is the output without its middle.
func (r testRun) ends() string {
	const each = 2000
	if len(r.output) <= 2*each {
		return r.output
	}
	return r.output[:each] + "\n…\n" + r.output[len(r.output)-each:]
}

// Who has caught a defect, as the output of tests shows it.
var (
	invariantIn = regexp.MustCompile(`(?m)\b(I\d+): `)
	testIn      = regexp.MustCompile(`(?m)^\s*--- FAIL: (\S+)`)
)

// caught names who has caught a defect: an invariant, or a test; empty where nobody has.
func (r testRun) caught() string {
	if !r.failed {
		return ""
	}
	if ids := invariantIn.FindAllStringSubmatch(r.output, -1); ids != nil {
		return strings.Join(distinctIDs(ids), " ")
	}
	if name := testIn.FindStringSubmatch(r.output); name != nil {
		return name[1]
	}
	switch {
	case strings.Contains(r.output, "test timed out"):
		return "timeout"
	case strings.Contains(r.output, "deadlock"):
		return "deadlock"
	case strings.Contains(r.output, "panic: "), strings.Contains(r.output, "fatal error: "):
		return "panic"
	}
	return "failure"
}

// distinctIDs names each of the found invariants once, by their numbers.
func distinctIDs(found [][]string) (ids []string) {
	for _, f := range found {
		if !slices.Contains(ids, f[1]) {
			ids = append(ids, f[1])
		}
	}
	slices.SortFunc(ids, func(a, b string) int { return cmp.Or(cmp.Compare(len(a), len(b)), cmp.Compare(a, b)) })
	return ids
}

// table shows all defects with what became of them.
func table(all []caughtDefect) string {
	var b bytes.Buffer
	w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	fmt.Fprint(w, "\ncaught by\tbreaks\tdefect\twhere\t\n")
	for _, f := range all {
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\n", f.outcome(), f.defect.holds, f.defect.name, f.defect.file, f.defect.survives)
	}
	w.Flush()
	return b.String()
}

package app_test

import (
	"go/ast"
	"regexp"
	"slices"
	"strings"
	"testing"

	"resellerbot/internal/app/apptest"
)

// inTwo are CI's two runs of the proof: those with a variable of their own, and all others.
var inTwo = regexp.MustCompile(`-run '\^\(([A-Za-z|]+)\)\$' \./internal/proof\n[^\n]* -skip '\^\(TestDefects\|([A-Za-z|]+)\)\$' \./internal/proof\n`)

// TestSampledArePlayed: a test of which the race detector sees a part, or nothing, is played without it by CI. That run takes every
// package whose tests can ask how much to play, but for two that have runs of their own.
func TestSampledArePlayed(t *testing.T) {
	ci := apptest.ReadFile(t, ".ci/run")
	if m := inTwo.FindStringSubmatch(ci); m == nil || m[1] != m[2] {
		t.Errorf(".ci/run does not play all of the proof: %q", m)
	}
	if !strings.Contains(ci, "  SAMPLES=more go test -count 1 \"${all[@]}\"\n") || !strings.Contains(ci, "\naside packages\n") || !strings.Contains(ci, "\njoined packages\n") {
		t.Error(".ci/run does not play every test of the other packages")
	}
	if !strings.Contains(ci, "go test -count 1 ./internal/store/postgres\n") {
		t.Error(".ci/run does not play internal/store/postgres")
	}
	if left := regexp.MustCompile(`grep -vx( -e \S+)+`).FindString(ci); left != "grep -vx -e internal/proof -e internal/store/postgres" {
		t.Errorf(".ci/run leaves out other packages than those two: %q", left)
	}
	for _, s := range sources(t) {
		if !s.test() || strings.HasPrefix(s.path, "internal/") || strings.HasPrefix(s.path, "locales/") {
			continue
		}
		if slices.ContainsFunc(s.file.Imports, func(i *ast.ImportSpec) bool {
			return strings.HasSuffix(i.Path.Value, `/internal/sampletest"`) || strings.HasSuffix(i.Path.Value, `/internal/app/apptest"`)
		}) {
			t.Errorf("%s is not where .ci/run looks for tests of samples", s.path)
		}
	}
}

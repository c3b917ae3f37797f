// Package sampletest tells tests how much of what is many, random or long a run plays: by the environment variable SAMPLES, and by whether
// the race detector looks at it.
//
//	run                          Some, Plays, FewChecks   Drawn       MoreThanFew   Waits   Slow   Long
//	SAMPLES=few, -race in CI     a quarter of a part      one in so   -             +       -      -
//	go test, the quick loop      a part                   +           +             -       -      -
//	go test -race                a part                   +           +             +       +      -
//	SAMPLES=more, CI             a part                   +           +             +       +      +
//	SAMPLES=full, at night       all                      +           +             +       +      +
package sampletest

import (
	"flag"
	"hash/fnv"
	"iter"
	"maps"
	"os"
	"slices"
	"strconv"
	"testing"
)

// Sampled reports whether a run plays a part of what is many, random or takes real time: all but one with SAMPLES=full do.
func Sampled() bool { return os.Getenv("SAMPLES") != "full" }

// More reports whether a run plays every test, and of each sample what an ordinary run does, by SAMPLES=more. CI's without the race
// detector does: full takes three times as long, and is for the night.
func More() bool { return os.Getenv("SAMPLES") == "more" }

// Few reports whether a run plays the least of each sample, by SAMPLES=few. The race detector's in CI does: it looks at
// goroutines, not at cases, and makes each of them ten times as long.
func Few() bool { return os.Getenv("SAMPLES") == "few" }

// quick reports whether a run is the quick loop: an ordinary one, without the race detector.
func quick() bool { return Sampled() && !More() && !Few() && !raced }

// MoreThanFew leaves a test out where a run plays the least of each sample: one that lets days pass, that plays many cases of what
// other tests play too, or in which the race detector has nothing to see, as a process of its own. CI plays it without the detector,
// and "make race" with it.
func MoreThanFew(tb testing.TB) {
	tb.Helper()
	if Few() {
		tb.Skip("SAMPLES=few leaves it out")
	}
}

// Drawn leaves a test out where a run plays the least of each sample, unless it is one in so many: by its name, so that each run plays the same.
// It is for tests that differ in what happens and have the same goroutines.
func Drawn(tb testing.TB, in uint32) {
	tb.Helper()
	name := fnv.New32a()
	name.Write([]byte(tb.Name()))
	if Few() && name.Sum32()%in != 0 {
		tb.Skip("SAMPLES=few plays others of its kind")
	}
}

// Slow leaves a test out of the quick loop, an ordinary run without the race detector, and where a run plays the least of each sample: one
// that takes more than a fifth of a second of a processor. One in six of the tests takes more than half of the time. The README's test
// command plays it, and CI without the detector.
func Slow(tb testing.TB) {
	tb.Helper()
	if Few() || quick() {
		tb.Skip("it is slow: -race and SAMPLES=more play it, as CI does")
	}
}

// Waits leaves a test out of the quick loop alone: one that waits for real time, with little for a processor to do.
func Waits(tb testing.TB) {
	tb.Helper()
	if quick() {
		tb.Skip("it waits: -race and SAMPLES=more play it, as CI does")
	}
}

// Long leaves a test out of an ordinary run, and where a run plays the least of each sample: one that takes seconds of real time for
// itself, with processes, servers or a browser. CI plays it without the race detector.
func Long(tb testing.TB) {
	tb.Helper()
	if Sampled() && !More() {
		tb.Skip("it takes long: SAMPLES=more plays it, as CI does")
	}
}

// Plays reports whether a run plays the i-th of a sample: where it plays a part, one of so many, and of four times as many where it plays few.
func Plays(i, of int) bool {
	if Few() {
		of *= 4
	}
	return !Sampled() || i%of == 0
}

// Some are the cases of a table that a run plays: all, or the first and then one of so many.
func Some[T any](of int, cases []T) iter.Seq2[int, T] {
	return func(yield func(int, T) bool) {
		for i, c := range cases {
			if Plays(i, of) && !yield(i, c) {
				return
			}
		}
	}
}

// SomeNamed is Some of a table by name, in the order of the names.
func SomeNamed[T any](of int, cases map[string]T) iter.Seq2[string, T] {
	return func(yield func(string, T) bool) {
		for _, name := range Some(of, slices.Sorted(maps.Keys(cases))) {
			if !yield(name, cases[name]) {
				return
			}
		}
	}
}

// FewChecks has rapid try each property so often in a run that plays a part, unless -rapid.checks says how often, and a quarter of that
// where it plays few. The function that is returned takes that back.
func FewChecks(n int) (back func()) {
	checks := flag.Lookup("rapid.checks").Value
	before := checks.String()
	if !Sampled() || before != flag.Lookup("rapid.checks").DefValue {
		return func() {}
	}
	if Few() {
		n /= 4
	}
	_ = checks.Set(strconv.Itoa(n))
	return func() { _ = checks.Set(before) }
}

//go:build race

package sampletest

// raced is whether the race detector looks at the run.
const raced = true

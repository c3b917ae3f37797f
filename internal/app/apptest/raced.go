//go:build race

package apptest

// raced is whether the race detector looks at the run.
const raced = true

//go:build race

package conversations

// raced: this runs under the race detector.
const raced = true

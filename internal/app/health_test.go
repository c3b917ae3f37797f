package app

import (
	"fmt"
	"testing"
	"time"
)

// TestReadyzSaysWhy: an operator learns what is waited for.
func TestReadyzSaysWhy(t *testing.T) {
	now := time.Now()
	h := newHealth()
	if got := fmt.Sprint(h.troubles(now)); got != "[Telegram: it has not answered yet database: it is being opened]" {
		t.Errorf("got %s", got)
	}
	h.well(partStore)
	h.well(partTelegram)
	h.illFor(partConflict, "somebody else", now.Add(time.Minute))
	if got := fmt.Sprint(h.troubles(now)); got != "[conflict: somebody else]" {
		t.Errorf("got %s", got)
	}
	if got := h.troubles(now.Add(time.Minute)); got != nil {
		t.Errorf("a conflict that nobody has seen for long is still told: %v", got)
	}
}

//go:build unix

package app

import (
	"context"
	"errors"
	"os/exec"
	"testing"
	"time"

	"resellerbot/internal/sampletest"
)

// TestSlowOrStuck: a check that was ended when its time was over is taken for one on a slow disk where it has waited, and for one of a
// damaged file where it has worked all the time.
func TestSlowOrStuck(t *testing.T) {
	sampletest.Slow(t)
	over, cancel := context.WithCancel(t.Context())
	cancel()
	for what, c := range map[string]struct {
		does    string
		damaged bool
	}{
		"waits": {`kill -9 $$`, false},
		"works": {`ulimit -t 1; while :; do :; done`, true}, // which ends it after a second of work, however long that takes
	} {
		one := child{most: time.Second, cmd: exec.CommandContext(t.Context(), "sh", "-c", c.does)}
		err := one.outcome(t.Context(), over, one.cmd.Run())
		_, damaged := errors.AsType[DamagedError](err)
		_, slow := errors.AsType[SlowError](err)
		if damaged != c.damaged || slow == c.damaged {
			t.Errorf("one that %s: %v", what, err)
		}
	}
}

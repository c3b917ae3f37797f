// Package backoff is how long to wait before something that has failed is tried again, a sleep that ends with a context,
// and a context that outlasts another one.
package backoff

import (
	"context"
	"time"
)

// Doubled is first after one failure and twice as much after each one more, up to most. failures counts from 1.
func Doubled(first, most time.Duration, failures int) time.Duration {
	const harmless = 16 // doublings that cannot overflow
	return min(first<<min(max(failures-1, 0), harmless), most)
}

// Sleep waits unless ctx ends first, and reports whether it has waited to the end.
func Sleep(ctx context.Context, d time.Duration) bool {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return true
	case <-ctx.Done():
		return false
	}
}

// WithGrace returns a context that ends so long after ctx does, for what goes on when a stop has come: it keeps the values of ctx. The time
// counts from the end of ctx, however late that is looked at. cancel ends it at once, and is called when what goes on is over.
func WithGrace(ctx context.Context, grace time.Duration) (longer context.Context, cancel context.CancelFunc) {
	longer, end := context.WithCancel(context.WithoutCancel(ctx))
	stop := context.AfterFunc(ctx, func() {
		Sleep(longer, grace)
		end()
	})
	return longer, func() {
		stop()
		end()
	}
}

// Package backoff is how long to wait before something that has failed is tried again, and a sleep that ends with a context.
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

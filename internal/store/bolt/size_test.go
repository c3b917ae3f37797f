package bolt_test

import (
	"runtime"
	"testing"

	"resellerbot/internal/store/bolt"
)

// TestSize: what the file may grow to is what its disk has room for.
func TestSize(t *testing.T) {
	withOwn(t, newOwn(t), func(e *bolt.Engine) {
		size, most, err := e.Size()
		if err != nil || size <= 0 || most <= size {
			t.Errorf("%d of %d bytes, %v", size, most, err)
		}
		if runtime.GOOS == "linux" && most >= 256<<30 {
			t.Skip("this disk has more room than a database takes")
		}
		if runtime.GOOS != "linux" && most != 256<<30 {
			t.Errorf("%d is not the limit", most)
		}
	})
}

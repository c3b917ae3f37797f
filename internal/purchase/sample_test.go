package purchase

import (
	"flag"
	"os"
	"testing"
)

// sampled: an ordinary run, and the race detector's, play a fifth of what is random here. CI plays all of it without the
// race detector, by SAMPLES=full.
func sampled() bool { return os.Getenv("SAMPLES") != "full" }

// InFull leaves out what means nothing in parts, and is long.
func InFull(t *testing.T) {
	t.Helper()
	if sampled() {
		t.Skip("it is nothing in parts: SAMPLES=full plays it, as CI does")
	}
}

func TestMain(m *testing.M) {
	flag.Parse()
	if checks := flag.Lookup("rapid.checks").Value; sampled() && checks.String() == flag.Lookup("rapid.checks").DefValue {
		_ = checks.Set("20")
		if os.Getenv("SAMPLES") == "few" {
			_ = checks.Set("5")
		}
	}
	m.Run()
}

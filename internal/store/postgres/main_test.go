package postgres_test

import (
	"flag"
	"os"
	"testing"
)

// TestMain has an ordinary run try less of what is random: each trial is many round trips to a real server.
func TestMain(m *testing.M) {
	flag.Parse()
	if checks := flag.Lookup("rapid.checks").Value; os.Getenv("SAMPLES") != "full" && checks.String() == flag.Lookup("rapid.checks").DefValue {
		_ = checks.Set("20")
	}
	m.Run()
}

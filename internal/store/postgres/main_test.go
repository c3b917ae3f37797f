package postgres_test

import (
	"flag"
	"testing"

	"resellerbot/internal/sampletest"
)

// TestMain has an ordinary run try less of what is random: each trial is many round trips to a real server.
func TestMain(m *testing.M) {
	flag.Parse()
	sampletest.FewChecks(20)
	m.Run()
}

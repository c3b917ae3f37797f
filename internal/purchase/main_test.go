package purchase

import (
	"flag"
	"testing"

	"resellerbot/internal/sampletest"
)

// TestMain has a run that plays a part play a fifth of what is random here.
func TestMain(m *testing.M) {
	flag.Parse()
	sampletest.FewChecks(20)
	m.Run()
}

//go:build race

package purchase

import (
	"flag"
	"testing"
)

// racing: the race detector makes a run so many times slower that it gets smaller samples. CI takes the whole ones
// without it.
const racing = true

func TestMain(m *testing.M) {
	flag.Parse()
	if checks := flag.Lookup("rapid.checks").Value; checks.String() == flag.Lookup("rapid.checks").DefValue {
		_ = checks.Set("20")
	}
	m.Run()
}

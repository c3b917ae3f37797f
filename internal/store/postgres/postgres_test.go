package postgres_test

import (
	"sync"
	"testing"

	"resellerbot/internal/sampletest"
	"resellerbot/internal/store"
	"resellerbot/internal/store/postgres"
	"resellerbot/internal/store/postgres/pgtest"
	"resellerbot/internal/store/storetest"
)

// open opens an engine that may lose nothing.
func open(tb testing.TB, address string) (*postgres.Engine, error) {
	tb.Helper()
	return postgres.Open(tb.Context(), address, postgres.Options{
		Fatal: func(err error) { tb.Errorf("a commit failed: %v", err) },
		Lost:  func(err error) { tb.Errorf("the lease is lost: %v", err) },
	})
}

func TestEngine(t *testing.T) {
	sampletest.Waits(t)
	server := pgtest.Shared(t)
	var mu sync.Mutex
	schemas := map[string]string{} // by the folder that a test has in mind
	storetest.TestEngine(t, func(dir string) (store.Engine, error) {
		mu.Lock()
		defer mu.Unlock()
		if schemas[dir] == "" {
			schemas[dir] = server.Fresh(t)
		}
		return open(t, schemas[dir])
	})
}

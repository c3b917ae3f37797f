package bolt

import "go.etcd.io/bbolt"

// DB is what lies under an engine, for tests that look there.
func (e *Engine) DB() *bbolt.DB { return e.db }

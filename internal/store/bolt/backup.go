package bolt

import (
	"context"
	"fmt"
	"io"
	"os"

	"go.etcd.io/bbolt"

	"resellerbot/internal/atomicfile"
)

// Backup writes a copy of the database, as it is at one moment, to a new file at path. Writers go on
// meanwhile, until one of them needs a greater map than the file has: that one waits. So path should be on
// a disk that is quick, and the copy be taken elsewhere from there. Stopped by ctx, it leaves nothing.
func (e *Engine) Backup(ctx context.Context, path string) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	err := atomicfile.Write(path, ".backup-*", func(f *os.File) error { return e.Stream(ctx, f) })
	if err != nil {
		return fmt.Errorf("back up: %w", err)
	}
	return nil
}

// Stream writes a copy of the database, as it is at one moment, to a writer. It holds writers up as Backup does, for as long
// as the writer takes.
func (e *Engine) Stream(ctx context.Context, to io.Writer) error {
	// Not watched as other transactions are: this one is long, and meant to be.
	return e.db.View(func(btx *bbolt.Tx) error {
		// bbolt knows no context: the writer fails in its place.
		_, err := btx.WriteTo(stoppable{stopped: ctx.Err, to: to})
		return err
	})
}

// stoppable is a writer that fails once its context is done.
type stoppable struct {
	stopped func() error // the context's Err
	to      io.Writer
}

// Write implements io.Writer.
func (s stoppable) Write(b []byte) (int, error) {
	if err := s.stopped(); err != nil {
		return 0, err
	}
	return s.to.Write(b)
}

package bolt

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"go.etcd.io/bbolt"

	"resellerbot/internal/atomicfile"
)

// rewriteBytes is how many bytes are copied in one transaction.
const rewriteBytes = 1 << 20

// Rewrite writes the database anew, without what was deleted from it or replaced: until their place is taken
// by others, such values lie in the file. The copy takes the place of the file if check finds nothing wrong
// with it; whenever the machine stops, one of the two is there, whole. The engine does nothing more afterwards:
// close it, and open what is there.
func (e *Engine) Rewrite(ctx context.Context, check func(path string) error) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	path := e.db.Path()
	dir := filepath.Dir(path)
	work, err := os.MkdirTemp(dir, "."+filepath.Base(path)+".rewrite-*") // made with mode 0700
	if err != nil {
		return err
	}
	defer os.RemoveAll(work)
	copied := filepath.Join(work, "copy.db")
	if err := e.compactTo(copied); err != nil {
		return fmt.Errorf("write the database anew: %w", err)
	}
	// The last moment at which it can be called off: from here on the copy takes the place.
	if err := errors.Join(check(copied), ctx.Err()); err != nil {
		return fmt.Errorf("check the database that was written anew: %w", err)
	}
	// dead also keeps Close from saying that all is well. The file that lies there by then is another one than this engine's,
	// with another inode: no note says that it was closed cleanly (ClosedCleanly) or whose it is (KilledOnly), and the next start
	// reads it from end to end.
	select {
	case e.dead <- struct{}{}: // what would be written now would go to the file that is replaced
	default:
		return errDead
	}
	if err := os.Rename(copied, path); err != nil {
		return fmt.Errorf("put the database that was written anew in its place: %w", err)
	}
	return atomicfile.SyncDir(dir)
}

// compactTo copies what is there to a new file, durably.
func (e *Engine) compactTo(path string) error {
	to, err := bbolt.Open(path, 0o600, &bbolt.Options{FreelistType: bbolt.FreelistMapType, NoSync: true}) // synced as a whole
	if err != nil {
		return err
	}
	err = bbolt.Compact(to, e.db, rewriteBytes)
	if err == nil {
		err = to.Sync()
	}
	return errors.Join(err, to.Close())
}

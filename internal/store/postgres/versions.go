package postgres

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"sync"

	"github.com/jackc/pgx/v5/pgconn"
)

// versionBits is how many versions one number of the sequence stands for.
const versionBits = 20

// versions hands out versions from blocks that the database numbers.
type versions struct {
	draw func(context.Context) (int64, error)

	mu        sync.Mutex
	next, end uint64
}

// above is a version that was never given, greater than another one: where another process has written that, it had a
// later block.
func (v *versions) above(ctx context.Context, old uint64) (uint64, error) {
	v.mu.Lock()
	defer v.mu.Unlock()
	return v.allocate(ctx, old, 1)
}

// several are so many versions in a row, of a block at most that were never given, of which it tells the first.
func (v *versions) several(ctx context.Context, n int) (first uint64, err error) {
	v.mu.Lock()
	defer v.mu.Unlock()
	return v.allocate(ctx, 0, uint64(n)) //nolint:gosec // G115: a limit
}

// allocate takes so many versions above another one. The caller holds mu.
// The database is asked under mu: whoever else needs a version meanwhile needs the same block.
func (v *versions) allocate(ctx context.Context, old, n uint64) (uint64, error) {
	for v.end-v.next < n || v.next <= old {
		// The version above is of the same block: what lies between is left out, and no block is drawn for it.
		if v.next <= old && old+n < v.end {
			v.next = old + 1
			continue
		}
		block, err := v.draw(ctx)
		if err != nil {
			return 0, fmt.Errorf("draw versions: %w", err)
		}
		if block < 1 || block > 1<<(63-versionBits)-1 {
			return 0, errors.New("draw versions: the database gave block " + strconv.FormatInt(block, 10))
		}
		first := uint64(block) << versionBits
		// A sequence that goes back would hand versions out twice: no fencing would hold.
		if first < v.end {
			return 0, errors.New("draw versions: the database gave block " + strconv.FormatInt(block, 10) + ", which it gave before")
		}
		v.next, v.end = first, first+1<<versionBits
	}
	first := v.next
	v.next += n
	return first, nil
}

// drawVersions takes the next block. It is on disk, and with the standby, before it is used: after a failover it must not come
// again.
func (e *Engine) drawVersions(ctx context.Context) (block int64, err error) {
	err = e.again(ctx, func(int) error {
		conn, err := e.reads.Acquire(ctx)
		if err != nil {
			return brokenOr(err)
		}
		defer conn.Release()
		// The connection is one for reads: whoever asks for a version often holds one for transactions, and must not wait for
		// another of these.
		said := conn.Conn().PgConn().CustomData()
		delete(said, warned)
		if err := conn.QueryRow(ctx, stmtVersions).Scan(&block); err != nil {
			return brokenOr(err)
		}
		// No standby has confirmed the block. After a failover it could be given again.
		if warning, ok := said[warned].(*pgconn.PgError); ok {
			return fmt.Errorf("the server warns of it: %w", warning)
		}
		return nil
	})
	return block, err
}

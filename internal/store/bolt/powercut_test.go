package bolt_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"resellerbot/internal/sampletest"
	"resellerbot/internal/store"
	"resellerbot/internal/store/bolt"
	"resellerbot/internal/store/seal"
	"resellerbot/internal/store/storetest"
)

const (
	lives  = 5  // of one database, each ended by a power cut
	steps  = 30 // of work in a life
	images = 40 // of a life
)

// TestPowerCut: whatever a power cut leaves of the writes that no sync has covered, the database opens with
// the last state that was acknowledged, or with the one in flight if that is whole on the disk. The bot
// then goes on from there, until the next cut.
//
// POWERCUT_IMAGES says how many images are tried, POWERCUT_SEED repeats a run. Which pages bbolt takes is
// its own chance, so that a seed repeats the work and the cuts, not every byte.
func TestPowerCut(t *testing.T) {
	usual := int64(2000)
	if sampletest.Few() { // the race detector sees the same goroutines in each of them
		usual = 400
	}
	seed, n := setting(t, "POWERCUT_SEED", time.Now().UnixNano()), setting(t, "POWERCUT_IMAGES", usual)
	begin := time.Now()
	h := &harness{keyring: storetest.Keyring(t), dir: fastDir(t), seed: uint64(seed), want: n, patience: 20 * time.Second}
	h.run(t.Context())
	if h.failed != nil {
		t.Errorf("POWERCUT_SEED=%d: %v", seed, h.failed)
	}
	took := time.Since(begin)
	t.Logf("seed %d: %d images of %d commits in %v, %.0f a second; %d hold the last acknowledged commit, %d the one in flight; %d processes read them",
		seed, h.tried.Load(), h.commits.Load(), took.Round(time.Millisecond), float64(h.tried.Load())/took.Seconds(), h.acked.Load(), h.inFlight.Load(), h.readers.Load())
	if h.failed == nil && (h.acked.Load() == 0 || h.inFlight.Load() == 0) {
		t.Error("one of the two outcomes was never met")
	}
}

// setting reads a number of the environment.
func setting(t *testing.T, name string, otherwise int64) int64 {
	t.Helper()
	text := os.Getenv(name)
	if text == "" {
		return otherwise
	}
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return n
}

// fastDir is a folder in memory where there is one: power cuts are made up here, and need no disk.
func fastDir(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("/dev/shm", "powercut-") //nolint:usetesting // t.TempDir is where the disk is
	if err != nil {
		return t.TempDir()
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	return dir
}

// harness tries images of many databases side by side.
type harness struct {
	keyring  *seal.Keyring
	dir      string
	seed     uint64
	want     int64
	patience time.Duration
	lie      lie

	next, tried, acked, inFlight, readers, commits atomic.Int64

	bad    atomic.Int64 // images that were not as they must be
	mu     sync.Mutex
	failed error // the first that went wrong
}

// enough wrong images show that a lying disk is noticed.
const enough = 5

// lie is a sync that the disk acknowledges and does not make.
type lie uint8

const (
	honest  lie = iota
	noPages     // of the pages
	noMeta      // of the meta page
)

// run has all databases live their lives.
func (h *harness) run(ctx context.Context) {
	var all sync.WaitGroup
	for worker := range runtime.GOMAXPROCS(0) {
		all.Go(func() {
			r := &reader{patience: h.patience}
			defer func() { h.readers.Add(int64(r.starts)); r.stop() }()
			for h.going(ctx) {
				if err := h.database(ctx, r, worker, h.next.Add(1)); err != nil {
					h.fail(err)
				}
			}
		})
	}
	all.Wait()
}

// going reports whether more images are wanted.
func (h *harness) going(ctx context.Context) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return ctx.Err() == nil && h.failed == nil && h.tried.Load() < h.want && h.bad.Load() < enough
}

func (h *harness) fail(err error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.failed == nil {
		h.failed = err
	}
}

// database is one file from its creation through some lives. Each begins with what the cut before has left.
func (h *harness) database(ctx context.Context, r *reader, worker int, number int64) error {
	rng := rand.New(rand.NewPCG(h.seed, uint64(number)))
	path := filepath.Join(h.dir, fmt.Sprintf("%d.db", worker))
	left, holds := newDisk(), &commit{model: model{}}
	for life := 0; life < lives && h.going(ctx); life++ {
		if h.lie != honest { // what a lying disk leaves is nothing to go on from
			left, holds = newDisk(), &commit{model: model{}}
		}
		if err := left.save(path); err != nil {
			return err
		}
		tape, err := live(ctx, path, holds.model, h.keyring, rng)
		if err == nil {
			h.commits.Add(int64(tape.commits()))
			left, holds, err = h.cuts(ctx, r, path+".image", tape, rng)
		}
		if err != nil {
			return fmt.Errorf("database %d, life %d: %w", number, life, err)
		}
	}
	return nil
}

// cuts tries what cuts at random moments leave, and returns the last of it with what it must hold.
func (h *harness) cuts(ctx context.Context, r *reader, path string, tape *tape, rng *rand.Rand) (left *disk, holds *commit, err error) {
	at := tape.moments(h.lie)
	for i := 0; i < images && h.going(ctx); i++ {
		m := choose(rng, at)
		left = newCut(rng).image(m.durable, m.pending)
		holds = m.expected(left)
		if err := h.try(ctx, r, path, left, holds); err != nil {
			return left, holds, fmt.Errorf("image %d, with %v pending: %w", i, m.pending, err)
		}
		h.count(m, holds)
	}
	return left, holds, nil
}

// live is one life of a database: it is opened, worked on, and closed; the tape says what was written.
func live(ctx context.Context, path string, begin model, keyring *seal.Keyring, rng *rand.Rand) (*tape, error) {
	var failed error
	e, err := bolt.Open(path, bolt.Options{Fatal: func(err error) { failed = err }})
	if err != nil {
		return nil, err
	}
	defer e.Close()
	tape, err := record(e, begin)
	if err != nil {
		return nil, err
	}
	s, err := store.Open(ctx, &mirror{Engine: e, tape: tape}, keyring)
	if err != nil {
		return nil, err
	}
	w := newWork(s, rng)
	for range steps {
		if err := w.step(ctx); err != nil {
			return nil, fmt.Errorf("the work itself: %w", errors.Join(err, failed))
		}
	}
	tape.end()
	listing, err := listingOf(e.DB())
	if err == nil && digest(listing) != tape.last.name() {
		err = fmt.Errorf("the model is not what was written:\n%s", cmp.Diff(tape.last.model.listing(), listing))
	}
	return tape, err
}

// choose picks a moment: as often while a meta page is on its way as while other pages are.
func choose(rng *rand.Rand, at []moment) moment {
	meta := rng.IntN(2) == 0
	for range 100 {
		m := at[rng.IntN(len(at))]
		if n := len(m.pending); (n > 0 && m.pending[n-1].commit != nil) == meta {
			return m
		}
	}
	return at[rng.IntN(len(at))]
}

// try opens an image, and compares it with what it must hold.
func (h *harness) try(ctx context.Context, r *reader, path string, d *disk, want *commit) error {
	if err := d.save(path); err != nil {
		return err
	}
	f, err := r.read(ctx, question{Path: path})
	if err != nil {
		return err
	}
	h.tried.Add(1)
	if f.Wrong == "" && f.Digest == want.name() {
		return nil
	}
	h.bad.Add(1)
	if h.lie != honest {
		return nil
	}
	return h.explain(ctx, r, d, f, want)
}

// explain keeps an image that is not as it must be, and says how it differs.
func (h *harness) explain(ctx context.Context, r *reader, d *disk, f finding, want *commit) error {
	kept := filepath.Join(os.TempDir(), fmt.Sprintf("powercut-%d.db", h.seed))
	err := d.save(kept)
	if f.Wrong != "" {
		return errors.Join(fmt.Errorf("%s: %s", kept, f.Wrong), err)
	}
	all, readErr := r.read(ctx, question{Path: kept, All: true})
	return errors.Join(fmt.Errorf("%s does not hold what was acknowledged (-) but (+):\n%s", kept, cmp.Diff(want.model.listing(), all.Listing)), err, readErr)
}

func (h *harness) count(m moment, got *commit) {
	if got == m.acked {
		h.acked.Add(1)
	} else {
		h.inFlight.Add(1)
	}
}

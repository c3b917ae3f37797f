package proof

import (
	"context"
	"encoding/binary"
	"errors"
	"net"
	"os"
	"path/filepath"
	"sync/atomic"
	"syscall"
	"time"

	"resellerbot/internal/app"
	"resellerbot/internal/store"
	"resellerbot/internal/store/bolt"
)

// storageKinds are the faults of the disk and of the database.
func storageKinds() []kind {
	return []kind{
		commits("S01", "the disk is full", func(int) error { return syscall.ENOSPC }, nil),
		commits("S02", "the file cannot grow", everyThird(syscall.ENOSPC), nil),
		commits("S03", "the first sync fails, and nothing is left", everyThird(syscall.EIO), nil),
		commits("S04", "the second sync fails, and everything is there", nil, everyThird(syscall.EIO)),
		between("S05", "pages that were never written whole", tornPages),
		between("S06", "a meta page that was never written whole", tornMeta),
		{id: "S07", name: "some writes before a sync are lost", by: "TestPowerCut in internal/store/bolt"},
		{id: "S08", name: "writes before a sync change places", by: "TestPowerCut in internal/store/bolt"},
		{id: "S09", name: "a disk that lies about its syncs", missing: "no program holds on a disk that forgets what it has promised; bot check tells of the damage"},
		backupsFail(),
		lockHeld(),
		commits("S12", "the file system is read-only", func(int) error { return syscall.EROFS }, nil),
		{id: "S13", name: "the file is cut under the map", missing: "the kernel ends the process, and the test with it; CheckFile is tested with files that are cut"},
		rot(),
		{id: "S15", name: "an older copy is restored", by: "TestProofRestore"},
		noFile(),
		disks("S17", "a sync takes five seconds", func() *diskFault {
			return &diskFault{access: func(ctx context.Context, _ *life) error { idle(ctx, 5*time.Second); return nil }}
		}),
		disks("S18", "a reader is stuck", func() *diskFault {
			var reads atomic.Int64
			return &diskFault{reading: func(ctx context.Context, _ *life, _ store.Kind) error {
				if reads.Add(1)%7 == 0 {
					idle(ctx, 20*time.Second)
				}
				return nil
			}}
		}),
	}
}

// processKinds are the faults of the process and of its clock.
func processKinds() []kind {
	return []kind{
		{id: "P01", name: "killed at each of 24 points", by: "TestProof"},
		repeats("P02", "SIGTERM again and again", 700*time.Millisecond, 6, func(l *lab) { l.restart() }),
		repeats("P03", "killed again and again, as for want of memory", 1100*time.Millisecond, 8, func(l *lab) { l.kill() }),
		loses(disks("P04", "a handler panics", func() *diskFault {
			var reads atomic.Int64
			return &diskFault{reading: func(_ context.Context, _ *life, k store.Kind) error {
				if k == store.KindSession || k == store.KindPurchase && reads.Add(1)%5 == 0 {
					panic("a defect in a handler")
				}
				return nil
			}}
		})),
		disks("P05", "a job panics", func() *diskFault {
			return &diskFault{claiming: func(_ context.Context, k store.Kind) error {
				if k == store.KindPurchase || k == store.KindAccount {
					panic("a defect in a job")
				}
				return nil
			}}
		}),
		{id: "P06", name: "a deadlock", missing: "a deadlock is a defect and no fault; a bubble that cannot go on fails its trial"},
		twoInstances(),
		{id: "P08", name: "an hour passes at once", world: func() *worldFault {
			return &worldFault{lasts: time.Hour, arm: func(l *lab, _ *errand) {
				l.running.Go(func() {
					<-time.After(1500 * time.Millisecond)
					l.down()
					<-time.After(time.Hour)
					l.up()
				})
			}}
		}},
		{id: "P09", name: "the clock goes back an hour", missing: "the clock of a bubble only goes forward"},
		disks("P10", "a job takes longer than its schedule", func() *diskFault {
			return &diskFault{claiming: func(ctx context.Context, _ store.Kind) error { idle(ctx, 7*time.Second); return nil }}
		}),
		noDescriptors(),
		{id: "P12", name: "a goroutine leaks", by: "every trial: its bubble must run dry"},
	}
}

// disks is a fault of the store.
func disks(id, name string, fault func() *diskFault) kind {
	return kind{id: id, name: name, world: func() *worldFault {
		return &worldFault{lasts: 10 * time.Minute, arm: func(l *lab, _ *errand) { l.disk.set(fault()) }}
	}}
}

// loses allows that the tap comes to nothing, which the person is told.
func loses(k kind) kind {
	plainly := k.world
	k.world = func() *worldFault { f := plainly(); f.exempt.lostTap = true; return f }
	return k
}

// commits fails commits, before anything is on disk or after everything is. The errors are by the number of
// the commit.
func commits(id, name string, before, after func(n int) error) kind {
	counted := func(fail func(int) error) func(*transaction) error {
		if fail == nil {
			return nil
		}
		var n atomic.Int64
		return func(*transaction) error { return fail(int(n.Add(1))) }
	}
	return disks(id, name, func() *diskFault { return &diskFault{before: counted(before), after: counted(after)} })
}

// everyThird fails one commit of three.
func everyThird(err error) func(int) error {
	return func(n int) error {
		if n%3 == 0 {
			return err
		}
		return nil
	}
}

// between kills the program at several commits of the purchase, and does something to the file before it is
// started again.
func between(id, name string, spoil func(path string) error) kind {
	return kind{id: id, name: name, world: func() *worldFault {
		return &worldFault{arm: func(l *lab, _ *errand) {
			l.between = func() {
				if err := spoil(l.database()); err != nil {
					l.eye.violatef("lab", "spoil the file: %v", err)
				}
			}
			for _, s := range []step{stepConfirm, stepSubmitting, stepOutcome, stepCode} {
				l.crash.arm(point{s, false}, 1)
			}
		}}
	}}
}

// tornPages writes nonsense behind the last page that is in use, where a commit would have put its own.
func tornPages(path string) error {
	return changeFile(path, func(f *os.File, metas [2]meta) error {
		now := metas[0]
		if metas[1].tx > now.tx {
			now = metas[1]
		}
		nonsense := make([]byte, 3*now.page)
		for i := range nonsense {
			nonsense[i] = byte(i*7 + 13)
		}
		_, err := f.WriteAt(nonsense, now.end)
		return err
	})
}

// tornMeta writes nonsense over the second half of the older meta page, which the next commit would have
// written.
func tornMeta(path string) error {
	return changeFile(path, func(f *os.File, metas [2]meta) error {
		old := metas[0]
		if metas[1].tx < old.tx {
			old = metas[1]
		}
		_, err := f.WriteAt([]byte("this was never written whole"), old.at+40)
		return err
	})
}

// meta is what a meta page of the file says.
type meta struct {
	at, page, end int64
	tx            uint64
}

// changeFile changes the closed file, whose two meta pages it reads.
func changeFile(path string, change func(*os.File, [2]meta) error) (err error) {
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	var metas [2]meta
	size := int64(os.Getpagesize())
	for i := range metas {
		head := make([]byte, 80)
		if _, err := f.ReadAt(head, int64(i)*size); err != nil {
			return err
		}
		// A page's header is 16 bytes; then magic, version, page size, flags, root (16), freelist, high-water mark, txid.
		word := func(at int) uint64 { return binary.NativeEndian.Uint64(head[16+at:]) }
		metas[i] = meta{at: int64(i) * size, page: size, end: int64(word(40)) * size, tx: word(48)}
	}
	return change(f, metas)
}

// backupsFail has copies of the database made every few seconds, to where none can be put.
func backupsFail() kind {
	return kind{id: "S10", name: "a copy cannot be put in its place", world: func() *worldFault {
		return &worldFault{prepare: func(l *lab) {
			l.env["BACKUP_DIR"], l.env["BACKUP_SCHEDULE"] = "copies", "@every 7s"
			if err := os.WriteFile(filepath.Join(l.dir, "copies"), nil, 0o600); err != nil {
				l.eye.violatef("lab", "%v", err)
			}
		}}
	}}
}

// lockHeld kills the program and holds its database until everything is well.
func lockHeld() kind {
	return kind{id: "S11", name: "the database is held by somebody else", world: func() *worldFault {
		var place *bolt.Place
		return &worldFault{
			arm: func(l *lab, _ *errand) {
				l.between = func() {
					if place != nil {
						return
					}
					var err error
					if place, err = bolt.Hold(l.database()); err != nil {
						l.eye.violatef("lab", "hold the database: %v", err)
					}
				}
				l.crash.arm(point{stepSubmitting, true}, 1)
			},
			cure: func(l *lab) {
				l.between = nil
				if place != nil {
					place.Release()
				}
			},
		}
	}}
}

// rot has orders and outbox rows read otherwise than they were written.
func rot() kind {
	return disks("S14", "records rot", func() *diskFault {
		return &diskFault{spoil: func(r *store.Record) {
			if (r.Kind == store.KindOrder || r.Kind == store.KindOutbox) && len(r.Value) > 0 {
				value := append([]byte(nil), r.Value...)
				value[0] ^= 0x40
				r.Value = value
			}
		}}
	})
}

// noFile kills the program and has something in the database's place that cannot be opened, until everything is
// well.
func noFile() kind {
	return kind{id: "S16", name: "the database cannot be opened", world: func() *worldFault {
		moved := false
		return &worldFault{
			arm: func(l *lab, _ *errand) {
				l.between = func() {
					if moved {
						return
					}
					moved = true
					err := os.Rename(l.database(), l.database()+".away")
					if err = errors.Join(err, os.Mkdir(l.database(), 0o700)); err != nil {
						l.eye.violatef("lab", "%v", err)
					}
				}
				l.crash.arm(point{stepOutcome, true}, 1)
			},
			cure: func(l *lab) {
				l.between = nil
				if !moved {
					return
				}
				if err := errors.Join(os.Remove(l.database()), os.Rename(l.database()+".away", l.database())); err != nil {
					l.eye.violatef("lab", "%v", err)
				}
			},
		}
	}}
}

// repeats does something to the process a number of times from the tap on.
func repeats(id, name string, every time.Duration, times int, do func(*lab)) kind {
	return kind{id: id, name: name, world: func() *worldFault {
		return &worldFault{lasts: 5 * time.Minute, arm: func(l *lab, _ *errand) {
			l.running.Go(func() {
				for range times {
					<-time.After(every)
					do(l)
				}
			})
		}}
	}}
}

// twoInstances starts a second process on the same database. It must end by itself, unless the first is killed
// meanwhile.
func twoInstances() kind {
	return kind{id: "P07", name: "a second process", world: func() *worldFault {
		return &worldFault{arm: func(l *lab, _ *errand) {
			l.running.Go(func() {
				<-time.After(500 * time.Millisecond)
				first, begin := l.living(), time.Now()
				ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
				defer cancel()
				w := l.world(&life{lab: l, cancel: cancel})
				w.Dial = func(context.Context, string, string) (net.Conn, error) { return nil, errDead }
				err := app.Run(ctx, w)
				if took := time.Since(begin); !first.dead.Load() && (!errors.Is(err, store.ErrInUse) || took > 5*time.Second) {
					l.eye.violatef("lab", "a second process ended after %v with: %v", took, err)
				}
			})
		}}
	}}
}

// noDescriptors has the process unable to open any connection.
func noDescriptors() kind {
	return kind{id: "P11", name: "no file descriptors left", world: func() *worldFault {
		return &worldFault{
			lasts: 5 * time.Minute,
			arm: func(l *lab, _ *errand) {
				l.noDials.Store(true)
				l.gate.cut()
			},
			cure: func(l *lab) { l.noDials.Store(false) },
		}
	}}
}

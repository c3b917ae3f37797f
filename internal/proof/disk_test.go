package proof

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"resellerbot/internal/store"
)

// disk stands between the program and its database: it sees every transaction, kills the program at
// commits, and fails as disks do.
type disk struct {
	store.Engine

	lab  *lab
	life *life

	mu      sync.Mutex
	commits int
	dues    map[store.Kind]nextDue // since the last commit
}

// Update implements store.Engine.
func (d *disk) Update(ctx context.Context, fn func(store.RecordTx) error) error {
	return d.transact(ctx, d.Engine.Update, fn)
}

// Batch implements store.Engine.
func (d *disk) Batch(ctx context.Context, fn func(store.RecordTx) error) error {
	return d.transact(ctx, d.Engine.Batch, fn)
}

// Same implements store.Comparer.
func (d *disk) Same(ctx context.Context, read ...store.Record) (bool, error) {
	for _, r := range read {
		if err := d.usable(d.lab.disk.reading(ctx, d.life, r.Kind)); err != nil {
			return false, err
		}
	}
	return store.Same(ctx, d.Engine, read...)
}

// Get implements store.Engine.
func (d *disk) Get(ctx context.Context, k store.Kind, key string) (store.Record, error) {
	if err := d.usable(d.lab.disk.reading(ctx, d.life, k)); err != nil {
		return store.Record{}, err
	}
	r, err := d.Engine.Get(ctx, k, key)
	d.lab.disk.rot(&r)
	return r, err
}

// Scan implements store.Engine.
func (d *disk) Scan(ctx context.Context, k store.Kind, prefix, after string, limit int) ([]store.Record, error) {
	if err := d.usable(d.lab.disk.reading(ctx, d.life, k)); err != nil {
		return nil, err
	}
	list, err := d.Engine.Scan(ctx, k, prefix, after, limit)
	for i := range list {
		d.lab.disk.rot(&list[i])
	}
	return list, err
}

// Claim implements store.Engine.
func (d *disk) Claim(ctx context.Context, k store.Kind, now time.Time, lease time.Duration, limit int) ([]store.Record, error) {
	if err := d.usable(d.lab.disk.access(ctx, d.life)); err != nil {
		return nil, err
	}
	if err := d.lab.disk.claiming(ctx, k); err != nil {
		return nil, err
	}
	if due, queued, err := d.remembered(ctx, k); err != nil || !queued || due.After(now) {
		return nil, err
	}
	defer d.changed()
	return d.Engine.Claim(ctx, k, now, lease, limit)
}

// NextDue implements store.Engine.
func (d *disk) NextDue(ctx context.Context, k store.Kind) (time.Time, bool, error) {
	if err := d.usable(d.lab.disk.reading(ctx, d.life, k)); err != nil {
		return time.Time{}, false, err
	}
	return d.remembered(ctx, k)
}

// remembered is when something of a kind is due, as it was read since the last commit: a program that has nothing
// to do asks very often, and most of a long world is that.
func (d *disk) remembered(ctx context.Context, k store.Kind) (time.Time, bool, error) {
	d.mu.Lock()
	was, known := d.dues[k]
	commits := d.commits
	d.mu.Unlock()
	if known {
		return was.at, was.queued, nil
	}
	at, queued, err := d.Engine.NextDue(ctx, k)
	d.mu.Lock()
	defer d.mu.Unlock()
	if err == nil && commits == d.commits {
		d.dues[k] = nextDue{at, queued}
	}
	return at, queued, err
}

// changed forgets what was remembered: something is about to be committed, or has just been.
func (d *disk) changed() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.commits++
	d.dues = map[store.Kind]nextDue{}
}

// nextDue is when the next record of a kind is due, if one is queued.
type nextDue struct {
	at     time.Time
	queued bool
}

// transact runs one transaction as the disk allows.
func (d *disk) transact(ctx context.Context, run func(context.Context, func(store.RecordTx) error) error, fn func(store.RecordTx) error) error {
	if err := d.usable(d.lab.disk.access(ctx, d.life)); err != nil {
		return err
	}
	var u *transaction
	err := run(ctx, func(tx store.RecordTx) error {
		u = &transaction{RecordTx: tx, disk: d}
		if err := fn(u); err != nil {
			return err
		}
		if u.wrote {
			d.changed()
		}
		return d.commit(u)
	})
	if u == nil || u.wrote {
		d.changed()
	}
	if err != nil {
		return err
	}
	return d.committed(u)
}

// usable fails where the program is dead, or the disk has failed already.
func (d *disk) usable(failed error) error {
	if d.life.storeless() {
		return errDead
	}
	return failed
}

// commit is the last moment before a commit.
func (d *disk) commit(u *transaction) error {
	if d.life.storeless() {
		return errDead
	}
	for _, s := range u.steps() {
		if d.lab.crash.reach(d.life, s, false) {
			return errDead
		}
	}
	if err := d.lab.disk.beforeCommit(u); err != nil {
		d.life.breakDown()
		return err
	}
	return nil
}

// committed is the first moment after a commit.
func (d *disk) committed(u *transaction) error {
	d.lab.eye.committed(u)
	if err := d.lab.disk.afterCommit(u); err != nil {
		d.life.breakDown()
		return err
	}
	for _, s := range u.steps() {
		if d.lab.crash.reach(d.life, s, true) {
			return errDead
		}
	}
	return nil
}

// transaction is one with what it writes.
type transaction struct {
	store.RecordTx

	disk    *disk
	changes []change
	wrote   bool // anything at all
}

// change is one write: now is what is put, its Value nil where it is deleted.
type change struct {
	was, now store.Record
}

// Get implements store.RecordTx.
func (u *transaction) Get(k store.Kind, key string) (store.Record, error) {
	r, err := u.RecordTx.Get(k, key)
	u.disk.lab.disk.rot(&r)
	return r, err
}

// Put implements store.RecordTx.
func (u *transaction) Put(r store.Record) (uint64, error) {
	var c change
	if watched(r.Kind) {
		was, err := u.RecordTx.Get(r.Kind, r.Key)
		if err != nil && !errors.Is(err, store.ErrNotFound) {
			return 0, err
		}
		c = change{was: was, now: r}
	}
	u.wrote = true
	version, err := u.RecordTx.Put(r)
	if err == nil && watched(r.Kind) {
		u.changes = append(u.changes, c)
	}
	return version, err
}

// Delete implements store.RecordTx.
func (u *transaction) Delete(r store.Record) error {
	var c change
	if watched(r.Kind) {
		was, err := u.RecordTx.Get(r.Kind, r.Key)
		if err != nil {
			return err
		}
		c = change{was: was, now: store.Record{Kind: r.Kind, Key: r.Key}}
	}
	u.wrote = true
	err := u.RecordTx.Delete(r)
	if err == nil && watched(r.Kind) {
		u.changes = append(u.changes, c)
	}
	return err
}

// watched reports whether the spy cares for a kind of records.
func watched(k store.Kind) bool {
	switch k {
	case store.KindPurchase, store.KindOrder, store.KindOutbox, store.KindInbox, store.KindMovement, store.KindList, store.KindAccount:
		return true
	}
	return false
}

// steps lists which steps of a purchase the transaction is.
func (u *transaction) steps() []step {
	var all []step
	if u.disk.lab.crash.idle() {
		return nil
	}
	for _, c := range u.changes {
		if s, ok := c.step(); ok {
			all = append(all, s)
		}
	}
	return all
}

// step tells which step of a purchase a change is.
func (c change) step() (step, bool) {
	switch c.now.Kind {
	case store.KindInbox:
		return stepInbox, c.was.Value == nil
	case store.KindPurchase:
		return stepOfPurchase(purchaseIn(c.was), purchaseIn(c.now))
	case store.KindOrder:
		was, now := orderIn(c.was), orderIn(c.now)
		return stepCode, was.State == store.Waiting && now.State != store.Waiting
	case store.KindOutbox:
		if c.now.Value != nil {
			return 0, false
		}
		_, id, _ := strings.Cut(c.now.Key, "/")
		if strings.Contains(id, ".") {
			return stepSent, strings.Contains(id, ".p")
		}
		return stepStatusMessage, true
	}
	return 0, false
}

// stepOfPurchase tells which step a change of a purchase's phase is.
func stepOfPurchase(was, now store.Purchase) (step, bool) {
	switch {
	case was.Phase == now.Phase:
		return 0, false
	case was.Phase == store.Drafted && now.Phase == store.Queued:
		return stepConfirm, true
	case now.Phase == store.Submitting:
		return stepSubmitting, true
	case was.Phase == store.Submitting:
		return stepOutcome, true
	case was.Phase == store.Unknown:
		return stepVerdict, true
	}
	return 0, false
}

// recordOf reads the open part of a record, as the store writes it.
func recordOf[T any](r store.Record) T {
	var row struct {
		Open T `json:"o"`
	}
	if text, err := store.JSONOf(r.Value); err == nil {
		_ = json.Unmarshal(text, &row)
	}
	return row.Open
}

func purchaseIn(r store.Record) store.Purchase { return recordOf[store.Purchase](r) }
func orderIn(r store.Record) store.Order       { return recordOf[store.Order](r) }
func movementIn(r store.Record) store.Movement { return recordOf[store.Movement](r) }
func listIn(r store.Record) store.List         { return recordOf[store.List](r) }
func accountIn(r store.Record) store.Account   { return recordOf[store.Account](r) }
func incomingIn(r store.Record) store.Incoming { return recordOf[store.Incoming](r) }
func outgoingIn(r store.Record) store.Outgoing { return recordOf[store.Outgoing](r) }

// diskFault is what a disk or a database does wrong; what is nil goes well. Only access and reading may
// wait: inside a transaction, others would wait for the lock in real time.
type diskFault struct {
	access   func(context.Context, *life) error             // before any transaction, also claims
	reading  func(context.Context, *life, store.Kind) error // before a read
	before   func(*transaction) error                       // fails a commit of which nothing is left
	after    func(*transaction) error                       // fails a commit that is on disk all the same
	claiming func(context.Context, store.Kind) error
	spoil    func(*store.Record)
}

// diskFaults is the fault in force.
type diskFaults struct{ now atomic.Pointer[diskFault] }

// set puts a fault in force; nil heals.
func (f *diskFaults) set(fault *diskFault) { f.now.Store(fault) }

// get is the fault in force, with nothing in it where there is none.
func (f *diskFaults) get() diskFault {
	if now := f.now.Load(); now != nil {
		return *now
	}
	return diskFault{}
}

func (f *diskFaults) access(ctx context.Context, p *life) error {
	if fn := f.get().access; fn != nil {
		return fn(ctx, p)
	}
	return nil
}

func (f *diskFaults) reading(ctx context.Context, p *life, k store.Kind) error {
	if fn := f.get().reading; fn != nil {
		return fn(ctx, p, k)
	}
	return nil
}

func (f *diskFaults) claiming(ctx context.Context, k store.Kind) error {
	if fn := f.get().claiming; fn != nil {
		return fn(ctx, k)
	}
	return nil
}

func (f *diskFaults) beforeCommit(u *transaction) error {
	if fn := f.get().before; fn != nil {
		return fn(u)
	}
	return nil
}

func (f *diskFaults) afterCommit(u *transaction) error {
	if fn := f.get().after; fn != nil {
		return fn(u)
	}
	return nil
}

func (f *diskFaults) rot(r *store.Record) {
	if fn := f.get().spoil; fn != nil {
		fn(r)
	}
}

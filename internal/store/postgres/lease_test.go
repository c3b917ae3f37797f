package postgres_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"resellerbot/internal/sampletest"
	"resellerbot/internal/store"
	"resellerbot/internal/store/postgres"
	"resellerbot/internal/store/postgres/pgtest"
)

// soon is a lease that tests can wait for, and that a process on a busy machine can keep.
const soon = 1500 * time.Millisecond

// replica opens an engine that tells when it has lost the lease.
func replica(ctx context.Context, address string) (e *postgres.Engine, lost chan error, err error) {
	lost = make(chan error, 1)
	e, err = postgres.Open(ctx, address, postgres.Options{
		Fatal: func(error) {}, Lost: func(err error) { lost <- err }, Lease: soon, Holder: "a replica",
	})
	return e, lost, err
}

// TestFrozenLeader: who stood still while another took over can write nothing, is told so at whatever it does first, and a
// transaction that it was in the middle of leaves nothing.
func TestFrozenLeader(t *testing.T) {
	sampletest.Waits(t)
	address := pgtest.Shared(t).Fresh(t)
	for name, wake := range map[string]func(*postgres.Engine) error{
		"Update": func(e *postgres.Engine) error {
			return e.Update(t.Context(), func(tx store.RecordTx) error { return put(tx, "kind", "late") })
		},
		"Claim": func(e *postgres.Engine) error {
			_, err := e.Claim(t.Context(), "queue", time.Now(), time.Hour, 9)
			return err
		},
		"Leading": func(e *postgres.Engine) error { return e.Leading(t.Context()) },
	} {
		t.Run(name, func(t *testing.T) {
			old, lost, err := replica(t.Context(), address)
			if err != nil {
				t.Fatal(err)
			}
			defer old.Close()
			if err := old.Update(t.Context(), func(tx store.RecordTx) error {
				r, err := tx.Get("queue", "due")
				if err != nil && !errors.Is(err, store.ErrNotFound) {
					return err
				}
				r.Kind, r.Key, r.Due = "queue", "due", time.UnixMicro(1)
				_, err = tx.Put(r)
				return err
			}); err != nil {
				t.Fatal(err)
			}
			old.Freeze()
			next, _, err := replica(t.Context(), address)
			if err != nil {
				t.Fatal(err)
			}
			defer next.Close()
			if err := wake(old); !errors.Is(err, store.ErrFenced) {
				t.Errorf("it ends in %v", err)
			}
			select {
			case <-lost:
			default:
				t.Error("it is not told")
			}
			if _, err := old.Get(t.Context(), "queue", "due"); !errors.Is(err, store.ErrFenced) {
				t.Errorf("and then it reads: %v", err)
			}
			if _, err := next.Get(t.Context(), "kind", "late"); !errors.Is(err, store.ErrNotFound) {
				t.Errorf("it has written: %v", err)
			}
		})
	}
}

// TestLeadingNeedsLife: who has not shown life for so long that another may be about to take over passes no gate, although nobody has:
// the answer that it hears may be of before it stood still.
func TestLeadingNeedsLife(t *testing.T) {
	sampletest.Waits(t)
	old, lost, err := replica(t.Context(), pgtest.Shared(t).Fresh(t))
	if err != nil {
		t.Fatal(err)
	}
	defer old.Close()
	old.Freeze()
	<-time.After(soon)
	if err := old.Leading(t.Context()); !errors.Is(err, store.ErrFenced) {
		t.Errorf("it passes with %v", err)
	}
	select {
	case <-lost:
	default:
		t.Error("it is not told")
	}
}

// TestFrozenMemory: who stood still while another took over says nothing that it remembers.
func TestFrozenMemory(t *testing.T) {
	sampletest.Waits(t)
	address := pgtest.Shared(t).Fresh(t)
	old, _, err := replica(t.Context(), address)
	if err != nil {
		t.Fatal(err)
	}
	defer old.Close()
	if err := old.Update(t.Context(), func(tx store.RecordTx) error { return put(tx, "kind", "a") }); err != nil {
		t.Fatal(err)
	}
	old.Freeze()
	next, _, err := replica(t.Context(), address)
	if err != nil {
		t.Fatal(err)
	}
	defer next.Close()
	err = next.Update(t.Context(), func(tx store.RecordTx) error {
		r, err := tx.Get("kind", "a")
		r.Value = []byte("later")
		return errors.Join(err, ignoreVersion(tx.Put(r)))
	})
	if err != nil {
		t.Fatal(err)
	}
	if r, err := old.Get(t.Context(), "kind", "a"); err != nil || string(r.Value) != "later" {
		t.Errorf("it says %q, %v", r.Value, err)
	}
}

func ignoreVersion(_ uint64, err error) error { return err }

// TestTransactionThatStandsStill: a transaction that its process has not come to the end of does not hold up who takes over, and is undone.
func TestTransactionThatStandsStill(t *testing.T) {
	sampletest.Waits(t)
	address := pgtest.Shared(t).Fresh(t)
	old, _, err := replica(t.Context(), address)
	if err != nil {
		t.Fatal(err)
	}
	defer old.Close()
	err = old.Update(t.Context(), func(tx store.RecordTx) error {
		if err := put(tx, "kind", "late"); err != nil {
			return err
		}
		old.Freeze()
		next, _, err := replica(t.Context(), address)
		if err != nil {
			return err
		}
		defer next.Close()
		return next.Update(t.Context(), func(tx store.RecordTx) error { return put(tx, "kind", "next") })
	})
	if err == nil {
		t.Error("the transaction is acknowledged")
	}
	last, _, err := replica(t.Context(), address)
	if err != nil {
		t.Fatal(err)
	}
	defer last.Close()
	if list, err := last.Scan(t.Context(), "kind", "", "", 9); err != nil || len(list) != 1 || list[0].Key != "next" {
		t.Errorf("there are %v, %v", list, err)
	}
}

// TestHandover: a clean stop lets the next one lead at once; who leads is waited for as long as it shows life.
func TestHandover(t *testing.T) {
	sampletest.Waits(t)
	address := pgtest.Shared(t).Fresh(t)
	leader, err := open(t, address)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	waits := make(chan string, 9)
	impatient := make(chan error, 1)
	go func() {
		_, err := postgres.Open(ctx, address, postgres.Options{Fatal: func(error) {}, Lost: func(error) {}, Waiting: func(why string) { waits <- why; cancel() }})
		impatient <- err
	}()
	if err := <-impatient; !errors.Is(err, context.Canceled) {
		t.Errorf("a second leader: %v", err)
	}
	<-waits
	next := make(chan error, 1)
	told := make(chan string, 9)
	go func() {
		e, err := postgres.Open(t.Context(), address, postgres.Options{Fatal: func(error) {}, Lost: func(error) {}, Waiting: func(why string) { told <- why }})
		if err == nil {
			err = e.Close()
		}
		next <- err
	}()
	<-told
	begin := time.Now()
	if err := errors.Join(leader.Close(), <-next); err != nil {
		t.Fatal(err)
	}
	if took := time.Since(begin); took > time.Second {
		t.Errorf("the handover took %v", took)
	}
}

// TestNoWait: whoever does not wait for a leader that lives is told of it, and gets the place of one that was killed.
func TestNoWait(t *testing.T) {
	sampletest.Waits(t)
	address := pgtest.Shared(t).Fresh(t)
	old, err := open(t, address)
	if err != nil {
		t.Fatal(err)
	}
	defer old.Close()
	open := func(lease time.Duration) (*postgres.Engine, error) {
		return postgres.Open(t.Context(), address, postgres.Options{Fatal: func(error) {}, Lost: func(error) {}, Lease: lease, NoWait: true})
	}
	// On a busy machine a leader that lives may be late: it has a lease of the usual length, and whoever looks is told at its next beat.
	if _, err := open(time.Minute); !errors.Is(err, store.ErrInUse) {
		t.Errorf("beside a leader that lives: %v", err)
	}
	old.Freeze()
	next, err := open(soon)
	if err != nil {
		t.Fatalf("after a leader that was killed: %v", err)
	}
	if err := next.Close(); err != nil {
		t.Error(err)
	}
}

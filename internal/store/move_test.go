package store_test

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"testing"
	"time"

	"resellerbot/internal/sampletest"
	"resellerbot/internal/secret"
	"resellerbot/internal/store"
	"resellerbot/internal/store/bolt"
	"resellerbot/internal/store/postgres"
	"resellerbot/internal/store/storetest"
)

// place is where a database of a move lies: a file, or a server's database.
type place func(testing.TB) store.Whole

func filePlace(tb testing.TB) place {
	tb.Helper()
	path := filepath.Join(tb.TempDir(), "bot.db")
	return func(tb testing.TB) store.Whole {
		tb.Helper()
		e, err := bolt.Open(path, bolt.Options{NoSync: true, Fatal: func(err error) { tb.Error(err) }})
		if err != nil {
			tb.Fatal(err)
		}
		return e
	}
}

func serverPlace(tb testing.TB) place {
	tb.Helper()
	address := storetest.Address(tb, tb.TempDir())
	return func(tb testing.TB) store.Whole {
		tb.Helper()
		fatal := func(err error) { tb.Error(err) }
		e, err := postgres.Open(tb.Context(), address, postgres.Options{Fatal: fatal, Lost: fatal, NoWait: true})
		if err != nil {
			tb.Fatal(err)
		}
		return e
	}
}

// ways are all that a move can go.
func ways(t *testing.T, play func(t *testing.T, from, to place)) {
	t.Helper()
	for name, way := range map[string][2]func(testing.TB) place{
		"file to file": {filePlace, filePlace}, "file to server": {filePlace, serverPlace},
		"server to file": {serverPlace, filePlace}, "server to server": {serverPlace, serverPlace},
	} {
		t.Run(name, func(t *testing.T) { play(t, way[0](t), way[1](t)) })
	}
}

// at opens a database for a moment.
func at[T any](t *testing.T, p place, do func(store.Whole) T) T {
	t.Helper()
	e := p(t)
	defer func() {
		if err := e.Close(); err != nil {
			t.Error(err)
		}
	}()
	return do(e)
}

// opens tells how a database is opened for work.
func opens(t *testing.T, p place) error {
	t.Helper()
	return at(t, p, func(e store.Whole) error {
		_, err := store.Open(t.Context(), e, storetest.Keyring(t))
		return err
	})
}

func digestOf(t *testing.T, p place) store.Digest {
	t.Helper()
	return at(t, p, func(e store.Whole) store.Digest {
		d, err := store.DigestOf(t.Context(), e)
		if err != nil {
			t.Fatal(err)
		}
		return d
	})
}

// peopled gives a database records of several kinds, sealed ones and queued ones among them, more than fit into one transaction of a copy.
func peopled(t *testing.T, p place) {
	t.Helper()
	e := p(t)
	s, err := store.Open(t.Context(), e, storetest.Keyring(t))
	if err != nil {
		t.Fatal(err)
	}
	now := time.Now()
	err = s.Update(t.Context(), func(tx *store.Tx) error {
		for i := range 700 {
			if err := tx.PutChat(&store.Chat{ID: int64(i - 50), Language: "fr"}); err != nil {
				return err
			}
		}
		return tx.PutAccount(&store.Account{ID: "u1", Key: secret.New("an API key"), LookAt: now})
	})
	for n := range 3 {
		for _, step := range sold(t, now, n) {
			err = errors.Join(err, s.Update(t.Context(), step))
		}
	}
	if err := errors.Join(err, s.Close()); err != nil {
		t.Fatal(err)
	}
}

// moveOver moves a database as a process does that may end at its n-th transaction; 0 is never.
func moveOver(t *testing.T, from, to place, n int) (store.Digest, error) {
	t.Helper()
	source, target := from(t), to(t)
	defer source.Close()
	defer target.Close()
	left := &n
	return store.Move(t.Context(), mortal{source, left}, mortal{target, left}, "elsewhere")
}

var errGone = errors.New("killed")

// mortal is a database that ends at a transaction, after that or before it: in both cases whoever runs it does nothing more.
type mortal struct {
	store.Whole

	left *int
}

// Update implements store.Engine.
func (d mortal) Update(ctx context.Context, fn func(store.RecordTx) error) error {
	if *d.left == 1 {
		return errGone
	}
	*d.left--
	return d.Whole.Update(ctx, fn)
}

// TestMove: all that was in a database is in the other one, as it was; the first is never opened again, and there and back
// again all is the same.
func TestMove(t *testing.T) {
	sampletest.Slow(t)
	t.Parallel()
	ways(t, func(t *testing.T, from, to place) {
		t.Helper()
		peopled(t, from)
		was := digestOf(t, from)
		d, err := moveOver(t, from, to, 0)
		if err != nil || d != was || was.Records < 700 {
			t.Fatalf("moved %v of %v: %v", d, was, err)
		}
		if now := digestOf(t, to); now != was {
			t.Errorf("there are %v, not %v", now, was)
		}
		if err := opens(t, from); !errors.Is(err, store.ErrMoved) {
			t.Errorf("what was left opens: %v", err)
		}
		if err := opens(t, to); err != nil {
			t.Errorf("where it is now it does not open: %v", err)
		}
		if _, err := moveOver(t, from, filePlace(t), 0); !errors.Is(err, store.ErrMoved) {
			t.Errorf("it is moved a second time: %v", err)
		}
		if _, err := moveOver(t, to, from, 0); !errors.Is(err, store.ErrNotEmpty) {
			t.Errorf("what was left is written over: %v", err)
		}
		back := filePlace(t)
		if d, err := moveOver(t, to, back, 0); err != nil || d != was || digestOf(t, back) != was {
			t.Errorf("back it is %v, not %v: %v", d, was, err)
		}
		at(t, back, func(e store.Whole) error {
			s, err := store.Open(t.Context(), e, storetest.Keyring(t))
			if err != nil {
				t.Fatal(err)
			}
			storetest.Sound(t, s)
			if a, err := s.Account(t.Context(), "u1"); err != nil || a.Key.Reveal() != "an API key" {
				t.Errorf("the account is %v, %v", a, err)
			}
			return nil
		})
	})
}

// TestMoveIsKilled: at whichever transaction that happens, at most one of the two is opened, it is whole, and the same move begun
// again comes to its end, also after the bot has worked on.
func TestMoveIsKilled(t *testing.T) {
	sampletest.Slow(t)
	t.Parallel()
	ways(t, func(t *testing.T, from, to place) {
		t.Helper()
		peopled(t, from)
		was := digestOf(t, from)
		tries, ended := 0, false
		for n := 1; !ended; n++ {
			tries++
			_, err := moveOver(t, from, to, n)
			if err != nil && !errors.Is(err, errGone) {
				t.Fatalf("killed at transaction %d: %v", n, err)
			}
			ended = err == nil
			here, there := opens(t, from), opens(t, to)
			if here == nil && digestOf(t, from) != was {
				t.Fatalf("killed at transaction %d the source has changed", n)
			}
			// A target that nothing was written to yet would be taken for a new database: opened here, it is one.
			if n <= 2 {
				to = again(t, to, there)
				continue
			}
			switch {
			case here == nil && there == nil:
				t.Fatalf("killed at transaction %d both open", n)
			case here != nil && !errors.Is(here, store.ErrMoved):
				t.Fatalf("killed at transaction %d the source says %v", n, here)
			case there != nil && !errors.Is(there, store.ErrArriving):
				t.Fatalf("killed at transaction %d the target says %v", n, there)
			case there == nil && !ended:
				t.Fatalf("killed at transaction %d the target opens", n)
			}
			if here == nil && n == 4 { // the bot has gone on
				at(t, from, func(e store.Whole) error {
					return e.Update(t.Context(), func(tx store.RecordTx) error {
						_, err := tx.Put(store.Record{Kind: store.KindSession, Key: "later", Value: []byte("{}")})
						return err
					})
				})
				was = digestOf(t, from)
			}
		}
		if got := digestOf(t, to); got != was || tries < 7 {
			t.Errorf("after %d tries there are %v, not %v", tries, got, was)
		}
		if opens(t, from) == nil || opens(t, to) != nil {
			t.Error("at its end not the target alone opens")
		}
	})
}

// TestMoveTakesAwayWhatWasLeft: a try that was stopped has left more than a transaction holds of records that are not in the source any
// more. None of them is in what the next try brings, whose marks of the move stay where they are.
func TestMoveTakesAwayWhatWasLeft(t *testing.T) {
	sampletest.Slow(t)
	t.Parallel()
	ways(t, func(t *testing.T, from, to place) {
		t.Helper()
		peopled(t, from)
		was := digestOf(t, from)
		if _, err := moveOver(t, from, to, 5); !errors.Is(err, errGone) { // all is written, and the source not closed yet
			t.Fatalf("it is stopped with %v", err)
		}
		left := digestOf(t, to)
		if err := opens(t, from); err != nil || left.Records <= 500 {
			t.Fatalf("%d records are left, and the source says %v", left.Records, err)
		}
		at(t, from, func(e store.Whole) error {
			chats, err := e.Scan(t.Context(), store.KindChat, "", "", 1000)
			if err != nil || len(chats) < 600 {
				t.Fatalf("the source holds %d chats, %v", len(chats), err)
			}
			return e.Update(t.Context(), func(tx store.RecordTx) error {
				for _, r := range chats[1:] {
					if err := tx.Delete(r); err != nil {
						return err
					}
				}
				return nil
			})
		})
		if _, err := moveOver(t, from, to, 0); err != nil {
			t.Fatal(err)
		}
		if got := digestOf(t, to); got == was || got != digestOf(t, from) {
			t.Errorf("the target holds %d records, %d of the first try", got.Records, left.Records)
		}
		if !errors.Is(opens(t, from), store.ErrMoved) || opens(t, to) != nil {
			t.Error("not the target alone opens")
		}
	})
}

// again is a place like another one, where that was opened and is not empty any more.
func again(t *testing.T, was place, err error) place {
	t.Helper()
	if err != nil {
		return was
	}
	return filePlace(t)
}

// TestMoveIsRefused: a database that holds something, or half of another one, takes in none; what may not be moved stays,
// and nothing is written.
func TestMoveIsRefused(t *testing.T) {
	t.Parallel()
	sampletest.Slow(t)
	ways(t, func(t *testing.T, from, to place) {
		t.Helper()
		peopled(t, from)
		other := filePlace(t)
		peopled(t, other)
		if _, err := moveOver(t, from, other, 0); !errors.Is(err, store.ErrNotEmpty) {
			t.Errorf("into one that has records: %v", err)
		}
		if err := at(t, other, func(e store.Whole) error { return store.MayTakeIn(t.Context(), e) }); !errors.Is(err, store.ErrNotEmpty) {
			t.Errorf("one that has records may take in another one: %v", err)
		}
		if d := digestOf(t, to); d.Records != 0 {
			t.Errorf("the target has %v", d)
		}
		if _, err := moveOver(t, from, to, 4); !errors.Is(err, errGone) {
			t.Fatal(err)
		}
		if err := at(t, to, func(e store.Whole) error { return store.MayTakeIn(t.Context(), e) }); err != nil {
			t.Errorf("half of one does not take in the rest: %v", err)
		}
		if _, err := moveOver(t, other, to, 0); !errors.Is(err, store.ErrArriving) {
			t.Errorf("into half of another one: %v", err)
		}
		if _, err := moveOver(t, to, filePlace(t), 0); !errors.Is(err, store.ErrArriving) {
			t.Errorf("half of one is moved: %v", err)
		}
		if err := opens(t, from); err != nil {
			t.Errorf("what was to be moved does not open: %v", err)
		}
	})
}

// TestMoveSeesADifference: what was changed on its way is not taken for the same.
func TestMoveSeesADifference(t *testing.T) {
	sampletest.Slow(t)
	t.Parallel()
	ways(t, func(t *testing.T, from, to place) {
		t.Helper()
		peopled(t, from)
		err := at(t, from, func(source store.Whole) error {
			return at(t, to, func(target store.Whole) error {
				_, err := store.Move(t.Context(), source, changing{target}, "elsewhere")
				return err
			})
		})
		if !errors.Is(err, store.ErrUnlike) {
			t.Errorf("it is %v", err)
		}
		if err := opens(t, from); err != nil {
			t.Errorf("what was to be moved does not open: %v", err)
		}
	})
}

// changing is a database that keeps one time a microsecond later than it was told.
type changing struct{ store.Whole }

// Update implements store.Engine.
func (c changing) Update(ctx context.Context, fn func(store.RecordTx) error) error {
	return c.Whole.Update(ctx, func(tx store.RecordTx) error { return fn(late{tx}) })
}

type late struct{ store.RecordTx }

// Put implements store.RecordTx.
func (l late) Put(r store.Record) (uint64, error) {
	if !r.Due.IsZero() {
		r.Due = r.Due.Add(time.Microsecond)
	}
	version, err := l.RecordTx.Put(r)
	if err != nil {
		return 0, fmt.Errorf("put: %w", err)
	}
	return version, nil
}

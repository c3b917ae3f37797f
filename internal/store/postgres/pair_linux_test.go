package postgres_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"strconv"
	"sync"
	"testing"
	"time"

	"resellerbot/internal/sampletest"
	"resellerbot/internal/store"
	"resellerbot/internal/store/postgres"
	"resellerbot/internal/store/postgres/pgtest"
)

// openPair opens the bot's database, wherever it can be written to.
func openPair(t *testing.T, p *pgtest.Pair, o postgres.Options) *postgres.Engine {
	t.Helper()
	o.Lease = 3 * time.Second // that of one that has ended is waited for, and a busy machine may keep one from showing life
	e, err := postgres.Open(t.Context(), p.URL(), o)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// TestPair: what deploy/postgres makes is a primary whose commits wait for its standby; that one is promoted as docs/operate.md says,
// and has all that was acknowledged.
func TestPair(t *testing.T) {
	sampletest.Waits(t)
	t.Parallel()
	p := pgtest.NewPair(t, "")
	e := openPair(t, p, postgres.Options{Fatal: func(error) {}, Lost: func(error) {}, Standby: true})
	if now, err := e.Leadership(t.Context()); err != nil || now.Standbys != 1 || !now.Counted {
		t.Errorf("with its standby it says %+v (%v)", now, err)
	}
	wrote(t, e, 20, "before")
	p.Run(pgtest.Primary, "pg_ctl", "-m", "immediate", "stop") // as a crash does
	_ = e.Close()                                              // it cannot give the lease back
	p.Promote()
	e = openPair(t, p, postgres.Options{Fatal: func(err error) { t.Error(err) }, Lost: func(err error) { t.Error(err) }})
	defer e.Close()
	for caller := range 5 {
		for i := range 20 {
			if _, err := e.Get(t.Context(), store.Kind("kind"), "before"+strconv.Itoa(caller)+"."+strconv.Itoa(i)); err != nil {
				t.Errorf("transaction %d of %d: %v", i, caller, err)
			}
		}
	}
}

// TestPrimaryKilled: all processes of the primary end by SIGKILL while eight buyers write, and its standby is promoted. Where commits wait
// for it, what was acknowledged is found, each purchase with its message, and no version is given twice. The same with a standby that
// is not waited for loses some, if not each time: so the test would see it.
//
// FAILOVERS says how often, each with a pair of servers of its own. In every other one the standby lags when the primary goes.
func TestPrimaryKilled(t *testing.T) {
	sampletest.Long(t)
	rounds := 1
	if text := os.Getenv("FAILOVERS"); text != "" {
		var err error
		if rounds, err = strconv.Atoi(text); err != nil {
			t.Fatalf("FAILOVERS: %v", err)
		}
	}
	transactions, most := 0, 0
	for round := range rounds {
		t.Run(fmt.Sprint("waited for/", round), func(t *testing.T) {
			f := newFailover(t, true, round%2 == 1)
			if lost := f.lost(); lost > 0 {
				t.Errorf("%d of %d acknowledged transactions are gone", lost, len(f.acknowledged))
			}
			transactions += len(f.acknowledged)
		})
	}
	for round := range (rounds + 3) / 4 {
		t.Run(fmt.Sprint("not waited for/", round), func(t *testing.T) {
			f := newFailover(t, false, true)
			lost := f.lost()
			t.Logf("%d of %d acknowledged transactions are gone", lost, len(f.acknowledged))
			most = max(most, lost)
		})
	}
	if most == 0 {
		t.Error("without waiting nothing is lost: what is tried here proves nothing")
	}
	t.Logf("%d primaries killed under eight buyers: %d transactions acknowledged, and found; without waiting up to %d lost at once", rounds, transactions, most)
}

// failover is one: who was acknowledged what, and the database afterwards.
type failover struct {
	t  *testing.T
	by *postgres.Engine

	mu           sync.Mutex
	acknowledged map[string]uint64 // purchases, with their versions
	newest       uint64
}

const buyers = 8

// newFailover has buyers write, and kills their primary under them.
func newFailover(t *testing.T, waits, lags bool) *failover {
	t.Helper()
	p := pgtest.NewPair(t, "")
	if !waits {
		p.Asynchronous()
	}
	e := openPair(t, p, postgres.Options{Fatal: func(error) {}, Lost: func(error) {}, Standby: waits})
	f := &failover{t: t, acknowledged: map[string]uint64{}}
	var busy sync.WaitGroup
	for n := range buyers {
		busy.Go(func() {
			for i, ok := 0, true; ok; i++ {
				ok = f.buy(e, fmt.Sprintf("%d.%d", n, i))
			}
		})
	}
	<-time.After(time.Second + rand.N(time.Second))
	if lags {
		p.Lag()
		<-time.After(50*time.Millisecond + rand.N(300*time.Millisecond))
	}
	p.Kill()
	busy.Wait()
	_ = e.Close() // it cannot give the lease back
	p.Promote()
	f.by = openPair(t, p, postgres.Options{Fatal: func(err error) { t.Error(err) }, Lost: func(err error) { t.Error(err) }})
	t.Cleanup(func() { f.by.Close() })
	return f
}

// buy is what a purchase writes: what a shop has spent, which all buyers of the shop change, the purchase, its order and its message.
func (f *failover) buy(e *postgres.Engine, name string) (acknowledged bool) {
	var version uint64
	err := e.Update(context.Background(), func(tx store.RecordTx) error {
		shop := "shop " + strconv.Itoa(int(name[0])%(buyers/2)) // of two buyers each
		spent, err := tx.Get("account", shop)
		if err != nil && !errors.Is(err, store.ErrNotFound) {
			return err
		}
		spent.Kind, spent.Key, spent.Value = "account", shop, []byte(name)
		_, err = tx.Put(spent)
		version, _ = tx.Put(store.Record{Kind: "purchase", Key: name, Value: []byte(name)})
		return errors.Join(err, put(tx, "order", name), put(tx, "outbox", name))
	})
	if err != nil {
		return false
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.acknowledged[name] = version
	f.newest = max(f.newest, version)
	return true
}

// lost counts what was acknowledged and is not there. What is there has to be whole, and what is written next has versions of its own.
func (f *failover) lost() (lost int) {
	f.t.Helper()
	ctx := context.Background()
	there := map[string]map[string]uint64{}
	for _, k := range []store.Kind{"purchase", "order", "outbox"} {
		there[string(k)] = map[string]uint64{}
		list, err := f.by.Scan(ctx, k, "", "", 1<<20)
		if err != nil {
			f.t.Fatal(err)
		}
		for _, r := range list {
			there[string(k)][r.Key] = r.Version
		}
	}
	for name, version := range f.acknowledged {
		switch found, ok := there["purchase"][name]; {
		case !ok:
			lost++
		case found != version:
			f.t.Errorf("purchase %s was given version %d, and has %d", name, version, found)
		}
	}
	given := map[uint64]string{}
	for name, version := range there["purchase"] {
		if there["order"][name] == 0 || there["outbox"][name] == 0 {
			f.t.Errorf("purchase %s is there without its order or its message", name)
		}
		if given[version] != "" {
			f.t.Errorf("purchases %s and %s have one version", name, given[version])
		}
		given[version] = name
	}
	next := &failover{t: f.t, acknowledged: map[string]uint64{}}
	for i := range 50 {
		name := fmt.Sprintf("%d.after.%d", i%buyers, i)
		if !next.buy(f.by, name) {
			f.t.Fatalf("nothing can be bought after the failover")
		}
		if version := next.acknowledged[name]; version <= f.newest {
			f.t.Errorf("version %d is given after %d", version, f.newest)
		}
	}
	return lost
}

package postgres_test

import (
	"context"
	"errors"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"resellerbot/internal/sampletest"
	"resellerbot/internal/store"
	"resellerbot/internal/store/postgres"
	"resellerbot/internal/store/postgres/pgtest"
)

// TestRequirements: a server that would lose what is promised is refused, with a reason.
func TestRequirements(t *testing.T) {
	sampletest.Waits(t)
	shared := pgtest.Shared(t)
	shared.Do(t, "create database ascii encoding 'SQL_ASCII' template template0")
	refused := func(address, words string, o postgres.Options) {
		t.Helper()
		o.Fatal, o.Lost = func(error) {}, func(error) {}
		e, err := postgres.Open(t.Context(), address, o)
		if err == nil {
			e.Close()
		}
		if _, ok := errors.AsType[postgres.RequirementError](err); !ok || !strings.Contains(err.Error(), words) {
			t.Errorf("opens with %v; want %q", err, words)
		}
	}
	refused(shared.URL("ascii", nil), "SQL_ASCII", postgres.Options{})
	refused(shared.Fresh(t), "DATABASE_STANDBY", postgres.Options{Standby: true})
	var warned []string
	warns, err := postgres.Open(t.Context(), shared.Fresh(t), postgres.Options{
		Fatal: func(error) {}, Lost: func(error) {}, Warn: func(what string) { warned = append(warned, what) },
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := warns.Close(); err != nil || len(warned) != 1 || !strings.Contains(warned[0], "synchronous_standby_names") {
		t.Errorf("without a standby that is not demanded it warns of %q (%v)", warned, err)
	}

	careless := pgtest.New(t, "fsync=off", "full_page_writes=off")
	refused(careless.URL("postgres", nil), "fsync", postgres.Options{})
	e, err := postgres.Open(t.Context(), careless.URL("postgres", nil), postgres.Options{Fatal: func(error) {}, Lost: func(error) {}, Unsafe: true})
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(e.Close(), careless.Down()); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(careless.Dir, "data", "standby.signal"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	if err := careless.Up(); err != nil {
		t.Fatal(err)
	}
	refused(careless.URL("postgres", nil), "in recovery", postgres.Options{})
}

// TestStandbyThatIsNotThere: where commits wait for a standby that is gone, the start waits as well, and says why.
func TestStandbyThatIsNotThere(t *testing.T) {
	sampletest.Waits(t)
	t.Parallel()
	server := pgtest.New(t, "synchronous_standby_names=nobody")
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	said := make(chan string, 1)
	_, err := postgres.Open(ctx, server.URL("postgres", nil), postgres.Options{
		Fatal: func(error) {}, Lost: func(error) {}, Standby: true, Waiting: func(why string) { said <- why; cancel() },
	})
	if _, err := postgres.Open(t.Context(), server.URL("postgres", nil), postgres.Options{Fatal: func(error) {}, Lost: func(error) {}, NoWait: true}); err == nil || !strings.Contains(err.Error(), "commits wait") {
		t.Errorf("who does not wait is told %v", err)
	}
	select {
	case why := <-said:
		if !strings.Contains(why, "synchronous_standby_names") || !errors.Is(err, context.Canceled) {
			t.Errorf("it says %q, and ends with %v", why, err)
		}
	default:
		t.Errorf("it says nothing, and ends with %v", err)
	}
}

// TestNoSecretInErrors: an address holds a password, and no error repeats it.
func TestNoSecretInErrors(t *testing.T) {
	shared := pgtest.Shared(t)
	stranger, err := url.Parse(shared.URL("postgres", nil))
	if err != nil {
		t.Fatal(err)
	}
	stranger.User = url.UserPassword("stranger", "hunter2")
	for _, address := range []string{stranger.String(), "postgres://bot:hunter2@[::1", "postgres://bot:hunter2@127.0.0.1:1/x", "hunter2"} {
		e, err := open(t, address)
		if err == nil {
			e.Close()
			t.Errorf("%s opens", address)
			continue
		}
		if strings.Contains(err.Error(), "hunter2") {
			t.Errorf("an error holds the password: %v", err)
		}
	}
}

// TestStandbyThatIsNotWaitedFor: a commit of which the server says that no standby has it is in doubt, although the server
// calls it a success.
func TestStandbyThatIsNotWaitedFor(t *testing.T) {
	sampletest.Waits(t)
	t.Parallel()
	server := pgtest.New(t)
	fatal := make(chan error, 1)
	e, err := postgres.Open(t.Context(), server.URL("postgres", nil), postgres.Options{Fatal: func(err error) { fatal <- err }, Lost: func(error) {}})
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	if now, err := e.Leadership(t.Context()); err != nil || now.Counted {
		t.Errorf("where nobody is waited for it says %+v (%v)", now, err)
	}
	write := func(key string) error {
		return e.Update(context.Background(), func(tx store.RecordTx) error { return put(tx, "kind", key) })
	}
	if err := write("before"); err != nil { // and draws the versions that the next one needs
		t.Fatal(err)
	}
	admin, err := pgx.Connect(t.Context(), server.URL("postgres", url.Values{"synchronous_commit": {"local"}}))
	if err != nil {
		t.Fatal(err)
	}
	defer admin.Close(context.Background())
	for _, s := range []string{"alter system set synchronous_standby_names = 'nobody'", "select pg_reload_conf()"} {
		if _, err := admin.Exec(t.Context(), s); err != nil {
			t.Fatal(err)
		}
	}
	for names := ""; names == ""; {
		if err := admin.QueryRow(t.Context(), "select current_setting('synchronous_standby_names') from pg_sleep(0.02)").Scan(&names); err != nil {
			t.Fatal(err)
		}
	}
	if now, err := e.Leadership(t.Context()); err != nil || !now.Counted || now.Standbys != 0 || now.Epoch != 1 || time.Since(now.Beat) > 10*time.Second {
		t.Errorf("without the standby that is waited for it says %+v (%v)", now, err)
	}
	transaction := make(chan error, 1)
	go func() { transaction <- write("after") }()
	for ended := false; !ended; {
		err := admin.QueryRow(t.Context(), `select coalesce(bool_or(pg_cancel_backend(pid)), false) from pg_stat_activity, pg_sleep(0.02) where wait_event = 'SyncRep'`).Scan(&ended)
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := <-transaction; err == nil {
		t.Error("a commit that no standby has is acknowledged")
	}
	select {
	case err := <-fatal:
		t.Log(err)
	default:
		t.Error("the doubt is not told")
	}
	if err := e.Update(t.Context(), func(store.RecordTx) error { return nil }); err == nil {
		t.Error("the engine goes on after a doubt")
	}
}

// TestServerComesBack: while the server is down every call fails soon and as known, and goes on once it is back.
func TestServerComesBack(t *testing.T) {
	sampletest.Waits(t)
	t.Parallel()
	server := pgtest.New(t)
	e, err := open(t, server.URL("postgres", nil))
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	write := func(key string) error {
		return e.Update(t.Context(), func(tx store.RecordTx) error { return put(tx, "kind", key) })
	}
	if err := errors.Join(write("a"), server.Down()); err != nil {
		t.Fatal(err)
	}
	if err := write("b"); err == nil {
		t.Error("a transaction succeeds without a server")
	}
	if _, err := e.Get(t.Context(), "kind", "never read"); err == nil || errors.Is(err, store.ErrNotFound) {
		t.Errorf("a read without a server: %v", err)
	}
	if err := errors.Join(server.Up(), write("c")); err != nil {
		t.Fatal(err)
	}
	list, err := e.Scan(t.Context(), "kind", "", "", 9)
	if err != nil || len(list) != 2 || list[0].Key != "a" || list[1].Key != "c" {
		t.Errorf("there are %v, %v", list, err)
	}
}

// TestTwoBeside: what the transactions promise holds between processes too: no transaction overwrites another's, no record is
// claimed twice, versions rise.
func TestTwoBeside(t *testing.T) {
	address := pgtest.Shared(t).Fresh(t)
	first, err := open(t, address)
	if err != nil {
		t.Fatal(err)
	}
	defer first.Close()
	second, err := first.Beside(t.Context(), address, postgres.Options{Fatal: func(err error) { t.Error(err) }, Lost: func(err error) { t.Error(err) }})
	if err != nil {
		t.Fatal(err)
	}
	defer second.Part()
	const each, queued = 60, 120
	err = first.Update(t.Context(), func(tx store.RecordTx) error {
		for i := range queued {
			if _, err := tx.Put(store.Record{Kind: "queue", Key: strconv.Itoa(i), Due: time.UnixMicro(int64(i + 1))}); err != nil {
				return err
			}
		}
		return put(tx, "sum", "a")
	})
	if err != nil {
		t.Fatal(err)
	}
	var wg sync.WaitGroup
	claimed := make(chan store.Record, 4*queued)
	for _, e := range []*postgres.Engine{first, second} {
		for range 2 {
			wg.Go(func() { countUp(t, e, each/2) })
			wg.Go(func() {
				for {
					list, err := e.Claim(t.Context(), "queue", time.UnixMicro(1e6), time.Hour, 5)
					if err != nil {
						t.Error(err)
					}
					if len(list) == 0 {
						return
					}
					for _, r := range list {
						claimed <- r
					}
				}
			})
		}
	}
	wg.Wait()
	close(claimed)
	sum, err := first.Scan(t.Context(), "sum", "", "", 1) // what the first remembers, the second has changed
	if err != nil || len(sum) != 1 || len(sum[0].Value) != 1+2*each {
		t.Errorf("of %d transactions these count: %v, %v", 2*each, sum, err)
	}
	keys, versions := map[string]bool{}, map[uint64]bool{}
	for r := range claimed {
		if keys[r.Key] || versions[r.Version] {
			t.Errorf("%v is claimed again, or its version given twice", r)
		}
		keys[r.Key], versions[r.Version] = true, true
	}
	if len(keys) != queued {
		t.Errorf("%d of %d are claimed", len(keys), queued)
	}
}

// countUp adds to a record so many times.
func countUp(t *testing.T, e *postgres.Engine, times int) {
	t.Helper()
	last := uint64(0)
	for range times {
		err := e.Update(t.Context(), func(tx store.RecordTx) error {
			r, err := tx.Get("sum", "a")
			if err != nil {
				return err
			}
			r.Value = append(r.Value, '1')
			v, err := tx.Put(r)
			if v <= r.Version || v <= last {
				t.Errorf("version %d comes after %d and %d", v, r.Version, last)
			}
			last = r.Version
			return err
		})
		if err != nil {
			t.Error(err)
		}
	}
}

// TestPlans: on a table of which the server knows nothing yet every statement goes by an index.
func TestPlans(t *testing.T) {
	server := pgtest.Shared(t)
	e, err := open(t, server.Fresh(t))
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	begin := time.Now()
	err = e.Update(t.Context(), func(tx store.RecordTx) error {
		for i := range 2000 {
			if _, err := tx.Put(store.Record{Kind: "kind", Key: strconv.Itoa(i), Due: time.UnixMicro(int64(i + 1)), Value: make([]byte, 500)}); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := e.Claim(t.Context(), "kind", time.UnixMicro(1e6), time.Hour, 40); err != nil {
		t.Fatal(err)
	}
	t.Logf("2,000 records and a claim took %v", time.Since(begin))
	for name, args := range map[string][]any{
		"bot_get": {"kind", []byte("1")}, "bot_scan": {"kind", []byte{}, []byte{}, 9}, "bot_scan_to": {"kind", []byte{}, []byte{}, 9, []byte{255}},
		"bot_next_due": {"kind"}, "bot_claim": {"kind", 1, 9, 1, 1}, "bot_lock": {"kind", []byte("1"), 1}, "bot_is": {"kind", []byte("1"), 1}, "bot_is_not": {"kind", []byte("1")},
		"bot_update": {"kind", []byte("1"), 1, 2, 1, []byte{}}, "bot_delete": {"kind", []byte("1"), 1},
	} {
		plan, err := e.Explain(t.Context(), name, args...)
		text := strings.Join(plan, "\n")
		if err != nil || !strings.Contains(text, "Index") || strings.Contains(text, "Seq Scan") || strings.Contains(text, "Bitmap") || strings.Contains(text, "Sort") {
			t.Errorf("%s: %v\n%s", name, err, text)
		}
	}
}

package postgres_test

import (
	"context"
	"crypto/rand"
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"resellerbot/internal/sampletest"
	"resellerbot/internal/store"
	"resellerbot/internal/store/postgres"
	"resellerbot/internal/store/postgres/pgtest"
)

// TestWrongPassword: it is refused at once, with words that say so and without the password.
func TestWrongPassword(t *testing.T) {
	t.Parallel()
	sampletest.Waits(t)
	server := pgtest.New(t)
	server.Do(t, "create role clerk login password 'right'")
	server.Do(t, "create schema authorization clerk")
	hba := filepath.Join(server.Dir, "data", "pg_hba.conf")
	if err := os.WriteFile(hba, []byte("local all clerk scram-sha-256\nlocal all all trust\n"), 0o600); err != nil { //nolint:dupword // that is how it reads
		t.Fatal(err)
	}
	server.Do(t, "select pg_reload_conf()")
	for password, want := range map[string]string{"right": "", "hunter2": "password authentication failed"} {
		e, err := open(t, strings.Replace(server.URL("postgres", nil), "bot@", "clerk:"+password+"@", 1))
		closed := err
		if err == nil {
			closed = e.Close()
		}
		switch {
		case want == "" && closed != nil:
			t.Errorf("with the right one: %v", closed)
		case want != "" && (err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), password)):
			t.Errorf("with a wrong one: %v", err)
		}
	}
}

// TestServerWithoutRoom: the disk of the server is full. What is refused is known not to be there, or told as a doubt; what was
// acknowledged is there, and there is more to come once there is room.
func TestServerWithoutRoom(t *testing.T) {
	sampletest.Long(t)
	const small, large = "size=120m,mode=0755", "size=600m,mode=0755"
	dir, err := os.MkdirTemp("", "full-*") //nolint:usetesting // the name of a socket is short
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(dir)
	if err := syscall.Mount("tmpfs", dir, "tmpfs", 0, small); err != nil {
		t.Skipf("no small disk is to be had here: %v", err)
	}
	defer func() { _ = syscall.Unmount(dir, syscall.MNT_DETACH) }()
	server, err := pgtest.StartIn(dir, "max_wal_size=32MB", "shared_buffers=16MB")
	if errors.Is(err, pgtest.ErrNone) {
		t.Skip(err)
	}
	if err != nil {
		t.Fatal(err)
	}
	defer server.Stop()
	address, doubts := server.URL("postgres", nil), 0
	e, err := postgres.Open(t.Context(), address, postgres.Options{Fatal: func(error) { doubts++ }, Lost: func(error) {}})
	if err != nil {
		t.Fatal(err)
	}
	write := func(e *postgres.Engine, key string) error {
		value := make([]byte, 200<<10)
		_, _ = rand.Read(value) // it never fails
		return e.Update(context.Background(), func(tx store.RecordTx) error {
			_, err := tx.Put(store.Record{Kind: "kind", Key: key, Value: value})
			return errors.Join(err, put(tx, "beside", key))
		})
	}
	const most = 2000 // far more than there is room for
	acknowledged, refused := []string{}, ""
	for i := 0; i < most && refused == ""; i++ {
		switch key := strconv.Itoa(i); {
		case doubts > 0:
			t.Fatal("a doubt is told of a transaction that was acknowledged")
		default:
			if err = write(e, key); err != nil {
				refused = key
				break
			}
			acknowledged = append(acknowledged, key)
		}
	}
	t.Logf("after %d transactions: %v; %d doubts", len(acknowledged), err, doubts)
	if refused == "" {
		t.Fatal("the disk is never full")
	}
	if doubts == 0 && !strings.Contains(err.Error(), "No space left on device") {
		t.Errorf("it does not say why: %v", err)
	}
	if err := syscall.Mount("tmpfs", dir, "tmpfs", syscall.MS_REMOUNT, large); err != nil {
		t.Fatal(err)
	}
	known := doubts == 0
	_ = e.Close()     // the server may be gone
	_ = server.Down() // it may have ended by itself
	if err := server.Up(); err != nil {
		t.Fatal(err)
	}
	if e, err = open(t, address); err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	for _, key := range acknowledged {
		for _, k := range []store.Kind{"kind", "beside"} {
			if _, err := e.Get(t.Context(), k, key); err != nil {
				t.Errorf("%s %s was acknowledged: %v", k, key, err)
			}
		}
	}
	_, one := e.Get(t.Context(), "kind", refused)
	_, two := e.Get(t.Context(), "beside", refused)
	if (one == nil) != (two == nil) || known && !errors.Is(one, store.ErrNotFound) {
		t.Errorf("of what was refused there are %v and %v", one, two)
	}
	if err := write(e, "more"); err != nil {
		t.Error(err)
	}
}

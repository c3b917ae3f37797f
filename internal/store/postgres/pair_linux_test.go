package postgres_test

import (
	"context"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"syscall"
	"testing"
	"time"

	"resellerbot/internal/store"
	"resellerbot/internal/store/postgres"
	"resellerbot/internal/store/postgres/pgtest"
)

// pair is a primary and its standby, as the scripts in deploy/postgres make them.
type pair struct {
	t        *testing.T
	dir, bin string
	owner    *syscall.Stat_t
}

// command is a program of PostgreSQL's, or one of the scripts, as the server's user.
func (p pair) command(data, port, name string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(context.Background(), name, args...)
	cmd.Dir, cmd.Env = p.dir, []string{
		"PATH=" + p.bin + ":" + os.Getenv("PATH"), "PGDATA=" + filepath.Join(p.dir, data), "PGHOST=" + p.dir, "PGPORT=" + port, "LC_ALL=C",
		"POSTGRES_USER=postgres", "BOT_PASSWORD=b'ot", "REPLICATOR_PASSWORD=rep", "PRIMARY=" + p.dir, "PRIMARY_PORT=1",
	}
	cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	if os.Getuid() == 0 {
		cmd.SysProcAttr.Credential = &syscall.Credential{Uid: p.owner.Uid, Gid: p.owner.Gid}
	}
	return cmd
}

func (p pair) run(data, port, name string, args ...string) {
	p.t.Helper()
	if out, err := p.command(data, port, name, args...).CombinedOutput(); err != nil {
		p.t.Fatalf("%s %v: %v\n%s", name, args, err, out)
	}
}

// serves waits until a server answers.
func (p pair) serves(data, port string) {
	p.t.Helper()
	p.run(data, port, "bash", "-c", `for _ in $(seq 300); do psql -U postgres -Atqc "select 1" postgres >/dev/null 2>&1 && exit; sleep 0.1; done; exit 1`)
}

// open opens the bot's database, wherever it can be written to.
func (p pair) open(o postgres.Options) (*postgres.Engine, error) {
	address := url.URL{Scheme: "postgres", User: url.UserPassword("bot", "b'ot"), Path: "/bot", RawQuery: url.Values{
		"host": {p.dir + "," + p.dir}, "port": {"1,2"}, "target_session_attrs": {"read-write"},
	}.Encode()}
	o.Lease = time.Second
	return postgres.Open(p.t.Context(), address.String(), o)
}

// newPair makes both servers, by the scripts.
func newPair(t *testing.T) pair {
	t.Helper()
	server := pgtest.New(t) // for its folder alone, and its user
	info, err := os.Stat(server.Dir)
	if err != nil {
		t.Fatal(err)
	}
	owner, _ := info.Sys().(*syscall.Stat_t)
	p := pair{t: t, dir: server.Dir, owner: owner, bin: server.Programs()}
	scripts := filepath.Join(p.dir, "scripts")
	if err := os.CopyFS(scripts, os.DirFS("../../../deploy/postgres")); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(scripts, 0o755); err != nil {
		t.Fatal(err)
	}
	p.run("one", "1", "initdb", "-U", "postgres", "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync")
	up := []string{"-w", "-o", "-k " + p.dir + " -c listen_addresses='' -c cluster_name=primary", "-l", filepath.Join(p.dir, "one.log")}
	p.run("one", "1", "pg_ctl", append(up, "start")...)
	p.run("one", "1", "sh", filepath.Join(scripts, "primary.sh"))
	p.run("one", "1", "pg_ctl", append(up, "restart")...)
	standby := p.command("two", "2", "sh", filepath.Join(scripts, "standby.sh"), "-k", p.dir, "-c", "listen_addresses=", "-c", "cluster_name=standby", "-c", "port=2")
	if err := standby.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = p.command("one", "1", "pg_ctl", "-m", "immediate", "stop").Run() // it may be down
		_ = p.command("two", "2", "pg_ctl", "-m", "immediate", "stop").Run()
		_ = standby.Wait()
	})
	p.serves("two", "2")
	return p
}

// TestPair: what deploy/postgres makes is a primary whose commits wait for its standby; that one is promoted as docs/operate.md says,
// and has all that was acknowledged.
func TestPair(t *testing.T) {
	p := newPair(t)
	e, err := p.open(postgres.Options{Fatal: func(error) {}, Lost: func(error) {}, Standby: true})
	if err != nil {
		t.Fatal(err)
	}
	if now, err := e.Leadership(t.Context()); err != nil || now.Standbys != 1 || !now.Counted {
		t.Errorf("with its standby it says %+v (%v)", now, err)
	}
	wrote(t, e, 20, "before")
	p.run("one", "1", "pg_ctl", "-m", "immediate", "stop") // as a crash does
	_ = e.Close()                                          // it cannot give the lease back
	p.run("two", "2", "pg_ctl", "-w", "promote")
	// Without another standby no commit is acknowledged any more, until somebody says that there is none.
	p.run("two", "2", "psql", "-U", "postgres", "-c", "set synchronous_commit = local", "-c", "alter system set synchronous_standby_names = ''", "-c", "select pg_reload_conf()")
	e, err = p.open(postgres.Options{Fatal: func(err error) { t.Error(err) }, Lost: func(err error) { t.Error(err) }})
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	for caller := range 5 {
		for i := range 20 {
			if _, err := e.Get(t.Context(), store.Kind("kind"), "before"+strconv.Itoa(caller)+"."+strconv.Itoa(i)); err != nil {
				t.Errorf("unit %d of %d: %v", i, caller, err)
			}
		}
	}
}

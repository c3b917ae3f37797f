package pgtest

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
)

// Pair is a primary and its standby, as the scripts in deploy/postgres make them: commits of the one wait for the other. Both have their
// socket in one folder, the primary at port 1, the standby at port 2.
type Pair struct {
	t       testing.TB
	dir     string
	bin     string
	owner   *syscall.Stat_t
	standby *exec.Cmd
}

// The servers of a pair.
const (
	Primary = "1"
	Standby = "2"
)

// NewPair makes both servers, by the scripts. They go with the test. Where there is no PostgreSQL the test is skipped. dir is the
// folder to make them in; empty: in memory, where that can be.
func NewPair(tb testing.TB, dir string) *Pair {
	tb.Helper()
	s, err := folder(dir)
	s = need(tb, s, err)
	tb.Cleanup(s.Stop)
	info, err := os.Stat(s.Dir)
	if err != nil {
		tb.Fatal(err)
	}
	owner, _ := info.Sys().(*syscall.Stat_t)
	p := &Pair{t: tb, dir: s.Dir, owner: owner, bin: s.bin}
	scripts := filepath.Join(p.dir, "scripts")
	if err := os.CopyFS(scripts, os.DirFS(filepath.Join(root(tb), "deploy", "postgres"))); err != nil {
		tb.Fatal(err)
	}
	if err := os.Chmod(scripts, 0o755); err != nil { //nolint:gosec // the servers' user reads them
		tb.Fatal(err)
	}
	p.Run(Primary, "initdb", "-U", "postgres", "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync")
	up := []string{"-w", "-o", p.settings("primary"), "-l", filepath.Join(p.dir, "one.log")}
	p.Run(Primary, "pg_ctl", append(up, "start")...)
	p.Run(Primary, "sh", filepath.Join(scripts, "primary.sh"))
	p.Run(Primary, "pg_ctl", append(up, "restart")...)
	p.standby = p.command(Standby, "sh", append([]string{filepath.Join(scripts, "standby.sh")}, strings.Fields(p.settings("standby")+" -c port="+Standby)...)...)
	if err := p.standby.Start(); err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() {
		_ = p.command(Primary, "pg_ctl", "-m", "immediate", "stop").Run() // it may be down
		_ = p.command(Standby, "pg_ctl", "-m", "immediate", "stop").Run()
		_ = p.standby.Wait()
	})
	p.until(Standby, "select 1")
	// Before that a commit waits for nobody who is there, and says so only to whoever asks.
	p.until(Primary, "select 1 / count(*) from pg_stat_replication where sync_state = 'sync'")
	return p
}

// URL leads to the bot's database, at whichever of the servers can be written to.
func (p *Pair) URL() string {
	return (&url.URL{Scheme: "postgres", User: url.UserPassword("bot", "b'ot"), Path: "/bot", RawQuery: url.Values{
		"host": {p.dir + "," + p.dir}, "port": {Primary + "," + Standby}, "target_session_attrs": {"read-write"},
	}.Encode()}).String()
}

// URLBy leads to a schema of the bot's database at the primary alone, by way of a socket like its own in another folder.
func (p *Pair) URLBy(dir, schema string) string {
	p.t.Helper()
	p.Run(Primary, "psql", "-U", "postgres", "-d", "bot", "-c", "create schema "+schema+" authorization bot")
	return (&url.URL{Scheme: "postgres", User: url.UserPassword("bot", "b'ot"), Path: "/bot", RawQuery: url.Values{
		"host": {dir}, "port": {Primary}, "search_path": {schema},
	}.Encode()}).String()
}

// Dir is the folder of the sockets.
func (p *Pair) Dir() string { return p.dir }

// Run runs a program of PostgreSQL's, or a script, as the servers' user, for one of the servers.
func (p *Pair) Run(server, name string, args ...string) string {
	p.t.Helper()
	out, err := p.command(server, name, args...).CombinedOutput()
	if err != nil {
		p.t.Fatalf("%s %v: %v\n%s", name, args, err, out)
	}
	return strings.TrimSpace(string(out))
}

// Promote makes the standby the primary, as docs/operate.md says: without another standby no commit would be acknowledged any more,
// until somebody says that there is none.
func (p *Pair) Promote() {
	p.t.Helper()
	p.Run(Standby, "pg_ctl", "-w", "promote")
	p.Run(Standby, "psql", "-U", "postgres", "-c", "set synchronous_commit = local", "-c", "alter system set synchronous_standby_names = ''", "-c", "select pg_reload_conf()")
}

// Asynchronous has the primary wait for no standby any more.
func (p *Pair) Asynchronous() {
	p.t.Helper()
	p.Run(Primary, "psql", "-U", "postgres", "-c", "alter system set synchronous_standby_names = ''", "-c", "select pg_reload_conf()")
	p.until(Primary, "select 1 / (current_setting('synchronous_standby_names') = '')::int")
}

// Lag has what the primary sends to its standby stand still, as behind a line that is cut and not known to be.
func (p *Pair) Lag() {
	p.t.Helper()
	pid, err := strconv.Atoi(p.Run(Primary, "psql", "-U", "postgres", "-Atc", "select pid from pg_stat_replication"))
	if err == nil {
		err = syscall.Kill(pid, syscall.SIGSTOP)
	}
	if err != nil {
		p.t.Fatal(err)
	}
}

// Kill ends all processes of the primary with SIGKILL, at one moment: as the end of its machine.
func (p *Pair) Kill() {
	p.t.Helper()
	KillServer(p.t, p.data(Primary))
}

// KillServer does so to the server with its data in a folder.
func KillServer(tb testing.TB, data string) {
	tb.Helper()
	file := filepath.Join(data, "postmaster.pid")
	text, err := os.ReadFile(file)
	if err != nil {
		tb.Fatal(err)
	}
	lines := strings.Split(string(text), "\n")
	pid, err := strconv.Atoi(lines[0])
	if err == nil {
		err = syscall.Kill(pid, syscall.SIGSTOP) // it starts none while its children are listed
	}
	if err != nil {
		tb.Fatal(err)
	}
	children, err := os.ReadFile(fmt.Sprintf("/proc/%d/task/%d/children", pid, pid))
	if err != nil {
		tb.Fatal(err)
	}
	for _, child := range append(strings.Fields(string(children)), lines[0]) {
		n, err := strconv.Atoi(child)
		if err == nil {
			err = syscall.Kill(n, syscall.SIGKILL)
		}
		if err != nil && !errors.Is(err, syscall.ESRCH) {
			tb.Fatal(err)
		}
	}
	const remove, kept = 0, 6 // IPC_RMID; the line with the segment that a server of this name would find
	if fields := strings.Fields(lines[kept]); len(fields) == 2 {
		if id, err := strconv.Atoi(fields[1]); err == nil {
			_, _, _ = syscall.Syscall(syscall.SYS_SHMCTL, uintptr(id), remove, 0) // goes with the last process that has it
		}
	}
	// What is left of it is that of a machine which is gone: nothing may take its number for a server that lives.
	if err := os.Remove(file); err != nil && !errors.Is(err, fs.ErrNotExist) {
		tb.Fatal(err)
	}
}

// settings are what both servers have besides; what a killed one leaves in memory lies in its folder.
func (p *Pair) settings(name string) string {
	return "-k " + p.dir + " -c listen_addresses= -c dynamic_shared_memory_type=mmap -c max_connections=200 -c cluster_name=" + name
}

func (p *Pair) data(server string) string {
	return filepath.Join(p.dir, map[string]string{Primary: "one", Standby: "two"}[server])
}

// command is a program of PostgreSQL's, or one of the scripts, as the servers' user.
func (p *Pair) command(server, name string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(context.Background(), "sh", append([]string{"-c", `exec "$0" "$@"`, name}, args...)...) //nolint:gosec // all of it is said here
	cmd.Dir, cmd.Env = p.dir, []string{
		"PATH=" + p.bin + ":" + os.Getenv("PATH"), "PGDATA=" + p.data(server), "PGHOST=" + p.dir, "PGPORT=" + server, "LC_ALL=C",
		"POSTGRES_USER=postgres", "BOT_PASSWORD=b'ot", "REPLICATOR_PASSWORD=rep", "PRIMARY=" + p.dir, "PRIMARY_PORT=" + Primary,
	}
	cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	if os.Getuid() == 0 {
		cmd.SysProcAttr.Credential = &syscall.Credential{Uid: p.owner.Uid, Gid: p.owner.Gid}
	}
	return cmd
}

// until waits until a server answers a question without an error.
func (p *Pair) until(server, question string) {
	p.t.Helper()
	p.Run(server, "bash", "-c", `for _ in $(seq 600); do psql -U postgres -Atqc "$1" postgres >/dev/null 2>&1 && exit; sleep 0.1; done; exit 1`, "bash", question)
}

// root is the folder of the module that is tested.
func root(tb testing.TB) string {
	tb.Helper()
	dir, err := os.Getwd()
	if err != nil {
		tb.Fatal(err)
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return dir
		}
		up := filepath.Dir(dir)
		if up == dir {
			tb.Fatal("there is no go.mod above the tests")
		}
		dir = up
	}
}

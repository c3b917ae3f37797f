package postgres_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"resellerbot/internal/store/postgres"
	"resellerbot/internal/store/postgres/pgtest"
)

// patroni is a cluster of two servers that Patroni keeps, with the etcd that it needs, on this machine.
type patroni struct {
	t     *testing.T
	dir   string
	bin   string
	owner *syscall.Stat_t
	etcd  string
	nodes [2]*patroniNode
}

type patroniNode struct {
	name, rest, server, data, config string
	process                          *exec.Cmd
}

// TestPatroni: Patroni keeps two servers as docs/operate.md says. The machine of the primary is gone, Patroni promotes the other one by
// itself, and what was acknowledged to eight buyers is found. Nothing is acknowledged while there is one server alone.
//
// It is played where PATRONI is set, and patroni and etcd are installed.
func TestPatroni(t *testing.T) {
	if os.Getenv("PATRONI") == "" {
		t.Skip("it takes a minute: PATRONI=1")
	}
	for _, name := range []string{"patroni", "etcd"} {
		if _, err := exec.LookPath(name); err != nil {
			t.Skip(err)
		}
	}
	p := newPatroni(t)
	address := p.database()
	lease := postgres.Options{Fatal: func(error) {}, Lost: func(error) {}, Standby: true}
	e, err := postgres.Open(t.Context(), address, lease)
	if err != nil {
		t.Fatal(err)
	}
	f := &failover{t: t, acknowledged: map[string]uint64{}}
	var busy sync.WaitGroup
	for n := range buyers {
		busy.Go(func() {
			for i, ok := 0, true; ok; i++ {
				ok = f.buy(e, fmt.Sprintf("%d.%d", n, i))
			}
		})
	}
	<-time.After(3 * time.Second)
	old := p.leader()
	p.end(old)
	begin := time.Now()
	busy.Wait()
	_ = e.Close() // it cannot give the lease back
	p.until("the other one is promoted", func() bool { now := p.leader(); return now != nil && now != old })
	t.Logf("promoted after %v", time.Since(begin).Round(time.Second))
	p.start(old) // until it is back, a commit waits for it
	p.until("a bot that is started again and again leads", func() bool {
		f.by, err = postgres.Open(t.Context(), address, lease)
		return err == nil
	})
	defer f.by.Close()
	t.Logf("another bot leads after %v", time.Since(begin).Round(time.Second))
	if lost := f.lost(); lost > 0 {
		t.Errorf("%d of %d acknowledged transactions are gone", lost, len(f.acknowledged))
	}
	t.Logf("%d transactions were acknowledged, and are found", len(f.acknowledged))
}

func newPatroni(t *testing.T) *patroni {
	t.Helper()
	server := pgtest.New(t) // for its folder, and its user
	info, err := os.Stat(server.Dir)
	if err != nil {
		t.Fatal(err)
	}
	p := &patroni{t: t, dir: server.Dir, bin: server.Programs(), etcd: freeAddress(t)}
	p.owner, _ = info.Sys().(*syscall.Stat_t)
	peer := "http://" + freeAddress(t)
	etcd := p.command("etcd", "--data-dir", filepath.Join(p.dir, "etcd"), "--listen-client-urls", "http://"+p.etcd, "--advertise-client-urls", "http://"+p.etcd,
		"--listen-peer-urls", peer, "--initial-advertise-peer-urls", peer, "--initial-cluster", "default="+peer)
	if err := etcd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		for _, n := range p.nodes {
			if n != nil && n.process != nil {
				p.end(n)
			}
		}
		_ = etcd.Process.Kill()
		_ = etcd.Wait()
	})
	for i := range p.nodes {
		n := &patroniNode{name: fmt.Sprint("node", i), rest: freeAddress(t), server: freeAddress(t)}
		n.data, n.config = filepath.Join(p.dir, n.name), filepath.Join(p.dir, n.name+".yml")
		p.nodes[i] = n
		p.configure(n)
		p.start(n)
		p.until(n.name+" is there", func() bool { return p.is(n, "/health") })
	}
	return p
}

// configure writes what docs/operate.md says of Patroni: JSON is YAML too.
func (p *patroni) configure(n *patroniNode) {
	p.t.Helper()
	type values = map[string]any
	text, err := json.Marshal(values{
		"scope": "bot", "name": n.name, "etcd3": values{"host": p.etcd},
		"restapi": values{"listen": n.rest, "connect_address": n.rest},
		"bootstrap": values{
			"dcs": values{
				"ttl": 20, "loop_wait": 2, "retry_timeout": 3, "synchronous_mode": true, "synchronous_mode_strict": true,
				"postgresql": values{"use_pg_rewind": false, "remove_data_directory_on_diverged_timelines": true},
			},
			"initdb": []any{values{"encoding": "UTF8"}, values{"locale": "C"}, "data-checksums"},
			"pg_hba": []string{"host all all 127.0.0.1/32 trust", "host replication all 127.0.0.1/32 trust", "local all all trust"}, //nolint:dupword // that is how it reads
		},
		"postgresql": values{
			"listen": n.server, "connect_address": n.server, "data_dir": n.data, "bin_dir": p.bin, "pgpass": n.config + ".pgpass",
			"use_pg_rewind": false, "remove_data_directory_on_diverged_timelines": true,
			"authentication": values{"superuser": values{"username": "postgres", "password": "p"}, "replication": values{"username": "replicator", "password": "r"}},
			"parameters":     values{"unix_socket_directories": p.dir},
		},
	})
	if err == nil {
		err = os.WriteFile(n.config, text, 0o644)
	}
	if err != nil {
		p.t.Fatal(err)
	}
}

// database makes the bot's role and its database, and tells the address of all members.
func (p *patroni) database() string {
	p.t.Helper()
	ports := []string{}
	for _, n := range p.nodes {
		_, port, _ := net.SplitHostPort(n.server)
		ports = append(ports, port)
	}
	address := func(role, name string) string {
		return (&url.URL{Scheme: "postgres", User: url.UserPassword(role, "p"), Path: "/" + name, RawQuery: url.Values{
			"host": {"127.0.0.1,127.0.0.1"}, "port": {strings.Join(ports, ",")}, "target_session_attrs": {"read-write"},
		}.Encode()}).String()
	}
	p.until("there is a standby", func() bool { return p.is(p.nodes[0], "/synchronous") || p.is(p.nodes[1], "/synchronous") })
	conn, err := pgx.Connect(p.t.Context(), address("postgres", "postgres"))
	if err != nil {
		p.t.Fatal(err)
	}
	defer conn.Close(context.Background())
	for _, s := range []string{"create role bot login password 'p'", "grant pg_monitor to bot", "create database bot owner bot"} {
		if _, err := conn.Exec(p.t.Context(), s); err != nil {
			p.t.Fatal(err)
		}
	}
	return address("bot", "bot")
}

func (p *patroni) command(name string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(context.Background(), "sh", append([]string{"-c", `exec "$0" "$@" >>"$LOG" 2>&1`, name}, args...)...)
	cmd.Dir, cmd.Env = p.dir, []string{"PATH=" + os.Getenv("PATH"), "LC_ALL=C", "HOME=" + p.dir, "LOG=" + filepath.Join(p.dir, filepath.Base(name)+".log")}
	cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	if os.Getuid() == 0 {
		cmd.SysProcAttr.Credential = &syscall.Credential{Uid: p.owner.Uid, Gid: p.owner.Gid}
	}
	return cmd
}

func (p *patroni) start(n *patroniNode) {
	p.t.Helper()
	n.process = p.command("patroni", n.config)
	if err := n.process.Start(); err != nil {
		p.t.Fatal(err)
	}
}

// end ends a machine: what runs on it, at one moment.
func (p *patroni) end(n *patroniNode) {
	p.t.Helper()
	_ = n.process.Process.Kill()
	if _, err := os.Stat(filepath.Join(n.data, "postmaster.pid")); err == nil {
		pgtest.KillServer(p.t, n.data)
	}
	_ = n.process.Wait()
	n.process = nil
}

// leader is who has the lock and takes writes, by what it says itself; nil: nobody.
func (p *patroni) leader() *patroniNode {
	for _, n := range p.nodes {
		if p.is(n, "/primary") {
			return n
		}
	}
	return nil
}

// is asks a node whether it is something.
func (p *patroni) is(n *patroniNode, what string) bool {
	if n.process == nil {
		return false
	}
	req, err := http.NewRequestWithContext(p.t.Context(), http.MethodGet, "http://"+n.rest+what, nil)
	if err != nil {
		return false
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return false
	}
	defer resp.Body.Close()
	return resp.StatusCode == http.StatusOK
}

func (p *patroni) until(what string, done func() bool) {
	p.t.Helper()
	for end := time.Now().Add(2 * time.Minute); !done(); <-time.After(100 * time.Millisecond) {
		if time.Now().After(end) {
			text, _ := os.ReadFile(filepath.Join(p.dir, "patroni.log"))
			p.t.Fatalf("%s: not in time\n%s", what, text[max(0, len(text)-3000):])
		}
	}
}

// freeAddress is one at which nobody listens.
func freeAddress(t *testing.T) string {
	t.Helper()
	l, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().String()
}

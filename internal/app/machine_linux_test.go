package app_test

import (
	"bytes"
	"context"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"resellerbot/internal/app/apptest"
)

// namespaces are those of a machine of its own: by its first process, as it is called here.
type namespaces struct{ pid int }

// The folders on a machine of its own that are not of a machine as people have it.
const (
	releaseFolder = "/srv/release"
	playedFolder  = "/srv/played"
)

// newRealMachine has systemd started on a disk that lies over this machine's. The test is skipped where that cannot be.
func newRealMachine(t *testing.T) *machine {
	t.Helper()
	if os.Getuid() != 0 {
		t.Skip("a machine of its own needs root")
	}
	for _, needed := range []string{"bash", "curl", "make", "mount", "nsenter", "openssl", "pivot_root", "runuser", "sudo", "unshare", "useradd", "/lib/systemd/systemd"} {
		if _, err := exec.LookPath(needed); err != nil {
			t.Skip("no " + needed + " here")
		}
	}
	m := neighbours(t)
	m.boot()
	return m
}

// boot starts the machine, and waits for its service manager. It ends with the test, and with the test's process.
func (m *machine) boot() {
	m.t.Helper()
	group, err := os.MkdirTemp(unified(), "machine-")
	if err != nil {
		m.t.Skip("no group of processes of its own: ", err)
	}
	dir, err := os.Open(group)
	m.must(err)
	defer dir.Close()
	said, started, ended := &apptest.LockedBuffer{}, make(chan error), make(chan struct{})
	boot := exec.CommandContext(context.Background(), "bash", "testdata/machine.sh", m.t.TempDir())
	boot.Stdout, boot.Stderr = said, said
	boot.SysProcAttr = &syscall.SysProcAttr{
		Cloneflags:  syscall.CLONE_NEWNS | syscall.CLONE_NEWPID | syscall.CLONE_NEWIPC | syscall.CLONE_NEWUTS,
		UseCgroupFD: true, CgroupFD: int(dir.Fd()),
		Pdeathsig: syscall.SIGKILL,
	}
	go func() {
		runtime.LockOSThread() // whose end is what Pdeathsig is about
		defer close(ended)
		err := boot.Start()
		started <- err
		if err == nil {
			_ = boot.Wait()
		}
	}()
	if err := <-started; err != nil {
		_ = os.Remove(group)
		m.t.Skip("no namespaces of its own: ", err)
	}
	m.t.Cleanup(func() {
		_ = boot.Process.Kill() // and with it all that runs there
		<-ended
		m.must(removeGroups(group))
	})
	m.real = &namespaces{boot.Process.Pid}
	m.root, m.release = filepath.Join("/proc", strconv.Itoa(boot.Process.Pid), "root"), releaseFolder
	if !m.real.running(m.t, ended) {
		m.t.Skipf("no service manager runs on a machine of its own here: what it says is played by TestOperate\n%s", said)
	}
	for _, dir := range []string{releaseFolder, playedFolder} {
		m.must(os.MkdirAll(filepath.Join(m.root, dir), 0o755))
	}
	m.play(filepath.Join(m.root, playedFolder), played)
	m.unpack(filepath.Join(m.root, releaseFolder))
}

// unified is where the one tree of groups is mounted.
func unified() string {
	if _, err := os.Stat("/sys/fs/cgroup/cgroup.procs"); err == nil {
		return "/sys/fs/cgroup"
	}
	return "/sys/fs/cgroup/unified"
}

// removeGroups removes a group and those in it, which have no files.
func removeGroups(group string) error {
	entries, err := os.ReadDir(group)
	if err != nil {
		return err
	}
	for _, e := range entries {
		if e.IsDir() {
			if err := removeGroups(filepath.Join(group, e.Name())); err != nil {
				return err
			}
		}
	}
	return os.Remove(group)
}

// running waits until the service manager has started all that it starts by itself.
func (n *namespaces) running(t *testing.T, ended <-chan struct{}) bool {
	t.Helper()
	for deadline := time.Now().Add(30 * time.Second); time.Now().Before(deadline); {
		select {
		case <-ended:
			return false
		case <-time.After(100 * time.Millisecond): // nothing tells when a socket is there
		}
		if out, _ := n.command(t.Context(), "systemctl", "is-system-running").Output(); bytes.HasPrefix(out, []byte("running")) {
			return true
		}
	}
	return false
}

// command is one that runs there, as root.
func (n *namespaces) command(ctx context.Context, args ...string) *exec.Cmd {
	args = append([]string{"-t", strconv.Itoa(n.pid), "-m", "-p", "-i", "-u", "-C", "-r", "-w"}, args...)
	cmd := exec.CommandContext(ctx, "nsenter", args...)
	cmd.Env = []string{"PATH=" + playedFolder + ":/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", "HOME=/home/admin", "REAL_MAKE=/usr/bin/make", "PROGRAM=" + releaseFolder + "/bot-linux-amd64"}
	return cmd
}

// shell runs a script there, as somebody who may use sudo.
func (n *namespaces) shell(ctx context.Context, script string) ([]byte, error) {
	return n.command(ctx, "runuser", "-u", "admin", "--", "bash", "-c", script).CombinedOutput()
}

// reachable lets the user of the bot reach the server of the tests.
func (m *machine) reachable(address string) string {
	if m.real != nil {
		u, err := url.Parse(address)
		m.must(err)
		if dir := u.Query().Get("host"); strings.HasPrefix(dir, "/") {
			m.must(os.Chmod(dir, 0o711))
		}
	}
	return address
}

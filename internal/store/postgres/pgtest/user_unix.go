//go:build unix

package pgtest

import (
	"os"
	"os/user"
	"strconv"
	"syscall"
)

// ordinary is how a process runs as an ordinary user: PostgreSQL refuses to be root. It has a group of processes of its own, so
// that an interrupt at the terminal leaves the order of ends to us.
func ordinary() *syscall.SysProcAttr {
	attr := &syscall.SysProcAttr{Setpgid: true}
	if uid, gid, ok := servant(); ok {
		attr.Credential = &syscall.Credential{Uid: uid, Gid: gid}
	}
	return attr
}

// give gives a folder to the server's user.
func give(dir string) error {
	uid, gid, ok := servant()
	if !ok {
		return nil
	}
	return os.Chown(dir, int(uid), int(gid))
}

// servant is whom a process of root becomes.
func servant() (uid, gid uint32, ok bool) {
	if os.Getuid() != 0 {
		return 0, 0, false
	}
	for _, name := range []string{"postgres", "nobody"} {
		u, err := user.Lookup(name)
		if err != nil {
			continue
		}
		id, err := strconv.ParseUint(u.Uid, 10, 32)
		if err != nil {
			continue
		}
		group, err := strconv.ParseUint(u.Gid, 10, 32)
		if err != nil {
			continue
		}
		return uint32(id), uint32(group), true
	}
	return 0, 0, false
}

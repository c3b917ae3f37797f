//go:build unix

package postgres

import (
	"crypto/tls"
	"net"
	"syscall"
)

// hasWord reports whether a server has said something that nobody has asked for, or has closed: what a connection that rests shows
// where it has ended.
func hasWord(conn net.Conn) (said bool) {
	if secured, ok := conn.(*tls.Conn); ok {
		conn = secured.NetConn()
	}
	socket, ok := conn.(syscall.Conn)
	if !ok {
		return false
	}
	raw, err := socket.SyscallConn()
	if err != nil {
		return true
	}
	// Not by Read, which would wait: pgx may have a goroutine that reads already.
	err = raw.Control(func(fd uintptr) {
		_, _, err := syscall.Recvfrom(int(fd), make([]byte, 1), syscall.MSG_PEEK|syscall.MSG_DONTWAIT)
		said = err != syscall.EAGAIN
	})
	return said || err != nil
}

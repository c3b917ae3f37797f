//go:build !unix

package postgres

import "net"

// hasWord would tell whether a connection has ended while it rested. Here that shows when it is used.
func hasWord(net.Conn) bool { return false }

package telegram

import "net"

// What the tests beside this package see of what it hides.
const (
	KeptBody  = keptBody
	ReplyWait = replyWait
)

var (
	ErrNotSent   = errNotSent
	Markup       = markup
	NewTransport = newTransport
	NoPreview    = noPreview
)

// DecodeBatch reads an answer of getUpdates.
func DecodeBatch(status int, text []byte) ([]Raw, error) { return decodeBatch(status, text) }

// NewPromptConn makes a connection as the transport has them.
func NewPromptConn(c net.Conn) net.Conn { return &promptConn{Conn: c} }

// What a call is begun with.
var (
	WriteSoon   = writeSoon
	ErrOutdated = errOutdated
)

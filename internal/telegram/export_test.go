package telegram

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

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

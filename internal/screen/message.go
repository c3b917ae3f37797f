package screen

// Message is what a chat is shown: text in Telegram's HTML, a keyboard under it, perhaps a file.
// Everything that came from outside is already escaped.
type Message struct {
	HTML     string
	Keyboard [][]Button // nil: no inline keyboard
	File     *File      // nil: a text message
}

// Button is one key of an inline keyboard. Exactly one of Data, Copy and URL is set.
type Button struct {
	Text string
	Data string // callback data, 1–64 bytes, made by Action.Data
	Copy string // text that a tap copies, 1–256 characters
	URL  string
}

// File is a document with its name; HTML of the message is its caption.
type File struct {
	Name string
	Body []byte
}

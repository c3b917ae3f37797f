package screen

import (
	"slices"
	"unicode"
)

// Message is what a chat is shown: text in Telegram's HTML, a keyboard under it, perhaps a file.
// Everything that came from outside is already escaped.
type Message struct {
	HTML     string
	Keyboard [][]Button // nil: no inline keyboard; in the order of reading, which Rows lays out
	File     *File      // nil: a text message
	AsIs     bool       // it is passed on as it stands, to somebody who is no reader of ours
	Replies  *Replies   // nil: what the person writes with stays as it is; never together with Keyboard, nor in an edit
}

// Replies are keys in place of a person's own keyboard, in a private chat. Without a key to pick with, those that are there
// go away.
type Replies struct {
	Pick    string // a key with which one person is chosen, whom the bot is told of
	Request int    // what they are chosen for
	Leave   string // a key that writes what it says
}

// Rows is the keyboard as it is laid out: under a text that is read from right to left each row begins on the right,
// which clients do not see to themselves.
func (m Message) Rows() [][]Button {
	if !readFromRight(m.HTML) {
		return m.Keyboard
	}
	// The keyboard itself stays in the order of reading: the message may be laid out again, in another language.
	rows := make([][]Button, len(m.Keyboard))
	for i, row := range m.Keyboard {
		rows[i] = slices.Clone(row)
		slices.Reverse(rows[i])
	}
	return rows
}

// readFromRight reports whether a text is in a language that is written from right to left. What is isolated came
// from outside, and says nothing of the text.
func readFromRight(text string) bool {
	isolates := 0
	for _, r := range text {
		switch string(r) {
		case fsi:
			isolates++
		case pdi:
			isolates--
		// Our own lines begin with it where their first letter would not do (direct).
		case rlm:
			return isolates == 0
		}
		if isolates == 0 && unicode.Is(unicode.Arabic, r) && unicode.IsLetter(r) {
			return true
		}
	}
	return false
}

// Button is one key of an inline keyboard. Exactly one of Data, Copy and URL is set.
type Button struct {
	Text  string
	Data  string // callback data, 1–64 bytes, made by Action.Data
	Copy  string // text that a tap copies, 1–256 characters
	URL   string
	Style Style
}

// Style is the color of a button. Where a client, or a server, does not know it, the button is the same without it: it
// never says what the words do not say.
type Style string

// The styles, as Telegram calls them.
const (
	Plain   Style = ""
	Success Style = "success" // the ✅ that spends
	Danger  Style = "danger"  // stops, removes or erases
	Primary Style = "primary" // what somebody comes for; one on a screen at most
)

// styleOf is the style of a button by the key of its words.
func styleOf(key string) Style {
	switch key {
	// These spend.
	case "button.confirm", "button.confirm_own", "button.approve", "button.list_confirm", "button.list_confirm_own":
		return Success
	case "button.lock", "button.person_out", "button.person_out_yes", "button.shut_out_yes", "button.key_remove", "button.key_remove_yes",
		"button.forget", "button.prices_off", "button.customer_end", "button.customer_end_yes", "button.forget_yes", "button.invites_off", "button.place_off", "button.list_stop":
		return Danger
	case "button.key", "button.buy", "button.order":
		return Primary
	}
	return Plain
}

// File is a document, or a picture, with its name; HTML of the message is its caption.
type File struct {
	Name  string
	Body  []byte
	Photo bool // it is a picture, and shown as one
}

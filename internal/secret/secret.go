// Package secret holds text that must not be printed: API keys and delivered codes.
//
// The text lives in a closure, so that no formatting verb, logger or encoder can reach it,
// not even through an unexported field of a struct that holds it.
package secret

import (
	"crypto/sha256"
	"crypto/subtle"
	"encoding/hex"
	"fmt"
	"log/slog"
)

const redacted = "[secret]"

// Text is a string that shows itself only to Reveal. The zero value is empty.
type Text struct{ reveal func() string }

// New wraps s. An empty s gives the zero Text.
func New(s string) Text {
	if s == "" {
		return Text{}
	}
	return Text{reveal: func() string { return s }}
}

// Reveal returns the text itself: for the wire, for sealing and for the owner's chat, for nothing else.
func (t Text) Reveal() string {
	if t.reveal == nil {
		return ""
	}
	return t.reveal()
}

// IsZero reports whether there is no text.
func (t Text) IsZero() bool { return t.reveal == nil }

// Equal compares in constant time.
func (t Text) Equal(u Text) bool {
	return subtle.ConstantTimeCompare([]byte(t.Reveal()), []byte(u.Reveal())) == 1
}

// Fingerprint names a high-entropy secret without telling it: 12 hex digits of its SHA-256.
// It must not be logged for secrets that could be guessed.
func (t Text) Fingerprint() string {
	sum := sha256.Sum256([]byte(t.Reveal()))
	return hex.EncodeToString(sum[:6])
}

// String implements fmt.Stringer and tells nothing.
func (t Text) String() string { return redacted }

// GoString implements fmt.GoStringer and tells nothing.
func (t Text) GoString() string { return redacted }

// Format implements fmt.Formatter and tells nothing, whatever the verb.
func (t Text) Format(f fmt.State, _ rune) { fmt.Fprint(f, redacted) }

// LogValue implements slog.LogValuer and tells nothing.
func (t Text) LogValue() slog.Value { return slog.StringValue(redacted) }

// MarshalText implements encoding.TextMarshaler and tells nothing.
func (t Text) MarshalText() ([]byte, error) { return []byte(redacted), nil }

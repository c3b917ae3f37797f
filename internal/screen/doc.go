// Package screen is what people see: values in, message out. It does no I/O and knows nothing of
// Telegram but its HTML and its lengths, so that replies and pushes look alike and every screen can be
// looked at in a test.
//
// Rules that its tests hold it to: only a button that spends begins with ✅; what comes from outside is
// escaped, stripped of what steers the direction of text, cut, and isolated; a message is never longer
// than Telegram takes.
package screen

package apptest

import (
	"slices"
	"strings"

	"resellerbot/internal/sandbox/tgsim"
)

// Has reports whether some message of the bot in a chat holds the words.
func (h *Harness) Has(user int64, words string) bool {
	return slices.ContainsFunc(h.Telegram.Messages(user), func(m tgsim.Message) bool {
		return m.FromBot && !m.Deleted && strings.Contains(Plain(m.Text), words)
	})
}

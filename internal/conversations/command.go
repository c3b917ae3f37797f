package conversations

import (
	"strings"
	"unicode"
)

// command splits a message that is a command: "/buy@shop_bot play card" is "buy" and "play card". ok is
// false for anything else, and for commands that name another bot.
func command(text, botName string) (name, rest string, ok bool) {
	text = strings.TrimLeftFunc(text, unicode.IsSpace)
	body, found := strings.CutPrefix(text, "/")
	if !found {
		return "", "", false
	}
	end := strings.IndexFunc(body, unicode.IsSpace)
	if end < 0 {
		end = len(body)
	}
	name, rest = body[:end], strings.TrimSpace(body[end:])
	name, to, named := strings.Cut(name, "@")
	if named && !strings.EqualFold(to, botName) {
		return "", "", false
	}
	if name == "" {
		return "", "", false
	}
	return strings.ToLower(name), rest, true
}

// plainToken is a token without the invisible marks of direction that a client may have copied with it.
func plainToken(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.Is(unicode.Cf, r) {
			return -1
		}
		return r
	}, s)
}

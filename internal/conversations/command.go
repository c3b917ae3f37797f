package conversations

import (
	"regexp"
	"strings"
	"unicode"
)

// command splits a message that is a command: "/buy@shop_bot play card" is "buy" and "play card". ok is
// false for anything else, and for commands that name another bot.
func command(text, botName string) (name, rest string, ok bool) {
	// Keyboards of scripts that are written from the right leave marks of direction before what is written from the left.
	text = strings.TrimLeftFunc(text, func(r rune) bool { return unicode.IsSpace(r) || unicode.Is(unicode.Cf, r) })
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
	// Before the bot has learnt its own name, a command with a name is taken for another bot's.
	if named && !strings.EqualFold(to, botName) {
		return "", "", false
	}
	if name == "" {
		return "", "", false
	}
	return strings.ToLower(plainToken(name)), rest, true
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

// startLink is a link that somebody was to press Start with, as people copy and send it instead.
// Its end keeps it from taking the first 64 signs of a longer word for a token.
var startLink = regexp.MustCompile(`(?i)(?:https?://)?(?:t|telegram)\.me/([a-z0-9_]{4,32})/?\?(?:[^\s#]*&)?start=([a-z0-9_-]{1,64})(?:$|[^a-z0-9_-])`)

// startedBy is what a link brings along that stands in a text and starts this bot; false where there is none.
func startedBy(text, botName string) (token string, ok bool) {
	for _, m := range startLink.FindAllStringSubmatch(plainToken(text), -1) {
		if strings.EqualFold(m[1], botName) {
			return m[2], true
		}
	}
	return "", false
}

package worlds

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"resellerbot/internal/sandbox/tgsim"
)

// What Telegram's own clients let people write, in UTF-16 units, and the longest name of a chat, in characters.
const (
	mostText    = 4096
	mostCaption = 1024
	mostTitle   = 128
)

var (
	languageTag = regexp.MustCompile(`^([a-z]{2,3}(-[A-Za-z0-9]{2,8})*)?$`)
	username    = regexp.MustCompile(`^[A-Za-z0-9_]{0,32}$`)
	telephone   = regexp.MustCompile(`^[+0-9() .\-/]*[0-9][+0-9() .\-/]*$`)
)

// among sees that the person is in the chat where something is to be done.
func (p person) among() error {
	c, there := p.ChatState(p.chat)
	if there && !c.Gone && (p.chat == p.id || p.chat < 0 && here(p.Role(p.chat, p.id))) {
		return nil
	}
	return p.why("", 0)
}

// here reports whether a role is one of those who are in a chat.
func here(r tgsim.Role) bool { return r != tgsim.Left && r != tgsim.Kicked }

// others sees that people are there, and are named once.
func (p person) others(members []int64, but ...int64) error {
	for i, id := range members {
		if _, there := p.Person(id); !there {
			return missing(fmt.Sprintf("there is no person %d", id))
		}
		if slices.Contains(members[:i], id) || slices.Contains(but, id) {
			return wrong(fmt.Sprintf("members has %d once, and nobody who is there anyway", id))
		}
	}
	return nil
}

// short sees that a text is not longer than people can send it.
func short(what, text string, most int) error {
	if n := len(utf16.Encode([]rune(text))); n > most {
		return wrong(fmt.Sprintf("%s has %d characters: nobody can send more than %d", what, n, most))
	}
	return nil
}

// titled is the name of a chat that is to be.
func titled(text string) (string, error) {
	title := strings.TrimSpace(text)
	switch {
	case title == "":
		return "", wrong("text is empty: it is the chat's name")
	case utf8.RuneCountInString(title) > mostTitle:
		return "", wrong(fmt.Sprintf("text is the chat's name, of at most %d characters", mostTitle))
	}
	return title, nil
}

// own sees that a message is the person's own, or one that somebody with the right may change.
func (p person) own(message int, right string) error {
	// right is "" where no right helps: to edit is for whoever wrote it. In a private chat either side may delete all.
	if p.chat == p.id && right != "" || right != "" && p.May(p.chat, p.id, right) {
		return nil
	}
	for _, m := range p.Messages(p.chat) {
		if m.ID == message && m.From == p.id && !m.FromBot && m.Notice == "" {
			return nil
		}
	}
	return cannot(fmt.Sprintf("message %d of chat %d is not their own", message, p.chat))
}

// appoints sees that the person may make somebody of a group what is asked for.
func (p person) appoints(who int64, to tgsim.Role) error {
	c, there := p.ChatState(p.chat)
	was, mine := p.Role(p.chat, who), p.Role(p.chat, p.id)
	comes, goes := who == p.id && to == tgsim.Ordinary && !here(was), who == p.id && to == tgsim.Left
	switch {
	case !there || p.chat > 0:
		return missing(fmt.Sprintf("there is no group %d", p.chat))
	case c.Gone:
		return p.why("", 0)
	case comes && was == tgsim.Kicked:
		return cannot(fmt.Sprintf("person %d was removed from chat %d: somebody has to let them in again", p.id, p.chat))
	case comes, goes && here(was):
		return nil
	case !here(mine):
		return p.why("", 0)
	case was == tgsim.Creator:
		return cannot(fmt.Sprintf("%d is the owner of chat %d", who, p.chat))
	case !p.May(p.chat, p.id, neededFor(was, to)):
		return cannot(fmt.Sprintf("person %d may not do that in chat %d: it needs %s", p.id, p.chat, neededFor(was, to)))
	}
	return nil
}

// neededFor is the right that it needs to make somebody something else.
func neededFor(was, to tgsim.Role) string {
	switch {
	case was == tgsim.Administrator || to == tgsim.Administrator:
		return "can_promote_members"
	case was == tgsim.Left && to == tgsim.Ordinary:
		return "can_invite_users"
	}
	return "can_restrict_members"
}

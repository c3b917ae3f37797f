package tgsim

import (
	"cmp"
	"regexp"
	"slices"
	"strconv"
	"unicode/utf8"
)

// Command is an entry of the bot's command menu.
type Command struct {
	Command     string `json:"command"`
	Description string `json:"description"`
}

var commandName = regexp.MustCompile(`^[a-z0-9_]{1,32}$`)

// scope says whom a command menu is for; it is a key of Server.commands, with a language.
type scope struct {
	Type string `json:"type"`
	Chat int64  `json:"chat_id"`
	User int64  `json:"user_id"`
}

func (c scope) key(language string) string {
	return cmp.Or(c.Type, "default") + " " + strconv.FormatInt(c.Chat, 10) + " " + strconv.FormatInt(c.User, 10) + " " + language
}

// menu is the key that a call means.
func (p params) menu() (string, *failure) {
	var c scope
	if p.has("scope") && !p.object("scope", &c) {
		return "", badRequest("can't parse BotCommandScope: expected an Object")
	}
	kinds := []string{"", "default", "all_private_chats", "all_group_chats", "all_chat_administrators", "chat", "chat_administrators", "chat_member"}
	if !slices.Contains(kinds, c.Type) {
		return "", badRequest("can't parse BotCommandScope: unsupported type specified")
	}
	return c.key(p.text("language_code")), nil
}

func setMyCommands(s *Server, p params) (any, *failure) {
	key, no := p.menu()
	if no != nil {
		return nil, no
	}
	var list []Command
	if !p.object("commands", &list) {
		return nil, badRequest("can't parse commands: expected an Array")
	}
	if len(list) > 100 {
		return nil, badRequest("BOT_COMMANDS_TOO_MUCH")
	}
	for _, c := range list {
		switch {
		case !commandName.MatchString(c.Command):
			return nil, badRequest("BOT_COMMAND_INVALID")
		case c.Description == "" || utf8.RuneCountInString(c.Description) > 256:
			return nil, badRequest("BOT_COMMAND_DESCRIPTION_INVALID")
		}
	}
	s.commands[key] = list
	return true, nil
}

func getMyCommands(s *Server, p params) (any, *failure) {
	key, no := p.menu()
	return append([]Command{}, s.commands[key]...), no
}

func deleteMyCommands(s *Server, p params) (any, *failure) {
	key, no := p.menu()
	if no != nil {
		return nil, no
	}
	delete(s.commands, key)
	return true, nil
}

// menuOf is the command menu that a person sees in a chat: the nearest scope wins, and in each the
// person's language.
func (s *Server) menuOf(c *chat, who int64) []Command {
	scopes := []scope{{Type: "chat", Chat: c.id}, {Type: "all_private_chats"}, {}}
	if c.id < 0 {
		scopes = []scope{{Type: "chat_member", Chat: c.id, User: who}, {Type: "chat", Chat: c.id}, {Type: "all_group_chats"}, {}}
		if c.role(who).administers() {
			scopes = slices.Insert(scopes, 1, scope{Type: "chat_administrators", Chat: c.id})
			scopes = slices.Insert(scopes, 3, scope{Type: "all_chat_administrators"})
		}
	}
	for _, sc := range scopes {
		for _, language := range []string{s.language(who), ""} {
			if list := s.commands[sc.key(language)]; len(list) > 0 {
				return list
			}
		}
	}
	return nil
}

func (s *Server) language(who int64) string {
	if u := s.users[who]; u != nil {
		return u.LanguageCode
	}
	return ""
}

package tgsim

import (
	"slices"
	"strings"
)

const noPinning = "not enough rights to manage pinned messages in the chat"

// pins reports whether the bot may pin in a chat.
func (s Directory) pins(c *chat) bool {
	if c.channel {
		return c.commands(s.BotID(), "can_edit_messages")
	}
	return c.may(s.BotID(), "can_pin_messages")
}

func pinChatMessage(s *Server, c *chat, p params) (any, *failure) {
	m := c.present(int(p.int("message_id")))
	switch {
	case m == nil:
		return nil, badRequest("message to pin not found")
	case m.Notice != "":
		return nil, badRequest("service messages can't be pinned")
	case !s.Directory.pins(c):
		return nil, badRequest(noPinning)
	case slices.Contains(c.pinned, m.ID):
		return nil, badRequest("CHAT_NOT_MODIFIED")
	}
	c.pinned = append(c.pinned, m.ID)
	told := s.Directory.announce(c, s.BotID(), m.Thread, object{"pinned_message": s.views.bareJSON(c, m)}, s.views.name(s.BotID())+" pinned a message")
	c.message(told).Silent = p.bool("disable_notification")
	return true, nil
}

func unpinChatMessage(s *Server, c *chat, p params) (any, *failure) {
	id := int(max(p.int("message_id"), 0))
	switch {
	case id != 0 && c.present(id) == nil, id == 0 && len(c.pinned) == 0:
		return nil, badRequest("message to unpin not found")
	case !s.Directory.pins(c):
		return nil, badRequest(noPinning)
	case id == 0:
		id = c.pinned[len(c.pinned)-1]
	}
	c.pinned = slices.DeleteFunc(c.pinned, func(pinned int) bool { return pinned == id })
	return true, nil
}

func unpinAllChatMessages(s *Server, c *chat, _ params) (any, *failure) {
	if !s.Directory.pins(c) {
		return nil, badRequest(noPinning)
	}
	c.pinned = nil
	return true, nil
}

// Pinned lists a chat's pinned messages, the newest pin last.
func (s Directory) Pinned(chatID int64) []int {
	s.mu.Lock()
	defer s.mu.Unlock()
	if c := s.chats[chatID]; c != nil {
		return slices.Clone(c.pinned)
	}
	return nil
}

func setChatTitle(s *Server, p params) (any, *failure) {
	c, no := s.managing.changesInfo(p, "can't change private chat title", "not enough rights to change chat title")
	title := strings.TrimSpace(p.text("title"))
	switch {
	case no != nil:
		return nil, no
	case title == "":
		return nil, badRequest("title must be non-empty")
	case tooLong(title, 128):
		return nil, badRequest("CHAT_TITLE_TOO_LONG")
	case title == c.title:
		return true, nil
	}
	c.title = title
	s.Directory.announce(c, s.BotID(), 0, object{"new_chat_title": title}, "The group is called "+title)
	return true, nil
}

func setChatDescription(s *Server, p params) (any, *failure) {
	c, no := s.managing.changesInfo(p, "can't change private chat description", "not enough rights to set chat description")
	text := p.text("description")
	switch {
	case no != nil:
		return nil, no
	case tooLong(text, 255):
		return nil, badRequest("CHAT_ABOUT_TOO_LONG")
	case text == c.description:
		return nil, badRequest("chat description is not modified")
	}
	c.description = text
	return true, nil
}

// changesInfo is the group whose appearance a call changes.
func (s managing) changesInfo(p params, private, without string) (*chat, *failure) {
	c, no := s.reach(p, toManage)
	switch {
	case no != nil:
		return nil, no
	case c.id > 0:
		return nil, badRequest(private)
	case !c.may(s.BotID(), "can_change_info"):
		return nil, badRequest(without)
	}
	return c, nil
}

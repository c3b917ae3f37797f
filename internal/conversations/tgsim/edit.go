package tgsim

import (
	"reflect"
	"slices"
	"time"
)

// deleteLife is how long a bot may delete a message.
const deleteLife = 48 * time.Hour

// notModified is the answer to an edit that changes nothing.
const notModified = "message is not modified: specified new message content and reply markup are exactly the same as a current content and reply markup of the message"

// edited is the bot's message that a call changes.
func (s *Server) edited(p params) (*chat, *Message, *failure) {
	if !p.has("chat_id") && p.int("message_id") == 0 {
		if p.has("inline_message_id") {
			return nil, nil, badRequest("MESSAGE_ID_INVALID") // there is no inline mode here
		}
		return nil, nil, badRequest("message identifier is not specified")
	}
	c, no := s.reach(p, toEdit)
	if no != nil {
		return nil, nil, no
	}
	old := c.message(int(p.int("message_id")))
	switch {
	case old == nil || old.Deleted:
		return nil, nil, badRequest("message to edit not found")
	case !old.FromBot || old.fixed || old.Notice != "":
		return nil, nil, badRequest("message can't be edited")
	}
	return c, old, nil
}

// change puts a new text, and a new keyboard, in the place of the old. An edit without a keyboard removes
// the one that is there.
func (s *Server) change(c *chat, old *Message, text string, entities []Entity, m markup) (any, *failure) {
	if m.reply {
		return nil, badRequest("inline keyboard expected")
	}
	if no := m.check(c); no != nil {
		return nil, no
	}
	if text == old.Text && slices.EqualFunc(entities, old.Entities, func(a, b Entity) bool { return reflect.DeepEqual(a, b) }) && sameKeys(m.keys, old.Keyboard) {
		return nil, badRequest(notModified)
	}
	old.Text, old.Entities, old.Keyboard, old.Edited, old.EditedAt = text, entities, m.keys, true, time.Now()
	return s.messageJSON(c, old), nil
}

// sameKeys compares keyboards; none and an empty one are the same.
func sameKeys(a, b [][]Button) bool {
	return len(a) == 0 && len(b) == 0 || reflect.DeepEqual(a, b)
}

func editMessageText(s *Server, p params) (any, *failure) {
	if !p.has("text") {
		return nil, badRequest("message text is empty")
	}
	text, entities, no := s.formatted(p, "text", "entities")
	if no != nil {
		return nil, no
	}
	m, no := readMarkup(p)
	if no != nil {
		return nil, no
	}
	c, old, no := s.edited(p)
	if no == nil && (old.Document != nil || old.Photo != nil) {
		no = badRequest("there is no text in the message to edit")
	}
	if no == nil {
		no = readable(text)
	}
	if no != nil {
		return nil, no
	}
	return s.change(c, old, text, entities, m)
}

func editMessageCaption(s *Server, p params) (any, *failure) {
	m, no := readMarkup(p)
	if no != nil {
		return nil, no
	}
	text, entities, no := s.formatted(p, "caption", "caption_entities")
	if no != nil {
		return nil, no
	}
	c, old, no := s.edited(p)
	switch {
	case no != nil:
		return nil, no
	case old.Document == nil && old.Photo == nil:
		return nil, badRequest("there is no caption in the message to edit")
	}
	if no := caption(text); no != nil {
		return nil, no
	}
	return s.change(c, old, text, entities, m)
}

func editMessageReplyMarkup(s *Server, p params) (any, *failure) {
	m, no := readMarkup(p)
	if no != nil {
		return nil, no
	}
	c, old, no := s.edited(p)
	if no != nil {
		return nil, no
	}
	return s.change(c, old, old.Text, old.Entities, m)
}

func deleteMessage(s *Server, p params) (any, *failure) {
	switch {
	case !p.has("chat_id"):
		return nil, badRequest("chat identifier is not specified")
	case p.int("message_id") == 0:
		return nil, badRequest("message identifier is not specified")
	}
	c, no := s.reach(p, toWrite)
	if no != nil {
		return nil, no
	}
	m := c.message(int(p.int("message_id")))
	if m == nil || m.Deleted {
		return nil, badRequest("message to delete not found")
	}
	if no := s.deletable(c, m); no != nil {
		return nil, no
	}
	m.Deleted = true
	return true, nil
}

// deleteMessages deletes all or nothing; what is not there is passed over.
func deleteMessages(s *Server, p params) (any, *failure) {
	ids, no := p.ids("message_ids", 100)
	if no != nil {
		return nil, no
	}
	c, no := s.reach(p, toWrite)
	if no != nil {
		return nil, no
	}
	var gone []*Message
	for _, id := range ids {
		m := c.message(id)
		if m == nil || m.Deleted {
			continue
		}
		if no := s.deletable(c, m); no != nil {
			return nil, no
		}
		gone = append(gone, m)
	}
	for _, m := range gone {
		m.Deleted = true
	}
	return true, nil
}

// deletable refuses what the bot may not delete: what is too old, and in groups what others wrote unless
// the bot is an administrator.
func (s *Server) deletable(c *chat, m *Message) *failure {
	switch {
	case time.Since(m.Date) > deleteLife && !c.supergroup():
		return badRequest("message can't be deleted for everyone")
	case time.Since(m.Date) > deleteLife, c.id < 0 && !m.FromBot && !s.here(c).administers():
		return badRequest("message can't be deleted")
	}
	return nil
}

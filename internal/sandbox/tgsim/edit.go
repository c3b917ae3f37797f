package tgsim

import (
	"encoding/json"
	"reflect"
	"slices"
	"time"
)

// deleteLife is how long a bot may delete a message.
const deleteLife = 48 * time.Hour

// notModified is the answer to an edit that changes nothing.
const notModified = "message is not modified: specified new message content and reply markup are exactly the same as a current content and reply markup of the message"

// target is the message that a call changes. One that was sent with the help of the inline mode is known by
// an id of its own, and in no chat that the bot would know: what came of it is true, and no message.
type target struct {
	chat   *chat
	msg    *Message
	inline bool
}

// edited is the bot's message that a call changes.
func (s letters) edited(p params) (t target, no *failure) {
	if !p.has("chat_id") && p.int("message_id") <= 0 {
		return s.editedInline(p)
	}
	if t.chat, no = s.reach(p, toEdit); no != nil {
		return t, no
	}
	t.msg = t.chat.present(int(max(p.int("message_id"), 0)))
	switch {
	case t.msg == nil:
		return t, badRequest("message to edit not found")
	case !s.mine(t.chat, t.msg) || t.msg.fixed || t.msg.Notice != "" || t.msg.Forwarded != "":
		return t, badRequest("message can't be edited")
	}
	return t, nil
}

// mine reports whether the bot may edit a message: its own, and in a channel others' with the right for it.
func (s letters) mine(c *chat, m *Message) bool {
	return m.FromBot || c.channel && c.commands(s.BotID(), "can_edit_messages")
}

// editedInline is the message that a call changes by its inline_message_id.
func (s letters) editedInline(p params) (target, *failure) {
	id := p.text("inline_message_id")
	if id == "" {
		return target{}, badRequest("message identifier is not specified")
	}
	for _, c := range s.chats {
		for _, m := range c.messages {
			if m.inline == id && !m.Deleted {
				return target{c, m, true}, nil
			}
		}
	}
	return target{}, badRequest("MESSAGE_ID_INVALID")
}

// change puts new content, and a new keyboard, in the place of the old. An edit without a keyboard removes
// the one that is there.
func (s letters) change(t target, next Message, m markup) (any, *failure) {
	if m.fixed() {
		return nil, badRequest("inline keyboard expected")
	}
	if no := m.check(t.chat); no != nil {
		return nil, no
	}
	next.Keyboard = m.keys
	if t.msg.same(&next) {
		return nil, badRequest(notModified)
	}
	next.Edited, next.EditedAt = true, s.now()
	// In place: the chat holds the message by its pointer, while what was handed out is a copy and stays (copies).
	*t.msg = next
	s.uploads.keep(t.msg)
	if t.inline {
		return true, nil
	}
	return s.views.messageJSON(t.chat, t.msg), nil
}

// same reports whether an edit changes nothing. A file that is sent again is another one.
func (m *Message) same(next *Message) bool {
	return m.Text == next.Text && m.Document == next.Document && m.Photo == next.Photo && m.CaptionTop == next.CaptionTop && m.Spoiler == next.Spoiler &&
		slices.EqualFunc(m.Entities, next.Entities, func(a, b Entity) bool { return reflect.DeepEqual(a, b) }) &&
		reflect.DeepEqual(m.preview, next.preview) && sameKeys(m.Keyboard, next.Keyboard)
}

// sameKeys compares keyboards; none and an empty one are the same.
func sameKeys(a, b [][]Button) bool {
	return len(a) == 0 && len(b) == 0 || reflect.DeepEqual(a, b)
}

func editMessageText(s *Server, p params) (any, *failure) {
	preview, no := p.preview()
	switch {
	case no != nil:
		return nil, no
	case !p.has("text"):
		return nil, badRequest("message text is empty")
	}
	text, entities, no := s.letters.formatted(p, "text", "entities")
	if no != nil {
		return nil, no
	}
	m, no := readMarkup(p)
	if no != nil {
		return nil, no
	}
	t, no := s.letters.edited(p)
	if no == nil && t.msg.sort() != "text" {
		no = badRequest("there is no text in the message to edit")
	}
	if no == nil {
		no = readable(text)
	}
	if no != nil {
		return nil, no
	}
	next := *t.msg
	next.Text, next.Entities, next.preview = text, entities, preview
	return s.letters.change(t, next, m)
}

func editMessageCaption(s *Server, p params) (any, *failure) {
	m, no := readMarkup(p)
	if no != nil {
		return nil, no
	}
	text, entities, no := s.letters.formatted(p, "caption", "caption_entities")
	if no != nil {
		return nil, no
	}
	t, no := s.letters.edited(p)
	switch {
	case no != nil:
		return nil, no
	case !t.msg.captioned():
		return nil, badRequest("there is no caption in the message to edit")
	}
	if no := caption(text); no != nil {
		return nil, no
	}
	next := *t.msg
	next.Text, next.Entities = text, entities
	next.CaptionTop = p.bool("show_caption_above_media")
	return s.letters.change(t, next, m)
}

// captioned reports whether a message can have a caption.
func (m *Message) captioned() bool {
	return m.Photo != nil || m.Document != nil && mediumOf(m.Document.Kind).caption
}

func editMessageMedia(s *Server, p params) (any, *failure) {
	m, no := readMarkup(p)
	if no != nil {
		return nil, no
	}
	if !p.has("media") {
		return nil, badRequest("parameter \"media\" is required")
	}
	raw := []byte(p.text("media"))
	if !json.Valid(raw) {
		return nil, badRequest("can't parse input media JSON object")
	}
	fresh, later, err := s.letters.inputMedia(p, raw, false)
	if err != nil {
		return nil, said("Can't parse InputMedia: ", err)
	}
	t, no := s.letters.edited(p)
	switch {
	case no != nil:
		return nil, no
	case later != nil:
		return nil, later
	case !t.msg.captioned() && t.msg.sort() != "text":
		return nil, badRequest("message media can't be edited")
	case t.msg.Album != "" && t.msg.sort() != fresh.sort() && (apart(t.msg.sort()) || apart(fresh.sort())):
		return nil, badRequest("can't change media type in the album")
	}
	next := *t.msg
	next.Photo, next.Document, next.Text, next.Entities, next.Spoiler, next.CaptionTop = fresh.Photo, fresh.Document, fresh.Text, fresh.Entities, fresh.Spoiler, fresh.CaptionTop
	return s.letters.change(t, next, m)
}

func editMessageReplyMarkup(s *Server, p params) (any, *failure) {
	m, no := readMarkup(p)
	if no != nil {
		return nil, no
	}
	t, no := s.letters.edited(p)
	if no != nil {
		return nil, no
	}
	return s.letters.change(t, *t.msg, m)
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
	m := c.present(int(p.int("message_id")))
	if m == nil {
		return nil, badRequest("message to delete not found")
	}
	if no := s.letters.deletable(c, m); no != nil {
		return nil, no
	}
	c.remove(m)
	return true, nil
}

// remove takes a message away, and all that hangs on it.
func (c *chat) remove(m *Message) {
	m.Deleted = true
	c.pinned = slices.DeleteFunc(c.pinned, func(id int) bool { return id == m.ID })
	if c.keyboard != nil && c.keyboard.Message == m.ID {
		c.keyboard = nil
	}
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
	// Collected first: one that may not be deleted leaves all of them.
	var gone []*Message
	for _, id := range ids {
		m := c.present(id)
		if m == nil {
			continue
		}
		if no := s.letters.deletable(c, m); no != nil {
			return nil, no
		}
		gone = append(gone, m)
	}
	for _, m := range gone {
		c.remove(m)
	}
	return true, nil
}

// deletable refuses what the bot may not delete: what is too old, and in groups what others wrote unless
// the bot has the right for it.
func (s letters) deletable(c *chat, m *Message) *failure {
	late := s.since(m.Date) > deleteLife
	switch {
	case late && !c.supergroup():
		return badRequest("message can't be deleted for everyone")
	case late, c.id < 0 && !m.FromBot && !c.commands(s.BotID(), "can_delete_messages"), m.service["forum_topic_created"] != nil:
		return badRequest("message can't be deleted")
	}
	return nil
}

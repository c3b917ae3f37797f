package tgsim

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Callback is a tap on a button and how it was answered.
type Callback struct {
	ID         string
	User, Chat int64
	Message    int
	Data       string
	At         time.Time
	Answers    int
	AnsweredAt time.Time
	Text       string
	Alert      bool
	URL        string // that the answer opens
	Stale      bool   // the message had no such button any more
}

// Send types a message into a chat and returns its id, 0 if the person cannot write there. Whoever writes
// to the bot in private has pressed Start by that.
func (s People) Send(user, chatID int64, text string) int {
	return s.write(user, chatID, &Message{Text: text})
}

// Reply is Send in reply to a message.
func (s People) Reply(user, chatID int64, to int, text string) int {
	return s.write(user, chatID, &Message{Text: text, ReplyTo: to})
}

// Post has a person post a message with all that can be in it. It returns the message's id, 0 if the person
// cannot write there.
func (s People) Post(user, chatID int64, m Message) int { return s.write(user, chatID, &m) }

// SendPhoto posts a picture into a chat. Nothing is posted if it is not a picture of a kind that Telegram
// takes.
func (s People) SendPhoto(user, chatID int64, body []byte, caption string) int {
	p, no := newPhoto(body)
	if no != nil {
		return 0
	}
	return s.write(user, chatID, &Message{Text: caption, Photo: p})
}

// SendDocument posts a file into a chat.
func (s People) SendDocument(user, chatID int64, name string, body []byte, caption string) int {
	return s.write(user, chatID, &Message{Text: caption, Document: &Document{Name: name, Body: body}})
}

// SendFile posts a file into a chat, or into its topic thread: a picture of a kind that Telegram takes as a photo, anything else as a
// document. It returns the message's id, 0 if the person cannot write there.
func (s People) SendFile(user, chatID int64, thread int, name string, body []byte, caption string) int {
	m := &Message{Text: caption, Thread: thread}
	if p, no := newPhoto(body); no == nil {
		m.Photo = p
	} else {
		m.Document = &Document{Name: name, Body: body}
	}
	return s.write(user, chatID, m)
}

// Edit changes the text or caption of a person's own message, and reports whether there is such a one and it said something else.
func (s People) Edit(user, chatID int64, message int, text string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	c := s.chats[chatID]
	if c == nil || s.users[user] == nil {
		return false
	}
	m := c.present(message)
	if m == nil || m.FromBot || m.From != user || m.Notice != "" || m.Forwarded != "" || m.Content != nil || m.Text == text {
		return false
	}
	m.Text, m.Entities, m.Edited, m.EditedAt = text, detect(text, nil), true, s.now()
	s.hand("edited_message", c, m)
	s.touch()
	return true
}

// Remove deletes a message for everyone, as a person can, and reports whether there was one. The bot is not told.
func (s People) Remove(chatID int64, message int) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	c := s.chats[chatID]
	if c == nil || c.present(message) == nil {
		return false
	}
	c.remove(c.present(message))
	s.touch()
	return true
}

// Tap taps a button under a message, whether or not the message has such a one: clients can be made to
// lie. It returns the id of the callback query.
func (s People) Tap(user, chatID int64, message int, data string) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	c, u := s.chats[chatID], s.users[user]
	if c == nil || u == nil || u.deactivated {
		return ""
	}
	q := &Callback{ID: fmt.Sprintf("%d%06d", 4_000_000_000+user, len(s.callbacks)+1), User: user, Chat: chatID, Message: message, Data: data, At: s.now()}
	s.callbacks = append(s.callbacks, q)
	body := object{"id": q.ID, "from": *u, "chat_instance": strconv.FormatInt(chatID, 10), "data": data}
	m := c.present(message)
	// Only noted for whoever plays people: the bot gets the tap all the same, as from a phone that shows old buttons.
	q.Stale = m == nil || !slices.ContainsFunc(slices.Concat(m.Keyboard...), func(b Button) bool { return b.Data == data })
	switch {
	case m == nil:
		// An InaccessibleMessage of the Bot API, known by its date of 0.
		body["message"] = object{"chat": s.views.chatJSON(c), "message_id": message, "date": 0}
	case m.inline != "":
		body["inline_message_id"] = m.inline
	default:
		body["message"] = s.views.messageJSON(c, m)
	}
	s.Updates.push("callback_query", body, callbackLife, user+3<<33)
	s.touch()
	return q.ID
}

// TapButton taps the newest button of a chat whose text holds the words.
func (s People) TapButton(user, chatID int64, words string) (string, error) {
	for _, m := range slices.Backward(s.Messages(chatID)) {
		for _, row := range m.Keyboard {
			for _, b := range row {
				if !m.Deleted && b.Data != "" && strings.Contains(b.Text, words) {
					return s.Tap(user, chatID, m.ID, b.Data), nil
				}
			}
		}
	}
	return "", fmt.Errorf("chat %d has no button with %q", chatID, words)
}

// write posts a person's message.
func (s People) write(user, chatID int64, m *Message) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	id := s.place(user, chatID, m)
	if id != 0 {
		s.touch()
	}
	return id
}

// place is write; s.mu is held.
func (s People) place(user, chatID int64, m *Message) int {
	c, u := s.chats[chatID], s.users[user]
	if c == nil || u == nil || u.deactivated || !c.takes(user) {
		return 0
	}
	if to := c.present(m.ReplyTo); to != nil && c.forum && m.Thread == 0 {
		m.Thread = to.Thread // an answer stays in its topic
	}
	if !c.opens(user, m.Thread) {
		return 0
	}
	if m.Thread == generalTopic {
		m.Thread = 0
	}
	c.started = true
	m.ID, m.From, m.Date = s.messageID(c), user, s.now()
	if m.Entities == nil {
		m.Entities = detect(m.Text, nil)
	}
	s.uploads.keep(m)
	c.messages = append(c.messages, m)
	s.hand("message", c, m)
	return m.ID
}

// opens reports whether a person can write in a topic.
func (c *chat) opens(user int64, thread int) bool {
	if thread == 0 && !c.forum {
		return true
	}
	t := c.topic(max(thread, generalTopic))
	return t != nil && (!t.closed || c.role(user).administers())
}

// hand gives the bot a person's message, if it is the bot's to see; s.mu is held.
func (s People) hand(kind string, c *chat, m *Message) {
	if s.sees(c, m) {
		// push drops what the bot has not asked for: such a message went out in no update, and is never unseen.
		before := s.inbox.next
		s.Updates.push(c.updateKind(kind), s.views.messageJSON(c, m), day, c.id)
		if s.inbox.next > before {
			m.update = s.inbox.next - 1
		}
	}
}

// sees reports whether the bot gets a person's message. In privacy mode, and not an administrator, it gets
// from a group what is addressed to it: commands, mentions, replies to it, and what was sent with its help.
func (s People) sees(c *chat, m *Message) bool {
	role := c.role(s.BotID())
	switch {
	case c.id > 0:
		return true
	case !role.in():
		return false
	case role.administers() || s.options.ReadsAll || m.ViaBot || m.Notice != "":
		return true
	}
	if to := c.message(m.ReplyTo); to != nil && to.FromBot {
		return true
	}
	return slices.ContainsFunc(m.Entities, func(e Entity) bool {
		word := Slice(m.Text, e.Offset, e.Length)
		_, addressee, named := strings.Cut(word, "@")
		switch e.Type {
		case "bot_command":
			return !named || strings.EqualFold(addressee, s.options.BotName)
		case "mention":
			return strings.EqualFold(addressee, s.options.BotName)
		}
		return false
	})
}

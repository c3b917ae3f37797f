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
}

// Send types a message into a chat and returns its id, 0 if the person cannot write there. Whoever writes
// to the bot in private has pressed Start by that.
func (s *Server) Send(user, chatID int64, text string) int {
	return s.write(user, chatID, &Message{Text: text})
}

// Reply is Send in reply to a message.
func (s *Server) Reply(user, chatID int64, to int, text string) int {
	return s.write(user, chatID, &Message{Text: text, ReplyTo: to})
}

// SendPhoto posts a picture into a chat. Nothing is posted if it is not a picture of a kind that Telegram
// takes.
func (s *Server) SendPhoto(user, chatID int64, body []byte, caption string) int {
	p, no := newPhoto(body)
	if no != nil {
		return 0
	}
	return s.write(user, chatID, &Message{Text: caption, Photo: p})
}

// SendDocument posts a file into a chat.
func (s *Server) SendDocument(user, chatID int64, name string, body []byte, caption string) int {
	return s.write(user, chatID, &Message{Text: caption, Document: &Document{Name: name, Body: body}})
}

// Edit changes the text or caption of a person's own message.
func (s *Server) Edit(user, chatID int64, message int, text string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	c := s.chats[chatID]
	if c == nil || s.users[user] == nil {
		return
	}
	m := c.message(message)
	if m == nil || m.Deleted || m.FromBot || m.From != user || m.Notice != "" {
		return
	}
	m.Text, m.Entities, m.Edited, m.EditedAt = text, detect(text, nil), true, time.Now()
	s.hand("edited_message", c, m)
	s.touch()
}

// Remove deletes a message for everyone, as a person can. The bot is not told.
func (s *Server) Remove(chatID int64, message int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if c := s.chats[chatID]; c != nil {
		if m := c.message(message); m != nil {
			m.Deleted = true
			s.touch()
		}
	}
}

// Tap taps a button under a message, whether or not the message has such a one: clients can be made to
// lie. It returns the id of the callback query.
func (s *Server) Tap(user, chatID int64, message int, data string) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	c, u := s.chats[chatID], s.users[user]
	if c == nil || u == nil || u.deactivated {
		return ""
	}
	q := &Callback{ID: fmt.Sprintf("%d%06d", 4_000_000_000+user, len(s.callbacks)+1), User: user, Chat: chatID, Message: message, Data: data, At: time.Now()}
	s.callbacks = append(s.callbacks, q)
	body := object{"id": q.ID, "from": *u, "chat_instance": strconv.FormatInt(chatID, 10), "data": data}
	if m := c.message(message); m != nil && !m.Deleted {
		body["message"] = s.messageJSON(c, m)
	} else {
		body["message"] = object{"chat": s.chatJSON(c), "message_id": message, "date": 0}
	}
	s.push("callback_query", body, callbackLife, user+3<<33)
	s.touch()
	return q.ID
}

// TapButton taps the newest button of a chat whose text holds the words.
func (s *Server) TapButton(user, chatID int64, words string) (string, error) {
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
func (s *Server) write(user, chatID int64, m *Message) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	c, u := s.chats[chatID], s.users[user]
	if c == nil || u == nil || u.deactivated || !c.takes(user) {
		return 0
	}
	c.started = true
	m.ID, m.From, m.Date, m.Entities = s.messageID(c), user, time.Now(), detect(m.Text, nil)
	s.keep(m)
	c.messages = append(c.messages, m)
	s.hand("message", c, m)
	s.touch()
	return m.ID
}

// hand gives the bot a person's message, if it is the bot's to see; s.mu is held.
func (s *Server) hand(kind string, c *chat, m *Message) {
	if s.sees(c, m) {
		s.push(kind, s.messageJSON(c, m), day, c.id)
	}
}

// sees reports whether the bot gets a person's message. In privacy mode, and not an administrator, it gets
// from a group what is addressed to it: commands, mentions, and replies to it.
func (s *Server) sees(c *chat, m *Message) bool {
	role := c.role(s.BotID())
	if c.id > 0 {
		return true
	}
	if !role.in() {
		return false
	}
	if role.administers() || s.options.ReadsAll {
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

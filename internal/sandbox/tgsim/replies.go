package tgsim

import (
	"encoding/json"
	"slices"
)

// ReplyKeyboard is the keyboard that a bot has given the people of a chat to write with, or its wish that
// they reply.
type ReplyKeyboard struct {
	Message     int             `json:"message"` // that brought it
	Rows        [][]ReplyButton `json:"rows"`
	OneTime     bool            `json:"one_time"`
	Persistent  bool            `json:"persistent"`
	Placeholder string          `json:"placeholder"`
	Force       bool            `json:"force"` // no keys: the person is asked to reply
}

// ReplyButton is a key of it. One that asks for something else than its text has Asks, and what it asks for.
type ReplyButton struct {
	Text string `json:"text"`
	// Asks is request_contact, request_location, request_poll, request_users, request_chat or web_app.
	Asks   string        `json:"asks,omitempty"`
	WebApp string        `json:"-"` // opens this page
	Users  *UsersRequest `json:"-"`
	Chat   *ChatRequest  `json:"-"`
}

// UsersRequest is what a key wants to know of users.
type UsersRequest struct {
	ID             int64
	Most           int
	Name, Username bool // wanted as well
}

// ChatRequest is what a key wants to know of a chat.
type ChatRequest struct {
	ID          int64
	Channel     bool
	BotIsMember bool // the bot has to be in it
	Title       bool // wanted as well
}

// ReplyKeyboard is the keyboard that people of a chat have to write with; nil for none.
func (s Directory) ReplyKeyboard(chatID int64) *ReplyKeyboard {
	s.mu.Lock()
	defer s.mu.Unlock()
	if c := s.chats[chatID]; c != nil && c.keyboard != nil {
		k := *c.keyboard
		return &k
	}
	return nil
}

// give puts a message's keyboard in the place of the one that is there; s.mu is held.
func (c *chat) give(m markup, message int) {
	switch {
	case m.remove:
		c.keyboard = nil
	case m.reply != nil:
		c.keyboard = m.reply
		c.keyboard.Message = message
	}
}

// readReplyButton reads a key of a reply keyboard; a text alone is one.
func readReplyButton(raw []byte) (k ReplyButton, err error) {
	if json.Unmarshal(raw, &k.Text) == nil {
		return k, nil
	}
	f := newFields(raw, "KeyboardButton must be a String or an Object")
	k.Text = f.needText("text")
	if !slices.Contains([]string{"", "danger", "success", "primary"}, f.text("style")) {
		f.failf("invalid button style specified")
	}
	switch {
	case f.bool("request_contact"):
		k.Asks = "request_contact"
	case f.bool("request_location"):
		k.Asks = "request_location"
	case f.has("request_poll"):
		k.Asks = "request_poll"
		poll := f.needObject(k.Asks)
		poll.text("type") // quiz, regular, or any: a wrong type is refused
		f.done(poll)
	case f.has("web_app"):
		k.Asks = "web_app"
		app := f.needObject(k.Asks)
		k.WebApp = app.needText("url")
		f.done(app)
	case f.has("request_users"):
		k.Asks = "request_users"
		q := f.needObject(k.Asks)
		k.Users = &UsersRequest{ID: q.needInt("request_id"), Most: int(max(q.int("max_quantity"), 1)), Name: q.bool("request_name"), Username: q.bool("request_username")}
		f.done(q)
	case f.has("request_chat"):
		k.Asks = "request_chat"
		q := f.needObject(k.Asks)
		k.Chat = &ChatRequest{ID: q.needInt("request_id"), Channel: q.bool("chat_is_channel"), BotIsMember: q.bool("bot_is_member"), Title: q.bool("request_title")}
		f.done(q)
	}
	return k, f.err
}

// check refuses keys that ask for what is asked for in private chats only.
func (k *ReplyKeyboard) check(c *chat) *failure {
	for _, key := range slices.Concat(k.Rows...) {
		switch {
		case key.Text == "":
			return badRequest("keyboard button text must be non-empty")
		case key.WebApp != "" && !secure(key.WebApp):
			return badRequest("keyboard button Web App URL '" + key.WebApp + "' is invalid: Only HTTPS links are allowed")
		case c.id > 0:
		case key.Asks == "web_app":
			return badRequest("Web App buttons can be used in private chats only")
		case key.Asks != "":
			return badRequest(asked(key.Asks) + " can be requested in private chats only")
		}
	}
	return nil
}

// asked is what a key asks for, in words.
func asked(what string) string {
	switch what {
	case "request_contact":
		return "phone number"
	case "request_location":
		return "location"
	case "request_poll":
		return "poll"
	case "request_users":
		return "users"
	}
	return "chats"
}

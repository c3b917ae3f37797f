package tgsim

import (
	"encoding/json"
	"slices"
	"strings"
	"time"
	"unicode/utf8"
)

// markup is what a call says of keyboards.
type markup struct {
	keys  [][]Button
	reply bool // a keyboard for the person to write with, or the end of one
}

// readMarkup reads reply_markup as far as its form goes.
func readMarkup(p params) (markup, *failure) {
	if !p.has("reply_markup") {
		return markup{}, nil
	}
	var whole json.RawMessage
	if !p.object("reply_markup", &whole) {
		return markup{}, badRequest("can't parse reply keyboard markup JSON object")
	}
	var parts struct {
		Inline   json.RawMessage `json:"inline_keyboard"`
		Keyboard json.RawMessage `json:"keyboard"`
		Remove   bool            `json:"remove_keyboard"`
		Force    bool            `json:"force_reply"`
	}
	if json.Unmarshal(whole, &parts) != nil {
		return markup{}, badRequest("object expected as reply markup")
	}
	m := markup{reply: parts.Remove || parts.Force || len(parts.Keyboard) > 0}
	if len(parts.Inline) > 0 && json.Unmarshal(parts.Inline, &m.keys) != nil {
		return markup{}, badRequest(`field "inline_keyboard" of the InlineKeyboardMarkup must be an Array of Arrays`)
	}
	for _, row := range m.keys {
		for i := range row {
			if no := row[i].parse(); no != nil {
				return markup{}, no
			}
		}
	}
	return m, nil
}

// parse refuses a button whose form is wrong, as reading it does.
func (b *Button) parse() *failure {
	if b.Copy != nil && b.Copy.Text == "" && (b.Data != "" || b.URL != "") {
		b.Copy = nil // an empty one beside another kind is passed over
	}
	if b.Data == "" && b.URL == "" && b.Copy == nil && b.WebApp == nil {
		return badRequest("can't parse inline keyboard button: Text buttons are unallowed in the inline keyboard")
	}
	if !slices.Contains([]string{"", "danger", "success", "primary"}, b.Style) {
		return badRequest("can't parse inline keyboard button: invalid button style specified")
	}
	return nil
}

// check refuses what Telegram refuses once it looks into the buttons.
func (m markup) check(c *chat) *failure {
	buttons := slices.Concat(m.keys...)
	if len(buttons) > 100 {
		return badRequest("reply markup is too long")
	}
	for _, b := range buttons {
		switch {
		case b.Text == "":
			return badRequest("inline keyboard button text must be non-empty")
		case b.WebApp != nil && c.id < 0:
			return badRequest("BUTTON_TYPE_INVALID")
		case len(b.Data) > 64:
			return badRequest("BUTTON_DATA_INVALID")
		case b.Copy != nil && (b.Copy.Text == "" || utf8.RuneCountInString(b.Copy.Text) > 256):
			return badRequest("BUTTON_COPY_TEXT_INVALID")
		}
	}
	return nil
}

// letter is a message on its way: its text, its markup, and where it goes. Its parts are checked in the
// order in which Telegram does, as who gets more than one thing wrong is told of the first.
type letter struct {
	text     string
	entities []Entity
	markup   markup
	chat     *chat
	replyTo  int
}

// compose reads a message that has its text in name, and the entities of that in list. check looks at the
// text.
func (s *Server) compose(p params, name, list string, check func(string) *failure) (l letter, no *failure) {
	if l.text, l.entities, no = s.formatted(p, name, list); no != nil {
		return l, no
	}
	if l.markup, no = readMarkup(p); no != nil {
		return l, no
	}
	if l.chat, no = s.reach(p, toWrite); no != nil {
		return l, no
	}
	if p.int("message_thread_id") > 0 {
		return l, badRequest("message thread not found") // there are no forums here
	}
	if l.replyTo, no = l.chat.answered(p); no != nil {
		return l, no
	}
	if no = check(l.text); no != nil {
		return l, no
	}
	return l, l.markup.check(l.chat)
}

// answered is the message that a call replies to.
func (c *chat) answered(p params) (int, *failure) {
	var reply struct {
		ID    int  `json:"message_id"`
		Alone bool `json:"allow_sending_without_reply"`
	}
	if p.has("reply_parameters") && !p.object("reply_parameters", &reply) {
		return 0, badRequest("can't parse reply parameters JSON object")
	}
	if reply.ID <= 0 {
		return 0, nil
	}
	if m := c.message(reply.ID); m != nil && !m.Deleted {
		return reply.ID, nil
	}
	if reply.Alone {
		return 0, nil
	}
	return 0, badRequest("message to be replied not found")
}

// post adds the letter to its chat. what it is decides whether a bot without all rights may send it.
func (s *Server) post(l letter, p params, what string, m *Message) (any, *failure) {
	if s.here(l.chat) == Restricted {
		return nil, badRequest("not enough rights to send " + what + " to the chat")
	}
	m.ID, m.FromBot, m.From, m.Date = s.messageID(l.chat), true, s.BotID(), time.Now()
	m.Text, m.Entities, m.Keyboard, m.ReplyTo = l.text, l.entities, l.markup.keys, l.replyTo
	m.Protected, m.fixed = p.bool("protect_content"), l.markup.reply
	s.keep(m)
	l.chat.messages = append(l.chat.messages, m)
	return s.messageJSON(l.chat, m), nil
}

// readable refuses a text that is none, or too long.
func readable(text string) *failure {
	switch {
	case strings.TrimSpace(text) == "":
		return badRequest("text must be non-empty")
	case tooLong(text, maxText):
		return badRequest("message is too long")
	}
	return nil
}

// caption refuses a caption that is too long.
func caption(text string) *failure {
	if tooLong(text, maxCaption) {
		return badRequest("message caption is too long")
	}
	return nil
}

func sendMessage(s *Server, p params) (any, *failure) {
	if !p.has("text") {
		return nil, badRequest("message text is empty")
	}
	l, no := s.compose(p, "text", "entities", readable)
	if no != nil {
		return nil, no
	}
	return s.post(l, p, "text messages", &Message{})
}

// media reads what documents and photos have in common.
func (s *Server) media(p params, name string) (l letter, f *file, no *failure) {
	if f, no = s.upload(p, name); no != nil {
		return l, nil, no
	}
	l, no = s.compose(p, "caption", "caption_entities", caption)
	return l, f, no
}

func sendDocument(s *Server, p params) (any, *failure) {
	l, f, no := s.media(p, "document")
	if no == nil && f.doc == nil {
		no = badRequest("type of file mismatch")
	}
	if no != nil {
		return nil, no
	}
	return s.post(l, p, "documents", &Message{Document: f.doc})
}

func sendPhoto(s *Server, p params) (any, *failure) {
	l, f, no := s.media(p, "photo")
	if no != nil {
		return nil, no
	}
	photo := f.photo
	switch {
	case photo == nil && f.id != "":
		return nil, badRequest("type of file mismatch")
	case photo == nil:
		if photo, no = newPhoto(f.body); no != nil {
			return nil, no
		}
	}
	return s.post(l, p, "photos", &Message{Photo: photo})
}

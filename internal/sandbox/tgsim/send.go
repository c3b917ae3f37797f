package tgsim

import (
	"encoding/json"
	"strings"
	"time"
)

// sort is a sort of message: how the Bot API speaks of it, and the permission that it needs in groups.
type sort struct{ noun, permission string }

// sorts are the sorts of messages, by the names of what they hold.
func sorts() map[string]sort {
	return map[string]sort{
		"text":       {"text messages", "can_send_messages"},
		"photo":      {"photos", "can_send_photos"},
		"document":   {"documents", "can_send_documents"},
		"animation":  {"animations", "can_send_other_messages"},
		"audio":      {"music", "can_send_audios"},
		"sticker":    {"stickers", "can_send_other_messages"},
		"video":      {"videos", "can_send_videos"},
		"video_note": {"video notes", "can_send_video_notes"},
		"voice":      {"voice notes", "can_send_voice_notes"},
		"contact":    {"contacts", "can_send_messages"},
		"dice":       {"dice", "can_send_other_messages"},
		"location":   {"locations", "can_send_messages"},
		"venue":      {"venues", "can_send_messages"},
		"poll":       {"polls", "can_send_polls"},
		"invoice":    {"invoice messages", "can_send_messages"},
	}
}

// sort is which sort of message this is.
func (m *Message) sort() string {
	switch {
	case m.Photo != nil:
		return "photo"
	case m.Document != nil && m.Document.Kind != "":
		return m.Document.Kind
	case m.Document != nil:
		return "document"
	}
	// A map has no order. Only a venue has two names that fit, for it carries its location as well.
	for name := range sorts() {
		if m.Content[name] != nil && (name != "location" || m.Content["venue"] == nil) {
			return name
		}
	}
	return "text"
}

// letter is a message on its way: its text, its markup, and where it goes. Its parts are checked in the
// order in which Telegram does, as who gets more than one thing wrong is told of the first.
type letter struct {
	text     string
	entities []Entity
	markup   markup
	chat     *chat
	thread   int
	answers  replied
}

// replied is what a message replies to.
type replied struct {
	to       int
	quote    object // the part that is answered
	external object // what is answered, where that is in another chat
}

// compose reads a message that has its text in name, and the entities of that in list. check looks at the
// text.
func (s letters) compose(p params, name, list string, check func(string) *failure) (l letter, no *failure) {
	if l.text, l.entities, no = s.formatted(p, name, list); no != nil {
		return l, no
	}
	if no = s.address(&l, p); no != nil {
		return l, no
	}
	if no = check(l.text); no != nil {
		return l, no
	}
	return l, l.markup.check(l.chat)
}

// address reads where a letter goes, and with which keys.
func (s letters) address(l *letter, p params) (no *failure) {
	if l.markup, no = readMarkup(p); no != nil {
		return no
	}
	if l.chat, no = s.reach(p, toWrite); no != nil {
		return no
	}
	if l.thread, no = l.chat.thread(p); no != nil {
		return no
	}
	l.answers, no = s.answered(l.chat, p)
	return no
}

// enclose is compose for what has no text.
func (s letters) enclose(p params) (l letter, no *failure) {
	if no = s.address(&l, p); no != nil {
		return l, no
	}
	return l, l.markup.check(l.chat)
}

// replyParameters is what a call says of a reply.
type replyParameters struct {
	id          int
	chat        string // "" for the chat that is written to
	alone       bool   // it may be sent if the other is gone
	quote, mode string
	entities    json.RawMessage
	position    int64
}

// reply reads what a call says of a reply, in the form of today or of yesterday.
func (p params) reply() (r replyParameters, no *failure) {
	if !p.has("reply_parameters") {
		return replyParameters{id: int(p.int("reply_to_message_id")), alone: p.bool("allow_sending_without_reply")}, nil
	}
	raw := []byte(p.text("reply_parameters"))
	if !json.Valid(raw) {
		return r, badRequest("can't parse reply parameters JSON object")
	}
	f := newFields(raw, "Object expected as reply parameters")
	if f.err == nil && len(f.members) == 0 {
		return r, nil
	}
	r = replyParameters{
		chat: f.text("chat_id"), id: int(f.needInt("message_id")), alone: f.bool("allow_sending_without_reply"),
		quote: f.text("quote"), mode: f.text("quote_parse_mode"), entities: f.raw("quote_entities"), position: f.int("quote_position"),
	}
	if f.err != nil {
		return r, said("", f.err)
	}
	return r, nil
}

// answered is the message that a call replies to.
func (s letters) answered(c *chat, p params) (a replied, no *failure) {
	r, no := p.reply()
	if no != nil || r.id <= 0 {
		return a, no
	}
	from := c
	if r.chat != "" {
		if from, no = s.reachNamed(r.chat, toRead); no != nil {
			return a, no
		}
	}
	m := from.present(r.id)
	switch {
	case m == nil && r.alone:
		return a, nil
	case m == nil:
		return a, badRequest("message to be replied not found")
	case from == c:
		a.to = r.id
	default:
		a.external = object{"origin": s.views.originOf(from, m), "chat": s.views.chatJSON(from), "message_id": r.id}
	}
	if r.quote == "" {
		return a, nil
	}
	quote, entities, err := s.format(r.quote, r.mode, r.entities)
	switch {
	case err != nil:
		return a, said("", err)
	case !strings.Contains(m.Text, quote):
		return a, badRequest("QUOTE_TEXT_INVALID")
	}
	a.quote = object{"text": quote, "position": r.position, "is_manual": true}
	if entities != nil {
		a.quote["entities"] = entities
	}
	return a, nil
}

// post adds the letter to its chat, unless the bot may not send such there.
func (s letters) post(l letter, p params, m *Message) (any, *failure) {
	if no := s.mayPost(l.chat, m); no != nil {
		return nil, no
	}
	s.add(l, p, m)
	return s.views.messageJSON(l.chat, m), nil
}

func (s letters) mayPost(c *chat, m *Message) *failure {
	if what := sorts()[m.sort()]; !c.may(s.BotID(), what.permission) {
		return badRequest("not enough rights to send " + what.noun + " to the chat")
	}
	return nil
}

// add makes the letter a message of its chat.
func (s letters) add(l letter, p params, m *Message) {
	c := l.chat
	m.ID, m.FromBot, m.From, m.Date = s.messageID(c), true, s.BotID(), s.now()
	m.Text, m.Entities, m.Keyboard = l.text, l.entities, l.markup.keys
	m.Thread, m.ReplyTo, m.quote = l.thread, l.answers.to, l.answers.quote
	if l.answers.external != nil {
		m.with("external_reply", l.answers.external)
	}
	m.fixed = l.markup.fixed()
	m.Protected, m.Silent, m.effect = p.bool("protect_content"), p.bool("disable_notification"), p.text("message_effect_id")
	s.uploads.keep(m)
	c.messages = append(c.messages, m)
	c.give(l.markup, m.ID)
	c.typing = time.Time{}
}

// with adds something to what a message carries.
func (m *Message) with(name string, what any) {
	if m.Content == nil {
		m.Content = map[string]any{}
	}
	m.Content[name] = what
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
	preview, no := p.preview()
	switch {
	case no != nil:
		return nil, no
	case !p.has("text"):
		return nil, badRequest("message text is empty")
	}
	l, no := s.letters.compose(p, "text", "entities", readable)
	if no != nil {
		return nil, no
	}
	return s.letters.post(l, p, &Message{preview: preview})
}

// preview reads what a call says of the preview of links.
func (p params) preview() (object, *failure) {
	if !p.has("link_preview_options") {
		if p.bool("disable_web_page_preview") {
			return object{"is_disabled": true}, nil
		}
		return nil, nil
	}
	raw := []byte(p.text("link_preview_options"))
	if !json.Valid(raw) {
		return nil, badRequest("can't parse link preview options JSON object")
	}
	f := newFields(raw, "Object expected as link preview options")
	o := object{}
	o.add("url", f.text("url"))
	for _, name := range []string{"is_disabled", "prefer_small_media", "prefer_large_media", "show_above_text"} {
		if f.bool(name) {
			o[name] = true
		}
	}
	if f.err != nil {
		return nil, said("", f.err)
	}
	if len(o) == 0 {
		return nil, nil
	}
	return o, nil
}

// sendMessageDraft shows somebody what the bot is about to say; nobody here looks at it.
func sendMessageDraft(s *Server, p params) (any, *failure) {
	text, _, no := s.letters.formatted(p, "text", "entities")
	if no != nil {
		return nil, no
	}
	c, no := s.reach(p, toWrite)
	switch {
	case no != nil:
		return nil, no
	case c.id < 0:
		return nil, badRequest("method is available only in private chats")
	case p.int("draft_id") == 0:
		return nil, badRequest("invalid draft_id specified")
	case tooLong(text, maxText):
		return nil, badRequest("message is too long")
	}
	return true, nil
}

package tgsim

import (
	"cmp"
	"maps"
	"time"
)

// Message is a message as the chat shows it now.
type Message struct {
	ID       int
	FromBot  bool
	From     int64
	Text     string // or the caption of a document or photo
	Entities []Entity
	Keyboard [][]Button
	Document *Document // or another medium
	Photo    *Photo
	Date     time.Time
	Edited   bool
	EditedAt time.Time
	Deleted  bool
	ReplyTo  int
	// Protected messages cannot be forwarded or saved.
	Protected bool
	// Notice is set where nobody wrote the message: it says what happened, as "Sam added the bot".
	Notice string
	// Content is what a message carries that is neither text nor a file, by the names of the Bot API:
	// contact, location, venue, dice, poll, invoice.
	Content    map[string]any
	Thread     int                  // the topic of a forum; 0 for none, and for the general one
	Album      string               // what the messages of an album share
	Forwarded  string               // who wrote it first, if it was forwarded
	ViaBot     bool                 // sent with the help of the bot's inline mode
	Reactions  map[int64][]Reaction // by who reacted
	Silent     bool                 // it came without a sound
	Spoiler    bool                 // the picture is hidden until tapped
	CaptionTop bool                 // the caption stands above the picture

	service object // what the Bot API says of Notice
	origin  object // of a forwarded message
	quote   object // the part of ReplyTo that is answered
	preview object // link_preview_options
	effect  string
	update  int64  // the update that it went to the bot in; 0 for none
	inline  string // by which the bot knows a message that was sent via it
	fixed   bool   // it came with a reply keyboard, and can never be edited
}

// Document is a file that was sent: a document, or a medium that is shown in a way of its own.
type Document struct {
	ID   string
	Name string
	Body []byte
	Kind string // "" for a document; animation, audio, sticker, video, video_note, voice

	mime  string // of one from the web, as its server says
	about object // what the Bot API says of it besides: its duration, its size
}

// Photo is a picture that was sent.
type Photo struct {
	ID            string
	Width, Height int
	Body          []byte
}

// person is who an id belongs to, as the Bot API describes them.
func (s views) person(id int64) any {
	if id == s.BotID() {
		return s.botJSON()
	}
	if u := s.users[id]; u != nil {
		return *u
	}
	return User{ID: id}
}

// name is what people call somebody.
func (s views) name(id int64) string {
	if id == s.BotID() {
		return "@" + s.options.BotName
	}
	if u := s.users[id]; u != nil && !u.deactivated {
		return u.FirstName
	}
	return "Deleted account"
}

func (s views) botJSON() object {
	return object{"id": s.BotID(), "is_bot": true, "first_name": s.Menus.aboutIn("name", ""), "username": s.options.BotName}
}

// meJSON is the bot as only the bot itself sees it.
func (s views) meJSON() object {
	me := s.botJSON()
	me.grant(false, "can_connect_to_business", "has_main_web_app", "has_topics_enabled", "allows_users_to_create_topics", "can_manage_bots")
	me["can_join_groups"], me["can_read_all_group_messages"], me["supports_inline_queries"] = true, s.options.ReadsAll, s.options.Inline
	return me
}

func (s views) chatJSON(c *chat) object {
	if c.id < 0 {
		o := object{"id": c.id, "type": c.kind(), "title": c.title}
		if c.forum {
			o["is_forum"] = true
		}
		return o
	}
	o := object{"id": c.id, "type": "private", "first_name": s.users[c.id].FirstName}
	o.add("username", s.users[c.id].Username)
	return o
}

// add adds a text, if it is one.
func (o object) add(name, text string) {
	if text != "" {
		o[name] = text
	}
}

// grant sets members of an object.
func (o object) grant(yes bool, names ...string) {
	for _, name := range names {
		o[name] = yes
	}
}

// messageJSON is a Message, with the one that it answers.
func (s views) messageJSON(c *chat, m *Message) object {
	o := s.bareJSON(c, m)
	to := m.ReplyTo
	if to == 0 && c.forum && m.Thread != m.ID {
		to = m.Thread // what is written in a topic answers the message that began it
	}
	if to := c.present(to); to != nil {
		o["reply_to_message"] = s.bareJSON(c, to) // the Bot API goes one deep
	}
	if m.quote != nil {
		o["quote"] = m.quote
	}
	return o
}

func (s views) bareJSON(c *chat, m *Message) object {
	o := object{"message_id": m.ID, "from": s.person(m.From), "chat": s.chatJSON(c), "date": m.Date.Unix()}
	switch {
	case c.channel:
		delete(o, "from")
		o["sender_chat"] = o["chat"]
	case m.FromBot:
		o["from"] = s.botJSON()
	}
	maps.Copy(o, m.service)
	maps.Copy(o, m.origin)
	maps.Copy(o, m.Content)
	m.addText(o)
	m.addTraits(o)
	if m.Thread != 0 && c.forum {
		o["message_thread_id"], o["is_topic_message"] = m.Thread, true
	}
	if m.Keyboard != nil {
		o["reply_markup"] = object{"inline_keyboard": m.Keyboard}
	}
	if m.ViaBot {
		o["via_bot"] = s.botJSON()
	}
	return o
}

// addText adds the text of a message, or its file with the caption.
func (m *Message) addText(o object) {
	text, entities := "text", "entities"
	if m.media() {
		text, entities = "caption", "caption_entities"
	}
	if m.Document != nil {
		o[cmp.Or(m.Document.Kind, "document")] = m.Document.json()
	}
	if m.Document != nil && m.Document.Kind == "animation" {
		o["document"] = (&Document{ID: m.Document.ID, Name: m.Document.Name, Body: m.Document.Body}).json() // for those who know no animations
	}
	if m.Photo != nil {
		o["photo"] = []object{m.Photo.json()}
	}
	o.add(text, m.Text)
	if m.Entities != nil {
		o[entities] = m.Entities
	}
}

// media reports whether a message has a file, and hence a caption.
func (m *Message) media() bool { return m.Document != nil || m.Photo != nil }

// addTraits adds what a message has besides what it says.
func (m *Message) addTraits(o object) {
	if m.Edited {
		o["edit_date"] = m.EditedAt.Unix()
	}
	for name, yes := range map[string]bool{"has_protected_content": m.Protected, "has_media_spoiler": m.Spoiler, "show_caption_above_media": m.CaptionTop} {
		if yes {
			o[name] = true
		}
	}
	o.add("media_group_id", m.Album)
	o.add("effect_id", m.effect)
	if m.preview != nil {
		o["link_preview_options"] = m.preview
	}
}

package tgsim

import (
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
	Document *Document
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

	service object // what the Bot API says of Notice
	fixed   bool   // it came with a reply keyboard, and can never be edited
}

// Button is a key of an inline keyboard.
type Button struct {
	Text string `json:"text"`
	Data string `json:"callback_data,omitempty"`
	URL  string `json:"url,omitempty"`
	Copy *struct {
		Text string `json:"text"`
	} `json:"copy_text,omitempty"`
	WebApp *struct {
		URL string `json:"url"`
	} `json:"web_app,omitempty"`
	Style string `json:"style,omitempty"`
}

// Document is a file that was sent.
type Document struct {
	ID   string
	Name string
	Body []byte
}

// Photo is a picture that was sent.
type Photo struct {
	ID            string
	Width, Height int
	Body          []byte
}

// person is who an id belongs to, as the Bot API describes them.
func (s *Server) person(id int64) any {
	if id == s.BotID() {
		return s.botJSON()
	}
	if u := s.users[id]; u != nil {
		return *u
	}
	return User{ID: id}
}

// name is what people call somebody.
func (s *Server) name(id int64) string {
	if id == s.BotID() {
		return "@" + s.options.BotName
	}
	if u := s.users[id]; u != nil && !u.deactivated {
		return u.FirstName
	}
	return "Deleted account"
}

func (s *Server) botJSON() object {
	return object{"id": s.BotID(), "is_bot": true, "first_name": s.options.BotName, "username": s.options.BotName}
}

// meJSON is the bot as only the bot itself sees it.
func (s *Server) meJSON() object {
	me := s.botJSON()
	for _, ability := range []string{"supports_inline_queries", "can_connect_to_business", "has_main_web_app"} {
		me[ability] = false
	}
	me["can_join_groups"], me["can_read_all_group_messages"] = true, s.options.ReadsAll
	return me
}

func (s *Server) chatJSON(c *chat) object {
	if c.id < 0 {
		return object{"id": c.id, "type": c.kind(), "title": c.title}
	}
	o := object{"id": c.id, "type": "private", "first_name": s.users[c.id].FirstName}
	if name := s.users[c.id].Username; name != "" {
		o["username"] = name
	}
	return o
}

// memberJSON is a ChatMember: what somebody is in a chat, with all that goes with it.
func (s *Server) memberJSON(c *chat, who int64) object {
	r := c.role(who)
	o := object{"status": r, "user": s.person(who)}
	switch r {
	case Creator:
		o["is_anonymous"] = false
	case Administrator:
		o.grant(true, "can_manage_chat", "can_delete_messages", "can_manage_video_chats", "can_restrict_members", "can_change_info", "can_invite_users", "can_pin_messages")
		o.grant(false, "can_be_edited", "is_anonymous", "can_promote_members", "can_post_stories", "can_edit_stories", "can_delete_stories")
		if c.supergroup() {
			o.grant(false, "can_manage_topics")
		}
	case Restricted:
		o.grant(true, "is_member")
		o.grant(false, permissions()...)
		o["until_date"] = 0
	case Kicked:
		o["until_date"] = 0
	}
	return o
}

// grant sets members of an object.
func (o object) grant(yes bool, names ...string) {
	for _, name := range names {
		o[name] = yes
	}
}

// permissions are what members of a group may do, by the names of the Bot API.
func permissions() []string {
	return []string{
		"can_send_messages", "can_send_audios", "can_send_documents", "can_send_photos", "can_send_videos", "can_send_video_notes", "can_send_voice_notes",
		"can_send_polls", "can_send_other_messages", "can_add_web_page_previews", "can_react_to_messages", "can_edit_tag", "can_change_info",
		"can_invite_users", "can_pin_messages", "can_manage_topics",
	}
}

// messageJSON is a Message, with the one that it answers.
func (s *Server) messageJSON(c *chat, m *Message) object {
	o := s.bareJSON(c, m)
	if to := c.message(m.ReplyTo); to != nil && !to.Deleted {
		o["reply_to_message"] = s.bareJSON(c, to) // the Bot API goes one deep
	}
	return o
}

func (s *Server) bareJSON(c *chat, m *Message) object {
	o := object{"message_id": m.ID, "from": s.person(m.From), "chat": s.chatJSON(c), "date": m.Date.Unix()}
	if m.FromBot {
		o["from"] = s.botJSON()
	}
	maps.Copy(o, m.service)
	text, entities := "text", "entities"
	switch {
	case m.Document != nil:
		text, entities = "caption", "caption_entities"
		o["document"] = m.Document.json()
	case m.Photo != nil:
		text, entities = "caption", "caption_entities"
		o["photo"] = []object{m.Photo.json()}
	}
	if m.Text != "" {
		o[text] = m.Text
	}
	if m.Entities != nil {
		o[entities] = m.Entities
	}
	if m.Keyboard != nil {
		o["reply_markup"] = object{"inline_keyboard": m.Keyboard}
	}
	if m.Edited {
		o["edit_date"] = m.EditedAt.Unix()
	}
	if m.Protected {
		o["has_protected_content"] = true
	}
	return o
}

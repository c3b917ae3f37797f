package tgsim

import (
	"slices"
	"strconv"
)

// generalTopic is the topic that every forum has. Messages in it have no topic.
const generalTopic = 1

// topic is one of a forum's. Its id is that of the message that tells of its making.
type topic struct {
	id     int
	name   string
	color  int64
	icon   string // a custom emoji
	closed bool
	hidden bool // the general one only
	gone   bool
}

// thread is the topic that a call writes in.
func (c *chat) thread(p params) (int, *failure) {
	id := int(p.int("message_thread_id"))
	if id <= 0 {
		return 0, nil
	}
	t := c.topic(id)
	if id == generalTopic || t == nil {
		return 0, badRequest("message thread not found")
	}
	if t.closed {
		return id, badRequest("TOPIC_CLOSED")
	}
	return id, nil
}

// topic is a forum's topic by id, nil where there is none.
func (c *chat) topic(id int) *topic {
	if !c.forum {
		return nil
	}
	if i := slices.IndexFunc(c.topics, func(t *topic) bool { return t.id == id && !t.gone }); i >= 0 {
		return c.topics[i]
	}
	if id != generalTopic {
		return nil
	}
	// Made when it is first asked for, so that listTopics shows it only once somebody has written there or named it.
	general := &topic{id: generalTopic, name: "General"}
	c.topics = append(c.topics, general)
	return general
}

// topicMethods are about the topics of forums.
func topicMethods() map[string]method {
	return map[string]method{
		"createforumtopic":                  createForumTopic,
		"editforumtopic":                    editForumTopic(byID),
		"editgeneralforumtopic":             editForumTopic(general),
		"closeforumtopic":                   closeForumTopic(byID, true),
		"closegeneralforumtopic":            closeForumTopic(general, true),
		"reopenforumtopic":                  closeForumTopic(byID, false),
		"reopengeneralforumtopic":           closeForumTopic(general, false),
		"hidegeneralforumtopic":             hideGeneralForumTopic(true),
		"unhidegeneralforumtopic":           hideGeneralForumTopic(false),
		"deleteforumtopic":                  deleteForumTopic,
		"unpinallforumtopicmessages":        unpinAllForumTopicMessages(byID),
		"unpinallgeneralforumtopicmessages": unpinAllForumTopicMessages(general),
		"getforumtopiciconstickers":         func(*Server, params) (any, *failure) { return []object{}, nil },
	}
}

// forum is the forum that a call is about.
func (s managing) forum(p params) (*chat, *failure) {
	c, no := s.reach(p, toManage)
	switch {
	case no != nil:
		return nil, no
	case !c.forum:
		return nil, badRequest("the chat is not a forum")
	}
	return c, nil
}

// which says which topic a call is about.
type which func(params) int

func byID(p params) int  { return int(p.int("message_thread_id")) }
func general(params) int { return generalTopic }

// managedTopic is the topic that a call is about, if the bot may change it.
func (s managing) managedTopic(p params, id which) (*chat, *topic, *failure) {
	c, no := s.forum(p)
	if no != nil {
		return nil, nil, no
	}
	t := c.topic(id(p))
	switch {
	case t == nil:
		return nil, nil, badRequest("TOPIC_ID_INVALID")
	case !c.commands(s.BotID(), "can_manage_topics"):
		return nil, nil, badRequest("not enough rights to edit the topic")
	}
	return c, t, nil
}

func createForumTopic(s *Server, p params) (any, *failure) {
	c, no := s.managing.forum(p)
	name, color := p.text("name"), p.int("icon_color")
	switch {
	case no != nil:
		return nil, no
	case !c.may(s.BotID(), "can_manage_topics"):
		return nil, badRequest("not enough rights to create a topic")
	case name == "":
		return nil, badRequest("TOPIC_TITLE_EMPTY")
	case tooLong(name, 128):
		return nil, badRequest("TOPIC_TITLE_TOO_LONG")
	case color != 0 && !slices.Contains([]int64{7322096, 16766590, 13338331, 9367192, 16749490, 16478047}, color):
		return nil, badRequest("invalid icon color specified")
	}
	t := s.managing.newTopic(c, s.BotID(), name, color, p.text("icon_custom_emoji_id"))
	o := object{"message_thread_id": t.id, "name": t.name, "icon_color": t.color}
	o.add("icon_custom_emoji_id", t.icon)
	return o, nil
}

// newTopic makes a topic, with the message that tells of it.
func (s managing) newTopic(c *chat, by int64, name string, color int64, icon string) *topic {
	t := &topic{name: name, color: atLeast(color, 7322096), icon: icon}
	about := object{"name": name, "icon_color": t.color}
	about.add("icon_custom_emoji_id", icon)
	t.id = s.Directory.announce(c, by, 0, object{"forum_topic_created": about}, s.views.name(by)+" began the topic "+strconv.Quote(name))
	c.topics = append(c.topics, t)
	return t
}

// NewTopic has a person make a topic in a forum. It returns the topic's id, 0 where the person may not.
func (s Directory) NewTopic(by, chatID int64, name string) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	c := s.chats[chatID]
	if c == nil || !c.forum || !c.may(by, "can_manage_topics") || name == "" || tooLong(name, 128) {
		return 0
	}
	t := s.managing.newTopic(c, by, name, 0, "")
	s.touch()
	return t.id
}

// CloseTopic has a person close a topic, and ReopenTopic opens it again. They report whether anything changed.
func (s Directory) CloseTopic(by, chatID int64, id int) bool {
	return s.withTopic(by, chatID, id, "can_manage_topics", func(c *chat, t *topic) bool { return s.managing.setClosed(c, t, by, true) })
}

// ReopenTopic undoes CloseTopic.
func (s Directory) ReopenTopic(by, chatID int64, id int) bool {
	return s.withTopic(by, chatID, id, "can_manage_topics", func(c *chat, t *topic) bool { return s.managing.setClosed(c, t, by, false) })
}

// DeleteTopic has a person delete a topic with all that is in it, and reports whether there was one. The bot is not told, as with Telegram.
func (s Directory) DeleteTopic(by, chatID int64, id int) bool {
	return s.withTopic(by, chatID, id, "can_delete_messages", func(c *chat, t *topic) bool { return c.deleteTopic(t) })
}

// withTopic changes a topic, where there is one and the person has the right for it, and reports whether it has changed.
func (s Directory) withTopic(by, chatID int64, id int, right string, change func(*chat, *topic) bool) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	c := s.chats[chatID]
	if c == nil || c.topic(id) == nil || !c.commands(by, right) || !change(c, c.topic(id)) {
		return false
	}
	s.touch()
	return true
}

func editForumTopic(id which) method {
	return func(s *Server, p params) (any, *failure) {
		c, t, no := s.managing.managedTopic(p, id)
		if no != nil {
			return nil, no
		}
		name, icon := t.name, t.icon
		if p.has("name") {
			name = p.text("name")
		}
		if p.values.Has("icon_custom_emoji_id") {
			icon = p.text("icon_custom_emoji_id")
		}
		switch {
		case tooLong(name, 128):
			return nil, badRequest("TOPIC_TITLE_TOO_LONG")
		case name == t.name && icon == t.icon:
			return nil, badRequest("TOPIC_NOT_MODIFIED")
		}
		about := object{}
		if name != t.name {
			about["name"] = name
		}
		if icon != t.icon {
			about["icon_custom_emoji_id"] = icon
		}
		t.name, t.icon = name, icon
		s.Directory.announce(c, s.BotID(), t.id, object{"forum_topic_edited": about}, "The topic is called "+strconv.Quote(name))
		return true, nil
	}
}

func closeForumTopic(id which, closed bool) method {
	return func(s *Server, p params) (any, *failure) {
		c, t, no := s.managing.managedTopic(p, id)
		switch {
		case no != nil:
			return nil, no
		case !s.managing.setClosed(c, t, s.BotID(), closed):
			return nil, badRequest("TOPIC_NOT_MODIFIED")
		}
		return true, nil
	}
}

// setClosed closes a topic, or opens it again, and says so in it. It reports whether anything changed.
func (s managing) setClosed(c *chat, t *topic, by int64, closed bool) bool {
	if t.closed == closed {
		return false
	}
	t.closed = closed
	what, notice := "forum_topic_reopened", "The topic was opened again"
	if closed {
		what, notice = "forum_topic_closed", "The topic was closed"
	}
	s.Directory.announce(c, by, t.id, object{what: object{}}, notice)
	return true
}

func hideGeneralForumTopic(hidden bool) method {
	return func(s *Server, p params) (any, *failure) {
		c, t, no := s.managing.managedTopic(p, general)
		switch {
		case no != nil:
			return nil, no
		case t.hidden == hidden:
			return nil, badRequest("TOPIC_NOT_MODIFIED")
		}
		t.hidden, t.closed = hidden, hidden
		what, notice := "general_forum_topic_unhidden", "The general topic is shown"
		if hidden {
			what, notice = "general_forum_topic_hidden", "The general topic was hidden"
		}
		s.Directory.announce(c, s.BotID(), t.id, object{what: object{}}, notice)
		return true, nil
	}
}

// deleteForumTopic takes a topic away, and all its messages.
func deleteForumTopic(s *Server, p params) (any, *failure) {
	c, no := s.managing.forum(p)
	if no != nil {
		return nil, no
	}
	t := c.topic(int(p.int("message_thread_id")))
	switch {
	case t == nil || t.id == generalTopic:
		return nil, badRequest("TOPIC_ID_INVALID")
	case !c.commands(s.BotID(), "can_delete_messages"):
		return nil, badRequest("not enough rights to delete the topic")
	}
	return c.deleteTopic(t), nil
}

// deleteTopic takes a topic away, and all its messages, and reports whether it did; the general one stays.
func (c *chat) deleteTopic(t *topic) bool {
	if t.id == generalTopic {
		return false
	}
	t.gone = true
	for _, m := range c.messages {
		if m.Thread == t.id {
			c.remove(m)
		}
	}
	return true
}

func unpinAllForumTopicMessages(id which) method {
	return func(s *Server, p params) (any, *failure) {
		c, t, no := s.managing.managedTopic(p, id)
		if no != nil {
			return nil, no
		}
		if !c.may(s.BotID(), "can_pin_messages") {
			return nil, badRequest(noPinning)
		}
		c.pinned = slices.DeleteFunc(c.pinned, func(id int) bool {
			m := c.message(id)
			return m.Thread == t.id || m.Thread == 0 && t.id == generalTopic
		})
		return true, nil
	}
}

package tgsim

import (
	"slices"
)

// AddUser adds a person, who has a private chat with the bot but has not pressed Start.
func (s Directory) AddUser(u User) {
	s.mu.Lock()
	defer s.mu.Unlock()
	// Somebody with this id who is there already begins anew, with an empty chat. Callers ask Person before.
	s.users[u.ID] = &u
	s.chats[u.ID] = &chat{id: u.ID, clock: &s.clock}
	s.touch()
}

// AddGroup adds a group with the bot in it, as if it had always been there: the bot is not told. Its id is
// negative, and from -1000000000001 down it is a supergroup. The first member is the owner.
func (s Directory) AddGroup(id int64, title string, members ...int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.addGroup(id, title, append(members, s.BotID()))
	s.touch()
}

// AddForum is AddGroup for a supergroup with topics.
func (s Directory) AddForum(id int64, title string, members ...int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	c := s.addGroup(id, title, append(members, s.BotID()))
	c.forum, c.nextMessage = true, generalTopic // which has the id of the first message
	s.touch()
}

// NewGroup has a person make a group with others, and with the bot, which is told. It returns the group's id.
func (s Directory) NewGroup(by int64, title string, members ...int64) int64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	u := s.users[by]
	if u == nil {
		return 0
	}
	s.groups++
	c := s.addGroup(-4_000_000_000-s.groups, title, append([]int64{by}, members...))
	s.seat(c, u, s.BotID(), Ordinary)
	s.service(c, by, object{"group_chat_created": true}, u.FirstName+" created the group")
	s.touch()
	return c.id
}

// NewChannel has a person make a channel that the bot administers, and others read. It returns the channel's id.
func (s Directory) NewChannel(by int64, title string, readers ...int64) int64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	u := s.users[by]
	if u == nil {
		return 0
	}
	s.groups++
	c := s.addGroup(supergroups-4_000_000_000-s.groups, title, append([]int64{by}, readers...))
	c.channel = true
	s.seat(c, u, s.BotID(), Administrator)
	s.touch()
	return c.id
}

// SetRole has a person change what somebody, or the bot, is in a group: add, promote, restrict, remove. Who
// removes himself leaves. The bot is told what Telegram would tell it. It reports whether anything changed.
func (s Directory) SetRole(by, chatID, who int64, r Role) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	c, u := s.chats[chatID], s.users[by]
	if c == nil || u == nil || c.id > 0 || c.migrated != 0 || c.role(who) == r || who != s.BotID() && s.users[who] == nil {
		return false
	}
	before := c.role(who)
	s.seat(c, u, who, r)
	switch {
	case c.channel: // readers come and go without a word
	case r.in() && !before.in():
		s.service(c, by, object{"new_chat_members": []any{s.views.person(who)}}, u.FirstName+" added "+s.views.name(who))
	case before.in() && !r.in() && by == who:
		s.service(c, by, object{"left_chat_member": s.views.person(who)}, s.views.name(who)+" left")
	case before.in() && !r.in():
		s.service(c, by, object{"left_chat_member": s.views.person(who)}, u.FirstName+" removed "+s.views.name(who))
	}
	s.touch()
	return true
}

// Migrate has a person turn a group into a supergroup, whose id it returns. The old id is good for nothing
// from then on.
func (s Directory) Migrate(by, chatID int64) int64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	c := s.chats[chatID]
	if c == nil || s.users[by] == nil || c.kind() != "group" || c.migrated != 0 {
		return 0
	}
	s.touch()
	return s.migrate(c, by).id
}

// migrate is Migrate of a group that can become one; s.mu is held.
func (s Directory) migrate(c *chat, by int64) *chat {
	// Example: -4000000100 becomes -1004000000100. Messages stay in the old chat; the new one counts from 1.
	next := &chat{clock: &s.clock, id: supergroups + c.id, title: c.title, members: slices.Clone(c.members), permissions: c.permissions, description: c.description}
	s.chats[next.id] = next
	s.service(c, by, object{"migrate_to_chat_id": next.id}, "The group became a supergroup")
	c.migrated = next.id
	s.service(next, by, object{"migrate_from_chat_id": c.id}, "The group became a supergroup")
	return next
}

// SetForum has a person turn the topics of a group on or off; a basic group becomes a supergroup by that. It returns the chat's id, 0
// where nothing changed. The bot is not told: it sees is_forum in what comes next.
func (s Directory) SetForum(by, chatID int64, on bool) int64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	c := s.chats[chatID]
	if c == nil || c.id > 0 || c.channel || c.migrated != 0 || c.forum == on || !c.commands(by, "can_change_info") {
		return 0
	}
	if !c.supergroup() {
		c = s.migrate(c, by)
	}
	c.forum, c.nextMessage = on, max(c.nextMessage, generalTopic) // which has the id of the first message
	s.touch()
	return c.id
}

// SetLanguage changes a person's language_code.
func (s Directory) SetLanguage(user int64, code string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if u := s.users[user]; u != nil {
		u.LanguageCode = code
		s.touch()
	}
}

// Block has a person block the bot, and Unblock lets it in again. They report whether anything changed.
func (s Directory) Block(user int64) bool { return s.setBlocked(user, true) }

// Unblock undoes Block.
func (s Directory) Unblock(user int64) bool { return s.setBlocked(user, false) }

// Deactivate has a person delete the account, for good.
func (s Directory) Deactivate(user int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if u := s.users[user]; u != nil {
		*u = User{ID: u.ID, deactivated: true} // nothing else is left of a deleted account
		s.touch()
	}
}

func (s Directory) setBlocked(user int64, blocked bool) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	c, u := s.chats[user], s.users[user]
	if c == nil || u == nil || u.deactivated || c.blocked == blocked {
		return false
	}
	before := s.views.memberJSON(c, s.BotID())
	c.blocked = blocked
	s.tellRole(c, u, s.BotID(), before)
	s.touch()
	return true
}

// addGroup adds a group whose first member is the owner; s.mu is held.
func (s Directory) addGroup(id int64, title string, members []int64) *chat {
	c := &chat{id: id, title: title, clock: &s.clock}
	for i, m := range members {
		c.setRole(m, Ordinary)
		if i == 0 && m != s.BotID() {
			c.setRole(m, Creator)
		}
	}
	s.chats[id] = c
	return c
}

// seat gives somebody a role and tells the bot; s.mu is held.
func (s Directory) seat(c *chat, by any, who int64, r Role) {
	s.reseat(c, by, who, member{role: r})
}

// reseat is seat with all that can go with a role.
func (s Directory) reseat(c *chat, by any, who int64, m member) {
	before := s.views.memberJSON(c, who)
	m.id = who
	*c.setRole(who, m.role) = m
	s.tellRole(c, by, who, before)
}

// tellRole tells the bot of a role that changed: its own always, that of others as an administrator.
func (s Directory) tellRole(c *chat, by any, who int64, before object) {
	body := object{
		"chat": s.views.chatJSON(c), "from": by, "date": s.now().Unix(),
		"old_chat_member": before, "new_chat_member": s.views.memberJSON(c, who),
	}
	switch {
	case who == s.BotID():
		s.Updates.push("my_chat_member", body, day, c.id+5<<33)
	// push passes it on only where the bot has asked for chat_member (askedFor).
	case c.role(s.BotID()).administers():
		s.Updates.push("chat_member", body, day, who+6<<33)
	}
}

// service adds a message that nobody wrote, and hands it to the bot; s.mu is held.
func (s Directory) service(c *chat, by int64, what object, notice string) {
	s.announce(c, by, 0, what, notice)
}

// announce is service in a topic. It returns the message's id.
func (s Directory) announce(c *chat, by int64, thread int, what object, notice string) int {
	m := &Message{ID: s.messageID(c), FromBot: by == s.BotID(), From: by, Date: s.now(), Notice: notice, Thread: thread, service: what}
	switch {
	case what["forum_topic_created"] != nil:
		m.Thread = m.ID
	case thread == generalTopic:
		m.Thread = 0
	}
	c.messages = append(c.messages, m)
	// The bot is told of what others do. What it did itself it knows from the answer to its call.
	if !m.FromBot && c.role(s.BotID()).in() {
		s.Updates.push(c.updateKind("message"), s.views.messageJSON(c, m), day, c.id)
	}
	return m.ID
}

// met reports whether the bot may know a person without having been written to: from a group.
func (s Directory) met(user int64) bool {
	for _, c := range s.chats {
		if c.id < 0 && c.role(s.BotID()).in() && c.role(user).in() {
			return true
		}
	}
	return false
}

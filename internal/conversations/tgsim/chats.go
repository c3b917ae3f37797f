package tgsim

import (
	"encoding/json"
	"slices"
	"time"
)

// supergroups is where the ids of supergroups begin, downwards.
const supergroups = -1_000_000_000_000

// User is a person.
type User struct {
	ID           int64
	FirstName    string
	Username     string
	LanguageCode string

	deactivated bool
}

// MarshalJSON implements json.Marshaler: a User of the Bot API.
func (u User) MarshalJSON() ([]byte, error) {
	o := object{"id": u.ID, "is_bot": false, "first_name": u.FirstName}
	if u.Username != "" {
		o["username"] = u.Username
	}
	if u.LanguageCode != "" {
		o["language_code"] = u.LanguageCode
	}
	return json.Marshal(o)
}

// Role is what somebody is in a chat.
type Role string

// The roles, by the names that the Bot API has for them.
const (
	Creator       Role = "creator"
	Administrator Role = "administrator"
	Ordinary      Role = "member"
	Restricted    Role = "restricted" // a member that may not send; in supergroups
	Left          Role = "left"       // or never was there
	Kicked        Role = "kicked"
)

// in reports whether a role is one of members.
func (r Role) in() bool { return r != Left && r != Kicked }

// administers reports whether a role has an administrator's rights.
func (r Role) administers() bool { return r == Creator || r == Administrator }

// member is somebody who is or was in a group.
type member struct {
	id   int64
	role Role
}

// chat is a private chat or a group.
type chat struct {
	id          int64
	title       string   // of a group
	members     []member // of a group, the bot among them
	started     bool     // private: the bot may write
	blocked     bool     // private
	migrated    int64    // the supergroup that this group became; 0 for none
	nextMessage int      // of a supergroup, which counts for itself
	messages    []*Message
}

func (c *chat) supergroup() bool { return c.id <= supergroups }

// kind is the chat's type in the Bot API.
func (c *chat) kind() string {
	switch {
	case c.id > 0:
		return "private"
	case c.supergroup():
		return "supergroup"
	}
	return "group"
}

// role is what somebody is in the chat. In a private chat both are members, unless the person blocked the bot.
func (c *chat) role(id int64) Role {
	if c.id > 0 {
		if c.blocked && id != c.id {
			return Kicked
		}
		return Ordinary
	}
	if i := c.find(id); i >= 0 {
		return c.members[i].role
	}
	return Left
}

// takes reports whether a person can write there.
func (c *chat) takes(user int64) bool {
	if c.id > 0 {
		return c.id == user && !c.blocked
	}
	return c.migrated == 0 && c.role(user).in() && c.role(user) != Restricted
}

func (c *chat) find(id int64) int {
	return slices.IndexFunc(c.members, func(m member) bool { return m.id == id })
}

func (c *chat) setRole(id int64, r Role) {
	if i := c.find(id); i >= 0 {
		c.members[i].role = r
		return
	}
	c.members = append(c.members, member{id, r})
}

// message is a chat's message by id, nil where there is none.
func (c *chat) message(id int) *Message {
	i := slices.IndexFunc(c.messages, func(m *Message) bool { return m.ID == id })
	if i < 0 {
		return nil
	}
	return c.messages[i]
}

// AddUser adds a person, who has a private chat with the bot but has not pressed Start.
func (s *Server) AddUser(u User) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.users[u.ID] = &u
	s.chats[u.ID] = &chat{id: u.ID}
	s.touch()
}

// AddGroup adds a group with the bot in it, as if it had always been there: the bot is not told. Its id is
// negative, and from -1000000000001 down it is a supergroup. The first member is the owner.
func (s *Server) AddGroup(id int64, title string, members ...int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.addGroup(id, title, append(members, s.BotID()))
	s.touch()
}

// NewGroup has a person make a group with others, and with the bot, which is told. It returns the group's id.
func (s *Server) NewGroup(by int64, title string, members ...int64) int64 {
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

// SetRole has a person change what somebody, or the bot, is in a group: add, promote, restrict, remove. Who
// removes himself leaves. The bot is told what Telegram would tell it.
func (s *Server) SetRole(by, chatID, who int64, r Role) {
	s.mu.Lock()
	defer s.mu.Unlock()
	c, u := s.chats[chatID], s.users[by]
	if c == nil || u == nil || c.id > 0 || c.migrated != 0 || c.role(who) == r || who != s.BotID() && s.users[who] == nil {
		return
	}
	before := c.role(who)
	s.seat(c, u, who, r)
	switch {
	case r.in() && !before.in():
		s.service(c, by, object{"new_chat_members": []any{s.person(who)}}, u.FirstName+" added "+s.name(who))
	case before.in() && !r.in() && by == who:
		s.service(c, by, object{"left_chat_member": s.person(who)}, s.name(who)+" left")
	case before.in() && !r.in():
		s.service(c, by, object{"left_chat_member": s.person(who)}, u.FirstName+" removed "+s.name(who))
	}
	s.touch()
}

// Migrate has a person turn a group into a supergroup, whose id it returns. The old id is good for nothing
// from then on.
func (s *Server) Migrate(by, chatID int64) int64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	c := s.chats[chatID]
	if c == nil || s.users[by] == nil || c.kind() != "group" || c.migrated != 0 {
		return 0
	}
	next := &chat{id: supergroups + c.id, title: c.title, members: slices.Clone(c.members)}
	s.chats[next.id] = next
	s.service(c, by, object{"migrate_to_chat_id": next.id}, "The group became a supergroup")
	c.migrated = next.id
	s.service(next, by, object{"migrate_from_chat_id": c.id}, "The group became a supergroup")
	s.touch()
	return next.id
}

// SetLanguage changes a person's language_code.
func (s *Server) SetLanguage(user int64, code string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if u := s.users[user]; u != nil {
		u.LanguageCode = code
		s.touch()
	}
}

// Block has a person block the bot, and Unblock lets it in again.
func (s *Server) Block(user int64) { s.setBlocked(user, true) }

// Unblock undoes Block.
func (s *Server) Unblock(user int64) { s.setBlocked(user, false) }

// Deactivate has a person delete the account, for good.
func (s *Server) Deactivate(user int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if u := s.users[user]; u != nil {
		*u = User{ID: u.ID, deactivated: true} // nothing else is left of a deleted account
		s.touch()
	}
}

func (s *Server) setBlocked(user int64, blocked bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	c, u := s.chats[user], s.users[user]
	if c == nil || u == nil || u.deactivated || c.blocked == blocked {
		return
	}
	before := s.memberJSON(c, s.BotID())
	c.blocked = blocked
	s.tellRole(c, u, s.BotID(), before)
	s.touch()
}

// addGroup adds a group whose first member is the owner; s.mu is held.
func (s *Server) addGroup(id int64, title string, members []int64) *chat {
	c := &chat{id: id, title: title}
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
func (s *Server) seat(c *chat, by *User, who int64, r Role) {
	before := s.memberJSON(c, who)
	c.setRole(who, r)
	s.tellRole(c, by, who, before)
}

// tellRole tells the bot of a role that changed: its own always, that of others as an administrator.
func (s *Server) tellRole(c *chat, by any, who int64, before object) {
	body := object{
		"chat": s.chatJSON(c), "from": by, "date": time.Now().Unix(),
		"old_chat_member": before, "new_chat_member": s.memberJSON(c, who),
	}
	switch {
	case who == s.BotID():
		s.push("my_chat_member", body, day, c.id+5<<33)
	case c.role(s.BotID()).administers():
		s.push("chat_member", body, day, who+6<<33)
	}
}

// service adds a message that nobody wrote, and hands it to the bot; s.mu is held.
func (s *Server) service(c *chat, by int64, what object, notice string) {
	m := &Message{ID: s.messageID(c), FromBot: by == s.BotID(), From: by, Date: time.Now(), Notice: notice, service: what}
	c.messages = append(c.messages, m)
	if !m.FromBot && c.role(s.BotID()).in() {
		s.push("message", s.messageJSON(c, m), day, c.id)
	}
}

// messageID is the next message id: private chats and basic groups share the bot's counter.
func (s *Server) messageID(c *chat) int {
	if c.supergroup() {
		c.nextMessage++
		return c.nextMessage
	}
	s.nextMessage++
	return s.nextMessage
}

// met reports whether the bot may know a person without having been written to: from a group.
func (s *Server) met(user int64) bool {
	for _, c := range s.chats {
		if c.id < 0 && c.role(s.BotID()).in() && c.role(user).in() {
			return true
		}
	}
	return false
}

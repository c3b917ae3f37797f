package tgsim

import (
	"cmp"
	"encoding/json"
	"slices"
	"strconv"
	"strings"
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
	Part         string // what the page calls the person besides: "owner", "seller", "counter", "stranger"; the bot never sees it

	deactivated bool
}

// MarshalJSON implements json.Marshaler: a User of the Bot API.
func (u User) MarshalJSON() ([]byte, error) {
	o := object{"id": u.ID, "is_bot": false, "first_name": u.FirstName}
	o.add("username", u.Username)
	o.add("language_code", u.LanguageCode)
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
	id     int64
	role   Role
	rights map[string]bool // of an administrator, or what somebody restricted may do; nil: as it is by default
	title  string          // of an administrator
	until  time.Time       // when a ban or a restriction is over; zero: never
	edited bool            // an administrator that the bot made one, and may change
}

// chat is a private chat, a group or a channel.
type chat struct {
	id          int64
	title       string // of a group
	description string
	channel     bool
	members     []member        // of a group, the bot among them
	permissions map[string]bool // of those who are no administrators; nil: as it is by default
	started     bool            // private: the bot may write
	blocked     bool            // private
	migrated    int64           // the supergroup that this group became; 0 for none
	nextMessage int             // of a supergroup, which counts for itself
	messages    []*Message
	pinned      []int // messages, the newest pin last
	forum       bool
	topics      []*topic
	links       []*link        // that the bot made
	knocking    []int64        // who asked to be let in
	keyboard    *ReplyKeyboard // to write with; nil for none
	clock       *clock
	typing      time.Time // until when the bot is seen to be busy
}

func (c *chat) supergroup() bool { return c.id <= supergroups }

// kind is the chat's type in the Bot API.
func (c *chat) kind() string {
	switch {
	case c.id > 0:
		return "private"
	case c.channel:
		return "channel"
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
	i := c.find(id)
	if i < 0 {
		return Left
	}
	m := c.members[i]
	over := !m.until.IsZero() && !c.clock.now().Before(m.until)
	switch {
	case over && m.role == Kicked:
		return Left
	case over && m.role == Restricted:
		return Ordinary
	}
	return m.role
}

// takes reports whether a person can write there.
func (c *chat) takes(user int64) bool {
	if c.id > 0 {
		return c.id == user && !c.blocked
	}
	return c.migrated == 0 && c.may(user, "can_send_messages")
}

func (c *chat) find(id int64) int {
	return slices.IndexFunc(c.members, func(m member) bool { return m.id == id })
}

// setRole gives somebody a role, with the rights that go with it by default.
func (c *chat) setRole(id int64, r Role) *member {
	i := c.find(id)
	if i < 0 {
		c.members = append(c.members, member{})
		i = len(c.members) - 1
	}
	c.members[i] = member{id: id, role: r}
	return &c.members[i]
}

// message is a chat's message by id, nil where there is none.
func (c *chat) message(id int) *Message {
	// Ids of a chat only rise (messageID), messages are appended, and deleted ones stay: the search relies on all three.
	i, found := slices.BinarySearchFunc(c.messages, id, func(m *Message, id int) int { return cmp.Compare(m.ID, id) })
	if !found {
		return nil
	}
	return c.messages[i]
}

// present is a chat's message by id, nil where there is none any more.
func (c *chat) present(id int) *Message {
	if m := c.message(id); m != nil && !m.Deleted {
		return m
	}
	return nil
}

// lookup is the chat that a call means, by its id: none has a public @name.
func (s *Server) lookup(name string) *chat {
	id, _ := strconv.ParseInt(strings.TrimSpace(name), 10, 64)
	return s.chats[id]
}

// updateKind is the kind of update that a message is: those of channels have their own.
func (c *chat) updateKind(kind string) string {
	if c.channel {
		return strings.Replace(kind, "message", "channel_post", 1)
	}
	return kind
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

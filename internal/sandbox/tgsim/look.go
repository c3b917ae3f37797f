package tgsim

import (
	"cmp"
	"encoding/json"
	"slices"
)

// ChatState is a chat as those see it who play with the people in it.
type ChatState struct {
	ID      int64          `json:"id"`
	Kind    string         `json:"kind"`
	Title   string         `json:"title"`
	Members map[int64]Role `json:"members,omitempty"` // of a group
	Started bool           `json:"started"`           // the bot may write
	Blocked bool           `json:"blocked"`
	Gone    bool           `json:"gone"`            // it became another one
	Forum   bool           `json:"forum,omitempty"` // it has topics
	Topics  []Topic        `json:"topics,omitempty"`
}

// Topic is a topic of a forum but the general one, of which nothing happened yet.
type Topic struct {
	ID     int    `json:"thread"`
	Name   string `json:"name"`
	Closed bool   `json:"closed"`
}

// listTopics are a forum's topics.
func (c *chat) listTopics() (all []Topic) {
	for _, t := range c.topics {
		if c.forum && !t.gone {
			all = append(all, Topic{t.id, t.name, t.closed})
		}
	}
	return all
}

// ChatState is a chat by its id.
func (s Directory) ChatState(id int64) (state ChatState, there bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	c := s.chats[id]
	if c == nil {
		return ChatState{}, false
	}
	state = ChatState{ID: id, Kind: c.kind(), Title: c.title, Started: c.started || id < 0, Blocked: c.blocked, Gone: c.migrated != 0, Forum: c.forum, Topics: c.listTopics()}
	if id > 0 {
		state.Title = s.views.name(id)
		return state, true
	}
	state.Members = map[int64]Role{}
	for _, m := range c.members {
		state.Members[m.id] = c.role(m.id)
	}
	return state, true
}

// May reports whether somebody may do something in a chat, by the names that the Bot API has for rights and permissions.
func (s Directory) May(chatID, who int64, right string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	c := s.chats[chatID]
	return c != nil && c.may(who, right)
}

// Person is somebody by the id.
func (s Directory) Person(id int64) (u User, there bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if known := s.users[id]; known != nil {
		return *known, true
	}
	return User{}, false
}

// Everybody lists the people, by their ids.
func (s Directory) Everybody() []User {
	s.mu.Lock()
	defer s.mu.Unlock()
	var all []User
	for _, u := range s.users {
		all = append(all, *u)
	}
	slices.SortFunc(all, func(a, b User) int { return cmp.Compare(a.ID, b.ID) })
	return all
}

// Deactivated reports whether the account was deleted.
func (u User) Deactivated() bool { return u.deactivated }

// MessageJSON is a message as the Bot API shows it, nil where there is none any more.
func (s *Server) MessageJSON(chatID int64, id int) json.RawMessage {
	s.mu.Lock()
	defer s.mu.Unlock()
	c := s.chats[chatID]
	if c == nil || c.present(id) == nil {
		return nil
	}
	return marshal(s.views.messageJSON(c, c.present(id)))
}

// BotName is the bot's user name, without @.
func (s *Server) BotName() string { return s.options.BotName }

// Method is a method of the Bot API.
type Method struct {
	Name     string
	Emulated bool
}

// Methods lists the methods of the Bot API, by their names.
func Methods() []Method {
	emulated := methods()
	var all []Method
	for lower, m := range describedAPI().methods {
		all = append(all, Method{m.name, emulated[lower] != nil || lower == "getupdates"})
	}
	slices.SortFunc(all, func(a, b Method) int { return cmp.Compare(a.Name, b.Name) })
	return all
}

// BotAPIVersion is that of the Bot API which is emulated.
func BotAPIVersion() string { return describedAPI().version }

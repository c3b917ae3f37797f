package tgsim

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// startParameter is what a link can start a bot with.
var startParameter = regexp.MustCompile(`^[A-Za-z0-9_-]*$`)

// Start has a person open t.me/<bot>?start=<payload> and press Start. It returns the message's id, 0 for a
// payload that no link can have.
func (s People) Start(user int64, payload string) int {
	if len(payload) > 64 || !startParameter.MatchString(payload) {
		return 0
	}
	return s.Send(user, user, strings.TrimSpace("/start "+payload))
}

// StartGroup has a person open t.me/<bot>?startgroup=<payload> and choose a group, which adds the bot to it.
func (s People) StartGroup(user, chatID int64, payload string) int {
	if len(payload) > 64 || !startParameter.MatchString(payload) {
		return 0
	}
	if !s.Directory.Role(chatID, s.BotID()).in() {
		s.Directory.SetRole(user, chatID, s.BotID(), Ordinary)
	}
	return s.Send(user, chatID, strings.TrimSpace("/start@"+s.options.BotName+" "+payload))
}

// Role is what somebody is in a chat.
func (s Directory) Role(chatID, who int64) Role {
	s.mu.Lock()
	defer s.mu.Unlock()
	if c := s.chats[chatID]; c != nil {
		return c.role(who)
	}
	return Left
}

// key finds the key of a chat's reply keyboard whose text holds the words.
func (s People) key(chatID int64, words string) (ReplyButton, error) {
	board := s.Directory.ReplyKeyboard(chatID)
	if board == nil {
		return ReplyButton{}, fmt.Errorf("chat %d shows no reply keyboard", chatID)
	}
	keys := slices.Concat(board.Rows...)
	i := slices.IndexFunc(keys, func(k ReplyButton) bool { return strings.Contains(k.Text, words) })
	if i < 0 {
		return ReplyButton{}, fmt.Errorf("chat %d shows no key with %q", chatID, words)
	}
	return keys[i], nil
}

// Press has a person press a key of the reply keyboard: one that asks for nothing sends its text, one that
// asks for the phone number shares it. For the others there are ShareLocation, ShareUsers and
// ShareChat. Those that ask for a poll or open a page are only shown. It returns the message's id.
func (s People) Press(user, chatID int64, words string) (int, error) {
	k, err := s.key(chatID, words)
	if err != nil {
		return 0, err
	}
	m := Message{Text: k.Text}
	switch k.Asks {
	case "":
	case "request_contact":
		own, _ := s.ContactOf(user)
		m = Message{Content: map[string]any{"contact": own.json()}}
	default:
		return 0, fmt.Errorf("the key %q asks for more than a tap", k.Text)
	}
	return s.pressed(user, chatID, m)
}

// pressed posts what came of a key, after which a keyboard for one time is gone.
func (s People) pressed(user, chatID int64, m Message) (int, error) {
	id := s.Post(user, chatID, m)
	if id == 0 {
		return 0, fmt.Errorf("user %d cannot write to chat %d", user, chatID)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if c := s.chats[chatID]; c.keyboard != nil && c.keyboard.OneTime {
		c.keyboard = nil
		s.touch()
	}
	return id, nil
}

// phone is a person's number: one that nobody has.
func (u User) phone() string { return fmt.Sprintf("+999%09d", u.ID) }

// Contact is an entry of a telephone book.
type Contact struct {
	Phone     string
	FirstName string
	User      int64 // whose it is; 0 where nobody is known by the number
}

func (c Contact) json() object {
	o := object{"phone_number": c.Phone, "first_name": c.FirstName}
	if c.User != 0 {
		o["user_id"] = c.User
	}
	return o
}

// ContactOf is the entry of a person, whom everybody here has in the book.
func (s People) ContactOf(user int64) (entry Contact, there bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	u := s.users[user]
	if u == nil || u.deactivated {
		return Contact{}, false
	}
	return Contact{u.phone(), u.FirstName, user}, true
}

// SendContact has a person send a contact into a chat, or into its topic thread, or, where first is somebody, forward the one that they have sent. It returns
// the message's id, 0 if the person cannot write there.
func (s People) SendContact(user, chatID int64, thread int, entry Contact, first int64) int {
	m := &Message{Thread: thread, Content: map[string]any{"contact": entry.json()}}
	if first != 0 {
		s.mu.Lock()
		m.Forwarded, m.origin = s.views.name(first), object{"forward_origin": object{"type": "user", "date": s.now().Unix(), "sender_user": s.views.person(first)}}
		s.mu.Unlock()
	}
	return s.write(user, chatID, m)
}

// ShareLocation presses a key that asks for the location.
func (s People) ShareLocation(user, chatID int64, words string, latitude, longitude float64) (int, error) {
	k, err := s.key(chatID, words)
	if err == nil && k.Asks != "request_location" {
		err = fmt.Errorf("the key %q asks for no location", k.Text)
	}
	if err != nil {
		return 0, err
	}
	return s.pressed(user, chatID, Message{Content: map[string]any{"location": object{"latitude": latitude, "longitude": longitude}}})
}

// ShareUsers presses a key that asks for users.
func (s People) ShareUsers(user, chatID int64, words string, who ...int64) (int, error) {
	k, err := s.key(chatID, words)
	switch {
	case err != nil:
		return 0, err
	case k.Users == nil || len(who) == 0 || len(who) > k.Users.Most:
		return 0, fmt.Errorf("the key %q does not ask for %d users", k.Text, len(who))
	}
	shared := []object{}
	s.mu.Lock()
	for _, id := range who {
		o := object{"user_id": id}
		if u := s.users[id]; u != nil && k.Users.Name {
			o["first_name"] = u.FirstName
		}
		if u := s.users[id]; u != nil && k.Users.Username {
			o.add("username", u.Username)
		}
		shared = append(shared, o)
	}
	s.mu.Unlock()
	return s.pressed(user, chatID, Message{Notice: "shared people with the bot", service: object{"users_shared": object{"request_id": k.Users.ID, "users": shared}}})
}

// ShareChat presses a key that asks for a chat.
func (s People) ShareChat(user, chatID int64, words string, shared int64) (int, error) {
	k, err := s.key(chatID, words)
	if err != nil {
		return 0, err
	}
	s.mu.Lock()
	c := s.chats[shared]
	fits := k.Chat != nil && c != nil && c.id < 0 && c.channel == k.Chat.Channel && (!k.Chat.BotIsMember || s.here(c).in())
	var o object
	if fits {
		o = object{"request_id": k.Chat.ID, "chat_id": c.id}
		if k.Chat.Title {
			o["title"] = c.title
		}
	}
	s.mu.Unlock()
	if !fits {
		return 0, fmt.Errorf("the key %q does not ask for such a chat", k.Text)
	}
	return s.pressed(user, chatID, Message{Notice: "shared a chat with the bot", service: object{"chat_shared": o}})
}

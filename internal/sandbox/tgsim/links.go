package tgsim

import (
	"fmt"
	"slices"
	"time"
)

// link is an invitation into a group that the bot made.
type link struct {
	url     string
	name    string
	expires time.Time
	limit   int64
	knock   bool // who comes by it has to be let in
	primary bool
	revoked bool
}

const noInviting = "not enough rights to manage chat invite link"

func (s views) linkJSON(c *chat, l *link) object {
	o := object{"invite_link": l.url, "creator": s.botJSON(), "creates_join_request": l.knock, "is_primary": l.primary, "is_revoked": l.revoked}
	o.add("name", l.name)
	if !l.expires.IsZero() {
		o["expire_date"] = l.expires.Unix()
	}
	if l.limit > 0 {
		o["member_limit"] = l.limit
	}
	if n := len(c.knocking); l.knock && n > 0 {
		o["pending_join_request_count"] = n
	}
	return o
}

// inviting is the group that a call invites into.
func (s managing) inviting(p params) (*chat, *failure) {
	return s.manages(p, "can_invite_users", noInviting, groupsOnly("can't invite members to a private chat"))
}

func (s managing) newLink(c *chat) *link {
	s.links++
	l := &link{url: fmt.Sprintf("https://t.me/+%016d", s.links)}
	c.links = append(c.links, l)
	return l
}

// exportChatInviteLink makes a new link the chat's own, which ends the one before.
func exportChatInviteLink(s *Server, p params) (any, *failure) {
	c, no := s.managing.inviting(p)
	if no != nil {
		return nil, no
	}
	for _, l := range c.links {
		l.revoked = l.revoked || l.primary
	}
	l := s.managing.newLink(c)
	l.primary = true
	return l.url, nil
}

// shape reads what a call says of a link.
func (l *link) shape(p params, now time.Time) *failure {
	expires, limit, knock := p.int("expire_date"), min(max(p.int("member_limit"), 0), 100_000), p.bool("creates_join_request")
	switch {
	case expires > 0 && expires <= now.Unix():
		return badRequest("EXPIRE_DATE_INVALID")
	case limit > 0 && knock:
		return badRequest("member limit can't be specified for links requiring administrator approval")
	case tooLong(p.text("name"), 32):
		return badRequest("INVITE_LINK_NAME_TOO_LONG")
	}
	l.name, l.limit, l.knock, l.expires = p.text("name"), limit, knock, time.Time{}
	if expires > 0 {
		l.expires = time.Unix(expires, 0)
	}
	return nil
}

func createChatInviteLink(s *Server, p params) (any, *failure) {
	c, no := s.managing.inviting(p)
	if no != nil {
		return nil, no
	}
	var made link
	if no := made.shape(p, s.now()); no != nil {
		return nil, no
	}
	l := s.managing.newLink(c)
	made.url = l.url
	*l = made
	return s.views.linkJSON(c, l), nil
}

// linkOf is the link that a call is about.
func (s managing) linkOf(p params) (*chat, *link, *failure) {
	c, no := s.inviting(p)
	if no != nil {
		return nil, nil, no
	}
	i := slices.IndexFunc(c.links, func(l *link) bool { return l.url == p.text("invite_link") })
	if i < 0 {
		return nil, nil, badRequest("INVITE_HASH_EXPIRED")
	}
	return c, c.links[i], nil
}

func editChatInviteLink(s *Server, p params) (any, *failure) {
	c, l, no := s.managing.linkOf(p)
	if no != nil {
		return nil, no
	}
	if no := l.shape(p, s.now()); no != nil {
		return nil, no
	}
	return s.views.linkJSON(c, l), nil
}

func revokeChatInviteLink(s *Server, p params) (any, *failure) {
	c, l, no := s.managing.linkOf(p)
	if no != nil {
		return nil, no
	}
	l.revoked = true
	return s.views.linkJSON(c, l), nil
}

// Knock has a person ask to be let into a group or channel, and reports whether they could. A bot that may invite is told.
func (s People) Knock(user, chatID int64) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	c, u := s.chats[chatID], s.users[user]
	if c == nil || u == nil || c.id > 0 || c.role(user).in() || c.role(user) == Kicked || slices.Contains(c.knocking, user) {
		return false
	}
	c.knocking = append(c.knocking, user)
	if c.commands(s.BotID(), "can_invite_users") {
		s.Updates.push("chat_join_request", object{"chat": s.views.chatJSON(c), "from": *u, "user_chat_id": user, "date": s.now().Unix()}, day, user+10<<33)
	}
	s.touch()
	return true
}

// knocks is who a call is about of those who ask to be let in.
func (s managing) knocks(p params) (*chat, int64, *failure) {
	who := p.int("user_id")
	if who <= 0 {
		return nil, 0, badRequest("invalid user_id specified")
	}
	c, no := s.manages(p, "can_invite_users", "not enough rights to manage chat join requests", groupsOnly("the chat can't have join requests"))
	switch {
	case no != nil:
		return nil, 0, no
	case c.role(who).in():
		return nil, 0, badRequest("USER_ALREADY_PARTICIPANT")
	case !slices.Contains(c.knocking, who):
		return nil, 0, badRequest("HIDE_REQUESTER_MISSING")
	}
	// The request is gone whichever way it is answered.
	c.knocking = slices.DeleteFunc(c.knocking, func(id int64) bool { return id == who })
	return c, who, nil
}

func approveChatJoinRequest(s *Server, p params) (any, *failure) {
	c, who, no := s.managing.knocks(p)
	if no != nil {
		return nil, no
	}
	s.Directory.seat(c, s.views.botJSON(), who, Ordinary)
	if !c.channel {
		s.Directory.service(c, who, object{"new_chat_members": []any{s.views.person(who)}}, s.views.name(who)+" was let in")
	}
	return true, nil
}

func declineChatJoinRequest(s *Server, p params) (any, *failure) {
	_, _, no := s.managing.knocks(p)
	if no != nil {
		return nil, no
	}
	return true, nil
}

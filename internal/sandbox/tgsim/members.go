package tgsim

import "maps"

func getChat(s *Server, c *chat, _ params) (any, *failure) {
	o := s.views.chatJSON(c)
	gifts := object{}
	gifts.grant(false, "unlimited_gifts", "limited_gifts", "unique_gifts", "premium_subscription", "gifts_from_channels")
	maps.Copy(o, object{"accent_color_id": 0, "max_reaction_count": 11, "accepted_gift_types": gifts})
	if c.id < 0 {
		s.views.describeGroup(c, o)
	}
	if n := len(c.pinned); n > 0 {
		o["pinned_message"] = s.views.messageJSON(c, c.message(c.pinned[n-1]))
	}
	return o, nil
}

// describeGroup adds what getChat says of groups and channels only.
func (s views) describeGroup(c *chat, o object) {
	if !c.channel {
		o["permissions"] = c.allowed()
	}
	o.add("description", c.description)
	for _, l := range c.links {
		if l.primary && !l.revoked {
			o["invite_link"] = l.url
		}
	}
}

// getUserProfilePhotos: nobody here has any.
func getUserProfilePhotos(s *Server, p params) (any, *failure) {
	switch who := p.int("user_id"); {
	case who <= 0:
		return nil, badRequest("invalid user_id specified")
	case s.users[who] == nil:
		return nil, badRequest("user not found")
	}
	// Looked at so that they do not count as ignored: of no photos every page is empty.
	p.int("offset")
	p.int("limit")
	return object{"total_count": 0, "photos": []object{}}, nil
}

func getChatMember(s *Server, p params) (any, *failure) {
	who := p.int("user_id")
	if who <= 0 {
		return nil, badRequest("invalid user_id specified")
	}
	wanted := toReadMembers
	if who == s.BotID() {
		wanted = toRead
	}
	c, no := s.reach(p, wanted)
	switch {
	case no != nil:
		return nil, no
	case who != s.BotID() && s.users[who] == nil, c.id > 0 && who != c.id && who != s.BotID():
		return nil, badRequest("member not found")
	}
	return s.views.memberJSON(c, who), nil
}

func getChatAdministrators(s *Server, c *chat, _ params) (any, *failure) {
	if c.id > 0 {
		return nil, badRequest("there are no administrators in the private chat")
	}
	list := []object{}
	for _, m := range c.members {
		if m.role.administers() {
			list = append(list, s.views.memberJSON(c, m.id))
		}
	}
	return list, nil
}

func getChatMemberCount(_ *Server, c *chat, _ params) (any, *failure) {
	if c.id > 0 {
		return 2, nil
	}
	n := 0
	for _, m := range c.members {
		if m.role.in() {
			n++
		}
	}
	return n, nil
}

func leaveChat(s *Server, c *chat, _ params) (any, *failure) {
	if c.id > 0 {
		return nil, badRequest("chat member status can't be changed in private chats")
	}
	if s.here(c).in() && c.migrated == 0 {
		before := s.views.memberJSON(c, s.BotID())
		c.setRole(s.BotID(), Left)
		s.Directory.tellRole(c, s.views.botJSON(), s.BotID(), before)
		s.Directory.service(c, s.BotID(), object{"left_chat_member": s.views.botJSON()}, s.views.name(s.BotID())+" left")
	}
	return true, nil
}

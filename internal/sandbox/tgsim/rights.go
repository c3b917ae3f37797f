package tgsim

import (
	"slices"
	"strings"
	"time"
)

// permissions are what members of a group may do, by the names of the Bot API.
func permissions() []string {
	return []string{
		"can_send_messages", "can_send_audios", "can_send_documents", "can_send_photos", "can_send_videos", "can_send_video_notes", "can_send_voice_notes",
		"can_send_polls", "can_send_other_messages", "can_add_web_page_previews", "can_react_to_messages", "can_edit_tag", "can_change_info",
		"can_invite_users", "can_pin_messages", "can_manage_topics",
	}
}

// allRights are what administrators may do.
func allRights() []string {
	return []string{
		"can_manage_chat", "can_delete_messages", "can_manage_video_chats", "can_restrict_members", "can_promote_members", "can_change_info",
		"can_invite_users", "can_post_stories", "can_edit_stories", "can_delete_stories", "can_post_messages", "can_edit_messages", "can_pin_messages",
		"can_manage_topics", "can_manage_direct_messages", "can_manage_tags", "is_anonymous",
	}
}

// usualRights are what an administrator may do of whom nothing else is said: all but what is delicate.
func (c *chat) usualRights() map[string]bool {
	rights := map[string]bool{}
	for _, right := range c.possibleRights() {
		rights[right] = !slices.Contains([]string{"can_promote_members", "is_anonymous"}, right) && !strings.HasSuffix(right, "_stories")
	}
	return rights
}

// possibleRights are the rights that there are in this kind of chat.
func (c *chat) possibleRights() []string {
	return slices.DeleteFunc(allRights(), func(right string) bool {
		switch right {
		case "can_post_messages", "can_edit_messages", "can_manage_direct_messages":
			return !c.channel
		case "can_pin_messages":
			return c.channel
		case "can_manage_topics":
			return !c.supergroup() || c.channel
		case "can_manage_tags":
			return c.channel
		}
		return false
	})
}

// usualPermissions are what members may do of whom nothing else is said.
func usualPermissions() map[string]bool {
	allowed := map[string]bool{}
	for _, p := range permissions() {
		allowed[p] = p != "can_manage_topics"
	}
	return allowed
}

// administrator is what an administrator may do; nil for others.
func (c *chat) administrator(id int64) map[string]bool {
	if c.role(id) != Administrator {
		return nil
	}
	if m := c.members[c.find(id)]; m.rights != nil {
		return m.rights
	}
	return c.usualRights()
}

// commands reports whether somebody has a right of administrators.
func (c *chat) commands(id int64, right string) bool {
	return c.role(id) == Creator || c.administrator(id)[right]
}

// may reports whether somebody may do something that members may, where nobody took it from them.
func (c *chat) may(id int64, permission string) bool {
	switch role := c.role(id); {
	case c.id > 0:
		return true
	case role == Creator:
		return true
	case role == Administrator && c.channel && strings.HasPrefix(permission, "can_send_"):
		return c.administrator(id)["can_post_messages"]
	case role == Administrator:
		return strings.HasPrefix(permission, "can_send_") || c.administrator(id)[permission]
	case role == Restricted:
		return c.members[c.find(id)].rights[permission]
	case role == Ordinary && !c.channel:
		return c.allowed()[permission]
	}
	return false
}

// allowed is what those may do who are no administrators.
func (c *chat) allowed() map[string]bool {
	if c.permissions != nil {
		return c.permissions
	}
	return usualPermissions()
}

// SetRights has a person make a member of a group administrator, or change what one may do, by the names of the Bot API: those named
// and nothing else. It reports whether anything changed.
func (s Directory) SetRights(by, chatID, who int64, rights ...string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	c, u := s.chats[chatID], s.users[by]
	if c == nil || u == nil || c.id > 0 || c.migrated != 0 || !c.role(who).in() || c.role(who) == Creator {
		return false
	}
	given, before := map[string]bool{"can_manage_chat": true}, c.administrator(who)
	for _, right := range rights {
		given[right] = true
	}
	if before != nil && !slices.ContainsFunc(c.possibleRights(), func(right string) bool { return given[right] != before[right] }) {
		return false
	}
	s.reseat(c, u, who, member{role: Administrator, rights: given})
	s.touch()
	return true
}

// Rights lists what administrators of a group or channel may be let do.
func (s Directory) Rights(chatID int64) []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	if c := s.chats[chatID]; c != nil && c.id < 0 {
		return c.possibleRights()
	}
	return nil
}

// memberJSON is a ChatMember: what somebody is in a chat, with all that goes with it.
func (s views) memberJSON(c *chat, who int64) object {
	r := c.role(who)
	o := object{"status": r, "user": s.person(who)}
	var m member
	if i := c.find(who); i >= 0 {
		m = c.members[i]
	}
	switch r {
	case Creator:
		o["is_anonymous"] = false
		o.add("custom_title", m.title)
	case Administrator:
		for _, right := range c.possibleRights() {
			o[right] = c.administrator(who)[right]
		}
		o["can_be_edited"] = m.edited
		o.add("custom_title", m.title)
	case Restricted:
		o["is_member"], o["until_date"] = true, unix(m.until)
		for _, p := range permissions() {
			o[p] = m.rights[p]
		}
	case Kicked:
		o["until_date"] = unix(m.until)
	}
	return o
}

// unix is a time as the Bot API has it: zero for none.
func unix(t time.Time) int64 {
	if t.IsZero() {
		return 0
	}
	return t.Unix()
}

// manages is the group or channel that a call is about, where the bot has the right for it; without is said
// where it has not. In private chats there is nothing to manage.
func (s managing) manages(p params, right, without string, only func(*chat) *failure) (*chat, *failure) {
	c, no := s.reach(p, toManage)
	if no != nil {
		return nil, no
	}
	if no := only(c); no != nil {
		return nil, no
	}
	if !c.commands(s.BotID(), right) {
		return nil, badRequest(without)
	}
	return c, nil
}

// groupsOnly refuses private chats.
func groupsOnly(words string) func(*chat) *failure {
	return func(c *chat) *failure {
		if c.id > 0 {
			return badRequest(words)
		}
		return nil
	}
}

// supergroupsOnly refuses all chats but supergroups, and channels where they are meant as well.
func supergroupsOnly(channels bool) func(*chat) *failure {
	return func(c *chat) *failure {
		switch {
		case channels && !c.supergroup():
			return badRequest("method is available for supergroup and channel chats only")
		case !channels && c.kind() != "supergroup":
			return badRequest("method is available only for supergroups")
		}
		return nil
	}
}

const noRestricting = "not enough rights to restrict/unrestrict chat member"

// subject is the person that a call is about, who can be no owner and no administrator that the bot did not
// make one.
func (s managing) subject(c *chat, p params) (int64, *failure) {
	who := p.int("user_id")
	switch {
	case who <= 0:
		return 0, badRequest("invalid user_id specified")
	case who == s.BotID():
		return 0, badRequest("can't restrict self")
	case s.users[who] == nil:
		return 0, badRequest("PARTICIPANT_ID_INVALID")
	case c.role(who) == Creator:
		return 0, badRequest("can't remove chat owner")
	case c.role(who) == Administrator && !c.members[c.find(who)].edited:
		return 0, badRequest("user is an administrator of the chat")
	}
	return who, nil
}

// untilDate is when a ban or restriction is over: one of less than half a minute, or of more than a year, is
// for ever.
func (p params) untilDate(now time.Time) time.Time {
	until := time.Unix(p.int("until_date"), 0)
	if left := until.Sub(now); left < 30*time.Second || left > 366*day {
		return time.Time{}
	}
	return until
}

func banChatMember(s *Server, p params) (any, *failure) {
	c, no := s.managing.manages(p, "can_restrict_members", noRestricting, groupsOnly("can't ban members in private chats"))
	if no != nil {
		return nil, no
	}
	who, no := s.managing.subject(c, p)
	if no != nil {
		return nil, no
	}
	before := c.role(who)
	s.Directory.reseat(c, s.views.botJSON(), who, member{role: Kicked, until: p.untilDate(s.now())})
	if p.bool("revoke_messages") {
		for _, m := range c.messages {
			if m.From == who && m.Notice == "" {
				c.remove(m)
			}
		}
	}
	if before.in() && !c.channel {
		s.Directory.service(c, s.BotID(), object{"left_chat_member": s.views.person(who)}, s.views.name(s.BotID())+" removed "+s.views.name(who))
	}
	return true, nil
}

func unbanChatMember(s *Server, p params) (any, *failure) {
	c, no := s.managing.manages(p, "can_restrict_members", noRestricting, supergroupsOnly(true))
	if no != nil {
		return nil, no
	}
	who, no := s.managing.subject(c, p)
	if no != nil {
		return nil, no
	}
	if role := c.role(who); role == Kicked || role.in() && !p.bool("only_if_banned") {
		s.Directory.seat(c, s.views.botJSON(), who, Left)
	}
	return true, nil
}

func restrictChatMember(s *Server, p params) (any, *failure) {
	allowed, no := p.permissions()
	if no != nil {
		return nil, no
	}
	c, no := s.managing.manages(p, "can_restrict_members", noRestricting, supergroupsOnly(false))
	if no != nil {
		return nil, no
	}
	who, no := s.managing.subject(c, p)
	switch {
	case no != nil:
		return nil, no
	case !c.role(who).in():
		return nil, badRequest("USER_NOT_PARTICIPANT")
	}
	next := member{role: Restricted, rights: allowed, until: p.untilDate(s.now())}
	if !slices.ContainsFunc(permissions(), func(name string) bool { return !allowed[name] && usualPermissions()[name] }) {
		next = member{role: Ordinary}
	}
	s.Directory.reseat(c, s.views.botJSON(), who, next)
	return true, nil
}

// permissions reads what members may do. Some of it implies more, unless the call says that it does not.
func (p params) permissions() (map[string]bool, *failure) {
	if !p.has("permissions") {
		return nil, badRequest("can't parse permissions JSON object")
	}
	f := newFields([]byte(p.text("permissions")), "Object expected as permissions")
	allowed := map[string]bool{}
	for _, name := range permissions() {
		allowed[name] = f.bool(name)
	}
	if f.err != nil {
		return nil, said("Can't parse chat permissions: ", f.err)
	}
	if p.bool("use_independent_chat_permissions") {
		return allowed, nil
	}
	if allowed["can_send_other_messages"] || allowed["can_add_web_page_previews"] {
		for _, name := range permissions()[:7] {
			allowed[name] = true
		}
	}
	allowed["can_send_messages"] = allowed["can_send_messages"] || allowed["can_send_polls"]
	if !f.has("can_manage_topics") {
		allowed["can_manage_topics"] = allowed["can_pin_messages"]
	}
	return allowed, nil
}

func setChatPermissions(s *Server, p params) (any, *failure) {
	allowed, no := p.permissions()
	if no != nil {
		return nil, no
	}
	c, no := s.managing.manages(p, "can_restrict_members", "not enough rights to change chat permissions", groupsOnly("can't change private chat permissions"))
	if no != nil {
		return nil, no
	}
	c.permissions = allowed
	return true, nil
}

func promoteChatMember(s *Server, p params) (any, *failure) {
	c, no := s.managing.manages(p, "can_promote_members", "not enough rights", supergroupsOnly(true))
	if no != nil {
		return nil, no
	}
	if p.int("user_id") == s.BotID() {
		return nil, badRequest("can't promote self")
	}
	who, no := s.managing.subject(c, p)
	switch {
	case no != nil:
		return nil, no
	case !c.role(who).in():
		return nil, badRequest("USER_NOT_MUTUAL_CONTACT")
	}
	next := member{role: Administrator, rights: map[string]bool{}, edited: true, title: c.members[c.find(who)].title}
	some := false
	for _, right := range c.possibleRights() {
		given := p.bool(right)
		if given && right != "is_anonymous" && !c.commands(s.BotID(), right) {
			return nil, badRequest("RIGHT_FORBIDDEN")
		}
		next.rights[right] = given
		some = some || given
	}
	next.rights["can_manage_chat"] = some
	if !some {
		next = member{role: Ordinary}
	}
	s.Directory.reseat(c, s.views.botJSON(), who, next)
	return true, nil
}

func setChatAdministratorCustomTitle(s *Server, c *chat, p params) (any, *failure) {
	if no := supergroupsOnly(false)(c); no != nil {
		return nil, no
	}
	who := p.int("user_id")
	switch {
	case who <= 0:
		return nil, badRequest("invalid user_id specified")
	case c.role(who) == Creator:
		return nil, badRequest("only the owner can edit their custom title")
	case c.role(who) != Administrator:
		return nil, badRequest("user is not an administrator")
	case !c.members[c.find(who)].edited || !c.commands(s.BotID(), "can_promote_members"):
		return nil, badRequest("not enough rights to change custom title of the user")
	case tooLong(p.text("custom_title"), 16):
		return nil, badRequest("CUSTOM_TITLE_INVALID")
	}
	c.members[c.find(who)].title = p.text("custom_title")
	return true, nil
}

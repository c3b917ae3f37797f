package tgsim

import (
	"slices"
	"strings"
	"testing"
	"time"
)

// A bot may do in a group what it has the right for, and nothing else.
func TestRights(t *testing.T) {
	for right, c := range map[string]struct {
		method string
		p      func(*stage) object
		words  string // without the right
	}{
		"can_restrict_members": {"banChatMember", func(*stage) object { return object{"user_id": lea} }, "not enough rights to restrict/unrestrict chat member"},
		"can_promote_members":  {"promoteChatMember", func(*stage) object { return object{"user_id": lea, "can_manage_chat": true} }, "not enough rights"},
		"can_invite_users":     {"exportChatInviteLink", func(*stage) object { return nil }, "not enough rights to manage chat invite link"},
		"can_change_info":      {"setChatTitle", func(*stage) object { return object{"title": "New"} }, "not enough rights to change chat title"},
		"can_pin_messages":     {"pinChatMessage", func(g *stage) object { return object{"message_id": g.foreign} }, "not enough rights to manage pinned messages in the chat"},
		"can_delete_messages":  {"deleteMessage", func(g *stage) object { return object{"message_id": g.foreign} }, "message can't be deleted"},
		"can_manage_topics":    {"createForumTopic", func(*stage) object { return object{"name": "a"} }, "not enough rights to create a topic"},
	} {
		t.Run(right, func(t *testing.T) {
			play(t, Options{Inline: true}, func(h *harness) {
				g := h.stage()
				g.foreign = h.People.Send(lea, forum, "hello")
				p := c.p(g).with(object{"chat_id": forum})
				h.Directory.SetRights(sam, forum, bot)
				h.refused(h.call(c.method, p), 400, "Bad Request: "+c.words)
				h.Directory.SetRights(sam, forum, bot, right)
				if r := h.call(c.method, p); !r.OK {
					t.Errorf("with the right: %s", r.Description)
				}
			})
		})
	}
	play(t, Options{Inline: true}, func(h *harness) {
		g := h.stage()
		h.Directory.SetRights(sam, forum, bot, "can_promote_members")
		for method, words := range map[string]string{
			"unpinChatMessage": "not enough rights to manage pinned messages in the chat", "unpinAllChatMessages": "not enough rights to manage pinned messages in the chat",
			"editForumTopic": "not enough rights to edit the topic", "deleteForumTopic": "not enough rights to delete the topic",
			"setChatDescription": "not enough rights to set chat description",
		} {
			h.refused(h.call(method, object{"chat_id": forum, "message_thread_id": g.topic, "name": "x", "description": "x"}), 400, "Bad Request: "+words)
		}
		h.refused(h.call("promoteChatMember", object{"chat_id": forum, "user_id": lea, "can_delete_messages": true}), 400, "Bad Request: RIGHT_FORBIDDEN")
		h.Directory.SetRights(sam, forum, bot, "can_manage_topics")
		h.refused(h.call("unpinAllForumTopicMessages", object{"chat_id": forum, "message_thread_id": g.topic}), 400, "Bad Request: not enough rights to manage pinned messages in the chat")
		h.Directory.SetRole(sam, forum, bot, Restricted)
		for method, p := range map[string]object{"sendMessage": {"text": "a"}, "sendDice": nil, "forwardMessage": {"from_chat_id": sam, "message_id": g.own}, "copyMessages": {"from_chat_id": sam, "message_ids": marshalText([]int{g.own})}} {
			if r := h.call(method, p.with(object{"chat_id": forum})); r.OK || !strings.HasPrefix(r.Description, "Bad Request: not enough rights to send ") {
				t.Errorf("%s: %+v", method, r)
			}
		}
	})
}

func marshalText(v any) string { return string(marshal(v)) }

// What a bot does with members is seen by all, and told to a bot that asked to be told.
func TestManagingMembers(t *testing.T) {
	play(t, Options{Inline: true}, func(h *harness) {
		g := h.stage()
		h.drain()
		h.poll(object{"allowed_updates": `["chat_member","message"]`})
		in := func(method string, who int64, p object) {
			t.Helper()
			if r := h.call(method, p.with(object{"chat_id": forum, "user_id": who})); !r.OK {
				t.Fatalf("%s: %s", method, r.Description)
			}
		}
		in("restrictChatMember", lea, object{"permissions": `{"can_send_polls":true,"can_pin_messages":true}`, "until_date": time.Now().Add(time.Hour).Unix()})
		if h.Directory.Role(forum, lea) != Restricted || h.People.Send(lea, forum, "polls mean texts") == 0 || !h.chats[forum].may(lea, "can_manage_topics") {
			t.Error("who may make polls may write")
		}
		in("restrictChatMember", lea, object{"permissions": `{"can_send_polls":true}`, "use_independent_chat_permissions": true, "until_date": time.Now().Add(time.Hour).Unix()})
		if h.People.Send(lea, forum, "hello") != 0 {
			t.Error("who may only make polls has written")
		}
		h.pass(2 * time.Hour)
		if h.Directory.Role(forum, lea) != Ordinary || h.People.Send(lea, forum, "hello") == 0 {
			t.Error("it is not over")
		}
		in("restrictChatMember", lea, object{"permissions": `{"can_send_other_messages":true}`})
		h.pass(1000 * day)
		if h.Directory.Role(forum, lea) != Restricted || !h.chats[forum].may(lea, "can_send_photos") {
			t.Error("it is not for ever")
		}
		in("restrictChatMember", lea, object{"permissions": `{"can_send_messages":true,"can_send_other_messages":true,"can_add_web_page_previews":true,"can_send_polls":true,"can_react_to_messages":true,"can_edit_tag":true,"can_change_info":true,"can_invite_users":true,"can_pin_messages":true}`})
		if h.Directory.Role(forum, lea) != Ordinary {
			t.Error("who may do everything is restricted")
		}
		in("promoteChatMember", lea, object{"can_pin_messages": true})
		in("setChatAdministratorCustomTitle", lea, object{"custom_title": "boss"})
		var m map[string]any
		h.call("getChatMember", object{"chat_id": forum, "user_id": lea}).into(t, &m)
		if m["custom_title"] != "boss" || m["can_pin_messages"] != true || m["can_delete_messages"] != false || m["can_be_edited"] != true {
			t.Errorf("lea is %v", m)
		}
		in("promoteChatMember", lea, nil)
		if h.Directory.Role(forum, lea) != Ordinary {
			t.Error("no rights at all, and still an administrator")
		}
		in("banChatMember", lea, object{"until_date": time.Now().Add(time.Minute).Unix(), "revoke_messages": true})
		if h.Directory.Role(forum, lea) != Kicked || h.chats[forum].messages[len(h.chats[forum].messages)-1].Notice != "@shop_bot removed Léa" {
			t.Error("lea was not banned")
		}
		h.pass(2 * time.Minute)
		if h.Directory.Role(forum, lea) != Left {
			t.Error("the ban is not over")
		}
		in("banChatMember", lea, nil)
		in("unbanChatMember", lea, object{"only_if_banned": true})
		in("unbanChatMember", maxi, object{"only_if_banned": true})
		if h.Directory.Role(forum, lea) != Left || h.Directory.Role(forum, maxi) != Administrator {
			t.Error("it is unbanned who was banned")
		}
		in("unbanChatMember", maxi, nil)
		in("approveChatJoinRequest", g.knocker, nil)
		if h.Directory.Role(forum, maxi) != Left || h.Directory.Role(forum, g.knocker) != Ordinary {
			t.Error("max is still there, or Kim is not")
		}
		if n := strings.Count(kinds(h.drain()), "chat_member"); n != 8 { // the others are older than a day
			t.Errorf("%d changes were told", n)
		}
		h.Directory.SetRights(sam, forum, sam) // not an administrator
		h.Directory.SetRights(sam, 999, sam)
		h.People.Knock(g.knocker, forum) // is in already
	})
}

// setChatPermissions binds all but administrators, the bot as well where it is none.
func TestChatPermissions(t *testing.T) {
	play(t, Options{}, func(h *harness) {
		h.group(superShop, Administrator)
		if r := h.call("setChatPermissions", object{"chat_id": superShop, "permissions": `{"can_send_messages":true}`}); !r.OK {
			t.Fatal(r.Description)
		}
		var chat struct{ Permissions map[string]bool }
		h.call("getChat", object{"chat_id": superShop}).into(t, &chat)
		if !chat.Permissions["can_send_messages"] || chat.Permissions["can_send_photos"] {
			t.Errorf("permissions %v", chat.Permissions)
		}
		h.Directory.SetRole(sam, superShop, bot, Ordinary)
		h.post("sendMessage", object{"chat_id": superShop, "text": "a"})
		h.refused(h.call("sendDice", object{"chat_id": superShop}), 400, "Bad Request: not enough rights to send dice to the chat")
	})
}

// In forums messages have a topic, which can be closed.
func TestTopics(t *testing.T) {
	play(t, Options{ReadsAll: true}, func(h *harness) {
		h.Directory.AddForum(forum, "Staff", sam, lea)
		h.Directory.SetRole(sam, forum, bot, Administrator)
		id := h.Directory.NewTopic(sam, forum, "Orders")
		h.People.Post(lea, forum, Message{Text: "in it", Thread: id})
		got := h.drain()
		if u := got[len(got)-1]; u.at("message_thread_id") != float64(id) || u.at("is_topic_message") != true || u.at("reply_to_message", "forum_topic_created") == nil || u.at("chat", "is_forum") != true {
			t.Errorf("got %v", u.body)
		}
		if u := got[len(got)-2]; u.at("forum_topic_created", "name") != "Orders" || u.at("message_id") != float64(id) || u.at("message_thread_id") != float64(id) {
			t.Errorf("got %v", u.body)
		}
		do := func(method string, p object) {
			t.Helper()
			if r := h.call(method, p.with(object{"chat_id": forum, "message_thread_id": id})); !r.OK {
				t.Fatalf("%s: %s", method, r.Description)
			}
		}
		do("closeForumTopic", nil)
		h.refused(h.call("sendMessage", object{"chat_id": forum, "message_thread_id": id, "text": "a"}), 400, "Bad Request: TOPIC_CLOSED")
		if h.People.Post(lea, forum, Message{Text: "a", Thread: id}) != 0 || h.People.Post(sam, forum, Message{Text: "a", Thread: id}) == 0 || h.People.Post(sam, forum, Message{Text: "a", Thread: 999}) != 0 {
			t.Error("a closed topic is open to its administrators")
		}
		do("reopenForumTopic", nil)
		do("pinChatMessage", object{"message_id": h.post("sendMessage", object{"chat_id": forum, "message_thread_id": id, "text": "a"}).ID})
		elsewhere := h.post("sendMessage", object{"chat_id": forum, "text": "a"}).ID
		do("pinChatMessage", object{"message_id": elsewhere})
		do("unpinAllForumTopicMessages", nil)
		if pinned := h.chats[forum].pinned; !slices.Equal(pinned, []int{elsewhere}) {
			t.Errorf("pinned are %v", pinned)
		}
		do("deleteForumTopic", nil)
		h.refused(h.call("sendMessage", object{"chat_id": forum, "message_thread_id": id, "text": "a"}), 400, "Bad Request: message thread not found")
		for _, m := range h.Messages(forum) {
			if m.Thread == id && !m.Deleted {
				t.Errorf("left of the topic: %+v", m)
			}
		}
		if h.Directory.NewTopic(sam, sam, "a") != 0 || h.Directory.NewTopic(lea, 999, "a") != 0 {
			t.Error("a topic in no forum")
		}
	})
}

// In a channel speaks the channel.
func TestChannels(t *testing.T) {
	play(t, Options{}, func(h *harness) {
		h.addChannel("Prices", sam, lea)
		id := h.post("sendMessage", object{"chat_id": channel, "text": "up"}).ID
		h.post("editMessageText", object{"chat_id": channel, "message_id": id, "text": "down"})
		mine := h.People.Send(sam, channel, "mine")
		if h.People.Send(lea, channel, "a") != 0 {
			t.Error("readers do not write")
		}
		h.post("editMessageText", object{"chat_id": channel, "message_id": mine, "text": "ours"})
		h.People.Edit(sam, channel, mine, "mine again")
		h.call("pinChatMessage", object{"chat_id": channel, "message_id": mine})
		passed := h.post("forwardMessage", object{"chat_id": sam, "from_chat_id": channel, "message_id": mine})
		if passed.Text != "mine again" || h.last(sam).Forwarded != "Sam" {
			t.Errorf("passed on: %+v", passed)
		}
		got := h.drain()
		if kinds(got) != "channel_post,edited_channel_post" || got[0].at("sender_chat", "title") != "Prices" || got[0].at("from") != nil {
			t.Errorf("got %s: %v", kinds(got), got)
		}
		h.Directory.SetRights(sam, channel, bot, "can_edit_messages")
		h.refused(h.call("sendMessage", object{"chat_id": channel, "text": "a"}), 400, "Bad Request: need administrator rights in the channel chat")
		h.Directory.SetRights(sam, channel, bot, "can_post_messages", "can_invite_users")
		h.refused(h.call("editMessageText", object{"chat_id": channel, "message_id": mine, "text": "ours"}), 400, "Bad Request: message can't be edited")
		h.refused(h.call("pinChatMessage", object{"chat_id": channel, "message_id": mine}), 400, "Bad Request: "+noPinning)
		h.refused(h.call("setMyCommands", object{"scope": object{"type": "chat", "chat_id": channel}}), 400, "Bad Request: can't change commands in channel chats")
		h.Directory.AddUser(User{ID: 504, FirstName: "Kim"})
		h.People.Knock(504, channel)
		h.People.Knock(504, channel)
		if r := h.call("approveChatJoinRequest", object{"chat_id": channel, "user_id": 504}); !r.OK || h.Directory.Role(channel, 504) != Ordinary || h.last(channel).Notice == "Kim was let in" {
			t.Errorf("let in: %+v", r)
		}
		h.Directory.AddUser(User{ID: 505, FirstName: "Tom"})
		h.People.Knock(505, channel)
		if r := h.call("declineChatJoinRequest", object{"chat_id": channel, "user_id": 505}); !r.OK || h.Directory.Role(channel, 505) != Left {
			t.Errorf("sent away: %+v", r)
		}
		h.Directory.SetRole(sam, channel, bot, Left)
		h.refused(h.call("getChatMember", object{"chat_id": channel, "user_id": lea}), 403, "Forbidden: bot is not a member of the channel chat")
	})
}

// A link that is made the chat's own ends the one before.
func TestInviteLinks(t *testing.T) {
	play(t, Options{}, func(h *harness) {
		h.group(superShop, Administrator)
		var first, second string
		h.call("exportChatInviteLink", object{"chat_id": superShop}).into(t, &first)
		h.call("exportChatInviteLink", object{"chat_id": superShop}).into(t, &second)
		var link struct {
			URL     string `json:"invite_link"`
			Name    string
			Primary bool `json:"is_primary"`
			Revoked bool `json:"is_revoked"`
			Pending int  `json:"pending_join_request_count"`
			Limit   int  `json:"member_limit"`
		}
		h.call("revokeChatInviteLink", object{"chat_id": superShop, "invite_link": second}).into(t, &link)
		if first == second || !link.Revoked || !link.Primary || !h.chats[superShop].links[0].revoked {
			t.Errorf("%s, then %+v", first, link)
		}
		h.Directory.AddUser(User{ID: 504, FirstName: "Kim"})
		h.People.Knock(504, superShop)
		h.call("createChatInviteLink", object{"chat_id": superShop, "creates_join_request": true, "name": "VIP"}).into(t, &link)
		if link.Name != "VIP" || link.Pending != 1 {
			t.Errorf("%+v", link)
		}
		h.call("editChatInviteLink", object{"chat_id": superShop, "invite_link": link.URL, "member_limit": 7}).into(t, &link)
		if link.Limit != 7 {
			t.Errorf("%+v", link)
		}
	})
}

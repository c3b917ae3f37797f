package tgsim

import (
	"fmt"
	"strings"
	"testing"
)

// no is a call that is refused, and with which words.
type no struct {
	method string
	p      object
	words  string
}

// TestCatalogue is what cannot be done, in Telegram's words. Nothing of it changes anything.
func TestCatalogue(t *testing.T) {
	for area, list := range map[string]func(*stage) []no{
		"relays": relayRefusals, "media": mediaRefusals, "edits": editRefusals, "keyboards": keyboardRefusals, "polls": pollRefusals, "cards": cardRefusals,
		"members": memberRefusals, "topics": topicRefusals, "groups": groupRefusals, "settings": settingRefusals, "inline": inlineRefusals, "payments": paymentRefusals,
	} {
		t.Run(area, func(t *testing.T) {
			play(t, Options{Inline: true}, func(h *harness) {
				g := h.stage()
				h.Directory.AddGroup(shop, "Shop", sam, lea)
				for _, c := range list(g) {
					r := h.call(c.method, c.p)
					if want := "Bad Request: " + c.words; r.OK || r.Description != want && r.Description != c.words {
						t.Errorf("%s %v\n got %v %s\nwant %s", c.method, c.p, r.OK, r.Description, want)
					}
				}
			})
		})
	}
}

func relayRefusals(g *stage) []no {
	from := func(more object) object { return object{"chat_id": sam, "from_chat_id": sam}.with(more) }
	h := g.harness
	secret := h.post("sendMessage", object{"chat_id": sam, "text": "secret", "protect_content": true}).ID
	return []no{
		{"forwardMessage", object{"chat_id": sam, "message_id": 1}, `parameter "from_chat_id" is required`},
		{"forwardMessage", object{"chat_id": sam, "from_chat_id": 999, "message_id": 1}, "chat not found"},
		{"forwardMessage", from(object{"message_id": 999}), "message to forward not found"},
		{"forwardMessage", from(object{"message_id": secret}), "the message can't be forwarded"},
		{"copyMessage", from(object{"message_id": 999}), "message to copy not found"},
		{"copyMessage", object{"chat_id": sam, "from_chat_id": forum, "message_id": g.topic}, "the message can't be copied"},
		{"copyMessage", from(object{"message_id": g.photo, "caption": strings.Repeat("x", 1025)}), "message caption is too long"},
		{"copyMessages", object{"chat_id": sam, "message_ids": "[1]"}, `parameter "from_chat_id" is required`},
		{"copyMessages", from(nil), "message identifiers are not specified"},
		{"copyMessages", from(object{"message_ids": "[]"}), "message identifiers are not specified"},
		{"copyMessages", from(object{"message_ids": "[9,8]"}), "message identifiers must be in a strictly increasing order"},
		{"forwardMessages", from(object{"message_ids": "[8,8]"}), "message identifiers must be in a strictly increasing order"},
		{"forwardMessages", from(object{"message_ids": "[998,999]"}), "there are no messages to forward"},
		{"forwardMessages", from(object{"message_ids": fmt.Sprintf("[%d]", secret)}), "there are no messages to forward"},
		{"sendMessage", object{"chat_id": sam, "text": "a", "business_connection_id": "x"}, "business connection not found"},
		{"sendMessage", object{"chat_id": sam, "text": "a", "reply_parameters": object{"message_id": g.asked, "quote": "other"}}, "QUOTE_TEXT_INVALID"},
		{"sendMessage", object{"chat_id": sam, "text": "a", "reply_parameters": object{"message_id": g.asked, "quote": "*", "quote_parse_mode": "MarkdownV2"}}, "can't parse entities: Can't find end of Bold entity at byte offset 0"},
		{"sendMessage", object{"chat_id": sam, "text": "a", "reply_parameters": object{"message_id": 1, "chat_id": 999}}, "chat not found"},
		{"sendMessage", object{"chat_id": sam, "text": "a", "reply_parameters": "[]"}, "object expected as reply parameters"},
		{"sendMessage", object{"chat_id": sam, "text": "a", "reply_parameters": object{"quote": "x"}}, `can't find field "message_id"`},
		{"sendMessage", object{"chat_id": sam, "text": "a", "reply_to_message_id": 999}, "message to be replied not found"},
		{"sendMessage", object{"chat_id": sam, "text": "a", "link_preview_options": "{"}, "can't parse link preview options JSON object"},
		{"sendMessage", object{"chat_id": sam, "text": "a", "link_preview_options": object{"is_disabled": "yes"}}, `field "is_disabled" must be of type Boolean`},
		{"sendMessageDraft", object{"chat_id": forum, "draft_id": 1, "text": "a"}, "method is available only in private chats"},
		{"sendMessageDraft", object{"chat_id": sam, "text": "a"}, "invalid draft_id specified"},
		{"sendMessageDraft", object{"chat_id": sam, "draft_id": 1, "text": strings.Repeat("x", 4097)}, "message is too long"},
		{"sendMessageDraft", object{"chat_id": sam, "draft_id": 1, "text": "<b>", "parse_mode": "HTML"}, `can't parse entities: Can't find end tag corresponding to start tag "b"`},
		{"sendChatAction", object{"chat_id": forum, "action": "typing", "message_thread_id": 999}, "message thread not found"},
	}
}

func mediaRefusals(g *stage) []no {
	album := func(items ...any) object { return object{"chat_id": sam, "media": items} }
	photo := object{"type": "photo", "media": g.pic}
	doc := object{"type": "document", "media": g.doc}
	many := make([]any, 11)
	for i := range many {
		many[i] = photo
	}
	return []no{
		{"sendMediaGroup", object{"chat_id": sam}, `parameter "media" is required`},
		{"sendMediaGroup", object{"chat_id": sam, "media": "{"}, "can't parse media JSON object"},
		{"sendMediaGroup", object{"chat_id": sam, "media": "{}"}, "expected an Array of InputMedia"},
		{"sendMediaGroup", object{"chat_id": sam, "media": "[]"}, "there are no messages to send"},
		{"sendMediaGroup", album(many...), "too many messages to send as an album"},
		{"sendMediaGroup", album(photo, doc), "can't use the media of the specified type in the album"},
		{"sendMediaGroup", album("x"), "can't parse InputMedia: expected an Object"},
		{"sendMediaGroup", album(object{"type": "photo"}), "can't parse InputMedia: media not found"},
		{"sendMediaGroup", album(object{"type": "photo", "media": "attach://x"}), "can't parse InputMedia: media not found"},
		{"sendMediaGroup", album(object{"media": g.pic}), `can't parse InputMedia: Can't find field "type"`},
		{"sendMediaGroup", album(object{"type": "hologram", "media": g.pic}), `can't parse InputMedia: type "hologram" is unsupported`},
		{"sendMediaGroup", album(object{"type": "animation", "media": g.doc}), `can't parse InputMedia: type "animation" can't be used in sendMediaGroup`},
		{"sendMediaGroup", album(photo, object{"type": "photo", "media": "AAAA"}), `failed to send message #2 with the error message "wrong remote file identifier specified: Wrong string length"`},
		{"sendMediaGroup", album(object{"type": "photo", "media": g.doc}), `failed to send message #1 with the error message "can't use file of type Document as Photo"`},
		{"sendMediaGroup", album(object{"type": "video", "media": g.pic}), `failed to send message #1 with the error message "can't use file of type Photo as Video"`},
		{"sendMediaGroup", album(object{"type": "photo", "media": g.pic, "caption": "<b>", "parse_mode": "HTML"}), `can't parse InputMedia: Can't parse entities: Can't find end tag corresponding to start tag "b"`},
		{"sendMediaGroup", album(object{"type": "photo", "media": g.pic, "caption": strings.Repeat("x", 1025)}), `failed to send message #1 with the error message "message caption is too long"`},
		{"sendVideo", object{"chat_id": sam}, "there is no video in the request"},
		{"sendVoice", object{"chat_id": sam, "voice": g.pic}, "can't use file of type Photo as VoiceNote"},
		{"sendSticker", object{"chat_id": sam, "sticker": "https://shop.example/a.webp"}, "failed to get HTTP URL content"},
		{"getUserProfilePhotos", object{"user_id": 0}, "invalid user_id specified"},
		{"getUserProfilePhotos", object{"user_id": 999}, "user not found"},
	}
}

func editRefusals(g *stage) []no {
	at := func(message int, more object) object { return object{"chat_id": sam, "message_id": message}.with(more) }
	h := g.harness
	reply := h.post("sendMessage", object{"chat_id": sam, "text": "a", "reply_markup": `{"remove_keyboard":true}`}).ID
	passed := h.post("forwardMessage", object{"chat_id": sam, "from_chat_id": sam, "message_id": g.own}).ID
	card := h.post("sendContact", object{"chat_id": sam, "phone_number": "1", "first_name": "a"}).ID
	media := object{"media": object{"type": "document", "media": g.doc}}
	return []no{
		{"editMessageText", object{"text": "a"}, "message identifier is not specified"},
		{"editMessageText", object{"text": "a", "inline_message_id": "x"}, "MESSAGE_ID_INVALID"},
		{"editMessageText", at(999, object{"text": "a"}), "message to edit not found"},
		{"editMessageText", at(g.asked, object{"text": "a"}), "message can't be edited"},
		{"editMessageText", at(reply, object{"text": "b"}), "message can't be edited"},
		{"editMessageText", at(passed, object{"text": "b"}), "message can't be edited"},
		{"editMessageText", at(g.photo, object{"text": "b"}), "there is no text in the message to edit"},
		{"editMessageText", at(card, object{"text": "b"}), "there is no text in the message to edit"},
		{"editMessageText", at(g.own, object{"text": " "}), "text must be non-empty"},
		{"editMessageText", at(g.own, nil), "message text is empty"},
		{"editMessageText", at(g.own, object{"text": "b", "reply_markup": `{"force_reply":true}`}), "inline keyboard expected"},
		{"editMessageText", at(g.own, object{"text": "b", "link_preview_options": "[]"}), "object expected as link preview options"},
		{"editMessageCaption", at(g.own, object{"caption": "b"}), "there is no caption in the message to edit"},
		{"editMessageCaption", at(card, object{"caption": "b"}), "there is no caption in the message to edit"},
		{"editMessageCaption", at(g.photo, object{"caption": strings.Repeat("x", 1025)}), "message caption is too long"},
		{"editMessageMedia", at(g.own, nil), `parameter "media" is required`},
		{"editMessageMedia", at(g.own, object{"media": "{"}), "can't parse input media JSON object"},
		{"editMessageMedia", at(g.own, object{"media": "[]"}), "can't parse InputMedia: expected an Object"},
		{"editMessageMedia", at(g.own, object{"media": object{"type": "photo", "media": "AAAA"}}), "wrong remote file identifier specified: Wrong string length"},
		{"editMessageMedia", at(card, media), "message media can't be edited"},
		{"editMessageMedia", at(999, media), "message to edit not found"},
		{"editMessageReplyMarkup", at(999, nil), "message to edit not found"},
		{"editMessageReplyMarkup", at(g.own, object{"reply_markup": button("a", "b")}), notModified},
		{"deleteMessage", object{"message_id": 1}, "chat identifier is not specified"},
		{"deleteMessage", object{"chat_id": sam}, "message identifier is not specified"},
		{"deleteMessage", object{"chat_id": forum, "message_id": g.topic}, "message can't be deleted"},
		{"setMessageReaction", at(999, nil), "message to react not found"},
		{"setMessageReaction", at(g.asked, object{"reaction": `[{"type":"emoji","emoji":"🧨"}]`}), "REACTION_INVALID"},
		{"setMessageReaction", at(g.asked, object{"reaction": `[{"type":"emoji","emoji":"👍"},{"type":"emoji","emoji":"👎"}]`}), "REACTIONS_TOO_MANY"},
		{"setMessageReaction", at(g.asked, object{"reaction": `[{"type":"paid"}]`}), "can't parse ReactionType: invalid reaction type specified"},
		{"setMessageReaction", at(g.asked, object{"reaction": `[7]`}), "can't parse ReactionType: expected an Object"},
		{"setMessageReaction", object{"chat_id": forum, "message_id": g.topic}, "message can't be reacted to"},
	}
}

func keyboardRefusals(*stage) []no {
	send := func(chat int64, words string, markup string) no {
		return no{"sendMessage", object{"chat_id": chat, "text": "a", "reply_markup": markup}, words}
	}
	inline := func(words, button string) no { return send(sam, words, `{"inline_keyboard":[[`+button+`]]}`) }
	key := func(chat int64, words, key string) no { return send(chat, words, `{"keyboard":[[`+key+`]]}`) }
	const broken = "can't parse inline keyboard button: "
	return []no{
		inline(broken+"InlineKeyboardButton must be an Object", `"a"`),
		inline(broken+`Can't find field "text"`, `{"callback_data":"b"}`),
		inline(broken+`Field "text" must be of type String`, `{"text":[],"callback_data":"b"}`),
		inline(broken+`Field "web_app" must be of type Object`, `{"text":"a","web_app":"b"}`),
		inline(broken+`Can't find field "url"`, `{"text":"a","web_app":{}}`),
		inline(broken+`Can't find field "url"`, `{"text":"a","login_url":{}}`),
		inline(broken+`Can't find field "text"`, `{"text":"a","copy_text":{}}`),
		inline(broken+`Field "query" must be of type String`, `{"text":"a","switch_inline_query_chosen_chat":{"query":{}}}`),
		inline("BUTTON_TYPE_INVALID", `{"text":"a","callback_data":"b"},{"text":"Pay","pay":true}`),
		inline("inline keyboard button URL 'happ://x' is invalid: Unsupported URL protocol", `{"text":"a","url":"happ://x"}`),
		inline("inline keyboard button URL 'here' is invalid: Wrong HTTP URL", `{"text":"a","url":"here"}`),
		inline("inline keyboard button Web App URL 'http://shop.example' is invalid: Only HTTPS links are allowed", `{"text":"a","web_app":{"url":"http://shop.example"}}`),
		send(forum, "BUTTON_TYPE_INVALID", `{"inline_keyboard":[[{"text":"a","web_app":{"url":"https://shop.example"}}]]}`),
		send(sam, `field "keyboard" must be an Array of Arrays`, `{"keyboard":["a"]}`),
		send(sam, `field "keyboard" must be of type Array`, `{"keyboard":"a"}`),
		send(sam, `field "one_time_keyboard" must be of type Boolean`, `{"keyboard":[["a"]],"one_time_keyboard":"x"}`),
		key(sam, "can't parse keyboard button: KeyboardButton must be a String or an Object", `7`),
		key(sam, `can't parse keyboard button: Can't find field "request_id"`, `{"text":"a","request_users":{}}`),
		key(sam, "can't parse keyboard button: invalid button style specified", `{"text":"a","style":"pink"}`),
		key(sam, "keyboard button text must be non-empty", `""`),
		key(sam, "keyboard button Web App URL 'http://shop.example' is invalid: Only HTTPS links are allowed", `{"text":"a","web_app":{"url":"http://shop.example"}}`),
		key(forum, "phone number can be requested in private chats only", `{"text":"a","request_contact":true}`),
		key(forum, "location can be requested in private chats only", `{"text":"a","request_location":true}`),
		key(forum, "poll can be requested in private chats only", `{"text":"a","request_poll":{}}`),
		key(forum, "users can be requested in private chats only", `{"text":"a","request_users":{"request_id":1}}`),
		key(forum, "chats can be requested in private chats only", `{"text":"a","request_chat":{"request_id":1,"chat_is_channel":false}}`),
		key(forum, "Web App buttons can be used in private chats only", `{"text":"a","web_app":{"url":"https://shop.example"}}`),
	}
}

func pollRefusals(g *stage) []no {
	ask := func(words string, more object) no {
		return no{"sendPoll", object{"chat_id": sam, "question": "a", "options": `["b","c"]`}.with(more), words}
	}
	return []no{
		ask("text must be non-empty", object{"question": " "}),
		ask("poll question length must not exceed 300", object{"question": strings.Repeat("é", 301)}),
		ask("can't parse entities: Can't find end tag corresponding to start tag \"b\"", object{"question": "<b>", "question_parse_mode": "HTML"}),
		ask(`parameter "options" is required`, object{"options": ""}),
		ask("can't parse options JSON object", object{"options": "["}),
		ask("poll must have at least one answer option", object{"options": "[]"}),
		ask("poll can't have more than 12 options", object{"options": "[" + strings.Repeat(`"a",`, 12) + `"a"]`}),
		ask("text must be non-empty", object{"options": `[""]`}),
		ask("poll options length must not exceed 100", object{"options": `["` + strings.Repeat("é", 101) + `"]`}),
		ask("expected an option to be of type String", object{"options": `[7]`}),
		ask("can't parse entities: Can't find end of Bold entity at byte offset 0", object{"options": `[{"text":"*","text_parse_mode":"MarkdownV2"}]`}),
		ask("unsupported poll type specified", object{"type": "vote"}),
		ask("correct quiz option list must be non-empty", object{"type": "quiz"}),
		ask("wrong quiz correct_option_id", object{"type": "quiz", "correct_option_id": 2}),
		ask("text is too long", object{"type": "quiz", "correct_option_id": 1, "explanation": strings.Repeat("x", 1<<15+1)}),
		{"stopPoll", object{"chat_id": sam, "message_id": 999}, "message with poll to stop not found"},
		{"stopPoll", object{"chat_id": sam, "message_id": g.own}, "message is not a poll"},
		{"stopPoll", object{"chat_id": sam, "message_id": g.poll, "reply_markup": button("", "x")}, "inline keyboard button text must be non-empty"},
	}
}

func cardRefusals(*stage) []no {
	return []no{
		{"sendContact", object{"chat_id": sam, "phone_number": "1"}, `parameter "first_name" is required`},
		{"sendLocation", object{"chat_id": sam, "longitude": 1}, "latitude is empty"},
		{"sendLocation", object{"chat_id": sam, "latitude": 1}, "longitude is empty"},
		{"sendVenue", object{"chat_id": sam, "latitude": 1, "longitude": 1, "address": "a"}, "VENUE_TITLE_EMPTY"},
		{"sendVenue", object{"chat_id": sam, "latitude": 1, "longitude": 1, "title": "a"}, "VENUE_ADDRESS_EMPTY"},
		{"sendVenue", object{"latitude": 1, "longitude": 1, "title": "a", "address": "a"}, "chat_id is empty"},
		{"sendDice", object{"chat_id": sam, "emoji": "🍎"}, "EMOTICON_INVALID"},
	}
}

func memberRefusals(*stage) []no {
	in := func(chat, who int64) object { return object{"chat_id": chat, "user_id": who} }
	silent := object{"permissions": "{}"}
	return []no{
		{"banChatMember", in(forum, 0), "invalid user_id specified"},
		{"banChatMember", in(forum, bot), "can't restrict self"},
		{"banChatMember", in(forum, 999), "PARTICIPANT_ID_INVALID"},
		{"banChatMember", in(forum, sam), "can't remove chat owner"},
		{"banChatMember", in(sam, lea), "can't ban members in private chats"},
		{"banChatMember", in(shop, lea), "not enough rights to restrict/unrestrict chat member"},
		{"banChatMember", in(999, lea), "chat not found"},
		{"unbanChatMember", in(shop, lea), "method is available for supergroup and channel chats only"},
		{"unbanChatMember", in(forum, sam), "can't remove chat owner"},
		{"restrictChatMember", in(forum, lea), "can't parse permissions JSON object"},
		{"restrictChatMember", in(forum, lea).with(object{"permissions": "[]"}), "can't parse chat permissions: Object expected as permissions"},
		{"restrictChatMember", in(shop, lea).with(silent), "method is available only for supergroups"},
		{"restrictChatMember", in(channel, maxi).with(silent), "method is available only for supergroups"},
		{"restrictChatMember", in(forum, 504).with(silent), "USER_NOT_PARTICIPANT"},
		{"restrictChatMember", in(forum, sam).with(silent), "can't remove chat owner"},
		{"promoteChatMember", in(forum, bot), "can't promote self"},
		{"promoteChatMember", in(forum, 504).with(object{"can_manage_chat": true}), "USER_NOT_MUTUAL_CONTACT"},
		{"promoteChatMember", in(forum, sam), "can't remove chat owner"},
		{"promoteChatMember", in(shop, lea), "method is available for supergroup and channel chats only"},
		{"setChatAdministratorCustomTitle", in(forum, 0), "invalid user_id specified"},
		{"setChatAdministratorCustomTitle", in(forum, sam), "only the owner can edit their custom title"},
		{"setChatAdministratorCustomTitle", in(forum, lea), "user is not an administrator"},
		{"setChatAdministratorCustomTitle", in(forum, bot), "not enough rights to change custom title of the user"},
		{"setChatAdministratorCustomTitle", in(forum, maxi).with(object{"custom_title": strings.Repeat("x", 17)}), "CUSTOM_TITLE_INVALID"},
		{"setChatAdministratorCustomTitle", in(shop, lea), "method is available only for supergroups"},
		{"setChatAdministratorCustomTitle", in(999, lea), "chat not found"},
		{"setChatPermissions", object{"chat_id": sam}.with(silent), "can't change private chat permissions"},
		{"setChatPermissions", object{"chat_id": shop}.with(silent), "not enough rights to change chat permissions"},
		{"setChatPermissions", object{"chat_id": forum}, "can't parse permissions JSON object"},
		{"approveChatJoinRequest", in(forum, 0), "invalid user_id specified"},
		{"approveChatJoinRequest", in(forum, lea), "USER_ALREADY_PARTICIPANT"},
		{"approveChatJoinRequest", in(forum, 999), "HIDE_REQUESTER_MISSING"},
		{"approveChatJoinRequest", in(sam, lea), "the chat can't have join requests"},
		{"declineChatJoinRequest", in(shop, lea), "not enough rights to manage chat join requests"},
	}
}

func topicRefusals(g *stage) []no {
	in := func(chat int64, topic int) object { return object{"chat_id": chat, "message_thread_id": topic} }
	return []no{
		{"createForumTopic", object{"chat_id": shop, "name": "a"}, "the chat is not a forum"},
		{"createForumTopic", object{"chat_id": 999, "name": "a"}, "chat not found"},
		{"createForumTopic", object{"chat_id": forum}, "TOPIC_TITLE_EMPTY"},
		{"createForumTopic", object{"chat_id": forum, "name": strings.Repeat("x", 129)}, "TOPIC_TITLE_TOO_LONG"},
		{"createForumTopic", object{"chat_id": forum, "name": "a", "icon_color": 5}, "invalid icon color specified"},
		{"editForumTopic", in(forum, 999), "TOPIC_ID_INVALID"},
		{"editForumTopic", in(forum, g.topic), "TOPIC_NOT_MODIFIED"},
		{"editForumTopic", in(forum, g.topic).with(object{"name": strings.Repeat("x", 129)}), "TOPIC_TITLE_TOO_LONG"},
		{"editForumTopic", in(shop, g.topic), "the chat is not a forum"},
		{"reopenForumTopic", in(forum, g.topic), "TOPIC_NOT_MODIFIED"},
		{"closeForumTopic", in(forum, 999), "TOPIC_ID_INVALID"},
		{"unhideGeneralForumTopic", object{"chat_id": forum}, "TOPIC_NOT_MODIFIED"},
		{"hideGeneralForumTopic", object{"chat_id": shop}, "the chat is not a forum"},
		{"deleteForumTopic", in(forum, 1), "TOPIC_ID_INVALID"},
		{"deleteForumTopic", in(shop, 1), "the chat is not a forum"},
		{"unpinAllForumTopicMessages", in(forum, 999), "TOPIC_ID_INVALID"},
		{"sendMessage", in(forum, 1).with(object{"text": "a"}), "message thread not found"},
		{"sendMessage", in(shop, 5).with(object{"text": "a"}), "message thread not found"},
	}
}

func groupRefusals(g *stage) []no {
	return []no{
		{"pinChatMessage", object{"chat_id": forum, "message_id": 999}, "message to pin not found"},
		{"pinChatMessage", object{"chat_id": forum, "message_id": g.posted}, "CHAT_NOT_MODIFIED"},
		{"pinChatMessage", object{"chat_id": forum, "message_id": g.topic}, "service messages can't be pinned"},
		{"pinChatMessage", object{"chat_id": 999, "message_id": 1}, "chat not found"},
		{"unpinChatMessage", object{"chat_id": forum, "message_id": 999}, "message to unpin not found"},
		{"unpinChatMessage", object{"chat_id": sam}, "message to unpin not found"},
		{"unpinAllChatMessages", object{"chat_id": 999}, "chat not found"},
		{"setChatTitle", object{"chat_id": sam, "title": "a"}, "can't change private chat title"},
		{"setChatTitle", object{"chat_id": forum, "title": " "}, "title must be non-empty"},
		{"setChatTitle", object{"chat_id": forum, "title": strings.Repeat("x", 129)}, "CHAT_TITLE_TOO_LONG"},
		{"setChatDescription", object{"chat_id": sam}, "can't change private chat description"},
		{"setChatDescription", object{"chat_id": forum}, "chat description is not modified"},
		{"setChatDescription", object{"chat_id": forum, "description": strings.Repeat("x", 256)}, "CHAT_ABOUT_TOO_LONG"},
		{"exportChatInviteLink", object{"chat_id": sam}, "can't invite members to a private chat"},
		{"exportChatInviteLink", object{"chat_id": shop}, "not enough rights to manage chat invite link"},
		{"createChatInviteLink", object{"chat_id": forum, "expire_date": 5}, "EXPIRE_DATE_INVALID"},
		{"createChatInviteLink", object{"chat_id": forum, "member_limit": 5, "creates_join_request": true}, "member limit can't be specified for links requiring administrator approval"},
		{"createChatInviteLink", object{"chat_id": forum, "name": strings.Repeat("x", 33)}, "INVITE_LINK_NAME_TOO_LONG"},
		{"createChatInviteLink", object{"chat_id": shop}, "not enough rights to manage chat invite link"},
		{"editChatInviteLink", object{"chat_id": forum, "invite_link": "x"}, "INVITE_HASH_EXPIRED"},
		{"editChatInviteLink", object{"chat_id": forum, "invite_link": g.link, "expire_date": 5}, "EXPIRE_DATE_INVALID"},
		{"revokeChatInviteLink", object{"chat_id": shop, "invite_link": g.link}, "not enough rights to manage chat invite link"},
		{"sendMessage", object{"chat_id": "@nobody", "text": "a"}, "chat not found"},
	}
}

func settingRefusals(*stage) []no {
	shop := func(url string) object {
		return object{"type": "web_app", "text": "Shop", "web_app": object{"url": url}}
	}
	return []no{
		{"setMyName", object{"name": strings.Repeat("x", 65)}, "bot name is too long"},
		{"setMyShortDescription", object{"short_description": strings.Repeat("x", 121)}, "bot short description is too long"},
		{"setMyDescription", object{"language_code": "FR"}, "invalid language code specified"},
		{"getMyDescription", object{"language_code": "french"}, "invalid language code specified"},
		{"setChatMenuButton", object{"menu_button": "{"}, "can't parse menu button JSON object"},
		{"setChatMenuButton", object{"menu_button": "[]"}, "can't parse menu button: MenuButton must be an Object"},
		{"setChatMenuButton", object{"menu_button": object{"type": "door"}}, "can't parse menu button: MenuButton has unsupported type"},
		{"setChatMenuButton", object{"menu_button": object{"type": "web_app", "text": "a"}}, `can't parse menu button: Can't find field "web_app"`},
		{"setChatMenuButton", object{"menu_button": shop("http://shop.example")}, "menu button Web App URL 'http://shop.example' is invalid: Only HTTPS links are allowed"},
		{"setChatMenuButton", object{"menu_button": shop("https://shop.example").with(object{"text": ""})}, "menu button text must be non-empty"},
		{"setChatMenuButton", object{"chat_id": forum}, "invalid chat_id specified"},
		{"getChatMenuButton", object{"chat_id": "null"}, "invalid chat_id specified"}, // as some libraries send
		{"getChatMenuButton", object{"chat_id": 999}, "user not found"},
		{"setMyDefaultAdministratorRights", object{"rights": "{"}, "can't parse ChatAdministratorRights JSON object"},
		{"setMyDefaultAdministratorRights", object{"rights": "[]"}, "can't parse ChatAdministratorRights: ChatAdministratorRights must be an Object"},
	}
}

func inlineRefusals(g *stage) []no {
	article := func(more object) object {
		return object{"type": "article", "id": "1", "title": "a", "input_message_content": object{"message_text": "b"}}.with(more)
	}
	offer := func(words string, results ...any) no {
		return no{"answerInlineQuery", object{"inline_query_id": g.inquiry, "results": results}, words}
	}
	above := func(words string, button any) no {
		return no{"answerInlineQuery", object{"inline_query_id": g.inquiry, "button": button}, words}
	}
	const broken = "can't parse inline query result: "
	many := make([]any, 51)
	for i := range many {
		many[i] = article(nil)
	}
	return []no{
		{"answerInlineQuery", object{"inline_query_id": "9", "results": "[]"}, "query is too old and response timeout expired or query ID is invalid"},
		{"answerInlineQuery", object{"inline_query_id": g.inquiry, "results": "["}, "can't parse JSON encoded inline query results: unexpected end of JSON"},
		{"answerInlineQuery", object{"inline_query_id": g.inquiry, "results": "{}"}, "expected an Array of inline query results"},
		{"answerInlineQuery", object{"inline_query_id": g.inquiry, "next_offset": strings.Repeat("x", 65)}, "NEXT_OFFSET_INVALID"},
		above("can't parse inline query results button JSON object", "{"),
		above("can't parse inline query results button: InlineQueryResultsButton must be an Object", "[]"),
		above("can't parse inline query results button: InlineQueryResultsButton must have exactly one optional field", object{"text": "a"}),
		above("can't use empty start_parameter", object{"text": "a", "start_parameter": ""}),
		above("too long start_parameter specified", object{"text": "a", "start_parameter": strings.Repeat("x", 65)}),
		above("unallowed characters in start_parameter are used", object{"text": "a", "start_parameter": "é"}),
		offer("too many inline query results specified", many...),
		offer("RESULT_ID_DUPLICATE", article(nil), article(nil)),
		offer("RESULT_ID_EMPTY", article(object{"id": ""})),
		offer("RESULT_ID_INVALID", article(object{"id": strings.Repeat("x", 65)})),
		offer("ARTICLE_TITLE_EMPTY", article(object{"title": ""})),
		offer("MESSAGE_TOO_LONG", article(object{"input_message_content": object{"message_text": strings.Repeat("x", 4097)}})),
		offer("BUTTON_DATA_INVALID", article(object{"reply_markup": button("a", strings.Repeat("x", 65))})),
		offer(broken+"Inline query result must be an object", "a"),
		offer(broken+`Can't find field "id"`, object{"type": "article"}),
		offer(broken+`Can't find field "input_message_content"`, object{"type": "article", "id": "1", "title": "a"}),
		offer(broken+"Input message content is not specified", article(object{"input_message_content": object{}})),
		offer(broken+`Can't find field "first_name"`, article(object{"input_message_content": object{"phone_number": "1"}})),
		offer(broken+`type "hologram" is unsupported for the inline query result`, object{"type": "hologram", "id": "1"}),
		offer(broken+`Can't find field "photo_file_id"`, object{"type": "photo", "id": "1"}),
		offer(broken+"wrong remote file identifier specified: can't unserialize it", object{"type": "photo", "id": "1", "photo_file_id": "AAAA"}),
		offer(broken+"Text is too long", object{"type": "photo", "id": "1", "photo_file_id": g.pic, "caption": strings.Repeat("x", 1<<15+1)}),
	}
}

func paymentRefusals(g *stage) []no {
	send := func(words string, more object) no { return no{"sendInvoice", g.invoice().with(more), words} }
	return []no{
		{"sendInvoice", object{"chat_id": sam}, `parameter "title" is required`},
		send("can't parse prices JSON object", object{"prices": "["}),
		send("expected an Array of labeled prices", object{"prices": "{}"}),
		send("there must be at least one price", object{"prices": "[]"}),
		send("can't parse labeled price: LabeledPrice must be an Object", object{"prices": "[7]"}),
		send("can't parse labeled price: LabeledPrice label must be non-empty", object{"prices": `[{"label":"","amount":5}]`}),
		send(`can't parse labeled price: Can't find field "amount"`, object{"prices": `[{"label":"a"}]`}),
		send("STARS_INVOICE_INVALID", object{"prices": `[{"label":"a","amount":5},{"label":"b","amount":5}]`}),
		send("STARS_INVOICE_INVALID", object{"provider_token": "x"}),
		send("PAYMENT_PROVIDER_INVALID", object{"currency": "USD"}),
		send("CURRENCY_INVALID", object{"currency": "DOLLAR", "provider_token": "x"}),
		send("CURRENCY_TOTAL_AMOUNT_INVALID", object{"prices": `[{"label":"a","amount":0}]`}),
		send("INVOICE_PAYLOAD_INVALID", object{"payload": strings.Repeat("x", 129)}),
		send("INVOICE_TITLE_INVALID", object{"title": strings.Repeat("x", 33)}),
		send("INVOICE_DESCRIPTION_INVALID", object{"description": strings.Repeat("x", 256)}),
		send("REPLY_MARKUP_BUY_EMPTY", object{"reply_markup": button("a", "b")}),
		send("chat not found", object{"chat_id": 999}),
		{"answerPreCheckoutQuery", object{"pre_checkout_query_id": g.checkout}, `parameter "error_message" is required`},
		{"answerPreCheckoutQuery", object{"pre_checkout_query_id": "9", "ok": true}, "query is too old and response timeout expired or query ID is invalid"},
		{"refundStarPayment", object{"telegram_payment_charge_id": g.charge}, "invalid user_id specified"},
		{"refundStarPayment", object{"user_id": sam}, `parameter "telegram_payment_charge_id" is required`},
		{"refundStarPayment", object{"user_id": lea, "telegram_payment_charge_id": g.charge}, "CHARGE_ID_INVALID"},
	}
}

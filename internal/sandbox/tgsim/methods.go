package tgsim

import (
	"maps"
	"net/http"
	"slices"
	"strings"
	"time"
	"unicode/utf8"
)

// method performs a call; s.mu is held.
type method func(*Server, params) (any, *failure)

// in is a method about a chat in which the bot may do what it wants of it.
func in(wanted access, do func(*Server, *chat, params) (any, *failure)) method {
	return func(s *Server, p params) (any, *failure) {
		c, no := s.reach(p, wanted)
		if no != nil {
			return nil, no
		}
		return do(s, c, p)
	}
}

// methods are what is emulated besides getUpdates, by name in lower case.
func methods() map[string]method {
	all := map[string]method{
		"getme":               func(s *Server, _ params) (any, *failure) { return s.views.meJSON(), nil },
		"getfile":             getFile,
		"setwebhook":          setWebhook,
		"deletewebhook":       deleteWebhook,
		"getwebhookinfo":      getWebhookInfo,
		"answercallbackquery": answerCallbackQuery,
	}
	for _, more := range []map[string]method{sendMethods(), editMethods(), chatMethods(), settingMethods(), paymentMethods(), inlineMethods()} {
		maps.Copy(all, more)
	}
	return all
}

// sendMethods post messages.
func sendMethods() map[string]method {
	return map[string]method{
		"sendmessage": sendMessage, "sendmessagedraft": sendMessageDraft, "sendchataction": sendChatAction,
		"sendphoto":      sendPhoto,
		"senddocument":   sendMedium(mediumOf("document")),
		"sendanimation":  sendMedium(mediumOf("animation")),
		"sendaudio":      sendMedium(mediumOf("audio")),
		"sendsticker":    sendMedium(mediumOf("sticker")),
		"sendvideo":      sendMedium(mediumOf("video")),
		"sendvideonote":  sendMedium(mediumOf("video_note")),
		"sendvoice":      sendMedium(mediumOf("voice")),
		"sendmediagroup": sendMediaGroup,
		"sendcontact":    sendContact, "senddice": sendDice, "sendlocation": sendLocation, "sendvenue": sendVenue, "sendpoll": sendPoll,
		"copymessage": copyMessage, "copymessages": copyMessages, "forwardmessage": forwardMessage, "forwardmessages": forwardMessages,
	}
}

// editMethods change messages that are there.
func editMethods() map[string]method {
	return map[string]method{
		"editmessagetext":        editMessageText,
		"editmessagecaption":     editMessageCaption,
		"editmessagemedia":       editMessageMedia,
		"editmessagereplymarkup": editMessageReplyMarkup,
		"deletemessage":          deleteMessage,
		"deletemessages":         deleteMessages,
		"setmessagereaction":     setMessageReaction,
		"stoppoll":               stopPoll,
		"pinchatmessage":         in(toManage, pinChatMessage),
		"unpinchatmessage":       in(toManage, unpinChatMessage),
		"unpinallchatmessages":   in(toManage, unpinAllChatMessages),
	}
}

// chatMethods are about groups and who is in them.
func chatMethods() map[string]method {
	all := map[string]method{
		"getchat": in(toRead, getChat), "getuserprofilephotos": getUserProfilePhotos, "getchatmember": getChatMember, "getchatadministrators": in(toReadMembers, getChatAdministrators),
		"getchatmembercount": in(toReadMembers, getChatMemberCount), "getchatmemberscount": in(toReadMembers, getChatMemberCount), "leavechat": in(toRead, leaveChat),
		"banchatmember": banChatMember, "kickchatmember": banChatMember, "unbanchatmember": unbanChatMember, "restrictchatmember": restrictChatMember,
		"promotechatmember": promoteChatMember, "setchatadministratorcustomtitle": in(toManage, setChatAdministratorCustomTitle),
		"setchatpermissions": setChatPermissions, "setchattitle": setChatTitle, "setchatdescription": setChatDescription,
		"exportchatinvitelink": exportChatInviteLink, "createchatinvitelink": createChatInviteLink, "editchatinvitelink": editChatInviteLink, "revokechatinvitelink": revokeChatInviteLink,
		"approvechatjoinrequest": approveChatJoinRequest, "declinechatjoinrequest": declineChatJoinRequest,
	}
	maps.Copy(all, topicMethods())
	return all
}

// call performs a method other than getUpdates.
func (s *Server) call(name string, p params) (any, *failure) {
	p.web = s.uploads.fetchAll(p) // before anything is locked: who has the files may ask something meanwhile
	s.mu.Lock()
	defer s.mu.Unlock()
	// Deferred last, so it runs before the lock is given back, which it needs.
	defer s.touch()
	var chat int64
	// values and not text: what the machinery reads must not count as a parameter with an effect (Log.overlook).
	if c := s.lookup(p.values.Get("chat_id")); c != nil {
		chat = c.id
	}
	if no := s.flood.check(name, chat, s.now()); no != nil {
		return nil, no
	}
	s.Log.complain(name, p)
	if do, emulated := s.methods[name]; emulated {
		if p.has("business_connection_id") {
			return nil, badRequest("business connection not found")
		}
		return do(s, p)
	}
	s.unsupported = append(s.unsupported, name)
	method, known := describedAPI().methods[name]
	switch {
	case !known:
		return nil, &failure{code: http.StatusNotFound, description: "Not Found: method not found"}
	case !s.options.Lenient:
		return nil, &failure{code: http.StatusNotImplemented, description: "Not Implemented: the sandbox does not emulate " + method.name}
	}
	return s.plausible(method, p), nil
}

// plausible is what a method that is not emulated answers: as little as its type demands.
func (s *Server) plausible(method shape, p params) any {
	c := s.lookup(p.text("chat_id"))
	return describedAPI().sample(method.kinds, func(t string) any {
		switch {
		case t == "User":
			return s.views.botJSON()
		case t == "Chat" && c != nil:
			return s.views.chatJSON(c)
		case t == "Message" && c != nil:
			return s.views.bareJSON(c, &Message{ID: s.messageID(c), FromBot: true, From: s.BotID(), Date: s.now()})
		}
		return nil
	})
}

// access is what a call wants of a chat. Who wants more wants the less as well.
type access uint8

// The order is compared: reachPerson asks for less than toEdit, and reachGroup for toRead and toWrite by themselves.
const (
	toRead access = iota
	toReadMembers
	toEdit
	toManage
	toWrite
)

// reach is the chat that a call names, if the bot may do there what it wants.
func (s *Server) reach(p params, wanted access) (*chat, *failure) {
	if !p.has("chat_id") {
		return nil, badRequest("chat_id is empty")
	}
	return s.reachNamed(p.text("chat_id"), wanted)
}

func (s *Server) reachNamed(name string, wanted access) (*chat, *failure) {
	c := s.lookup(name)
	if c == nil {
		return nil, badRequest("chat not found")
	}
	if c.id > 0 {
		return c, s.reachPerson(c, wanted)
	}
	return c, s.reachGroup(c, wanted)
}

func (s *Server) reachPerson(c *chat, wanted access) *failure {
	switch {
	case !c.started && !s.Directory.met(c.id):
		return badRequest("chat not found")
	case wanted < toEdit:
		return nil
	case s.users[c.id].deactivated:
		return forbidden("user is deactivated")
	case !c.started:
		return forbidden("bot can't initiate conversation with a user")
	case c.blocked:
		return forbidden("bot was blocked by the user")
	}
	return nil
}

func (s *Server) reachGroup(c *chat, wanted access) *failure {
	role := s.here(c)
	switch {
	case wanted == toRead && !c.supergroup():
		return nil
	case c.migrated != 0:
		no := badRequest("group chat was upgraded to a supergroup chat")
		no.migrated = c.migrated
		return no
	case role == Kicked:
		return forbidden("bot was kicked from the " + c.kind() + " chat")
	case role == Left:
		return forbidden("bot is not a member of the " + c.kind() + " chat")
	case wanted == toWrite && c.channel && !c.may(s.BotID(), "can_send_messages"):
		return badRequest("need administrator rights in the channel chat")
	}
	return nil
}

// here is what the bot is in a chat.
func (s *Server) here(c *chat) Role { return c.role(s.BotID()) }

// typingLife is how long a chat action is shown.
const typingLife = 5 * time.Second

func sendChatAction(s *Server, p params) (any, *failure) {
	actions := "typing upload_photo record_video upload_video record_voice upload_voice record_audio upload_audio upload_document choose_sticker find_location pick_up_location record_video_note upload_video_note cancel"
	if !slices.Contains(strings.Fields(actions), strings.ToLower(p.text("action"))) {
		return nil, badRequest("wrong parameter action in request")
	}
	c, no := s.reach(p, toWrite)
	if no != nil {
		return nil, no
	}
	if _, no := c.thread(p); no != nil {
		return nil, no
	}
	c.typing = s.now().Add(typingLife)
	if strings.EqualFold(p.text("action"), "cancel") {
		c.typing = time.Time{}
	}
	return true, nil
}

// answerCallbackQuery answers a tap, once. Every answer is counted.
func answerCallbackQuery(s *Server, p params) (any, *failure) {
	const gone = "query is too old and response timeout expired or query ID is invalid"
	i := slices.IndexFunc(s.callbacks, func(q *Callback) bool { return q.ID == p.text("callback_query_id") })
	if i < 0 || s.since(s.callbacks[i].At) > callbackLife {
		return nil, badRequest(gone)
	}
	if utf8.RuneCountInString(p.text("text")) > 200 {
		return nil, badRequest("MESSAGE_TOO_LONG")
	}
	q := s.callbacks[i]
	// Counted before the address is checked: an answer that is refused for its address has used the tap up.
	if q.Answers++; q.Answers > 1 {
		return nil, badRequest(gone)
	}
	if link := p.text("url"); link != "" && !strings.HasPrefix(link, "https://t.me/"+s.options.BotName+"?start=") && !strings.HasPrefix(link, "t.me/"+s.options.BotName+"?start=") {
		return nil, badRequest("URL_INVALID")
	}
	q.AnsweredAt, q.Text, q.Alert, q.URL = s.now(), p.text("text"), p.bool("show_alert"), p.text("url")
	return true, nil
}

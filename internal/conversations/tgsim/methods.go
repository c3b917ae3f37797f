package tgsim

import (
	_ "embed"
	"net/http"
	"slices"
	"strings"
	"time"
	"unicode/utf8"
)

// methodNames are all methods of the Bot API, one a line.
//
//go:embed methods.txt
var methodNames string

// method performs a call; s.mu is held.
type method func(*Server, params) (any, *failure)

// methods are what is emulated besides getUpdates, by name in lower case.
func methods() map[string]method {
	return map[string]method{
		"getme":                  func(s *Server, _ params) (any, *failure) { return s.meJSON(), nil },
		"sendmessage":            sendMessage,
		"senddocument":           sendDocument,
		"sendphoto":              sendPhoto,
		"sendchataction":         sendChatAction,
		"editmessagetext":        editMessageText,
		"editmessagecaption":     editMessageCaption,
		"editmessagereplymarkup": editMessageReplyMarkup,
		"deletemessage":          deleteMessage,
		"deletemessages":         deleteMessages,
		"answercallbackquery":    answerCallbackQuery,
		"getchat":                getChat,
		"getchatmember":          getChatMember,
		"getchatadministrators":  getChatAdministrators,
		"getchatmembercount":     getChatMemberCount,
		"leavechat":              leaveChat,
		"getfile":                getFile,
		"setwebhook":             setWebhook,
		"deletewebhook":          deleteWebhook,
		"getwebhookinfo":         getWebhookInfo,
		"setmycommands":          setMyCommands,
		"getmycommands":          getMyCommands,
		"deletemycommands":       deleteMyCommands,
		"setmydescription":       yes,
		"setmyshortdescription":  yes,
		"setchatmenubutton":      yes,
	}
}

func yes(*Server, params) (any, *failure) { return true, nil }

// call performs a method other than getUpdates.
func (s *Server) call(name string, p params) (any, *failure) {
	s.mu.Lock()
	defer s.mu.Unlock()
	defer s.touch()
	if no := s.flood.check(name, p.int("chat_id"), time.Now()); no != nil {
		return nil, no
	}
	if do, emulated := methods()[name]; emulated {
		return do(s, p)
	}
	s.unsupported = append(s.unsupported, name)
	if !slices.Contains(strings.Fields(strings.ToLower(methodNames)), name) {
		return nil, &failure{code: http.StatusNotFound, description: "Not Found: method not found"}
	}
	return true, nil
}

// access is what a call wants of a chat. Who wants more wants the less as well.
type access uint8

const (
	toRead access = iota
	toReadMembers
	toEdit
	toWrite
)

// reach is the chat that a call names, if the bot may do there what it wants.
func (s *Server) reach(p params, wanted access) (*chat, *failure) {
	if !p.has("chat_id") {
		return nil, badRequest("chat_id is empty")
	}
	c := s.chats[p.int("chat_id")]
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
	case !c.started && !s.met(c.id):
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
	}
	return nil
}

// here is what the bot is in a chat.
func (s *Server) here(c *chat) Role { return c.role(s.BotID()) }

func sendChatAction(s *Server, p params) (any, *failure) {
	actions := "typing upload_photo record_video upload_video record_voice upload_voice upload_document choose_sticker find_location record_video_note upload_video_note cancel"
	if !slices.Contains(strings.Fields(actions), strings.ToLower(p.text("action"))) {
		return nil, badRequest("wrong parameter action in request")
	}
	_, no := s.reach(p, toWrite)
	return true, no
}

func answerCallbackQuery(s *Server, p params) (any, *failure) {
	i := slices.IndexFunc(s.callbacks, func(q *Callback) bool { return q.ID == p.text("callback_query_id") })
	if i < 0 || time.Since(s.callbacks[i].At) > callbackLife {
		return nil, badRequest("query is too old and response timeout expired or query ID is invalid")
	}
	if utf8.RuneCountInString(p.text("text")) > 200 {
		return nil, badRequest("MESSAGE_TOO_LONG")
	}
	q := s.callbacks[i]
	q.Answers, q.AnsweredAt, q.Text, q.Alert = q.Answers+1, time.Now(), p.text("text"), p.bool("show_alert")
	return true, nil
}

package tgsim

import (
	"encoding/json"
	"fmt"
	"net/http"
	"reflect"
	"slices"
	"strings"
	"time"
	"unicode/utf8"
)

const (
	maxText    = 4096 // code points, after the markup is read
	maxCaption = 1024
)

// call performs a method other than getUpdates.
func (s *Server) call(method string, p params) (any, *failure) {
	s.mu.Lock()
	defer s.mu.Unlock()
	defer s.touch()
	do, known := methods()[method]
	if !known {
		s.unsupported = append(s.unsupported, method)
		return true, nil
	}
	return do(s, p)
}

// methods are what is emulated, by name in lower case.
func methods() map[string]func(*Server, params) (any, *failure) {
	return map[string]func(*Server, params) (any, *failure){
		"getme":                  func(s *Server, _ params) (any, *failure) { return s.botJSON(), nil },
		"sendmessage":            sendMessage,
		"senddocument":           sendDocument,
		"editmessagetext":        editMessageText,
		"editmessagereplymarkup": editMessageReplyMarkup,
		"deletemessage":          deleteMessage,
		"answercallbackquery":    answerCallbackQuery,
		"setmycommands":          setMyCommands,
		"getmycommands":          getMyCommands,
		"deletemycommands":       deleteMyCommands,
		"getchat":                getChat,
		"deletewebhook":          func(*Server, params) (any, *failure) { return true, nil },
		"getwebhookinfo": func(s *Server, _ params) (any, *failure) {
			return object{"url": "", "has_custom_certificate": false, "pending_update_count": len(s.updates)}, nil
		},
		"sendchataction":        func(s *Server, p params) (any, *failure) { _, no := s.target(p); return true, no },
		"setmydescription":      yes,
		"setmyshortdescription": yes,
		"setchatmenubutton":     yes,
	}
}

func yes(*Server, params) (any, *failure) { return true, nil }

// target is the chat that a call writes to, if the bot may.
func (s *Server) target(p params) (*chat, *failure) {
	if !p.has("chat_id") {
		return nil, badRequest("chat_id is empty")
	}
	c := s.chats[p.int("chat_id")]
	switch {
	case c == nil:
		return nil, badRequest("chat not found")
	case !c.started:
		return nil, &failure{code: http.StatusForbidden, description: "Forbidden: bot can't initiate conversation with a user"}
	case c.blocked:
		return nil, &failure{code: http.StatusForbidden, description: "Forbidden: bot was blocked by the user"}
	}
	return c, nil
}

// content reads the text of a message, or its caption, with its markup.
func content(p params, name string, most int, tooLong string) (string, []Entity, *failure) {
	text, entities, err := parseText(p.text(name), p.text("parse_mode"))
	if err != nil {
		return "", nil, badRequest(err.Error())
	}
	if utf8.RuneCountInString(text) > most {
		return "", nil, badRequest(tooLong)
	}
	return text, entities, nil
}

// keyboard reads an inline keyboard.
func keyboard(p params) ([][]Button, *failure) {
	if !p.has("reply_markup") {
		return nil, nil
	}
	var markup struct {
		Rows [][]Button `json:"inline_keyboard"`
	}
	if json.Unmarshal([]byte(p.text("reply_markup")), &markup) != nil {
		return nil, badRequest("can't parse reply keyboard markup JSON object")
	}
	for _, row := range markup.Rows {
		for i := range row {
			if no := checkButton(&row[i]); no != nil {
				return nil, no
			}
		}
	}
	return markup.Rows, nil
}

// checkButton refuses a button that Telegram refuses.
func checkButton(b *Button) *failure {
	if b.Copy != nil && b.Copy.Text == "" && (b.Data != "" || b.URL != "") {
		b.Copy = nil // an empty one beside another kind is passed over
	}
	switch {
	case b.Text == "":
		return badRequest("inline keyboard button text must be non-empty")
	case b.Data == "" && b.URL == "" && b.Copy == nil:
		return badRequest("can't parse inline keyboard button: Text buttons are unallowed in the inline keyboard")
	case len(b.Data) > 64:
		return badRequest("BUTTON_DATA_INVALID")
	case b.Copy != nil && (b.Copy.Text == "" || utf8.RuneCountInString(b.Copy.Text) > 256):
		return badRequest("BUTTON_COPY_TEXT_INVALID")
	}
	return nil
}

// post adds a message of the bot to a chat.
func (s *Server) post(c *chat, m *Message, p params) object {
	m.ID, m.FromBot, m.Date = s.messageID(), true, time.Now()
	var reply struct {
		MessageID int `json:"message_id"`
	}
	if json.Unmarshal([]byte(p.text("reply_parameters")), &reply) == nil {
		m.ReplyTo = reply.MessageID
	}
	c.messages = append(c.messages, m)
	return s.messageJSON(c, m)
}

func sendMessage(s *Server, p params) (any, *failure) {
	c, no := s.target(p)
	if no != nil {
		return nil, no
	}
	if !p.has("text") {
		return nil, badRequest("message text is empty")
	}
	text, entities, no := content(p, "text", maxText, "message is too long")
	if no != nil {
		return nil, no
	}
	if strings.TrimSpace(text) == "" {
		return nil, badRequest("text must be non-empty")
	}
	keys, no := keyboard(p)
	if no != nil {
		return nil, no
	}
	return s.post(c, &Message{Text: text, Entities: entities, Keyboard: keys}, p), nil
}

func sendDocument(s *Server, p params) (any, *failure) {
	c, no := s.target(p)
	if no != nil {
		return nil, no
	}
	text, entities, no := content(p, "caption", maxCaption, "message caption is too long")
	if no != nil {
		return nil, no
	}
	keys, no := keyboard(p)
	if no != nil {
		return nil, no
	}
	doc := p.files["document"]
	if name, ok := strings.CutPrefix(p.text("document"), "attach://"); ok {
		doc = p.files[name]
	}
	switch {
	case doc == nil:
		return nil, badRequest("there is no document in the request")
	case len(doc.Body) == 0:
		return nil, badRequest("file must be non-empty")
	}
	doc.ID = fmt.Sprintf("DOC%06d", len(s.files)+1)
	s.files[doc.ID] = doc
	return s.post(c, &Message{Text: text, Entities: entities, Keyboard: keys, Document: doc}, p), nil
}

// edited is the bot's message that a call changes.
func (s *Server) edited(p params) (*chat, *Message, *failure) {
	c, no := s.target(p)
	if no != nil {
		return nil, nil, no
	}
	if !p.has("message_id") {
		return nil, nil, badRequest("message identifier is not specified")
	}
	m := c.message(int(p.int("message_id")))
	switch {
	case m == nil || m.Deleted:
		return nil, nil, badRequest("message to edit not found")
	case !m.FromBot:
		return nil, nil, badRequest("message can't be edited")
	}
	return c, m, nil
}

// notModified is the answer to an edit that changes nothing.
const notModified = "message is not modified: specified new message content and reply markup are exactly the same as a current content and reply markup of the message"

// An edit without a keyboard removes the one that is there.
func editMessageText(s *Server, p params) (any, *failure) {
	c, m, no := s.edited(p)
	if no != nil {
		return nil, no
	}
	if m.Document != nil {
		return nil, badRequest("there is no text in the message to edit")
	}
	if !p.has("text") {
		return nil, badRequest("message text is empty")
	}
	text, entities, no := content(p, "text", maxText, "message is too long")
	if no != nil {
		return nil, no
	}
	keys, no := keyboard(p)
	if no != nil {
		return nil, no
	}
	if text == m.Text && reflect.DeepEqual(entities, m.Entities) && sameKeys(keys, m.Keyboard) {
		return nil, badRequest(notModified)
	}
	m.Text, m.Entities, m.Keyboard, m.Edited = text, entities, keys, true
	return s.messageJSON(c, m), nil
}

func editMessageReplyMarkup(s *Server, p params) (any, *failure) {
	c, m, no := s.edited(p)
	if no != nil {
		return nil, no
	}
	keys, no := keyboard(p)
	if no != nil {
		return nil, no
	}
	if sameKeys(keys, m.Keyboard) {
		return nil, badRequest(notModified)
	}
	m.Keyboard, m.Edited = keys, true
	return s.messageJSON(c, m), nil
}

// sameKeys compares keyboards; none and an empty one are the same.
func sameKeys(a, b [][]Button) bool {
	return len(a) == 0 && len(b) == 0 || reflect.DeepEqual(a, b)
}

func deleteMessage(s *Server, p params) (any, *failure) {
	c, no := s.target(p)
	if no != nil {
		return nil, no
	}
	m := c.message(int(p.int("message_id")))
	switch {
	case m == nil || m.Deleted:
		return nil, badRequest("message to delete not found")
	case time.Since(m.Date) > 48*time.Hour:
		return nil, badRequest("message can't be deleted for everyone")
	case c.id < 0 && !m.FromBot:
		return nil, badRequest("message can't be deleted") // the bot is no administrator
	}
	m.Deleted = true
	return true, nil
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

func setMyCommands(s *Server, p params) (any, *failure) {
	var list []Command
	if json.Unmarshal([]byte(p.text("commands")), &list) != nil {
		return nil, badRequest("can't parse commands: expected an Array")
	}
	s.commands[p.text("language_code")] = list
	return true, nil
}

func getMyCommands(s *Server, p params) (any, *failure) {
	return append([]Command{}, s.commands[p.text("language_code")]...), nil
}

func deleteMyCommands(s *Server, p params) (any, *failure) {
	delete(s.commands, p.text("language_code"))
	return true, nil
}

func getChat(s *Server, p params) (any, *failure) {
	c := s.chats[p.int("chat_id")]
	if c == nil {
		return nil, badRequest("chat not found")
	}
	return s.chatJSON(c), nil
}

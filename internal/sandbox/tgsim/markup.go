package tgsim

import (
	"cmp"
	"encoding/json"
	"errors"
	"slices"
	"unicode/utf8"
)

// Button is a key of an inline keyboard: one thing happens when it is tapped.
type Button struct {
	Text         string      `json:"text"`
	Icon         string      `json:"icon_custom_emoji_id,omitempty"`
	Style        string      `json:"style,omitempty"`
	URL          string      `json:"url,omitempty"`
	Data         string      `json:"callback_data,omitempty"`
	WebApp       *WebApp     `json:"web_app,omitempty"`
	Login        *Login      `json:"login_url,omitempty"`
	Switch       *string     `json:"switch_inline_query,omitempty"`              // begins an inline query in a chat that is then chosen
	SwitchHere   *string     `json:"switch_inline_query_current_chat,omitempty"` // begins it in the chat of the button
	SwitchChosen *SwitchChat `json:"switch_inline_query_chosen_chat,omitempty"`
	Copy         *CopyText   `json:"copy_text,omitempty"`
	Game         *struct{}   `json:"callback_game,omitempty"`
	Pay          bool        `json:"pay,omitempty"`
}

// CopyText is what a button copies.
type CopyText struct {
	Text string `json:"text"`
}

// WebApp is a page that a button opens inside Telegram.
type WebApp struct {
	URL string `json:"url"`
}

// Login is a page that a button opens with the person logged in.
type Login struct {
	URL         string `json:"url"`
	ForwardText string `json:"forward_text,omitempty"`
	BotUsername string `json:"bot_username,omitempty"`
	WriteAccess bool   `json:"request_write_access,omitempty"`
}

// SwitchChat says in which kinds of chats a button may begin an inline query.
type SwitchChat struct {
	Query    string `json:"query,omitempty"`
	Users    bool   `json:"allow_user_chats,omitempty"`
	Bots     bool   `json:"allow_bot_chats,omitempty"`
	Groups   bool   `json:"allow_group_chats,omitempty"`
	Channels bool   `json:"allow_channel_chats,omitempty"`
}

// markup is what a call says of keyboards: one of these, or nothing.
type markup struct {
	keys   [][]Button
	reply  *ReplyKeyboard
	remove bool // ends a reply keyboard
}

// fixed reports whether a message with it can never be edited.
func (m markup) fixed() bool { return m.reply != nil || m.remove }

// readMarkup reads reply_markup as far as its form goes.
func readMarkup(p params) (markup, *failure) {
	if !p.has("reply_markup") {
		return markup{}, nil
	}
	raw := []byte(p.text("reply_markup"))
	if !json.Valid(raw) {
		return markup{}, badRequest("can't parse reply keyboard markup JSON object")
	}
	return parseMarkup(raw)
}

func parseMarkup(raw []byte) (m markup, no *failure) {
	f := newFields(raw, "Object expected as reply markup")
	var keys [][]ReplyButton
	for _, row := range f.list("keyboard") {
		list, err := readRow(row, readReplyButton, "Field \"keyboard\" must be an Array of Arrays", "Can't parse keyboard button: ")
		if err != nil {
			return m, err
		}
		keys = append(keys, list)
	}
	for _, row := range f.list("inline_keyboard") {
		list, err := readRow(row, readButton, "Field \"inline_keyboard\" of the InlineKeyboardMarkup must be an Array of Arrays", "Can't parse inline keyboard button: ")
		if err != nil {
			return m, err
		}
		m.keys = append(m.keys, list)
	}
	switch {
	case len(keys) > 0:
		m.reply = &ReplyKeyboard{Rows: keys, OneTime: f.bool("one_time_keyboard"), Persistent: f.bool("is_persistent"), Placeholder: f.text("input_field_placeholder")}
		m.keys = nil
	case m.keys != nil:
	case f.bool("remove_keyboard") || f.bool("hide_keyboard"):
		m.remove = true
	case f.bool("force_reply"):
		m.reply = &ReplyKeyboard{Force: true, Placeholder: f.text("input_field_placeholder")}
	}
	if f.err != nil {
		return m, said("", f.err)
	}
	return m, nil
}

// readRow reads a row of keys.
func readRow[K any](row []byte, read func([]byte) (K, error), noRow, noKey string) ([]K, *failure) {
	var list []json.RawMessage
	if json.Unmarshal(row, &list) != nil {
		return nil, said("", errors.New(noRow))
	}
	var keys []K
	for _, raw := range list {
		k, err := read(raw)
		if err != nil {
			return nil, said(noKey, err)
		}
		keys = append(keys, k)
	}
	return keys, nil
}

// readButton reads a key of an inline keyboard. Of several kinds the real server takes the first in this
// order; an empty one of the first two is none.
func readButton(raw []byte) (b Button, err error) {
	f := newFields(raw, "InlineKeyboardButton must be an Object")
	b = Button{Text: f.needText("text"), Icon: f.text("icon_custom_emoji_id"), Style: f.text("style")}
	if !slices.Contains([]string{"", "danger", "success", "primary"}, b.Style) {
		f.failf("invalid button style specified")
	}
	switch url, data := f.text("url"), f.text("callback_data"); {
	case url != "":
		b.URL = cmp.Or(checkedLink(url), url)
	case data != "":
		b.Data = data
	default:
		b.readKind(f)
	}
	return b, f.err
}

// readKind reads what a button does that is neither a link nor a callback.
func (b *Button) readKind(f *fields) {
	query := func(name string) *string {
		text := f.needText(name)
		return &text
	}
	switch {
	case f.has("callback_game"):
		b.Game = &struct{}{}
	case f.has("pay"):
		b.Pay = true
	case f.has("switch_inline_query"):
		b.Switch = query("switch_inline_query")
	case f.has("switch_inline_query_chosen_chat"):
		chat := f.needObject("switch_inline_query_chosen_chat")
		b.SwitchChosen = &SwitchChat{Query: chat.text("query"), Users: chat.bool("allow_user_chats"), Bots: chat.bool("allow_bot_chats"), Groups: chat.bool("allow_group_chats"), Channels: chat.bool("allow_channel_chats")}
		f.done(chat)
	case f.has("switch_inline_query_current_chat"):
		b.SwitchHere = query("switch_inline_query_current_chat")
	case f.has("login_url"):
		login := f.needObject("login_url")
		b.Login = &Login{URL: login.needText("url"), ForwardText: login.text("forward_text"), BotUsername: login.text("bot_username"), WriteAccess: login.bool("request_write_access")}
		f.done(login)
	case f.has("web_app"):
		app := f.needObject("web_app")
		b.WebApp = &WebApp{URL: app.needText("url")}
		f.done(app)
	case f.has("copy_text"):
		text := f.needObject("copy_text")
		b.Copy = &CopyText{Text: text.needText("text")}
		f.done(text)
	default:
		f.failf("Text buttons are unallowed in the inline keyboard")
	}
}

// check refuses what Telegram refuses once it looks into the keys.
func (m markup) check(c *chat) *failure {
	if m.reply != nil {
		return m.reply.check(c)
	}
	return checkButtons(c, m.keys)
}

// checkButtons looks into the keys of an inline keyboard; c is nil where it goes into any chat.
func checkButtons(c *chat, rows [][]Button) *failure {
	buttons := slices.Concat(rows...)
	if len(buttons) > 100 {
		return badRequest("reply markup is too long")
	}
	for i, b := range buttons {
		switch {
		case b.Text == "":
			return badRequest("inline keyboard button text must be non-empty")
		case b.WebApp != nil && !secure(b.WebApp.URL):
			return badRequest("inline keyboard button Web App URL '" + b.WebApp.URL + "' is invalid: Only HTTPS links are allowed")
		case b.WebApp != nil && c != nil && c.id < 0, b.Pay && i > 0:
			return badRequest("BUTTON_TYPE_INVALID")
		case len(b.Data) > 64:
			return badRequest("BUTTON_DATA_INVALID")
		case b.URL != "" && checkedLink(b.URL) == "":
			return badRequest("inline keyboard button URL '" + b.URL + "' is invalid: " + linkTrouble(b.URL))
		case b.Copy != nil && (b.Copy.Text == "" || utf8.RuneCountInString(b.Copy.Text) > 256):
			return badRequest("BUTTON_COPY_TEXT_INVALID")
		}
	}
	return nil
}

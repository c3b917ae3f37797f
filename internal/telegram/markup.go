package telegram

import (
	"html"
	"regexp"

	"github.com/go-telegram/bot"
	"github.com/go-telegram/bot/models"

	"resellerbot/internal/screen"
)

// keyboard is an InlineKeyboardMarkup. The library's own type is not used: a button of it is larger, and holds what
// no screen has.
type keyboard struct {
	Rows [][]key `json:"inline_keyboard"`
}

// key is an InlineKeyboardButton.
type key struct {
	Text  string    `json:"text"`
	Data  string    `json:"callback_data,omitempty"`
	URL   string    `json:"url,omitempty"`
	Copy  *copyText `json:"copy_text,omitempty"`
	Style string    `json:"style,omitempty"` // since Bot API 9.4; servers skip the fields that they do not know
}

// copyText is a CopyTextButton.
type copyText struct {
	Text string `json:"text"`
}

// markup is a message's keyboard; nil where it has none, which in an edit removes the one that is there.
func markup(rows [][]screen.Button) models.ReplyMarkup {
	if len(rows) == 0 {
		return nil
	}
	k := keyboard{Rows: make([][]key, len(rows))}
	for i, row := range rows {
		k.Rows[i] = make([]key, len(row))
		for j, b := range row {
			k.Rows[i][j] = key{Text: b.Text, Data: b.Data, URL: b.URL, Style: string(b.Style)}
			if b.Copy != "" {
				k.Rows[i][j].Copy = &copyText{Text: b.Copy}
			}
		}
	}
	return k
}

// replyMarkup is what stands under a message, or in place of a person's own keyboard.
func replyMarkup(m screen.Message) models.ReplyMarkup {
	switch r := m.Replies; {
	case r == nil:
		return markup(m.Rows())
	case r.Pick == "":
		return models.ReplyKeyboardRemove{RemoveKeyboard: true}
	}
	pick := replyKey{Text: m.Replies.Pick, Users: &requestUsers{ID: m.Replies.Request, Most: 1, Name: true}}
	return replyKeyboard{Rows: [][]replyKey{{pick}, {{Text: m.Replies.Leave}}}, Resized: true, Once: true}
}

// replyKeyboard is a ReplyKeyboardMarkup.
type replyKeyboard struct {
	Rows    [][]replyKey `json:"keyboard"`
	Resized bool         `json:"resize_keyboard"`
	Once    bool         `json:"one_time_keyboard"`
}

// replyKey is a KeyboardButton. One that asks for people writes its text where a server, or a client, does not know that.
type replyKey struct {
	Text  string        `json:"text"`
	Users *requestUsers `json:"request_users,omitempty"` // since Bot API 7.0
}

// requestUsers is a KeyboardButtonRequestUsers. The library's own type cannot say that no bots are wanted.
type requestUsers struct {
	ID   int  `json:"request_id"`
	Bots bool `json:"user_is_bot"`
	Most int  `json:"max_quantity"`
	Name bool `json:"request_name"` // since 7.2
}

// noPreview keeps links from growing a preview.
func noPreview() *models.LinkPreviewOptions {
	return &models.LinkPreviewOptions{IsDisabled: bot.True()}
}

// plain is a message for which Telegram could not parse the markup, without any.
func plain(m screen.Message) screen.Message {
	m.HTML = html.UnescapeString(regexp.MustCompile(`<[^<>]*>`).ReplaceAllString(m.HTML, ""))
	return m
}

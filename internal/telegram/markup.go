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

// noPreview keeps links from growing a preview.
func noPreview() *models.LinkPreviewOptions {
	return &models.LinkPreviewOptions{IsDisabled: bot.True()}
}

// plain is a message for which Telegram could not parse the markup, without any.
func plain(m screen.Message) screen.Message {
	m.HTML = html.UnescapeString(regexp.MustCompile(`<[^<>]*>`).ReplaceAllString(m.HTML, ""))
	return m
}

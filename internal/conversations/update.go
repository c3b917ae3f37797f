package conversations

import (
	"encoding/json"

	"github.com/go-telegram/bot/models"
)

// update is an update of the Bot API (Update) with what flows work with, and nothing else: the library's own type has everything
// that one can hold, which costs several times as much to read, and to keep while it waits. It refuses an update as a whole for a
// part of a kind that it does not know, too, wherever that stands.
type update struct {
	Message       *message          `json:"message"`
	CallbackQuery *callback         `json:"callback_query"`
	MyChatMember  *membershipChange `json:"my_chat_member"`
}

// message is a Message.
type message struct {
	ID              int                 `json:"message_id"`
	MessageThreadID int                 `json:"message_thread_id"`
	IsTopicMessage  bool                `json:"is_topic_message"`
	From            *models.User        `json:"from"`
	SenderChat      *origin             `json:"sender_chat"`
	Chat            models.Chat         `json:"chat"`
	Date            int                 `json:"date"` // 0 of one under a button that is inaccessible by now
	ForwardOrigin   *struct{}           `json:"forward_origin"`
	ReplyToMessage  *repliedTo          `json:"reply_to_message"`
	Text            string              `json:"text"`
	Caption         string              `json:"caption"`
	Document        *models.Document    `json:"document"`
	Photo           []models.PhotoSize  `json:"photo"`
	Contact         *models.Contact     `json:"contact"`
	UsersShared     *models.UsersShared `json:"users_shared"`
	MigrateToChatID int64               `json:"migrate_to_chat_id"`
}

// origin is the Chat in whose name a message was written.
type origin struct {
	ID int64 `json:"id"`
}

// repliedTo is the Message that another one answers.
type repliedTo struct {
	ID int `json:"message_id"`
}

// callback is a CallbackQuery.
type callback struct {
	ID      string      `json:"id"`
	From    models.User `json:"from"`
	Message *message    `json:"message"` // under which the button stands; nil for one of an inline message
	Data    string      `json:"data"`
}

// membershipChange is a ChatMemberUpdated: what has become of the bot in a chat.
type membershipChange struct {
	Chat          models.Chat `json:"chat"`
	From          models.User `json:"from"`
	OldChatMember chatMember  `json:"old_chat_member"`
	NewChatMember chatMember  `json:"new_chat_member"`
}

// chatMember is a ChatMember.
type chatMember struct {
	Status          models.ChatMemberType `json:"status"`
	CanManageTopics bool                  `json:"can_manage_topics"` // of an administrator
}

// tappedText is what stands on the button that an update is a tap on; empty where its message does not have it any more. It is read of
// the update as it came: no flow asks for it, and keyboards are most of what a tap brings along. shown is false where the
// message does not come along, as of one that is deleted or too old.
func tappedText(raw []byte) (text string, shown bool) {
	var u struct {
		Query struct {
			Data    string `json:"data"`
			Message struct {
				Date   int `json:"date"`
				Markup struct {
					Rows [][]struct {
						Text string `json:"text"`
						Data string `json:"callback_data"`
					} `json:"inline_keyboard"`
				} `json:"reply_markup"`
			} `json:"message"`
		} `json:"callback_query"`
	}
	if json.Unmarshal(raw, &u) != nil || u.Query.Message.Date == 0 {
		return "", false
	}
	for _, row := range u.Query.Message.Markup.Rows {
		for _, key := range row {
			if key.Data == u.Query.Data {
				return key.Text, true
			}
		}
	}
	return "", true
}

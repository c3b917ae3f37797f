package app

import (
	"time"

	"resellerbot/internal/conversations"
	"resellerbot/internal/telegram"
)

// access is who may use the bot, and how often one person is listened to. Nobody who taps and types meets these
// limits; a script does.
func (a *app) access() conversations.Access {
	if a.cfg.InviteOnly && a.cfg.Operator == 0 {
		a.log.Warn("ACCESS is invite and OWNER_CHAT_ID is not set: nobody can let anybody in")
	}
	telegram := telegram.Replier{Sender: a.sender}
	return conversations.Access{
		InviteOnly: a.cfg.InviteOnly, Operator: a.cfg.Operator, Leave: telegram.Leave, IsMember: telegram.IsMember, Ranks: telegram.Ranks,
		Members:   conversations.Pace{Burst: 30, Every: time.Second}, // which is what Telegram takes in answer
		Strangers: conversations.Pace{Burst: 20, Every: 6 * time.Second},
		Steps:     conversations.Pace{Burst: 50, Every: time.Second / 5},
		Outsiders: conversations.Pace{Burst: 5, Every: 12 * time.Second},
	}
}

package telegram

import (
	"context"
	"time"

	"github.com/go-telegram/bot"
	"github.com/go-telegram/bot/models"

	"resellerbot/internal/screen"
)

const menuTime = 20 * time.Second // for a call

// MenuPlace is whose menu of commands a call is about: that of one private chat, or of all chats of a kind whose people
// have a language. What a chat has of its own, whatever its people's language, is shown before what all have.
type MenuPlace struct {
	Chat     int64  // 0 for all chats
	Groups   bool   // all groups; else all private chats
	Language string // of the people, as Telegram knows it; "" for all others
}

// scope is the place as Telegram calls it.
func (p MenuPlace) scope() models.BotCommandScope {
	switch {
	case p.Chat != 0:
		return &models.BotCommandScopeChat{ChatID: p.Chat}
	case p.Groups:
		return &models.BotCommandScopeAllGroupChats{}
	}
	return &models.BotCommandScopeAllPrivateChats{}
}

// SetMenu sets a menu of commands (setMyCommands), or takes it away where there are none (deleteMyCommands). Doing it
// twice is the same as once. It waits for nobody and nobody waits for it: a 429 is about menus alone, and the caller's to
// obey.
func (s *Sender) SetMenu(ctx context.Context, at MenuPlace, commands []screen.Command) error {
	ctx, cancel := context.WithTimeout(ctx, menuTime)
	defer cancel()
	if len(commands) == 0 {
		_, err := s.bot.DeleteMyCommands(ctx, &bot.DeleteMyCommandsParams{Scope: at.scope(), LanguageCode: at.Language})
		return failure("deleteMyCommands", err)
	}
	list := make([]models.BotCommand, len(commands))
	for i, c := range commands {
		list[i] = models.BotCommand{Command: c.Name, Description: c.Description}
	}
	_, err := s.bot.SetMyCommands(ctx, &bot.SetMyCommandsParams{Commands: list, Scope: at.scope(), LanguageCode: at.Language})
	return failure("setMyCommands", err)
}

// Idle reports whether nothing but cleanups waits for its turn, and Telegram has not asked everybody to wait.
func (s *Sender) Idle() bool { return s.budget.idle() }

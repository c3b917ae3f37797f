package telegram

import (
	"context"

	"github.com/go-telegram/bot"
	"github.com/go-telegram/bot/models"
)

// How much somebody may in a group, as Ranks tells it.
const (
	RankMember = iota
	RankAdministrator
	RankCreator
)

// IsMember reports whether somebody is in a group (getChatMember). Telegram answers for certain where the bot is an
// administrator; elsewhere it may refuse, which is an error.
func (s *Sender) IsMember(ctx context.Context, group, user int64, why Purpose) (in bool, err error) {
	err = s.call(ctx, why.to(group), call{method: "getChatMember", repeatable: true, do: func(ctx context.Context) error {
		m, err := s.bot.GetChatMember(ctx, &bot.GetChatMemberParams{ChatID: group, UserID: user})
		if err != nil {
			return err
		}
		switch m.Type {
		case models.ChatMemberTypeLeft, models.ChatMemberTypeBanned:
		case models.ChatMemberTypeRestricted:
			// Restricted says what somebody may do, and not whether they are there.
			in = m.Restricted != nil && m.Restricted.IsMember
		default:
			in = true
		}
		return nil
	}})
	return in, err
}

// Ranks tells how much some people may in a group, in their order (getChatAdministrators). Whoever is no
// administrator counts as a member.
func (s *Sender) Ranks(ctx context.Context, group int64, why Purpose, users ...int64) ([]int, error) {
	ranks := make([]int, len(users))
	err := s.call(ctx, why.to(group), call{method: "getChatAdministrators", repeatable: true, do: func(ctx context.Context) error {
		list, err := s.bot.GetChatAdministrators(ctx, &bot.GetChatAdministratorsParams{ChatID: group})
		if err != nil {
			return err
		}
		for _, m := range list {
			for i, user := range users {
				switch {
				case m.Owner != nil && m.Owner.User != nil && m.Owner.User.ID == user:
					ranks[i] = RankCreator
				case m.Administrator != nil && m.Administrator.User.ID == user:
					ranks[i] = RankAdministrator
				}
			}
		}
		return nil
	}})
	return ranks, err
}

package app

import (
	"cmp"
	"context"
	"sync/atomic"

	"resellerbot/internal/screen"
	"resellerbot/internal/telegram"
	"resellerbot/locales"
)

// botName is the bot's user name, known once Telegram has answered.
type botName struct{ name atomic.Pointer[string] }

func (b *botName) get() string {
	if s := b.name.Load(); s != nil {
		return *s
	}
	return ""
}

// introduce asks Telegram who the bot is, until it answers, and sets up what people see of it.
func (a *app) introduce(ctx context.Context) error {
	i := telegram.Introduction{Bot: a.telegram, Log: a.log, Commands: a.commands}
	name, err := i.Name(ctx)
	if err != nil || ctx.Err() != nil {
		return err
	}
	a.name.name.Store(&name)
	i.SetCommands(ctx, locales.Languages())
	return nil
}

// commands are those of the menu in a language.
func (a *app) commands(lang string) []screen.Command {
	p, _ := a.screens.For(cmp.Or(lang, a.cfg.Language))
	return p.Commands()
}

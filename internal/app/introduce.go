package app

import (
	"cmp"
	"context"

	"resellerbot/internal/screen"
	"resellerbot/internal/store"
	"resellerbot/internal/telegram"
)

// botName is the bot's user name, known once Telegram has answered.
type botName struct {
	name  string
	known chan struct{} // closed once it is
}

func newBotName() *botName { return &botName{known: make(chan struct{})} }

// set is called once.
func (b *botName) set(name string) {
	// Before the close, which is what makes it seen: readers look at the name only behind known.
	b.name = name
	close(b.known)
}

// get is the name, or "" while it is not known.
func (b *botName) get() string {
	select {
	case <-b.known:
		return b.name
	default:
		return ""
	}
}

// wait is the name as soon as it is known.
func (b *botName) wait(ctx context.Context) (string, error) {
	select {
	case <-b.known:
		return b.name, nil
	case <-ctx.Done():
		return "", context.Cause(ctx)
	}
}

// introduce asks Telegram who the bot is, until it answers.
func (a *app) introduce(ctx context.Context) error {
	name, err := telegram.Introduction{Bot: a.telegram, Log: a.log}.Name(ctx)
	if err != nil || ctx.Err() != nil {
		return err
	}
	a.name.set(name)
	return nil
}

// commands are those that a role is offered in a language.
func (a *app) commands(lang string, role store.Role, group, several bool) []screen.Command {
	p, _ := a.screens.For(cmp.Or(lang, a.cfg.Language))
	return p.Home().Commands(role, group, several)
}

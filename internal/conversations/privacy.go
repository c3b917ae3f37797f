package conversations

import (
	"context"
	"fmt"

	"resellerbot/internal/screen"
	"resellerbot/internal/store"
)

// privacy is /privacy: what is kept, why, and for how long.
func (t *turn) privacy() error {
	t.leave()
	return t.say(t.scr.Privacy())
}

// forget is /forget: what is kept about the person goes, beside records of money, once that is surely meant and
// nothing of theirs is open.
func (t *turn) forget(sure bool) error {
	if !t.private {
		return t.say(t.scr.ForgetInPrivate())
	}
	t.leave()
	if t.chat.Account != "" {
		return t.say(t.scr.ForgetLinked(t.shop.Name))
	}
	open, account, err := t.cfg.Store.OpenFor(t.ctx, t.userID)
	switch {
	case err != nil:
		return fmt.Errorf("look for open money: %w", err)
	case open != "":
		return t.say(t.scr.ForgetOpen(store.Ref(open)))
	case account != "":
		return t.say(t.scr.ForgetRefund(account))
	case !sure:
		return t.say(t.scr.ForgetAsk())
	}
	if err := t.cfg.Store.Forget(t.ctx, t.userID); err != nil {
		return fmt.Errorf("forget a person: %w", err)
	}
	t.cfg.Log.Info("somebody was forgotten, as they wished")
	return t.say(t.scr.Forgotten())
}

// aboutThemselves reports whether somebody whom nobody has let in asks what is kept about them, or to be forgotten. That
// is everybody's right: of whom something is kept passes the gate, others are answered without noting anything.
func (b *Bot) aboutThemselves(ctx context.Context, a *arrival, v visitor, c store.Chat) (pass, answered bool) {
	if v.chat < 0 {
		return false, false
	}
	name, _, _ := command(v.text, b.cfg.BotName())
	if q := a.update.CallbackQuery; q != nil {
		if action, ok := screen.ParseAction(q.Data); ok {
			name = string(action.Verb)
		}
	}
	switch {
	case name != "privacy" && name != "forget":
		return false, false
	case c.ID != 0:
		return true, false
	case v.query != "":
		return false, false
	}
	scr := b.printerFor(v, c)
	if name == "privacy" {
		b.reply(ctx, v.chat, scr.Privacy())
	} else {
		b.reply(ctx, v.chat, scr.ForgetNothing())
	}
	return false, true
}

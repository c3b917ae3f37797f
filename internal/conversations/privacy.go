package conversations

import (
	"fmt"

	"resellerbot/internal/store"
)

// privacy is /privacy: what is kept, why, and for how long.
func (t homeFlow) privacy() error {
	t.leave()
	return t.say(t.scr.Privacy().Page())
}

// forget is /forget: what is kept about the person goes, beside records of money, once that is surely meant and
// nothing of theirs is open.
func (t homeFlow) forget(sure bool) error {
	if !t.private {
		return t.say(t.scr.Privacy().ForgetInPrivate())
	}
	t.leave()
	if t.chat.Account != "" {
		return t.say(t.scr.Privacy().ForgetLinked(t.shop.Called()))
	}
	// Before the question, and once more behind its yes: something may have been bought in between.
	open, account, err := t.cfg.Store.OpenFor(t.ctx, t.userID)
	switch {
	case err != nil:
		return fmt.Errorf("look for open money: %w", err)
	case open != "":
		return t.say(t.scr.Privacy().ForgetOpen(store.Ref(open)))
	case account != "":
		return t.say(t.scr.Privacy().ForgetRefund(account))
	case !sure:
		return t.say(t.scr.Privacy().ForgetAsk())
	}
	if err := t.cfg.Store.Forget(t.ctx, t.userID); err != nil {
		return fmt.Errorf("forget a person: %w", err)
	}
	// Neither the chat nor the person is named: a log is kept for longer than what was just removed.
	t.cfg.Log.Info("somebody was forgotten, as they wished")
	return t.say(t.scr.Privacy().Forgotten())
}

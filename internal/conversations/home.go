package conversations

import (
	"resellerbot/internal/conversations/screen"
	"resellerbot/internal/store"
)

// start is /start and the home button: who is linked, what they have, where to go.
func (t *turn) start() error {
	t.leave()
	if t.chat.Account == "" {
		return t.say(t.scr.Welcome(t.name, nil))
	}
	a, service, ok, err := t.account()
	if err != nil || !ok {
		return err
	}
	t.ack("")
	return t.say(t.scr.Welcome(t.name, &screen.AccountView{Name: a.Name, Balance: t.balanceView(service), Waiting: a.Open}))
}

// balanceView is the account's balance as far as it can be had now: a screen does not fail for it.
func (t *turn) balanceView(s Service) screen.BalanceView {
	b, err := s.Balance(t.ctx, balanceAge)
	if err != nil {
		return screen.BalanceView{}
	}
	return screen.BalanceView{Amount: b.Balance, Available: b.Available, Known: true}
}

// help is /help.
func (t *turn) help() error { return t.say(t.scr.Help(t.chat.Account != "")) }

// balance is /balance.
func (t *turn) balance() error {
	a, service, ok, err := t.account()
	if err != nil || !ok {
		return err
	}
	t.ack("")
	b, err := service.Balance(t.ctx, 0)
	if err != nil {
		return t.failed(err)
	}
	return t.say(t.scr.Balance(b, a.Name, now()))
}

// languages is /language.
func (t *turn) languages() error { return t.say(t.scr.Languages(t.chat.Language)) }

// language takes the language that was chosen.
func (t *turn) language(code string) error {
	scr, known := t.cfg.Screens.For(code)
	if !known {
		return t.stale()
	}
	err := t.changeChat(t.ctx, &t.chat, func(c *store.Chat) { c.Language, c.Chosen = code, true })
	if err != nil {
		return err
	}
	t.scr = scr
	return t.say(t.scr.LanguageSet())
}

// cancelAll is /cancel and ✖️: whatever question is open is closed.
func (t *turn) cancelAll() error {
	open := t.session.Flow != ""
	if err := t.dropDraft(); err != nil {
		return err
	}
	t.leave()
	if !open && t.query == "" {
		return t.say(t.scr.NothingToCancel())
	}
	return t.say(t.scr.Cancelled())
}

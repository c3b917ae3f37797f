package conversations

import (
	"cmp"
	"errors"
	"fmt"
	"strings"
	"time"

	"resellerbot/internal/api"
	"resellerbot/internal/api/dzd"
	"resellerbot/internal/purchase"
	"resellerbot/internal/screen"
	"resellerbot/internal/store"
)

const (
	stockAge      = 30 * time.Second
	historyAge    = 30 * time.Second
	mostMovements = 20
)

// startWith is /start, with what the link that led here has brought along: an invitation into a team, or the wish
// to have deliveries sent to a group.
func (t homeFlow) startWith(rest string) error {
	switch {
	case rest != "" && t.private:
		return teamFlow(t).join(rest)
	case rest == placePayload:
		return placeFlow(t).placeHere(false)
	}
	if no, err := t.refuseBelow(store.NoRole); no || err != nil {
		return err
	}
	return t.start()
}

// start is /start and the home button: who is linked, what they have, where to go.
func (t homeFlow) start() error {
	t.closeKeyQuestion()
	t.leave()
	switch {
	case t.chat.Account == "" && !t.private:
		return t.say(t.scr.Places().Welcome())
	case t.chat.Account == "" && wasIn(t.chat):
		return t.say(t.scr.Home().WelcomeBack(t.name))
	case t.chat.Account == "":
		return t.say(t.scr.Home().Welcome(t.name, nil))
	}
	a, service, ok, err := t.account()
	if err != nil || !ok {
		return err
	}
	defer t.ackFirst()()
	view, err := t.cockpit(a)
	if err != nil {
		return err
	}
	if t.private && len(t.chat.Others) > 0 {
		all, err := accountFlow(t).choices()
		if err != nil {
			return err
		}
		// The first of them is the active one.
		view.Others = all[1:]
	}
	if t.private && t.role == store.Owner {
		// Only the owner's private chat shows money; where the service is silent, the bot's own last knowledge stands in.
		if view.Balance = t.balanceRead(service); !view.Balance.Known {
			view.Balance, view.Stale = lastBalance(a), true
		}
	}
	return t.say(t.scr.Home().Welcome(t.name, &view))
}

// books shows the ways to what a shop writes down beside what it buys.
func (t homeFlow) books() error {
	t.leave()
	a, _, ok, err := t.account()
	if err != nil || !ok {
		return err
	}
	own, err := t.cfg.Store.Prices(t.ctx, a.ID)
	if err != nil {
		return err
	}
	return t.say(t.scr.Home().Books(t.role, own.Rules.Any()))
}

// left is what a seller may still spend today without asking; nil where there is no limit.
func (t homeFlow) left(a store.Account) *dzd.Amount {
	m, _ := a.Member(t.userID)
	if m.Role != store.Seller || m.PerDay == nil {
		return nil
	}
	left := m.PerDay.Sub(m.SpentOn(t.cfg.Purchases.Day(now())))
	if left.Sign() < 0 {
		left = dzd.Amount{}
	}
	return &left
}

// balanceRead is what can be spent, read half a minute ago at most; unknown where it cannot be read.
func (t *turn) balanceRead(s Service) screen.BalanceView {
	b, err := s.Balance(t.ctx, balanceAge)
	if err != nil {
		return screen.BalanceView{}
	}
	return screen.BalanceOf(b, purchase.Lacks(t.shop.Wallet, b.Available, now()))
}

// help is /help.
func (t homeFlow) help() error {
	if t.chat.Account == "" && t.private && wasIn(t.chat) {
		return t.say(t.scr.Home().HelpBack())
	}
	return t.say(t.scr.Home().Help(t.chat.Account != "", t.role, !t.private, len(t.chat.Others) > 0))
}

// balance is /balance: the wallet, and whose it is as far as the service tells.
func (t homeFlow) balance() error {
	a, service, ok, err := t.account()
	if err != nil || !ok {
		return err
	}
	defer t.ackFirst()()
	b, err := patiently(t.ctx, func() (api.Balance, error) { return service.Balance(t.ctx, 0) })
	last, class := lastBalance(a), api.ClassOf(err)
	// A key that is refused, or an address that is blocked, is told beside the last reading, and not in its place.
	if (isPassing(err) || class == api.Unauthorized || class == api.IPBlocked) && last.Known {
		t.cfg.Log.Warn("the last reading of a balance is shown", "update", t.update, "chat", t.chatID, "read", a.Wallet.At, "err", err)
		return t.say(t.scr.Account().LastBalance(last, err))
	}
	if err != nil {
		return t.failed(err)
	}
	who, err := service.Account(t.ctx)
	if err != nil {
		who = api.Account{UserID: a.UserID} // the balance is there all the same
	}
	who.Name = cmp.Or(strings.TrimSpace(who.Name), a.Called())
	return t.say(t.scr.Account().Balance(b, who, purchase.Lacks(a.Wallet, b.Available, now()), now()))
}

// movements lists what has changed the balance, as far as the bot has seen it.
func (t homeFlow) movements() error {
	a, _, ok, err := t.account()
	if err != nil || !ok {
		return err
	}
	list, err := t.cfg.Store.Movements(t.ctx, a.ID, mostMovements)
	if err != nil {
		return err
	}
	moved := make([]screen.Moved, len(list))
	for i, m := range list {
		moved[i].Movement = m
		if m.Purchase == "" {
			continue
		}
		p, err := t.cfg.Store.Purchase(t.ctx, m.Purchase)
		switch {
		case err == nil:
			moved[i].Of = &p
		case !errors.Is(err, store.ErrNotFound):
			return fmt.Errorf("read the purchase of a movement: %w", err)
		}
	}
	lacking, unaccounted := purchase.Unlisted(a.Wallet, now())
	return t.say(t.scr.Account().Movements(moved, screen.Unlisted{Lacking: lacking, Unaccounted: unaccounted, Undecided: purchase.Undecided(a.Wallet)}))
}

// stock is /stock: the account's allocations.
func (t homeFlow) stock() error {
	return withService(t.turn, func(s Service) ([]api.StockEntry, error) {
		return patiently(t.ctx, func() ([]api.StockEntry, error) { return s.Stock(t.ctx, stockAge) })
	},
		func(list []api.StockEntry) error { return t.say(t.scr.Account().Stock(list, now())) })
}

// withService reads something of the service and shows it, or tells why it cannot be read.
func withService[T any](t *turn, read func(Service) (T, error), show func(T) error) error {
	_, service, ok, err := t.account()
	if err != nil || !ok {
		return err
	}
	// stop before show: the ack that comes by itself reads the turn, which what follows may change.
	stop := t.ackSoon()
	v, err := read(service)
	stop()
	if err != nil {
		return t.failed(err)
	}
	return show(v)
}

// languages is /language.
func (t homeFlow) languages() error { return t.say(t.scr.Home().Languages(t.chat.Language)) }

// language takes the language that was chosen.
func (t homeFlow) language(code string) error {
	if _, known := t.cfg.Screens.For(code); !known {
		return t.stale()
	}
	err := t.changeChat(t.ctx, &t.chat, func(c *store.Chat) { c.Language, c.Chosen = code, true })
	if err != nil {
		return err
	}
	t.setPrinters()
	return t.say(t.scr.Home().LanguageSet())
}

// cancelAll is /cancel and ✖️: whatever question is open is closed.
func (t homeFlow) cancelAll() error {
	// Asked before leave closes it.
	open := t.session.Flow != ""
	dropped, err := buyFlow(t).dropDraft()
	if err != nil {
		return err
	}
	left, err := t.cfg.Purchases.LeaveLists(t.ctx, t.chatID, t.userID)
	if err != nil {
		return err
	}
	t.leave()
	switch {
	case dropped, left:
		return t.say(t.scr.Home().Cancelled())
	case !open && t.query == "":
		return t.say(t.scr.Home().NothingToCancel())
	}
	return t.say(t.scr.Home().Left())
}

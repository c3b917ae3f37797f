package conversations

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/go-telegram/bot/models"

	"resellerbot/internal/api"
	"resellerbot/internal/orderline"
	"resellerbot/internal/purchase"
	"resellerbot/internal/screen"
	"resellerbot/internal/store"
	"resellerbot/internal/telegram"
)

const (
	mostFile     = 1 << 20          // bytes of a list; fifty lines are far less, and thousands have to be counted
	fetchTime    = 20 * time.Second // for such a file
	mostIntact   = 10               // refused purchases that are looked at for one tap
	mostLineText = 200              // characters of a line that are kept
)

// pasted takes several lines for a list of orders.
func (t listFlow) pasted(text string) error {
	l, err := orderline.ReadList(text)
	if many, ok := errors.AsType[*orderline.TooManyError](err); ok {
		return t.say(t.scr.Lists().TooMany(many.Lines, orderline.MostLines))
	}
	if err != nil {
		return err
	}
	if len(l.Lines) == 1 { // it was one all along, with a head or an item above it
		return buyFlow(t).searchLines(l.Order(0))
	}
	return t.withCatalogue(func(all []api.Product) error {
		r, err := t.lineReader(all)
		if err != nil || r == nil {
			return err
		}
		return t.draft(r.lines(l))
	})
}

// file takes a file for a list of orders.
func (t listFlow) file(d *models.Document) error {
	if d.FileSize > mostFile {
		return t.say(t.scr.Lists().TooBig())
	}
	ctx, cancel := context.WithTimeout(t.ctx, fetchTime)
	defer cancel()
	body, err := t.cfg.Messenger.Download(ctx, d.FileID, mostFile)
	switch {
	case errors.Is(err, telegram.ErrTooBig):
		return t.say(t.scr.Lists().TooBig())
	// Where the turn itself is over, the error is returned, and the update is tried again.
	case err != nil && t.ctx.Err() == nil:
		t.cfg.Log.Warn("a file cannot be fetched", "update", t.update, "chat", t.chatID, "err", err)
		return t.say(t.scr.Lists().NotFetched())
	case err != nil:
		return err
	}
	text, err := orderline.Decode(body)
	if err != nil {
		return t.say(t.scr.Lists().NoText())
	}
	if strings.TrimSpace(text) == "" {
		return t.say(t.scr.Lists().Nothing())
	}
	return t.pasted(text)
}

// draft shows the card of a list that was read, if there is anything to buy in it.
func (t listFlow) draft(lines []store.ListLine) error {
	if !slices.ContainsFunc(lines, func(line store.ListLine) bool { return line.Quantity > 0 }) {
		return t.say(t.scr.Lists().Nothing())
	}
	t.leave()
	l, err := t.cfg.Purchases.DraftList(t.ctx, purchase.ListDraft{
		Account: t.shop.ID, Chat: t.chatID, User: t.userID, Buyer: t.name, Update: t.update, Thread: t.thread, Lines: lines,
	})
	if err != nil {
		return err
	}
	message, err := t.show(t.scr.Lists().Card(screen.ListView{List: l, Locked: t.shop.Locked}))
	if err != nil {
		return err
	}
	return t.cfg.Purchases.ListShown(t.ctx, l.ID, message)
}

// view is a list with what was bought by it.
func (t listFlow) view(l store.List) (screen.ListView, error) {
	v := screen.ListView{List: l, Bought: map[string]screen.Bought{}}
	for _, id := range l.Purchases() {
		p, err := t.cfg.Store.Purchase(t.ctx, id)
		if err != nil {
			return v, err
		}
		orders, err := t.cfg.Store.OrdersOf(t.ctx, p)
		if err != nil {
			return v, err
		}
		v.Bought[id] = screen.Bought{Purchase: p, Orders: orders}
	}
	a, err := t.cfg.Store.Account(t.ctx, l.Account)
	if err == nil {
		v.Behind, err = t.cfg.Store.HeldBy(t.ctx, a)
	}
	return v, ignoreMissing(err)
}

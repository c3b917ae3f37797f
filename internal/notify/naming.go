package notify

import (
	"cmp"
	"context"
	"fmt"

	"resellerbot/internal/screen"
	"resellerbot/internal/store"
)

// naming has a message name the account that it is of.
type naming func(screen.Message) screen.Message

// namingOf is how messages of an account are named in a chat: for somebody who has several, and where what they have bought for an
// account comes that is not theirs any more, while another one is. Else they stay as they are.
func (d *Deliverer) namingOf(ctx context.Context, v *delivery) (naming, error) {
	home := v.home
	account, err := d.accountOf(ctx, v)
	if err != nil {
		return nil, err
	}
	// Bought for an account that the buyer has left, while another one is active: without its name, the code would seem to be of that one.
	own := v.row.Purchase != "" && v.purchase.Chat == home.ID || v.list != nil && v.list.Chat == home.ID
	left := own && home.Account != "" && !home.Has(account)
	lang := cmp.Or(home.Language, d.cfg.Language)
	switch {
	case home.ID < 0 || account == "":
		return func(m screen.Message) screen.Message { return m }, nil
	// Whoever has one account may have another one by the time that they tap: the buttons know whose they are.
	case !left && (len(home.Others) == 0 || !home.Has(account)):
		return func(m screen.Message) screen.Message { return d.cfg.Named(lang, account, "", m) }, nil
	}
	names, err := d.cfg.Store.AccountNames(ctx, append(home.Accounts(), account)...)
	if err != nil {
		return nil, fmt.Errorf("read what accounts are called: %w", err)
	}
	return func(m screen.Message) screen.Message { return d.cfg.Named(lang, account, names[account], m) }, nil
}

// accountOf is the account that a row is about; "" for none.
func (d *Deliverer) accountOf(ctx context.Context, v *delivery) (string, error) {
	account, id := cmp.Or(v.purchase.Account, v.row.About()), v.row.Args["purchase"]
	if account != "" || id == "" {
		return account, nil
	}
	p, err := d.cfg.Store.Purchase(ctx, id) // a note about one, which says by that whose it is
	if unlessGone(err) != nil {
		return "", fmt.Errorf("read the purchase: %w", err)
	}
	return p.Account, nil
}

// screens are the screens of what a row is about.
func (d *Deliverer) screens(ctx context.Context, v *delivery) (Screens, error) {
	name, err := d.namingOf(ctx, v)
	return named{d.cfg.Screens(cmp.Or(v.home.Language, d.cfg.Language), v.reader, v.home.ID, v.own), name}, err
}

// listScreens are the screens of the list that a row is about.
func (d *Deliverer) listScreens(ctx context.Context, v *delivery) (ListScreens, error) {
	name, err := d.namingOf(ctx, v)
	return namedLists{d.cfg.Lists(v.home.Language, v.reader, v.home.ID, v.own), name}, err
}

// named are screens that name their account.
type named struct {
	Screens

	name naming
}

func (n named) Traded(p store.Purchase, orders []store.Order, b screen.BalanceView, at store.QueuePlace, t store.Trade) screen.Message {
	return n.name(n.Screens.Traded(p, orders, b, at, t))
}

func (n named) Ping(p store.Purchase, orders []store.Order) screen.Message {
	return n.name(n.Screens.Ping(p, orders))
}

func (n named) Document(p store.Purchase, orders []store.Order) screen.Message {
	return n.name(n.Screens.Document(p, orders))
}

func (n named) Part(p store.Purchase, orders []store.Order, units store.Units, last bool) screen.Message {
	return n.name(n.Screens.Part(p, orders, units, last))
}

func (n named) Support(p store.Purchase, orders []store.Order, account string) screen.Message {
	return n.name(n.Screens.Support(p, orders, account))
}

func (n named) Copy(p store.Purchase, orders []store.Order) screen.Message {
	return n.name(n.Screens.Copy(p, orders))
}

func (n named) Request(p store.Purchase, orders []store.Order, b screen.BalanceView) screen.Message {
	return n.name(n.Screens.Request(p, orders, b))
}

func (n named) Decision(p store.Purchase, orders []store.Order, at store.QueuePlace) screen.Message {
	return n.name(n.Screens.Decision(p, orders, at))
}

func (n named) Note(name store.NoteName, args map[string]string) screen.Message {
	return n.name(n.Screens.Note(name, args))
}

// namedLists are screens of lists that name their account.
type namedLists struct {
	ListScreens

	name naming
}

func (n namedLists) Card(v screen.ListView) screen.Message { return n.name(n.ListScreens.Card(v)) }

func (n namedLists) Left(v screen.ListView) screen.Message { return n.name(n.ListScreens.Left(v)) }

func (n namedLists) Request(v screen.ListView) screen.Message {
	return n.name(n.ListScreens.Request(v))
}

func (n namedLists) Ping(v screen.ListView) screen.Message { return n.name(n.ListScreens.Ping(v)) }

func (n namedLists) File(v screen.ListView) screen.Message { return n.name(n.ListScreens.File(v)) }

package notify

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"resellerbot/internal/screen"
	"resellerbot/internal/store"
	"resellerbot/internal/telegram"
)

// errObsolete is a message that nobody is to get any more.
var errObsolete = errors.New("nobody is to get it")

// read finds out who reads a message about a purchase, or that nobody there is to read it any more. Rights are
// those of the moment at which it goes out.
func (d *Deliverer) read(ctx context.Context, v *delivery, a store.Account) error {
	who := v.home.ID
	if v.row.Chat > 0 { // whatever became of it, it is that person's: a private chat does not become a group
		who = v.row.Chat
	}
	v.reader = readerOf(a, who, v.purchase)
	if err := d.hideCost(ctx, v, a, who); err != nil {
		return err
	}
	switch v.row.Kind {
	case store.StatusMessage, store.Ping, store.Document:
		return d.stillTheirs(ctx, v, a)
	case store.Support:
		return unless(!slices.Contains(v.home.Removed, a.ID))
	case store.Copy:
		if at := a.Place; at != nil && at.Chat == v.home.ID {
			v.goesTo(a)
			return nil
		}
		return unless(v.home.ID > 0 && a.Role(v.home.ID) == store.Counter)
	case store.Request, store.Decision:
		if at := a.Place; at != nil && at.Chat == v.home.ID {
			v.goesTo(a)
			return nil
		}
		asked := v.row.Kind == store.Request && v.purchase.ShownIn(store.Request, v.home.ID) != 0
		return unless(isAsked(a, v.home.ID) || asked && endsFor(a, v.purchase.Phase == store.Dropped))
	}
	return nil
}

// isAsked reports whether a chat is asked about purchases and lists of an account: it is an owner's own.
func isAsked(a store.Account, chat int64) bool {
	return chat > 0 && slices.Contains(a.Owners(), chat)
}

// endsFor reports whether who was asked about a purchase or a list, and is no owner any more, is told what came of it where they were asked: that it
// was dropped, or, where the account has nobody any more, how it ends.
func endsFor(a store.Account, dropped bool) bool { return dropped || a.Retired }

// hideCost has what anything has cost left out of what a counter reads: in private, and in a group of deliveries with one in the team.
// Whoever else works in the shop reads its own prices in their place, and so does a group with such people.
func (d *Deliverer) hideCost(ctx context.Context, v *delivery, a store.Account, who int64) error {
	if who > 0 && a.OwnedBy(who) || who < 0 && !a.HasStaff() {
		return nil
	}
	own, err := d.cfg.Store.Prices(ctx, a.ID)
	if err != nil {
		return fmt.Errorf("read who may see what things cost: %w", err)
	}
	along := who < 0 && (v.row.Kind == store.Copy || v.row.Kind == store.Request) && len(a.PrivateChats(store.Counter)) > 0
	costless, reads := map[screen.Reader]screen.Reader{screen.ForShop: screen.ForCounter, screen.ForShopInFull: screen.ForCounterInFull}[v.reader]
	if reads && (who > 0 || along) && own.HidesCost() {
		v.reader = costless
	}
	if who < 0 || a.Role(who) != store.Counter { // a counter buys nothing, and needs no price in its place
		v.own = own
	}
	return nil
}

// askInNote finds out what the reader of a note that is about an account may see.
func (d *Deliverer) askInNote(ctx context.Context, v *delivery) error {
	if v.row.Kind != store.Note {
		return nil
	}
	account, err := d.accountOf(ctx, v)
	if err != nil || account == "" {
		return err
	}
	a, err := d.cfg.Store.Account(ctx, account)
	if err != nil {
		if errors.Is(err, store.ErrNotFound) {
			return nil
		}
		return fmt.Errorf("read the account: %w", err)
	}
	reader := v.reader
	err = d.hideCost(ctx, v, a, cmp.Or(max(v.row.Chat, 0), v.home.ID))
	v.reader = reader // how a note reads beside that does not depend on who is in the team
	return err
}

// stillAbout sees to it that a note about an account reaches nobody who has left it.
func (d *Deliverer) stillAbout(ctx context.Context, v *delivery) error {
	id := v.row.Args[store.AboutArg]
	if id == "" {
		return nil
	}
	a, err := d.cfg.Store.Account(ctx, id)
	if errors.Is(err, store.ErrNotFound) {
		return errObsolete
	}
	if err != nil {
		return fmt.Errorf("read the account: %w", err)
	}
	v.goesTo(a)
	return unless(slices.Contains(a.Chats, v.home.ID) || slices.Contains(a.Chats, v.row.Chat))
}

// isParted reports whether a chat is of an account no more.
func isParted(a store.Account, chat int64) bool { return !slices.Contains(a.Chats, chat) }

// unless is errObsolete where something does not hold.
func unless(holds bool) error {
	if holds {
		return nil
	}
	return errObsolete
}

// readerOf is who reads in a chat what is about an account, and about a purchase by it (the zero Purchase: about none).
func readerOf(a store.Account, chat int64, p store.Purchase) screen.Reader {
	switch {
	case chat < 0 && a.Place != nil && a.Place.Chat == chat && a.Place.Full:
		return screen.ForShopInFull
	case chat < 0:
		return screen.ForShop
	case a.ShowsWallet(p, chat):
		return screen.ForOwner
	case a.Role(chat) == store.NoRole:
		return screen.ForSeller // they have left; what they bought is theirs
	}
	return screen.ReaderOf(a.Role(chat))
}

// stillTheirs sees to it that a purchase's own chat is told of it: one that has moved to another chat is told
// there, and what somebody has bought who was taken out of the team goes to an owner.
func (d *Deliverer) stillTheirs(ctx context.Context, v *delivery, a store.Account) error {
	if v.row.Chat != v.purchase.Chat && v.home.ID != v.purchase.Chat {
		return errObsolete
	}
	if v.purchase.Chat == v.home.ID {
		v.thread = v.purchase.Thread
	}
	// Where nothing was bought there is nothing to inherit: whoever has left is told the end of what they began.
	cheap := slices.Contains([]store.Phase{store.Queued, store.Dropped, store.Rejected, store.NotCreated}, v.purchase.Phase)
	if !slices.Contains(v.home.Removed, a.ID) || cheap {
		return nil
	}
	if err := d.inherit(ctx, v, a); err != nil {
		return err
	}
	return errObsolete
}

// inherit gives a purchase to an owner, who is told of it.
func (d *Deliverer) inherit(ctx context.Context, v *delivery, a store.Account) error {
	owner := cmp.Or(a.OwnerBut(v.home.ID), a.OwnerLeft())
	// Nobody can inherit: the message goes to nobody all the same (errObsolete), and the purchase stays where it is.
	if owner == 0 || owner == v.home.ID {
		return nil
	}
	return d.cfg.Store.Batch(context.WithoutCancel(ctx), func(tx *store.Tx) error {
		// Another row about it may have moved it since it was loaded: it is moved, and told of, once.
		p, err := tx.Purchase(v.purchase.ID)
		if err != nil || p.Chat == owner {
			return err
		}
		// As long as a part is still to come. What was filed in the chat that was left, the owner has never seen.
		if len(p.FiledUnits(v.orders)) < len(store.Coded(v.orders)) { // the file comes to the owner whole
			p.Told.Document, p.Told.Filed = false, ""
		}
		if err := tx.MovePurchase(&p, owner); err != nil {
			return err
		}
		about := map[string]string{"person": p.Buyer}
		if !p.Phase.Final() { // its end rings by itself
			about[store.SilentArg] = "yes"
		}
		rows := []*store.Outgoing{
			store.StatusOf(p), // MovePurchase has made the owner's chat its own
			store.NewNote(owner, p.ID+".i", store.InheritedNote, about).Of(a.ID),
		}
		if p.InDocument(v.orders) {
			rows = append(rows, store.FileOf(p))
		}
		for _, row := range rows {
			if err := tx.Enqueue(row); err != nil {
				return err
			}
		}
		return nil
	})
}

// aside brings a message about a purchase that stands beside its status message up to date: a new one the first time,
// if it is worth one, then edits of that.
func (d *Deliverer) aside(ctx context.Context, v *delivery, worth bool, m screen.Message) error {
	// What stands in the chat is edited whether or not it would be worth a new message: else it would go on asking.
	if message := v.purchase.ShownIn(v.row.Kind, v.home.ID); message != 0 {
		err := d.cfg.Sender.Edit(ctx, v.home.ID, message, m, v.to())
		if telegram.Classify(err).Kind != telegram.Gone {
			return err
		}
	}
	if !worth || v.unheard {
		return errObsolete
	}
	id, err := d.send(ctx, v, m, telegram.SendOptions{})
	v.shown = store.Shown{As: v.row.Kind, Chat: v.home.ID, Message: id}
	return err
}

// copied is what became of a purchase, as others of the team are told.
func (d *Deliverer) copied(ctx context.Context, v *delivery) error {
	pu := v.purchase
	pu.Told.MaybeSent = pu.Told.MaybeSent || v.row.Sent
	return d.aside(ctx, v, true, v.show.Copy(pu, v.orders))
}

// request asks an owner for a purchase, with what would be left.
func (d *Deliverer) request(ctx context.Context, v *delivery) error {
	open := v.purchase.Phase == store.Asked
	if v.home.ID < 0 {
		return d.aside(ctx, v, open, v.show.Pending(v.purchase, v.orders, store.QueuePlace{}))
	}
	var balance screen.BalanceView
	if open {
		short, cancel := context.WithTimeout(ctx, balanceTime)
		balance = d.cfg.Balance(short, v.purchase.Account)
		cancel()
	}
	return d.aside(ctx, v, open, v.show.Request(v.purchase, v.orders, balance))
}

// decision asks an owner what became of a purchase, or whether those who wait for it are to go first.
func (d *Deliverer) decision(ctx context.Context, v *delivery) error {
	at := d.queuePlace(ctx, v.purchase)
	worth := v.purchase.Phase == store.Undecided || at.Waiting > 0
	if v.home.ID < 0 {
		return d.aside(ctx, v, worth, v.show.Pending(v.purchase, v.orders, at))
	}
	return d.aside(ctx, v, worth, v.show.Decision(v.purchase, v.orders, at))
}

package notify

import (
	"cmp"
	"context"
	"fmt"
	"strconv"

	"resellerbot/internal/screen"
	"resellerbot/internal/store"
	"resellerbot/internal/telegram"
)

// board brings the board of a shop up to date: by an edit, or where there is none yet, or it is gone, by a message that is pinned
// then. A board that cannot be pinned, since the bot may not, is a board all the same.
func (d *Deliverer) board(ctx context.Context, v *delivery) error {
	if ends := v.row.Args[store.BoardEnds]; ends != "" {
		if v.home.ID != v.row.Chat { // a supergroup counts its messages anew: this number is another one's there
			return nil
		}
		message, _ := strconv.Atoi(ends) // what is no number is no message, and not pinned
		return d.endBoard(ctx, v, message)
	}
	b, err := d.boardOf(ctx, v)
	if err != nil {
		return err
	}
	m := d.cfg.Screens(cmp.Or(v.home.Language, d.cfg.Language), v.reader, v.home.ID, v.own).Note(store.BoardNote, v.row.Args)
	if b.Message != 0 && b.Chat == v.home.ID {
		err := d.cfg.Sender.Edit(ctx, v.home.ID, b.Message, m, v.to())
		if telegram.Classify(err).Kind != telegram.Gone {
			return err
		}
	}
	v.thread = b.Thread
	if v.posted, err = d.send(ctx, v, m, telegram.SendOptions{Silent: true}); err != nil {
		return err
	}
	// Not returned: the row would be tried again, and the board be sent a second time.
	if err := d.cfg.Sender.Pin(ctx, v.home.ID, v.posted, v.to()); err != nil {
		d.cfg.Log.Info("the board of a day is not pinned", "chat", v.home.ID, "err", err)
		return nil
	}
	v.pinned = true
	return nil
}

// endBoard has a message be no board any more: it says so, for it stays with the figures of its last minute, and is unpinned.
func (d *Deliverer) endBoard(ctx context.Context, v *delivery, message int) error {
	m := d.cfg.Screens(cmp.Or(v.home.Language, d.cfg.Language), screen.ForShop, v.home.ID, v.own).BoardEnded(v.row.Args[store.BoardMoved] != "")
	err := d.cfg.Sender.Edit(ctx, v.home.ID, message, m, v.to())
	if err != nil && telegram.Classify(err).Kind != telegram.Gone {
		return err
	}
	return d.cfg.Sender.Unpin(ctx, v.home.ID, message, v.to())
}

// boardOf is the board that a row is about; errObsolete where it is another one by now, or its chat may not read it any more.
func (d *Deliverer) boardOf(ctx context.Context, v *delivery) (store.Board, error) {
	id := v.row.Args[store.AboutArg]
	a, err := d.cfg.Store.Account(ctx, id)
	if err != nil {
		return store.Board{}, fmt.Errorf("read the account: %w", err)
	}
	desk, err := d.cfg.Store.Desk(ctx, id)
	switch {
	case err != nil:
		return store.Board{}, fmt.Errorf("read the board: %w", err)
	case desk.Board == nil, desk.Board.Chat != v.row.Chat, !a.ShowsBoard(v.row.Chat):
		return store.Board{}, errObsolete
	}
	if v.reader = screen.ForOwner; v.home.ID < 0 {
		v.reader = screen.ForShop
	}
	return *desk.Board, nil
}

// noteBoard stores which message the board of a shop is.
func (v *delivery) noteBoard(tx *store.Tx) error {
	if v.posted == 0 {
		return nil
	}
	return tx.BoardSent(v.row.Args[store.AboutArg], store.Board{Chat: v.row.Chat, Message: v.posted, Pinned: v.pinned})
}

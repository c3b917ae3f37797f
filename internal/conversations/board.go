package conversations

import (
	"errors"

	"resellerbot/internal/screen"
	"resellerbot/internal/store"
)

// boardTapped shows where the board of the day is, or has it be somewhere else.
func (t homeFlow) boardTapped() error {
	t.leave()
	a, _, ok, err := t.account()
	if err != nil || !ok {
		return err
	}
	if !t.private {
		return t.stale()
	}
	var to *store.Board
	switch t.action.Arg(0) {
	case "":
		return t.boardPage(a)
	// to stays nil: the board is nowhere.
	case screen.BoardOff:
	case screen.BoardHere:
		to = &store.Board{Chat: t.chatID}
	case screen.BoardGroup:
		out, err := t.isOut(a.Place)
		switch {
		case err != nil:
			return err
		case a.Place == nil:
			return t.stale()
		case out:
			return t.boardPage(a)
		}
		to = &store.Board{Chat: a.Place.Chat, Thread: a.Place.BoardTopic()}
	default:
		return t.stale()
	}
	err = t.forOwner(a.ID, func(tx *store.Tx, a *store.Account) error {
		// The place may be another one since a.Place was read for the page.
		if to != nil && !a.ShowsBoard(to.Chat) {
			return errNotOwner
		}
		d, err := tx.Desk(a.ID)
		// The same button once more leaves the board that there is.
		if err != nil || d.Board != nil && to != nil && d.Board.Chat == to.Chat {
			return err
		}
		if to == nil {
			return tx.SetBoard(a.ID, nil)
		}
		next := *to
		return tx.SetBoard(a.ID, &next)
	})
	if errors.Is(err, errNotOwner) {
		return t.refused(err)
	}
	return firstError(err, func() error { return t.boardPage(a) })
}

// boardPage is where the board of the day is. A shop without prices has no books that it could show.
func (t homeFlow) boardPage(a store.Account) error {
	_, err := t.cfg.Store.Book(t.ctx, a.ID)
	if errors.Is(err, store.ErrNotFound) {
		return t.books()
	}
	if err != nil {
		return err
	}
	d, err := t.cfg.Store.Desk(t.ctx, a.ID)
	if err != nil {
		return err
	}
	out, err := t.isOut(a.Place)
	if err != nil {
		return err
	}
	return t.say(t.scr.Home().BoardPage(d.Board, a.Place, out))
}

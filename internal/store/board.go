package store

import (
	"slices"
	"strconv"
	"time"
)

// Board is the message that shows the day of a shop: it is pinned where the bot may, and edited through the day, silently.
type Board struct {
	Chat    int64     // an owner's, or the group that deliveries go to
	Thread  int       `json:",omitempty"` // the topic of the group
	Message int       `json:",omitempty"` // 0 while it was not sent
	Pinned  bool      `json:",omitempty"`
	Mark    string    // of what it shows, or is about to: what is the same is not edited
	At      time.Time // when that was queued
}

// BoardArg is what a row of kind BoardMessage shows, as JSON; BoardEnds is the message that is no board any more, and BoardMoved tells that
// there is another one elsewhere.
const (
	BoardArg   = "board"
	BoardEnds  = "ends"
	BoardMoved = "moved"
)

// BoardRow is the row that brings the board of an account up to date. Several changes before it is sent are one edit.
func BoardRow(account string, b Board, shows string) *Outgoing {
	return &Outgoing{
		Chat: b.Chat, ID: boardRow(account), Kind: BoardMessage, Priority: DigestPriority, Args: map[string]string{AboutArg: account, BoardArg: shows},
	}
}

// boardRow is the id of the row that brings the board of an account up to date.
func boardRow(account string) string { return "board." + account }

// ShowsBoard reports whether the day of an account may be shown in a chat: in its group, and to an owner.
func (a Account) ShowsBoard(chat int64) bool {
	if chat < 0 {
		return slices.Contains(a.Chats, chat) && a.Place != nil && a.Place.Chat == chat
	}
	return a.Role(chat) == Owner
}

// SetBoard has the day of a shop shown in a chat from now on, or nowhere where b is nil. A board of before says so, and is unpinned.
func (t *Tx) SetBoard(account string, b *Board) error {
	d, err := t.Desk(account)
	if err != nil {
		return err
	}
	if err := t.endBoard(d, b != nil); err != nil {
		return err
	}
	d.Board = b
	return t.PutDesk(&d)
}

// endBoard takes back what is queued for the board of a shop, and has its message be none any more; moved: another one follows.
func (t *Tx) endBoard(d Desk, moved bool) error {
	if d.Board == nil {
		return nil
	}
	row, err := t.Outgoing(d.Board.Chat, boardRow(d.Book))
	if err == nil {
		err = t.Sent(row)
	}
	if ignoring(err, ErrNotFound) != nil || d.Board.Message == 0 {
		return ignoring(err, ErrNotFound)
	}
	return t.unpinBoard(d.Book, *d.Board, moved)
}

// unpinBoard has a message say that it is no board any more, and unpinned. Each has a row of its own: several may wait in one chat.
func (t *Tx) unpinBoard(account string, b Board, moved bool) error {
	message := strconv.Itoa(b.Message)
	end := BoardRow(account, b, "")
	end.ID, end.Args = "boardend."+account+"."+message, map[string]string{BoardEnds: message}
	if moved {
		end.Args[BoardMoved] = "yes"
	}
	return t.Enqueue(end)
}

// BoardSent notes which message the board of an account is. Where that is no board of the chat any more, since it ended while
// the message was on its way, the message ends too.
func (t *Tx) BoardSent(account string, sent Board) error {
	d, err := t.Desk(account)
	if err != nil {
		return err
	}
	if d.Board == nil || d.Board.Chat != sent.Chat {
		return t.unpinBoard(account, sent, d.Board != nil)
	}
	b := *d.Board
	b.Message, b.Pinned = sent.Message, sent.Pinned
	d.Board = &b
	return t.PutDesk(&d)
}

// moveBoard has the board of an account follow a group that has become a supergroup, where it is a message of its own.
func (t *Tx) moveBoard(account string, from, to int64) error {
	d, err := t.Desk(account)
	if err != nil || d.Board == nil || d.Board.Chat != from {
		return err
	}
	return t.SetBoard(account, &Board{Chat: to})
}

package purchase

import (
	"fmt"
	"slices"
	"time"

	"resellerbot/internal/store"
)

// RefreshList has a list's card shown again as it stands.
func RefreshList(tx *store.Tx, l store.List) error { return tellList(tx, l) }

// tellEnd queues what a list ends with: its file, and a word that makes the phone ring.
func (e *Engine) tellEnd(tx *store.Tx, l store.List) error {
	tx.Then(func() { e.cfg.Log.Info("list ended", "list", l.ID, "account", l.Account, "why", l.Why) })
	if err := tx.Enqueue(listFile(l)); err != nil {
		return err
	}
	if err := askForList(tx, l, nil); err != nil {
		return err
	}
	return tx.Enqueue(&store.Outgoing{Chat: l.Chat, ID: l.ID + ".p", Kind: store.ListPing, List: l.ID, Priority: store.NoticePriority})
}

// tellList is the row that brings a list's card up to date. Several changes before it is sent are one edit, and edits keep
// their distance.
func tellList(tx *store.Tx, l store.List) error {
	now := time.Now()
	// cardRest is a little more than that of package notify, 2 s: a row that comes at this moment finds that the card has rested.
	due := l.EditedAt.Add(cardRest)
	if due.Before(now) {
		due = now
	}
	return tx.Enqueue(&store.Outgoing{Chat: l.Chat, ID: l.ID, Kind: store.ListCard, List: l.ID, Priority: store.DeliveryPriority, Due: due})
}

// listFile is the row that brings what came of a list as a file.
func listFile(l store.List) *store.Outgoing {
	// The id names how many codes there are: a file with more of them is a row of its own, and never takes the place of one that may have
	// arrived.
	return &store.Outgoing{Chat: l.Chat, ID: fmt.Sprintf("%s.d%d", l.ID, l.Codes()), Kind: store.ListFile, List: l.ID, Priority: store.DeliveryPriority}
}

// askForList queues the question about a list for some chats, and for those that have it already.
func askForList(tx *store.Tx, l store.List, chats []int64) error {
	for _, s := range l.Shown {
		if s.As == store.ListRequest && !slices.Contains(chats, s.Chat) {
			chats = append(chats, s.Chat)
		}
	}
	for _, chat := range chats {
		if err := tx.Enqueue(&store.Outgoing{Chat: chat, ID: l.ID + ".a", Kind: store.ListRequest, List: l.ID, Priority: store.DeliveryPriority}); err != nil {
			return err
		}
	}
	return nil
}

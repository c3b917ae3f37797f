package purchase

import (
	"fmt"

	"resellerbot/internal/store"
)

// announce queues what makes the phone ring for a purchase: what became of it, and once that it takes too
// long. filed is that a file of its codes is on its way.
func (e *Engine) announce(tx *store.Tx, p *store.Purchase, a store.Account, count units, filed bool) error {
	if count.ended() > 0 && (p.List == "" || p.Apart) && deservesPing(*p, count, filed) {
		if err := tx.Enqueue(ping(*p, count)); err != nil {
			return err
		}
	}
	if !count.late || p.Told.Late {
		return nil
	}
	p.Told.Late = true
	if err := e.askForSupport(tx, *p, a); err != nil {
		return err
	}
	return tx.PutPurchase(p)
}

// deservesPing reports whether the phone should ring for what has become of a purchase: for its first codes and for
// its end. In a private chat the file of many codes rings by itself; a group is sent none.
func deservesPing(p store.Purchase, u units, filed bool) bool {
	if u.document && p.Chat > 0 && (filed || u.waiting > 0) {
		return false
	}
	return u.waiting == 0 || p.Told.Pinged == 0
}

// ping is the short message that makes the phone ring. Its id sorts behind the status message's, and names how
// much is told, so that telling the same twice is one message.
func ping(p store.Purchase, u units) *store.Outgoing {
	return &store.Outgoing{Chat: p.Chat, ID: fmt.Sprintf("%s.p%d", p.ID, u.ended()), Kind: store.Ping, Purchase: p.ID, Priority: store.NoticePriority}
}

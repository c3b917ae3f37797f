package store

import (
	"context"

	"resellerbot/internal/secret"
)

// What a transaction is about to read is asked for together here: behind a network a transaction waits as often as it asks. Nothing rests
// on it. What was not wanted is read when it is needed, and what is wanted for nothing costs nothing but a lock.

// want has records read together, where the engine can. An error shows again when they are read, and ends the transaction.
func (t *Tx) want(places ...RecordKey) { _ = wantAll(t.records, places...) }

// WantPurchase has a purchase read together with what changes with it: its account and books, its indexes, and the message that
// shows it. Of p its ID, Account and Chat count, which never change.
func (t *Tx) WantPurchase(p Purchase) { t.want(purchaseKeys(p)...) }

func purchaseKeys(p Purchase) []RecordKey {
	return append(accountKeys(p.Account), RecordKey{KindPurchase, p.ID}, RecordKey{KindOpen, p.ID},
		RecordKey{KindByChat, byChatKey(p.Chat, p.ID)}, RecordKey{KindOutbox, outboxKey(p.Chat, p.ID)})
}

// WantLink has read together what changes when a chat links an account.
func (t *Tx) WantLink(chat int64, account string) {
	t.want(append(accountKeys(account), RecordKey{KindChat, number(chat)}, RecordKey{KindAlerts, ofChat(chat, account)}, RecordKey{KindMenu, number(chat)})...)
}

// WantOrders has orders of an account read together, with what changes with them.
func (t *Tx) WantOrders(account string, ids ...string) { t.want(ordersKeys(account, ids)...) }

func ordersKeys(account string, ids []string) []RecordKey {
	places := accountKeys(account)
	for _, id := range ids {
		places = append(places, orderKeys(account, id)...)
	}
	return places
}

// WantAnswered has read together what an answer is held against that names orders for a purchase, as far as that is
// remembered: these, whose they are under all their names, and the purchase.
func (t *Tx) WantAnswered(purchase string, ids ...string) {
	p, ok := t.hints.purchase(purchase)
	if !ok {
		return
	}
	places := append(purchaseKeys(p), ordersKeys(p.Account, ids)...)
	for _, id := range ids {
		for _, name := range (Order{Account: p.Account, ID: id}).Names() {
			places = append(places, RecordKey{KindClaim, orderClaim(name)})
		}
	}
	t.want(places...)
}

// WantSeen has read together what a look at orders may change: these, whose their codes are, and, as far as they are
// remembered, the purchases.
func (t *Tx) WantSeen(account string, ids []string, codes []secret.Text) {
	places := ordersKeys(account, ids)
	for _, code := range codes {
		if Telling(code) {
			places = append(places, RecordKey{KindClaim, codeKey(t.mark, code)}, RecordKey{KindClaim, foldedKey(t.mark, code)})
		}
	}
	for _, p := range t.hints.purchasesOf(account, ids) {
		places = append(places, purchaseKeys(p)...)
	}
	t.want(places...)
}

// accountKeys are an account and the books of its shop, which the end of a transaction asks for.
func accountKeys(id string) []RecordKey { return []RecordKey{{KindAccount, id}, {KindBook, id}} }

// orderKeys are an order and its index.
func orderKeys(account, id string) []RecordKey {
	key := orderKey(account, id)
	return []RecordKey{{KindOrder, key}, {KindPending, key}}
}

// updateKeys are what there is of an update.
func updateKeys(id int64) []RecordKey {
	return []RecordKey{{KindInbox, number(id)}, {KindSeen, number(id)}}
}

// WantUpdate has an update read together with where its person stands, for the transaction that ends it.
func (t *Tx) WantUpdate(id, chat, user int64) {
	t.want(append(updateKeys(id), RecordKey{KindSession, sessionKey(chat, user)})...)
}

// getMany reads records outside of a transaction, at once where the engine can.
func (s *Store) getMany(ctx context.Context, places ...RecordKey) (map[RecordKey]Record, error) {
	if len(places) == 0 { // of an empty list: nothing is waited for
		return map[RecordKey]Record{}, nil
	}
	return GetMany(ctx, s.engine, places...)
}

// readMany reads records of one kind by their keys, in that order, and leaves out what is not there.
func readMany[T any](ctx context.Context, s *Store, f codec[T], keys []string) ([]T, error) {
	places := make([]RecordKey, len(keys))
	for i, key := range keys {
		places[i] = RecordKey{f.kind, key}
	}
	found, err := s.getMany(ctx, places...)
	if err != nil {
		return nil, f.failed("read", "several", err)
	}
	out := make([]T, 0, len(keys))
	for _, p := range places {
		r, ok := found[p]
		if !ok {
			continue
		}
		v, err := f.decode(s.keyring, r)
		if err != nil {
			return nil, err
		}
		out = append(out, v)
	}
	return out, nil
}

package store

import (
	"context"
	"errors"
	"slices"
	"sync"
)

// mostHints is how many purchases, orders and chats are remembered, and mostHinted how many orders of one purchase.
const (
	mostHints  = 4096
	mostHinted = 16
)

// hints remember what belongs together, so that it can be read together: which account a chat is linked to, and whose a
// purchase is. A hint may be old. What is read by it is read in vain then, and the right record afterwards.
type hints struct {
	mu        sync.Mutex
	purchases map[string]Purchase // ID, Account, Chat and OrderIDs alone
	orders    map[string]string   // whose an order is, by its key
	chats     map[int64]string
}

func (h *hints) purchase(id string) (Purchase, bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	p, ok := h.purchases[id]
	return p, ok
}

func (h *hints) keepPurchase(p Purchase) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.purchases = roomFor(h.purchases, p.ID)
	h.purchases[p.ID] = Purchase{ID: p.ID, Account: p.Account, Chat: p.Chat, OrderIDs: slices.Clone(p.OrderIDs)}
	for _, id := range p.OrderIDs[:min(len(p.OrderIDs), mostHinted)] {
		key := orderKey(p.Account, id)
		h.orders = roomFor(h.orders, key)
		h.orders[key] = p.ID
	}
}

// purchasesOf are the purchases that orders of an account belong to, each once.
func (h *hints) purchasesOf(account string, ids []string) (list []Purchase) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, id := range ids {
		p, ok := h.purchases[h.orders[orderKey(account, id)]]
		if ok && !slices.ContainsFunc(list, func(q Purchase) bool { return q.ID == p.ID }) {
			list = append(list, p)
		}
	}
	return list
}

func (h *hints) account(chat int64) string {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.chats[chat]
}

func (h *hints) keepChat(c Chat) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.chats = roomFor(h.chats, c.ID)
	h.chats[c.ID] = c.Account
}

// roomFor makes room for one more: which is asked for next is not known, and the order of a map is as good as any.
func roomFor[K comparable, V any](m map[K]V, key K) map[K]V {
	if m == nil {
		return map[K]V{}
	}
	if _, known := m[key]; known || len(m) < mostHints {
		return m
	}
	for other := range m {
		delete(m, other)
		break
	}
	return m
}

// Known are records that were read together outside of a transaction, for those who ask for them one by one at once. What was not
// read is read when it is asked for, and remembered: so it belongs to one goroutine, with all its copies.
type Known struct {
	store *Store
	read  map[RecordKey]Record // with Version 0 where there is none
}

// together reads records together.
func (s *Store) together(ctx context.Context, places ...RecordKey) (Known, error) {
	found, err := s.getMany(ctx, places...)
	if err != nil {
		return Known{}, err
	}
	for _, p := range places {
		if _, ok := found[p]; !ok {
			found[p] = Record{}
		}
	}
	return Known{store: s, read: found}, nil
}

// Current reports whether all of it is still as it was read. Where the engine cannot tell, it may not be.
func (k Known) Current(ctx context.Context) (bool, error) {
	read := make([]Record, 0, len(k.read))
	for at, r := range k.read {
		read = append(read, Record{Kind: at.Kind, Key: at.Key, Version: r.Version})
	}
	return Same(ctx, k.store.engine, read...)
}

// knownOf decodes one of them.
func knownOf[T any](ctx context.Context, k Known, f codec[T], key string) (T, error) {
	r, err := k.get(ctx, f.kind, key)
	if err != nil {
		var none T
		return none, f.failed("read", key, err)
	}
	return f.decode(k.store.keyring, r)
}

// Chat is a chat. ErrNotFound.
func (k Known) Chat(ctx context.Context, id int64) (Chat, error) {
	c, err := knownOf(ctx, k, chats(), number(id))
	if err == nil {
		k.store.hints.keepChat(c)
	}
	return c, err
}

// Account is an account. ErrNotFound.
func (k Known) Account(ctx context.Context, id string) (Account, error) {
	r, err := k.get(ctx, KindAccount, id)
	if err != nil {
		return Account{}, accounts().failed("read", id, err)
	}
	return k.store.account(r)
}

// Session is where a person stands in a chat; a zero Session where they stand nowhere.
func (k Known) Session(ctx context.Context, chat, user int64) (Session, error) {
	v, err := knownOf(ctx, k, sessions(), sessionKey(chat, user))
	return v, ignoring(err, ErrNotFound)
}

// Purchase is a purchase. ErrNotFound.
func (k Known) Purchase(ctx context.Context, id string) (Purchase, error) {
	p, err := knownOf(ctx, k, purchases(), id)
	if err == nil {
		k.store.hints.keepPurchase(p)
	}
	return p, err
}

// OrdersOf are a purchase's orders, as Store.OrdersOf reads them.
func (k Known) OrdersOf(ctx context.Context, p Purchase) ([]Order, error) {
	var all []Order
	for _, id := range p.OrderIDs {
		// The hint was older than the purchase: what is missing here is unknown, not absent.
		if _, ok := k.read[RecordKey{KindOrder, orderKey(p.Account, id)}]; !ok { // they were named since
			return k.store.OrdersOf(ctx, p)
		}
		o, err := knownOf(ctx, k, orders(), orderKey(p.Account, id))
		switch {
		case errors.Is(err, ErrNotFound):
		case err != nil:
			return nil, err
		case o.Purchase == p.ID:
			all = append(all, o)
		}
	}
	return all, nil
}

// ReadVisit reads together what is asked for about a person in a chat: the chat, their private one where that is another, the
// account that is linked there as far as that is remembered, and where they stand. A user of 0 asks for nothing.
func (s *Store) ReadVisit(ctx context.Context, chat, user int64) (Known, error) {
	places := []RecordKey{{KindChat, number(chat)}}
	account := s.hints.account(chat)
	if chat < 0 && user != 0 {
		places = append(places, RecordKey{KindChat, number(user)})
		if account == "" {
			account = s.hints.account(user)
		}
	}
	if account != "" {
		places = append(places, RecordKey{KindAccount, account})
	}
	if user != 0 {
		places = append(places, RecordKey{KindSession, sessionKey(chat, user)})
	}
	return s.together(ctx, places...)
}

// ReadPurchase reads together what a message about a purchase is made of: itself, and its account and orders as far as they are
// remembered.
func (s *Store) ReadPurchase(ctx context.Context, id string) (Known, error) {
	places := []RecordKey{{KindPurchase, id}}
	if p, ok := s.hints.purchase(id); ok {
		places = append(places, RecordKey{KindAccount, p.Account})
		for _, o := range p.OrderIDs {
			places = append(places, RecordKey{KindOrder, orderKey(p.Account, o)})
		}
	}
	return s.together(ctx, places...)
}

// get is a record, or its absence.
func (k Known) get(ctx context.Context, kind Kind, key string) (Record, error) {
	at := RecordKey{kind, key}
	r, ok := k.read[at]
	if !ok {
		var err error
		if r, err = k.store.engine.Get(ctx, kind, key); err != nil && !errors.Is(err, ErrNotFound) {
			return r, err
		}
		k.read[at] = r
	}
	if r.Version == 0 { // it was asked for and did not come: that is an answer, and no second read
		return Record{}, ErrNotFound
	}
	return r, nil
}

package store

import (
	"errors"
	"fmt"
	"slices"
	"time"

	"resellerbot/internal/store/seal"
)

// Tx is one transaction on typed records, valid only inside the function that got it. A Put takes the
// version that its record was read at (ErrConflict if it has changed) and notes the new one in it.
type Tx struct {
	records RecordTx
	keyring *seal.Keyring
	mark    []byte
	wake    map[Kind]bool
	then    []func()
	decoded *decodedAccounts
	hints   *hints
	open    *openCount

	finished *finished
	drained  *drained

	observed []string            // purchases that the books have to look at
	orders   map[string][]string // and orders of theirs that were written
	stored   map[string]Order    // orders by key, as they are stored
}

// Then has something done once the transaction is on disk, and not at all where it fails. It must not wait for
// anything: it is for what counts and tells, not for what matters.
func (t *Tx) Then(do func()) { t.then = append(t.then, do) }

// Account reads an account. ErrNotFound.
func (t *Tx) Account(id string) (Account, error) {
	t.want(accountKeys(id)...)
	return accounts().get(t, id)
}

// PutAccount writes an account. None is ever deleted: what was bought by it, and its movements, stay and need what it
// knows. One that was unlinked loses its key (purchase.Engine.ForgetKeys).
func (t *Tx) PutAccount(a *Account) error {
	// Before the put: it compares with the account as it is stored.
	if err := t.menusOfTeam(a); err != nil {
		return err
	}
	id := a.ID
	t.Then(func() { t.decoded.drop(id) })
	return accounts().put(t, a)
}

// Chat reads a chat. ErrNotFound.
func (t *Tx) Chat(id int64) (Chat, error) { return chats().get(t, number(id)) }

// PutChat writes a chat.
func (t *Tx) PutChat(c *Chat) error {
	if err := t.menuOfChat(c); err != nil {
		return err
	}
	t.hints.keepChat(*c)
	return chats().put(t, c)
}

// Session reads where a person stands in a chat; a zero Session where they stand nowhere.
func (t *Tx) Session(chat, user int64) (Session, error) {
	s, err := sessions().get(t, sessionKey(chat, user))
	return s, ignoring(err, ErrNotFound)
}

// PutSession writes where a person stands. The last one to write is right: a person's updates are handled
// one after another.
func (t *Tx) PutSession(s *Session) error {
	old, err := t.Session(s.Chat, s.User)
	if err != nil {
		return err
	}
	s.rev = old.rev
	return sessions().put(t, s)
}

// DeleteSession forgets where a person stands.
func (t *Tx) DeleteSession(chat, user int64) error {
	s, err := sessions().get(t, sessionKey(chat, user))
	if err != nil {
		return ignoring(err, ErrNotFound)
	}
	return sessions().remove(t, &s)
}

// Purchase reads a purchase. ErrNotFound.
func (t *Tx) Purchase(id string) (Purchase, error) {
	if p, ok := t.hints.purchase(id); ok {
		t.WantPurchase(p)
	}
	t.want(RecordKey{KindPurchase, id}, RecordKey{KindOpen, id})
	p, err := purchases().get(t, id)
	if err == nil {
		t.hints.keepPurchase(p)
	}
	return p, err
}

// OpenOf tells which of some purchases are open, by the index: none of them is read. Who decides by it also reads or writes
// the account of them, which every change of a phase writes.
func (t *Tx) OpenOf(ids []string) (open []string, err error) {
	places := make([]RecordKey, len(ids))
	for i, id := range ids {
		places[i] = RecordKey{KindOpen, id}
	}
	t.want(places...)
	for _, id := range ids {
		switch _, err := t.records.Get(KindOpen, id); {
		case err == nil:
			open = append(open, id)
		case !errors.Is(err, ErrNotFound):
			return nil, fmt.Errorf("read index %s %q: %w", KindOpen, id, err)
		}
	}
	return open, nil
}

// PutPurchase writes a purchase and the indexes that find it.
func (t *Tx) PutPurchase(p *Purchase) error {
	fresh := p.rev == 0
	if fresh { // of which nothing else is there yet
		t.want(accountKeys(p.Account)...)
	}
	t.hints.keepPurchase(*p)
	if err := purchases().put(t, p); err != nil {
		return err
	}
	written := *p // whoever put it may change it before the commit
	t.Then(func() { t.open.note(written) })
	// A purchase without orders is nothing to the books. An order that a purchase has let go of is noted by its own write
	// (observeOwn).
	if len(p.OrderIDs) > 0 {
		t.observe(p.ID)
	}
	// A purchase stays in its chat, where it is found from its first moment on, but for MovePurchase.
	if fresh {
		return t.indexNew(*p)
	}
	// Only here is the index read: a purchase that is new has none (indexNew).
	return t.index(KindOpen, p.ID, p.ID, p.Open())
}

// Order reads an order. ErrNotFound.
func (t *Tx) Order(account, id string) (Order, error) {
	t.want(orderKeys(account, id)...)
	r, err := t.records.Get(KindOrder, orderKey(account, id))
	if err != nil {
		return Order{}, orders().failed("read", orderKey(account, id), err)
	}
	// What is done with a purchase reads each of its orders several times, and of a big one there are hundreds. A version never comes
	// again, so what was decoded under it is what is stored.
	o, ok := t.stored[r.Key]
	if !ok || o.rev != r.Version {
		if o, err = orders().decode(t.keyring, r); err != nil {
			return o, err
		}
		if t.stored == nil {
			t.stored = map[string]Order{}
		}
		t.stored[r.Key] = o
	}
	o.Later = slices.Clone(o.Later)
	return o, nil
}

// PutOrder writes an order and the index of those of which something is awaited.
func (t *Tx) PutOrder(o *Order) error {
	t.want(orderKeys(o.Account, o.ID)...)
	if err := orders().put(t, o); err != nil {
		return err
	}
	t.observeOwn(*o)
	return t.index(KindPending, orderKey(o.Account, o.ID), "", o.Pending())
}

// Postpone writes an order of which only the looks at it have changed, and when the next one is: neither its purchase nor the
// books have anything to say of that.
func (t *Tx) Postpone(o *Order) error {
	t.want(orderKeys(o.Account, o.ID)...)
	return orders().put(t, o)
}

// AddMovement writes a change of an account's balance down, as its next one. The account is to be put
// afterwards.
func (t *Tx) AddMovement(a *Account, m Movement) error {
	a.Movements++
	m.Account, m.Number = a.ID, a.Movements
	return movements().put(t, &m)
}

// mostPlayers is how many of a chat's players are remembered.
const mostPlayers = 24

// Remember puts a player at the head of those that a chat has topped up for an account.
func (t *Tx) Remember(chat int64, account string, p Player) error {
	all, err := players().get(t, ofChat(chat, account))
	if err != nil && !errors.Is(err, ErrNotFound) {
		return err
	}
	all.Chat, all.Account = chat, account
	others := slices.DeleteFunc(all.List, func(q Player) bool { return q.Game == p.Game && q.ID == p.ID })
	// They are what one check has shown, and are asked for anew at the next: kept, they would nest with every top-up.
	p.Was, p.Facts = nil, nil
	all.List = append([]Player{p}, others...)
	all.List = all.List[:min(len(all.List), mostPlayers)]
	return players().put(t, &all)
}

// ForgetPlayers forgets whom a chat has topped up for an account.
func (t *Tx) ForgetPlayers(chat int64, account string) error {
	p, err := players().get(t, ofChat(chat, account))
	if err != nil {
		return ignoring(err, ErrNotFound)
	}
	return players().remove(t, &p)
}

// Outgoing reads a message that waits. ErrNotFound.
func (t *Tx) Outgoing(chat int64, id string) (Outgoing, error) {
	return outbox().get(t, outboxKey(chat, id))
}

// Enqueue puts a message into the outbox, due now unless it says otherwise. One that waits there under
// the same id is replaced; what is known of tries at it, and a rest that it observes, stay.
func (t *Tx) Enqueue(o *Outgoing) error {
	now := time.Now()
	if o.Due.IsZero() {
		o.Due = now
	}
	if o.Created.IsZero() {
		o.Created = now
	}
	old, err := t.Outgoing(o.Chat, o.ID)
	if err != nil && !errors.Is(err, ErrNotFound) {
		return err
	}
	// The row is taken over from whoever holds it: a worker that is sending the old one meets ErrConflict when it is done
	// (Sent), and so the new one goes out too.
	o.rev = old.rev
	if err == nil {
		if o.Kind == Document {
			o.Args = old.Args // which part of it may have arrived
		}
		o.Sent, o.Sending, o.Tries, o.Refusals, o.Created = o.Sent || old.Sent, old.Sending, old.Tries, old.Refusals, old.Created
		// What Telegram has refused rests, whatever is put over it: a new text does not end a rate limit.
		if old.Tries > 0 && old.Due.After(o.Due) {
			o.Due = old.Due
		}
	}
	return outbox().put(t, o)
}

// Sent removes a message that has arrived. ErrConflict where it was enqueued anew since it was read: it
// then stays, to be sent as it is now.
func (t *Tx) Sent(o Outgoing) error { return ignoring(outbox().remove(t, &o), ErrNotFound) }

// Sending notes that a message is about to go out with the Args that it has now, and that nobody else is to take it until
// a moment: one that is still found so may have arrived.
func (t *Tx) Sending(o *Outgoing, until time.Time) error {
	now, err := t.Outgoing(o.Chat, o.ID)
	if err != nil {
		return ignoring(err, ErrNotFound)
	}
	anew := now.rev != o.rev // it goes out once more, as it is now
	now.Sending, now.Args = true, o.Args
	if !anew {
		now.Due = until
	}
	// o keeps its version where the row was enqueued anew: Sent meets ErrConflict by that, and the row stays to be sent as it is
	// now.
	if err := outbox().put(t, &now); err != nil || anew {
		return err
	}
	o.rev = now.rev
	return nil
}

// Retry puts a message back with the Due, Tries, Sent and Sending that it has now. One that was enqueued anew
// since it was read keeps its own content.
func (t *Tx) Retry(o Outgoing) error {
	now, err := t.Outgoing(o.Chat, o.ID)
	if err != nil {
		return ignoring(err, ErrNotFound)
	}
	// Sent is never taken back: an earlier try may have arrived, whatever this one came to.
	now.Due, now.Tries, now.Refusals, now.Sent, now.Sending = o.Due, o.Tries, o.Refusals, o.Sent || now.Sent, o.Sending
	return outbox().put(t, &now)
}

// MoveChat gives everything of a chat to another id, as Telegram does with a group that becomes a
// supergroup. Doing so twice changes nothing.
func (t *Tx) MoveChat(from, to int64) error {
	c, err := t.Chat(from)
	if err != nil {
		return ignoring(err, ErrNotFound)
	}
	if c.MovedTo == to {
		return nil
	}
	next, err := t.Chat(to)
	switch {
	case errors.Is(err, ErrNotFound):
		next = c
		next.ID, next.MovedTo, next.rev = to, 0, 0
	case err != nil || next.Account != "":
		return err // linked by itself by now
	default:
		next.Account = c.Account   // it has spoken before it was known what it is
		if c.Out.After(next.Out) { // the operator may have taken out either
			next.Out = c.Out
		}
		// An admission of its own is kept.
		if next.Admitted.IsZero() {
			next.Admitted, next.AdmittedBy = c.Admitted, c.AdmittedBy
		}
	}
	account := c.Account
	// The old record stays, without an account: what is still queued for the old id follows MovedTo (package notify).
	c.Account, c.MovedTo = "", to
	if err := errors.Join(t.PutChat(&next), t.PutChat(&c), t.moveAlerts(from, to, account), t.movePlayers(from, to, account), t.moveBook(account, from, to), t.moveBoard(account, from, to)); err != nil || account == "" {
		return err
	}
	a, err := t.Account(account)
	if err != nil {
		return ignoring(err, ErrNotFound)
	}
	rename(&a, from, to)
	return t.PutAccount(&a)
}

// indexNew writes the indexes of a purchase that is new, and are so too.
func (t *Tx) indexNew(p Purchase) error {
	places := []RecordKey{{KindByChat, byChatKey(p.Chat, p.ID)}}
	if p.Open() {
		places = append(places, RecordKey{KindOpen, p.ID})
	}
	for _, at := range places {
		if _, err := t.records.Put(Record{Kind: at.Kind, Key: at.Key, Value: []byte(p.ID)}); err != nil {
			return fmt.Errorf("write index %s %q: %w", at.Kind, at.Key, err)
		}
	}
	return nil
}

// index makes an index record be there, or not be there.
func (t *Tx) index(k Kind, key, value string, there bool) error {
	r, err := t.records.Get(k, key)
	switch {
	case err != nil && !errors.Is(err, ErrNotFound):
		return fmt.Errorf("read index %s %q: %w", k, key, err)
	case err == nil && !there:
		err = t.records.Delete(r)
	case err != nil && there:
		_, err = t.records.Put(Record{Kind: k, Key: key, Value: []byte(value)})
	default:
		return nil
	}
	if err != nil {
		return fmt.Errorf("write index %s %q: %w", k, key, err)
	}
	return nil
}

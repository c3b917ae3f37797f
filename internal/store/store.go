package store

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"resellerbot/internal/store/seal"
)

// seenFor is how long the id of a handled update is kept: Telegram repeats none that is older than a day.
const seenFor = 48 * time.Hour

// Store is everything the bot has promised, on disk.
type Store struct {
	engine   Engine
	keyring  *seal.Keyring
	mark     []byte // what codes are marked with where they are claimed
	wakes    map[Kind]chan struct{}
	decoded  decodedAccounts
	hints    hints
	open     openCount
	finished finished
}

// Open brings the engine's records to this program's schema and checks that the keyring opens them.
// ErrWrongKey, ErrNewer, ErrMoved, ErrArriving.
func Open(ctx context.Context, e Engine, keyring *seal.Keyring) (*Store, error) {
	s := &Store{engine: e, keyring: keyring, wakes: map[Kind]chan struct{}{}}
	// One place each: a hint that waits already says all that another one could.
	// These are the kinds whose workers sleep until something is due. The workers of other queues look at every beat.
	for _, k := range []Kind{KindOutbox, KindOrder, KindMenu} {
		s.wakes[k] = make(chan struct{}, 1)
	}
	if err := MayOpen(ctx, e); err != nil {
		return nil, fmt.Errorf("open the store: %w", err)
	}
	// Before claims: they read orders and purchases in the form of today.
	if err := s.migrate(ctx, schemas()); err != nil {
		return nil, fmt.Errorf("open the store: %w", err)
	}
	if err := s.beginClaims(ctx); err != nil {
		return nil, fmt.Errorf("open the store: %w", err)
	}
	return s, nil
}

// Close writes what still waits for a commit, and releases the engine.
func (s *Store) Close() error {
	var err error
	if commit := s.finished.close(); commit != nil {
		err = commit()
	}
	// A commit that the timer has begun uses the engine: it ends before the engine closes.
	s.finished.commits.Wait()
	return errors.Join(err, s.engine.Close())
}

// Update runs fn as one durable transaction with a commit of its own: for money. fn may run again where another transaction was first: what
// it has set outside of the transaction counts once Update has returned.
func (s *Store) Update(ctx context.Context, fn func(*Tx) error) error {
	return s.transact(ctx, s.engine.Update, fn)
}

// Batch runs fn as one durable transaction that may share its commit with others of the same millisecond. fn
// may run again.
func (s *Store) Batch(ctx context.Context, fn func(*Tx) error) error {
	return s.transact(ctx, s.engine.Batch, fn)
}

// Wake hints that something of a kind was queued since the last hint: KindOutbox, KindOrder and
// KindMenu. A hint may come for nothing.
func (s *Store) Wake(k Kind) <-chan struct{} { return s.wakes[k] }

// Alone reports whether no other process writes: then Wake tells of all that is queued.
func (s *Store) Alone() bool { return s.engine.Alone() }

// NextDue is when the next queued record of a kind is due; false where nothing is queued.
func (s *Store) NextDue(ctx context.Context, k Kind) (time.Time, bool, error) {
	return s.engine.NextDue(ctx, k)
}

// read reads one record outside of a transaction.
func read[T any](ctx context.Context, s *Store, f codec[T], key string) (T, error) {
	r, err := s.engine.Get(ctx, f.kind, key)
	if err != nil {
		var none T
		return none, f.failed("read", key, err)
	}
	return f.decode(s.keyring, r)
}

// list reads records in key order outside of a transaction.
func list[T any](ctx context.Context, s *Store, f codec[T], prefix, after string, limit int) ([]T, error) {
	rs, err := s.engine.Scan(ctx, f.kind, prefix, after, limit)
	if err != nil {
		return nil, f.failed("list", prefix, err)
	}
	return f.decodeAll(s.keyring, rs)
}

// claim takes what is due of a kind for the length of a lease. The lease stands in Record.Due alone: the Due within the value stays as it
// was put, so that a worker sees since when a row is due, and whoever puts the record again ends the lease by that. Mostly nothing is due,
// and that is asked for every second: the codec is made where there is something.
func claim[T any](ctx context.Context, s *Store, k Kind, f func() codec[T], now time.Time, lease time.Duration, limit int) ([]T, error) {
	rs, err := s.engine.Claim(ctx, k, now, lease, limit)
	if err != nil {
		return nil, fmt.Errorf("claim %s: %w", k, err)
	}
	if len(rs) == 0 {
		return nil, nil
	}
	return f().decodeAll(s.keyring, rs)
}

// Account reads an account by id. ErrNotFound.
func (s *Store) Account(ctx context.Context, id string) (Account, error) {
	f := accounts()
	r, err := s.engine.Get(ctx, f.kind, id)
	if err != nil {
		return Account{}, f.failed("read", id, err)
	}
	return s.account(r)
}

// Accounts lists accounts by id, from behind the one named after.
func (s *Store) Accounts(ctx context.Context, after string, limit int) ([]Account, error) {
	return list(ctx, s, accounts(), "", after, limit)
}

// Chat reads a chat. ErrNotFound.
func (s *Store) Chat(ctx context.Context, id int64) (Chat, error) {
	return read(ctx, s, chats(), number(id))
}

// Session reads where a person stands in a chat; a zero Session where they stand nowhere.
func (s *Store) Session(ctx context.Context, chat, user int64) (Session, error) {
	v, err := read(ctx, s, sessions(), sessionKey(chat, user))
	return v, ignoring(err, ErrNotFound)
}

// Purchase reads a purchase by id. ErrNotFound.
func (s *Store) Purchase(ctx context.Context, id string) (Purchase, error) {
	return read(ctx, s, purchases(), id)
}

// ChatPurchases lists a chat's purchases, newest first, from behind the one named after.
func (s *Store) ChatPurchases(ctx context.Context, chat int64, after string, limit int) ([]Purchase, error) {
	if after != "" {
		after = byChatKey(chat, after)
	}
	return s.indexed(ctx, KindByChat, number(chat)+"/", after, limit)
}

// NewestPurchases lists the newest purchases of some chats together, `limit` of them, newest first, from behind the one named
// after. The indexes tell which these are: no other is read. next is the one behind them, "" where there is none.
func (s *Store) NewestPurchases(ctx context.Context, chats []int64, after string, limit int) (list []Purchase, next string, err error) {
	var ids []string
	for _, chat := range chats {
		from := ""
		if after != "" {
			from = byChatKey(chat, after)
		}
		index, err := s.engine.Scan(ctx, KindByChat, number(chat)+"/", from, limit+1)
		if err != nil {
			return nil, "", fmt.Errorf("list %s: %w", KindByChat, err)
		}
		for _, r := range index {
			ids = append(ids, string(r.Value))
		}
	}
	slices.SortFunc(ids, func(a, b string) int { return strings.Compare(b, a) })
	if len(ids) > limit {
		ids, next = ids[:limit], ids[limit]
	}
	list, err = readMany(ctx, s, purchases(), ids)
	return list, next, err
}

// OpenPurchases lists the purchases that are neither drafted nor final, oldest first, from behind the one
// named after.
func (s *Store) OpenPurchases(ctx context.Context, after string, limit int) ([]Purchase, error) {
	return s.indexed(ctx, KindOpen, "", after, limit)
}

// Order reads an order of an account by the service's id. ErrNotFound.
func (s *Store) Order(ctx context.Context, account, id string) (Order, error) {
	return read(ctx, s, orders(), orderKey(account, id))
}

// OrdersOf reads a purchase's orders, by unit. Those that only an uncertain answer named are left out: they
// are nobody's yet, or another purchase's.
func (s *Store) OrdersOf(ctx context.Context, p Purchase) ([]Order, error) {
	keys := make([]string, len(p.OrderIDs))
	for i, id := range p.OrderIDs {
		keys[i] = orderKey(p.Account, id)
	}
	all, err := readMany(ctx, s, orders(), keys)
	return slices.DeleteFunc(all, func(o Order) bool { return o.Purchase != p.ID }), err
}

// OrdersNow reads orders of one account anew, by their ids. Those that are not there are left out.
func (s *Store) OrdersNow(ctx context.Context, was []Order) (map[string]Order, error) {
	keys := make([]string, len(was))
	for i, o := range was {
		keys[i] = orderKey(o.Account, o.ID)
	}
	list, err := readMany(ctx, s, orders(), keys)
	now := make(map[string]Order, len(list))
	for _, o := range list {
		now[o.ID] = o
	}
	return now, err
}

// PendingOrders lists the orders of an account of which something is awaited, by the service's id, from behind
// the one named after.
func (s *Store) PendingOrders(ctx context.Context, account, after string, limit int) ([]Order, error) {
	if after != "" {
		after = orderKey(account, after)
	}
	index, err := s.engine.Scan(ctx, KindPending, account+"/", after, limit)
	if err != nil {
		return nil, fmt.Errorf("list pending orders: %w", err)
	}
	keys := make([]string, len(index))
	for i, r := range index {
		keys[i] = r.Key
	}
	return readMany(ctx, s, orders(), keys)
}

// PendingBeside lists the first of those orders, but for some that are known: they are not read.
func (s *Store) PendingBeside(ctx context.Context, account string, known []Order, limit int) ([]Order, error) {
	index, err := s.engine.Scan(ctx, KindPending, account+"/", "", limit)
	if err != nil {
		return nil, fmt.Errorf("list pending orders: %w", err)
	}
	has := make(map[string]bool, len(known))
	for _, o := range known {
		has[orderKey(o.Account, o.ID)] = true
	}
	var keys []string
	for _, r := range index {
		if !has[r.Key] {
			keys = append(keys, r.Key)
		}
	}
	return readMany(ctx, s, orders(), keys)
}

// ClaimOrders takes orders that are due for a look. They keep the Due that they were put with.
func (s *Store) ClaimOrders(ctx context.Context, now time.Time, lease time.Duration, limit int) ([]Order, error) {
	return claim(ctx, s, KindOrder, orders, now, lease, limit)
}

// ClaimAccounts takes accounts that are due for a look: at their refunds, or because they are frozen.
func (s *Store) ClaimAccounts(ctx context.Context, now time.Time, lease time.Duration, limit int) ([]Account, error) {
	return claim(ctx, s, KindAccount, accounts, now, lease, limit)
}

// Movements lists the changes of an account's balance, newest first.
func (s *Store) Movements(ctx context.Context, account string, limit int) ([]Movement, error) {
	return list(ctx, s, movements(), account+"/", "", limit)
}

// Players reads whom a chat has topped up last, newest first.
func (s *Store) Players(ctx context.Context, chat int64, account string) ([]Player, error) {
	p, err := read(ctx, s, players(), ofChat(chat, account))
	return p.List, ignoring(err, ErrNotFound)
}

// ClaimOutbox takes messages that are due to be sent.
func (s *Store) ClaimOutbox(ctx context.Context, now time.Time, lease time.Duration, limit int) ([]Outgoing, error) {
	return claim(ctx, s, KindOutbox, outbox, now, lease, limit)
}

// ClaimPurchases takes purchases whose time has come: drafts to expire, and uncertain ones to look for.
func (s *Store) ClaimPurchases(ctx context.Context, now time.Time, lease time.Duration, limit int) ([]Purchase, error) {
	return claim(ctx, s, KindPurchase, purchases, now, lease, limit)
}

// Outgoing reads a message that waits. ErrNotFound.
func (s *Store) Outgoing(ctx context.Context, chat int64, id string) (Outgoing, error) {
	return read(ctx, s, outbox(), outboxKey(chat, id))
}

// ChatOutbox lists the messages that wait for a chat, in sending order.
func (s *Store) ChatOutbox(ctx context.Context, chat int64, limit int) ([]Outgoing, error) {
	return list(ctx, s, outbox(), number(chat)+"/", "", limit)
}

// transact runs fn as one transaction of the engine, then wakes whoever waits for what it has queued.
func (s *Store) transact(ctx context.Context, run func(context.Context, func(RecordTx) error) error, fn func(*Tx) error) error {
	var last *Tx // fn may run more than once; what the last run asked for is done
	var drained drained
	err := run(ctx, func(records RecordTx) error {
		last = &Tx{records: records, keyring: s.keyring, mark: s.mark, wake: map[Kind]bool{}, decoded: &s.decoded, hints: &s.hints, open: &s.open, finished: &s.finished, drained: drained.run()}
		if err := fn(last); err != nil {
			return err
		}
		return last.keepBooks(time.Now())
	})
	if err != nil {
		s.finish(ctx, drained.ids...)
		return err
	}
	// Behind the commit, and before the functions of Then: workers begin while those run.
	for k := range last.wake {
		select {
		// A send to a nil channel never goes through, so kinds without one fall to the default.
		case s.wakes[k] <- struct{}{}:
		default: // a hint is waiting already, or nobody waits for this kind
		}
	}
	for _, do := range last.then {
		do()
	}
	return nil
}

// indexed reads the purchases that an index names.
func (s *Store) indexed(ctx context.Context, k Kind, prefix, after string, limit int) ([]Purchase, error) {
	index, err := s.engine.Scan(ctx, k, prefix, after, limit)
	if err != nil {
		return nil, fmt.Errorf("list %s: %w", k, err)
	}
	keys := make([]string, len(index))
	for i, r := range index {
		keys[i] = string(r.Value)
	}
	return readMany(ctx, s, purchases(), keys)
}

// account decodes an account.
func (s *Store) account(r Record) (Account, error) {
	// The record is read each time, for its version; only the decoding of it is spared.
	if a, ok := s.decoded.of(r); ok {
		return a, nil
	}
	a, err := accounts().decode(s.keyring, r)
	if err == nil {
		s.decoded.keep(a)
	}
	return a, err
}

package store

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"resellerbot/internal/store/seal"
)

// seenFor is how long the id of a handled update is kept: Telegram repeats none that is older than a day.
const seenFor = 48 * time.Hour

// Store is everything the bot has promised, on disk.
type Store struct {
	engine  Engine
	keyring *seal.Keyring
	packers *packers
	mark    []byte // what codes are marked with where they are claimed
	wakes   map[Kind]chan struct{}
	decoded decodedAccounts
}

// Open brings the engine's records to this program's schema and checks that the keyring opens them.
// ErrWrongKey, ErrNewer.
func Open(ctx context.Context, e Engine, keyring *seal.Keyring) (*Store, error) {
	s := &Store{engine: e, keyring: keyring, packers: &packers{}, wakes: map[Kind]chan struct{}{}}
	for _, k := range []Kind{KindOutbox, KindOrder, KindMenu} {
		s.wakes[k] = make(chan struct{}, 1)
	}
	if err := s.migrate(ctx, schemas()); err != nil {
		return nil, fmt.Errorf("open the store: %w", err)
	}
	if err := s.beginClaims(ctx); err != nil {
		return nil, fmt.Errorf("open the store: %w", err)
	}
	return s, nil
}

// Close releases the engine.
func (s *Store) Close() error { return s.engine.Close() }

// Update runs fn as one durable unit with a commit of its own: for money.
func (s *Store) Update(ctx context.Context, fn func(*Tx) error) error {
	return s.unit(ctx, s.engine.Update, fn)
}

// Batch runs fn as one durable unit that may share its commit with others of the same millisecond. fn
// may run again.
func (s *Store) Batch(ctx context.Context, fn func(*Tx) error) error {
	return s.unit(ctx, s.engine.Batch, fn)
}

// Wake hints that something of a kind was queued since the last hint: KindOutbox, KindOrder and
// KindMenu. A hint may come for nothing.
func (s *Store) Wake(k Kind) <-chan struct{} { return s.wakes[k] }

// NextDue is when the next queued record of a kind is due; false where nothing is queued.
func (s *Store) NextDue(ctx context.Context, k Kind) (time.Time, bool, error) {
	return s.engine.NextDue(ctx, k)
}

// read reads one record outside of a unit.
func read[T any](ctx context.Context, s *Store, f codec[T], key string) (T, error) {
	r, err := s.engine.Get(ctx, f.kind, key)
	if err != nil {
		var none T
		return none, f.failed("read", key, err)
	}
	return f.decode(s.keyring, r)
}

// list reads records in key order outside of a unit.
func list[T any](ctx context.Context, s *Store, f codec[T], prefix, after string, limit int) ([]T, error) {
	rs, err := s.engine.Scan(ctx, f.kind, prefix, after, limit)
	if err != nil {
		return nil, f.failed("list", prefix, err)
	}
	return f.decodeAll(s.keyring, rs)
}

// claim takes what is due of a codec for the length of a lease.
func claim[T any](ctx context.Context, s *Store, f codec[T], now time.Time, lease time.Duration, limit int) ([]T, error) {
	rs, err := s.engine.Claim(ctx, f.kind, now, lease, limit)
	if err != nil {
		return nil, f.failed("claim", "", err)
	}
	return f.decodeAll(s.keyring, rs)
}

// Account reads an account by id. ErrNotFound.
func (s *Store) Account(ctx context.Context, id string) (Account, error) {
	f := accounts()
	r, err := s.engine.Get(ctx, f.kind, id)
	if err != nil {
		return Account{}, f.failed("read", id, err)
	}
	if a, ok := s.decoded.of(r); ok {
		return a, nil
	}
	a, err := f.decode(s.keyring, r)
	if err == nil {
		s.decoded.keep(a)
	}
	return a, err
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
	all, err := readEach(p.OrderIDs, func(id string) (Order, error) { return s.Order(ctx, p.Account, id) })
	return slices.DeleteFunc(all, func(o Order) bool { return o.Purchase != p.ID }), err
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
	return readEach(index, func(r Record) (Order, error) { return read(ctx, s, orders(), r.Key) })
}

// ClaimOrders takes orders that are due for a look. They keep the Due that they were put with.
func (s *Store) ClaimOrders(ctx context.Context, now time.Time, lease time.Duration, limit int) ([]Order, error) {
	return claim(ctx, s, orders(), now, lease, limit)
}

// ClaimAccounts takes accounts that are due for a look: at their refunds, or because they are frozen.
func (s *Store) ClaimAccounts(ctx context.Context, now time.Time, lease time.Duration, limit int) ([]Account, error) {
	return claim(ctx, s, accounts(), now, lease, limit)
}

// Movements lists the changes of an account's balance, newest first.
func (s *Store) Movements(ctx context.Context, account string, limit int) ([]Movement, error) {
	return list(ctx, s, movements(), account+"/", "", limit)
}

// Players reads whom a chat has topped up last, newest first.
func (s *Store) Players(ctx context.Context, chat int64) ([]Player, error) {
	p, err := read(ctx, s, players(), number(chat))
	return p.List, ignoring(err, ErrNotFound)
}

// ClaimOutbox takes messages that are due to be sent.
func (s *Store) ClaimOutbox(ctx context.Context, now time.Time, lease time.Duration, limit int) ([]Outgoing, error) {
	return claim(ctx, s, outbox(), now, lease, limit)
}

// ClaimPurchases takes purchases whose time has come: drafts to expire, and uncertain ones to look for.
func (s *Store) ClaimPurchases(ctx context.Context, now time.Time, lease time.Duration, limit int) ([]Purchase, error) {
	return claim(ctx, s, purchases(), now, lease, limit)
}

// Outgoing reads a message that waits. ErrNotFound.
func (s *Store) Outgoing(ctx context.Context, chat int64, id string) (Outgoing, error) {
	return read(ctx, s, outbox(), outboxKey(chat, id))
}

// ChatOutbox lists the messages that wait for a chat, in sending order.
func (s *Store) ChatOutbox(ctx context.Context, chat int64, limit int) ([]Outgoing, error) {
	return list(ctx, s, outbox(), number(chat)+"/", "", limit)
}

// unit runs fn as one unit of the engine, then wakes whoever waits for what it has queued.
func (s *Store) unit(ctx context.Context, run func(context.Context, func(RecordTx) error) error, fn func(*Tx) error) error {
	var last *Tx // fn may run more than once; what the last run asked for is done
	err := run(ctx, func(records RecordTx) error {
		last = &Tx{records: records, keyring: s.keyring, packers: s.packers, mark: s.mark, wake: map[Kind]bool{}, decoded: &s.decoded}
		if err := fn(last); err != nil {
			return err
		}
		return last.keepBooks(time.Now())
	})
	if err != nil {
		return err
	}
	for k := range last.wake {
		select {
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
	return readEach(index, func(r Record) (Purchase, error) { return s.Purchase(ctx, string(r.Value)) })
}

// readEach reads what each of a list names, and leaves out what is not there.
func readEach[N, T any](names []N, read func(N) (T, error)) ([]T, error) {
	out := make([]T, 0, len(names))
	for _, name := range names {
		v, err := read(name)
		if errors.Is(err, ErrNotFound) {
			continue
		}
		if err != nil {
			return nil, err
		}
		out = append(out, v)
	}
	return out, nil
}

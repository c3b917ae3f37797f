package notify

import (
	"net/http"
	"time"

	"resellerbot/internal/api"
	"resellerbot/internal/notify/worth"
	"resellerbot/internal/store"
)

// book is the orders of one account that are in hand, and the call that is planned for them.
type book struct {
	account string
	service OrderSource
	key     string // the fingerprint of the key that service asks under
	batch   int    // most orders that the service takes in one call; 0 where it has never refused
	batched bool   // the service does not show an order of a batch by itself

	orders   map[string]*pending
	asking   bool // a call is under way: what is in hand is not planned for meanwhile
	next     query
	failures int       // calls that failed in a row
	refusals int       // of them the last ones that refused the key
	told     bool      // its owners know that the key is refused
	rest     time.Time // the service is not asked before
}

// pending is an order that waits for its outcome.
type pending struct {
	store.Order

	belief worth.Belief
}

// query is a look at orders: those of a batch together, or one by itself.
type query struct {
	at      time.Time
	service OrderSource
	key     string // as of the book
	orders  []store.Order
	alone   bool
}

func newBook(account string) *book { return &book{account: account, orders: map[string]*pending{}} }

// enter takes an order into hand. One that is there already keeps what is known of its looks, unless the
// disk knows of a later one.
func (b *book) enter(o store.Order, belief worth.Belief) {
	if known, ok := b.orders[o.ID]; ok && known.SeenAt.After(o.SeenAt) {
		o.SeenAt, o.Looks = known.SeenAt, known.Looks
	}
	b.orders[o.ID] = &pending{o, belief}
}

// leave empties the book.
func (b *book) leave() (orders []store.Order) {
	for id, o := range b.orders {
		orders = append(orders, o.Order)
		delete(b.orders, id)
	}
	return orders
}

// looked notes that an order was not ready at a moment.
func (b *book) looked(id string, at time.Time) {
	if o, ok := b.orders[id]; ok && at.After(o.SeenAt) {
		o.SeenAt, o.Looks = at, o.Looks+1
	}
}

// plan chooses the next call: of the ways to look at what is in hand, the one that is worth its price first.
func (b *book) plan(now time.Time) {
	if b.asking {
		return
	}
	b.next = query{}
	var together, alone []*pending
	for _, o := range b.orders {
		if api.Origin(o.Origin).Batched() {
			together = append(together, o)
		} else {
			alone = append(alone, o)
		}
	}
	most := batchSize
	if b.batch > 0 {
		most = min(most, b.batch)
	}
	posts, gets := b.lane(http.MethodPost, most, now), b.lane(http.MethodGet, 1, now)
	b.consider(together, posts, false)
	b.consider(alone, gets, true)
	if !b.batched && (len(together) == 1 || posts.Most == 0) {
		b.consider(together, gets, true)
	}
}

// consider plans a look at some of the orders, if it is due before the one that is planned.
func (b *book) consider(orders []*pending, lane worth.Lane, alone bool) {
	if len(orders) == 0 {
		return
	}
	list := make([]worth.Order, len(orders))
	for i, o := range orders {
		list[i] = worth.Order{Began: o.CreatedAt, Looked: later(o.CreatedAt, o.SeenAt), Belief: o.belief}
	}
	at := lane.Next(list)
	if b.next.orders != nil && !at.Before(b.next.at) {
		return
	}
	b.next = query{at: at, service: b.service, key: b.key, alone: alone}
	for _, i := range lane.Pick(list, at) {
		b.next.orders = append(b.next.orders, orders[i].Order)
	}
}

// lane is one of the service's budgets, as looks may spend it.
func (b *book) lane(method string, batch int, now time.Time) worth.Lane {
	a := b.service.Allowance(method)
	return worth.Lane{
		Batch: batch, Left: a.Left, Most: a.Most, PerSecond: a.PerSecond, Now: now,
		NotBefore: later(a.NotBefore, b.rest), Halving: max(a.Most/3, 1),
	}
}

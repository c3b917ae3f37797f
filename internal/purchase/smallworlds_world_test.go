package purchase

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"resellerbot/internal/api"
	"resellerbot/internal/api/dzd"
	"resellerbot/internal/secret"
)

const (
	smallPrice  = 100
	smallWallet = 1000
	foreigner   = 2 // whose order is nobody's of ours; 0 and 1 are our own purchases
)

// kindOfWorld is what does not change while a small world lives.
type kindOfWorld struct {
	known  bool // enough purchases were followed to know how late its readings are
	shared bool // it is known that others use the account
	held   bool // money of orders in progress is held: `available_balance` falls at once, `balance` at completion
	list   listing
	dated  bool // the list tells when orders were made
}

// listing is how the list of orders is.
type listing uint8

const (
	complete listing = iota // shows everything at once
	lagging                 // may be one or two orders late
	missing                 // there is none
	other                   // may be late, and calls orders by ids of its own: ours show by their code alone
)

func (k kindOfWorld) String() string {
	said := []string{[...]string{"a complete list", "a lagging list", "no list", "a list of other ids"}[k.list]}
	for _, w := range []struct {
		so      bool
		yes, no string
	}{
		{k.dated, "", ", undated"},
		{k.known, ", lags known", ", lags unknown"},
		{k.shared, ", known to be shared", ""},
		{k.held, ", money held", ", money taken at once"},
	} {
		if w.so {
			said = append(said, w.yes)
		} else {
			said = append(said, w.no)
		}
	}
	return strings.Join(said, "")
}

// latest is how late a reading may be at most: what is older shows.
func (k kindOfWorld) latest() time.Duration { return quietTime - 10*time.Second }

// answering is what the service answers a purchase with.
type answering uint8

const (
	unbought    answering = iota // it was not sent yet
	withIDs                      // the orders' ids
	withNothing                  // nothing
	withRefusal                  // an enveloped 4xx
)

func (a answering) String() string {
	return [...]string{"not sent", "answered with its order", "its answer is lost", "refused with 4xx"}[a]
}

// deed is a purchase as the service knows it, ours or not.
type deed struct {
	answer    answering
	sent, end time.Duration // of the attempt
	executed  bool
	at        time.Duration // when
	completed bool
	failed    bool // and its money is back
	unlisted  bool // the foreign one: no list before a purchase after it has shown it
	hidden    bool // the foreign one: neither its order nor its money was in the snapshot of a purchase after it
}

// cash is a change of the wallet.
type cash struct {
	at                 time.Duration
	available, balance int64
	why                byte
}

// world is the truth: what the service has done.
type world struct {
	kind   kindOfWorld
	now    time.Duration
	deeds  [3]deed
	rows   []int // of the deeds, in the order in which they were executed
	cash   []cash
	topups int     // 0: none yet
	soons  int     // short pauses so far
	named  [2]bool // purchases that were named where money went
	extras int     // of the foreign purchase, the top-up and the refund, those that were
}

// clone copies a world.
func (w *world) clone() *world {
	c := *w
	c.rows, c.cash = slices.Clone(w.rows), slices.Clone(w.cash)
	return &c
}

// move moves money.
func (w *world) move(why byte, available, balance int64) {
	w.cash = append(w.cash, cash{w.now, available, balance, why})
}

// execute makes a purchase's order.
func (w *world) execute(i int) {
	d := &w.deeds[i]
	d.executed, d.at = true, w.now
	w.rows = append(w.rows, i)
	balance := int64(-smallPrice)
	if w.kind.held {
		balance = 0
	} else {
		d.completed = true
	}
	w.move('a'+byte(i), -smallPrice, balance)
}

// complete ends the orders that are on their way.
func (w *world) complete() {
	for i := range w.deeds {
		if d := &w.deeds[i]; d.executed && !d.completed && !d.failed {
			d.completed = true
			w.move('A'+byte(i), 0, -smallPrice)
		}
	}
}

// fail ends an order without its good: the money is back.
func (w *world) fail(i int) {
	d := &w.deeds[i]
	d.failed = true
	if d.completed {
		w.move('r', smallPrice, smallPrice)
	} else {
		w.move('r', smallPrice, 0)
	}
}

// hideable is how many of the latest changes a reading may not show, two at most.
func hideable[T any](all []T, at func(T) time.Duration, w *world) (n int) {
	for _, x := range slices.Backward(all) {
		if n == 2 || w.now-at(x) >= w.kind.latest() {
			break
		}
		n++
	}
	return n
}

// reads is how old each reading is, in changes that it does not show.
type reads struct{ money, list int }

func (r reads) String() string {
	if r == (reads{}) {
		return "all fresh"
	}
	return fmt.Sprintf("money %d old, list %d old", r.money, r.list)
}

// readings lists the readings that differ.
func (w *world) readings(list bool) (out []reads) {
	moneys := hideable(w.cash, func(c cash) time.Duration { return c.at }, w)
	lists := 0
	if list && (w.kind.list == lagging || w.kind.list == other) {
		lists = hideable(w.rows, func(i int) time.Duration { return w.deeds[i].at }, w)
	}
	seen := map[api.Balance]bool{}
	for m := range moneys + 1 {
		if b := w.balance(m); !seen[b] {
			seen[b] = true
			for l := range lists + 1 {
				out = append(out, reads{m, l})
			}
		}
	}
	return out
}

// balance is the wallet as a reading shows it.
func (w *world) balance(hidden int) api.Balance {
	balance, available := int64(smallWallet), int64(smallWallet)
	for _, c := range w.cash[:len(w.cash)-hidden] {
		balance, available = balance+c.balance, available+c.available
	}
	return api.Balance{Balance: dzd.Int(balance), Available: dzd.Int(available)}
}

// began is when the worlds begin, on the clock of a bubble.
func began() time.Time { return time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC) }

// idOf is what the answer to a purchase calls its order, listedAs what the list calls it.
func idOf(i int) string { return fmt.Sprintf("N%d", i) }

func (w *world) listedAs(i int) string {
	if w.kind.list == other {
		return fmt.Sprintf("L%d", i)
	}
	return idOf(i)
}

// codeOf is the code of an order.
func codeOf(i int) secret.Text { return secret.New(fmt.Sprintf("CODE-%04d", 1000+i)) }

// origin is how the orders are followed that an answer names.
func (w *world) origin() api.Origin {
	if w.kind.list == other {
		return api.FromCurrent
	}
	return api.FromLegacy
}

// order is an order as the service shows it.
func (w *world) order(i int) api.Order {
	d := w.deeds[i]
	o := api.Order{ID: w.listedAs(i), ProductName: "Card", VariantName: "10 USD", Price: dzd.Int(smallPrice), Status: "pending"}
	if w.kind.dated {
		o.CreatedAt = began().Add(d.at)
	}
	switch {
	case d.failed:
		o.Status = "canceled"
	case d.completed:
		o.Status, o.Code = "completed", codeOf(i)
	}
	return o
}

// smallService is the service of a small world.
type smallService struct {
	*world

	read    reads
	buying  int // which purchase is posted next
	answer  answering
	execute bool
}

func (s *smallService) Variants(context.Context, int64) ([]api.Variant, error) {
	return []api.Variant{{ID: 7, Name: "10 USD", Price: dzd.Int(smallPrice), Available: true}}, nil
}

func (s *smallService) Balance(context.Context, time.Duration) (api.Balance, error) {
	return s.balance(s.read.money), nil
}

func (s *smallService) History(context.Context, api.Family, time.Duration) ([]api.Order, error) {
	if s.kind.list == missing {
		return nil, &api.Error{Op: "history", Class: api.NotOffered}
	}
	var list []api.Order
	for _, i := range s.rows[:len(s.rows)-s.read.list] {
		list = append(list, s.order(i))
	}
	return list, nil
}

func (s *smallService) Order(context.Context, api.OrderRef) (api.Order, error) {
	return api.Order{}, &api.Error{Op: "order", Class: api.NotFound}
}

func (s *smallService) Orders(context.Context, []string) ([]api.Order, error) { return nil, nil }

func (s *smallService) Forget() {}

func (s *smallService) Purchase(context.Context, api.PurchaseRequest) api.Verdict {
	d := &s.deeds[s.buying]
	d.answer, d.sent = s.answer, s.now
	if s.execute {
		s.world.execute(s.buying)
	}
	switch s.answer {
	case withIDs:
		return api.Verdict{Outcome: api.Accepted, OrderIDs: []string{idOf(s.buying)}, Origin: s.origin(), Status: 200}
	case withRefusal:
		return api.Verdict{Outcome: api.Rejected, Class: api.OutOfStock, Status: 400, Reason: "refused"}
	}
	return api.Verdict{Outcome: api.Unknown, Reason: "timeout"}
}

// beside reports whether a foreign purchase cannot be told from an attempt of ours by anything that the service
// shows: nobody knew that others buy with the account, the attempt was lost or refused and not executed, and an
// order of the same item was made within its window, as near as clocks tell. What the snapshot before the attempt
// showed of it tells it apart.
func (w *world) beside(answer answering) bool {
	f := w.deeds[foreigner]
	if !f.executed || w.kind.shared || w.kind.list == missing {
		return false
	}
	for i, d := range w.deeds[:foreigner] {
		if d.answer == answer && (!d.executed || d.at > f.at) && w.within(i) {
			return true
		}
	}
	return false
}

// within reports whether the foreign purchase was made within the window of an attempt, on an account that nobody
// knew to be shared, and the snapshot before the attempt did not show it.
func (w *world) within(i int) bool {
	f, d := w.deeds[foreigner], w.deeds[i]
	return !w.kind.shared && (f.at >= d.sent || f.hidden) && f.at >= d.sent-skew && f.at <= d.end+skew
}

// unlisted reports whether the foreign purchase was made just before an attempt, and the list did not show it then.
// Its money did; an older reading that comes later undoes that.
func (w *world) unlisted(i int) bool {
	f, d := w.deeds[foreigner], w.deeds[i]
	return !w.kind.shared && f.unlisted && f.at >= d.sent-skew && f.at <= d.sent
}

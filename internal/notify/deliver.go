package notify

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"slices"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"resellerbot/internal/backoff"
	"resellerbot/internal/screen"
	"resellerbot/internal/store"
	"resellerbot/internal/telegram"
)

const (
	drains      = 128              // chats drained side by side: several seconds of the budget
	claimRows   = 128              // rows claimed at once
	chatRows    = 200              // rows of a chat looked at in a round
	sendTime    = 25 * time.Second // for one message, with its place in the queue
	roundTime   = 20 * time.Second // then a chat's rows are claimed anew: with sendTime below lease
	patience    = 2 * time.Second  // a chat that is paced for longer gives its place to another
	stopGrace   = 5 * time.Second  // for sends in flight when Run is told to stop
	mostWaiting = drains / 4       // messages that wait for the budget in memory though they can wait; more do on disk, out of the way of codes
	longWait    = 5 * time.Minute  // longer than any back-off or lease: see isAside
	balanceTime = 2 * time.Second  // how long the balance under an outcome may take
)

// Screens renders what is delivered, in one language.
type Screens interface {
	Traded(p store.Purchase, orders []store.Order, b screen.BalanceView, at store.QueuePlace, t store.Trade) screen.Message
	Ping(p store.Purchase, orders []store.Order) screen.Message
	Bell(p store.Purchase, orders []store.Order) screen.Button
	Document(p store.Purchase, orders []store.Order) screen.Message
	Part(p store.Purchase, orders []store.Order, units store.Units, last bool) screen.Message
	Support(p store.Purchase, orders []store.Order, account string) screen.Message
	Copy(p store.Purchase, orders []store.Order) screen.Message
	Note(name store.NoteName, args map[string]string) screen.Message
	Groups
	Questions
}

// Groups renders what stands in a group of deliveries by itself.
type Groups interface {
	TopicName(s store.Subject) string
	BoardEnded(moved bool) screen.Message
}

// Questions renders what owners are asked, and what others read of it.
type Questions interface {
	Request(p store.Purchase, orders []store.Order, b screen.BalanceView) screen.Message
	Decision(p store.Purchase, orders []store.Order, at store.QueuePlace) screen.Message
	Pending(p store.Purchase, orders []store.Order, at store.QueuePlace) screen.Message
}

// ScreensOf are the parts of a printer which render what is delivered.
func ScreensOf(p screen.Printer) Screens {
	return struct {
		screen.Purchases
		screen.Codes
		screen.Approvals
		screen.Notes
	}{p.Purchases(), p.Codes(), p.Approvals(), p.Notes()}
}

// DelivererConfig is what a Deliverer is built from. All fields are required but Operator.
type DelivererConfig struct {
	Store  *store.Store
	Sender *telegram.Sender
	// They are for somebody who sees the shop's prices in the place of what things cost where these say so.
	Screens func(language string, r screen.Reader, chat int64, own store.Prices) Screens
	// Lists are the screens of lists; as Screens.
	Lists func(language string, r screen.Reader, chat int64, own store.Prices) ListScreens
	// Named has a message name its account, for somebody who has several.
	Named func(language, account, called string, m screen.Message) screen.Message
	// Language is spoken to chats that the store does not know.
	Language string
	// Operator is the chat of the operator; zero where there is none.
	Operator int64
	Zone     *time.Location // of quiet hours
	// Balance reads an account's balance to show under an outcome; unknown where it cannot be had soon.
	Balance func(ctx context.Context, account string) screen.BalanceView
	Log     *slog.Logger
}

// Deliverer brings the outbox to Telegram: each chat's messages in order, different chats side by side.
// What cannot be delivered now waits in the store. What Telegram will never take leaves the outbox after some days;
// the codes that it was to bring stay where they are, and can be opened.
type Deliverer struct {
	cfg   DelivererConfig
	waker waker

	mu     sync.Mutex
	rounds map[int64]*round // chats that are being drained
	woken  []int64
	pinged map[int64]time.Time // when a chat's phone has rung last
	slot   time.Time           // when the last of what was set aside is tried again
}

// round is the work at hand for one chat.
//
// While one goroutine walks a chat, what is claimed for it meanwhile gathers in the next round, so that
// nobody ever sends to a chat beside somebody else.
type round struct {
	claimed map[string]bool // ids of the rows that are claimed for it
	since   time.Time       // of the first claim
	wake    bool            // the chat takes messages again: everything that waits is due
	more    bool            // something came while it was drained
}

func newRound() *round { return &round{claimed: map[string]bool{}} }

// over reports whether a round ends here: it has had its time, or Run is told to stop.
func (r *round) over(ctx context.Context, now time.Time) bool {
	return ctx.Err() != nil || now.Sub(r.since) > roundTime
}

// NewDeliverer makes a Deliverer. It does nothing until Run.
func NewDeliverer(cfg DelivererConfig) *Deliverer {
	return &Deliverer{cfg: cfg, waker: newWaker(cfg.Store, store.KindOutbox), rounds: map[int64]*round{}, pinged: map[int64]time.Time{}}
}

// Wake tells that a chat which refused messages takes them again: what waits for it goes out now.
func (d *Deliverer) Wake(chat int64) {
	d.mu.Lock()
	d.woken = append(d.woken, chat)
	d.mu.Unlock()
	d.waker.wake()
}

// Run delivers until ctx is done, then lets the sends in flight finish, for 5 s at most. An error is an
// answer of Telegram after which nothing can be delivered: the token is not accepted (401, 404), or
// another process uses it (409).
func (d *Deliverer) Run(ctx context.Context) error {
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(drains)
	// Two contexts: ctx ends the taking of new rows, wire the sends that are under way, stopGrace later. A send that is cut may
	// have arrived, and would have to be repeated.
	wire, cut := backoff.WithGrace(ctx, stopGrace)
	defer cut()
	dispatch := func(now time.Time) []store.Outgoing {
		rows := d.claim(ctx, now)
		// Go blocks while all drains are at work, and claiming waits with it: what is not claimed has no lease that could end.
		for _, chat := range d.enlist(rows) {
			g.Go(func() error { return d.drain(ctx, wire, chat) })
		}
		return rows
	}
	inherited := time.Now().Add(lease) // what an earlier process had claimed is nobody's now
	for seen := (rowSet{}); seen.grow(dispatch(inherited)) == claimRows; {
		continue // until what comes is known: it was put back to a moment before that
	}
	for d.waker.wait(ctx) {
		dispatch(time.Now())
	}
	return g.Wait()
}

// drain works on one chat until nothing that is claimed for it is left.
func (d *Deliverer) drain(ctx, wire context.Context, chat int64) error {
	// drain leaves only by next, which asks under the lock: rows that are enlisted at that moment are either in its round, or
	// begin a goroutine of their own.
	for {
		r, ok := d.next(chat)
		switch {
		case !ok:
			return nil
		case r.wake:
			d.revive(wire, chat)
		default:
			if err := d.walk(ctx, wire, chat, r); err != nil {
				return err
			}
		}
	}
}

// next hands over what is claimed for a chat by now. Where there is nothing, the chat is left.
func (d *Deliverer) next(chat int64) (*round, bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	r := d.rounds[chat]
	if !r.more {
		delete(d.rounds, chat)
		return nil, false
	}
	// The entry stays while the chat is worked on: it is what keeps enlist from beginning a second goroutine.
	d.rounds[chat] = newRound()
	return r, true
}

// walk delivers a chat's rows in order. At one that has to wait it stops, and what comes after waits
// with it: all of it behind a code, and behind anything else what is neither a code nor about one.
func (d *Deliverer) walk(ctx, wire context.Context, chat int64, r *round) error {
	home, err := d.home(wire, chat)
	if err != nil {
		d.cfg.Log.Error("read the chat", "chat", chat, "err", err)
		return nil // the rows are claimed again when their lease is over
	}
	// All rows of the chat are read and not those alone that were claimed: an older one that is not due holds the younger back.
	rows, err := d.cfg.Store.ChatOutbox(wire, chat, chatRows)
	if err != nil {
		d.cfg.Log.Error("read the outbox", "chat", chat, "err", err)
		return nil
	}
	aside := false // what can wait, for the rest of this walk
	// Per row, in this order: what nobody waits for is passed over; a part of a file that waits for its rest lets others go ahead; what is
	// no code makes way where the budget is short; and only then does a row that has to wait hold back all behind it.
	for i, row := range rows {
		if isAside(row, home) || row.Kind == store.Ping && !r.claimed[row.ID] { // nothing waits for a ring
			continue
		}
		if d.leftForLater(wire, home, row, rows, r) {
			continue
		}
		if canWait(row) {
			if aside = aside || d.makeWay(wire, home, r, rows[i:]); aside {
				continue
			}
		}
		until, err := d.step(ctx, wire, home, row, r)
		if err != nil {
			return err
		}
		if !until.IsZero() {
			d.postpone(wire, r, rows[i:], until)
			return nil
		}
	}
	return nil
}

// leftForLater tells whether a row is a part of a file that others need not wait for, or goes behind one. One that was claimed
// is given back.
func (d *Deliverer) leftForLater(ctx context.Context, home store.Chat, row store.Outgoing, rows []store.Outgoing, r *round) bool {
	now := time.Now()
	due, waits := row.Due, waitsForRest(row, home, now)
	if !waits {
		due, waits = goesBehindFile(row, rows, home, now)
	}
	if waits && r.claimed[row.ID] {
		d.waitForRest(ctx, row, due)
	}
	return waits
}

// home is where a chat's messages go: to the supergroup, where it has become one.
func (d *Deliverer) home(ctx context.Context, chat int64) (store.Chat, error) {
	const hops = 4 // a circle would be a defect, not a reason to go round for ever
	c := store.Chat{ID: chat}
	for next, i := chat, 0; next != 0 && i < hops; next, i = c.MovedTo, i+1 {
		found, err := d.cfg.Store.Chat(ctx, next)
		switch {
		case errors.Is(err, store.ErrNotFound):
			return store.Chat{ID: next, Language: cmp.Or(c.Language, d.cfg.Language)}, nil
		case err != nil:
			return c, err
		}
		c = found
	}
	return c, nil
}

// isAside reports whether a row waits because Telegram refuses it as it is: then others need not wait for
// it. Any other row that waits for so long does so with its whole chat.
func isAside(row store.Outgoing, home store.Chat) bool {
	return home.Unreachable.IsZero() && time.Until(row.Due) > longWait
}

// canWait reports whether a row is neither a code nor about one.
func canWait(row store.Outgoing) bool { return classOf(row) != telegram.Deliveries }

// makeWay has what can wait of a chat wait, from a row on that can, and reports whether it has to: so that whoever waits for the budget
// is there for a code, and a group has room for one. It is tried again together, so that it stays in order.
func (d *Deliverer) makeWay(ctx context.Context, home store.Chat, r *round, rows []store.Outgoing) bool {
	first, now := rows[0], time.Now()
	rows = slices.DeleteFunc(slices.Clone(rows), func(row store.Outgoing) bool { return !canWait(row) })
	pace := d.cfg.Sender.Delay(home.ID, classOf(first))
	switch {
	case !r.claimed[first.ID], first.Due.After(now) && !first.Sending: // as in step
		d.postpone(ctx, r, rows, laterOf(first.Due, now))
	case d.cfg.Sender.Waiting() >= mostWaiting:
		d.waitForRoom(ctx, r, rows)
	case pace > patience:
		d.postpone(ctx, r, rows, now.Add(pace))
	default:
		return false
	}
	return true
}

// waitForRoom puts rows back until the budget will have had room for all that were put back before them.
func (d *Deliverer) waitForRoom(ctx context.Context, r *round, rows []store.Outgoing) {
	all := d.cfg.Sender.Overall()
	d.mu.Lock()
	// Example: at 28 messages a second, 10 rows take 268 ms.
	//
	// A row is counted with three quarters of the time that the budget has for one: it comes back rather too early, and waits
	// once more, than to a budget that stands idle. Each chat is given the time behind the one before it.
	d.slot = laterOf(d.slot, time.Now()).Add(time.Duration(len(rows)) * all.Per * 3 / 4 / time.Duration(all.N))
	slot := d.slot
	d.mu.Unlock()
	d.postpone(ctx, r, rows, slot)
}

// step delivers one row, or tells until when it, and all behind it, must wait.
func (d *Deliverer) step(ctx, wire context.Context, home store.Chat, row store.Outgoing, r *round) (until time.Time, err error) {
	now, pace := time.Now(), d.cfg.Sender.Delay(home.ID, classOf(row))
	switch {
	// A row that is not claimed belongs to another time, or to a later round: nothing behind it may overtake it.
	case !r.claimed[row.ID], row.Due.After(now) && !row.Sending: // put back since it was claimed, or by an earlier process
		return laterOf(row.Due, now), nil
	case r.over(ctx, now):
		return now, nil
	case pace > patience:
		return now.Add(pace), nil
	}
	// pace is at most patience here: the goroutine, one of few (drains), waits for 2 s at most.
	if row.Kind == store.StatusMessage && pace > 0 {
		var there bool
		if row, there = d.ofTheMoment(ctx, row, pace); !there {
			// Due at once: all behind it is claimed anew, and read as it is without this row.
			return time.Now(), nil
		}
	}
	return d.deliver(wire, home, row)
}

// ofTheMoment waits until its chat takes a status message, before that is rendered: what happens until then needs no edit of its own.
// The row is as it is then; there is none where it is gone, or cannot be read.
func (d *Deliverer) ofTheMoment(ctx context.Context, row store.Outgoing, pace time.Duration) (now store.Outgoing, there bool) {
	if !backoff.Sleep(ctx, pace) {
		return row, false
	}
	now, err := d.cfg.Store.Outgoing(ctx, row.Chat, row.ID)
	if err != nil && !errors.Is(err, store.ErrNotFound) {
		d.cfg.Log.Error("read a message that waits", "chat", row.Chat, "err", err)
	}
	return now, err == nil
}

// postpone puts the rows that are held back until a moment. One that has changed meanwhile has a moment
// of its own.
func (d *Deliverer) postpone(ctx context.Context, r *round, rows []store.Outgoing, until time.Time) {
	d.change(ctx, "put rows back", func(tx *store.Tx) error {
		for _, row := range rows {
			now, err := tx.Outgoing(row.Chat, row.ID)
			if err != nil && !errors.Is(err, store.ErrNotFound) {
				return err
			}
			// A row that is not claimed is another worker's, or nobody's yet: its Due is not ours to set.
			if err != nil || !r.claimed[row.ID] || !now.Due.Equal(row.Due) {
				continue
			}
			now.Due = until
			if err := tx.Retry(now); err != nil {
				return err
			}
		}
		return nil
	})
}

// revive makes everything due that waited for the chat to take messages again.
func (d *Deliverer) revive(ctx context.Context, chat int64) {
	rows, err := d.cfg.Store.ChatOutbox(ctx, chat, chatRows)
	if err != nil {
		d.cfg.Log.Error("read the outbox", "chat", chat, "err", err)
		return
	}
	d.change(ctx, "note that a chat is back", func(tx *store.Tx) error {
		for _, row := range rows {
			// Refusals stay counted: that the chat takes messages says nothing of those which Telegram does not take as they are.
			row.Due, row.Tries = time.Now(), 0
			if err := tx.Retry(row); err != nil {
				return err
			}
		}
		return setReachable(tx, chat)
	})
}

// change makes a transaction of the store, whatever stops meanwhile. What fails is only logged: the
// rows are claimed again when their lease is over.
func (d *Deliverer) change(ctx context.Context, what string, fn func(*store.Tx) error) {
	if err := d.cfg.Store.Batch(context.WithoutCancel(ctx), fn); err != nil {
		d.cfg.Log.Error(what, "err", err)
	}
}

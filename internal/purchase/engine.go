package purchase

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"slices"
	"sync"
	"time"

	"resellerbot/internal/api"
	"resellerbot/internal/store"
)

const (
	draftLife  = 10 * time.Minute // how long a ✅ stays good
	dueLease   = 2 * time.Minute  // longer than a look takes: after it, another one may take the purchase
	dueAtOnce  = 100              // purchases claimed in one round
	recentEach = 20               // purchases of a chat among which an earlier draft is looked for
)

// What a tap on ✅ can meet instead of a purchase. Nothing was bought by the tap in any of them.
var (
	// ErrStale: the button is not of the purchase's live message, or the purchase has moved on.
	ErrStale = errors.New("purchase: the button is out of date")
	// ErrExpired: the summary is too old; it has to be shown again.
	ErrExpired = errors.New("purchase: the summary has expired")
	// ErrNotYours: somebody else drafted it.
	ErrNotYours = errors.New("purchase: somebody else's purchase")
)

// Service is what the Engine asks of the reseller service under one account's key; *api.Session implements it. Reads that take a maxAge
// are no older than that, and with 0 they are made now. All reads return an *api.Error where they fail. Purchase sends one request that
// spends at most, and always returns a Verdict. Forget drops what is cached, so that the next read is new.
type Service interface {
	Variants(ctx context.Context, productID int64) ([]api.Variant, error)
	Balance(ctx context.Context, maxAge time.Duration) (api.Balance, error)
	History(ctx context.Context, f api.Family, maxAge time.Duration) ([]api.Order, error)
	Order(ctx context.Context, ref api.OrderRef) (api.Order, error)
	Orders(ctx context.Context, ids []string) ([]api.Order, error)
	Purchase(ctx context.Context, r api.PurchaseRequest) api.Verdict
	Forget()
}

// Config is what an Engine is built from. All fields are required but Checker, ChecksPerMinute,
// Operator, Zone and Moved.
type Config struct {
	// Store is where purchases, accounts, orders and the outbox are kept.
	Store *store.Store
	// Service opens the service under an account's key.
	Service func(store.Account) Service
	// NextLook is how long to wait before an order of this age is looked at again.
	NextLook func(age time.Duration) time.Duration
	// ReconcileFor is how long an unknown purchase is looked for before a person is asked.
	ReconcileFor time.Duration
	// StopGrace is how long a purchase in flight may go on after Run was told to stop; then it is unknown.
	StopGrace time.Duration
	// Checker asks the service who top-ups are for, under an account's key; nil where the players of lists are not checked.
	Checker func(store.Account) Checker
	// ChecksPerMinute is how many players may be asked about in a minute, of those of a list; 20 where it is 0.
	ChecksPerMinute int
	// Operator is the chat of the operator; zero where there is none.
	Operator int64
	// Zone is where the days of limits begin and end; nil is UTC.
	Zone *time.Location
	// Moved is told of every step that a purchase has made; it may be nil, and must not wait.
	Moved func(Moved)
	// Random makes ids and nonces. It must be unpredictable (crypto/rand.Reader), since a nonce is what confirms.
	Random io.Reader
	Log    *slog.Logger
}

// Engine moves purchases through their phases. Its methods may be called side by side.
type Engine struct {
	cfg Config

	// mu guards what follows but walkers. It is never held while the store or the service is asked.
	mu      sync.Mutex
	start   func(account string) // has an account's queue walked; nil while Run does not run
	walking map[string]bool      // accounts whose queue is walked; true: look once more before leaving
	walkers sync.WaitGroup
	looked  map[string]time.Time // when uncertain purchases were last looked for, by this process's clock
	began   time.Time
	alike   map[[2]string]bool // pairs of accounts that are known to number their orders alike
}

// New makes an engine. It does nothing by itself until Run.
func New(cfg Config) *Engine {
	return &Engine{cfg: cfg, walking: map[string]bool{}, looked: map[string]time.Time{}, began: time.Now(), alike: map[[2]string]bool{}}
}

// Draft is what a buyer was shown and may confirm.
type Draft struct {
	Account string
	Chat    int64
	User    int64
	Buyer   string // the name of User
	Update  int64  // the update of Telegram that asks for it; 0 for none
	Message int    // the message that will show it; 0 where it is not sent yet
	Thread  int    // the topic of the chat that it will be in; 0 for none
	Product api.Product
	Variant api.Variant
	// Quantity is in units, at least 1.
	Quantity int
	Answers  []store.Answer
	// For is the id of the customer whom it is for; empty where the buyer has named none.
	For string
	// Player is who gets it, as the service knows them; nil where nobody does.
	Player *store.Player
	// Same is what Repeats has found, newest first: the buyer was told of it, and wants it once more.
	Same []store.Purchase
}

// Draft stores a purchase with everything that its summary shows. It promises nothing and expires in
// ten minutes. Whoever begins another purchase in a chat leaves the one before: its draft is dropped, and so is that of
// an update that is handled once more, for nobody is to find two ✅ where they asked for one. dzd.ErrRange where the
// total is more than any wallet holds.
func (e *Engine) Draft(ctx context.Context, d Draft) (store.Purchase, error) {
	total, err := d.Variant.Price.Mul(d.Quantity)
	if err != nil {
		return store.Purchase{}, fmt.Errorf("draft %d units of variant %d: %w", d.Quantity, d.Variant.ID, err)
	}
	nonce, err := e.nonce()
	if err != nil {
		return store.Purchase{}, fmt.Errorf("draft: %w", err)
	}
	now := time.Now()
	p := store.Purchase{
		ID: store.NewID(now, e.cfg.Random), Account: d.Account, Chat: d.Chat, User: d.User, Buyer: d.Buyer, Update: d.Update,
		Message: d.Message, Thread: d.Thread, Nonce: nonce, Phase: store.Drafted,
		ProductID: d.Product.ID, VariantID: d.Variant.ID, Category: d.Product.CategoryID, Plan: d.Variant.Plan, Product: d.Product.Name, Variant: d.Variant.Name,
		Family: string(d.Product.Family), Topup: d.Product.Topup(), Manual: d.Product.Manual,
		Quantity: d.Quantity, Inputs: d.Answers, For: d.For, Player: d.Player, Price: d.Variant.Price, Total: total, Sells: d.Variant.Sells,
		CreatedAt: now, ExpiresAt: now.Add(draftLife),
	}
	noteRepeats(&p, d.Same)
	// They are listed outside of the transaction, which does not scan; drop reads each again in it.
	before, err := e.draftsBefore(ctx, d)
	if err != nil {
		return store.Purchase{}, fmt.Errorf("draft: %w", err)
	}
	lists, err := e.listsBefore(ctx, d.Chat, d.User)
	if err != nil {
		return store.Purchase{}, fmt.Errorf("draft: %w", err)
	}
	// A draft promises nothing, so it may share its commit with others; Confirm may not.
	err = e.cfg.Store.Batch(ctx, func(tx *store.Tx) error {
		for _, left := range lists {
			if err := dropList(tx, left.ID, store.ReasonCancelled, left.Message != d.Message); err != nil {
				return err
			}
		}
		for _, left := range before {
			// The message of the draft that is left is edited, unless it is the one that will show the new draft, or belongs to the
			// same update, which is being answered now.
			if err := e.drop(tx, left.ID, store.ReasonCancelled, left.Update != d.Update && left.Message != d.Message); err != nil {
				return err
			}
		}
		// A put changes the version in its record, and a batch may run again: each run starts from the same p.
		q := p
		return tx.PutPurchase(&q)
	})
	if err != nil {
		return store.Purchase{}, fmt.Errorf("draft: %w", err)
	}
	return p, nil
}

// Shown notes which message shows a draft, where it was sent after the draft was stored. A purchase that is
// no draft any more is left alone; store.ErrNotFound where there is none.
func (e *Engine) Shown(ctx context.Context, id string, message int) error {
	return e.cfg.Store.Batch(ctx, func(tx *store.Tx) error {
		p, err := tx.Purchase(id)
		if err != nil || p.Phase != store.Drafted {
			return err
		}
		p.Message = message
		return tx.PutPurchase(&p)
	})
}

// Confirm takes a tap on ✅: the purchase joins its account's queue, once, whoever taps and however
// often. The message that shows it is brought up to date through the outbox. ErrStale, ErrNotYours,
// ErrExpired, ErrNotAllowed, ErrLocked, ErrRestored, ErrLimit, ErrCrowded and a *RepeatError say why a tap has bought nothing;
// any other error is the store's.
func (e *Engine) Confirm(ctx context.Context, t Tap) (store.Purchase, error) {
	if err := e.crowded(ctx, t.Purchase, store.Drafted); err != nil {
		return store.Purchase{}, err
	}
	p, err := e.onTap(ctx, t, func(tx *store.Tx, p *store.Purchase, a *store.Account, now time.Time) error {
		if err := check(*p, t, now); err != nil {
			return err
		}
		// One day serves allowed and spend: at midnight they would otherwise ask for one day and count in the next.
		day := e.Day(now)
		if err := allowed(*a, *p, day); err != nil {
			return err
		}
		if same, err := unasked(tx, *p, *a, now); err != nil || len(same) > 0 {
			return errors.Join(err, repeated(same))
		}
		// Telegram says in which message ✅ was tapped: that is the one to edit, even if the process died before Shown noted it.
		p.Message = t.Message
		spend(p, a, day)
		return e.enqueue(tx, p, a, now)
	})
	if err != nil {
		return p, err
	}
	e.log(p).Info("purchase confirmed", "update", t.Update, "chat", p.Chat)
	// Behind the commit: the walk reads the queue from disk, and must find the purchase in it.
	e.wake(p.Account)
	return p, nil
}

// check tells whether a tap may confirm the purchase.
func check(p store.Purchase, t Tap, now time.Time) error {
	return offer{chat: p.Chat, message: p.Message, user: p.User, nonce: p.Nonce, open: p.Phase == store.Drafted, until: p.ExpiresAt}.permits(t, now)
}

// Drop ends a purchase that nobody has confirmed; why is one of the Reasons. The message that shows it is
// brought up to date if tell is set. One that was confirmed is left alone; store.ErrNotFound where there is none.
func (e *Engine) Drop(ctx context.Context, id, why string, tell bool) error {
	return e.cfg.Store.Update(ctx, func(tx *store.Tx) error { return e.drop(tx, id, why, tell) })
}

// ProcessDue takes up to 100 purchases whose time has come, those first that are due first; the next call takes the rest. Drafts and
// places in the queue end and say so in their messages, and uncertain purchases are looked for. What fails for one purchase is logged;
// the error is the store's.
func (e *Engine) ProcessDue(ctx context.Context) error {
	due, err := e.cfg.Store.ClaimPurchases(ctx, time.Now(), dueLease, dueAtOnce)
	if err != nil {
		return fmt.Errorf("claim purchases: %w", err)
	}
	eachDue(ctx, due, func(p store.Purchase) error { return e.processDue(ctx, p) }, func(p store.Purchase, err error) {
		e.log(p).Error("process a due purchase", "err", err)
	})
	return nil
}

// draftsBefore lists the drafts that whoever makes a new one has in the same chat. One may be of the same update: it
// was handled, and the process ended before that was noted.
func (e *Engine) draftsBefore(ctx context.Context, d Draft) ([]store.Purchase, error) {
	list, err := e.cfg.Store.ChatPurchases(ctx, d.Chat, "", recentEach)
	return slices.DeleteFunc(list, func(p store.Purchase) bool { return p.Phase != store.Drafted || p.User != d.User }), err
}

// enqueue puts a purchase that somebody has confirmed into the queue of its account.
func (e *Engine) enqueue(tx *store.Tx, p *store.Purchase, a *store.Account, now time.Time) error {
	// TurnBy is the due time of a queued purchase: endPlace is called for it even where no walk ever comes to it.
	p.QueuedAt, p.TurnBy = now, now.Add(queuedLife)
	if err := remember(tx, *p, a, now); err != nil {
		return err
	}
	a.Queue = append(a.Queue, p.ID)
	// Only a player whom the service knows is offered again.
	if p.Player != nil && p.Player.Status == store.PlayerValid {
		if err := tx.Remember(p.Chat, p.Account, *p.Player); err != nil {
			return err
		}
	}
	if err := e.move(tx, p, a, Confirm, ""); err != nil {
		return err
	}
	// Whoever waits behind an uncertain purchase is counted in that one's message.
	held, err := heldBy(tx, *p, *a)
	if err != nil || held == nil {
		return err
	}
	return tellHeld(tx, *held, *a)
}

// drop is Drop within a transaction.
func (e *Engine) drop(tx *store.Tx, id, why string, tell bool) error {
	p, err := tx.Purchase(id)
	// The tap came first: a purchase that was confirmed ends by its own rules.
	if err != nil || p.Phase.Promised() {
		return err
	}
	if p.Phase == store.Asked { // its owners were told
		p, a, err := load(tx, id)
		if err != nil {
			return err
		}
		return e.end(tx, &p, &a, why)
	}
	p.Reason = why
	// transit and not move: a draft has no place in its account, so the account is neither read nor written.
	if err := e.transit(tx, &p, Drop, why); err != nil {
		return err
	}
	tx.Then(func() { e.log(p).Info("purchase dropped", "why", why) })
	if err := tx.PutPurchase(&p); err != nil || !tell || p.Message == 0 {
		return err
	}
	return showAnew(tx, p)
}

// processDue does what is due for one purchase.
func (e *Engine) processDue(ctx context.Context, p store.Purchase) error {
	switch {
	case !p.Phase.Promised():
		return e.expire(ctx, p.ID)
	case p.Phase == store.Queued:
		return e.endPlace(ctx, p.ID)
	}
	return e.lookFor(ctx, p)
}

// expire drops what is too old, unless it has got more time meanwhile.
func (e *Engine) expire(ctx context.Context, id string) error {
	return e.cfg.Store.Update(ctx, func(tx *store.Tx) error {
		p, err := tx.Purchase(id)
		// Ask moves ExpiresAt, so what was claimed as a draft may have half an hour by now.
		if err != nil || time.Now().Before(p.ExpiresAt) {
			return err
		}
		return e.drop(tx, id, store.ReasonExpired, true)
	})
}

// showAnew has what shows a purchase brought up to date: its own message, or the card of the list that it is a line of. A line
// with which something is wrong has both.
func showAnew(tx *store.Tx, p store.Purchase) error {
	if p.List == "" {
		return tx.Enqueue(store.StatusOf(p))
	}
	l, err := tx.List(p.List)
	switch {
	case errors.Is(err, store.ErrNotFound): // it is history
		return tx.Enqueue(store.StatusOf(p))
	case err != nil:
		return err
	}
	if err := tellList(tx, l); err != nil || !p.Apart {
		return err
	}
	return tx.Enqueue(store.StatusOf(p))
}

// log is the logger for one purchase: its id follows it from tap to delivery.
func (e *Engine) log(p store.Purchase) *slog.Logger {
	return e.cfg.Log.With("purchase", p.ID, "account", p.Account, "phase", string(p.Phase))
}

// Refresh is the outbox row that has a purchase's message shown again as it stands, for Tx.Enqueue.
func Refresh(p store.Purchase) *store.Outgoing { return store.StatusOf(p) }

package conversations

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"runtime/debug"
	"sync"
	"sync/atomic"
	"time"

	"github.com/go-telegram/bot/models"
	"golang.org/x/time/rate"

	"resellerbot/internal/api"
	"resellerbot/internal/backoff"
	"resellerbot/internal/purchase"
	"resellerbot/internal/screen"
	"resellerbot/internal/secret"
	"resellerbot/internal/store"
	"resellerbot/internal/telegram"
)

const (
	workers     = 256              // chats handled side by side
	backlog     = 1024             // updates in memory; more wait at Telegram
	turnTimeout = 60 * time.Second // one update's handling
	parkAgain   = time.Minute      // until that is tried again, where it failed
)

// Messenger is the door to Telegram, as far as replies need it. It paces and retries by itself.
type Messenger interface {
	// Send sends a message, into a topic of the chat where thread is not 0, and returns its id.
	Send(ctx context.Context, chat int64, thread int, m screen.Message) (int, error)
	// Edit replaces a message; telegram.ErrSame: it showed that already. telegram.ErrGone: it cannot be edited.
	Edit(ctx context.Context, chat int64, message int, m screen.Message) error
	// Clear takes the keyboard from a message.
	Clear(ctx context.Context, chat int64, message int) error
	// Delete removes a message.
	Delete(ctx context.Context, chat int64, message int) error
	// Download fetches a file that somebody has sent. telegram.ErrTooBig: it has more than most bytes.
	Download(ctx context.Context, file string, most int64) ([]byte, error)
	// Answer ends a callback query, with a short text or, as an alert, with one to be confirmed.
	Answer(ctx context.Context, query, text string, alert bool) error
	// Typing shows for five seconds, or until the next message, that the bot is at work.
	Typing(ctx context.Context, chat int64, thread int) error
	// Delay is how long the limits of a chat would hold the next message or edit back.
	Delay(chat int64) time.Duration
}

// Purchases is the engine that spends. Flows draft and pass on taps, nothing else.
type Purchases interface {
	Drafts
	Lists
	Approvals
	Decisions
	// Look asks the service now for the orders of a purchase, and settles what it shows.
	Look(ctx context.Context, id string) error
	// Intact reports whether the money for a purchase that the service refused shows to be there.
	Intact(ctx context.Context, id string) (purchase.Refusal, error)
	// Switch changes which account a private chat is at, and drops what its person has in hand there.
	Switch(ctx context.Context, chat int64, message int, change func(*store.Tx) error) (dropped int, err error)
	// Unfreeze takes an owner's word that a restored account is to buy again, though not all of it could be read.
	Unfreeze(ctx context.Context, account string, user int64) error
	// Likeness compares an account with what another key shows.
	Likeness(ctx context.Context, a store.Account, under purchase.Lists, who api.Account) (purchase.Likeness, error)
}

// Drafts is what becomes of a purchase until it is sent.
type Drafts interface {
	Draft(ctx context.Context, d purchase.Draft) (store.Purchase, error)
	Shown(ctx context.Context, id string, message int) error
	Confirm(ctx context.Context, t purchase.Tap) (store.Purchase, error)
	Drop(ctx context.Context, id, why string, tell bool) error
	// Leave ends a purchase that waits for its turn, and is not wanted any more.
	Leave(ctx context.Context, id string, user int64) error
	// EndForbidden ends a purchase that waits for its turn and may not be sent any more.
	EndForbidden(ctx context.Context, id string) error
	// Repeats lists what an account has bought lately for the same player.
	Repeats(ctx context.Context, account string, like store.Purchase) ([]store.Purchase, error)
}

// Lists is what becomes of several purchases that are confirmed by one tap.
type Lists interface {
	DraftList(ctx context.Context, d purchase.ListDraft) (store.List, error)
	ListShown(ctx context.Context, id string, message int) error
	ListWithMarked(ctx context.Context, t purchase.Tap, marked bool) (store.List, error)
	ConfirmList(ctx context.Context, t purchase.Tap) (store.List, error)
	AskList(ctx context.Context, t purchase.Tap) (store.List, error)
	ApproveList(ctx context.Context, t purchase.Tap) (store.List, error)
	RefuseList(ctx context.Context, t purchase.Tap) (store.List, error)
	StopList(ctx context.Context, id string, user int64) (store.List, error)
	DropList(ctx context.Context, id, why string, tell bool) error
	// LeaveLists ends the lists that somebody has in hand in a chat, and reports whether there were any.
	LeaveLists(ctx context.Context, chat, user int64) (left bool, err error)
}

// Approvals is what a buyer's limit asks of owners.
type Approvals interface {
	Ask(ctx context.Context, t purchase.Tap) (store.Purchase, error)
	Approve(ctx context.Context, t purchase.Tap) (store.Purchase, error)
	Refuse(ctx context.Context, t purchase.Tap) (store.Purchase, error)
	// Allowed tells whether a draft's buyer may confirm it now; Day is the day of a moment, as limits count it.
	Allowed(a store.Account, p store.Purchase) error
	Day(at time.Time) string
}

// Decisions is what a person says of an uncertain purchase.
type Decisions interface {
	Decide(ctx context.Context, id string, chat, user int64, bought bool) error
	Question(ctx context.Context, id string, chat, user int64) (store.Purchase, error)
	// Choices reads which orders may be an undecided purchase's; Adopt takes a person's word about which are.
	Choices(ctx context.Context, id string, chat, user int64) (purchase.Choice, error)
	Adopt(ctx context.Context, id string, chat, user int64, orders []string) error
	LetGo(ctx context.Context, id string, user int64) error
}

// Config is what a Bot is built from. All fields are required, but for those that say that they may be nil or empty.
type Config struct {
	Store     *store.Store
	Messenger Messenger
	// Key opens the service under a key that no account has yet; Service under an account's.
	Key       func(key secret.Text) Service
	Service   func(store.Account) Service
	Purchases Purchases
	Screens   screen.Printers
	Zone      *time.Location // of the days of books that are opened
	Language  string         // where Telegram names none that we speak
	// BotName is the user name without @: commands to other bots are not ours. It may be empty at first.
	BotName func() string
	Access  Access
	// Handled is told of every update that was worked on, for figures; it may be nil, and must not wait.
	Handled func(kind, outcome string, took time.Duration)
	// Random makes the tokens of invitations and the ids of customers; nil is crypto/rand.Reader.
	Random io.Reader
	// KeyChanged is told of an account that has another key now; it may be nil, and must not wait.
	KeyChanged func(account string)
	// Reachable is told when a chat that was unreachable speaks again.
	Reachable func(chat int64)
	Log       *slog.Logger
}

// Bot handles updates.
type Bot struct {
	cfg                           Config
	box                           *mailbox[*arrival]
	late                          *lateTaps
	members, strangers, outsiders *flood
	steps                         *rate.Limiter // of all strangers
	silence                       *silence      // after answers to strangers
	tries                         *flood        // at tokens, by people who were not let in
	allTries                      *flood        // by anybody
	looks                         *flood        // at purchases, at the service
	doubles                       *doubleTaps
	clears                        clears
	indexes                       *indexes        // of catalogues
	ctx                           context.Context //nolint:containedctx // what Stop ends, for everything that is being handled
	cancel                        context.CancelFunc
	sides                         sync.WaitGroup  // calls to Telegram, and retries of parking, that may outlive their turn; Stop waits for them
	running                       context.Context //nolint:containedctx // ends when Stop begins
	halt                          context.CancelFunc

	// Who may do what (rights.go).
	commands  map[string]commandRow
	buttons   map[screen.Verb]buttonRow
	questions map[string]questionRow
}

// New makes a bot that is ready to take updates.
func New(cfg Config) *Bot {
	if cfg.Random == nil {
		cfg.Random = rand.Reader
	}
	paces := cfg.Access
	b := &Bot{
		cfg: cfg, members: newFlood(paces.Members), strangers: newFlood(paces.Strangers), outsiders: newFlood(paces.Outsiders),
		steps: paces.Steps.limiter(), silence: newSilence(), looks: newFlood(lookPace()), doubles: newDoubleTaps(), indexes: &indexes{},
		tries: newFlood(Pace{Burst: 5, Every: 12 * time.Minute}), allTries: newFlood(Pace{Burst: mostPasses, Every: time.Hour / mostPasses}),
		commands: commands(), buttons: buttons(), questions: questions(),
	}
	// Not under a context of the caller: updates that are being handled may outlive the poller, until Stop cuts them.
	b.ctx, b.cancel = context.WithCancel(context.Background())
	b.running, b.halt = context.WithCancel(b.ctx)
	b.late = &lateTaps{bot: b, waiting: map[*arrival]*time.Timer{}}
	b.box = newMailbox(workers, backlog, b.handle)
	return b
}

// Stop lets the updates that are being handled finish, for as long as ctx lasts, and leaves the rest on
// disk for the next start.
func (b *Bot) Stop(ctx context.Context) {
	// The order matters: what waits in memory is dropped first (it is on disk), then answers on their way are waited for.
	stop := context.AfterFunc(ctx, b.cancel)
	defer stop()
	b.halt()
	b.box.stop()
	b.late.stop()
	b.sides.Wait()
	b.cancel()
}

// put hands an update that is on disk to its chat's queue, and reports whether it was taken.
func (b *Bot) put(ctx context.Context, a arrival) bool {
	if b.box.isBusy() { // it waits, and to keep what was read costs more memory than to read it again
		a.seen = nil
	}
	b.late.expect(&a)
	taken := b.box.put(ctx, a.in.Chat, &a)
	if !taken {
		b.late.begun(&a)
	}
	return taken
}

// putLate hands a stranger's update, for which there is a place, to their queue of the chat. Their taps may wait behind a step that is
// repeated (repeatStep), and are answered in time as everybody's.
func (b *Bot) putLate(a arrival) {
	b.late.expect(&a)
	if !b.box.putLate(a.in.Chat, &a) {
		b.late.begun(&a)
	}
}

// waits are before each further try at an update that has failed. After the last of them it is parked.
func waits() []time.Duration { return []time.Duration{time.Second, 5 * time.Second, 30 * time.Second} }

// handle takes one update through its flow. Whatever goes wrong costs this update, never the next. It returns after
// how long the update is to be handled again; zero where it is done with.
func (b *Bot) handle(a *arrival) (again time.Duration) {
	b.late.begun(a)
	// A try is counted before it is made, or one that ends the process would be made for ever.
	if a.again && b.tried(*a) {
		return 0
	}
	ctx, cancel := context.WithTimeout(b.ctx, turnTimeout)
	defer cancel()
	begin := time.Now()
	a.again = false // it is counted
	if a.ackTaken == nil {
		a.ackTaken = new(atomic.Bool)
	}
	// By value: what a try changes of it (usePass, callback) is not seen by the next one, which needs the update as it came.
	err := b.guarded(ctx, *a)
	a.seen = nil
	if outcome, done := outcomeOf(err); done {
		b.handled(*a, outcome, begin)
		b.cfg.Log.Debug("update handled", "update", a.in.ID, "chat", a.in.Chat, "took", time.Since(begin), "outcome", outcome)
		return 0
	}
	log := b.cfg.Log.With("update", a.in.ID, "chat", a.in.Chat, "took", time.Since(begin))
	if b.ctx.Err() != nil && a.onDisk() {
		return 0 // stopping: it is on disk and handled again at the next start
	}
	if errors.Is(err, telegram.ErrNoRoom) || !a.onDisk() {
		log.Log(b.ctx, levelOfStranger(err), "a stranger is not answered", "err", err)
		return b.repeatStep(*a, begin)
	}
	again = b.giveUp(*a, err, begin)
	log.Log(b.ctx, levelOfFailed(err, again), "update failed", "err", err, "again", again)
	return again
}

// levelOfFailed is how loud it is that an update has failed. Nothing is lost of one that is tried again, or whose chat cannot be
// answered.
func levelOfFailed(err error, again time.Duration) slog.Level {
	if again > 0 || errors.Is(err, telegram.ErrNotNow) {
		return slog.LevelWarn
	}
	return slog.LevelError
}

// What can become of an update.
const (
	outcomeDone     = "handled"
	outcomeRepeated = "repeated" // it failed, and is tried again
	outcomeParked   = "parked"
	outcomeLimited  = "limited" // one person's were too many
	outcomeRefused  = "refused" // nobody has let the chat in
)

// outcomeOf is what became of an update that is done with; false for one that has failed.
func outcomeOf(err error) (outcome string, done bool) {
	switch {
	case err == nil:
		return outcomeDone, true
	case errors.Is(err, errOutside):
		return outcomeRefused, true
	}
	return "", false
}

// handled tells what has become of an update.
func (b *Bot) handled(a arrival, outcome string, begin time.Time) {
	if b.cfg.Handled != nil {
		b.cfg.Handled(kindOf(a.update), outcome, time.Since(begin))
	}
}

// tried counts a try at an update that an earlier process has taken, before it is made: one that brings the
// process down is parked after three more. It reports whether the update was parked.
func (b *Bot) tried(a arrival) (parked bool) {
	attempts, err := b.cfg.Store.CountTry(b.ctx, a.in.ID)
	if err == nil && attempts <= len(waits()) {
		return false
	}
	b.cfg.Log.Error("an update is parked", "update", a.in.ID, "attempts", attempts, "err", err)
	b.handled(a, outcomeParked, time.Now())
	b.parkSurely(a)
	return true
}

// giveUp parks an update that fails for good and repeats one that may not.
func (b *Bot) giveUp(a arrival, cause error, begin time.Time) (again time.Duration) {
	attempts, err := b.cfg.Store.CountTry(b.ctx, a.in.ID)
	// A panic is a defect, which the next try would meet as well.
	if err == nil && attempts <= len(waits()) && !errors.As(cause, new(panicError)) {
		b.handled(a, outcomeRepeated, begin)
		return waits()[attempts-1]
	}
	b.handled(a, outcomeParked, begin)
	if err != nil {
		b.cfg.Log.Error("count the tries at an update", "update", a.in.ID, "err", err)
	}
	b.parkSurely(a)
	return 0
}

// parkSurely parks an update, and tries again later where that fails: nothing else would come back to it before the
// next start.
func (b *Bot) parkSurely(a arrival) {
	err := b.park(b.ctx, a)
	if err == nil {
		return
	}
	b.cfg.Log.Error("park an update", "update", a.in.ID, "err", err)
	// On its own goroutine: the chat's queue goes on meanwhile, as the update is done with for it.
	b.sides.Go(func() {
		if backoff.Sleep(b.running, parkAgain) {
			b.parkSurely(a)
		}
	})
}

// ignoreMissing drops the error that there is no such record.
func ignoreMissing(err error) error {
	if errors.Is(err, store.ErrNotFound) {
		return nil
	}
	return err
}

// panicError is a recovered panic; its value is not told, for it may hold what must not be logged.
type panicError struct{ where string }

func (p panicError) Error() string { return "panic at " + p.where }

// guarded turns a panic into an error.
func (b *Bot) guarded(ctx context.Context, a arrival) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = panicError{where: fmt.Sprintf("%T %s", r, debug.Stack())}
		}
	}()
	return b.route(ctx, a)
}

// languageOf is the one a person is spoken to: what Telegram names, where we speak it.
func (b *Bot) languageOf(from *models.User) string {
	if from == nil {
		return b.cfg.Language
	}
	return b.cfg.Screens.Match(from.LanguageCode, b.cfg.Language)
}

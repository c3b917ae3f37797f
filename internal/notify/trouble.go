package notify

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strconv"
	"time"

	"resellerbot/internal/store"
)

const (
	// wellFor is how long a trouble has to be gone until it is told to be over: what comes and goes is told once.
	wellFor = 3 * time.Minute
	// countAgain is the least time until it is told that a trouble is about more things than were told.
	countAgain = time.Hour
)

// Condition is what a look at something has shown.
type Condition struct {
	State State
	Since time.Time // of what is ill: since when, as far as that is known; zero is from this look on
	Count int       // of what is ill: about how many things it is, where they are counted
	About string    // their names, where people know them by any
}

// State is how something is.
type State int

// The states. What was told of something stays until it is known to be over.
const (
	Unclear State = iota
	Well
	Ill
)

// Watch looks at one thing that can be wrong with the bot, or with what it needs.
type Watch struct {
	Trouble store.TroubleName
	After   time.Duration // for how long it has to be ill until that is told
	// Afterwards is for what cannot be told of while it lasts: its end tells all of it.
	Afterwards bool
	Check      func(ctx context.Context) (Condition, error)
}

// OperatorConfig is what an Operator is built from. All fields are required.
type OperatorConfig struct {
	Store   *store.Store
	Chat    int64 // of the operator
	Watches []Watch
	Log     *slog.Logger
}

// Operator tells the operator of what is wrong with it, once and without a sound, and once that it is over.
// Its maps need no lock: Run is a job, and Jobs runs none beside itself.
type Operator struct {
	cfg       OperatorConfig
	ill, well map[store.TroubleName]time.Time // since when, as this process has seen it
}

// NewOperator makes an Operator. Its Run is a job.
func NewOperator(cfg OperatorConfig) *Operator {
	return &Operator{cfg: cfg, ill: map[store.TroubleName]time.Time{}, well: map[store.TroubleName]time.Time{}}
}

// Run looks at all that is watched, and tells what has changed.
func (o *Operator) Run(ctx context.Context) error {
	var errs []error
	for _, w := range o.cfg.Watches {
		if err := o.check(ctx, w, time.Now()); err != nil {
			errs = append(errs, fmt.Errorf("watch the %s: %w", w.Trouble, err))
		}
	}
	return errors.Join(errs...)
}

// check looks at one thing.
func (o *Operator) check(ctx context.Context, w Watch, now time.Time) error {
	is, err := w.Check(ctx)
	if err != nil {
		return err
	}
	switch is.State {
	case Ill:
		delete(o.well, w.Trouble)
		since, known := o.ill[w.Trouble]
		if !known {
			// The clock may have been set back since: a beginning that is to come would put the message off.
			if since = is.Since; since.IsZero() || since.After(now) {
				since = now
			}
			o.ill[w.Trouble] = since
		}
		if now.Sub(since) >= w.After {
			return o.began(ctx, w, is, since)
		}
	case Well:
		delete(o.ill, w.Trouble)
		since, known := o.well[w.Trouble]
		if !known {
			o.well[w.Trouble] = now
		} else if now.Sub(since) >= wellFor {
			return o.over(ctx, w.Trouble, since)
		}
	case Unclear:
	}
	return nil
}

// began tells of a trouble that was not told yet, or that is about more things by now.
func (o *Operator) began(ctx context.Context, w Watch, is Condition, since time.Time) error {
	isNews := func(t store.Trouble, lasts bool) bool {
		return !lasts || is.Count > t.Count && time.Since(t.Told) >= countAgain
	}
	// Asked outside of the transaction first, and in it once more: a trouble that lasts is looked at often, and mostly there is nothing to
	// write.
	if t, lasts, err := o.cfg.Store.Trouble(ctx, w.Trouble); err != nil || !isNews(t, lasts) {
		return err
	}
	told := false
	err := o.cfg.Store.Update(ctx, func(tx *store.Tx) error {
		t, lasts, err := tx.Trouble(w.Trouble)
		// Set in each run, for the transaction may run again.
		if told = err == nil && isNews(t, lasts); !told {
			return err
		}
		if !lasts {
			t = store.Trouble{Name: w.Trouble, Since: since}
		}
		t.Told, t.Count = time.Now(), is.Count
		if err := tx.PutTrouble(&t); err != nil || w.Afterwards {
			return err
		}
		return tx.Enqueue(o.note(t, store.TroubleNote, map[string]string{"count": strconv.Itoa(is.Count), "accounts": is.About}))
	})
	if err == nil && told {
		o.cfg.Log.Warn("the operator is told of a trouble", "trouble", string(w.Trouble), "since", since.UTC(), "count", is.Count)
	}
	return err
}

// over tells that a trouble is over. Where its beginning still waits to be told, this takes its place.
func (o *Operator) over(ctx context.Context, name store.TroubleName, until time.Time) error {
	if _, lasts, err := o.cfg.Store.Trouble(ctx, name); err != nil || !lasts {
		return err
	}
	var was store.Trouble
	err := o.cfg.Store.Update(ctx, func(tx *store.Tx) (err error) {
		var lasted bool
		if was, lasted, err = tx.EndTrouble(name); err != nil || !lasted {
			return err
		}
		return tx.Enqueue(o.note(was, store.TroubleOverNote, map[string]string{"end": until.UTC().Format(time.RFC3339)}))
	})
	if err == nil {
		o.cfg.Log.Info("a trouble is over", "trouble", string(name), "since", was.Since.UTC(), "until", until.UTC())
	}
	return err
}

// note is a message about a trouble. That it has begun and that it is over are one message while nobody has got it.
func (o *Operator) note(t store.Trouble, name store.NoteName, args map[string]string) *store.Outgoing {
	args["trouble"], args["since"], args[store.SilentArg] = string(t.Name), t.Since.UTC().Format(time.RFC3339), "yes"
	// One id for the beginning and the end of a trouble: the outbox replaces what nobody has got yet.
	n := store.NewNote(o.cfg.Chat, "trouble."+string(t.Name)+"."+strconv.FormatInt(t.Since.UnixMicro(), 36), name, args)
	n.Priority = store.AlertPriority
	if t.Name == store.OutboxTrouble { // it is not to wait behind what it tells of
		n.Priority = store.DeliveryPriority
	}
	return n
}

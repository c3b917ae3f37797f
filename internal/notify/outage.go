package notify

import (
	"context"
	"crypto/rand"
	"fmt"
	"slices"
	"sync"
	"time"

	"resellerbot/internal/api"
	"resellerbot/internal/store"
)

const (
	outageAfter  = time.Minute // of silence, before people are told
	outageCalls  = 3           // that must have failed in a row, before only one probes for all
	purchasePage = 200         // purchases read at once
)

// outage is whether the service answers at all. While it does not, one call after the other probes it for
// all accounts, ever more slowly, and those who wait for something are told once, and once that it is over.
type outage struct {
	store *store.Store

	mu       sync.Mutex
	failures int       // calls that got no answer in a row, of whatever account
	since    time.Time // the first of them
	probe    time.Time // when to ask next
	probing  bool
	told     bool // people were told
}

// begin remembers what people were told before.
func (o *outage) begin(ctx context.Context) error {
	_, told, err := o.store.Outage(ctx)
	if err != nil {
		return fmt.Errorf("read the outage that was told of: %w", err)
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	o.told = told
	return nil
}

// lets reports whether a call may be made, and when the next probe is where none may.
func (o *outage) lets(now time.Time) (ok bool, next time.Time) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.failures < outageCalls {
		return true, time.Time{}
	}
	return !o.probing && !now.Before(o.probe), o.probe
}

// called notes that a call was made.
func (o *outage) called() {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.probing = o.failures >= outageCalls
}

// answered takes what came of a call, and tells whether people have to be told something now.
func (o *outage) answered(err error, now time.Time) (began, over bool) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.probing = false
	if api.ClassOf(err) != api.Upstream || err == nil {
		o.failures, o.since = 0, time.Time{}
		return false, o.told
	}
	if o.failures++; o.failures == 1 {
		o.since = now
	}
	o.probe = now.Add(outageWait(o.failures))
	return !o.told && o.failures >= outageCalls && now.Sub(o.since) >= outageAfter, false
}

// tell tells those who wait that the service does not answer, all in one unit.
func (o *outage) tell(ctx context.Context) error {
	chats, err := o.waiting(ctx)
	if err != nil || len(chats) == 0 {
		return err
	}
	o.mu.Lock()
	since := o.since
	o.mu.Unlock()
	err = o.store.Update(ctx, func(tx *store.Tx) error {
		if _, known, err := tx.Outage(); known || err != nil {
			return err
		}
		if err := notes(tx, chats, "outage"); err != nil {
			return err
		}
		return tx.BeginOutage(store.Outage{Since: since, Told: chats})
	})
	if err != nil {
		return fmt.Errorf("tell of the outage: %w", err)
	}
	o.set(true)
	return nil
}

// end tells those who were told that the service answers again.
func (o *outage) end(ctx context.Context) error {
	err := o.store.Update(ctx, func(tx *store.Tx) error {
		was, known, err := tx.EndOutage()
		if err != nil || !known {
			return err
		}
		return notes(tx, was.Told, "outage_over")
	})
	if err != nil {
		return fmt.Errorf("tell that the outage is over: %w", err)
	}
	o.set(false)
	return nil
}

func (o *outage) set(told bool) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.told = told
}

// waiting lists the chats with a purchase that has not come to its end.
func (o *outage) waiting(ctx context.Context) (chats []int64, err error) {
	for after := ""; ; {
		page, err := o.store.OpenPurchases(ctx, after, purchasePage)
		if err != nil {
			return nil, fmt.Errorf("list open purchases: %w", err)
		}
		for _, p := range page {
			if after = p.ID; p.Phase == store.Accepted && !slices.Contains(chats, p.Chat) {
				chats = append(chats, p.Chat)
			}
		}
		if len(page) < purchasePage {
			return chats, nil
		}
	}
}

// notes queues the same note for several chats.
func notes(tx *store.Tx, chats []int64, name string) error {
	id := store.NewID(time.Now(), rand.Reader)
	for _, chat := range chats {
		if err := tx.Enqueue(&store.Outgoing{Chat: chat, ID: id, Kind: store.Note, Args: map[string]string{noteName: name}, Priority: alertPriority}); err != nil {
			return err
		}
	}
	return nil
}

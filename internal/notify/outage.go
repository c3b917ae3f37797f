package notify

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"resellerbot/internal/api"
	"resellerbot/internal/store"
)

const (
	outageAfter  = time.Minute      // of silence, before people are told
	mostPatience = 6                // how often that doubles, where it has begun and ended before
	calmAfter    = 6 * time.Hour    // after the last one, outages are told as the first
	outageCalls  = 3                // that must have failed in a row, before only one probes for all
	aloneAfter   = 10 * time.Minute // of no answer under one key, before those who wait under it are told, whatever others get
	silentAfter  = 10 * time.Minute // of answers that tell nothing of any order, before they are as good as none
	tellEvery    = 5 * time.Second  // between two looks for people to tell: of many keys that fail, several at once
	forgetEvery  = time.Minute      // between two looks for keys that nothing was asked under for long
	provenFor    = time.Hour        // how long an answer under one key shows that the trouble of another is its own
	purchasePage = 200              // purchases read at once
)

// outage is whether the service answers at all: several keys get no answer, or the only one that there is. While
// it does not, one call after the other probes it for all of them, ever more slowly, and those who wait for
// something are told once, and once that it is over. A key that works is never held back.
type outage struct {
	store *store.Store

	mu       sync.Mutex
	keys     map[string]keyHealth // by account
	failures int                  // calls that got no answer in a row, of whatever account
	since    time.Time            // the first of them
	probe    time.Time            // when to ask next
	probing  string               // the account whose call probes; "" for none
	told     bool                 // people were told
	failing  int                  // keys whose last call got no answer
	telling  time.Time            // when people to tell were looked for last
	forgot   time.Time            // when old keys were looked for last
	ended    time.Time            // when people were told last that it is over
	times    int                  // how often they were, of late
}

// keyHealth is what came of the last call under a key.
type keyHealth struct {
	fails  bool
	since  time.Time // it fails
	silent time.Time // since when no answer has told anything of its orders; zero while they do
	at     time.Time
	told   bool // those who wait for it were told that the service does not answer
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

// lasts reports whether the service itself does not answer; o.mu is held.
func (o *outage) lasts(now time.Time) bool {
	if o.failures < outageCalls || o.failing == 0 {
		return false
	}
	if o.failing > 1 {
		return true
	}
	// Of one key alone it cannot be told whether the service or the key fails, unless another one has worked lately.
	for _, k := range o.keys {
		if !k.fails && now.Sub(k.at) < provenFor {
			return false
		}
	}
	return true
}

// lets reports whether a call may be made for an account, and when the next probe is where none may.
func (o *outage) lets(account string, now time.Time) (ok bool, next time.Time) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if !o.keys[account].fails || !o.lasts(now) {
		return true, time.Time{}
	}
	return o.probing == "" && !now.Before(o.probe), o.probe
}

// called notes that a call is made for an account.
func (o *outage) called(account string) {
	o.mu.Lock()
	defer o.mu.Unlock()
	// The first call that goes out while the outage lasts is the probe; lets keeps the others back until it is answered.
	if o.probing == "" && o.keys[account].fails && o.lasts(time.Now()) {
		o.probing = account
	}
}

// answered takes what came of a call for an account, and whether that has told anything of its orders. It tells whether people
// have to be told something now, and whether keys are free that the outage has held back.
func (o *outage) answered(account string, err error, heard bool, now time.Time) (began, over, free bool) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.probing == account {
		o.probing = ""
	}
	was := o.keys[account]
	silent := silentSince(was.silent, err, heard, now)
	// Any answer shows that the service is there, a refusal too, unless it says nothing of what is waited for, for ever.
	if answers := err == nil || api.ClassOf(err) != api.Upstream; answers && (silent.IsZero() || now.Sub(silent) < silentAfter) {
		free = o.failures >= outageCalls
		o.failures, o.since = 0, time.Time{}
		o.note(account, keyHealth{at: now, silent: silent})
		o.forget(now)
		// It is over for people once a key that they were told of works, or none fails any more: an answer under a key that always
		// worked proves nothing.
		return false, o.told && (was.told || o.failing == 0), free
	}
	if o.failures++; o.failures == 1 {
		o.since = now
	}
	o.probe = now.Add(outageWait(o.failures))
	k := keyHealth{fails: true, since: now, silent: silent, at: now, told: was.told}
	if was.fails {
		k.since = was.since
	}
	o.note(account, k)
	if now.Sub(o.telling) < tellEvery || len(o.untold(now)) == 0 {
		return false, false, false
	}
	o.telling = now
	return true, false, false
}

// silentSince is since when calls under a key have told nothing of its orders: their answers name none of them, or say each time that
// it asks too often. A call that the client itself holds back changes nothing, and of a key that is refused people hear otherwise.
func silentSince(was time.Time, err error, heard bool, now time.Time) time.Time {
	switch e, failed := errors.AsType[*api.Error](err); {
	case heard || isKeyRefused(err):
		return time.Time{}
	case failed && e.Class == api.Limited && e.Status == 0, !was.IsZero():
		return was
	}
	return now
}

// untold names the accounts of which people have to be told that their key gets no answer, and were not; o.mu is held.
func (o *outage) untold(now time.Time) map[string]bool {
	patience := o.patience(now)
	all := o.lasts(now) && now.Sub(o.since) >= patience
	accounts := map[string]bool{}
	for account, k := range o.keys {
		if k.fails && !k.told && (all || now.Sub(k.since) >= max(aloneAfter, patience)) {
			accounts[account] = true
		}
	}
	return accounts
}

// patience is for how long the service must not answer before people are told; o.mu is held. One endpoint may answer and another not:
// nobody hears each minute that it is there again and then is not.
func (o *outage) patience(now time.Time) time.Duration {
	if now.Sub(o.ended) >= calmAfter {
		o.times = 0
	}
	return outageAfter << min(o.times, mostPatience)
}

// note keeps what came of a call; o.mu is held.
func (o *outage) note(account string, k keyHealth) {
	if was := o.keys[account]; was.fails != k.fails {
		o.failing++
		if was.fails {
			o.failing -= 2
		}
	}
	o.keys[account] = k
}

// forget drops what was learned of keys that nothing was asked under for long; o.mu is held.
func (o *outage) forget(now time.Time) {
	if now.Sub(o.forgot) < forgetEvery {
		return
	}
	o.forgot = now
	for account, k := range o.keys {
		if now.Sub(k.at) >= provenFor {
			o.note(account, keyHealth{})
			delete(o.keys, account)
		}
	}
}

// tell tells those who wait for orders under keys that get no answer and were not told, all in one unit.
func (o *outage) tell(ctx context.Context) error {
	o.mu.Lock()
	since, silent := o.since, o.untold(time.Now())
	o.mu.Unlock()
	chats, err := o.waiting(ctx, silent)
	if err != nil || len(chats) == 0 {
		return err
	}
	err = o.store.Update(ctx, func(tx *store.Tx) error {
		known, again, err := tx.Outage()
		if err != nil {
			return err
		}
		// What was told is on disk: after a restart nobody hears of the same outage twice.
		heard := make(map[int64]bool, len(known.Told))
		for _, chat := range known.Told {
			heard[chat] = true
		}
		fresh := slices.DeleteFunc(slices.Clone(chats), func(chat int64) bool { return heard[chat] })
		if len(fresh) == 0 {
			return nil
		}
		if err := notes(tx, fresh, store.OutageNote); err != nil {
			return err
		}
		if !again {
			known.Since = since
		}
		known.Told = append(known.Told, fresh...)
		return tx.PutOutage(known)
	})
	if err != nil {
		return fmt.Errorf("tell of the outage: %w", err)
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	// Behind the commit: what could not be written is told after the next call.
	o.told = true
	for account := range silent {
		if k := o.keys[account]; k.fails {
			k.told = true
			o.keys[account] = k
		}
	}
	return nil
}

// end tells those who were told that the service answers again.
func (o *outage) end(ctx context.Context) error {
	err := o.store.Update(ctx, func(tx *store.Tx) error {
		was, known, err := tx.EndOutage()
		if err != nil || !known {
			return err
		}
		return notes(tx, was.Told, store.OutageOverNote)
	})
	if err != nil {
		return fmt.Errorf("tell that the outage is over: %w", err)
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	o.told, o.ended = false, time.Now()
	o.times++
	for account, k := range o.keys {
		k.told = false
		o.keys[account] = k
	}
	return nil
}

// waiting lists the chats with a purchase under some accounts that has not come to its end.
func (o *outage) waiting(ctx context.Context, accounts map[string]bool) (chats []int64, err error) {
	listed := map[int64]bool{}
	for after := ""; ; {
		page, err := o.store.OpenPurchases(ctx, after, purchasePage)
		if err != nil {
			return nil, fmt.Errorf("list open purchases: %w", err)
		}
		for _, p := range page {
			if after = p.ID; p.Phase == store.Accepted && accounts[p.Account] && !listed[p.Chat] {
				chats, listed[p.Chat] = append(chats, p.Chat), true
			}
		}
		if len(page) < purchasePage {
			return chats, nil
		}
	}
}

// notes queues the same note for several chats.
func notes(tx *store.Tx, chats []int64, name store.NoteName) error {
	id := store.NewID(time.Now(), rand.Reader)
	for _, chat := range chats {
		note := store.NewNote(chat, id, name, nil)
		note.Priority = store.AlertPriority
		if err := tx.Enqueue(note); err != nil {
			return err
		}
	}
	return nil
}

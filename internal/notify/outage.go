package notify

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"maps"
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
	silentAfter  = 10 * time.Minute // in which nothing is told of a key's orders, before those who wait under it are told, whatever others get
	tellEvery    = 5 * time.Second  // between two looks for people to tell: of many keys that fail, several at once
	idleAfter    = time.Minute      // between two looks for people to tell under one key, where nobody waited: each walks all open purchases
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
	awaiting map[int64]int        // by chat that was told: how many of the keys that it waits under still get no answer
	over     []int64              // chats that wait under none of them any more, and have to be told so
	failing  int                  // keys whose last call got no answer
	telling  time.Time            // when people to tell were looked for last
	forgot   time.Time            // when old keys were looked for last
	ended    time.Time            // when people were told last that it is over
	times    int                  // how often they were, of late
}

// keyHealth is what came of the last call under a key.
type keyHealth struct {
	fails  bool
	silent time.Time // since when nothing was told of its orders, in answers or for want of any; zero while something is
	at     time.Time
	told   bool      // those who wait under it were told that the service does not answer
	chats  []int64   // where they were told
	idle   time.Time // when nobody waited under it who could be told
}

// begin remembers what people were told before. That an answer comes under the keys that they wait under has still to show.
func (o *outage) begin(ctx context.Context) error {
	was, told, err := o.store.Outage(ctx)
	if err != nil {
		return fmt.Errorf("read the outage that was told of: %w", err)
	}
	if !told {
		return nil
	}
	waiting, err := o.waiting(ctx, func(string) bool { return true })
	if err != nil {
		return err
	}
	now := time.Now()
	o.mu.Lock()
	defer o.mu.Unlock()
	o.told = true
	for account, chats := range waiting {
		chats = slices.DeleteFunc(chats, func(chat int64) bool { return !slices.Contains(was.Told, chat) })
		if len(chats) > 0 {
			// silent, and not fails: this process has asked nothing yet, and lasts must not hold its first calls back.
			o.note(account, keyHealth{silent: now, at: now})
			o.noteTold(account, chats)
		}
	}
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
	// A key that does not fail always passes above: its calls show at once that the service is there again.
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
func (o *outage) answered(account string, err error, heard bool, now time.Time) (tell, over, free bool) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.probing == account {
		o.probing = ""
	}
	e, failed := errors.AsType[*api.Error](err)
	if failed && e.Class == api.Limited && e.Status == 0 { // the client itself held it back, which tells nothing of the service
		return false, false, false
	}
	was := o.keys[account]
	k := keyHealth{silent: silentSince(was.silent, err, heard, now), at: now, told: was.told, chats: was.chats, idle: was.idle}
	// Any answer shows that the service is there, a refusal too.
	if k.fails = err != nil && api.ClassOf(err) == api.Upstream; k.fails {
		if o.failures++; o.failures == 1 {
			o.since = now
		}
		o.probe = now.Add(outageWait(o.failures))
	} else {
		// Before failures is set back: only an outage that held keys back has any to free.
		free = o.failures >= outageCalls
		o.failures, o.since = 0, time.Time{}
	}
	if k.silent.IsZero() {
		o.heal(was)
		k.told, k.chats = false, nil
	}
	o.note(account, k)
	o.forget(now)
	if now.Sub(o.telling) >= tellEvery { // it walks all keys
		o.telling, tell = now, len(o.untold(now)) > 0
	}
	return tell, len(o.over) > 0 || o.told && len(o.awaiting) == 0 && k.silent.IsZero(), free
}

// noteTold notes where people were told that a key gets no answer; o.mu is held.
func (o *outage) noteTold(account string, chats []int64) {
	k := o.keys[account]
	k.told, k.chats = true, chats
	o.keys[account] = k
	for _, chat := range chats {
		o.awaiting[chat]++
	}
}

// heal notes that a key gets answers, or is asked for nothing any more. Chats that wait under no other that does not have to be told;
// o.mu is held.
func (o *outage) heal(k keyHealth) {
	for _, chat := range k.chats {
		if o.awaiting[chat]--; o.awaiting[chat] <= 0 {
			delete(o.awaiting, chat)
			o.over = append(o.over, chat)
		}
	}
}

// silentSince is since when calls under a key have told nothing of its orders: there is no answer, or it names none of them, or says
// each time that it asks too often. Of a key that is refused people hear otherwise.
func silentSince(was time.Time, err error, heard bool, now time.Time) time.Time {
	switch {
	case heard || isKeyRefused(err):
		return time.Time{}
	case was.IsZero():
		return now
	}
	return was
}

// untold names the accounts of which people have to be told that their key gets no answer, or none that tells anything, and were not;
// o.mu is held.
func (o *outage) untold(now time.Time) map[string]bool {
	patience := o.patience(now)
	all := o.lasts(now) && now.Sub(o.since) >= patience
	accounts := map[string]bool{}
	for account, k := range o.keys {
		tells := all && k.fails || !k.silent.IsZero() && now.Sub(k.silent) >= max(silentAfter, patience)
		if tells && !k.told && now.Sub(k.idle) >= idleAfter {
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
	// failing goes up by one where the key begins to fail, and down by one where it ends: it is always the number of keys with fails.
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
		if !k.told && now.Sub(k.at) >= provenFor {
			o.note(account, keyHealth{})
			delete(o.keys, account)
		}
	}
}

// tell tells those who wait for orders under keys that get no answer and were not told, all in one transaction.
func (o *outage) tell(ctx context.Context) error {
	o.mu.Lock()
	since, accounts := o.since, o.untold(time.Now())
	o.mu.Unlock()
	waiting, err := o.waiting(ctx, func(account string) bool { return accounts[account] })
	if err != nil {
		return err
	}
	o.rest(accounts, waiting)
	if len(waiting) == 0 {
		return nil
	}
	if err := o.store.Update(ctx, func(tx *store.Tx) error { return noteOutage(tx, since, waiting) }); err != nil {
		return fmt.Errorf("tell of the outage: %w", err)
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	// Behind the commit: what could not be written is told after the next call.
	o.told = true
	for account, chats := range waiting {
		if k := o.keys[account]; !k.silent.IsZero() && !k.told {
			o.noteTold(account, chats)
		}
	}
	return nil
}

// rest has those of some keys be looked at again after a while under which nobody waits.
func (o *outage) rest(accounts map[string]bool, waiting map[string][]int64) {
	now := time.Now()
	o.mu.Lock()
	defer o.mu.Unlock()
	for account := range accounts {
		if k, known := o.keys[account]; known && len(waiting[account]) == 0 {
			k.idle = now
			o.keys[account] = k
		}
	}
}

// noteOutage queues the note for those who wait and were not told, and keeps who they are: after a restart nobody hears of the same outage
// twice.
func noteOutage(tx *store.Tx, since time.Time, waiting map[string][]int64) error {
	known, again, err := tx.Outage()
	if err != nil {
		return err
	}
	var fresh []int64
	for _, account := range slices.Sorted(maps.Keys(waiting)) {
		fresh = append(fresh, waiting[account]...)
	}
	told := make(map[int64]bool, len(known.Told))
	for _, chat := range known.Told {
		told[chat] = true
	}
	fresh = slices.DeleteFunc(fresh, func(chat int64) bool {
		was := told[chat]
		told[chat] = true // a chat may wait under two keys
		return was
	})
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
}

// end tells those who were told, and wait under no key any more that gets no answer, that the service answers again.
func (o *outage) end(ctx context.Context) error {
	o.mu.Lock()
	over, all := o.over, len(o.awaiting) == 0
	o.over = nil // two keys may be answered at once, and each chat hears it once
	o.mu.Unlock()
	if len(over) == 0 && !all {
		return nil
	}
	err := o.store.Update(ctx, func(tx *store.Tx) error {
		if all {
			was, known, err := tx.EndOutage()
			if err != nil || !known {
				return err
			}
			return notes(tx, was.Told, store.OutageOverNote)
		}
		was, known, err := tx.Outage()
		if err != nil || !known {
			return err
		}
		hear := slices.DeleteFunc(slices.Clone(was.Told), func(chat int64) bool { return !slices.Contains(over, chat) })
		was.Told = slices.DeleteFunc(was.Told, func(chat int64) bool { return slices.Contains(over, chat) })
		return errors.Join(notes(tx, hear, store.OutageOverNote), tx.PutOutage(was))
	})
	now := time.Now()
	o.mu.Lock()
	defer o.mu.Unlock()
	if err != nil {
		o.over = append(o.over, over...)
		return fmt.Errorf("tell that the outage is over: %w", err)
	}
	o.told = o.told && !all
	if now.Sub(o.ended) >= outageAfter { // the keys of one outage come back one after the other
		o.times++
	}
	o.ended = now
	return nil
}

// waiting lists the chats with a purchase under some accounts that has not come to its end, by account.
func (o *outage) waiting(ctx context.Context, of func(account string) bool) (map[string][]int64, error) {
	chats := map[string][]int64{}
	for after := ""; ; {
		page, err := o.store.OpenPurchases(ctx, after, purchasePage)
		if err != nil {
			return nil, fmt.Errorf("list open purchases: %w", err)
		}
		for _, p := range page {
			if after = p.ID; p.Phase == store.Accepted && of(p.Account) && !slices.Contains(chats[p.Account], p.Chat) {
				chats[p.Account] = append(chats[p.Account], p.Chat)
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

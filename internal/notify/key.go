package notify

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"time"

	"resellerbot/internal/api"
	"resellerbot/internal/store"
)

const (
	// confirmWait is how long after a refusal of a key it is tried once more. Only then are its owners told.
	confirmWait = 20 * time.Second
	// refusalsTold is how many refusals in a row are told.
	refusalsTold = 2
	// seenLately is within which time an order was seen whose key works.
	seenLately = 10 * time.Minute
)

// isKeyRefused reports whether the service does not take a key, or not from here.
func isKeyRefused(err error) bool {
	class := api.ClassOf(err)
	return err != nil && (class == api.Unauthorized || class == api.IPBlocked)
}

// Renew has an account's orders looked at under its key of now: one that was linked anew may heal what the one
// before could not see.
func (p *Poller) Renew(ctx context.Context, account string) error {
	orders, err := p.cfg.Store.PendingOrders(ctx, account, "", batchSize)
	if err != nil {
		return fmt.Errorf("list pending orders: %w", err)
	}
	if len(orders) == 0 {
		// What the old key met (refusals, rest) goes with the schedule. One whose call is under way stays, for release works on it.
		p.change(func() {
			if s, ok := p.schedules[account]; ok && len(s.orders) == 0 && !s.asking {
				delete(p.schedules, account)
			}
		})
		return nil
	}
	if p.cfg.BeatsOnly {
		p.putBack(ctx, orders, 0) // the next beat finds them due
		return nil
	}
	if err := p.enlist(ctx, account, orders); err != nil {
		return fmt.Errorf("look at the orders of account %s under its new key: %w", account, err)
	}
	p.waker.wake()
	return nil
}

// underKey has a schedule asked under a key. What the service said of another one counts no more.
func (s *schedule) underKey(service OrderSource, a store.Account) {
	s.service = service
	// Compared by fingerprints: the schedule is kept for long, and needs no key in it.
	if key := a.Key.Fingerprint(); key != s.key {
		s.key, s.failures, s.refusals, s.rest = key, 0, 0, time.Time{}
	}
	s.told = !a.KeyTold.IsZero()
}

// tellKey tells the owners of a key that is refused while orders wait, and notes that it is taken again.
func (p *Poller) tellKey(ctx context.Context, s *schedule, q query, err error) error {
	p.mu.Lock()
	// s.key is compared with that of the call: an answer about an older key says nothing about the one that was linked since.
	begins := isKeyRefused(err) && s.key == q.key && s.refusals >= refusalsTold && !s.told
	ends := err == nil && s.key == q.key && s.told
	if begins || ends {
		s.told = begins
	}
	p.mu.Unlock()
	switch {
	case begins:
		p.cfg.Log.Warn("a key is refused while orders wait", "account", s.account, "err", err)
		err = keyRefused(ctx, p.cfg.Store, s.account, q.key, api.ClassOf(err))
	case ends:
		err = keyTaken(ctx, p.cfg.Store, s.account, q.key)
	default:
		return nil
	}
	if err != nil {
		p.change(func() { s.told = ends }) // it is tried again after the next call
	}
	return err
}

// keyRefused tells whoever can mend it that an account's key is not taken while its orders wait: once, until it
// works again.
func keyRefused(ctx context.Context, s *store.Store, account, key string, class api.Class) error {
	waiting, err := s.PendingOrders(ctx, account, "", batchSize)
	if err != nil {
		return fmt.Errorf("list pending orders: %w", err)
	}
	if len(waiting) == 0 { // it was asked about what was delivered
		return nil
	}
	// Those that have failed wait for their refund, and nothing of them is fetched: where there are no others, no order waits.
	coming := slices.DeleteFunc(slices.Clone(waiting), func(o store.Order) bool { return o.State == store.Failed })
	if len(coming) > 0 {
		waiting = coming
	}
	bought := map[string]bool{} // an order of the service is one unit of what people know by one number
	for _, o := range coming {
		bought[o.Purchase] = true
	}
	err = s.Update(context.WithoutCancel(ctx), func(tx *store.Tx) error {
		a, err := tx.Account(account)
		if err != nil || a.Key.Fingerprint() != key || !a.KeyTold.IsZero() {
			return err
		}
		chats, err := whoMends(tx, a, waiting)
		if err != nil {
			return err
		}
		// KeyTold is in the account, so that owners are told once, by whichever process or part of the bot finds out first.
		a.KeyTold = time.Now()
		for _, chat := range chats {
			id := "key." + strconv.FormatInt(a.KeyTold.UnixMicro(), 36)
			args := map[string]string{"class": class.String(), "orders": strconv.Itoa(len(bought))}
			if err := tx.Enqueue(store.NewNote(chat, id, store.KeyRefusedNote, args).Of(a.ID)); err != nil {
				return err
			}
		}
		return tx.PutAccount(&a)
	})
	if err != nil {
		return fmt.Errorf("tell that the key of account %s is refused: %w", account, err)
	}
	return nil
}

// keyWorks reports whether orders were seen under an account's key so lately that it is taken, whatever one endpoint says.
func keyWorks(ctx context.Context, s *store.Store, account string) (bool, error) {
	waiting, err := s.PendingOrders(ctx, account, "", batchSize)
	if err != nil {
		return false, fmt.Errorf("list pending orders: %w", err)
	}
	return slices.ContainsFunc(waiting, func(o store.Order) bool { return time.Since(o.SeenAt) < seenLately }), nil
}

// whoMends are the chats that can give an account a key that works: its owners', those of who has owned it to its end, or, where these are
// not known, of who waits for something.
func whoMends(tx *store.Tx, a store.Account, waiting []store.Order) (chats []int64, err error) {
	if chats = a.Owners(); len(chats) > 0 {
		return chats, nil
	}
	for _, o := range waiting {
		bought, err := tx.Purchase(o.Purchase)
		if errors.Is(err, store.ErrNotFound) {
			continue
		}
		if err != nil {
			return nil, err
		}
		if bought.User != 0 && !slices.Contains(chats, bought.User) {
			chats = append(chats, bought.User)
		}
	}
	return chats, nil
}

// keyTaken notes that an account's key works again.
func keyTaken(ctx context.Context, s *store.Store, account, key string) error {
	err := s.Batch(context.WithoutCancel(ctx), func(tx *store.Tx) error {
		a, err := tx.Account(account)
		if err != nil || a.Key.Fingerprint() != key || a.KeyTold.IsZero() {
			return err
		}
		a.KeyTold = time.Time{}
		return tx.PutAccount(&a)
	})
	if err != nil {
		return fmt.Errorf("note that the key of account %s works again: %w", account, err)
	}
	return nil
}

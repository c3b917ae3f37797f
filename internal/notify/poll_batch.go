package notify

import (
	"context"
	"fmt"
	"time"

	"resellerbot/internal/store"
)

// How many orders the service takes in one call is not shown. A batch may be refused for its number, or for a single id in it that the
// service does not take, and the answer does not say which: so the halves of what was refused are asked for (askLess).

const (
	batchSize = 100 // orders in one call, where the service has not refused so many
	// tryMore is how long it takes after a refusal until more orders are asked for than the service was found to take: what was taken for
	// a limit may have been a moment in which it refused whatever was asked.
	tryMore = time.Hour
)

// sizes is how many orders of an account are asked for in one call.
type sizes struct {
	kept     int       // most that the service takes, as Account.Batch has it; 0 where it has never refused for the number
	grows    time.Time // more are asked for from then on
	cautious int       // most that are asked for since the budget has ended a search by halves, in memory alone; 0 for any

	// Of the look that is under way:
	before  int // cautious at its begin
	taken   int // the largest batch that was taken; 0 for none
	refused int // the smallest batch that was refused; 0 for none
}

// most is how many orders are asked for in one call.
func (s *sizes) most(now time.Time) int {
	most := batchSize
	switch {
	case s.tries(now):
		most = min(most, 2*s.kept)
	case s.kept > 0:
		most = min(most, s.kept)
	}
	if s.cautious > 0 {
		most = min(most, s.cautious)
	}
	return most
}

// tries reports whether more orders are asked for than the service was found to take.
func (s *sizes) tries(now time.Time) bool { return s.kept > 0 && !s.grows.After(now) }

// beginLook forgets what was taken and refused by the last look.
func (s *sizes) beginLook() { s.before, s.taken, s.refused = s.cautious, 0, 0 }

// batchRefused notes that the service has refused a batch of so many at a moment, and that half of it is asked for next. Where the budget
// ends the search, what follows goes on with that.
func (s *sizes) batchRefused(n, half int, at time.Time) {
	s.cautious, s.grows = half, at.Add(tryMore)
	if s.refused == 0 || n < s.refused {
		s.refused = n
	}
}

// batchTaken notes that the service has taken a batch of so many: batches grow again.
func (s *sizes) batchTaken(n int) {
	s.taken = max(s.taken, n)
	if s.cautious == 0 || n < s.cautious {
		return
	}
	if s.cautious *= 2; s.cautious >= batchSize {
		s.cautious = 0
	}
}

// endLook concludes from a look that has asked for all that it was to ask for, single reports whether an order was refused by itself. What
// was refused is set aside, so it says nothing of the next look, unless it was refused for the number.
func (s *sizes) endLook(single bool) {
	if s.before == 0 || s.cautious > 0 && s.cautious < s.before {
		s.cautious = s.before
	}
	switch {
	case s.taken >= batchSize:
		s.kept = 0
	case s.kept > 0 && s.taken > s.kept:
		s.kept = s.taken
	// It was not the number where a larger batch was taken, or a single order refused: and of two that are refused together and taken one
	// by one, one may be odd.
	case s.refused == 0 || s.taken >= s.refused || s.taken < 2 || single:
	case s.kept == 0 || s.taken < s.kept:
		s.kept = s.taken
	}
}

// endLook ends a look that has asked for all that it was to ask for, and keeps how many orders the service was found to take.
func (p *Poller) endLook(ctx context.Context, s *schedule, single bool) error {
	var was, most int
	p.change(func() {
		was = s.kept
		s.sizes.endLook(single)
		most = s.kept
	})
	if most == was {
		return nil
	}
	p.cfg.Log.Info("how many orders the service takes in one call has changed", "account", s.account, "most", most, "before", was)
	err := p.cfg.Store.Update(context.WithoutCancel(ctx), func(tx *store.Tx) error {
		a, err := tx.Account(s.account)
		if err != nil {
			return err
		}
		a.Batch = most
		return tx.PutAccount(&a)
	})
	if err != nil {
		return unwrittenError{fmt.Errorf("keep how many orders account %s may ask for: %w", s.account, err)}
	}
	return nil
}

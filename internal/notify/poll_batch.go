package notify

import (
	"context"
	"time"

	"resellerbot/internal/backoff"
	"resellerbot/internal/store"
)

// How many orders the service takes in one call is not shown. A batch may be refused for its number, for a single id in it that the
// service does not take, or for an order that it does not know yet, and the answer does not say which: so the halves of what was refused
// are asked for (askLess). Where both are taken it is held to be the number, and found out soon if it was not.

const (
	batchSize = 100 // orders in one call, where the service has not refused so many
	// growSoonest and growLatest are how long after a refusal more orders are asked for than the service was found to take: the longer, the
	// more often they were refused.
	growSoonest, growLatest = time.Minute, time.Hour
	// mostRefused is how many batches are asked for in a look where all are refused; mostBlips, how many such looks there are in a row before one
	// goes on until single orders are found that the service does not take.
	mostRefused, mostBlips = 3, 3
)

// sizes is how many orders of an account are asked for in one call.
type sizes struct {
	kept     int       // most that the service was found to take, as Account.Batch has it; 0 where there is no limit below batchSize
	grows    time.Time // more are asked for from then on
	lowered  int       // how often kept was lowered, or more were refused, since it grew last
	cautious int       // most that are asked for since a search by halves was not ended, or a batch has failed, in memory alone; 0 for any
	failed   int       // the size of a batch that has failed otherwise than by a refusal, where single orders were shown; 0 for none that says anything

	// Of the look that is under way:
	before  int  // cautious at its begin
	refused int  // batches that were refused
	taken   bool // one was taken
	patient bool // refusals alone end it
}

// most is how many orders are asked for in one call.
func (s *sizes) most(now time.Time) int {
	most := batchSize
	switch {
	case s.mayGrow(now):
		most = min(most, 2*s.kept)
	case s.kept > 0:
		most = min(most, s.kept)
	}
	if s.cautious > 0 {
		most = min(most, s.cautious)
	}
	return most
}

// mayGrow reports whether more orders are asked for than the service was found to take.
func (s *sizes) mayGrow(now time.Time) bool { return s.kept > 0 && !s.grows.After(now) }

// beginLook notes how a look begins, behind so many calls in a row that failed.
func (s *sizes) beginLook(failures int) {
	s.before, s.refused, s.taken, s.patient = s.cautious, 0, false, failures < mostBlips
}

// endLook notes that a look has asked for all that it was to ask for: what was refused in it is set aside, or is the number, and says
// nothing more of the next look.
func (s *sizes) endLook() {
	if s.before == 0 || s.cautious > 0 && s.cautious < s.before {
		s.cautious = s.before
	}
}

// batchRefused notes that the service has refused a batch of so many at a moment, and reports whether half of it is asked for next. Where the
// search ends before, by the budget or here, what follows goes on with that.
func (s *sizes) batchRefused(n, half int, at time.Time) (search bool) {
	if s.cautious = half; s.kept > 0 && n > s.kept {
		s.growLater(at)
	}
	// A service that takes nothing at all has no limit, but a bad moment: a search would spend the budget on it.
	s.refused++
	return s.taken || s.refused < mostRefused || !s.patient
}

// limitFound notes that the service takes so many orders, and was found not to take more: both halves of a batch that it had refused were taken.
func (s *sizes) limitFound(most int, at time.Time) {
	// Where the halves of a half were asked for, these have told first.
	if s.kept == 0 || most < s.kept {
		s.kept = most
		s.growLater(at)
	}
}

// growLater has more orders asked for later than the last time.
func (s *sizes) growLater(at time.Time) {
	s.lowered++
	s.grows = at.Add(backoff.Doubled(growSoonest, growLatest, s.lowered))
}

// batchTaken notes that the service has taken a batch of so many at a moment: batches grow again.
func (s *sizes) batchTaken(n int, at time.Time) {
	s.taken = true
	switch {
	case n >= s.failed:
		s.failed = 0
	case n >= s.cautious: // as many as were asked for because of the failure: fewer say nothing of the number
		s.failed = 0
		s.limitFound(n, at)
	}
	switch {
	case s.kept == 0 || n <= s.kept:
	case n >= batchSize:
		s.kept, s.lowered = 0, 0
	default:
		s.kept, s.lowered, s.grows = n, 0, time.Time{}
	}
	if s.cautious == 0 || n < s.cautious {
		return
	}
	if s.cautious *= 2; s.cautious >= batchSize {
		s.cautious = 0
	}
}

// batchFailed notes that a batch of so many has failed where single orders were shown: it may be the number, or an order in it. With fewer than
// a look asks for by themselves, that order would have the place of all others.
func (s *sizes) batchFailed(n int) { s.failed, s.cautious = n, max(n/2, min(n, 2*mostApart)) }

// keepSize writes how many orders the service was found to take, where that is another number than before. Where it cannot be written it is
// found out again after the next start.
func (p *Poller) keepSize(ctx context.Context, s *schedule, before int) {
	var most int
	p.change(func() { most = s.kept })
	if most == before {
		return
	}
	p.cfg.Log.Info("how many orders the service takes in one call has changed", "account", s.account, "most", most, "before", before)
	err := p.cfg.Store.Update(context.WithoutCancel(ctx), func(tx *store.Tx) error {
		a, err := tx.Account(s.account)
		if err != nil {
			return err
		}
		a.Batch = most
		return tx.PutAccount(&a)
	})
	if err != nil {
		p.cfg.Log.Error("keep how many orders the service takes in one call", "account", s.account, "err", err)
	}
}

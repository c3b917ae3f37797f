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
	batchSize = 100 // orders in one call, where the service was not found to take fewer
	// growSoonest and growLatest are how long after a refusal more orders are asked for than the service was found to take: the longer, the
	// more often they were refused.
	growSoonest, growLatest = time.Minute, time.Hour
	// samePages is how many answers that leave orders out show the same number of them where that is the most that an answer shows: what a
	// service loses by chance is another number each time.
	samePages = 3
	// mostInVain is how many batches are refused in a row before a look that has taken none puts the search off to the next one.
	mostInVain = 3
)

// sizes is how many orders of an account are asked for in one call.
type sizes struct {
	kept     int       // most that the service was found to take, as Account.Batch has it; 0 where no limit was found
	grows    time.Time // more are asked for from then on
	lowered  int       // how often kept was lowered, or more were refused, since it grew last
	cautious int       // most that are asked for since a search by halves was not ended, or a batch has failed, in memory alone; batchSize for any
	broke    int       // the size of a batch that has failed as a whole where single orders were shown; 0 for none that says anything
	before   int       // cautious at the begin of the look that is under way
	largest  int       // most orders that a batch of that look was taken with
	inVain   int       // batches that were refused since one was taken
	partings int       // batches of two or three of that look that were refused, and both of their halves taken
	page     int       // how many orders the last answer has shown that left others out
	pages    int       // such answers that have shown as many, since another one did, or one has shown more and left none out
	pagedAt  time.Time // the last of them
}

func newSizes() sizes { return sizes{cautious: batchSize, before: batchSize} }

// most is how many orders are asked for in one call.
func (s *sizes) most(now time.Time) int {
	switch {
	case s.mayGrow(now):
		return min(s.cautious, 2*s.kept)
	case s.kept > 0:
		return min(s.cautious, s.kept)
	}
	return s.cautious
}

// mayGrow reports whether more orders are asked for than the service was found to take.
func (s *sizes) mayGrow(now time.Time) bool { return s.kept > 0 && !s.grows.After(now) }

// ended notes that a look has asked for all that it was to ask for: what was refused in it is set aside, or is the number, and says nothing
// more of the next look.
func (s *sizes) ended() { s.cautious = max(s.cautious, s.before) }

// refused notes that the service has refused a batch of so many at a moment, and reports whether half of it is asked for next. Where the
// budget ends the search, what follows goes on with that.
func (s *sizes) refused(n int, at time.Time) (half int, search bool) {
	half = (n + 1) / 2
	if s.cautious = half; s.kept > 0 && n > s.kept {
		s.growLater(at)
	}
	// A service that takes nothing at all has no limit, but most likely a bad moment: the search waits for the next look, once.
	if s.inVain++; s.inVain == mostInVain && s.largest == 0 {
		s.cautious = s.before
		return half, false
	}
	return half, true
}

// answered notes that the service has answered for a batch of so many at a moment, and shown some of them.
func (s *sizes) answered(asked, shown int, at time.Time) {
	s.taken(shown, at)
	if asked == shown && shown > s.page {
		s.page, s.pages = 0, 0
	}
	if s.kept > 0 && asked > s.kept && shown <= s.kept {
		s.growLater(at)
	}
}

// leftOut notes that an answer for so many orders has shown some of them and left out others, of which nothing says that they are not there: so
// many may be the most that an answer shows.
func (s *sizes) leftOut(asked, shown int, at time.Time) {
	if shown != s.page {
		s.page, s.pages = shown, 0
	}
	s.pages++
	s.pagedAt = at
	// Few are asked for by themselves in the same look, and may be orders that batches do not show.
	if s.pages >= samePages && asked-shown > mostApart {
		s.limited(shown, at)
	}
}

// taken notes that the service has taken a batch of so many at a moment: batches grow again.
func (s *sizes) taken(n int, at time.Time) {
	s.largest, s.inVain = max(s.largest, n), 0
	switch {
	case n >= s.broke:
		s.broke = 0
	case n >= s.cautious: // as many as were asked for because of the failure: fewer say nothing of the number
		s.broke = 0
		s.limited(n, at)
	}
	switch {
	case s.kept == 0 || n <= s.kept:
	case n >= batchSize:
		s.kept, s.lowered = 0, 0
	default:
		s.kept, s.lowered, s.grows = n, 0, time.Time{}
	}
	if n >= s.cautious {
		s.cautious = min(2*s.cautious, batchSize)
	}
}

// limited notes that the service takes so many orders, and was found not to take more.
func (s *sizes) limited(most int, at time.Time) {
	// Where the halves of a half were asked for, these have told first.
	if s.kept == 0 || most < s.kept {
		s.kept = most
		s.growLater(at)
	}
}

// parted notes that the service has refused two or three orders, and taken their halves: so many may be the limit, or one of the orders is only
// taken without others. It is the limit where that comes twice in a look, and no more were taken together.
func (s *sizes) parted(half int, at time.Time) {
	if s.partings++; s.partings > 1 && s.largest <= half {
		s.limited(half, at)
	}
}

// growLater has more orders asked for later than the last time.
func (s *sizes) growLater(at time.Time) {
	s.lowered++
	s.grows = at.Add(backoff.Doubled(growSoonest, growLatest, s.lowered))
}

// failed notes that a batch of so many has failed as a whole where single orders were shown: it may be the number, or an order in it. With
// fewer than a look asks for by themselves, that order would have the place of all others.
func (s *sizes) failed(n int, at time.Time) {
	if s.broke, s.cautious = n, min(s.cautious, max(n/2, min(n, 2*mostApart))); s.kept > 0 && n > s.kept {
		s.growLater(at)
	}
}

// keepSize writes how many orders the service was found to take, where that is another number than before. Where it cannot be written it is
// found out again after the next start.
func (p *Poller) keepSize(ctx context.Context, s *schedule, before int) {
	var most int
	p.change(func() { most = s.batch.kept })
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

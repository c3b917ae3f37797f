package purchase

import (
	"slices"
	"time"

	"resellerbot/internal/api"
	"resellerbot/internal/store"
)

// What an account's readings show may be old: the document says nothing about how fresh they are. So each account's
// own purchases teach it: one whose answer named its orders is followed until its price shows in the balance, and
// its orders in the list.
//
// All waiting times that depend on that, or have to fit to it, from the shortest to the longest. L is the longest lag that was
// seen; the figures hold while it is at most 4 minutes, that of fresh while it is at most 14 seconds.
//
//	 1 min  fresh         max(1 min, 1 s + 4L): before the money of a refused purchase is looked at for who wants to buy it again, and by when the
//	                      price of another purchase must show for them; never longer than endsAt
//	 1 min  hadToShow     max(1 min, 4L): what shows later for another purchase is that of a refused one as well
//	 2 min  queuedLife    a place in the queue, with all pauses that our own limits ask for
//	10 min  ReconcileFor  as it is configured: a person is asked about an uncertain purchase, where time will not tell
//	15 min  isRecent      15/16 of memoryOf: a price that is due has shown, before forget and endUntaken ask
//	16 min  quietTime     a price must show for what hides a refusal, and the usage of an allocation must have moved for what was bought before
//	16 min  quietOf       max(16 min, 4L): nothing has shown for so long, so nothing was bought
//	16 min  memoryOf      the same with L of the balance alone: how old the state may be that a reading shows
//	16 min  patienceWith  memoryOf, or none: what no cause explains is money from outside, never before memoryOf behind the acceptance of
//	                      what was uncertain when it went (mayBookAsOutside)
//	17 min  patienceFor   memoryOf + 1 min: a refund is called missing
//	17 min  endsAt        16 min + refusedPatience: the money of a refused purchase must have shown to be there
//	18 min  longest       max(ReconcileFor, quietOf + decisive): a person is asked, where time may tell and lags are known
//	34 min  unreadFor     which is quietTime + 1 min, behind patienceFor: that nobody can tell whether a refund came
//	 1 h    recall        no reading is older, whatever was learned
//	 1 h    clearsAfter   recall; where money was seen to come, min(recall, memoryOf): what has several explanations is from outside
//	 1 h    priceLife     max(recall, memoryOf): the balance is asked which of two prices was charged
//	76 min  rival         executedLate + memoryOf: a denied purchase may be mistaken for one that is sent later
//	 2 h    refusedLife   what the service refused is looked for
//	24 h    lateWatch     what was said not to have happened is looked for
//	26 h    deniedLife    the wallet expects its price: charge tells nothing of a purchase that the wallet has forgotten. What a person is still
//	                      asked about is kept, for the answer, and explains nothing any more
//	 7 d    refundLife    a refund is looked for (followFor: its order is looked at)
//	30 d    lagLife       then a shorter lag takes the place of the longest; sharedFor: an account counts as used by others
//
// Three relations must hold: quietTime exceeds the lag that is promised for (15 minutes), patienceFor exceeds memoryOf, and
// deniedLife exceeds lateWatch. memoryOf exceeds recall once L is above 15 minutes: priceLife takes the greater of the two,
// clearsAfter the lesser.

const (
	// quietTime is how long nothing has to show before nothing was bought, at least: longer than readings are late,
	// up to 15 minutes from one moment to the next, however fresh all were that this account has seen.
	quietTime  = 16 * time.Minute
	lagFactor  = 4 // and how many times the longest lag seen, at least
	lagSamples = 3 // purchases that have to be followed before lags are known
	lagLife    = 30 * 24 * time.Hour
	sampleEach = 10        // purchases of which one is followed, once lags are known
	recall     = time.Hour // how old a reading may be before it is no reading, whatever was learned
)

// balanceLag is what Account.Lags calls balances.
const balanceLag = "balance"

// listLag is what Account.Lags calls the list that would show a purchase: not every list shows every kind of order.
func listLag(a store.Account, p store.Purchase) string {
	key := "list/" + string(listOf(p)) + "/" + a.Generation
	if p.Manual {
		key += "/manual"
	}
	return key
}

// longestLag is how late a reading of the balance, or of the list that would show a purchase, has been at most.
func longestLag(a store.Account, p store.Purchase) time.Duration {
	return max(a.Lags[balanceLag].Longest, a.Lags[listLag(a, p)].Longest)
}

// mostBetween is how far two looks may lie apart for the later one to tell how late a reading is: what showed while
// nobody looked tells nothing.
const mostBetween = 6 * time.Minute

// isTimely reports whether something that a look shows had not shown shortly before.
func isTimely(happened, lastLook, now time.Time) bool {
	if lastLook.Before(happened) {
		lastLook = happened
	}
	return now.Sub(lastLook) <= mostBetween
}

// learn keeps how late a reading was. A longest lag of long ago gives way to what is seen now.
func learn(a *store.Account, what string, took time.Duration, at time.Time) {
	if a.Lags == nil {
		a.Lags = map[string]store.Lag{}
	}
	l := a.Lags[what]
	l.Seen++
	if took >= l.Longest || at.Sub(l.At) > lagLife {
		l.Longest, l.At = took, at
	}
	a.Lags[what] = l
}

// lagsKnown reports whether enough purchases of an account were followed to know how late its readings are.
func lagsKnown(a store.Account, p store.Purchase) bool {
	return a.Lags[balanceLag].Seen >= lagSamples && a.Lags[listLag(a, p)].Seen >= lagSamples
}

// quietOf is how long nothing has to show of a purchase before it was not bought.
func quietOf(a store.Account, p store.Purchase) time.Duration {
	return max(quietTime, lagFactor*longestLag(a, p))
}

// memoryOf is how old the state may be that a reading of the balance shows.
func memoryOf(a store.Account) time.Duration {
	return max(quietTime, lagFactor*a.Lags[balanceLag].Longest)
}

// toLearn is what the orders of an accepted purchase will teach of a list; empty where that is known well enough.
func toLearn(a store.Account, p store.Purchase) string {
	key := listLag(a, p)
	// Once lags are known, one purchase of sampleEach is followed still: the service may become slower.
	if a.Lags[key].Seen >= lagSamples && a.Spends%sampleEach != 0 {
		return ""
	}
	return key
}

// followLook is when to look again for a purchase that was accepted so long ago.
func followLook(age time.Duration) time.Duration {
	// A third of the age keeps what is learned within a third of the truth, and mostBetween above the longest pause.
	return min(max(2*time.Second, age/3), 5*time.Minute)
}

// InOurTime is the orders of a list of an account with their times by our clock, as far as orders of the account's own have
// shown how far that list is from it.
func InOurTime(a store.Account, f api.Family, list []api.Order) []api.Order {
	clock := clockOf(a, f)
	list = slices.Clone(list)
	for i, o := range list {
		if at, told := byOurClock(o, clock); told {
			list[i].CreatedAt, list[i].Zoneless = at, false
		}
	}
	return list
}

// clockOf is what is known of how far the times of a list are from ours. What people deliver and the rest stand in one list, and
// have one clock; whichever is known serves, the rest first.
func clockOf(a store.Account, f api.Family) store.Lag {
	automatic := a.Lags[listLag(a, store.Purchase{Family: string(f)})]
	manual := a.Lags[listLag(a, store.Purchase{Family: string(f), Manual: true})]
	if automatic.Clock || !manual.Clock && automatic.Offset != 0 {
		return automatic
	}
	return manual
}

// byOurClock is when an order of a list was made, by our clock; told is false where that is not known: it tells a date alone,
// or names no zone before orders of ours have shown how far such times are from ours.
//
// Offset is how far the list is ahead of us, and is subtracted. Example: a list names no zone and is in UTC+1. It shows 13:00 for what was
// made at 12:00 UTC, so its Offset is 1 h.
func byOurClock(o api.Order, list store.Lag) (at time.Time, told bool) {
	switch {
	case o.CreatedAt.IsZero(), isDate(o.CreatedAt), o.Zoneless && !list.Clock:
		return o.CreatedAt, false
	case !o.Zoneless && list.Clock: // the offset is of other times
		return o.CreatedAt, true
	}
	return o.CreatedAt.Add(-list.Offset), true
}

// isDate reports whether a time tells a date alone.
func isDate(at time.Time) bool { return at.Equal(at.Truncate(24 * time.Hour)) }

// offsetOf is how far the times of a list are from ours, by one order of it: whole quarters of an hour are another
// zone, and less is nothing. ok is false for what is further than any zone, which tells no time.
func offsetOf(listed, made time.Time) (offset time.Duration, ok bool) {
	const zone = 15 * time.Minute
	offset = listed.Sub(made).Round(zone)
	return offset, offset.Abs() <= farOff
}

// lookAgain is when to look for a refund next, by how long ago its order failed, and when people will be told.
func lookAgain(age, patience time.Duration) time.Duration {
	switch {
	case age < time.Minute:
		return 3 * time.Second
	case age < patience:
		return 15 * time.Second
	}
	return 10 * time.Minute
}

// patienceFor is how long a refund may take before people are told: longer where balances are known to be late.
func patienceFor(a store.Account) time.Duration { return memoryOf(a) + time.Minute }

// unreadFor is for how long beyond that no reading may be able to show a refund before people are told so.
const unreadFor = quietTime + time.Minute

// priceLife is for how long the balance is asked which of two prices a purchase was charged.
func priceLife(a store.Account) time.Duration { return max(recall, memoryOf(a)) }

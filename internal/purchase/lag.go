package purchase

import (
	"time"

	"resellerbot/internal/store"
)

// What an account's readings show may be old: the document says nothing about how fresh they are. So each account's
// own purchases teach it: one whose answer named its orders is followed until its price shows in the balance, and
// its orders in the list.

const (
	quietTime  = 10 * time.Minute // how long nothing has to show before nothing was bought, at least
	lagFactor  = 4                // and how many times the longest lag seen, at least
	lagSamples = 3                // purchases that have to be followed before lags are known
	lagLife    = 30 * 24 * time.Hour
	unknownLag = 15 * time.Minute // how old a reading may be where that is not known
	sampleEach = 10               // purchases of which one is followed, once lags are known
	recall     = time.Hour        // how old a reading may be before it is no reading, whatever was learned
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

// mostBetween is how far two looks may lie apart for the later one to tell how late a reading is: what showed while
// nobody looked tells nothing.
const mostBetween = 6 * time.Minute

// timely reports whether something that a look shows had not shown shortly before.
func timely(happened, lastLook, now time.Time) bool {
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
	return max(quietTime, lagFactor*max(a.Lags[balanceLag].Longest, a.Lags[listLag(a, p)].Longest))
}

// memoryOf is how old the state may be that a reading of the balance shows.
func memoryOf(a store.Account) time.Duration {
	l := a.Lags[balanceLag]
	if l.Seen < lagSamples {
		return max(unknownLag, lagFactor*l.Longest)
	}
	return max(quietTime, lagFactor*l.Longest)
}

// oldest is how old the state may be that a reading of the balance shows, though no reading was ever as late: readings
// may be later from one moment to the next.
func oldest(a store.Account) time.Duration { return max(memoryOf(a), unknownLag) }

// clearAfter is after how long money that is there shows that it was not taken, as far as that may be said to nobody.
func clearAfter(a store.Account) time.Duration { return min(memoryOf(a), unknownLag) }

// toLearn is what the orders of an accepted purchase will teach of a list; empty where that is known well enough.
func toLearn(a store.Account, p store.Purchase) string {
	key := listLag(a, p)
	if a.Lags[key].Seen >= lagSamples && a.Spends%sampleEach != 0 {
		return ""
	}
	return key
}

// followLook is when to look again for a purchase that was accepted so long ago.
func followLook(age time.Duration) time.Duration {
	return min(max(2*time.Second, age/3), 5*time.Minute)
}

// offsetOf is how far the times of a list are from ours, by one order of it: whole quarters of an hour are another
// zone, and less is nothing.
func offsetOf(listed, made time.Time) time.Duration {
	const zone = 15 * time.Minute
	return listed.Sub(made).Round(zone)
}

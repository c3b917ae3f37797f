package store

import (
	"maps"
	"slices"
	"sync"
)

// mostDecoded is how many accounts are kept decoded.
const mostDecoded = 256

// decodedAccounts keeps accounts as they were decoded, by the versions of their records: to decode a team, and to open
// what is sealed, costs most of a read. A version never comes again, so that what is kept under the stored one is what is
// stored. Its zero value is ready.
type decodedAccounts struct {
	mu   sync.Mutex
	byID map[string]Account
}

// of is the account that a record holds, if it was decoded before.
func (d *decodedAccounts) of(r Record) (Account, bool) {
	d.mu.Lock()
	a, ok := d.byID[r.Key]
	d.mu.Unlock()
	if !ok || a.rev != r.Version {
		return Account{}, false
	}
	return a.clone(), true
}

// keep keeps an account until another one needs its place.
func (d *decodedAccounts) keep(a Account) {
	a = a.clone()
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.byID == nil {
		d.byID = make(map[string]Account, mostDecoded)
	}
	if _, known := d.byID[a.ID]; !known && len(d.byID) >= mostDecoded {
		// Any other one makes room: which is asked for next is not known, and the order of a map is as good as any.
		for other := range d.byID {
			delete(d.byID, other)
			break
		}
	}
	d.byID[a.ID] = a
}

// drop forgets an account that has changed: its key may have been forgotten.
func (d *decodedAccounts) drop(id string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	delete(d.byID, id)
}

// clone is an account that shares nothing with a but what cannot be changed.
func (a Account) clone() Account {
	a.Chats, a.Queue, a.Recent = slices.Clone(a.Chats), slices.Clone(a.Queue), slices.Clone(a.Recent)
	a.Invites, a.Past, a.Refunds = slices.Clone(a.Invites), slices.Clone(a.Past), slices.Clone(a.Refunds)
	a.Team, a.Lags, a.Thaw.Unread = cloneTeam(a.Team), maps.Clone(a.Lags), slices.Clone(a.Thaw.Unread)
	a.Place, a.Locked, a.Former = clonePlace(a.Place), cloneOf(a.Locked), cloneOf(a.Former)
	if f := a.Former; f != nil {
		f.Team, f.Place, f.Locked = cloneTeam(f.Team), clonePlace(f.Place), cloneOf(f.Locked)
	}
	w := &a.Wallet
	w.Unexplained, w.Open, w.Shown, w.MadeUp = cloneOf(w.Unexplained), cloneOf(w.Open), cloneOf(w.Shown), cloneOf(w.MadeUp)
	w.Expected = slices.Clone(w.Expected)
	for i := range w.Expected {
		x := &w.Expected[i]
		x.Instead, x.Earlier, x.Elsewhere = cloneOf(x.Instead), slices.Clone(x.Earlier), slices.Clone(x.Elsewhere)
	}
	return a
}

// cloneTeam is a team of its own.
func cloneTeam(team []Member) []Member {
	team = slices.Clone(team)
	for i := range team {
		m := &team[i]
		m.PerPurchase, m.PerDay = cloneOf(m.PerPurchase), cloneOf(m.PerDay)
	}
	return team
}

// cloneOf is a copy of what p points to; nil of nil.
func cloneOf[T any](p *T) *T {
	if p == nil {
		return nil
	}
	v := *p
	return &v
}

// clonePlace is a place of its own.
func clonePlace(p *Place) *Place {
	if p = cloneOf(p); p != nil {
		p.Topics, p.Unused = maps.Clone(p.Topics), maps.Clone(p.Unused)
	}
	return p
}

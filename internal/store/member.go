package store

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"time"

	"resellerbot/internal/api/dzd"
)

// Role is what somebody may do with an account. Who may more may everything that somebody with less may.
type Role string

// The roles, the highest first.
const (
	Owner   Role = "owner"   // everything
	Seller  Role = "seller"  // browses and buys
	Counter Role = "counter" // receives deliveries and sees orders; spends nothing
	NoRole  Role = ""        // not of the team
)

// AtLeast reports whether a role may do what another one may.
func (r Role) AtLeast(need Role) bool { return r.rank() >= need.rank() }

// rank orders the roles. A role that is not known may nothing.
func (r Role) rank() int { return slices.Index([]Role{Counter, Seller, Owner}, r) + 1 }

// Member is somebody of an account's team. They are known by their Telegram user id, which is that of their
// private chat as well.
type Member struct {
	User  int64
	Name  string // hostile text
	Role  Role
	By    int64 // who let them in; themselves where they linked the key
	Since time.Time

	PerPurchase *dzd.Amount // what a seller may spend at once without an owner's word; nil is no limit
	PerDay      *dzd.Amount // and in a day
	Day         string      // the day that Spent is of
	Spent       dzd.Amount  // without an owner's word, in that day
}

// SpentOn is what a member has spent in a day without an owner's word.
func (m Member) SpentOn(day string) dzd.Amount {
	if m.Day != day {
		return dzd.Amount{}
	}
	return m.Spent
}

// Allows reports whether a member may spend an amount in a day without an owner's word.
func (m Member) Allows(amount dzd.Amount, day string) bool {
	switch {
	case m.Role == Owner:
		return true
	case !m.Role.AtLeast(Seller):
		return false
	case m.PerPurchase != nil && m.PerPurchase.Less(amount):
		return false
	}
	// Up to the limit and including it. Example: with 5000 DZD a day and 3000 spent, 2000 are allowed and 2001 are not.
	return m.PerDay == nil || !m.PerDay.Less(m.SpentOn(day).Add(amount))
}

// Spend is the member with an amount counted against their limit of a day.
func (m Member) Spend(amount dzd.Amount, day string) Member {
	m.Spent, m.Day = m.SpentOn(day).Add(amount), day
	return m
}

// Unspend is the member without what was counted in a day and came to nothing.
func (m Member) Unspend(amount dzd.Amount, day string) Member {
	// On another day the count has begun anew, and what is given back was counted in one that is over.
	if m.Day == day {
		m.Spent = m.Spent.Sub(amount)
	}
	return m
}

// Day is the day of a moment, as limits count it.
func Day(at time.Time, zone *time.Location) string { return at.In(zone).Format(time.DateOnly) }

// Members is the account's team. Before there were teams, whoever had linked the key in their private chat
// owned the account, and so it is read where no team was written down yet.
func (a Account) Members() []Member {
	if a.Team != nil {
		return a.Team
	}
	var team []Member
	for _, chat := range a.Chats {
		if chat > 0 {
			team = append(team, Member{User: chat, Role: Owner, By: chat, Since: a.LinkedAt})
		}
	}
	return team
}

// Member is who a user is in the account's team; false where they are not of it.
func (a Account) Member(user int64) (Member, bool) {
	team := a.Members()
	i := slices.IndexFunc(team, func(m Member) bool { return m.User == user })
	if i < 0 {
		return Member{}, false
	}
	return team[i], true
}

// Role is what a user may do with the account.
func (a Account) Role(user int64) Role {
	m, _ := a.Member(user)
	return m.Role
}

// Admit writes a member of an account down, new or in place of what they were.
// It changes the account in place and does not write it. A team that was only implied by the chats (Members) is written out.
func Admit(a *Account, m Member) {
	team := slices.Clone(a.Members())
	i := slices.IndexFunc(team, func(o Member) bool { return o.User == m.User })
	if i < 0 {
		team = append(team, m)
	} else {
		team[i] = m
	}
	a.Team = team
	if !slices.Contains(a.Chats, m.User) {
		a.Chats = append(slices.Clone(a.Chats), m.User)
	}
}

// mostPast is how many of the chats that have left are remembered.
const mostPast = 20

// Part takes a chat out of an account, with whose private chat it is. What it has bought stays the account's:
// the chat is remembered for that.
func Part(a *Account, chat int64) {
	a.Team = slices.DeleteFunc(slices.Clone(a.Members()), func(m Member) bool { return m.User == chat })
	if !slices.Contains(a.Chats, chat) {
		return
	}
	a.Chats = without(a.Chats, chat)
	a.Past = append([]int64{chat}, without(a.Past, chat)...)
	a.Past = a.Past[:min(len(a.Past), mostPast)]
	if a.Place != nil && a.Place.Chat == chat {
		a.Place = nil
	}
}

// without is a list without one of its numbers.
func without(list []int64, n int64) []int64 {
	return slices.DeleteFunc(slices.Clone(list), func(m int64) bool { return m == n })
}

// mostWas is how many accounts that a chat has left are remembered.
const mostWas = 8

// Left remembers that the person of a chat has left an account that was theirs.
func (c *Chat) Left(account string) {
	c.Back(account)
	c.Was = append([]string{account}, c.Was...)
	c.Was = c.Was[:min(len(c.Was), mostWas)]
}

// Back forgets that an account was left.
func (c *Chat) Back(account string) {
	c.Was = slices.DeleteFunc(slices.Clone(c.Was), func(id string) bool { return id == account })
}

// PrivateChats are the private chats of the members that have a role, in the order in which they came.
func (a Account) PrivateChats(role Role) []int64 {
	return slices.DeleteFunc(slices.Clone(a.Chats), func(chat int64) bool { return chat < 0 || a.Role(chat) != role })
}

// HasStaff reports whether there are others in the team beside owners, or were when the last owner unlinked the account: what they were
// not to see before, they do not see by that. Where that team is not known, there were.
func (a Account) HasStaff() bool {
	team := a.Members()
	if a.Retired {
		if a.Former == nil {
			return true
		}
		team = a.Former.Team
	}
	return slices.ContainsFunc(team, func(m Member) bool { return m.Role != Owner })
}

// Owners are the private chats of those who own the account, or owned it when the last of them unlinked it; none where that is not known.
func (a Account) Owners() (chats []int64) {
	if !a.Retired || a.Former == nil {
		return a.PrivateChats(Owner)
	}
	for _, m := range a.Former.Team {
		if m.Role == Owner {
			chats = append(chats, m.User)
		}
	}
	return chats
}

// OwnedBy reports whether somebody owns the account, as Owners has it, and may see what anything has cost.
func (a Account) OwnedBy(user int64) bool {
	return a.Role(user) == Owner || a.Retired && slices.Contains(a.Owners(), user)
}

// Decides reports whether somebody decides about a purchase that nobody is sure of: whoever owns the account. Where nobody is left of the
// team, and nobody knows who owned it, that is whoever has bought it.
func (a Account) Decides(p Purchase, user int64) bool {
	return a.OwnedBy(user) || a.Retired && len(a.Owners()) == 0 && user == p.User
}

// ShowsWallet reports whether somebody may see what the wallet tells of a purchase: an owner, and whoever has to decide about it.
func (a Account) ShowsWallet(p Purchase, user int64) bool {
	return a.OwnedBy(user) || p.Phase == Undecided && a.Decides(p, user)
}

// HearsMoney reports whether a chat may be told what is in the wallet: an owner's, and a group where an owner
// has asked for it, as only an owner can.
func (a Account) HearsMoney(chat int64) bool { return chat < 0 || a.Role(chat) == Owner }

// Place is where the deliveries of all sellers of an account go as well.
type Place struct {
	Chat   int64  // a group
	Thread int    // the topic of it that was chosen; 0 for the group as such
	Title  string // of the group, hostile text
	Full   bool   // codes are shown there in full, and not only to those who ask for them
	By     int64  // the owner who has chosen it
	At     time.Time
	Topics map[Subject]Topic `json:",omitempty"` // that the bot has made, or is about to
	Unused map[Subject]Topic `json:",omitempty"` // that it has made, and that nothing goes to since an owner wanted none
}

// Lock is that nothing is spent for an account until it is taken away.
type Lock struct {
	By   int64  // 0 where no owner has locked it
	Name string // of By, hostile text
	At   time.Time
	// Restored tells that the account comes from a copy, whose team may be an old one: an owner has to confirm it.
	Restored bool `json:",omitempty"`
}

// TeamShown is a team as an owner is asked to confirm it.
type TeamShown struct {
	Account string // its name, hostile text
	Members []Member
	Place   *Place
	Mark    string // names the team as it is shown
}

// TeamMark names what an owner confirms of a team: who is in it as what, with which limits, and where deliveries go.
// Another team has another mark.
// Names are left out: who is renamed at Telegram is the same person, and what was shown is still confirmed.
func (a Account) TeamMark() string {
	h := sha256.New()
	for _, m := range a.Members() {
		fmt.Fprintf(h, "%d %s %s %s\n", m.User, m.Role, limitMark(m.PerPurchase), limitMark(m.PerDay))
	}
	if at := a.Place; at != nil {
		fmt.Fprintf(h, "%d %d %t\n", at.Chat, at.Thread, at.Full)
	}
	return hex.EncodeToString(h.Sum(nil)[:8])
}

// limitMark is a limit as it goes into a mark.
func limitMark(limit *dzd.Amount) string {
	if limit == nil {
		return "-"
	}
	return limit.String()
}

// FormerLife is how long a team that has ended comes back when its account is linked again.
const FormerLife = 30 * 24 * time.Hour

// Former is the team of an account whose last owner has unlinked it.
type Former struct {
	Team   []Member
	Place  *Place
	Locked *Lock
	At     time.Time
}

// RevivableBy reports whether somebody was an owner of a team that may still come back, and so brings it back.
func (f *Former) RevivableBy(user int64, now time.Time) bool {
	return f != nil && now.Sub(f.At) < FormerLife &&
		slices.ContainsFunc(f.Team, func(m Member) bool { return m.User == user && m.Role == Owner })
}

// OwnerLeft is a private chat that speaks for an account that nobody owns any more: that of its last owner. Zero
// where that is not known.
func (a Account) OwnerLeft() int64 {
	if owners := a.Owners(); a.Retired && len(owners) > 0 {
		return owners[0]
	}
	return 0
}

// rename gives a chat of an account another id.
func rename(a *Account, from, to int64) {
	for _, list := range [][]int64{a.Chats, a.Past} {
		if i := slices.Index(list, from); i >= 0 {
			list[i] = to
		}
	}
	if a.Place != nil && a.Place.Chat == from {
		a.Place.Chat = to
	}
}

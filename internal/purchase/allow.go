package purchase

import (
	"context"
	"errors"
	"time"

	"resellerbot/internal/store"
)

// Why a tap on ✅ is not enough. Nothing was bought by the tap in any of them.
var (
	// ErrNotAllowed: the person has no such right, or has it no more.
	ErrNotAllowed = errors.New("purchase: the person may not do that")
	// ErrLocked: an owner has stopped all spending.
	ErrLocked = errors.New("purchase: the account is locked")
	// ErrRestored: the account comes from a copy, and no owner has confirmed its team yet.
	ErrRestored = errors.New("purchase: the team of a restored account is not confirmed")
	// ErrLimit: it is above the buyer's limit, and an owner has to be asked.
	ErrLimit = errors.New("purchase: above the buyer's limit")
	// ErrCrowded: codes of earlier purchases have not reached the buyer's chat. More money would turn into
	// codes that nobody can see.
	ErrCrowded = errors.New("purchase: earlier codes wait for the chat")
)

const (
	codesWait = 15 * time.Minute // for so long a code may wait for its chat before nothing more is bought there
	crowd     = 1000             // so many messages waiting for a chat are too many too: about as much time
	crowdRead = 50               // of them are looked into: the oldest go first
)

// crowded tells whether a purchase that waits in a phase for a tap has a chat that is too far behind to buy in.
func (e *Engine) crowded(ctx context.Context, id string, waits store.Phase) error {
	p, err := e.cfg.Store.Purchase(ctx, id)
	if errors.Is(err, store.ErrNotFound) || err == nil && p.Phase != waits {
		return nil // the tap is too late, which is told by what has become of the purchase
	}
	if err != nil {
		return err
	}
	if err = e.crowdedChat(ctx, p.Chat); errors.Is(err, ErrCrowded) {
		e.log(p).Warn("no purchase: earlier codes wait for the chat", "chat", p.Chat)
	}
	return err
}

// crowdedChat tells whether a chat is too far behind to buy in.
func (e *Engine) crowdedChat(ctx context.Context, chat int64) error {
	// This is read before the transaction that confirms, and not in it: a transaction does not scan. A code that comes in between is one more
	// among those that may wait for codesWait, which does no harm.
	rows, err := e.cfg.Store.ChatOutbox(ctx, chat, crowd)
	if err != nil {
		return err
	}
	full := len(rows) == crowd
	for _, row := range rows[:min(len(rows), crowdRead)] {
		since, err := e.cfg.Store.CodeSince(ctx, row)
		if err != nil {
			return err
		}
		if full = full || !since.IsZero() && time.Since(since) > codesWait; full {
			return ErrCrowded
		}
	}
	return nil
}

// Allowed tells whether the buyer of a purchase may have it bought now, by an account as it was read. It is
// for what a screen offers: whatever spends is checked again.
func (e *Engine) Allowed(a store.Account, p store.Purchase) error {
	return allowed(a, p, e.Day(time.Now()))
}

// Day is the day of a moment where the shop is, as limits count it.
// Spends are kept by this text, so a change of the zone in the configuration begins a new day at most.
func (e *Engine) Day(at time.Time) string {
	if e.cfg.Zone == nil {
		return store.Day(at, time.UTC)
	}
	return store.Day(at, e.cfg.Zone)
}

// allowed is the rule for who may buy what. An account that was unlinked has no rights to ask for: its queue
// drops what comes.
func allowed(a store.Account, p store.Purchase, day string) error {
	m, _ := a.Member(p.User)
	lock := locked(a)
	switch {
	// The switch goes from what the person may never do to what an owner can allow: the first that holds is what is told.
	case a.Retired:
		return nil
	case !m.Role.AtLeast(store.Seller):
		return ErrNotAllowed
	case lock != nil:
		return lock
	case !m.Allows(p.Total, day):
		return ErrLimit
	}
	return nil
}

// locked is why nothing is bought with an account now, whoever wants it; nil where it may be.
func locked(a store.Account) error {
	switch {
	case a.Locked == nil:
		return nil
	case a.Locked.Restored:
		return ErrRestored
	}
	return ErrLocked
}

// spend counts a purchase against the limit of its buyer.
// Owners have no limit. It is counted at the tap and not at the answer, so that several taps while one purchase is on its
// way cannot spend a limit twice; giveBack takes it off again.
func spend(p *store.Purchase, a *store.Account, day string) {
	m, ok := a.Member(p.User)
	if !ok || m.Role == store.Owner {
		return
	}
	store.Admit(a, m.Spend(p.Total, day))
	p.Day = day
}

// giveBack takes a purchase off the limit of its buyer that was refused, dropped, or called not bought by a person, unless its price is gone. One
// that was not found stays on it: it may come home late. So may one that the service has refused itself, but whoever was refused tries again at
// once: countAgain puts it back on.
func giveBack(p *store.Purchase, a *store.Account) {
	// A person's "not bought" gives the limit back, for they have looked at the service. Where the price is gone all the same
	// (Word.Gone), the money was spent by someone, and the limit stays used.
	denied := p.Dismissed() && p.Word != nil && !p.Word.Gone
	if p.Day == "" || p.Phase != store.Rejected && p.Phase != store.Dropped && !denied {
		return
	}
	// The day is kept in Word, so that countAgain can put the amount back if it was bought after all.
	if denied {
		word := *p.Word
		word.Day, p.Word = p.Day, &word
	}
	if m, ok := a.Member(p.User); ok {
		store.Admit(a, m.Unspend(p.Total, p.Day))
	}
	p.Day = ""
}

// countAgain counts a purchase against the limit of its buyer that was refused, or that a person called not bought, and that may have been
// bought after all. was is its phase before, day the day on which it was confirmed.
func countAgain(p *store.Purchase, a *store.Account, was store.Phase, day string) {
	if was == store.Rejected && p.Phase != store.Rejected && p.Day == "" {
		// A day that is over limits nothing any more.
		if m, ok := a.Member(p.User); ok && m.Role != store.Owner && m.Day == day {
			store.Admit(a, m.Spend(p.Total, day))
			p.Day = day
		}
		return
	}
	// NotCreated is where the person's word still holds.
	if p.Word == nil || p.Word.Day == "" || p.Phase == store.NotCreated {
		return
	}
	word := *p.Word
	// A day that is over limits nothing any more.
	if m, ok := a.Member(p.User); ok && m.Day == word.Day {
		store.Admit(a, m.Spend(p.Total, word.Day))
		p.Day = word.Day
	}
	word.Day, p.Word = "", &word
}

// forbidden tells why a confirmed purchase is not to be sent after all; "" where nothing is in its way.
// It asks once more, without limits, what allowed asked at the tap: minutes may lie between, in which an owner has locked
// the account or taken the buyer out. The limit is not asked again: spend has counted this very purchase.
func forbidden(a store.Account, p store.Purchase) (why string) {
	switch {
	case a.Retired || a.Key.IsZero():
		return store.ReasonUnlinked
	case a.Frozen:
		return store.ReasonFrozen
	case a.Locked != nil:
		return store.ReasonLocked
	case !a.Role(p.User).AtLeast(store.Seller):
		return store.ReasonRemoved
	}
	return ""
}

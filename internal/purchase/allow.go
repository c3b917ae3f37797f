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
	rows, err := e.cfg.Store.ChatOutbox(ctx, p.Chat, crowd)
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
			e.log(p).Warn("no purchase: earlier codes wait for the chat", "chat", p.Chat, "messages", len(rows), "since", since)
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
	switch {
	case a.Retired:
		return nil
	case !m.Role.AtLeast(store.Seller):
		return ErrNotAllowed
	case a.Locked != nil && a.Locked.Restored:
		return ErrRestored
	case a.Locked != nil:
		return ErrLocked
	case !m.Allows(p.Total, day):
		return ErrLimit
	}
	return nil
}

// spend counts a purchase against the limit of its buyer.
func spend(p *store.Purchase, a *store.Account, day string) {
	m, ok := a.Member(p.User)
	if !ok || m.Role == store.Owner {
		return
	}
	store.Admit(a, m.Spend(p.Total, day))
	p.Day = day
}

// giveBack takes a purchase that surely cost nothing off the limit of its buyer. One that was not found is
// not such a one: it may come home late. One that a person called not bought is, unless its price is gone.
func giveBack(p *store.Purchase, a *store.Account) {
	denied := p.Dismissed() && p.Word != nil && !p.Word.Gone
	if p.Day == "" || p.Phase != store.Rejected && p.Phase != store.Dropped && !denied {
		return
	}
	if denied {
		word := *p.Word
		word.Day, p.Word = p.Day, &word
	}
	if m, ok := a.Member(p.User); ok {
		store.Admit(a, m.Unspend(p.Total, p.Day))
	}
	p.Day = ""
}

// countAgain counts a purchase against the limit of its buyer that a person called not bought, and that may have been
// bought after all.
func countAgain(p *store.Purchase, a *store.Account) {
	if p.Word == nil || p.Word.Day == "" || p.Phase == store.NotCreated {
		return
	}
	word := *p.Word
	if m, ok := a.Member(p.User); ok && m.Day == word.Day {
		store.Admit(a, m.Spend(p.Total, word.Day))
		p.Day = word.Day
	}
	word.Day, p.Word = "", &word
}

// forbidden tells why a confirmed purchase is not to be sent after all; "" where nothing is in its way.
func forbidden(a store.Account, p store.Purchase) (why string) {
	switch {
	case a.Retired || a.Key.IsZero():
		return ReasonUnlinked
	case a.Frozen:
		return ReasonFrozen
	case a.Locked != nil:
		return ReasonLocked
	case !a.Role(p.User).AtLeast(store.Seller):
		return ReasonRemoved
	}
	return ""
}

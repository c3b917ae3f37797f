package conversations

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"resellerbot/internal/screen"
	"resellerbot/internal/store"
	"resellerbot/internal/telegram"
)

// handling is how an update is handled, as it comes in.
type handling uint8

const (
	handleStored     handling = iota // it is put on disk, and then handled
	handleStoredLast                 // so is a stranger's, after all others
	handleUnstored                   // a stranger's is handled as well, and nothing is written for it
	handleThrottled                  // it is too much
	handleIgnored                    // nobody wants anything by it
)

// handlingOf tells how an update comes in, before anything is written for it. What strangers cost has its bounds here. A
// defect that it meets costs this update, where it is handled, and not all that come.
//
// seen is what was read of a member's, for its turn; nil of anybody else's.
func (b *Bot) handlingOf(ctx context.Context, u *update) (how handling, seen *visit) {
	defer func() {
		if r := recover(); r != nil {
			b.cfg.Log.Error("an update cannot be judged", "type", fmt.Sprintf("%T", r)) // its value may hold what must not be logged
			// Kept, so that somebody hears of it: its turn meets the same defect, which guarded makes an error of, and it is parked.
			how, seen = handleStored, nil
		}
	}()
	return b.judge(ctx, u)
}

// judge is handlingOf: what is needed is read, it is decided how the update may come in, and that is counted.
func (b *Bot) judge(ctx context.Context, u *update) (how handling, seen *visit) {
	if needsNothing(u) {
		return handleIgnored, nil
	}
	v := b.visitOf(u)
	if err := b.read(ctx, &v); err != nil {
		// A store that cannot be read rejects nobody: the turn reads again, and is tried again where that fails too.
		return handleStored, nil
	}
	b.readUncertain(ctx, &v)
	may := b.cfg.Access.admission(v)
	if how = b.count(v, may); how == handleStored && may.quota == quotaMember {
		seen = &v
	}
	return how, seen
}

// readUncertain reads what somebody who is of no team may be listened to for. What cannot be read may be so. A look
// for what is open reads much, and is counted.
func (b *Bot) readUncertain(ctx context.Context, v *visit) {
	if !v.asks {
		return
	}
	switch where, _ := b.cfg.Access.membershipOf(*v); {
	case where == outsider && wasIn(v.here) && b.strangers.hears(v.bucket(), time.Now()):
		open, err := b.hasOpen(ctx, *v)
		// A store that cannot be read keeps nobody from what they have paid for.
		v.open = open || err != nil
	case where == stranger && v.query == "":
		s, err := v.known.Session(ctx, v.chat, v.ID)
		v.answersQuestion = err != nil || s.Flow != "" && !v.anonymous || v.chat > 0 && b.box.hasLate(v.chat, (*arrival).onDisk)
	}
}

// count counts a visit, and tells how it comes in. What is too much is answered as far as there is room.
func (b *Bot) count(v visit, may admission) handling {
	now := time.Now()
	// quotaFormer and quotaText have no case: the first was counted before it was looked up (readUncertain), the second is limited by the
	// silence below.
	switch may.quota {
	case quotaNone:
		return may.how
	case quotaMember:
		if b.members.hears(v.bucket(), now) {
			return may.how
		}
		b.tooMuch(may.account, v.visitor, v.here)
		return handleThrottled
	case quotaOutsider:
		if !b.outsiders.hears(v.bucket(), now) {
			b.quiet(v.visitor, store.Chat{})
			return handleThrottled
		}
	case quotaSteps:
		// Their own quota comes first: who is over that takes nothing of what all strangers share.
		if !b.strangers.hears(v.bucket(), now) || !b.steps.AllowN(now, 1) {
			b.quiet(v.visitor, v.here)
			return handleThrottled
		}
	}
	// Behind all counting: a place is taken for what will be handled, and given back where the silence says no.
	if !b.box.reserve() {
		return handleThrottled
	}
	free := 0
	switch {
	case wasIn(v.here): // whatever they write may be about what they bought
		free = everyAnswer
	case v.chat > 0:
		free = lookAround
	}
	if to, first := v.addressee(v.here); may.quota == quotaText && !b.silence.breaks(to, first, free, now) {
		b.box.release()
		return handleThrottled
	}
	return may.how
}

// needsNothing reports whether an update is nobody's wish: what bots write, what is forwarded, what has no text, and
// a button that stands nowhere.
func needsNothing(u *update) bool {
	if u.CallbackQuery != nil {
		_, _, ok := messageOf(u.CallbackQuery)
		return !ok
	}
	m := u.Message
	switch {
	case m == nil || m.MigrateToChatID != 0:
		return false
	case hasContact(m):
	case m.Text == "" && m.Document == nil && m.UsersShared == nil && !isPhoto(m) || m.ForwardOrigin != nil:
		return true
	}
	return !isAnonymous(m) && (m.From == nil || m.From.IsBot)
}

// addressee is whom an answer is for, and how long the silence after the first one lasts: a group where nothing is
// linked is answered once, whoever writes there.
func (v visitor) addressee(c store.Chat) (to addressee, first time.Duration) {
	switch {
	case v.anonymous:
		return addressee{chat: v.chat, person: v.chat}, firstQuiet
	case v.chat < 0 && c.Account == "":
		return addressee{chat: v.chat}, groupQuiet
	}
	return addressee{person: v.ID}, firstQuiet
}

// bucket is whose updates are counted together: those of a person, or of all who write in a group's name.
func (v visitor) bucket() int64 {
	if v.anonymous {
		return v.chat
	}
	return v.ID
}

// quiet tells a stranger whose tap is not listened to that it is too much, as far as there is room: without that the
// button would wait.
func (b *Bot) quiet(v visitor, c store.Chat) {
	if v.query == "" {
		return
	}
	scr := b.printerFor(v, c)
	ctx := telegram.WithPurpose(b.ctx, telegram.Purpose{Class: telegram.Strangers})
	b.sides.Go(func() { b.answerTap(ctx, v, scr.Failures().Toast(screen.ToastTooFast)) })
}

// levelOfStranger is how loud it is that a stranger is not answered: that there is no room is nobody's fault.
func levelOfStranger(err error) slog.Level {
	if errors.Is(err, telegram.ErrNoRoom) || errors.Is(err, telegram.ErrNotNow) {
		return slog.LevelDebug
	}
	return slog.LevelError
}

// repeatStep repeats a stranger's step for which there was no room, since it may have led them into a team. After some
// tries, or where it is no step, it has done with it: they write again.
func (b *Bot) repeatStep(a arrival, begin time.Time) (again time.Duration) {
	if a.onDisk() {
		attempts, err := b.cfg.Store.CountTry(b.ctx, a.in.ID)
		switch {
		case err != nil:
			b.cfg.Log.Error("count the tries at an update", "update", a.in.ID, "err", err)
		case attempts <= len(waits()):
			b.handled(a, outcomeRepeated, begin)
			return waits()[attempts-1]
		}
	}
	b.handled(a, outcomeLimited, begin)
	if err := b.done(b.ctx, a.in.ID); err != nil {
		b.cfg.Log.Error("finish an update", "update", a.in.ID, "err", err)
	}
	return 0
}

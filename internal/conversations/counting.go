package conversations

import (
	"encoding/json"
	"errors"
	"slices"
	"strconv"
	"time"

	"resellerbot/internal/ledger"
	"resellerbot/internal/pricing"
	"resellerbot/internal/screen"
	"resellerbot/internal/store"
)

// counting is the state of a question about a till.
type counting struct {
	Counter string       `json:"Counter"`
	Counted ledger.Money `json:"Counted,omitempty"`
	At      time.Time    `json:"At,omitzero"` // when it was counted
	Mark    ledger.Mark  `json:"Mark,omitzero"`
	Shift   uint64       `json:"Shift,omitempty"` // that was counted; 0 where a program of before has asked
}

// countedAt is when the drawer was counted that is asked about now: what is sold until the answer is no part of it. False where
// another question has come between: when it was counted is not known any more, and what was sold since would be missed.
func (t tillFlow) countedAt(counter string, shift uint64, counted ledger.Money) (counting, bool) {
	var c counting
	open := t.session.Flow == flowTill && t.session.Step == stepTillLeave && json.Unmarshal(t.session.Data, &c) == nil
	return c, open && c.Counter == counter && c.Counted == counted && c.Shift == shift && !c.At.IsZero()
}

// countOf is what was counted, where an open question asks how much of it stays; nil for any other.
func countOf(s store.Session) *counting {
	var c counting
	if s.Flow != flowTill || s.Step != stepTillLeave || s.Covered || json.Unmarshal(s.Data, &c) != nil {
		return nil
	}
	return &c
}

// count asks how much cash is in a drawer. Who may not see what has to be there counts blind.
func (t tillFlow) count(b ledger.Book, counter string) error {
	return t.countAnew(b, counter, screen.PayFine)
}

// countAnew is count that says first why it asks once more.
func (t tillFlow) countAnew(b ledger.Book, counter string, why screen.PayProblem) error {
	v, err := t.view(b, counter)
	if err != nil {
		return err
	}
	return t.ask(t.scr.Closing().Count(v, why, 0, 0), flowTill, stepTillCount, counting{Counter: counter})
}

// askLeave asks how much of what was counted stays in the drawer.
func (t tillFlow) askLeave(b ledger.Book, counter string, counted ledger.Money) error {
	v, err := t.view(b, counter)
	if err != nil {
		return err
	}
	asked := counting{Counter: counter, Counted: counted, At: now()}
	err = t.cfg.Store.Update(t.ctx, func(tx *store.Tx) (err error) { // the book and its sums at one moment
		if asked.Mark, err = ledger.MarkOf(tx.Books(), b.ID, counter); err == nil {
			_, asked.Shift, err = ledger.Expected(tx.Books(), b.ID, counter)
		}
		return err
	})
	if err != nil {
		return err
	}
	return t.ask(t.scr.Closing().Leave(v, counted, screen.PayFine), flowTill, stepTillLeave, asked)
}

// takeCount takes what was counted. What may be in centimes is asked back: by what has to be there for an owner, and without a
// hint of it for whoever counts blind.
func (t tillFlow) takeCount(b ledger.Book, v screen.TillView, amount ledger.Money, problem screen.PayProblem, c counting) error {
	// Without an expectation only more than 100 000 DZD is doubtful (pricing.Doubt).
	expected := ledger.Money(0)
	if t.ownsInPrivate() {
		expected = v.Expected
	}
	likely := ledger.Money(0)
	if problem == screen.PayFine {
		if other, doubt := pricing.Doubt(amount, expected, false); doubt {
			likely, problem = other, screen.PayMuch
		}
	}
	if problem == screen.PayFine {
		return t.askLeave(b, c.Counter, amount)
	}
	t.inPlaceOf = t.answeredQuestion
	return t.ask(t.scr.Closing().Count(v, problem, likely, amount), flowTill, stepTillCount, c)
}

// finishCount ends a shift with a count: an owner's at once, anybody else's once an owner has confirmed it. The drawer of a shift that
// was closed meanwhile is counted again: its cash may be gone.
func (t tillFlow) finishCount(b ledger.Book, c store.Count) error {
	t.counted = nil // what becomes of it is said
	v, err := t.view(b, c.Counter)
	switch {
	case err != nil:
		return err
	case c.Shift != v.Shift:
		return t.countAnew(b, c.Counter, screen.PayOver)
	case c.Leave > c.Counted:
		return t.count(b, c.Counter)
	case t.ownsInPrivate():
		return t.notWritten(t.seal(b, c, false))
	}
	err = t.cfg.Store.Update(t.ctx, func(tx *store.Tx) error {
		// It writes the book, by which an owner who closes the day at this moment meets the count (closeDay).
		if err := ledger.HoldShift(tx.Books(), b.ID, c.Counter, c.Shift); err != nil {
			return err
		}
		if err := tx.PutCount(c); err != nil {
			return err
		}
		args := map[string]string{"person": t.name, "counter": c.Counter, "amount": strconv.FormatInt(int64(c.Counted), 10)}
		return t.tell(tx, t.shop.ID, t.shop.PrivateChats(store.Owner), store.CountedNote, args)
	})
	if no, ok := errors.AsType[*ledger.Refusal](err); ok && no.Reason == ledger.AlreadyDone {
		return t.countAnew(b, c.Counter, screen.PayOver)
	}
	if err != nil {
		return err
	}
	t.leave()
	return t.say(t.scr.Closing().Sent(v, c.Counted))
}

// waiting is the count of a shift that an owner is to decide about, if there is one still.
func (t tillFlow) waiting(b ledger.Book, counter string, shift uint64) (c store.Count, there bool, err error) {
	all, err := t.cfg.Store.Counts(t.ctx, b.ID)
	i := slices.IndexFunc(all, func(c store.Count) bool { return c.Counter == counter && c.Shift == shift })
	if err != nil || i < 0 {
		return c, false, err
	}
	return all[i], true, nil
}

// errOtherCount says that another count waits than the one that an owner has confirmed, or none.
var errOtherCount = errors.New("another count waits")

// confirm takes the count of somebody else: the one whose figures were shown, and after the entry that it was shown with, as these say
// what is missing. What was counted since is shown first.
func (t tillFlow) confirm(b ledger.Book, counter string, shift uint64, counted, leave ledger.Money, entry string) error {
	c, there, err := t.waiting(b, counter, shift)
	switch {
	case err != nil:
		return err
	case !there:
		return t.goneCount()
	case c.Counted != counted || c.Leave != leave:
		err = errOtherCount
	case screen.CountedTo(c.Mark.Entry) != entry:
		err = errOtherCount
	default:
		err = t.seal(b, c, true)
	}
	if errors.Is(err, errOtherCount) {
		t.ack(screen.ToastStale)
		return t.countAnew(b, counter, screen.PayOther)
	}
	return t.notWritten(err)
}

// recount puts a count aside, and asks for another one where it was made.
func (t tillFlow) recount(b ledger.Book, counter string, shift uint64) error {
	c, there, err := t.waiting(b, counter, shift)
	if err != nil {
		return err
	}
	if !there {
		return t.goneCount()
	}
	err = t.cfg.Store.Update(t.ctx, func(tx *store.Tx) error {
		return errors.Join(tx.EndCount(c), t.tellCounter(tx, c, store.RecountNote, 0))
	})
	return firstError(err, t.command)
}

// goneCount tells that the count which a button is about does not wait any more, and shows the tills as they are.
func (t tillFlow) goneCount() error {
	t.answerText(t.own.Closing().NoCount(), true)
	return t.command()
}

// tellCounter tells the chat where a count was made what became of it; taken is the figure that the books have instead.
func (t tillFlow) tellCounter(tx *store.Tx, c store.Count, name store.NoteName, taken ledger.Money) error {
	chat, err := strconv.ParseInt(c.Counter, 10, 64)
	if err != nil || chat == t.chatID {
		return nil //nolint:nilerr // a counter that is no chat cannot be told
	}
	args := map[string]string{
		"person": t.name, "counter": c.Counter, "amount": strconv.FormatInt(int64(c.Counted), 10), "other": strconv.FormatInt(int64(taken), 10),
	}
	return t.tell(tx, t.shop.ID, []int64{chat}, name, args)
}

// seal ends a shift. The difference is an entry of the books, whatever it is. Where the count has waited, it does so still.
func (t tillFlow) seal(b ledger.Book, c store.Count, waited bool) error {
	var s ledger.Shift
	name, err := t.tillName(c.Counter)
	if err != nil {
		return err
	}
	v := screen.TillView{Counter: c.Counter, Name: name}
	err = t.cfg.Store.Update(t.ctx, func(tx *store.Tx) (err error) {
		count := ledger.Count{
			Who: ledger.Who{By: c.By, Counter: c.Counter, Owner: true}, Shift: c.Shift, Counted: c.Counted, Leave: c.Leave, Confirmed: t.userID, At: c.At, Mark: c.Mark,
		}
		waits, err := tx.Count(b.ID, c.Counter)
		none := errors.Is(err, store.ErrNotFound)
		switch {
		case err != nil && !none:
			return err
		// Compared with its version in the store: a count that was made anew is another one, even with the same figures.
		case waited && (none || waits != c):
			return errOtherCount
		}
		if v.Since, err = sinceCount(tx.Books(), b.ID, count); err != nil {
			return err
		}
		if s, err = ledger.CloseShift(tx.Books(), b.ID, count, time.Now()); err != nil || none {
			return err
		}
		switch {
		case c.By != t.userID:
			err = t.tellCounter(tx, c, store.CountTakenNote, c.Counted)
		// An owner has counted the drawer themselves, in place of the count that waits.
		case waits.By != t.userID:
			err = t.tellCounter(tx, waits, store.CountLeftNote, c.Counted)
		}
		return errors.Join(err, tx.EndCount(waits))
	})
	if err != nil {
		return err
	}
	t.leave()
	return t.say(t.scr.Closing().Sealed(v, s))
}

// sinceCount is what a drawer has taken since it was counted.
func sinceCount(r ledger.Records, book string, c ledger.Count) (ledger.Money, error) {
	b, err := r.Book(book)
	if err != nil {
		return 0, err
	}
	expected, _, err := ledger.Expected(r, book, c.Counter)
	if err != nil {
		return 0, err
	}
	return c.Since(func(n uint64) (ledger.Entry, error) { return r.Entry(book, n) }, b, expected)
}

package conversations

import (
	"cmp"
	"encoding/json"
	"errors"
	"slices"
	"strconv"
	"time"

	"resellerbot/internal/ledger"
	"resellerbot/internal/reports"
	"resellerbot/internal/screen"
	"resellerbot/internal/store"
)

const (
	flowTill      = "till"
	stepTillCount = "count" // how much cash is there
	stepTillLeave = "leave" // how much of it stays
	stepTillOut   = "out"   // how much is taken out
)

// errCounted says that somebody has counted a till while its owner was closing the day.
var errCounted = errors.New("a till was counted meanwhile")

// command is /close: the drawer of a seller, or all of the shop's for an owner.
func (t tillFlow) command() error {
	t.leave()
	if _, _, ok, err := t.account(); err != nil || !ok {
		return err
	}
	b, err := t.cfg.Store.Book(t.ctx, t.shop.ID)
	if err != nil {
		return firstError(ignoreMissing(err), func() error { return t.say(t.scr.Reports().None()) })
	}
	if !t.ownsInPrivate() {
		return t.count(b, t.counter())
	}
	v, err := t.closing(b)
	return firstError(err, func() error { return t.say(t.scr.Closing().Tills(v)) })
}

// closing are the tills with cash, or with sales, since they were counted last.
func (t tillFlow) closing(b ledger.Book) (v screen.ClosingView, err error) {
	v.Day = b.Today(now())
	v.Done = b.Closed >= v.Day
	waiting, err := t.cfg.Store.Counts(t.ctx, b.ID)
	if err != nil {
		return v, err
	}
	sums, err := t.cfg.Store.BookBalances(t.ctx, b.ID, ledger.Till, "", customersRead)
	if err != nil {
		return v, err
	}
	listed := map[string]bool{}
	for _, s := range sums {
		counter := s.Account.Name()
		till, err := t.till(b, counter, s.Net(), waiting)
		if err != nil {
			return v, err
		}
		if s.Net() != 0 || !b.Shifts[counter].OpenedAt.IsZero() || till.Counted != nil {
			v.Tills, listed[counter] = append(v.Tills, till), true
		}
	}
	// A drawer that no sale has touched may have been counted all the same.
	for _, c := range waiting {
		till, err := t.till(b, c.Counter, 0, waiting)
		if err != nil {
			return v, err
		}
		if till.Counted != nil && !listed[c.Counter] {
			v.Tills = append(v.Tills, till)
		}
	}
	return v, nil
}

// till is a drawer as screens show it.
func (t tillFlow) till(b ledger.Book, counter string, expected ledger.Money, waiting []store.Count) (v screen.TillView, err error) {
	name, err := t.tillName(counter)
	if err != nil {
		return v, err
	}
	v = screen.TillView{Counter: counter, Name: name, Shift: b.NextShift(counter), Expected: expected, Last: b.Shifts[counter].With, Open: !b.Shifts[counter].OpenedAt.IsZero()}
	for _, c := range waiting {
		// The count of a shift that is over says nothing of the one that is open.
		if c.Counter == counter && c.Shift == v.Shift {
			counted := c.Counted
			v.Counted, v.Leave, v.To = &counted, c.Leave, c.Mark.Entry
			if v.By, err = t.nameOf(c.By); err != nil {
				return v, err
			}
			entry := func(n uint64) (ledger.Entry, error) { return t.cfg.Store.BookEntry(t.ctx, b.ID, n) }
			if v.Since, err = (ledger.Count{Who: ledger.Who{Counter: counter}, At: c.At, Mark: c.Mark}).Since(entry, b, expected); err != nil {
				return v, err
			}
		}
	}
	return v, nil
}

// nameOf is what somebody of the team is called, or was: the drawer of whoever was removed is still one of the shop's, and so are
// their purchases, which name them.
func (t tillFlow) nameOf(user int64) (string, error) {
	if m, ok := t.shop.Member(user); ok && m.Name != "" {
		return m.Name, nil
	}
	// A private chat has the id of its person.
	list, err := t.cfg.Store.ChatPurchases(t.ctx, user, "", 4*ordersPage)
	i := slices.IndexFunc(list, func(p store.Purchase) bool { return p.Account == t.shop.ID && p.User == user && p.Buyer != "" })
	switch number := strconv.FormatInt(user, 10); {
	case err != nil || i < 0:
		return number, err
	// Of whoever was forgotten nothing is left but a number, by whose end their drawer is told from others.
	case list[i].Buyer == store.Masked:
		return store.Masked + " " + number[max(0, len(number)-4):], nil
	}
	return list[i].Buyer, nil
}

// tillName is whose drawer it is: a person's, or a group's.
func (t tillFlow) tillName(counter string) (string, error) {
	chat, err := strconv.ParseInt(counter, 10, 64)
	switch {
	case err != nil:
		return counter, nil //nolint:nilerr // a counter that is no chat is called by itself
	case chat > 0:
		return t.nameOf(chat)
	case t.shop.Place != nil && t.shop.Place.Chat == chat:
		return t.shop.Place.Title, nil
	}
	return counter, nil
}

// view reads one drawer.
func (t tillFlow) view(b ledger.Book, counter string) (screen.TillView, error) {
	sum, err := t.cfg.Store.BookBalance(t.ctx, b.ID, ledger.In(ledger.Till, counter))
	if err != nil {
		return screen.TillView{}, err
	}
	waiting, err := t.cfg.Store.Counts(t.ctx, b.ID)
	if err != nil {
		return screen.TillView{}, err
	}
	return t.till(b, counter, sum.Net(), waiting)
}

// tapped runs the buttons of tills.
func (t tillFlow) tapped() error {
	if t.shop.ID == "" {
		return t.noAccount()
	}
	counter := t.action.Arg(0)
	b, err := t.cfg.Store.Book(t.ctx, t.shop.ID)
	switch {
	case err != nil:
		return firstError(ignoreMissing(err), func() error { return t.say(t.scr.Reports().None()) })
	case counter == "":
		return t.command()
	// Any other drawer is a matter of an owner in private. In a group even an owner has that of the group alone: others read along.
	case counter != t.counter() && !t.ownsInPrivate():
		return t.refuse(store.Owner)
	case counter == screen.DayClose:
		return t.closeDay(b)
	}
	// Buttons carry centimes; ledger.Money is finer.
	shift, shiftErr := strconv.ParseUint(t.action.Arg(2), 10, 64)
	counted, leave := ledger.Money(t.action.Int(3))*ledger.Centime, ledger.Money(t.action.Int(4))*ledger.Centime
	switch t.action.Arg(1) {
	case "":
		return t.count(b, counter)
	case screen.TillOut:
		return t.out(b, counter)
	case screen.TillUndo:
		return t.undo(b, counter, shift)
	}
	switch {
	case shiftErr != nil || counted < 0 || leave < 0:
		return t.stale()
	case t.action.Arg(1) == screen.TillCount:
		return t.askLeave(b, counter, counted)
	case t.action.Arg(1) == screen.TillLeave:
		c, known := t.countedAt(counter, shift, counted)
		if !known {
			return t.count(b, counter)
		}
		return t.finishCount(b, store.Count{Book: b.ID, Counter: counter, Shift: shift, Counted: counted, Leave: leave, By: t.userID, At: c.At, Mark: c.Mark})
	case t.action.Arg(1) == screen.TillConfirm && t.ownsInPrivate():
		return t.confirm(b, counter, shift, counted, leave, t.action.Arg(5))
	case t.action.Arg(1) == screen.TillAgain && t.ownsInPrivate():
		return t.recount(b, counter, shift)
	}
	return t.stale()
}

// typed takes how much cash is there, stays, or is taken out.
func (t tillFlow) typed() error {
	var c counting
	if err := json.Unmarshal(t.session.Data, &c); err != nil {
		return t.stale()
	}
	b, err := t.cfg.Store.Book(t.ctx, t.shop.ID)
	if err != nil {
		return firstError(ignoreMissing(err), t.stale)
	}
	v, err := t.view(b, c.Counter)
	if err != nil {
		return err
	}
	amount, problem := readMoney(t.text, true)
	switch t.session.Step {
	case stepTillLeave:
		if problem == screen.PayFine && amount > c.Counted {
			problem = screen.PayRange
		}
		if problem != screen.PayFine {
			t.inPlaceOf = t.answeredQuestion
			return t.ask(t.scr.Closing().Leave(v, c.Counted, problem), flowTill, stepTillLeave, c)
		}
		if c.Shift == 0 {
			return t.count(b, c.Counter)
		}
		return t.finishCount(b, store.Count{Book: b.ID, Counter: c.Counter, Shift: c.Shift, Counted: c.Counted, Leave: amount, By: t.userID, At: c.At, Mark: c.Mark})
	case stepTillOut:
		return t.takeOut(b, v, amount, problem, c)
	}
	return t.takeCount(b, v, amount, problem, c)
}

// notWritten is gone by the word of the books; errors that are none of theirs stay.
func (t tillFlow) notWritten(err error) error {
	no, ok := errors.AsType[*ledger.Refusal](err)
	if !ok {
		return err
	}
	return t.gone(no.Reason, no.By)
}

// gone tells why something was not written, and shows the tills as they are.
func (t tillFlow) gone(why ledger.Reason, by int64) error {
	t.answerText(t.own.Closing().Refused(why, t.personName(by)), true)
	return t.command()
}

// closeDay ends the day before its time: what comes later is of the next one. What nobody has counted is sealed as that.
func (t tillFlow) closeDay(b ledger.Book) error {
	if !t.ownsInPrivate() {
		return t.refuse(store.Owner)
	}
	v, err := t.closing(b)
	if err != nil {
		return err
	}
	day := ledger.Day(t.action.Arg(1))
	// The button names the day that was shown. Once the next one has begun it is asked again, and so it is while a count waits.
	if day == "" || day != v.Day || v.Waits() {
		r, err := reports.Of(t.ctx, t.cfg.Store, t.shop, reports.Range{Kind: screen.ReportDay, From: v.Day, To: v.Day}, 0, now())
		return firstError(err, func() error { return t.say(t.scr.Closing().DayAsk(v, r)) })
	}
	err = t.cfg.Store.Update(t.ctx, func(tx *store.Tx) error {
		for _, till := range v.Tills {
			if b.Shifts[till.Counter].OpenedAt.IsZero() {
				continue
			}
			// A count that came since v was read waits for an owner's word. One that comes at this moment writes the book too (HoldShift):
			// one of the two transactions runs again, and meets the other.
			if _, err := tx.Count(b.ID, till.Counter); !errors.Is(err, store.ErrNotFound) {
				return cmp.Or(err, errCounted)
			}
			// The shift is that of v: where it was closed since, the books refuse it, and the day stays open.
			count := ledger.Count{Who: ledger.Who{By: t.userID, Counter: till.Counter, Owner: true}, Shift: till.Shift, Uncounted: true, Confirmed: t.userID}
			if _, err := ledger.CloseShift(tx.Books(), b.ID, count, time.Now()); err != nil {
				return err
			}
		}
		return ledger.CloseDay(tx.Books(), b.ID, day, time.Now())
	})
	if errors.Is(err, errCounted) {
		return t.command()
	}
	if no, ok := errors.AsType[*ledger.Refusal](err); ok && no.Reason == ledger.StillDue {
		t.answerText(t.own.Closing().NotDay(), true)
		return t.command()
	}
	if err != nil {
		return t.notWritten(err)
	}
	r, err := reports.Of(t.ctx, t.cfg.Store, t.shop, reports.Range{Kind: screen.ReportDay, From: day, To: day}, 0, now())
	return firstError(err, func() error { return t.say(t.scr.Reports().Report(r)) })
}

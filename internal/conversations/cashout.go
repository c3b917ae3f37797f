package conversations

import (
	"errors"
	"fmt"
	"strconv"
	"time"

	"resellerbot/internal/ledger"
	"resellerbot/internal/screen"
	"resellerbot/internal/store"
)

// out takes cash out of a drawer: how much and what for is asked.
func (t tillFlow) out(b ledger.Book, counter string) error {
	v, err := t.view(b, counter)
	if err != nil {
		return err
	}
	head, err := strconv.ParseUint(t.action.Arg(2), 10, 64)
	if err != nil {
		return t.ask(t.scr.Closing().OutAsk(v, screen.PayFine), flowTill, stepTillOut, counting{Counter: counter})
	}
	move := ledger.Move{
		Who: t.who(fmt.Sprintf("out/%s.%d", counter, head)), Kind: ledger.KindTaken, From: ledger.In(ledger.Till, counter), To: ledger.Owner,
		Amount: ledger.Money(t.action.Int(3)) * ledger.Centime,
	}
	move.Counter, move.Blind = counter, !t.ownsInPrivate()
	if t.action.Arg(4) == screen.TillExpense {
		move.Kind, move.To = ledger.KindExpense, ledger.In(ledger.Expense, "other")
	}
	var e ledger.Entry
	err = t.cfg.Store.Update(t.ctx, func(tx *store.Tx) (err error) {
		e, err = ledger.MoveMoney(tx.Books(), b.ID, move, time.Now())
		return err
	})
	if err != nil {
		return t.notWritten(err)
	}
	t.leave()
	return t.say(t.scr.Closing().Out(v, move.Amount, e.Number))
}

// takeOut takes how much cash is taken out. Who counts blind is not refused what is more than has to be there: that would tell
// how much it is.
func (t tillFlow) takeOut(b ledger.Book, v screen.TillView, amount ledger.Money, problem screen.PayProblem, c counting) error {
	switch {
	case problem != screen.PayFine:
	case amount == 0:
		problem = screen.PayRange
	case amount > v.Expected && t.ownsInPrivate():
		problem = screen.PayMuch
	}
	if problem != screen.PayFine {
		t.over = t.answers
		return t.ask(t.scr.Closing().OutAsk(v, problem), flowTill, stepTillOut, c)
	}
	t.leave()
	return t.say(t.scr.Closing().OutWhy(v, b.Head, amount))
}

// undo takes back that cash was taken out.
func (t tillFlow) undo(b ledger.Book, counter string, number uint64) error {
	err := t.cfg.Store.Update(t.ctx, func(tx *store.Tx) error {
		e, err := tx.Books().Entry(b.ID, number)
		if err != nil {
			return err
		}
		if e.Counter != counter || e.Kind != ledger.KindTaken && e.Kind != ledger.KindExpense {
			return &ledger.Refusal{Reason: ledger.NotSold}
		}
		_, err = ledger.Undo(tx.Books(), b.ID, number, t.who(""), time.Now())
		return err
	})
	switch {
	case errors.Is(err, ledger.ErrNotFound):
		return t.stale()
	case err != nil:
		return t.notWritten(err)
	}
	return t.count(b, counter)
}

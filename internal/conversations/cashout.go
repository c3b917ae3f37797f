package conversations

import (
	"errors"
	"fmt"
	"slices"
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
	// The last entry of the book when the amount was asked for (takeOut). The button that asks for it has none.
	head, err := strconv.ParseUint(t.action.Arg(2), 10, 64)
	if err != nil {
		return t.ask(t.scr.Closing().OutAsk(v, screen.PayFine), flowTill, stepTillOut, counting{Counter: counter})
	}
	// Two people who take cash out at the same moment both do: what is done once is what one person was asked, of one amount.
	move := ledger.Move{
		Who: t.who(fmt.Sprintf("out/%s.%d.%d.%d", counter, head, t.userID, t.action.Int(3))), Kind: ledger.KindTaken, From: ledger.In(ledger.Till, counter), To: ledger.Owner,
		Amount: ledger.Money(t.action.Int(3)) * ledger.Centime,
	}
	// who has named the drawer of this chat; an owner may take out of another one. Blind has the books refuse no amount for being more than
	// they hold, since that would tell how much it is.
	move.Counter, move.Blind = counter, !t.ownsInPrivate()
	if t.action.Arg(4) == screen.TillExpense {
		move.Kind, move.To = ledger.KindExpense, ledger.In(ledger.Expense, "other")
	}
	var e ledger.Entry
	err = t.cfg.Store.Update(t.ctx, func(tx *store.Tx) (err error) {
		if err := notYet(tx, b.ID, "move/"+move.Nonce, ledger.AlreadyDone); err != nil {
			return err
		}
		// Before the money moves: the amount is held against what the drawer has until then.
		if err := t.tellOfCashOut(tx, move); err != nil {
			return err
		}
		e, err = ledger.MoveMoney(tx.Books(), b.ID, move, time.Now())
		return err
	})
	if no, ok := errors.AsType[*ledger.Refusal](err); ok && no.Reason == ledger.AlreadyDone {
		t.answerText(t.own.Closing().Refused(no.Reason, t.personName(no.By)), true) // what stands there says what became of it
		return nil
	}
	if err != nil {
		return t.notWritten(err)
	}
	t.leave()
	return t.say(t.scr.Closing().Out(v, move.Amount, e.Number))
}

// tellOfCashOut tells whose till it is that somebody else takes cash out of it, and owners that it is more than there is.
func (t tillFlow) tellOfCashOut(tx *store.Tx, move ledger.Move) error {
	if chat, others := t.othersTill(move.Counter); others {
		args := map[string]string{"person": t.name, "counter": move.Counter, "amount": strconv.FormatInt(int64(move.Amount), 10)}
		if err := t.tell(tx, t.shop.ID, []int64{chat}, store.TillTakenNote, args); err != nil {
			return err
		}
	}
	return t.tellOfShortTill(tx, move.Counter, move.Amount)
}

// tellOfShortTill tells owners that more cash leaves a till than it holds, before it does. Who counts blind is not told that: it would tell
// how much there has to be.
func (t *turn) tellOfShortTill(tx *store.Tx, counter string, amount ledger.Money) error {
	if t.ownsInPrivate() {
		return nil
	}
	b, err := tx.Books().Balance(t.shop.ID, ledger.In(ledger.Till, counter))
	if err != nil && !errors.Is(err, ledger.ErrNotFound) { // nothing was ever in it
		return err
	}
	if amount <= b.Net() {
		return nil
	}
	args := map[string]string{"person": t.name, "counter": counter, "amount": strconv.FormatInt(int64(amount), 10), "held": strconv.FormatInt(int64(b.Net()), 10)}
	return t.tell(tx, t.shop.ID, otherOwners(t.shop, t.userID), store.TillBelowNote, args)
}

// othersTill is the chat whose till it is, where that is another one than this.
func (t *turn) othersTill(counter string) (chat int64, others bool) {
	chat, err := strconv.ParseInt(counter, 10, 64)
	// Of a chat that is not the account's any more nobody is told: what is in the till is none of their business.
	return chat, err == nil && counter != t.counter() && slices.Contains(t.shop.Chats, chat)
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
		t.inPlaceOf = t.answeredQuestion
		return t.ask(t.scr.Closing().OutAsk(v, problem), flowTill, stepTillOut, c)
	}
	t.leave()
	// The amount is in the buttons from here on, with the head of the book, which names this asking (out).
	return t.say(t.scr.Closing().OutWhy(v, b.Head, amount))
}

// undo takes back that cash was taken out.
func (t tillFlow) undo(b ledger.Book, counter string, number uint64) error {
	var back ledger.Entry
	err := t.cfg.Store.Update(t.ctx, func(tx *store.Tx) error {
		e, err := tx.Books().Entry(b.ID, number)
		if err != nil {
			return err
		}
		// The number is the button's. So far it was only asked whether the person may use this drawer (tapped in closing.go).
		if e.Counter != counter || e.Kind != ledger.KindTaken && e.Kind != ledger.KindExpense {
			return &ledger.Refusal{Reason: ledger.NotSold}
		}
		back, err = ledger.Undo(tx.Books(), b.ID, number, t.who(""), time.Now())
		return err
	})
	switch {
	case errors.Is(err, ledger.ErrNotFound):
		return t.stale()
	case err != nil:
		return t.notWritten(err)
	}
	// To a till that was counted since nothing comes back.
	if cash := back.On(ledger.In(ledger.Till, counter)); cash > 0 {
		t.answerText(t.own.Closing().PutBack(cash), false)
	}
	return t.count(b, counter)
}

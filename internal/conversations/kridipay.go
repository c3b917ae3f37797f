package conversations

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"time"

	"resellerbot/internal/api/dzd"
	"resellerbot/internal/figures"
	"resellerbot/internal/ledger"
	"resellerbot/internal/pricing"
	"resellerbot/internal/screen"
	"resellerbot/internal/store"
)

// pay takes a payment by a button, or asks for its amount.
func (t kridiFlow) pay(d screen.Debt) error {
	last, err := strconv.ParseUint(t.action.Arg(2), 10, 64)
	if err != nil {
		return t.stale()
	}
	switch {
	case t.action.Arg(3) == "" && d.Owed <= 0: // it is an older card
		return t.present(d.Customer.ID)
	case t.action.Arg(3) == "":
		return t.ask(t.scr.Kridi().PayAsk(d, 0, 0, screen.PayFine), flowKridi, stepKridiPay, owing{Customer: d.Customer.ID, Last: d.Last})
	}
	return t.postPayment(d, last, ledger.Money(t.action.Int(3))*ledger.Centime, t.action.Arg(1) == screen.KridiAhead)
}

// readPayment reads what a customer pays. More than is owed, and what may be in centimes, is asked back; less is usual.
// Example: of 4500 DZD that are owed, 450000 is asked back as 4500.
func readPayment(text string, owed ledger.Money) (typed, likely ledger.Money, problem screen.PayProblem) {
	typed, problem = readMoney(text, false)
	if problem != screen.PayFine || typed <= owed {
		return typed, 0, problem
	}
	likely, _ = pricing.Doubt(typed, owed, true)
	if likely == 0 && typed/100 <= owed {
		likely = typed / 100 // it was in centimes
	}
	return typed, likely, screen.PayMuch
}

// readMoney reads an amount that somebody has typed; nothing at all is one where zero is set. The amount comes along with
// PayUnsure, to be asked back.
func readMoney(text string, zero bool) (ledger.Money, screen.PayProblem) {
	amount, sure, err := figures.Amount(text)
	m := ledger.Of(amount)
	switch {
	case errors.Is(err, dzd.ErrRange):
		return 0, screen.PayRange
	case err != nil, m%ledger.Centime != 0: // there is nothing smaller than a centime
		return 0, screen.PayBad
	case (m != 0 || !zero) && pricing.CheckPrice(m) != nil:
		return 0, screen.PayRange
	case !sure:
		return m, screen.PayUnsure
	}
	return m, screen.PayFine
}

// postPayment writes a payment into the books. last is the entry of the account that the card showed: one card takes one payment.
func (t kridiFlow) postPayment(d screen.Debt, last uint64, amount ledger.Money, ahead bool) error {
	var entry ledger.Entry
	pay := ledger.Payment{Who: t.who(fmt.Sprintf("%s.%d", d.Customer.ID, last)), Customer: d.Customer.ID, Amount: amount, Ahead: ahead}
	var before ledger.Entry // what the card has taken already
	undone := false         // and what was taken back since
	err := t.cfg.Store.Update(t.ctx, func(tx *store.Tx) (err error) {
		if before, err = entryAt(tx, t.shop.ID, "pay/"+pay.Nonce); err != nil {
			return err
		}
		if before.Number != 0 {
			undone, err = ledger.Undone(tx.Books(), t.shop.ID, before.Number)
			return err
		}
		b, err := tx.Books().Balance(t.shop.ID, ledger.In(ledger.Customer, d.Customer.ID))
		if err != nil {
			return err
		}
		if entry, err = ledger.Pay(tx.Books(), t.shop.ID, pay, time.Now()); err == nil {
			d.Owed = b.Net() - amount
		}
		return err
	})
	switch {
	case err != nil:
		return t.notTaken(d, err)
	case before.Number != 0:
		return t.paidBefore(d, before, undone, amount)
	}
	t.leave()
	return t.say(t.scr.Kridi().Paid(d, amount, entry.Number))
}

// paidBefore is what a payment is answered with whose card has taken one already: the same, or another one, or one that was taken back, and then it
// is asked whether this one comes besides.
func (t kridiFlow) paidBefore(d screen.Debt, before ledger.Entry, undone bool, amount ledger.Money) error {
	now, _, ok, err := t.owed(d.Customer.ID)
	if err != nil || !ok {
		return err
	}
	taken := -before.Owed()
	if taken == amount && !undone && (now.Owed <= 0 || before.By == t.userID) {
		return t.notTaken(d, &ledger.Refusal{Reason: ledger.AlreadyDone, By: before.By})
	}
	return t.ask(t.scr.Kridi().PaidMeanwhile(now, amount, screen.TakenView{Amount: taken, By: t.personName(before.By), Undone: undone}), flowKridi, stepKridiPay, owing{Customer: d.Customer.ID, Last: now.Last})
}

// notTaken tells why something was not written on a customer's account, and shows it as it is.
func (t kridiFlow) notTaken(d screen.Debt, err error) error {
	var no *ledger.Refusal
	if !errors.As(err, &no) {
		if !errors.Is(err, ledger.ErrNotFound) {
			return err
		}
		no = &ledger.Refusal{Reason: ledger.TooMuch}
	}
	if no.Reason == ledger.AlreadyDone {
		t.answerText(t.own.Kridi().AlreadyPaid(t.personName(no.By)), true)
		// A late tap leaves the receipt that stands there, with its undo.
		if moved, err := t.hasMovedOn(); err != nil || moved {
			return err
		}
	} else {
		t.answerText(t.own.Sales().Refused(no.Reason, t.personName(no.By)), true)
	}
	return t.present(d.Customer.ID)
}

// giveBack writes down that a customer gets back what was paid ahead, from this drawer. One card gives back once.
func (t kridiFlow) giveBack(d screen.Debt) error {
	move := ledger.Move{
		Who: t.who(fmt.Sprintf("back/%s.%s", d.Customer.ID, t.action.Arg(2))), Kind: ledger.KindGiveBack, Customer: d.Customer.ID,
		To: ledger.In(ledger.Customer, d.Customer.ID), Amount: ledger.Money(t.action.Int(3)) * ledger.Centime,
	}
	move.From = ledger.In(ledger.Till, move.Counter)
	var entry ledger.Entry
	err := t.cfg.Store.Update(t.ctx, func(tx *store.Tx) (err error) {
		if err := notYet(tx, t.shop.ID, "move/"+move.Nonce, ledger.AlreadyDone); err != nil {
			return err
		}
		b, err := tx.Books().Balance(t.shop.ID, move.To)
		if err != nil {
			return err
		}
		if err := t.tellOfShortTill(tx, move.Counter, move.Amount); err != nil {
			return err
		}
		if entry, err = ledger.MoveMoney(tx.Books(), t.shop.ID, move, time.Now()); err == nil {
			d.Owed = b.Net() + move.Amount
		}
		return err
	})
	if err != nil {
		return t.notTaken(d, err)
	}
	t.leave()
	return t.say(t.scr.Kridi().GivenBack(d, move.Amount, entry.Number))
}

// undo takes a payment, or what was forgiven or given back, back.
func (t kridiFlow) undo(customer string) error {
	number, err := strconv.ParseUint(t.action.Arg(2), 10, 64)
	if err != nil {
		return t.stale()
	}
	var e, back ledger.Entry
	err = t.updateBy(customer, func(tx *store.Tx, c ledger.CustomerLines) (err error) {
		if e, err = tx.Books().Entry(t.shop.ID, number); err != nil {
			return err
		}
		// The number is the button's: it has to be an entry of this customer, and none that is taken back elsewhere, as a sale is.
		if e.Customer != customer || !slices.Contains([]ledger.Kind{ledger.KindPayment, ledger.KindForgiven, ledger.KindGiveBack}, e.Kind) {
			return &ledger.Refusal{Reason: ledger.NotSold}
		}
		back, err = ledger.UndoPayment(tx.Books(), t.shop.ID, number, t.who(""), c, time.Now())
		return err
	})
	if errors.Is(err, ledger.ErrGivenBack) {
		t.answerText(t.own.Kridi().PaidAndGivenBack(), true)
		return t.present(customer)
	}
	if err != nil {
		return t.notTaken(screen.Debt{Customer: store.Customer{ID: customer}}, err)
	}
	t.answerText(t.own.Kridi().UndoneToast(e, back), back.Corrects != "")
	return t.present(customer)
}

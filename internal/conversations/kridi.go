package conversations

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"resellerbot/internal/ledger"
	"resellerbot/internal/pricing"
	"resellerbot/internal/screen"
	"resellerbot/internal/store"
)

const (
	flowKridi      = "kridi"
	stepKridiPay   = "pay"
	stepKridiLimit = "limit"

	statementRead = 200                // lines of an account that are looked through for its oldest debt
	remindAgain   = 3 * 24 * time.Hour // sooner is said to be soon
)

// owing is the state of a question about what a customer owes.
// Last goes into the key of the payment (postPayment in kridipay.go): one card takes one payment.
type owing struct {
	Customer string `json:"Customer"`
	Last     uint64 `json:"Last"` // entry of the account that was shown
}

// command is /kridi: all who owe, or the one whose name stands behind it.
func (t kridiFlow) command(words string) error {
	t.leave()
	if _, _, ok, err := t.account(); err != nil || !ok {
		return err
	}
	if strings.TrimSpace(words) == "" {
		return t.list(0)
	}
	all, err := t.customers()
	if err != nil {
		return err
	}
	found := holding(all, words)
	if len(found) == 1 {
		return t.present(found[0].ID)
	}
	return t.say(t.scr.Kridi().Found(found, words))
}

// list shows who owes, the oldest debt first, and behind them who has paid ahead.
func (t kridiFlow) list(page int) error {
	v := screen.KridiView{Page: page}
	b, err := t.cfg.Store.Book(t.ctx, t.shop.ID)
	if ignoreMissing(err) != nil {
		return err
	}
	if v.Owed, v.Ahead = b.Owed, b.Ahead; err == nil {
		if v.Debts, err = t.debts(); err != nil {
			return err
		}
	}
	return t.say(t.scr.Kridi().List(v))
}

// debts are what is owed, the oldest first, and what customers have paid ahead, as less than nothing.
func (t *turn) debts() (all []screen.Debt, err error) {
	after := ledger.Account("")
	for {
		page, err := t.cfg.Store.BookBalances(t.ctx, t.shop.ID, ledger.Customer, after, customersRead)
		if err != nil {
			return nil, err
		}
		for _, b := range page {
			if after = b.Account; b.Net() == 0 {
				continue
			}
			d, _, err := t.debt(b)
			if err != nil {
				return nil, err
			}
			all = append(all, d)
		}
		if len(page) < customersRead {
			break
		}
	}
	// Whoever owes has 0 in the first place, and stands before those who have paid ahead. Then come the oldest debt and the highest; the id
	// keeps the pages apart where both are equal.
	slices.SortFunc(all, func(a, b screen.Debt) int {
		return cmp.Or(cmp.Compare(max(0, -a.Owed), max(0, -b.Owed)), a.Since.Compare(b.Since), cmp.Compare(b.Owed, a.Owed), strings.Compare(a.Customer.ID, b.Customer.ID))
	})
	return all, nil
}

// debt is what a customer owes, since when, and the lines that it comes from.
func (t *turn) debt(b ledger.Balance) (d screen.Debt, lines []ledger.StatementLine, err error) {
	// Forgot until a record says otherwise: a debt outlives the customer who is forgotten.
	d = screen.Debt{Customer: store.Customer{Book: t.shop.ID, ID: b.Account.Name(), Forgot: true}, Owed: b.Net(), Last: b.Last}
	c, err := t.cfg.Store.Customer(t.ctx, t.shop.ID, d.Customer.ID)
	if ignoreMissing(err) != nil {
		return d, nil, err
	}
	if err == nil {
		d.Customer = c
	}
	if lines, err = ledger.Statement(t.cfg.Store.Books(t.ctx), t.shop.ID, d.Customer.ID, d.Owed, statementRead); err != nil {
		return d, nil, err
	}
	d.Since = ledger.OwedSince(lines)
	// The statement was cut at statementRead lines: the debt is as old as the last of them, or older.
	if d.Owed > 0 && d.Since.IsZero() && len(lines) > 0 {
		d.Since, d.Older = lines[len(lines)-1].Entry.At, true
	}
	return d, lines, nil
}

// owed is debt for a customer by id; ok is false, and the press stale, where the books know no such one.
func (t kridiFlow) owed(id string) (d screen.Debt, lines []ledger.StatementLine, ok bool, err error) {
	b, err := t.cfg.Store.BookBalance(t.ctx, t.shop.ID, ledger.In(ledger.Customer, id))
	if err != nil {
		return d, nil, false, err
	}
	if b.Account == "" { // the books have no line of them yet
		c, ok, err := customerFlow(t).customer(id)
		return screen.Debt{Customer: c}, nil, ok, err
	}
	d, lines, err = t.debt(b)
	return d, lines, err == nil, err
}

// cardLines is how many lines of a customer's account their card shows.
const cardLines = 4

// present shows what one customer owes.
func (t kridiFlow) present(id string) error {
	d, lines, ok, err := t.owed(id)
	if err != nil || !ok {
		return err
	}
	t.leave()
	return t.say(t.scr.Kridi().Card(d, lines[:min(len(lines), cardLines)]))
}

// tapped runs the buttons of debts.
func (t kridiFlow) tapped() error {
	id := t.action.Arg(0)
	switch {
	case t.shop.ID == "":
		return t.noAccount()
	case id == "":
		return t.list(0)
	case id == screen.KridiPage:
		return t.list(int(t.action.Int(1)))
	case t.action.Arg(1) == "":
		return t.present(id)
	case t.action.Arg(1) == screen.KridiUndo:
		return t.undo(id)
	}
	d, lines, ok, err := t.owed(id)
	if err != nil || !ok {
		return err
	}
	switch t.action.Arg(1) {
	case screen.KridiPay, screen.KridiAhead:
		return t.pay(d)
	case screen.KridiBack:
		return t.giveBack(d)
	case screen.KridiHistory:
		return t.history(d, lines)
	case screen.KridiRemind:
		return t.remind(d)
	}
	return t.manage(d)
}

// manage runs the buttons that are for owners.
func (t kridiFlow) manage(d screen.Debt) error {
	if t.role != store.Owner {
		return t.refuse(store.Owner)
	}
	switch t.action.Arg(1) {
	case screen.KridiLimit:
		if t.action.Arg(2) == "" {
			return t.ask(t.scr.Kridi().LimitAsk(d, 0, 0, screen.PayFine), flowKridi, stepKridiLimit, owing{Customer: d.Customer.ID})
		}
		// It was asked back, and confirmed by the button that names it, which may be forged.
		limit := ledger.Money(t.action.Int(2)) * ledger.Centime
		if pricing.CheckPrice(limit) != nil {
			return t.stale()
		}
		return t.change(d, func(c *store.Customer) { c.Limit = limit })
	case screen.KridiDay:
		n := t.action.Int(2)
		switch {
		case t.action.Arg(2) == "":
			return t.say(t.scr.Kridi().DayAsk(d))
		case n < 0 || n > 31:
			return t.stale()
		}
		return t.change(d, func(c *store.Customer) { c.Remind = int(n) })
	case screen.KridiForgive:
		switch {
		case d.Owed <= 0: // it is an older card
			return t.present(d.Customer.ID)
		// What is owed now is another debt than was asked about: it is asked about anew.
		case t.action.Arg(2) != strconv.FormatUint(d.Last, 10):
			return t.say(t.scr.Kridi().ForgiveAsk(d))
		}
		return t.forgive(d)
	}
	return t.stale()
}

// change changes what is kept of a customer, and shows what they owe.
func (t kridiFlow) change(d screen.Debt, fn func(*store.Customer)) error {
	err := t.cfg.Store.Update(t.ctx, func(tx *store.Tx) error {
		c, err := tx.Customer(t.shop.ID, d.Customer.ID)
		if err != nil || c.Forgot {
			return errors.Join(err, forgotten(c))
		}
		fn(&c)
		return tx.PutCustomer(&c)
	})
	if errors.Is(err, store.ErrNotFound) {
		return t.stale()
	}
	return firstError(err, func() error { return t.present(d.Customer.ID) })
}

// typed takes an amount: of a payment, or that a customer may owe.
func (t kridiFlow) typed() error {
	var o owing
	if err := json.Unmarshal(t.session.Data, &o); err != nil {
		return t.stale()
	}
	d, lines, ok, err := t.owed(o.Customer)
	if err != nil || !ok {
		return err
	}
	if t.session.Step == stepKridiLimit {
		return t.takeLimit(d, lines, o)
	}
	if d.Owed <= 0 { // it was paid meanwhile: there is nothing to choose between
		t.leave()
		return t.say(t.scr.Kridi().NotOwed(d, lines[:min(len(lines), cardLines)]))
	}
	typed, likely, problem := readPayment(t.text, d.Owed)
	if problem != screen.PayFine {
		t.inPlaceOf = t.answeredQuestion
		// Asked anew, it is the card of what is owed now.
		o.Last = d.Last
		return t.ask(t.scr.Kridi().PayAsk(d, typed, likely, problem), flowKridi, stepKridiPay, o)
	}
	// Last is that of the question: a payment that this card has taken meanwhile is found under the same key.
	return t.postPayment(d, o.Last, typed, false)
}

// history shows a page of a customer's account.
func (t kridiFlow) history(d screen.Debt, lines []ledger.StatementLine) error {
	size, page := t.scr.Kridi().HistoryPage(), max(int(t.action.Int(2)), 0)
	from := min(page*size, max(len(lines)-1, 0)/size*size)
	to := min(from+size, len(lines))
	return t.say(t.scr.Kridi().History(d, from/size, lines[from:to], to < len(lines)))
}

// remind makes a text that is forwarded to a customer. The bot writes to no customer itself.
func (t kridiFlow) remind(d screen.Debt) error {
	if d.Owed <= 0 || d.Customer.Forgot {
		return t.present(d.Customer.ID)
	}
	language := cmp.Or(t.action.Arg(2), d.Customer.Language, t.chat.Language)
	words, ok := t.cfg.Screens.For(language)
	if !ok {
		language = "en"
	}
	v := screen.ReminderView{Debt: d, Shop: t.shop.Name, Language: language}
	soon := t.action.Arg(2) == "" && time.Since(d.Customer.Reminded) < remindAgain
	err := t.cfg.Store.Update(t.ctx, func(tx *store.Tx) error {
		c, err := tx.Customer(t.shop.ID, d.Customer.ID)
		if err != nil || c.Forgot {
			return errors.Join(err, forgotten(c))
		}
		c.Reminded = time.Now()
		if t.action.Arg(2) != "" {
			c.Language = language
		}
		return tx.PutCustomer(&c)
	})
	if err != nil {
		return firstError(ignoreMissing(err), t.stale)
	}
	t.answerText(t.own.Kridi().RemindToast(soon), soon)
	return t.say(t.scr.Kridi().Reminder(v, words))
}

// takeLimit sets what a customer may owe; 0 for whatever it is.
func (t kridiFlow) takeLimit(d screen.Debt, lines []ledger.StatementLine, o owing) error {
	if t.role != store.Owner {
		return t.refuse(store.Owner)
	}
	limit, problem := readMoney(t.text, true)
	typed, likely := ledger.Money(0), ledger.Money(0)
	if problem == screen.PayFine {
		if meant, odd := oddLimit(limit, d, lines); odd {
			typed, likely, problem = limit, meant, screen.PayOdd
		}
	}
	if problem != screen.PayFine {
		t.inPlaceOf = t.answeredQuestion
		return t.ask(t.scr.Kridi().LimitAsk(d, typed, likely, problem), flowKridi, stepKridiLimit, o)
	}
	return t.change(d, func(c *store.Customer) { c.Limit = limit })
}

// oddLimit reports whether a limit is to be asked back: it is far from the one before, where none was it is far less than is owed
// already or was bought at once, or more than anybody is trusted with. likely is what may be meant.
// Example: of a customer without a limit who owes 20000 DZD, a limit of 200 DZD is asked back as 20000.
func oddLimit(limit ledger.Money, d screen.Debt, lines []ledger.StatementLine) (likely ledger.Money, odd bool) {
	if d.Customer.Limit > 0 {
		return pricing.Doubt(limit, d.Customer.Limit, false)
	}
	usual := max(d.Owed, 0)
	for _, l := range lines {
		usual = max(usual, l.Amount)
	}
	if limit < usual {
		return pricing.Doubt(limit, usual, false)
	}
	return pricing.Doubt(limit, 0, false)
}

// forgive writes down that a debt is not to be paid.
func (t kridiFlow) forgive(d screen.Debt) error {
	move := ledger.Move{
		Who: t.who(fmt.Sprintf("forgive/%s.%s", d.Customer.ID, t.action.Arg(2))), Kind: ledger.KindForgiven, Customer: d.Customer.ID,
		From: ledger.In(ledger.Customer, d.Customer.ID), To: ledger.BadDebt, Amount: d.Owed,
	}
	var now ledger.Balance
	err := t.cfg.Store.Update(t.ctx, func(tx *store.Tx) (err error) {
		// Where somebody has written there meanwhile, nothing is written and err is nil: below it is asked about what is owed now.
		if now, err = tx.Books().Balance(t.shop.ID, move.From); err != nil || now.Last != d.Last {
			return err
		}
		_, err = ledger.MoveMoney(tx.Books(), t.shop.ID, move, time.Now())
		return err
	})
	switch {
	case err != nil:
		return t.notTaken(d, err)
	case now.Last != d.Last: // somebody has written there meanwhile
		d.Owed, d.Last = now.Net(), now.Last
		return t.say(t.scr.Kridi().ForgiveAsk(d))
	}
	return t.present(d.Customer.ID)
}

package conversations

import (
	"encoding/json"
	"errors"
	"strings"
	"time"

	"resellerbot/internal/ledger"
	"resellerbot/internal/screen"
	"resellerbot/internal/secret"
	"resellerbot/internal/store"
)

// owing notes that a customer has bought, makes one who is new, and returns what they may owe.
func (t saleFlow) owing(tx *store.Tx, c store.Customer, now time.Time) (ledger.Money, error) {
	// Within the transaction of the sale: a sale that is refused leaves no customer behind of whom nothing is known but a name.
	is, err := tx.Customer(c.Book, c.ID)
	switch {
	case errors.Is(err, store.ErrNotFound):
		is = c
	case err != nil:
		return 0, err
	case is.Forgot:
		return 0, &ledger.Refusal{Reason: ledger.NoCustomer}
	}
	is.Bought = now
	return is.Limit, tx.PutCustomer(&is)
}

// overLimit tells that a customer may not owe so much.
func (t saleFlow) overLimit(c store.Customer) error {
	owes, err := t.cfg.Store.BookBalance(t.ctx, t.shop.ID, ledger.In(ledger.Customer, c.ID))
	if err != nil {
		return err
	}
	t.leave()
	return t.say(t.scr.Sales().OverLimit(c, owes.Net()))
}

// askCustomer asks who has bought on credit: those who have bought last are offered, or those that the words find.
func (t saleFlow) askCustomer(p store.Purchase, s selling, words string) error {
	v, _, ok, err := t.view(p, s)
	if err != nil || !ok {
		return firstError(err, func() error { return t.gone(p, ledger.NotInStock, 0) })
	}
	found, only, err := t.buyers(&s, words)
	if err != nil {
		return err
	}
	if only {
		return t.sell(p, s, found[0])
	}
	t.inPlaceOf = t.answeredQuestion
	return t.ask(t.scr.Sales().To(v, found, s.Words, s.Bad), flowSale, stepSaleTo, s)
}

// toTapped takes who has bought on credit.
func (t saleFlow) toTapped() error {
	var s selling
	if t.session.Flow != flowSale || t.session.Step != stepSaleTo || t.session.Message != t.tapped || json.Unmarshal(t.session.Data, &s) != nil {
		return t.stale()
	}
	// A contact was shared in an earlier turn: newCustomer takes the number from this one.
	t.phone = s.Phone
	c, ok, err := t.chosenCustomer(s.Words)
	if err != nil || !ok {
		return err
	}
	if s.List != "" {
		l, ok, err := listFlow(t).sellable(s.List)
		if err != nil || !ok {
			return firstError(err, t.stale)
		}
		return listFlow(t).sell(l, s, c)
	}
	p, ok, err := orderFlow(t).purchase(s.Purchase)
	if err != nil || !ok || p.Account != t.shop.ID {
		return firstError(err, t.stale)
	}
	return t.sell(p, s, c)
}

// chosenCustomer is the customer that a button names, or a new one of the name that was typed; ok is false, and the person told,
// where there is none.
func (t saleFlow) chosenCustomer(words string) (c store.Customer, ok bool, err error) {
	if t.action.Arg(0) == screen.CustomerNew {
		return t.newCustomer(words)
	}
	return customerFlow(t).customer(t.action.Arg(0))
}

// newCustomer is a customer of a name, not written down yet; ok is false, and the person told, where there can be none.
func (t *turn) newCustomer(words string) (c store.Customer, ok bool, err error) {
	text := strings.Join(strings.Fields(words), " ")
	if !isCustomerName(text) {
		return c, false, t.say(t.scr.Customers().NameAsk("", true))
	}
	all, err := t.customers()
	if err != nil || len(all) >= mostCustomers {
		return c, false, firstError(err, func() error { return t.say(t.scr.Customers().Full()) })
	}
	return store.Customer{Book: t.shop.ID, ID: store.NewID(time.Now(), t.cfg.Random), Name: secret.New(text), Phone: secret.New(t.phone), Language: t.chat.Language}, true, nil
}

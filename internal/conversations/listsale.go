package conversations

import (
	"errors"
	"slices"
	"strings"
	"time"

	"resellerbot/internal/ledger"
	"resellerbot/internal/pricing"
	"resellerbot/internal/purchase"
	"resellerbot/internal/screen"
	"resellerbot/internal/store"
)

// errOtherTotal: what a list would be sold for is something else than its card has said.
var errOtherTotal = errors.New("a list is sold for another total")

// saleTapped sells all that a list has brought, at the shop's prices, or takes that back: each purchase of it by an entry of its
// own, all in one transaction.
func (t listFlow) saleTapped() error {
	l, ok, err := t.sellable(t.action.Arg(0))
	if err != nil || !ok {
		return firstError(err, t.stale)
	}
	s := selling{List: l.ID, Turn: int(t.action.Int(2)), Price: ledger.Money(t.action.Int(3)) * ledger.Centime}
	switch t.action.Arg(1) {
	case screen.SaleCash:
		return t.sell(l, s, store.Customer{})
	case screen.SaleCredit:
		return t.askCustomer(l, s, "")
	case screen.SaleUndo:
		return t.undoLastSale(l, s.Turn)
	}
	return t.stale()
}

// sellable reads a list that the person may sell here; ok is false where there is none.
func (t listFlow) sellable(id string) (l store.List, ok bool, err error) {
	l, err = t.cfg.Store.List(t.ctx, id)
	mine := l.Account == t.shop.ID && l.Chat == t.chatID && (t.role != store.Seller || l.User == t.userID)
	return l, err == nil && mine && l.Phase == store.ListEnded, ignoreMissing(err)
}

// askCustomer asks who has bought a list on credit.
func (t listFlow) askCustomer(l store.List, s selling, words string) error {
	if t.session.Flow != flowSale || t.session.Message != t.tapped {
		t.action.Fresh = true // the card stays
	}
	found, only, err := saleFlow(t).buyers(&s, words)
	if err != nil {
		return err
	}
	if only {
		return t.sell(l, s, found[0])
	}
	t.inPlaceOf = t.answeredQuestion
	return t.turn.ask(t.scr.Sales().ListTo(l, s.Price, found, s.Words, s.Bad), flowSale, stepSaleTo, s)
}

// sell writes the sales of a list into the books.
func (t listFlow) sell(l store.List, s selling, c store.Customer) error {
	v := screen.SoldView{Price: s.Price, Customer: c}
	// One moment for all entries: by it, by who sold and by who bought, lastSales knows what was sold at once.
	now := time.Now()
	err := t.cfg.Store.Update(t.ctx, func(tx *store.Tx) error {
		if err := t.postAll(tx, l, s, c, &v, now); err != nil {
			return err
		}
		if c.ID != "" {
			b, err := tx.Books().Balance(l.Account, ledger.In(ledger.Customer, c.ID))
			if err != nil {
				return err
			}
			v.After, v.Before = b.Net(), b.Net()-v.Price
		}
		return purchase.RefreshList(tx, l)
	})
	if err != nil {
		return t.notSold(l, c, err)
	}
	t.leave()
	if c.ID != "" {
		return t.say(t.scr.Sales().ListOnCredit(l, v))
	}
	t.answerText(t.own.Sales().SoldToast(v.Price), false)
	return nil
}

// postAll sells each purchase of a list that has something to sell, and notes for which day that counts.
func (t listFlow) postAll(tx *store.Tx, l store.List, s selling, c store.Customer, v *screen.SoldView, now time.Time) error {
	bought, trades, err := tx.ListTrades(l)
	if err == nil {
		err = whole(bought, trades, s)
	}
	if err != nil {
		return err
	}
	for _, id := range l.Purchases() {
		e, err := t.post(tx, bought[id], trades[id], c, now)
		if err == nil && e.Number > 0 {
			v.Day, err = laterDay(tx, e)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// whole reports why a list is not sold as its card has shown it: some of it was sold before, or its price is another one now.
func whole(bought map[string]store.Purchase, trades store.Trades, s selling) error {
	_, total, ok := trades.InStock(bought)
	switch {
	// The turn counts the sales of all units: it is another one as soon as any of them was sold behind the card.
	case trades.Turn() != s.Turn:
		no := &ledger.Refusal{Reason: ledger.AlreadySold}
		for _, t := range trades {
			for _, u := range t.Sold() {
				no.By = u.By
			}
		}
		return no
	case !ok:
		return &ledger.Refusal{Reason: ledger.NotInStock}
	case total != s.Price:
		return errOtherTotal
	}
	return nil
}

// post sells what one purchase of a list has brought, each unit at the price by the rules.
func (t listFlow) post(tx *store.Tx, p store.Purchase, trade store.Trade, c store.Customer, now time.Time) (e ledger.Entry, err error) {
	stock := trade.InStock()
	if len(stock) == 0 {
		return e, nil
	}
	sale := ledger.Sale{Who: t.who(saleNonce(p, trade.Turn())), Customer: c.ID}
	total := ledger.Money(0)
	for _, u := range stock {
		// whole has seen to it that the rules give each unit a price.
		q, _ := trade.Price(p, u)
		if q.Price < u.Cost && trade.Rules.Below == pricing.Ask && t.role != store.Owner {
			return e, errBelowCost
		}
		sale.Units, total = append(sale.Units, ledger.SoldUnit{Order: u.Order, List: q.Price, Price: q.Price}), total+q.Price
	}
	if sale.Paid = total; c.ID != "" {
		sale.Paid = 0
		if sale.Limit, err = saleFlow(t).owing(tx, c, now); err != nil {
			return e, err
		}
	}
	return ledger.Sell(tx.Books(), p.Account, sale, now)
}

// notSold tells why a list was not sold, and brings its card up to date.
func (t listFlow) notSold(l store.List, c store.Customer, err error) error {
	no, refused := errors.AsType[*ledger.Refusal](err)
	switch {
	case refused && no.Reason == ledger.OverLimit:
		return saleFlow(t).overLimit(c)
	case refused:
		t.answerText(t.own.Sales().Refused(no.Reason, t.personName(no.By)), true)
	case errors.Is(err, errBelowCost):
		t.answerText(t.own.Sales().BelowCost(), true)
	case errors.Is(err, errOtherTotal):
		t.answerText(t.own.Sales().OtherTotal(), true)
	default:
		return err
	}
	t.leave()
	return t.cfg.Store.Batch(t.ctx, func(tx *store.Tx) error { return purchase.RefreshList(tx, l) })
}

// undoLastSale takes the last sale of a list back: what was sold of it at once. What was sold earlier has its own card, or is the next tap's.
// What cannot be taken back any more, for its day is over, is a matter of each purchase: the customer may get money back for it.
func (t listFlow) undoLastSale(l store.List, turn int) error {
	_, trades, err := t.cfg.Store.ListTrades(t.ctx, l)
	if err != nil {
		return err
	}
	sales, err := t.lastSales(l.Account, trades.Sales())
	if err == nil && len(sales) == 0 {
		err = &ledger.Refusal{Reason: ledger.NotSold}
	}
	if err != nil {
		return t.notSold(l, store.Customer{}, err)
	}
	err = t.updateBy(debtorOf(sales[0]), func(tx *store.Tx, c ledger.CustomerLines) error {
		bought, trades, err := tx.ListTrades(l)
		if err == nil && trades.Turn() != turn { // of this turn, these are the last
			err = &ledger.Refusal{Reason: ledger.NotSold}
		}
		if err != nil {
			return err
		}
		b, err := tx.Books().Book(l.Account)
		if err != nil {
			return err
		}
		if slices.ContainsFunc(sales, func(e ledger.Entry) bool { return b.IsSealed(e, time.Now()) }) {
			return &ledger.Refusal{Reason: ledger.TooLate}
		}
		return errors.Join(saleFlow(t).undoSales(tx, sales, c), refreshApart(tx, bought, sales), purchase.RefreshList(tx, l))
	})
	if no, refused := errors.AsType[*ledger.Refusal](err); refused && no.Reason == ledger.TooLate {
		t.answerText(t.own.Sales().ListTooLate(), true)
		return nil
	}
	if err != nil {
		return t.notSold(l, store.Customer{}, err)
	}
	t.answerText(t.own.Sales().UndoneToast(soldFor(sales...)), false)
	d, err := saleFlow(t).debtor(sales[0])
	if err != nil || d.Owed >= 0 {
		return err
	}
	t.action.Fresh = true // the card stays
	return t.say(t.scr.Sales().ListUndoneAhead(l, soldFor(sales...), d))
}

// refreshApart has the purchases of sales shown anew that have a card of their own beside their list's.
func refreshApart(tx *store.Tx, bought map[string]store.Purchase, sales []ledger.Entry) (err error) {
	for _, e := range sales {
		for _, p := range bought {
			if p.Apart && slices.ContainsFunc(e.Items, func(i ledger.Item) bool { return slices.Contains(p.OrderIDs, i.Order) }) {
				err = errors.Join(err, tx.Enqueue(purchase.Refresh(p)))
			}
		}
	}
	return err
}

// lastSales are those of some sales that were made last, all at once: one tap sells a list at one moment, to one customer.
func (t listFlow) lastSales(book string, numbers []uint64) (sales []ledger.Entry, err error) {
	slices.Sort(numbers)
	for _, number := range slices.Backward(numbers) {
		e, err := t.cfg.Store.BookEntry(t.ctx, book, number)
		if err != nil {
			return nil, err
		}
		if len(sales) > 0 && (!e.At.Equal(sales[0].At) || e.By != sales[0].By || e.Customer != sales[0].Customer) {
			break
		}
		sales = append(sales, e)
	}
	return sales, nil
}

// buyers are the customers that are offered for a sale on credit: those who have bought last, or those that the words find; only
// where the words are one customer's name, who is meant then.
func (t saleFlow) buyers(s *selling, words string) (found []store.Customer, only bool, err error) {
	all, err := t.customers()
	if err != nil {
		return nil, false, err
	}
	found, s.Phone = all, t.phone
	s.Words = strings.Join(strings.Fields(words), " ")
	// As with a contact that was shared, a number behind the name says who it is, or comes to whoever is new.
	if name, phone := withNumber(s.Words); phone != "" && len(named(all, s.Words)) == 0 {
		s.Words, s.Phone = apart(all, calling(all, phone), name, phone), phone
	}
	if s.Bad = s.Words != "" && !isCustomerName(s.Words); s.Bad { // it is asked again, and offered to nobody
		s.Words = ""
	}
	if s.Words != "" {
		if same := named(all, s.Words); len(same) == 1 {
			return same, true, nil
		}
		found = holding(all, s.Words)
	}
	slices.SortStableFunc(found, func(a, b store.Customer) int { return b.Bought.Compare(a.Bought) })
	return found[:min(len(found), customersOffered)], false, nil
}

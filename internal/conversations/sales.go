package conversations

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"time"

	"resellerbot/internal/api/dzd"
	"resellerbot/internal/figures"
	"resellerbot/internal/ledger"
	"resellerbot/internal/pricing"
	"resellerbot/internal/purchase"
	"resellerbot/internal/screen"
	"resellerbot/internal/store"
)

const (
	flowSale      = "sale"
	stepSalePrice = "price" // what each unit is sold for
	stepSaleTo    = "to"    // who has bought on credit

	customersOffered = 5
)

// selling is a sale in the making. Turn names the card that it was begun from.
type selling struct {
	Purchase string       `json:"Purchase"`
	List     string       `json:"List,omitempty"` // that is sold as a whole, instead of a purchase
	Turn     int          `json:"Turn"`
	Units    int          `json:"Units"`
	Price    ledger.Money `json:"Price,omitempty"` // of each; of a list, of all
	Words    string       `json:"Words,omitempty"` // which may be the name of a new customer
	Phone    string       `json:"Phone,omitempty"` // of that customer, where a contact was shared
	Bad      bool         `json:"-"`               // what was typed is no name
	Paid     bool         `json:"Paid,omitempty"`  // in cash, by somebody whose name is given
}

// counter is where cash goes that is taken here: the drawer of a chat.
func (t *turn) counter() string { return strconv.FormatInt(t.chatID, 10) }

// who does something in the books, by the card that it is done from.
func (t *turn) who(nonce string) ledger.Who {
	return ledger.Who{By: t.userID, Counter: t.counter(), Nonce: nonce, Owner: t.role == store.Owner}
}

// notYet refuses what is in the books under a key already, and names who has put it there. The books themselves take the same
// twice in silence, which is right for an update that is handled again; two people at one card have to hear of each other.
func notYet(tx *store.Tx, book, key string, why ledger.Reason) error {
	e, err := entryAt(tx, book, key)
	if err != nil || e.Number == 0 {
		return err
	}
	return &ledger.Refusal{Reason: why, By: e.By}
}

// entryAt reads what is in the books under a key; an Entry without a number where there is nothing.
func entryAt(tx *store.Tx, book, key string) (ledger.Entry, error) {
	k, err := tx.Books().EntryKey(book, key)
	if errors.Is(err, ledger.ErrNotFound) {
		return ledger.Entry{}, nil
	}
	if err != nil {
		return ledger.Entry{}, err
	}
	return tx.Books().Entry(book, k.Number)
}

// calledHere is what the person is called in the team, or calls themselves.
func (t *turn) calledHere() string {
	m, _ := t.shop.Member(t.userID)
	return cmp.Or(m.Name, t.name)
}

// personName is what somebody of the team is called; "" for the person themselves, and for whoever has left.
func (t *turn) personName(user int64) string {
	m, ok := t.shop.Member(user)
	if !ok || user == t.userID {
		return ""
	}
	return m.Name
}

// saleTapped runs the buttons under what has come.
func (t saleFlow) saleTapped() error {
	p, ok, err := orderFlow(t).purchase(t.action.Arg(0))
	if err != nil || !ok || p.Account != t.shop.ID {
		return firstError(err, t.stale)
	}
	s := selling{Purchase: p.ID, Turn: int(t.action.Int(2)), Units: int(t.action.Int(3)), Price: ledger.Money(t.action.Int(4)) * ledger.Centime}
	entry, numbered := strconv.ParseUint(t.action.Arg(2), 10, 64)
	switch t.action.Arg(1) {
	case screen.SaleCash, screen.SaleCredit, screen.SaleNamed:
		// The price stands on the button, and may be forged: it is held to the bounds of one that was typed.
		if s.Units < 1 || pricing.CheckPrice(s.Price) != nil {
			return t.stale()
		}
		if t.action.Arg(1) == screen.SaleCash {
			return t.sell(p, s, store.Customer{})
		}
		s.Paid = t.action.Arg(1) == screen.SaleNamed
		return t.askCustomer(p, s, "")
	case screen.SalePrice:
		return t.askPrice(p, s)
	case screen.SaleUndo, screen.SaleBack, screen.SalePick:
		if numbered != nil {
			return t.stale()
		}
		return t.returnSale(p, entry)
	}
	return t.stale()
}

// view is a sale as screens show it; ok is false where nothing is left to be sold.
func (t saleFlow) view(p store.Purchase, s selling) (v screen.SaleView, trade store.Trade, ok bool, err error) {
	if trade, err = t.cfg.Store.Trade(t.ctx, p); err != nil {
		return v, trade, false, err
	}
	left := len(trade.InStock())
	// How many comes from a button, which may be of before a sale, or forged.
	v = screen.SaleView{Purchase: p, Turn: s.Turn, Units: min(max(s.Units, 1), max(left, 1)), InStock: left, Price: s.Price, Paid: s.Paid}
	return v, trade, left > 0 && trade.Rules.Any(), nil
}

// askPrice asks what each unit is sold for.
func (t saleFlow) askPrice(p store.Purchase, s selling) error {
	v, trade, ok, err := t.view(p, s)
	if err != nil || !ok {
		return firstError(err, func() error { return t.gone(p, ledger.NotInStock, 0) })
	}
	if v.Price = 0; len(trade.InStock()) > 0 {
		if q, has := trade.Price(p, trade.InStock()[0]); has {
			v.Price = q.Price
		}
	}
	s.Units, s.Price = v.Units, 0
	return t.ask(t.scr.Sales().Ask(v), flowSale, stepSalePrice, s)
}

// typed takes the price of a sale, or who has bought on credit.
func (t saleFlow) typed() error {
	var s selling
	if err := json.Unmarshal(t.session.Data, &s); err != nil {
		return t.stale()
	}
	if s.List != "" {
		l, ok, err := listFlow(t).sellable(s.List)
		if err != nil || !ok {
			return firstError(err, t.stale)
		}
		return listFlow(t).askCustomer(l, s, t.text)
	}
	p, ok, err := orderFlow(t).purchase(s.Purchase)
	if err != nil || !ok || p.Account != t.shop.ID {
		return firstError(err, t.stale)
	}
	if t.session.Step == stepSaleTo {
		return t.askCustomer(p, s, t.text)
	}
	v, trade, ok, err := t.view(p, s)
	if err != nil || !ok {
		return firstError(err, t.stale)
	}
	if v = readPrice(t.text, v, trade); v.Problem != screen.SaleFine {
		t.inPlaceOf = t.answeredQuestion
		return t.ask(t.scr.Sales().Ask(v), flowSale, stepSalePrice, s)
	}
	t.leave()
	return t.say(t.scr.Sales().Priced(v))
}

// readPrice reads the price of each unit. What may be in centimes, has a zero too few, or is below cost, is asked back.
func readPrice(text string, v screen.SaleView, trade store.Trade) screen.SaleView {
	v.Price = 0
	amount, sure, err := figures.Amount(text)
	price := ledger.Of(amount)
	switch {
	case errors.Is(err, dzd.ErrRange):
		v.Problem = screen.SaleRange
		return v
	case err != nil:
		v.Problem = screen.SaleBad
		return v
	case pricing.CheckPrice(price) != nil:
		v.Problem = screen.SaleRange
		return v
	}
	v.Price = price
	// There is one: typed has asked view.
	unit := trade.InStock()[0]
	expected := unit.Cost
	if q, ok := trade.Price(v.Purchase, unit); ok {
		expected = q.Price
	}
	likely, doubt := pricing.Doubt(price, expected, false)
	switch {
	case doubt:
		v.Likely, v.Problem = likely, screen.SaleOdd
	case !sure:
		v.Problem = screen.SaleUnsure
	case price < unit.Cost && trade.Rules.Below != pricing.Off:
		v.Problem = screen.SaleBelow
	}
	return v
}

// sell writes a sale into the books: paid in cash, or owed by a customer. Whoever taps the same card after it is told who was
// first, and nothing is counted twice.
func (t saleFlow) sell(p store.Purchase, s selling, c store.Customer) error {
	v := screen.SoldView{Purchase: p, Units: s.Units, Price: s.Price * ledger.Money(s.Units), Customer: c}
	now := time.Now()
	err := t.cfg.Store.Update(t.ctx, func(tx *store.Tx) error {
		e, err := t.post(tx, p, s, c, now)
		if err != nil {
			return err
		}
		if v.Entry = e.Number; e.OnCredit() {
			b, err := tx.Books().Balance(p.Account, ledger.In(ledger.Customer, c.ID))
			if err != nil {
				return err
			}
			v.After, v.Before = b.Net(), b.Net()-v.Price
		}
		if v.Day, err = laterDay(tx, e); err != nil {
			return err
		}
		return refreshTrade(tx, p)
	})
	switch {
	case errors.Is(err, errBelowCost):
		t.answerText(t.own.Sales().BelowCost(), true)
		return nil
	case err != nil:
		return t.notSold(p, c, err)
	}
	t.leave()
	if c.ID != "" && !s.Paid {
		return t.say(t.scr.Sales().OnCredit(v))
	}
	t.answerText(t.own.Sales().SoldToast(v.Price), false)
	if s.Paid || screen.InQuestion(t.action) {
		return t.say(t.scr.Sales().Paid(v))
	}
	return t.showAnew(p)
}

// refreshTrade brings what shows a purchase up to date with what was made of it: its message, and the card of its list.
func refreshTrade(tx *store.Tx, p store.Purchase) error {
	// A line of a list has no message of its own until something is said of it alone: its codes came with the list.
	if p.List == "" || p.Message != 0 {
		if err := tx.Enqueue(purchase.Refresh(p)); err != nil || p.List == "" {
			return err
		}
	}
	l, err := tx.List(p.List)
	if err != nil {
		return ignoreMissing(err)
	}
	return purchase.RefreshList(tx, l)
}

var errBelowCost = errors.New("only an owner sells below cost")

// laterDay is the day that an entry counts for, where today is closed already; "" for today.
// Example: the 12th is closed at 20:00. What is sold at 21:00 counts for the 13th, and that is said; what is sold on the 13th counts for
// it as well, and nothing is.
func laterDay(tx *store.Tx, e ledger.Entry) (ledger.Day, error) {
	b, err := tx.Books().Book(e.Book)
	if err != nil || b.Closed == "" || e.Day != b.Closed.Plus(1) || b.Today(e.At) == e.Day {
		return "", err
	}
	return e.Day, nil
}

// saleNonce names the card of a purchase that a sale is made from.
func saleNonce(p store.Purchase, turn int) string { return fmt.Sprintf("%s.%d", p.ID, turn) }

// post is sell within its transaction.
func (t saleFlow) post(tx *store.Tx, p store.Purchase, s selling, c store.Customer, now time.Time) (ledger.Entry, error) {
	trade, err := tx.Trade(p)
	if err != nil {
		return ledger.Entry{}, err
	}
	nonce := saleNonce(p, s.Turn)
	before, err := entryAt(tx, p.Account, "sale/"+nonce)
	switch {
	case err != nil:
		return ledger.Entry{}, err
	// Before the stock is looked at: whoever comes second to a card is told who was first, and not that nothing is left.
	case before.Number != 0 && soldFor(before) != s.Price*ledger.Money(s.Units):
		return ledger.Entry{}, &ledger.Refusal{Reason: ledger.OtherContent, By: before.By}
	case before.Number != 0:
		return ledger.Entry{}, &ledger.Refusal{Reason: ledger.AlreadySold, By: before.By}
	}
	stock := trade.InStock()
	// A card of before another sale is refused though units are left: it has shown others than those that would be sold now.
	if len(stock) < s.Units || trade.Turn() != s.Turn {
		return ledger.Entry{}, &ledger.Refusal{Reason: ledger.NotInStock}
	}
	sale := ledger.Sale{Who: t.who(nonce), Customer: c.ID}
	for _, u := range stock[:s.Units] {
		if s.Price < u.Cost && trade.Rules.Below == pricing.Ask && t.role != store.Owner {
			return ledger.Entry{}, errBelowCost
		}
		sold := ledger.SoldUnit{Order: u.Order, List: s.Price, Price: s.Price}
		if q, ok := trade.Price(p, u); ok {
			sold.List = q.Price
		}
		sale.Units = append(sale.Units, sold)
	}
	if c.ID != "" {
		if sale.Limit, err = t.owing(tx, c, now); err != nil {
			return ledger.Entry{}, err
		}
	}
	if c.ID == "" || s.Paid {
		sale.Paid = s.Price * ledger.Money(s.Units)
	}
	return ledger.Sell(tx.Books(), p.Account, sale, now)
}

// showAnew brings a purchase up to date where it is shown beside its own message: there, for its codes are shown there already.
func (t saleFlow) showAnew(p store.Purchase) error {
	t.action.Fresh = false
	if t.query == "" || t.tapped == p.Message && t.chatID == p.Chat {
		return nil
	}
	p, orders, ok, err := orderFlow(t).seen(p.ID)
	if err != nil || !ok {
		return err
	}
	return orderFlow(t).showOrder(p, orders, true)
}

// gone tells that something cannot be done with a purchase any more, and shows it as it is.
func (t saleFlow) gone(p store.Purchase, why ledger.Reason, by int64) error {
	text := t.own.Sales().Refused(why, t.personName(by))
	t.answerText(text, true)
	// A late tap leaves what stands there, as the sum that is to be given back.
	if moved, err := t.hasMovedOn(); err != nil || moved {
		return err
	}
	t.leave()
	if screen.InQuestion(t.action) {
		return t.say(t.scr.Sales().Ended(p, text))
	}
	return t.showAnew(p)
}

// notWritten is gone by the word of the books; errors that are none of theirs stay.
func (t saleFlow) notWritten(p store.Purchase, err error) error {
	no, ok := errors.AsType[*ledger.Refusal](err)
	if !ok {
		return err
	}
	return t.gone(p, no.Reason, no.By)
}

// notSold tells why a sale was not written down.
func (t saleFlow) notSold(p store.Purchase, c store.Customer, err error) error {
	if no, ok := errors.AsType[*ledger.Refusal](err); !ok || no.Reason != ledger.OverLimit {
		return t.notWritten(p, err)
	}
	return t.overLimit(c)
}
